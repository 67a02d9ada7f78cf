/* Ball joints: where the bone points (swing) and how it turns about itself (twist).
 *
 * In the joint's rest frame (x = axis2, y = axis x axis2, z = axis) let q = (w, qx, qy, qz). Then
 * q = swing * twist with rho = hypot(w, qz), twist = (w, 0, 0, qz) / rho and
 *
 *     swing = (rho, qx w - qy qz, qy w + qx qz, 0),  the last two divided by rho,
 *
 * so the angle psi of the swing has cos(psi/2) = rho, and the bone goes from z towards (swing.y,
 * -swing.x): the azimuth of the point in the swing plane. Allowed is what has an allowed point of
 * the swing plane and an allowed twist; outside, both are replaced by the nearest, each in its own
 * metric: the swing plane's distance, the distance on the circle of twists.
 *
 * Straight behind (rho = 0) every rotation is a swing with any twist: the azimuth takes up the
 * difference. What counts is therefore how far the rotation is from an allowed one, not how far
 * its coordinates are: a direction off by an angle on the sphere, a twist off by t is a rotation
 * off by 2 asin(rho sin(t/2)), which is t near rest and nothing straight behind. */
#include "base/elementary.h"
#include "body/body_constants.h"
#include "body/limit.h"

typedef struct ball_parts {
    double w, x, y, z; /* the rotation in the rest frame */
    double rho;        /* cos(psi/2) */
    double side;       /* sin(psi/2) */
    snw__swing toward; /* side * (cos, sin) of the azimuth */
} ball_parts;

static ball_parts ball_parts_of(const snw_joint *joint, snw_quat q)
{
    snw_vec3 v = snw_quat_vector(q);
    ball_parts parts;
    parts.w = q.w;
    parts.x = snw_vec3_dot(v, joint->axis2);
    parts.y = snw_vec3_dot(v, snw_vec3_cross(joint->axis, joint->axis2));
    parts.z = snw_vec3_dot(v, joint->axis);
    parts.rho = sqrt(parts.w * parts.w + parts.z * parts.z);
    parts.side = sqrt(parts.x * parts.x + parts.y * parts.y);
    if (parts.rho > BALL_BEHIND) {
        double scale = 1 / parts.rho;
        parts.toward.x = (parts.y * parts.w + parts.x * parts.z) * scale;
        parts.toward.y = (parts.y * parts.z - parts.x * parts.w) * scale;
    } else {
        parts.toward.x = parts.y;
        parts.toward.y = -parts.x;
    }
    return parts;
}

static snw__swing swing_point(const ball_parts *parts)
{
    /* psi / sin(psi/2) -> 2 / cos(psi/2); the next term is side^2 / 3 of it. */
    double scale =
        parts->side > 1e-8 ? 2 * snw__atan2(parts->side, parts->rho) / parts->side : 2 / parts->rho;
    snw__swing point = {parts->toward.x * scale, parts->toward.y * scale};
    return point;
}

/* Angle between where two swings point the bone, for small angles: the chord. */
static double direction_distance(const ball_parts *parts, snw_quat swing)
{
    double dx = 2 * (parts->rho * parts->toward.x - swing.w * swing.y);
    double dy = 2 * (parts->rho * parts->toward.y + swing.w * swing.x);
    double dz = 2 * (parts->side * parts->side - swing.x * swing.x - swing.y * swing.y);
    return sqrt(dx * dx + dy * dy + dz * dz);
}

/* True where the swing is allowed, else the nearest allowed one. */
static bool limit_swing(const snw_joint_limit *limit, const ball_parts *parts, snw_quat *nearest)
{
    snw__swing point, inside;
    if (limit->swing == SNW_SWING_CONE) {
        /* True only when the swing is surely inside the cone: its angle replaced by the bound of
         * snw__range_surely_holds, psi < 2 pi side / (rho + 2). */
        double scale = 2 * SNW_PI / (parts->rho + 2);
        snw__swing further = {parts->toward.x * scale, parts->toward.y * scale};
        if (snw__cone_holds(limit->cone, further)) return true;
        point = swing_point(parts);
        if (snw__cone_holds(limit->cone, point)) return true;
        inside = snw__cone_nearest(limit->cone, point);
    } else {
        point = swing_point(parts);
        if (snw__window_holds(limit, point)) return true;
        inside = snw__window_nearest(limit, point);
    }
    /* The swing quaternion of a point of the swing plane; z is always 0. */
    double psi = snw__hypot(inside.x, inside.y);
    double scale = psi > 1e-8 ? snw__sin(0.5 * psi) / psi : 0.5;
    *nearest = snw_quat_make(snw__cos(0.5 * psi), -inside.y * scale, inside.x * scale, 0);
    return direction_distance(parts, *nearest) <= SNW_LIMIT_TOLERANCE;
}

