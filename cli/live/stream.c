/* All sources on one clock. Each is read by a thread of its own. A frame of the first one makes a
 * frame of the stream, which takes the newest of every other source with it; what is older than
 * STREAM_STALE_US is hidden. Losses, restarts, other names and what the clock does are counted
 * here, the same way for every protocol. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"

#define STREAM_STALE_US 2.5e5
#define STREAM_WINDOW_S 1.0 /* of clocks */

enum {
    STREAM_SETTLE = 9,   /* frames that tell names and rate */
    STREAM_LATE_ROW = 10 /* late frames in a row: the source began again */
};

typedef struct live_reading {
    live_stream *stream;
    live_source *source;
    pthread_t thread;
    bool is_running, has_pending, has_said_names, has_said_rate;
    int first, count;              /* its markers among the stream's */
    int guess[LIVE_POINTS_MAX];    /* where the nth point of the last packet went */
    char (*name)[SNW_PACKET_NAME]; /* (count) */
    int64_t number, last_number;
    int late_row;
    double begun, shift, last_time; /* seconds of the source's clock */
    /* others than the first: the newest frame */
    live_box box;
    live_frame kept[3];
    /* clock; window: the smallest offset between coming and the source's time */
    double window_end, window_least, least, since_us, first_us;
    int64_t window_frames;
    double sum[5]; /* of the windows: 1, t, t^2, o, t o */
    live_times jitter;
    live_clock clock; /* of the reader's thread */
    pthread_mutex_t lock;
    live_clock told; /* a copy, once a window */
} live_reading;

/* ---- frames
 * --------------------------------------------------------------------------------------
 */

bool live_frame_make(live_frame *frame, int point_count, int marker_count)
{
    *frame = (live_frame){.sample = calloc((size_t)point_count + 1, sizeof *frame->sample),
                          .state = calloc((size_t)point_count + 1, 1),
                          .rotation = calloc((size_t)marker_count + 1, sizeof *frame->rotation)};
    return frame->sample && frame->state && frame->rotation;
}

void live_frame_free(live_frame *frame)
{
    free(frame->sample);
    free(frame->state);
    free(frame->rotation);
}

snw_frame live_stream_look(const live_stream *stream, const live_frame *frame)
{
    return (snw_frame){.marker_count = stream->point_count,
                       .time = frame->time,
                       .metres_per_unit = 1,
                       .residual_scale = 1,
                       .sample = frame->sample,
                       .state = frame->state};
}

static void set_point(live_frame *frame, int slot, const snw_packet_point *point)
{
    frame->state[slot] = point->is_seen ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
    frame->sample[slot] = (snw_sample){(float)point->place.x, (float)point->place.y,
                                       (float)point->place.z, point->is_seen ? 0 : -1};
}

/* The marker of that name among those of the source; -1: it has none. */
static int find_slot(live_reading *r, int n, const char *name)
{
    if (r->guess[n] < r->count && strcmp(r->name[r->guess[n]], name) == 0) return r->guess[n];
    for (int k = 0; k < r->count; k++)
        if (strcmp(r->name[k], name) == 0) return r->guess[n] = k;
    return -1;
}

/* The packet's points into a frame; of the first source loose ones too. */
static void place_points(live_reading *r, live_frame *frame, int first, bool has_loose)
{
    const snw_packet_frame *packet = &r->source->packet;
    live_stream *stream = r->stream;
    int unknown = 0;
    for (int k = 0; k < r->count; k++)
        frame->state[first + k] = SNW_SAMPLE_MISSING;
    if (has_loose) frame->loose_count = 0;
    for (int n = 0; n < packet->count; n++) {
        const snw_packet_point *point = &packet->point[n];
        int slot = point->name[0] ? find_slot(r, n, point->name) : -1;
        if (slot >= 0) {
            set_point(frame, first + slot, point);
            frame->rotation[first + slot] = point->rotation;
        } else if (!point->name[0] && has_loose && frame->loose_count < stream->loose_room) {
            set_point(frame, stream->marker_count + frame->loose_count++, point);
        }
        unknown += slot < 0 && point->name[0] != 0;
    }
    for (int k = has_loose ? frame->loose_count : stream->loose_room; k < stream->loose_room; k++)
        frame->state[stream->marker_count + k] = SNW_SAMPLE_MISSING;
    if (unknown > 0 && !r->has_said_names) {
        cli_note(r->source->arguments,
                 "%s %s: %d markers have other names than at the start and are not followed",
                 r->source->protocol, r->source->address, unknown);
        r->clock.renamed++;
    }
    r->has_said_names = unknown > 0;
}

