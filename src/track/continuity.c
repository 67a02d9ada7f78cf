/* Joints accelerate no more than their markers do.
 *
 * Solved frame by frame, a body jumps where the set of markers that count changes: one is hidden or
 * comes back, crosses its outlier bound, a limit gives way, the backward pass takes over. What
 * holds a marker off its place, skin or a poor offset, lasts for many frames, so each of these
 * changes moves the answer by a share of that distance at once. But a joint is carried by the
 * segments that its markers sit on. With d2 the second difference over three frames, in metres,
 *
 *     |d2 of a joint|  <=  share * (largest |d2| of the markers on its two segments) + floor,
 *
 * whatever the frame rate. Where this does not hold, the segments of the frames about it are fitted
 * again over time (jerk_fit.h), the frames beyond them held where they are and those that jump
 * counting little, and the body is brought onto them (segment_path.h): the change is spread over as
 * many frames as it needs, first a few and lightly, then more. Everything else stays bit for bit.
 */
#include "track/continuity.h"

#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "person/movement.h"
#include "track/jerk_fit.h"
#include "track/segment_path.h"
#include "track/track_constants.h"

/* Rounds: frames on either side of a jump, and the penalty on jerk. A jump of d metres that is
 * spread over n frames has second differences of 4 d / n^2: 12 frames take 0.1 m. [chosen] */
static const struct continuity_round {
    int reach;
    double lambda;
} continuity_rounds[] = {{4, 1e1}, {6, 1e2}, {8, 1e3}, {12, 1e4}, {18, 1e5}, {27, 1e6}};

typedef struct continuity_job {
    const snw_actor *actor;
    const snw_trial *trial;
    const snw_track *track;
    snw_motion *motion;
    uint8_t *is_mended; /* (frame_count) */
    int *source;        /* (marker_count) in the trial, or -1 */
    snw_vec3 *place;    /* (frame_count x joint_count) of joints in the world */
    uint8_t *is_jump;   /* (frame_count) */
    uint8_t *does_jump; /* (frame_count x joint_count) which joints do */
    double
        *marker_d2;   /* (joint_count) of a frame: the largest of the segment's markers; -1: none */
    double *sequence; /* (frame_max) */
    snw_smoothing *noise; /* (joint_count) */
    snw__jerk_fit fit;
    snw__segment_path path;
} continuity_job;

/* ---- jumps ---------------------------------------------------------------------------------- */

static double second_difference(snw_vec3 a, snw_vec3 b, snw_vec3 c)
{
    return snw_vec3_length(snw_vec3_add(snw_vec3_add_scaled(a, -2, b), c));
}

static bool jumps(continuity_job *job, int frame)
{
    const snw_skeleton *body = job->actor->skeleton;
    size_t joints = (size_t)body->joint_count;
    const snw_vec3 *now = job->place + (size_t)frame * joints, *before = now - joints;
    double floor = CONTINUITY_FLOOR * body->size;
    uint8_t *does_jump = job->does_jump + (size_t)frame * joints;
    bool has_markers = false, any = false;
    for (size_t j = 0; j < joints; j++) {
        double own = second_difference(before[j], now[j], now[j + joints]);
        if (!(own > floor)) continue;
        if (!has_markers) {
            const snw_trial *trial = job->trial;
            for (int k = 0; k < job->actor->skeleton->joint_count; k++)
                job->marker_d2[k] = -1;
            for (int m = 0; m < job->actor->marker_count; m++) {
                int at = job->source[m];
                double *most = job->marker_d2 + job->actor->marker[m].joint;
                if (at < 0 || !snw_trial_is_present(trial, frame - 1, at) ||
                    !snw_trial_is_present(trial, frame, at) ||
                    !snw_trial_is_present(trial, frame + 1, at))
                    continue;
                *most = fmax(*most, second_difference(snw_trial_position(trial, frame - 1, at),
                                                      snw_trial_position(trial, frame, at),
                                                      snw_trial_position(trial, frame + 1, at)));
            }
        }
        has_markers = true;
        int up = body->parent[j];
        double theirs = fmax(job->marker_d2[j], up >= 0 ? job->marker_d2[up] : -1);
        does_jump[j] = theirs >= 0 && own > CONTINUITY_SHARE * theirs + floor;
        any |= does_jump[j] != 0;
    }
    return any;
}

