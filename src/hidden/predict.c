/* The live predictor: a frame with gaps in, a frame with predicted samples and their uncertainty
 * out.
 *
 * Every frame goes through the segment filter (segment_filter.c); AUTO adds what it learned of each
 * marker (learned, below) and weighs the two by their uncertainties. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "hidden/fill.h"
#include "hidden/hidden_constants.h"
#include "hidden/segment_filter.h"
#include "person/movement.h"

/* ---- live learned ------------------------------------------------------------------------------
 */

/* Learns from the past how a marker follows its neighbours, and predicts it when it is hidden.
 *
 * The causal half of the offline filling: the same neighbours, the same frame of three of them, the
 * same ridge regression (fill_local.c, fill_regress.c). The past is kept thinned; when a marker
 * vanishes, or one of the neighbours it was told by, one regression is trained, at most one in a
 * frame. What the regression missed when the marker was last seen is carried on and forgotten. */

/* How one hidden marker follows the neighbours that are seen. */
typedef struct snw__learned_marker {
    bool is_trained;
    snw__gap_model model;        /* neighbours and frame */
    snw__regression places, few; /* on twelve of them and on eight */
    snw_vec3 slip;               /* what they missed when the marker was last seen */
    double sigma;                /* metres: what they miss, root mean square */
    snw_vec3 *vanished;          /* (marker_count) all markers when this one was last seen */
    uint16_t *vanished_span;     /* (marker_count) */
} snw__learned_marker;

typedef struct snw__learned {
    snw__fill past;  /* the past, thinned; its last frame is the present */
    int capacity;    /* frames of the past that fit */
    int count;       /* that are there */
    int next;        /* where the next one goes */
    int every;       /* frames from one that is kept to the next */
    int since;       /* the last one was kept */
    int cost_row;    /* marker whose costs come next */
    int trained;     /* trainings so far: each has its own number */
    bool has_budget; /* one training a frame */
    snw__moments *moments;
    snw__learned_marker *marker; /* (marker_count) */
} snw__learned;

/* Lays the arrays out in the block. */
static void learned_lay_out(snw__learned *learned, int marker_count, int capacity,
                            snw__block *block)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)marker_count, frames = (size_t)capacity + 1;
    past->marker_count = marker_count;
    past->frame_count = capacity + 1;
    learned->capacity = capacity;
    past->position = snw__block_take(block, snw__size_mul(frames, markers), sizeof(snw_vec3));
    past->span = snw__block_take(block, snw__size_mul(frames, markers), sizeof(uint16_t));
    past->cost = snw__block_take(block, snw__size_mul(markers, markers), sizeof(double));
    past->stamp = snw__block_take(block, frames, sizeof(int));
    past->row = snw__block_take(block, frames, SNW__FILL_STRIDE * sizeof(double));
    past->order = snw__block_take(block, markers, sizeof(int));
    past->train = snw__block_take(block, frames, sizeof(int));
    learned->moments = snw__block_take(block, 1, sizeof(snw__moments));
    learned->marker = snw__block_take(block, markers, sizeof(snw__learned_marker));
    snw_vec3 *vanished = snw__block_take(block, snw__size_mul(markers, markers), sizeof(snw_vec3));
    uint16_t *span = snw__block_take(block, snw__size_mul(markers, markers), sizeof(uint16_t));
    for (size_t m = 0; block->base && m < markers; m++) {
        learned->marker[m].vanished = vanished + m * markers;
        learned->marker[m].vanished_span = span + m * markers;
    }
}

/* ---- the past
 * ------------------------------------------------------------------------------------- */

static void keep_present(snw__learned *learned)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)past->marker_count;
    size_t from = snw__fill_at(past, learned->capacity, 0),
           to = snw__fill_at(past, learned->next, 0);
    memcpy(past->position + to, past->position + from, markers * sizeof *past->position);
    memcpy(past->span + to, past->span + from, markers * sizeof *past->span);
    past->stamp[learned->next] = 0;
    learned->next = (learned->next + 1) % learned->capacity;
    if (learned->count < learned->capacity) learned->count++;
    learned->cost_row = (learned->cost_row + 1) % past->marker_count;
    snw__fill_cost_row(past, learned->cost_row);
}

