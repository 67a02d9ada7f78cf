/* sinew/center.h - where two segments are joined: rotation centres and hinge axes from their
 * motion.
 *
 *     snw_center_sums sums = snw_center_sums_begin();
 *     for (int k = 0; k < frame_count; k++)
 *         snw_center_sums_add(&sums, world_from_thigh[k], world_from_shank[k]);
 *     snw_center knee;
 *     if (snw_center_sums_solve(&sums, NULL, &knee, &error) == SNW_OK) {
 *         char verdict[SNW_VERDICT_SIZE];
 *         puts(snw_center_verdict(&knee, verdict));    // "a hinge: turned 62 degrees about ..."
 *     }
 *
 * Sums have a fixed size and never allocate, so they serve live streams; snw_center_solve takes a
 * whole trial, finds outlier frames and offers every method of the literature. Nothing here
 * allocates. Segment frames are expected to have their origin among the segment's markers: what the
 * motion leaves open is placed midway between the two origins, as far as the data do not object.
 * Any thread; a snw_center_sums belongs to one.
 */
#ifndef SINEW_CENTER_H
#define SINEW_CENTER_H

#include <sinew/body.h>
#include <sinew/rigid.h>
#include <sinew/trial.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text). The first needs poses of both segments, the others markers of the child segment.
 */
#define SNW_CENTER_METHOD_MAP(X)        \
    X(TWO_SIDED, "two-sided")           \
    X(MVM, "mvm")                       \
    X(GAMAGE_LASENBY, "gamage-lasenby") \
    X(HALVORSEN, "halvorsen")           \
    X(GEOMETRIC, "geometric")           \
    X(KALMAN, "kalman")

typedef enum snw_center_method {
#define SNW_CENTER_METHOD_ENUM(name, text) SNW_CENTER_##name,
    SNW_CENTER_METHOD_MAP(SNW_CENTER_METHOD_ENUM)
#undef SNW_CENTER_METHOD_ENUM
    SNW_CENTER_METHOD_COUNT
} snw_center_method;

/* "two-sided"; never NULL. */
SNW_API const char *snw_center_method_name(snw_center_method method);
/* -1 when there is no such method. */
SNW_API int snw_center_method_find(const char *name);

/* ---- the answer --------------------------------------------------------------------------- */

typedef struct snw_center {
    snw_center_method method;
    snw_joint_type motion; /* what was seen: FIXED, HINGE, UNIVERSAL or BALL, whatever anatomy says;
                              from markers alone HINGE or BALL */
    int undetermined;      /* directions the motion leaves open: 0; 1 = along the axis; 3 = all */
    int frame_count;       /* frames used */
    int rejected_count;    /* frames left out as outliers; from markers: samples */
    bool has_child;        /* in_child, axis_in_child and slip are known (child poses were given) */
    bool is_bias_guarded;  /* noise too large for the bias correction: the centre is pulled towards
                              the markers (two-sided: the segments' origins) */
    snw_vec3 in_parent;    /* the centre in the two segments' frames */
    snw_vec3 in_child;
    snw_vec3 axis_in_parent; /* unit; the hinge's axis. UNIVERSAL in a whole trial: the axis that
                                stays in the parent, and the one that stays in the child. Otherwise
                                the axis of the largest motion */
    snw_vec3 axis_in_child;
    double axis_sigma; /* radians, 1 sigma; pi where the axis is not known */
    double residual;   /* rms: two-sided, distance between the centre as the two segments carry it;
                          markers, radius about its mean */
    double slip;       /* rms distance between the centre as the two segments carry it, whatever the
                          method; the two-sided method has the least */
    double spread[3];  /* radians rms about the principal axes of the motion, descending */
    double range[3];   /* radians from end to end about the same axes; running sums give the range
                          of a sine of that spread */
    double condition;  /* largest / smallest eigenvalue of the normal matrix, at most 1e16 */
    double correlation;  /* of the residual from frame to frame, 0..0.999: smooth errors such as
                            skin motion make many frames count as few */
    double sigma;        /* metres, 1 sigma distance of the centre from the truth, over the
                            directions that are determined (over all where none is) */
    snw_mat3 covariance; /* m^2, in the parent's frame; open directions hold half the distance of
                            the segments (from markers: the radius) squared */
} snw_center;

#define SNW_VERDICT_SIZE 240
/* "this joint hardly moved: 4 degrees; centre uncertain by 31 mm". Returns `text`. */
SNW_API const char *snw_center_verdict(const snw_center *center, char text[SNW_VERDICT_SIZE]);

/* ---- options ------------------------------------------------------------------------------ */

typedef struct snw_center_options {
    bool is_robust;    /* true: weigh down and leave out outlier frames (snw_center_solve) */
    bool correct_bias; /* true: mvm takes out the pull of noise towards the markers */
    /* Covariance of the small rotation error (rad^2) of the segments' poses, each in its own frame,
     * see snw_segment_rotation_covariance; zero = not known. Known noise lets the two-sided method
     * take its bias out and judge smaller motions. */
    snw_mat3 parent_rotation_noise;
    snw_mat3 child_rotation_noise;
    /* Two-sided: eigenvalues of the normal matrix (0..2) below this count as zero where the noise
     * is not known. 1e-3 is an rms motion of 2.5 degrees across the least-moved axes. */
    double rank_threshold;
    uint64_t reserved[4]; /* 0; later versions grow here */
} snw_center_options;

SNW_API snw_center_options snw_center_options_default(void);

/* ---- two segments, frame by frame: Cameron and Lasenby 2008 = SCoRE, hinges = SARA --------------
 */

