/* Broken C3D files are repaired or refused: every truncation, a change of every byte, faults real
 * producers make, hostile counts, every allocation that fails. */
#include "c3d_trials.h"

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

/* Ten markers on the corners of a box with a diagonal of 1.5 m, and two beside them, in integers.
 */
static snw_trial *person_of_integers(void)
{
    const trial_shape shape = {10, 20, 0, 1, 0, {SNW_ORDER_INTEL, true}};
    snw_random random = snw_random_seed(3, 4);
    snw_trial *trial = random_trial(&random, &shape);
    snw_format(trial->unit, sizeof trial->unit, "mm");
    trial->metres_per_unit = 0.001;
    trial->residual_scale = (double)0.05f;
    for (int n = 0; n < 20 * 10; n++) {
        int m = n % 10;
        snw_sample at = {(float)((m & 1 ? 5000 : -5000) * (double)0.05f),
                         (float)((m & 2 ? 10000 : -10000) * (double)0.05f),
                         (float)((m & 4 ? 20000 : 0) * (double)0.05f), 0};
        trial->sample[n] = at;
        trial->state[n] = SNW_SAMPLE_MEASURED;
    }
    return trial;
}

/* Oracle: the file as it was before one of its two scales was changed. */
static void of_two_scales_the_one_that_fits_a_person_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        float header, parameter; /* times the right one; 0.05 mm gives the box */
        double factor;           /* what comes out, times the box */
        const char *note;
    } rows[] = {{"both right", 1, 1, 1, NULL},
                {"the parameter too small", 1, 0.4f, 1, "the former was taken"},
                {"the header too small", 0.4f, 1, 1, "the latter was taken"},
                {"a person with either", 1, 1.3f, 1.3, "the latter was taken"},
                {"a person with neither", 0.1f, 0.2f, 0.2, "the latter was taken"}};
    snw_trial *trial = person_of_integers();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        snw_memory_sink file = write_bytes(trial);
        snw__c3d_put_float(file.bytes + 12, 0.05f * rows[r].header, SNW_ORDER_INTEL);
        snw__c3d_put_float(file.bytes + find_data(&file, "SCALE"), 0.05f * rows[r].parameter,
                           SNW_ORDER_INTEL);
        snw_notes notes = snw_notes_none();
        snw_trial *again = must_read(&file, &notes);
        for (int n = 0; n < 20 * 10; n++) {
            double wanted = rows[r].factor * (double)trial->sample[n].y;
            /* a float's rounding of scale and sample */
            if (!(fabs((double)again->sample[n].y - wanted) <= 1e-6 * fabs(wanted)))
                fail_msg("%s: %g, not %g", rows[r].what, (double)again->sample[n].y, wanted);
        }
        if (rows[r].note) assert_true(has_note(&notes, rows[r].note));
        assert_int_equal(has_note(&notes, "for the scale"), rows[r].note != NULL);
        snw_memory_sink_release(&file);
        snw_trial_destroy(again);
    }
    snw_trial_destroy(trial);
}

/* Oracle: the coordinate before it was cut to 16 bits. */
static void a_coordinate_beyond_the_integers_is_put_back(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int from, step; /* words: the first frame's, and from frame to frame */
        int jump;       /* a step of its own in frame 10: no marker moves so */
        bool is_mended;
    } rows[] = {{"within", 20000, 100, 0, true},
                {"over the top and back", 31500, 200, 0, true},
                {"under the bottom", -31500, -200, 0, true},
                {"begins beyond", 33500, -200, 0, true},
                {"a marker that jumps is left alone", 31500, 200, -30000, false}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        snw_trial *trial = person_of_integers();
        int word[20];
        for (int f = 0; f < 20; f++) {
            word[f] =
                rows[r].from + rows[r].step * (f < 10 ? f : 20 - f) + (f >= 10 ? rows[r].jump : 0);
            if (strcmp(rows[r].what, "begins beyond") == 0)
                word[f] = rows[r].from + rows[r].step * f;
            int cut = (word[f] + 3 * 32768) % 65536 - 32768;
            trial->sample[f * 10 + 7].y = (float)(cut * trial->residual_scale);
        }
        snw_memory_sink file = write_bytes(trial);
        snw_notes notes = snw_notes_none();
        snw_trial *again = must_read(&file, &notes);
        int off = 0, beyond = 0;
        for (int f = 0; f < 20; f++) {
            double read = (double)again->sample[f * 10 + 7].y / trial->residual_scale;
            off += !(fabs(read - word[f]) <= 0.01); /* a float's rounding of 1e5 words */
            beyond += word[f] > 32767 || word[f] < -32768;
        }
        if (rows[r].is_mended ? off != 0 : off == 0) fail_msg("%s: %d off", rows[r].what, off);
        assert_int_equal(has_note(&notes, "came back at the other end"),
                         rows[r].is_mended && beyond > 0);
        snw_memory_sink_release(&file);
        snw_trial_destroy(again);
        snw_trial_destroy(trial);
    }
}

