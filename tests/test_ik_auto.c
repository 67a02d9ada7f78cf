/* auto on problems of every kind: closed loops, 6-DoF robot arms, humanoids with several goals;
 * which method answers; and that what cannot be met is answered calmly. */
#include "ik_chains.h"

/* ---- closed loops --------------------------------------------------------------------------- */

#define FOUR_BAR_GROUND  4.0
#define FOUR_BAR_CRANK   1.2
#define FOUR_BAR_COUPLER 3.5
#define FOUR_BAR_ROCKER  2.5

/* Crank, coupler and rocker as hinges about z; the rocker's end is pinned to the ground. */
static snw_skeleton *four_bar(void)
{
    const double length[3] = {FOUR_BAR_CRANK, FOUR_BAR_COUPLER, FOUR_BAR_ROCKER};
    const char *const names[3] = {"crank", "coupler", "rocker"};
    snw_joint_def defs[3];
    snw_pin pin = {2, -1, {FOUR_BAR_ROCKER, 0, 0}, {FOUR_BAR_GROUND, 0, 0}};
    snw_skeleton *body = NULL;
    for (int i = 0; i < 3; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        defs[i].joint.type = SNW_JOINT_HINGE;
        if (i > 0) defs[i].rest.translation = snw_vec3_make(length[i - 1], 0, 0);
    }
    assert_int_equal(
        snw_skeleton_create_pinned(&(snw_skeleton_def){defs, 3, &pin, 1}, NULL, &body, NULL),
        SNW_OK);
    return body;
}

static void a_four_bar_closes_all_the_way_round(void **state)
{
    snw_skeleton *body = four_bar();
    snw_pose *pose = pose_of(body);
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-6);
    snw_goal goal = snw_goal_value(0, 0, 0);
    (void)state;
    options.turn_tolerance = 1e-6;
    snw_ik *ik = ik_of(body, &goal, 1, &options);
    for (int degrees = 0; degrees < 360; degrees += 5) {
        goal.value = snw_wrap_angle(snw_radians(degrees));
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        assert_int_equal(result.outcome, SNW_IK_REACHED);
        snw_vec3 end = snw_pose_point(pose, 2, snw_vec3_make(FOUR_BAR_ROCKER, 0, 0));
        check_vec3_near(end, snw_vec3_make(FOUR_BAR_GROUND, 0, 0), 1e-6 * body->size);
        /* The cosine rule gives the angle between coupler and rocker. */
        double diagonal = snw_vec3_distance(pose->world[1].translation, end);
        double cosine = (FOUR_BAR_COUPLER * FOUR_BAR_COUPLER + FOUR_BAR_ROCKER * FOUR_BAR_ROCKER -
                         diagonal * diagonal) /
                        (2 * FOUR_BAR_COUPLER * FOUR_BAR_ROCKER);
        double turn = 2 * atan2(pose->rotation[2].z, pose->rotation[2].w);
        check_near(cos(SNW_PI - turn), cosine, 1e-5);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* The humanoid with its hands pinned together. */
static snw_skeleton *clasped_humanoid(int hands[2])
{
    snw_skeleton *open = preset("humanoid"), *body = NULL;
    snw_joint_def *defs = calloc((size_t)open->joint_count, sizeof *defs);
    assert_non_null(defs);
    for (int i = 0; i < open->joint_count; i++)
        defs[i] = snw_skeleton_joint_def(open, i);
    hands[0] = snw_skeleton_find_joint(open, "left_wrist");
    hands[1] = snw_skeleton_find_joint(open, "right_wrist");
    assert_true(hands[0] > 0 && hands[1] > 0);
    snw_pin pin = {hands[0], hands[1], open->tip[hands[0]], open->tip[hands[1]]};
    assert_int_equal(snw_skeleton_create_pinned(
                         &(snw_skeleton_def){defs, open->joint_count, &pin, 1}, NULL, &body, NULL),
                     SNW_OK);
    free(defs);
    snw_skeleton_destroy(open);
    return body;
}

/* fabrik's sweeps bring both sides of a pin together under limits too. */
static void holds_own_hands(snw_ik_solver solver, double tolerance, double least)
{
    int hands[2] = {0, 0}, reached = 0, count = CHECK_SAMPLES(200);
    snw_skeleton *body = clasped_humanoid(hands);
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(41, 0);
    snw_ik_options options = options_of(solver, tolerance);
    snw_ik *ik = ik_of(body, NULL, 0, &options);
    const snw_pin *pin = &body->pin[0];
    for (int trial = 0; trial < count; trial++) {
        pose_scatter(pose, &random, 0.3);
        snw_ik_result result = snw_ik_solve(ik, NULL, pose);
        snw_vec3 a = snw_pose_point(pose, pin->joint_a, pin->point_a);
        snw_vec3 b = snw_pose_point(pose, pin->joint_b, pin->point_b);
        bool is_closed = snw_vec3_distance(a, b) <= tolerance * body->size;
        assert_int_equal(result.outcome == SNW_IK_REACHED, is_closed);
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
        reached += is_closed;
    }
    if (reached < least * count)
        fail_msg("%s: %d of %d closed", snw_ik_solver_name(solver), reached, count);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void a_humanoid_holds_its_own_hands(void **state)
{
    (void)state;
    holds_own_hands(SNW_IK_AUTO, 1e-6, 1);
    holds_own_hands(SNW_IK_FABRIK, 1e-4, 0.97);
}

/* ---- arms and bodies ------------------------------------------------------------------------ */

static void an_arm_of_seven_hinges_takes_any_pose_it_can(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_pose *pose = pose_of(arm), *truth = pose_of(arm);
    snw_random random = snw_random_seed(42, 0);
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-5 / arm->size);
    int last = arm->joint_count - 1, reached = 0, count = CHECK_SAMPLES(2000);
    snw_vec3 zero = {0, 0, 0};
    snw_goal goal = snw_goal_pose(last, zero, zero, snw_quat_identity());
    (void)state;
    options.turn_tolerance = 1e-5;
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    for (int trial = 0; trial < count; trial++) {
        pose_scatter(truth, &random, 1);
        goal.position = truth->world[last].translation;
        goal.orientation = truth->world[last].rotation;
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED;
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    }
    if (reached < 0.999 * count) print_error("%d of %d reached\n", reached, count);
    assert_true(reached >= 0.999 * count);
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
}

/* Which method answers is part of what a user sees. */
static void the_fitting_method_is_taken(void **state)
{
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-5);
    chain_case c = chain_case_of(even_chain(6, 1), &options);
    (void)state;
    assert_int_equal(chain_solve(&c, snw_vec3_make(2, 3, 1)).solver, SNW_IK_DIRECTIONS);
    assert_int_equal(chain_solve(&c, snw_vec3_make(20, 3, 1)).solver, SNW_IK_DIRECTIONS);
    chain_case_free(&c);
    snw_skeleton *arm = preset("arm7");
    snw_pose *pose = pose_of(arm);
    snw_goal goal = snw_goal_position(7, snw_vec3_make(0, 0, 0), snw_vec3_make(0.3, 0.3, 0.6));
    snw_ik *ik = ik_of(arm, &goal, 1, &options);
    assert_int_equal(snw_ik_solve(ik, &goal, pose).solver, SNW_IK_LM);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(arm);
}

