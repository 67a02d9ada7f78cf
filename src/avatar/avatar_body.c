/* The skeleton of an avatar, standing in the T-pose, body axes; names as in the preset "humanoid".
 * Elbows and knees are hinges, forearms turn about themselves, all else is a ball: what the
 * trackers say is not bent to the average person's limits. */
#include "avatar/avatar_body.h"

typedef struct body_row {
    const char *name;
    int parent;
    snw_joint_type type;
    snw_vec3 axis, axis2;
} body_row;

static void set_row(snw_joint_def *def, body_row row, snw_vec3 place)
{
    *def = snw_joint_def_default();
    def->name = row.name;
    def->parent = row.parent;
    def->joint.type = row.type;
    def->joint.axis = row.axis;
    def->joint.axis2 = row.axis2;
    def->rest.translation = place;
}

static void set_tip(snw_joint_def *def, snw_vec3 tip)
{
    def->has_tip = true;
    def->tip = tip;
}

snw_vec3 snw__avatar_clavicle_root(const snw_avatar_profile *profile, int side)
{
    snw_vec3 s = profile->shoulder[side];
    return snw_vec3_make(0.1 * s.x, 0.8 * s.y, s.z);
}

static void set_arm(const snw_avatar_profile *p, int side, snw_joint_def *defs)
{
    static const char *const names[2][SNW__AVATAR_ARM_JOINTS] = {
        {"left_clavicle", "left_shoulder", "left_elbow", "left_forearm", "left_wrist"},
        {"right_clavicle", "right_shoulder", "right_elbow", "right_forearm", "right_wrist"}};
    double sign = side ? -1 : 1, half = 0.5 * sign * p->forearm[side];
    int at = SNW__AVATAR_ARM + side * SNW__AVATAR_ARM_JOINTS;
    const snw_vec3 x = snw_vec3_make(sign, 0, 0), z = snw_vec3_make(0, 0, 1);
    const snw_vec3 hinge = snw_vec3_make(0, -sign, 0);
    const char *const *name = names[side];
    snw_vec3 s = p->shoulder[side], root = snw__avatar_clavicle_root(p, side);
    set_row(&defs[at], (body_row){name[0], 2, SNW_JOINT_BALL, x, z}, root);
    set_row(&defs[at + 1], (body_row){name[1], at, SNW_JOINT_BALL, x, z}, snw_vec3_sub(s, root));
    set_row(&defs[at + 2], (body_row){name[2], at + 1, SNW_JOINT_HINGE, hinge, z},
            snw_vec3_make(sign * p->upper_arm[side], 0, 0));
    set_row(&defs[at + 3], (body_row){name[3], at + 2, SNW_JOINT_PIVOT, x, z},
            snw_vec3_make(half, 0, 0));
    set_row(&defs[at + 4], (body_row){name[4], at + 3, SNW_JOINT_BALL, x, z},
            snw_vec3_make(half, 0, 0));
    set_tip(&defs[at + 4], snw_vec3_make(0.9 * half, 0, 0));
}

static void set_leg(const snw_avatar_profile *p, int side, snw_joint_def *defs)
{
    static const char *const names[2][SNW__AVATAR_LEG_JOINTS] = {
        {"left_hip", "left_knee", "left_ankle"}, {"right_hip", "right_knee", "right_ankle"}};
    int at = SNW__AVATAR_LEG + side * SNW__AVATAR_LEG_JOINTS;
    const snw_vec3 x = snw_vec3_make(1, 0, 0), z = snw_vec3_make(0, 0, 1);
    const snw_vec3 down = snw_vec3_make(0, -1, 0);
    double out = (side ? -0.5 : 0.5) * p->hip_width;
    double low = p->chest_height - p->spine[0] - p->spine[1] - p->thigh - p->shank - p->ankle;
    set_row(&defs[at], (body_row){names[side][0], 0, SNW_JOINT_BALL, down, z},
            snw_vec3_make(out, -fabs(low), 0));
    set_row(&defs[at + 1], (body_row){names[side][1], at, SNW_JOINT_HINGE, x, z},
            snw_vec3_make(0, -p->thigh, 0));
    set_row(&defs[at + 2], (body_row){names[side][2], at + 1, SNW_JOINT_BALL, down, z},
            snw_vec3_make(0, -p->shank, 0));
    set_tip(&defs[at + 2], snw_vec3_make(0, -p->ankle, 2.2 * p->ankle));
}

snw_status snw__avatar_body_create(const snw_avatar_profile *profile,
                                   const snw_allocator *allocator, snw_skeleton **out,
                                   snw_error *error)
{
    snw_joint_def defs[SNW__AVATAR_JOINTS];
    const snw_vec3 y = snw_vec3_make(0, 1, 0), z = snw_vec3_make(0, 0, 1);
    snw_vec3 head = snw_vec3_scale(snw_vec3_unit(profile->neck, y), profile->neck_length);
    set_row(&defs[0], (body_row){"pelvis", -1, SNW_JOINT_FIXED, y, z}, snw_vec3_make(0, 0, 0));
    set_row(&defs[1], (body_row){"spine", 0, SNW_JOINT_BALL, y, z},
            snw_vec3_make(0, profile->spine[0], 0));
    set_row(&defs[2], (body_row){"chest", 1, SNW_JOINT_BALL, y, z},
            snw_vec3_make(0, profile->spine[1], 0));
    set_row(&defs[3], (body_row){"neck", 2, SNW_JOINT_BALL, y, z}, profile->neck);
    set_row(&defs[4], (body_row){"head", 3, SNW_JOINT_BALL, y, z}, head);
    set_tip(&defs[4], snw_vec3_make(0, 0.12 * profile->chest_height, 0));
    for (int side = 0; side < 2; side++) {
        set_arm(profile, side, defs);
        set_leg(profile, side, defs);
    }
    return snw_skeleton_create(defs, SNW__AVATAR_JOINTS, allocator, out, error);
}
