/* What all goals and pins still lack in a pose; what one goal lacks is its kind's (goal_kinds.c).
 */
#include "ik/core/goal_kinds.h"

/* ---- one goal ----------------------------------------------------------------------------- */

double snw__ik_error_excess(const snw_ik *ik, snw__ik_error error)
{
    return fmax(snw_vec3_length(error.offset) / (ik->options.tolerance * ik->size),
                snw_vec3_length(error.turn) / ik->options.turn_tolerance);
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
    if (snw__goal_is_secondary(goal)) {
        /* How far the joint (-1: the farthest) is from rest: radians. */
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
        *residual = snw_quat_angle_between(pose->rotation[farthest], snw_quat_identity());
    }
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
