/* Random multivectors, points and circles, and comparing them.
 *
 * Unless said otherwise objects have sizes and distances of about 1, coefficients up to about 10,
 * and an answer is a few dozen roundings away from its input: 1e-12. */
#ifndef SNW_TESTS_CGA_CHECKS_H
#define SNW_TESTS_CGA_CHECKS_H

#include "check.h"

static const double tight = 1e-12;

static inline double random_coefficient(snw_random *random)
{
    return snw_random_range(random, -1, 1);
}

static inline snw_vec3 random_point(snw_random *random)
{
    double x = random_coefficient(random), y = random_coefficient(random);
    return snw_vec3_make(x, y, random_coefficient(random));
}

static inline snw_cga random_multivector(snw_random *random)
{
    snw_cga a;
    for (int i = 0; i < 32; i++)
        a.c[i] = random_coefficient(random);
    return a;
}

static inline void check_cga_near(snw_cga actual, snw_cga expected, double tolerance)
{
    for (int i = 0; i < 32; i++)
        check_near(actual.c[i], expected.c[i], tolerance);
}

static inline snw_cga wedge3(snw_cga a, snw_cga b, snw_cga c)
{
    return snw_cga_outer(snw_cga_outer(a, b), c);
}

static inline int bit_count(int bits)
{
    int count = 0;
    for (; bits; bits >>= 1)
        count += bits & 1;
    return count;
}

/* Directions agree, whichever way round. */
static inline void check_axis_near(snw_vec3 actual, snw_vec3 expected, double tolerance)
{
    if (snw_vec3_dot(actual, expected) < 0) actual = snw_vec3_neg(actual);
    check_vec3_near(actual, expected, tolerance);
}

static inline void check_circle_near(snw_circle actual, snw_circle expected, double tolerance)
{
    check_vec3_near(actual.center, expected.center, tolerance);
    check_vec3_near(actual.normal, expected.normal, tolerance);
    check_near(actual.radius, expected.radius, tolerance);
}

static inline snw_circle random_circle(snw_random *random)
{
    snw_vec3 center = random_point(random), normal = snw_random_direction(random);
    snw_circle circle = {center, normal, snw_random_range(random, 0.3, 1.5)};
    return circle;
}

#endif
