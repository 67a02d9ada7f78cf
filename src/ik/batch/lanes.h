/* Eight floats at once, vectors and quaternions of them, and their angles. Internal, for the batch
 * kernels.
 *
 * Plain element-wise IEEE operations and nothing else, so the same source gives the same bits
 * whether the compiler turns them into AVX-512, AVX2, SSE, NEON or scalar instructions. Everything
 * is forced inline: a function that is compiled for AVX2 then has its own copy of all of it. */
#ifndef SNW_IK_LANES_H
#define SNW_IK_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    SNW__LANES = 8
};

/* Instructions that a kernel was compiled for. Eight floats fill half a register of AVX-512: what
 * counts there are twice the registers and choices without a mask in memory. */
typedef enum snw__lanes_set {
    SNW__LANES_PORTABLE, /* what the whole library is compiled for: SSE2, NEON, scalars */
    SNW__LANES_AVX2,
    SNW__LANES_AVX512
} snw__lanes_set;

/* The best that this machine has. */
static inline snw__lanes_set snw__lanes_best(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return SNW__LANES_AVX512;
    if (__builtin_cpu_supports("avx2")) return SNW__LANES_AVX2;
#endif
    return SNW__LANES_PORTABLE;
}

#if defined(__GNUC__)
/* About the calling convention of 32-byte vectors, which inlined functions do not have. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define SNW__LANES_INLINE static inline __attribute__((always_inline))
/* One source, several builds: `name` runs `body` on a `type`, compiled for the set that is asked
 * for. */
#if defined(__x86_64__) || defined(__i386__)
#define SNW__LANES_BUILDS(name, type, body)                                                  \
    static void name##_portable(type *work)                                                  \
    {                                                                                        \
        body(work);                                                                          \
    }                                                                                        \
    __attribute__((target("avx2"))) static void name##_avx2(type *work)                      \
    {                                                                                        \
        body(work);                                                                          \
    }                                                                                        \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))) static void name##_avx512( \
        type *work)                                                                          \
    {                                                                                        \
        body(work);                                                                          \
    }                                                                                        \
    void name(type *work, snw__lanes_set set)                                                \
    {                                                                                        \
        if (set == SNW__LANES_AVX512)                                                        \
            name##_avx512(work);                                                             \
        else if (set == SNW__LANES_AVX2)                                                     \
            name##_avx2(work);                                                               \
        else                                                                                 \
            name##_portable(work);                                                           \
    }
#else
#define SNW__LANES_BUILDS(name, type, body)   \
    void name(type *work, snw__lanes_set set) \
    {                                         \
        (void)set;                            \
        body(work);                           \
    }
#endif
/* Aligned as any allocator aligns. */
typedef float snw__f8 __attribute__((vector_size(32), aligned(16)));
typedef int32_t snw__i8 __attribute__((vector_size(32), aligned(16)));
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

SNW__LANES_INLINE snw__f8 snw__f8_set(float value)
{
    return (snw__f8){value, value, value, value, value, value, value, value};
}

SNW__LANES_INLINE snw__f8 snw__f8_sqrt(snw__f8 a)
{
#if defined(__SSE2__)
    __m128 half[2];
    memcpy(half, &a, sizeof half);
    half[0] = _mm_sqrt_ps(half[0]);
    half[1] = _mm_sqrt_ps(half[1]);
    memcpy(&a, half, sizeof half);
#else
    for (int k = 0; k < SNW__LANES; k++)
        a[k] = sqrtf(a[k]);
#endif
    return a;
}

/* a where the mask is set, else b. */
SNW__LANES_INLINE snw__f8 snw__f8_pick(snw__i8 mask, snw__f8 a, snw__f8 b)
{
    return (snw__f8)((mask & (snw__i8)a) | (~mask & (snw__i8)b));
}

