/* Which joints help: limbs before the trunk, chain roots, locks, stiffness, and the largest turn of
 * one solve. */
#include "check.h"
#include "ik_bodies.h"

typedef struct posture_case {
    snw_skeleton *body;
    snw_pose *truth, *pose, *start;
    snw_goal goal;
    snw_ik *ik;
} posture_case;

static posture_case posture_of(const char *body, const char *joint, const snw_ik_options *options)
{
    posture_case c = {.body = preset(body)};
    c.truth = pose_of(c.body);
    c.pose = pose_of(c.body);
    c.start = pose_of(c.body);
    c.goal = snw_goal_position(snw_skeleton_find_joint(c.body, joint), snw_vec3_make(0, 0, 0),
                               snw_vec3_make(0, 0, 0));
    assert_int_equal(
        snw_ik_create(&(snw_ik_problem){c.body, &c.goal, 1}, options, NULL, &c.ik, NULL), SNW_OK);
    return c;
}

static void posture_free(posture_case *c)
{
    snw_ik_destroy(c->ik);
    snw_pose_destroy(c->truth);
    snw_pose_destroy(c->pose);
    snw_pose_destroy(c->start);
    snw_skeleton_destroy(c->body);
}

static bool has_moved(const posture_case *c, const char *joint)
{
    int j = snw_skeleton_find_joint(c->body, joint);
    return memcmp(&c->pose->rotation[j], &c->start->rotation[j], sizeof(snw_quat)) != 0;
}

/* Where the arm alone can take the wrist, the trunk stays bit for bit. */
static void limbs_reach_before_the_trunk_helps(void **state)
{
    (void)state;
    static const char *const trunk[] = {"spine", "chest", "neck", "right_shoulder"};
    snw_ik_options options = snw_ik_options_default();
    options.posture = SNW_IK_POSTURE_LIMBS;
    posture_case c = posture_of("humanoid", "left_wrist", &options);
    snw_random random = snw_random_seed(51, 1);
    int stayed = 0, count = CHECK_SAMPLES(100);
    for (int k = 0; k < count; k++) {
        pose_scatter(c.start, &random, 0.5);
        snw_pose_copy(c.truth, c.start);
        for (int j = snw_skeleton_find_joint(c.body, "left_clavicle"); j <= c.goal.joint; j++) {
            snw_vec3 turn = snw_vec3_scale(snw_random_direction(&random), 0.5);
            c.truth->rotation[j] = snw_joint_limit_apply(
                &c.body->joint[j], snw_quat_mul(c.truth->rotation[j], snw_quat_exp(turn)));
        }
        snw_pose_forward(c.truth);
        c.goal.position = c.truth->world[c.goal.joint].translation;
        snw_pose_copy(c.pose, c.start);
        assert_int_equal(snw_ik_solve(c.ik, &c.goal, c.pose).outcome, SNW_IK_REACHED);
        bool is_still = true;
        for (int t = 0; t < 4; t++)
            is_still &= !has_moved(&c, trunk[t]);
        stayed += is_still;
    }
    if (stayed * 100 < 97 * count) fail_msg("the trunk stayed in %d of %d", stayed, count);
    /* Out of the arm's reach, in reach of the body: the trunk helps. */
    snw_pose_reset(c.start);
    snw_pose_reset(c.pose);
    int root = snw_skeleton_find_joint(c.body, "left_clavicle");
    snw_vec3 out =
        snw_vec3_sub(c.pose->world[c.goal.joint].translation, c.pose->world[root].translation);
    out = snw_vec3_add(snw_vec3_scale(out, 1.02), snw_vec3_make(0, 0, 0.12));
    c.goal.position = snw_vec3_add(c.pose->world[root].translation, out);
    (void)snw_ik_solve(c.ik, &c.goal, c.pose);
    assert_true(has_moved(&c, "spine"));
    posture_free(&c);
}

static void what_is_above_the_chain_root_or_locked_stays(void **state)
{
    (void)state;
    static const snw_ik_solver solvers[] = {SNW_IK_AUTO, SNW_IK_LM, SNW_IK_DLS, SNW_IK_SDLS,
                                            SNW_IK_BFGS};
    double stiffness[64];
    snw_skeleton *body = preset("humanoid");
    int elbow = snw_skeleton_find_joint(body, "left_elbow");
    for (int j = 0; j < body->joint_count; j++)
        stiffness[j] = j == elbow ? INFINITY : 1;
    for (int s = 0; s < 5; s++) {
        snw_ik_options options = snw_ik_options_default();
        options.solver = solvers[s];
        options.chain_root = snw_skeleton_find_joint(body, "left_clavicle");
        options.stiffness = stiffness;
        posture_case c = posture_of("humanoid", "left_wrist", &options);
        snw_random random = snw_random_seed(52, 1);
        for (int k = 0; k < 10; k++) {
            pose_scatter(c.start, &random, 0.4);
            pose_scatter(c.truth, &random, 0.4);
            c.goal.position = c.truth->world[c.goal.joint].translation;
            snw_pose_copy(c.pose, c.start);
            (void)snw_ik_solve(c.ik, &c.goal, c.pose);
            assert_false(has_moved(&c, "spine"));
            assert_false(has_moved(&c, "chest"));
            assert_false(has_moved(&c, "left_elbow"));
            assert_true(has_moved(&c, "left_shoulder"));
        }
        posture_free(&c);
    }
    snw_skeleton_destroy(body);
}

