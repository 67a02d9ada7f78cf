/* Digits into a buffer, shared by the two ways of printing a real number. Internal. */
#ifndef SNW_BASE_NUMBER_TEXT_H
#define SNW_BASE_NUMBER_TEXT_H

#include <sinew/base.h>

/* Number of decimal digits; 1 for zero. */
int snw__digit_count(uint64_t value);
/* Exactly `count` digits at `at`, with leading zeros. */
void snw__put_digits(char *at, uint64_t value, int count);
/* Writes the sign of a negative value (also of -0); returns the number of characters. */
int snw__put_sign(char *at, double value);
/* Terminated "nan" or "inf" with its sign; returns the length, 0 for a finite value. */
int snw__put_not_finite(char *buffer, double value);

#endif
