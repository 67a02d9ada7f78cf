/* The gait model, its angles and its events on a whole made person: the lab's axes do not matter,
 * and a hidden marker takes only what needs it. */
#include "check.h"

static snw_trial *make_walk(double seconds)
{
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_trial *trial = NULL;
    options.motion = SNW_SYNTH_WALK;
    options.seconds = seconds;
    options.rate = 50;
    options.path_radius = 40; /* nearly straight */
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    assert_int_equal(snw_trial_copy(synth->capture, NULL, &trial, NULL), SNW_OK);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    return trial;
}

static snw_gait_model model_of(const snw_trial *trial)
{
    snw_gait_model model;
    snw_error error;
    assert_int_equal(snw_gait_model_make(trial, trial, NULL, &model, NULL, &error), SNW_OK);
    return model;
}

static void turn_trial(snw_trial *trial, snw_quat turn)
{
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            if (snw_trial_is_present(trial, f, m))
                snw_trial_set(trial, f, m, snw_quat_rotate(turn, snw_trial_position(trial, f, m)),
                              SNW_SAMPLE_MEASURED);
}

/* ---- the lab's axes -------------------------------------------------------------------------- */

/* Each of six ways up, and for each a way to walk: the trial does not say which. */
static snw_quat lab(int n)
{
    const snw_vec3 x = {1, 0, 0}, z = {0, 0, 1}, y = {0, 1, 0};
    const double quarter = SNW_PI / 2;
    const snw_quat turns[] = {snw_quat_identity(),
                              snw_quat_from_axis_angle(x, quarter),
                              snw_quat_from_axis_angle(x, -quarter),
                              snw_quat_from_axis_angle(z, quarter),
                              snw_quat_from_axis_angle(z, -quarter),
                              snw_quat_from_axis_angle(x, SNW_PI),
                              snw_quat_from_axis_angle(y, quarter),
                              snw_quat_from_axis_angle(y, SNW_PI)};
    return turns[n];
}

/* Lengths are of floats in millimetres; angles are their quotients. */
static void the_lab_axes_do_not_matter(void **state)
{
    (void)state;
    snw_trial *straight = make_walk(3);
    snw_gait_model truth = model_of(straight);
    snw_angles *angles = NULL;
    snw_gait_events *events = NULL;
    snw_event_options options = snw_event_options_default();
    snw_error error;
    assert_int_equal(snw_angles_measure(straight, &truth, SNW_ANGLES_ISB, NULL, &angles, &error),
                     SNW_OK);
    assert_int_equal(snw_gait_events_find(straight, &options, NULL, &events, NULL, &error), SNW_OK);
    assert_true(events->count >= 6);
    for (int n = 0; n < 8; n++) {
        snw_trial *trial = NULL;
        assert_int_equal(snw_trial_copy(straight, NULL, &trial, NULL), SNW_OK);
        turn_trial(trial, lab(n));
        trial->up = SNW_UP_UNKNOWN;
        snw_gait_model model = model_of(trial);
        for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
            for (int side = 0; side < 2; side++) {
                assert_int_equal(model.subject.source[p][side], truth.subject.source[p][side]);
                check_near(model.subject.value[p][side], truth.subject.value[p][side], 1e-5);
            }
        snw_angles *turned = NULL;
        assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_ISB, NULL, &turned, &error),
                         SNW_OK);
        assert_int_equal(turned->column_count, angles->column_count);
        for (int c = 0; c < angles->column_count; c++) {
            if (strstr(angles->column[c].name, "pelvis")) continue; /* in the lab, not in a joint */
            for (int f = 0; f < angles->frame_count; f += 7)
                check_near(
                    snw_wrap_angle(snw_angles_at(turned, f, c) - snw_angles_at(angles, f, c)), 0,
                    1e-4);
        }
        snw_gait_events *found = NULL;
        assert_int_equal(snw_gait_events_find(trial, &options, NULL, &found, NULL, &error), SNW_OK);
        assert_int_equal(found->count, events->count);
        for (int e = 0; e < events->count; e++) {
            assert_int_equal(found->event[e].kind, events->event[e].kind);
            assert_int_equal(found->event[e].side, events->event[e].side);
            check_near(found->event[e].time, events->event[e].time, 1e-3);
        }
        snw_gait_events_destroy(found);
        snw_angles_destroy(turned);
        snw_trial_destroy(trial);
    }
    snw_gait_events_destroy(events);
    snw_angles_destroy(angles);
    snw_trial_destroy(straight);
}

