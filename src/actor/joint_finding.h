/* What is said about one joint. Internal. */
#ifndef SNW_ACTOR_JOINT_FINDING_H
#define SNW_ACTOR_JOINT_FINDING_H

#include <sinew/actor.h>

/* is_uncertain and verdict from type, range and uncertainty; no rival. */
void snw__joint_finding_judge(snw_joint_finding *finding);

#endif
