/* A motion smoothed over the whole trial, with as much noise as the motion itself shows and as its
 * markers explain.
 *
 * The place of every joint, and the world rotation of every segment, is a sequence fitted with a
 * penalty lambda on jerk (jerk_fit.h). Turns are unit quaternions, smoothed as points of four
 * dimensions: no axis is singular, and a fixed turn of all frames turns the answer with it. Then
 * the body is brought onto its smoothed segments (segment_path.h).
 *
 * lambda is each one's own, by generalised cross-validation (Craven & Wahba 1979): the least of
 * n RSS / (n - tr H)^2. Noise that lasts for several frames, skin, is taken for motion, so it errs
 * on the side of the raw motion. A motion that is jerky all over is taken for noise, though: where
 * what would be taken away is more than the markers' noise explains (segment_noise), that
 * variance s^2 is known and lambda is the least of RSS + 2 s^2 tr H, the unbiased estimate of the
 * risk (Mallows 1973; Craven & Wahba 1979, equation 1.8): of all lambdas, none at all among them,
 * the one nearest to the truth. Single jerks, a heel that strikes, are no noise either: samples
 * from which the fit is farther than noise can be count for more, until it is not. */
#include <string.h>

#include <sinew/track.h>

#include "actor/actor.h"
#include "base/elementary.h"
#include "base/fail.h"
#include "math/kernel.h"
#include "math/order.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "track/jerk_fit.h"
#include "track/segment_path.h"
#include "track/track_constants.h"

/* ---- segment noise -----------------------------------------------------------------------------
 */

/* How much of a solved motion the markers' noise explains. What is asked stands at each function.
 *
 * A segment of n markers with the variance s^2 of a coordinate is fitted with the covariance s^2 /
 * n of its centroid and s^2 (tr(S) I - S)^-1 of its turn, S the scatter of the markers about the
 * centroid (Woltring et al. 1985, "Finite centroid and helical axis estimation from noisy landmark
 * measurements"). A point at the arm a from the centroid has both: its mean variance is
 * s^2 / n + (|a|^2 tr(C) - a^T C a) / 3. The whole body knows more than either segment of a joint,
 * so these are bounds. */

typedef struct segment_spread {
    int count;
    double noise2; /* of the centroid, mean of a coordinate; INFINITY: not known */
    snw_vec3 centroid;
    double turn[6]; /* covariance of the turn */
} segment_spread;

static segment_spread spread_of(const snw_actor *actor, int joint)
{
    segment_spread segment = {0, 0, {0, 0, 0}, {0}};
    double scatter[6] = {0}, sum2 = 0;
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        segment.count++;
        sum2 += actor->marker[m].noise * actor->marker[m].noise;
        segment.centroid = snw_vec3_add(segment.centroid, actor->marker[m].offset);
    }
    segment.noise2 = INFINITY;
    /* Markers that tell a turn. */
    if (segment.count < SNW__FRAME_POINTS) return segment;
    segment.centroid = snw_vec3_scale(segment.centroid, 1.0 / segment.count);
    for (int m = 0; m < actor->marker_count; m++) {
        if (actor->marker[m].joint != joint) continue;
        snw_vec3 d = snw_vec3_sub(actor->marker[m].offset, segment.centroid);
        scatter[0] += d.y * d.y + d.z * d.z;
        scatter[1] -= d.x * d.y;
        scatter[2] -= d.x * d.z;
        scatter[3] += d.x * d.x + d.z * d.z;
        scatter[4] -= d.y * d.z;
        scatter[5] += d.x * d.x + d.y * d.y;
    }
    if (!snw__symmetric3_invert(scatter, segment.turn)) return segment;
    for (int k = 0; k < 6; k++)
        segment.turn[k] *= sum2 / segment.count;
    segment.noise2 = sum2 / segment.count / segment.count;
    return segment;
}

