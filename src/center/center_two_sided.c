/* The centre two segments share, from their poses alone, by running sums.
 *
 * With R_k, t_k the pose of the child in the parent's frame, the centre c_p (parent) = c_c (child)
 * minimises sum |c_p - R_k c_c - t_k|^2 (Cameron and Lasenby, "A real-time sequential algorithm for
 * human joint localization", 2005; the same sum as SCoRE, Ehrig et al. 2006). Its normal equations
 *
 *     [  I    -M ] [c_p]   [ p ]        M = mean R,  p = mean t,  q = mean -R^T t
 *     [ -M^T   I ] [c_c] = [ q ]
 *
 * fall apart in the singular vectors M = sum s_i u_i v_i^T: along (u_i, v_i) the eigenvalue is
 * 1 - s_i, along (u_i, -v_i) it is 1 + s_i. Only the first can vanish: s_1 = 1 is a hinge with the
 * axis u_1 (parent) and v_1 (child), which is SARA (Ehrig et al. 2007); s_3 = 1 is no motion.
 * Directions that vanish get the component of least norm, midway between the segments' origins, or,
 * where a little motion speaks, the estimate that weighs it against that prior.
 *
 * Noise of the rotations, covariance C in the segment's frame, shrinks a mean rotation by
 * I - (tr C I - C) / 2; dividing it out removes the pull of noise towards the least norm. */
#include <string.h>

#include <sinew/dense.h>

#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"
#include "center/center_constants.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"

/* ---- the solution -------------------------------------------------------------------------- */

/* The means of the sums, with known noise divided out or not, and the singular vectors of M. */
typedef struct two_sided_system {
    snw_mat3 m;
    snw_vec3 p, q;
    double sigma[3];
    double eigenvalue[3]; /* 1 - sigma */
    snw_vec3 u[3], v[3];
    bool is_open[3];
    double ridge; /* prior information along open directions; infinite: they stay at zero */
    double noise; /* what the rotations' noise adds to an eigenvalue */
    bool is_guarded;
} two_sided_system;

/* I - (tr C I - C) / 2, inverted; *largest gets the largest eigenvalue taken off. */
static snw_mat3 inverse_shrinking(snw_mat3 noise, double *largest)
{
    snw__spectrum3 spectrum = snw__spectrum3_of(noise);
    double trace = fmax(0, snw__mat3_trace(noise));
    snw_mat3 inverse;
    memset(&inverse, 0, sizeof inverse);
    for (int i = 0; i < 3; i++) {
        /* Half is more noise than any correction can take out. */
        double loss = snw_clamp((trace - spectrum.value[i]) / 2, 0, 0.5);
        *largest = fmax(*largest, loss);
        snw__add_outer(&inverse, 1 / (1 - loss), spectrum.vector[i]);
    }
    return inverse;
}

static snw_status factor_system(two_sided_system *system)
{
    double left[9], right[9];
    snw_svd svd = {3, 3, system->sigma, left, right};
    snw_status status = snw_svd_factor(&svd, &system->m.m[0][0], 3, 3);
    for (int i = 0; i < 3; i++) {
        system->u[i] = snw_vec3_make(left[3 * i], left[3 * i + 1], left[3 * i + 2]);
        system->v[i] = snw_vec3_make(right[3 * i], right[3 * i + 1], right[3 * i + 2]);
        system->eigenvalue[i] = 1 - system->sigma[i];
    }
    return status;
}

/* Divides the noise out, unless it makes up too much of an eigenvalue in use. */
static void correct_system(two_sided_system *system, snw_mat3 parent_fix, snw_mat3 child_fix)
{
    int first = system->is_open[0] ? 1 : 0;
    if (system->is_open[2] || !(system->noise > 0)) return;
    system->is_guarded = !(system->noise < CENTER_GUARD * system->eigenvalue[first]);
    if (system->is_guarded) return;
    two_sided_system corrected = *system;
    corrected.m = snw_mat3_mul(snw_mat3_mul(parent_fix, system->m), child_fix);
    corrected.p = snw_mat3_apply(parent_fix, system->p);
    corrected.q = snw_mat3_apply(child_fix, system->q);
    if (factor_system(&corrected) != SNW_OK) return;
    /* The guard leaves at least half of each eigenvalue in use. */
    for (int i = first; i < 3; i++)
        if (!(corrected.eigenvalue[i] > 0.25 * system->eigenvalue[i])) return;
    *system = corrected;
}

