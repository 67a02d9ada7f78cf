/* VP8 (RFC 6386), the part of it that drawn pictures need: macroblocks of 16 x 16 luma and twice
 * 8 x 8 chroma samples, each foretold from its neighbours (key pictures) or taken from where it was
 * in the picture before, and what is left as quantised cosine transforms. No motion vectors, no
 * loop filter, one quantiser: what the decoder makes of it is known here to the bit, so nothing
 * drifts.
 *
 *     3 bytes: bit 0 "no key picture", bit 4 "is shown", bits 5-23 size of the first part
 *     key pictures: 9D 01 2A, width, height (2 bytes each, low first)
 *     first part: header and how each macroblock is foretold; second part: coefficients
 *     both by the boolean coder of chapter 7 */
#include <stdlib.h>
#include <string.h>

#include "film/vp8.h"
#include "film/vp8_tables.h"

/* [chosen] The 13th of 128 quantisers: text and thin lines stay sharp, a walk of 640 x 480 needs
 * about a megabit a second. Its steps by the tables of chapter 14.1: luma 16 (first coefficient)
 * and 17, second order 2 x 16 and 1.55 x 17, chroma as luma. */
enum {
    VP8_QUANTISER = 13,
    VP8_STEP_FIRST = 16,
    VP8_STEP = 17
};

enum {
    VP8_BLOCKS = 25, /* of a macroblock: 16 luma, 4 and 4 chroma, their second order */
    VP8_SECOND = 24,
    VP8_FLAGS = 9 /* of a macroblock's edge: 4 luma, 2 and 2 chroma, second order */
};

/* How a macroblock is foretold, as the trees of chapters 8.2 and 11.2 number it. */
typedef enum vp8_mode {
    VP8_DC,
    VP8_VERTICAL,
    VP8_HORIZONTAL,
    VP8_MODES,
    VP8_BEFORE = VP8_MODES /* as in the picture before */
} vp8_mode;

/* ---- the boolean coder (chapter 7.3) -------------------------------------------------------- */

typedef struct vp8_bits {
    uint8_t *byte;
    size_t count, room;
    uint32_t bottom, range;
    int bit_count; /* shifts before a byte is out */
    bool is_full;
} vp8_bits;

static void begin_bits(vp8_bits *bits)
{
    bits->count = 0;
    bits->bottom = 0;
    bits->range = 255;
    bits->bit_count = 24;
    bits->is_full = false;
}

static void put_byte(vp8_bits *bits, uint8_t byte)
{
    if (bits->count == bits->room) {
        size_t room = bits->room ? 2 * bits->room : 4096;
        uint8_t *grown = realloc(bits->byte, room);
        if (!grown) {
            bits->is_full = true;
            return;
        }
        bits->byte = grown;
        bits->room = room;
    }
    bits->byte[bits->count++] = byte;
}

static void carry(vp8_bits *bits)
{
    size_t at = bits->count;
    while (at && bits->byte[at - 1] == 255)
        bits->byte[--at] = 0;
    if (at) bits->byte[at - 1]++;
}

/* A bit that is 0 with `chance` of 256. */
static void put_bit(vp8_bits *bits, int chance, int bit)
{
    uint32_t split = 1 + ((bits->range - 1) * (uint32_t)chance >> 8);
    if (bit) {
        bits->bottom += split;
        bits->range -= split;
    } else {
        bits->range = split;
    }
    while (bits->range < 128) {
        bits->range <<= 1;
        if (bits->bottom & UINT32_C(1) << 31) carry(bits);
        bits->bottom <<= 1;
        if (--bits->bit_count) continue;
        put_byte(bits, (uint8_t)(bits->bottom >> 24));
        bits->bottom &= (UINT32_C(1) << 24) - 1;
        bits->bit_count = 8;
    }
}

static void put_number(vp8_bits *bits, int count, int number)
{
    while (count--)
        put_bit(bits, 128, number >> count & 1);
}

