/* Sine, cosine, tangent and their inverses: the same bits on every machine.
 *
 * Angles are reduced to r in [-pi/4, pi/4] and a quadrant: by subtracting multiples of pi/2 in four
 * parts (Cody & Waite 1980) below 2^20 quadrants, by multiplying with the bits of 2/pi that matter
 * (Payne & Hanek 1983) above. r is kept as a pair of doubles, and sine and cosine of it are
 * polynomials, Chebyshev fits of sin(r)/r and cos(r) in r^2 with relative errors below 2^-60.
 *
 * All inverses are one: the angle of the point (x, y), both given as pairs of doubles. In the
 * octant 0 <= y <= x the nearest c = j/4 to y/x is turned away,
 *
 *     atan(y/x) = atan(c) + atan(t),   t = (y - c x) / (x + c y),   |t| <= 1/8,
 *
 * and the series of atan(t) is short. asin, acos and atan are the angles of (sqrt(1-x^2), x),
 * (x, sqrt(1-x^2)) and (1, x). */
#include <stdbool.h>

#include "base/double_double.h"
#include "base/elementary.h"
#include "base/number_wide.h"

#define ANGLE_HALF_PI     0x1.921fb54442d18p+0
#define ANGLE_HALF_PI_LOW 0x1.1a62633145c07p-54

/* ---- reduction ------------------------------------------------------------------------------ */

typedef struct angle_reduced {
    snw__dd rest; /* in [-pi/4, pi/4], a little more by rounding */
    int quadrant; /* 0..3: multiples of pi/2 taken away, modulo 4 */
} angle_reduced;

/* pi/2 in parts of 33 bits, whose products with a number of 20 bits are exact, and the rest. */
static const double half_pi_part[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                                       0x1.b839a252049c1p-104};

/* For |x| below 2^20 quadrants. */
static angle_reduced reduce_medium(double x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer, half to even */
    double count = (x * 0x1.45f306dc9c883p-1 + shift) - shift;
    snw__dd rest = snw__dd_sum(x - count * half_pi_part[0], -count * half_pi_part[1]);
    snw__dd next = snw__dd_sum(rest.high, -count * half_pi_part[2]);
    double low = (rest.low + next.low) - count * half_pi_part[3];
    angle_reduced reduced = {snw__dd_quick_sum(next.high, low), (int)((int64_t)count & 3)};
    return reduced;
}

/* The bits of 2/pi after the point; 1280 of them reach below the last bit of the largest double. */
static const uint64_t two_over_pi[20] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/* 64 bits of 2/pi from bit `first` after the point on; zeros before the point. */
static uint64_t bits_of_two_over_pi(int first)
{
    if (first <= -64) return 0;
    if (first < 0) return two_over_pi[0] >> -first;
    int word = first / 64, shift = first % 64;
    uint64_t bits = two_over_pi[word] << shift;
    return shift ? bits | two_over_pi[word + 1] >> (64 - shift) : bits;
}

/* For finite |x| of 2^20 and more. x = m 2^e with a 53-bit integer m; bits of 2/pi whose product
 * with x is a multiple of 4 quadrants are left out, the next 192 decide. */
