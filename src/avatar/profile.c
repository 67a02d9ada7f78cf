/* A person with trackers on: proportions, and the usual places of trackers. */
#include <string.h>

#include <sinew/avatar.h>

#include "avatar/body_plan_avatar.h"
#include "person/anthropometry.h"

/* Where a tracker usually sits from its joint, metres, body axes in the T-pose (left hand; the
 * right one is its mirror image): a headset before the eyes, a strap on the breastbone, the back of
 * the hand, the small of the back, the instep. */
static const double profile_places[SNW_AVATAR_ROLE_COUNT][3] = {
    {0, 0.10, 0.08},  {0, 0.05, 0.12}, {0.03, 0.02, 0}, {-0.03, 0.02, 0},
    {0, 0.05, -0.12}, {0, 0.02, 0.08}, {0, 0.02, 0.08},
};

snw_vec3 snw__avatar_usual_place(snw_avatar_role role)
{
    const double *p = profile_places[role];
    return snw_vec3_make(p[0], p[1], p[2]);
}

double snw__avatar_chest_height(const snw_avatar_profile *p, double height)
{
    double span = p->upper_arm[0] + p->forearm[0] + fabs(p->shoulder[0].x);
    double by_span = span * SNW__CHEST_HEIGHT / SNW__HALF_SPAN;
    return height > 0.75 * by_span && height < 1.3 * by_span ? height : by_span;
}

/* Lengths that no tracker shows, from the height of the chest joint above the floor. Fractions are
 * means over the CMU skeletons of scripts/fit_swivel_prior; legs split after Drillis & Contini. */
void snw__avatar_lower_body(snw_avatar_profile *profile, double chest_height)
{
    double pelvis = 0.80 * chest_height, hip = pelvis - 0.075 * chest_height;
    profile->chest_height = chest_height;
    profile->spine[0] = 0.5 * (chest_height - pelvis);
    profile->spine[1] = 0.5 * (chest_height - pelvis);
    profile->hip_width = 0.15 * chest_height;
    profile->ankle = 0.055 * chest_height;
    profile->thigh = 0.505 * (hip - profile->ankle);
    profile->shank = 0.495 * (hip - profile->ankle);
}

snw_avatar_profile snw_avatar_profile_default(double stature)
{
    snw_avatar_profile profile;
    memset(&profile, 0, sizeof profile);
    if (!(stature > 0.3 && stature < 3)) stature = SNW__STATURE_MAN;
    double half_span = SNW__HALF_SPAN * stature;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        profile.has_tracker[role] = role <= SNW_AVATAR_RIGHT_HAND;
        profile.tracker_from_bone[role] = snw_xform_make(
            snw_quat_identity(), snw_vec3_neg(snw__avatar_usual_place((snw_avatar_role)role)));
    }
    for (int side = 0; side < 2; side++) {
        double width = SNW__SHOULDER_OF_SPAN * half_span, arm = half_span - width;
        profile.shoulder[side] = snw_vec3_make(side ? -width : width, SNW__SHOULDER_RISE, 0);
        profile.forearm[side] = SNW__FOREARM_OF_ARM * arm;
        profile.upper_arm[side] = arm - profile.forearm[side];
    }
    profile.neck = snw_vec3_make(0, 0.052 * stature, -0.006 * stature);
    profile.neck_length = 0.052 * stature;
    profile.elevation[0] =
        1.364432; /* Casanueva 1999, 6.3.2: the better of the two printed lines */
    profile.elevation[1] = -52.4902;
    profile.elevation_sign = 1;
    snw__avatar_lower_body(&profile, SNW__CHEST_HEIGHT * stature);
    return profile;
}
