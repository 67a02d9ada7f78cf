/* Completes a capture by smoothing its principal components (Burke and Lasenby 2016).
 *
 * Every frame is brought into the body's own frame by the rigid fit of the mean posture. There the
 * coordinates y of all markers are few components away from the mean, and the components' scores s
 * change slowly:
 *
 *     s' = A s + w,  w ~ N(0, (1 - A^2) L)       y = mean + V s + r,  r ~ N(0, noise of the marker)
 *
 * with L the variances of the scores and A their correlation from frame to frame (the paper has
 * A = 1; scores that nothing shows then wander off). Hidden markers are rows of y that are left
 * out. A Kalman filter and smoother (low_rank_smooth.c) give every score from all frames.
 *
 * V, mean and noise are learned by expectation and maximization from frames spread over the capture
 * (Tipping and Bishop 1999; Roweis 1998): scores of each frame from what it shows, then each
 * marker's rows of V from the frames that show the marker. */
#include "hidden/low_rank.h"

#include <math.h>
#include <string.h>

#include <sinew/dense.h>
#include <sinew/geometry.h>

#include "hidden/hidden_constants.h"
#include "math/kernel.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* What the maximization needs of one marker, over the frames that show it. */
typedef struct low_rank_sums {
    double count;
    double square;                                               /* of the deviations */
    double score[(SNW__COMPONENTS + 1) * (SNW__COMPONENTS + 1)]; /* (s, 1) (s, 1)^T */
    double product[3][SNW__COMPONENTS + 1];                      /* deviation (s, 1)^T */
} low_rank_sums;

void snw__low_rank_lay_out(snw__low_rank *low, const snw__fill *fill, snw__block *block)
{
    size_t markers = (size_t)fill->marker_count, frames = (size_t)fill->frame_count;
    size_t samples = snw__size_mul(markers, frames), r = SNW__COMPONENTS;
    low->fill = fill;
    low->is_in = snw__block_take(block, markers, sizeof(bool));
    low->mean = snw__block_take(block, markers, sizeof(snw_vec3));
    low->basis = snw__block_take(block, snw__size_mul(3 * markers, r), sizeof(double));
    low->noise = snw__block_take(block, markers, sizeof(double));
    low->scale = snw__block_take(block, markers, sizeof(double));
    low->pose = snw__block_take(block, frames, sizeof(snw_xform));
    low->place = snw__block_take(block, samples, sizeof(snw_vec3));
    low->model = snw__block_take(block, samples, sizeof(snw_vec3));
    low->doubt = snw__block_take(block, samples, sizeof(float));
    low->score = snw__block_take(block, snw__size_mul(frames, r), sizeof(double));
    low->cover = snw__block_take(block, snw__size_mul(frames, r * (r + 1) / 2), sizeof(double));
    low->told = snw__block_take(block, snw__size_mul(markers, r * r), sizeof(double));
    low->covariance =
        snw__block_take(block, snw__size_mul(3 * markers, 3 * markers), sizeof(double));
    low->sums = snw__block_take(block, markers, sizeof(low_rank_sums));
    low->work = snw__block_take(block, snw__size_mul(3 * markers, r), sizeof(double));
    low->weight = snw__block_take(block, markers, sizeof(double));
    low->deviation = snw__block_take(block, 3 * markers, sizeof(double));
    low->pca = snw__block_take(block, 1, snw__pca_work_size());
}

/* ---- posture ------------------------------------------------------------------------------------
 */

static void add_to(double *at, snw_vec3 v)
{
    at[0] += v.x;
    at[1] += v.y;
    at[2] += v.z;
}

static int learn_step(const snw__low_rank *low)
{
    /* Frames that posture and components are learned from at most: a covariance of twenty
     * components needs hundreds. */
    return low->fill->frame_count / SNW__SAMPLES_SHAPE + 1;
}

/* `guessed`: the weight of samples that were not measured. */
static void fit_pose_of(snw__low_rank *low, int frame, double guessed)
{
    const snw__fill *fill = low->fill;
    snw_fit fit;
    for (int m = 0; m < fill->marker_count; m++)
        low->weight[m] = !low->is_in[m] ? 0 : snw__fill_measured(fill, frame, m) ? 1 : guessed;
    const snw_vec3 *place = low->place + snw__fill_at(fill, frame, 0);
    if (snw_fit_rigid(low->mean, place, low->weight, fill->marker_count, &fit) == SNW_OK)
        low->pose[frame] = fit.to_from;
}

