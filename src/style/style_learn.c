/* A style from motions: expectation-maximization for mixtures of probabilistic principal components
 * (Tipping & Bishop, "Mixtures of probabilistic principal component analysers", Neural Computation
 * 11, 1999).
 *
 * With responsibilities r of a component, N = sum r, its mean is sum r x / N, and with
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
#include "style/style.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"

/* ---- constants ------------------------------------------------------------------------------ */

/* name                value   from
 * STYLE_STILL         1e-3    radians of deviation below which a joint does not move: capture noise
 * STYLE_NOISE         5e-3    radians, f above: what captured swing and twist carry as noise
 * STYLE_RISE          1e-6    of the log-likelihood: an iteration that raises it less is the last
 * STYLE_LLOYD         10      iterations of k-means; only a start
 * STYLE_FRAMES_EACH   3       frames for each direction that a component must have on average */
#define STYLE_STILL 1e-3
#define STYLE_NOISE 5e-3
/* Only against a division by zero: noise is above STYLE_NOISE by itself. */
#define STYLE_LEAST       1e-6
#define STYLE_RISE        1e-6
#define STYLE_LLOYD       10
#define STYLE_FRAMES_EACH 3

snw_style_options snw_style_options_default(void)
{
    snw_style_options options = {.component_count = 12,
                                 .dimension_count = 12,
                                 .rate = 20,
                                 .iteration_max = 100,
                                 .shrinkage = 30,
                                 .seed = 1};
    return options;
}

/* What is being learned. */
typedef struct style_study {
    int frames, features, components, dimensions;
    double shrinkage;
    double *x;         /* (frames x features) */
    double *r;         /* (frames x components) responsibilities */
    double *all_mean;  /* (features) */
    double *all;       /* (features x features) covariance of all frames */
    double *s;         /* (features x features) of one component */
    double *values;    /* (features) */
    double *vectors;   /* (features x features) */
    double *w, *a;     /* (dimensions x features) rows are columns of W and A */
    double *small;     /* (4 x dimensions x dimensions) */
    int *cluster;      /* (frames) */
    double *distance2; /* (frames) */
    snw_style *style;
} style_study;

static double *row_of(const style_study *study, int frame)
{
    return study->x + (size_t)frame * (size_t)study->features;
}

static double *mean_of(const style_study *study, int c)
{
    return study->style->mean + (size_t)c * (size_t)study->features;
}

static double *direction_of(const style_study *study, int c, int i)
{
    return study->style->direction +
           ((size_t)c * (size_t)study->dimensions + (size_t)i) * (size_t)study->features;
}

static double product(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k];
    return sum;
}

/* ---- moments -------------------------------------------------------------------------------- */

