/* Which part of a person a joint is, by its name, and what other programs call that part. */
#include <string.h>

#include <sinew/rig.h>

#include "body/rig.h"

/* ---- reading names --------------------------------------------------------------------------- */

typedef struct part_word {
    const char *word;
    snw_rig_part part;
} part_word;

/* The first that a name contains decides, so that longer words stand before those inside them. */
static const part_word part_words[] = {
    {"upleg", SNW_RIG_PART_UPLEG},      {"upperleg", SNW_RIG_PART_UPLEG},
    {"thigh", SNW_RIG_PART_UPLEG},      {"femur", SNW_RIG_PART_UPLEG},
    {"lowerleg", SNW_RIG_PART_LEG},     {"shin", SNW_RIG_PART_LEG},
    {"calf", SNW_RIG_PART_LEG},         {"tibia", SNW_RIG_PART_LEG},
    {"shank", SNW_RIG_PART_LEG},        {"knee", SNW_RIG_PART_LEG},
    {"leg", SNW_RIG_PART_LEG},          {"toe", SNW_RIG_PART_TOE},
    {"ball", SNW_RIG_PART_TOE},         {"foot", SNW_RIG_PART_FOOT},
    {"ankle", SNW_RIG_PART_FOOT},       {"forearm", SNW_RIG_PART_FOREARM},
    {"lowerarm", SNW_RIG_PART_FOREARM}, {"larm", SNW_RIG_PART_FOREARM},
    {"radius", SNW_RIG_PART_FOREARM},   {"ulna", SNW_RIG_PART_FOREARM},
    {"elbow", SNW_RIG_PART_FOREARM},    {"upperarm", SNW_RIG_PART_ARM},
    {"upper_arm", SNW_RIG_PART_ARM},    {"uarm", SNW_RIG_PART_ARM},
    {"humerus", SNW_RIG_PART_ARM},      {"clavicle", SNW_RIG_PART_SHOULDER},
    {"collar", SNW_RIG_PART_SHOULDER},  {"shoulder", SNW_RIG_PART_SHOULDER},
    {"thumb", SNW_RIG_PART_FINGER},     {"index", SNW_RIG_PART_FINGER},
    {"middle", SNW_RIG_PART_FINGER},    {"ring", SNW_RIG_PART_FINGER},
    {"pinky", SNW_RIG_PART_FINGER},     {"little", SNW_RIG_PART_FINGER},
    {"finger", SNW_RIG_PART_FINGER},    {"hand", SNW_RIG_PART_HAND},
    {"wrist", SNW_RIG_PART_HAND},       {"arm", SNW_RIG_PART_ARM},
    {"pelvis", SNW_RIG_PART_HIPS},      {"hip", SNW_RIG_PART_HIPS},
    {"neck", SNW_RIG_PART_NECK},        {"head", SNW_RIG_PART_HEAD},
    {"chest", SNW_RIG_PART_SPINE},      {"thorax", SNW_RIG_PART_SPINE},
    {"torso", SNW_RIG_PART_SPINE},      {"spine", SNW_RIG_PART_SPINE},
    {"back", SNW_RIG_PART_SPINE},       {"lumbar", SNW_RIG_PART_SPINE},
    {"abdomen", SNW_RIG_PART_SPINE},    {NULL, SNW_RIG_PART_NONE},
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

static snw_rig_part find_word(const char *small)
{
    for (const part_word *word = part_words; word->word; word++)
        if (strstr(small, word->word)) return word->part;
    return SNW_RIG_PART_NONE;
}

/* Cuts the side out of the name. */
static snw_rig_side take_side(char *small)
{
    static const char *const words[] = {"left", "right"};
    static const char marks[] = "lr";
    size_t length = strlen(small);
    for (int s = 0; s < 2; s++) {
        char *at = strstr(small, words[s]);
        if (!at) continue;
        cut_out(at, strlen(words[s]));
        return (snw_rig_side)(SNW_RIG_SIDE_LEFT + s);
    }
    for (int s = 0; s < 2 && length > 2; s++) {
        if (small[0] == marks[s] && strchr("_. -", small[1])) {
            cut_out(small, 2);
            return (snw_rig_side)(SNW_RIG_SIDE_LEFT + s);
        }
        if (small[length - 1] == marks[s] && strchr("_. -", small[length - 2])) {
            small[length - 2] = 0;
            return (snw_rig_side)(SNW_RIG_SIDE_LEFT + s);
        }
        /* "lfemur", "LThumb": the rest must be a word, or "lowerback" would be a left one. */
        bool is_word = false;
        for (const part_word *word = part_words; word->word && small[0] == marks[s]; word++)
            is_word |= strncmp(small + 1, word->word, strlen(word->word)) == 0;
        if (is_word) {
            cut_out(small, 1);
            return (snw_rig_side)(SNW_RIG_SIDE_LEFT + s);
        }
    }
    return SNW_RIG_SIDE_NONE;
}

snw_rig_part snw_rig_part_from_name(const char *name, snw_rig_side *side)
{
    snw_rig_side none;
    if (!side) side = &none;
    char small[PART_NAME_SIZE];
    copy_small(name, small);
    *side = take_side(small);
    return find_word(small);
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

static bool has_upper_leg(const snw_skeleton *skeleton, snw_rig_side side)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_rig_side own;
        if (snw_rig_part_from_name(skeleton->name[j], &own) == SNW_RIG_PART_UPLEG && own == side)
            return true;
    }
    return false;
}

