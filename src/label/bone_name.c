/* A body by the names of its bones.
 *
 * Names differ ("LeftUpLeg", "left_hip", "L_Thigh"), and so does how finely a body is divided
 * (three spines or one, with a collar or without). So a name gives no parent but a place: a chain,
 * and a rank along it. The parent is the next segment inwards that the capture has. Where a chain
 * begins, legs hang from the lowest bone of the trunk and arms from the highest below the neck. */
#include "label/bone_name.h"

#include <string.h>

#include "label/label_grammar.h"

typedef struct bone_word {
    const char *words; /* as stems of labels: capitals, no separators, blanks between */
    snw__bone_chain chain;
    int rank; /* a number behind the word adds to it */
} bone_word;

/* A segment may have the name of its bone or of the joint where it begins ("left_knee" is a shank),
 * so a joint comes just before its bone. */
static const bone_word bone_words[] = {
    {"HIPS HIP PELVIS ROOT WAIST", SNW__BONE_TRUNK, 0},
    {"LOWERBACK LOWBACK LOWERSPINE LOWERTORSO ABDOMEN LUMBAR", SNW__BONE_TRUNK, 10},
    {"SPINE TORSO TRUNK", SNW__BONE_TRUNK, 20},
    {"MIDDLEBACK MIDBACK MIDSPINE", SNW__BONE_TRUNK, 30},
    {"CHEST THORAX UPPERBACK UPPERSPINE UPPERTORSO", SNW__BONE_TRUNK, 40},
    {"UPPERCHEST", SNW__BONE_TRUNK, 50},
    {"NECK", SNW__BONE_TRUNK, 60},
    {"HEAD SKULL", SNW__BONE_TRUNK, 70},
    {"COLLAR CLAVICLE CLAV SCAPULA", SNW__BONE_ARM, 0},
    {"SHOULDER", SNW__BONE_ARM, 10},
    {"ARM UPARM UPPERARM UARM HUMERUS", SNW__BONE_ARM, 20},
    {"ELBOW", SNW__BONE_ARM, 30},
    {"FOREARM LOARM LOWERARM LOWARM RADIUS ULNA", SNW__BONE_ARM, 40},
    {"WRIST", SNW__BONE_ARM, 50},
    {"HAND PALM", SNW__BONE_ARM, 60},
    {"HIPJOINT HIP", SNW__BONE_LEG, 0},
    {"UPLEG UPPERLEG THIGH FEMUR", SNW__BONE_LEG, 10},
    {"KNEE", SNW__BONE_LEG, 20},
    {"LEG LOLEG LOWERLEG LOWLEG SHIN SHANK CALF TIBIA", SNW__BONE_LEG, 30},
    {"ANKLE", SNW__BONE_LEG, 40},
    {"FOOT", SNW__BONE_LEG, 50},
    {"TOE TOES TOEBASE FOREFOOT", SNW__BONE_LEG, 60},
    {"THUMB HANDTHUMB", SNW__BONE_FINGER, 0},
    {"INDEX HANDINDEX INDEXFINGER", SNW__BONE_FINGER, 0},
    {"MIDDLE HANDMIDDLE MIDDLEFINGER", SNW__BONE_FINGER, 0},
    {"RING HANDRING RINGFINGER", SNW__BONE_FINGER, 0},
    {"PINKY HANDPINKY LITTLEFINGER", SNW__BONE_FINGER, 0},
    {"FINGER FINGERS FINGERBASE", SNW__BONE_FINGER, 0},
};

/* ---- one name ----------------------------------------------------------------------------- */

static bool read_stem(const char *stem, int side, snw__bone *bone)
{
    size_t length = strcspn(stem, "0123456789");
    const char *number = stem + length;
    if (*number && number[1]) return false;
    for (size_t n = 0; n < sizeof bone_words / sizeof *bone_words; n++) {
        const bone_word *word = bone_words + n;
        bool has_side = word->chain != SNW__BONE_TRUNK;
        if (has_side != (side != SNW_SIDE_NONE) || !snw__has_word(word->words, stem, length))
            continue;
        bone->chain = word->chain;
        bone->side = side;
        bone->finger = word->chain == SNW__BONE_FINGER ? (int)n : 0;
        bone->rank = word->rank + (*number ? *number - '0' : 0);
        return true;
    }
    return false;
}

bool snw__bone_read(const char *name, snw__bone *bone)
{
    snw__label_reading reading[SNW__LABEL_READINGS];
    int count = snw__label_readings(snw__bare_label(name), reading);
    for (int n = 0; n < count; n++)
        if (read_stem(reading[n].stem, (int)reading[n].side, bone)) return true;
    return false;
}
