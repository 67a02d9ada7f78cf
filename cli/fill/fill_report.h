/* What `sinew fill` did, as one HTML page that needs nothing else. */
#ifndef SINEW_CLI_FILL_REPORT_H
#define SINEW_CLI_FILL_REPORT_H

#include "command.h"

typedef struct cli_fill_page {
    const char *path; /* of the capture */
    const snw_trial *trial;
    const snw_filled *filled;
    const snw_notes *notes;
} cli_fill_page;

/* Writes the page to `path`, overwriting only with --force. Complains itself; an exit code. */
int cli_fill_report(const cli_arguments *arguments, const char *path, const cli_fill_page *page);

/* The largest second difference at the ends of a gap by the largest of the measured samples of that
 * marker within half a second: up to 1 the motion beside the gap explains it. 0 where there is
 * nothing to compare. */
double cli_fill_jump(const snw_filled *filled, const snw_filled_gap *gap);

#endif
