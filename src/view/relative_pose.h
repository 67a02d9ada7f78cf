/* Where cameras stand, from nothing but what they see alike. Internal to view. */
#ifndef SNW_VIEW_RELATIVE_POSE_H
#define SNW_VIEW_RELATIVE_POSE_H

#include "view/sighting.h"

/* The same point in two pictures without lenses. */
typedef struct snw__common_point {
    double a[2], b[2];
} snw__common_point;

/* The pose of the second camera in the frame of the first, one unit away, and how many of the
 * points agree within `tolerance` (of the plane at depth 1); 0: none was found. `is_in` (count) or
 * NULL. */
int snw__relative_pose(const snw__common_point *point, int count, double tolerance, snw_xform *out,
                       bool *is_in);

/* A point of the world in a picture without a lens. */
typedef struct snw__placed_point {
    snw_vec3 place;
    double at[2];
} snw__placed_point;

/* camera_from_world from points whose places are known; how many agree. */
int snw__resection(const snw__placed_point *point, int count, double tolerance, snw_xform *out);

#endif
