/* The mirror image of a pose: what the left side does, done by the right.
 *
 * People move alike on both sides, so every pose tells of two. Sides are known by the joints' names
 * (sinew/rig.h); the plane goes through the root, its normal from the middle of all right joints to
 * that of all left ones at rest. With R the rest rotation of a joint in the body and W that of the
 * pose, D = W R^-1 is the joint's turn from rest, and its partner k takes the reflected turn:
 *
 *     W_k = reflect(D) R_k,   reflect(w, v) = (w, 2 n (n.v) - v),
 *
 * as axes of turns are axial vectors. */
#include "style/style_mirror.h"
#include "style/style_constants.h"

#include <math.h>

#include <sinew/rig.h>

void snw__mirror_lay_out(void *object, snw__block *block)
{
    snw__mirror *mirror = object;
    size_t joints = (size_t)mirror->skeleton->joint_count;
    mirror->partner = snw__block_take(block, joints, sizeof *mirror->partner);
    mirror->rest = snw__block_take(block, joints, sizeof *mirror->rest);
}

snw_vec3 snw__mirror_vector(const snw__mirror *mirror, snw_vec3 v)
{
    return snw_vec3_add_scaled(v, -2 * snw_vec3_dot(mirror->normal, v), mirror->normal);
}

static snw_quat reflect_turn(const snw__mirror *mirror, snw_quat q)
{
    snw_vec3 v = snw__mirror_vector(mirror, snw_vec3_make(q.x, q.y, q.z));
    return snw_quat_make(q.w, -v.x, -v.y, -v.z);
}

static void find_rest(snw__mirror *mirror)
{
    const snw_skeleton *body = mirror->skeleton;
    for (int j = 0; j < body->joint_count; j++)
        mirror->rest[j] =
            j == 0 ? body->rest[0] : snw_xform_mul(mirror->rest[body->parent[j]], body->rest[j]);
}

static snw_side side_of(const snw__mirror *mirror, int joint)
{
    snw_side side;
    (void)snw_rig_part_from_name(mirror->skeleton->name[joint], &side);
    return side;
}

static bool find_normal(snw__mirror *mirror)
{
    snw_vec3 sum[2] = {{0, 0, 0}, {0, 0, 0}};
    int count[2] = {0, 0};
    for (int j = 0; j < mirror->skeleton->joint_count; j++) {
        snw_side side = side_of(mirror, j);
        if (side == SNW_SIDE_NONE) continue;
        int s = side == SNW_SIDE_RIGHT;
        sum[s] = snw_vec3_add(sum[s], mirror->rest[j].translation);
        count[s]++;
    }
    snw_vec3 across = snw_vec3_sub(sum[0], sum[1]);
    if (count[0] == 0 || count[0] != count[1] || !(snw_vec3_length(across) > 0)) return false;
    mirror->normal = snw_vec3_unit(across, mirror->normal);
    return true;
}

/* The joint of the other side under the parent's partner that is nearest to the mirror image and
 * not taken; -1: there is none within the tolerance. */
static int find_partner(const snw__mirror *mirror, int joint)
{
    const snw_skeleton *body = mirror->skeleton;
    snw_side side = side_of(mirror, joint);
    snw_vec3 origin = mirror->rest[0].translation;
    snw_vec3 image = snw_vec3_sub(mirror->rest[joint].translation, origin);
    image = snw_vec3_add(origin, snw__mirror_vector(mirror, image));
    double least = MIRROR_TOLERANCE * body->size;
    int found = -1;
    for (int k = 0; k < body->joint_count; k++) {
        snw_side other = side_of(mirror, k);
        bool is_other =
            side == SNW_SIDE_NONE ? k == joint : other != SNW_SIDE_NONE && other != side;
        bool is_below =
            joint == 0 ? k == 0 : k > 0 && body->parent[k] == mirror->partner[body->parent[joint]];
        double away = snw_vec3_distance(mirror->rest[k].translation, image);
        if (!is_other || !is_below || !(away < least)) continue;
        if (body->joint[k].type != body->joint[joint].type) continue;
        for (int j = 0; j < joint; j++)
            is_other &= mirror->partner[j] != k;
        if (!is_other) continue;
        least = away;
        found = k;
    }
    return found;
}

bool snw__mirror_plan(snw__mirror *mirror)
{
    find_rest(mirror);
    if (!find_normal(mirror)) return false;
    for (int j = 0; j < mirror->skeleton->joint_count; j++) {
        mirror->partner[j] = find_partner(mirror, j);
        if (mirror->partner[j] < 0) return false;
    }
    return true;
}

void snw__mirror_pose(const snw__mirror *mirror, snw_pose *pose, snw_pose *image)
{
    const snw_skeleton *body = mirror->skeleton;
    snw_xform root = pose->root;
    pose->root = image->root = snw_xform_identity();
    snw_pose_forward(pose);
    for (int j = 0; j < body->joint_count; j++) {
        int k = mirror->partner[j], above = body->parent[k];
        snw_quat turn =
            snw_quat_mul(pose->world[j].rotation, snw_quat_conjugate(mirror->rest[j].rotation));
        snw_quat world = snw_quat_mul(reflect_turn(mirror, turn), mirror->rest[k].rotation);
        snw_quat before = body->rest[k].rotation, other = body->rest[j].rotation;
        if (above >= 0) {
            before = snw_quat_mul(image->world[above].rotation, before);
            other = snw_quat_mul(pose->world[body->parent[j]].rotation, other);
        }
        image->rotation[k] = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(before), world));
        image->slide[k] = snw_quat_unrotate(
            before, snw__mirror_vector(mirror, snw_quat_rotate(other, pose->slide[j])));
        image->world[k].rotation = world;
    }
    pose->root = image->root = root;
    snw_pose_forward(pose);
    snw_pose_forward(image);
}
