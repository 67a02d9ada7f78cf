/* When feet touch and leave the floor: from markers, from force plates, from the file.
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
#include "measure/gait_line.h"

#include <sinew/filter.h>
#include <sinew/force.h>

/* Constants.
 *     EVENT_CUTOFF       Hz; Zeni et al. use 6: walking has nothing above (Winter 2009, 3.4.3)
 *     EVENT_PROMINENCE   of the range of the signal: a step is at least so much of the longest;
 * half steps at the start of a walk are above, wobble in standing is below EVENT_RANGE_MIN metres;
 * the heel of a walking person swings by more EVENT_PLATE_NEAR   seconds; an event of a plate
 * replaces one of the markers this near EVENT_PLATE_SHORT  seconds; a load of less is no step
 *     EVENT_FOOT_NEAR    metres from the centre of pressure to the foot that made it */
#define EVENT_CUTOFF      7.0
#define EVENT_PROMINENCE  0.3
#define EVENT_RANGE_MIN   0.1
#define EVENT_SWING       2.0
#define EVENT_OFF_SPEED   3.0
#define EVENT_PLATE_NEAR  0.12
#define EVENT_PLATE_SHORT 0.1
#define EVENT_FOOT_NEAR   0.25

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

/* ---- a list that grows ----------------------------------------------------------------------- */

/* A step takes two events a foot and longer than this, seconds; more are not walking. */
#define EVENT_TIME_MIN 0.15

typedef struct event_list {
    snw_gait_event *event;
    int count, room;
} event_list;

static void add_event(event_list *list, snw_gait_event_kind kind, int side,
                      snw_gait_event_source source, double time)
{
    if (list->count >= list->room) return;
    snw_gait_event event = {kind, side, source, time};
    list->event[list->count++] = event;
}

static void sort_events(event_list *list)
{
    for (int n = 1; n < list->count; n++)
        for (int k = n; k > 0 && list->event[k].time < list->event[k - 1].time; k--) {
            snw_gait_event swap = list->event[k];
            list->event[k] = list->event[k - 1];
            list->event[k - 1] = swap;
        }
}

static snw_status keep_list(const event_list *list, const snw_allocator *allocator,
                            snw_gait_events **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    size_t head = (sizeof(snw_gait_events) + 15) / 16 * 16;
    size_t size = head + (size_t)list->count * sizeof(snw_gait_event);
    char *block = snw__allocate(&memory, size);
    if (!block) return snw__fail_memory(error, size, "gait events");
    snw_gait_events events = {list->count, (snw_gait_event *)(void *)(block + head), memory, size};
    if (list->count) memcpy(events.event, list->event, (size_t)list->count * sizeof *list->event);
    memcpy(block, &events, sizeof events);
    *out = (snw_gait_events *)(void *)block;
    return snw__succeed(error);
}

