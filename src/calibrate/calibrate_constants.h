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

/* ---- actor_joints.c -------------------------------------------------------------------- */

/* [chosen] Moments of three frames. */
#define JOINTS_MOMENTS 200
/* [chosen] Radians that a segment turned in the lab before "it does not move against its parent"
 * means something: 30 degrees. */
#define JOINTS_WENT_ABOUT 0.52
/* [chosen] Radians. A joint that turned less from its first pose, 10 degrees, stood: sway, breath
 * and noise are all that was seen. */
#define JOINTS_STOOD 0.175
/* [derived] Markers of a segment that tell a rotation by themselves. */
#define JOINTS_MARKERS 3
/* [chosen] A fit whose rotation is this badly determined (relative gap of eigenvalues) tells a
 * place only.
 */
#define JOINTS_SEPARATION_MIN 1e-2

/* ---- anatomy.c ------------------------------------------------------------------------- */

/* [chosen] What the other hip says about the inner side of a knee, against an arc in radians. */
#define ANATOMY_ACROSS_SHARE 0.1
/* [chosen] Cosine. A leg's axis nearer than this to the line between the hips, on average, has its
 * sign from there: no hip turns by more than 60 degrees for long. */
#define ANATOMY_ACROSS_SURE 0.5

/* ---- ball_link.c ----------------------------------------------------------------------- */

/* [chosen] Metres. How far skin and a spine that bends in many joints change the length of a bone
 * which stands for it, and how many frames with independent errors a trial is worth: as few as in
 * REFINE_WORTH, which is per marker. */
#define LINK_NOISE 0.005
#define LINK_WORTH 4
/* [derived] The outlier scale in such noises, as the tracker has it. */
#define LINK_OUTLIER 6
/* [chosen] Gauss-Newton steps: distances are nearly linear in their ends. */
#define LINK_ROUNDS 10

/* ---- body_names.c ---------------------------------------------------------------------- */

/* [chosen] Segments of one chain, at most; longer ones are named as branches from there. */
enum {
    NAMES_CHAIN = 12
};
/* [chosen] Frames in which sides are looked for. */
#define NAMES_FRAMES 200
/* [chosen] The forward cues must agree: their sum against the sum of their magnitudes.
 */
#define NAMES_AGREEMENT 0.3
/* [chosen] A first segment of a leg that is shorter than this part of the second is no
 * thigh. */
#define NAMES_HIP 0.5
/* [chosen] An upper arm is one of so many first segments of an arm. */
#define NAMES_COLLARS 4
/* [chosen] A forearm that is shorter than this part of the upper arm is divided, for its
 * twist. */
#define NAMES_DIVIDED 0.6

/* ---- body_plan.c ----------------------------------------------------------------------- */

/* [chosen] Frames that are looked at, and ends of the tree that are tried: above, the shortest
 * twigs, which are fingers, are left out. */
#define PLAN_FRAMES 100
enum {
    PLAN_ENDS = 16
};
/* [chosen] Costs are squares of standard deviations. A person costs less than this. */
#define PLAN_COST_MAX 20.0
/* [chosen] A body without head, and one without arms and head; both must be excelled by those with.
 */
#define PLAN_NO_HEAD 8.0
#define PLAN_NO_ARMS 19.0
/* [chosen] A trunk of one segment. */
#define PLAN_NO_CHEST 8.0

/* ---- calibrate.c ----------------------------------------------------------------------- */

/* [derived] Four places of a point make a sphere. */
#define ACTOR_FRAMES_MIN 4
/* [chosen] A static trial that is shorter counts as so many frames: three moments of
 * actor_joints.c. */
#define ACTOR_FRAMES_STILL 9
/* [measured] Correlation of residuals from frame to frame above which they are skin: of white noise
 * it is 0 within 0.1, of 3 mm of skin under 0.5 mm of noise 0.97 (virtual markers). */
#define ACTOR_CORRELATION 0.5
/* [chosen] Joints whose residual is more than this many times what white noise explains. */
#define ACTOR_CHI 1.5
/* [chosen] Metres: a centre that its pair of segments leaves open by more, across its least known
 * direction. */
#define ACTOR_OPEN 0.002
/* [chosen] Metres: directions in which a pair of segments tells its centre better keep what the
 * pair says of it, as different stretches of the trial do. */
#define ACTOR_TOLD 0.01
/* [chosen] Radians, 15 degrees as in verdicts: joints that turned less hardly moved. */
#define ACTOR_CALM 0.26
/* [published] Metres, rms. Skin slides by 10 to 30 mm on thighs, less elsewhere (Leardini, Chiari,
 * Della Croce & Cappozzo 2005). */
#define ACTOR_SLIP_MAX 0.03

/* ---- capture_bodies.c ------------------------------------------------------------------ */

