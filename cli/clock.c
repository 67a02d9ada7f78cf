#include "clock.h"

#include <stdlib.h>
#include <time.h>

double cli_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cli_sort(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
}

double cli_quantile(double *numbers, int count, double quantile)
{
    if (count <= 0) return 0;
    cli_sort(numbers, count);
    int at = (int)(quantile * count);
    return numbers[at < count ? at : count - 1];
}

double cli_median(double *numbers, int count)
{
    return cli_quantile(numbers, count, 0.5);
}