static angle_reduced reduce_large(double x)
{
    uint64_t bits = snw__double_bits(x) & (UINT64_MAX >> 1);
    int exponent = (int)(bits >> 52) - 1075;
    uint64_t m = (bits & (UINT64_MAX >> 12)) | (UINT64_C(1) << 52);
    /* Bit k after the point weighs 2^(exponent - k - 1) m; from exponent - k - 1 = 1 downwards. */
    int first = exponent - 2;
    snw__u128 upper = {bits_of_two_over_pi(first), bits_of_two_over_pi(first + 64)};
    snw__u192 product = snw__multiply_128(upper, m);
    snw__u128 tail = snw__multiply(bits_of_two_over_pi(first + 128), m);
    product.low += tail.high;
    if (product.low < tail.high && ++product.middle == 0) product.high++;
    /* product.high holds m's overflow: the word below it starts with the two bits of the quadrant,
     * after which the fraction follows. */
    int quadrant = (int)(product.middle >> 62);
    uint64_t high = product.middle << 2 | product.low >> 62,
             low = product.low << 2 | tail.low >> 62;
    if (high >> 63) { /* past the middle: the next quadrant, and a negative rest */
        quadrant++;
        low = ~low + 1;
        high = ~high + (low == 0);
    }
    double sign = (product.middle << 2) >> 63 ? -1 : 1;
    /* high : low as a pair of doubles, in quadrants. No double is nearer to a multiple of pi/2 than
     * about 2^-61 quadrants, so at least 64 bits are left after the leading zeros. */
    int zeros = high ? snw__leading_zeros(high) : 64;
    uint64_t top = zeros == 64 ? low : zeros ? high << zeros | low >> (64 - zeros) : high;
    uint64_t next = zeros == 64 ? 0 : low << zeros;
    double unit = snw__double_from_bits((uint64_t)(1023 - 53 - zeros) << 52);
    snw__dd fraction = snw__dd_quick_sum(
        (double)(top >> 11) * unit, (double)((top & 2047) << 42 | next >> 22) * (unit * 0x1p-53));
    snw__dd half_pi = {ANGLE_HALF_PI, ANGLE_HALF_PI_LOW};
    snw__dd rest = snw__dd_mul(fraction, half_pi);
    if (x < 0) {
        sign = -sign;
        quadrant = -quadrant;
    }
    angle_reduced reduced = {{sign * rest.high, sign * rest.low}, quadrant & 3};
    return reduced;
}

static angle_reduced reduce(double x)
{
    double size = fabs(x);
    if (size <= 0x1.921fb54442d18p-1) {
        angle_reduced reduced = {{x, 0}, 0};
        return reduced;
    }
    return size < 0x1p20 ? reduce_medium(x) : reduce_large(x);
}

/* ---- sine and cosine ------------------------------------------------------------------------ */

/* sin(r) as high + low, |low| about 0.2 |high| at most: not normalized. */
static snw__dd sine_of(snw__dd r)
{
    double z = r.high * r.high, zz = z * z;
    double even = 0x1.1111111111110p-7 + zz * (0x1.71de3a545f835p-19 + zz * 0x1.61217d923a998p-33);
    double odd =
        -0x1.a01a01a01992fp-13 + zz * (-0x1.ae645410e9193p-26 + zz * -0x1.ab16f5bc68a29p-41);
    double cube = z * r.high;
    /* sin(h + l) = sin h + l cos h, cos h = 1 - z/2 to the accuracy that l needs. */
    double low = cube * (z * (even + z * odd)) + r.low * (1 - 0.5 * z);
    snw__dd sine = {r.high, low + cube * -0x1.5555555555555p-3};
    return sine;
}

/* cos(r), in the same form. */
static snw__dd cosine_of(snw__dd r)
{
    double z = r.high * r.high, zz = z * z;
    double even = 0x1.5555555555555p-5 + zz * (0x1.a01a019f4ddfdp-16 + zz * 0x1.1eeb67d014ecep-29);
    double odd =
        -0x1.6c16c16c16963p-10 + zz * (-0x1.27e4fa16cc1bcp-22 + zz * -0x1.907cd8f26aa3fp-37);
    double half = 0.5 * z, high = 1 - half;
    snw__dd cosine = {high, ((1 - high) - half) + (zz * (even + z * odd) - r.high * r.low)};
    return cosine;
}

/* Sine of an angle that is `turned` quadrants further. */
static double sine_after(angle_reduced reduced, int turned)
{
    int quadrant = reduced.quadrant + turned;
    snw__dd value = quadrant & 1 ? cosine_of(reduced.rest) : sine_of(reduced.rest);
    double sum = value.high + value.low;
    return quadrant & 2 ? -sum : sum;
}

