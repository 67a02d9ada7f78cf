/* Order statistics against the C library's sort. */
#include <stdlib.h>

#include "check.h"
#include "math/order.h"

/* Random, few different values, falling, all equal: every length up to a hundred, and a long one.
 */
static void sorting_agrees_with_the_library(void **state)
{
    (void)state;
    static double ours[5000], theirs[5000];
    snw_random random = snw_random_seed(7, 1);
    for (int length = 0; length <= 101; length++)
        for (int kind = 0; kind < 4; kind++) {
            int count = length == 101 ? 5000 : length;
            for (int n = 0; n < count; n++) {
                double value = snw_random_normal(&random);
                ours[n] = theirs[n] = kind == 0   ? value
                                      : kind == 1 ? floor(3 * value)
                                      : kind == 2 ? count - n
                                                  : 1;
            }
            snw__sort_doubles(ours, count);
            qsort(theirs, (size_t)count, sizeof *theirs, snw__compare_doubles);
            for (int n = 0; n < count; n++)
                assert_true(ours[n] == theirs[n]);
        }
}

static void the_median_is_the_upper_one(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(snw__median(odd, 3) == 2);
    assert_true(snw__median(even, 4) == 3);
    assert_true(snw__median(NULL, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_agrees_with_the_library),
        cmocka_unit_test(the_median_is_the_upper_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
