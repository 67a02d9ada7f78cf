/* The threads of a batch whose caller has no task system of its own. Internal.
 *
 * They are started once, with the batch, and sleep between solves: a solve starts nothing and takes
 * no memory. */
#ifndef SNW_IK_BATCH_THREADS_H
#define SNW_IK_BATCH_THREADS_H

#include <sinew/ik.h>

typedef struct snw__batch_threads snw__batch_threads;

/* worker_count - 1 threads, or as many as the system gives; NULL where it gives none, or no memory.
 */
snw__batch_threads *snw__batch_threads_create(int worker_count, const snw_allocator *allocator);
void snw__batch_threads_destroy(snw__batch_threads *threads);
/* Does all items, `range` at a time, on the threads and on the caller's own as worker 0. */
void snw__batch_threads_run(snw__batch_threads *threads, snw_task *task, void *context,
                            int item_count, int range);

#endif
