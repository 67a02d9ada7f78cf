/* Bodies by name or file for the commands on bodies. */
#ifndef SINEW_CLI_SHAPE_BODY_H
#define SINEW_CLI_SHAPE_BODY_H

#include "command.h"
#include "input.h"

/* A motion file, or a ready-made body at rest, in `content`, which owns it. Complains itself; NULL
 * on failure. Release the content in any case. */
snw_motion *cli_read_body(const cli_arguments *arguments, const char *name, cli_content *content);

#endif
