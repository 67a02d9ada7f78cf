/* Curves over time, or over a cycle, as SVG, drawn to stand in an HTML page whose style sheet gives
 * the colours (classes grid, hidden, event, and those that the curves name). */
#ifndef SINEW_CLI_PLOT_H
#define SINEW_CLI_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_PLOT_CURVES 7

typedef struct cli_plot_curve {
    const char *class_name; /* "left", "right own": of the style sheet */
    const double *value;    /* (frame_count) not finite = a gap */
    const double *spread;   /* (frame_count) a band of so much on both sides; NULL: none */
} cli_plot_curve;

/* An upright line. */
typedef struct cli_plot_event {
    double time;            /* seconds from the first frame */
    const char *class_name; /* "left strike" */
} cli_plot_event;

typedef struct cli_plot {
    const char *name; /* for those who cannot see the picture */
    const char *unit; /* of the values: "mm" */
    double width;     /* SVG pixels, with the labels */
    double height;
    double rate;           /* frames per second; 0: the axis is 0 to 100 % of a cycle */
    const char *axis_unit; /* of frames over rate; NULL: s, or % */
    int frame_count;
    int curve_count;
    cli_plot_curve curve[CLI_PLOT_CURVES];
    int event_count;
    const cli_plot_event *event; /* (event_count) */
    const uint8_t *is_hidden;    /* (frame_count) shaded where not 0; may be NULL */
    double low, high;            /* the value axis; low >= high: found from the curves */
    double least_span;           /* the value axis covers at least this */
    bool starts_at_zero;         /* the value axis starts at 0 */
    const char *above, *below;   /* what up and down mean: "Flex", "Ext"; NULL: nothing is said */
} cli_plot;

void cli_plot_draw(const cli_plot *plot, FILE *out);
/* Lowest and highest value of all curves with their bands; false: there is none. */
bool cli_plot_range(const cli_plot *plot, double *low, double *high);

/* 1, 2 or 5 times a power of ten that cuts `span` into at most `count` steps; 1 for no span. */
double cli_nice_step(double span, int count);

#endif