void snw_gait_events_destroy(snw_gait_events *events)
{
    if (!events) return;
    snw_allocator allocator = events->allocator;
    snw__release(&allocator, events, events->block_size);
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

/* Where between the frames a parabola through three samples has its top. */
static double refine_peak(const double *line, int n)
{
    double below = line[n - 1], above = line[n + 1], bend = below - 2 * line[n] + above;
    return bend < 0 ? n + 0.5 * (below - above) / bend : n;
}

/* Peaks of a piece without gaps. */
static void add_peaks(const snw__gait_line *line, const double *value, int first, int last,
                      snw_gait_event *like, event_list *list)
{
    double low = value[first], high = value[first];
    for (int n = first; n <= last; n++) {
        low = fmin(low, value[n]);
        high = fmax(high, value[n]);
    }
    if (high - low < EVENT_RANGE_MIN) return;
    for (int n = first + 1; n < last; n++) {
        if (!(value[n] > value[n - 1]) || value[n] < value[n + 1]) continue;
        if (prominence_at(value, first, last, n) < EVENT_PROMINENCE * (high - low)) continue;
        add_event(list, like->kind, like->side, like->source,
                  refine_peak(value, n) / line->trial->rate);
    }
}

/* ---- markers --------------------------------------------------------------------------------- */

typedef struct event_job {
    snw__gait_line line;
    const snw_event_options *options;
    double *value; /* (frame_count) */
    double *other; /* (frame_count) */
    event_list list;
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
    add_peaks(&job->line, job->value, first, last, like, &job->list);
}

static void find_by_place(event_job *job, int side, snw_gait_event_kind kind)
{
    snw_gait_event like = {kind, side, SNW_EVENT_FROM_MARKERS, 0};
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
            add_event(&job->list, like->kind, like->side, like->source,
                      crossing_before(job, first, f, off));
        if (!is_off && is_swing && speed < limit)
            add_event(&job->list, like->kind, like->side, like->source,
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
    snw_gait_event like = {kind, side, SNW_EVENT_FROM_MARKERS, 0};
    for (int f = 0; f < job->line.trial->frame_count; f++) {
        snw_vec3 at;
        bool is_seen = snw__gait_foot(&job->line, f, side, kind == SNW_FOOT_STRIKE, &at);
        job->value[f] = is_seen ? snw_vec3_dot(at, job->line.forward) : NAN;
        job->other[f] = is_seen ? snw_vec3_dot(at, job->line.up) : NAN;
    }
    each_piece(job, job->value, use_speeds, &like);
}

/* Offs by place; where an end of the trial cuts the swing, so that there is no farthest place, by
 * speed. */
static void find_offs(event_job *job, int side)
{
    event_list *list = &job->list;
    find_by_place(job, side, SNW_FOOT_OFF);
    int by_place = list->count, kept = by_place;
    find_by_speed(job, side, SNW_FOOT_OFF);
    for (int n = by_place; n < list->count; n++) {
        bool is_again = false;
        for (int k = 0; k < by_place; k++)
            is_again |= list->event[k].kind == SNW_FOOT_OFF && list->event[k].side == side &&
                        fabs(list->event[k].time - list->event[n].time) < 2 * EVENT_PLATE_NEAR;
        if (!is_again) list->event[kept++] = list->event[n];
    }
    list->count = kept;
}

static void find_by_markers(event_job *job, int side)
{
    snw_event_method method = job->options->method;
    if (method == SNW_EVENTS_BY_BOTH && job->line.is_on_spot) method = SNW_EVENTS_BY_ZENI;
    if (method == SNW_EVENTS_BY_ZENI) {
        find_by_place(job, side, SNW_FOOT_STRIKE);
        find_by_place(job, side, SNW_FOOT_OFF);
        return;
    }
    find_by_speed(job, side, SNW_FOOT_STRIKE);
    if (method == SNW_EVENTS_BY_BOTH)
        find_offs(job, side);
    else
        find_by_speed(job, side, SNW_FOOT_OFF);
}

/* ---- plates ---------------------------------------------------------------------------------- */

static double vertical(const event_job *job, const snw_force_plate *plate, int64_t n)
{
    const snw_trial *trial = job->line.trial;
    snw_wrench wrench = snw_force_plate_wrench(plate, trial, (int)(n / trial->analog_per_frame),
                                               (int)(n % trial->analog_per_frame));
    return snw_vec3_dot(wrench.force, job->line.up);
}

/* The least vertical force, over a tenth of a second: an unloaded plate need not read zero. */
static double plate_rest(const event_job *job, const snw_force_plate *plate)
{
    const snw_trial *trial = job->line.trial;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame;
    int64_t span = (int64_t)(0.1 * trial->rate * trial->analog_per_frame);
    double least = INFINITY;
    for (int64_t from = 0; span > 0 && from + span <= count; from += span) {
        double sum = 0;
        for (int64_t n = from; n < from + span; n++)
            sum += vertical(job, plate, n);
        least = fmin(least, sum / (double)span);
    }
    return isfinite(least) ? least : 0;
}

/* The foot that stands on the plate: its middle is nearest to the centre of pressure half way
 * through. -1: none is near, or both are. */
static int foot_on(const event_job *job, const snw_force_plate *plate, int64_t middle)
{
    const snw_trial *trial = job->line.trial;
    int frame = (int)(middle / trial->analog_per_frame), best = -1;
    snw_wrench wrench =
        snw_force_plate_wrench(plate, trial, frame, (int)(middle % trial->analog_per_frame));
    double distance[2] = {INFINITY, INFINITY};
    if (!wrench.has_center) return -1;
    for (int side = 0; side < SNW_GAIT_SIDES; side++) {
        snw_vec3 heel, toe;
        if (!snw__gait_foot(&job->line, frame, side, true, &heel) ||
            !snw__gait_foot(&job->line, frame, side, false, &toe))
            continue;
        snw_vec3 way = snw_vec3_sub(wrench.center, snw_vec3_lerp(heel, toe, 0.5));
        way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, job->line.up), job->line.up);
        distance[side] = snw_vec3_length(way);
    }
    best = distance[0] <= distance[1] ? 0 : 1;
    return distance[best] < EVENT_FOOT_NEAR ? best : -1;
}

/* One load: from sample `from` to `to`, where the plate is free again. Loads at the trial's ends
 * have only one event. */
