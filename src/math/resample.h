/* Where the frames of another rate fall between the old ones. Internal. */
#ifndef SNW_MATH_RESAMPLE_H
#define SNW_MATH_RESAMPLE_H

#include "math/tolerance.h"
#include <math.h>

/* How many frames of the new rate fit between the first and the last old one, both included. */
static inline double snw__resample_count(int count, double rate, double new_rate)
{
    return count <= 0 ? 0 : floor((count - 1) * new_rate / rate + SNW__SINGLE) + 1;
}

/* The old frame before new frame `frame`, and how far after it, 0 <= *fraction < 1; `step` is old
 * rate by new rate. *fraction is 0 for the last one. */
static inline int snw__resample_place(double step, int frame, int count, double *fraction)
{
    double place = frame * step;
    *fraction = 0;
    /* Asked of the double: a step of 1e300 has no place among the integers. */
    if (!(place + SNW__SINGLE < count - 1)) return count - 1;
    int k = (int)floor(place + SNW__SINGLE);
    if (place - k >= SNW__SINGLE) *fraction = place - k;
    return k;
}

#endif
