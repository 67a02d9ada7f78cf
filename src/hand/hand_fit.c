/* One finger has four angles; its rows are
 *     (p(q) - marker) / noise                        three for each marker that is seen
 *     (q3 - follow q2) / 0.12, (q1 - lead q2) / 0.35  intradigital correlation
 *     (qk - expected_k) / spread_k                   neighbours, inertia, the usual spread
 * minimised by Gauss-Newton with the limits as bounds: an angle at its bound whose step points
 * outward leaves the system (VERIFIED I: else there is no progress). The fingers meet only in the
 * expected angles, so going through them in turn is block Gauss-Seidel on the least squares of the
 * whole hand.
 */
#include "hand/hand_fit.h"
#include "hand/hand_constants.h"

#include <string.h>

/* Radians. [published] How far the outer joint strays from 2/3 of the middle one (Rijpkema & Girard
 * 1991: "within 7 degrees"). [measured] How far base flexion strays from 0.8 of middle flexion on
 * two captured hands (ART): 0.2 to 0.35. Without this row a millimetre too much bends a straight
 * finger back at its knuckle and forward at its middle joint by 15 degrees. */
static const double fit_follow_spread = 0.12, fit_lead_spread = 0.35;

typedef struct fit_system {
    double a[4][4];
    double g[4];
} fit_system;

static void add_row(fit_system *system, const double row[4], double rest, double weight)
{
    for (int i = 0; i < 4; i++) {
        system->g[i] += weight * row[i] * rest;
        for (int j = 0; j <= i; j++)
            system->a[i][j] += weight * row[i] * row[j];
    }
}

/* Cholesky of the free part; fixed angles have step 0. */
static void solve(const fit_system *system, const bool is_fixed[4], double step[4])
{
    double l[4][4] = {{0}};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = is_fixed[i] || is_fixed[j] ? (i == j) : system->a[i][j];
            for (int k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / l[j][j];
        }
        double sum = is_fixed[i] ? 0 : system->g[i];
        for (int k = 0; k < i; k++)
            sum -= l[i][k] * step[k];
        step[i] = sum / l[i][i];
    }
    for (int i = 3; i >= 0; i--) {
        for (int k = i + 1; k < 4; k++)
            step[i] -= l[k][i] * step[k];
        step[i] /= l[i][i];
    }
}

void snw__fit_finger(const snw__finger *finger, const snw__fit_rows *rows, double angle[4])
{
    snw__finger_clamp(finger, angle);
    for (int round = 0; round < FIT_ROUNDS; round++) {
        fit_system system;
        snw_vec3 point[3], jacobian[3][4];
        memset(&system, 0, sizeof system);
        snw__finger_points(finger, angle, point, jacobian);
        double weight = 1 / (rows->noise * rows->noise);
        for (int n = 0; n < 3; n++) {
            if (!rows->is_seen[n]) continue;
            snw_vec3 rest = snw_vec3_sub(rows->place[n], point[n]);
            const snw_vec3 *j = jacobian[n];
            const double x[4] = {j[0].x, j[1].x, j[2].x, j[3].x};
            const double y[4] = {j[0].y, j[1].y, j[2].y, j[3].y};
            const double z[4] = {j[0].z, j[1].z, j[2].z, j[3].z};
            add_row(&system, x, rest.x, weight);
            add_row(&system, y, rest.y, weight);
            add_row(&system, z, rest.z, weight);
        }
        if (rows->has_follow) {
            const double outer[4] = {0, 0, -finger->follow, 1}, base[4] = {0, 1, -finger->lead, 0};
            add_row(&system, outer, finger->follow * angle[2] - angle[3],
                    1 / (fit_follow_spread * fit_follow_spread));
            if (finger->lead > 0)
                add_row(&system, base, finger->lead * angle[2] - angle[1],
                        1 / (fit_lead_spread * fit_lead_spread));
        }
        for (int k = 0; k < 4; k++) {
            double spread = rows->expected_spread[k];
            if (spread > 0) {
                system.a[k][k] += 1 / (spread * spread);
                system.g[k] += (rows->expected[k] - angle[k]) / (spread * spread);
            }
            system.a[k][k] += 1e-3; /* radians^-2: an angle that nothing speaks of stays */
        }
        bool is_fixed[4];
        double step[4], size = 0;
        for (int k = 0; k < 4; k++)
            is_fixed[k] = (angle[k] <= finger->low[k] && system.g[k] < 0) ||
                          (angle[k] >= finger->high[k] && system.g[k] > 0);
        solve(&system, is_fixed, step);
        for (int k = 0; k < 4; k++) {
            double next = snw_clamp(angle[k] + snw_clamp(step[k], -0.7, 0.7), finger->low[k],
                                    finger->high[k]);
            if (!isfinite(next)) return;
            size = fmax(size, fabs(next - angle[k]));
            angle[k] = next;
        }
        if (size < 1e-5) return;
    }
}
