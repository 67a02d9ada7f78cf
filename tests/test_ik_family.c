/* What the methods of the literature claim beside reaching: who moves first, what is like examples,
 * what a second objective is worth. tests/test_ik_grid.c holds them to reaching. */
#include "ik_bodies.h"

#include <sinew/style.h>

static double turned(const snw_pose *pose, const char *name)
{
    int joint = snw_skeleton_find_joint(pose->skeleton, name);
    return snw_quat_angle_between(pose->rotation[joint], snw_quat_identity());
}

static snw_ik_result reach_wrist(snw_ik_solver solver, snw_vec3 target, snw_pose *pose)
{
    snw_ik_options options = snw_ik_options_default();
    int wrist = snw_skeleton_find_joint(pose->skeleton, "left_wrist");
    snw_goal goal = snw_goal_position(wrist, snw_vec3_make(0, 0, 0), target);
    options.solver = solver;
    snw_ik *ik = ik_of(pose->skeleton, &goal, 1, &options);
    snw_pose_reset(pose);
    snw_ik_result result = snw_ik_solve(ik, &goal, pose);
    snw_ik_destroy(ik);
    return result;
}

/* Two wrists: the body branches at the chest, and each arm is a group of its own. */
static snw_ik_result reach_both(snw_ik_solver solver, const snw_pose *truth, snw_pose *pose)
{
    snw_ik_options options = snw_ik_options_default();
    snw_goal goals[2];
    static const char *const name[] = {"left_wrist", "right_wrist"};
    for (int k = 0; k < 2; k++) {
        int wrist = snw_skeleton_find_joint(pose->skeleton, name[k]);
        goals[k] =
            snw_goal_position(wrist, snw_vec3_make(0, 0, 0), truth->world[wrist].translation);
    }
    options.solver = solver;
    snw_ik *ik = ik_of(pose->skeleton, goals, 2, &options);
    snw_pose_reset(pose);
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    snw_ik_destroy(ik);
    return result;
}

static double trunk_turn(const snw_pose *pose)
{
    return turned(pose, "spine") + turned(pose, "chest");
}

static void bend_arms(snw_random *random, snw_pose *pose)
{
    static const char *const arm[] = {"left_shoulder", "left_elbow", "right_shoulder",
                                      "right_elbow"};
    snw_pose_reset(pose);
    for (int k = 0; k < 4; k++) {
        int j = snw_skeleton_find_joint(pose->skeleton, arm[k]);
        snw_quat turn = snw_quat_from_axis_angle(snw_random_direction(random), 0.7);
        pose->rotation[j] = snw_joint_limit_apply(&pose->skeleton->joint[j], turn);
    }
    snw_pose_forward(pose);
}

/* Both arms bent, the trunk as at rest: the arms alone can do it, and plain descent does not know
 * that. */
