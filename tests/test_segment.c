/* Segments as data: made, looked at, written as a list and read again. */
#include "check.h"

static snw_synth *walk(void)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 2;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_skeleton_destroy(body);
    return synth;
}

static void check_same_segments(const snw_segments *a, const snw_segments *b)
{
    assert_int_equal(a->segment_count, b->segment_count);
    for (int m = 0; m < a->marker_count; m++) {
        const char *one = a->segment_of[m] < 0 ? "" : a->segment[a->segment_of[m]].name;
        const char *other = b->segment_of[m] < 0 ? "" : b->segment[b->segment_of[m]].name;
        assert_string_equal(one, other);
    }
}

static void check_round_trip(const snw_trial *trial, const snw_segments *segments)
{
    size_t size = snw_segments_print(segments, trial, NULL, 0) + 1;
    char *list = malloc(size);
    assert_non_null(list);
    assert_int_equal(snw_segments_print(segments, trial, list, size), size - 1);
    assert_int_equal(strlen(list), size - 1);
    snw_text text = {list, size - 1};
    snw_segments *again = NULL;
    snw_error error;
    if (snw_segments_from_set(trial, text, NULL, NULL, &again, &error) != SNW_OK)
        fail_msg("%s\n%s", error.message, list);
    check_same_segments(segments, again);
    snw_segments_destroy(again);
    free(list);
}

static void segments_come_back_from_their_list(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_segments *segments = NULL;
    snw_error error;
    assert_int_equal(snw_segments_find(synth->capture, NULL, NULL, &segments, NULL, &error),
                     SNW_OK);
    check_round_trip(synth->capture, segments);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
}

/* Labels and names that a list would read as something else. */
static void any_label_comes_back(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "Unlabeled 7", "#12", "\"", "\"\"", "a\"b c\"d", "Joe:LASI x", ":", "a:b", "WANDA", "é t",
    };
    static const char *const names[] = {"Joe:LeftLeg", "a segment", "#3", "say \"hi\" now"};
    enum {
        COUNT = sizeof labels / sizeof *labels,
        SEGMENTS = sizeof names / sizeof *names
    };
    snw_synth *synth = walk();
    snw_trial *trial = synth->capture;
    int *segment_of = malloc((size_t)trial->marker_count * sizeof *segment_of);
    snw_segments *segments = NULL;
    snw_error error;
    assert_non_null(segment_of);
    for (int m = 0; m < trial->marker_count; m++) {
        segment_of[m] = m % SEGMENTS;
        if (m < COUNT)
            assert_int_equal(snw_trial_set_marker_name(trial, m, labels[m], &error), SNW_OK);
    }
    assert_int_equal(
        snw_segments_create(segment_of, trial->marker_count, names, NULL, &segments, &error),
        SNW_OK);
    check_round_trip(trial, segments);
    snw_segments_destroy(segments);
    free(segment_of);
    snw_synth_destroy(synth);
}

static void a_list_that_does_not_fit_is_cut(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_segments *segments = NULL;
    assert_int_equal(snw_segments_find(synth->capture, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    char whole[4096], part[17] = "0123456789abcdef";
    size_t length = snw_segments_print(segments, synth->capture, whole, sizeof whole);
    assert_true(length < sizeof whole);
    assert_int_equal(snw_segments_print(segments, synth->capture, part, 9), length);
    assert_int_equal(strlen(part), 8);
    assert_memory_equal(part, whole, 8);
    assert_int_equal(part[9], '9');
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_come_back_from_their_list),
        cmocka_unit_test(any_label_comes_back),
        cmocka_unit_test(a_list_that_does_not_fit_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
