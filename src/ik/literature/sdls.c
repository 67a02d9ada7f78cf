/* Selectively damped least squares (Buss & Kim 2005, "Selectively damped least squares for inverse
 * kinematics", section 4).
 *
 * For singular value i, with left vector u and right vector v, the joint motion v / s moves the
 * goals by N = sum over goals |u_goal|, while the joints taken one by one would move them by
 * M = 1/s sum over joints |v_j| sum over goals |J_goal,j|. If M is much more than N, the joints
 * mostly work against each other and the linear model holds for small turns only: no joint may turn
 * by more than gamma = min(1, N / M) gamma_max because of this singular value. No lambda to choose.
 */
#include "ik/core/descend.h"
#include "ik/literature/spectrum.h"
#include "math/kernel.h"

/* pi/4: the value of the paper. */
#define IK_SDLS_TURN (0.25 * SNW_PI)

/* Goals here are groups of up to three rows, as the paper's end effectors are. Returns the length
 * of `vector` over the rows of every group, summed; vector[k] lies `stride` apart. */
static double sum_of_lengths(const snw__ik_system *system, const double *vector, int stride)
{
    const snw_ik *ik = system->ik;
    double sum = 0;
    int row = 0;
    for (int g = 0; g < ik->goal_count + ik->skeleton->pin_count; g++) {
        snw__ik_rows rows = {3, 0};
        if (g < ik->goal_count) rows = snw__ik_goal_rows(ik, &ik->goal[g]);
        int size[2] = {rows.offset, rows.turn};
        for (int half = 0; half < 2; half++) {
            double length2 = 0;
            for (int k = 0; k < size[half]; k++, row++) {
                double entry = vector[snw__entries(row, stride)];
                length2 += entry * entry;
            }
            sum += sqrt(length2);
        }
    }
    return sum;
}

/* step += pull / s * right_i, with no joint above gamma. */
static void add_clamped(snw__ik_spectrum *spectrum, snw__ik_system *system, int i)
{
    const snw_svd *svd = &spectrum->svd;
    int n = system->column_count;
    const double *right = &svd->right[snw__entries(i, n)];
    double reach = sum_of_lengths(system, &svd->left[snw__entries(i, svd->rows)], 1);
    double effort = 0, largest = 0;
    for (int c = 0; c < n; c++) {
        effort += fabs(right[c]) * sum_of_lengths(system, &system->jacobian[c], n);
        largest = fmax(largest, fabs(right[c]));
    }
    effort /= svd->sigma[i];
    double gamma = effort > reach ? IK_SDLS_TURN * reach / effort : IK_SDLS_TURN;
    double amount = snw__ik_spectrum_pull(spectrum, system, i) / svd->sigma[i];
    if (fabs(amount) * largest > gamma) amount = copysign(gamma / largest, amount);
    snw__ik_spectrum_add(spectrum, system, i, amount);
}

static void selective_direction(snw__ik_system *system, void *context)
{
    snw__ik_spectrum *spectrum = context;
    if (!snw__ik_spectrum_find(spectrum, system)) return;
    int rank = snw_svd_rank(&spectrum->svd,
                            16 * snw_rank_threshold(system->row_count, system->column_count));
    for (int i = 0; i < rank; i++)
        add_clamped(spectrum, system, i);
    snw__ik_limit_turn(system, IK_SDLS_TURN);
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_descent descent = {SNW_IK_SDLS, selective_direction, state, false};
    return snw__ik_descend(ik, &descent, goals, pose);
}

const snw__ik_method snw__ik_sdls = {
    SNW_IK_SDLS, true, snw__ik_check_nothing, snw__ik_spectrum_layout, solve, false};
