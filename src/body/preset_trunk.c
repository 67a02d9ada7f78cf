/* Parts of people with all their joints: a spine of 24 vertebrae under a skull, and a shoulder
 * whose collar bone and blade follow the arm. Up +y, forward +z, left +x, metres of a man of 1.75
 * m.
 *
 * Spine: each vertebra bends, leans and turns on the one below about the middle between them. The
 * ranges are those of White & Panjabi, Clinical Biomechanics of the Spine (1990), table 2-5 and its
 * neighbours ("representative angle"); what they give for bending forwards and backwards together
 * is divided as the American Academy of Orthopaedic Surgeons (1965) divides the trunk's, 80 to 25,
 * and the neck's, 45 to 45. Nobody bends one vertebra alone: in the lumbar, thoracic and cervical
 * part each the joints share a bend as their ranges do, so that nine numbers move the spine.
 * Lengths: Gray's Anatomy (lumbar part 18 cm, thoracic 28, cervical 12.5).
 *
 * Shoulder: the collar bone on the breastbone, the blade on the collar bone, the arm on the blade.
 * Of an arm that is raised by 180 degrees 120 are between arm and blade, 30 the collar bone's and
 * 30 the blade's on it (Inman, Saunders & Abbott 1944), in this proportion all the way; the collar
 * bone goes forwards by itself. The arm's three hinges are the plane, the elevation and the axial
 * turn of the International Society of Biomechanics (Wu et al. 2005). */
#include "base/elementary.h"
#include "body/preset.h"

#include "person/anthropometry.h"

enum {
    SPINE_LEVELS = 25,
    SPINE_DIRECTIONS = 3, /* forward, to the left, turned to the left */
    SPINE_PARTS = 3,
    SHOULDER_JOINTS = 11
};

/* clang-format off */
static const char *const spine_names[SPINE_LEVELS][SPINE_DIRECTIONS] = {
    {"L5_bend", "L5_lean", "L5"}, {"L4_bend", "L4_lean", "L4"}, {"L3_bend", "L3_lean", "L3"},
    {"L2_bend", "L2_lean", "L2"}, {"L1_bend", "L1_lean", "L1"},
    {"T12_bend", "T12_lean", "T12"}, {"T11_bend", "T11_lean", "T11"}, {"T10_bend", "T10_lean", "T10"},
    {"T9_bend", "T9_lean", "T9"}, {"T8_bend", "T8_lean", "T8"}, {"T7_bend", "T7_lean", "T7"},
    {"T6_bend", "T6_lean", "T6"}, {"T5_bend", "T5_lean", "T5"}, {"T4_bend", "T4_lean", "T4"},
    {"T3_bend", "T3_lean", "T3"}, {"T2_bend", "T2_lean", "T2"}, {"T1_bend", "T1_lean", "T1"},
    {"C7_bend", "C7_lean", "C7"}, {"C6_bend", "C6_lean", "C6"}, {"C5_bend", "C5_lean", "C5"},
    {"C4_bend", "C4_lean", "C4"}, {"C3_bend", "C3_lean", "C3"}, {"C2_bend", "C2_lean", "C2"},
    {"C1_bend", "C1_lean", "C1"}, {"skull_bend", "skull_lean", "skull"},
};

/* Degrees on the one below: forwards and backwards together; to one side; turned to one side. */
static const double spine_ranges_deg[SPINE_LEVELS][SPINE_DIRECTIONS] = {
    {17, 3, 1}, {16, 6, 2}, {15, 8, 2}, {14, 6, 2}, {12, 6, 2},
    {12, 8, 2}, {12, 9, 2}, {9, 7, 2}, {6, 6, 4}, {6, 6, 6}, {6, 6, 7},
    {5, 6, 7}, {4, 6, 8}, {4, 6, 8}, {4, 5, 8}, {4, 6, 8}, {4, 5, 9},
    {9, 4, 2}, {17, 7, 6}, {20, 8, 7}, {20, 11, 7}, {15, 11, 7}, {10, 10, 3}, {20, 5, 40}, {25, 5, 5},
};
/* clang-format on */

