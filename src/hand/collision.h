/* Fingers as capsules that do not enter each other or the palm. Internal. */
#ifndef SNW_HAND_COLLISION_H
#define SNW_HAND_COLLISION_H

#include "hand/finger.h"

/* Smallest distance between the bones of two fingers (palm's frame). */
double snw__hand_finger_distance(const snw_hand_profile *profile, const snw__finger *fingers,
                                 const double (*angle)[4], int a, int b);
/* Moves fingers whose tip is not seen out of their neighbours and out of the palm: a marker
 * outweighs a capsule. */
void snw__hand_separate(const snw_hand_profile *profile, const snw__finger *fingers,
                        const bool *is_seen, double (*angle)[4]);

#endif
