/* Any bytes as a trial with gaps: filled or predicted without a NaN, and what was measured stays.
 */
#include "fuzz_trials.h"

/* Two bytes choose the size; then each sample is one byte: 0 to 63 missing, else coordinates that
 * the byte and the marker's number give, so that few bytes make lines, planes and coinciding
 * markers. */
static void place_sample(snw_trial *trial, int frame, int marker, unsigned byte)
{
    double spread = (byte & 7) / 100.0, large = byte == 255 ? 1e30 : 1;
    if (byte < 64) return;
    snw_vec3 place = {(marker % 3) * 0.1 + spread, (marker / 3) * 0.1,
                      large * (frame + (int)byte) / 500.0};
    snw_trial_set(trial, frame, marker, place, SNW_SAMPLE_MEASURED);
}

static void check_filled(const snw_trial *before, const snw_trial *after)
{
    size_t count = (size_t)before->frame_count * (size_t)before->marker_count;
    fuzz_check_trial(after);
    for (size_t n = 0; n < count; n++)
        if (before->state[n] != SNW_SAMPLE_MISSING &&
            memcmp(before->sample + n, after->sample + n, sizeof *after->sample) != 0)
            abort();
}

static void try_fill(const snw_trial *trial, int method)
{
    snw_fill_options how = snw_fill_options_default();
    snw_filled *filled = NULL;
    snw_error error;
    how.method = (snw_fill_method)method;
    fuzz_check_said(snw_trial_fill(trial, &how, NULL, &filled, NULL, &error), &error);
    if (filled) check_filled(trial, filled->trial);
    snw_filled_destroy(filled);
}

static void try_predict(const snw_trial *trial, fuzz_bytes *bytes)
{
    int limb_of[12], neighbour[12];
    snw_frame_ray ray = {1, {0, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 1)}};
    snw_limbs *limbs = NULL;
    snw_trial *predicted = NULL;
    snw_error error;
    for (int m = 0; m < trial->marker_count; m++)
        limb_of[m] = m / 3;
    if (snw_limbs_create(limb_of, trial->marker_count, NULL, NULL, &limbs, &error) != SNW_OK)
        abort();
    for (int l = 0; l < limbs->limb_count; l++)
        neighbour[l] = l - 1;
    ray.ray.direction = snw_vec3_unit(fuzz_vector(bytes), ray.ray.direction);
    snw_predict_job job = {limbs, neighbour, &ray, fuzz_below(bytes, 2), fuzz_byte(bytes) & 1};
    snw_predict_options options = snw_predict_options_default();
    options.method = (snw_predict_method)fuzz_below(bytes, SNW_PREDICT_METHOD_COUNT);
    fuzz_check_said(snw_trial_predict(trial, &job, &options, NULL, &predicted, &error), &error);
    if (predicted) fuzz_check_trial(predicted);
    snw_trial_destroy(predicted);
    snw_limbs_destroy(limbs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    unsigned sizes = fuzz_byte(&bytes), what = fuzz_byte(&bytes);
    options.marker_count = 1 + (int)(sizes & 7);
    options.frame_count = 1 + (int)(sizes >> 3) % 16;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) return 0;
    for (int frame = 0; frame < options.frame_count; frame++)
        for (int m = 0; m < options.marker_count; m++)
            place_sample(trial, frame, m,
                         bytes.at < bytes.end ? fuzz_byte(&bytes) : 64 + sizes / 2);
    bytes.at = data;
    if (what & 1)
        try_predict(trial, &bytes);
    else
        try_fill(trial, (int)(what >> 1) % SNW_FILL_BODY);
    snw_trial_destroy(trial);
    return 0;
}
