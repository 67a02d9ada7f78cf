/* Knight's figures: his printed arm by hand, bodies written and read back, faults with their
 * sentence. */
#include "motion_checks.h"
#include "read_checks.h"

/* Knight 2005, pages 27 and 28. */
static const char arm[] = "FIGURE 5R1P\n"
                          "SEGMENTS 3\n"
                          "\n"
                          "MESH 0 cube.mesh\n"
                          "MASS 1.0\n"
                          "NAME Base\n"
                          "TRANSLATE_Z 0.5\n"
                          "JOINT Root\n"
                          "3 0.0 0.0 0.5\n"
                          "CHILDREN 1\n"
                          "1 // extendArm\n"
                          "ENDMESH\n"
                          "\n"
                          "MESH 1 cube.mesh\n"
                          "MASS 1.0\n"
                          "NAME extendArm\n"
                          "SCALE_XYZ 0.2 0.2 1.0\n"
                          "TRANSLATE_Z 1.5\n"
                          "PARENT 0 // Base\n"
                          "JOINT 2R\n"
                          "3 0.0 0.0 1.0\n"
                          "DEGREES_OF_FREEDOM 2 0\n"
                          "VALUE 0.0\n"
                          "3 0.0 1.0 0.0\n"
                          "FROM -90.0 TO 90.0\n"
                          "VALUE 0.0\n"
                          "3 0.0 0.0 1.0\n"
                          "FROM -180.0 TO 180.0\n"
                          "CHILDREN 1\n"
                          "2 // Hand\n"
                          "ENDMESH\n"
                          "\n"
                          "MESH 2 cube.mesh\n"
                          "MASS 1.0\n"
                          "NAME Hand\n"
                          "SCALE_XYZ 0.8 0.8 0.4\n"
                          "TRANSLATE_Z 2.5\n"
                          "PARENT 1 // extendedArm\n"
                          "JOINT 3R1P\n"
                          "3 0.0 0.0 2.0\n"
                          "DEGREES_OF_FREEDOM 3 1\n"
                          "VALUE 0.0\n"
                          "3 1.0 0.0 0.0\n"
                          "FROM -90.0 TO 90.0\n"
                          "VALUE 0.0\n"
                          "3 0.0 1.0 0.0\n"
                          "FROM -90.0 TO 90.0\n"
                          "VALUE 0.0\n"
                          "3 0.0 0.0 1.0\n"
                          "FROM -180.0 TO 180.0\n"
                          "VALUE 0.0\n"
                          "3 0.0 0.0 1.0\n"
                          "FROM 0.0 TO 0.4\n"
                          "ENDMESH\n"
                          "\n"
                          "ENDFIGURE\n";

static snw_motion *read_text(const char *text, snw_notes *notes)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    snw_motion *motion = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (snw_read_motion(&source, NULL, NULL, &motion, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return motion;
}

static void check_refused(const char *text, snw_status status, const char *part)
{
    snw_error error;
    snw_status got = call_read_motion(text, strlen(text), false, NULL, &error);
    if (got != status || !strstr(error.message, part))
        fail_msg("%s: %s", snw_status_name(got), error.message);
}

static snw_vec3 place_of(const snw_motion *motion, const char *name)
{
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(motion->skeleton, NULL, &pose, NULL), SNW_OK);
    snw_motion_get(motion, 0, pose);
    snw_pose_forward(pose);
    int joint = snw_skeleton_find_joint(motion->skeleton, name);
    assert_true(joint >= 0);
    snw_vec3 place = pose->world[joint].translation;
    snw_pose_destroy(pose);
    return place;
}

static void the_printed_arm_has_its_joints_limits_and_masses(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_text(arm, &notes);
    const snw_skeleton *body = motion->skeleton;
    assert_int_equal(body->joint_count, 1 + 2 + 4);
    assert_int_equal(body->dof_count, 6);
    assert_int_equal(body->joint[6].type, SNW_JOINT_PRISMATIC);
    assert_string_equal(body->name[6], "Hand");
    check_near(body->joint[6].limit.range[0][1], 0.4, 0);
    check_near(body->joint[2].limit.range[0][1], SNW_PI, 1e-15);
    check_near(body->mass[0] + body->mass[2] + body->mass[6], 3, 0);
    check_vec3_near(place_of(motion, "Hand"), snw_vec3_make(0, 0, 2), 0);
    check_note(&notes, "not read");
    snw_motion_destroy(motion);
}

