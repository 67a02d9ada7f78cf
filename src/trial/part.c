/* Parts of trials: a range of frames, some of the markers, another frame rate. */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"
#include "math/resample.h"

snw_trial snw_trial_window(const snw_trial *trial, int first, int count)
{
    if (first < 0) first = 0;
    if (first > trial->frame_count) first = trial->frame_count;
    if (count < 0) count = 0;
    if (count > trial->frame_count - first) count = trial->frame_count - first;
    snw_trial window = *trial;
    size_t sample = (size_t)first * (size_t)trial->marker_count;
    size_t analog = (size_t)first * (size_t)trial->analog_per_frame * (size_t)trial->analog_count;
    size_t rotation = (size_t)first * (size_t)trial->rotations_per_frame *
                      (size_t)trial->rotation_count * SNW__ROTATION_NUMBERS;
    window.frame_count = count;
    window.first_frame = trial->first_frame + first;
    window.sample += sample;
    window.state += sample;
    if (window.uncertainty) window.uncertainty += sample;
    window.analog += analog;
    window.rotation += rotation;
    return window;
}

/* ---- some of the markers ------------------------------------------------------------------ */

static snw_status fill_picked(snw_trial *to, const snw_trial *from, const int *markers,
                              snw_error *error)
{
    snw_status status = snw__trial_copy_surroundings(to, from, error);
    if (status == SNW_OK && from->uncertainty) status = snw_trial_need_uncertainty(to, error);
    for (int m = 0; m < to->marker_count && status == SNW_OK; m++)
        if (markers[m] != SNW_NEW_MARKER)
            status = snw__trial_copy_marker(to, to->marker + m, from->marker + markers[m], error);
    if (status != SNW_OK) return status;
    snw__trial_sizes sizes = snw__trial_sizes_of(to);
    memcpy(to->analog, from->analog, sizes.analog * sizeof(float));
    memcpy(to->rotation, from->rotation, sizes.rotation * sizeof(float));
    for (int frame = 0; frame < to->frame_count; frame++) {
        size_t row = (size_t)frame * (size_t)to->marker_count;
        size_t old_row = (size_t)frame * (size_t)from->marker_count;
        for (int m = 0; m < to->marker_count; m++) {
            if (markers[m] == SNW_NEW_MARKER) {
                snw_trial_set(to, frame, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
                continue;
            }
            size_t old = old_row + (size_t)markers[m];
            to->sample[row + (size_t)m] = from->sample[old];
            to->state[row + (size_t)m] = from->state[old];
            if (from->uncertainty) to->uncertainty[row + (size_t)m] = from->uncertainty[old];
        }
    }
    return SNW_OK;
}

snw_status snw_trial_pick(const snw_trial *trial, const int *markers, int marker_count,
                          const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    for (int m = 0; m < marker_count; m++)
        if (markers[m] < SNW_NEW_MARKER || markers[m] >= trial->marker_count)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no marker number %d",
                             markers[m]);
    snw_trial_options options = snw__trial_options_of(trial);
    options.marker_count = marker_count;
    snw_trial *picked = NULL;
    snw_status status = snw__trial_create_raw(&options, allocator, &picked, error);
    if (status == SNW_OK) status = fill_picked(picked, trial, markers, error);
    if (status != SNW_OK) {
        snw_trial_destroy(picked);
        return status;
    }
    *out = picked;
    return snw__succeed(error);
}

/* ---- another rate ------------------------------------------------------------------------- */

static snw_sample blend(const snw_sample *const neighbour[4], const double weight[4])
{
    double x = 0, y = 0, z = 0;
    for (int n = 0; n < 4; n++) {
        if (weight[n] == 0) continue;
        x += weight[n] * neighbour[n]->x;
        y += weight[n] * neighbour[n]->y;
        z += weight[n] * neighbour[n]->z;
    }
    snw_sample sample = {(float)x, (float)y, (float)z,
                         neighbour[weight[1] >= weight[2] ? 1 : 2]->quality};
    return sample;
}

