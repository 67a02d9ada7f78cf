/* Limits inside a solve: apply them to a pose, find which are active, and give the tangent a
 * projected step needs. The limits themselves are the body's (snw_joint_limit_apply).
 *
 * Twist: with R = swing * twist about a and d = R a, the twist's rate is w.(a + d) / (1 + a.d) for
 * the angular velocity w in the parent's frame (differentiate 2 atan2(q_v.a, q_w)). Its gradient in
 * the joint's own frame is therefore along a + R^-1 a, not along a.
 * Swing: the limit is a curve in the plane of (psi cos phi, psi sin phi). A step s across the
 * meridian on the sphere is a step s psi / sin psi in that plane, so the normal of the plane curve
 * becomes one on the sphere with its tangential part stretched by psi / sin psi. */
#include "ik/core/bounds.h"
#include "base/elementary.h"

#include <string.h>

bool snw__ik_joint_is_unlimited(const snw_joint *joint)
{
    const snw__joint_row *row = snw__joint_row_of(joint);
    if (!row->is_vector) return false;
    return row->slide_count > 0 ||
           (joint->limit.swing == SNW_SWING_FREE && !joint->limit.has_twist);
}

snw_joint *snw__ik_joint(snw_ik *ik, int joint)
{
    /* Part of the solve's own block: only the methods must not write to it. */
    return (snw_joint *)&ik->joint[joint];
}

bool snw__ik_apply_limits(const snw_ik *ik, snw_pose *pose)
{
    bool has_changed = false;
    for (int k = 0; k < ik->limited_count; k++) {
        int i = ik->limited[k];
        snw_quat rotation = snw_joint_limit_apply(&ik->joint[i], pose->rotation[i]);
        snw_vec3 slide = snw_joint_limit_apply_slide(&ik->joint[i], pose->slide[i]);
        has_changed |= memcmp(&rotation, &pose->rotation[i], sizeof rotation) != 0 ||
                       memcmp(&slide, &pose->slide[i], sizeof slide) != 0;
        pose->rotation[i] = rotation;
        pose->slide[i] = slide;
    }
    if (ik->skeleton->follower_count > 0) has_changed |= snw_pose_follow(pose);
    return has_changed;
}

/* ---- swivels ------------------------------------------------------------------------------ */

/* Swivels tried to either side: every 15 degrees. */
#define IK_SWIVELS (2 * SNW__IK_ROUNDS)

static snw_quat swivelled(snw_quat rotation, snw_vec3 axis, double angle)
{
    return snw_quat_normalize(snw_quat_mul(snw_quat_from_axis_angle(axis, angle), rotation));
}

snw_quat snw__ik_swivel_inside(const snw_joint *joint, snw_quat rotation, snw_vec3 axis)
{
    double step = SNW_PI / IK_SWIVELS, best = 0;
    double least = snw_joint_limit_violation(joint, rotation);
    for (int k = 1; k <= 2 * IK_SWIVELS && least > 0; k++) {
        double angle = (k % 2 ? 1 : -1) * step * ((k + 1) / 2);
        double violation = snw_joint_limit_violation(joint, swivelled(rotation, axis, angle));
        if (!(violation < least)) continue;
        least = violation;
        best = angle;
    }
    if (best != 0 && least == 0) {
        /* Between an angle that is not allowed and one that is: the latter, as near to the former
         * as pays.
         */
        double outside = best > 0 ? best - step : best + step;
        double allowed = best;
        for (int k = 0; k < SNW__IK_ROUNDS; k++) {
            double middle = 0.5 * (outside + allowed);
            if (snw_joint_limit_violation(joint, swivelled(rotation, axis, middle)) == 0)
                allowed = middle;
            else
                outside = middle;
        }
        best = allowed;
    }
    if (best != 0) rotation = swivelled(rotation, axis, best);
    return snw_joint_limit_apply(joint, rotation);
}

/* ---- normals ------------------------------------------------------------------------------ */

/* A direction of the bone in the swing plane, with the unit vectors along and across the meridian
 * there (parent's frame). */
typedef struct ik_swing_point {
    double plane[2];
    double radial[2]; /* unit, in the plane */
    double stretch;   /* psi / sin psi */
    snw_vec3 bone, along, across;
} ik_swing_point;

static ik_swing_point swing_point(const snw_joint *joint, snw_quat rotation)
{
    ik_swing_point p;
    p.bone = snw_quat_rotate(rotation, joint->axis);
    snw_vec3 side = snw_vec3_cross(joint->axis, joint->axis2);
    double x = snw_vec3_dot(p.bone, joint->axis2), y = snw_vec3_dot(p.bone, side);
    double sine = sqrt(x * x + y * y);
    double psi = snw__atan2(sine, snw_vec3_dot(p.bone, joint->axis));
    p.radial[0] = sine > 0 ? x / sine : 1;
    p.radial[1] = sine > 0 ? y / sine : 0;
    p.plane[0] = psi * p.radial[0];
    p.plane[1] = psi * p.radial[1];
    p.stretch = sine > 1e-6 ? psi / sine : 1;
    snw_vec3 outward =
        snw_vec3_add(snw_vec3_scale(joint->axis2, p.radial[0]), snw_vec3_scale(side, p.radial[1]));
    p.across = snw_vec3_cross(joint->axis, outward);
    p.along = snw_vec3_cross(p.across, p.bone);
    return p;
}

