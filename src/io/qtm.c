/* Qualisys Track Manager's real-time protocol, versions 1.8 to 1.27, as its public clients show it.
 * TCP, numbers little-endian on port 22223.
 *
 *   packet     u32 size with these eight bytes | u32 kind | payload
 *   error, command, XML    text, zero
 *   data       u64 microseconds | u32 frame | u32 components, each:
 *              u32 size with these eight bytes | u32 kind | payload
 *     1  3D             u32 count | u16 drop rate | u16 out of sync | each f32 x, y, z
 *     2  no labels      the same      | each f32 x, y, z, u32 id
 *     9  3D residuals   the same      | each f32 x, y, z, residual
 *     10 no labels res. the same      | each f32 x, y, z, u32 id, f32 residual
 *   Millimetres; a hidden marker is NaN.
 *
 * A client says "Version 1.21", "GetParameters General 3D" and "StreamFrames AllFrames 3D
 * 3DNoLabels". Of the XML the names in <Label><Name>, <Frequency> and <AxisUpwards> are read. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/packet_bytes.h"

enum {
    QTM_PREFIX = 8,
    QTM_3D = 1,
    QTM_LOOSE = 2,
    QTM_3D_RESIDUALS = 9,
    QTM_LOOSE_RESIDUALS = 10
};

size_t snw_qtm_size(const uint8_t *bytes, size_t size)
{
    if (size < 4) return 0;
    snw__bytes in = snw__bytes_of(bytes, size, false);
    uint32_t whole = snw__get_u32(&in);
    return whole < QTM_PREFIX || whole > SNW_QTM_PACKET ? SIZE_MAX : whole;
}

snw_qtm_kind snw_qtm_kind_of(const uint8_t *bytes, size_t size)
{
    snw__bytes in = snw__bytes_of(bytes, size, false);
    snw__bytes_skip(&in, 4);
    uint32_t kind = snw__get_u32(&in);
    bool is_known = kind <= SNW_QTM_NO_MORE || kind == SNW_QTM_EVENT;
    return in.is_broken || !is_known ? SNW_QTM_OTHER : (snw_qtm_kind)kind;
}

const char *snw_qtm_text(const uint8_t *bytes, size_t size)
{
    snw_qtm_kind kind = snw_qtm_kind_of(bytes, size);
    bool has_text = kind == SNW_QTM_ERROR || kind == SNW_QTM_COMMAND;
    return has_text && memchr(bytes + QTM_PREFIX, 0, size - QTM_PREFIX)
               ? (const char *)bytes + QTM_PREFIX
               : "";
}

/* ---- XML ------------------------------------------------------------------------------------ */

typedef struct qtm_span {
    const char *at, *end;
} qtm_span;

/* Behind the next `word`; NULL: there is none. */
static const char *behind(qtm_span text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text.at; (size_t)(text.end - at) >= length; at++) {
        at = memchr(at, word[0], (size_t)(text.end - at));
        if (!at || (size_t)(text.end - at) < length) return NULL;
        if (memcmp(at, word, length) == 0) return at + length;
    }
    return NULL;
}

/* What stands between the next `open` and the "<" behind it. */
static bool find_value(qtm_span *text, const char *open, qtm_span *value)
{
    const char *at = behind(*text, open);
    if (!at) return false;
    const char *end = memchr(at, '<', (size_t)(text->end - at));
    if (!end) return false;
    *value = (qtm_span){at, end};
    text->at = end;
    return true;
}

/* A name, with XML's five entities as the characters they mean. */
static void copy_name(qtm_span value, char name[SNW_PACKET_NAME])
{
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    int length = 0;
    while (value.at < value.end && length < SNW_PACKET_NAME - 1) {
        char c = *value.at++;
        for (int k = 0; k < 5 && c == '&'; k++) {
            size_t size = strlen(entity[k]) - 1;
            if ((size_t)(value.end - value.at) < size || memcmp(value.at, entity[k] + 1, size) != 0)
                continue;
            value.at += size;
            c = "&<>\"'"[k];
            break;
        }
        name[length++] = c;
    }
    name[length] = 0;
}

