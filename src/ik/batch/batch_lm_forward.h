/* Forward kinematics of eight problems side by side, which both halves of an iteration ask for
 * (batch_lm.c, batch_lm_step.c). Internal to the two. */
#ifndef SNW_IK_BATCH_LM_FORWARD_H
#define SNW_IK_BATCH_LM_FORWARD_H

#include "ik/batch/batch_lm_lanes.h"

#if defined(SNW__LANES_INLINE)

SNW__LANES_INLINE snw__lanes3 snw__batch_lm_set3(const float v[3])
{
    return snw__lanes3_set(v[0], v[1], v[2]);
}

/* Turn about a constant axis. */
SNW__LANES_INLINE snw__lanes4 snw__batch_lm_axis_turn(const float axis[3], snw__f8 angle)
{
    snw__lanes_turn t = snw__lanes_sincos(angle * 0.5f);
    return (snw__lanes4){t.cosine, t.sine * axis[0], t.sine * axis[1], t.sine * axis[2]};
}

/* The swing of a limited ball as a rotation vector in the frame before it: the bone goes towards
 * (x, y) of the plane by turning about axis x that direction. */
SNW__LANES_INLINE snw__lanes3 snw__batch_lm_swing_vector(const snw__batch_lm_joint *joint,
                                                         const snw__f8 *value)
{
    snw__lanes3 v = snw__lanes3_scale(snw__batch_lm_set3(joint->side), value[0]);
    return snw__lanes3_add_scaled(v, -value[1], snw__batch_lm_set3(joint->axis2));
}

/* A rotation vector as a quaternion. */
SNW__LANES_INLINE snw__lanes4 snw__batch_lm_exp(snw__lanes3 v)
{
    snw__f8 angle = snw__lanes3_length(v);
    snw__lanes_turn t = snw__lanes_sincos(angle * 0.5f);
    snw__i8 is_small = angle < 1e-6f;
    snw__f8 scale = snw__f8_pick(is_small, snw__f8_set(0.5f),
                                 t.sine / snw__f8_pick(is_small, snw__f8_set(1.0f), angle));
    return (snw__lanes4){t.cosine, v.x * scale, v.y * scale, v.z * scale};
}

/* Of a product of unit quaternions, which round-off alone has stretched: one step of Newton's
 * method for 1 / sqrt(n) from 1, off by the square of that; a root and a division, one after the
 * other in every joint of a chain, would take longer than all the rest. */
SNW__LANES_INLINE snw__lanes4 snw__batch_lm_unit(snw__lanes4 q)
{
    snw__f8 s = 1.5f - 0.5f * ((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
    return (snw__lanes4){q.w * s, q.x * s, q.y * s, q.z * s};
}

SNW__LANES_INLINE snw__lanes4 snw__batch_lm_joint_turn(const snw__batch_lm_joint *joint,
                                                       const batch_lm_pose *pose, int slot)
{
    const snw__f8 *value = pose->value + joint->first;
    switch (joint->kind) {
    case SNW__BATCH_LM_HINGE:
        return snw__batch_lm_axis_turn(joint->axis, value[0]);
    case SNW__BATCH_LM_UNIVERSAL:
        return snw__lanes4_mul(snw__batch_lm_axis_turn(joint->axis, value[0]),
                               snw__batch_lm_axis_turn(joint->axis2, value[1]));
    case SNW__BATCH_LM_BALL:
        return snw__lanes4_mul(snw__batch_lm_exp(snw__batch_lm_swing_vector(joint, value)),
                               snw__batch_lm_axis_turn(joint->axis, value[2]));
    default:
        return pose->turn[slot];
    }
}

SNW__LANES_INLINE void snw__batch_lm_forward(const snw__batch_lm_plan *plan, batch_lm_pose *pose)
{
    for (int k = 0; k < plan->joint_count; k++) {
        const snw__batch_lm_joint *joint = &plan->joint[k];
        snw__lanes4 before = {snw__f8_set(1), snw__f8_set(0), snw__f8_set(0), snw__f8_set(0)};
        snw__lanes3 place = snw__batch_lm_set3(joint->rest_place);
        if (joint->parent >= 0) {
            const batch_lm_frame *parent = &pose->world[joint->parent];
            before = parent->rotation;
            place = snw__lanes3_add(parent->place, snw__lanes4_rotate(before, place));
        }
        if (joint->is_turned) {
            const float *r = joint->rest_rotation;
            before = snw__lanes4_mul(before, (snw__lanes4){snw__f8_set(r[0]), snw__f8_set(r[1]),
                                                           snw__f8_set(r[2]), snw__f8_set(r[3])});
        }
        pose->before[k] = before;
        if (joint->kind == SNW__BATCH_LM_SLIDE)
            place =
                snw__lanes3_add_scaled(place, pose->value[joint->first],
                                       snw__lanes4_rotate(before, snw__batch_lm_set3(joint->axis)));
        else if (joint->kind != SNW__BATCH_LM_FIXED)
            before = snw__batch_lm_unit(
                snw__lanes4_mul(before, snw__batch_lm_joint_turn(joint, pose, k)));
        pose->world[k] = (batch_lm_frame){before, place};
    }
}

SNW__LANES_INLINE snw__f8 snw__batch_lm_larger(snw__f8 a, snw__f8 b)
{
    return snw__f8_pick(b > a, b, a);
}

#endif
#endif
