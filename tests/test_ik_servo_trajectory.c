/* Trajectories: limits in every frame by differences, durations by closed forms, the path kept. */
#include "../cli/bench/bench_poses.h"
#include "check.h"
#include "ik_bodies.h"

#define DOF_MAX 64

typedef struct trajectory_case {
    snw_skeleton *body;
    snw_pose *from, *to;
    double velocity[DOF_MAX], acceleration[DOF_MAX], jerk[DOF_MAX];
    snw_trajectory_options options;
} trajectory_case;

static void open_case(trajectory_case *test, const char *name)
{
    test->body = preset(name);
    test->from = pose_of(test->body);
    test->to = pose_of(test->body);
    test->options = snw_trajectory_options_default();
    for (int k = 0; k < DOF_MAX; k++) {
        test->velocity[k] = 1 + 0.1 * k;
        test->acceleration[k] = 4 + 0.2 * k;
        test->jerk[k] = 60;
    }
    test->options.limit = (snw_rate_limit){test->velocity, test->acceleration, test->jerk};
    test->options.rate = 500;
}

static void close_case(trajectory_case *test)
{
    snw_pose_destroy(test->from);
    snw_pose_destroy(test->to);
    snw_skeleton_destroy(test->body);
}

/* Largest of velocity, acceleration and jerk over their limits, by differences of the frames; the
 * body stands before the first and after the last. */
static void rates_of(const trajectory_case *test, const snw_motion *motion, double worst[3])
{
    snw_pose *pose = pose_of(test->body);
    int n = test->body->dof_count, count = motion->frame_count;
    double q[4][DOF_MAX] = {{0}};
    worst[0] = worst[1] = worst[2] = 0;
    for (int f = -2; f < count + 2; f++) {
        snw_motion_get(motion, f < 0 ? 0 : f >= count ? count - 1 : f, pose);
        memmove(q[1], q[0], 3 * sizeof q[0]);
        snw_pose_values(pose, q[0]);
        if (f == -2)
            for (int k = 1; k < 4; k++)
                memcpy(q[k], q[0], sizeof q[0]);
        double rate = motion->rate;
        for (int i = 0; i < n; i++) {
            worst[0] = fmax(worst[0], fabs(q[0][i] - q[1][i]) * rate / test->velocity[i]);
            worst[1] = fmax(worst[1], fabs(q[0][i] - 2 * q[1][i] + q[2][i]) * rate * rate /
                                          test->acceleration[i]);
            worst[2] = fmax(worst[2], fabs(q[0][i] - 3 * q[1][i] + 3 * q[2][i] - q[3][i]) * rate *
                                          rate * rate / test->jerk[i]);
        }
    }
    snw_pose_destroy(pose);
}

static void a_way_between_poses_keeps_the_limits_and_wastes_no_time(void **state)
{
    (void)state;
    trajectory_case test;
    open_case(&test, "panda");
    for (int k = 0; k < CHECK_SAMPLES(60); k++) {
        snw_random random = snw_random_seed(21, (uint64_t)k);
        snw_motion *motion = NULL;
        double worst[3];
        bool has_jerk = k % 2;
        test.options.limit.jerk = has_jerk ? test.jerk : NULL;
        bench_take_pose(test.from, &random, false);
        bench_take_pose(test.to, &random, false);
        if (k % 5 == 0) snw_pose_interpolate(test.from, test.to, 0.02, test.to);
        (void)snw_pose_apply_limits(test.from);
        (void)snw_pose_apply_limits(test.to);
        assert_int_equal(
            snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, NULL), SNW_OK);
        rates_of(&test, motion, worst);
        /* Differences over a frame are means: never above. 1e-9: angles from rotations. */
        if (worst[0] > 1 + 1e-9 || worst[1] > 1 + 1e-6 || (has_jerk && worst[2] > 1 + 1e-3))
            fail_msg("case %d: %g %g %g", k, worst[0], worst[1], worst[2]);
        /* One of the limits is used up, or time was given away; short ways have few frames. */
        double most = fmax(worst[0], fmax(worst[1], has_jerk ? worst[2] : 0));
        if (motion->frame_count > 100) assert_true(most > 0.95);
        snw_pose *end = pose_of(test.body);
        snw_motion_get(motion, motion->frame_count - 1, end);
        for (int j = 0; j < test.body->joint_count; j++)
            check_near(snw_quat_angle_between(end->rotation[j], test.to->rotation[j]), 0, 1e-7);
        snw_pose_destroy(end);
        snw_motion_destroy(motion);
    }
    close_case(&test);
}

