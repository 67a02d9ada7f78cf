/* Status codes, errors, memory layout and random numbers of the base room. */
#include "check.h"

#include "base/fail.h"
#include "base/memory.h"

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    for (int status = 0; status < SNW_STATUS_COUNT; status++) {
        assert_true(strlen(snw_status_text((snw_status)status)) > 5);
        assert_true(strlen(snw_status_name((snw_status)status)) > 1);
    }
    assert_string_equal(snw_status_name(SNW_SINGULAR), "SINGULAR");
    assert_non_null(snw_status_text((snw_status)9999));
    assert_non_null(snw_status_name((snw_status)-1));
}

static void failing_fills_place_and_sentence(void **state)
{
    (void)state;
    snw_error error;
    snw__place place = {12, 3, -1, 7, "LASI"};
    snw_status status =
        snw__fail_at(&error, SNW_FORMAT, place, "marker %s breaks at %d", "LASI", 3);
    assert_int_equal(status, SNW_FORMAT);
    assert_int_equal(error.status, SNW_FORMAT);
    assert_int_equal(error.byte, 12);
    assert_int_equal(error.line, 3);
    assert_int_equal(error.frame, -1);
    assert_int_equal(error.index, 7);
    assert_string_equal(error.name, "LASI");
    assert_string_equal(error.message, "marker LASI breaks at 3");
    assert_int_equal(snw__fail(NULL, SNW_IO, "nobody listens"), SNW_IO);
    assert_int_equal(snw__succeed(&error), SNW_OK);
    assert_int_equal(error.status, SNW_OK);
    assert_string_equal(error.message, "");
}

static void long_messages_are_cut_not_overrun(void **state)
{
    (void)state;
    char long_text[1000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    snw_error error;
    snw__place place = {-1, -1, -1, -1, long_text};
    snw__fail_at(&error, SNW_IO, place, "%s", long_text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.name), sizeof error.name - 1);
}

static void block_layout_is_aligned_and_overflow_is_caught(void **state)
{
    (void)state;
    snw__block block = {NULL, 0, 0};
    assert_null(snw__block_take(&block, 3, 1));
    assert_int_equal(block.size, 16);
    snw__block_take(&block, 5, 8);
    assert_int_equal(block.size, 64);
    snw__block_take(&block, SIZE_MAX / 2, 8);
    assert_true(block.size == SIZE_MAX);
    snw_allocator allocator = snw_allocator_default();
    assert_null(snw__allocate(&allocator, block.size));
}

typedef struct two_passes {
    const size_t *count; /* (2) */
    int pass;
    double *array;
    char *last;
} two_passes;

static void lay_out_passes(void *object, snw__block *block)
{
    two_passes *passes = object;
    passes->array = snw__block_take(block, passes->count[passes->pass++], sizeof(double));
    passes->last = snw__block_take(block, 1, 1);
}

static void a_second_pass_gets_no_more_than_the_first_measured(void **state)
{
    (void)state;
    static const struct {
        size_t count[2];   /* of 8 bytes, asked for in the first pass and in the second */
        long fail_at;      /* allocation that fails; -1: none */
        snw_status status; /* what comes out */
        const char *said;
    } cases[] = {
        {{5, 5}, -1, SNW_OK, NULL},
        {{0, 0}, -1, SNW_OK, NULL},
        {{5, 7}, -1, SNW_INTERNAL, "the layout of a test measured 64 bytes and took 80"},
        {{5, 3}, -1, SNW_INTERNAL, "the layout of a test measured 64 bytes and took 48"},
        {{5, 5}, 0, SNW_OUT_OF_MEMORY, "no memory for a test (64 bytes)"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        counting_allocator held = {.fail_at = cases[n].fail_at};
        snw_allocator allocator = counting_hook(&held);
        two_passes object = {.count = cases[n].count};
        snw__block block;
        snw_error error = {0};
        assert_int_equal(
            snw__block_create(&block, lay_out_passes, &object, &allocator, "a test", &error),
            cases[n].status);
        if (cases[n].status == SNW_OK) {
            assert_ptr_equal(object.array, block.base);
            assert_int_equal(held.live_bytes, block.size);
            snw__block_release(&allocator, &block);
        } else {
            assert_string_equal(error.message, cases[n].said);
        }
        assert_null(block.base);
        assert_int_equal(held.live, 0); /* nothing is kept */
        /* What does not fit is never handed out. */
        if (cases[n].count[1] > cases[n].count[0]) assert_null(object.last);
    }
}

static void pcg_gives_the_published_sequence(void **state)
{
    (void)state;
    /* Output of the reference pcg32 demo for seed 42, stream 54 (O'Neill 2014). */
    static const uint32_t expected[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330,
                                        0x83d2f293, 0xbfa4784b, 0xcbed606e};
    snw_random random = snw_random_seed(42, 54);
    for (int n = 0; n < 6; n++)
        assert_int_equal(snw_random_u32(&random), expected[n]);
}

static void random_moments_are_right(void **state)
{
    (void)state;
    enum {
        count = 200000
    };
    snw_random random = snw_random_seed(1, 1);
    double sum = 0, sum2 = 0, normal_sum = 0, normal_sum2 = 0;
    int buckets[10] = {0};
    for (int n = 0; n < count; n++) {
        double u = snw_random_unit(&random), g = snw_random_normal(&random);
        assert_true(u >= 0 && u < 1);
        sum += u;
        sum2 += u * u;
        normal_sum += g;
        normal_sum2 += g * g;
        buckets[snw_random_below(&random, 10)]++;
    }
    /* Five standard errors of each estimate for 200000 samples. */
    check_near(sum / count, 0.5, 5 * 0.2887 / sqrt(count));
    check_near(sum2 / count, 1.0 / 3, 5 * 0.2981 / sqrt(count));
    check_near(normal_sum / count, 0, 5 / sqrt(count));
    check_near(normal_sum2 / count, 1, 5 * 1.4142 / sqrt(count));
    for (int n = 0; n < 10; n++)
        check_near(buckets[n], count / 10.0, 5 * sqrt(count * 0.09));
    assert_int_equal(snw_random_below(&random, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(failing_fills_place_and_sentence),
        cmocka_unit_test(long_messages_are_cut_not_overrun),
        cmocka_unit_test(block_layout_is_aligned_and_overflow_is_caught),
        cmocka_unit_test(a_second_pass_gets_no_more_than_the_first_measured),
        cmocka_unit_test(pcg_gives_the_published_sequence),
        cmocka_unit_test(random_moments_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
