/* Actors written and read back. */
#include "capture_truth.h"

static snw_actor *make_actor(truth *t)
{
    truth_options options = truth_options_default();
    options.frame_count = 100;
    *t = truth_make(&options);
    return truth_actor(t->trial);
}

static char *print_actor(const snw_actor *actor, size_t *size)
{
    *size = snw_actor_print(actor, NULL, 0);
    char *text = malloc(*size + 1);
    assert_non_null(text);
    assert_int_equal(snw_actor_print(actor, text, *size + 1), *size);
    return text;
}

static void what_was_written_reads_back_and_solves_the_same(void **state)
{
    (void)state;
    truth t;
    size_t size, again_size;
    snw_actor *actor = make_actor(&t), *copy = NULL;
    char *text = print_actor(actor, &size);
    snw_error error;
    if (snw_actor_parse(text, size, NULL, &copy, &error) != SNW_OK) fail_msg("%s", error.message);
    char *again = print_actor(copy, &again_size);
    assert_string_equal(again, text);
    for (int j = 1; j < actor->skeleton->joint_count; j++)
        assert_string_equal(actor->estimate[j].verdict, copy->estimate[j].verdict);
    snw_motion *a = NULL, *b = NULL;
    assert_int_equal(snw_actor_solve(actor, t.trial, NULL, NULL, &a, NULL), SNW_OK);
    assert_int_equal(snw_actor_solve(copy, t.trial, NULL, NULL, &b, NULL), SNW_OK);
    assert_memory_equal(a->root, b->root, 100 * sizeof(snw_xform));
    snw_motion_destroy(a);
    snw_motion_destroy(b);
    free(again);
    free(text);
    snw_actor_destroy(copy);
    snw_actor_destroy(actor);
    truth_free(&t);
}

static void a_text_cut_anywhere_is_refused_or_whole_lines(void **state)
{
    (void)state;
    truth t;
    size_t size;
    snw_actor *actor = make_actor(&t);
    char *text = print_actor(actor, &size);
    for (size_t cut = 0; cut < size; cut++) {
        char *part = malloc(cut ? cut : 1); /* exactly as long, so that a sanitizer sees overruns */
        assert_non_null(part);
        memcpy(part, text, cut);
        snw_actor *copy = NULL;
        snw_error error;
        if (snw_actor_parse(part, cut, NULL, &copy, &error) == SNW_OK) {
            assert_true(copy->marker_count >= 1);
            snw_actor_destroy(copy);
        } else {
            assert_int_equal(error.status, SNW_FORMAT);
            assert_true(error.message[0] != 0);
        }
        free(part);
    }
    free(text);
    snw_actor_destroy(actor);
    truth_free(&t);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *words;
        int line;
    } rows[] = {
        {"", "starts with", -1},
        {"sinew-actor 4\n", "starts with", -1},
        {"sinew-actor 3\n", "no joints", -1},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 a\n", "needs", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"a\n", "needs", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"a\" b\n", "needs", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"\"\n", "needs", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"\\x00\"\n", "needs", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"\\q\"\n", "needs", 2},
        {"sinew-actor 2\n", "no joints", -1},
        {"sinew-actor 1\n", "no joints", -1},
        {"sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 a\n", "no markers", -1},
        {"sinew-actor 1\njoint 0 0 0 0 fixed 0 0 0 a\n", "parent -1", 2},
        {"sinew-actor 1\n# note\njoint -1 0 0 0 fixed 0 0 0 a\njoint 1 0 0 0 ball 0 0 0 b\n",
         "earlier joint", 4},
        {"sinew-actor 1\njoint -1 0 nan 0 fixed 0 0 0 a\n", "needs", 2},
        {"sinew-actor 1\njoint -1 0 0 0 rubber 0 0 0 a\n", "needs", 2},
        {"sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 a\nmarker 0 0 0 0 -1 m\n", "negative", 3},
        {"sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 a\nmarker 3 0 0 0 0 m\n", "earlier joint", 3},
        {"sinew-actor 2\njoint -1 0 0 0 fixed 0 0 0 a\njoint 0 0 1 0 hinge 0 0 0 b\nrange 1 0 1 "
         "0\n",
         "low 1 is above high 0", 4},
        {"sinew-actor 2\njoint -1 0 0 0 fixed 0 0 0 a\njoint 0 0 1 0 hinge 0 0 0 b\naxis 1 1 1 0 0 "
         "0 "
         "1\n",
         "not 1", 4},
        {"sinew-actor 2\njoint -1 0 0 0 fixed 0 0 0 a\ntwist 1 0 1\n", "earlier joint", 3},
        {"sinew-actor 1\nleg 0\n", "tip, marker or value", 2},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"a\"\nturn 0 1 1 0 0\n", "unit", 3},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"a\"\nturn 1 1 0 0 0\n", "earlier", 3},
        {"sinew-actor 3\njoint -1 0 0 0 fixed 0 0 0 \"a\"\nproportions 0\n", "not the root", 3},
        {"sinew-actor 3\nvalue 2 1 \"a\"\n", "so many numbers", 2},
        {"sinew-actor 3\nvalue 999999 1 \"a\"\n", "so many numbers", 2},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_actor *actor = NULL;
        snw_error error;
        assert_int_equal(snw_actor_parse(rows[n].text, strlen(rows[n].text), NULL, &actor, &error),
                         SNW_FORMAT);
        assert_null(actor);
        assert_int_equal(error.line, rows[n].line);
        if (!strstr(error.message, rows[n].words)) fail_msg("%zu: %s", n, error.message);
    }
}

