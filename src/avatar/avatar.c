/* One frame of trackers in, one pose out.
 *
 * Order: trackers to bones; the chest, inferred when it has no tracker; pelvis and spine below it,
 * neck and head above it; each arm on its elbow circle (avatar_arm.c); legs. Chest, head turn and
 * hands are exact; where a wrist is out of reach the arm is straight towards it. */
#include <string.h>

#include "avatar/avatar_arm.h"
#include "avatar/avatar_body.h"
#include "avatar/avatar_constants.h"
#include "avatar/legs.h"
#include "avatar/shake.h"
#include "base/fail.h"
#include "base/memory.h"
#include "math/robust.h"
#include "person/movement.h"

struct snw_avatar {
    snw_avatar_profile profile;
    snw_avatar_options options;
    snw_skeleton *skeleton;
    bool has_swivel_extra;
    bool is_running;
    double last_time;
    snw_xform bone[SNW_AVATAR_ROLE_COUNT]; /* world_from_bone of the last frame */
    bool is_bone_known[SNW_AVATAR_ROLE_COUNT];
    snw__shake shake[SNW_AVATAR_ROLE_COUNT];
    snw_vec3 heading; /* of the inferred chest */
    snw__avatar_arm arm[2];
    snw__legs legs;
    snw_allocator allocator;
};

snw_avatar_options snw_avatar_options_default(void)
{
    snw_avatar_options options;
    memset(&options, 0, sizeof options);
    options.method = SNW_AVATAR_AUTO;
    options.arc_middle = snw_radians(-60);
    options.arc_half = snw_radians(120);
    options.swivel_speed = 2.2;
    options.shake_cutoff = 3;
    options.has_legs = true;
    options.up = snw_vec3_make(0, 1, 0);
    return options;
}

/* ---- trackers to bones -------------------------------------------------------------------- */

static bool is_pose_usable(const snw_xform *pose)
{
    double size = snw_quat_dot(pose->rotation, pose->rotation);
    return snw_vec3_is_finite(pose->translation) && size > 0.25 && size < 4 &&
           snw_vec3_length2(pose->translation) < 1e12;
}

static void take_bones(snw_avatar *avatar, const snw_avatar_frame *frame, double dt,
                       bool is_seen[SNW_AVATAR_ROLE_COUNT])
{
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        snw_xform pose = frame->world_from_tracker[role];
        is_seen[role] =
            avatar->profile.has_tracker[role] && frame->is_present[role] && is_pose_usable(&pose);
        if (!is_seen[role]) continue;
        pose.rotation = snw_quat_normalize(pose.rotation);
        pose = snw__shake_step(&avatar->shake[role], avatar->options.shake,
                               avatar->options.shake_cutoff, pose, dt);
        avatar->bone[role] = snw_xform_mul(pose, avatar->profile.tracker_from_bone[role]);
        avatar->is_bone_known[role] = true;
    }
}

/* ---- the chest ---------------------------------------------------------------------------- */

static snw_vec3 flat(snw_vec3 v, snw_vec3 up)
{
    return snw_vec3_add_scaled(v, -snw_vec3_dot(v, up), up);
}

static snw_vec3 turned_axis(const snw_xform *bone, int axis)
{
    return snw_quat_rotate(bone->rotation, snw_vec3_make(axis == 0, axis == 1, axis == 2));
}

