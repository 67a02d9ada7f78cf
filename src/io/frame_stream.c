/* Frames for programs that speak none of the trackers' protocols: one JSON text each, or the same
 * as bytes. sinew/packet.h has both layouts.
 *
 * The reader of JSON (RFC 8259) takes what it is asked for on the way and passes over the rest;
 * nesting is bounded, names keep their bytes but for the two-character escapes. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/packet_bytes.h"
#include "view/sighting.h"

enum {
    STREAM_DEPTH_MAX = 32,
    STREAM_ROTATIONS = 1, /* flag */
    STREAM_SIGHTS = 32    /* of a point */
};

static const char *const stream_axes[] = {"", "x", "y", "z", "-x", "-y", "-z"};

/* ---- JSON ----------------------------------------------------------------------------------- */

typedef struct stream_text {
    const char *at, *end;
    bool is_broken;
    snw_packet_views *views;        /* NULL: what cameras saw is passed over */
    char stranger[SNW_PACKET_NAME]; /* a camera without calibration, or "" */
} stream_text;

/* The next character that counts, 0 at the end. */
static char peek(stream_text *t)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r'))
        t->at++;
    return t->at < t->end && !t->is_broken ? *t->at : 0;
}

static bool take(stream_text *t, char c)
{
    if (peek(t) != c || c == 0) return false;
    t->at++;
    return true;
}

static void expect(stream_text *t, char c)
{
    if (!take(t, c)) t->is_broken = true;
}

/* A text; what is longer than a name is cut. */
static void take_text(stream_text *t, char name[SNW_PACKET_NAME])
{
    int length = 0;
    expect(t, '"');
    while (t->at < t->end && *t->at != '"' && !t->is_broken) {
        char c = *t->at++;
        if (c == '\\' && t->at < t->end) {
            c = *t->at++;
            if (c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f') c = ' ';
        } else if ((unsigned char)c < ' ') {
            t->is_broken = true;
        }
        if (length < SNW_PACKET_NAME - 1) name[length++] = c;
    }
    name[length] = 0;
    if (t->at == t->end) t->is_broken = true;
    if (!t->is_broken) t->at++;
}

static double take_number(stream_text *t)
{
    double value = 0;
    (void)peek(t);
    const char *end = t->is_broken ? NULL : snw_parse_double(t->at, t->end, &value);
    if (!end || !isfinite(value)) {
        t->is_broken = true;
        return 0;
    }
    t->at = end;
    return value;
}

static bool take_word(stream_text *t, const char *word)
{
    size_t length = strlen(word);
    (void)peek(t);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) return false;
    t->at += length;
    return true;
}

/* Any value that nobody wants. */
static void pass_value(stream_text *t)
{
    char name[SNW_PACKET_NAME], open[STREAM_DEPTH_MAX];
    int depth = 0;
    do {
        char c = peek(t);
        if (depth > 0 && (c == '}' || c == ']')) {
            if (open[--depth] != c) t->is_broken = true;
            t->at++;
        } else if (c == '{' || c == '[') {
            if (depth == STREAM_DEPTH_MAX) t->is_broken = true;
            if (!t->is_broken) open[depth++] = c == '{' ? '}' : ']';
            t->at++;
        } else if (c == '"') {
            take_text(t, name);
        } else if (depth > 0 && (c == ',' || c == ':')) {
            t->at++;
        } else if (!take_word(t, "null") && !take_word(t, "true") && !take_word(t, "false")) {
            (void)take_number(t);
        }
    } while (depth > 0 && !t->is_broken);
}

/* null, [x, y, z] or [x, y, z, w, x, y, z]. */
static void take_place(stream_text *t, snw_packet_point *point)
{
    double n[7] = {0};
    int count = 0;
    if (take_word(t, "null")) return;
    expect(t, '[');
    do {
        if (count == 7) t->is_broken = true;
        if (!t->is_broken) n[count++] = take_number(t);
    } while (take(t, ','));
    expect(t, ']');
    snw_quat q = snw_quat_make(n[3], n[4], n[5], n[6]);
    if (count == 7 && !(snw_quat_dot(q, q) > 0 && snw_quat_dot(q, q) < INFINITY))
        t->is_broken = true;
    if (t->is_broken || (count != 3 && count != 7)) {
        t->is_broken = true;
        return;
    }
    point->place = snw_vec3_make(n[0], n[1], n[2]);
    point->is_seen = true;
    point->has_rotation = count == 7;
    if (count == 7) point->rotation = snw_quat_normalize(q);
}

