/* VRPN, the Virtual-Reality Peripheral Network, version 7, as its public description has it. TCP,
 * numbers big-endian, everything filled up to eight bytes.
 *
 *   first      "vrpn: ver. 07.35  0", zeros up to 24 bytes, from both ends
 *   message    i32 length of head and payload, without what fills it up | u32 seconds, u32
 *              microseconds | i32 sender | i32 type | u32 sequence number | payload
 *   type -1    a sender's name: `sender` is its number, payload u32 length with the zero, name,
 * zero type -2    a type's name: `sender` is its number, the same payload "vrpn_Tracker Pos_Quat"
 * i32 sensor | 4 bytes | f64 x, y, z | f64 rotation x, y, z, w
 *
 * Metres. Numbers of senders and types are as each end likes them. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/packet_bytes.h"

enum {
    VRPN_PREFIX = 24,
    VRPN_POSE = 64,
    VRPN_NAME_OF_SENDER = -1,
    VRPN_NAME_OF_TYPE = -2
};

static const char vrpn_first[] = "vrpn: ver. 07.35  0";
static const char vrpn_pose[] = "vrpn_Tracker Pos_Quat";

void snw_vrpn_cookie(uint8_t bytes[SNW_VRPN_COOKIE])
{
    memset(bytes, 0, SNW_VRPN_COOKIE);
    memcpy(bytes, vrpn_first, sizeof vrpn_first);
}

bool snw_vrpn_is_cookie(const uint8_t bytes[SNW_VRPN_COOKIE])
{
    return memcmp(bytes, vrpn_first, strlen("vrpn: ver. 07.")) == 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

static size_t filled_up(size_t size)
{
    return (size + 7) / 8 * 8;
}

size_t snw_vrpn_size(const uint8_t *bytes, size_t size)
{
    if (size < 4) return 0;
    snw__bytes in = snw__bytes_of(bytes, size, true);
    uint32_t length = snw__get_u32(&in);
    return length < VRPN_PREFIX || length > SNW_VRPN_MESSAGE ? SIZE_MAX : filled_up(length);
}

static void keep_name(snw_vrpn *state, int32_t kind, int32_t id, const char *name)
{
    if (kind == VRPN_NAME_OF_TYPE) {
        if (strcmp(name, vrpn_pose) != 0) return;
        state->pose_type = id;
        state->has_pose_type = true;
        return;
    }
    int k = 0;
    while (k < state->sender_count && state->sender[k].id != id)
        k++;
    if (k == SNW_VRPN_SENDERS_MAX) return;
    if (k == state->sender_count) state->sender_count++;
    state->sender[k].id = id;
    (void)snw_format(state->sender[k].name, SNW_PACKET_NAME, "%s", name);
}

static snw_packet_point *point_of(const snw_vrpn *state, snw_packet_frame *frame, int32_t sender,
                                  int32_t sensor)
{
    char name[SNW_PACKET_NAME];
    int k = 0;
    while (k < state->sender_count && state->sender[k].id != sender)
        k++;
    if (k == state->sender_count) return NULL;
    if (sensor == 0)
        (void)snw_format(name, sizeof name, "%s", state->sender[k].name);
    else
        (void)snw_format(name, sizeof name, "%.48s/%d", state->sender[k].name, (int)sensor);
    return snw__packet_point(frame, name);
}

snw_status snw_vrpn_read(snw_vrpn *state, snw_packet_frame *frame, const uint8_t *bytes,
                         size_t size, snw_error *error)
{
    snw__bytes in = snw__bytes_of(bytes, size, true);
    uint32_t length = snw__get_u32(&in);
    double time = snw__get_u32(&in);
    time += 1e-6 * snw__get_u32(&in);
    int32_t sender = (int32_t)snw__get_u32(&in), type = (int32_t)snw__get_u32(&in);
    snw__bytes_skip(&in, 4);
    if (in.is_broken || length < VRPN_PREFIX || length > size)
        return snw__fail(error, SNW_FORMAT, "the VRPN message of %lld bytes breaks off",
                         (long long)size);
    in.end = bytes + length;
    if (type == VRPN_NAME_OF_SENDER || type == VRPN_NAME_OF_TYPE) {
        char name[SNW_PACKET_NAME];
        (void)snw__get_u32(&in);
        snw__get_text(&in, name);
        if (in.is_broken) return snw__fail(error, SNW_FORMAT, "a name of VRPN breaks off");
        keep_name(state, type, sender, name);
    } else if (state->has_pose_type && type == state->pose_type) {
        snw_vec3 place;
        snw_quat rotation;
        int32_t sensor = (int32_t)snw__get_u32(&in);
        snw__bytes_skip(&in, 4);
        double n[7];
        for (int k = 0; k < 7; k++)
            n[k] = snw__get_f64(&in);
        place = snw_vec3_make(n[0], n[1], n[2]);
        snw_quat q = snw_quat_make(n[6], n[3], n[4], n[5]);
        double square = snw_quat_dot(q, q);
        /* A rotation as doubles is one to round-off; trackers that are lost send zeros. */
        if (in.is_broken || !snw_vec3_is_finite(place) || !(square > 0.5) || !(square < 2))
            return snw__fail(error, SNW_FORMAT, "a pose of VRPN is none");
        rotation = snw_quat_normalize(q);
        snw_packet_point *point = point_of(state, frame, sender, sensor);
        if (!point) return snw__succeed(error);
        point->place = place;
        point->rotation = rotation;
        point->is_seen = point->has_rotation = true;
        frame->time = time;
    }
    return snw__succeed(error);
}

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct vrpn_head {
    uint32_t payload;
    double time;
    int32_t sender, type;
} vrpn_head;

