/* Unpacks the page that the command carries: gzip (RFC 1952) around deflate (RFC 1951).
 *
 * A block is stored, or coded with Huffman codes that are fixed or given in front of it. Codes are
 * canonical: all that is needed to decode one is how many codes of each length there are and the
 * symbols in their order (section 3.2.2). A symbol below 256 is a byte, 256 ends the block, the
 * others are a length, after which comes the distance of what is to be repeated.
 *
 *     10 bytes head, deflate blocks, 4 bytes CRC-32, 4 bytes length of the content
 */
#include <stdlib.h>
#include <string.h>

#include "view/view.h"

/* Deflate makes nothing smaller than by this: a longest repeat of 258 bytes takes two bits. */
#define GUNZIP_RATIO_MAX 1032

typedef struct gunzip {
    const uint8_t *in;
    size_t size, at;
    uint32_t bits; /* bits taken from `in` and not used yet */
    int bit_count;
    uint8_t *out;
    size_t out_size, out_at;
    bool is_bad; /* the input ended or made no sense; from then on everything reads as zero */
} gunzip;

typedef struct gunzip_code {
    uint16_t count[16];   /* codes of each length */
    uint16_t symbol[288]; /* in the order of their codes */
} gunzip_code;

static uint32_t take_bits(gunzip *z, int count)
{
    while (z->bit_count < count) {
        if (z->at >= z->size) {
            z->is_bad = true;
            return 0;
        }
        z->bits |= (uint32_t)z->in[z->at++] << z->bit_count;
        z->bit_count += 8;
    }
    uint32_t value = z->bits & ((1u << count) - 1);
    z->bits >>= count;
    z->bit_count -= count;
    return value;
}

static void put_byte(gunzip *z, uint8_t byte)
{
    if (z->out_at < z->out_size)
        z->out[z->out_at++] = byte;
    else
        z->is_bad = true;
}

static void make_code(gunzip_code *code, const uint8_t *lengths, int count)
{
    uint16_t first[16];
    memset(code, 0, sizeof *code);
    for (int n = 0; n < count; n++)
        code->count[lengths[n]]++;
    code->count[0] = 0;
    first[1] = 0;
    for (int length = 1; length < 15; length++)
        first[length + 1] = (uint16_t)(first[length] + code->count[length]);
    for (int n = 0; n < count; n++)
        if (lengths[n]) code->symbol[first[lengths[n]]++] = (uint16_t)n;
}

static int take_symbol(gunzip *z, const gunzip_code *code)
{
    int value = 0, first = 0, index = 0;
    for (int length = 1; length < 16 && !z->is_bad; length++) {
        value |= (int)take_bits(z, 1);
        int count = code->count[length];
        if (value - count < first) return code->symbol[index + (value - first)];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    z->is_bad = true;
    return 256;
}

/* A length or a distance: its smallest value and a number of bits that are added (3.2.5). */
static int take_extended(gunzip *z, int symbol, const uint16_t *base, const uint8_t *extra)
{
    return base[symbol] + (int)take_bits(z, extra[symbol]);
}

static void copy_block(gunzip *z, const gunzip_code *literals, const gunzip_code *distances)
{
    static const uint16_t length_base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                             15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                             67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t length_extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                             2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t distance_base[30] = {
        1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
        193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    static const uint8_t distance_extra[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                               6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
    for (int symbol; !z->is_bad && (symbol = take_symbol(z, literals)) != 256;) {
        if (symbol < 256) {
            put_byte(z, (uint8_t)symbol);
            continue;
        }
        if (symbol > 285) {
            z->is_bad = true;
            return;
        }
        int length = take_extended(z, symbol - 257, length_base, length_extra);
        int far = take_symbol(z, distances);
        size_t distance =
            far < 30 ? (size_t)take_extended(z, far, distance_base, distance_extra) : SIZE_MAX;
        if (distance > z->out_at) {
            z->is_bad = true;
            return;
        }
        for (; length > 0; length--)
            put_byte(z, z->out[z->out_at - distance]);
    }
}

static void stored_block(gunzip *z)
{
    z->bits = 0;
    z->bit_count = 0;
    uint32_t length = take_bits(z, 16), check = take_bits(z, 16);
    if (length != (~check & 0xffff)) z->is_bad = true;
    for (; length > 0 && !z->is_bad; length--)
        put_byte(z, (uint8_t)take_bits(z, 8));
}

static void fixed_block(gunzip *z)
{
    uint8_t lengths[288];
    gunzip_code literals, distances;
    for (int n = 0; n < 288; n++)
        lengths[n] = n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8;
    make_code(&literals, lengths, 288);
    memset(lengths, 5, 30);
    make_code(&distances, lengths, 30);
    copy_block(z, &literals, &distances);
}

/* The lengths of both codes, themselves coded (3.2.7). */
static void dynamic_block(gunzip *z)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0};
    gunzip_code literals, distances;
    int literal_count = (int)take_bits(z, 5) + 257, distance_count = (int)take_bits(z, 5) + 1;
    int length_count = (int)take_bits(z, 4) + 4, total = literal_count + distance_count;
    for (int n = 0; n < length_count; n++)
        lengths[order[n]] = (uint8_t)take_bits(z, 3);
    make_code(&literals, lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (int n = 0; n < total && !z->is_bad;) {
        int symbol = take_symbol(z, &literals), repeat = 1;
        uint8_t length = symbol < 16 ? (uint8_t)symbol : 0;
        if (symbol == 16) {
            length = n ? lengths[n - 1] : 0;
            repeat = 3 + (int)take_bits(z, 2);
        } else if (symbol == 17) {
            repeat = 3 + (int)take_bits(z, 3);
        } else if (symbol >= 18) {
            repeat = 11 + (int)take_bits(z, 7);
        }
        if (n + repeat > total || literal_count > 286 || distance_count > 30) z->is_bad = true;
        for (; repeat > 0 && n < total; repeat--)
            lengths[n++] = length;
    }
    make_code(&literals, lengths, literal_count);
    make_code(&distances, lengths + literal_count, distance_count);
    if (!z->is_bad) copy_block(z, &literals, &distances);
}

static void inflate_blocks(gunzip *z)
{
    bool is_last = false;
    while (!is_last && !z->is_bad) {
        is_last = take_bits(z, 1);
        switch (take_bits(z, 2)) {
        case 0:
            stored_block(z);
            break;
        case 1:
            fixed_block(z);
            break;
        case 2:
            dynamic_block(z);
            break;
        default:
            z->is_bad = true;
        }
    }
}

char *view_gunzip(const uint8_t *bytes, size_t size, size_t *out_size)
{
    /* Our own files have no name, time or comment in the head: flags are zero. */
    if (size < 18 || bytes[0] != 0x1f || bytes[1] != 0x8b || bytes[2] != 8 || bytes[3] != 0)
        return NULL;
    const uint8_t *tail = bytes + size - 4;
    size_t whole =
        (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    if (whole / GUNZIP_RATIO_MAX > size) return NULL;
    gunzip z = {.in = bytes + 10, .size = size - 18, .out_size = whole};
    z.out = malloc(whole + 1);
    if (!z.out) return NULL;
    inflate_blocks(&z);
    if (z.is_bad || z.out_at != whole) {
        free(z.out);
        return NULL;
    }
    z.out[whole] = 0;
    *out_size = whole;
    return (char *)z.out;
}
