/* Joint types and limits of a calibrated actor. Internal. */
#ifndef SNW_CALIBRATE_ACTOR_JOINTS_H
#define SNW_CALIBRATE_ACTOR_JOINTS_H

#include <sinew/calibrate.h>

/* Looks at the motion of the trial with the actor's body, all balls so far, and gives its joints
 * the types and limits that it shows. Frames of joints turn so that one pose of the trial becomes
 * the rest pose and all joints allow it: marker offsets and bones follow. residual (joint_count)
 * receives the rms distance between the centre as the two limbs' own markers have it, metres; it
 * stays where no frame shows both. */
snw_status snw__actor_find_joints(snw_actor *actor, const snw_trial *trial, double *residual,
                                  snw_error *error);

#endif
