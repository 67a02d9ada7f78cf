/* Any small capture through one of the modules that take trials: joined, recognised, grouped, put
 * right, deviations, filtered. Every step refuses with a sentence or gives finite answers; nothing
 * leaks. Calibration, filling and writing have targets of their own. */
#include "fuzz_trials.h"

static void try_join(const snw_trial *trial, const snw_allocator *allocator)
{
    snw_joined *joined = NULL;
    snw_error error;
    fuzz_check_said(snw_trial_join(trial, NULL, allocator, &joined, NULL, &error), &error);
    if (joined) fuzz_check_trial(joined->trial);
    snw_joined_destroy(joined);
}

static void try_recognise(snw_trial *trial, const snw_allocator *allocator)
{
    snw_recognised *recognised = NULL;
    snw_error error;
    fuzz_check_said(snw_trial_recognise(trial, allocator, &recognised, NULL, &error), &error);
    if (!recognised) return;
    if (!(isfinite(recognised->cost) && isfinite(recognised->margin))) abort();
    fuzz_check_said(snw_recognised_name(recognised, trial, &error), &error);
    snw_recognised_destroy(recognised);
}

static void try_segments(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_segment_options how = snw_segment_options_default();
    snw_segments *segments = NULL;
    snw_error error;
    int exchanged = 0, neighbour[16];
    how.method = (snw_segment_method)fuzz_below(bytes, SNW_SEGMENT_METHOD_COUNT);
    how.trusts_labels = fuzz_byte(bytes) & 1;
    fuzz_check_said(snw_segments_find(trial, &how, allocator, &segments, NULL, &error), &error);
    if (!segments) return;
    fuzz_check_said(snw_segment_neighbours(trial, segments, allocator, neighbour, &error), &error);
    fuzz_check_said(snw_trial_undo_swaps(trial, segments, allocator, &exchanged, NULL, &error),
                    &error);
    fuzz_check_said(snw_trial_undo_slips(trial, segments, allocator, NULL, NULL, &error), &error);
    fuzz_check_trial(trial);
    snw_segments_destroy(segments);
}

static void try_jumps(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    double deviation[9 * 9];
    snw_error error;
    int exchanged = 0;
    if (snw_marker_deviations(trial, allocator, deviation, &error) == SNW_OK)
        for (int m = 0; m < trial->marker_count * trial->marker_count; m++)
            if (deviation[m] < 0) abort();
    fuzz_check_said(
        snw_trial_undo_jumps(trial, fuzz_byte(bytes) & 1, allocator, &exchanged, NULL, &error),
        &error);
    fuzz_check_trial(trial);
}

static void try_change(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_trial *smooth = NULL, *other = NULL;
    snw_error error;
    double cutoff = fuzz_byte(bytes) & 1 ? 0 : fuzz_number(bytes) * 50;
    double rate = 200 * fabs(fuzz_number(bytes));
    fuzz_check_said(snw_trial_filter(trial, cutoff, allocator, &smooth, NULL, &error), &error);
    if (smooth) fuzz_check_trial(smooth);
    if (rate < 1e4)
        fuzz_check_said(snw_trial_resample(trial, rate, allocator, &other, &error), &error);
    if (other) fuzz_check_trial(other);
    fuzz_check_said(snw_trial_turn_up(trial, (snw_up_axis)fuzz_below(bytes, 8), &error), &error);
    fuzz_check_trial(trial);
    snw_trial_destroy(other);
    snw_trial_destroy(smooth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int room = fuzz_below(&bytes, 5);
    snw_trial *trial = fuzz_trial(&bytes, room == 1 ? 6 : 9, room == 0 ? 12 : 8);
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    if (!trial) return 0;
    if (room == 0) try_join(trial, &allocator);
    if (room == 1) try_recognise(trial, &allocator);
    if (room == 2) try_segments(trial, &bytes, &allocator);
    if (room == 3) try_jumps(trial, &bytes, &allocator);
    if (room == 4) try_change(trial, &bytes, &allocator);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}
