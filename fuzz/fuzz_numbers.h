/* Numbers out of fuzz bytes, for targets that take data in memory and not text: ordinary ones
 * mostly, extreme ones now and then, zeros after the end. */
#ifndef SNW_FUZZ_NUMBERS_H
#define SNW_FUZZ_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;

static inline unsigned fuzz_byte(fuzz_bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

/* One input in `n`, and another one after any change of it: for what takes long and would be tried
 * again and again because it finds much. */
static inline bool fuzz_is_one_in(unsigned n, const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    for (size_t k = 0; k < size; k++)
        sum += data[k];
    return sum % n == 0;
}

/* 0..count - 1 */
static inline int fuzz_below(fuzz_bytes *bytes, int count)
{
    return (int)(fuzz_byte(bytes) % (unsigned)count);
}

/* In [-1, 1]; one byte in 16 makes it extreme. */
static inline double fuzz_number(fuzz_bytes *bytes)
{
    static const double extreme[16] = {NAN,    INFINITY, -INFINITY, 0,     -0.0, 5e-324,
                                       1e-300, 1e-9,     1e-3,      10,    1e4,  -1e15,
                                       1e100,  1e154,    1e300,     -1e308};
    unsigned first = fuzz_byte(bytes), second = fuzz_byte(bytes);
    if (first >= 0xf0) return extreme[second % 16];
    return ((double)(first << 8 | second) - 0x7800) / 0x7800;
}

static inline snw_vec3 fuzz_vector(fuzz_bytes *bytes)
{
    double x = fuzz_number(bytes), y = fuzz_number(bytes), z = fuzz_number(bytes);
    return snw_vec3_make(x, y, z);
}

/* Allocations are counted; a step may make none. */
typedef struct fuzz_counter {
    long calls, live;
} fuzz_counter;

static inline void *fuzz_allocate(void *context, size_t size)
{
    fuzz_counter *counter = (fuzz_counter *)context;
    counter->calls++;
    counter->live++;
    return malloc(size);
}

static inline void fuzz_release(void *context, void *memory, size_t size)
{
    (void)size;
    ((fuzz_counter *)context)->live--;
    free(memory);
}

static inline snw_allocator fuzz_hook(fuzz_counter *counter)
{
    snw_allocator allocator = {fuzz_allocate, fuzz_release, counter};
    return allocator;
}

/* Finite, and unit rotations. */
static inline void fuzz_check_pose(const snw_pose *pose)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        snw_quat q = pose->rotation[j];
        if (!(fabs(snw_quat_dot(q, q) - 1) < 1e-6)) abort();
        if (!snw_vec3_is_finite(pose->slide[j])) abort();
        if (!snw_quat_is_finite(pose->world[j].rotation)) abort();
        if (!snw_vec3_is_finite(pose->world[j].translation)) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any limit of a joint. */
static inline void fuzz_limit(fuzz_bytes *bytes, snw_joint_limit *limit)
{
    unsigned what = fuzz_byte(bytes);
    limit->has_range[0] = what & 1;
    limit->has_range[1] = what & 2;
    limit->has_twist = what & 4;
    limit->swing = (snw_swing_limit)(what >> 4 & 3);
    for (int k = 0; k < 2; k++) {
        limit->range[k][0] = -fabs(fuzz_number(bytes));
        limit->range[k][1] = fabs(fuzz_number(bytes));
    }
    for (int k = 0; k < 4; k++)
        limit->cone[k] = fabs(fuzz_number(bytes)) * 3;
    limit->twist[0] = -fabs(fuzz_number(bytes));
    limit->twist[1] = fabs(fuzz_number(bytes));
    limit->window_count = fuzz_below(bytes, 6);
    for (int k = 0; k < limit->window_count; k++)
        for (int c = 0; c < 2; c++)
            limit->window[k][c] = 2 * fuzz_number(bytes);
}

#endif
