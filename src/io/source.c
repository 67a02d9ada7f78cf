/* Where bytes come from and go to: memory as source and sink, and the two ends that every format
 * works with: snw__reading (seekable, of known size) and snw__output (buffered). */
#include "io/formats.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

/* ---- memory as a source ------------------------------------------------------------------- */

static int64_t memory_read(void *context, void *buffer, size_t size)
{
    snw_memory_source *state = (snw_memory_source *)context;
    size_t left = state->size - state->position;
    if (size > left) size = left;
    if (size) memcpy(buffer, state->bytes + state->position, size);
    state->position += size;
    return (int64_t)size;
}

static int memory_seek(void *context, int64_t position)
{
    snw_memory_source *state = (snw_memory_source *)context;
    if (position < 0 || (uint64_t)position > state->size) return -1;
    state->position = (size_t)position;
    return 0;
}

snw_source snw_source_from_memory(snw_memory_source *state, const void *bytes, size_t size)
{
    state->bytes = (const uint8_t *)bytes;
    state->size = size;
    state->position = 0;
    snw_source source = {memory_read, memory_seek, (int64_t)size, NULL, state};
    return source;
}

/* ---- memory as a sink --------------------------------------------------------------------- */

static int memory_write(void *context, const void *bytes, size_t size)
{
    snw_memory_sink *state = (snw_memory_sink *)context;
    if (size > SIZE_MAX / 2 - state->size) return -1;
    if (state->size + size > state->capacity) {
        size_t capacity = state->capacity ? state->capacity * 2 : 4096;
        if (capacity < state->size + size) capacity = state->size + size;
        uint8_t *larger = (uint8_t *)snw__allocate(&state->allocator, capacity);
        if (!larger) return -1;
        if (state->size) memcpy(larger, state->bytes, state->size);
        snw__release(&state->allocator, state->bytes, state->capacity);
        state->bytes = larger;
        state->capacity = capacity;
    }
    if (size) memcpy(state->bytes + state->size, bytes, size);
    state->size += size;
    return 0;
}

snw_sink snw_sink_to_memory(snw_memory_sink *state, const snw_allocator *allocator)
{
    memset(state, 0, sizeof *state);
    state->allocator = snw__allocator_or_default(allocator);
    snw_sink sink = {memory_write, state};
    return sink;
}

