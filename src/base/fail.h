/* How library code reports failure. Internal.
 *
 *     return snw__fail(error, SNW_INVALID_ARGUMENT, "row %d: length is negative", row);
 *
 * snw__fail resets the place fields; set error->byte, line, frame, index after it where known
 * (through snw__fail_at, which also copes with error == NULL). */
#ifndef SNW_BASE_FAIL_H
#define SNW_BASE_FAIL_H

#include <sinew/base.h>

/* Fills *error (if not NULL) and returns `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
snw_status
snw__fail(snw_error *error, snw_status status, const char *format, ...);

/* Where it happened; -1 and NULL for what does not apply. */
typedef struct snw__place {
    int64_t byte;
    int64_t line;
    int64_t frame;
    int64_t index;
    const char *name;
} snw__place;

#define SNW__NOWHERE ((snw__place){-1, -1, -1, -1, NULL})

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
snw_status
snw__fail_at(snw_error *error, snw_status status, snw__place place, const char *format, ...);

/* SNW_OUT_OF_MEMORY with the number of bytes and what they were for. */
snw_status snw__fail_memory(snw_error *error, size_t size, const char *what);

/* *error = none, if there is one; returns SNW_OK. Every successful public call ends with it. */
snw_status snw__succeed(snw_error *error);

#endif
