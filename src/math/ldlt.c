/* P A P^T = L D L^T of a symmetric indefinite matrix with Bunch-Kaufman pivoting (Bunch and
 * Kaufman, "Some stable methods for calculating inertia and solving symmetric linear systems",
 * Math. Comp. 31, 1977; Golub and Van Loan, section 4.4).
 *
 * Storage after factoring: D on the diagonal, its 2x2 blocks with the entry below the diagonal;
 * column k of L as row k above the diagonal, where it lies in order in memory for the elimination
 * and for both halves of a solve. Interchanges are applied to the part not yet factored only; the
 * solve replays them. pivots[k] = r: rows k and r changed places before a 1x1 step; pivots[k] =
 * pivots[k + 1] = -1 - r: rows k + 1 and r before a 2x2 step. */
#include <sinew/dense.h>

#include "math/kernel.h"

/* [derived] (1 + sqrt 17) / 8 balances the growth of one 2x2 step against two 1x1 steps. */
#define LDLT_ALPHA ((1 + 4.123105625617661) / 8)

typedef struct ldlt_pivot {
    int row;  /* row to bring to the end of the pivot block */
    int size; /* 1 or 2; 0 when the column is zero or lost to overflow */
} ldlt_pivot;

static ldlt_pivot choose_pivot(const double *a, int n, int k)
{
    double diagonal = fabs(a[snw__entry(k, n, k)]), column = 0;
    int r = k;
    for (int i = k + 1; i < n; i++) {
        double magnitude = fabs(a[snw__entry(i, n, k)]);
        if (magnitude > column) {
            column = magnitude;
            r = i;
        }
    }
    /* What overflowed on the way is NaN by now, and NaN is no pivot. */
    if ((diagonal == 0 && column == 0) || isnan(diagonal)) return (ldlt_pivot){k, 0};
    if (diagonal >= LDLT_ALPHA * column) return (ldlt_pivot){k, 1};
    /* Largest magnitude in row/column r of the unfactored symmetric part, without the diagonal. */
    double beside = 0;
    for (int j = k; j < n; j++) {
        if (j == r) continue;
        beside = fmax(beside, fabs(j < r ? a[snw__entry(r, n, j)] : a[snw__entry(j, n, r)]));
    }
    if (diagonal >= LDLT_ALPHA * column * (column / beside)) return (ldlt_pivot){k, 1};
    if (fabs(a[snw__entry(r, n, r)]) >= LDLT_ALPHA * beside) return (ldlt_pivot){r, 1};
    return (ldlt_pivot){r, 2};
}

snw_status snw_ldlt_factor(double *a, int n, int *pivots)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    for (int i = 0; i < n; i++)
        if (!snw__all_finite(a + snw__entries(i, n), (size_t)i + 1)) return SNW_INVALID_ARGUMENT;
    for (int k = 0; k < n;) {
        ldlt_pivot pivot = choose_pivot(a, n, k);
        if (pivot.size == 0) return SNW_SINGULAR;
        /* Rows and columns p < r of the unfactored part, which starts at column k, change places.
         */
        int p = k + pivot.size - 1;
        int r = pivot.row;
        if (p != r) {
            snw__swap(a + snw__entry(p, n, k), a + snw__entry(r, n, k), p - k);
            for (int j = p + 1; j < r; j++)
                snw__swap(a + snw__entry(j, n, p), a + snw__entry(r, n, j), 1);
            for (int i = r + 1; i < n; i++)
                snw__swap(a + snw__entry(i, n, p), a + snw__entry(i, n, r), 1);
            snw__swap(a + snw__entry(p, n, p), a + snw__entry(r, n, r), 1);
        }
        pivots[k] = pivot.size == 1 ? pivot.row : -1 - pivot.row;
        if (pivot.size == 2) {
            pivots[k + 1] = pivots[k]; /* a 2x2 step */
            double *l_k = a + snw__entries(k, n), *l_next = l_k + n;
            double off = l_next[k], d_next = l_next[k + 1] / off, d_k = l_k[k] / off;
            double determinant = d_k * d_next - 1; /* of the block divided by off^2; never near 0 */
            for (int i = k + 2; i < n; i++) {
                double *row = a + snw__entries(i, n), x = row[k], y = row[k + 1];
                l_k[i] = (d_next * x - y) / determinant / off;
                l_next[i] = (d_k * y - x) / determinant / off;
                snw__axpy(-x, l_k + k + 2, row + k + 2, i - k - 1);
                snw__axpy(-y, l_next + k + 2, row + k + 2, i - k - 1);
            }
        } else {
            double *l_k = a + snw__entries(k, n), diagonal = l_k[k];
            for (int i = k + 1; i < n; i++) {
                double *row = a + snw__entries(i, n), x = row[k];
                l_k[i] = x / diagonal;
                snw__axpy(-x, l_k + k + 1, row + k + 1, i - k);
            }
        }
        k += pivot.size;
    }
    return SNW_OK;
}

snw_status snw_ldlt_solve(const double *ldlt, int n, const int *pivots, double *x)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    bool is_finite = snw__all_finite(x, (size_t)n);
    /* x <- D^-1 L^-1 P x */
    for (int k = 0; k < n;) {
        const double *l_k = ldlt + snw__entries(k, n), *l_next = l_k + n;
        if (pivots[k] >= 0) {
            double kept = x[pivots[k]];
            x[pivots[k]] = x[k];
            snw__axpy(-kept, l_k + k + 1, x + k + 1, n - k - 1);
            x[k] = kept / l_k[k];
            k++;
            continue;
        }
        int r = -1 - pivots[k];
        double first = x[k], second = x[r];
        x[r] = x[k + 1];
        snw__axpy(-first, l_k + k + 2, x + k + 2, n - k - 2);
        snw__axpy(-second, l_next + k + 2, x + k + 2, n - k - 2);
        double off = l_next[k], d_next = l_next[k + 1] / off, d_k = l_k[k] / off;
        double determinant = d_k * d_next - 1;
        first /= off;
        second /= off;
        x[k] = (d_next * first - second) / determinant;
        x[k + 1] = (d_k * second - first) / determinant;
        k += 2;
    }
    /* x <- P^T L^-T x */
    for (int k = n - 1; k >= 0;) {
        const double *l_k = ldlt + snw__entries(k, n);
        x[k] -= snw__dot(l_k + k + 1, x + k + 1, n - k - 1);
        int r = pivots[k] >= 0 ? pivots[k] : -1 - pivots[k];
        if (pivots[k] < 0) x[k - 1] -= snw__dot(l_k - n + k + 1, x + k + 1, n - k - 1);
        double kept = x[k];
        x[k] = x[r];
        x[r] = kept;
        k -= pivots[k] < 0 ? 2 : 1;
    }
    return snw__solve_outcome(x, (size_t)n, is_finite);
}