/* The file's size tells integers from floats when the scale does not. */
static void without_a_scale_integers_are_still_integers(void **state)
{
    (void)state;
    for (int is_integer = 0; is_integer < 2; is_integer++) {
        snw_random random = snw_random_seed(3, 4);
        const trial_shape shape = {5, 200, 1, 2, 0, {SNW_ORDER_INTEL, is_integer}};
        snw_trial *trial = random_trial(&random, &shape);
        snw_memory_sink file = write_bytes(trial);
        memset(file.bytes + 12, 0, 4);
        memset(file.bytes + find_data(&file, "SCALE"), 0, 4);
        snw_notes notes = snw_notes_none();
        snw_trial *again = must_read(&file, &notes);
        assert_int_equal(again->storage.is_integer, is_integer);
        assert_int_equal(again->frame_count, 200);
        assert_true(has_note(&notes, is_integer ? "integers; integers fit" : "floats fit"));
        assert_true(has_note(&notes, "no usable scale"));
        snw_memory_sink_release(&file);
        snw_trial_destroy(again);
        snw_trial_destroy(trial);
    }
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

/* ---- parameter sections by hand ----------------------------------------------------------- */

/* A file with 1 point and 1 frame, whose records are put in by the tests. */
typedef struct hand_made {
    uint8_t bytes[3 * 512];
    size_t used; /* of the records */
} hand_made;

static void start_by_hand(hand_made *file)
{
    memset(file, 0, sizeof *file);
    uint8_t *b = file->bytes;
    b[0] = 2;
    b[1] = SNW__C3D_KEY;
    snw__c3d_put_u16(b + 2, 1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(b + 6, 1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(b + 8, 1, SNW_ORDER_INTEL);
    snw__c3d_put_float(b + 12, -1, SNW_ORDER_INTEL);
    snw__c3d_put_u16(b + 16, 3, SNW_ORDER_INTEL);
    snw__c3d_put_float(b + 20, 50, SNW_ORDER_INTEL);
    b[512 + 2] = 1;
    b[512 + 3] = 84;
    file->used = 512 + 4;
    snw__c3d_put_float(b + 1024, 7, SNW_ORDER_INTEL);
}

static void put_record(hand_made *file, const char *name, size_t length, int id, const char *body,
                       size_t size)
{
    uint8_t *at = file->bytes + file->used;
    at[0] = (uint8_t)length;
    at[1] = (uint8_t)id;
    memcpy(at + 2, name, length);
    snw__c3d_put_u16(at + 2 + length, (int)size + 2, SNW_ORDER_INTEL);
    memcpy(at + 4 + length, body, size);
    file->used += 4 + length + size;
}

static snw_trial *read_by_hand(const hand_made *file, snw_notes *notes)
{
    snw_trial *trial = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_bytes(file->bytes, sizeof file->bytes, false, &trial, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(trial->marker_count, 1);
    assert_int_equal(trial->frame_count, 1);
    return trial;
}

static const char label_body[] = "\xff\x02\x04\x01LASI"; /* and the zero is no description */
static const char unit_body[] = "\xff\x01\x02mm";

static void parameters_may_come_before_their_group(void **state)
{
    (void)state;
    hand_made file;
    snw_notes notes;
    start_by_hand(&file);
    put_record(&file, "LABELS", 6, 9, label_body, sizeof label_body);
    put_record(&file, "POINT", 5, -9, "", 1);
    snw_trial *trial = read_by_hand(&file, &notes);
    assert_string_equal(trial->marker[0].name, "LASI");
    assert_int_equal(trial->group_count, 1);
    snw_trial_destroy(trial);
}

static void groups_may_be_declared_twice_share_a_number_or_a_name(void **state)
{
    (void)state;
    hand_made file;
    snw_notes notes;
    start_by_hand(&file);
    put_record(&file, "POINT", 5, -1, "", 1);
    put_record(&file, "POINT", 5, -1, "", 1); /* twice */
    put_record(&file, "LABELS", 6, 1, label_body, sizeof label_body);
    put_record(&file, "OTHER", 5, -1, "", 1); /* the number again */
    put_record(&file, "UNITS", 5, 1, unit_body, sizeof unit_body);
    put_record(&file, "point", 5, -2, "", 1); /* the name again */
    put_record(&file, "UNITS", 5, 2, unit_body, sizeof unit_body);
    snw_trial *trial = read_by_hand(&file, &notes);
    assert_string_equal(trial->marker[0].name, "LASI");
    assert_non_null(snw_trial_find_parameter(trial, "OTHER", "UNITS"));
    assert_string_equal(trial->unit, "mm");
    assert_int_equal(trial->group_count, 3);
    snw_trial *again = round_trip(trial);
    assert_string_equal(again->marker[0].name, "LASI");
    assert_non_null(snw_trial_find_parameter(again, "OTHER", "UNITS"));
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
}

static void padded_names_and_nameless_groups_are_found(void **state)
{
    (void)state;
    hand_made file;
    snw_notes notes;
    start_by_hand(&file);
    put_record(&file, "POINT\0\0", 7, -1, "", 1);
    put_record(&file, "LABELS  ", 8, 1, label_body, sizeof label_body);
    put_record(&file, "UNITS", 5, 30, unit_body, sizeof unit_body);
    snw_trial *trial = read_by_hand(&file, &notes);
    assert_string_equal(trial->marker[0].name, "LASI");
    assert_non_null(snw_trial_find_parameter(trial, "GROUP30", "UNITS"));
    assert_true(has_note(&notes, "no name"));
    snw_trial_destroy(trial);
}

static void damage_between_records_costs_only_what_it_hits(void **state)
{
    (void)state;
    hand_made file;
    snw_notes notes;
    start_by_hand(&file);
    put_record(&file, "POINT", 5, -1, "", 1);
    memset(file.bytes + file.used, 0x11, 20); /* no record starts with 17 control letters */
    file.used += 20;
    put_record(&file, "LABELS", 6, 1, label_body, sizeof label_body);
    put_record(&file, "UNITS", 5, 1, unit_body, sizeof unit_body);
    snw_trial *trial = read_by_hand(&file, &notes);
    assert_string_equal(trial->marker[0].name, "LASI");
    assert_string_equal(trial->unit, "mm");
    assert_true(has_note(&notes, "20 bytes were left out"));
    snw_trial_destroy(trial);
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
        cmocka_unit_test(every_truncation_is_read_or_refused_with_a_place),
        cmocka_unit_test(a_change_of_any_byte_does_no_harm),
        cmocka_unit_test(without_a_scale_integers_are_still_integers),
        cmocka_unit_test(of_two_scales_the_one_that_fits_a_person_is_taken),
        cmocka_unit_test(a_coordinate_beyond_the_integers_is_put_back),
        cmocka_unit_test(broken_files_are_repaired_and_it_is_said),
        cmocka_unit_test(parameters_may_come_before_their_group),
        cmocka_unit_test(groups_may_be_declared_twice_share_a_number_or_a_name),
        cmocka_unit_test(padded_names_and_nameless_groups_are_found),
        cmocka_unit_test(damage_between_records_costs_only_what_it_hits),
        cmocka_unit_test(hostile_counts_take_no_more_memory_than_the_file_justifies),
        cmocka_unit_test(the_memory_limit_is_kept),
        cmocka_unit_test(every_failing_allocation_of_reading_leaves_nothing),
        cmocka_unit_test(every_failing_allocation_of_writing_leaves_nothing),
        cmocka_unit_test(a_sink_that_fails_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
