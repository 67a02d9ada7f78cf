/* Many problems at once on bodies with limits, against the same problems one by one in the same
 * run, on one thread: random allowed poses give the targets, every solve starts at rest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "clock.h"

/* Both ways are run in turns; the best run of each counts. */
#define BODIES_RUNS    3
#define BODIES_EFFECTS 5

typedef struct bodies_case {
    const char *text;
    const char *body;
    bool is_pose; /* place and frame, at 1e-5 m and rad */
    int goal_count;
    const char *joint[BODIES_EFFECTS];
} bodies_case;

static const bodies_case bodies_cases[] = {
    {"humanoid, wrist", "humanoid", false, 1, {"left_wrist"}},
    {"humanoid, 5 effectors",
     "humanoid",
     false,
     5,
     {"left_wrist", "right_wrist", "head", "left_ankle", "right_ankle"}},
    {"arm7, place and frame", "arm7", true, 1, {"tool"}},
    {"hand25, 5 fingers", "hand25", false, 5, {"index5", "middle5", "ring5", "little5", "thumb4"}},
};
#define BODIES_CASES ((int)(sizeof bodies_cases / sizeof *bodies_cases))

typedef struct bodies_run {
    snw_skeleton *body;
    snw_pose *pose;
    snw_ik *ik;
    snw_ik_batch *batch, *portable;
    int count, goal_count;
    snw_goal goal[BODIES_EFFECTS];
    float *target, *frame, *rotation;
} bodies_run;

static void scatter_pose(snw_pose *pose, snw_random *random)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        const snw_joint *joint = &pose->skeleton->joint[j];
        double values[6] = {0};
        for (int k = 0; k < 2; k++) {
            bool has_range = joint->limit.has_range[k];
            values[k] = snw_random_range(random, has_range ? joint->limit.range[k][0] : -1,
                                         has_range ? joint->limit.range[k][1] : 1);
        }
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
        if (joint->type == SNW_JOINT_BALL) pose->rotation[j] = snw_random_rotation(random);
    }
    (void)snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static void put_targets(bodies_run *run)
{
    snw_random random = snw_random_seed(7, 3);
    for (int n = 0; n < run->count; n++) {
        scatter_pose(run->pose, &random);
        for (int g = 0; g < run->goal_count; g++) {
            snw_xform at = run->pose->world[run->goal[g].joint];
            size_t k = (size_t)n * (size_t)run->goal_count + (size_t)g;
            float *p = run->target + 3 * k, *q = run->frame + 4 * k;
            p[0] = (float)at.translation.x, p[1] = (float)at.translation.y;
            p[2] = (float)at.translation.z;
            q[0] = (float)at.rotation.w, q[1] = (float)at.rotation.x;
            q[2] = (float)at.rotation.y, q[3] = (float)at.rotation.z;
        }
    }
}

static int run_singly(bodies_run *run)
{
    int reached = 0;
    for (int n = 0; n < run->count; n++) {
        for (int g = 0; g < run->goal_count; g++) {
            size_t k = (size_t)n * (size_t)run->goal_count + (size_t)g;
            const float *p = run->target + 3 * k, *q = run->frame + 4 * k;
            run->goal[g].position = snw_vec3_make(p[0], p[1], p[2]);
            run->goal[g].orientation = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        }
        snw_pose_reset(run->pose);
        reached += snw_ik_solve(run->ik, run->goal, run->pose).outcome == SNW_IK_REACHED;
    }
    return reached;
}

static int run_together(bodies_run *run, snw_ik_batch *batch, double *microseconds)
{
    int reached = 0;
    size_t joints = (size_t)run->body->joint_count;
    snw_ik_batch_job job = {.problem_count = run->count,
                            .target = run->target,
                            .orientation = run->frame,
                            .rotation = run->rotation};
    memset(run->rotation, 0, (size_t)run->count * joints * 4 * sizeof(float));
    for (size_t n = 0; n < (size_t)run->count * joints; n++)
        run->rotation[4 * n] = 1;
    double before = cli_microseconds();
    (void)snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, NULL);
    *microseconds = fmin(*microseconds, cli_microseconds() - before);
    return reached;
}

