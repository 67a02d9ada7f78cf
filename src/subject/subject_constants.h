/* The constants of this module in one table; marks as in calibrate_constants.h. What is taken of a
 * person whom nobody measured. Internal. */
#ifndef SNW_SUBJECT_SUBJECT_CONSTANTS_H
#define SNW_SUBJECT_SUBJECT_CONSTANTS_H

/* ---- gait_model.c ------------------------------------------------------------------ */

/* Davis et al. 1991, eq. for the hip's centre: 25 hips on radiographs, theta 28.4 degrees and beta
 * 18 degrees; Plug-in-Gait rounds both to radians as here. */
#define HIP_DAVIS_THETA 0.5
#define HIP_DAVIS_BETA  0.314
/* The angle that the caller asks for is about an axis that moves with the answer: secant steps.
 * They gain a digit and a half each; a wand that is 60 degrees off still ends before 20. */
#define CHORD_TOLERANCE 1e-13

/* ---- gait_static.c ----------------------------------------------------------------- */

/* A foot is on the floor while toe and ankle are in the lowest FLAT_SHARE of the heights they reach
 * in the trial and move up or down by less than FLAT_SPEED. Derived: heel rise and swing lift the
 * ankle by more than a third of its range; 30 mm/s moves the sole by 1 degree in 0.1 s. Belts of
 * treadmills do not matter, since only heights are looked at. */
#define FLAT_SHARE 0.3
#define FLAT_SPEED 0.03

/* ---- gait_subject.c ---------------------------------------------------------------- */

/* Proportions for what nobody measured.
 *
 *     leg length         0.95 of ASIS - knee marker - ankle marker: mean of the captures that carry
 *                        both (0.905 to 0.985 in four Plug-in-Gait subjects); the line of the leg
 *                        goes over the outside of the joints
 *     ASIS - trochanter  Plug-in-Gait's regression on the leg's length (Davis et al. 1991)
 *     knee, ankle width  of the leg's length: mean of five Plug-in-Gait subjects (0.104 to 0.131,
 *                        0.069 to 0.088). 10 mm more width moves the centre by 5 mm
 *     arms               Plug-in-Gait's usual values of an adult
 *     marker diameter    14 mm, Plug-in-Gait's default */
#define SUBJECT_LEG_SHARE        0.95
#define SUBJECT_TROCHANTER_SLOPE 0.1288
#define SUBJECT_TROCHANTER_BASE  (-0.04856)
#define SUBJECT_KNEE_SHARE       0.118
#define SUBJECT_ANKLE_SHARE      0.08
#define SUBJECT_SHOULDER_OFFSET  0.05
#define SUBJECT_ELBOW_WIDTH      0.08
#define SUBJECT_WRIST_WIDTH      0.05
#define SUBJECT_HAND_THICKNESS   0.03
/* Between markers on one bone, or across the pelvis: the mean of the differences is 1.1 and 1.9 %
 * in two pairs of walk and static of one person, since skin slides, and 10.9 to 24.6 % between any
 * two of four people (Plug-in-Gait captures): about the geometric middle. */
#define PERSON_SAME 0.05

/* ---- subject.c --------------------------------------------------------------------- */

#endif
