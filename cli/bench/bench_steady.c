/* What tracking for hours asks of `auto`, and what it costs: targets out of reach, poses that are
 * their own answer, attraction to rest, starts near an answer, two hands that are led round, a
 * closed path traced again and again, poles near the axis of the segment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_poses.h"
#include "clock.h"

#define STEADY_GOALS 6
/* Radians: started so near to an answer, no joint should turn by more than the second. */
#define STEADY_NEAR 0.15
#define STEADY_JUMP 1.0

/* A body, position goals on its leaves (or on joints by name), and room to work. */
typedef struct steady_case {
    snw_skeleton *body;
    snw_pose *truth, *pose, *start, *way;
    int goal_count;
    snw_goal goals[STEADY_GOALS];
    snw_ik *ik;
    int time_count;
    double *time_us;
} steady_case;

typedef struct steady_row {
    const char *body;
    int goal_count;
    const char *joints[STEADY_GOALS]; /* NULL: leaves in their order */
} steady_row;

static const steady_row steady_rows[] = {
    {"chain10", 1, {NULL}},
    {"humanoid13", 1, {NULL}},
    {"humanoid13", 3, {NULL}},
    {"arm7", 1, {NULL}},
    {"hand25", 1, {NULL}},
    {"hand25", 5, {NULL}},
    {"humanoid", 1, {"left_wrist"}},
    {"humanoid", 3, {"left_wrist", "head", "left_ankle"}},
    {"humanoid", 5, {"left_wrist", "head", "left_ankle", "right_wrist", "right_ankle"}},
};
#define STEADY_ROWS ((int)(sizeof steady_rows / sizeof *steady_rows))

static void add_goal(steady_case *c, int joint)
{
    snw_vec3 point = c->body->has_tip[joint] ? c->body->tip[joint] : snw_vec3_make(0, 0, 0);
    c->goals[c->goal_count++] = snw_goal_position(joint, point, snw_vec3_make(0, 0, 0));
}

static void steady_release(steady_case *c)
{
    snw_ik_destroy(c->ik);
    snw_pose_destroy(c->truth);
    snw_pose_destroy(c->pose);
    snw_pose_destroy(c->start);
    snw_pose_destroy(c->way);
    snw_skeleton_destroy(c->body);
    free(c->time_us);
}

/* with_rest: all joints are drawn to rest as well. Released on failure. */
static bool steady_create(const steady_row *row, bool with_rest, const snw_ik_options *options,
                          int count, steady_case *c)
{
    memset(c, 0, sizeof *c);
    c->time_us = malloc((size_t)count * sizeof *c->time_us);
    bool is_ready = c->time_us && snw_preset_create(row->body, NULL, &c->body, NULL) == SNW_OK &&
                    snw_pose_create(c->body, NULL, &c->truth, NULL) == SNW_OK &&
                    snw_pose_create(c->body, NULL, &c->pose, NULL) == SNW_OK &&
                    snw_pose_create(c->body, NULL, &c->start, NULL) == SNW_OK &&
                    snw_pose_create(c->body, NULL, &c->way, NULL) == SNW_OK;
    for (int g = 0; is_ready && row->joints[0] && g < row->goal_count; g++)
        add_goal(c, snw_skeleton_find_joint(c->body, row->joints[g]));
    for (int j = 0; is_ready && j < c->body->joint_count && c->goal_count < row->goal_count; j++)
        if (c->body->first_child[j] < 0) add_goal(c, j);
    if (with_rest) c->goals[c->goal_count++] = snw_goal_rest(-1);
    is_ready = is_ready && snw_ik_create(&(snw_ik_problem){c->body, c->goals, c->goal_count},
                                         options, NULL, &c->ik, NULL) == SNW_OK;
    if (!is_ready) steady_release(c);
    return is_ready;
}

static void aim_at(steady_case *c, const snw_pose *pose)
{
    for (int g = 0; g < c->goal_count; g++)
        if (c->goals[g].joint >= 0)
            c->goals[g].position = snw_pose_point(pose, c->goals[g].joint, c->goals[g].point);
}

