/* What sources share; and the three that need no network: stored captures, trackers of one, lines
 * on standard input. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"
#include "views/views.h"

enum {
    SOURCE_BYTES = 1 << 16 /* of a stream at first */
};

/* What the cameras saw needs to know where they stand. */
static bool read_calibration(live_source *source)
{
    const char *path = cli_value(source->arguments, "--cameras", NULL);
    if (!path) return true;
    source->cameras = cli_read_cameras(source->arguments, path);
    if (!source->cameras) return false;
    source->views = (snw_packet_views){.cameras = source->cameras, .room = LIVE_SIGHTS_MAX};
    source->views.sight = calloc(LIVE_SIGHTS_MAX, sizeof *source->views.sight);
    return source->views.sight ||
           cli_fail(source->arguments, "no memory for what cameras see") == CLI_DONE;
}

snw_status live_source_read_json(live_source *source, size_t size, snw_error *error)
{
    return snw_packet_read_views(&source->packet, source->cameras ? &source->views : NULL,
                                 (const char *)source->bytes, size, error);
}

void *live_source_make(const cli_arguments *arguments, const char *protocol, const char *address,
                       size_t size)
{
    live_source *source = calloc(1, size);
    snw_packet_point *point = calloc(LIVE_POINTS_MAX, sizeof *point);
    uint8_t *bytes = malloc(SOURCE_BYTES);
    if (!source || !point || !bytes) {
        free(source);
        free(point);
        free(bytes);
        (void)cli_fail(arguments, "no memory for a source");
        return NULL;
    }
    source->arguments = arguments;
    source->protocol = protocol;
    source->address = address ? address : "";
    source->bytes = bytes;
    source->bytes_room = SOURCE_BYTES;
    source->packet =
        (snw_packet_frame){.number = -1, .time = NAN, .room = LIVE_POINTS_MAX, .point = point};
    if (read_calibration(source)) return source;
    live_source_free(source);
    return NULL;
}

void live_source_free(live_source *source)
{
    snw_cameras_destroy(source->cameras);
    free(source->views.sight);
    free(source->packet.point);
    free(source->bytes);
    free(source);
}

int live_source_fill(live_source *source, int socket)
{
    if (source->size == source->bytes_room) {
        size_t room = 2 * source->bytes_room;
        uint8_t *more = room <= 4 * (size_t)SNW_QTM_PACKET ? realloc(source->bytes, room) : NULL;
        if (!more) return -1;
        source->bytes = more;
        source->bytes_room = room;
    }
    int ready = live_wait(socket, LIVE_WAIT_MS);
    if (ready <= 0) return 0;
    ssize_t got = read(socket, source->bytes + source->size, source->bytes_room - source->size);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got <= 0) return -1;
    source->received_us = cli_microseconds();
    source->size += (size_t)got;
    return 1;
}

void live_source_drop(live_source *source, size_t size)
{
    source->size -= size;
    memmove(source->bytes, source->bytes + size, source->size);
}

/* ---- captures as packets
 * -------------------------------------------------------------------------
 */

void live_packet_of(const snw_trial *trial, int frame, bool is_loose, snw_packet_frame *packet)
{
    int count = trial->marker_count < packet->room ? trial->marker_count : packet->room;
    packet->count = 0;
    for (int k = 0; k < count; k++) {
        /* Loose ones in an order that changes: 7 and the count may share factors, k counts. */
        int m = is_loose ? (k + 7 * frame) % count : k;
        bool is_seen = snw_trial_is_present(trial, frame, m);
        if (is_loose && !is_seen) continue;
        snw_packet_point *point = &packet->point[packet->count++];
        *point = (snw_packet_point){.rotation = snw_quat_identity(), .is_seen = is_seen};
        if (!is_loose)
            (void)snw_format(point->name, sizeof point->name, "%s", trial->marker[m].name);
        if (is_seen) point->place = snw_trial_position(trial, frame, m);
    }
}

snw_avatar_capture *live_trackers_of(const cli_arguments *arguments, const snw_trial *trial)
{
    snw_avatar_capture *capture = NULL;
    snw_error error;
    if (snw_avatar_capture_from_trial(trial, NULL, &capture, NULL, &error) == SNW_OK)
        return capture;
    (void)cli_fail(arguments, "%s", error.message);
    return NULL;
}

