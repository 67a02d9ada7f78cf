/* One arm of an avatar over time: shoulder, elbow and forearm between the chest and a hand that is
 * where its tracker is. Internal. */
#ifndef SNW_AVATAR_AVATAR_ARM_H
#define SNW_AVATAR_AVATAR_ARM_H

#include <sinew/avatar.h>

/* What an arm remembers of its last frame. */
typedef struct snw__avatar_arm {
    bool is_running;
    snw_vec3 swivel;    /* unit, across the arm, chest frame */
    snw_vec3 wrist;     /* world */
    snw_vec3 step;      /* metres per frame of the wrist, smoothed */
    snw_vec3 elbow;     /* world */
    double elevation;   /* of the literature's methods */
    snw_xform in_chest; /* hand while it is lost */
} snw__avatar_arm;

typedef struct snw__avatar_arm_input {
    const snw_avatar_profile *profile;
    const snw_avatar_options *options;
    bool has_swivel_extra; /* the profile's `swivel` is not zero */
    int side;
    double dt;                /* seconds since the last frame */
    snw_xform chest;          /* world_from_bone */
    snw_vec3 head;            /* world */
    const snw_xform *hand;    /* world_from_bone, or NULL: lost */
    const snw_vec3 *shoulder; /* world, where a capture shows it, or NULL: it rides on the chest */
} snw__avatar_arm_input;

/* Turns clavicle, shoulder, elbow, forearm and wrist of that side; fills the report's fields of
 * it. */
void snw__avatar_arm_step(snw__avatar_arm *arm, const snw__avatar_arm_input *input, snw_pose *pose,
                          snw_avatar_report *report);

#endif
