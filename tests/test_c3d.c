/* C3D: random trials come back bit for bit in every storage; broken files are repaired or refused;
 * truncation at every byte, a change of every byte, every allocation that fails. */
#include "same_trial.h"

#include "io/c3d.h"

/* ---- random trials ------------------------------------------------------------------------ */

typedef struct trial_shape {
    int markers, frames, analog, analog_per_frame, rotations;
    snw_storage storage;
} trial_shape;

static const char *random_name(snw_random *random)
{
    static const char *const names[] = {"",
                                        "LASI",
                                        "LASI",
                                        "Subject:RASI",
                                        "Sch\xc3\xa4"
                                        "del",
                                        "\xe9t\xe9",
                                        "a name with blanks",
                                        "*12",
                                        "0123456789012345678901234567890123456789012345678901234567"
                                        "89012345678901234567890123456789"};
    return names[snw_random_below(random, sizeof names / sizeof *names)];
}

static float random_float(snw_random *random)
{
    switch (snw_random_below(random, 12)) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -0.0f;
    case 3:
        return 1e-42f; /* below the normal numbers */
    case 4:
        return 3e38f;
    default:
        return (float)(1000 * snw_random_normal(random));
    }
}

static float random_number(snw_random *random, const trial_shape *shape, float step)
{
    if (!shape->storage.is_integer) return random_float(random);
    int word = (int)snw_random_below(random, 65536) - 32768;
    return (float)(word * (double)step);
}

static void fill_samples(snw_random *random, const trial_shape *shape, snw_trial *trial)
{
    for (size_t n = 0; n < (size_t)shape->frames * (size_t)shape->markers; n++) {
        snw_sample *s = trial->sample + n;
        s->x = random_number(random, shape, (float)trial->residual_scale);
        s->y = random_number(random, shape, (float)trial->residual_scale);
        s->z = random_number(random, shape, (float)trial->residual_scale);
        s->quality = (float)((int)snw_random_below(random, 40000) - 7232);
        if (snw_random_below(random, 20) == 0) memset(s, 0, sizeof *s);
        if (s->quality > 32767) s->quality = -1;
        trial->state[n] =
            snw__c3d_is_missing(s) ? (uint8_t)SNW_SAMPLE_MISSING : (uint8_t)SNW_SAMPLE_MEASURED;
    }
    for (int n = 0; n < shape->frames * shape->analog * shape->analog_per_frame; n++)
        trial->analog[n] = random_number(random, shape, 1);
    for (int n = 0; n < shape->frames * shape->rotations * 17; n++)
        trial->rotation[n] = (float)snw_random_normal(random);
}

static void fill_names(snw_random *random, snw_trial *trial)
{
    for (int m = 0; m < trial->marker_count; m++)
        assert_int_equal(snw_trial_set_marker_name(trial, m, random_name(random), NULL), SNW_OK);
    for (int c = 0; c < trial->analog_count; c++) {
        trial->analog_channel[c].scale = (double)(float)snw_random_normal(random);
        trial->analog_channel[c].offset = (double)snw_random_below(random, 4096);
    }
}

