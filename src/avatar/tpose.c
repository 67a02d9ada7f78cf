/* Calibration from the T-pose at the start of a capture and from the motion after it.
 *
 * The T-pose gives the body's axes, what each tracker's frame is to its bone, and the line of each
 * arm; tracker offsets are the usual ones (body_plan_avatar.h). What it leaves open is how the half
 * span divides into shoulder, upper arm and forearm: arm_length.c finds that from the motion. */
#include <string.h>

#include "avatar/avatar_constants.h"
#include "avatar/body_plan_avatar.h"
#include "avatar/bone_frames.h"
#include "avatar/tpose.h"
#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/notes.h"
#include "person/anthropometry.h"
#include "person/movement.h"

snw_avatar_calibration snw_avatar_calibration_default(void)
{
    snw_avatar_calibration options = {1.0, false};
    return options;
}

/* Mean poses of the trackers while the person stands in the T-pose. */
typedef struct tpose_rest {
    bool is_present[SNW_AVATAR_ROLE_COUNT];
    snw_xform tracker[SNW_AVATAR_ROLE_COUNT];
    int frame_count;
} tpose_rest;

static tpose_rest mean_rest(const snw_avatar_capture *capture, double seconds)
{
    tpose_rest rest;
    memset(&rest, 0, sizeof rest);
    /* The last tenth is left out: rates are rounded, and people start early. */
    double frames = floor(0.9 * seconds * capture->rate);
    rest.frame_count = frames < 1                      ? 1
                       : frames > capture->frame_count ? capture->frame_count
                                                       : (int)frames;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        snw_vec3 place = snw_vec3_make(0, 0, 0);
        snw_quat turn = snw_quat_make(0, 0, 0, 0);
        int count = 0;
        for (int f = 0; f < rest.frame_count; f++) {
            if (!capture->frame[f].is_present[role]) continue;
            snw_xform pose = capture->frame[f].world_from_tracker[role];
            if (snw_quat_dot(pose.rotation, turn) < 0) pose.rotation = snw_quat_neg(pose.rotation);
            turn = snw_quat_make(turn.w + pose.rotation.w, turn.x + pose.rotation.x,
                                 turn.y + pose.rotation.y, turn.z + pose.rotation.z);
            place = snw_vec3_add(place, pose.translation);
            count++;
        }
        rest.is_present[role] = count > 0;
        rest.tracker[role] =
            count ? snw_xform_make(snw_quat_normalize(turn), snw_vec3_scale(place, 1.0 / count))
                  : snw_xform_identity();
    }
    return rest;
}

/* ---- axes --------------------------------------------------------------------------------- */

/* Body axes of the T-pose in the world: the arms say which way is left. */
static snw_status body_axes(const tpose_rest *rest, snw_vec3 up, snw_quat *world_from_body,
                            snw_error *error)
{
    bool has_left = rest->is_present[SNW_AVATAR_LEFT_HAND];
    bool has_right = rest->is_present[SNW_AVATAR_RIGHT_HAND];
    int top = rest->is_present[SNW_AVATAR_CHEST] ? SNW_AVATAR_CHEST : SNW_AVATAR_HEAD;
    if (!rest->is_present[top] || (!has_left && !has_right))
        return snw__fail(error, SNW_DEGENERATE, "the start of the capture does not show the %s",
                         rest->is_present[top] ? "hands" : "head");
    snw_vec3 middle = rest->tracker[top].translation;
    snw_vec3 left = has_left ? rest->tracker[SNW_AVATAR_LEFT_HAND].translation : middle;
    snw_vec3 right = has_right ? rest->tracker[SNW_AVATAR_RIGHT_HAND].translation : middle;
    snw_vec3 way = snw_vec3_sub(left, right),
             flat = snw_vec3_add_scaled(way, -snw_vec3_dot(way, up), up);
    double span = snw_vec3_length(flat), rise = fabs(snw_vec3_dot(way, up));
    double least = has_left && has_right ? 0.8 : 0.4; /* a child's arms */
    if (!(span > least) || !(rise < 0.35 * span))
        return snw__fail(
            error, SNW_DEGENERATE,
            "the capture does not start in a T-pose: the hands are %.2f m apart sideways "
            "and %.2f m in height",
            span, rise);
    snw_vec3 x = snw_vec3_unit(flat, snw_vec3_make(1, 0, 0));
    *world_from_body = snw_quat_from_mat3(snw_mat3_from_columns(x, up, snw_vec3_cross(x, up)));
    return SNW_OK;
}

