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
#include <sinew/packet.h>

#include <math.h>
#include <string.h>

#include "base/fail.h"

enum {
    NATNET_PREFIX = 4,
    NATNET_BODY = 4 + 7 * 4 + 4 + 2,
    NATNET_LABELLED = 4 + 4 * 4 + 2 + 4,
    NATNET_SERVER_NAME = 256,
    NATNET_FLAG_CHANGED = 2, /* of a frame: names are out of date */
    NATNET_FLAG_HIDDEN = 1   /* of a labelled marker */
};

/* ---- bytes, with their end ------------------------------------------------------------------ */

typedef struct natnet_reader {
    const uint8_t *at, *end;
    bool is_broken;
} natnet_reader;

static size_t left_in(const natnet_reader *r)
{
    return (size_t)(r->end - r->at);
}

static void skip(natnet_reader *r, size_t size)
{
    if (size > left_in(r)) {
        r->is_broken = true;
        r->at = r->end;
        return;
    }
    r->at += size;
}

static uint32_t get_u32(natnet_reader *r)
{
    const uint8_t *b = r->at;
    if (left_in(r) < 4) {
        skip(r, 4);
        return 0;
    }
    r->at += 4;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static uint32_t get_u16(natnet_reader *r)
{
    const uint8_t *b = r->at;
    skip(r, 2);
    return r->is_broken ? 0 : (uint32_t)b[0] | (uint32_t)b[1] << 8;
}

static float get_f32(natnet_reader *r)
{
    uint32_t bits = get_u32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static snw_vec3 get_vec3(natnet_reader *r)
{
    double x = get_f32(r), y = get_f32(r), z = get_f32(r);
    return snw_vec3_make(x, y, z);
}

/* Text up to its zero; what is longer than a name is cut. */
static void get_text(natnet_reader *r, char text[SNW_PACKET_NAME])
{
    const uint8_t *zero = memchr(r->at, 0, left_in(r));
    size_t length = zero ? (size_t)(zero - r->at) : 0;
    if (!zero) r->is_broken = true;
    size_t kept = length < SNW_PACKET_NAME - 1 ? length : SNW_PACKET_NAME - 1;
    memcpy(text, r->at, kept);
    text[kept] = 0;
    skip(r, zero ? length + 1 : left_in(r));
}

/* A count of things of at least `least` bytes each; broken where they cannot all be there. From 4.1
 * on the bytes of the whole section follow, which are returned. */
static int get_count(natnet_reader *r, const snw_natnet *state, size_t least, size_t *section)
{
    bool has_size = state->major > 4 || (state->major == 4 && state->minor >= 1);
    uint32_t count = get_u32(r);
    *section = has_size ? get_u32(r) : 0;
    if (*section > left_in(r) || (size_t)count > left_in(r) / least) r->is_broken = true;
    return r->is_broken ? 0 : (int)count;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool is_place(snw_vec3 place)
{
    return snw_vec3_is_finite(place) && (place.x != 0 || place.y != 0 || place.z != 0);
}

static void add_marker(snw_natnet *state, const char *name, int32_t id, snw_vec3 place)
{
    if (state->marker_count == SNW_NATNET_MARKERS_MAX) return;
    snw_natnet_marker *marker = &state->marker[state->marker_count++];
    *marker = (snw_natnet_marker){.id = id, .place = place, .is_seen = is_place(place)};
    if (name) memcpy(marker->name, name, SNW_PACKET_NAME);
}

/* Sets of markers; the one called "all" holds the others' once more. */
static void read_sets(snw_natnet *state, natnet_reader *r)
{
    size_t section;
    int count = get_count(r, state, 5, &section), named = 0;
    for (int s = 0; s < count && !r->is_broken; s++) {
        char set[SNW_PACKET_NAME];
        get_text(r, set);
        uint32_t markers = get_u32(r);
        if (markers > left_in(r) / 12) r->is_broken = true;
        bool is_all = strcmp(set, "all") == 0;
        for (uint32_t m = 0; m < markers && !r->is_broken; m++) {
            snw_vec3 place = get_vec3(r);
            if (is_all) continue;
            add_marker(state, named < state->name_count ? state->name[named] : NULL, named, place);
            named++;
        }
    }
}

static void read_unlabelled(snw_natnet *state, natnet_reader *r)
{
    size_t section;
    int count = get_count(r, state, 12, &section);
    for (int m = 0; m < count; m++) {
        snw_vec3 place = get_vec3(r);
        add_marker(state, NULL, -1 - m, place);
    }
}

static void skip_bodies(const snw_natnet *state, natnet_reader *r, bool are_skeletons)
{
    size_t section;
    int count = get_count(r, state, are_skeletons ? 8 : NATNET_BODY, &section);
    if (section > 0) {
        skip(r, section);
        return;
    }
    for (int k = 0; k < count && !r->is_broken; k++) {
        size_t bodies = 1;
        if (are_skeletons) {
            (void)get_u32(r);
            bodies = get_u32(r);
        }
        if (bodies > left_in(r) / NATNET_BODY) r->is_broken = true;
        if (!r->is_broken) skip(r, bodies * NATNET_BODY);
    }
}

static void read_labelled(snw_natnet *state, natnet_reader *r, bool is_wanted)
{
    size_t section;
    int count = get_count(r, state, NATNET_LABELLED, &section);
    for (int m = 0; m < count; m++) {
        int32_t id = (int32_t)get_u32(r);
        snw_vec3 place = get_vec3(r);
        (void)get_f32(r); /* size */
        uint32_t flags = get_u16(r);
        float residual = get_f32(r);
        if (!is_wanted) continue;
        add_marker(state, NULL, id, place);
        state->marker[state->marker_count - 1].residual = residual;
        if (flags & NATNET_FLAG_HIDDEN) state->marker[state->marker_count - 1].is_seen = false;
    }
}

static void skip_channels(const snw_natnet *state, natnet_reader *r)
{
    size_t section;
    int count = get_count(r, state, 8, &section);
    if (section > 0) {
        skip(r, section);
        return;
    }
    for (int k = 0; k < count && !r->is_broken; k++) {
        (void)get_u32(r);
        uint32_t channels = get_u32(r);
        for (uint32_t c = 0; c < channels && !r->is_broken; c++) {
            uint32_t samples = get_u32(r);
            if (samples > left_in(r) / 4) r->is_broken = true;
            if (!r->is_broken) skip(r, (size_t)samples * 4);
        }
    }
}

static void read_frame(snw_natnet *state, natnet_reader *r)
{
    size_t section;
    state->marker_count = 0;
    state->frame_number = (int32_t)get_u32(r);
    read_sets(state, r);
    bool has_sets = state->marker_count > 0;
    read_unlabelled(state, r);
    int loose = state->marker_count;
    skip_bodies(state, r, false);
    skip_bodies(state, r, true);
    if (state->major > 4 || (state->major == 4 && state->minor >= 1)) {
        (void)get_count(r, state, 8, &section);
        skip(r, section);
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
    skip(r, 8);
    uint64_t low = get_u32(r), bits = low | (uint64_t)get_u32(r) << 32;
    memcpy(&state->time, &bits, sizeof state->time);
    skip(r, 24);
    if (state->major > 4 || (state->major == 4 && state->minor >= 1)) skip(r, 8);
    state->is_changed = (get_u16(r) & NATNET_FLAG_CHANGED) != 0;
    if (!isfinite(state->time)) r->is_broken = true;
    if (r->is_broken) state->marker_count = 0;
}

static void read_model(snw_natnet *state, natnet_reader *r)
{
    bool has_size = state->major > 4 || (state->major == 4 && state->minor >= 1);
    uint32_t count = get_u32(r);
    state->name_count = 0;
    for (uint32_t k = 0; k < count && !r->is_broken; k++) {
        uint32_t type = get_u32(r), size = has_size ? get_u32(r) : 0;
        if (type != 0 && !has_size) return; /* names that were found hold */
        if (type != 0) {
            skip(r, size);
            continue;
        }
        char set[SNW_PACKET_NAME], name[SNW_PACKET_NAME];
        get_text(r, set);
        uint32_t markers = get_u32(r);
        for (uint32_t m = 0; m < markers && !r->is_broken; m++) {
            get_text(r, name);
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
    natnet_reader r = {bytes, bytes + size, false};
    if (!(state->major == 3 || (state->major == 4 && state->minor <= 1)))
        return snw__fail(error, SNW_UNSUPPORTED, "NatNet %d.%d is not read, 3.0 to 4.1 are",
                         state->major, state->minor);
    snw_natnet_kind kind = snw_natnet_kind_of(bytes, size);
    skip(&r, NATNET_PREFIX);
    if (kind == SNW_NATNET_FRAME)
        read_frame(state, &r);
    else if (kind == SNW_NATNET_MODEL)
        read_model(state, &r);
    else if (kind == SNW_NATNET_SERVER && left_in(&r) >= NATNET_SERVER_NAME + 8) {
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

typedef struct natnet_writer {
    uint8_t *bytes;
    size_t at, room;
    bool is_full;
} natnet_writer;

static void put(natnet_writer *w, const void *from, size_t size)
{
    if (w->is_full || size > w->room - w->at) {
        w->is_full = true;
        return;
    }
    if (from)
        memcpy(w->bytes + w->at, from, size);
    else
        memset(w->bytes + w->at, 0, size);
    w->at += size;
}

static void put_u32(natnet_writer *w, uint32_t v)
{
    const uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    put(w, b, sizeof b);
}

static void put_f32(natnet_writer *w, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_u32(w, bits);
}

static void put_text(natnet_writer *w, const char *text)
{
    put(w, text, strlen(text) + 1);
}

/* A section's count, and from 4.1 on its size. */
static void put_count(natnet_writer *w, const snw_natnet *state, int count, size_t size)
{
    put_u32(w, (uint32_t)count);
    if (state->major == 4 && state->minor >= 1) put_u32(w, (uint32_t)size);
}

static void put_place(natnet_writer *w, const snw_natnet_marker *marker)
{
    put_f32(w, marker->is_seen ? marker->place.x : 0);
    put_f32(w, marker->is_seen ? marker->place.y : 0);
    put_f32(w, marker->is_seen ? marker->place.z : 0);
}

static void write_frame(const snw_natnet *state, const char *set, natnet_writer *w)
{
    uint64_t bits;
    int named = 0;
    while (named < state->marker_count && state->marker[named].name[0])
        named++;
    int loose = state->marker_count - named;
    put_u32(w, (uint32_t)state->frame_number);
    put_count(w, state, named > 0, named > 0 ? strlen(set) + 5 + (size_t)named * 12 : 0);
    if (named > 0) put_text(w, set);
    if (named > 0) put_u32(w, (uint32_t)named);
    for (int m = 0; m < named; m++)
        put_place(w, &state->marker[m]);
    put_count(w, state, loose, (size_t)loose * 12);
    for (int m = named; m < state->marker_count; m++)
        put_place(w, &state->marker[m]);
    for (int empty = 0; empty < 5 + (state->major == 4 && state->minor >= 1); empty++)
        put_count(w, state, 0, 0);
    put(w, NULL, 8);
    memcpy(&bits, &state->time, sizeof bits);
    put_u32(w, (uint32_t)bits);
    put_u32(w, (uint32_t)(bits >> 32));
    put(w, NULL, 24);
    if (state->major == 4 && state->minor >= 1) put(w, NULL, 8);
    const uint8_t flags[2] = {state->is_changed ? NATNET_FLAG_CHANGED : 0, 0};
    put(w, flags, sizeof flags);
    put_u32(w, 0);
}

static void write_model(const snw_natnet *state, const char *set, natnet_writer *w)
{
    size_t size = strlen(set) + 5;
    for (int m = 0; m < state->name_count; m++)
        size += strlen(state->name[m]) + 1;
    put_u32(w, state->name_count > 0);
    if (state->name_count == 0) return;
    put_u32(w, 0);
    if (state->major == 4 && state->minor >= 1) put_u32(w, (uint32_t)size);
    put_text(w, set);
    put_u32(w, (uint32_t)state->name_count);
    for (int m = 0; m < state->name_count; m++)
        put_text(w, state->name[m]);
}

static void write_server(const snw_natnet *state, natnet_writer *w)
{
    static const char name[NATNET_SERVER_NAME] = "Sinew";
    const uint8_t versions[8] = {0, 1, 0, 0, (uint8_t)state->major, (uint8_t)state->minor, 0, 0};
    put(w, name, sizeof name);
    put(w, versions, sizeof versions);
}

size_t snw_natnet_write(const snw_natnet *state, snw_natnet_kind kind, const char *set,
                        uint8_t *bytes, size_t room)
{
    natnet_writer w = {bytes, 0, room, false};
    put(&w, NULL, NATNET_PREFIX);
    if (kind == SNW_NATNET_FRAME) write_frame(state, set, &w);
    if (kind == SNW_NATNET_MODEL) write_model(state, set, &w);
    if (kind == SNW_NATNET_SERVER) write_server(state, &w);
    if (kind == SNW_NATNET_CONNECT) put_text(&w, "Ping");
    if (w.is_full || w.at - NATNET_PREFIX > UINT16_MAX) return 0;
    size_t payload = w.at - NATNET_PREFIX;
    const uint8_t head[NATNET_PREFIX] = {(uint8_t)kind, 0, (uint8_t)payload,
                                         (uint8_t)(payload >> 8)};
    memcpy(bytes, head, sizeof head);
    return w.at;
}