static void add_events(snw_random *random, snw_trial *trial)
{
    int header = (int)snw_random_below(random, 4), group = (int)snw_random_below(random, 4);
    for (int e = 0; e < header + group; e++) {
        snw_event event;
        memset(&event, 0, sizeof event);
        event.is_in_header = e < header;
        /* Sixty-fourths of a second are floats exactly, also with the minutes split off. */
        event.time = snw_random_below(random, 20000) / 64.0;
        event.label = (char *)(e < header ? "RHS" : "Foot Strike");
        event.context = (char *)(e < header ? "" : "Left");
        event.icon = e < header ? 0 : 3;
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
}

static snw_trial *random_trial(snw_random *random, const trial_shape *shape)
{
    static const double rates[] = {100, 120, 59.94, 1000};
    static const char *const units[] = {"mm", "m", "cm"};
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = shape->markers;
    options.frame_count = shape->frames;
    options.analog_count = shape->analog;
    options.analog_per_frame = shape->analog_per_frame;
    options.rotation_count = shape->rotations;
    options.rotations_per_frame = 1;
    options.rate = (double)(float)rates[snw_random_below(random, 4)];
    options.unit = units[snw_random_below(random, 3)];
    options.metres_per_unit = snw_unit_length(options.unit);
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    trial->storage = shape->storage;
    trial->residual_scale = (double)0.1f;
    trial->first_frame = 1 + (int)snw_random_below(random, 70000);
    trial->up = (snw_up_axis)(1 + snw_random_below(random, 6));
    fill_samples(random, shape, trial);
    fill_names(random, trial);
    add_events(random, trial);
    return trial;
}

/* ---- writing and reading ------------------------------------------------------------------ */

static snw_memory_sink write_bytes(const snw_trial *trial)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return bytes;
}

static snw_status read_bytes(const void *bytes, size_t size, bool is_lenient, snw_trial **trial,
                             snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    return snw_read_trial(&source, &options, NULL, trial, notes, error);
}

