/* The answers of `sinew ik` as a table and as JSON. */

#include <stdlib.h>
#include <string.h>

#include "reach.h"
#include "text.h"

/* ---- table -------------------------------------------------------------------------------- */

static void format_worst(const reach_problem *problem, const reach_answer *answer, char *text,
                         size_t size)
{
    int worst = answer->result.worst_goal;
    if (problem->targets)
        snw_format(text, size, "%.2f x tolerance", answer->worst_excess);
    else if (worst < 0)
        snw_format(text, size, "-");
    else
        reach_format_residual(problem->body, problem->goal + worst,
                              snw_ik_residual(answer->ik)[worst],
                              snw_ik_turn_residual(answer->ik)[worst], text, size);
}

static void print_row(const reach_problem *problem, const reach_answer *answer)
{
    char outcome[80], worst[80];
    if (!answer->is_served) {
        printf("  %-19s not for this problem: %s\n", snw_ik_solver_name(answer->solver),
               answer->refusal);
        return;
    }
    format_worst(problem, answer, worst, sizeof worst);
    if (problem->targets)
        snw_format(outcome, sizeof outcome, "%d of %d reached", answer->reached_count,
                   problem->frame_count);
    else
        snw_format(outcome, sizeof outcome, "%s", snw_ik_outcome_name(answer->result.outcome));
    printf("  %-19s %-18s %10.1f  %-26s %12.1f %7d\n", snw_ik_solver_name(answer->solver), outcome,
           answer->iterations, worst, answer->microseconds, answer->result.active_limit_count);
}

static const char *goal_joint_name(const snw_skeleton *body, const snw_goal *goal)
{
    return goal->joint >= 0 ? body->name[goal->joint] : "all";
}

static void print_goals(const reach_problem *problem, const reach_answer *answer)
{
    printf("\n  %-12s %-20s residual%s\n", "goal", "joint",
           problem->targets ? " in the last frame" : "");
    for (int g = 0; g < problem->goal_count; g++) {
        char text[80];
        const snw_goal *goal = problem->goal + g;
        if (goal->kind == SNW_GOAL_APART && snw_ik_residual(answer->ik)[g] == 0) continue;
        reach_format_residual(problem->body, goal, snw_ik_residual(answer->ik)[g],
                              snw_ik_turn_residual(answer->ik)[g], text, sizeof text);
        printf("  %-12s ", snw_goal_kind_name(goal->kind));
        cli_print_text(stdout, goal_joint_name(problem->body, goal), 20);
        printf(" %s\n", text);
    }
}

static void print_active_limits(const reach_problem *problem, const reach_answer *answer)
{
    if (answer->result.active_limit_count == 0) return;
    printf("\n  at a limit:");
    for (int j = 0; j < problem->body->joint_count; j++) {
        if (!snw_ik_active_limit(answer->ik)[j]) continue;
        printf(" ");
        cli_print_text(stdout, problem->body->name[j], 0);
    }
    printf("\n");
}

/* What the controller of a robot is told. */
void reach_print_values(const snw_motion *motion)
{
    const snw_skeleton *body = motion->skeleton;
    double *all = reach_values(motion, NULL);
    if (!all) return;
    printf("\n  %-20s value\n", "joint");
    for (int j = 0; j < body->joint_count; j++) {
        const double *values = all + 6 * (size_t)j;
        int count = snw_joint_type_dof(body->joint[j].type);
        if (count == 0) continue;
        printf("  ");
        cli_print_text(stdout, body->joint_name[j], 20);
        for (int k = 0; k < count; k++)
            printf(" %.4f %s", reach_shown_value(body, j, k, values[k]),
                   reach_value_unit(body, j, k));
        printf("\n");
    }
    free(all);
}

