/* Proportions of an upper body and the places of its trackers. Internal.
 *
 * Means over 13 arms of seven skeletons of the CMU database (shoulder share 0.28 +- 0.025, forearm
 * share 0.38 +- 0.03, shoulder 6 +- 2 cm above the chest joint), as fractions of half the span from
 * wrist to wrist in the T-pose. */
#ifndef SNW_AVATAR_BODY_PLAN_AVATAR_H
#define SNW_AVATAR_BODY_PLAN_AVATAR_H

#include <sinew/avatar.h>

#define SNW__AVATAR_HALF_SPAN      0.38  /* of stature: middle of the body to the wrist */
#define SNW__AVATAR_SHOULDER_SHARE 0.281 /* of half the span: middle to the shoulder joint */
#define SNW__AVATAR_FOREARM_SHARE  0.383 /* of the arm: elbow to wrist */
#define SNW__AVATAR_SHOULDER_RISE  0.058 /* metres, above the chest joint */
#define SNW__AVATAR_CHEST_HEIGHT   0.675 /* of stature */

/* Tracker from joint, metres, body axes in the T-pose. */
snw_vec3 snw__avatar_usual_place(snw_avatar_role role);
/* Height of the chest joint above the floor: `height` if that can be, else by the arms' span. */
double snw__avatar_chest_height(const snw_avatar_profile *profile, double height);
void snw__avatar_lower_body(snw_avatar_profile *profile, double chest_height);

#endif
