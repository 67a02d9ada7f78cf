/* sinew/cga.h - conformal geometric algebra G(4,1): points, point pairs, lines, circles, planes and
 * spheres as blades, motions as versors.
 *
 *     snw_cga upper = snw_cga_sphere((snw_sphere){shoulder, 0.30});
 *     snw_cga lower = snw_cga_sphere((snw_sphere){wrist, 0.26});
 *     snw_vec3 elbow;
 *     if (snw_cga_nearest_on_circle(snw_cga_meet(upper, 4, lower, 4), last_elbow,
 *                                   snw_vec3_make(0, -1, 0), &elbow) == SNW_CGA_REAL)
 *         use(elbow);
 *
 * Conventions. Basis e1, e2, e3, e, ebar with e^2 = +1, ebar^2 = -1; n = e + ebar is infinity,
 * nbar = e - ebar, n.nbar = 2. A point is H(x) = (x^2 n + 2x - nbar)/2, so H.n = -1 and
 * H(a).H(b) = -|a - b|^2 / 2. I = e1 e2 e3 e ebar, I^2 = -1, and the dual of M is M I. Blades are
 * outer products of points on the object (lines and planes: and n): pair 2, line and circle 3,
 * plane and sphere 4. Normal . x = d has the dual vector normal + d n, a sphere H(centre) -
 * radius^2 n / 2; snw_cga_plane and snw_cga_sphere give the blades with exactly these duals.
 * The inner product is Hestenes' one: grade |r - s|, zero with a scalar. Squares: point pairs,
 * lines and real circles positive, planes and real spheres negative.
 *
 * Precision. x^2 sits beside 1 in every point, so that the square of a radius carries an error of
 * about 1e-15 times the fourth power of the distance from the origin: work in a frame near the
 * objects. sinew/geometry.h has the same answers in Euclidean form without that limit.
 *
 * Nothing here returns NaN for coordinates below 1e50; what a blade does not determine is said by
 * snw_cga_shape. All functions are pure: no state, no allocation, any thread.
 *
 * Source: Hestenes and Sobczyk 1984; Lasenby, Lasenby and Wareham 2004; the printed misprints of
 * later texts are put right and tested (tests/test_cga.c).
 */
#ifndef SINEW_CGA_H
#define SINEW_CGA_H

#include <sinew/geometry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The coefficient of each basis blade. Bits of the index: 1 e1, 2 e2, 4 e3, 8 e, 16 ebar, in that
 * order within a blade: c[3] is e1 e2, c[0] the scalar. */
typedef struct snw_cga {
    double c[32];
} snw_cga;

/* ---- the algebra -------------------------------------------------------------------------- */

SNW_API snw_cga snw_cga_scalar(double value);
/* value times one basis blade, index 0..31; other indices give zero. */
SNW_API snw_cga snw_cga_blade(int index, double value);
/* x e1 + y e2 + z e3 */
SNW_API snw_cga snw_cga_vector(snw_vec3 v);
SNW_API snw_cga snw_cga_n(void);
SNW_API snw_cga snw_cga_nbar(void);

SNW_API snw_cga snw_cga_add(snw_cga a, snw_cga b);
SNW_API snw_cga snw_cga_sub(snw_cga a, snw_cga b);
SNW_API snw_cga snw_cga_scale(snw_cga a, double s);
/* Geometric product a b. */
SNW_API snw_cga snw_cga_mul(snw_cga a, snw_cga b);
/* a ^ b */
SNW_API snw_cga snw_cga_outer(snw_cga a, snw_cga b);
/* a . b (Hestenes) */
SNW_API snw_cga snw_cga_inner(snw_cga a, snw_cga b);
/* Scalar part of a b. */
SNW_API double snw_cga_scalar_product(snw_cga a, snw_cga b);
/* Scalar part of a a: the square of a blade. */
SNW_API double snw_cga_square(snw_cga a);
SNW_API snw_cga snw_cga_reverse(snw_cga a);
/* The part of one grade, 0..5; others give zero. */
SNW_API snw_cga snw_cga_grade(snw_cga a, int grade);
/* a I. Taken twice it is -a; snw_cga_undual is the inverse. */
SNW_API snw_cga snw_cga_dual(snw_cga a);
SNW_API snw_cga snw_cga_undual(snw_cga a);
/* a v b = dual of the part of a b with grade 10 - grade_a - grade_b: what two blades have in common
 * if together they span the space. Two circles, or a circle and a line, on a common plane or sphere
 * do not: their meet is 0 whether they cross or not (cross one of them with the sphere or plane of
 * the other instead). Zero for grades whose sum is below 5. */
SNW_API snw_cga snw_cga_meet(snw_cga a, int grade_a, snw_cga b, int grade_b);

/* ---- objects ------------------------------------------------------------------------------ */

/* H(x) */
SNW_API snw_cga snw_cga_point(snw_vec3 x);
SNW_API snw_cga snw_cga_pair(snw_vec3 a, snw_vec3 b);
SNW_API snw_cga snw_cga_line(snw_line line);
SNW_API snw_cga snw_cga_line_through(snw_vec3 a, snw_vec3 b);
SNW_API snw_cga snw_cga_circle(snw_circle circle);
SNW_API snw_cga snw_cga_circle_through(snw_vec3 a, snw_vec3 b, snw_vec3 c);
SNW_API snw_cga snw_cga_plane(snw_plane plane);
SNW_API snw_cga snw_cga_plane_through(snw_vec3 a, snw_vec3 b, snw_vec3 c);
SNW_API snw_cga snw_cga_sphere(snw_sphere sphere);
SNW_API snw_cga snw_cga_sphere_through(const snw_vec3 points[4]);

