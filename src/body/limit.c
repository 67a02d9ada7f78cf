/* The door to joint limits: which rotations and slides a joint allows, the nearest allowed one, and
 * by how much one is off. The geometry is in limit_hinge.c, limit_universal.c and limit_ball.c. */
#include "body/limit.h"
#include "body/body_constants.h"
#include "body/joint_types.h"

snw_joint_limit snw_joint_limit_none(void)
{
    snw_joint_limit limit = {0};
    limit.swing = SNW_SWING_FREE;
    return limit;
}

/* ---- rotations --------------------------------------------------------------------------------
 */

static bool is_unit(snw_quat q)
{
    /* Unit to this in the square: far above the drift of a thousand products, far below the
     * tolerance. */
    return fabs(snw_quat_dot(q, q) - 1) <= JOINT_AXIS_ERROR;
}

static bool is_negative_half(snw_quat q)
{
    if (q.w != 0) return q.w < 0;
    if (q.x != 0) return q.x < 0;
    if (q.y != 0) return q.y < 0;
    return q.z < 0;
}

/* Bit for bit the same where it is unit already. */
static snw_quat as_unit(snw_quat rotation)
{
    return is_unit(rotation) ? rotation : snw_quat_normalize(rotation);
}

snw_quat snw__rotation_canonical(snw_quat rotation)
{
    rotation = as_unit(rotation);
    return is_negative_half(rotation) ? snw_quat_neg(rotation) : rotation;
}

snw_quat snw_joint_limit_apply(const snw_joint *joint, snw_quat rotation)
{
    snw_quat nearest;
    if (snw__joint_row_of(joint)->limit(joint, snw__rotation_canonical(rotation), &nearest))
        return as_unit(rotation);
    /* Of the two quaternions of the result the one on the caller's side, so that quaternions of
     * neighbouring frames stay neighbours. */
    double towards = snw_quat_dot(rotation, nearest);
    return towards < 0 ? snw_quat_neg(nearest) : nearest;
}

double snw_joint_limit_violation(const snw_joint *joint, snw_quat rotation)
{
    snw_quat unit = snw__rotation_canonical(rotation), nearest;
    if (snw__joint_row_of(joint)->limit(joint, unit, &nearest)) return 0;
    return snw_quat_angle_between(unit, nearest);
}

/* ---- slides -----------------------------------------------------------------------------------
 */

snw_vec3 snw_joint_limit_apply_slide(const snw_joint *joint, snw_vec3 slide)
{
    const snw__joint_row *row = snw__joint_row_of(joint);
    if (row->slide_count == 0 || !snw_vec3_is_finite(slide)) slide = snw_vec3_make(0, 0, 0);
    return row->slide_count == 0 ? slide : row->limit_slide(joint, slide);
}

double snw_joint_limit_violation_slide(const snw_joint *joint, snw_vec3 slide)
{
    if (!snw_vec3_is_finite(slide)) slide = snw_vec3_make(0, 0, 0);
    return snw_vec3_distance(slide, snw_joint_limit_apply_slide(joint, slide));
}
