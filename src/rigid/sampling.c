/* Picks the frames and samples that a calibration may trust. */
#include "rigid/sampling.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "person/movement.h"
#include "rigid/rigid_constants.h"

bool snw__sample_is_usable(const snw_frame *frame, int marker)
{
    if (frame->state[marker] == SNW_SAMPLE_MISSING) return false;
    snw_vec3 p = snw_frame_position(frame, marker);
    /* Metres. No capture volume is larger; beyond it is what a lost marker left in the file. */
    return fabs(p.x) < SNW__VOLUME_MAX && fabs(p.y) < SNW__VOLUME_MAX &&
           fabs(p.z) < SNW__VOLUME_MAX;
}

bool snw__trial_is_usable(const snw_trial *trial, int frame, int marker)
{
    size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
    snw_frame one = {.metres_per_unit = trial->metres_per_unit,
                     .sample = trial->sample + at,
                     .state = trial->state + at};
    return snw__sample_is_usable(&one, 0);
}

static void lay_out(void *object, snw__block *block)
{
    snw__samples *samples = object;
    size_t frames = (size_t)samples->frame_count;
    size_t count = snw__size_mul(frames, (size_t)samples->marker_count);
    snw__block_take(block, 1, sizeof *samples);
    samples->frame = snw__block_take(block, frames, sizeof(int));
    samples->point = snw__block_take(block, count, sizeof(snw_vec3));
    samples->seen = snw__block_take(block, count, 1);
}

/* A marker that is never seen for three frames on end, as one of a static trial that was put before
 * the motion, has only samples beside gaps: better these than none. */
static void take_edges(snw__samples *samples, const snw_trial *trial)
{
    size_t markers = (size_t)samples->marker_count;
    for (size_t m = 0; m < markers; m++) {
        bool is_known = false;
        for (int k = 0; k < samples->frame_count && !is_known; k++)
            is_known = samples->seen[(size_t)k * markers + m];
        for (int k = 0; k < samples->frame_count && !is_known; k++) {
            int frame = samples->frame[k];
            if (!snw__trial_is_usable(trial, frame, (int)m)) continue;
            samples->seen[(size_t)k * markers + m] = 1;
            samples->point[(size_t)k * markers + m] = snw_trial_position(trial, frame, (int)m);
        }
    }
}

/* Joint centres, angles and forces among the points of a file are no markers. */
static void forget_computed(snw__samples *samples, const snw_trial *trial)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (!snw_trial_is_marker(trial, m))
            for (int k = 0; k < samples->frame_count; k++)
                samples->seen[(size_t)k * (size_t)samples->marker_count + (size_t)m] = 0;
}

/* Empty samples of the sketch's size. */
static snw_status create_empty(snw__samples sketch, snw__samples **out, snw_error *error)
{
    *out = NULL;
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &sketch, &sketch.allocator,
                                          "the samples to calibrate from", error);
    if (status != SNW_OK) return status;
    sketch.block_size = block.size;
    *out = (void *)block.base;
    **out = sketch;
    return SNW_OK;
}

static snw_status create(const snw_trial *trial, snw__samples sketch,
                         const snw_allocator *allocator, snw__samples **out, snw_error *error)
{
    sketch.marker_count = trial->marker_count;
    sketch.allocator = snw__allocator_or_default(allocator);
    snw_status status = create_empty(sketch, out, error);
    if (status != SNW_OK) return status;
    snw__samples *samples = *out;
    size_t at = 0;
    int length = samples->run_length, runs = samples->frame_count / length;
    for (int k = 0; k < samples->frame_count; k++) {
        int frame = (int)((int64_t)(k / length) * trial->frame_count / runs) + k % length;
        samples->frame[k] = frame;
        for (int m = 0; m < trial->marker_count; m++, at++) {
            /* Usable, and so are its neighbours in time. */
            if (!(snw__trial_is_usable(trial, frame, m) &&
                  (frame == 0 || snw__trial_is_usable(trial, frame - 1, m)) &&
                  (frame + 1 == trial->frame_count || snw__trial_is_usable(trial, frame + 1, m))))
                continue;
            samples->seen[at] = 1;
            samples->point[at] = snw_trial_position(trial, frame, m);
        }
    }
    take_edges(*out, trial);
    forget_computed(*out, trial);
    return SNW_OK;
}

snw_status snw__samples_create(const snw_trial *trial, int frame_max,
                               const snw_allocator *allocator, snw__samples **out, snw_error *error)
{
    snw__samples sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.run_length = 1;
    sketch.frame_count = trial->frame_count < frame_max ? trial->frame_count : frame_max;
    return create(trial, sketch, allocator, out, error);
}

snw_status snw__samples_create_runs(const snw_trial *trial, int run_max,
                                    const snw_allocator *allocator, snw__samples **out,
                                    snw_error *error)
{
    snw__samples sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.run_length = trial->frame_count / CAPTURE_RUNS_MIN;
    if (sketch.run_length < 1) sketch.run_length = 1;
    if (sketch.run_length > SNW__SAMPLES_RUN) sketch.run_length = SNW__SAMPLES_RUN;
    int runs = trial->frame_count / sketch.run_length;
    sketch.frame_count = (runs < run_max ? runs : run_max) * sketch.run_length;
    return create(trial, sketch, allocator, out, error);
}

snw_status snw__samples_pick(const snw__samples *samples, const int *marker, int marker_count,
                             snw__samples **out, snw_error *error)
{
    snw__samples sketch = *samples;
    sketch.marker_count = marker_count;
    snw_status status = create_empty(sketch, out, error);
    if (status != SNW_OK) return status;
    size_t at = 0;
    for (int f = 0; f < samples->frame_count; f++) {
        (*out)->frame[f] = samples->frame[f];
        for (int m = 0; m < marker_count; m++, at++) {
            (*out)->seen[at] = snw__samples_seen(samples, f)[marker[m]];
            (*out)->point[at] = snw__samples_points(samples, f)[marker[m]];
        }
    }
    return SNW_OK;
}

void snw__samples_destroy(snw__samples *samples)
{
    if (!samples) return;
    snw_allocator allocator = samples->allocator;
    snw__release(&allocator, samples, samples->block_size);
}
