/* What the pictures and pages of `sinew hand` and `sinew avatar` tell of: a motion and the markers
 * or trackers that led to it. */
#ifndef SINEW_CLI_ACT_PART_H
#define SINEW_CLI_ACT_PART_H

#include "command.h"

/* One hand, or an upper body. Owns nothing. */
typedef struct cli_act_part {
    const char *title; /* "right hand" */
    const snw_motion *motion;
    snw_up_axis up;
    int first; /* frame of the first moment of a picture */
    int marker_count;
    /* Where a marker is in a frame; false: not seen. */
    bool (*marker)(const void *context, int frame, int marker, snw_vec3 *place);
    /* Facts, tables and curves of the page; false without memory. */
    bool (*details)(const void *context, FILE *out);
    const void *context;
} cli_act_part;

/* Writes six moments as SVG. Complains itself; returns an exit code. */
int cli_act_picture(const cli_arguments *arguments, const char *path, const cli_act_part *part);

/* Writes one HTML page that needs nothing else. Complains itself; returns an exit code. */
int cli_act_report(const cli_arguments *arguments, const char *path, const snw_notes *notes,
                   const cli_act_part *parts, int count);

#endif