static void a_stiffer_joint_turns_less(void **state)
{
    (void)state;
    double stiffness[64], last = INFINITY;
    for (double k = 1; k <= 1000; k *= 10) {
        snw_ik_options options = snw_ik_options_default();
        for (int j = 0; j < 64; j++)
            stiffness[j] = 1;
        stiffness[1] = stiffness[2] = k; /* spine and chest */
        options.stiffness = stiffness;
        posture_case c = posture_of("humanoid", "left_wrist", &options);
        assert_string_equal(c.body->name[1], "spine");
        c.goal.position = snw_vec3_make(0.35, 0.25, 0.35);
        assert_int_equal(snw_ik_solve(c.ik, &c.goal, c.pose).outcome, SNW_IK_REACHED);
        double turn = snw_quat_angle_between(c.pose->rotation[1], snw_quat_identity());
        assert_true(turn < last);
        last = turn;
        posture_free(&c);
    }
    assert_true(last < 0.01);
}

static void no_joint_turns_by_more_than_the_options_say(void **state)
{
    (void)state;
    snw_ik_options options = snw_ik_options_default();
    options.turn_max = 0.1;
    posture_case c = posture_of("humanoid", "left_wrist", &options);
    c.goal.position = snw_vec3_make(0.35, 0.25, 0.35);
    snw_ik_result result = {0};
    int solves = 0;
    do {
        snw_pose_copy(c.start, c.pose);
        result = snw_ik_solve(c.ik, &c.goal, c.pose);
        for (int j = 0; j < c.body->joint_count; j++)
            assert_true(snw_quat_angle_between(c.start->rotation[j], c.pose->rotation[j]) <= 0.101);
        assert_true(snw_pose_violation(c.pose) <= SNW_LIMIT_TOLERANCE);
    } while (result.outcome != SNW_IK_REACHED && ++solves < 100);
    assert_int_equal(result.outcome, SNW_IK_REACHED);
    assert_true(solves > 3);
    posture_free(&c);
}

/* Six hinges have up to sixteen answers; from a random start the first found is seldom the nearest.
 */
static void the_nearest_of_several_answers_turns_joints_less(void **state)
{
    (void)state;
    double turned[2] = {0, 0};
    for (int several = 0; several < 2; several++) {
        snw_ik_options options = snw_ik_options_default();
        options.nearest_count = several ? 8 : 1;
        posture_case c = posture_of("ur5", "tool", &options);
        snw_ik_destroy(c.ik);
        c.goal.joint = c.body->joint_count - 1;
        c.goal.kind = SNW_GOAL_POSE;
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){c.body, &c.goal, 1}, &options, NULL, &c.ik, NULL),
            SNW_OK);
        snw_random random = snw_random_seed(54, 1);
        for (int k = 0; k < CHECK_SAMPLES(100); k++) {
            pose_scatter(c.truth, &random, 1);
            pose_scatter(c.start, &random, 1);
            c.goal.position = c.truth->world[c.goal.joint].translation;
            c.goal.orientation = c.truth->world[c.goal.joint].rotation;
            snw_pose_copy(c.pose, c.start);
            assert_int_equal(snw_ik_solve(c.ik, &c.goal, c.pose).outcome, SNW_IK_REACHED);
            double largest = 0;
            for (int j = 0; j < c.body->joint_count; j++)
                largest = fmax(largest,
                               snw_quat_angle_between(c.start->rotation[j], c.pose->rotation[j]));
            turned[several] += largest;
        }
        posture_free(&c);
    }
    if (!(turned[1] < 0.96 * turned[0])) fail_msg("%g against %g rad", turned[1], turned[0]);
}

static void controls_are_refused_where_they_are_not_served_or_wrong(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_goal goal = snw_goal_position(9, snw_vec3_make(0, 0, 0), snw_vec3_make(0.35, 0.25, 0.35));
    double stiffness[64];
    static const double bad[] = {0, -1, 1e-7, 1e7, (double)NAN};
    snw_ik *ik = NULL;
    snw_error error;
    snw_ik_options options = snw_ik_options_default();
    options.chain_root = 5;
    options.solver = SNW_IK_FABRIK;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    options = snw_ik_options_default();
    options.chain_root = body->joint_count;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_INVALID_ARGUMENT);
    assert_string_equal(error.name, "chain_root");
    for (int k = 0; k < 5; k++) {
        for (int j = 0; j < 64; j++)
            stiffness[j] = j == 3 ? bad[k] : 1;
        options = snw_ik_options_default();
        options.stiffness = stiffness;
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
            SNW_INVALID_ARGUMENT);
        assert_string_equal(error.name, "stiffness");
    }
    assert_null(ik);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limbs_reach_before_the_trunk_helps),
        cmocka_unit_test(what_is_above_the_chain_root_or_locked_stays),
        cmocka_unit_test(a_stiffer_joint_turns_less),
        cmocka_unit_test(no_joint_turns_by_more_than_the_options_say),
        cmocka_unit_test(the_nearest_of_several_answers_turns_joints_less),
        cmocka_unit_test(controls_are_refused_where_they_are_not_served_or_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
