/* Which part of a person a joint is, by its name, and what other programs call that part. */
#include <string.h>

#include <sinew/rig.h>

#include "body/rig.h"

/* ---- reading names --------------------------------------------------------------------------- */

typedef struct part_word {
    const char *word;
    snw_part part;
} part_word;

/* The first that a name contains decides, so that longer words stand before those inside them. */
static const part_word part_words[] = {
    {"upleg", SNW_PART_UPLEG},       {"upperleg", SNW_PART_UPLEG},    {"thigh", SNW_PART_UPLEG},
    {"femur", SNW_PART_UPLEG},       {"lowerleg", SNW_PART_LEG},      {"shin", SNW_PART_LEG},
    {"calf", SNW_PART_LEG},          {"tibia", SNW_PART_LEG},         {"shank", SNW_PART_LEG},
    {"knee", SNW_PART_LEG},          {"leg", SNW_PART_LEG},           {"toe", SNW_PART_TOE},
    {"ball", SNW_PART_TOE},          {"foot", SNW_PART_FOOT},         {"ankle", SNW_PART_FOOT},
    {"forearm", SNW_PART_FOREARM},   {"lowerarm", SNW_PART_FOREARM},  {"larm", SNW_PART_FOREARM},
    {"radius", SNW_PART_FOREARM},    {"ulna", SNW_PART_FOREARM},      {"elbow", SNW_PART_FOREARM},
    {"upperarm", SNW_PART_ARM},      {"upper_arm", SNW_PART_ARM},     {"uarm", SNW_PART_ARM},
    {"humerus", SNW_PART_ARM},       {"clavicle", SNW_PART_SHOULDER}, {"collar", SNW_PART_SHOULDER},
    {"shoulder", SNW_PART_SHOULDER}, {"thumb", SNW_PART_FINGER},      {"index", SNW_PART_FINGER},
    {"middle", SNW_PART_FINGER},     {"ring", SNW_PART_FINGER},       {"pinky", SNW_PART_FINGER},
    {"little", SNW_PART_FINGER},     {"finger", SNW_PART_FINGER},     {"hand", SNW_PART_HAND},
    {"wrist", SNW_PART_HAND},        {"arm", SNW_PART_ARM},           {"pelvis", SNW_PART_HIPS},
    {"hip", SNW_PART_HIPS},          {"neck", SNW_PART_NECK},         {"head", SNW_PART_HEAD},
    {"chest", SNW_PART_CHEST},       {"thorax", SNW_PART_CHEST},      {"torso", SNW_PART_CHEST},
    {"spine", SNW_PART_CHEST},       {"back", SNW_PART_CHEST},        {"lumbar", SNW_PART_CHEST},
    {"abdomen", SNW_PART_CHEST},     {NULL, SNW_PART_NONE},
};

enum {
    PART_NAME_SIZE = 80
};

/* Small letters, without the actor's name before a colon. */
static void copy_small(const char *name, char small[PART_NAME_SIZE])
{
    const char *colon = strrchr(name, ':');
    if (colon) name = colon + 1;
    size_t n = 0;
    for (; name[n] && n + 1 < PART_NAME_SIZE; n++)
        small[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] - 'A' + 'a') : name[n];
    small[n] = 0;
}

static void cut_out(char *at, size_t length)
{
    memmove(at, at + length, strlen(at + length) + 1);
}

/* Cuts the side out of the name. */
static snw_side take_side(char *small)
{
    static const char *const words[] = {"left", "right"};
    static const char marks[] = "lr";
    size_t length = strlen(small);
    for (int s = 0; s < 2; s++) {
        char *at = strstr(small, words[s]);
        if (!at) continue;
        cut_out(at, strlen(words[s]));
        return (snw_side)(SNW_SIDE_LEFT + s);
    }
    for (int s = 0; s < 2 && length > 2; s++) {
        if (small[0] == marks[s] && strchr("_. -", small[1])) {
            cut_out(small, 2);
            return (snw_side)(SNW_SIDE_LEFT + s);
        }
        if (small[length - 1] == marks[s] && strchr("_. -", small[length - 2])) {
            small[length - 2] = 0;
            return (snw_side)(SNW_SIDE_LEFT + s);
        }
        /* "lfemur", "LThumb": the rest must be a word, or "lowerback" would be a left one. */
        bool is_word = false;
        for (const part_word *word = part_words; word->word && small[0] == marks[s]; word++)
            is_word |= strncmp(small + 1, word->word, strlen(word->word)) == 0;
        if (is_word) {
            cut_out(small, 1);
            return (snw_side)(SNW_SIDE_LEFT + s);
        }
    }
    return SNW_SIDE_NONE;
}

