/* One least-squares step at a time: against LAPACK on a Jacobian of the body's own, weights changed
 * between steps, limits changed between steps, no allocation; holds against finite differences. */
#include "check.h"
#include "ik_bodies.h"

#include <lapacke.h>

#define STEPPER_MARKERS 46

/* Two markers on every joint of a body, where a truth pose has them. */
static int put_markers(const snw_pose *truth, snw_random *random, snw_goal *goals)
{
    int count = 0;
    for (int j = 0; j < truth->skeleton->joint_count && count < STEPPER_MARKERS; j++)
        for (int k = 0; k < 2; k++) {
            snw_vec3 offset = snw_vec3_scale(snw_random_direction(random), 0.1);
            goals[count] = snw_goal_position(j, offset, snw_pose_point(truth, j, offset));
            goals[count++].weight = snw_random_range(random, 0.5, 2);
        }
    return count;
}

/* min |J h - r|^2 + damping |h|^2 with J from snw_pose_jacobian_point, by LAPACK's dgels. */
static void expected_step(const snw_goal *goals, int count, const snw_pose *pose, double damping,
                          double *step)
{
    int n = pose->skeleton->dof_count, m = 3 * count + n;
    double *a = calloc((size_t)m * (size_t)n, sizeof *a), *b = calloc((size_t)m, sizeof *b);
    double size = pose->skeleton->size;
    assert_true(a && b);
    for (int i = 0; i < count; i++) {
        double scale = sqrt(goals[i].weight) / size, *rows = a + (size_t)(3 * i) * (size_t)n;
        snw_pose_jacobian_point(pose, goals[i].joint, goals[i].point, rows);
        for (int k = 0; k < 3 * n; k++)
            rows[k] *= scale;
        snw_vec3 at = snw_pose_point(pose, goals[i].joint, goals[i].point);
        b[3 * i] = scale * (goals[i].position.x - at.x);
        b[3 * i + 1] = scale * (goals[i].position.y - at.y);
        b[3 * i + 2] = scale * (goals[i].position.z - at.z);
    }
    for (int c = 0; c < n; c++)
        a[(size_t)(3 * count + c) * (size_t)n + (size_t)c] = sqrt(damping);
    assert_int_equal(LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', m, n, 1, a, n, b, 1), 0);
    memcpy(step, b, (size_t)n * sizeof *step);
    free(a);
    free(b);
}

static void a_step_is_the_damped_least_squares_step(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *truth = pose_of(body), *pose = pose_of(body), *expected = pose_of(body);
    snw_random random = snw_random_seed(3, 1);
    snw_goal goals[STEPPER_MARKERS];
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_ik_stepper *stepper = NULL;
    options.root = SNW_IK_ROOT_FIXED;
    options.use_limits = false;
    options.damping = 1e-4;
    pose_scatter(truth, &random, 0.3);
    int count = put_markers(truth, &random, goals);
    assert_int_equal(snw_ik_stepper_create(&(snw_ik_problem){body, goals, count}, &options, NULL,
                                           &stepper, NULL),
                     SNW_OK);
    double *step = calloc((size_t)body->dof_count, sizeof *step), energy = INFINITY;
    int steps = 0;
    for (int k = 0; k < 6; k++) {
        snw_pose_copy(expected, pose);
        snw_ik_step taken = snw_ik_stepper_step(stepper, goals, pose);
        if (taken.energy < 1e-20) break; /* there: what is left is round-off */
        if (taken.is_rejected) continue;
        assert_true(taken.energy < energy);
        energy = taken.energy;
        expected_step(goals, count, expected, taken.damping, step);
        snw_pose_step(expected, step);
        /* Condition 1e8 at most (size^2 over damping): 1e-8 of steps of about 1. */
        for (int j = 0; j < body->joint_count; j++)
            check_quat_near(pose->rotation[j], expected->rotation[j], 1e-7);
        steps++;
    }
    assert_true(steps >= 3);
    free(step);
    snw_ik_stepper_destroy(stepper);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_pose_destroy(expected);
    snw_skeleton_destroy(body);
}

static void goals_without_weight_do_not_pull_and_nothing_is_allocated(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    snw_random random = snw_random_seed(4, 1);
    snw_goal goals[STEPPER_MARKERS];
    counting_allocator counter = {.fail_at = -1};
    snw_allocator allocator = counting_hook(&counter);
    snw_ik_stepper *stepper = NULL;
    pose_scatter(truth, &random, 0.4);
    truth->root.translation = snw_vec3_make(0.2, -0.1, 0.3);
    snw_pose_forward(truth);
    int count = put_markers(truth, &random, goals);
    assert_int_equal(snw_ik_stepper_create(&(snw_ik_problem){body, goals, count}, NULL, &allocator,
                                           &stepper, NULL),
                     SNW_OK);
    long calls = counter.calls;
    for (int i = 0; i < count; i += 5) { /* a fifth of them is elsewhere, and does not count */
        goals[i].position = snw_vec3_make(9, 9, 9);
        goals[i].weight = 0;
    }
    snw_ik_step step = {0};
    for (int k = 0; k < 100; k++) {
        step = snw_ik_stepper_step(stepper, goals, pose);
        if (step.largest_move < 1e-10) break;
    }
    assert_true(step.energy < 1e-12);
    check_vec3_near(pose->root.translation, truth->root.translation, 1e-4);
    for (int i = 0; i < count; i++)
        if (goals[i].weight > 0)
            check_vec3_near(snw_pose_point(pose, goals[i].joint, goals[i].point), goals[i].position,
                            1e-5);
    assert_int_equal(counter.calls, calls);
    snw_ik_stepper_destroy(stepper);
    assert_int_equal(counter.live, 0);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void limits_can_be_changed_between_steps(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid");
    int elbow = snw_skeleton_find_joint(body, "left_elbow");
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    int shoulder = body->parent[elbow];
    snw_pose *truth = pose_of(body), *pose = pose_of(body);
    snw_ik_stepper *stepper = NULL;
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    bool active[64];
    options.root = SNW_IK_ROOT_FIXED;
    const snw_joint *joint = &body->joint[elbow];
    truth->rotation[elbow] = snw_quat_from_axis_angle(joint->axis, joint->limit.range[0][1] + 0.3);
    snw_pose_forward(truth);
    snw_goal goals[3] = {
        snw_goal_position(elbow, snw_vec3_make(0, 0, 0), truth->world[elbow].translation),
        snw_goal_position(wrist, snw_vec3_make(0, 0, 0), truth->world[wrist].translation),
        snw_goal_orientation(shoulder, truth->world[shoulder].rotation)};
    goals[2].weight = 100;
    assert_int_equal(
        snw_ik_stepper_create(&(snw_ik_problem){body, goals, 3}, &options, NULL, &stepper, NULL),
        SNW_OK);
    for (int k = 0; k < 30; k++) {
        snw_ik_step step = snw_ik_stepper_step(stepper, goals, pose);
        assert_true(snw_pose_violation(pose) <= SNW_LIMIT_TOLERANCE);
        assert_true(isfinite(step.energy));
    }
    assert_true(snw_ik_stepper_active_limits(stepper, pose, active) >= 1);
    assert_true(active[elbow]);
    snw_joint_limit none = snw_joint_limit_none();
    snw_ik_stepper_set_limit(stepper, elbow, &none);
    assert_false(snw_ik_stepper_joint(stepper, elbow)->limit.has_range[0]);
    snw_ik_stepper_restart(stepper);
    for (int k = 0; k < 60; k++)
        (void)snw_ik_stepper_step(stepper, goals, pose);
    check_vec3_near(pose->world[wrist].translation, goals[1].position, 1e-4);
    snw_ik_stepper_destroy(stepper);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void what_a_step_cannot_serve_is_refused(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_goal rest = snw_goal_rest(-1),
             goal = snw_goal_position(9, snw_vec3_make(0, 0, 0), snw_vec3_make(0.1, 0.2, 0.3));
    snw_ik_stepper *stepper = NULL;
    static const double bad[] = {-1, (double)NAN, -(double)INFINITY};
    snw_error error;
    assert_int_equal(
        snw_ik_stepper_create(&(snw_ik_problem){body, &rest, 1}, NULL, NULL, &stepper, &error),
        SNW_UNSUPPORTED);
    for (int k = 0; k < 4 * 3; k++) {
        snw_ik_stepper_options options = snw_ik_stepper_options_default();
        double *field[] = {&options.damping, &options.damping_start, &options.damping_retry,
                           &options.move_max};
        static const char *const name[] = {"damping", "damping_start", "damping_retry", "move_max"};
        *field[k / 3] = bad[k % 3];
        assert_int_equal(snw_ik_stepper_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL,
                                               &stepper, &error),
                         SNW_INVALID_ARGUMENT);
        assert_string_equal(error.name, name[k / 3]);
        assert_null(stepper);
    }
    for (long n = 0; n < 20; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator allocator = counting_hook(&counter);
        (void)snw_ik_stepper_create(&(snw_ik_problem){body, &goal, 1}, NULL, &allocator, &stepper,
                                    &error);
        snw_ik_stepper_destroy(stepper);
        assert_int_equal(counter.live, 0);
        stepper = NULL;
    }
    snw_skeleton_destroy(body);
}

/* E as sinew/ik.h states it: weighted squares of distances, holds, halved; square metres. */
static double held_energy(const snw_goal *goals, int count, const snw_pose *pose,
                          const snw_quat *hold, double weight)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        snw_vec3 at = snw_pose_point(pose, goals[i].joint, goals[i].point);
        sum += goals[i].weight * snw_vec3_length2(snw_vec3_sub(goals[i].position, at));
    }
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        double chord = 2 * sin(snw_quat_angle_between(pose->rotation[j], hold[j]) / 2);
        sum += weight * chord * chord;
    }
    return sum / 2;
}

