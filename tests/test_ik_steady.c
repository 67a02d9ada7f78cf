/* What a body that is tracked for hours asks of auto: weights that differ by orders of magnitude, a
 * pose that is its own answer, targets out of reach that do not make it creep, no jumps. */
#include "../cli/bench/bench_poses.h"
#include "check.h"
#include "ik/core/system_tree.h"
#include "ik_bodies.h"

#define STEADY_GOALS 6

/* Leaves of a body under position goals. */
typedef struct steady_case {
    snw_skeleton *body;
    snw_pose *truth, *pose, *start;
    int goal_count;
    snw_goal goals[STEADY_GOALS];
    snw_ik *ik;
} steady_case;

static steady_case steady_of(const char *name, int goal_count, double ratio)
{
    steady_case c = {.body = preset(name), .goal_count = 0};
    c.truth = pose_of(c.body);
    c.pose = pose_of(c.body);
    c.start = pose_of(c.body);
    for (int j = 0; j < c.body->joint_count && c.goal_count < goal_count; j++) {
        if (c.body->first_child[j] >= 0) continue;
        snw_vec3 point = c.body->has_tip[j] ? c.body->tip[j] : snw_vec3_make(0, 0, 0);
        c.goals[c.goal_count] = snw_goal_position(j, point, snw_vec3_make(0, 0, 0));
        c.goals[c.goal_count].weight = c.goal_count % 2 ? ratio : 1;
        c.goal_count++;
    }
    assert_int_equal(
        snw_ik_create(&(snw_ik_problem){c.body, c.goals, c.goal_count}, NULL, NULL, &c.ik, NULL),
        SNW_OK);
    return c;
}

static void steady_free(steady_case *c)
{
    snw_ik_destroy(c->ik);
    snw_pose_destroy(c->truth);
    snw_pose_destroy(c->pose);
    snw_pose_destroy(c->start);
    snw_skeleton_destroy(c->body);
}

static void aim_at_truth(steady_case *c)
{
    for (int g = 0; g < c->goal_count; g++)
        c->goals[g].position = snw_pose_point(c->truth, c->goals[g].joint, c->goals[g].point);
}

static double energy_of(const steady_case *c)
{
    double sum = 0;
    for (int g = 0; g < c->goal_count; g++) {
        snw_vec3 at = snw_pose_point(c->pose, c->goals[g].joint, c->goals[g].point);
        sum += c->goals[g].weight * snw_vec3_length2(snw_vec3_sub(c->goals[g].position, at));
    }
    return sum;
}

static bool is_same(const snw_pose *a, const snw_pose *b)
{
    size_t count = (size_t)a->skeleton->joint_count;
    return memcmp(a->rotation, b->rotation, count * sizeof *a->rotation) == 0 &&
           memcmp(a->slide, b->slide, count * sizeof *a->slide) == 0;
}

static void weights_of_any_ratio_reach_and_never_end_worse_than_they_began(void **state)
{
    static const struct {
        const char *body;
        int goals;
    } rows[] = {{"humanoid13", 3}, {"humanoid13", 4}, {"hand26", 5}, {"hand25", 3}};
    static const double ratios[] = {1, 1e4, 1e-4, 1e8};
    (void)state;
    for (int n = 0; n < 16; n++) {
        steady_case c = steady_of(rows[n / 4].body, rows[n / 4].goals, ratios[n % 4]);
        snw_random random = snw_random_seed(31, 1);
        int count = CHECK_SAMPLES(100), reached = 0;
        for (int k = 0; k < count; k++) {
            pose_scatter(c.truth, &random, 0.8);
            aim_at_truth(&c);
            snw_pose_reset(c.pose);
            double before = energy_of(&c);
            reached += snw_ik_solve(c.ik, c.goals, c.pose).outcome == SNW_IK_REACHED;
            assert_true(energy_of(&c) <= before * (1 + 1e-12));
        }
        /* All but one in fifty at the widest ratio, where a light goal weighs 1e-8 of the other. */
        if (reached < count - (ratios[n % 4] == 1e8 ? count / 50 + 1 : 1))
            fail_msg("%s, %d goals, ratio %g: %d of %d", rows[n / 4].body, c.goal_count,
                     ratios[n % 4], reached, count);
        steady_free(&c);
    }
}

static void only_ratios_of_weights_count(void **state)
{
    static const double weights[] = {1e-40, 1e-10, 1e10, 1e40};
    (void)state;
    steady_case c = steady_of("humanoid", 1, 1);
    snw_random random = snw_random_seed(32, 1);
    for (int k = 0; k < 20; k++) {
        pose_scatter(c.truth, &random, 0.8);
        aim_at_truth(&c);
        c.goals[0].weight = 1;
        snw_pose_reset(c.start);
        (void)snw_ik_solve(c.ik, c.goals, c.start);
        c.goals[0].weight = weights[k % 4];
        snw_pose_reset(c.pose);
        (void)snw_ik_solve(c.ik, c.goals, c.pose);
        assert_true(is_same(c.pose, c.start));
    }
    steady_free(&c);
}

