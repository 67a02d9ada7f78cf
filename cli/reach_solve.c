/* Solves the frames of a `sinew ik` problem with one method and takes the time. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "reach.h"

/* A single problem is solved this often from the same start, and the median time is told: one
 * solve alone would mostly tell how cold the caches were. */
#define REACH_REPETITIONS 15

void reach_goals_at(const reach_problem *problem, int frame, snw_goal *goals)
{
    for (int g = problem->target_first; g < problem->goal_count; g++) {
        /* A missing target stays where it was last seen. */
        if (!snw_trial_is_present(problem->targets, frame, problem->marker[g])) continue;
        goals[g].position = snw_trial_position(problem->targets, frame, problem->marker[g]);
    }
}

static snw_ik_result solve_once(snw_ik *ik, const snw_goal *goals, snw_pose *pose,
                                double *microseconds)
{
    double before = cli_microseconds();
    snw_ik_result result = snw_ik_solve(ik, goals, pose);
    *microseconds = cli_microseconds() - before;
    return result;
}

/* The worst goal's residual over its tolerance: what is compared over frames, whatever the goals
 * measure. */
static double worst_excess(const reach_problem *problem, const snw_ik *ik)
{
    double worst = 0, tolerance = reach_tolerance(problem);
    for (int g = 0; g < problem->goal_count; g++) {
        if (problem->goal[g].kind == SNW_GOAL_REST) continue;
        bool is_turn = reach_goal_is_turn(problem->body, problem->goal + g);
        double scale = is_turn ? problem->options.turn_tolerance : tolerance;
        worst = fmax(worst, snw_ik_residual(ik)[g] / scale);
        if (problem->goal[g].kind == SNW_GOAL_POSE)
            worst = fmax(worst, snw_ik_turn_residual(ik)[g] / problem->options.turn_tolerance);
    }
    return worst;
}

static void solve_single(const reach_problem *problem, reach_answer *answer)
{
    double times[REACH_REPETITIONS];
    for (int n = 0; n < REACH_REPETITIONS; n++) {
        snw_pose_copy(answer->pose, problem->start);
        answer->result = solve_once(answer->ik, problem->goal, answer->pose, times + n);
    }
    answer->microseconds = cli_median(times, REACH_REPETITIONS);
    answer->iterations = answer->result.iterations;
    answer->reached_count = answer->result.outcome == SNW_IK_REACHED;
    answer->worst_excess = worst_excess(problem, answer->ik);
    answer->violation = snw_pose_violation(answer->pose);
    snw_motion_set(answer->motion, 0, answer->pose);
}

/* Every frame starts from the answer of the one before. */
static void solve_frames(const reach_problem *problem, snw_goal *goals, double *times,
                         reach_answer *answer)
{
    double iterations = 0;
    memcpy(goals, problem->goal, (size_t)problem->goal_count * sizeof *goals);
    snw_pose_copy(answer->pose, problem->start);
    for (int frame = 0; frame < problem->frame_count; frame++) {
        reach_goals_at(problem, frame, goals);
        answer->result = solve_once(answer->ik, goals, answer->pose, times + frame);
        answer->reached_count += answer->result.outcome == SNW_IK_REACHED;
        answer->worst_excess = fmax(answer->worst_excess, worst_excess(problem, answer->ik));
        answer->violation = fmax(answer->violation, snw_pose_violation(answer->pose));
        iterations += answer->result.iterations;
        snw_motion_set(answer->motion, frame, answer->pose);
    }
    answer->microseconds = cli_median(times, problem->frame_count);
    answer->iterations = iterations / problem->frame_count;
}

int reach_solve(const cli_arguments *arguments, const reach_problem *problem, snw_ik_solver solver,
                reach_answer *answer)
{
    snw_error error = snw_error_none();
    snw_ik_options options = problem->options;
    memset(answer, 0, sizeof *answer);
    answer->solver = options.solver = solver;
    snw_status status =
        snw_ik_create(&(snw_ik_problem){problem->body, problem->goal, problem->goal_count},
                      &options, NULL, &answer->ik, &error);
    if (status == SNW_UNSUPPORTED) {
        snw_format(answer->refusal, sizeof answer->refusal, "%s", error.message);
        return CLI_DONE;
    }
    if (status != SNW_OK || snw_pose_create(problem->body, NULL, &answer->pose, &error) != SNW_OK ||
        snw_motion_create(problem->body, problem->frame_count, problem->rate, NULL, &answer->motion,
                          &error) != SNW_OK)
        return cli_fail(arguments, "%s", error.message);
    snw_goal *goals = calloc((size_t)problem->goal_count, sizeof *goals);
    double *times = calloc((size_t)problem->frame_count, sizeof *times);
    answer->is_served = goals && times;
    if (answer->is_served && problem->targets)
        solve_frames(problem, goals, times, answer);
    else if (answer->is_served)
        solve_single(problem, answer);
    free(times);
    free(goals);
    return answer->is_served ? CLI_DONE : cli_fail(arguments, "no memory for the frames");
}

void reach_answer_release(reach_answer *answer)
{
    snw_ik_destroy(answer->ik);
    snw_pose_destroy(answer->pose);
    snw_motion_destroy(answer->motion);
}
