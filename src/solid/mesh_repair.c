/* Repairs that cannot make a good mesh worse, one after the other: merge vertices, drop flat and
 * repeated triangles, turn neighbours alike, turn shells outside out, fill simple holes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"
#include "solid/mesh_edges.h"
#include "solid/mesh_tree.h"

snw_mesh_repair_options snw_mesh_repair_options_default(void)
{
    snw_mesh_repair_options options;
    memset(&options, 0, sizeof options);
    options.has_hole_filling = true;
    options.hole_edge_max = 64;
    return options;
}

/* ---- merging
 * --------------------------------------------------------------------------------------- */

typedef struct repair_cell {
    int64_t at[3]; /* the cell of the grid, or the bits of the place */
    int vertex;
} repair_cell;

static int compare_cells(const void *a, const void *b)
{
    const repair_cell *p = (const repair_cell *)a, *q = (const repair_cell *)b;
    for (int k = 0; k < 3; k++)
        if (p->at[k] != q->at[k]) return p->at[k] < q->at[k] ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* A number that is equal for equal coordinates: its cell of a grid, or its bits with -0 as 0. */
static int64_t key_of(double x, double step)
{
    if (step > 0) return (int64_t)floor(snw_clamp(x / step, -9e18, 9e18));
    int64_t bits;
    double plain = x + 0.0;
    memcpy(&bits, &plain, sizeof bits);
    return bits;
}

/* into[v]: the vertex that v becomes, the lowest of those in its cell of the grid. */
static snw_status find_merges(const snw_mesh *mesh, double step, const snw_allocator *from,
                              int *into, int *merged, snw_error *error)
{
    size_t count = (size_t)mesh->count.vertex_count;
    size_t size = snw__size_mul(count, sizeof(repair_cell));
    repair_cell *cell = (repair_cell *)snw__allocate(from, size);
    if (!cell) return snw__fail_memory(error, size, "merging vertices");
    for (size_t v = 0; v < count; v++) {
        snw_vec3 p = mesh->vertex[v];
        cell[v] = (repair_cell){{key_of(p.x, step), key_of(p.y, step), key_of(p.z, step)}, (int)v};
    }
    qsort(cell, count, sizeof *cell, compare_cells);
    for (size_t n = 0, start = 0; n < count; n++) {
        if (memcmp(cell[n].at, cell[start].at, sizeof cell[n].at) != 0) start = n;
        into[cell[n].vertex] = cell[start].vertex;
        *merged += cell[n].vertex != cell[start].vertex;
    }
    snw__release(from, cell, size);
    return SNW_OK;
}

/* ---- dropping
 * ---------------------------------------------------------------------------------------- */

typedef struct repair_triangle {
    int sorted[3], number;
} repair_triangle;

static int compare_triangles(const void *a, const void *b)
{
    const repair_triangle *p = (const repair_triangle *)a, *q = (const repair_triangle *)b;
    for (int k = 0; k < 3; k++)
        if (p->sorted[k] != q->sorted[k]) return p->sorted[k] < q->sorted[k] ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

/* A triangle goes where two corners are one; one that is flat but has three corners holds its
 * neighbours together and stays. */
static snw_status find_drops(snw_mesh *mesh, const snw_allocator *from, bool *is_dropped,
                             snw_error *error)
{
    size_t count = (size_t)mesh->count.triangle_count;
    size_t size = snw__size_mul(count, sizeof(repair_triangle));
    repair_triangle *row = (repair_triangle *)snw__allocate(from, size);
    if (!row) return snw__fail_memory(error, size, "looking for repeated triangles");
    for (size_t t = 0; t < count; t++) {
        memcpy(row[t].sorted, mesh->triangle[t], sizeof row[t].sorted);
        row[t].number = (int)t;
        int *c = row[t].sorted;
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < 2; k++)
                if (c[k] > c[k + 1]) {
                    int keep = c[k];
                    c[k] = c[k + 1];
                    c[k + 1] = keep;
                }
        is_dropped[t] =
            row[t].sorted[0] == row[t].sorted[1] || row[t].sorted[1] == row[t].sorted[2];
    }
    qsort(row, count, sizeof *row, compare_triangles);
    for (size_t n = 1; n < count; n++)
        if (memcmp(row[n].sorted, row[n - 1].sorted, sizeof row[n].sorted) == 0)
            is_dropped[row[n].number] = true;
    snw__release(from, row, size);
    return SNW_OK;
}

/* Vertices that were merged into others are gone, and so are dropped triangles. */
static snw_status compact(const snw_mesh *mesh, const int *into, const bool *is_dropped, int *place,
                          snw_mesh **out, snw_error *error)
{
    snw_mesh_counts counts = mesh->count;
    counts.vertex_count = counts.triangle_count = 0;
    for (int v = 0; v < mesh->count.vertex_count; v++)
        if (into[v] == v) place[v] = counts.vertex_count++;
    for (int t = 0; t < mesh->count.triangle_count; t++)
        counts.triangle_count += !is_dropped[t];
    snw_status status = snw_mesh_create(&counts, &mesh->allocator, out, error);
    if (status != SNW_OK) return status;
    snw_mesh *to = *out;
    for (int v = 0; v < mesh->count.vertex_count; v++)
        if (into[v] == v) {
            to->vertex[place[v]] = mesh->vertex[v];
            to->vertex_reference[place[v]] = mesh->vertex_reference[v];
        }
    for (int t = 0, n = 0; t < mesh->count.triangle_count; t++) {
        if (is_dropped[t]) continue;
        for (int k = 0; k < 3; k++)
            to->triangle[n][k] = place[mesh->triangle[t][k]];
        to->triangle_reference[n++] = mesh->triangle_reference[t];
    }
    for (int t = 0; t < counts.tetrahedron_count; t++) {
        for (int k = 0; k < 4; k++)
            to->tetrahedron[t][k] = place[mesh->tetrahedron[t][k]];
        to->tetrahedron_reference[t] = mesh->tetrahedron_reference[t];
    }
    for (int e = 0; e < counts.edge_count; e++) {
        to->edge[e][0] = place[mesh->edge[e][0]];
        to->edge[e][1] = place[mesh->edge[e][1]];
        to->edge_reference[e] = mesh->edge_reference[e];
    }
    return SNW_OK;
}

typedef struct repair_lists {
    const snw_mesh *mesh;
    int *into, *place; /* (vertices) */
    bool *is_dropped;  /* (triangles) */
} repair_lists;

static void lay_out_lists(void *object, snw__block *block)
{
    repair_lists *lists = (repair_lists *)object;
    size_t vertices = (size_t)lists->mesh->count.vertex_count;
    lists->into = (int *)snw__block_take(block, vertices, sizeof(int));
    lists->place = (int *)snw__block_take(block, vertices, sizeof(int));
    lists->is_dropped =
        (bool *)snw__block_take(block, (size_t)lists->mesh->count.triangle_count, sizeof(bool));
}

snw_status snw__mesh_merge(snw_mesh **mesh, double step, snw_mesh_repaired *done, snw_error *error)
{
    snw_mesh *old = *mesh, *new_mesh = NULL;
    snw_allocator from = old->allocator;
    repair_lists lists = {.mesh = old};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out_lists, &lists, &from, "the repair of a mesh", error);
    if (status != SNW_OK) return status;
    status = find_merges(old, step, &from, lists.into, &done->merged_vertex_count, error);
    if (status == SNW_OK) {
        for (int t = 0; t < old->count.triangle_count; t++)
            for (int k = 0; k < 3; k++)
                old->triangle[t][k] = lists.into[old->triangle[t][k]];
        for (int t = 0; t < old->count.tetrahedron_count; t++)
            for (int k = 0; k < 4; k++)
                old->tetrahedron[t][k] = lists.into[old->tetrahedron[t][k]];
        for (int e = 0; e < old->count.edge_count; e++)
            for (int k = 0; k < 2; k++)
                old->edge[e][k] = lists.into[old->edge[e][k]];
        status = find_drops(old, &from, lists.is_dropped, error);
    }
    if (status == SNW_OK)
        status = compact(old, lists.into, lists.is_dropped, lists.place, &new_mesh, error);
    snw__block_release(&from, &block);
    if (status != SNW_OK) return status;
    done->dropped_triangle_count += old->count.triangle_count - new_mesh->count.triangle_count;
    snw_mesh_destroy(old);
    *mesh = new_mesh;
    return SNW_OK;
}

