/* A whole trial through the tracker, forwards and backwards, and the two passes joined.
 *
 * Forwards a segment that is hidden, or shows too few markers for its twist, keeps what it did
 * before; backwards what it does after. Where a frame determines every joint both passes find the
 * same pose, so the backward pass takes it from the forward one and steps only through the other
 * frames, and through those in which the forward pass seems to have gone astray: a cold start may.
 * Joints that a frame determines keep there what the forward pass found, so only the others are
 * sought. Joined (gap_motion.c), such frames are brought onto their markers once more. At last
 * joints that jump though their markers do not are mended (continuity.c). */
#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "label/label_grammar.h"
#include "math/kernel.h"
#include "track/continuity.h"
#include "track/gap_motion.h"
#include "track/observability.h"
#include "track/track_constants.h"
#include "track/tracker.h"

typedef struct solve_job {
    const snw_actor *actor;
    const snw_trial *trial;
    snw_tracker *tracker;
    snw_pose *pose;
    snw_motion *motion; /* the forward pass, then the result */
    snw_motion *back;   /* the backward pass */
    uint8_t *known;     /* (frame_count x joint_count) ranks, then snw__determinacy */
    snw_track *track;   /* (frame_count) */
    uint8_t *is_mended; /* (frame_count) */
} solve_job;

static uint8_t *determinacy_of(const solve_job *job, int frame)
{
    return job->known + (size_t)frame * (size_t)job->actor->skeleton->joint_count;
}

/* PART where a joint is held in part, else NONE where one is hidden, else FULL. */
static snw__determinacy frame_determinacy(const solve_job *job, int frame)
{
    const uint8_t *known = determinacy_of(job, frame);
    int seen[3] = {0, 0, 0};
    for (int j = 0; j < job->actor->skeleton->joint_count; j++)
        seen[known[j]]++;
    if (seen[SNW__PARTIAL]) return SNW__PARTIAL;
    return seen[SNW__UNSEEN] ? SNW__UNSEEN : SNW__FULL;
}

/* The next step starts from job->pose, which is of `frame`. */
static void start_beside(solve_job *job, int frame)
{
    snw_frame view = snw_trial_frame(job->trial, frame);
    snw__tracker_start_beside(job->tracker, job->pose, &view);
}

static snw_track step(solve_job *job, int frame)
{
    snw_frame view = snw_trial_frame(job->trial, frame);
    return snw__tracker_solve(job->tracker, &view, job->pose);
}

/* As step, from job->pose, which is near the answer. */
static snw_track bring_onto(solve_job *job, int frame)
{
    snw_frame view = snw_trial_frame(job->trial, frame);
    return snw__tracker_bring_onto(job->tracker, &view, determinacy_of(job, frame), job->pose);
}

/* ---- forwards ----------------------------------------------------------------------------- */

/* ---- backwards ---------------------------------------------------------------------------- */

/* What is hidden keeps the rotation of the frame after. */
static void carry_back(solve_job *job, int frame)
{
    const snw_motion *back = job->back;
    const uint8_t *known = determinacy_of(job, frame);
    size_t joints = (size_t)job->actor->skeleton->joint_count, at = (size_t)frame * joints;
    if (frame + 1 == back->frame_count) return;
    if (known[0] == SNW__UNSEEN) back->root[frame] = back->root[frame + 1];
    for (size_t j = 1; j < joints; j++)
        if (known[j] == SNW__UNSEEN) back->rotation[at + j] = back->rotation[at + joints + j];
}

/* The frame from the one after. Joints that it determines are where the forward pass has them; that
 * is near the answer, unless the body's own place is in doubt or the answer is worse. */
