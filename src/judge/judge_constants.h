/* The constants of this module in one table; marks as in calibrate_constants.h. When a capture and
 * what was solved of it are doubted. Internal. */
#ifndef SNW_JUDGE_JUDGE_CONSTANTS_H
#define SNW_JUDGE_JUDGE_CONSTANTS_H

#include "math/robust.h"
#include "person/movement.h"

/* ---- judge_angles.c ---------------------------------------------------------------- */

/* [published] Range of motion, degrees: person/regressions.h; the pelvis bends to a
 * forward roll. Abduction of the knee: none but for lax ligaments. Amber beyond by what wands and
 * skin do to the smaller angles, red by ANGLE_IMPOSSIBLE, three times as much; a few frames are a
 * spike. */
#define ANGLE_IMPOSSIBLE (3 * SNW__ANGLE_SKIN)
#define ANGLE_SPIKES     SNW__RARELY /* of the frames */
/* [published] Crosstalk: a knee that bends by more than CROSSTALK_BEND and whose abduction follows
 * it as a straight line with more than CROSSTALK_TURN abducts about an axis that is turned. Baker,
 * Finney & Orr (1999) turn the axis until the least abduction is left; a slope of 0.3 is a turn of
 * 17 degrees. */
#define CROSSTALK_BEND (2 * SNW__ANGLE_SKIN)
#define CROSSTALK_TURN SNW__MINOR
#define CROSSTALK_R    0.8
/* [chosen] Straightest knees that differ by more are one with a wrong zero, or a person whom the
 * reader knows; standing with knees more bent as well, degrees. */
#define ANGLE_SIDES    25.0
#define ANGLE_STANDING SNW__ANGLE_SKIN
#define ANGLE_STILL    5.0

/* ---- joint_motion.c ---------------------------------------------------------------- */

/* [chosen] Passes of "the farthest from the farthest": each ends at an end of the motion. */
#define JOINT_MOTION_PASSES 3

/* ---- judge.c ----------------------------------------------------------------------- */

/* [measured] Where the bounds come from. Skin moves a marker by up to about 10 mm at thigh and
 * shank and by more at the shoulder (Cappozzo et al. 1996; Leardini et al. 2005, table 1); the rest
 * is tuned on the corpus of captures so that those which look right in a picture are not called
 * red. */
#define JUDGE_FAR_STRETCH  (2 * SNW__SKIN) /* metres rms: twice what skin does */
#define JUDGE_SUSPECT_BODY 0.012           /* metres rms: more than skin does at most markers */
#define JUDGE_TIMES        4               /* times the median frame: it stands out */
/* [measured] In the widest gaps of 62 captures: bodies that are believed leave 12.6 mm at most, the
 * next 20.1; of captures that nothing else is said of, one marker lies at 4.0 times the median
 * (85_12, a dance on the floor), the next at 8.5. */
#define JUDGE_FAR_BODY     0.016
#define JUDGE_MARKER_TIMES 5
/* [published] Points that programs without markers take for joints lie up to 50 mm beside those of
 * markers (Needham et al. 2021, Scientific Reports 11, 20673), in other places in every frame. */
#define JUDGE_POINTS (0.050 / JUDGE_FAR_STRETCH)
/* [chosen] Metres. What a segment with a single marker leaves open, which its marker set has in
 * every trial; of legs SNW__HIP_ERROR_MAX. */
#define JUDGE_UNCERTAIN 0.040

/* ---- judge_motion.c ---------------------------------------------------------------- */

/* [chosen] Metres. A hand's breadth beside the fastest that anybody ran is no jump but noise of a
 * root with few markers. */
#define JUDGE_JUMP 0.1

/* ---- plausibility.c ---------------------------------------------------------------- */

/* [chosen] Shares by which the longer of two lengths exceeds the shorter; what is known of people
 * stands beside. */
/* [derived] Four deviations of what the stature makes expect. */
#define PLAUSIBLE_AMBER    (4 * SNW__LENGTH_DEVIATION)
#define PLAUSIBLE_SPAN     0.35 /* hips and shoulders: breadths vary by a tenth among people */
#define PLAUSIBLE_SPAN_RED (2 * PLAUSIBLE_SPAN)
/* [derived] Left and right. */
#define PLAUSIBLE_SIDES     (SNW__OUTLIER * SNW__LENGTH_SIDES)
#define PLAUSIBLE_SIDES_RED (2 * PLAUSIBLE_SIDES)
#define PLAUSIBLE_SIGMAS    SNW__RESERVE /* [chosen] stated deviations that may explain a length */
#define PLAUSIBLE_FAR_MARKER \
    SNW__ELSEWHERE /* metres from a joint to the nearest marker of its two segments */

#endif