static snw_trial *must_read(const snw_memory_sink *bytes, snw_notes *notes)
{
    snw_trial *trial = NULL;
    snw_error error;
    if (read_bytes(bytes->bytes, bytes->size, false, &trial, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return trial;
}

static snw_trial *round_trip(const snw_trial *trial)
{
    snw_memory_sink bytes = write_bytes(trial);
    snw_notes notes = snw_notes_none();
    snw_trial *again = must_read(&bytes, &notes);
    snw_memory_sink_release(&bytes);
    return again;
}

static bool has_note(const snw_notes *notes, const char *words)
{
    for (int n = 0; n < notes->count; n++)
        if (strstr(notes->note[n].text, words)) return true;
    return false;
}

/* ---- round trips -------------------------------------------------------------------------- */

static trial_shape random_shape(snw_random *random)
{
    static const int markers[] = {0, 1, 3, 41}, frames[] = {0, 1, 2, 9}, analog[] = {0, 1, 5};
    trial_shape shape;
    shape.markers = markers[snw_random_below(random, 4)];
    shape.frames = frames[snw_random_below(random, 4)];
    shape.analog = analog[snw_random_below(random, 3)];
    shape.analog_per_frame = 1 + (int)snw_random_below(random, 4);
    shape.rotations = (int)snw_random_below(random, 3);
    shape.storage.order = (snw_byte_order)(1 + snw_random_below(random, 3));
    shape.storage.is_integer = snw_random_below(random, 2) == 0;
    return shape;
}

static void random_trials_come_back_bit_for_bit(void **state)
{
    (void)state;
    for (int n = 0; n < CHECK_SAMPLES(4000); n++) {
        snw_random random = snw_random_seed(2024, (uint64_t)n);
        trial_shape shape = random_shape(&random);
        snw_trial *trial = random_trial(&random, &shape);
        snw_trial *again = round_trip(trial);
        /* DEC cannot hold infinities and -0: the writer then takes Intel. The rest stays. */
        if (trial->storage.order == SNW_ORDER_DEC && again->storage.order == SNW_ORDER_INTEL)
            trial->storage.order = SNW_ORDER_INTEL;
        /* Without anything in them there are no frames, without frames no rotations. */
        bool is_empty = shape.markers + shape.analog + shape.rotations == 0;
        if (is_empty) trial->frame_count = 0;
        if (trial->frame_count == 0) trial->rotation_count = 0;
        check_same_trial(trial, again);
        if (trial->frame_count > 0) assert_int_equal(trial->first_frame, again->first_frame);
        trial->rotation_count = shape.rotations; /* what destroying it needs */
        trial->frame_count = shape.frames;
        snw_trial_destroy(again);
        snw_trial_destroy(trial);
    }
}

static void what_an_integer_file_cannot_hold_is_written_as_floats(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 7);
    const trial_shape shape = {4, 5, 1, 2, 0, {SNW_ORDER_MIPS, true}};
    snw_trial *trial = random_trial(&random, &shape);
    snw_trial *as_it_was = round_trip(trial);
    assert_true(as_it_was->storage.is_integer);
    snw_trial_set(trial, 2, 1, snw_vec3_make(0.12345678, 0.1, 0.1), SNW_SAMPLE_FILLED);
    snw_trial *filled = round_trip(trial);
    assert_false(filled->storage.is_integer);
    assert_int_equal(filled->storage.order, SNW_ORDER_MIPS);
    assert_memory_equal(filled->sample, trial->sample, 20 * sizeof *trial->sample);
    snw_trial_destroy(as_it_was);
    snw_trial_destroy(filled);
    snw_trial_destroy(trial);
}

static void states_win_over_what_the_sample_says(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 8);
    const trial_shape shape = {4, 1, 0, 1, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    for (int m = 0; m < 4; m++)
        snw_trial_set(trial, 0, m, snw_vec3_make(1, 2, 3), SNW_SAMPLE_MEASURED);
    trial->state[0] = SNW_SAMPLE_MISSING; /* hidden by hand */
    trial->sample[1].quality = -1;        /* filled, but the word was left */
    snw_trial_set(trial, 0, 2, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED); /* at the origin */
    snw_trial *again = round_trip(trial);
    assert_false(snw_trial_is_present(again, 0, 0));
    assert_true(snw_trial_is_present(again, 0, 1));
    assert_true(snw_trial_is_present(again, 0, 2));
    check_vec3_near(snw_trial_position(again, 0, 2), snw_vec3_make(0, 0, 0), 0);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
}

static void a_thousand_markers_and_hundreds_of_events_keep_their_names(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(9, 9);
    const trial_shape shape = {1000, 2, 300, 1, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    for (int e = 0; e < 600; e++) {
        snw_event event = {
            e / 64.0, (char *)"Foot Off", (char *)"Right", (char *)"", (char *)"", e % 5, 0, false};
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
    snw_trial *again = round_trip(trial);
    check_same_trial(trial, again);
    assert_non_null(snw_trial_find_parameter(again, "POINT", "LABELS4"));
    assert_non_null(snw_trial_find_parameter(again, "EVENT", "TIMES3"));
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
}

static void more_than_65535_frames_are_counted(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(10, 10);
    const trial_shape shape = {1, 70001, 0, 1, 1, {SNW_ORDER_INTEL, true}};
    snw_trial *trial = random_trial(&random, &shape);
    snw_trial *again = round_trip(trial);
    check_same_trial(trial, again);
    assert_int_equal(again->frame_count, 70001);
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
}

static void another_unit_is_converted_everywhere(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(11, 11);
    const trial_shape shape = {2, 3, 0, 1, 1, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    snw_format(trial->unit, sizeof trial->unit, "mm");
    trial->metres_per_unit = 0.001;
    for (int m = 0; m < 6; m++)
        snw_trial_set(trial, m / 2, m % 2, snw_vec3_make(m, -m, 1), SNW_SAMPLE_MEASURED);
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_write_options options = snw_write_options_default();
    options.metres_per_unit = 1;
    assert_int_equal(snw_write_trial(trial, SNW_FORMAT_C3D, &options, &sink, NULL), SNW_OK);
    snw_trial *again = must_read(&bytes, NULL);
    assert_string_equal(again->unit, "m");
    for (int m = 0; m < 6; m++) /* whole metres and millimetres are floats exactly */
        check_vec3_near(snw_trial_position(again, m / 2, m % 2), snw_vec3_make(m, -m, 1), 1e-15);
    /* A float's rounding of the translation. */
    check_near(again->rotation[12], trial->rotation[12] * 0.001, 1e-9);
    check_near(again->rotation[0], trial->rotation[0], 0);
    snw_trial_destroy(again);
    snw_memory_sink_release(&bytes);
    snw_trial_destroy(trial);
}

static void renaming_a_marker_keeps_all_other_parameters(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(12, 12);
    const trial_shape shape = {3, 2, 2, 1, 0, {SNW_ORDER_DEC, true}};
    snw_trial *trial = random_trial(&random, &shape);
    snw_parameter extra;
    memset(&extra, 0, sizeof extra);
    extra.name = (char *)"WEIGHT";
    extra.description = (char *)"of the subject";
    extra.type = SNW_PARAMETER_BYTE;
    extra.dimension_count = 2;
    extra.dimension[0] = 2;
    extra.dimension[1] = 1;
    extra.byte_count = 2;
    extra.data = (void *)"\x41\x42";
    extra.is_locked = true;
    assert_int_equal(snw_trial_set_parameter(trial, "SUBJECT", &extra, NULL), SNW_OK);
    snw_trial *first = round_trip(trial);
    assert_int_equal(snw_trial_set_marker_name(first, 1, "NEW", NULL), SNW_OK);
    snw_trial *second = round_trip(first);
    assert_string_equal(second->marker[1].name, "NEW");
    const snw_parameter *kept = snw_trial_find_parameter(second, "SUBJECT", "WEIGHT");
    assert_non_null(kept);
    assert_string_equal(kept->description, "of the subject");
    assert_true(kept->is_locked);
    assert_int_equal(kept->dimension_count, 2);
    assert_memory_equal(kept->data, "\x41\x42", 2);
    assert_int_equal(first->group_count, second->group_count);
    snw_trial_destroy(first);
    snw_trial_destroy(second);
    snw_trial_destroy(trial);
}

/* ---- numbers ------------------------------------------------------------------------------ */

static void dec_floats_have_their_documented_bytes(void **state)
{
    (void)state;
    /* VAX F values: the VAX Architecture Reference Manual's layout worked out by hand: 1.0 is
     * 0.1 binary times 2^1, exponent 128 + 1. */
    static const struct {
        uint8_t bytes[4];
        float value;
    } table[] = {
        {{0x80, 0x40, 0x00, 0x00}, 1.0f},      {{0x80, 0xc0, 0x00, 0x00}, -1.0f},
        {{0x00, 0x00, 0x00, 0x00}, 0.0f},      {{0x48, 0x43, 0x00, 0x00}, 50.0f},
        {{0xaa, 0x3e, 0xab, 0xaa}, 1.0f / 12}, {{0x20, 0x41, 0x00, 0x00}, 2.5f},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        uint8_t bytes[4];
        check_near(snw__c3d_float(table[n].bytes, SNW_ORDER_DEC), table[n].value, 0);
        snw__c3d_put_float(bytes, table[n].value, SNW_ORDER_DEC);
        assert_memory_equal(bytes, table[n].bytes, 4);
    }
}

/* ---- broken files ------------------------------------------------------------------------- */

/* 2 markers, 3 frames, 1 analog channel, 1 rotation, events in both places. */
static snw_memory_sink small_file(snw_byte_order order)
{
    snw_random random = snw_random_seed(3, 3);
    const trial_shape shape = {2, 3, 1, 2, 1, {order, order == SNW_ORDER_MIPS}};
    snw_trial *trial = random_trial(&random, &shape);
    trial->first_frame = 5;
    snw_memory_sink bytes = write_bytes(trial);
    snw_trial_destroy(trial);
    return bytes;
}

static void check_refusal(snw_status status, const snw_trial *trial, const snw_error *error)
{
    assert_null(trial);
    assert_int_equal(status, error->status);
    assert_true(strlen(error->message) > 10);
    assert_true(error->byte >= 0);
}

static void every_truncation_is_read_or_refused_with_a_place(void **state)
{
    (void)state;
    int opened = 0;
    for (int order = 1; order <= 3; order++) {
        snw_memory_sink whole = small_file((snw_byte_order)order);
        for (size_t size = 0; size < whole.size; size++)
            for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
                /* A copy of exactly this size, so that reading past its end is seen. */
                uint8_t *bytes = (uint8_t *)malloc(size + !size);
                memcpy(bytes, whole.bytes, size);
                snw_trial *trial = NULL;
                snw_notes notes = snw_notes_none();
                snw_error error;
                snw_status status = read_bytes(bytes, size, is_lenient, &trial, &notes, &error);
                if (status == SNW_OK) {
                    assert_true(notes.count > 0 || size + 512 > whole.size);
                    opened++;
                } else {
                    check_refusal(status, trial, &error);
                }
                snw_trial_destroy(trial);
                free(bytes);
            }
        snw_memory_sink_release(&whole);
    }
    assert_true(opened > 0);
}

static void a_change_of_any_byte_does_no_harm(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0xff, 0x7f, 0x80, 0x01, 0x55};
    snw_memory_sink whole = small_file(SNW_ORDER_INTEL);
    for (size_t at = 0; at < whole.size; at++)
        for (size_t v = 0; v < sizeof values; v++) {
            uint8_t before = whole.bytes[at];
            whole.bytes[at] = values[v];
            snw_trial *trial = NULL;
            snw_notes notes = snw_notes_none();
            snw_error error;
            snw_status status = read_bytes(whole.bytes, whole.size, v & 1, &trial, &notes, &error);
            if (status != SNW_OK) check_refusal(status, trial, &error);
            whole.bytes[at] = before;
            snw_trial_destroy(trial);
        }
    snw_memory_sink_release(&whole);
}

static void put_word(snw_memory_sink *file, size_t at, int value)
{
    snw__c3d_put_u16(file->bytes + at, value, SNW_ORDER_INTEL);
}

/* Where the data of a parameter stand in a file. */
static size_t find_data(const snw_memory_sink *file, const char *name)
{
    size_t length = strlen(name);
    for (size_t at = 512; at + length + 8 < file->size; at++)
        if (memcmp(file->bytes + at, name, length) == 0 && file->bytes[at - 2] == length)
            return at + length + 4 + file->bytes[at + length + 3];
    fail_msg("no parameter %s", name);
    return 0;
}

typedef struct broken_file {
    const char *what;
    void (*breaks)(snw_memory_sink *file);
    const char *note; /* words that a note must have */
    int frames, markers, first_frame;
} broken_file;

static void break_key(snw_memory_sink *file)
{
    file->bytes[1] = 0x51;
}

static void break_parameter_block(snw_memory_sink *file)
{
    file->bytes[0] = 0;
}

static void break_parameter_block_far(snw_memory_sink *file)
{
    file->bytes[0] = 200;
}

static void break_processor(snw_memory_sink *file)
{
    file->bytes[512 + 3] = 0;
}

static void break_header_points(snw_memory_sink *file)
{
    put_word(file, 2, 17);
}

static void break_used(snw_memory_sink *file)
{
    put_word(file, find_data(file, "USED"), 40);
}

static void break_header_frames(snw_memory_sink *file)
{
    put_word(file, 8, 65535);
}

static void break_header_data_start(snw_memory_sink *file)
{
    put_word(file, 16, 900);
}

static void break_parameter_data_start(snw_memory_sink *file)
{
    put_word(file, find_data(file, "DATA_START"), 1);
}

static void break_both_frames(snw_memory_sink *file)
{
    put_word(file, 8, 4000);
    put_word(file, find_data(file, "FRAMES"), 3996);
    put_word(file, find_data(file, "ACTUAL_END_FIELD"), 4000);
}

static void break_block_count(snw_memory_sink *file)
{
    file->bytes[512 + 2] = 0;
}

static void break_labels_width(snw_memory_sink *file)
{
    /* The label list claims 255 strings. */
    file->bytes[find_data(file, "LABELS") - 1] = 255;
}

static void broken_files_are_repaired_and_it_is_said(void **state)
{
    (void)state;
    static const broken_file table[] = {
        {"key byte", break_key, "key byte", 3, 2, 5},
        {"no parameter block", break_parameter_block, "found at block 2", 3, 2, 5},
        {"parameter block too far", break_parameter_block_far, "found at block 2", 3, 2, 5},
        {"no processor", break_processor, "byte order", 3, 2, 5},
        {"points in the header", break_header_points, "points", 3, 2, 5},
        {"points in the parameters", break_used, "points", 3, 2, 5},
        {"frames in the header", break_header_frames, "frames", 3, 2, 5},
        {"data start in the header", break_header_data_start, "before the data", 3, 2, 5},
        {"data start in the parameters", break_parameter_data_start, NULL, 3, 2, 5},
        /* The padding of the last block is then taken for frames: 512 / 40 = 12. */
        {"too many frames", break_both_frames, "claims", 12, 2, 5},
        {"no block count", break_block_count, NULL, 3, 2, 5},
        {"labels beyond the record", break_labels_width, "more data", 3, 2, 5},
    };
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        snw_random random = snw_random_seed(3, 3);
        const trial_shape shape = {2, 3, 1, 2, 0, {SNW_ORDER_INTEL, false}};
        snw_trial *trial = random_trial(&random, &shape);
        trial->first_frame = 5;
        snw_memory_sink file = write_bytes(trial);
        table[n].breaks(&file);
        snw_notes notes = snw_notes_none();
        snw_trial *again = must_read(&file, &notes);
        if (again->frame_count != table[n].frames || again->marker_count != table[n].markers ||
            again->first_frame != table[n].first_frame)
            fail_msg("%s: %d frames, %d markers, first %d", table[n].what, again->frame_count,
                     again->marker_count, again->first_frame);
        assert_memory_equal(again->sample, trial->sample, 6 * sizeof *trial->sample);
        if (table[n].note && !has_note(&notes, table[n].note))
            fail_msg("%s: no note says \"%s\"", table[n].what, table[n].note);
        snw_memory_sink_release(&file);
        snw_trial_destroy(again);
        snw_trial_destroy(trial);
    }
}

/* ---- memory ------------------------------------------------------------------------------- */

typedef struct peak_allocator {
    size_t live, peak;
} peak_allocator;

static void *peak_allocate(void *context, size_t size)
{
    peak_allocator *peak = (peak_allocator *)context;
    peak->live += size;
    if (peak->live > peak->peak) peak->peak = peak->live;
    return malloc(size);
}

static void peak_release(void *context, void *memory, size_t size)
{
    ((peak_allocator *)context)->live -= size;
    free(memory);
}

static void hostile_counts_take_no_more_memory_than_the_file_justifies(void **state)
{
    (void)state;
    static const int words[] = {2, 4, 6, 8, 16, 18};
    snw_memory_sink file = small_file(SNW_ORDER_INTEL);
    for (unsigned mask = 0; mask < 64; mask++)
        for (int is_lenient = 0; is_lenient < 2; is_lenient++) {
            uint8_t *bytes = (uint8_t *)malloc(file.size);
            memcpy(bytes, file.bytes, file.size);
            for (int n = 0; n < 6; n++)
                if (mask >> n & 1u) memset(bytes + words[n], 0xff, 2);
            peak_allocator peak = {0, 0};
            snw_allocator allocator = {peak_allocate, peak_release, &peak};
            snw_memory_source memory;
            snw_source source = snw_source_from_memory(&memory, bytes, file.size);
            snw_read_options options = snw_read_options_default();
            options.is_lenient = is_lenient;
            snw_trial *trial = NULL;
            snw_error error;
            snw_status status = snw_read_trial(&source, &options, &allocator, &trial, NULL, &error);
            if (status != SNW_OK) check_refusal(status, trial, &error);
            snw_trial_destroy(trial);
            /* Names and parameters of a small file are pointers and headers: ten times its size. */
            assert_true(peak.peak <= 10 * file.size);
            assert_int_equal(peak.live, 0);
            free(bytes);
        }
    snw_memory_sink_release(&file);
}

static void the_memory_limit_is_kept(void **state)
{
    (void)state;
    snw_memory_sink file = small_file(SNW_ORDER_INTEL);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, file.bytes, file.size);
    snw_read_options options = snw_read_options_default();
    options.memory_limit = 100;
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_read_trial(&source, &options, NULL, &trial, NULL, &error), SNW_TOO_LARGE);
    assert_null(trial);
    snw_memory_sink_release(&file);
}

