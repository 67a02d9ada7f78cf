/* A NatNet server as a source: asks who it is, which markers it has, and takes its frames, sent to
 * us alone or to a multicast group. Packets of other senders, and what is no NatNet, are counted
 * and left. */
#include <arpa/inet.h>
#include <poll.h>
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
    int socket, group; /* group -1: unicast */
    struct sockaddr_in server;
    snw_natnet state;
    snw_natnet_marker marker[SNW_NATNET_MARKERS_MAX];
    char name[SNW_NATNET_MARKERS_MAX][SNW_PACKET_NAME];
    uint8_t packet[LIVE_DATAGRAM];
    double asked_us;
    bool has_version, has_model;
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
    if (now - n->asked_us < (n->has_model ? 1 : 0.1) * NATNET_ASK_US) return;
    n->asked_us = now;
    ask(n, SNW_NATNET_CONNECT);
    if (n->has_version && (!n->has_model || n->state.is_changed)) ask(n, SNW_NATNET_ASK_MODEL);
}

/* One packet; true: it was a frame. */
static bool take_packet(natnet_source *n, int socket)
{
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    ssize_t size =
        recvfrom(socket, n->packet, sizeof n->packet, 0, (struct sockaddr *)&from, &length);
    if (size < 0) return false;
    n->source.received_us = cli_microseconds();
    snw_natnet_kind kind = snw_natnet_kind_of(n->packet, (size_t)size);
    if (from.sin_addr.s_addr != n->server.sin_addr.s_addr ||
        snw_natnet_read(&n->state, n->packet, (size_t)size, NULL) != SNW_OK) {
        n->source.refused++;
        return false;
    }
    n->has_version |= kind == SNW_NATNET_SERVER;
    n->has_model |= kind == SNW_NATNET_MODEL;
    return kind == SNW_NATNET_FRAME && n->has_model;
}

static live_news natnet_next(live_source *source)
{
    natnet_source *n = (natnet_source *)source;
    struct pollfd watched[2] = {{.fd = n->socket, .events = POLLIN},
                                {.fd = n->group, .events = POLLIN}};
    snw_packet_frame *packet = &source->packet;
    keep_asking(n);
    if (live_is_stopped()) return LIVE_END;
    if (poll(watched, n->group >= 0 ? 2 : 1, n->has_model ? LIVE_WAIT_MS : 20) <= 0)
        return LIVE_NOTHING;
    if (!take_packet(n, watched[0].revents ? n->socket : n->group)) return LIVE_NOTHING;
    packet->number = n->state.frame_number;
    packet->time = n->state.time;
    packet->count = n->state.marker_count;
    for (int m = 0; m < packet->count; m++) {
        snw_packet_point *point = &packet->point[m];
        *point = (snw_packet_point){.place = n->marker[m].place,
                                    .rotation = snw_quat_identity(),
                                    .is_seen = n->marker[m].is_seen};
        memcpy(point->name, n->marker[m].name, SNW_PACKET_NAME);
    }
    return LIVE_FRAME;
}

static void natnet_close(live_source *source)
{
    natnet_source *n = (natnet_source *)source;
    if (n->socket >= 0) (void)close(n->socket);
    if (n->group >= 0) (void)close(n->group);
    live_source_free(source);
}

/* A server of this machine is heard on loopback alone. */
static bool open_sockets(const cli_arguments *arguments, natnet_source *n)
{
    struct sockaddr_in local = {.sin_family = AF_INET}, group;
    const char *multicast = cli_value(arguments, "--multicast", NULL);
    local.sin_addr.s_addr = htonl(live_is_loopback(&n->server) ? INADDR_LOOPBACK : INADDR_ANY);
    n->socket = live_socket(arguments, &local);
    if (n->socket < 0 || !multicast) return n->socket >= 0;
    if (!live_address(arguments, multicast, SNW_NATNET_PORT_DATA, &group)) return false;
    n->group = live_socket(arguments, &group);
    if (n->group < 0) return false;
    const struct ip_mreq member = {group.sin_addr, local.sin_addr};
    if (setsockopt(n->group, IPPROTO_IP, IP_ADD_MEMBERSHIP, &member, sizeof member) == 0)
        return true;
    return cli_fail(arguments, "%s is no multicast group that can be joined", multicast) ==
           CLI_DONE;
}

live_source *live_open_natnet(const cli_arguments *arguments, const char *server)
{
    natnet_source *n = live_source_make(arguments, "natnet", server, sizeof *n);
    if (!n) return NULL;
    n->socket = n->group = -1;
    n->source.next = natnet_next;
    n->source.close = natnet_close;
    n->source.packet.up = SNW_UP_Y; /* what Motive streams unless it is told otherwise: --up */
    n->state = (snw_natnet){.major = 3, .minor = 0, .marker = n->marker, .name = n->name};
    if (live_address(arguments, server, SNW_NATNET_PORT_COMMAND, &n->server) &&
        open_sockets(arguments, n))
        return &n->source;
    natnet_close(&n->source);
    return NULL;
}
