/* The constants of reaching in one table: when a step is trusted, when an attempt is given up, when
 * a pose stands. Lengths are in body sizes, angles in radians, energies r.r / 2 of rows without
 * units, so that one number is right for a finger and for a crane. Round-off is in
 * math/tolerance.h. Internal.
 *
 * Marks: [derived] from what it must be above or below, [published], [measured] on `sinew bench ik`
 * and the attacks of tests/test_ik_*.c, [chosen] where nothing but a factor of two or more is seen.
 */
#ifndef SNW_IK_IK_CONSTANTS_H
#define SNW_IK_IK_CONSTANTS_H

#include "math/tolerance.h"

/* ---- steps --------------------------------------------------------------------------------- */

/* [derived] Radians, or body sizes: the error of a linear model of a turn, 1 - cos, is a tenth
 * here; a larger step has left the range of its model, another answer farther away is another one.
 */
#define SNW__IK_MODEL_RANGE 0.5
/* [chosen] Damping against the mean diagonal, at first and for what nothing determines. */
#define SNW__IK_DAMPING_FIRST 1e-3
/* [chosen] The same of the squared error: what Levenberg-Marquardt begins with. */
#define SNW__IK_ALPHA_FIRST 0.1
/* [derived] Damping at which a solve that starts near its end is not held back: SNW__IK_ENOUGH of
 * the error, squared. The most is as far on the other side of 1. */
#define SNW__IK_DAMPING_LEAST (SNW__IK_ENOUGH * SNW__IK_ENOUGH)
#define SNW__IK_DAMPING_MOST  (1 / SNW__IK_DAMPING_LEAST)
/* [derived] Smallest pivot against the largest diagonal: what no goal determines stays. */
#define SNW__IK_PIVOT_LEAST SNW__SAME
/* [measured] Far from the goals, damping in parts of their error: 0.01 to 0.1 need the same steps.
 */
#define SNW__IK_DAMPING_FAR 0.03
/* [chosen] More damping by this factor where a hessian is not definite or a step too long; less by
 * it after a step that was right. */
#define SNW__IK_DAMPING_FACTOR 30
/* [published] A step is taken when it brings this part of what its model says (Armijo; Nocedal &
 * Wright 2006, 3.1: 1e-4). */
#define SNW__IK_ENOUGH 1e-4
/* [published] A step that brings less than this part of what its model says was too long for the
 * model (Nocedal & Wright 2006, algorithm 4.1): it is corrected by what the model did not see. */
#define SNW__IK_POOR 0.25
/* [chosen] Rounds of what ends by itself after three: limits that a step meets in turn, dampings,
 * shorter steps, Newton steps from a start nearby. */
#define SNW__IK_ROUNDS 6

/* ---- limits -------------------------------------------------------------------------------- */

/* [derived] Radians by which limits are asked whether they hold what is pushed against them: the
 * square is far above their tolerance, the turn far below a model's range. */
#define SNW__IK_LIMIT_PROBE 1e-2
/* [derived] Nearer than this to a limit a joint stands at it: far above the tolerance of limits,
 * far below sight. */
#define SNW__IK_AT_LIMIT SNW__SINGLE

/* ---- patience ------------------------------------------------------------------------------ */

/* [chosen] Steps after which an attempt is looked at, and that may pass without progress. */
#define SNW__IK_WINDOW 8
/* [measured] A window that leaves more than this part of the energy is slow: others get there
 * sooner, and a start that keeps it has stayed. */
#define SNW__IK_SLOW 0.8
/* [measured] Steps of one descent: fewer would end some that still converge. */
#define SNW__IK_DESCENT 40
/* [chosen] Iterations of a method of first order in which the error must fall by a part, which near
 * full reach and along limits takes many small steps. */
#define SNW__IK_STALL_WINDOW 20
/* [chosen] That part: less is slower than anyone waits for; and what an answer may depend on
 * besides its targets, in tolerances, is below anyone's sight. */
#define SNW__IK_STALL 1e-3
/* [measured] Attempts of a kind before another kind is tried. 2 of 4190 targets on the lines of
 * stretched limbs of 70 public robots are missed with two, none with three. */
#define SNW__IK_TRIES 3
/* [chosen] One part in so many of the iterations: for a method that is only tried, and kept back
 * for the way from the best answer to its minimum. */
#define SNW__IK_SHARE 4
/* [chosen] Random poses of which the nearest to the goals is started from: looking at one costs a
 * tenth of a step. */
#define SNW__IK_SCATTER 8
/* [measured] Radians of a first fresh start near the given pose; what moves less has stayed. */
#define SNW__IK_SHAKE 0.15
/* [chosen] Weights, of the heaviest goal, below which they make a problem worse conditioned: such
 * goals are first tried as if all counted alike, and steps towards them corrected. */
#define SNW__IK_UNEVEN 0.25
/* [chosen] Another answer must have less than this part of the energy, 1 % nearer: for less a
 * tracked limb does not turn over. */
#define SNW__IK_NEARER 0.98
/* [chosen] Radians, body sizes: what is left of a way is round-off to anyone; a start that is
 * nearer to its answer stays bit for bit. */
#define SNW__IK_STAY 1e-5

/* ---- preferred poses ------------------------------------------------------------------------ */

/* [measured] Energy of the goals from which down their curvature is known, and beyond which a step
 * has gone too far: with 1e-3 of 1800 answers of nine bodies from rest 51 move when solved again,
 * with 3e-4 34, and 1e-4 costs more. */
#define SNW__IK_PREFER_CURVED 3e-4

/* ---- leaps of FABRIK ------------------------------------------------------------------------ */

/* [derived] Iterations between leaps: two to measure the ratio, one to forget the disturbance. */
#define SNW__FABRIK_LEAP_EVERY 4
/* [chosen] Changes that a leap may sum up; beyond it the ratio is not known well enough. */
#define SNW__FABRIK_LEAP_MAX 1000.0

/* ---- numbers that a solve accepts ---------------------------------------------------------- */

/* [derived] Metres; and weights of goals. Squares of SNW__IK_FAR such sizes are finite, squares of
 * tolerances of the smallest are not zero. */
#define SNW__IK_HUGE 1e50
/* [derived] Body sizes: a place beyond is refused; its square under the largest weight is 1e250. */
#define SNW__IK_FAR (SNW__IK_HUGE * SNW__IK_HUGE)

#endif
