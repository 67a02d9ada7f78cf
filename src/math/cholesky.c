/* Cholesky factors, row by row (Golub and Van Loan, Matrix Computations, section 4.2): every inner
 * loop is a dot product of two rows that lie in order in memory. */
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
        if (!snw__all_finite(a + (size_t)i * n, (size_t)i + 1)) return SNW_INVALID_ARGUMENT;
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * n;
        for (int j = 0; j < i; j++) {
            const double *above = a + (size_t)j * n;
            row[j] = (row[j] - snw__dot(row, above, j)) / above[j];
        }
        double pivot = row[i] - snw__dot(row, row, i);
        /* What is left of the diagonal entry must exceed its own rounding; written so that an
         * overflow to NaN is caught as well. */
        if (!(pivot > DBL_EPSILON * row[i])) return SNW_SINGULAR;
        row[i] = sqrt(pivot);
    }
    return SNW_OK;
}

snw_status snw_cholesky_solve(const double *l, int n, double *x)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    bool is_finite = snw__all_finite(x, (size_t)n);
    for (int i = 0; i < n; i++) {
        const double *row = l + (size_t)i * n;
        x[i] = (x[i] - snw__dot(row, x, i)) / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (size_t)i * n;
        x[i] /= row[i];
        snw__axpy(-x[i], row, x, i);
    }
    return snw__solve_outcome(x, (size_t)n, is_finite);
}
