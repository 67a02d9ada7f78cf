/* Reaching in time: the quadratic program against its optimality conditions and against every
 * active set tried by hand, steps against a plain dense reference made of public Jacobians, limits
 * in time, priorities, posture, manipulability, balance, and trajectories. */
#include <sinew/ik_servo.h>

#include "../cli/bench/bench_poses.h"
#include "ik_chains.h"

#include "ik/servo/qp.h"
#include "ik/servo/rates.h"

/* ---- the quadratic program ------------------------------------------------------------------ */

#define QP_SIZE 24
#define QP_ROWS 12

typedef struct qp_case {
    snw__qp qp;
    snw__block block;
    double hessian[QP_SIZE * QP_SIZE];
    int size, rows;
} qp_case;

static void lay_out_case(void *object, snw__block *block)
{
    qp_case *test = object;
    snw__qp_layout(&test->qp, test->size, test->rows, block);
}

/* H = A^T A + d I with `rank` rows of A, random bounds of which some are far, rows through points
 * inside the bounds, so that all can hold. */
static void make_case(qp_case *test, snw_random *random, int rank, double far)
{
    int n = test->size;
    double inside[QP_SIZE];
    memset(test->hessian, 0, sizeof test->hessian);
    for (int r = 0; r < rank; r++) {
        double a[QP_SIZE];
        for (int i = 0; i < n; i++)
            a[i] = snw_random_range(random, -1, 1);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                test->hessian[i * n + j] += a[i] * a[j];
    }
    for (int i = 0; i < n; i++) {
        test->hessian[i * n + i] += 1e-4;
        test->qp.linear[i] = snw_random_range(random, -3, 3);
        bool is_far = snw_random_range(random, 0, 1) < far;
        test->qp.low[i] = is_far ? -INFINITY : snw_random_range(random, -1, 0);
        test->qp.high[i] = is_far ? INFINITY : test->qp.low[i] + snw_random_range(random, 0, 1);
        inside[i] = is_far ? snw_random_range(random, -1, 1)
                           : snw_random_range(random, test->qp.low[i], test->qp.high[i]);
        test->qp.was_active[2 * i] = test->qp.was_active[2 * i + 1] = false;
    }
    for (int k = 0; k < test->rows; k++) {
        double *row = &test->qp.row[k * n], at = 0;
        for (int i = 0; i < n; i++) {
            row[i] = snw_random_range(random, -1, 1);
            at += row[i] * inside[i];
        }
        test->qp.least[k] = k < test->qp.equal_count ? at : at - snw_random_range(random, 0, 0.3);
    }
    test->qp.row_count = test->rows;
    memcpy(test->qp.hessian, test->hessian, (size_t)(n * n) * sizeof(double));
}

/* Feasible, and the gradient is a sum of the normals of active constraints with weights that push:
 * found by nonnegative least squares without the solver, one coordinate at a time. */
static double gap_of(const qp_case *test)
{
    int n = test->size;
    const snw__qp *qp = &test->qp;
    double gradient[QP_SIZE], worst = 0;
    for (int i = 0; i < n; i++) {
        gradient[i] = qp->linear[i];
        for (int j = 0; j < n; j++)
            gradient[i] += test->hessian[i * n + j] * qp->x[j];
        worst = fmax(worst, fmax(qp->low[i] - qp->x[i], qp->x[i] - qp->high[i]));
    }
    double push[QP_ROWS] = {0};
    bool is_on[QP_ROWS];
    for (int k = 0; k < test->rows; k++) {
        double at = 0;
        for (int i = 0; i < n; i++)
            at += qp->row[k * n + i] * qp->x[i];
        is_on[k] = k < qp->equal_count || at < qp->least[k] + 1e-7;
        worst = fmax(worst, k < qp->equal_count ? fabs(at - qp->least[k]) : qp->least[k] - at);
    }
    double left = 0;
    for (int round = 0; round < 20000; round++) {
        left = 0;
        for (int k = 0; k < test->rows; k++) {
            double along = 0, norm = 0;
            if (!is_on[k]) continue;
            for (int i = 0; i < n; i++) {
                bool is_low = qp->x[i] <= qp->low[i] + 1e-9,
                     is_high = qp->x[i] >= qp->high[i] - 1e-9;
                double g = gradient[i];
                if ((is_low && g > 0) || (is_high && g < 0)) g = 0;
                along += qp->row[k * n + i] * g;
                norm += qp->row[k * n + i] * qp->row[k * n + i];
            }
            double next = push[k] + along / norm;
            if (k >= qp->equal_count) next = fmax(0, next);
            for (int i = 0; i < n; i++)
                gradient[i] -= (next - push[k]) * qp->row[k * n + i];
            push[k] = next;
        }
        for (int i = 0; i < n; i++) {
            bool is_low = qp->x[i] <= qp->low[i] + 1e-9, is_high = qp->x[i] >= qp->high[i] - 1e-9;
            double g = gradient[i];
            if (!((is_low && g > 0) || (is_high && g < 0))) left = fmax(left, fabs(g));
        }
        if (left < 1e-9) break;
    }
    return fmax(worst, left);
}