static void somebody_elses_trial_is_refused(void **state)
{
    (void)state;
    truth t;
    snw_actor *actor = make_actor(&t);
    for (int m = 0; m < t.trial->marker_count; m++)
        assert_int_equal(snw_trial_set_marker_name(t.trial, m, "other", NULL), SNW_OK);
    snw_motion *motion = NULL;
    snw_error error;
    assert_int_equal(snw_actor_solve(actor, t.trial, NULL, NULL, &motion, &error), SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "somebody else"));
    snw_actor_destroy(actor);
    truth_free(&t);
}

/* Labels that would break a text of lines and blanks: each comes back as it was, and the markers
 * are as many as before. */
static void any_label_survives(void **state)
{
    (void)state;
    static const char *const labels[] = {"LKNE",
                                         " LKNE",
                                         "LKNE ",
                                         "L KNE",
                                         "\"quoted\"",
                                         "back\\slash",
                                         "\\x41",
                                         "tab\there",
                                         "line\nbreak",
                                         "x\nmarker 0 0 0 0 0 y",
                                         "# remark",
                                         "\r",
                                         "\x7f\x01",
                                         "caf\xc3\xa9",
                                         "\xff\xfe",
                                         "sinew-actor 3",
                                         "A label of more than sixty-four bytes, as motion "
                                         "builders give them to markers of a set: 1",
                                         "A label of more than sixty-four bytes, as motion "
                                         "builders give them to markers of a set: 2"};
    enum {
        COUNT = sizeof labels / sizeof *labels
    };
    snw_skeleton *body = NULL;
    snw_actor_marker marker[COUNT];
    snw_actor *actor = NULL, *copy = NULL;
    size_t size;
    snw_error error;
    assert_int_equal(snw_preset_chain(2, 0.3, NULL, &body, NULL), SNW_OK);
    for (int m = 0; m < COUNT; m++)
        marker[m] = (snw_actor_marker){labels[m], m % 2, {0.01 * m, 0, 0}, 0.001};
    assert_int_equal(snw_actor_create(body, marker, COUNT, NULL, &actor, &error), SNW_OK);
    char *text = print_actor(actor, &size);
    if (snw_actor_parse(text, size, NULL, &copy, &error) != SNW_OK) fail_msg("%s", error.message);
    assert_int_equal(copy->marker_count, COUNT);
    for (int m = 0; m < COUNT; m++) {
        assert_string_equal(copy->marker[m].name, actor->marker[m].name);
        assert_int_equal(copy->marker[m].joint, actor->marker[m].joint);
        check_vec3_near(copy->marker[m].offset, actor->marker[m].offset, 0);
    }
    free(text);
    snw_actor_destroy(copy);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
}

