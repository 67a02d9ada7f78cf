/* Cameras and what they saw, for the commands of cli/views. */
#ifndef SINEW_CLI_VIEWS_H
#define SINEW_CLI_VIEWS_H

#include "command.h"

/* A calibration. Complains itself; NULL on failure. */
snw_cameras *cli_read_cameras(const cli_arguments *arguments, const char *path);

/* The folders of the operands as joints over time, by what --points and --up say; complains itself,
 * NULL on failure. */
snw_trial *cli_triangulate(const cli_arguments *arguments, const snw_cameras *cameras, double rate,
                           const snw_view_options *options);

/* The same from a file of points that nobody named, which the operand is when it is no folder; an
 * exit code. */
bool cli_are_points(const cli_arguments *arguments);
int cli_triangulate_points(const cli_arguments *arguments, const snw_cameras *cameras, double rate);
snw_reconstruction *cli_reconstruct(const cli_arguments *arguments, const snw_cameras *cameras,
                                    double rate, const snw_reconstruct_options *options);

/* --calibrate of `sinew cameras`: other cameras in *out; an exit code. */
int cli_calibrate_cameras(const cli_arguments *arguments, const snw_cameras *cameras,
                          snw_cameras **out);
/* For cli_write_whole: `context` are cameras. */
bool cli_draw_cameras(FILE *out, const void *context);

/* What the commands share. */
void cli_set_up(const cli_arguments *arguments, snw_trial *trial);
int cli_write_triangulated(const cli_arguments *arguments, const snw_trial *trial);
void cli_json_camera(cli_json *json, const char *name, const snw_view_camera *camera);

#endif