static void put_head(snw__room *out, vrpn_head head)
{
    double seconds = floor(head.time);
    snw__put_u32(out, VRPN_PREFIX + head.payload);
    snw__put_u32(out, (uint32_t)seconds);
    snw__put_u32(out, (uint32_t)(1e6 * (head.time - seconds)));
    snw__put_u32(out, (uint32_t)head.sender);
    snw__put_u32(out, (uint32_t)head.type);
    snw__put_u32(out, 0);
}

static void put_name(snw__room *out, int32_t kind, int32_t id, const char *name)
{
    uint32_t length = (uint32_t)strlen(name) + 1;
    put_head(out, (vrpn_head){4 + length, 0, id, kind});
    snw__put_u32(out, length);
    snw__packet_text(out, name);
    snw__put_bytes(out, NULL, filled_up(4 + length) - (4 + length));
}

size_t snw_vrpn_write_names(const snw_packet_frame *frame, uint8_t *bytes, size_t room)
{
    snw__room out = snw__room_of(bytes, room, true);
    put_name(&out, VRPN_NAME_OF_TYPE, 0, vrpn_pose);
    for (int k = 0; k < frame->count; k++)
        put_name(&out, VRPN_NAME_OF_SENDER, k, frame->point[k].name);
    return out.is_full ? 0 : out.at;
}

size_t snw_vrpn_write(const snw_packet_frame *frame, uint8_t *bytes, size_t room)
{
    snw__room out = snw__room_of(bytes, room, true);
    for (int k = 0; k < frame->count; k++) {
        const snw_packet_point *point = &frame->point[k];
        const snw_quat q = point->rotation;
        const double number[7] = {
            point->place.x, point->place.y, point->place.z, q.x, q.y, q.z, q.w};
        if (!point->is_seen) continue;
        put_head(&out, (vrpn_head){VRPN_POSE, frame->time, k, 0});
        snw__put_bytes(&out, NULL, 8);
        for (int n = 0; n < 7; n++)
            snw__put_f64(&out, number[n]);
    }
    return out.is_full ? 0 : out.at;
}
