/* Numbers to text: the shortest digits that read back as the same number, whatever the locale.
 *
 * Numbers of up to 15 digits, the usual content of files, are found by one multiplication and
 * proved by one division. The others follow Schubfach (Giulietti, 2020): scale the rounding
 * interval so that it is between 1 and 10 wide and take the multiple of ten in it, or else the
 * integer in it that is nearest. The comparisons are made on 128 bits; where those could err, in
 * long integers. */
#include <math.h>
#include <string.h>

#include <sinew/base.h>

#include "base/number_big.h"
#include "base/number_power.h"
#include "base/number_text.h"

/* digits * 10^exponent */
typedef struct short_decimal {
    uint64_t digits;
    int exponent;
} short_decimal;

/* ---- the rounding interval ------------------------------------------------------------------ */

/* A number and the ends of the interval that reads back as it: low, value, high, each times
 * 2^exponent. */
typedef struct print_interval {
    uint64_t low, value, high;
    int exponent;
    bool has_ends;        /* the ends themselves read back as the number */
    int decimal_exponent; /* in units of 10^this the interval is between 1 and 10 wide */
} print_interval;

/* floor(log10(2^exponent)), or of 3/4 of it; right for |exponent| < 1100 (all were tried). */
static int floor_log10_power_of_two(int exponent, bool is_three_quarters)
{
    /* log10(2) and log10(3/4) in units of 2^-41; the bias keeps the shifted number positive. */
    const int64_t bias = 1024;
    int64_t scaled = exponent * INT64_C(661971961083);
    if (is_three_quarters) scaled -= INT64_C(274743187321);
    return (int)(((scaled + bias * (INT64_C(1) << 41)) >> 41) - bias);
}

/* The neighbour below a power of two is half as far: is_lopsided. */
static print_interval interval_of(uint64_t mantissa, int exponent, bool is_lopsided)
{
    print_interval interval = {.low = 4 * mantissa - (is_lopsided ? 1 : 2),
                               .value = 4 * mantissa,
                               .high = 4 * mantissa + 2,
                               .exponent = exponent - 2,
                               .has_ends = (mantissa & 1) == 0,
                               .decimal_exponent = floor_log10_power_of_two(exponent, is_lopsided)};
    return interval;
}

/* The interval of a finite double above zero. */
static print_interval interval_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (biased == 0) return interval_of(fraction, -1074, false);
    return interval_of(fraction | UINT64_C(1) << 52, biased - 1075, fraction == 0 && biased > 1);
}

/* The interval of a finite float above zero. Text may be read as a double and then rounded to
 * float; a text within half a double's step of an excluded end would arrive on that end and round
 * the wrong way, so such ends move inwards by that half step, 2^-28 of the float's quarter step. */
static print_interval interval_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 23);
    uint32_t fraction = bits & ((UINT32_C(1) << 23) - 1);
    print_interval interval = biased == 0 ? interval_of(fraction, -149, false)
                                          : interval_of(fraction | UINT32_C(1) << 23, biased - 150,
                                                        fraction == 0 && biased > 1);
    const int extra_bits = 28;
    interval.low = (interval.low << extra_bits) + !interval.has_ends;
    interval.value <<= extra_bits;
    interval.high = (interval.high << extra_bits) - !interval.has_ends;
    interval.exponent -= extra_bits;
    return interval;
}

/* ---- comparing integers with the scaled interval ------------------------------------------------
 */

/* 2 * binary * 2^exponent / 10^decimal_exponent as 64.64 fixed point. */
typedef struct scaled_end {
    snw__u128 twice; /* high: whole, low: fraction, its last bit set if more follows */
    uint64_t binary;
    int exponent;
    int decimal_exponent;
} scaled_end;

static scaled_end scale_end(const print_interval *interval, uint64_t binary,
                            const snw__power *power)
{
    /* binary < 2^56, so that eight bits of head room become precision. */
    snw__u192 product = snw__multiply_128(power->bits, binary << 8);
    /* product * 2^(power + interval exponents - decimal_exponent - 8) is the quotient. It is wanted
     * times 2^65, in the place of the upper two words. Since the interval is between 1 and 10 wide
     * that is a right shift by a few bits. */
    int shift = -(power->exponent + interval->exponent - interval->decimal_exponent - 8 + 65 + 64);
    uint64_t lost = product.low | (product.middle & ((UINT64_C(1) << shift) - 1));
    scaled_end end = {{product.high >> shift,
                       product.high << (64 - shift) | product.middle >> shift | (lost != 0)},
                      binary,
                      interval->exponent,
                      interval->decimal_exponent};
    return end;
}

/* Sign of twice_integer / 2 - end. */
static int compare_integer(uint64_t twice_integer, const scaled_end *end)
{
    /* The power is short by less than 3 parts in 2^127 while twice the end is below 2^62, and the
     * cut takes less than 1: fewer than 4 units of the fraction are missing. */
    const uint64_t slack = 4;
    uint64_t difference = twice_integer - end->twice.high, fraction = end->twice.low;
    if (difference >> 63) return -1;
    if (difference > 1) return 1;
    if (difference == 0 && fraction) return -1;
    if (snw__power_is_exact(-end->decimal_exponent)) return (int)difference;
    if (difference == 1 && fraction <= UINT64_MAX - slack) return 1;
    snw__big integer;
    snw__big_set(&integer, twice_integer);
    return snw__big_compare_scaled(&integer, end->decimal_exponent, end->binary, end->exponent + 1);
}

