/* What must not change an answer: the unit of length, where the world's origin is, and how often
 * one asks. */
#include "ik_bodies.h"

#define FOR_EVERY_METHOD(s)                       \
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++) \
        if (snw__ik_method_row((snw_ik_solver)s))

/* The body with every length times `scale`. */
static snw_skeleton *scaled(const snw_skeleton *body, double scale)
{
    snw_joint_def defs[32];
    snw_skeleton *larger = NULL;
    assert_true(body->joint_count <= 32);
    for (int i = 0; i < body->joint_count; i++) {
        defs[i] = snw_skeleton_joint_def(body, i);
        defs[i].rest.translation = snw_vec3_scale(defs[i].rest.translation, scale);
        defs[i].tip = snw_vec3_scale(defs[i].tip, scale);
    }
    assert_int_equal(snw_skeleton_create(defs, body->joint_count, NULL, &larger, NULL), SNW_OK);
    return larger;
}

static void check_same_rotations(int solver, const snw_pose *a, const snw_pose *b, double tolerance)
{
    for (int i = 0; i < a->skeleton->joint_count; i++) {
        double angle = snw_quat_angle_between(a->rotation[i], b->rotation[i]);
        if (angle <= tolerance) continue;
        print_error("%s: joint %s is off by %g rad\n", snw_ik_solver_name((snw_ik_solver)solver),
                    a->skeleton->name[i], angle);
        fail();
    }
}

static snw_ik_options options_of(snw_ik_solver solver)
{
    snw_ik_options options = snw_ik_options_default();
    options.solver = solver;
    /* Few enough that round-off, which differs with the unit, has no time to grow. */
    options.iteration_max = 40;
    /* One iteration of these compares as many energies as there are coordinates. */
    if (solver == SNW_IK_POWELL || solver == SNW_IK_NELDER_MEAD) options.iteration_max = 1;
    options.restart_max = 0;
    options.particle_count = 16;
    return options;
}

static void millimetres_give_the_pose_that_metres_give(void **state)
{
    (void)state;
    const double scale = 1000;
    static const char *const name[] = {"chain10", "arm7", "humanoid"};
    FOR_EVERY_METHOD(s)
    {
        for (int b = 0; b < 3; b++) {
            snw_skeleton *small = preset(name[b]), *large = scaled(small, scale);
            snw_pose *truth = pose_of(small), *p = pose_of(small), *q = pose_of(large);
            int last = small->joint_count - 1;
            snw_random random = snw_random_seed(7, (uint64_t)b);
            snw_ik_options options = options_of((snw_ik_solver)s);
            pose_scatter(truth, &random, 0.4);
            /* From a bent pose: from a straight one, round-off decides which way a limb bends. */
            pose_scatter(p, &random, 0.3);
            memcpy(q->rotation, p->rotation, (size_t)small->joint_count * sizeof(snw_quat));
            snw_goal goal = snw_goal_position(last, snw_vec3_make(0.01, 0.02, 0.03),
                                              truth->world[last].translation);
            snw_goal larger = snw_goal_position(last, snw_vec3_scale(goal.point, scale),
                                                snw_vec3_scale(goal.position, scale));
            snw_ik *ik = NULL;
            if (ik_try(small, &goal, 1, &options, &ik)) {
                snw_ik *other = ik_of(large, &larger, 1, &options);
                snw_ik_result one = snw_ik_solve(ik, &goal, p);
                snw_ik_result two = snw_ik_solve(other, &larger, q);
                assert_int_equal(one.outcome, two.outcome);
                assert_int_equal(one.iterations, two.iterations);
                assert_int_equal(one.active_limit_count, two.active_limit_count);
                /* 1e-5: round-off of 1e-16, grown by 40 steps through nearly singular poses. */
                check_same_rotations(s, p, q, 1e-5);
                check_near(two.worst_residual, one.worst_residual * scale, 1e-5 * scale);
                snw_ik_destroy(other);
            }
            snw_ik_destroy(ik);
            snw_pose_destroy(truth);
            snw_pose_destroy(p);
            snw_pose_destroy(q);
            snw_skeleton_destroy(small);
            snw_skeleton_destroy(large);
        }
    }
}

static void a_moved_and_turned_world_gives_the_same_rotations(void **state)
{
    (void)state;
    snw_xform moved =
        snw_xform_make(snw_quat_from_axis_angle((snw_vec3){1, 2, -1}, 1.1), (snw_vec3){3, -2, 5});
    static const char *const name[] = {"chain10", "arm7", "humanoid"};
    FOR_EVERY_METHOD(s)
    {
        for (int b = 0; b < 3; b++) {
            snw_skeleton *body = preset(name[b]);
            snw_pose *truth = pose_of(body), *p = pose_of(body), *q = pose_of(body);
            int last = body->joint_count - 1;
            snw_random random = snw_random_seed(8, (uint64_t)b);
            snw_ik_options options = options_of((snw_ik_solver)s);
            pose_scatter(truth, &random, 0.4);
            /* Bent, as above. */
            pose_scatter(p, &random, 0.3);
            snw_pose_copy(q, p);
            q->root = snw_xform_mul(moved, p->root);
            snw_goal goal =
                snw_goal_pose(last, (snw_vec3){0.01, 0.02, 0.03}, truth->world[last].translation,
                              truth->world[last].rotation);
            snw_goal there = goal;
            there.position = snw_xform_point(moved, goal.position);
            there.orientation = snw_quat_mul(moved.rotation, goal.orientation);
            snw_ik *ik = NULL;
            if (ik_try(body, &goal, 1, &options, &ik)) {
                snw_ik_result one = snw_ik_solve(ik, &goal, p);
                snw_ik_result two = snw_ik_solve(ik, &there, q);
                assert_int_equal(one.outcome, two.outcome);
                /* As above. */
                check_same_rotations(s, p, q, 1e-5);
            }
            snw_ik_destroy(ik);
            snw_pose_destroy(truth);
            snw_pose_destroy(p);
            snw_pose_destroy(q);
            snw_skeleton_destroy(body);
        }
    }
}

/* A second solve from the answer has nothing to do. */
static void a_reached_pose_is_left_as_it_is(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *truth = pose_of(body), *pose = pose_of(body), *again = pose_of(body);
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    size_t joints = (size_t)body->joint_count;
    FOR_EVERY_METHOD(s)
    {
        snw_random random = snw_random_seed(9, 9);
        snw_ik_options options = snw_ik_options_default();
        snw_ik *ik = NULL;
        options.solver = (snw_ik_solver)s;
        pose_scatter(truth, &random, 0.3);
        snw_goal goal =
            snw_goal_position(wrist, (snw_vec3){0, 0, 0}, truth->world[wrist].translation);
        snw_pose_reset(pose);
        if (ik_try(body, &goal, 1, &options, &ik) &&
            snw_ik_solve(ik, &goal, pose).outcome == SNW_IK_REACHED) {
            snw_pose_copy(again, pose);
            snw_ik_result result = snw_ik_solve(ik, &goal, again);
            assert_int_equal(result.outcome, SNW_IK_REACHED);
            assert_int_equal(result.iterations, 0);
            assert_memory_equal(again->rotation, pose->rotation, joints * sizeof(snw_quat));
        }
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_pose_destroy(again);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(millimetres_give_the_pose_that_metres_give),
        cmocka_unit_test(a_moved_and_turned_world_gives_the_same_rotations),
        cmocka_unit_test(a_reached_pose_is_left_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
