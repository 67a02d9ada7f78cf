/* How much the distance of every two markers varies, as a picture: segments are light squares. */
#ifndef SINEW_CLI_MATRIX_H
#define SINEW_CLI_MATRIX_H

#include "command.h"

typedef struct cli_matrix {
    const snw_trial *trial; /* whose markers the segments are made of */
    const snw_segments *segments;
    const double *deviation; /* (marker_count x marker_count) metres */
} cli_matrix;

/* A whole SVG file of the cli_matrix `context`. */
bool cli_matrix_draw(FILE *out, const void *context);

#endif
