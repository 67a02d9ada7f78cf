/* What is said about the joints of an actor. Internal. */
#ifndef SNW_CALIBRATE_JOINT_ESTIMATE_H
#define SNW_CALIBRATE_JOINT_ESTIMATE_H

#include <sinew/actor.h>

#include "calibrate/joint_tree.h"

/* Everything, from the pair that made the joint, the residual that the finished body leaves there
 * and what the joint was found to be. */
void snw__joint_estimate_make(const snw__limb_pair *pair, double residual, const snw_joint *joint,
                              snw_joint_estimate *estimate);

/* Is it nearly as good as the joint that was chosen? */
bool snw__alternative_is_near(const snw__alternative *alternative);
/* Adds to the verdict that the joint's limb (NULL), or another beyond it, could hang from a
 * neighbour instead. */
void snw__joint_estimate_add_alternative(snw_joint_estimate *estimate, const char *limb,
                                         const char *neighbour);

#endif