/* The slope of the energy along every coordinate, by central differences. */
static double steepest_slope(const snw_goal *goals, int count, const snw_pose *pose,
                             const snw_quat *hold, double weight)
{
    const double h = 1e-5;
    int n = pose->skeleton->dof_count;
    double *step = calloc((size_t)n, sizeof *step), steepest = 0;
    snw_pose *there = pose_of(pose->skeleton);
    assert_non_null(step);
    for (int c = 0; c < n; c++) {
        double energy[2];
        for (int side = 0; side < 2; side++) {
            step[c] = side ? h : -h;
            snw_pose_copy(there, pose);
            snw_pose_step(there, step);
            snw_pose_forward(there);
            energy[side] = held_energy(goals, count, there, hold, weight);
        }
        step[c] = 0;
        steepest = fmax(steepest, fabs(energy[1] - energy[0]) / (2 * h));
    }
    snw_pose_destroy(there);
    free(step);
    return steepest;
}

/* Many goals and one: where goals are fewer than coordinates, holds say what the others are. */
static void joints_that_are_held_stand_where_goals_and_holds_balance(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int goals;
        double weight;
    } rows[] = {{"humanoid", STEPPER_MARKERS, 1e-2},
                {"humanoid", STEPPER_MARKERS, 1},
                {"chain10", 1, 1e-2},
                {"chain10", 1, 1}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        snw_skeleton *body = preset(rows[k].body);
        snw_pose *truth = pose_of(body), *pose = pose_of(body), *held = pose_of(body);
        snw_random random = snw_random_seed(7, (uint64_t)k);
        snw_goal goals[STEPPER_MARKERS];
        snw_ik_stepper_options options = snw_ik_stepper_options_default();
        snw_ik_stepper *stepper = NULL;
        options.root = SNW_IK_ROOT_FIXED;
        options.use_limits = false;
        options.use_holds = true;
        pose_scatter(truth, &random, 0.4);
        pose_scatter(held, &random, 0.4);
        int count = put_markers(truth, &random, goals);
        if (count > rows[k].goals) goals[0] = goals[count - 1];
        if (count > rows[k].goals) count = rows[k].goals;
        assert_int_equal(snw_ik_stepper_create(&(snw_ik_problem){body, goals, count}, &options,
                                               NULL, &stepper, NULL),
                         SNW_OK);
        for (int j = 0; j < body->joint_count; j++)
            snw_ik_stepper_set_hold(stepper, j, held->rotation[j], rows[k].weight);
        double before = steepest_slope(goals, count, pose, held->rotation, rows[k].weight);
        for (int round = 0; round < 60; round++)
            (void)snw_ik_stepper_step(stepper, goals, pose);
        /* Central differences of 1e-5 know the slope to 1e-10 of what it was, and round-off of an
         * energy of about 1 over 1e-5 is 1e-11; steps converge linearly near the end. */
        double after = steepest_slope(goals, count, pose, held->rotation, rows[k].weight);
        if (!(after <= 1e-6 * before))
            fail_msg("%s, %d goals, weight %g: slope %g, at first %g", rows[k].body, count,
                     rows[k].weight, after, before);
        snw_ik_stepper_destroy(stepper);
        snw_pose_destroy(truth);
        snw_pose_destroy(pose);
        snw_pose_destroy(held);
        snw_skeleton_destroy(body);
    }
}

