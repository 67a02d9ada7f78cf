/* `sinew live`: frames from streams or files, the bodies that they show, their poses to whoever
 * wants them, in the time of one frame. This thread solves; stream.c reads, the sender below sends.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"
#include "output.h"

enum {
    LIVE_SEND_QUEUE = 64 /* poses that wait; a power of two */
};

typedef struct live_job {
    const cli_arguments *arguments;
    live_stream *stream;
    live_people *people;
    live_recorder *recorder;
    live_server *server;
    live_sinks *sinks;
    live_state state;
    live_queue queue;  /* from the solver to the sender */
    live_poses *poses; /* (LIVE_SEND_QUEUE) */
    pthread_t sender;
    bool is_sending;
    atomic_bool has_failed;
    int64_t solved;
} live_job;

/* ---- poses
 * --------------------------------------------------------------------------------------- */

bool live_poses_make(live_poses *poses, const live_people *people)
{
    size_t points = (size_t)people->stream->point_count;
    poses->marker = calloc(3 * points + 1, sizeof *poses->marker);
    bool is_made = poses->marker != NULL;
    for (int n = 0; n < people->count && is_made; n++)
        is_made = snw_pose_create(live_person_skeleton(people->person[n]), NULL, &poses->pose[n],
                                  NULL) == SNW_OK;
    return is_made;
}

void live_poses_free(live_poses *poses)
{
    for (int n = 0; n < LIVE_PEOPLE_MAX; n++)
        snw_pose_destroy(poses->pose[n]);
    free(poses->marker);
    *poses = (live_poses){0};
}

void live_poses_copy(live_poses *to, const live_poses *from, const live_people *people)
{
    size_t points = (size_t)people->stream->point_count;
    to->number = from->number;
    to->time = from->time;
    to->received_us = from->received_us;
    to->solved_us = from->solved_us;
    for (int n = 0; n < people->count; n++) {
        snw_pose_copy(to->pose[n], from->pose[n]);
        to->is_followed[n] = from->is_followed[n];
    }
    memcpy(to->marker, from->marker, 3 * points * sizeof *to->marker);
}

static void copy_markers(const live_stream *stream, const live_frame *frame, float *marker)
{
    for (int m = 0; m < stream->point_count; m++) {
        bool is_seen = frame->state[m] != SNW_SAMPLE_MISSING;
        marker[3 * m] = is_seen ? frame->sample[m].x : NAN;
        marker[3 * m + 1] = frame->sample[m].y;
        marker[3 * m + 2] = frame->sample[m].z;
    }
}

/* ---- threads
 * ------------------------------------------------------------------------------------- */

static void *send_poses(void *context)
{
    live_job *job = context;
    for (;;) {
        int place = live_queue_take(&job->queue, LIVE_WAIT_MS);
        if (place == -2) break;
        if (place < 0) continue;
        const live_poses *poses = &job->poses[place];
        if (!atomic_load(&job->has_failed) && !live_send(job->sinks, poses)) {
            atomic_store(&job->has_failed, true);
            live_stop();
        }
        live_times_add(&job->state.latency, cli_microseconds() - poses->received_us);
        atomic_fetch_add(&job->state.sent_frames, 1);
        if (job->server) live_server_show(job->server, poses);
        live_queue_taken(&job->queue);
    }
    return NULL;
}

/* Poses of one frame. Where the sender is behind, a file waits; cameras do not: what could not be
 * sent is counted, the tracker still sees every frame. */
static void solve_frame(live_job *job, const live_frame *frame, live_poses *spare)
{
    int place = live_queue_place(&job->queue);
    if (place < 0 && job->stream->is_patient) place = live_queue_wait_place(&job->queue);
    live_poses *poses = place >= 0 ? &job->poses[place] : spare;
    live_people_step(job->people, frame, poses->pose, poses->is_followed);
    job->solved++;
    if (place < 0) {
        atomic_fetch_add(&job->state.unsent, 1);
        return;
    }
    poses->number = frame->number;
    poses->time = frame->time;
    poses->received_us = frame->received_us;
    poses->solved_us = cli_microseconds();
    copy_markers(job->stream, frame, poses->marker);
    live_queue_put(&job->queue);
}

static void follow(live_job *job)
{
    live_poses spare = {0};
    if (!live_poses_make(&spare, job->people)) {
        (void)cli_fail(job->arguments, "no memory for poses");
        atomic_store(&job->has_failed, true);
    }
    while (!atomic_load(&job->has_failed)) {
        int place = live_queue_take(&job->stream->frames, LIVE_WAIT_MS);
        if (place == -2) break;
        if (place < 0) {
            if (live_is_stopped()) break;
            continue;
        }
        solve_frame(job, &job->stream->frame[place], &spare);
        live_queue_taken(&job->stream->frames);
    }
    live_poses_free(&spare);
}