static void end_bits(vp8_bits *bits)
{
    int count = bits->bit_count;
    uint32_t rest = bits->bottom;
    if (rest & UINT32_C(1) << (32 - count)) carry(bits);
    rest <<= count & 7;
    for (count >>= 3; count > 0; count--)
        rest <<= 8;
    for (int n = 0; n < 4; n++, rest <<= 8)
        put_byte(bits, (uint8_t)(rest >> 24));
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* Luma and two chromas, in whole macroblocks. */
typedef struct vp8_picture {
    uint8_t *plane[3];
    int stride[3];
} vp8_picture;

struct film_vp8 {
    int width, height, columns, rows; /* of macroblocks */
    vp8_picture now, known;           /* what is to be told; what the decoder has */
    uint8_t *mode, *is_skipped;       /* (rows x columns) */
    uint8_t *above;                   /* (columns x VP8_FLAGS) blocks there that hold something */
    uint8_t left[VP8_FLAGS];
    vp8_bits head, rest;
    uint8_t *memory, *out;
    size_t out_room;
};

static size_t plane_size(const film_vp8 *vp8, int plane)
{
    return (size_t)vp8->columns * (size_t)vp8->rows * (plane ? 64 : 256);
}

void film_vp8_destroy(film_vp8 *vp8)
{
    if (!vp8) return;
    free(vp8->memory);
    free(vp8->head.byte);
    free(vp8->rest.byte);
    free(vp8->out);
    free(vp8);
}

film_vp8 *film_vp8_create(int width, int height)
{
    film_vp8 *vp8 = calloc(1, sizeof *vp8);
    if (!vp8) return NULL;
    vp8->width = width;
    vp8->height = height;
    vp8->columns = (width + 15) / 16;
    vp8->rows = (height + 15) / 16;
    size_t blocks = (size_t)vp8->columns * (size_t)vp8->rows;
    vp8->memory = calloc(1, blocks * (2 * 384 + 2) + (size_t)vp8->columns * VP8_FLAGS);
    uint8_t *at = vp8->memory;
    if (!at) {
        free(vp8);
        return NULL;
    }
    vp8_picture *pictures[2] = {&vp8->now, &vp8->known};
    for (int n = 0; n < 6; n++) {
        pictures[n / 3]->plane[n % 3] = at;
        pictures[n / 3]->stride[n % 3] = vp8->columns * (n % 3 ? 8 : 16);
        at += plane_size(vp8, n % 3);
    }
    vp8->mode = at;
    vp8->is_skipped = at + blocks;
    vp8->above = at + 2 * blocks;
    return vp8;
}

/* ITU-R BT.601: luma of each sample, chroma of four together. The edges go on beyond the picture.
 */
static void take_picture(film_vp8 *vp8, uint8_t (*pixel)[3])
{
    for (int y = 0; y < 16 * vp8->rows; y++)
        for (int x = 0; x < 16 * vp8->columns; x++) {
            int column = x < vp8->width ? x : vp8->width - 1;
            int row = y < vp8->height ? y : vp8->height - 1;
            const uint8_t *p = pixel[(size_t)row * (size_t)vp8->width + (size_t)column];
            vp8->now.plane[0][(size_t)y * (size_t)vp8->now.stride[0] + (size_t)x] =
                (uint8_t)(((66 * p[0] + 129 * p[1] + 25 * p[2] + 128) >> 8) + 16);
        }
    for (int y = 0; y < 8 * vp8->rows; y++)
        for (int x = 0; x < 8 * vp8->columns; x++) {
            int sum[3] = {0, 0, 0};
            for (int n = 0; n < 4; n++) {
                int column = 2 * x + n % 2, row = 2 * y + n / 2;
                if (column >= vp8->width) column = vp8->width - 1;
                if (row >= vp8->height) row = vp8->height - 1;
                for (int c = 0; c < 3; c++)
                    sum[c] += pixel[(size_t)row * (size_t)vp8->width + (size_t)column][c];
            }
            size_t at = (size_t)y * (size_t)vp8->now.stride[1] + (size_t)x;
            vp8->now.plane[1][at] =
                (uint8_t)((112 * sum[2] - 38 * sum[0] - 74 * sum[1] + 128 * 1024 + 512) >> 10);
            vp8->now.plane[2][at] =
                (uint8_t)((112 * sum[0] - 94 * sum[1] - 18 * sum[2] + 128 * 1024 + 512) >> 10);
        }
}

/* ---- what is foretold (chapter 12) ---------------------------------------------------------- */

typedef struct vp8_place {
    int column, row;
    bool is_key;
} vp8_place;

static size_t block_at(const film_vp8 *vp8, int plane, vp8_place place)
{
    int size = plane ? 8 : 16;
    return (size_t)(place.row * size) * (size_t)vp8->now.stride[plane] +
           (size_t)(place.column * size);
}

/* One plane of a macroblock into guess (16 x 16). What the decoder has stands to the left and
 * above in `known` already; the picture before is still there at the block itself. */
static void foretell(const film_vp8 *vp8, int plane, vp8_place place, vp8_mode mode,
                     uint8_t guess[256])
{
    int size = plane ? 8 : 16, stride = vp8->known.stride[plane];
    const uint8_t *at = vp8->known.plane[plane] + block_at(vp8, plane, place);
    int sum = 0, count = 0;
    for (int n = 0; mode == VP8_DC && n < size; n++) {
        if (place.row) sum += at[n - stride], count++;
        if (place.column) sum += at[(ptrdiff_t)n * stride - 1], count++;
    }
    int mean = count ? (sum + count / 2) / count : 128;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            guess[16 * y + x] = mode == VP8_BEFORE       ? at[(ptrdiff_t)y * stride + x]
                                : mode == VP8_VERTICAL   ? at[x - stride]
                                : mode == VP8_HORIZONTAL ? at[(ptrdiff_t)y * stride - 1]
                                                         : (uint8_t)mean;
}

/* The mode whose luma is nearest, by the sum of differences. */
static vp8_mode choose_mode(const film_vp8 *vp8, vp8_place place)
{
    const uint8_t *at = vp8->now.plane[0] + block_at(vp8, 0, place);
    uint8_t guess[256];
    vp8_mode best = VP8_DC;
    long least = -1;
    for (int m = place.is_key ? VP8_MODES - 1 : VP8_BEFORE; m >= 0; m--) {
        if ((m == VP8_VERTICAL && !place.row) || (m == VP8_HORIZONTAL && !place.column)) continue;
        foretell(vp8, 0, place, (vp8_mode)m, guess);
        long sum = 0;
        for (int y = 0; y < 16; y++)
            for (int x = 0; x < 16; x++)
                sum += labs((long)at[y * vp8->now.stride[0] + x] - guess[16 * y + x]);
        if (least >= 0 && sum >= least) continue;
        least = sum;
        best = (vp8_mode)m;
    }
    return best;
}

/* ---- transforms (chapter 14) ---------------------------------------------------------------- */

/* The inverse is M C M' / 8, with M' M = 4: the coefficients are M' X M / 2. */
static void transform(const float from[16], const float basis[4][4], float to[16])
{
    float half[16];
    for (int i = 0; i < 4; i++)
        for (int x = 0; x < 4; x++) {
            float sum = 0;
            for (int y = 0; y < 4; y++)
                sum += basis[y][i] * from[4 * y + x];
            half[4 * i + x] = sum;
        }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float sum = 0;
            for (int x = 0; x < 4; x++)
                sum += half[4 * i + x] * basis[x][j];
            to[4 * i + j] = sum / 2;
        }
}

