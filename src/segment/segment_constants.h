/* The constants of this module in one table. When markers are one segment, by names and by motion.
 * Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_SEGMENT_SEGMENT_CONSTANTS_H
#define SNW_SEGMENT_SEGMENT_CONSTANTS_H

/* ---- label_correction.c ---------------------------------------------------------------- */

/* [chosen] Metres. Skin, clothes and shoulder blades move a marker on its segment by up to this. */
#define CORRECTION_SOFT 0.030
/* [chosen] Metres. A marker that moves with no segment is reported from here on. */
#define CORRECTION_LOST 0.060
/* [chosen] Metres. Two labels are exchanged only where this much speaks for it: a walk turns a
 * thigh against the other knee, but moves arms little against each other. */
#define CORRECTION_EXCHANGED 0.008
/* [chosen] Or where the other segment's markers are nearer by this ratio and steadier too. */
#define CORRECTION_NEARER 1.5
/* [chosen] Another segment must fit this many times better than the named one. */
#define CORRECTION_RATIO 4.0
/* [chosen] Metres. Markers of one segment are not all farther from a marker than this. */
#define CORRECTION_FAR 0.55
/* [chosen] Metres. How much a distance may vary for a marker without a name to be put on a segment:
 * as much as the segment's own distances, but at least the first and at most the second. */
#define CORRECTION_FIT_MIN 0.004
#define CORRECTION_FIT_MAX 0.025
/* [chosen] Share of the markers that may disagree before all names are given up. */
#define CORRECTION_SHARE 0.25
/* [chosen] Frames that distances are averaged over. */
#define CORRECTION_FRAMES 40
/* [chosen] Share of the frames that show a body inside out. */
#define CORRECTION_MIRRORED 0.9
/* [derived] The cosine of 60 degrees: a pair of the trunk points to a side within it, or says
 * nothing; and the sine between up and forward below which there is no left. */
#define SIDES_CLEAR 0.5
#define SIDES_TOLD  0.5
/* [chosen] Metres. A segment that is nearer to the other side's joint by this is the other side's
 * segment. */
#define CORRECTION_CROSSED 0.03
/* [chosen] What a metre of distance costs against a metre of deviation: of segments that stand
 * still, the nearest. */
#define CORRECTION_DISTANCE_COST 0.02
/* [chosen] Metres, rms. What moves less in the lab stands still, more than noise does; what moves
 * more is of something that goes about. */
#define CORRECTION_STILL 0.002
#define CORRECTION_GOES  0.020
/* [chosen] Share of the frames: a marker that is seen in fewer has no time to move. */
#define CORRECTION_SHORT 0.05

/* ---- segment_distance.c ------------------------------------------------------------------- */

/* [derived] Frames that a deviation is taken from, at most: its own error is then 1 / sqrt(2 * 400)
 * = 4 %. */
#define DISTANCE_FRAMES 400
/* [derived] Markers up to which all of these are looked at; of more, as many fewer as there are
 * more markers, so that the cost of all pairs grows with the markers. 1000 markers have 80 frames.
 */
#define DISTANCE_MARKERS 200
/* [chosen] Runs or frames that must show two markers, to say anything about their distance. */
#define DISTANCE_COMMON 6
/* [chosen] Share of the values that may be left out as swaps and wild samples, and how far from the
 * median these are, in units of the distance between median and outer deciles. */
#define DISTANCE_WILD_SHARE 0.02
#define DISTANCE_WILD       5.0
/* [derived] Frames, spread over the trial: as many as a calibration looks at. */
#define DEVIATION_FRAMES 3000

/* ---- segment_find.c ----------------------------------------------------------------------- */

/* [chosen] Frames that labels are compared with. */
#define SEGMENT_FRAMES 1000
/* [chosen] Runs of frames that grouping looks at; fewer where very many markers make many pairs. */
#define SEGMENT_RUNS      250
#define SEGMENT_RUNS_MIN  20
#define SEGMENT_DISTANCES 2e7
/* ---- segment_group.c ---------------------------------------------------------------------- */

/* [derived] Frames that the residual is taken from, and those that shape the body: the shape's own
 * error adds 1 / 200 to the variance, far less than its error over the frames. */
#define GROUP_FRAMES       1000
#define GROUP_SHAPE_FRAMES 200
/* [chosen] Frames that must be left for an answer. */
#define GROUP_FRAMES_MIN 6
/* [derived] Share of the frames that may be left out as wild, and how many times the median they
 * leave over. Noise alone reaches 16 times in less than one of a thousand. */
#define GROUP_WILD_SHARE 0.02
#define GROUP_WILD       16.0
/* [derived] Newton steps; five are enough but for markers in a line, where each step halves the
 * error. */
#define GROUP_NEWTON_MAX 50