snw_vec3 snw__low_rank_deviation(const snw__low_rank *low, int frame, int marker)
{
    if (!low->is_in[marker]) return snw_vec3_make(0, 0, 0);
    snw_vec3 at = low->place[snw__fill_at(low->fill, frame, marker)];
    return snw_vec3_sub(snw_xform_unpoint(low->pose[frame], at), low->mean[marker]);
}

/* ---- the first components -----------------------------------------------------------------------
 */

static bool learn_components(snw__low_rank *low)
{
    size_t n = 3 * (size_t)low->fill->marker_count;
    int count = 0;
    memset(low->covariance, 0, n * n * sizeof(double));
    for (int frame = 0; frame < low->fill->frame_count; frame += learn_step(low), count++) {
        memset(low->deviation, 0, n * sizeof *low->deviation);
        for (int m = 0; m < low->fill->marker_count; m++)
            add_to(low->deviation + 3 * m, snw__low_rank_deviation(low, frame, m));
        for (size_t i = 0; i < n; i++)
            snw__axpy(low->deviation[i], low->deviation, low->covariance + i * n, (int)n);
    }
    for (size_t i = 0; i < n * n; i++)
        low->covariance[i] /= count;
    int markers = 0;
    for (int m = 0; m < low->fill->marker_count; m++)
        markers += low->is_in[m];
    int r = count / LOW_RANK_FRAMES_EACH;
    if (r > 3 * markers - 6) r = 3 * markers - 6; /* six were taken by the body's pose */
    low->rank = r < SNW__COMPONENTS ? r : SNW__COMPONENTS;
    if (low->rank < 1) return false;
    if (!snw__principal(low->covariance, 3 * low->fill->marker_count, low->rank, low->variance,
                        low->basis, low->work))
        return false;
    double total = 0, held = 0;
    for (size_t i = 0; i < n; i++)
        total += low->covariance[i * n + i];
    for (r = 0; r < low->rank && held < LOW_RANK_SHARE * total; r++)
        held += low->variance[r];
    low->rank = r;
    /* A score that does not vary tells nothing: its precision would be infinite. */
    while (low->rank > 0 && !(low->variance[low->rank - 1] > (SNW__NOISE_MIN * SNW__NOISE_MIN)))
        low->rank--;
    /* What the components leave of each marker. */
    for (int m = 0; m < low->fill->marker_count; m++) {
        double left = 0;
        for (size_t i = 3 * (size_t)m; i < 3 * (size_t)m + 3; i++) {
            left += low->covariance[i * n + i];
            for (size_t k = 0; k < (size_t)low->rank; k++)
                left -= low->variance[k] * low->basis[k * n + i] * low->basis[k * n + i];
        }
        /* Square metres: a tenth of a millimetre, below which no marker is known. */
        low->noise[m] = fmax(left / 3, (SNW__NOISE_MIN * SNW__NOISE_MIN));
    }
    return low->rank > 0;
}

/* ---- expectation and maximization
 * ---------------------------------------------------------------- */

/* The scores of one frame from what it shows. */
static bool expect_scores(snw__low_rank *low, int frame, snw__low_rank_state *state)
{
    memset(state, 0, sizeof *state);
    for (int k = 0; k < low->rank; k++)
        state->p[k * (low->rank + 1)] = low->variance[k];
    return snw__low_rank_see(low, frame, state);
}

static void add_frame(const snw__low_rank *low, const snw__low_rank_state *state,
                      snw_vec3 deviation, low_rank_sums *sums)
{
    int r = low->rank;
    const double d[3] = {deviation.x, deviation.y, deviation.z};
    sums->count++;
    sums->square += snw_vec3_length2(deviation);
    for (int k = 0; k <= r; k++) {
        double a = k < r ? state->x[k] : 1;
        for (int l = 0; l <= k; l++)
            sums->score[k * (r + 1) + l] +=
                a * (l < r ? state->x[l] : 1) + (k < r ? state->p[k * r + l] : 0);
        for (int axis = 0; axis < 3; axis++)
            sums->product[axis][k] += d[axis] * a;
    }
}

