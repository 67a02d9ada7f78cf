/* The constants of this module in one table; marks as in calibrate_constants.h. How a few trackers
 * move a whole body. Internal. */
#ifndef SNW_AVATAR_AVATAR_CONSTANTS_H
#define SNW_AVATAR_AVATAR_CONSTANTS_H

/* ---- arm_length.c ------------------------------------------------------------------ */

/* [chosen] What people do is measured, in arm_length.c. */
#define LENGTH_STRAIGHT_SHARE 0.8 /* people who straighten their arms */
#define LENGTH_ANGLE_OUTLIER  0.5 /* radians, beyond which a frame counts no more */

/* ---- avatar.c ---------------------------------------------------------------------- */

/* [chosen] Constants of the step. Chosen unless said otherwise. */
#define AVATAR_CHEST_LAG 0.15 /* seconds, of the inferred chest's heading */

/* ---- avatar_arm.c ------------------------------------------------------------------ */

/* [chosen] Constants of the arms. Chosen unless said otherwise. */
#define ARM_ELBOW_DRIFT 0.2  /* m/s an elbow may swivel while its hand rests */
#define ARM_HOLD        0.02 /* weight of the last swivel; the regression is 0.1 to 0.6 long */
#define ARM_STEP_RATIO  2.5  /* elbow step over hand step that needs no correction */
#define ARM_STEP_SHARE  0.77 /* of the hand's step that counts: the rest may be noise */
#define ARM_STEP_NEW    0.4  /* weight of a new step of the hand against those before: noise */
#define ARM_GIVE        0.1  /* metres that a shoulder may give way: as far as people shrug */

/* ---- body_plan_avatar.h ------------------------------------------------------------ */

/* ---- bone_frames.c ----------------------------------------------------------------- */

/* ---- elbow_learning.c -------------------------------------------------------------- */

/* [measured] Constants. Tuned: on 02_01 against 02_05 of the CMU database, both ways. */
#define LEARN_RIDGE        3e-1 /* tuned */
#define LEARN_FRAMES_LEAST 50

/* ---- legs.c ------------------------------------------------------------------------ */

/* [chosen] but where a source stands. */
#define LEGS_STEP_SECONDS 0.35 /* swing of a walking step; Winter (1991): 0.38 */
#define LEGS_STRIDE       0.30 /* of leg length: what a foot may be left behind */
#define LEGS_LIFT         0.10 /* of leg length */

/* ---- shake.c ----------------------------------------------------------------------- */

/* [chosen] */
#define SHAKE_SPEED_SLOPE 8.0 /* Hz per m/s: at 1 m/s the lag is 14 ms */
#define SHAKE_SPIN_SLOPE  2.0 /* Hz per rad/s */

/* ---- state_space.c ----------------------------------------------------------------- */

/* [chosen] */
#define SPACE_DEPTH (SPACE_PLACE_DEPTH + SPACE_TURN_DEPTH)
#define SPACE_HITS  12

/* ---- tpose.c ----------------------------------------------------------------------- */

/* [chosen] Constants of the calibration. */
#define TPOSE_RISE_SPREAD   0.06 /* chosen: metres, of the shoulder above what is called chest */
#define TPOSE_LEVEL_SPREAD  0.07 /* chosen: radians by which arms called level are not */
#define TPOSE_AXIS_ANGLE    0.35 /* chosen: radians; a tracker mounted along the arm */
#define TPOSE_AXIS_SYMMETRY 0.06 /* chosen: radians; both mounted the same way */
#define TPOSE_ARM_LEAST     0.1  /* chosen: metres from shoulder to wrist; no child's is shorter */

/* ---- tracker_capture.c ------------------------------------------------------------- */

/* [chosen] Constants. Chosen: no arm is longer than 1 m. */
#define CAPTURE_REACH_MOST 1.35 /* metres from the chest, or the head, to a hand's tracker */

#endif
