/* Which label of a trial is which tracker, in the words that people and programs use. */
#include "avatar/tracker_label.h"

#include <ctype.h>
#include <string.h>

#define LABEL_WORD_SIZE 48

const char *snw_avatar_role_name(snw_avatar_role role)
{
    static const char *const names[] = {"head",  "chest",     "left_hand", "right_hand",
                                        "waist", "left_foot", "right_foot"};
    return (unsigned)role < SNW_AVATAR_ROLE_COUNT ? names[role] : "?";
}

/* "Human3:L_Hand" -> "lhand" */
static void plain_word(const char *label, char word[LABEL_WORD_SIZE])
{
    const char *colon = strrchr(label, ':');
    int n = 0;
    for (const char *at = colon ? colon + 1 : label; *at && n < LABEL_WORD_SIZE - 1; at++)
        if (isalnum((unsigned char)*at)) word[n++] = (char)tolower((unsigned char)*at);
    word[n] = 0;
}

static bool is_listed(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* Takes the side off a plain word: 0 left, 1 right, -1 none. */
static int take_side(char *word)
{
    static const char *const sides[2] = {"left", "right"};
    for (int side = 0; side < 2; side++) {
        size_t length = strlen(word), size = strlen(sides[side]);
        if (length > size && memcmp(word, sides[side], size) == 0) {
            memmove(word, word + size, length - size + 1);
            return side;
        }
        if (length > size && strcmp(word + length - size, sides[side]) == 0) {
            word[length - size] = 0;
            return side;
        }
    }
    size_t length = strlen(word);
    if (length > 2 && (word[0] == 'l' || word[0] == 'r')) {
        int side = word[0] == 'r';
        memmove(word, word + 1, length);
        return side;
    }
    return -1;
}

snw_avatar_role snw_avatar_role_from_label(const char *label)
{
    static const char *const heads[] = {"head", "hmd", "headset", "headtracker", NULL};
    static const char *const chests[] = {"chest",   "thorax",       "torso",
                                         "sternum", "chesttracker", NULL};
    static const char *const waists[] = {"waist", "pelvis", "hips", "hip", "waisttracker", NULL};
    static const char *const hands[] = {"hand", "han", "wrist", "controller", "palm", NULL};
    static const char *const feet[] = {"foot", "foo", "feet", "ankle", "shoe", NULL};
    char word[LABEL_WORD_SIZE];
    if (!label) return SNW_AVATAR_ROLE_COUNT;
    plain_word(label, word);
    if (is_listed(word, heads)) return SNW_AVATAR_HEAD;
    if (is_listed(word, chests)) return SNW_AVATAR_CHEST;
    if (is_listed(word, waists)) return SNW_AVATAR_WAIST;
    int side = take_side(word);
    if (side < 0) return SNW_AVATAR_ROLE_COUNT;
    if (is_listed(word, hands)) return side ? SNW_AVATAR_RIGHT_HAND : SNW_AVATAR_LEFT_HAND;
    if (is_listed(word, feet)) return side ? SNW_AVATAR_RIGHT_FOOT : SNW_AVATAR_LEFT_FOOT;
    return SNW_AVATAR_ROLE_COUNT;
}

/* The side of a label that is one of the words: 0 left, 1 right, -1: it is none. */
static int side_of_joint(const char *label, const char *const *words)
{
    char word[LABEL_WORD_SIZE];
    plain_word(label, word);
    int side = take_side(word);
    return is_listed(word, words) ? side : -1;
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

/* Marker of that name, whatever stands before its colon; -1 if none. */
static int find_label(const snw_trial *trial, const char *name)
{
    for (int m = 0; m < trial->marker_count; m++) {
        const char *label = trial->marker[m].name, *colon = strrchr(label, ':');
        if (strcmp(colon ? colon + 1 : label, name) == 0) return m;
    }
    return -1;
}

/* Points that ride on the chest together, for captures whose chest has no tracker: the one that is
 * the chest's place, then left and right or upper and lower. *is_bone: they are ends of bones. */
static bool find_chest_points(const snw_trial *trial, int marker[3], bool *is_bone)
{
    static const char *const sets[][3] = {
        {"UTSP", "LSHO", "RSHO"}, {"STRN", "CLAV", "T10"}, {"STRN", "CLAV", "C7"}};
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        bool is_whole = true;
        for (int k = 0; k < 3; k++) {
            marker[k] = find_label(trial, sets[n][k]);
            is_whole = is_whole && marker[k] >= 0;
        }
        *is_bone = n == 0;
        if (is_whole) return true;
    }
    return false;
}

snw__tracker_source snw__tracker_source_find(const snw_trial *trial)
{
    /* ART-Human calls a bone by its upper end: LLAR, the lower arm, is the elbow. */
    static const char *const elbows[] = {"elbow", "lar", NULL};
    static const char *const shoulders[] = {"shoulder", "uar", NULL};
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
        int side = side_of_joint(name, elbows);
        if (side >= 0 && source.elbow[side] < 0) source.elbow[side] = m;
        side = side_of_joint(name, shoulders);
        if (side >= 0 && source.shoulder[side] < 0) source.shoulder[side] = m;
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