/* ---- turning
 * ------------------------------------------------------------------------------------------ */

static void turn_triangle(snw_mesh *mesh, int t)
{
    int keep = mesh->triangle[t][1];
    mesh->triangle[t][1] = mesh->triangle[t][2];
    mesh->triangle[t][2] = keep;
}

/* [chosen] Shells of which each is compared with each; a mesh of more is a soup of pieces, which
 * stay as they are. */
enum {
    REPAIR_SHELLS_MAX = 64
};

static snw_status turn_alike(snw_mesh *mesh, snw_mesh_repaired *done, snw_error *error)
{
    snw_allocator from = mesh->allocator;
    size_t triangles = (size_t)mesh->count.triangle_count;
    size_t size = snw__size_mul(triangles, 2 * sizeof(int) + sizeof(bool));
    snw__mesh_edges edges;
    snw_status status = snw__mesh_edges_create(mesh, &from, &edges, error);
    if (status != SNW_OK) return status;
    int *shell = (int *)snw__allocate(&from, size);
    if (shell) {
        bool *is_turned = (bool *)(shell + 2 * triangles);
        int shells = snw__mesh_shells(mesh, &edges, shell, shell + triangles, is_turned);
        for (int t = 0; t < mesh->count.triangle_count; t++) {
            if (!is_turned[t]) continue;
            turn_triangle(mesh, t);
            done->turned_triangle_count++;
        }
        if (shells <= REPAIR_SHELLS_MAX) {
            /* Shells that lie in an odd number of others are cavities and have their volume
             * negative. The shells are told by their first triangle. */
            for (int s = 0; s < mesh->count.triangle_count; s++) {
                if (shell[s] != s) continue;
                double inside = 0;
                for (int other = 0; other < mesh->count.triangle_count; other++)
                    if (shell[other] == other && other != s)
                        inside +=
                            fabs(floor(snw__mesh_winding(mesh, mesh->vertex[mesh->triangle[s][0]],
                                                         shell, other) +
                                       0.5));
                bool is_cavity = fmod(inside, 2) > 0.5;
                double volume = 0;
                snw_vec3 o = mesh->vertex[mesh->triangle[s][0]];
                for (int t = 0; t < mesh->count.triangle_count; t++) {
                    if (shell[t] != s) continue;
                    const int *c = mesh->triangle[t];
                    snw_vec3 a = snw_vec3_sub(mesh->vertex[c[0]], o),
                             b = snw_vec3_sub(mesh->vertex[c[1]], o);
                    volume +=
                        snw_vec3_dot(a, snw_vec3_cross(b, snw_vec3_sub(mesh->vertex[c[2]], o)));
                }
                if ((volume < 0) == is_cavity) continue;
                for (int t = 0; t < mesh->count.triangle_count; t++)
                    if (shell[t] == s) turn_triangle(mesh, t);
                done->turned_shell_count++;
            }
        }
    } else {
        status = snw__fail_memory(error, size, "the shells of a mesh");
    }
    snw__release(&from, shell, shell ? size : 0);
    snw__mesh_edges_release(&edges);
    return status;
}

