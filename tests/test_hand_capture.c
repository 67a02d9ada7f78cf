/* From a file's labels to the markers of a hand, and what a hand's functions refuse: wrong units,
 * captures that show no hand, profiles that cannot be. */
#include "read_checks.h"

/* Gestures of a hand for some seconds: eight markers with names, in metres. */
static snw_trial *make_hand(bool is_left)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_trial *trial = NULL;
    options.motion = SNW_SYNTH_GESTURES;
    options.rate = 30;
    options.seconds = 5;
    const snw_synth_hand_options hand = {.side = is_left ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT,
                                         .seed = 1};
    assert_int_equal(snw_preset_create("hand25", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_motion_create(body, &options, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_synth_hand(motion, &hand, NULL, &trial, NULL, NULL), SNW_OK);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return trial;
}

static snw_hand_capture *capture_of(const snw_trial *trial, snw_side side, snw_notes *notes)
{
    snw_hand_capture *capture = NULL;
    snw_error error;
    assert_int_equal(snw_hand_capture_from_trial(trial, side, NULL, &capture, notes, &error),
                     SNW_OK);
    return capture;
}

static void remove_marker(snw_trial *trial, int marker, int first, int end)
{
    for (int f = first; f < end; f++)
        snw_trial_set(trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
}

static int find_marker(const snw_trial *trial, const char *name)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (strcmp(trial->marker[m].name, name) == 0) return m;
    fail();
    return -1;
}

/* ---- what is hidden, what flips ---------------------------------------------------------------
 */

/* The motion needs its body, which is yours to destroy after it. */
static snw_motion *make_gestures(double rate, double seconds, snw_skeleton **body)
{
    snw_synth_options options = snw_synth_options_default();
    snw_motion *motion = NULL;
    options.motion = SNW_SYNTH_GESTURES;
    options.rate = rate;
    options.seconds = seconds;
    assert_int_equal(snw_preset_create("hand25", NULL, body, NULL), SNW_OK);
    assert_int_equal(snw_synth_motion_create(*body, &options, NULL, &motion, NULL), SNW_OK);
    return motion;
}

static void gaps_hide_the_markers_of_a_hand(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = make_gestures(30, 2, &body);
    snw_synth_gap gap[2];
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_synth_gap_parse("left_ring_tip@11+20", gap, NULL), SNW_OK);
    assert_int_equal(snw_synth_gap_parse("index5@1+5", gap + 1, NULL), SNW_OK);
    snw_synth_hand_options hand = snw_synth_hand_options_default();
    hand.side = SNW_SIDE_LEFT;
    hand.gap = gap;
    hand.gap_count = 2;
    assert_int_equal(snw_synth_hand(motion, &hand, NULL, &trial, NULL, &error), SNW_OK);
    int ring = find_marker(trial, "left_ring_tip"), index = find_marker(trial, "left_index_tip");
    for (int m = 0; m < trial->marker_count; m++)
        for (int f = 0; f < trial->frame_count; f++) {
            bool is_hidden = (m == ring && f >= 10 && f < 30) || (m == index && f < 5);
            assert_int_equal(snw_trial_is_present(trial, f, m), !is_hidden);
        }
    snw_trial_destroy(trial);
    assert_int_equal(snw_synth_gap_parse("right_ring_tip@1+5", gap, NULL), SNW_OK);
    assert_int_equal(snw_synth_hand(motion, &hand, NULL, &trial, NULL, &error), SNW_NOT_FOUND);
    assert_null(trial);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* Fast fingers turn by 15 radians a second, 7 degrees in a 120th of one; 20 are a flip. */
static void no_method_flips_a_finger(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = make_gestures(120, 10, &body);
    snw_trial *trial = NULL;
    assert_int_equal(snw_synth_hand(motion, NULL, NULL, &trial, NULL, NULL), SNW_OK);
    snw_hand_capture *capture = capture_of(trial, SNW_SIDE_RIGHT, NULL);
    snw_hand_profile profile;
    assert_int_equal(snw_hand_calibrate(capture, &profile, NULL, NULL), SNW_OK);
    for (int method = SNW_HAND_FIT; method <= SNW_HAND_CHAIN; method++) {
        snw_hand_options options = snw_hand_options_default();
        snw_hand *solver = NULL;
        snw_pose *pose = NULL;
        double largest = 0;
        options.method = (snw_hand_method)method;
        assert_int_equal(snw_hand_create(&profile, &options, NULL, &solver, NULL), SNW_OK);
        assert_int_equal(snw_pose_create(snw_hand_skeleton(solver), NULL, &pose, NULL), SNW_OK);
        for (int f = 0; f < capture->frame_count; f++) {
            snw_hand_report report;
            snw_hand_step(solver, capture->frame + f, pose, &report);
            largest = fmax(largest, report.largest_flexion_jump);
        }
        if (!(largest < snw_radians(20)))
            fail_msg("%s flips by %.0f degrees", snw_hand_method_name((snw_hand_method)method),
                     snw_degrees(largest));
        snw_pose_destroy(pose);
        snw_hand_destroy(solver);
    }
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* ---- units ----------------------------------------------------------------------------------- */

/* A back of 60 mm tells factors of ten and a thousand; at 7 km no unit fits. */
static void a_wrong_unit_is_put_right_or_told(void **state)
{
    (void)state;
    static const struct {
        double times;
        const char *note;
        bool is_mended;
    } rows[] = {{1, NULL, true},
                {10, "times 0.1", true},
                {1000, "times 0.001", true},
                {0.01, "times 100", true},
                {1e5, "is the unit right?", false}};
    for (int is_left = 0; is_left < 2; is_left++)
        for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
            snw_side side = is_left ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
            snw_trial *trial = make_hand(is_left);
            snw_hand_capture *right = capture_of(trial, side, NULL);
            snw_notes notes = snw_notes_none();
            /* The other marker of the back tells it, too. */
            if (n % 2)
                remove_marker(trial,
                              find_marker(trial, is_left ? "left_back_index" : "right_back_index"),
                              0, trial->frame_count);
            trial->metres_per_unit *= rows[n].times;
            snw_hand_capture *capture = capture_of(trial, side, &notes);
            assert_int_equal(notes.count > 0, rows[n].note != NULL);
            if (rows[n].note) assert_true(has_note(&notes, rows[n].note));
            double share = rows[n].is_mended ? 1 : 1 / rows[n].times;
            for (int f = 0; f < trial->frame_count; f += 11)
                check_vec3_near(snw_vec3_scale(capture->frame[f].place[SNW_HAND_WRIST], share),
                                right->frame[f].place[SNW_HAND_WRIST], 1e-12);
            snw_hand_capture_destroy(capture);
            snw_hand_capture_destroy(right);
            snw_trial_destroy(trial);
        }
}

/* ---- captures that show no hand -------------------------------------------------------------- */

/* Without the wrist, a back marker or two tips; and a left hand is no right one. */
static void a_hand_that_is_not_there_is_told(void **state)
{
    (void)state;
    static const char *const names[] = {"right_wrist", "right_back_index", "right_back_little"};
    for (int n = 0; n < 5; n++) {
        snw_trial *trial = make_hand(false);
        snw_side side = n == 4 ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT;
        snw_hand_capture *capture = NULL;
        snw_error error;
        if (n < 3) snw_trial_set_marker_name(trial, find_marker(trial, names[n]), "x", NULL);
        for (int m = 0; n == 3 && m < trial->marker_count; m++)
            if (strstr(trial->marker[m].name, "_tip") &&
                strcmp(trial->marker[m].name, "right_ring_tip") != 0)
                snw_trial_set_marker_name(trial, m, "x", NULL);
        assert_int_equal(snw_hand_capture_from_trial(trial, side, NULL, &capture, NULL, &error),
                         SNW_NOT_FOUND);
        assert_non_null(strstr(error.message, n == 4 ? "left_wrist" : "right_wrist"));
        assert_null(capture);
        snw_trial_destroy(trial);
    }
}

/* Labels without a side are of the hand that is asked for; the first of two of a name counts. */
static void labels_without_a_side_are_of_either_hand(void **state)
{
    (void)state;
    snw_trial *trial = make_hand(true);
    for (int m = 0; m < trial->marker_count; m++) {
        char name[64];
        snw_format(name, sizeof name, "%s", trial->marker[m].name + strlen("left_"));
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
    }
    int wrist = find_marker(trial, "wrist"), tip = find_marker(trial, "ring_tip");
    snw_trial_set_marker_name(trial, tip, "handroot", NULL);
    snw_hand_capture *capture = capture_of(trial, SNW_SIDE_LEFT, NULL);
    for (int f = 0; f < trial->frame_count; f++) {
        check_vec3_near(capture->frame[f].place[SNW_HAND_WRIST],
                        snw_trial_position(trial, f, wrist < tip ? wrist : tip), 0);
        assert_false(capture->frame[f].is_seen[snw_hand_tip_marker(SNW_HAND_RING)]);
    }
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
}

/* Eight trajectories are told apart by a second in which all are seen: the first one that shows
 * them, however short what follows; none is a sentence. */
static void nameless_trajectories_need_a_second_together(void **state)
{
    (void)state;
    const struct {
        int first, end; /* frames without the wrist */
        bool is_found;
    } rows[] = {{0, 0, true}, {0, 20, true}, {50, 52, true}, {0, 150, false}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_trial *trial = make_hand(false);
        int wrist = find_marker(trial, "right_wrist");
        for (int m = 0; m < trial->marker_count; m++)
            snw_trial_set_marker_name(trial, m, "*", NULL);
        remove_marker(trial, wrist, rows[n].first,
                      rows[n].end < trial->frame_count ? rows[n].end : trial->frame_count);
        snw_hand_capture *capture = NULL;
        snw_error error;
        assert_int_equal(snw_hand_capture_unlabelled(trial, NULL, &capture, NULL, &error),
                         rows[n].is_found ? SNW_OK : SNW_NOT_FOUND);
        if (!rows[n].is_found) assert_non_null(strstr(error.message, "eight trajectories"));
        for (int f = 0; capture && f < trial->frame_count; f++)
            assert_int_equal(capture->frame[f].is_seen[SNW_HAND_WRIST],
                             f < rows[n].first || f >= rows[n].end);
        snw_hand_capture_destroy(capture);
        snw_trial_destroy(trial);
    }
    /* Two frames are too few; points in a row, each four times as far, have no palm. */
    snw_trial *trial = make_hand(false);
    snw_hand_capture *capture = NULL;
    snw_error error;
    snw_trial two = snw_trial_window(trial, 0, 2);
    assert_int_equal(snw_hand_capture_unlabelled(&two, NULL, &capture, NULL, &error),
                     SNW_NOT_FOUND);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            snw_trial_set(trial, f, m, snw_vec3_make(1e-4 * pow(4, m), 0.01 * f, 0),
                          SNW_SAMPLE_MEASURED);
    assert_int_equal(snw_hand_capture_unlabelled(trial, NULL, &capture, NULL, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "palm"));
    snw_trial_destroy(trial);
}

/* ---- what cannot be calibrated or created ---------------------------------------------------- */

static void too_little_of_a_palm_is_told(void **state)
{
    (void)state;
    snw_trial *trial = make_hand(false);
    snw_hand_profile profile;
    snw_error error;
    remove_marker(trial, find_marker(trial, "right_back_little"), 19, trial->frame_count);
    snw_hand_capture *capture = capture_of(trial, SNW_SIDE_RIGHT, NULL);
    assert_int_equal(snw_hand_calibrate(capture, &profile, NULL, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "fewer than 20 frames"));
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
    /* A palm of 7 km. */
    trial = make_hand(false);
    trial->metres_per_unit *= 1e5;
    capture = capture_of(trial, SNW_SIDE_RIGHT, NULL);
    assert_int_equal(snw_hand_calibrate(capture, &profile, NULL, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "is the unit right?"));
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
}

static void a_profile_that_cannot_be_is_refused(void **state)
{
    (void)state;
    for (int n = 0; n < 12; n++) {
        snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.19);
        snw_hand *hand = NULL;
        snw_error error;
        if (n == 0) profile.back_share = 0.01;
        if (n == 1) profile.back_share = 30;
        if (n == 2) profile.back_share = NAN;
        if (n == 3) profile.back_height = -0.2;
        if (n == 4) profile.back_height = NAN;
        if (n == 5) profile.base[2].x = INFINITY;
        if (n == 6) profile.rest[0] = snw_quat_make(0, 0, 0, 0);
        if (n == 7) profile.rest[4].w = NAN;
        if (n == 8) profile.bone[0][0] = 0;
        if (n == 9) profile.bone[4][2] = 1.5;
        if (n == 10) profile.bone[1][1] = NAN;
        assert_int_equal(snw_hand_create(&profile, NULL, NULL, &hand, &error),
                         n == 11 ? SNW_OK : SNW_INVALID_ARGUMENT);
        assert_true(n == 11 || strstr(error.message, "cannot be") != NULL);
        snw_hand_destroy(hand);
    }
    /* No hand is 1 cm or 5 m long: the average takes its place. */
    double average = snw_hand_profile_default(SNW_SIDE_LEFT, 0.19).bone[2][0];
    check_near(snw_hand_profile_default(SNW_SIDE_LEFT, 0.01).bone[2][0], average, 0);
    check_near(snw_hand_profile_default(SNW_SIDE_LEFT, 5).bone[2][0], average, 0);
}

