/* A mixture from poses: expectation-maximization for mixtures of probabilistic principal components
 * (Tipping & Bishop, "Mixtures of probabilistic principal component analysers", Neural Computation
 * 11, 1999).
 *
 * With responsibilities r of a component (times the poses as which a frame counts), N = sum r, its
 * mean is sum r x / N, and with
 *
 *     S = (sum r (x - mean)(x - mean)^T + n0 S0) / (N + n0),
 *
 * S0 the covariance of all frames and n0 the shrinkage, directions W and noise s^2 are bettered by
 *
 *     M = W^T W + s^2 I,  A = S W,  W' = A (s^2 M + W^T A)^-1 M,  s'^2 = tr(S - A M^-1 W'^T) / n
 *
 * (their equations 69 and 70). Every iteration raises the log-likelihood with what n0 adds, sum
 * over components of -n0/2 (log|C| + tr(C^-1 S0)): shrinkage is an inverse-Wishart prior. The first
 * components are the principal components of clusters (k-means++, Arthur & Vassilvitskii 2007). */
#include "style/style_mixture.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "math/tolerance.h"
#include "style/style_constants.h"

/* ---- constants ------------------------------------------------------------------------------ */

static double *row_of(const snw__mixture *mixture, int frame)
{
    return mixture->x + (size_t)frame * (size_t)mixture->features;
}

static double *mean_of(const snw__mixture *mixture, int c)
{
    return mixture->style->mean + (size_t)c * (size_t)mixture->features;
}

static double *direction_of(const snw__mixture *mixture, int c, int i)
{
    return mixture->style->direction +
           ((size_t)c * (size_t)mixture->dimensions + (size_t)i) * (size_t)mixture->features;
}

static double product(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

void snw__mixture_lay_out(void *object, snw__block *block)
{
    snw__mixture *s = object;
    size_t frames = (size_t)s->frames, n = (size_t)s->features, q = (size_t)s->dimensions;
    s->x = snw__block_take(block, snw__size_mul(frames, n), sizeof *s->x);
    s->count = snw__block_take(block, frames, sizeof *s->count);
    s->r = snw__block_take(block, snw__size_mul(frames, (size_t)s->components), sizeof *s->r);
    s->all_mean = snw__block_take(block, n, sizeof *s->all_mean);
    s->all = snw__block_take(block, n * n, sizeof *s->all);
    s->s = snw__block_take(block, n * n, sizeof *s->s);
    s->values = snw__block_take(block, n + q, sizeof *s->values);
    s->vectors = snw__block_take(block, n * n, sizeof *s->vectors);
    s->w = snw__block_take(block, q * n, sizeof *s->w);
    s->a = snw__block_take(block, q * n, sizeof *s->a);
    s->small = snw__block_take(block, 4 * q * q, sizeof *s->small);
    s->cluster = snw__block_take(block, frames, sizeof *s->cluster);
    s->distance2 = snw__block_take(block, frames, sizeof *s->distance2);
}

/* ---- moments -------------------------------------------------------------------------------- */

/* s (lower half) += weight (x - mean)(x - mean)^T */
static void add_square(const snw__mixture *mixture, const double *x, const double *mean,
                       double weight, double *s)
{
    int n = mixture->features;
    for (int i = 0; i < n; i++) {
        double d = weight * (x[i] - mean[i]);
        for (int j = 0; j <= i; j++)
            s[(size_t)i * (size_t)n + (size_t)j] += d * (x[j] - mean[j]);
    }
}

static void mirror(int n, double *s, double scale)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double value = s[i * n + j] * scale;
            s[i * n + j] = s[j * n + i] = value;
        }
}

