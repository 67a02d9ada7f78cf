/* OpenSim tables: reading, settling, refusing; motions through a table and back. */
#include "motion_checks.h"

static const char plain[] = "Coordinates\nversion=1\nnRows=3\nnColumns=3\ninDegrees=yes\n"
                            "some free text\nendheader\ntime\tpelvis tilt\tknee_angle\n"
                            "0.00\t1\t2\n0.01\t3\t4.5\n0.02\t5\tnan\n";

static snw_status read_table_bytes(const void *bytes, size_t size, bool is_lenient,
                                   const snw_allocator *allocator, snw_table **table,
                                   snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    return snw_read_table(&source, &options, allocator, table, notes, error);
}

static snw_table *read_text(const char *text, snw_notes *notes)
{
    snw_table *table = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_table_bytes(text, strlen(text), false, NULL, &table, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return table;
}

static void a_plain_table_is_read_as_it_stands(void **state)
{
    (void)state;
    snw_notes notes;
    snw_table *table = read_text(plain, &notes);
    assert_int_equal(notes.count, 0);
    assert_int_equal(table->row_count, 3);
    assert_int_equal(table->column_count, 2);
    assert_true(table->is_in_degrees);
    check_near(table->rate, 100, 0);
    assert_string_equal(table->column[0], "pelvis tilt");
    assert_int_equal(snw_table_find_column(table, "KNEE_angle"), 1);
    assert_int_equal(snw_table_find_column(table, "hip"), -1);
    check_near(table->value[1 * 2 + 1], 4.5, 0);
    assert_true(isnan(table->value[2 * 2 + 1]));
    check_near(table->time[2], 0.02, 0);
    snw_table_destroy(table);
}

static void old_headers_and_wrong_counts_are_settled(void **state)
{
    (void)state;
    snw_notes notes;
    snw_table *table =
        read_text("name x.mot\r\ndatacolumns 9\r\ndatarows 2000000000\r\nrange 0 1\r\n"
                  "endheader\r\n\r\n time a b \r\n 0 1 2\r\n 1 3 4\r\n\r\n 9 5 6\r\n",
                  &notes);
    assert_int_equal(table->row_count, 3);
    assert_int_equal(table->column_count, 2);
    assert_false(table->is_in_degrees);
    check_note(&notes, "2000000000 rows, 3 are there");
    check_note(&notes, "9 columns, 3 are there");
    check_note(&notes, "not evenly spaced");
    check_note(&notes, "taken as radians");
    snw_table_destroy(table);
}

static void broken_tables_are_refused_with_line_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        snw_status status;
        const char *part;
        int line;
    } rows[] = {
        {"nRows=1\nnColumns=2\n", SNW_TRUNCATED, "no \"endheader\"", 2},
        {"nRows=1\nendheader\n", SNW_TRUNCATED, "start with \"time\"", 2},
        {"nRows=1\nendheader\nframe\ta\n1\t2\n", SNW_FORMAT, "start with \"time\"", 3},
        {"nRows=2\nendheader\ntime\ta\n1\t2\n1\n2\t3\n", SNW_FORMAT, "1 number, there are 2", 5},
        {"nRows=2\nendheader\ntime\ta\n1\t2\n1", SNW_TRUNCATED, "the file is cut", 5},
        {"nRows=1\nendheader\ntime\ta\n1\tx\n", SNW_FORMAT, "\"x\" is not a number", 4},
        {"DataType=Vec3\nendheader\ntime\ta\n1\t1,2,3\n", SNW_UNSUPPORTED, "type Vec3", 1},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_table *table = NULL;
        snw_error error;
        snw_status status =
            read_table_bytes(rows[n].text, strlen(rows[n].text), false, NULL, &table, NULL, &error);
        if (status != rows[n].status || !strstr(error.message, rows[n].part))
            fail_msg("row %zu: %s: %s", n, snw_status_name(status), error.message);
        assert_int_equal(error.line, rows[n].line);
        assert_null(table);
    }
}

static void a_motion_file_is_told_apart_and_has_no_body(void **state)
{
    (void)state;
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, plain, sizeof plain - 1);
    assert_int_equal(snw_detect_format(&source), SNW_FORMAT_MOT);
    snw_motion *motion = NULL;
    snw_error error;
    assert_int_equal(snw_read_motion(&source, NULL, NULL, &motion, NULL, &error), SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "table"));
}

