/* Cyclic coordinate descent by parts of the body, in an order that makes its poses more natural:
 *
 * ccd-mass (after Kulpa & Multon 2005): the lightest group of joints moves first, a heavier one
 * only where the lighter ones did not reach. A hand comes before an arm, an arm before the trunk.
 * Masses are those of the body; where it knows none, bone lengths stand for them.
 *
 * sequential (after Unzueta et al. 2008): from the root outwards, each part once for what the parts
 * below it cannot do by themselves: the trunk leans by as much as an arm is too short, then the arm
 * reaches.
 *
 * A group are the joints between two branchings. What rounds over groups leave, plain sweeps with
 * their shakes (ccd.c) end. */
#include <string.h>

#include "base/fail.h"
#include "ik/core/system.h"
#include "ik/literature/ccd.h"

typedef struct ccd_groups {
    void *ccd; /* state of snw__ik_ccd */
    int count;
    int *group;     /* (joint_count) of each joint, -1: it moves no goal */
    int *order;     /* (count) groups as they are visited */
    double *mass;   /* (count) */
    snw_goal *part; /* (goal_count) what is asked of a group */
} ccd_groups;

static snw_status groups_check(const snw_ik *ik, snw_error *error)
{
    if (ik->options.root == SNW_IK_ROOT_FREE)
        return snw__fail(error, SNW_UNSUPPORTED, "%s keeps the root fixed",
                         snw_ik_solver_name(ik->options.solver));
    if (ik->skeleton->pin_count > 0)
        return snw__fail(error, SNW_UNSUPPORTED, "%s does not close loops (the body has pins)",
                         snw_ik_solver_name(ik->options.solver));
    return snw__ik_ccd.check(ik, error);
}

static int child_count(const snw_ik *ik, const int *group, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < ik->skeleton->joint_count; j++)
        count += ik->skeleton->parent[j] == joint && group[j] != -1;
    return count;
}

static void find_groups(const snw_ik *ik, ccd_groups *g)
{
    const snw_skeleton *skeleton = ik->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        g->group[j] = -1;
    for (int i = 0; i < ik->goal_count; i++)
        for (int j = ik->goal[i].joint; j >= 0; j = skeleton->parent[j])
            g->group[j] = 0;
    g->count = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        if (g->group[j] < 0) continue;
        bool continues = parent >= 0 && child_count(ik, g->group, parent) == 1;
        g->group[j] = continues ? g->group[parent] : g->count++;
    }
}

static void *groups_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    ccd_groups fields = {0}, *groups = snw__block_take(block, 1, sizeof *groups);
    fields.group = snw__block_take(block, n, sizeof *fields.group);
    fields.order = snw__block_take(block, n, sizeof *fields.order);
    fields.mass = snw__block_take(block, n, sizeof *fields.mass);
    fields.part = snw__block_take(block, (size_t)ik->goal_count, sizeof *fields.part);
    fields.ccd = snw__ik_ccd.layout(ik, block);
    if (!groups) return NULL;
    find_groups(ik, &fields);
    double sum = 0;
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        if (fields.group[j] >= 0) sum += ik->skeleton->mass[j];
    for (int k = 0; k < fields.count; k++)
        fields.mass[k] = 0;
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        if (fields.group[j] >= 0)
            fields.mass[fields.group[j]] +=
                sum > 0 ? ik->skeleton->mass[j] : ik->skeleton->bone_length[j];
    /* By mass, lightest first, of equals the outer; or from the root outwards. */
    bool by_mass = ik->options.solver == SNW_IK_CCD_MASS;
    for (int k = 0; k < fields.count; k++) {
        int at = k;
        for (; by_mass && at > 0 && fields.mass[fields.order[at - 1]] >= fields.mass[k]; at--)
            fields.order[at] = fields.order[at - 1];
        fields.order[at] = k;
    }
    *groups = fields;
    return groups;
}

/* The goal as far as the joints below the group cannot meet it themselves: places by what is
 * missing to their bones' length, turns not at all. */
