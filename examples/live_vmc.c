/* Frames in, bones out: lines of JSON on standard input (docs/live.md), an actor that `sinew solve
 * --save-actor` kept, VMC bones to 127.0.0.1:39539, where VSeeFace or Blender listen.
 * cc live_vmc.c $(pkg-config --cflags --libs sinew), then: live_vmc joe.actor <frames.json */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <sinew/sinew.h>

enum {
    POINTS = 200
};

int main(int count, char **words)
{
    static char text[1 << 20], line[1 << 20];
    static snw_packet_point point[POINTS];
    static snw_vmc_bone bones[POINTS];
    static snw_sample sample[POINTS];
    static uint8_t state[POINTS], bytes[SNW_PACKET_SIZE];
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(39539)};
    snw_packet_frame packet = {.room = POINTS, .point = point};
    snw_rig_options options = snw_rig_options_default();
    const char *names[POINTS];
    snw_actor *actor = NULL;
    snw_live_body *live = NULL;
    snw_pose *pose = NULL, *rigged = NULL;
    snw_rig *rig = NULL;
    snw_error error = {.message = "usage: live_vmc ACTOR <frames.json"};
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (!file) return puts(error.message) < 0;
    size_t size = fread(text, 1, sizeof text, file);
    options.names = SNW_RIG_VRM;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int udp = socket(AF_INET, SOCK_DGRAM, 0), frames = 0;
    (void)fclose(file);
    if (snw_actor_parse(text, size, NULL, &actor, &error) != SNW_OK) return puts(error.message), 1;
    const snw_name_list list = {names, actor->marker_count};
    for (int m = 0; m < actor->marker_count && m < POINTS;
         m++) /* the frame's order is the actor's */
        (void)snw_format(point[packet.count++].name, SNW_PACKET_NAME, "%s",
                         names[m] = actor->marker[m].name);
    if (snw_live_body_create(actor, &list, NULL, NULL, &live, &error) != SNW_OK ||
        snw_rig_create(actor->skeleton, &options, NULL, &rig, &error) != SNW_OK ||
        snw_pose_create(actor->skeleton, NULL, &pose, &error) != SNW_OK ||
        snw_pose_create(snw_rig_skeleton(rig), NULL, &rigged, &error) != SNW_OK)
        return puts(error.message), 1;
    while (fgets(line, sizeof line, stdin)) {
        if (snw_packet_read_json(&packet, line, strlen(line), &error) != SNW_OK) continue;
        for (int m = 0; m < actor->marker_count; m++) {
            sample[m] = (snw_sample){(float)point[m].place.x, (float)point[m].place.y,
                                     (float)point[m].place.z, 0};
            state[m] = point[m].is_seen ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
        }
        const snw_frame frame = {actor->marker_count, packet.time, 1, 1, sample, state, NULL};
        (void)snw_live_body_step(live, &frame, pose);
        snw_rig_step(rig, pose, rigged);
        int bone_count = snw_vmc_bones(rigged, bones), next = 0;
        int64_t length;
        while ((length = snw_vmc_write(bones, bone_count, &next, packet.time, bytes)) > 0)
            (void)sendto(udp, bytes, (size_t)length, 0, (const struct sockaddr *)&to, sizeof to);
        frames++;
    }
    printf("%d frames sent\n", frames);
    snw_pose_destroy(rigged);
    snw_pose_destroy(pose);
    snw_rig_destroy(rig);
    snw_live_body_destroy(live);
    snw_actor_destroy(actor);
    return 0;
}
