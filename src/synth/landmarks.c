/* Anatomical marker sets. The humanoid wears 41: the 39 of the widespread Plug-in-Gait set and the
 * fifth metatarsal heads. hand25 wears three on its back and four on each ray. */
#include "synth/capture.h"

#include <string.h>

#include "person/anthropometry.h"
#include "synth/synth_constants.h"

/* Where the places come from, so that methods which know anatomy meet a person and not our wishes:
 *
 * - Knee, elbow, ankle and wrist: half the breadth over the bones and a marker's radius of 7 mm.
 *   Breadths of femur, humerus, ankle and wrist are 0.0559, 0.0381, 0.0393 and 0.0306 of the body
 *   height (Ross & Wilson 1974). The malleoli lie on a line turned outwards by 20 degrees from the
 *   knee's axis (tibial torsion).
 * - Spines of the pelvis: 238 mm wide and 160 deep, tilted forward by 10 degrees as in standing,
 *   with the hip centres where images show them from there (Harrington et al. 2007).
 * - C7, CLAV, SHO: chest 150 mm deep at the notch, acromion about 55 mm above the shoulder's centre
 *   (Reed, Manary & Schneider 1999).
 *
 * On the middle, or on the left: the right is the mirror image moved by `shift`, since sets place
 * the wands of both sides differently so that left and right can be told apart. In body heights, in
 * the frame of the joint: x to the left, y up, z forward, arms stretched sideways. */
typedef struct landmark {
    const char *name; /* without L or R */
    const char *joint;
    bool has_side;
    double place[3];
    double shift; /* of the right one, along its bone */
    bool is_bony; /* on bone, which has no flesh to be pushed out of */
    double bone;  /* length of the bone that the place is for, in body heights: on a longer one it
                     moves along; 0: it does not */
} landmark;

/* clang-format off */
static const landmark person_landmarks[] = {
    {"FHD", "head", true, {0.0375, 0.050, 0.040}, 0, false, 0},
    {"BHD", "head", true, {0.0375, 0.050, -0.040}, 0, false, 0},
    {"C7", "chest", false, {0, 0.176, -0.046}, 0, true, 0},
    {"T10", "chest", false, {0, 0.030, -0.068}, 0, true, 0},
    {"CLAV", "chest", false, {0, 0.144, 0.041}, 0, true, 0},
    {"STRN", "chest", false, {0, 0.060, 0.070}, 0, true, 0},
    {"RBAK", "chest", false, {-0.045, 0.090, -0.062}, 0, false, 0},
    {"SHO", "clavicle", true, {0.112, 0.038, 0}, 0, true, 0.117},
    {"UPA", "shoulder", true, {0.090, 0.031, 0.004}, 0.020, false, SNW__LENGTH_UPPER_ARM},
    {"ELB", "shoulder", true, {0.183, 0.023, 0}, 0, true, SNW__LENGTH_UPPER_ARM},
    {"FRM", "elbow", true, {0.045, 0.022, 0.013}, 0.012, false, SNW__LENGTH_FOREARM / 2},
    {"WRA", "forearm", true, {0.070, 0.004, 0.019}, 0, true, SNW__LENGTH_FOREARM / 2},
    {"WRB", "forearm", true, {0.070, 0.004, -0.019}, 0, true, SNW__LENGTH_FOREARM / 2},
    {"FIN", "wrist", true, {0.055, 0.018, 0.004}, 0, false, 0},
    {"ASI", "pelvis", true, {0.068, 0.041, 0.035}, 0, true, 0},
    {"PSI", "pelvis", true, {0.028, 0.057, -0.055}, 0, true, 0},
    {"THI", "hip", true, {0.045, -0.120, 0.006}, 0.030, false, SNW__LENGTH_THIGH},
    {"KNE", "hip", true, {0.032, -0.243, 0}, 0, true, SNW__LENGTH_THIGH},
    {"TIB", "knee", true, {0.031, -0.110, 0.004}, 0.030, false, SNW__LENGTH_SHANK},
    {"ANK", "knee", true, {0.022, -0.244, -0.008}, 0, true, SNW__LENGTH_SHANK},
    {"HEE", "ankle", true, {0, -0.022, -0.032}, 0, false, 0},
    {"TOE", "ankle", true, {0.004, -0.006, 0.074}, 0, false, 0},
    {"MT5", "ankle", true, {0.026, -0.022, 0.058}, 0, false, 0},
};
/* clang-format on */

