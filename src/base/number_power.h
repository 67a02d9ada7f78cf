/* Powers of five to 128 bits, on which both directions of number text stand. Internal. */
#ifndef SNW_BASE_NUMBER_POWER_H
#define SNW_BASE_NUMBER_POWER_H

#include <stdbool.h>

#include "base/number_wide.h"

/* 5^e = (bits + error) * 2^exponent with the top bit of `bits` set and 0 <= error < 3. The error is
 * 0 for 0 <= e <= SNW__POWER_EXACT, because 5^55 < 2^128. */
typedef struct snw__power {
    snw__u128 bits;
    int exponent;
} snw__power;

enum {
    SNW__POWER_MIN = -351,
    SNW__POWER_MAX = 350,
    SNW__POWER_EXACT = 55,
};

/* For SNW__POWER_MIN <= e <= SNW__POWER_MAX. */
snw__power snw__power_of_five(int e);

static inline bool snw__power_is_exact(int e)
{
    return e >= 0 && e <= SNW__POWER_EXACT;
}

#endif
