/* The body as capsules: what stands between a camera and a marker. */
#include "synth/capture.h"

#include <string.h>

/* Bones shorter than this part of the body's size have no flesh of their own. */
#define LIMB_SHORTEST 0.01

/* Half widths of a person's segments, as parts of the body's size (root to farthest tip); read off
 * the breadths and girths of average adults. The name is the joint that moves the segment. */
typedef struct limb_girth {
    const char *joint;
    double radius;
} limb_girth;

static const limb_girth limb_girths[] = {
    {"pelvis", 0.062},  {"spine", 0.070},    {"chest", 0.075},    {"neck", 0.036},
    {"head", 0.060},    {"clavicle", 0.025}, {"shoulder", 0.030}, {"elbow", 0.025},
    {"forearm", 0.021}, {"wrist", 0.018},    {"hip", 0.049},      {"knee", 0.033},
    {"ankle", 0.024},   {"toes", 0.016},
};

/* Bones of other bodies: a sixth of their length, between these parts of the body's size. */
#define LIMB_SLENDER 0.17
#define LIMB_THIN    0.008
#define LIMB_THICK   0.070

static double girth(const snw_skeleton *skeleton, int joint, double length)
{
    const char *name = skeleton->name[joint];
    bool is_person = snw_skeleton_find_joint(skeleton, "left_clavicle") >= 0;
    if (strncmp(name, "left_", 5) == 0) name += 5;
    if (strncmp(name, "right_", 6) == 0) name += 6;
    for (size_t i = 0; is_person && i < sizeof limb_girths / sizeof limb_girths[0]; i++)
        if (strcmp(limb_girths[i].joint, name) == 0) return limb_girths[i].radius * skeleton->size;
    return snw_clamp(LIMB_SLENDER * length, LIMB_THIN * skeleton->size,
                     LIMB_THICK * skeleton->size);
}

static int add_limb(const snw_skeleton *skeleton, int joint, snw_vec3 end, snw_synth_limb *limb,
                    int count)
{
    double length = snw_vec3_length(end);
    if (!(length > LIMB_SHORTEST * skeleton->size)) return count;
    if (limb) {
        limb[count].joint = joint;
        limb[count].capsule.a = snw_vec3_make(0, 0, 0);
        limb[count].capsule.b = end;
        limb[count].capsule.radius = girth(skeleton, joint, length);
    }
    return count + 1;
}

int snw__limbs_of(const snw_skeleton *skeleton, int joint, snw_synth_limb *limb)
{
    int count = 0;
    for (int c = skeleton->first_child[joint]; c >= 0; c = skeleton->next_sibling[c])
        count = add_limb(skeleton, joint, skeleton->rest[c].translation, limb, count);
    if (skeleton->has_tip[joint])
        count = add_limb(skeleton, joint, skeleton->tip[joint], limb, count);
    return count;
}

int snw__limbs_fill(const snw_skeleton *skeleton, snw_synth_limb *limb)
{
    int count = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        count += snw__limbs_of(skeleton, j, limb ? limb + count : NULL);
    return count;
}

snw_capsule snw__limb_in_world(const snw_synth_limb *limb, const snw_pose *pose)
{
    snw_xform world = pose->world[limb->joint];
    snw_capsule capsule = {snw_xform_point(world, limb->capsule.a),
                           snw_xform_point(world, limb->capsule.b), limb->capsule.radius};
    return capsule;
}