void live_packet_of_trackers(const snw_avatar_capture *capture, int frame, snw_packet_frame *packet)
{
    const snw_avatar_frame *from = &capture->frame[frame];
    packet->count = 0;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        bool is_ever = false;
        for (int f = 0; f < capture->frame_count && !is_ever; f++)
            is_ever = capture->frame[f].is_present[role];
        if (!is_ever) continue;
        snw_packet_point *point = &packet->point[packet->count++];
        *point = (snw_packet_point){.place = from->world_from_tracker[role].translation,
                                    .rotation = from->world_from_tracker[role].rotation,
                                    .is_seen = from->is_present[role],
                                    .has_rotation = true};
        (void)snw_format(point->name, sizeof point->name, "%s",
                         snw_avatar_role_name((snw_avatar_role)role));
        if (!point->is_seen) point->rotation = snw_quat_identity();
    }
}

/* ---- a stored capture
 * ----------------------------------------------------------------------------
 */

typedef struct replay {
    live_source source; /* the first member: one is the other */
    snw_trial *trial;
    snw_avatar_capture *trackers; /* NULL: markers */
    int frame, frame_count;
    double speed, begun_us;
    bool is_loose;
} replay;

static live_news replay_next(live_source *source)
{
    replay *r = (replay *)source;
    if (live_is_stopped() || r->frame == r->frame_count) return LIVE_END;
    if (r->frame == 0) r->begun_us = cli_microseconds();
    if (r->speed > 0)
        live_sleep_until(r->begun_us + 1e6 * r->frame / (source->packet.rate * r->speed));
    if (r->trackers)
        live_packet_of_trackers(r->trackers, r->frame, &source->packet);
    else
        live_packet_of(r->trial, r->frame, r->is_loose, &source->packet);
    source->packet.number = r->frame;
    source->packet.time = r->frame / source->packet.rate;
    source->received_us = cli_microseconds();
    r->frame++;
    return LIVE_FRAME;
}

static void replay_close(live_source *source)
{
    replay *r = (replay *)source;
    snw_avatar_capture_destroy(r->trackers);
    snw_trial_destroy(r->trial);
    live_source_free(source);
}

live_source *live_open_replay(const cli_arguments *arguments, const char *path)
{
    replay *r = live_source_make(arguments, "replay", path, sizeof *r);
    if (!r) return NULL;
    r->source.next = replay_next;
    r->source.close = replay_close;
    r->speed = 1;
    r->is_loose = cli_flag(arguments, "--loose");
    r->source.has_trackers = cli_flag(arguments, "--trackers");
    bool is_open = cli_number(arguments, "--speed", 0, 1000, &r->speed) &&
                   (r->trial = cli_read_capture(arguments, path, NULL)) != NULL;
    if (is_open && (r->trial->frame_count == 0 ||
                    (r->trial->marker_count == 0 && r->trial->rotation_count == 0)))
        is_open = cli_fail(arguments, "%s has no frames with markers", path) == CLI_DONE;
    if (is_open && r->source.has_trackers)
        is_open = (r->trackers = live_trackers_of(arguments, r->trial)) != NULL;
    if (!is_open) {
        replay_close(&r->source);
        return NULL;
    }
    r->source.is_patient = true;
    r->frame_count = r->trackers ? r->trackers->frame_count : r->trial->frame_count;
    r->source.packet.rate = r->trackers ? r->trackers->rate : r->trial->rate;
    r->source.packet.up = r->trial->up;
    if (r->trackers) r->source.packet.up = snw_up_nearest(r->trackers->up);
    return &r->source;
}

/* ---- lines on standard input
 * ---------------------------------------------------------------------
 */

static live_news stdin_next(live_source *source)
{
    for (;;) {
        uint8_t *end = source->size ? memchr(source->bytes, '\n', source->size) : NULL;
        if (end) {
            snw_error error;
            size_t line = (size_t)(end - source->bytes);
            snw_status status = live_source_read_json(source, line, &error);
            live_source_drop(source, line + 1);
            if (status == SNW_OK) return LIVE_FRAME;
            source->refused++;
            if (!source->has_complained)
                cli_note(source->arguments, "standard input: %s", error.message);
            source->has_complained = true;
            return LIVE_NOTHING;
        }
        int got = live_source_fill(source, STDIN_FILENO);
        if (live_is_stopped() || got < 0) return LIVE_END;
        if (got == 0) return LIVE_NOTHING;
    }
}

live_source *live_open_stdin(const cli_arguments *arguments, const char *nothing)
{
    live_source *source = live_source_make(arguments, "stdin", nothing, sizeof *source);
    if (!source) return NULL;
    source->next = stdin_next;
    source->close = live_source_free;
    source->is_patient = true;
    return source;
}
