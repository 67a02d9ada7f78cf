/* Sweeps of cyclic coordinate descent for methods that alternate with them. Internal. */
#ifndef SNW_IK_CCD_H
#define SNW_IK_CCD_H

#include "ik/core/aim.h"
#include "ik/core/goal_kinds.h"

extern const snw__ik_method snw__ik_ccd;

/* Every joint once, from the base outwards, takes the one best turn (or slide) for all that hangs
 * on it, inside its limits. `state` is of snw__ik_ccd. World valid on entry and on return. */
void snw__ccd_sweep_outwards(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose);
/* The same for one joint. */
void snw__ccd_turn(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose, int joint);
/* How far the step of an angle now at `value` may go: `step`, or what is better of the two ends of
 * the range for a cos + b sin. */
double snw__aim_bounded_step(const snw__aim *aim, const snw_joint *joint, int which, double value);

#endif