/* Straight behind, a half turn about an axis is one about its opposite too: the swing has two
 * azimuths, and the one that is allowed or nearer to it counts. */
static bool limit_swing_behind(const snw_joint_limit *limit, ball_parts *parts, snw_quat *nearest)
{
    if (limit_swing(limit, parts, nearest)) return true;
    ball_parts other = *parts;
    other.toward.x = -parts->toward.x;
    other.toward.y = -parts->toward.y;
    snw_quat other_nearest;
    bool is_allowed = limit_swing(limit, &other, &other_nearest);
    if (is_allowed ||
        direction_distance(&other, other_nearest) < direction_distance(parts, *nearest)) {
        *parts = other;
        *nearest = other_nearest;
    }
    return is_allowed;
}

/* Twists, q = (w, ..., along the axis) with w >= 0. True where the twist is allowed; *twist is the
 * allowed twist nearest to it, strictly in the range. */
static bool limit_twist(const snw_joint_limit *limit, double w, double along, double rho,
                        snw_quat *twist)
{
    bool is_free = !limit->has_twist || snw__range_surely_holds(limit->twist, along, w, 2);
    double angle = is_free || rho <= BALL_BEHIND ? 0 : 2 * snw__atan2(along, w);
    snw__range_place place = {angle, 0};
    if (!is_free) place = snw__range_nearest(limit->twist, angle);
    if (place.outside > 0 || rho <= BALL_BEHIND) {
        *twist = snw_quat_make(snw__cos(0.5 * place.value), 0, 0, snw__sin(0.5 * place.value));
        return 2 * rho * snw__sin(0.5 * place.outside) <= SNW_LIMIT_TOLERANCE;
    }
    *twist = snw_quat_make(w / rho, 0, 0, along / rho);
    return true;
}

/* Twist alone: axis2 is not looked at. */
static bool limit_twist_only(const snw_joint *joint, snw_quat q, snw_quat *nearest)
{
    double along = snw_vec3_dot(snw_quat_vector(q), joint->axis);
    snw_quat allowed, swing, twist;
    if (limit_twist(&joint->limit, q.w, along, sqrt(q.w * q.w + along * along), &allowed))
        return true;
    snw_quat_swing_twist(q, joint->axis, &swing, &twist);
    snw_vec3 turn = snw_vec3_scale(joint->axis, allowed.z);
    *nearest =
        snw_quat_normalize(snw_quat_mul(swing, snw_quat_make(allowed.w, turn.x, turn.y, turn.z)));
    return false;
}

bool snw__ball_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    const snw_joint_limit *limit = &joint->limit;
    if (limit->swing == SNW_SWING_FREE ||
        (limit->swing == SNW_SWING_CONE && !snw__cone_binds(limit->cone)))
        return !limit->has_twist || limit_twist_only(joint, rotation, nearest);
    ball_parts parts = ball_parts_of(joint, rotation);
    snw_quat swing, twist;
    bool is_swing_allowed = parts.rho > BALL_BEHIND ? limit_swing(limit, &parts, &swing)
                                                    : limit_swing_behind(limit, &parts, &swing);
    bool is_twist_allowed = limit_twist(limit, parts.w, parts.z, parts.rho, &twist);
    if (is_swing_allowed && is_twist_allowed) return true;
    if (is_swing_allowed) swing = snw_quat_make(parts.rho, -parts.toward.y, parts.toward.x, 0);
    /* No nearer to straight behind than BALL_RHO_MIN, moved towards the middle: a cone is convex
     * around it, and windows end before. */
    if (!(swing.w >= BALL_RHO_MIN)) {
        double scale = 1 / sqrt(swing.x * swing.x + swing.y * swing.y);
        swing = snw_quat_make(BALL_RHO_MIN, swing.x * scale, swing.y * scale, 0);
    }
    snw_quat q = snw_quat_mul(swing, twist);
    snw_vec3 y = snw_vec3_cross(joint->axis, joint->axis2);
    snw_vec3 v = snw_vec3_scale(joint->axis2, q.x);
    v = snw_vec3_add_scaled(v, q.y, y);
    v = snw_vec3_add_scaled(v, q.z, joint->axis);
    *nearest = snw_quat_normalize(snw_quat_make(q.w, v.x, v.y, v.z));
    return false;
}