double snw__sin(double x)
{
    if (!isfinite(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x; /* the cube is below half an ulp; keeps -0 */
    return sine_after(reduce(x), 0);
}

double snw__cos(double x)
{
    if (!isfinite(x)) return NAN;
    if (fabs(x) < 0x1p-27) return 1;
    return sine_after(reduce(x), 1);
}

void snw__sin_cos(double x, double *sine, double *cosine)
{
    if (!isfinite(x) || fabs(x) < 0x1p-27) {
        *sine = isfinite(x) ? x : NAN;
        *cosine = isfinite(x) ? 1 : NAN;
        return;
    }
    angle_reduced reduced = reduce(x);
    *sine = sine_after(reduced, 0);
    *cosine = sine_after(reduced, 1);
}

double snw__tan(double x)
{
    if (!isfinite(x)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    angle_reduced reduced = reduce(x);
    snw__dd s = sine_of(reduced.rest), c = cosine_of(reduced.rest);
    s = snw__dd_quick_sum(s.high, s.low);
    c = snw__dd_quick_sum(c.high, c.low);
    snw__dd ratio = reduced.quadrant & 1 ? snw__dd_div(c, s) : snw__dd_div(s, c);
    return reduced.quadrant & 1 ? -(ratio.high + ratio.low) : ratio.high + ratio.low;
}

/* ---- inverses ------------------------------------------------------------------------------- */

typedef struct angle_quarter {
    double more, less; /* c = more - less, so that more * x and less * x are exact */
    snw__dd angle;     /* atan(c) */
} angle_quarter;

static const angle_quarter angle_quarters[5] = {
    {0, 0, {0, 0}},
    {0.25, 0, {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57}},
    {0.5, 0, {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56}},
    {1, 0.25, {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56}},
    {1, 0, {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

/* The upper 26 bits; products of two such are exact. */
static double upper_bits(double a)
{
    return snw__double_from_bits(snw__double_bits(a) & (UINT64_MAX << 27));
}

/* The angle of (x, y) with 0 <= y <= x, x > 0; both neither huge nor tiny. */
static snw__dd octant_angle(snw__dd y, snw__dd x)
{
    double eight = 8 * y.high;
    int j = (eight > x.high) + (eight > 3 * x.high) + (eight > 5 * x.high) + (eight > 7 * x.high);
    const angle_quarter *quarter = &angle_quarters[j];
    double c = quarter->more - quarter->less;
    /* The numerator is exact: both differences are small beside their terms. */
    double n = (y.high - quarter->more * x.high) + quarter->less * x.high;
    snw__dd d = snw__dd_quick_sum(x.high, c * y.high);
    d.low += x.low + c * y.low;
    double t = n / d.high, inverse = 1 / d.high;
    /* t = t1 + t2 with 26 bits in t1: what t1 leaves of the numerator is exact again. */
    double t1 = upper_bits(t), d1 = upper_bits(d.high);
    double rest = (n - t1 * d1) - t1 * (d.high - d1);
    double t2 = (rest + ((y.low - c * x.low) - t1 * d.low)) * inverse;
    /* (atan t - t) / t^3 = -1/3 + z/5 - z^2/7 ...; the next term is below 2^-62 of t. */
    double z = t * t, zz = z * z, z4 = zz * zz;
    double first = (-1.0 / 3 + z * (1.0 / 5)) + zz * (-1.0 / 7 + z * (1.0 / 9));
    double second = (-1.0 / 11 + z * (1.0 / 13)) + zz * (-1.0 / 15 + z * (1.0 / 17));
    double tail = t2 + t * z * (first + z4 * second);
    snw__dd angle = snw__dd_quick_sum(quarter->angle.high, t1);
    return snw__dd_quick_sum(angle.high, angle.low + (quarter->angle.low + tail));
}

static snw__dd minus(snw__dd a)
{
    snw__dd negative = {-a.high, -a.low};
    return negative;
}

/* The angle of (x, y) in [0, pi] for y >= 0, not both zero; neither huge nor tiny. */
static double upper_angle(snw__dd y, snw__dd x)
{
    bool is_left = x.high < 0;
    snw__dd side = is_left ? minus(x) : x;
    bool is_steep = y.high > side.high;
    snw__dd angle = is_steep ? octant_angle(side, y) : octant_angle(y, side);
    /* pi/2 - a, pi/2 + a, pi - a or a: one sum. */
    double base = is_steep ? 1 : is_left ? 2 : 0;
    double sign = is_steep == is_left ? 1 : -1;
    snw__dd sum = snw__dd_sum(base * ANGLE_HALF_PI, sign * angle.high);
    return sum.high + (sum.low + (base * ANGLE_HALF_PI_LOW + sign * angle.low));
}

static int exponent_of(double x)
{
    return (int)(snw__double_bits(x) >> 52 & 2047);
}

double snw__atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) return NAN;
    double height = fabs(y), width = fabs(x);
    if (height == 0) return signbit(x) ? copysign(2 * ANGLE_HALF_PI, y) : y;
    if (isinf(x) || isinf(y)) { /* infinities are directions */
        width = isinf(x) ? 1 : 0;
        height = isinf(y) ? 1 : 0;
        if (height == 0 && !signbit(x)) return copysign(0, y);
    } else if (exponent_of(width > height ? width : height) - 1023 > 500 ||
               exponent_of(width < height ? width : height) - 1023 < -400) {
        /* Where the products would leave the range: bring the larger one near 1. A ratio that still
         * is tiny is the angle itself. */
        int shift = 1023 - exponent_of(width > height ? width : height);
        if (!signbit(x) && height < width * 0x1p-60) return copysign(height / width, y);
        width = ldexp(width, shift);
        height = ldexp(height, shift);
        if (width < 0x1p-120) width = 0;
        if (height < 0x1p-120) height = 0;
    }
    snw__dd across = {copysign(width, x), 0}, up = {height, 0};
    return copysign(upper_angle(up, across), y);
}

double snw__atan(double x)
{
    return snw__atan2(x, 1);
}

/* sqrt(1 - x^2) for |x| < 1. */
static snw__dd other_leg(double x)
{
    snw__dd square = snw__dd_product(x, x);
    snw__dd rest = snw__dd_sum(1, -square.high);
    return snw__dd_sqrt(snw__dd_quick_sum(rest.high, rest.low - square.low));
}

double snw__asin(double x)
{
    double size = fabs(x);
    if (!(size < 1)) return size == 1 ? copysign(ANGLE_HALF_PI, x) : NAN;
    if (size < 0x1p-27) return x;
    snw__dd up = {size, 0};
    return copysign(upper_angle(up, other_leg(x)), x);
}

double snw__acos(double x)
{
    double size = fabs(x);
    if (!(size < 1)) return size == 1 ? (x > 0 ? 0 : 2 * ANGLE_HALF_PI) : NAN;
    if (size < 0x1p-57) return ANGLE_HALF_PI;
    snw__dd across = {x, 0};
    return upper_angle(other_leg(x), across);
}

double snw__hypot(double x, double y)
{
    if (isinf(x) || isinf(y)) return INFINITY;
    double large = fmax(fabs(x), fabs(y)), small = fmin(fabs(x), fabs(y));
    if (isnan(x) || isnan(y)) return NAN;
    if (small <= large * 0x1p-60) return large + small;
    /* Squares of numbers near 1 neither overflow nor underflow. */
    double scale = 1;
    int exponent = exponent_of(large) - 1023;
    if (exponent > 500 || exponent < -400) {
        scale = exponent > 500 ? 0x1p+600 : 0x1p-600;
        large /= scale;
        small /= scale;
    }
    /* The error of the rounded root from products that nearly cancel (Borges, "An improved
     * algorithm for hypot(a, b)", 2019, the form without fused operations). */
    double root = sqrt(large * large + small * small), first, second;
    if (root <= 2 * small) {
        double rest = root - small;
        first = large * (2 * rest - large);
        second = (rest - 2 * (large - small)) * rest;
    } else {
        double rest = root - large;
        first = 2 * rest * (large - 2 * small);
        second = (4 * rest - small) * small + rest * rest;
    }
    return (root - (first + second) / (2 * root)) * scale;
}