static void a_program_ends_where_its_conditions_hold(void **state)
{
    (void)state;
    for (int n = 1; n <= QP_SIZE; n++)
        for (uint64_t seed = 0; seed < (uint64_t)CHECK_SAMPLES(30); seed++) {
            snw_random random = snw_random_seed(seed, (uint64_t)n);
            qp_case test = {.size = n, .rows = (int)(seed % 4) * n / 8};
            snw_allocator memory = snw_allocator_default();
            assert_int_equal(
                snw__block_create(&test.block, lay_out_case, &test, &memory, "a test", NULL),
                SNW_OK);
            test.qp.equal_count = seed % 3 == 0 ? test.rows / 2 : 0;
            make_case(&test, &random, n, seed % 2 ? 0.3 : 0);
            if (!snw__qp_solve(&test.qp)) fail_msg("size %d seed %d not solved", n, (int)seed);
            assert_int_equal(test.qp.given_up_count, 0);
            double gap = gap_of(&test);
            if (!(gap < 1e-6)) fail_msg("size %d seed %d: %g", n, (int)seed, gap);
            snw__block_release(&memory, &test.block);
        }
}

/* Demands that no point can meet are given up, and the rest is solved as without them. */
static void rows_that_contradict_the_bounds_are_given_up(void **state)
{
    (void)state;
    snw_allocator memory = snw_allocator_default();
    qp_case test = {.size = 3, .rows = 2};
    snw_random random = snw_random_seed(5, 5);
    assert_int_equal(snw__block_create(&test.block, lay_out_case, &test, &memory, "a test", NULL),
                     SNW_OK);
    make_case(&test, &random, 3, 0);
    double kept[3];
    test.qp.row_count = 1;
    assert_true(snw__qp_solve(&test.qp));
    memcpy(kept, test.qp.x, sizeof kept);
    memcpy(test.qp.hessian, test.hessian, 9 * sizeof(double));
    test.qp.row_count = 2;
    test.qp.least[1] = 100;
    assert_true(snw__qp_solve(&test.qp));
    assert_int_equal(test.qp.given_up_count, 1);
    for (int i = 0; i < 3; i++)
        check_near(test.qp.x[i], kept[i], 1e-9);
    assert_true(snw__qp_relax_row(&test.qp, 1));
    memcpy(test.qp.hessian, test.hessian, 9 * sizeof(double));
    assert_true(snw__qp_solve(&test.qp)); /* what the bounds alone allow of it holds */
    double most = 0, at = 0;
    for (int i = 0; i < 3; i++) {
        most += test.qp.row[3 + i] * (test.qp.row[3 + i] > 0 ? test.qp.high[i] : test.qp.low[i]);
        at += test.qp.row[3 + i] * test.qp.x[i];
    }
    if (test.qp.given_up_count == 0) check_near(at, most, 1e-6);
    memset(test.qp.hessian, 0,
           9 * sizeof(double)); /* no curvature: nothing is promised but bounds */
    assert_false(snw__qp_solve(&test.qp));
    for (int i = 0; i < 3; i++)
        assert_true(test.qp.x[i] >= test.qp.low[i] && test.qp.x[i] <= test.qp.high[i]);
    snw__block_release(&memory, &test.block);
}