/* Which way the chest faces: head, waist, feet, and where the hands are; smoothed. */
static snw_vec3 chest_heading(snw_avatar *avatar, double dt)
{
    static const double weight[SNW_AVATAR_ROLE_COUNT] = {1, 0, 0, 0, 2, 0.5, 0.5};
    snw_vec3 up = avatar->options.up, sum = snw_vec3_make(0, 0, 0);
    snw_vec3 head = avatar->bone[SNW_AVATAR_HEAD].translation;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        if (!avatar->is_bone_known[role]) continue;
        snw_vec3 forward = flat(turned_axis(&avatar->bone[role], 2), up);
        sum = snw_vec3_add_scaled(sum, weight[role], forward);
        if (role != SNW_AVATAR_LEFT_HAND && role != SNW_AVATAR_RIGHT_HAND) continue;
        snw_vec3 way = flat(snw_vec3_sub(avatar->bone[role].translation, head), up);
        sum = snw_vec3_add_scaled(sum, 1.0, way); /* metres: a stretched arm counts 0.6 */
    }
    snw_vec3 heading = snw_vec3_unit(sum, avatar->heading);
    double share = avatar->is_running && dt > 0 ? dt / (dt + AVATAR_CHEST_LAG) : 1;
    avatar->heading = snw_vec3_unit(snw_vec3_lerp(avatar->heading, heading, share), heading);
    return avatar->heading;
}

/* Which way the trunk points: from waist or feet to the neck, else mostly up. */
static snw_vec3 chest_lean(const snw_avatar *avatar, snw_vec3 neck)
{
    const snw_avatar_profile *p = &avatar->profile;
    snw_vec3 up = avatar->options.up;
    if (avatar->is_bone_known[SNW_AVATAR_WAIST])
        return snw_vec3_unit(snw_vec3_sub(neck, avatar->bone[SNW_AVATAR_WAIST].translation), up);
    if (avatar->is_bone_known[SNW_AVATAR_LEFT_FOOT] &&
        avatar->is_bone_known[SNW_AVATAR_RIGHT_FOOT]) {
        snw_vec3 feet = snw_vec3_lerp(avatar->bone[SNW_AVATAR_LEFT_FOOT].translation,
                                      avatar->bone[SNW_AVATAR_RIGHT_FOOT].translation, 0.5);
        snw_vec3 pelvis = snw_vec3_add_scaled(feet, 0.9 * (p->thigh + p->shank), up);
        snw_vec3 way = snw_vec3_sub(neck, pelvis);
        if (snw_vec3_dot(way, up) > 0.2) return snw_vec3_unit(way, up);
    }
    snw_vec3 head = turned_axis(&avatar->bone[SNW_AVATAR_HEAD], 1);
    return snw_vec3_unit(snw_vec3_add_scaled(up, 0.25, head), up);
}

static snw_xform infer_chest(snw_avatar *avatar, double dt)
{
    const snw_avatar_profile *p = &avatar->profile;
    const snw_xform *head = &avatar->bone[SNW_AVATAR_HEAD];
    snw_vec3 heading = chest_heading(avatar, dt);
    snw_vec3 neck_way =
        snw_vec3_scale(snw_vec3_unit(p->neck, snw_vec3_make(0, 1, 0)), p->neck_length);
    snw_vec3 neck = snw_xform_point(*head, snw_vec3_neg(neck_way));
    snw_vec3 y = chest_lean(avatar, neck);
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(y, heading), snw_vec3_perpendicular(y));
    snw_quat turn = snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    return snw_xform_make(turn, snw_vec3_sub(neck, snw_quat_rotate(turn, p->neck)));
}

/* ---- trunk, head, legs -------------------------------------------------------------------- */

/* Where nothing else is known halfway between upright and the chest's lean. */
static snw_quat pelvis_turn(const snw_avatar *avatar, snw_xform chest)
{
    if (avatar->is_bone_known[SNW_AVATAR_WAIST]) return avatar->bone[SNW_AVATAR_WAIST].rotation;
    snw_vec3 up = avatar->options.up;
    snw_quat upright = snw_quat_mul(snw_quat_between(turned_axis(&chest, 1), up), chest.rotation);
    return snw_quat_slerp(upright, chest.rotation, SNW__HALF);
}

