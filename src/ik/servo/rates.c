/* Which velocities leave room to stop; see rates.h. */
#include "ik/servo/rates.h"

#include <math.h>

#include "math/tolerance.h"

double snw__rate_peak(double total, double step)
{
    if (!(total > 0)) return 0;
    if (!(step > 0)) return 0;
    /* With k terms the sum is k p - step k (k - 1) / 2, and p = k step at most: k (k + 1) / 2
     * steps. */
    double k = ceil(0.5 * (sqrt(1 + 8 * total / step) - 1));
    if (!(k >= 1)) k = 1;
    return fmax(0, (total / k) + 0.5 * step * (k - 1));
}

/* The velocity of the way to rest. */
static double rate_brake(const snw__rate *rate, double dt)
{
    if (!isfinite(rate->acceleration_max)) return 0;
    /* The acceleration of the way to rest from (v, a): as strong as it may be so that it is back at
     * zero when the velocity is. */
    double change = rate->jerk_max * dt,
           sign = rate->velocity < 0 || (rate->velocity == 0 && rate->acceleration < 0) ? -1 : 1;
    double peak = isfinite(change) ? snw__rate_peak(fabs(rate->velocity) / dt, change)
                                   : fabs(rate->velocity) / dt;
    double wanted = -sign * fmin(peak, rate->acceleration_max);
    return rate->velocity +
           dt * (fmin(fmax(wanted, rate->acceleration - change), rate->acceleration + change));
}

/* How far the coordinate gets towards its upper end on the way to rest, at most, and how fast, from
 * (v, a). The acceleration runs out first, by jerk dt every step, which adds a peak; then it is a
 * double S from the peak to rest, v / 2 (v / A + A / J), or v sqrt(v / J) where the acceleration is
 * not reached. Steps instead of a curve cost up to two and a half of them at the peak
 * (tests/test_ik_servo.c). */
static double stopping_way(const snw__rate *rate, double v, double a, double dt, double *peak)
{
    double change = rate->jerk_max * dt, steps = a > 0 ? ceil(a / change) : 0;
    /* a - change, a - 2 change, ... while positive. */
    *peak = v + (steps > 1 ? dt * ((steps - 1) * a - 0.5 * change * steps * (steps - 1)) : 0);
    if (!(*peak > 0)) return 0;
    double most = rate->acceleration_max, reach = most * most / rate->jerk_max;
    double stop = *peak >= reach ? 0.5 * *peak * (*peak / most + most / rate->jerk_max)
                                 : *peak * sqrt(*peak / rate->jerk_max);
    return *peak * (steps + 2.5) * dt + stop;
}

/* Is the way to rest after a step with v inside the upper end and the speed? The lower end is the
 * upper one of the mirrored coordinate. */
static bool can_stop(const snw__rate *rate, double v, double dt, bool is_upper)
{
    double sign = is_upper ? 1 : -1, room = is_upper ? rate->above : rate->below, peak;
    double way = stopping_way(rate, sign * v, sign * (v - rate->velocity) / dt, dt, &peak);
    return peak <= rate->velocity_max && sign * v * dt + way <= room;
}

/* The velocity nearest to `asked` from which one can stop, between it and `safe`. */
static double nearest_safe(const snw__rate *rate, double asked, double safe, double dt,
                           bool is_upper)
{
    if (can_stop(rate, asked, dt, is_upper)) return asked;
    double least = SNW__SINGLE * fabs(asked - safe);
    for (int k = 0; k < SNW__ROUNDS_MAX && fabs(asked - safe) > least; k++) {
        double middle = 0.5 * (asked + safe);
        if (can_stop(rate, middle, dt, is_upper))
            safe = middle;
        else
            asked = middle;
    }
    return safe;
}

/* The fastest velocity towards an end `room` away: braking by a every step it needs v dt +
 * (v - a dt) dt + ... */
static double fastest_towards(const snw__rate *rate, double room, double dt)
{
    double most = fmin(rate->velocity_max, room / dt);
    if (!isfinite(rate->acceleration_max) || !isfinite(room)) return most;
    return fmin(most, snw__rate_peak(room / dt, rate->acceleration_max * dt));
}

void snw__rate_bounds(const snw__rate *rate, double dt, double *low, double *high)
{
    if (!isfinite(rate->jerk_max)) {
        double change = rate->acceleration_max * dt;
        double up = fastest_towards(rate, rate->above, dt);
        double down = -fastest_towards(rate, rate->below, dt);
        /* The ends of the range come before all others: a start may leave no way to keep all. */
        *high = fmin(up, fmax(rate->velocity + change, down));
        *low = fmax(down, fmin(rate->velocity - change, up));
        if (*low > *high) *low = *high = *low > up ? *high : *low;
        return;
    }
    double change = rate->jerk_max * dt, a = rate->acceleration, most = rate->acceleration_max;
    double safe = rate_brake(rate, dt);
    *high = rate->velocity + dt * fmin(a + change, most);
    *low = rate->velocity + dt * fmax(a - change, -most);
    *high = nearest_safe(rate, fmax(*high, safe), safe, dt, true);
    *low = nearest_safe(rate, fmin(*low, safe), safe, dt, false);
    *high = fmin(*high, rate->above / dt);
    *low = fmax(*low, -rate->below / dt);
    if (*low > *high) *low = *high;
}
