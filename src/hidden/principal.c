/* Leading eigenvectors by subspace iteration (Rutishauser 1969): a body has hundreds of coordinates
 * and a posture some twenty components, so a full decomposition would be waste. */
#include "hidden/principal.h"

#include <math.h>
#include <string.h>

#include <sinew/base.h>
#include <sinew/dense.h>

#include "hidden/hidden_constants.h"
#include "math/kernel.h"

/* Gram and Schmidt, twice: once leaves 1e-8 where rows are nearly parallel. */
static void orthonormalise(double *rows, int count, int n)
{
    for (int r = 0; r < count; r++) {
        double *row = rows + (size_t)r * (size_t)n;
        for (int twice = 0; twice < 2; twice++)
            for (int q = 0; q < r; q++) {
                const double *other = rows + (size_t)q * (size_t)n;
                snw__axpy(-snw__dot(other, row, n), other, row, n);
            }
        double length = sqrt(snw__dot(row, row, n));
        for (int i = 0; i < n; i++)
            row[i] = length > 0 ? row[i] / length : 0;
    }
}

static void multiply(const double *a, int n, const double *rows, int count, double *out)
{
    for (int r = 0; r < count; r++)
        for (int i = 0; i < n; i++)
            out[(size_t)r * (size_t)n + (size_t)i] =
                snw__dot(a + (size_t)i * (size_t)n, rows + (size_t)r * (size_t)n, n);
}

/* The eigenvectors inside the subspace (Rayleigh and Ritz). */
static bool rotate_to_eigenvectors(const double *a, int n, int count, double *values,
                                   double *vectors, double *work)
{
    double small[SNW__COMPONENTS * SNW__COMPONENTS], turn[SNW__COMPONENTS * SNW__COMPONENTS];
    multiply(a, n, vectors, count, work);
    for (int r = 0; r < count; r++)
        for (int q = 0; q < count; q++)
            small[r * count + q] =
                snw__dot(vectors + (size_t)r * (size_t)n, work + (size_t)q * (size_t)n, n);
    if (snw_eigen_symmetric(small, count, values, turn) != SNW_OK) return false;
    memset(work, 0, (size_t)count * (size_t)n * sizeof *work);
    for (int r = 0; r < count; r++)
        for (int q = 0; q < count; q++)
            snw__axpy(turn[r * count + q], vectors + (size_t)q * (size_t)n,
                      work + (size_t)r * (size_t)n, n);
    memcpy(vectors, work, (size_t)count * (size_t)n * sizeof *work);
    return true;
}

bool snw__principal(const double *a, int n, int count, double *values, double *vectors,
                    double *work)
{
    snw_random random = snw_random_seed(20, 1);
    if (!snw__all_finite(a, (size_t)n * (size_t)n)) return false;
    for (int i = 0; i < count * n; i++)
        vectors[i] = snw_random_normal(&random);
    for (int round = 0; round < PRINCIPAL_ROUNDS; round++) {
        orthonormalise(vectors, count, n);
        multiply(a, n, vectors, count, work);
        memcpy(vectors, work, (size_t)count * (size_t)n * sizeof *work);
    }
    orthonormalise(vectors, count, n);
    return rotate_to_eigenvectors(a, n, count, values, vectors, work);
}

bool snw__invert(double *a, int n)
{
    double inverse[SNW__COMPONENTS * SNW__COMPONENTS];
    if (snw_cholesky_factor(a, n) != SNW_OK) return false;
    for (int i = 0; i < n; i++) {
        double *column = inverse + i * n;
        for (int j = 0; j < n; j++)
            column[j] = i == j;
        if (snw_cholesky_solve(a, n, column) != SNW_OK) return false;
    }
    memcpy(a, inverse, (size_t)n * (size_t)n * sizeof *a);
    return true;
}
