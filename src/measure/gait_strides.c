/* Strides between the events, and the mean cycle over them.
 *
 * Definitions as in Whittle, "Gait analysis": a stride is from a foot's strike to its next; the
 * step of that foot is the second part of it, from the other foot's strike on. Lengths are of the
 * heels (ankles where there are none) along the way, each at the instant of its own strike: at this
 * foot's strike the other heel has left the floor and gone ahead by some centimetres. A left and a
 * right step in a row are a stride. On a treadmill the belt takes the foot that stands back with
 * it: that is added. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "measure/gait_line.h"
#include "measure/measure_constants.h"

static const snw_gait_event *next_event(const snw_gait_events *events, snw_gait_event_kind kind,
                                        snw_side side, double after)
{
    for (int n = 0; n < events->count; n++) {
        const snw_gait_event *event = events->event + n;
        if (event->kind == kind && event->side == side && event->time > after) return event;
    }
    return NULL;
}

/* Time of the first such event inside the stride, NaN: none. */
static double time_inside(const snw_gait_events *events, snw_gait_event_kind kind, int side,
                          const snw_stride *stride)
{
    const snw_gait_event *event = next_event(events, kind, (snw_side)side, stride->start);
    return event && event->time < stride->end ? event->time : NAN;
}

/* The heel at an instant, between two frames that show it. */
static bool heel_at(const snw__gait_line *line, double time, int side, snw_vec3 *out)
{
    double at = time * line->trial->rate;
    int frame = (int)floor(at);
    snw_vec3 a, b;
    if (!(at >= 0) || at > line->trial->frame_count - 1) return false;
    if (frame >= line->trial->frame_count - 1) frame = line->trial->frame_count - 2;
    if (frame < 0 || !snw__gait_foot(line, frame, side, true, &a) ||
        !snw__gait_foot(line, frame + 1, side, true, &b))
        return false;
    *out = snw_vec3_lerp(a, b, at - frame);
    return true;
}

/* How fast the heel goes back while the foot is flat: after the strike, before half of what it
 * stands is over; metres a second, NaN where that is not seen. */
static double belt_of(const snw__gait_line *line, const snw_stride *stride, snw_vec3 way)
{
    double stance = fmin(stride->foot_off, stride->opposite_strike) * stride->time;
    double first = stride->start + SNW__FEW * stance, last = stride->start + SNW__HALF * stance;
    snw_vec3 from, to;
    if (!heel_at(line, first, (int)stride->side, &from) ||
        !heel_at(line, last, (int)stride->side, &to))
        return NAN;
    double belt = snw_vec3_dot(snw_vec3_sub(from, to), way) / (last - first);
    return fabs(belt) * stride->time < STRIDE_SHORTEST ? 0 : belt; /* who marches creeps */
}

static void measure_lengths(const snw__gait_line *line, snw_stride *stride)
{
    snw_vec3 from, to, beside;
    stride->belt = 0;
    stride->length = stride->speed = stride->step_length = stride->step_width = NAN;
    if (!heel_at(line, stride->start, (int)stride->side, &from) ||
        !heel_at(line, stride->end, (int)stride->side, &to))
        return;
    snw_vec3 way =
        line->is_straight
            ? line->forward
            : snw__gait_way(line, (int)(0.5 * (stride->start + stride->end) * line->trial->rate));
    if (line->is_on_spot) stride->belt = belt_of(line, stride, way);
    stride->length = snw_vec3_dot(snw_vec3_sub(to, from), way) + stride->belt * stride->time;
    stride->speed = stride->length / stride->time;
    double other_strike = stride->start + stride->opposite_strike * stride->time;
    if (!heel_at(line, other_strike, (int)snw_side_other(stride->side), &beside)) return;
    snw_vec3 step = snw_vec3_sub(to, beside);
    stride->step_length = snw_vec3_dot(step, way) + stride->belt * (stride->end - other_strike);
    stride->step_width = fabs(snw_vec3_dot(step, snw_vec3_cross(line->up, way)));
}

/* ---- what is a stride ------------------------------------------------------------------------ */

/* X(fault, why). */
#define STRIDE_FAULT_MAP(X)                                                          \
    X(NONE, "")                                                                      \
    X(TIME, "a foot strikes again sooner than the fastest runner's")                 \
    X(ONE_FOOT, "the other foot does not strike once between two strikes of a foot") \
    X(TOGETHER, "both feet strike together, as in a jump")                           \
    X(ALTERNATE, "strikes and offs of a foot do not alternate")                      \
    X(ORDER, "the feet do not leave and strike in the order of walking or running")  \
    X(LENGTH, "the foot strikes again where it was, or farther than anybody steps")

