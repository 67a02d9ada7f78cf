/* The palm's frame and joints from wrist and back markers. Internal. */
#ifndef SNW_HAND_PALM_H
#define SNW_HAND_PALM_H

#include <sinew/hand.h>

/* Ways from the wrist to the knuckles of index and little finger, and out of the back of the hand.
 */
typedef struct snw__palm {
    snw_vec3 index, little;
    snw_vec3 back; /* unit */
} snw__palm;

/* Right hands: left ones are mirrored before. False where the three points lie in line. */
bool snw__palm_from_markers(snw_vec3 wrist, snw_vec3 back_index, snw_vec3 back_little, double share,
                            double height, snw__palm *palm);
/* Where wrist and back markers are in the palm's frame: the inverse of snw__palm_from_markers. */
void snw__palm_template(const snw_hand_profile *profile, snw_vec3 place[3]);
/* Palm's frame: z between the two knuckles, y out of the back, x towards the thumb. */
snw_quat snw__palm_turn(const snw__palm *palm);
/* Knuckle of a finger from the wrist: index and little as they are, the others between them. */
snw_vec3 snw__palm_knuckle(const snw__palm *palm, int finger);

/* Cupping: the knuckle of a finger in the flat palm's frame, the little one rolled by `roll`. */
snw_vec3 snw__palm_cupped(const snw_hand_profile *profile, int finger, double roll);
/* A point over the little finger's metacarpal, rolled with it. */
snw_vec3 snw__palm_rolled(const snw_hand_profile *profile, snw_vec3 point, double roll);
/* The flat palm's turn from that of the cupped one, which the markers show. */
snw_quat snw__palm_flattened(const snw_hand_profile *profile, snw_quat turn, double roll);
/* Roll of the palm in a hand whose little finger is bent by `flexion` at its middle joint. */
double snw__palm_roll(const snw_hand_profile *profile, double flexion);

/* The mirror image of a point: what a left hand is solved as. */
static inline snw_vec3 snw__hand_mirror(snw_vec3 v)
{
    return snw_vec3_make(-v.x, v.y, v.z);
}

#endif