/* ---- words
 * --------------------------------------------------------------------------------------- */

static int64_t followed_by_all(const live_job *job)
{
    int64_t least = job->solved;
    for (int n = 0; n < job->people->count; n++)
        if (job->people->followed[n] < least) least = job->people->followed[n];
    return least;
}

static void print_json(live_job *job)
{
    int64_t followed = followed_by_all(job);
    const live_times *latency = &job->state.latency;
    cli_json json = cli_json_begin(stdout);
    cli_json_object(&json, NULL);
    cli_json_string(&json, "verdict",
                    followed == job->solved       ? "green"
                    : 2 * followed >= job->solved ? "amber"
                                                  : "red");
    cli_json_integer(&json, "frames", job->solved);
    cli_json_integer(&json, "followed", followed);
    cli_json_integer(&json, "skipped", atomic_load(&job->stream->skipped));
    cli_json_integer(&json, "unsent", atomic_load(&job->state.unsent));
    cli_json_number(&json, "rate", job->stream->rate);
    cli_json_number(&json, "latency_median_us", live_times_quantile(latency, 0.5));
    cli_json_number(&json, "latency_p99_us", live_times_quantile(latency, 0.99));
    cli_json_array(&json, "people");
    for (int n = 0; n < job->people->count; n++) {
        cli_json_object(&json, NULL);
        cli_json_string(&json, "name", live_person_name(job->people->person[n]));
        cli_json_integer(&json, "followed", job->people->followed[n]);
        cli_json_integer(&json, "found", job->people->found[n]);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_array(&json, "sources");
    for (int s = 0; s < job->stream->source_count; s++) {
        live_clock clock = live_stream_clock(job->stream, s);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "protocol", job->stream->source[s]->protocol);
        cli_json_integer(&json, "frames", clock.frames);
        cli_json_integer(&json, "lost", clock.lost);
        cli_json_integer(&json, "late", clock.late);
        cli_json_integer(&json, "restarts", clock.restarts);
        cli_json_integer(&json, "renamed", clock.renamed);
        cli_json_integer(&json, "refused", job->stream->source[s]->refused);
        cli_json_number(&json, "rate", clock.rate);
        cli_json_number(&json, "jitter_us", clock.jitter_us);
        cli_json_number(&json, "drift_ppm", clock.drift);
        cli_json_end_object(&json);
    }
    cli_json_end_array(&json);
    cli_json_end_object(&json);
}

static void print_sources(const live_job *job, FILE *out)
{
    for (int s = 0; s < job->stream->source_count; s++) {
        const live_source *source = job->stream->source[s];
        live_clock clock = live_stream_clock(job->stream, s);
        if (source->is_patient) continue;
        fprintf(out, "%s: %lld frames at %.4g Hz, 95 of 100 within %.1f ms of their time",
                source->protocol, (long long)clock.frames, clock.rate, clock.jitter_us / 1000);
        if (isfinite(clock.drift)) fprintf(out, ", its clock drifts by %.0f ppm", clock.drift);
        fprintf(out, "\n");
        if (clock.lost || clock.late || clock.restarts || clock.renamed || source->refused)
            fprintf(out,
                    "%s: %lld frames were lost on the way, %lld came too late, %lld packets were "
                    "not understood, it began again %lld times, names changed %lld times\n",
                    source->protocol, (long long)clock.lost, (long long)clock.late,
                    (long long)source->refused, (long long)clock.restarts,
                    (long long)clock.renamed);
    }
}

static void print_end(live_job *job)
{
    bool has_states = cli_flag(job->arguments, "--states");
    FILE *out = has_states ? stderr : stdout;
    int64_t followed = followed_by_all(job), skipped = atomic_load(&job->stream->skipped);
    if (cli_flag(job->arguments, "--json") && !has_states) {
        print_json(job);
        return;
    }
    if (followed < job->solved)
        fprintf(out, "%s: %lld frames showed too little: the body stood still in them\n",
                2 * followed < job->solved ? "red" : "amber", (long long)(job->solved - followed));
    fprintf(out, "%lld frames at %.6g Hz, the body followed in %lld of them\n",
            (long long)job->solved, job->stream->rate, (long long)followed);
    fprintf(out,
            "from a frame's coming to its pose's leaving: %.0f us (median), 99 of 100 at most "
            "%.0f us\n",
            live_times_quantile(&job->state.latency, 0.5),
            live_times_quantile(&job->state.latency, 0.99));
    print_sources(job, out);
    if (skipped || atomic_load(&job->state.unsent))
        fprintf(out, "%lld frames were too many to solve, %lld poses too many to send\n",
                (long long)skipped, (long long)atomic_load(&job->state.unsent));
}

