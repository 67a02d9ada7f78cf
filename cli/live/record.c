/* Every frame as it came, into a C3D file that is whole after every write: frames are put behind
 * those that are there, then the numbers that say how many there are change in place. Whatever ends
 * the program, what was written a quarter of a second before can be read. Other formats are made of
 * that file at the end; until then it lies beside them.
 *
 * The head is written by the library; of its parameters (C3D user guide, "The Parameter Section")
 * three are found again here:
 *
 *   header    word 5: last frame, at most 65535
 *   POINT:FRAMES u16, POINT:LONG_FRAMES f32, TRIAL:ACTUAL_END_FIELD u16 x 2
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "live/live.h"
#include "output.h"

#define RECORD_FLUSH_US 2.5e5

enum {
    RECORD_BLOCK = 512,
    RECORD_BUFFER = 1 << 20,
    RECORD_QUEUE = 4096 /* frames; a power of two */
};

struct live_recorder {
    live_stream *stream;
    const char *path;
    char *file; /* where it is written; path, or beside it */
    bool is_beside;
    int descriptor, wrong;                  /* errno of the first write that failed */
    off_t data, frames_at, long_at, end_at; /* bytes of the file; 0: not there */
    int64_t frames;
    uint8_t *buffer;
    size_t buffered;
    double flushed_us;
    live_queue queue;
    live_frame *frame; /* (queue.room) */
    pthread_t thread;
    bool is_running;
};

/* ---- the head
 * ------------------------------------------------------------------------------------
 */

static snw_status add_numbers(snw_trial *trial, const char *group, snw_parameter parameter,
                              const char *name, snw_error *error)
{
    char own[32], nothing[1] = "";
    (void)snw_format(own, sizeof own, "%s", name);
    parameter.name = own;
    parameter.description = nothing;
    return snw_trial_set_parameter(trial, group, &parameter, error);
}

static snw_status add_counts(snw_trial *trial, snw_error *error)
{
    float frames = 1;
    int16_t field[2] = {1, 0};
    const snw_parameter wide = {
        .type = SNW_PARAMETER_FLOAT, .byte_count = sizeof frames, .data = &frames};
    const snw_parameter end = {.type = SNW_PARAMETER_INT16,
                               .dimension_count = 1,
                               .dimension = {2},
                               .byte_count = sizeof field,
                               .data = field};
    snw_status status = add_numbers(trial, "POINT", wide, "LONG_FRAMES", error);
    if (status == SNW_OK) status = add_numbers(trial, "TRIAL", end, "ACTUAL_START_FIELD", error);
    return status == SNW_OK ? add_numbers(trial, "TRIAL", end, "ACTUAL_END_FIELD", error) : status;
}

/* A capture of one frame, with the stream's names; loose markers are "*1", "*2", ... */
static snw_status write_head(live_recorder *r, bool is_forced, snw_error *error)
{
    const live_stream *stream = r->stream;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    options.marker_count = stream->point_count;
    options.frame_count = 1;
    options.rate = stream->rate;
    snw_status status = snw_trial_create(&options, NULL, &trial, error);
    for (int m = 0; m < stream->point_count && status == SNW_OK; m++) {
        char name[32];
        (void)snw_format(name, sizeof name, "*%d", m - stream->marker_count + 1);
        status = snw_trial_set_marker_name(
            trial, m, m < stream->marker_count ? stream->names.name[m] : name, error);
    }
    if (status == SNW_OK) status = add_counts(trial, error);
    if (status == SNW_OK) {
        trial->up = stream->up;
        status = snw_write_trial_file(r->file, is_forced, trial, NULL, error);
    }
    snw_trial_destroy(trial);
    return status;
}

static int get_i16(const uint8_t *bytes)
{
    return (int16_t)(bytes[0] | bytes[1] << 8);
}

/* The place of a parameter's numbers in the file, by the names of its group and itself; 0. */
static off_t find_numbers(const uint8_t *bytes, size_t size, const char *group, const char *name)
{
    int id = 0;
    size_t end = RECORD_BLOCK + (size_t)bytes[RECORD_BLOCK + 2] * RECORD_BLOCK;
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = RECORD_BLOCK + 4; at + 2 < end && end <= size;) {
            int length = abs((int8_t)bytes[at]), number = (int8_t)bytes[at + 1];
            if (length == 0 || at + 2 + (size_t)length + 2 > end) break;
            const char *word = pass == 0 ? group : name;
            bool is_it =
                strlen(word) == (size_t)length && memcmp(bytes + at + 2, word, (size_t)length) == 0;
            size_t next = at + 2 + (size_t)length;
            if (pass == 0 && number < 0 && is_it) id = -number;
            if (pass == 1 && number == id && is_it) return (off_t)(next + 2 + 2 + bytes[next + 3]);
            int step = get_i16(bytes + next);
            if (step <= 0) break;
            at = next + (size_t)step;
        }
    return 0;
}

