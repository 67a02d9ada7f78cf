/* Reaching in a style: the pose that a learned prior of poses (sinew/style.h) and the goals
 * together make most likely, from which the chosen method goes on. Internal. */
#ifndef SNW_IK_PRIOR_H
#define SNW_IK_PRIOR_H

#include "ik/core/goal_kinds.h"

/* Plans for the problem's goals on the options' style. Twice, as layouts are; NULL while measuring.
 * Only when options.style is there. */
snw__ik_prior *snw__ik_prior_layout(const snw_ik *ik, snw__block *block);
/* Once, after that: what is known before any target is. The pose, at rest, is used for work. */
void snw__ik_prior_prepare(const snw_ik *ik, snw_pose *pose);
/* Moves the pose there, limits kept, world valid. A pose that cannot be bettered stays. */
void snw__ik_prior_approach(const snw_ik *ik, const snw_goal *goals, snw_pose *pose);

#endif
