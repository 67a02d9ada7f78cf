/* Text to numbers, correctly rounded, whatever the locale.
 *
 * Three roads, each taken only where it is proved right:
 *   1. up to 2^53 and a power of ten up to 22: one rounded operation on two exact doubles
 *      (Clinger, How to read floating point numbers accurately, 1990);
 *   2. 19 digits times a 128-bit power of ten, if the error cannot reach the rounding midpoint
 *      (the idea of Lemire, Number parsing at a gigabyte per second, 2021);
 *   3. comparison with the midpoint in long integers, all digits considered. */
#include <math.h>
#include <string.h>

#include <sinew/base.h>

#include "base/number_big.h"
#include "base/number_power.h"

/* What the text says: digits * 10^exponent, with the digits behind the 19th left out. */
typedef struct decimal_text {
    const char *digits; /* first significant digit */
    const char *stop;   /* after the last digit (or the point) of the mantissa */
    uint64_t leading;   /* value of the first 19 significant digits */
    int count;          /* significant digits in `leading` */
    int64_t exponent;   /* of ten, for `leading` */
    bool is_cut;        /* a digit that is not zero was left out */
} decimal_text;

enum {
    PARSE_LEADING_DIGITS = 19,   /* 10^19 < 2^64 */
    PARSE_MAX_EXPONENT_10 = 310, /* 1e310 is above every double */
    PARSE_MIN_EXPONENT_10 = -345 /* 10^19 * 1e-345 is below half the smallest double */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits from `at`; the exponent falls by one for each kept digit behind the point, and grows by
 * one for each left out before it. */
static const char *read_digits(const char *at, const char *end, bool is_fraction, decimal_text *out)
{
    for (; at < end && is_digit(*at); at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (out->count < PARSE_LEADING_DIGITS) {
            out->exponent -= is_fraction;
            if (out->count == 0 && digit == 0) continue;
            if (out->count == 0) out->digits = at;
            out->leading = out->leading * 10 + digit;
            out->count++;
        } else {
            out->exponent += !is_fraction;
            out->is_cut |= digit != 0;
        }
    }
    return at;
}

/* An exponent at `at`, or nothing: "1e" and "1e+" are the number 1 with text behind it. */
static const char *read_exponent(const char *at, const char *end, int64_t *exponent)
{
    if (at == end || (*at != 'e' && *at != 'E')) return at;
    const char *digit = at + 1;
    bool is_negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+')) digit++;
    if (digit == end || !is_digit(*digit)) return at;
    int64_t value = 0;
    for (; digit < end && is_digit(*digit); digit++)
        if (value < INT64_C(100000000000000000)) value = value * 10 + (*digit - '0');
    *exponent += is_negative ? -value : value;
    return digit;
}

static bool starts_with_word(const char *text, const char *end, const char *word)
{
    for (; *word; word++, text++)
        if (text == end || (*text | 0x20) != *word) return false;
    return true;
}

/* mantissa * 2^exponent for a mantissa of at most 53 bits and an exponent of at least -1074; a
 * mantissa of 2^53, from rounding up, is as good. */
static double compose(uint64_t mantissa, int exponent)
{
    if (mantissa >> 53) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent > 971) return (double)INFINITY;
    uint64_t bits = mantissa;
    if (mantissa >> 52) bits += (uint64_t)(exponent + 1074) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Sign of the text's value - (2 mantissa + 1) * 2^(exponent - 1). */
static int compare_with_midpoint(const decimal_text *text, uint64_t mantissa, int exponent)
{
    snw__big digits;
    snw__big_set(&digits, 0);
    int count = 0;
    bool has_more = false;
    int64_t e10 = text->exponent + text->count;
    for (const char *at = text->digits; at < text->stop; at++) {
        if (*at == '.') continue;
        if (count < SNW__BIG_DIGITS) {
            snw__big_multiply_add(&digits, 10, (uint32_t)(*at - '0'));
            count++;
        } else {
            has_more |= *at != '0';
        }
    }
    if (has_more) {
        snw__big_multiply_add(&digits, 10, 1);
        count++;
    }
    return snw__big_compare_scaled(&digits, (int)(e10 - count), 2 * mantissa + 1, exponent - 1);
}

/* `bits` cut at `shift` (65..128) is above + rest; the true rest lies in [rest, rest + slack]. Says
 * whether it is below (-1) or above (1) one half, or cannot be known from this (0). */
static int compare_rest_with_half(snw__u128 bits, int shift, bool is_cut)
{
    /* In the last of 128 places the power is short by less than 3 and the cut of the product by 1;
     * normalizing doubles that. Left-out digits add one to a number of at least 10^18, which is
     * below 32 in the last place of the high word. */
    const uint64_t slack_low = 8, slack_high = is_cut ? 32 : 0;
    uint64_t half = UINT64_C(1) << (shift - 65);
    uint64_t rest = bits.high & (2 * half - 1);
    if (rest >= half) return rest == half && bits.low == 0 ? 0 : 1;
    uint64_t gap_high = half - rest - (bits.low != 0), gap_low = 0 - bits.low;
    if (gap_high < slack_high || (gap_high == slack_high && gap_low <= slack_low)) return 0;
    return -1;
}

static double magnitude_of(const decimal_text *text)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (text->leading == 0) return 0;
    if (text->leading <= UINT64_C(1) << 53 && text->exponent >= -22 && text->exponent <= 22) {
        if (text->exponent < 0) return (double)text->leading / powers[-text->exponent];
        return (double)text->leading * powers[text->exponent];
    }
    if (text->exponent > PARSE_MAX_EXPONENT_10) return (double)INFINITY;
    if (text->exponent < PARSE_MIN_EXPONENT_10) return 0;
    /* Roads 2 and 3. */
    int zeros = snw__leading_zeros(text->leading), e10 = (int)text->exponent;
    snw__power power = snw__power_of_five(e10);
    snw__u192 product = snw__multiply_128(power.bits, text->leading << zeros);
    int exponent = power.exponent + e10 - zeros + 64; /* of two, for bits */
    snw__u128 bits = {product.high, product.middle};
    if (!(bits.high >> 63)) {
        bits.high = bits.high << 1 | bits.low >> 63;
        bits.low = bits.low << 1 | product.low >> 63;
        exponent--;
    }
    int last = exponent + 128 - 53; /* exponent of the result's last bit */
    if (last < -1074) last = -1074;
    int shift = last - exponent;
    if (shift > 130) return 0;
    uint64_t mantissa = shift < 128 ? bits.high >> (shift - 64) : 0;
    int side = shift <= 128 ? compare_rest_with_half(bits, shift, text->is_cut) : 0;
    if (side == 0) side = compare_with_midpoint(text, mantissa, last);
    if (side == 0) side = mantissa & 1 ? 1 : -1;
    return compose(mantissa + (side > 0), last);
}

