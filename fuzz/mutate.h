/* Changes that know what a format's bytes mean: blind ones rarely get past lengths, counts and
 * brackets that must agree. A target that includes this defines LLVMFuzzerCustomMutator; libFuzzer
 * calls it, and so does replay.c. */
#ifndef SNW_FUZZ_MUTATE_H
#define SNW_FUZZ_MUTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* splitmix64, Steele et al. 2014; below `below`, which is not 0. */
static inline uint32_t mutate_draw(uint64_t *state, size_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) % below);
}

/* Bytes from `at` on, `gone` of them, become `size` others; nothing where there is no room. */
static inline size_t mutate_splice(uint8_t *data, size_t whole, size_t max_size, size_t at,
                                   size_t gone, const void *bytes, size_t size)
{
    if (at > whole || gone > whole - at || whole - gone + size > max_size) return whole;
    memmove(data + at + size, data + at + gone, whole - at - gone);
    if (size) memcpy(data + at, bytes, size);
    return whole - gone + size;
}

/* A little-endian or big-endian integer of 1, 2 or 4 bytes. */
static inline void mutate_put(uint8_t *data, uint32_t value, int width, bool is_big)
{
    for (int k = 0; k < width; k++)
        data[is_big ? width - 1 - k : k] = (uint8_t)(value >> 8 * k);
}

/* Counts and words at whose edges readers break. */
static inline uint32_t mutate_edge(uint64_t *state)
{
    static const uint32_t edges[] = {0,          1,          2,          3,          7,
                                     16,         127,        128,        255,        256,
                                     4096,       32767,      32768,      65535,      65536,
                                     1 << 24,    0x3f800000, 0x7f800000, 0x7fc00000, 0x7fffffff,
                                     0x80000000, 0xff800000, 0xfffffffe, 0xffffffff};
    return edges[mutate_draw(state, sizeof edges / sizeof *edges)];
}

#endif
