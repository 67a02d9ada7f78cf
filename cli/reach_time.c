/* `sinew ik` in time: steps of a servo that follow the goals, and trajectories to the answer. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "reach.h"
#include "text.h"

/* A servo that has not reached by then is told so. */
#define REACH_SECONDS 10.0

typedef struct reach_rates {
    double *velocity, *acceleration, *jerk; /* (dof_count) or NULL */
} reach_rates;

static void release_rates(reach_rates *rates)
{
    free(rates->velocity);
    free(rates->acceleration);
    free(rates->jerk);
}

/* "DEG" or "DEG,MM": turns and slides, per second and so on; 1000 mm where only turns are given. */
static int read_rate(const cli_arguments *arguments, const char *option, const snw_skeleton *body,
                     const char *otherwise, double **out)
{
    const char *text = cli_value(arguments, option, otherwise);
    double numbers[2] = {0, 1000};
    if (!text) return CLI_DONE;
    if (!cli_number_list(text, strchr(text, ',') ? 2 : 1, numbers) || !(numbers[0] > 0) ||
        !(numbers[1] > 0))
        return cli_misuse(arguments, "%s takes DEG or DEG,MM above 0, not \"%s\"", option, text);
    *out = calloc((size_t)body->dof_count + 1, sizeof **out);
    if (!*out) return cli_fail(arguments, "no memory for the limits");
    for (int j = 0; j < body->joint_count; j++)
        for (int k = 0; k < snw_joint_type_dof(body->joint[j].type); k++)
            (*out)[body->dof_first[j] + k] = strcmp(reach_value_unit(body, j, k), "mm") == 0
                                                 ? numbers[1] / 1000
                                                 : snw_radians(numbers[0]);
    return CLI_DONE;
}

static int read_rates(const cli_arguments *arguments, const snw_skeleton *body, bool is_trajectory,
                      reach_rates *rates)
{
    memset(rates, 0, sizeof *rates);
    int status =
        read_rate(arguments, "--speed", body, is_trajectory ? "90,500" : NULL, &rates->velocity);
    if (status == CLI_DONE)
        status = read_rate(arguments, "--acceleration", body, is_trajectory ? "360,2000" : NULL,
                           &rates->acceleration);
    if (status == CLI_DONE) status = read_rate(arguments, "--jerk", body, NULL, &rates->jerk);
    if (status == CLI_DONE && rates->jerk && !rates->acceleration)
        status = cli_misuse(arguments, "--jerk needs --acceleration");
    return status;
}

/* ---- steps ---------------------------------------------------------------------------------- */

typedef struct reach_run {
    double rate;
    int frame_max, frame_count;
    int reached_at; /* first frame from which on all goals were met; -1: never */
    int limited_count;
    double microseconds;
    snw_ik_servo_result last;
    snw_motion *motion;
} reach_run;

static void step_all(const reach_problem *problem, snw_ik_servo *servo, double *times,
                     snw_goal *goals, reach_run *run)
{
    run->reached_at = -1;
    memcpy(goals, problem->goal, (size_t)problem->goal_count * sizeof *goals);
    for (int f = 0; f < run->frame_max; f++) {
        int target = (int)(f * problem->rate / run->rate);
        if (problem->targets && target < problem->frame_count)
            reach_goals_at(problem, target, goals);
        double before = cli_microseconds();
        run->last = snw_ik_servo_step(servo, goals, 1 / run->rate, problem->start);
        times[f] = cli_microseconds() - before;
        snw_motion_set(run->motion, f, problem->start);
        run->limited_count += run->last.limited_count > 0;
        run->frame_count = f + 1;
        if (!run->last.is_reached)
            run->reached_at = -1;
        else if (run->reached_at < 0)
            run->reached_at = f;
        if (!problem->targets && run->reached_at >= 0 && f > run->reached_at) break;
    }
    run->microseconds = cli_median(times, run->frame_count);
    run->motion->frame_count = run->frame_count;
}

static void print_run(const cli_arguments *arguments, const reach_problem *problem,
                      const reach_run *run)
{
    int worst = run->last.worst_goal;
    char residual[80] = "-";
    bool is_turn = worst >= 0 && reach_goal_is_turn(problem->body, problem->goal + worst);
    if (worst >= 0)
        snw_format(residual, sizeof residual, is_turn ? "%.4f deg" : "%.4f mm",
                   is_turn ? snw_degrees(run->last.worst_residual)
                           : 1000 * run->last.worst_residual);
    if (cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "body", problem->name);
        cli_json_integer(&json, "steps", run->frame_count);
        cli_json_number(&json, "rate_hz", run->rate);
        cli_json_boolean(&json, "is_reached", run->last.is_reached);
        if (run->reached_at >= 0)
            cli_json_number(&json, "reached_after_s", (run->reached_at + 1) / run->rate);
        cli_json_integer(&json, "limited_steps", run->limited_count);
        cli_json_number(&json, "microseconds", run->microseconds);
        reach_put_values(&json, run->motion);
        cli_json_end_object(&json);
        return;
    }
    cli_print_text(stdout, problem->name, 0);
    printf(": %d step%s at %g Hz, %.1f us each\n", run->frame_count, cli_s(run->frame_count),
           run->rate, run->microseconds);
    if (run->reached_at >= 0)
        printf("  reached after %.3f s", (run->reached_at + 1) / run->rate);
    else
        printf("  not reached after %.3f s: %s left", run->frame_count / run->rate, residual);
    printf(", %d step%s held back by a limit\n", run->limited_count, cli_s(run->limited_count));
    reach_print_values(run->motion);
}