/* Running sums. Begin with snw_center_sums_begin(); the fields are for reading. */
typedef struct snw_center_sums {
    int64_t frame_count;
    double weight;
    double weight2;         /* sum of squared weights */
    snw_mat3 rotation;      /* sum of parent_from_child rotations */
    snw_vec3 parent_offset; /* sum of the child's origin in the parent */
    snw_vec3 child_offset;  /* sum of the parent's origin in the child */
    double offset2;         /* sum of squared distances of the origins */
    /* Sums over neighbouring frames, for the correlation of the residual. */
    bool has_last;
    snw_xform last; /* parent_from_child */
    double pair_weight;
    snw_mat3 pair_rotation; /* R_k + R_k-1 */
    snw_mat3 pair_turn;     /* R_k^T R_k-1 */
    snw_vec3 pair_offset;   /* t_k + t_k-1 */
    snw_vec3 pair_cross;    /* R_k^T t_k-1 + R_k-1^T t_k */
    double pair_offset2;    /* t_k . t_k-1 */
} snw_center_sums;

SNW_API snw_center_sums snw_center_sums_begin(void);
/* Adds a frame; one that is not finite is left out and breaks the chain of neighbours. */
SNW_API void snw_center_sums_add(snw_center_sums *sums, snw_xform world_from_parent,
                                 snw_xform world_from_child);
/* The segments were not both seen in this frame. */
SNW_API void snw_center_sums_skip(snw_center_sums *sums);
/* Forgets: what is in the sums counts `factor` (0..1) as much from now on. */
SNW_API void snw_center_sums_fade(snw_center_sums *sums, double factor);
/* SNW_DEGENERATE with fewer than 4 frames. A joint that does not move is an answer, not an error:
 * motion FIXED, undetermined 3. options and error may be NULL. */
SNW_API snw_status snw_center_sums_solve(const snw_center_sums *sums,
                                         const snw_center_options *options, snw_center *center,
                                         snw_error *error);

/* ---- a whole trial, any method -------------------------------------------------------------- */

#define SNW_CENTER_MARKERS_MAX 64

/* What was seen. Poses or markers or both; arrays that are not there are NULL. */
typedef struct snw_center_data {
    int frame_count;
    const snw_xform *world_from_parent; /* (frame_count); NULL = the parent is the world */
    const snw_xform *world_from_child;  /* (frame_count) */
    const uint8_t *parent_is_valid;     /* (frame_count) 0 = not seen; NULL = all seen */
    const uint8_t *child_is_valid;      /* (frame_count) */
    int marker_count;                   /* at most SNW_CENTER_MARKERS_MAX */
    const snw_vec3 *marker; /* (frame_count x marker_count) the child's markers in the parent's
                               frame; not finite = missing */
} snw_center_data;

/* SNW_DEGENERATE: fewer than 4 frames, markers that do not move or move on a straight line.
 * SNW_INVALID_ARGUMENT: the method's data are not there. *center then has no centre, but is safe to
 * read. */
SNW_API snw_status snw_center_solve(const snw_center_data *data, snw_center_method method,
                                    const snw_center_options *options, snw_center *center,
                                    snw_error *error);

/* ---- from a trial -------------------------------------------------------------------------- */

/* Two segments of a trial as snw_center_solve takes them. Constant once made. */
typedef struct snw_joint_view {
    snw_center_data data;   /* without child poses where the child has fewer than 3 markers */
    snw_vec3 *parent_shape; /* mean marker places in the segments' frames; the origin is their */
    snw_vec3 *child_shape;  /* mean; NaN = never seen beside the others */
    double parent_noise;    /* metres per coordinate about the rigid shape */
    double child_noise;
    /* What that noise does to the rotations if it is white: for snw_center_options. Skin is not. */
    snw_mat3 parent_rotation_noise;
    snw_mat3 child_rotation_noise;
    snw_allocator allocator;
    size_t block_size;
} snw_joint_view;

/* lists: parent (3 markers and more, not on a line), child (1 and more). Frames whose fit is six
 * times worse than the median count as not seen. SNW_DEGENERATE when the parent has no pose. */
SNW_API snw_status snw_joint_view_create(const snw_trial *trial, const snw_marker_list lists[2],
                                         const snw_allocator *allocator, snw_joint_view **out,
                                         snw_error *error);
SNW_API void snw_joint_view_destroy(snw_joint_view *view);

/* ---- one marker, frame by frame: Knight's Minimum Variance Method -----------------------------
 */

/* Running moments about the first point, so that a far origin costs no digits. */
typedef struct snw_point_sums {
    int64_t count;
    double weight;
    snw_vec3 first;
    snw_vec3 sum;        /* of d = p - first */
    double square[3][3]; /* d d^T */
    snw_vec3 cubic;      /* d |d|^2 */
} snw_point_sums;

SNW_API snw_point_sums snw_point_sums_begin(void);
/* A point that is not finite is left out. */
SNW_API void snw_point_sums_add(snw_point_sums *sums, snw_vec3 point);

/* S = mean u u^T and g = mean u |u|^2 / 2 with u = p - mean; the centre is mean + S^-1 g. */
typedef struct snw_point_moments {
    snw_vec3 mean;
    snw_mat3 s;
    snw_vec3 g;
} snw_point_moments;

SNW_API snw_point_moments snw_point_sums_moments(const snw_point_sums *sums);
/* Centre of the sphere the points lie on, without bias correction; where they lie on a circle
 * (condition above 100) its centre, and *axis its normal, otherwise *axis = 0. axis may be NULL.
 * SNW_DEGENERATE: fewer than 4 points, no motion, or all on one line. */
SNW_API snw_status snw_point_sums_solve(const snw_point_sums *sums, snw_vec3 *center,
                                        snw_vec3 *axis, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
