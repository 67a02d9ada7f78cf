/* The capture with what the solved body knows: gaps filled, joint centres as points.
 *
 * A marker does not sit still on its limb: skin and calibration leave it a few millimetres off the
 * place the body gives it. That slip, seen from the limb, changes slowly. So a gap is filled with
 * the place the body gives plus what is left of the slips before and after the gap: the filled
 * stretch meets the measured samples on both sides without a step. */
#include <math.h>
#include <string.h>

#include <sinew/track.h>

#include "actor/actor.h"
#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "rigid/sampling.h"

/* A slip of more standard deviations than this is a wrong sample, not skin: nothing to continue.
 * The tracker calls the same samples outliers. */
#define VIEW_SLIP_MAX 6.0
/* Seconds in which a slip is forgotten to a third. Markers of three CMU captures, hidden for 10, 30
 * and 90 frames of 120 a second, come back best with 0.2 to 1. */
#define VIEW_SLIP_SECONDS 0.4

typedef struct view_job {
    const snw_actor *actor;
    const snw_trial *trial;
    const snw_motion *motion;
    snw_trial *out;
    snw_pose *pose;
    int *source;       /* (marker_count of the actor) marker of the trial, or -1 */
    int *pick;         /* (marker_count of out) */
    snw_vec3 *slip;    /* (frame_count x marker_count of the actor) in the limb's frame, metres */
    uint8_t *has_slip; /* (the same) */
} view_job;

static size_t lay_out(view_job *job, void *memory)
{
    snw__block block = {memory, 0, 0};
    size_t markers = (size_t)job->actor->marker_count;
    size_t points = (size_t)job->trial->marker_count + (size_t)job->actor->skeleton->joint_count;
    size_t samples = snw__size_mul((size_t)job->trial->frame_count, markers);
    job->source = snw__block_take(&block, markers, sizeof(int));
    job->pick = snw__block_take(&block, points, sizeof(int));
    job->slip = snw__block_take(&block, samples, sizeof(snw_vec3));
    job->has_slip = snw__block_take(&block, samples, 1);
    return block.size;
}

static void stand(const view_job *job, int frame)
{
    snw_motion_get(job->motion, frame, job->pose);
    snw_pose_forward(job->pose);
}

/* ---- slips ---------------------------------------------------------------------------------- */

static void measure_slips(view_job *job)
{
    int markers = job->actor->marker_count;
    for (int frame = 0; frame < job->trial->frame_count; frame++) {
        snw_frame view = snw_trial_frame(job->trial, frame);
        stand(job, frame);
        for (int m = 0; m < markers; m++) {
            const snw_actor_marker *marker = job->actor->marker + m;
            if (job->source[m] < 0 || !snw__sample_is_usable(&view, job->source[m])) continue;
            snw_vec3 seen = snw_frame_position(&view, job->source[m]);
            snw_vec3 slip = snw_vec3_sub(snw_xform_unpoint(job->pose->world[marker->joint], seen),
                                         marker->offset);
            size_t at = (size_t)frame * (size_t)markers + (size_t)m;
            double bound = VIEW_SLIP_MAX * fmax(marker->noise, SNW__MARKER_NOISE_MIN);
            job->has_slip[at] = snw_vec3_length(slip) < bound;
            if (job->has_slip[at]) job->slip[at] = slip;
        }
    }
}

/* How much of a slip is left after so many seconds. */
static double left_after(double seconds)
{
    return snw__exp(-seconds / VIEW_SLIP_SECONDS);
}

/* Frames [from, to) of a marker have no slip of their own. What forgets evenly (Ornstein-Uhlenbeck)
 * is expected at e^(-t / tau) of its last value; with the next one known too, T later, the two
 * shares are (p - e f) / (1 - e^2) and (f - e p) / (1 - e^2) with p, f, e the shares left after t,
 * T - t and T: straight in short gaps, zero in the middle of long ones. */
static void continue_slip(view_job *job, int marker, int from, int to, bool knows_future)
{
    size_t stride = (size_t)job->actor->marker_count;
    snw_vec3 *at = job->slip + marker;
    bool has_before = from > 0, has_after = knows_future && to < job->trial->frame_count;
    snw_vec3 before = at[stride * (size_t)(has_before ? from - 1 : 0)];
    snw_vec3 after = at[stride * (size_t)(has_after ? to : 0)];
    double step = 1 / job->motion->rate;
    double whole = has_before && has_after ? left_after((to - from + 1) * step) : 0;
    for (int frame = from; frame < to; frame++) {
        double past = has_before ? left_after((frame - from + 1) * step) : 0;
        double future = has_after ? left_after((to - frame) * step) : 0;
        double share = 1 / (1 - whole * whole);
        snw_vec3 slip = snw_vec3_scale(before, (past - whole * future) * share);
        at[stride * (size_t)frame] =
            snw_vec3_add_scaled(slip, (future - whole * past) * share, after);
    }
}

