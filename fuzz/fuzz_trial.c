/* Any small trial with analog channels, rotations, force plates and events through what changes or
 * cuts trials: finite stays finite, windows lie inside, samples keep their order, and nothing stays
 * allocated. */
#include "fuzz_trials.h"

enum {
    TRIAL_MARKERS = 4,
    TRIAL_FRAMES = 8
};

static void set_numbers(snw_trial *trial, const char *name, float *number, int rows, int columns)
{
    char word[16], none[1] = "";
    snw_parameter parameter = {0};
    snw_error error;
    snw_format(word, sizeof word, "%s", name);
    parameter.name = word;
    parameter.description = none;
    parameter.type = SNW_PARAMETER_FLOAT;
    parameter.dimension_count = 2;
    parameter.dimension[0] = (uint8_t)rows;
    parameter.dimension[1] = (uint8_t)columns;
    parameter.byte_count = (size_t)rows * (size_t)columns * sizeof *number;
    parameter.data = number;
    fuzz_check_said(snw_trial_set_parameter(trial, "FORCE_PLATFORM", &parameter, &error), &error);
}

/* One plate, as C3D has it. */
static void add_plate(snw_trial *trial, fuzz_bytes *bytes)
{
    float corner[12], matrix[36], channel[8], one = 1, type = (float)fuzz_below(bytes, 6);
    float zero[2] = {(float)fuzz_below(bytes, 4), (float)fuzz_below(bytes, 6)};
    for (int n = 0; n < 12; n++) /* a plate of 0.4 x 0.6 m, bent a little */
        corner[n] = (float)(n % 3 == 0   ? (n == 3 || n == 6) * 600
                            : n % 3 == 1 ? (n > 6) * 400
                                         : 0) +
                    (float)fuzz_number(bytes);
    for (int n = 0; n < 36; n++)
        matrix[n] = (float)fuzz_number(bytes);
    for (int n = 0; n < 8; n++)
        channel[n] = (float)(1 + (fuzz_byte(bytes) < 250 ? n : -n));
    set_numbers(trial, "USED", &one, 1, 1);
    set_numbers(trial, "TYPE", &type, 1, 1);
    set_numbers(trial, "ZERO", zero, 2, 1);
    set_numbers(trial, "CORNERS", corner, 12, 1);
    set_numbers(trial, "ORIGIN", corner + 3, 3, 1);
    set_numbers(trial, "CHANNEL", channel, type == 3 ? 8 : 6, 1);
    if (fuzz_byte(bytes) < 200) set_numbers(trial, "CAL_MATRIX", matrix, 36, 1);
}

static void check_plate(const snw_trial *trial)
{
    snw_force_plate plate;
    snw_error error;
    if (snw_force_plate_count(trial) < 1) return;
    snw_status status = snw_force_plate_read(trial, 0, &plate, NULL, &error);
    fuzz_check_said(status, &error);
    if (status != SNW_OK) return;
    (void)snw_force_plate_zero(&plate, trial);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_wrench wrench = snw_force_plate_wrench(&plate, trial, f, 0);
        if (!snw_vec3_is_finite(wrench.force) || !snw_vec3_is_finite(wrench.center)) abort();
    }
}

/* Written in any unit and read again, everything is there. */
static void check_files(const snw_trial *trial, fuzz_bytes *bytes)
{
    static const snw_format_kind kinds[] = {SNW_FORMAT_C3D, SNW_FORMAT_TRC, SNW_FORMAT_CSV};
    snw_write_options options = snw_write_options_default();
    snw_memory_sink written;
    snw_sink sink = snw_sink_to_memory(&written, NULL);
    snw_memory_source memory;
    snw_trial *again = NULL;
    snw_error error;
    options.metres_per_unit = fuzz_byte(bytes) & 1 ? 0 : 0.01;
    options.decimals = fuzz_below(bytes, 5) - 2;
    snw_status status =
        snw_write_trial(trial, kinds[fuzz_below(bytes, 3)], &options, &sink, &error);
    fuzz_check_said(status, &error);
    if (status == SNW_OK) {
        snw_source source = snw_source_from_memory(&memory, written.bytes, written.size);
        fuzz_check_said(snw_read_trial(&source, NULL, NULL, &again, NULL, &error), &error);
    }
    if (again) fuzz_check_trial(again);
    snw_trial_destroy(again);
    snw_memory_sink_release(&written);
}

static snw_trial *make_trial(fuzz_bytes *bytes, const snw_allocator *allocator)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.marker_count = fuzz_below(bytes, TRIAL_MARKERS + 1);
    options.frame_count = fuzz_below(bytes, TRIAL_FRAMES + 1);
    options.analog_count = 4 * fuzz_below(bytes, 3);
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
        fuzz_check_said(snw_trial_set_rotation_name(trial, n, n ? "M001" : "Pelvis", &error),
                        &error);
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
            if (!snw_trial_is_marker(trial, m)) abort(); /* nobody said so */
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
    snw_computed_points points = {SNW_POINT_ANGLE, "deg", fuzz_below(bytes, 6) - 1,
                                  fuzz_below(bytes, 6) - 1};
    snw_error error;
    if (snw_trial_mark_computed(trial, &points, &error) != SNW_OK) {
        fuzz_check_said(error.status, &error);
        return;
    }
    for (int m = points.first; m < points.first + points.count; m++)
        if (snw_trial_is_marker(trial, m)) abort();
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
    check_plate(trial);
    check_files(trial, &bytes);
    change(trial, &bytes, &allocator);
    mark(trial, &bytes);
    snw_trial_destroy(trial);
    if (counter.live != 0) abort();
    return 0;
}
