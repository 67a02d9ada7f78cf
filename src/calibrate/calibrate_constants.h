/* The constants of this module in one table. How segments become a tree, which neighbours are
 * believed, what kind a joint is, how the whole body is fitted. Anatomy has tables of its own, with
 * their sources: anatomy_rules.c, gait_prior.c. Internal.
 *
 * [derived] follows from a formula, from what floating point holds or from another constant;
 * [published] has its source beside it; [measured] was tuned on the data that are named there;
 * [chosen] is a round number by judgement: how much results depend on it was not measured. What
 * comes out of all of them together is measured in docs/see-figures.md and docs/centers.md. */
#ifndef SNW_CALIBRATE_CALIBRATE_CONSTANTS_H
#define SNW_CALIBRATE_CALIBRATE_CONSTANTS_H

#include "center/center.h"
#include "math/robust.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- all files ------------------------------------------------------------------------- */

/* [chosen] Frames, spread over the trial, that a pair of segments, a body's plan and its sides are
 * judged from: what they say is common to all of them. */
#define JUDGED_FRAMES SNW__SAMPLES_JUDGE
/* [derived] Radians, rms. A joint turned about an axis: 3.5 degrees, about 12 from end to end; a
 * second axis that turns as much is seen, and legs that turn less stand. */
#define TURN_SEEN (2 * SNW__TURN_LEAST)

/* [chosen] A second axis that turned less than this part of the first is noise, or skin. */
#define SECOND_AXIS SNW__MINOR
/* [chosen] A bone that is shorter than this part of its neighbour is none of its own: no thigh,
 * half a forearm. */
#define NAMES_SHORT 0.6
/* [chosen] Metres. Half the breadth of a segment. */
#define PLACEMENT_HALF 0.04
/* How well a landmark tells a joint, metres, one standard deviation in each direction, beside what
 * is published (person/regressions.h).
 * [measured] A centre that a model computed, and regressions of legs that walk: the motion of skin
 * pulls functional centres by 20 mm and more, always the same way, so that many frames do not help
 * and anatomy must be the firmer of the two (four walks whose files carry centres,
 * docs/see-figures.md); hinges, whose axis helps. */
#define PLACE_FIRM  0.005
#define PLACE_HINGE 0.003
/* [derived] Half a breadth over the bones: 5 % of 50 mm, a height guessed to 4 %, and 4 mm of skin
 * and marker. */
#define PLACE_BREADTH 0.006

/* ---- actor_joints.c -------------------------------------------------------------------- */

/* Room for moments of three frames. */
enum {
    JOINTS_MOMENTS = 200
};
/* [derived] Radians that a segment turned in the lab before "it does not move against its parent"
 * means something: 30 degrees. */
#define JOINTS_WENT_ABOUT (2 * SNW__HARDLY_TURNED)
/* [chosen] Radians. A joint that turned less from its first pose, 10 degrees, stood: sway, breath
 * and noise are all that was seen. With 15 the joints of a short trial are held
 * (opensim_blanks.trc).
 */
#define JOINTS_STOOD 0.175
/* Frames of a moment: one, and its neighbours in time. */
enum {
    JOINTS_MOMENT_FRAMES = 3
};

/* ---- anatomy.c ------------------------------------------------------------------------- */

/* [chosen] What the other hip says about the inner side of a knee, against an arc in radians. */
#define ANATOMY_ACROSS_SHARE SNW__FEW

/* ---- ball_link.c ----------------------------------------------------------------------- */

/* [chosen] Metres. How far skin and a spine that bends in many joints change the length of a bone
 * which stands for it, and how many frames with independent errors a trial is worth: as few as in
 * REFINE_WORTH, of two segments. */
#define LINK_WORTH (2 * REFINE_WORTH)
/* [chosen] Gauss-Newton steps: distances are nearly linear in their ends. */
#define LINK_ROUNDS 10

/* ---- body_names.c ---------------------------------------------------------------------- */

/* [chosen] Segments of one chain, at most; longer ones are named as branches from there. */
enum {
    NAMES_CHAIN = 12
};
/* [chosen] The forward cues must agree: their sum against the sum of their magnitudes.
 */
#define NAMES_AGREEMENT SNW__MINOR

/* ---- body_plan.c ----------------------------------------------------------------------- */

enum {
    PLAN_ENDS = 16
};
/* [chosen] Costs are squares of standard deviations. A person costs less than this. */
#define PLAN_COST_MAX 20.0
/* [chosen] A body without head, and one without arms and head; both must be excelled by those with.
 */
#define PLAN_MISSING SNW__EVIDENCE_DECISIVE
#define PLAN_NO_ARMS (PLAN_COST_MAX - SNW__NAT)

