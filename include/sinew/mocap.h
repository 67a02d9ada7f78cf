/* sinew/mocap.h - from markers to a moving skeleton: limbs, the calibrated actor, the tracker.
 *
 *     snw_limbs *limbs = NULL;
 *     snw_actor *actor = NULL;
 *     snw_motion *motion = NULL;
 *     snw_limbs_find(trial, NULL, NULL, &limbs, NULL, &error); // markers that move together
 *     snw_actor_calibrate(trial, limbs, NULL, NULL, &actor, NULL, &error); // bones and joints
 *     snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL, &error); // every frame's pose
 *
 * Live, frame by frame, with the same code as offline:
 *
 *     snw_tracker *tracker = NULL;
 *     snw_tracker_create(actor, trial, NULL, NULL, &tracker, &error); // takes all memory
 *     while (running)
 *         snw_tracker_step(tracker, &frame, pose); // no allocation, no NaN
 *
 * Everything made here has a `_destroy`. Options that are NULL mean `_default()`, an allocator that
 * is NULL means malloc. Notes and errors may be NULL too.
 *
 * Limbs and actors are constant once made: any number of threads may use them. A tracker belongs to
 * one thread at a time. Positions in metres in the lab's axes.
 */
#ifndef SINEW_MOCAP_H
#define SINEW_MOCAP_H

#include <sinew/centers.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_LABEL_SIZE 64

/* ---- trajectories to markers ---------------------------------------------------------------- */

typedef struct snw_join_options {
    double ghost_seconds; /* what nobody named and is seen shorter than this or flickers is left
                             out; 0: all is kept; 0.1 */
} snw_join_options;

SNW_API snw_join_options snw_join_options_default(void);

/* A trajectory of the raw trial while it is seen without a long gap. */
typedef struct snw_join_piece {
    int trajectory; /* marker of the raw trial */
    int first, last;
    int marker; /* of the joined trial; -1: left out */
} snw_join_piece;

typedef struct snw_joined {
    snw_trial *trial; /* whole markers; all else as in the raw trial */
    int piece_count;
    snw_join_piece *piece; /* (piece_count) by trajectory, then time */
    int join_count;        /* trajectories that follow another one in the same marker */
    int ghost_count;       /* points that nobody named and that were left out */
    int misnamed_count;    /* short pieces left out: named like a marker that stands elsewhere */
    int undone_count;      /* joins that were made and taken back */
    snw_allocator allocator;
    size_t block_size;
} snw_joined;

/* Raw captures hold a marker in many trajectories: it vanishes and comes back as another one.
 * Trajectories that are never seen together and stand at the same place in their limb, or carry on
 * the same motion over a short gap, become one marker. Names that a person gave are kept and never
 * mixed; names that programs give ("*12", "U_3", "M001", "Unidentified 4") are not. Where two could
 * be meant, nothing is joined. A trial of named markers comes out as it went in. */
SNW_API snw_status snw_trial_join(const snw_trial *trial, const snw_join_options *options,
                                  const snw_allocator *allocator, snw_joined **out,
                                  snw_notes *notes, snw_error *error);
SNW_API void snw_joined_destroy(snw_joined *joined);

/* ---- limbs: markers that keep their distances --------------------------------------------- */

typedef struct snw_limb {
    char name[SNW_LABEL_SIZE]; /* "LeftLeg", or "limb3" where nothing is known */
    int marker_count;          /* 1 and more */
    int *marker;               /* (marker_count) ascending indices into the trial */
} snw_limb;

typedef struct snw_limbs {
    int limb_count;
    snw_limb *limb;   /* (limb_count) */
    int marker_count; /* of the trial */
    int *limb_of;     /* (marker_count) which limb, or -1: the marker takes no part */
    snw_allocator allocator;
    size_t block_size;
} snw_limbs;

/* The one list of ways to find limbs. X(enumerator, name, text). */
#define SNW_LIMB_METHOD_MAP(X)                                                             \
    X(AUTO, "auto", "by names where the labels tell, else by rigidity")                    \
    X(NAMES, "names", "by labels: Segment:1, Segment1, or what marker sets and words say") \
    X(RIGIDITY, "rigidity", "by motion: the rigid groups that explain the markers best")   \
    X(SPECTRAL, "spectral", "spectral clustering of distance deviations (Kirk et al. 2005)")

typedef enum snw_limb_method {
#define SNW_LIMB_METHOD_ENUM(enumerator, name, text) SNW_LIMBS_BY_##enumerator,
    SNW_LIMB_METHOD_MAP(SNW_LIMB_METHOD_ENUM)
#undef SNW_LIMB_METHOD_ENUM
    SNW_LIMB_METHOD_COUNT
} snw_limb_method;

SNW_API const char *snw_limb_method_name(snw_limb_method method);
/* SNW_LIMB_METHOD_COUNT when there is no such name. */
SNW_API snw_limb_method snw_limb_method_find(const char *name);

typedef struct snw_limb_options {
    snw_limb_method method;
    double tolerance; /* rigidity: largest standard deviation of a distance inside a limb, metres;
                         negative: chosen from the data */
    int limb_count;   /* spectral: how many; negative: by the eigengap */
} snw_limb_options;

