#include "draw/plot.h"

#include <math.h>

#include "draw/markup.h"

/* Room for labels, in SVG pixels. */
#define PLOT_LEFT   58.0
#define PLOT_RIGHT  8.0
#define PLOT_TOP    8.0
#define PLOT_BOTTOM 20.0

/* The area inside the labels and what it shows. */
typedef struct plot_area {
    double left, top, width, height;
    double low, high; /* of the values */
    double length;    /* of the whole axis below: seconds, or 100 % */
} plot_area;

double cli_nice_step(double span, int count)
{
    if (!(span > 0) || !isfinite(span)) return 1;
    double power = pow(10, floor(log10(span / count)));
    static const double steps[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (span / (steps[i] * power) <= count) return steps[i] * power;
    return 10 * power;
}

static double to_x(const plot_area *area, double share)
{
    return area->left + area->width * share;
}

static double to_y(const plot_area *area, double value)
{
    return area->top + area->height * (area->high - value) / (area->high - area->low);
}

bool cli_plot_range(const cli_plot *plot, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int c = 0; c < plot->curve_count; c++)
        for (int k = 0; k < plot->frame_count; k++) {
            double value = plot->curve[c].value[k];
            double spread = plot->curve[c].spread ? plot->curve[c].spread[k] : 0;
            if (!isfinite(value)) continue;
            *low = fmin(*low, value - spread);
            *high = fmax(*high, value + spread);
        }
    return *low <= *high;
}

static void find_range(const cli_plot *plot, double *low, double *high)
{
    if (plot->low < plot->high) {
        *low = plot->low;
        *high = plot->high;
        return;
    }
    if (!cli_plot_range(plot, low, high)) *low = *high = 0;
    if (plot->starts_at_zero) *low = 0;
    double missing = plot->least_span - (*high - *low);
    if (missing > 0 && !plot->starts_at_zero) *low -= missing / 2;
    if (missing > 0) *high += plot->starts_at_zero ? missing : missing / 2;
}

static plot_area find_area(const cli_plot *plot)
{
    plot_area area = {.left = PLOT_LEFT,
                      .top = PLOT_TOP,
                      .width = plot->width - PLOT_LEFT - PLOT_RIGHT,
                      .height = plot->height - PLOT_TOP - PLOT_BOTTOM};
    find_range(plot, &area.low, &area.high);
    double step = cli_nice_step(area.high - area.low, 3);
    area.low = step * floor(area.low / step + 1e-9);
    area.high = step * ceil(area.high / step - 1e-9);
    if (!(area.high > area.low)) area.high = area.low + 1;
    area.length = plot->rate > 0 ? plot->frame_count / plot->rate : 100;
    return area;
}

static void draw_value_axis(const cli_plot *plot, const plot_area *area, FILE *out)
{
    double step = cli_nice_step(area->high - area->low, 4);
    int count = (int)floor((area->high - area->low) / step + 1e-6);
    for (int i = 0; i <= count; i++) {
        double value = area->low + i * step, y = to_y(area, value);
        bool is_zero = fabs(value) < 1e-9 * step;
        fprintf(out,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g%s%s</text>\n",
                is_zero ? "zero" : "grid", area->left, y, area->left + area->width, y,
                area->left - 4, y + 3.5, is_zero ? 0 : value, i == count ? " " : "",
                i == count ? plot->unit : "");
    }
}

static void draw_time_axis(const cli_plot *plot, const plot_area *area, FILE *out)
{
    if (!(area->length > 0)) return;
    double step = cli_nice_step(area->length, area->width > 400 ? 10 : 4);
    int count = (int)floor(area->length / step + 1e-6);
    double y = area->top + area->height;
    const char *unit = plot->axis_unit ? plot->axis_unit : plot->rate > 0 ? "s" : "%";
    for (int i = 0; i <= count; i++) {
        double x = to_x(area, i * step / area->length);
        /* A label at the very end would run out of the picture. */
        const char *anchor = x > area->left + area->width - 14 ? "end" : "middle";
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%g %s</text>\n",
                x, y, x, y + 4, x, y + 15, anchor, i * step, unit);
    }
}

