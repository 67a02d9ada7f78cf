/* A static trial of a few frames. Internal. */
#ifndef SNW_CALIBRATE_STILL_H
#define SNW_CALIBRATE_STILL_H

#include <sinew/trial.h>

/* The frames of the trial again and again, until there are `frame_count`, with its names, unit, up
 * axis and parameters. For trials that show no motion, where a frame stands for all. */
snw_status snw__trial_repeat(const snw_trial *trial, int frame_count,
                             const snw_allocator *allocator, snw_trial **out, snw_error *error);

#endif
