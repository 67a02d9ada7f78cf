/* Markers against the solved motion: forward kinematics puts every marker where the body carries
 * it, the capture says where it was. */
#include <math.h>
#include <string.h>

#include <sinew/measure.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/kernel.h"
#include "rigid/sampling.h"

static void lay_out(void *object, snw__block *block)
{
    snw_residuals *residuals = object;
    size_t markers = (size_t)residuals->marker_count, frames = (size_t)residuals->frame_count;
    snw__block_take(block, 1, sizeof(snw_residuals));
    residuals->marker = snw__block_take(block, markers, sizeof(snw_marker_residual));
    residuals->distance = snw__block_take(block, snw__size_mul(frames, markers), sizeof(float));
    residuals->frame_rms = snw__block_take(block, frames, sizeof(double));
}

/* Adds one marker's distance; rms holds the sum of squares until the end. */
static void add_sample(snw_marker_residual *marker, int frame, double distance)
{
    marker->seen_count++;
    marker->rms += distance * distance;
    if (marker->worst_frame >= 0 && !(distance > marker->worst)) return;
    marker->worst = distance;
    marker->worst_frame = frame;
}

/* source (actor's markers) holds markers of the trial. */
static void measure_frame(snw_residuals *residuals, const snw_actor *actor, const snw_frame *view,
                          const snw_pose *pose, int frame, const int *source)
{
    float *row = residuals->distance + (size_t)frame * (size_t)residuals->marker_count;
    double sum2 = 0;
    int count = 0;
    residuals->frame_rms[frame] = NAN;
    /* Fewer markers make no pose: what stands there was made up, and lies nowhere by any fault. */
    int usable = 0;
    for (int m = 0; m < actor->marker_count; m++)
        usable += source[m] >= 0 && snw__sample_is_usable(view, source[m]);
    if (usable < SNW__FRAME_POINTS) return;
    for (int m = 0; m < actor->marker_count; m++) {
        int s = source[m];
        if (s < 0 || !snw__sample_is_usable(view, s)) continue;
        snw_vec3 carried = snw_pose_point(pose, actor->marker[m].joint, actor->marker[m].offset);
        double distance = snw_vec3_length(snw_vec3_sub(carried, snw_frame_position(view, s)));
        row[s] = (float)distance;
        add_sample(residuals->marker + s, frame, distance);
        sum2 += distance * distance;
        count++;
    }
    residuals->frame_rms[frame] = sqrt(sum2 / count);
}

static snw_status create_empty(const snw_trial *trial, const snw_motion *motion,
                               const snw_allocator *allocator, snw_residuals **out,
                               snw_error *error)
{
    snw_residuals sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.marker_count = trial->marker_count;
    sketch.frame_count =
        trial->frame_count < motion->frame_count ? trial->frame_count : motion->frame_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &sketch, &sketch.allocator, "residuals", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch;
    snw_residuals *residuals = *out;
    for (int m = 0; m < residuals->marker_count; m++) {
        residuals->marker[m].joint = -1;
        residuals->marker[m].worst_frame = -1;
    }
    size_t count = (size_t)residuals->frame_count * (size_t)residuals->marker_count;
    for (size_t i = 0; i < count; i++)
        residuals->distance[i] = NAN;
    return SNW_OK;
}

snw_status snw_actor_residuals(const snw_actor *actor, const snw_trial *trial,
                               const snw_motion *motion, const snw_allocator *allocator,
                               snw_residuals **out, snw_error *error)
{
    *out = NULL;
    snw_residuals *residuals = NULL;
    snw_pose *pose = NULL;
    snw_status status = snw__check_motion_of(actor, motion, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t size = snw__size_mul((size_t)actor->marker_count, sizeof(int));
    int *source = snw__allocate(&memory, size);
    if (!source) status = snw__fail_memory(error, size, "residuals");
    if (status == SNW_OK) status = create_empty(trial, motion, allocator, &residuals, error);
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, allocator, &pose, error);
    if (status == SNW_OK) {
        for (int m = 0; m < actor->marker_count; m++) {
            source[m] = snw__marker_source(actor, trial, m);
            if (source[m] >= 0) residuals->marker[source[m]].joint = actor->marker[m].joint;
        }
        for (int frame = 0; frame < residuals->frame_count; frame++) {
            snw_frame view = snw_trial_frame(trial, frame);
            snw_motion_get(motion, frame, pose);
            snw_pose_forward(pose);
            measure_frame(residuals, actor, &view, pose, frame, source);
        }
        double sum2 = 0, count = 0;
        for (int m = 0; m < residuals->marker_count; m++) {
            snw_marker_residual *marker = residuals->marker + m;
            sum2 += marker->rms;
            count += marker->seen_count;
            if (marker->seen_count) marker->rms = sqrt(marker->rms / marker->seen_count);
        }
        residuals->rms = count > 0 ? sqrt(sum2 / count) : 0;
        *out = residuals;
        snw__succeed(error);
    } else {
        snw_residuals_destroy(residuals);
    }
    snw_pose_destroy(pose);
    snw__release(&memory, source, size);
    return status;
}

void snw_residuals_destroy(snw_residuals *residuals)
{
    if (!residuals) return;
    snw_allocator allocator = residuals->allocator;
    snw__release(&allocator, residuals, residuals->block_size);
}
