/* BVH: hierarchy, channels, guesses, refusals; forward kinematics against hand-made products; world
 * positions through a write and a read. */
#include "motion_checks.h"

static snw_status read_motion_bytes(const void *bytes, size_t size, double metres_per_unit,
                                    snw_motion **motion, snw_notes *notes, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.metres_per_unit = metres_per_unit;
    return snw_read_motion(&source, &options, NULL, motion, notes, error);
}

static snw_motion *read_text(const char *text, double metres_per_unit, snw_notes *notes)
{
    snw_motion *motion = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_motion_bytes(text, strlen(text), metres_per_unit, &motion, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return motion;
}

static snw_error check_refused(const char *text, snw_status status, const char *part)
{
    snw_motion *motion = NULL;
    snw_error error;
    snw_status got = read_motion_bytes(text, strlen(text), 1, &motion, NULL, &error);
    if (got != status || !strstr(error.message, part))
        fail_msg("%s: %s", snw_status_name(got), error.message);
    assert_null(motion);
    return error;
}

static const char arm[] =
    "HIERARCHY\r\nROOT Hips of Bob\r\n{\r\n OFFSET 1 2 3\r\n"
    " CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\r\n"
    " JOINT Bob:Arm\r\n {\r\n  OFFSET 0 10 0\r\n  CHANNELS 3 Yrotation Zrotation Xrotation\r\n"
    "  JOINT Elbow {\r\n   OFFSET 20 0 0\r\n   CHANNELS 1 Zrotation\r\n"
    "   JOINT Wrist { OFFSET 15 0 0 CHANNELS 2 Xrotation Yrotation\r\n"
    "    End Site\r\n    {\r\n     OFFSET 5 0 0\r\n    }\r\n   }\r\n  }\r\n }\r\n"
    " JOINT Tail\r\n {\r\n  OFFSET 0 -4 0\r\n  CHANNELS 0\r\n  End Site { OFFSET 0 0 0 } }\r\n}\r\n"
    "MOTION\r\nFrames: 2\r\nFrame Time: .0083333\r\n"
    "1 2 3 0 0 0 0 0 0 0 0 0\r\n\r\n4 5 6 30 40 50 10 20 30 60 70 80\r\n";

static snw_quat turn(char axis, double degrees)
{
    return snw_quat_from_axis_angle(snw_vec3_make(axis == 'x', axis == 'y', axis == 'z'),
                                    snw_radians(degrees));
}

static void forward_kinematics_is_the_product_of_the_channels_as_listed(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_text(arm, 0.01, &notes);
    const snw_skeleton *body = motion->skeleton;
    assert_int_equal(body->joint_count, 5);
    assert_int_equal(motion->frame_count, 2);
    check_near(motion->rate, 120, 0);
    assert_string_equal(body->name[0], "Hips of Bob");
    assert_string_equal(body->name[1], "Bob:Arm");
    const snw_joint_type types[] = {SNW_JOINT_FIXED, SNW_JOINT_BALL, SNW_JOINT_HINGE,
                                    SNW_JOINT_UNIVERSAL, SNW_JOINT_FIXED};
    for (int j = 0; j < 5; j++)
        assert_int_equal(body->joint[j].type, types[j]);
    assert_true(body->has_tip[3]);
    assert_false(body->has_tip[4]);

    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    snw_motion_get(motion, 1, pose);
    snw_pose_forward(pose);
    snw_quat root = snw_quat_mul(snw_quat_mul(turn('z', 30), turn('x', 40)), turn('y', 50));
    snw_quat shoulder = snw_quat_mul(snw_quat_mul(turn('y', 10), turn('z', 20)), turn('x', 30));
    snw_quat elbow = turn('z', 60);
    snw_quat wrist = snw_quat_mul(turn('x', 70), turn('y', 80));
    snw_vec3 p = snw_vec3_make(4, 5, 6);
    snw_quat r = root;
    const snw_vec3 offset[] = {{0, 10, 0}, {20, 0, 0}, {15, 0, 0}, {5, 0, 0}};
    const snw_quat local[] = {shoulder, elbow, wrist, {1, 0, 0, 0}};
    for (int n = 0; n < 4; n++) {
        p = snw_vec3_add(p, snw_quat_rotate(r, offset[n]));
        r = snw_quat_mul(r, local[n]);
        snw_vec3 got = n < 3 ? pose->world[n + 1].translation : snw_pose_tip(pose, 3);
        /* A few dozen roundings of numbers below 1 m. */
        check_vec3_near(got, snw_vec3_scale(p, 0.01), 1e-14);
    }
    snw_pose_destroy(pose);
    release(motion);
}

/* Offsets of a body of 1.2 m from the root along the bones, in units of `metres`. */
static void check_guess(double metres, double expected)
{
    char text[600];
    double leg = 1.2 / metres;
    snprintf(text, sizeof text,
             "HIERARCHY\nROOT h { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation JOINT k { "
             "OFFSET 0 %.6f 0 CHANNELS 0 End Site { OFFSET 0 %.6f 0 } } }\nMOTION\nFrames: "
             "0\nFrame Time: 0.01\n",
             -leg / 2, -leg / 2);
    snw_notes notes;
    snw_motion *motion = read_text(text, 0, &notes);
    check_note(&notes, "BVH has no unit");
    check_near(motion->skeleton->bone_length[1], 0.6 / metres * expected, 1e-6);
    release(motion);
}

static void the_unit_is_guessed_from_the_body_and_said(void **state)
{
    (void)state;
    const double units[] = {1, 0.01, 0.001, 0.0254, 0.0254 / 0.45};
    for (int n = 0; n < 5; n++)
        check_guess(units[n], units[n]);
}

/* A hand of 0.18 m: what would be a person in inches or Acclaim's units is one by its joints only.
 */
static void a_hand_keeps_its_size(void **state)
{
    (void)state;
    const double units[] = {1, 0.01, 0.001};
    for (int n = 0; n < 3; n++) {
        char text[600];
        snprintf(text, sizeof text,
                 "HIERARCHY\nROOT wrist { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation "
                 "JOINT RightIndex1 { OFFSET 0 %.6f 0 CHANNELS 0 End Site { OFFSET 0 %.6f 0 } } }\n"
                 "MOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0\n",
                 0.1 / units[n], 0.08 / units[n]);
        snw_notes notes;
        snw_motion *motion = read_text(text, 0, &notes);
        check_near(motion->skeleton->bone_length[1], 0.1, 1e-6);
        check_near(motion->metres_per_unit, units[n], 0);
        release(motion);
    }
}

static void a_rewritten_file_keeps_its_unit(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_text(arm, 0.0254, &notes);
    snw_memory_sink bytes;
    write_motion(motion, SNW_FORMAT_BVH, SNW_UP_UNKNOWN, &bytes);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    char *text = calloc(bytes.size + 1, 1);
    assert_non_null(text);
    source.read(source.context, text, bytes.size);
    assert_non_null(strstr(text, "OFFSET 20 0 0")); /* as in the file, not 50.8 */
    free(text);
    snw_memory_sink_release(&bytes);
    release(motion);
}

static void counts_are_settled_by_the_rows(void **state)
{
    (void)state;
    snw_notes notes;
    const char *body =
        "HIERARCHY\nROOT h\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\n";
    char text[1000];
    snprintf(text, sizeof text, "%sFrames: 2000000000\nFrame Time: 0\n1 2 3\n4 5 6\n7 8 9\n", body);
    snw_motion *motion = read_text(text, 1, &notes);
    assert_int_equal(motion->frame_count, 3);
    check_note(&notes, "Frames says 2000000000, 3 are there");
    check_note(&notes, "no usable Frame Time");
    check_vec3_near(motion->root[2].translation, snw_vec3_make(7, 8, 9), 0);
    release(motion);
    snprintf(text, sizeof text, "%sFrame Time: 0.04\n1 2\n3\n4 5\n6\n", body);
    motion = read_text(text, 1, &notes);
    assert_int_equal(motion->frame_count, 2);
    check_near(motion->rate, 25, 0);
    check_note(&notes, "wrapped");
    release(motion);
    snprintf(text, sizeof text, "%sFrames: 2\nFrame Time: 0.04\n1 2 3\n4 5\n", body);
    assert_int_equal(check_refused(text, SNW_TRUNCATED, "2 numbers, the hierarchy has 3").line, 15);
    snprintf(text, sizeof text, "%sFrames: 2\nFrame Time: 0.04\n1 2 3\n4 5\n6 7 8\n", body);
    check_refused(text, SNW_FORMAT, "2 numbers, the hierarchy has 3");
    snprintf(text, sizeof text, "%sFrames: 1\nFrame Time: 0.04\n1 nan 3\n", body);
    check_refused(text, SNW_FORMAT, "\"nan\" is not a finite number");
    text[strlen(body) - 8] = 0;
    motion = read_text(text, 1, &notes);
    assert_int_equal(motion->frame_count, 0);
    check_note(&notes, "no MOTION");
    release(motion);
}

static snw_motion *read_sliding(const char *row, snw_notes *notes)
{
    char text[600];
    snprintf(text, sizeof text,
             "HIERARCHY\nROOT h\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT "
             "k\n{\nOFFSET 0 2 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
             "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: "
             "0.01\n0 0 0 %s\n",
             row);
    return read_text(text, 1, notes);
}

static void inner_positions_replace_or_add_as_the_numbers_say(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_sliding("0 2.125 0 0 0 0", &notes);
    check_note(&notes, "stand for the OFFSET");
    assert_int_equal(motion->skeleton->joint[1].type, SNW_JOINT_FREE);
    check_vec3_near(motion->slide[1], snw_vec3_make(0, 0.125, 0), 0);
    release(motion);
    motion = read_sliding("0 0.125 0 0 0 0", &notes);
    check_note(&notes, "added to the OFFSET");
    check_vec3_near(motion->slide[1], snw_vec3_make(0, 0.125, 0), 0);
    release(motion);
    /* Positions that only repeat the OFFSET make no sliding joint. */
    motion = read_sliding("0 2 0 0 0 0", &notes);
    assert_int_equal(motion->skeleton->joint[1].type, SNW_JOINT_BALL);
    release(motion);
}

static void names_are_made_unique_and_said(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT a\n{\n"
                                   "OFFSET 0 1 0\nJOINT\n{\nOFFSET 0 1 0\n}\n}\n}\n",
                                   1, &notes);
    assert_string_equal(motion->skeleton->name[1], "a#2");
    assert_string_equal(motion->skeleton->name[2], "joint2");
    check_note(&notes, "is called \"a#2\"");
    release(motion);
}

static void broken_files_are_refused_with_line_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        snw_status status;
        const char *part;
        int line;
    } rows[] = {
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nROOT b\n{\n}\n", SNW_UNSUPPORTED,
         "\"b\" is a second ROOT", 6},
        {"HIERARCHY\nJOINT a\n{\n", SNW_FORMAT, "outside the ROOT", 2},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n}\n", SNW_FORMAT, "\"x\" is not a number", 4},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 inf\n}\n", SNW_FORMAT, "\"inf\" is not a number", 4},
        {"HIERARCHY\nROOT a\n{\nCHANNELS 999999999 Xrotation\n}\n", SNW_FORMAT, "\"}\" is not one",
         5},
        {"HIERARCHY\nROOT a\n{\nCHANNELS -1\n}\n", SNW_FORMAT, "CHANNELS needs a count", 4},
        {"HIERARCHY\nROOT a\n{\n}\n}\n", SNW_FORMAT, "a } too many", 5},
        {"HIERARCHY\nROOT a\n{\nFOO\n}\n", SNW_FORMAT, "\"FOO\" does not belong", 4},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n", SNW_TRUNCATED, "ends inside a joint", 5},
        {"HIERARCHY\n", SNW_TRUNCATED, "ends inside a joint", 2},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n", SNW_FORMAT, "ends inside a joint", 5},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_error error = check_refused(rows[n].text, rows[n].status, rows[n].part);
        assert_int_equal(error.line, rows[n].line);
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

