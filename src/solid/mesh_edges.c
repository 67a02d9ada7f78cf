/* Neighbours of triangles: half-edges are put into buckets by their lower vertex, and each bucket,
 * which holds about six, is sorted by the higher one. */
#include "solid/mesh_edges.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

typedef struct edges_key {
    int high, half;
} edges_key;

static int compare_keys(const void *a, const void *b)
{
    const edges_key *left = (const edges_key *)a, *right = (const edges_key *)b;
    if (left->high != right->high) return left->high < right->high ? -1 : 1;
    return left->half < right->half ? -1 : left->half > right->half;
}

static void lay_out(void *object, snw__block *block)
{
    snw__mesh_edges *edges = (snw__mesh_edges *)object;
    size_t halves = (size_t)edges->half_count;
    edges->twin = (int *)snw__block_take(block, halves, sizeof(int));
    edges->next = (int *)snw__block_take(block, 2 * halves, sizeof(int));
    edges->first = (int *)snw__block_take(block, (size_t)edges->edge_count + 2, sizeof(int));
}

static int low_of(const snw_mesh *mesh, int half)
{
    int a = snw__half_from(mesh, half), b = snw__half_to(mesh, half);
    return a < b ? a : b;
}

snw_status snw__mesh_edges_create(const snw_mesh *mesh, const snw_allocator *allocator,
                                  snw__mesh_edges *edges, snw_error *error)
{
    memset(edges, 0, sizeof *edges);
    /* [derived] 3 x triangles must be an int. */
    if (mesh->count.triangle_count > INT32_MAX / 3)
        return snw__fail(error, SNW_TOO_LARGE, "%d triangles are too many",
                         mesh->count.triangle_count);
    edges->half_count = 3 * mesh->count.triangle_count;
    edges->edge_count = mesh->count.vertex_count; /* for lay_out */
    edges->allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, edges, &edges->allocator, "the edges of a mesh", error);
    edges->edge_count = 0;
    if (status != SNW_OK) return status;
    edges->size = block.size;
    /* Counting sort by the lower vertex, as pairs of higher vertex and half-edge. */
    edges_key *key = (edges_key *)(void *)edges->next;
    for (int h = 0; h < edges->half_count; h++)
        edges->first[low_of(mesh, h) + 2]++;
    for (int v = 0; v < mesh->count.vertex_count; v++)
        edges->first[v + 2] += edges->first[v + 1];
    for (int h = 0; h < edges->half_count; h++) {
        int a = snw__half_from(mesh, h), b = snw__half_to(mesh, h);
        key[edges->first[low_of(mesh, h) + 1]++] = (edges_key){a < b ? b : a, h};
    }
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        int from = edges->first[v], to = edges->first[v + 1];
        qsort(key + from, (size_t)(to - from), sizeof *key, compare_keys);
        for (int n = from, end; n < to; n = end) {
            for (end = n + 1; end < to && key[end].high == key[n].high;)
                end++;
            /* One edge: its half-edges key[0..count). */
            const edges_key *own = key + n;
            int count = end - n;
            edges->edge_count++;
            edges->boundary_count += count == 1;
            edges->crowded_count += count > 2;
            for (int k = 0; k < count; k++)
                edges->twin[own[k].half] = count == 1  ? SNW__EDGE_BOUNDARY
                                           : count > 2 ? SNW__EDGE_CROWDED
                                                       : own[1 - k].half;
            if (count == 2)
                edges->turned_count +=
                    snw__half_from(mesh, own[0].half) == snw__half_from(mesh, own[1].half);
        }
    }
    return SNW_OK;
}

void snw__mesh_edges_release(snw__mesh_edges *edges)
{
    snw__release(&edges->allocator, edges->twin, edges->size);
    edges->twin = NULL;
}

int snw__mesh_shells(const snw_mesh *mesh, const snw__mesh_edges *edges, int *shell, int *stack,
                     bool *is_turned)
{
    int count = 0, triangles = mesh->count.triangle_count;
    for (int t = 0; t < triangles; t++)
        shell[t] = -1;
    for (int start = 0; start < triangles; start++) {
        if (shell[start] >= 0) continue;
        int depth = 0;
        shell[start] = start;
        stack[depth++] = start;
        while (depth) {
            int t = stack[--depth];
            for (int k = 0; k < 3; k++) {
                int twin = edges->twin[3 * t + k];
                if (twin < 0 || shell[twin / 3] >= 0) continue;
                bool same_way = snw__half_from(mesh, 3 * t + k) == snw__half_from(mesh, twin);
                if (is_turned) is_turned[twin / 3] = same_way != is_turned[t];
                shell[twin / 3] = start;
                stack[depth++] = twin / 3;
            }
        }
        count++;
    }
    return count;
}
