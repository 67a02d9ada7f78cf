/* Numbers to text with a fixed number of decimals, exact to the last digit: halves go to the even
 * digit, as the C library does it. */
#include <string.h>

#include <sinew/base.h>

#include "base/number_big.h"
#include "base/number_text.h"
#include "base/number_wide.h"

enum {
    FIXED_MAX_DECIMALS = 17
};

/* round(mantissa * factor / 2^shift) for shift > 0, halves to even; mantissa * factor < 2^111 and
 * the result < 2^64. */
static uint64_t scale_fraction(uint64_t mantissa, uint64_t factor, int shift)
{
    if (shift > 112) return 0;
    snw__u128 product = snw__multiply(mantissa, factor);
    snw__u128 rest = product, half = {0, 0};
    uint64_t whole;
    if (shift > 64) {
        whole = product.high >> (shift - 64);
        rest.high &= (UINT64_C(1) << (shift - 64)) - 1;
        half.high = UINT64_C(1) << (shift - 65);
    } else {
        whole = shift == 64 ? product.high : product.high << (64 - shift) | product.low >> shift;
        rest.high = 0;
        if (shift < 64) rest.low &= (UINT64_C(1) << shift) - 1;
        half.low = UINT64_C(1) << (shift - 1);
    }
    bool is_half = rest.high == half.high && rest.low == half.low;
    bool is_above = rest.high > half.high || (rest.high == half.high && rest.low > half.low);
    return whole + (is_above || (is_half && (whole & 1)));
}

/* mantissa * 2^shift without decimals; returns the length. */
static int put_whole(char *at, uint64_t mantissa, int shift)
{
    enum {
        CHUNK_DIGITS = 9,
        CHUNK = 1000000000
    };
    uint32_t chunks[40]; /* 2^1024 has 309 digits, 35 chunks */
    int count = 0;
    snw__big big;
    snw__big_set(&big, mantissa);
    snw__big_shift_left(&big, shift);
    do {
        chunks[count++] = snw__big_divide(&big, CHUNK);
    } while (big.count);
    int length = snw__digit_count(chunks[--count]);
    snw__put_digits(at, chunks[count], length);
    for (; count > 0; length += CHUNK_DIGITS)
        snw__put_digits(at + length, chunks[--count], CHUNK_DIGITS);
    return length;
}

static int put_decimals(char *at, uint64_t fraction, int decimals)
{
    if (decimals == 0) return 0;
    at[0] = '.';
    snw__put_digits(at + 1, fraction, decimals);
    return 1 + decimals;
}

/* mantissa / 2^shift, shift > 0; returns the length. */
static int put_fractional(char *at, uint64_t mantissa, int shift, int decimals)
{
    uint64_t whole = shift < 64 ? mantissa >> shift : 0, fraction = 0, factor = 1;
    for (int n = 0; n < decimals; n++)
        factor *= 10;
    if (decimals == 0) {
        whole = scale_fraction(mantissa, 1, shift); /* a half looks at the whole part */
    } else {
        uint64_t below = shift < 64 ? mantissa - (whole << shift) : mantissa;
        fraction = scale_fraction(below, factor, shift);
        if (fraction == factor) {
            whole++;
            fraction = 0;
        }
    }
    int length = snw__digit_count(whole);
    snw__put_digits(at, whole, length);
    return length + put_decimals(at + length, fraction, decimals);
}

int snw_print_fixed(char buffer[SNW_NUMBER_SIZE], double value, int decimals)
{
    int length = snw__put_not_finite(buffer, value);
    if (length) return length;
    length = snw__put_sign(buffer, value);
    decimals = decimals < 0 ? 0 : decimals > FIXED_MAX_DECIMALS ? FIXED_MAX_DECIMALS : decimals;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (biased) mantissa |= UINT64_C(1) << 52;
    int exponent = (biased ? biased : 1) - 1075;
    if (exponent < 0) {
        length += put_fractional(buffer + length, mantissa, -exponent, decimals);
    } else {
        length += put_whole(buffer + length, mantissa, exponent);
        length += put_decimals(buffer + length, 0, decimals);
    }
    buffer[length] = 0;
    return length;
}
