/* How much of a solved motion the markers' noise explains. Internal. */
#ifndef SNW_TRACK_SEGMENT_NOISE_H
#define SNW_TRACK_SEGMENT_NOISE_H

#include <sinew/track.h>

/* Fills place_noise and turn_noise of every joint, (joint_count): what the noise of the markers on
 * its segment and its parent's makes of its place, and of the segment's turn, at most; INFINITY
 * where the markers of a segment alone do not tell. */
void snw__segment_noise(const snw_actor *actor, snw_smoothing *noise);

#endif
