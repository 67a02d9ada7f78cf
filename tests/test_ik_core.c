/* The frame around every method: what is refused and how, memory, determinism, hostile numbers,
 * honest outcomes. */
#include "ik_bodies.h"

#define FOR_EVERY_METHOD(s)                       \
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) \
        if (snw__ik_method_row((snw_ik_solver)s))

/* ---- names -------------------------------------------------------------------------------- */

static void every_method_is_found_by_its_name(void **state)
{
    (void)state;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) {
        assert_int_equal(snw_ik_solver_find(snw_ik_solver_name((snw_ik_solver)s)), s);
        assert_true(strlen(snw_ik_solver_text((snw_ik_solver)s)) > 10);
    }
    assert_int_equal(snw_ik_solver_find("newton-raphson"), -1);
    assert_int_equal(snw_ik_solver_find(NULL), -1);
    assert_string_equal(snw_ik_solver_name((snw_ik_solver)999), "unknown");
    assert_string_equal(snw_goal_kind_name(SNW_GOAL_REST), "rest");
    assert_string_equal(snw_goal_kind_name((snw_goal_kind)-1), "unknown");
    assert_string_equal(snw_ik_outcome_name(SNW_IK_OUT_OF_ITERATIONS), "out of iterations");
    assert_string_equal(snw_ik_outcome_name((snw_ik_outcome)7), "unknown");
}

/* ---- refusals ----------------------------------------------------------------------------- */

typedef struct refusal {
    snw_goal goal;
    const char *message;
} refusal;

static void a_goal_that_makes_no_sense_is_refused_with_its_number(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_vec3 zero = {0, 0, 0};
    refusal rows[] = {
        {snw_goal_position(10, zero, zero), "goal 1: joint 10 is not in a body of 10 joints"},
        {snw_goal_position(-1, zero, zero), "goal 1: joint -1 is not in a body of 10 joints"},
        {snw_goal_value(3, 3, 0),
         "goal 1: joint joint4 has 3 coordinates, counted from 0; none is 3"},
        {snw_goal_value(3, -1, 0),
         "goal 1: joint joint4 has 3 coordinates, counted from 0; none is -1"},
        {snw_goal_pole(3, 0, 12, zero),
         "goal 1: the limb from joint 0 to joint 12 is not in the body"},
        {snw_goal_pole(3, 0, 3, zero), "goal 1: a pole needs three different joints"},
        {{.kind = (snw_goal_kind)77}, "goal 1: 77 is not a kind of goal"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snw_goal goals[2] = {snw_goal_position(9, zero, zero), rows[i].goal};
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = (snw_ik *)body;
        snw_error error;
        options.solver = SNW_IK_DLS;
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, &error),
            SNW_INVALID_ARGUMENT);
        assert_null(ik);
        assert_string_equal(error.message, rows[i].message);
        assert_int_equal(error.index, 1);
    }
    snw_skeleton_destroy(body);
}

static void an_option_out_of_range_is_refused_by_name(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_ik_options bad[9];
    static const char *const name[9] = {"solver",         "root",          "tolerance",
                                        "turn_tolerance", "iteration_max", "restart_max",
                                        "damping",        "step_max",      "particle_count"};
    for (int i = 0; i < 9; i++)
        bad[i] = snw_ik_options_default();
    bad[0].solver = SNW_IK_SOLVER_COUNT;
    bad[1].root = (snw_ik_root)2;
    bad[2].tolerance = NAN;
    bad[3].turn_tolerance = 0;
    bad[4].iteration_max = -1;
    bad[5].restart_max = -1;
    bad[6].damping = INFINITY;
    bad[7].step_max = -1;
    bad[8].particle_count = 1;
    for (int i = 0; i < 9; i++) {
        snw_ik *ik = NULL;
        snw_error error;
        assert_int_equal(
            snw_ik_create(&(snw_ik_problem){body, NULL, 0}, &bad[i], NULL, &ik, &error),
            SNW_INVALID_ARGUMENT);
        assert_string_equal(error.name, name[i]);
        assert_non_null(strstr(error.message, name[i]));
    }
    snw_skeleton_destroy(body);
}

/* ---- memory ------------------------------------------------------------------------------- */

