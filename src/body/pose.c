/* The pose: rotations and slides of all joints, and forward kinematics into world transforms.
 *
 * Owns: the state, forward kinematics, joint coordinates of a whole body, limits of a whole body,
 * interpolation, derivatives. Poses from positions are in pose_positions.c. */
#include <sinew/body.h>

#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "body/joint_types.h"

/* ---- life --------------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    snw_pose *pose = object;
    size_t joint_count = (size_t)pose->skeleton->joint_count;
    snw__block_take(block, 1, sizeof *pose);
    pose->rotation = snw__block_take(block, joint_count, sizeof *pose->rotation);
    pose->slide = snw__block_take(block, joint_count, sizeof *pose->slide);
    pose->world = snw__block_take(block, joint_count, sizeof *pose->world);
}

snw_status snw_pose_create(const snw_skeleton *skeleton, const snw_allocator *allocator,
                           snw_pose **out, snw_error *error)
{
    snw_pose fields = {0};
    snw__block block;
    *out = NULL;
    if (!skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "a pose needs a skeleton");
    fields.skeleton = skeleton;
    fields.allocator = snw__allocator_or_default(allocator);
    snw_status status =
        snw__block_create(&block, lay_out, &fields, &fields.allocator, "a pose", error);
    if (status != SNW_OK) return status;
    fields.block_size = block.size;
    *out = (void *)block.base;
    **out = fields;
    snw_pose_reset(*out);
    return snw__succeed(error);
}

void snw_pose_destroy(snw_pose *pose)
{
    if (!pose) return;
    snw_allocator memory = pose->allocator; /* the block holds it */
    snw__release(&memory, pose, pose->block_size);
}

void snw_pose_reset(snw_pose *pose)
{
    pose->root = snw_xform_identity();
    for (int i = 0; i < pose->skeleton->joint_count; i++) {
        pose->rotation[i] = snw_quat_identity();
        pose->slide[i] = snw_vec3_make(0, 0, 0);
    }
    snw_pose_forward(pose);
}

void snw_pose_copy(snw_pose *to, const snw_pose *from)
{
    if (to == from) return;
    size_t n = (size_t)from->skeleton->joint_count;
    to->root = from->root;
    memcpy(to->rotation, from->rotation, n * sizeof *to->rotation);
    memcpy(to->slide, from->slide, n * sizeof *to->slide);
    memcpy(to->world, from->world, n * sizeof *to->world);
}

/* ---- forward kinematics ------------------------------------------------------------------- */

/* world_from_parent * rest * (slide, rotation), with the two products that are usually trivial left
 * out: most rest frames are not turned, and most joints do not slide. */
static inline snw_xform joint_world(const snw_pose *pose, int i, const snw_xform *world_from_parent)
{
    const snw_skeleton *skeleton = pose->skeleton;
    const snw_xform *rest = &skeleton->rest[i];
    snw_vec3 slide = pose->slide[i];
    snw_quat turned = world_from_parent->rotation;
    snw_vec3 place = rest->translation;
    if (skeleton->rest_is_unrotated[i]) {
        place = snw_vec3_add(place, slide);
    } else {
        turned = snw_quat_mul(turned, rest->rotation);
        if (slide.x != 0 || slide.y != 0 || slide.z != 0)
            place = snw_vec3_add(place, snw_quat_rotate(rest->rotation, slide));
    }
    return snw_xform_make(snw_quat_mul(turned, pose->rotation[i]),
                          snw_xform_point(*world_from_parent, place));
}

void snw__pose_forward_joint(snw_pose *pose, int joint)
{
    int parent = pose->skeleton->parent[joint];
    pose->world[joint] = joint_world(pose, joint, parent < 0 ? &pose->root : &pose->world[parent]);
}

void snw_pose_forward_from(snw_pose *pose, int joint)
{
    const snw_skeleton *skeleton = pose->skeleton;
    const int *parent = skeleton->parent;
    int i = joint;
    if (i <= 0) {
        pose->world[0] = joint_world(pose, 0, &pose->root);
        i = 1;
    }
    for (; i < skeleton->joint_count; i++)
        pose->world[i] = joint_world(pose, i, &pose->world[parent[i]]);
}

