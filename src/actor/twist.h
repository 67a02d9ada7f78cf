/* Twists that no marker shows. Internal. */
#ifndef SNW_ACTOR_TWIST_H
#define SNW_ACTOR_TWIST_H

#include <sinew/actor.h>

/* A segment with one marker does not show its twist about the line to it, and segments that hang
 * from it must not make one up. Where anatomy twists little, in collar bones and thighs, the joint
 * becomes universal and keeps the twist of its parent; upper arms twist by a right angle and more.
 * This follows from names and places of markers; what motion tells about joints comes after. */
void snw__twists_hold(const snw_actor *actor, snw_joint_def *def, int joint_count);

#endif
