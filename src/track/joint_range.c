/* Limits from motion: ranges for hinges and universal joints, a cone and a twist for balls.
 *
 * Ends are those that all but one sample in two hundred keep, plus a margin. The cone's x axis lies
 * along the main direction in which the bone swung; its four angles are first the ends along x and
 * y, then grown until the quarters of ellipses between them hold the samples too. Where the bone
 * went so far that the swing plane closes behind it, there is no limit. */
#include "track/joint_range.h"
#include "base/elementary.h"
#include "track/track_constants.h"

#include <string.h>

enum {
    RANGE_STRAYS_MAX = 16
};

/* ---- ends --------------------------------------------------------------------------------- */

/* The largest values of a series, as many as may be strays, and one more: the end. */
typedef struct range_end {
    int room, count;
    double value[RANGE_STRAYS_MAX + 1]; /* descending */
} range_end;

static int shown_count(const snw__joint_seen *seen)
{
    int count = 0;
    for (int k = 0; k < seen->count; k++)
        count += seen->is_shown[k];
    return count;
}

static range_end end_of(const snw__joint_seen *seen)
{
    range_end end;
    int strays = shown_count(seen) / RANGE_STRAYS;
    memset(&end, 0, sizeof end);
    end.room = 1 + (strays < RANGE_STRAYS_MAX ? strays : RANGE_STRAYS_MAX);
    return end;
}

static void look_at(range_end *end, double value)
{
    int at = end->count;
    if (at == end->room && !(value > end->value[at - 1])) return;
    if (at < end->room)
        at = end->count++;
    else
        at--;
    for (; at > 0 && end->value[at - 1] < value; at--)
        end->value[at] = end->value[at - 1];
    end->value[at] = value;
}

static double end_value(const range_end *end, double otherwise)
{
    return end->count == end->room ? end->value[end->room - 1] : otherwise;
}

/* ---- angles ------------------------------------------------------------------------------- */

static bool set_range(const range_end *low, const range_end *high, double margin, double range[2])
{
    range[0] = -end_value(low, 0) - margin;
    range[1] = end_value(high, 0) + margin;
    return range[0] > -RANGE_WIDEST && range[1] < RANGE_WIDEST;
}

/* ---- swing -------------------------------------------------------------------------------- */

/* Where the bone points, in the swing plane (see snw_joint_limit). */
typedef struct range_point {
    double x, y;
} range_point;

static range_point point_of(const snw_joint *joint, snw_quat rotation)
{
    snw_vec3 bone = snw_quat_rotate(rotation, joint->axis);
    double x = snw_vec3_dot(bone, joint->axis2);
    double y = snw_vec3_dot(bone, snw_vec3_cross(joint->axis, joint->axis2));
    double sine = sqrt(x * x + y * y);
    double psi = snw__atan2(sine, snw_vec3_dot(bone, joint->axis));
    double scale = sine > 1e-9 ? psi / sine : 1;
    range_point point = {x * scale, y * scale};
    return point;
}

/* axis2 along the main direction of the swings. */
static void turn_cone(snw_joint *joint, const snw__joint_seen *seen)
{
    double sx = 0, sy = 0, xx = 0, xy = 0, yy = 0, n = shown_count(seen);
    joint->axis2 = snw_vec3_perpendicular(joint->axis);
    for (int k = 0; k < seen->count; k++) {
        if (!seen->is_shown[k]) continue;
        range_point p = point_of(joint, seen->rotation[k]);
        sx += p.x;
        sy += p.y;
        xx += p.x * p.x;
        xy += p.x * p.y;
        yy += p.y * p.y;
    }
    double angle =
        0.5 * snw__atan2(2 * (xy - sx * sy / n), (xx - sx * sx / n) - (yy - sy * sy / n));
    snw_vec3 side = snw_vec3_cross(joint->axis, joint->axis2);
    joint->axis2 = snw_vec3_unit(snw_vec3_add(snw_vec3_scale(joint->axis2, snw__cos(angle)),
                                              snw_vec3_scale(side, snw__sin(angle))),
                                 joint->axis2);
}

/* The two angles of the quarter in which the point lies, and its distance in their units. */
static double place_in_cone(const double cone[4], range_point p, int *along_x, int *along_y)
{
    *along_x = p.x >= 0 ? 0 : 2;
    *along_y = p.y >= 0 ? 1 : 3;
    double x = p.x / fmax(cone[*along_x], RANGE_FLAT), y = p.y / fmax(cone[*along_y], RANGE_FLAT);
    return sqrt(x * x + y * y);
}

