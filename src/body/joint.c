/* Joints: their names, degrees of freedom and coordinates, and whether a joint makes sense. What
 * limits do to a rotation is in limit.c. */
#include "base/fail.h"
#include "body/body_constants.h"
#include "body/limit.h"

/* In the order of snw_joint_type. */
static const struct {
    const char *name;
    int dof;
} joint_types[SNW_JOINT_TYPE_COUNT] = {{"fixed", 0}, {"hinge", 1}, {"universal", 2},
                                       {"pivot", 1}, {"ball", 3},  {"prismatic", 1},
                                       {"free", 6}};

static bool is_type(snw_joint_type type)
{
    return (unsigned)type < SNW_JOINT_TYPE_COUNT;
}

int snw_joint_type_dof(snw_joint_type type)
{
    return is_type(type) ? joint_types[type].dof : 0;
}

const char *snw_joint_type_name(snw_joint_type type)
{
    return is_type(type) ? joint_types[type].name : "unknown";
}

/* ---- coordinates ------------------------------------------------------------------------------
 */

/* `angle` in [-pi, pi], moved by whole turns into the range where that is possible. */
static double placed_angle(const snw_joint_limit *limit, int which, double angle)
{
    if (limit->has_range[which]) {
        snw__range_place place = snw__range_nearest(limit->range[which], angle);
        if (place.outside <= SNW_LIMIT_TOLERANCE) return place.value;
    }
    return angle <= -SNW_PI ? SNW_PI : angle;
}

static void put_vector(double values[3], snw_vec3 v)
{
    values[0] = v.x;
    values[1] = v.y;
    values[2] = v.z;
}

int snw_joint_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double values[6])
{
    snw_quat unit = snw__rotation_canonical(rotation);
    if (!snw_vec3_is_finite(slide)) slide = snw_vec3_make(0, 0, 0);
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        values[0] = placed_angle(&joint->limit, 0, snw__hinge_angle(joint, unit));
        break;
    case SNW_JOINT_UNIVERSAL: {
        double angles[2];
        snw__universal_angles(joint, unit, angles);
        values[0] = placed_angle(&joint->limit, 0, angles[0]);
        values[1] = placed_angle(&joint->limit, 1, angles[1]);
        break;
    }
    case SNW_JOINT_PRISMATIC:
        values[0] = snw_vec3_dot(slide, joint->axis);
        break;
    case SNW_JOINT_BALL:
        put_vector(values, snw_quat_log(unit));
        break;
    case SNW_JOINT_FREE:
        put_vector(values, slide);
        put_vector(values + 3, snw_quat_log(unit));
        break;
    case SNW_JOINT_FIXED:
    case SNW_JOINT_TYPE_COUNT:
        break;
    }
    return snw_joint_type_dof(joint->type);
}

static snw_vec3 vector_from(const double values[3])
{
    snw_vec3 v = {values[0], values[1], values[2]};
    return snw_vec3_is_finite(v) ? v : snw_vec3_make(0, 0, 0);
}

void snw_joint_from_values(const snw_joint *joint, const double values[6], snw_quat *rotation,
                           snw_vec3 *slide)
{
    *rotation = snw_quat_identity();
    *slide = snw_vec3_make(0, 0, 0);
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        *rotation = snw_quat_from_axis_angle(joint->axis, values[0]);
        break;
    case SNW_JOINT_UNIVERSAL:
        *rotation = snw__universal_rotation(joint, values);
        break;
    case SNW_JOINT_PRISMATIC:
        if (isfinite(values[0])) *slide = snw_vec3_scale(joint->axis, values[0]);
        break;
    case SNW_JOINT_BALL:
        *rotation = snw_quat_exp(vector_from(values));
        break;
    case SNW_JOINT_FREE:
        *slide = vector_from(values);
        *rotation = snw_quat_exp(vector_from(values + 3));
        break;
    case SNW_JOINT_FIXED:
    case SNW_JOINT_TYPE_COUNT:
        break;
    }
}

/* ---- does the joint make sense ----------------------------------------------------------------
 */