static void creation_survives_every_failing_allocation(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_goal goals[2] = {snw_goal_position(5, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 1, 0.2}),
                         snw_goal_rest(-1)};
    FOR_EVERY_METHOD(s)
    {
        snw_ik_options options = snw_ik_options_default();
        options.solver = (snw_ik_solver)s;
        snw_status status = SNW_OUT_OF_MEMORY;
        for (long nth = 0; status == SNW_OUT_OF_MEMORY; nth++) {
            counting_allocator counter = {0, 0, 0, nth};
            snw_allocator allocator = counting_hook(&counter);
            snw_ik *ik = NULL;
            snw_error error;
            status =
                snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, &allocator, &ik, &error);
            assert_true(nth < 50);
            if (status == SNW_OUT_OF_MEMORY) assert_null(ik);
            snw_ik_destroy(ik);
            assert_int_equal(counter.live, 0);
            assert_int_equal(counter.live_bytes, 0);
        }
        assert_true(status == SNW_OK || status == SNW_UNSUPPORTED);
    }
    snw_skeleton_destroy(body);
}

static void a_solve_never_allocates(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body);
    snw_goal goal = snw_goal_position(5, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 1, 0.2});
    FOR_EVERY_METHOD(s)
    {
        counting_allocator counter = {0, 0, 0, -1};
        snw_allocator allocator = counting_hook(&counter);
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL;
        options.solver = (snw_ik_solver)s;
        if (snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, &allocator, &ik, NULL) !=
            SNW_OK)
            continue;
        long calls = counter.calls;
        snw_pose_reset(pose);
        (void)snw_ik_solve(ik, &goal, pose);
        assert_int_equal(counter.calls, calls);
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- the same input gives the same bits --------------------------------------------------- */

static void the_same_problem_gives_the_same_bits(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *first = pose_of(body), *second = pose_of(body);
    size_t joints = (size_t)body->joint_count;
    snw_goal goal =
        snw_goal_position(body->joint_count - 1, (snw_vec3){0, 0, 0}, (snw_vec3){0.1, 0.4, 0.3});
    FOR_EVERY_METHOD(s)
    {
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL, *other = NULL;
        options.solver = (snw_ik_solver)s;
        if (!ik_try(body, &goal, 1, &options, &ik)) continue;
        other = ik_of(body, &goal, 1, &options);
        snw_pose_reset(second);
        (void)snw_ik_solve(ik, &goal, second); /* what a solver did before must not matter */
        snw_pose_reset(first);
        snw_pose_reset(second);
        snw_ik_result a = snw_ik_solve(ik, &goal, first);
        snw_ik_result b = snw_ik_solve(other, &goal, second);
        assert_int_equal(a.outcome, b.outcome);
        assert_int_equal(a.iterations, b.iterations);
        assert_memory_equal(first->rotation, second->rotation, joints * sizeof(snw_quat));
        snw_ik_destroy(ik);
        snw_ik_destroy(other);
    }
    snw_pose_destroy(first);
    snw_pose_destroy(second);
    snw_skeleton_destroy(body);
}

/* ---- hostile numbers ---------------------------------------------------------------------- */

static void numbers_that_are_not_usable_leave_the_pose_alone(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body), *before = pose_of(body);
    snw_vec3 zero = {0, 0, 0}, x = {1, 0, 0};
    snw_random random = snw_random_seed(3, 3);
    FOR_EVERY_METHOD(s)
    {
        snw_goal bad[10];
        for (int i = 0; i < 10; i++)
            bad[i] = snw_goal_line(9, zero, snw_vec3_make(0.3, 0.3, 0), x);
        bad[0].position.y = NAN;
        bad[1].position.z = INFINITY;
        bad[2].point.x = -INFINITY;
        bad[3].direction = zero;
        bad[4].direction.x = NAN;
        bad[5].weight = 0;
        bad[6].weight = NAN;
        bad[7].turn_weight = -1;
        bad[8].orientation.w = NAN;
        bad[9].kind = SNW_GOAL_PLANE; /* not what it was created with */
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL;
        options.solver = (snw_ik_solver)s;
        if (!ik_try(body, &bad[0], 1, &options, &ik)) continue;
        for (int i = 0; i < 10; i++) {
            pose_scatter(pose, &random, 0.5);
            snw_pose_copy(before, pose);
            snw_ik_result result = snw_ik_solve(ik, &bad[i], pose);
            assert_int_equal(result.outcome, SNW_IK_STALLED);
            assert_memory_equal(pose->rotation, before->rotation, 10 * sizeof(snw_quat));
        }
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_pose_destroy(before);
    snw_skeleton_destroy(body);
}

