/* How library code reports failure. Internal.
 *
 *     return snw__fail(error, SNW_INVALID_ARGUMENT, "row %d: length is negative", row);
 *
 * snw__fail_at also says where: byte, line, frame, index or name. Both cope with error == NULL. */
#ifndef SNW_BASE_FAIL_H
#define SNW_BASE_FAIL_H

#include <sinew/base.h>

/* Where it happened; -1 and NULL for what does not apply. */
typedef struct snw__place {
    int64_t byte;
    int64_t line;
    int64_t frame;
    int64_t index;
    const char *name;
} snw__place;

#define SNW__NOWHERE ((snw__place){-1, -1, -1, -1, NULL})

static inline snw__place snw__at_byte(int64_t byte)
{
    return (snw__place){byte, -1, -1, -1, NULL};
}

static inline snw__place snw__at_line(int64_t line)
{
    return (snw__place){-1, line, -1, -1, NULL};
}

/* A marker, joint or segment; its name, or NULL. */
static inline snw__place snw__at_name(int64_t index, const char *name)
{
    return (snw__place){-1, -1, -1, index, name};
}

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void
snw__error_fill(snw_error *error, snw_status status, snw__place place, const char *format, ...);

/* A call, so that a caller may ignore the value without a warning. */
static inline snw_status snw__status(snw_status status)
{
    return status;
}

/* Fill *error (if not NULL) and are `status`. Macros, so that compilers and analyzers see that the
 * result is not SNW_OK. */
#define snw__fail_at(error, status, /* place, format */...) \
    (snw__error_fill((error), (status), __VA_ARGS__), snw__status(status))
#define snw__fail(error, status, ...) snw__fail_at(error, status, SNW__NOWHERE, __VA_ARGS__)

/* SNW_OUT_OF_MEMORY with the number of bytes and what they were for. */
#define snw__fail_memory(error, size, what) \
    snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for %s (%zu bytes)", (what), (size_t)(size))

/* A number of an option struct within [low, high]; else SNW_INVALID_ARGUMENT with a sentence that
 * names it, its value and the bounds. NaN is outside of everything. */
typedef struct snw__bounds {
    const char *name; /* "frame_max of the calibration" */
    double value, low, high;
} snw__bounds;

snw_status snw__check_bounds(const snw__bounds *options, int count, snw_error *error);

/* *error = none, if there is one; returns SNW_OK. Every successful public call ends with it. */
snw_status snw__succeed(snw_error *error);

#endif
