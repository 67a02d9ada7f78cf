/* A body followed frame by frame, and a capture as if it came from cameras now. */
#include <sinew/hidden.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solve/solving.h"

struct snw_live_body {
    snw_tracker *tracker;
    snw_predictor *predictor; /* NULL: hidden markers stay hidden */
    snw_allocator allocator;
};

snw_live_body_options snw_live_body_options_default(void)
{
    return (snw_live_body_options){0};
}

void snw_live_body_destroy(snw_live_body *live)
{
    if (!live) return;
    snw_allocator allocator = live->allocator;
    snw_predictor_destroy(live->predictor);
    snw_tracker_destroy(live->tracker);
    snw__release(&allocator, live, sizeof *live);
}

/* Whose frames: of a list of names, or of a trial. */
typedef struct live_source {
    const snw_actor *actor;
    const snw_name_list *names;
    const snw_trial *trial; /* NULL: the names' */
} live_source;

static snw_status create(const live_source *from, const snw_live_body_options *options,
                         const snw_allocator *allocator, snw_live_body **out, snw_error *error)
{
    snw_live_body_options used =
        SNW__WANTS_DEFAULTS(options) ? snw_live_body_options_default() : *options;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_tracker *tracker = NULL;
    *out = NULL;
    snw_status status = from->trial
                            ? snw_tracker_create_for_trial(from->actor, from->trial, used.tracker,
                                                           allocator, &tracker, error)
                            : snw_tracker_create(from->actor, from->names, used.tracker, allocator,
                                                 &tracker, error);
    if (status != SNW_OK) return status;
    snw_live_body *live = snw__allocate(&memory, sizeof *live);
    if (!live) {
        snw_tracker_destroy(tracker);
        return snw__fail_memory(error, sizeof *live, "a live body");
    }
    live->tracker = tracker;
    live->allocator = memory;
    double rate = from->trial ? from->trial->rate : used.tracker ? used.tracker->rate : 0;
    if (used.segments)
        status =
            snw_predictor_create(used.segments, rate, NULL, allocator, &live->predictor, error);
    if (status != SNW_OK) {
        snw_live_body_destroy(live);
        return status;
    }
    *out = live;
    return snw__succeed(error);
}

snw_status snw_live_body_create(const snw_actor *actor, const snw_name_list *names,
                                const snw_live_body_options *options,
                                const snw_allocator *allocator, snw_live_body **out,
                                snw_error *error)
{
    return create(&(live_source){actor, names, NULL}, options, allocator, out, error);
}

snw_status snw_live_body_create_for_trial(const snw_actor *actor, const snw_trial *trial,
                                          const snw_live_body_options *options,
                                          const snw_allocator *allocator, snw_live_body **out,
                                          snw_error *error)
{
    return create(&(live_source){actor, NULL, trial}, options, allocator, out, error);
}

snw_track snw_live_body_step(snw_live_body *live, const snw_frame *frame, snw_pose *pose)
{
    if (!live->predictor) return snw_tracker_step(live->tracker, frame, pose);
    snw_frame whole = snw_predictor_step(live->predictor, frame, NULL, 0);
    return snw_tracker_step(live->tracker, &whole, pose);
}

snw_tracker *snw_live_body_tracker(snw_live_body *live)
{
    return live->tracker;
}

/* ---- a capture ----------------------------------------------------------------------------- */

static snw_status run_frames(const snw__solving *s, snw_live_body *live, snw_pose *pose,
                             snw_solved_body *body)
{
    const snw_trial *trial = s->out->trial;
    for (int f = 0; f < trial->frame_count; f++) {
        double share = 0.7 + 0.2 * f / trial->frame_count;
        snw_status status = snw__solve_watch(s, "solving every frame", share);
        if (status != SNW_OK) return status;
        snw_frame frame = snw_trial_frame(trial, f);
        snw_track track = s->options->step
                              ? s->options->step(s->options->step_context, live, &frame, pose)
                              : snw_live_body_step(live, &frame, pose);
        snw_motion_set(body->motion, f, pose);
        snw_solve_report_add(&body->report, body->kept, &track);
    }
    return SNW_OK;
}

snw_status snw__solve_live(const snw__solving *s, snw_solved_body *body,
                           const snw_tracker_options *tracker)
{
    snw_live_body *live = NULL;
    snw_pose *pose = NULL;
    const snw_trial *trial = s->out->trial;
    const snw_skeleton *skeleton = body->kept->skeleton;
    snw_live_body_options options = snw_live_body_options_default();
    options.tracker = tracker;
    snw_status status = snw_motion_create(skeleton, trial->frame_count, trial->rate, s->memory,
                                          &body->motion, s->error);
    if (status == SNW_OK)
        status =
            snw_live_body_create_for_trial(body->kept, trial, &options, s->memory, &live, s->error);
    if (status == SNW_OK) status = snw_pose_create(skeleton, s->memory, &pose, s->error);
    if (status == SNW_OK) status = run_frames(s, live, pose, body);
    snw_pose_destroy(pose);
    snw_live_body_destroy(live);
    return status;
}