/* ---- calibrate.c ----------------------------------------------------------------------- */

/* [derived] A static trial that is shorter counts as so many frames: three moments. */
#define ACTOR_FRAMES_STILL (3 * JOINTS_MOMENT_FRAMES)
/* [measured] Correlation of residuals from frame to frame above which they are skin: of white noise
 * it is 0 within 0.1, of 3 mm of skin under 0.5 mm of noise 0.97 (virtual markers). */
#define ACTOR_CORRELATION SNW__HALF
/* [chosen] Metres: a centre that its pair of segments leaves open by more, across its least known
 * direction. */
#define ACTOR_OPEN SNW__STILL

/* ---- marker_slip.c, slip_undo.c --------------------------------------------------------- */

/* [chosen] Seconds. A slip takes no longer than twice the pause; the windows beside it are as long
 * as it takes to average noise and as short as a joint turns little in. */
#define SLIP_PAUSE 0.04
/* [derived] A place lasts at least so many windows, half a second: its median needs as many; and as
 * many to either side tell how much the others change. With 5 a landing from a jump takes a marker
 * for slipped (opencap_DJ5_unfiltered.trc). */
#define SLIP_LASTS SNW__SAMPLES_MEDIAN
/* [chosen] Metres. The rms of the steps of a marker's distances, and the slip itself: skin moves
 * markers by as much in an instant, and less does no harm. Beyond SNW__ELSEWHERE another marker has
 * the label. */
#define SLIP_LEAST_DISTANCES (2 * SNW__STILL)
/* [chosen] Part of the largest change that a second distance must show. */
#define SLIP_SECOND SNW__MINOR
/* [chosen] Part of the step that is there at once, and the room between the places that is free
 * of all but this share of the samples of either. */
#define SLIP_APART SNW__MINOR
/* [measured] The same where the marker was hidden for longer than a window meanwhile: the pose may
 * be another one, and skin with it (a forearm that is hidden while its owner lands from a jump,
 * opencap_DJ5_unfiltered.trc: 0.6). */
#define SLIP_APART_HIDDEN (1 - SNW__MINOR)
/* Room for the samples of a place that an order statistic looks at. */
enum {
    SLIP_SAMPLES = 120
};

/* ---- joint_candidate.c ----------------------------------------------------------------- */

/* [chosen] Frames that a pair is judged from, and Newton steps. */
#define CANDIDATE_ROUNDS SNW__ROUNDS_NEAR
/* [chosen] Metres. No body is smaller: keeps noise-free copies of one segment from dividing by
 * nothing. */
#define CANDIDATE_SCALE_MIN SNW__NOISE_POOR
/* [derived] Chi that noise can cause in JUDGED_FRAMES frames. */
#define CANDIDATE_CHI (1 + SNW__UNUSUAL / sqrt(2.0 * JUDGED_FRAMES))
/* [measured] Nats for e times as much of it: where residuals are smooth, and where they are white.
 * In theory the latter is the number of frames; but segments are not that rigid. Of 480 joints of
 * 30 captures with 10 % gaps, 4 are beyond 20 mm with 12 nats, 2 with 60. */
#define CANDIDATE_CHI_WHITE SNW__SAMPLES_LOOK
/* [chosen] Residuals are called smooth when they are correlated by the inverse of this. */
#define CANDIDATE_SMOOTH (1 / ACTOR_CORRELATION)
/* [chosen] Nats by which a joint must explain more than the lab does, to be believed anywhere. */
#define FOREIGN_GAIN 3.0
/* [measured] Distance of a joint from the markers of its two segments, in usual distances of
 * neighbours: of one that explains nothing of either segment, and of one that does not explain both
 * (the centre of a hinge may be found anywhere along its axis). Joints of bodies are within 3. */
#define FOREIGN_REACH 3.5
#define FOREIGN_FAR   SNW__OUTLIER
/* Segments that make a body of their own: a trunk with three more; room for them. */
enum {
    FOREIGN_BODY = 4
};

/* ---- joint_estimate.c ------------------------------------------------------------------ */

/* [measured] Nats. Of joints that are preferred to the next best by less, one in seven is wrong; of
 * the others one in eight hundred (synthetic captures, docs/see.md). */
#define ESTIMATE_MARGIN 2.0
/* [measured] Metres. Two markers at the end of a chain, and two on the segment that carries it: the
 * joint has a second place, mirrored, that fits nearly as well (two markers a segment on three CMU
 * motions: of 66 joints one such, toes, 29 mm off beside 1.3 stated). */