static void every_failing_allocation_of_reading_leaves_nothing(void **state)
{
    (void)state;
    snw_memory_sink file = small_file(SNW_ORDER_DEC);
    snw_status status = SNW_OUT_OF_MEMORY;
    for (long nth = 0; status != SNW_OK; nth++) {
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, file.bytes, file.size);
        if (nth % 2) source.seek = NULL; /* the way of pipes: through memory first */
        snw_trial *trial = NULL;
        snw_error error;
        status = snw_read_trial(&source, NULL, &allocator, &trial, NULL, &error);
        if (status != SNW_OK) assert_int_equal(status, SNW_OUT_OF_MEMORY);
        if (status != SNW_OK) assert_null(trial);
        snw_trial_destroy(trial);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
        assert_true(nth < 5000);
    }
    snw_memory_sink_release(&file);
}

static void every_failing_allocation_of_writing_leaves_nothing(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(4, 4);
    const trial_shape shape = {3, 2, 1, 1, 1, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    snw_allocator before = trial->allocator;
    snw_status status = SNW_OUT_OF_MEMORY;
    for (long nth = 0; status != SNW_OK; nth++) {
        counting_allocator counter = {0, 0, 0, nth};
        trial->allocator = counting_hook(&counter); /* the writer works in the trial's memory */
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        snw_error error;
        status = snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error);
        if (status != SNW_OK) assert_int_equal(status, SNW_OUT_OF_MEMORY);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
        snw_memory_sink_release(&bytes);
        assert_true(nth < 5000);
    }
    trial->allocator = before;
    snw_trial_destroy(trial);
}

