/* A motion smoothed over the whole trial, with as much noise as the motion itself shows.
 *
 * The place of every joint, and the world rotation of every limb, is the sequence x that minimises
 *
 *     sum |y_t - x_t|^2 + lambda sum |x_t - 3 x_(t-1) + 3 x_(t-2) - x_(t-3)|^2,
 *
 * least squares with a penalty on jerk (Whittaker 1923, "On a new method of graduation"; Eilers
 * 2003, "A perfect smoother"): the estimate from past and future together of a state whose jerk is
 * white, what a Rauch-Tung-Striebel smoother gives, by one banded factor I + lambda D^T D. Turns
 * are unit quaternions, smoothed as points of four dimensions: no axis is singular, and a fixed
 * turn of all frames turns the answer with it. Then the body is brought onto its smoothed limbs in
 * every frame by least squares over all joints (sinew/ik.h), each place and turn by its noise:
 * bones keep their lengths, joints their types.
 *
 * Limbs in the world and not joints, because errors of neighbouring joints belong together: a root
 * that is turned a little too far is made up for by all joints on it, and smoothing each by itself
 * would tear that apart (joint centres of virtual markers, 0.5 mm of noise: 0.42 mm raw, 0.8 mm).
 *
 * lambda is each one's own, by generalised cross-validation (Craven & Wahba 1979): the least of n
 * RSS / (n - tr H)^2. Noise that lasts for several frames, skin, is taken for motion, so it errs on
 * the side of the raw motion. tr H needs the diagonal of the inverse, which follows from the factor
 * in O(n) (Hutchinson & de Hoog 1985, "Smoothing noisy data with spline functions"). */
#include <string.h>

#include <sinew/ik.h>
#include <sinew/track.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"

/* Powers of ten of lambda that are tried, in steps of a half: at 1e-4 hardly anything is taken
 * away, at 0.1 the half-power frequency is a quarter of the rate, at 1e9 a two-hundredth. */
#define SMOOTH_POWER_FIRST -4.0
#define SMOOTH_POWER_STEP  0.5
#define SMOOTH_TRIES       27
/* Fewer frames stay as they are: third differences leave too little to judge from. */
#define SMOOTH_FRAMES_MIN 12
/* Metres and radians. Least noise that places and turns are weighed by: of a motion without any all
 * count alike. */
#define SMOOTH_PLACE_NOISE_MIN 1e-5
#define SMOOTH_TURN_NOISE_MIN  1e-4
/* Steps that bring the body onto its limbs; it starts within the noise of them. */
#define SMOOTH_STEPS 6

typedef struct smooth_job {
    int frames;
    int joints;
    snw_xform *limb;     /* (joints x frames) world poses, raw, then smoothed */
    double *band[4];     /* (frames + 3) diagonal, and three beside it; then D and columns of L */
    double *sequence;    /* (frames) one component of a limb */
    double *smooth;      /* (frames) */
    double *score;       /* (2 joints x SMOOTH_TRIES) logarithms, of places and of turns */
    snw_smoothing *told; /* (joints) */
    snw_goal *goal;      /* (joints) */
    snw_pose *pose;
    snw_ik_stepper *stepper;
} smooth_job;

static void lay_out(void *object, snw__block *block)
{
    smooth_job *job = object;
    size_t frames = (size_t)job->frames, joints = (size_t)job->joints;
    job->limb = snw__block_take(block, snw__size_mul(frames, joints), sizeof *job->limb);
    for (int k = 0; k < 4; k++)
        job->band[k] = snw__block_take(block, frames + 3, sizeof(double));
    job->sequence = snw__block_take(block, frames, sizeof(double));
    job->smooth = snw__block_take(block, frames, sizeof(double));
    job->score = snw__block_take(block, 2 * joints * SMOOTH_TRIES, sizeof(double));
    job->told = snw__block_take(block, joints, sizeof *job->told);
    job->goal = snw__block_take(block, joints, sizeof *job->goal);
}

