/* Damped least squares through the singular values: each direction is scaled by
 * s / (s^2 + lambda^2). In exact arithmetic this is dls itself; it costs more and shows which
 * directions are damped. */
#include "ik/core/descend.h"
#include "ik/literature/spectrum.h"

static void filtered_direction(snw__ik_system *system, void *context)
{
    snw__ik_spectrum *spectrum = context;
    if (!snw__ik_spectrum_find(spectrum, system)) return;
    double damping = spectrum->option;
    double lambda2 = damping * damping * snw__ik_system_scale(system);
    for (int i = 0; i < snw__ik_spectrum_count(spectrum); i++) {
        double s = spectrum->svd.sigma[i];
        if (!(s > 0)) continue;
        double factor = s / (s * s + lambda2);
        snw__ik_spectrum_add(spectrum, system, i,
                             factor * snw__ik_spectrum_pull(spectrum, system, i));
    }
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_spectrum *spectrum = state;
    spectrum->option = ik->options.damping;
    snw__ik_descent descent = {SNW_IK_SVD_DLS, filtered_direction, spectrum, false};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_svd_dls = {SNW_IK_SVD_DLS,          true,  snw__ik_check_nothing,
                                        snw__ik_spectrum_layout, solve, false};