/* Captures have markers without a label, and calibration keeps them. */
static void a_marker_without_a_label_comes_back(void **state)
{
    (void)state;
    static const char text[] = "sinew-actor 3\n"
                               "joint -1 0 0 0 fixed 0 0 0 \"a\"\n"
                               "joint 0 0 0.3 0 ball 0.5 0.001 0.002 \"b\"\n"
                               "marker 0 0.1 0 0 0.001 \"\"\n"
                               "marker 1 0 0.1 0 0.001 \"\"\n";
    snw_actor *actor = NULL, *copy = NULL;
    size_t size;
    snw_error error;
    if (snw_actor_parse(text, sizeof text - 1, NULL, &actor, &error) != SNW_OK)
        fail_msg("%s", error.message);
    char *again = print_actor(actor, &size);
    assert_int_equal(snw_actor_parse(again, size, NULL, &copy, &error), SNW_OK);
    assert_int_equal(copy->marker_count, 2);
    assert_string_equal(copy->marker[1].name, "");
    free(again);
    snw_actor_destroy(copy);
    snw_actor_destroy(actor);
}

static void old_versions_are_read(void **state)
{
    (void)state;
    for (int version = 1; version <= 3; version++) {
        char text[256];
        snw_actor *actor = NULL;
        snw_error error;
        snw_format(text, sizeof text,
                   "sinew-actor %d\njoint -1 0 0 0 fixed 0 0 0 %s\nmarker 0 0 0 0 0.001 %s\n",
                   version, version < 3 ? "the root" : "\"the root\"",
                   version < 3 ? "m 1" : "\"m 1\"  ");
        if (snw_actor_parse(text, strlen(text), NULL, &actor, &error) != SNW_OK)
            fail_msg("version %d: %s", version, error.message);
        assert_string_equal(actor->skeleton->name[0], "the root");
        assert_string_equal(actor->marker[0].name, "m 1");
        snw_actor_destroy(actor);
    }
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    const char *text = "sinew-actor 1\njoint -1 0 0 0 fixed 0 0 0 a\nmarker 0 0 0 0 0.001 m\n";
    for (long nth = 0;; nth++) {
        assert_true(nth < 20);
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_actor *actor = NULL;
        snw_status status = snw_actor_parse(text, strlen(text), &allocator, &actor, NULL);
        snw_actor_destroy(actor);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
}

/* What a hand or an upper body keeps with its actor. */
static void turned_frames_and_values_come_back(void **state)
{
    (void)state;
    static const double numbers[3] = {0.1, -1.0 / 3, 12};
    const snw_actor_value values[2] = {{"palm \"cup\"", numbers, 3}, {"nothing", NULL, 0}};
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "root";
    defs[1].name = "forearm";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_PIVOT;
    defs[1].joint.axis = snw_vec3_make(1, 0, 0);
    defs[1].rest.rotation = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.3);
    snw_actor_marker marker = {"m", 1, {0, 0, 0}, 0.001};
    snw_skeleton *body = NULL;
    snw_actor *actor = NULL, *again = NULL;
    char text[2048];
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_actor_create(body, &marker, 1, NULL, &actor, NULL), SNW_OK);
    const double bad[1] = {NAN};
    const snw_actor_value wrong = {"bad", bad, 1};
    assert_int_equal(snw_actor_keep(actor, &wrong, 1, NULL), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_actor_keep(actor, &wrong, 0, NULL), SNW_OK);
    assert_int_equal(snw_actor_keep(actor, values, 2, NULL), SNW_OK);
    size_t size = snw_actor_print(actor, text, sizeof text);
    assert_int_equal(snw_actor_parse(text, size, NULL, &again, NULL), SNW_OK);
    assert_memory_equal(&again->skeleton->rest[1].rotation, &body->rest[1].rotation,
                        sizeof(snw_quat));
    assert_int_equal(again->skeleton->joint[1].type, SNW_JOINT_PIVOT);
    const snw_actor_value *value = snw_actor_find_value(again, "palm \"cup\"");
    assert_non_null(value);
    assert_int_equal(value->count, 3);
    assert_memory_equal(value->number, numbers, sizeof numbers);
    assert_int_equal(snw_actor_find_value(again, "nothing")->count, 0);
    assert_null(snw_actor_find_value(again, "palm"));
    snw_actor_destroy(again);
    snw_actor_destroy(actor);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_reads_back_and_solves_the_same),
        cmocka_unit_test(a_text_cut_anywhere_is_refused_or_whole_lines),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(somebody_elses_trial_is_refused),
        cmocka_unit_test(any_label_survives),
        cmocka_unit_test(turned_frames_and_values_come_back),
        cmocka_unit_test(a_marker_without_a_label_comes_back),
        cmocka_unit_test(old_versions_are_read),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