/* ---- limits of one coordinate --------------------------------------------------------------- */

/* Any velocity inside the bounds, step after step: nothing is ever broken. */
static void a_coordinate_keeps_every_limit_whatever_it_is_asked(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        for (uint64_t seed = 0; seed < (uint64_t)CHECK_SAMPLES(40); seed++) {
            snw_random random = snw_random_seed(seed, (uint64_t)kind);
            double dt = exp(snw_random_range(&random, log(1e-4), log(0.05)));
            snw__rate rate = {INFINITY, INFINITY, INFINITY, 0, 0, 0, 0};
            double range = snw_random_range(&random, 0.01, 4), q = 0;
            if (kind > 0) rate.velocity_max = snw_random_range(&random, 0.1, 5);
            if (kind > 1) rate.acceleration_max = snw_random_range(&random, 0.5, 50);
            if (kind > 2) rate.jerk_max = exp(snw_random_range(&random, log(2), log(5000)));
            double asked = 1;
            for (int k = 0; k < 3000; k++) {
                double low, high;
                rate.below = q + range;
                rate.above = range - q;
                snw__rate_bounds(&rate, dt, &low, &high);
                assert_true(low <= high);
                if (snw_random_range(&random, 0, 1) < 0.02) asked = -asked;
                /* To the ends, or anywhere between. */
                double v = k % 3 ? (asked > 0 ? high : low) : snw_random_range(&random, low, high);
                double a = (v - rate.velocity) / dt;
                double jerk = (a - rate.acceleration) / dt;
                if (!(fabs(v) <= rate.velocity_max * (1 + 1e-9)) ||
                    !(fabs(a) <= rate.acceleration_max * (1 + 1e-9)) ||
                    !(fabs(jerk) <= rate.jerk_max * (1 + 1e-9) + 1e-12 / (dt * dt)) ||
                    !(fabs(q + v * dt) <= range * (1 + 1e-12)))
                    fail_msg(
                        "kind %d seed %d step %d: v %g of %g, a %g of %g, j %g of %g, q %g of %g",
                        kind, (int)seed, k, v, rate.velocity_max, a, rate.acceleration_max, jerk,
                        rate.jerk_max, q + v * dt, range);
                q += v * dt;
                rate.velocity = v;
                rate.acceleration = a;
            }
        }
    /* 3 + 2 + 1 and a rest of 0.5: the sum of what is left of p is met. */
    check_near(snw__rate_peak(6, 1), 3, 1e-15);
    for (double total = 0.1; total < 40; total *= 1.3) {
        double p = snw__rate_peak(total, 0.7), sum = 0;
        for (double left = p; left > 0; left -= 0.7)
            sum += left;
        check_near(sum, total, 1e-12 * total);
    }
    check_near(snw__rate_peak(0, 1), 0, 0);
    check_near(snw__rate_peak(1, 0), 0, 0);
}

/* ---- steps ---------------------------------------------------------------------------------- */

typedef struct servo_case {
    snw_skeleton *body;
    snw_pose *pose, *truth;
    int tool;
    double velocity[64], acceleration[64], jerk[64];
    snw_ik_servo_options options;
} servo_case;

static servo_case arm_case(const char *name)
{
    servo_case test = {.body = preset(name)};
    test.pose = pose_of(test.body);
    test.truth = pose_of(test.body);
    test.tool = test.body->joint_count - 1;
    for (int k = 0; k < 64; k++) {
        test.velocity[k] = 2;
        test.acceleration[k] = 10;
        test.jerk[k] = 500;
    }
    test.options = snw_ik_servo_options_default();
    return test;
}

static void release_case(servo_case *test)
{
    snw_pose_destroy(test->pose);
    snw_pose_destroy(test->truth);
    snw_skeleton_destroy(test->body);
}

static snw_goal tool_goal(int joint)
{
    return snw_goal_pose(joint, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0),
                         snw_quat_identity());
}

static void aim_at(snw_goal *goal, const snw_pose *truth)
{
    goal->position = truth->world[goal->joint].translation;
    goal->orientation = truth->world[goal->joint].rotation;
}