static snw_xform pose_trunk(const snw_avatar *avatar, snw_xform chest, snw_pose *pose)
{
    const snw_avatar_profile *p = &avatar->profile;
    snw_quat pelvis = pelvis_turn(avatar, chest),
             spine = snw_quat_slerp(pelvis, chest.rotation, 0.5);
    snw_vec3 place =
        snw_vec3_sub(chest.translation, snw_quat_rotate(spine, snw_vec3_make(0, p->spine[1], 0)));
    place = snw_vec3_sub(place, snw_quat_rotate(pelvis, snw_vec3_make(0, p->spine[0], 0)));
    pose->root = snw_xform_make(pelvis, place);
    pose->rotation[SNW__AVATAR_SPINE] = snw_quat_mul(snw_quat_conjugate(pelvis), spine);
    pose->rotation[SNW__AVATAR_CHEST_JOINT] =
        snw_quat_mul(snw_quat_conjugate(spine), chest.rotation);
    return pose->root;
}

/* The neck points at the head and has half of its twist (Casanueva 4.2). */
static void pose_neck(const snw_avatar *avatar, snw_xform chest, snw_pose *pose)
{
    const snw_avatar_profile *p = &avatar->profile;
    snw_xform head = avatar->is_bone_known[SNW_AVATAR_HEAD]
                         ? avatar->bone[SNW_AVATAR_HEAD]
                         : snw_xform_make(chest.rotation, chest.translation);
    snw_vec3 rest = snw_vec3_unit(p->neck, snw_vec3_make(0, 1, 0));
    snw_quat turn = snw_quat_mul(snw_quat_conjugate(chest.rotation), head.rotation);
    double twist = snw_quat_twist_angle(turn, rest);
    snw_vec3 way = snw_vec3_sub(snw_xform_unpoint(chest, head.translation), p->neck);
    if (!avatar->is_bone_known[SNW_AVATAR_HEAD]) way = rest;
    snw_quat neck =
        snw_quat_mul(snw_quat_between(rest, way), snw_quat_from_axis_angle(rest, 0.5 * twist));
    pose->rotation[SNW__AVATAR_NECK] = neck;
    pose->rotation[SNW__AVATAR_HEAD_JOINT] = snw_quat_mul(snw_quat_conjugate(neck), turn);
}

/* Two bones from hip to ankle, the knee forward. */
static void pose_leg(const snw_avatar_profile *p, int side, snw_xform pelvis, snw_xform foot,
                     snw_pose *pose)
{
    int first = SNW__AVATAR_LEG + side * SNW__AVATAR_LEG_JOINTS;
    snw_vec3 hip = snw_xform_point(pelvis, pose->skeleton->rest[first].translation);
    snw_sphere upper = {hip, p->thigh}, lower = {foot.translation, p->shank};
    snw_vec3 forward = snw_vec3_add(turned_axis(&pelvis, 2), turned_axis(&foot, 2));
    snw_elbow_circle circle = snw_elbow_circle_make(upper, lower, forward, turned_axis(&pelvis, 0));
    snw_vec3 knee = snw_elbow_at(&circle, 0.5 * SNW_PI);
    snw_vec3 down = snw_vec3_unit(snw_vec3_sub(knee, hip), snw_vec3_neg(turned_axis(&pelvis, 1)));
    snw_vec3 fore = snw_vec3_unit(snw_vec3_sub(foot.translation, knee), down);
    snw_vec3 y = snw_vec3_neg(down);
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(circle.rise, circle.axis), turned_axis(&pelvis, 0));
    snw_quat hip_turn = snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    snw_quat bend = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), snw_vec3_angle(down, fore));
    snw_quat shank = snw_quat_mul(hip_turn, bend);
    pose->rotation[first] = snw_quat_mul(snw_quat_conjugate(pelvis.rotation), hip_turn);
    pose->rotation[first + 1] = bend;
    pose->rotation[first + 2] = snw_quat_mul(snw_quat_conjugate(shank), foot.rotation);
}

