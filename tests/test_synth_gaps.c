/* Gaps that were ordered: their texts, their places, what is refused. */
#include "studio.h"

/* ---- gaps --------------------------------------------------------------------------------- */

static void gap_texts_are_read_or_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_good;
        snw_synth_gap gap;
    } cases[] = {
        {"LKNE@100+50", true, {"LKNE", SNW_SYNTH_GAP_ALL, 99, 50}},
        {"left_knee/2@any+60", true, {"left_knee", 2, SNW_SYNTH_ANY_FRAME, 60}},
        {"left_arm/all@1+1", true, {"left_arm", SNW_SYNTH_GAP_ALL, 0, 1}},
        {"a@b@7+8", true, {"a@b", SNW_SYNTH_GAP_ALL, 6, 8}},
        {"", false, {"", 0, 0, 0}},
        {"LKNE", false, {"", 0, 0, 0}},
        {"@1+2", false, {"", 0, 0, 0}},
        {"LKNE@0+5", false, {"", 0, 0, 0}},
        {"LKNE@5+0", false, {"", 0, 0, 0}},
        {"LKNE@5", false, {"", 0, 0, 0}},
        {"LKNE@5+", false, {"", 0, 0, 0}},
        {"LKNE@5+3x", false, {"", 0, 0, 0}},
        {"LKNE/0@5+3", false, {"", 0, 0, 0}},
        {"LKNE/x@5+3", false, {"", 0, 0, 0}},
        {"LKNE@5+@", false, {"", 0, 0, 0}},
        {"LKNE@-5+3", false, {"", 0, 0, 0}},
        {"LKNE@99999999999+3", false, {"", 0, 0, 0}},
        {"0123456789012345678901234567890123456789012345678901234567890123@1+1",
         false,
         {"", 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snw_synth_gap gap = {"", 0, 0, 0};
        snw_error error;
        snw_status status = snw_synth_gap_parse(cases[i].text, &gap, &error);
        if ((status == SNW_OK) != cases[i].is_good) fail_msg("\"%s\"", cases[i].text);
        if (!cases[i].is_good) continue;
        assert_string_equal(gap.target, cases[i].gap.target);
        assert_int_equal(gap.marker_count, cases[i].gap.marker_count);
        assert_int_equal(gap.first_frame, cases[i].gap.first_frame);
        assert_int_equal(gap.frame_count, cases[i].gap.frame_count);
    }
}

static int missing_in(const snw_synth *synth, int first, int count)
{
    int missing = 0;
    for (int f = first; f < first + count; f++)
        for (int m = 0; m < synth->marker_count; m++)
            missing += !snw_trial_is_present(synth->capture, f, m);
    return missing;
}

static void gaps_are_exactly_what_was_ordered(void **state)
{
    (void)state;
    const snw_synth_gap gaps[] = {
        {"LKNE", SNW_SYNTH_GAP_ALL, 0, 5},
        {"head", 2, 10, 7},
        {"left_leg", SNW_SYNTH_GAP_ALL, 20, 3},
        {"left_knee", 1, 30, 4},
        {"body", SNW_SYNTH_GAP_ALL, 40, 1},
        {"trunk", SNW_SYNTH_GAP_ALL, 50, 2},
        {"right_arm", 3, 60, 6},
        {"STRN", 1, 119, 1},
    };
    static const int markers[] = {1, 2, 7, 1, 41, 11, 3, 1}; /* the trunk has 5, 4 and 2 SHO */
    snw_synth_options options = quick_options();
    options.gap_count = 8;
    options.gap = gaps;
    studio set = shoot("humanoid", &options);
    int total = 0;
    for (int g = 0; g < 8; g++) {
        int expected = markers[g] * gaps[g].frame_count;
        int found = missing_in(set.synth, gaps[g].first_frame, gaps[g].frame_count);
        if (found != expected) fail_msg("%s: %d instead of %d", gaps[g].target, found, expected);
        total += expected;
    }
    assert_int_equal(missing_in(set.synth, 0, set.synth->capture->frame_count), total);
    assert_false(snw_trial_is_present(set.synth->capture, 4,
                                      snw_trial_find_marker(set.synth->capture, "LKNE")));
    leave(&set);
}

static void a_gap_anywhere_has_its_length_and_moves_with_the_seed(void **state)
{
    (void)state;
    const snw_synth_gap gap = {"RTOE", SNW_SYNTH_GAP_ALL, SNW_SYNTH_ANY_FRAME, 13};
    snw_synth_options options = quick_options();
    options.seconds = 1;
    options.gap_count = 1;
    options.gap = &gap;
    int starts[60] = {0}, different = 0;
    for (int seed = 0; seed < 30; seed++) {
        options.seed = (uint64_t)seed;
        studio set = shoot("humanoid", &options);
        int toe = snw_trial_find_marker(set.synth->capture, "RTOE"), first = 0;
        assert_int_equal(missing_in(set.synth, 0, 60), 13);
        while (snw_trial_is_present(set.synth->capture, first, toe))
            first++;
        assert_int_equal(missing_in(set.synth, first, 13), 13);
        different += starts[first]++ == 0;
        leave(&set);
    }
    assert_true(different > 10);
}

static void gaps_that_cannot_be_are_refused_with_their_name(void **state)
{
    (void)state;
    static const snw_synth_gap wrong[] = {
        {"NOSE", 0, 0, 5},      {"LKNE", 2, 0, 5},
        {"LKNE", 0, 119, 2},    {"LKNE", 0, 120, 1},
        {"LKNE", 0, 0, 121},    {"LKNE", 0, 0, 0},
        {"LKNE", 0, -2, 5},     {"LKNE", -1, 0, 5},
        {"left_toes", 0, 0, 1}, {"LKNE", 0, 2147483647, 2147483647},
    };
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snw_synth_options options = quick_options();
        snw_synth *synth = NULL;
        snw_error error;
        options.gap_count = 1;
        options.gap = &wrong[i];
        assert_int_not_equal(snw_synth_create(body, NULL, &options, NULL, &synth, &error), SNW_OK);
        assert_null(synth);
        assert_non_null(strstr(error.message, wrong[i].target));
    }
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gap_texts_are_read_or_refused),
        cmocka_unit_test(gaps_are_exactly_what_was_ordered),
        cmocka_unit_test(a_gap_anywhere_has_its_length_and_moves_with_the_seed),
        cmocka_unit_test(gaps_that_cannot_be_are_refused_with_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
