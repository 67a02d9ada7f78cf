/* Least squares with a penalty on jerk; see the header. */
#include "track/jerk_fit.h"

void snw__jerk_fit_lay_out(snw__jerk_fit *fit, snw__block *block)
{
    size_t count = (size_t)fit->count;
    fit->weight = snw__block_take(block, count, sizeof(double));
    for (int k = 0; k < 4; k++) /* band[0] the diagonal, the others beside it; then D and L */
        fit->band[k] = snw__block_take(block, count + 3, sizeof(double));
}

/* W + lambda D^T D, D the third differences. */
static void fill_band(snw__jerk_fit *fit, double lambda)
{
    static const double difference[4] = {-1, 3, -3, 1};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < fit->count + 3; i++)
            fit->band[k][i] = k == 0 ? (i < fit->count ? fit->weight[i] : 1) : 0;
    for (int row = 0; row + 3 < fit->count; row++)
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++)
                fit->band[b - a][row + a] += lambda * difference[a] * difference[b];
}

/* L D L^T in place: band[0] becomes D, band[k][i] the entry of L in row i + k, column i. */
void snw__jerk_fit_factor(snw__jerk_fit *fit, double lambda)
{
    double **a = fit->band;
    fill_band(fit, lambda);
    for (int i = 0; i < fit->count; i++) {
        double raw[4] = {a[0][i], a[1][i], a[2][i], a[3][i]};
        for (int k = 1; k < 4; k++) {
            a[k][i] = raw[k] / raw[0];
            for (int j = k; j < 4; j++)
                a[j - k][i + k] -= a[k][i] * raw[j];
        }
    }
}

/* The trace needs the diagonal of the inverse, from the last row to the first in O(n) (Hutchinson &
 * de Hoog 1985, "Smoothing noisy data with spline functions"): with z the inverse's entries beside
 * the diagonal, z_ij = [i = j] / d_i - sum of l_(i+k),i z_(i+k),j. */
double snw__jerk_fit_left(const snw__jerk_fit *fit)
{
    double z[4][4] = {{0}}, sum = 0; /* rows and columns i .. i + 3 of the inverse */
    for (int i = fit->count - 1; i >= 0; i--) {
        for (int r = 3; r > 0; r--)
            for (int c = 3; c > 0; c--)
                z[r][c] = z[r - 1][c - 1];
        for (int c = 3; c >= 0; c--) {
            double entry = c == 0 ? 1 / fit->band[0][i] : 0;
            for (int k = 1; k < 4; k++)
                entry -= fit->band[k][i] * (c == 0 ? z[0][k] : z[k][c]);
            z[0][c] = z[c][0] = entry;
        }
        sum += fit->weight[i] * z[0][0];
    }
    return fit->count - sum;
}

void snw__jerk_fit_solve(const snw__jerk_fit *fit, const double *y, double *x)
{
    double *const *a = fit->band;
    int n = fit->count;
    for (int i = 0; i < n; i++) {
        x[i] = fit->weight[i] * y[i];
        for (int k = 1; k < 4 && k <= i; k++)
            x[i] -= a[k][i - k] * x[i - k];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= a[0][i];
        for (int k = 1; k < 4 && i + k < n; k++)
            x[i] -= a[k][i] * x[i + k];
    }
}
