/* Reading and writing single samples of a trial, and the gaps between them. */
#include "trial/trial_memory.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static size_t sample_index(const snw_trial *trial, int frame, int marker)
{
    return (size_t)frame * (size_t)trial->marker_count + (size_t)marker;
}

snw_frame snw_trial_frame(const snw_trial *trial, int frame)
{
    size_t first = sample_index(trial, frame, 0);
    snw_frame look;
    look.marker_count = trial->marker_count;
    look.time = trial->rate > 0 ? frame / trial->rate : 0;
    look.metres_per_unit = trial->metres_per_unit;
    look.residual_scale = trial->residual_scale;
    look.sample = trial->sample + first;
    look.state = trial->state + first;
    look.uncertainty = trial->uncertainty ? trial->uncertainty + first : NULL;
    return look;
}

int snw_trial_find_marker(const snw_trial *trial, const char *name)
{
    for (int m = 0; m < trial->marker_count; m++)
        if (strcmp(trial->marker[m].name, name) == 0) return m;
    return -1;
}

bool snw_trial_is_present(const snw_trial *trial, int frame, int marker)
{
    return trial->state[sample_index(trial, frame, marker)] != SNW_SAMPLE_MISSING;
}

snw_vec3 snw_trial_position(const snw_trial *trial, int frame, int marker)
{
    const snw_frame look = snw_trial_frame(trial, frame);
    return snw_frame_position(&look, marker);
}

double snw_trial_residual(const snw_trial *trial, int frame, int marker)
{
    size_t index = sample_index(trial, frame, marker);
    double quality = trial->sample[index].quality;
    if (trial->state[index] == SNW_SAMPLE_MISSING) return -1;
    /* Not a 15-bit word: no residual is known. NaN ends here too. */
    if (!(quality > 0 && quality < 32768)) return 0;
    double whole = floor(quality);
    if (quality != whole) return quality * trial->metres_per_unit;
    return ((int)whole & 255) * trial->residual_scale * trial->metres_per_unit;
}

unsigned snw_trial_cameras(const snw_trial *trial, int frame, int marker)
{
    size_t index = sample_index(trial, frame, marker);
    double quality = trial->sample[index].quality;
    if (trial->state[index] == SNW_SAMPLE_MISSING) return 0;
    if (!(quality > 0 && quality < 32768) || quality != floor(quality)) return 0;
    return ((unsigned)quality >> 8) & 127u;
}

void snw_trial_set(snw_trial *trial, int frame, int marker, snw_vec3 position,
                   snw_sample_state state)
{
    size_t index = sample_index(trial, frame, marker);
    snw_sample *sample = trial->sample + index;
    double per_metre = 1 / trial->metres_per_unit;
    sample->x = (float)(position.x * per_metre);
    sample->y = (float)(position.y * per_metre);
    sample->z = (float)(position.z * per_metre);
    sample->quality = 0;
    bool is_usable = isfinite(sample->x) && isfinite(sample->y) && isfinite(sample->z);
    if (state == SNW_SAMPLE_MISSING || !is_usable) {
        sample->x = sample->y = sample->z = 0;
        sample->quality = -1;
        state = SNW_SAMPLE_MISSING;
    }
    trial->state[index] = (uint8_t)state;
}

snw_status snw_trial_need_uncertainty(snw_trial *trial, snw_error *error)
{
    if (trial->uncertainty) return snw__succeed(error);
    size_t size = snw__size_mul(sample_index(trial, trial->frame_count, 0), sizeof(float));
    trial->uncertainty = (float *)snw__allocate(&trial->allocator, size);
    if (!trial->uncertainty) return snw__fail_memory(error, size, "the uncertainties of a trial");
    return snw__succeed(error);
}

double snw_trial_analog(const snw_trial *trial, int frame, int sub_frame, int channel)
{
    size_t row = (size_t)frame * (size_t)trial->analog_per_frame + (size_t)sub_frame;
    const snw_analog_channel *info = trial->analog_channel + channel;
    double raw = trial->analog[row * (size_t)trial->analog_count + (size_t)channel];
    return (raw - info->offset) * info->scale * trial->analog_general_scale;
}

snw_gap_summary snw_trial_gaps(const snw_trial *trial, int marker)
{
    snw_gap_summary summary = {0, 0, 0, false};
    int open_since = -1; /* frame after the last sample seen; -1 before the first */
    for (int frame = 0; frame < trial->frame_count; frame++) {
        if (!snw_trial_is_present(trial, frame, marker)) {
            summary.missing_count++;
            continue;
        }
        int length = open_since < 0 ? 0 : frame - open_since;
        if (length > 0) summary.interior_count++;
        if (length > summary.longest) summary.longest = length;
        open_since = frame + 1;
    }
    summary.is_never_seen = open_since < 0;
    return summary;
}
