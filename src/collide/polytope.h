/* The Minkowski difference of two shapes, and how deep the origin lies in it. Internal. */
#ifndef SNW_COLLIDE_POLYTOPE_H
#define SNW_COLLIDE_POLYTOPE_H

#include <sinew/collide.h>

/* A corner of the difference a - b, and the points it is of. */
typedef struct snw__corner {
    snw_vec3 difference, a, b;
} snw__corner;

/* The one that lies farthest along the direction. */
snw__corner snw__collide_support(const snw_placed_shape *a, const snw_placed_shape *b,
                                 snw_vec3 direction);
/* How far the hulls of the points are apart, the radii not counted; 0 where they overlap. */
double snw__collide_gap(const snw_placed_shape *a, const snw_placed_shape *b);
/* For a simplex that holds the origin: the least move of a that brings it to the surface. Where the
 * difference is flat (two segments that cross, a segment in a triangle) that is none, along the
 * direction in which it is flat. */
void snw__collide_overlap(const snw_placed_shape *a, const snw_placed_shape *b,
                          const snw__corner *corner, int count, snw_contact *contact);

#endif
