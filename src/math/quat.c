/* Unit quaternions and rigid transforms. As a rotor a + B1 e23 + B2 e13 + B3 e12 of the Euclidean
 * algebra a quaternion is (w, x, y, z) = (a, -B1, B2, -B3). */
#include <sinew/math.h>

#include "base/elementary.h"

/* [derived] Below this angle sin(x)/x is 1 - x^2/6 to double precision (next term x^4/120 < 1e-18).
 */
#define SMALL_ANGLE 1e-4

snw_quat snw_quat_normalize(snw_quat q)
{
    double length = sqrt(snw_quat_dot(q, q));
    if (!(length > 1e-150 && length < 1e150)) {
        /* Squares underflow or overflow: rescale first, as snw_vec3_unit does. */
        double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
        if (!(largest > 0) || !snw_quat_is_finite(q)) return snw_quat_identity();
        int exponent;
        frexp(largest, &exponent);
        q = snw_quat_make(ldexp(q.w, -exponent), ldexp(q.x, -exponent), ldexp(q.y, -exponent),
                          ldexp(q.z, -exponent));
        length = sqrt(snw_quat_dot(q, q));
    }
    return snw_quat_make(q.w / length, q.x / length, q.y / length, q.z / length);
}

static snw_quat from_half_angle(snw_vec3 axis, double half_sine, double half_cosine)
{
    return snw_quat_make(half_cosine, axis.x * half_sine, axis.y * half_sine, axis.z * half_sine);
}

snw_quat snw_quat_from_axis_angle(snw_vec3 axis, double angle)
{
    snw_vec3 unit = snw_vec3_unit(axis, snw_vec3_make(0, 0, 0));
    if (!isfinite(angle) || snw_vec3_length2(unit) == 0) return snw_quat_identity();
    return from_half_angle(unit, snw__sin(0.5 * angle), snw__cos(0.5 * angle));
}

snw_quat snw_quat_exp(snw_vec3 rotation_vector)
{
    double angle = snw_vec3_length(rotation_vector);
    if (!isfinite(angle)) return snw_quat_identity();
    if (angle < SMALL_ANGLE) {
        double half_sinc = 0.5 - angle * angle / 48.0;
        return from_half_angle(rotation_vector, half_sinc, 1.0 - angle * angle / 8.0);
    }
    return from_half_angle(rotation_vector, snw__sin(0.5 * angle) / angle, snw__cos(0.5 * angle));
}

snw_vec3 snw_quat_log(snw_quat q)
{
    /* Half turns have w = 0, where q and -q stand for rotation vectors of opposite sign: the first
     * component that is not zero decides, so that both give the same one. */
    if (q.w != 0 ? q.w < 0 : q.x != 0 ? q.x < 0 : q.y != 0 ? q.y < 0 : q.z < 0) q = snw_quat_neg(q);
    snw_vec3 v = snw_quat_vector(q);
    double sine = snw_vec3_length(v);
    /* 2 atan2(s, w)/s -> 2/w for s -> 0; the next term is s^2/(3w^3). The zero quaternion, which is
     * no rotation, gives 0. */
    if (sine < 1e-8) return snw_vec3_scale(v, q.w > 0.5 ? 2.0 / q.w : 0);
    return snw_vec3_scale(v, 2.0 * snw__atan2(sine, q.w) / sine);
}

double snw_quat_angle_between(snw_quat a, snw_quat b)
{
    snw_quat relative = snw_quat_mul(snw_quat_conjugate(a), b);
    return 2.0 * snw__atan2(snw_vec3_length(snw_quat_vector(relative)), fabs(relative.w));
}

snw_quat snw_quat_slerp(snw_quat a, snw_quat b, double t)
{
    snw_quat relative = snw_quat_mul(snw_quat_conjugate(a), b);
    snw_quat step = snw_quat_exp(snw_vec3_scale(snw_quat_log(relative), t));
    return snw_quat_normalize(snw_quat_mul(a, step));
}

/* Smallest rotation between unit vectors less than 170 degrees apart: (1 + u.v, u x v), with 1 +
 * u.v as |u + v|^2 / 2. */
static snw_quat between_near(snw_vec3 u, snw_vec3 v)
{
    snw_vec3 cross = snw_vec3_cross(u, v);
    double cosine_plus_one = 0.5 * snw_vec3_length2(snw_vec3_add(u, v));
    return snw_quat_normalize(snw_quat_make(cosine_plus_one, cross.x, cross.y, cross.z));
}