/* [x, y] or [x, y, confidence]; null is not seen. */
static void take_sight(stream_text *t, snw_packet_frame *frame, int camera, const char *name)
{
    double n[3] = {0, 0, 1};
    int count = 0;
    if (take_word(t, "null")) return;
    expect(t, '[');
    do {
        if (count == 3) t->is_broken = true;
        if (!t->is_broken) n[count++] = take_number(t);
    } while (take(t, ','));
    expect(t, ']');
    if (count < 2) t->is_broken = true;
    snw_packet_point *point = t->is_broken ? NULL : snw__packet_point(frame, name);
    if (!point || !(n[2] > 0) || t->views->count == t->views->room) return;
    /* Where it was a moment ago: hidden points keep their place. */
    bool is_known = snw_vec3_length2(point->place) > 0;
    const snw_camera *at = t->views->cameras->camera + camera;
    t->views->sight[t->views->count++] = (snw_packet_sight){
        (int)(point - frame->point),
        {camera, {n[0], n[1]}, snw__keypoint_sigma(at, is_known ? &point->place : NULL, n[2])}};
}

static void take_views(stream_text *t, snw_packet_frame *frame)
{
    char name[SNW_PACKET_NAME];
    expect(t, '{');
    if (take(t, '}')) return;
    do {
        take_text(t, name);
        expect(t, ':');
        int camera = snw_cameras_find(t->views->cameras, name);
        if (camera < 0 && !t->is_broken) {
            memcpy(t->stranger, name, sizeof name);
            t->is_broken = true;
        }
        expect(t, '{');
        if (take(t, '}')) continue;
        do {
            take_text(t, name);
            expect(t, ':');
            if (!t->is_broken) take_sight(t, frame, camera, name);
        } while (take(t, ',') && !t->is_broken);
        expect(t, '}');
    } while (take(t, ',') && !t->is_broken);
    expect(t, '}');
}

/* Points that two cameras agree on are where their rays meet. */
static void place_seen(snw_packet_frame *frame, const snw_packet_views *views)
{
    for (int p = 0; p < frame->count; p++) {
        snw_packet_point *point = frame->point + p;
        snw_sighting seen[STREAM_SIGHTS];
        snw_triangulated found;
        int count = 0;
        for (int n = 0; n < views->count && count < STREAM_SIGHTS; n++)
            if (views->sight[n].point == p) seen[count++] = views->sight[n].seen;
        const snw_vec3 *near = snw_vec3_length2(point->place) > 0 ? &point->place : NULL;
        if (count < 2 || snw_triangulate(views->cameras, seen, count, near, &found, NULL) != SNW_OK)
            continue;
        point->place = found.place;
        point->is_seen = true;
    }
}

static void take_key(stream_text *t, snw_packet_frame *frame)
{
    char key[SNW_PACKET_NAME], word[SNW_PACKET_NAME];
    take_text(t, key);
    expect(t, ':');
    if (strcmp(key, "points") == 0) {
        char name[SNW_PACKET_NAME];
        snw_packet_point unwanted;
        expect(t, '{');
        if (take(t, '}')) return;
        do {
            take_text(t, name);
            expect(t, ':');
            snw_packet_point *point = t->is_broken ? NULL : snw__packet_point(frame, name);
            take_place(t, point ? point : &unwanted);
        } while (take(t, ',') && !t->is_broken);
        expect(t, '}');
    } else if (strcmp(key, "loose") == 0) {
        snw_packet_point unwanted;
        expect(t, '[');
        if (take(t, ']')) return;
        do {
            snw_packet_point *point = t->is_broken ? NULL : snw__packet_add(frame);
            take_place(t, point ? point : &unwanted);
        } while (take(t, ',') && !t->is_broken);
        expect(t, ']');
    } else if (strcmp(key, "views") == 0 && t->views) {
        take_views(t, frame);
    } else if (strcmp(key, "up") == 0) {
        take_text(t, word);
        for (int k = SNW_UP_X; k <= SNW_UP_NEGATIVE_Z; k++)
            if (strcmp(word, stream_axes[k]) == 0) frame->up = (snw_up_axis)k;
    } else if (strcmp(key, "frame") == 0) {
        double number = take_number(t);
        if (fabs(number) < 1e15) frame->number = (int64_t)number;
    } else if (strcmp(key, "time") == 0) {
        frame->time = take_number(t);
    } else if (strcmp(key, "rate") == 0) {
        double rate = take_number(t);
        if (rate > 0) frame->rate = rate;
    } else {
        pass_value(t);
    }
}

