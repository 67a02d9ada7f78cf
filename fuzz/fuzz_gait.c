/* Any bytes as a capture of a walk: model, angles, events, strides and plates end, and give numbers
 * that are finite or said to be unknown. */
#include "fuzz_trials.h"

static bool is_finite_or_unknown(double value)
{
    return isfinite(value) || isnan(value);
}

static void check_plates(const snw_trial *trial)
{
    for (int p = 0; p < snw_force_plate_count(trial) && p < 4; p++) {
        snw_force_plate plate;
        snw_error error;
        if (snw_force_plate_read(trial, p, &plate, NULL, &error) != SNW_OK) continue;
        snw_force_plate_zero(&plate, trial);
        for (int f = 0; f < trial->frame_count && f < 50; f++) {
            snw_wrench wrench = snw_force_plate_wrench(&plate, trial, f, 0);
            if (!snw_vec3_is_finite(wrench.force) || !snw_vec3_is_finite(wrench.center) ||
                !snw_vec3_is_finite(wrench.free_moment))
                abort();
        }
    }
}

static void check_angles(const snw_trial *trial, snw_angle_convention convention)
{
    snw_gait_model model;
    snw_angles *angles = NULL, *both = NULL;
    snw_trial *with = NULL;
    snw_error error;
    if (snw_gait_model_make(trial, trial, NULL, &model, NULL, &error) != SNW_OK) return;
    if (snw_angles_measure(trial, &model, convention, NULL, &angles, &error) != SNW_OK) return;
    size_t count = (size_t)angles->frame_count * (size_t)angles->column_count;
    for (size_t n = 0; n < count; n++)
        if (!is_finite_or_unknown(angles->value[n])) abort();
    if (snw_angles_with_velocity(angles, NULL, &both, &error) != SNW_OK) abort();
    snw_angles_to_trial(angles, trial, NULL, &with, &error);
    snw_trial_destroy(with);
    snw_angles_destroy(both);
    snw_angles_destroy(angles);
}

static void check_labels(const snw_trial *trial)
{
    snw_labels *labels = NULL;
    snw_error error;
    if (snw_labels_read(trial, NULL, &labels, &error) != SNW_OK && !error.message[0]) abort();
    snw_labels_destroy(labels);
}

static void check_events(snw_trial *trial)
{
    for (int method = 0; method < SNW_EVENT_METHOD_COUNT; method++) {
        snw_event_options options = snw_event_options_default();
        snw_gait_events *events = NULL;
        snw_strides *strides = NULL;
        snw_error error;
        options.method = (snw_event_method)method;
        if (snw_gait_events_find(trial, &options, NULL, &events, NULL, &error) != SNW_OK) continue;
        for (int n = 0; n < events->count; n++)
            if (!isfinite(events->event[n].time)) abort();
        if (snw_strides_measure(trial, events, NULL, &strides, &error) == SNW_OK)
            snw_strides_destroy(strides);
        if (snw_gait_events_store(events, trial, &error) != SNW_OK) abort();
        snw_gait_events_destroy(events);
    }
}

/* Of two markers: a cutoff is sought for each coordinate. */
static void check_filter(const snw_trial *trial)
{
    int marker[2] = {0, trial->marker_count - 1};
    snw_trial *few = NULL, *smooth = NULL;
    snw_error error;
    if (snw_trial_pick(trial, marker, trial->marker_count < 2 ? trial->marker_count : 2, NULL, &few,
                       &error) != SNW_OK)
        return;
    if (snw_trial_filter(few, 0, NULL, &smooth, NULL, &error) == SNW_OK) fuzz_check_trial(smooth);
    snw_trial_destroy(smooth);
    snw_trial_destroy(few);
}

/* What is asked of a file: all at once would be a few hundred runs a second. Any change of the file
 * asks for something else. */
static unsigned choose(const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    for (size_t n = 0; n < size; n++)
        sum += data[n];
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_read_options options = snw_read_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    unsigned chosen = choose(data, size), convention = chosen / 4 % SNW_ANGLES_FUNCTIONAL;
    options.is_lenient = true;
    if (snw_read_trial(&source, &options, NULL, &trial, NULL, &error) != SNW_OK) return 0;
    if (chosen % 4 == 0) check_labels(trial);
    if (chosen % 4 == 0) check_plates(trial);
    if (chosen % 4 == 1) check_angles(trial, (snw_angle_convention)convention);
    if (chosen % 4 == 2) check_events(trial);
    if (chosen % 4 == 3) check_filter(trial);
    snw_trial_destroy(trial);
    return 0;
}
