/* A body's pose from the turns of some of its segments. */
#include <math.h>

#include <sinew/rig.h>

#include "inertial/sensing.h"

/* Joints from `joint` up to the one above it that is turned, exclusive: how many share the way. */
static int count_between(const snw_skeleton *body, const uint8_t *is_turned, int joint)
{
    int count = 0;
    for (int j = body->parent[joint]; j >= 0 && !is_turned[j]; j = body->parent[j])
        count++;
    return count;
}

/* The turned joint below in the trunk, where a joint of the trunk has none of its own. */
static int turned_below(const snw_skeleton *body, const uint8_t *is_turned, int joint)
{
    for (int j = joint + 1; j < body->joint_count; j++) {
        snw_side side;
        snw_part part = snw_rig_part_of(body, j, &side);
        if (!is_turned[j] || side != SNW_SIDE_NONE || part == SNW_PART_NONE) continue;
        for (int up = body->parent[j]; up >= 0 && (up == joint || !is_turned[up]);
             up = body->parent[up])
            if (up == joint) return j;
    }
    return -1;
}

void snw__inertial_pose(const snw_skeleton *body, const uint8_t *is_turned, const snw_quat *world,
                        snw_pose *pose)
{
    for (int j = 0; j < body->joint_count; j++) {
        int parent = body->parent[j];
        if (parent < 0 && is_turned[j])
            pose->root.rotation =
                snw_quat_mul(world[j], snw_quat_conjugate(body->rest[j].rotation));
        snw_quat above = parent < 0 ? pose->root.rotation : pose->world[parent].rotation;
        snw_quat rest = snw_quat_mul(above, body->rest[j].rotation);
        pose->rotation[j] = snw_quat_identity();
        if (parent >= 0 && is_turned[j])
            pose->rotation[j] = snw_quat_mul(snw_quat_conjugate(rest), world[j]);
        int below = parent >= 0 && !is_turned[j] ? turned_below(body, is_turned, j) : -1;
        if (below >= 0) {
            int shares = 1 + count_between(body, is_turned, below);
            for (int k = parent; k >= 0 && !is_turned[k]; k = body->parent[k])
                shares--; /* those above have had theirs */
            /* As far as the segment below is turned from where it would rest now. */
            snw_quat there = rest;
            for (int k = below; k != j; k = body->parent[k])
                there = snw_quat_mul(there, body->rest[k].rotation);
            snw_quat all = snw_quat_mul(snw_quat_conjugate(there), world[below]);
            pose->rotation[j] = snw_quat_slerp(snw_quat_identity(), all, 1.0 / fmax(shares, 1));
        }
        pose->world[j].rotation = snw_quat_normalize(snw_quat_mul(rest, pose->rotation[j]));
    }
    snw_pose_forward(pose);
}
