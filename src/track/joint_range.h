/* How far a joint went: its limits from the motion that was seen. Internal. */
#ifndef SNW_TRACK_JOINT_RANGE_H
#define SNW_TRACK_JOINT_RANGE_H

#include <sinew/body.h>

#include "track/track_constants.h"

/* The rotations of a joint that were seen. */
typedef struct snw__joint_seen {
    int count;
    const snw_quat *rotation;
    const bool *is_shown; /* (count) others do not count */
    double margin;
} snw__joint_seen;

/* Sets the limits of a joint; type and axes are there, but axis2 of a ball is chosen here. */
void snw__joint_range_find(snw_joint *joint, const snw__joint_seen *seen);
/* Widens the limits, where they forbid it, so that they allow the rotation. */
void snw__joint_range_include(snw_joint *joint, snw_quat rotation);

#endif
