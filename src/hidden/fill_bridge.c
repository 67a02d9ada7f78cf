/* Carries a residual across a gap: what a prediction misses is known on both sides of the gap and
 * wanted inside it.
 *
 * Linear: the line between the nearest samples. Spline: the cubic smoothing spline, as kriging with
 * the generalised covariance |d|^3 / 12 and a free line (Wahba 1990, section 1.3). Matern: the
 * conditional mean of a Gaussian process with the Matern covariance of order 5/2,
 *
 *     k(d) = (1 + r + r^2 / 3) e^-r,   r = sqrt(5) d / tau        (Rasmussen and Williams
 * 2006, 4.17)
 *
 * whose mean is zero: it meets the samples smoothly and forgets them in tau seconds. All three are
 * linear in the samples, so that a bridge is a table of weights which depends on the frames alone.
 */
#include <math.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "hidden/fill.h"

static double matern(double frames, double rate, double seconds)
{
    double r = sqrt(5) * fabs(frames) / (rate * seconds);
    return (1 + r + r * r / 3) * snw__exp(-r);
}

/* ---- linear -----------------------------------------------------------------------------------
 */

/* ---- Matern -----------------------------------------------------------------------------------
 */

static bool weigh_matern(const snw__bridge *bridge, const snw__gap_edges *edges, double rate,
                         const int *at, int at_count, double *weight)
{
    double k[SNW__FILL_EDGES * SNW__FILL_EDGES];
    int n = edges->count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            k[i * n + j] = matern(edges->frame[i] - edges->frame[j], rate, bridge->seconds) +
                           (i == j ? bridge->noise : 0);
    if (snw_cholesky_factor(k, n) != SNW_OK) return false;
    for (int a = 0; a < at_count; a++) {
        double *w = weight + a * n;
        for (int i = 0; i < n; i++)
            w[i] = matern(at[a] - edges->frame[i], rate, bridge->seconds);
        if (snw_cholesky_solve(k, n, w) != SNW_OK) return false;
    }
    return true;
}

/* ---- spline -----------------------------------------------------------------------------------
 */

static double cubic(double frames)
{
    double d = fabs(frames);
    return d * d * d / 12;
}

/* [ K + noise I   T ] [w]   [k(at)]
 * [ T^T           0 ] [m] = [t(at)],   T = rows (1, frame).   K is conditionally positive. */
static bool weigh_spline(const snw__bridge *bridge, const snw__gap_edges *edges, const int *at,
                         int at_count, double *weight)
{
    double k[(SNW__FILL_EDGES + 2) * (SNW__FILL_EDGES + 2)], x[SNW__FILL_EDGES + 2];
    int pivots[SNW__FILL_EDGES + 2], n = edges->count, size = n + 2;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            k[i * size + j] = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            k[i * size + j] =
                cubic(edges->frame[i] - edges->frame[j]) + (i == j ? bridge->noise : 0);
        k[n * size + i] = 1;
        k[(n + 1) * size + i] = edges->frame[i];
    }
    if (n < 2 || snw_ldlt_factor(k, size, pivots) != SNW_OK) return false;
    for (int a = 0; a < at_count; a++) {
        for (int i = 0; i < n; i++)
            x[i] = cubic(at[a] - edges->frame[i]);
        x[n] = 1;
        x[n + 1] = at[a];
        if (snw_ldlt_solve(k, size, pivots, x) != SNW_OK) return false;
        for (int i = 0; i < n; i++)
            weight[a * n + i] = x[i];
    }
    return true;
}

bool snw__bridge_weights(const snw__bridge *bridge, const snw__gap_edges *edges, double rate,
                         const int *at, int at_count, double *weight)
{
    if (edges->count < 1) return false;
    switch (bridge->kind) {
    case SNW__BRIDGE_MATERN:
        if (weigh_matern(bridge, edges, rate, at, at_count, weight)) return true;
        break;
    case SNW__BRIDGE_SPLINE:
        if (weigh_spline(bridge, edges, at, at_count, weight)) return true;
        break;
    case SNW__BRIDGE_LINEAR:
        break;
    }
    for (int n = 0; n < at_count; n++) {
        double *w = weight + n * edges->count;
        int before = -1, after = -1;
        for (int e = 0; e < edges->count; e++) {
            w[e] = 0;
            int frame = edges->frame[e];
            if (frame < at[n] && (before < 0 || frame > edges->frame[before])) before = e;
            if (frame >= at[n] && (after < 0 || frame < edges->frame[after])) after = e;
        }
        if (before < 0 || after < 0) {
            w[before < 0 ? after : before] = 1;
            continue;
        }
        double span = edges->frame[after] - edges->frame[before];
        w[after] = (at[n] - edges->frame[before]) / span;
        w[before] = 1 - w[after];
    }
    return true;
}
