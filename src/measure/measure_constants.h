/* The constants of this module in one table; marks as in calibrate_constants.h. What is told of a
 * motion, and when it is doubted. Internal. */
#ifndef SNW_MEASURE_MEASURE_CONSTANTS_H
#define SNW_MEASURE_MEASURE_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- angle_judge.c ----------------------------------------------------------------- */

/* [published] Range of motion, degrees: person/regressions.h; the pelvis bends to a
 * forward roll. Abduction of the knee: none but for lax ligaments. Amber beyond by ANGLE_ODD, which
 * is what wands and skin do to the smaller angles (Leardini et al. 2005: 10 to 15 degrees), red by
 * ANGLE_IMPOSSIBLE, three times as much; a few frames are a spike. */
#define ANGLE_ODD        15.0
#define ANGLE_IMPOSSIBLE 45.0
#define ANGLE_SPIKES     SNW__RARELY /* of the frames */
/* [published] Crosstalk: a knee that bends by more than CROSSTALK_BEND and whose abduction follows
 * it as a straight line with more than CROSSTALK_TURN abducts about an axis that is turned. Baker,
 * Finney & Orr (1999) turn the axis until the least abduction is left; a slope of 0.25 is a turn of
 * 14 degrees. */
#define CROSSTALK_BEND 30.0
#define CROSSTALK_TURN 0.25
#define CROSSTALK_R    0.8
/* [chosen] Straightest knees that differ by more are one with a wrong zero, or a person whom the
 * reader knows; standing with knees more bent as well, degrees. */
#define ANGLE_SIDES    25.0
#define ANGLE_STANDING 20.0
#define ANGLE_STILL    5.0

/* ---- angles.c ---------------------------------------------------------------------- */

/* ---- filter.c ---------------------------------------------------------------------- */

/* [chosen] How far the ends are continued: the filter's memory of one period of the lowest cut-off
 * in use is longer than most captures, so as much as there is, up to this. */
#define FILTER_END_MAX 200
#define RESIDUAL_STEPS 40 /* cut-offs from 1 Hz to the highest */

/* ---- gait_events.c ----------------------------------------------------------------- */

/* [chosen] but where a source stands.
 *     EVENT_CUTOFF      Hz; Zeni et al. use 6: walking has nothing above (Winter 2009, 3.4.3)
 *     EVENT_PROMINENCE  of the range of the signal: a step is at least so much of the longest; half
 *                       steps at the start of a walk are above, wobble in standing is below
 *     STRIDE_SHORTEST   metres; the heel of a walking person swings by more
 *     EVENT_SWING       thresholds of speed that a swinging foot exceeds
 *     EVENT_OFF_SPEED   thresholds of speed at which a toe has left, where place decides the rest
 *     EVENT_SAME        seconds; nearer offs by place and by speed are one
 *     EVENT_TIME_MIN    seconds; a step takes two events a foot and longer: more are not walking */
#define EVENT_CUTOFF     7.0
#define EVENT_PROMINENCE SNW__MINOR
#define EVENT_SWING      SNW__RESERVE
#define EVENT_OFF_SPEED  3.0
#define EVENT_SAME       0.24
#define EVENT_TIME_MIN   0.15

/* ---- gait_line.c ------------------------------------------------------------------- */

/* [chosen] The way from end to end is at least this share of the way on foot where nobody turns. */
#define LINE_STRAIGHT SNW__MOST

/* ---- gait_plates.c ----------------------------------------------------------------- */

/* ---- gait_strides.c ---------------------------------------------------------------- */

/* [chosen] but where a source stands.
 *     STRIDE_TIME_MAX  seconds; events that lie longer apart are not walking
 *     STRIDE_TIME_MIN  seconds; sprinters take 4.5 to 5 steps in one (Weyand et al. 2000)
 *     STRIDE_LONGEST   metres; sprinters' longest are 4.9 (the same)
 *     STRIDE_SHORTEST  metres along a straight way; a shuffle of 50 mm a step
 *     STRIDE_STEP_MIN  share of a stride that a step of the lame side still has; feet that strike
 *                      together jump: below half of Hsu et al.'s (2003) most uneven strides, 0.3 */
#define STRIDE_TIME_MAX 3.0
#define STRIDE_TIME_MIN 0.4
#define STRIDE_LONGEST  5.0
#define STRIDE_SHORTEST 0.1
#define STRIDE_STEP_MIN 0.15

/* ---- joint_motion.c ---------------------------------------------------------------- */

/* [chosen] Passes of "the farthest from the farthest": each ends at an end of the motion. */
#define JOINT_MOTION_PASSES 3

/* ---- judge.c ----------------------------------------------------------------------- */

/* [measured] Where the bounds come from. Skin moves a marker by up to about 10 mm at thigh and
 * shank and by more at the shoulder (Cappozzo et al. 1996; Leardini et al. 2005, table 1); the rest
 * is tuned on the corpus of captures so that those which look right in a picture are not called
 * red. */
#define JUDGE_FAR_BODY     (2 * SNW__SKIN) /* metres rms: twice what skin does */
#define JUDGE_SUSPECT_BODY 0.012           /* metres rms: more than skin does at most markers */
#define JUDGE_TIMES        4               /* times the median marker (or frame): it stands out */
/* [published] Points that programs without markers take for joints lie up to 50 mm beside those of
 * markers (Needham et al. 2021, Scientific Reports 11, 20673), in other places in every frame. */
#define JUDGE_POINTS     (0.050 / JUDGE_FAR_BODY)
#define JUDGE_LOST_AMBER 0.01 /* share of frames without a pose of their own */
/* [published] Metres. A hip 30 mm off changes the moments about it by a fifth (Stagni et al. 2000);
 * elsewhere that is what a segment with a single marker leaves open, which its marker set has in
 * every trial.
 */
#define JUDGE_UNCERTAIN_LEG 0.030
#define JUDGE_UNCERTAIN     0.040

/* ---- plausibility.c ---------------------------------------------------------------- */

/* [chosen] Times or parts of a length, metres of stature; what is known of people stands beside. */
#define PLAUSIBLE_AMBER     1.25 /* times or parts of what the stature makes expect */
#define PLAUSIBLE_SPAN      1.35 /* hips and shoulders: breadths vary by a tenth among people */
#define PLAUSIBLE_SPAN_RED  1.7
#define PLAUSIBLE_SIDES     1.12 /* longer side over shorter: people differ by 1 to 3 % */
#define PLAUSIBLE_SIDES_RED 1.3
#define PLAUSIBLE_SMALL     0.5 /* metres of stature: a child that stands */
#define PLAUSIBLE_CHILD     0.9 /* metres: a child of two; hardly anybody is captured before */
#define PLAUSIBLE_TALL      2.4
#define PLAUSIBLE_SIGMAS    2.0 /* [chosen] stated deviations that may explain a length */
#define PLAUSIBLE_FAR_MARKER \
    SNW__ELSEWHERE /* metres from a joint to the nearest marker of its two segments */

#endif