#define PERSON_LANDMARK_COUNT ((int)(sizeof person_landmarks / sizeof person_landmarks[0]))

static void put_marker(snw_synth_marker *marker, const char *prefix, const char *name, int joint,
                       snw_vec3 place)
{
    snw_format(marker->name, sizeof marker->name, "%s%s", prefix, name);
    marker->joint = joint;
    marker->place = place;
}

enum {
    LANDMARK_SEGMENTS = 16 /* bones that leave one joint of a person; the pelvis has three */
};

/* Out to the skin, where the capsules of the same joint are wider than the table thinks. */
static snw_vec3 out_of_flesh(const snw_skeleton *skeleton, int joint, snw_vec3 place)
{
    snw_synth_segment segments[LANDMARK_SEGMENTS];
    int count = snw__segments_of(skeleton, joint, NULL);
    if (count > LANDMARK_SEGMENTS) return place;
    snw__segments_of(skeleton, joint, segments);
    for (int i = 0; i < count; i++) {
        snw_vec3 bone = segments[i].capsule.b;
        double t = snw_clamp(snw_vec3_dot(place, bone) / snw_vec3_length2(bone), 0, 1);
        snw_vec3 nearest = snw_vec3_scale(bone, t);
        snw_vec3 out = snw_vec3_sub(place, nearest);
        double wanted = segments[i].capsule.radius + snw__marker_radius(skeleton);
        if (snw_vec3_length(out) >= wanted) continue;
        snw_vec3 direction = snw_vec3_unit(out, snw_vec3_perpendicular(bone));
        place = snw_vec3_add_scaled(nearest, wanted, direction);
    }
    return place;
}

/* 0 for a body without knees. */
static double body_height(const snw_skeleton *skeleton)
{
    int knee = snw_skeleton_find_joint(skeleton, "left_knee");
    return knee < 0 ? 0 : skeleton->bone_length[knee] / SNW__LENGTH_THIGH;
}

/* Left (or middle) with side 0, right with side 1. Returns false when the joint is missing. */
static bool place_landmark(const snw_skeleton *skeleton, const landmark *row, int side,
                           snw_random *random, snw_synth_marker *marker)
{
    char joint_name[32];
    const char *side_name = side == SNW_SIDE_LEFT ? "left_" : "right_";
    bool is_of_segment = strcmp(row->joint, "head") != 0 && strcmp(row->joint, "pelvis") != 0;
    snw_format(joint_name, sizeof joint_name, "%s%s",
               row->has_side && is_of_segment ? side_name : "", row->joint);
    int joint = snw_skeleton_find_joint(skeleton, joint_name);
    if (joint < 0) return false;
    if (!marker) return true;
    double height = body_height(skeleton), shift = side == SNW_SIDE_RIGHT ? row->shift : 0;
    bool is_arm = strcmp(row->joint, "shoulder") == 0 || strcmp(row->joint, "elbow") == 0;
    snw_vec3 place = {row->place[0] + (is_arm ? shift : 0), row->place[1] - (is_arm ? 0 : shift),
                      row->place[2]};
    if (side == SNW_SIDE_RIGHT) place.x = -place.x;
    place = snw_vec3_scale(place, height);
    double usual = row->bone * height;
    int end = skeleton->first_child[joint];
    if (usual > 0 && end >= 0) { /* the place on a bone of its own length */
        snw_vec3 bone = skeleton->rest[end].translation;
        snw_vec3 along = snw_vec3_unit(bone, snw_vec3_make(0, 0, 0));
        double longer = snw_vec3_length(bone) / usual - 1;
        place = snw_vec3_add_scaled(place, longer * snw_vec3_dot(place, along), along);
    }
    /* How far the hand missed, in body heights. */
    snw_vec3 miss;
    miss.x = LANDMARK_PALPATION * snw_random_normal(random);
    miss.y = LANDMARK_PALPATION * snw_random_normal(random);
    miss.z = LANDMARK_PALPATION * snw_random_normal(random);
    place = snw_vec3_add_scaled(place, height, miss);
    if (!row->is_bony) place = out_of_flesh(skeleton, joint, place);
    put_marker(marker, row->has_side ? (side == SNW_SIDE_LEFT ? "L" : "R") : "", row->name, joint,
               place);
    return true;
}

