/* sinew/math.h - vectors, unit quaternions (= rotors), 3x3 matrices, rigid transforms, Euler
 * angles.
 *
 * Conventions, stated once (docs/conventions.md): right-handed, column vectors, metres, radians;
 * quaternions are (w, x, y, z) with the Hamilton product; a_from_b * b_from_c = a_from_c.
 *
 *     snw_xform world_from_hand = snw_xform_mul(world_from_arm, arm_from_hand);
 *     snw_vec3 tip = snw_xform_point(world_from_hand, snw_vec3_make(0, 0.1, 0));
 *
 * All functions are pure: no state, no allocation, any thread.
 */
#ifndef SINEW_MATH_H
#define SINEW_MATH_H

#include <math.h>

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_PI 3.14159265358979323846

typedef struct snw_vec3 {
    double x, y, z;
} snw_vec3;

typedef struct snw_quat {
    double w, x, y, z;
} snw_quat;

/* Row-major: m[row][column]. */
typedef struct snw_mat3 {
    double m[3][3];
} snw_mat3;

/* Rigid transform: p' = rotate(rotation, p) + translation. */
typedef struct snw_xform {
    snw_quat rotation;
    snw_vec3 translation;
} snw_xform;

/* ---- scalars ------------------------------------------------------------------------------ */

SNW_INLINE double snw_clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

SNW_INLINE double snw_radians(double degrees)
{
    return degrees * (SNW_PI / 180.0);
}

SNW_INLINE double snw_degrees(double radians)
{
    return radians * (180.0 / SNW_PI);
}

/* The same angle in (-pi, pi]; NaN for an angle that is not finite. */
SNW_API double snw_wrap_angle(double angle);

/* ---- vec3 --------------------------------------------------------------------------------- */

SNW_INLINE snw_vec3 snw_vec3_make(double x, double y, double z)
{
    snw_vec3 v = {x, y, z};
    return v;
}

