#include "report/gap_chart.h"

#include <stdlib.h>

#include "draw/markup.h"
#include "draw/plot.h"

/* Sizes in SVG pixels. */
#define GAP_LABEL   130.0
#define GAP_COLUMNS 720
#define GAP_ROW     13.0

typedef struct gap_row {
    int marker;
    int missing_count;
} gap_row;

static int by_most_gaps(const void *a, const void *b)
{
    const gap_row *left = a, *right = b;
    if (left->missing_count != right->missing_count)
        return left->missing_count < right->missing_count ? 1 : -1;
    return left->marker < right->marker ? -1 : 1;
}

static int by_marker(const void *a, const void *b)
{
    const gap_row *left = a, *right = b;
    return left->marker < right->marker ? -1 : left->marker > right->marker;
}

/* 0: seen in every frame of a column, 1: in some, 2: in none. */
static int column_state(const snw_trial *trial, int marker, int column)
{
    int from = (int)((int64_t)column * trial->frame_count / GAP_COLUMNS);
    int to = (int)((int64_t)(column + 1) * trial->frame_count / GAP_COLUMNS);
    if (to <= from) to = from + 1;
    int missing = 0;
    for (int k = from; k < to; k++)
        missing += !snw_trial_is_present(trial, k, marker);
    return missing == 0 ? 0 : missing < to - from ? 1 : 2;
}

static void draw_row(const snw_trial *trial, const gap_row *row, double y, FILE *out)
{
    static const char *const class_of[] = {"", "partial", "gap"};
    fprintf(out, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", GAP_LABEL - 6,
            y + GAP_ROW - 3.5);
    cli_put_text(trial->marker[row->marker].name, out);
    fprintf(out, "</text><rect class=\"seen\" x=\"%.0f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
            GAP_LABEL, y + 2, GAP_COLUMNS, GAP_ROW - 4);
    for (int c = 0; row->missing_count && c < GAP_COLUMNS; c++) {
        int state = column_state(trial, row->marker, c), to = c + 1;
        while (to < GAP_COLUMNS && column_state(trial, row->marker, to) == state)
            to++;
        if (state)
            fprintf(out, "<rect class=\"%s\" x=\"%.0f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>",
                    class_of[state], GAP_LABEL + c, y + 2, to - c, GAP_ROW - 4);
        c = to - 1;
    }
    double percent = 100.0 * row->missing_count / trial->frame_count;
    if (row->missing_count)
        fprintf(out, "<text x=\"%.0f\" y=\"%.1f\">%.*f %%</text>", GAP_LABEL + GAP_COLUMNS + 5,
                y + GAP_ROW - 3.5, percent < 9.95 ? 1 : 0, percent);
    fputc('\n', out);
}

static void draw_times(const snw_trial *trial, double y, FILE *out)
{
    double seconds = trial->rate > 0 ? trial->frame_count / trial->rate : 0;
    if (!(seconds > 0)) return;
    double step = cli_nice_step(seconds, 10);
    for (int i = 0; i * step <= seconds * (1 + 1e-9); i++)
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g s</text>\n",
                GAP_LABEL + GAP_COLUMNS * (i * step / seconds), y, i * step);
}

/* Markers with gaps come into `row`; points that a program computed are no markers. */
static int count_gaps(const snw_trial *trial, gap_row *row, int *whole_count)
{
    int count = 0;
    *whole_count = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!snw_trial_is_marker(trial, m)) continue;
        gap_row own = {m, snw_trial_gaps(trial, m).missing_count};
        if (own.missing_count)
            row[count++] = own;
        else
            ++*whole_count;
    }
    return count;
}

/* Markers without a gap need no bar: their names are enough. */
static void put_whole(const snw_trial *trial, int count, FILE *out)
{
    if (count == 0) return;
    fprintf(out, "<p class=\"soft\">Without any gap, %d marker%s: ", count, count == 1 ? "" : "s");
    for (int m = 0, told = 0; m < trial->marker_count; m++) {
        if (!snw_trial_is_marker(trial, m) || snw_trial_gaps(trial, m).missing_count) continue;
        if (told++) fputs(", ", out);
        cli_put_text(trial->marker[m].name, out);
    }
    fputs(".</p>\n", out);
}

bool cli_gap_chart_draw(const snw_trial *trial, FILE *out)
{
    gap_row *row = malloc(((size_t)trial->marker_count + 1) * sizeof *row);
    if (!row) return false;
    int whole, total = count_gaps(trial, row, &whole), count = total;
    if (count > CLI_GAP_ROWS_MAX) {
        qsort(row, (size_t)total, sizeof *row, by_most_gaps);
        count = CLI_GAP_ROWS_MAX;
        qsort(row, (size_t)count, sizeof *row, by_marker);
    }
    if (count)
        fprintf(out,
                "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"Frames in which each "
                "marker is seen\">\n",
                GAP_LABEL + GAP_COLUMNS + 50, count * GAP_ROW + 22);
    for (int i = 0; i < count; i++)
        draw_row(trial, row + i, i * GAP_ROW, out);
    if (count) {
        draw_times(trial, count * GAP_ROW + 14, out);
        fputs("</svg>\n", out);
    }
    if (total > count)
        fprintf(out, "<p class=\"soft\">%d more markers with fewer gaps are not drawn.</p>\n",
                total - count);
    put_whole(trial, whole, out);
    free(row);
    return true;
}