static int person_fill(const snw_skeleton *skeleton, uint64_t seed, snw_synth_marker *marker)
{
    int count = 0;
    if (!(body_height(skeleton) > 0)) return 0;
    for (int i = 0; i < PERSON_LANDMARK_COUNT; i++) {
        const landmark *row = &person_landmarks[i];
        for (int side = 0; side < (row->has_side ? 2 : 1); side++) {
            snw_synth_marker *next = marker ? marker + count : NULL;
            snw_random random = snw__synth_random(seed, SNW__PURPOSE_PLACE, i, side);
            if (!place_landmark(skeleton, row, side, &random, next)) return 0;
            count++;
        }
    }
    return count;
}

/* ---- hand25 ------------------------------------------------------------------------------- */

/* On the back of the bone that the joint moves, just after the joint; the tip near its end. */
typedef struct hand_landmark {
    const char *name;
    const char *joint;
    double along;  /* of the bone */
    double height; /* over the bone, in hand sizes */
    double aside;  /* towards the thumb, in hand sizes */
} hand_landmark;

static const hand_landmark hand_landmarks[] = {
    {"HAND_WRIST", "wrist", 0.15, 0.085, 0},       {"HAND_RADIAL", "index1", 0.80, 0.085, 0.02},
    {"HAND_ULNAR", "little1", 0.80, 0.085, -0.02}, {"INDEX_MCP", "index2", 0.10, 0.060, 0},
    {"INDEX_PIP", "index3", 0.12, 0.050, 0},       {"INDEX_DIP", "index4", 0.15, 0.045, 0},
    {"INDEX_TIP", "index4", 0.90, 0.040, 0},       {"MIDDLE_MCP", "middle2", 0.10, 0.060, 0},
    {"MIDDLE_PIP", "middle3", 0.12, 0.050, 0},     {"MIDDLE_DIP", "middle4", 0.15, 0.045, 0},
    {"MIDDLE_TIP", "middle4", 0.90, 0.040, 0},     {"RING_MCP", "ring2", 0.10, 0.060, 0},
    {"RING_PIP", "ring3", 0.12, 0.050, 0},         {"RING_DIP", "ring4", 0.15, 0.045, 0},
    {"RING_TIP", "ring4", 0.90, 0.040, 0},         {"LITTLE_MCP", "little2", 0.10, 0.055, 0},
    {"LITTLE_PIP", "little3", 0.12, 0.045, 0},     {"LITTLE_DIP", "little4", 0.15, 0.040, 0},
    {"LITTLE_TIP", "little4", 0.90, 0.035, 0},     {"THUMB_CMC", "thumb1", 0.15, 0.060, 0},
    {"THUMB_MCP", "thumb2", 0.10, 0.055, 0},       {"THUMB_IP", "thumb3", 0.12, 0.050, 0},
    {"THUMB_TIP", "thumb3", 0.90, 0.045, 0},
};

#define HAND_LANDMARK_COUNT ((int)(sizeof hand_landmarks / sizeof hand_landmarks[0]))

int snw__landmarks_fill(const snw_skeleton *skeleton, uint64_t seed, snw_synth_marker *marker)
{
    int count = person_fill(skeleton, seed, marker);
    if (count > 0) return count;
    for (int i = 0; i < HAND_LANDMARK_COUNT; i++) {
        const hand_landmark *row = &hand_landmarks[i];
        int joint = snw_skeleton_find_joint(skeleton, row->joint);
        if (joint < 0 || skeleton->first_child[joint] < 0) return 0;
        if (!marker) continue;
        snw_vec3 bone = skeleton->rest[skeleton->first_child[joint]].translation;
        if (joint == 0) bone = snw_vec3_make(0, 0, skeleton->size * 0.1); /* towards the fingers */
        snw_vec3 over = {row->aside * skeleton->size, row->height * skeleton->size, 0};
        put_marker(&marker[i], "", row->name, joint, snw_vec3_add_scaled(over, row->along, bone));
    }
    return HAND_LANDMARK_COUNT;
}
