/* Calibration of captures whose trackers are frames of bones. Internal. */
#ifndef SNW_AVATAR_BONE_FRAMES_H
#define SNW_AVATAR_BONE_FRAMES_H

#include <sinew/avatar.h>

/* False where the capture is of another kind; the profile is then as it was. `seconds` at the start
 * are measured. */
bool snw__bone_frames_calibrate(const snw_avatar_capture *capture, double seconds,
                                snw_avatar_profile *profile);

#endif