/* ---- clocks
 * --------------------------------------------------------------------------------------
 */

static void end_window(live_reading *r, double time)
{
    double t = time, o = r->window_least;
    const double add[5] = {1, t, t * t, o, t * o};
    for (int k = 0; k < 5; k++)
        r->sum[k] += add[k];
    double spread = r->sum[0] * r->sum[2] - r->sum[1] * r->sum[1];
    /* The first windows tell the network's mood more than the clock's. */
    r->clock.drift =
        r->sum[0] >= 10 ? (r->sum[0] * r->sum[4] - r->sum[1] * r->sum[3]) / spread : NAN;
    r->clock.jitter_us = live_times_quantile(&r->jitter, 0.95);
    double seconds = 1e-6 * (r->source->received_us - r->since_us);
    r->clock.rate = seconds > 0 ? (double)r->window_frames / seconds : 0;
    r->least = r->window_least;
    r->window_least = INFINITY;
    r->window_end = time + STREAM_WINDOW_S;
    r->since_us = r->source->received_us;
    r->window_frames = 0;
    double expected = r->stream->rate;
    bool is_other =
        expected > 0 && (r->clock.rate > 1.5 * expected || r->clock.rate < expected / 2);
    if (is_other && !r->has_said_rate && !r->source->is_patient && r->sum[0] >= 2)
        cli_note(r->source->arguments, "%s %s: frames come at %.0f Hz, not %.0f",
                 r->source->protocol, r->source->address, r->clock.rate, expected);
    r->has_said_rate = is_other;
    (void)pthread_mutex_lock(&r->lock);
    r->told = r->clock;
    (void)pthread_mutex_unlock(&r->lock);
}

/* Microseconds between the source's time and ours: the least of a window is the way that nothing
 * held up. */
static void watch_clock(live_reading *r, double time)
{
    double offset = r->source->received_us - r->first_us - 1e6 * time;
    if (r->window_end == 0) {
        r->window_least = INFINITY;
        r->least = offset;
        r->window_end = time + STREAM_WINDOW_S;
        r->since_us = r->source->received_us;
    }
    if (offset < r->window_least) r->window_least = offset;
    if (offset < r->least) r->least = offset;
    live_times_add(&r->jitter, offset - r->least);
    r->window_frames++;
    if (time >= r->window_end) end_window(r, time);
}

live_clock live_stream_clock(const live_stream *stream, int source)
{
    live_reading *r = &stream->reading[source];
    (void)pthread_mutex_lock(&r->lock);
    live_clock clock = r->told;
    (void)pthread_mutex_unlock(&r->lock);
    return clock;
}

/* ---- order
 * ---------------------------------------------------------------------------------------
 */

static void begin_again(live_reading *r)
{
    cli_note(r->source->arguments, "%s %s: the source began again at frame %lld",
             r->source->protocol, r->source->address, (long long)r->source->packet.number);
    r->clock.restarts++;
    r->window_end = 0;
    memset(r->sum, 0, sizeof r->sum);
}

/* Its number among those that came; false: it is late, its time is over. */
static bool keep_order(live_reading *r)
{
    int64_t number = r->source->packet.number;
    if (number < 0) return true;
    int64_t step = r->clock.frames > 0 ? number - r->last_number : 1;
    if (step <= 0) {
        bool is_restart = (double)-step > r->stream->rate || ++r->late_row >= STREAM_LATE_ROW;
        if (!is_restart) {
            r->clock.late++;
            return false;
        }
        begin_again(r);
        step = 1;
    }
    r->late_row = 0;
    r->clock.lost += step - 1;
    r->last_number = number;
    return true;
}

