/* Joints of known marker sets stay near the markers that sit on them. */
#include "check.h"

/* The 41 markers of a person of known truth, thin on thigh and shank as in life. */
static void knees_and_ankles_of_a_known_set_lie_where_they_are(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_DANCE;
    options.seconds = 6;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_limbs *limbs = NULL;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    assert_int_equal(snw_limbs_find(synth->capture, NULL, NULL, &limbs, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(synth->capture, limbs, NULL, NULL, &actor, NULL, NULL),
                     SNW_OK);
    assert_int_equal(snw_actor_solve(actor, synth->capture, NULL, NULL, &motion, NULL, NULL),
                     SNW_OK);
    static const struct {
        const char *solved, *truth;
        double tolerance; /* metres: what the labels alone can promise with 2 mm of skin motion */
    } joints[] = {{"LeftLeg", "left_knee", 0.06},
                  {"RightLeg", "right_knee", 0.06},
                  {"LeftFoot", "left_ankle", 0.04},
                  {"RightFoot", "right_ankle", 0.04}};
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (size_t k = 0; k < 4; k++) {
        int joint = snw_skeleton_find_joint(actor->skeleton, joints[k].solved);
        int truth = snw_trial_find_marker(synth->joint_truth, joints[k].truth);
        assert_true(joint >= 0 && truth >= 0);
        double sum2 = 0;
        for (int frame = 0; frame < motion->frame_count; frame++) {
            snw_motion_get(motion, frame, pose);
            snw_pose_forward(pose);
            snw_vec3 at = snw_trial_position(synth->joint_truth, frame, truth);
            double off = snw_vec3_distance(pose->world[joint].translation, at);
            sum2 += off * off;
        }
        check_near(sqrt(sum2 / motion->frame_count), 0, joints[k].tolerance);
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_limbs_destroy(limbs);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knees_and_ankles_of_a_known_set_lie_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
