/* Derivatives of a pose: how points and frames move with the joint coordinates, and the tangent
 * step that goes with them.
 *
 * Each coordinate of a joint is a small motion: a turn (angular velocity w) about the joint's
 * origin o, or a slide (velocity v). A point p of anything the joint carries then moves with
 * v + w x (p - o), and turns with w. That is the geometric Jacobian (Whitney 1969). */
#include <sinew/body.h>

#include <string.h>

/* Unit motions of a joint's coordinates, in the world. */
typedef struct pose_motions {
    int count;
    snw_vec3 turn[6];
    snw_vec3 slide[6];
} pose_motions;

static void add_turn(pose_motions *motions, snw_vec3 direction)
{
    motions->turn[motions->count] = direction;
    motions->slide[motions->count] = snw_vec3_make(0, 0, 0);
    motions->count++;
}

static void add_slide(pose_motions *motions, snw_vec3 direction)
{
    motions->turn[motions->count] = snw_vec3_make(0, 0, 0);
    motions->slide[motions->count] = direction;
    motions->count++;
}

static void add_three(pose_motions *motions, snw_quat world_from_frame,
                      void (*add)(pose_motions *, snw_vec3))
{
    add(motions, snw_quat_rotate(world_from_frame, snw_vec3_make(1, 0, 0)));
    add(motions, snw_quat_rotate(world_from_frame, snw_vec3_make(0, 1, 0)));
    add(motions, snw_quat_rotate(world_from_frame, snw_vec3_make(0, 0, 1)));
}

static void joint_motions(const snw_pose *pose, int i, pose_motions *motions)
{
    const snw_joint *joint = &pose->skeleton->joint[i];
    snw_quat after = pose->world[i].rotation;
    /* The frame before the joint's own motion: world_from_parent * rest. */
    snw_quat before = snw_quat_mul(after, snw_quat_conjugate(pose->rotation[i]));
    motions->count = 0;
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        add_turn(motions, snw_quat_rotate(after, joint->axis));
        break;
    case SNW_JOINT_UNIVERSAL:
        /* R(axis, v0) R(axis2, v1): the first axis stays with the parent, the second moves. */
        add_turn(motions, snw_quat_rotate(before, joint->axis));
        add_turn(motions, snw_quat_rotate(after, joint->axis2));
        break;
    case SNW_JOINT_BALL:
        add_three(motions, after, add_turn);
        break;
    case SNW_JOINT_PRISMATIC:
        add_slide(motions, snw_quat_rotate(before, joint->axis));
        break;
    case SNW_JOINT_FREE:
        add_three(motions, before, add_slide);
        add_three(motions, after, add_turn);
        break;
    case SNW_JOINT_FIXED:
    case SNW_JOINT_TYPE_COUNT:
        break;
    }
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
        pose_motions motions;
        snw_vec3 arm = snw_vec3_sub(point, pose->world[i].translation);
        joint_motions(pose, i, &motions);
        for (int k = 0; k < motions.count; k++)
            put_column(jacobian, dof_count, skeleton->dof_first[i] + k,
                       snw_vec3_add(motions.slide[k], snw_vec3_cross(motions.turn[k], arm)));
    }
}

void snw_pose_jacobian_turn(const snw_pose *pose, int joint, double *jacobian)
{
    const snw_skeleton *skeleton = pose->skeleton;
    int dof_count = skeleton->dof_count;
    memset(jacobian, 0, 3 * (size_t)dof_count * sizeof *jacobian);
    for (int i = joint; i >= 0; i = skeleton->parent[i]) {
        pose_motions motions;
        joint_motions(pose, i, &motions);
        for (int k = 0; k < motions.count; k++)
            put_column(jacobian, dof_count, skeleton->dof_first[i] + k, motions.turn[k]);
    }
}

/* rotation * exp(w), unit again. */
static snw_quat turned(snw_quat rotation, snw_vec3 w)
{
    return snw_quat_normalize(snw_quat_mul(rotation, snw_quat_exp(w)));
}

static void step_joint(const snw_joint *joint, const double *step, snw_quat *rotation,
                       snw_vec3 *slide)
{
    switch (joint->type) {
    case SNW_JOINT_HINGE:
    case SNW_JOINT_PIVOT:
        *rotation = turned(*rotation, snw_vec3_scale(joint->axis, step[0]));
        break;
    case SNW_JOINT_UNIVERSAL:
        *rotation = snw_quat_mul(snw_quat_exp(snw_vec3_scale(joint->axis, step[0])),
                                 turned(*rotation, snw_vec3_scale(joint->axis2, step[1])));
        *rotation = snw_quat_normalize(*rotation);
        break;
    case SNW_JOINT_BALL:
        *rotation = turned(*rotation, snw_vec3_make(step[0], step[1], step[2]));
        break;
    case SNW_JOINT_PRISMATIC:
        *slide = snw_vec3_add_scaled(*slide, step[0], joint->axis);
        break;
    case SNW_JOINT_FREE:
        *slide = snw_vec3_add(*slide, snw_vec3_make(step[0], step[1], step[2]));
        *rotation = turned(*rotation, snw_vec3_make(step[3], step[4], step[5]));
        break;
    case SNW_JOINT_FIXED:
    case SNW_JOINT_TYPE_COUNT:
        break;
    }
}

void snw_pose_step(snw_pose *pose, const double *step)
{
    const snw_skeleton *skeleton = pose->skeleton;
    for (int i = 0; i < skeleton->joint_count; i++)
        step_joint(&skeleton->joint[i], step + skeleton->dof_first[i], &pose->rotation[i],
                   &pose->slide[i]);
}
