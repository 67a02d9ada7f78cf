/* Hinges and pivots: one angle about one axis.
 *
 * The rotation about `axis` by t nearest to q = (w, v) has the largest |q . (cos t/2, axis sin
 * t/2)| = |w cos t/2 + (v.axis) sin t/2|, so t/2 = atan2(v.axis, w), the twist of q about the axis;
 * the distance grows with the distance of t on the circle, so the nearest allowed t is the nearer
 * end of the range. */
#include "base/elementary.h"
#include "body/limit.h"

/* w >= 0. Where both vanish, half a turn about an axis across, every angle is as near: 0. */
static double angle_about(double w, double along)
{
    return w * w + along * along > 1e-30 ? 2 * snw__atan2(along, w) : 0;
}

double snw__hinge_angle(const snw_joint *joint, snw_quat rotation)
{
    return angle_about(rotation.w, snw_vec3_dot(snw_quat_vector(rotation), joint->axis));
}

bool snw__hinge_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    const snw_joint_limit *limit = &joint->limit;
    double along = snw_vec3_dot(snw_quat_vector(rotation), joint->axis);
    /* Whether `rotation` turns about the axis and nothing else. */
    snw_vec3 across = snw_vec3_add_scaled(snw_quat_vector(rotation), -along, joint->axis);
    double half_tolerance = 0.5 * SNW_LIMIT_TOLERANCE;
    bool is_allowed = snw_vec3_length2(across) <= half_tolerance * half_tolerance;
    if (is_allowed &&
        (!limit->has_range[0] || snw__range_surely_holds(limit->range[0], along, rotation.w, 2)))
        return true;
    double angle = angle_about(rotation.w, along);
    if (limit->has_range[0]) {
        snw__range_place place = snw__range_nearest(limit->range[0], angle);
        if (is_allowed && place.outside <= SNW_LIMIT_TOLERANCE) return true;
        angle = place.value;
    }
    snw_vec3 turn = snw_vec3_scale(joint->axis, snw__sin(0.5 * angle));
    *nearest = snw_quat_make(snw__cos(0.5 * angle), turn.x, turn.y, turn.z);
    return false;
}
