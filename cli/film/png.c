/* PNG (ISO/IEC 15948), animated as its third edition has it, and the packing inside it: deflate
 * (RFC 1951) in zlib's form (RFC 1950).
 *
 *     8 bytes signature; chunks: 4 bytes length, 4 type, content, 4 CRC-32 of type and content
 *     IHDR  width, height, 8 bits a colour, colour type 2 (RGB)
 *     acTL  number of pictures, 0: again and again
 *     fcTL  number in order, width, height, left, top, delay as a fraction of seconds
 *     IDAT  the first picture, fdAT  number in order and the others: rows, each behind its filter
 */
#include <stdlib.h>
#include <string.h>

#include "film/image.h"

/* ---- packing -----------------------------------------------------------------------------------
 */

enum {
    PACK_TABLE = 1 << 15, /* of the last place of each three bytes */
    PACK_WINDOW = 32768,
    PACK_LONGEST = 258
};

typedef struct packer {
    uint8_t *out;
    size_t used;
    uint32_t bits;
    int bit_count;
} packer;

static void put_bits(packer *p, uint32_t value, int count)
{
    p->bits |= value << p->bit_count;
    p->bit_count += count;
    while (p->bit_count >= 8) {
        p->out[p->used++] = (uint8_t)p->bits;
        p->bits >>= 8;
        p->bit_count -= 8;
    }
}

/* Codes of Huffman start with their highest bit. */
static void put_code(packer *p, uint32_t code, int count)
{
    uint32_t turned = 0;
    for (int n = 0; n < count; n++)
        turned |= ((code >> n) & 1U) << (count - 1 - n);
    put_bits(p, turned, count);
}