/* Mean and shrunk covariance of a component by its responsibilities; returns their sum. */
static double component_moments(snw__mixture *mixture, int c)
{
    int n = mixture->features, k_count = mixture->components;
    double sum = 0, *mean = mean_of(mixture, c);
    for (int f = 0; f < mixture->frames; f++)
        sum += mixture->r[(size_t)f * (size_t)k_count + (size_t)c];
    if (sum > 1e-9) {
        memset(mean, 0, (size_t)n * sizeof *mean);
        for (int f = 0; f < mixture->frames; f++) {
            double part = mixture->r[(size_t)f * (size_t)k_count + (size_t)c] / sum;
            for (int k = 0; k < n && part > 0; k++)
                mean[k] += part * row_of(mixture, f)[k];
        }
    }
    for (int k = 0; k < n * n; k++)
        mixture->s[k] = mixture->shrinkage * mixture->all[k];
    for (int f = 0; f < mixture->frames; f++) {
        double part = mixture->r[(size_t)f * (size_t)k_count + (size_t)c];
        if (part > 0) add_square(mixture, row_of(mixture, f), mean, part, mixture->s);
    }
    mirror(n, mixture->s, 1 / fmax(sum + mixture->shrinkage, 1e-9));
    double own = sum / fmax(sum + mixture->shrinkage, 1e-9); /* `all` has its noise already */
    for (int k = 0; k < n; k++)
        mixture->s[k * n + k] += fmax(own, 1e-6) * STYLE_NOISE * STYLE_NOISE;
    return sum;
}

/* ---- the first components ------------------------------------------------------------------- */

