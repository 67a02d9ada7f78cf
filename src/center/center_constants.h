/* The constants of this module in one table. What the methods for joint centres call outliers,
 * noise, planar, still and certain. Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_CENTER_CENTER_CONSTANTS_H
#define SNW_CENTER_CENTER_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- center_data.c --------------------------------------------------------------------- */

/* [derived] The histogram spans 1e-12 m to 1e1 m and more; beyond its ends everything falls in the
 * end bins. 3072 bins of 1 % reach from 1e-12 to 1.9e1. */
enum {
    OUTLIER_BINS_OF_E = 100 /* for e times as much */
};
#define OUTLIER_BIN_LOG (1.0 / OUTLIER_BINS_OF_E)
/* [derived] Huber's corner, in sigmas: 2.5 touches 1 % of normal residuals; 6 is never normal
 * noise. */
#define OUTLIER_CORNER 2.5

/* ---- center_iterative.c ---------------------------------------------------------------- */

/* [chosen] What the filter is told: 5 mm of noise, and a guess known to half a metre. */
#define KALMAN_GUESS 0.5

/* ---- center_motion.c ------------------------------------------------------------------- */

/* [derived] An axis counts as moved above 2.5 degrees rms (the rank threshold 1e-3 of the two-sided
 * method) and above a tenth of the largest: wobble of a hinge, skin and noise stay below. */
#define MOTION_SPREAD_MIN      (2.5 * SNW_PI / 180)
#define MOTION_SPREAD_RELATIVE SNW__FEW
/* [chosen] Rounds of the search for two axes, and how near (cosine) they may lie to each other:
 * nearer than 45 degrees any joint looks like one of two axes. */
#define MOTION_AXES_ROUNDS SNW__ROUNDS_LINEAR
#define MOTION_AXES_COSINE 0.7

/* ---- center_sphere.c ------------------------------------------------------------------- */

/* Part of the published method: Knight's switch to the cylindrical case (C++ listing 8.7). */
enum {
    SPHERE_PLANAR_CONDITION = 100
};

/* ---- center_two_sided.c ---------------------------------------------------------------- */

/* [derived] Neighbouring residuals more alike than this are treated as this much alike: the
 * effective number of frames, N (1 - r) / (1 + r), would otherwise reach zero for a perfectly
 * smooth error. */
#define CENTER_CORRELATION_MAX 0.999
/* [chosen] Known rotation noise: an eigenvalue this many times above the noise's own is motion,
 * even below the rank threshold that is used without such knowledge. With 3 one walk changes (CMU
 * 02_01). */
#define CENTER_NOISE_FACTOR 4
/* [measured] Noise is divided out while it makes up less than this part of the smallest eigenvalue
 * in use, as in Halvorsen's correction: beyond, the corrected matrix is nearly singular. */
#define CENTER_GUARD SNW__HALF

/* ---- center_verdict.c ------------------------------------------------------------------ */

/* [derived] The most that a verdict says in digits: numbers out of damaged files have hundreds of
 * them, and the sentence has an end. */
#define VERDICT_LARGEST_MM (1000 * SNW__VOLUME_MAX)

/* ---- segment_pair.c ----------------------------------------------------------------------- */

/* [chosen] A frame whose chi squared is this many times the mean counts a quarter. */
#define PAIR_OUTLIER 15.0
/* Room for the stretches of time that tell how much the answer changes from one to the next. */
enum {
    PAIR_BLOCKS = 12
};
/* [chosen] How many frames stand for all when the inflation is averaged. */
#define PAIR_TYPICAL 16

#endif