/* Seconds from the first frame, on a clock that never goes back. */
static double time_of(live_reading *r)
{
    double own = r->source->packet.time;
    double now = 1e-6 * (r->source->received_us - r->first_us);
    if (!isfinite(own)) return now;
    if (r->clock.frames == 0) r->begun = own;
    double time = own - r->begun + r->shift;
    if (r->clock.frames > 0 && (time < r->last_time || time > r->last_time + 60)) {
        r->shift += r->last_time + 1 / r->stream->rate - time;
        time = r->last_time + 1 / r->stream->rate;
    }
    return time;
}

/* ---- threads
 * -------------------------------------------------------------------------------------
 */

static void add_others(live_stream *stream, live_frame *frame)
{
    for (int s = 1; s < stream->source_count; s++) {
        live_reading *r = &stream->reading[s];
        (void)live_box_take(&r->box);
        const live_frame *newest = &r->kept[r->box.front];
        bool is_old = frame->received_us - newest->received_us > STREAM_STALE_US;
        for (int k = 0; k < r->count; k++) {
            frame->sample[r->first + k] = newest->sample[k];
            frame->rotation[r->first + k] = newest->rotation[k];
            frame->state[r->first + k] = is_old ? SNW_SAMPLE_MISSING : newest->state[k];
        }
    }
}

static void deliver(live_reading *r)
{
    live_stream *stream = r->stream;
    if (r->clock.frames == 0) r->first_us = r->source->received_us;
    if (!keep_order(r)) return;
    double time = time_of(r);
    watch_clock(r, time);
    r->last_time = time;
    r->clock.frames++;
    if (r != stream->reading) {
        live_frame *frame = &r->kept[r->box.back];
        place_points(r, frame, 0, false);
        frame->received_us = r->source->received_us;
        live_box_put(&r->box);
        return;
    }
    int place = stream->is_patient ? live_queue_wait_place(&stream->frames)
                                   : live_queue_place(&stream->frames);
    live_frame *frame = &stream->frame[place >= 0 ? place : stream->queue_room];
    place_points(r, frame, 0, true);
    frame->number = r->number++;
    frame->time = time;
    frame->received_us = r->source->received_us;
    add_others(stream, frame);
    if (stream->recorder) live_record(stream->recorder, frame);
    if (place >= 0)
        live_queue_put(&stream->frames);
    else if (!live_is_stopped())
        atomic_fetch_add(&stream->skipped, 1);
}

static void *read_source(void *context)
{
    live_reading *r = context;
    if (r->has_pending) deliver(r);
    for (;;) {
        live_news news = r->source->next(r->source);
        if (news == LIVE_FRAME) deliver(r);
        if (news == LIVE_END || news == LIVE_FAILED) break;
    }
    (void)pthread_mutex_lock(&r->lock);
    if (r->clock.rate == 0 && r->last_time > 0)
        r->clock.rate = (double)r->clock.frames / r->last_time;
    r->told = r->clock;
    (void)pthread_mutex_unlock(&r->lock);
    if (r == r->stream->reading) live_queue_close(&r->stream->frames);
    return NULL;
}

/* ---- names and rate
 * ------------------------------------------------------------------------------
 */

static bool add_names(live_reading *r)
{
    const snw_packet_frame *packet = &r->source->packet;
    for (int n = 0; n < packet->count; n++) {
        const char *name = packet->point[n].name;
        if (!name[0] || find_slot(r, n, name) >= 0) continue;
        void *more = realloc(r->name, (size_t)(r->count + 1) * sizeof *r->name);
        if (!more) return false;
        r->name = more;
        memcpy(r->name[r->count++], name, SNW_PACKET_NAME);
    }
    return true;
}

