/* Order statistics. Internal. */
#ifndef SNW_MATH_ORDER_H
#define SNW_MATH_ORDER_H

/* For qsort. */
int snw__compare_doubles(const void *a, const void *b);
/* In place, ascending. */
void snw__sort_doubles(double *value, int count);
/* The median, of an even number the upper one; 0 of none. Sorts the values. */
double snw__median(double *value, int count);

#endif
