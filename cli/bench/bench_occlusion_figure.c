/* `sinew bench occlusion --figure`: the columns of figure 4.15 are a marker (one of its segment's
 * three is hidden) and the centre between that segment and its neighbour once bone lengths are
 * restored; the rows are the path along the axis on which it moves most and the error, both of the
 * first run, and the distribution of the errors of all runs. */
#include "bench/bench_occlusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "draw/plot.h"
#include "output.h"

enum {
    FIGURE_BINS = 240,
    FIGURE_ABOVE = 62, /* SVG pixels */
    FIGURE_PLOT_WIDTH = 460,
    FIGURE_PLOT_HEIGHT = 210,
    FIGURE_ROW = FIGURE_PLOT_HEIGHT + 26,
    FIGURE_BELOW = 92
};

/* Centimetres: what the axes of errors and, beside the truth, of paths show. */
#define FIGURE_ERROR_MAX 1.5
#define FIGURE_PATH_MORE 10.0

bool occlusion_trace_prepare(occlusion_trace *trace, int run_count)
{
    for (int kind = 0; kind < TRACE_KINDS; kind++) {
        trace->error[kind] = malloc((size_t)run_count * TRACE_FRAMES * sizeof(double));
        if (!trace->error[kind]) return false;
        for (int n = 0; n < TRACE_FRAMES; n++)
            trace->place[kind][n] = trace->truth[kind][n] = snw_vec3_make(NAN, NAN, NAN);
    }
    return true;
}

void occlusion_trace_release(occlusion_trace *trace)
{
    for (int kind = 0; kind < TRACE_KINDS; kind++)
        free(trace->error[kind]);
}

void occlusion_trace_add(occlusion_trace *trace, int kind, int n, snw_vec3 place, snw_vec3 truth)
{
    double error = snw_vec3_distance(place, truth);
    if (trace->error_count[kind] < TRACE_FRAMES) {
        trace->place[kind][n] = place;
        trace->truth[kind][n] = truth;
    }
    if (isfinite(error)) trace->error[kind][trace->error_count[kind]++] = error;
}

/* ---- curves --------------------------------------------------------------------------------- */

static double along(snw_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The axis of the room along which the truth moves most. */
static int widest_axis(const snw_vec3 *truth)
{
    int best = 0;
    double widest = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int n = 0; n < TRACE_FRAMES; n++) {
            if (!snw_vec3_is_finite(truth[n])) continue;
            low = fmin(low, along(truth[n], axis));
            high = fmax(high, along(truth[n], axis));
        }
        if (high - low > widest) {
            widest = high - low;
            best = axis;
        }
    }
    return best;
}

