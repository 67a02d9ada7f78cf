/* Joints of known marker sets stay near the markers that sit on them. Internal. */
#ifndef SNW_MOCAP_KNOWN_JOINT_H
#define SNW_MOCAP_KNOWN_JOINT_H

#include "mocap/pair.h"

/* Holds the centre between `parent` and `limb` within reach of the limb's joint markers, if it has
 * any: nothing changes where the motion determines a centre that is near them. */
void snw__known_joint_hold(const snw__capture *capture, const snw__rigid *parent,
                           const snw__rigid *limb, snw__pair *pair);

#endif