SNW_INLINE snw_vec3 snw_vec3_add(snw_vec3 a, snw_vec3 b)
{
    return snw_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

SNW_INLINE snw_vec3 snw_vec3_sub(snw_vec3 a, snw_vec3 b)
{
    return snw_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

SNW_INLINE snw_vec3 snw_vec3_scale(snw_vec3 a, double s)
{
    return snw_vec3_make(a.x * s, a.y * s, a.z * s);
}

SNW_INLINE snw_vec3 snw_vec3_neg(snw_vec3 a)
{
    return snw_vec3_make(-a.x, -a.y, -a.z);
}

/* a + s b */
SNW_INLINE snw_vec3 snw_vec3_add_scaled(snw_vec3 a, double s, snw_vec3 b)
{
    return snw_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/* a at t = 0, b at t = 1 */
SNW_INLINE snw_vec3 snw_vec3_lerp(snw_vec3 a, snw_vec3 b, double t)
{
    return snw_vec3_add_scaled(a, t, snw_vec3_sub(b, a));
}

SNW_INLINE double snw_vec3_dot(snw_vec3 a, snw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SNW_INLINE snw_vec3 snw_vec3_cross(snw_vec3 a, snw_vec3 b)
{
    return snw_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

SNW_INLINE double snw_vec3_length2(snw_vec3 a)
{
    return snw_vec3_dot(a, a);
}

SNW_INLINE double snw_vec3_length(snw_vec3 a)
{
    return sqrt(snw_vec3_dot(a, a));
}

SNW_INLINE double snw_vec3_distance(snw_vec3 a, snw_vec3 b)
{
    return snw_vec3_length(snw_vec3_sub(a, b));
}

SNW_INLINE bool snw_vec3_is_finite(snw_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* a / |a|, or `fallback` where |a| is zero, not finite, or so small that the division overflows. */
SNW_API snw_vec3 snw_vec3_unit(snw_vec3 a, snw_vec3 fallback);
/* A unit vector perpendicular to `a`, the same one every time; +x for a zero vector. */
SNW_API snw_vec3 snw_vec3_perpendicular(snw_vec3 a);
/* Angle between two vectors in [0, pi], accurate near 0 and pi (atan2 form); 0 for zero vectors. */
SNW_API double snw_vec3_angle(snw_vec3 a, snw_vec3 b);

/* ---- quaternions -------------------------------------------------------------------------- */

SNW_INLINE snw_quat snw_quat_make(double w, double x, double y, double z)
{
    snw_quat q = {w, x, y, z};
    return q;
}

SNW_INLINE snw_quat snw_quat_identity(void)
{
    return snw_quat_make(1, 0, 0, 0);
}

/* Hamilton product: rotating by a*b rotates by b first, then by a. */
SNW_INLINE snw_quat snw_quat_mul(snw_quat a, snw_quat b)
{
    return snw_quat_make(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                         a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

SNW_INLINE snw_quat snw_quat_conjugate(snw_quat q)
{
    return snw_quat_make(q.w, -q.x, -q.y, -q.z);
}

SNW_INLINE snw_quat snw_quat_neg(snw_quat q)
{
    return snw_quat_make(-q.w, -q.x, -q.y, -q.z);
}

SNW_INLINE double snw_quat_dot(snw_quat a, snw_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

SNW_INLINE snw_vec3 snw_quat_vector(snw_quat q)
{
    return snw_vec3_make(q.x, q.y, q.z);
}

/* q v q~ for a unit quaternion, as v + 2w(u x v) + 2 u x (u x v). */
SNW_INLINE snw_vec3 snw_quat_rotate(snw_quat q, snw_vec3 v)
{
    snw_vec3 u = snw_quat_vector(q);
    snw_vec3 t = snw_vec3_scale(snw_vec3_cross(u, v), 2.0);
    return snw_vec3_add(snw_vec3_add_scaled(v, q.w, t), snw_vec3_cross(u, t));
}

SNW_INLINE snw_vec3 snw_quat_unrotate(snw_quat q, snw_vec3 v)
{
    return snw_quat_rotate(snw_quat_conjugate(q), v);
}

SNW_INLINE bool snw_quat_is_finite(snw_quat q)
{
    return isfinite(q.w) && isfinite(q.x) && isfinite(q.y) && isfinite(q.z);
}

/* Unit length; identity where the length is zero or not finite. */
SNW_API snw_quat snw_quat_normalize(snw_quat q);
/* Rotation by `angle` about `axis`; the axis need not be unit. Identity for a zero axis. */
SNW_API snw_quat snw_quat_from_axis_angle(snw_vec3 axis, double angle);
/* exp: rotation vector (axis times angle) to quaternion; exact to round-off for tiny angles. */
SNW_API snw_quat snw_quat_exp(snw_vec3 rotation_vector);
/* log: the rotation vector of length in [0, pi]; q and -q give the same one, also for half turns.
 */
SNW_API snw_vec3 snw_quat_log(snw_quat q);
/* Angle of the rotation from a to b in [0, pi]; q equals -q. */
SNW_API double snw_quat_angle_between(snw_quat a, snw_quat b);
/* Shortest great arc from a (t = 0) to b (t = 1); t outside [0, 1] extrapolates. */
SNW_API snw_quat snw_quat_slerp(snw_quat a, snw_quat b, double t);
/* Smallest rotation that takes direction `from` to direction `to`. Antiparallel: half a turn about
 * snw_vec3_perpendicular(from). Identity when either is zero. */
SNW_API snw_quat snw_quat_between(snw_vec3 from, snw_vec3 to);
/* q = swing * twist, twist about the unit `axis`, swing about an axis perpendicular to it. Where
 * the swing is half a turn the twist is not determined: twist = identity. */
SNW_API void snw_quat_swing_twist(snw_quat q, snw_vec3 axis, snw_quat *swing, snw_quat *twist);
/* Angle of the twist of q about the unit `axis`, in (-pi, pi]. */
SNW_API double snw_quat_twist_angle(snw_quat q, snw_vec3 axis);

/* ---- 3x3 matrices ------------------------------------------------------------------------- */

SNW_API snw_mat3 snw_mat3_identity(void);

SNW_INLINE snw_mat3 snw_mat3_mul(snw_mat3 a, snw_mat3 b)
{
    snw_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

SNW_INLINE snw_mat3 snw_mat3_transpose(snw_mat3 a)
{
    snw_mat3 t;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] = a.m[j][i];
    return t;
}

SNW_INLINE snw_vec3 snw_mat3_apply(snw_mat3 a, snw_vec3 v)
{
    return snw_vec3_make(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                         a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                         a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

SNW_API double snw_mat3_determinant(snw_mat3 a);
SNW_API snw_mat3 snw_mat3_from_columns(snw_vec3 x, snw_vec3 y, snw_vec3 z);
SNW_API snw_mat3 snw_mat3_from_quat(snw_quat q);
/* Quaternion of a rotation matrix (Shepperd's choice of the largest component), w >= 0. */
SNW_API snw_quat snw_quat_from_mat3(snw_mat3 a);

/* ---- rigid transforms --------------------------------------------------------------------- */

SNW_INLINE snw_xform snw_xform_make(snw_quat rotation, snw_vec3 translation)
{
    snw_xform t = {rotation, translation};
    return t;
}

SNW_INLINE snw_xform snw_xform_identity(void)
{
    return snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 0, 0));
}

SNW_INLINE snw_vec3 snw_xform_point(snw_xform a_from_b, snw_vec3 point_b)
{
    return snw_vec3_add(snw_quat_rotate(a_from_b.rotation, point_b), a_from_b.translation);
}

SNW_INLINE snw_xform snw_xform_mul(snw_xform a_from_b, snw_xform b_from_c)
{
    return snw_xform_make(snw_quat_mul(a_from_b.rotation, b_from_c.rotation),
                          snw_xform_point(a_from_b, b_from_c.translation));
}

SNW_INLINE snw_xform snw_xform_inverse(snw_xform a_from_b)
{
    snw_quat r = snw_quat_conjugate(a_from_b.rotation);
    return snw_xform_make(r, snw_quat_rotate(r, snw_vec3_neg(a_from_b.translation)));
}

/* The point of frame a, seen from frame b: inverse(a_from_b) applied to it. */
SNW_INLINE snw_vec3 snw_xform_unpoint(snw_xform a_from_b, snw_vec3 point_a)
{
    return snw_quat_unrotate(a_from_b.rotation, snw_vec3_sub(point_a, a_from_b.translation));
}

/* Rotation by slerp, translation by lerp. */
SNW_API snw_xform snw_xform_interpolate(snw_xform a, snw_xform b, double t);

/* ---- Euler angles ------------------------------------------------------------------------- */

/* Order of the axes as applied in the moving frame, first to last: SNW_EULER_ZXY turns about Z,
 * then about the new X, then about the newest Y, so R = Rz Rx Ry. This is the order in which BVH
 * lists its channels. Read right to left it is the order about the fixed axes. */
typedef enum snw_euler_order {
    SNW_EULER_XYZ,
    SNW_EULER_XZY,
    SNW_EULER_YXZ,
    SNW_EULER_YZX,
    SNW_EULER_ZXY,
    SNW_EULER_ZYX,
    SNW_EULER_XYX,
    SNW_EULER_XZX,
    SNW_EULER_YXY,
    SNW_EULER_YZY,
    SNW_EULER_ZXZ,
    SNW_EULER_ZYZ,
    SNW_EULER_ORDER_COUNT
} snw_euler_order;

/* Axes of an order as 0, 1, 2 for x, y, z: SNW_EULER_ZXY gives {2, 0, 1}. */
SNW_API void snw_euler_axes(snw_euler_order order, int axes[3]);
SNW_API snw_quat snw_quat_from_euler(snw_euler_order order, const double angles[3]);
/* First and third angle in (-pi, pi]; the second in [-pi/2, pi/2] (three different axes) or [0, pi]
 * (first axis repeated). The angles give q back to 1e-14 everywhere. In gimbal lock (outer axes
 * within 1e-14 rad) the third angle is 0 and true is returned; just outside of it the first and
 * third angle change fast. */
SNW_API bool snw_quat_to_euler(snw_quat q, snw_euler_order order, double angles[3]);

/* Uniformly random rotation and direction. */
SNW_API snw_quat snw_random_rotation(snw_random *random);
SNW_API snw_vec3 snw_random_direction(snw_random *random);

#ifdef __cplusplus
}
#endif
#endif
