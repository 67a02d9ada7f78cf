/* How likely features are, and what those that are not known are to be expected to be.
 *
 * A component is N(mean, C) with C = sum (s_i^2 - n^2) u_i u_i^T + n^2 I: deviations s_i along
 * orthonormal directions u_i, noise n along all others. */
#include "style/style.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"

#define STYLE_LOG_TWO_PI 1.8378770664093453

/* Four sums side by side: an addition need not wait for the one before. */
static double dot(const double *a, const double *b, int count)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 3 < count; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < count; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* a . (b - c) */
static double dot_between(const double *a, const double *b, const double *c, int count)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 3 < count; k += 4)
        for (int i = 0; i < 4; i++)
            sum[i] += a[k + i] * (b[k + i] - c[k + i]);
    for (; k < count; k++)
        sum[0] += a[k] * (b[k] - c[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double snw__style_log_component(const snw_style *style, int component, const double *features)
{
    int n = style->feature_count, q = style->dimension_count;
    const double *mean = style->mean + (size_t)component * (size_t)n;
    const double *deviation = style->deviation + (size_t)component * (size_t)q;
    double noise = style->noise[component], square = 0, inside = 0, quadratic = 0, logs = 0;
    for (int k = 0; k < n; k++)
        square += (features[k] - mean[k]) * (features[k] - mean[k]);
    for (int i = 0; i < q; i++) {
        const double *u =
            style->direction + ((size_t)component * (size_t)q + (size_t)i) * (size_t)n;
        double along = dot_between(u, features, mean, n);
        inside += along * along;
        quadratic += along * along / (deviation[i] * deviation[i]);
        logs += snw__log(deviation[i]);
    }
    quadratic += fmax(0, square - inside) / (noise * noise);
    logs += (n - q) * snw__log(noise);
    return -0.5 * (quadratic + n * STYLE_LOG_TWO_PI) - logs;
}

void snw__style_covariance(const snw_style *style, int component, const double *v, double *out)
{
    int n = style->feature_count, q = style->dimension_count;
    const double *deviation = style->deviation + (size_t)component * (size_t)q;
    double noise2 = style->noise[component] * style->noise[component];
    for (int k = 0; k < n; k++)
        out[k] = noise2 * v[k];
    for (int i = 0; i < q; i++) {
        const double *u =
            style->direction + ((size_t)component * (size_t)q + (size_t)i) * (size_t)n;
        double scale = (deviation[i] * deviation[i] - noise2) * dot(u, v, n);
        for (int k = 0; k < n; k++)
            out[k] += scale * u[k];
    }
}

double snw_style_log_likelihood(const snw_style *style, const double *features)
{
    double logs[SNW_STYLE_COMPONENT_MAX], most = -INFINITY, sum = 0;
    for (int c = 0; c < style->component_count; c++) {
        logs[c] = snw__log(style->weight[c]) + snw__style_log_component(style, c, features);
        most = fmax(most, logs[c]);
    }
    for (int c = 0; c < style->component_count; c++)
        sum += snw__exp(logs[c] - most);
    return most + snw__log(sum);
}

/* ---- completing ----------------------------------------------------------------------------- */

/* The latent coordinates z of a component given the known features: with rows B_i = sqrt(s_i^2 -
 * n^2) u_i restricted to them, (n^2 I + B B^T) z = B (x - mean). Returns log p(known) but for what
 * all components share. */
static double latent(const snw_style *style, int component, const bool *is_known,
                     const double *features, double *z)
{
    int n = style->feature_count, q = style->dimension_count;
    const double *mean = style->mean + (size_t)component * (size_t)n;
    const double *deviation = style->deviation + (size_t)component * (size_t)q;
    const double *rows = style->direction + (size_t)component * (size_t)q * (size_t)n;
    double noise2 = style->noise[component] * style->noise[component], square = 0, logs = 0;
    double a[SNW_STYLE_DIMENSION_MAX * SNW_STYLE_DIMENSION_MAX], b[SNW_STYLE_DIMENSION_MAX],
        scale[SNW_STYLE_DIMENSION_MAX];
    int known = 0;
    for (int i = 0; i < q; i++)
        scale[i] = sqrt(fmax(0, deviation[i] * deviation[i] - noise2));
    for (int k = 0; k < n; k++) {
        known += is_known[k];
        if (is_known[k]) square += (features[k] - mean[k]) * (features[k] - mean[k]);
    }
    for (int i = 0; i < q; i++) {
        b[i] = 0;
        for (int j = 0; j <= i; j++)
            a[i * q + j] = i == j ? noise2 : 0;
        for (int k = 0; k < n; k++) {
            if (!is_known[k]) continue;
            double u = scale[i] * rows[(size_t)i * (size_t)n + (size_t)k];
            b[i] += u * (features[k] - mean[k]);
            for (int j = 0; j <= i; j++)
                a[i * q + j] += u * scale[j] * rows[(size_t)j * (size_t)n + (size_t)k];
        }
    }
    memcpy(z, b, (size_t)q * sizeof *z);
    if (snw_cholesky_factor(a, q) != SNW_OK || snw_cholesky_solve(a, q, z) != SNW_OK)
        return -INFINITY;
    for (int i = 0; i < q; i++)
        logs += snw__log(a[i * q + i]);
    /* |C| = n^(2 (known - q)) |n^2 I + B B^T|, and C^-1 by the same identity. */
    return -0.5 * (square - dot(b, z, q)) / noise2 - logs - 0.5 * (known - q) * snw__log(noise2);
}

int snw_style_complete(const snw_style *style, const bool *is_known, double *features)
{
    int n = style->feature_count, q = style->dimension_count, best = 0;
    double most = -INFINITY, z[SNW_STYLE_DIMENSION_MAX], kept[SNW_STYLE_DIMENSION_MAX] = {0};
    for (int c = 0; c < style->component_count; c++) {
        double score = snw__log(style->weight[c]) + latent(style, c, is_known, features, z);
        if (!(score > most)) continue;
        most = score;
        best = c;
        memcpy(kept, z, (size_t)q * sizeof *z);
    }
    double noise2 = style->noise[best] * style->noise[best];
    for (int k = 0; k < n; k++) {
        if (is_known[k]) continue;
        double value = style->mean[(size_t)best * (size_t)n + (size_t)k];
        for (int i = 0; i < q; i++) {
            double s = style->deviation[best * q + i];
            value +=
                sqrt(fmax(0, s * s - noise2)) * kept[i] *
                style->direction[((size_t)best * (size_t)q + (size_t)i) * (size_t)n + (size_t)k];
        }
        features[k] = value;
    }
    return best;
}