snw_part snw_rig_part_from_name(const char *name, snw_side *side)
{
    snw_side none;
    if (!side) side = &none;
    char small[PART_NAME_SIZE];
    copy_small(name, small);
    *side = take_side(small);
    for (const part_word *word = part_words; word->word; word++)
        if (strstr(small, word->word)) return word->part;
    return SNW_PART_NONE;
}

bool snw__rig_is_twin_name(const char *a, const char *b)
{
    char first[PART_NAME_SIZE], second[PART_NAME_SIZE];
    copy_small(a, first);
    copy_small(b, second);
    return take_side(first) != take_side(second) && strcmp(first, second) == 0;
}

bool snw__rig_is_thumb(const char *name)
{
    char small[PART_NAME_SIZE];
    copy_small(name, small);
    return strstr(small, "thumb") != NULL;
}

/* Bodies whose joints are called hip, knee, elbow mean by "shoulder" where the upper arm starts. */
static bool has_elbows(const snw_skeleton *skeleton)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        char small[PART_NAME_SIZE];
        copy_small(skeleton->name[j], small);
        if (strstr(small, "elbow")) return true;
    }
    return false;
}

static bool has_upper_leg(const snw_skeleton *skeleton, snw_side side)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_side own;
        if (snw_rig_part_from_name(skeleton->name[j], &own) == SNW_PART_UPLEG && own == side)
            return true;
    }
    return false;
}

snw_part snw_rig_part_of(const snw_skeleton *skeleton, int joint, snw_side *side)
{
    snw_side own;
    const char *name = skeleton->name[joint];
    snw_part part = snw_rig_part_from_name(name, &own);
    /* "left_hip" is the upper leg, unless that has a name of its own as in Acclaim's bodies. */
    if (part == SNW_PART_HIPS && own != SNW_SIDE_NONE && !has_upper_leg(skeleton, own))
        part = SNW_PART_UPLEG;
    if (part == SNW_PART_SHOULDER && has_elbows(skeleton)) {
        char small[PART_NAME_SIZE];
        copy_small(name, small);
        if (strstr(small, "shoulder")) part = SNW_PART_ARM;
    }
    if (side) *side = own;
    return part;
}

/* ---- other programs' names ------------------------------------------------------------------- */

const char *snw_rig_names_name(snw_rig_names names)
{
    static const char *const texts[] = {
#define RIG_NAMES_TEXT(enumerator, name) name,
        SNW_RIG_NAMES_MAP(RIG_NAMES_TEXT)
#undef RIG_NAMES_TEXT
    };
    return (unsigned)names < SNW_RIG_NAMES_COUNT ? texts[names] : "?";
}

int snw_rig_names_find(const char *name)
{
    int n = 0;
    while (n < SNW_RIG_NAMES_COUNT && strcmp(name, snw_rig_names_name((snw_rig_names)n)) != 0)
        n++;
    return n < SNW_RIG_NAMES_COUNT ? n : -1;
}

/* How a scheme builds its names. */
typedef struct rig_naming {
    const char *before;  /* of every name */
    const char *side[3]; /* [snw_side] */
    bool is_side_first;
    const char *part[SNW_PART_COUNT];
} rig_naming;

/* Names as HumanIK has them, which Mixamo puts behind its prefix. */
#define RIG_HUMANIK_NAMES                                                                     \
    {                                                                                         \
        [SNW_PART_HIPS] = "Hips", [SNW_PART_CHEST] = "Spine", [SNW_PART_NECK] = "Neck",       \
        [SNW_PART_HEAD] = "Head", [SNW_PART_SHOULDER] = "Shoulder", [SNW_PART_ARM] = "Arm",   \
        [SNW_PART_FOREARM] = "ForeArm", [SNW_PART_HAND] = "Hand", [SNW_PART_UPLEG] = "UpLeg", \
        [SNW_PART_LEG] = "Leg", [SNW_PART_FOOT] = "Foot", [SNW_PART_TOE] = "ToeBase"          \
    }

