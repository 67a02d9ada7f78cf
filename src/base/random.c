/* PCG-XSH-RR 64/32: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
 * Algorithms for Random Number Generation", HMC-CS-2014-0905. */
#include <math.h>

#include <sinew/base.h>

#include "base/elementary.h"

#define PCG_MULTIPLIER 6364136223846793005ULL

uint32_t snw_random_u32(snw_random *random)
{
    uint64_t old = random->state;
    random->state = old * PCG_MULTIPLIER + random->increment;
    uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t rotation = (uint32_t)(old >> 59);
    return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
}

snw_random snw_random_seed(uint64_t seed, uint64_t stream)
{
    snw_random random = {0, (stream << 1) | 1};
    snw_random_u32(&random);
    random.state += seed;
    snw_random_u32(&random);
    return random;
}

uint32_t snw_random_below(snw_random *random, uint32_t bound)
{
    if (bound == 0) return 0;
    /* Reject the incomplete last run of `bound` numbers so that all remainders are equally likely.
     */
    uint32_t threshold = (0u - bound) % bound;
    for (;;) {
        uint32_t value = snw_random_u32(random);
        if (value >= threshold) return value % bound;
    }
}

double snw_random_unit(snw_random *random)
{
    uint64_t high = snw_random_u32(random) >> 5;
    uint64_t low = snw_random_u32(random) >> 6;
    return (double)((high << 26) | low) * 0x1p-53;
}

double snw_random_range(snw_random *random, double low, double high)
{
    return low + (high - low) * snw_random_unit(random);
}

double snw_random_normal(snw_random *random)
{
    double radius = sqrt(-2.0 * snw__log(1.0 - snw_random_unit(random)));
    return radius * snw__cos(6.283185307179586477 * snw_random_unit(random));
}
