/* Samples at exactly the origin. */
#include "check.h"

enum {
    ZEROS_FRAMES = 10
};

/* Four markers: one with zeros between places, one all zero, one that stands at the origin, one
 * without zeros. */
static snw_trial *make_trial(void)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 4;
    options.frame_count = ZEROS_FRAMES;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < ZEROS_FRAMES; f++) {
        snw_vec3 zero = {0, 0, 0}, far = {0.5, 0.1 * f, 0}, near = {0.001 * (f % 2), 0, 0};
        snw_trial_set(trial, f, 0, f >= 3 && f < 6 ? zero : far, SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, 1, zero, SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, 2, near, SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, 3, far, SNW_SAMPLE_MEASURED);
    }
    return trial;
}

static void zeros_are_missing_but_for_a_marker_at_the_origin(void **state)
{
    (void)state;
    snw_trial *trial = make_trial();
    snw_notes notes = snw_notes_none();
    assert_int_equal(snw_trial_drop_zeros(trial, &notes), 3 + ZEROS_FRAMES);
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.note[0].code, SNW_NOTE_VALUE_REPAIRED);
    static const int missing[] = {3, ZEROS_FRAMES, 0, 0};
    for (int m = 0; m < 4; m++)
        assert_int_equal(snw_trial_gaps(trial, m).missing_count, missing[m]);
    assert_false(snw_trial_is_present(trial, 3, 0));
    assert_true(snw_trial_is_present(trial, 2, 0));
    /* once is enough */
    assert_int_equal(snw_trial_drop_zeros(trial, NULL), 0);
    snw_trial_destroy(trial);
}

/* How Sinew writes a real place at the origin. */
static void a_negative_zero_is_a_place(void **state)
{
    (void)state;
    snw_trial *trial = make_trial();
    trial->sample[3 * 4].x = -0.0f;
    assert_int_equal(snw_trial_drop_zeros(trial, NULL), 2 + ZEROS_FRAMES);
    assert_true(snw_trial_is_present(trial, 3, 0));
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_missing_but_for_a_marker_at_the_origin),
        cmocka_unit_test(a_negative_zero_is_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