/* Until names and rate are known. */
static bool settle(live_reading *r, double patience, double *rate, int *loose)
{
    live_source *source = r->source;
    double begun = cli_microseconds(), first = NAN, first_us = 0;
    int frames = 0;
    *loose = 0;
    while (cli_microseconds() - begun < 1e6 * patience) {
        live_news news = source->next(source);
        if (news == LIVE_END || news == LIVE_FAILED) {
            (void)cli_fail(source->arguments, "%s %s ended before a frame came", source->protocol,
                           source->address);
            return false;
        }
        if (news != LIVE_FRAME) continue;
        if (!add_names(r)) return cli_fail(source->arguments, "no memory for names") == CLI_DONE;
        int nameless = 0;
        for (int n = 0; n < source->packet.count; n++)
            nameless += !source->packet.point[n].name[0];
        if (nameless > *loose) *loose = nameless;
        double time =
            isfinite(source->packet.time) ? source->packet.time : 1e-6 * source->received_us;
        if (frames++ == 0) first = time, first_us = source->received_us;
        *rate = source->packet.rate > 0 ? source->packet.rate
                : time > first          ? (frames - 1) / (time - first)
                                        : 0;
        /* Trackers come one by one. */
        bool is_long =
            source->received_us - first_us > 3e5 || !source->has_trackers || source->is_patient;
        bool is_told = source->packet.rate > 0 || frames >= STREAM_SETTLE;
        if (*rate > 0 && is_told && is_long && (r->count > 0 || *loose > 0)) return true;
        if (source->is_patient && source->packet.rate <= 0)
            return cli_fail(source->arguments, "%s: the first frame must say its \"rate\"",
                            source->protocol) == CLI_DONE;
        if (source->is_patient && r->count == 0 && *loose == 0)
            return cli_fail(source->arguments, "%s %s: the first frame has no points",
                            source->protocol, source->address) == CLI_DONE;
    }
    (void)cli_fail(source->arguments, "%s %s: %s within %.3g s", source->protocol, source->address,
                   frames == 0 ? "nobody answers with a frame" : "no frames with points come",
                   patience);
    return false;
}

/* ---- opening
 * -------------------------------------------------------------------------------------
 */

static const struct {
    const char *option;
    live_source *(*open)(const cli_arguments *arguments, const char *value);
} protocols[] = {{"--natnet", live_open_natnet}, {"--qtm", live_open_qtm},
                 {"--vrpn", live_open_vrpn},     {"--vmc-in", live_open_vmc},
                 {"--ws", live_open_websocket},  {"--stdin", live_open_stdin},
                 {"--replay", live_open_replay}};

/* In the order of the command line: the first one's frames set the pace. */
static bool open_sources(live_stream *stream)
{
    const cli_arguments *arguments = stream->arguments;
    for (int n = 0; n < arguments->given_count; n++)
        for (size_t k = 0; k < sizeof protocols / sizeof *protocols; k++) {
            if (strcmp(arguments->given[n].option->name, protocols[k].option) != 0) continue;
            if (stream->source_count == LIVE_SOURCES_MAX)
                return cli_misuse(arguments, "%d sources are the most", LIVE_SOURCES_MAX) ==
                       CLI_DONE;
            live_source *source = protocols[k].open(arguments, arguments->given[n].value);
            if (!source) return false;
            stream->source[stream->source_count++] = source;
        }
    if (stream->source_count > 0) return true;
    return cli_misuse(arguments, "one source is needed: --natnet, --qtm, --vrpn, --vmc-in, --ws, "
                                 "--stdin, --replay, or --simulate") == CLI_DONE;
}

/* All names in one list; the same name in two sources is two markers. */
static bool list_names(live_stream *stream)
{
    const char **names = calloc((size_t)stream->marker_count + 1, sizeof *names);
    if (!names) return cli_fail(stream->arguments, "no memory for names") == CLI_DONE;
    stream->names = (snw_name_list){names, stream->marker_count};
    for (int s = 0; s < stream->source_count; s++) {
        live_reading *r = &stream->reading[s];
        for (int k = 0; k < r->count; k++)
            names[r->first + k] = r->name[k];
    }
    return true;
}

