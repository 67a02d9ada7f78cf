/* Values that no capture holds: read as they are, because what was read is written back bit for
 * bit, but said, because a wrong unit or a damaged number looks like this. */
#include <math.h>

#include "base/fail.h"
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

static double farthest_coordinate(const snw_sample *sample, double metres_per_unit)
{
    double x = fabs((double)sample->x), y = fabs((double)sample->y), z = fabs((double)sample->z);
    double most = x > y ? x : y;
    return (most > z ? most : z) * metres_per_unit;
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
            double far = farthest_coordinate(trial->sample + at, trial->metres_per_unit);
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