static void aim_at_truth(steady_case *c)
{
    aim_at(c, c->truth);
}

static snw_ik_result solve_timed(steady_case *c)
{
    double before = cli_microseconds();
    snw_ik_result result = snw_ik_solve(c->ik, c->goals, c->pose);
    c->time_us[c->time_count++] = cli_microseconds() - before;
    return result;
}

static double median_time(steady_case *c)
{
    double median = cli_median(c->time_us, c->time_count);
    c->time_count = 0;
    return median;
}

static bool is_same(const snw_pose *a, const snw_pose *b)
{
    return memcmp(a->rotation, b->rotation,
                  (size_t)a->skeleton->joint_count * sizeof *a->rotation) == 0;
}

/* ---- out of reach, and solved again --------------------------------------------------------- */

typedef struct steady_again {
    double time_us;
    double reached; /* share */
    int moved;      /* poses that a second solve changes */
    double by_most; /* radians */
} steady_again;

/* far: targets at so many body sizes from the root; 0: places of random allowed poses. */
static steady_again solve_again(steady_case *c, double far, int count)
{
    steady_again again = {0};
    snw_random random = snw_random_seed(33, 1);
    for (int k = 0; k < count; k++) {
        bench_scatter(c->truth, &random, 0.8);
        aim_at_truth(c);
        for (int g = 0; far > 0 && g < c->goal_count; g++)
            c->goals[g].position =
                snw_vec3_scale(snw_random_direction(&random), far * c->body->size);
        snw_pose_reset(c->pose);
        again.reached += solve_timed(c).outcome == SNW_IK_REACHED ? 1.0 / count : 0;
        snw_pose_copy(c->start, c->pose);
        (void)snw_ik_solve(c->ik, c->goals, c->pose);
        again.moved += !is_same(c->start, c->pose);
        again.by_most = fmax(again.by_most, bench_largest_turn(c->start, c->pose));
    }
    again.time_us = median_time(c);
    return again;
}

static void print_far(int count)
{
    printf("targets in reach and at 1.3 body sizes, from rest; a second solve of the same\n"
           "%-12s %9s %9s %10s %10s %7s %12s %12s\n",
           "body", "effectors", "reached", "in us", "out us", "ratio", "moved in", "moved out");
    for (int n = 0; n < STEADY_ROWS; n++) {
        steady_case c;
        if (!steady_create(&steady_rows[n], false, NULL, count, &c)) continue;
        steady_again in = solve_again(&c, 0, count), out = solve_again(&c, 1.3, count);
        printf("%-12s %9d %7.1f %% %10.1f %10.1f %7.2f %5d (%4.2f) %5d (%4.2f)\n",
               steady_rows[n].body, steady_rows[n].goal_count, 100 * in.reached, in.time_us,
               out.time_us, out.time_us / in.time_us, in.moved, in.by_most, out.moved, out.by_most);
        steady_release(&c);
    }
}

/* ---- rest ----------------------------------------------------------------------------------- */

/* A fifth of the way from one allowed pose to another in so many frames, each solved from the
 * answer before. */
#define STEADY_FRAMES 50

/* Median of a frame, in microseconds. */
static double time_tracked(steady_case *c, int count)
{
    snw_random random = snw_random_seed(37, 1);
    for (int k = 0; k < count; k++) {
        if (k % STEADY_FRAMES == 0) {
            bench_scatter(c->truth, &random, 0.8);
            bench_scatter(c->start, &random, 0.8);
            snw_pose_reset(c->pose);
            aim_at_truth(c);
            (void)snw_ik_solve(c->ik, c->goals, c->pose);
        }
        double part = 0.2 * (k % STEADY_FRAMES + 1) / STEADY_FRAMES;
        for (int j = 0; j < c->body->joint_count; j++)
            c->way->rotation[j] = snw_joint_limit_apply(
                &c->body->joint[j],
                snw_quat_slerp(c->truth->rotation[j], c->start->rotation[j], part));
        snw_pose_forward(c->way);
        aim_at(c, c->way);
        (void)solve_timed(c);
    }
    return median_time(c);
}

