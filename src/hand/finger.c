#include "hand/finger.h"

#include "base/elementary.h"

void snw__finger_points(const snw__finger *finger, const double angle[4], snw_vec3 point[3],
                        snw_vec3 jacobian[3][4])
{
    double sine_a, cosine_a, rho = 0, delta = 0, sum = 0;
    double drop[3], reach[3]; /* of each bone alone */
    snw__sin_cos(angle[0], &sine_a, &cosine_a);
    for (int n = 0; n < 3; n++) {
        double sine, cosine;
        sum += angle[1 + n];
        snw__sin_cos(sum, &sine, &cosine);
        drop[n] = finger->bone[n] * sine;
        reach[n] = finger->bone[n] * cosine;
        rho += reach[n];
        delta += drop[n];
        point[n] = snw_vec3_make(sine_a * rho, -delta, cosine_a * rho);
        if (!jacobian) continue;
        jacobian[n][0] = snw_vec3_make(cosine_a * rho, 0, -sine_a * rho);
        /* Joint k turns the bones k .. n: d rho = -drop, d delta = reach of those. */
        double r = 0, d = 0;
        for (int k = n; k >= 0; k--) {
            r -= drop[k];
            d += reach[k];
            jacobian[n][1 + k] = snw_vec3_make(sine_a * r, -d, cosine_a * r);
        }
        for (int k = n + 1; k < 3; k++)
            jacobian[n][1 + k] = snw_vec3_make(0, 0, 0);
    }
}

/* Extension and drop of the tip for middle flexion f and base flexion 0, with the outer joint
 * following. */
static void follow_tip(const snw__finger *finger, double f, double *rho, double *delta)
{
    double s2, c2, s3, c3;
    snw__sin_cos(f, &s2, &c2);
    snw__sin_cos(f * (1 + finger->follow), &s3, &c3);
    *rho = finger->bone[0] + finger->bone[1] * c2 + finger->bone[2] * c3;
    *delta = finger->bone[1] * s2 + finger->bone[2] * s3;
}

/* Middle flexion whose tip is `distance` from the base: the distance falls with the flexion up to
 * the fold, so bisection with a secant step inside the bracket cannot fail. */
double snw__finger_flexion(const snw__finger *finger, double distance)
{
    double low = 0, high = 1.9, rho, delta, f = 0.8; /* 109 degrees: beyond every limit */
    double wanted = distance * distance;
    follow_tip(finger, low, &rho, &delta);
    if (wanted >= rho * rho + delta * delta) return 0;
    for (int round = 0; round < 8; round++) {
        follow_tip(finger, f, &rho, &delta);
        double excess = rho * rho + delta * delta - wanted;
        if (excess > 0)
            low = f;
        else
            high = f;
        if (fabs(excess) < 1e-9) break;
        double s2, c2, s3, c3, k = 1 + finger->follow;
        snw__sin_cos(f, &s2, &c2);
        snw__sin_cos(f * k, &s3, &c3);
        double slope = 2 * rho * (-finger->bone[1] * s2 - k * finger->bone[2] * s3) +
                       2 * delta * (finger->bone[1] * c2 + k * finger->bone[2] * c3);
        double next = slope < 0 ? f - excess / slope : 0.5 * (low + high);
        f = next > low && next < high ? next : 0.5 * (low + high);
    }
    return f;
}

void snw__finger_reach(const snw__finger *finger, snw_vec3 tip, double spread, double angle[4])
{
    double flat = snw__hypot(tip.x, tip.z);
    double sign = tip.z < 0 ? -1 : 1; /* a fist brings the tip behind the knuckle */
    /* Below a sixth of the finger's length off the knuckle's axis the spread fades to `spread`. */
    double size = (finger->bone[0] + finger->bone[1] + finger->bone[2]) / 6;
    double shown = snw__atan2(sign * tip.x, sign * tip.z);
    double trust = flat * flat / (flat * flat + size * size);
    if (flat > 2 * size) trust = 1;
    angle[0] = spread + trust * (shown - spread);
    double f = snw__finger_flexion(finger, snw_vec3_length(tip)), rho, delta;
    follow_tip(finger, f, &rho, &delta);
    angle[1] = snw__atan2(-tip.y, sign * flat) - snw__atan2(delta, rho);
    if (angle[1] < -SNW_PI) angle[1] += 2 * SNW_PI;
    angle[2] = f;
    angle[3] = finger->follow * f;
}

void snw__finger_clamp(const snw__finger *finger, double angle[4])
{
    for (int k = 0; k < 4; k++)
        angle[k] = snw_clamp(angle[k], finger->low[k], finger->high[k]);
}