/* ---- the command
 * --------------------------------------------------------------------------------- */

static void say(void *context, const char *sentence)
{
    live_job *job = context;
    fprintf(stderr, "sinew live: %s\n", sentence);
    if (job->server) live_server_say(job->server, sentence);
}

static bool open_sender(live_job *job)
{
    job->state.stream = job->stream;
    job->state.people = job->people;
    job->poses = calloc(LIVE_SEND_QUEUE, sizeof *job->poses);
    bool is_made = job->poses && live_queue_open(&job->queue, LIVE_SEND_QUEUE);
    for (int n = 0; n < LIVE_SEND_QUEUE && is_made; n++)
        is_made = live_poses_make(&job->poses[n], job->people);
    if (!is_made) return cli_fail(job->arguments, "no memory for poses") == CLI_DONE;
    if (!(job->sinks = live_open_sinks(&job->state))) return false;
    if (job->server && !live_server_start(job->server, &job->state)) return false;
    job->is_sending = pthread_create(&job->sender, NULL, send_poses, job) == 0;
    return job->is_sending || cli_fail(job->arguments, "no thread for the sender") == CLI_DONE;
}

static int run_job(live_job *job)
{
    const char *record = cli_value(job->arguments, "--record", NULL);
    int status = CLI_DONE;
    if (record) {
        job->recorder = live_recorder_open(job->stream, record);
        if (!job->recorder) return CLI_FAILED;
        job->stream->recorder = job->recorder;
    }
    bool has_page = cli_flag(job->arguments, "--page") || cli_flag(job->arguments, "--listen");
    if (has_page && !(job->server = live_server_open(job->arguments))) return CLI_FAILED;
    if (!live_stream_start(job->stream)) return CLI_FAILED;
    /* Calibration is shown in the page; an actor that cannot be read is told alone. */
    bool is_known = cli_flag(job->arguments, "--actor");
    if (!is_known) live_server_announce(job->server);
    job->people = live_people_open(job->stream, say, job);
    if (!job->people || !open_sender(job)) return CLI_FAILED;
    if (is_known) live_server_announce(job->server);
    follow(job);
    if (atomic_load(&job->has_failed)) status = CLI_FAILED;
    return status;
}

/* In the order in which they feed each other. */
static int close_job(live_job *job, int status)
{
    if (job->is_sending) {
        live_queue_close(&job->queue);
        (void)pthread_join(job->sender, NULL);
    }
    live_stop();
    live_server_close(job->server);
    if (job->sinks) live_close_sinks(job->sinks);
    live_stream_join(job->stream);
    if (job->recorder) {
        int end = live_recorder_close(job->recorder);
        if (status == CLI_DONE) status = end;
    }
    if (status == CLI_DONE && job->people) print_end(job);
    for (int n = 0; n < LIVE_SEND_QUEUE && job->poses; n++)
        live_poses_free(&job->poses[n]);
    free(job->poses);
    live_queue_destroy(&job->queue);
    live_people_close(job->people);
    live_stream_close(job->stream);
    return status;
}

static int run_live(const cli_arguments *arguments)
{
    static const char *const outputs[] = {"--record", "--save-actor", NULL};
    const char *simulated = cli_value(arguments, "--simulate", NULL);
    live_watch_signals();
    if (simulated && arguments->operand_count != 1)
        return cli_misuse(arguments, "--simulate needs the capture to send");
    if (!simulated && arguments->operand_count != 0)
        return cli_misuse(arguments, "%s: captures are read by --replay", arguments->operand[0]);
    if (cli_flag(arguments, "--cameras") && !cli_flag(arguments, "--stdin") &&
        !cli_flag(arguments, "--ws"))
        return cli_misuse(arguments, "--cameras goes with --stdin or --ws, whose JSON has views");
    if (simulated) return live_simulate(arguments, simulated, arguments->operand[0]);
    int status = cli_check_output_options(arguments, outputs);
    if (status != CLI_DONE) return status;
    live_job *job = calloc(1, sizeof *job);
    if (!job) return cli_fail(arguments, "no memory to begin");
    job->arguments = arguments;
    job->stream = live_stream_open(arguments);
    status = job->stream ? close_job(job, run_job(job)) : CLI_FAILED;
    free(job);
    return status;
}

