/* What the fuzz targets of the text formats share: memory that is bounded by the input, reading in
 * both moods, and writing what was read and reading it again. */
#ifndef SNW_FUZZ_TEXT_H
#define SNW_FUZZ_TEXT_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sinew/sinew.h>

/* What the readers promise; test_growth holds them to it with files of any length. */
#define TEXT_MEMORY_FACTOR 64
#define TEXT_MEMORY_BASE   (1u << 20)

typedef struct text_memory {
    size_t live, limit;
} text_memory;

static inline void *text_allocate(void *context, size_t size)
{
    text_memory *memory = (text_memory *)context;
    memory->live += size;
    if (memory->live > memory->limit) abort();
    return malloc(size);
}

static inline void text_release(void *context, void *pointer, size_t size)
{
    ((text_memory *)context)->live -= size;
    free(pointer);
}

static inline text_memory text_memory_for(size_t size)
{
    text_memory memory = {0, TEXT_MEMORY_FACTOR * size + TEXT_MEMORY_BASE};
    return memory;
}

static inline bool text_is(const uint8_t *data, size_t size, snw_format_kind kind)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    return snw_detect_format(&source) == kind;
}

static inline snw_read_options text_options(bool is_lenient)
{
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    return options;
}

static inline void text_check_outcome(snw_status status, const snw_error *error, const void *result)
{
    if ((status == SNW_OK) != (result != NULL)) abort();
    if (status != SNW_OK && !error->message[0]) abort();
}

/* Time is linear in the input: 20 us a byte, and half a second for what an input of no bytes may
 * cost; a hundred times what reading takes under the sanitizers, so that only what grows faster
 * than the input comes here. Time of the processor: other programs do not count. */
static inline double text_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static inline void text_check_time(double start, size_t size)
{
    if (text_seconds() - start > 0.5 + 20e-6 * (double)size) abort();
}

/* ---- trials ---- */

/* What holds one thing is refused as the other. */
static inline void text_check_other(const uint8_t *bytes, size_t size, bool is_trial)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_motion *motion = NULL;
    snw_trial *trial = NULL;
    snw_error error;
    snw_status status = is_trial ? snw_read_motion(&source, NULL, NULL, &motion, NULL, &error)
                                 : snw_read_trial(&source, NULL, NULL, &trial, NULL, &error);
    text_check_outcome(status, &error, is_trial ? (void *)motion : (void *)trial);
    snw_motion_destroy(motion);
    snw_trial_destroy(trial);
}

static inline snw_trial *text_read_trial(const uint8_t *bytes, size_t size, bool is_lenient,
                                         const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = text_options(is_lenient);
    snw_notes notes = snw_notes_none();
    snw_trial *trial = NULL;
    snw_error error;
    if (is_lenient) source.seek = NULL; /* a pipe */
    double start = text_seconds();
    snw_status status = snw_read_trial(&source, &options, allocator, &trial, &notes, &error);
    text_check_time(start, size);
    text_check_outcome(status, &error, trial);
    return trial;
}

/* What was read can be written, and comes back with the same samples. */
static inline void text_check_trial_again(const snw_trial *trial, snw_format_kind kind)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, kind, NULL, &sink, &error) != SNW_OK) abort();
    snw_trial *again = text_read_trial(bytes.bytes, bytes.size, false, NULL);
    size_t samples = (size_t)trial->frame_count * (size_t)trial->marker_count;
    if (!again || again->marker_count != trial->marker_count ||
        again->frame_count != trial->frame_count ||
        memcmp(again->state, trial->state, samples) != 0)
        abort();
    /* A unit without a name is written in millimetres, with other numbers. */
    bool is_same_unit = again->metres_per_unit == trial->metres_per_unit;
    if (is_same_unit && memcmp(again->sample, trial->sample, samples * sizeof *trial->sample) != 0)
        abort();
    snw_trial_destroy(again);
    snw_memory_sink_release(&bytes);
}

static inline int text_fuzz_trial(const uint8_t *data, size_t size, snw_format_kind kind)
{
    if (!text_is(data, size, kind)) return -1; /* another fuzzer's business */
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        text_memory memory = text_memory_for(size);
        snw_allocator allocator = {text_allocate, text_release, &memory};
        snw_trial *trial = text_read_trial(data, size, is_lenient, &allocator);
        if (trial) text_check_trial_again(trial, kind);
        snw_trial_destroy(trial);
        if (memory.live != 0) abort();
    }
    text_check_other(data, size, true);
    return 0;
}

/* ---- motions ---- */

static inline void text_check_motion(const snw_motion *motion)
{
    size_t count = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < count; n++)
        if (!snw_quat_is_finite(motion->rotation[n]) || !snw_vec3_is_finite(motion->slide[n]))
            abort();
    for (int frame = 0; frame < motion->frame_count; frame++)
        if (!snw_quat_is_finite(motion->root[frame].rotation) ||
            !snw_vec3_is_finite(motion->root[frame].translation))
            abort();
}

static inline snw_motion *text_read_motion(const uint8_t *bytes, size_t size, bool is_lenient,
                                           const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = text_options(is_lenient);
    options.metres_per_unit = is_lenient ? 0 : 0.01; /* 0: guessed */
    snw_notes notes = snw_notes_none();
    snw_motion *motion = NULL;
    snw_error error;
    double start = text_seconds();
    snw_status status = snw_read_motion(&source, &options, allocator, &motion, &notes, &error);
    text_check_time(start, size);
    text_check_outcome(status, &error, motion);
    if (motion) text_check_motion(motion);
    return motion;
}

/* Writing may refuse (a place out of range), but must not fail otherwise. */
static inline void text_check_motion_again(const snw_motion *motion, snw_format_kind kind)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_motion(motion, kind, NULL, &sink, &error) == SNW_OK && kind == SNW_FORMAT_BVH) {
        snw_motion *again = text_read_motion(bytes.bytes, bytes.size, false, NULL);
        if (again && again->frame_count != motion->frame_count) abort();
        snw_motion_destroy(again);
    }
    snw_memory_sink_release(&bytes);
}

static inline int text_fuzz_motion(const uint8_t *data, size_t size, snw_format_kind kind)
{
    if (!text_is(data, size, kind)) return -1;
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        text_memory memory = text_memory_for(size);
        snw_allocator allocator = {text_allocate, text_release, &memory};
        snw_motion *motion = text_read_motion(data, size, is_lenient, &allocator);
        memory.limit = SIZE_MAX; /* writing works in the motion's memory */
        if (motion) {
            text_check_motion_again(motion, kind);
            text_check_motion_again(motion, SNW_FORMAT_GLB);
        }
        snw_motion_destroy(motion);
        if (memory.live != 0) abort();
    }
    text_check_other(data, size, false);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
