/* The humanoid as an actor: its joints by name, and segments that reach.
 *
 * The legs are solved exactly. A universal ankle turns about the knee's axis n and then about the
 * foot's long axis z, and these two are perpendicular; so n, which is perpendicular to the line hip
 * to ankle as well, is their cross product, and both the place and the orientation of a foot are
 * met. Planted feet therefore do not slide. */
#include "base/elementary.h"
#include "synth/stage.h"

#include <string.h>

#include "base/fail.h"
#include "synth/synth_constants.h"

double snw__side_sign(int side)
{
    return side == SNW_SIDE_LEFT ? 1 : -1;
}

snw_quat snw__turn_x(double angle)
{
    return snw_quat_make(snw__cos(angle / 2), snw__sin(angle / 2), 0, 0);
}

snw_quat snw__turn_y(double angle)
{
    return snw_quat_make(snw__cos(angle / 2), 0, snw__sin(angle / 2), 0);
}

snw_quat snw__turn_z(double angle)
{
    return snw_quat_make(snw__cos(angle / 2), 0, 0, snw__sin(angle / 2));
}

/* ---- finding the joints ------------------------------------------------------------------- */

typedef struct actor_part {
    const char *side;
    const char *name;
    snw_joint_type type;
    int *joint;
} actor_part;

static snw_status find_parts(const snw_skeleton *skeleton, const actor_part *parts, int count,
                             snw_error *error)
{
    for (int i = 0; i < count; i++) {
        char full[32];
        snw_format(full, sizeof full, "%s%s", parts[i].side, parts[i].name);
        int joint = *parts[i].joint = snw_skeleton_find_joint(skeleton, full);
        if (joint < 0 || skeleton->joint[joint].type != parts[i].type)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "this motion needs the body \"humanoid\": here %s %s%s", full,
                             joint < 0 ? "is missing" : "is not a ",
                             joint < 0 ? "" : snw_joint_type_name(parts[i].type));
    }
    return SNW_OK;
}

snw_status snw__actor_find(const snw_skeleton *skeleton, snw__performer *actor, snw_error *error)
{
    const actor_part trunk[] = {
        {"", "spine", SNW_JOINT_BALL, &actor->spine},
        {"", "chest", SNW_JOINT_BALL, &actor->chest},
        {"", "neck", SNW_JOINT_BALL, &actor->neck},
        {"", "head", SNW_JOINT_UNIVERSAL, &actor->head},
    };
    snw_status status = find_parts(skeleton, trunk, 4, error);
    for (int side = 0; side < 2 && status == SNW_OK; side++) {
        const char *prefix = side == SNW_SIDE_LEFT ? "left_" : "right_";
        snw__arm *arm = &actor->arm[side];
        snw__leg *leg = &actor->leg[side];
        const actor_part parts[] = {
            {prefix, "clavicle", SNW_JOINT_UNIVERSAL, &arm->clavicle},
            {prefix, "shoulder", SNW_JOINT_BALL, &arm->shoulder},
            {prefix, "elbow", SNW_JOINT_HINGE, &arm->elbow},
            {prefix, "forearm", SNW_JOINT_PIVOT, &arm->forearm},
            {prefix, "wrist", SNW_JOINT_UNIVERSAL, &arm->wrist},
            {prefix, "hip", SNW_JOINT_BALL, &leg->hip},
            {prefix, "knee", SNW_JOINT_HINGE, &leg->knee},
            {prefix, "ankle", SNW_JOINT_UNIVERSAL, &leg->ankle},
            {prefix, "toes", SNW_JOINT_HINGE, &leg->toes},
        };
        status = find_parts(skeleton, parts, (int)(sizeof parts / sizeof parts[0]), error);
    }
    if (status != SNW_OK) return status;
    int toes = actor->leg[SNW_SIDE_LEFT].toes;
    actor->sole = -(skeleton->rest[toes].translation.y + skeleton->tip[toes].y);
    return SNW_OK;
}

/* ---- single joints ------------------------------------------------------------------------ */

void snw__set_ball(snw_pose *pose, int joint, int side, const double swing_twist[3])
{
    const snw_joint *ball = pose->skeleton->joint + joint;
    double sign = snw__side_sign(side);
    /* A swing towards axis2 is a turn about axis x axis2; one towards that is a turn about -axis2.
     */
    snw_vec3 across = snw_vec3_cross(ball->axis, ball->axis2);
    snw_vec3 swing = snw_vec3_sub(snw_vec3_scale(across, swing_twist[0]),
                                  snw_vec3_scale(ball->axis2, sign * swing_twist[1]));
    snw_vec3 twist = snw_vec3_scale(ball->axis, sign * swing_twist[2]);
    pose->rotation[joint] = snw_quat_mul(snw_quat_exp(swing), snw_quat_exp(twist));
}

