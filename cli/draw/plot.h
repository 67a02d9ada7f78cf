/* Curves over time as SVG, drawn to stand in an HTML page whose style sheet gives the colours
 * (classes grid, hidden, curve0, curve1, curve2). */
#ifndef SINEW_CLI_PLOT_H
#define SINEW_CLI_PLOT_H

#include <stdint.h>
#include <stdio.h>

#define CLI_PLOT_CURVES 3

typedef struct cli_plot {
    const char *name; /* for those who cannot see the picture */
    const char *unit; /* of the values: "mm" */
    double width;     /* SVG pixels, with the labels */
    double height;
    double rate; /* frames per second */
    int frame_count;
    int curve_count;
    const double *curve[CLI_PLOT_CURVES]; /* (frame_count) not finite = a gap */
    const uint8_t *is_hidden;             /* (frame_count) shaded where not 0; may be NULL */
    double least_span;                    /* the value axis covers at least this */
    int starts_at_zero;                   /* the value axis starts at 0 */
} cli_plot;

void cli_plot_draw(const cli_plot *plot, FILE *out);

/* 1, 2 or 5 times a power of ten that cuts `span` into at most `count` steps; 1 for no span. */
double cli_nice_step(double span, int count);

#endif