typedef enum stride_fault {
#define STRIDE_FAULT_ENUM(fault, why) STRIDE_##fault,
    STRIDE_FAULT_MAP(STRIDE_FAULT_ENUM)
#undef STRIDE_FAULT_ENUM
    STRIDE_FAULT_COUNT
} stride_fault;

static const char *const stride_why[] = {
#define STRIDE_FAULT_WHY(fault, why) why,
    STRIDE_FAULT_MAP(STRIDE_FAULT_WHY)
#undef STRIDE_FAULT_WHY
};

static int count_inside(const snw_gait_events *events, snw_gait_event_kind kind, snw_side side,
                        const snw_stride *stride)
{
    int count = 0;
    for (int n = 0; n < events->count; n++) {
        const snw_gait_event *event = events->event + n;
        count += event->kind == kind && (event->side == side || side == SNW_SIDE_NONE) &&
                 event->time > stride->start && event->time < stride->end;
    }
    return count;
}

static bool has_foot(const snw__gait_line *line, int side)
{
    return line->markers.at[SNW_GAIT_MARKER_HEE][side] >= 0 ||
           line->markers.at[SNW_GAIT_MARKER_ANK][side] >= 0;
}

static stride_fault fault_of(const snw__gait_line *line, const snw_gait_events *events,
                             const snw_stride *stride)
{
    snw_side other = snw_side_other(stride->side);
    if (stride->time < STRIDE_TIME_MIN) return STRIDE_TIME;
    if (has_foot(line, (int)other)) {
        if (count_inside(events, SNW_FOOT_STRIKE, other, stride) != 1) return STRIDE_ONE_FOOT;
        if (fmin(stride->opposite_strike, 1 - stride->opposite_strike) < STRIDE_STEP_MIN)
            return STRIDE_TOGETHER;
    }
    /* Does anybody say when this foot leaves the floor, or strikes? A list of strikes alone is no
     * fault. */
    const snw_stride all = {.start = -INFINITY, .end = INFINITY};
    if (count_inside(events, SNW_FOOT_OFF, SNW_SIDE_NONE, &all) > 0) {
        if (count_inside(events, SNW_FOOT_OFF, stride->side, stride) != 1) return STRIDE_ALTERNATE;
        /* Who walks leaves with the other foot before it strikes; who runs, with this one. */
        bool is_run = stride->foot_off < stride->opposite_strike;
        if (has_foot(line, (int)other) && is_run && stride->opposite_off < stride->foot_off)
            return STRIDE_ORDER;
        if (has_foot(line, (int)other) && !is_run && stride->opposite_off > stride->opposite_strike)
            return STRIDE_ORDER;
    }
    bool is_measured = isfinite(stride->length) && !line->is_on_spot;
    if (is_measured && (fabs(stride->length) > STRIDE_LONGEST ||
                        (line->is_straight && stride->length < STRIDE_SHORTEST)))
        return STRIDE_LENGTH;
    return STRIDE_NONE;
}

/* What lies between strikes of a foot, of both sides, by start: how many. */
static int list_strides(const snw_gait_events *events, snw_stride *out)
{
    int count = 0;
    for (int n = 0; n < events->count; n++) {
        const snw_gait_event *strike = events->event + n;
        if (strike->kind != SNW_FOOT_STRIKE) continue;
        const snw_gait_event *next =
            next_event(events, SNW_FOOT_STRIKE, strike->side, strike->time);
        if (!next || next->time - strike->time > STRIDE_TIME_MAX) continue;
        if (out) {
            memset(out + count, 0, sizeof *out);
            out[count].side = strike->side;
            out[count].start = strike->time;
            out[count].end = next->time;
        }
        count++;
    }
    return count;
}

