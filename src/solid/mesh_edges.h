/* Which triangles meet along which edge, and what every function on meshes checks first. Internal.
 *
 * Half-edge h = 3 t + k goes from corner k of triangle t to the next one. */
#ifndef SNW_SOLID_MESH_EDGES_H
#define SNW_SOLID_MESH_EDGES_H

#include <sinew/solid.h>

enum {
    SNW__EDGE_BOUNDARY = -1,
    SNW__EDGE_CROWDED = -2
};

typedef struct snw__mesh_edges {
    int half_count; /* 3 x triangles */
    int *twin;      /* (half_count) the half-edge of the neighbour, or why there is none */
    int *next;      /* (half_count) scratch: half-edges by their lower vertex */
    int *first;     /* (vertex_count + 2) */
    int edge_count, boundary_count, crowded_count, turned_count;
    snw_allocator allocator;
    size_t size;
} snw__mesh_edges;

/* Time and memory linear in the triangles. Indices must be right. */
snw_status snw__mesh_edges_create(const snw_mesh *mesh, const snw_allocator *allocator,
                                  snw__mesh_edges *edges, snw_error *error);
void snw__mesh_edges_release(snw__mesh_edges *edges);

static inline int snw__half_from(const snw_mesh *mesh, int half)
{
    return mesh->triangle[half / 3][half % 3];
}

static inline int snw__half_to(const snw_mesh *mesh, int half)
{
    return mesh->triangle[half / 3][(half + 1) % 3];
}

/* Tells shells by neighbourhood, each by its first triangle; `stack` is scratch of the same size.
 * Returns how many. is_turned, of zeros, gets which triangles to turn so that neighbours agree: the
 * first of a shell stays, a one-sided surface keeps a seam; NULL: nobody asks. */
int snw__mesh_shells(const snw_mesh *mesh, const snw__mesh_edges *edges, int *shell, int *stack,
                     bool *is_turned);

/* Area vector of a triangle: half the cross product of its sides. */
static inline snw_vec3 snw__triangle_area(const snw_mesh *mesh, int triangle)
{
    const int *c = mesh->triangle[triangle];
    snw_vec3 a = snw_vec3_sub(mesh->vertex[c[1]], mesh->vertex[c[0]]);
    return snw_vec3_scale(snw_vec3_cross(a, snw_vec3_sub(mesh->vertex[c[2]], mesh->vertex[c[0]])),
                          0.5);
}

/* *mesh is replaced by one whose vertices are merged and whose triangles have three corners each
 * and come once; indices must be right. It stays where this fails. */
snw_status snw__mesh_merge(snw_mesh **mesh, double step, snw_mesh_repaired *done, snw_error *error);

/* Everything of `mesh` into the front of `to`, which has room. */
void snw__mesh_copy_front(const snw_mesh *mesh, snw_mesh *to);

snw_status snw__mesh_check_numbers(const snw_mesh *mesh, snw_error *error);
/* Six times the volume, positive for a right-handed one. */
double snw__tetrahedron_volume6(const snw_mesh *mesh, int tetrahedron);

#endif
