/* When feet touch and leave the floor.
 *
 * Markers: Zeni, Richards and Higginson (2008), "Two simple methods for determining gait events
 * during treadmill and overground walking using kinematic data": a foot strikes when its heel is
 * farthest before the sacrum, and leaves when its toe is farthest behind. Ghoussayni et al. (2004),
 * "Assessment and validation of a simple automated method for the detection of gait events": it
 * strikes when the heel, and leaves when the toe, crosses a threshold of speed in the plane of
 * progression. On six captures with events of other programs strikes are 16 ms (median) off by
 * speed and 35 by place, offs 46 by speed and 11 by place: hence BOTH. All look at the markers
 * after a zero-lag low pass of EVENT_CUTOFF; nothing else is filtered. Plates: the vertical force
 * crosses a threshold. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "measure/gait_events.h"
#include "measure/measure_constants.h"

#include <sinew/filter.h>

static const char *const event_method_names[] = {
#define EVENT_METHOD_NAME(enumerator, name, text) name,
    SNW_EVENT_METHOD_MAP(EVENT_METHOD_NAME)
#undef EVENT_METHOD_NAME
};

const char *snw_event_method_name(snw_event_method method)
{
    bool is_one = method >= 0 && method < SNW_EVENT_METHOD_COUNT;
    return is_one ? event_method_names[method] : "";
}

int snw_event_method_find(const char *name)
{
    int n = 0;
    while (n < SNW_EVENT_METHOD_COUNT && strcmp(name, event_method_names[n]) != 0)
        n++;
    return n < SNW_EVENT_METHOD_COUNT ? n : -1;
}

snw_event_options snw_event_options_default(void)
{
    snw_event_options options = {.method = SNW_EVENTS_BY_BOTH,
                                 .uses_plates = true,
                                 .speed_threshold = 0.5,
                                 .force_threshold = 20};
    return options;
}

/* ---- peaks ----------------------------------------------------------------------------------- */

/* How far one has to come down from the peak on both sides before going higher again. */
static double prominence_at(const double *line, int first, int last, int peak)
{
    double drop[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        int step = side ? 1 : -1;
        for (int n = peak; n >= first && n <= last && !(line[n] > line[peak]); n += step)
            drop[side] = fmax(drop[side], line[peak] - line[n]);
    }
    return fmin(drop[0], drop[1]);
}

/* ---- markers --------------------------------------------------------------------------------- */

typedef struct event_job {
    snw__gait_line line;
    const snw_event_options *options;
    double *value; /* (frame_count) */
    double *other; /* (frame_count) */
    snw__gait_list list;
} event_job;

/* Calls `use` for every piece of frames in which the value is known and that is long enough to be
 * filtered, after the low pass. */
static void each_piece(event_job *job, double *value,
                       void (*use)(event_job *job, int first, int last, snw_gait_event *like),
                       snw_gait_event *like)
{
    int frames = job->line.trial->frame_count;
    for (int from = 0; from < frames;) {
        int to = from;
        while (to < frames && isfinite(value[to]))
            to++;
        if (to - from > 12) {
            snw_butterworth filter = snw_butterworth_make(EVENT_CUTOFF, job->line.trial->rate, 2);
            snw_filter_zero_lag(&filter, value + from, to - from);
            use(job, from, to - 1, like);
        }
        from = to + 1;
    }
}

static void use_peaks(event_job *job, int first, int last, snw_gait_event *like)
{
    /* Peaks of a piece without gaps. */
    double low = job->value[first], high = job->value[first];
    for (int n = first; n <= last; n++) {
        low = fmin(low, job->value[n]);
        high = fmax(high, job->value[n]);
    }
    if (high - low < STRIDE_SHORTEST) return;
    for (int n = first + 1; n < last; n++) {
        if (!(job->value[n] > job->value[n - 1]) || job->value[n] < job->value[n + 1]) continue;
        if (prominence_at(job->value, first, last, n) < EVENT_PROMINENCE * (high - low)) continue;
        /* Where between the frames a parabola through three samples has its top. */
        double below = job->value[n - 1], above = job->value[n + 1],
               bend = below - 2 * job->value[n] + above;
        snw__gait_list_add(&job->list, like->kind, (int)like->side, like->source,
                           (bend < 0 ? n + 0.5 * (below - above) / bend : n) /
                               job->line.trial->rate);
    }
}

static void find_by_place(event_job *job, int side, snw_gait_event_kind kind)
{
    snw_gait_event like = {kind, (snw_side)side, SNW_EVENT_FROM_MARKERS, 0};
    bool is_strike = kind == SNW_FOOT_STRIKE;
    for (int f = 0; f < job->line.trial->frame_count; f++) {
        double ahead = snw__gait_ahead(&job->line, f, side, is_strike);
        job->value[f] = is_strike ? ahead : -ahead;
    }
    each_piece(job, job->value, use_peaks, &like);
}

/* The speed in the plane of progression from filtered coordinates. */
static double plane_speed(const event_job *job, int f)
{
    double along = job->value[f + 1] - job->value[f - 1];
    double up = job->other[f + 1] - job->other[f - 1];
    return 0.5 * job->line.trial->rate * sqrt(along * along + up * up);
}

/* The frame behind which the speed last crossed the limit, going back from f; the time between. */
static double crossing_before(const event_job *job, int first, int f, double limit)
{
    while (f > first + 2 && (plane_speed(job, f - 1) < limit) == (plane_speed(job, f) < limit))
        f--;
    double before = plane_speed(job, f - 1), here = plane_speed(job, f);
    double share = before != here ? (limit - before) / (here - before) : 0;
    return (f - 1 + snw_clamp(share, 0, 1)) / job->line.trial->rate;
}

