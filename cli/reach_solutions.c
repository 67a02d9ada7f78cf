/* `sinew ik --all-solutions`: every answer of an arm of six hinges, in closed form, or those
 * found from many starts where there is none (reach_search.c); of an arm of seven the curves that
 * its answers form, sampled along one hinge. */
#include <math.h>
#include <string.h>

#include "reach.h"

/* --hold JOINT:DEGREES, the hinge of seven that stays. */
static int read_held(const cli_arguments *arguments, const snw_skeleton *body, snw_ik_arm *arm)
{
    const char *text = cli_value(arguments, "--hold", NULL);
    arm->held = -1;
    if (!text) return CLI_DONE;
    const char *colon = strrchr(text, ':'), *end = text + strlen(text);
    char name[200];
    double degrees = 0;
    if (!colon || snw_parse_double(colon + 1, end, &degrees) != end)
        return cli_misuse(arguments, "--hold takes JOINT:DEGREES, not \"%s\"", text);
    snw_format(name, sizeof name, "%.*s", (int)(colon - text), text);
    arm->held = snw_skeleton_find_joint(body, name);
    arm->held_value = snw_radians(degrees);
    if (arm->held < 0) return reach_complain_joint(arguments, body, "--hold", name);
    return CLI_DONE;
}

static void print_solutions(const snw_skeleton *body, const snw_ik_solution *solutions, int count)
{
    int allowed = 0;
    for (int n = 0; n < count; n++)
        allowed += solutions[n].is_allowed;
    printf("%d answer%s, %d inside the limits; degrees\n\n   ", count, count == 1 ? "" : "s",
           allowed);
    for (int k = 0; k < 6 && count > 0; k++)
        printf(" %10.10s", body->joint_name[solutions[0].joint[k]]);
    printf("\n");
    for (int n = 0; n < count; n++) {
        printf("%3d", n + 1);
        for (int k = 0; k < 6; k++)
            printf(" %10.4f",
                   reach_shown_value(body, solutions[n].joint[k], 0, solutions[n].value[k]));
        printf("  %s\n", solutions[n].is_allowed ? "" : "outside its limits");
    }
}

/* One answer; held -1: no hinge is. */
static void add_json_solution(cli_json *json, const snw_skeleton *body, const snw_ik_arm *arm,
                              const snw_ik_solution *solution)
{
    cli_json_object(json, NULL);
    cli_json_boolean(json, "is_allowed", solution->is_allowed);
    cli_json_object(json, "degrees");
    if (arm->held >= 0)
        cli_json_number(json, body->joint_name[arm->held],
                        reach_shown_value(body, arm->held, 0, arm->held_value));
    for (int k = 0; k < 6; k++)
        cli_json_number(json, body->joint_name[solution->joint[k]],
                        reach_shown_value(body, solution->joint[k], 0, solution->value[k]));
    cli_json_end_object(json);
    cli_json_end_object(json);
}

static void print_solutions_json(const snw_skeleton *body, const snw_ik_arm *arm,
                                 const snw_ik_solution *solutions, int count)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_array(&json, NULL);
    for (int n = 0; n < count; n++)
        add_json_solution(&json, body, arm, &solutions[n]);
    cli_json_end_array(&json);
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* The range of the hinge in so many steps: of a whole turn ten degrees each. */
#define CURVE_STEPS 36

static void print_sample(const snw_skeleton *body, const snw_ik_arm *arm,
                         const snw_ik_solution *solution)
{
    printf("  %10.4f |", reach_shown_value(body, arm->held, 0, arm->held_value));
    for (int k = 0; k < 6; k++)
        printf(" %10.4f", reach_shown_value(body, solution->joint[k], 0, solution->value[k]));
    printf("\n");
}

