/* Which label of a trial is which tracker, in the words that people and programs use. */
#include "avatar/tracker_label.h"

#include <ctype.h>
#include <string.h>

#include "label/label_grammar.h"

const char *snw_avatar_role_name(snw_avatar_role role)
{
    static const char *const names[] = {"head",  "chest",     "left_hand", "right_hand",
                                        "waist", "left_foot", "right_foot"};
    return (unsigned)role < SNW_AVATAR_ROLE_COUNT ? names[role] : "?";
}

snw_avatar_role snw_avatar_role_from_label(const char *label)
{
    if (!label) return SNW_AVATAR_ROLE_COUNT;
    snw_label at = snw_label_read(label);
    if (at.kind != SNW_LABEL_LANDMARK || !at.is_whole) return SNW_AVATAR_ROLE_COUNT;
    snw_side side = at.side;
    switch (snw__landmark_at(at.landmark)->tracker) {
    case SNW_PART_HEAD:
        return side == SNW_SIDE_NONE ? SNW_AVATAR_HEAD : SNW_AVATAR_ROLE_COUNT;
    case SNW_PART_CHEST:
        return side == SNW_SIDE_NONE ? SNW_AVATAR_CHEST : SNW_AVATAR_ROLE_COUNT;
    case SNW_PART_HIPS:
        return side == SNW_SIDE_NONE ? SNW_AVATAR_WAIST : SNW_AVATAR_ROLE_COUNT;
    case SNW_PART_HAND:
        return side ? SNW_AVATAR_RIGHT_HAND : SNW_AVATAR_LEFT_HAND;
    case SNW_PART_FOOT:
        return side ? SNW_AVATAR_RIGHT_FOOT : SNW_AVATAR_LEFT_FOOT;
    default:
        return SNW_AVATAR_ROLE_COUNT;
    }
}

/* The marker at the joint where a part begins: its centre, else the one on its outer side or above
 * it; -1: none. ART-Human calls a bone by its upper end: LLAR, the lower arm, is the elbow. */
static int find_joint(const snw_trial *trial, snw_part joint, snw_side side)
{
    int found = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        snw_label at = snw_label_read(trial->marker[m].name);
        if (!at.is_whole || at.joint != joint || at.part != snw_part_parent(joint)) continue;
        if (at.side != side || at.spot == SNW_SPOT_MEDIAL) continue;
        if (at.spot == SNW_SPOT_CENTER) return m;
        if (found < 0) found = m;
    }
    return found;
}

/* Marker called NAME with one more letter at its end, or -1. */
static int axis_marker(const snw_trial *trial, int marker, char letter)
{
    const char *name = trial->marker[marker].name;
    size_t length = strlen(name);
    for (int m = 0; m < trial->marker_count; m++) {
        const char *other = trial->marker[m].name;
        if (strlen(other) == length + 1 && memcmp(other, name, length) == 0 &&
            toupper((unsigned char)other[length]) == letter)
            return m;
    }
    return -1;
}

/* The marker that is the landmark; -1 if none. */
static int find_landmark(const snw_trial *trial, snw__landmark landmark, snw_side side)
{
    for (int m = 0; m < trial->marker_count; m++) {
        snw_label at = snw_label_read(trial->marker[m].name);
        if (at.is_whole && at.landmark == (int)landmark && at.side == side) return m;
    }
    return -1;
}

/* Points that ride on the chest together, for captures whose chest has no tracker: the one that is
 * the chest's place, then left and right or upper and lower. *is_bone: they are ends of bones. */
static bool find_chest_points(const snw_trial *trial, int marker[3], bool *is_bone)
{
    static const struct {
        snw__landmark landmark;
        snw_side side;
    } sets[][3] = {{{SNW__LANDMARK_UTSP, SNW_SIDE_NONE},
                    {SNW__LANDMARK_SHO, SNW_SIDE_LEFT},
                    {SNW__LANDMARK_SHO, SNW_SIDE_RIGHT}},
                   {{SNW__LANDMARK_STRN, SNW_SIDE_NONE},
                    {SNW__LANDMARK_CLAV, SNW_SIDE_NONE},
                    {SNW__LANDMARK_T10, SNW_SIDE_NONE}},
                   {{SNW__LANDMARK_STRN, SNW_SIDE_NONE},
                    {SNW__LANDMARK_CLAV, SNW_SIDE_NONE},
                    {SNW__LANDMARK_C7, SNW_SIDE_NONE}}};
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        bool is_whole = true;
        for (int k = 0; k < 3; k++) {
            marker[k] = find_landmark(trial, sets[n][k].landmark, sets[n][k].side);
            is_whole = is_whole && marker[k] >= 0;
        }
        *is_bone = n == 0;
        if (is_whole) return true;
    }
    return false;
}

snw__tracker_source snw__tracker_source_find(const snw_trial *trial)
{
    snw__tracker_source source;
    memset(&source, -1, sizeof source);
    for (int r = 0; r < trial->rotation_count; r++) {
        snw_avatar_role role = snw_avatar_role_from_label(trial->rotation_label[r].name);
        if (role < SNW_AVATAR_ROLE_COUNT && source.rotation[role] < 0) source.rotation[role] = r;
    }
    for (int m = 0; m < trial->marker_count; m++) {
        const char *name = trial->marker[m].name;
        snw_avatar_role role = snw_avatar_role_from_label(name);
        int y = axis_marker(trial, m, 'Y'), z = axis_marker(trial, m, 'Z');
        if (role < SNW_AVATAR_ROLE_COUNT && y >= 0 && z >= 0 && source.marker[role][0] < 0) {
            source.marker[role][0] = m;
            source.marker[role][1] = y;
            source.marker[role][2] = z;
        }
    }
    for (int side = 0; side < 2; side++) {
        source.elbow[side] = find_joint(trial, SNW_PART_FOREARM, (snw_side)side);
        source.shoulder[side] = find_joint(trial, SNW_PART_ARM, (snw_side)side);
    }
    bool has_chest =
        source.rotation[SNW_AVATAR_CHEST] >= 0 || source.marker[SNW_AVATAR_CHEST][0] >= 0;
    int points[3];
    bool is_bone = false;
    source.is_chest_of_points = !has_chest && find_chest_points(trial, points, &is_bone);
    source.is_chest_bone = source.is_chest_of_points && is_bone;
    for (int k = 0; k < 3 && source.is_chest_of_points; k++)
        source.marker[SNW_AVATAR_CHEST][k] = points[k];
    return source;
}
