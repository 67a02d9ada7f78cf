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
    /* Unit to this in the square: far above the drift of a thousand products, far below the
     * tolerance. */
    bool is_unit = fabs(snw_quat_dot(rotation, rotation) - 1) <= JOINT_AXIS_ERROR;
    return is_unit ? rotation : snw_quat_normalize(rotation);
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

/* ---- ranges ---------------------------------------------------------------------------------
 *
 * Of angles on the circle: inside or not, and the nearer end, whatever turn the range is written in
 * ([0, 350 deg], [-20 deg, 20 deg], [350 deg, 370 deg]). */

/* Distance on the circle, for angles of some turns: quicker than remainder(), and exact enough (one
 * rounding of `apart`). */
static double circle_distance(double a, double b)
{
    double apart = fabs(a - b), turn = 2 * SNW_PI;
    return fabs(apart - turn * floor(apart / turn + 0.5));
}

snw__range_place snw__range_nearest(const double range[2], double angle)
{
    double low = range[0], high = range[1];
    snw__range_place place = {angle, 0};
    if (angle >= low && angle <= high) return place;
    /* After the fewest whole turns that bring it past `low` from below or past `high` from above.
     */
    double turn = 2 * SNW_PI;
    double turned = angle < low ? angle + turn * ceil((low - angle) / turn)
                                : angle - turn * ceil((angle - high) / turn);
    if (turned >= low && turned <= high) {
        place.value = turned;
        return place;
    }
    /* A range of a full turn covers every angle but for the round-off of `turned`. */
    double from_low = circle_distance(angle, low);
    double from_high = circle_distance(angle, high);
    place.value = from_low <= from_high ? low : high;
    place.outside = high - low >= 2 * SNW_PI ? 0 : fmin(from_low, from_high);
    return place;
}

bool snw__range_surely_holds(const double range[2], double sine, double cosine, double turns)
{
    if (!(range[0] <= 0 && range[1] >= 0)) return false;
    /* atan x < pi x / (1 + 2 sqrt(1 + x^2)) for x > 0 (Shafer and Fink; at most 4.8 % too large):
     * with x = |sine| / cosine and both sides multiplied by cosine. */
    double size = SNW_PI * fabs(sine);
    double scale = cosine + 2 * sqrt(sine * sine + cosine * cosine);
    double room = sine >= 0 ? range[1] : -range[0];
    return turns * size <= room * scale && scale > 0;
}
