#include "act/act_part.h"

#include <string.h>

#include "draw/picture.h"
#include "output.h"

#define PICTURE_MOMENTS 6
#define PICTURE_MARKERS 32

static bool draw_strip(FILE *out, const void *context)
{
    const cli_act_part *part = context;
    const snw_motion *motion = part->motion;
    cli_moment moment[PICTURE_MOMENTS];
    snw_pose *pose[PICTURE_MOMENTS] = {NULL};
    snw_vec3 place[PICTURE_MOMENTS][PICTURE_MARKERS];
    int count = motion->frame_count < PICTURE_MOMENTS ? motion->frame_count : PICTURE_MOMENTS;
    bool is_whole = true;
    memset(moment, 0, sizeof moment);
    for (int n = 0; n < count && is_whole; n++) {
        double span = motion->frame_count - 1 - part->first;
        int frame = part->first + (int)(span * n / (count > 1 ? count - 1 : 1));
        is_whole = snw_pose_create(motion->skeleton, NULL, &pose[n], NULL) == SNW_OK;
        if (!is_whole) break;
        snw_motion_get(motion, frame, pose[n]);
        snw_pose_forward(pose[n]);
        moment[n].pose = pose[n];
        for (int m = 0; m < part->marker_count && moment[n].marker_count < PICTURE_MARKERS; m++)
            moment[n].marker_count +=
                part->marker(part->context, frame, m, &place[n][moment[n].marker_count]);
        moment[n].marker = place[n];
        snw_format(moment[n].label, sizeof moment[n].label, "%.1f s", frame / motion->rate);
    }
    if (is_whole) cli_picture_draw_strip(moment, count, part->up, out);
    for (int n = 0; n < count; n++)
        snw_pose_destroy(pose[n]);
    return is_whole;
}

int cli_act_picture(const cli_arguments *arguments, const char *path, const cli_act_part *part)
{
    return cli_write_whole(arguments, path, draw_strip, part);
}