/* ---- segment_many.c ----------------------------------------------------------------------- */

/* [chosen] Markers that are grouped at once: ten on each of 25 segments. */
#define MANY_MARKERS 250
/* [chosen] Frames that markers are chosen by, and frames that the others' strays are taken from. */
#define MANY_LOOKS  60
#define MANY_FRAMES 250
/* [chosen] A marker that is seen less than this share of what the most seen one is, is not chosen.
 */
#define MANY_SEEN 0.5

/* ---- segment_names.c ---------------------------------------------------------------------- */

/* [chosen] Share of the markers that names must explain. */
#define NAMES_SHARE 0.6
/* [chosen] "M001" .. "M092" and a few "*93": where one stem has nearly all markers, and more than a
 * segment carries, the numbers count markers. */
#define NAMES_SEGMENT_MAX 12

/* ---- segment_rigidity.c ------------------------------------------------------------------- */

/* [chosen] Metres. No camera is better; below it are the last digits of the file. */
#define RIGIDITY_FINEST 2e-5
/* [measured] Slow over fast variance up to which a segment is rigid to the noise: what shows of
 * real skin is above 3, simulated noise leaves less than 0.1. */
#define RIGIDITY_WHITE 0.3
/* [derived] Standard errors of the noise that a union may have. */
#define RIGIDITY_SIGMAS 4.0
/* [chosen] The neighbour that stands for the next segments, and how many times its motion a pose is
 * worth. */
#define RIGIDITY_NEIGHBOUR 3
#define RIGIDITY_POSE      3.0
/* [measured] In units of the median distance of two markers: how much skin moves, and the reach of
 * a segment. Full sizes of people give 7 mm and 1 m. */
#define RIGIDITY_SKIN  0.011
#define RIGIDITY_REACH 1.5
/* [chosen] Share of the markers on segments of three and more that must stay there when a pose is
 * worth less, and how often its worth is halved to see. */
#define RIGIDITY_PLACED 0.98
#define RIGIDITY_STEPS  6

/* ---- segment_search.c --------------------------------------------------------------------- */

/* [derived] A change must gain this much, nepers a frame: below it is round-off. */
#define SEARCH_GAIN 1e-9
/* [chosen] How much smaller the variance of a rigid body may be than that of its distances
 * suggests. */
#define SEARCH_OPTIMISM 0.25
/* [chosen] Groups up to this size are dissolved on trial. */
#define SEARCH_SMALL 4
/* [chosen] Share of the frames that must show a single marker with the body that it is put on. */
#define SEARCH_SEEN 0.2
/* [measured] Samples that bodies may be fitted to, some seconds' worth. A person with a hundred
 * markers needs a hundredth; hundreds of markers that stand still would need hours. */
#define SEARCH_SAMPLES 6e7

/* ---- segment_spectral.c ------------------------------------------------------------------- */

/* [measured] The scale s in units of the usual noise. Larger ones glue segments that move little:
 * at 5 the 23 segments of a dance become 13. */
#define SPECTRAL_SCALE  1.0
#define SPECTRAL_ROUNDS 100

/* ---- label_swaps.c ---------------------------------------------------------------------- */

/* [derived] Markers of a segment below which nobody can tell which of them is wrong. */
#define SWAP_MARKERS_MIN 3
/* [chosen] Markers on either side in the segment's list by which one is judged: sixteen opinions
 * are enough for a majority, and cost grows with the markers. */
#define SWAP_NEIGHBOURS 8
/* [chosen] Frames that usual distances are taken from, at most and at least. */
#define SWAP_FRAMES     400
#define SWAP_FRAMES_MIN 20
/* [chosen] A distance is wrong when it is off by so many of its robust standard deviations, and by
 * so many metres: skin moves markers by a few centimetres at most (Leardini et al. 2005). */
#define SWAP_TIMES 8.0
#define SWAP_LEAST 0.040

/* ---- label_jumps.c ---------------------------------------------------------------------- */

/* [derived] Metres: a hand that changes its speed by 2 m/s in a hundredth of a second is this far
 * from where it was expected; and [chosen] so many times what is usual of the marker. */
#define JUMP_LEAST 0.020
#define JUMP_TIMES 5.0
/* [chosen] Both must stand this many times nearer to where the other was expected than to their own
 * place. */
#define JUMP_FIT 0.3
/* [chosen] Frames a marker may be hidden and still be expected to go on as it went. */
#define JUMP_HIDDEN_MAX 5
/* [chosen] Frames of the running mean of what is usual. */
#define JUMP_USUAL_FRAMES 50
/* [chosen] Frames beside an exchange that distances are compared in, at least, and how many of all
 * of them; the deviations must fall to this share. */
#define JUMP_REACH  100
#define JUMP_FRAMES 400
#define JUMP_BETTER 0.8

#endif
