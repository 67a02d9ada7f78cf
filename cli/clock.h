/* Time and order statistics for the commands that measure. */
#ifndef SINEW_CLI_CLOCK_H
#define SINEW_CLI_CLOCK_H

/* Of a clock that never goes back. */
double cli_microseconds(void);
/* Sorts the numbers. */
void cli_sort(double *numbers, int count);
/* Both sort the numbers. A quantile of 0.99 is the number at place floor(0.99 count); 0 of none. */
double cli_quantile(double *numbers, int count, double quantile);
double cli_median(double *numbers, int count);

#endif
