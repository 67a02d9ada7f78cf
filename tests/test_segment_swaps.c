/* Labels that markers exchange for a while are found and exchanged back. */
#include <string.h>

#include "capture_truth.h"

static void exchange(snw_trial *trial, int a, int b, int from, int to, bool hides_second)
{
    for (int f = from; f < to; f++) {
        snw_sample *row = trial->sample + (size_t)f * (size_t)trial->marker_count;
        snw_sample keep = row[a];
        row[a] = row[b];
        row[b] = keep;
        if (hides_second) snw_trial_set(trial, f, b, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
}

static snw_segments *segments_as_labelled(const snw_trial *trial)
{
    snw_segments *segments = NULL;
    snw_segment_options options = snw_segment_options_default();
    options.method = SNW_SEGMENTS_BY_NAMES;
    options.trusts_labels = true;
    assert_int_equal(snw_segments_find(trial, &options, NULL, &segments, NULL, NULL), SNW_OK);
    return segments;
}

static void exchanged_labels_come_back_to_the_bit(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    snw_trial *clean = NULL;
    assert_int_equal(snw_trial_copy(t.trial, NULL, &clean, NULL), SNW_OK);
    int left = snw_trial_find_marker(t.trial, "LeftLeg:1");
    int right = snw_trial_find_marker(t.trial, "RightLeg:1");
    int arm = snw_trial_find_marker(t.trial, "LeftArm:2");
    int other = snw_trial_find_marker(t.trial, "RightArm:3");
    assert_true(left >= 0 && right >= 0 && arm >= 0 && other >= 0);
    exchange(t.trial, left, right, 100, 200, false);
    exchange(t.trial, arm, other, 150, 180, false);
    snw_segments *segments = segments_as_labelled(t.trial);
    snw_notes notes = snw_notes_none();
    int count = 0;
    assert_int_equal(snw_trial_undo_swaps(t.trial, segments, NULL, &count, &notes, NULL), SNW_OK);
    assert_int_equal(count, 130);
    assert_int_equal(notes.count, 2);
    for (int n = 0; n < 2; n++)
        assert_int_equal(notes.note[n].code, SNW_NOTE_LABELS_EXCHANGED);
    assert_int_equal(notes.note[0].frame, 150);
    assert_int_equal(notes.note[1].frame, 100);
    assert_non_null(strstr(notes.note[1].text, "frames 101 to 200"));
    size_t samples = (size_t)clean->frame_count * (size_t)clean->marker_count;
    assert_memory_equal(t.trial->sample, clean->sample, samples * sizeof *clean->sample);
    assert_memory_equal(t.trial->state, clean->state, samples);
    snw_segments_destroy(segments);
    snw_trial_destroy(clean);
    truth_free(&t);
}

static void a_label_on_a_hidden_markers_place_comes_back(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    int left = snw_trial_find_marker(t.trial, "LeftLeg:1");
    int right = snw_trial_find_marker(t.trial, "RightLeg:1");
    snw_vec3 place = snw_trial_position(t.trial, 120, right);
    exchange(t.trial, left, right, 100, 200, true);
    snw_segments *segments = segments_as_labelled(t.trial);
    int count = 0;
    assert_int_equal(snw_trial_undo_swaps(t.trial, segments, NULL, &count, NULL, NULL), SNW_OK);
    /* Where the legs pass each other, a single place fits both. */
    assert_true(count > 80 && count <= 100);
    assert_false(snw_trial_is_present(t.trial, 120, left));
    check_vec3_near(snw_trial_position(t.trial, 120, right), place, 0);
    snw_segments_destroy(segments);
    truth_free(&t);
}

static void a_capture_in_order_stays_as_it_is(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.noise = 0.003;
    options.gap_share = 0.2;
    truth t = truth_make(&options);
    snw_segments *segments = segments_as_labelled(t.trial);
    int count = 0;
    assert_int_equal(snw_trial_undo_swaps(t.trial, segments, NULL, &count, NULL, NULL), SNW_OK);
    assert_int_equal(count, 0);
    snw_segments_destroy(segments);
    truth_free(&t);
}

/* Inside one segment, on two segments, hidden for three frames while it begins, for good from frame
 * 20: whatever the segments, the paths tell. The clean capture is the oracle. */
static void exchanges_are_found_from_the_paths_alone(void **state)
{
    static const struct {
        const char *a, *b;
        int from, to, hidden;
    } row[] = {
        {"LeftLeg:1", "RightLeg:1", 100, 200, 0}, {"LeftArm:1", "LeftArm:2", 50, 60, 0},
        {"LeftArm:2", "RightArm:3", 150, 151, 0}, {"LeftLeg:1", "RightLeg:1", 100, 140, 3},
        {"LeftLeg:1", "LeftLeg:3", 0, 20, 0},
    };
    (void)state;
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        truth_options options = truth_options_default();
        truth t = truth_make(&options);
        snw_trial *clean = NULL;
        snw_notes notes = snw_notes_none();
        int count = 0, a = snw_trial_find_marker(t.trial, row[n].a);
        int b = snw_trial_find_marker(t.trial, row[n].b);
        assert_true(a >= 0 && b >= 0);
        for (int f = row[n].from; f < row[n].from + row[n].hidden; f++) {
            snw_trial_set(t.trial, f, a, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
            snw_trial_set(t.trial, f, b, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        }
        assert_int_equal(snw_trial_copy(t.trial, NULL, &clean, NULL), SNW_OK);
        exchange(t.trial, a, b, row[n].from, row[n].to, false);
        assert_int_equal(snw_trial_undo_jumps(t.trial, true, NULL, &count, &notes, NULL), SNW_OK);
        assert_int_equal(count, row[n].to - row[n].from - row[n].hidden);
        assert_int_equal(notes.count, 1);
        assert_int_equal(notes.note[0].code, SNW_NOTE_LABELS_EXCHANGED);
        size_t samples = (size_t)clean->frame_count * (size_t)clean->marker_count;
        assert_memory_equal(t.trial->sample, clean->sample, samples * sizeof *clean->sample);
        snw_trial_destroy(clean);
        truth_free(&t);
    }
}

/* Nobody knows whose path is whose: without being asked to, nothing is changed, but it is told. */
static void an_exchange_without_an_end_is_told(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    snw_notes notes = snw_notes_none();
    int count = -1, a = snw_trial_find_marker(t.trial, "LeftLeg:1");
    exchange(t.trial, a, snw_trial_find_marker(t.trial, "LeftLeg:3"), 0, 20, false);
    assert_int_equal(snw_trial_undo_jumps(t.trial, false, NULL, &count, &notes, NULL), SNW_OK);
    assert_int_equal(count, 0);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.note[0].text, "change places in frame 21"));
    truth_free(&t);
}

static void paths_in_order_stay_as_they_are(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    int count = -1;
    assert_int_equal(snw_trial_undo_jumps(t.trial, true, NULL, &count, NULL, NULL), SNW_OK);
    assert_int_equal(count, 0);
    truth_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanged_labels_come_back_to_the_bit),
        cmocka_unit_test(a_label_on_a_hidden_markers_place_comes_back),
        cmocka_unit_test(a_capture_in_order_stays_as_it_is),
        cmocka_unit_test(exchanges_are_found_from_the_paths_alone),
        cmocka_unit_test(an_exchange_without_an_end_is_told),
        cmocka_unit_test(paths_in_order_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