static void add_load(event_job *job, const snw_force_plate *plate, int64_t from, int64_t to)
{
    const snw_trial *trial = job->line.trial;
    double rate = trial->rate * trial->analog_per_frame;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame;
    if ((double)(to - from) < EVENT_PLATE_SHORT * rate) return;
    int side = foot_on(job, plate, from + (to - from) / 2);
    if (side < 0) return;
    /* Two feet on one plate: the load changes hands, so only a single foot's begin and end are its
     * own. The foot at both ends must be the same one. */
    int64_t margin = (to - from) / 5;
    if (foot_on(job, plate, from + margin) != side || foot_on(job, plate, to - margin) != side)
        return;
    if (from > 0)
        add_event(&job->list, SNW_FOOT_STRIKE, side, SNW_EVENT_FROM_PLATE, (double)from / rate);
    if (to < count)
        add_event(&job->list, SNW_FOOT_OFF, side, SNW_EVENT_FROM_PLATE, (double)to / rate);
}

static void find_loads(event_job *job, const snw_force_plate *plate)
{
    const snw_trial *trial = job->line.trial;
    int64_t count = (int64_t)trial->frame_count * trial->analog_per_frame, from = -1;
    double limit = plate_rest(job, plate) + job->options->force_threshold;
    for (int64_t n = 0; n <= count; n++) {
        bool is_loaded = n < count && vertical(job, plate, n) > limit;
        if (is_loaded && from < 0) from = n;
        if (!is_loaded && from >= 0) {
            add_load(job, plate, from, n);
            from = -1;
        }
    }
}

static int find_plates(event_job *job, snw_notes *notes)
{
    int before = job->list.count;
    for (int p = 0; p < snw_force_plate_count(job->line.trial); p++) {
        snw_force_plate plate;
        snw_error error;
        if (snw_force_plate_read(job->line.trial, p, &plate, NULL, &error) == SNW_OK)
            find_loads(job, &plate);
        else
            snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE, "%s", error.message);
    }
    return job->list.count - before;
}

/* The event of a plate that this one of the markers means; NULL: none. */
static const snw_gait_event *plate_event(const event_list *list, const snw_gait_event *event)
{
    if (event->source != SNW_EVENT_FROM_MARKERS) return NULL;
    for (int n = 0; n < list->count; n++) {
        const snw_gait_event *other = list->event + n;
        if (other->source == SNW_EVENT_FROM_PLATE && other->kind == event->kind &&
            other->side == event->side && fabs(other->time - event->time) < EVENT_PLATE_NEAR)
            return other;
    }
    return NULL;
}

/* How much the markers are early, on average, where a plate tells as well; 0 unless two do: one
 * step is no mean. */
static double lag_of(const event_list *list, snw_gait_event_kind kind)
{
    double sum = 0;
    int count = 0;
    for (int n = 0; n < list->count; n++) {
        const snw_gait_event *plate = plate_event(list, list->event + n);
        if (!plate || plate->kind != kind) continue;
        sum += plate->time - list->event[n].time;
        count++;
    }
    return count > 1 ? sum / count : 0;
}

/* Events of plates take the place of those of markers nearby, and the others of the same kind are
 * moved by what those were off. */
static void prefer_plates(event_list *list)
{
    double lag[2] = {lag_of(list, SNW_FOOT_STRIKE), lag_of(list, SNW_FOOT_OFF)};
    int kept = 0;
    for (int n = 0; n < list->count; n++) {
        snw_gait_event event = list->event[n];
        if (plate_event(list, &event)) event.time = NAN;
        list->event[n] = event;
    }
    for (int n = 0; n < list->count; n++) {
        snw_gait_event event = list->event[n];
        if (isnan(event.time)) continue;
        if (event.source == SNW_EVENT_FROM_MARKERS) event.time += lag[event.kind];
        list->event[kept++] = event;
    }
    list->count = kept;
}

/* ---- all together ---------------------------------------------------------------------------- */

static void find_all(event_job *job, snw_notes *notes)
{
    for (int side = 0; side < SNW_GAIT_SIDES; side++)
        find_by_markers(job, side);
    if (!job->options->uses_plates || job->line.trial->analog_per_frame < 1) return;
    int from_plates = find_plates(job, notes);
    if (from_plates > 0)
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "%d %s from the force plates, above %g N", from_plates,
                  snw__plural(from_plates, "event comes", "events come"),
                  job->options->force_threshold);
    prefer_plates(&job->list);
}

