/* Order statistics: comparison for sorting, the median. */
#include "math/order.h"

#include <stdlib.h>

int snw__compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double snw__median(double *value, int count)
{
    if (count == 0) return 0;
    qsort(value, (size_t)count, sizeof *value, snw__compare_doubles);
    return value[count / 2];
}