/* Two goals that exclude each other: the answer is between them, said to be stalled or out of
 * reach, and asking again does not move it about. */
static void a_conflict_is_a_calm_compromise(void **state)
{
    snw_skeleton *body = preset("y");
    snw_pose *pose = pose_of(body), *last = pose_of(body);
    snw_ik_options options = options_of(SNW_IK_AUTO, 1e-4);
    snw_goal goals[2];
    int tips[2], count = 0;
    (void)state;
    for (int j = body->joint_count - 1; j >= 0 && count < 2; j--) {
        bool is_leaf = true;
        for (int k = j + 1; k < body->joint_count; k++)
            is_leaf &= body->parent[k] != j;
        if (is_leaf) tips[count++] = j;
    }
    for (int g = 0; g < 2; g++)
        goals[g] = snw_goal_position(
            tips[g], body->tip[tips[g]],
            snw_vec3_make(g ? 2 * body->size : -2 * body->size, 0.4 * body->size, 0));
    snw_ik *ik = ik_of(body, goals, 2, &options);
    for (int again = 0; again < 5; again++) {
        snw_ik_result result = snw_ik_solve(ik, goals, pose);
        assert_int_equal(result.outcome, SNW_IK_UNREACHABLE);
        assert_true(pose_is_finite(pose));
        if (again > 2) assert_true(largest_turn(pose, last) < 0.1);
        snw_pose_copy(last, pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(last);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void hostile_targets_leave_a_finite_pose(void **state)
{
    static const double hostile[] = {NAN, INFINITY, -INFINITY, 1e308, -1e200, 1e-320, 0};
    static const char *const names[] = {"chain10", "y", "arm7", "humanoid"};
    (void)state;
    for (int n = 0; n < 4; n++) {
        snw_skeleton *body = preset(names[n]);
        snw_pose *pose = pose_of(body);
        for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) {
            snw_ik_options options = options_of((snw_ik_solver)s, 1e-4);
            int last = body->joint_count - 1;
            snw_goal goal = snw_goal_position(last, body->tip[last], snw_vec3_make(0, 0, 0));
            snw_ik *ik = NULL;
            options.iteration_max = 40;
            if (!ik_try(body, &goal, 1, &options, &ik)) continue;
            for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
                goal.position = snw_vec3_make(hostile[i], i % 2 ? hostile[i] : 0.1, 0);
                snw_ik_result result = snw_ik_solve(ik, &goal, pose);
                assert_true(pose_is_finite(pose));
                assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
                if (!isfinite(hostile[i])) assert_int_equal(result.outcome, SNW_IK_STALLED);
            }
            snw_ik_destroy(ik);
        }
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    snw_skeleton *body = preset("humanoid");
    int last = body->joint_count - 1;
    (void)state;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) {
        snw_ik_options options = options_of((snw_ik_solver)s, 1e-4);
        snw_goal goal = snw_goal_position(last, body->tip[last], snw_vec3_make(0, 0, 0));
        for (long n = 0; n < 4; n++) {
            counting_allocator counter = {.fail_at = n};
            snw_allocator allocator = counting_hook(&counter);
            snw_ik *ik = NULL;
            snw_status status =
                snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, &allocator, &ik, NULL);
            if (counter.calls > n) assert_int_equal(status, SNW_OUT_OF_MEMORY);
            snw_ik_destroy(ik);
            assert_int_equal(counter.live, 0);
        }
    }
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_closes_all_the_way_round),
        cmocka_unit_test(a_humanoid_holds_its_own_hands),
        cmocka_unit_test(an_arm_of_seven_hinges_takes_any_pose_it_can),
        cmocka_unit_test(the_fitting_method_is_taken),
        cmocka_unit_test(a_conflict_is_a_calm_compromise),
        cmocka_unit_test(hostile_targets_leave_a_finite_pose),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
