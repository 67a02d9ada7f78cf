/* The constants of this module in one table; marks as in calibrate_constants.h. What is taken of a
 * person whom nobody measured. Internal. */
#ifndef SNW_SUBJECT_SUBJECT_CONSTANTS_H
#define SNW_SUBJECT_SUBJECT_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"

/* ---- gait_static.c ----------------------------------------------------------------- */

/* [derived] A foot is on the floor while toe and ankle are in the lowest FLAT_SHARE of the heights
 * they reach in the trial and move up or down by less than FLAT_SPEED. Derived: heel rise and swing
 * lift the ankle by more than a third of its range; 30 mm/s moves the sole by 1 degree in 0.1 s.
 * Belts of treadmills do not matter, since only heights are looked at. */
#define FLAT_SHARE SNW__MINOR
#define FLAT_SPEED 0.03

/* ---- gait_subject.c ---------------------------------------------------------------- */

/* [measured] Between markers on one bone, or across the pelvis: the mean of the differences is 1.1
 * and 1.9 % in two pairs of walk and static of one person, since skin slides, and 10.9 to 24.6 %
 * between any two of four people (Plug-in-Gait captures): about the geometric middle. */
#define PERSON_SAME 0.05

#endif