static void arms_move_before_the_trunk(void **state)
{
    (void)state;
    static const snw_ik_solver solver[] = {SNW_IK_CCD, SNW_IK_CCD_MASS, SNW_IK_SEQUENTIAL};
    snw_skeleton *body = preset("humanoid");
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    snw_random random = snw_random_seed(4, 1);
    int reached[3] = {0}, count = CHECK_CASES(40);
    double trunk[3] = {0};
    for (int n = 0; n < count; n++) {
        bend_arms(&random, truth);
        for (int s = 0; s < 3; s++) {
            reached[s] += reach_both(solver[s], truth, pose).outcome == SNW_IK_REACHED;
            trunk[s] += trunk_turn(pose);
        }
    }
    assert_true(reached[1] >= 0.9 * count && reached[2] >= 0.9 * count);
    /* Measured: 3.24, 0.17 and 0 radians in all. */
    assert_true(trunk[1] < 0.2 * trunk[0]);
    assert_true(trunk[2] < 0.2 * trunk[0]);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Half a metre beyond the arm: the trunk has to help, and does. */
static void a_trunk_helps_where_an_arm_is_too_short(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    snw_vec3 target = {0.35, 0.45, 0.65};
    assert_int_equal(reach_wrist(SNW_IK_SEQUENTIAL, target, pose).outcome, SNW_IK_REACHED);
    assert_true(turned(pose, "spine") + turned(pose, "chest") > 0.05);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* How far joints are from where they were after a closed path of the tool. */
static double drift(snw_ik_solver solver)
{
    snw_skeleton *arm = preset("arm7");
    snw_pose *pose = pose_of(arm), *first = pose_of(arm);
    int tool = arm->joint_count - 1;
    snw_goal goal = snw_goal_position(tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_options options = snw_ik_options_default();
    options.solver = solver;
    options.tolerance = 1e-6;
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    double worst = 0;
    for (int n = 0; n <= 2 * 60; n++) {
        double angle = 2 * SNW_PI * n / 60;
        goal.position = snw_vec3_make(0.45 + 0.1 * cos(angle), 0.15 * sin(angle), 0.5);
        assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        if (n == 60) snw_pose_copy(first, pose);
    }
    for (int j = 0; j < arm->joint_count; j++)
        worst = fmax(worst, snw_quat_angle_between(first->rotation[j], pose->rotation[j]));
    snw_ik_destroy(ik);
    snw_pose_destroy(first);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
    return worst;
}

static void an_extended_jacobian_closes_paths(void **state)
{
    (void)state;
    double extended = drift(SNW_IK_EXTENDED_JACOBIAN), bare = drift(SNW_IK_PSEUDO_INVERSE);
    /* Its second objective is followed to 1e-3 rad. */
    assert_true(extended < 0.01);
    assert_true(extended < 0.5 * bare);
}

static snw_motion *waving(const snw_skeleton *body)
{
    snw_motion *motion = NULL;
    int shoulder = snw_skeleton_find_joint(body, "left_shoulder");
    int elbow = snw_skeleton_find_joint(body, "left_elbow"), frames = 120;
    assert_int_equal(snw_motion_create(body, frames, 30, NULL, &motion, NULL), SNW_OK);
    snw_pose *pose = pose_of(body);
    for (int f = 0; f < frames; f++) {
        double a = 2 * SNW_PI * f / frames, values[6] = {0.8 + 0.5 * sin(a)};
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.6 * cos(a));
        pose->rotation[shoulder] = snw_joint_limit_apply(&body->joint[shoulder], turn);
        snw_joint_from_values(&body->joint[elbow], values, &pose->rotation[elbow],
                              &pose->slide[elbow]);
        snw_pose_forward(pose);
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
    return motion;
}

static void mixtures_of_examples_are_like_them(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_motion *motion = waving(body);
    const snw_motion *motions[] = {motion};
    snw_style *style = NULL;
    snw_style_options learn = snw_style_options_default();
    learn.is_mirrored = false;
    assert_int_equal(snw_style_learn(motions, 1, &learn, NULL, &style, NULL), SNW_OK);
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    snw_motion_get(motion, 37, truth);
    snw_pose_forward(truth);
    snw_goal goal =
        snw_goal_position(wrist, snw_vec3_make(0, 0, 0), truth->world[wrist].translation);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_MESH_IK;
    snw_ik *ik = NULL;
    snw_error error;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    assert_string_equal(error.message, "mesh-ik mixes the examples of a style: give one");
    options.style = style;
    ik = ik_of(body, &goal, 1, &options);
    snw_ik_result result = snw_ik_solve(ik, &goal, pose);
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_int_equal(result.solver, SNW_IK_MESH_IK);
    /* Nothing but the arm ever moved in the examples. */
    assert_true(turned(pose, "spine") < 0.05 && turned(pose, "right_shoulder") < 0.05);
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_move_before_the_trunk),
        cmocka_unit_test(a_trunk_helps_where_an_arm_is_too_short),
        cmocka_unit_test(an_extended_jacobian_closes_paths),
        cmocka_unit_test(mixtures_of_examples_are_like_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