static void step_legs(snw_avatar *avatar, snw_xform pelvis, double dt, snw_pose *pose)
{
    const snw_avatar_profile *p = &avatar->profile;
    if (!avatar->options.has_legs) return;
    snw__legs_input input = {pelvis,       avatar->options.up, avatar->options.floor, dt,
                             p->hip_width, p->ankle,           p->thigh + p->shank};
    snw__legs_step(&avatar->legs, &input);
    snw_vec3 up = avatar->options.up;
    snw_quat heading = snw_quat_mul(snw_quat_between(turned_axis(&pelvis, 1), up), pelvis.rotation);
    for (int side = 0; side < 2; side++) {
        int role = SNW_AVATAR_LEFT_FOOT + side;
        snw_xform foot = snw_xform_make(heading, avatar->legs.foot[side]);
        if (avatar->is_bone_known[role]) foot = avatar->bone[role];
        pose_leg(p, side, pelvis, foot, pose);
    }
}

/* ---- the avatar --------------------------------------------------------------------------- */

void snw_avatar_step(snw_avatar *avatar, const snw_avatar_frame *frame, snw_pose *pose,
                     snw_avatar_report *report)
{
    snw_avatar_report own;
    bool is_seen[SNW_AVATAR_ROLE_COUNT];
    if (!report) report = &own;
    memset(report, 0, sizeof *report);
    double dt = avatar->is_running ? frame->time - avatar->last_time : 0;
    if (!(dt >= 0) || dt > SNW__SKIN_SECONDS) {
        for (int side = 0; side < 2; side++)
            avatar->arm[side].is_running = false;
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
            avatar->shake[role].is_running = false;
        avatar->legs.is_running = false;
        dt = 0;
    }
    snw_vec3 head = avatar->bone[SNW_AVATAR_HEAD].translation;
    bool is_carried = avatar->is_running && avatar->is_bone_known[SNW_AVATAR_HEAD];
    take_bones(avatar, frame, dt, is_seen);
    if (is_carried && is_seen[SNW_AVATAR_HEAD] && !is_seen[SNW_AVATAR_CHEST]) {
        /* A chest that is lost goes where the head goes. */
        snw_vec3 way = snw_vec3_sub(avatar->bone[SNW_AVATAR_HEAD].translation, head);
        snw_vec3 *chest_place = &avatar->bone[SNW_AVATAR_CHEST].translation;
        *chest_place = snw_vec3_add(*chest_place, way);
    }
    snw_xform chest = avatar->bone[SNW_AVATAR_CHEST];
    report->is_chest_inferred = !is_seen[SNW_AVATAR_CHEST];
    if (!avatar->is_bone_known[SNW_AVATAR_CHEST]) chest = infer_chest(avatar, dt);
    snw_xform pelvis = pose_trunk(avatar, chest, pose);
    pose_neck(avatar, chest, pose);
    for (int side = 0; side < 2; side++) {
        int hand = SNW_AVATAR_LEFT_HAND + side;
        snw__avatar_arm_input arm = {&avatar->profile,
                                     &avatar->options,
                                     avatar->has_swivel_extra,
                                     side,
                                     dt,
                                     chest,
                                     avatar->bone[SNW_AVATAR_HEAD].translation,
                                     is_seen[hand] ? &avatar->bone[hand] : NULL,
                                     (frame->has_shoulder[side] &&
                                      snw_vec3_is_finite(frame->shoulder[side]) &&
                                      snw_vec3_length2(frame->shoulder[side]) < 1e12)
                                         ? &frame->shoulder[side]
                                         : NULL};
        snw__avatar_arm_step(&avatar->arm[side], &arm, pose, report);
    }
    step_legs(avatar, pelvis, dt, pose);
    if (isfinite(frame->time)) avatar->last_time = frame->time;
    avatar->is_running = true;
    snw_pose_forward(pose);
}

void snw_avatar_reset(snw_avatar *avatar)
{
    avatar->is_running = false;
    avatar->last_time = 0;
    avatar->heading = snw_vec3_make(0, 0, 1);
    memset(avatar->arm, 0, sizeof avatar->arm);
    memset(avatar->shake, 0, sizeof avatar->shake);
    memset(&avatar->legs, 0, sizeof avatar->legs);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        avatar->bone[role] = snw_xform_identity();
        avatar->is_bone_known[role] = false;
    }
    snw_vec3 height = snw_vec3_scale(avatar->options.up, avatar->profile.chest_height);
    snw_vec3 above =
        snw_vec3_add(avatar->profile.neck, snw_vec3_make(0, avatar->profile.neck_length, 0));
    avatar->bone[SNW_AVATAR_HEAD].translation = snw_vec3_add(height, above);
}

