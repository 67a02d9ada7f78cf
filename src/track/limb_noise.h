/* How much of a solved motion the markers' noise explains. Internal. */
#ifndef SNW_TRACK_LIMB_NOISE_H
#define SNW_TRACK_LIMB_NOISE_H

#include <sinew/track.h>

/* Fills place_noise and turn_noise of every joint, (joint_count): what the noise of the markers on
 * its limb and its parent's makes of its place, and of the limb's turn, at most; INFINITY where the
 * markers of a limb alone do not tell. */
void snw__limb_noise(const snw_actor *actor, snw_smoothing *noise);

#endif
