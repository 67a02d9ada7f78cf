/* As much of LAPACK as the tests use as an oracle, for machines that have none: scripts/portable
 * puts this folder first on the include path. Textbook algorithms, none of them the library's:
 * singular values by one-sided Jacobi rotations (Hestenes, 1958), eigenvalues by two-sided ones
 * (Golub and Van Loan, Matrix Computations, 8.5), QR by Householder with columns pivoted (Businger
 * and Golub, 1965). Row-major, lower triangles and one right side, as the tests call them. */
#ifndef SNW_TESTS_PORTABLE_LAPACKE_H
#define SNW_TESTS_PORTABLE_LAPACKE_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAPACK_ROW_MAJOR 101
typedef int lapack_int;

static inline double *portable_room(int count)
{
    double *room = (double *)calloc((size_t)(count > 0 ? count : 1), sizeof *room);
    if (!room) abort();
    return room;
}

/* ---- triangles ------------------------------------------------------------------------------ */

static inline int LAPACKE_dpotrf(int layout, char part, int n, double *a, int stride)
{
    (void)layout, (void)part;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = a[i * stride + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * stride + k] * a[j * stride + k];
            if (i == j && !(sum > 0)) return j + 1;
            a[i * stride + j] = i == j ? sqrt(sum) : sum / a[j * stride + j];
        }
    return 0;
}

static inline int LAPACKE_dposv(int layout, char part, int n, int sides, double *a, int stride,
                                double *b, int b_stride)
{
    int bad = LAPACKE_dpotrf(layout, part, n, a, stride);
    (void)sides, (void)b_stride;
    if (bad) return bad;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= a[i * stride + k] * b[k];
        b[i] /= a[i * stride + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= a[k * stride + i] * b[k];
        b[i] /= a[i * stride + i];
    }
    return 0;
}

/* By elimination with rows exchanged: half of it more than symmetry asks for. */
static inline int LAPACKE_dsysv(int layout, char part, int n, int sides, double *a, int stride,
                                lapack_int *swaps, double *b, int b_stride)
{
    double *full = portable_room(n * n);
    int bad = 0;
    (void)layout, (void)part, (void)sides, (void)swaps, (void)b_stride;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            full[i * n + j] = i >= j ? a[i * stride + j] : a[j * stride + i];
    for (int k = 0; k < n && !bad; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(full[i * n + k]) > fabs(full[pivot * n + k])) pivot = i;
        for (int j = 0; j <= n; j++) {
            double *one = j < n ? full + k * n + j : b + k;
            double *other = j < n ? full + pivot * n + j : b + pivot, kept = *one;
            *one = *other;
            *other = kept;
        }
        if (full[k * n + k] == 0) bad = k + 1;
        for (int i = k + 1; i < n && !bad; i++) {
            double times = full[i * n + k] / full[k * n + k];
            for (int j = k; j < n; j++)
                full[i * n + j] -= times * full[k * n + j];
            b[i] -= times * b[k];
        }
    }
    for (int i = n - 1; i >= 0 && !bad; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= full[i * n + j] * b[j];
        b[i] /= full[i * n + i];
    }
    free(full);
    return bad;
}

static inline int LAPACKE_dgeqp3(int layout, int m, int n, double *a, int stride, lapack_int *order,
                                 double *tau)
{
    double *v = portable_room(m);
    (void)layout, (void)tau;
    for (int j = 0; j < n; j++)
        order[j] = j + 1;
    for (int k = 0; k < m && k < n; k++) {
        int pivot = k;
        double most = -1;
        for (int j = k; j < n; j++) {
            double norm2 = 0;
            for (int i = k; i < m; i++)
                norm2 += a[i * stride + j] * a[i * stride + j];
            if (norm2 > most) pivot = j, most = norm2;
        }
        for (int i = 0; i < m; i++) {
            double kept = a[i * stride + k];
            a[i * stride + k] = a[i * stride + pivot];
            a[i * stride + pivot] = kept;
        }
        lapack_int was = order[k];
        order[k] = order[pivot];
        order[pivot] = was;
        if (most == 0) break;
        double length2 = 0;
        for (int i = k; i < m; i++)
            v[i] = a[i * stride + k];
        v[k] += copysign(sqrt(most), v[k]);
        for (int i = k; i < m; i++)
            length2 += v[i] * v[i];
        for (int j = k; j < n; j++) {
            double along = 0;
            for (int i = k; i < m; i++)
                along += v[i] * a[i * stride + j];
            for (int i = k; i < m; i++)
                a[i * stride + j] -= 2 * along / length2 * v[i];
        }
    }
    free(v);
    return 0;
}

