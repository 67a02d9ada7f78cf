/* Labels against motion: exchanged, misread and unknown labels on a body of known truth. */
#include "check.h"

static snw_synth *capture_of(snw_synth_motion_kind motion)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.motion = motion;
    options.seconds = 5;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_skeleton_destroy(body);
    return synth;
}

static void rename_marker(snw_trial *trial, const char *from, const char *to)
{
    int marker = snw_trial_find_marker(trial, from);
    if (marker < 0) fail_msg("no marker %s", from);
    assert_int_equal(snw_trial_set_marker_name(trial, marker, to, NULL), SNW_OK);
}

static void exchange(snw_trial *trial, const char *one, const char *other)
{
    rename_marker(trial, one, "for a while");
    rename_marker(trial, other, one);
    rename_marker(trial, "for a while", other);
}

static snw_segments *find(const snw_trial *trial, snw_segment_method method, snw_notes *notes)
{
    snw_segment_options options = snw_segment_options_default();
    snw_segments *segments = NULL;
    snw_error error;
    options.method = method;
    *notes = snw_notes_none();
    if (snw_segments_find(trial, &options, NULL, &segments, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return segments;
}

static int notes_with(const snw_notes *notes, const char *text)
{
    int count = 0;
    for (int n = 0; n < notes->count; n++)
        count += strstr(notes->note[n].text, text) != NULL;
    return count;
}

static void check_segment(const snw_trial *trial, const snw_segments *segments, const char *label,
                          const char *segment)
{
    int marker = snw_trial_find_marker(trial, label);
    assert_true(marker >= 0);
    const char *found = segments->segment_of[marker] < 0
                            ? ""
                            : segments->segment[segments->segment_of[marker]].name;
    if (strcmp(found, segment) != 0) fail_msg("%s is on \"%s\", not \"%s\"", label, found, segment);
}

static void right_labels_give_no_notes(void **state)
{
    (void)state;
    for (int motion = SNW_SYNTH_WALK; motion <= SNW_SYNTH_RANGE; motion++) {
        snw_synth *synth = capture_of((snw_synth_motion_kind)motion);
        snw_notes notes;
        snw_segments *segments = find(synth->capture, SNW_SEGMENTS_BY_AUTO, &notes);
        assert_int_equal(segments->segment_count, 17);
        if (notes.count) fail_msg("motion %d: %s", motion, notes.note[0].text);
        snw_segments_destroy(segments);
        snw_synth_destroy(synth);
    }
}

static void exchanged_markers_are_exchanged_back(void **state)
{
    (void)state;
    static const char *const pairs[][4] = {
        {"LTHI", "RTHI", "RightUpLeg", "LeftUpLeg"},
        {"LKNE", "RKNE", "RightUpLeg", "LeftUpLeg"},
        {"LTOE", "RTOE", "RightFoot", "LeftFoot"},
        {"LELB", "RELB", "RightArm", "LeftArm"},
        {"LWRA", "RWRA", "RightForeArm", "LeftForeArm"},
        {"LSHO", "RSHO", "RightShoulder", "LeftShoulder"},
        {"LASI", "RASI", "Hips", "Hips"},
    };
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        snw_synth *synth = capture_of(SNW_SYNTH_WALK);
        snw_notes notes;
        exchange(synth->capture, pairs[n][0], pairs[n][1]);
        snw_segments *segments = find(synth->capture, SNW_SEGMENTS_BY_AUTO, &notes);
        check_segment(synth->capture, segments, pairs[n][0], pairs[n][2]);
        check_segment(synth->capture, segments, pairs[n][1], pairs[n][3]);
        /* One note, or two: on a thigh of two markers it may be the other pair, and then the
         * thighs. */
        assert_in_range(notes_with(&notes, "exchanged"), 1, 2);
        assert_int_equal(notes_with(&notes, "exchanged"), notes.count);
        snw_segments_destroy(segments);
        snw_synth_destroy(synth);
    }
}

/* A whole shank and foot, then a whole leg: the segments are rigid, but hang from the wrong joint.
 */
static void exchanged_segments_are_exchanged_back(void **state)
{
    (void)state;
    static const char *const shank[] = {"TIB", "ANK", "HEE", "TOE", "MT5", NULL};
    static const char *const leg[] = {"THI", "KNE", "TIB", "ANK", "HEE", "TOE", "MT5", NULL};
    static const char *const *const cases[] = {shank, leg};
    for (int n = 0; n < 2; n++) {
        snw_synth *synth = capture_of(SNW_SYNTH_WALK);
        snw_notes notes;
        for (const char *const *at = cases[n]; *at; at++) {
            char left[8], right[8];
            snw_format(left, sizeof left, "L%s", *at);
            snw_format(right, sizeof right, "R%s", *at);
            exchange(synth->capture, left, right);
        }
        snw_segments *segments = find(synth->capture, SNW_SEGMENTS_BY_AUTO, &notes);
        check_segment(synth->capture, segments, "LTIB", "RightLeg");
        check_segment(synth->capture, segments, "RTOE", "LeftFoot");
        check_segment(synth->capture, segments, "LTHI", n == 0 ? "LeftUpLeg" : "RightUpLeg");
        assert_int_equal(notes_with(&notes, "exchanged"), n == 0 ? 2 : 3);
        snw_segments_destroy(segments);
        snw_synth_destroy(synth);
    }
}

static void a_mirrored_body_is_told(void **state)
{
    (void)state;
    for (int is_mirrored = 0; is_mirrored < 2; is_mirrored++) {
        snw_synth *synth = capture_of(SNW_SYNTH_DANCE);
        snw_trial *trial = synth->capture;
        snw_notes notes;
        for (int f = 0; f < trial->frame_count && is_mirrored; f++)
            for (int m = 0; m < trial->marker_count; m++) {
                snw_vec3 at = snw_trial_position(trial, f, m);
                at.x = -at.x;
                snw_trial_set(trial, f, m, at, SNW_SAMPLE_MEASURED);
            }
        snw_segments *segments = find(trial, SNW_SEGMENTS_BY_AUTO, &notes);
        assert_int_equal(notes_with(&notes, "mirrored"), is_mirrored);
        snw_segments_destroy(segments);
        snw_synth_destroy(synth);
    }
}

static void labels_that_tell_nothing_go_where_the_motion_fits(void **state)
{
    (void)state;
    snw_synth *synth = capture_of(SNW_SYNTH_RANGE);
    snw_notes notes;
    rename_marker(synth->capture, "STRN", "XYZZY");
    rename_marker(synth->capture, "LASI", "*12");
    rename_marker(synth->capture, "LBHD", "Unlabeled 7");
    rename_marker(synth->capture, "RTHI", "RHJC");
    snw_segments *segments = find(synth->capture, SNW_SEGMENTS_BY_AUTO, &notes);
    check_segment(synth->capture, segments, "XYZZY", "Chest");
    check_segment(synth->capture, segments, "*12", "Hips");
    check_segment(synth->capture, segments, "Unlabeled 7", "Head");
    check_segment(synth->capture, segments, "RHJC", "");
    assert_int_equal(notes_with(&notes, "computed point"), 1);
    assert_int_equal(notes_with(&notes, "the motion does"), 1);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
}

static void a_marker_that_is_elsewhere_is_moved_or_left_out(void **state)
{
    (void)state;
    snw_synth *synth = capture_of(SNW_SYNTH_RANGE);
    snw_trial *trial = synth->capture;
    snw_notes notes;
    rename_marker(trial, "LFRM", "LMT1"); /* a forearm marker with a foot's label */
    rename_marker(trial, "RTHI", "strange");
    int strange = snw_trial_find_marker(trial, "strange");
    for (int f = 0; f < trial->frame_count; f++) /* moves like nothing else */
        snw_trial_set(trial, f, strange, snw_vec3_make(0.01 * f, 0, 0.5 * sin(0.1 * f)),
                      SNW_SAMPLE_MEASURED);
    snw_segments *segments = find(trial, SNW_SEGMENTS_BY_AUTO, &notes);
    check_segment(trial, segments, "LMT1", "LeftForeArm");
    check_segment(trial, segments, "strange", "");
    assert_int_equal(notes_with(&notes, "it was put there"), 1);
    assert_int_equal(notes_with(&notes, "left out"), 1);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
}

/* All labels shuffled (41 markers, 17 is prime to it): they name segments, but not these. */
static void labels_that_mean_something_else_are_not_believed(void **state)
{
    (void)state;
    snw_synth *synth = capture_of(SNW_SYNTH_DANCE);
    snw_trial *trial = synth->capture;
    char label[64][SNW_LABEL_SIZE];
    snw_notes notes;
    assert_true(trial->marker_count <= 64);
    for (int m = 0; m < trial->marker_count; m++)
        snw_format(label[m], sizeof label[m], "%s", trial->marker[m].name);
    for (int m = 0; m < trial->marker_count; m++)
        assert_int_equal(
            snw_trial_set_marker_name(trial, m, label[(17 * m + 5) % trial->marker_count], NULL),
            SNW_OK);
    snw_segments *segments = find(trial, SNW_SEGMENTS_BY_AUTO, &notes);
    assert_int_equal(notes_with(&notes, "do not move as they say"), 1);
    assert_int_equal(strncmp(segments->segment[0].name, "segment", 7), 0);
    snw_segments_destroy(segments);
    segments = find(trial, SNW_SEGMENTS_BY_NAMES, &notes); /* who insists on names gets them */
    assert_int_not_equal(strncmp(segments->segment[0].name, "segment", 7), 0);
    snw_segments_destroy(segments);
    snw_synth_destroy(synth);
}

static void running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    snw_synth *synth = capture_of(SNW_SYNTH_WALK);
    for (long nth = 0;; nth++) {
        assert_true(nth < 50);
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator hook = counting_hook(&counter);
        snw_segments *segments = NULL;
        snw_status status = snw_segments_find(synth->capture, NULL, &hook, &segments, NULL, NULL);
        snw_segments_destroy(segments);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
    snw_synth_destroy(synth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_labels_give_no_notes),
        cmocka_unit_test(exchanged_markers_are_exchanged_back),
        cmocka_unit_test(exchanged_segments_are_exchanged_back),
        cmocka_unit_test(a_mirrored_body_is_told),
        cmocka_unit_test(labels_that_tell_nothing_go_where_the_motion_fits),
        cmocka_unit_test(a_marker_that_is_elsewhere_is_moved_or_left_out),
        cmocka_unit_test(labels_that_mean_something_else_are_not_believed),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