snw_vec3 snw__signed_axis(int n)
{
    double sign = n < 3 ? 1 : -1;
    return snw_vec3_make(n % 3 == 0 ? sign : 0, n % 3 == 1 ? sign : 0, n % 3 == 2 ? sign : 0);
}

/* How far the head is bent in the T-pose, body axes. A headset's axes are the head's, so one that
 * is nearly but not quite along the body's shows it; a tracker mounted askew counts as upright. */
static snw_quat head_bend(const tpose_rest *rest, snw_quat world_from_body)
{
    snw_quat turn =
        snw_quat_mul(snw_quat_conjugate(world_from_body), rest->tracker[SNW_AVATAR_HEAD].rotation);
    snw_vec3 axis[2];
    for (int k = 0; k < 2; k++) {
        double most = -1;
        for (int n = 0; n < 6; n++) {
            snw_vec3 here = snw_quat_rotate(turn, snw__signed_axis(n));
            double cosine = k ? here.y : here.x;
            if (cosine <= most) continue;
            most = cosine;
            axis[k] = here;
        }
        if (most < 0.9) return snw_quat_identity();
    }
    return snw_quat_from_mat3(
        snw_mat3_from_columns(axis[0], axis[1], snw_vec3_cross(axis[0], axis[1])));
}

/* The tracker axis that runs along the arm, in body axes; false if none is near it. */
static bool mounted_axis(const tpose_rest *rest, int side, snw_quat world_from_body, snw_vec3 *arm)
{
    int role = SNW_AVATAR_LEFT_HAND + side;
    snw_vec3 outward = snw_vec3_make(side ? -1 : 1, 0, 0);
    double best = TPOSE_AXIS_ANGLE;
    for (int n = 0; n < 6 && rest->is_present[role]; n++) {
        snw_vec3 axis = snw__signed_axis(n);
        snw_vec3 here =
            snw_quat_unrotate(world_from_body, snw_quat_rotate(rest->tracker[role].rotation, axis));
        double angle = snw_vec3_angle(here, outward);
        if (angle >= best) continue;
        best = angle;
        *arm = here;
    }
    return best < TPOSE_AXIS_ANGLE;
}

/* Directions of the arms in body axes. Trackers mounted along the arms, alike on both sides, show
 * how far the arms hang; otherwise they count as level. Returns whether they show it. */
static bool arm_lines(const tpose_rest *rest, snw_quat world_from_body, snw_vec3 arm[2])
{
    arm[0] = snw_vec3_make(1, 0, 0);
    arm[1] = snw_vec3_make(-1, 0, 0);
    snw_vec3 axis[2];
    if (!mounted_axis(rest, 0, world_from_body, &axis[0]) ||
        !mounted_axis(rest, 1, world_from_body, &axis[1]))
        return false;
    if (snw_vec3_angle(axis[0], snw_vec3_make(-axis[1].x, axis[1].y, axis[1].z)) >
        TPOSE_AXIS_SYMMETRY)
        return false;
    snw_vec3 mean = snw_vec3_make(axis[0].x - axis[1].x, axis[0].y + axis[1].y, 0);
    arm[0] = snw_vec3_unit(mean, arm[0]);
    arm[1] = snw_vec3_make(-arm[0].x, arm[0].y, 0);
    return true;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Frames of the bones at rest have the body's axes; the joint lies at its tracker's usual place. */
static void place_trackers(const snw_avatar_capture *capture, const tpose_rest *rest,
                           snw_quat world_from_body, const snw_vec3 arm[2],
                           snw_avatar_profile *profile)
{
    snw_quat bend = head_bend(rest, world_from_body);
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        profile->has_tracker[role] = rest->is_present[role];
        snw_vec3 place = snw__avatar_usual_place((snw_avatar_role)role);
        if (role == SNW_AVATAR_LEFT_HAND || role == SNW_AVATAR_RIGHT_HAND) {
            snw_vec3 line = arm[role - SNW_AVATAR_LEFT_HAND];
            snw_vec3 back = snw_vec3_make(-line.y * (line.x < 0 ? -1 : 1), fabs(line.x), 0);
            place = snw_vec3_add_scaled(snw_vec3_scale(line, fabs(place.x)), place.y, back);
        }
        if (role == SNW_AVATAR_HEAD) place = snw_quat_rotate(bend, place);
        if (capture->is_at_joint[role]) place = snw_vec3_make(0, 0, 0);
        snw_quat tracker_from_world = snw_quat_conjugate(rest->tracker[role].rotation);
        snw_quat turn = snw_quat_mul(tracker_from_world, world_from_body);
        snw_vec3 reach = place;
        if (role == SNW_AVATAR_LEFT_HAND || role == SNW_AVATAR_RIGHT_HAND) {
            /* A hand's frame has the body's axes when the arm is level: hanging arms turn it along.
             */
            snw_vec3 line = arm[role - SNW_AVATAR_LEFT_HAND];
            snw_quat hang = snw_quat_between(snw_vec3_make(line.x < 0 ? -1 : 1, 0, 0), line);
            reach = snw_quat_unrotate(hang, place);
            turn = snw_quat_mul(turn, hang);
        }
        profile->tracker_from_bone[role] =
            snw_xform_make(turn, snw_quat_rotate(turn, snw_vec3_neg(reach)));
    }
}

