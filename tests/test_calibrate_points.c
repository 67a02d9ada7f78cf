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

/* The words of the programs' own documents; a side stands for both. */
static const struct {
    const char *program, *names;
} vocabularies[] = {
    {"BODY_25",
     "Nose Neck RShoulder RElbow RWrist LShoulder LElbow LWrist MidHip RHip RKnee RAnkle "
     "LHip LKnee LAnkle REye LEye REar LEar LBigToe LSmallToe LHeel RBigToe RSmallToe "
     "RHeel"},
    {"BODY_25B",
     "Nose LEye REye LEar REar LShoulder RShoulder LElbow RElbow LWrist RWrist LHip RHip "
     "LKnee RKnee LAnkle RAnkle Neck Head LBigToe LSmallToe LHeel RBigToe RSmallToe "
     "RHeel"},
    {"COCO",
     "nose left_eye right_eye left_ear right_ear left_shoulder right_shoulder left_elbow "
     "right_elbow left_wrist right_wrist left_hip right_hip left_knee right_knee left_ankle "
     "right_ankle"},
    {"HALPE_26",
     "Nose LEye REye LEar REar LShoulder RShoulder LElbow RElbow LWrist RWrist LHip RHip "
     "LKnee RKnee LAnkle RAnkle Head Neck Hip LBigToe RBigToe LSmallToe RSmallToe LHeel "
     "RHeel"},
    {"MediaPipe", "nose left_eye_inner left_eye left_eye_outer right_eye_inner right_eye "
                  "right_eye_outer left_ear right_ear mouth_left mouth_right left_shoulder "
                  "right_shoulder left_elbow right_elbow left_wrist right_wrist left_pinky "
                  "right_pinky left_index right_index left_thumb right_thumb left_hip right_hip "
                  "left_knee right_knee left_ankle right_ankle left_heel right_heel "
                  "left_foot_index right_foot_index"},
    {"Kinect 2",
     "SpineBase SpineMid Neck Head ShoulderLeft ElbowLeft WristLeft HandLeft "
     "ShoulderRight ElbowRight WristRight HandRight HipLeft KneeLeft AnkleLeft FootLeft "
     "HipRight KneeRight AnkleRight FootRight SpineShoulder HandTipLeft ThumbLeft "
     "HandTipRight ThumbRight"},
    {"Azure Kinect", "PELVIS SPINE_NAVEL SPINE_CHEST NECK CLAVICLE_LEFT SHOULDER_LEFT ELBOW_LEFT "
                     "WRIST_LEFT HAND_LEFT HANDTIP_LEFT THUMB_LEFT CLAVICLE_RIGHT SHOULDER_RIGHT "
                     "ELBOW_RIGHT WRIST_RIGHT HAND_RIGHT HANDTIP_RIGHT THUMB_RIGHT HIP_LEFT "
                     "KNEE_LEFT ANKLE_LEFT FOOT_LEFT HIP_RIGHT KNEE_RIGHT ANKLE_RIGHT FOOT_RIGHT "
                     "HEAD NOSE EYE_LEFT EAR_LEFT EYE_RIGHT EAR_RIGHT"},
    {"Theia",
     "pelvis torso head l_thigh l_shank l_foot l_toes r_thigh r_shank r_foot r_toes l_uarm "
     "l_larm l_hand r_uarm r_larm r_hand"},
    {"Xsens",
     "jL5S1 jL4L3 jL1T12 jT9T8 jT1C7 jC1Head jRightT4Shoulder jRightShoulder jRightElbow "
     "jRightWrist jLeftT4Shoulder jLeftShoulder jLeftElbow jLeftWrist jRightHip jRightKnee "
     "jRightAnkle jRightBallFoot jLeftHip jLeftKnee jLeftAnkle jLeftBallFoot"},
};

static void every_point_of_every_program_is_known_as_a_joint(void **state)
{
    (void)state;
    for (size_t v = 0; v < sizeof vocabularies / sizeof *vocabularies; v++) {
        snw_trial *trial = NULL;
        snw_labels *labels = NULL;
        snw_trial_options options = snw_trial_options_default();
        const char *at = vocabularies[v].names;
        options.frame_count = options.marker_count = 1;
        for (const char *c = at; *c; c++)
            options.marker_count += *c == ' ';
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        for (int m = 0; m < trial->marker_count; m++) {
            char name[64];
            size_t length = strcspn(at, " ");
            snw_format(name, sizeof name, "%.*s", (int)length, at);
            assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
            at += length + (at[length] == ' ');
        }
        assert_int_equal(snw_labels_read(trial, NULL, &labels, NULL), SNW_OK);
        int hips = 0;
        for (int m = 0; m < trial->marker_count; m++) {
            const snw_label *label = labels->marker + m;
            if (label->kind != SNW_LABEL_LANDMARK || label->point != SNW_POINT_JOINT)
                fail_msg("%s: %s is no joint", vocabularies[v].program, trial->marker[m].name);
            hips += label->joint == SNW_PART_UPLEG && label->spot == SNW_SPOT_CENTER;
        }
        assert_int_equal(hips, 2);
        snw_labels_destroy(labels);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_joints_make_a_body_with_constant_bones),
        cmocka_unit_test(joints_beside_markers_are_markers),
        cmocka_unit_test(every_point_of_every_program_is_known_as_a_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
