/* sinew/track.h - one frame of markers in, one pose out; or a whole trial at once.
 *
 *     snw_tracker *tracker = NULL;
 *     snw_name_list names = {labels, label_count};            // the order of samples in a frame
 *     snw_tracker_create(actor, &names, NULL, NULL, &tracker, &error); // takes all memory
 *     while (running)
 *         snw_tracker_step(tracker, &frame, pose); // no allocation, no NaN
 *
 * Offline, with the same code, forwards and backwards:
 *
 *     snw_actor_solve(actor, trial, NULL, NULL, &motion, &error); // every frame's pose
 *
 * Options that are NULL mean `_default()`, an allocator that is NULL means malloc. A tracker
 * belongs to one thread at a time. Positions in metres in the lab's axes.
 */
#ifndef SINEW_TRACK_H
#define SINEW_TRACK_H

#include <sinew/actor.h>
#include <sinew/style.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the tracker --------------------------------------------------------------------------- */

/* How the frames of a trial were tracked. All zero before the first frame. */
typedef struct snw_solve_report {
    int frame_count;
    int lost_count;        /* frames without a pose of their own */
    int64_t seen_count;    /* samples of the actor's markers */
    int64_t outlier_count; /* of these, in frames that are not lost */
    int64_t used_count;    /* in frames that are not lost, without the outliers */
    double residual;       /* rms distance of the used ones, metres */
    double outlier_share;  /* of all seen samples, 0..1 */
    double marker_share;   /* samples seen, of all that could be, 0..1 */
} snw_solve_report;

typedef struct snw_tracker_options {
    int iteration_max;        /* Gauss-Newton steps in a frame; 8 */
    double tolerance;         /* stop when no joint turns by more than this, radians; 1e-5 */
    double outlier_scale;     /* a marker this many times its noise away counts a quarter; 6 */
    bool is_adaptive;         /* markers may vary more in this trial than the calibration saw: the
                                 tracker estimates by how much, and trusts all of them less; true */
    bool is_continuous;       /* frames follow each other: a joint turns no farther than its markers
                                 travel; true. False: frames are far apart */
    const snw_style *style;   /* NULL; how segments that nothing shows are to be expected, given the
                                 others: learned from motions on a rig (sinew/rig.h) with the actor's
                                 names of joints. Must outlive the tracker */
    double rate;              /* frames per second; needed with a style; 0: as the trial says */
    snw_up_axis up;           /* of the frames' world, for the style; UNKNOWN: as the trial says */
    snw_solve_report *report; /* NULL; of a whole trial: receives how it went */
    uint64_t reserved[1];     /* 0; later versions grow here */
} snw_tracker_options;

SNW_API snw_tracker_options snw_tracker_options_default(void);

typedef struct snw_track {
    int marker_count;   /* samples of the actor's markers in this frame */
    int measured_count; /* of these, measured; the others were filled or predicted */
    int outlier_count;  /* of all, given less than a quarter of their weight */
    int used_count;     /* samples behind the residual */
    int iterations;
    double residual; /* rms distance of the measured samples that are no outliers (of the others
                        where none is measured), metres */
    bool is_lost;    /* too little was seen: the pose is the last one */
} snw_track;

typedef struct snw_tracker snw_tracker;

/* The names of the markers in a frame, in the order of its samples; the nth of a name is the nth of
 * that name in the actor. The unit comes with each frame. What the actor does not know is passed
 * over. */
SNW_API snw_status snw_tracker_create(const snw_actor *actor, const snw_name_list *names,
                                      const snw_tracker_options *options,
                                      const snw_allocator *allocator, snw_tracker **out,
                                      snw_error *error);
/* The same for the frames of a trial; its samples are not looked at. */
SNW_API snw_status snw_tracker_create_for_trial(const snw_actor *actor, const snw_trial *trial,
                                                const snw_tracker_options *options,
                                                const snw_allocator *allocator, snw_tracker **out,
                                                snw_error *error);
SNW_API void snw_tracker_destroy(snw_tracker *tracker);
/* The pose of this frame; world is filled. The tracker remembers the last pose and starts from it;
 * a frame that is lost keeps it, whatever `pose` held. Every sample counts by its marker's noise,
 * its state and its stated uncertainty: variances add up, and a filled or predicted sample that
 * states none has 20 mm. Joints keep to their types. Limits hold for what the markers do not show;
 * where two markers or more show a larger motion they give way, and the tracker remembers that too.
 */