static double distance2(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static void find_clusters(snw__mixture *mixture, uint64_t seed)
{
    snw_random random = snw_random_seed(seed, 4);
    /* Far frames are the likelier centres. */
    int n = mixture->features, first = (int)snw_random_below(&random, (uint32_t)mixture->frames);
    memcpy(mean_of(mixture, 0), row_of(mixture, first), (size_t)n * sizeof(double));
    for (int f = 0; f < mixture->frames; f++)
        mixture->distance2[f] = INFINITY;
    for (int c = 1; c < mixture->components; c++) {
        double sum = 0;
        for (int f = 0; f < mixture->frames; f++) {
            double d = distance2(row_of(mixture, f), mean_of(mixture, c - 1), n);
            mixture->distance2[f] = fmin(mixture->distance2[f], d);
            sum += mixture->count[f] * mixture->distance2[f];
        }
        double left = snw_random_unit(&random) * sum;
        int chosen = 0;
        while (chosen + 1 < mixture->frames &&
               (left -= mixture->count[chosen] * mixture->distance2[chosen]) > 0)
            chosen++;
        memcpy(mean_of(mixture, c), row_of(mixture, chosen), (size_t)n * sizeof(double));
    }
    for (int k = 0; k < STYLE_LLOYD; k++) {
        memset(mixture->r, 0,
               (size_t)mixture->frames * (size_t)mixture->components * sizeof *mixture->r);
        for (int f = 0; f < mixture->frames; f++) {
            double least = INFINITY;
            for (int c = 0; c < mixture->components; c++) {
                double d = distance2(row_of(mixture, f), mean_of(mixture, c), mixture->features);
                if (!(d < least)) continue;
                least = d;
                mixture->cluster[f] = c;
            }
            mixture->r[(size_t)f * (size_t)mixture->components + (size_t)mixture->cluster[f]] =
                mixture->count[f];
        }
        for (int c = 0; c < mixture->components; c++)
            (void)component_moments(mixture, c);
    }
}

/* Principal components in closed form: the noise is the mean of the variances that are left. */
static snw_status principal(snw__mixture *mixture, int c)
{
    int n = mixture->features, q = mixture->dimensions;
    double noise2 = 0, sum = component_moments(mixture, c);
    snw_status status = snw_eigen_symmetric(mixture->s, n, mixture->values, mixture->vectors);
    if (status != SNW_OK) return status;
    for (int i = q; i < n; i++)
        noise2 += fmax(0, mixture->values[i]) / (n - q);
    noise2 = fmax(noise2, SNW__SINGLE * SNW__SINGLE);
    mixture->style->weight[c] = fmax(sum / mixture->frames, 1e-12);
    mixture->style->noise[c] = sqrt(noise2);
    for (int i = 0; i < q; i++) {
        mixture->style->deviation[c * q + i] = sqrt(fmax(mixture->values[i], noise2));
        memcpy(direction_of(mixture, c, i), mixture->vectors + (size_t)i * (size_t)n,
               (size_t)n * sizeof(double));
    }
    return SNW_OK;
}

/* ---- expectation ---------------------------------------------------------------------------- */

/* -n0/2 (log|C| + tr(C^-1 S0)) */
static double shrinkage_term(const snw__mixture *mixture, int c)
{
    int n = mixture->features, q = mixture->dimensions;
    const snw_style *style = mixture->style;
    double noise2 = style->noise[c] * style->noise[c], trace = 0;
    double logs = (n - q) * snw__log(noise2), quadratic = 0;
    if (mixture->shrinkage == 0) return 0;
    for (int k = 0; k < n; k++)
        trace += mixture->all[k * n + k];
    quadratic = trace / noise2;
    for (int i = 0; i < q; i++) {
        double s2 = style->deviation[c * q + i] * style->deviation[c * q + i], along = 0;
        const double *u = direction_of(mixture, c, i);
        for (int k = 0; k < n; k++)
            along += u[k] * product(mixture->all + (size_t)k * (size_t)n, u, n);
        logs += snw__log(s2);
        quadratic += along * (1 / s2 - 1 / noise2);
    }
    return -0.5 * mixture->shrinkage * (logs + quadratic);
}

/* Responsibilities; returns the log-likelihood with the shrinkage's terms. */
static double expect(snw__mixture *mixture)
{
    double sum = 0, constant[SNW_STYLE_COMPONENT_MAX];
    int count = mixture->components;
    for (int c = 0; c < count; c++) {
        /* f^2 tr(C^-1) / 2 */
        int n = mixture->features, q = mixture->dimensions;
        const snw_style *style = mixture->style;
        double trace = (n - q) / (style->noise[c] * style->noise[c]);
        for (int i = 0; i < q; i++)
            trace += 1 / (style->deviation[c * q + i] * style->deviation[c * q + i]);
        constant[c] =
            snw__log(mixture->style->weight[c]) - (0.5 * STYLE_NOISE * STYLE_NOISE * trace);
    }
    for (int f = 0; f < mixture->frames; f++) {
        double *r = mixture->r + (size_t)f * (size_t)count, most = -INFINITY, total = 0;
        for (int c = 0; c < count; c++) {
            r[c] = constant[c] + snw__style_log_component(mixture->style, c, row_of(mixture, f));
            most = fmax(most, r[c]);
        }
        for (int c = 0; c < count; c++)
            total += r[c] = snw__exp(r[c] - most);
        for (int c = 0; c < count; c++)
            r[c] *= mixture->count[f] / total;
        sum += mixture->count[f] * (most + snw__log(total));
    }
    for (int c = 0; c < count; c++)
        sum += shrinkage_term(mixture, c);
    return sum;
}

/* ---- maximization --------------------------------------------------------------------------- */

/* W (rows) as orthonormal directions with deviations: the eigenvectors of W^T W. */
static snw_status set_directions(snw__mixture *mixture, int c, double noise2)
{
    int n = mixture->features, q = mixture->dimensions;
    double *gram = mixture->small, *values = mixture->values, *vectors = mixture->small + q * q;
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++)
            gram[i * q + j] =
                product(mixture->w + (size_t)i * (size_t)n, mixture->w + (size_t)j * (size_t)n, n);
    snw_status status = snw_eigen_symmetric(gram, q, values, vectors);
    if (status != SNW_OK) return status;
    for (int i = 0; i < q; i++) {
        double *u = direction_of(mixture, c, i), length = sqrt(fmax(values[i], 0));
        bool is_empty = !(values[i] > 1e-12 * noise2);
        mixture->style->deviation[c * q + i] = sqrt(is_empty ? noise2 : values[i] + noise2);
        memset(u, 0, (size_t)n * sizeof *u);
        for (int j = 0; j < q && !is_empty; j++)
            for (int k = 0; k < n; k++)
                u[k] += vectors[i * q + j] * mixture->w[(size_t)j * (size_t)n + (size_t)k] / length;
    }
    mixture->style->noise[c] = sqrt(noise2);
    return SNW_OK;
}

