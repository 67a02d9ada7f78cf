/* Exact comparison of a decimal with a binary number, by long integers on the stack. Internal. */
#ifndef SNW_BASE_NUMBER_BIG_H
#define SNW_BASE_NUMBER_BIG_H

#include <stdint.h>

/* More decimal digits than any midpoint between two doubles has (767), and one: digits behind that
 * cannot decide anything but "a little more". */
enum {
    SNW__BIG_DIGITS = 768
};

/* Words of 32 bits. The largest numbers compared are a text of 769 digits and its neighbour of like
 * size, (2 * 2^53 + 1) * 5^1095 * 2^20 at most: below 2700 bits. */
enum {
    SNW__BIG_WORDS = 96
};

/* Little-endian; no leading zero words; zero has count 0. */
typedef struct snw__big {
    int count;
    uint32_t words[SNW__BIG_WORDS];
} snw__big;

void snw__big_set(snw__big *big, uint64_t value);
/* big = big * factor + addend */
void snw__big_multiply_add(snw__big *big, uint32_t factor, uint32_t addend);
void snw__big_shift_left(snw__big *big, int bits);
/* big = big / divisor; returns the remainder. */
uint32_t snw__big_divide(snw__big *big, uint32_t divisor);

/* Sign of decimal * 10^e10 - binary * 2^e2. Uses up `decimal`. */
int snw__big_compare_scaled(snw__big *decimal, int e10, uint64_t binary, int e2);

#endif
