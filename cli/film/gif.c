/* GIF (version 89a, CompuServe 1990).
 *
 *     "GIF89a", width, height (2 bytes each, low first), 0xF7, 0, 0, 256 colours
 *     0x21 0xFF "NETSCAPE2.0": again and again
 *     for each picture: 0x21 0xF9 with its delay in hundredths of a second and the colour that
 * means "as before"; 0x2C with its place; LZW codes in blocks of at most 255 bytes 0x3B
 *
 * Colours: the film's own, cut at the median of the longest side of their boxes (Heckbert 1982)
 * until there are 255; the last one stands for what did not change. */
#include <stdlib.h>
#include <string.h>

#include "film/image.h"

enum {
    GIF_COLORS = 255,
    GIF_SAME = 255,  /* "as before" */
    GIF_LEVELS = 32, /* of a colour in the count: 5 bits */
    GIF_CELLS = GIF_LEVELS * GIF_LEVELS * GIF_LEVELS,
    GIF_CODES = 4096,
    GIF_LOOKS = 12 /* pictures that are looked at for the colours */
};

/* ---- colours -----------------------------------------------------------------------------------
 */

typedef struct gif_box {
    int first, count; /* in the list of cells */
} gif_box;

typedef struct gif_writer {
    const film_strip *strip;
    FILE *out;
    uint8_t (*pixel)[3];
    uint8_t *now, *before; /* (height x width) colour of the table */
    uint32_t *tally;       /* (GIF_CELLS) */
    uint32_t (*rest)[3];   /* (GIF_CELLS) sums of what the levels leave of the colours */
    int *cell;             /* (GIF_CELLS) those that were seen */
    uint8_t *nearest;      /* (GIF_CELLS) colour of the table */
    uint8_t table[256][3];
    int table_count;
    int16_t *child; /* (GIF_CODES x 256) */
    uint8_t block[255];
    int block_count;
    uint32_t bits;
    int bit_count;
} gif_writer;

static int cell_of(const uint8_t pixel[3])
{
    return pixel[0] >> 3 << 10 | pixel[1] >> 3 << 5 | pixel[2] >> 3;
}

static int level_of(int cell, int axis)
{
    return cell >> (10 - 5 * axis) & (GIF_LEVELS - 1);
}

/* The axis along which a box of cells is longest, and that length. */
static int longest_axis(const gif_writer *w, gif_box box, int *length)
{
    int best = 0;
    *length = -1;
    for (int axis = 0; axis < 3; axis++) {
        int low = GIF_LEVELS, high = 0;
        for (int n = box.first; n < box.first + box.count; n++) {
            int level = level_of(w->cell[n], axis);
            low = level < low ? level : low;
            high = level > high ? level : high;
        }
        if (high - low > *length) {
            *length = high - low;
            best = axis;
        }
    }
    return best;
}

/* Sorts the box by one axis (counting, it keeps the order) and cuts it where half of its pictures'
 * elements are. */
static gif_box cut_box(gif_writer *w, gif_box *box, int axis, int *spare)
{
    int used = 0;
    for (int level = 0; level < GIF_LEVELS; level++)
        for (int n = box->first; n < box->first + box->count; n++)
            if (level_of(w->cell[n], axis) == level) spare[used++] = w->cell[n];
    memcpy(w->cell + box->first, spare, (size_t)used * sizeof *spare);
    double all = 0, sum = 0;
    for (int n = box->first; n < box->first + box->count; n++)
        all += w->tally[w->cell[n]];
    int at = box->first;
    for (; at < box->first + box->count - 1 && sum < 0.5 * all; at++)
        sum += w->tally[w->cell[at]];
    while (at > box->first + 1 && at < box->first + box->count &&
           level_of(w->cell[at], axis) == level_of(w->cell[at - 1], axis))
        at--;
    if (at <= box->first) at = box->first + 1;
    gif_box upper = {at, box->first + box->count - at};
    box->count = at - box->first;
    return upper;
}

static void mean_color(const gif_writer *w, gif_box box, uint8_t color[3])
{
    double sum[3] = {0, 0, 0}, all = 0;
    for (int n = box.first; n < box.first + box.count; n++) {
        int cell = w->cell[n];
        all += w->tally[cell];
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += 8.0 * w->tally[cell] * level_of(cell, axis) + w->rest[cell][axis];
    }
    for (int axis = 0; axis < 3; axis++)
        color[axis] = (uint8_t)(sum[axis] / all + 0.5);
}

