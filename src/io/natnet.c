/* NatNet, OptiTrack's stream, versions 3.0 to 4.1: what OptiTrack's public samples show of the
 * wire. All numbers little-endian, texts end with a zero.
 *
 *   packet    u16 kind | u16 bytes that follow | payload
 *   connect   "Ping" zero
 *   server    256 bytes name | 4 bytes version of the program | 4 bytes version of the stream | ...
 *   model     i32 count, each: i32 type | [4.1: i32 bytes] | description
 *             type 0, a set of markers: name | i32 count | names
 *             type 1, a rigid body, ... : stepped over from 4.1 on; before, the reading ends there
 *   frame     i32 number
 *             i32 sets      | [4.1: i32 bytes] | each: name | i32 count | f32 x, y, z of each
 *             i32 unlabelled| [4.1: i32 bytes] | f32 x, y, z of each
 *             i32 bodies    | [4.1: i32 bytes] | each: i32 id, f32 place 3, rotation 4, error, i16
 *             i32 skeletons | [4.1: i32 bytes] | each: i32 id, i32 bodies, bodies as above
 *             [4.1: i32 assets | i32 bytes | ...]
 *             i32 labelled  | [4.1: i32 bytes] | each: i32 id, f32 x, y, z, size, i16, f32 residual
 *             i32 plates    | [4.1: i32 bytes] | each: i32 id, i32 channels, each: i32 n, f32 x n
 *             i32 devices   | as plates
 *             u32 timecode, u32 part | f64 seconds | u64 x 3 stamps | [4.1: u32 x 2] | i16 flags
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/packet_bytes.h"

enum {
    NATNET_PREFIX = 4,
    NATNET_BODY = 4 + 7 * 4 + 4 + 2,
    NATNET_LABELLED = 4 + 4 * 4 + 2 + 4,
    NATNET_SERVER_NAME = 256,
    NATNET_FLAG_CHANGED = 2, /* of a frame: names are out of date */
    NATNET_FLAG_HIDDEN = 1   /* of a labelled marker */
};

/* A count of things of at least `least` bytes each; broken where they cannot all be there. From 4.1
 * on the bytes of the whole section follow, which are returned. */
static int get_count(snw__bytes *r, const snw_natnet *state, size_t least, size_t *section)
{
    bool has_size = state->major > 4 || (state->major == 4 && state->minor >= 1);
    uint32_t count = snw__get_u32(r);
    *section = has_size ? snw__get_u32(r) : 0;
    if (*section > snw__bytes_left(r) || (size_t)count > snw__bytes_left(r) / least)
        r->is_broken = true;
    return r->is_broken ? 0 : (int)count;
}

/* ---- reading -------------------------------------------------------------------------------- */

static void add_marker(snw_natnet *state, const char *name, int32_t id, snw_vec3 place)
{
    if (state->marker_count == SNW_NATNET_MARKERS_MAX) return;
    snw_natnet_marker *marker = &state->marker[state->marker_count++];
    *marker = (snw_natnet_marker){.id = id,
                                  .place = place,
                                  .is_seen = snw_vec3_is_finite(place) &&
                                             (place.x != 0 || place.y != 0 || place.z != 0)};
    if (name) memcpy(marker->name, name, SNW_PACKET_NAME);
}

/* Sets of markers; the one called "all" holds the others' once more. */
static void read_sets(snw_natnet *state, snw__bytes *r)
{
    size_t section;
    int count = get_count(r, state, 5, &section), named = 0;
    for (int s = 0; s < count && !r->is_broken; s++) {
        char set[SNW_PACKET_NAME];
        snw__get_text(r, set);
        uint32_t markers = snw__get_u32(r);
        if (markers > snw__bytes_left(r) / 12) r->is_broken = true;
        bool is_all = strcmp(set, "all") == 0;
        for (uint32_t m = 0; m < markers && !r->is_broken; m++) {
            snw_vec3 place = snw__get_vec3f(r);
            if (is_all) continue;
            add_marker(state, named < state->name_count ? state->name[named] : NULL, named, place);
            named++;
        }
    }
}

static void skip_bodies(const snw_natnet *state, snw__bytes *r, bool are_skeletons)
{
    size_t section;
    int count = get_count(r, state, are_skeletons ? 8 : NATNET_BODY, &section);
    if (section > 0) {
        snw__bytes_skip(r, section);
        return;
    }
    for (int k = 0; k < count && !r->is_broken; k++) {
        size_t bodies = 1;
        if (are_skeletons) {
            (void)snw__get_u32(r);
            bodies = snw__get_u32(r);
        }
        if (bodies > snw__bytes_left(r) / NATNET_BODY) r->is_broken = true;
        if (!r->is_broken) snw__bytes_skip(r, bodies * NATNET_BODY);
    }
}

