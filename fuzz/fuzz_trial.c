/* Any small trial with analog channels, rotations, force plates and events through what changes or
 * cuts trials: finite stays finite, windows lie inside, samples keep their order, and nothing stays
 * allocated. */
#include "fuzz_trials.h"

enum {
    TRIAL_MARKERS = 4,
    TRIAL_FRAMES = 8
};

/* FORCE_PLATFORM:CORNERS of one plate, as C3D has them. */
static void add_plate(snw_trial *trial, fuzz_bytes *bytes)
{
    float corner[12], origin[3];
    snw_parameter corners = {0}, origins = {0};
    char name[2][8] = {"CORNERS", "ORIGIN"}, none[1] = "";
    snw_error error;
    for (int n = 0; n < 12; n++)
        corner[n] = (float)fuzz_number(bytes);
    memcpy(origin, corner, sizeof origin);
    corners.name = name[0];
    corners.description = none;
    corners.type = SNW_PARAMETER_FLOAT;
    corners.dimension_count = 3;
    corners.dimension[0] = 3;
    corners.dimension[1] = 4;
    corners.dimension[2] = 1;
    corners.byte_count = sizeof corner;
    corners.data = corner;
    origins = corners;
    origins.name = name[1];
    origins.dimension_count = 2;
    origins.dimension[1] = 1;
    origins.byte_count = sizeof origin;
    origins.data = origin;
    fuzz_check_said(snw_trial_set_parameter(trial, "FORCE_PLATFORM", &corners, &error), &error);
    fuzz_check_said(snw_trial_set_parameter(trial, "FORCE_PLATFORM", &origins, &error), &error);
}

static snw_trial *make_trial(fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.marker_count = fuzz_below(bytes, TRIAL_MARKERS + 1);
    options.frame_count = fuzz_below(bytes, TRIAL_FRAMES + 1);
    options.analog_count = fuzz_below(bytes, 3);
    options.analog_per_frame = options.analog_count ? 1 + fuzz_below(bytes, 3) : 0;
    options.rotation_count = fuzz_below(bytes, 3);
    options.rotations_per_frame = options.rotation_count ? 1 + fuzz_below(bytes, 2) : 0;
    fuzz_check_said(snw_trial_create(&options, allocator, &trial, &error), &error);
    if (!trial) return NULL;
    trial->first_frame = (int)fuzz_byte(bytes) - 8;
    trial->up = (snw_up_axis)fuzz_below(bytes, 7);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            if (fuzz_byte(bytes) & 3) fuzz_place(trial, f, m, fuzz_vector(bytes));
    size_t analog =
        (size_t)trial->frame_count * (size_t)trial->analog_per_frame * (size_t)trial->analog_count;
    for (size_t n = 0; n < analog; n++)
        trial->analog[n] = (float)fuzz_byte(bytes);
    size_t rotation = (size_t)trial->frame_count * (size_t)trial->rotations_per_frame *
                      (size_t)trial->rotation_count * 17;
    for (size_t n = 0; n < rotation; n++)
        trial->rotation[n] = (float)(n % 17 == 16 ? (int)(fuzz_byte(bytes) & 1) - 1 : n % 5 == 0);
    for (int n = 0; n < trial->rotation_count; n++)
        fuzz_check_said(snw_trial_set_rotation_name(trial, n, "Pelvis", &error), &error);
    if (fuzz_byte(bytes) & 1) add_plate(trial, bytes);
    return trial;
}

static void look(const snw_trial *trial)
{
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++) {
            double residual = snw_trial_residual(trial, f, m);
            if (snw_trial_is_present(trial, f, m) != (residual >= 0)) abort();
            if (snw_trial_cameras(trial, f, m) > 127) abort();
            if (snw_trial_is_computed(trial, m)) abort(); /* nobody said so */
        }
    for (int m = 0; m < trial->marker_count; m++) {
        snw_gap_summary gaps = snw_trial_gaps(trial, m);
        if (gaps.missing_count > trial->frame_count || gaps.longest > trial->frame_count) abort();
    }
}

static void cut(const snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    int first = fuzz_below(bytes, 16) - 4, count = fuzz_below(bytes, 16) - 2;
    int marker[3], picked = fuzz_below(bytes, 4);
    snw_trial window = snw_trial_window(trial, first, count), *copy = NULL, *other = NULL;
    snw_error error;
    if (window.frame_count < 0 || window.frame_count > trial->frame_count) abort();
    fuzz_check_trial(&window);
    fuzz_check_said(snw_trial_copy(&window, allocator, &copy, &error), &error);
    if (copy && copy->frame_count != window.frame_count) abort();
    for (int n = 0; n < picked; n++)
        marker[n] = fuzz_below(bytes, 8) - 2;
    fuzz_check_said(snw_trial_pick(trial, marker, picked, allocator, &other, &error), &error);
    if (other && other->marker_count != picked) abort();
    snw_trial_destroy(other);
    snw_trial_destroy(copy);
}

static void change(snw_trial *trial, fuzz_bytes *bytes, const snw_allocator *allocator)
{
    static const char *const units[] = {"mm", "cm", "m", "in", "", "furlong"};
    double rate = 300 * fabs(fuzz_number(bytes)), length = fabs(fuzz_number(bytes));
    snw_trial *other = NULL;
    snw_error error;
    if (rate < 1e4)
        fuzz_check_said(snw_trial_resample(trial, rate, allocator, &other, &error), &error);
    if (other) fuzz_check_trial(other);
    snw_trial_destroy(other);
    if (!(length > 1e-6 && length < 1e6)) length = 0.001;
    snw_trial_set_unit(trial, fuzz_byte(bytes) & 7 ? units[fuzz_below(bytes, 6)] : NULL, length);
    fuzz_check_trial(trial);
    fuzz_check_said(snw_trial_turn_up(trial, (snw_up_axis)fuzz_below(bytes, 8), &error), &error);
    fuzz_check_trial(trial);
    if (snw_trial_drop_zeros(trial, NULL) < 0) abort();
}

static void mark(snw_trial *trial, fuzz_bytes *bytes)
{
    snw_computed_points points = {"ANGLES", "deg", fuzz_below(bytes, 6) - 1,
                                  fuzz_below(bytes, 6) - 1};
    snw_error error;
    if (snw_trial_mark_computed(trial, &points, &error) != SNW_OK) {
        fuzz_check_said(error.status, &error);
        return;
    }
    for (int m = points.first; m < points.first + points.count; m++)
        if (!snw_trial_is_computed(trial, m)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, data + size};
    fuzz_counter counter = {0, 0};
    snw_allocator allocator = fuzz_hook(&counter);
    snw_trial *trial = make_trial(&bytes, &allocator);
    if (!trial) return 0;
    look(trial);
    cut(trial, &bytes, &allocator);
    change(trial, &bytes, &allocator);
    mark(trial, &bytes);
    snw_trial_destroy(trial);
    if (counter.live != 0) abort();
    return 0;
}
