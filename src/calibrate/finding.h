/* What is said about the joints of an actor. Internal. */
#ifndef SNW_CALIBRATE_FINDING_H
#define SNW_CALIBRATE_FINDING_H

#include <sinew/actor.h>

#include "calibrate/topology.h"

/* Everything, from the pair that made the joint, the residual that the finished body leaves there
 * and what the joint was found to be. */
void snw__joint_finding_make(const snw__pair *pair, double residual, const snw_joint *joint,
                             snw_joint_finding *finding);

/* Is it nearly as good as the joint that was chosen? */
bool snw__rival_is_near(const snw__rival *rival);
/* Adds to the verdict that the joint's limb (NULL), or another beyond it, could hang from a
 * neighbour instead. */
void snw__joint_finding_doubt(snw_joint_finding *finding, const char *limb, const char *neighbour);

#endif
