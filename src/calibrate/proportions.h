/* What is known of any person's bones: sides alike, shares of stature. Internal. */
#ifndef SNW_CALIBRATE_PROPORTIONS_H
#define SNW_CALIBRATE_PROPORTIONS_H

#include "calibrate/anatomy.h"
#include "calibrate/joint_turns.h"

/* One linear expectation about bones t (rest translations of joints):
 *     direction . (dt_joint - dt_other) = off, with the information of a normal distribution. */
typedef struct snw__bone_prior {
    int joint, other;   /* other -1: one bone alone */
    snw_vec3 direction; /* of joint's bone */
    snw_vec3 of_other;  /* direction for the other bone */
    double off;         /* metres: expected less present */
    double information; /* per square metre */
} snw__bone_prior;

/* Three for each bone of two sides, one across each hinge's axis, one for each span. */
enum {
    SNW__BONE_PRIORS = 24
};

/* What is expected of the body as it is and of how its joints (joint_count) turned; returns how
 * many. arc: radians, rms, above which turns are no noise; hinges that went through it, or through
 * what skin cannot hide, tell their axis. */
int snw__bone_priors(const snw__anatomy *anatomy, const snw__joint_turns *turns, double arc,
                     snw__bone_prior out[SNW__BONE_PRIORS]);

#endif
