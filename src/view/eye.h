/* Cameras without their lenses: distortion is undone once, from then on a picture is the plane at
 * depth 1 of its camera. Internal to view. */
#ifndef SNW_VIEW_EYE_H
#define SNW_VIEW_EYE_H

#include "view/sighting.h"

/* A camera without its lens: rows of the rotation and the translation from the world. */
typedef struct snw__eye {
    snw_mat3 turn; /* camera_from_world */
    snw_vec3 shift;
    snw_vec3 place;
    bool is_used;
} snw__eye;

/* What was seen, in that plane. */
typedef struct snw__flat {
    double x, y;
    double precision; /* one over the variance of a coordinate */
} snw__flat;

snw__eye snw__eye_of(const snw_camera *camera);
/* Where a point stands in the plane; its depth, or 0 behind the camera. */
double snw__eye_look(const snw__eye *eye, snw_vec3 world, double at[2]);
/* Adds what was seen to the equations of a place, weighed by Geman & McClure's cost where scale2,
 * in variances, is above 0. Its squared distance in variances; infinite behind the camera. */
double snw__eye_add(snw__normal *normal, const snw__eye *eye, const snw__flat *seen, snw_vec3 p,
                    double scale2);

#endif
