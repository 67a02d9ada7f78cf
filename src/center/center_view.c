/* From a trial to what the methods for joint centres take: the rigid poses of two segments and the
 * child's markers as the parent sees them.
 *
 * A segment's shape is found by generalised Procrustes analysis (Gower 1975) with gaps: the frame
 * that shows most markers is the first guess; every frame is fitted to it, carried back and
 * averaged. */
#include <string.h>

#include <sinew/geometry.h>

#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"
#include "center/center_constants.h"
#include "math/robust.h"
#include "math/tolerance.h"

typedef struct view_segment {
    const snw_trial *trial;
    const int *marker;
    int count;
    snw_vec3 *shape; /* (count) NaN = never seen beside the others */
    snw_vec3 *seen;  /* (count) of the frame at hand */
    snw_xform *pose; /* (frame_count) */
    uint8_t *is_valid;
    double noise; /* per coordinate, metres */
} view_segment;

static int look(const view_segment *segment, int frame)
{
    int seen_count = 0;
    for (int i = 0; i < segment->count; i++) {
        bool is_seen = snw_trial_is_present(segment->trial, frame, segment->marker[i]);
        segment->seen[i] = is_seen ? snw_trial_position(segment->trial, frame, segment->marker[i])
                                   : snw_vec3_make(NAN, NAN, NAN);
        seen_count += is_seen;
    }
    return seen_count;
}

/* Moves the shape's mean to the origin. */
static void center_shape(view_segment *segment)
{
    snw_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int i = 0; i < segment->count; i++) {
        if (!snw_vec3_is_finite(segment->shape[i])) continue;
        sum = snw_vec3_add(sum, segment->shape[i]);
        count++;
    }
    for (int i = 0; i < segment->count && count > 0; i++)
        segment->shape[i] = snw_vec3_add_scaled(segment->shape[i], -1.0 / count, sum);
}

static int seed_shape(view_segment *segment)
{
    int best = -1, most = 0;
    for (int k = 0; k < segment->trial->frame_count && most < segment->count; k++) {
        int seen_count = look(segment, k);
        if (seen_count <= most) continue;
        most = seen_count;
        best = k;
    }
    if (best < 0) return 0;
    look(segment, best);
    memcpy(segment->shape, segment->seen, (size_t)segment->count * sizeof *segment->shape);
    center_shape(segment);
    return most;
}

/* Fits every frame; *typical gets the median of the fits' rms. */
static void fit_frames(view_segment *segment, double *typical)
{
    snw__magnitudes magnitudes;
    snw__magnitudes_begin(&magnitudes);
    /* A fit worse than this many medians is a frame with swapped or lost markers. */
    double limit = *typical > 0 ? SNW__OUTLIER * *typical : INFINITY, square = 0;
    int freedom = 0;
    for (int k = 0; k < segment->trial->frame_count; k++) {
        snw_fit fit;
        look(segment, k);
        segment->is_valid[k] = false;
        segment->pose[k] = snw_xform_identity();
        if (snw_fit_rigid(segment->shape, segment->seen, NULL, segment->count, &fit) != SNW_OK)
            continue;
        if (fit.kind != SNW_FIT_UNIQUE || fit.point_count < 3) continue;
        snw__magnitudes_add(&magnitudes, fit.rms);
        if (fit.rms > limit) continue;
        segment->is_valid[k] = true;
        segment->pose[k] = fit.to_from;
        square += fit.rms * fit.rms * fit.point_count;
        freedom += 3 * fit.point_count - 6;
    }
    *typical = snw__magnitudes_median(&magnitudes);
    segment->noise = freedom > 0 ? sqrt(square / freedom) : 0;
}

/* Returns the most markers seen at once. */
static int track_segment(view_segment *segment)
{
    int most = seed_shape(segment);
    double typical = 0;
    /* Each round shrinks the seed frame's noise by the square root of the number of frames. */
    for (int round = 0; round < SNW__MEAN_ROUNDS; round++) {
        fit_frames(segment, &typical);
        if (round + 1 < SNW__MEAN_ROUNDS) {
            /* The mean of every marker in the segment's frame, over the frames that fit. */
            for (int i = 0; i < segment->count; i++) {
                snw_point_sums sums = snw_point_sums_begin();
                for (int k = 0; k < segment->trial->frame_count; k++)
                    if (segment->is_valid[k] &&
                        snw_trial_is_present(segment->trial, k, segment->marker[i]))
                        snw_point_sums_add(
                            &sums, snw_xform_unpoint(
                                       segment->pose[k],
                                       snw_trial_position(segment->trial, k, segment->marker[i])));
                if (sums.count > 0) segment->shape[i] = snw_point_sums_moments(&sums).mean;
            }
            center_shape(segment);
        }
    }
    return most;
}

/* ---- the object ---------------------------------------------------------------------------- */

typedef struct view_memory {
    const snw_trial *trial;
    const snw_marker_list *lists; /* (2) */
    snw_joint_view *view;
    view_segment segment[2];
    snw_vec3 *marker;
} view_memory;