snw_rig_part snw_rig_part_of(const snw_skeleton *skeleton, int joint, snw_rig_side *side)
{
    snw_rig_side own;
    const char *name = skeleton->name[joint];
    snw_rig_part part = snw_rig_part_from_name(name, &own);
    /* "left_hip" is the upper leg, unless that has a name of its own as in Acclaim's bodies. */
    if (part == SNW_RIG_PART_HIPS && own != SNW_RIG_SIDE_NONE && !has_upper_leg(skeleton, own))
        part = SNW_RIG_PART_UPLEG;
    if (part == SNW_RIG_PART_SHOULDER && has_elbows(skeleton)) {
        char small[PART_NAME_SIZE];
        copy_small(name, small);
        if (strstr(small, "shoulder")) part = SNW_RIG_PART_ARM;
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
    const char *side[3]; /* none, left, right */
    bool is_side_first;
    const char *part[SNW_RIG_PART_COUNT];
} rig_naming;

static const rig_naming rig_namings[SNW_RIG_NAMES_COUNT] = {
    [SNW_RIG_HUMANIK] = {"",
                         {"", "Left", "Right"},
                         true,
                         {NULL, "Hips", "Spine", "Neck", "Head", "Shoulder", "Arm", "ForeArm",
                          "Hand", NULL, "UpLeg", "Leg", "Foot", "ToeBase"}},
    [SNW_RIG_MIXAMO] = {"mixamorig:",
                        {"", "Left", "Right"},
                        true,
                        {NULL, "Hips", "Spine", "Neck", "Head", "Shoulder", "Arm", "ForeArm",
                         "Hand", NULL, "UpLeg", "Leg", "Foot", "ToeBase"}},
    [SNW_RIG_UNREAL] = {"",
                        {"", "_l", "_r"},
                        false,
                        {NULL, "pelvis", "spine", "neck", "head", "clavicle", "upperarm",
                         "lowerarm", "hand", NULL, "thigh", "calf", "foot", "ball"}},
    [SNW_RIG_BLENDER] = {"",
                         {"", ".L", ".R"},
                         false,
                         {NULL, "spine", "spine", "spine", "spine.006", "shoulder", "upper_arm",
                          "forearm", "hand", NULL, "thigh", "shin", "foot", "toe"}},
    [SNW_RIG_VRM] = {"",
                     {"", "left", "right"},
                     true,
                     {NULL, "hips", "spine", "neck", "head", "Shoulder", "UpperArm", "LowerArm",
                      "Hand", NULL, "UpperLeg", "LowerLeg", "Foot", "Toes"}},
};

/* Ends of the names of spine and neck, which are counted. False when there are no more.
 *   Rigify's metarig: spine (hips), spine.001, .002, .003 (chest), .004, .005 (neck), .006 (head)
 *   VRM 1.0: spine, chest, upperChest, neck      Unreal: spine_01, ..., neck_01, ...
 *   HumanIK, Mixamo: Spine, Spine1, ..., Neck, Neck1, ... */
static bool count_part(snw_rig_names names, const snw__rig_joint *joint, bool is_last,
                       char count[16])
{
    bool is_neck = joint->part == SNW_RIG_PART_NECK;
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
    bool is_counted = joint->part == SNW_RIG_PART_SPINE || joint->part == SNW_RIG_PART_NECK;
    int chest = names == SNW_RIG_VRM && joint->part == SNW_RIG_PART_SPINE ? joint->number : 0;
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
