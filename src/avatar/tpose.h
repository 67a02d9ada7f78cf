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

#endif