static bool find_places(live_recorder *r)
{
    size_t size = 0;
    uint8_t *bytes = (uint8_t *)cli_read_whole(r->file, &size);
    if (bytes && size > RECORD_BLOCK + 4) {
        r->data = (off_t)(get_i16(bytes + 16) - 1) * RECORD_BLOCK;
        r->frames_at = find_numbers(bytes, size, "POINT", "FRAMES");
        r->long_at = find_numbers(bytes, size, "POINT", "LONG_FRAMES");
        r->end_at = find_numbers(bytes, size, "TRIAL", "ACTUAL_END_FIELD");
    }
    free(bytes);
    return r->data > 0 && r->frames_at > 0 && r->long_at > 0 && r->end_at > 0;
}

/* ---- frames
 * --------------------------------------------------------------------------------------
 */

static void write_at(live_recorder *r, off_t at, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0 && !r->wrong) {
        ssize_t done = pwrite(r->descriptor, from, size, at);
        if (done < 0 && errno != EINTR) r->wrong = errno;
        if (done <= 0) continue;
        from += done;
        at += done;
        size -= (size_t)done;
    }
}

static void write_counts(live_recorder *r)
{
    uint32_t few = r->frames < 65535 ? (uint32_t)r->frames : 65535, many = (uint32_t)r->frames;
    const uint8_t word[2] = {(uint8_t)few, (uint8_t)(few >> 8)};
    const uint8_t field[4] = {(uint8_t)many, (uint8_t)(many >> 8), (uint8_t)(many >> 16),
                              (uint8_t)(many >> 24)};
    float number = (float)r->frames;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint8_t wide[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16),
                             (uint8_t)(bits >> 24)};
    write_at(r, r->end_at, field, sizeof field);
    write_at(r, r->long_at, wide, sizeof wide);
    write_at(r, r->frames_at, word, sizeof word);
    write_at(r, 8, word, sizeof word);
}

static size_t frame_size(const live_recorder *r)
{
    return (size_t)r->stream->point_count * 16;
}

/* What waits, with zeros to the end of the block, which the next ones write over. */
static void flush_frames(live_recorder *r)
{
    static const uint8_t zeros[RECORD_BLOCK];
    size_t size = frame_size(r);
    r->flushed_us = cli_microseconds();
    if (r->buffered == 0 || r->wrong) return;
    off_t at = r->data + (off_t)((uint64_t)r->frames * size);
    write_at(r, at, r->buffer, r->buffered);
    size_t over = (size_t)(at + (off_t)r->buffered) % RECORD_BLOCK;
    if (over) write_at(r, at + (off_t)r->buffered, zeros, RECORD_BLOCK - over);
    r->frames += (int64_t)(r->buffered / size);
    r->buffered = 0;
    write_counts(r);
}

static void put_floats(uint8_t *to, const float *number)
{
    for (int n = 0; n < 4; n++) {
        uint32_t bits;
        memcpy(&bits, &number[n], sizeof bits);
        for (int k = 0; k < 4; k++)
            to[4 * n + k] = (uint8_t)(bits >> 8 * k);
    }
}

static void add_frame(live_recorder *r, const live_frame *frame)
{
    if (r->buffered + frame_size(r) > RECORD_BUFFER) flush_frames(r);
    for (int m = 0; m < r->stream->point_count; m++) {
        const snw_sample *s = &frame->sample[m];
        bool is_seen = frame->state[m] != SNW_SAMPLE_MISSING;
        const float number[4] = {is_seen ? 1000 * s->x : 0, is_seen ? 1000 * s->y : 0,
                                 is_seen ? 1000 * s->z : 0, is_seen ? 0 : -1};
        put_floats(r->buffer + r->buffered, number);
        r->buffered += 16;
    }
}

static void *record_frames(void *context)
{
    live_recorder *r = context;
    for (;;) {
        int place = live_queue_take(&r->queue, LIVE_WAIT_MS);
        if (place >= 0) {
            add_frame(r, &r->frame[place]);
            live_queue_taken(&r->queue);
        }
        if (cli_microseconds() - r->flushed_us > RECORD_FLUSH_US) flush_frames(r);
        if (place == -2) break;
    }
    flush_frames(r);
    return NULL;
}

