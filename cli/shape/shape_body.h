/* Bodies by name or file for the commands on bodies. */
#ifndef SINEW_CLI_SHAPE_BODY_H
#define SINEW_CLI_SHAPE_BODY_H

#include "command.h"
#include "input.h"

/* A motion file, or a ready-made body at rest, in `content`, which owns it. Complains itself; NULL
 * on failure. Release the content in any case. */
snw_motion *cli_read_body(const cli_arguments *arguments, const char *name, cli_content *content);

/* Whether a file is a robot's description (URDF, MJCF): its z goes up (REP 103). */
bool cli_is_robot(const char *path);

/* The motion of a file, or what solving its capture gives. */
typedef struct cli_body_motion {
    cli_content content;
    snw_solution *solution;
    const snw_motion *motion;
    snw_vec3 up;
} cli_body_motion;

/* Complains itself; an exit code. Release it in any case. */
int cli_read_body_motion(const cli_arguments *arguments, const char *path, cli_body_motion *source);
void cli_release_body_motion(cli_body_motion *source);

#endif
