/* A motion as points: what the outputs of `sinew hand` and `sinew avatar` share. */
#ifndef SINEW_CLI_ACT_JOINT_POINTS_H
#define SINEW_CLI_ACT_JOINT_POINTS_H

#include "command.h"

/* One point for each joint and tip ("NAME_tip") of the motion, in millimetres; NULL without memory.
 */
snw_trial *cli_joint_points(const snw_motion *motion, snw_up_axis up, snw_error *error);
/* Says, before long work, that --output has no ending that can be written, or what
 * cli_check_output_options says of these options. Returns an exit code. */
int cli_check_motion_or_points(const cli_arguments *arguments, const char *const *options);
/* Writes a motion by the ending of its name: as a skeleton (.bvh .glb .mot), a person's on the rig
 * that the options ask for, or as points (.c3d .trc .csv). Complains itself; returns an exit code.
 */
int cli_write_motion_or_points(const cli_arguments *arguments, const char *path,
                               const snw_motion *motion, snw_up_axis up, bool is_person);

#endif
