/* `sinew live`: frames from a stream or a file, the body that they show, its poses to whoever wants
 * them, in the time of one frame. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"
#include "output.h"

typedef struct live_job {
    const cli_arguments *arguments;
    live_source *source;
    snw_actor *actor;
    snw_live_body *body;
    snw_pose *pose;
    live_sinks *sinks;
    double *latency_us; /* (room) from a frame's coming to its poses' leaving */
    int latency_count, room;
    int64_t tracked; /* frames with enough markers */
} live_job;

/* ---- who it is ------------------------------------------------------------------------------- */

/* Frames of the first seconds, from which the body is found; they are lost for the sinks. */
static snw_trial *collect(live_job *job, double seconds)
{
    live_source *source = job->source;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    int frame = 0;
    options.marker_count = source->marker_count;
    options.rate = source->rate;
    options.frame_count = (int)(seconds * source->rate);
    if (options.frame_count < 1) options.frame_count = 1;
    snw_status status = snw_trial_create(&options, NULL, &trial, &error);
    for (int m = 0; m < source->marker_count && status == SNW_OK; m++)
        status = snw_trial_set_marker_name(trial, m, source->names.name[m], &error);
    if (status != SNW_OK) {
        (void)cli_fail(job->arguments, "%s", error.message);
        return NULL;
    }
    trial->up = source->up;
    while (frame < trial->frame_count) {
        live_news news = source->next(source);
        if (news == LIVE_NOTHING) continue;
        if (news != LIVE_FRAME) break;
        for (int m = 0; m < source->marker_count; m++)
            snw_trial_set(trial, frame, m, snw_frame_position(&source->frame, m),
                          (snw_sample_state)source->frame.state[m]);
        frame++;
    }
    if (frame == trial->frame_count) return trial;
    (void)cli_fail(job->arguments, "the stream ended after %d of the %d frames that show who it is",
                   frame, trial->frame_count);
    snw_trial_destroy(trial);
    return NULL;
}

