/* Gauss-Newton: the least-squares step of the linear model, with the singular values that are small
 * against the largest left out, and halved until the error falls. */
#include "ik/core/descend.h"
#include "ik/literature/spectrum.h"

static void truncated_direction(snw__ik_system *system, void *context)
{
    snw__ik_spectrum *spectrum = context;
    if (!snw__ik_spectrum_find(spectrum, system)) return;
    int rank = snw_svd_rank(&spectrum->svd, SNW__IK_DAMPING_FIRST);
    for (int i = 0; i < rank; i++)
        snw__ik_spectrum_add(spectrum, system, i,
                             snw__ik_spectrum_pull(spectrum, system, i) / spectrum->svd.sigma[i]);
    snw__ik_limit_turn(system, SNW_PI);
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_descent descent = {SNW_IK_GAUSS_NEWTON, truncated_direction, state, true};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_gauss_newton = {SNW_IK_GAUSS_NEWTON,     true,  snw__ik_check_nothing,
                                             snw__ik_spectrum_layout, solve, false};
