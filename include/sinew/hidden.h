/* sinew/hidden.h - markers that the cameras did not see: filled offline, each with how sure it is.
 *
 *     snw_filled *filled = NULL;
 *     if (snw_trial_fill(trial, NULL, NULL, &filled, NULL, &error) == SNW_OK)
 *         use(filled->trial); // samples that were missing have state SNW_SAMPLE_FILLED
 *     snw_filled_destroy(filled);
 *
 * Measured samples are never changed. What was filled carries an uncertainty in metres: the root
 * mean square distance from the true place that the same filling had where the truth is known. What
 * could not be filled stays missing and is named. Options that are NULL mean `_default()`, an
 * allocator that is NULL means malloc. Notes and errors may be NULL too. docs/hidden-markers.md
 * tells how it works and what it reaches.
 */
#ifndef SINEW_HIDDEN_H
#define SINEW_HIDDEN_H

#include <sinew/segment.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The one list of ways to fill a gap. X(enumerator, name, text). */
#define SNW_FILL_METHOD_MAP(X)                                                         \
    X(AUTO, "auto", "all of them, weighted by how they do on gaps of the same length") \
    X(LINEAR, "linear", "a straight line between the last and the next sample")        \
    X(SPLINE, "spline", "cubic spline through the samples on both sides")              \
    X(FRAME, "frame", "cubic spline in the frame of the three most rigid neighbours")  \
    X(RIGID, "rigid", "the marker's place among its neighbours, ends met")             \
    X(LOCAL, "local", "ridge regression on the neighbours, in their frame, ends met")  \
    X(BODY, "body", "where the solved body carries the marker, ends met")              \
    X(PCA, "pca", "principal components of the markers around it, ends met")           \
    X(LOW_RANK, "lowrank", "smoothed components of the whole capture, ends met")       \
    X(SMOOTH, "smooth", "where a predictor run forwards and backwards has it")

typedef enum snw_fill_method {
#define SNW_FILL_METHOD_ENUM(enumerator, name, text) SNW_FILL_##enumerator,
    SNW_FILL_METHOD_MAP(SNW_FILL_METHOD_ENUM)
#undef SNW_FILL_METHOD_ENUM
    SNW_FILL_METHOD_COUNT
} snw_fill_method;

SNW_API const char *snw_fill_method_name(snw_fill_method method);
/* -1 when there is no such name. */
SNW_API int snw_fill_method_find(const char *name);

typedef struct snw_fill_options {
    snw_fill_method method;
    int gap_max;            /* longer gaps stay missing, frames; 0: any length */
    double uncertainty_max; /* what is less sure stays missing, metres; 0.25 */
    const snw_trial *body;  /* the same markers and frames as the solved body carries them; NULL:
                               there is none. Needed by SNW_FILL_BODY, welcome to AUTO. For
                               SNW_FILL_SMOOTH what snw_trial_predict made: its samples are taken as
                               they are, with their uncertainty and state */
    uint64_t reserved[4];   /* 0; later versions grow here */
} snw_fill_options;

SNW_API snw_fill_options snw_fill_options_default(void);

/* Why a gap stayed missing. X(enumerator, text). */
#define SNW_FILL_OUTCOME_MAP(X)                                    \
    X(FILLED, "filled")                                            \
    X(TOO_LONG, "longer than was asked for")                       \
    X(UNSEEN, "the marker is never seen")                          \
    X(ALONE, "too few neighbours are seen, and no samples beside") \
    X(UNSURE, "nothing tells where it was well enough")            \
    X(PARTLY, "filled in part: in the rest nothing tells where it was well enough")

typedef enum snw_fill_outcome {
#define SNW_FILL_OUTCOME_ENUM(enumerator, text) SNW_GAP_##enumerator,
    SNW_FILL_OUTCOME_MAP(SNW_FILL_OUTCOME_ENUM)
#undef SNW_FILL_OUTCOME_ENUM
    SNW_FILL_OUTCOME_COUNT
} snw_fill_outcome;

SNW_API const char *snw_fill_outcome_text(snw_fill_outcome outcome);

typedef struct snw_filled_gap {
    int marker;
    int first;  /* frame from 0 */
    int length; /* frames */
    snw_fill_outcome outcome;
    snw_fill_method method; /* that counts most; of a filled gap */
    double share;           /* of that method in the answer, 0..1 */
    double uncertainty;     /* the largest in the gap, metres; of a filled gap */
    int distrusted;         /* samples beside the gap that did not fit and were not built upon */
    int judged;             /* gaps of known truth the judgement rests on */
} snw_filled_gap;

typedef struct snw_filled {
    snw_trial *trial; /* a copy with the filled samples and their uncertainty */
    int gap_count;
    snw_filled_gap *gap;  /* (gap_count) by marker, then frame */
    int filled_count;     /* gaps */
    int64_t sample_count; /* samples filled */
    snw_allocator allocator;
    size_t block_size;
} snw_filled;

/* Fills what is missing. SNW_UNSUPPORTED when SNW_FILL_BODY or SNW_FILL_SMOOTH is asked for without
 * a body. */
SNW_API snw_status snw_trial_fill(const snw_trial *trial, const snw_fill_options *options,
                                  const snw_allocator *allocator, snw_filled **out,
                                  snw_notes *notes, snw_error *error);
SNW_API void snw_filled_destroy(snw_filled *filled);

/* ---- live ----------------------------------------------------------------------------------- */

