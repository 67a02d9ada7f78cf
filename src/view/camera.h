/* What a camera makes of a point in its own frame. Internal. */
#ifndef SNW_VIEW_CAMERA_H
#define SNW_VIEW_CAMERA_H

#include <sinew/view.h>

/* The pixel of a point in the camera's frame and its derivatives by that; false behind it. */
bool snw__camera_look(const snw_camera *camera, snw_vec3 in_camera, double pixel[2],
                      snw_vec3 by_camera[2]);

#endif