SNW_API snw_track snw_tracker_step(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose);

/* What the last frame says of a joint: was anything of it seen, and is that enough? */
typedef struct snw_joint_observability {
    bool is_observed;   /* a measured marker sits on its segment, or on a segment below */
    bool is_determined; /* the samples fix all its freedom, and that of every joint above */
    uint8_t rank;       /* how much of its freedom they fix */
    uint8_t freedom;    /* of its type; of the root 6: place and turn */
} snw_joint_observability;

/* What is not determined keeps its last rotation as far as it is open. A lost frame observes
 * nothing. All zero for a joint that does not exist. */
SNW_API snw_joint_observability snw_tracker_observability(const snw_tracker *tracker, int joint);
/* How far a joint that the style made up in the last frame may be turned from the truth, standard
 * deviation, radians; 0: it was seen, or there is no style. */
SNW_API double snw_tracker_made_up(const snw_tracker *tracker, int joint);
/* Which joints of the actor (joint_count) a style knows: those of the same name that rest alike in
 * a T-pose. SNW_NOT_FOUND: fewer than half of those that style or actor have, it is of another rig;
 * trackers refuse it with the same sentence. */
SNW_API snw_status snw_actor_match_style(const snw_actor *actor, const snw_style *style,
                                         const snw_allocator *allocator, bool *is_known,
                                         snw_error *error);
/* The next step starts from this pose, as if it were of the frame before. One that is not finite
 * (below 1e100 m) and unit is not taken. */
SNW_API void snw_tracker_start(snw_tracker *tracker, const snw_pose *pose);
/* Forgets the last pose, and what it learned about limits and noise. */
SNW_API void snw_tracker_reset(snw_tracker *tracker);

/* ---- a whole trial ------------------------------------------------------------------------- */

/* Adds a frame: for live use, where there is no end. */
SNW_API void snw_solve_report_add(snw_solve_report *report, const snw_actor *actor,
                                  const snw_track *track);

/* Every frame of the trial, forwards and backwards: where a segment is hidden, or shows too few
 * markers for its twist, its joint goes smoothly from what it did before to what it does after. */
SNW_API snw_status snw_actor_solve(const snw_actor *actor, const snw_trial *trial,
                                   const snw_tracker_options *options,
                                   const snw_allocator *allocator, snw_motion **out,
                                   snw_error *error);

/* What a body did in a trial. */
typedef struct snw_actor_motion {
    const snw_actor *actor;
    const snw_motion *motion; /* of the actor's skeleton */
    snw_sample_state made;    /* what samples are that come from it: SNW_SAMPLE_FILLED where it uses
                                 both sides of a gap, SNW_SAMPLE_PREDICTED where the past alone */
} snw_actor_motion;

/* The capture with what the body knows of it: a copy of the trial, with every parameter, event and
 * analog sample, in which the missing samples of the actor's markers are put where the motion
 * carries them, and after the trial's markers one point for each joint's centre. Samples that were
 * there stay as they are, bit for bit; what was added has the state `made`. A joint's point has the
 * joint's name, with "_joint" behind it where a marker is called the same; POINT:MODELED_MARKERS
 * lists these points. The motion must have the trial's frames. */
SNW_API snw_status snw_actor_trial(const snw_actor_motion *solved, const snw_trial *trial,
                                   const snw_allocator *allocator, snw_trial **out,
                                   snw_error *error);

/* ---- a smooth motion ------------------------------------------------------------------------ */

/* How one joint's place and its segment's turn in the world were smoothed. */
typedef struct snw_smoothing {
    double place_noise;  /* of the raw motion, standard deviation of a coordinate, metres */
    double turn_noise;   /* radians */
    double place_cutoff; /* frequency of which half is left, Hz */
    double turn_cutoff;
} snw_smoothing;

/* A copy of the motion, smoothed over all frames: places and turns of all segments by least squares
 * with a penalty on jerk, past and future alike, its weight by generalised cross-validation, with
 * no more noise than the actor's markers explain; then the body is brought onto them. Bones keep
 * their lengths, joints their types; limits are not looked at. Fewer than 12 frames stay as they
 * are. actor: of the motion, or NULL: the motion alone tells its noise. told (joint_count) or NULL.
 */
SNW_API snw_status snw_motion_smooth(const snw_motion *raw, const snw_actor *actor,
                                     const snw_allocator *allocator, snw_motion **out,
                                     snw_smoothing *told, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
