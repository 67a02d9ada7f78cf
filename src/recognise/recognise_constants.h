/* The constants of this module in one table; marks as in calibrate_constants.h. Lengths are in
 * statures unless they say metres; costs are negative logarithms of likelihoods. [measured] ones
 * were set on the labelled captures that scripts/fit_sites names and on virtual markers; what comes
 * out of all of them together, captures left out one by one, stands in docs/see.md. Internal. */
#ifndef SNW_RECOGNISE_RECOGNISE_CONSTANTS_H
#define SNW_RECOGNISE_RECOGNISE_CONSTANTS_H

#include "math/robust.h"
#include "person/movement.h"

/* ---- the person ---------------------------------------------------------------------------- */

/* [chosen] Spread of its logarithm while a pose is looked for; and of a tall person and a small one
 * where answers are compared: adults spread by 0.055, children are small. */
#define TEMPLATE_TALL_SPREAD 0.08

/* ---- recognise_start.c --------------------------------------------------------------------- */

/* Room for frames to begin in, and for poses that are improved in each. */
enum {
    START_FRAMES = 3,
    START_TRIED = 14
};
/* [chosen] Directions to face. */
#define START_YAWS 8
/* [chosen] Width of the mixture's Gaussians: at first they reach a neighbouring segment, at last
 * they are the spread of a site; how they shrink with each step. */
#define START_WIDTH  0.07
#define START_NARROW 0.018
#define START_SHRINK 0.88
/* [chosen] Arms are put elsewhere in the best few poses of a frame, with this width; into so many
 * poses, and into more, with bent elbows, where the best answer is improved. */
#define START_RESEED   0.05
#define START_RESEEDED 4
#define START_ARMS     5
enum {
    START_ARMS_MORE = 9
};
/* [chosen] A point so many widths from a site with the share of one in so many is as likely
 * nothing. */
#define START_OUTLIER 3.5
#define START_PARTS   35.0
/* [chosen] Parts of the mixture further off in standard deviations, or with a smaller share of the
 * point, do not count. */
#define START_REACH 5.0
#define START_SHARE 0.04
/* [chosen] Metres: the mixture has its own outliers, the fit needs none. */
#define START_ROBUST 10.0
/* [chosen] Share of a segment's flesh, that is of markers where no set has one. */
#define START_FLESH SNW__MINOR

/* ---- recognise_track.c --------------------------------------------------------------------- */

/* [chosen] Rounds of following and understanding, while answers are compared and for those that are
 * left: places and poses draw each other to where joints are slowly, the less a joint bends the
 * slower; the last ones go on until the cost falls by no more than this. Assignments in each until
 * pairs agree. */
#define TRACK_ROUNDS 6
#define TRACK_FALLS  0.2
#define TRACK_PASSES 3
/* [chosen] Frames of a trial that count as independent: skin and poses change slowly. */
#define TRACK_FREE_FRAMES 5
/* [chosen] How far a marker strays on its segment, and how well the segment's pose is known: in the
 * first round, and at last (2 cm of a person of 1.7 m: skin, and bones of other proportions). */
#define TRACK_STRAY_FIRST 0.04
#define TRACK_LAST        0.012
#define TRACK_POSE_FIRST  0.03
/* [chosen] Costs of a point that is nothing, and of one that is at no site. */
#define TRACK_OUTLIER 16.0
#define TRACK_FLESH   2.0
/* The cost of what cannot be: more than all others together. */
enum {
    TRACK_FORBIDDEN = 1000000
};
/* [measured] By how much distances within a segment vary (1 cm), less where a point has partners to
 * which it varies less by this factor, and the most that costs. */
#define TRACK_RIGID       0.006
#define TRACK_RIGID_LEAST 0.002
#define TRACK_LOOSE       8.0
/* [chosen] A site whose mirror image or companion has no marker is rarer by this factor. */
#define TRACK_ALONE 0.15

/* ---- recognise_search.c ---------------------------------------------------------------------- */

/* [chosen] Share of the points that sit well where nothing needs mending, cost of a point where
 * nothing can be mended; frames from which the best answer is tried anew; how much worse the cost
 * of a new one may be before it settles, and how much better it must be then. */
#define MEND_CLEAR    SNW__MOST
#define MEND_HOPELESS 6.0
#define MEND_FRAMES   SNW__SAMPLES_MEDIAN

/* ---- computed_points.c ----------------------------------------------------------------------- */

/* [chosen] Frames looked at, and that a point or a pair must be seen in; what few of them may be
 * off. */
