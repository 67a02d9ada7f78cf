/* What is known of any person's bones: sides alike, shares of stature. Internal. */
#ifndef SNW_CALIBRATE_PROPORTIONS_H
#define SNW_CALIBRATE_PROPORTIONS_H

#include "calibrate/anatomy.h"

/* One linear expectation about bones t (rest translations of joints):
 *     direction . (dt_joint - dt_other) = off, with the information of a normal distribution. */
typedef struct snw__bone_prior {
    int joint, other;   /* other -1: one bone alone */
    snw_vec3 direction; /* of joint's bone */
    snw_vec3 of_other;  /* direction for the other bone */
    double off;         /* metres: expected less present */
    double information; /* per square metre */
} snw__bone_prior;

/* Two for each bone of both sides, and one for each span. */
#define SNW__BONE_PRIORS 16

/* Metres that the bones of this body make a person tall, the median of all; 0: no person, or fewer
 * than three bones, or one that no person has. */
double snw__person_stature(const snw__anatomy *anatomy);
/* What is expected of the body as it is; returns how many. */
int snw__bone_priors(const snw__anatomy *anatomy, snw__bone_prior out[SNW__BONE_PRIORS]);

#endif