static const rig_naming rig_namings[SNW_RIG_NAMES_COUNT] = {
    [SNW_RIG_HUMANIK] = {"", {"Left", "Right", ""}, true, RIG_HUMANIK_NAMES},
    [SNW_RIG_MIXAMO] = {"mixamorig:", {"Left", "Right", ""}, true, RIG_HUMANIK_NAMES},
    [SNW_RIG_UNREAL] = {"",
                        {"_l", "_r", ""},
                        false,
                        {[SNW_PART_HIPS] = "pelvis",
                         [SNW_PART_CHEST] = "spine",
                         [SNW_PART_NECK] = "neck",
                         [SNW_PART_HEAD] = "head",
                         [SNW_PART_SHOULDER] = "clavicle",
                         [SNW_PART_ARM] = "upperarm",
                         [SNW_PART_FOREARM] = "lowerarm",
                         [SNW_PART_HAND] = "hand",
                         [SNW_PART_UPLEG] = "thigh",
                         [SNW_PART_LEG] = "calf",
                         [SNW_PART_FOOT] = "foot",
                         [SNW_PART_TOE] = "ball"}},
    [SNW_RIG_BLENDER] = {"",
                         {".L", ".R", ""},
                         false,
                         {[SNW_PART_HIPS] = "spine",
                          [SNW_PART_CHEST] = "spine",
                          [SNW_PART_NECK] = "spine",
                          [SNW_PART_HEAD] = "spine.006",
                          [SNW_PART_SHOULDER] = "shoulder",
                          [SNW_PART_ARM] = "upper_arm",
                          [SNW_PART_FOREARM] = "forearm",
                          [SNW_PART_HAND] = "hand",
                          [SNW_PART_UPLEG] = "thigh",
                          [SNW_PART_LEG] = "shin",
                          [SNW_PART_FOOT] = "foot",
                          [SNW_PART_TOE] = "toe"}},
    [SNW_RIG_VRM] = {"",
                     {"left", "right", ""},
                     true,
                     {[SNW_PART_HIPS] = "hips",
                      [SNW_PART_CHEST] = "spine",
                      [SNW_PART_NECK] = "neck",
                      [SNW_PART_HEAD] = "head",
                      [SNW_PART_SHOULDER] = "Shoulder",
                      [SNW_PART_ARM] = "UpperArm",
                      [SNW_PART_FOREARM] = "LowerArm",
                      [SNW_PART_HAND] = "Hand",
                      [SNW_PART_UPLEG] = "UpperLeg",
                      [SNW_PART_LEG] = "LowerLeg",
                      [SNW_PART_FOOT] = "Foot",
                      [SNW_PART_TOE] = "Toes"}},
};

/* Ends of the names of spine and neck, which are counted. False when there are no more.
 *   Rigify's metarig: spine (hips), spine.001, .002, .003 (chest), .004, .005 (neck), .006 (head)
 *   VRM 1.0: spine, chest, upperChest, neck      Unreal: spine_01, ..., neck_01, ...
 *   HumanIK, Mixamo: Spine, Spine1, ..., Neck, Neck1, ... */
static bool count_part(snw_rig_names names, const snw__rig_joint *joint, bool is_last,
                       char count[16])
{
    bool is_neck = joint->part == SNW_PART_NECK;
    int number = joint->number;
    count[0] = 0;
    if (names == SNW_RIG_UNREAL) {
        snw_format(count, 16, "_%02d", number + 1);
    } else if (names == SNW_RIG_BLENDER) {
        int place = is_neck ? 4 + number : is_last ? 3 : 1 + number;
        snw_format(count, 16, ".%03d", place);
        return is_neck ? place < 6 : place <= 2 + is_last;
    } else if (number > 0 && names == SNW_RIG_VRM) {
        return false; /* chest and upperChest are words of their own */
    } else if (number > 0) {
        snw_format(count, 16, "%d", number);
    }
    return true;
}

bool snw__rig_name(snw_rig_names names, const snw__rig_joint *joint, bool is_last,
                   char text[SNW__RIG_NAME_SIZE])
{
    static const char *const vrm_chest[] = {"chest", "upperChest"};
    const rig_naming *naming = rig_namings + names;
    const char *word = names > SNW_RIG_KEEP ? naming->part[joint->part] : NULL;
    if (!word) return false;
    char count[16] = "";
    bool is_counted = joint->part == SNW_PART_CHEST || joint->part == SNW_PART_NECK;
    int chest = names == SNW_RIG_VRM && joint->part == SNW_PART_CHEST ? joint->number : 0;
    if (chest > 2) return false;
    if (chest > 0)
        word = vrm_chest[chest - 1];
    else if (is_counted && !count_part(names, joint, is_last, count))
        return false;
    if (!is_counted && joint->number > 0) return false; /* a second forearm keeps its own name */
    snw_format(text, SNW__RIG_NAME_SIZE, "%s%s%s%s%s", naming->before,
               naming->is_side_first ? naming->side[joint->side] : "", word, count,
               naming->is_side_first ? "" : naming->side[joint->side]);
    return true;
}