snw_status snw_strides_measure(const snw_trial *trial, const snw_gait_events *events,
                               const snw_allocator *allocator, snw_strides **out, snw_error *error)
{
    snw__gait_line line;
    *out = NULL;
    snw_status status = snw__gait_line_make(trial, &line, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    int count = list_strides(events, NULL);
    size_t head = (sizeof(snw_strides) + 15) / 16 * 16;
    size_t size = head + (size_t)count * sizeof(snw_stride);
    char *block = snw__allocate(&memory, size);
    if (!block) return snw__fail_memory(error, size, "strides");
    snw_strides strides = {.count = count,
                           .stride = (snw_stride *)(void *)(block + head),
                           .allocator = memory,
                           .block_size = size};
    list_strides(events, strides.stride);
    /* Keeps the strides among the candidates and says what the rest is. */
    int faults[STRIDE_FAULT_COUNT] = {0}, kept = 0, worst = STRIDE_TIME, found = strides.count;
    for (int n = 0; n < found; n++) {
        snw_stride *stride = strides.stride + n;
        snw_side other = snw_side_other(stride->side);
        double off = time_inside(events, SNW_FOOT_OFF, (int)stride->side, stride);
        double other_off = time_inside(events, SNW_FOOT_OFF, (int)other, stride);
        double other_strike = time_inside(events, SNW_FOOT_STRIKE, (int)other, stride);
        stride->time = stride->end - stride->start;
        stride->foot_off = (off - stride->start) / stride->time;
        stride->opposite_off = (other_off - stride->start) / stride->time;
        stride->opposite_strike = (other_strike - stride->start) / stride->time;
        stride->single_support = other_strike - other_off;
        stride->double_support = (other_off - stride->start) + (off - other_strike);
        stride->step_time = stride->end - other_strike;
        stride->cadence = 120 / stride->time;
        measure_lengths(&line, strides.stride + n);
        stride_fault fault = fault_of(&line, events, strides.stride + n);
        faults[fault]++;
        if (fault == STRIDE_NONE) strides.stride[kept++] = strides.stride[n];
    }
    for (int k = STRIDE_TIME; k < STRIDE_FAULT_COUNT; k++)
        if (faults[k] > faults[worst]) worst = k;
    strides.count = kept;
    strides.left_out = found - kept;
    strides.is_walk =
        found ? kept > 0 && kept >= strides.left_out : !line.is_on_spot && events->count > 0;
    if (strides.left_out)
        snw_format(strides.reason, sizeof strides.reason, "%s (%d of %d times)", stride_why[worst],
                   faults[worst], found);
    else if (!strides.is_walk)
        snw_format(strides.reason, sizeof strides.reason,
                   line.is_on_spot ? "nobody gets anywhere, and no foot strikes twice"
                                   : "no foot strikes the floor");
    if (!strides.is_walk) strides.count = 0;
    memcpy(block, &strides, sizeof strides);
    *out = (snw_strides *)(void *)block;
    return snw__succeed(error);
}

void snw_strides_destroy(snw_strides *strides)
{
    if (!strides) return;
    snw_allocator allocator = strides->allocator;
    snw__release(&allocator, strides, strides->block_size);
}

/* ---- the mean cycle ---------------------------------------------------------------------------
 */

/* Linear between two frames; at an end of the stride, where the frame beyond it may tell nothing (a
 * foot that strikes beside the plate), the one inside alone. */
static double column_at(const snw_angles *angles, int column, double time, bool is_end)
{
    double at = time * angles->rate;
    int frame = (int)floor(at);
    if (!(at >= 0) || at > angles->frame_count - 1) return NAN;
    if (frame >= angles->frame_count - 1) return snw_angles_at(angles, frame, column);
    double a = snw_angles_at(angles, frame, column), b = snw_angles_at(angles, frame + 1, column);
    if (is_end && isfinite(a) != isfinite(b)) return isfinite(a) ? a : b;
    return a + (at - frame) * (b - a);
}

void snw_cycle_mean(const snw_angles *angles, int column, const snw_strides *strides, snw_side side,
                    snw_cycle *out)
{
    double sum2[SNW_CYCLE_POINTS] = {0};
    memset(out, 0, sizeof *out);
    for (int n = 0; n < strides->count; n++) {
        const snw_stride *stride = strides->stride + n;
        double value[SNW_CYCLE_POINTS];
        bool is_whole = stride->side == side;
        for (int p = 0; p < SNW_CYCLE_POINTS && is_whole; p++) {
            double past = stride->time * p / 100, left = stride->time - past;
            bool is_end = fmin(past, left) * angles->rate < 1;
            value[p] = column_at(angles, column, stride->start + past, is_end);
            is_whole = isfinite(value[p]);
        }
        if (!is_whole) continue;
        out->count++; /* Welford: mean and sum of squares about it grow together */
        for (int p = 0; p < SNW_CYCLE_POINTS; p++) {
            double change = value[p] - out->mean[p];
            out->mean[p] += change / out->count;
            sum2[p] += change * (value[p] - out->mean[p]);
        }
    }
    for (int p = 0; p < SNW_CYCLE_POINTS && out->count > 1; p++)
        out->deviation[p] = sqrt(sum2[p] / (out->count - 1));
}
