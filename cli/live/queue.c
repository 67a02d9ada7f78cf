/* Frames from one thread to another without locks, and times in bins. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "live/live.h"

/* ---- a queue: one thread puts in, one takes out -------------------------------------------------
 */

bool live_queue_open(live_queue *queue, unsigned room)
{
    queue->room = room;
    atomic_init(&queue->put, 0);
    atomic_init(&queue->taken, 0);
    atomic_init(&queue->is_closed, false);
    return sem_init(&queue->ready, 0, 0) == 0;
}

void live_queue_destroy(live_queue *queue)
{
    if (queue->room) (void)sem_destroy(&queue->ready);
    queue->room = 0;
}

unsigned live_queue_count(const live_queue *queue)
{
    return atomic_load_explicit(&queue->put, memory_order_acquire) -
           atomic_load_explicit(&queue->taken, memory_order_acquire);
}

int live_queue_place(const live_queue *queue)
{
    unsigned put = atomic_load_explicit(&queue->put, memory_order_relaxed);
    return live_queue_count(queue) < queue->room ? (int)(put & (queue->room - 1)) : -1;
}

int live_queue_wait_place(live_queue *queue)
{
    int place;
    while ((place = live_queue_place(queue)) < 0 && !live_is_stopped())
        live_sleep_until(cli_microseconds() + 200);
    return place;
}

void live_queue_put(live_queue *queue)
{
    atomic_fetch_add_explicit(&queue->put, 1, memory_order_release);
    (void)sem_post(&queue->ready);
}

int live_queue_take(live_queue *queue, int milliseconds)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += milliseconds * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (live_queue_count(queue) == 0) {
        if (atomic_load(&queue->is_closed)) return live_queue_count(queue) == 0 ? -2 : -1;
        if (sem_timedwait(&queue->ready, &until) != 0 && errno == ETIMEDOUT) return -1;
    }
    unsigned taken = atomic_load_explicit(&queue->taken, memory_order_relaxed);
    return (int)(taken & (queue->room - 1));
}

void live_queue_taken(live_queue *queue)
{
    atomic_fetch_add_explicit(&queue->taken, 1, memory_order_release);
}

void live_queue_close(live_queue *queue)
{
    atomic_store(&queue->is_closed, true);
    (void)sem_post(&queue->ready);
}

/* ---- a box: the newest alone
 * ---------------------------------------------------------------------
 */

enum {
    BOX_FRESH = 4
};

void live_box_open(live_box *box)
{
    atomic_init(&box->middle, 1);
    box->back = 0;
    box->front = 2;
}

void live_box_put(live_box *box)
{
    box->back = atomic_exchange_explicit(&box->middle, box->back | BOX_FRESH, memory_order_acq_rel);
    box->back &= ~(unsigned)BOX_FRESH;
}

bool live_box_take(live_box *box)
{
    if (!(atomic_load_explicit(&box->middle, memory_order_acquire) & BOX_FRESH)) return false;
    box->front = atomic_exchange_explicit(&box->middle, box->front, memory_order_acq_rel);
    box->front &= ~(unsigned)BOX_FRESH;
    return true;
}

/* ---- times
 * ---------------------------------------------------------------------------------------
 */

/* Bin k holds times about 0.1 us * 1.01^k. */
void live_times_add(live_times *times, double microseconds)
{
    double bin = microseconds > 0.1 ? log(microseconds / 0.1) / log(1.01) : 0;
    times->bin[bin < LIVE_TIMES - 1 ? (int)bin : LIVE_TIMES - 1]++;
    times->count++;
}

double live_times_quantile(const live_times *times, double quantile)
{
    int64_t wanted = (int64_t)(quantile * (double)times->count), seen = 0;
    for (int k = 0; k < LIVE_TIMES; k++) {
        seen += times->bin[k];
        if (seen > wanted) return 0.1 * pow(1.01, k + 0.5);
    }
    return 0;
}