void snw_memory_sink_release(snw_memory_sink *state)
{
    snw__release(&state->allocator, state->bytes, state->capacity);
    state->bytes = NULL;
    state->size = state->capacity = 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

snw_read_options snw_read_options_default(void)
{
    snw_read_options options = {.up = SNW_UP_UNKNOWN};
    return options;
}

snw_status snw__reading_open(snw__reading *reading, const snw__reading_request *request)
{
    memset(reading, 0, sizeof *reading);
    reading->error = request->error;
    reading->notes = request->notes;
    reading->allocator = snw__allocator_or_default(request->allocator);
    reading->options =
        SNW__WANTS_DEFAULTS(request->options) ? snw_read_options_default() : *request->options;
    if (!request->source || !request->source->read)
        return snw__fail(request->error, SNW_INVALID_ARGUMENT, "there is no source to read from");
    reading->source = *request->source;
    reading->name = reading->source.name ? reading->source.name : "the input";
    const snw_read_options *options = &reading->options;
    if (!(options->metres_per_unit >= 0 && options->metres_per_unit < 1e300))
        return snw__fail(reading->error, SNW_INVALID_ARGUMENT,
                         "metres_per_unit is %g, it must be 0 or above", options->metres_per_unit);
    if ((unsigned)options->up > SNW_UP_NEGATIVE_Z)
        return snw__fail(reading->error, SNW_INVALID_ARGUMENT, "there is no up axis %d",
                         (int)options->up);
    if (!reading->source.seek || reading->source.size < 0) {
        /* A pipe: its bytes into memory, and memory in its place. */
        snw_memory_sink sink;
        (void)snw_sink_to_memory(&sink, &reading->allocator);
        uint8_t chunk[8192];
        for (;;) {
            int64_t got = reading->source.read(reading->source.context, chunk, sizeof chunk);
            snw__place place = {(int64_t)sink.size, -1, -1, -1, reading->name};
            snw_status status = SNW_OK;
            if (got < 0 || (uint64_t)got > sizeof chunk)
                status =
                    snw__fail_at(reading->error, SNW_IO, place, "%s could not be read at byte %lld",
                                 reading->name, (long long)sink.size);
            else if (got > 0 && memory_write(&sink, chunk, (size_t)got) != 0)
                status = snw__fail_memory(reading->error, sink.size + (size_t)got, "the input");
            if (status == SNW_OK) status = snw__reading_check_memory(reading, sink.size);
            if (status != SNW_OK) {
                snw_memory_sink_release(&sink);
                return status;
            }
            if (got == 0) break;
        }
        reading->owned = sink.bytes;
        reading->owned_size = sink.capacity;
        const char *name = reading->source.name;
        reading->source = snw_source_from_memory(&reading->memory, sink.bytes, sink.size);
        reading->source.name = name;
        return SNW_OK;
    }
    if (reading->source.seek(reading->source.context, 0) != 0)
        return snw__fail(reading->error, SNW_IO, "%s does not go back to its start", reading->name);
    return SNW_OK;
}

void snw__reading_close(snw__reading *reading)
{
    snw__release(&reading->allocator, reading->owned, reading->owned_size);
    reading->owned = NULL;
}

snw_status snw__reading_next(snw__reading *reading, int64_t position, void *buffer, size_t size)
{
    uint8_t *to = (uint8_t *)buffer;
    size_t done = 0;
    while (done < size) {
        int64_t got = reading->source.read(reading->source.context, to + done, size - done);
        snw__place place = {position + (int64_t)done, -1, -1, -1, reading->name};
        if (got < 0 || (uint64_t)got > size - done)
            return snw__fail_at(reading->error, SNW_IO, place, "%s could not be read at byte %lld",
                                reading->name, (long long)place.byte);
        if (got == 0)
            return snw__fail_at(reading->error, SNW_TRUNCATED, place,
                                "%s ends at byte %lld where %zu more bytes were expected",
                                reading->name, (long long)place.byte, size - done);
        done += (size_t)got;
    }
    return SNW_OK;
}

snw_status snw__reading_at(snw__reading *reading, int64_t position, void *buffer, size_t size)
{
    snw__place place = {position, -1, -1, -1, reading->name};
    if (position > reading->source.size)
        return snw__fail_at(reading->error, SNW_TRUNCATED, place,
                            "%s has %lld bytes, byte %lld is needed", reading->name,
                            (long long)reading->source.size, (long long)position);
    if (reading->source.seek(reading->source.context, position) != 0)
        return snw__fail_at(reading->error, SNW_IO, place, "%s does not go to byte %lld",
                            reading->name, (long long)position);
    return snw__reading_next(reading, position, buffer, size);
}

snw_status snw__reading_check_memory(const snw__reading *reading, uint64_t size)
{
    int64_t limit = reading->options.memory_limit;
    if (limit <= 0 || size <= (uint64_t)limit) return SNW_OK;
    return snw__fail(reading->error, SNW_TOO_LARGE, "%s needs %lld bytes, the limit is %lld",
                     reading->name, (long long)size, (long long)limit);
}

snw_status snw__reading_all(snw__reading *reading, char **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    snw_status status = snw__reading_check_memory(reading, (uint64_t)reading->source.size);
    if (status != SNW_OK) return status;
    if ((uint64_t)reading->source.size >= PTRDIFF_MAX)
        return snw__fail(reading->error, SNW_TOO_LARGE, "%s does not fit into memory",
                         reading->name);
    size_t length = (size_t)reading->source.size;
    char *text = (char *)snw__allocate(&reading->allocator, length + 1);
    if (!text) return snw__fail_memory(reading->error, length + 1, reading->name);
    status = snw__reading_at(reading, 0, text, length);
    if (status != SNW_OK) {
        snw__release(&reading->allocator, text, length + 1);
        return status;
    }
    *bytes = text;
    *size = length;
    return SNW_OK;
}

void snw__reading_release_all(snw__reading *reading, char *bytes, size_t size)
{
    snw__release(&reading->allocator, bytes, size + 1);
}

/* ---- writing ------------------------------------------------------------------------------ */

snw_write_options snw_write_options_default(void)
{
    snw_write_options options = {.up = SNW_UP_UNKNOWN};
    return options;
}

static void hand_over(snw__output *output, const void *bytes, size_t size)
{
    if (output->has_failed || size == 0) return;
    if (output->sink->write(output->sink->context, bytes, size) != 0) output->has_failed = true;
}

void snw__put(snw__output *output, const void *bytes, size_t size)
{
    output->position += (int64_t)size;
    if (size > sizeof output->buffer - output->used) {
        hand_over(output, output->buffer, output->used);
        output->used = 0;
    }
    if (size > sizeof output->buffer) {
        hand_over(output, bytes, size);
        return;
    }
    if (size) memcpy(output->buffer + output->used, bytes, size);
    output->used += size;
}

void snw__put_text(snw__output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = snw_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    /* Callers put long names with snw__put; a cut line must not pass for a whole one. */
    if (length < 0 || (size_t)length >= sizeof text)
        output->has_failed = true;
    else
        snw__put(output, text, (size_t)length);
}

snw_status snw__put_end(snw__output *output)
{
    hand_over(output, output->buffer, output->used);
    output->used = 0;
    if (!output->has_failed) return SNW_OK;
    snw__place place = {output->position, -1, -1, -1, NULL};
    return snw__fail_at(output->error, SNW_IO, place, "the output could not be written");
}