static bool choose_colors(gif_writer *w, int seen)
{
    gif_box box[GIF_COLORS] = {{0, seen}};
    int *spare = malloc((size_t)(seen + 1) * sizeof *spare), count = 1;
    if (!spare) return false;
    while (count < GIF_COLORS && seen > 0) {
        int widest = -1, best = 0, axis = 0;
        for (int n = 0; n < count; n++) {
            int length, along = longest_axis(w, box[n], &length);
            if (box[n].count < 2 || length <= best) continue;
            best = length;
            widest = n;
            axis = along;
        }
        if (widest < 0) break;
        gif_box upper = cut_box(w, box + widest, axis, spare);
        box[count++] = upper;
    }
    for (int n = 0; n < count && seen > 0; n++)
        mean_color(w, box[n], w->table[n]);
    w->table_count = count;
    free(spare);
    return true;
}

static uint8_t find_nearest(const gif_writer *w, int cell)
{
    int best = 0;
    long least = 1L << 30;
    for (int n = 0; n < w->table_count; n++) {
        long far = 0;
        for (int axis = 0; axis < 3; axis++) {
            double rest = w->tally[cell] ? (double)w->rest[cell][axis] / w->tally[cell] : 3.5;
            long d = w->table[n][axis] - (long)(8 * level_of(cell, axis) + rest + 0.5);
            far += d * d;
        }
        if (far >= least) continue;
        least = far;
        best = n;
    }
    return (uint8_t)best;
}

static bool make_table(gif_writer *w)
{
    const film_strip *strip = w->strip;
    size_t elements = (size_t)strip->width * (size_t)strip->height;
    int looks = strip->count < GIF_LOOKS ? strip->count : GIF_LOOKS, seen = 0;
    for (int look = 0; look < looks; look++) {
        int n = looks > 1 ? (int)((long long)look * (strip->count - 1) / (looks - 1)) : 0;
        if (!strip->draw(strip->context, n, w->pixel)) return false;
        for (size_t k = 0; k < elements; k++) {
            int cell = cell_of(w->pixel[k]);
            w->tally[cell]++;
            for (int axis = 0; axis < 3; axis++)
                w->rest[cell][axis] += w->pixel[k][axis] & 7;
        }
    }
    for (int cell = 0; cell < GIF_CELLS; cell++)
        if (w->tally[cell]) w->cell[seen++] = cell;
    if (!choose_colors(w, seen)) return false;
    for (int cell = 0; cell < GIF_CELLS; cell++)
        w->nearest[cell] = find_nearest(w, cell);
    return true;
}

/* ---- bytes -------------------------------------------------------------------------------------
 */

static void put_two(FILE *out, int value)
{
    fputc(value & 255, out);
    fputc(value >> 8 & 255, out);
}

static void put_byte(gif_writer *w, uint8_t byte)
{
    w->block[w->block_count++] = byte;
    if (w->block_count < 255) return;
    fputc(255, w->out);
    fwrite(w->block, 1, 255, w->out);
    w->block_count = 0;
}

static void put_code(gif_writer *w, int code, int length)
{
    w->bits |= (uint32_t)code << w->bit_count;
    w->bit_count += length;
    for (; w->bit_count >= 8; w->bit_count -= 8, w->bits >>= 8)
        put_byte(w, (uint8_t)w->bits);
}

static void end_codes(gif_writer *w)
{
    if (w->bit_count > 0) put_byte(w, (uint8_t)w->bits);
    if (w->block_count) {
        fputc(w->block_count, w->out);
        fwrite(w->block, 1, (size_t)w->block_count, w->out);
    }
    fputc(0, w->out);
    w->bits = 0;
    w->bit_count = w->block_count = 0;
}

