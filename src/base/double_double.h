/* Numbers as unevaluated sums of two doubles: about 106 bits from plain additions and
 * multiplications (Dekker, "A floating-point technique for extending the available precision",
 * Numer. Math. 18, 1971; Knuth, TAOCP vol. 2, 4.2.2). Internal, for the elementary functions.
 *
 * Right only where nothing is fused and doubles are rounded to doubles after every operation. */
#ifndef SNW_BASE_DOUBLE_DOUBLE_H
#define SNW_BASE_DOUBLE_DOUBLE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct snw__dd {
    double high, low; /* |low| <= ulp(high) / 2 unless said otherwise */
} snw__dd;

static inline uint64_t snw__double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double snw__double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* a + b exactly, for |a| >= |b| or a = 0. */
static inline snw__dd snw__dd_quick_sum(double a, double b)
{
    double high = a + b;
    snw__dd sum = {high, b - (high - a)};
    return sum;
}

/* a + b exactly. */
static inline snw__dd snw__dd_sum(double a, double b)
{
    double high = a + b, part = high - a;
    snw__dd sum = {high, (a - (high - part)) + (b - part)};
    return sum;
}

/* The upper 26 bits of a; |a| below 2^996. */
static inline double snw__upper_half(double a)
{
    double scaled = a * 134217729.0; /* 2^27 + 1 */
    return scaled - (scaled - a);
}

/* a * b exactly, unless it underflows; |a|, |b| below 2^996. */
static inline snw__dd snw__dd_product(double a, double b)
{
    double high = a * b;
    double a1 = snw__upper_half(a), a2 = a - a1;
    double b1 = snw__upper_half(b), b2 = b - b1;
    snw__dd product = {high, a2 * b2 - (((high - a1 * b1) - a2 * b1) - a1 * b2)};
    return product;
}

static inline snw__dd snw__dd_add(snw__dd a, snw__dd b)
{
    snw__dd sum = snw__dd_sum(a.high, b.high);
    return snw__dd_quick_sum(sum.high, sum.low + (a.low + b.low));
}

static inline snw__dd snw__dd_mul(snw__dd a, snw__dd b)
{
    snw__dd product = snw__dd_product(a.high, b.high);
    return snw__dd_quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* a / b to about 2^-104. */
static inline snw__dd snw__dd_div(snw__dd a, snw__dd b)
{
    double quotient = a.high / b.high;
    snw__dd product = snw__dd_product(quotient, b.high);
    double rest = ((a.high - product.high) - product.low) + (a.low - quotient * b.low);
    return snw__dd_quick_sum(quotient, rest / b.high);
}

/* sqrt(a) to about 2^-104, for a.high > 0. */
static inline snw__dd snw__dd_sqrt(snw__dd a)
{
    double root = sqrt(a.high);
    snw__dd square = snw__dd_product(root, root);
    return snw__dd_quick_sum(root, (((a.high - square.high) - square.low) + a.low) / (2 * root));
}

#endif
