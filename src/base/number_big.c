/* Long unsigned integers, only as much as number text needs when 128 bits do not decide. */
#include "base/number_big.h"

#include <stdbool.h>
#include <string.h>

void snw__big_set(snw__big *big, uint64_t value)
{
    big->words[0] = (uint32_t)value;
    big->words[1] = (uint32_t)(value >> 32);
    big->count = value >> 32 ? 2 : value ? 1 : 0;
}

void snw__big_multiply_add(snw__big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int n = 0; n < big->count; n++) {
        carry += (uint64_t)big->words[n] * factor;
        big->words[n] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) big->words[big->count++] = (uint32_t)carry;
}

void snw__big_shift_left(snw__big *big, int bits)
{
    if (big->count == 0) return;
    int words = bits / 32;
    memmove(big->words + words, big->words, (size_t)big->count * sizeof big->words[0]);
    memset(big->words, 0, (size_t)words * sizeof big->words[0]);
    big->count += words;
    snw__big_multiply_add(big, UINT32_C(1) << bits % 32, 0);
}

uint32_t snw__big_divide(snw__big *big, uint32_t divisor)
{
    uint64_t remainder = 0;
    for (int n = big->count; n-- > 0;) {
        remainder = remainder << 32 | big->words[n];
        big->words[n] = (uint32_t)(remainder / divisor);
        remainder %= divisor;
    }
    while (big->count > 0 && big->words[big->count - 1] == 0)
        big->count--;
    return (uint32_t)remainder;
}

int snw__big_compare_scaled(snw__big *decimal, int e10, uint64_t binary, int e2)
{
    /* decimal * 5^e10 against binary * 2^(e2 - e10), each factor on the side where it is whole. */
    snw__big other;
    snw__big_set(&other, binary);
    snw__big *big = e10 >= 0 ? decimal : &other;
    int exponent = e10 >= 0 ? e10 : -e10;
    const uint32_t five_13 = 1220703125; /* 5^13, the largest below 2^32 */
    for (; exponent >= 13; exponent -= 13)
        snw__big_multiply_add(big, five_13, 0);
    for (; exponent > 0; exponent--)
        snw__big_multiply_add(big, 5, 0);
    int shift = e2 - e10;
    bool is_left = shift < 0;
    snw__big_shift_left(is_left ? decimal : &other, is_left ? -shift : shift);
    if (decimal->count != other.count) return decimal->count < other.count ? -1 : 1;
    for (int n = decimal->count; n-- > 0;)
        if (decimal->words[n] != other.words[n]) return decimal->words[n] < other.words[n] ? -1 : 1;
    return 0;
}