/* Information, the inverse of the variance, of a point in the segment's frame. */
static double information_of(const segment_spread *segment, snw_vec3 point)
{
    if (!(segment->noise2 < INFINITY)) return 0;
    snw_vec3 arm = snw_vec3_sub(point, segment->centroid);
    double trace = segment->turn[0] + segment->turn[3] + segment->turn[5];
    double along = snw_vec3_dot(arm, snw__symmetric3_apply(segment->turn, arm));
    return 1 / (segment->noise2 + (snw_vec3_length2(arm) * trace - along) / 3);
}

typedef struct smooth_job {
    int frames;
    int joints;
    double *sequence;       /* (frames) one component of a segment */
    double *smooth;         /* (frames) */
    double *far2;           /* (frames) squared distance of a sample from the fit */
    double *work;           /* (frames) */
    double *sum2;           /* (2 joints x SMOOTH_TRIES) of all distances, of places and of turns */
    double *left;           /* (SMOOTH_TRIES) frames less tr H */
    snw_smoothing *told;    /* (joints) */
    snw_smoothing *allowed; /* (joints) noise that the markers explain */
    double point_noise; /* metres: the markers are joints with this noise; 0: they are markers */
    snw__jerk_fit fit;
    snw__segment_path path;
} smooth_job;

static void lay_out(void *object, snw__block *block)
{
    smooth_job *job = object;
    size_t frames = (size_t)job->frames, joints = (size_t)job->joints;
    job->sequence = snw__block_take(block, frames, sizeof(double));
    job->smooth = snw__block_take(block, frames, sizeof(double));
    job->far2 = snw__block_take(block, frames, sizeof(double));
    job->work = snw__block_take(block, frames, sizeof(double));
    job->sum2 = snw__block_take(block, 2 * joints * SMOOTH_TRIES, sizeof(double));
    job->left = snw__block_take(block, SMOOTH_TRIES, sizeof(double));
    job->told = snw__block_take(block, joints, sizeof *job->told);
    job->allowed = snw__block_take(block, joints, sizeof *job->allowed);
    snw__jerk_fit_lay_out(&job->fit, block);
    snw__segment_path_lay_out(&job->path, block);
}

/* Smooths all components of a channel and keeps the result where it is asked for. Returns the sum
 * of squares of what was taken away. */
static double smooth_channel(smooth_job *job, int channel, bool keeps)
{
    snw_xform *segment = snw__segment_path_of(&job->path, channel / 2);
    double sum2 = 0;
    memset(job->far2, 0, (size_t)job->frames * sizeof *job->far2);
    for (int c = 0; c < snw__channel_components(channel); c++) {
        for (int f = 0; f < job->frames; f++)
            job->sequence[f] = *snw__channel_component(segment + f, channel, c);
        snw__jerk_fit_solve(&job->fit, job->sequence, job->smooth);
        for (int f = 0; f < job->frames; f++) {
            double off = job->sequence[f] - job->smooth[f];
            job->far2[f] += off * off;
            if (keeps) *snw__channel_component(segment + f, channel, c) = job->smooth[f];
        }
    }
    for (int f = 0; f < job->frames; f++)
        sum2 += job->far2[f];
    return sum2;
}

/* ---- lambda --------------------------------------------------------------------------------- */

static double lambda_of(double tries)
{
    return snw__pow(10, SMOOTH_POWER_FIRST + SMOOTH_POWER_STEP * tries);
}

static void weigh_alike(smooth_job *job)
{
    for (int f = 0; f < job->frames; f++)
        job->fit.weight[f] = 1;
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
    return lambda_of(best + shift);
}

static double lambda_by_risk(const smooth_job *job, const double *sum2, double allowed2)
{
    double score[SMOOTH_TRIES];
    for (int k = 0; k < SMOOTH_TRIES; k++)
        score[k] = sum2[k] + 6 * allowed2 * (job->frames - job->left[k]);
    return best_lambda(score);
}