static void continue_slips(view_job *job, snw_sample_state made)
{
    int markers = job->actor->marker_count, frames = job->trial->frame_count;
    for (int m = 0; m < markers; m++)
        for (int from = 0; from < frames; from++) {
            int to = from;
            while (to < frames && !job->has_slip[(size_t)to * (size_t)markers + (size_t)m])
                to++;
            if (to > from) continue_slip(job, m, from, to, made == SNW_SAMPLE_FILLED);
            from = to;
        }
}

/* ---- points --------------------------------------------------------------------------------- */

static void fill_frame(view_job *job, int frame, snw_sample_state made)
{
    int markers = job->actor->marker_count;
    for (int m = 0; m < markers; m++) {
        const snw_actor_marker *marker = job->actor->marker + m;
        if (job->source[m] < 0 || snw_trial_is_present(job->trial, frame, job->source[m])) continue;
        snw_vec3 slip = job->slip[(size_t)frame * (size_t)markers + (size_t)m];
        snw_vec3 place = snw_vec3_add(marker->offset, slip);
        snw_trial_set(job->out, frame, job->source[m],
                      snw_pose_point(job->pose, marker->joint, place), made);
    }
    for (int j = 0; j < job->actor->skeleton->joint_count; j++)
        snw_trial_set(job->out, frame, job->trial->marker_count + j,
                      job->pose->world[j].translation, made);
}

/* The joint's name; with "_joint" behind it where a marker is called the same, which two programs
 * of three would not tell apart. */
static snw_status name_joint(view_job *job, int joint, snw_error *error)
{
    const char *name = job->actor->skeleton->name[joint];
    char unique[2 * SNW_LABEL_SIZE];
    snw_format(unique, sizeof unique, "%s", name);
    for (int copy = 1; snw_trial_find_marker(job->out, unique) >= 0; copy++)
        if (copy == 1)
            snw_format(unique, sizeof unique, "%s_joint", name);
        else
            snw_format(unique, sizeof unique, "%s_joint%d", name, copy);
    return snw_trial_set_marker_name(job->out, job->trial->marker_count + joint, unique, error);
}

/* ---- the trial ------------------------------------------------------------------------------ */

static snw_status make_points(view_job *job, const snw_allocator *allocator, snw_error *error)
{
    const snw_trial *trial = job->trial;
    int joints = job->actor->skeleton->joint_count;
    for (int m = 0; m < trial->marker_count + joints; m++)
        job->pick[m] = m < trial->marker_count ? m : SNW_NEW_MARKER;
    snw_status status =
        snw_trial_pick(trial, job->pick, trial->marker_count + joints, allocator, &job->out, error);
    for (int j = 0; j < joints && status == SNW_OK; j++)
        status = name_joint(job, j, error);
    snw_computed_points made = {"MODELED_MARKERS", trial->unit, trial->marker_count, joints};
    return status == SNW_OK ? snw_trial_mark_computed(job->out, &made, error) : status;
}

static void fill(view_job *job, snw_sample_state made)
{
    for (int m = 0; m < job->actor->marker_count; m++)
        job->source[m] = snw__marker_source(job->actor, job->trial, m);
    measure_slips(job);
    continue_slips(job, made);
    for (int frame = 0; frame < job->trial->frame_count; frame++) {
        stand(job, frame);
        fill_frame(job, frame, made);
    }
}

snw_status snw_actor_trial(const snw_actor *actor, const snw_trial *trial, const snw_motion *motion,
                           snw_sample_state made, const snw_allocator *allocator, snw_trial **out,
                           snw_error *error)
{
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
    size_t size = lay_out(&job, NULL);
    void *work = snw__allocate(&memory, size);
    if (!work) return snw__fail_memory(error, size, "filling a trial");
    lay_out(&job, work);
    status = snw_pose_create(actor->skeleton, allocator, &job.pose, error);
    if (status == SNW_OK) status = make_points(&job, allocator, error);
    if (status == SNW_OK) {
        fill(&job, made);
        *out = job.out;
        snw__succeed(error);
    } else {
        snw_trial_destroy(job.out);
    }
    snw_pose_destroy(job.pose);
    snw__release(&memory, work, size);
    return status;
}
