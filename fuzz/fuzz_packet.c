/* Any bytes as packets of every live protocol: nothing but counts within their bounds, texts that
 * end, and numbers that are places. The first byte chooses the version of NatNet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

#include "mutate_json.h"

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

/* JSON with what two cameras saw. */
static void read_views(snw_packet_frame *frame, const uint8_t *data, size_t size)
{
    enum {
        SIGHTS = 16
    };
    snw_packet_sight sight[SIGHTS];
    snw_camera camera[2] = {{.name = "a", .focal_x = 1000, .focal_y = 1000},
                            {.name = "b", .focal_x = 900, .focal_y = 900, .is_fisheye = true}};
    snw_cameras cameras = {.count = 2, .camera = camera};
    snw_packet_views views = {.cameras = &cameras, .room = SIGHTS, .sight = sight};
    for (int c = 0; c < 2; c++)
        camera[c].camera_from_world = snw_xform_make(
            snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), c), snw_vec3_make(0, 0, 4));
    (void)snw_packet_read_views(frame, &views, (const char *)data, size, NULL);
    if (views.count > SIGHTS) abort();
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
    read_views(&frame, data, size);
    check_frame(&frame);
    (void)snw_packet_read_bytes(&frame, data, size, NULL);
    check_frame(&frame);
    if (snw_websocket_read(data, size, &head, NULL) && head.head > size) abort();
}

/* A count becomes an edge, and the size that NatNet (two bytes behind the kind), Qualisys and VRPN
 * (the first four) state is the packet's again. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint64_t state = seed;
    if (size > 1 && data[1] == '{' && mutate_draw(&state, 3))
        return 1 + mutate_json(data + 1, size - 1, max_size - 1, &state);
    if (size < 12 || mutate_draw(&state, 3) == 0) size = LLVMFuzzerMutate(data, size, max_size);
    if (size < 12) return size;
    int width = mutate_draw(&state, 2) ? 4 : 2;
    uint32_t way = mutate_draw(&state, 4);
    mutate_put(data + 5 + mutate_draw(&state, size - 8), mutate_edge(&state), width,
               mutate_draw(&state, 2));
    if (way == 1) mutate_put(data + 3, (uint32_t)(size - 5), 2, false);
    if (way > 1) mutate_put(data + 1, (uint32_t)(size - 1), 4, way == 2);
    return size;
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