static snw_track solve_back(solve_job *job, int frame)
{
    int after = frame + 1 == job->back->frame_count ? frame : frame + 1;
    const snw_track *forward = job->track + frame;
    snw_motion_get(job->back, after, job->pose);
    start_beside(job, after);
    bool is_near = determinacy_of(job, frame)[0] == SNW__FULL && !forward->is_lost &&
                   forward->outlier_count < SNW__FRAME_POINTS;
    if (is_near) {
        /* job->pose as forwards, but what the frame does not determine as the frame after tells:
         * turned from the forward pass as it is there, or, where a stretch ends or nothing is seen,
         * the same rotation. */
        const uint8_t *known = determinacy_of(job, frame),
                      *after_known = determinacy_of(job, after);
        size_t joints = (size_t)job->actor->skeleton->joint_count, at = (size_t)after * joints;
        snw_motion_get(job->motion, frame, job->pose);
        for (size_t j = 1; j < joints; j++) {
            if (known[j] == SNW__FULL) continue;
            snw_quat *rotation = job->pose->rotation + j, back = job->back->rotation[at + j];
            bool is_seen = known[j] == SNW__PARTIAL && after_known[j] == SNW__PARTIAL;
            snw_quat beyond = snw_quat_mul(snw_quat_conjugate(job->motion->rotation[at + j]), back);
            *rotation = is_seen ? snw_quat_normalize(snw_quat_mul(*rotation, beyond)) : back;
        }
        snw_track track = bring_onto(job, frame);
        if (!track.is_lost && track.outlier_count <= forward->outlier_count) return track;
        snw_motion_get(job->back, after, job->pose);
        start_beside(job, after);
    }
    return step(job, frame);
}

/* A frame that determines every joint is the same backwards, unless the tracker went astray in it.
 */
static void step_back(solve_job *job, int frame, snw__determinacy known)
{
    snw_track track = solve_back(job, frame);
    if (track.is_lost && job->track[frame].is_lost) {
        memset(determinacy_of(job, frame), SNW__UNSEEN, (size_t)job->actor->skeleton->joint_count);
        carry_back(job, frame);
        return;
    }
    /* Has the backward pose fewer wild markers? Then the forward one went astray. */
    bool is_taken = (track.is_lost || job->track[frame].is_lost)
                        ? !track.is_lost
                        : track.outlier_count < job->track[frame].outlier_count;
    if (!track.is_lost && (known == SNW__PARTIAL || is_taken))
        snw_motion_set(job->back, frame, job->pose);
    if (!is_taken) return;
    snw_motion_set(job->motion, frame, job->pose);
    job->track[frame] = track;
}

/* False when there was nothing to do. */
static bool run_backward(solve_job *job)
{
    bool is_needed = false;
    for (int frame = job->trial->frame_count - 1; frame >= 0; frame--) {
        snw__determinacy known = frame_determinacy(job, frame);
        is_needed |= known != SNW__FULL;
        snw_motion_get(job->motion, frame, job->pose);
        snw_motion_set(job->back, frame, job->pose);
        if (known == SNW__UNSEEN) carry_back(job, frame);
        /* So many wild markers are a segment that was fitted wrongly rather than single ones. */
        bool is_astray = job->track[frame].outlier_count >= SNW__FRAME_POINTS;
        if (known == SNW__PARTIAL || (known == SNW__FULL && is_astray))
            step_back(job, frame, known);
    }
    return is_needed;
}

/* ---- joined ------------------------------------------------------------------------------- */

void snw_solve_report_add(snw_solve_report *report, const snw_actor *actor, const snw_track *track)
{
    report->frame_count++;
    report->lost_count += track->is_lost;
    report->seen_count += track->marker_count;
    if (!track->is_lost) {
        int used = track->used_count;
        double sum2 = report->residual * report->residual * (double)report->used_count +
                      track->residual * track->residual * used;
        report->used_count += used;
        report->outlier_count += track->outlier_count;
        report->residual = report->used_count ? sqrt(sum2 / (double)report->used_count) : 0;
    }
    double seen = (double)report->seen_count;
    double possible = (double)actor->marker_count * report->frame_count;
    report->outlier_share = seen > 0 ? (double)report->outlier_count / seen : 0;
    report->marker_share = possible > 0 ? seen / possible : 0;
}