/* ---- the banded system ---------------------------------------------------------------------- */

/* I + lambda D^T D, D the third differences. */
static void fill_band(smooth_job *job, double lambda)
{
    static const double difference[4] = {-1, 3, -3, 1};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < job->frames + 3; i++)
            job->band[k][i] = k == 0 ? 1 : 0;
    for (int row = 0; row + 3 < job->frames; row++)
        for (int a = 0; a < 4; a++)
            for (int b = a; b < 4; b++)
                job->band[b - a][row + a] += lambda * difference[a] * difference[b];
}

/* L D L^T in place: band[0] becomes D, band[k][i] the entry of L in row i + k, column i. */
static void factor_band(smooth_job *job)
{
    double **a = job->band;
    for (int i = 0; i < job->frames; i++) {
        double raw[4] = {a[0][i], a[1][i], a[2][i], a[3][i]};
        for (int k = 1; k < 4; k++) {
            a[k][i] = raw[k] / raw[0];
            for (int j = k; j < 4; j++)
                a[j - k][i + k] -= a[k][i] * raw[j];
        }
    }
}

/* The trace of the inverse, from the last row to the first: with z the inverse's entries beside the
 * diagonal, z_ij = [i = j] / d_i - sum of l_(i+k),i z_(i+k),j. */
static double trace_of_inverse(const smooth_job *job)
{
    double z[4][4] = {{0}}, sum = 0; /* rows and columns i .. i + 3 of the inverse */
    for (int i = job->frames - 1; i >= 0; i--) {
        for (int r = 3; r > 0; r--)
            for (int c = 3; c > 0; c--)
                z[r][c] = z[r - 1][c - 1];
        for (int c = 3; c >= 0; c--) {
            double entry = c == 0 ? 1 / job->band[0][i] : 0;
            for (int k = 1; k < 4; k++)
                entry -= job->band[k][i] * (c == 0 ? z[0][k] : z[k][c]);
            z[0][c] = z[c][0] = entry;
        }
        sum += z[0][0];
    }
    return sum;
}

/* job->smooth from y; returns the sum of squares of what was taken away. */
static double solve_band(smooth_job *job, const double *y)
{
    double *x = job->smooth, **a = job->band, sum2 = 0;
    int n = job->frames;
    for (int i = 0; i < n; i++) {
        x[i] = y[i];
        for (int k = 1; k < 4 && k <= i; k++)
            x[i] -= a[k][i - k] * x[i - k];
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= a[0][i];
        for (int k = 1; k < 4 && i + k < n; k++)
            x[i] -= a[k][i] * x[i + k];
        sum2 += (y[i] - x[i]) * (y[i] - x[i]);
    }
    return sum2;
}

/* ---- limbs ---------------------------------------------------------------------------------- */

/* The raw poses of all limbs; quaternions go on without a change of sign. */
static void look_at_limbs(smooth_job *job, const snw_motion *raw)
{
    for (int f = 0; f < job->frames; f++) {
        snw_motion_get(raw, f, job->pose);
        snw_pose_forward(job->pose);
        for (int j = 0; j < job->joints; j++) {
            snw_xform *limb = &job->limb[(size_t)j * (size_t)job->frames + (size_t)f];
            *limb = job->pose->world[j];
            if (f > 0 && snw_quat_dot(limb->rotation, limb[-1].rotation) < 0)
                limb->rotation = snw_quat_neg(limb->rotation);
        }
    }
}

/* A channel is the place of a joint (even) or the turn of its limb (odd). */
static double *component_of(snw_xform *limb, int channel, int component)
{
    double *place[3] = {&limb->translation.x, &limb->translation.y, &limb->translation.z};
    double *turn[4] = {&limb->rotation.w, &limb->rotation.x, &limb->rotation.y, &limb->rotation.z};
    return channel % 2 ? turn[component] : place[component];
}