void snw__set_angles(snw_pose *pose, int joint, double first, double second)
{
    const double values[6] = {first, second, 0, 0, 0, 0};
    snw_joint_from_values(pose->skeleton->joint + joint, values, pose->rotation + joint,
                          pose->slide + joint);
}

/* ---- two bones ---------------------------------------------------------------------------- */

void snw__segment_reach(snw_pose *pose, const snw__segment_goal *goal)
{
    const snw_skeleton *body = pose->skeleton;
    const snw_vec3 up = {0, 1, 0};
    snw_xform base = snw_xform_mul(pose->world[body->parent[goal->upper]], body->rest[goal->upper]);
    double upper = body->bone_length[goal->lower], lower = 0;
    for (int j = goal->end; j != goal->lower; j = body->parent[j])
        lower += body->bone_length[j];
    snw_vec3 way = snw_vec3_sub(goal->target, base.translation);
    snw_vec3 line = snw_vec3_unit(way, snw_vec3_neg(up));
    /* Equal to r up to SEGMENT_SOFT of the length, then smoothly less, never SEGMENT_HARD. */
    double far = snw_vec3_length(way);
    double length = upper + lower;
    double soft = SEGMENT_SOFT * length, room = (SEGMENT_HARD - SEGMENT_SOFT) * length;
    double r = far <= soft ? far : soft + room * snw__tanh((far - soft) / room);
    double cosine = (r * r - upper * upper - lower * lower) / (2 * upper * lower);
    double bend = snw__acos(snw_clamp(cosine, -1, 1));
    double lead = snw__atan2(lower * snw__sin(bend), upper + lower * snw__cos(bend));
    /* Turning `line` back about n moves the hinge along line x n, the part of the pole across. */
    snw_vec3 n = snw_vec3_unit(snw_vec3_cross(goal->pole, line), snw_vec3_perpendicular(line));
    snw_vec3 bone = snw_quat_rotate(snw_quat_from_axis_angle(n, -lead), line);
    snw_vec3 rest_bone = snw_vec3_unit(body->rest[goal->lower].translation, up);
    snw_vec3 hinge_at_rest = body->joint[goal->lower].axis;
    snw_mat3 turned = snw_mat3_from_columns(bone, n, snw_vec3_cross(bone, n));
    snw_mat3 rest =
        snw_mat3_from_columns(rest_bone, hinge_at_rest, snw_vec3_cross(rest_bone, hinge_at_rest));
    snw_quat world = snw_quat_from_mat3(snw_mat3_mul(turned, snw_mat3_transpose(rest)));
    pose->rotation[goal->upper] = snw_quat_mul(snw_quat_conjugate(base.rotation), world);
    snw__set_angles(pose, goal->lower, bend, 0);
    snw_pose_forward_from(pose, goal->upper);
}

/* ---- feet --------------------------------------------------------------------------------- */

/* Ankle of a foot that is turned by `turn` about a point of its sole that lies `along` in front of
 * the ankle and `below` it, relative to the floor point under the flat ankle. */
static snw_vec3 ankle_about(snw_quat turn, double along, double below, double sole)
{
    snw_vec3 pivot = {0, sole - below, along};
    return snw_vec3_sub(pivot, snw_quat_rotate(turn, snw_vec3_make(0, -below, along)));
}

void snw__stand(const snw__performer *actor, snw_pose *pose, const snw__footing footing[2])
{
    for (int side = 0; side < 2; side++) {
        const snw__leg *leg = &actor->leg[side];
        const snw__footing *own = &footing[side];
        snw_vec3 ball = pose->skeleton->rest[leg->toes].translation;
        snw_quat pitch = snw__turn_x(own->pitch);
        snw_vec3 on_ball = ankle_about(pitch, ball.z, -ball.y, actor->sole);
        snw_vec3 on_heel = ankle_about(pitch, -FOOT_HEEL * ball.z, actor->sole, actor->sole);
        snw_quat heading = snw__turn_y(own->heading);
        snw_vec3 rise = snw_vec3_lerp(on_ball, on_heel, own->roll);
        snw_quat foot = snw_quat_mul(heading, pitch);
        snw__segment_goal goal = {leg->hip, leg->knee, leg->ankle,
                                  snw_vec3_add(own->base, snw_quat_rotate(heading, rise)),
                                  snw_quat_rotate(foot, snw_vec3_make(0, 0, 1))};
        snw__segment_reach(pose, &goal);
        pose->rotation[leg->ankle] =
            snw_quat_mul(snw_quat_conjugate(pose->world[leg->knee].rotation), foot);
        snw__set_angles(pose, leg->toes, own->toes, 0);
    }
}

snw__footing snw__flat_foot(double x, double z, double heading)
{
    snw__footing flat = {{x, 0, z}, heading, 0, 1, 0};
    return flat;
}
