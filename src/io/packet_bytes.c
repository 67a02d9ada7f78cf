/* Numbers and texts of packets, in either order of bytes. */
#include "io/packet_bytes.h"

#include <string.h>

/* ---- reading -------------------------------------------------------------------------------- */

snw__bytes snw__bytes_of(const uint8_t *bytes, size_t size, bool is_big)
{
    return (snw__bytes){bytes, bytes + size, is_big, false};
}

size_t snw__bytes_left(const snw__bytes *in)
{
    return (size_t)(in->end - in->at);
}

void snw__bytes_skip(snw__bytes *in, size_t size)
{
    if (size > snw__bytes_left(in)) {
        in->is_broken = true;
        in->at = in->end;
        return;
    }
    in->at += size;
}

static uint64_t get_number(snw__bytes *in, int size)
{
    const uint8_t *bytes = in->at;
    uint64_t value = 0;
    if (snw__bytes_left(in) < (size_t)size) {
        snw__bytes_skip(in, (size_t)size);
        return 0;
    }
    in->at += size;
    for (int k = 0; k < size; k++)
        value |= (uint64_t)bytes[k] << 8 * (in->is_big ? size - 1 - k : k);
    return value;
}

uint32_t snw__get_u16(snw__bytes *in)
{
    return (uint32_t)get_number(in, 2);
}

uint32_t snw__get_u32(snw__bytes *in)
{
    return (uint32_t)get_number(in, 4);
}

uint64_t snw__get_u64(snw__bytes *in)
{
    return get_number(in, 8);
}

float snw__get_f32(snw__bytes *in)
{
    uint32_t bits = snw__get_u32(in);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double snw__get_f64(snw__bytes *in)
{
    uint64_t bits = snw__get_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

snw_vec3 snw__get_vec3f(snw__bytes *in)
{
    double x = snw__get_f32(in), y = snw__get_f32(in), z = snw__get_f32(in);
    return snw_vec3_make(x, y, z);
}

void snw__get_text(snw__bytes *in, char text[SNW_PACKET_NAME])
{
    const uint8_t *zero = memchr(in->at, 0, snw__bytes_left(in));
    size_t length = zero ? (size_t)(zero - in->at) : 0;
    if (!zero) in->is_broken = true;
    size_t kept = length < SNW_PACKET_NAME - 1 ? length : SNW_PACKET_NAME - 1;
    memcpy(text, in->at, kept);
    text[kept] = 0;
    snw__bytes_skip(in, zero ? length + 1 : snw__bytes_left(in));
}

/* ---- writing -------------------------------------------------------------------------------- */

snw__room snw__room_of(uint8_t *bytes, size_t room, bool is_big)
{
    return (snw__room){bytes, 0, room, is_big, false};
}

void snw__put_bytes(snw__room *out, const void *from, size_t size)
{
    if (out->is_full || size > out->room - out->at) {
        out->is_full = true;
        return;
    }
    if (from)
        memcpy(out->bytes + out->at, from, size);
    else
        memset(out->bytes + out->at, 0, size);
    out->at += size;
}

static void put_number(snw__room *out, uint64_t value, int size)
{
    uint8_t bytes[8];
    for (int k = 0; k < size; k++)
        bytes[k] = (uint8_t)(value >> 8 * (out->is_big ? size - 1 - k : k));
    snw__put_bytes(out, bytes, (size_t)size);
}

void snw__put_u16(snw__room *out, uint32_t value)
{
    put_number(out, value, 2);
}

void snw__put_u32(snw__room *out, uint32_t value)
{
    put_number(out, value, 4);
}

void snw__put_u64(snw__room *out, uint64_t value)
{
    put_number(out, value, 8);
}

void snw__put_f32(snw__room *out, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    snw__put_u32(out, bits);
}

void snw__put_f64(snw__room *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    snw__put_u64(out, bits);
}

void snw__packet_text(snw__room *out, const char *text)
{
    snw__put_bytes(out, text, strlen(text) + 1);
}

/* ---- points --------------------------------------------------------------------------------- */

snw_packet_point *snw__packet_add(snw_packet_frame *frame)
{
    if (frame->count >= frame->room) return NULL;
    snw_packet_point *point = &frame->point[frame->count++];
    *point = (snw_packet_point){.rotation = snw_quat_identity()};
    return point;
}

snw_packet_point *snw__packet_point(snw_packet_frame *frame, const char *name)
{
    for (int k = 0; k < frame->count; k++)
        if (strcmp(frame->point[k].name, name) == 0) return &frame->point[k];
    snw_packet_point *point = snw__packet_add(frame);
    if (point) (void)snw_format(point->name, sizeof point->name, "%s", name);
    return point;
}
