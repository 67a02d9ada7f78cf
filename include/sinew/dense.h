/* sinew/dense.h - small dense matrices, sized at run time, without allocation.
 *
 * Matrices are row-major, a[row * columns + column]. The caller owns all memory; sizes of work
 * arrays are stated or come from a ..._work_size call.
 *
 *     double a[9] = {4, 1, 0, 1, 3, 1, 0, 1, 2}, values[3], vectors[9];
 *     snw_eigen_symmetric(a, 3, values, vectors);
 *
 * Every function returns SNW_INVALID_ARGUMENT for a negative size or an entry that is not finite,
 * and never leaves NaN or infinity in a result: a solve whose answer does not fit returns
 * SNW_SINGULAR and zeroes. Size 0 is fine and does nothing. Any thread, no state; meant for sizes
 * up to a few hundred.
 */
#ifndef SINEW_DENSE_H
#define SINEW_DENSE_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- symmetric eigenvalues ------------------------------------------------------------------ */

/* Cyclic Jacobi. a (n x n) is destroyed; only its lower triangle is read. values (n) descend; row i
 * of vectors (n x n) is the unit eigenvector of values[i]; vectors may be NULL. SNW_NOT_CONVERGED
 * after 60 sweeps, which no finite matrix has been seen to need (8 are common). */
SNW_API snw_status snw_eigen_symmetric(double *a, int n, double *values, double *vectors);

#ifdef __cplusplus
}
#endif
#endif