static const float vp8_cosines[4][4] = {{1, 1.30656296f, 1, 0.54119610f},
                                        {1, 0.54119610f, -1, -1.30656296f},
                                        {1, -0.54119610f, -1, 1.30656296f},
                                        {1, -1.30656296f, 1, -0.54119610f}};
static const float vp8_signs[4][4] = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}};

/* Chapter 14.4, to the bit. */
static void invert_cosines(const int c[16], int out[16])
{
    int half[16];
    for (int pass = 0; pass < 2; pass++) {
        const int *in = pass ? half : c;
        int *to = pass ? out : half, step = pass ? 1 : 4, line = pass ? 4 : 1;
        for (int n = 0; n < 4; n++) {
            const int *p = in + n * line;
            int a = p[0] + p[2 * step], b = p[0] - p[2 * step];
            int minus = (p[step] * 35468 >> 16) - (p[3 * step] + (p[3 * step] * 20091 >> 16));
            int plus = p[step] + (p[step] * 20091 >> 16) + (p[3 * step] * 35468 >> 16);
            int sum[4] = {a + plus, b + minus, b - minus, a - plus};
            for (int k = 0; k < 4; k++)
                to[n * line + k * step] = pass ? (sum[k] + 4) >> 3 : sum[k];
        }
    }
}

