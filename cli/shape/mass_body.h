/* `sinew mass` of a body: what moves with each joint, and how the whole moves. */
#ifndef SINEW_CLI_MASS_BODY_H
#define SINEW_CLI_MASS_BODY_H

#include "command.h"

/* Whether the operand is a body or a capture rather than a mesh. */
bool cli_is_body(const char *name);
/* Of the last operand; the first of two is its surface. An exit code. */
int cli_mass_of_body(const cli_arguments *arguments);

#endif
