/* Limits hold in every answer of every method, whatever the limits, the start and the target.
 *
 * A few hundred random solves per method and kind of limit in the normal run; set SINEW_SOAK to the
 * number per method and kind for a long one (100000 takes some minutes). */
#include "ik_bodies.h"

#define SOAK_JOINTS 4

typedef enum soak_kind {
    SOAK_HINGE,
    SOAK_UNIVERSAL,
    SOAK_PIVOT,
    SOAK_SLIDE,
    SOAK_CONE,
    SOAK_TWIST,
    SOAK_CONE_TWIST,
    SOAK_WINDOW,
    SOAK_KIND_COUNT
} soak_kind;

static const char *const soak_names[SOAK_KIND_COUNT] = {
    "hinge", "universal", "pivot", "slide", "cone", "twist", "cone and twist", "window"};

static void random_range(double range[2], snw_random *random, double most)
{
    double a = snw_random_range(random, -most, most), b = snw_random_range(random, -most, most);
    range[0] = fmin(a, b);
    range[1] = fmax(a, b);
}

static void random_cone(snw_joint_limit *limit, snw_random *random)
{
    limit->swing = SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        limit->cone[k] = snw_random_range(random, 0, SNW_PI);
}

static void random_twist(snw_joint_limit *limit, snw_random *random)
{
    limit->has_twist = true;
    random_range(limit->twist, random, SNW_PI);
}

/* A star-shaped window about a random place. */
static void random_window(snw_joint_limit *limit, snw_random *random)
{
    double x = snw_random_range(random, -0.5, 0.5), y = snw_random_range(random, -0.5, 0.5);
    limit->swing = SNW_SWING_POLYGON;
    limit->window_count = 3 + (int)snw_random_below(random, SNW_WINDOW_MAX - 2);
    for (int k = 0; k < limit->window_count; k++) {
        double angle = 2 * SNW_PI * k / limit->window_count;
        double radius = snw_random_range(random, 0.1, 1.2);
        limit->window[k][0] = x + radius * cos(angle);
        limit->window[k][1] = y + radius * sin(angle);
    }
}

static void random_joint(snw_joint *joint, soak_kind kind, snw_random *random)
{
    static const snw_joint_type types[SOAK_KIND_COUNT] = {
        SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL, SNW_JOINT_PIVOT, SNW_JOINT_PRISMATIC,
        SNW_JOINT_BALL,  SNW_JOINT_BALL,      SNW_JOINT_BALL,  SNW_JOINT_BALL};
    joint->type = types[kind];
    joint->axis = snw_random_direction(random);
    joint->axis2 = snw_vec3_perpendicular(joint->axis);
    if (kind <= SOAK_SLIDE)
        for (int k = 0; k < (kind == SOAK_UNIVERSAL ? 2 : 1); k++) {
            joint->limit.has_range[k] = true;
            random_range(joint->limit.range[k], random, kind == SOAK_SLIDE ? 0.5 : 3);
        }
    if (kind == SOAK_CONE || kind == SOAK_CONE_TWIST) random_cone(&joint->limit, random);
    if (kind == SOAK_TWIST || kind == SOAK_CONE_TWIST) random_twist(&joint->limit, random);
    if (kind == SOAK_WINDOW) random_window(&joint->limit, random);
}

static snw_skeleton *random_body(soak_kind kind, snw_random *random)
{
    static const char *const names[SOAK_JOINTS] = {"a", "b", "c", "d"};
    snw_joint_def defs[SOAK_JOINTS];
    snw_skeleton *body = NULL;
    for (int i = 0; i < SOAK_JOINTS; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = i - 1;
        if (i > 0) defs[i].rest.translation = snw_random_direction(random);
        defs[i].rest.rotation = snw_random_rotation(random);
        random_joint(&defs[i].joint, kind, random);
    }
    if (kind == SOAK_SLIDE) defs[1].joint.type = SNW_JOINT_BALL; /* or nothing could turn */
    defs[SOAK_JOINTS - 1].has_tip = true;
    defs[SOAK_JOINTS - 1].tip = snw_random_direction(random);
    snw_error error;
    if (snw_skeleton_create(defs, SOAK_JOINTS, NULL, &body, &error) != SNW_OK)
        print_error("%s\n", error.message);
    assert_non_null(body);
    return body;
}

/* Starts anywhere, also outside the limits. */
static void random_start(snw_pose *pose, snw_random *random)
{
    for (int j = 0; j < SOAK_JOINTS; j++) {
        pose->rotation[j] = snw_random_rotation(random);
        pose->slide[j] = snw_vec3_scale(snw_random_direction(random), 0.3);
    }
}

/* What is wished beyond the goal, in turn. */
typedef enum soak_wish {
    SOAK_NOTHING,
    SOAK_START,
    SOAK_REST,
    SOAK_PRIORITY,
    SOAK_WISH_COUNT
} soak_wish;

/* Returns how many solves were done: 0 when the method does not serve the body or the wish. */
static long soak_body(snw_ik_solver solver, soak_kind kind, soak_wish wish, snw_random *random,
                      long count)
{
    snw_skeleton *body = random_body(kind, random);
    snw_pose *pose = pose_of(body);
    int last = SOAK_JOINTS - 1;
    snw_goal goals[2] = {snw_goal_position(last, body->tip[last], snw_vec3_make(0, 0, 0)),
                         snw_goal_position(last - 1, snw_vec3_make(0, 0, 0), (snw_vec3){1, 1, 0})};
    snw_ik_options options = snw_ik_options_default();
    snw_ik *ik = NULL;
    long done = 0;
    goals[1].priority = 1;
    options.solver = solver;
    if (wish == SOAK_START) options.prefer = SNW_IK_PREFER_START;
    if (wish == SOAK_REST) options.prefer = SNW_IK_PREFER_REST;
    options.iteration_max = 8; /* limits must hold whenever a solve ends */
    options.particle_count = 8;
    options.restart_max = 1;
    if (ik_try(body, goals, wish == SOAK_PRIORITY ? 2 : 1, &options, &ik))
        for (; done < count; done++) {
            random_start(pose, random);
            goals[0].position = random_away(random, 0, 5);
            (void)snw_ik_solve(ik, goals, pose);
            double violation = snw_pose_violation(pose);
            if (!(violation <= SNW_LIMIT_TOLERANCE) || !pose_is_finite(pose))
                print_error("%s, %s: %g\n", snw_ik_solver_name(solver), soak_names[kind],
                            violation);
            assert_true(violation <= SNW_LIMIT_TOLERANCE);
            assert_true(pose_is_finite(pose));
        }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    return done;
}

static void limits_hold_in_every_answer(void **state)
{
    const char *wanted = getenv("SINEW_SOAK");
    long count = wanted ? strtol(wanted, NULL, 10) : CHECK_SAMPLES(400), total = 0;
    const int bodies = 20;
    (void)state;
    for (int s = 0; s < SNW_IK_SOLVER_COUNT; s++)
        for (int kind = 0; kind < SOAK_KIND_COUNT; kind++) {
            snw_random random = snw_random_seed(2000 + (uint64_t)kind, (uint64_t)s);
            for (int b = 0; b < bodies; b++)
                total +=
                    soak_body((snw_ik_solver)s, (soak_kind)kind, (soak_wish)(b % SOAK_WISH_COUNT),
                              &random, (count + bodies - 1) / bodies);
        }
    print_message("%ld solves, no violation\n", total);
    assert_true(total > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_in_every_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