/* A foot swings once it is faster than EVENT_SWING thresholds. It has left the floor at the last
 * crossing before that, and strikes at the first one after. value is filtered (each_piece), the
 * height beside it here. */
static void use_speeds(event_job *job, int first, int last, snw_gait_event *like)
{
    double limit = job->options->speed_threshold, swing = EVENT_SWING * limit;
    snw_butterworth filter = snw_butterworth_make(EVENT_CUTOFF, job->line.trial->rate, 2);
    bool is_swing = false, has_stood = false, is_off = like->kind == SNW_FOOT_OFF;
    double off = job->options->method == SNW_EVENTS_BY_BOTH ? EVENT_OFF_SPEED * limit : limit;
    snw_filter_zero_lag(&filter, job->other + first, last - first + 1);
    for (int f = first + 2; f < last; f++) {
        double speed = plane_speed(job, f);
        bool has_left = is_off && !is_swing && speed > fmax(swing, off);
        if (has_left && has_stood)
            snw__gait_list_add(&job->list, like->kind, (int)like->side, like->source,
                               crossing_before(job, first, f, off));
        if (!is_off && is_swing && speed < limit)
            snw__gait_list_add(&job->list, like->kind, (int)like->side, like->source,
                               crossing_before(job, first, f, limit));
        if (speed > fmax(swing, is_off ? off : 0)) is_swing = true;
        if (speed < limit) {
            is_swing = false;
            has_stood = true;
        }
    }
}

static void find_by_speed(event_job *job, int side, snw_gait_event_kind kind)
{
    snw_gait_event like = {kind, (snw_side)side, SNW_EVENT_FROM_MARKERS, 0};
    for (int f = 0; f < job->line.trial->frame_count; f++) {
        snw_vec3 at;
        bool is_seen = snw__gait_foot(&job->line, f, side, kind == SNW_FOOT_STRIKE, &at);
        job->value[f] = is_seen ? snw_vec3_dot(at, job->line.forward) : NAN;
        job->other[f] = is_seen ? snw_vec3_dot(at, job->line.up) : NAN;
    }
    each_piece(job, job->value, use_speeds, &like);
}

/* ---- all together ---------------------------------------------------------------------------- */

static void find_all(event_job *job, snw_notes *notes)
{
    for (int side = 0; side < SNW_SIDES; side++) {
        snw_event_method method = job->options->method;
        if (method == SNW_EVENTS_BY_BOTH && job->line.is_on_spot) method = SNW_EVENTS_BY_ZENI;
        if (method == SNW_EVENTS_BY_ZENI) {
            find_by_place(job, side, SNW_FOOT_STRIKE);
            find_by_place(job, side, SNW_FOOT_OFF);
            continue;
        }
        find_by_speed(job, side, SNW_FOOT_STRIKE);
        if (method == SNW_EVENTS_BY_BOTH) {
            /* Offs by place; where an end of the trial cuts the swing, so that there is no farthest
             * place, by speed. */
            snw__gait_list *list = &job->list;
            find_by_place(job, side, SNW_FOOT_OFF);
            int by_place = list->count, kept = by_place;
            find_by_speed(job, side, SNW_FOOT_OFF);
            for (int n = by_place; n < list->count; n++) {
                bool is_again = false;
                for (int k = 0; k < by_place; k++)
                    is_again |= list->event[k].kind == SNW_FOOT_OFF &&
                                list->event[k].side == (snw_side)side &&
                                fabs(list->event[k].time - list->event[n].time) < EVENT_SAME;
                if (!is_again) list->event[kept++] = list->event[n];
            }
            list->count = kept;
        } else
            find_by_speed(job, side, SNW_FOOT_OFF);
    }
    if (!job->options->uses_plates || job->line.trial->analog_per_frame < 1) return;
    int from_plates =
        snw__gait_plates_find(&job->line, job->options->force_threshold, &job->list, notes);
    if (from_plates > 0)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "%d %s from the force plates, above %g N", from_plates,
                  snw__plural(from_plates, "event comes", "events come"),
                  job->options->force_threshold);
    snw__gait_plates_prefer(&job->list);
}

snw_status snw_gait_events_find(const snw_trial *trial, const snw_event_options *options,
                                const snw_allocator *allocator, snw_gait_events **out,
                                snw_notes *notes, snw_error *error)
{
    snw_event_options normal = snw_event_options_default();
    event_job job;
    *out = NULL;
    memset(&job, 0, sizeof job);
    job.options = SNW__WANTS_DEFAULTS(options) ? &normal : options;
    const snw__bounds bounds[] = {
        {"method of the events", job.options->method, 0, SNW_EVENT_METHOD_COUNT - 1},
        {"speed_threshold", job.options->speed_threshold, 0, 1e6},
        {"force_threshold", job.options->force_threshold, 0, 1e9}};
    snw_status status = snw__check_bounds(bounds, 3, error);
    if (status == SNW_OK) status = snw__gait_line_make(trial, &job.line, error);
    if (status != SNW_OK) return status;
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t frames = (size_t)trial->frame_count;
    job.list.room = 64 + 8 * (int)(trial->frame_count / fmax(trial->rate, 1) / EVENT_TIME_MIN);
    size_t events = snw__size_mul((size_t)job.list.room, sizeof(snw_gait_event));
    size_t size = snw__size_mul(2 * frames, sizeof(double)) + events;
    double *work = snw__allocate(&memory, size);
    if (!work) return snw__fail_memory(error, size, "gait events");
    job.value = work;
    job.other = work + frames;
    job.list.event = (snw_gait_event *)(void *)(work + 2 * frames);
    find_all(&job, notes);
    snw__gait_list_sort(&job.list);
    status = snw__gait_list_keep(&job.list, allocator, out, error);
    snw__release(&memory, work, size);
    return status;
}
