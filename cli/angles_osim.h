/* An OpenSim model to go with the angles of a trial. */
#ifndef SINEW_CLI_ANGLES_OSIM_H
#define SINEW_CLI_ANGLES_OSIM_H

#include "command.h"

/* Complains itself; returns an exit code. is_knee_negative: as gait2392 counts. */
int cli_write_osim(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                   const snw_gait_model *model, bool is_knee_negative);

#endif
