/* Hips and knee axes from functional trials: a leg that moves about known points must give them
 * back, and what does not move must not. */
#include "check.h"

#define FRAMES 400

enum {
    LASI,
    RASI,
    LPSI,
    RPSI,
    LTHI,
    LTHAP,
    LTHAD,
    LKNE,
    LTIB,
    LTIAP,
    LTIAD,
    LANK,
    RKNE,
    RANK,
    LTOE,
    RTOE,
    MARKERS
};

/* The left leg in the pelvis' frame (x forward, y left, z up, origin between the ASIS): the hip's
 * centre, and the knee below it with its axis turned by `turn` about the thigh, forwards outside.
 */
typedef struct leg_truth {
    snw_vec3 hip;
    double turn;
} leg_truth;

static snw_vec3 marker_rest(int marker)
{
    static const double at[MARKERS][3] = {
        [LASI] = {0, 0.12, 0},          [RASI] = {0, -0.12, 0},
        [LPSI] = {-0.15, 0.05, 0},      [RPSI] = {-0.15, -0.05, 0},
        [LTHI] = {0.0, 0.17, -0.28},    [LTHAP] = {0.08, 0.10, -0.25},
        [LTHAD] = {0.07, 0.11, -0.38},  [LKNE] = {-0.04, 0.14, -0.50},
        [LTIB] = {-0.02, 0.13, -0.70},  [LTIAP] = {0.03, 0.08, -0.62},
        [LTIAD] = {0.02, 0.09, -0.75},  [LANK] = {-0.05, 0.12, -0.90},
        [RKNE] = {-0.04, -0.14, -0.50}, [RANK] = {-0.05, -0.12, -0.90},
        [LTOE] = {0.12, 0.10, -0.95},   [RTOE] = {0.12, -0.10, -0.95}};
    return snw_vec3_make(at[marker][0], at[marker][1], at[marker][2]);
}

static bool is_thigh(int m)
{
    return m == LTHI || m == LTHAP || m == LTHAD || m == LKNE;
}

static bool is_shank(int m)
{
    return m == LTIB || m == LTIAP || m == LTIAD || m == LANK || m == LTOE;
}