static void grow_quarter(double cone[4], int along_x, int along_y, double factor)
{
    cone[along_x] = fmin(fmax(cone[along_x], RANGE_FLAT) * factor, SNW_PI);
    cone[along_y] = fmin(fmax(cone[along_y], RANGE_FLAT) * factor, SNW_PI);
}

/* Quarters of ellipses leave out corners that the ends allow. */
static void grow_cone(snw_joint *joint, const snw__joint_seen *seen)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        range_end far = end_of(seen);
        int quarter_x = quarter % 2 ? 2 : 0, quarter_y = quarter / 2 ? 3 : 1, x, y;
        for (int k = 0; k < seen->count; k++) {
            if (!seen->is_shown[k]) continue;
            double place =
                place_in_cone(joint->limit.cone, point_of(joint, seen->rotation[k]), &x, &y);
            if (x == quarter_x && y == quarter_y) look_at(&far, place);
        }
        double factor = end_value(&far, 0);
        if (factor > 1) grow_quarter(joint->limit.cone, quarter_x, quarter_y, factor);
    }
}

static void find_cone(snw_joint *joint, const snw__joint_seen *seen)
{
    range_end end[4];
    bool is_narrow = true;
    turn_cone(joint, seen);
    for (int side = 0; side < 4; side++)
        end[side] = end_of(seen);
    for (int k = 0; k < seen->count; k++) {
        if (!seen->is_shown[k]) continue;
        range_point p = point_of(joint, seen->rotation[k]);
        look_at(&end[0], p.x);
        look_at(&end[1], p.y);
        look_at(&end[2], -p.x);
        look_at(&end[3], -p.y);
    }
    for (int side = 0; side < 4; side++)
        joint->limit.cone[side] = fmax(end_value(&end[side], 0), 0) + seen->margin;
    grow_cone(joint, seen);
    for (int side = 0; side < 4; side++)
        is_narrow &= joint->limit.cone[side] < RANGE_WIDEST;
    joint->limit.swing = is_narrow ? SNW_SWING_CONE : SNW_SWING_FREE;
}

/* ---- both --------------------------------------------------------------------------------- */

void snw__joint_range_find(snw_joint *joint, const snw__joint_seen *seen)
{
    joint->limit = snw_joint_limit_none();
    /* Whoever gives an unseen ball joint a cone finds its frame there. */
    if (joint->type == SNW_JOINT_BALL) joint->axis2 = snw_vec3_perpendicular(joint->axis);
    if (shown_count(seen) == 0) return;
    if (joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_UNIVERSAL) {
        int dof = snw_joint_type_dof(joint->type);
        for (int c = 0; c < dof; c++) {
            range_end low = end_of(seen), high = low;
            for (int k = 0; k < seen->count; k++) {
                double values[6];
                if (!seen->is_shown[k]) continue;
                (void)snw_joint_values(joint, seen->rotation[k], snw_vec3_make(0, 0, 0), values);
                look_at(&low, -values[c]);
                look_at(&high, values[c]);
            }
            joint->limit.has_range[c] = set_range(&low, &high, seen->margin, joint->limit.range[c]);
        }
    } else if (joint->type == SNW_JOINT_BALL) {
        find_cone(joint, seen);
        range_end low = end_of(seen), high = low;
        for (int k = 0; k < seen->count; k++) {
            if (!seen->is_shown[k]) continue;
            double angle = snw_quat_twist_angle(seen->rotation[k], joint->axis);
            look_at(&low, -angle);
            look_at(&high, angle);
        }
        joint->limit.has_twist = set_range(&low, &high, seen->margin, joint->limit.twist);
    }
}

static void widen(double range[2], double angle)
{
    range[0] = fmin(range[0], angle);
    range[1] = fmax(range[1], angle);
}

void snw__joint_range_include(snw_joint *joint, snw_quat rotation)
{
    snw_joint_limit *limit = &joint->limit;
    if (joint->type == SNW_JOINT_BALL) {
        int x, y;
        if (limit->has_twist) widen(limit->twist, snw_quat_twist_angle(rotation, joint->axis));
        if (limit->swing != SNW_SWING_CONE) return;
        double place = place_in_cone(limit->cone, point_of(joint, rotation), &x, &y);
        /* A hair more, so that rounding does not leave it outside. */
        if (place > 1) grow_quarter(limit->cone, x, y, place * (1 + 1e-9));
    } else if (joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_UNIVERSAL) {
        double values[6];
        int dof = snw_joint_values(joint, rotation, snw_vec3_make(0, 0, 0), values);
        for (int c = 0; c < dof; c++)
            if (limit->has_range[c]) widen(limit->range[c], values[c]);
    }
}
