/* Samples at exactly the origin: how many programs write "not seen" where their format has no sign
 * for it. No camera measures three zeros; a place that really is the origin is written by Sinew as
 * -0 in C3D, and a marker that never leaves the origin's neighbourhood stands there. */
#include <math.h>

#include <sinew/trial.h>

#include "base/notes.h"

/* Metres. A marker that is never seen farther away stands at the origin. */
#define ZEROS_NEAR 0.01

static bool is_zero(const snw_sample *sample)
{
    return sample->x == 0 && sample->y == 0 && sample->z == 0 && !signbit(sample->x) &&
           !signbit(sample->y) && !signbit(sample->z);
}

/* Does the marker stand at the origin? Not where all that is known of it are zeros. */
static bool stands_at_origin(const snw_trial *trial, int marker)
{
    int others = 0;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
        if (trial->state[at] == SNW_SAMPLE_MISSING || is_zero(trial->sample + at)) continue;
        if (snw_vec3_length(snw_trial_position(trial, frame, marker)) > ZEROS_NEAR) return false;
        others++;
    }
    return others > 0;
}

static int drop_zeros_of(snw_trial *trial, int marker)
{
    int count = 0;
    /* No force is a force. */
    if (!snw_point_is_position(trial->marker[marker].kind)) return 0;
    if (stands_at_origin(trial, marker)) return 0;
    for (int frame = 0; frame < trial->frame_count; frame++) {
        size_t at = (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
        if (trial->state[at] == SNW_SAMPLE_MISSING || !is_zero(trial->sample + at)) continue;
        trial->sample[at].quality = -1;
        trial->state[at] = SNW_SAMPLE_MISSING;
        count++;
    }
    return count;
}

int64_t snw_trial_drop_zeros(snw_trial *trial, snw_notes *notes)
{
    int64_t samples = 0;
    int markers = 0, first = -1;
    for (int m = 0; m < trial->marker_count; m++) {
        int count = drop_zeros_of(trial, m);
        if (count == 0) continue;
        if (first < 0) first = m;
        samples += count;
        markers++;
    }
    if (samples)
        snw__note(notes, SNW_NOTE_VALUE_REPAIRED, snw__at_name(first, trial->marker[first].name),
                  "%lld sample%s of %d marker%s %s at exactly 0 0 0, the first is %s: taken as "
                  "missing",
                  (long long)samples, samples == 1 ? "" : "s", markers, markers == 1 ? "" : "s",
                  samples == 1 ? "stands" : "stand", trial->marker[first].name);
    return samples;
}
