/* Any bytes as a hand that was kept as an actor, as markers that move one, or as what spoils a
 * capture of one: refused with a sentence, or read; a hand that can be created can be kept; no pose
 * that is not finite. */
#include "fuzz_text.h"
#include "fuzz_trials.h"

/* More frames find nothing new, and runs a second count. */
#define HAND_STEPS 5

static void check_steps(const uint8_t *data, size_t size)
{
    snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_LEFT, 0.18);
    snw_hand *hand = NULL;
    snw_pose *pose = NULL;
    if (snw_hand_create(&profile, NULL, NULL, &hand, NULL) != SNW_OK) return;
    if (snw_pose_create(snw_hand_skeleton(hand), NULL, &pose, NULL) == SNW_OK)
        for (int n = 0; size >= sizeof(double) && n < HAND_STEPS; n++) {
            snw_hand_frame frame;
            double *numbers = (double *)frame.place;
            memset(&frame, 0, sizeof frame);
            frame.time = 0.01 * n;
            for (int i = 0; i < SNW_HAND_MARKERS * 3 && size >= sizeof(double); i++) {
                memcpy(&numbers[i], data, sizeof(double));
                data += sizeof(double);
                size -= sizeof(double);
                frame.is_seen[i / 3] = true;
            }
            snw_hand_step(hand, &frame, pose, NULL);
            for (int j = 0; j < pose->skeleton->joint_count; j++)
                if (!snw_vec3_is_finite(pose->world[j].translation)) abort();
        }
    snw_pose_destroy(pose);
    snw_hand_destroy(hand);
}

/* ---- a capture of a hand ----------------------------------------------------------------------
 */

/* All gestures of a left and a right hand, the same for every run. */
static const snw_trial *find_hand(bool is_left)
{
    static snw_trial *made[2];
    snw_synth_options options = snw_synth_options_default();
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    if (made[is_left]) return made[is_left];
    options.motion = SNW_SYNTH_GESTURES;
    options.rate = 6;
    options.seconds = 4;
    snw_synth_hand_options hand = snw_synth_hand_options_default();
    if (is_left) hand.side = SNW_SIDE_LEFT;
    if (snw_preset_create("hand25", NULL, &body, NULL) != SNW_OK ||
        snw_synth_motion_create(body, &options, NULL, &motion, NULL) != SNW_OK ||
        snw_synth_hand(motion, &hand, NULL, &made[is_left], NULL, NULL) != SNW_OK)
        abort();
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    return made[is_left];
}

/* Gaps, wild samples and exchanged names. */
static snw_trial *make_capture(fuzz_bytes *bytes, bool is_left, bool is_named)
{
    const snw_trial *made = find_hand(is_left);
    snw_trial part = snw_trial_window(made, 0, made->frame_count - fuzz_below(bytes, 20));
    snw_trial *trial = NULL;
    if (snw_trial_copy(&part, NULL, &trial, NULL) != SNW_OK) abort();
    for (int n = fuzz_below(bytes, 6); n > 0; n--) {
        int marker = fuzz_below(bytes, trial->marker_count), width = 1 + fuzz_below(bytes, 12);
        int first = fuzz_below(bytes, trial->frame_count);
        unsigned how = fuzz_byte(bytes);
        for (int f = first; f < first + width && f < trial->frame_count; f++)
            if (how & 1)
                snw_trial_set(trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
            else
                fuzz_place(trial, f, marker, fuzz_vector(bytes));
        if ((how & 14) == 14)
            snw_trial_set_marker_name(trial, marker, made->marker[first % 8].name, NULL);
    }
    for (int m = 0; !is_named && m < trial->marker_count; m++)
        snw_trial_set_marker_name(trial, m, "*", NULL);
    return trial;
}

static void check_solve(const snw_hand_profile *profile, const snw_hand_capture *capture,
                        fuzz_bytes *bytes)
{
    snw_hand_options options = snw_hand_options_default();
    snw_hand_capture few = *capture;
    snw_hand *hand = NULL;
    snw_motion *motion = NULL;
    snw_error error;
    if (few.frame_count > HAND_STEPS) few.frame_count = HAND_STEPS;
    unsigned without = fuzz_byte(bytes);
    options.method = (snw_hand_method)fuzz_below(bytes, SNW_HAND_METHOD_COUNT);
    options.has_limits = !(without & 1);
    options.has_intradigital = !(without & 2);
    options.has_transdigital = !(without & 4);
    options.has_inertia = !(without & 8);
    options.has_collision = !(without & 16);
    options.has_friction = !(without & 32);
    fuzz_check_said(snw_hand_create(profile, &options, NULL, &hand, &error), &error);
    if (hand) fuzz_check_said(snw_hand_solve(hand, &few, NULL, &motion, &error), &error);
    if (motion) fuzz_check_motion(motion);
    snw_motion_destroy(motion);
    snw_hand_destroy(hand);
}

static void check_capture(fuzz_bytes *bytes)
{
    unsigned how = fuzz_byte(bytes);
    bool is_left = how & 1, is_named = how & 6;
    snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_LEFT, 0.18);
    snw_trial *trial = make_capture(bytes, is_left, is_named);
    snw_hand_capture *capture = NULL;
    snw_notes notes = snw_notes_none();
    snw_error error;
    if (is_named)
        fuzz_check_said(snw_hand_capture_from_trial(trial, is_left ? SNW_SIDE_LEFT : SNW_SIDE_RIGHT,
                                                    NULL, &capture, &notes, &error),
                        &error);
    else
        fuzz_check_said(snw_hand_capture_unlabelled(trial, NULL, &capture, &notes, &error), &error);
    if (capture) {
        snw_status status = snw_hand_calibrate(capture, &profile, &notes, &error);
        fuzz_check_said(status, &error);
        if (status == SNW_OK) check_solve(&profile, capture, bytes);
    }
    snw_hand_capture_destroy(capture);
    snw_trial_destroy(trial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    if (fuzz_byte(&bytes) == 1 && fuzz_is_one_in(4, data, size)) {
        check_capture(&bytes);
        return 0;
    }
    snw_hand_profile profile;
    snw_error error;
    snw_actor *actor = NULL, *again = NULL;
    snw_hand *hand = NULL;
    if (snw_actor_parse((const char *)data, size, NULL, &actor, &error) == SNW_OK &&
        snw_hand_profile_from_actor(actor, &profile, &error) == SNW_OK &&
        snw_hand_create(&profile, NULL, NULL, &hand, &error) == SNW_OK &&
        snw_hand_profile_to_actor(&profile, NULL, &again, &error) != SNW_OK)
        abort();
    if (error.status != SNW_OK && error.message[0] == 0) abort();
    snw_hand_destroy(hand);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    check_steps(data, size);
    return 0;
}