/* A marker's rows of V, its mean and its noise: least squares on the scores of its frames. */
static void maximize_marker(snw__low_rank *low, int m, low_rank_sums *sums)
{
    int r = low->rank, n = 3 * low->fill->marker_count;
    double trace = 0, left = sums->square, shift[3];
    if (sums->count < 3) return;
    for (int k = 0; k < r; k++)
        trace += sums->score[k * (r + 2)];
    for (int k = 0; k < r; k++)
        sums->score[k * (r + 2)] += LOW_RANK_RIDGE * trace / r;
    if (snw_cholesky_factor(sums->score, r + 1) != SNW_OK) return;
    for (int axis = 0; axis < 3; axis++) {
        double row[SNW__COMPONENTS + 1];
        memcpy(row, sums->product[axis], sizeof row);
        if (snw_cholesky_solve(sums->score, r + 1, row) != SNW_OK) return;
        left -= snw__dot(row, sums->product[axis], r + 1);
        for (int k = 0; k < r; k++)
            low->basis[(size_t)k * (size_t)n + 3 * (size_t)m + (size_t)axis] = row[k];
        shift[axis] = row[r];
    }
    low->mean[m] = snw_vec3_add(low->mean[m], snw_vec3_make(shift[0], shift[1], shift[2]));
    low->noise[m] = fmax(left / (3 * sums->count), (SNW__NOISE_MIN * SNW__NOISE_MIN));
}

/* How much of a score varies, and how much of it stays from one frame to the next. */
static void learn_scores(snw__low_rank *low)
{
    double square[SNW__COMPONENTS] = {0}, next[SNW__COMPONENTS] = {0},
           product[SNW__COMPONENTS] = {0};
    double count = 0;
    snw__low_rank_state now, then;
    for (int frame = 0; frame + 1 < low->fill->frame_count; frame += learn_step(low), count++) {
        low->pose[frame + 1] = low->pose[frame];
        if (!expect_scores(low, frame, &now)) return;
        fit_pose_of(low, frame + 1, 0);
        if (!expect_scores(low, frame + 1, &then)) return;
        for (int k = 0; k < low->rank; k++) {
            square[k] += now.x[k] * now.x[k] + now.p[k * (low->rank + 1)];
            next[k] += 0.5 * (now.x[k] * now.x[k] + then.x[k] * then.x[k]);
            product[k] += now.x[k] * then.x[k];
        }
    }
    for (int k = 0; k < low->rank && count > 0; k++) {
        low->variance[k] = fmax(square[k] / count, (SNW__NOISE_MIN * SNW__NOISE_MIN));
        low->keep[k] = next[k] > 0 ? snw_clamp(product[k] / next[k], 0, 0.99999) : 0;
    }
}

/* How far a marker lies from where all others put it, against what the model expects of that. With
 * C = V_m P V_m^T and the noise n, what is left of the marker when it is itself left out is
 * n (n - C)^-1 of what is left with it, and its covariance n^2 (n - C)^-1. */
static void learn_doubt(snw__low_rank *low)
{
    const snw__fill *fill = low->fill;
    low_rank_sums *sums = low->sums;
    memset(sums, 0, (size_t)fill->marker_count * sizeof *sums);
    for (int frame = 0; frame < fill->frame_count; frame += learn_step(low)) {
        snw__low_rank_state state;
        if (!expect_scores(low, frame, &state)) return;
        snw__low_rank_write(low, frame, &state);
        for (int m = 0; m < fill->marker_count; m++) {
            double n = low->noise[m], a[9], left[3], expected = 0;
            if (!low->is_in[m] || !snw__fill_measured(fill, frame, m)) continue;
            size_t at = snw__fill_at(fill, frame, m);
            snw__low_rank_spread(low, m, &state, a);
            for (int i = 0; i < 9; i++)
                a[i] = (i % 4 == 0 ? n : 0) - a[i];
            if (!snw__invert(a, 3)) continue;
            snw_vec3 off = snw_quat_unrotate(low->pose[frame].rotation,
                                             snw_vec3_sub(low->place[at], low->model[at]));
            for (int i = 0; i < 3; i++) {
                left[i] = n * (a[3 * i] * off.x + a[3 * i + 1] * off.y + a[3 * i + 2] * off.z);
                expected += n * n * a[4 * i];
            }
            sums[m].square += left[0] * left[0] + left[1] * left[1] + left[2] * left[2];
            sums[m].count += expected;
        }
    }
    for (int m = 0; m < fill->marker_count; m++)
        low->scale[m] = sums[m].count > 0 ? sqrt(fmax(sums[m].square / sums[m].count, 1)) : 1;
}

