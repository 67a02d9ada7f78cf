/* TRC: what is read, settled, repaired, refused and written back. */
#include "read_checks.h"

static const char plain[] = "PathFileType\t4\t(X/Y/Z)\twalk.trc\r\n"
                            "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\r\n"
                            "100.00\t200.00\t3\t2\tmm\t100.00\r\n"
                            "Frame#\tTime\tLASI\t\t\tRASI\t\t\r\n"
                            "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\r\n"
                            "\r\n"
                            "5\t0.00\t1\t2\t3\t4\t5\t6\r\n"
                            "6\t0.01\t\t\t\t7.5\t8.5\t9.5\r\n"
                            "7\t0.02\tNaN\tnan\tNaN\t-1e2\t0\t.5\r\n";

static void a_plain_file_is_read_as_it_stands(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *trial = read_trial_text(plain, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(trial->marker_count, 2);
    assert_int_equal(trial->frame_count, 3);
    assert_int_equal(trial->first_frame, 5);
    check_near(trial->rate, 100, 0);
    check_near(trial->metres_per_unit, 0.001, 0);
    assert_string_equal(trial->unit, "mm");
    assert_string_equal(trial->marker[1].name, "RASI");
    assert_true(snw_trial_is_present(trial, 0, 0));
    assert_false(snw_trial_is_present(trial, 1, 0));
    assert_false(snw_trial_is_present(trial, 2, 0));
    /* 9.5 mm is exact in float; 1e-12 covers the product with 0.001. */
    check_vec3_near(snw_trial_position(trial, 1, 1), snw_vec3_make(0.0075, 0.0085, 0.0095), 1e-12);
    check_vec3_near(snw_trial_position(trial, 2, 1), snw_vec3_make(-0.1, 0, 0.0005), 1e-12);
    snw_trial_destroy(trial);
}

static void header_fields_are_kept_and_written_back(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *trial = read_trial_text(plain, &notes);
    const snw_parameter *camera = snw_trial_find_parameter(trial, "TRC", "CameraRate");
    assert_non_null(camera);
    assert_memory_equal(camera->data, "200.00", 6);
    snw_memory_sink memory;
    write_trial_bytes(trial, SNW_FORMAT_TRC, NULL, &memory);
    assert_non_null(strstr((char *)memory.bytes, "(X/Y/Z)\twalk.trc\n"));
    assert_non_null(strstr((char *)memory.bytes, "\n100\t200.00\t3\t2\tmm\t100.00\t5\t3\n"));
    snw_memory_sink_release(&memory);
    snw_trial_destroy(trial);
}

static void line_ends_of_any_system_read_the_same(void **state)
{
    (void)state;
    snw_notes notes;
    char text[sizeof plain];
    for (int style = 0; style < 2; style++) {
        size_t length = 0;
        for (const char *at = plain; *at; at++)
            if (*at != (style ? '\n' : '\r')) text[length++] = *at;
        text[length] = 0;
        snw_trial *trial = read_trial_text(text, &notes);
        assert_int_equal(notes.count, 0);
        assert_int_equal(trial->frame_count, 3);
        assert_int_equal(trial->marker_count, 2);
        snw_trial_destroy(trial);
    }
}

static void content_wins_over_the_header_and_is_noted(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *trial = read_trial_text("PathFileType\t4\t(X/Y/Z)\tx.trc\n"
                                       "DataRate\tNumFrames\tNumMarkers\tUnits\n"
                                       "60\t2000000000\t66\tm\n"
                                       "Frame#\tTime\tA\t\t\tB\n"
                                       "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n"
                                       "1\t0\t1\t2\t3\t4\t5\t6\t7\t8\t9\n"
                                       "4\t0.0167\t1\t2\t3\n"
                                       "5\t0.0333\t1\t\t3\t0\t0\t0\n",
                                       &notes);
    assert_int_equal(trial->frame_count, 3);
    assert_int_equal(trial->marker_count, 2);
    check_note(&notes, "2000000000 for the frames, 3 are there");
    check_note(&notes, "66 for the markers, 2 are there");
    check_note(&notes, "1 row has columns without a name");
    check_note(&notes, "frame numbers jump 1 time (");
    check_note(&notes, "1 row ends early (first in line 7)");
    check_note(&notes, "1 sample has only one or two of three");
    check_note(&notes, "1 sample lies at exactly 0 0 0");
    assert_false(snw_trial_is_present(trial, 1, 1));
    assert_false(snw_trial_is_present(trial, 2, 0));
    assert_true(snw_trial_is_present(trial, 2, 1));
    snw_trial_destroy(trial);
}

static void a_missing_rate_comes_from_the_times(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *trial = read_trial_text("PathFileType\t4\t(X/Y/Z)\tx.trc\n"
                                       "NumFrames\tNumMarkers\tUnits\n3\t1\tfurlong\n"
                                       "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n"
                                       "1\t0\t1\t2\t3\n2\t0.017\t1\t2\t3\n3\t0.033\t1\t2\t3\n",
                                       &notes);
    /* 0.017 and 0.033 are 1/60 and 2/60 to the digits printed. */
    check_near(trial->rate, 60, 0);
    check_note(&notes, "from the times");
    check_note(&notes, "is no length");
    snw_trial_destroy(trial);
}

/* A piece of a longer trial: numbers start at 1, times do not. */
static void the_clock_is_that_of_the_times(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *copy = NULL;
    snw_trial *trial = read_trial_text("PathFileType\t4\t(X/Y/Z)\tx.trc\n"
                                       "DataRate\tNumFrames\tNumMarkers\tUnits\n"
                                       "100\t2\t1\tmm\n"
                                       "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n"
                                       "1\t1.470\t1\t2\t3\n2\t1.480\t1\t2\t3\n",
                                       &notes);
    assert_int_equal(trial->first_frame, 1);
    check_near(snw_trial_time(trial, 0), 1.47, 1e-12);
    assert_int_equal(snw_trial_copy(trial, NULL, &copy, NULL), SNW_OK);
    check_near(snw_trial_time(copy, 1), 1.48, 1e-12);
    snw_trial_destroy(copy);
    snw_trial_destroy(trial);
}

static void broken_files_are_refused_with_line_and_reason(void **state)
{
    (void)state;
    snw_error error = check_trial_refused("PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tUnits\n1\tmm\n"
                                          "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0\t1\t2x\t3\n",
                                          SNW_FORMAT, "\"2x\" of A is not a number");
    assert_int_equal(error.line, 6);
    check_trial_refused("PathFileType\t4\n", SNW_TRUNCATED, "header ends too early");
    check_trial_refused("PathFileType\t4\na\tb\n1\t2\nTime\tA\n", SNW_FORMAT, "Frame#");
    check_trial_refused("PathFileType\t4\na\tb\n1\t2\n", SNW_TRUNCATED, "names is missing");
}

static void a_sentence_below_the_table_is_no_frame(void **state)
{
    (void)state;
    const char *text = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tUnits\n1\tmm\n"
                       "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0\t1\t2\t3\n\nthe end\n";
    snw_error error = check_trial_refused(text, SNW_FORMAT, "\"the end\" is not a frame number");
    assert_int_equal(error.line, 8);
}

static void lenient_reading_keeps_the_rest(void **state)
{
    (void)state;
    const char *text = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tUnits\n1\tmm\n"
                       "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0\t1\t2x\t3\n2\t1\t1\t2\t3\n";
    snw_read_options options = snw_read_options_default();
    options.is_lenient = true;
    snw_trial *trial = NULL;
    snw_notes notes = snw_notes_none();
    assert_int_equal(read_trial_bytes(text, strlen(text), &options, &trial, &notes, NULL), SNW_OK);
    check_note(&notes, "1 coordinate is not a number and is taken as missing");
    check_note(&notes, "the header has no number of frames; 2 were found");
    assert_false(snw_trial_is_present(trial, 0, 0));
    assert_true(snw_trial_is_present(trial, 1, 0));
    snw_trial_destroy(trial);
}

static void other_encodings_are_told_apart(void **state)
{
    (void)state;
    char text[sizeof plain + 3] = "\xef\xbb\xbf";
    memcpy(text + 3, plain, sizeof plain);
    snw_notes notes;
    snw_trial *trial = read_trial_text(text, &notes);
    assert_int_equal(trial->frame_count, 3);
    snw_trial_destroy(trial);
}

static void random_trials_come_back_bit_for_bit(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < TRIAL_SHAPE_COUNT; shape++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            snw_random random = snw_random_seed(seed, shape);
            snw_trial *trial = random_trial(&random, trial_shapes[shape]);
            snw_memory_sink memory;
            write_trial_bytes(trial, SNW_FORMAT_TRC, NULL, &memory);
            snw_trial *again = NULL;
            snw_notes notes = snw_notes_none();
            assert_int_equal(
                read_trial_bytes(memory.bytes, memory.size, NULL, &again, &notes, NULL), SNW_OK);
            check_same_samples(trial, again);
            check_near(again->rate, trial->rate, 0);
            check_near(again->metres_per_unit, trial->metres_per_unit, 0);
            if (trial->frame_count) assert_int_equal(again->first_frame, trial->first_frame);
            for (int marker = 0; marker < trial->marker_count; marker++)
                assert_string_equal(again->marker[marker].name, trial->marker[marker].name);
            snw_trial_destroy(again);
            snw_memory_sink_release(&memory);
            snw_trial_destroy(trial);
        }
}

