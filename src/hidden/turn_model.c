/* The variable turn model (Aristidou 2010, section 4.5.1, after Asseo and Ardila 1982).
 *
 * A point whose speed falls at the rate alpha and whose direction turns at the rate omega obeys
 *
 *     a' = -2 alpha a - (2 alpha^2 + omega^2) v + w,   alpha = -(v.a)/|v|^2,  omega = |v x a|/|v|^2
 *
 * With k = alpha^2 + wc^2, wc^2 = alpha^2 + omega^2, e = exp(-alpha T), x = wc T:
 *
 *     f23 = e T sin(x)/x         f22 = e cos x + alpha f23      f33 = e cos x - alpha f23
 *     f32 = -k f23               f13 = (1 - f22)/k              f12 = T - k I,  I = integral of f13
 *
 * The printed f33 repeats f22 and the printed Q divides by alpha. Near alpha = omega = 0 the closed
 * forms cancel; there f13 and I come from their series. Q is integrated with Gauss-Legendre points,
 * which keeps it positive semidefinite by construction. */
#include "hidden/turn_model.h"

#include <math.h>

#include "base/elementary.h"
#include "hidden/hidden_constants.h"

typedef struct turn_rates {
    double alpha, wc, k;
} turn_rates;

static turn_rates clamp_rates(double alpha, double omega, double step)
{
    turn_rates rates;
    rates.alpha = snw_clamp(alpha, -TURN_ALPHA_MAX / step, TURN_ALPHA_MAX / step);
    omega = snw_clamp(omega, 0, TURN_OMEGA_MAX / step);
    rates.wc = sqrt(rates.alpha * rates.alpha + omega * omega);
    rates.k = rates.alpha * rates.alpha + rates.wc * rates.wc;
    return rates;
}

/* f13 and its integral: g0 = 0, g1 = 1, g(n+1) = -(2 alpha g(n) + k g(n-1)),
 * f13 = sum g(n) T^(n+1)/(n+1)!, I = sum g(n) T^(n+2)/(n+2)!. */
static void turn_series(turn_rates rates, double step, double *f13, double *integral)
{
    double before = 0, now = 1, power = step;
    *f13 = *integral = 0;
    for (int n = 1; n <= 15; n++) {
        power *= step / (n + 1);
        *f13 += now * power;
        *integral += now * power * step / (n + 2);
        double next = -(2 * rates.alpha * now + rates.k * before);
        before = now;
        now = next;
        double rest = fabs(now) * power + rates.k * step * step * fabs(before) * power;
        if (rest < 1e-18 * fabs(*f13)) break;
    }
}

static snw__turn turn_at(turn_rates rates, double step)
{
    snw__turn f;
    double sine, cosine, x = rates.wc * step, e = snw__exp(-rates.alpha * step);
    snw__sin_cos(x, &sine, &cosine);
    f.f23 = e * step * (x < 1e-4 ? 1 - x * x / 6 : sine / x);
    f.f22 = e * cosine + rates.alpha * f.f23;
    f.f33 = e * cosine - rates.alpha * f.f23;
    f.f32 = -rates.k * f.f23;
    if ((fabs(rates.alpha) + rates.wc) * step < TURN_SERIES) {
        double integral;
        turn_series(rates, step, &f.f13, &integral);
        f.f12 = step - rates.k * integral;
    } else {
        f.f13 = (1 - f.f22) / rates.k;
        f.f12 = (2 * rates.alpha * (1 - f.f22) + rates.k * f.f23) / rates.k;
    }
    return f;
}

snw__turn snw__turn_transition(double alpha, double omega, double step)
{
    return turn_at(clamp_rates(alpha, omega, step), step);
}

static void constant_acceleration_noise(double t, double q[6])
{
    q[0] = t * t * t * t * t / 20;
    q[1] = t * t * t * t / 8;
    q[2] = t * t * t / 6;
    q[3] = t * t * t / 3;
    q[4] = t * t / 2;
    q[5] = t;
}

void snw__turn_noise(double alpha, double omega, double step, double q[6])
{
    /* Gauss-Legendre points and weights on [0, 1] (Abramowitz and Stegun, table 25.4). */
    static const double at5[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842,
                                  0.953089922969332};
    static const double weight5[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444,
                                      0.239314335249683, 0.118463442528095};
    static const double at8[8] = {0.019855071751232, 0.101666761293187, 0.237233795041836,
                                  0.408282678752175, 0.591717321247825, 0.762766204958164,
                                  0.898333238706813, 0.980144928248768};
    static const double weight8[8] = {0.050614268145188, 0.111190517226687, 0.156853322938944,
                                      0.181341891689181, 0.181341891689181, 0.156853322938944,
                                      0.111190517226687, 0.050614268145188};
    turn_rates rates = clamp_rates(alpha, omega, step);
    double size = (fabs(rates.alpha) + rates.wc) * step;
    if (size < TURN_SLOW) {
        constant_acceleration_noise(step, q);
        return;
    }
    int count = size > 1 ? 8 : 5;
    const double *at = count == 8 ? at8 : at5, *weight = count == 8 ? weight8 : weight5;
    for (int i = 0; i < 6; i++)
        q[i] = 0;
    for (int n = 0; n < count; n++) {
        snw__turn f = turn_at(rates, at[n] * step);
        double w = weight[n] * step;
        q[0] += w * f.f13 * f.f13;
        q[1] += w * f.f13 * f.f23;
        q[2] += w * f.f13 * f.f33;
        q[3] += w * f.f23 * f.f23;
        q[4] += w * f.f23 * f.f33;
        q[5] += w * f.f33 * f.f33;
    }
}

void snw__turn_parameters(snw_vec3 velocity, snw_vec3 acceleration, double *alpha, double *omega)
{
    double speed2 = snw_vec3_length2(velocity);
    *alpha = *omega = 0;
    /* A second of less is noise. */
    if (!(speed2 > SNW__NOISE_POOR * SNW__NOISE_POOR)) return;
    *alpha = -snw_vec3_dot(velocity, acceleration) / speed2;
    *omega = snw_vec3_length(snw_vec3_cross(velocity, acceleration)) / speed2;
}