static void draw_hidden(const cli_plot *plot, const plot_area *area, FILE *out)
{
    for (int k = 0; plot->is_hidden && k < plot->frame_count; k++) {
        int to = k;
        while (to < plot->frame_count && plot->is_hidden[to])
            to++;
        if (to == k) continue;
        double x = to_x(area, (double)k / plot->frame_count);
        fprintf(
            out, "<rect class=\"hidden\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            x, area->top, fmax(to_x(area, (double)to / plot->frame_count) - x, 1), area->height);
        k = to;
    }
}

static void draw_events(const cli_plot *plot, const plot_area *area, FILE *out)
{
    for (int e = 0; e < plot->event_count; e++) {
        double share = plot->event[e].time / area->length;
        if (!(share >= 0 && share <= 1)) continue;
        fprintf(out, "<line class=\"event %s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                plot->event[e].class_name, to_x(area, share), area->top, to_x(area, share),
                area->top + area->height);
    }
}

/* Where frame `k` lies on the axis: in the middle of its time, or at its percent. */
static double frame_share(const cli_plot *plot, int k)
{
    return plot->rate > 0          ? (k + 0.5) / plot->frame_count
           : plot->frame_count > 1 ? (double)k / (plot->frame_count - 1)
                                   : 0;
}

static void draw_band(const cli_plot *plot, const plot_area *area, const cli_plot_curve *curve,
                      FILE *out)
{
    if (!curve->spread) return;
    fprintf(out, "<path class=\"band %s\" d=\"", curve->class_name);
    for (int n = 0; n < 2 * plot->frame_count; n++) {
        bool is_back = n >= plot->frame_count;
        int k = is_back ? 2 * plot->frame_count - 1 - n : n;
        double value = curve->value[k] + (is_back ? -1 : 1) * curve->spread[k];
        fprintf(out, "%c%.1f %.1f", n ? 'L' : 'M', to_x(area, frame_share(plot, k)),
                to_y(area, isfinite(value) ? value : area->low));
    }
    fputs("Z\"/>\n", out);
}

/* Lowest and highest value of frames [from, to); false where all are gaps. */
static bool column_range(const double *curve, int from, int to, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = from; k < to; k++) {
        if (!isfinite(curve[k])) continue;
        *low = fmin(*low, curve[k]);
        *high = fmax(*high, curve[k]);
    }
    return *low <= *high;
}

/* Two points to a pixel column are all that can be seen: an hour of frames stays a small page, and
 * no peak is lost. */
static void draw_curve(const cli_plot *plot, const plot_area *area, const cli_plot_curve *curve,
                       FILE *out)
{
    int columns = (int)area->width;
    if (columns > plot->frame_count) columns = plot->frame_count;
    fprintf(out, "<path class=\"curve %s\" d=\"", curve->class_name);
    char pen = 'M';
    for (int c = 0; c < columns; c++) {
        int from = (int)((int64_t)c * plot->frame_count / columns);
        int to = (int)((int64_t)(c + 1) * plot->frame_count / columns);
        double low, high;
        if (!column_range(curve->value, from, to, &low, &high)) {
            pen = 'M';
            continue;
        }
        fprintf(out, "%c%.1f %.1f", pen, to_x(area, frame_share(plot, from)), to_y(area, low));
        double tall = to_y(area, low) - to_y(area, high);
        /* A lone point shows as a dot only when the path has a length. */
        if (tall > 0.1 || pen == 'M') fprintf(out, "v%.1f", -fmax(tall, 0.1));
        pen = 'L';
    }
    fputs("\"/>\n", out);
}

static void draw_directions(const cli_plot *plot, const plot_area *area, FILE *out)
{
    if (plot->above)
        fprintf(out, "<text class=\"way\" x=\"%.1f\" y=\"%.1f\">%s \xe2\x86\x91</text>\n",
                area->left + 4, area->top + 10, plot->above);
    if (plot->below)
        fprintf(out, "<text class=\"way\" x=\"%.1f\" y=\"%.1f\">%s \xe2\x86\x93</text>\n",
                area->left + 4, area->top + area->height - 4, plot->below);
}

void cli_plot_draw(const cli_plot *plot, FILE *out)
{
    plot_area area = find_area(plot);
    fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", plot->width,
            plot->height);
    cli_put_text(plot->name, out);
    fputs("\">\n", out);
    draw_hidden(plot, &area, out);
    draw_value_axis(plot, &area, out);
    draw_time_axis(plot, &area, out);
    draw_events(plot, &area, out);
    for (int c = 0; c < plot->curve_count; c++)
        draw_band(plot, &area, plot->curve + c, out);
    for (int c = 0; c < plot->curve_count; c++)
        draw_curve(plot, &area, plot->curve + c, out);
    draw_directions(plot, &area, out);
    fputs("</svg>\n", out);
}
