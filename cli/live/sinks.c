/* Where poses go: VMC, VRChat's trackers and Live Link over UDP, joint states as JSON lines, shared
 * memory. The nth person goes to the nth port from the one that was given. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sinew/shared_pose.h>

#include "clock.h"
#include "live/live.h"
#include "output.h"

enum {
    SINK_TEXT = 1 << 16 /* bytes of a Live Link datagram */
};

typedef struct sink_person {
    snw_rig *rig;
    snw_pose *rigged;
    snw_vmc_bone *bones; /* (joint_count + 1) */
    double *values;      /* (dof_count) */
} sink_person;

struct live_sinks {
    live_state *state;
    int socket;
    bool has_vmc, has_vrchat, has_link, has_states;
    struct sockaddr_in vmc, vrchat, link;
    sink_person person[LIVE_PEOPLE_MAX];
    char *text; /* (SINK_TEXT) */
    const char *shared_name;
    snw_shared_pose *shared;
};

/* ---- UDP
 * ----------------------------------------------------------------------------------------- */

static void send_to(const live_sinks *sinks, struct sockaddr_in to, int person, const void *bytes,
                    size_t size)
{
    to.sin_port = htons((uint16_t)(ntohs(to.sin_port) + person));
    (void)sendto(sinks->socket, bytes, size, 0, (const struct sockaddr *)&to, sizeof to);
}

static void send_vmc(live_sinks *sinks, int n, double time)
{
    uint8_t bytes[SNW_PACKET_SIZE];
    int64_t size;
    sink_person *person = &sinks->person[n];
    int count = snw_vmc_bones(person->rigged, person->bones);
    for (int next = 0; (size = snw_vmc_write(person->bones, count, &next, time, bytes)) > 0;)
        send_to(sinks, sinks->vmc, n, bytes, (size_t)size);
}

static void send_vrchat(live_sinks *sinks, int n)
{
    uint8_t bytes[SNW_PACKET_SIZE];
    int64_t size = snw_vrchat_write(sinks->person[n].rigged, bytes);
    send_to(sinks, sinks->vrchat, n, bytes, (size_t)size);
}

/* {"name": {"Character": [{"Name", "Parent", "Location", "Rotation"}...]}}: Unreal's axes (x
 * forward, y right, z up, left-handed, centimetres) from ours (x left, y up, z forward): (z, -x,
 * y). A mirror turns rotations the other way. */
static void send_link(live_sinks *sinks, int n, const live_poses *poses)
{
    const snw_pose *pose = sinks->person[n].rigged;
    const snw_skeleton *skeleton = pose->skeleton;
    char *text = sinks->text;
    int at = snw_format(text, SINK_TEXT, "{\"%s\":{\"Time\":%.4f,\"Character\":[",
                        live_person_name(sinks->state->people->person[n]), poses->time);
    for (int j = 0; j < skeleton->joint_count && at < SINK_TEXT - 512; j++) {
        int parent = skeleton->parent[j];
        snw_xform local =
            parent < 0 ? pose->world[j]
                       : snw_xform_mul(snw_xform_inverse(pose->world[parent]), pose->world[j]);
        snw_vec3 p = snw_vec3_scale(local.translation, 100);
        snw_quat q = local.rotation;
        at += snw_format(text + at, (size_t)(SINK_TEXT - at),
                         "%s{\"Name\":\"%.63s\",\"Parent\":%d,\"Location\":[%.3f,%.3f,%.3f],"
                         "\"Rotation\":[%.5f,%.5f,%.5f,%.5f]}",
                         j > 0 ? "," : "", skeleton->name[j], parent, p.z, -p.x, p.y, -q.z, q.x,
                         -q.y, q.w);
    }
    at += snw_format(text + at, (size_t)(SINK_TEXT - at), "]}}");
    send_to(sinks, sinks->link, n, text, (size_t)at);
}

