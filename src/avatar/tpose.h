/* What calibration and learning share. Internal. */
#ifndef SNW_AVATAR_TPOSE_H
#define SNW_AVATAR_TPOSE_H

#include "avatar/swivel.h"

/* The wrist of a frame that has chest and hand, in the chest's frame. */
snw_vec3 snw__avatar_wrist_in_chest(const snw_avatar_profile *profile,
                                    const snw_avatar_frame *frame, int side);
/* The same arm as the regression sees it, mirrored to the left; lengths times `scale`. */
snw__swivel_input snw__avatar_swivel_input(const snw_avatar_profile *profile,
                                           const snw_avatar_frame *frame, int side, double scale);

/* +x, +y, +z, -x, -y, -z for 0 to 5. */
snw_vec3 snw__signed_axis(int n);

/* An arm in the T-pose. */
typedef struct snw__tpose_arm {
    snw_vec3 wrist; /* in the T-pose, chest frame */
    snw_vec3 line;  /* unit, from the shoulder outward, chest frame */
} snw__tpose_arm;

/* Where the shoulder is if it is `x` from the middle of the body, on the line of the arm. */
snw_vec3 snw__tpose_shoulder_at(const snw__tpose_arm *arm, double x);
/* The width at which reach and prior agree best (arm_length.c). `first` is the first frame after
 * the T-pose. */
double snw__tpose_settle_width(const snw_avatar_capture *capture, const snw_avatar_profile *profile,
                               int side, int first, const snw__tpose_arm *arm);
/* Divides both arms at their elbows. */
void snw__tpose_divide_arms(const snw_avatar_capture *capture, int first,
                            snw_avatar_profile *profile);

#endif