/* s (lower half) += weight (x - mean)(x - mean)^T */
static void add_square(const style_study *study, const double *x, const double *mean, double weight,
                       double *s)
{
    int n = study->features;
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

static void find_moments(style_study *study)
{
    int n = study->features;
    for (int f = 0; f < study->frames; f++)
        for (int k = 0; k < n; k++)
            study->all_mean[k] += row_of(study, f)[k] / study->frames;
    for (int f = 0; f < study->frames; f++)
        add_square(study, row_of(study, f), study->all_mean, 1, study->all);
    mirror(n, study->all, 1.0 / study->frames);
    for (int k = 0; k < n; k++)
        study->all[k * n + k] += STYLE_NOISE * STYLE_NOISE;
}

/* Mean and shrunk covariance of a component by its responsibilities; returns their sum. */
static double component_moments(style_study *study, int c)
{
    int n = study->features, k_count = study->components;
    double sum = 0, *mean = mean_of(study, c);
    for (int f = 0; f < study->frames; f++)
        sum += study->r[(size_t)f * (size_t)k_count + (size_t)c];
    if (sum > 1e-9) {
        memset(mean, 0, (size_t)n * sizeof *mean);
        for (int f = 0; f < study->frames; f++) {
            double part = study->r[(size_t)f * (size_t)k_count + (size_t)c] / sum;
            for (int k = 0; k < n && part > 0; k++)
                mean[k] += part * row_of(study, f)[k];
        }
    }
    for (int k = 0; k < n * n; k++)
        study->s[k] = study->shrinkage * study->all[k];
    for (int f = 0; f < study->frames; f++) {
        double part = study->r[(size_t)f * (size_t)k_count + (size_t)c];
        if (part > 0) add_square(study, row_of(study, f), mean, part, study->s);
    }
    mirror(n, study->s, 1 / fmax(sum + study->shrinkage, 1e-9));
    double own = sum / fmax(sum + study->shrinkage, 1e-9); /* `all` has its noise already */
    for (int k = 0; k < n; k++)
        study->s[k * n + k] += fmax(own, 1e-6) * STYLE_NOISE * STYLE_NOISE;
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

/* Far frames are the likelier centres. */
static void choose_centres(style_study *study, snw_random *random)
{
    int n = study->features, first = (int)snw_random_below(random, (uint32_t)study->frames);
    memcpy(mean_of(study, 0), row_of(study, first), (size_t)n * sizeof(double));
    for (int f = 0; f < study->frames; f++)
        study->distance2[f] = INFINITY;
    for (int c = 1; c < study->components; c++) {
        double sum = 0;
        for (int f = 0; f < study->frames; f++) {
            double d = distance2(row_of(study, f), mean_of(study, c - 1), n);
            study->distance2[f] = fmin(study->distance2[f], d);
            sum += study->distance2[f];
        }
        double left = snw_random_unit(random) * sum;
        int chosen = 0;
        while (chosen + 1 < study->frames && (left -= study->distance2[chosen]) > 0)
            chosen++;
        memcpy(mean_of(study, c), row_of(study, chosen), (size_t)n * sizeof(double));
    }
}

static void assign(style_study *study)
{
    memset(study->r, 0, (size_t)study->frames * (size_t)study->components * sizeof *study->r);
    for (int f = 0; f < study->frames; f++) {
        double least = INFINITY;
        for (int c = 0; c < study->components; c++) {
            double d = distance2(row_of(study, f), mean_of(study, c), study->features);
            if (!(d < least)) continue;
            least = d;
            study->cluster[f] = c;
        }
        study->r[(size_t)f * (size_t)study->components + (size_t)study->cluster[f]] = 1;
    }
}

static void find_clusters(style_study *study, uint64_t seed)
{
    snw_random random = snw_random_seed(seed, 4);
    choose_centres(study, &random);
    for (int k = 0; k < STYLE_LLOYD; k++) {
        assign(study);
        for (int c = 0; c < study->components; c++)
            (void)component_moments(study, c);
    }
}

/* Principal components in closed form: the noise is the mean of the variances that are left. */
static snw_status principal(style_study *study, int c)
{
    int n = study->features, q = study->dimensions;
    double noise2 = 0, sum = component_moments(study, c);
    snw_status status = snw_eigen_symmetric(study->s, n, study->values, study->vectors);
    if (status != SNW_OK) return status;
    for (int i = q; i < n; i++)
        noise2 += fmax(0, study->values[i]) / (n - q);
    noise2 = fmax(noise2, STYLE_LEAST * STYLE_LEAST);
    study->style->weight[c] = fmax(sum / study->frames, 1e-12);
    study->style->noise[c] = sqrt(noise2);
    for (int i = 0; i < q; i++) {
        study->style->deviation[c * q + i] = sqrt(fmax(study->values[i], noise2));
        memcpy(direction_of(study, c, i), study->vectors + (size_t)i * (size_t)n,
               (size_t)n * sizeof(double));
    }
    return SNW_OK;
}

/* ---- expectation ---------------------------------------------------------------------------- */

/* -n0/2 (log|C| + tr(C^-1 S0)) */
static double shrinkage_term(const style_study *study, int c)
{
    int n = study->features, q = study->dimensions;
    const snw_style *style = study->style;
    double noise2 = style->noise[c] * style->noise[c], trace = 0;
    double logs = (n - q) * snw__log(noise2), quadratic = 0;
    if (study->shrinkage == 0) return 0;
    for (int k = 0; k < n; k++)
        trace += study->all[k * n + k];
    quadratic = trace / noise2;
    for (int i = 0; i < q; i++) {
        double s2 = style->deviation[c * q + i] * style->deviation[c * q + i], along = 0;
        const double *u = direction_of(study, c, i);
        for (int k = 0; k < n; k++)
            along += u[k] * product(study->all + (size_t)k * (size_t)n, u, n);
        logs += snw__log(s2);
        quadratic += along * (1 / s2 - 1 / noise2);
    }
    return -0.5 * study->shrinkage * (logs + quadratic);
}

/* f^2 tr(C^-1) / 2 */
static double noise_term(const style_study *study, int c)
{
    int n = study->features, q = study->dimensions;
    const snw_style *style = study->style;
    double trace = (n - q) / (style->noise[c] * style->noise[c]);
    for (int i = 0; i < q; i++)
        trace += 1 / (style->deviation[c * q + i] * style->deviation[c * q + i]);
    return 0.5 * STYLE_NOISE * STYLE_NOISE * trace;
}

/* Responsibilities; returns the log-likelihood with the shrinkage's terms. */
static double expect(style_study *study)
{
    double sum = 0, constant[SNW_STYLE_COMPONENT_MAX];
    int count = study->components;
    for (int c = 0; c < count; c++)
        constant[c] = snw__log(study->style->weight[c]) - noise_term(study, c);
    for (int f = 0; f < study->frames; f++) {
        double *r = study->r + (size_t)f * (size_t)count, most = -INFINITY, total = 0;
        for (int c = 0; c < count; c++) {
            r[c] = constant[c] + snw__style_log_component(study->style, c, row_of(study, f));
            most = fmax(most, r[c]);
        }
        for (int c = 0; c < count; c++)
            total += r[c] = snw__exp(r[c] - most);
        for (int c = 0; c < count; c++)
            r[c] /= total;
        sum += most + snw__log(total);
    }
    for (int c = 0; c < count; c++)
        sum += shrinkage_term(study, c);
    return sum;
}

/* ---- maximization --------------------------------------------------------------------------- */

/* W (rows) as orthonormal directions with deviations: the eigenvectors of W^T W. */
static snw_status set_directions(style_study *study, int c, double noise2)
{
    int n = study->features, q = study->dimensions;
    double *gram = study->small, *values = study->values, *vectors = study->small + q * q;
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++)
            gram[i * q + j] =
                product(study->w + (size_t)i * (size_t)n, study->w + (size_t)j * (size_t)n, n);
    snw_status status = snw_eigen_symmetric(gram, q, values, vectors);
    if (status != SNW_OK) return status;
    for (int i = 0; i < q; i++) {
        double *u = direction_of(study, c, i), length = sqrt(fmax(values[i], 0));
        bool is_empty = !(values[i] > 1e-12 * noise2);
        study->style->deviation[c * q + i] = sqrt(is_empty ? noise2 : values[i] + noise2);
        memset(u, 0, (size_t)n * sizeof *u);
        for (int j = 0; j < q && !is_empty; j++)
            for (int k = 0; k < n; k++)
                u[k] += vectors[i * q + j] * study->w[(size_t)j * (size_t)n + (size_t)k] / length;
    }
    study->style->noise[c] = sqrt(noise2);
    return SNW_OK;
}

/* One update of W and the noise by S; see the file's head. */
static snw_status better_directions(style_study *study, int c)
{
    int n = study->features, q = study->dimensions;
    double noise2 = study->style->noise[c] * study->style->noise[c], trace = 0, taken = 0;
    double *g = study->small, *m = g + q * q, *t = m + q * q;
    for (int i = 0; i < q; i++) {
        double s = study->style->deviation[c * q + i];
        double scale = sqrt(fmax(0, s * s - noise2));
        const double *u = direction_of(study, c, i);
        double *w = study->w + (size_t)i * (size_t)n, *a = study->a + (size_t)i * (size_t)n;
        for (int k = 0; k < n; k++)
            w[k] = scale * u[k];
        for (int k = 0; k < n; k++)
            a[k] = product(study->s + (size_t)k * (size_t)n, w, n);
    }
    for (int i = 0; i < q; i++)
        for (int j = 0; j < q; j++) {
            const double *wi = study->w + (size_t)i * (size_t)n;
            const double *wj = study->w + (size_t)j * (size_t)n;
            m[i * q + j] = product(wi, wj, n) + (i == j ? noise2 : 0);
            t[i * q + j] = product(wi, study->a + (size_t)j * (size_t)n, n);
            g[i * q + j] = noise2 * m[i * q + j] + t[i * q + j];
        }
    if (snw_cholesky_factor(g, q) != SNW_OK) return SNW_OK; /* nothing left to better */
    /* Columns of G^-1 M in place of M; W'^T = (G^-1 M)^T A^T. */
    double column[SNW_STYLE_DIMENSION_MAX];
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < q; i++)
            column[i] = m[i * q + j];
        (void)snw_cholesky_solve(g, q, column);
        double *w = study->w + (size_t)j * (size_t)n;
        memset(w, 0, (size_t)n * sizeof *w);
        for (int i = 0; i < q; i++)
            for (int k = 0; k < n; k++)
                w[k] += column[i] * study->a[(size_t)i * (size_t)n + (size_t)k];
        /* M^-1 W'^T A has the trace of G^-1 (A^T A). */
    }
    for (int j = 0; j < q; j++) {
        for (int i = 0; i < q; i++)
            column[i] =
                product(study->a + (size_t)i * (size_t)n, study->a + (size_t)j * (size_t)n, n);
        (void)snw_cholesky_solve(g, q, column);
        taken += column[j];
    }
    for (int k = 0; k < n; k++)
        trace += study->s[k * n + k];
    noise2 = fmax((trace - taken) / n, STYLE_LEAST * STYLE_LEAST);
    return set_directions(study, c, noise2);
}

