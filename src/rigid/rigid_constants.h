/* The constants of this module in one table. Which samples count, and what is a rigid body.
 * Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_RIGID_RIGID_CONSTANTS_H
#define SNW_RIGID_RIGID_CONSTANTS_H

#include "math/tolerance.h"
#include "person/movement.h"

/* ---- rigid_fit.c ----------------------------------------------------------------------- */

/* [derived] Rounds of averaging. The start is one frame, off by the noise; each round divides that
 * by the square root of the number of frames. */
#define RIGID_ROUNDS 3
/* [chosen] Metres. Markers in a line count as this wide. */
#define RIGID_WIDTH_MIN SNW__NOISE_POOR

/* ---- sampling.c ------------------------------------------------------------------------ */

/* [chosen] Runs that a trial must have before they are that long. */
#define CAPTURE_RUNS_MIN 36

#endif