/* [chosen] Metres, rms. A marker that moves less in the whole trial stands still: more than the
 * noise of any camera, less than the sway of a person who stands. */
#define BODIES_STILL 0.002

/* ---- marker_slip.c, slip_undo.c --------------------------------------------------------- */

/* [chosen] Seconds. A slip takes no longer than twice the pause; the windows beside it are as long
 * as it takes to average noise and as short as a joint turns little in; at least so many frames. */
#define SLIP_PAUSE      0.04
#define SLIP_WINDOW     0.1
#define SLIP_WINDOW_MIN 4
/* [chosen] A place lasts at least so many windows: half a second. */
#define SLIP_LASTS 6
/* [chosen] Metres. The rms of the steps of a marker's distances, and the slip itself: skin moves
 * markers by as much in an instant, and less does no harm. Beyond SLIP_MOST another marker has the
 * label. */
#define SLIP_LEAST_DISTANCES 0.004
#define SLIP_LEAST           0.008
#define SLIP_MOST            0.3
/* [chosen] Times that the marker's distances change more than those among the others, within so
 * many windows to either side, of which so many samples are looked at. */
#define SLIP_ALONE        3.0
#define SLIP_NEAR         8
#define SLIP_NEAR_SAMPLES 30
/* [chosen] Part of the largest change that a second distance must show. */
#define SLIP_SECOND 0.3
/* [chosen] Part of the step that is there at once, and the room between the places that is free
 * of all but this share of the samples of either. */
#define SLIP_SUDDEN 0.7
#define SLIP_TAIL   0.01
#define SLIP_APART  0.3
/* [measured] The same where the marker was hidden for longer than a window meanwhile: the pose may
 * be another one, and skin with it (a forearm that is hidden while its owner lands from a jump,
 * opencap_DJ5_unfiltered.trc: 0.6). */
#define SLIP_APART_HIDDEN 0.7
/* [chosen] The same with one distance left out, for which there are many choices. */
#define SLIP_APART_WITHOUT 0.8
/* [chosen] How often a segment is looked at while slips are found. */
#define SLIP_ROUNDS 3
/* [chosen] Samples of a place that an order statistic looks at, and the fewest; frames that shape
 * the segment. */
#define SLIP_SAMPLES     120
#define SLIP_SAMPLES_MIN 10
#define SLIP_FRAMES      600

/* ---- joint_candidate.c ----------------------------------------------------------------- */

/* [chosen] Frames that a pair is judged from, and Newton steps. */
#define CANDIDATE_FRAMES 150
#define CANDIDATE_ROUNDS 6
/* [chosen] Slips and turns below these do not tell segments apart: metres and radians. */
#define CANDIDATE_SLIP 1e-4
#define CANDIDATE_TURN 0.01
/* [chosen] Nats for a joint whose centre is one more usual distance away from the markers of its
 * segments, and for segments that are one more apart. */
#define CANDIDATE_REACH 1.0
#define CANDIDATE_APART 0.5
/* [chosen] Nats for neighbours that the lab explains as well, and over how many nats this sets in.
 */
#define CANDIDATE_STILL      5.0
#define CANDIDATE_STILL_SOFT 0.5
/* [chosen] Metres. No body is smaller: keeps noise-free copies of one segment from dividing by
 * nothing. */
#define CANDIDATE_SCALE_MIN 1e-3
/* [derived] Chi that noise can cause in CANDIDATE_FRAMES frames. */
#define CANDIDATE_CHI 1.2
/* [measured] Nats for e times as much of it: where residuals are smooth, and where they are white.
 * In theory the latter is the number of frames; but segments are not that rigid. Of 480 joints of
 * 30 captures with 10 % gaps, 4 are beyond 20 mm with 12 nats, 2 with 60. */
#define CANDIDATE_CHI_SOFT  1.0
#define CANDIDATE_CHI_WHITE 60.0
/* [chosen] Residuals are called smooth when they are correlated by the inverse of this. */
#define CANDIDATE_SMOOTH 2.0
/* [chosen] Nats by which a joint must explain more than the lab does, to be believed anywhere. */
#define FOREIGN_GAIN 3.0
/* [measured] Distance of a joint from the markers of its two segments, in usual distances of
 * neighbours: of one that explains nothing of either segment, and of one that does not explain both
 * (the centre of a hinge may be found anywhere along its axis). Joints of bodies are within 3. */
#define FOREIGN_REACH 3.5
#define FOREIGN_FAR   6.0
/* [derived] Segments that make a body of their own. */
#define FOREIGN_BODY 4

/* ---- joint_estimate.c ------------------------------------------------------------------ */

/* [measured] Nats. Of joints that are preferred to the next best by less, one in seven is wrong; of
 * the others one in eight hundred (synthetic captures, docs/see.md). */
