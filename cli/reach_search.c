/* `sinew ik --all-solutions` for arms of six hinges without a closed form: least squares from many
 * starts, each answer once. Such an arm has at most 16 (Raghavan & Roth 1993); nothing proves that
 * all were found, and the command says so. */
#include <math.h>

#include "reach.h"

/* name             value   from
 * SEARCH_STARTS    400     finds all 8 of the Panda with a held hinge, in a few milliseconds
 * SEARCH_EXACT     1e-8    body sizes and radians: an answer is that near its goal
 * SEARCH_SAME      1e-4    radians: answers that differ less are one */
#define SEARCH_STARTS 400
#define SEARCH_EXACT  1e-8
#define SEARCH_SAME   1e-4

/* The hinges between root and goal that are not held; how many, or -1 where another joint moves. */
static int find_hinges(const snw_skeleton *body, const snw_ik_arm *arm, int joints[6])
{
    int count = 0, place = 0;
    for (int pass = 0; pass < 2; pass++) {
        place = count;
        for (int j = arm->joint; j >= 0; j = body->parent[j]) {
            snw_joint_type type = body->joint[j].type;
            if (type == SNW_JOINT_FIXED || j == arm->held) continue;
            if (type != SNW_JOINT_HINGE && type != SNW_JOINT_PIVOT) return -1;
            if (pass == 0) count++;
            if (pass == 1 && --place < 6) joints[place] = j;
        }
    }
    return count;
}

static void set_angle(const snw_skeleton *body, int joint, double angle, snw_pose *pose)
{
    double values[6] = {angle};
    snw_joint_from_values(&body->joint[joint], values, &pose->rotation[joint], &pose->slide[joint]);
}

/* The turn of an angle that is inside the range, if one is; else the one in [-pi, pi]. */
static double into_range(const snw_joint *joint, double angle, bool *is_inside)
{
    const snw_joint_limit *limit = &joint->limit;
    double turned = remainder(angle, 2 * SNW_PI), low = limit->range[0][0];
    if (!limit->has_range[0]) return turned;
    double shifted = turned + 2 * SNW_PI * ceil((low - SEARCH_SAME - turned) / (2 * SNW_PI));
    *is_inside = shifted <= limit->range[0][1] + SEARCH_SAME;
    return *is_inside ? shifted : turned;
}

static snw_ik_solution read_solution(const snw_skeleton *body, const int joints[6],
                                     const snw_pose *pose)
{
    snw_ik_solution fresh = {.is_allowed = true};
    for (int k = 0; k < 6; k++) {
        double values[6];
        int j = joints[k];
        bool is_inside = true;
        (void)snw_joint_values(&body->joint[j], pose->rotation[j], pose->slide[j], values);
        fresh.joint[k] = j;
        fresh.value[k] = into_range(&body->joint[j], values[0], &is_inside);
        fresh.is_allowed &= is_inside;
    }
    return fresh;
}

static bool is_known(const snw_ik_solution *solutions, int count, const snw_ik_solution *fresh)
{
    for (int n = 0; n < count; n++) {
        double most = 0;
        for (int k = 0; k < 6; k++)
            most = fmax(most, fabs(remainder(solutions[n].value[k] - fresh->value[k], 2 * SNW_PI)));
        if (most < SEARCH_SAME) return true;
    }
    return false;
}

static int search(const reach_problem *problem, const snw_ik_arm *arm, const int joints[6],
                  snw_ik *ik, snw_pose *pose, snw_ik_solution *solutions)
{
    snw_random random = snw_random_seed(problem->options.seed, 0);
    int count = 0;
    for (int n = 0; n < SEARCH_STARTS && count < SNW_IK_SOLUTIONS_MAX; n++) {
        for (int k = 0; k < 6; k++)
            set_angle(problem->body, joints[k], SNW_PI * (2 * snw_random_unit(&random) - 1), pose);
        if (arm->held >= 0) set_angle(problem->body, arm->held, arm->held_value, pose);
        if (snw_ik_solve(ik, problem->goal, pose).outcome != SNW_IK_REACHED) continue;
        snw_ik_solution fresh = read_solution(problem->body, joints, pose);
        if (!is_known(solutions, count, &fresh)) solutions[count++] = fresh;
    }
    return count;
}

bool reach_search_solutions(const reach_problem *problem, const snw_ik_arm *arm,
                            snw_ik_solution *solutions, int *count)
{
    const snw_skeleton *body = problem->body;
    int joints[6];
    double stiffness[SNW_JOINT_MAX];
    snw_ik *ik = NULL;
    snw_pose *pose = NULL;
    if (find_hinges(body, arm, joints) != 6) return false;
    for (int j = 0; j < body->joint_count; j++)
        stiffness[j] = j == arm->held ? INFINITY : 1;
    snw_ik_options options = problem->options;
    options.solver = SNW_IK_LM;
    options.restart_max = 0;
    options.prefer = SNW_IK_PREFER_NOTHING;
    options.use_limits = false; /* they are told, as of closed forms */
    options.tolerance = options.turn_tolerance = SEARCH_EXACT;
    options.stiffness = stiffness;
    bool is_ready = snw_pose_create(body, NULL, &pose, NULL) == SNW_OK &&
                    snw_ik_create(&(snw_ik_problem){body, problem->goal, 1}, &options, NULL, &ik,
                                  NULL) == SNW_OK;
    if (is_ready) {
        snw_pose_copy(pose, problem->start);
        *count = search(problem, arm, joints, ik, pose, solutions);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    return is_ready;
}
