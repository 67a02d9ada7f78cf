/* One segment or two of some markers, for a second and more, on which markers slip or two exchange
 * their labels: samples are brought to where they were, or left out; what is there stays finite,
 * and what is told lies in the trial. */
#include "fuzz_trials.h"

enum {
    SLIP_MARKERS = 8,
    SLIP_SEGMENT = 4, /* markers; the second segment has those beyond */
    SNW__SAMPLES_SHAPE = 80,
    SLIP_LONG = 160 /* now and then: runs of four frames, in which noise is told from skin */
};

static snw_trial *make_trial(fuzz_bytes *bytes)
{
    snw_trial_options options = snw_trial_options_default();
    snw_vec3 local[SLIP_MARKERS];
    snw_trial *trial = NULL;
    options.marker_count = 3 + fuzz_below(bytes, SLIP_MARKERS - 2);
    options.frame_count = SNW__SAMPLES_SHAPE - fuzz_below(bytes, SNW__SAMPLES_SHAPE);
    unsigned rate = fuzz_byte(bytes);
    options.rate = 25 * (1 + rate % 4);
    if (rate >= 0xf0) options.frame_count = SLIP_LONG;
    if (snw_trial_create(&options, NULL, &trial, NULL) != SNW_OK) abort();
    double noise = fuzz_byte(bytes) / 1e5;
    for (int m = 0; m < options.marker_count; m++)
        local[m] = snw_vec3_scale(fuzz_vector(bytes), 0.15);
    int slips = fuzz_below(bytes, 4), at[3] = {0}, who[3] = {0};
    snw_vec3 by[3];
    for (int n = 0; n < slips; n++) {
        who[n] = fuzz_below(bytes, options.marker_count);
        at[n] = fuzz_below(bytes, SNW__SAMPLES_SHAPE);
        by[n] = snw_vec3_scale(fuzz_vector(bytes), 0.08);
    }
    for (int f = 0; f < options.frame_count; f++) {
        snw_quat turn[2] = {snw_quat_exp(snw_vec3_make(sin(0.11 * f), 0.4 * cos(0.07 * f), 0)),
                            snw_quat_exp(snw_vec3_make(0, 0.5, sin(0.13 * f)))};
        for (int m = 0; m < options.marker_count; m++) {
            snw_vec3 place = local[m];
            for (int n = 0; n < slips; n++)
                if (who[n] == m && f >= at[n]) place = snw_vec3_add(place, by[n]);
            place = snw_quat_rotate(turn[m >= SLIP_SEGMENT], place);
            place.y += m >= SLIP_SEGMENT ? 0.3 : 0;
            place.x += 0.01 * f + noise * ((f * 31 + m * 7) % 5 - 2);
            if (fuzz_byte(bytes) < 252 && snw_vec3_length(place) < 1e6)
                snw_trial_set(trial, f, m, place, SNW_SAMPLE_MEASURED);
        }
    }
    for (int n = fuzz_below(bytes, 3); n > 0; n--) { /* hidden while it slips */
        int marker = fuzz_below(bytes, options.marker_count),
            first = fuzz_below(bytes, SNW__SAMPLES_SHAPE);
        int end = first + fuzz_below(bytes, 20);
        for (int f = first; f < end && f < options.frame_count; f++)
            snw_trial_set(trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
    return trial;
}

static void exchange(snw_trial *trial, fuzz_bytes *bytes)
{
    int a = fuzz_below(bytes, trial->marker_count), b = fuzz_below(bytes, trial->marker_count);
    int first = fuzz_below(bytes, SNW__SAMPLES_SHAPE),
        end = first + 1 + fuzz_below(bytes, SNW__SAMPLES_SHAPE);
    for (int f = first; f < end && f < trial->frame_count; f++) {
        size_t row = (size_t)f * (size_t)trial->marker_count;
        snw_sample kept = trial->sample[row + (size_t)a];
        uint8_t state = trial->state[row + (size_t)a];
        trial->sample[row + (size_t)a] = trial->sample[row + (size_t)b];
        trial->state[row + (size_t)a] = trial->state[row + (size_t)b];
        trial->sample[row + (size_t)b] = kept;
        trial->state[row + (size_t)b] = state;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    int segment_of[SLIP_MARKERS] = {0, 0, 0, 0, 1, 1, 1, 1};
    snw_trial *trial = make_trial(&bytes);
    snw_segments *segments = NULL;
    snw_notes notes = snw_notes_none();
    snw_slips found;
    snw_error error;
    if (fuzz_byte(&bytes) > 240) segment_of[0] = -1;
    if (snw_segments_create(segment_of, trial->marker_count, NULL, &allocator, &segments, &error) !=
        SNW_OK)
        abort();
    unsigned more = fuzz_byte(&bytes);
    if (more & 1) exchange(trial, &bytes);
    if (more & 2)
        fuzz_check_said(snw_trial_undo_swaps(trial, segments, &allocator, NULL, &notes, &error),
                        &error);
    if (more & 4)
        fuzz_check_said(snw_trial_undo_jumps(trial, more & 8, &allocator, NULL, &notes, &error),
                        &error);
    if (more & 16) { /* the same segments by the motion alone */
        snw_segment_options how = snw_segment_options_default();
        snw_segments *found_segments = NULL;
        how.method = SNW_SEGMENTS_BY_RIGIDITY;
        fuzz_check_said(snw_segments_find(trial, &how, &allocator, &found_segments, &notes, &error),
                        &error);
        snw_segments_destroy(found_segments);
    }
    snw_status status = snw_trial_undo_slips(trial, segments, &allocator, &found, &notes, &error);
    fuzz_check_said(status, &error);
    fuzz_check_trial(trial);
    for (int n = 0; status == SNW_OK && n < found.count; n++) {
        const snw_slip *slip = &found.item[n];
        if (slip->marker < 0 || slip->marker >= trial->marker_count || slip->frame < 0 ||
            slip->frame >= trial->frame_count || !isfinite(slip->distance))
            abort();
    }
    snw_segments_destroy(segments);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}
