/* Curves in time that start and stop gently, and random numbers by place. */
#include "synth/stage.h"
#include "synth/synth_constants.h"

/* The finalizer of SplitMix64 (Steele, Lea & Flood 2014): every bit of the input moves every bit
 * of the result. */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

snw_random snw__synth_random(uint64_t seed, snw__synth_purpose purpose, int first, int second)
{
    uint64_t where = mix(seed);
    where = mix(where ^ (uint64_t)purpose);
    where = mix(where ^ (uint64_t)(int64_t)first);
    where = mix(where ^ (uint64_t)(int64_t)second);
    return snw_random_seed(where, mix(where));
}

double snw__ease(double u)
{
    u = snw_clamp(u, 0, 1);
    return u * u * u * (10 + u * (6 * u - 15));
}

double snw__travel(double u)
{
    u = snw_clamp(u, 0, 1);
    if (u > 0.5) return 1 - snw__travel(1 - u);
    double full_speed = 1 / (1 - TRAVEL_RAMP);
    if (u >= TRAVEL_RAMP) return full_speed * (u - 0.5 * TRAVEL_RAMP);
    double r = u / TRAVEL_RAMP;
    return full_speed * TRAVEL_RAMP * r * r * r * (1 - 0.5 * r);
}

double snw__bump(double u)
{
    u = snw_clamp(u, 0, 1);
    double lobe = 4 * u * (1 - u);
    return lobe * lobe * lobe;
}

double snw__keyed(const snw__key *keys, int count, double at)
{
    if (at <= keys[0].at) return keys[0].value;
    for (int i = 1; i < count; i++) {
        if (at > keys[i].at) continue;
        double u = (at - keys[i - 1].at) / (keys[i].at - keys[i - 1].at);
        return keys[i - 1].value + (keys[i].value - keys[i - 1].value) * snw__ease(u);
    }
    return keys[count - 1].value;
}
