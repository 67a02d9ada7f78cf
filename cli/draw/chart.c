#include "draw/chart.h"

#include <math.h>

/* Sizes in SVG pixels. */
#define CHART_WIDTH  290.0
#define CHART_HEIGHT 260.0
#define CHART_NAME   126.0 /* of a name in the legend */
#define CHART_LINE   18.0
#define CHART_LEFT   56.0
#define CHART_TOP    64.0
#define CHART_GAP    40.0

/* Distinguishable also without colour vision (Okabe & Ito 2008). */
static const char *const chart_colours[CLI_CHART_SERIES / 2] = {
    "#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"};

static const char *colour_of(int series)
{
    return chart_colours[series % (CLI_CHART_SERIES / 2)];
}

/* The second half of the series has the same colours, dashed. */
static const char *dash_of(int series)
{
    return series < CLI_CHART_SERIES / 2 ? "" : " stroke-dasharray=\"5 3\"";
}

typedef struct chart_axes {
    double left, top;
    double x_low, x_high, y_low, y_high; /* decimal logarithms */
    bool is_reversed;
} chart_axes;

static double x_on_page(const chart_axes *axes, double log_x)
{
    double share = (log_x - axes->x_low) / (axes->x_high - axes->x_low);
    return axes->left + CHART_WIDTH * (axes->is_reversed ? 1 - share : share);
}

static double y_on_page(const chart_axes *axes, double log_y)
{
    return axes->top + CHART_HEIGHT * (1 - (log_y - axes->y_low) / (axes->y_high - axes->y_low));
}

static void widen(double value, double *low, double *high)
{
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

/* y is common to all charts of the page, in whole decades; x is the chart's own. */
static chart_axes find_axes(const cli_chart_page *page, int index)
{
    chart_axes axes = {
        .x_low = INFINITY, .x_high = -INFINITY, .y_low = INFINITY, .y_high = -INFINITY};
    for (int c = 0; c < page->chart_count; c++) {
        const cli_chart *chart = page->chart + c;
        for (int s = 0; s < chart->series_count; s++)
            for (int n = 0; n < chart->point_count[s]; n++) {
                widen(log10(chart->y[s][n]), &axes.y_low, &axes.y_high);
                if (c == index) widen(log10(chart->x[s][n]), &axes.x_low, &axes.x_high);
            }
    }
    axes.y_low = floor(axes.y_low);
    axes.y_high = fmax(ceil(axes.y_high), axes.y_low + 1);
    axes.x_low -= 0.05;
    axes.x_high += 0.05;
    axes.left = CHART_LEFT + index * (CHART_WIDTH + CHART_GAP);
    axes.top = CHART_TOP;
    axes.is_reversed = page->chart[index].x_is_reversed;
    return axes;
}

static void draw_y_grid(const chart_axes *axes, bool has_labels, FILE *out)
{
    for (int n = 0; n <= (int)(axes->y_high - axes->y_low); n++) {
        double decade = axes->y_low + n;
        double y = y_on_page(axes, decade);
        fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
                axes->left, y, axes->left + CHART_WIDTH, y);
        if (has_labels)
            fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                    axes->left - 6, y + 4, pow(10, decade));
    }
}

/* Ticks at the points of the first series: those were the measured ones. */
static void draw_x_ticks(const chart_axes *axes, const cli_chart *chart, FILE *out)
{
    double y = axes->top + CHART_HEIGHT;
    for (int n = 0; n < chart->point_count[0]; n++) {
        double x = x_on_page(axes, log10(chart->x[0][n]));
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#666\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\">%g</text>\n",
                x, y, x, y + 4, x, y + 16, chart->x[0][n]);
    }
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
            axes->left + CHART_WIDTH / 2, y + 34, chart->x_label);
}

static void draw_series(const chart_axes *axes, const cli_chart *chart, int series, FILE *out)
{
    const char *colour = colour_of(series);
    fprintf(out, "<polyline fill=\"none\" stroke=\"%s\"%s stroke-width=\"2\" points=\"", colour,
            dash_of(series));
    for (int n = 0; n < chart->point_count[series]; n++)
        fprintf(out, "%.1f,%.1f ", x_on_page(axes, log10(chart->x[series][n])),
                y_on_page(axes, log10(chart->y[series][n])));
    fputs("\"/>\n", out);
    for (int n = 0; n < chart->point_count[series]; n++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                x_on_page(axes, log10(chart->x[series][n])),
                y_on_page(axes, log10(chart->y[series][n])), colour);
}

static void draw_chart(const cli_chart_page *page, int index, FILE *out)
{
    const cli_chart *chart = page->chart + index;
    chart_axes axes = find_axes(page, index);
    draw_y_grid(&axes, index == 0, out);
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
            "stroke=\"#666\"/>\n<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
            axes.left, axes.top, CHART_WIDTH, CHART_HEIGHT, axes.left, axes.top - 8, chart->title);
    draw_x_ticks(&axes, chart, out);
    for (int s = 0; s < chart->series_count; s++)
        draw_series(&axes, chart, s, out);
}

/* Names that stand beside each other under the charts. */
static int legend_columns(const cli_chart_page *page)
{
    return (int)(page->chart_count * (CHART_WIDTH + CHART_GAP) / CHART_NAME);
}

static void draw_legend(const cli_chart_page *page, double top, FILE *out)
{
    for (int s = 0; s < page->chart[0].series_count; s++) {
        double x = CHART_LEFT + CHART_NAME * (s % legend_columns(page));
        double y = top + CHART_LINE * (s / legend_columns(page));
        fprintf(out,
                "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"%s\"%s "
                "stroke-width=\"3\"/><text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
                x, y - 4, x + 20, y - 4, colour_of(s), dash_of(s), x + 26, y, page->series_name[s]);
    }
}

void cli_chart_draw(const cli_chart_page *page, FILE *out)
{
    double width = CHART_LEFT + page->chart_count * (CHART_WIDTH + CHART_GAP);
    int lines = (page->chart[0].series_count - 1) / legend_columns(page);
    double height = CHART_TOP + CHART_HEIGHT + 80 + CHART_LINE * lines;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"12\" y=\"20\" font-size=\"15\">%s</text>\n"
            "<text x=\"12\" y=\"38\" fill=\"#666\">%s</text>\n",
            width, height, width, height, page->title, page->y_label);
    for (int c = 0; c < page->chart_count; c++)
        draw_chart(page, c, out);
    draw_legend(page, height - 12 - CHART_LINE * lines, out);
    fputs("</svg>\n", out);
}