static bool maximize(snw__low_rank *low)
{
    const snw__fill *fill = low->fill;
    low_rank_sums *sums = low->sums;
    memset(sums, 0, (size_t)fill->marker_count * sizeof *sums);
    snw__low_rank_learn_information(low);
    for (int frame = 0; frame < fill->frame_count; frame += learn_step(low)) {
        snw__low_rank_state state;
        if (!expect_scores(low, frame, &state)) return false;
        snw__low_rank_write(low, frame, &state);
        for (int m = 0; m < fill->marker_count; m++)
            if (low->is_in[m] && snw__fill_measured(fill, frame, m))
                add_frame(low, &state, snw__low_rank_deviation(low, frame, m), sums + m);
    }
    for (int m = 0; m < fill->marker_count; m++)
        if (low->is_in[m]) maximize_marker(low, m, sums + m);
    for (int frame = 0; frame < fill->frame_count; frame += learn_step(low))
        fit_pose_of(low, frame, 1);
    return true;
}

bool snw__low_rank_complete(snw__low_rank *low)
{
    for (int m = 0; m < low->fill->marker_count; m++) {
        /* Straight lines between samples; before the first and after the last they stand. Is the
         * marker seen often enough to take part? */
        const snw__fill *fill = low->fill;
        int last = -1, seen = 0;
        for (int frame = 0; frame < fill->frame_count; frame++) {
            if (!snw__fill_measured(fill, frame, m)) continue;
            snw_vec3 here = fill->position[snw__fill_at(fill, frame, m)];
            snw_vec3 from = last < 0 ? here : low->place[snw__fill_at(fill, last, m)];
            for (int f = last + 1; f <= frame; f++)
                low->place[snw__fill_at(fill, f, m)] =
                    snw_vec3_lerp(from, here, (double)(f - last) / (frame - last));
            last = frame;
            seen++;
        }
        for (int f = last + 1; last >= 0 && f < fill->frame_count; f++)
            low->place[snw__fill_at(fill, f, m)] = low->place[snw__fill_at(fill, last, m)];
        low->is_in[m] = seen >= 3 && seen >= LOW_RANK_SEEN * fill->frame_count;
    }
    /* Frames are fitted to the mean posture, and it is the mean of them, a few times over. */
    const snw__fill *fill = low->fill;
    size_t markers = (size_t)fill->marker_count, middle = (size_t)fill->frame_count / 2 * markers;
    memcpy(low->mean, low->place + middle, markers * sizeof *low->mean);
    /* Fits of the frames to the mean posture and back; a fifth one moves it by less than 0.1 mm. */
    for (int round = 0; round < SNW__MEAN_ROUNDS; round++) {
        double count = 0;
        memset(low->deviation, 0, 3 * markers * sizeof(double));
        for (int frame = 0; frame < fill->frame_count; frame += learn_step(low), count++) {
            fit_pose_of(low, frame, LOW_RANK_GUESSED);
            for (int m = 0; m < fill->marker_count; m++)
                add_to(
                    low->deviation + 3 * m,
                    snw_xform_unpoint(low->pose[frame], low->place[snw__fill_at(fill, frame, m)]));
        }
        for (size_t m = 0; m < markers; m++) {
            const double *sum = low->deviation + 3 * m;
            low->mean[m] = snw_vec3_scale(snw_vec3_make(sum[0], sum[1], sum[2]), 1 / count);
        }
    }
    if (!learn_components(low)) return false;
    for (int round = 0; round < LOW_RANK_ROUNDS; round++)
        if (!maximize(low)) return false;
    snw__low_rank_learn_information(low);
    learn_scores(low);
    learn_doubt(low);
    for (int pass = 0; pass < LOW_RANK_PASSES; pass++) {
        for (int frame = 0; frame < low->fill->frame_count; frame++)
            fit_pose_of(low, frame, pass == 0 ? 0 : 1);
        if (!snw__low_rank_smooth(low)) return false;
    }
    return true;
}