/* An answer is its own answer, bit for bit: reached or not. */
static void a_second_solve_changes_nothing(void **state)
{
    static const struct {
        const char *body;
        int goals;
        double far;     /* targets at this many body sizes from the root */
        int others;     /* of a hundred that may move: minima with several limits at once */
        double by_most; /* radians */
    } rows[] = {{"chain10", 1, 1.3, 0, 0},  {"humanoid13", 1, 1.3, 0, 0},
                {"arm7", 1, 1.3, 0, 0},     {"hand25", 1, 1.3, 0, 0},
                {"hand25", 3, 1.3, 0, 0},   {"humanoid", 1, 1.3, 0, 0},
                {"humanoid", 3, 1.3, 0, 0}, {"humanoid", 5, 1.3, 2, 1.5}};
    (void)state;
    for (int n = 0; n < (int)(sizeof rows / sizeof *rows); n++) {
        steady_case c = steady_of(rows[n].body, rows[n].goals, 1);
        snw_random random = snw_random_seed(33, 1);
        int moved = 0, count = CHECK_SAMPLES(60);
        for (int k = 0; k < count; k++) {
            pose_scatter(c.truth, &random, 0.8);
            aim_at_truth(&c);
            for (int g = 0; k % 2 && g < c.goal_count; g++)
                c.goals[g].position =
                    snw_vec3_scale(snw_random_direction(&random), rows[n].far * c.body->size);
            snw_pose_reset(c.pose);
            snw_ik_result result = snw_ik_solve(c.ik, c.goals, c.pose);
            snw_pose_copy(c.start, c.pose);
            (void)snw_ik_solve(c.ik, c.goals, c.pose);
            if (is_same(c.start, c.pose)) continue;
            assert_true(result.outcome != SNW_IK_REACHED);
            if (!(bench_largest_turn(c.start, c.pose) <= rows[n].by_most))
                fail_msg("%s, %d goals: moves by %g", rows[n].body, c.goal_count,
                         bench_largest_turn(c.start, c.pose));
            moved++;
        }
        if (moved * 100 > rows[n].others * count)
            fail_msg("%s, %d goals: %d of %d move again", rows[n].body, c.goal_count, moved, count);
        steady_free(&c);
    }
}

/* Second order where the error stays: a constant factor for each step would take a hundred. */
static void out_of_reach_takes_few_steps(void **state)
{
    static const struct {
        const char *body;
        int goals;
        double most; /* iterations, on average */
    } rows[] = {{"humanoid13", 3, 22}, {"humanoid", 3, 24}, {"humanoid", 5, 26}};
    (void)state;
    for (int n = 0; n < (int)(sizeof rows / sizeof *rows); n++) {
        steady_case c = steady_of(rows[n].body, rows[n].goals, 1);
        snw_random random = snw_random_seed(37, 1);
        int count = CHECK_SAMPLES(60);
        double iterations = 0;
        for (int k = 0; k < count; k++) {
            for (int g = 0; g < c.goal_count; g++)
                c.goals[g].position =
                    snw_vec3_scale(snw_random_direction(&random), 1.3 * c.body->size);
            snw_pose_reset(c.pose);
            iterations += (double)snw_ik_solve(c.ik, c.goals, c.pose).iterations / count;
        }
        if (!(iterations <= rows[n].most))
            fail_msg("%s, %d goals: %g iterations", rows[n].body, c.goal_count, iterations);
        steady_free(&c);
    }
}

/* A joint that cannot move is no limit: what is too far is seen at once. */
static void a_fixed_joint_does_not_hide_that_a_target_is_too_far(void **state)
{
    (void)state;
    snw_skeleton *plain = NULL, *body = NULL;
    snw_joint_def defs[8];
    assert_int_equal(snw_preset_chain(7, 0.1, NULL, &plain, NULL), SNW_OK);
    for (int j = 0; j < 7; j++)
        defs[j] = snw_skeleton_joint_def(plain, j);
    defs[3].joint.type = SNW_JOINT_FIXED;
    assert_int_equal(snw_skeleton_create(defs, 7, NULL, &body, NULL), SNW_OK);
    snw_goal goal = snw_goal_position(6, snw_vec3_make(0, 0, 0), snw_vec3_make(0.3, 0.9, -0.4));
    snw_ik *ik = NULL;
    snw_pose *pose = pose_of(body);
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &ik, NULL),
                     SNW_OK);
    snw_ik_result result = snw_ik_solve(ik, &goal, pose);
    assert_int_equal(result.outcome, SNW_IK_UNREACHABLE);
    assert_int_equal(result.solver, SNW_IK_DIRECTIONS);
    assert_true(result.iterations <= 2);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(plain);
    snw_skeleton_destroy(body);
}

