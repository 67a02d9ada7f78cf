/* Which segment hangs from which, by the names of bones. Internal. */
#ifndef SNW_CALIBRATE_BONE_PARENTS_H
#define SNW_CALIBRATE_BONE_PARENTS_H

#include <sinew/segment.h>

/* parent (segment_count): the segment from which each hangs, SNW_TREE_ROOT for the root of each
 * actor, SNW_TREE_FREE for objects: segments of which is_still (segment_count) says that they never
 * move, and that are no bones or double one. False, and nothing to be used, when another name says
 * nothing, two claim one place, or an actor has no trunk. */
bool snw__bone_parents(const snw_segments *segments, const bool *is_still, int *parent);

#endif
