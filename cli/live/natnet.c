/* A NatNet server as a source: asks who it is, which markers it has, and takes its frames. Packets
 * of other senders, and what is no NatNet, are counted and left. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"

/* The server is asked again this often, and must hear of its client. Microseconds. */
#define NATNET_ASK_US 1e6

typedef struct natnet_source {
    live_source source;
    int socket;
    struct sockaddr_in server;
    snw_natnet state;
    snw_natnet_marker marker[SNW_NATNET_MARKERS_MAX];
    char name[SNW_NATNET_MARKERS_MAX][SNW_PACKET_NAME];
    const char *names[SNW_NATNET_MARKERS_MAX];
    snw_sample sample[SNW_NATNET_MARKERS_MAX];
    uint8_t seen[SNW_NATNET_MARKERS_MAX];
    uint8_t packet[LIVE_DATAGRAM];
    double asked_us, begun;
    int32_t last_number;
    bool has_version, has_frame;
} natnet_source;

static void ask(natnet_source *n, snw_natnet_kind kind)
{
    uint8_t bytes[64];
    size_t size = snw_natnet_write(&n->state, kind, "", bytes, sizeof bytes);
    (void)sendto(n->socket, bytes, size, 0, (const struct sockaddr *)&n->server, sizeof n->server);
}

/* What is still missing; and that somebody listens. */
static void keep_asking(natnet_source *n)
{
    double now = cli_microseconds();
    if (now - n->asked_us < NATNET_ASK_US) return;
    n->asked_us = now;
    ask(n, SNW_NATNET_CONNECT);
    if (n->has_version && (n->state.name_count == 0 || n->state.is_changed))
        ask(n, SNW_NATNET_ASK_MODEL);
}

/* Markers in the order of the names; those that nobody named are not followed. */
static void take_frame(natnet_source *n)
{
    live_source *source = &n->source;
    int64_t gap = (int64_t)n->state.frame_number - n->last_number - 1;
    if (!n->has_frame) n->begun = n->state.time;
    if (n->has_frame && gap > 0) source->counts.lost += gap;
    n->has_frame = true;
    n->last_number = n->state.frame_number;
    for (int m = 0; m < source->marker_count; m++) {
        const snw_natnet_marker *marker = &n->marker[m];
        bool is_seen = m < n->state.marker_count && marker->is_seen;
        n->seen[m] = is_seen ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
        n->sample[m] = (snw_sample){(float)marker->place.x, (float)marker->place.y,
                                    (float)marker->place.z, is_seen ? 0 : -1};
    }
    source->frame = (snw_frame){.marker_count = source->marker_count,
                                .time = n->state.time - n->begun,
                                .metres_per_unit = 1,
                                .residual_scale = 1,
                                .sample = n->sample,
                                .state = n->seen};
    source->counts.frames++;
}

/* One packet; true: it was a frame that can be followed. */
static bool take_packet(natnet_source *n)
{
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    ssize_t size =
        recvfrom(n->socket, n->packet, sizeof n->packet, 0, (struct sockaddr *)&from, &length);
    if (size < 0) return false;
    n->source.received_us = cli_microseconds();
    snw_natnet_kind kind = snw_natnet_kind_of(n->packet, (size_t)size);
    if (from.sin_addr.s_addr != n->server.sin_addr.s_addr ||
        snw_natnet_read(&n->state, n->packet, (size_t)size, NULL) != SNW_OK) {
        n->source.counts.refused++;
        return false;
    }
    n->has_version |= kind == SNW_NATNET_SERVER;
    if (kind == SNW_NATNET_MODEL && n->source.marker_count > 0 &&
        n->state.name_count != n->source.marker_count)
        n->source.counts.changed++;
    if (kind != SNW_NATNET_FRAME) return false;
    if (n->has_frame && n->state.frame_number <= n->last_number) {
        n->source.counts.late++; /* out of order: its time is over */
        return false;
    }
    return true;
}

static live_news natnet_next(live_source *source)
{
    natnet_source *n = (natnet_source *)source;
    keep_asking(n);
    int ready = live_wait(n->socket, LIVE_WAIT_MS);
    if (ready < 0) return LIVE_END;
    if (ready == 0 || !take_packet(n)) return LIVE_NOTHING;
    take_frame(n);
    return LIVE_FRAME;
}

static void natnet_close(live_source *source)
{
    natnet_source *n = (natnet_source *)source;
    if (n->socket >= 0) (void)close(n->socket);
    free(n);
}

/* Until names and two frames are there, which tell the rate. */
static bool greet(const cli_arguments *arguments, natnet_source *n, double patience)
{
    double begun = cli_microseconds(), first = 0;
    int32_t first_number = 0;
    int frames = 0;
    while (cli_microseconds() - begun < 1e6 * patience) {
        keep_asking(n);
        if (n->state.name_count == 0 && n->has_version) ask(n, SNW_NATNET_ASK_MODEL);
        int ready = live_wait(n->socket, 20);
        if (ready < 0) return cli_fail(arguments, "ended before the server answered") != CLI_FAILED;
        if (ready == 0 || !take_packet(n) || n->state.name_count == 0) continue;
        n->last_number = n->state.frame_number;
        n->has_frame = true;
        if (frames++ == 0) {
            first = n->state.time;
            first_number = n->state.frame_number;
        } else if (n->state.time > first) {
            n->source.rate = (n->state.frame_number - first_number) / (n->state.time - first);
            if (frames > 8) return true;
        }
    }
    const char *missing = !n->has_version ? "nobody answers"
                          : n->state.name_count == 0
                              ? "it names no markers (sets of markers must be "
                                "streamed; loose ones are not followed)"
                              : "no frames come";
    return cli_fail(arguments, "NatNet server: %s within %.0f s", missing, patience) != CLI_FAILED;
}

live_source *live_open_natnet(const cli_arguments *arguments, const char *server)
{
    natnet_source *n = calloc(1, sizeof *n);
    struct sockaddr_in local = {.sin_family = AF_INET};
    double patience = 5;
    if (!n) {
        (void)cli_fail(arguments, "no memory for a NatNet source");
        return NULL;
    }
    n->socket = -1;
    n->source.next = natnet_next;
    n->source.close = natnet_close;
    n->state = (snw_natnet){.major = 3, .minor = 0, .marker = n->marker, .name = n->name};
    bool is_open = cli_number(arguments, "--wait", 0.1, 3600, &patience) &&
                   live_address(arguments, server, SNW_NATNET_PORT_COMMAND, &n->server);
    /* A server of this machine is heard on loopback alone. */
    bool is_near = ntohl(n->server.sin_addr.s_addr) >> 24 == 127;
    local.sin_addr.s_addr = htonl(is_near ? INADDR_LOOPBACK : INADDR_ANY);
    if (is_open) n->socket = live_socket(arguments, &local);
    if (!is_open || n->socket < 0 || !greet(arguments, n, patience)) {
        natnet_close(&n->source);
        return NULL;
    }
    n->source.marker_count = n->state.name_count;
    for (int m = 0; m < n->source.marker_count; m++)
        n->names[m] = n->name[m];
    n->source.names = (snw_name_list){n->names, n->source.marker_count};
    n->source.up = SNW_UP_Y; /* what Motive streams unless it is told otherwise: --up */
    return &n->source;
}
