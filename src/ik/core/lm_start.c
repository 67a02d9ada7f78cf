/* Where the attempts of Levenberg-Marquardt begin; see lm_start.h. */
#include "ik/core/lm_start.h"

static const double ik_lm_shake[SNW__IK_LM_SHAKES] = {SNW__IK_SHAKE, SNW__IK_MODEL_RANGE};

/* Hinges that stand at a limit go to the other end of their range, where what they wanted lies when
 * the range is most of a turn. False when there are none. */
static bool cross_over(snw__ik_system *system, snw_random *random, snw_pose *pose)
{
    bool has_crossed = false;
    for (int m = 0; m < system->mover_count; m++) {
        int j = system->mover[m].joint;
        if (j < 0 || system->mover[m].is_locked) continue;
        const snw_joint *joint = &system->ik->joint[j];
        const double *range = joint->limit.range[0];
        double values[6];
        if (!snw__joint_is_hinge(joint) || !joint->limit.has_range[0] ||
            range[1] - range[0] < SNW_PI)
            continue;
        (void)snw_joint_values(joint, pose->rotation[j], pose->slide[j], values);
        bool is_low = values[0] - range[0] < 1e-3, is_high = range[1] - values[0] < 1e-3;
        if (is_low == is_high) continue;
        double inwards = snw_random_range(random, 0, 0.25 * (range[1] - range[0]));
        values[0] = is_low ? range[1] - inwards : range[0] + inwards;
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
        has_crossed = true;
    }
    if (has_crossed) snw_pose_forward(pose);
    return has_crossed;
}

/* Does some goal that is not met hang on the mover? */
static bool carries_unmet(const snw__ik_system *system, const snw__ik_mover *mover,
                          const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    for (int i = 0; i < ik->goal_count; i++) {
        if (goals[i].joint < 0 || !snw__ik_is_below(ik->skeleton, goals[i].joint, mover->joint))
            continue;
        if (snw__ik_error_excess(ik, snw__ik_goal_error(ik, &goals[i], pose)) > 1) return true;
    }
    return false;
}

/* Limbs whose goals are met stay out of a fresh start: what they reached is not thrown away because
 * another limb is stuck. Locks them, and puts all others back to the start. */
static void keep_what_is_met(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    for (int m = 0; m < system->mover_count; m++) {
        snw__ik_mover *mover = &system->mover[m];
        if (mover->joint < 0 || mover->is_locked) continue;
        mover->is_kept = !carries_unmet(system, mover, goals, pose);
        mover->is_locked = mover->is_kept;
    }
    pose->root = system->start.root;
    for (int m = 0; m < system->mover_count; m++) {
        int j = system->mover[m].joint;
        if (j < 0 || system->mover[m].is_kept) continue;
        pose->rotation[j] = system->start.rotation[j];
        pose->slide[j] = system->start.slide[j];
    }
}

/* The nearest to the goals of a handful of random poses of what is not locked: trying one costs a
 * tenth of a step. */
static void scatter(snw__ik_system *system, const snw_goal *goals, snw_random *random,
                    snw_pose *pose)
{
    double least = INFINITY;
    for (int k = 0; k < SNW__IK_SCATTER; k++) {
        snw__ik_system_scatter(system, random, pose);
        snw__ik_system_measure(system, goals, pose);
        if (!(system->energy < least)) continue;
        least = system->energy;
        snw__ik_snapshot_take(&system->before, pose);
    }
    snw__ik_snapshot_restore(&system->before, pose);
    snw_pose_forward(pose);
}

/* ---- large bodies --------------------------------------------------------------------------- */

bool snw__ik_lm_mends(const snw__ik_system *system, int attempt)
{
    return attempt % SNW__IK_SHARE != 0 && system->ik->goal_count > SNW__IK_WINDOW &&
           system->ik->skeleton->pin_count == 0;
}

