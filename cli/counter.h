/* Memory that is counted: for benchmarks and live solves, which promise to take none. */
#ifndef CLI_COUNTER_H
#define CLI_COUNTER_H

#include <sinew/base.h>

typedef struct cli_counter {
    int64_t allocations; /* so far */
    int64_t bytes;       /* in use */
} cli_counter;

/* malloc and free, counted; begins at zero. */
snw_allocator cli_counting_allocator(cli_counter *counter);

#endif