/* ---- motions ------------------------------------------------------------------------------ */

/* cos(angle/2) - sin(angle/2) B: the same rotation as the unit quaternion. */
SNW_API snw_cga snw_cga_rotor(snw_quat rotation);
/* 1 + n a / 2 */
SNW_API snw_cga snw_cga_translator(snw_vec3 a);
/* Translator times rotor. */
SNW_API snw_cga snw_cga_motor(snw_xform to_from);
/* Scales lengths about the origin by `factor` > 0 (others: the identity): cosh(t/2) + sinh(t/2) e
 * ebar with t = -log(factor). A point comes out with weight 1/factor. */
SNW_API snw_cga snw_cga_dilator(double factor);
/* versor a versor~ */
SNW_API snw_cga snw_cga_apply(snw_cga versor, snw_cga a);
/* The same for a point; `x` itself where the image lies at infinity. */
SNW_API snw_vec3 snw_cga_apply_to_point(snw_cga versor, snw_vec3 x);
/* Inversion in the unit sphere about the origin, x -> x / x^2: e a e with a sign for each grade, so
 * that H(x) becomes x^2 H(x / x^2). */
SNW_API snw_cga snw_cga_invert(snw_cga a);
/* Reflection in a plane or inversion in a sphere (grade 4). SNW_DEGENERATE, and *image = a, where
 * the mirror is no real plane or sphere. */
SNW_API snw_status snw_cga_reflect(snw_cga a, snw_cga mirror, snw_cga *image);

/* ---- reading objects back ----------------------------------------------------------------- */

typedef enum snw_cga_shape {
    SNW_CGA_REAL,      /* pair, circle, sphere with a radius above zero; a finite point */
    SNW_CGA_TOUCH,     /* radius zero to round-off: the place where two things touch */
    SNW_CGA_IMAGINARY, /* radius^2 below zero: the things that met do not reach each other */
    SNW_CGA_FLAT,      /* contains infinity: line, plane, or one point and infinity */
    SNW_CGA_NONE       /* zero, at infinity, or of another grade: nothing is determined */
} snw_cga_shape;

/* A multiple of H(x), also with a multiple of n added. REAL or NONE. */
SNW_API snw_cga_shape snw_cga_to_point(snw_cga a, snw_vec3 *x);
/* By projectors: first and second as in H(first) ^ H(second). TOUCH, IMAGINARY: both are the
 * centre. FLAT: both are the finite point. NONE: both zero. */
SNW_API snw_cga_shape snw_cga_to_pair(snw_cga a, snw_point_pair *points);
/* Point nearest to the origin and direction. Anything but FLAT: the x axis. */
SNW_API snw_cga_shape snw_cga_to_line(snw_cga a, snw_line *line);
/* Normal by the order of the points (right hand). The radius is 0 unless REAL. IMAGINARY: for
 * nested spheres the centre lies outside both, so never take it for an answer. FLAT, NONE: centre
 * zero and normal +z. */
SNW_API snw_cga_shape snw_cga_to_circle(snw_cga a, snw_circle *circle);
/* Anything but FLAT: the plane z = 0. */
SNW_API snw_cga_shape snw_cga_to_plane(snw_cga a, snw_plane *plane);
/* The radius is 0 unless REAL; FLAT, NONE: centre zero. */
SNW_API snw_cga_shape snw_cga_to_sphere(snw_cga a, snw_sphere *sphere);

/* ---- nearest points ----------------------------------------------------------------------- */

/* By reflection: midway between x and its image. NONE: the point is x. */
SNW_API snw_cga_shape snw_cga_nearest_on_plane(snw_cga plane, snw_vec3 x, snw_vec3 *nearest);
SNW_API snw_cga_shape snw_cga_nearest_on_line(snw_cga line, snw_vec3 x, snw_vec3 *nearest);
/* Where the line through x and the centre meets the sphere. At the centre, the direction `fallback`
 * (+x if that is zero). TOUCH: the centre; other shapes: x. */
SNW_API snw_cga_shape snw_cga_nearest_on_sphere(snw_cga sphere, snw_vec3 x, snw_vec3 fallback,
                                                snw_vec3 *nearest);
/* The same in the circle's plane. On the axis, `fallback` seen in that plane, else
 * snw_vec3_perpendicular(normal). TOUCH: the centre; other shapes: x. */
SNW_API snw_cga_shape snw_cga_nearest_on_circle(snw_cga circle, snw_vec3 x, snw_vec3 fallback,
                                                snw_vec3 *nearest);
/* The point two lines share: REAL. NONE where they are skew (by more than 1e-7 of their distance
 * from the origin, or 1) or parallel: *point is zero. */
SNW_API snw_cga_shape snw_cga_cross_lines(snw_cga a, snw_cga b, snw_vec3 *point);

#ifdef __cplusplus
}
#endif
#endif
