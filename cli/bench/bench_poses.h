/* Poses of the benches, and of the tests that repeat what a bench measures. */
#ifndef BENCH_POSES_H
#define BENCH_POSES_H

#include <sinew/ik.h>

#include <math.h>

/* Every hinge or slide in the middle of its range, or anywhere in it; a full turn where it has
 * none. Fills world. */
static inline void bench_take_pose(snw_pose *pose, snw_random *random, bool is_middle)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        const snw_joint *joint = &pose->skeleton->joint[j];
        double values[6] = {0};
        if (joint->type == SNW_JOINT_FIXED) continue;
        double low = joint->limit.has_range[0] ? joint->limit.range[0][0] : -SNW_PI;
        double high = joint->limit.has_range[0] ? joint->limit.range[0][1] : SNW_PI;
        values[0] = is_middle ? 0.5 * (low + high) : snw_random_range(random, low, high);
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
    }
    snw_pose_forward(pose);
}

/* Largest angle between the rotations of a joint in two poses of a body. */
static inline double bench_largest_turn(const snw_pose *a, const snw_pose *b)
{
    double largest = 0;
    for (int j = 0; j < a->skeleton->joint_count; j++)
        largest = fmax(largest, snw_quat_angle_between(a->rotation[j], b->rotation[j]));
    return largest;
}

#endif