static void motions_survive_a_table_in_a_file(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        snw_random random = snw_random_seed(seed, 11);
        snw_motion *motion = random_motion(&random, 1 + (int)(seed % 12), (int)(seed % 5));
        snw_up_axis up = (snw_up_axis)(seed % 7);
        snw_memory_sink memory;
        write_motion(motion, SNW_FORMAT_MOT, up, &memory);
        snw_table *table = NULL;
        snw_motion *again = NULL;
        snw_notes notes = snw_notes_none();
        snw_error error;
        if (read_table_bytes(memory.bytes, memory.size, false, NULL, &table, &notes, &error) !=
                SNW_OK ||
            snw_motion_from_table(table, motion->skeleton, NULL, &again, &notes, &error) != SNW_OK)
            fail_msg("seed %d: %s", (int)seed, error.message);
        assert_int_equal(notes.count, 0);
        if (motion->frame_count > 1) check_near(again->rate, 60, 0);
        check_same_world(motion, again, turn_up(up));
        snw_motion_destroy(again);
        snw_table_destroy(table);
        snw_memory_sink_release(&memory);
        release(motion);
    }
}

static void columns_without_a_name_are_not_lost(void **state)
{
    (void)state;
    static const char *const names[] = {"", "b", " "};
    snw_table *table = NULL, *again = NULL;
    assert_int_equal(snw_table_create(2, names, 3, NULL, &table, NULL), SNW_OK);
    assert_int_equal(snw_table_set_rate(table, 50, NULL), SNW_OK);
    check_near(table->time[1], 0.02, 0);
    assert_int_equal(snw_table_set_rate(table, 0, NULL), SNW_INVALID_ARGUMENT);
    table->value[1 * 3 + 2] = 7.25;
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    assert_int_equal(snw_write_table(table, NULL, &sink, NULL), SNW_OK);
    assert_int_equal(read_table_bytes(memory.bytes, memory.size, false, NULL, &again, NULL, NULL),
                     SNW_OK);
    assert_int_equal(again->column_count, 3);
    assert_string_equal(again->column[2], "column3");
    check_near(again->value[1 * 3 + 2], 7.25, 0);
    check_near(again->rate, 50, 0);
    snw_table_destroy(again);
    snw_table_destroy(table);
    snw_memory_sink_release(&memory);
}

static void columns_are_matched_by_name_and_the_rest_is_said(void **state)
{
    (void)state;
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "pelvis";
    defs[1].name = "knee";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_HINGE;
    snw_skeleton *body = NULL;
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &body, NULL), SNW_OK);
    snw_notes notes;
    snw_table *table = read_text(plain, &notes);
    snw_motion *motion = NULL;
    assert_int_equal(snw_motion_from_table(table, body, NULL, &motion, &notes, NULL), SNW_OK);
    check_note(&notes, "no column pelvis_tx");
    check_note(&notes, "3 more columns are missing");
    check_note(&notes, "1 column belongs to no joint of this body and is left out");
    check_note(&notes, "not finite");
    /* 4.5 degrees; the NaN after it holds the value. */
    for (int row = 1; row < 3; row++)
        check_near(snw_quat_twist_angle(motion->rotation[row * 2 + 1], snw_vec3_make(0, 0, 1)),
                   snw_radians(4.5), 1e-15);
    snw_motion_destroy(motion);
    snw_table_destroy(table);
    snw_skeleton_destroy(body);
}

static snw_status call_read_table(const void *bytes, size_t size, bool is_lenient,
                                  const snw_allocator *allocator, snw_error *error)
{
    snw_table *table = NULL;
    snw_notes notes = snw_notes_none();
    snw_status status = read_table_bytes(bytes, size, is_lenient, allocator, &table, &notes, error);
    assert_true((status == SNW_OK) == (table != NULL));
    snw_table_destroy(table);
    return status;
}

static void cut_files_and_failing_memory_leave_nothing_behind(void **state)
{
    (void)state;
    check_every_cut(plain, sizeof plain - 1, call_read_table);
    check_every_allocation(plain, sizeof plain - 1, call_read_table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_table_is_read_as_it_stands),
        cmocka_unit_test(old_headers_and_wrong_counts_are_settled),
        cmocka_unit_test(broken_tables_are_refused_with_line_and_reason),
        cmocka_unit_test(a_motion_file_is_told_apart_and_has_no_body),
        cmocka_unit_test(motions_survive_a_table_in_a_file),
        cmocka_unit_test(columns_without_a_name_are_not_lost),
        cmocka_unit_test(columns_are_matched_by_name_and_the_rest_is_said),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