/* Factors the system of this lambda; returns the variance of a coordinate that it takes away. */
static double try_lambda(smooth_job *job, int channel, double lambda)
{
    snw__jerk_fit_factor(&job->fit, lambda);
    /* Three free coordinates in either kind. */
    return smooth_channel(job, channel, false) / (3 * snw__jerk_fit_left(&job->fit));
}

/* ---- one channel ---------------------------------------------------------------------------- */

/* Samples that are farther from the fit than noise can be gain weight. False: there are none. */
static bool weigh_jerks(smooth_job *job, double noise2)
{
    bool is_any = false;
    for (int f = 0; f < job->frames; f++) {
        /* Of a squared distance with three normal coordinates, in variances: one in a million is
         * larger, and one in two. */
        double ratio = job->far2[f] / (SNW__CHI2_RARE * noise2);
        if (!(ratio > 1)) continue;
        job->fit.weight[f] *= 1 + ratio;
        is_any = true;
    }
    return is_any;
}

/* Of a difference filter of third order: 1 / (1 + lambda (2 sin(w / 2))^6) is a half. */
static double half_power(double lambda, double rate)
{
    double sine = 0.5 * snw__pow(lambda, -1.0 / 6);
    return sine < 1 ? 2 * snw__asin(sine) * rate / (2 * SNW_PI) : rate / 2;
}

/* Smooths the channel with lambda under the variance noise2, and keeps it. */
static void smooth_and_keep(smooth_job *job, int channel, double lambda, double noise2)
{
    memcpy(job->work, job->far2, (size_t)job->frames * sizeof *job->work);
    double usual2 = snw__median(job->work, job->frames) / SNW__CHI2_MEDIAN * job->frames /
                    snw__jerk_fit_left(&job->fit);
    noise2 = fmin(noise2, usual2);
    for (int k = 0; k < SMOOTH_ROUNDS && noise2 > 0 && weigh_jerks(job, noise2); k++) {
        snw__jerk_fit_factor(&job->fit, lambda);
        smooth_channel(job, channel, false);
    }
    smooth_channel(job, channel, true);
}

/* A quaternion changes by half the angle. */
static void smooth_at_best(smooth_job *job, int channel, double rate)
{
    const double *sum2 = job->sum2 + (size_t)channel * SMOOTH_TRIES;
    snw_smoothing *told = job->told + channel / 2, *allowed = job->allowed + channel / 2;
    double most = channel % 2 ? allowed->turn_noise / 2 : allowed->place_noise;
    double score[SMOOTH_TRIES];
    for (int k = 0; k < SMOOTH_TRIES; k++) /* 1e-30: nothing is left of what stands still */
        score[k] = snw__log((sum2[k] + 1e-30) / (job->left[k] * job->left[k]));
    double lambda = best_lambda(score);
    weigh_alike(job);
    double noise2 = try_lambda(job, channel, lambda);
    if (noise2 > most * most) {
        lambda = lambda_by_risk(job, sum2, most * most);
        noise2 = fmin(try_lambda(job, channel, lambda), most * most);
    }
    smooth_and_keep(job, channel, lambda, noise2);
    if (channel % 2) {
        told->turn_noise = 2 * sqrt(noise2);
        told->turn_cutoff = half_power(lambda, rate);
    } else {
        told->place_noise = sqrt(noise2);
        told->place_cutoff = half_power(lambda, rate);
    }
}

/* ---- points that are joints ------------------------------------------------------------------ */

/* Fits the channel with lambda, strays left out; returns the sum of squares of what it takes away,
 * of strays no more than makes them ones. */
