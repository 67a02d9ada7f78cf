/* Exponentials, logarithms and powers: the same bits on every machine.
 *
 * exp(x): x = (32 k + j) ln2 / 32 + r with |r| <= ln2 / 64, so exp(x) = 2^k 2^(j/32) exp(r): a
 * table and a short series (Tang, ACM TOMS 15, 1989).
 *
 * log(x): x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)], s = f / (2 + f) and
 * log(1 + f) = 2 s + s^3 R(s^2), R a Chebyshev fit with an error below 2^-58 (the scheme of Ng's
 * log in fdlibm, 1993, with coefficients of our own).
 *
 * pow(x, y) = exp(y log x) with the logarithm as a pair of doubles: the product may be 745, so its
 * last bits decide about ten bits of the answer. */
#include <stdbool.h>

#include "base/double_double.h"
#include "base/elementary.h"

#define POWER_LN2_HIGH 0x1.62e42feep-1 /* 32 bits, so that multiples up to 2^21 are exact */
#define POWER_LN2_LOW  0x1.a39ef35793c76p-33

/* ---- exponentials --------------------------------------------------------------------------- */

/* 2^(j/32) = high (1 + low). */
static const snw__dd power_of_two[32] = {{1, 0},
                                         {0x1.059b0d3158574p+0, 0x1.cd2523567f613p-55},
                                         {0x1.0b5586cf9890fp+0, 0x1.79aa65d837b6dp-54},
                                         {0x1.11301d0125b51p+0, -0x1.556522a2fbd0ep-54},
                                         {0x1.172b83c7d517bp+0, -0x1.01b15eaa59348p-55},
                                         {0x1.1d4873168b9aap+0, 0x1.aecf73e3a2f60p-54},
                                         {0x1.2387a6e756238p+0, 0x1.68efde3a8a894p-54},
                                         {0x1.29e9df51fdee1p+0, 0x1.2f7e16d09ab31p-55},
                                         {0x1.306fe0a31b715p+0, 0x1.34d754db0abb6p-55},
                                         {0x1.371a7373aa9cbp+0, -0x1.24aedcc4b5068p-54},
                                         {0x1.3dea64c123422p+0, 0x1.59f48a72a4c6dp-55},
                                         {0x1.44e086061892dp+0, 0x1.363ed60c2ac11p-59},
                                         {0x1.4bfdad5362a27p+0, 0x1.690cebb7aafb0p-56},
                                         {0x1.5342b569d4f82p+0, -0x1.8dec6bd0f385fp-56},
                                         {0x1.5ab07dd485429p+0, 0x1.063e1e21c5409p-54},
                                         {0x1.6247eb03a5585p+0, -0x1.c33c53bef4da8p-55},
                                         {0x1.6a09e667f3bcdp+0, -0x1.3b3efbf5e2228p-54},
                                         {0x1.71f75e8ec5f74p+0, -0x1.81f647e5a3ecfp-56},
                                         {0x1.7a11473eb0187p+0, -0x1.b32dcb94da51dp-56},
                                         {0x1.82589994cce13p+0, -0x1.369b6f13b3734p-54},
                                         {0x1.8ace5422aa0dbp+0, 0x1.db72fc1f0eab4p-55},
                                         {0x1.93737b0cdc5e5p+0, -0x1.da9b88b6c1e29p-58},
                                         {0x1.9c49182a3f090p+0, 0x1.1affc2b91ce27p-56},
                                         {0x1.a5503b23e255dp+0, -0x1.1bbd1d3bcbb15p-54},
                                         {0x1.ae89f995ad3adp+0, 0x1.c1a7792cb3387p-55},
                                         {0x1.b7f76f2fb5e47p+0, -0x1.8d6f438ad9334p-57},
                                         {0x1.c199bdd85529cp+0, 0x1.36eae30af0cb3p-56},
                                         {0x1.cb720dcef9069p+0, 0x1.76b2c6c921968p-57},
                                         {0x1.d5818dcfba487p+0, 0x1.4a385a63d07a7p-56},
                                         {0x1.dfc97337b9b5fp+0, -0x1.2d52107b43e1fp-55},
                                         {0x1.ea4afa2a490dap+0, -0x1.ff7128fd391f0p-55},
                                         {0x1.f50765b6e4540p+0, 0x1.a64a931d185eep-55}};

/* exp of a pair: 2^exponent * (scale + scale * tail). */
typedef struct power_parts {
    int exponent;
    double scale, tail;
} power_parts;

/* x.high between -1100 and 1100. */
static power_parts split_exp(snw__dd x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer */
    double count = (x.high * 0x1.71547652b82fep+5 + shift) - shift;
    int steps = (int)count, j = steps & 31;
    double high = x.high - count * (POWER_LN2_HIGH / 32);
    double low = x.low - count * (POWER_LN2_LOW / 32), r = high + low;
    double rr = r * r;
    /* exp(r) - 1 - r by Taylor: the next term is below 2^-60. */
    double series = rr * (0.5 + r * (1.0 / 6) +
                          rr * (1.0 / 24 + r * (1.0 / 120) + rr * (1.0 / 720 + r * (1.0 / 5040))));
    /* (1 + low_j) (1 + r + ...): what r lost in rounding counts as well. */
    double lost = (high - r) + low;
    power_parts parts = {(steps - j) / 32, power_of_two[j].high,
                         r + (series + (lost + power_of_two[j].low))};
    return parts;
}

