/* Markers of one name: kept as they are, but said, because whoever asks for the name gets the
 * first.
 */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/formats.h"

/* FNV-1a. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

/* Marker numbers from 1 by the hash of their name; 0 = free. */
typedef struct repeats_table {
    int *slot; /* (mask + 1) */
    uint32_t mask;
} repeats_table;

/* The earlier marker of that name, or -1 after entering this one. */
static int find_or_enter(const repeats_table *table, const snw_trial *trial, int marker)
{
    const char *name = trial->marker[marker].name;
    uint32_t at = hash_of(name) & table->mask;
    for (; table->slot[at]; at = (at + 1) & table->mask)
        if (strcmp(trial->marker[table->slot[at] - 1].name, name) == 0) return table->slot[at] - 1;
    table->slot[at] = marker + 1;
    return -1;
}

static void note_repeats_in(const repeats_table *table, const snw_trial *trial, snw_notes *notes)
{
    int count = 0, first = -1, second = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!trial->marker[m].name[0]) continue;
        int earlier = find_or_enter(table, trial, m);
        if (earlier < 0 || count++) continue;
        first = earlier;
        second = m;
    }
    if (count == 1)
        snw__note(notes, SNW_NOTE_LABEL_REPEATED, snw__at_name(second, trial->marker[first].name),
                  "markers %d and %d are both called %.60s", first + 1, second + 1,
                  trial->marker[first].name);
    else if (count > 1)
        snw__note(notes, SNW_NOTE_LABEL_REPEATED, snw__at_name(second, trial->marker[first].name),
                  "%d markers have the name of an earlier one (first: markers %d and %d, %.60s)",
                  count, first + 1, second + 1, trial->marker[first].name);
}

snw_status snw__note_repeated_names(snw__reading *reading, const snw_trial *trial)
{
    if (!reading->notes || trial->marker_count < 2) return SNW_OK;
    uint32_t size = 4;
    while (size < 2 * (uint32_t)trial->marker_count)
        size *= 2;
    repeats_table table = {NULL, size - 1};
    table.slot = snw__allocate(&reading->allocator, size * sizeof *table.slot);
    if (!table.slot) return snw__fail_memory(reading->error, size * sizeof *table.slot, "names");
    memset(table.slot, 0, size * sizeof *table.slot);
    note_repeats_in(&table, trial, reading->notes);
    snw__release(&reading->allocator, table.slot, size * sizeof *table.slot);
    return SNW_OK;
}
