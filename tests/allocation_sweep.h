/* Functions that make objects, with memory that is refused at each of their allocations in turn:
 * SNW_OUT_OF_MEMORY, no object, nothing kept. */
#ifndef SNW_TESTS_ALLOCATION_SWEEP_H
#define SNW_TESTS_ALLOCATION_SWEEP_H

#include "check.h"

/* Of those with more allocations than this only so many, spread out: reading names takes hundreds
 * of the same kind. */
#define ALLOCATIONS_TRIED CHECK_SAMPLES(400)

/* `call` sees the allocator a, the object out and the error e. */
#define MAKER(name, type, release, call)                                        \
    static snw_status make_##name(const snw_allocator *a, snw_error *e)         \
    {                                                                           \
        type *out = NULL;                                                       \
        snw_status status = call;                                               \
        if ((status == SNW_OK) != (out != NULL)) fail_msg(#name ": an object"); \
        release(out);                                                           \
        return status;                                                          \
    }

struct maker {
    const char *name;
    snw_status (*make)(const snw_allocator *allocator, snw_error *error);
};

static inline snw_status make(const struct maker *maker, long fail_at, long *calls)
{
    counting_allocator counter = {0, 0, 0, fail_at};
    snw_allocator allocator = counting_hook(&counter);
    snw_error error;
    snw_status status = maker->make(&allocator, &error);
    if (status != SNW_OK && (error.status != status || !error.message[0]))
        fail_msg("%s, allocation %ld: no sentence", maker->name, fail_at);
    if (counter.live != 0 || counter.live_bytes != 0)
        fail_msg("%s, allocation %ld: %ld blocks are kept", maker->name, fail_at, counter.live);
    if (calls) *calls = counter.calls;
    return status;
}

static inline void sweep_makers(const struct maker *makers, size_t count)
{
    long refused = 0;
    for (size_t n = 0; n < count; n++) {
        long calls = 0;
        snw_status status = make(makers + n, -1, &calls);
        if (status != SNW_OK) fail_msg("%s: %s", makers[n].name, snw_status_name(status));
        assert_true(calls > 0);
        long stride = 1 + calls / (ALLOCATIONS_TRIED + 1);
        for (long at = 0; at < calls; at += stride, refused++) {
            status = make(makers + n, at, NULL);
            if (status != SNW_OUT_OF_MEMORY)
                fail_msg("%s, allocation %ld of %ld: %s", makers[n].name, at, calls,
                         snw_status_name(status));
        }
    }
    print_message("%ld refused allocations in %d makers\n", refused, (int)count);
}

#endif
