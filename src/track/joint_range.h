/* How far a joint went: its limits from the motion that was seen. Internal. */
#ifndef SNW_TRACK_JOINT_RANGE_H
#define SNW_TRACK_JOINT_RANGE_H

#include <sinew/body.h>

/* Radians. Limits lie this far beyond what was seen: 5 degrees, what skin and calibration may hide;
 * 20 where a segment has a single marker, which never widens limits by itself. */
#define SNW__JOINT_MARGIN       0.0873
#define SNW__JOINT_MARGIN_ALONE 0.349

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
