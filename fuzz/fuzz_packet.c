/* Any bytes as packets of every live protocol: nothing but counts within their bounds, texts that
 * end, and numbers that are places. The first byte chooses the version of NatNet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

static void read_osc(const uint8_t *data, size_t size)
{
    snw_osc_message message;
    snw_vmc_bone bone;
    size_t at = 0;
    while (snw_osc_next(data, size, &at, &message, NULL)) {
        if (message.value_count < 0 || message.value_count > SNW_OSC_VALUES_MAX) abort();
        for (int k = 0; k < message.value_count; k++)
            if (message.value[k].type == 's' && strlen(message.value[k].text) > size) abort();
        if (snw_vmc_read(&message, &bone) && !isfinite(bone.place.x)) abort();
    }
    if (at != size && size > 0) abort();
}

static void check_frame(const snw_packet_frame *frame)
{
    if (frame->count < 0 || frame->count > frame->room || frame->name_count > frame->room) abort();
    for (int k = 0; k < frame->count; k++) {
        const snw_packet_point *point = &frame->point[k];
        if (strlen(point->name) >= SNW_PACKET_NAME) abort();
        if (point->is_seen && !snw_vec3_is_finite(point->place)) abort();
        double square = snw_quat_dot(point->rotation, point->rotation);
        if (!(fabs(square - 1) < 1e-9)) abort();
    }
}

/* Streams: packets of the sizes that they state, one behind the other, into one state. */
static void read_streams(const uint8_t *data, size_t size)
{
    enum {
        ROOM = 32
    };
    snw_packet_point point[ROOM];
    snw_packet_frame frame = {.room = ROOM, .point = point};
    snw_vrpn vrpn = {0};
    snw_websocket_frame head;
    size_t whole = 0;
    for (size_t at = 0; at < size; at += whole) {
        whole = snw_qtm_size(data + at, size - at);
        if (whole == 0 || whole > size - at) break;
        (void)snw_qtm_read(&frame, data + at, whole, NULL);
        if (strlen(snw_qtm_text(data + at, whole)) > whole) abort();
    }
    (void)snw_qtm_read(&frame, data, size, NULL);
    check_frame(&frame);
    frame.count = frame.name_count = 0;
    for (size_t at = 0; at < size; at += whole) {
        whole = snw_vrpn_size(data + at, size - at);
        if (whole == 0 || whole > size - at) break;
        (void)snw_vrpn_read(&vrpn, &frame, data + at, whole, NULL);
    }
    check_frame(&frame);
    (void)snw_packet_read_json(&frame, (const char *)data, size, NULL);
    check_frame(&frame);
    (void)snw_packet_read_bytes(&frame, data, size, NULL);
    check_frame(&frame);
    if (snw_websocket_read(data, size, &head, NULL) && head.head > size) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static snw_natnet_marker marker[SNW_NATNET_MARKERS_MAX];
    static char name[SNW_NATNET_MARKERS_MAX][SNW_PACKET_NAME];
    if (size == 0) return 0;
    snw_natnet state = {.major = 3 + data[0] % 2, .minor = data[0] / 2 % 2};
    state.marker = marker;
    state.name = name;
    read_osc(data + 1, size - 1);
    read_streams(data + 1, size - 1);
    if (snw_natnet_read(&state, data + 1, size - 1, NULL) != SNW_OK) return 0;
    if (state.marker_count > SNW_NATNET_MARKERS_MAX || state.name_count > SNW_NATNET_MARKERS_MAX)
        abort();
    for (int m = 0; m < state.marker_count; m++)
        if (marker[m].is_seen && !isfinite(marker[m].place.x + marker[m].place.y)) abort();
    return 0;
}