static snw_status set_up_system(const snw_center_sums *sums, const snw_center_options *options,
                                two_sided_system *system)
{
    double parent_loss = 0, child_loss = 0;
    snw_mat3 parent_fix = inverse_shrinking(options->parent_rotation_noise, &parent_loss);
    snw_mat3 child_fix = inverse_shrinking(options->child_rotation_noise, &child_loss);
    memset(system, 0, sizeof *system);
    system->ridge = INFINITY;
    system->noise = parent_loss + child_loss;
    for (int i = 0; i < 9; i++)
        (&system->m.m[0][0])[i] = (&sums->rotation.m[0][0])[i] * (1 / sums->weight);
    system->p = snw_vec3_scale(sums->parent_offset, 1 / sums->weight);
    system->q = snw_vec3_scale(sums->child_offset, 1 / sums->weight);
    snw_status status = factor_system(system);
    if (status != SNW_OK) return status;
    /* Motion about one axis opens one direction, no motion all three; two open ones are motion at
     * the edge of the threshold, since 1 - s_3 <= (1 - s_1) + (1 - s_2). */
    double threshold = options->rank_threshold;
    /* And above this in any case, a motion of 0.1 degrees: poses hold no more in practice. */
    if (system->noise > 0)
        threshold = fmin(threshold, fmax(CENTER_NOISE_FACTOR * system->noise, SNW__SINGLE));
    for (int i = 0; i < 3; i++)
        system->is_open[i] = system->eigenvalue[i] < threshold;
    system->is_open[2] |= system->is_open[1];
    correct_system(system, parent_fix, child_fix);
    return SNW_OK;
}

/* Component of (c_p, c_c) along (u_i, v_i) / 2, the one that can vanish. */
static double weak_component(const two_sided_system *system, int i)
{
    double right = snw_vec3_dot(system->u[i], system->p) + snw_vec3_dot(system->v[i], system->q);
    double eigenvalue = system->eigenvalue[i];
    if (system->is_open[i]) eigenvalue += system->ridge;
    /* Below the floor there is no motion at all, only round-off.
     * 1 - s of rotations that are equal to round-off. */
    return system->eigenvalue[i] < SNW__SAME ? 0 : right / eigenvalue / 2;
}

static void solve_system(const two_sided_system *system, snw_center *center)
{
    center->undetermined = 0;
    center->in_parent = center->in_child = snw_vec3_make(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        double along_u = snw_vec3_dot(system->u[i], system->p);
        double along_v = snw_vec3_dot(system->v[i], system->q);
        double weak = weak_component(system, i);
        double strong = (along_u - along_v) / (1 + system->sigma[i]) / 2;
        center->in_parent = snw_vec3_add_scaled(center->in_parent, weak + strong, system->u[i]);
        center->in_child = snw_vec3_add_scaled(center->in_child, weak - strong, system->v[i]);
        center->undetermined += system->is_open[i];
    }
    center->condition = snw__condition(1 + system->sigma[0], system->eigenvalue[0]);
}

static double effective_frames(const snw_center_sums *sums, const snw_center *center)
{
    double kish = sums->weight * sums->weight / sums->weight2;
    return fmax(1, snw__effective_count(kish, center->correlation));
}

/* Half the distance of the segments' origins, squared: as far off as an open direction can be. */
static double reach2(const snw_center_sums *sums)
{
    return 0.25 * sums->offset2 / sums->weight;
}

/* Residual variance per coordinate: 3 N numbers, 6 unknowns; correlated frames count less. */
static double residual_variance(const snw_center *center, double count)
{
    return center->slip * center->slip / 3 * count / fmax(1, count - 2);
}

/* Of neighbouring residuals e_k = c_p - R_k c_c - t_k. */
static double residual_correlation(const snw_center_sums *sums, const snw_center *center,
                                   double mean_square)
{
    if (sums->pair_weight <= 0 || mean_square <= 0) return 0;
    snw_vec3 p = center->in_parent, c = center->in_child;
    double sum = sums->pair_weight * snw_vec3_length2(p) -
                 snw_vec3_dot(p, snw_mat3_apply(sums->pair_rotation, c)) -
                 snw_vec3_dot(p, sums->pair_offset) +
                 snw_vec3_dot(c, snw_mat3_apply(snw_mat3_transpose(sums->pair_turn), c)) +
                 snw_vec3_dot(c, sums->pair_cross) + sums->pair_offset2;
    return snw_clamp(sum / (sums->pair_weight * mean_square), 0, CENTER_CORRELATION_MAX);
}

/* Where noise could not be divided out: the square of its pull along direction i. */
static double bias2(const two_sided_system *system, int i)
{
    if (!system->is_guarded) return 0;
    double clean = fmax(system->eigenvalue[i] - system->noise, 0.1 * system->noise);
    double pull = weak_component(system, i) * system->noise / clean;
    return pull * pull;
}

static void measure_slip(const snw_center_sums *sums, snw_center *center)
{
    /* Mean |c_p - R c_c - t|^2 from the sums. */
    snw_vec3 p = center->in_parent, c = center->in_child;
    double sum = sums->weight * (snw_vec3_length2(p) + snw_vec3_length2(c)) -
                 2 * snw_vec3_dot(p, snw_mat3_apply(sums->rotation, c)) -
                 2 * snw_vec3_dot(p, sums->parent_offset) -
                 2 * snw_vec3_dot(c, sums->child_offset) + sums->offset2;
    double mean_square = fmax(0, sum / sums->weight);
    center->residual = center->slip = sqrt(mean_square);
    center->correlation = residual_correlation(sums, center, mean_square);
}