void reach_print_table(const reach_problem *problem, const reach_answer *answers, int count)
{
    int joint_count = problem->body->joint_count, goal_count = problem->goal_count;
    cli_print_text(stdout, problem->name, 0);
    printf(": %d joint%s, %d goal%s", joint_count, cli_s(joint_count), goal_count,
           cli_s(goal_count));
    if (problem->targets) printf(", %d frame%s", problem->frame_count, cli_s(problem->frame_count));
    printf(", tolerance %.4g mm\n\n  %-19s %-18s %10s  %-26s %12s %7s\n",
           1000 * reach_tolerance(problem), "solver", "outcome", "iterations", "worst residual",
           "microseconds", "limits");
    for (int n = 0; n < count; n++)
        print_row(problem, answers + n);
    if (count != 1 || !answers->is_served) return;
    if (answers->result.solver != answers->solver)
        printf("\n  answered by %s\n", snw_ik_solver_name(answers->result.solver));
    print_goals(problem, answers);
    print_active_limits(problem, answers);
    if (reach_is_robot(problem->body)) reach_print_values(answers->motion);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void put_goals(cli_json *json, const reach_problem *problem, const reach_answer *answer)
{
    cli_json_array(json, "goals");
    for (int g = 0; g < problem->goal_count; g++) {
        const snw_goal *goal = problem->goal + g;
        double residual = snw_ik_residual(answer->ik)[g];
        if (goal->kind == SNW_GOAL_APART && residual == 0) continue;
        cli_json_object(json, NULL);
        cli_json_string(json, "kind", snw_goal_kind_name(goal->kind));
        cli_json_string(json, "joint", goal_joint_name(problem->body, goal));
        if (reach_goal_is_turn(problem->body, goal))
            cli_json_number(json, "residual_deg", snw_degrees(residual));
        else
            cli_json_number(json, "residual_mm", 1000 * residual);
        if (goal->kind == SNW_GOAL_POSE)
            cli_json_number(json, "residual_deg", snw_degrees(snw_ik_turn_residual(answer->ik)[g]));
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
}

static void put_active_limits(cli_json *json, const reach_problem *problem,
                              const reach_answer *answer)
{
    cli_json_array(json, "active_limits");
    for (int j = 0; j < problem->body->joint_count; j++)
        if (snw_ik_active_limit(answer->ik)[j]) cli_json_string(json, NULL, problem->body->name[j]);
    cli_json_end_array(json);
}

static void put_pose(cli_json *json, const snw_pose *pose, const snw_motion *motion)
{
    double *all = reach_values(motion, NULL);
    cli_json_array(json, "pose");
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        snw_quat q = pose->rotation[j];
        snw_vec3 p = pose->world[j].translation;
        double rotation[4] = {q.w, q.x, q.y, q.z};
        double position_mm[3] = {1000 * p.x, 1000 * p.y, 1000 * p.z};
        cli_json_object(json, NULL);
        cli_json_string(json, "joint", pose->skeleton->name[j]);
        cli_json_numbers(json, "rotation_wxyz", rotation, 4);
        cli_json_numbers(json, "position_mm", position_mm, 3);
        if (pose->skeleton->joint_name[j] != pose->skeleton->name[j])
            cli_json_string(json, "joint_name", pose->skeleton->joint_name[j]);
        double values[6];
        int count = all ? snw_joint_type_dof(pose->skeleton->joint[j].type) : 0;
        for (int k = 0; k < count; k++)
            values[k] = reach_shown_value(pose->skeleton, j, k, all[6 * j + k]);
        bool is_slide = count > 0 && strcmp(reach_value_unit(pose->skeleton, j, 0), "mm") == 0;
        if (count > 0 && count < 6)
            cli_json_numbers(json, is_slide ? "values_mm" : "values_deg", values, count);
        cli_json_end_object(json);
    }
    cli_json_end_array(json);
    free(all);
}

void reach_put_values(cli_json *json, const snw_motion *motion)
{
    const snw_skeleton *body = motion->skeleton;
    double *all = reach_values(motion, NULL);
    cli_json_object(json, "values");
    for (int j = 0; j < body->joint_count && all; j++) {
        double values[6];
        int count = snw_joint_type_dof(body->joint[j].type);
        for (int k = 0; k < count; k++)
            values[k] = reach_shown_value(body, j, k, all[6 * j + k]);
        if (count > 0) cli_json_numbers(json, body->joint_name[j], values, count);
    }
    cli_json_end_object(json);
    free(all);
}

static void put_answer(cli_json *json, const reach_problem *problem, const reach_answer *answer)
{
    cli_json_object(json, NULL);
    cli_json_string(json, "solver", snw_ik_solver_name(answer->solver));
    cli_json_boolean(json, "is_served", answer->is_served);
    if (!answer->is_served) {
        cli_json_string(json, "refusal", answer->refusal);
        cli_json_end_object(json);
        return;
    }
    cli_json_string(json, "answered_by", snw_ik_solver_name(answer->result.solver));
    cli_json_string(json, "outcome", snw_ik_outcome_name(answer->result.outcome));
    cli_json_integer(json, "frames_reached", answer->reached_count);
    cli_json_number(json, "iterations", answer->iterations);
    cli_json_number(json, "worst_in_tolerances", answer->worst_excess);
    cli_json_number(json, "microseconds", answer->microseconds);
    cli_json_number(json, "limit_violation", answer->violation);
    put_goals(json, problem, answer);
    put_active_limits(json, problem, answer);
    put_pose(json, answer->pose, answer->motion);
    cli_json_end_object(json);
}

void reach_print_json(const reach_problem *problem, const reach_answer *answers, int count)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "body", problem->name);
    cli_json_integer(&json, "frames", problem->frame_count);
    cli_json_number(&json, "tolerance_mm", 1000 * reach_tolerance(problem));
    cli_json_array(&json, "answers");
    for (int n = 0; n < count; n++)
        put_answer(&json, problem, answers + n);
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}
