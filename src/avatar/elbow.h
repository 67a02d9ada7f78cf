/* Methods that pick a point of the elbow circle. Internal. Elevations in radians. */
#ifndef SNW_AVATAR_ELBOW_H
#define SNW_AVATAR_ELBOW_H

#include <sinew/avatar.h>

/* Unit direction from the circle's centre at an elevation. */
snw_vec3 snw__elbow_way(const snw_elbow_circle *circle, double elevation);
/* `last` is the elevation of the frame before; the result lies in middle +- half. */
double snw__elbow_from_plane(const snw_elbow_circle *circle, snw_plane hand, double last,
                             double middle, double half);
/* `last` where head, shoulder and wrist lie in line. */
double snw__elbow_palm_to_head(const snw_elbow_circle *circle, snw_vec3 shoulder, snw_vec3 head,
                               double last);

#endif
