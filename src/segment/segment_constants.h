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

/* Metres. Two labels are exchanged only where this much speaks for it: a walk turns a thigh against
 * the other knee, but moves arms little against each other. */
#define CORRECTION_EXCHANGED SNW__SKIN
/* [chosen] Or where the other segment's markers are nearer by this ratio and steadier too. */
#define CORRECTION_NEARER SNW__RESERVE
/* [derived] Another segment must fit this many times better than the named one: both estimates may
 * be off. */
#define CORRECTION_RATIO (SNW__RESERVE * SNW__RESERVE)
/* [chosen] Metres. How much a distance may vary for a marker without a name to be put on a segment:
 * as much as the segment's own distances, but at least the first and at most the second. */
#define CORRECTION_FIT_MIN (2 * SNW__STILL)
#define CORRECTION_FIT_MAX 0.025
/* [chosen] Share of the markers that may disagree before all names are given up. */
#define CORRECTION_SHARE SNW__MINOR
/* [chosen] Frames that distances are averaged over. */
#define CORRECTION_FRAMES SNW__SAMPLES_LOOK
/* [chosen] Share of the frames that show a body inside out. */
#define CORRECTION_MIRRORED SNW__MOST
/* [chosen] Share of the frames: a marker that is seen in fewer has no time to move. */
#define CORRECTION_SHORT SNW__RARELY

/* ---- segment_distance.c ------------------------------------------------------------------- */

/* A limit of work: markers up to which all of these are looked at; of more, as many fewer as there
 * are more markers, so that the cost of all pairs grows with the markers. 1000 markers have 80
 * frames.
 */
enum {
    DISTANCE_MARKERS = 200
};
/* [chosen] Share of the values that may be left out as swaps and wild samples, and how far from the
 * median these are, in units of the distance between median and outer deciles. */
#define DISTANCE_WILD 5.0

/* ---- segment_find.c ----------------------------------------------------------------------- */

/* Room for runs of frames that grouping looks at, and for distances: fewer runs where very many
 * markers make many pairs. */
enum {
    SEGMENT_RUNS = 250,
    SEGMENT_DISTANCES = 20000000
};

/* ---- segment_group.c ---------------------------------------------------------------------- */

/* [derived] Frames that the residual is taken from, and those that shape the body: the shape's own
 * error adds 1 / 150 to the variance, far less than its error over the frames. */
#define GROUP_SHAPE_FRAMES SNW__SAMPLES_JUDGE

/* ---- segment_many.c ----------------------------------------------------------------------- */

/* Room for markers that are grouped at once: ten on each of 25 segments. */
enum {
    MANY_MARKERS = 250
};
/* [chosen] A marker that is seen less than this share of what the most seen one is, is not chosen.
 */
#define MANY_SEEN SNW__HALF

/* ---- segment_names.c ---------------------------------------------------------------------- */

/* [chosen] Share of the markers that names must explain. */
#define NAMES_SHARE SNW__HALF
/* [chosen] "M001" .. "M092" and a few "*93": where one stem has nearly all markers, and more than a
 * segment carries, the numbers count markers. */
#define NAMES_SEGMENT_MAX 12

/* ---- segment_rigidity.c ------------------------------------------------------------------- */

/* [measured] Slow over fast variance up to which a segment is rigid to the noise: what shows of
 * real skin is above 3, simulated noise leaves less than 0.1. */
#define RIGIDITY_WHITE SNW__MINOR
/* [derived] Standard errors of the noise that a union may have. */
#define RIGIDITY_SIGMAS 4.0
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
#define SEARCH_OPTIMISM SNW__MINOR
/* [chosen] Groups up to this size are dissolved on trial. */
#define SEARCH_SMALL 4
/* A limit of work: samples that bodies may be fitted to, some seconds' worth. A person with a
 * hundred markers needs a hundredth; hundreds of markers that stand still would need hours. */
enum {
    SEARCH_SAMPLES = 60000000
};

/* ---- label_swaps.c ---------------------------------------------------------------------- */

/* A limit of work: markers on either side in the segment's list by which one is judged: sixteen
 * opinions are enough for a majority, and cost grows with the markers. */
enum {
    SWAP_NEIGHBOURS = 8
};
/* [derived] A distance is wrong when it is off by so many of its robust standard deviations, and by
 * so many metres: one marker rides on the loosest skin, the other on usual skin. */
#define SWAP_LEAST (SNW__SKIN + SNW__SKIN_MAX)

/* ---- label_jumps.c ---------------------------------------------------------------------- */

/* Metres: so far from where it was expected is a hand that changes its speed by 3 m/s in a
 * hundredth of a second; nearer may be skin. */
#define JUMP_LEAST SNW__SKIN_MAX
/* [chosen] Both must stand this many times nearer to where the other was expected than to their own
 * place. */
#define JUMP_FIT SNW__MINOR
/* [chosen] Frames a marker may be hidden and still be expected to go on as it went. */
#define JUMP_HIDDEN_MAX 5
/* [chosen] Frames of the running mean of what is usual. */
#define JUMP_USUAL_FRAMES SNW__SAMPLES_LOOK
/* [chosen] Frames beside an exchange that distances are compared in, at least, and how many of all
 * of them; the deviations must fall to this share. */
#define JUMP_REACH  100
#define JUMP_BETTER 0.8

#endif
