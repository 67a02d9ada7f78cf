/* Number text: characters per second in, numbers per second out, beside the C library's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sinew/base.h>

enum {
    COUNT = 200000,
    LINE = 32
};

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(double *values, int kind)
{
    snw_random random = snw_random_seed(1, (uint64_t)kind);
    for (int n = 0; n < COUNT; n++) {
        double value = snw_random_range(&random, -2000, 2000);
        if (kind == 0) value = (double)(int64_t)(value * 1e6) / 1e6;
        if (kind == 1) value = (double)(float)value;
        values[n] = value;
    }
}

static void measure(const char *name, int kind, const char *format)
{
    double *values = malloc(COUNT * sizeof *values);
    char *text = malloc((size_t)COUNT * LINE), buffer[SNW_NUMBER_SIZE];
    if (!values || !text) exit(1);
    fill(values, kind);
    size_t length = 0;
    for (int n = 0; n < COUNT; n++)
        length += (size_t)snprintf(text + length, LINE, format, values[n]) + 1;
    double sum = 0, value = 0, times[6];
    long printed = 0;
    times[0] = now();
    for (const char *at = text; at < text + length; at++)
        if ((at = snw_parse_double(at, text + length, &value))) sum += value;
    times[1] = now();
    for (char *at = text; at < text + length; at++)
        sum -= strtod(at, &at);
    times[2] = now();
    for (int n = 0; n < COUNT; n++)
        printed += snw_print_double(buffer, values[n]);
    times[3] = now();
    for (int n = 0; n < COUNT; n++)
        printed += snprintf(buffer, sizeof buffer, "%.17g", values[n]);
    times[4] = now();
    for (int n = 0; n < COUNT; n++)
        printed += snw_print_fixed(buffer, values[n], 6);
    times[5] = now();
    double in = (double)length * 1e-6, out = COUNT * 1e-6;
    printf("%-24s parse %4.0f Mchar/s (strtod %4.0f), shortest %5.1f M/s, %%.17g %5.1f, fixed %5.1f"
           "   [%g %ld]\n",
           name, in / (times[1] - times[0]), in / (times[2] - times[1]),
           out / (times[3] - times[2]), out / (times[4] - times[3]), out / (times[5] - times[4]),
           sum, printed);
    free(values);
    free(text);
}

int main(void)
{
    measure("six decimals", 0, "%.6f");
    measure("floats as doubles", 1, "%.9g");
    measure("full doubles", 2, "%.17g");
    return 0;
}
