/* Shapes that do not pass through each other: solves and steps in time of arms and of a person,
 * with obstacles and with their own limbs. */
#include "../cli/bench/bench_poses.h"
#include "check.h"
#include "ik_bodies.h"

#include "ik/core/system.h"

#define SHAPES_MAX 40
#define GOALS_MAX  400

typedef struct crowd {
    snw_skeleton *body;
    snw_pose *pose, *truth;
    int shape_count, goal_count;
    snw_body_shape shape[SHAPES_MAX];
    snw_goal goal[GOALS_MAX]; /* the first is the reach */
} crowd;

/* Capsules along the bones, a floor or obstacles in the world. */
static void open_crowd(crowd *c, const char *name, double radius, double margin,
                       const snw_body_shape *world, int world_count)
{
    memset(c, 0, sizeof *c);
    c->body = preset(name);
    c->pose = pose_of(c->body);
    c->truth = pose_of(c->body);
    for (int j = 1; j < c->body->joint_count && c->shape_count < SHAPES_MAX - 4; j++) {
        snw_vec3 end = c->body->rest[j].translation;
        if (snw_vec3_length(end) < 0.05) continue;
        /* The bone lies in the frame of the joint above; a little off the joints at its ends. */
        c->shape[c->shape_count++] = (snw_body_shape){
            c->body->parent[j],
            snw_shape_capsule(snw_vec3_scale(end, 0.2), snw_vec3_scale(end, 0.8), radius)};
    }
    for (int k = 0; k < world_count; k++)
        c->shape[c->shape_count++] = world[k];
    c->goal_count =
        1 + snw_goals_apart(c->body, c->shape, c->shape_count, margin, c->goal + 1, GOALS_MAX - 1);
    assert_true(c->goal_count <= GOALS_MAX);
}

static void close_crowd(crowd *c)
{
    snw_pose_destroy(c->pose);
    snw_pose_destroy(c->truth);
    snw_skeleton_destroy(c->body);
}

/* The least distance of any pair, straight from the shapes. */
static double nearest_pair(const crowd *c, const snw_pose *pose)
{
    double least = INFINITY;
    for (int g = 1; g < c->goal_count; g++) {
        const snw_goal *goal = &c->goal[g];
        snw_placed_shape a = {goal->shape, pose->world[goal->joint]};
        snw_placed_shape b = {goal->other, goal->chain_root < 0 ? snw_xform_identity()
                                                                : pose->world[goal->chain_root]};
        snw_contact contact;
        snw_shape_contact(&a, &b, &contact);
        least = fmin(least, contact.distance);
    }
    return least;
}

static snw_body_shape post_of(double x, double z)
{
    return (snw_body_shape){
        -1, snw_shape_capsule(snw_vec3_make(x, -1, z), snw_vec3_make(x, 2, z), 0.05)};
}

static void rows_of_goals_to_stay_apart_equal_differences(void **state)
{
    (void)state;
    crowd c;
    snw_body_shape world[2] = {
        post_of(0.4, 0.2),
        {-1, snw_shape_box(snw_vec3_make(0, 0.4, 0.5), snw_vec3_make(0.2, 0.1, 0.1))}};
    open_crowd(&c, "arm7", 0.04, 0, world, 2);
    for (int g = 1; g < c.goal_count; g++)
        c.goal[g].value = 3; /* a margin that is always broken */
    snw_random random = snw_random_seed(1, 1);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_DLS;
    snw_ik *ik = ik_of(c.body, c.goal + 1, c.goal_count - 1, &options);
    snw__ik_system *system = ik->system;
    int n = system->column_count, checked = 0;
    for (int sample = 0; sample < CHECK_SAMPLES(20); sample++) {
        double values[16], step = 1e-6, residual[2][GOALS_MAX];
        bench_take_pose(c.pose, &random, false);
        snw_pose_values(c.pose, values);
        for (int k = 0; k < n; k++) {
            for (int side = 0; side < 2; side++) {
                values[k] += side ? 2 * step : -step;
                snw_pose_set_values(c.truth, values);
                snw_pose_forward(c.truth);
                snw__ik_system_measure(system, c.goal + 1, c.truth);
                memcpy(residual[side], system->residual,
                       (size_t)system->row_count * sizeof(double));
            }
            values[k] -= step;
            snw__ik_system_build(system, c.goal + 1, c.pose);
            for (int row = 0; row < system->row_count; row++) {
                double want = -(residual[1][row] - residual[0][row]) / (2 * step);
                /* Where the nearest feature changes within the step there is no derivative. */
                checked += fabs(system->jacobian[row * n + k] - want) <= 1e-4;
            }
        }
    }
    int all = CHECK_SAMPLES(20) * n * system->row_count;
    if (checked < 0.995 * all) fail_msg("%d of %d", checked, all);
    snw_ik_destroy(ik);
    close_crowd(&c);
}

