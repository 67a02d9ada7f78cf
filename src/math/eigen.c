/* Eigenvalues and eigenvectors of symmetric matrices by cyclic Jacobi rotations.
 *
 * Jacobi is chosen over tridiagonal QR because it is short, finds small eigenvalues of graded
 * positive definite matrices to high relative accuracy (Demmel and Veselic, "Jacobi's method is
 * more accurate than QR", SIAM J. Matrix Anal. 13, 1992), and is fastest at the sizes 3 and 4 that
 * occur most. Rotation formulas: Golub and Van Loan, Matrix Computations, section 8.5. */
#include <sinew/dense.h>

#include "math/kernel.h"
#include "math/tolerance.h"

/* [derived] Off-diagonal entries below this fraction of the largest entry count as zero even where
 * the diagonal entries beside them vanish; far below any eigenvalue a caller could tell from zero.
 */
#define EIGEN_TINY 1e-290

#if defined(__GNUC__)
#define EIGEN_INLINE static inline __attribute__((always_inline))
#else
#define EIGEN_INLINE static inline
#endif

/* One rotation that annihilates a[p][q]; both triangles of `a` are kept equal. */
EIGEN_INLINE void annihilate(double *a, int n, int p, int q, double *vectors)
{
    double a_pq = a[p * n + q], a_pp = a[p * n + p], a_qq = a[q * n + q];
    double theta = (a_qq - a_pp) / (2 * a_pq);
    /* For |theta| > 1e8 theta^2 + 1 is theta^2 to round-off; also avoids its overflow. */
    double t = fabs(theta) > 1e8 ? 0.5 / theta
                                 : copysign(1 / (fabs(theta) + sqrt(theta * theta + 1)), theta);
    double c = 1 / sqrt(t * t + 1), s = t * c;
    if (n > 4) snw__rotate(a + p * n, a + q * n, n, c, s); /* rows are worth a vector loop */
    for (int k = 0; k < n; k++) {
        if (k == p || k == q) continue;
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = a[k * n + p] = n > 4 ? x : c * x - s * y;
        a[q * n + k] = a[k * n + q] = n > 4 ? y : s * x + c * y;
    }
    a[p * n + p] = a_pp - t * a_pq;
    a[q * n + q] = a_qq + t * a_pq;
    a[p * n + q] = a[q * n + p] = 0;
    if (vectors) snw__rotate(vectors + p * n, vectors + q * n, n, c, s);
}

/* False: a[p][q] is zero already, to round-off. */
EIGEN_INLINE bool visit(double *a, int n, int p, int q, double *vectors, double tiny)
{
    double off = fabs(a[p * n + q]);
    double bound = sqrt(fabs(a[p * n + p])) * sqrt(fabs(a[q * n + q]));
    if (off <= 0.5 * DBL_EPSILON * bound || off <= tiny) return false;
    annihilate(a, n, p, q, vectors);
    return true;
}

/* One sweep, row by row; false: nothing was left to do. With constants for n, p and q a visit is
 * straight code: 3 and 4, which occur most, take half the instructions. */
EIGEN_INLINE bool sweep_few(double *a, int n, double *vectors, double tiny)
{
    bool is_moved = visit(a, n, 0, 1, vectors, tiny);
    is_moved |= visit(a, n, 0, 2, vectors, tiny);
    if (n == 4) is_moved |= visit(a, n, 0, 3, vectors, tiny);
    is_moved |= visit(a, n, 1, 2, vectors, tiny);
    if (n == 4) is_moved |= visit(a, n, 1, 3, vectors, tiny);
    if (n == 4) is_moved |= visit(a, n, 2, 3, vectors, tiny);
    return is_moved;
}

static bool sweep_any(double *a, int n, double *vectors, double tiny)
{
    bool is_moved = false;
    for (int p = 0; p < n - 1; p++)
        for (int q = p + 1; q < n; q++)
            is_moved |= visit(a, n, p, q, vectors, tiny);
    return is_moved;
}

snw_status snw_eigen_symmetric(double *a, int n, double *values, double *vectors)
{
    if (n < 0) return SNW_INVALID_ARGUMENT;
    double largest = 0;
    for (int i = 0; i < n; i++) { /* lower triangle to upper */
        double row = snw__max_abs(a + snw__entries(i, n), (size_t)i + 1);
        if (!isfinite(row)) return SNW_INVALID_ARGUMENT;
        largest = row > largest ? row : largest;
        for (int j = 0; j < i; j++)
            a[snw__entry(j, n, i)] = a[snw__entry(i, n, j)];
    }
    int exponent = snw__scale_exponent(largest);
    snw__scale_by_power(a, snw__entries(n, n), -exponent);
    if (vectors)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                vectors[snw__entry(i, n, j)] = i == j;
    /* Exchanges rows and columns until the diagonal magnitudes descend. A matrix graded the other
     * way would take a sweep per row instead of a handful (80 rows over 300 decades: 59 sweeps
     * against 2). */
    for (int i = 0; i < n - 1; i++) {
        int most = i;
        for (int k = i + 1; k < n; k++)
            if (fabs(a[snw__entry(k, n, k)]) > fabs(a[snw__entry(most, n, most)])) most = k;
        if (most == i) continue;
        snw__swap(a + snw__entries(i, n), a + snw__entries(most, n), n);
        for (int k = 0; k < n; k++)
            snw__swap(a + snw__entry(k, n, i), a + snw__entry(k, n, most), 1);
        if (vectors) snw__swap(vectors + snw__entries(i, n), vectors + snw__entries(most, n), n);
    }
    double tiny = EIGEN_TINY * ldexp(largest, -exponent);
    bool is_done = false;
    for (int sweep = 0; sweep < SNW__ROUNDS_MAX && !is_done; sweep++)
        is_done = !(n == 3   ? sweep_few(a, 3, vectors, tiny)
                    : n == 4 ? sweep_few(a, 4, vectors, tiny)
                             : sweep_any(a, n, vectors, tiny));
    for (int i = 0; i < n; i++)
        values[i] = ldexp(a[snw__entry(i, n, i)], exponent);
    if (!snw__all_finite(values, (size_t)n)) return SNW_INVALID_ARGUMENT;
    for (int i = 0; i < n - 1; i++) {
        int first = i;
        for (int k = i + 1; k < n; k++)
            if (values[k] > values[first]) first = k;
        if (first == i) continue;
        snw__swap(values + i, values + first, 1);
        if (vectors) snw__swap(vectors + snw__entries(i, n), vectors + snw__entries(first, n), n);
    }
    return is_done ? SNW_OK : SNW_NOT_CONVERGED;
}
