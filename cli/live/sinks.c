/* Where poses go: VMC over UDP, joint states as JSON lines, the markers into a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/live.h"
#include "output.h"

enum {
    SINK_RECORD_FIRST = 1024 /* frames; doubled as they fill */
};

struct live_sinks {
    const cli_arguments *arguments;
    /* VMC */
    int socket;
    struct sockaddr_in address;
    snw_rig *rig;
    snw_pose *rigged;
    snw_vmc_bone *bones; /* (joint_count + 1) */
    int64_t frame;
    /* states */
    bool has_states;
    double *values; /* (dof_count) */
    /* the file */
    const char *path;
    snw_sample *sample; /* (room x marker_count) */
    uint8_t *state;
    int recorded, room;
    const live_source *source;
};

/* ---- VMC ------------------------------------------------------------------------------------- */

static bool open_vmc(live_sinks *sinks, const char *to, const snw_skeleton *skeleton)
{
    const cli_arguments *arguments = sinks->arguments;
    snw_rig_options options = snw_rig_options_default();
    struct sockaddr_in any = {.sin_family = AF_INET};
    snw_error error;
    options.names = SNW_RIG_VRM;
    if (sinks->source->up != SNW_UP_UNKNOWN) options.up = snw_up_direction(sinks->source->up);
    if (!live_address(arguments, to, 39539, &sinks->address)) return false;
    sinks->socket = live_socket(arguments, &any);
    if (sinks->socket < 0) return false;
    sinks->bones = calloc((size_t)skeleton->joint_count + 1, sizeof *sinks->bones);
    snw_status status = sinks->bones ? snw_rig_create(skeleton, &options, NULL, &sinks->rig, &error)
                                     : SNW_OUT_OF_MEMORY;
    if (status == SNW_OK)
        status = snw_pose_create(snw_rig_skeleton(sinks->rig), NULL, &sinks->rigged, &error);
    if (status == SNW_OK) return true;
    (void)cli_fail(arguments, "this body cannot be sent as VMC: %s",
                   sinks->bones ? error.message : "no memory");
    return false;
}

