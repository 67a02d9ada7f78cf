/* What makes an actor. Internal. */
#ifndef SNW_MOCAP_ACTOR_H
#define SNW_MOCAP_ACTOR_H

#include <sinew/mocap.h>

/* An actor with room for its arrays, all zero, no skeleton yet; NULL when out of memory. */
snw_actor *snw__actor_take(int marker_count, int joint_count, const snw_allocator *allocator,
                           snw_error *error);

#endif
