/* Open Sound Control 1.0 (Wright 2002): messages and bundles.
 *
 *   message   address, zero, padded to 4 | ",types", zero, padded to 4 | values
 *             i: int32, f: float32, both big-endian; s: text, zero, padded to 4
 *   bundle    "#bundle" zero | 8 bytes of time | { int32 size | message or bundle } ...
 */
#include <sinew/packet.h>

#include <string.h>

#include "base/fail.h"

enum {
    OSC_BUNDLE_PREFIX = 16,
    OSC_DEPTH_MAX = 8
};

static uint32_t get_u32(const uint8_t *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Text that ends inside the bytes; its padded length, 0 where it does not end. */
static size_t text_length(const uint8_t *bytes, size_t size)
{
    const uint8_t *end = memchr(bytes, 0, size);
    if (!end) return 0;
    size_t padded = ((size_t)(end - bytes) / 4 + 1) * 4;
    return padded <= size ? padded : 0;
}

static bool read_value(char type, const uint8_t *bytes, size_t size, snw_osc_value *value,
                       size_t *used)
{
    *value = (snw_osc_value){.type = type};
    *used = 4;
    if (type == 's') {
        value->text = (const char *)bytes;
        *used = text_length(bytes, size);
        return *used > 0;
    }
    if (size < 4) return false;
    uint32_t bits = get_u32(bytes);
    memcpy(type == 'f' ? (void *)&value->number : (void *)&value->integer, &bits, sizeof bits);
    return true;
}

/* 1: a message; 0: one of other types; -1: broken. */
static int read_message(const uint8_t *bytes, size_t size, snw_osc_message *message)
{
    size_t at = text_length(bytes, size), used;
    if (at == 0 || bytes[0] != '/') return -1;
    *message = (snw_osc_message){.address = (const char *)bytes};
    if (at == size) return 1; /* old senders leave the types out */
    const char *types = (const char *)bytes + at;
    if (*types != ',' || (used = text_length(bytes + at, size - at)) == 0) return -1;
    at += used;
    for (types++; *types; types++) {
        if (message->value_count == SNW_OSC_VALUES_MAX || !strchr("ifs", *types)) return 0;
        if (!read_value(*types, bytes + at, size - at, &message->value[message->value_count],
                        &used))
            return -1;
        message->value_count++;
        at += used;
    }
    return 1;
}

/* The bundle's head says nothing that is needed: its elements follow one another, those of inner
 * bundles too, so that heads can be stepped over wherever they stand. */
static bool is_bundle(const uint8_t *bytes, size_t size)
{
    return size >= OSC_BUNDLE_PREFIX && memcmp(bytes, "#bundle", 8) == 0;
}

bool snw_osc_next(const uint8_t *bytes, size_t size, size_t *at, snw_osc_message *message,
                  snw_error *error)
{
    (void)snw__succeed(error);
    if (*at == 0 && !is_bundle(bytes, size)) {
        *at = size;
        int kind = size > 0 ? read_message(bytes, size, message) : 0;
        if (kind < 0) (void)snw__fail(error, SNW_FORMAT, "the packet is no OSC message");
        return kind > 0;
    }
    if (*at == 0) *at = OSC_BUNDLE_PREFIX;
    for (int depth = 0; *at < size;) {
        if (size - *at < 4) break;
        size_t length = get_u32(bytes + *at);
        const uint8_t *element = bytes + *at + 4;
        if (length == 0 || length % 4 || length > size - *at - 4) break;
        if (is_bundle(element, length)) {
            if (++depth > OSC_DEPTH_MAX) break;
            *at += 4 + OSC_BUNDLE_PREFIX;
            continue;
        }
        *at += 4 + length;
        int kind = read_message(element, length, message);
        if (kind > 0) return true;
        if (kind < 0) break;
    }
    if (*at < size)
        (void)snw__fail_at(error, SNW_FORMAT, snw__at_byte((int64_t)*at),
                           "the OSC bundle is broken at byte %lld", (long long)*at);
    *at = size;
    return false;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Zeros to the next four bytes; at least one. */
static size_t put_text(const char *text, uint8_t *bytes, size_t room)
{
    size_t length = strlen(text), padded = (length / 4 + 1) * 4;
    if (padded > room) return 0;
    memset(bytes + length, 0, padded - length);
    memcpy(bytes, text, length);
    return padded;
}

size_t snw_osc_write(const snw_osc_message *message, uint8_t *bytes, size_t room)
{
    char types[SNW_OSC_VALUES_MAX + 2] = ",";
    for (int k = 0; k < message->value_count; k++)
        types[k + 1] = message->value[k].type;
    size_t at = put_text(message->address, bytes, room), used;
    if (at == 0 || (used = put_text(types, bytes + at, room - at)) == 0) return 0;
    at += used;
    for (int k = 0; k < message->value_count; k++) {
        const snw_osc_value *value = &message->value[k];
        uint32_t bits;
        if (value->type == 's') {
            if ((used = put_text(value->text, bytes + at, room - at)) == 0) return 0;
            at += used;
            continue;
        }
        if (room - at < 4) return 0;
        memcpy(&bits,
               value->type == 'f' ? (const void *)&value->number : (const void *)&value->integer,
               sizeof bits);
        uint8_t *b = bytes + at;
        b[0] = (uint8_t)(bits >> 24), b[1] = (uint8_t)(bits >> 16), b[2] = (uint8_t)(bits >> 8),
        b[3] = (uint8_t)bits;
        at += 4;
    }
    return at;
}