void snw_pose_forward(snw_pose *pose)
{
    snw_pose_forward_from(pose, 0);
}

snw_vec3 snw_pose_point(const snw_pose *pose, int joint, snw_vec3 local_point)
{
    return snw_xform_point(pose->world[joint], local_point);
}

snw_vec3 snw_pose_tip(const snw_pose *pose, int joint)
{
    /* A joint without a tip has tip = 0: its origin. */
    return snw_xform_point(pose->world[joint], pose->skeleton->tip[joint]);
}

/* ---- coordinates and limits --------------------------------------------------------------- */

void snw_pose_values(const snw_pose *pose, double *values)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int i = 0; i < skeleton->joint_count; i++) {
        double own[6];
        int count = snw_joint_values(&skeleton->joint[i], pose->rotation[i], pose->slide[i], own);
        memcpy(values + skeleton->dof_first[i], own, (size_t)count * sizeof *values);
    }
}

void snw_pose_set_values(snw_pose *pose, const double *values)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int i = 0; i < skeleton->joint_count; i++) {
        const snw_joint *joint = &skeleton->joint[i];
        const double *own = values + skeleton->dof_first[i];
        if (snw__joint_is_hinge(joint)) {
            /* What snw_joint_from_values does for the joints that most bodies are made of, without
             * making the axis unit again: a skeleton's axes are. Three quarters of the time of
             * forward kinematics from coordinates are spent here. */
            double half = isfinite(own[0]) ? 0.5 * own[0] : 0.0;
            double sine = snw__sin(half);
            pose->rotation[i] = snw_quat_make(snw__cos(half), joint->axis.x * sine,
                                              joint->axis.y * sine, joint->axis.z * sine);
            pose->slide[i] = snw_vec3_make(0, 0, 0);
        } else {
            snw_joint_from_values(joint, own, &pose->rotation[i], &pose->slide[i]);
        }
    }
}

/* How far a follower is from where its leader says: radians or metres. */
static double follow_gap(const snw_pose *pose, int joint, double *wanted)
{
    const snw_skeleton *skeleton = pose->skeleton;
    const snw_follow *follow = &skeleton->follow[joint];
    double lead[6], own[6];
    (void)snw_joint_values(&skeleton->joint[follow->leader], pose->rotation[follow->leader],
                           pose->slide[follow->leader], lead);
    (void)snw_joint_values(&skeleton->joint[joint], pose->rotation[joint], pose->slide[joint], own);
    *wanted = follow->factor * lead[0] + follow->offset;
    bool is_slide = snw__joint_slides(&skeleton->joint[joint]);
    return is_slide ? *wanted - own[0] : snw_wrap_angle(*wanted - own[0]);
}

bool snw_pose_follow(snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    bool has_moved = false;
    for (int k = 0; k < skeleton->follower_count; k++) {
        int joint = skeleton->follower[k];
        double values[6] = {0};
        double gap = follow_gap(pose, joint, &values[0]);
        /* What stands where it should to round-off stays bit for bit. */
        if (fabs(gap) <= 1e-15 * fmax(1, fabs(values[0]))) continue;
        snw_joint_from_values(&skeleton->joint[joint], values, &pose->rotation[joint],
                              &pose->slide[joint]);
        has_moved = true;
    }
    return has_moved;
}

int snw_pose_apply_limits(snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int changed = 0;
    for (int i = 0; i < skeleton->joint_count; i++) {
        snw_quat rotation = snw_joint_limit_apply(&skeleton->joint[i], pose->rotation[i]);
        snw_vec3 slide = snw_joint_limit_apply_slide(&skeleton->joint[i], pose->slide[i]);
        /* memcmp: what is allowed comes back bit for bit, and a NaN must count as changed. */
        changed += memcmp(&rotation, &pose->rotation[i], sizeof rotation) != 0 ||
                   memcmp(&slide, &pose->slide[i], sizeof slide) != 0;
        pose->rotation[i] = rotation;
        pose->slide[i] = slide;
    }
    (void)snw_pose_follow(pose);
    return changed;
}

