/* Which limb hangs from which, by the names of bones. Internal. */
#ifndef SNW_CALIBRATE_BONE_PARENTS_H
#define SNW_CALIBRATE_BONE_PARENTS_H

#include <sinew/limb.h>

/* parent (limb_count): the limb from which each hangs, -1 for the root of each actor. False, and
 * nothing to be used, when a name says nothing, two claim one place, or an actor has no trunk. */
bool snw__bone_parents(const snw_limbs *limbs, int *parent);

#endif
