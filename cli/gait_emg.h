/* Muscles over the gait cycle. */
#ifndef SINEW_CLI_GAIT_EMG_H
#define SINEW_CLI_GAIT_EMG_H

#include "command.h"

/* CSV: percent of the cycle, and for each EMG channel and side the mean linear envelope and its
 * deviation, in percent of the channel's greatest mean. Complains itself; an exit code. */
int cli_write_emg(const cli_arguments *arguments, const char *path, const snw_trial *trial,
                  const snw_strides *strides);

#endif