static const cli_option live_options[] = {
    {"--natnet", NULL, "HOST[:PORT]", "follow a NatNet server (Motive; 3.0 to 4.1)"},
    {"--multicast", NULL, "GROUP[:PORT]", "NatNet's frames come to a group (239.255.42.99)"},
    {"--qtm", NULL, "HOST[:PORT]", "follow Qualisys Track Manager (RT, port 22223)"},
    {"--vrpn", NULL, "HOST[:PORT]", "follow trackers of a VRPN server (port 3883)"},
    {"--vmc-in", NULL, "[HOST]:PORT", "follow trackers that are sent here by VMC (port 39540)"},
    {"--ws", NULL, "HOST:PORT[/PATH]", "follow JSON or bytes of a WebSocket server"},
    {"--stdin", NULL, NULL, "follow JSON lines on standard input"},
    {"--cameras", NULL, "FILE", "calibration: JSON holds 2-D points of these cameras (views)"},
    CLI_INPUT_UNIT_OPTION,
    {"--replay", NULL, "FILE", "follow a stored capture as if it came now"},
    {"--trackers", NULL, NULL, "replay: its trackers (rotations), not its markers"},
    {"--simulate", NULL, "PROTOCOL", "send a capture: natnet, qtm, vrpn, vmc, ws"},
    {"--speed", NULL, "X", "of a replay or simulation (default: 1; replay 0: without waiting)"},
    {"--once", NULL, NULL, "simulate: end with the capture, do not begin again"},
    {"--loose", NULL, NULL, "simulate, replay: markers without names, in any order"},
    {"--binary", NULL, NULL, "simulate ws: bytes instead of JSON"},
    {"--wait", NULL, "SECONDS", "for a server's first frames (default: 5)"},
    {"--actor", NULL, "FILE", "who it is (solve --save-actor); again for the next person"},
    {"--calibrate", NULL, "SECONDS", "that tell who it is, without --actor (default: 10)"},
    {"--save-actor", NULL, "FILE", "keep who it is for the next time"},
    {"--hand", NULL, "SIDE", "a hand with eight markers or more: left, right"},
    {"--style", NULL, "FILE", "how segments that nothing shows move (learn)"},
    {"--predict", NULL, NULL, "hidden markers are predicted before the body looks"},
    {"--smooth", NULL, "HZ", "less shaking; the lag that it costs is told"},
    CLI_UP_OPTION,
    {"--page", NULL, NULL, "show it in browsers on this computer; the address is printed"},
    {"--listen", NULL, "HOST[:PORT]", "the page for other computers; simulate: where clients ask"},
    {"--origin", NULL, "URL", "a page of another server that may look on as well"},
    {"--vmc", NULL, "HOST[:PORT]", "send bones by VMC (VSeeFace, Unity, Blender; port 39539)"},
    {"--vrchat", NULL, "HOST[:PORT]", "send trackers to VRChat (port 9000)"},
    {"--livelink", NULL, "HOST[:PORT]", "send bones as JSON in Unreal's axes (port 54321)"},
    {"--shared", NULL, "NAME", "shared memory for engines (sinew/shared_pose.h)"},
    {"--states", NULL, NULL, "joint states to standard output, a line of JSON for each frame"},
    {"--record", NULL, "FILE", "keep the markers that came (C3D, TRC, CSV)"},
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_live_command = {
    "live",
    "follow a stream of markers, send the moving body on",
    "[CAPTURE]",
    "Frames come from cameras, trackers or a stored capture; every frame's pose leaves before the\n"
    "next one comes. Several sources are followed together, the first one sets the pace. Sockets\n"
    "of this machine are heard on loopback alone unless --listen says otherwise.\n"
    "docs/live.md explains the programs at both ends. Ctrl-C ends it in order.\n\n"
    "examples:\n"
    "  sinew live --replay walk.c3d --calibrate 3 --vmc 127.0.0.1\n"
    "  sinew live --simulate natnet walk.c3d\n"
    "  sinew live --natnet 127.0.0.1 --actor joe.actor --vmc 127.0.0.1:39539 --page\n"
    "  sinew live --qtm 127.0.0.1 --calibrate 10 --save-actor joe.actor --record take.c3d\n"
    "  sinew live --replay walk.c3d --calibrate 3 --speed 0 --states\n"
    "  detector | sinew live --stdin --cameras Calib.toml --page    pixels of several cameras",
    live_options,
    0,
    1,
    run_live,
};
