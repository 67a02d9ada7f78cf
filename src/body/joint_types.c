/* The types of joints, a row each: names, degrees of freedom, coordinates, what limits do to a
 * rotation, how it steps, and whether a joint makes sense. A new type is its functions and its row
 * here (the geometry of larger limits in a file limit_*.c), and its name in snw_joint_type. */
#include "body/joint_types.h"

#include "base/elementary.h"
#include "base/fail.h"
#include "body/body_constants.h"
#include "body/limit.h"

/* ---- what several types share --------------------------------------------------------------- */

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

static snw_vec3 vector_from(const double values[3])
{
    snw_vec3 v = {values[0], values[1], values[2]};
    return snw_vec3_is_finite(v) ? v : snw_vec3_make(0, 0, 0);
}

/* rotation * exp(w), unit again. */
static snw_quat turned(snw_quat rotation, snw_vec3 w)
{
    return snw_quat_normalize(snw_quat_mul(rotation, snw_quat_exp(w)));
}

/* The frame before the joint's own motion: world_from_parent * rest. */
static snw_quat frame_before(snw_quat after, snw_quat rotation)
{
    return snw_quat_mul(after, snw_quat_conjugate(rotation));
}

static void set_axes(snw_vec3 axis[3], snw_quat world_from_frame)
{
    axis[0] = snw_quat_rotate(world_from_frame, snw_vec3_make(1, 0, 0));
    axis[1] = snw_quat_rotate(world_from_frame, snw_vec3_make(0, 1, 0));
    axis[2] = snw_quat_rotate(world_from_frame, snw_vec3_make(0, 0, 1));
}

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

/* The ranges of the coordinates, each within `bound`. */
static snw_status check_ranges(const snw_joint *joint, double bound, snw_error *error)
{
    static const char *const whats[2] = {"the range", "the second range"};
    for (int i = 0; i < snw__joint_row_of(joint)->range_count; i++) {
        if (!joint->limit.has_range[i]) continue;
        snw_status status = check_range(whats[i], joint->limit.range[i], bound, error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

static bool no_turn(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    (void)joint;
    *nearest = snw_quat_identity();
    return snw_quat_angle_between(rotation, *nearest) <= SNW_LIMIT_TOLERANCE;
}

/* ---- fixed ---------------------------------------------------------------------------------- */

static snw_status check_fixed(const snw_joint *joint, snw_error *error)
{
    (void)joint;
    (void)error;
    return SNW_OK;
}

static void fixed_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double *values)
{
    (void)joint;
    (void)rotation;
    (void)slide;
    (void)values;
}

static void fixed_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                              snw_vec3 *slide)
{
    (void)joint;
    (void)values;
    (void)rotation;
    (void)slide;
}

static void fixed_axes(const snw_joint *joint, snw_quat after, snw_quat rotation, snw_vec3 *axis)
{
    (void)joint;
    (void)rotation;
    (void)after;
    (void)axis;
}

/* ---- hinge, pivot --------------------------------------------------------------------------- */

static snw_status check_hinge(const snw_joint *joint, snw_error *error)
{
    snw_status status = check_axis("the axis", joint->axis, error);
    return status == SNW_OK ? check_ranges(joint, JOINT_ANGLE_MAX, error) : status;
}

static void hinge_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double *values)
{
    (void)slide;
    values[0] = placed_angle(&joint->limit, 0, snw__hinge_angle(joint, rotation));
}

static void hinge_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                              snw_vec3 *slide)
{
    (void)slide;
    *rotation = snw_quat_from_axis_angle(joint->axis, values[0]);
}

static void hinge_axes(const snw_joint *joint, snw_quat after, snw_quat rotation, snw_vec3 *axis)
{
    (void)rotation;
    axis[0] = snw_quat_rotate(after, joint->axis);
}

static void hinge_step(const snw_joint *joint, const double *step, snw_quat *rotation,
                       snw_vec3 *slide)
{
    (void)slide;
    *rotation = turned(*rotation, snw_vec3_scale(joint->axis, step[0]));
}

/* ---- universal: R(axis, v0) R(axis2, v1) ---------------------------------------------------- */

static snw_status check_universal(const snw_joint *joint, snw_error *error)
{
    snw_status status = check_axis("the axis", joint->axis, error);
    if (status == SNW_OK) status = check_axis("the second axis", joint->axis2, error);
    if (status != SNW_OK) return status;
    if (snw_vec3_length(snw_vec3_cross(joint->axis, joint->axis2)) < JOINT_AXES_APART)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the two axes of the universal joint are parallel");
    return check_ranges(joint, JOINT_ANGLE_MAX, error);
}