void live_record(live_recorder *r, const live_frame *frame)
{
    int place = live_queue_place(&r->queue);
    /* A signal ends the waiting, not the file: what is in the queue is written. */
    while (place < 0 && !live_is_stopped()) {
        live_sleep_until(cli_microseconds() + 500);
        place = live_queue_place(&r->queue);
    }
    if (place < 0) return;
    size_t points = (size_t)r->stream->point_count;
    memcpy(r->frame[place].sample, frame->sample, points * sizeof *frame->sample);
    memcpy(r->frame[place].state, frame->state, points);
    live_queue_put(&r->queue);
}

/* ---- opening and closing
 * -------------------------------------------------------------------------
 */

static bool make_memory(live_recorder *r)
{
    size_t points = (size_t)r->stream->point_count;
    unsigned room = r->stream->is_patient ? LIVE_QUEUE_PATIENT : RECORD_QUEUE;
    r->buffer = malloc(frame_size(r) > RECORD_BUFFER ? frame_size(r) : RECORD_BUFFER);
    r->frame = calloc(room, sizeof *r->frame);
    if (!r->buffer || !r->frame || !live_queue_open(&r->queue, room)) return false;
    for (unsigned n = 0; n < room; n++)
        if (!live_frame_make(&r->frame[n], (int)points, 0)) return false;
    return true;
}

live_recorder *live_recorder_open(live_stream *stream, const char *path)
{
    const cli_arguments *arguments = stream->arguments;
    live_recorder *r = calloc(1, sizeof *r);
    snw_error error = {0};
    size_t length = strlen(path) + 16;
    if (!r || !(r->file = malloc(length))) {
        free(r);
        (void)cli_fail(arguments, "no memory for a record");
        return NULL;
    }
    r->stream = stream;
    r->path = path;
    r->is_beside = snw_format_from_name(path) != SNW_FORMAT_C3D;
    r->descriptor = -1;
    (void)snw_format(r->file, length, "%s%s", path, r->is_beside ? ".part.c3d" : "");
    bool is_forced = cli_flag(arguments, "--force") || r->is_beside;
    if (!make_memory(r)) {
        (void)cli_fail(arguments, "no memory for a record");
    } else if (write_head(r, is_forced, &error) != SNW_OK) {
        (void)cli_fail_writing(arguments, &error);
    } else if (!find_places(r) || (r->descriptor = open(r->file, O_RDWR | O_CLOEXEC)) < 0 ||
               ftruncate(r->descriptor, r->data) != 0) {
        (void)cli_fail(arguments, "%s cannot be recorded into: %s", r->file, strerror(errno));
        (void)unlink(r->file);
    } else {
        write_counts(r);
        r->is_running = pthread_create(&r->thread, NULL, record_frames, r) == 0;
        if (r->is_running) return r;
        (void)cli_fail(arguments, "no thread for the record");
        (void)unlink(r->file);
    }
    r->is_beside = false;
    (void)live_recorder_close(r);
    return NULL;
}

/* The record in the format that was asked for. */
static int convert(const live_recorder *r)
{
    const cli_arguments *arguments = r->stream->arguments;
    snw_trial *trial = NULL;
    snw_error error;
    snw_status status = snw_read_trial_file(r->file, NULL, NULL, &trial, NULL, &error);
    if (status == SNW_OK)
        status = snw_write_trial_file(r->path, cli_flag(arguments, "--force"), trial, NULL, &error);
    snw_trial_destroy(trial);
    if (status != SNW_OK) {
        int code = cli_fail_writing(arguments, &error);
        cli_note(arguments, "what was recorded is in %s", r->file);
        return code;
    }
    (void)unlink(r->file);
    return CLI_DONE;
}

int live_recorder_close(live_recorder *r)
{
    int code = CLI_DONE;
    if (r->is_running) {
        live_queue_close(&r->queue);
        (void)pthread_join(r->thread, NULL);
    }
    if (r->descriptor >= 0 && close(r->descriptor) != 0 && !r->wrong) r->wrong = errno;
    if (r->wrong)
        code = cli_fail(r->stream->arguments, "%s: %s after %lld frames", r->file,
                        strerror(r->wrong), (long long)r->frames);
    else if (r->is_running && r->is_beside)
        code = convert(r);
    for (unsigned n = 0; r->frame && n < r->queue.room; n++)
        live_frame_free(&r->frame[n]);
    live_queue_destroy(&r->queue);
    free(r->frame);
    free(r->buffer);
    free(r->file);
    free(r);
    return code;
}
