/* Jacobian transpose: steepest descent with the exact step length of the linear model. */
#include "ik/core/descend.h"

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    (void)state;
    snw__ik_descent descent = {SNW_IK_JACOBIAN_TRANSPOSE, snw__ik_steepest, NULL, false};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_jacobian_transpose = {
    SNW_IK_JACOBIAN_TRANSPOSE, true, snw__ik_check_nothing, snw__ik_layout_nothing, solve, false};