/* Chapter 14.3: the first coefficients of the 16 luma blocks. */
static void invert_signs(const int c[16], int out[16])
{
    int half[16];
    for (int pass = 0; pass < 2; pass++) {
        const int *in = pass ? half : c;
        int *to = pass ? out : half, step = pass ? 1 : 4, line = pass ? 4 : 1;
        for (int n = 0; n < 4; n++) {
            const int *p = in + n * line;
            int a = p[0] + p[3 * step], b = p[step] + p[2 * step];
            int d = p[0] - p[3 * step], e = p[step] - p[2 * step];
            int sum[4] = {a + b, e + d, a - b, d - e};
            for (int k = 0; k < 4; k++)
                to[n * line + k * step] = pass ? (sum[k] + 3) >> 3 : sum[k];
        }
    }
}

/* The nearest multiple for the first coefficient; the others are 0 up to two thirds of a step,
 * which costs less than it shows. */
static int quantise(float coefficient, int step, bool is_first)
{
    float size = coefficient < 0 ? -coefficient : coefficient;
    int level = (int)(size / (float)step + (is_first ? 0.5f : 0.33f));
    if (level > 2047) level = 2047;
    return coefficient < 0 ? -level : level;
}

/* ---- a macroblock --------------------------------------------------------------------------- */

typedef struct vp8_block {
    int level[VP8_BLOCKS][16];
    uint8_t guess[3][256];
} vp8_block;

/* Which plane a block of a macroblock is of, and where in it. */
static int plane_of(int block, int *x, int *y)
{
    int n = block < 16 ? block : (block - 16) % 4, wide = block < 16 ? 4 : 2;
    *x = 4 * (n % wide);
    *y = 4 * (n / wide);
    return block < 16 ? 0 : block < 20 ? 1 : 2;
}

/* What is left of the picture behind what was foretold, quantised; whether anything is. */
static bool measure_block(const film_vp8 *vp8, vp8_place place, vp8_block *block)
{
    static const int second_steps[2] = {2 * VP8_STEP_FIRST, VP8_STEP * 155 / 100};
    float left[16], c[16], first[16];
    bool is_any = false;
    for (int b = 0; b < VP8_BLOCKS; b++) {
        int x0 = 0, y0 = 0, plane = b == VP8_SECOND ? 0 : plane_of(b, &x0, &y0);
        const uint8_t *at = vp8->now.plane[plane] + block_at(vp8, plane, place);
        for (int n = 0; n < 16; n++) {
            int x = x0 + n % 4, y = y0 + n / 4;
            left[n] = (float)(at[y * vp8->now.stride[plane] + x] - block->guess[plane][16 * y + x]);
        }
        if (b == VP8_SECOND)
            transform(first, vp8_signs, c);
        else
            transform(left, vp8_cosines, c);
        if (b < 16) first[b] = c[0];
        for (int n = 0; n < 16; n++) {
            int step = b == VP8_SECOND ? second_steps[n > 0] : n ? VP8_STEP : VP8_STEP_FIRST;
            block->level[b][n] = b < 16 && !n ? 0 : quantise(c[n], step, !n);
            is_any = is_any || block->level[b][n];
        }
    }
    return is_any;
}

