/* Joint centres and marker offsets of the whole body at once. Internal. */
#ifndef SNW_MOCAP_REFINE_H
#define SNW_MOCAP_REFINE_H

#include <sinew/mocap.h>

/* Changes actor->marker offsets and noise, and replaces actor->skeleton by one with other rest
 * translations. is_rigid (joint_count): the limb's markers keep their shape and move together. */
snw_status snw__actor_refine(snw_actor *actor, const snw_trial *trial, const bool *is_rigid,
                             snw_error *error);

#endif
