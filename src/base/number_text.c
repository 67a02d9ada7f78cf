/* Digits into a buffer. */
#include "base/number_text.h"

#include <math.h>
#include <string.h>

#include "base/number_wide.h"

int snw__digit_count(uint64_t value)
{
    static const uint64_t powers[20] = {0,
                                        10,
                                        100,
                                        1000,
                                        10000,
                                        100000,
                                        1000000,
                                        10000000,
                                        100000000,
                                        1000000000,
                                        10000000000,
                                        100000000000,
                                        1000000000000,
                                        10000000000000,
                                        100000000000000,
                                        1000000000000000,
                                        10000000000000000,
                                        100000000000000000,
                                        1000000000000000000,
                                        UINT64_C(10000000000000000000)};
    /* 1233 / 4096 is a little above log10(2): the guess is right or one too large. */
    int guess = (64 - snw__leading_zeros(value | 1)) * 1233 >> 12;
    return guess + (value >= powers[guess]);
}

void snw__put_digits(char *at, uint64_t value, int count)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    while (count >= 2) {
        count -= 2;
        memcpy(at + count, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (count) at[0] = (char)('0' + value % 10);
}

int snw__put_sign(char *at, double value)
{
    if (!signbit(value)) return 0;
    at[0] = '-';
    return 1;
}

int snw__put_not_finite(char *buffer, double value)
{
    if (isfinite(value)) return 0;
    int length = isnan(value) ? 0 : snw__put_sign(buffer, value);
    memcpy(buffer + length, isnan(value) ? "nan" : "inf", 4);
    return length + 3;
}
