/* The constants of this module in one table; marks as in calibrate_constants.h. How a few markers
 * move a hand. Internal. */
#ifndef SNW_HAND_HAND_CONSTANTS_H
#define SNW_HAND_HAND_CONSTANTS_H

/* ---- collision.c ------------------------------------------------------------------- */

/* [chosen] */
#define COLLISION_RADIUS 0.15
#define COLLISION_SLACK  0.001 /* metres that soft skin gives way */

/* ---- hand.c ------------------------------------------------------------------------ */

/* [chosen] Constants: spreads of the rows, radians unless said. Chosen. */
#define HAND_SPREAD_USUAL   0.20   /* of the spread of a finger about its fan */
#define HAND_SPREAD_FIST    0.07   /* the same of a bent finger: its spread goes with flexion */
#define HAND_MODEL_NOISE    0.0015 /* metres: of knuckles and bones */
#define HAND_TRANS_SPREAD   0.15   /* of what the neighbours suggest */
#define HAND_INERTIA_SPREAD 0.25   /* of keeping its shape */
#define HAND_CALM_SPREAD    0.03   /* of a joint between two frames, at rest */
#define HAND_FLEXION_SPEED  8.0    /* radians per second that cost nothing: fast fingers reach 15 */

/* ---- hand_fit.c -------------------------------------------------------------------- */

/* [chosen] From the last frame's angles. */
#define FIT_ROUNDS 4

/* ---- hand_unlabelled.c ------------------------------------------------------------- */

/* [chosen] */
#define UNLABELLED_SECONDS 20.0 /* looked at, where all are seen so long */

/* ---- transdigital.c ---------------------------------------------------------------- */

/* [chosen] Seconds. */
#define TRANS_MEMORY 30.0
/* [measured] Seconds: of 1, 3 and 10 the best live on gestures; on captured hands all are alike. */
#define TRANS_FADE 3.0
/* [chosen] Radians: what the linear relation leaves. */
#define TRANS_NOISE 0.1

#endif