/* Turn (own frame) that leaves the swing limit fastest at `allowed`; zero when it was not held. */
static snw_vec3 swing_normal(const snw_joint *joint, snw_quat asked, snw_quat allowed)
{
    ik_swing_point from = swing_point(joint, asked), to = swing_point(joint, allowed);
    double x = from.plane[0] - to.plane[0], y = from.plane[1] - to.plane[1];
    double radial = x * to.radial[0] + y * to.radial[1];
    double tangential = y * to.radial[0] - x * to.radial[1];
    snw_vec3 outward = snw_vec3_add(snw_vec3_scale(to.along, radial),
                                    snw_vec3_scale(to.across, tangential * to.stretch));
    /* 1e-10: below the tolerance of the limits themselves. */
    if (!(snw_vec3_length(outward) > 1e-10)) return snw_vec3_make(0, 0, 0);
    snw_vec3 turn = snw_vec3_cross(to.bone, outward);
    return snw_vec3_unit(snw_quat_unrotate(allowed, turn), snw_vec3_make(0, 0, 0));
}

static snw_vec3 twist_normal(const snw_joint *joint, snw_quat asked, snw_quat allowed)
{
    double before = snw_quat_twist_angle(asked, joint->axis);
    double after = snw_quat_twist_angle(allowed, joint->axis);
    double excess = snw_wrap_angle(before - after);
    if (!(fabs(excess) > 1e-10)) return snw_vec3_make(0, 0, 0);
    snw_vec3 sum = snw_vec3_add(joint->axis, snw_quat_unrotate(allowed, joint->axis));
    return snw_vec3_scale(snw_vec3_unit(sum, joint->axis), excess > 0 ? 1 : -1);
}

int snw__ik_limit_normals(const snw_joint *joint, snw_quat asked, snw_quat allowed,
                          snw__ik_normal normal[2])
{
    int count = 0;
    snw_vec3 twist = snw_vec3_make(0, 0, 0), swing = snw_vec3_make(0, 0, 0);
    if (joint->limit.has_twist) twist = twist_normal(joint, asked, allowed);
    if (joint->limit.swing != SNW_SWING_FREE) swing = swing_normal(joint, asked, allowed);
    if (snw_vec3_length2(swing) > 0) normal[count++] = (snw__ik_normal){swing, false};
    if (snw_vec3_length2(twist) > 0) {
        if (count) twist = snw_vec3_add_scaled(twist, -snw_vec3_dot(twist, swing), swing);
        twist = snw_vec3_unit(twist, snw_vec3_make(0, 0, 0));
        if (snw_vec3_length2(twist) > 0) normal[count++] = (snw__ik_normal){twist, true};
    }
    return count;
}

/* ---- which limits are active -------------------------------------------------------------- */

static bool is_at_box(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double size)
{
    double values[6];
    int count = snw_joint_values(joint, rotation, slide, values);
    double margin = SNW__IK_AT_LIMIT * (snw__joint_slides(joint) ? size : 1);
    for (int k = 0; k < count && k < 2; k++) {
        const double *range = joint->limit.range[k];
        if (!joint->limit.has_range[k]) continue;
        if (!snw__joint_slides(joint) && range[1] - range[0] >= 2 * SNW_PI) continue;
        if (values[k] <= range[0] + margin || values[k] >= range[1] - margin) return true;
    }
    return false;
}

/* A little further along the meridian (both ways, and both ways across it for a window) the limit
 * is broken. */
static bool is_at_swing(const snw_joint *joint, snw_quat rotation)
{
    ik_swing_point p = swing_point(joint, rotation);
    snw_vec3 outward[4] = {p.across, snw_vec3_neg(p.across), p.along, snw_vec3_neg(p.along)};
    snw_joint swing_only = *joint;
    swing_only.limit.has_twist = false;
    /* The across axis turns the bone along the meridian. A cone holds its middle: only outward. */
    int count = joint->limit.swing == SNW_SWING_CONE ? 1 : 4;
    for (int k = 0; k < count; k++) {
        snw_quat further =
            snw_quat_mul(snw_quat_exp(snw_vec3_scale(outward[k], SNW__IK_AT_LIMIT)), rotation);
        if (snw_joint_limit_violation(&swing_only, further) > SNW_LIMIT_TOLERANCE) return true;
    }
    return false;
}

static bool is_at_twist(const snw_joint *joint, snw_quat rotation)
{
    const double *range = joint->limit.twist;
    if (range[1] - range[0] >= 2 * SNW_PI) return false;
    double middle = 0.5 * (range[0] + range[1]);
    double angle = snw_wrap_angle(snw_quat_twist_angle(rotation, joint->axis) - middle);
    return fabs(angle) >= 0.5 * (range[1] - range[0]) - SNW__IK_AT_LIMIT;
}

int snw__ik_find_active_limits(const snw_ik *ik, const snw_pose *pose, bool *active)
{
    int count = 0;
    for (int k = 0; k < ik->limited_count; k++) {
        int i = ik->limited[k];
        const snw_joint *joint = &ik->joint[i];
        snw_quat rotation = pose->rotation[i];
        active[i] = snw__joint_row_of(joint)->is_vector
                        ? (joint->limit.has_twist && is_at_twist(joint, rotation)) ||
                              (joint->limit.swing != SNW_SWING_FREE && is_at_swing(joint, rotation))
                        : is_at_box(joint, rotation, pose->slide[i], ik->size);
        count += active[i];
    }
    return count;
}