#define ESTIMATE_THIN_END 0.015
/* [measured] The turn of a bone with one marker follows its parent's, and the marker sits beside
 * the bone: the joint at its end is off by a fifth (knees, ankles) to two fifths (elbows) of its
 * length (eight motions, one marker on each limb's segments). */
#define ESTIMATE_TURN (1 / 3.0)
/* [measured] Skin that slides in step with the joint carries the centre along, and no frame shows
 * by how much: the centre is off by a few times what the markers show among themselves (virtual
 * markers that slide by 10 mm with the angle: 12 mm of error beside 2 mm that show). */
#define ESTIMATE_SKIN 6.0
/* [derived] Metres of a centre for a metre that a coordinate slides in a radian. Where markers
 * slide as much together as against each other, a segment's place slides by 1.7 times that and, 150
 * mm from its markers, its turn moves a centre by as much again (simulated: 2.0 in all). */
#define ESTIMATE_SLIDE SNW__RESERVE
/* [chosen] Two markers and a centre make a frame: the centre's own error turns it. */
#define ESTIMATE_TWO_MARKERS SNW__RESERVE

/* ---- joint_marker.c -------------------------------------------------------------------- */

/* [chosen] Share of the reach that is left to the motion where one of the segments has fewer than
 * three markers. */
#define JOINT_MARKER_POOR SNW__MINOR
/* [derived] Two markers of its own and one on the joint make a frame (Knight 2.2, requirement 2,
 * with a marker for the centre), within a segment's breadth: the shoulder's is too far for that. */
#define JOINT_MARKER_SHARED_REACH (2 * PLACEMENT_HALF)

/* ---- joint_tree.c ---------------------------------------------------------------------- */

/* [chosen] Newton steps for a joint that was chosen: pairs that hardly turn never settle. */
#define TREE_ROUNDS 25
/* [chosen] Metres. Beyond this they do not belong to one body. */
#define TREE_RESIDUAL_MAX 0.25

/* ---- joint_type.c ---------------------------------------------------------------------- */

/* [chosen] Radians. Calibration errors of a hundredth of a degree are no motion: 0.05 degrees. */
#define TYPE_FLOOR 9e-4
/* [chosen] The main turn in units of the noise across it: off-axis motion that the noise may hide
 * is then below a twentieth of the main one. */
#define TYPE_CLEAR (1 / SNW__FEW)

/* ---- joint_turns.c --------------------------------------------------------------------- */

/* [chosen] A second axis that turned less than this part of the first makes a hinge, for anatomy.
 */
#define TURNS_SECOND SNW__HALF
/* [chosen] Radians, rms. Turns below are noise and show nothing of a centre. */
#define TURNS_LEAST 0.02
/* [chosen] Radians, rms. A hinge that went through a shorter arc does not tell its axis, for the
 * proportions of bones. */
#define PROPORTION_ARC 0.1

/* ---- placement.c ----------------------------------------------------------------------- */

/* [chosen] Metres. How far from a bone's axis markers sit on average, and how far the mean of
 * markers all around may still be from it; of the trunk, whose spine is behind its middle. */
#define PLACEMENT_RADIUS   0.06
#define PLACEMENT_CENTRED  0.015
#define PLACEMENT_OF_TRUNK 0.05
/* [chosen] Parts of the bone's length: where along it one marker sits, and what all of a segment
 * have in common (plates, markers kept off a joint); how far a segment of two bones may be bent. */
#define PLACEMENT_ALONG     0.25
#define PLACEMENT_ALONG_ALL 0.08
#define PLACEMENT_BEND      0.03

/* ---- refine.c -------------------------------------------------------------------------- */

/* Room for the frames of a round, spread over the trial. */
enum {
    REFINE_FRAMES = 100
};
/* [measured] Metres. Noise up to which that many are enough, how many times as many a noisier trial
 * is given at most, and in how many rounds. Virtual markers with 3 mm of noise and 25 % gaps on
 * three CMU motions, joints within 5 mm: 57 of 66 with 400 frames, 62 so (three placements: 124 and
 * 181 of 198, pairs astray included). */
#define REFINE_FRAMES_MORE 9
#define REFINE_ROUNDS_LAST SNW__MEAN_ROUNDS
/* [measured] How many frames with independent errors a trial is worth. Skin slides with the pose,
 * so that the same pose has the same error however often it is seen. On captures of people the
 * thighs of both sides agree best, and two trials of one person, with 1 to 3; simulated skin, whose
 * waves do not follow the pose, would allow 20. */
#define REFINE_WORTH 2
/* [measured] Radians, rms. The joints of a leg that turn less stand; what the markers between them
 * are worth then, against others. Segments of two and three markers give way to skin, so that
 * residuals show a part of it, and over such small turns centres go where it leads (half a second
 * of standing with 2 mm of skin, two placements of 41 markers: knees 31 and 30, so 13 and 27 mm).
 */
