/* sinew/geometry.h - points, spheres, planes, lines, circles: where they meet, what is nearest, and
 * the rigid motion between two sets of points.
 *
 *     snw_circle elbows;
 *     snw_sphere upper = {shoulder, 0.30}, lower = {wrist, 0.26};
 *     if (snw_sphere_sphere(upper, lower, &elbows) == SNW_MEET_CROSS)
 *         elbow = snw_circle_nearest(elbows, last_elbow, snw_vec3_make(0, -1, 0));
 *
 * Every degenerate case has a stated answer and a flag; nothing here returns NaN for finite input
 * whose squares do not overflow (coordinates below 1e150). Directions and normals are unit vectors:
 * make them with snw_plane_make and snw_line_make when in doubt. All functions are pure: no state,
 * no allocation, any thread.
 */
#ifndef SINEW_GEOMETRY_H
#define SINEW_GEOMETRY_H

#include <sinew/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snw_sphere {
    snw_vec3 center;
    double radius;
} snw_sphere;

/* The points x with normal . x = offset. */
typedef struct snw_plane {
    snw_vec3 normal; /* unit */
    double offset;
} snw_plane;

typedef struct snw_line {
    snw_vec3 point;
    snw_vec3 direction; /* unit */
} snw_line;

typedef struct snw_circle {
    snw_vec3 center;
    snw_vec3 normal; /* unit */
    double radius;
} snw_circle;

/* Two points; equal where there is only one. */
typedef struct snw_point_pair {
    snw_vec3 first;
    snw_vec3 second;
} snw_point_pair;

/* How two things lie to each other. */
typedef enum snw_meet {
    SNW_MEET_CROSS,  /* they cross: a whole circle, or two points */
    SNW_MEET_TOUCH,  /* they touch in one point, to round-off */
    SNW_MEET_APART,  /* they do not reach each other; the answer is the nearest compromise */
    SNW_MEET_NESTED, /* one lies inside the other; the answer is the nearest compromise */
    SNW_MEET_SAME    /* same centre, or parallel planes: nothing distinguishes one answer */
} snw_meet;

/* The plane normal . x = offset for a normal of any length; a zero normal becomes +z with offset 0.
 */
SNW_API snw_plane snw_plane_make(snw_vec3 normal, double offset);
/* The line through two points; coinciding points give direction +x. */
SNW_API snw_line snw_line_make(snw_vec3 from, snw_vec3 to);

/* ---- nearest points ----------------------------------------------------------------------- */

/* At the centre: the point in direction `fallback` (+x if that is zero). */
SNW_API snw_vec3 snw_sphere_nearest(snw_sphere sphere, snw_vec3 point, snw_vec3 fallback);
SNW_API snw_vec3 snw_plane_nearest(snw_plane plane, snw_vec3 point);
SNW_API snw_vec3 snw_line_nearest(snw_line line, snw_vec3 point);
/* On the axis: the point in direction `fallback` seen in the circle's plane, and where that
 * vanishes too, in direction snw_vec3_perpendicular(normal). */
SNW_API snw_vec3 snw_circle_nearest(snw_circle circle, snw_vec3 point, snw_vec3 fallback);
/* Point of the ellipse (x/a)^2 + (y/b)^2 = 1 nearest to (x, y), a and b >= 0 (a zero semi-axis
 * makes it a segment). By a search that cannot diverge. Of two equally near points, the
 * one with non-negative coordinate. */
SNW_API void snw_ellipse_nearest(double a, double b, double x, double y, double nearest[2]);

/* ---- where things meet -------------------------------------------------------------------- */

/* The circle two spheres share. Its normal points from a to b. Without one (APART, NESTED, TOUCH)
 * the radius is 0 and the centre is the point on the common axis midway between the two surfaces.
 * SAME (centres within 1e-12 of the larger radius): centre a, radius 0, normal +x. */
