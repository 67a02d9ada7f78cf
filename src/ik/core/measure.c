/* What every goal still lacks in a pose. The one place that defines the residual of each goal kind;
 * the outcome of a solve and the linear systems of the Jacobian methods both come from here. */
#include "base/elementary.h"
#include "ik/core/method.h"

/* ---- pieces ------------------------------------------------------------------------------- */

static bool value_is_slide(const snw_ik *ik, const snw_goal *goal)
{
    snw_joint_type type = ik->joint[goal->joint].type;
    return type == SNW_JOINT_PRISMATIC || (type == SNW_JOINT_FREE && goal->coordinate < 3);
}

snw__ik_rows snw__ik_goal_rows(const snw_ik *ik, const snw_goal *goal)
{
    switch (goal->kind) {
    case SNW_GOAL_POSITION:
    case SNW_GOAL_LINE:
        return (snw__ik_rows){3, 0};
    case SNW_GOAL_ORIENTATION:
    case SNW_GOAL_AIM:
        return (snw__ik_rows){0, 3};
    case SNW_GOAL_POSE:
        return (snw__ik_rows){3, 3};
    case SNW_GOAL_POLE:
        return (snw__ik_rows){0, 1};
    case SNW_GOAL_PLANE:
    case SNW_GOAL_SIDE:
        return (snw__ik_rows){1, 0};
    case SNW_GOAL_VALUE:
        return value_is_slide(ik, goal) ? (snw__ik_rows){1, 0} : (snw__ik_rows){0, 1};
    case SNW_GOAL_REST:
    case SNW_GOAL_KIND_COUNT:
        break;
    }
    return (snw__ik_rows){0, 0};
}

/* log of the rotation that takes the joint's frame to the asked one. */
static snw_vec3 orientation_error(const snw_goal *goal, const snw_pose *pose)
{
    snw_quat now = pose->world[goal->joint].rotation;
    snw_quat target = snw_quat_normalize(goal->orientation);
    return snw_quat_log(snw_quat_mul(target, snw_quat_conjugate(now)));
}

/* Smallest rotation that takes the aiming direction to the target; none when the target is at the
 * eye, where no direction is wrong. */
static snw_vec3 aim_error(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw_vec3 sight = snw_quat_rotate(pose->world[goal->joint].rotation, goal->direction);
    snw_vec3 wanted = snw_vec3_sub(goal->position, snw_pose_point(pose, goal->joint, goal->point));
    if (!(snw_vec3_length(wanted) > 1e-12 * ik->size)) return snw_vec3_make(0, 0, 0);
    return snw_quat_log(snw_quat_between(sight, wanted));
}

/* The part of v perpendicular to the unit vector u. */
static snw_vec3 across(snw_vec3 v, snw_vec3 u)
{
    return snw_vec3_add_scaled(v, -snw_vec3_dot(v, u), u);
}

snw__ik_swivel snw__ik_measure_swivel(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw__ik_swivel swivel = {0};
    /* Nearer to the line than this a limb is straight: the swivel is round-off. */
    double smallest = 1e-9 * ik->size;
    swivel.origin = pose->world[goal->chain_root].translation;
    snw_vec3 line = snw_vec3_sub(pose->world[goal->chain_tip].translation, swivel.origin);
    swivel.length = snw_vec3_length(line);
    if (!(swivel.length > smallest)) return swivel;
    swivel.axis = snw_vec3_scale(line, 1.0 / swivel.length);
    swivel.elbow =
        across(snw_vec3_sub(pose->world[goal->joint].translation, swivel.origin), swivel.axis);
    swivel.pole = across(snw_vec3_sub(goal->position, swivel.origin), swivel.axis);
    swivel.is_defined =
        snw_vec3_length(swivel.elbow) > smallest && snw_vec3_length(swivel.pole) > smallest;
    if (swivel.is_defined)
        swivel.angle =
            snw__atan2(snw_vec3_dot(swivel.axis, snw_vec3_cross(swivel.elbow, swivel.pole)),
                       snw_vec3_dot(swivel.elbow, swivel.pole));
    return swivel;
}

/* Coordinate asked for minus the present one; the short way round where no range forbids it. */
static double value_error(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    const snw_joint *joint = &ik->joint[goal->joint];
    double values[6] = {0};
    (void)snw_joint_values(joint, pose->rotation[goal->joint], pose->slide[goal->joint], values);
    double error = goal->value - values[goal->coordinate];
    bool is_angle = joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_PIVOT ||
                    joint->type == SNW_JOINT_UNIVERSAL;
    if (is_angle && !joint->limit.has_range[goal->coordinate]) error = snw_wrap_angle(error);
    return error;
}

