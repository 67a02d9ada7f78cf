/* Any bytes as a hand that was kept as an actor, or as markers that move one: refused with a
 * sentence, or read; a hand that can be created can be kept; no pose that is not finite. */
#include "fuzz_text.h"

/* More frames find nothing new, and runs a second count. */
#define HAND_STEPS 6

static void check_steps(const uint8_t *data, size_t size)
{
    snw_hand_profile profile = snw_hand_profile_default(SNW_HAND_LEFT, 0.18);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
