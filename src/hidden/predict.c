/* The live predictor: a frame with gaps in, a frame with predicted samples and their uncertainty
 * out.
 *
 * Every frame goes through the segment filter (segment_filter.c); AUTO adds what it learned of each
 * marker (live_learned.c) and weighs the two by their uncertainties. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "hidden/hidden_constants.h"
#include "hidden/live_learned.h"
#include "hidden/segment_filter.h"

struct snw_predictor {
    snw_predict_options options;
    double rate;
    snw__live live;
    snw__learned learned;
    snw_sample *sample;   /* (marker_count) what goes out */
    uint8_t *state;       /* (marker_count) */
    float *uncertainty;   /* (marker_count) */
    snw_vec3 *place;      /* (marker_count) metres */
    bool *is_seen;        /* (marker_count) */
    snw_vec3 *offset;     /* (marker_count) prediction less sample when the marker came back */
    double *since_return; /* (marker_count) seconds */
    int *marker_list;     /* (markers of all segments) */
    snw_vec3 *shape_list; /* (markers of all segments) */
    snw_allocator allocator;
    size_t block_size;
};

snw_predict_options snw_predict_options_default(void)
{
    snw_predict_options options;
    memset(&options, 0, sizeof options);
    options.method = SNW_PREDICT_AUTO;
    options.history_seconds = 30;
    return options;
}

/* ---- making
 * --------------------------------------------------------------------------------------- */

static int listed_markers(const snw_segments *segments)
{
    int count = 0;
    for (int l = 0; l < segments->segment_count; l++)
        count += segments->segment[l].marker_count;
    return count;
}

static int past_capacity(const snw_predict_options *options)
{
    if (options->method != SNW_PREDICT_AUTO) return 0;
    double frames = options->history_seconds * PREDICT_PAST_RATE;
    return frames > 100000 ? 100000 : frames < 100 ? 100 : (int)frames;
}

typedef struct predictor_sketch {
    snw_predictor predictor;
    const snw_segments *segments;
} predictor_sketch;

static void lay_out_predictor(void *object, snw__block *block)
{
    predictor_sketch *sketch = object;
    snw_predictor *p = &sketch->predictor;
    const snw_segments *segments = sketch->segments;
    snw__block_take(block, 1, sizeof(snw_predictor));
    size_t markers = (size_t)segments->marker_count, listed = (size_t)listed_markers(segments);
    p->live.segment =
        snw__block_take(block, (size_t)segments->segment_count, sizeof(snw__live_segment));
    p->live.marker = snw__block_take(block, markers, sizeof(snw__live_marker));
    size_t anchors = markers + (size_t)segments->segment_count + 1;
    p->live.from = snw__block_take(block, anchors, sizeof(snw_vec3));
    p->live.to = snw__block_take(block, anchors, sizeof(snw_vec3));
    p->sample = snw__block_take(block, markers, sizeof(snw_sample));
    p->state = snw__block_take(block, markers, 1);
    p->uncertainty = snw__block_take(block, markers, sizeof(float));
    p->place = snw__block_take(block, markers, sizeof(snw_vec3));
    p->is_seen = snw__block_take(block, markers, sizeof(bool));
    p->offset = snw__block_take(block, markers, sizeof(snw_vec3));
    p->since_return = snw__block_take(block, markers, sizeof(double));
    p->marker_list = snw__block_take(block, listed, sizeof(int));
    p->shape_list = snw__block_take(block, listed, sizeof(snw_vec3));
    if (p->options.method == SNW_PREDICT_AUTO)
        snw__learned_lay_out(&p->learned, segments->marker_count, past_capacity(&p->options),
                             block);
}

static void connect_segments(snw_predictor *p, const snw_segments *segments, const int *neighbour)
{
    int at = 0;
    for (int l = 0; l < segments->segment_count; l++) {
        snw__live_segment *segment = p->live.segment + l;
        segment->count = segments->segment[l].marker_count;
        segment->marker = p->marker_list + at;
        segment->shape = p->shape_list + at;
        segment->neighbour = neighbour ? neighbour[l] : -1;
        memcpy(p->marker_list + at, segments->segment[l].marker,
               (size_t)segment->count * sizeof(int));
        at += segment->count;
    }
}

void snw_predictor_reset(snw_predictor *p)
{
    for (int m = 0; m < p->live.marker_count; m++) {
        memset(p->live.marker + m, 0, sizeof *p->live.marker);
        p->live.marker[m].hidden = -1;
        p->since_return[m] = INFINITY;
        p->is_seen[m] = false;
    }
    for (int l = 0; l < p->live.segment_count; l++) {
        snw__live_segment kept = p->live.segment[l], *segment = p->live.segment + l;
        memset(segment, 0, sizeof *segment);
        segment->count = kept.count;
        segment->marker = kept.marker;
        segment->shape = kept.shape;
        segment->neighbour = kept.neighbour;
        segment->pose = snw_xform_identity();
        segment->turn = snw_quat_identity();
    }
    if (p->options.method == SNW_PREDICT_AUTO) snw__learned_reset(&p->learned);
}

