/* The constants of this module in one table; marks as in calibrate_constants.h. What is learned of
 * somebody's motion. Internal. */
#ifndef SNW_STYLE_STYLE_CONSTANTS_H
#define SNW_STYLE_STYLE_CONSTANTS_H

/* ---- style_condition.c ------------------------------------------------------------- */

/* name          value   from
 * STYLE_OTHER   0.15    radians by which another body's pose differs from the learned ones
 * STYLE_LIKE    8       features that tell as much as one
 * [chosen] between what explains most of a hidden segment's motion in the style of its own body
 * (0.1 and 1 or 8) and in that of other people (0.3 and 8), on six captures. */
#define STYLE_OTHER 0.15
#define STYLE_LIKE  8.0

/* ---- style_learn.c ----------------------------------------------------------------- */

/* [chosen] name                value   from
 * STYLE_STILL         1e-3    radians of deviation below which a joint does not move: capture noise
 * STYLE_FRAMES_EACH   3       frames for each direction that a component must have on average */
#define STYLE_STILL       1e-3
#define STYLE_FRAMES_EACH 3

/* ---- style_learn.c, mirrors --------------------------------------------------------------- */

/* [chosen] Of the body's size: how far sides may differ at rest and still be mirror images. People
 * differ by 1 to 2 %, skeletons that a capture was solved to by up to 10. */
#define MIRROR_TOLERANCE 0.12

/* ---- style_mixture.c --------------------------------------------------------------- */

/* [chosen] name                value   from
 * STYLE_NOISE         5e-3    radians, f above: what captured swing and twist carry as noise
 * (SNW__SINGLE)       1e-6    of the log-likelihood: an iteration that raises it less is the last
 * STYLE_LLOYD         10      iterations of k-means; only a start */
#define STYLE_NOISE 5e-3
/* [chosen] Only against a division by zero: noise is above STYLE_NOISE by itself. */
#define STYLE_LLOYD 10

#endif
