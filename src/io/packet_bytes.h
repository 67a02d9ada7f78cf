/* Bytes of a packet with their end: nothing is read or written behind it. Internal to io.
 *
 *     snw__bytes in = snw__bytes_of(bytes, size, false);
 *     uint32_t count = snw__get_u32(&in);
 *     if (in.is_broken) ... // it was not all there; what was read is 0
 */
#ifndef SNW_IO_PACKET_BYTES_H
#define SNW_IO_PACKET_BYTES_H

#include <sinew/packet.h>

typedef struct snw__bytes {
    const uint8_t *at, *end;
    bool is_big; /* the most significant byte comes first */
    bool is_broken;
} snw__bytes;

snw__bytes snw__bytes_of(const uint8_t *bytes, size_t size, bool is_big);
size_t snw__bytes_left(const snw__bytes *in);
void snw__bytes_skip(snw__bytes *in, size_t size);
/* All numbers are 0 where the bytes end before them. */
uint32_t snw__get_u16(snw__bytes *in);
uint32_t snw__get_u32(snw__bytes *in);
uint64_t snw__get_u64(snw__bytes *in);
float snw__get_f32(snw__bytes *in);
double snw__get_f64(snw__bytes *in);
snw_vec3 snw__get_vec3f(snw__bytes *in);
/* Text up to its zero; what is longer than a name is cut. */
void snw__get_text(snw__bytes *in, char text[SNW_PACKET_NAME]);

typedef struct snw__room {
    uint8_t *bytes;
    size_t at, room;
    bool is_big;
    bool is_full; /* it did not all fit */
} snw__room;

snw__room snw__room_of(uint8_t *bytes, size_t room, bool is_big);
/* from NULL: zeros. */
void snw__put_bytes(snw__room *out, const void *from, size_t size);
void snw__put_u16(snw__room *out, uint32_t value);
void snw__put_u32(snw__room *out, uint32_t value);
void snw__put_u64(snw__room *out, uint64_t value);
void snw__put_f32(snw__room *out, double value);
void snw__put_f64(snw__room *out, double value);
/* With its zero. */
void snw__packet_text(snw__room *out, const char *text);

/* A point more of a frame, with nothing known of it; NULL: there is no room. */
snw_packet_point *snw__packet_add(snw_packet_frame *frame);
/* The point of that name, added where there is none; NULL: there is no room. */
snw_packet_point *snw__packet_point(snw_packet_frame *frame, const char *name);

#endif