/* What the decoder makes of it. */
static void rebuild_block(film_vp8 *vp8, vp8_place place, const vp8_block *block)
{
    int first[16], c[16], left[16];
    for (int n = 0; n < 16; n++)
        c[n] = block->level[VP8_SECOND][n] * (n ? VP8_STEP * 155 / 100 : 2 * VP8_STEP_FIRST);
    invert_signs(c, first);
    for (int b = 0; b < VP8_SECOND; b++) {
        int x0, y0, plane = plane_of(b, &x0, &y0);
        uint8_t *at = vp8->known.plane[plane] + block_at(vp8, plane, place);
        for (int n = 0; n < 16; n++)
            c[n] = b < 16 && !n ? first[b] : block->level[b][n] * (n ? VP8_STEP : VP8_STEP_FIRST);
        invert_cosines(c, left);
        for (int n = 0; n < 16; n++) {
            int x = x0 + n % 4, y = y0 + n / 4;
            int sample = block->guess[plane][16 * y + x] + left[n];
            at[y * vp8->known.stride[plane] + x] = (uint8_t)(sample < 0     ? 0
                                                             : sample > 255 ? 255
                                                                            : sample);
        }
    }
}

/* ---- coefficients (chapter 13) -------------------------------------------------------------- */

/* Sizes from 5 on: the branch, then the bits of what is beyond the first of its class. */
static void put_large(vp8_bits *bits, const uint8_t chance[11], int size)
{
    static const struct {
        int first, bits;
        uint8_t chance[11];
    } classes[6] = {{5, 1, {159}},
                    {7, 2, {165, 145}},
                    {11, 3, {173, 148, 140}},
                    {19, 4, {176, 155, 140, 135}},
                    {35, 5, {180, 157, 141, 134, 130}},
                    {67, 11, {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129}}};
    int k = 0;
    while (k < 5 && size >= classes[k + 1].first)
        k++;
    put_bit(bits, chance[6], k >= 2);
    if (k < 2) {
        put_bit(bits, chance[7], k);
    } else {
        put_bit(bits, chance[8], k >= 4);
        put_bit(bits, chance[9 + (k >= 4)], k & 1);
    }
    for (int n = 0; n < classes[k].bits; n++)
        put_bit(bits, classes[k].chance[n],
                (size - classes[k].first) >> (classes[k].bits - 1 - n) & 1);
}

/* Kind 0: luma without its first coefficients, 1: these, 2: chroma. `beside`: how many of the
 * blocks to the left and above hold something. Whether this one does. */
static bool put_block(vp8_bits *bits, const int level[16], int kind, int beside)
{
    static const uint8_t order[16] = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};
    static const uint8_t band[16] = {0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7};
    int start = kind == 0, end = 16, context = beside;
    bool is_after_zero = false;
    while (end > start && !level[order[end - 1]])
        end--;
    for (int n = start; n < end; n++) {
        const uint8_t *chance = vp8_coefficients[kind][band[n]][context];
        int size = abs(level[order[n]]);
        if (!is_after_zero) put_bit(bits, chance[0], 1); /* no end yet */
        put_bit(bits, chance[1], size > 0);
        is_after_zero = !size;
        context = size > 2 ? 2 : size;
        if (!size) continue;
        put_bit(bits, chance[2], size > 1);
        if (size > 1) {
            put_bit(bits, chance[3], size > 4);
            if (size > 4) {
                put_large(bits, chance, size);
            } else {
                put_bit(bits, chance[4], size > 2);
                if (size > 2) put_bit(bits, chance[5], size == 4);
            }
        }
        put_bit(bits, 128, level[order[n]] < 0);
    }
    if (end < 16) put_bit(bits, vp8_coefficients[kind][band[end]][context][0], 0);
    return end > start;
}