static void print_rest(int count)
{
    printf("\nall joints drawn to rest: cost against the same goals alone, from rest and tracked,\n"
           "and what moves when the same is solved again\n"
           "%-12s %9s %9s %10s %10s %7s %10s %10s %9s\n",
           "body", "effectors", "reached", "alone us", "rest us", "ratio", "moved", "by most",
           "tracked");
    for (int n = 0; n < STEADY_ROWS; n++) {
        steady_case c, alone;
        if (!steady_create(&steady_rows[n], true, NULL, count, &c)) continue;
        if (steady_create(&steady_rows[n], false, NULL, count, &alone)) {
            steady_again with = solve_again(&c, 0, count), without = solve_again(&alone, 0, count);
            double tracked = time_tracked(&c, count) / time_tracked(&alone, count);
            printf("%-12s %9d %7.1f %% %10.1f %10.1f %7.2f %10d %10.1e %9.2f\n",
                   steady_rows[n].body, steady_rows[n].goal_count, 100 * with.reached,
                   without.time_us, with.time_us, with.time_us / without.time_us, with.moved,
                   with.by_most, tracked);
            steady_release(&alone);
        }
        steady_release(&c);
    }
}

/* ---- near an answer ------------------------------------------------------------------------- */

static void turn_a_little(snw_pose *pose, snw_random *random)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        double by = snw_random_range(random, 0, STEADY_NEAR);
        snw_vec3 turn = snw_vec3_scale(snw_random_direction(random), by);
        pose->rotation[j] = snw_joint_limit_apply(
            &pose->skeleton->joint[j], snw_quat_mul(pose->rotation[j], snw_quat_exp(turn)));
    }
}

static void print_near(int count)
{
    printf("\nstarted within 0.15 rad of an answer\n%-12s %9s %9s %14s %12s\n", "body", "effectors",
           "reached", "beyond 1 rad", "most, rad");
    for (int n = 0; n < STEADY_ROWS; n++) {
        steady_case c;
        snw_random random = snw_random_seed(34, 1);
        int reached = 0, jumps = 0;
        double most = 0;
        if (!steady_create(&steady_rows[n], false, NULL, count, &c)) continue;
        for (int k = 0; k < count; k++) {
            bench_scatter(c.truth, &random, 0.8);
            aim_at_truth(&c);
            snw_pose_copy(c.pose, c.truth);
            turn_a_little(c.pose, &random);
            snw_pose_copy(c.start, c.pose);
            reached += snw_ik_solve(c.ik, c.goals, c.pose).outcome == SNW_IK_REACHED;
            double turn = bench_largest_turn(c.start, c.pose);
            jumps += turn > STEADY_JUMP;
            most = fmax(most, turn);
        }
        printf("%-12s %9d %7.1f %% %7d of %d %12.2f\n", steady_rows[n].body,
               steady_rows[n].goal_count, 100.0 * reached / count, jumps, count, most);
        steady_release(&c);
    }
}

/* ---- led round ------------------------------------------------------------------------------ */

#define STEADY_STEPS 200

typedef struct steady_lead {
    double largest; /* joint turn in one step, radians */
    double reached; /* share of steps */
    int jumps;      /* steps in which a joint turns by more than a radian */
} steady_lead;

/* Every goal round a circle of `radius` body sizes about the place of an allowed pose. */
static void lead_round(steady_case *c, double radius, snw_random *random, steady_lead *lead)
{
    snw_vec3 center[STEADY_GOALS], u[STEADY_GOALS], v[STEADY_GOALS];
    bench_scatter(c->truth, random, 0.5);
    aim_at_truth(c);
    for (int g = 0; g < c->goal_count; g++) {
        snw_vec3 normal = snw_random_direction(random);
        u[g] = snw_vec3_scale(snw_vec3_perpendicular(normal), radius * c->body->size);
        v[g] = snw_vec3_cross(normal, u[g]);
        center[g] = c->goals[g].position;
    }
    snw_pose_copy(c->pose, c->truth);
    for (int step = 0; step <= STEADY_STEPS; step++) {
        double angle = 2 * SNW_PI * step / STEADY_STEPS;
        for (int g = 0; g < c->goal_count; g++) {
            snw_vec3 at = snw_vec3_add_scaled(center[g], cos(angle), u[g]);
            c->goals[g].position = snw_vec3_add_scaled(at, sin(angle), v[g]);
        }
        snw_pose_copy(c->start, c->pose);
        bool is_reached = snw_ik_solve(c->ik, c->goals, c->pose).outcome == SNW_IK_REACHED;
        if (step == 0) continue; /* from the centre to the circle */
        double turn = bench_largest_turn(c->start, c->pose);
        lead->largest = fmax(lead->largest, turn);
        lead->jumps += turn > STEADY_JUMP;
        lead->reached += is_reached;
    }
}

