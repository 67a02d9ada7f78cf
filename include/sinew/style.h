/* sinew/style.h - how somebody moves: a prior of poses learned from motions, to reach with.
 *
 *     snw_style *style = NULL;
 *     const snw_motion *motions[2] = {walk, dance};
 *     snw_style_learn(motions, 2, NULL, NULL, &style, &error);
 *     options.style = style;                        // of snw_ik_options: reaches look like that
 *
 * A style is a mixture of probabilistic principal components (Tipping & Bishop 1999) of the body's
 * joint coordinates: swing and twist of balls, angles of hinges and universals, slides in body
 * sizes. It knows joints by their names and serves any skeleton that has them, of whatever
 * proportions, as long as their frames mean the same (one rig). Where the body stands is no part of
 * it, how it leans is: which way is up, seen from the root.
 *
 * Plain data, constant once made: any number of threads may use it.
 */
#ifndef SINEW_STYLE_H
#define SINEW_STYLE_H

#include <sinew/body.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SNW_STYLE_COMPONENT_MAX 64
#define SNW_STYLE_DIMENSION_MAX 32

/* A joint and its features: hinge (pivots too) 1, universal 2, prismatic 1, ball 3: the two
 * coordinates of the swing plane (see snw_joint_limit, with `axis` along the bone), then the
 * twist. */
typedef struct snw_style_joint {
    const char *name;
    snw_joint_type type;
    snw_vec3 axis, axis2; /* ball: the bone, and across it; unit */
    int first;            /* feature */
} snw_style_joint;

/* Component k is a Gaussian with mean mean[k], deviation deviation[k][i] along the orthonormal
 * direction[k][i], and noise[k] along all others. */
typedef struct snw_style {
    int joint_count;
    int feature_count;
    int component_count;
    int dimension_count;
    bool has_lean;          /* the last three features are `up` in the frame of the root */
    snw_vec3 up;            /* in the world of the motions; unit */
    snw_style_joint *joint; /* (joint_count) */
    double *weight;         /* (component_count) sum to 1 */
    double *noise;          /* (component_count) radians */
    double *mean;           /* (component_count x feature_count) */
    double *deviation;      /* (component_count x dimension_count) descending, noise or more */
    double *direction;      /* (component_count x dimension_count x feature_count) */
    snw_allocator allocator;
    size_t block_size;
} snw_style;

/* ---- learning ----------------------------------------------------------------------------- */

typedef struct snw_style_report {
    int frame_count;       /* that were learned from, mirror images too */
    int mirrored_count;    /* of these, mirror images */
    int iterations;        /* of expectation-maximization */
    double log_likelihood; /* per frame, in the end, with what shrinkage adds */
    double lowest_rise; /* the least by which an iteration raised it; below 0 only by round-off */
} snw_style_report;

typedef struct snw_style_options {
    int component_count; /* 12; fewer where there are not enough frames */
    int dimension_count; /* 12; of each component */
    double rate;         /* 20; frames per second that are looked at: neighbours tell nothing new */
    int iteration_max;   /* 100 */
    double shrinkage;    /* 30; frames as which the covariance of all frames counts in each
                            component, so that few frames do not make it certain */
    uint64_t seed;       /* of the first centres */
    double likeness;     /* 0.02; how much frames of one motion tell the same (their intraclass
                            correlation): n of them count as n / (1 + (n - 1) likeness) */
    bool is_mirrored;    /* true; where a body has two sides of one shape, by its joints' names, the
                            mirror image of every frame is learned too */
    snw_vec3 up;         /* +y; which way is up in the motions, or zero: how bodies lean is not
                            learned */
    snw_style_report *report; /* NULL; receives how it went */
    uint64_t reserved[3];     /* 0; later versions grow here */
} snw_style_options;

SNW_API snw_style_options snw_style_options_default(void);

/* Joints are those of the first motion that move and that all motions have, of the same type.
 * SNW_DEGENERATE when there are fewer than two frames or nothing moves. */
SNW_API snw_status snw_style_learn(const snw_motion *const *motions, int motion_count,
                                   const snw_style_options *options, const snw_allocator *allocator,
                                   snw_style **out, snw_error *error);
SNW_API void snw_style_destroy(snw_style *style);

/* ---- poses and features ------------------------------------------------------------------- */

/* joint_of (joint_count of the style): which joint of the skeleton each is, -1 where there is none
 * of that name and type. Returns how many were found. */
SNW_API int snw_style_match(const snw_style *style, const snw_skeleton *skeleton, int *joint_of);
/* Features (feature_count) of a pose; those of joints that are not there are left as they are. The
 * lean is by the style's `up`. */
SNW_API void snw_style_features(const snw_style *style, const int *joint_of, const snw_pose *pose,
                                double *features);
/* The inverse: rotations and slides of the joints that are there; the root stays. Limits are not
 * applied, world is not filled. */
SNW_API void snw_style_pose(const snw_style *style, const int *joint_of, const double *features,
                            snw_pose *pose);

/* log p(features): nats. */
SNW_API double snw_style_log_likelihood(const snw_style *style, const double *features);
/* What features are to be expected where only those with is_known (feature_count) are: the others
 * get their mean given these, in the component that explains these best. For segments that nothing
 * shows. Returns the component. */
SNW_API int snw_style_complete(const snw_style *style, const bool *is_known, double *features);

/* ---- text --------------------------------------------------------------------------------- */

/* The style as text (docs/style.md). Writes at most `size` bytes with the terminating zero, like
 * snprintf; returns the length of the whole text. */
SNW_API size_t snw_style_print(const snw_style *style, char *buffer, size_t size);
SNW_API snw_status snw_style_parse(const char *text, size_t size, const snw_allocator *allocator,
                                   snw_style **out, snw_error *error);

#ifdef __cplusplus
}
#endif
#endif
