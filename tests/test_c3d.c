/* C3D: random trials come back bit for bit in every storage, with their names, events and
 * parameters. */
#include "c3d_trials.h"

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

/* A byte of steps of 0.1 mm ends at 25.5 mm: 60 mm need steps three times as wide. */
static void what_is_less_sure_than_a_byte_holds_has_wider_steps(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(9, 9);
    const trial_shape shape = {4, 1, 0, 1, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    assert_int_equal(snw_trial_need_uncertainty(trial, NULL), SNW_OK);
    double millimetre = 0.001 / trial->metres_per_unit;
    trial->residual_scale = 0.1 * millimetre;
    for (int m = 0; m < 4; m++)
        snw_trial_set(trial, 0, m, snw_vec3_make(1, 2, 3 + m), SNW_SAMPLE_MEASURED);
    trial->sample[0].quality = 3 * 256 + 12; /* two cameras, 1.2 mm */
    trial->sample[1].quality = 0;
    trial->state[2] = trial->state[3] = SNW_SAMPLE_FILLED;
    trial->uncertainty[2] = 0.060f;
    trial->sample[2].quality = 255;
    trial->uncertainty[3] = 0.009f;
    trial->sample[3].quality = 90;
    snw_trial *again = round_trip(trial);
    check_near(again->residual_scale, 0.3 * millimetre, 1e-6 * millimetre);
    check_near(snw_trial_residual(again, 0, 0), 0.0012, 1e-9);
    assert_int_equal((int)again->sample[0].quality >> 8, 3);
    check_near(snw_trial_residual(again, 0, 1), 0, 0);
    check_near(snw_trial_residual(again, 0, 2), 0.060, 1e-7);
    check_near(snw_trial_residual(again, 0, 3), 0.009, 1e-7);
    trial->uncertainty[2] = 0.0255f; /* fits: nothing is changed */
    snw_trial *same = round_trip(trial);
    assert_memory_equal(same->sample, trial->sample, 4 * sizeof *trial->sample);
    snw_trial_destroy(same);
    snw_trial_destroy(again);
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

/* Spoils every parameter of that name, so that it is not found. */
static void hide_parameter(snw_memory_sink *bytes, const char *name)
{
    size_t length = strlen(name);
    for (size_t n = 0; n + length <= bytes->size; n++)
        if (memcmp(bytes->bytes + n, name, length) == 0) bytes->bytes[n] = 'X';
}

static void counts_that_16_bits_cannot_hold_are_no_contradiction(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(11, 11);
    const trial_shape long_shape = {1, 70001, 0, 0, 0, {SNW_ORDER_INTEL, false}};
    const trial_shape late_shape = {3, 10, 0, 0, 0, {SNW_ORDER_MIPS, false}};
    snw_trial *trials[2] = {random_trial(&random, &long_shape), random_trial(&random, &late_shape)};
    trials[1]->first_frame = 65530;
    for (int n = 0; n < 2; n++) {
        snw_notes notes = snw_notes_none();
        snw_memory_sink bytes = write_bytes(trials[n]);
        snw_trial *again = must_read(&bytes, &notes);
        check_same_trial(trials[n], again);
        assert_false(has_note(&notes, "disagree"));
        snw_trial_destroy(again);
        /* Without the wide counts nothing but the file's size says how many there are. */
        hide_parameter(&bytes, "ACTUAL_END_FIELD");
        hide_parameter(&bytes, "LONG_FRAMES");
        notes = snw_notes_none();
        again = must_read(&bytes, &notes);
        /* The last block is filled up with zeros: at most 31 frames of 16 bytes. */
        assert_true(again->frame_count >= trials[n]->frame_count);
        assert_true(again->frame_count < trials[n]->frame_count + 32);
        assert_int_equal(has_note(&notes, "counts up to 65535 frames"), n == 0);
        snw_trial_destroy(again);
        snw_memory_sink_release(&bytes);
        snw_trial_destroy(trials[n]);
    }
}

/* Vicon's older files have the pairs of minutes and seconds in one row of twice the length: byte
 * for byte the same but for the dimensions, and the description takes the byte that is left over.
 */
static void event_times_in_one_row_are_still_minutes_and_seconds(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(13, 13);
    const trial_shape shape = {1, 2, 0, 0, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    while (trial->event_count > 0)
        snw_trial_remove_event(trial, 0);
    const double times[3] = {3.25, 61.5, 0.5};
    for (int e = 0; e < 3; e++) {
        snw_event event = {times[e], (char *)"On", (char *)"Left", NULL, NULL, 1, 0, false};
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
    snw_memory_sink bytes = write_bytes(trial);
    size_t at = 512;
    while (at + 64 < bytes.size && memcmp(bytes.bytes + at, "TIMES", 5) != 0)
        at++;
    uint8_t *type = bytes.bytes + at + 7;
    const uint8_t before[4] = {4, 2, 2, 3};
    assert_memory_equal(type, before, 4);
    type[1] = 1;
    type[2] = 6;
    memmove(type + 3, type + 4, 24);
    type[27] = (uint8_t)(type[28] + 1);
    type[28] = ' ';
    snw_notes notes = snw_notes_none();
    snw_trial *again = must_read(&bytes, &notes);
    assert_int_equal(again->event_count, 3);
    for (int e = 0; e < 3; e++)
        check_near(again->event[e].time, times[e], 1e-6); /* floats of the file */
    snw_trial_destroy(again);
    snw_trial_destroy(trial);
    snw_memory_sink_release(&bytes);
}

/* EVENT:USED of 600 where the lists have three: no events out of air, and it is said. */
static void events_end_where_their_lists_end(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(12, 12);
    const trial_shape shape = {1, 2, 0, 0, 0, {SNW_ORDER_INTEL, false}};
    snw_trial *trial = random_trial(&random, &shape);
    while (trial->event_count < 3) {
        snw_event event = {0.5, (char *)"On", (char *)"Left", NULL, NULL, 1, 0, false};
        assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    }
    int wanted = 0;
    for (int e = 0; e < trial->event_count; e++)
        wanted += !trial->event[e].is_in_header;
    snw_memory_sink bytes = write_bytes(trial);
    /* A group's record has its number, negative, before the name, a parameter's record the number
     * of its group. A word: name, 2 bytes to the next record, type 2, 0 dimensions, value. */
    size_t at = 512;
    while (at + 5 < bytes.size && memcmp(bytes.bytes + at, "EVENT", 5) != 0)
        at++;
    int group = 256 - bytes.bytes[at - 1];
    while (at + 10 < bytes.size &&
           (memcmp(bytes.bytes + at, "USED", 4) != 0 || bytes.bytes[at - 1] != group))
        at++;
    assert_int_equal(bytes.bytes[at + 6], 2);
    bytes.bytes[at + 8] = 600 & 255;
    bytes.bytes[at + 9] = 600 >> 8;
    snw_notes notes = snw_notes_none();
    snw_trial *again = must_read(&bytes, &notes);
    int found = 0;
    for (int e = 0; e < again->event_count; e++)
        found += !again->event[e].is_in_header;
    assert_int_equal(found, wanted);
    assert_true(has_note(&notes, "EVENT:USED says 600, the lists hold"));
    snw_trial_destroy(again);
    snw_memory_sink_release(&bytes);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trials_come_back_bit_for_bit),
        cmocka_unit_test(what_an_integer_file_cannot_hold_is_written_as_floats),
        cmocka_unit_test(what_is_less_sure_than_a_byte_holds_has_wider_steps),
        cmocka_unit_test(states_win_over_what_the_sample_says),
        cmocka_unit_test(a_thousand_markers_and_hundreds_of_events_keep_their_names),
        cmocka_unit_test(more_than_65535_frames_are_counted),
        cmocka_unit_test(counts_that_16_bits_cannot_hold_are_no_contradiction),
        cmocka_unit_test(event_times_in_one_row_are_still_minutes_and_seconds),
        cmocka_unit_test(events_end_where_their_lists_end),
        cmocka_unit_test(another_unit_is_converted_everywhere),
        cmocka_unit_test(renaming_a_marker_keeps_all_other_parameters),
        cmocka_unit_test(dec_floats_have_their_documented_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
