/* A tree of boxes over the triangles of a mesh: which ones cross each other, which one a line
 * meets, whether a point is inside. Internal; skin asks it too. */
#ifndef SNW_SOLID_MESH_TREE_H
#define SNW_SOLID_MESH_TREE_H

#include <sinew/solid.h>

typedef struct snw__mesh_node {
    float low[3], high[3]; /* rounded outwards */
    int first;             /* leaf: in `order`; else the left child, the right one follows it */
    int count;             /* triangles of a leaf; 0: not a leaf */
} snw__mesh_node;

typedef struct snw__mesh_tree {
    const snw_mesh *mesh;
    int node_count;
    snw__mesh_node *node; /* (2 x triangles) */
    int *order;           /* (triangles) */
    snw_allocator allocator;
    size_t size;
} snw__mesh_tree;

/* Indices and places must be right. */
snw_status snw__mesh_tree_create(const snw_mesh *mesh, const snw_allocator *allocator,
                                 snw__mesh_tree *tree, snw_error *error);
void snw__mesh_tree_release(snw__mesh_tree *tree);

/* Pairs of triangles that cut each other and share no vertex; *first is the one with the lowest
 * numbers. Touching and lying in one plane do not count. */
int snw__mesh_tree_crossings(const snw__mesh_tree *tree, int first[2]);
/* Where the line from a to b first meets a triangle, as a share of the way; a value above 1 where
 * it meets none. Triangles at vertex `skip` do not count (-1: all do). */
double snw__mesh_tree_ray(const snw__mesh_tree *tree, snw_vec3 a, snw_vec3 b, int skip);
/* From a point to the nearest triangle; infinite where there is none. */
double snw__mesh_tree_distance(const snw__mesh_tree *tree, snw_vec3 point);
/* How often the surface goes round the point: 1 inside, 0 outside, of the triangles for which
 * chosen[t] == which, or of all where chosen is NULL. Exact by solid angles, linear in triangles.
 */
double snw__mesh_winding(const snw_mesh *mesh, snw_vec3 point, const int *chosen, int which);

#endif
