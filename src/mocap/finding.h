/* What is said about the joints of an actor. Internal. */
#ifndef SNW_MOCAP_FINDING_H
#define SNW_MOCAP_FINDING_H

#include "mocap/pair.h"

/* Everything from the pair that made the joint; the axis is in the second limb's frame. */
void snw__joint_finding_make(const snw__pair *pair, snw_joint_finding *finding);

/* is_uncertain and verdict from type, range and uncertainty. */
void snw__joint_finding_judge(snw_joint_finding *finding);

#endif