/* ---- rotations ------------------------------------------------------------------------------ */

/* Scales by a power of two, which loses nothing, to entries of at most one; returns the exponent.
 */
static inline int portable_scale(double *a, int count)
{
    double most = 0;
    int exponent = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k]));
    if (most > 0) (void)frexp(most, &exponent);
    for (int k = 0; k < count; k++)
        a[k] = ldexp(a[k], -exponent);
    return exponent;
}

static inline int portable_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static inline void portable_turn(double *one, double *other, double c, double s)
{
    double x = *one, y = *other;
    *one = c * x - s * y;
    *other = s * x + c * y;
}

/* The tangent of the angle that makes [[p, r], [r, q]] diagonal, the smaller of two. */
static inline double portable_tangent(double p, double q, double r)
{
    double theta = (q - p) / (2 * r);
    return copysign(1, theta) / (fabs(theta) + hypot(1, theta));
}

static inline int LAPACKE_dsyev(int layout, char job, char part, int n, double *a, int stride,
                                double *values)
{
    double *full = portable_room(n * n);
    (void)layout, (void)job, (void)part;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            full[i * n + j] = i >= j ? a[i * stride + j] : a[j * stride + i];
    int exponent = portable_scale(full, n * n), turned = 1;
    for (int sweep = 0; sweep < 40 && turned; sweep++) {
        turned = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double r = full[p * n + q];
                if (fabs(r) <= DBL_EPSILON / 4) continue; /* of entries of one */
                double t = portable_tangent(full[p * n + p], full[q * n + q], r);
                double c = 1 / sqrt(1 + t * t);
                turned = 1;
                for (int k = 0; k < n; k++)
                    portable_turn(full + k * n + p, full + k * n + q, c, c * t);
                for (int k = 0; k < n; k++)
                    portable_turn(full + p * n + k, full + q * n + k, c, c * t);
                full[p * n + q] = full[q * n + p] = 0;
            }
    }
    for (int i = 0; i < n; i++)
        values[i] = -ldexp(full[i * n + i], exponent);
    qsort(values, (size_t)n, sizeof *values, portable_descending);
    for (int i = 0; i < n; i++)
        values[i] = -values[i];
    free(full);
    return turned;
}

/* Columns of length sigma become units. Those of no length, which is round-off of the first, become
 * what the ones before leave of a unit vector. */
static inline void portable_make_unit(int m, int n, double *columns, const double *sigma)
{
    for (int j = 0; j < n; j++) {
        double norm = sigma[j];
        for (int axis = 0; axis < m && norm <= 1e-14 * sigma[0]; axis++) {
            for (int i = 0; i < m; i++)
                columns[i * n + j] = i == axis;
            for (int k = 0; k < 2 * j; k++) { /* twice is enough (Kahan) */
                double along = 0;
                for (int i = 0; i < m; i++)
                    along += columns[i * n + j] * columns[i * n + k % j];
                for (int i = 0; i < m; i++)
                    columns[i * n + j] -= along * columns[i * n + k % j];
            }
            double left = 0;
            for (int i = 0; i < m; i++)
                left += columns[i * n + j] * columns[i * n + j];
            /* One of m axes keeps more than half of its share. */
            if (left > 0.5 / m) norm = sqrt(left);
        }
        for (int i = 0; i < m; i++)
            columns[i * n + j] /= norm;
    }
}

/* columns (m x n, m at least n) becomes U and turns (n x n), zero before, V; both in the order of
 * the singular values. */
