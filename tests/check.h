/* What every test program includes: cmocka with its prerequisites, and comparisons that a NaN
 * fails. */
#ifndef SNW_TESTS_CHECK_H
#define SNW_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sinew/sinew.h>

/* |actual - expected| <= tolerance, written so that NaN fails. Say beside it where the tolerance
 * comes from. */
#define check_near(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        double check_a = (actual), check_e = (expected), check_t = (tolerance);                    \
        if (!(fabs(check_a - check_e) <= check_t)) {                                               \
            print_error("%s = %.17g, expected %.17g, off by %g, tolerance %g\n", #actual, check_a, \
                        check_e, fabs(check_a - check_e), check_t);                                \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#define check_vec3_near(actual, expected, tolerance)                                              \
    do {                                                                                          \
        snw_vec3 check_va = (actual), check_ve = (expected);                                      \
        double check_vt = (tolerance);                                                            \
        if (!(snw_vec3_distance(check_va, check_ve) <= check_vt)) {                               \
            print_error("%s = (%.17g %.17g %.17g), expected (%.17g %.17g %.17g), tolerance %g\n", \
                        #actual, check_va.x, check_va.y, check_va.z, check_ve.x, check_ve.y,      \
                        check_ve.z, check_vt);                                                    \
            fail();                                                                               \
        }                                                                                         \
    } while (0)

/* As rotations: q equals -q. */
#define check_quat_near(actual, expected, tolerance)                                           \
    do {                                                                                       \
        snw_quat check_qa = (actual), check_qe = (expected);                                   \
        double check_qt = (tolerance);                                                         \
        if (!(snw_quat_angle_between(check_qa, check_qe) <= check_qt)) {                       \
            print_error("%s = (%.17g %.17g %.17g %.17g), expected (%.17g %.17g %.17g %.17g), " \
                        "tolerance %g\n",                                                      \
                        #actual, check_qa.w, check_qa.x, check_qa.y, check_qa.z, check_qe.w,   \
                        check_qe.x, check_qe.y, check_qe.z, check_qt);                         \
            fail();                                                                            \
        }                                                                                      \
    } while (0)

/* One draw after the other: compilers evaluate arguments in different orders (tests/check_draws).
 */
static inline snw_vec3 random_gaussian(snw_random *random, double sigma)
{
    double z = snw_random_normal(random), y = snw_random_normal(random);
    return snw_vec3_make(sigma * snw_random_normal(random), sigma * y, sigma * z);
}

/* In any direction, so far away. */
static inline snw_vec3 random_away(snw_random *random, double least, double most)
{
    double size = snw_random_range(random, least, most);
    return snw_vec3_scale(snw_random_direction(random), size);
}

/* Turned in any way, so far from the origin. */
static inline snw_xform random_place(snw_random *random, double distance)
{
    snw_vec3 translation = snw_vec3_scale(snw_random_direction(random), distance);
    return snw_xform_make(snw_random_rotation(random), translation);
}

/* An allocator that counts what is alive and fails the nth call (from 0; -1 = never). */
typedef struct counting_allocator {
    long calls;
    long live;
    long long live_bytes;
    long fail_at;
} counting_allocator;

static inline void *counting_allocate(void *context, size_t size)
{
    counting_allocator *counter = (counting_allocator *)context;
    if (counter->calls++ == counter->fail_at) return NULL;
    counter->live++;
    counter->live_bytes += (long long)size;
    return malloc(size);
}

static inline void counting_release(void *context, void *memory, size_t size)
{
    counting_allocator *counter = (counting_allocator *)context;
    counter->live--;
    counter->live_bytes -= (long long)size;
    free(memory);
}

static inline snw_allocator counting_hook(counting_allocator *counter)
{
    snw_allocator allocator = {counting_allocate, counting_release, counter};
    return allocator;
}

/* Where the corpus of real files is; the test ends here, skipped, where nobody says. */
static inline const char *corpus_folder(void)
{
    const char *folder = getenv("SINEW_CORPUS");
    if (!folder) {
        print_message("skipped: SINEW_CORPUS is not set\n");
        skip();
    }
    return folder;
}

/* The number of samples a property test takes: fewer under sanitizers, which are ten times slower,
 * and on machines that are emulated. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SINEW_FEW_SAMPLES)
#define CHECK_SAMPLES(full) ((full) / 20)
#else
#define CHECK_SAMPLES(full) (full)
#endif

/* Where the machine is emulated, or a sanitizer slows the longest test: of whole captures that are
 * calibrated or recognised, the first quarter of a table or of some seeds, at least one; of a
 * calibration's allocations, every seventh is refused. */
#ifdef SINEW_FEW_CASES
#define CHECK_CASES(full) (((full) + 3) / 4)
#define CHECK_STRIDE      7
#else
#define CHECK_CASES(full) (full)
#define CHECK_STRIDE      1
#endif

#endif
