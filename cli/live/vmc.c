/* Trackers by VMC as a source: headset, controllers and trackers, as OpenVR and OpenXR bridges send
 * them. All packets that came together are one frame. Bones are counted and left: they are poses
 * already. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"

enum {
    VMC_IN_PORT = 39540
};

typedef struct vmc_source {
    live_source source;
    int socket;
    uint8_t packet[LIVE_DATAGRAM];
} vmc_source;

static snw_packet_point *point_of(snw_packet_frame *packet, const char *name)
{
    for (int k = 0; k < packet->count; k++)
        if (strcmp(packet->point[k].name, name) == 0) return &packet->point[k];
    if (packet->count == packet->room) return NULL;
    snw_packet_point *point = &packet->point[packet->count++];
    *point = (snw_packet_point){.has_rotation = true};
    (void)snw_format(point->name, sizeof point->name, "%s", name);
    return point;
}

/* The packets that wait; how many trackers they brought. */
static int take_packets(vmc_source *v)
{
    snw_packet_frame *packet = &v->source.packet;
    ssize_t size;
    int found = 0;
    while ((size = recv(v->socket, v->packet, sizeof v->packet, 0)) >= 0) {
        snw_osc_message message;
        snw_vmc_bone bone;
        snw_error error = {0};
        size_t at = 0;
        v->source.received_us = cli_microseconds();
        while (snw_osc_next(v->packet, (size_t)size, &at, &message, &error)) {
            if (strcmp(message.address, "/VMC/Ext/T") == 0 && message.value_count == 1 &&
                message.value[0].type == 'f' && isfinite(message.value[0].number))
                packet->time = message.value[0].number;
            if (!snw_vmc_read(&message, &bone) || !bone.is_tracker) continue;
            snw_packet_point *point = point_of(packet, bone.name);
            if (!point) continue;
            point->place = bone.place;
            point->rotation = bone.rotation;
            point->is_seen = true;
            found++;
        }
        v->source.refused += error.status != SNW_OK;
    }
    return found;
}

static live_news vmc_next(live_source *source)
{
    vmc_source *v = (vmc_source *)source;
    int ready = live_wait(v->socket, LIVE_WAIT_MS);
    if (ready < 0) return LIVE_END;
    for (int k = 0; k < source->packet.count && ready > 0; k++)
        source->packet.point[k].is_seen = false;
    return ready > 0 && take_packets(v) > 0 ? LIVE_FRAME : LIVE_NOTHING;
}

static void vmc_close(live_source *source)
{
    vmc_source *v = (vmc_source *)source;
    if (v->socket >= 0) (void)close(v->socket);
    live_source_free(source);
}

live_source *live_open_vmc(const cli_arguments *arguments, const char *address)
{
    vmc_source *v = live_source_make(arguments, "vmc-in", address, sizeof *v);
    struct sockaddr_in local;
    if (!v) return NULL;
    v->socket = -1;
    v->source.next = vmc_next;
    v->source.close = vmc_close;
    v->source.has_trackers = true;
    v->source.packet.up = SNW_UP_Y;
    if (live_address(arguments, address, VMC_IN_PORT, &local) &&
        (v->socket = live_socket(arguments, &local)) >= 0)
        return &v->source;
    vmc_close(&v->source);
    return NULL;
}