static snw_status check_predictor(const snw_segments *segments, double rate,
                                  const snw_predict_options *options, snw_error *error)
{
    if (!(rate > 0) || !isfinite(rate))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a frame rate must be above 0, not %g", rate);
    if ((unsigned)options->method >= SNW_PREDICT_METHOD_COUNT)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no way to predict number %d",
                         (int)options->method);
    if (!(options->blend_seconds >= 0) || !(options->history_seconds >= 0))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "times of a predictor must not be negative");
    const int *neighbour = options->neighbour;
    for (int l = 0; neighbour && l < segments->segment_count; l++)
        if (neighbour[l] < -1 || neighbour[l] >= segments->segment_count || neighbour[l] == l)
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "segment %s cannot have segment number %d for a neighbour",
                             segments->segment[l].name, neighbour[l]);
    return SNW_OK;
}

snw_status snw_predictor_create(const snw_segments *segments, double rate,
                                const snw_predict_options *options, const snw_allocator *allocator,
                                snw_predictor **out, snw_error *error)
{
    static const snw__filter_kind kind[SNW_PREDICT_METHOD_COUNT] = {
        SNW__FILTER_TURN, SNW__FILTER_TURN, SNW__FILTER_VELOCITY, SNW__FILTER_LINE,
        SNW__FILTER_CIRCLE};
    snw_predict_options defaults = snw_predict_options_default();
    snw_allocator memory = snw__allocator_or_default(allocator);
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    *out = NULL;
    snw_status status = check_predictor(segments, rate, options, error);
    if (status != SNW_OK) return status;
    snw__block block;
    predictor_sketch sketch = {.predictor.options = *options, .segments = segments};
    status = snw__block_create(&block, lay_out_predictor, &sketch, &memory,
                               "a predictor of markers", error);
    if (status != SNW_OK) return status;
    snw_predictor *p = (void *)block.base;
    *p = sketch.predictor;
    p->rate = rate;
    p->allocator = memory;
    p->block_size = block.size;
    p->live.segment_count = segments->segment_count;
    p->live.marker_count = segments->marker_count;
    p->live.kind = kind[options->method];
    p->live.is_anchored = options->method == SNW_PREDICT_AUTO;
    p->live.step = 1 / rate;
    p->learned.past.rate = rate;
    p->learned.every = rate > PREDICT_PAST_RATE ? (int)(rate / PREDICT_PAST_RATE + 0.5) : 1;
    connect_segments(p, segments, options->neighbour);
    p->options.neighbour = NULL; /* the caller's, read here */
    snw_predictor_reset(p);
    *out = p;
    return snw__succeed(error);
}

void snw_predictor_destroy(snw_predictor *p)
{
    if (!p) return;
    snw_allocator memory = p->allocator;
    snw__release(&memory, p, p->block_size);
}

/* ---- a frame
 * -------------------------------------------------------------------------------------- */

/* Without one nothing in the frame has a place. */
static bool has_unit(const snw_frame *frame)
{
    double unit = frame->metres_per_unit;
    return unit > 0 && isfinite(unit) && isfinite(1 / unit);
}

static bool sample_is_seen(const snw_frame *frame, int m)
{
    return frame->state[m] == SNW_SAMPLE_MEASURED && has_unit(frame) &&
           snw_vec3_is_finite(snw_frame_position(frame, m));
}

static void see_frame(snw_predictor *p, const snw_frame *frame)
{
    for (int m = 0; m < p->live.marker_count; m++) {
        snw__live_marker *marker = p->live.marker + m;
        bool is_seen = m < frame->marker_count && sample_is_seen(frame, m);
        /* What was said of it one frame ago is where it is led on from. */
        if (is_seen && !p->is_seen[m] && marker->filter.has_state) {
            p->offset[m] = snw_vec3_sub(p->place[m], snw_frame_position(frame, m));
            p->since_return[m] = 0;
        }
        p->is_seen[m] = marker->is_seen = is_seen;
        marker->has_ray = false;
        if (is_seen) marker->place = snw_frame_position(frame, m);
    }
}

static void see_rays(snw_predictor *p, const snw_ray *ray, int ray_count)
{
    for (int r = 0; r < ray_count; r++) {
        if (ray[r].marker < 0 || ray[r].marker >= p->live.marker_count) continue;
        snw__live_marker *marker = p->live.marker + ray[r].marker;
        double length2 = snw_vec3_length2(ray[r].direction);
        if (marker->is_seen || !snw_vec3_is_finite(ray[r].origin) || !(fabs(length2 - 1) < 1e-6))
            continue;
        marker->has_ray = true;
        marker->ray.point = ray[r].origin;
        marker->ray.direction = ray[r].direction;
    }
}

