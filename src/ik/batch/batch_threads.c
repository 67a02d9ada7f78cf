/* Threads that sleep until a batch has work; see batch_threads.h.
 *
 * One mutex guards everything; ranges are fetched under it, which is nothing against the work of a
 * range (a hundred solves). A solve is a new `round`: threads that wake take ranges until none is
 * left, and the one that ends the last range wakes the caller. */
#include "ik/batch/batch_threads.h"

#include "base/memory.h"
#include "base/platform.h"

#ifndef SNW_NO_THREADS

typedef struct batch_thread {
    snw__thread thread;
    int worker;
    snw__batch_threads *threads;
} batch_thread;

struct snw__batch_threads {
    snw__mutex mutex;
    snw__signal has_work, is_done;
    snw_task *task;
    void *context;
    int item_count, range;
    int next; /* first item nobody has taken */
    int busy; /* workers inside a range */
    unsigned round;
    bool is_ending;
    int thread_count;
    snw_allocator allocator;
    size_t block_size;
    batch_thread *thread; /* (thread_count) */
};

/* Takes ranges until none is left. The mutex is held on entry and on return. */
static void work_round(snw__batch_threads *threads, int worker)
{
    while (threads->next < threads->item_count) {
        /* Half of what is left, shared out evenly: lanes fall idle at the end of a range, so that
         * long ones are better, and the last are short so that all end together (guided
         * self-scheduling, Polychronopoulos & Kuck 1987). */
        int first = threads->next, left = threads->item_count - first;
        int share = left / (2 * (threads->thread_count + 1));
        int range = share > threads->range ? share : threads->range;
        int end = left > range ? first + range : threads->item_count;
        threads->next = end;
        threads->busy++;
        snw__mutex_unlock(&threads->mutex);
        threads->task(threads->context, first, end, worker);
        snw__mutex_lock(&threads->mutex);
        threads->busy--;
    }
    if (threads->busy == 0) snw__signal_wake_one(&threads->is_done);
}

static void live(void *argument)
{
    batch_thread *own = argument;
    snw__batch_threads *threads = own->threads;
    unsigned seen = 0;
    snw__mutex_lock(&threads->mutex);
    for (;;) {
        while (threads->round == seen && !threads->is_ending)
            snw__signal_wait(&threads->has_work, &threads->mutex);
        if (threads->is_ending) break;
        seen = threads->round;
        work_round(threads, own->worker);
    }
    snw__mutex_unlock(&threads->mutex);
}

/* As many threads as `thread_count` of the sketch says. */
static void lay_out(void *object, snw__block *block)
{
    snw__batch_threads *sketch = object;
    snw__block_take(block, 1, sizeof *sketch);
    sketch->thread = snw__block_take(block, (size_t)sketch->thread_count, sizeof *sketch->thread);
}

snw__batch_threads *snw__batch_threads_create(int worker_count, const snw_allocator *allocator)
{
    snw__block block;
    snw__batch_threads sketch = {.thread_count = worker_count - 1};
    if (snw__block_create(&block, lay_out, &sketch, allocator, "threads", NULL) != SNW_OK)
        return NULL;
    snw__batch_threads *threads = (void *)block.base;
    batch_thread *thread = sketch.thread;
    threads->thread = thread;
    threads->allocator = *allocator;
    threads->block_size = block.size;
    /* The system may have no mutex or condition left. */
    bool has_mutex = snw__mutex_create(&threads->mutex);
    bool has_work = has_mutex && snw__signal_create(&threads->has_work);
    if (!has_work || !snw__signal_create(&threads->is_done)) {
        if (has_work) snw__signal_destroy(&threads->has_work);
        if (has_mutex) snw__mutex_destroy(&threads->mutex);
        snw__block_release(allocator, &block);
        return NULL;
    }
    for (int k = 0; k < worker_count - 1; k++) {
        thread[k].worker = k + 1;
        thread[k].threads = threads;
        if (!snw__thread_start(&thread[k].thread, live, &thread[k])) break;
        threads->thread_count++;
    }
    return threads;
}

void snw__batch_threads_destroy(snw__batch_threads *threads)
{
    if (!threads) return;
    snw__mutex_lock(&threads->mutex);
    threads->is_ending = true;
    snw__signal_wake_all(&threads->has_work);
    snw__mutex_unlock(&threads->mutex);
    for (int k = 0; k < threads->thread_count; k++)
        snw__thread_join(&threads->thread[k].thread);
    snw__signal_destroy(&threads->is_done);
    snw__signal_destroy(&threads->has_work);
    snw__mutex_destroy(&threads->mutex);
    snw_allocator allocator = threads->allocator; /* the block holds it */
    snw__release(&allocator, threads, threads->block_size);
}

void snw__batch_threads_run(snw__batch_threads *threads, snw_task *task, void *context,
                            int item_count, int range)
{
    snw__mutex_lock(&threads->mutex);
    threads->task = task;
    threads->context = context;
    threads->item_count = item_count;
    threads->range = range;
    threads->next = 0;
    threads->round++;
    snw__signal_wake_all(&threads->has_work);
    work_round(threads, 0);
    while (threads->busy > 0)
        snw__signal_wait(&threads->is_done, &threads->mutex);
    snw__mutex_unlock(&threads->mutex);
}

#else

snw__batch_threads *snw__batch_threads_create(int worker_count, const snw_allocator *allocator)
{
    (void)worker_count;
    (void)allocator;
    return NULL;
}

void snw__batch_threads_destroy(snw__batch_threads *threads)
{
    (void)threads;
}

void snw__batch_threads_run(snw__batch_threads *threads, snw_task *task, void *context,
                            int item_count, int range)
{
    (void)threads;
    (void)range;
    task(context, 0, item_count, 0);
}

#endif
