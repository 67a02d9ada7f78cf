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

/* ---- join.c ---------------------------------------------------------------------------- */

/* [chosen] Of the frames between its gaps a point that flickers is seen in fewer than this share.
 */
#define GHOST_SHARE 0.35
/* [chosen] A piece that bears a marker's name but stands elsewhere is left out if it is this much
 * shorter: somebody has named the wrong point. Else it is not for us to say which one is right. */
#define GHOST_SHORTER 10

/* ---- join_evidence.c ------------------------------------------------------------------- */

/* [chosen] Frames from which a velocity is taken. */
#define JOIN_BASELINE 4
/* [chosen] Samples for each length of gap. */
#define JOIN_GAP_SAMPLES 256
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
/* [chosen] Assignments tried for one pair, at most: shapes rarely allow more than a few. */
#define SHAPE_TRIES 100
/* [chosen] Evidence below which a distance does not agree as those of one segment do. */
#define SHAPE_AGREEMENT 0.7

/* ---- join_match.c ---------------------------------------------------------------------- */

/* [chosen] Logarithms of likelihood: what a join needs, and how far ahead of a alternative. */
#define MATCH_ENOUGH 7.0
/* [chosen] The same trajectory, or another of the same name, came back: it takes much to doubt
 * that.
 */
#define MATCH_SAME_NAME 9.0
/* [chosen] Assignments of groups that are tried in all, so that the worst capture takes seconds. */
#define MATCH_SHAPE_TRIES 2000000
/* [chosen] Some systems put whatever comes next into a column that has become free. Then more than
 * this share of the returns that can be checked are somebody else. */
#define MATCH_REUSED_SHARE SNW__FEW
/* [chosen] Pieces so short that nothing is known of them are not asked again, nor are returns under
 * an own name when there are so many that asking would take longer than all the rest. */
#define MATCH_RETURNS_MAX 2000

/* ---- join_piece.c ---------------------------------------------------------------------- */

/* [chosen] A point that is seen again must be where the last two samples lead, give or take this
 * much (metres) and the acceleration of a segment (metres per second squared; blows reach some
 * hundreds); or where the largest speed leads to when there is one sample only. */
#define PIECE_JUMP         0.05
#define PIECE_STEP         0.15 /* from one frame to the next, where systems rarely err */
#define PIECE_ACCELERATION 600.0
/* [chosen] Frames. Cameras may see a marker twice while they hand it over. */
#define PIECE_OVERLAP 2
/* [chosen] Metres. */
#define PIECE_SAME_PLACE 0.008
/* [derived] Frames: what is seen shorter has no velocity and no steady distance. */
#define PIECE_LIVE_MIN 3
/* [chosen] More chains than this and the shortest are left alone: cost grows with the square. */
#define PIECE_LIVE_MAX 4000
/* [chosen] Frames at which a distance is looked at. */
#define PAIR_SAMPLES 32

/* ---- join_evidence.c --------------------------------------------------------------- */

/* [chosen] Evidence below which nothing can help. */
#define JOIN_STRANGERS (-4.0)

/* ---- join_match.c ------------------------------------------------------------------ */

#endif