static void solves_reach_without_passing_through(void **state)
{
    (void)state;
    static const char *const names[] = {"panda", "arm7", "humanoid", "chain10"};
    for (size_t m = 0; m < 2 * sizeof names / sizeof *names; m++) {
        crowd c;
        size_t n = m / 2;
        bool is_person = n == 2;
        snw_ik_options options = snw_ik_options_default();
        if (m % 2) options.solver = SNW_IK_FABRIK; /* in its sweeps */
        snw_body_shape world[2] = {post_of(is_person ? 0.6 : 0.5, 0.3), post_of(-0.5, -0.4)};
        open_crowd(&c, names[n], 0.035, 0.01, world, 2);
        int tip =
            is_person ? snw_skeleton_find_joint(c.body, "left_wrist") : c.body->joint_count - 1;
        c.goal[0] = snw_goal_position(tip, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
        snw_ik_problem problem = {c.body, c.goal, c.goal_count};
        snw_ik *ik = NULL;
        snw_error error;
        if (snw_ik_create(&problem, &options, NULL, &ik, &error) != SNW_OK)
            fail_msg("%s", error.message);
        int count = 0, reached = 0, asked = CHECK_SAMPLES(150);
        for (uint64_t seed = 0; count < asked && seed < 20000; seed++) {
            snw_random random = snw_random_seed(seed, n);
            bench_take_pose(c.truth, &random, false);
            if (snw_pose_apply_limits(c.truth) > 0) snw_pose_forward(c.truth);
            if (nearest_pair(&c, c.truth) < 0.01) continue; /* there it is allowed to be */
            count++;
            c.goal[0].position = c.truth->world[tip].translation;
            snw_pose_reset(c.pose);
            (void)snw_pose_apply_limits(c.pose);
            snw_ik_result result = snw_ik_solve(ik, c.goal, c.pose);
            if (result.outcome != SNW_IK_REACHED) continue;
            reached++;
            /* The margin holds to the tolerance of a place. */
            double nearest = nearest_pair(&c, c.pose);
            if (nearest < 0.01 - 1.001e-4 * c.body->size)
                fail_msg("%s: %g m apart", names[n], nearest);
            check_near(snw_pose_violation(c.pose), 0, SNW_LIMIT_TOLERANCE);
        }
        /* Sweeps miss 5 % of the arm's, and among few one is chance. */
        if (reached + 1 < (m % 2 ? 0.93 : 0.97) * count)
            fail_msg("%s by %s: %d of %d reached", names[n], snw_ik_solver_name(options.solver),
                     reached, count);
        snw_ik_destroy(ik);
        close_crowd(&c);
    }
}

static void steps_in_time_do_not_pass_through(void **state)
{
    (void)state;
    static const char *const names[] = {"panda", "arm7"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        crowd c;
        snw_body_shape world[3] = {
            post_of(0.5, 0.3),
            post_of(-0.5, -0.4),
            {-1, snw_shape_plane(snw_vec3_make(0, 0, -0.2), snw_vec3_make(0, 0, 1))}};
        open_crowd(&c, names[n], 0.035, 0.01, world, 3);
        int tip = c.body->joint_count - 1, met = 0;
        c.goal[0] = snw_goal_position(tip, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
        snw_ik_problem problem = {c.body, c.goal, c.goal_count};
        snw_ik_servo_options options = snw_ik_servo_options_default();
        snw_ik_servo *servo = NULL;
        double velocity[16];
        for (int k = 0; k < 16; k++)
            velocity[k] = 1.5;
        options.limit.velocity = velocity;
        assert_int_equal(snw_ik_servo_create(&problem, &options, NULL, &servo, NULL), SNW_OK);
        snw_random random = snw_random_seed(6, n);
        do
            bench_take_pose(c.pose, &random, false);
        while (nearest_pair(&c, c.pose) < 0.02);
        for (int k = 0; k < 4000; k++) {
            if (k % 200 == 0) {
                bench_take_pose(c.truth, &random, false);
                c.goal[0].position = c.truth->world[tip].translation;
            }
            (void)snw_ik_servo_step(servo, c.goal, 0.005, c.pose);
            double nearest = nearest_pair(&c, c.pose);
            met += nearest < 0.0105;
            /* Half of the margin is left for what a step turns while it goes straight. */
            if (nearest < 0.005) fail_msg("%s, step %d: %g m apart", names[n], k, nearest);
        }
        assert_true(met > 50); /* they were in the way */
        snw_ik_servo_destroy(servo);
        close_crowd(&c);
    }
}

static void pairs_are_those_that_can_meet(void **state)
{
    (void)state;
    snw_skeleton *body = preset("panda");
    snw_shape ball = snw_shape_sphere(snw_vec3_make(0, 0, 0), 0.01);
    snw_body_shape shapes[] = {{0, ball},
                               {3, ball},
                               {4, ball},
                               {6, ball},
                               {7, ball},
                               {-1, ball},
                               {-1, snw_shape_plane(ball.own[0], ball.own[0])}};
    snw_goal goals[30];
    int count = snw_goals_apart(body, shapes, 7, 0.001, goals, 30);
    for (int g = 0; g < count; g++) {
        assert_int_equal(goals[g].kind, SNW_GOAL_APART);
        assert_true(goals[g].joint >= 0);
        assert_false(goals[g].joint == 4 && goals[g].chain_root == 3); /* neighbours */
        assert_false(goals[g].joint == 7 && goals[g].chain_root == 6); /* nothing moves between */
    }
    /* 3, 4, 6 and 7 against 0, 6 and 7 against 3 and 4, five against two of the world. */
    assert_int_equal(count, 4 + 4 + 10);
    assert_int_equal(snw_goals_apart(body, shapes, 7, 0.001, goals, 2), count);
    snw_ik *ik = NULL;
    snw_error error;
    snw_goal bad = snw_goal_apart(3, NULL, -1, &ball, 0);
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &bad, 1}, NULL, NULL, &ik, &error),
                     SNW_INVALID_ARGUMENT);
    bad = snw_goal_apart(3, &ball, 99, &ball, 0);
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &bad, 1}, NULL, NULL, &ik, &error),
                     SNW_INVALID_ARGUMENT);
    snw_ik_options options = snw_ik_options_default();
    options.solver = SNW_IK_CCD;
    bad.chain_root = -1;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &bad, 1}, &options, NULL, &ik, &error),
                     SNW_UNSUPPORTED);
    snw_skeleton_destroy(body);
}