/* value * 2^exponent for |value| in [1/2, 4), rounded once. */
static double scaled_sum(double scale, double tail, int exponent)
{
    if (exponent > 1020 || exponent < -1020) return ldexp(scale + tail, exponent);
    return (scale + tail) * snw__double_from_bits((uint64_t)(1023 + exponent) << 52);
}

/* The same where the answer may be subnormal: ldexp of a rounded sum would round twice. */
static double join_exp(power_parts parts)
{
    double tail = parts.scale * parts.tail;
    if (parts.exponent >= -1022) return scaled_sum(parts.scale, tail, parts.exponent);
    /* Adding a power of two whose ulp is the subnormal's makes the sum round where it must. */
    snw__dd sum = snw__dd_quick_sum(parts.scale, tail);
    double big = ldexp(1, -1022 - parts.exponent);
    snw__dd at = snw__dd_sum(big, sum.high);
    return ldexp(((at.low + sum.low) + at.high) - big, parts.exponent);
}

double snw__exp(double x)
{
    if (isnan(x)) return NAN;
    if (x > 710) return INFINITY;
    if (x < -746) return 0;
    snw__dd pair = {x, 0};
    return join_exp(split_exp(pair));
}

double snw__expm1(double x)
{
    if (isnan(x) || x == 0) return x;
    if (x > 710) return INFINITY;
    if (x < -60) return -1;
    if (fabs(x) < 0x1p-54) return x;
    if (fabs(x) < 0.25) { /* x + x^2/2 + x^3 (1/6 + ...); 13 terms leave 2^-61 */
        double sum = 0;
        static const double inverse_factorial[] = {
            1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800,
            1.0 / 362880,     1.0 / 40320,     1.0 / 5040,     1.0 / 720,
            1.0 / 120,        1.0 / 24,        1.0 / 6};
        for (int k = 0; k < 11; k++)
            sum = sum * x + inverse_factorial[k];
        snw__dd square = snw__dd_product(x, x);
        snw__dd first = snw__dd_quick_sum(x, 0.5 * square.high);
        return first.high + (first.low + (0.5 * square.low + sum * x * square.high));
    }
    snw__dd pair = {x, 0};
    power_parts parts = split_exp(pair);
    if (parts.exponent > 60) return join_exp(parts);
    double unit = snw__double_from_bits((uint64_t)(1023 + parts.exponent) << 52);
    snw__dd value = snw__dd_quick_sum(parts.scale * unit, parts.scale * parts.tail * unit);
    snw__dd less = snw__dd_sum(value.high, -1);
    return less.high + (less.low + value.low);
}

/* ---- logarithms ----------------------------------------------------------------------------- */

/* x = 2^exponent * fraction with the fraction in [sqrt(1/2), sqrt(2)); x positive and finite. */
static double split_binary(double x, int *exponent)
{
    int more = 0;
    if (x < 0x1p-1022) {
        x *= 0x1p54;
        more = -54;
    }
    uint64_t bits = snw__double_bits(x);
    /* The bits of sqrt(1/2): the difference carries into the exponent where the fraction is above.
     */
    uint64_t moved = bits - UINT64_C(0x3fe6a09e667f3bcd);
    *exponent = (int)((int64_t)moved >> 52) + more;
    return snw__double_from_bits(bits - (moved & (UINT64_C(0xfff) << 52)));
}

double snw__log(double x)
{
    if (!(x > 0)) return x == 0 ? -INFINITY : NAN;
    if (isinf(x)) return x;
    int k = 0;
    double f = split_binary(x, &k) - 1, s = f / (2 + f), z = s * s, zz = z * z;
    double even =
        0x1.5555555555555p-1 +
        zz * (0x1.2492492476a1ap-2 + zz * (0x1.745cf8e4bba1bp-3 + zz * 0x1.0fbde0f4ad17bp-3));
    double odd =
        0x1.9999999999a39p-2 +
        zz * (0x1.c71c7201a55d7p-3 + zz * (0x1.3b1c3c1c81c8fp-3 + zz * 0x1.0c0aff044a970p-3));
    double series = z * (even + z * odd), half = 0.5 * f * f;
    /* 2 s = f - f^2/2 + s f^2/2: f and f^2/2 are the large terms, and f is exact. */
    return k * POWER_LN2_HIGH - ((half - (s * (half + series) + k * POWER_LN2_LOW)) - f);
}