double snw_pose_violation(const snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    double scale = skeleton->size > 0 ? 1.0 / skeleton->size : 1.0;
    double worst = 0;
    for (int i = 0; i < skeleton->joint_count; i++) {
        double turn = snw_joint_limit_violation(&skeleton->joint[i], pose->rotation[i]);
        double slide = snw_joint_limit_violation_slide(&skeleton->joint[i], pose->slide[i]);
        worst = fmax(worst, fmax(turn, slide * scale));
    }
    for (int k = 0; k < skeleton->follower_count; k++) {
        double wanted;
        bool is_slide = snw__joint_slides(&skeleton->joint[skeleton->follower[k]]);
        double gap = fabs(follow_gap(pose, skeleton->follower[k], &wanted));
        if (gap > SNW_LIMIT_TOLERANCE) worst = fmax(worst, is_slide ? gap * scale : gap);
    }
    return worst;
}

/* ---- interpolation ------------------------------------------------------------------------ */

void snw_pose_interpolate(const snw_pose *a, const snw_pose *b, double t, snw_pose *out)
{
    out->root = snw_xform_interpolate(a->root, b->root, t);
    for (int i = 0; i < a->skeleton->joint_count; i++) {
        out->rotation[i] = snw_quat_slerp(a->rotation[i], b->rotation[i], t);
        out->slide[i] = snw_vec3_lerp(a->slide[i], b->slide[i], t);
    }
}

/* ---- derivatives --------------------------------------------------------------------------
 *
 * How points and frames move with the joint coordinates, and the tangent step that goes with them.
 * Each coordinate of a joint is a small motion: a turn (angular velocity w) about the joint's
 * origin o, or a slide (velocity v). A point p of anything the joint carries then moves with
 * v + w x (p - o), and turns with w. That is the geometric Jacobian (Whitney 1969). */

/* Axes of the joint's coordinates in the world; returns its row. */
static const snw__joint_row *joint_axes(const snw_pose *pose, int i, snw_vec3 axis[6])
{
    const snw__joint_row *row = snw__joint_row_of(&pose->skeleton->joint[i]);
    row->axes(&pose->skeleton->joint[i], pose->world[i].rotation, pose->rotation[i], axis);
    return row;
}

static void put_column(double *jacobian, int dof_count, int column, snw_vec3 value)
{
    jacobian[column] = value.x;
    jacobian[dof_count + column] = value.y;
    jacobian[2 * dof_count + column] = value.z;
}

void snw_pose_jacobian_point(const snw_pose *pose, int joint, snw_vec3 local_point,
                             double *jacobian)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int dof_count = skeleton->dof_count;
    snw_vec3 point = snw_pose_point(pose, joint, local_point);
    memset(jacobian, 0, 3 * (size_t)dof_count * sizeof *jacobian);
    for (int i = joint; i >= 0; i = skeleton->parent[i]) {
        snw_vec3 axis[6], arm = snw_vec3_sub(point, pose->world[i].translation);
        const snw__joint_row *row = joint_axes(pose, i, axis);
        for (int k = 0; k < row->dof; k++)
            put_column(jacobian, dof_count, skeleton->dof_first[i] + k,
                       k < row->slide_count ? axis[k] : snw_vec3_cross(axis[k], arm));
    }
}

void snw_pose_jacobian_turn(const snw_pose *pose, int joint, double *jacobian)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int dof_count = skeleton->dof_count;
    memset(jacobian, 0, 3 * (size_t)dof_count * sizeof *jacobian);
    for (int i = joint; i >= 0; i = skeleton->parent[i]) {
        snw_vec3 axis[6];
        const snw__joint_row *row = joint_axes(pose, i, axis);
        for (int k = row->slide_count; k < row->dof; k++)
            put_column(jacobian, dof_count, skeleton->dof_first[i] + k, axis[k]);
    }
}

void snw_pose_step(snw_pose *pose, const double *step)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int i = 0; i < skeleton->joint_count; i++)
        snw__joint_row_of(&skeleton->joint[i])
            ->step(&skeleton->joint[i], step + skeleton->dof_first[i], &pose->rotation[i],
                   &pose->slide[i]);
}