/* Plug-in-Gait's pelvis is turned in the lab's axes: the one that is nearest to the way. */
static void the_pelvis_is_turned_in_the_axes_of_the_way(void **state)
{
    (void)state;
    snw_trial *straight = make_walk(2);
    snw_gait_model truth = model_of(straight);
    snw_angles *angles = NULL, *turned = NULL;
    snw_error error;
    assert_int_equal(snw_angles_measure(straight, &truth, SNW_ANGLES_PIG, NULL, &angles, &error),
                     SNW_OK);
    for (int n = 0; n < 8; n++) {
        snw_trial *trial = NULL;
        assert_int_equal(snw_trial_copy(straight, NULL, &trial, NULL), SNW_OK);
        turn_trial(trial, lab(n));
        trial->up = SNW_UP_UNKNOWN;
        snw_gait_model model = model_of(trial);
        assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_PIG, NULL, &turned, &error),
                         SNW_OK);
        for (int c = 0; c < angles->column_count; c++)
            for (int f = 0; f < angles->frame_count; f += 9)
                check_near(
                    snw_wrap_angle(snw_angles_at(turned, f, c) - snw_angles_at(angles, f, c)), 0,
                    1e-4);
        snw_angles_destroy(turned);
        snw_trial_destroy(trial);
    }
    snw_angles_destroy(angles);
    snw_trial_destroy(straight);
}

/* ---- hidden markers -------------------------------------------------------------------------- */

/* What two poses both have is the same; *lost counts what only the first has. */
static void compare_poses(const snw_gait_pose *whole, const snw_gait_pose *less, int *lost)
{
    for (int side = 0; side < 2; side++) {
        for (int c = 0; c < SNW_GAIT_CENTER_COUNT; c++) {
            assert_true(whole->has_center[c][side] || !less->has_center[c][side]);
            *lost += whole->has_center[c][side] && !less->has_center[c][side];
            if (less->has_center[c][side])
                check_vec3_near(less->center[c][side], whole->center[c][side], 0);
        }
        for (int s = 0; s < SNW_GAIT_SEGMENT_COUNT; s++) {
            assert_true(whole->has_segment[s][side] || !less->has_segment[s][side]);
            *lost += whole->has_segment[s][side] && !less->has_segment[s][side];
            if (!less->has_segment[s][side]) continue;
            check_vec3_near(less->world_from_segment[s][side].translation,
                            whole->world_from_segment[s][side].translation, 0);
            check_quat_near(less->world_from_segment[s][side].rotation,
                            whole->world_from_segment[s][side].rotation, 1e-12);
        }
    }
}

static bool is_used(const snw_gait_markers *markers, int marker)
{
    for (int m = 0; m < SNW_GAIT_MARKER_COUNT; m++)
        for (int side = 0; side < 2; side++)
            if (markers->at[m][side] == marker) return true;
    return false;
}

/* Every marker in turn: what is still there is where it was, and nothing is made up. */
static void a_hidden_marker_takes_only_what_needs_it(void **state)
{
    (void)state;
    snw_trial *trial = make_walk(1);
    snw_gait_model model = model_of(trial);
    snw_gait_pose whole, less;
    int needed = 0;
    snw_frame frame = snw_trial_frame(trial, 20);
    snw_gait_model_pose(&model, &frame, &whole);
    for (int m = 0; m < trial->marker_count; m++) {
        size_t at = (size_t)20 * (size_t)trial->marker_count + (size_t)m;
        int lost = 0;
        uint8_t kept = trial->state[at];
        trial->state[at] = SNW_SAMPLE_MISSING;
        snw_gait_model_pose(&model, &frame, &less);
        compare_poses(&whole, &less, &lost);
        assert_true(lost == 0 || is_used(&model.markers, m));
        needed += lost > 0;
        /* A sample that is not finite is as good as none. */
        trial->state[at] = kept;
        float x = trial->sample[at].x;
        int same = 0;
        trial->sample[at].x = NAN;
        snw_gait_model_pose(&model, &frame, &less);
        compare_poses(&whole, &less, &same);
        assert_int_equal(same, lost);
        trial->sample[at].x = x;
    }
    assert_true(needed >= 25); /* of the 41: pelvis, legs, trunk and arms; heads have spare ones */
    snw_trial_destroy(trial);
}

/* Markers that a whole trial does not have: still a model, with less in it, until pelvis or both
 * legs are gone. */
