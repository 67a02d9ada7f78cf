/* The constants of this module in one table; marks as in calibrate_constants.h. How a body follows
 * its markers. Internal. */
#ifndef SNW_TRACK_TRACK_CONSTANTS_H
#define SNW_TRACK_TRACK_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- actor_trial.c ----------------------------------------------------------------- */

/* [chosen] Metres: of a place that the body alone gives, where the predictor says nothing. */
#define VIEW_BODY_DOUBT 0.05

/* ---- continuity.c ------------------------------------------------------------------ */

/* [chosen] A joint between two segments accelerates at most like the faster of their markers, give
 * or take levers: twice. */
#define CONTINUITY_SHARE SNW__RESERVE
/* [chosen] Body sizes, 5 mm of a person: noise of joints between thin segments. */
#define CONTINUITY_FLOOR 0.004
/* Frames held on either side of a stretch: as many as third differences reach. */
enum {
    CONTINUITY_EDGE = 3
};
/* Weights: frames beside the stretch, which stay, and frames that jump, against 1. [chosen] */
#define CONTINUITY_HELD  1e6
#define CONTINUITY_JUMPY SNW__FEW
/* [derived] Noise that segments are weighed by: a turn about a lever of 0.1 m is a place. */
#define CONTINUITY_ROUNDS ((int)(sizeof continuity_rounds / sizeof *continuity_rounds))

/* ---- excess_noise.c ---------------------------------------------------------------- */

/* In body sizes, 20 mm of a person. [chosen] */
#define EXCESS_MAX 0.012

/* ---- first_guess.c ----------------------------------------------------------------- */

/* How many times firmer than by its variance a joint is drawn to its last rotation: what holds
 * markers off their places, skin, lasts for many frames, and noise is estimated without it.
 * [chosen] on seven captures of whole bodies, by the jumps that are left before continuity.c; from
 * 16 on a joint of two markers a segment is off (virtual markers on six motions). */
#define GUESS_FIRM 8.0
/* [chosen] Radians. Limits give way by so much in a frame, and by what markers travel. */
#define GUESS_GIVE 0.02
/* Weight of a rotation that is kept, in squares of the body's size: markers of a whole leg pull
 * with a quarter of one, so that they move it by a fortieth of what they would. [derived] */
#define GUESS_KEEP 10.0

/* ---- gap_motion.c ------------------------------------------------------------------ */

/* [measured] Seconds. Segments of six CMU motions, hidden for 0.2 to 1 s, come back best with 0.1
 * to 0.2. */
#define GAP_MOTION_SECONDS 0.12

/* ---- joint_range.c ----------------------------------------------------------------- */

/* [chosen] One sample in so many may lie beyond an end: a frame with swapped markers is no motion.
 */
#define RANGE_STRAYS 200
/* [chosen] Radians. Beyond, azimuth and twist cannot be told apart: 170 degrees. */
#define RANGE_WIDEST 2.967
/* [chosen] Radians. A flat cone of a file counts as this wide when it grows. */
#define RANGE_FLAT 1e-3

/* ---- joint_range.h ----------------------------------------------------------------- */

/* [chosen] Radians. Limits lie this far beyond what was seen: 5 degrees, what skin and calibration
 * may hide; 20 where a segment has a single marker, which never widens limits by itself. */
#define SNW__JOINT_MARGIN       0.0873
#define SNW__JOINT_MARGIN_ALONE 0.349

/* ---- live_continuity.c ------------------------------------------------------------- */

/* [chosen] Rates of decay, in a frame: an offset has gone after some five times the inverse. */
#define LIVE_RATE_MIN 0.15
#define LIVE_RATE_MAX 0.6
/* [derived] Where the least rate is more than the floor gives, the way back accelerates by rate^2
 * times its length, and a segment that turns back on an arc by up to pi / 2 of that. It is no jump:
 * to begin anew in every frame would keep the body for seconds where its markers are not. */
#define LIVE_PULL 1.6
/* [chosen] Where that jumps as well, the body goes on as it went, as little as does, its joints
 * turning by no more than this, radians in a frame: twists of thin segments are no motion. */
