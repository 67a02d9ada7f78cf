/* The angles, events and strides of a report. Internal to cli/report. */
#ifndef SINEW_CLI_REPORT_ANGLES_H
#define SINEW_CLI_REPORT_ANGLES_H

#include "draw/plot.h"
#include "report/report.h"

typedef struct report_angles {
    snw_angles *angles;      /* NULL: there are none */
    snw_trial *points;       /* ours as the file would write them; NULL: it has none of its own */
    snw_gait_events *events; /* NULL: no walk */
    snw_strides *strides;    /* NULL: no walk */
    cli_plot_event *line;    /* (events->count) for graphs over time */
} report_angles;

/* False when there is no memory. Release in any case. */
bool report_angles_find(const cli_solution *solution, report_angles *found);
void report_angles_release(report_angles *found);
/* Both draw nothing where there is nothing; false when there is no memory. */
bool report_angles_draw(const cli_solution *solution, const report_angles *found, FILE *out);

#endif
