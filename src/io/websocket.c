/* Frames of the WebSocket protocol (RFC 6455, section 5) and the handshake's answer
 * (section 4.2.2).
 *
 *   bit 7 last frame of a message, bits 6-4 zero, bits 3-0 kind
 *   bit 7 masked, bits 6-0 length; 126: u16, 127: u64 follow, big-endian
 *   [4 bytes mask] | payload, byte k xor mask[k % 4]
 */
#include <string.h>

#include "base/fail.h"
#include "io/packet_bytes.h"

enum {
    WEBSOCKET_CONTROL_MAX = 125,
    WEBSOCKET_SHA1 = 20,
    WEBSOCKET_BLOCK = 64
};

bool snw_websocket_read(const uint8_t *bytes, size_t size, snw_websocket_frame *frame,
                        snw_error *error)
{
    snw__bytes in = snw__bytes_of(bytes, size, true);
    uint32_t head = snw__get_u16(&in), kind = head >> 8 & 15;
    uint64_t length = head & 127;
    (void)snw__succeed(error);
    if (in.is_broken) return false;
    if (length == 126) length = snw__get_u16(&in);
    if (length == 127) length = snw__get_u64(&in);
    *frame = (snw_websocket_frame){
        .kind = (int)kind, .is_last = head >> 15, .is_masked = head >> 7 & 1, .payload = length};
    bool is_control = kind >= SNW_WEBSOCKET_CLOSE;
    bool is_known = is_control ? kind <= SNW_WEBSOCKET_PONG : kind <= SNW_WEBSOCKET_BYTES;
    bool is_bad_control = is_control && ((head & 127) > WEBSOCKET_CONTROL_MAX || !frame->is_last);
    if ((head & 0x7000) || !is_known || is_bad_control || length >> 63) {
        (void)snw__fail(error, SNW_FORMAT, "the bytes are no frame of a WebSocket");
        return false;
    }
    for (int k = 0; k < 4 && frame->is_masked; k++) {
        if (snw__bytes_left(&in) > 0) frame->mask[k] = *in.at;
        snw__bytes_skip(&in, 1);
    }
    frame->head = (size_t)(in.at - bytes);
    return !in.is_broken;
}

size_t snw_websocket_write(int kind, uint64_t payload, const uint8_t *mask,
                           uint8_t bytes[SNW_WEBSOCKET_PREFIX])
{
    snw__room out = snw__room_of(bytes, SNW_WEBSOCKET_PREFIX, true);
    uint32_t length = payload <= WEBSOCKET_CONTROL_MAX ? (uint32_t)payload
                      : payload <= UINT16_MAX          ? 126
                                                       : 127;
    snw__put_u16(&out, 0x8000u | (uint32_t)kind << 8 | (mask ? 0x80u : 0) | length);
    if (length == 126) snw__put_u16(&out, (uint32_t)payload);
    if (length == 127) snw__put_u64(&out, payload);
    if (mask) snw__put_bytes(&out, mask, 4);
    return out.at;
}

void snw_websocket_mask(const uint8_t mask[4], uint8_t *payload, size_t size)
{
    for (size_t k = 0; k < size; k++)
        payload[k] ^= mask[k % 4];
}

/* ---- the handshake -------------------------------------------------------------------------- */

static uint32_t turn_left(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

/* SHA-1 (FIPS 180-4, section 6.1) of one block; the protocol asks for it, nothing else should. */
static void add_block(const uint8_t block[WEBSOCKET_BLOCK], uint32_t hash[5])
{
    static const uint32_t constant[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t word[80], v[5];
    snw__bytes in = snw__bytes_of(block, WEBSOCKET_BLOCK, true);
    for (int t = 0; t < 16; t++)
        word[t] = snw__get_u32(&in);
    for (int t = 16; t < 80; t++)
        word[t] = turn_left(word[t - 3] ^ word[t - 8] ^ word[t - 14] ^ word[t - 16], 1);
    memcpy(v, hash, sizeof v);
    for (int t = 0; t < 80; t++) {
        uint32_t parity = v[1] ^ v[2] ^ v[3];
        uint32_t mixed = t < 20              ? ((v[1] & v[2]) | (~v[1] & v[3]))
                         : t >= 40 && t < 60 ? ((v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]))
                                             : parity;
        uint32_t next = turn_left(v[0], 5) + mixed + v[4] + constant[t / 20] + word[t];
        v[4] = v[3], v[3] = v[2], v[2] = turn_left(v[1], 30), v[1] = v[0], v[0] = next;
    }
    for (int k = 0; k < 5; k++)
        hash[k] += v[k];
}

static void sha1(const uint8_t *bytes, size_t size, uint8_t digest[WEBSOCKET_SHA1])
{
    uint32_t hash[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t last[2 * WEBSOCKET_BLOCK] = {0};
    size_t whole = size / WEBSOCKET_BLOCK * WEBSOCKET_BLOCK, rest = size - whole;
    size_t end = rest + 9 <= WEBSOCKET_BLOCK ? WEBSOCKET_BLOCK : 2 * WEBSOCKET_BLOCK;
    for (size_t at = 0; at < whole; at += WEBSOCKET_BLOCK)
        add_block(bytes + at, hash);
    memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    snw__room length = snw__room_of(last + end - 8, 8, true);
    snw__put_u64(&length, 8 * (uint64_t)size);
    for (size_t at = 0; at < end; at += WEBSOCKET_BLOCK)
        add_block(last + at, hash);
    snw__room out = snw__room_of(digest, WEBSOCKET_SHA1, true);
    for (int k = 0; k < 5; k++)
        snw__put_u32(&out, hash[k]);
}

void snw_websocket_accept(const char *key, size_t size, char accept[29])
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char constant[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    uint8_t text[128], digest[WEBSOCKET_SHA1 + 1] = {0};
    size_t kept = size < sizeof text - sizeof constant ? size : sizeof text - sizeof constant;
    memcpy(text, key, kept);
    memcpy(text + kept, constant, sizeof constant - 1);
    sha1(text, kept + sizeof constant - 1, digest);
    for (int k = 0; k < 7; k++) {
        uint32_t three =
            (uint32_t)digest[3 * k] << 16 | (uint32_t)digest[3 * k + 1] << 8 | digest[3 * k + 2];
        for (int n = 0; n < 4; n++)
            accept[4 * k + n] = letters[three >> (18 - 6 * n) & 63];
    }
    accept[27] = '=';
    accept[28] = 0;
}
