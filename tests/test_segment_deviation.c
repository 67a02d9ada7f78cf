/* Deviations of the distances between markers, against closed forms. */
#include "check.h"

#define FRAMES 400

/* Markers 0 and 1 ride on one rod that turns; 2 swings along x by 20 mm about the middle of the
 * rod; 3 is there in five frames only. */
static snw_trial *make_trial(void)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 4;
    options.frame_count = FRAMES;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int k = 0; k < FRAMES; k++) {
        double t = 2 * SNW_PI * k / FRAMES;
        snw_vec3 rod = snw_vec3_make(0, 0.1 * cos(3 * t), 0.1 * sin(3 * t));
        snw_trial_set(trial, k, 0, rod, SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, k, 1, snw_vec3_neg(rod), SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, k, 2, snw_vec3_make(1 + 0.02 * sin(t), 0, 0), SNW_SAMPLE_MEASURED);
        if (k < 5) snw_trial_set(trial, k, 3, snw_vec3_make(2, 0, 0), SNW_SAMPLE_MEASURED);
    }
    return trial;
}

static void distances_deviate_as_they_move(void **state)
{
    (void)state;
    snw_trial *trial = make_trial();
    double deviation[16];
    assert_int_equal(snw_marker_deviations(trial, NULL, deviation, NULL), SNW_OK);
    check_near(deviation[0 * 4 + 0], 0, 0);
    /* Floats in millimetres near 100. */
    check_near(deviation[0 * 4 + 1], 0, 1e-7);
    /* A sine of amplitude a deviates by a / sqrt(2). The extremes (2 % at both ends) do not count,
     * which takes less than 7 % off. */
    check_near(deviation[0 * 4 + 2], 0.02 / sqrt(2), 0.07 * 0.02 / sqrt(2));
    assert_true(deviation[0 * 4 + 3] == HUGE_VAL);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            assert_true(deviation[a * 4 + b] == deviation[b * 4 + a]);
    snw_trial_destroy(trial);
}

static void failed_allocations_leave_nothing_behind(void **state)
{
    (void)state;
    snw_trial *trial = make_trial();
    double deviation[16];
    int n = 0;
    for (snw_status status = SNW_OUT_OF_MEMORY; status != SNW_OK; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator hook = counting_hook(&counter);
        status = snw_marker_deviations(trial, &hook, deviation, NULL);
        assert_true(status == SNW_OK || status == SNW_OUT_OF_MEMORY);
        assert_int_equal(counter.live, 0);
        assert_true(n < 20);
    }
    assert_true(n >= 3);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_deviate_as_they_move),
        cmocka_unit_test(failed_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
