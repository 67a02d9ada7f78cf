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

/* ---- hand_actor.c ------------------------------------------------------------------ */

/* [chosen] */
#define HAND_ACTOR_NOISE 0.0007 /* metres: of a marker, as in snw_hand_options_default() */

/* ---- hand_calibrate.c -------------------------------------------------------------- */

/* [measured] Constants: measured on two captured hands (ART) and the gestures of `sinew synth`. */
#define CALIBRATE_BACK_HEIGHT    0.008  /* metres: a small marker on the skin over the bones */
#define CALIBRATE_STRETCHED      0.9985 /* measured: distance over length of an open finger */
#define CALIBRATE_STRETCH_SPREAD 0.003  /* measured */
#define CALIBRATE_STRETCH_SHARE  0.85   /* chosen */
#define CALIBRATE_LENGTH_SPREAD  0.08   /* Buchholz et al. (1992): of a finger, as a fraction */
#define CALIBRATE_FLAT_BEND      0.05   /* radians: bend at the knuckle of an open hand */
#define CALIBRATE_BINS_PER_METRE \
    10000 /* 0.1 mm: 1 % of a length bends a straight finger by 15 degrees */

/* ---- hand_chain.c ------------------------------------------------------------------ */

/* ---- hand_fit.c -------------------------------------------------------------------- */

/* [published] Radians: how far the outer joint strays from 2/3 of the middle one (Rijpkema & Girard
 * 1991: "within 7 degrees"). */
#define FIT_FOLLOW_SPREAD 0.12
/* [measured] Radians: how far base flexion strays from 0.8 of middle flexion; measured on two
 * captured hands (ART): 0.2 to 0.35. Without this row a millimetre too much bends a straight finger
 * back at its knuckle and forward at its middle joint by 15 degrees. */
#define FIT_LEAD_SPREAD 0.35
#define FIT_ROUNDS      4

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
