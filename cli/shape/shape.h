/* What `sinew mesh`, `sinew mass` and `sinew skin` share. */
#ifndef SINEW_CLI_SHAPE_H
#define SINEW_CLI_SHAPE_H

#include "command.h"

/* Reads a mesh by --input-unit; notes go to stderr. Complains itself; NULL on failure. */
snw_mesh *cli_read_mesh(const cli_arguments *arguments, const char *path);
/* Writes it by the ending of `path`, tetrahedra as their surface where the format has none.
 * Complains itself; returns an exit code. */
int cli_write_mesh(const cli_arguments *arguments, const char *path, const snw_mesh *mesh);

#endif