/* ---- holes
 * ---------------------------------------------------------------------------------------------- */

/* The ring of boundary half-edges from `half`; its length, or -1 where it is no simple ring. */
static int walk_ring(const snw_mesh *mesh, const snw__mesh_edges *edges, int half, int *is_seen)
{
    int length = 0, at = half;
    do {
        if (is_seen[at]) return -1;
        is_seen[at] = 1;
        length++;
        int next = at / 3 * 3 + (at + 1) % 3;
        for (int guard = 0; edges->twin[next] >= 0 && guard < edges->half_count; guard++)
            next = edges->twin[next] / 3 * 3 + (edges->twin[next] + 1) % 3;
        if (edges->twin[next] != SNW__EDGE_BOUNDARY ||
            snw__half_from(mesh, next) != snw__half_to(mesh, at))
            return -1;
        at = next;
    } while (at != half);
    return length;
}

/* Triangles from the middle of the ring to its edges, turned against them. Two passes: `to` NULL
 * counts. */
static void fill_holes(const snw_mesh *mesh, const snw__mesh_edges *edges, int edge_max,
                       snw_mesh *to, snw_mesh_counts *counts, snw_mesh_repaired *done)
{
    int *is_seen = edges->next; /* free by now */
    memset(is_seen, 0, (size_t)edges->half_count * sizeof *is_seen);
    for (int h = 0; h < edges->half_count; h++) {
        if (edges->twin[h] != SNW__EDGE_BOUNDARY || is_seen[h]) continue;
        int length = walk_ring(mesh, edges, h, is_seen);
        bool is_filled = length >= 3 && length <= edge_max;
        done->filled_hole_count += is_filled;
        done->open_hole_count += !is_filled;
        if (!is_filled) continue;
        bool has_middle = length > 3;
        snw_vec3 middle = {0, 0, 0};
        int at = h, first = snw__half_from(mesh, h);
        for (int n = 0; n < length; n++) {
            middle =
                snw_vec3_add_scaled(middle, 1.0 / length, mesh->vertex[snw__half_from(mesh, at)]);
            int corner[3] = {snw__half_to(mesh, at), snw__half_from(mesh, at),
                             has_middle ? counts->vertex_count : first};
            if (to && (has_middle || n == 1)) {
                memcpy(to->triangle[counts->triangle_count], corner, sizeof corner);
                to->triangle_reference[counts->triangle_count] = mesh->triangle_reference[at / 3];
            }
            counts->triangle_count += has_middle || n == 1;
            int next = at / 3 * 3 + (at + 1) % 3;
            while (edges->twin[next] >= 0)
                next = edges->twin[next] / 3 * 3 + (edges->twin[next] + 1) % 3;
            at = next;
        }
        if (to && has_middle) to->vertex[counts->vertex_count] = middle;
        counts->vertex_count += has_middle;
    }
}