static bool open_rig(live_sinks *sinks, int n)
{
    const live_state *state = sinks->state;
    const snw_skeleton *skeleton = live_person_skeleton(state->people->person[n]);
    sink_person *person = &sinks->person[n];
    snw_rig_options options = snw_rig_options_default();
    snw_error error = {.message = "no memory"};
    options.names = SNW_RIG_VRM;
    if (state->stream->up != SNW_UP_UNKNOWN) options.up = snw_up_direction(state->stream->up);
    person->bones = calloc((size_t)skeleton->joint_count + 1, sizeof *person->bones);
    snw_status status = person->bones
                            ? snw_rig_create(skeleton, &options, NULL, &person->rig, &error)
                            : SNW_OUT_OF_MEMORY;
    if (status == SNW_OK)
        status = snw_pose_create(snw_rig_skeleton(person->rig), NULL, &person->rigged, &error);
    if (status == SNW_OK) return true;
    return cli_fail(state->stream->arguments, "this body cannot be sent as VMC: %s",
                    error.message) == CLI_DONE;
}

static bool open_udp(live_sinks *sinks)
{
    const cli_arguments *arguments = sinks->state->stream->arguments;
    const struct {
        const char *option;
        int port;
        bool *has;
        struct sockaddr_in *to;
    } targets[] = {{"--vmc", 39539, &sinks->has_vmc, &sinks->vmc},
                   {"--vrchat", 9000, &sinks->has_vrchat, &sinks->vrchat},
                   {"--livelink", 54321, &sinks->has_link, &sinks->link}};
    struct sockaddr_in any = {.sin_family = AF_INET};
    bool is_wanted = false;
    for (int k = 0; k < 3; k++) {
        const char *to = cli_value(arguments, targets[k].option, NULL);
        if (!to) continue;
        if (!live_address(arguments, to, targets[k].port, targets[k].to)) return false;
        *targets[k].has = is_wanted = true;
    }
    if (!is_wanted) return true;
    sinks->socket = live_socket(arguments, &any);
    for (int n = 0; n < sinks->state->people->count && sinks->socket >= 0; n++)
        if (!open_rig(sinks, n)) return false;
    return sinks->socket >= 0;
}

/* ---- states
 * -------------------------------------------------------------------------------------- */

/* As ROS's JointState: names and coordinates in the same order, one line a frame and person. */
static bool put_states(live_sinks *sinks, int n, const live_poses *poses)
{
    const live_people *people = sinks->state->people;
    const snw_pose *pose = poses->pose[n];
    const snw_skeleton *skeleton = pose->skeleton;
    snw_pose_values(pose, sinks->person[n].values);
    cli_json json = cli_json_begin_line(stdout);
    cli_json_object(&json, NULL);
    cli_json_integer(&json, "frame", poses->number);
    cli_json_number(&json, "time", poses->time);
    if (people->count > 1) cli_json_string(&json, "person", live_person_name(people->person[n]));
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
    cli_json_numbers(&json, "position", sinks->person[n].values, skeleton->dof_count);
    cli_json_end_object(&json);
    return fflush(stdout) == 0;
}

/* ---- shared memory
 * ------------------------------------------------------------------------------- */

static bool open_shared(live_sinks *sinks, const char *name)
{
    const live_state *state = sinks->state;
    const cli_arguments *arguments = state->stream->arguments;
    char path[80];
    if (strchr(name, '/') || strlen(name) > 64 || !name[0])
        return cli_misuse(arguments, "--shared %s: a name without slashes", name) == CLI_DONE;
    (void)snw_format(path, sizeof path, "/%s", name);
    int file = shm_open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    void *memory = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof *sinks->shared) == 0)
        memory = mmap(NULL, sizeof *sinks->shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) (void)close(file);
    if (memory == MAP_FAILED)
        return cli_fail(arguments, "shared memory %s: %s", path, strerror(errno)) == CLI_DONE;
    sinks->shared_name = name;
    sinks->shared = memory;
    memset(sinks->shared, 0, sizeof *sinks->shared);
    for (int n = 0; n < state->people->count; n++) {
        const snw_skeleton *skeleton = live_person_skeleton(state->people->person[n]);
        snw_shared_person *person = &sinks->shared->person[n];
        (void)snw_format(person->name, sizeof person->name, "%s",
                         live_person_name(state->people->person[n]));
        person->joint_count =
            skeleton->joint_count < SNW_SHARED_JOINTS ? skeleton->joint_count : SNW_SHARED_JOINTS;
        for (int j = 0; j < person->joint_count; j++) {
            (void)snw_format(person->joint[j].name, SNW_SHARED_NAME, "%s", skeleton->name[j]);
            person->joint[j].parent = skeleton->parent[j];
        }
    }
    sinks->shared->version = SNW_SHARED_VERSION;
    sinks->shared->up = (int32_t)state->stream->up;
    sinks->shared->person_count = state->people->count;
    sinks->shared->magic = SNW_SHARED_MAGIC;
    return true;
}