SNW__LANES_INLINE bool snw__i8_any(snw__i8 mask)
{
    int32_t any = 0;
    for (int k = 0; k < SNW__LANES; k++)
        any |= mask[k];
    return any != 0;
}

typedef struct snw__lanes3 {
    snw__f8 x, y, z;
} snw__lanes3;

typedef struct snw__lanes4 {
    snw__f8 w, x, y, z;
} snw__lanes4;

SNW__LANES_INLINE snw__lanes3 snw__lanes3_set(float x, float y, float z)
{
    return (snw__lanes3){snw__f8_set(x), snw__f8_set(y), snw__f8_set(z)};
}

SNW__LANES_INLINE snw__lanes3 snw__lanes3_add(snw__lanes3 a, snw__lanes3 b)
{
    return (snw__lanes3){a.x + b.x, a.y + b.y, a.z + b.z};
}

SNW__LANES_INLINE snw__lanes3 snw__lanes3_sub(snw__lanes3 a, snw__lanes3 b)
{
    return (snw__lanes3){a.x - b.x, a.y - b.y, a.z - b.z};
}

SNW__LANES_INLINE snw__lanes3 snw__lanes3_scale(snw__lanes3 a, snw__f8 s)
{
    return (snw__lanes3){a.x * s, a.y * s, a.z * s};
}

/* a + s b */
SNW__LANES_INLINE snw__lanes3 snw__lanes3_add_scaled(snw__lanes3 a, snw__f8 s, snw__lanes3 b)
{
    return (snw__lanes3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

SNW__LANES_INLINE snw__f8 snw__lanes3_dot(snw__lanes3 a, snw__lanes3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SNW__LANES_INLINE snw__lanes3 snw__lanes3_cross(snw__lanes3 a, snw__lanes3 b)
{
    return (snw__lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

SNW__LANES_INLINE snw__f8 snw__lanes3_length(snw__lanes3 a)
{
    return snw__f8_sqrt(snw__lanes3_dot(a, a));
}

SNW__LANES_INLINE snw__lanes3 snw__lanes3_pick(snw__i8 mask, snw__lanes3 a, snw__lanes3 b)
{
    return (snw__lanes3){snw__f8_pick(mask, a.x, b.x), snw__f8_pick(mask, a.y, b.y),
                         snw__f8_pick(mask, a.z, b.z)};
}

SNW__LANES_INLINE snw__lanes4 snw__lanes4_pick(snw__i8 mask, snw__lanes4 a, snw__lanes4 b)
{
    return (snw__lanes4){snw__f8_pick(mask, a.w, b.w), snw__f8_pick(mask, a.x, b.x),
                         snw__f8_pick(mask, a.y, b.y), snw__f8_pick(mask, a.z, b.z)};
}

SNW__LANES_INLINE snw__lanes4 snw__lanes4_mul(snw__lanes4 a, snw__lanes4 b)
{
    return (snw__lanes4){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                         a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                         a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

SNW__LANES_INLINE snw__lanes3 snw__lanes4_rotate(snw__lanes4 q, snw__lanes3 v)
{
    snw__lanes3 u = {q.x, q.y, q.z};
    snw__lanes3 t = snw__lanes3_scale(snw__lanes3_cross(u, v), snw__f8_set(2.0f));
    return snw__lanes3_add(snw__lanes3_add_scaled(v, q.w, t), snw__lanes3_cross(u, t));
}

SNW__LANES_INLINE snw__lanes3 snw__lanes4_unrotate(snw__lanes4 q, snw__lanes3 v)
{
    return snw__lanes4_rotate((snw__lanes4){q.w, -q.x, -q.y, -q.z}, v);
}

/* ---- sine, cosine and arc tangent ------------------------------------------------------------
 *
 * The polynomials are those of Cephes (Moshier 1989, sinf.c, cosf.c, atanf.c): errors below 2e-7
 * for angles up to some hundred radians. */

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

#endif /* __GNUC__ */
#endif
