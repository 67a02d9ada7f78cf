/* Line charts as SVG, both axes logarithmic, several side by side with one legend. */
#ifndef SINEW_CLI_CHART_H
#define SINEW_CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

#define CLI_CHART_POINTS 16
#define CLI_CHART_SERIES 16

typedef struct cli_chart {
    const char *title;
    const char *x_label;
    bool x_is_reversed; /* the largest x at the left */
    int series_count;
    int point_count[CLI_CHART_SERIES];
    double x[CLI_CHART_SERIES][CLI_CHART_POINTS]; /* > 0 */
    double y[CLI_CHART_SERIES][CLI_CHART_POINTS]; /* > 0 */
} cli_chart;

typedef struct cli_chart_page {
    const char *title;
    const char *y_label;
    int chart_count;
    const cli_chart *chart; /* all with the same series */
    const char *const *series_name;
} cli_chart_page;

void cli_chart_draw(const cli_chart_page *page, FILE *out);

#endif
