/* A whole trial through the live predictor: forwards as if it came from cameras now, or forwards
 * and backwards, which is the smoother that the filter has in it. */
#include <math.h>
#include <string.h>

#include <sinew/segment.h>

#include "base/fail.h"
#include "base/memory.h"
#include "hidden/fill.h"
#include "person/movement.h"
#include "segment/segment_methods.h"

typedef struct pass_sample {
    snw_vec3 place;
    double doubt; /* metres; not above 0: nothing is known */
} pass_sample;

static void run_pass(snw_predictor *predictor, const snw_trial *trial, const snw_predict_job *job,
                     bool is_backward, snw_trial *out, pass_sample *first, snw_ray *ray)
{
    snw_predictor_reset(predictor);
    for (int n = 0; n < trial->frame_count; n++) {
        int frame = is_backward ? trial->frame_count - 1 - n : n;
        snw_frame seen = snw_trial_frame(trial, frame);
        /* Rays of a frame. Forwards and backwards the list is searched from its start: rays are
         * few. */
        int low = 0, high = job->ray_count, ray_count = 0;
        while (low < high) {
            int middle = (low + high) / 2;
            if (job->ray[middle].frame < frame)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < job->ray_count && job->ray[low].frame == frame &&
               ray_count < trial->marker_count;
             low++)
            ray[ray_count++] = job->ray[low].ray;
        snw_frame view = snw_predictor_step(predictor, &seen, ray, ray_count);
        int markers = out->marker_count;
        for (int m = 0; m < markers; m++) {
            size_t at = (size_t)frame * (size_t)markers + (size_t)m;
            if (view.state[m] != SNW_SAMPLE_PREDICTED) continue;
            /* Metres: a prediction is given no more weight than this uncertainty has. */
            pass_sample now = {snw_frame_position(&view, m),
                               fmax((double)view.uncertainty[m], SNW__NOISE_MIN)};
            if (!first) {
                snw_trial_set(out, frame, m, now.place, SNW_SAMPLE_PREDICTED);
                out->uncertainty[at] = (float)now.doubt;
                out->sample[at].quality = snw__computed_quality(out, now.doubt);
                continue;
            }
            pass_sample *other = first + at;
            if (!(other->doubt > 0)) {
                *other = now;
                continue;
            }
            double mine = 1 / (now.doubt * now.doubt), theirs = 1 / (other->doubt * other->doubt);
            other->place = snw_vec3_lerp(other->place, now.place, mine / (mine + theirs));
            other->doubt = sqrt(1 / (mine + theirs));
        }
    }
}

static void write_passes(snw_trial *out, const pass_sample *first)
{
    for (int frame = 0; frame < out->frame_count; frame++)
        for (int m = 0; m < out->marker_count; m++) {
            size_t at = (size_t)frame * (size_t)out->marker_count + (size_t)m;
            if (!(first[at].doubt > 0) || out->state[at] != SNW_SAMPLE_MISSING) continue;
            snw_trial_set(out, frame, m, first[at].place, SNW_SAMPLE_FILLED);
            out->uncertainty[at] = (float)first[at].doubt;
            out->sample[at].quality = snw__computed_quality(out, first[at].doubt);
        }
}

typedef struct pass_work {
    size_t marker_count, sample_count;
    snw_ray *ray;       /* (marker_count) of one frame */
    pass_sample *first; /* (sample_count) of the pass forwards; none where there is only one pass */
} pass_work;

static void lay_out_passes(void *object, snw__block *block)
{
    pass_work *work = object;
    work->ray = snw__block_take(block, work->marker_count, sizeof(snw_ray));
    work->first = snw__block_take(block, work->sample_count, sizeof(pass_sample));
}

snw_status snw_trial_predict(const snw_trial *trial, const snw_predict_job *job,
                             const snw_predict_options *options, const snw_allocator *allocator,
                             snw_trial **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_predictor *predictor = NULL;
    *out = NULL;
    snw_status status = snw__segments_check(job->segments, trial, error);
    if (status != SNW_OK) return status;
    size_t samples = snw__size_mul((size_t)trial->frame_count, (size_t)trial->marker_count);
    pass_work work = {.marker_count = (size_t)trial->marker_count,
                      .sample_count = job->both_ways ? samples : 0};
    snw__block block;
    status = snw__block_create(&block, lay_out_passes, &work, &memory, "predicting a trial", error);
    if (status != SNW_OK) return status;
    double rate = trial->rate > 0 ? trial->rate : 100;
    snw_predict_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_predict_options_default() : *options;
    chosen.neighbour = job->neighbour;
    status = snw_predictor_create(job->segments, rate, &chosen, allocator, &predictor, error);
    if (status == SNW_OK) status = snw_trial_copy(trial, allocator, out, error);
    if (status == SNW_OK) status = snw_trial_need_uncertainty(*out, error);
    if (status == SNW_OK) {
        run_pass(predictor, trial, job, false, *out, job->both_ways ? work.first : NULL, work.ray);
        if (job->both_ways) run_pass(predictor, trial, job, true, *out, work.first, work.ray);
        if (job->both_ways) write_passes(*out, work.first);
    } else {
        snw_trial_destroy(*out);
        *out = NULL;
    }
    snw_predictor_destroy(predictor);
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_segment_neighbours(const snw_trial *trial, const snw_segments *segments,
                                  const snw_allocator *allocator, int *neighbour, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t markers = (size_t)segments->marker_count;
    size_t size = snw__size_mul(snw__size_mul(markers, markers), sizeof(double));
    snw_status status = snw__segments_check(segments, trial, error);
    if (status != SNW_OK) return status;
    double *deviation = snw__allocate(&memory, size);
    if (!deviation) return snw__fail_memory(error, size, "the distances of markers");
    status = snw_marker_deviations(trial, allocator, deviation, error);
    for (int l = 0; l < segments->segment_count; l++) {
        double least = INFINITY;
        neighbour[l] = -1;
        for (size_t a = 0; status == SNW_OK && a < markers; a++)
            for (size_t b = 0; b < markers; b++) {
                bool is_pair = segments->segment_of[a] == l && segments->segment_of[b] >= 0 &&
                               segments->segment_of[b] != l;
                if (!is_pair || !(deviation[a * markers + b] < least)) continue;
                least = deviation[a * markers + b];
                neighbour[l] = segments->segment_of[b];
            }
    }
    snw__release(&memory, deviation, size);
    return status;
}
