/* A motion as a picture: several moments beside each other with the markers that led to them. */
#ifndef SINEW_CLI_ACT_STRIP_H
#define SINEW_CLI_ACT_STRIP_H

#include "command.h"

#define CLI_STRIP_MARKERS 32

typedef struct cli_strip {
    const snw_motion *motion;
    snw_up_axis up;
    int first; /* frame of the first moment */
    /* Markers of a frame, at most CLI_STRIP_MARKERS; how many. */
    int (*markers)(const void *context, int frame, snw_vec3 *place);
    const void *context;
} cli_strip;

/* Writes six moments as SVG. Complains itself; returns an exit code. */
int cli_write_strip(const cli_arguments *arguments, const char *path, const cli_strip *strip);

#endif