/* `hip_turn` and `bend`: radians of the two movements. */
static snw_trial *make_trial(const leg_truth *truth, double hip_turn, double bend)
{
    static const char *const name[MARKERS] = {"LASI",  "RASI", "LPSI", "RPSI",  "LTHI",  "LTHAP",
                                              "LTHAD", "LKNE", "LTIB", "LTIAP", "LTIAD", "LANK",
                                              "RKNE",  "RANK", "LTOE", "RTOE"};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.marker_count = MARKERS;
    options.frame_count = FRAMES;
    options.rate = 100;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    trial->up = SNW_UP_Z;
    for (int m = 0; m < MARKERS; m++)
        snw_trial_set_marker_name(trial, m, name[m], &error);
    snw_vec3 knee = {-0.04, 0.085, -0.50};
    snw_vec3 axis = {sin(truth->turn), cos(truth->turn), 0};
    for (int f = 0; f < FRAMES; f++) {
        double t = 2 * SNW_PI * f / FRAMES;
        double angle[3] = {hip_turn * sin(2 * t), 0.7 * hip_turn * sin(3 * t + 1),
                           0.4 * hip_turn * sin(5 * t)};
        snw_quat hip = snw_quat_from_euler(SNW_EULER_YXZ, angle);
        snw_quat hinge = snw_quat_from_axis_angle(axis, bend * (1 - cos(3 * t)));
        double lean[3] = {0.01 * sin(t), 0.006 * cos(t), 0.004 * sin(2 * t)};
        snw_xform pelvis = snw_xform_make(snw_quat_from_euler(SNW_EULER_YXZ, lean),
                                          snw_vec3_make(0.3, 1.2 + 0.001 * sin(t), 1.0));
        for (int m = 0; m < MARKERS; m++) {
            snw_vec3 at = marker_rest(m);
            if (is_shank(m))
                at = snw_vec3_add(knee, snw_quat_rotate(hinge, snw_vec3_sub(at, knee)));
            if (is_shank(m) || is_thigh(m))
                at = snw_vec3_add(truth->hip, snw_quat_rotate(hip, snw_vec3_sub(at, truth->hip)));
            snw_trial_set(trial, f, m, snw_xform_point(pelvis, at), SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

static void a_hip_that_moves_is_found_where_it_is(void **state)
{
    (void)state;
    const leg_truth truth = {{-0.055, 0.09, -0.085}, 0};
    snw_trial *trial = make_trial(&truth, 0.5, 0);
    snw_functional functional;
    snw_notes notes = snw_notes_none();
    snw_error error;
    memset(&functional, 0, sizeof functional);
    assert_int_equal(snw_functional_add(&functional, trial, &notes, &error), SNW_OK);
    assert_true(functional.has_hip[SNW_SIDE_LEFT]);
    assert_false(functional.has_hip[SNW_SIDE_RIGHT]); /* it did not move */
    assert_true(notes.count > 0);
    /* Samples are floats: 1e-7 of a metre. */
    check_vec3_near(functional.hip[SNW_SIDE_LEFT], truth.hip, 1e-6);

    /* The model takes it, and only on that side. */
    snw_gait_options options = snw_gait_options_default();
    snw_gait_model model;
    snw_gait_pose pose;
    options.functional = &functional;
    assert_int_equal(snw_gait_model_make(trial, NULL, &options, &model, NULL, &error), SNW_OK);
    snw_frame frame = snw_trial_frame(trial, 10);
    snw_gait_model_pose(&model, &frame, &pose);
    snw_vec3 local = snw_xform_unpoint(pose.world_from_segment[SNW_SEGMENT_PELVIS][0],
                                       pose.center[SNW_GAIT_CENTER_HIP][SNW_SIDE_LEFT]);
    check_vec3_near(local, truth.hip, 1e-6);
    local = snw_xform_unpoint(pose.world_from_segment[SNW_SEGMENT_PELVIS][0],
                              pose.center[SNW_GAIT_CENTER_HIP][SNW_SIDE_RIGHT]);
    assert_true(snw_vec3_distance(local, snw_vec3_make(truth.hip.x, -truth.hip.y, truth.hip.z)) >
                1e-3); /* by regression */
    snw_trial_destroy(trial);
}

/* The thigh's y axis of the model follows the axis that the knee bends about. */
static void a_knee_that_bends_turns_the_thigh_to_its_axis(void **state)
{
    (void)state;
    for (int n = -1; n <= 1; n++) {
        const leg_truth truth = {{-0.055, 0.09, -0.085}, 0.2 * n};
        snw_trial *trial = make_trial(&truth, 0, 0.5);
        snw_functional functional;
        snw_gait_options options = snw_gait_options_default();
        snw_gait_model model;
        snw_gait_pose pose;
        snw_error error;
        memset(&functional, 0, sizeof functional);
        assert_int_equal(snw_functional_add(&functional, trial, NULL, &error), SNW_OK);
        assert_true(functional.has_knee[SNW_SIDE_LEFT]);
        assert_false(functional.has_hip[SNW_SIDE_LEFT]);
        options.functional = &functional;
        assert_int_equal(snw_gait_model_make(trial, NULL, &options, &model, NULL, &error), SNW_OK);
        snw_frame frame = snw_trial_frame(trial, 0);
        snw_gait_model_pose(&model, &frame, &pose);
        snw_quat pelvis = pose.world_from_segment[SNW_SEGMENT_PELVIS][0].rotation;
        snw_quat thigh = pose.world_from_segment[SNW_SEGMENT_THIGH][SNW_SIDE_LEFT].rotation;
        snw_vec3 axis = {sin(truth.turn), cos(truth.turn), 0};
        axis = snw_quat_rotate(pelvis, axis);
        snw_vec3 up = snw_quat_rotate(thigh, snw_vec3_make(0, 0, 1));
        snw_vec3 y = snw_quat_rotate(thigh, snw_vec3_make(0, 1, 0));
        axis = snw_vec3_add_scaled(axis, -snw_vec3_dot(axis, up), up);
        /* 0.006 degrees: the axis is found from floats, with a small prior on its place. */
        check_near(snw_vec3_length(snw_vec3_cross(snw_vec3_unit(axis, axis), y)), 0, 1e-4);
        assert_true(snw_vec3_dot(axis, y) > 0);
        snw_trial_destroy(trial);
    }
}

static void who_does_not_move_tells_nothing(void **state)
{
    (void)state;
    const leg_truth truth = {{-0.055, 0.09, -0.085}, 0};
    snw_trial *trial = make_trial(&truth, 0, 0);
    snw_functional functional;
    snw_error error;
    memset(&functional, 0, sizeof functional);
    assert_int_equal(snw_functional_add(&functional, trial, NULL, &error), SNW_DEGENERATE);
    assert_false(functional.has_hip[0] || functional.has_hip[1] || functional.has_knee[0] ||
                 functional.has_knee[1]);
    snw_trial_destroy(trial);
}

/* A walk, a jump and functional trials are not still; statics are, whether or not they say so. */
static void standing_is_told_from_moving(void **state)
{
    (void)state;
    const leg_truth truth = {{-0.055, 0.09, -0.085}, 0};
    snw_trial *still = make_trial(&truth, 0, 0), *moving = make_trial(&truth, 0.5, 0);
    assert_true(snw_trial_is_still(still));
    assert_false(snw_trial_is_still(moving));
    int16_t yes = 1;
    char name[] = "IS_STATIC", text[] = "";
    snw_parameter said = {name, text, false, SNW_PARAMETER_INT16, 0, {0}, 2, &yes};
    snw_error error;
    assert_int_equal(snw_trial_set_parameter(moving, "SUBJECTS", &said, &error), SNW_OK);
    assert_true(snw_trial_is_still(moving));
    snw_trial_destroy(still);
    snw_trial_destroy(moving);
}

static void statics_of_the_corpus_are_still_and_walks_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool is_still;
    } row[] = {{"c3d_gait/pig_full_static.c3d", true},
               {"people/pycgm_static.c3d", true},
               {"people/opencap4_static1.trc", true},
               {"c3d_gait/pig_full_walk.c3d", false},
               {"c3d_gait/pig_sample03_walk.c3d", false},
               {"people/opencap4_walking1.trc", false},
               {"people/opencap4_DJ1.trc", false},
               {"c3d_functional/biobuddy_right_hip.c3d", false},
               {"c3d_functional/biobuddy_right_knee.c3d", false}};
    if (!corpus_folder()) skip();
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        char path[1024];
        snw_trial *trial = NULL;
        snprintf(path, sizeof path, "%s/%s", corpus_folder(), row[n].name);
        assert_int_equal(snw_read_trial_file(path, NULL, NULL, &trial, NULL, NULL), SNW_OK);
        if (snw_trial_is_still(trial) != row[n].is_still) fail_msg("%s", row[n].name);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hip_that_moves_is_found_where_it_is),
        cmocka_unit_test(a_knee_that_bends_turns_the_thigh_to_its_axis),
        cmocka_unit_test(who_does_not_move_tells_nothing),
        cmocka_unit_test(standing_is_told_from_moving),
        cmocka_unit_test(statics_of_the_corpus_are_still_and_walks_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