snw_status snw_center_sums_solve(const snw_center_sums *sums, const snw_center_options *options,
                                 snw_center *center, snw_error *error)
{
    *center = snw__center_none(SNW_CENTER_TWO_SIDED);
    snw_center_options defaults = snw_center_options_default();
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    if (sums->frame_count < SNW__CENTER_FRAMES_MIN || !(sums->weight > 0))
        return snw__fail(error, SNW_DEGENERATE,
                         "both segments are seen together in only %lld frames; a centre needs %d",
                         (long long)sums->frame_count, SNW__CENTER_FRAMES_MIN);
    two_sided_system system;
    if (!isfinite(sums->offset2) || !isfinite(sums->pair_offset2) ||
        set_up_system(sums, options, &system) != SNW_OK)
        return snw__fail(error, SNW_DEGENERATE, "the segments are too far apart to have a centre");
    solve_system(&system, center);
    measure_slip(sums, center);
    if (center->undetermined > 0 && sums->offset2 > 0) {
        /* What little the data say along open directions, against the segments' distance as the
         * standard deviation of a prior: never far from midway, and never worse than it. */
        double count = effective_frames(sums, center);
        system.ridge = residual_variance(center, count) / (count * reach2(sums));
        solve_system(&system, center);
        measure_slip(sums, center);
    }
    center->is_bias_guarded = system.is_guarded;
    center->frame_count = (int)(sums->frame_count < INT32_MAX ? sums->frame_count : INT32_MAX);
    center->has_child = true;
    double count = effective_frames(sums, center);
    /* Covariance of the parent's side: residual variance times the inverse of the normal matrix. */
    double variance = residual_variance(center, count), open = reach2(sums);
    double determined = 0;
    memset(&center->covariance, 0, sizeof center->covariance);
    for (int i = 0; i < 3; i++) {
        double weak = open;
        if (!system.is_open[i])
            weak = fmin(open, variance / count / system.eigenvalue[i] / 2 + bias2(&system, i));
        double strong = variance / count / (1 + system.sigma[i]) / 2;
        snw__add_outer(&center->covariance, weak + strong, system.u[i]);
        if (!system.is_open[i]) determined += weak + strong;
    }
    center->sigma =
        sqrt(center->undetermined == 3 ? snw__mat3_trace(center->covariance) : determined);
    snw__center_judge_motion(center, system.m, count);
    return snw__center_finish(center, error);
}

/* ---- a whole trial ------------------------------------------------------------------------- */

static double slip_at(const snw_center *center, snw_xform parent_from_child)
{
    return snw_vec3_distance(center->in_parent,
                             snw_xform_point(parent_from_child, center->in_child));
}

/* Gathers all frames, each weighed by its slip in units of `scale`; infinite scale: all alike. */
static snw_center_sums gather(const snw_center_data *data, const snw_center *center, double scale,
                              int *rejected_count)
{
    snw_center_sums sums = snw_center_sums_begin();
    *rejected_count = 0;
    for (int k = 0; k < data->frame_count; k++) {
        snw_xform parent_from_child;
        bool is_seen = snw__center_relative(data, k, &parent_from_child);
        double weight =
            is_seen ? snw__outlier_weight(slip_at(center, parent_from_child) / scale) : 0;
        if (weight > 0)
            snw__center_sums_add_weighted(&sums, parent_from_child, weight);
        else
            snw_center_sums_skip(&sums);
        *rejected_count += is_seen && !(weight > 0);
    }
    return sums;
}

snw_status snw__center_two_sided(const snw_center_data *data, const snw_center_options *options,
                                 snw_center *center, snw_error *error)
{
    int rejected_count;
    double scale = INFINITY;
    snw_center_sums sums = gather(data, center, scale, &rejected_count);
    snw_status status = snw_center_sums_solve(&sums, options, center, error);
    /* Each round weighs by the last one's residuals; the weights settle in a few. */
    for (int round = 0; status == SNW_OK && options->is_robust && round < 8; round++) {
        snw_vec3 before = center->in_parent;
        /* One sigma per axis of the slip, from its median: |e| of a 3-D normal has the
         * median 1.538. */
        snw__magnitudes magnitudes;
        snw__magnitudes_begin(&magnitudes);
        for (int k = 0; k < data->frame_count; k++) {
            snw_xform parent_from_child;
            if (snw__center_relative(data, k, &parent_from_child))
                snw__magnitudes_add(&magnitudes, slip_at(center, parent_from_child));
        }
        scale = snw__magnitudes_median(&magnitudes) / 1.538;
        /* Residuals of round-off size have no outliers worth the name. */
        if (!(scale > 1e-12 * (1 + snw_vec3_length(before)))) break;
        sums = gather(data, center, scale, &rejected_count);
        status = snw_center_sums_solve(&sums, options, center, error);
        if (snw_vec3_distance(before, center->in_parent) < 1e-9) break;
    }
    if (status != SNW_OK) return status;
    center->rejected_count = rejected_count;
    snw__center_measure_range(data, rejected_count > 0 ? 6 * scale : INFINITY, center);
    return snw__center_finish(center, error);
}
