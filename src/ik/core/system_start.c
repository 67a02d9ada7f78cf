/* Where a solve begins again: kept poses, small shakes out of singular places, and fresh random
 * poses inside the limits. */
#include <string.h>

#include "ik/core/system.h"

void snw__ik_snapshot_layout(snw__ik_snapshot *snapshot, size_t joint_count, snw__block *block)
{
    snapshot->rotation = snw__block_take(block, joint_count, sizeof *snapshot->rotation);
    snapshot->slide = snw__block_take(block, joint_count, sizeof *snapshot->slide);
}

void snw__ik_snapshot_take(snw__ik_snapshot *snapshot, const snw_pose *pose)
{
    size_t count = (size_t)pose->skeleton->joint_count;
    snapshot->root = pose->root;
    memcpy(snapshot->rotation, pose->rotation, count * sizeof *pose->rotation);
    memcpy(snapshot->slide, pose->slide, count * sizeof *pose->slide);
}

void snw__ik_snapshot_restore(const snw__ik_snapshot *snapshot, snw_pose *pose)
{
    size_t count = (size_t)pose->skeleton->joint_count;
    pose->root = snapshot->root;
    memcpy(pose->rotation, snapshot->rotation, count * sizeof *pose->rotation);
    memcpy(pose->slide, snapshot->slide, count * sizeof *pose->slide);
}

double snw__ik_moved_since(const snw_ik *ik, const snw__ik_snapshot *from, const snw_pose *pose)
{
    double largest = 0;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        largest = fmax(largest, snw_quat_angle_between(from->rotation[j], pose->rotation[j]));
        largest = fmax(largest, snw_vec3_distance(from->slide[j], pose->slide[j]) / ik->size);
    }
    return largest;
}

void snw__ik_system_let_go(snw__ik_system *system)
{
    for (int m = 0; m < system->mover_count; m++) {
        snw__ik_mover *mover = &system->mover[m];
        mover->is_locked &= !mover->is_kept;
        mover->is_kept = false;
    }
}

bool snw__ik_system_is_stationary(const snw__ik_system *system)
{
    double slope2 = 0;
    for (int c = 0; c < system->column_count; c++)
        slope2 += system->gradient[c] * system->gradient[c];
    /* |J^T r| against |J| |r|: 1e-6 is an angle between r and what J can do. */
    return slope2 <= 1e-12 * snw__ik_system_scale(system) * 2 * system->energy;
}

void snw__ik_system_shake(snw__ik_system *system, snw_random *random, double angle, snw_pose *pose)
{
    for (int c = 0; c < system->column_count; c++)
        system->step[c] = snw_random_range(random, -angle, angle);
    for (int m = 0; m < system->mover_count; m++)
        for (int k = 0; k < system->mover[m].column_count && system->mover[m].is_locked; k++)
            system->step[system->mover[m].column_first + k] = 0;
    for (int m = 0; m < system->mover_count; m++)
        if (system->mover[m].bound == SNW__IK_BOUND_BOX) {
            /* Turns the steps of a boxed joint inwards: a knee that stands at its limit can only
             * bend. */
            const snw__ik_mover *mover = &system->mover[m];
            const snw_joint *joint = &system->ik->joint[mover->joint];
            double unit = snw__joint_slides(joint) ? system->ik->size : 1, values[6];
            (void)snw_joint_values(joint, pose->rotation[mover->joint], pose->slide[mover->joint],
                                   values);
            for (int k = 0; k < mover->column_count; k++) {
                double *step = &system->step[mover->column_first + k];
                double target = values[k] + unit * *step;
                if (!joint->limit.has_range[k]) continue;
                if (target < joint->limit.range[k][0] || target > joint->limit.range[k][1])
                    *step = -*step;
            }
        }
    (void)snw__ik_system_move(system, 1, pose);
}

void snw__ik_scatter_joint(const snw_joint *joint, double size, snw_random *random,
                           snw_quat *rotation, snw_vec3 *slide)
{
    double values[6] = {0};
    if (snw__joint_row_of(joint)->is_vector) {
        /* Not uniform over all rotations: limbs seldom fold back on themselves. */
        double angle = snw_random_range(random, 0, 0.75 * SNW_PI);
        *rotation = snw_quat_from_axis_angle(snw_random_direction(random), angle);
    } else {
        double room = snw__joint_slides(joint) ? 0.5 * size : SNW_PI;
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            /* A value inside the range, or anywhere within `room` of zero. */
            bool has_range = k < 2 && joint->limit.has_range[k];
            double low = has_range ? joint->limit.range[k][0] : -room;
            double high = has_range ? joint->limit.range[k][1] : room;
            values[k] = snw_random_range(random, low, high);
        }
        snw_joint_from_values(joint, values, rotation, slide);
    }
}

void snw__ik_system_scatter(snw__ik_system *system, snw_random *random, snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    for (int m = 0; m < system->mover_count; m++) {
        int joint = system->mover[m].joint;
        if (joint < 0 || system->mover[m].is_locked) continue;
        snw__ik_scatter_joint(&ik->joint[joint], ik->size, random, &pose->rotation[joint],
                              &pose->slide[joint]);
    }
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
}