#define REFINE_WORTH_STANDING SNW__FEW
/* [chosen] Metres. Standard deviation of the step that a round takes where nothing tells. */
#define REFINE_STEP SNW__PLACE_NEAR
/* [chosen] The same where names tell the bones: their markers' placement stands for it. */
#define REFINE_ANCHOR_PERSON 0.1
/* [measured] Rounds, and the same deviation, where no segment has three markers: the calibration
 * begins with a root whose rotation is borrowed, and every joint beyond it is as rough (two markers
 * on every segment of three CMU motions). */
#define REFINE_ROUNDS_THIN 40
/* [derived] Radians of arc, noise taken off, for a metre of noise above which a hinge tells its
 * axis: markers 60 mm from a segment's middle turn it by 10 in a frame, a tenth of that in a
 * hundred.
 */
#define REFINE_ARC 10.0
/* [chosen] Metres. The proximal term's deviation for judgements, where it must not count. */
#define REFINE_STEP_JUDGED (10 * REFINE_STEP)

/* ---- refine_signal.c ------------------------------------------------------------------- */

/* [measured] What noise turns joints by, for judgements, where errors of poses count double (within
 * two deviations were 79 % of the joints of people who hardly moved without that). */
#define SIGNAL_RESERVE_JUDGED SNW__RESERVE

/* ---- skin_slide.c ---------------------------------------------------------------------- */

/* [derived] A squared slope of noise alone is its variance on average; of the ten or so of a
 * segment the mean is beyond twice that in 1 of 50. */
#define SLIDE_NOISE SNW__RESERVE

/* ---- anatomy_rules.c --------------------------------------------------------------- */

/* [chosen] Radians. The direction of an axis that is seen through skin. */
#define RULE_AXIS_DEVIATION 0.15
/* [chosen] Radians, chosen. A knee's axis against the line between the hips: thighs turn little
 * against the pelvis as long as they keep to one direction, in standing above all. */
#define RULE_STANCE_DEVIATION 0.2
/* [chosen] Chosen. Length of the mean of unit vectors that keep to one direction: within 15 degrees
 * or so.
 */
#define RULE_STANCE_STEADY 0.97

/* [measured] Metres. What the rule for hips of legs without a label at the knee errs by in a
 * direction, for the verdict: against the centres of another regression. */
#define RULE_HIP_OF_CLUSTER_ERROR 0.013

/* ---- gait_prior.c ------------------------------------------------------------------ */

/* [measured] Share of Davis' regression in the hip: leg length decides the hip's height, where the
 * two differ most. Seven trials of five people whose files carry centres, their markers alone: with
 * each person left out the others choose 0.8 to 1.0, which puts the hips of the one left out 11.7
 * mm off on average, 0.8 for all 11.2, none of it 23.5. The files' centres are of Plug-in-Gait,
 * whose rule this is: what is above 0.8 would fit that rather than people. */
#define GAIT_PRIOR_DAVIS 0.8

/* ---- joint_candidate.h ------------------------------------------------------------- */

/* [chosen] Metres (rms). Two segments that tear their joint apart by more are not joined while
 * anything better may turn up: a foot to the pelvis, when the thigh has two markers and comes
 * later. */
#define SNW__JOINT_RESIDUAL_MAX 0.05

/* ---- spine.c ----------------------------------------------------------------------- */

/* Room for frames of a trial that are looked at. */
enum {
    SPINE_FRAMES = 300
};
/* [chosen] The share of frames that count as stretched: those with the longest line. */
#define SPINE_STRETCHED SNW__FEW
/* [published] Skull on neck: 23 mm below the ear's tragus (Reed et al. 1999); a head band goes
 * round at the brow, 40 to 50 mm above it. In body heights of 1.75 m, straight below the middle of
 * the band. */
#define SPINE_BAND_DEVIATION SNW__PLACE_ROUGH

/* ---- under a fuzzer ------------------------------------------------------------------------- */

#ifdef SINEW_FUZZ_SMALL /* every step, each twice at most: many times as many inputs a minute */
enum {
    CALIBRATE_TWICE = 2
};
#undef LINK_ROUNDS
#undef REFINE_ROUNDS_LAST
#undef REFINE_ROUNDS_THIN
#define LINK_ROUNDS        CALIBRATE_TWICE
#define REFINE_ROUNDS_LAST CALIBRATE_TWICE
#define REFINE_ROUNDS_THIN CALIBRATE_TWICE
#endif

#endif