/* The skull goes with the neck. Length over all its vertebrae; how far the bone at its lower and
 * upper end leans forwards, degrees, a standing adult's double curve. */
static const struct {
    int first, vertebrae;
    double length, forward_share, lean_deg[2];
} spine_parts[SPINE_PARTS] = {{0, 5, 0.18, 80.0 / 105, {25, -20}},
                              {5, 12, 0.28, 80.0 / 105, {-20, 25}},
                              {17, 7, 0.125, 0.5, {25, 0}}};

/* The level of the part with the largest range leads the others. */
static int leader_of(int first, int end, int direction)
{
    int leader = first;
    for (int level = first; level < end; level++)
        if (spine_ranges_deg[level][direction] > spine_ranges_deg[leader][direction])
            leader = level;
    return leader;
}

static snw_joint_def hinge(const char *name, int parent, snw_vec3 axis)
{
    snw_joint_def def = snw_joint_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = SNW_JOINT_HINGE;
    def.joint.axis = axis;
    def.joint.axis2 = snw_vec3_perpendicular(axis);
    return def;
}

/* Joint 0 is the sacrum, then three hinges a level from below. */
static void add_level(int part, int level, snw_vec3 place, snw_joint_def *defs)
{
    static const snw_vec3 axes[SPINE_DIRECTIONS] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    int first = spine_parts[part].first;
    int end = part + 1 < SPINE_PARTS ? spine_parts[part + 1].first : SPINE_LEVELS;
    for (int k = 0; k < SPINE_DIRECTIONS; k++) {
        int joint = 1 + SPINE_DIRECTIONS * level + k, leader = leader_of(first, end, k);
        double most = spine_ranges_deg[level][k];
        double forward = k == 0 ? most * spine_parts[part].forward_share : most;
        const double range[2] = {k == 0 ? forward - most : -most, forward};
        defs[joint] = hinge(spine_names[level][k], joint - 1, axes[k]);
        if (k == 0) defs[joint].rest.translation = place;
        if (level == leader)
            snw__preset_range(&defs[joint].joint.limit, 0, range);
        else
            defs[joint].follow = (snw_follow){true, 1 + SPINE_DIRECTIONS * leader + k,
                                              most / spine_ranges_deg[leader][k], 0};
    }
}

snw_status snw__preset_spine24(const snw_allocator *allocator, snw_skeleton **out, snw_error *error)
{
    static const double masses[SPINE_PARTS] = {SNW__MASS_ABDOMEN, SNW__MASS_THORAX, 0.012};
    snw_joint_def defs[1 + SPINE_LEVELS * SPINE_DIRECTIONS];
    snw_vec3 place = {0, 0, 0};
    defs[0] = snw_joint_def_default();
    defs[0].name = "sacrum";
    for (int part = 0; part < SPINE_PARTS; part++) {
        int count = spine_parts[part].vertebrae;
        for (int n = 0; n < count; n++) {
            int level = spine_parts[part].first + n;
            const double *lean = spine_parts[part].lean_deg;
            double angle = snw_radians(lean[0] + (lean[1] - lean[0]) * (n + 0.5) / count);
            double height = spine_parts[part].length / count;
            add_level(part, level, place, defs);
            defs[SPINE_DIRECTIONS * (level + 1)].mass = masses[part] / count * SNW__MASS_MAN;
            place = snw_vec3_make(0, height * snw__cos(angle), height * snw__sin(angle));
        }
    }
    add_level(SPINE_PARTS - 1, SPINE_LEVELS - 1, place, defs);
    snw_joint_def *skull = &defs[SPINE_LEVELS * SPINE_DIRECTIONS];
    skull->has_tip = true;
    skull->tip = snw_vec3_make(0, SNW__LENGTH_HEAD * SNW__STATURE_MAN, 0);
    skull->mass = 0.069 * SNW__MASS_MAN;
    return snw_skeleton_create(defs, 1 + SPINE_LEVELS * SPINE_DIRECTIONS, allocator, out, error);
}