static snw_status maximize(style_study *study)
{
    snw_status status = SNW_OK;
    for (int c = 0; c < study->components && status == SNW_OK; c++) {
        double sum = component_moments(study, c);
        study->style->weight[c] = fmax(sum / study->frames, 1e-12);
        status = better_directions(study, c);
        if (status == SNW_OK) status = better_directions(study, c);
    }
    return status;
}

static snw_status run_study(style_study *study, const snw_style_options *options,
                            snw_style_report *report)
{
    snw_status status = SNW_OK;
    find_moments(study);
    find_clusters(study, options->seed);
    for (int c = 0; c < study->components && status == SNW_OK; c++)
        status = principal(study, c);
    double before = status == SNW_OK ? expect(study) : 0, lowest = INFINITY;
    int iteration = 0;
    while (iteration < options->iteration_max && status == SNW_OK) {
        status = maximize(study);
        if (status != SNW_OK) break;
        iteration++;
        double now = expect(study);
        lowest = fmin(lowest, (now - before) / study->frames);
        bool is_last = now - before < STYLE_RISE * fabs(before);
        before = now;
        if (is_last) break;
    }
    double total = 0;
    for (int c = 0; c < study->components; c++)
        total += study->style->weight[c];
    for (int c = 0; c < study->components; c++)
        study->style->weight[c] /= total;
    *report = (snw_style_report){.frame_count = study->frames,
                                 .iterations = iteration,
                                 .log_likelihood = before / study->frames,
                                 .lowest_rise = lowest < INFINITY ? lowest : 0};
    return status;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Everything a style is learned from. */
typedef struct style_source {
    const snw_motion *const *motions;
    int motion_count;
    double rate;
    snw_style draft; /* joints that all motions have */
    int *joint_of;   /* (joint_count of the first skeleton) */
    bool *is_kept;   /* (the same) the joint moves */
    style_study study;
    size_t names;
} style_source;

static int stride_of(const snw_motion *motion, double rate)
{
    double stride = floor(motion->rate / rate + 0.5);
    return stride < 1 ? 1 : stride > 1e6 ? 1000000 : (int)stride;
}

static int64_t count_frames(const style_source *source)
{
    int64_t count = 0;
    for (int m = 0; m < source->motion_count; m++) {
        int stride = stride_of(source->motions[m], source->rate);
        count += (source->motions[m]->frame_count + stride - 1) / stride;
    }
    return count;
}

/* The bone: to the first child, or the tip, or the joint's axis. */
static snw_vec3 bone_of(const snw_skeleton *skeleton, int joint)
{
    int child = skeleton->first_child[joint];
    snw_vec3 to = skeleton->has_tip[joint] ? skeleton->tip[joint] : snw_vec3_make(0, 0, 0);
    if (child >= 0 && snw_vec3_length(skeleton->rest[child].translation) > 0)
        to = skeleton->rest[child].translation;
    return snw_vec3_unit(to, skeleton->joint[joint].axis);
}

static bool all_have(const style_source *source, const char *name, snw_joint_type type)
{
    for (int m = 0; m < source->motion_count; m++) {
        const snw_skeleton *skeleton = source->motions[m]->skeleton;
        int j = snw_skeleton_find_joint(skeleton, name);
        if (j < 0 || snw__style_type(skeleton->joint[j].type) != type) return false;
    }
    return true;
}

/* Fills draft.joint where there is room for it; returns how many. */
static void draft_joints(style_source *source)
{
    const snw_skeleton *skeleton = source->motions[0]->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_joint_type type = snw__style_type(skeleton->joint[j].type);
        if (type == SNW_JOINT_FIXED || !all_have(source, skeleton->name[j], type)) continue;
        snw_style_joint *joint = &source->draft.joint[source->draft.joint_count++];
        joint->name = skeleton->name[j];
        joint->type = type;
        joint->axis = bone_of(skeleton, j);
        joint->axis2 = snw_vec3_perpendicular(joint->axis);
        joint->first = source->draft.feature_count;
        source->draft.feature_count += snw_joint_type_dof(type);
    }
}