static void read_labelled(snw_natnet *state, snw__bytes *r, bool is_wanted)
{
    size_t section;
    int count = get_count(r, state, NATNET_LABELLED, &section);
    for (int m = 0; m < count; m++) {
        int32_t id = (int32_t)snw__get_u32(r);
        snw_vec3 place = snw__get_vec3f(r);
        (void)snw__get_f32(r); /* size */
        uint32_t flags = snw__get_u16(r);
        float residual = snw__get_f32(r);
        if (!is_wanted) continue;
        add_marker(state, NULL, id, place);
        state->marker[state->marker_count - 1].residual = residual;
        if (flags & NATNET_FLAG_HIDDEN) state->marker[state->marker_count - 1].is_seen = false;
    }
}

static void skip_channels(const snw_natnet *state, snw__bytes *r)
{
    size_t section;
    int count = get_count(r, state, 8, &section);
    if (section > 0) {
        snw__bytes_skip(r, section);
        return;
    }
    for (int k = 0; k < count && !r->is_broken; k++) {
        (void)snw__get_u32(r);
        uint32_t channels = snw__get_u32(r);
        for (uint32_t c = 0; c < channels && !r->is_broken; c++) {
            uint32_t samples = snw__get_u32(r);
            if (samples > snw__bytes_left(r) / 4) r->is_broken = true;
            if (!r->is_broken) snw__bytes_skip(r, (size_t)samples * 4);
        }
    }
}

static void read_frame(snw_natnet *state, snw__bytes *r)
{
    size_t section;
    state->marker_count = 0;
    state->frame_number = (int32_t)snw__get_u32(r);
    read_sets(state, r);
    bool has_sets = state->marker_count > 0;
    int unlabelled = get_count(r, state, 12, &section);
    for (int m = 0; m < unlabelled; m++)
        add_marker(state, NULL, -1 - m, snw__get_vec3f(r));
    int loose = state->marker_count;
    skip_bodies(state, r, false);
    skip_bodies(state, r, true);
    if (state->major > 4 || (state->major == 4 && state->minor >= 1)) {
        (void)get_count(r, state, 8, &section);
        snw__bytes_skip(r, section);
    }
    /* Labelled markers repeat those of sets; without sets they are all there is, loose ones too. */
    read_labelled(state, r, !has_sets);
    if (!has_sets && state->marker_count > loose) {
        state->marker_count -= loose;
        memmove(state->marker, state->marker + loose,
                (size_t)state->marker_count * sizeof *state->marker);
    }
    skip_channels(state, r);
    skip_channels(state, r);
    snw__bytes_skip(r, 8);
    state->time = snw__get_f64(r);
    snw__bytes_skip(r, 24);
    if (state->major > 4 || (state->major == 4 && state->minor >= 1)) snw__bytes_skip(r, 8);
    state->is_changed = (snw__get_u16(r) & NATNET_FLAG_CHANGED) != 0;
    if (!isfinite(state->time)) r->is_broken = true;
    if (r->is_broken) state->marker_count = 0;
}

static void read_model(snw_natnet *state, snw__bytes *r)
{
    bool has_size = state->major > 4 || (state->major == 4 && state->minor >= 1);
    uint32_t count = snw__get_u32(r);
    state->name_count = 0;
    for (uint32_t k = 0; k < count && !r->is_broken; k++) {
        uint32_t type = snw__get_u32(r), size = has_size ? snw__get_u32(r) : 0;
        if (type != 0 && !has_size) return; /* names that were found hold */
        if (type != 0) {
            snw__bytes_skip(r, size);
            continue;
        }
        char set[SNW_PACKET_NAME], name[SNW_PACKET_NAME];
        snw__get_text(r, set);
        uint32_t markers = snw__get_u32(r);
        for (uint32_t m = 0; m < markers && !r->is_broken; m++) {
            snw__get_text(r, name);
            if (strcmp(set, "all") == 0 || state->name_count == SNW_NATNET_MARKERS_MAX) continue;
            (void)snw_format(state->name[state->name_count++], SNW_PACKET_NAME, "%s:%s", set, name);
        }
    }
}

snw_natnet_kind snw_natnet_kind_of(const uint8_t *bytes, size_t size)
{
    if (size < NATNET_PREFIX) return SNW_NATNET_OTHER;
    int kind = bytes[0] | bytes[1] << 8;
    switch (kind) {
    case SNW_NATNET_CONNECT:
    case SNW_NATNET_SERVER:
    case SNW_NATNET_ASK_MODEL:
    case SNW_NATNET_MODEL:
    case SNW_NATNET_FRAME:
        return (snw_natnet_kind)kind;
    default:
        return SNW_NATNET_OTHER;
    }
}

