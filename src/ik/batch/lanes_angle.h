/* Sine, cosine and arc tangent of eight floats at once. Internal, for the batch kernels.
 *
 * Element-wise IEEE operations only, as all of lanes.h, so every build gives the same bits. The
 * polynomials are those of Cephes (Moshier 1989, sinf.c, cosf.c, atanf.c): errors below 2e-7 for
 * angles up to some hundred radians. */
#ifndef SNW_IK_LANES_ANGLE_H
#define SNW_IK_LANES_ANGLE_H

#include "ik/batch/lanes.h"

#if defined(SNW__LANES_INLINE)

typedef struct snw__lanes_turn {
    snw__f8 sine, cosine;
} snw__lanes_turn;

/* Adding and taking off 1.5 2^23 rounds to the nearest whole number. */
SNW__LANES_INLINE snw__f8 snw__f8_round(snw__f8 a)
{
    snw__f8 shift = snw__f8_set(12582912.0f);
    return (a + shift) - shift;
}

SNW__LANES_INLINE snw__lanes_turn snw__lanes_sincos(snw__f8 angle)
{
    /* A quarter turn in three parts, the first two with few bits: products with small whole
     * numbers are exact (Cody and Waite 1980). */
    snw__f8 quarters = snw__f8_round(angle * 0.636619772f);
    snw__f8 x = ((angle - quarters * 1.5703125f) - quarters * 4.837512969970703125e-4f) -
                quarters * 7.549789954891882e-8f;
    snw__f8 z = x * x;
    snw__f8 sine = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
    snw__f8 cosine =
        ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z -
        0.5f * z + 1.0f;
    snw__i8 count = __builtin_convertvector(quarters, snw__i8);
    snw__i8 is_odd = (count & 1) != 0, is_far = (count & 2) != 0;
    snw__f8 s = snw__f8_pick(is_odd, cosine, sine), c = snw__f8_pick(is_odd, sine, cosine);
    snw__i8 is_minus = is_odd ^ is_far; /* the cosine: second and third quarter */
    return (snw__lanes_turn){snw__f8_pick(is_far, -s, s), snw__f8_pick(is_minus, -c, c)};
}

/* atan2(y, x) of numbers that are not negative and not both zero. */
SNW__LANES_INLINE snw__f8 snw__lanes_atan(snw__f8 y, snw__f8 x)
{
    snw__i8 is_steep = y > x;
    snw__f8 t = snw__f8_pick(is_steep, x, y) / snw__f8_pick(is_steep, y, x);
    snw__i8 is_middle = t > 0.414213562f; /* tan(pi / 8) */
    snw__f8 u = snw__f8_pick(is_middle, (t - 1.0f) / (t + 1.0f), t);
    snw__f8 z = u * u;
    snw__f8 angle = (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z -
                     3.33329491539e-1f) *
                        z * u +
                    u;
    angle = snw__f8_pick(is_middle, angle + 0.785398163f, angle);
    return snw__f8_pick(is_steep, 1.57079633f - angle, angle);
}

#endif
#endif