/* ---- data ----------------------------------------------------------------------------------- */

static void read_points(snw_packet_frame *frame, snw__bytes in, uint32_t kind)
{
    bool is_loose = kind == QTM_LOOSE || kind == QTM_LOOSE_RESIDUALS;
    bool has_residual = kind == QTM_3D_RESIDUALS || kind == QTM_LOOSE_RESIDUALS;
    size_t more = 4 * ((size_t)is_loose + has_residual);
    uint32_t count = snw__get_u32(&in);
    snw__bytes_skip(&in, 4);
    if (count > snw__bytes_left(&in) / (12 + more)) return;
    for (uint32_t k = 0; k < count; k++) {
        snw_vec3 place = snw_vec3_scale(snw__get_vec3f(&in), 0.001);
        snw__bytes_skip(&in, more);
        snw_packet_point *point = is_loose || k >= (uint32_t)frame->name_count
                                      ? snw__packet_add(frame)
                                      : &frame->point[k];
        if (!point) return;
        point->is_seen = snw_vec3_is_finite(place);
        point->place = point->is_seen ? place : snw_vec3_make(0, 0, 0);
    }
}

static snw_status read_data(snw_packet_frame *frame, snw__bytes in, snw_error *error)
{
    frame->count = frame->name_count;
    for (int k = 0; k < frame->count; k++)
        frame->point[k].is_seen = false;
    double time = 1e-6 * (double)snw__get_u64(&in);
    uint32_t number = snw__get_u32(&in), components = snw__get_u32(&in);
    snw__bytes labelled = {0}, loose = {0};
    uint32_t labelled_kind = 0, loose_kind = 0;
    for (uint32_t k = 0; k < components && !in.is_broken; k++) {
        uint32_t size = snw__get_u32(&in), kind = snw__get_u32(&in);
        if (size < QTM_PREFIX || size - QTM_PREFIX > snw__bytes_left(&in)) in.is_broken = true;
        if (in.is_broken) break;
        snw__bytes inside = snw__bytes_of(in.at, size - QTM_PREFIX, false);
        if (kind == QTM_3D || kind == QTM_3D_RESIDUALS) labelled = inside, labelled_kind = kind;
        if (kind == QTM_LOOSE || kind == QTM_LOOSE_RESIDUALS) loose = inside, loose_kind = kind;
        snw__bytes_skip(&in, size - QTM_PREFIX);
    }
    if (in.is_broken) return snw__fail(error, SNW_FORMAT, "the data packet of QTM breaks off");
    frame->time = time;
    frame->number = number;
    if (labelled_kind) read_points(frame, labelled, labelled_kind);
    if (loose_kind) read_points(frame, loose, loose_kind);
    return snw__succeed(error);
}

