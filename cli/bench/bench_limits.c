/* How often methods reach where joints have types and limits: places of random allowed poses, from
 * rest, by kind of limit and by number of effectors. "fabrik-printed" is fabrik with limits as the
 * thesis prints them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

#define LIMITS_LINKS 10
#define LIMITS_GOALS 5

typedef struct limits_row {
    const char *name;
    const char *body;                 /* preset, or NULL: a chain of that kind */
    const char *joints[LIMITS_GOALS]; /* effectors; NULL: leaves in their order */
    int goal_count;
    bool has_frame; /* orientations too */
} limits_row;

static const limits_row limits_rows[] = {
    {"cone and twist", NULL, {NULL}, 1, false},
    {"window and twist", NULL, {NULL}, 1, false},
    {"universal", NULL, {NULL}, 1, false},
    {"hinges", NULL, {NULL}, 1, false},
    {"narrow hinge at the end", NULL, {NULL}, 1, false},
    {"pivot on the bone", NULL, {NULL}, 1, false},
    {"humanoid, wrist", "humanoid", {"left_wrist"}, 1, false},
    {"humanoid, wrist and its frame", "humanoid", {"left_wrist"}, 1, true},
    {"humanoid, head", "humanoid", {"head"}, 1, false},
    {"humanoid, ankle", "humanoid", {"left_ankle"}, 1, false},
    {"humanoid, 3 effectors", "humanoid", {"left_wrist", "head", "left_ankle"}, 3, false},
    {"humanoid, 5 effectors",
     "humanoid",
     {"left_wrist", "head", "left_ankle", "right_wrist", "right_ankle"},
     5,
     false},
    {"hand, 5 fingers", "hand25", {NULL}, 5, false},
    {"arm of 7 hinges", "arm7", {"tool"}, 1, false},
    {"arm of 7 hinges, frame", "arm7", {"tool"}, 1, true},
};

/* ---- chains ------------------------------------------------------------------------------- */

static void set_range(snw_joint *joint, int which, double low, double high)
{
    joint->limit.has_range[which] = true;
    joint->limit.range[which][0] = low;
    joint->limit.range[which][1] = high;
}

static void set_ball(snw_joint *joint, bool is_window)
{
    static const double corner[6][2] = {{-0.5, -0.5}, {0.6, -0.5}, {0.6, 0.2},
                                        {0.2, 0.2},   {0.2, 0.7},  {-0.5, 0.7}};
    joint->limit.swing = is_window ? SNW_SWING_POLYGON : SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        joint->limit.cone[k] = snw_radians(25 + 10.0 * k / 3);
    joint->limit.window_count = 6;
    memcpy(joint->limit.window, corner, sizeof corner);
    joint->limit.has_twist = true;
    joint->limit.twist[0] = -0.5;
    joint->limit.twist[1] = 0.5;
}

/* Joint `i` of a chain along +x. */
static void set_joint(snw_joint *joint, const char *kind, int i)
{
    snw_vec3 across[2] = {{0, 0, 1}, {0, 1, 0}};
    if (strcmp(kind, "cone and twist") == 0) set_ball(joint, false);
    if (strcmp(kind, "window and twist") == 0) set_ball(joint, true);
    if (strcmp(kind, "universal") == 0) {
        joint->type = SNW_JOINT_UNIVERSAL;
        joint->axis = across[0];
        joint->axis2 = across[1];
        set_range(joint, 0, -0.6, 0.6);
        set_range(joint, 1, -0.6, 0.6);
    }
    bool is_narrow = strcmp(kind, "narrow hinge at the end") == 0 && i == LIMITS_LINKS - 1;
    if (strcmp(kind, "hinges") == 0 || is_narrow) {
        joint->type = SNW_JOINT_HINGE;
        joint->axis = across[is_narrow ? 0 : i % 2];
        set_range(joint, 0, is_narrow ? -0.1 : -1.2, is_narrow ? 0.2 : 1.2);
    }
    if (strcmp(kind, "pivot on the bone") == 0 && i == LIMITS_LINKS / 2) {
        joint->type = SNW_JOINT_PIVOT;
        joint->axis = snw_vec3_make(1, 0, 0);
        set_range(joint, 0, -1, 1);
    }
}

