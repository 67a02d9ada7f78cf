/* Published robot arms: random poses of the flange at 1e-5 m and 1e-5 rad with the default options,
 * from the middle of the ranges and from random poses; and an arm of six hinges without any special
 * geometry, for which no closed form exists. */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/bench_poses.h"
#include "clock.h"

static snw_status create_general(snw_skeleton **out, snw_error *error)
{
    static const double rows[6][3] = {{0.1, 1.2, 0.3},   {0.4, 0.4, 0.1},   {0.3, -1.0, 0.05},
                                      {0.05, 1.3, 0.35}, {0.08, -1.1, 0.1}, {0.05, 0.3, 0.1}};
    snw_dh_row table[6];
    for (int i = 0; i < 6; i++) {
        snw_dh_row row = {.a = rows[i][0], .alpha = rows[i][1], .d = rows[i][2], .has_range = true};
        row.range[0] = -2.9;
        row.range[1] = 2.9;
        table[i] = row;
    }
    return snw_skeleton_from_dh(table, 6, SNW_DH_STANDARD, NULL, out, error);
}

/* Prints one row; false with *error filled when memory is short. */
static bool run_robot(const char *name, const snw_skeleton *body, bool is_middle, int count,
                      snw_error *error)
{
    snw_pose *truth = NULL, *pose = NULL;
    snw_ik *ik = NULL;
    int tool = body->joint_count - 1, reached = 0;
    double iterations = 0, *times = malloc((size_t)count * sizeof *times);
    snw_goal goal =
        snw_goal_pose(tool, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    snw_ik_options options = snw_ik_options_default();
    snw_random random = snw_random_seed(5, 1);
    options.tolerance = 1e-5 / body->size;
    options.turn_tolerance = 1e-5;
    bool is_ready =
        times && snw_pose_create(body, NULL, &truth, error) == SNW_OK &&
        snw_pose_create(body, NULL, &pose, error) == SNW_OK &&
        snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, error) == SNW_OK;
    for (int k = 0; k < count && is_ready; k++) {
        bench_take_pose(truth, &random, false);
        goal.position = truth->world[tool].translation;
        goal.orientation = truth->world[tool].rotation;
        bench_take_pose(pose, &random, is_middle);
        double before = cli_microseconds();
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        times[k] = cli_microseconds() - before;
        iterations += result.iterations;
        reached += result.outcome == SNW_IK_REACHED;
    }
    if (is_ready) {
        printf("%-12s %-8s %8.2f %% %10.1f %10.1f %10.1f\n", name, is_middle ? "middle" : "random",
               100.0 * reached / count, iterations / count, cli_median(times, count),
               cli_quantile(times, count, 0.99));
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    free(times);
    return is_ready;
}

int bench_ik_robots(const cli_arguments *arguments)
{
    static const char *const names[] = {"puma560", "arm7", "panda",     "ur5",
                                        "ur10",    "gen3", "general 6R"};
    int64_t count = 1000;
    if (!cli_integer(arguments, "--count", 1, 1000000, &count)) return CLI_USAGE;
    printf("%-12s %-8s %10s %10s %10s %10s\n", "arm", "start", "reached", "iterations", "median us",
           "p99 us");
    for (int n = 0; n < 7; n++) {
        snw_skeleton *body = NULL;
        snw_error error = snw_error_none();
        snw_status status = n < 6 ? snw_preset_create(names[n], NULL, &body, &error)
                                  : create_general(&body, &error);
        bool is_good = status == SNW_OK && run_robot(names[n], body, true, (int)count, &error) &&
                       run_robot(names[n], body, false, (int)count, &error);
        snw_skeleton_destroy(body);
        if (!is_good) return cli_fail(arguments, "%s", error.message);
    }
    return CLI_DONE;
}
