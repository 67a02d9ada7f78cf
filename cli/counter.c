/* The command's one counting allocator. */
#include "counter.h"

#include <stdlib.h>

static void *count_and_allocate(void *context, size_t size)
{
    cli_counter *counter = context;
    void *memory = malloc(size);
    if (memory) {
        counter->allocations++;
        counter->bytes += (int64_t)size;
    }
    return memory;
}

static void count_and_release(void *context, void *memory, size_t size)
{
    cli_counter *counter = context;
    if (memory) counter->bytes -= (int64_t)size;
    free(memory);
}

snw_allocator cli_counting_allocator(cli_counter *counter)
{
    counter->allocations = counter->bytes = 0;
    return (snw_allocator){count_and_allocate, count_and_release, counter};
}