static void universal_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide,
                             double *values)
{
    double angles[2];
    (void)slide;
    snw__universal_angles(joint, rotation, angles);
    for (int k = 0; k < 2; k++)
        values[k] = placed_angle(&joint->limit, k, angles[k]);
}

static void universal_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                                  snw_vec3 *slide)
{
    (void)slide;
    *rotation = snw__universal_rotation(joint, values);
}

/* The first axis stays with the parent, the second moves. */
static void universal_axes(const snw_joint *joint, snw_quat after, snw_quat rotation,
                           snw_vec3 *axis)
{
    axis[0] = snw_quat_rotate(frame_before(after, rotation), joint->axis);
    axis[1] = snw_quat_rotate(after, joint->axis2);
}

static void universal_step(const snw_joint *joint, const double *step, snw_quat *rotation,
                           snw_vec3 *slide)
{
    (void)slide;
    *rotation = snw_quat_mul(snw_quat_exp(snw_vec3_scale(joint->axis, step[0])),
                             turned(*rotation, snw_vec3_scale(joint->axis2, step[1])));
    *rotation = snw_quat_normalize(*rotation);
}

/* ---- ball ----------------------------------------------------------------------------------- */

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

static snw_status check_swing(const snw_joint_limit *limit, snw_error *error)
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

static snw_status check_ball(const snw_joint *joint, snw_error *error)
{
    bool has_frame = joint->limit.swing != SNW_SWING_FREE;
    snw_status status = check_axis("the axis", joint->axis, error);
    if (status == SNW_OK && has_frame) status = check_axis("the second axis", joint->axis2, error);
    if (status != SNW_OK) return status;
    if (has_frame && fabs(snw_vec3_dot(joint->axis, joint->axis2)) > JOINT_AXIS_ERROR)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the second axis of a ball joint with limits is not perpendicular to the "
                         "first");
    return check_swing(&joint->limit, error);
}

static void ball_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double *values)
{
    (void)joint;
    (void)slide;
    put_vector(values, snw_quat_log(rotation));
}

static void ball_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                             snw_vec3 *slide)
{
    (void)joint;
    (void)slide;
    *rotation = snw_quat_exp(vector_from(values));
}

static void ball_axes(const snw_joint *joint, snw_quat after, snw_quat rotation, snw_vec3 *axis)
{
    (void)joint;
    (void)rotation;
    set_axes(axis, after);
}

static void ball_step(const snw_joint *joint, const double *step, snw_quat *rotation,
                      snw_vec3 *slide)
{
    (void)joint;
    (void)slide;
    *rotation = turned(*rotation, snw_vec3_make(step[0], step[1], step[2]));
}

/* ---- prismatic ------------------------------------------------------------------------------ */

static snw_status check_prismatic(const snw_joint *joint, snw_error *error)
{
    snw_status status = check_axis("the axis", joint->axis, error);
    return status == SNW_OK ? check_ranges(joint, HUGE_VAL, error) : status;
}

static void prismatic_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide,
                             double *values)
{
    (void)rotation;
    values[0] = snw_vec3_dot(slide, joint->axis);
}

static void prismatic_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                                  snw_vec3 *slide)
{
    (void)rotation;
    if (isfinite(values[0])) *slide = snw_vec3_scale(joint->axis, values[0]);
}

static snw_vec3 prismatic_slide(const snw_joint *joint, snw_vec3 slide)
{
    double along = snw_vec3_dot(slide, joint->axis);
    if (!isfinite(along)) along = 0;
    double allowed = along;
    if (joint->limit.has_range[0])
        allowed = snw_clamp(along, joint->limit.range[0][0], joint->limit.range[0][1]);
    snw_vec3 nearest = snw_vec3_scale(joint->axis, allowed);
    /* Round-off grows with the slide; a body of a micrometre is held as well as one of a metre. */
    double tolerance = SNW_LIMIT_TOLERANCE * fabs(allowed);
    return snw_vec3_distance(slide, nearest) <= tolerance ? slide : nearest;
}

static void prismatic_axes(const snw_joint *joint, snw_quat after, snw_quat rotation,
                           snw_vec3 *axis)
{
    axis[0] = snw_quat_rotate(frame_before(after, rotation), joint->axis);
}

