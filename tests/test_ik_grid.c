/* Every method on every goal kind it serves, on several bodies: the forward kinematics of the
 * answer meets the goal, limits hold, nothing is NaN, and what is said is what is measured. */
#include "ik_bodies.h"

typedef struct grid_body {
    const char *name;
    int joint;            /* the effector */
    int elbow, root, tip; /* for poles */
} grid_body;

static const grid_body bodies[] = {
    {"chain10", 9, 4, 0, 9},
    {"y", 6, 4, 1, 6},
    {"arm7", -1, 3, 1, 6},
    {"humanoid", -1, -1, -1, -1},
};

/* The goal of this kind that the pose `truth` meets. */
static snw_goal goal_met(const snw_pose *truth, snw_goal_kind kind, const grid_body *g)
{
    int last = g->joint >= 0 ? g->joint : truth->skeleton->joint_count - 1;
    snw_vec3 point = snw_vec3_make(0.02, 0.01, -0.01), direction = snw_vec3_make(0.6, 0, 0.8);
    snw_vec3 place = snw_pose_point(truth, last, point);
    snw_quat frame = truth->world[last].rotation;
    double values[6] = {0};
    int moving = last;
    while (snw_joint_type_dof(truth->skeleton->joint[moving].type) == 0)
        moving = truth->skeleton->parent[moving];
    (void)snw_joint_values(&truth->skeleton->joint[moving], truth->rotation[moving],
                           truth->slide[moving], values);
    switch (kind) {
    case SNW_GOAL_POSITION:
        return snw_goal_position(last, point, place);
    case SNW_GOAL_ORIENTATION:
        return snw_goal_orientation(last, frame);
    case SNW_GOAL_AXES:
        return snw_goal_axes(last, frame, snw_vec3_make(1, 0.3, 0));
    case SNW_GOAL_POSE:
        return snw_goal_pose(last, point, place, frame);
    case SNW_GOAL_AIM:
        return snw_goal_aim(last, point, direction,
                            snw_vec3_add_scaled(place, 0.7, snw_quat_rotate(frame, direction)));
    case SNW_GOAL_POLE:
        return snw_goal_pole(g->elbow, g->root, g->tip, truth->world[g->elbow].translation);
    case SNW_GOAL_LINE:
        return snw_goal_line(last, point, snw_vec3_add_scaled(place, 0.3, direction), direction);
    case SNW_GOAL_PLANE:
        return snw_goal_plane(last, point, place, direction);
    case SNW_GOAL_SIDE:
        return snw_goal_side(last, point, place, direction);
    case SNW_GOAL_VALUE:
        return snw_goal_value(moving, 0, values[0]);
    default:
        return snw_goal_rest(-1);
    }
}

/* The methods that follow one gradient from one start get into local minima on bodies with tight
 * limits, and plain sampling is coarse: they must answer honestly, not always reach. */
static double least_reached(snw_ik_solver solver, const char *body)
{
    bool is_limited = strcmp(body, "arm7") == 0 || strcmp(body, "humanoid") == 0;
    if (solver == SNW_IK_LM || solver == SNW_IK_AUTO) return is_limited ? 0.95 : 1;
    if (solver == SNW_IK_PARTICLE) return 0.4;
    if (solver == SNW_IK_TWO_BONE) return 0; /* turns two joints, the truth turned them all */
    /* First order, or no slopes at all; a second objective that pulls against limits. */
    if (solver == SNW_IK_CONJUGATE_GRADIENT) return is_limited ? 0.4 : 0.8;
    if (solver == SNW_IK_NELDER_MEAD) return is_limited ? 0.3 : 0.95;
    if (solver == SNW_IK_EXTENDED_JACOBIAN) return is_limited ? 0.3 : 0.75;
    if (solver == SNW_IK_FIK || solver == SNW_IK_JACOBIAN_TRANSPOSE) return is_limited ? 0.4 : 0.85;
    return is_limited ? 0.5 : 0.95;
}

static bool run_once(snw_ik *ik, snw_goal *goal, snw_pose *pose)
{
    snw_ik_result result = snw_ik_solve(ik, goal, pose);
    assert_true(pose_is_finite(pose));
    check_world_is_forward(pose);
    assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
    double residual = 0, turn = 0;
    snw__ik_measure_goal(ik, goal, pose, &residual, &turn);
    check_near(snw_ik_residual(ik)[0], residual, 0);
    check_near(snw_ik_turn_residual(ik)[0], turn, 0);
    bool is_met = snw__ik_excess(ik, goal, pose) <= 1;
    assert_int_equal(result.outcome == SNW_IK_REACHED, is_met);
    assert_true(result.iterations >= 0 && result.iterations <= ik->options.iteration_max);
    return is_met;
}

static bool run_cell(snw_ik_solver solver, const grid_body *g, snw_goal_kind kind)
{
    snw_skeleton *body = preset(g->name);
    snw_pose *pose = pose_of(body), *truth = pose_of(body);
    snw_random random = snw_random_seed(100 + (uint64_t)kind, solver);
    snw_ik_options options = snw_ik_options_default();
    bool is_good = true;
    int reached = 0, count = CHECK_CASES(22);
    options.solver = solver;
    options.tolerance = solver == SNW_IK_PARTICLE ? 5e-3 : 1e-4;
    options.turn_tolerance = solver == SNW_IK_PARTICLE ? 2e-2 : 1e-3;
    snw_goal goal = goal_met(truth, kind, g);
    snw_ik *ik = NULL;
    if (ik_try(body, &goal, 1, &options, &ik)) {
        for (int i = 0; i < count; i++) {
            pose_scatter(truth, &random, 0.5);
            goal = goal_met(truth, kind, g);
            snw_pose_reset(pose);
            reached += run_once(ik, &goal, pose);
        }
        if (!(reached >= least_reached(solver, g->name) * count)) {
            print_error("%s, %s goal on %s: %d of %d reached\n", snw_ik_solver_name(solver),
                        snw_goal_kind_name(kind), g->name, reached, count);
            is_good = false;
        }
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return is_good;
}

static void every_method_meets_every_goal_kind(void **state)
{
    bool is_good = true;
    (void)state;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++)
        for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++)
            for (int kind = 0; kind < SNW_GOAL_KIND_COUNT; kind++) {
                if (kind == SNW_GOAL_POLE && bodies[b].elbow < 0) continue;
                if (kind == SNW_GOAL_APART) continue; /* tests/test_ik_apart.c */
                is_good &= run_cell((snw_ik_solver)s, &bodies[b], (snw_goal_kind)kind);
            }
    assert_true(is_good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_meets_every_goal_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
