#include "nearest.h"

#include <ctype.h>
#include <string.h>

#include <sinew/base.h>

/* Longer words are not typed by hand. */
#define NEAREST_LETTERS 63

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to put in, take out, change or exchange with their neighbour (Damerau 1964, in the
 * restricted form), upper and lower case the same. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][NEAREST_LETTERS + 1];
    size_t length = strlen(b);
    if (strlen(a) > NEAREST_LETTERS || length > NEAREST_LETTERS) return NEAREST_LETTERS;
    for (size_t j = 0; j <= length; j++)
        rows[0][j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        const size_t *before = rows[(i + 1) % 3], *last = rows[(i + 2) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][length];
}

void cli_nearest_offer(cli_nearest *nearest, const char *name)
{
    size_t distance = edit_distance(nearest->word, name), length = strlen(nearest->word);
    /* A third of the letters may be wrong; of short words one. */
    size_t most = length < 6 ? 1 : length / 3;
    bool is_start = length > 1 && strncmp(nearest->word, name, length) == 0;
    if (distance > most && !is_start) return;
    if (nearest->name && distance >= nearest->distance) return;
    nearest->name = name;
    nearest->distance = distance;
}

const char *cli_nearest_hint(const cli_nearest *nearest, char *text, size_t size)
{
    text[0] = 0;
    if (nearest->name) snw_format(text, size, ": did you mean %s?", nearest->name);
    return text;
}
