/* 64 x 64 -> 128 bit multiplication and leading zeros, for the number text code. Internal.
 *
 * The portable form is always compiled, so that a test can compare it with the compiler's own. */
#ifndef SNW_BASE_NUMBER_WIDE_H
#define SNW_BASE_NUMBER_WIDE_H

#include <stdint.h>

typedef struct snw__u128 {
    uint64_t high, low;
} snw__u128;

static inline snw__u128 snw__multiply_portable(uint64_t a, uint64_t b)
{
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32;
    uint64_t b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t carry = a_low * b_high + (middle & UINT32_MAX);
    snw__u128 product = {a_high * b_high + (middle >> 32) + (carry >> 32),
                         (carry << 32) | (low & UINT32_MAX)};
    return product;
}

static inline snw__u128 snw__multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 native;
    native wide = (native)a * b;
    snw__u128 product = {(uint64_t)(wide >> 64), (uint64_t)wide};
    return product;
#else
    return snw__multiply_portable(a, b);
#endif
}

static inline int snw__leading_zeros_portable(uint64_t value)
{
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2) {
        if (value >> (64 - step)) continue;
        zeros += step;
        value <<= step;
    }
    return zeros;
}

/* Of a value that is not zero. */
static inline int snw__leading_zeros(uint64_t value)
{
#if defined(__GNUC__)
    return __builtin_clzll(value);
#else
    return snw__leading_zeros_portable(value);
#endif
}

/* (a 128 bit) * (b 64 bit), 192 bits from the most significant word down. */
typedef struct snw__u192 {
    uint64_t high, middle, low;
} snw__u192;

static inline snw__u192 snw__multiply_128(snw__u128 a, uint64_t b)
{
    snw__u128 upper = snw__multiply(a.high, b);
    snw__u128 lower = snw__multiply(a.low, b);
    snw__u192 product = {upper.high, upper.low + lower.high, lower.low};
    product.high += product.middle < upper.low;
    return product;
}

#endif
