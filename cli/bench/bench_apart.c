/* `sinew bench ik --apart`: random reachable problems among obstacles, for a person, an arm, two
 * arms on one table and a free chain, by auto and by FABRIK, which parts shapes in its sweeps. Each
 * problem has three shapes of its own in the world (a ball, a box, a capsule) that a pose which
 * meets the goals does not touch. An answer's penetration is measured anew from its shapes; 0
 * beyond the margin and the tolerance is what REACHED promises. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "clock.h"

enum {
    APART_SHAPES = 48,
    APART_GOALS = 800,
    APART_WORLD = 3
};

/* Metres. */
#define APART_MARGIN 0.01

typedef struct apart_case {
    const char *name;
    snw_skeleton *body;
    snw_pose *truth, *pose;
    int reach_count; /* goals that reach, before those that keep apart */
    int effector[2]; /* (reach_count) */
    int shape_count; /* the last APART_WORLD are the world's */
    int goal_count;
    snw_body_shape shape[APART_SHAPES];
    snw_goal goal[APART_GOALS];
} apart_case;

/* Two Pandas side by side on a table. */
static snw_status make_two_arms(snw_skeleton **out, snw_error *error)
{
    snw_skeleton *arm = NULL;
    snw_joint_def defs[40];
    char names[40][32];
    snw_status status = snw_preset_create("panda", NULL, &arm, error);
    if (status != SNW_OK) return status;
    int n = arm->joint_count;
    defs[0] = snw_joint_def_default();
    defs[0].name = "table";
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < n; j++) {
            snw_joint_def *def = &defs[1 + side * n + j];
            *def = snw_skeleton_joint_def(arm, j);
            snw_format(names[1 + side * n + j], sizeof names[0], "%s_%s", side ? "right" : "left",
                       arm->name[j]);
            def->name = names[1 + side * n + j];
            def->joint_name = NULL;
            def->parent = def->parent < 0 ? 0 : def->parent + 1 + side * n;
            if (j == 0)
                def->rest.translation =
                    snw_vec3_add(def->rest.translation, snw_vec3_make(0, side ? -0.35 : 0.35, 0));
        }
    status = snw_skeleton_create(defs, 1 + 2 * n, NULL, out, error);
    snw_skeleton_destroy(arm);
    return status;
}

static void add_bones(apart_case *c, double radius)
{
    for (int j = 1; j < c->body->joint_count && c->shape_count < APART_SHAPES - APART_WORLD; j++) {
        snw_vec3 end = c->body->rest[j].translation;
        if (c->body->parent[j] < 1 || snw_vec3_length(end) < 0.05) continue;
        c->shape[c->shape_count++] = (snw_body_shape){
            c->body->parent[j],
            snw_shape_capsule(snw_vec3_scale(end, 0.2), snw_vec3_scale(end, 0.8), radius)};
    }
}

static void place_world(apart_case *c, snw_random *random)
{
    snw_body_shape *world = &c->shape[c->shape_count - APART_WORLD];
    for (int k = 0; k < APART_WORLD; k++) {
        double far = c->body->size * snw_random_range(random, 0.25, 0.7);
        snw_vec3 at = snw_vec3_scale(snw_random_direction(random), far);
        snw_vec3 to = snw_vec3_add_scaled(at, 0.3, snw_random_direction(random));
        world[k].joint = -1;
        world[k].shape = k == 0   ? snw_shape_sphere(at, 0.08)
                         : k == 1 ? snw_shape_box(at, snw_vec3_make(0.1, 0.06, 0.08))
                                  : snw_shape_capsule(at, to, 0.04);
    }
}

/* The least distance of any pair that must stay apart. */
static double nearest(const apart_case *c, const snw_pose *pose)
{
    double least = INFINITY;
    for (int g = c->reach_count; g < c->goal_count; g++) {
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

/* Any pose inside the limits. */
static void take_pose(snw_pose *pose, snw_random *random)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        const snw_joint *joint = &pose->skeleton->joint[j];
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            bool has_range = k < 2 && joint->limit.has_range[k];
            values[k] = snw_random_range(random, has_range ? joint->limit.range[k][0] : -SNW_PI / 2,
                                         has_range ? joint->limit.range[k][1] : SNW_PI / 2);
        }
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
    }
    (void)snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static void aim(apart_case *c, snw_random *random)
{
    do {
        take_pose(c->truth, random);
        place_world(c, random);
    } while (nearest(c, c->truth) < APART_MARGIN);
    for (int k = 0; k < c->reach_count; k++)
        c->goal[k].position = c->truth->world[c->effector[k]].translation;
    /* From a pose that touches nothing either. */
    for (int n = 0; n < 1000; n++) {
        take_pose(c->pose, random);
        if (nearest(c, c->pose) >= APART_MARGIN) return;
    }
}

