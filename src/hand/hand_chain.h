/* The chain of the thesis (Aristidou 2010, chapter 5). Internal. */
#ifndef SNW_HAND_HAND_CHAIN_H
#define SNW_HAND_HAND_CHAIN_H

#include <sinew/geometry.h>

#include "hand/finger.h"

/* A palm joint from two known ones: where the spheres about p and q (radii to the joint, from the
 * model) meet in the palm's plane, the crossing nearer to `previous` (5.3 to 5.6). Every degenerate
 * case has an answer; returns how they lie. */
snw_meet snw__chain_palm_joint(snw_plane palm, const snw_sphere spheres[2], snw_vec3 previous,
                               snw_vec3 *joint);
/* The finger's joints of the frame before, turned into the plane of root and tip that stands on the
 * palm (5.8, 5.9), then constrained FABRIK to the tip. Finger's rest frame; `angle` in and out.
 * With freedom, radians, it starts from flexions that follow each other, since three joints and a
 * tip leave one open, which would drift to its limits; and no flexion changes by more. */
void snw__chain_finger(const snw__finger *finger, snw_vec3 tip, double freedom, double angle[4]);

#endif