/* ---- the trial ---------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    solve_job *job = object;
    size_t frames = (size_t)job->trial->frame_count;
    size_t joints = (size_t)job->actor->skeleton->joint_count;
    job->track = snw__block_take(block, frames, sizeof(snw_track));
    job->known = snw__block_take(block, snw__size_mul(frames, joints), 1);
    job->is_mended = snw__block_take(block, frames, 1);
}

static snw_status check_markers(const snw_actor *actor, const snw_trial *trial, snw_error *error)
{
    int known = 0;
    for (int m = 0; m < actor->marker_count; m++)
        known += snw__marker_source(actor, trial, m) >= 0;
    if (known >= 3) return SNW_OK;
    return snw__fail(error, SNW_NOT_FOUND,
                     "the trial has %d of the actor's %d markers: it is of somebody else", known,
                     actor->marker_count);
}

static snw_status make_motion(const solve_job *job, const snw_allocator *allocator,
                              snw_motion **motion, snw_error *error)
{
    return snw_motion_create(job->actor->skeleton, job->trial->frame_count, job->trial->rate,
                             allocator, motion, error);
}

static snw_status run(solve_job *job, const snw_tracker_options *options,
                      const snw_allocator *allocator, snw_error *error)
{
    snw_status status = snw_tracker_create_for_trial(job->actor, job->trial, options, allocator,
                                                     &job->tracker, error);
    if (status == SNW_OK)
        status = snw_pose_create(job->actor->skeleton, allocator, &job->pose, error);
    if (status == SNW_OK) status = make_motion(job, allocator, &job->motion, error);
    if (status == SNW_OK) status = make_motion(job, allocator, &job->back, error);
    if (status == SNW_OK) {
        size_t joints = (size_t)job->actor->skeleton->joint_count;
        for (int frame = 0; frame < job->trial->frame_count; frame++) {
            job->track[frame] = step(job, frame);
            snw_motion_set(job->motion, frame, job->pose);
            memcpy(determinacy_of(job, frame), snw__tracker_rank(job->tracker), joints);
        }
        snw__determinacy_from_ranks(job->actor->skeleton, job->trial->frame_count, job->known);
        for (int frame = 0; frame < job->trial->frame_count; frame++)
            for (size_t j = 0; job->track[frame].is_lost && j < joints; j++)
                if (determinacy_of(job, frame)[j] == SNW__FULL)
                    determinacy_of(job, frame)[j] = SNW__PARTIAL;
        snw__style_segments *style = snw__tracker_rest_style(job->tracker);
        if (run_backward(job)) {
            snw__gap_motion_fill(job->motion, job->back, job->known);
            /* Joined poses fit the markers of segments that are seen in part only nearly. */
            for (int frame = 0; frame < job->trial->frame_count; frame++) {
                if (frame_determinacy(job, frame) != SNW__PARTIAL) continue;
                snw_motion_get(job->motion, frame, job->pose);
                start_beside(job, frame);
                snw_track track = bring_onto(job, frame);
                if (track.is_lost) continue;
                snw_motion_set(job->motion, frame, job->pose);
                job->track[frame] = track;
            }
            snw__style_gaps_fill(style, job->motion, job->known);
        }
        snw__solved_trial solved = {job->actor, job->trial, job->track, job->is_mended};
        if (SNW__WANTS_DEFAULTS(options) || options->is_continuous)
            status = snw__continuity_mend(&solved, allocator, job->motion, error);
        if (status == SNW_OK) {
            /* Frames that were mended lie otherwise to their markers. */
            for (int frame = 0; frame < job->trial->frame_count; frame++) {
                if (!job->is_mended[frame] || job->track[frame].is_lost) continue;
                snw_frame view = snw_trial_frame(job->trial, frame);
                snw_motion_get(job->motion, frame, job->pose);
                snw_pose_forward(job->pose);
                int iterations = job->track[frame].iterations;
                job->track[frame] = snw__tracker_measure(job->tracker, &view, job->pose);
                job->track[frame].iterations = iterations;
            }
        }
    }
    snw_motion_destroy(job->back);
    snw_pose_destroy(job->pose);
    snw_tracker_destroy(job->tracker);
    return status;
}

snw_status snw_actor_solve(const snw_actor *actor, const snw_trial *trial,
                           const snw_tracker_options *options, const snw_allocator *allocator,
                           snw_motion **out, snw_error *error)
{
    *out = NULL;
    snw_status status = check_markers(actor, trial, error);
    if (status != SNW_OK) return status;
    solve_job job;
    memset(&job, 0, sizeof job);
    job.actor = actor;
    job.trial = trial;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &memory, "solving a trial", error);
    if (status != SNW_OK) return status;
    status = run(&job, options, allocator, error);
    if (status == SNW_OK) {
        snw_solve_report *report = options ? options->report : NULL;
        if (report) memset(report, 0, sizeof *report);
        for (int frame = 0; report && frame < trial->frame_count; frame++)
            snw_solve_report_add(report, actor, job.track + frame);
        *out = job.motion;
        snw__succeed(error);
    } else {
        snw_motion_destroy(job.motion);
    }
    snw__block_release(&memory, &block);
    return status;
}