snw_status snw_natnet_read(snw_natnet *state, const uint8_t *bytes, size_t size, snw_error *error)
{
    snw__bytes r = snw__bytes_of(bytes, size, false);
    if (!(state->major == 3 || (state->major == 4 && state->minor <= 1)))
        return snw__fail(error, SNW_UNSUPPORTED, "NatNet %d.%d is not read, 3.0 to 4.1 are",
                         state->major, state->minor);
    snw_natnet_kind kind = snw_natnet_kind_of(bytes, size);
    snw__bytes_skip(&r, NATNET_PREFIX);
    if (kind == SNW_NATNET_FRAME)
        read_frame(state, &r);
    else if (kind == SNW_NATNET_MODEL)
        read_model(state, &r);
    else if (kind == SNW_NATNET_SERVER && snw__bytes_left(&r) >= NATNET_SERVER_NAME + 8) {
        const uint8_t *version = r.at + NATNET_SERVER_NAME + 4;
        state->major = version[0];
        state->minor = version[1];
    } else {
        return snw__fail(error, SNW_FORMAT, "the packet is no frame, model or answer of NatNet");
    }
    if (r.is_broken)
        return snw__fail(error, SNW_FORMAT, "the NatNet packet of %lld bytes breaks off",
                         (long long)size);
    return snw__succeed(error);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* A section's count, and from 4.1 on its size. */
static void put_count(snw__room *w, const snw_natnet *state, int count, size_t size)
{
    snw__put_u32(w, (uint32_t)count);
    if (state->major == 4 && state->minor >= 1) snw__put_u32(w, (uint32_t)size);
}

static void put_place(snw__room *w, const snw_natnet_marker *marker)
{
    snw__put_f32(w, marker->is_seen ? marker->place.x : 0);
    snw__put_f32(w, marker->is_seen ? marker->place.y : 0);
    snw__put_f32(w, marker->is_seen ? marker->place.z : 0);
}

static void write_frame(const snw_natnet *state, const char *set, snw__room *w)
{
    int named = 0;
    while (named < state->marker_count && state->marker[named].name[0])
        named++;
    int loose = state->marker_count - named;
    snw__put_u32(w, (uint32_t)state->frame_number);
    put_count(w, state, named > 0, named > 0 ? strlen(set) + 5 + (size_t)named * 12 : 0);
    if (named > 0) snw__packet_text(w, set);
    if (named > 0) snw__put_u32(w, (uint32_t)named);
    for (int m = 0; m < named; m++)
        put_place(w, &state->marker[m]);
    put_count(w, state, loose, (size_t)loose * 12);
    for (int m = named; m < state->marker_count; m++)
        put_place(w, &state->marker[m]);
    for (int empty = 0; empty < 5 + (state->major == 4 && state->minor >= 1); empty++)
        put_count(w, state, 0, 0);
    snw__put_bytes(w, NULL, 8);
    snw__put_f64(w, state->time);
    snw__put_bytes(w, NULL, 24);
    if (state->major == 4 && state->minor >= 1) snw__put_bytes(w, NULL, 8);
    const uint8_t flags[2] = {state->is_changed ? NATNET_FLAG_CHANGED : 0, 0};
    snw__put_bytes(w, flags, sizeof flags);
    snw__put_u32(w, 0);
}

size_t snw_natnet_write(const snw_natnet *state, snw_natnet_kind kind, const char *set,
                        uint8_t *bytes, size_t room)
{
    snw__room w = snw__room_of(bytes, room, false);
    snw__put_bytes(&w, NULL, NATNET_PREFIX);
    if (kind == SNW_NATNET_FRAME) write_frame(state, set, &w);
    if (kind == SNW_NATNET_MODEL) {
        size_t size = strlen(set) + 5;
        for (int m = 0; m < state->name_count; m++)
            size += strlen(state->name[m]) + 1;
        snw__put_u32(&w, state->name_count > 0);
        if (state->name_count) {
            snw__put_u32(&w, 0);
            if (state->major == 4 && state->minor >= 1) snw__put_u32(&w, (uint32_t)size);
            snw__packet_text(&w, set);
            snw__put_u32(&w, (uint32_t)state->name_count);
            for (int m = 0; m < state->name_count; m++)
                snw__packet_text(&w, state->name[m]);
        }
    }
    if (kind == SNW_NATNET_SERVER) {
        static const char name[NATNET_SERVER_NAME] = "Sinew";
        const uint8_t versions[8] = {0, 1, 0, 0, (uint8_t)state->major, (uint8_t)state->minor,
                                     0, 0};
        snw__put_bytes(&w, name, sizeof name);
        snw__put_bytes(&w, versions, sizeof versions);
    }
    if (kind == SNW_NATNET_CONNECT) snw__packet_text(&w, "Ping");
    if (w.is_full || w.at - NATNET_PREFIX > UINT16_MAX) return 0;
    size_t payload = w.at - NATNET_PREFIX;
    const uint8_t head[NATNET_PREFIX] = {(uint8_t)kind, 0, (uint8_t)payload,
                                         (uint8_t)(payload >> 8)};
    memcpy(bytes, head, sizeof head);
    return w.at;
}