/* log(x.high + x.low) to about 2^-66 of it, for a normal positive x. */
static snw__dd log_pair(snw__dd x)
{
    int k = 0;
    double high = split_binary(x.high, &k);
    snw__dd fraction = {high, ldexp(x.low, -k)};
    snw__dd minus_one = {-1, 0}, one = {1, 0}, two = {2, 0};
    snw__dd s = snw__dd_div(snw__dd_add(fraction, minus_one), snw__dd_add(fraction, one));
    snw__dd z = snw__dd_mul(s, s);
    /* atanh(s) = s (1 + z/3 + z^2/5 + ...): the first terms as pairs, the rest is below 2^-15. */
    double rest = 0;
    for (int n = 29; n >= 7; n -= 2)
        rest = rest * z.high + 1.0 / n;
    snw__dd third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
    snw__dd fifth = {0x1.999999999999ap-3, -0x1.999999999999ap-57};
    snw__dd tail = {rest, 0};
    snw__dd sum = snw__dd_add(fifth, snw__dd_mul(z, tail));
    sum = snw__dd_add(third, snw__dd_mul(z, sum));
    sum = snw__dd_add(one, snw__dd_mul(z, sum));
    sum = snw__dd_mul(snw__dd_mul(two, s), sum);
    /* ln2 in two parts of 32 and 53 bits and the next 53: k times it to 2^-95. */
    snw__dd whole = {k * POWER_LN2_HIGH, 0};
    snw__dd part = snw__dd_product(k, POWER_LN2_LOW);
    part.low += k * 0x1.cc01f97b57a08p-87;
    return snw__dd_add(whole, snw__dd_add(part, sum));
}

double snw__log1p(double x)
{
    if (!(x > -1)) return x == -1 ? -INFINITY : NAN;
    if (isinf(x) || fabs(x) < 0x1p-54) return x;
    snw__dd log = log_pair(snw__dd_sum(1, x));
    return log.high + log.low;
}

/* ---- powers --------------------------------------------------------------------------------- */

static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && fmod(y, 2) != 0;
}

double snw__pow(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(y)) {
        double size = fabs(x);
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    }
    if (x == 0 || isinf(x)) {
        /* x^y for x = 0 or infinite: 0, 1 or infinity, with the sign that an odd y leaves. */
        bool is_large = (x == 0) == (y < 0);
        double size = is_large ? INFINITY : 0;
        return signbit(x) && floor(y) == y && is_odd(y) ? -size : size;
    }
    if (x < 0 && floor(y) != y) return NAN;
    double sign = x < 0 && is_odd(y) ? -1 : 1;
    snw__dd size = {fabs(x), 0};
    int shifted = 0;
    if (size.high < 0x1p-1022) { /* log_pair wants a normal number */
        size.high *= 0x1p54;
        shifted = 54;
    }
    snw__dd log = log_pair(size);
    if (shifted) {
        snw__dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}, count = {-shifted, 0};
        log = snw__dd_add(log, snw__dd_mul(ln2, count));
    }
    double estimate = y * log.high;
    if (estimate > 710) return sign * INFINITY;
    if (estimate < -746) return sign * 0.0;
    if (fabs(estimate) < 0x1p-60) return sign;
    if (fabs(y) > 0x1p900) y = copysign(0x1p900, y); /* log x is below 2^-890 then: never here */
    snw__dd exponent = snw__dd_product(y, log.high);
    exponent = snw__dd_quick_sum(exponent.high, exponent.low + y * log.low);
    return sign * join_exp(split_exp(exponent));
}

double snw__cbrt(double x)
{
    if (!isfinite(x) || x == 0) return x;
    int exponent = 0;
    double f = frexp(fabs(x), &exponent);
    while (exponent % 3) { /* f in (1/8, 1) */
        f *= 0.5;
        exponent++;
    }
    /* A line to start with, Halley's iteration (cubic convergence), then one step with the cube
     * as a pair. */
    double root = 0.47 + 0.56 * f;
    for (int n = 0; n < 4; n++) {
        double cube = root * root * root;
        root *= (cube + 2 * f) / (2 * cube + f);
    }
    snw__dd square = snw__dd_product(root, root), factor = {root, 0};
    snw__dd cube = snw__dd_mul(square, factor);
    root -= ((cube.high - f) + cube.low) / (3 * square.high);
    return copysign(ldexp(root, exponent / 3), x);
}

/* ---- hyperbolic functions -------------------------------------------------------------------- */

double snw__sinh(double x)
{
    double size = fabs(x);
    if (!(size < 709)) { /* exp(size) / 2 in two halves, which do not overflow too early */
        double half = snw__exp(0.5 * size);
        return copysign(0.5 * half * half, x) + (isnan(x) ? x : 0);
    }
    double t = snw__expm1(size);
    return copysign(size < 1 ? 0.5 * (2 * t - t * t / (t + 1)) : 0.5 * (t + t / (t + 1)), x);
}

double snw__cosh(double x)
{
    double size = fabs(x);
    if (!(size < 709)) {
        double half = snw__exp(0.5 * size);
        return 0.5 * half * half;
    }
    double value = snw__exp(size);
    return 0.5 * (value + 1 / value);
}

double snw__tanh(double x)
{
    if (isnan(x)) return NAN;
    double size = fabs(x);
    if (size > 22) return copysign(1, x);
    double t = snw__expm1(2 * size);
    return copysign(t / (t + 2), x);
}
