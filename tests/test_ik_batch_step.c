/* Differential steps of many poses: the step is the damped least squares step of a plain dense
 * solve, limits and velocities hold, many of them reach; a device takes the same. */
#include <lapacke.h>

#include "batch_cases.h"
#include "ik/core/method.h"

#define COUNT 60

static const int robots[] = {3, 4}; /* of body_problems: arm7, panda */
#define ROBOTS ((int)(sizeof robots / sizeof *robots))

typedef struct step_case {
    batch_case c;
    snw_ik_batch *batch;
    float *value, *velocity;
} step_case;

static void open_case(step_case *s, int which, const char *device)
{
    s->c = case_of(&body_problems[which], COUNT);
    s->c.options.device = device;
    s->c.options.ik.tolerance = 1e-4;
    s->c.options.ik.turn_tolerance = 1e-3;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){s->c.body, s->c.goal, s->c.goal_count},
                                         &s->c.options, NULL, &s->batch, NULL),
                     SNW_OK);
    int dofs = s->c.body->dof_count;
    s->value = calloc((size_t)COUNT * (size_t)dofs, sizeof(float));
    s->velocity = calloc((size_t)dofs, sizeof(float));
    assert_true(s->value && s->velocity);
    snw_pose *pose = pose_of(s->c.body);
    snw_random random = snw_random_seed(3, 3);
    double values[64];
    for (int n = 0; n < COUNT; n++) {
        pose_scatter(pose, &random, 1);
        snw_pose_values(pose, values);
        for (int d = 0; d < dofs; d++) /* away from the limits */
            s->value[n * dofs + d] = (float)(0.8 * values[d]);
    }
    for (int d = 0; d < dofs; d++)
        s->velocity[d] = 1 + 0.25F * (float)d;
    snw_pose_destroy(pose);
}

static void close_case(step_case *s)
{
    snw_ik_batch_destroy(s->batch);
    free(s->value);
    free(s->velocity);
    case_free(&s->c);
}

static int step_all(step_case *s, const snw_ik_batch_pace *pace)
{
    int reached = 0;
    snw_ik_batch_job job = job_of(&s->c);
    job.rotation = NULL;
    job.slide = NULL;
    job.value = s->value;
    assert_int_equal(snw_ik_batch_step(s->batch, snw_xform_identity(), &job, pace, &reached, NULL),
                     SNW_OK);
    return reached;
}

/* ---- a plain dense step ------------------------------------------------------------------------
 */

/* (J^T J + lambda) h = part J^T r of a pose goal, rows in body sizes and radians; no limits. */
static void dense_step(const step_case *s, int n, double part, double damping, double *h)
{
    const snw_skeleton *body = s->c.body;
    int dofs = body->dof_count;
    double values[16], jacobian[6 * 16], residual[6], normal[16 * 16] = {0}, energy = 0;
    lapack_int pivot[16];
    assert_true(dofs <= 16);
    snw_pose *pose = pose_of(body);
    snw_ik *ik = ik_of(body, s->c.goal, 1, &s->c.options.ik); /* only asked how large the body is */
    for (int d = 0; d < dofs; d++)
        values[d] = (double)s->value[n * dofs + d];
    snw_pose_set_values(pose, values);
    snw_pose_forward(pose);
    snw_goal goal = goal_of(&s->c, n, 0);
    snw_xform at = pose->world[goal.joint];
    snw_vec3 lack = snw_vec3_scale(snw_vec3_sub(goal.position, at.translation), 1 / ik->size);
    snw_vec3 turn = snw_quat_log(snw_quat_mul(goal.orientation, snw_quat_conjugate(at.rotation)));
    turn = snw_vec3_scale(turn, s->c.goal[0].turn_weight);
    snw_pose_jacobian_point(pose, goal.joint, goal.point, jacobian);
    snw_pose_jacobian_turn(pose, goal.joint, jacobian + (size_t)3 * (size_t)dofs);
    const double r[6] = {lack.x, lack.y, lack.z, turn.x, turn.y, turn.z};
    memcpy(residual, r, sizeof r);
    for (int row = 0; row < 6; row++) {
        double scale = row < 3 ? 1 / ik->size : s->c.goal[0].turn_weight;
        energy += 0.5 * residual[row] * residual[row];
        for (int d = 0; d < dofs; d++)
            jacobian[row * dofs + d] *= scale;
    }
    for (int a = 0; a < dofs; a++) {
        h[a] = 0;
        for (int row = 0; row < 6; row++)
            h[a] += part * jacobian[row * dofs + a] * residual[row];
        for (int b = 0; b < dofs; b++)
            for (int row = 0; row < 6; row++)
                normal[a * dofs + b] += jacobian[row * dofs + a] * jacobian[row * dofs + b];
        normal[a * dofs + a] += damping + fmin(energy, 1);
    }
    assert_int_equal(LAPACKE_dgesv(LAPACK_ROW_MAJOR, dofs, 1, normal, dofs, pivot, h, 1), 0);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
}