static snw_ik_servo *servo_of(servo_case *test, const snw_goal *goals, int count)
{
    snw_ik_problem problem = {test->body, goals, count};
    snw_ik_servo *servo = NULL;
    snw_error error;
    if (snw_ik_servo_create(&problem, &test->options, NULL, &servo, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return servo;
}

/* The step of one pose goal on hinges from public Jacobians: normal equations in full and the best
 * value of one velocity after the other until nothing changes. */
static void plain_step(const servo_case *test, const snw_goal *goal, const snw_pose *pose,
                       double dt, double *v)
{
    double jacobian[6][64], error[6], hessian[64][64] = {{0}}, linear[64] = {0}, values[64];
    int n = test->body->dof_count;
    double size = test->body->size, energy = 0;
    double part[3 * 64];
    snw_vec3 away = snw_vec3_sub(goal->position, pose->world[goal->joint].translation);
    snw_vec3 turn = snw_quat_log(
        snw_quat_mul(goal->orientation, snw_quat_conjugate(pose->world[goal->joint].rotation)));
    const double both[6] = {away.x, away.y, away.z, turn.x, turn.y, turn.z};
    for (int half = 0; half < 2; half++) {
        double scale = half ? goal->turn_weight : 1 / size;
        if (half)
            snw_pose_jacobian_turn(pose, goal->joint, part);
        else
            snw_pose_jacobian_point(pose, goal->joint, goal->point, part);
        for (int r = 0; r < 3; r++) {
            error[3 * half + r] = scale * both[3 * half + r];
            energy += 0.5 * error[3 * half + r] * error[3 * half + r];
            for (int c = 0; c < n; c++)
                jacobian[3 * half + r][c] = scale * part[r * n + c];
        }
    }
    for (int r = 0; r < 6; r++)
        for (int i = 0; i < n; i++) {
            linear[i] -= jacobian[r][i] * test->options.gain * error[r];
            for (int j = 0; j < n; j++)
                hessian[i][j] += jacobian[r][i] * jacobian[r][j];
        }
    snw_pose_values(pose, values);
    for (int i = 0; i < n; i++) {
        hessian[i][i] += test->options.damping + energy;
        v[i] = 0;
    }
    for (int round = 0; round < 200000; round++) {
        double moved = 0;
        for (int j = 0, i = 0; j < test->body->joint_count; j++) {
            if (snw_joint_type_dof(test->body->joint[j].type) == 0) continue;
            const double *range = test->body->joint[j].limit.range[0];
            double low = fmax(-test->velocity[i], (range[0] - values[i]) / dt);
            double high = fmin(test->velocity[i], (range[1] - values[i]) / dt), slope = linear[i];
            for (int k = 0; k < n; k++)
                slope += hessian[i][k] * v[k];
            double next = snw_clamp(v[i] - slope / hessian[i][i], low, high);
            moved = fmax(moved, fabs(next - v[i]));
            v[i++] = next;
        }
        if (moved < 1e-13) break;
    }
}

static void a_step_is_that_of_a_plain_dense_reference(void **state)
{
    (void)state;
    servo_case test = arm_case("panda");
    snw_goal goal = tool_goal(test.tool);
    snw_random random = snw_random_seed(3, 3);
    test.options.limit.velocity = test.velocity;
    snw_ik_servo *servo = servo_of(&test, &goal, 1);
    int limited = 0;
    for (int k = 0; k < 200; k++) {
        double want[64];
        bench_take_pose(test.truth, &random, false);
        bench_take_pose(test.pose, &random, false);
        if (k % 4) snw_pose_interpolate(test.pose, test.truth, 0.9, test.pose);
        (void)snw_pose_apply_limits(test.pose);
        snw_pose_forward(test.pose);
        aim_at(&goal, test.truth);
        plain_step(&test, &goal, test.pose, 0.01, want);
        snw_ik_servo_result result = snw_ik_servo_step(servo, &goal, 0.01, test.pose);
        limited += result.limited_count > 0;
        for (int i = 0; i < test.body->dof_count; i++)
            check_near(snw_ik_servo_velocity(servo)[i], want[i], 1e-6); /* of the slow reference */
    }
    assert_true(limited > 10);
    snw_ik_servo_destroy(servo);
    release_case(&test);
}

/* Random targets one after the other: ranges, velocities, accelerations and jerks as the joints
 * really move. */
static void no_step_crosses_a_limit(void **state)
{
    (void)state;
    static const char *const names[] = {"panda", "ur5", "gen3"};
    for (int kind = 0; kind < 9; kind++) {
        servo_case test = arm_case(names[kind / 3]);
        int n = test.body->dof_count, rates = kind % 3 + 1;
        snw_goal goal = tool_goal(test.tool);
        snw_random random = snw_random_seed(11, (uint64_t)kind);
        test.options.limit.velocity = test.velocity;
        if (rates > 1) test.options.limit.acceleration = test.acceleration;
        if (rates > 2) test.options.limit.jerk = test.jerk;
        test.options.gain = kind % 2 ? 10 : INFINITY;
        snw_ik_servo *servo = servo_of(&test, &goal, 1);
        double before[64], after[64], v0[64] = {0}, a0[64] = {0}, dt = 0.002;
        snw_pose_reset(test.pose);
        (void)snw_pose_apply_limits(test.pose);
        for (int k = 0; k < CHECK_SAMPLES(12000); k++) {
            if (k % 700 == 0) {
                bench_take_pose(test.truth, &random, false);
                aim_at(&goal, test.truth);
            }
            snw_pose_values(test.pose, before);
            (void)snw_ik_servo_step(servo, &goal, dt, test.pose);
            snw_pose_values(test.pose, after);
            check_near(snw_pose_violation(test.pose), 0, 0);
            for (int i = 0; i < n; i++) {
                double v = snw_wrap_angle(after[i] - before[i]) / dt;
                double a = (v - v0[i]) / dt, jerk = (a - a0[i]) / dt;
                double said = snw_ik_servo_velocity(servo)[i];
                check_near(v, said, 1e-9); /* angles from rotations, over dt */
                if (fabs(v) > 2 + 1e-9) fail_msg("velocity %.12g", v);
                if (rates > 1 && fabs(a) > 10 + 1e-6) fail_msg("acceleration %.12g", a);
                if (rates > 2 && fabs(jerk) > 500 + 1e-3) fail_msg("jerk %.12g", jerk);
                v0[i] = v;
                a0[i] = a;
            }
        }
        snw_ik_servo_destroy(servo);
        release_case(&test);
    }
}

/* A target that moves within what the joints can do is met in every step, and joints move on
 * without a jump. */
static void a_moving_target_is_followed(void **state)
{
    (void)state;
    static const char *const names[] = {"panda", "arm7", "gen3", "ur5"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        servo_case test = arm_case(names[n]);
        snw_goal goal = tool_goal(test.tool);
        double values[64], middle[64], before[64];
        test.options.gain = INFINITY;
        test.options.limit.velocity = test.velocity;
        for (int j = 0, i = 0; j < test.body->joint_count; j++)
            for (int k = 0; k < snw_joint_type_dof(test.body->joint[j].type); k++, i++)
                middle[i] = 0.5 * (test.body->joint[j].limit.range[0][0] +
                                   test.body->joint[j].limit.range[0][1]) +
                            0.5 * (i % 2 ? 1 : -1);
        snw_pose_set_values(test.pose, middle);
        snw_ik_servo *servo = servo_of(&test, &goal, 1);
        double worst = 0, fastest = 0;
        for (int k = 0; k < 4000; k++) {
            for (int i = 0; i < test.body->dof_count; i++)
                values[i] = middle[i] + 0.3 * sin(0.001 * k * (1 + 0.3 * i)); /* to 0.9 rad/s */
            snw_pose_set_values(test.truth, values);
            snw_pose_forward(test.truth);
            aim_at(&goal, test.truth);
            snw_pose_values(test.pose, before);
            snw_ik_servo_result result = snw_ik_servo_step(servo, &goal, 0.001, test.pose);
            worst = fmax(worst, result.worst_residual);
            for (int i = 0; i < test.body->dof_count; i++)
                fastest = fmax(fastest, fabs(snw_ik_servo_velocity(servo)[i]));
        }
        /* One step behind the path, and its curvature: far below the tolerance of a solve. */
        if (!(worst < 2e-4) || !(fastest < 2))
            fail_msg("%s: %g behind, %g rad/s", names[n], worst, fastest);
        snw_ik_servo_destroy(servo);
        release_case(&test);
    }
}

/* ---- what is wished beyond --------------------------------------------------------------------
 */

static void a_lower_priority_costs_a_higher_one_nothing(void **state)
{
    (void)state;
    servo_case test = arm_case("panda");
    snw_goal goals[2] = {
        snw_goal_position(test.tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0)),
        snw_goal_position(4, snw_vec3_make(0, 0, 0), snw_vec3_make(-1, 1, 2))};
    snw_random random = snw_random_seed(4, 4);
    double left[2] = {0, 0};
    for (int strict = 0; strict < 2; strict++) {
        goals[1].priority = strict;
        snw_ik_servo *servo = servo_of(&test, goals, 2);
        for (int k = 0; k < 20; k++) {
            random = snw_random_seed(4, (uint64_t)k);
            bench_take_pose(test.truth, &random, false);
            bench_take_pose(test.pose, &random, false);
            snw_pose_interpolate(test.truth, test.pose, 0.2, test.pose);
            (void)snw_pose_apply_limits(test.pose);
            goals[0].position = test.truth->world[test.tool].translation;
            for (int step = 0; step < 400; step++)
                (void)snw_ik_servo_step(servo, goals, 0.01, test.pose);
            left[strict] +=
                snw_vec3_distance(goals[0].position, test.pose->world[test.tool].translation);
        }
        snw_ik_servo_destroy(servo);
    }
    /* 20 of them: the second goal cannot be met and pulls without a priority. */
    if (!(left[1] < 0.2 * left[0]) || !(left[1] < 0.3)) fail_msg("%g and %g", left[0], left[1]);
    release_case(&test);
}

static void a_posture_is_taken_where_the_goal_leaves_room(void **state)
{
    (void)state;
    servo_case test = arm_case("arm7");
    snw_goal goal =
        snw_goal_position(test.tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0.4, 0.2, 0.5));
    double values[64] = {0.3, 0.4, -0.2, -1.2, 0.5, 0.6, 1}, apart[2];
    snw_pose_set_values(test.truth, values);
    for (int with = 0; with < 2; with++) {
        test.options.posture = with ? test.truth : NULL;
        snw_ik_servo *servo = servo_of(&test, &goal, 1);
        snw_pose_reset(test.pose);
        test.pose->rotation[2] = snw_quat_from_axis_angle(test.body->joint[2].axis, 0.3);
        snw_ik_servo_result result = {0};
        for (int k = 0; k < 3000; k++)
            result = snw_ik_servo_step(servo, &goal, 0.01, test.pose);
        assert_true(result.is_reached);
        double now[64];
        snw_pose_values(test.pose, now);
        apart[with] = 0;
        for (int i = 0; i < test.body->dof_count; i++)
            apart[with] += (now[i] - values[i]) * (now[i] - values[i]);
        snw_ik_servo_destroy(servo);
    }
    if (!(apart[1] < 0.5 * apart[0])) fail_msg("%g and %g", apart[0], apart[1]);
    release_case(&test);
}

