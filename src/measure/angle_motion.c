/* Functional angles: how far each joint of a solved person has turned out of the body's rest pose,
 * about the person's own axes.
 *
 * The axes are those of the rest pose: y from the right hip (or shoulder) to the left one, z from
 * the hips up the trunk, x forwards. A segment's frame is the person's in that pose and moves with
 * the segment from then on, so every angle is zero there. A ball joint gives the Cardan angles of
 * angles.c; a joint with one axis gives its one angle, flexion where the axis lies across the body.
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "label/label_grammar.h"
#include "measure/angle_rows.h"
#include "subject/gait.h"

/* What a joint is called, by the part that begins there, and the sign of its flexion. */
static const struct {
    snw_part part;
    const char *name;
    double flexion;
} motion_joint[] = {
    {SNW_PART_UPLEG, "hip", -1},    {SNW_PART_LEG, "knee", 1},
    {SNW_PART_FOOT, "ankle", -1},   {SNW_PART_CHEST, "trunk", 1},
    {SNW_PART_HEAD, "neck", 1},     {SNW_PART_SHOULDER, "shoulder_girdle", 1},
    {SNW_PART_ARM, "shoulder", -1}, {SNW_PART_FOREARM, "elbow", -1},
    {SNW_PART_HAND, "wrist", -1},
};

typedef struct motion_column {
    int joint;
    int index; /* of the Cardan angles; -1: the angle about the joint's one axis */
    double sign;
} motion_column;

typedef struct motion_plan {
    snw_quat person; /* world_from_person in the rest pose */
    int count;
    motion_column *column; /* (3 * joint_count) */
    snw_angle_column *name;
    const snw_pose *rest;
} motion_plan;

static bool joint_place(const snw_pose *rest, snw_part part, snw_side side, snw_vec3 *out)
{
    int joint = snw_skeleton_find_joint(rest->skeleton, snw_part_name(part, side));
    if (joint >= 0) *out = rest->world[joint].translation;
    return joint >= 0;
}

/* False where the body has no two legs or arms to tell left from right. */
static bool person_axes(const snw_pose *rest, snw_quat *out)
{
    snw_vec3 left, right, above, below = rest->world[0].translation;
    bool has_legs = joint_place(rest, SNW_PART_UPLEG, SNW_SIDE_LEFT, &left) &&
                    joint_place(rest, SNW_PART_UPLEG, SNW_SIDE_RIGHT, &right);
    if (has_legs) below = snw_vec3_lerp(left, right, 0.5);
    if (!has_legs && (!joint_place(rest, SNW_PART_ARM, SNW_SIDE_LEFT, &left) ||
                      !joint_place(rest, SNW_PART_ARM, SNW_SIDE_RIGHT, &right)))
        return false;
    bool has_above = joint_place(rest, SNW_PART_HEAD, SNW_SIDE_NONE, &above) ||
                     joint_place(rest, SNW_PART_CHEST, SNW_SIDE_NONE, &above);
    snw_vec3 knees[2];
    if (has_above) {
        /* The hips' line is the surer one: z is what is left of the trunk across it. */
        snw_vec3 y = snw_vec3_sub(left, right);
        snw_vec3 x = snw_vec3_cross(y, snw_vec3_sub(above, below));
        return snw__gait_axes(snw_vec3_cross(x, y), y, out);
    }
    if (!has_legs || !joint_place(rest, SNW_PART_LEG, SNW_SIDE_LEFT, &knees[0]) ||
        !joint_place(rest, SNW_PART_LEG, SNW_SIDE_RIGHT, &knees[1]))
        return false;
    snw_vec3 y = snw_vec3_sub(left, right);
    snw_vec3 x = snw_vec3_cross(y, snw_vec3_sub(below, snw_vec3_lerp(knees[0], knees[1], 0.5)));
    return snw__gait_axes(snw_vec3_cross(x, y), y, out);
}

static void add_column(motion_plan *plan, const char *stem, const char *plane, motion_column column)
{
    snw_angle_column *name = plan->name + plan->count;
    memset(name, 0, sizeof *name);
    snw_format(name->name, sizeof name->name, "%.40s_%s", stem, plane);
    plan->column[plan->count++] = column;
}

static void add_joint(motion_plan *plan, int joint)
{
    const snw_skeleton *body = plan->rest->skeleton;
    snw_joint_type type = body->joint[joint].type;
    snw_side side = SNW_SIDE_NONE;
    snw_part part = snw_part_read(body->name[joint], &side);
    const char *what = NULL;
    char stem[SNW_ANGLE_NAME_SIZE];
    double flexion = 1, inward = side == SNW_SIDE_RIGHT ? -1 : 1;
    for (size_t n = 0; n < sizeof motion_joint / sizeof *motion_joint; n++)
        if (part != SNW_PART_NONE && motion_joint[n].part == part) {
            what = motion_joint[n].name;
            flexion = motion_joint[n].flexion;
        }
    if (what)
        snw_format(stem, sizeof stem, "%s%s",
                   side == SNW_SIDE_LEFT    ? "left_"
                   : side == SNW_SIDE_RIGHT ? "right_"
                                            : "",
                   what);
    else
        snw_format(stem, sizeof stem, "%.40s", body->name[joint]);
    if (type == SNW_JOINT_FIXED || type == SNW_JOINT_PRISMATIC) return;
    if (type == SNW_JOINT_HINGE || type == SNW_JOINT_PIVOT) {
        /* The joint's axis in the person's frame. */
        snw_vec3 world = snw_quat_rotate(plan->rest->world[joint].rotation,
                                         plan->rest->skeleton->joint[joint].axis);
        snw_vec3 axis = snw_quat_unrotate(plan->person, world);
        double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
        motion_column column = {joint, -1, 1};
        if (y >= x && y >= z) {
            column.sign = axis.y > 0 ? flexion : -flexion;
            add_column(plan, stem, "flexion", column);
        } else if (x >= z) {
            column.sign = axis.x > 0 ? inward : -inward;
            add_column(plan, stem, "abduction", column);
        } else {
            column.sign = axis.z > 0 ? -inward : inward;
            add_column(plan, stem, "rotation", column);
        }
        return;
    }
    bool is_middle = side == SNW_SIDE_NONE;
    motion_column bend = {joint, 0, flexion}, away = {joint, 1, inward},
                  turn = {joint, 2, is_middle ? 1 : -inward};
    add_column(plan, stem, "flexion", bend);
    add_column(plan, stem, is_middle ? "bending" : "abduction", away);
    add_column(plan, stem, "rotation", turn);
}

