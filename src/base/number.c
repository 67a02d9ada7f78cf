/* Numbers as text. First form on top of libc; the locale-free, correctly rounded one replaces it.
 */
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/base.h>

const char *snw_parse_double(const char *text, const char *end, double *value)
{
    char copy[400];
    size_t length = (size_t)(end - text);
    if (length >= sizeof copy) length = sizeof copy - 1;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (length == 0 || copy[0] == ' ' || copy[0] == '\t' || copy[0] == '\n') return NULL;
    char *stop;
    double parsed = strtod(copy, &stop);
    if (stop == copy) return NULL;
    *value = parsed;
    return text + (stop - copy);
}

const char *snw_parse_int64(const char *text, const char *end, int64_t *value)
{
    char copy[64];
    size_t length = (size_t)(end - text);
    if (length >= sizeof copy) length = sizeof copy - 1;
    memcpy(copy, text, length);
    copy[length] = 0;
    char *stop;
    errno = 0;
    long long parsed = strtoll(copy, &stop, 10);
    if (stop == copy || errno) return NULL;
    *value = parsed;
    return text + (stop - copy);
}

int snw_print_double(char buffer[SNW_NUMBER_SIZE], double value)
{
    for (int digits = 15; digits < 17; digits++) {
        int length = snprintf(buffer, SNW_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) return length;
    }
    return snprintf(buffer, SNW_NUMBER_SIZE, "%.17g", value);
}

int snw_print_float(char buffer[SNW_NUMBER_SIZE], float value)
{
    for (int digits = 6; digits < 9; digits++) {
        int length = snprintf(buffer, SNW_NUMBER_SIZE, "%.*g", digits, (double)value);
        if (strtof(buffer, NULL) == value) return length;
    }
    return snprintf(buffer, SNW_NUMBER_SIZE, "%.9g", (double)value);
}

int snw_print_fixed(char buffer[SNW_NUMBER_SIZE], double value, int decimals)
{
    return snprintf(buffer, SNW_NUMBER_SIZE, "%.*f", decimals, value);
}