static void print_case(const bodies_case *c, bodies_run *run)
{
    double singly = INFINITY, together = INFINITY, portable = INFINITY;
    int one = 0, all = 0, same = 0;
    for (int k = 0; k < BODIES_RUNS; k++) {
        double before = cli_microseconds();
        one = run_singly(run);
        singly = fmin(singly, cli_microseconds() - before);
        all = run_together(run, run->batch, &together);
        same = run_together(run, run->portable, &portable);
    }
    printf("%-24s %8.1f %7.2f %% %8.1f %7.2f %% %6.1f %8.1f %7.2f %% %6.1f  %s\n", c->text,
           singly / run->count, 100.0 * one / run->count, together / run->count,
           100.0 * all / run->count, singly / together, portable / run->count,
           100.0 * same / run->count, singly / portable, snw_ik_batch_path(run->batch));
}

static snw_status prepare(const bodies_case *c, bodies_run *run, snw_error *error)
{
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_status status = snw_preset_create(c->body, NULL, &run->body, error);
    if (status != SNW_OK) return status;
    run->goal_count = c->goal_count;
    for (int g = 0; g < c->goal_count; g++) {
        int joint = snw_skeleton_find_joint(run->body, c->joint[g]);
        run->goal[g] =
            c->is_pose ? snw_goal_pose(joint, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0),
                                       snw_quat_identity())
                       : snw_goal_position(joint, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    }
    if (c->is_pose) {
        options.ik.tolerance = 1e-5 / run->body->size;
        options.ik.turn_tolerance = 1e-5;
    }
    size_t goals = (size_t)run->count * (size_t)run->goal_count;
    size_t joints = (size_t)run->count * (size_t)run->body->joint_count;
    run->target = calloc(goals * 3, sizeof(float));
    run->frame = calloc(goals * 4, sizeof(float));
    run->rotation = calloc(joints * 4, sizeof(float));
    if (!run->target || !run->frame || !run->rotation) return SNW_OUT_OF_MEMORY;
    status = snw_pose_create(run->body, NULL, &run->pose, error);
    if (status == SNW_OK)
        status = snw_ik_create(&(snw_ik_problem){run->body, run->goal, run->goal_count},
                               &options.ik, NULL, &run->ik, error);
    if (status == SNW_OK)
        status = snw_ik_batch_create(&(snw_ik_problem){run->body, run->goal, run->goal_count},
                                     &options, NULL, &run->batch, error);
    options.use_simd = false;
    if (status == SNW_OK)
        status = snw_ik_batch_create(&(snw_ik_problem){run->body, run->goal, run->goal_count},
                                     &options, NULL, &run->portable, error);
    return status;
}

static void release_run(bodies_run *run)
{
    snw_ik_batch_destroy(run->portable);
    snw_ik_batch_destroy(run->batch);
    snw_ik_destroy(run->ik);
    snw_pose_destroy(run->pose);
    snw_skeleton_destroy(run->body);
    free(run->target);
    free(run->frame);
    free(run->rotation);
}

int bench_ik_batch(const cli_arguments *arguments)
{
    int64_t count = 2000;
    if (!cli_integer(arguments, "--count", 1, 1000000, &count)) return CLI_USAGE;
    printf("%lld problems each, one thread; microseconds per problem, reached, times faster\n\n",
           (long long)count);
    printf("%-24s %8s %9s %8s %9s %6s %8s %9s %6s  %s\n", "", "singly", "reached", "batch",
           "reached", "ratio", "portable", "reached", "ratio", "kernel");
    for (int n = 0; n < BODIES_CASES; n++) {
        bodies_run run = {.count = (int)count};
        snw_error error = snw_error_none();
        snw_status status = prepare(&bodies_cases[n], &run, &error);
        if (status == SNW_OK) {
            put_targets(&run);
            print_case(&bodies_cases[n], &run);
        }
        release_run(&run);
        if (status != SNW_OK) return cli_fail(arguments, "%s", error.message);
    }
    return CLI_DONE;
}