#define ESTIMATE_MARGIN 2.0
/* [chosen] Radians, rms. A second axis that turns more is seen: 4 degrees. */
#define ESTIMATE_ACROSS 0.07
/* [chosen] Share of the second axis under which a joint of segments with two markers counts as a
 * hinge: noise about the line of two markers turns such a segment as much. */
#define ESTIMATE_ACROSS_TWO 0.35
/* [measured] Metres. A segment with one marker shows a sphere about its joint at best, and a
 * pendulum of one joint looks like that of another: never surer than this (measured on virtual
 * markers, docs/see.md). */
#define ESTIMATE_ONE_MARKER 0.030
/* [measured] Metres. Two markers at the end of a chain, and two on the segment that carries it: the
 * joint has a second place, mirrored, that fits nearly as well (two markers a segment on three CMU
 * motions: of 66 joints one such, toes, 29 mm off beside 1.3 stated). */
#define ESTIMATE_THIN_END 0.015
/* [measured] Skin that slides in step with the joint carries the centre along, and no frame shows
 * by how much: the centre is off by a few times what the markers show among themselves (virtual
 * markers that slide by 10 mm with the angle: 12 mm of error beside 2 mm that show). */
#define ESTIMATE_SKIN 6.0
/* [derived] Metres of a centre for a metre that a coordinate slides in a radian. Where markers
 * slide as much together as against each other, a segment's place slides by 1.7 times that and, 150
 * mm from its markers, its turn moves a centre by as much again (simulated: 2.0 in all). */
#define ESTIMATE_SLIDE 2.0
/* [chosen] Metres: what a joint that hardly turned can be astray by, a segment's breadth. */
#define ESTIMATE_SLIDE_MAX 0.06
/* [chosen] Two markers and a centre make a frame: the centre's own error turns it. */
#define ESTIMATE_TWO_MARKERS 2.0

/* ---- joint_marker.c -------------------------------------------------------------------- */

/* [chosen] Share of the reach that is left to the motion where one of the segments has fewer than
 * three markers. */
#define JOINT_MARKER_POOR 0.3
/* [chosen] Metres. A joint's centre that a model computed is where it says. */
#define JOINT_MARKER_MODEL_REACH 0.005
/* [derived] Two markers of its own and one on the joint make a frame (Knight 2.2, requirement 2,
 * with a marker for the centre). The shoulder's is too far from the joint for that. */
#define JOINT_MARKER_SHARED_REACH 0.08

/* ---- joint_tree.c ---------------------------------------------------------------------- */

/* [chosen] Frames that an underdetermined segment is judged from. */
#define TREE_FRAMES 150
/* [chosen] Newton steps for a joint that was chosen. */
#define TREE_ROUNDS 25
/* [chosen] Metres. Beyond this they do not belong to one body. */
#define TREE_RESIDUAL_MAX 0.25

/* ---- joint_type.c ---------------------------------------------------------------------- */

/* [chosen] Moments, complete, that a type is judged by. */
#define TYPE_MOMENTS 12
/* [derived] Off-axis variance may be this many times that of the noise: with a hundred moments
 * either is known to a tenth or so. */
#define TYPE_EXCESS 1.4
/* [chosen] Radians. Calibration errors of a hundredth of a degree are no motion: 0.05 degrees. */
#define TYPE_FLOOR 9e-4
/* [chosen] Radians, rms. A hinge turned this much about its axis: 3.5 degrees, about 12 from end to
 * end. */
#define TYPE_HINGE_TURN 0.06
/* [chosen] Radians, rms. A universal joint about either of its axes: 7 and 3.5 degrees. */
#define TYPE_UNIVERSAL_TURN   0.12
#define TYPE_UNIVERSAL_SECOND 0.06
/* [chosen] The main turn in units of the noise across it: off-axis motion that the noise may hide
 * is then below a twentieth of the main one. */
#define TYPE_CLEAR 10.0
/* [chosen] sin of the angle between the axes of a universal joint: 30 degrees. */
#define TYPE_AXES_APART 0.5
/* [chosen] Radians, one standard deviation: 1.5 degrees. */
#define TYPE_AXES_ERROR 0.026
/* [chosen] Steps of the universal fit; it starts within the plane of the true axes. */
#define TYPE_FIT_STEPS 12

/* ---- joint_turns.c --------------------------------------------------------------------- */

/* [chosen] A second axis that turned less than this part of the first makes a hinge, for anatomy.
 */
#define TURNS_SECOND 0.5
/* [chosen] Radians, rms. Turns below are noise and show nothing of a centre. */
#define TURNS_LEAST 0.02
/* [chosen] Metres. No centre is open by more: the breadth of a thigh. */
#define TURNS_OPEN_MAX 0.15

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
/* [chosen] Metres, along and across the bone that the end of a chain continues. */
#define PLACEMENT_END        0.04
#define PLACEMENT_END_ACROSS 0.04