static snw_status create_chain(const char *kind, snw_skeleton **out, snw_error *error)
{
    snw_skeleton *plain = NULL;
    snw_joint_def defs[LIMITS_LINKS + 1];
    snw_status status = snw_preset_chain(LIMITS_LINKS + 1, 0.1, NULL, &plain, error);
    if (status != SNW_OK) return status;
    for (int i = 0; i <= LIMITS_LINKS; i++) {
        defs[i] = snw_skeleton_joint_def(plain, i);
        if (i < LIMITS_LINKS) set_joint(&defs[i].joint, kind, i);
    }
    status = snw_skeleton_create(defs, LIMITS_LINKS + 1, NULL, out, error);
    snw_skeleton_destroy(plain);
    return status;
}

/* ---- one row ------------------------------------------------------------------------------ */

static void scatter(snw_pose *pose, snw_random *random)
{
    const snw_skeleton *body = pose->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint *joint = &body->joint[j];
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            bool has_range = k < 2 && joint->type != SNW_JOINT_BALL && joint->limit.has_range[k];
            values[k] = has_range ? snw_random_range(random, joint->limit.range[k][0],
                                                     joint->limit.range[k][1])
                                  : snw_random_range(random, -0.8, 0.8);
        }
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
        pose->rotation[j] = snw_joint_limit_apply(joint, pose->rotation[j]);
    }
    snw_pose_forward(pose);
}

static void make_goals(const limits_row *row, const snw_skeleton *body, snw_goal *goals)
{
    int leaf = -1;
    for (int g = 0; g < row->goal_count; g++) {
        int joint = row->joints[0] ? snw_skeleton_find_joint(body, row->joints[g]) : -1;
        if (joint < 0) {
            do
                leaf++;
            while (leaf < body->joint_count - 1 && body->first_child[leaf] >= 0);
            joint = leaf;
        }
        snw_vec3 point = body->has_tip[joint] ? body->tip[joint] : snw_vec3_make(0, 0, 0);
        goals[g] = snw_goal_position(joint, point, snw_vec3_make(0, 0, 0));
        if (row->has_frame) goals[g].kind = SNW_GOAL_POSE;
    }
}

/* Percent reached; -1: the method does not serve the problem. */
static double share_of(const limits_row *row, const snw_skeleton *body, snw_ik_options options,
                       int count)
{
    snw_pose *truth = NULL, *pose = NULL;
    snw_goal goals[LIMITS_GOALS];
    snw_ik *ik = NULL;
    snw_random random = snw_random_seed(41, 1);
    int reached = 0;
    make_goals(row, body, goals);
    bool is_served = snw_pose_create(body, NULL, &truth, NULL) == SNW_OK &&
                     snw_pose_create(body, NULL, &pose, NULL) == SNW_OK &&
                     snw_ik_create(&(snw_ik_problem){body, goals, row->goal_count}, &options, NULL,
                                   &ik, NULL) == SNW_OK;
    for (int k = 0; k < count && is_served; k++) {
        scatter(truth, &random);
        for (int g = 0; g < row->goal_count; g++) {
            goals[g].position = snw_pose_point(truth, goals[g].joint, goals[g].point);
            goals[g].orientation = truth->world[goals[g].joint].rotation;
        }
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    return is_served ? 100.0 * reached / count : -1;
}

static void print_share(double share)
{
    if (share < 0)
        printf("  %14s", "-");
    else
        printf("  %12.1f %%", share);
}

int bench_ik_limits(const cli_arguments *arguments)
{
    int64_t count = 200;
    static const snw_ik_solver solvers[] = {SNW_IK_AUTO, SNW_IK_LM, SNW_IK_CCD, SNW_IK_FABRIK};
    if (!cli_integer(arguments, "--count", 1, 1000000, &count)) return CLI_USAGE;
    printf("%-30s", "reached from rest");
    for (int s = 0; s < 4; s++)
        printf("  %14s", snw_ik_solver_name(solvers[s]));
    printf("  %14s\n", "fabrik-printed");
    for (size_t n = 0; n < sizeof limits_rows / sizeof *limits_rows; n++) {
        const limits_row *row = &limits_rows[n];
        snw_skeleton *body = NULL;
        snw_error error;
        snw_status status = row->body ? snw_preset_create(row->body, NULL, &body, &error)
                                      : create_chain(row->name, &body, &error);
        if (status != SNW_OK) return cli_fail(arguments, "%s", error.message);
        printf("%-30s", row->name);
        for (int s = 0; s < 5; s++) {
            snw_ik_options options = snw_ik_options_default();
            options.solver = s < 4 ? solvers[s] : SNW_IK_FABRIK;
            options.use_printed = s == 4;
            print_share(share_of(row, body, options, (int)count));
        }
        printf("\n");
        snw_skeleton_destroy(body);
    }
    return CLI_DONE;
}