/* The motion is the run's; its posture is the start. */
static int run_servo(const cli_arguments *arguments, const reach_problem *problem,
                     const reach_rates *rates, reach_run *run)
{
    snw_ik_servo_options options = snw_ik_servo_options_default();
    snw_ik_servo *servo = NULL;
    snw_error error = snw_error_none();
    options.root = problem->options.root;
    options.use_limits = problem->options.use_limits;
    options.limit = (snw_rate_limit){rates->velocity, rates->acceleration, rates->jerk};
    options.posture = problem->start;
    if (!cli_number(arguments, "--gain", 1e-6, 1e9, &options.gain)) return CLI_USAGE;
    snw_ik_problem task = {problem->body, problem->goal, problem->goal_count};
    if (snw_ik_servo_create(&task, &options, NULL, &servo, &error) != SNW_OK ||
        snw_motion_create(problem->body, run->frame_max, run->rate, NULL, &run->motion, &error) !=
            SNW_OK) {
        snw_ik_servo_destroy(servo);
        return cli_fail(arguments, "%s", error.message);
    }
    double *times = calloc((size_t)run->frame_max, sizeof *times);
    snw_goal *goals = calloc((size_t)problem->goal_count, sizeof *goals);
    if (times && goals) step_all(problem, servo, times, goals, run);
    bool is_done = times && goals;
    free(times);
    free(goals);
    snw_ik_servo_destroy(servo);
    return is_done ? CLI_DONE : cli_fail(arguments, "no memory for the steps");
}

int reach_step(const cli_arguments *arguments, const reach_problem *problem)
{
    reach_run run = {.rate = 100};
    reach_rates rates;
    double seconds = problem->targets ? problem->frame_count / problem->rate : REACH_SECONDS;
    if (!cli_number(arguments, "--step", 1e-3, 1e6, &run.rate)) return CLI_USAGE;
    if (!cli_number(arguments, "--seconds", 1e-6, 1e6, &seconds)) return CLI_USAGE;
    double frames = ceil(seconds * run.rate * (1 - 1e-12));
    if (!(frames <= 1e7)) return cli_misuse(arguments, "%g steps are too many", frames);
    run.frame_max = frames > 1 ? (int)frames : 1;
    int status = read_rates(arguments, problem->body, false, &rates);
    if (status == CLI_DONE) status = run_servo(arguments, problem, &rates, &run);
    if (status == CLI_DONE) status = reach_write_motion(arguments, run.motion);
    if (status == CLI_DONE) print_run(arguments, problem, &run);
    snw_motion_destroy(run.motion);
    release_rates(&rates);
    return status;
}

/* ---- trajectories --------------------------------------------------------------------------- */

static snw_status make_trajectory(const reach_problem *problem, const reach_answer *answer,
                                  const snw_trajectory_options *options, snw_motion **out,
                                  snw_error *error)
{
    if (!problem->targets)
        return snw_trajectory_between(problem->start, answer->pose, options, NULL, out, error);
    return snw_trajectory_along(answer->motion, options, NULL, out, error);
}

int reach_trajectory(const cli_arguments *arguments, const reach_problem *problem,
                     const reach_answer *answer)
{
    snw_trajectory_options options = snw_trajectory_options_default();
    reach_rates rates;
    snw_motion *motion = NULL;
    snw_error error = snw_error_none();
    if (!cli_number(arguments, "--trajectory", 1e-3, 1e6, &options.rate)) return CLI_USAGE;
    int status = read_rates(arguments, problem->body, true, &rates);
    options.limit = (snw_rate_limit){rates.velocity, rates.acceleration, rates.jerk};
    if (status == CLI_DONE && make_trajectory(problem, answer, &options, &motion, &error) != SNW_OK)
        status = cli_fail(arguments, "%s", error.message);
    if (status == CLI_DONE) status = reach_write_motion(arguments, motion);
    if (status == CLI_DONE && cli_flag(arguments, "--json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "body", problem->name);
        cli_json_string(&json, "outcome", snw_ik_outcome_name(answer->result.outcome));
        cli_json_integer(&json, "frames", motion->frame_count);
        cli_json_number(&json, "rate_hz", motion->rate);
        cli_json_number(&json, "seconds", (motion->frame_count - 1) / motion->rate);
        reach_put_values(&json, motion);
        cli_json_end_object(&json);
    } else if (status == CLI_DONE) {
        cli_print_text(stdout, problem->name, 0);
        printf(": %s, %.3f s in %d frame%s at %g Hz\n", snw_ik_outcome_name(answer->result.outcome),
               (motion->frame_count - 1) / motion->rate, motion->frame_count,
               cli_s(motion->frame_count), motion->rate);
        reach_print_values(motion);
    }
    snw_motion_destroy(motion);
    release_rates(&rates);
    return status;
}