static snw_vec3 bone_in_body(const tpose_rest *rest, const snw_avatar_profile *profile, int role,
                             snw_quat world_from_body)
{
    snw_vec3 world =
        snw_xform_point(rest->tracker[role], profile->tracker_from_bone[role].translation);
    return snw_quat_unrotate(world_from_body, world);
}

/* Without a chest tracker the chest joint is two necks below the head joint. */
static snw_vec3 chest_in_body(const tpose_rest *rest, const snw_avatar_profile *profile,
                              snw_quat world_from_body)
{
    if (rest->is_present[SNW_AVATAR_CHEST])
        return bone_in_body(rest, profile, SNW_AVATAR_CHEST, world_from_body);
    snw_vec3 head = bone_in_body(rest, profile, SNW_AVATAR_HEAD, world_from_body);
    snw_vec3 neck = snw_vec3_add(profile->neck, snw_vec3_make(0, profile->neck_length, 0));
    return snw_vec3_sub(head, neck);
}

static void place_neck(const tpose_rest *rest, snw_quat world_from_body, snw_vec3 chest,
                       snw_avatar_profile *profile)
{
    if (!rest->is_present[SNW_AVATAR_CHEST] || !rest->is_present[SNW_AVATAR_HEAD]) return;
    snw_vec3 head = bone_in_body(rest, profile, SNW_AVATAR_HEAD, world_from_body);
    snw_vec3 way = snw_vec3_sub(head, chest);
    if (!(snw_vec3_length(way) > 0.05 && snw_vec3_length(way) < 0.5)) return;
    profile->neck = snw_vec3_scale(way, 0.5);
    profile->neck_length = 0.5 * snw_vec3_length(way);
}

static void place_arm(const snw_avatar_capture *capture, int side, int first, snw__tpose_arm arm,
                      bool is_line_known, snw_avatar_profile *profile)
{
    double expected = SNW__SHOULDER_OF_SPAN * fabs(arm.wrist.x);
    if (!is_line_known) {
        /* A level arm and the usual height of shoulders, weighed by how sure each is. */
        double length = fabs(arm.wrist.x) - expected;
        double level = TPOSE_LEVEL_SPREAD * length, usual = TPOSE_RISE_SPREAD;
        double off = SNW__SHOULDER_RISE - arm.wrist.y;
        double rise = off * level * level / (level * level + usual * usual);
        arm.line = snw_vec3_unit(snw_vec3_make(arm.line.x * length, -rise, 0), arm.line);
    }
    double width = first < capture->frame_count && profile->has_tracker[SNW_AVATAR_CHEST]
                       ? snw__tpose_settle_width(capture, profile, side, first, &arm)
                       : expected;
    profile->shoulder[side] = snw__tpose_shoulder_at(&arm, width);
    double length = snw_vec3_distance(arm.wrist, profile->shoulder[side]);
    profile->forearm[side] = SNW__FOREARM_OF_ARM * length;
    profile->upper_arm[side] = length - profile->forearm[side];
}