static void holds_need_goals_of_one_limb(void **state)
{
    (void)state;
    snw_skeleton *body = preset("chain10");
    snw_goal goal = snw_goal_aim(9, snw_vec3_make(0, 0, 0), snw_vec3_make(1, 0, 0),
                                 snw_vec3_make(0.1, 0.2, 0.3));
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    snw_ik_stepper *stepper = NULL;
    options.use_holds = true;
    assert_int_equal(
        snw_ik_stepper_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &stepper, NULL),
        SNW_UNSUPPORTED);
    assert_null(stepper);
    snw_skeleton_destroy(body);
}

/* The marker's sensor, the network or a division by zero upstream: whatever number is no number, or
 * too large to be squared, the pose is as it was and what is told are numbers. */
static void goals_that_are_no_numbers_are_rejected(void **state)
{
    (void)state;
    static const double wild[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, -1e200};
    snw_skeleton *body = preset("humanoid");
    snw_pose *pose = pose_of(body), *before = pose_of(body);
    int hand = snw_skeleton_find_joint(body, "left_wrist");
    snw_goal usual = snw_goal_pose(hand, snw_vec3_make(0, 0, 0), snw_vec3_make(0.3, 0.2, 0.3),
                                   snw_quat_identity());
    snw_ik_stepper *stepper = NULL;
    assert_int_equal(
        snw_ik_stepper_create(&(snw_ik_problem){body, &usual, 1}, NULL, NULL, &stepper, NULL),
        SNW_OK);
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++)
        for (int field = 0; field < 5; field++) {
            snw_goal goal = usual;
            double *number[] = {&goal.position.x, &goal.point.z, &goal.orientation.y, &goal.weight,
                                &goal.turn_weight};
            *number[field] = wild[k];
            snw_pose_copy(before, pose);
            snw_ik_step step = snw_ik_stepper_step(stepper, &goal, pose);
            if (isnan(step.energy) || isnan(step.largest_move) || isnan(step.expected_gain))
                fail_msg("field %d, %g: energy %g, move %g, gain %g", field, wild[k], step.energy,
                         step.largest_move, step.expected_gain);
            if (step.is_rejected)
                for (int j = 0; j < body->joint_count; j++)
                    assert_memory_equal(&pose->rotation[j], &before->rotation[j], sizeof(snw_quat));
            assert_true(snw_pose_violation(pose) < 1e-6); /* NaN is not */
        }
    assert_false(snw_ik_stepper_step(stepper, &usual, pose).is_rejected);
    snw_ik_stepper_destroy(stepper);
    snw_pose_destroy(before);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_the_damped_least_squares_step),
        cmocka_unit_test(goals_without_weight_do_not_pull_and_nothing_is_allocated),
        cmocka_unit_test(limits_can_be_changed_between_steps),
        cmocka_unit_test(what_a_step_cannot_serve_is_refused),
        cmocka_unit_test(joints_that_are_held_stand_where_goals_and_holds_balance),
        cmocka_unit_test(holds_need_goals_of_one_limb),
        cmocka_unit_test(goals_that_are_no_numbers_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
