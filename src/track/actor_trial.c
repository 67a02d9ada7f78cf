/* The capture with what the solved body knows: gaps filled, joint centres as points.
 *
 * The gaps are filled as `sinew fill` does (sinew/hidden.h), so that there is one answer to where a
 * marker was; the body's own idea of it helps where the neighbours do not tell. From the past alone
 * the live predictor is asked, with the body's segments as its segments. */
#include <math.h>
#include <string.h>

#include <sinew/hidden.h>
#include <sinew/segment.h>
#include <sinew/track.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "track/track_constants.h"

typedef struct view_job {
    const snw_actor *actor;
    const snw_trial *trial;
    const snw_motion *motion;
    snw_trial *out;
    snw_pose *pose;
    int *source;     /* (marker_count of the actor) marker of the trial, or -1 */
    int *pick;       /* (marker_count of out) */
    int *segment_of; /* (marker_count of the trial) joint that carries it, or -1 */
    int *neighbour;  /* (joint_count) the next joint towards the root that carries markers, or -1 */
} view_job;

static void lay_out(void *object, snw__block *block)
{
    view_job *job = object;
    size_t markers = (size_t)job->actor->marker_count;
    size_t points = (size_t)job->trial->marker_count + (size_t)job->actor->skeleton->joint_count;
    job->source = snw__block_take(block, markers, sizeof(int));
    job->pick = snw__block_take(block, points, sizeof(int));
    job->segment_of = snw__block_take(block, (size_t)job->trial->marker_count, sizeof(int));
    job->neighbour = snw__block_take(block, (size_t)job->actor->skeleton->joint_count, sizeof(int));
}

static void stand(const view_job *job, int frame)
{
    snw_motion_get(job->motion, frame, job->pose);
    snw_pose_forward(job->pose);
}

/* ---- gaps ----------------------------------------------------------------------------------- */

static void take_sample(view_job *job, int frame, int marker, snw_vec3 place, double doubt,
                        snw_sample_state made)
{
    size_t at = (size_t)frame * (size_t)job->out->marker_count + (size_t)marker;
    snw_trial_set(job->out, frame, marker, place, made);
    if (job->out->state[at] != SNW_SAMPLE_MISSING) job->out->uncertainty[at] = (float)doubt;
}

static snw_status fill_from_both_sides(view_job *job, const snw_allocator *allocator,
                                       snw_error *error)
{
    snw_fill_options options = snw_fill_options_default();
    snw_trial *body = NULL;
    snw_filled *filled = NULL;
    /* The same markers, everywhere where the body carries them. */
    snw_status status = snw_trial_copy(job->trial, allocator, &body, error);
    for (int frame = 0; status == SNW_OK && frame < job->trial->frame_count; frame++) {
        stand(job, frame);
        for (int m = 0; m < job->actor->marker_count; m++) {
            const snw_actor_marker *marker = job->actor->marker + m;
            if (job->source[m] < 0) continue;
            snw_trial_set(body, frame, job->source[m],
                          snw_pose_point(job->pose, marker->joint, marker->offset),
                          SNW_SAMPLE_FILLED);
        }
    }
    options.body = body;
    if (status == SNW_OK)
        status = snw_trial_fill(job->trial, &options, allocator, &filled, NULL, error);
    int markers = job->trial->marker_count;
    for (int frame = 0; status == SNW_OK && frame < job->trial->frame_count; frame++)
        for (int m = 0; m < markers; m++) {
            size_t at = (size_t)frame * (size_t)markers + (size_t)m;
            if (snw_trial_is_present(job->trial, frame, m) ||
                !snw_trial_is_present(filled->trial, frame, m))
                continue;
            take_sample(job, frame, m, snw_trial_position(filled->trial, frame, m),
                        (double)filled->trial->uncertainty[at], SNW_SAMPLE_FILLED);
            size_t to = (size_t)frame * (size_t)job->out->marker_count + (size_t)m;
            job->out->sample[to] = filled->trial->sample[at];
        }
    snw_filled_destroy(filled);
    snw_trial_destroy(body);
    return status;
}