/* A hand that lies on the chest, or far off, is no end of an arm. */
static snw_status check_arm(const snw_avatar_profile *profile, int side, snw_error *error)
{
    double length = profile->upper_arm[side] + profile->forearm[side];
    if (length > TPOSE_ARM_LEAST && length < 2 * SNW__BONE_MAX) return SNW_OK;
    return snw__fail(error, SNW_DEGENERATE,
                     "the capture does not start in a T-pose: the %s arm would be %.2f m long",
                     side ? "right" : "left", length);
}

/* Hands that are behind the back on average have been exchanged: with them, front and back are. */
static bool are_hands_exchanged(const snw_avatar_capture *capture,
                                const snw_avatar_profile *profile, const snw__tpose_arm arm[2],
                                int first)
{
    double sum = 0;
    int count = 0;
    for (int f = first; f < capture->frame_count; f++)
        for (int side = 0; side < 2; side++) {
            const snw_avatar_frame *frame = capture->frame + f;
            if (!frame->is_present[SNW_AVATAR_LEFT_HAND + side] ||
                !frame->is_present[SNW_AVATAR_CHEST])
                continue;
            sum += snw__avatar_wrist_in_chest(profile, frame, side).z - arm[side].wrist.z;
            count++;
        }
    return count >= 100 && sum < -0.06 * count;
}

snw_status snw_avatar_calibrate(const snw_avatar_capture *capture,
                                const snw_avatar_calibration *options, snw_avatar_profile *profile,
                                snw_notes *notes, snw_error *error)
{
    snw_avatar_calibration chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_avatar_calibration_default() : *options;
    if (!capture || !profile || capture->frame_count < 1)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "capture or profile is NULL or empty");
    *profile = snw_avatar_profile_default(SNW__STATURE_MAN);
    if (snw__bone_frames_calibrate(capture, chosen.rest_seconds, profile)) {
        snw__note(notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "the trackers are frames of bones: no T-pose is needed, the arms are measured "
                  "from shoulders and elbows in the first second");
        return snw__succeed(error);
    }
    tpose_rest rest = mean_rest(capture, chosen.rest_seconds);
    snw_quat world_from_body;
    snw_status status = body_axes(&rest, capture->up, &world_from_body, error);
    if (status != SNW_OK) return status;
    snw_vec3 line[2];
    bool is_line_known = arm_lines(&rest, world_from_body, line);
    place_trackers(capture, &rest, world_from_body, line, profile);
    snw_vec3 chest = chest_in_body(&rest, profile, world_from_body);
    place_neck(&rest, world_from_body, chest, profile);
    int first =
        chosen.is_from_rest_alone
            ? capture->frame_count
            : (int)fmin(capture->frame_count, ceil(1.1 * chosen.rest_seconds * capture->rate));
    snw__tpose_arm arm[2];
    for (int side = 0; side < 2; side++) {
        int role = SNW_AVATAR_LEFT_HAND + side;
        arm[side].line = line[side];
        arm[side].wrist = snw_vec3_sub(bone_in_body(&rest, profile, role, world_from_body), chest);
        if (!rest.is_present[role]) continue;
        place_arm(capture, side, first, arm[side], is_line_known, profile);
        status = check_arm(profile, side, error);
        if (status != SNW_OK) return status;
    }
    for (int side = 0; side < 2; side++)
        if (!rest.is_present[SNW_AVATAR_LEFT_HAND + side]) {
            int from = 1 - side;
            snw_vec3 s = profile->shoulder[from];
            profile->shoulder[side] = snw_vec3_make(-s.x, s.y, s.z);
            profile->upper_arm[side] = profile->upper_arm[from];
            profile->forearm[side] = profile->forearm[from];
        }
    if (profile->has_tracker[SNW_AVATAR_CHEST]) snw__tpose_divide_arms(capture, first, profile);
    snw__avatar_lower_body(profile, snw__avatar_chest_height(profile, chest.y));
    if (rest.is_present[SNW_AVATAR_LEFT_HAND] && rest.is_present[SNW_AVATAR_RIGHT_HAND] &&
        are_hands_exchanged(capture, profile, arm, rest.frame_count))
        snw__note(
            notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
            "the hands are behind the back most of the time: left and right may be exchanged");
    return snw__succeed(error);
}