static void print_lead(int count)
{
    static const steady_row rows[] = {
        {"humanoid", 1, {"left_wrist"}},
        {"humanoid", 2, {"left_wrist", "right_wrist"}},
        {"humanoid", 4, {"left_wrist", "right_wrist", "left_ankle", "right_ankle"}}};
    printf(
        "\nled round circles of 0.15 body sizes in 200 steps, limits and what is out of reach on\n"
        "the way included\n%-12s %9s %9s %14s %12s\n",
        "body", "effectors", "reached", "beyond 1 rad", "most, rad");
    for (int n = 0; n < 3; n++) {
        steady_case c;
        steady_lead lead = {0};
        snw_random random = snw_random_seed(35, 1);
        int circles = count / 20 + 1;
        if (!steady_create(&rows[n], false, NULL, count, &c)) continue;
        for (int k = 0; k < circles; k++)
            lead_round(&c, 0.15, &random, &lead);
        printf("%-12s %9d %7.1f %% %5d of %d %12.2f\n", rows[n].body, rows[n].goal_count,
               100.0 * lead.reached / circles / STEADY_STEPS, lead.jumps, circles * STEADY_STEPS,
               lead.largest);
        steady_release(&c);
    }
}

/* ---- poles ---------------------------------------------------------------------------------- */

/* A segment of two bones whose pole lies so far beside the line from its root to the target, in
 * parts of the distance. */
static void print_poles(int count)
{
    static const double beside[] = {0.3, 0.1, 0.01, 0.001};
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    if (snw_preset_create("humanoid", NULL, &body, NULL) != SNW_OK) return;
    int shoulder = snw_skeleton_find_joint(body, "left_shoulder");
    int elbow = snw_skeleton_find_joint(body, "left_elbow");
    int wrist = snw_skeleton_find_joint(body, "left_wrist");
    snw_goal goals[2] = {snw_goal_position(wrist, zero, zero),
                         snw_goal_pole(elbow, shoulder, wrist, zero)};
    printf("\narm of the humanoid with a pole beside the line to the target\n%-12s %9s %12s\n",
           "beside", "reached", "median us");
    for (int n = 0; n < 4; n++) {
        snw_random random = snw_random_seed(36, 1);
        double *time_us = malloc((size_t)count * sizeof *time_us);
        snw_ik_options options = snw_ik_options_default();
        options.use_limits = false;
        int reached = 0;
        if (time_us && snw_pose_create(body, NULL, &pose, NULL) == SNW_OK &&
            snw_ik_create(&(snw_ik_problem){body, goals, 2}, &options, NULL, &ik, NULL) == SNW_OK)
            for (int k = 0; k < count; k++) {
                bench_scatter(pose, &random, 0.8);
                snw_vec3 root = pose->world[shoulder].translation;
                snw_vec3 way = snw_vec3_sub(pose->world[wrist].translation, root);
                snw_vec3 side = snw_vec3_unit(snw_vec3_cross(way, snw_random_direction(&random)),
                                              snw_vec3_perpendicular(way));
                goals[0].position = snw_vec3_add(root, way);
                goals[1].position = snw_vec3_add(
                    root, snw_vec3_add_scaled(way, beside[n] * snw_vec3_length(way), side));
                snw_pose_reset(pose);
                double before = cli_microseconds();
                reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
                time_us[k] = cli_microseconds() - before;
            }
        if (ik)
            printf("%10.1f %% %7.1f %% %12.1f\n", 100 * beside[n], 100.0 * reached / count,
                   cli_median(time_us, count));
        free(time_us);
        snw_ik_destroy(ik);
        snw_pose_destroy(pose);
        ik = NULL;
        pose = NULL;
    }
    snw_skeleton_destroy(body);
}