snw_status snw_qtm_read(snw_packet_frame *frame, const uint8_t *bytes, size_t size,
                        snw_error *error)
{
    snw_qtm_kind kind = snw_qtm_kind_of(bytes, size);
    if (kind == SNW_QTM_OTHER || snw_qtm_size(bytes, size) != size)
        return snw__fail(error, SNW_FORMAT, "the packet is none of QTM");
    snw__bytes in = snw__bytes_of(bytes, size, false);
    snw__bytes_skip(&in, QTM_PREFIX);
    if (kind == SNW_QTM_DATA) return read_data(frame, in, error);
    if (kind == SNW_QTM_XML) {
        qtm_span text = (qtm_span){(const char *)in.at, (const char *)in.end};
        static const char *const axes[] = {"+X", "+Y", "+Z", "-X", "-Y", "-Z"};
        qtm_span value, general = text, space = text;
        double rate;
        if (find_value(&general, "<Frequency>", &value) &&
            snw_parse_double(value.at, value.end, &rate) && rate > 0 && isfinite(rate))
            frame->rate = rate;
        if (find_value(&space, "<AxisUpwards>", &value) && value.end - value.at == 2)
            for (int k = 0; k < 6; k++)
                if (memcmp(value.at, axes[k], 2) == 0) frame->up = (snw_up_axis)(SNW_UP_X + k);
        const char *labels = behind(text, "<The_3D>");
        if (labels) {
            frame->count = 0;
            text.at = labels;
            const char *at;
            while ((at = behind(text, "<Label>")) != NULL) {
                text.at = at;
                if (!find_value(&text, "<Name>", &value)) break;
                snw_packet_point *point = snw__packet_add(frame);
                if (point) copy_name(value, point->name);
            }
            frame->name_count = frame->count;
        }
    }
    return snw__succeed(error);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void put_words(snw__room *out, const char *words)
{
    snw__put_bytes(out, words, strlen(words));
}

/* Points with names as 3D, the others without labels. */
static void put_component(snw__room *out, const snw_packet_frame *frame, bool is_loose)
{
    uint32_t count = 0, each = is_loose ? 16 : 12;
    for (int k = 0; k < frame->count; k++)
        count += !frame->point[k].name[0] == is_loose;
    snw__put_u32(out, QTM_PREFIX + 8 + count * each);
    snw__put_u32(out, is_loose ? QTM_LOOSE : QTM_3D);
    snw__put_u32(out, count);
    snw__put_u32(out, 0);
    for (int k = 0; k < frame->count; k++) {
        const snw_packet_point *point = &frame->point[k];
        if (!point->name[0] != is_loose) continue;
        const double place[3] = {point->place.x, point->place.y, point->place.z};
        for (int axis = 0; axis < 3; axis++)
            snw__put_f32(out, point->is_seen ? 1000 * place[axis] : NAN);
        if (is_loose) snw__put_u32(out, (uint32_t)k + 1);
    }
}

size_t snw_qtm_write(snw_qtm_kind kind, const char *text, const snw_packet_frame *frame,
                     uint8_t *bytes, size_t room)
{
    snw__room out = snw__room_of(bytes, room, false);
    snw__put_u32(&out, 0);
    snw__put_u32(&out, (uint32_t)kind);
    if (kind == SNW_QTM_ERROR || kind == SNW_QTM_COMMAND) snw__packet_text(&out, text);
    if (kind == SNW_QTM_XML) {
        static const char *const axes[] = {"+Z", "+X", "+Y", "+Z", "-X", "-Y", "-Z"};
        char head[256];
        (void)snw_format(head, sizeof head,
                         "<QTM_Parameters_Ver_1.21><General><Frequency>%.10g</Frequency></General>"
                         "<The_3D><AxisUpwards>%s</AxisUpwards><Labels>%d</Labels>",
                         frame->rate, axes[frame->up], frame->count);
        put_words(&out, head);
        for (int k = 0; k < frame->count; k++) {
            if (!frame->point[k].name[0]) continue;
            put_words(&out, "<Label><Name>");
            const char *name = frame->point[k].name;
            for (; *name; name++) {
                if (*name == '&')
                    put_words(&out, "&amp;");
                else if (*name == '<')
                    put_words(&out, "&lt;");
                else
                    snw__put_bytes(&out, name, 1);
            }
            put_words(&out, "</Name></Label>");
        }
        snw__packet_text(&out, "</The_3D></QTM_Parameters_Ver_1.21>");
    }
    if (kind == SNW_QTM_DATA) {
        snw__put_u64(&out, (uint64_t)(1e6 * frame->time));
        snw__put_u32(&out, (uint32_t)frame->number);
        snw__put_u32(&out, 2);
        put_component(&out, frame, false);
        put_component(&out, frame, true);
    }
    if (out.is_full || out.at > SNW_QTM_PACKET) return 0;
    snw__room head = snw__room_of(bytes, 4, false);
    snw__put_u32(&head, (uint32_t)out.at);
    return out.at;
}
