/* Pictures of bodies as SVG: poses seen from the front, the side and above, or one beside the
 * other, on one scale. */
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
    bool has_names;         /* of the last pose's joints */
    int note_count;
    const char *const *note; /* (note_count) lines below */
} cli_picture;

void cli_picture_draw(const cli_picture *picture, FILE *out);

/* One moment of a motion: the body and the markers that were seen. */
typedef struct cli_moment {
    const snw_pose *pose; /* world valid */
    char label[32];
    int marker_count;
    const snw_vec3 *truth; /* (truth_count) where joints really were */
    int truth_count;
    const snw_vec3 *marker; /* drawn as dots; may be NULL */
} cli_moment;

/* Moments beside each other from the side on which the first is widest; `up` unknown counts as y.
 * A picture that stands alone or in a page. */
void cli_picture_draw_strip(const cli_moment *moment, int count, snw_up_axis up, FILE *out);

#endif