static void look_at_places(continuity_job *job, snw_pose *pose, int from, int to)
{
    int joints = job->actor->skeleton->joint_count;
    for (int f = from; f < to; f++) {
        snw_motion_get(job->motion, f, pose);
        snw_pose_forward(pose);
        for (int j = 0; j < joints; j++)
            job->place[(size_t)f * (size_t)joints + (size_t)j] = pose->world[j].translation;
    }
}

/* Marks the frames that jump; returns how many. */
static int find_jumps(continuity_job *job)
{
    int count = 0;
    size_t frames = (size_t)job->motion->frame_count;
    memset(job->is_jump, 0, frames);
    memset(job->does_jump, 0, frames * (size_t)job->actor->skeleton->joint_count);
    for (int f = 1; f + 1 < job->motion->frame_count; f++) {
        const snw_track *track = job->track + f;
        bool is_lost = track[-1].is_lost || track[0].is_lost || track[1].is_lost;
        job->is_jump[f] = !is_lost && jumps(job, f);
        count += job->is_jump[f];
    }
    return count;
}

/* The next stretch from `from` on: frames that jump and `reach` about each. False: none is left. */
static bool next_stretch(const continuity_job *job, int reach, int *from, int *to)
{
    int frames = job->motion->frame_count, last = -1;
    for (int f = *from; f < frames && (last < 0 || f <= last + 2 * reach); f++) {
        if (!job->is_jump[f]) continue;
        if (last < 0) *from = f - reach > *from ? f - reach : *from;
        last = f;
    }
    *to = last + reach + 1 < frames ? last + reach + 1 : frames;
    return last >= 0;
}

static int longest_stretch(const continuity_job *job)
{
    int from = 0, to = 0, longest = 0;
    for (; next_stretch(job, continuity_rounds[CONTINUITY_ROUNDS - 1].reach, &from, &to); from = to)
        longest = to - from > longest ? to - from : longest;
    return longest;
}

/* Does a joint at either end of the segment jump in the stretch? */
static bool carries_jump(const continuity_job *job, int segment, int from, int to)
{
    const snw_skeleton *body = job->actor->skeleton;
    for (int f = from; f < to; f++) {
        const uint8_t *does_jump = job->does_jump + (size_t)f * (size_t)body->joint_count;
        for (int j = segment; job->is_jump[f] && j < body->joint_count; j++)
            if (does_jump[j] && (j == segment || body->parent[j] == segment)) return true;
    }
    return false;
}

/* ---- mending -------------------------------------------------------------------------------- */

static void mend_stretch(continuity_job *job, int from, int to, double lambda)
{
    int frames = job->motion->frame_count;
    if (to - from > job->path.frame_max - 2 * CONTINUITY_EDGE)
        to = from + job->path.frame_max - 2 * CONTINUITY_EDGE;
    int first = from > CONTINUITY_EDGE ? from - CONTINUITY_EDGE : 0;
    int end = to + CONTINUITY_EDGE < frames ? to + CONTINUITY_EDGE : frames;
    job->fit.count = end - first;
    for (int f = first; f < end; f++)
        job->fit.weight[f - first] = f < from || f >= to ? CONTINUITY_HELD
                                     : job->is_jump[f]   ? CONTINUITY_JUMPY
                                                         : 1;
    snw__jerk_fit_factor(&job->fit, lambda);
    snw__segment_path_look(&job->path, job->motion, first, end - first);
    for (int c = 0; c < 2 * job->actor->skeleton->joint_count; c++) {
        if (!carries_jump(job, c / 2, from, to)) continue; /* others stay where they are */
        snw_xform *segment = snw__segment_path_of(&job->path, c / 2);
        for (int k = 0; k < snw__channel_components(c); k++) {
            for (int n = 0; n < end - first; n++)
                job->sequence[n] = *snw__channel_component(segment + n, c, k);
            snw__jerk_fit_solve(&job->fit, job->sequence, job->sequence);
            for (int n = 0; n < end - first; n++)
                *snw__channel_component(segment + n, c, k) = job->sequence[n];
        }
    }
    for (int f = from; f < to; f++)
        snw__segment_path_bring(&job->path, f - first, job->motion, f);
    memset(job->is_mended + from, 1, (size_t)(to - from));
    look_at_places(job, job->path.pose, from, to);
}

