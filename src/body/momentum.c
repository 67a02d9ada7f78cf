/* Momentum of a body in motion: sums over the joints' masses of what rigid bodies carry. */
#include <math.h>
#include <string.h>

#include <sinew/body.h>

static snw_vec3 mass_place(const snw_pose *pose, int joint)
{
    return snw_pose_point(pose, joint, pose->skeleton->mass_center[joint]);
}

static snw_vec3 center_of(const snw_pose *pose, double mass)
{
    snw_vec3 sum = snw_vec3_make(0, 0, 0);
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        sum = snw_vec3_add_scaled(sum, pose->skeleton->mass[j] / mass, mass_place(pose, j));
    return sum;
}

/* The joint's inertia along the world's axes, applied to a turning. */
static snw_vec3 spin_momentum(const snw_pose *pose, int joint, snw_vec3 spin)
{
    snw_quat turn = pose->world[joint].rotation;
    snw_vec3 own = snw_mat3_apply(pose->skeleton->inertia[joint], snw_quat_unrotate(turn, spin));
    return snw_quat_rotate(turn, own);
}

bool snw_pose_momentum(const snw_pose *before, const snw_pose *at, const snw_pose *after,
                       double seconds, snw_momentum *out)
{
    const snw_skeleton *skeleton = at->skeleton;
    memset(out, 0, sizeof *out);
    double mass = 0;
    for (int j = 0; j < skeleton->joint_count; j++)
        mass += skeleton->mass[j];
    if (!(mass > 0) || !(seconds > 0)) return false;
    snw_vec3 way = snw_vec3_sub(center_of(after, mass), center_of(before, mass));
    snw_vec3 velocity = snw_vec3_scale(way, 1 / seconds);
    out->mass = mass;
    out->center = center_of(at, mass);
    out->linear = snw_vec3_scale(velocity, mass);
    out->energy = mass * snw_vec3_length2(velocity) / 2;
    for (int j = 0; j < skeleton->joint_count; j++) {
        double own = skeleton->mass[j];
        if (!(own > 0)) continue;
        snw_quat turn =
            snw_quat_mul(after->world[j].rotation, snw_quat_conjugate(before->world[j].rotation));
        snw_vec3 spin = snw_vec3_scale(snw_quat_log(turn), 1 / seconds);
        snw_vec3 gone = snw_vec3_sub(mass_place(after, j), mass_place(before, j));
        /* Beside the whole's velocity, so that nothing cancels. */
        snw_vec3 beside = snw_vec3_sub(snw_vec3_scale(gone, 1 / seconds), velocity);
        snw_vec3 arm = snw_vec3_sub(mass_place(at, j), out->center);
        snw_vec3 turning = spin_momentum(at, j, spin);
        out->angular = snw_vec3_add(out->angular, turning);
        out->angular = snw_vec3_add_scaled(out->angular, own, snw_vec3_cross(arm, beside));
        out->energy += (own * snw_vec3_length2(beside) + snw_vec3_dot(spin, turning)) / 2;
    }
    return true;
}