static void put_colors(gif_writer *w, const uint8_t *from, size_t count)
{
    enum {
        CLEAR = 256,
        END = 257,
        FIRST = 258
    };
    int next = FIRST, length = 9, code = from[0];
    fputc(8, w->out);
    put_code(w, CLEAR, length);
    memset(w->child, 0, sizeof *w->child * GIF_CODES * 256);
    for (size_t n = 1; n < count; n++) {
        int16_t *child = w->child + (size_t)code * 256 + from[n];
        if (*child) {
            code = *child;
            continue;
        }
        put_code(w, code, length);
        *child = (int16_t)next;
        if (next == 1 << length) length++;
        code = from[n];
        if (++next < GIF_CODES) continue;
        put_code(w, CLEAR, length);
        memset(w->child, 0, sizeof *w->child * GIF_CODES * 256);
        next = FIRST;
        length = 9;
    }
    put_code(w, code, length);
    if (next == 1 << length && length < 12) length++;
    put_code(w, END, length);
    end_codes(w);
}

/* Hundredths of a second from picture n to the next: roundings do not add up. */
static int delay_of(const film_strip *strip, int n)
{
    int from = (int)(100.0 * n / strip->rate + 0.5),
        to = (int)(100.0 * (n + 1) / strip->rate + 0.5);
    return to - from > 1 ? to - from < 65535 ? to - from : 65535 : 2; /* below, browsers take 10 */
}

/* Only rows that hold a change, and in them only what changed. */
static void put_picture(gif_writer *w, int n)
{
    int wide = w->strip->width, high = w->strip->height, top = 0, bottom = high;
    size_t width = (size_t)wide;
    if (n) {
        while (top < high - 1 &&
               !memcmp(w->now + (size_t)top * width, w->before + (size_t)top * width, width))
            top++;
        while (bottom > top + 1 && !memcmp(w->now + (size_t)(bottom - 1) * width,
                                           w->before + (size_t)(bottom - 1) * width, width))
            bottom--;
    }
    size_t first = (size_t)top * width, count = (size_t)(bottom - top) * width;
    for (size_t k = first; k < first + count; k++) {
        uint8_t color = w->now[k];
        if (n && color == w->before[k]) w->now[k] = GIF_SAME;
        w->before[k] = color;
    }
    fwrite("\x21\xF9\x04\x05", 1, 4, w->out); /* leave it there; one colour is none */
    put_two(w->out, delay_of(w->strip, n));
    fputc(GIF_SAME, w->out);
    fputc(0, w->out);
    fputc(0x2C, w->out);
    put_two(w->out, 0);
    put_two(w->out, top);
    put_two(w->out, wide);
    put_two(w->out, bottom - top);
    fputc(0, w->out);
    put_colors(w, w->now + first, count);
}

static bool put_all(gif_writer *w)
{
    const film_strip *strip = w->strip;
    size_t elements = (size_t)strip->width * (size_t)strip->height;
    if (!make_table(w)) return false;
    fwrite("GIF89a", 1, 6, w->out);
    put_two(w->out, strip->width);
    put_two(w->out, strip->height);
    fwrite("\xF7\0\0", 1, 3, w->out);
    fwrite(w->table, 1, sizeof w->table, w->out);
    if (strip->count > 1) fwrite("\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0", 1, 19, w->out);
    for (int n = 0; n < strip->count; n++) {
        if (!strip->draw(strip->context, n, w->pixel)) return false;
        for (size_t k = 0; k < elements; k++)
            w->now[k] = w->nearest[cell_of(w->pixel[k])];
        put_picture(w, n);
    }
    fputc(0x3B, w->out);
    return true;
}

bool film_write_gif(const film_strip *strip, FILE *out)
{
    size_t elements = (size_t)strip->width * (size_t)strip->height;
    gif_writer w = {.strip = strip, .out = out};
    w.pixel = malloc(elements * sizeof *w.pixel);
    w.now = malloc(elements);
    w.before = malloc(elements);
    w.tally = calloc(GIF_CELLS, sizeof *w.tally);
    w.rest = calloc(GIF_CELLS, sizeof *w.rest);
    w.cell = malloc(GIF_CELLS * sizeof *w.cell);
    w.nearest = malloc(GIF_CELLS);
    w.child = malloc(sizeof *w.child * GIF_CODES * 256);
    bool is_fine =
        w.pixel && w.now && w.before && w.tally && w.rest && w.cell && w.nearest && w.child;
    if (is_fine) is_fine = put_all(&w);
    free(w.pixel);
    free(w.now);
    free(w.before);
    free(w.tally);
    free(w.rest);
    free(w.cell);
    free(w.nearest);
    free(w.child);
    return is_fine;
}
