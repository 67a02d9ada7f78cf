/* Test matrices of every kind that breaks dense kernels, and residuals in long double, whose wide
 * exponent range keeps the checks themselves from overflowing. */
#ifndef SNW_TESTS_MATRICES_H
#define SNW_TESTS_MATRICES_H

#include "check.h"

enum {
    MATRIX_MOST = 80
};

typedef enum matrix_kind {
    MATRIX_RANDOM,
    MATRIX_LOW_RANK,   /* rank about a third */
    MATRIX_ROW_GRADED, /* rows from 1e-150 to 1e150 */
    MATRIX_COLUMN_GRADED,
    MATRIX_BOTH_GRADED,
    MATRIX_HILBERT,
    MATRIX_ZERO,
    MATRIX_ONES,     /* rank 1, all equal */
    MATRIX_DIAGONAL, /* with repeated entries and zeros */
    MATRIX_TINY,     /* about 1e-300 */
    MATRIX_SUBNORMAL,
    MATRIX_HUGE,    /* about 1e300 */
    MATRIX_INTEGER, /* many exact ties and cancellations */
    MATRIX_KIND_COUNT
} matrix_kind;

static inline double matrix_entry(snw_random *random, matrix_kind kind, int i, int j)
{
    double g = snw_random_normal(random);
    switch (kind) {
    case MATRIX_HILBERT:
        return 1.0 / (i + j + 1);
    case MATRIX_ZERO:
        return 0;
    case MATRIX_ONES:
        return 3;
    case MATRIX_DIAGONAL:
        return i == j ? i % 4 : 0;
    case MATRIX_TINY:
        return g * 1e-300;
    case MATRIX_SUBNORMAL:
        return g * 1e-320;
    case MATRIX_HUGE:
        return g * 1e300;
    case MATRIX_INTEGER:
        return (int)snw_random_below(random, 5) - 2;
    default:
        return g;
    }
}

/* 10^-150 .. 10^150 over n rows. */
static inline double matrix_grade(int i, int n)
{
    return n < 2 ? 1 : pow(10, -150 + 300.0 * i / (n - 1));
}

static inline void matrix_fill(double *a, int rows, int columns, matrix_kind kind,
                               snw_random *random)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i * columns + j] = matrix_entry(random, kind, i, j);
    if (kind == MATRIX_LOW_RANK) {
        int rank = 1 + (rows < columns ? rows : columns) / 3;
        for (int i = rank; i < rows; i++) {
            int p = (int)snw_random_below(random, (uint32_t)rank);
            int q = (int)snw_random_below(random, (uint32_t)rank);
            double s = snw_random_normal(random), t = snw_random_normal(random);
            for (int j = 0; j < columns; j++)
                a[i * columns + j] = s * a[p * columns + j] + t * a[q * columns + j];
        }
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if (kind == MATRIX_ROW_GRADED) a[i * columns + j] *= matrix_grade(i, rows);
            if (kind == MATRIX_COLUMN_GRADED) a[i * columns + j] *= matrix_grade(j, columns);
            if (kind == MATRIX_BOTH_GRADED)
                a[i * columns + j] *= sqrt(matrix_grade(i, rows) * matrix_grade(j, columns));
        }
}

/* Symmetric: the lower triangle mirrored; graded kinds become D A D. */
static inline void matrix_fill_symmetric(double *a, int n, matrix_kind kind, snw_random *random)
{
    bool is_graded = kind == MATRIX_ROW_GRADED || kind == MATRIX_COLUMN_GRADED;
    matrix_fill(a, n, n, is_graded ? MATRIX_RANDOM : kind, random);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            if (is_graded) a[i * n + j] *= sqrt(matrix_grade(i, n)) * sqrt(matrix_grade(j, n));
            a[j * n + i] = a[i * n + j];
        }
}

static inline long double matrix_norm(const double *a, int count)
{
    long double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (long double)a[i] * a[i];
    return sqrtl(sum);
}

/* max |rows . rows^T - I| of `count` vectors stored as rows. */
static inline double matrix_orthonormality(const double *vectors, int count, int length)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++) {
            long double dot = i == j ? -1 : 0;
            for (int k = 0; k < length; k++)
                dot += (long double)vectors[i * length + k] * vectors[j * length + k];
            if (!(fabsl(dot) <= worst)) worst = (double)fabsl(dot);
        }
    return worst;
}

/* |A x - b| / (|A| |x| + |b|): the backward error. */
static inline double matrix_backward_error(const double *a, int rows, int columns, const double *x,
                                           const double *b)
{
    long double sum = 0;
    for (int i = 0; i < rows; i++) {
        long double left = -(long double)b[i];
        for (int j = 0; j < columns; j++)
            left += (long double)a[i * columns + j] * x[j];
        sum += left * left;
    }
    long double scale =
        matrix_norm(a, rows * columns) * matrix_norm(x, columns) + matrix_norm(b, rows);
    return scale > 0 ? (double)(sqrtl(sum) / scale) : (double)sqrtl(sum);
}

#endif
