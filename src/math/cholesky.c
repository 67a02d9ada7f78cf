/* Cholesky factors, column by column (Golub and Van Loan, Matrix Computations, section 4.2). Column
 * k of L is also kept as row k above the diagonal, where it lies in order in memory: the
 * elimination then adds multiples of one row to another, which the compiler turns into vector
 * instructions, and so does the solve. */
#include <sinew/dense.h>

#include "math/kernel.h"

snw_status snw__solve_outcome(double *x, size_t count, bool is_right_side_finite)
{
    if (is_right_side_finite && snw__all_finite(x, count)) return SNW_OK;
    for (size_t i = 0; i < count; i++)
        x[i] = 0;
    return is_right_side_finite ? SNW_SINGULAR : SNW_INVALID_ARGUMENT;
}

snw_status snw_cholesky_factor(double *a, int n)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    for (int i = 0; i < n; i++)
        if (!snw__all_finite(a + snw__entries(i, n), (size_t)i + 1)) return SNW_INVALID_ARGUMENT;
    for (int k = 0; k < n; k++) {
        double *l_k = a + snw__entries(k, n), pivot = l_k[k];
        /* What is left of the diagonal entry must exceed its own rounding; written so that an
         * overflow to NaN is caught as well. */
        double diagonal = pivot + snw__dot(l_k, l_k, k);
        if (!(pivot > DBL_EPSILON * diagonal)) return SNW_SINGULAR;
        double root = sqrt(pivot);
        l_k[k] = root;
        for (int i = k + 1; i < n; i++) {
            double *row = a + snw__entries(i, n);
            l_k[i] = row[k] /= root;
            snw__axpy(-row[k], l_k + k + 1, row + k + 1, i - k);
        }
    }
    return SNW_OK;
}

snw_status snw_cholesky_solve(const double *l, int n, double *x)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    bool is_finite = snw__all_finite(x, (size_t)n);
    for (int k = 0; k < n; k++) {
        const double *l_k = l + snw__entries(k, n);
        x[k] /= l_k[k];
        snw__axpy(-x[k], l_k + k + 1, x + k + 1, n - k - 1);
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = l + snw__entries(k, n);
        x[k] /= row[k];
        snw__axpy(-x[k], row, x, k);
    }
    return snw__solve_outcome(x, (size_t)n, is_finite);
}
