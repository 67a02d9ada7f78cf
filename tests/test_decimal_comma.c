/* Decimal commas in files that tabs and blanks separate: read like points, refused when mixed. */
#include "motion_checks.h"

static const char *const points[] = {
    "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tUnits\n100.0\tmm\n"
    "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0.00\t1.5\t-2.25\t3e1\n2\t0.01\t1\t2\t.5\n",
    "HIERARCHY\nROOT a\n{\nOFFSET 0.5 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
    "OFFSET 0 12.5 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.0083333\n1.5 2 3\n-4.25 5 6e0\n",
    "x\nnRows=2\nnColumns=2\ninDegrees=yes\nendheader\ntime\ta\n0.00\t1.5\n0.01\t-2.25\n",
};

/* Every point becomes a comma. */
static char *with_commas(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    for (size_t n = 0; n <= strlen(text); n++)
        copy[n] = text[n] == '.' ? ',' : text[n];
    return copy;
}

static snw_source source_of(snw_memory_source *memory, const char *text)
{
    return snw_source_from_memory(memory, text, strlen(text));
}

static void trc_reads_the_same(void **state)
{
    (void)state;
    char *text = with_commas(points[0]);
    snw_notes notes;
    snw_trial *expected = read_trial_text(points[0], &notes);
    assert_false(has_note(&notes, "decimal comma"));
    snw_trial *trial = read_trial_text(text, &notes);
    check_note(&notes, "decimal comma");
    check_near(trial->rate, 100, 0);
    assert_int_equal(trial->frame_count, 2);
    assert_memory_equal(trial->sample, expected->sample, 2 * sizeof *trial->sample);
    check_near(trial->sample[0].y, -2.25, 0);
    snw_trial_destroy(trial);
    snw_trial_destroy(expected);
    free(text);
}

static snw_motion *read_motion_text(const char *text, snw_notes *notes)
{
    snw_memory_source memory;
    snw_source source = source_of(&memory, text);
    snw_motion *motion = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (snw_read_motion(&source, NULL, NULL, &motion, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return motion;
}

static void bvh_reads_the_same(void **state)
{
    (void)state;
    char *text = with_commas(points[1]);
    snw_notes notes;
    snw_motion *expected = read_motion_text(points[1], &notes);
    assert_false(has_note(&notes, "decimal comma"));
    snw_motion *motion = read_motion_text(text, &notes);
    check_note(&notes, "decimal comma");
    check_near(motion->rate, 120, 0);
    check_same_world(motion, expected, snw_quat_identity());
    release(motion);
    release(expected);
    free(text);
}

static void mot_reads_the_same(void **state)
{
    (void)state;
    char *text = with_commas(points[2]);
    snw_memory_source memory;
    snw_source source = source_of(&memory, text);
    snw_table *table = NULL;
    snw_notes notes = snw_notes_none();
    assert_int_equal(snw_read_table(&source, NULL, NULL, &table, &notes, NULL), SNW_OK);
    check_note(&notes, "decimal comma");
    check_near(table->rate, 100, 0);
    check_near(table->value[0], 1.5, 0);
    check_near(table->value[1], -2.25, 0);
    snw_table_destroy(table);
    free(text);
}

/* "1,500" beside "2.5" may be one and a half or fifteen hundred. */
static void commas_beside_points_are_refused(void **state)
{
    (void)state;
    check_trial_refused("PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tUnits\n100\tmm\n"
                        "Frame#\tTime\tA\n\t\tX1\tY1\tZ1\n1\t0\t1,500\t2.5\t3\n",
                        SNW_FORMAT, "\"1,500\" of A is not a number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trc_reads_the_same),
        cmocka_unit_test(bvh_reads_the_same),
        cmocka_unit_test(mot_reads_the_same),
        cmocka_unit_test(commas_beside_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
