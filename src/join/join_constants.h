/* The constants of this module in one table. What it takes for two pieces to be one marker.
 * Evidence is in nats: logarithms of likelihood ratios. Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_JOIN_JOIN_CONSTANTS_H
#define SNW_JOIN_JOIN_CONSTANTS_H

#include "math/robust.h"
#include "person/movement.h"

/* ---- join_evidence.c ------------------------------------------------------------------- */

/* [chosen] Frames from which a velocity is taken. */
#define JOIN_BASELINE 4
/* Room for samples of each length of gap. */
enum {
    JOIN_GAP_SAMPLES = 256
};
/* [chosen] The noise is what the second-steadiest companions of chains seen for long vary: in a
 * segment of three markers that is the segment's own. */
#define JOIN_NOISE_SECONDS 1.0
#define JOIN_NOISE_MAX     0.006
/* [chosen] How likely two markers that have been seen steady for long are of one segment. */
#define JOIN_STEADY_SHARE (1 - SNW__RARELY)
/* [chosen] But skin also goes with the pose: of its spread this much is never averaged away. */
#define JOIN_BIAS 0.7
/* [chosen] Companions that one decision looks at. */
enum {
    JOIN_VOICES = 12
};
/* [chosen] Evidence below which a distance does not agree as those of one segment do. */
#define SHAPE_AGREEMENT 0.7

/* ---- join_match.c ---------------------------------------------------------------------- */

/* [chosen] Logarithms of likelihood: what a join needs, and how far ahead of a alternative. */
#define MATCH_ENOUGH 7.0
/* [chosen] The same trajectory, or another of the same name, came back: it takes much to doubt
 * that.
 */
#define MATCH_SAME_NAME 9.0
/* [chosen] Some systems put whatever comes next into a column that has become free. Then more than
 * this share of the returns that can be checked are somebody else. */
#define MATCH_REUSED_SHARE SNW__FEW
/* Limits of work, so that the worst capture takes seconds: assignments of groups that are tried in
 * all; returns under an own name, of which more are not asked again; chains, of which the shortest
 * are left alone where there are more, as cost grows with the square. */
enum {
    MATCH_SHAPE_TRIES = 2000000,
    MATCH_RETURNS_MAX = 2000,
    PIECE_LIVE_MAX = 4000
};

/* ---- join_piece.c ---------------------------------------------------------------------- */

/* [chosen] A point that is seen again must be where the last two samples lead, give or take this
 * much (metres) and the acceleration of a segment (metres per second squared; blows reach some
 * hundreds); or where the largest speed leads to when there is one sample only. */
#define PIECE_JUMP         0.05
#define PIECE_STEP         0.15 /* from one frame to the next, where systems rarely err */
#define PIECE_ACCELERATION 600.0
/* [chosen] Frames. Cameras may see a marker twice while they hand it over. */
#define PIECE_OVERLAP 2
/* Frames: with fewer there is no velocity with an error, and no spread of a distance. */
enum {
    PIECE_LIVE_MIN = 3
};
/* [chosen] Frames at which a distance is looked at. */
#define PAIR_SAMPLES 32

/* ---- join_evidence.c --------------------------------------------------------------- */

/* [chosen] Evidence below which nothing can help. */
#define JOIN_STRANGERS (-4.0)

#endif