/* The present: every marker that is seen, NULL for those that are not. */
static void learned_see(snw__learned *learned, const snw_vec3 *place, const bool *is_seen)
{
    snw__fill *past = &learned->past;
    size_t markers = (size_t)past->marker_count, now = snw__fill_at(past, learned->capacity, 0);
    /* A marker that vanishes: the frame before, which still stands there, is its last. */
    for (size_t m = 0; m < markers; m++) {
        if (is_seen[m] || past->span[now + m] != 0) continue;
        memcpy(learned->marker[m].vanished, past->position + now, markers * sizeof(snw_vec3));
        memcpy(learned->marker[m].vanished_span, past->span + now, markers * sizeof(uint16_t));
    }
    for (size_t m = 0; m < markers; m++) {
        past->span[now + m] = is_seen[m] ? 0 : SNW__SPAN_MISSING;
        if (is_seen[m]) past->position[now + m] = place[m];
        if (is_seen[m]) learned->marker[m].is_trained = false;
    }
    past->stamp[learned->capacity] = 0;
    learned->has_budget = true;
    if (++learned->since < learned->every) return;
    learned->since = 0;
    keep_present(learned);
}

/* ---- training
 * -------------------------------------------------------------------------------------- */

static snw_vec3 regressed(const snw__learned_marker *marker, const double *row)
{
    int size = 3 * marker->model.feature_count + 3;
    return snw_vec3_lerp(snw__regression_base(&marker->places, row + 12, size),
                         snw__regression_base(&marker->few, row + 12, size), 0.5);
}

static snw_vec3 row_tail(const snw__learned_marker *marker, const double *row)
{
    const double *at = row + 12 + 3 * marker->model.feature_count;
    return snw_vec3_make(at[0], at[1], at[2]);
}

/* The frame in which the marker vanished stands in for the present, or the present is back. */
static void swap_present(snw__learned *learned, snw__learned_marker *marker)
{
    snw__fill *past = &learned->past;
    size_t now = snw__fill_at(past, learned->capacity, 0);
    for (size_t m = 0; m < (size_t)past->marker_count; m++) {
        snw_vec3 place = past->position[now + m];
        uint16_t span = past->span[now + m];
        past->position[now + m] = marker->vanished[m];
        past->span[now + m] = marker->vanished_span[m];
        marker->vanished[m] = place;
        marker->vanished_span[m] = span;
    }
    past->stamp[learned->capacity] = 0;
}

static void train(snw__learned *learned, int index)
{
    snw__learned_marker *marker = learned->marker + index;
    snw_filled_gap now;
    memset(&now, 0, sizeof now);
    now.marker = index;
    now.first = learned->capacity;
    now.length = 1;
    marker->is_trained = false;
    learned->has_budget = false;
    if (learned->trained > 1000000000) {
        memset(learned->past.stamp, 0, (size_t)learned->past.frame_count * sizeof(int));
        learned->trained = 0;
    }
    snw__gap_model_make(&marker->model, &learned->past, ++learned->trained, &now);
    if (!marker->model.has_frame || !snw__moments_of_places(&marker->model, learned->moments) ||
        !snw__regress(learned->moments, learned->moments, 3 * SNW__FILL_FEW, &marker->places,
                      &marker->few))
        return;
    double square = 0, count = 0;
    for (int n = 0; n < marker->model.train_count; n += 3) {
        const double *row = snw__gap_row(&marker->model, marker->model.train[n]);
        if (!row || !isfinite(row_tail(marker, row).x)) continue;
        square += snw_vec3_length2(snw_vec3_sub(row_tail(marker, row), regressed(marker, row)));
        count++;
    }
    marker->sigma = LEARNED_OPTIMISM * (count > 0 ? sqrt(square / count) : INFINITY);
    /* What the regression missed when the marker was last seen. */
    snw_vec3 slip = {0, 0, 0};
    swap_present(learned, marker);
    const double *row = snw__gap_row(&marker->model, learned->capacity);
    if (row && isfinite(row_tail(marker, row).x))
        slip = snw_vec3_sub(row_tail(marker, row), regressed(marker, row));
    swap_present(learned, marker);
    marker->slip = slip;
    marker->is_trained = isfinite(marker->sigma);
}