/* ---- shortest digits ----------------------------------------------------------------------------
 */

typedef struct scaled_interval {
    scaled_end low, value, high;
    bool has_ends;
} scaled_interval;

static bool is_inside(uint64_t integer, const scaled_interval *interval)
{
    int above_low = compare_integer(2 * integer, &interval->low);
    int above_high = compare_integer(2 * integer, &interval->high);
    if (interval->has_ends) return above_low >= 0 && above_high <= 0;
    return above_low > 0 && above_high < 0;
}

static uint64_t floor_of(const scaled_end *value)
{
    uint64_t whole = value->twice.high / 2;
    return whole + (compare_integer(2 * whole + 2, value) <= 0);
}

static short_decimal shortest_in(const print_interval *interval)
{
    snw__power power = snw__power_of_five(-interval->decimal_exponent);
    scaled_interval scaled = {scale_end(interval, interval->low, &power),
                              scale_end(interval, interval->value, &power),
                              scale_end(interval, interval->high, &power), interval->has_ends};
    uint64_t whole = floor_of(&scaled.value), tens = whole / 10;
    short_decimal shortest = {tens, interval->decimal_exponent + 1};
    if (is_inside(10 * tens, &scaled)) return shortest;
    shortest.digits = tens + 1;
    if (is_inside(10 * tens + 10, &scaled)) return shortest;
    bool has_lower = is_inside(whole, &scaled), has_upper = is_inside(whole + 1, &scaled);
    bool is_upper = has_upper;
    if (has_lower == has_upper) {
        int side = compare_integer(2 * whole + 1, &scaled.value);
        is_upper = side < 0 || (side == 0 && (whole & 1));
    }
    return (short_decimal){whole + is_upper, interval->decimal_exponent};
}

/* Up to 15 digits, for 1e-8 <= value < 1e36: two different decimals of 15 digits are never the same
 * double, so one that reads back as `value` is the only one. True if there is one. */
static bool find_few_digits(double value, short_decimal *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int scale = 14 - floor_log10_power_of_two((int)(bits >> 52) - 1023, false);
    if (scale > 22 || scale < -22) return false;
    double scaled = scale >= 0 ? value * powers[scale] : value / powers[-scale];
    if (scaled >= 1e15) {
        if (--scale < -22) return false;
        scaled = scale >= 0 ? value * powers[scale] : value / powers[-scale];
    }
    uint64_t digits = (uint64_t)(scaled + 0.5);
    double back = scale >= 0 ? (double)digits / powers[scale] : (double)digits * powers[-scale];
    *out = (short_decimal){digits, -scale};
    return back == value;
}

static short_decimal without_trailing_zeros(short_decimal decimal)
{
    if (decimal.digits % 100000000 == 0) {
        decimal.digits /= 100000000;
        decimal.exponent += 8;
    }
    if (decimal.digits % 10000 == 0) {
        decimal.digits /= 10000;
        decimal.exponent += 4;
    }
    while (decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    return decimal;
}

/* ---- layout --------------------------------------------------------------------------------- */

/* Terminated digits * 10^exponent at `at`: plain from 1e-4 up to below 1e16, else d.ddde+xx. */
static int put_decimal(char *at, short_decimal decimal)
{
    char digits[20];
    int count = snw__digit_count(decimal.digits), point = count + decimal.exponent;
    snw__put_digits(digits, decimal.digits, count);
    char *start = at;
    bool is_plain = point > -4 && point <= 16;
    int before = is_plain ? point : 1; /* digits before the point */
    if (before <= 0) {
        memcpy(at, "0.000", 5);
        at += 2 - before;
        before = 0;
    }
    int whole = before < count ? before : count;
    memcpy(at, digits, (size_t)whole);
    at += whole;
    for (int zeros = before - whole; zeros > 0; zeros--)
        *at++ = '0';
    if (whole < count && whole > 0) *at++ = '.';
    memcpy(at, digits + whole, (size_t)(count - whole));
    at += count - whole;
    if (!is_plain) {
        int exponent = point - 1, size = exponent < 0 ? -exponent : exponent;
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        snw__put_digits(at, (uint64_t)size, size > 99 ? 3 : 2);
        at += size > 99 ? 3 : 2;
    }
    *at = 0;
    return (int)(at - start);
}

int snw_print_double(char buffer[SNW_NUMBER_SIZE], double value)
{
    int length = snw__put_not_finite(buffer, value);
    if (length) return length;
    length = snw__put_sign(buffer, value);
    double magnitude = fabs(value);
    short_decimal decimal = {0, 0};
    if (magnitude > 0) {
        if (!find_few_digits(magnitude, &decimal)) {
            print_interval interval = interval_of_double(magnitude);
            decimal = shortest_in(&interval);
        }
        decimal = without_trailing_zeros(decimal);
    }
    return length + put_decimal(buffer + length, decimal);
}

int snw_print_float(char buffer[SNW_NUMBER_SIZE], float value)
{
    int length = snw__put_not_finite(buffer, (double)value);
    if (length) return length;
    length = snw__put_sign(buffer, (double)value);
    short_decimal decimal = {0, 0};
    if (value != 0) {
        print_interval interval = interval_of_float(fabsf(value));
        decimal = without_trailing_zeros(shortest_in(&interval));
    }
    return length + put_decimal(buffer + length, decimal);
}
