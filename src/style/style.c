/* A style's memory, which joints of a body it knows, and features of poses. */
#include "style/style.h"

#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "body/joint_types.h"

/* ---- memory --------------------------------------------------------------------------------- */

typedef struct style_layout {
    snw_style fields;
    size_t name_size;
    char *names;
} style_layout;

static void style_lay_out(void *object, snw__block *block)
{
    style_layout *layout = object;
    snw_style *f = &layout->fields;
    size_t components = (size_t)f->component_count, features = (size_t)f->feature_count;
    size_t rows = snw__size_mul(components, (size_t)f->dimension_count);
    snw_style *style = snw__block_take(block, 1, sizeof *style);
    f->joint = snw__block_take(block, (size_t)f->joint_count, sizeof *f->joint);
    f->weight = snw__block_take(block, components, sizeof *f->weight);
    f->noise = snw__block_take(block, components, sizeof *f->noise);
    f->mean = snw__block_take(block, snw__size_mul(components, features), sizeof *f->mean);
    f->deviation = snw__block_take(block, rows, sizeof *f->deviation);
    f->direction = snw__block_take(block, snw__size_mul(rows, features), sizeof *f->direction);
    layout->names = snw__block_take(block, layout->name_size, 1);
    if (style) *style = *f;
}

snw_status snw__style_create(const snw_style *counts, size_t name_size,
                             const snw_allocator *allocator, snw_style **out, char **names,
                             snw_error *error)
{
    style_layout layout = {.fields = *counts, .name_size = name_size};
    snw__block block;
    layout.fields.allocator = snw__allocator_or_default(allocator);
    snw_status status = snw__block_create(&block, style_lay_out, &layout, &layout.fields.allocator,
                                          "a style", error);
    if (status != SNW_OK) return status;
    *out = (void *)block.base;
    (*out)->block_size = block.size;
    *names = layout.names;
    return SNW_OK;
}

void snw_style_destroy(snw_style *style)
{
    if (!style) return;
    snw_allocator memory = style->allocator; /* the block holds it */
    snw__release(&memory, style, style->block_size);
}

/* ---- joints --------------------------------------------------------------------------------- */

snw_joint_type snw__style_type(snw_joint_type type)
{
    const snw__joint_row *row = &snw__joint_rows[type];
    if (row->dof == 1 && row->slide_count == 0) return SNW_JOINT_HINGE;
    return row->dof >= 1 && row->dof <= 3 ? type : SNW_JOINT_FIXED;
}

int snw_style_match(const snw_style *style, const snw_skeleton *skeleton, int *joint_of)
{
    int count = 0;
    for (int s = 0; s < style->joint_count; s++) {
        int j = snw_skeleton_find_joint(skeleton, style->joint[s].name);
        bool is_same = j >= 0 && snw__style_type(skeleton->joint[j].type) == style->joint[s].type;
        joint_of[s] = is_same ? j : -1;
        count += is_same;
    }
    return count;
}

/* ---- features ------------------------------------------------------------------------------- */

/* Swing plane and twist: the bone points along d = q a; psi is its angle from a, the plane holds
 * psi (cos phi, sin phi) along axis2 and axis x axis2. */
void snw__style_ball_features(const snw_style_joint *joint, snw_quat q, double f[3])
{
    snw_vec3 bone = snw_quat_rotate(q, joint->axis);
    snw_vec3 side = snw_vec3_cross(joint->axis, joint->axis2);
    double x = snw_vec3_dot(bone, joint->axis2), y = snw_vec3_dot(bone, side);
    double sine = sqrt(x * x + y * y);
    double psi = snw__atan2(sine, snw_vec3_dot(bone, joint->axis));
    double scale = sine > 1e-9 ? psi / sine : 1;
    f[0] = scale * x;
    f[1] = scale * y;
    f[2] = snw_quat_twist_angle(q, joint->axis);
}

snw_quat snw__style_ball_rotation(const snw_style_joint *joint, const double f[3])
{
    snw_vec3 side = snw_vec3_cross(joint->axis, joint->axis2);
    snw_vec3 swing = snw_vec3_sub(snw_vec3_scale(side, f[0]), snw_vec3_scale(joint->axis2, f[1]));
    return snw_quat_normalize(
        snw_quat_mul(snw_quat_exp(swing), snw_quat_from_axis_angle(joint->axis, f[2])));
}