static snw_status check_axis(const char *what, snw_vec3 axis, snw_error *error)
{
    if (!snw_vec3_is_finite(axis))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is not finite", what);
    double length = snw_vec3_length(axis);
    if (length == 0) return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is zero", what);
    if (!(fabs(length - 1) <= JOINT_AXIS_ERROR))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s has length %g, not 1", what, length);
    return SNW_OK;
}

static snw_status check_axes(const snw_joint *joint, snw_error *error)
{
    bool has_axis = joint->type != SNW_JOINT_FIXED && joint->type != SNW_JOINT_FREE;
    bool has_frame = joint->type == SNW_JOINT_BALL && joint->limit.swing != SNW_SWING_FREE;
    bool is_universal = joint->type == SNW_JOINT_UNIVERSAL;
    snw_status status = has_axis ? check_axis("the axis", joint->axis, error) : SNW_OK;
    if (status == SNW_OK && (has_frame || is_universal))
        status = check_axis("the second axis", joint->axis2, error);
    if (status != SNW_OK) return status;
    if (is_universal &&
        snw_vec3_length(snw_vec3_cross(joint->axis, joint->axis2)) < JOINT_AXES_APART)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the two axes of the universal joint are parallel");
    if (has_frame && fabs(snw_vec3_dot(joint->axis, joint->axis2)) > JOINT_AXIS_ERROR)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the second axis of a ball joint with limits is not perpendicular to the "
                         "first");
    return SNW_OK;
}

static snw_status check_range(const char *what, const double range[2], double bound,
                              snw_error *error)
{
    if (!isfinite(range[0]) || !isfinite(range[1]))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is not finite", what);
    if (range[0] > range[1])
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is empty: low %g is above high %g", what,
                         range[0], range[1]);
    if (fabs(range[0]) > bound || fabs(range[1]) > bound)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s goes beyond %g", what, bound);
    return SNW_OK;
}

static snw_status check_cone(const double cone[4], snw_error *error)
{
    static const char *const towards[4] = {"+x", "+y", "-x", "-y"};
    for (int i = 0; i < 4; i++)
        if (!(cone[i] >= 0 && cone[i] <= SNW_PI))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the cone's angle towards %s is %g, not in [0, pi]", towards[i],
                             cone[i]);
    return SNW_OK;
}

static snw_status check_ball(const snw_joint_limit *limit, snw_error *error)
{
    snw_status status = SNW_OK;
    if (limit->has_twist)
        status = check_range("the range of the twist", limit->twist, JOINT_ANGLE_MAX, error);
    if (status != SNW_OK) return status;
    switch (limit->swing) {
    case SNW_SWING_FREE:
        return SNW_OK;
    case SNW_SWING_CONE:
        return check_cone(limit->cone, error);
    case SNW_SWING_POLYGON:
        return snw__window_check(limit, error);
    }
    return snw__fail(error, SNW_INVALID_ARGUMENT, "%d is no kind of swing limit",
                     (int)limit->swing);
}

static snw_status check_ranges(const snw_joint *joint, snw_error *error)
{
    static const char *const whats[2] = {"the range", "the second range"};
    int range_count = joint->type == SNW_JOINT_UNIVERSAL ? 2 : 1;
    double bound = joint->type == SNW_JOINT_PRISMATIC ? HUGE_VAL : JOINT_ANGLE_MAX;
    for (int i = 0; i < range_count; i++) {
        if (!joint->limit.has_range[i]) continue;
        snw_status status = check_range(whats[i], joint->limit.range[i], bound, error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

snw_status snw_joint_check(const snw_joint *joint, snw_error *error)
{
    if (!is_type(joint->type))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d is no type of joint", (int)joint->type);
    snw_status status = check_axes(joint, error);
    if (status == SNW_OK) {
        if (joint->type == SNW_JOINT_BALL)
            status = check_ball(&joint->limit, error);
        else if (joint->type != SNW_JOINT_FIXED && joint->type != SNW_JOINT_FREE)
            status = check_ranges(joint, error);
    }
    return status == SNW_OK ? snw__succeed(error) : status;
}