/* Smooths all components of a channel and keeps the result where it is asked for. Returns the sum
 * of squares of what was taken away. */
static double smooth_channel(smooth_job *job, int channel, bool keeps)
{
    snw_xform *limb = job->limb + (size_t)(channel / 2) * (size_t)job->frames;
    double sum2 = 0;
    for (int c = 0; c < (channel % 2 ? 4 : 3); c++) {
        for (int f = 0; f < job->frames; f++)
            job->sequence[f] = *component_of(limb + f, channel, c);
        sum2 += solve_band(job, job->sequence);
        for (int f = 0; keeps && f < job->frames; f++)
            *component_of(limb + f, channel, c) = job->smooth[f];
    }
    return sum2;
}

/* ---- lambda --------------------------------------------------------------------------------- */

/* Every channel under every lambda: the logarithm of its cross-validation. */
static void try_all(smooth_job *job)
{
    for (int k = 0; k < SMOOTH_TRIES; k++) {
        fill_band(job, snw__pow(10, SMOOTH_POWER_FIRST + SMOOTH_POWER_STEP * k));
        factor_band(job);
        double left = job->frames - trace_of_inverse(job);
        for (int c = 0; c < 2 * job->joints; c++) /* 1e-30: nothing is left of what stands still */
            job->score[c * SMOOTH_TRIES + k] =
                snw__log((smooth_channel(job, c, false) + 1e-30) / (left * left));
    }
}

/* The lambda of least score, between the tries by a parabola. */
static double best_lambda(const double *score)
{
    int best = 0;
    for (int k = 1; k < SMOOTH_TRIES; k++)
        if (score[k] < score[best]) best = k;
    double shift = 0;
    if (best > 0 && best + 1 < SMOOTH_TRIES) {
        double bend = score[best - 1] - 2 * score[best] + score[best + 1];
        if (bend > 0) shift = 0.5 * (score[best - 1] - score[best + 1]) / bend;
    }
    return snw__pow(10, SMOOTH_POWER_FIRST + SMOOTH_POWER_STEP * (best + shift));
}

/* Of a difference filter of third order: 1 / (1 + lambda (2 sin(w / 2))^6) is a half. */
static double half_power(double lambda, double rate)
{
    double sine = 0.5 * snw__pow(lambda, -1.0 / 6);
    return sine < 1 ? 2 * snw__asin(sine) * rate / (2 * SNW_PI) : rate / 2;
}

/* Three free coordinates in either kind; a quaternion changes by half the angle. */
static void smooth_at_best(smooth_job *job, int channel, double rate)
{
    double lambda = best_lambda(job->score + channel * SMOOTH_TRIES);
    snw_smoothing *told = job->told + channel / 2;
    fill_band(job, lambda);
    factor_band(job);
    double left = job->frames - trace_of_inverse(job);
    double noise = sqrt(smooth_channel(job, channel, true) / (3 * left));
    if (channel % 2) {
        told->turn_noise = 2 * noise;
        told->turn_cutoff = half_power(lambda, rate);
    } else {
        told->place_noise = noise;
        told->place_cutoff = half_power(lambda, rate);
    }
}

/* ---- the body ------------------------------------------------------------------------------- */

static void bring_onto_limbs(smooth_job *job, const snw_motion *raw, snw_motion *smooth)
{
    for (int f = 0; f < job->frames; f++) {
        snw_motion_get(raw, f, job->pose);
        snw_pose_forward(job->pose);
        for (int j = 0; j < job->joints; j++) {
            const snw_xform *limb = &job->limb[(size_t)j * (size_t)job->frames + (size_t)f];
            job->goal[j].position = limb->translation;
            job->goal[j].orientation = snw_quat_normalize(limb->rotation);
        }
        snw_ik_stepper_restart(job->stepper);
        for (int k = 0; k < SMOOTH_STEPS; k++)
            if (snw_ik_stepper_step(job->stepper, job->goal, job->pose).largest_move < 1e-7) break;
        snw_motion_set(smooth, f, job->pose);
    }
}

