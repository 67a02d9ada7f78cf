/* An actor whose joints are points of the capture. Internal. */
#ifndef SNW_CALIBRATE_JOINT_POINTS_H
#define SNW_CALIBRATE_JOINT_POINTS_H

#include <sinew/calibrate.h>

/* A skeleton with constant bones through points that labels know as joints
 * (snw__labels_are_joints), which keeps their noise (snw__joint_points_noise). label
 * (marker_count). SNW_DEGENERATE: hips or a bone are never seen. */
snw_status snw__actor_from_joints(const snw_trial *trial, const snw_label *label,
                                  const snw_allocator *allocator, snw_actor **out,
                                  snw_error *error);

#endif
