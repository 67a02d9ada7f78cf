#include "act/strip.h"

#include <string.h>

#include "draw/picture.h"
#include "output.h"

#define STRIP_MOMENTS 6

static bool draw_strip(FILE *out, const void *context)
{
    const cli_strip *strip = context;
    const snw_motion *motion = strip->motion;
    cli_moment moment[STRIP_MOMENTS];
    snw_pose *pose[STRIP_MOMENTS] = {NULL};
    snw_vec3 place[STRIP_MOMENTS][CLI_STRIP_MARKERS];
    int count = motion->frame_count < STRIP_MOMENTS ? motion->frame_count : STRIP_MOMENTS;
    bool is_whole = true;
    memset(moment, 0, sizeof moment);
    for (int n = 0; n < count && is_whole; n++) {
        double span = motion->frame_count - 1 - strip->first;
        int frame = strip->first + (int)(span * n / (count > 1 ? count - 1 : 1));
        is_whole = snw_pose_create(motion->skeleton, NULL, &pose[n], NULL) == SNW_OK;
        if (!is_whole) break;
        snw_motion_get(motion, frame, pose[n]);
        snw_pose_forward(pose[n]);
        moment[n].pose = pose[n];
        moment[n].marker_count = strip->markers(strip->context, frame, place[n]);
        moment[n].marker = place[n];
        snw_format(moment[n].label, sizeof moment[n].label, "%.1f s", frame / motion->rate);
    }
    if (is_whole) cli_picture_draw_strip(moment, count, strip->up, out);
    for (int n = 0; n < count; n++)
        snw_pose_destroy(pose[n]);
    return is_whole;
}

int cli_write_strip(const cli_arguments *arguments, const char *path, const cli_strip *strip)
{
    return cli_write_whole(arguments, path, draw_strip, strip);
}