/* The goal of a given rank by what it lacks, 0 the worst; -1: so many are not unmet. */
static int worst_goal(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose, int rank)
{
    double above = INFINITY;
    int worst = -1;
    for (; rank >= 0; rank--) {
        double most = 1;
        worst = -1;
        for (int i = 0; i < ik->goal_count; i++) {
            if (goals[i].joint < 0) continue;
            double excess = snw__ik_error_excess(ik, snw__ik_goal_error(ik, &goals[i], pose));
            if (!(excess > most && excess < above)) continue;
            most = excess;
            worst = i;
        }
        if (worst < 0) return -1;
        above = most;
    }
    return worst;
}

/* How many joints with goals lie between two joints of one path; 2: two or more, or no path. */
static int goals_between(const snw__ik_system *system, const snw_goal *goals, int above, int below)
{
    const snw_ik *ik = system->ik;
    int count = 0;
    if (!snw__ik_is_below(ik->skeleton, below, above)) return 2;
    if (below == above) return 0;
    for (int j = ik->skeleton->parent[below]; j != above && count < 2; j = ik->skeleton->parent[j])
        for (int i = 0; i < ik->goal_count; i++)
            if (goals[i].joint == j) {
                count++;
                break;
            }
    return count;
}

/* A minimum of a large body is seldom wrong everywhere: from the lowest that is known the joints
 * around one of the worst goals, to the second goals above and below, begin anew; all else stays
 * where it was (basin hopping with local moves; Wales & Doye 1997). False when nothing is unmet. */
static bool mend(snw__ik_system *system, const snw_goal *goals, snw_random *random, snw_pose *pose)
{
    snw__ik_snapshot_restore(&system->lowest, pose);
    snw_pose_forward(pose);
    int rank = (int)(SNW__IK_TRIES * snw_random_unit(random));
    int goal = worst_goal(system->ik, goals, pose, rank);
    if (goal < 0) goal = worst_goal(system->ik, goals, pose, 0);
    if (goal < 0) return false;
    int end = goals[goal].joint;
    for (int m = 0; m < system->mover_count; m++) {
        snw__ik_mover *mover = &system->mover[m];
        if (mover->joint < 0 || mover->is_locked) continue;
        mover->is_kept = goals_between(system, goals, mover->joint, end) > 1 &&
                         goals_between(system, goals, end, mover->joint) > 1;
        mover->is_locked = mover->is_kept;
    }
    scatter(system, goals, random, pose);
    snw__ik_system_let_go(system);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------ */

void snw__ik_lm_begin(snw__ik_system *system, const snw_goal *goals, snw_random *random,
                      int attempt, snw_pose *pose)
{
    if (attempt == 0) return;
    if (snw__ik_lm_mends(system, attempt) && mend(system, goals, random, pose)) return;
    if (attempt > SNW__IK_LM_SHAKES && attempt % 2 == 0 && cross_over(system, random, pose)) return;
    if (attempt % SNW__IK_SHARE && system->ik->goal_count > 1 &&
        system->ik->skeleton->pin_count == 0)
        keep_what_is_met(system, goals, pose);
    else
        snw__ik_snapshot_restore(&system->start, pose);
    if (attempt <= SNW__IK_LM_SHAKES)
        snw__ik_system_shake(system, random, ik_lm_shake[attempt - 1], pose);
    else
        scatter(system, goals, random, pose);
    snw__ik_system_let_go(system);
}

void snw__ik_lm_bend(const snw__ik_system *system, snw_pose *pose)
{
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        if (mover->is_locked || mover->bound != SNW__IK_BOUND_BOX) continue;
        const snw_joint *joint = &system->ik->joint[mover->joint];
        snw_quat *rotation = &pose->rotation[mover->joint];
        double values[6];
        (void)snw_joint_values(joint, *rotation, pose->slide[mover->joint], values);
        for (int k = 0; k < mover->column_count; k++)
            if (joint->limit.has_range[k])
                values[k] =
                    0.5 * values[k] + 0.25 * (joint->limit.range[k][0] + joint->limit.range[k][1]);
        snw_joint_from_values(joint, values, rotation, &pose->slide[mover->joint]);
    }
}
