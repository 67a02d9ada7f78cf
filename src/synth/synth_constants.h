/* The constants of this module in one table; marks as in calibrate_constants.h. How the synthetic
 * person moves and what it wears. Internal. */
#ifndef SNW_SYNTH_SYNTH_CONSTANTS_H
#define SNW_SYNTH_SYNTH_CONSTANTS_H

/* ---- curve.c ----------------------------------------------------------------------- */

/* [chosen] The speed rises over the first TRAVEL_RAMP of the time as 3r^2 - 2r^3, stays, and falls
 * the same way; the way covered in the rise is the integral r^3 - r^4/2. */
#define TRAVEL_RAMP 0.25

/* ---- gait.c ------------------------------------------------------------------------ */

/* [published] and [chosen]. */
#define GAIT_GRAVITY 9.81
#define GAIT_LIFTED  0.97 /* part of the swing in which the foot is lifted */

/* ---- gestures.c -------------------------------------------------------------------- */

/* [chosen] */
#define GESTURE_PERIOD 1.2 /* seconds: half to get there, half held */

/* ---- landmarks.c ------------------------------------------------------------------- */

/* [published] Standard deviation of the hand that places a landmark, in body heights and in each
 * direction: 5 mm. Examiners find the same bony landmark within 6 to 21 mm of each other (Della
 * Croce, Leardini, Chiari & Cappozzo 2005, Gait & Posture 21); one examiner does better. */
#define LANDMARK_PALPATION 0.003

/* ---- markers.c --------------------------------------------------------------------- */

/* [chosen] */
#define MARKER_RADIUS 0.005 /* of the body's size: 7 mm on a person */
/* [chosen] Random markers keep away from the ends of a bone, where joints bend. */
#define MARKER_END 0.15

/* ---- moves.c ----------------------------------------------------------------------- */

/* [chosen] */
#define BOX_PUNCH    0.75 /* seconds for each */
#define REACH_PERIOD 2.0  /* seconds out, hold and back */
#define DANCE_BEAT   0.52 /* seconds: 115 beats a minute */
#define DANCE_STEP   0.22 /* metres to the side */

/* ---- performer.c ------------------------------------------------------------------- */

/* [chosen] Fraction of a segment's length from which its stretching is softened, and the end it
 * never passes: a straight segment has no direction to bend, so its joints would turn infinitely
 * fast there. */
#define SEGMENT_SOFT 0.980
#define SEGMENT_HARD 0.998
/* [chosen] The heel behind the ankle, as a fraction of the way from ankle to toe joint. */
#define FOOT_HEEL 0.35

/* ---- range.c ----------------------------------------------------------------------- */

/* [chosen] */
#define RANGE_PASS     20.0 /* seconds of one pass through all joints; shorter captures get one */
#define RANGE_OVERLAP  1.5  /* a turn lasts this many slots: the next joint starts before the end */
#define RANGE_TURNS    2.0  /* times round the cone, or from end to end */
#define RANGE_REACH    0.70 /* of the limits; the ellipse leaves the cone by a third at most */
#define RANGE_FREE_DEG 45.0 /* what joints without limits do */
#define RANGE_SLIDE    0.05 /* what slides without limits do, of the body's size */

/* ---- segment.c --------------------------------------------------------------------- */

/* [chosen] Bones shorter than this part of the body's size have no flesh of their own. */
#define SEGMENT_SHORTEST 0.01
/* [chosen] Bones of other bodies: a sixth of their length, between these parts of the body's size.
 */
#define SEGMENT_SLENDER 0.17
#define SEGMENT_THIN    0.008
#define SEGMENT_THICK   0.070

/* ---- synth.c ----------------------------------------------------------------------- */

/* [chosen] Steps of the residual in the capture, in its unit (mm), fine enough for good cameras;
 * coarser where the noise would not fit into the byte. */
#define SYNTH_RESIDUAL_STEP 0.01

#endif