static inline int portable_svd(int m, int n, double *columns, double *turns, double *sigma)
{
    double *norm2 = portable_room(n);
    int exponent = portable_scale(columns, m * n), turned = 1;
    for (int j = 0; j < n; j++)
        turns[j * n + j] = 1;
    for (int sweep = 0; sweep < 60 && turned; sweep++) {
        turned = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                double pp = 0, qq = 0, pq = 0;
                for (int i = 0; i < m; i++) {
                    double x = columns[i * n + p], y = columns[i * n + q];
                    pp += x * x, qq += y * y, pq += x * y;
                }
                /* Below that a column is round-off of others. */
                if (fabs(pq) <= 4 * DBL_EPSILON * sqrt(pp * qq) || fabs(pq) < 1e-40) continue;
                double t = portable_tangent(pp, qq, pq), c = 1 / sqrt(1 + t * t);
                turned = 1;
                for (int i = 0; i < m; i++)
                    portable_turn(columns + i * n + p, columns + i * n + q, c, c * t);
                for (int i = 0; i < n; i++)
                    portable_turn(turns + i * n + p, turns + i * n + q, c, c * t);
            }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            norm2[j] += columns[i * n + j] * columns[i * n + j];
    for (int j = 0; j < n; j++) {
        int most = j;
        for (int k = j + 1; k < n; k++)
            if (norm2[k] > norm2[most]) most = k;
        for (int i = 0; i < m && most != j; i++)
            portable_turn(columns + i * n + most, columns + i * n + j, 0, 1);
        for (int i = 0; i < n && most != j; i++)
            portable_turn(turns + i * n + most, turns + i * n + j, 0, 1);
        double largest = norm2[most];
        norm2[most] = norm2[j];
        sigma[j] = sqrt(largest);
    }
    portable_make_unit(m, n, columns, sigma);
    for (int j = 0; j < n; j++)
        sigma[j] = ldexp(sigma[j], exponent);
    free(norm2);
    return turned;
}

/* A = left diag(sigma) right', left m x k, right n x k, k the smaller of m and n. */
static inline int portable_factor(int m, int n, const double *a, int stride, double *left,
                                  double *right, double *sigma)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            *(m >= n ? left + i * n + j : right + j * m + i) = a[i * stride + j];
    return m >= n ? portable_svd(m, n, left, right, sigma) : portable_svd(n, m, right, left, sigma);
}

static inline int LAPACKE_dgesvd(int layout, char left_job, char right_job, int m, int n, double *a,
                                 int stride, double *sigma, double *u, int u_stride, double *vt,
                                 int vt_stride, double *spare)
{
    int k = m < n ? m : n;
    double *left = portable_room(m * k), *right = portable_room(n * k);
    int bad = portable_factor(m, n, a, stride, left, right, sigma);
    (void)layout, (void)right_job, (void)spare;
    for (int i = 0; i < m * k && left_job != 'N'; i++)
        u[i / k * u_stride + i % k] = left[i];
    for (int i = 0; i < n * k && left_job != 'N'; i++)
        vt[i % k * vt_stride + i / k] = right[i];
    free(left);
    free(right);
    return bad;
}

/* The shortest of the least squares answers. */
static inline int LAPACKE_dgelss(int layout, int m, int n, int sides, double *a, int stride,
                                 double *b, int b_stride, double *sigma, double least, int *rank)
{
    int k = m < n ? m : n;
    double *left = portable_room(m * k), *right = portable_room(n * k), *x = portable_room(n);
    int bad = portable_factor(m, n, a, stride, left, right, sigma);
    (void)layout, (void)sides, (void)b_stride;
    *rank = 0;
    while (*rank < k && sigma[*rank] > least * sigma[0])
        (*rank)++;
    for (int r = 0; r < *rank; r++) {
        double along = 0;
        for (int i = 0; i < m; i++)
            along += left[i * k + r] * b[i];
        for (int j = 0; j < n; j++)
            x[j] += along / sigma[r] * right[j * k + r];
    }
    memcpy(b, x, (size_t)n * sizeof *b);
    free(left);
    free(right);
    free(x);
    return bad;
}
#define LAPACKE_dgelsd LAPACKE_dgelss

static inline int LAPACKE_dgels(int layout, char job, int m, int n, int sides, double *a,
                                int stride, double *b, int b_stride)
{
    int rank, k = m < n ? m : n;
    double *sigma = portable_room(k);
    int bad = LAPACKE_dgelss(layout, m, n, sides, a, stride, b, b_stride, sigma, 0, &rank);
    (void)job;
    free(sigma);
    return bad ? bad : rank < k;
}

#endif