static void writing_can_change_unit_and_decimals(void **state)
{
    (void)state;
    snw_notes notes;
    snw_trial *trial = read_trial_text(plain, &notes);
    snw_write_options options = snw_write_options_default();
    options.metres_per_unit = 0.01;
    options.decimals = 2;
    snw_memory_sink memory;
    write_trial_bytes(trial, SNW_FORMAT_TRC, &options, &memory);
    assert_non_null(strstr((char *)memory.bytes, "\tcm\t"));
    assert_non_null(strstr((char *)memory.bytes, "\t0.75\t0.85\t0.95\n"));
    snw_memory_sink_release(&memory);
    snw_trial_destroy(trial);
}

static void cut_files_and_failing_memory_leave_nothing_behind(void **state)
{
    (void)state;
    check_every_cut(plain, sizeof plain - 1, call_read_trial);
    check_every_allocation(plain, sizeof plain - 1, call_read_trial);
}

static void sizes_out_of_proportion_are_refused(void **state)
{
    (void)state;
    check_disproportion_refused("PathFileType\t4\nUnits\nmm\nFrame#\tTime", "\tA\t\t", 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_file_is_read_as_it_stands),
        cmocka_unit_test(header_fields_are_kept_and_written_back),
        cmocka_unit_test(line_ends_of_any_system_read_the_same),
        cmocka_unit_test(content_wins_over_the_header_and_is_noted),
        cmocka_unit_test(a_missing_rate_comes_from_the_times),
        cmocka_unit_test(the_clock_is_that_of_the_times),
        cmocka_unit_test(broken_files_are_refused_with_line_and_reason),
        cmocka_unit_test(a_sentence_below_the_table_is_no_frame),
        cmocka_unit_test(lenient_reading_keeps_the_rest),
        cmocka_unit_test(other_encodings_are_told_apart),
        cmocka_unit_test(random_trials_come_back_bit_for_bit),
        cmocka_unit_test(writing_can_change_unit_and_decimals),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing_behind),
        cmocka_unit_test(sizes_out_of_proportion_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