/* sqrt(det(J J^T)) from public Jacobians. */
static double manipulability_of(const snw_pose *pose, int joint)
{
    double jacobian[6 * 64], gram[6][6] = {{0}}, det = 1;
    int n = pose->skeleton->dof_count;
    double size = pose->skeleton->size;
    snw_pose_jacobian_point(pose, joint, snw_vec3_make(0, 0, 0), jacobian);
    snw_pose_jacobian_turn(pose, joint, jacobian + 3 * n);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int c = 0; c < n; c++)
                gram[a][b] += jacobian[a * n + c] * jacobian[b * n + c] / (a < 3 ? size : 1) /
                              (b < 3 ? size : 1);
    for (int k = 0; k < 6; k++) {
        det *= gram[k][k];
        for (int r = k + 1; r < 6; r++)
            for (int c = 5; c >= k; c--)
                gram[r][c] -= gram[r][k] / gram[k][k] * gram[k][c];
    }
    return sqrt(det);
}

static void manipulability_rises_where_the_goal_leaves_room(void **state)
{
    (void)state;
    servo_case test = arm_case("panda");
    snw_goal goal = tool_goal(test.tool);
    double values[64] = {0.2, 0.5, -0.4, -0.7, 0.3, 0.9, 0.4}, w[2];
    snw_pose_set_values(test.truth, values);
    snw_pose_forward(test.truth);
    aim_at(&goal, test.truth);
    test.options.manipulability_goal = 0;
    for (int with = 0; with < 2; with++) {
        test.options.manipulability_gain = with ? 1 : 0;
        snw_ik_servo *servo = servo_of(&test, &goal, 1);
        snw_pose_copy(test.pose, test.truth);
        snw_ik_servo_result result = {0};
        for (int k = 0; k < 1000; k++)
            result = snw_ik_servo_step(servo, &goal, 0.01, test.pose);
        assert_true(result.is_reached);
        w[with] = manipulability_of(test.pose, test.tool);
        snw_ik_servo_destroy(servo);
    }
    if (!(w[1] > 1.05 * w[0])) fail_msg("%g and %g", w[0], w[1]);
    release_case(&test);
}

