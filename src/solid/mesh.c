/* Meshes: their memory, their box, and the surface of a body of tetrahedra. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solid/mesh_edges.h"

static void lay_out(void *object, snw__block *block)
{
    snw_mesh *mesh = (snw_mesh *)object;
    size_t vertices = (size_t)mesh->count.vertex_count, edges = (size_t)mesh->count.edge_count;
    size_t triangles = (size_t)mesh->count.triangle_count;
    size_t tetrahedra = (size_t)mesh->count.tetrahedron_count;
    mesh->vertex = (snw_vec3 *)snw__block_take(block, vertices, sizeof *mesh->vertex);
    mesh->vertex_reference = (int *)snw__block_take(block, vertices, sizeof(int));
    mesh->edge = (int(*)[2])snw__block_take(block, edges, sizeof *mesh->edge);
    mesh->edge_reference = (int *)snw__block_take(block, edges, sizeof(int));
    mesh->triangle = (int(*)[3])snw__block_take(block, triangles, sizeof *mesh->triangle);
    mesh->triangle_reference = (int *)snw__block_take(block, triangles, sizeof(int));
    mesh->tetrahedron = (int(*)[4])snw__block_take(block, tetrahedra, sizeof *mesh->tetrahedron);
    mesh->tetrahedron_reference = (int *)snw__block_take(block, tetrahedra, sizeof(int));
}

snw_status snw_mesh_create(const snw_mesh_counts *counts, const snw_allocator *allocator,
                           snw_mesh **out, snw_error *error)
{
    if (!out || !counts) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or counts is NULL");
    *out = NULL;
    if (counts->vertex_count < 0 || counts->edge_count < 0 || counts->triangle_count < 0 ||
        counts->tetrahedron_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a count of the mesh is negative");
    snw_allocator from = snw__allocator_or_default(allocator);
    snw_mesh *mesh = (snw_mesh *)snw__allocate(&from, sizeof *mesh);
    if (!mesh) return snw__fail_memory(error, sizeof *mesh, "a mesh");
    mesh->count = *counts;
    mesh->allocator = from;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, mesh, &from, "a mesh", error);
    if (status != SNW_OK) {
        snw__release(&from, mesh, sizeof *mesh);
        return status;
    }
    mesh->block_size = block.size;
    *out = mesh;
    return snw__succeed(error);
}

/* The first array is the start of the block, and is there even where it is empty. */
void snw_mesh_destroy(snw_mesh *mesh)
{
    if (!mesh) return;
    snw_allocator allocator = mesh->allocator;
    snw__release(&allocator, mesh->vertex, mesh->block_size);
    snw__release(&allocator, mesh, sizeof *mesh);
}

void snw__mesh_copy_front(const snw_mesh *mesh, snw_mesh *to)
{
    const snw_mesh_counts *n = &mesh->count;
    memcpy(to->vertex, mesh->vertex, (size_t)n->vertex_count * sizeof *to->vertex);
    memcpy(to->vertex_reference, mesh->vertex_reference, (size_t)n->vertex_count * sizeof(int));
    memcpy(to->edge, mesh->edge, (size_t)n->edge_count * sizeof *to->edge);
    memcpy(to->edge_reference, mesh->edge_reference, (size_t)n->edge_count * sizeof(int));
    memcpy(to->triangle, mesh->triangle, (size_t)n->triangle_count * sizeof *to->triangle);
    memcpy(to->triangle_reference, mesh->triangle_reference,
           (size_t)n->triangle_count * sizeof(int));
    memcpy(to->tetrahedron, mesh->tetrahedron,
           (size_t)n->tetrahedron_count * sizeof *to->tetrahedron);
    memcpy(to->tetrahedron_reference, mesh->tetrahedron_reference,
           (size_t)n->tetrahedron_count * sizeof(int));
}

snw_status snw_mesh_copy(const snw_mesh *mesh, const snw_allocator *allocator, snw_mesh **out,
                         snw_error *error)
{
    if (!out || !mesh) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or mesh is NULL");
    snw_status status = snw_mesh_create(&mesh->count, allocator, out, error);
    if (status == SNW_OK) snw__mesh_copy_front(mesh, *out);
    return status;
}

void snw_mesh_box(const snw_mesh *mesh, snw_vec3 *low, snw_vec3 *high)
{
    *low = *high = mesh->count.vertex_count ? mesh->vertex[0] : snw_vec3_make(0, 0, 0);
    for (int v = 1; v < mesh->count.vertex_count; v++) {
        snw_vec3 p = mesh->vertex[v];
        *low = snw_vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        *high = snw_vec3_make(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
    }
}

/* ---- indices and numbers --------------------------------------------------------------------- */

static snw_status check_corners(const int *corner, int count, int each, const snw_mesh *mesh,
                                const char *what, snw_error *error)
{
    for (size_t n = 0; n < (size_t)count * (size_t)each; n++)
        if (corner[n] < 0 || corner[n] >= mesh->count.vertex_count)
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, snw__at_name((int64_t)n / each, NULL),
                                "%s %d has vertex %d, there are %d", what, (int)(n / (size_t)each),
                                corner[n], mesh->count.vertex_count);
    return SNW_OK;
}