/* Where a hidden marker is, after so many seconds; false while that is not known. */
static bool learned_guess(snw__learned *learned, int index, double hidden_seconds, snw_vec3 *place,
                          double *sigma)
{
    snw__learned_marker *marker = learned->marker + index;
    const double *row = marker->is_trained ? snw__gap_row(&marker->model, learned->capacity) : NULL;
    if (!row && learned->has_budget) {
        train(learned, index);
        row = marker->is_trained ? snw__gap_row(&marker->model, learned->capacity) : NULL;
    }
    if (!row) return false;
    /* Seconds in which a residual is forgotten to a third; the middle one of the offline bridges.
     */
    double left = snw__exp(-hidden_seconds / SNW__SKIN_SECONDS);
    snw_vec3 local = snw_vec3_add_scaled(regressed(marker, row), left, marker->slip);
    *place = snw__row_world(row, local);
    *sigma =
        sqrt(marker->sigma * marker->sigma * (1 - left * left) + LEARNED_NOISE * LEARNED_NOISE);
    return snw_vec3_is_finite(*place) && isfinite(*sigma);
}

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
    int count = 0;
    for (int l = 0; l < segments->segment_count; l++)
        count += segments->segment[l].marker_count;
    size_t markers = (size_t)segments->marker_count, listed = (size_t)count;
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
        learned_lay_out(&p->learned, segments->marker_count, past_capacity(&p->options), block);
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
    if (p->options.method == SNW_PREDICT_AUTO) {
        snw__fill *past = &p->learned.past;
        size_t markers = (size_t)past->marker_count, samples = markers * (size_t)past->frame_count;
        for (size_t n = 0; n < samples; n++)
            past->span[n] = SNW__SPAN_MISSING;
        for (size_t n = 0; n < markers * markers; n++)
            past->cost[n] = INFINITY;
        for (size_t m = 0; m < markers; m++) {
            p->learned.marker[m].is_trained = false;
            for (size_t n = 0; n < markers; n++)
                p->learned.marker[m].vanished_span[n] = SNW__SPAN_MISSING;
        }
        p->learned.count = p->learned.next = p->learned.since = p->learned.cost_row = 0;
        p->learned.trained = 0;
    }
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
    int at = 0;
    for (int l = 0; l < segments->segment_count; l++) {
        snw__live_segment *segment = p->live.segment + l;
        segment->count = segments->segment[l].marker_count;
        segment->marker = p->marker_list + at;
        segment->shape = p->shape_list + at;
        segment->neighbour = options->neighbour ? options->neighbour[l] : -1;
        memcpy(p->marker_list + at, segments->segment[l].marker,
               (size_t)segment->count * sizeof(int));
        at += segment->count;
    }
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

/* The learned guess and the segment's, by their variances; on the ray, where there is one. */
static void mix_learned(snw_predictor *p, int m)
{
    snw__live_marker *marker = p->live.marker + m;
    snw_vec3 place;
    double sigma, hidden = marker->hidden * p->live.step;
    if (!learned_guess(&p->learned, m, hidden, &place, &sigma)) return;
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

snw_frame snw_predictor_step(snw_predictor *p, const snw_frame *frame, const snw_ray *ray,
                             int ray_count)
{
    for (int m = 0; m < p->live.marker_count; m++) {
        snw__live_marker *marker = p->live.marker + m;
        bool is_seen =
            m < frame->marker_count && (frame->state[m] == SNW_SAMPLE_MEASURED && has_unit(frame) &&
                                        snw_vec3_is_finite(snw_frame_position(frame, m)));
        /* What was said of it one frame ago is where it is led on from. */
        if (is_seen && !p->is_seen[m] && marker->filter.has_state) {
            p->offset[m] = snw_vec3_sub(p->place[m], snw_frame_position(frame, m));
            p->since_return[m] = 0;
        }
        p->is_seen[m] = marker->is_seen = is_seen;
        marker->has_ray = false;
        if (is_seen) marker->place = snw_frame_position(frame, m);
    }
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
    snw__live_step(&p->live);
    if (p->options.method == SNW_PREDICT_AUTO) {
        /* Markers of a segment are placed by what was learned, then the segment's pose follows
         * them. */
        for (int m = 0; m < p->live.marker_count; m++)
            p->place[m] = p->live.marker[m].place;
        learned_see(&p->learned, p->place, p->is_seen);
        for (int m = 0; m < p->live.marker_count; m++)
            if (!p->is_seen[m] && p->live.marker[m].hidden >= 0) mix_learned(p, m);
        snw__live_refit(&p->live);
    }
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