static void print_head(const snw_skeleton *body, const snw_ik_arm *arm,
                       const snw_ik_solution *solution)
{
    printf("the answers form curves: %s may stand anywhere along them; those inside the limits at "
           "%d of its values,\ndegrees (--hold %s:DEGREES shows all at one)\n\n  %10.10s |",
           body->joint_name[arm->held], CURVE_STEPS + 1, body->joint_name[arm->held],
           body->joint_name[arm->held]);
    for (int k = 0; k < 6; k++)
        printf(" %10.10s", body->joint_name[solution->joint[k]]);
    printf("\n");
}

/* Samples the curves of an arm of seven hinges along the one in arm->held. */
static int print_curves(const cli_arguments *arguments, const snw_skeleton *body, snw_ik_arm arm,
                        snw_xform target)
{
    const snw_joint_limit *limit = &body->joint[arm.held].limit;
    double low = limit->has_range[0] ? fmax(limit->range[0][0], -SNW_PI) : -SNW_PI;
    double high = limit->has_range[0] ? fmin(limit->range[0][1], SNW_PI) : SNW_PI;
    bool is_json = cli_flag(arguments, "--json");
    int all = 0, shown = 0;
    cli_json json;
    if (is_json) {
        json = cli_json_begin(stdout);
        cli_json_array(&json, NULL);
    }
    for (int n = 0; n <= CURVE_STEPS; n++) {
        snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
        snw_error error;
        int count;
        arm.held_value = low + (high - low) * n / CURVE_STEPS;
        if (snw_ik_all_solutions(body, &arm, target, solutions, &count, &error) != SNW_OK)
            return cli_fail(arguments, "%s", error.message);
        all += count;
        for (int k = 0; k < count; k++) {
            if (is_json) add_json_solution(&json, body, &arm, &solutions[k]);
            if (is_json || !solutions[k].is_allowed) continue;
            if (shown++ == 0) print_head(body, &arm, &solutions[k]);
            print_sample(body, &arm, &solutions[k]);
        }
    }
    if (is_json)
        cli_json_end_array(&json);
    else
        printf("%s%d answers on the curves at these values of %s, %d inside the limits\n",
               shown ? "\n" : "", all, body->joint_name[arm.held], shown);
    return CLI_DONE;
}

int reach_all_solutions(const cli_arguments *arguments, const reach_problem *problem)
{
    snw_ik_arm arm = {.held = -1};
    snw_ik_solution solutions[SNW_IK_SOLUTIONS_MAX];
    snw_error error;
    int count = 0;
    const snw_goal *goal = &problem->goal[0];
    if (problem->goal_count != 1 || goal->kind != SNW_GOAL_POSE)
        return cli_misuse(arguments, "--all-solutions takes one goal: --pose JOINT:X,Y,Z:A,B,C");
    int status = read_held(arguments, problem->body, &arm);
    if (status != CLI_DONE) return status;
    arm.joint = goal->joint;
    /* The goal is in the world and of a point of the joint. */
    snw_xform world = snw_xform_make(
        goal->orientation,
        snw_vec3_sub(goal->position, snw_quat_rotate(goal->orientation, goal->point)));
    snw_xform target = snw_xform_mul(snw_xform_inverse(problem->start->root), world);
    int free = arm.held < 0 ? snw_ik_redundant_hinge(problem->body, arm.joint) : -1;
    if (free >= 0) {
        arm.held = free;
        return print_curves(arguments, problem->body, arm, target);
    }
    snw_status found = snw_ik_all_solutions(problem->body, &arm, target, solutions, &count, &error);
    bool is_searched =
        found == SNW_UNSUPPORTED && reach_search_solutions(problem, &arm, solutions, &count);
    if (found != SNW_OK && !is_searched) return cli_fail(arguments, "%s", error.message);
    if (is_searched)
        cli_note(arguments, "the arm has no closed form; these were found from many starts, there "
                            "may be more");
    if (cli_flag(arguments, "--json"))
        print_solutions_json(problem->body, &arm, solutions, count);
    else
        print_solutions(problem->body, solutions, count);
    return CLI_DONE;
}
