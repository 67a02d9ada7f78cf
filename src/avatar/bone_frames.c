/* Captures of bones, as programs write them that have solved a whole body (ART-Human): three points
 * for each frame, its origin in the joint.
 *
 * Such frames are parallel to the body's axes in the T-pose, by definition, so that no T-pose is
 * needed to know how a hand is turned; and a recording often has none. Which of their axes is left
 * and which is up is found from the head, and confirmed by the hands: they point away from the body
 * along it. What a T-pose would also tell, where the shoulder is and how long the arm's bones are,
 * is measured at the start, where shoulders and elbows are in the capture. */
#include "avatar/bone_frames.h"

#include "avatar/avatar_constants.h"
#include "avatar/body_plan_avatar.h"
#include "avatar/tpose.h"
#include "math/kernel.h"
#include "math/robust.h"

/* Mean cosine between a bone's axis and a direction, over the frames. */
typedef double (*bone_cosine)(const snw_avatar_capture *capture, const snw_avatar_frame *frame,
                              snw_vec3 axis);

static double head_up(const snw_avatar_capture *capture, const snw_avatar_frame *frame,
                      snw_vec3 axis)
{
    snw_quat turn = frame->world_from_tracker[SNW_AVATAR_HEAD].rotation;
    return snw_vec3_dot(snw_quat_rotate(turn, axis), capture->up);
}

/* Left is where the left hand is from the right one. */
static double head_left(const snw_avatar_capture *capture, const snw_avatar_frame *frame,
                        snw_vec3 axis)
{
    snw_vec3 way = snw_vec3_sub(frame->world_from_tracker[SNW_AVATAR_LEFT_HAND].translation,
                                frame->world_from_tracker[SNW_AVATAR_RIGHT_HAND].translation);
    way = snw_vec3_add_scaled(way, -snw_vec3_dot(way, capture->up), capture->up);
    snw_quat turn = frame->world_from_tracker[SNW_AVATAR_HEAD].rotation;
    return snw_vec3_dot(snw_quat_rotate(turn, axis), snw_vec3_unit(way, capture->up));
}

/* Both hands point away from their shoulders: the left one to the left, the right one against. */
static double hands_out(const snw_avatar_capture *capture, const snw_avatar_frame *frame,
                        snw_vec3 axis)
{
    double sum = 0;
    (void)capture;
    for (int side = 0; side < 2; side++) {
        const snw_xform *hand = &frame->world_from_tracker[SNW_AVATAR_LEFT_HAND + side];
        snw_vec3 way = snw_vec3_sub(hand->translation, frame->shoulder[side]);
        double cosine = snw_vec3_dot(snw_quat_rotate(hand->rotation, axis),
                                     snw_vec3_unit(way, snw_vec3_make(0, 0, 0)));
        sum += side ? -0.5 * cosine : 0.5 * cosine;
    }
    return sum;
}

static bool is_frame_whole(const snw_avatar_frame *frame)
{
    for (int role = SNW_AVATAR_HEAD; role <= SNW_AVATAR_RIGHT_HAND; role++)
        if (!frame->is_present[role]) return false;
    return frame->has_shoulder[0] && frame->has_shoulder[1];
}

static double mean_cosine(const snw_avatar_capture *capture, bone_cosine cosine, snw_vec3 axis)
{
    /* frames that are looked at for the axes */
    int count = 0, step = 1 + capture->frame_count / SNW__SAMPLES_SPREAD;
    double sum = 0;
    for (int f = 0; f < capture->frame_count; f += step) {
        if (!is_frame_whole(capture->frame + f)) continue;
        sum += cosine(capture, capture->frame + f, axis);
        count++;
    }
    /* frames that must show a bone for its length to count */
    return count >= SNW__SAMPLES_PATH ? sum / count : 0;
}

/* The signed axis that points best along a direction. */
static snw_vec3 best_axis(const snw_avatar_capture *capture, bone_cosine cosine)
{
    int best = 0;
    double most = -2;
    for (int n = 0; n < 6; n++) {
        double mean = mean_cosine(capture, cosine, snw__signed_axis(n));
        if (!(mean > most)) continue;
        most = mean;
        best = n;
    }
    return snw__signed_axis(best);
}