static bool open_readings(live_stream *stream)
{
    double patience = 5, rate = 0;
    int loose = 0;
    if (!cli_number(stream->arguments, "--wait", 0.1, 3600, &patience)) return false;
    stream->is_patient = true;
    for (int s = 0; s < stream->source_count; s++) {
        live_reading *r = &stream->reading[s];
        r->stream = stream;
        r->source = stream->source[s];
        r->told.drift = NAN;
        (void)pthread_mutex_init(&r->lock, NULL);
        live_box_open(&r->box);
        if (!settle(r, patience, &rate, &loose)) return false;
        r->has_pending = r->source->is_patient;
        r->first = stream->marker_count;
        stream->marker_count += r->count;
        stream->is_patient &= r->source->is_patient;
        stream->has_trackers |= r->source->has_trackers;
        if (stream->up == SNW_UP_UNKNOWN) stream->up = r->source->packet.up;
        for (int k = 0; k < r->source->packet.count; k++)
            stream->has_trackers |= r->source->packet.point[k].has_rotation;
        if (s > 0) continue;
        stream->rate = rate;
        /* Reflections, and people who come in later, are loose ones too. */
        stream->loose_room = loose > 0 ? 2 * loose + 32 : 0;
        if (stream->loose_room > LIVE_POINTS_MAX) stream->loose_room = LIVE_POINTS_MAX;
    }
    stream->point_count = stream->marker_count + stream->loose_room;
    return list_names(stream);
}

static bool make_frames(live_stream *stream)
{
    stream->queue_room = stream->is_patient ? LIVE_QUEUE_PATIENT : LIVE_QUEUE;
    stream->frame = calloc((size_t)stream->queue_room + 1, sizeof *stream->frame);
    bool is_made = stream->frame && live_queue_open(&stream->frames, (unsigned)stream->queue_room);
    for (int n = 0; n <= stream->queue_room && is_made; n++)
        is_made = live_frame_make(&stream->frame[n], stream->point_count, stream->marker_count);
    for (int s = 1; s < stream->source_count && is_made; s++)
        for (int k = 0; k < 3 && is_made; k++)
            is_made = live_frame_make(&stream->reading[s].kept[k], stream->reading[s].count,
                                      stream->reading[s].count);
    return is_made || cli_fail(stream->arguments, "no memory for frames") == CLI_DONE;
}

live_stream *live_stream_open(const cli_arguments *arguments)
{
    live_stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        (void)cli_fail(arguments, "no memory for a stream");
        return NULL;
    }
    stream->arguments = arguments;
    stream->reading = calloc(LIVE_SOURCES_MAX, sizeof *stream->reading);
    bool is_open = stream->reading != NULL && open_sources(stream) && open_readings(stream) &&
                   make_frames(stream);
    if (is_open && cli_flag(arguments, "--up"))
        is_open = cli_parse_up(arguments, "--up", &stream->up);
    if (is_open) return stream;
    if (!stream->reading) (void)cli_fail(arguments, "no memory for a stream");
    live_stream_close(stream);
    return NULL;
}

bool live_stream_start(live_stream *stream)
{
    for (int s = stream->source_count - 1; s >= 0; s--) {
        live_reading *r = &stream->reading[s];
        if (pthread_create(&r->thread, NULL, read_source, r) != 0) {
            live_stop();
            return cli_fail(stream->arguments, "no thread for %s", r->source->protocol) == CLI_DONE;
        }
        r->is_running = true;
    }
    return true;
}

void live_stream_join(live_stream *stream)
{
    for (int s = 0; s < stream->source_count; s++) {
        if (stream->reading[s].is_running) (void)pthread_join(stream->reading[s].thread, NULL);
        stream->reading[s].is_running = false;
    }
}

void live_stream_close(live_stream *stream)
{
    if (!stream) return;
    live_stop();
    live_stream_join(stream);
    for (int s = 0; s < stream->source_count; s++) {
        live_reading *r = &stream->reading[s];
        stream->source[s]->close(stream->source[s]);
        free(r->name);
        for (int k = 0; k < 3; k++)
            live_frame_free(&r->kept[k]);
    }
    for (int n = 0; n <= stream->queue_room && stream->frame; n++)
        live_frame_free(&stream->frame[n]);
    live_queue_destroy(&stream->frames);
    free(stream->frame);
    free((void *)stream->names.name);
    free(stream->reading);
    free(stream);
}
