/* The robust cost of Geman & McClure (1987, "Statistical methods for tomographic image
 * reconstruction"), of a squared residual x2 in units of its scale: like x2 near 0, bounded far
 * away. At the scale a residual weighs a quarter. Internal. */
#ifndef SNW_MATH_ROBUST_H
#define SNW_MATH_ROBUST_H

/* x2 / (1 + x2): between 0 and 1. */
static inline double snw__geman_mcclure_cost(double x2)
{
    return x2 / (1 + x2);
}

/* The derivative of the cost by x2, 1 / (1 + x2)^2: the weight in least squares. */
static inline double snw__geman_mcclure_weight(double x2)
{
    return 1 / ((1 + x2) * (1 + x2));
}

#endif