#define LIVE_TURN_MAX 0.15
#define LIVE_HALVINGS 5

/* ---- motion_prior.c ---------------------------------------------------------------- */

/* [chosen] Lever of a turn, in body sizes: 35 mm of a person, how far markers are from the long
 * axis of their segment. Turns about other axes have longer levers and are smaller than stated. */
#define PRIOR_LEVER 0.03

/* ---- motion_smooth.c --------------------------------------------------------------- */

/* [chosen] Powers of ten of lambda that are tried, in steps of a half: at 1e-4 hardly anything is
 * taken away, at 0.1 the half-power frequency is a quarter of the rate, at 1e9 a two-hundredth. */
#define SMOOTH_POWER_FIRST -4.0
#define SMOOTH_POWER_STEP  0.5
enum {
    SMOOTH_TRIES = 27
};
/* Rounds in which points that stray lose theirs, and the least weight. [chosen] */
#define SMOOTH_STRAY_ROUNDS SNW__MEAN_ROUNDS
/* Rounds in which samples gain weight. [chosen] */
#define SMOOTH_ROUNDS 8

/* ---- observability.c --------------------------------------------------------------- */

/* [derived] Metres. A point nearer to an axis says nothing of the turn about it: with noise of poor
 * cameras that would be good to a tenth of a radian. */
#define OBSERVABILITY_LEVER (10 * SNW__NOISE_POOR)

/* ---- motion_smooth.c, noise -------------------------------------------------------------- */

/* [measured] The body's variance in these bounds: neighbours of both segments have their say too.
 * Virtual markers with 0.5 mm of noise on 05_02, whose true joints jump, median joint: 0.33 mm raw,
 * with 1 0.35 mm smoothed, with 0.5 0.32 mm. */
#define SEGMENT_NOISE_BODY SNW__HALF

/* ---- segment_path.c ---------------------------------------------------------------- */

/* [chosen] Steps that bring the body onto its segments; it starts within the noise of them. */
#define SEGMENT_PATH_STEPS SNW__ROUNDS_NEAR
/* [chosen] Radians and body sizes: a step that moves nothing by more ends them. */
#define SEGMENT_PATH_STILL 1e-7

/* ---- style_body.c ------------------------------------------------------------------ */

/* [chosen] Cosine of 30 degrees: T-poses of two bodies differ by less where the bones mean the
 * same, and a body that rests in an A or along other axes by more. A joint from which several bones
 * go has one of them along the style's. */
#define STYLE_BODY_ALONG 0.866
/* [chosen] Of the style's joints that the body has, the share that must be seen to tell the others:
 * one leg and the trunk. */
#define STYLE_BODY_LEAST 0.25

/* ---- style_gap.c ------------------------------------------------------------------- */

/* name               value   from
 * STYLE_GAP_HIDDEN   0.25    a joint that is hidden in more of a gap's frames tells nothing of the
 *                            others
 * STYLE_GAP_TRIES    24      places at which a gap is tried again, evenly over the trial
 * STYLE_GAP_POINTS   5       frames that are compared in each, evenly
 * STYLE_GAP_ENOUGH   6       tries that tell; where the trial has no room for them, shorter gaps
 *                            are tried, for which the style is worth less
 * STYLE_GAP_BEFORE   0.5     the share before any try, where the ends tell nothing of the middle
 * STYLE_GAP_BEFORE   0.5     its standard deviation: anything from nothing to all
 * STYLE_GAP_OPEN     0.3     of the variance that the ends leave open in the middle of a gap; with
 *                            less (0.55 s) the style counts less, as its noise is more than it
 *                            tells
 * [chosen] on six captures (`sinew bench segments`), in a few trials, none of them fine */
#define STYLE_GAP_HIDDEN 0.25
#define STYLE_GAP_TRIES  24
#define STYLE_GAP_POINTS 5
#define STYLE_GAP_ENOUGH SNW__SAMPLES_MEDIAN
#define STYLE_GAP_BEFORE SNW__HALF
#define STYLE_GAP_OPEN   SNW__MINOR