static void check_is_dense_step(const char *device, double tolerance)
{
    const snw_ik_batch_pace pace = {.dt = 0.01, .gain = 4, .damping = 1e-4};
    for (int k = 0; k < ROBOTS; k++) {
        step_case s;
        open_case(&s, robots[k], device);
        int dofs = s.c.body->dof_count, held = 0;
        double *wanted = calloc((size_t)COUNT * (size_t)dofs, sizeof *wanted);
        assert_non_null(wanted);
        for (int n = 0; n < COUNT; n++) {
            dense_step(&s, n, 0.04, 1e-4, wanted + (size_t)n * (size_t)dofs);
            for (int d = 0; d < dofs; d++)
                wanted[n * dofs + d] += (double)s.value[n * dofs + d];
        }
        (void)step_all(&s, &pace);
        if (device && !snw_ik_batch_device(s.batch)[0])
            print_message("skipped: %s\n", snw_ik_batch_trouble(s.batch));
        else
            assert_string_equal(snw_ik_batch_trouble(s.batch), "");
        for (int n = 0; n < COUNT; n++) {
            double worst = 0;
            for (int d = 0; d < dofs; d++)
                worst = fmax(worst, fabs((double)s.value[n * dofs + d] - wanted[n * dofs + d]));
            held += worst > tolerance;
        }
        /* A full step that would leave a limit holds that joint, which the dense step does not. */
        assert_true(held <= COUNT / 6);
        free(wanted);
        close_case(&s);
    }
}

static void a_step_is_the_damped_least_squares_step(void **state)
{
    (void)state;
    check_is_dense_step(NULL, 1e-6);
}

static void a_devices_step_is_the_same(void **state)
{
    (void)state;
    /* [derived] Floats, with a damping of 1e-4: 1e-7 / 1e-4 of steps of 0.1. */
    check_is_dense_step("opencl", 2e-4);
}

/* ---- many steps --------------------------------------------------------------------------------
 */

static void check_inside(const step_case *s, const float *before, double dt)
{
    const snw_skeleton *body = s->c.body;
    for (int j = 0; j < body->joint_count; j++)
        for (int k = 0; k < snw_joint_type_dof(body->joint[j].type); k++) {
            int d = body->dof_first[j] + k;
            const snw_joint_limit *limit = &body->joint[j].limit;
            for (int n = 0; n < COUNT; n++) {
                double now = (double)s->value[n * body->dof_count + d];
                double way = fabs(now - (double)before[n * body->dof_count + d]);
                assert_true(way <= (double)s->velocity[d] * dt * (1 + 1e-4) + 1e-6);
                if (!limit->has_range[k]) continue;
                assert_true(now >= limit->range[k][0] - 1e-5 && now <= limit->range[k][1] + 1e-5);
            }
        }
}

static void check_follows(const char *device)
{
    for (int k = 0; k < ROBOTS; k++) {
        step_case s;
        open_case(&s, robots[k], device);
        const snw_ik_batch_pace pace = {.dt = 0.02, .velocity = s.velocity};
        size_t size = (size_t)COUNT * (size_t)s.c.body->dof_count * sizeof(float);
        float *before = malloc(size);
        int reached = 0;
        assert_non_null(before);
        for (int step = 0; step < 400; step++) {
            memcpy(before, s.value, size);
            reached = step_all(&s, &pace);
            check_inside(&s, before, pace.dt);
        }
        /* Steps alone stop where limits stand in the way: solves start anew there. */
        if (reached < COUNT / 2) fail_msg("%d of %d", reached, COUNT);
        free(before);
        close_case(&s);
    }
}

static void steps_follow_inside_limits_and_velocities(void **state)
{
    (void)state;
    check_follows(NULL);
}

static void a_devices_steps_follow_too(void **state)
{
    (void)state;
    check_follows("opencl");
}

/* ---- what is told ------------------------------------------------------------------------------
 */

static void balls_step_on_the_processor(void **state)
{
    (void)state;
    step_case s;
    const snw_ik_batch_pace pace = {.dt = 0.02};
    open_case(&s, 1, "opencl");
    (void)step_all(&s, &pace);
    const char *told = snw_ik_batch_trouble(s.batch);
    assert_true(strstr(told, "without ball joints") || strstr(told, "OpenCL"));
    close_case(&s);
}

static void paces_that_are_none_are_refused(void **state)
{
    (void)state;
    step_case s;
    open_case(&s, 3, NULL);
    snw_ik_batch_job job = job_of(&s.c);
    s.velocity[2] = 0;
    const snw_ik_batch_pace wrong[] = {{0},
                                       {.dt = -1},
                                       {.dt = NAN},
                                       {.dt = 1, .gain = -1},
                                       {.dt = 1, .damping = NAN},
                                       {.dt = 1, .velocity = s.velocity}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(
            snw_ik_batch_step(s.batch, snw_xform_identity(), &job, &wrong[k], NULL, NULL),
            SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_ik_batch_step(s.batch, snw_xform_identity(), &job, NULL, NULL, NULL),
                     SNW_INVALID_ARGUMENT);
    /* Numbers that are none leave the pose where it is. */
    const snw_ik_batch_pace pace = {.dt = 0.02};
    s.c.target[1] = NAN;
    float first[4];
    memcpy(first, s.c.rotation, sizeof first);
    assert_int_equal(snw_ik_batch_step(s.batch, snw_xform_identity(), &job, &pace, NULL, NULL),
                     SNW_OK);
    assert_memory_equal(first, s.c.rotation, sizeof first);
    assert_int_equal(s.c.outcome[0], SNW_IK_STALLED);
    check_answers(&s.c);
    close_case(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_the_damped_least_squares_step),
        cmocka_unit_test(a_devices_step_is_the_same),
        cmocka_unit_test(steps_follow_inside_limits_and_velocities),
        cmocka_unit_test(a_devices_steps_follow_too),
        cmocka_unit_test(balls_step_on_the_processor),
        cmocka_unit_test(paces_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
