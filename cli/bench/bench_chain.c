/* Bodies that the benchmarks build themselves, and poses of them. */

#include "bench/bench.h"

snw_joint_limit bench_cone_limit(void)
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

snw_status bench_make_chain(const snw_vec3 *offsets, int count, const snw_joint_limit *limit,
                            snw_skeleton **out, snw_error *error)
{
    static snw_joint_def defs[BENCH_CHAIN_MAX];
    static char names[BENCH_CHAIN_MAX][16];
    for (int i = 0; i < count; i++) {
        snw_joint_def *def = defs + i;
        *def = snw_joint_def_default();
        snw_format(names[i], sizeof names[i], "bone%d", i + 1);
        def->name = names[i];
        def->parent = i - 1;
        def->joint.type = SNW_JOINT_BALL;
        def->joint.axis = snw_vec3_unit(offsets[i], snw_vec3_make(1, 0, 0));
        def->joint.axis2 = snw_vec3_perpendicular(def->joint.axis);
        if (limit) def->joint.limit = *limit;
        if (i > 0) def->rest.translation = offsets[i - 1];
    }
    defs[count - 1].has_tip = true;
    defs[count - 1].tip = offsets[count - 1];
    return snw_skeleton_create(defs, count, NULL, out, error);
}

snw_status bench_make_straight_chain(int count, double length, const snw_joint_limit *limit,
                                     snw_skeleton **out, snw_error *error)
{
    static snw_vec3 offsets[BENCH_CHAIN_MAX];
    for (int i = 0; i < count; i++)
        offsets[i] = snw_vec3_make(length, 0, 0);
    return bench_make_chain(offsets, count, limit, out, error);
}

snw_goal bench_tip_goal(const snw_skeleton *body, snw_vec3 target)
{
    int last = body->joint_count - 1;
    return snw_goal_position(last, body->tip[last], target);
}

void bench_scatter(snw_pose *pose, snw_random *random, double spread)
{
    const snw_skeleton *body = pose->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint *joint = body->joint + j;
        double values[6] = {0};
        double reach = joint->type == SNW_JOINT_PRISMATIC ? spread * body->size : spread;
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            const double *range = joint->limit.range[k < 2 ? k : 0];
            bool has_range = k < 2 && joint->limit.has_range[k];
            values[k] = has_range ? snw_random_range(random, range[0], range[1])
                                  : snw_random_range(random, -reach, reach);
        }
        snw_joint_from_values(joint, values, pose->rotation + j, pose->slide + j);
    }
    (void)snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}
