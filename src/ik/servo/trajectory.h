/* Poses as coordinates of a path, and a motion along it. Internal to ik. */
#ifndef SNW_IK_TRAJECTORY_H
#define SNW_IK_TRAJECTORY_H

#include <sinew/ik_servo.h>

#include "ik/core/method.h"

/* Coordinates: those of the skeleton, then six of the root (slide, turn). */
static inline int snw__path_width(const snw_skeleton *skeleton)
{
    return skeleton->dof_count + 6;
}

/* From one pose to another: the turn of a ball in the frame it starts from. */
void snw__path_way(const snw_pose *from, const snw_pose *to, double *way);
/* The pose that lies `offset` (path width) from `from`, inside the limits; world not filled. */
void snw__path_pose(const snw_pose *from, const double *offset, snw_pose *pose);

/* Limits of every coordinate (path width each). */
typedef struct snw__path_limit {
    double *velocity, *acceleration, *jerk;
} snw__path_limit;

void snw__path_fill_limit(const snw_skeleton *skeleton, const snw_trajectory_options *options,
                          snw__path_limit *limit);
/* SNW_OK, or the sentence that says which coordinate moves without a limit; way: path width. */
snw_status snw__path_check(const snw_skeleton *skeleton, const snw__path_limit *limit,
                           const double *way, snw_error *error);
snw_status snw__trajectory_check(const snw_trajectory_options *options,
                                 const snw_skeleton *skeleton, snw_error *error);

#endif