static bool is_part(const snw_skeleton *body, int joint)
{
    snw_side side;
    return snw_part_read(snw__bare_label(body->name[joint]), &side) != SNW_PART_NONE;
}

/* How far a joint has turned out of rest, in its frame. A trunk or neck of two joints turns from
 * the pelvis, or from the chest, as one of a single joint does: the joint between counts with it.
 */
static snw_quat turn_of(const snw_motion *motion, int frame, int joint)
{
    const snw_skeleton *body = motion->skeleton;
    const snw_quat *rotation = motion->rotation + (size_t)frame * (size_t)body->joint_count;
    int between = body->parent[joint];
    if (between <= 0 || !is_part(body, joint) || is_part(body, between) ||
        !is_part(body, body->parent[between]))
        return rotation[joint];
    snw_quat rest = body->rest[joint].rotation;
    snw_quat before = snw_quat_mul(snw_quat_conjugate(rest), snw_quat_mul(rotation[between], rest));
    return snw_quat_mul(before, rotation[joint]);
}

static double column_value(const motion_plan *plan, const motion_column *column, snw_quat turn)
{
    double angles[3];
    const snw_joint *joint = plan->rest->skeleton->joint + column->joint;
    if (column->index < 0)
        return column->sign *
               snw_quat_twist_angle(turn, snw_vec3_unit(joint->axis, snw_vec3_make(0, 0, 1)));
    snw_quat person_from_joint =
        snw_quat_mul(snw_quat_conjugate(plan->person), plan->rest->world[column->joint].rotation);
    snw_quat turned =
        snw_quat_mul(snw_quat_mul(person_from_joint, turn), snw_quat_conjugate(person_from_joint));
    snw_quat_to_euler(turned, SNW_EULER_YXZ, angles);
    return column->sign * angles[column->index];
}

static snw_status make_angles(const snw_motion *motion, motion_plan *plan,
                              const snw_allocator *allocator, snw_angles **out, snw_error *error)
{
    if (!person_axes(plan->rest, &plan->person))
        return snw__fail(error, SNW_NOT_FOUND,
                         "the body has no two legs or arms by which left and right could be told");
    for (int j = 1; j < motion->skeleton->joint_count; j++)
        add_joint(plan, j);
    if (plan->count == 0)
        return snw__fail(error, SNW_DEGENERATE, "the body has no joint that turns");
    snw_angles sketch;
    memset(&sketch, 0, sizeof sketch);
    sketch.convention = SNW_ANGLES_FUNCTIONAL;
    sketch.frame_count = motion->frame_count;
    sketch.rate = motion->rate;
    sketch.column_count = plan->count;
    snw_status status = snw__angles_create(&sketch, allocator, out, error);
    if (status != SNW_OK) return status;
    size_t columns = (size_t)plan->count;
    memcpy((*out)->column, plan->name, columns * sizeof *plan->name);
    for (int f = 0; f < motion->frame_count; f++)
        for (int c = 0; c < plan->count; c++)
            (*out)->value[(size_t)f * columns + (size_t)c] =
                column_value(plan, plan->column + c, turn_of(motion, f, plan->column[c].joint));
    return snw__succeed(error);
}

static void lay_out_plan(void *object, snw__block *block)
{
    motion_plan *plan = object;
    size_t most = 3 * (size_t)plan->rest->skeleton->joint_count;
    plan->column = snw__block_take(block, most, sizeof *plan->column);
    plan->name = snw__block_take(block, most, sizeof *plan->name);
}

snw_status snw_angles_from_motion(const snw_motion *motion, const snw_allocator *allocator,
                                  snw_angles **out, snw_error *error)
{
    motion_plan plan;
    snw_pose *rest = NULL;
    *out = NULL;
    memset(&plan, 0, sizeof plan);
    snw_status status = snw_pose_create(motion->skeleton, allocator, &rest, error);
    if (status != SNW_OK) return status;
    snw_pose_reset(rest);
    plan.rest = rest;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    status = snw__block_create(&block, lay_out_plan, &plan, &memory, "functional angles", error);
    if (status == SNW_OK) status = make_angles(motion, &plan, allocator, out, error);
    snw__block_release(&memory, &block);
    snw_pose_destroy(rest);
    return status;
}