/* The fixed codes of RFC 1951, 3.2.6. */
static void put_symbol(packer *p, uint32_t symbol)
{
    if (symbol < 144)
        put_code(p, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(p, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(p, symbol - 256, 7);
    else
        put_code(p, 0xC0 + symbol - 280, 8);
}

/* A number as RFC 1951, 3.2.5 codes lengths and distances: `group` codes have the same number of
 * extra bits. Finds code and extra bits of `value`, which counts from 0. */
static uint32_t split_number(uint32_t value, uint32_t group, int *extra, uint32_t *rest)
{
    uint32_t code = 0, start = 0;
    *extra = 0;
    for (;; code++) {
        uint32_t bits = code < 2 * group ? 0 : code / group - 1;
        if (value < start + (1U << bits)) {
            *extra = (int)bits;
            *rest = value - start;
            return code;
        }
        start += 1U << bits;
    }
}

static void put_repeat(packer *p, size_t length, size_t distance)
{
    int extra = 0;
    uint32_t rest = 0;
    if (length == PACK_LONGEST) {
        put_symbol(p, 285);
    } else {
        put_symbol(p, 257 + split_number((uint32_t)length - 3, 4, &extra, &rest));
        put_bits(p, rest, extra);
    }
    put_code(p, split_number((uint32_t)distance - 1, 2, &extra, &rest), 5);
    put_bits(p, rest, extra);
}

size_t film_packed_most(size_t size)
{
    return size + size / 8 + 64; /* 9 bits for a byte at most, and the ends */
}

size_t film_pack_table(void)
{
    return PACK_TABLE;
}

static uint32_t check_sum(const uint8_t *from, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t n = 0; n < size; n++) {
        a = (a + from[n]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static size_t same_bytes(const uint8_t *a, const uint8_t *b, size_t most)
{
    size_t n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

size_t film_pack(const uint8_t *from, size_t size, uint8_t *out, uint32_t *table)
{
    packer p = {out, 2, 0, 0};
    out[0] = 0x78;
    out[1] = 0x01;
    memset(table, 0, PACK_TABLE * sizeof *table); /* places count from 1 */
    put_bits(&p, 3, 3);                           /* the last block, fixed codes */
    for (size_t at = 0; at < size;) {
        size_t length = 0, distance = 0, left = size - at;
        if (left >= 3) {
            uint32_t three = from[at] | (uint32_t)from[at + 1] << 8 | (uint32_t)from[at + 2] << 16;
            uint32_t *last = table + ((three * 2654435761U) >> 17);
            size_t most = left < PACK_LONGEST ? left : PACK_LONGEST;
            if (*last && at + 1 - *last <= PACK_WINDOW) {
                distance = at + 1 - *last;
                length = same_bytes(from + at - distance, from + at, most);
            }
            *last = (uint32_t)at + 1;
        }
        if (length >= 3)
            put_repeat(&p, length, distance);
        else
            put_symbol(&p, from[at]);
        at += length >= 3 ? length : 1;
    }
    put_symbol(&p, 256);
    put_bits(&p, 0, 7);
    uint32_t sum = check_sum(from, size);
    for (int k = 3; k >= 0; k--)
        out[p.used++] = (uint8_t)(sum >> (8 * k));
    return p.used;
}

/* ---- chunks ------------------------------------------------------------------------------------
 */

static uint32_t crc_of(uint32_t crc, const uint8_t *from, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        crc ^= from[n];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? 0xEDB88320U ^ (crc >> 1) : crc >> 1;
    }
    return crc;
}

static void set_number(uint8_t *at, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        at[k] = (uint8_t)(value >> (24 - 8 * k));
}

/* `size` bytes at `content`, before which there are 8 free bytes. */
static void put_chunk(FILE *out, const char type[5], uint8_t *content, size_t size)
{
    uint8_t end[4];
    set_number(content - 8, (uint32_t)size);
    memcpy(content - 4, type, 4);
    set_number(end, ~crc_of(~0U, content - 4, size + 4));
    fwrite(content - 8, 1, size + 8, out);
    fwrite(end, 1, 4, out);
}

typedef struct png_writer {
    const film_strip *strip;
    FILE *out;
    uint8_t (*now)[3], (*before)[3]; /* (height x width) */
    uint8_t *rows;                   /* (height x (1 + 3 width)) behind their filters */
    uint8_t *packed;                 /* 12 bytes and what is packed */
    uint32_t *table;
    uint32_t number; /* of the next chunk of the animation */
} png_writer;

typedef struct png_part {
    int left, top, width, height;
} png_part;

/* What changed since the picture before; one element where nothing did. */
static png_part changed_part(const png_writer *w)
{
    int wide = w->strip->width, high = w->strip->height;
    int left = wide, top = high, right = -1, bottom = -1;
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            size_t at = (size_t)y * (size_t)wide + (size_t)x;
            if (memcmp(w->now[at], w->before[at], 3) == 0) continue;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y;
        }
    png_part none = {0, 0, 1, 1}, part = {left, top, right - left + 1, bottom - top + 1};
    return bottom < 0 ? none : part;
}

/* Each row as the difference to the one above (filter 2), the first as it is. */
static size_t filter_rows(png_writer *w, png_part part)
{
    uint8_t *to = w->rows;
    size_t wide = (size_t)w->strip->width, bytes = 3 * (size_t)part.width;
    for (int y = 0; y < part.height; y++) {
        const uint8_t *row = w->now[(size_t)(part.top + y) * wide + (size_t)part.left];
        const uint8_t *above = row - 3 * wide;
        *to++ = y ? 2 : 0;
        for (size_t n = 0; n < bytes; n++)
            *to++ = y ? (uint8_t)(row[n] - above[n]) : row[n];
    }
    return (size_t)(to - w->rows);
}

static void put_head(const png_writer *w)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint8_t space[32] = {0};
    uint8_t *content = space + 8;
    fwrite(signature, 1, 8, w->out);
    set_number(content, (uint32_t)w->strip->width);
    set_number(content + 4, (uint32_t)w->strip->height);
    content[8] = 8;
    content[9] = 2;
    put_chunk(w->out, "IHDR", content, 13);
    if (w->strip->count < 2) return;
    set_number(content, (uint32_t)w->strip->count);
    set_number(content + 4, 0);
    put_chunk(w->out, "acTL", content, 8);
}

static void put_control(png_writer *w, png_part part)
{
    uint8_t space[48] = {0};
    uint8_t *content = space + 8;
    const int numbers[4] = {part.width, part.height, part.left, part.top};
    set_number(content, w->number++);
    for (int k = 0; k < 4; k++)
        set_number(content + 4 + (size_t)k * 4, (uint32_t)numbers[k]);
    int delay = (int)(10000 / w->strip->rate + 0.5), unit = 10000;
    if (delay > 65535) {
        delay = delay > 6553500 ? 65535 : delay / 100;
        unit = 100;
    }
    content[20] = (uint8_t)(delay >> 8);
    content[21] = (uint8_t)delay;
    content[22] = (uint8_t)(unit >> 8);
    content[23] = (uint8_t)unit;
    put_chunk(w->out, "fcTL", content, 26);
}

static void put_picture(png_writer *w, int n)
{
    png_part whole = {0, 0, w->strip->width, w->strip->height};
    png_part part = n ? changed_part(w) : whole;
    if (w->strip->count > 1) put_control(w, part);
    size_t size = filter_rows(w, part);
    size = film_pack(w->rows, size, w->packed + 12, w->table);
    if (n == 0) {
        put_chunk(w->out, "IDAT", w->packed + 12, size);
        return;
    }
    set_number(w->packed + 8, w->number++);
    put_chunk(w->out, "fdAT", w->packed + 8, size + 4);
}

bool film_write_png(const film_strip *strip, FILE *out)
{
    size_t count = (size_t)strip->width * (size_t)strip->height;
    size_t rows = 3 * count + (size_t)strip->height;
    png_writer w = {.strip = strip, .out = out};
    w.now = calloc(count, sizeof *w.now);
    w.before = calloc(count, sizeof *w.before);
    w.rows = malloc(rows);
    w.packed = malloc(film_packed_most(rows) + 12);
    w.table = malloc(film_pack_table() * sizeof *w.table);
    bool is_fine = w.now && w.before && w.rows && w.packed && w.table;
    if (is_fine) put_head(&w);
    for (int n = 0; is_fine && n < strip->count; n++) {
        uint8_t(*other)[3] = w.before;
        w.before = w.now;
        w.now = other;
        is_fine = strip->draw(strip->context, n, w.now);
        if (is_fine) put_picture(&w, n);
    }
    uint8_t end[8] = {0};
    if (is_fine) put_chunk(out, "IEND", end + 8, 0);
    free(w.now);
    free(w.before);
    free(w.rows);
    free(w.packed);
    free(w.table);
    return is_fine;
}