SNW_API snw_limb_options snw_limb_options_default(void);

/* Groups the markers of a trial. SNW_DEGENERATE with a sentence when there is nothing to group:
 * fewer than 3 markers, all of them missing. */
SNW_API snw_status snw_limbs_find(const snw_trial *trial, const snw_limb_options *options,
                                  const snw_allocator *allocator, snw_limbs **out, snw_notes *notes,
                                  snw_error *error);
/* limb_of (marker_count): a number 0.. for each marker, -1 = none; names (limb_count) may be NULL.
 * For groups from elsewhere. */
SNW_API snw_status snw_limbs_create(const int *limb_of, int marker_count, const char *const *names,
                                    const snw_allocator *allocator, snw_limbs **out,
                                    snw_error *error);
SNW_API void snw_limbs_destroy(snw_limbs *limbs);

/* Bytes of a text file. */
typedef struct snw_text {
    const char *bytes;
    size_t size;
} snw_text;

/* Limbs by a list ("LeftUpLeg: LTHI LKNE" on each line) or a marker-set file (WAND and SEGMENT
 * lines) and, where labels differ from the set's, a correlation file ("JOE::LBWT = LBWT ..."; NULL:
 * none), both as in Knight's thesis, section 2.3.3. Limbs with the names of docs/marker-sets.md are
 * joined as a person is. SNW_NOT_FOUND when fewer than 3 markers are known. */
SNW_API snw_status snw_limbs_from_set(const snw_trial *trial, snw_text set,
                                      const snw_text *correlation, const snw_allocator *allocator,
                                      snw_limbs **out, snw_error *error);
/* The file that a correlation names after MARKERSET; false when there is none: the text is a set.
 */
SNW_API bool snw_correlation_set_name(snw_text correlation, char name[SNW_LABEL_SIZE]);
/* Standard deviation of the distance of every two markers over the trial, metres: noise inside a
 * limb, motion across a joint. deviation (marker_count x marker_count) is written; infinite where
 * too few frames show both. */
SNW_API snw_status snw_marker_deviations(const snw_trial *trial, const snw_allocator *allocator,
                                         double *deviation, snw_error *error);

/* ---- the actor: a skeleton with its markers ------------------------------------------------ */

typedef struct snw_actor_marker {
    char name[SNW_LABEL_SIZE];
    int joint;       /* of the skeleton */
    snw_vec3 offset; /* in the joint's frame */
    double noise;    /* standard deviation of one coordinate about the rigid limb, metres */
} snw_actor_marker;

/* What the data said about one joint. */
typedef struct snw_joint_finding {
    snw_joint_type type; /* of the skeleton's joint: fixed, hinge, universal or ball, the least that
                            explains the motion; the joint has the limits that were seen */
    snw_vec3 axis;       /* of the joint, in its frame; zero where it is not known */
    double range;        /* how far the joint turned, rest to rest, radians */
    double residual;     /* rms distance between the two limbs' ideas of the centre, metres */
    double uncertainty;  /* one standard deviation of the centre in a frame, in its worst direction
                            that matters (along a hinge's axis the place is free), metres; skin
                            counts, as far as it does not move in step with the joint */
    bool is_place_free;  /* turned about one axis: where along it the centre is, nothing tells */
    int rival;           /* joint that could be the neighbour instead of the parent; -1: none */
    bool is_uncertain;   /* the motion does not determine the centre or the neighbour */
    char verdict[400];   /* the same in words */
} snw_joint_finding;

typedef struct snw_actor {
    snw_skeleton *skeleton;
    int marker_count;
    snw_actor_marker *marker;   /* (marker_count) */
    snw_joint_finding *finding; /* (joint_count); of the root: all zero */
    snw_allocator allocator;
    size_t block_size;
} snw_actor;

typedef struct snw_actor_options {
    const char *root; /* name of the limb that is the root; NULL: chosen */
    int frame_max;    /* frames that the calibration looks at, spread over the trial; 3000 */
    int part;         /* which body, where several fall apart; from 0, 0 = the largest or first */
    const snw_center_method *method; /* places the joints, and leaves them there; NULL: the maximum
                                        likelihood of both limbs' poses, then of the whole body */
} snw_actor_options;

SNW_API snw_actor_options snw_actor_options_default(void);

/* Joins limbs to a tree, places the joint centres and the markers. Limbs without names are called
 * as those of a person ("LeftUpLeg") or by their place in the tree ("A2"). notes receives what was
 * guessed or left out. SNW_NOT_FOUND when there is no body number options->part. */
SNW_API snw_status snw_actor_calibrate(const snw_trial *trial, const snw_limbs *limbs,
                                       const snw_actor_options *options,
                                       const snw_allocator *allocator, snw_actor **out,
                                       snw_notes *notes, snw_error *error);
SNW_API void snw_actor_destroy(snw_actor *actor);

/* The actor as text (docs/see.md), to keep it for the next trial of the same person. Writes at most
 * `size` bytes with the terminating zero, like snprintf; returns the length of the whole text. */