/* Volumes are those of the masses; a body without masses has none. */
static void capsules_are_as_thick_as_masses_ask(void **state)
{
    (void)state;
    snw_skeleton *body = preset("humanoid"), *chain = preset("chain10");
    snw_body_shape shapes[SHAPES_MAX];
    int count = snw_body_capsules(body, 1050, shapes, SHAPES_MAX);
    assert_true(count >= 12 && count <= SHAPES_MAX);
    for (int k = 0; k < count; k++) {
        const snw_shape *shape = &shapes[k].shape;
        double core = snw_vec3_distance(shape->own[0], shape->own[1]), r = shape->radius;
        double off = fmin(0.5 * r, 0.4 * core / 0.2); /* half a radius at each end */
        double length = core + 2 * fmin(off, 2 * core);
        if (0.5 * r < 0.4 * length)
            check_near(SNW_PI * r * r * (length + 4 * r / 3), body->mass[shapes[k].joint] / 1050,
                       1e-9);
        assert_true(r > 0.01 && r < 0.25);
    }
    assert_int_equal(snw_body_capsules(chain, 1050, shapes, SHAPES_MAX), 0);
    assert_int_equal(snw_body_capsules(body, 1050, NULL, 0), count);
    snw_skeleton_destroy(body);
    snw_skeleton_destroy(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_are_as_thick_as_masses_ask),
        cmocka_unit_test(rows_of_goals_to_stay_apart_equal_differences),
        cmocka_unit_test(solves_reach_without_passing_through),
        cmocka_unit_test(steps_in_time_do_not_pass_through),
        cmocka_unit_test(pairs_are_those_that_can_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