/* tracker_from_body of all these frames; false where they do not agree on one. */
static bool find_axes(const snw_avatar_capture *capture, snw_quat *turn)
{
    snw_vec3 x = best_axis(capture, head_left), y = best_axis(capture, head_up);
    /* Constants. Chosen. */
    if (fabs(snw_vec3_dot(x, y)) > 0.5 || !(mean_cosine(capture, head_left, x) > SNW__COS_60) ||
        !(mean_cosine(capture, head_up, y) > SNW__COS_60) ||
        !(mean_cosine(capture, hands_out, x) > SNW__COS_60))
        return false;
    *turn = snw_quat_from_mat3(snw_mat3_from_columns(x, y, snw_vec3_cross(x, y)));
    return true;
}

/* ---- what is measured ---------------------------------------------------------------------- */

typedef struct bone_sums {
    snw_vec3 shoulder[2], head; /* in the chest's frame */
    double upper[2], fore[2], height;
    int count[2], frames;
} bone_sums;

bool snw__bone_frames_calibrate(const snw_avatar_capture *capture, double seconds,
                                snw_avatar_profile *profile)
{
    snw_quat turn;
    bone_sums sums = {0};
    for (int role = SNW_AVATAR_HEAD; role <= SNW_AVATAR_RIGHT_HAND; role++)
        if (!capture->is_at_joint[role]) return false;
    if (!capture->elbow || !find_axes(capture, &turn)) return false;
    snw_xform chest_bone =
        snw_xform_make(capture->is_chest_upright ? snw_quat_identity() : turn, sums.head);
    double last = fmax(SNW__SAMPLES_PATH, seconds * capture->rate);
    for (int f = 0; f < capture->frame_count && f < last; f++) {
        const snw_avatar_frame *frame = capture->frame + f;
        if (!is_frame_whole(frame)) continue;
        snw_xform chest = snw_xform_mul(frame->world_from_tracker[SNW_AVATAR_CHEST], chest_bone);
        snw_vec3 head = frame->world_from_tracker[SNW_AVATAR_HEAD].translation;
        sums.head = snw_vec3_add(sums.head, snw_xform_unpoint(chest, head));
        sums.height += snw_vec3_dot(chest.translation, capture->up);
        sums.frames++;
        for (int side = 0; side < 2; side++) {
            snw_vec3 elbow = capture->elbow[2 * f + side], shoulder = frame->shoulder[side];
            if (!snw_vec3_is_finite(elbow)) continue;
            snw_vec3 wrist = frame->world_from_tracker[SNW_AVATAR_LEFT_HAND + side].translation;
            sums.shoulder[side] =
                snw_vec3_add(sums.shoulder[side], snw_xform_unpoint(chest, shoulder));
            sums.upper[side] += snw_vec3_distance(elbow, shoulder);
            sums.fore[side] += snw_vec3_distance(elbow, wrist);
            sums.count[side]++;
        }
    }
    if (sums.count[0] < SNW__SAMPLES_PATH || sums.count[1] < SNW__SAMPLES_PATH) return false;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
        profile->has_tracker[role] = false;
        for (int f = 0; f < capture->frame_count && !profile->has_tracker[role]; f++)
            profile->has_tracker[role] = capture->frame[f].is_present[role];
        bool is_body = role == SNW_AVATAR_CHEST && capture->is_chest_upright;
        profile->tracker_from_bone[role] =
            snw_xform_make(is_body ? snw_quat_identity() : turn, snw_vec3_make(0, 0, 0));
    }
    for (int side = 0; side < 2; side++) {
        double share = 1.0 / sums.count[side];
        profile->shoulder[side] = snw_vec3_scale(sums.shoulder[side], share);
        profile->upper_arm[side] = sums.upper[side] * share;
        profile->forearm[side] = sums.fore[side] * share;
    }
    profile->neck = snw_vec3_scale(sums.head, 0.5 / sums.frames);
    profile->neck_length = snw_vec3_length(profile->neck);
    snw__avatar_lower_body(profile, snw__avatar_chest_height(profile, sums.height / sums.frames));
    return true;
}