static void put_shared(live_sinks *sinks, const live_poses *poses)
{
    snw_shared_pose *shared = sinks->shared;
    uint32_t sequence = shared->sequence;
    __atomic_store_n(&shared->sequence, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    shared->frame = poses->number;
    shared->time = poses->time;
    shared->latency = 1e-6 * (cli_microseconds() - poses->received_us);
    for (int n = 0; n < sinks->state->people->count; n++) {
        snw_shared_person *person = &shared->person[n];
        person->is_followed = poses->is_followed[n];
        for (int j = 0; j < person->joint_count; j++) {
            const snw_xform *world = &poses->pose[n]->world[j];
            const float place[3] = {(float)world->translation.x, (float)world->translation.y,
                                    (float)world->translation.z};
            const float turn[4] = {(float)world->rotation.x, (float)world->rotation.y,
                                   (float)world->rotation.z, (float)world->rotation.w};
            memcpy(person->joint[j].place, place, sizeof place);
            memcpy(person->joint[j].rotation, turn, sizeof turn);
        }
    }
    __atomic_store_n(&shared->sequence, sequence + 2, __ATOMIC_RELEASE);
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

live_sinks *live_open_sinks(live_state *state)
{
    const cli_arguments *arguments = state->stream->arguments;
    const char *shared = cli_value(arguments, "--shared", NULL);
    live_sinks *sinks = calloc(1, sizeof *sinks);
    if (sinks) sinks->text = malloc(SINK_TEXT);
    bool is_open = sinks && sinks->text;
    for (int n = 0; n < state->people->count && is_open; n++) {
        const snw_skeleton *skeleton = live_person_skeleton(state->people->person[n]);
        sinks->person[n].values =
            calloc((size_t)skeleton->dof_count + 1, sizeof *sinks->person[n].values);
        is_open = sinks->person[n].values != NULL;
    }
    if (!is_open) {
        (void)cli_fail(arguments, "no memory for outputs");
        if (sinks) live_close_sinks(sinks);
        return NULL;
    }
    sinks->state = state;
    sinks->socket = -1;
    sinks->has_states = cli_flag(arguments, "--states");
    if (open_udp(sinks) && (!shared || open_shared(sinks, shared))) return sinks;
    live_close_sinks(sinks);
    return NULL;
}

bool live_send(live_sinks *sinks, const live_poses *poses)
{
    for (int n = 0; n < sinks->state->people->count; n++) {
        sink_person *person = &sinks->person[n];
        if (person->rig) snw_rig_step(person->rig, poses->pose[n], person->rigged);
        if (sinks->has_vmc) send_vmc(sinks, n, poses->time);
        if (sinks->has_vrchat) send_vrchat(sinks, n);
        if (sinks->has_link) send_link(sinks, n, poses);
    }
    if (sinks->shared) put_shared(sinks, poses);
    for (int n = 0; n < sinks->state->people->count && sinks->has_states; n++)
        if (!put_states(sinks, n, poses))
            return cli_fail(sinks->state->stream->arguments, "standard output: %s",
                            strerror(errno)) == CLI_DONE;
    return true;
}

void live_close_sinks(live_sinks *sinks)
{
    if (sinks->socket > 0) (void)close(sinks->socket);
    if (sinks->shared) {
        char path[80];
        (void)snw_format(path, sizeof path, "/%s", sinks->shared_name);
        (void)munmap(sinks->shared, sizeof *sinks->shared);
        (void)shm_unlink(path);
    }
    for (int n = 0; n < LIVE_PEOPLE_MAX; n++) {
        snw_pose_destroy(sinks->person[n].rigged);
        snw_rig_destroy(sinks->person[n].rig);
        free(sinks->person[n].bones);
        free(sinks->person[n].values);
    }
    free(sinks->text);
    free(sinks);
}
