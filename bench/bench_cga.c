/* Conformal algebra: nanoseconds per operation, beside the Euclidean form of the same answer. */
#include <stdio.h>
#include <time.h>

#include <sinew/cga.h>

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs `statement` and prints the best of five times; the sum keeps the compiler from leaving it
 * out. */
#define CGA_BENCH(name, count, statement)                                   \
    do {                                                                    \
        double best = 1e9, sum = 0;                                         \
        for (int round = 0; round < 5; round++) {                           \
            double start = now();                                           \
            for (int n = 0; n < (count); n++) {                             \
                snw_vec3 x = {0.001 * (n % 1000), 0.4, 0.3}, y = x;         \
                statement;                                                  \
                sum += y.x;                                                 \
            }                                                               \
            best = fmin(best, now() - start);                               \
        }                                                                   \
        printf("%-28s %8.1f ns   [%g]\n", (name), best / (count)*1e9, sum); \
    } while (0)

int main(void)
{
    enum {
        COUNT = 20000
    };
    snw_vec3 right = {1, 0, 0};
    snw_sphere a = {{0, 0, 0}, 1}, b = {{1.2, 0.3, -0.4}, 0.9};
    snw_cga sphere_a = snw_cga_sphere(a), sphere_b = snw_cga_sphere(b);
    snw_cga rotor = snw_cga_rotor(snw_quat_from_axis_angle(right, 0.3));
    snw_circle circle;
    snw_sphere_sphere(a, b, &circle);
    CGA_BENCH("product rotor * point", COUNT, y.x = snw_cga_mul(rotor, snw_cga_point(x)).c[1]);
    CGA_BENCH("rotor applied to a point", COUNT, y = snw_cga_apply_to_point(rotor, x));
    CGA_BENCH("meet of two spheres", COUNT,
              y.x += snw_cga_meet(sphere_a, 4, sphere_b, 4).c[7 + n % 2]);
    CGA_BENCH("nearest on sphere", COUNT, snw_cga_nearest_on_sphere(sphere_b, x, right, &y));
    CGA_BENCH("nearest on sphere, Euclid", COUNT, y = snw_sphere_nearest(b, x, right));
    CGA_BENCH("nearest on circle of spheres", COUNT,
              snw_cga_nearest_on_circle(snw_cga_meet(sphere_a, 4, sphere_b, 4), x, right, &y));
    CGA_BENCH("the same, Euclid", COUNT,
              (void)(snw_sphere_sphere(a, b, &circle), y = snw_circle_nearest(circle, x, right)));
    return 0;
}