SNW_API snw_meet snw_sphere_sphere(snw_sphere a, snw_sphere b, snw_circle *circle);
/* The point of both spheres nearest to `estimate`, in every case: on the circle; the compromise
 * point of snw_sphere_sphere; `estimate` itself for SAME. An estimate on the axis takes the
 * direction `fallback`. */
SNW_API snw_meet snw_sphere_sphere_nearest(const snw_sphere spheres[2], snw_vec3 estimate,
                                           snw_vec3 fallback, snw_vec3 *point);
/* First = foot + half chord along circle.normal x plane.normal, second = foot - it. APART: both
 * are the circle's point nearest to the plane. SAME (parallel, sine below 1e-6): both are the point
 * in direction snw_vec3_perpendicular(circle.normal); keep your previous one instead. */
SNW_API snw_meet snw_plane_circle(snw_plane plane, snw_circle circle, snw_point_pair *points);
/* First is the crossing with the smaller parameter along the line. APART: both are the foot of the
 * centre on the line. */
SNW_API snw_meet snw_line_sphere(snw_line line, snw_sphere sphere, snw_point_pair *points);
/* Nearest pair of points between a line and a circle, exact to round-off (global minimum); returns
 * the distance. Of equal minima, the one with the smaller parameter along the line. */
SNW_API double snw_line_circle_nearest(snw_line line, snw_circle circle, snw_vec3 *on_line,
                                       snw_vec3 *on_circle);
/* Circle through three points, normal along (p-r) x (q-r). False when they are collinear (sine
 * below 1e-9 of the triangle's two shorter sides) or coincide: then the circle has the longest side
 * as its diameter. */
SNW_API bool snw_circumcircle(snw_vec3 p, snw_vec3 q, snw_vec3 r, snw_circle *circle);

/* ---- two links in the plane --------------------------------------------------------------- */

typedef struct snw_two_link_angles {
    double first;  /* of the first link from +x */
    double second; /* of the second link from the first one's direction */
} snw_two_link_angles;

/* Both ways (second angle >= 0, then <= 0) for links of length m and n to reach (x, y). APART or
 * NESTED: stretched or folded, as near as it gets. TOUCH: just stretched or folded. SAME (m = n and
 * the target at the base): first = 0, second = pi. Lengths must be >= 0. */
SNW_API snw_meet snw_two_link(double m, double n, double x, double y,
                              snw_two_link_angles solutions[2]);

/* ---- the motion between two sets of points ------------------------------------------------ */

typedef enum snw_fit_kind {
    SNW_FIT_UNIQUE,          /* the points determine the rotation */
    SNW_FIT_TWIST_UNKNOWN,   /* collinear, or mirrored and symmetric: the smallest rotation that
                              * fits as well as any is returned */
    SNW_FIT_ROTATION_UNKNOWN /* one point, coinciding points: likewise, often the identity */
} snw_fit_kind;

/* to = rotation * from + translation, in the least-squares sense. */
typedef struct snw_fit {
    snw_xform to_from;
    snw_fit_kind kind;
    int point_count;   /* how many were used */
    double rms;        /* sqrt of the weighted mean of squared distances left over */
    double separation; /* (largest - second eigenvalue) / |largest|, 0..4/3: near 0 the rotation is
                        * badly determined, whatever the noise */
} snw_fit;

/* Best rotation and translation. A point is skipped where either side is not finite or its weight
 * is 0 or NaN; weights == NULL means all equal. SNW_DEGENERATE and the identity when no point is
 * left; SNW_INVALID_ARGUMENT for a negative or infinite weight, a negative count, or points so far
 * away (1e308) that the answer overflows. */
SNW_API snw_status snw_fit_rigid(const snw_vec3 *from, const snw_vec3 *to, const double *weights,
                                 int count, snw_fit *fit);
/* The same for directions or points about a fixed origin: translation stays 0. */
SNW_API snw_status snw_fit_rotation(const snw_vec3 *from, const snw_vec3 *to, const double *weights,
                                    int count, snw_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
