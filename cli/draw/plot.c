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
    double seconds;   /* of the whole time axis */
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

static void find_range(const cli_plot *plot, double *low, double *high)
{
    *low = plot->starts_at_zero ? 0 : INFINITY;
    *high = plot->starts_at_zero ? 0 : -INFINITY;
    for (int c = 0; c < plot->curve_count; c++)
        for (int k = 0; k < plot->frame_count; k++) {
            double value = plot->curve[c][k];
            if (!isfinite(value)) continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    if (!(*low <= *high)) *low = *high = 0;
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
    area.seconds = plot->rate > 0 ? plot->frame_count / plot->rate : 0;
    return area;
}

static void draw_value_axis(const cli_plot *plot, const plot_area *area, FILE *out)
{
    double step = cli_nice_step(area->high - area->low, 4);
    int count = (int)floor((area->high - area->low) / step + 1e-6);
    for (int i = 0; i <= count; i++) {
        double value = area->low + i * step, y = to_y(area, value);
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g%s%s</text>\n",
                area->left, y, area->left + area->width, y, area->left - 4, y + 3.5,
                fabs(value) < 1e-9 * step ? 0 : value, i == count ? " " : "",
                i == count ? plot->unit : "");
    }
}

static void draw_time_axis(const plot_area *area, FILE *out)
{
    if (!(area->seconds > 0)) return;
    double step = cli_nice_step(area->seconds, area->width > 400 ? 10 : 4);
    int count = (int)floor(area->seconds / step + 1e-6);
    double y = area->top + area->height;
    for (int i = 0; i <= count; i++) {
        double x = to_x(area, i * step / area->seconds);
        /* A label at the very end would run out of the picture. */
        const char *anchor = x > area->left + area->width - 14 ? "end" : "middle";
        fprintf(out,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%g s</text>\n",
                x, y, x, y + 4, x, y + 15, anchor, i * step);
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

/* Lowest and highest value of frames [from, to); false where all are gaps. */
static int column_range(const double *curve, int from, int to, double *low, double *high)
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
static void draw_curve(const cli_plot *plot, const plot_area *area, int index, FILE *out)
{
    int columns = (int)area->width;
    if (columns > plot->frame_count) columns = plot->frame_count;
    fprintf(out, "<path class=\"curve%d\" d=\"", index);
    char pen = 'M';
    for (int c = 0; c < columns; c++) {
        int from = (int)((int64_t)c * plot->frame_count / columns);
        int to = (int)((int64_t)(c + 1) * plot->frame_count / columns);
        double low, high;
        if (!column_range(plot->curve[index], from, to, &low, &high)) {
            pen = 'M';
            continue;
        }
        double x = to_x(area, (from + 0.5) / plot->frame_count);
        fprintf(out, "%c%.1f %.1f", pen, x, to_y(area, low));
        double tall = to_y(area, low) - to_y(area, high);
        /* A lone point shows as a dot only when the path has a length. */
        if (tall > 0.1 || pen == 'M') fprintf(out, "v%.1f", -fmax(tall, 0.1));
        pen = 'L';
    }
    fputs("\"/>\n", out);
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
    draw_time_axis(&area, out);
    for (int c = 0; c < plot->curve_count; c++)
        draw_curve(plot, &area, c, out);
    fputs("</svg>\n", out);
}