static bool find_actor(live_job *job)
{
    const char *path = cli_value(job->arguments, "--actor", NULL);
    double seconds = 10;
    snw_solution *solution = NULL;
    snw_error error;
    if (!cli_number(job->arguments, "--calibrate", 0.1, 600, &seconds)) return false;
    if (path) return (job->actor = cli_read_actor(job->arguments, path)) != NULL;
    fprintf(stderr, "sinew live: move arms and legs for %g s; then the body is known\n", seconds);
    snw_trial *trial = collect(job, seconds);
    if (!trial) return false;
    snw_status status = snw_solve(trial, NULL, NULL, &solution, &error);
    if (status == SNW_OK && solution->body_count > 0) {
        const snw_solved_body *body = &solution->body[0];
        fprintf(stderr, "sinew live: %d joints, %s%s%s\n", body->joint_count,
                snw_verdict_name(solution->verdict), body->judgements->count > 0 ? ": " : "",
                body->judgements->count > 0 ? body->judgements->item[0].sentence : "");
        if (job->source->up == SNW_UP_UNKNOWN) job->source->up = solution->trial->up;
        status = snw_actor_copy(body->kept, NULL, &job->actor, &error);
    } else if (status == SNW_OK) {
        status = SNW_NOT_FOUND;
        (void)snw_format(error.message, sizeof error.message, "no body was found in these seconds");
    }
    snw_solution_destroy(solution);
    snw_trial_destroy(trial);
    if (status != SNW_OK) (void)cli_fail(job->arguments, "%s", error.message);
    return status == SNW_OK;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Markers of somebody else are no markers of this actor. */
static bool knows_markers(live_job *job)
{
    int found = 0;
    for (int m = 0; m < job->actor->marker_count; m++)
        found += snw_actor_find_marker(job->actor, &job->source->names, m) >= 0;
    if (found >= 3) return true;
    (void)cli_fail(job->arguments,
                   "%d of the actor's %d markers come: it has %s, the stream %s: another person or "
                   "other names",
                   found, job->actor->marker_count,
                   job->actor->marker_count > 0 ? job->actor->marker[0].name : "none",
                   job->source->marker_count > 0 ? job->source->names.name[0] : "none");
    return false;
}

static bool open_body(live_job *job)
{
    snw_live_body_options options = snw_live_body_options_default();
    snw_tracker_options tracker = snw_tracker_options_default();
    snw_error error;
    tracker.rate = job->source->rate;
    options.tracker = &tracker;
    snw_status status =
        snw_live_body_create(job->actor, &job->source->names, &options, NULL, &job->body, &error);
    if (status == SNW_OK) status = snw_pose_create(job->actor->skeleton, NULL, &job->pose, &error);
    if (status != SNW_OK) (void)cli_fail(job->arguments, "%s", error.message);
    return status == SNW_OK;
}

static void note_latency(live_job *job, double microseconds)
{
    if (job->latency_count == job->room) {
        int room = job->room ? 2 * job->room : 4096;
        double *more = realloc(job->latency_us, (size_t)room * sizeof *more);
        if (!more) return; /* the first frames stand for the others */
        job->latency_us = more;
        job->room = room;
    }
    job->latency_us[job->latency_count++] = microseconds;
}

static int follow(live_job *job)
{
    live_source *source = job->source;
    for (;;) {
        live_news news = source->next(source);
        if (news == LIVE_NOTHING) continue;
        if (news != LIVE_FRAME) return news == LIVE_FAILED ? CLI_FAILED : CLI_DONE;
        snw_track track = snw_live_body_step(job->body, &source->frame, job->pose);
        job->tracked += !track.is_lost;
        if (!live_send(job->sinks, source, job->pose)) return CLI_FAILED;
        note_latency(job, cli_microseconds() - source->received_us);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

static void print_end(live_job *job)
{
    const live_counts *counts = &job->source->counts;
    bool has_states = cli_flag(job->arguments, "--states");
    FILE *out = has_states ? stderr : stdout;
    double median = cli_median(job->latency_us, job->latency_count);
    double late = cli_quantile(job->latency_us, job->latency_count, 0.99);
    if (cli_flag(job->arguments, "--json") && !has_states) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object(&json, NULL);
        cli_json_string(&json, "verdict",
                        job->tracked == job->latency_count       ? "green"
                        : 2 * job->tracked >= job->latency_count ? "amber"
                                                                 : "red");
        cli_json_integer(&json, "frames", job->latency_count);
        cli_json_integer(&json, "followed", job->tracked);
        cli_json_integer(&json, "lost", counts->lost);
        cli_json_integer(&json, "late", counts->late);
        cli_json_integer(&json, "refused", counts->refused);
        cli_json_integer(&json, "renamed", counts->changed);
        cli_json_number(&json, "rate", job->source->rate);
        cli_json_number(&json, "latency_median_us", median);
        cli_json_number(&json, "latency_p99_us", late);
        cli_json_end_object(&json);
        return;
    }
    if (job->tracked < job->latency_count)
        fprintf(out, "%s: %lld frames showed too little: the body stood still in them\n",
                2 * job->tracked < job->latency_count ? "red" : "amber",
                (long long)(job->latency_count - job->tracked));
    fprintf(out, "%d frames at %.6g Hz, the body followed in %lld of them\n", job->latency_count,
            job->source->rate, (long long)job->tracked);
    fprintf(out,
            "from a frame's coming to its pose's leaving: %.0f us (median), 99 of 100 at most "
            "%.0f us\n",
            median, late);
    if (counts->lost || counts->late || counts->refused || counts->changed)
        fprintf(out,
                "%lld frames were lost on the way, %lld came too late, %lld packets were not "
                "understood, names changed %lld times\n",
                (long long)counts->lost, (long long)counts->late, (long long)counts->refused,
                (long long)counts->changed);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_job(live_job *job)
{
    static const char *const outputs[] = {"--record", "--save-actor", NULL};
    int status = cli_check_output_options(job->arguments, outputs);
    if (status != CLI_DONE) return status;
    const char *kept = cli_value(job->arguments, "--save-actor", NULL);
    if (!find_actor(job) || !knows_markers(job) || !open_body(job)) return CLI_FAILED;
    if (kept && (status = cli_write_actor(job->arguments, kept, job->actor)) != CLI_DONE)
        return status;
    job->sinks = live_open_sinks(job->arguments, job->source, job->actor->skeleton);
    if (!job->sinks) return CLI_FAILED;
    memset(&job->source->counts, 0, sizeof job->source->counts);
    status = follow(job);
    int end = live_close_sinks(job->sinks);
    if (status == CLI_DONE) status = end;
    if (status == CLI_DONE) print_end(job);
    return status;
}

static int run_live(const cli_arguments *arguments)
{
    const char *replay = cli_value(arguments, "--replay", NULL);
    const char *natnet = cli_value(arguments, "--natnet", NULL);
    const char *simulated = cli_value(arguments, "--simulate", NULL);
    live_job job = {.arguments = arguments};
    double speed = 1;
    live_watch_signals();
    if (!!replay + !!natnet + !!simulated != 1)
        return cli_misuse(arguments, "one source is needed: --natnet, --replay, or --simulate");
    if (simulated && arguments->operand_count != 1)
        return cli_misuse(arguments, "--simulate needs the capture to send");
    if (!simulated && arguments->operand_count != 0)
        return cli_misuse(arguments, "%s: captures are read by --replay", arguments->operand[0]);
    if (simulated) return live_simulate(arguments, simulated, arguments->operand[0]);
    if (!cli_number(arguments, "--speed", 0, 1000, &speed)) return CLI_USAGE;
    job.source =
        replay ? live_open_replay(arguments, replay, speed) : live_open_natnet(arguments, natnet);
    if (!job.source) return CLI_FAILED;
    bool is_up = !cli_flag(arguments, "--up") || cli_parse_up(arguments, "--up", &job.source->up);
    int status = is_up ? run_job(&job) : CLI_USAGE;
    snw_pose_destroy(job.pose);
    snw_live_body_destroy(job.body);
    snw_actor_destroy(job.actor);
    job.source->close(job.source);
    free(job.latency_us);
    return status;
}

static const cli_option live_options[] = {
    {"--natnet", NULL, "HOST[:PORT]", "follow a NatNet server (Motive; 3.0 to 4.1, unicast)"},
    {"--replay", NULL, "FILE", "follow a stored capture as if it came now"},
    {"--simulate", NULL, "PROTOCOL", "send a capture as a server does: natnet"},
    {"--speed", NULL, "X", "of a replay or simulation (default: 1; replay 0: without waiting)"},
    {"--once", NULL, NULL, "simulate: end with the capture, do not begin again"},
    {"--listen", NULL, "HOST[:PORT]", "simulate: where clients ask (default: 127.0.0.1:1510)"},
    {"--wait", NULL, "SECONDS", "for a server's answer (default: 5)"},
    {"--actor", NULL, "FILE", "who it is (solve --save-actor); else the first seconds tell"},
    {"--calibrate", NULL, "SECONDS", "that tell who it is, without --actor (default: 10)"},
    {"--save-actor", NULL, "FILE", "keep who it is for the next time"},
    CLI_UP_OPTION,
    {"--vmc", NULL, "HOST[:PORT]", "send bones by VMC (VSeeFace, Unity, Blender; port 39539)"},
    {"--states", NULL, NULL, "joint states to standard output, a line of JSON for each frame"},
    {"--record", NULL, "FILE", "keep the markers that came (C3D, TRC, CSV)"},
    CLI_FORCE_OPTION,
    {NULL, NULL, NULL, NULL},
};

const cli_command cli_live_command = {
    "live",
    "follow a stream of markers, send the moving body on",
    "[CAPTURE]",
    "Frames come from a NatNet server or a stored capture; every frame's pose leaves as VMC bones "
    "or\n"
    "joint states before the next one comes. Sockets of this machine are heard on loopback alone.\n"
    "docs/live.md explains the programs at both ends. Ctrl-C ends it in order.\n\n"
    "examples:\n"
    "  sinew live --replay walk.c3d --calibrate 3 --vmc 127.0.0.1\n"
    "  sinew live --simulate natnet walk.c3d\n"
    "  sinew live --natnet 127.0.0.1 --actor joe.actor --vmc 127.0.0.1:39539\n"
    "  sinew live --replay walk.c3d --calibrate 3 --speed 0 --states",
    live_options,
    0,
    1,
    run_live,
};
