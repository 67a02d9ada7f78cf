/* Extended Jacobian (Baillieul 1985). The goals' rows are extended by the condition that a second
 * objective is at its least where the goals leave room:
 *
 *     [ J   ]        [  r            ]
 *     [ N^T ] step = [ -N^T grad g   ],   N: the null space of J
 *
 * Here g is half the squared way to the middle of the ranges, and to rest where there are none: its
 * own curvature is the identity, how N turns is left out, so that a step is J^+ r and the way to
 * that posture seen in the null space. Unlike a bare null-space push it is followed until it is
 * met: a closed path of the goals ends where it began. */
#include <string.h>

#include "ik/core/descend.h"
#include "ik/literature/spectrum.h"

typedef struct ik_extended {
    snw__ik_spectrum *spectrum;
    double *way; /* (column_count) to the posture, in this iteration */
    const snw_pose *pose;
    double left; /* the largest coordinate of the step in the null space */
} ik_extended;

static void *layout(const snw_ik *ik, snw__block *block)
{
    ik_extended *extended = snw__block_take(block, 1, sizeof *extended);
    double *way = snw__block_take(block, (size_t)ik->skeleton->dof_count + 6, sizeof *way);
    snw__ik_spectrum *spectrum = snw__ik_spectrum_layout(ik, block);
    if (!extended) return NULL;
    *extended = (ik_extended){.spectrum = spectrum, .way = way};
    return extended;
}

static snw__ik_place posture_of(const snw_joint *joint)
{
    snw__ik_place place = {snw_quat_identity(), {0, 0, 0}};
    double values[6] = {0};
    bool is_ranged = false;
    if (snw__joint_row_of(joint)->is_vector) return place;
    for (int k = 0; k < 2 && k < snw_joint_type_dof(joint->type); k++) {
        if (!joint->limit.has_range[k]) continue;
        values[k] = 0.5 * (joint->limit.range[k][0] + joint->limit.range[k][1]);
        is_ranged = true;
    }
    if (is_ranged) snw_joint_from_values(joint, values, &place.rotation, &place.slide);
    return place;
}

static void find_way(const snw__ik_system *system, const snw_pose *pose, double *way)
{
    const snw_ik *ik = system->ik;
    memset(way, 0, (size_t)system->column_count * sizeof *way);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        int j = mover->joint;
        if (j < 0 || mover->is_locked || ik->skeleton->follow[j].is_following) continue;
        snw__ik_place here = {pose->rotation[j], pose->slide[j]},
                      wanted = posture_of(&ik->joint[j]);
        snw__ik_joint_way(&ik->joint[j], &here, &wanted, 1 / ik->size, &way[mover->column_first]);
    }
}

static void extended_direction(snw__ik_system *system, void *context)
{
    ik_extended *extended = context;
    snw__ik_spectrum *spectrum = extended->spectrum;
    int n = system->column_count;
    find_way(system, extended->pose, extended->way);
    extended->left = 0;
    if (!snw__ik_spectrum_find(spectrum, system)) return;
    double threshold = 16 * snw_rank_threshold(system->row_count, n);
    int rank = snw_svd_rank(&spectrum->svd, threshold);
    snw__ik_system_project(system, extended->way);
    for (int i = 0; i < rank; i++) {
        const double *right = &spectrum->svd.right[(size_t)i * (size_t)n];
        double along = snw__ik_dot(extended->way, right, n);
        for (int c = 0; c < n; c++)
            extended->way[c] -= along * right[c];
        snw__ik_spectrum_add(spectrum, system, i,
                             snw__ik_spectrum_pull(spectrum, system, i) / spectrum->svd.sigma[i]);
    }
    for (int c = 0; c < n; c++) {
        extended->left = fmax(extended->left, fabs(extended->way[c]));
        system->step[c] += extended->way[c];
    }
    snw__ik_limit_turn(system, SNW__IK_MODEL_RANGE);
}

/* The goals are met: on to the least of the objective, as long as they stay so. */
static int settle(const snw_ik *ik, ik_extended *extended, const snw_goal *goals, snw_pose *pose,
                  int iteration_max)
{
    snw__ik_system *system = ik->system;
    int iteration = 0;
    snw__ik_snapshot_take(&system->best, pose);
    for (; iteration < iteration_max; iteration++) {
        snw__ik_system_build(system, goals, pose);
        (void)snw__ik_system_step(system, extended_direction, extended, pose);
        snw__ik_system_measure(system, goals, pose);
        if (system->excess <= 1) snw__ik_snapshot_take(&system->best, pose);
        if (extended->left < SNW__IK_STALL) break;
    }
    snw__ik_snapshot_restore(&system->best, pose);
    snw_pose_forward(pose);
    return iteration;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_extended *extended = state;
    snw__ik_descent descent = {SNW_IK_EXTENDED_JACOBIAN, extended_direction, extended, false};
    extended->pose = pose;
    snw__ik_report report = snw__ik_descend(ik, &descent, goals, pose);
    /* A start that meets its goals stays as it is. */
    if (report.outcome != SNW_IK_REACHED || report.iterations == 0) return report;
    int left = ik->options.iteration_max - report.iterations;
    int most = left < SNW__IK_DESCENT ? left : SNW__IK_DESCENT;
    report.iterations += settle(ik, extended, goals, pose, most);
    return report;
}

const snw__ik_method snw__ik_extended_jacobian = {
    SNW_IK_EXTENDED_JACOBIAN, true, snw__ik_check_nothing, layout, solve, false};
