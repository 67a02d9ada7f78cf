/* Ground reaction of a walk: tables and pictures. */
#ifndef SINEW_CLI_GAIT_FORCE_H
#define SINEW_CLI_GAIT_FORCE_H

#include "command.h"

/* Each writes one file and complains itself; returns an exit code.
 *     forces   .csv or .mot: force, centre of pressure, free moment of every plate
 *     picture  .svg: the force vectors over the floor, seen from the side
 *     plates   .forceplates: type, corners, origin, channels
 *     analog   .csv: every channel */
int cli_write_forces(const cli_arguments *arguments, const char *path, const snw_trial *trial);
int cli_write_force_picture(const cli_arguments *arguments, const char *path,
                            const snw_trial *trial);
int cli_write_plates(const cli_arguments *arguments, const char *path, const snw_trial *trial);
int cli_write_analog(const cli_arguments *arguments, const char *path, const snw_trial *trial);

#endif
