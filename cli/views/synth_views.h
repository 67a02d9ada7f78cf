/* `sinew synth --views`: what the cameras of a synthetic capture report, and the truth beside it.
 */
#ifndef SINEW_CLI_SYNTH_VIEWS_H
#define SINEW_CLI_SYNTH_VIEWS_H

#include "command.h"

enum {
    CLI_VIEW_FILES = 5, /* points, calibration; truth: points, cameras, clocks */
    CLI_VIEW_PATH = 1024
};

typedef struct cli_synth_views {
    snw_synth_view_options options;
    const char *path;  /* of --views; NULL: not asked for */
    const char *truth; /* of --truth, or NULL */
} cli_synth_views;

/* The options, in degrees, percents, parts of a million. Complains itself; an exit code. */
int cli_synth_views_read(const cli_arguments *arguments, cli_synth_views *views);
/* The nth file that is written; false: there is none. */
bool cli_synth_views_file(const cli_synth_views *views, int n, char path[CLI_VIEW_PATH]);
/* Makes them, writes all files and says so. */
int cli_synth_views_write(const cli_arguments *arguments, const cli_synth_views *views,
                          const snw_synth *synth);

#endif
