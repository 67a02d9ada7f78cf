/* The list of ready-made bodies, and the plain ones: chains and the Y (Aristidou & Lasenby, models
 * of figure 3.14; robots: preset_robot.c; hands and people: preset_hand.c,
 * preset_humanoid.c). */
#include "body/preset.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "body/body_constants.h"

enum {
    PRESET_NAME_SIZE = 16 /* "joint4096" fits */
};
static const double preset_bone = 0.1; /* metres between joints of "chain10" and "y" */

/* A ball joint whose bone lies along +x. */
static snw_joint_def bone_along_x(const char *name, int parent, snw_vec3 place)
{
    snw_joint_def def = snw_joint_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = SNW_JOINT_BALL;
    def.joint.axis = snw_vec3_make(1, 0, 0);
    def.joint.axis2 = snw_vec3_make(0, 1, 0);
    def.rest.translation = place;
    return def;
}

/* ---- chain -------------------------------------------------------------------------------- */

snw_status snw_preset_chain(int joint_count, double length, const snw_allocator *allocator,
                            snw_skeleton **out, snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    *out = NULL;
    if (joint_count < 1 || joint_count > SNW_JOINT_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a chain of %d joints cannot be made: 1 to %d are possible", joint_count,
                         SNW_JOINT_MAX);
    if (!(length > 0) || !isfinite(length))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the bones of a chain are %g m long: it must be above zero", length);
    size_t defs_size = (size_t)joint_count * sizeof(snw_joint_def);
    size_t size = defs_size + (size_t)joint_count * PRESET_NAME_SIZE;
    snw_joint_def *defs = snw__allocate(&memory, size);
    if (!defs) return snw__fail_memory(error, size, "the joints of a chain");
    for (int i = 0; i < joint_count; i++) {
        char *name = (char *)defs + defs_size + (size_t)i * PRESET_NAME_SIZE;
        snw_format(name, PRESET_NAME_SIZE, "joint%d", i + 1);
        defs[i] = bone_along_x(name, i - 1, snw_vec3_make(i == 0 ? 0 : length, 0, 0));
    }
    snw_status status = snw_skeleton_create(defs, joint_count, &memory, out, error);
    snw__release(&memory, defs, size);
    return status;
}

static snw_status build_chain10(const snw_allocator *allocator, snw_skeleton **out,
                                snw_error *error)
{
    return snw_preset_chain(10, preset_bone, allocator, out, error);
}

/* ---- Y ------------------------------------------------------------------------------------ */

/* A stem of four joints and two arms of three that leave it at +-45 degrees. */
static snw_status build_y(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const char *const names[] = {"stem1", "stem2", "stem3",  "stem4",  "left1",
                                        "left2", "left3", "right1", "right2", "right3"};
    static const int parents[] = {-1, 0, 1, 2, 3, 4, 5, 3, 7, 8};
    static const double angle_deg[] = {0, 0, 0, 0, 45, 0, 0, -45, 0, 0};
    enum {
        Y_JOINT_COUNT = 10
    };
    snw_joint_def defs[Y_JOINT_COUNT];
    for (int i = 0; i < Y_JOINT_COUNT; i++) {
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), snw_radians(angle_deg[i]));
        snw_vec3 bone = snw_vec3_make(i == 0 ? 0 : preset_bone, 0, 0);
        defs[i] = bone_along_x(names[i], parents[i], snw_quat_rotate(turn, bone));
        defs[i].rest.rotation = turn;
    }
    return snw_skeleton_create(defs, Y_JOINT_COUNT, allocator, out, error);
}

void snw__preset_range(snw_joint_limit *limit, int which, const double degrees[2])
{
    limit->has_range[which] = true;
    limit->range[which][0] = snw_radians(degrees[0]);
    limit->range[which][1] = snw_radians(degrees[1]);
}

/* ---- the list ----------------------------------------------------------------------------- */

typedef struct preset_entry {
    const char *name;
    const char *text;
    snw__preset_builder *build;
} preset_entry;

static const preset_entry presets[] = {
    {"chain10", "10 ball joints in a row, 0.1 m apart, no limits", build_chain10},
    {"y", "10 ball joints: a stem of 4 and two arms of 3, 2 effectors, no limits", build_y},
    {"hand26", "26 ball joints: a hand with 5 effectors, no limits", snw__preset_hand26},
    {"hand25", "25 joints, 25 degrees of freedom: a hand with the limits of its fingers",
     snw__preset_hand25},
    {"humanoid13", "13 ball joints: a figure with 4 effectors, no limits", snw__preset_humanoid13},
    {"humanoid", "23 joints: a person of 1.75 m with anatomical joint types, ranges and masses",
     snw__preset_humanoid},
    {"spine24", "24 vertebrae and a skull, 3 hinges each, that share a bend as their ranges do",
     snw__preset_spine24},
    {"shoulder", "an arm of 10 hinges on a shoulder of 3 joints that follow it",
     snw__preset_shoulder},
    {"arm7", "7 hinges with ranges and a tool: the KUKA LBR iiwa 7 R800", snw__preset_arm7},
    {"puma560", "6 hinges with ranges and a spherical wrist: the Unimation PUMA 560",
     snw__preset_puma560},
    {"panda", "7 hinges with ranges: the Franka Emika Panda", snw__preset_panda},
    {"ur5", "6 hinges of two turns: the Universal Robots UR5", snw__preset_ur5},
    {"ur10", "6 hinges of two turns: the Universal Robots UR10", snw__preset_ur10},
    {"gen3", "7 hinges, 4 of them without end: the Kinova Gen3", snw__preset_gen3},
};

#define PRESET_COUNT ((int)(sizeof presets / sizeof presets[0]))

int snw_preset_count(void)
{
    return PRESET_COUNT;
}

const char *snw_preset_name(int index)
{
    return index >= 0 && index < PRESET_COUNT ? presets[index].name : NULL;
}

const char *snw_preset_text(int index)
{
    return index >= 0 && index < PRESET_COUNT ? presets[index].text : NULL;
}

snw_status snw_preset_create(const char *name, const snw_allocator *allocator, snw_skeleton **out,
                             snw_error *error)
{
    *out = NULL;
    for (int i = 0; name && i < PRESET_COUNT; i++)
        if (strcmp(presets[i].name, name) == 0) return presets[i].build(allocator, out, error);
    return snw__fail(error, SNW_NOT_FOUND, "there is no ready-made body \"%s\"", name ? name : "");
}