static void put_coefficients(film_vp8 *vp8, int column, const vp8_block *block)
{
    uint8_t *above = vp8->above + (size_t)column * VP8_FLAGS, *left = vp8->left;
    above[8] = left[8] = put_block(&vp8->rest, block->level[VP8_SECOND], 1, above[8] + left[8]);
    for (int b = 0; b < VP8_SECOND; b++) {
        int x, y, plane = plane_of(b, &x, &y), from = plane ? 2 + 2 * plane : 0;
        uint8_t *up = above + from + x / 4, *side = left + from + y / 4;
        *up = *side = put_block(&vp8->rest, block->level[b], plane ? 2 : 0, *up + *side);
    }
}

/* ---- a picture ------------------------------------------------------------------------------ */

/* Chapter 9 and 19.2, field by field. */
static void put_head(film_vp8 *vp8, bool is_key, int chance_left)
{
    static const uint8_t vectors[2][19] = {{237, 246, 253, 253, 254, 254, 254, 254, 254, 254, 254,
                                            254, 254, 254, 250, 250, 252, 254, 254},
                                           {231, 243, 245, 253, 254, 254, 254, 254, 254, 254, 254,
                                            254, 254, 254, 251, 251, 254, 254, 254}};
    vp8_bits *bits = &vp8->head;
    if (is_key) put_number(bits, 2, 0); /* BT.601; samples are clamped */
    put_number(bits, 1, 0);             /* no segments */
    put_number(bits, 10, 0);            /* no loop filter: its kind, level, sharpness */
    put_number(bits, 1, 0);             /* nor adjustments of it */
    put_number(bits, 2, 0);             /* one part of coefficients */
    put_number(bits, 7, VP8_QUANTISER);
    put_number(bits, 5, 0); /* the same for all kinds */
    if (!is_key) {
        put_number(bits, 2, 0); /* golden and alternate pictures stay */
        put_number(bits, 4, 0); /* and nothing is copied to them */
        put_number(bits, 2, 0); /* no signs of vectors are turned */
    }
    put_number(bits, 1, 1);              /* chances are kept: they never change */
    if (!is_key) put_number(bits, 1, 1); /* this picture is the next one's "before" */
    for (int n = 0; n < 4 * 8 * 3 * 11; n++)
        put_bit(bits, (&vp8_update[0][0][0][0])[n], 0);
    put_number(bits, 1, 1); /* empty macroblocks are told */
    put_number(bits, 8, chance_left);
    if (is_key) return;
    put_number(bits, 8, 16);  /* chance that a macroblock is not from the picture before */
    put_number(bits, 8, 255); /* that it is from the last picture */
    put_number(bits, 8, 128);
    put_number(bits, 2, 0); /* chances of modes stay */
    for (int n = 0; n < 2 * 19; n++)
        put_bit(bits, (&vectors[0][0])[n], 0);
}

/* How each macroblock is foretold: the trees of chapters 8.2, 11.2, 16.2 and 16.3. */
static void put_modes(film_vp8 *vp8, bool is_key, int chance_left)
{
    /* Chances that a vector is 0 by how many of the neighbours' are (twice above and left, once
     * above to the left). */
    static const uint8_t still[6] = {7, 14, 135, 60, 159, 234};
    static const uint8_t luma_key[3] = {156, 163, 128}, luma[3] = {112, 86, 140},
                         chroma[2][3] = {{162, 101, 204}, {142, 114, 183}};
    vp8_bits *bits = &vp8->head;
    int wide = vp8->columns;
    for (int n = 0; n < wide * vp8->rows; n++) {
        const uint8_t *m = vp8->mode + n;
        bool has_left = n % wide > 0, has_above = n >= wide;
        put_bit(bits, chance_left, vp8->is_skipped[n]);
        if (!is_key) put_bit(bits, 16, *m == VP8_BEFORE);
        if (*m == VP8_BEFORE) {
            put_bit(bits, 255, 0);
            put_bit(bits,
                    still[2 * (has_above && m[-wide] == VP8_BEFORE) +
                          2 * (has_left && m[-1] == VP8_BEFORE) +
                          (has_above && has_left && m[-wide - 1] == VP8_BEFORE)],
                    0);
            continue;
        }
        if (is_key) {
            put_bit(bits, 145, 1); /* not sixteen modes */
            put_bit(bits, luma_key[0], *m == VP8_HORIZONTAL);
            put_bit(bits, luma_key[1 + (*m == VP8_HORIZONTAL)], *m == VP8_VERTICAL);
        } else {
            put_bit(bits, luma[0], *m != VP8_DC);
            if (*m != VP8_DC) put_bit(bits, luma[1], 0);
            if (*m != VP8_DC) put_bit(bits, luma[2], *m == VP8_HORIZONTAL);
        }
        put_bit(bits, chroma[is_key][0], *m != VP8_DC);
        if (*m == VP8_DC) continue;
        put_bit(bits, chroma[is_key][1], *m != VP8_VERTICAL);
        if (*m == VP8_HORIZONTAL) put_bit(bits, chroma[is_key][2], 0);
    }
}