static void world_positions_survive_a_write_and_a_read(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        snw_random random = snw_random_seed(seed, 7);
        int frames = (int)snw_random_below(&random, 4);
        snw_motion *motion = random_motion(&random, 1 + (int)(seed % 12), frames);
        snw_up_axis up = (snw_up_axis)(seed % 7);
        snw_memory_sink memory;
        write_motion(motion, SNW_FORMAT_BVH, up, &memory);
        snw_motion *again = NULL;
        snw_error error;
        if (read_motion_bytes(memory.bytes, memory.size, 0.01, &again, NULL, &error) != SNW_OK)
            fail_msg("seed %d: %s", (int)seed, error.message);
        check_near(again->rate, 60, 0);
        check_same_world(motion, again, turn_up(up));
        release(again);
        snw_memory_sink_release(&memory);
        release(motion);
    }
}

static void numbers_that_are_not_finite_are_not_written(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 3);
    snw_motion *motion = random_motion(&random, 4, 3);
    motion->rotation[2 * 4 + 1].x = NAN;
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_error error;
    assert_int_equal(snw_write_motion(motion, SNW_FORMAT_BVH, NULL, &sink, &error),
                     SNW_INVALID_ARGUMENT);
    assert_int_equal(error.frame, 2);
    assert_string_equal(error.name, "j1");
    snw_memory_sink_release(&memory);
    release(motion);
}

