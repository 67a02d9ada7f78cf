/* Any bytes as a person kept as an actor, a state space, or trackers that an avatar is moved by:
 * refused with a sentence, or read, printed and read again the same; no pose that is not finite. */
#include "fuzz_text.h"

static void check_profile(const char *text, size_t size)
{
    snw_avatar_profile profile;
    snw_error error;
    snw_actor *actor = NULL, *again = NULL;
    snw_avatar *avatar = NULL;
    if (snw_actor_parse(text, size, NULL, &actor, &error) == SNW_OK &&
        snw_avatar_profile_from_actor(actor, &profile, &error) == SNW_OK &&
        snw_avatar_create(&profile, NULL, NULL, &avatar, &error) == SNW_OK)
        (void)snw_avatar_profile_to_actor(&profile, NULL, &again, &error);
    if (error.status != SNW_OK && error.message[0] == 0) abort();
    snw_avatar_destroy(avatar);
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
}

static void check_states(const char *text, size_t size)
{
    snw_state_space *space = NULL;
    snw_error error;
    if (snw_state_space_parse(text, size, NULL, &space, &error) == SNW_OK)
        (void)snw_state_space_cell_count(space);
    else if (error.message[0] == 0)
        abort();
    snw_state_space_destroy(space);
}

/* More frames find nothing new, and runs a second count. */
#define AVATAR_STEPS 6

/* The bytes are the numbers of frames. */
static void check_steps(const uint8_t *data, size_t size)
{
    snw_avatar_profile profile = snw_avatar_profile_default(1.7);
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++)
        profile.has_tracker[role] = true;
    if (snw_avatar_create(&profile, NULL, NULL, &avatar, NULL) != SNW_OK) return;
    if (snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL) == SNW_OK)
        for (int n = 0; size >= sizeof(double) && n < AVATAR_STEPS; n++) {
            snw_avatar_frame frame;
            double *numbers = (double *)frame.world_from_tracker;
            memset(&frame, 0, sizeof frame);
            frame.time = 0.01 * n;
            for (int i = 0; i < SNW_AVATAR_ROLE_COUNT * 7 && size >= sizeof(double); i++) {
                memcpy(&numbers[i], data, sizeof(double));
                data += sizeof(double);
                size -= sizeof(double);
                frame.is_present[i / 7] = true;
            }
            snw_avatar_step(avatar, &frame, pose, NULL);
            for (int j = 0; j < pose->skeleton->joint_count; j++)
                if (!snw_vec3_is_finite(pose->world[j].translation)) abort();
        }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_profile((const char *)data, size);
    check_states((const char *)data, size);
    check_steps(data, size);
    return 0;
}
