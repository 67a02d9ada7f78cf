/* Markers of one name: kept as they are, but said, because whoever asks for the name gets the
 * first.
 */
#include <string.h>

#include "base/fail.h"
#include "base/name_set.h"
#include "io/formats.h"

static void note_repeats_in(snw__name_set *names, const snw_trial *trial, snw_notes *notes)
{
    int count = 0, first = -1, second = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!trial->marker[m].name[0]) continue;
        const char *name = trial->marker[m].name;
        int earlier = snw__name_set_add(names, name, strlen(name), m);
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
    snw__name_set names;
    snw_status status =
        snw__name_set_create(&names, trial->marker_count, &reading->allocator, reading->error);
    if (status == SNW_OK) note_repeats_in(&names, trial, reading->notes);
    snw__name_set_release(&names);
    return status;
}