/* 399 balls, 1197 coordinates: 199 goals are 597 rows, whose dense system takes a second. */
static void many_goals_on_many_joints_are_solved_along_the_tree(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_ik *ik = NULL;
    snw_goal *goals = calloc(199, sizeof *goals);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_LM;
    assert_non_null(goals);
    assert_int_equal(snw_preset_chain(399, 0.1, NULL, &body, NULL), SNW_OK);
    for (int g = 0; g < 199; g++)
        goals[g] = snw_goal_position(2 * g + 1, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 199}, &options, NULL, &ik, NULL),
                     SNW_OK);
    assert_non_null(ik->system->tree);
    snw_ik_destroy(ik);
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 3}, &options, NULL, &ik, NULL),
                     SNW_OK);
    assert_null(ik->system->tree);
    snw_ik_destroy(ik);
    free(goals);
    snw_skeleton_destroy(body);
}

/* Started within 0.15 rad of an answer, no joint turns by more than 1. */
static void a_start_near_an_answer_stays_near_it(void **state)
{
    static const struct {
        const char *body;
        int goals;
    } rows[] = {{"humanoid", 1}, {"humanoid", 3}, {"humanoid", 5}, {"hand25", 5}, {"arm7", 1}};
    (void)state;
    for (int n = 0; n < (int)(sizeof rows / sizeof *rows); n++) {
        steady_case c = steady_of(rows[n].body, rows[n].goals, 1);
        snw_random random = snw_random_seed(34, 1);
        for (int k = 0; k < CHECK_SAMPLES(400); k++) {
            pose_scatter(c.truth, &random, 0.8);
            aim_at_truth(&c);
            snw_pose_copy(c.pose, c.truth);
            for (int j = 0; j < c.body->joint_count; j++) {
                snw_vec3 turn = random_away(&random, 0, 0.15);
                c.pose->rotation[j] = snw_joint_limit_apply(
                    &c.body->joint[j], snw_quat_mul(c.pose->rotation[j], snw_quat_exp(turn)));
            }
            snw_pose_copy(c.start, c.pose);
            assert_int_equal(snw_ik_solve(c.ik, c.goals, c.pose).outcome, SNW_IK_REACHED);
            assert_true(bench_largest_turn(c.start, c.pose) < 1);
        }
        steady_free(&c);
    }
}

/* Straight at rest, and the target on the line of the limb: rest is a minimum that must be left. */
static void a_stretched_limb_does_not_stay_stretched(void **state)
{
    static const struct {
        const char *body, *base, *tip;
    } rows[] = {{"humanoid", "left_hip", "left_ankle"},
                {"humanoid", "left_shoulder", "left_wrist"},
                {"arm7", "joint1", "tool"},
                {"gen3", "joint1", "tool"},
                {"panda", "joint1", "tool"}};
    (void)state;
    for (int n = 0; n < (int)(sizeof rows / sizeof *rows); n++) {
        snw_skeleton *body = preset(rows[n].body);
        snw_pose *pose = pose_of(body);
        int base = snw_skeleton_find_joint(body, rows[n].base);
        int tip = snw_skeleton_find_joint(body, rows[n].tip);
        assert_true(base >= 0 && tip >= 0);
        snw_vec3 from = pose->world[tip].translation, to = pose->world[base].translation;
        snw_goal goal = snw_goal_position(tip, snw_vec3_make(0, 0, 0), from);
        snw_ik *ik = NULL;
        assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &ik, NULL),
                         SNW_OK);
        for (int k = 1; k < 20; k++) {
            snw_pose_reset(pose);
            goal.position = snw_vec3_lerp(from, to, 0.02 * k);
            assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        }
        snw_ik_destroy(ik);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stretched_limb_does_not_stay_stretched),
        cmocka_unit_test(weights_of_any_ratio_reach_and_never_end_worse_than_they_began),
        cmocka_unit_test(only_ratios_of_weights_count),
        cmocka_unit_test(a_second_solve_changes_nothing),
        cmocka_unit_test(out_of_reach_takes_few_steps),
        cmocka_unit_test(a_fixed_joint_does_not_hide_that_a_target_is_too_far),
        cmocka_unit_test(many_goals_on_many_joints_are_solved_along_the_tree),
        cmocka_unit_test(a_start_near_an_answer_stays_near_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
