/* Rays of single cameras, as `sinew synth --rays` writes them. */
#ifndef SINEW_CLI_RAYS_H
#define SINEW_CLI_RAYS_H

#include "command.h"

typedef struct cli_rays {
    int count;
    snw_frame_ray *ray; /* (count) by frame; free() it */
} cli_rays;

/* Reads the table. Rays of markers that the trial does not have are named in a note and left out.
 * Complains itself; an exit code. */
int cli_rays_read(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                  cli_rays *rays);

#endif
