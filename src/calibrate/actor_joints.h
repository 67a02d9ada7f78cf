/* Joint types and limits of a calibrated actor. Internal. */
#ifndef SNW_CALIBRATE_ACTOR_JOINTS_H
#define SNW_CALIBRATE_ACTOR_JOINTS_H

#include <sinew/calibrate.h>

/* What the motion of the trial showed of a joint. */
typedef struct snw__joint_shown {
    double residual;  /* rms distance between the centre as the two segments' own markers have it,
                         metres; stays where no frame shows both */
    double spread[2]; /* rms turn about the two main axes, radians; 0: not shown */
    double range;     /* the largest turn from where it was first shown, radians */
} snw__joint_shown;

/* Looks at the motion of the trial with the actor's body, all balls so far, and gives its joints
 * the types and limits that it shows; joints of a person that stood still get those of anatomy.
 * Frames of joints turn so that one pose of the trial becomes the rest pose and all joints allow
 * it: marker offsets and bones follow. shown (joint_count) is written. */
snw_status snw__actor_find_joints(snw_actor *actor, const snw_trial *trial, snw__joint_shown *shown,
                                  snw_error *error);

#endif