static void leave_to_those_below(const snw_ik *ik, const ccd_groups *g, int group,
                                 const snw_pose *pose, snw_goal *goal)
{
    double reach = snw_vec3_length(goal->point);
    int j = goal->joint, below = j;
    if (j < 0 || g->group[j] == group) return;
    for (; j >= 0 && g->group[j] != group; j = ik->skeleton->parent[j]) {
        below = j;
        reach += ik->skeleton->bone_length[j];
    }
    if (j < 0) return; /* the group does not carry it */
    reach -= ik->skeleton->bone_length[below];
    snw_vec3 now = snw_pose_point(pose, goal->joint, goal->point);
    snw_vec3 base = pose->world[below].translation;
    snw_vec3 way = snw_vec3_sub(snw__goal_place_near(goal, now), base);
    double lacking = fmax(0, snw_vec3_length(way) - reach);
    if (snw__goal_row_of(goal)->has_aim) {
        snw_vec3 ahead = snw_quat_rotate(pose->world[goal->joint].rotation, goal->direction);
        goal->position = snw_vec3_add_scaled(now, ik->size, snw_vec3_unit(ahead, way));
        return;
    }
    goal->position = snw_vec3_add_scaled(now, lacking, snw_vec3_unit(way, way));
    goal->orientation = pose->world[goal->joint].rotation;
}

/* What all goals lack together: one limb's progress shows, whatever the others lack. */
static double lack_of(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose)
{
    double sum = 0;
    for (int i = 0; i < ik->goal_count; i++) {
        if (snw__goal_is_secondary(&goals[i])) continue;
        sum += snw__ik_error_excess(ik, snw__ik_goal_error(ik, &goals[i], pose));
    }
    return sum;
}

/* Sweeps over one group as long as they help; returns what is lacking then. */
static double lead_group(const snw_ik *ik, const ccd_groups *g, int group, const snw_goal *goals,
                         snw_pose *pose)
{
    double lack = lack_of(ik, goals, pose), last = INFINITY;
    for (int n = 0; n < SNW__IK_DESCENT && lack < (1 - SNW__IK_STALL) * last; n++) {
        last = lack;
        const snw_goal *asked = goals;
        if (ik->options.solver == SNW_IK_SEQUENTIAL) {
            for (int i = 0; i < ik->goal_count; i++) {
                g->part[i] = goals[i];
                if (snw__goal_is_rigid(&goals[i]) || snw__goal_row_of(&goals[i])->has_aim)
                    leave_to_those_below(ik, g, group, pose, &g->part[i]);
            }
            asked = g->part;
        }
        for (int j = ik->skeleton->joint_count - 1; j >= 0; j--)
            if (g->group[j] == group && snw_joint_type_dof(ik->joint[j].type) > 0)
                snw__ccd_turn(ik, g->ccd, asked, pose, j);
        lack = lack_of(ik, goals, pose);
    }
    return lack;
}

static snw__ik_report groups_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                   snw_pose *pose)
{
    const ccd_groups *g = state;
    snw__ik_report report = {.outcome = SNW_IK_REACHED};
    double excess = snw__ik_excess(ik, goals, pose), lack = lack_of(ik, goals, pose);
    double before = INFINITY;
    while (excess > 1 && lack < SNW__IK_NEARER * before &&
           report.iterations < ik->options.iteration_max / 2) {
        before = lack;
        for (int k = 0; k < g->count && excess > 1; k++) {
            lack = lead_group(ik, g, g->order[k], goals, pose);
            excess = snw__ik_excess(ik, goals, pose);
        }
        report.iterations++;
    }
    if (excess > 1) {
        snw_ik rest = *ik;
        int taken = report.iterations;
        rest.options.iteration_max -= taken;
        report = snw__ik_ccd.solve(&rest, g->ccd, goals, pose);
        report.iterations += taken;
    }
    report.solver = ik->options.solver;
    return report;
}

const snw__ik_method snw__ik_ccd_mass = {.solver = SNW_IK_CCD_MASS,
                                         .check = groups_check,
                                         .layout = groups_layout,
                                         .solve = groups_solve};
const snw__ik_method snw__ik_sequential = {.solver = SNW_IK_SEQUENTIAL,
                                           .check = groups_check,
                                           .layout = groups_layout,
                                           .solve = groups_solve};