snw_status snw__mesh_check_numbers(const snw_mesh *mesh, snw_error *error)
{
    if (!mesh) return snw__fail(error, SNW_INVALID_ARGUMENT, "mesh is NULL");
    for (int v = 0; v < mesh->count.vertex_count; v++)
        if (!snw_vec3_is_finite(mesh->vertex[v]))
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, snw__at_name(v, NULL),
                                "vertex %d has a coordinate that is not finite", v);
    const snw_mesh_counts *n = &mesh->count;
    snw_status status =
        check_corners(n->edge_count ? mesh->edge[0] : NULL, n->edge_count, 2, mesh, "edge", error);
    if (status == SNW_OK)
        status = check_corners(n->triangle_count ? mesh->triangle[0] : NULL, n->triangle_count, 3,
                               mesh, "triangle", error);
    if (status == SNW_OK)
        status = check_corners(n->tetrahedron_count ? mesh->tetrahedron[0] : NULL,
                               n->tetrahedron_count, 4, mesh, "tetrahedron", error);
    return status;
}

/* ---- the surface of tetrahedra --------------------------------------------------------------- */

typedef struct mesh_face {
    int key[3]; /* corners ascending */
    int tetrahedron;
    int side; /* the corner that it lacks */
} mesh_face;

/* Faces of a right-handed tetrahedron, seen from outside counterclockwise. */
static const int mesh_sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

static int compare_faces(const void *a, const void *b)
{
    const mesh_face *left = (const mesh_face *)a, *right = (const mesh_face *)b;
    for (int k = 0; k < 3; k++)
        if (left->key[k] != right->key[k]) return left->key[k] < right->key[k] ? -1 : 1;
    int l = 4 * (left->tetrahedron % 0x10000000) + left->side;
    int r = 4 * (right->tetrahedron % 0x10000000) + right->side;
    return l < r ? -1 : l > r;
}

static void swap_if(int *a, int *b)
{
    if (*a <= *b) return;
    int keep = *a;
    *a = *b;
    *b = keep;
}

static void list_faces(const snw_mesh *mesh, mesh_face *face)
{
    for (int t = 0; t < mesh->count.tetrahedron_count; t++)
        for (int side = 0; side < 4; side++, face++) {
            for (int k = 0; k < 3; k++)
                face->key[k] = mesh->tetrahedron[t][mesh_sides[side][k]];
            swap_if(&face->key[0], &face->key[1]);
            swap_if(&face->key[1], &face->key[2]);
            swap_if(&face->key[0], &face->key[1]);
            face->tetrahedron = t;
            face->side = side;
        }
}

/* Faces that come once; into `to` where it is there. Returns how many. */
static int take_single_faces(const snw_mesh *mesh, const mesh_face *face, size_t count,
                             snw_mesh *to)
{
    int single = 0;
    for (size_t n = 0, next; n < count; n = next) {
        for (next = n + 1;
             next < count && memcmp(face[n].key, face[next].key, sizeof face[n].key) == 0;)
            next++;
        if (next - n > 1) continue;
        int t = face[n].tetrahedron;
        const int *corner = mesh->tetrahedron[t];
        if (to) {
            bool is_turned = snw__tetrahedron_volume6(mesh, t) < 0;
            for (int k = 0; k < 3; k++)
                to->triangle[single][is_turned ? 2 - k : k] = corner[mesh_sides[face[n].side][k]];
            to->triangle_reference[single] = mesh->tetrahedron_reference[t];
        }
        single++;
    }
    return single;
}

double snw__tetrahedron_volume6(const snw_mesh *mesh, int tetrahedron)
{
    const int *c = mesh->tetrahedron[tetrahedron];
    snw_vec3 o = mesh->vertex[c[0]];
    snw_vec3 a = snw_vec3_sub(mesh->vertex[c[1]], o), b = snw_vec3_sub(mesh->vertex[c[2]], o);
    return snw_vec3_dot(a, snw_vec3_cross(b, snw_vec3_sub(mesh->vertex[c[3]], o)));
}

snw_status snw_mesh_boundary(const snw_mesh *mesh, const snw_allocator *allocator, snw_mesh **out,
                             snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_status status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    size_t count = 4 * (size_t)mesh->count.tetrahedron_count;
    if (!count) return snw__fail(error, SNW_DEGENERATE, "the mesh has no tetrahedra");
    snw_allocator from = snw__allocator_or_default(allocator);
    size_t size = snw__size_mul(count, sizeof(mesh_face));
    mesh_face *face = (mesh_face *)snw__allocate(&from, size);
    if (!face) return snw__fail_memory(error, size, "the faces of the tetrahedra");
    list_faces(mesh, face);
    qsort(face, count, sizeof *face, compare_faces);
    snw_mesh_counts counts = {mesh->count.vertex_count, 0,
                              take_single_faces(mesh, face, count, NULL), 0};
    status = snw_mesh_create(&counts, allocator, out, error);
    if (status == SNW_OK) {
        memcpy((*out)->vertex, mesh->vertex, (size_t)counts.vertex_count * sizeof(snw_vec3));
        memcpy((*out)->vertex_reference, mesh->vertex_reference,
               (size_t)counts.vertex_count * sizeof(int));
        (void)take_single_faces(mesh, face, count, *out);
    }
    snw__release(&from, face, size);
    return status;
}
