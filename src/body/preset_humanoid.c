/* People: standing with arms stretched sideways and palms down, up +y, forward +z, left +x, the
 * pelvis at the origin. The pelvis has no freedom of its own: the pose's root carries it.
 *
 * Lengths and masses are those of person/anthropometry.h; the trunk's division is ours. Ranges are
 * those of the American Academy of Orthopaedic Surgeons (Joint Motion, 1965), with the spine's and
 * the neck's divided over their two joints; the collar bone after Inman, Saunders & Abbott (1944).
 */
#include "body/preset.h"

#include "body/body_constants.h"
#include "person/anthropometry.h"

enum {
    HUMANOID_MAX = 24
};

/* One joint of the middle or of the left side; the right side is its mirror image. */
typedef struct humanoid_joint {
    const char *name;
    const char *mirror_name; /* NULL for the middle */
    int parent;              /* row of this table */
    snw_joint_type type;
    double place[3]; /* from the parent, in body heights */
    double axis[3];
    double axis2[3];
    double range_deg[2][2]; /* hinge, pivot, universal */
    double cone_deg[4];     /* ball: towards axis2, axis x axis2, and back */
    double twist_deg[2];    /* ball */
    double tip[3];          /* in body heights; zero = none */
    double mass;            /* fraction of the body's */
} humanoid_joint;

