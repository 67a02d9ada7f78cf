/* Published robot arms reach random poses of their flange with the default options, from the middle
 * of their ranges and from anywhere. */
#include "../cli/bench/bench_poses.h"
#include "check.h"
#include "ik_bodies.h"

static void robot_arms_reach_what_they_can(void **state)
{
    static const char *const names[] = {"puma560", "arm7", "panda", "ur5", "ur10", "gen3"};
    (void)state;
    for (int n = 0; n < 12; n++) {
        snw_skeleton *body = preset(names[n / 2]);
        snw_pose *truth = pose_of(body), *pose = pose_of(body);
        int tool = body->joint_count - 1, count = CHECK_SAMPLES(300), missed = 0;
        snw_goal goal = snw_goal_pose(tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0),
                                      snw_quat_identity());
        snw_ik_options options = snw_ik_options_default();
        snw_random random = snw_random_seed(61, 1);
        snw_ik *ik = NULL;
        options.tolerance = 1e-5 / body->size; /* 1e-5 m and 1e-5 rad */
        options.turn_tolerance = 1e-5;
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, NULL), SNW_OK);
        for (int k = 0; k < count; k++) {
            bench_take_pose(truth, &random, false);
            goal.position = truth->world[tool].translation;
            goal.orientation = truth->world[tool].rotation;
            bench_take_pose(pose, &random, n % 2 == 0);
            missed += snw_ik_solve(ik, &goal, pose).outcome != SNW_IK_REACHED;
            check_near(snw_pose_violation(pose), 0, SNW_LIMIT_TOLERANCE);
        }
        /* 1 of 1000 missed at most, measured with sinew bench ik --robots: 2 of 300 is chance. */
        if (missed > 2) fail_msg("%s: %d of %d missed", names[n / 2], missed, count);
        snw_ik_destroy(ik);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_arms_reach_what_they_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
