/* Limits in time of one coordinate. Internal to ik.
 *
 * Steps are v' = v + a' dt, q' = q + v' dt with |a' - a| <= jerk dt. A velocity is allowed when the
 * coordinate can then still come to rest inside its range without breaking any limit: there is one
 * way of braking, and what it needs is looked at before a step is taken. So the
 * next step of that way is allowed too, whatever the solve asks for, and limits that held once hold
 * for ever. */
#ifndef SNW_IK_RATES_H
#define SNW_IK_RATES_H

#include <stdbool.h>

typedef struct snw__rate {
    double velocity_max, acceleration_max, jerk_max; /* or INFINITY */
    double velocity, acceleration;                   /* as the last step left them */
    double below, above;                             /* room to the ends of the range, 0 or more */
} snw__rate;

/* The velocities allowed in a step of dt; low <= high. */
void snw__rate_bounds(const snw__rate *rate, double dt, double *low, double *high);
/* The largest p with p + (p - step) + (p - 2 step) + ... = total over what is positive. */
double snw__rate_peak(double total, double step);

#endif
