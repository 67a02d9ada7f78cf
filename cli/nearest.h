/* The name that a mistyped word most likely means. */
#ifndef SINEW_CLI_NEAREST_H
#define SINEW_CLI_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Offers names one by one; starts as {word} with everything else zero. */
typedef struct cli_nearest {
    const char *word;
    const char *name; /* the nearest so far, or NULL: nothing offered is near */
    size_t distance;
} cli_nearest;

void cli_nearest_offer(cli_nearest *nearest, const char *name);
/* ": did you mean walk?" or "", in a text of the caller. */
const char *cli_nearest_hint(const cli_nearest *nearest, char *text, size_t size);

#endif
