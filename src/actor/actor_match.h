/* Which marker of a trial is which marker of an actor, and whose motion is whose. Internal. */
#ifndef SNW_ACTOR_ACTOR_MATCH_H
#define SNW_ACTOR_ACTOR_MATCH_H

#include <sinew/actor.h>
#include <sinew/trial.h>

/* The nth marker of a name in the actor is the nth of that name in the trial; -1: not there. */
int snw__marker_source(const snw_actor *actor, const snw_trial *trial, int marker);

/* SNW_INVALID_ARGUMENT when the motion is of another body. */
snw_status snw__check_motion_of(const snw_actor *actor, const snw_motion *motion, snw_error *error);

#endif
