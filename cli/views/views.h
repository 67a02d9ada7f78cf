/* Cameras and what they saw, for the commands of cli/views. */
#ifndef SINEW_CLI_VIEWS_H
#define SINEW_CLI_VIEWS_H

#include "command.h"

/* A calibration. Complains itself; NULL on failure. */
snw_cameras *cli_read_cameras(const cli_arguments *arguments, const char *path);

#endif