/* ---- a closed path ----------------------------------------------------------------------------
 */

#define STEADY_LAPS      15
#define STEADY_LAP_STEPS 60

typedef struct steady_drift {
    double
        angle_deg;  /* by which a joint stands elsewhere after the last lap than after the first */
    double time_us; /* median of a solve */
} steady_drift;

/* The flange of the seven-hinge arm round a circle of 4 cm, its frame kept. */
static steady_drift drift_of(snw_ik_prefer prefer)
{
    const steady_row row = {"arm7", 1, {"tool"}};
    static const double bent[7] = {0.3, 0.6, -0.4, -1.3, 0.3, 0.7, 0.2};
    steady_case c, probe;
    steady_drift drift = {NAN, NAN};
    snw_ik_options options = snw_ik_options_default();
    options.prefer = prefer;
    if (!steady_create(&row, false, NULL, 1, &probe)) return drift;
    for (int j = 0; j < 7; j++)
        snw_joint_from_values(&probe.body->joint[j], &bent[j], &probe.truth->rotation[j],
                              &probe.truth->slide[j]);
    snw_pose_forward(probe.truth);
    options.preferred = probe.truth;
    if (steady_create(&row, false, &options, STEADY_LAPS * STEADY_LAP_STEPS + 1, &c)) {
        int tool = c.goals[0].joint;
        snw_vec3 center = probe.truth->world[tool].translation;
        c.goals[0] =
            snw_goal_pose(tool, snw_vec3_make(0, 0, 0), center, probe.truth->world[tool].rotation);
        snw_ik_destroy(c.ik);
        c.ik = NULL;
        bool is_ready = snw_ik_create(&(snw_ik_problem){c.body, c.goals, 1}, &options, NULL, &c.ik,
                                      NULL) == SNW_OK;
        snw_pose_copy(c.pose, probe.truth);
        for (int step = 0; is_ready && step <= STEADY_LAPS * STEADY_LAP_STEPS; step++) {
            double angle = 2 * SNW_PI * step / STEADY_LAP_STEPS;
            c.goals[0].position =
                snw_vec3_add(center, snw_vec3_make(0.04 * cos(angle) - 0.04, 0.04 * sin(angle), 0));
            (void)solve_timed(&c);
            if (step == STEADY_LAP_STEPS) snw_pose_copy(c.start, c.pose);
        }
        drift.angle_deg = snw_degrees(bench_largest_turn(c.start, c.pose));
        drift.time_us = median_time(&c);
        steady_release(&c);
    }
    steady_release(&probe);
    return drift;
}

static void print_path(void)
{
    static const struct {
        const char *name;
        snw_ik_prefer prefer;
    } rows[] = {{"nothing", SNW_IK_PREFER_NOTHING},
                {"the start of each solve", SNW_IK_PREFER_START},
                {"rest", SNW_IK_PREFER_REST},
                {"the pose it began with", SNW_IK_PREFER_GIVEN}};
    printf("\nclosed path of the seven-hinge arm, 15 times\n%-30s %14s %12s\n", "preferred",
           "elsewhere, deg", "median us");
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        steady_drift drift = drift_of(rows[n].prefer);
        printf("%-30s %14.4f %12.1f\n", rows[n].name, drift.angle_deg, drift.time_us);
    }
}

int bench_ik_steady(const cli_arguments *arguments)
{
    int64_t count = 200;
    if (!cli_integer(arguments, "--count", 1, 1000000, &count)) return CLI_USAGE;
    print_far((int)count);
    print_rest((int)count);
    print_near((int)count);
    print_lead((int)count);
    print_poles((int)count);
    print_path();
    return CLI_DONE;
}
