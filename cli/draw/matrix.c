#include "draw/matrix.h"

#include <stdlib.h>

#include "draw/markup.h"

/* Sizes in SVG pixels. */
#define MATRIX_SIZE  560.0
#define MATRIX_LEFT  150.0
#define MATRIX_TOP   40.0
#define MATRIX_NAMES 90.0 /* at the right */
#define MATRIX_CELLS 14.0 /* a cell is never larger */

/* Metres: the scale of greys, logarithmic. Below is noise, above is motion for certain. */
#define MATRIX_LOW  0.0003
#define MATRIX_HIGH 0.1

/* 0 (white) .. 1 (black); what was never seen together counts as black. */
static double darkness(double deviation)
{
    if (!(deviation > MATRIX_LOW)) return 0;
    if (!(deviation < MATRIX_HIGH)) return 1;
    return log(deviation / MATRIX_LOW) / log(MATRIX_HIGH / MATRIX_LOW);
}

/* Steps of the scale: neighbours of one colour are drawn as one, which keeps the file small. */
#define MATRIX_STEPS 24

static int step_of(double deviation)
{
    return (int)(darkness(deviation) * MATRIX_STEPS + 0.5);
}

/* White over blue to black: the same order in grey. */
static void put_colour(int step, FILE *out)
{
    double dark = (double)step / MATRIX_STEPS, light = 1 - dark;
    fprintf(out, "#%02x%02x%02x", (int)(255 * light * light + 0.5), (int)(255 * light + 0.5),
            (int)(255 * (1 - dark * dark * 0.75) + 0.5));
}

/* Markers segment after segment, those on none last. Returns how many. */
static int order_markers(const snw_segments *segments, int *order)
{
    int count = 0;
    for (int l = 0; l < segments->segment_count; l++)
        for (int m = 0; m < segments->segment[l].marker_count; m++)
            order[count++] = segments->segment[l].marker[m];
    for (int m = 0; m < segments->marker_count; m++)
        if (segments->segment_of[m] < 0) order[count++] = m;
    return count;
}

static void draw_row(const cli_matrix *matrix, const int *order, int count, int row, double cell,
                     FILE *out)
{
    size_t markers = (size_t)matrix->segments->marker_count;
    const double *deviation = matrix->deviation + (size_t)order[row] * markers;
    for (int from = 0, to; from < count; from = to) {
        int step = step_of(deviation[order[from]]);
        for (to = from + 1; to < count && step_of(deviation[order[to]]) == step;)
            to++;
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"",
                MATRIX_LEFT + from * cell, MATRIX_TOP + row * cell, (to - from) * cell, cell);
        put_colour(step, out);
        fputs("\"/>", out);
    }
    fputc('\n', out);
}

/* A frame around each segment's square, and its name. */
static void draw_segments(const snw_segments *segments, double cell, FILE *out)
{
    double at = 0;
    for (int l = 0; l < segments->segment_count; l++) {
        double size = segments->segment[l].marker_count * cell;
        fprintf(out,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
                "stroke=\"#d55e00\" stroke-width=\"1.5\"/><text x=\"%.0f\" y=\"%.1f\" "
                "text-anchor=\"end\">",
                MATRIX_LEFT + at, MATRIX_TOP + at, size, size, MATRIX_LEFT - 6,
                MATRIX_TOP + at + size / 2 + 4);
        cli_put_text(segments->segment[l].name, out);
        fputs("</text>\n", out);
        at += size;
    }
}

/* Smaller letters than this nobody reads. */
#define MATRIX_LETTERS_MIN 5.0

/* The marker of each row, where the rows are high enough. */
static void draw_names(const cli_matrix *matrix, const int *order, int count, double cell,
                       FILE *out)
{
    double size = fmin(10, 0.8 * cell);
    for (int row = 0; size >= MATRIX_LETTERS_MIN && row < count; row++) {
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"#555\">",
                MATRIX_LEFT + count * cell + 5, MATRIX_TOP + (row + 0.5) * cell + 0.35 * size,
                size);
        cli_put_text(matrix->trial->marker[order[row]].name, out);
        fputs("</text>\n", out);
    }
}

static void draw_scale(double y, FILE *out)
{
    static const double marks_mm[] = {0.3, 1, 3, 10, 30, 100};
    for (int n = 0; n < 6; n++) {
        fprintf(out,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"14\" height=\"14\" stroke=\"#999\" fill=\"",
                MATRIX_LEFT + n * 70, y);
        put_colour(step_of(marks_mm[n] / 1000), out);
        fprintf(out, "\"/><text x=\"%.0f\" y=\"%.0f\">%g mm</text>\n", MATRIX_LEFT + n * 70 + 19,
                y + 12, marks_mm[n]);
    }
}

bool cli_matrix_draw(FILE *out, const void *context)
{
    const cli_matrix *matrix = context;
    int *order = malloc(((size_t)matrix->segments->marker_count + 1) * sizeof *order);
    if (!order) return false;
    int count = order_markers(matrix->segments, order);
    double cell = fmin(MATRIX_CELLS, MATRIX_SIZE / (count ? count : 1)), side = cell * count;
    double width = MATRIX_LEFT + fmax(side + MATRIX_NAMES, 420) + 20,
           height = MATRIX_TOP + side + 40;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" "
            "fill=\"white\"/>\n<text x=\"12\" y=\"22\" font-size=\"15\">How much the distance of "
            "two markers varies (standard deviation)</text>\n<g shape-rendering=\"crispEdges\">\n",
            width, height, width, height);
    for (int row = 0; row < count; row++)
        draw_row(matrix, order, count, row, cell, out);
    fputs("</g>\n", out);
    draw_segments(matrix->segments, cell, out);
    draw_names(matrix, order, count, cell, out);
    draw_scale(MATRIX_TOP + side + 14, out);
    fputs("</svg>\n", out);
    free(order);
    return true;
}
