/* Limbs that are not of one body. Internal. */
#ifndef SNW_CALIBRATE_STRANGER_H
#define SNW_CALIBRATE_STRANGER_H

#include "calibrate/edge.h"
#include "calibrate/topology.h"
#include "rigid/rigid_fit.h"

/* Metres (rms). Two limbs that tear their joint apart by more are not joined while anything better
 * may turn up: a foot to the pelvis, when the thigh has two markers and comes later. */
#define SNW__TORN 0.05

/* Would the joint of `from`, in the tree, with `to`, which is not, join two bodies? */
bool snw__edge_is_strange(const snw__edges *edges, const snw__tree *tree, int from, int to);
/* Is a joint, in the frame of a limb, too far from its markers to be one of the limb? */
bool snw__joint_is_far(const snw__edges *edges, const snw__rigid *limb, snw_vec3 center);

#endif