static int fail_after(void *context, const void *bytes, size_t size)
{
    size_t *left = (size_t *)context;
    (void)bytes;
    if (size > *left) return -1;
    *left -= size;
    return 0;
}

static void a_sink_that_fails_is_reported(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(5, 5);
    const trial_shape shape = {3, 400, 0, 1, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    for (size_t room = 0; room < 20000; room += 1000) {
        size_t left = room;
        const snw_sink sink = {fail_after, &left};
        snw_error error;
        assert_int_equal(snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, &error), SNW_IO);
        assert_true(strlen(error.message) > 10);
    }
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trials_come_back_bit_for_bit),
        cmocka_unit_test(what_an_integer_file_cannot_hold_is_written_as_floats),
        cmocka_unit_test(states_win_over_what_the_sample_says),
        cmocka_unit_test(a_thousand_markers_and_hundreds_of_events_keep_their_names),
        cmocka_unit_test(more_than_65535_frames_are_counted),
        cmocka_unit_test(another_unit_is_converted_everywhere),
        cmocka_unit_test(renaming_a_marker_keeps_all_other_parameters),
        cmocka_unit_test(dec_floats_have_their_documented_bytes),
        cmocka_unit_test(every_truncation_is_read_or_refused_with_a_place),
        cmocka_unit_test(a_change_of_any_byte_does_no_harm),
        cmocka_unit_test(broken_files_are_repaired_and_it_is_said),
        cmocka_unit_test(hostile_counts_take_no_more_memory_than_the_file_justifies),
        cmocka_unit_test(the_memory_limit_is_kept),
        cmocka_unit_test(every_failing_allocation_of_reading_leaves_nothing),
        cmocka_unit_test(every_failing_allocation_of_writing_leaves_nothing),
        cmocka_unit_test(a_sink_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
