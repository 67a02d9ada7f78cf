/* Any bytes as a hand's profile, or as markers that move one: refused with a sentence, or read and
 * printed the same; no pose that is not finite. */
#include "fuzz_text.h"

static void check_steps(const uint8_t *data, size_t size)
{
    snw_hand_profile profile = snw_hand_profile_default(SNW_HAND_LEFT, 0.18);
    snw_hand *hand = NULL;
    snw_pose *pose = NULL;
    if (snw_hand_create(&profile, NULL, NULL, &hand, NULL) != SNW_OK) return;
    if (snw_pose_create(snw_hand_skeleton(hand), NULL, &pose, NULL) == SNW_OK)
        for (int n = 0; size >= sizeof(double) && n < 64; n++) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_hand_profile profile, again;
    snw_error error;
    char text[4096];
    size_t length;
    if (snw_hand_profile_parse((const char *)data, size, &profile, &error) == SNW_OK) {
        if (snw_hand_profile_print(&profile, text, sizeof text, &length, NULL) != SNW_OK) abort();
        if (snw_hand_profile_parse(text, length, &again, &error) != SNW_OK) abort();
    } else if (error.message[0] == 0) {
        abort();
    }
    check_steps(data, size);
    return 0;
}