static void a_marker_that_nobody_wears_leaves_less(void **state)
{
    (void)state;
    snw_trial *trial = make_walk(1);
    snw_gait_model all = model_of(trial);
    for (int m = 0; m < trial->marker_count; m++) {
        snw_trial *less = NULL;
        snw_gait_model model;
        snw_gait_pose whole, pose;
        snw_error error;
        assert_int_equal(snw_trial_copy(trial, NULL, &less, NULL), SNW_OK);
        assert_int_equal(snw_trial_set_marker_name(less, m, "extra", NULL), SNW_OK);
        snw_status status = snw_gait_model_make(less, less, NULL, &model, NULL, &error);
        bool is_pelvis =
            strstr(trial->marker[m].name, "ASI") || strstr(trial->marker[m].name, "PSI");
        assert_int_equal(status, is_pelvis ? SNW_NOT_FOUND : SNW_OK);
        if (status == SNW_OK) {
            snw_frame frame = snw_trial_frame(less, 10);
            snw_gait_model_pose(&all, &frame, &whole);
            snw_gait_model_pose(&model, &frame, &pose);
            for (int s = 0; s < SNW_GAIT_SEGMENT_COUNT; s++)
                for (int side = 0; side < 2; side++)
                    assert_true(whole.has_segment[s][side] || !pose.has_segment[s][side]);
        } else {
            assert_true(error.message[0] != 0);
        }
        snw_trial_destroy(less);
    }
    snw_trial_destroy(trial);
}

/* A toe between the first and the fifth metatarsal is a toe. */
static void two_metatarsals_are_a_toe(void **state)
{
    (void)state;
    snw_trial *trial = make_walk(1), *two = NULL;
    int toe = snw_trial_find_marker(trial, "LTOE"), fifth = snw_trial_find_marker(trial, "LMT5");
    assert_true(toe >= 0 && fifth >= 0);
    assert_int_equal(snw_trial_copy(trial, NULL, &two, NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(two, toe, "LMT1", NULL), SNW_OK);
    for (int f = 0; f < two->frame_count; f++) {
        snw_vec3 between = snw_trial_position(trial, f, toe);
        snw_vec3 first = snw_vec3_lerp(snw_trial_position(trial, f, fifth), between, 2);
        snw_trial_set(two, f, toe, first, SNW_SAMPLE_MEASURED);
    }
    snw_gait_model one_toe = model_of(trial), two_heads = model_of(two);
    snw_gait_pose a, b;
    snw_frame frame = snw_trial_frame(trial, 12), other = snw_trial_frame(two, 12);
    snw_gait_model_pose(&one_toe, &frame, &a);
    snw_gait_model_pose(&two_heads, &other, &b);
    assert_true(a.has_segment[SNW_SEGMENT_FOOT][0] && b.has_segment[SNW_SEGMENT_FOOT][0]);
    /* Floats of millimetres over a foot of 0.2 m. */
    check_quat_near(b.world_from_segment[SNW_SEGMENT_FOOT][0].rotation,
                    a.world_from_segment[SNW_SEGMENT_FOOT][0].rotation, 1e-5);
    snw_trial_destroy(two);
    snw_trial_destroy(trial);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void what_cannot_be_measured_is_told(void **state)
{
    (void)state;
    snw_trial *trial = make_walk(1);
    snw_gait_model model = model_of(trial);
    snw_angles *angles = NULL;
    snw_gait_events *events = NULL;
    snw_error error;
    assert_int_equal(
        snw_angles_measure(trial, &model, SNW_ANGLES_FUNCTIONAL, NULL, &angles, &error),
        SNW_INVALID_ARGUMENT);
    snw_trial empty = *trial;
    empty.rate = 0;
    assert_int_equal(snw_gait_events_find(&empty, NULL, NULL, &events, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "rate"));
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            snw_trial_set(trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    assert_int_equal(snw_angles_measure(trial, &model, SNW_ANGLES_ISB, NULL, &angles, &error),
                     SNW_DEGENERATE);
    assert_null(angles);
    for (int m = 0; m < trial->marker_count; m++)
        snw_trial_set_marker_name(trial, m, "x", NULL);
    assert_int_equal(snw_gait_events_find(trial, NULL, NULL, &events, NULL, &error), SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "pelvis"));
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lab_axes_do_not_matter),
        cmocka_unit_test(the_pelvis_is_turned_in_the_axes_of_the_way),
        cmocka_unit_test(a_hidden_marker_takes_only_what_needs_it),
        cmocka_unit_test(a_marker_that_nobody_wears_leaves_less),
        cmocka_unit_test(two_metatarsals_are_a_toe),
        cmocka_unit_test(what_cannot_be_measured_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
