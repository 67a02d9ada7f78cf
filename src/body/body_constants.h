/* The constants of this module in one table; marks as in calibrate_constants.h. Limits, presets and
 * characters. Internal. */
#ifndef SNW_BODY_BODY_CONSTANTS_H
#define SNW_BODY_BODY_CONSTANTS_H

#include <float.h>

#include <sinew/body.h>

#include "math/tolerance.h"

/* ---- joint.c ----------------------------------------------------------------------- */

/* [derived] Axes must be unit and perpendicular to this: what is projected is read back through
 * them, and their error must stay below SNW_LIMIT_TOLERANCE. */
#define JOINT_AXIS_ERROR (SNW_LIMIT_TOLERANCE / 10)
/* [derived] sin of the smallest angle between the axes of a universal joint, 0.06 degrees: nearer
 * than that the two angles cannot be told apart to SNW_LIMIT_TOLERANCE. */
#define JOINT_AXES_APART 1e-3
/* [derived] Round-off of an angle this many radians from zero is 1e-13, below the tolerance. */
#define JOINT_ANGLE_MAX 1000.0

/* ---- limit_ball.c ------------------------------------------------------------------ */

/* [derived] Below this rho, round-off of the unit quaternion, azimuth and twist cannot be told
 * apart. */
#define BALL_BEHIND (4 * DBL_EPSILON)
/* [derived] cos(psi/2) at 1e-6 from straight behind. Nearer than this no result is put: azimuth and
 * twist are read back to 1e-16 / rho, which the tip of a thin cone that reaches there turns into an
 * error of psi above the tolerance. */
#define BALL_RHO_MIN (SNW__SINGLE / 2)

/* ---- rig_feet.c -------------------------------------------------------------------- */

/* [measured] Metres a second, on walks and runs of the corpus: a standing ankle is slower, a
 * swinging one faster than 1. Stances shorter than SNW__BRIEF are none, and a pin fades over that.
 * A foot is never moved farther than skin shifts, SNW__SKIN_MAX: what is farther is no stance. */
#define LOCK_SPEED 0.25

/* ---- rig_pose.c -------------------------------------------------------------------- */

/* [chosen] Sine of the bend at rest below which two bones do not tell the axis between them: 6
 * degrees. */
#define RIG_BEND_LEAST 0.1

/* ---- skeleton.c -------------------------------------------------------------------- */

/* [chosen] Bones of a way that are summed from its end: all of them in every real body. In a chain
 * of thousands each way would be summed anew, so there the rest comes from the joint it starts at.
 */
#define SKELETON_WAY_BONES 64

#endif