/* With a goal that asks for nothing (weight tiny) the step is the gradient itself. */
static void manipulability_has_its_gradient(void **state)
{
    (void)state;
    servo_case test = arm_case("panda");
    snw_goal goal = tool_goal(test.tool);
    goal.weight = 1e-30;
    test.options.manipulability_goal = 0;
    test.options.manipulability_gain = 1e-3;
    test.options.use_limits = false;
    snw_ik_servo *servo = servo_of(&test, &goal, 1);
    snw_random random = snw_random_seed(9, 9);
    for (int k = 0; k < CHECK_SAMPLES(50); k++) {
        double values[64], step = 1e-6;
        bench_take_pose(test.truth, &random, false);
        aim_at(&goal, test.truth);
        snw_pose_values(test.truth, values);
        snw_pose_copy(test.pose, test.truth);
        if (manipulability_of(test.pose, test.tool) < 1e-3) continue;
        snw_ik_servo_restart(servo);
        (void)snw_ik_servo_step(servo, &goal, 0.01, test.pose);
        for (int i = 0; i < test.body->dof_count; i++) {
            double w[2];
            for (int side = 0; side < 2; side++) {
                values[i] += (side ? 2 : -1) * step;
                snw_pose_set_values(test.truth, values);
                snw_pose_forward(test.truth);
                w[side] = log(manipulability_of(test.truth, test.tool));
            }
            values[i] -= step;
            double want = 1e-3 * (w[1] - w[0]) / (2 * step);
            check_near(snw_ik_servo_velocity(servo)[i], want, 1e-6 + 1e-4 * fabs(want));
        }
    }
    snw_ik_servo_destroy(servo);
    release_case(&test);
}

