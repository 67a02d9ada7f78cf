/* A live body that takes frames as they come from a network: a body that is given, names of
 * markers, one step for each frame, no memory taken after the start. cc live_tracker.c $(pkg-config
 * --cflags --libs sinew) */
#include <stdio.h>

#include <sinew/sinew.h>

enum {
    MARKERS = 8
};

/* What a camera system would send: an arm of two bones that bends, in millimetres. */
static void receive(const snw_actor *actor, snw_pose *truth, double time,
                    snw_sample sample[MARKERS])
{
    truth->root.translation = snw_vec3_make(0.2 * time, 0, 1);
    for (int j = 1; j < actor->skeleton->joint_count; j++)
        truth->rotation[j] = snw_quat_from_axis_angle(snw_vec3_make(0, 0.6, 0.8), 0.4 * time * j);
    snw_pose_forward(truth);
    for (int m = 0; m < MARKERS; m++) {
        const snw_actor_marker *marker = actor->marker + m;
        snw_vec3 at = snw_xform_point(truth->world[marker->joint], marker->offset);
        sample[m] =
            (snw_sample){(float)(1000 * at.x), (float)(1000 * at.y), (float)(1000 * at.z), 0};
    }
}

int main(void)
{
    static const char *const names[MARKERS] = {"b1", "b2", "b3", "b4", "u1", "u2", "u3", "u4"};
    snw_error error;
    snw_skeleton *body = NULL;
    snw_actor *actor = NULL;
    snw_live_body *live = NULL;
    snw_pose *pose = NULL, *truth = NULL;
    snw_actor_marker marker[MARKERS];
    for (int m = 0; m < MARKERS; m++) /* four on each bone, not in a line */
        marker[m] = (snw_actor_marker){
            names[m], m / 4, {0.05 * (m % 2), 0.05 + 0.05 * (m % 4), 0.04 * (m % 3)}, 0.001};
    const snw_name_list list = {names, MARKERS};
    if (snw_preset_chain(2, 0.3, NULL, &body, &error) != SNW_OK ||
        snw_actor_create(body, marker, MARKERS, NULL, &actor, &error) != SNW_OK ||
        snw_live_body_create(actor, &list, NULL, NULL, &live, &error) != SNW_OK ||
        snw_pose_create(actor->skeleton, NULL, &pose, &error) != SNW_OK ||
        snw_pose_create(actor->skeleton, NULL, &truth, &error) != SNW_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    double worst = 0;
    for (int f = 0; f < 100; f++) {
        snw_sample sample[MARKERS];
        uint8_t state[MARKERS];
        receive(actor, truth, 0.01 * f, sample);
        for (int m = 0; m < MARKERS; m++) /* one marker is hidden now and then */
            state[m] = m == 5 && f % 20 > 10 ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED;
        snw_frame frame = {MARKERS, 0.01 * f, 0.001, 1, sample, state, NULL};
        snw_track track = snw_live_body_step(live, &frame, pose);
        snw_vec3 off = snw_vec3_sub(pose->world[1].translation, truth->world[1].translation);
        worst = fmax(worst, snw_vec3_length(off));
        if (f % 20 == 0)
            printf("frame %2d: %d markers, %.3f mm, joint 1 %s\n", f, track.marker_count,
                   1000 * track.residual,
                   snw_tracker_observability(snw_live_body_tracker(live), 1).is_determined
                       ? "determined"
                       : "open");
    }
    printf("the joint was never more than %.3f mm off\n", 1000 * worst);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_live_body_destroy(live);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
    return worst < 1e-4 ? 0 : 1;
}
