/* Derivatives of a pose: how points and frames move with the joint coordinates, and the tangent
 * step that goes with them.
 *
 * Each coordinate of a joint is a small motion: a turn (angular velocity w) about the joint's
 * origin o, or a slide (velocity v). A point p of anything the joint carries then moves with
 * v + w x (p - o), and turns with w. That is the geometric Jacobian (Whitney 1969). */
#include "body/joint_types.h"

#include <string.h>

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