static snw_status open_case(apart_case *c, int which, snw_error *error)
{
    static const char *const names[] = {"humanoid", "panda", "two pandas", "chain10"};
    c->name = names[which];
    snw_status status = which != 2 ? snw_preset_create(names[which], NULL, &c->body, error)
                                   : make_two_arms(&c->body, error);
    if (status == SNW_OK) status = snw_pose_create(c->body, NULL, &c->truth, error);
    if (status == SNW_OK) status = snw_pose_create(c->body, NULL, &c->pose, error);
    if (status != SNW_OK) return status;
    add_bones(c, which == 0 ? 0.04 : which == 3 ? 0.02 : 0.05);
    snw_vec3 zero = {0, 0, 0};
    c->reach_count = which % 2 == 1 ? 1 : 2;
    c->effector[0] = which == 0       ? snw_skeleton_find_joint(c->body, "left_wrist")
                     : which % 2 == 1 ? c->body->joint_count - 1
                                      : c->body->joint_count / 2;
    c->effector[1] =
        which == 0 ? snw_skeleton_find_joint(c->body, "right_wrist") : c->body->joint_count - 1;
    for (int k = 0; k < c->reach_count; k++)
        c->goal[k] = snw_goal_position(c->effector[k], zero, zero);
    c->shape_count += APART_WORLD;
    snw_random random = snw_random_seed(77, 1);
    place_world(c, &random);
    /* Far away when pairs are chosen: those of the world always count. */
    for (int k = 0; k < APART_WORLD; k++)
        c->shape[c->shape_count - 1 - k].shape = snw_shape_sphere(snw_vec3_make(9, 9, 9), 0.01);
    int pairs = snw_goals_apart(c->body, c->shape, c->shape_count, APART_MARGIN,
                                c->goal + c->reach_count, APART_GOALS - c->reach_count);
    c->goal_count = c->reach_count + pairs;
    return c->goal_count <= APART_GOALS ? SNW_OK : SNW_TOO_LARGE;
}

static void close_case(apart_case *c)
{
    snw_pose_destroy(c->truth);
    snw_pose_destroy(c->pose);
    snw_skeleton_destroy(c->body);
}

typedef struct apart_counts {
    int reached, broken, broken_unreached;
    double deepest; /* metres beyond the margin, of answers called reached */
    double *with, *without;
} apart_counts;

static snw_status run_case(apart_case *c, snw_ik_solver solver, int count, apart_counts *n,
                           snw_error *error)
{
    snw_ik *with = NULL, *without = NULL;
    snw_ik_options options = snw_ik_options_default();
    snw_pose *start = NULL;
    snw_random random = snw_random_seed(78, 1);
    snw_status status = snw_pose_create(c->body, NULL, &start, error);
    options.solver = solver;
    if (status == SNW_OK)
        status = snw_ik_create(&(snw_ik_problem){c->body, c->goal, c->goal_count}, &options, NULL,
                               &with, error);
    if (status == SNW_OK)
        status = snw_ik_create(&(snw_ik_problem){c->body, c->goal, c->reach_count}, &options, NULL,
                               &without, error);
    for (int k = 0; k < count && status == SNW_OK; k++) {
        aim(c, &random);
        snw_pose_copy(start, c->pose);
        double before = cli_microseconds();
        snw_ik_result result = snw_ik_solve(with, c->goal, c->pose);
        n->with[k] = cli_microseconds() - before;
        bool has_reached = result.outcome == SNW_IK_REACHED;
        double lacking = APART_MARGIN - nearest(c, c->pose);
        bool is_broken = lacking > 1e-4 * c->body->size * (1 + 1e-9);
        n->reached += has_reached;
        n->broken += has_reached && is_broken;
        n->broken_unreached += !has_reached && is_broken;
        if (has_reached) n->deepest = fmax(n->deepest, lacking);
        before = cli_microseconds();
        (void)snw_ik_solve(without, c->goal, start);
        n->without[k] = cli_microseconds() - before;
    }
    snw_ik_destroy(with);
    snw_ik_destroy(without);
    snw_pose_destroy(start);
    return status;
}

int bench_ik_apart(const cli_arguments *arguments)
{
    int64_t count = 1000;
    snw_error error = snw_error_none();
    snw_status status = SNW_OK;
    if (!cli_integer(arguments, "--count", 1, 1000000, &count)) return CLI_USAGE;
    apart_case *c = malloc(sizeof *c);
    double *times = malloc(2 * (size_t)count * sizeof *times);
    if (!c || !times) {
        free(c);
        free(times);
        return cli_fail(arguments, "no memory for %lld problems", (long long)count);
    }
    printf("%-12s %-7s %6s %10s %14s %14s %12s %10s %10s\n", "body", "method", "pairs", "reached",
           "through: said", "not said", "beyond mm", "median us", "ratio");
    static const snw_ik_solver solvers[] = {SNW_IK_AUTO, SNW_IK_FABRIK};
    for (int row = 0; row < 8 && status == SNW_OK; row++) {
        snw_ik_solver solver = solvers[row % 2];
        *c = (apart_case){0};
        apart_counts n = {.with = times, .without = times + count, .deepest = -INFINITY};
        status = open_case(c, row / 2, &error);
        if (status == SNW_OK) status = run_case(c, solver, (int)count, &n, &error);
        if (status == SNW_OK)
            printf("%-12s %-7s %6d %9.2f%% %14d %14d %12.4f %10.1f %10.2f\n", c->name,
                   snw_ik_solver_name(solver), c->goal_count - c->reach_count,
                   100.0 * n.reached / (double)count, n.broken, n.broken_unreached,
                   1000 * n.deepest, cli_median(n.with, (int)count),
                   cli_median(n.with, (int)count) / cli_median(n.without, (int)count));
        close_case(c);
    }
    free(times);
    free(c);
    return status == SNW_OK ? CLI_DONE : cli_fail(arguments, "%s", error.message);
}