/* Share of the sorted errors up to `limit`, in per cent. */
static double share_within(const occlusion_trace *trace, int kind, double limit)
{
    int low = 0, high = trace->error_count[kind];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (trace->error[kind][middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return trace->error_count[kind] ? 100.0 * low / trace->error_count[kind] : NAN;
}

static double median_cm(const occlusion_trace *trace, int kind)
{
    int count = trace->error_count[kind];
    return count ? 100 * trace->error[kind][count / 2] : NAN;
}

typedef struct figure_curves {
    double value[CLI_PLOT_CURVES][TRACE_FRAMES];
} figure_curves;

/* Row 0: the path with the truth as its last curve; 1: errors; 2: their distribution. */
static cli_plot make_plot(const occlusion_figure *figure, int row, int kind, figure_curves *curves)
{
    static const char *const names[] = {"path", "error", "distribution of errors"};
    cli_plot plot = {.name = names[row],
                     .unit = row == 2 ? "%" : "cm",
                     .width = FIGURE_PLOT_WIDTH,
                     .height = FIGURE_PLOT_HEIGHT,
                     .rate = figure->rate,
                     .frame_count = TRACE_FRAMES,
                     .curve_count = figure->trace_count + (row == 0)};
    const occlusion_trace *first = figure->trace;
    int axis = widest_axis(first->truth[kind]);
    double low = INFINITY, high = -INFINITY;
    for (int n = 0; n < TRACE_FRAMES; n++) {
        double at = 100 * along(first->truth[kind][n], axis);
        low = fmin(low, at);
        high = fmax(high, at);
        curves->value[figure->trace_count][n] = at;
    }
    plot.low = row == 0 ? low - FIGURE_PATH_MORE : 0;
    plot.high = row == 0 ? high + FIGURE_PATH_MORE : row == 1 ? FIGURE_ERROR_MAX : 100;
    if (row == 2) {
        plot.frame_count = FIGURE_BINS + 1;
        plot.rate = (FIGURE_BINS + 1) / FIGURE_ERROR_MAX;
        plot.axis_unit = "cm";
    }
    for (int t = 0; t < figure->trace_count; t++) {
        const occlusion_trace *trace = figure->trace + t;
        for (int n = 0; n < plot.frame_count; n++) {
            snw_vec3 at = trace->place[kind][row == 2 ? 0 : n], truth = first->truth[kind][n];
            double value =
                row == 0   ? 100 * along(at, axis)
                : row == 1 ? 100 * snw_vec3_distance(at, truth)
                           : share_within(trace, kind, n * FIGURE_ERROR_MAX / FIGURE_BINS / 100);
            bool is_shown = value >= plot.low && value <= plot.high;
            curves->value[t][n] = is_shown ? value : NAN;
        }
        plot.curve[t] = (cli_plot_curve){trace->class_name, curves->value[t], NULL};
    }
    if (row == 0)
        plot.curve[figure->trace_count] =
            (cli_plot_curve){"truth", curves->value[figure->trace_count], NULL};
    return plot;
}

/* ---- the page ------------------------------------------------------------------------------- */

static const char *const figure_style[] = {
    "text{font:11px sans-serif;fill:#333}.title{font-size:15px}.curve{fill:none;stroke-width:1.5}",
    ".grid{stroke:#ddd}.zero{stroke:#999}.truth{stroke:#000;stroke-dasharray:5 3}",
    ".turn{stroke:#d55e00}.ray{stroke:#009e73}.velocity{stroke:#0072b2}",
    ".line{stroke:#e69f00}.spline{stroke:#999}.ours{stroke:#cc79a7}"};

static void put_legend_name(int n, const char *name, const char *class_name, double top, FILE *out)
{
    double x = 20 + 154 * (n % 6), y = top + 18 * (n / 6);
    fprintf(out,
            "<path class=\"curve %s\" d=\"M%.0f %.0fh22\"/><text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
            class_name, x, y - 4, x + 27, y, name);
}

static bool draw_figure(FILE *out, const void *context)
{
    static const char *const rows[] = {"a: path", "b: error", "c: share of errors up to"};
    static const char *const columns[] = {"a marker", "a centre, bone lengths restored"};
    const occlusion_figure *figure = context;
    figure_curves *curves = malloc(sizeof *curves);
    if (!curves) return false;
    int width = 2 * FIGURE_PLOT_WIDTH + 20, height = FIGURE_ABOVE + 3 * FIGURE_ROW + FIGURE_BELOW;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
            "height=\"%d\">\n<style>",
            width, height, width, height);
    for (size_t n = 0; n < sizeof figure_style / sizeof *figure_style; n++)
        fputs(figure_style[n], out);
    fprintf(out,
            "</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text class=\"title\" x=\"12\" y=\"22\">One marker of a segment hidden for %d frames "
            "(figure 4.15 of Aristidou 2010, drawn anew)</text>\n"
            "<text x=\"12\" y=\"40\">a and b: the first run; c: all %d runs</text>\n",
            TRACE_FRAMES, figure->run_count);
    for (int row = 0; row < 3; row++)
        for (int kind = 0; kind < TRACE_KINDS; kind++) {
            int x = 10 + kind * FIGURE_PLOT_WIDTH, y = FIGURE_ABOVE + row * FIGURE_ROW;
            cli_plot plot = make_plot(figure, row, kind, curves);
            fprintf(out,
                    "<text x=\"%d\" y=\"%d\">%s, %s</text>\n"
                    "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n",
                    x + 58, y + 4, rows[row], columns[kind], x, y + 6, FIGURE_PLOT_WIDTH,
                    FIGURE_PLOT_HEIGHT);
            cli_plot_draw(&plot, out);
            fputs("</svg>\n", out);
        }
    double foot = FIGURE_ABOVE + 3 * FIGURE_ROW + 12;
    for (int t = 0; t < figure->trace_count; t++)
        put_legend_name(t, figure->trace[t].name, figure->trace[t].class_name, foot, out);
    put_legend_name(figure->trace_count, "truth", "truth", foot, out);
    fprintf(out,
            "<text x=\"12\" y=\"%.0f\">The thesis ranks the predictors; here they lie on each "
            "other: two seen markers and the joint's centre leave a hidden marker one place, "
            "whatever was predicted.</text>\n"
            "<text x=\"12\" y=\"%.0f\">What is beyond the axes is not drawn: the spline, which "
            "knows no segment, is off by decimetres.</text>\n</svg>\n",
            foot + 44, foot + 62);
    free(curves);
    return true;
}

static void print_figure(const occlusion_figure *figure)
{
    printf("figure 4.15: one marker of each segment hidden, %d runs; medians in centimetres (the "
           "thesis: ekf 1.12, 0.83;\nvtm-ukf 1.09, 0.75, with a ray 0.12) and the share of errors "
           "up to 1.2 cm (extrapolate 57 %%, vtm-ukf 62 %%,\nspline below 40 %%)\n"
           "%-16s %10s %10s %14s\n",
           figure->run_count, "method", "marker", "centre", "within 1.2 cm");
    for (int t = 0; t < figure->trace_count; t++)
        printf("%-16s %10.3f %10.3f %12.1f %%\n", figure->trace[t].name,
               median_cm(figure->trace + t, 0), median_cm(figure->trace + t, 1),
               share_within(figure->trace + t, 0, 0.012));
    printf("The thesis' ranking of the predictors is not reproduced: the two seen markers of the "
           "segment and the centre of the\njoint leave the hidden marker one place, so that what a "
           "predictor says hardly counts.\n");
}

int occlusion_figure_write(const cli_arguments *arguments, const char *path,
                           occlusion_figure *figure)
{
    for (int t = 0; t < figure->trace_count; t++)
        for (int kind = 0; kind < TRACE_KINDS; kind++)
            cli_sort(figure->trace[t].error[kind], figure->trace[t].error_count[kind]);
    int code = cli_write_whole(arguments, path, draw_figure, figure);
    if (code == CLI_DONE) print_figure(figure);
    return code;
}