static const char *read_magnitude(const char *text, const char *end, double *magnitude)
{
    decimal_text decimal = {text, text, 0, 0, 0, false};
    const char *at = read_digits(text, end, false, &decimal);
    bool has_digit = at > text;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        const char *after = read_digits(fraction, end, true, &decimal);
        if (!has_digit && after == fraction) return NULL;
        has_digit = true;
        at = after;
    }
    if (!has_digit) {
        if (starts_with_word(text, end, "inf")) {
            *magnitude = (double)INFINITY;
            return text + (starts_with_word(text, end, "infinity") ? 8 : 3);
        }
        if (!starts_with_word(text, end, "nan")) return NULL;
        *magnitude = (double)NAN;
        return text + 3;
    }
    decimal.stop = at;
    at = read_exponent(at, end, &decimal.exponent);
    *magnitude = magnitude_of(&decimal);
    return at;
}

const char *snw_parse_double(const char *text, const char *end, double *value)
{
    bool is_negative = text < end && *text == '-';
    const char *start = text + (text < end && (*text == '-' || *text == '+'));
    double magnitude;
    const char *after = read_magnitude(start, end, &magnitude);
    if (after) *value = is_negative ? -magnitude : magnitude;
    return after;
}

const char *snw_parse_int64(const char *text, const char *end, int64_t *value)
{
    bool is_negative = text < end && *text == '-';
    const char *start = text + (text < end && (*text == '-' || *text == '+'));
    const uint64_t limit = (uint64_t)INT64_MAX + is_negative;
    uint64_t magnitude = 0;
    const char *at = start;
    for (; at < end && is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (magnitude > (limit - digit) / 10) return NULL;
        magnitude = magnitude * 10 + digit;
    }
    if (at == start) return NULL;
    *value = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return at;
}
