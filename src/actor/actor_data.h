/* What makes an actor. Internal. */
#ifndef SNW_ACTOR_ACTOR_DATA_H
#define SNW_ACTOR_ACTOR_DATA_H

#include <sinew/actor.h>

/* An actor with room for its arrays, all zero, no skeleton yet; NULL when out of memory. */
snw_actor *snw__actor_take(int marker_count, int joint_count, const snw_allocator *allocator,
                           snw_error *error);

#endif