/* ---- style_judge.c ----------------------------------------------------------------- */

/* [chosen] name            value  from
 * judge_back      ...    moments after which the style is compared: gaps in which it matters, not
 *                        one alone, after which a walk may be where it was
 * SNW__BRIEF     0.1    seconds between two moments that are kept; a segment is judged at each
 * STYLE_JUDGE_KEEPS     0.97   of what was seen is kept each time a segment is judged again
 * STYLE_JUDGE_BEFORE    0.15   the share before anything was seen,
 * STYLE_JUDGE_COUNTS    4      as so many comparisons
 * STYLE_JUDGE_USUAL     0.2    radians that style and past differ by then
 * STYLE_JUDGE_SEGMENT      0.34   of the style's joints that a segment has at most */
#define STYLE_JUDGE_KEEPS   0.97
#define STYLE_JUDGE_BEFORE  0.15
#define STYLE_JUDGE_COUNTS  4.0
#define STYLE_JUDGE_USUAL   0.2
#define STYLE_JUDGE_SEGMENT 0.34

/* ---- style_segment.c --------------------------------------------------------------- */

/* name              value   from
 * DEPARTURE_LASTS   0.5     share a of the variance that lasts: as much as passes
 * DEPARTURE_SLOW    3       T, seconds
 * DEPARTURE_FAST    0.2     r, seconds: the bridges of gap_motion.c forget a speed in 0.12
 * DEPARTURE_SLOPE   0.02    variance of a measured slope that does not last, in that of slopes
 * [chosen] on whole segments hidden in six captures (`sinew bench segments`); the first three
 * before they were measured, the last of 0.02 and 0.3 by the gaps of 0.2 s. */
#define DEPARTURE_LASTS SNW__HALF
#define DEPARTURE_SLOW  3.0
#define DEPARTURE_FAST  0.2
#define DEPARTURE_SLOPE 0.02

/* ---- style_segment.h --------------------------------------------------------------- */

/* [chosen] Variance of a slope that is measured over snw__departure_seconds, in variances of the
 * departure: what of it does not last. */
#define SNW__DEPARTURE_SECONDS 0.05

/* ---- tracker.c --------------------------------------------------------------------- */

/* [chosen] Of lm, whose damping is hardly felt in a step that goes well; one that does not must
 * feel it. */
#define TRACKER_ALPHA_RETRY 1e-2
/* [chosen] Radians. A larger turn in one step has left the range of its linear model. */
#define TRACKER_TURN_MAX 0.7
/* [chosen] Metres. Standard deviation of a sample that was filled or predicted by somebody who does
 * not say how well: what is usual for gaps of half a second (docs/hidden-markers.md). */
#define TRACKER_UNSTATED 0.02
/* [chosen] Share of a frame's news in the running estimate of excess noise: a third of a second at
 * 100 frames a second. */
#define TRACKER_EXCESS_RATE 0.03
/* Where frames follow each other. Least noise behind an outlier bound, in usual noises of the
 * calibration (a trial that varies more has bounds enough): what skin does in a wide motion is
 * beyond 6 times what it does on average, and a marker that is left out and taken in again makes
 * the body jump. [chosen] on seven captures of whole bodies, by the jumps that are left before
 * continuity.c. */
#define TRACKER_BOUND_LEAST SNW__RESERVE

/* ---- tracker_state.h --------------------------------------------------------------- */

/* [chosen] Widest bounds, in units of the final ones. */
#define TRACKER_EASE_MAX 30

/* ---- whole_body.c ------------------------------------------------------------------ */

/* [derived] A step that promises less than this, in variances of the noise, moves every coordinate
 * by less than a seventh of its own standard deviation. */
#define WHOLE_BODY_GAIN 1e-2
/* The same from near the answer, where a step leaves the square of what it gains. [measured] joints
 * of four captures with 10 % gaps differ by less than 0.03 mm (rms) from those with 1e-2. */
#define WHOLE_BODY_GAIN_NEAR 0.1

#endif