/* The one list of ways to predict. X(enumerator, name, text). */
#define SNW_PREDICT_METHOD_MAP(X)                                                                \
    X(AUTO, "auto", "learned from the neighbours, segment filter and rays by their uncertainty") \
    X(TURN, "vtm-ukf", "segment constraints, variable turn model (Aristidou 2010)")              \
    X(VELOCITY, "ekf", "segment constraints, constant velocity")                                 \
    X(LINE, "extrapolate", "segment constraints, straight on")                                   \
    X(CIRCLE, "circular", "segment constraints, on along a circle")

typedef enum snw_predict_method {
#define SNW_PREDICT_METHOD_ENUM(enumerator, name, text) SNW_PREDICT_##enumerator,
    SNW_PREDICT_METHOD_MAP(SNW_PREDICT_METHOD_ENUM)
#undef SNW_PREDICT_METHOD_ENUM
    SNW_PREDICT_METHOD_COUNT
} snw_predict_method;

SNW_API const char *snw_predict_method_name(snw_predict_method method);
/* -1 when there is no such name. */
SNW_API int snw_predict_method_find(const char *name);

typedef struct snw_predict_options {
    snw_predict_method method;
    double blend_seconds;   /* a marker that comes back is led from its prediction to where it is
                               seen in this time, marked PREDICTED; 0: at once; 0 */
    double history_seconds; /* how much of the past AUTO learns from; 30 */
    const int *neighbour;   /* (segment_count) the segment that each is joined to, or -1; NULL: none
                               is known, and a segment that is hidden as a whole goes on as it went */
    uint64_t reserved[3];   /* 0; later versions grow here */
} snw_predict_options;

SNW_API snw_predict_options snw_predict_options_default(void);

/* One camera saw the marker: it is on this half line. */
typedef struct snw_ray {
    int marker;
    snw_vec3 origin;
    snw_vec3 direction; /* unit */
} snw_ray;

/* Belongs to one thread at a time. */
typedef struct snw_predictor snw_predictor;

/* Takes all memory. */
SNW_API snw_status snw_predictor_create(const snw_segments *segments, double rate,
                                        const snw_predict_options *options,
                                        const snw_allocator *allocator, snw_predictor **out,
                                        snw_error *error);
SNW_API void snw_predictor_destroy(snw_predictor *predictor);
/* The frame with its hidden samples predicted, and their uncertainty; valid until the next step.
 * `frame` must have the markers of the segments. Rays of markers that are seen, or that do not
 * exist, are passed over. No allocation, no NaN. */
SNW_API snw_frame snw_predictor_step(snw_predictor *predictor, const snw_frame *frame,
                                     const snw_ray *ray, int ray_count);
/* The centre of rotation between a segment and its neighbour in the last frame, from seen and
 * predicted markers. False while too little motion was seen to tell it. */
SNW_API bool snw_predictor_center(const snw_predictor *predictor, int segment, snw_vec3 *center);
/* Forgets everything. */
SNW_API void snw_predictor_reset(snw_predictor *predictor);

/* ---- a whole trial through the predictor ------------------------------------------------------
 */

typedef struct snw_frame_ray {
    int frame; /* from 0 */
    snw_ray ray;
} snw_frame_ray;

typedef struct snw_predict_job {
    const snw_segments *segments;
    const int *neighbour;     /* (segment_count) as for snw_predictor_create; NULL: none */
    const snw_frame_ray *ray; /* (ray_count) by frame; NULL: none */
    int ray_count;
    bool both_ways; /* forwards and backwards, mixed: samples are FILLED; else PREDICTED */
} snw_predict_job;

/* A copy of the trial with its missing samples as the predictor has them, frame by frame. */
SNW_API snw_status snw_trial_predict(const snw_trial *trial, const snw_predict_job *job,
                                     const snw_predict_options *options,
                                     const snw_allocator *allocator, snw_trial **out,
                                     snw_error *error);
/* For each segment the one whose markers keep their distance to its own best, or -1: neighbours
 * where no skeleton is known. neighbour (segment_count) is written. SNW_INVALID_ARGUMENT: the
 * segments are of another trial. */
SNW_API snw_status snw_segment_neighbours(const snw_trial *trial, const snw_segments *segments,
                                          const snw_allocator *allocator, int *neighbour,
                                          snw_error *error);

/* ---- bone lengths -----------------------------------------------------------------------------
 */

/* Joints joined in a tree: parent[0] is -1, every other parent stands before its joint. */
typedef struct snw_bone_lengths {
    int joint_count;
    const int *parent;    /* (joint_count) */
    const double *length; /* (joint_count) to the parent, metres; negative: not rigid, any length;
                             of joint 0 not looked at */
    const double *slack;  /* (joint_count) how far off a length may be, metres; NULL: not at all */
    const double *bend;   /* (joint_count) joint limits: the largest angle between the bone to this
                             joint and the one before it continued, radians; pi and more: none, as
                             at joints of the root, which has no bone before it; NULL: none */
} snw_bone_lengths;

/* Moves the joints that are not fixed so that every bone has its length (FABRIK; Aristidou 2010,
 * section 4.7): between fixed joints, at the ends of chains and through branches. Fixed joints
 * stay, and joints that are not fixed bend no farther than their limits, as long as the lengths can
 * be kept so. Returns the largest difference of a length that is left, metres: fixed joints may
 * stand too far apart. INFINITY, and nothing is moved, where a place, length or slack is not finite
 * (or beyond 1e150), or a slack is negative. */
SNW_API double snw_bone_lengths_restore(const snw_bone_lengths *bones, const bool *is_fixed,
                                        snw_vec3 *place);

#ifdef __cplusplus
}
#endif
#endif
