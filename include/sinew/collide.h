/* sinew/collide.h - convex shapes, and how far they are apart.
 *
 *     snw_shape arm = snw_shape_capsule(snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0.3, 0), 0.04);
 *     snw_shape crate = snw_shape_box(snw_vec3_make(0, 0, 0), snw_vec3_make(0.2, 0.2, 0.2));
 *     snw_contact contact;
 *     snw_shape_contact(&(snw_placed_shape){&arm, pose->world[elbow]},
 *                       &(snw_placed_shape){&crate, where}, &contact);
 *     // contact.distance is negative when they overlap
 *
 * A shape is the convex hull of points, made larger by a radius all round: a sphere is one point, a
 * capsule two, a box eight; or a half-space. Plain data: nothing is allocated, any thread.
 */
#ifndef SINEW_COLLIDE_H
#define SINEW_COLLIDE_H

#include <sinew/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum snw_shape_kind {
    SNW_SHAPE_HULL, /* of the points, and what is within `radius` of it */
    SNW_SHAPE_PLANE /* everything below the plane through own[0] with normal own[1] (unit) */
} snw_shape_kind;

#define SNW_SHAPE_OWN_MAX 8

typedef struct snw_shape {
    snw_shape_kind kind;
    int point_count;
    const snw_vec3 *point; /* (point_count), which must outlive the shape; NULL: those in own */
    snw_vec3 own[SNW_SHAPE_OWN_MAX];
    double radius; /* metres, 0 or more */
} snw_shape;

SNW_API snw_shape snw_shape_sphere(snw_vec3 center, double radius);
SNW_API snw_shape snw_shape_capsule(snw_vec3 from, snw_vec3 to, double radius);
/* Half of its edges. */
SNW_API snw_shape snw_shape_box(snw_vec3 center, snw_vec3 half);
/* Any points, at least one; those inside the hull cost time and nothing else. */
SNW_API snw_shape snw_shape_hull(const snw_vec3 *points, int count, double radius);
/* A hull of at most `room` of the points (4 or more, the more the closer), and a radius that takes
 * in all others: of a mesh. They are written to `kept`, which must outlive the shape; nothing is
 * allocated. No point of the shape is farther than the radius from the hull of all. */
SNW_API snw_shape snw_shape_hull_around(const snw_vec3 *points, int count, snw_vec3 *kept,
                                        int room);
SNW_API snw_shape snw_shape_plane(snw_vec3 point, snw_vec3 normal);
/* SNW_OK, or what is wrong (no point, a number that is not finite, two planes' worth of nothing).
 */
SNW_API snw_status snw_shape_check(const snw_shape *shape, snw_error *error);

/* A shape that a joint carries, in its frame; -1: the world does. */
typedef struct snw_body_shape {
    int joint;
    snw_shape shape;
} snw_body_shape;

typedef struct snw_placed_shape {
    const snw_shape *shape;
    snw_xform world; /* world_from_shape */
} snw_placed_shape;

typedef struct snw_contact {
    double distance; /* metres between the surfaces; negative: they overlap by this much, the least
                        way that parts them */
    snw_vec3 a, b;   /* the nearest points of the surfaces, in the world; a - b = distance normal */
    snw_vec3 normal; /* unit, from b to a: the gradient of the distance for a move of a */
} snw_contact;

/* Exact to round-off (1e-9 of the shapes' size): points and segments in closed form, other hulls by
 * GJK (Gilbert, Johnson & Keerthi 1988) with the expanding polytope (van den Bergen 2001) where
 * they overlap deeper than their radii. Where more than one pair of points is as near, one of them
 * is told. At most one of the two may be a plane; two planes have distance -INFINITY. */
SNW_API void snw_shape_contact(const snw_placed_shape *a, const snw_placed_shape *b,
                               snw_contact *contact);

#ifdef __cplusplus
}
#endif
#endif
