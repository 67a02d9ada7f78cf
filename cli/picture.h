/* Pictures of bodies as SVG: poses seen from the front and from above, on one scale. */
#ifndef SINEW_CLI_PICTURE_H
#define SINEW_CLI_PICTURE_H

#include "command.h"

typedef struct cli_picture_pose {
    const snw_pose *pose; /* world valid */
    const char *label;
    const char *colour; /* of SVG */
} cli_picture_pose;

typedef struct cli_picture {
    const char *title;
    int pose_count;
    const cli_picture_pose *pose;
    int target_count;
    const snw_vec3 *target; /* drawn as crosses; may be NULL */
} cli_picture;

void cli_picture_draw(const cli_picture *picture, FILE *out);

#endif
