/* Which joints of an actor a style knows, and its poses in the style's frames. */
#include "track/style_body.h"

#include <math.h>
#include <string.h>

#include <sinew/rig.h>
#include <sinew/track.h>

#include "base/fail.h"
#include "track/track_constants.h"

void snw__style_body_lay_out(snw__style_body *body, snw__block *block)
{
    size_t joints = (size_t)body->skeleton->joint_count;
    body->joint_of =
        snw__block_take(block, (size_t)body->style->joint_count, sizeof *body->joint_of);
    body->style_of = snw__block_take(block, joints, sizeof *body->style_of);
    body->before = snw__block_take(block, joints, sizeof *body->before);
    body->after = snw__block_take(block, joints, sizeof *body->after);
}

/* ---- the T-pose ------------------------------------------------------------------------------ */

/* The body at rest on its rig: in a T where its names tell hips and legs, else as it rests. */
static snw_status make_rig(const snw__style_body *body, const snw_allocator *allocator,
                           snw_motion **rigged, snw_error *error)
{
    snw_motion *rest = NULL;
    snw_rig_options options = snw_rig_options_default();
    snw_status status = snw_motion_create(body->skeleton, 1, 100, allocator, &rest, error);
    if (status != SNW_OK) return status;
    status = snw_motion_to_rig(rest, &options, allocator, rigged, NULL, error);
    options.has_t_pose = false;
    if (status == SNW_UNSUPPORTED)
        status = snw_motion_to_rig(rest, &options, allocator, rigged, NULL, error);
    snw_motion_destroy(rest);
    return status;
}

/* Does a bone of the joint lie along that of the style? A joint without bones has nothing to
 * compare. */
static bool lies_alike(const snw_skeleton *rig, int joint, snw_vec3 along)
{
    bool has_bone = false;
    for (int c = rig->first_child[joint]; c >= 0; c = rig->next_sibling[c]) {
        snw_vec3 bone = rig->rest[c].translation;
        if (!(snw_vec3_length(bone) > 0)) continue;
        has_bone = true;
        if (snw_vec3_dot(bone, along) > STYLE_BODY_ALONG * snw_vec3_length(bone)) return true;
    }
    if (has_bone || !rig->has_tip[joint]) return !has_bone;
    return snw_vec3_dot(rig->tip[joint], along) >
           STYLE_BODY_ALONG * snw_vec3_length(rig->tip[joint]);
}

snw_status snw__style_body_match(snw__style_body *body, const snw_allocator *allocator,
                                 snw_error *error)
{
    snw_motion *motion = NULL;
    snw_pose *rest = NULL, *rigged = NULL;
    snw_status status = make_rig(body, allocator, &motion, error);
    if (status == SNW_OK) status = snw_pose_create(body->skeleton, allocator, &rest, error);
    if (status == SNW_OK) status = snw_pose_create(motion->skeleton, allocator, &rigged, error);
    if (status == SNW_OK) {
        snw_motion_get(motion, 0, rigged);
        snw_pose_forward(rigged);
        /* With W the turn in the world at rest and W' that of the rig, W' = W T~, so T = W'~ W. */
        for (int j = 0; j < body->skeleton->joint_count; j++) {
            int parent = body->skeleton->parent[j];
            snw_quat t = snw_quat_mul(snw_quat_conjugate(rigged->world[j].rotation),
                                      rest->world[j].rotation);
            snw_quat above =
                parent < 0 ? snw_quat_identity() : snw_quat_conjugate(body->after[parent]);
            body->after[j] = snw_quat_normalize(snw_quat_conjugate(t));
            body->before[j] =
                snw_quat_normalize(snw_quat_mul(above, body->skeleton->rest[j].rotation));
        }
        body->match_count = 0;
        (void)snw_style_match(body->style, motion->skeleton, body->joint_of);
        for (int j = 0; j < motion->skeleton->joint_count; j++)
            body->style_of[j] = -1;
        for (int s = 0; s < body->style->joint_count; s++) {
            const snw_style_joint *joint = body->style->joint + s;
            int *j = body->joint_of + s;
            if (*j <= 0 || joint->type != SNW_JOINT_BALL ||
                !lies_alike(motion->skeleton, *j, joint->axis))
                *j = -1;
            if (*j < 0) continue;
            body->style_of[*j] = s;
            body->match_count++;
        }
    }
    snw_pose_destroy(rigged);
    snw_pose_destroy(rest);
    snw_motion_destroy(motion);
    if (status != SNW_OK) return status;
    int joints = body->skeleton->joint_count - 1, fewer = body->style->joint_count;
    if (joints < fewer) fewer = joints;
    if (body->match_count >= 2 && 2 * body->match_count >= fewer) return SNW_OK;
    return snw__fail(error, SNW_NOT_FOUND,
                     "the style has %d joints and the body %d, but only %d have the same name and "
                     "rest the same way in a T-pose: the style is of another rig",
                     body->style->joint_count, joints, body->match_count);
}

