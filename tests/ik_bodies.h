/* Bodies, allowed random poses and goals for the tests of inverse kinematics. */
#ifndef SNW_TESTS_IK_BODIES_H
#define SNW_TESTS_IK_BODIES_H

#include "check.h"

#include "ik/core/method.h"

/* A chain of 11 ball joints 0.1 m apart whose joints all have the given limit. */
static inline snw_skeleton *chain_with_limit(const snw_joint_limit *limit, double scale)
{
    snw_skeleton *plain = NULL, *body = NULL;
    snw_joint_def defs[11];
    assert_int_equal(snw_preset_chain(11, 0.1 * scale, NULL, &plain, NULL), SNW_OK);
    for (int i = 0; i < 11; i++) {
        defs[i] = snw_skeleton_joint_def(plain, i);
        defs[i].joint.limit = *limit;
    }
    assert_int_equal(snw_skeleton_create(defs, 11, NULL, &body, NULL), SNW_OK);
    snw_skeleton_destroy(plain);
    return body;
}

static inline snw_skeleton *preset(const char *name)
{
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_create(name, NULL, &body, NULL), SNW_OK);
    return body;
}

/* Four angles of 25 to 35 degrees and a twist of 30 degrees each way. */
static inline snw_joint_limit cone_limit(void)
{
    snw_joint_limit limit = snw_joint_limit_none();
    limit.swing = SNW_SWING_CONE;
    for (int k = 0; k < 4; k++)
        limit.cone[k] = snw_radians(25 + 10.0 * k / 3);
    limit.has_twist = true;
    limit.twist[0] = -snw_radians(30);
    limit.twist[1] = snw_radians(30);
    return limit;
}

/* An L-shaped window: concave. */
static inline snw_joint_limit window_limit(void)
{
    static const double corner[6][2] = {{-0.5, -0.5}, {0.6, -0.5}, {0.6, 0.2},
                                        {0.2, 0.2},   {0.2, 0.7},  {-0.5, 0.7}};
    snw_joint_limit limit = snw_joint_limit_none();
    limit.swing = SNW_SWING_POLYGON;
    limit.window_count = 6;
    memcpy(limit.window, corner, sizeof corner);
    limit.has_twist = true;
    limit.twist[0] = -0.3;
    limit.twist[1] = 0.6;
    return limit;
}

static inline snw_pose *pose_of(const snw_skeleton *body)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    return pose;
}

/* Every joint anywhere within `spread` radians of rest (ball) or inside its ranges, then limits
 * applied; root kept. */
static inline void pose_scatter(snw_pose *pose, snw_random *random, double spread)
{
    const snw_skeleton *body = pose->skeleton;
    for (int i = 0; i < body->joint_count; i++) {
        const snw_joint *joint = &body->joint[i];
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            bool has_range = k < 2 && joint->limit.has_range[k];
            values[k] = has_range ? snw_random_range(random, joint->limit.range[k][0],
                                                     joint->limit.range[k][1])
                                  : snw_random_range(random, -spread, spread);
        }
        snw_joint_from_values(joint, values, &pose->rotation[i], &pose->slide[i]);
    }
    (void)snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static inline snw_ik *ik_of(const snw_skeleton *body, const snw_goal *goals, int count,
                            const snw_ik_options *options)
{
    snw_ik *ik = NULL;
    snw_error error;
    snw_status status =
        snw_ik_create(&(snw_ik_problem){body, goals, count}, options, NULL, &ik, &error);
    if (status != SNW_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SNW_OK);
    return ik;
}

/* False when the method says it cannot serve the problem; any other failure fails the test. */
static inline bool ik_try(const snw_skeleton *body, const snw_goal *goals, int count,
                          const snw_ik_options *options, snw_ik **ik)
{
    snw_error error;
    snw_status status =
        snw_ik_create(&(snw_ik_problem){body, goals, count}, options, NULL, ik, &error);
    if (status == SNW_UNSUPPORTED) return false;
    if (status != SNW_OK) print_error("%s\n", error.message);
    assert_int_equal(status, SNW_OK);
    return true;
}

static inline bool pose_is_finite(const snw_pose *pose)
{
    bool is_finite =
        snw_quat_is_finite(pose->root.rotation) && snw_vec3_is_finite(pose->root.translation);
    for (int i = 0; i < pose->skeleton->joint_count; i++)
        is_finite = is_finite && snw_quat_is_finite(pose->rotation[i]) &&
                    snw_vec3_is_finite(pose->slide[i]) &&
                    snw_quat_is_finite(pose->world[i].rotation) &&
                    snw_vec3_is_finite(pose->world[i].translation);
    return is_finite;
}

/* World must be what forward kinematics of the same rotations gives. */
static inline void check_world_is_forward(snw_pose *pose)
{
    snw_pose *again = pose_of(pose->skeleton);
    snw_pose_copy(again, pose);
    snw_pose_forward(again);
    size_t bytes = (size_t)pose->skeleton->joint_count * sizeof *pose->world;
    assert_memory_equal(again->world, pose->world, bytes);
    snw_pose_destroy(again);
}

#define ZOO_JOINTS 9

/* A body with every joint type, bent rest frames and a side branch; no limits. */
static inline void zoo_fill(snw_joint_def defs[ZOO_JOINTS])
{
    static const snw_joint_type type[] = {SNW_JOINT_BALL,      SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL,
                                          SNW_JOINT_PRISMATIC, SNW_JOINT_FREE,  SNW_JOINT_PIVOT,
                                          SNW_JOINT_BALL,      SNW_JOINT_FIXED, SNW_JOINT_BALL};
    static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    static const int parent[] = {-1, 0, 1, 2, 3, 4, 5, 6, 2};
    snw_random random = snw_random_seed(5, 5);
    for (int i = 0; i < ZOO_JOINTS; i++) {
        defs[i] = snw_joint_def_default();
        defs[i].name = name[i];
        defs[i].parent = parent[i];
        defs[i].joint.type = type[i];
        defs[i].rest.rotation = snw_random_rotation(&random);
        defs[i].rest.translation = snw_vec3_make(0.4, 0.1 * i, -0.2);
    }
}

#endif