/* Points that nobody named are of one frame alone. */
static void hide_all(snw_packet_frame *frame)
{
    int kept = 0;
    for (int k = 0; k < frame->count; k++)
        if (frame->point[k].name[0]) frame->point[kept++] = frame->point[k];
    frame->count = kept;
    for (int k = 0; k < kept; k++)
        frame->point[k].is_seen = false;
}

snw_status snw_packet_read_views(snw_packet_frame *frame, snw_packet_views *views, const char *text,
                                 size_t size, snw_error *error)
{
    stream_text t = {.at = text, .end = text + size, .views = views};
    hide_all(frame);
    frame->number = -1;
    frame->time = NAN;
    if (views) views->count = 0;
    expect(&t, '{');
    if (!take(&t, '}')) {
        do
            take_key(&t, frame);
        while (take(&t, ',') && !t.is_broken);
        expect(&t, '}');
    }
    if (!t.is_broken && peek(&t) == 0) {
        if (views) place_seen(frame, views);
        return snw__succeed(error);
    }
    hide_all(frame);
    if (t.stranger[0])
        return snw__fail(error, SNW_FORMAT, "camera \"%s\" has no calibration", t.stranger);
    return snw__fail_at(error, SNW_FORMAT, snw__at_byte((int64_t)(t.at - text)),
                        "the JSON of a frame is broken at byte %lld", (long long)(t.at - text));
}

snw_status snw_packet_read_json(snw_packet_frame *frame, const char *text, size_t size,
                                snw_error *error)
{
    return snw_packet_read_views(frame, NULL, text, size, error);
}

/* ---- JSON out ------------------------------------------------------------------------------- */

static void put_words(snw__room *out, const char *words)
{
    snw__put_bytes(out, words, strlen(words));
}

static void put_number(snw__room *out, const char *before, double value)
{
    char number[SNW_NUMBER_SIZE];
    put_words(out, before);
    /* As floats: a ten thousandth of a millimetre. */
    (void)snw_print_float(number, (float)value);
    put_words(out, isfinite(value) ? number : "0");
}

static void put_quoted(snw__room *out, const char *text)
{
    put_words(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') put_words(out, "\\");
        snw__put_bytes(out, (unsigned char)*text < ' ' ? " " : text, 1);
    }
    put_words(out, "\"");
}

static void put_points(snw__room *out, const snw_packet_frame *frame, bool is_loose)
{
    const char *between = "";
    put_words(out, is_loose ? ",\"loose\":[" : ",\"points\":{");
    for (int k = 0; k < frame->count; k++) {
        const snw_packet_point *point = &frame->point[k];
        if (!point->name[0] != is_loose || (is_loose && !point->is_seen)) continue;
        put_words(out, between);
        between = ",";
        if (!is_loose) put_quoted(out, point->name);
        if (!is_loose) put_words(out, ":");
        if (!point->is_seen) {
            put_words(out, "null");
            continue;
        }
        put_number(out, "[", point->place.x);
        put_number(out, ",", point->place.y);
        put_number(out, ",", point->place.z);
        if (point->has_rotation) {
            put_number(out, ",", point->rotation.w);
            put_number(out, ",", point->rotation.x);
            put_number(out, ",", point->rotation.y);
            put_number(out, ",", point->rotation.z);
        }
        put_words(out, "]");
    }
    put_words(out, is_loose ? "]" : "}");
}