/* ---- shoulder ------------------------------------------------------------------------------- */

/* A left arm. At rest it hangs 40 degrees from the side in the plane of the blade, 30 degrees
 * before the body's: hanging straight down, plane and axial turn are one. Elevation is the arm's on
 * the blade, 0 to 120 of 0 to 180 degrees in all. Without an axis in its row a hinge bends
 * forwards. */
snw_status snw__preset_shoulder(const snw_allocator *allocator, snw_skeleton **out,
                                snw_error *error)
{
    enum {
        ELEVATION = 5
    };
    const double stature = SNW__STATURE_MAN, raised = snw_radians(40), plane = snw_radians(30);
    /* Along the arm at rest, and about what it is raised. */
    snw_quat to_plane = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), -plane);
    snw_vec3 lift = snw_quat_rotate(to_plane, snw_vec3_make(0, 0, 1));
    snw_vec3 down = snw_vec3_make(0, -1, 0);
    snw_vec3 along = snw_quat_rotate(snw_quat_from_axis_angle(lift, raised), down);
    const struct {
        const char *name;
        snw_vec3 axis, place;
        double range_deg[2];
    } rows[SHOULDER_JOINTS - 1] = {
        {"clavicle_forward", {0, -1, 0}, {0.012, 0.130, 0}, {-25, 25}},
        {"clavicle", {0, 0, 1}, {0, 0, 0}, {0, 0}},
        {"scapula", {0, 0, 1}, {0.095, 0.016, -0.010}, {0, 0}},
        {"plane", {0, -1, 0}, {0.022, -0.008, 0.010}, {-80, 90}},
        {"elevation", {lift.x, lift.y, lift.z}, {0, 0, 0}, {-80.0 / 3, 280.0 / 3}},
        {"shoulder", {-along.x, -along.y, -along.z}, {0, 0, 0}, {-90, 70}},
        {"elbow", {0, 0, 0}, {0, 0, 0}, {0, 150}},
        {"forearm", {along.x, along.y, along.z}, {0, 0, 0}, {-80, 80}},
        {"wrist_bend", {-lift.x, -lift.y, -lift.z}, {0, 0, 0}, {-70, 80}},
        {"wrist", {0, 0, 0}, {0, 0, 0}, {-30, 20}},
    };
    const double lengths[SHOULDER_JOINTS - 1] = {
        [6] = SNW__LENGTH_UPPER_ARM, [7] = SNW__LENGTH_FOREARM / 2, [8] = SNW__LENGTH_FOREARM / 2};
    snw_joint_def defs[SHOULDER_JOINTS];
    int count = 1;
    defs[0] = snw_joint_def_default();
    defs[0].name = "thorax";
    for (; count < SHOULDER_JOINTS; count++) {
        int n = count - 1;
        snw_vec3 axis = snw_vec3_unit(rows[n].axis, snw_vec3_cross(along, lift));
        defs[count] = hinge(rows[n].name, n, axis);
        defs[count].rest.translation =
            snw_vec3_scale(snw_vec3_add_scaled(rows[n].place, lengths[n], along), stature);
        if (rows[n].range_deg[0] < rows[n].range_deg[1])
            snw__preset_range(&defs[count].joint.limit, 0, rows[n].range_deg);
        else
            defs[count].follow = (snw_follow){true, ELEVATION, 0.25, 0};
    }
    defs[4].value_at_rest = plane;
    defs[ELEVATION].value_at_rest = raised * 2 / 3; /* the rest is the girdle's */
    defs[count - 1].has_tip = true;
    defs[count - 1].tip = snw_vec3_scale(along, SNW__LENGTH_HAND * stature);
    return snw_skeleton_create(defs, count, allocator, out, error);
}
