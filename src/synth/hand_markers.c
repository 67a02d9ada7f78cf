/* Markers on the back and the fingertips of a hand whose joints are known. */
#include <sinew/synth.h>

#include "base/fail.h"
#include "base/memory.h"
#include "synth/capture.h"

enum {
    HAND_MARKER_COUNT = 8
};

static const char *const hand_marker_names[HAND_MARKER_COUNT] = {
    "wrist",     "back_index", "back_little", "thumb_tip",
    "index_tip", "middle_tip", "ring_tip",    "little_tip"};
/* Joint of hand25 that a marker is at, or between the wrist and which it lies. */
static const char *const hand_marker_joints[HAND_MARKER_COUNT] = {
    "wrist", "index2", "little2", "thumb4", "index5", "middle5", "ring5", "little5"};

static snw_vec3 sided(snw_vec3 v, bool is_left)
{
    return is_left ? snw_vec3_make(-v.x, v.y, v.z) : v;
}

static snw_status name_markers(snw_trial *markers, snw_trial *joints, const snw_skeleton *body,
                               bool is_left, snw_error *error)
{
    char name[64];
    snw_status status = SNW_OK;
    for (int m = 0; m < HAND_MARKER_COUNT && status == SNW_OK; m++) {
        snw_format(name, sizeof name, "%s_%s", is_left ? "left" : "right", hand_marker_names[m]);
        status = snw_trial_set_marker_name(markers, m, name, error);
    }
    for (int j = 0; joints && j < body->joint_count && status == SNW_OK; j++) {
        snw_format(name, sizeof name, "true_%s", body->name[j]);
        status = snw_trial_set_marker_name(joints, j, name, error);
    }
    return status;
}

static void fill(const snw_motion *motion, const int *joint, bool is_left, double noise,
                 snw_random random, snw_pose *pose, snw_trial *markers, snw_trial *joints)
{
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (int m = 0; m < HAND_MARKER_COUNT; m++) {
            double x = snw_random_normal(&random), y = snw_random_normal(&random);
            snw_vec3 shake =
                snw_vec3_make(noise * x, noise * y, noise * snw_random_normal(&random));
            snw_vec3 place = pose->world[joint[m]].translation, wrist = pose->world[0].translation;
            if (m == 1 || m == 2) { /* over the back of the hand, +y of the wrist's frame */
                snw_vec3 up = snw_quat_rotate(pose->world[0].rotation, snw_vec3_make(0, 0.008, 0));
                place = snw_vec3_add(snw_vec3_lerp(wrist, place, 0.8), up);
            }
            snw_trial_set(markers, f, m, snw_vec3_add(sided(place, is_left), shake),
                          SNW_SAMPLE_MEASURED);
        }
        for (int j = 0; joints && j < motion->skeleton->joint_count; j++)
            snw_trial_set(joints, f, j, sided(pose->world[j].translation, is_left),
                          SNW_SAMPLE_MEASURED);
    }
}

/* Hides what the gaps name. */
static snw_status hide(const snw_skeleton *body, const int *joint,
                       const snw_synth_hand_options *options, snw_trial *markers, snw_error *error)
{
    snw_synth_options gaps = snw_synth_options_default();
    snw_synth_marker marker[HAND_MARKER_COUNT];
    bool is_chosen[HAND_MARKER_COUNT];
    size_t samples = (size_t)markers->frame_count * HAND_MARKER_COUNT;
    if (options->gap_count <= 0) return SNW_OK;
    bool *is_gone = snw__allocate(&markers->allocator, samples);
    if (!is_gone) return snw__fail_memory(error, samples, "the gaps of a hand");
    gaps.gap = options->gap;
    gaps.gap_count = options->gap_count;
    gaps.seed = options->seed;
    for (int m = 0; m < HAND_MARKER_COUNT; m++) {
        marker[m] = (snw_synth_marker){.joint = joint[m]};
        snw_format(marker[m].name, sizeof marker[m].name, "%s", markers->marker[m].name);
    }
    const snw__gap_field field = {body,    marker,   HAND_MARKER_COUNT, markers->frame_count,
                                  is_gone, is_chosen};
    snw_status status = SNW_OK;
    for (int g = 0; g < gaps.gap_count && status == SNW_OK; g++)
        status = snw__gap_apply(&gaps, g, &field, error);
    for (size_t n = 0; n < samples && status == SNW_OK; n++)
        if (is_gone[n])
            snw_trial_set(markers, (int)(n / HAND_MARKER_COUNT), (int)(n % HAND_MARKER_COUNT),
                          snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    snw__release(&markers->allocator, is_gone, samples);
    return status;
}

snw_synth_hand_options snw_synth_hand_options_default(void)
{
    return (snw_synth_hand_options){.side = SNW_SIDE_RIGHT, .noise = 0.0005, .seed = 1};
}

snw_status snw_synth_hand(const snw_motion *motion, const snw_synth_hand_options *options,
                          const snw_allocator *allocator, snw_trial **markers, snw_trial **joints,
                          snw_error *error)
{
    snw_synth_hand_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_synth_hand_options_default() : *options;
    bool is_left = chosen.side == SNW_SIDE_LEFT;
    if (!motion || !markers)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "motion or markers is NULL");
    *markers = NULL;
    if (joints) *joints = NULL;
    int joint[HAND_MARKER_COUNT];
    for (int m = 0; m < HAND_MARKER_COUNT; m++) {
        joint[m] = snw_skeleton_find_joint(motion->skeleton, hand_marker_joints[m]);
        if (joint[m] < 0)
            return snw__fail(error, SNW_NOT_FOUND, "the body has no joint %s: it is not the hand25",
                             hand_marker_joints[m]);
    }
    snw_pose *pose = NULL;
    snw_trial_options sizes = snw_trial_options_default();
    sizes.frame_count = motion->frame_count;
    sizes.rate = motion->rate;
    sizes.marker_count = HAND_MARKER_COUNT;
    snw_status status = snw_pose_create(motion->skeleton, allocator, &pose, error);
    if (status == SNW_OK) status = snw_trial_create(&sizes, allocator, markers, error);
    sizes.marker_count = motion->skeleton->joint_count;
    if (status == SNW_OK && joints) status = snw_trial_create(&sizes, allocator, joints, error);
    if (status == SNW_OK)
        status = name_markers(*markers, joints ? *joints : NULL, motion->skeleton, is_left, error);
    if (status == SNW_OK) {
        fill(motion, joint, is_left, chosen.noise, snw_random_seed(chosen.seed, 8), pose, *markers,
             joints ? *joints : NULL);
        (*markers)->up = SNW_UP_Y;
        if (joints) (*joints)->up = SNW_UP_Y;
        status = hide(motion->skeleton, joint, &chosen, *markers, error);
    }
    if (status != SNW_OK) {
        snw_trial_destroy(*markers);
        *markers = NULL;
        if (joints) snw_trial_destroy(*joints);
        if (joints) *joints = NULL;
    }
    snw_pose_destroy(pose);
    return status == SNW_OK ? snw__succeed(error) : status;
}