static void prismatic_step(const snw_joint *joint, const double *step, snw_quat *rotation,
                           snw_vec3 *slide)
{
    (void)rotation;
    *slide = snw_vec3_add_scaled(*slide, step[0], joint->axis);
}

/* ---- free: a slide, then a ball ------------------------------------------------------------- */

static void free_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double *values)
{
    put_vector(values, slide);
    ball_values(joint, rotation, slide, values + 3);
}

static void free_from_values(const snw_joint *joint, const double *values, snw_quat *rotation,
                             snw_vec3 *slide)
{
    *slide = vector_from(values);
    ball_from_values(joint, values + 3, rotation, slide);
}

static bool free_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    (void)joint;
    (void)rotation;
    (void)nearest;
    return true;
}

static snw_vec3 free_slide(const snw_joint *joint, snw_vec3 slide)
{
    (void)joint;
    return slide;
}

static void free_axes(const snw_joint *joint, snw_quat after, snw_quat rotation, snw_vec3 *axis)
{
    (void)joint;
    set_axes(axis, frame_before(after, rotation));
    set_axes(axis + 3, after);
}

static void free_step(const snw_joint *joint, const double *step, snw_quat *rotation,
                      snw_vec3 *slide)
{
    *slide = snw_vec3_add(*slide, snw_vec3_make(step[0], step[1], step[2]));
    ball_step(joint, step + 3, rotation, slide);
}

/* ---- the rows ------------------------------------------------------------------------------- */

const snw__joint_row snw__joint_rows[SNW_JOINT_TYPE_COUNT] = {
    [SNW_JOINT_FIXED] = {"fixed", 0, 0, false, false, 0, check_fixed, fixed_values,
                         fixed_from_values, no_turn, NULL, fixed_axes, fixed_from_values},
    [SNW_JOINT_HINGE] = {"hinge", 1, 0, false, false, 1, check_hinge, hinge_values,
                         hinge_from_values, snw__hinge_limit, NULL, hinge_axes, hinge_step},
    [SNW_JOINT_UNIVERSAL] = {"universal", 2, 0, false, true, 2, check_universal, universal_values,
                             universal_from_values, snw__universal_limit, NULL, universal_axes,
                             universal_step},
    [SNW_JOINT_PIVOT] = {"pivot", 1, 0, false, false, 1, check_hinge, hinge_values,
                         hinge_from_values, snw__hinge_limit, NULL, hinge_axes, hinge_step},
    [SNW_JOINT_BALL] = {"ball", 3, 0, true, false, 0, check_ball, ball_values, ball_from_values,
                        snw__ball_limit, NULL, ball_axes, ball_step},
    [SNW_JOINT_PRISMATIC] = {"prismatic", 1, 1, false, false, 1, check_prismatic, prismatic_values,
                             prismatic_from_values, no_turn, prismatic_slide, prismatic_axes,
                             prismatic_step},
    [SNW_JOINT_FREE] = {"free", 6, 3, true, false, 0, check_fixed, free_values, free_from_values,
                        free_limit, free_slide, free_axes, free_step}};

/* ---- asked from outside --------------------------------------------------------------------- */

static bool is_type(snw_joint_type type)
{
    return (unsigned)type < SNW_JOINT_TYPE_COUNT;
}

int snw_joint_type_dof(snw_joint_type type)
{
    return is_type(type) ? snw__joint_rows[type].dof : 0;
}

const char *snw_joint_type_name(snw_joint_type type)
{
    return is_type(type) ? snw__joint_rows[type].name : "unknown";
}

int snw_joint_values(const snw_joint *joint, snw_quat rotation, snw_vec3 slide, double values[6])
{
    const snw__joint_row *row = snw__joint_row_of(joint);
    if (!snw_vec3_is_finite(slide)) slide = snw_vec3_make(0, 0, 0);
    row->values(joint, snw__rotation_canonical(rotation), slide, values);
    return row->dof;
}

void snw_joint_from_values(const snw_joint *joint, const double values[6], snw_quat *rotation,
                           snw_vec3 *slide)
{
    *rotation = snw_quat_identity();
    *slide = snw_vec3_make(0, 0, 0);
    snw__joint_row_of(joint)->from_values(joint, values, rotation, slide);
}

snw_status snw_joint_check(const snw_joint *joint, snw_error *error)
{
    if (!is_type(joint->type))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d is no type of joint", (int)joint->type);
    snw_status status = snw__joint_row_of(joint)->check(joint, error);
    return status == SNW_OK ? snw__succeed(error) : status;
}
