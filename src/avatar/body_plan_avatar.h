/* Proportions of an upper body and the places of its trackers. Internal.
 *
 * Means over 13 arms of seven skeletons of the CMU database (shoulder share 0.28 +- 0.025, forearm
 * share 0.38 +- 0.03, shoulder 6 +- 2 cm above the chest joint), as fractions of half the span from
 * wrist to wrist in the T-pose. */
#ifndef SNW_AVATAR_BODY_PLAN_AVATAR_H
#define SNW_AVATAR_BODY_PLAN_AVATAR_H

#include <sinew/avatar.h>

#include "avatar/avatar_constants.h"

/* Tracker from joint, metres, body axes in the T-pose. */
snw_vec3 snw__avatar_usual_place(snw_avatar_role role);
/* Height of the chest joint above the floor: `height` if that can be, else by the arms' span. */
double snw__avatar_chest_height(const snw_avatar_profile *profile, double height);
void snw__avatar_lower_body(snw_avatar_profile *profile, double chest_height);

#endif