#define COMPUTED_FEW SNW__FEW
/* [derived] Metres: 180 degrees about each of three axes, written as millimetres. */
#define COMPUTED_ORIGIN (0.18 * sqrt(3))
/* [chosen] So many quantities about the origin are none by chance. */
#define COMPUTED_QUANTITIES 3
/* [chosen] Share of the frames in which the points of a body are seen that others are held against.
 * Metres: each is so near to another one, in the sparsest sets by half a trunk or a thigh; where
 * the body goes this far while a point is seen, its own points are nearer than what it passes, most
 * of all those about the origin, which would be on a foot; and so are pieces of its markers. */
#define COMPUTED_BODY_SEEN    0.6
#define COMPUTED_WAY          0.8
#define COMPUTED_REACH_WALKER 0.45
#define COMPUTED_REACH_BRIEF  0.2
/* [derived] Metres: arms of axes are equal, and stand at right angles at their ends, to the steps
 * of two 16-bit coordinates of 0.1 to 0.2 mm. Published foot models have one axis out of square, by
 * less than this cosine. Arms are from a toe's to a thigh's length, which varies by the motion of
 * skin. */
#define COMPUTED_EXACT      0.0005
#define COMPUTED_SLANT      0.15
#define COMPUTED_ARM_LEAST  0.02
#define COMPUTED_ARM_VARIES SNW__SKIN_MAX
/* More points than there is room for are a suit, and the search for axes grows with their cube. */
enum {
    COMPUTED_AXES_POINTS = 400
};

/* ---- recognise_work.c, recognise.c --------------------------------------------------------- */

/* [chosen] What goes less than this share of the usual way of a marker, but for this share of the
 * frames at either end, stands beside a person who goes; from so many frames. */
#define RECOGNISE_WAY_SHARE SNW__STRAY_SHARE
#define RECOGNISE_WAY_JUMPS SNW__RARELY
enum {
    RECOGNISE_WAY_FRAMES = 200
};
/* [chosen] Frames in a second; neighbours must be near enough to follow segments from one to the
 * next.
 */
#define RECOGNISE_RATE 8.0
/* [chosen] Hypotheses of the whole body, and of each part of one. */
#define RECOGNISE_BODY_STARTS 10
#define RECOGNISE_PART_STARTS 4
/* [chosen] A hypothesis that costs so much more than the best is given up. */
#define RECOGNISE_GIVE_UP 60.0
/* [chosen] Costs of a body that points downwards and of marking a part of a body only. */
#define RECOGNISE_OVERTURNED 20.0
#define RECOGNISE_UPPER_BODY 15.0
/* [chosen] Answers that put more than this share of the points elsewhere are rivals; the best one
 * must be likelier by the margin, e^10. */
#define RECOGNISE_SAME 0.2
/* Told where there is no rival: e^1000 to 1. */
enum {
    RECOGNISE_MARGIN_MAX = 1000
};
/* [measured] Statures (3.4 cm): so near to the mirror image of a point of the other side a point
 * was put there as its counterpart. */
#define RECOGNISE_MIRRORED 0.02
/* [measured] The doubt is the cost of a point plus this times the share of the points that sit at
 * no site, or badly, and have no counterpart; recognise.c has the most of each plan. */
#define RECOGNISE_GOOD      1.5
#define RECOGNISE_ELSEWHERE 10.0
/* [measured] How fast confidence falls about the doubt's bound: marker sets end at 0.7 below it,
 * what is none begins 0.8 above, where it is 0.87 and 0.12. */
#define RECOGNISE_DOUBT_SCALE 0.4
/* [chosen] A set is told where this share of its sites and those worn are the same; plates where
 * this share of the points is at no site. */
#define RECOGNISE_SET 0.75
/* [chosen] Share of the points that must have a name. */
#define RECOGNISE_NAMED 0.8

/* ---- template_fit.c ---------------------------------------------------------------- */

/* [chosen] Radians: how softly a range of motion ends. */
#define TEMPLATE_LIMIT_SPREAD 0.09

/* ---- under a fuzzer ------------------------------------------------------------------------- */

#ifdef SINEW_FUZZ_SMALL /* every step, each once: a hundred times as many inputs a minute */
enum {
    RECOGNISE_ONCE = 1
};
#undef START_YAWS
#undef START_RESEEDED
#undef START_ARMS
#undef START_SHRINK
#undef TRACK_ROUNDS
#undef TRACK_PASSES
#undef RECOGNISE_BODY_STARTS
#undef RECOGNISE_PART_STARTS
#define START_YAWS            RECOGNISE_ONCE
#define START_TRIED           RECOGNISE_ONCE
#define START_RESEEDED        RECOGNISE_ONCE
#define START_ARMS            RECOGNISE_ONCE
#define START_SHRINK          SNW__HALF
#define TRACK_ROUNDS          RECOGNISE_ONCE
#define TRACK_PASSES          RECOGNISE_ONCE
#define RECOGNISE_BODY_STARTS RECOGNISE_ONCE
#define RECOGNISE_PART_STARTS RECOGNISE_ONCE
#endif

#endif