static double fit_points(smooth_job *job, int channel, double lambda, double noise2)
{
    double sum2 = 0;
    weigh_alike(job);
    for (int round = 0; round < SMOOTH_STRAY_ROUNDS; round++) {
        if (round > 0) {
            /* Weights of samples that lie as far beside the fit as points do that a program took
             * for another limb: they count less, where a single jerk of a marker counts for more.
             */
            for (int f = 0; f < job->frames; f++)
                job->fit.weight[f] =
                    fmax(snw__geman_mcclure_weight(job->far2[f] / (SNW__CHI2_RARE * noise2)),
                         SNW__SINGLE);
        }
        snw__jerk_fit_factor(&job->fit, lambda);
        smooth_channel(job, channel, false);
    }
    for (int f = 0; f < job->frames; f++)
        sum2 += fmin(job->far2[f], SNW__CHI2_RARE * noise2);
    return sum2;
}

/* The variance of what the last fit takes away from most samples. */
static double usual_variance(smooth_job *job)
{
    memcpy(job->work, job->far2, (size_t)job->frames * sizeof *job->work);
    return snw__median(job->work, job->frames) / SNW__CHI2_MEDIAN;
}

/* The variance of what changes from frame to frame, of all joints alike: third differences hold
 * next to nothing of a motion and 20 times the variance of white noise (1 + 9 + 9 + 1; Gasser,
 * Sroka & Jennen-Steinmetz 1986). Points are also off by what lasts, which no smoothing takes away:
 * bones show both, and so much would be smoothed off the motion. */
static double variance_of_differences(const smooth_job *job)
{
    double sum2 = 0;
    for (int j = 0; j < job->joints; j++) {
        const snw_xform *at = job->path.segment + (size_t)j * (size_t)job->frames;
        for (int f = 3; f < job->frames; f++) {
            snw_vec3 outer = snw_vec3_sub(at[f].translation, at[f - 3].translation);
            snw_vec3 inner = snw_vec3_sub(at[f - 1].translation, at[f - 2].translation);
            sum2 += snw_vec3_length2(snw_vec3_sub(outer, snw_vec3_scale(inner, 3)));
        }
    }
    return sum2 / (3 * 20) / ((double)(job->frames - 3) * job->joints);
}

/* By the risk of all joints together, the noise being known and theirs alike; the turn of a segment
 * is smoothed as its place is. */
static void smooth_points(smooth_job *job, double rate)
{
    double sum2[SMOOTH_TRIES] = {0};
    double noise2 = fmin(job->point_noise * job->point_noise, variance_of_differences(job));
    for (int k = 0; k < SMOOTH_TRIES; k++) {
        double left = 0;
        for (int j = 0; j < job->joints; j++) {
            sum2[k] += fit_points(job, 2 * j, lambda_of(k), noise2) / job->joints;
            left += snw__jerk_fit_left(&job->fit) / job->joints;
        }
        job->left[k] = left;
    }
    double lambda = lambda_by_risk(job, sum2, noise2);
    for (int j = 0; j < job->joints; j++) {
        snw_smoothing *told = job->told + j;
        fit_points(job, 2 * j, lambda, noise2);
        told->place_noise = sqrt(usual_variance(job));
        smooth_channel(job, 2 * j, true);
        fit_points(job, 2 * j + 1, lambda, INFINITY);
        double turn2 = usual_variance(job);
        if (turn2 > 0) fit_points(job, 2 * j + 1, lambda, turn2);
        smooth_channel(job, 2 * j + 1, true);
        told->turn_noise = 2 * sqrt(turn2);
        told->place_cutoff = told->turn_cutoff = half_power(lambda, rate);
    }
}

/* ---- the motion ----------------------------------------------------------------------------- */

