/* Notes on what was read, whatever its format: values that no capture holds, and markers of one
 * name. Both are kept as they are, because what was read is written back bit for bit, but said: a
 * wrong unit or a damaged number looks like this, and whoever asks for a name gets its first. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/name_set.h"
#include "io/formats.h"
#include "person/movement.h"

/* Frames per second. The fastest marker cameras reach 10 000 on a strip of their sensor. */
#define EXTREME_RATE 2e4
/* Metres. The longest segments that anybody captured are those of cranes and whales. */
#define EXTREME_BONE 1e3

static void note_rate(double rate, snw_notes *notes)
{
    if (rate > EXTREME_RATE)
        snw__note(notes, SNW_NOTE_VALUE_EXTREME, SNW__NOWHERE,
                  "%g frames per second are more than any camera gives", rate);
}

void snw__note_extremes_of_trial(const snw_trial *trial, snw_notes *notes)
{
    if (!notes) return;
    int64_t count = 0;
    double worst = 0;
    int marker = -1, frame = -1;
    note_rate(trial->rate, notes);
    size_t at = 0;
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++, at++) {
            if (trial->state[at] == SNW_SAMPLE_MISSING) continue;
            if (!snw_point_is_position(trial->marker[m].kind)) continue;
            const snw_sample *sample = trial->sample + at;
            double metres_per_unit = trial->metres_per_unit;
            double x = fabs((double)sample->x), y = fabs((double)sample->y),
                   z = fabs((double)sample->z);
            double most = x > y ? x : y;
            double far = (most > z ? most : z) * metres_per_unit;
            /* Metres from the origin. Calibration uses no sample beyond this
             * (src/rigid/rigid_constants.h). */
            count += far > SNW__VOLUME_MAX;
            if (!(far > SNW__VOLUME_MAX && far > worst)) continue;
            worst = far;
            marker = m;
            frame = f;
        }
    if (count == 0) return;
    const char *name = trial->marker[marker].name;
    snw__note(notes, SNW_NOTE_VALUE_EXTREME, ((snw__place){-1, -1, frame, marker, name}),
              "%lld sample%s farther than %g km from the origin and will not be used (%.60s in "
              "frame %d: %.3g m)",
              (long long)count, count == 1 ? " is" : "s are", SNW__VOLUME_MAX / 1000, name,
              frame + trial->first_frame, worst);
}

void snw__note_extremes_of_motion(const snw_motion *motion, snw_notes *notes)
{
    const snw_skeleton *body = motion->skeleton;
    if (!notes) return;
    note_rate(motion->rate, notes);
    int longest = -1, count = 0;
    double most = EXTREME_BONE;
    for (int j = 1; j < body->joint_count; j++) {
        double length = snw_vec3_length(body->rest[j].translation);
        count += length > EXTREME_BONE;
        if (!(length > most)) continue;
        most = length;
        longest = j;
    }
    if (count == 0) return;
    snw__note(
        notes, SNW_NOTE_VALUE_EXTREME, snw__at_name(longest, body->name[longest]),
        "%d joint%s farther than %g km from the one above it (%.60s: %.3g m): is the unit right?",
        count, count == 1 ? " is" : "s are", EXTREME_BONE / 1000, body->name[longest], most);
}

snw_status snw__note_repeated_names(snw__reading *reading, const snw_trial *trial)
{
    if (!reading->notes || trial->marker_count < 2) return SNW_OK;
    snw__name_set names;
    snw_status status =
        snw__name_set_create(&names, trial->marker_count, &reading->allocator, reading->error);
    if (status == SNW_OK) {
        int count = 0, first = -1, second = -1;
        for (int m = 0; m < trial->marker_count; m++) {
            if (!trial->marker[m].name[0]) continue;
            const char *name = trial->marker[m].name;
            int earlier = snw__name_set_add(&names, name, strlen(name), m);
            if (earlier < 0 || count++) continue;
            first = earlier;
            second = m;
        }
        if (count == 1)
            snw__note(reading->notes, SNW_NOTE_LABEL_REPEATED,
                      snw__at_name(second, trial->marker[first].name),
                      "markers %d and %d are both called %.60s", first + 1, second + 1,
                      trial->marker[first].name);
        else if (count > 1)
            snw__note(
                reading->notes, SNW_NOTE_LABEL_REPEATED,
                snw__at_name(second, trial->marker[first].name),
                "%d markers have the name of an earlier one (first: markers %d and %d, %.60s)",
                count, first + 1, second + 1, trial->marker[first].name);
    }
    snw__name_set_release(&names);
    return status;
}