/* One update of W and the noise by S; see the file's head. */
static snw_status better_directions(snw__mixture *mixture, int c)
{
    int n = mixture->features, q = mixture->dimensions;
    double noise2 = mixture->style->noise[c] * mixture->style->noise[c], trace = 0, taken = 0;
    double *g = mixture->small, *m = g + q * q, *t = m + q * q;
    for (int i = 0; i < q; i++) {
        double s = mixture->style->deviation[c * q + i];
        double scale = sqrt(fmax(0, s * s - noise2));
        const double *u = direction_of(mixture, c, i);
        double *w = mixture->w + (size_t)i * (size_t)n, *a = mixture->a + (size_t)i * (size_t)n;
        for (int k = 0; k < n; k++)
            w[k] = scale * u[k];
        for (int k = 0; k < n; k++)
            a[k] = product(mixture->s + (size_t)k * (size_t)n, w, n);
    }
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++) {
            const double *wi = mixture->w + (size_t)i * (size_t)n;
            const double *wj = mixture->w + (size_t)j * (size_t)n;
            m[i * q + j] = product(wi, wj, n) + (i == j ? noise2 : 0);
            t[i * q + j] = product(wi, mixture->a + (size_t)j * (size_t)n, n);
            g[i * q + j] = noise2 * m[i * q + j] + t[i * q + j];
        }
    if (snw_cholesky_factor(g, q) != SNW_OK) return SNW_OK; /* nothing left to better */
    /* Columns of G^-1 M in place of M; W'^T = (G^-1 M)^T A^T. */
    double column[SNW_STYLE_DIMENSION_MAX];
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < q; i++)
            column[i] = m[i * q + j];
        (void)snw_cholesky_solve(g, q, column);
        double *w = mixture->w + (size_t)j * (size_t)n;
        memset(w, 0, (size_t)n * sizeof *w);
        for (int i = 0; i < q; i++)
            for (int k = 0; k < n; k++)
                w[k] += column[i] * mixture->a[(size_t)i * (size_t)n + (size_t)k];
        /* M^-1 W'^T A has the trace of G^-1 (A^T A). */
    }
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < q; i++)
            column[i] =
                product(mixture->a + (size_t)i * (size_t)n, mixture->a + (size_t)j * (size_t)n, n);
        (void)snw_cholesky_solve(g, q, column);
        taken += column[j];
    }
    for (int k = 0; k < n; k++)
        trace += mixture->s[k * n + k];
    noise2 = fmax((trace - taken) / n, SNW__SINGLE * SNW__SINGLE);
    return set_directions(mixture, c, noise2);
}

snw_status snw__mixture_fit(snw__mixture *mixture, const snw_style_options *options,
                            snw_style_report *report)
{
    snw_status status = SNW_OK;
    int n = mixture->features;
    for (int f = 0; f < mixture->frames; f++)
        for (int k = 0; k < n; k++)
            mixture->all_mean[k] += mixture->count[f] * row_of(mixture, f)[k] / mixture->frames;
    for (int f = 0; f < mixture->frames; f++)
        add_square(mixture, row_of(mixture, f), mixture->all_mean, mixture->count[f], mixture->all);
    mirror(n, mixture->all, 1.0 / mixture->frames);
    for (int k = 0; k < n; k++)
        mixture->all[k * n + k] += STYLE_NOISE * STYLE_NOISE;
    find_clusters(mixture, options->seed);
    for (int c = 0; c < mixture->components && status == SNW_OK; c++)
        status = principal(mixture, c);
    double before = status == SNW_OK ? expect(mixture) : 0, lowest = INFINITY;
    int iteration = 0;
    while (iteration < options->iteration_max && status == SNW_OK) {
        for (int c = 0; c < mixture->components && status == SNW_OK; c++) {
            double sum = component_moments(mixture, c);
            mixture->style->weight[c] = fmax(sum / mixture->frames, 1e-12);
            status = better_directions(mixture, c);
            if (status == SNW_OK) status = better_directions(mixture, c);
        }
        if (status != SNW_OK) break;
        iteration++;
        double now = expect(mixture);
        lowest = fmin(lowest, (now - before) / mixture->frames);
        bool is_last = now - before < SNW__SINGLE * fabs(before);
        before = now;
        if (is_last) break;
    }
    double total = 0;
    for (int c = 0; c < mixture->components; c++)
        total += mixture->style->weight[c];
    for (int c = 0; c < mixture->components; c++)
        mixture->style->weight[c] /= total;
    *report = (snw_style_report){.frame_count = mixture->frames,
                                 .iterations = iteration,
                                 .log_likelihood = before / mixture->frames,
                                 .lowest_rise = lowest < INFINITY ? lowest : 0};
    return status;
}
