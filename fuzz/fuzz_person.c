/* A whole person, spoiled in any way, is joined, grouped, filled and measured as a walk: refused
 * with a sentence, or finite. fuzz_solve calibrates it, which takes longer. */
#include "fuzz_people.h"

enum {
    PERSON_UNNAMED = 15 /* markers: segments are looked for among all, which takes long of many */
};

static snw_trial *make_trial(fuzz_bytes *bytes)
{
    snw_trial *trial = person_make(bytes, PERSON_FRAMES);
    if (!snw_label_is_automatic(trial->marker[0].name)) return trial;
    return person_part(trial, fuzz_below(bytes, trial->marker_count), 1, PERSON_UNNAMED);
}

static void try_join(const snw_trial *trial, const snw_allocator *allocator)
{
    snw_joined *joined = NULL;
    snw_error error;
    fuzz_check_said(snw_trial_join(trial, NULL, allocator, &joined, NULL, &error), &error);
    if (joined) fuzz_check_trial(joined->trial);
    snw_joined_destroy(joined);
}

/* Labels that say something else than the motion are put right, and markers that exchanged them. */
static void try_segments(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_segment_options how = snw_segment_options_default();
    snw_segments *segments = NULL;
    snw_error error;
    unsigned more = fuzz_byte(bytes);
    how.method = (snw_segment_method)fuzz_below(bytes, SNW_SEGMENT_METHOD_COUNT);
    if ((more & 5) == 5) how.tolerance = 0.01;
    if (more & 128)
        fuzz_check_said(snw_trial_undo_jumps(trial, more & 1, allocator, NULL, NULL, &error),
                        &error);
    fuzz_check_said(snw_segments_find(trial, &how, allocator, &segments, NULL, &error), &error);
    if (segments && (more & 1))
        fuzz_check_said(snw_trial_undo_swaps(trial, segments, allocator, NULL, NULL, &error),
                        &error);
    if (segments && (more & 2))
        fuzz_check_said(snw_trial_undo_slips(trial, segments, allocator, NULL, NULL, &error),
                        &error);
    fuzz_check_trial(trial);
    snw_segments_destroy(segments);
}

static void try_fill(const snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_fill_options how = snw_fill_options_default();
    snw_filled *filled = NULL;
    snw_error error;
    how.method = (snw_fill_method)fuzz_below(bytes, SNW_FILL_METHOD_COUNT);
    fuzz_check_said(snw_trial_fill(trial, &how, allocator, &filled, NULL, &error), &error);
    if (filled) fuzz_check_trial(filled->trial);
    snw_filled_destroy(filled);
}

static void try_predict(const snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    int neighbour[PERSON_MARKERS_MAX];
    snw_predict_options options = snw_predict_options_default();
    snw_trial *predicted = NULL;
    snw_segments *segments = NULL;
    snw_error error;
    fuzz_check_said(snw_segments_find(trial, NULL, allocator, &segments, NULL, &error), &error);
    if (!segments) return;
    fuzz_check_said(snw_segment_neighbours(trial, segments, allocator, neighbour, &error), &error);
    snw_predict_job job = {segments, neighbour, NULL, 0, fuzz_byte(bytes) & 1};
    options.method = (snw_predict_method)fuzz_below(bytes, SNW_PREDICT_METHOD_COUNT);
    fuzz_check_said(snw_trial_predict(trial, &job, &options, allocator, &predicted, &error),
                    &error);
    if (predicted) fuzz_check_trial(predicted);
    snw_trial_destroy(predicted);
    snw_segments_destroy(segments);
}

static void try_walk(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_gait_options options = snw_gait_options_default();
    snw_gait_events *events = NULL;
    snw_strides *strides = NULL;
    snw_angles *angles = NULL;
    snw_gait_model model;
    snw_cycle cycle;
    snw_error error;
    options.hip = (snw_hip_regression)fuzz_below(bytes, SNW_HIP_REGRESSION_COUNT);
    options.is_medial_used = fuzz_byte(bytes) & 1;
    trial->up = fuzz_byte(bytes) & 1 ? SNW_UP_UNKNOWN : trial->up;
    if (snw_gait_model_make(trial, trial, &options, &model, NULL, &error) != SNW_OK) return;
    fuzz_check_said(
        snw_angles_measure(trial, &model,
                           (snw_angle_convention)fuzz_below(bytes, SNW_ANGLES_FUNCTIONAL),
                           allocator, &angles, &error),
        &error);
    fuzz_check_said(snw_gait_events_read(trial, allocator, &events, &error), &error);
    if (events)
        fuzz_check_said(snw_strides_measure(trial, events, allocator, &strides, &error), &error);
    if (angles && strides && angles->column_count > 0) {
        snw_cycle_mean(angles, 0, strides, fuzz_byte(bytes) & 1, &cycle);
        if (cycle.count < 0 || cycle.count > strides->count) abort();
    }
    snw_strides_destroy(strides);
    snw_gait_events_destroy(events);
    snw_angles_destroy(angles);
}

/* A motion of the person's own body becomes a rig whose feet stand still. */
static void try_rig(fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_rig_options options = snw_rig_options_default();
    const snw_motion *walk = person_motion(fuzz_below(bytes, PERSON_KINDS));
    snw_motion *rig = NULL;
    snw_error error;
    options.names = (snw_rig_names)fuzz_below(bytes, SNW_RIG_NAMES_COUNT);
    options.is_on_floor = fuzz_byte(bytes) & 1;
    options.has_foot_lock = fuzz_byte(bytes) & 3;
    fuzz_check_said(snw_motion_to_rig(walk, &options, allocator, &rig, NULL, &error), &error);
    if (rig) fuzz_check_motion(rig);
    snw_motion_destroy(rig);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    int room = fuzz_below(&bytes, 6);
    snw_trial *trial = make_trial(&bytes);
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    if (room == 0) try_join(trial, &allocator);
    if (room == 1) try_segments(trial, &bytes, &allocator);
    if (room == 2) try_fill(trial, &bytes, &allocator);
    if (room == 3) try_predict(trial, &bytes, &allocator);
    if (room == 4) try_walk(trial, &bytes, &allocator);
    if (room == 5) try_rig(&bytes, &allocator);
    if (counter.live != 0) abort();
    snw_trial_destroy(trial);
    return 0;
}