snw_quat snw_quat_between(snw_vec3 from, snw_vec3 to)
{
    snw_vec3 zero = {0, 0, 0};
    snw_vec3 u = snw_vec3_unit(from, zero), v = snw_vec3_unit(to, zero);
    if (snw_vec3_length2(u) == 0 || snw_vec3_length2(v) == 0) return snw_quat_identity();
    /* 0.015 is 1 + cos 170 degrees; both forms agree to round-off there. */
    if (snw_vec3_dot(u, v) > -1 + 0.015) return between_near(u, v);
    /* Near half a turn u x v is short and its direction noisy, which would miss v by noise / |u x
     * v|. Instead: half a turn about an axis made exactly perpendicular to u, then the small rest.
     * The axis is that of u x v as far as it is known; at round-off from antiparallel it is the
     * fixed one. */
    snw_vec3 axis = snw_vec3_cross(u, v), fixed = snw_vec3_perpendicular(u);
    axis = snw_vec3_length(axis) > 4e-16 ? snw_vec3_unit(axis, fixed) : fixed;
    axis = snw_vec3_add_scaled(axis, -snw_vec3_dot(axis, u), u);
    axis = snw_vec3_unit(snw_vec3_add_scaled(axis, -snw_vec3_dot(axis, u), u), fixed);
    snw_quat half_turn = snw_quat_make(0, axis.x, axis.y, axis.z);
    snw_quat q = snw_quat_mul(between_near(snw_vec3_neg(u), v), half_turn);
    return snw_quat_normalize(q.w < 0 ? snw_quat_neg(q) : q);
}

void snw_quat_swing_twist(snw_quat q, snw_vec3 axis, snw_quat *swing, snw_quat *twist)
{
    double along = snw_vec3_dot(snw_quat_vector(q), axis);
    snw_quat projected = snw_quat_make(q.w, axis.x * along, axis.y * along, axis.z * along);
    double length2 = snw_quat_dot(projected, projected);
    /* At half a turn of swing both w and the axial part vanish; 1e-30 is (1e-15)^2, round-off. */
    *twist = length2 > 1e-30 ? snw_quat_normalize(projected) : snw_quat_identity();
    *swing = snw_quat_mul(q, snw_quat_conjugate(*twist));
}

double snw_quat_twist_angle(snw_quat q, snw_vec3 axis)
{
    double along = snw_vec3_dot(snw_quat_vector(q), axis);
    if (along * along + q.w * q.w <= 1e-30) return 0;
    return snw_wrap_angle(2.0 * snw__atan2(along, q.w));
}

snw_mat3 snw_mat3_from_quat(snw_quat q)
{
    return snw_mat3_from_columns(snw_quat_rotate(q, snw_vec3_make(1, 0, 0)),
                                 snw_quat_rotate(q, snw_vec3_make(0, 1, 0)),
                                 snw_quat_rotate(q, snw_vec3_make(0, 0, 1)));
}

snw_quat snw_quat_from_mat3(snw_mat3 a)
{
    /* Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1 (1978). */
    double xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2], trace = xx + yy + zz;
    snw_quat q;
    if (trace >= xx && trace >= yy && trace >= zz)
        q = snw_quat_make(1 + trace, a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0],
                          a.m[1][0] - a.m[0][1]);
    else if (xx >= yy && xx >= zz)
        q = snw_quat_make(a.m[2][1] - a.m[1][2], 1 + xx - yy - zz, a.m[0][1] + a.m[1][0],
                          a.m[0][2] + a.m[2][0]);
    else if (yy >= zz)
        q = snw_quat_make(a.m[0][2] - a.m[2][0], a.m[0][1] + a.m[1][0], 1 - xx + yy - zz,
                          a.m[1][2] + a.m[2][1]);
    else
        q = snw_quat_make(a.m[1][0] - a.m[0][1], a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1],
                          1 - xx - yy + zz);
    q = snw_quat_normalize(q);
    return q.w < 0 ? snw_quat_neg(q) : q;
}

snw_xform snw_xform_interpolate(snw_xform a, snw_xform b, double t)
{
    return snw_xform_make(snw_quat_slerp(a.rotation, b.rotation, t),
                          snw_vec3_lerp(a.translation, b.translation, t));
}

snw_quat snw_random_rotation(snw_random *random)
{
    /* Shoemake, "Uniform random rotations", Graphics Gems III (1992). */
    double u = snw_random_unit(random);
    double a = snw_random_range(random, -SNW_PI, SNW_PI);
    double b = snw_random_range(random, -SNW_PI, SNW_PI);
    double r1 = sqrt(1 - u), r2 = sqrt(u);
    return snw_quat_make(r1 * snw__cos(a), r1 * snw__sin(a), r2 * snw__cos(b), r2 * snw__sin(b));
}