static bool is_profile_usable(const snw_avatar_profile *p)
{
    for (int side = 0; side < 2; side++)
        if (!(p->upper_arm[side] > 0 && p->upper_arm[side] < 10) ||
            !(p->forearm[side] > 0 && p->forearm[side] < 10) ||
            !snw_vec3_is_finite(p->shoulder[side]))
            return false;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        if (!snw_vec3_is_finite(p->tracker_from_bone[role].translation) ||
            !snw_quat_is_finite(p->tracker_from_bone[role].rotation))
            return false;
    return snw_vec3_is_finite(p->neck) && p->neck_length >= 0 && p->spine[0] >= 0 &&
           p->spine[1] >= 0 && p->thigh > 0 && p->shank > 0 && p->ankle >= 0 && p->hip_width >= 0 &&
           isfinite(p->neck_length + p->spine[0] + p->spine[1] + p->thigh + p->shank + p->ankle +
                    p->hip_width + p->chest_height + p->elevation[0] + p->elevation[1]);
}

snw_status snw_avatar_create(const snw_avatar_profile *profile, const snw_avatar_options *options,
                             const snw_allocator *allocator, snw_avatar **out, snw_error *error)
{
    if (!profile || !out) return snw__fail(error, SNW_INVALID_ARGUMENT, "profile or out is NULL");
    *out = NULL;
    if (!is_profile_usable(profile))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the profile has a length that cannot be");
    snw_avatar_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_avatar_options_default() : *options;
    if (chosen.method == SNW_AVATAR_STATE_SPACE && !chosen.state_space)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "state-space needs a table of states; make one by calibration");
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_avatar *avatar = (snw_avatar *)snw__allocate(&memory, sizeof *avatar);
    if (!avatar) return snw__fail_memory(error, sizeof *avatar, "an avatar");
    avatar->profile = *profile;
    avatar->options = chosen;
    avatar->options.up = snw_vec3_unit(chosen.up, snw_vec3_make(0, 1, 0));
    avatar->allocator = memory;
    for (int row = 0; row < SNW_AVATAR_SWIVEL_ROWS; row++)
        for (int k = 0; k < 3; k++)
            avatar->has_swivel_extra = avatar->has_swivel_extra || profile->swivel[row][k] != 0;
    snw_status status = snw__avatar_body_create(profile, &memory, &avatar->skeleton, error);
    if (status != SNW_OK) {
        snw__release(&memory, avatar, sizeof *avatar);
        return status;
    }
    snw_avatar_reset(avatar);
    *out = avatar;
    return snw__succeed(error);
}

void snw_avatar_destroy(snw_avatar *avatar)
{
    if (!avatar) return;
    snw_allocator memory = avatar->allocator;
    snw_skeleton_destroy(avatar->skeleton);
    snw__release(&memory, avatar, sizeof *avatar);
}

const snw_skeleton *snw_avatar_skeleton(const snw_avatar *avatar)
{
    return avatar->skeleton;
}

snw_status snw_avatar_solve(snw_avatar *avatar, const snw_avatar_capture *capture,
                            const snw_allocator *allocator, snw_motion **out, snw_error *error)
{
    if (!avatar || !capture || !out)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "avatar, capture or out is NULL");
    *out = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    snw_status status = snw_pose_create(avatar->skeleton, allocator, &pose, error);
    if (status == SNW_OK)
        status = snw_motion_create(avatar->skeleton, capture->frame_count, capture->rate, allocator,
                                   &motion, error);
    for (int f = 0; status == SNW_OK && f < capture->frame_count; f++) {
        snw_avatar_step(avatar, capture->frame + f, pose, NULL);
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
    *out = motion;
    return status;
}
