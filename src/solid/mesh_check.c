/* What is wrong with a mesh: edges, shells, repeated and flat elements, crossings, angles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"
#include "solid/mesh_edges.h"
#include "solid/mesh_tree.h"

typedef struct check_work {
    const snw_mesh *mesh;
    snw__mesh_edges edges;
    int *shell, *stack; /* (triangles) */
    bool *is_used;      /* (vertices) */
    snw_vec3 *place;    /* (vertices) */
    int (*sorted)[3];   /* (triangles) corners ascending */
    double *volume;     /* (triangles) of the shells */
    bool *is_open;      /* (triangles) shells with an edge of one triangle, or of three */
} check_work;

static void lay_out(void *object, snw__block *block)
{
    check_work *work = (check_work *)object;
    size_t triangles = (size_t)work->mesh->count.triangle_count;
    size_t vertices = (size_t)work->mesh->count.vertex_count;
    work->shell = (int *)snw__block_take(block, triangles, sizeof(int));
    work->stack = (int *)snw__block_take(block, triangles, sizeof(int));
    work->is_used = (bool *)snw__block_take(block, vertices, sizeof(bool));
    work->place = (snw_vec3 *)snw__block_take(block, vertices, sizeof(snw_vec3));
    work->sorted = (int(*)[3])snw__block_take(block, triangles, sizeof *work->sorted);
    work->volume = (double *)snw__block_take(block, triangles, sizeof(double));
    work->is_open = (bool *)snw__block_take(block, triangles, sizeof(bool));
}

/* ---- elements -----------------------------------------------------------------------------------
 */

static int compare_places(const void *a, const void *b)
{
    const snw_vec3 *p = (const snw_vec3 *)a, *q = (const snw_vec3 *)b;
    if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
    if (p->y < q->y || p->y > q->y) return p->y < q->y ? -1 : 1;
    return p->z < q->z ? -1 : p->z > q->z;
}

static int compare_corners(const void *a, const void *b)
{
    const int *p = (const int *)a, *q = (const int *)b;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

/* [chosen] The angle below which a triangle is called a sliver, as the header says. */
enum {
    CHECK_SLIVER_DEGREES = 1
};

static void check_triangles(check_work *work, snw_mesh_report *out)
{
    const snw_mesh *mesh = work->mesh;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        const int *c = mesh->triangle[t];
        double area = snw_vec3_length(snw__triangle_area(mesh, t)), length2 = 0, least = SNW_PI;
        for (int k = 0; k < 3; k++) {
            snw_vec3 o = mesh->vertex[c[k]];
            snw_vec3 a = snw_vec3_sub(mesh->vertex[c[(k + 1) % 3]], o);
            snw_vec3 b = snw_vec3_sub(mesh->vertex[c[(k + 2) % 3]], o);
            length2 = fmax(length2, snw_vec3_length2(a));
            least = fmin(least, snw_vec3_angle(a, b));
        }
        bool is_flat = !(area > SNW__EXACT * length2);
        out->flat_triangle_count += is_flat;
        out->sliver_count += !is_flat && least < snw_radians(CHECK_SLIVER_DEGREES);
        out->area += area;
        int *sorted = work->sorted[t];
        int low = c[0] < c[1] ? 0 : 1, high = 1 - low;
        if (c[2] < c[low]) low = 2;
        if (c[2] > c[high]) high = 2;
        sorted[0] = c[low];
        sorted[1] = low == high ? c[low] : c[3 - low - high];
        sorted[2] = c[high];
    }
    qsort(work->sorted, (size_t)mesh->count.triangle_count, sizeof *work->sorted, compare_corners);
    for (int t = 1; t < mesh->count.triangle_count; t++)
        out->repeated_triangle_count += compare_corners(work->sorted[t - 1], work->sorted[t]) == 0;
}

/* [chosen] Shells of negative volume of which each is told from a cavity; a mesh of more is a soup
 * of pieces. */
enum {
    CHECK_SHELLS_MAX = 64
};

/* ---- shells and holes
 * ------------------------------------------------------------------------------ */

static void check_shells(check_work *work, snw_mesh_report *out)
{
    const snw_mesh *mesh = work->mesh;
    out->shell_count = snw__mesh_shells(mesh, &work->edges, work->shell, work->stack, NULL);
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        const int *c = mesh->triangle[t];
        snw_vec3 o = mesh->vertex[mesh->triangle[0][0]];
        snw_vec3 a = snw_vec3_sub(mesh->vertex[c[0]], o), b = snw_vec3_sub(mesh->vertex[c[1]], o);
        double volume = snw_vec3_dot(a, snw_vec3_cross(b, snw_vec3_sub(mesh->vertex[c[2]], o))) / 6;
        work->volume[work->shell[t]] += volume;
        out->volume += volume;
        for (int k = 0; k < 3; k++)
            if (work->edges.twin[3 * t + k] < 0) work->is_open[work->shell[t]] = true;
    }
    int asked = 0;
    for (int s = 0; s < mesh->count.triangle_count; s++) {
        if (work->shell[s] != s || work->is_open[s] || !(work->volume[s] < 0)) continue;
        /* A cavity lies inside the rest, which goes round it once. So many are asked and no more:
         * each costs a look at the whole surface. */
        if (asked++ >= CHECK_SHELLS_MAX) {
            out->inside_out_count++;
            continue;
        }
        snw_vec3 on = mesh->vertex[mesh->triangle[s][0]];
        double around = snw__mesh_winding(mesh, on, NULL, 0);
        double own = snw__mesh_winding(mesh, on, work->shell, s);
        out->inside_out_count += around - own < 0.5;
    }
}

