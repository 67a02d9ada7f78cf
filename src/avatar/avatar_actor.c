/* A person with trackers on as an actor: the skeleton, a marker on its bone for each tracker, and
 * what neither says as values: "tracker NAME" is tracker_from_bone (qw qx qy qz x y z), "avatar"
 * chest height, ankle height and the line of hand-elevation, "swivel" what calibration adds to the
 * regression of `auto` (rows of three, only where there is something). */
#include <string.h>

#include "actor/actor.h"
#include "avatar/avatar_body.h"
#include "base/fail.h"
#include "person/anthropometry.h"
#include "person/movement.h"

enum {
    AVATAR_VALUES = SNW_AVATAR_ROLE_COUNT + 2,
    AVATAR_NUMBERS = 5,
    AVATAR_SWIVEL_NUMBERS = 3 * SNW_AVATAR_SWIVEL_ROWS
};

/* Everything of an actor but its skeleton. */
typedef struct avatar_kept {
    int marker_count, value_count;
    snw_actor_marker marker[SNW_AVATAR_ROLE_COUNT];
    snw_actor_value value[AVATAR_VALUES];
    char name[SNW_AVATAR_ROLE_COUNT][32];
    double tracker[SNW_AVATAR_ROLE_COUNT][7];
    double number[AVATAR_NUMBERS];
    double swivel[AVATAR_SWIVEL_NUMBERS];
} avatar_kept;

static void add_value(avatar_kept *kept, const char *name, const double *number, int count)
{
    kept->value[kept->value_count].name = name;
    kept->value[kept->value_count].number = number;
    kept->value[kept->value_count++].count = count;
}

snw_status snw_avatar_profile_to_actor(const snw_avatar_profile *profile,
                                       const snw_allocator *allocator, snw_actor **out,
                                       snw_error *error)
{
    if (!profile || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "profile or out is NULL");
    *out = NULL;
    snw_skeleton *body = NULL;
    avatar_kept kept;
    memset(&kept, 0, sizeof kept);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        if (!profile->has_tracker[role]) continue;
        snw_xform t = profile->tracker_from_bone[role];
        const double numbers[7] = {t.rotation.w,    t.rotation.x,    t.rotation.y,   t.rotation.z,
                                   t.translation.x, t.translation.y, t.translation.z};
        const char *name = snw_avatar_role_name((snw_avatar_role)role);
        snw_actor_marker *marker = &kept.marker[kept.marker_count++];
        marker->name = name;
        static const int joints[SNW_AVATAR_ROLE_COUNT] = {
            SNW__AVATAR_HEAD_JOINT,
            SNW__AVATAR_CHEST_JOINT,
            SNW__AVATAR_ARM + SNW__AVATAR_ARM_JOINTS - 1,
            SNW__AVATAR_ARM + 2 * SNW__AVATAR_ARM_JOINTS - 1,
            SNW__AVATAR_PELVIS,
            SNW__AVATAR_LEG + SNW__AVATAR_LEG_JOINTS - 1,
            SNW__AVATAR_LEG + 2 * SNW__AVATAR_LEG_JOINTS - 1};
        marker->joint = joints[role];
        marker->offset = snw_xform_inverse(t).translation;
        /* metres: of a tracker's place */
        marker->noise = SNW__NOISE_POOR;
        memcpy(kept.tracker[role], numbers, sizeof numbers);
        snw_format(kept.name[role], sizeof kept.name[role], "tracker %s", name);
        add_value(&kept, kept.name[role], kept.tracker[role], 7);
    }
    const double numbers[AVATAR_NUMBERS] = {profile->chest_height, profile->ankle,
                                            profile->elevation[0], profile->elevation[1],
                                            profile->elevation_sign};
    memcpy(kept.number, numbers, sizeof numbers);
    add_value(&kept, "avatar", kept.number, AVATAR_NUMBERS);
    bool has_swivel = false;
    for (int n = 0; n < AVATAR_SWIVEL_NUMBERS; n++) {
        kept.swivel[n] = profile->swivel[n / 3][n % 3];
        has_swivel = has_swivel || kept.swivel[n] != 0;
    }
    if (has_swivel) add_value(&kept, "swivel", kept.swivel, AVATAR_SWIVEL_NUMBERS);
    snw_status status = snw__avatar_body_create(profile, allocator, &body, error);
    const snw__actor_parts parts = {kept.marker, kept.marker_count, kept.value, kept.value_count};
    if (status == SNW_OK) status = snw__actor_assemble(body, &parts, allocator, out, error);
    snw_skeleton_destroy(body);
    return status;
}

/* ---- and back ------------------------------------------------------------------------------ */

static void read_trackers(const snw_actor *actor, snw_avatar_profile *p)
{
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        char name[32];
        snw_format(name, sizeof name, "tracker %s", snw_avatar_role_name((snw_avatar_role)role));
        const snw_actor_value *value = snw_actor_find_value(actor, name);
        p->has_tracker[role] = value && value->count == 7;
        if (!p->has_tracker[role]) continue;
        const double *n = value->number;
        p->tracker_from_bone[role] =
            snw_xform_make(snw_quat_normalize(snw_quat_make(n[0], n[1], n[2], n[3])),
                           snw_vec3_make(n[4], n[5], n[6]));
    }
}

snw_status snw_avatar_profile_from_actor(const snw_actor *actor, snw_avatar_profile *profile,
                                         snw_error *error)
{
    if (!actor || !profile)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "actor or profile is NULL");
    const snw_actor_value *value = snw_actor_find_value(actor, "avatar");
    if (!value || value->count != AVATAR_NUMBERS ||
        actor->skeleton->joint_count != SNW__AVATAR_JOINTS)
        return snw__fail(error, SNW_FORMAT, "this actor is no upper body with trackers");
    *profile = snw_avatar_profile_default(SNW__STATURE_MAN);
    read_trackers(actor, profile);
    /* The inverse of snw__avatar_body_create. */
    const snw_xform *rest = actor->skeleton->rest;
    profile->spine[0] = rest[SNW__AVATAR_SPINE].translation.y;
    profile->spine[1] = rest[SNW__AVATAR_CHEST_JOINT].translation.y;
    profile->neck = rest[SNW__AVATAR_NECK].translation;
    profile->neck_length = snw_vec3_length(rest[SNW__AVATAR_HEAD_JOINT].translation);
    for (int side = 0; side < 2; side++) {
        const snw_xform *arm = rest + SNW__AVATAR_ARM + side * SNW__AVATAR_ARM_JOINTS;
        profile->shoulder[side] = snw_vec3_add(arm[0].translation, arm[1].translation);
        profile->upper_arm[side] = fabs(arm[2].translation.x);
        profile->forearm[side] = fabs(arm[3].translation.x + arm[4].translation.x);
    }
    const snw_xform *leg = rest + SNW__AVATAR_LEG;
    profile->hip_width = 2 * fabs(leg[0].translation.x);
    profile->thigh = fabs(leg[1].translation.y);
    profile->shank = fabs(leg[2].translation.y);
    profile->chest_height = value->number[0];
    profile->ankle = value->number[1];
    profile->elevation[0] = value->number[2];
    profile->elevation[1] = value->number[3];
    profile->elevation_sign = value->number[4] < 0 ? -1 : 1;
    value = snw_actor_find_value(actor, "swivel");
    for (int n = 0; value && value->count == AVATAR_SWIVEL_NUMBERS && n < value->count; n++)
        profile->swivel[n / 3][n % 3] = (float)value->number[n];
    return snw__succeed(error);
}
