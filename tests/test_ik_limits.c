/* Limits in answers, and answers within limits: nothing is ever broken, and what can be reached
 * inside the limits is. */
#include "ik_bodies.h"

#define FOR_EVERY_METHOD(s)                       \
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) \
        if (snw__ik_method_row((snw_ik_solver)s))

/* Solves per method and body: SINEW_SOLVES=100000 in the environment for the long run (minutes). */
static int solve_count(void)
{
    const char *asked = getenv("SINEW_SOLVES");
    return asked ? atoi(asked) : CHECK_SAMPLES(200);
}

/* Any target at all, reachable or not. */
static void no_answer_breaks_a_limit(void **state)
{
    (void)state;
    snw_joint_limit cone = cone_limit(), window = window_limit();
    snw_skeleton *body[4] = {chain_with_limit(&cone, 1), chain_with_limit(&window, 1),
                             preset("arm7"), preset("humanoid")};
    FOR_EVERY_METHOD(s)
    {
        for (int b = 0; b < 4; b++) {
            snw_pose *pose = pose_of(body[b]);
            int last = body[b]->joint_count - 1;
            snw_ik_options options = snw_ik_options_default();
            snw_random random = snw_random_seed(21, (uint64_t)s);
            snw_goal goal = snw_goal_position(last, (snw_vec3){0, 0, 0}, (snw_vec3){0, 0, 0});
            snw_ik *ik = NULL;
            options.solver = (snw_ik_solver)s;
            options.iteration_max = s == SNW_IK_PARTICLE ? 3 : 20;
            options.particle_count = 4;
            bool is_served = ik_try(body[b], &goal, 1, &options, &ik);
            for (int i = 0; is_served && i < solve_count(); i++) {
                goal.position = random_away(&random, 0, 1.2 * ik->size);
                (void)snw_ik_solve(ik, &goal, pose);
                assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
            }
            snw_ik_destroy(ik);
            snw_pose_destroy(pose);
        }
    }
    for (int b = 0; b < 4; b++)
        snw_skeleton_destroy(body[b]);
}

/* How many of `count` targets taken from allowed poses the method reaches from rest. */
static int count_reached(const snw_skeleton *body, snw_ik_options options, bool is_pose, int count)
{
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    int last = body->joint_count - 1, reached = 0;
    snw_random random = snw_random_seed(22, 1);
    snw_goal goal =
        is_pose ? snw_goal_pose(last, (snw_vec3){0, 0, 0}, (snw_vec3){0, 0, 0}, snw_quat_identity())
                : snw_goal_position(last, (snw_vec3){0, 0, 0}, (snw_vec3){0, 0, 0});
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    for (int i = 0; i < count; i++) {
        pose_scatter(truth, &random, 0.6);
        goal.position = truth->world[last].translation;
        goal.orientation = truth->world[last].rotation;
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    return reached;
}

static void lm_reaches_every_place_and_frame_that_cones_and_twist_allow(void **state)
{
    (void)state;
    snw_joint_limit limit[2] = {cone_limit(), window_limit()};
    for (int k = 0; k < 2; k++) {
        snw_skeleton *body = chain_with_limit(&limit[k], 1);
        snw_ik_options options = snw_ik_options_default();
        int count = CHECK_SAMPLES(1000);
        options.solver = SNW_IK_LM;
        assert_int_equal(count_reached(body, options, false, count), count);
        assert_int_equal(count_reached(body, options, true, count), count);
        snw_skeleton_destroy(body);
    }
}

/* TRAC-IK prints 98.6 to 100 % for such arms. */
static void lm_reaches_999_of_1000_full_poses_of_the_seven_joint_arm(void **state)
{
    (void)state;
    snw_skeleton *body = preset("arm7");
    snw_ik_options options = snw_ik_options_default();
    int count = CHECK_SAMPLES(3000);
    options.solver = SNW_IK_LM;
    options.tolerance = 1e-5;
    options.turn_tolerance = 1e-5;
    assert_true(count_reached(body, options, true, count) >= 0.999 * count);
    snw_skeleton_destroy(body);
}

static void joints_at_their_limits_are_named(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int knee = snw_skeleton_find_joint(body, "left_knee");
    snw_goal goal = snw_goal_value(knee, 0, 9);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    snw_ik_result result = snw_ik_solve(ik, &goal, pose);
    double values[6];
    (void)snw_joint_values(&body->joint[knee], pose->rotation[knee], pose->slide[knee], values);
    check_near(values[0], body->joint[knee].limit.range[0][1], 1e-9);
    assert_int_equal(result.outcome, SNW_IK_STALLED);
    assert_true(snw_ik_active_limit(ik)[knee]);
    int counted = 0;
    for (int i = 0; i < body->joint_count; i++)
        counted += snw_ik_active_limit(ik)[i];
    assert_int_equal(counted, result.active_limit_count);
    snw_ik_destroy(ik);

    /* Bent half way it stands at none. */
    goal.value = 1;
    ik = ik_of(body, &goal, 1, &options);
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
    assert_false(snw_ik_active_limit(ik)[knee]);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void without_limits_a_knee_bends_both_ways(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    int knee = snw_skeleton_find_joint(body, "left_knee");
    snw_goal goal = snw_goal_value(knee, 0, -1);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    options.use_limits = false;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
    /* Still a hinge. */
    check_near(fabs(snw_quat_twist_angle(pose->rotation[knee], body->joint[knee].axis)), 1,
               options.turn_tolerance);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_answer_breaks_a_limit),
        cmocka_unit_test(lm_reaches_every_place_and_frame_that_cones_and_twist_allow),
        cmocka_unit_test(lm_reaches_999_of_1000_full_poses_of_the_seven_joint_arm),
        cmocka_unit_test(joints_at_their_limits_are_named),
        cmocka_unit_test(without_limits_a_knee_bends_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