/* The sample of `marker` between frames k and k + 1, and its state. */
static uint8_t sample_between(const snw_trial *from, int marker, int k, double t,
                              snw_sample *sample)
{
    const snw_sample *neighbour[4];
    uint8_t state[4];
    for (int n = 0; n < 4; n++) {
        int frame = k - 1 + n;
        bool is_inside = frame >= 0 && frame < from->frame_count;
        size_t at = (size_t)(is_inside ? frame : k) * (size_t)from->marker_count + (size_t)marker;
        neighbour[n] = from->sample + at;
        state[n] = is_inside ? from->state[at] : (uint8_t)SNW_SAMPLE_MISSING;
    }
    double weight[4] = {0, 1 - t, t, 0};
    if (t > 0 && state[0] != SNW_SAMPLE_MISSING && state[3] != SNW_SAMPLE_MISSING) {
        /* Weights of the four neighbours k-1..k+2 at fraction t after k. */
        double t2 = t * t, t3 = t2 * t;
        weight[0] = 0.5 * (-t + 2 * t2 - t3);
        weight[1] = 0.5 * (2 - 5 * t2 + 3 * t3);
        weight[2] = 0.5 * (t + 4 * t2 - 3 * t3);
        weight[3] = 0.5 * (-t2 + t3);
    }
    if (state[1] == SNW_SAMPLE_MISSING || (t > 0 && state[2] == SNW_SAMPLE_MISSING)) {
        static const snw_sample missing = {0, 0, 0, -1};
        *sample = missing;
        return SNW_SAMPLE_MISSING;
    }
    *sample = t > 0 ? blend(neighbour, weight) : *neighbour[1];
    return t > 0 && state[2] > state[1] ? state[2] : state[1];
}

static snw_status fill_resampled(snw_trial *to, const snw_trial *from, snw_error *error)
{
    snw_status status = snw__trial_copy_surroundings(to, from, error);
    for (int m = 0; m < to->marker_count && status == SNW_OK; m++)
        status = snw__trial_copy_marker(to, to->marker + m, from->marker + m, error);
    if (status != SNW_OK) return status;
    /* Frame numbers count from an instant 0 that lies before the capture, and events are timed from
     * it: (first_frame - 1) / rate later the capture starts. Both rates must say the same start;
     * what the nearest whole frame number leaves over goes to the events. */
    double start = (from->first_frame - 1.0) / from->rate;
    double number = floor(start * to->rate + 0.5) + 1;
    if (fabs(number) < INT32_MAX / 2) to->first_frame = (int)number;
    double shift = (to->first_frame - 1.0) / to->rate - start;
    for (int e = 0; e < to->event_count; e++)
        to->event[e].time += shift;
    double stride = from->rate / to->rate;
    for (int frame = 0; frame < to->frame_count; frame++) {
        double t;
        int k = snw__resample_place(stride, frame, from->frame_count, &t);
        for (int m = 0; m < to->marker_count; m++) {
            size_t at = (size_t)frame * (size_t)to->marker_count + (size_t)m;
            to->state[at] = sample_between(from, m, k, t, to->sample + at);
        }
    }
    int channels = to->analog_count;
    int old_count = from->frame_count * from->analog_per_frame;
    int count = to->frame_count * to->analog_per_frame;
    double step = from->rate / to->rate;
    for (int n = 0; n < count && old_count > 0; n++) {
        double t;
        int k = snw__resample_place(step, n, old_count, &t);
        const float *before = from->analog + (size_t)k * (size_t)channels;
        const float *after = t > 0 ? before + channels : before;
        for (int c = 0; c < channels; c++)
            to->analog[(size_t)n * (size_t)channels + (size_t)c] =
                (float)(before[c] + t * ((double)after[c] - before[c]));
    }
    size_t row = (size_t)to->rotation_count * SNW__ROTATION_NUMBERS;
    int old_turns = from->frame_count * from->rotations_per_frame;
    int turns = to->frame_count * to->rotations_per_frame;
    for (int n = 0; n < turns && old_turns > 0; n++) {
        double t;
        int k = snw__resample_place(stride, n, old_turns, &t) + (t >= 0.5 ? 1 : 0);
        memcpy(to->rotation + (size_t)n * row, from->rotation + (size_t)k * row,
               row * sizeof(float));
    }
    return SNW_OK;
}

snw_status snw_trial_resample(const snw_trial *trial, double rate, const snw_allocator *allocator,
                              snw_trial **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_trial_options options = snw__trial_options_of(trial);
    if (!(rate > 0 && rate < 1e9) || !(trial->rate > 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a capture of %g frames per second cannot be brought to %g", trial->rate,
                         rate);
    double frames = snw__resample_count(trial->frame_count, trial->rate, rate);
    int most = trial->analog_per_frame > trial->rotations_per_frame ? trial->analog_per_frame
                                                                    : trial->rotations_per_frame;
    /* Sub-frames are counted in an int too. */
    if (fmax(frames, trial->frame_count) * (most > 1 ? most : 1) > INT32_MAX)
        return snw__fail(error, SNW_TOO_LARGE, "%g frames are more than a capture can hold",
                         frames);
    options.frame_count = (int)frames;
    options.rate = rate;
    snw_trial *resampled = NULL;
    snw_status status = snw__trial_create_raw(&options, allocator, &resampled, error);
    if (status == SNW_OK) status = fill_resampled(resampled, trial, error);
    if (status != SNW_OK) {
        snw_trial_destroy(resampled);
        return status;
    }
    *out = resampled;
    return snw__succeed(error);
}
