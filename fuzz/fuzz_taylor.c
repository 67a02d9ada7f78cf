/* Any bytes as expansions: what is read can be evaluated anywhere, and comes back when it is
 * written. */
#include "fuzz_text.h"

static snw_taylor *read_bytes(const uint8_t *data, size_t size, const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_taylor *taylor = NULL;
    snw_error error;
    double start = text_seconds();
    snw_status status = snw_read_taylor(&source, NULL, allocator, &taylor, &error);
    text_check_time(start, size);
    text_check_outcome(status, &error, taylor);
    return taylor;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_taylor *taylor = read_bytes(data, size, &allocator);
    if (taylor) {
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        snw_error error;
        for (int f = 0; f < taylor->size.freedom_count && f < 100; f++) {
            (void)snw_taylor_value(taylor, f, 1e300, -1e300, 1);
            (void)snw_taylor_jump(taylor, f, 0.5);
        }
        if (snw_write_taylor(taylor, &sink, &error) != SNW_OK) abort();
        snw_taylor *again = read_bytes(bytes.bytes, bytes.size, NULL);
        if (!again || again->size.window_count != taylor->size.window_count) abort();
        snw_taylor_destroy(again);
        snw_memory_sink_release(&bytes);
    }
    snw_taylor_destroy(taylor);
    if (memory.live) abort();
    return 0;
}