/* The learned guess and the segment's, by their variances; on the ray, where there is one. */
static void mix_learned(snw_predictor *p, int m)
{
    snw__live_marker *marker = p->live.marker + m;
    snw_vec3 place;
    double sigma, hidden = marker->hidden * p->live.step;
    if (!snw__learned_guess(&p->learned, m, hidden, &place, &sigma)) return;
    double mine = 1 / (sigma * sigma);
    double segments = 1 / fmax(marker->uncertainty * marker->uncertainty, 1e-8);
    if (!marker->filter.has_state) segments = 0;
    marker->place = snw_vec3_lerp(marker->place, place, mine / (mine + segments));
    if (marker->has_ray) {
        snw_vec3 arm = snw_vec3_sub(marker->place, marker->ray.point);
        double along = fmax(snw_vec3_dot(arm, marker->ray.direction), 0);
        marker->place = snw_vec3_add_scaled(marker->ray.point, along, marker->ray.direction);
    }
    /* Both build on the same neighbours: their errors are no independent ones. */
    double both = fmin(sigma, segments > 0 ? marker->uncertainty : sigma);
    marker->uncertainty = marker->has_ray ? fmin(0.58 * sigma, both) : both;
    marker->filter.x = marker->held = marker->place;
}

static void lead_back(snw_predictor *p, int m)
{
    if (!(p->since_return[m] < p->options.blend_seconds)) return;
    p->since_return[m] += p->live.step;
    double left = 1 - p->since_return[m] / p->options.blend_seconds;
    if (!(left > 0)) return;
    snw_vec3 off = snw_vec3_scale(p->offset[m], left * left * (3 - 2 * left));
    p->place[m] = snw_vec3_add(p->place[m], off);
    p->state[m] = SNW_SAMPLE_PREDICTED;
    p->uncertainty[m] = (float)snw_vec3_length(off);
}

/* In the frame's unit; false where that is no number of a sample. */
static bool to_sample(const snw_frame *frame, snw_vec3 place, snw_sample *sample)
{
    if (!has_unit(frame)) return false;
    snw_vec3 own = snw_vec3_scale(place, 1 / frame->metres_per_unit);
    *sample = (snw_sample){(float)own.x, (float)own.y, (float)own.z, 0};
    return isfinite(sample->x) && isfinite(sample->y) && isfinite(sample->z);
}

static void write_sample(snw_predictor *p, int m, const snw_frame *frame)
{
    const snw__live_marker *marker = p->live.marker + m;
    snw_sample made;
    p->uncertainty[m] = marker->is_seen && frame->uncertainty ? frame->uncertainty[m] : 0;
    p->place[m] = marker->place;
    if (marker->is_seen) {
        p->sample[m] = frame->sample[m];
        p->state[m] = SNW_SAMPLE_MEASURED;
        lead_back(p, m);
        if (p->state[m] == SNW_SAMPLE_PREDICTED && to_sample(frame, p->place[m], &made))
            p->sample[m] = made;
        else
            p->state[m] = SNW_SAMPLE_MEASURED;
        return;
    }
    bool is_known = marker->filter.has_state && marker->uncertainty < PREDICT_UNSURE &&
                    to_sample(frame, marker->place, &made);
    if (!is_known) made = (snw_sample){0, 0, 0, -1};
    p->state[m] = is_known ? SNW_SAMPLE_PREDICTED : SNW_SAMPLE_MISSING;
    p->uncertainty[m] = is_known ? (float)marker->uncertainty : 0;
    if (!is_known) p->place[m] = snw_vec3_make(0, 0, 0);
    p->sample[m] = made;
}

/* Markers of a segment are placed by what was learned, then the segment's pose follows them. */
static void learn_and_mix(snw_predictor *p)
{
    for (int m = 0; m < p->live.marker_count; m++)
        p->place[m] = p->live.marker[m].place;
    snw__learned_see(&p->learned, p->place, p->is_seen);
    for (int m = 0; m < p->live.marker_count; m++)
        if (!p->is_seen[m] && p->live.marker[m].hidden >= 0) mix_learned(p, m);
    snw__live_refit(&p->live);
}

snw_frame snw_predictor_step(snw_predictor *p, const snw_frame *frame, const snw_ray *ray,
                             int ray_count)
{
    see_frame(p, frame);
    see_rays(p, ray, ray_count);
    snw__live_step(&p->live);
    if (p->options.method == SNW_PREDICT_AUTO) learn_and_mix(p);
    for (int m = 0; m < p->live.marker_count; m++)
        write_sample(p, m, frame);
    snw_frame out = *frame;
    out.marker_count = p->live.marker_count;
    out.sample = p->sample;
    out.state = p->state;
    out.uncertainty = p->uncertainty;
    return out;
}

bool snw_predictor_center(const snw_predictor *p, int segment, snw_vec3 *center)
{
    if (segment < 0 || segment >= p->live.segment_count) return false;
    return snw__live_center(&p->live, segment, center);
}
