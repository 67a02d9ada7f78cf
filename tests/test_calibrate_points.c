/* Points that are joints, as programs name them that see people without markers. */
#include <string.h>

#include "joint_errors.h"

/* What the body, OpenPose and COCO call a joint; the synthetic person has COCO's words. */
static const struct {
    const char *joint, *openpose, *coco;
} words[] = {{"LeftUpLeg", "LHip", "left_hip"},         {"RightUpLeg", "RHip", "right_hip"},
             {"LeftLeg", "LKnee", "left_knee"},         {"RightLeg", "RKnee", "right_knee"},
             {"LeftFoot", "LAnkle", "left_ankle"},      {"RightFoot", "RAnkle", "right_ankle"},
             {"LeftArm", "LShoulder", "left_shoulder"}, {"RightArm", "RShoulder", "right_shoulder"},
             {"LeftForeArm", "LElbow", "left_elbow"},   {"RightForeArm", "RElbow", "right_elbow"},
             {"LeftHand", "LWrist", "left_wrist"},      {"RightHand", "RWrist", "right_wrist"}};
#define WORDS ((int)(sizeof words / sizeof *words))

/* Metres, of a coordinate. */
#define NOISE 0.01

/* The true joints of a motion under those names, every sample off by the noise. */
static snw_trial *make_capture(const snw_trial *truth, bool is_coco)
{
    snw_trial *trial = NULL;
    snw_random random = snw_random_seed(24, 5);
    snw_trial_options options = snw_trial_options_default();
    options.frame_count = truth->frame_count;
    options.marker_count = WORDS;
    options.rate = truth->rate;
    options.metres_per_unit = 1;
    options.unit = "m";
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int n = 0; n < WORDS; n++) {
        int from = snw_trial_find_marker(truth, words[n].coco);
        const char *name = is_coco ? words[n].coco : words[n].openpose;
        assert_true(from >= 0);
        assert_int_equal(snw_trial_set_marker_name(trial, n, name, NULL), SNW_OK);
        for (int f = 0; f < truth->frame_count; f++) {
            snw_vec3 at = snw_trial_position(truth, f, from);
            at.x += NOISE * snw_random_normal(&random);
            at.y += NOISE * snw_random_normal(&random);
            at.z += NOISE * snw_random_normal(&random);
            snw_trial_set(trial, f, n, at, SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

/* The truth under the body's names. */
static snw_trial *make_truth(const snw_trial *truth)
{
    snw_trial *out = NULL;
    assert_int_equal(snw_trial_copy(truth, NULL, &out, NULL), SNW_OK);
    for (int n = 0; n < WORDS; n++)
        assert_int_equal(snw_trial_set_marker_name(out, snw_trial_find_marker(out, words[n].coco),
                                                   words[n].joint, NULL),
                         SNW_OK);
    assert_int_equal(
        snw_trial_set_marker_name(out, snw_trial_find_marker(out, "spine"), "Chest", NULL), SNW_OK);
    return out;
}

static void check_body(const snw_trial *capture, const snw_trial *truth, double known)
{
    snw_solution *solution = NULL;
    snw_solve_options options = snw_solve_options_default();
    snw_error error;
    double error_of[64];
    options.is_smooth = true;
    if (snw_solve(capture, &options, NULL, &solution, &error) != SNW_OK)
        fail_msg("%s", error.message);
    const snw_skeleton *body = solution->body->kept->skeleton;
    assert_int_equal(solution->body_count, 1);
    assert_int_equal(body->joint_count, 10); /* no points on head, hands and feet */
    assert_true(solution->verdict < SNW_VERDICT_RED);
    assert_true(solution->body->report.residual < 2 * known);
    int hip = snw_skeleton_find_joint(body, "LeftUpLeg"),
        knee = snw_skeleton_find_joint(body, "LeftLeg"),
        elbow = snw_skeleton_find_joint(body, "RightForeArm");
    assert_true(hip > 0 && knee > 0 && elbow > 0);
    assert_int_equal(body->joint[knee].type, SNW_JOINT_HINGE);
    assert_int_equal(body->joint[elbow].type, SNW_JOINT_HINGE);
    int count = measure_errors(solution->body->kept, solution->body->motion, truth, error_of);
    for (int n = 0; n < count; n++) {
        /* L5/S1 comes from proportions and is another point than the synthetic chest's */
        if (strcmp(body->name[n + 1], "Chest") == 0) continue;
        if (!(error_of[n] < 2 * known))
            fail_msg("%s is %.1f mm off", body->name[n + 1], 1000 * error_of[n]);
    }
    snw_solution_destroy(solution);
}

static void points_that_are_joints_make_a_body_with_constant_bones(void **state)
{
    (void)state;
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *person = NULL;
    snw_synth *synth = NULL;
    options.motion = SNW_SYNTH_WALK;
    options.seconds = 4;
    options.rate = 60;
    assert_int_equal(snw_preset_create("humanoid", NULL, &person, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(person, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_trial *truth = make_truth(synth->joint_truth);
    for (int is_coco = 0; is_coco < 2; is_coco++) {
        snw_trial *capture = make_capture(synth->joint_truth, is_coco);
        check_body(capture, truth, sqrt(3) * NOISE);
        snw_trial_destroy(capture);
    }
    snw_trial_destroy(truth);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(person);
}

/* The same words beside markers on the skin are markers. */
static void joints_beside_markers_are_markers(void **state)
{
    (void)state;
    static const char *const names[] = {"LHip",   "RHip",   "LKnee", "RKnee",
                                        "LAnkle", "RAnkle", "LASI",  "RASI"};
    enum {
        COUNT = sizeof names / sizeof *names
    };
    for (int count = COUNT - 2; count <= COUNT; count += 2) {
        snw_trial *trial = NULL;
        snw_labels *labels = NULL;
        snw_trial_options options = snw_trial_options_default();
        options.frame_count = 1;
        options.marker_count = count;
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        for (int n = 0; n < count; n++)
            assert_int_equal(snw_trial_set_marker_name(trial, n, names[n], NULL), SNW_OK);
        assert_int_equal(snw_labels_read(trial, NULL, &labels, NULL), SNW_OK);
        bool is_joint = count < COUNT;
        assert_int_equal(labels->marker[2].spot, is_joint ? SNW_SPOT_CENTER : SNW_SPOT_LATERAL);
        assert_int_equal(labels->marker[2].point, is_joint ? SNW_POINT_JOINT : SNW_POINT_MARKER);
        snw_labels_destroy(labels);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_joints_make_a_body_with_constant_bones),
        cmocka_unit_test(joints_beside_markers_are_markers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
