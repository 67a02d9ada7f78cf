/* The constants of this module in one table; marks as in calibrate_constants.h. How a hidden marker
 * is found again. Internal. */
#ifndef SNW_HIDDEN_HIDDEN_CONSTANTS_H
#define SNW_HIDDEN_HIDDEN_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- bone_length.c ----------------------------------------------------------------- */

/* [derived] Metres; sums of squares of what is longer may be no numbers. */
#define BONE_FAR ldexp(1, DBL_MAX_EXP / 2 - 2)

/* ---- fill.c ------------------------------------------------------------------------ */

/* Frames on each side of a gap in which its neighbours must be seen too, so that the path in their
 * frame has a speed. */
enum {
    FILL_MARGIN = 2
};
/* Metres: half the length of a forearm tells nothing. */
#define FILL_UNCERTAINTY_MAX 0.25

/* ---- fill_ends.c ------------------------------------------------------------------- */

/* [measured] An end sample that lies twice as far off as any such sample of the judged gaps, and 2
 * mm more, is not built upon: half the bound took honest samples of punches and steps for wrong
 * ones.
 */
#define ENDS_TIMES  SNW__RESERVE
#define ENDS_METRES SNW__STILL
/* [chosen] Frames over which a difference in velocity at an end is taken up. */
#define ENDS_EASE 6

/* ---- fill_judge.c ------------------------------------------------------------------ */

/* [chosen] Share of the best candidate's error added to every candidate's own: draws the weights
 * together where the judged gaps do not tell the candidates apart. */
#define JUDGE_SHRINK SNW__FEW
/* [chosen] Weights below this are not computed. */
#define JUDGE_WEIGHT_MIN 1e-3
/* ---- fill_judge.h ------------------------------------------------------------------ */

/* [chosen] Fewer judged gaps than this decide nothing. */
#define SNW__JUDGE_ENOUGH 4

/* ---- fill_local.c ------------------------------------------------------------------ */

/* [chosen] Frames are made of three of so many best neighbours. */
#define LOCAL_CORNER_CHOICE 5
/* [chosen] Frames that a choice of corners is tried on. */
#define LOCAL_CORNER_FRAMES 48
/* [chosen] Rows that a regression learns from, at most; they are spread over the trial. */
#define LOCAL_TRAIN_MAX 900
/* [chosen] and for gaps of one or two frames, which the samples beside them tell: captures may have
 * tens of thousands of these, and errors are the same within 1 %. */
#define LOCAL_TINY       2
#define LOCAL_TRAIN_TINY SNW__SAMPLES_JUDGE
/* [chosen] A neighbour that is often missing itself costs training frames; at least this share must
 * remain,
 */
#define LOCAL_TRAIN_SHARE 0.35
/* [chosen] and so many frames. */
#define LOCAL_TRAIN_MIN SNW__SAMPLES_LOOK

/* ---- fill_pca.c -------------------------------------------------------------------- */

/* [chosen] Markers beyond three sigma count for a hundredth and less. */
#define PCA_WEIGHT_MIN 0.01
/* [chosen] Frames that components are learned from at most; least for each coordinate, else the
 * farthest marker is left out. */
#define PCA_FRAMES_EACH 2

/* ---- fill_regress.c ---------------------------------------------------------------- */

/* [chosen] Fewer rows than this teach nothing. */
#define REGRESS_ROWS_MIN 40

/* ---- predict.c, learned --------------------------------------------------------------- */

/* [measured] A regression fits what it learned from better than what comes: errors on the captures
 * of `sinew bench occlusion` are this many times the residuals of the training. */
#define LEARNED_OPTIMISM 1.6
/* [chosen] Metres: nothing is surer. */
#define LEARNED_NOISE 5e-4

/* ---- low_rank.c -------------------------------------------------------------------- */

/* [measured] Rounds of expectation and maximization; twice as many changed errors by less than 3 %
 * on CMU 85_12 and 02_05. */
#define LOW_RANK_ROUNDS 15
/* [chosen] Passes of the smoother: the second one with the body's pose from completed frames. */
#define LOW_RANK_PASSES 2
/* [chosen] A marker must be seen in this share of the frames to take part. */
#define LOW_RANK_SEEN SNW__FEW
/* [chosen] Weight of a guessed sample in the first fit of the body's pose: a straight line between
 * two samples is a poor guess. */
#define LOW_RANK_GUESSED SNW__RARELY
/* [chosen] Share of the mean square score that draws a marker's rows of V to 0. */
#define LOW_RANK_RIDGE 1e-4
/* [measured] Share of the variance that the components hold. On gaps of 60 frames of three captures
 * more of it (0.999) has 10 % smaller errors on single markers and 20 % larger ones on whole
 * segments. */
#define LOW_RANK_SHARE 0.98
/* [chosen] Learned frames for each component, at least. */
#define LOW_RANK_FRAMES_EACH 4

/* ---- marker_filter.c --------------------------------------------------------------- */

/* [derived] Density of the noise on jerk, m^2/s^5: a punch changes its acceleration by 1500 m/s^3
 * for 0.05 s (1500^2 * 0.05 = 1.1e5). With 2500 a hidden marker overshot by 3 cm where the
 * segment's turn ends.
 */
#define FILTER_JERK 1e5
/* [chosen] and on acceleration, for constant velocity, m^2/s^3. */
#define FILTER_ACCELERATION 30.0
/* [chosen] The first observation knows nothing of speed: m/s and m/s^2, one standard deviation. */
#define FILTER_SPEED_START 3.0

/* ---- predict.c --------------------------------------------------------------------- */

/* [chosen] Frames of the past that are kept for learning in a second: postures change in tenths of
 * one. */
#define PREDICT_PAST_RATE 25.0
/* [chosen] Metres: a prediction less sure than this says nothing; the sample stays missing. */
#define PREDICT_UNSURE 1.0

/* ---- principal.c ------------------------------------------------------------------- */

/* [derived] An eigenvalue half as large as the last one wanted is down to 2^-24 after so many. */
#define PRINCIPAL_ROUNDS SNW__ROUNDS_LINEAR

/* ---- segment_filter.c -------------------------------------------------------------- */

/* [chosen] and slows down to a third in this time: a segment that is hidden together with its
 * neighbour seldom goes straight on for longer than a step takes. */
#define SEGMENT_GLIDE_SECONDS 0.3
/* [measured] Radians^2 a second: how fast a turn that nothing shows goes astray. Tuned so that the
 * stated uncertainty covers the errors of `sinew bench occlusion`. */
#define SEGMENT_ASTRAY 0.08

/* ---- segment_shape.c --------------------------------------------------------------- */

/* [chosen] Frames that show a joint's motion before its centre is believed, */
#define SEGMENT_CENTER_FRAMES 100
/* [chosen] and the least eigenvalue of the two-sided system: 2.5 degrees of relative motion. */
#define SEGMENT_CENTER_LEAST SNW__NOISE_POOR

/* ---- turn_model.c ------------------------------------------------------------------ */

/* [derived] Below this (|alpha| + wc) T the series is taken: the closed form loses 1/(k T^2) of its
 * digits.
 */
#define TURN_SERIES 0.25
/* [derived] and below this the noise of constant acceleration serves: it differs by less than 1 %.
 */
#define TURN_SLOW      0.02
#define TURN_ALPHA_MAX SNW__HALF    /* per step: at most 65 % faster */
#define TURN_OMEGA_MAX (SNW_PI / 2) /* per step */

#endif
