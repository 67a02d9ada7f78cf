/* Bodies and poses that several test programs share: one with every joint type, random trees,
 * random poses. */
#ifndef SNW_TESTS_BODY_SAMPLES_H
#define SNW_TESTS_BODY_SAMPLES_H

#include "check.h"

/* ---- 4x4 matrices: the second way to do forward kinematics ---------------------------------- */

typedef struct mat4 {
    double m[4][4];
} mat4;

static inline mat4 mat4_mul(mat4 a, mat4 b)
{
    mat4 c = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

/* A transform as a matrix, written out from the quaternion's components, not through the library.
 */
static inline mat4 mat4_from(snw_quat q, snw_vec3 t)
{
    mat4 a = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                2 * (q.x * q.z + q.w * q.y), t.x},
               {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                2 * (q.y * q.z - q.w * q.x), t.y},
               {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                1 - 2 * (q.x * q.x + q.y * q.y), t.z},
               {0, 0, 0, 1}}};
    return a;
}

/* ---- bodies and poses ------------------------------------------------------------------------ */

/* The joint of a type with slanted axes, so that nothing lies along a coordinate axis by luck. */
static inline snw_joint sample_joint(snw_joint_type type, snw_random *random)
{
    snw_joint joint = snw_joint_def_default().joint;
    joint.type = type;
    joint.axis = snw_random_direction(random);
    joint.axis2 = snw_vec3_perpendicular(joint.axis);
    return joint;
}

/* A random tree whose joints go round through all types; slanted rest frames on every second. */
static inline snw_skeleton *sample_body(int joint_count, uint64_t seed)
{
    snw_random random = snw_random_seed(seed, 1);
    snw_joint_def *defs = test_calloc((size_t)joint_count, sizeof *defs);
    char(*names)[16] = test_calloc((size_t)joint_count, sizeof *names);
    for (int i = 0; i < joint_count; i++) {
        defs[i] = snw_joint_def_default();
        snw_format(names[i], sizeof names[i], "j%d", i);
        defs[i].name = names[i];
        defs[i].parent = i == 0 ? -1 : (int)snw_random_below(&random, (uint32_t)i);
        defs[i].joint = sample_joint((snw_joint_type)(i % SNW_JOINT_TYPE_COUNT), &random);
        defs[i].rest.translation = snw_vec3_scale(snw_random_direction(&random), 0.3);
        if (i % 2) defs[i].rest.rotation = snw_random_rotation(&random);
        defs[i].has_tip = i % 3 == 0;
        defs[i].tip = snw_vec3_make(0.1, 0.02, -0.05);
    }
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, joint_count, NULL, &body, NULL), SNW_OK);
    test_free(names);
    test_free(defs);
    return body;
}

static inline snw_pose *sample_pose(const snw_skeleton *body)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    return pose;
}

/* Coordinates in [-1, 1]: within a rotation vector's one-to-one range. The root goes anywhere. */
static inline void randomize_pose(snw_pose *pose, snw_random *random)
{
    int dof_count = pose->skeleton->dof_count;
    double *values = test_calloc((size_t)dof_count + 1, sizeof *values);
    for (int i = 0; i < dof_count; i++)
        values[i] = snw_random_range(random, -1, 1);
    snw_pose_set_values(pose, values);
    test_free(values);
    pose->root.rotation = snw_random_rotation(random);
    pose->root.translation = snw_vec3_scale(snw_random_direction(random), 2.0);
    snw_pose_forward(pose);
}

#endif
