/* Inner loops shared by the dense kernels. Internal.
 *
 * Sums run in four interleaved partial sums: the order is fixed (same bits everywhere) and the
 * compiler may still keep several multiplications in flight, which a single sum forbids. */
#ifndef SNW_MATH_KERNEL_H
#define SNW_MATH_KERNEL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include <sinew/base.h>

/* The entries of so many whole rows: where row `rows` of a matrix begins. Counts are int
 * everywhere; the one place where they become the size_t of an index. */
static inline size_t snw__entries(int rows, int columns)
{
    return (size_t)rows * (size_t)columns;
}

/* Where entry (row, column) of a matrix stands. */
static inline size_t snw__entry(int row, int columns, int column)
{
    return (size_t)row * (size_t)columns + (size_t)column;
}

static inline double snw__dot(const double *a, const double *b, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/* y += s x */
static inline void snw__axpy(double s, const double *restrict x, double *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

/* Largest magnitude; NaN or infinity when an entry is not finite. */
static inline double snw__max_abs(const double *a, size_t count)
{
    double largest = 0, poison = 0;
    for (size_t i = 0; i < count; i++) {
        double magnitude = fabs(a[i]);
        largest = magnitude > largest ? magnitude : largest;
        poison += a[i] * 0.0; /* 0 for finite, NaN otherwise */
    }
    return largest + poison;
}

static inline bool snw__all_finite(const double *a, size_t count)
{
    return isfinite(snw__max_abs(a, count));
}

/* (x, y) <- (c x - s y, s x + c y): a plane rotation of two rows. */
static inline void snw__rotate(double *restrict x, double *restrict y, int n, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double xi = x[i], yi = y[i];
        x[i] = c * xi - s * yi;
        y[i] = s * xi + c * yi;
    }
}

static inline void snw__swap(double *restrict x, double *restrict y, int n)
{
    for (int i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

enum {
    SNW__FRAME_POINTS = 3 /* so many that are not in a line make a frame */
};

/* [derived] Cosine of 60 and sine of 30 degrees: directions nearer than that tell the same side. */
#define SNW__COS_60 0.5

/* [derived] A matrix whose largest entry lies in this range is used as it is: entries down to
 * 1e-140 of the largest still have squares above the smallest normal number, and sums of squares
 * are far from overflow. */
#define SNW__SAFE_LOW 1e-10

/* The power of two e such that a matrix with this largest entry is brought near 1 by ldexp(., -e),
 * or 0 where squares are safe as they are. */
static inline int snw__scale_exponent(double largest)
{
    int exponent = 0;
    if (largest > 0 && !(largest > SNW__SAFE_LOW && largest < (1 / SNW__SAFE_LOW)))
        frexp(largest, &exponent);
    return exponent;
}

static inline void snw__scale_by_power(double *a, size_t count, int exponent)
{
    if (exponent == 0) return;
    for (size_t i = 0; i < count; i++)
        a[i] = ldexp(a[i], exponent);
}

/* Ends a solve: SNW_OK where all is finite; otherwise x = 0, and SNW_INVALID_ARGUMENT when the
 * right side was not finite to begin with, SNW_SINGULAR when the answer overflowed. */
snw_status snw__solve_outcome(double *x, size_t count, bool is_right_side_finite);

#endif