static void mend(continuity_job *job)
{
    for (int j = 0; j < job->actor->skeleton->joint_count; j++) {
        job->noise[j].place_noise = SNW__NOISE_POOR;
        job->noise[j].turn_noise = (10 * SNW__NOISE_POOR);
    }
    snw__segment_path_weigh(&job->path, job->noise);
    for (int k = 0; k < CONTINUITY_ROUNDS; k++) {
        const struct continuity_round *round = continuity_rounds + k;
        int from = 0, to = 0;
        if (k > 0 && find_jumps(job) == 0) return;
        for (; next_stretch(job, round->reach, &from, &to); from = to)
            mend_stretch(job, from, to, round->lambda);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

static void lay_out_search(void *object, snw__block *block)
{
    continuity_job *job = object;
    size_t frames = (size_t)job->motion->frame_count;
    size_t joints = (size_t)job->actor->skeleton->joint_count;
    job->source = snw__block_take(block, (size_t)job->actor->marker_count, sizeof(int));
    job->place = snw__block_take(block, snw__size_mul(frames, joints), sizeof(snw_vec3));
    job->is_jump = snw__block_take(block, frames, 1);
    job->does_jump = snw__block_take(block, snw__size_mul(frames, joints), 1);
    job->marker_d2 = snw__block_take(block, joints, sizeof(double));
}

static void lay_out_mending(void *object, snw__block *block)
{
    continuity_job *job = object;
    job->fit.count = job->path.frame_max;
    job->sequence = snw__block_take(block, (size_t)job->path.frame_max, sizeof(double));
    job->noise =
        snw__block_take(block, (size_t)job->actor->skeleton->joint_count, sizeof *job->noise);
    snw__jerk_fit_lay_out(&job->fit, block);
    snw__segment_path_lay_out(&job->path, block);
}

/* Finds the jumps of the motion as it is; returns how many. */
static snw_status begin_search(continuity_job *job, const snw_allocator *allocator, int *count,
                               snw_error *error)
{
    snw_pose *pose = NULL;
    snw_status status = snw_pose_create(job->actor->skeleton, allocator, &pose, error);
    if (status != SNW_OK) return status;
    for (int m = 0; m < job->actor->marker_count; m++)
        job->source[m] = snw__marker_source(job->actor, job->trial, m);
    look_at_places(job, pose, 0, job->motion->frame_count);
    *count = find_jumps(job);
    snw_pose_destroy(pose);
    return SNW_OK;
}

static snw_status begin_mending(continuity_job *job, const snw_allocator *allocator,
                                snw_error *error)
{
    snw__block block;
    job->path.skeleton = job->actor->skeleton;
    job->path.frame_max = longest_stretch(job) + 2 * CONTINUITY_EDGE;
    snw_status status = snw__block_create(&block, lay_out_mending, job, allocator,
                                          "mending the jumps of a motion", error);
    if (status != SNW_OK) return status;
    status = snw__segment_path_begin(&job->path, allocator, error);
    if (status == SNW_OK) mend(job);
    snw__segment_path_end(&job->path);
    snw__block_release(allocator, &block);
    return status;
}

snw_status snw__continuity_mend(const snw__solved_trial *solved, const snw_allocator *allocator,
                                snw_motion *motion, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    continuity_job job;
    memset(&job, 0, sizeof job);
    job.actor = solved->actor;
    job.trial = solved->trial;
    job.track = solved->track;
    job.motion = motion;
    job.is_mended = solved->is_mended;
    if (motion->frame_count < 3) return SNW_OK;
    snw__block block;
    int count = 0;
    snw_status status = snw__block_create(&block, lay_out_search, &job, &memory,
                                          "looking for jumps of a motion", error);
    if (status != SNW_OK) return status;
    status = begin_search(&job, &memory, &count, error);
    if (status == SNW_OK && count > 0) status = begin_mending(&job, &memory, error);
    snw__block_release(&memory, &block);
    return status;
}
