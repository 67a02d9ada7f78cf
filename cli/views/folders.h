/* Folders of keypoints, one for each camera, become views. Internal to cli/views. */
#ifndef SINEW_CLI_VIEWS_FOLDERS_H
#define SINEW_CLI_VIEWS_FOLDERS_H

#include "command.h"

typedef struct cli_folders {
    const char *const *path;
    int count;
} cli_folders;

/* A folder with a folder for each camera, or these folders themselves. Frames are files
 * in the order of the last number in their names. `set`: of snw_keypoint_set_name, or -1: by what
 * is in the files. Complains itself; NULL on failure. */
snw_views *cli_read_views(const cli_arguments *arguments, const cli_folders *from,
                          const snw_cameras *cameras, int set);

/* The names of all sets, with commas between them. */
void cli_keypoint_sets(char out[256]);

#endif