static void null_is_refused(void **state)
{
    (void)state;
    snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.19);
    snw_trial *trial = make_hand(false);
    snw_hand_capture *capture = capture_of(trial, SNW_SIDE_RIGHT, NULL), *other = NULL;
    snw_hand *hand = NULL, *second = NULL;
    snw_motion *motion = NULL;
    snw_actor *actor = NULL;
    snw_side side = SNW_SIDE_LEFT;
    bool has_side;
    assert_int_equal(snw_hand_create(&profile, NULL, NULL, &hand, NULL), SNW_OK);
    const snw_status outcomes[] = {
        snw_hand_create(NULL, NULL, NULL, &second, NULL),
        snw_hand_create(&profile, NULL, NULL, NULL, NULL),
        snw_hand_solve(NULL, capture, NULL, &motion, NULL),
        snw_hand_solve(hand, NULL, NULL, &motion, NULL),
        snw_hand_solve(hand, capture, NULL, NULL, NULL),
        snw_hand_calibrate(NULL, &profile, NULL, NULL),
        snw_hand_calibrate(capture, NULL, NULL, NULL),
        snw_hand_capture_from_trial(NULL, SNW_SIDE_LEFT, NULL, &other, NULL, NULL),
        snw_hand_capture_from_trial(trial, SNW_SIDE_LEFT, NULL, NULL, NULL, NULL),
        snw_hand_capture_unlabelled(NULL, NULL, &other, NULL, NULL),
        snw_hand_capture_unlabelled(trial, NULL, NULL, NULL, NULL),
        snw_hand_profile_to_actor(NULL, NULL, &actor, NULL),
        snw_hand_profile_to_actor(&profile, NULL, NULL, NULL),
        snw_hand_profile_from_actor(NULL, &profile, NULL),
    };
    for (size_t n = 0; n < sizeof outcomes / sizeof *outcomes; n++)
        assert_int_equal(outcomes[n], SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_hand_marker_from_label(NULL, &side, &has_side), -1);
    for (int m = 0; m < SNW_HAND_METHOD_COUNT; m++)
        assert_true(strlen(snw_hand_method_name((snw_hand_method)m)) > 1);
    assert_string_equal(snw_hand_method_name(SNW_HAND_METHOD_COUNT), "?");
    snw_hand_destroy(hand);
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_hide_the_markers_of_a_hand),
        cmocka_unit_test(no_method_flips_a_finger),
        cmocka_unit_test(a_wrong_unit_is_put_right_or_told),
        cmocka_unit_test(a_hand_that_is_not_there_is_told),
        cmocka_unit_test(labels_without_a_side_are_of_either_hand),
        cmocka_unit_test(nameless_trajectories_need_a_second_together),
        cmocka_unit_test(too_little_of_a_palm_is_told),
        cmocka_unit_test(a_profile_that_cannot_be_is_refused),
        cmocka_unit_test(null_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
