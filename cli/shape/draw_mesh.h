/* A surface as a picture: shaded triangles, far ones first, from the front and from the left. */
#ifndef SINEW_CLI_DRAW_MESH_H
#define SINEW_CLI_DRAW_MESH_H

#include "command.h"

/* For cli_write_whole; the context is a const snw_mesh. */
bool cli_draw_mesh(FILE *out, const void *mesh);

#endif