static void a_broken_start_pose_is_mended(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body);
    snw_goal goal = snw_goal_position(9, (snw_vec3){0, 0, 0}, (snw_vec3){0.3, 0.3, 0});
    FOR_EVERY_METHOD(s)
    {
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL;
        options.solver = (snw_ik_solver)s;
        if (!ik_try(body, &goal, 1, &options, &ik)) continue;
        snw_pose_reset(pose);
        pose->rotation[2].w = NAN;
        pose->rotation[3] = snw_quat_make(0, 0, 0, 0);
        pose->rotation[4] = snw_quat_make(7, 1, 0, 0);
        pose->slide[5].x = INFINITY;
        pose->root.translation.y = NAN;
        (void)snw_ik_solve(ik, &goal, pose);
        assert_true(pose_is_finite(pose));
        check_world_is_forward(pose);
        /* Numbers, but none that a body can stand with. */
        pose->root.translation = snw_vec3_make(1e300, -1e300, 1e300);
        pose->root.rotation = snw_quat_make(0, 3, 0, 0);
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        assert_true(isfinite(result.worst_residual) && isfinite(snw_ik_residual(ik)[0]));
        check_near(snw_quat_dot(pose->root.rotation, pose->root.rotation), 1, 1e-12);
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* What was planned at creation cannot be changed later: nothing outside the body is touched. */
static void a_goal_on_other_joints_than_planned_is_refused(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body);
    snw_goal planned[2] = {snw_goal_pole(4, 0, 9, snw_vec3_make(0, 1, 0)),
                           snw_goal_value(2, 0, 0.1)};
    snw_goal other[4] = {planned[0], planned[0], planned[1], planned[1]};
    other[0].chain_root = -5;
    other[1].chain_tip = 1000000;
    other[2].coordinate = 5000;
    other[3].joint = 10;
    FOR_EVERY_METHOD(s)
    for (int i = 0; i < 4; i++) {
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL;
        options.solver = (snw_ik_solver)s;
        if (!ik_try(body, &planned[i / 2], 1, &options, &ik)) continue;
        assert_int_equal(snw_ik_solve(ik, &other[i], pose).outcome, SNW_IK_STALLED);
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Closed forms count as one; everything that repeats stops at the bound. */
static void no_method_takes_more_iterations_than_allowed(void **state)
{
    (void)state;
    static const char *const names[] = {"chain10", "y", "humanoid", "arm7"};
    for (int b = 0; b < 4; b++) {
        snw_skeleton *body = preset(names[b]);
        snw_pose *pose = pose_of(body);
        snw_goal goal = snw_goal_position(body->joint_count - 1, (snw_vec3){0, 0, 0},
                                          (snw_vec3){0.3, 0.2, 0.1});
        FOR_EVERY_METHOD(s)
        for (int most = 0; most < 3; most++) {
            snw_ik_options options = snw_ik_options_default();
            snw_ik *ik = NULL;
            options.solver = (snw_ik_solver)s;
            options.iteration_max = most;
            if (!ik_try(body, &goal, 1, &options, &ik)) continue;
            bool is_closed = s == SNW_IK_TWO_BONE || s == SNW_IK_TRIANGULATION;
            snw_pose_reset(pose);
            assert_true(snw_ik_solve(ik, &goal, pose).iterations <= most + is_closed);
            snw_ik_destroy(ik);
        }
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
}

/* Places where vectors vanish and matrices are singular. */
static void degenerate_places_never_give_nan(void **state)
{
    (void)state;
    static const snw_vec3 place[] = {{0, 0, 0},      {0.9, 0, 0},  {0.45, 0, 0}, {-0.45, 0, 0},
                                     {1e-300, 0, 0}, {1e90, 0, 0}, {0.1, 0, 0},  {0, 0.9, 0}};
    const snw_shape ball = snw_shape_sphere(place[0], 0.1);
    snw_skeleton *body = preset("chain10");
    snw_pose *pose = pose_of(body);
    FOR_EVERY_METHOD(s)
    {
        for (int kind = 0; kind < SNW_GOAL_KIND_COUNT; kind++)
            for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
                snw_goal goal =
                    snw_goal_pose(9, (snw_vec3){0, 0, 0}, place[i], snw_quat_make(0, 1, 0, 0));
                snw_ik_options options = snw_ik_options_default();
                snw_ik *ik = NULL;
                goal.kind = (snw_goal_kind)kind;
                goal.joint = kind == SNW_GOAL_POLE ? 4 : 9;
                goal.chain_tip = 9;
                goal.shape = goal.other = &ball;
                options.solver = (snw_ik_solver)s;
                options.iteration_max = 60;
                if (!ik_try(body, &goal, 1, &options, &ik)) continue;
                snw_pose_reset(pose);
                snw_ik_result result = snw_ik_solve(ik, &goal, pose);
                assert_true(pose_is_finite(pose));
                assert_true(isfinite(result.worst_residual));
                snw_ik_destroy(ik);
            }
    }
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- outcomes ----------------------------------------------------------------------------- */

static snw_ik_outcome outcome_of(snw_ik_solver solver, const snw_skeleton *body, snw_goal goal)
{
    snw_ik_options options = snw_ik_options_default();
    snw_pose *pose = pose_of(body);
    snw_ik_outcome outcome = SNW_IK_REACHED;
    snw_ik *ik = NULL;
    options.solver = solver;
    if (ik_try(body, &goal, 1, &options, &ik))
        outcome = snw_ik_solve(ik, &goal, pose).outcome;
    else
        outcome = SNW_IK_UNREACHABLE;
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    return outcome;
}

static void what_is_proven_out_of_reach_is_called_so(void **state)
{
    (void)state;
    snw_vec3 zero = {0, 0, 0}, y = {0, 1, 0};
    snw_skeleton *chain = preset("chain10");
    /* Links 0.5, 0.1, 0.1: nothing nearer than 0.3. */
    snw_joint_def defs[4];
    snw_skeleton *hole = NULL;
    static const char *const name[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = name[i];
        defs[i].parent = i - 1;
        defs[i].joint.type = SNW_JOINT_BALL;
        defs[i].rest.translation.x = i == 0 ? 0 : i == 1 ? 0.5 : 0.1;
    }
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &hole, NULL), SNW_OK);
    FOR_EVERY_METHOD(s)
    {
        snw_ik_solver m = (snw_ik_solver)s;
        assert_int_equal(outcome_of(m, chain, snw_goal_position(9, zero, (snw_vec3){0, 1.2, 0})),
                         SNW_IK_UNREACHABLE);
        assert_int_equal(outcome_of(m, chain, snw_goal_position(9, zero, (snw_vec3){1.2, 0, 0})),
                         SNW_IK_UNREACHABLE);
        assert_int_equal(outcome_of(m, hole, snw_goal_position(3, zero, (snw_vec3){0, 0.1, 0})),
                         SNW_IK_UNREACHABLE);
        assert_int_equal(outcome_of(m, chain, snw_goal_plane(9, zero, (snw_vec3){0, 1, 0}, y)),
                         SNW_IK_UNREACHABLE);
    }
    snw_skeleton_destroy(chain);
    snw_skeleton_destroy(hole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_is_found_by_its_name),
        cmocka_unit_test(a_goal_that_makes_no_sense_is_refused_with_its_number),
        cmocka_unit_test(an_option_out_of_range_is_refused_by_name),
        cmocka_unit_test(creation_survives_every_failing_allocation),
        cmocka_unit_test(a_solve_never_allocates),
        cmocka_unit_test(the_same_problem_gives_the_same_bits),
        cmocka_unit_test(numbers_that_are_not_usable_leave_the_pose_alone),
        cmocka_unit_test(a_broken_start_pose_is_mended),
        cmocka_unit_test(a_goal_on_other_joints_than_planned_is_refused),
        cmocka_unit_test(no_method_takes_more_iterations_than_allowed),
        cmocka_unit_test(degenerate_places_never_give_nan),
        cmocka_unit_test(what_is_proven_out_of_reach_is_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