static void cut_files_and_failing_memory_leave_nothing_behind(void **state)
{
    (void)state;
    check_every_cut(arm, sizeof arm - 1, call_read_motion);
    check_every_allocation(arm, sizeof arm - 1, call_read_motion);
}

/* A chain of 100000 joints: refused without recursion, and before much memory is taken. */
static void deep_nesting_and_many_rows_are_bounded(void **state)
{
    (void)state;
    enum {
        depth = 100000
    };
    char *text = (char *)malloc(depth * 12 + 100);
    size_t size = (size_t)sprintf(text, "HIERARCHY\nROOT r {\n");
    for (int n = 0; n < depth; n++)
        size += (size_t)sprintf(text + size, "JOINT a {\n");
    check_refused(text, SNW_TOO_LARGE, "more than 4096 joints");
    check_bounded_memory(text, size, call_read_motion);
    free(text);
    text = (char *)malloc(4000 * 20 + 2 * 30000 + 200);
    size = (size_t)sprintf(text, "HIERARCHY\nROOT r {\nCHANNELS 1 Xrotation\n");
    for (int n = 0; n < 4000; n++)
        size += (size_t)sprintf(text + size, "JOINT a%d {\n}\n", n);
    size += (size_t)sprintf(text + size, "}\nMOTION\nFrames: 1\nFrame Time: 1\n");
    for (int n = 0; n < 30000; n++)
        size += (size_t)sprintf(text + size, "1\n");
    check_refused(text, SNW_TOO_LARGE, "out of proportion");
    check_bounded_memory(text, size, call_read_motion);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_kinematics_is_the_product_of_the_channels_as_listed),
        cmocka_unit_test(the_unit_is_guessed_from_the_body_and_said),
        cmocka_unit_test(a_hand_keeps_its_size),
        cmocka_unit_test(a_rewritten_file_keeps_its_unit),
        cmocka_unit_test(counts_are_settled_by_the_rows),
        cmocka_unit_test(inner_positions_replace_or_add_as_the_numbers_say),
        cmocka_unit_test(names_are_made_unique_and_said),
        cmocka_unit_test(broken_files_are_refused_with_line_and_reason),
        cmocka_unit_test(world_positions_survive_a_write_and_a_read),
        cmocka_unit_test(numbers_that_are_not_finite_are_not_written),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing_behind),
        cmocka_unit_test(deep_nesting_and_many_rows_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
