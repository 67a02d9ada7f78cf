/* What the style's own files share, and what reaching with a style asks of it. Internal. */
#ifndef SNW_STYLE_STYLE_H
#define SNW_STYLE_STYLE_H

#include <sinew/style.h>

/* A style of these counts, zeroed, and room for names. */
snw_status snw__style_create(const snw_style *counts, size_t name_size,
                             const snw_allocator *allocator, snw_style **out, char **names,
                             snw_error *error);

/* hinge for pivots, fixed for what a style does not know. */
snw_joint_type snw__style_type(snw_joint_type type);

/* World axes about (prismatic: along) which features of style joint `which`, which is the body's
 * joint `joint`, move it: as many as it has features. Needs world. */
void snw__style_axes(const snw_style *style, int which, int joint, const double *features,
                     const snw_pose *pose, snw_vec3 axes[3]);

/* The features of a ball in style joint `joint`, which turns by q, and the inverse. */
void snw__style_ball_features(const snw_style_joint *joint, snw_quat q, double features[3]);
snw_quat snw__style_ball_rotation(const snw_style_joint *joint, const double features[3]);

/* log N(features; component). */
double snw__style_log_component(const snw_style *style, int component, const double *features);
/* out = C v with the covariance C of a component. */
void snw__style_covariance(const snw_style *style, int component, const double *v, double *out);

/* Features of which some are known, those to within their own noise and the variance doubt2. */
typedef struct snw__style_known {
    const bool *is_known;   /* (feature_count) */
    const double *features; /* (feature_count) */
    double doubt2;
} snw__style_known;

/* A component is mean + B^T z and noise with z ~ N(0, I). Factors n^2 I + B B^T over the known
 * features (dimension_count squared, Cholesky); features are not looked at. Returns what of log
 * p(known) does not depend on them, but for what all components share; -INFINITY: there is no
 * factor. */
double snw__style_factor(const snw_style *style, int component, const snw__style_known *known,
                         double *factor);
/* z (dimension_count): the mean given the known features. Returns the rest of log p(known). */
double snw__style_latent(const snw_style *style, int component, const snw__style_known *known,
                         const double *factor, double *z);
/* What feature is to be expected under z. */
double snw__style_expected(const snw_style *style, int component, const double *z, int feature);

#endif
