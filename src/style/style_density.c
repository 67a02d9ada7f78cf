/* How likely features are, and what those that are not known are to be expected to be.
 *
 * A component is N(mean, C) with C = sum (s_i^2 - n^2) u_i u_i^T + n^2 I: deviations s_i along
 * orthonormal directions u_i, noise n along all others. */
#include "style/style.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "style/style_constants.h"

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
    const double log_two_pi = 1.8378770664093453;
    return -0.5 * (quadratic + n * log_two_pi) - logs;
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

/* Rows B_i = sqrt(s_i^2 - n^2) u_i of a component: its poses are mean + B^T z and noise. */
static void latent_scales(const snw_style *style, int component, double *scale)
{
    int q = style->dimension_count;
    const double *deviation = style->deviation + (size_t)component * (size_t)q;
    double noise2 = style->noise[component] * style->noise[component];
    for (int i = 0; i < q; i++)
        scale[i] = sqrt(fmax(0, deviation[i] * deviation[i] - noise2));
}

double snw__style_factor(const snw_style *style, int component, const snw__style_known *known,
                         double *factor)
{
    int n = style->feature_count, q = style->dimension_count, count = 0;
    const double *rows = style->direction + (size_t)component * (size_t)q * (size_t)n;
    double noise2 = style->noise[component] * style->noise[component] + known->doubt2, logs = 0;
    double scale[SNW_STYLE_DIMENSION_MAX];
    latent_scales(style, component, scale);
    for (int k = 0; k < n; k++)
        count += known->is_known[k];
    for (int i = 0; i < q; i++) {
        for (int j = 0; j <= i; j++)
            factor[i * q + j] = i == j ? noise2 : 0;
        for (int k = 0; k < n; k++) {
            if (!known->is_known[k]) continue;
            double u = scale[i] * rows[(size_t)i * (size_t)n + (size_t)k];
            for (int j = 0; j <= i; j++)
                factor[i * q + j] += u * scale[j] * rows[(size_t)j * (size_t)n + (size_t)k];
        }
    }
    if (snw_cholesky_factor(factor, q) != SNW_OK) return -INFINITY;
    for (int i = 0; i < q; i++)
        logs += snw__log(factor[i * q + i]);
    /* |C| = n^(2 (known - q)) |n^2 I + B B^T|. */
    return -logs - 0.5 * (count - q) * snw__log(noise2);
}

double snw__style_latent(const snw_style *style, int component, const snw__style_known *known,
                         const double *factor, double *z)
{
    int n = style->feature_count, q = style->dimension_count;
    const double *mean = style->mean + (size_t)component * (size_t)n;
    const double *rows = style->direction + (size_t)component * (size_t)q * (size_t)n;
    double noise2 = style->noise[component] * style->noise[component] + known->doubt2, square = 0;
    double b[SNW_STYLE_DIMENSION_MAX], scale[SNW_STYLE_DIMENSION_MAX];
    latent_scales(style, component, scale);
    for (int k = 0; k < n; k++)
        if (known->is_known[k])
            square += (known->features[k] - mean[k]) * (known->features[k] - mean[k]);
    for (int i = 0; i < q; i++) {
        b[i] = 0;
        for (int k = 0; k < n; k++) {
            if (!known->is_known[k]) continue;
            double u = scale[i] * rows[(size_t)i * (size_t)n + (size_t)k];
            b[i] += u * (known->features[k] - mean[k]);
        }
    }
    memcpy(z, b, (size_t)q * sizeof *z);
    if (snw_cholesky_solve(factor, q, z) != SNW_OK) return -INFINITY;
    return -0.5 * (square - dot(b, z, q)) / noise2;
}

double snw__style_expected(const snw_style *style, int component, const double *z, int feature)
{
    int n = style->feature_count, q = style->dimension_count;
    double noise2 = style->noise[component] * style->noise[component];
    double value = style->mean[(size_t)component * (size_t)n + (size_t)feature];
    for (int i = 0; i < q; i++) {
        double s = style->deviation[component * q + i];
        value += sqrt(fmax(0, s * s - noise2)) * z[i] *
                 style->direction[((size_t)component * (size_t)q + (size_t)i) * (size_t)n +
                                  (size_t)feature];
    }
    return value;
}

int snw_style_complete(const snw_style *style, const bool *is_known, double *features)
{
    int q = style->dimension_count, best = 0;
    double most = -INFINITY, z[SNW_STYLE_DIMENSION_MAX], kept[SNW_STYLE_DIMENSION_MAX] = {0};
    double factor[SNW_STYLE_DIMENSION_MAX * SNW_STYLE_DIMENSION_MAX];
    snw__style_known known = {is_known, features, 0};
    for (int c = 0; c < style->component_count; c++) {
        double base = snw__style_factor(style, c, &known, factor);
        if (base == -INFINITY) continue;
        double score =
            snw__log(style->weight[c]) + (snw__style_latent(style, c, &known, factor, z) + base);
        if (!(score > most)) continue;
        most = score;
        best = c;
        memcpy(kept, z, (size_t)q * sizeof *z);
    }
    for (int k = 0; k < style->feature_count; k++)
        if (!is_known[k]) features[k] = snw__style_expected(style, best, kept, k);
    return best;
}