static void send_vmc(live_sinks *sinks, const snw_frame *frame, const snw_pose *pose)
{
    uint8_t bytes[SNW_PACKET_SIZE];
    int64_t size;
    snw_rig_step(sinks->rig, pose, sinks->rigged);
    int count = snw_vmc_bones(sinks->rigged, sinks->bones);
    for (int next = 0; (size = snw_vmc_write(sinks->bones, count, &next, frame->time, bytes)) > 0;)
        (void)sendto(sinks->socket, bytes, (size_t)size, 0,
                     (const struct sockaddr *)&sinks->address, sizeof sinks->address);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* As ROS's JointState: names and coordinates in the same order, one line a frame. */
static bool put_states(live_sinks *sinks, const snw_frame *frame, const snw_pose *pose)
{
    const snw_skeleton *skeleton = pose->skeleton;
    snw_pose_values(pose, sinks->values);
    cli_json json = cli_json_begin_line(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "frame", sinks->frame);
    cli_json_number(&json, "time", frame->time);
    const double root[7] = {pose->root.translation.x, pose->root.translation.y,
                            pose->root.translation.z, pose->root.rotation.w,
                            pose->root.rotation.x,    pose->root.rotation.y,
                            pose->root.rotation.z};
    cli_json_numbers(&json, "root", root, 7);
    cli_json_array(&json, "name");
    for (int j = 0; j < skeleton->joint_count; j++)
        for (int k = 0; k < snw_joint_type_dof(skeleton->joint[j].type); k++)
            cli_json_string(&json, NULL, skeleton->name[j]);
    cli_json_end_array(&json);
    cli_json_numbers(&json, "position", sinks->values, skeleton->dof_count);
    cli_json_end_object(&json);
    return fflush(stdout) == 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool record(live_sinks *sinks, const snw_frame *frame)
{
    size_t markers = (size_t)frame->marker_count;
    if (sinks->recorded == sinks->room) {
        int room = sinks->room ? 2 * sinks->room : SINK_RECORD_FIRST;
        snw_sample *sample = realloc(sinks->sample, (size_t)room * markers * sizeof *sample);
        if (sample) sinks->sample = sample;
        uint8_t *state = sample ? realloc(sinks->state, (size_t)room * markers) : NULL;
        if (!state) return cli_fail(sinks->arguments, "no memory to record more") != CLI_FAILED;
        sinks->state = state;
        sinks->room = room;
    }
    size_t at = (size_t)sinks->recorded++ * markers;
    memcpy(sinks->sample + at, frame->sample, markers * sizeof *frame->sample);
    memcpy(sinks->state + at, frame->state, markers);
    return true;
}

static int write_record(const live_sinks *sinks)
{
    const live_source *source = sinks->source;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    double metres = source->frame.metres_per_unit;
    options.marker_count = source->marker_count;
    options.frame_count = sinks->recorded;
    options.rate = source->rate;
    snw_status status = snw_trial_create(&options, NULL, &trial, &error);
    for (int m = 0; m < source->marker_count && status == SNW_OK; m++)
        status = snw_trial_set_marker_name(trial, m, source->names.name[m], &error);
    for (int f = 0; f < sinks->recorded && status == SNW_OK; f++)
        for (int m = 0; m < source->marker_count; m++) {
            size_t n = (size_t)f * (size_t)source->marker_count + (size_t)m;
            const snw_sample *s = &sinks->sample[n];
            snw_trial_set(trial, f, m, snw_vec3_make(s->x * metres, s->y * metres, s->z * metres),
                          (snw_sample_state)sinks->state[n]);
        }
    if (status == SNW_OK) {
        trial->up = source->up;
        status = snw_write_trial_file(sinks->path, cli_flag(sinks->arguments, "--force"), trial,
                                      NULL, &error);
    }
    snw_trial_destroy(trial);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(sinks->arguments, &error);
}

/* ---- all ------------------------------------------------------------------------------------- */

live_sinks *live_open_sinks(const cli_arguments *arguments, const live_source *source,
                            const snw_skeleton *skeleton)
{
    live_sinks *sinks = calloc(1, sizeof *sinks);
    const char *vmc = cli_value(arguments, "--vmc", NULL);
    if (!sinks) {
        (void)cli_fail(arguments, "no memory for outputs");
        return NULL;
    }
    *sinks = (live_sinks){.arguments = arguments,
                          .socket = -1,
                          .has_states = cli_flag(arguments, "--states"),
                          .path = cli_value(arguments, "--record", NULL),
                          .source = source};
    bool is_open = !vmc || open_vmc(sinks, vmc, skeleton);
    sinks->values = calloc((size_t)skeleton->dof_count + 1, sizeof *sinks->values);
    if (is_open && sinks->values) return sinks;
    sinks->path = NULL;
    (void)live_close_sinks(sinks);
    return NULL;
}

bool live_send(live_sinks *sinks, const live_source *source, const snw_pose *pose)
{
    if (sinks->rig) send_vmc(sinks, &source->frame, pose);
    if (sinks->has_states && !put_states(sinks, &source->frame, pose))
        return cli_fail(sinks->arguments, "standard output: %s", strerror(errno)) != CLI_FAILED;
    sinks->frame++;
    return !sinks->path || record(sinks, &source->frame);
}

int live_close_sinks(live_sinks *sinks)
{
    int status = sinks->path ? write_record(sinks) : CLI_DONE;
    if (sinks->socket >= 0) (void)close(sinks->socket);
    snw_pose_destroy(sinks->rigged);
    snw_rig_destroy(sinks->rig);
    free(sinks->bones);
    free(sinks->values);
    free(sinks->sample);
    free(sinks->state);
    free(sinks);
    return status;
}
