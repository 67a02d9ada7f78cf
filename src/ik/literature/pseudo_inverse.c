/* Moore-Penrose inverse of the Jacobian, undamped (Whitney 1969): the shortest step that solves the
 * linear model. Only round-off is cut away, so it leaps near singular poses; that is the method,
 * and why the others exist. A joint never turns by more than a quarter in one step. */
#include "ik/core/descend.h"
#include "ik/literature/spectrum.h"

static void inverse_direction(snw__ik_system *system, void *context)
{
    snw__ik_spectrum *spectrum = context;
    if (!snw__ik_spectrum_find(spectrum, system)) return;
    double threshold = 16 * snw_rank_threshold(system->row_count, system->column_count);
    int rank = snw_svd_rank(&spectrum->svd, threshold);
    for (int i = 0; i < rank; i++)
        snw__ik_spectrum_add(spectrum, system, i,
                             snw__ik_spectrum_pull(spectrum, system, i) / spectrum->svd.sigma[i]);
    snw__ik_limit_turn(system, 0.5 * SNW_PI);
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_descent descent = {SNW_IK_PSEUDO_INVERSE, inverse_direction, state, false};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_pseudo_inverse = {
    SNW_IK_PSEUDO_INVERSE, true, snw__ik_check_nothing, snw__ik_spectrum_layout, solve, false};