static void draft_lay_out(void *object, snw__block *block)
{
    style_source *source = object;
    size_t joints = (size_t)source->motions[0]->skeleton->joint_count;
    source->draft.joint = snw__block_take(block, joints, sizeof *source->draft.joint);
    source->joint_of = snw__block_take(block, joints, sizeof *source->joint_of);
    source->is_kept = snw__block_take(block, joints, sizeof *source->is_kept);
}

static void study_lay_out(void *object, snw__block *block)
{
    style_study *s = object;
    size_t frames = (size_t)s->frames, n = (size_t)s->features, q = (size_t)s->dimensions;
    s->x = snw__block_take(block, snw__size_mul(frames, n), sizeof *s->x);
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

/* All features of all frames into study.x. */
static snw_status read_frames(style_source *source, const snw_allocator *allocator,
                              snw_error *error)
{
    int row = 0;
    for (int m = 0; m < source->motion_count; m++) {
        const snw_motion *motion = source->motions[m];
        snw_pose *pose = NULL;
        snw_status status = snw_pose_create(motion->skeleton, allocator, &pose, error);
        if (status != SNW_OK) return status;
        (void)snw_style_match(&source->draft, motion->skeleton, source->joint_of);
        for (int f = 0; f < motion->frame_count; f += stride_of(motion, source->rate)) {
            double *x = source->study.x + (size_t)row++ * (size_t)source->draft.feature_count;
            snw_motion_get(motion, f, pose);
            snw_style_features(&source->draft, source->joint_of, pose, x);
            for (int k = 0; k < source->draft.feature_count; k++)
                if (!isfinite(x[k])) x[k] = 0;
        }
        snw_pose_destroy(pose);
    }
    return SNW_OK;
}

/* Joints whose features vary; the others' columns are taken out. */
static void keep_moving(style_source *source)
{
    style_study *study = &source->study;
    int width = source->draft.feature_count, kept = 0;
    source->names = 0;
    for (int s = 0; s < source->draft.joint_count; s++) {
        const snw_style_joint *joint = &source->draft.joint[s];
        double variance = 0;
        for (int k = joint->first; k < joint->first + snw_joint_type_dof(joint->type); k++) {
            double sum = 0, square = 0;
            for (int f = 0; f < study->frames; f++)
                sum += study->x[(size_t)f * (size_t)width + (size_t)k] / study->frames;
            for (int f = 0; f < study->frames; f++) {
                double d = study->x[(size_t)f * (size_t)width + (size_t)k] - sum;
                square += d * d / study->frames;
            }
            variance += square;
        }
        source->is_kept[s] = variance > STYLE_STILL * STYLE_STILL;
        if (!source->is_kept[s]) continue;
        kept += snw_joint_type_dof(joint->type);
        source->names += strlen(joint->name) + 1;
    }
    for (int f = 0; f < study->frames; f++) {
        int to = 0;
        for (int s = 0; s < source->draft.joint_count; s++)
            for (int k = 0; k < snw_joint_type_dof(source->draft.joint[s].type); k++)
                if (source->is_kept[s])
                    study->x[(size_t)f * (size_t)kept + (size_t)to++] =
                        study->x[(size_t)f * (size_t)width +
                                 (size_t)(source->draft.joint[s].first + k)];
    }
    study->features = kept;
}

static void copy_joints(const style_source *source, snw_style *style, char *names)
{
    int first = 0, to = 0;
    for (int s = 0; s < source->draft.joint_count; s++) {
        if (!source->is_kept[s]) continue;
        snw_style_joint *joint = &style->joint[to++];
        *joint = source->draft.joint[s];
        joint->first = first;
        first += snw_joint_type_dof(joint->type);
        size_t size = strlen(joint->name) + 1;
        memcpy(names, joint->name, size);
        joint->name = names;
        names += size;
    }
}

static snw_status learn(style_source *source, const snw_style_options *options,
                        const snw_allocator *allocator, snw_style **out, snw_style_report *report,
                        snw_error *error)
{
    style_study *study = &source->study;
    char *names = NULL;
    snw_status status = read_frames(source, allocator, error);
    if (status != SNW_OK) return status;
    keep_moving(source);
    if (study->features == 0)
        return snw__fail(error, SNW_DEGENERATE, "no joint moves in what is to be learned");
    int joints = 0;
    for (int s = 0; s < source->draft.joint_count; s++)
        joints += source->is_kept[s];
    if (study->dimensions > study->features - 1) study->dimensions = study->features - 1;
    int most = study->frames / (STYLE_FRAMES_EACH * (study->dimensions + 1));
    if (study->components > most) study->components = most > 1 ? most : 1;
    snw_style counts = {.joint_count = joints,
                        .feature_count = study->features,
                        .component_count = study->components,
                        .dimension_count = study->dimensions};
    status = snw__style_create(&counts, source->names, allocator, out, &names, error);
    if (status != SNW_OK) return status;
    copy_joints(source, *out, names);
    study->style = *out;
    status = run_study(study, options, report);
    if (status != SNW_OK)
        return snw__fail(error, status, "the principal components of the motions were not found");
    return SNW_OK;
}

static snw_status check_learning(const snw_motion *const *motions, int motion_count,
                                 const snw_style_options *o, snw_error *error)
{
    const snw__bounds bounds[] = {
        {"component_count of a style", o->component_count, 1, SNW_STYLE_COMPONENT_MAX},
        {"dimension_count of a style", o->dimension_count, 1, SNW_STYLE_DIMENSION_MAX},
        {"rate of a style", o->rate, 1e-6, 1e6},
        {"iteration_max of a style", o->iteration_max, 0, 1000000},
        {"shrinkage of a style", o->shrinkage, 0, 1e9},
    };
    if (!motions || motion_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a style is learned from one motion or more");
    for (int m = 0; m < motion_count; m++)
        if (!motions[m]) return snw__fail(error, SNW_INVALID_ARGUMENT, "motion %d is NULL", m);
    return snw__check_bounds(bounds, (int)(sizeof bounds / sizeof *bounds), error);
}

snw_status snw_style_learn(const snw_motion *const *motions, int motion_count,
                           const snw_style_options *options, const snw_allocator *allocator,
                           snw_style **out, snw_style_report *report, snw_error *error)
{
    snw_style_options defaults = snw_style_options_default();
    snw_style_report own;
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a style needs a place to be put");
    *out = NULL;
    if (!options) options = &defaults;
    snw_status status = check_learning(motions, motion_count, options, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    style_source source = {.motions = motions, .motion_count = motion_count, .rate = options->rate};
    int64_t frames = count_frames(&source);
    if (frames < 2 || frames > INT32_MAX / 4)
        return snw__fail(error, SNW_DEGENERATE, "%lld frames are %s to learn from",
                         (long long)frames, frames < 2 ? "too few" : "too many");
    snw__block draft, block = {NULL, 0, 0};
    status =
        snw__block_create(&draft, draft_lay_out, &source, &memory, "the joints of a style", error);
    if (status != SNW_OK) return status;
    draft_joints(&source);
    source.study = (style_study){.frames = (int)frames,
                                 .features = source.draft.feature_count,
                                 .components = options->component_count,
                                 .dimensions = options->dimension_count,
                                 .shrinkage = options->shrinkage};
    status = snw__block_create(&block, study_lay_out, &source.study, &memory,
                               "the frames of a style", error);
    if (status == SNW_OK)
        status = learn(&source, options, &memory, out, report ? report : &own, error);
    snw__block_release(&memory, &block);
    snw__block_release(&memory, &draft);
    if (status == SNW_OK) return snw__succeed(error);
    snw_style_destroy(*out);
    *out = NULL;
    return status;
}