/* A quarter turn about y at (0, 0, 1) lays the arm along x; the hand then slides 0.3 on along x. */
static void values_move_the_arm_as_they_must(void **state)
{
    (void)state;
    char text[sizeof arm];
    snw_notes notes;
    memcpy(text, arm, sizeof arm);
    char *value = strstr(text, "VALUE 0.0");
    memcpy(value, "VALUE  90", 9);
    for (char *at = value; (at = strstr(at + 1, "VALUE 0.0")) != NULL;)
        value = at;
    memcpy(value, "VALUE 0.3", 9);
    snw_motion *motion = read_text(text, &notes);
    check_vec3_near(place_of(motion, "extendArm"), snw_vec3_make(0, 0, 1), 1e-15);
    check_vec3_near(place_of(motion, "Hand_3"), snw_vec3_make(1, 0, 1), 1e-15);
    check_vec3_near(place_of(motion, "Hand"), snw_vec3_make(1.3, 0, 1), 1e-15);
    snw_motion_destroy(motion);
}

static void bodies_come_back_with_their_places(void **state)
{
    (void)state;
    static const char *const names[] = {"humanoid", "panda", "hand25", "chain10"};
    snw_random random = snw_random_seed(27, 11);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snw_skeleton *body = NULL;
        snw_motion *motion = NULL;
        snw_notes notes;
        assert_int_equal(snw_preset_create(names[n], NULL, &body, NULL), SNW_OK);
        assert_int_equal(snw_motion_create(body, 1, 1, NULL, &motion, NULL), SNW_OK);
        for (int j = 0; j < body->joint_count; j++) {
            double value[6];
            for (int k = 0; k < 6; k++)
                value[k] = snw_random_range(&random, -0.5, 0.5);
            snw_joint_from_values(&body->joint[j], value, &motion->rotation[j], &motion->slide[j]);
        }
        snw_memory_sink memory;
        snw_sink sink = snw_sink_to_memory(&memory, NULL);
        assert_int_equal(snw_write_motion(motion, SNW_FORMAT_ATM, NULL, &sink, NULL), SNW_OK);
        char *text = calloc(memory.size + 1, 1);
        memcpy(text, memory.bytes, memory.size);
        snw_motion *back = read_text(text, &notes);
        for (int j = 0; j < body->joint_count; j++)
            check_vec3_near(place_of(back, body->name[j]), place_of(motion, body->name[j]), 1e-12);
        free(text);
        snw_memory_sink_release(&memory);
        snw_motion_destroy(back);
        snw_motion_destroy(motion);
        snw_skeleton_destroy(body);
    }
}

static void faults_have_a_sentence(void **state)
{
    (void)state;
    check_refused("FIGURE a\nSEGMENTS 0\nENDFIGURE\n", SNW_FORMAT, "SEGMENTS");
    check_refused("FIGURE a\nSEGMENTS 1\nENDFIGURE\n", SNW_FORMAT, "segment 0 of 1");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\n", SNW_TRUNCATED, "ENDMESH");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\nENDMESH\n", SNW_TRUNCATED, "ENDFIGURE");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\nWEIGHT 3\n", SNW_FORMAT, "line 4");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\nMASS -3\n", SNW_FORMAT, "-3 kg");
    check_refused("FIGURE a\nSEGMENTS 2\nMESH 0 m\nENDMESH\nMESH 0 m\n", SNW_FORMAT, "twice");
    check_refused("FIGURE a\nSEGMENTS 2\nMESH 0 m\nPARENT 1\nENDMESH\nMESH 1 m\nPARENT 0\n"
                  "ENDMESH\nENDFIGURE\n",
                  SNW_FORMAT, "0 segments have no parent");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\nDEGREES_OF_FREEDOM 1 0\nVALUE 0\n3 0 0 0\n",
                  SNW_FORMAT, "no direction");
    check_refused("FIGURE a\nSEGMENTS 1\nMESH 0 m\nDEGREES_OF_FREEDOM 1 0\nENDMESH\nENDFIGURE\n",
                  SNW_FORMAT, "0 of its 1");
}

static void cut_files_and_refused_memory_leave_nothing(void **state)
{
    (void)state;
    check_every_cut(arm, sizeof arm - 1, call_read_motion);
    check_every_allocation(arm, sizeof arm - 1, call_read_motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_arm_has_its_joints_limits_and_masses),
        cmocka_unit_test(values_move_the_arm_as_they_must),
        cmocka_unit_test(bodies_come_back_with_their_places),
        cmocka_unit_test(faults_have_a_sentence),
        cmocka_unit_test(cut_files_and_refused_memory_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
