/* A whole trial through the tracker, and what it hid made up from both sides. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "mocap/capture.h"

/* ---- hidden joints ------------------------------------------------------------------------ */

/* Frames [from, to) of a joint were not seen: turns evenly from the rotation before to the one
 * after; at the trial's ends the only neighbour stands. */
static void bridge_joint(snw_motion *motion, int joint, int from, int to)
{
    size_t stride = (size_t)motion->skeleton->joint_count;
    snw_quat *at = motion->rotation + joint;
    bool has_before = from > 0, has_after = to < motion->frame_count;
    if (!has_before && !has_after) return;
    snw_quat before = at[stride * (size_t)(has_before ? from - 1 : to)];
    snw_quat after = at[stride * (size_t)(has_after ? to : from - 1)];
    for (int frame = from; frame < to; frame++)
        at[stride * (size_t)frame] =
            snw_quat_slerp(before, after, (frame - from + 1.0) / (to - from + 1.0));
}

static void bridge_root(snw_motion *motion, int from, int to)
{
    bool has_before = from > 0, has_after = to < motion->frame_count;
    if (!has_before && !has_after) return;
    snw_xform before = motion->root[has_before ? from - 1 : to];
    snw_xform after = motion->root[has_after ? to : from - 1];
    for (int frame = from; frame < to; frame++)
        motion->root[frame] =
            snw_xform_interpolate(before, after, (frame - from + 1.0) / (to - from + 1.0));
}

static void bridge_gaps(snw_motion *motion, const uint8_t *observed)
{
    int joints = motion->skeleton->joint_count;
    for (int j = 0; j < joints; j++)
        for (int frame = 0; frame < motion->frame_count; frame++) {
            int to = frame;
            while (to < motion->frame_count && !observed[(size_t)to * (size_t)joints + (size_t)j])
                to++;
            if (to == frame) continue;
            if (j)
                bridge_joint(motion, j, frame, to);
            else
                bridge_root(motion, frame, to);
            frame = to;
        }
}

/* ---- the trial ---------------------------------------------------------------------------- */

typedef struct solve_sums {
    int lost_count;
    double residual2;
    int64_t used, outliers, seen;
} solve_sums;

static void run_forward(snw_tracker *tracker, const snw_trial *trial, snw_pose *pose,
                        snw_motion *motion, uint8_t *observed, solve_sums *sums)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        snw_frame view = snw_trial_frame(trial, frame);
        snw_track track = snw_tracker_step(tracker, &view, pose);
        snw_motion_set(motion, frame, pose);
        const bool *held = snw_tracker_observed(tracker);
        for (size_t j = 0; j < joints; j++)
            observed[(size_t)frame * joints + j] = held[j];
        sums->lost_count += track.is_lost;
        sums->seen += track.marker_count;
        if (track.is_lost) continue;
        int used = track.marker_count - track.outlier_count;
        sums->used += used;
        sums->outliers += track.outlier_count;
        sums->residual2 += track.residual * track.residual * used;
    }
}

static void write_report(const solve_sums *sums, const snw_actor *actor, int frame_count,
                         snw_solve_report *report)
{
    double possible = (double)actor->marker_count * frame_count;
    memset(report, 0, sizeof *report);
    report->frame_count = frame_count;
    report->lost_count = sums->lost_count;
    report->residual = sums->used ? sqrt(sums->residual2 / (double)sums->used) : 0;
    report->outlier_share = sums->seen ? (double)sums->outliers / (double)sums->seen : 0;
    report->marker_share = possible > 0 ? (double)sums->seen / possible : 0;
}

snw_status snw_actor_solve(const snw_actor *actor, const snw_trial *trial,
                           const snw_tracker_options *options, const snw_allocator *allocator,
                           snw_motion **out, snw_solve_report *report, snw_error *error)
{
    *out = NULL;
    int known = 0;
    for (int m = 0; m < actor->marker_count; m++)
        known += snw_trial_find_marker(trial, actor->marker[m].name) >= 0;
    if (known < 3)
        return snw__fail(error, SNW_NOT_FOUND,
                         "the trial has %d of the actor's %d markers: it is of somebody else",
                         known, actor->marker_count);
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    size_t size = snw__size_mul((size_t)trial->frame_count, (size_t)actor->skeleton->joint_count);
    uint8_t *observed = snw__allocate(&memory, size);
    snw_status status = observed ? SNW_OK : snw__fail_memory(error, size, "solving a trial");
    if (status == SNW_OK)
        status = snw_tracker_create(actor, trial, options, allocator, &tracker, error);
    if (status == SNW_OK) status = snw_pose_create(actor->skeleton, allocator, &pose, error);
    if (status == SNW_OK)
        status = snw_motion_create(actor->skeleton, trial->frame_count, trial->rate, allocator,
                                   &motion, error);
    if (status == SNW_OK) {
        solve_sums sums = {0, 0, 0, 0, 0};
        run_forward(tracker, trial, pose, motion, observed, &sums);
        bridge_gaps(motion, observed);
        if (report) write_report(&sums, actor, trial->frame_count, report);
        *out = motion;
        snw__succeed(error);
    }
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    snw__release(&memory, observed, size);
    return status;
}