static snw_status fill_from_the_past(view_job *job, const snw_allocator *allocator,
                                     snw_error *error)
{
    snw_segments *segments = NULL;
    snw_predictor *predictor = NULL;
    /* Segments with markers are the predictor's segments. */
    const snw_skeleton *skeleton = job->actor->skeleton;
    for (int m = 0; m < job->trial->marker_count; m++)
        job->segment_of[m] = -1;
    for (int m = 0; m < job->actor->marker_count; m++)
        if (job->source[m] >= 0) job->segment_of[job->source[m]] = job->actor->marker[m].joint;
    for (int j = 0; j < skeleton->joint_count; j++) {
        int up = skeleton->parent[j];
        bool is_found = false;
        while (up >= 0 && !is_found) {
            for (int m = 0; m < job->trial->marker_count; m++)
                is_found = is_found || job->segment_of[m] == up;
            if (!is_found) up = skeleton->parent[up];
        }
        job->neighbour[j] = up;
    }
    snw_status status = snw_segments_create(job->segment_of, job->trial->marker_count, NULL,
                                            allocator, &segments, error);
    snw_predict_options options = snw_predict_options_default();
    options.neighbour = job->neighbour;
    if (status == SNW_OK)
        status = snw_predictor_create(segments, job->motion->rate, &options, allocator, &predictor,
                                      error);
    for (int frame = 0; status == SNW_OK && frame < job->trial->frame_count; frame++) {
        snw_frame seen = snw_trial_frame(job->trial, frame);
        snw_frame view = snw_predictor_step(predictor, &seen, NULL, 0);
        stand(job, frame);
        /* A frame of the predictor's; where it says nothing, the body does. */
        for (int m = 0; m < job->actor->marker_count; m++) {
            const snw_actor_marker *marker = job->actor->marker + m;
            int at = job->source[m];
            if (at < 0 || snw_trial_is_present(job->trial, frame, at)) continue;
            bool is_known = view.state[at] == SNW_SAMPLE_PREDICTED;
            snw_vec3 place = is_known ? snw_frame_position(&view, at)
                                      : snw_pose_point(job->pose, marker->joint, marker->offset);
            take_sample(job, frame, at, place,
                        is_known ? (double)view.uncertainty[at] : VIEW_BODY_DOUBT,
                        SNW_SAMPLE_PREDICTED);
        }
    }
    snw_predictor_destroy(predictor);
    snw_segments_destroy(segments);
    return status;
}

/* ---- points --------------------------------------------------------------------------------- */

/* ---- the trial ------------------------------------------------------------------------------ */

static snw_status make_points(view_job *job, const snw_allocator *allocator, snw_error *error)
{
    const snw_trial *trial = job->trial;
    int joints = job->actor->skeleton->joint_count;
    for (int m = 0; m < trial->marker_count + joints; m++)
        job->pick[m] = m < trial->marker_count ? m : SNW_NEW_MARKER;
    snw_status status =
        snw_trial_pick(trial, job->pick, trial->marker_count + joints, allocator, &job->out, error);
    for (int j = 0; j < joints && status == SNW_OK; j++) {
        /* The joint's name; with "_joint" behind it where a marker is called the same, which two
         * programs of three would not tell apart, and with "_2" where a joint of another body is.
         */
        const char *name = job->actor->skeleton->name[j];
        char unique[2 * SNW_LABEL_SIZE];
        snw_format(unique, sizeof unique, "%s", name);
        int same = snw_trial_find_marker(job->out, unique), before = job->trial->marker_count;
        bool is_body = same >= 0 && same < before && !snw_trial_is_marker(job->trial, same);
        for (int copy = is_body ? 2 : 1; snw_trial_find_marker(job->out, unique) >= 0; copy++)
            if (is_body)
                snw_format(unique, sizeof unique, "%s_%d", name, copy);
            else if (copy == 1)
                snw_format(unique, sizeof unique, "%s_joint", name);
            else
                snw_format(unique, sizeof unique, "%s_joint%d", name, copy);
        status = snw_trial_set_marker_name(job->out, before + j, unique, error);
    }
    snw_computed_points made = {SNW_POINT_JOINT, trial->unit, trial->marker_count, joints};
    return status == SNW_OK ? snw_trial_mark_computed(job->out, &made, error) : status;
}

static snw_status fill(view_job *job, snw_sample_state made, const snw_allocator *allocator,
                       snw_error *error)
{
    snw_status status = snw_trial_need_uncertainty(job->out, error);
    for (int m = 0; m < job->actor->marker_count; m++)
        job->source[m] = snw__marker_source(job->actor, job->trial, m);
    if (status != SNW_OK) return status;
    for (int frame = 0; frame < job->trial->frame_count; frame++) {
        stand(job, frame);
        for (int j = 0; j < job->actor->skeleton->joint_count; j++)
            snw_trial_set(job->out, frame, job->trial->marker_count + j,
                          job->pose->world[j].translation, made);
    }
    return made == SNW_SAMPLE_PREDICTED ? fill_from_the_past(job, allocator, error)
                                        : fill_from_both_sides(job, allocator, error);
}

snw_status snw_actor_trial(const snw_actor_motion *solved, const snw_trial *trial,
                           const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    const snw_actor *actor = solved->actor;
    const snw_motion *motion = solved->motion;
    *out = NULL;
    snw_status status = snw__check_motion_of(actor, motion, error);
    if (status != SNW_OK) return status;
    if (motion->frame_count != trial->frame_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the motion has %d frames, the trial %d",
                         motion->frame_count, trial->frame_count);
    view_job job;
    memset(&job, 0, sizeof job);
    job.actor = actor;
    job.trial = trial;
    job.motion = motion;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out, &job, &memory, "filling a trial", error);
    if (status != SNW_OK) return status;
    status = snw_pose_create(actor->skeleton, allocator, &job.pose, error);
    if (status == SNW_OK) status = make_points(&job, allocator, error);
    if (status == SNW_OK) status = fill(&job, solved->made, allocator, error);
    if (status == SNW_OK) {
        *out = job.out;
        snw__succeed(error);
    } else {
        snw_trial_destroy(job.out);
    }
    snw_pose_destroy(job.pose);
    snw__block_release(&memory, &block);
    return status;
}