/* The lean of a pose where this is up. Only where the style has one. */
static void style_put_lean(const snw_style *style, const snw_pose *pose, snw_vec3 up,
                           double *features)
{
    double *lean = features + style->feature_count - 3;
    snw_vec3 seen = snw_quat_unrotate(pose->root.rotation, up);
    lean[0] = seen.x;
    lean[1] = seen.y;
    lean[2] = seen.z;
}

void snw_style_features(const snw_style *style, const int *joint_of, const snw_pose *pose,
                        double *features)
{
    double size = pose->skeleton->size > 0 ? pose->skeleton->size : 1;
    for (int s = 0; s < style->joint_count; s++) {
        const snw_style_joint *joint = &style->joint[s];
        double values[6], *f = features + joint->first;
        int j = joint_of[s];
        if (j < 0) continue;
        if (joint->type == SNW_JOINT_BALL) {
            snw__style_ball_features(joint, pose->rotation[j], f);
            continue;
        }
        int count =
            snw_joint_values(&pose->skeleton->joint[j], pose->rotation[j], pose->slide[j], values);
        for (int k = 0; k < count; k++)
            f[k] = joint->type == SNW_JOINT_PRISMATIC ? values[k] / size : values[k];
    }
    if (style->has_lean) style_put_lean(style, pose, style->up, features);
}

void snw_style_pose(const snw_style *style, const int *joint_of, const double *features,
                    snw_pose *pose)
{
    double size = pose->skeleton->size > 0 ? pose->skeleton->size : 1;
    for (int s = 0; s < style->joint_count; s++) {
        const snw_style_joint *joint = &style->joint[s];
        const double *f = features + joint->first;
        double values[6] = {0};
        int j = joint_of[s];
        if (j < 0) continue;
        if (joint->type == SNW_JOINT_BALL) {
            pose->rotation[j] = snw__style_ball_rotation(joint, f);
            continue;
        }
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++)
            values[k] = joint->type == SNW_JOINT_PRISMATIC ? f[k] * size : f[k];
        snw_joint_from_values(&pose->skeleton->joint[j], values, &pose->rotation[j],
                              &pose->slide[j]);
    }
}

void snw__style_axes(const snw_style *style, int which, int joint, const double *features,
                     const snw_pose *pose, snw_vec3 axes[3])
{
    const snw_style_joint *s = &style->joint[which];
    const snw_joint *body = &pose->skeleton->joint[joint];
    snw_quat world = pose->world[joint].rotation;
    /* The frame before the joint's own rotation. */
    snw_quat before = snw_quat_mul(world, snw_quat_conjugate(pose->rotation[joint]));
    if (s->type != SNW_JOINT_BALL) {
        axes[0] = snw_quat_rotate(before, body->axis);
        /* The second turn of a universal does not move its own axis. */
        axes[1] = snw_quat_rotate(world, body->axis2);
        return;
    }
    /* omega = J(v) dv with the left Jacobian of the exponential of v = f0 side - f1 axis2:
     * J u = a u + b v (v.u) + c v x u, a = sin psi / psi, c = (1 - cos psi) / psi^2,
     * b = (1 - a) / psi^2. */
    const double *f = features + s->first;
    snw_vec3 side = snw_vec3_cross(s->axis, s->axis2);
    snw_vec3 v = snw_vec3_sub(snw_vec3_scale(side, f[0]), snw_vec3_scale(s->axis2, f[1]));
    double square = snw_vec3_length2(v), psi = sqrt(square);
    double a = 1 - square / 6, b = 1.0 / 6, c = 0.5 - square / 24;
    if (psi > 1e-3) {
        double sine, cosine;
        snw__sin_cos(psi, &sine, &cosine);
        a = sine / psi;
        b = (1 - a) / square;
        c = (1 - cosine) / square;
    }
    const snw_vec3 u[2] = {side, snw_vec3_neg(s->axis2)};
    for (int k = 0; k < 2; k++) {
        snw_vec3 omega = snw_vec3_add_scaled(snw_vec3_scale(u[k], a), b * snw_vec3_dot(v, u[k]), v);
        omega = snw_vec3_add_scaled(omega, c, snw_vec3_cross(v, u[k]));
        axes[k] = snw_quat_rotate(before, omega);
    }
    axes[2] = snw_quat_rotate(world, s->axis);
}
