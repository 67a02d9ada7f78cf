/* Groups of very many markers. Internal. */
#ifndef SNW_SEGMENT_SEGMENT_MANY_H
#define SNW_SEGMENT_SEGMENT_MANY_H

#include "segment/segment_group.h"

/* segment_rigidity.c: the grouping that is worth most, and the scale it was measured by. group_of
 * (marker_count) receives any numbers below marker_count. */
snw_status snw__groups_find(const snw__samples *samples, int *group_of, snw__segment_scale *scale,
                            snw_error *error);
/* The same for more markers than are grouped at once; the cost grows with the markers. */
snw_status snw__groups_find_many(const snw__samples *samples, int *group_of, snw_error *error);

#endif