/* Rings of half-edges without a neighbour: the next one starts where this one ends, found by going
 * round that vertex. */
static int next_boundary(const check_work *work, int half)
{
    const int *twin = work->edges.twin;
    int at = half / 3 * 3 + (half + 1) % 3;
    for (int guard = 0; twin[at] >= 0 && guard < work->edges.half_count; guard++)
        at = twin[at] / 3 * 3 + (twin[at] + 1) % 3;
    return twin[at] == SNW__EDGE_BOUNDARY ? at : -1;
}

/* ---- tetrahedra
 * -------------------------------------------------------------------------------------- */

/* ---- all of it
 * ----------------------------------------------------------------------------------------- */

static snw_status check_surface(check_work *work, const snw_allocator *allocator,
                                snw_mesh_report *out, snw_error *error)
{
    const snw__mesh_edges *edges = &work->edges;
    snw__mesh_tree tree;
    const snw_mesh *mesh = work->mesh;
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            work->is_used[mesh->triangle[t][k]] = true;
    for (int v = 0; v < mesh->count.vertex_count; v++)
        out->euler += work->is_used[v];
    for (int t = 0; t < mesh->count.tetrahedron_count; t++)
        for (int k = 0; k < 4; k++)
            work->is_used[mesh->tetrahedron[t][k]] = true;
    for (int e = 0; e < mesh->count.edge_count; e++)
        work->is_used[mesh->edge[e][0]] = work->is_used[mesh->edge[e][1]] = true;
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        out->unused_vertex_count += !work->is_used[v];
        work->place[v] = mesh->vertex[v];
    }
    qsort(work->place, (size_t)mesh->count.vertex_count, sizeof *work->place, compare_places);
    for (int v = 1; v < mesh->count.vertex_count; v++)
        out->repeated_vertex_count += compare_places(work->place + v - 1, work->place + v) == 0;
    check_triangles(work, out);
    check_shells(work, out);
    out->boundary_edge_count = edges->boundary_count;
    out->crowded_edge_count = edges->crowded_count;
    out->turned_edge_count = edges->turned_count;
    out->euler += work->mesh->count.triangle_count - edges->edge_count;
    int holes = 0, halves = work->edges.half_count;
    int *ring = work->edges.next; /* free by now */
    memset(ring, 0, (size_t)halves * sizeof *ring);
    for (int h = 0; h < halves; h++) {
        if (work->edges.twin[h] != SNW__EDGE_BOUNDARY || ring[h]) continue;
        holes++;
        for (int at = h; at >= 0 && !ring[at]; at = next_boundary(work, at))
            ring[at] = holes;
    }
    out->hole_count = holes;
    out->is_closed =
        work->mesh->count.triangle_count && !edges->boundary_count && !edges->crowded_count;
    out->is_turned_right = out->is_closed && !edges->turned_count && !out->inside_out_count;
    if (!work->mesh->count.triangle_count) return SNW_OK;
    snw_status status = snw__mesh_tree_create(work->mesh, allocator, &tree, error);
    if (status != SNW_OK) return status;
    out->crossing_count = snw__mesh_tree_crossings(&tree, out->first_crossing);
    snw__mesh_tree_release(&tree);
    return SNW_OK;
}

snw_status snw_mesh_check(const snw_mesh *mesh, const snw_allocator *allocator,
                          snw_mesh_report *out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    memset(out, 0, sizeof *out);
    out->first_crossing[0] = out->first_crossing[1] = -1;
    snw_status status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    snw_allocator from = snw__allocator_or_default(allocator);
    check_work work = {.mesh = mesh};
    snw__block block;
    status = snw__block_create(&block, lay_out, &work, &from, "a look at a mesh", error);
    if (status != SNW_OK) return status;
    status = snw__mesh_edges_create(mesh, allocator, &work.edges, error);
    if (status == SNW_OK) {
        status = check_surface(&work, allocator, out, error);
        /* The six angles between faces: between the planes that meet in the edge i j, seen along
         * it. */
        static const int pairs[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                        {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
        out->dihedral_low = mesh->count.tetrahedron_count ? SNW_PI : 0;
        for (int t = 0; t < mesh->count.tetrahedron_count; t++) {
            const int *c = mesh->tetrahedron[t];
            double volume = snw__tetrahedron_volume6(mesh, t) / 6, length = 0;
            out->tetrahedron_volume += fabs(volume);
            for (int e = 0; e < 6; e++) {
                snw_vec3 o = mesh->vertex[c[pairs[e][0]]];
                snw_vec3 along = snw_vec3_sub(mesh->vertex[c[pairs[e][1]]], o);
                snw_vec3 a = snw_vec3_cross(along, snw_vec3_sub(mesh->vertex[c[pairs[e][2]]], o));
                snw_vec3 b = snw_vec3_cross(along, snw_vec3_sub(mesh->vertex[c[pairs[e][3]]], o));
                double angle = snw_vec3_angle(a, b);
                int bin = (int)(angle / SNW_PI * SNW_MESH_ANGLE_BINS);
                out->dihedral[bin < SNW_MESH_ANGLE_BINS ? bin : SNW_MESH_ANGLE_BINS - 1]++;
                out->dihedral_low = fmin(out->dihedral_low, angle);
                out->dihedral_high = fmax(out->dihedral_high, angle);
                length = fmax(length, snw_vec3_length(along));
            }
            bool is_flat = !(fabs(volume) > SNW__EXACT * length * length * length);
            out->flat_tetrahedron_count += is_flat;
            out->turned_tetrahedron_count += !is_flat && volume < 0;
        }
        snw__mesh_edges_release(&work.edges);
    }
    snw__block_release(&from, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}
