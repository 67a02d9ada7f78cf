/* Cameras and what they saw, for the commands of cli/views. */
#ifndef SINEW_CLI_VIEWS_H
#define SINEW_CLI_VIEWS_H

#include "command.h"

/* A calibration. Complains itself; NULL on failure. */
snw_cameras *cli_read_cameras(const cli_arguments *arguments, const char *path);

/* The folders of the operands as joints over time, by what --points and --up say; complains itself,
 * NULL on failure. */
snw_trial *cli_triangulate(const cli_arguments *arguments, const snw_cameras *cameras, double rate,
                           const snw_view_options *options);

#endif