static snw_status smooth_motion(smooth_job *job, const snw_actor *actor, snw_motion *motion,
                                snw_smoothing *told, snw_error *error)
{
    for (int j = 0; j < job->joints; j++)
        job->allowed[j].place_noise = job->allowed[j].turn_noise = INFINITY;
    if (actor) {
        /* Fills place_noise and turn_noise of every joint, (joint_count): what the noise of the
         * markers on its segment and its parent's makes of its place, and of the segment's turn, at
         * most; INFINITY where the markers of a segment alone do not tell. */
        const snw_skeleton *body = actor->skeleton;
        for (int j = 0; j < body->joint_count; j++) {
            segment_spread own = spread_of(actor, j);
            double trace = own.turn[0] + own.turn[3] + own.turn[5];
            double information = information_of(&own, snw_vec3_make(0, 0, 0));
            if (body->parent[j] >= 0) {
                segment_spread up = spread_of(actor, body->parent[j]);
                information += information_of(&up, body->rest[j].translation);
            }
            job->allowed[j].place_noise =
                information > 0 ? sqrt(SEGMENT_NOISE_BODY / information) : INFINITY;
            job->allowed[j].turn_noise =
                own.noise2 < INFINITY ? sqrt(SEGMENT_NOISE_BODY * trace / 3) : INFINITY;
        }
    }
    if (actor) job->point_noise = snw__joint_points_noise(actor);
    snw_status status = snw__segment_path_begin(&job->path, &motion->allocator, error);
    if (status == SNW_OK) {
        snw__segment_path_look(&job->path, motion, 0, job->frames);
        if (job->point_noise > 0) {
            smooth_points(job, motion->rate);
        } else {
            /* Every channel under every lambda. */
            weigh_alike(job);
            for (int k = 0; k < SMOOTH_TRIES; k++) {
                snw__jerk_fit_factor(&job->fit, lambda_of(k));
                job->left[k] = snw__jerk_fit_left(&job->fit);
                for (int c = 0; c < 2 * job->joints; c++)
                    job->sum2[c * SMOOTH_TRIES + k] = smooth_channel(job, c, false);
            }
            for (int c = 0; c < 2 * job->joints; c++)
                smooth_at_best(job, c, motion->rate);
        }
        if (told) memcpy(told, job->told, (size_t)job->joints * sizeof *told);
        snw__segment_path_weigh(&job->path, job->told);
        for (int f = 0; f < job->frames; f++)
            snw__segment_path_bring(&job->path, f, motion, f);
    }
    snw__segment_path_end(&job->path);
    return status;
}

snw_status snw_motion_smooth(const snw_motion *raw, const snw_actor *actor,
                             const snw_allocator *allocator, snw_motion **out, snw_smoothing *told,
                             snw_error *error)
{
    const snw_skeleton *body = raw->skeleton;
    size_t samples = (size_t)raw->frame_count * (size_t)body->joint_count;
    *out = NULL;
    if (actor && actor->skeleton->joint_count != body->joint_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the actor has %d joints, the motion %d: they are of two bodies",
                         actor->skeleton->joint_count, body->joint_count);
    for (int j = 0; told && j < body->joint_count; j++)
        told[j] = (snw_smoothing){0, 0, raw->rate / 2, raw->rate / 2};
    snw_status status = snw_motion_create(body, raw->frame_count, raw->rate, allocator, out, error);
    if (status != SNW_OK) return status;
    memcpy((*out)->root, raw->root, (size_t)raw->frame_count * sizeof *raw->root);
    memcpy((*out)->rotation, raw->rotation, samples * sizeof *raw->rotation);
    memcpy((*out)->slide, raw->slide, samples * sizeof *raw->slide);
    /* Fewer frames stay as they are: third differences leave too little to judge from. */
    if (raw->frame_count < SNW__SAMPLES_PATH) return snw__succeed(error);
    smooth_job job = {.frames = raw->frame_count, .joints = body->joint_count};
    job.fit.count = job.path.frame_max = raw->frame_count;
    job.path.skeleton = body;
    snw__block block;
    status =
        snw__block_create(&block, lay_out, &job, &(*out)->allocator, "smoothing a motion", error);
    if (status == SNW_OK) {
        status = smooth_motion(&job, actor, *out, told, error);
        snw__block_release(&(*out)->allocator, &block);
    }
    if (status == SNW_OK) return snw__succeed(error);
    snw_motion_destroy(*out);
    *out = NULL;
    return status;
}