/* ---- refine.c -------------------------------------------------------------------------- */

/* [chosen] Frames of a round, spread over the trial. */
#define REFINE_FRAMES 100
/* [chosen] Where errors are white every frame more helps. */
#define REFINE_FRAMES_WHITE 400
/* [measured] Metres. Noise up to which that many are enough, how many times as many a noisier trial
 * is given at most, and in how many rounds. Virtual markers with 3 mm of noise and 25 % gaps on
 * three CMU motions, joints within 5 mm: 57 of 66 with 400 frames, 62 so (three placements: 124 and
 * 181 of 198, pairs astray included). */
#define REFINE_NOISE_WHITE 0.001
#define REFINE_FRAMES_MORE 9
#define REFINE_ROUNDS_LAST 4
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
#define REFINE_STANDS         0.06
#define REFINE_WORTH_STANDING 0.1
/* [chosen] Metres. Standard deviation of the step that a round takes where nothing tells. */
#define REFINE_STEP 0.03
/* [chosen] Metres. What is held for a judgement. */
#define REFINE_HELD 1e-5
/* [measured] Metres. Standard deviation of the centres and offsets that the calibration began with,
 * where anatomy has nothing better: left to the markers alone, a joint that hardly turns goes where
 * the skin drags it (median of the dance with six markers on each segment: 16 mm; so 2.5 to 5). */
#define REFINE_ANCHOR 0.01
/* [chosen] The same where errors are white: the motion of the whole body knows more than a pair of
 * segments. */
#define REFINE_ANCHOR_WHITE 0.03
/* [chosen] The same where names tell the bones: their markers' placement stands for it. */
#define REFINE_ANCHOR_PERSON 0.1
/* [measured] Rounds, and the same deviation, where no segment has three markers: the calibration
 * begins with a root whose rotation is borrowed, and every joint beyond it is as rough (two markers
 * on every segment of three CMU motions). */
#define REFINE_ROUNDS_THIN 40
#define REFINE_ANCHOR_THIN 0.3
/* [chosen] Square metres. The tracker's own damping of joints. */
#define REFINE_DAMPING 1e-6
/* [derived] Radians of arc, noise taken off, for a metre of noise above which a hinge tells its
 * axis: markers 60 mm from a segment's middle turn it by 10 in a frame, a tenth of that in a
 * hundred.
 */
#define REFINE_ARC 10.0
/* [chosen] Metres. The proximal term's deviation for judgements, where it must not count. */
#define REFINE_STEP_JUDGED 0.3
/* [chosen] Frames whose poses' noise stands for that of all. */
#define REFINE_TYPICAL 8
/* [derived] The outlier scale of the last rounds, as the tracker has it. */
#define REFINE_SCALE_LAST 6

/* ---- refine_signal.c ------------------------------------------------------------------- */

/* [chosen] What noise turns joints by, with a tenth in reserve: spreads are of a hundred frames;
 * and for judgements, where errors of poses count double (measured: within two deviations were 79 %
 * of the joints of people who hardly moved without that). */
#define SIGNAL_RESERVE        1.1
#define SIGNAL_RESERVE_JUDGED 2.0

/* ---- skin_slide.c ---------------------------------------------------------------------- */

/* [chosen] Frames that a regression looks at, and the fewest it can do with. */
#define SLIDE_FRAMES     600
#define SLIDE_FRAMES_MIN 20
/* [derived] A squared slope of noise alone is its variance on average; of the ten or so of a
 * segment the mean is beyond twice that in 1 of 50. */
#define SLIDE_NOISE 2.0
/* [chosen] Axes about which the joint turned less, against its first, tell nothing: what else moves
 * skin would stand for an angle there. */
#define SLIDE_AXIS 0.3
/* [chosen] In noises of the segment, whole distance. */
#define SLIDE_WILD 10.0

/* ---- underdetermined.c ----------------------------------------------------------------- */

/* [chosen] What a metre of radius costs against a metre of residual: of two segments that explain a
 * marker equally well, the nearer one. */
#define UNDERDETERMINED_LENGTH_COST 0.02
/* [chosen] Metres. One deviation of a centre that no sphere tells: half the breadth of a segment.
 */
#define UNDERDETERMINED_UNKNOWN 0.04
/* [chosen] Metres. No segment is longer. */
#define UNDERDETERMINED_RADIUS_MAX 0.9
/* [derived] Metres from a single marker to the nearest one of the segment it hangs from. No bone of
 * a person is 0.65 m long: a marker beyond it is on a chair or a table. */
#define UNDERDETERMINED_APART 0.65

#endif