/* Tag, key picture's sizes, both parts. */
static bool put_together(film_vp8 *vp8, bool is_key, size_t *size)
{
    size_t head = vp8->head.count, rest = vp8->rest.count, at = 0;
    size_t room = head + rest + 10;
    if (vp8->head.is_full || vp8->rest.is_full || head >= 1u << 19) return false;
    if (room > vp8->out_room) {
        uint8_t *grown = realloc(vp8->out, room);
        if (!grown) return false;
        vp8->out = grown;
        vp8->out_room = room;
    }
    uint32_t tag = (uint32_t)!is_key | 1u << 4 | (uint32_t)head << 5;
    for (int n = 0; n < 3; n++)
        vp8->out[at++] = (uint8_t)(tag >> 8 * n);
    if (is_key) {
        const uint8_t start[7] = {0x9D,
                                  0x01,
                                  0x2A,
                                  (uint8_t)vp8->width,
                                  (uint8_t)(vp8->width >> 8),
                                  (uint8_t)vp8->height,
                                  (uint8_t)(vp8->height >> 8)};
        memcpy(vp8->out + at, start, sizeof start);
        at += sizeof start;
    }
    memcpy(vp8->out + at, vp8->head.byte, head);
    memcpy(vp8->out + at + head, vp8->rest.byte, rest);
    *size = at + head + rest;
    return true;
}

bool film_vp8_encode(film_vp8 *vp8, uint8_t (*pixel)[3], bool is_key, const uint8_t **bytes,
                     size_t *size)
{
    int count = vp8->columns * vp8->rows, skipped = 0;
    take_picture(vp8, pixel);
    begin_bits(&vp8->head);
    begin_bits(&vp8->rest);
    memset(vp8->above, 0, (size_t)vp8->columns * VP8_FLAGS);
    for (int n = 0; n < count; n++) {
        vp8_place place = {n % vp8->columns, n / vp8->columns, is_key};
        vp8_block block;
        if (!place.column) memset(vp8->left, 0, sizeof vp8->left);
        vp8->mode[n] = (uint8_t)choose_mode(vp8, place);
        for (int plane = 0; plane < 3; plane++)
            foretell(vp8, plane, place, (vp8_mode)vp8->mode[n], block.guess[plane]);
        vp8->is_skipped[n] = !measure_block(vp8, place, &block);
        rebuild_block(vp8, place, &block);
        skipped += vp8->is_skipped[n];
        if (vp8->is_skipped[n]) {
            memset(vp8->left, 0, sizeof vp8->left);
            memset(vp8->above + (size_t)place.column * VP8_FLAGS, 0, VP8_FLAGS);
        } else {
            put_coefficients(vp8, place.column, &block);
        }
    }
    int chance_left = (int)(256L * (count - skipped) / count);
    chance_left = chance_left < 1 ? 1 : chance_left > 255 ? 255 : chance_left;
    put_head(vp8, is_key, chance_left);
    put_modes(vp8, is_key, chance_left);
    end_bits(&vp8->head);
    end_bits(&vp8->rest);
    bool is_fine = put_together(vp8, is_key, size);
    *bytes = vp8->out;
    return is_fine;
}
