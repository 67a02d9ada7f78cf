/* The body as capsules: what stands between a camera and a marker. */
#include "synth/capture.h"
#include "synth/synth_constants.h"

#include <string.h>

/* Half widths of a person's segments, as parts of the body's size (root to farthest tip); read off
 * the breadths and girths of average adults. The name is the joint that moves the segment. */
typedef struct segment_girth {
    const char *joint;
    double radius;
} segment_girth;

static const segment_girth segment_girths[] = {
    {"pelvis", 0.062},  {"spine", 0.070},    {"chest", 0.075},    {"neck", 0.036},
    {"head", 0.060},    {"clavicle", 0.025}, {"shoulder", 0.030}, {"elbow", 0.025},
    {"forearm", 0.021}, {"wrist", 0.018},    {"hip", 0.049},      {"knee", 0.033},
    {"ankle", 0.024},   {"toes", 0.016},
};

static double girth(const snw_skeleton *skeleton, int joint, double length)
{
    const char *name = skeleton->name[joint];
    bool is_person = snw_skeleton_find_joint(skeleton, "left_clavicle") >= 0;
    if (strncmp(name, "left_", 5) == 0) name += 5;
    if (strncmp(name, "right_", 6) == 0) name += 6;
    for (size_t i = 0; is_person && i < sizeof segment_girths / sizeof segment_girths[0]; i++)
        if (strcmp(segment_girths[i].joint, name) == 0)
            return segment_girths[i].radius * skeleton->size;
    return snw_clamp(SEGMENT_SLENDER * length, SEGMENT_THIN * skeleton->size,
                     SEGMENT_THICK * skeleton->size);
}

static int add_segment(const snw_skeleton *skeleton, int joint, snw_vec3 end,
                       snw_synth_segment *segment, int count)
{
    double length = snw_vec3_length(end);
    if (!(length > SEGMENT_SHORTEST * skeleton->size)) return count;
    if (segment) {
        segment[count].joint = joint;
        segment[count].capsule.a = snw_vec3_make(0, 0, 0);
        segment[count].capsule.b = end;
        segment[count].capsule.radius = girth(skeleton, joint, length);
    }
    return count + 1;
}

int snw__segments_of(const snw_skeleton *skeleton, int joint, snw_synth_segment *segment)
{
    int count = 0;
    for (int c = skeleton->first_child[joint]; c >= 0; c = skeleton->next_sibling[c])
        count = add_segment(skeleton, joint, skeleton->rest[c].translation, segment, count);
    if (skeleton->has_tip[joint])
        count = add_segment(skeleton, joint, skeleton->tip[joint], segment, count);
    return count;
}

int snw__segments_fill(const snw_skeleton *skeleton, snw_synth_segment *segment)
{
    int count = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        count += snw__segments_of(skeleton, j, segment ? segment + count : NULL);
    return count;
}

snw_capsule snw__segment_in_world(const snw_synth_segment *segment, const snw_pose *pose)
{
    snw_xform world = pose->world[segment->joint];
    snw_capsule capsule = {snw_xform_point(world, segment->capsule.a),
                           snw_xform_point(world, segment->capsule.b), segment->capsule.radius};
    return capsule;
}
