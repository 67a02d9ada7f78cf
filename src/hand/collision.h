/* Fingers as capsules that do not enter each other or the palm. Internal. */
#ifndef SNW_HAND_COLLISION_H
#define SNW_HAND_COLLISION_H

#include "hand/finger.h"

/* Smallest distance between the bones of two fingers (palm's frame). */
double snw__hand_finger_distance(const snw_hand_profile *profile, const snw__finger *fingers,
                                 const double (*angle)[4], int a, int b);
/* Are two fingers as near as their skins? */
bool snw__hand_fingers_touch(const snw_hand_profile *profile, const snw__finger *fingers,
                             const double (*angle)[4], int a, int b);
/* Radians by which `finger` must spread to leave its neighbour; 0: it does not enter it. */
double snw__hand_spread_apart(const snw_hand_profile *profile, const snw__finger *fingers,
                              const double (*angle)[4], int finger, int other);
/* Moves fingers whose tip is not seen out of their neighbours and out of the palm: a marker
 * outweighs a capsule. */
void snw__hand_separate(const snw_hand_profile *profile, const snw__finger *fingers,
                        const bool *is_seen, double (*angle)[4]);

#endif
