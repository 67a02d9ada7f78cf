/* The singular value decomposition shared by svd-dls, sdls, pseudo-inverse and gauss-newton. */
#include "ik/literature/spectrum.h"

#include <string.h>

#include "math/kernel.h"

void *snw__ik_spectrum_layout(const snw_ik *ik, snw__block *block)
{
    /* Bounds that hold for every problem of this shape; the system itself may be narrower. */
    size_t columns = (size_t)ik->skeleton->dof_count + 6;
    size_t rows = 3 * (size_t)ik->skeleton->pin_count;
    for (int i = 0; i < ik->goal_count; i++) {
        snw__ik_rows own = snw__ik_goal_rows(ik, &ik->goal[i]);
        rows += (size_t)(own.offset + own.turn);
    }
    size_t small = rows < columns ? rows : columns;
    snw__ik_spectrum *spectrum = snw__block_take(block, 1, sizeof *spectrum);
    double *sigma = snw__block_take(block, small, sizeof(double));
    double *left = snw__block_take(block, snw__size_mul(small, rows), sizeof(double));
    double *right = snw__block_take(block, snw__size_mul(small, columns), sizeof(double));
    double *part = snw__block_take(block, rows, sizeof(double));
    if (!spectrum) return NULL;
    spectrum->svd.sigma = sigma;
    spectrum->svd.left = left;
    spectrum->svd.right = right;
    spectrum->part = part;
    return spectrum;
}

bool snw__ik_spectrum_find(snw__ik_spectrum *spectrum, snw__ik_system *system)
{
    memset(system->step, 0, (size_t)system->column_count * sizeof *system->step);
    return snw_svd_factor(&spectrum->svd, system->jacobian, system->row_count,
                          system->column_count) == SNW_OK;
}

int snw__ik_spectrum_count(const snw__ik_spectrum *spectrum)
{
    const snw_svd *svd = &spectrum->svd;
    return svd->rows < svd->columns ? svd->rows : svd->columns;
}

double snw__ik_spectrum_pull(const snw__ik_spectrum *spectrum, const snw__ik_system *system, int i)
{
    int rows = spectrum->svd.rows;
    double pull = 0;
    for (int k = 0; k < rows; k++)
        pull += spectrum->svd.left[snw__entry(i, rows, k)] * system->residual[k];
    return pull;
}

void snw__ik_spectrum_add(const snw__ik_spectrum *spectrum, snw__ik_system *system, int i,
                          double amount)
{
    int columns = spectrum->svd.columns;
    for (int c = 0; c < columns; c++)
        system->step[c] += amount * spectrum->svd.right[snw__entry(i, columns, c)];
}