SNW_API size_t snw_actor_print(const snw_actor *actor, char *buffer, size_t size);
SNW_API snw_status snw_actor_parse(const char *text, size_t size, const snw_allocator *allocator,
                                   snw_actor **out, snw_error *error);

/* ---- the tracker --------------------------------------------------------------------------- */

typedef struct snw_tracker_options {
    int iteration_max;    /* Gauss-Newton steps in a frame; 8 */
    double tolerance;     /* stop when no joint turns by more than this, radians; 1e-5 */
    double outlier_scale; /* a marker this many times its noise away counts half; 6 */
} snw_tracker_options;

SNW_API snw_tracker_options snw_tracker_options_default(void);

typedef struct snw_track {
    int marker_count;  /* markers of the actor seen in this frame */
    int outlier_count; /* of these, given less than a quarter of their weight */
    int iterations;
    double residual; /* rms distance of the seen markers that are no outliers, metres */
    bool is_lost;    /* too little was seen: the pose is the last one */
} snw_track;

typedef struct snw_tracker snw_tracker;

/* `trial` tells which marker is which, by name (its samples are not looked at). */
SNW_API snw_status snw_tracker_create(const snw_actor *actor, const snw_trial *trial,
                                      const snw_tracker_options *options,
                                      const snw_allocator *allocator, snw_tracker **out,
                                      snw_error *error);
SNW_API void snw_tracker_destroy(snw_tracker *tracker);
/* The pose of this frame; world is filled. The tracker remembers the last pose and starts from it.
 * Joints keep to their types. Limits hold for what the markers do not show; where two markers or
 * more show a larger motion they give way, and the tracker remembers that too. */
SNW_API snw_track snw_tracker_step(snw_tracker *tracker, const snw_frame *frame, snw_pose *pose);
/* Which joints the markers of the last frame determined (joint_count). The others kept their last
 * rotation. */
SNW_API const bool *snw_tracker_observed(const snw_tracker *tracker);
/* The next step starts from this pose, as if it were of the frame before. */
SNW_API void snw_tracker_start(snw_tracker *tracker, const snw_pose *pose);
/* Forgets the last pose, and what it learned about limits. */
SNW_API void snw_tracker_reset(snw_tracker *tracker);

/* ---- a whole trial ------------------------------------------------------------------------- */

/* All zero before the first frame. */
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

/* Adds a frame: for live use, where there is no end. */
SNW_API void snw_solve_report_add(snw_solve_report *report, const snw_actor *actor,
                                  const snw_track *track);

/* Every frame of the trial, forwards and backwards: where a limb is hidden, or shows too few
 * markers for its twist, its joint goes smoothly from what it did before to what it does after.
 * report may be NULL. */
SNW_API snw_status snw_actor_solve(const snw_actor *actor, const snw_trial *trial,
                                   const snw_tracker_options *options,
                                   const snw_allocator *allocator, snw_motion **out,
                                   snw_solve_report *report, snw_error *error);

/* The capture with what the body knows of it: a copy of the trial, with every parameter, event and
 * analog sample, in which the missing samples of the actor's markers are put where the motion
 * carries them, and after the trial's markers one point for each joint's centre. Samples that were
 * there stay as they are, bit for bit; what was added has the state `made`: SNW_SAMPLE_FILLED (uses
 * both sides of a gap) or SNW_SAMPLE_PREDICTED (uses the past alone). A joint's point has the
 * joint's name, with "_joint" behind it where a marker is called the same; POINT:MODELED_MARKERS
 * lists these points. motion must be of the actor's skeleton and have the trial's frames. */
SNW_API snw_status snw_actor_trial(const snw_actor *actor, const snw_trial *trial,
                                   const snw_motion *motion, snw_sample_state made,
                                   const snw_allocator *allocator, snw_trial **out,
                                   snw_error *error);

/* ---- what is left over ---------------------------------------------------------------------- */

/* One marker of the trial against the body. */
typedef struct snw_marker_residual {
    int joint;       /* that carries it; -1: the marker is not on the body, the rest is zero */
    int seen_count;  /* frames that show it */
    double rms;      /* metres */
    double worst;    /* metres */
    int worst_frame; /* -1: never seen */
} snw_marker_residual;

/* How far each marker lies from where the solved motion carries it. */
typedef struct snw_residuals {
    int marker_count;            /* of the trial */
    int frame_count;             /* the shorter of trial and motion */
    snw_marker_residual *marker; /* (marker_count) */
    float
        *distance; /* (frame_count x marker_count) metres; NaN where there is nothing to compare */
    double *frame_rms; /* (frame_count) metres; NaN where no marker of the body is seen */
    double rms;        /* over all samples; 0 where there is none */
    snw_allocator allocator;
    size_t block_size;
} snw_residuals;

/* motion must be of the actor's skeleton. All samples count, also those that the tracker took for
 * outliers. */
SNW_API snw_status snw_actor_residuals(const snw_actor *actor, const snw_trial *trial,
                                       const snw_motion *motion, const snw_allocator *allocator,
                                       snw_residuals **out, snw_error *error);
SNW_API void snw_residuals_destroy(snw_residuals *residuals);

#ifdef __cplusplus
}
#endif
#endif