static void style_body_lay_out(void *object, snw__block *block)
{
    snw__style_body_lay_out(object, block);
}

snw_status snw_actor_match_style(const snw_actor *actor, const snw_style *style,
                                 const snw_allocator *allocator, bool *is_known, snw_error *error)
{
    snw__style_body body = {.style = style, .skeleton = actor->skeleton};
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw__block block;
    memset(is_known, 0, (size_t)actor->skeleton->joint_count * sizeof *is_known);
    snw_status status =
        snw__block_create(&block, style_body_lay_out, &body, &memory, "a style", error);
    if (status != SNW_OK) return status;
    status = snw__style_body_match(&body, &memory, error);
    for (int j = 0; j < actor->skeleton->joint_count && status == SNW_OK; j++)
        is_known[j] = body.style_of[j] >= 0;
    snw__block_release(&memory, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- poses ----------------------------------------------------------------------------------- */

snw_quat snw__style_body_turn(const snw__style_body *body, int joint, snw_quat rotation)
{
    return snw_quat_mul(snw_quat_mul(body->before[joint], rotation), body->after[joint]);
}

snw_quat snw__style_body_rotation(const snw__style_body *body, int joint, snw_quat turn)
{
    return snw_quat_normalize(
        snw_quat_mul(snw_quat_mul(snw_quat_conjugate(body->before[joint]), turn),
                     snw_quat_conjugate(body->after[joint])));
}

void snw__style_body_features(const snw__style_body *body, const snw_quat *rotation, snw_quat root,
                              double *features)
{
    const snw_style *style = body->style;
    memset(features, 0, (size_t)style->feature_count * sizeof *features);
    for (int s = 0; s < style->joint_count; s++) {
        int j = body->joint_of[s];
        if (j < 0) continue;
        snw__style_ball_features(style->joint + s, snw__style_body_turn(body, j, rotation[j]),
                                 features + style->joint[s].first);
    }
    if (!style->has_lean) return;
    /* Which way is up, seen from the root as it stands in the T: T_0 W_0~ up. */
    snw_quat world =
        snw_quat_mul(root, snw_quat_mul(body->skeleton->rest[0].rotation, rotation[0]));
    snw_vec3 lean = snw_quat_unrotate(body->after[0], snw_quat_unrotate(world, body->up));
    double *last = features + style->feature_count - 3;
    last[0] = lean.x;
    last[1] = lean.y;
    last[2] = lean.z;
}

int snw__style_body_known(const snw__style_body *body, const bool *is_seen, bool *is_known)
{
    const snw_style *style = body->style;
    int count = 0;
    memset(is_known, 0, (size_t)style->feature_count * sizeof *is_known);
    for (int s = 0; s < style->joint_count; s++) {
        int j = body->joint_of[s];
        if (j < 0 || !is_seen[j]) continue;
        count++;
        for (int k = 0; k < 3; k++)
            is_known[style->joint[s].first + k] = true;
    }
    /* Rigs stand upright in their T: a style of another up does not tell how they lean. */
    bool leans = style->has_lean && style->up.y > 0.999 && snw_vec3_length(body->up) > 0.5;
    for (int k = 0; k < 3 && leans && is_seen[0]; k++)
        is_known[style->feature_count - 3 + k] = true;
    return count;
}

bool snw__style_body_is_told(const snw__style_body *body, int known)
{
    return known > 0 && known >= STYLE_BODY_LEAST * body->match_count;
}

snw__style_expected_turn snw__style_body_expect(const snw__style_body *body, int joint,
                                                const double *mean, const double *variance)
{
    const snw_style_joint *known = body->style->joint + body->style_of[joint];
    snw__style_expected_turn out = {snw__style_ball_rotation(known, mean + known->first), 0};
    if (!variance) return out;
    const double *v = variance + known->first;
    out.deviation = sqrt(v[0] + v[1] + v[2]);
    return out;
}