size_t snw_packet_write_json(const snw_packet_frame *frame, char *text, size_t room)
{
    snw__room out = snw__room_of((uint8_t *)text, room, false);
    char words[96], number[SNW_NUMBER_SIZE];
    (void)snw_format(words, sizeof words, "{\"frame\":%lld", (long long)frame->number);
    put_words(&out, words);
    if (isfinite(frame->time)) {
        (void)snw_print_double(number, frame->time);
        put_words(&out, ",\"time\":");
        put_words(&out, number);
    }
    if (frame->rate > 0) put_number(&out, ",\"rate\":", frame->rate);
    if (frame->up != SNW_UP_UNKNOWN) {
        put_words(&out, ",\"up\":");
        put_quoted(&out, stream_axes[frame->up]);
    }
    put_points(&out, frame, false);
    put_points(&out, frame, true);
    snw__packet_text(&out, "}");
    return out.is_full ? 0 : out.at - 1;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

snw_status snw_packet_read_bytes(snw_packet_frame *frame, const uint8_t *bytes, size_t size,
                                 snw_error *error)
{
    snw__bytes in = snw__bytes_of(bytes, size, false);
    bool is_ours = size >= 4 && memcmp(bytes, "SNWF", 4) == 0;
    snw__bytes_skip(&in, 4);
    uint32_t flags = snw__get_u32(&in);
    int64_t number = (int64_t)snw__get_u64(&in);
    double time = snw__get_f64(&in);
    uint32_t count = snw__get_u32(&in);
    size_t each = flags & STREAM_ROTATIONS ? 28 : 12;
    if (!is_ours || in.is_broken || snw__bytes_left(&in) != (uint64_t)count * each)
        return snw__fail(error, SNW_FORMAT, "the %lld bytes are no frame of %u points",
                         (long long)size, (unsigned)count);
    hide_all(frame);
    frame->number = number;
    frame->time = time;
    for (uint32_t k = 0; k < count; k++) {
        bool is_named = k < (uint32_t)frame->count;
        snw_packet_point *point = is_named ? &frame->point[k] : snw__packet_add(frame);
        snw_vec3 place = snw__get_vec3f(&in);
        snw_quat q = snw_quat_identity();
        if (each == 28) {
            q.w = snw__get_f32(&in), q.x = snw__get_f32(&in);
            q.y = snw__get_f32(&in), q.z = snw__get_f32(&in);
        }
        if (!point) break;
        bool is_turn = snw_quat_dot(q, q) > 0 && snw_quat_dot(q, q) < INFINITY;
        point->is_seen = snw_vec3_is_finite(place) && is_turn;
        point->has_rotation = each == 28;
        point->place = point->is_seen ? place : snw_vec3_make(0, 0, 0);
        point->rotation = is_turn ? snw_quat_normalize(q) : snw_quat_identity();
    }
    return snw__succeed(error);
}

size_t snw_packet_write_bytes(const snw_packet_frame *frame, uint8_t *bytes, size_t room)
{
    snw__room out = snw__room_of(bytes, room, false);
    bool has_rotations = false;
    for (int k = 0; k < frame->count; k++)
        has_rotations |= frame->point[k].has_rotation;
    snw__put_bytes(&out, "SNWF", 4);
    snw__put_u32(&out, has_rotations ? STREAM_ROTATIONS : 0);
    snw__put_u64(&out, (uint64_t)frame->number);
    snw__put_f64(&out, frame->time);
    snw__put_u32(&out, (uint32_t)frame->count);
    for (int k = 0; k < frame->count; k++) {
        const snw_packet_point *point = &frame->point[k];
        const double number[7] = {point->place.x,    point->place.y,    point->place.z,
                                  point->rotation.w, point->rotation.x, point->rotation.y,
                                  point->rotation.z};
        for (int n = 0; n < (has_rotations ? 7 : 3); n++)
            snw__put_f32(&out, n < 3 && !point->is_seen ? NAN : number[n]);
    }
    return out.is_full ? 0 : out.at;
}
