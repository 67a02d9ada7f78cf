/* The skeleton of an avatar: joints and their order. Internal. */
#ifndef SNW_AVATAR_AVATAR_BODY_H
#define SNW_AVATAR_AVATAR_BODY_H

#include <sinew/avatar.h>

/* Trunk, then clavicle, shoulder, elbow, forearm, wrist of the left and the right arm, then hip,
 * knee, ankle of both legs. */
enum {
    SNW__AVATAR_PELVIS,
    SNW__AVATAR_SPINE,
    SNW__AVATAR_CHEST_JOINT,
    SNW__AVATAR_NECK,
    SNW__AVATAR_HEAD_JOINT,
    SNW__AVATAR_ARM,
    SNW__AVATAR_ARM_JOINTS = 5,
    SNW__AVATAR_LEG = SNW__AVATAR_ARM + 2 * SNW__AVATAR_ARM_JOINTS,
    SNW__AVATAR_LEG_JOINTS = 3,
    SNW__AVATAR_JOINTS = SNW__AVATAR_LEG + 2 * SNW__AVATAR_LEG_JOINTS
};

/* Where the collar bone starts, from the chest joint, in its frame: a tenth of the way out to the
 * shoulder, at four fifths of its height. */
snw_vec3 snw__avatar_clavicle_root(const snw_avatar_profile *profile, int side);

snw_status snw__avatar_body_create(const snw_avatar_profile *profile,
                                   const snw_allocator *allocator, snw_skeleton **out,
                                   snw_error *error);

#endif
