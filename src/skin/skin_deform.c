/* Surfaces in a pose. The motion of joint j since rest, T_j = world_from_joint bind^-1, as a matrix
 * of three rows or as a dual quaternion; a vertex takes the weighted sum of its joints' and is
 * moved by it.
 *
 * Dual quaternions (Kavan, Collins, Zara & O'Sullivan, "Geometric skinning with approximate dual
 * quaternion blending", 2008): q0 + e qe with qe = t q0 / 2; the sum is divided by |q0|, after all
 * have been brought to the side of the first one. */
#include <math.h>

#include <sinew/skin.h>

#include "base/fail.h"

/* Transforms of so many joints fit on a small stack; bodies have fewer. */
enum {
    DEFORM_JOINTS = 512
};

typedef struct deform_joint {
    float m[12]; /* rows of the matrix, or (q0, qe) as w x y z each */
} deform_joint;

static void move_linear(const deform_joint *joint, const snw_skin_vertex *vertex, snw_vec3 rest,
                        float out[3])
{
    float m[12];
    const float *first = joint[vertex->joint[0]].m;
    for (int n = 0; n < 12; n++)
        m[n] = vertex->weight[0] * first[n];
    for (int k = 1; k < SNW_SKIN_JOINTS && vertex->weight[k] > 0; k++) {
        const float *other = joint[vertex->joint[k]].m;
        for (int n = 0; n < 12; n++)
            m[n] += vertex->weight[k] * other[n];
    }
    const float p[3] = {(float)rest.x, (float)rest.y, (float)rest.z};
    for (int row = 0; row < 3; row++)
        out[row] =
            m[4 * row] * p[0] + m[4 * row + 1] * p[1] + m[4 * row + 2] * p[2] + m[4 * row + 3];
}

static void move_dual(const deform_joint *joint, const snw_skin_vertex *vertex, snw_vec3 rest,
                      float out[3])
{
    float m[8];
    const float *first = joint[vertex->joint[0]].m;
    for (int n = 0; n < 8; n++)
        m[n] = vertex->weight[0] * first[n];
    for (int k = 1; k < SNW_SKIN_JOINTS && vertex->weight[k] > 0; k++) {
        const float *other = joint[vertex->joint[k]].m;
        float side = 0;
        for (int n = 0; n < 4; n++)
            side += first[n] * other[n];
        float weight = side < 0 ? -vertex->weight[k] : vertex->weight[k];
        for (int n = 0; n < 8; n++)
            m[n] += weight * other[n];
    }
    float length = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + m[3] * m[3]);
    for (int n = 0; n < 8; n++)
        m[n] /= length;
    /* p + 2 u x (u x p + w p) + 2 (w e - ew u + u x e) */
    const float w = m[0], x = m[1], y = m[2], z = m[3];
    const float p[3] = {(float)rest.x, (float)rest.y, (float)rest.z};
    const float a[3] = {y * p[2] - z * p[1] + w * p[0], z * p[0] - x * p[2] + w * p[1],
                        x * p[1] - y * p[0] + w * p[2]};
    out[0] = p[0] + 2 * (y * a[2] - z * a[1]) + 2 * (w * m[5] - m[4] * x + y * m[7] - z * m[6]);
    out[1] = p[1] + 2 * (z * a[0] - x * a[2]) + 2 * (w * m[6] - m[4] * y + z * m[5] - x * m[7]);
    out[2] = p[2] + 2 * (x * a[1] - y * a[0]) + 2 * (w * m[7] - m[4] * z + x * m[6] - y * m[5]);
}

snw_status snw_skin_deform(const snw_skin *skin, const snw_pose *pose, snw_blend blend, float *out,
                           snw_error *error)
{
    if (!skin || !pose || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "skin, pose or out is NULL");
    if (pose->skeleton->joint_count != skin->joint_count || skin->joint_count > DEFORM_JOINTS)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the skin is of %d joints (at most %d), the pose of %d", skin->joint_count,
                         DEFORM_JOINTS, pose->skeleton->joint_count);
    if ((unsigned)blend > SNW_BLEND_DUAL_QUATERNION)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "blend is %d, not 0 or 1", (int)blend);
    deform_joint joint[DEFORM_JOINTS];
    for (int j = 0; j < skin->joint_count; j++) {
        snw_xform motion = snw_xform_mul(pose->world[j], snw_xform_inverse(skin->bind[j]));
        if (blend == SNW_BLEND_LINEAR) {
            snw_mat3 turn = snw_mat3_from_quat(motion.rotation);
            const double t[3] = {motion.translation.x, motion.translation.y, motion.translation.z};
            for (int row = 0; row < 3; row++) {
                for (int column = 0; column < 3; column++)
                    joint[j].m[4 * row + column] = (float)turn.m[row][column];
                joint[j].m[4 * row + 3] = (float)t[row];
            }
        } else {
            snw_quat q = snw_quat_normalize(motion.rotation);
            snw_vec3 t = motion.translation;
            snw_quat e = snw_quat_mul(snw_quat_make(0, t.x / 2, t.y / 2, t.z / 2), q);
            joint[j] = (deform_joint){{(float)q.w, (float)q.x, (float)q.y, (float)q.z, (float)e.w,
                                       (float)e.x, (float)e.y, (float)e.z, 0, 0, 0, 0}};
        }
    }
    const snw_vec3 *rest = skin->mesh->vertex;
    void (*move)(const deform_joint *, const snw_skin_vertex *, snw_vec3, float[3]) =
        blend == SNW_BLEND_LINEAR ? move_linear : move_dual;
    if (blend == SNW_BLEND_LINEAR)
        for (int v = 0; v < skin->mesh->count.vertex_count; v++)
            move_linear(joint, skin->vertex + v, rest[v], out + 3 * (size_t)v);
    else
        for (int v = 0; v < skin->mesh->count.vertex_count; v++)
            move_dual(joint, skin->vertex + v, rest[v], out + 3 * (size_t)v);
    for (int b = 0; b < skin->bend_count; b++) {
        double amount = snw_skin_bend_amount(skin, pose, b, blend);
        for (int n = 0; n < skin->bend[b].count && amount != 0; n++) {
            const snw_skin_shift *shift = skin->shift + skin->bend[b].first + n;
            int v = shift->vertex;
            snw_vec3 way =
                snw_vec3_make((double)shift->way[0], (double)shift->way[1], (double)shift->way[2]);
            move(joint, skin->vertex + v, snw_vec3_add_scaled(rest[v], amount, way),
                 out + 3 * (size_t)v);
        }
    }
    return snw__succeed(error);
}