/* ---- one goal ----------------------------------------------------------------------------- */

/* From the goal's point to its position. */
static snw_vec3 way_left(const snw_goal *goal, const snw_pose *pose)
{
    return snw_vec3_sub(goal->position, snw_pose_point(pose, goal->joint, goal->point));
}

static snw_vec3 unit_direction(const snw_goal *goal)
{
    return snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
}

snw__ik_error snw__ik_goal_error(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    snw__ik_error error = {0};
    switch (goal->kind) {
    case SNW_GOAL_POSITION:
        error.offset = way_left(goal, pose);
        break;
    case SNW_GOAL_ORIENTATION:
        error.turn = orientation_error(goal, pose);
        break;
    case SNW_GOAL_POSE:
        error.offset = way_left(goal, pose);
        error.turn = orientation_error(goal, pose);
        break;
    case SNW_GOAL_AIM:
        error.turn = aim_error(ik, goal, pose);
        break;
    case SNW_GOAL_POLE:
        error.turn.x = snw__ik_measure_swivel(ik, goal, pose).angle;
        break;
    case SNW_GOAL_LINE:
        error.offset = across(way_left(goal, pose), unit_direction(goal));
        break;
    case SNW_GOAL_PLANE:
        error.offset.x = snw_vec3_dot(way_left(goal, pose), unit_direction(goal));
        break;
    case SNW_GOAL_SIDE: /* one-sided: nothing is lacking on the right side */
        error.offset.x = fmax(0, snw_vec3_dot(way_left(goal, pose), unit_direction(goal)));
        break;
    case SNW_GOAL_VALUE:
        if (value_is_slide(ik, goal))
            error.offset.x = value_error(ik, goal, pose);
        else
            error.turn.x = value_error(ik, goal, pose);
        break;
    case SNW_GOAL_REST:
    case SNW_GOAL_KIND_COUNT:
        break;
    }
    return error;
}

double snw__ik_error_excess(const snw_ik *ik, snw__ik_error error)
{
    return fmax(snw_vec3_length(error.offset) / (ik->options.tolerance * ik->size),
                snw_vec3_length(error.turn) / ik->options.turn_tolerance);
}

/* How far the joint (-1: the farthest) is from rest: radians. */
static double rest_distance(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose)
{
    int first = goal->joint < 0 ? 0 : goal->joint;
    int end = goal->joint < 0 ? ik->skeleton->joint_count : goal->joint + 1;
    double largest = 0; /* squared sine of half the angle */
    int farthest = first;
    for (int i = first; i < end; i++) {
        double sine2 = snw_vec3_length2(snw_quat_vector(pose->rotation[i]));
        if (!(sine2 > largest)) continue;
        largest = sine2;
        farthest = i;
    }
    return snw_quat_angle_between(pose->rotation[farthest], snw_quat_identity());
}

void snw__ik_measure_goal(const snw_ik *ik, const snw_goal *goal, const snw_pose *pose,
                          double *residual, double *turn_residual)
{
    snw__ik_error error = snw__ik_goal_error(ik, goal, pose);
    double offset = snw_vec3_length(error.offset);
    double turn = snw_vec3_length(error.turn);
    bool is_turn = snw__ik_goal_rows(ik, goal).offset == 0;
    *residual = is_turn ? turn : offset;
    *turn_residual = turn;
    if (goal->kind == SNW_GOAL_REST) *residual = rest_distance(ik, goal, pose);
}

/* ---- all goals ---------------------------------------------------------------------------- */

snw_vec3 snw__ik_pin_gap(const snw_pin *pin, const snw_pose *pose)
{
    snw_vec3 a = snw_pose_point(pose, pin->joint_a, pin->point_a);
    snw_vec3 b = pin->joint_b < 0 ? pin->point_b : snw_pose_point(pose, pin->joint_b, pin->point_b);
    return snw_vec3_sub(b, a);
}

double snw__ik_pin_excess(const snw_ik *ik, const snw_pose *pose)
{
    double worst = 0;
    for (int i = 0; i < ik->skeleton->pin_count; i++) {
        snw__ik_error error = {snw__ik_pin_gap(&ik->skeleton->pin[i], pose), {0, 0, 0}};
        worst = fmax(worst, snw__ik_error_excess(ik, error));
    }
    return worst;
}

double snw__ik_excess(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose)
{
    double worst = snw__ik_pin_excess(ik, pose);
    for (int i = 0; i < ik->goal_count; i++)
        worst = fmax(worst, snw__ik_error_excess(ik, snw__ik_goal_error(ik, &goals[i], pose)));
    return worst;
}
