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

/* The lean of a pose where this is up. Only where the style has one. */
void snw__style_put_lean(const snw_style *style, const snw_pose *pose, snw_vec3 up,
                         double *features);

/* World axes about (prismatic: along) which features of style joint `which`, which is the body's
 * joint `joint`, move it: as many as it has features. Needs world. */
void snw__style_axes(const snw_style *style, int which, int joint, const double *features,
                     const snw_pose *pose, snw_vec3 axes[3]);

/* log N(features; component). */
double snw__style_log_component(const snw_style *style, int component, const double *features);
/* out = C v with the covariance C of a component. */
void snw__style_covariance(const snw_style *style, int component, const double *v, double *out);

#endif
