/* vec3, mat3 and scalar routines that are too long to be inline. */
#include <sinew/math.h>

#include "base/elementary.h"

double snw_wrap_angle(double angle)
{
    double wrapped = remainder(angle, 2.0 * SNW_PI);
    return wrapped <= -SNW_PI ? SNW_PI : wrapped;
}

snw_vec3 snw_vec3_unit(snw_vec3 a, snw_vec3 fallback)
{
    double length = snw_vec3_length(a);
    /* Squares of components below about 1e-154 underflow and above 1e154 overflow: rescale first.
     */
    if (!(length > 1e-150 && length < 1e150)) {
        double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
        if (!(largest > 0) || !snw_vec3_is_finite(a)) return fallback;
        int exponent;
        frexp(largest, &exponent);
        a = snw_vec3_make(ldexp(a.x, -exponent), ldexp(a.y, -exponent), ldexp(a.z, -exponent));
        length = snw_vec3_length(a);
    }
    return snw_vec3_make(a.x / length, a.y / length, a.z / length);
}

snw_vec3 snw_vec3_perpendicular(snw_vec3 a)
{
    double ax = fabs(a.x), ay = fabs(a.y), az = fabs(a.z);
    /* Cross with the axis that `a` leans on least, so the product is never short. */
    snw_vec3 helper = snw_vec3_make(0, 0, 0);
    if (ax <= ay && ax <= az)
        helper.x = 1;
    else if (ay <= az)
        helper.y = 1;
    else
        helper.z = 1;
    snw_vec3 unit = snw_vec3_unit(a, snw_vec3_make(0, 0, 0));
    return snw_vec3_unit(snw_vec3_cross(unit, helper), snw_vec3_make(1, 0, 0));
}

double snw_vec3_angle(snw_vec3 a, snw_vec3 b)
{
    snw_vec3 zero = {0, 0, 0};
    snw_vec3 u = snw_vec3_unit(a, zero), v = snw_vec3_unit(b, zero);
    return snw__atan2(snw_vec3_length(snw_vec3_cross(u, v)), snw_vec3_dot(u, v));
}

snw_mat3 snw_mat3_identity(void)
{
    snw_mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return identity;
}

double snw_mat3_determinant(snw_mat3 a)
{
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

snw_mat3 snw_mat3_from_columns(snw_vec3 x, snw_vec3 y, snw_vec3 z)
{
    snw_mat3 a = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return a;
}

snw_vec3 snw_random_direction(snw_random *random)
{
    double z = snw_random_range(random, -1, 1);
    double azimuth = snw_random_range(random, -SNW_PI, SNW_PI);
    double r = sqrt(fmax(0, 1 - z * z));
    return snw_vec3_make(r * snw__cos(azimuth), r * snw__sin(azimuth), z);
}
