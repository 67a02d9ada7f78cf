/* Marker sets known by name: Vicon Plug-in-Gait (with its 39 labels) and the 41 of the Carnegie
 * Mellon database (the same body with waist markers xFWT, xBWT, shins xSHN, MT5). Left and right
 * share a row: '?' stands for L or R. */
#include <string.h>

#include "mocap/limbs.h"

typedef struct marker_row {
    const char *label; /* '?' = L or R */
    const char *limb;  /* '?' = Left or Right */
} marker_row;

static const marker_row marker_rows[] = {
    {"?FHD", "Head"},     {"?BHD", "Head"},     {"ARIEL", "Head"},    {"C7", "Chest"},
    {"T10", "Chest"},     {"CLAV", "Chest"},    {"STRN", "Chest"},    {"RBAC", "Chest"},
    {"RBAK", "Chest"},    {"?SHO", "Chest"},    {"?FSH", "Chest"},    {"?BSH", "Chest"},
    {"?UPA", "?Arm"},     {"?ELB", "?Arm"},     {"?IEL", "?Arm"},     {"?FRM", "?ForeArm"},
    {"?FRA", "?ForeArm"}, {"?WRA", "?ForeArm"}, {"?WRB", "?ForeArm"}, {"?OWR", "?ForeArm"},
    {"?IWR", "?ForeArm"}, {"?WRE", "?ForeArm"}, {"?FIN", "?Hand"},    {"?IHAND", "?Hand"},
    {"?OHAND", "?Hand"},  {"?FWT", "Hips"},     {"?BWT", "Hips"},     {"?MWT", "Hips"},
    {"?ASI", "Hips"},     {"?PSI", "Hips"},     {"SACR", "Hips"},     {"?THI", "?UpLeg"},
    {"?HIP", "?UpLeg"},   {"?KNE", "?UpLeg"},   {"?KNI", "?UpLeg"},   {"?SHN", "?Leg"},
    {"?TIB", "?Leg"},     {"?ANK", "?Leg"},     {"?HEE", "?Foot"},    {"?HEL", "?Foot"},
    {"?TOE", "?Foot"},    {"?MT5", "?Foot"},    {"?MT1", "?Foot"},
};

/* The limbs in full, so that a name lives as long as the program. */
static const char *const paired_limbs[][3] = {
    {"?Arm", "LeftArm", "RightArm"},    {"?ForeArm", "LeftForeArm", "RightForeArm"},
    {"?Hand", "LeftHand", "RightHand"}, {"?UpLeg", "LeftUpLeg", "RightUpLeg"},
    {"?Leg", "LeftLeg", "RightLeg"},    {"?Foot", "LeftFoot", "RightFoot"},
};

static char upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}

/* 0: no; 1: yes; 2: yes, left; 3: yes, right. */
static int match(const char *pattern, const char *label)
{
    int side = 1;
    for (; *pattern && *label; pattern++, label++) {
        char c = upper(*label);
        if (*pattern == '?' && (c == 'L' || c == 'R'))
            side = c == 'L' ? 2 : 3;
        else if (*pattern != c)
            return 0;
    }
    return *pattern || *label ? 0 : side;
}

static const char *full_limb(const char *limb, int side)
{
    for (size_t k = 0; limb[0] == '?' && k < sizeof paired_limbs / sizeof *paired_limbs; k++)
        if (strcmp(paired_limbs[k][0], limb) == 0) return paired_limbs[k][side - 1];
    return limb;
}

const char *snw__marker_set_limb(const char *label)
{
    for (size_t n = 0; n < sizeof marker_rows / sizeof *marker_rows; n++) {
        int side = match(marker_rows[n].label, label);
        if (!side) continue;
        return full_limb(marker_rows[n].limb, side);
    }
    return NULL;
}

/* Markers that sit on the joint at which a limb begins. The centre lies inwards of a knee's or
 * ankle's outer marker by half the joint's width and the marker's own radius (adults: knees about
 * 100 mm wide, ankles 70; Plug-in Gait asks for these widths); reach is how far it can be from
 * there. Two markers on a joint have the centre between them. */
typedef struct joint_marker_row {
    const char *label; /* '?' = L or R */
    const char *limb;  /* '?' = Left or Right */
    snw__joint_marker about;
} joint_marker_row;

static const joint_marker_row joint_marker_rows[] = {
    {"?KNE", "?Leg", {0.055, 0.050}}, {"?ANK", "?Foot", {0.042, 0.040}},
    {"?ELB", "?ForeArm", {0, 0.060}}, {"?IEL", "?ForeArm", {0, 0.060}},
    {"?WRA", "?Hand", {0, 0.045}},    {"?WRB", "?Hand", {0, 0.045}},
    {"?OWR", "?Hand", {0, 0.045}},    {"?IWR", "?Hand", {0, 0.045}},
    {"?SHO", "?Arm", {0, 0.090}},
};

bool snw__marker_set_joint(const char *label, const char *limb, snw__joint_marker *about)
{
    for (size_t n = 0; n < sizeof joint_marker_rows / sizeof *joint_marker_rows; n++) {
        int side = match(joint_marker_rows[n].label, label);
        if (side < 2 || strcmp(full_limb(joint_marker_rows[n].limb, side), limb) != 0) continue;
        *about = joint_marker_rows[n].about;
        return true;
    }
    return false;
}

const char *snw__limb_parent_name(const char *limb)
{
    static const char *const parents[][2] = {
        {"Hips", ""},
        {"Chest", "Hips"},
        {"Head", "Chest"},
        {"LeftArm", "Chest"},
        {"LeftForeArm", "LeftArm"},
        {"LeftHand", "LeftForeArm"},
        {"RightArm", "Chest"},
        {"RightForeArm", "RightArm"},
        {"RightHand", "RightForeArm"},
        {"LeftUpLeg", "Hips"},
        {"LeftLeg", "LeftUpLeg"},
        {"LeftFoot", "LeftLeg"},
        {"RightUpLeg", "Hips"},
        {"RightLeg", "RightUpLeg"},
        {"RightFoot", "RightLeg"},
    };
    for (size_t n = 0; n < sizeof parents / sizeof *parents; n++)
        if (strcmp(parents[n][0], limb) == 0) return parents[n][1];
    return NULL;
}
