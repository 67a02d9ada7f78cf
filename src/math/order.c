/* Order statistics: comparison for sorting, sorting, the median. */
#include "math/order.h"

int snw__compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Shell 1959 with the gaps of Ciura 2001, from 701 on times 2.25: no call for every comparison, no
 * memory, and no order of values that makes it quadratic. */
void snw__sort_doubles(double *value, int count)
{
    static const int gaps[] = {1,    4,    10,   23,    57,    132,   301,    701,
                               1577, 3548, 7983, 17961, 40412, 90927, 204585, 460316};
    int g = sizeof gaps / sizeof *gaps - 1;
    while (g > 0 && gaps[g] >= count)
        g--;
    for (; g >= 0; g--) {
        int gap = gaps[g];
        for (int n = gap; n < count; n++) {
            double held = value[n];
            int at = n;
            for (; at >= gap && value[at - gap] > held; at -= gap)
                value[at] = value[at - gap];
            value[at] = held;
        }
    }
}

double snw__median(double *value, int count)
{
    if (count <= 0) return 0;
    snw__sort_doubles(value, count);
    return value[count / 2];
}