/* clang-format off */
static const humanoid_joint humanoid_joints[] = {
    {"pelvis", NULL, -1, SNW_JOINT_FIXED, {0, 0, 0}, {0, 1, 0}, {0, 0, 1},
     {{0, 0}, {0, 0}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, SNW__MASS_PELVIS},
    /* bending: forward, left, back, right */
    {"spine", NULL, 0, SNW_JOINT_BALL, {0, 0.060, 0}, {0, 1, 0}, {0, 0, 1},
     {{0, 0}, {0, 0}}, {50, 20, 15, 20}, {-10, 10}, {0, 0, 0}, SNW__MASS_ABDOMEN},
    {"chest", NULL, 1, SNW_JOINT_BALL, {0, 0.090, 0}, {0, 1, 0}, {0, 0, 1},
     {{0, 0}, {0, 0}}, {30, 15, 10, 15}, {-35, 35}, {0, 0, 0}, SNW__MASS_THORAX},
    {"neck", NULL, 2, SNW_JOINT_BALL, {0, 0.165, 0}, {0, 1, 0}, {0, 0, 1},
     {{0, 0}, {0, 0}}, {30, 45, 30, 45}, {-30, 30}, {0, 0, 0}, 0.012},
    /* turning, then nodding (forward is positive) */
    {"head", NULL, 3, SNW_JOINT_UNIVERSAL, {0, 0.070, 0}, {0, 1, 0}, {1, 0, 0},
     {{-30, 30}, {-15, 15}}, {0, 0, 0, 0}, {0, 0}, {0, 0.085, 0}, 0.069},
    /* forward, then up; its mass is the trunk's */
    {"left_clavicle", "right_clavicle", 2, SNW_JOINT_UNIVERSAL, {0.012, 0.130, 0},
     {0, -1, 0}, {0, 0, 1}, {{-25, 25}, {-10, 40}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, 0},
    /* from the side: forward, down, back, up; twist outward to inward */
    {"left_shoulder", "right_shoulder", 5, SNW_JOINT_BALL, {0.117, 0.008, 0},
     {1, 0, 0}, {0, 0, 1}, {{0, 0}, {0, 0}}, {130, 95, 45, 90}, {-90, 70}, {0, 0, 0}, SNW__MASS_UPPER_ARM},
    {"left_elbow", "right_elbow", 6, SNW_JOINT_HINGE, {SNW__LENGTH_UPPER_ARM, 0, 0},
     {0, -1, 0}, {1, 0, 0}, {{0, 150}, {0, 0}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, SNW__MASS_FOREARM / 2},
    /* half-way down the forearm: the turn of the hand is spread along it */
    {"left_forearm", "right_forearm", 7, SNW_JOINT_PIVOT, {SNW__LENGTH_FOREARM / 2, 0, 0},
     {1, 0, 0}, {0, 0, 1}, {{-80, 80}, {0, 0}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, SNW__MASS_FOREARM / 2},
    /* flexion, then towards the thumb */
    {"left_wrist", "right_wrist", 8, SNW_JOINT_UNIVERSAL, {SNW__LENGTH_FOREARM / 2, 0, 0},
     {0, 0, -1}, {0, -1, 0}, {{-70, 80}, {-30, 20}}, {0, 0, 0, 0}, {0, 0}, {SNW__LENGTH_HAND, 0, 0}, SNW__MASS_HAND},
    /* from below: forward, inward, back, outward */
    {"left_hip", "right_hip", 0, SNW_JOINT_BALL, {SNW__LENGTH_HIPS / 2, 0, 0},
     {0, -1, 0}, {0, 0, 1}, {{0, 0}, {0, 0}}, {120, 30, 30, 45}, {-45, 45}, {0, 0, 0}, SNW__MASS_THIGH},
    {"left_knee", "right_knee", 10, SNW_JOINT_HINGE, {0, -SNW__LENGTH_THIGH, 0},
     {1, 0, 0}, {0, 1, 0}, {{0, 135}, {0, 0}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, SNW__MASS_SHANK},
    /* toes up to toes down, then sole outward to inward */
    {"left_ankle", "right_ankle", 11, SNW_JOINT_UNIVERSAL, {0, -SNW__LENGTH_SHANK, 0},
     {1, 0, 0}, {0, 0, -1}, {{-20, 50}, {-15, 35}}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0}, 0.0115},
    {"left_toes", "right_toes", 12, SNW_JOINT_HINGE, {0, -0.030, 0.080},
     {1, 0, 0}, {0, 1, 0}, {{-70, 45}, {0, 0}}, {0, 0, 0, 0}, {0, 0}, {0, -0.009, 0.035}, 0.003},
};
/* clang-format on */

#define HUMANOID_ROWS ((int)(sizeof humanoid_joints / sizeof humanoid_joints[0]))

static snw_vec3 vec3_from(const double v[3], double scale)
{
    return snw_vec3_make(v[0] * scale, v[1] * scale, v[2] * scale);
}

static void set_limit(snw_joint *joint, const humanoid_joint *row)
{
    snw_joint_limit *limit = &joint->limit;
    if (joint->type == SNW_JOINT_FIXED) return;
    if (joint->type != SNW_JOINT_BALL) {
        snw__preset_range(limit, 0, row->range_deg[0]);
        if (joint->type == SNW_JOINT_UNIVERSAL) snw__preset_range(limit, 1, row->range_deg[1]);
        return;
    }
    limit->swing = SNW_SWING_CONE;
    limit->has_twist = true;
    for (int i = 0; i < 4; i++)
        limit->cone[i] = snw_radians(row->cone_deg[i]);
    for (int i = 0; i < 2; i++)
        limit->twist[i] = snw_radians(row->twist_deg[i]);
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* [low, high] -> [-high, -low] */
static void negate_range(double range[2])
{
    swap(&range[0], &range[1]);
    range[0] = -range[0];
    range[1] = -range[1];
}

/* The mirror image at the plane x = 0. A place or a bone's direction changes its x; an axis of
 * rotation changes y and z instead, which keeps the sign of every flexion. Where the axis must lie
 * along the bone (ball, pivot) it is mirrored as a direction, and the angles about it change sign.
 */
static snw_joint_def mirror_joint(snw_joint_def def, const char *name)
{
    snw_joint *joint = &def.joint;
    def.name = name;
    def.rest.translation.x = -def.rest.translation.x;
    def.tip.x = -def.tip.x;
    if (joint->type == SNW_JOINT_BALL || joint->type == SNW_JOINT_PIVOT) {
        joint->axis.x = -joint->axis.x;
        joint->axis2.x = -joint->axis2.x;
        negate_range(joint->limit.range[0]);
        negate_range(joint->limit.twist);
        swap(&joint->limit.cone[1], &joint->limit.cone[3]); /* axis x axis2 turns round */
    } else {
        joint->axis = snw_vec3_make(joint->axis.x, -joint->axis.y, -joint->axis.z);
        joint->axis2 = snw_vec3_make(joint->axis2.x, -joint->axis2.y, -joint->axis2.z);
    }
    return def;
}

snw_status snw__preset_humanoid(const snw_allocator *allocator, snw_skeleton **out,
                                snw_error *error)
{
    snw_joint_def defs[HUMANOID_MAX];
    /* Middle and left in table order first, then the right; right_of[row] is where the mirror image
     * went. */
    int right_of[HUMANOID_ROWS];
    int count = HUMANOID_ROWS;
    for (int i = 0; i < HUMANOID_ROWS; i++) {
        const humanoid_joint *row = &humanoid_joints[i];
        snw_joint_def def = snw_joint_def_default();
        def.name = row->name;
        def.joint.type = row->type;
        def.joint.axis = vec3_from(row->axis, 1);
        def.joint.axis2 = vec3_from(row->axis2, 1);
        set_limit(&def.joint, row);
        def.rest.translation = vec3_from(row->place, SNW__STATURE_MAN);
        def.tip = vec3_from(row->tip, SNW__STATURE_MAN);
        def.has_tip = snw_vec3_length2(def.tip) > 0;
        def.mass = row->mass * SNW__MASS_MAN;
        defs[i] = def;
        defs[i].parent = row->parent;
        right_of[i] = i;
        if (!row->mirror_name) continue;
        defs[count] = mirror_joint(defs[i], row->mirror_name);
        defs[count].parent = right_of[row->parent];
        right_of[i] = count++;
    }
    return snw_skeleton_create(defs, count, allocator, out, error);
}

/* ---- the 13-joint figure ------------------------------------------------------------------ */

/* Aristidou (thesis 2010, figure 3.14d): 13 joints, 3 degrees of freedom each, 4 effectors: the
 * pelvis, and shoulder, elbow, wrist, hip, knee, ankle on both sides. Proportions as above. */
snw_status snw__preset_humanoid13(const snw_allocator *allocator, snw_skeleton **out,
                                  snw_error *error)
{
    static const char *const names[] = {
        "pelvis",    "left_shoulder", "left_elbow",     "left_wrist",  "left_hip",
        "left_knee", "left_ankle",    "right_shoulder", "right_elbow", "right_wrist",
        "right_hip", "right_knee",    "right_ankle"};
    static const int parents[] = {-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 0, 10, 11};
    /* left side, in body heights; shoulder height 0.818 less hip height 0.530 */
    static const double places[][3] = {{0, 0, 0},
                                       {0.129, 0.288, 0},
                                       {SNW__LENGTH_UPPER_ARM, 0, 0},
                                       {SNW__LENGTH_FOREARM, 0, 0},
                                       {SNW__LENGTH_HIPS / 2, 0, 0},
                                       {0, -SNW__LENGTH_THIGH, 0},
                                       {0, -SNW__LENGTH_SHANK, 0}};
    enum {
        FIGURE_COUNT = 13,
        FIGURE_SIDE = 6
    };
    snw_joint_def defs[FIGURE_COUNT];
    for (int i = 0; i < FIGURE_COUNT; i++) {
        bool is_right = i > FIGURE_SIDE;
        int left = is_right ? i - FIGURE_SIDE : i;
        bool is_arm = left >= 1 && left <= 3, is_leg = left >= 4;
        double side = is_right ? -1 : 1;
        snw_vec3 place = vec3_from(places[left], SNW__STATURE_MAN);
        defs[i] = snw_joint_def_default();
        defs[i].name = names[i];
        defs[i].parent = parents[i];
        defs[i].joint.type = SNW_JOINT_BALL;
        defs[i].joint.axis = snw_vec3_make(is_arm ? side : 0, is_arm ? 0 : is_leg ? -1 : 1, 0);
        defs[i].joint.axis2 = snw_vec3_make(0, 0, 1);
        defs[i].rest.translation = snw_vec3_make(side * place.x, place.y, place.z);
    }
    return snw_skeleton_create(defs, FIGURE_COUNT, allocator, out, error);
}
