/* Where the conventional gait model has hips, knees and ankles, as expectations for the whole-body
 * fit. Internal. */
#ifndef SNW_CALIBRATE_GAIT_PRIOR_H
#define SNW_CALIBRATE_GAIT_PRIOR_H

#include <sinew/gait_model.h>

#include "calibrate/anatomy.h"
#include "calibrate/refine.h"

/* One centre in the frames of its two bones: sums over frames. */
typedef struct snw__gait_prior_place {
    int joint; /* of the actor, or -1 */
    int count;
    snw_vec3 in_parent, in_child;
    double square; /* of its length in the parent */
    int wand;      /* votes of the frames: > 0, it stands out; < 0, it is on the skin */
    double apart;  /* of a hip: distance of the two regressions' places */
} snw__gait_prior_place;

typedef struct snw__gait_prior {
    bool has_model;
    snw_gait_model davis, harrington; /* they differ in the hips */
    double davis_share;               /* of the hip's expected place, the rest is Harrington's */
    snw__gait_prior_place place[SNW_GAIT_CENTER_COUNT][SNW_SIDES];
} snw__gait_prior;

/* The markers are those that the labels (known->trial) tell, not the names: the motion may have put
 * them right; measures and knee axes those of known->still where there is one. has_model stays
 * false where pelvis or legs are not told. */
void snw__gait_prior_begin(snw__gait_prior *prior, const snw_trial *trial,
                           const snw__refine_known *known);
/* Forgets the frames; joints are looked up in the actor by their names. */
void snw__gait_prior_clear(snw__gait_prior *prior, const snw_actor *actor);
/* Adds a frame of the trial, solved as `pose`. */
void snw__gait_prior_look(snw__gait_prior *prior, const snw_frame *frame, const snw_pose *pose);
/* Puts the expectations into a list that anatomy began (count entries, room for
 * SNW__ANATOMY_PRIORS): in place of what it said of the same joint, unless that rests on markers on
 * both sides of the joint. Returns the new count. */
int snw__gait_prior_add(const snw__gait_prior *prior, const snw__anatomy *anatomy,
                        snw__joint_prior *out, int count);

/* Two rules place one joint. The model's own place is taken, or one between the two where its wand
 * is a marker on the skin; half of what they are apart counts in the verdict. Where the joint has a
 * marker beside it (given from the joint, as `off` is) and the two have it on opposite sides of
 * that marker, the wand is none: the motion's place is taken. */
snw__joint_prior snw__gait_prior_choose(const snw__joint_prior *rule, snw__joint_prior model,
                                        const snw_vec3 *marker, bool is_on_skin);

#endif