/* Each place and turn by its noise; the heaviest place weighs 1. */
static void weigh_goals(smooth_job *job, double size)
{
    double least = INFINITY;
    for (int j = 0; j < job->joints; j++)
        least = fmin(least, fmax(job->told[j].place_noise, SMOOTH_PLACE_NOISE_MIN));
    for (int j = 0; j < job->joints; j++) {
        double place = fmax(job->told[j].place_noise, SMOOTH_PLACE_NOISE_MIN);
        double turn = fmax(job->told[j].turn_noise, SMOOTH_TURN_NOISE_MIN);
        job->goal[j].weight = least * least / (place * place);
        job->goal[j].turn_weight = place / (turn * size);
    }
}

static snw_status make_stepper(smooth_job *job, const snw_skeleton *body,
                               const snw_allocator *allocator, snw_error *error)
{
    snw_ik_stepper_options options = snw_ik_stepper_options_default();
    options.use_limits = false; /* what was solved may lie beyond those of the skeleton */
    for (int j = 0; j < job->joints; j++)
        job->goal[j] =
            snw_goal_pose(j, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0), snw_quat_identity());
    return snw_ik_stepper_create(body, job->goal, job->joints, &options, allocator, &job->stepper,
                                 error);
}

static snw_status smooth_motion(smooth_job *job, const snw_motion *raw, snw_motion *smooth,
                                snw_smoothing *told, snw_error *error)
{
    const snw_allocator *allocator = &smooth->allocator;
    snw_status status = make_stepper(job, raw->skeleton, allocator, error);
    if (status == SNW_OK) status = snw_pose_create(raw->skeleton, allocator, &job->pose, error);
    if (status == SNW_OK) {
        look_at_limbs(job, raw);
        try_all(job);
        for (int c = 0; c < 2 * job->joints; c++)
            smooth_at_best(job, c, raw->rate);
        if (told) memcpy(told, job->told, (size_t)job->joints * sizeof *told);
        weigh_goals(job, raw->skeleton->size > 0 ? raw->skeleton->size : 1);
        bring_onto_limbs(job, raw, smooth);
    }
    snw_pose_destroy(job->pose);
    snw_ik_stepper_destroy(job->stepper);
    return status;
}

snw_status snw_motion_smooth(const snw_motion *raw, const snw_allocator *allocator,
                             snw_motion **out, snw_smoothing *told, snw_error *error)
{
    const snw_skeleton *body = raw->skeleton;
    size_t samples = (size_t)raw->frame_count * (size_t)body->joint_count;
    *out = NULL;
    for (int j = 0; told && j < body->joint_count; j++)
        told[j] = (snw_smoothing){0, 0, raw->rate / 2, raw->rate / 2};
    snw_status status = snw_motion_create(body, raw->frame_count, raw->rate, allocator, out, error);
    if (status != SNW_OK) return status;
    memcpy((*out)->root, raw->root, (size_t)raw->frame_count * sizeof *raw->root);
    memcpy((*out)->rotation, raw->rotation, samples * sizeof *raw->rotation);
    memcpy((*out)->slide, raw->slide, samples * sizeof *raw->slide);
    if (raw->frame_count < SMOOTH_FRAMES_MIN) return snw__succeed(error);
    smooth_job job = {.frames = raw->frame_count, .joints = body->joint_count};
    snw__block block;
    status =
        snw__block_create(&block, lay_out, &job, &(*out)->allocator, "smoothing a motion", error);
    if (status == SNW_OK) {
        status = smooth_motion(&job, raw, *out, told, error);
        snw__block_release(&(*out)->allocator, &block);
    }
    if (status == SNW_OK) return snw__succeed(error);
    snw_motion_destroy(*out);
    *out = NULL;
    return status;
}
