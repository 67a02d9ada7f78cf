/* Which marker is seen when, as SVG for an HTML page (classes seen, gap, partial). */
#ifndef SINEW_CLI_GAP_CHART_H
#define SINEW_CLI_GAP_CHART_H

#include "command.h"

/* At most so many bars; where there are more, those with the most gaps are drawn. */
#define CLI_GAP_ROWS_MAX 160

/* Markers with gaps as bars, the others by name. False when there is no memory. */
bool cli_gap_chart_draw(const snw_trial *trial, FILE *out);

#endif
