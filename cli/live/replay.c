/* A stored capture as a source: each frame when its time has come. */
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "input.h"
#include "live/live.h"

typedef struct replay {
    live_source source; /* the first member: one is the other */
    snw_trial *trial;
    int frame;
    double speed, begun_us;
} replay;

static void sleep_until(double microseconds)
{
    double left = microseconds - cli_microseconds();
    while (left > 0 && !live_is_stopped()) {
        double part = left < 2e5 ? left : 2e5; /* signals are looked for now and then */
        const struct timespec time = {0, (long)(part * 1e3)};
        (void)nanosleep(&time, NULL);
        left = microseconds - cli_microseconds();
    }
}

static live_news replay_next(live_source *source)
{
    replay *r = (replay *)source;
    if (live_is_stopped() || r->frame == r->trial->frame_count) return LIVE_END;
    if (r->frame == 0) r->begun_us = cli_microseconds();
    if (r->speed > 0) {
        double due = r->begun_us + 1e6 * r->frame / (r->trial->rate * r->speed);
        sleep_until(due);
        if (cli_microseconds() - due > 1e6 / (r->trial->rate * r->speed)) source->counts.late++;
    }
    source->frame = snw_trial_frame(r->trial, r->frame++);
    source->received_us = cli_microseconds();
    source->counts.frames++;
    return LIVE_FRAME;
}

static void replay_close(live_source *source)
{
    replay *r = (replay *)source;
    snw_trial_destroy(r->trial);
    free((void *)source->names.name);
    free(r);
}

live_source *live_open_replay(const cli_arguments *arguments, const char *path, double speed)
{
    snw_trial *trial = cli_read_capture(arguments, path, NULL);
    if (!trial) return NULL;
    replay *r = calloc(1, sizeof *r);
    const char **names = calloc((size_t)trial->marker_count + 1, sizeof *names);
    if (!r || !names || trial->frame_count == 0 || trial->marker_count == 0) {
        (void)cli_fail(arguments, r && names ? "%s has no frames with markers" : "%s: no memory",
                       path);
        free(r);
        free(names);
        snw_trial_destroy(trial);
        return NULL;
    }
    for (int m = 0; m < trial->marker_count; m++)
        names[m] = trial->marker[m].name;
    *r = (replay){.trial = trial, .speed = speed};
    r->source = (live_source){.rate = trial->rate,
                              .marker_count = trial->marker_count,
                              .names = {names, trial->marker_count},
                              .up = trial->up,
                              .next = replay_next,
                              .close = replay_close};
    return &r->source;
}