/* One hinge: the durations that books give. */
static void durations_are_those_of_closed_forms(void **state)
{
    (void)state;
    static const struct {
        double way, v, a, j, seconds;
    } cases[] = {
        {2, 1, 2, INFINITY, 2.5},  /* trapeze: way / v + v / a */
        {0.5, 10, 2, INFINITY, 1}, /* triangle: 2 sqrt(way / a) */
        {2, 1, 2, 8, 2.75},        /* + a / j */
        {1, 10, 100, 4, 2},        /* jerk alone: 4 cbrt(way / (2 j)) */
    };
    trajectory_case test;
    open_case(&test, "ur5");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_motion *motion = NULL;
        for (int k = 0; k < DOF_MAX; k++) {
            test.velocity[k] = cases[n].v;
            test.acceleration[k] = cases[n].a;
            test.jerk[k] = cases[n].j;
        }
        snw_pose_reset(test.from);
        snw_pose_reset(test.to);
        int joint = 1;
        while (test.body->joint[joint].type != SNW_JOINT_HINGE)
            joint++;
        test.to->rotation[joint] =
            snw_quat_from_axis_angle(test.body->joint[joint].axis, cases[n].way);
        assert_int_equal(
            snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, NULL), SNW_OK);
        check_near((motion->frame_count - 1) / motion->rate, cases[n].seconds, 1.01 / 500);
        snw_motion_destroy(motion);
        if (cases[n].j < INFINITY) continue;
        /* Along a path of many frames on the same way it is the same time. */
        snw_motion *path = NULL;
        assert_int_equal(snw_motion_create(test.body, 21, 10, NULL, &path, NULL), SNW_OK);
        snw_pose *pose = pose_of(test.body);
        for (int f = 0; f <= 20; f++) {
            snw_pose_interpolate(test.from, test.to, f / 20.0, pose);
            snw_motion_set(path, f, pose);
        }
        assert_int_equal(snw_trajectory_along(path, &test.options, NULL, &motion, NULL), SNW_OK);
        check_near((motion->frame_count - 1) / motion->rate, cases[n].seconds, 0.01);
        snw_pose_destroy(pose);
        snw_motion_destroy(motion);
        snw_motion_destroy(path);
    }
    close_case(&test);
}

/* Two coordinates on a circle: the speed is bounded by the acceleration towards its middle,
 * v^2 / r <= a in each coordinate, whichever is the larger. */
static void curves_are_taken_as_fast_as_their_limits_allow(void **state)
{
    (void)state;
    trajectory_case test;
    open_case(&test, "panda");
    snw_motion *path = NULL, *motion = NULL;
    double values[DOF_MAX] = {0, 0, 0, -1.5, 0, 1.5, 0}, worst[3];
    assert_int_equal(snw_motion_create(test.body, 65, 10, NULL, &path, NULL), SNW_OK);
    for (int f = 0; f <= 64; f++) {
        double angle = 2 * SNW_PI * f / 64;
        values[0] = 0.5 * cos(angle);
        values[1] = 0.5 * sin(angle);
        values[4] = 0.2 * sin(2 * angle);
        snw_pose_set_values(test.from, values);
        snw_motion_set(path, f, test.from);
    }
    assert_int_equal(snw_trajectory_along(path, &test.options, NULL, &motion, NULL), SNW_OK);
    rates_of(&test, motion, worst);
    if (worst[0] > 1 + 1e-9 || worst[1] > 1 + 1e-6) fail_msg("%g %g", worst[0], worst[1]);
    assert_true(worst[0] > 0.9 || worst[1] > 0.9);
    double least = 2 * SNW_PI * 0.5 / 1.1, seconds = (motion->frame_count - 1) / motion->rate;
    if (!(seconds > least) || !(seconds < 2.5 * least)) fail_msg("%g s of %g", seconds, least);
    for (int f = 0; f < motion->frame_count; f++) { /* on the circle */
        double now[DOF_MAX];
        snw_motion_get(motion, f, test.to);
        snw_pose_values(test.to, now);
        check_near(hypot(now[0], now[1]), 0.5, 1e-3); /* of a spline through 64 points */
    }
    snw_motion_destroy(motion);
    snw_motion_destroy(path);
    close_case(&test);
}

/* Balls, slides and the root go along too; what has no limit, or is no pose, is refused. */
static void bodies_of_every_joint_move_and_wrong_ones_are_refused(void **state)
{
    (void)state;
    trajectory_case test;
    snw_error error;
    snw_motion *motion = NULL;
    open_case(&test, "humanoid");
    snw_random random = snw_random_seed(2, 2);
    pose_scatter(test.to, &random, 0.5);
    (void)snw_pose_apply_limits(test.to);
    test.to->root.translation = snw_vec3_make(1, 0, 0.5);
    assert_int_equal(
        snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, &error), SNW_OK);
    for (int f = 0; f < motion->frame_count; f++) {
        snw_pose *pose = pose_of(test.body);
        snw_motion_get(motion, f, pose);
        check_near(snw_pose_violation(pose), 0, 0);
        snw_pose_destroy(pose);
    }
    snw_motion *along = NULL;
    assert_int_equal(snw_trajectory_along(motion, &test.options, NULL, &along, &error), SNW_OK);
    check_near(along->root[along->frame_count - 1].translation.x, 1, 1e-12);
    snw_motion_destroy(along);
    snw_motion_destroy(motion);
    test.options.limit.acceleration = NULL;
    assert_int_equal(
        snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, &error),
        SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "no limit of velocity or acceleration"));
    test.options.rate = 0;
    assert_int_equal(
        snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, &error),
        SNW_INVALID_ARGUMENT);
    test.options.rate = 100;
    test.velocity[0] = -1;
    assert_int_equal(
        snw_trajectory_between(test.from, test.to, &test.options, NULL, &motion, &error),
        SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_trajectory_along(NULL, NULL, NULL, &motion, &error), SNW_INVALID_ARGUMENT);
    /* From a pose to itself: one frame. */
    test.velocity[0] = 1;
    assert_int_equal(
        snw_trajectory_between(test.from, test.from, &test.options, NULL, &motion, &error), SNW_OK);
    assert_int_equal(motion->frame_count, 1);
    snw_motion_destroy(motion);
    close_case(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_between_poses_keeps_the_limits_and_wastes_no_time),
        cmocka_unit_test(durations_are_those_of_closed_forms),
        cmocka_unit_test(curves_are_taken_as_fast_as_their_limits_allow),
        cmocka_unit_test(bodies_of_every_joint_move_and_wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