static snw_status close_holes(snw_mesh **mesh, int edge_max, snw_mesh_repaired *done,
                              snw_error *error)
{
    snw__mesh_edges edges;
    snw_status status = snw__mesh_edges_create(*mesh, &(*mesh)->allocator, &edges, error);
    if (status != SNW_OK) return status;
    snw_mesh_counts counts = (*mesh)->count;
    snw_mesh *filled = NULL;
    snw_mesh_repaired again = *done;
    fill_holes(*mesh, &edges, edge_max, NULL, &counts, done);
    if (done->filled_hole_count) {
        status = snw_mesh_create(&counts, &(*mesh)->allocator, &filled, error);
        if (status == SNW_OK) {
            snw__mesh_copy_front(*mesh, filled);
            counts = (*mesh)->count;
            fill_holes(*mesh, &edges, edge_max, filled, &counts, &again);
        }
    }
    snw__mesh_edges_release(&edges);
    if (!filled) return status;
    snw_mesh_destroy(*mesh);
    *mesh = filled;
    return SNW_OK;
}

/* ---- all of it
 * -------------------------------------------------------------------------------------------- */

snw_status snw_mesh_repair(const snw_mesh *mesh, const snw_mesh_repair_options *options,
                           const snw_allocator *allocator, snw_mesh **out, snw_mesh_repaired *done,
                           snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_mesh_repaired count = {0};
    snw_mesh_repair_options how =
        SNW__WANTS_DEFAULTS(options) ? snw_mesh_repair_options_default() : *options;
    const snw__bounds bounds[] = {
        {"merge_distance of the repair", how.merge_distance, 0, 1e300},
        {"hole_edge_max of the repair", how.hole_edge_max, 0, INT32_MAX},
    };
    snw_status status = snw__check_bounds(bounds, 2, error);
    if (status == SNW_OK) status = snw__mesh_check_numbers(mesh, error);
    snw_mesh *work = NULL;
    if (status == SNW_OK) status = snw_mesh_copy(mesh, allocator, &work, error);
    if (status == SNW_OK) status = snw__mesh_merge(&work, how.merge_distance, &count, error);
    if (status == SNW_OK) status = turn_alike(work, &count, error);
    if (status == SNW_OK && how.has_hole_filling)
        status = close_holes(&work, how.hole_edge_max, &count, error);
    if (status != SNW_OK) {
        snw_mesh_destroy(work);
        return status;
    }
    for (int t = 0; t < work->count.tetrahedron_count; t++) {
        if (!(snw__tetrahedron_volume6(work, t) < 0)) continue;
        int keep = work->tetrahedron[t][2];
        work->tetrahedron[t][2] = work->tetrahedron[t][3];
        work->tetrahedron[t][3] = keep;
        count.turned_tetrahedron_count++;
    }
    if (done) *done = count;
    *out = work;
    return snw__succeed(error);
}
