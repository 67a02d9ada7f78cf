/* The constants of this module in one table. When markers are one segment, by names and by motion.
 * Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_SEGMENT_SEGMENT_CONSTANTS_H
#define SNW_SEGMENT_SEGMENT_CONSTANTS_H

#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- label_correction.c ---------------------------------------------------------------- */

/* [chosen] Metres. Two labels are exchanged only where this much speaks for it: a walk turns a
 * thigh against the other knee, but moves arms little against each other. */
#define CORRECTION_EXCHANGED 0.008
/* [chosen] Or where the other segment's markers are nearer by this ratio and steadier too. */
#define CORRECTION_NEARER 1.5
/* [chosen] Another segment must fit this many times better than the named one. */
#define CORRECTION_RATIO 4.0
/* [chosen] Metres. How much a distance may vary for a marker without a name to be put on a segment:
 * as much as the segment's own distances, but at least the first and at most the second. */
#define CORRECTION_FIT_MIN (2 * SNW__STILL)
#define CORRECTION_FIT_MAX 0.025
/* [chosen] Share of the markers that may disagree before all names are given up. */
#define CORRECTION_SHARE 0.25
/* [chosen] Frames that distances are averaged over. */
#define CORRECTION_FRAMES 40
/* [chosen] Share of the frames that show a body inside out. */
#define CORRECTION_MIRRORED SNW__MOST
/* [chosen] Share of the frames: a marker that is seen in fewer has no time to move. */
#define CORRECTION_SHORT SNW__RARELY

/* ---- segment_distance.c ------------------------------------------------------------------- */

/* [derived] Markers up to which all of these are looked at; of more, as many fewer as there are
 * more markers, so that the cost of all pairs grows with the markers. 1000 markers have 80 frames.
 */
#define DISTANCE_MARKERS 200
/* [chosen] Share of the values that may be left out as swaps and wild samples, and how far from the
 * median these are, in units of the distance between median and outer deciles. */
#define DISTANCE_WILD 5.0

/* ---- segment_find.c ----------------------------------------------------------------------- */

/* [chosen] Runs of frames that grouping looks at; fewer where very many markers make many pairs. */
#define SEGMENT_RUNS      250
#define SEGMENT_DISTANCES 2e7
/* ---- segment_group.c ---------------------------------------------------------------------- */

/* [derived] Frames that the residual is taken from, and those that shape the body: the shape's own
 * error adds 1 / 200 to the variance, far less than its error over the frames. */
#define GROUP_SHAPE_FRAMES 200

/* ---- segment_many.c ----------------------------------------------------------------------- */

/* [chosen] Markers that are grouped at once: ten on each of 25 segments. */
#define MANY_MARKERS 250
/* [chosen] A marker that is seen less than this share of what the most seen one is, is not chosen.
 */
#define MANY_SEEN SNW__HALF

/* ---- segment_names.c ---------------------------------------------------------------------- */

/* [chosen] Share of the markers that names must explain. */
#define NAMES_SHARE 0.6
/* [chosen] "M001" .. "M092" and a few "*93": where one stem has nearly all markers, and more than a
 * segment carries, the numbers count markers. */
#define NAMES_SEGMENT_MAX 12

/* ---- segment_rigidity.c ------------------------------------------------------------------- */

/* [measured] Slow over fast variance up to which a segment is rigid to the noise: what shows of
 * real skin is above 3, simulated noise leaves less than 0.1. */
#define RIGIDITY_WHITE SNW__MINOR
/* [derived] Standard errors of the noise that a union may have. */
#define RIGIDITY_SIGMAS 4.0
/* [chosen] The neighbour that stands for the next segments, and how many times its motion a pose is
 * worth. */
#define RIGIDITY_NEIGHBOUR 3
/* [measured] In units of the median distance of two markers: how much skin moves, and the reach of
 * a segment. Full sizes of people give 7 mm and 1 m. */
#define RIGIDITY_SKIN  0.011
#define RIGIDITY_REACH 1.5
/* [chosen] Share of the markers on segments of three and more that must stay there when a pose is
 * worth less, and how often its worth is halved to see. */
#define RIGIDITY_PLACED (1 - SNW__STRAY_SHARE)
#define RIGIDITY_STEPS  SNW__ROUNDS_NEAR

/* ---- segment_search.c --------------------------------------------------------------------- */

/* [chosen] How much smaller the variance of a rigid body may be than that of its distances
 * suggests. */
#define SEARCH_OPTIMISM 0.25
/* [chosen] Groups up to this size are dissolved on trial. */
#define SEARCH_SMALL 4
/* [measured] Samples that bodies may be fitted to, some seconds' worth. A person with a hundred
 * markers needs a hundredth; hundreds of markers that stand still would need hours. */
#define SEARCH_SAMPLES 6e7

/* ---- label_swaps.c ---------------------------------------------------------------------- */

/* [chosen] Markers on either side in the segment's list by which one is judged: sixteen opinions
 * are enough for a majority, and cost grows with the markers. */
#define SWAP_NEIGHBOURS 8
/* [chosen] A distance is wrong when it is off by so many of its robust standard deviations, and by
 * so many metres: skin moves markers by a few centimetres at most (Leardini et al. 2005). */
#define SWAP_LEAST 0.040

/* ---- label_jumps.c ---------------------------------------------------------------------- */

/* [derived] Metres: a hand that changes its speed by 2 m/s in a hundredth of a second is this far
 * from where it was expected; and [chosen] so many times what is usual of the marker. */
#define JUMP_LEAST 0.020
/* [chosen] Both must stand this many times nearer to where the other was expected than to their own
 * place. */
#define JUMP_FIT SNW__MINOR
/* [chosen] Frames a marker may be hidden and still be expected to go on as it went. */
#define JUMP_HIDDEN_MAX 5
/* [chosen] Frames of the running mean of what is usual. */
#define JUMP_USUAL_FRAMES 50
/* [chosen] Frames beside an exchange that distances are compared in, at least, and how many of all
 * of them; the deviations must fall to this share. */
#define JUMP_REACH  100
#define JUMP_BETTER 0.8

#endif
