/* sinew/dense.h - small dense matrices, sized at run time, without allocation.
 *
 * Matrices are row-major, a[row * columns + column]. The caller owns all memory; sizes of work
 * arrays are stated or come from a ..._work_size call.
 *
 *     double a[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2}, x[3] = {1, 2, 3};
 *     if (snw_cholesky_factor(a, 3) == SNW_OK) snw_cholesky_solve(a, 3, x);
 *
 * Every function returns SNW_INVALID_ARGUMENT for a negative size, an entry that is not finite, or
 * eigenvalues and singular values beyond the range of double. No solve leaves NaN or infinity: one
 * whose answer does not fit returns SNW_SINGULAR and zeroes. Size 0 is fine and does nothing. Any
 * thread, no state; meant for sizes up to a few hundred.
 */
#ifndef SINEW_DENSE_H
#define SINEW_DENSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symmetric positive definite: A = L L^T ------------------------------------------------- */

/* Reads the lower triangle of a (n x n); overwrites it with L, and the upper one with L^T.
 * SNW_SINGULAR when a pivot falls to the round-off of its diagonal entry: not positive definite. */
SNW_API snw_status snw_cholesky_factor(double *a, int n);
/* x (n): right side in, solution out. */
SNW_API snw_status snw_cholesky_solve(const double *l, int n, double *x);

/* ---- symmetric indefinite: P A P^T = L D L^T ------------------------------------------------ */

/* Bunch-Kaufman partial pivoting, D with 1x1 and 2x2 blocks. Reads the lower triangle and
 * overwrites all of a (n x n); pivots (n) records the interchanges. SNW_SINGULAR when D has a block
 * that is exactly singular or overflows (the factors must then not be used to solve). */
SNW_API snw_status snw_ldlt_factor(double *a, int n, int *pivots);
SNW_API snw_status snw_ldlt_solve(const double *ldlt, int n, const int *pivots, double *x);

/* ---- Householder QR with column pivoting: A P = Q R ----------------------------------------- */

/* Points into the caller's arrays; valid as long as they are. */
typedef struct snw_qr {
    int rows, columns;
    const double *factors;  /* (rows x columns) R on and above the diagonal, reflectors below */
    const double *scales;   /* (min(rows, columns)) of the reflectors */
    const int *permutation; /* (columns) column j of A P is column permutation[j] of A */
} snw_qr;

/* Doubles needed as work by snw_qr_factor; they must stay in place while the snw_qr is used. */
SNW_API size_t snw_qr_work_size(int rows, int columns);
/* Overwrites a (rows x columns); permutation (columns). |R[j][j]| do not increase. */
SNW_API snw_status snw_qr_factor(snw_qr *qr, double *a, int rows, int columns, int *permutation,
                                 double *work);
/* Number of |R[j][j]| above relative_threshold times the largest. */
SNW_API int snw_qr_rank(const snw_qr *qr, double relative_threshold);
/* Least squares, any shape: the basic solution, which has at most rank nonzero entries (for the
 * shortest solution use snw_svd_solve). b (rows) is used as
 * workspace; x (columns). */
SNW_API snw_status snw_qr_solve(const snw_qr *qr, double relative_threshold, double *b, double *x);

/* ---- symmetric eigenvalues ------------------------------------------------------------------ */

/* Cyclic Jacobi. a (n x n) is destroyed; only its lower triangle is read. values (n) descend; row i
 * of vectors (n x n) is the unit eigenvector of values[i]; vectors may be NULL. SNW_NOT_CONVERGED
 * after 60 sweeps, which no finite matrix has been seen to need (8 are common, 13 the most seen).
 */
SNW_API snw_status snw_eigen_symmetric(double *a, int n, double *values, double *vectors);

/* ---- singular values: A = sum_i sigma[i] left_i right_i^T ------------------------------------ */

/* k = min(rows, columns). The caller sets the pointers; snw_svd_factor fills them and the sizes.
 * Vectors lie in rows so that using them walks through memory in order. */
typedef struct snw_svd {
    int rows, columns;
    double *sigma; /* (k) descending, >= 0 */
    double *left;  /* (k x rows) row i is the unit vector left_i */
    double *right; /* (k x columns) row i is the unit vector right_i */
} snw_svd;

/* One-sided Jacobi; needs no further workspace. Singular values are accurate relative to the
 * largest, and for a matrix with badly scaled columns (rows >= columns) or rows (rows < columns)
 * relative to themselves; those below 1e-140 of the largest come out as 0. Vectors of zero singular
 * values complete an orthonormal set. */
SNW_API snw_status snw_svd_factor(snw_svd *svd, const double *a, int rows, int columns);
/* Number of sigma above relative_threshold times the largest. */
SNW_API int snw_svd_rank(const snw_svd *svd, double relative_threshold);
/* Shortest least-squares solution x (columns) for b (rows), with singular values at or below
 * relative_threshold times the largest left out. */
SNW_API snw_status snw_svd_solve(const snw_svd *svd, double relative_threshold, const double *b,
                                 double *x);
/* inverse (columns x rows), with the same truncation. */
SNW_API snw_status snw_svd_pseudo_inverse(const snw_svd *svd, double relative_threshold,
                                          double *inverse);
/* The threshold below which a singular value is round-off: max(rows, columns) * 2^-52. */
SNW_API double snw_rank_threshold(int rows, int columns);

#ifdef __cplusplus
}
#endif
#endif
