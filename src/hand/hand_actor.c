/* A hand as an actor: the skeleton of its 25 joints, the eight markers where they sit, and what no
 * joint says: how far a fist cups the palm and the share of the metacarpals at which the back
 * markers are (value "hand"). */
#include <string.h>

#include "actor/actor.h"
#include "base/fail.h"
#include "hand/hand_body.h"
#include "hand/palm.h"
#include "person/anthropometry.h"

static snw_vec3 mirror_if_left(snw_vec3 v, snw_side side)
{
    return side == SNW_SIDE_LEFT ? snw__hand_mirror(v) : v;
}

typedef struct hand_actor_markers {
    char name[3 + SNW_HAND_FINGERS][32];
    snw_actor_marker marker[3 + SNW_HAND_FINGERS];
} hand_actor_markers;

snw_status snw_hand_profile_to_actor(const snw_hand_profile *profile,
                                     const snw_allocator *allocator, snw_actor **out,
                                     snw_error *error)
{
    if (!profile || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "profile or out is NULL");
    *out = NULL;
    snw_skeleton *body = NULL;
    hand_actor_markers markers;
    const double numbers[3] = {profile->back_share, profile->back_height, profile->cup};
    const snw_actor_value value = {"hand", numbers, 3};
    static const char *const words[] = {"wrist",     "back_index", "back_little", "thumb_tip",
                                        "index_tip", "middle_tip", "ring_tip",    "little_tip"};
    snw_vec3 offset[3];
    snw__palm_template(profile, offset);
    for (int m = 0; m < 3 + SNW_HAND_FINGERS; m++) {
        snw_actor_marker *marker = &markers.marker[m];
        snw_format(markers.name[m], sizeof markers.name[m], "%s_%s",
                   profile->side == SNW_SIDE_LEFT ? "left" : "right", words[m]);
        marker->name = markers.name[m];
        marker->joint = m < 3 ? 0 : snw__hand_joint(m - 3, 3);
        marker->offset = m < 3 ? mirror_if_left(offset[m], profile->side) : snw_vec3_make(0, 0, 0);
        marker->noise = snw_hand_options_default().marker_noise;
    }
    snw_status status = snw__hand_body_create(profile, allocator, &body, error);
    const snw__actor_parts parts = {markers.marker, 3 + SNW_HAND_FINGERS, &value, 1};
    if (status == SNW_OK) status = snw__actor_assemble(body, &parts, allocator, out, error);
    snw_skeleton_destroy(body);
    return status;
}

snw_status snw_hand_profile_from_actor(const snw_actor *actor, snw_hand_profile *profile,
                                       snw_error *error)
{
    if (!actor || !profile)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "actor or profile is NULL");
    const snw_skeleton *body = actor->skeleton;
    const snw_actor_value *value = snw_actor_find_value(actor, "hand");
    bool is_left = strncmp(body->name[0], "left_wrist", 10) == 0;
    if (!value || value->count != 3 || body->joint_count != SNW__HAND_JOINT_COUNT ||
        (!is_left && strncmp(body->name[0], "right_wrist", 11) != 0))
        return snw__fail(error, SNW_FORMAT, "this actor is no hand: its first joint is %s",
                         body->name[0]);
    *profile = snw_hand_profile_default(is_left ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT, SNW__HAND_LENGTH);
    profile->back_share = value->number[0];
    profile->back_height = value->number[1];
    profile->cup = snw_clamp(value->number[2], 0, 1);
    for (int k = 0; k < SNW_HAND_FINGERS; k++) {
        /* The inverse of snw__hand_body_create for one finger. */
        int base = snw__hand_joint(k, 0);
        snw_vec3 place = body->rest[base].translation;
        snw_quat turn = body->rest[base].rotation;
        if (k != SNW_HAND_THUMB) place = snw_vec3_add(place, body->rest[base - 1].translation);
        profile->base[k] = mirror_if_left(place, profile->side);
        profile->rest[k] =
            profile->side == SNW_SIDE_LEFT ? snw_quat_make(turn.w, turn.x, -turn.y, -turn.z) : turn;
        for (int n = 0; n < 3; n++)
            profile->bone[k][n] =
                snw_vec3_length(body->rest[snw__hand_joint(k, n + 1)].translation);
    }
    return snw__succeed(error);
}
