/* Damped least squares: step = J^T (J J^T + lambda^2 I)^-1 r (Wampler 1986; Nakamura & Hanafusa
 * 1986). lambda is relative to the mean singular value of J, so damping means the same for every
 * body and unit. */
#include "ik/core/descend.h"

static void damped_direction(snw__ik_system *system, void *context)
{
    double lambda2 = *(double *)context;
    snw__ik_system_solve_damped(system, lambda2 * snw__ik_system_scale(system));
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    (void)state;
    double lambda2 = ik->options.damping * ik->options.damping;
    snw__ik_descent descent = {SNW_IK_DLS, damped_direction, &lambda2, false};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_dls = {SNW_IK_DLS, true, snw__ik_check_nothing, snw__ik_layout_nothing,
                                    solve,      false};
