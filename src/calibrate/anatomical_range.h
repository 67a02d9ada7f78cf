/* How far the joints of a person can turn. Internal. */
#ifndef SNW_CALIBRATE_ANATOMICAL_RANGE_H
#define SNW_CALIBRATE_ANATOMICAL_RANGE_H

#include <sinew/body.h>

/* Is `name` ("LeftLeg") a joint of a person? Then the joint, a ball, gets a swing and a twist to
 * either side that hold all that people do, wherever in their range the rest pose lies. */
bool snw__anatomical_range_set(const char *name, snw_joint *joint);

#endif