static void the_centre_of_mass_stays_over_its_support(void **state)
{
    (void)state;
    servo_case test = arm_case("humanoid");
    static const char *const names[] = {"left_ankle", "right_ankle", "left_wrist"};
    snw_goal goals[3];
    snw_pose_forward(test.pose);
    for (int i = 0; i < 3; i++) {
        goals[i] = tool_goal(snw_skeleton_find_joint(test.body, names[i]));
        aim_at(&goals[i], test.pose);
    }
    goals[2].kind = SNW_GOAL_POSITION;
    goals[2].position = snw_vec3_add(goals[2].position, snw_vec3_make(0.3, -0.6, 0.9));
    goals[2].priority = 1;
    test.options.root = SNW_IK_ROOT_FREE;
    snw_vec3 sole[4];
    for (int i = 0; i < 4; i++) {
        sole[i] = goals[i / 2].position;
        sole[i].z += i % 2 ? 0.12 : -0.04;
    }
    double furthest[2] = {INFINITY, INFINITY};
    for (int with = 0; with < 2; with++) {
        snw_ik_servo *servo = servo_of(&test, goals, 3);
        snw_error error;
        if (with)
            assert_int_equal(
                snw_ik_servo_set_support(servo, sole, 4, snw_vec3_make(0, 1, 0), &error), SNW_OK);
        snw_pose_reset(test.pose);
        for (int k = 0; k < 300; k++) {
            snw_ik_servo_result result = snw_ik_servo_step(servo, goals, 0.01, test.pose);
            snw_vec3 center = snw_ik_servo_mass_center(servo, test.pose);
            /* Front edge of the soles: both ankles stand at one z. */
            furthest[with] = fmin(furthest[with], sole[1].z - center.z);
            if (with) assert_true(result.support_margin > -1e-3);
            assert_int_equal(result.given_up_count, 0);
        }
        if (with) {
            assert_int_equal(snw_ik_servo_set_support(servo, sole, 2, sole[0], &error),
                             SNW_INVALID_ARGUMENT);
            assert_int_equal(snw_ik_servo_set_support(servo, NULL, 0, sole[0], &error), SNW_OK);
        }
        snw_ik_servo_destroy(servo);
    }
    /* Without it the reach pulls the body over its toes. */
    if (!(furthest[0] < -0.02) || !(furthest[1] > -1e-3))
        fail_msg("%g and %g", furthest[0], furthest[1]);
    release_case(&test);
}

