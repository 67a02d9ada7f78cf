/* Any bytes as a C3D file: reading must end, within memory, and what could be read can be written
 * and read again with the same samples; labels and descriptions say something or nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

#include "mutate_c3d.h"

/* What reading may take: a small multiple of the input. Names and parameters cost pointers and
 * headers of their own, at most some 100 bytes for a record of 7. */
#define MEMORY_FACTOR 64

typedef struct bounded_memory {
    size_t live, limit;
    unsigned calls, refused; /* the call that gets nothing; 0: none */
} bounded_memory;

static void *bounded_allocate(void *context, size_t size)
{
    bounded_memory *memory = (bounded_memory *)context;
    if (++memory->calls == memory->refused) return NULL;
    memory->live += size;
    if (memory->live > memory->limit) abort();
    return malloc(size);
}

static void bounded_release(void *context, void *pointer, size_t size)
{
    ((bounded_memory *)context)->live -= size;
    free(pointer);
}

static snw_trial *read_bytes(const uint8_t *bytes, size_t size, bool is_lenient,
                             const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    snw_notes notes = snw_notes_none();
    snw_trial *trial = NULL;
    snw_error error;
    snw_status status = snw_read_trial(&source, &options, allocator, &trial, &notes, &error);
    if ((status == SNW_OK) != (trial != NULL)) abort();
    if (status != SNW_OK && !error.message[0]) abort();
    if (status != SNW_OK && status != SNW_OUT_OF_MEMORY && error.byte < 0) abort();
    return trial;
}

/* Whatever can be written is read back with the same samples. */
static void check_again(const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error) == SNW_OK) {
        snw_trial *again = read_bytes(bytes.bytes, bytes.size, false, NULL);
        size_t samples = (size_t)trial->frame_count * (size_t)trial->marker_count;
        if (!again || again->marker_count != trial->marker_count ||
            (samples && again->frame_count != trial->frame_count) ||
            memcmp(again->sample, trial->sample, samples * sizeof *trial->sample) != 0 ||
            memcmp(again->state, trial->state, samples) != 0)
            abort();
        snw_trial_destroy(again);
    }
    snw_memory_sink_release(&bytes);
}

/* One of the allocations that reading made is refused, which one the bytes choose: a status, and
 * nothing stays allocated. */
static void check_refused(const uint8_t *data, size_t size, unsigned calls)
{
    unsigned sum = 0;
    for (size_t n = 0; n < size; n++)
        sum += data[n];
    bounded_memory memory = {0, SIZE_MAX, 0, 1 + sum % calls};
    snw_allocator allocator = {bounded_allocate, bounded_release, &memory};
    snw_trial_destroy(read_bytes(data, size, true, &allocator));
    if (memory.calls < memory.refused || memory.live != 0) abort();
}

/* Four characters of a label and its description, as old files have them, name a marker. */
static void check_labels(const snw_trial *trial)
{
    snw_labels *labels = NULL;
    snw_error error;
    if (snw_labels_read(trial, NULL, &labels, &error) != SNW_OK) return;
    for (int m = 0; m < labels->marker_count; m++)
        if (labels->marker[m].prefix < 0 ||
            (size_t)labels->marker[m].prefix > strlen(trial->marker[m].name))
            abort();
    snw_labels_destroy(labels);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return mutate_c3d_file(data, size, max_size, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_memory_source look;
    snw_source source = snw_source_from_memory(&look, data, size);
    if (snw_detect_format(&source) != SNW_FORMAT_C3D) return -1; /* another fuzzer's business */
    for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
        bounded_memory memory = {0, MEMORY_FACTOR * size + 4096, 0, 0};
        snw_allocator allocator = {bounded_allocate, bounded_release, &memory};
        snw_trial *trial = read_bytes(data, size, is_lenient, &allocator);
        unsigned calls = memory.calls;
        memory.limit = SIZE_MAX; /* writing works in the trial's memory */
        if (trial) check_again(trial);
        if (trial) check_labels(trial);
        snw_trial_destroy(trial);
        if (memory.live != 0) abort();
        if (is_lenient && calls > 0) check_refused(data, size, calls);
    }
    return 0;
}
