/* Any bytes as a trial with gaps: it is filled without a NaN, and what was measured stays. */
#include <stdlib.h>
#include <string.h>

#include <sinew/sinew.h>

/* Two bytes choose the size; then each sample is one byte: 0 to 63 missing, else coordinates that
 * the byte and the marker's number give, so that few bytes make lines, planes and coinciding
 * markers. */
static void place_sample(snw_trial *trial, int frame, int marker, uint8_t byte)
{
    double spread = (byte & 7) / 100.0, large = byte == 255 ? 1e30 : 1;
    if (byte < 64) return;
    snw_vec3 place = {(marker % 3) * 0.1 + spread, (marker / 3) * 0.1,
                      large * (frame + byte) / 500.0};
    snw_trial_set(trial, frame, marker, place, SNW_SAMPLE_MEASURED);
}

static void check_filled(const snw_trial *before, const snw_trial *after)
{
    int count = before->frame_count * before->marker_count;
    for (int n = 0; n < count; n++) {
        const snw_sample *sample = after->sample + n;
        if (!(sample->x - sample->x == 0) || !(sample->z - sample->z == 0)) abort();
        if (before->state[n] == SNW_SAMPLE_MISSING) continue;
        if (memcmp(before->sample + n, sample, sizeof *sample) != 0) abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_filled *filled = NULL;
    snw_fill_options how = snw_fill_options_default();
    if (size < 3) return 0;
    options.marker_count = 1 + data[0] % 12;
    options.frame_count = 1 + data[1] % 100;
    how.method = (snw_fill_method)(data[2] % SNW_FILL_BODY);
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) return 0;
    for (int frame = 0, n = 3; frame < options.frame_count; frame++)
        for (int m = 0; m < options.marker_count; m++, n++)
            place_sample(trial, frame, m, data[2 + (size_t)n % (size - 2)]);
    if (snw_trial_fill(trial, &how, NULL, &filled, NULL, NULL) == SNW_OK)
        check_filled(trial, filled->trial);
    snw_filled_destroy(filled);
    snw_trial_destroy(trial);
    return 0;
}