static void lay_out(void *object, snw__block *block)
{
    view_memory *memory = object;
    const snw_trial *trial = memory->trial;
    const snw_marker_list *lists = memory->lists;
    size_t frames = (size_t)trial->frame_count;
    memory->view = snw__block_take(block, 1, sizeof *memory->view);
    for (int side = 0; side < 2; side++) {
        view_segment *segment = &memory->segment[side];
        size_t count = (size_t)lists[side].count;
        segment->trial = trial;
        segment->marker = lists[side].marker;
        segment->count = lists[side].count;
        segment->noise = 0;
        segment->shape = snw__block_take(block, count, sizeof *segment->shape);
        segment->seen = snw__block_take(block, count, sizeof *segment->seen);
        segment->pose = snw__block_take(block, frames, sizeof *segment->pose);
        segment->is_valid = snw__block_take(block, frames, sizeof *segment->is_valid);
    }
    memory->marker = snw__block_take(block, snw__size_mul(frames, (size_t)lists[1].count),
                                     sizeof *memory->marker);
}

static snw_status check_lists(const snw_trial *trial, const snw_marker_list lists[2],
                              snw_error *error)
{
    const char *const names[2] = {"parent", "child"};
    for (int side = 0; side < 2; side++) {
        int least = side == 0 ? 3 : 1;
        if (lists[side].count < least)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the %s segment has %d markers; it needs %d", names[side],
                             lists[side].count, least);
        if (lists[side].count > SNW_CENTER_MARKERS_MAX)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the %s segment has %d markers; at most %d are taken", names[side],
                             lists[side].count, SNW_CENTER_MARKERS_MAX);
        for (int i = 0; i < lists[side].count; i++)
            if (lists[side].marker[i] < 0 || lists[side].marker[i] >= trial->marker_count)
                return snw__fail(error, SNW_INVALID_ARGUMENT,
                                 "the %s segment names marker %d; the trial has %d", names[side],
                                 lists[side].marker[i], trial->marker_count);
    }
    return SNW_OK;
}

static int count_valid(const view_segment *segment)
{
    int count = 0;
    for (int k = 0; k < segment->trial->frame_count; k++)
        count += segment->is_valid[k];
    return count;
}

snw_status snw_joint_view_create(const snw_trial *trial, const snw_marker_list lists[2],
                                 const snw_allocator *allocator, snw_joint_view **out,
                                 snw_error *error)
{
    *out = NULL;
    snw_status status = check_lists(trial, lists, error);
    if (status != SNW_OK) return status;
    view_memory memory = {.trial = trial, .lists = lists};
    snw_allocator chosen = snw__allocator_or_default(allocator);
    snw__block block;
    status =
        snw__block_create(&block, lay_out, &memory, &chosen, "the poses of two segments", error);
    if (status != SNW_OK) return status;
    memory.view->allocator = chosen;
    memory.view->block_size = block.size;
    int parent_seen = track_segment(&memory.segment[0]);
    track_segment(&memory.segment[1]);
    if (count_valid(&memory.segment[0]) < SNW__CENTER_FRAMES_MIN) {
        snw_joint_view_destroy(memory.view);
        return snw__fail(error, SNW_DEGENERATE,
                         "the parent segment has no pose: at most %d of its %d markers are seen "
                         "together, or they lie on a line",
                         parent_seen, lists[0].count);
    }
    snw_joint_view *view = memory.view;
    const view_segment *parent = &memory.segment[0], *child = &memory.segment[1];
    snw_vec3 *marker = memory.marker;
    for (int k = 0; k < parent->trial->frame_count; k++) {
        look(child, k);
        for (int i = 0; i < child->count; i++)
            *marker++ = parent->is_valid[k] ? snw_xform_unpoint(parent->pose[k], child->seen[i])
                                            : snw_vec3_make(NAN, NAN, NAN);
    }
    view->data.frame_count = parent->trial->frame_count;
    view->data.world_from_parent = parent->pose;
    view->data.parent_is_valid = parent->is_valid;
    view->data.marker_count = child->count;
    view->data.marker = memory.marker;
    view->parent_shape = parent->shape;
    view->child_shape = child->shape;
    view->parent_noise = parent->noise;
    view->child_noise = child->noise;
    if (!(count_valid(child) < SNW__CENTER_FRAMES_MIN)) {
        view->data.world_from_child = child->pose;
        view->data.child_is_valid = child->is_valid;
        view->parent_rotation_noise =
            snw_segment_rotation_covariance(parent->shape, parent->count, parent->noise);
        view->child_rotation_noise =
            snw_segment_rotation_covariance(child->shape, child->count, child->noise);
    }
    *out = memory.view;
    return snw__succeed(error);
}

void snw_joint_view_destroy(snw_joint_view *view)
{
    if (!view) return;
    snw_allocator allocator = view->allocator;
    snw__release(&allocator, view, view->block_size);
}