/* ---- what is refused --------------------------------------------------------------------------
 */

static void what_a_servo_cannot_take_is_refused(void **state)
{
    (void)state;
    servo_case test = arm_case("panda");
    snw_goal goal = tool_goal(test.tool), rest = snw_goal_rest(-1);
    snw_ik_problem problem = {test.body, &goal, 1}, none = {test.body, &rest, 1};
    snw_ik_servo *servo = NULL;
    snw_error error;
    assert_int_equal(snw_ik_servo_create(&none, NULL, NULL, &servo, &error), SNW_UNSUPPORTED);
    assert_int_equal(snw_ik_servo_create(NULL, NULL, NULL, &servo, &error), SNW_INVALID_ARGUMENT);
    test.options.gain = NAN;
    assert_int_equal(snw_ik_servo_create(&problem, &test.options, NULL, &servo, &error),
                     SNW_INVALID_ARGUMENT);
    assert_string_equal(error.name, "gain");
    test.options.gain = 10;
    test.options.limit.jerk = test.jerk; /* without accelerations */
    assert_int_equal(snw_ik_servo_create(&problem, &test.options, NULL, &servo, &error),
                     SNW_INVALID_ARGUMENT);
    assert_null(servo);
    test.options.limit.jerk = NULL;
    servo = servo_of(&test, &goal, 1);
    snw_pose_reset(test.pose);
    (void)snw_pose_apply_limits(test.pose);
    snw_pose_copy(test.truth, test.pose);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++)
        assert_int_equal(snw_ik_servo_step(servo, &goal, bad[k], test.pose).worst_goal, -1);
    goal.position.x = NAN;
    assert_false(snw_ik_servo_step(servo, &goal, 0.01, test.pose).is_reached);
    for (int j = 0; j < test.body->joint_count; j++)
        assert_memory_equal(&test.pose->rotation[j], &test.truth->rotation[j], sizeof(snw_quat));
    assert_int_equal(snw_ik_servo_set_support(servo, &goal.position, 3, goal.direction, &error),
                     SNW_INVALID_ARGUMENT); /* no masses */
    snw_ik_servo_destroy(servo);
    snw_ik_servo_destroy(NULL);
    release_case(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_ends_where_its_conditions_hold),
        cmocka_unit_test(rows_that_contradict_the_bounds_are_given_up),
        cmocka_unit_test(a_coordinate_keeps_every_limit_whatever_it_is_asked),
        cmocka_unit_test(a_step_is_that_of_a_plain_dense_reference),
        cmocka_unit_test(no_step_crosses_a_limit),
        cmocka_unit_test(a_moving_target_is_followed),
        cmocka_unit_test(a_lower_priority_costs_a_higher_one_nothing),
        cmocka_unit_test(a_posture_is_taken_where_the_goal_leaves_room),
        cmocka_unit_test(manipulability_has_its_gradient),
        cmocka_unit_test(manipulability_rises_where_the_goal_leaves_room),
        cmocka_unit_test(the_centre_of_mass_stays_over_its_support),
        cmocka_unit_test(what_a_servo_cannot_take_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