snw_status snw_gait_events_find(const snw_trial *trial, const snw_event_options *options,
                                const snw_allocator *allocator, snw_gait_events **out,
                                snw_notes *notes, snw_error *error)
{
    snw_event_options normal = snw_event_options_default();
    event_job job;
    *out = NULL;
    memset(&job, 0, sizeof job);
    job.options = options ? options : &normal;
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
    sort_events(&job.list);
    status = keep_list(&job.list, allocator, out, error);
    snw__release(&memory, work, size);
    return status;
}

/* ---- the file's own ---------------------------------------------------------------------------
 */

/* Letters alone, in capitals: "Foot Strike" and "foot_strike" are FOOTSTRIKE. */
static void squeeze(const char *text, char out[32])
{
    size_t length = 0;
    for (; *text && length + 1 < 32; text++) {
        char c = *text;
        if (c >= 'a' && c <= 'z') c = (char)(c - 'a' + 'A');
        if (c >= 'A' && c <= 'Z') out[length++] = c;
    }
    out[length] = 0;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* The kind and side that a word says: FOOTSTRIKE, LHS, RIGHTTOEOFF. */
static bool read_word(const char *word, int *kind, int *side)
{
    static const char *const strikes[] = {"FOOTSTRIKE",     "HEELSTRIKE", "HS", "FS", "IC",
                                          "INITIALCONTACT", "FOOTON",     "ON", NULL};
    static const char *const offs[] = {"FOOTOFF", "TOEOFF", "TO", "FO", "OFF", "FOOTOUT", NULL};
    static const char *const sides[2][2] = {{"LEFT", "L"}, {"RIGHT", "R"}};
    for (int s = 0; s < 2; s++)
        for (int n = 0; n < 2; n++) {
            size_t length = strlen(sides[s][n]);
            if (strncmp(word, sides[s][n], length) != 0) continue;
            const char *rest = word + length;
            bool is_strike = is_one_of(rest, strikes), is_off = is_one_of(rest, offs);
            if (!*rest || is_strike || is_off) *side = s;
            if (is_strike || is_off) *kind = is_strike ? SNW_FOOT_STRIKE : SNW_FOOT_OFF;
        }
    if (is_one_of(word, strikes)) *kind = SNW_FOOT_STRIKE;
    if (is_one_of(word, offs)) *kind = SNW_FOOT_OFF;
    return *kind >= 0 && *side >= 0;
}

static bool read_event(const snw_event *event, int *kind, int *side)
{
    char label[32], context[32];
    *kind = *side = -1;
    squeeze(event->label, label);
    squeeze(event->context, context);
    read_word(context, kind, side);
    return read_word(label, kind, side);
}

snw_status snw_gait_events_read(const snw_trial *trial, const snw_allocator *allocator,
                                snw_gait_events **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    event_list list = {NULL, 0, trial->event_count};
    size_t size = snw__size_mul((size_t)trial->event_count, sizeof(snw_gait_event));
    *out = NULL;
    list.event = snw__allocate(&memory, size);
    if (!list.event) return snw__fail_memory(error, size, "gait events");
    double begin = trial->rate > 0 ? (trial->first_frame - 1) / trial->rate : 0;
    for (int n = 0; n < trial->event_count; n++) {
        int kind, side;
        if (!isfinite(trial->event[n].time) || !read_event(trial->event + n, &kind, &side))
            continue;
        add_event(&list, (snw_gait_event_kind)kind, side, SNW_EVENT_FROM_FILE,
                  trial->event[n].time - begin);
    }
    sort_events(&list);
    snw_status status = keep_list(&list, allocator, out, error);
    snw__release(&memory, list.event, size);
    return status;
}

snw_status snw_gait_events_store(const snw_gait_events *events, snw_trial *trial, snw_error *error)
{
    char labels[2][16] = {"Foot Strike", "Foot Off"}, contexts[2][8] = {"Left", "Right"};
    char texts[2][48] = {"The instant the heel strikes the ground",
                         "The instant the toe leaves the ground"};
    for (int n = trial->event_count - 1; n >= 0; n--) {
        int kind, side;
        if (read_event(trial->event + n, &kind, &side)) snw_trial_remove_event(trial, n);
    }
    double begin = trial->rate > 0 ? (trial->first_frame - 1) / trial->rate : 0;
    for (int n = 0; n < events->count; n++) {
        const snw_gait_event *from = events->event + n;
        snw_event event;
        char none[1] = "";
        memset(&event, 0, sizeof event);
        event.time = begin + from->time;
        event.label = labels[from->kind];
        event.context = contexts[from->side];
        event.subject = none;
        event.description = texts[from->kind];
        event.icon = from->kind == SNW_FOOT_STRIKE ? 1 : 2;
        snw_status status = snw_trial_add_event(trial, &event, error);
        if (status != SNW_OK) return status;
    }
    return snw__succeed(error);
}
