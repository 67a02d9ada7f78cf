/* ASF and AMC: bones, frames, units, orders, refusals; forward kinematics against products written
 * out by hand; world positions through a write and a read. */
#include "motion_checks.h"

static const char body_text[] =
    "# a leg\n:version 1.10\n:name leg\n:units\n  mass 1.0\n  length 0.5\n  angle deg\n"
    ":documentation\n  free text, even the word length 7\n"
    ":root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 1 0 0\n  orientation 0 0 0\n"
    ":bonedata\n"
    "  begin\n    id 1\n    name hip\n    direction 0 0 1\n    length 2\n    axis 0 0 0 XYZ\n  "
    "end\n"
    "  begin\n    id 2\n    name femur\n    direction 0 -1 0\n    length 8\n    axis 10 20 30 XYZ\n"
    "    dof rx ry rz\n    limits (-160.0 20.0)\n           (-70.0 70.0)\n           (-60 70)\n  "
    "end\n"
    "  begin\n    id 3\n    name tibia\n    direction 0 -1 0\n    length 7\n    axis 0 0 20 XYZ\n"
    "    dof rx\n    limits (-10.0 170.0)\n  end\n"
    "  begin\n    id 4\n    name foot\n    direction 0 0 1\n    length 2\n    axis -90 0 20 XYZ\n"
    "    dof rx rz\n    limits (-45.0 90.0) (-70.0 20.0)\n  end\n"
    ":hierarchy\n  begin\n    root hip\n    hip femur\n    femur tibia\n    tibia foot\n  end\n";

static const char motion_text[] = "#!OML:ASF leg\n:FULLY-SPECIFIED\n:DEGREES\n"
                                  "1\nroot 0 0 0 0 0 0\nfemur 0 0 0\ntibia 0\nfoot 0 0\n"
                                  "2\nroot 1 2 3 10 20 30\nfemur 40 50 60\ntibia 70\nfoot 15 25\n";

/* The unit of length 0.5 makes one unit of two inches. */
#define TWO_INCHES 0.0508

static snw_status read_pair(const char *asf, const char *amc, snw_motion **motion, snw_notes *notes,
                            snw_error *error)
{
    snw_memory_source memory[2];
    snw_source body = snw_source_from_memory(memory, asf, strlen(asf));
    snw_source frames = snw_source_from_memory(memory + 1, amc, strlen(amc));
    return snw_read_acclaim(&(snw_acclaim_sources){&body, &frames, NULL}, NULL, NULL, motion, notes,
                            error);
}

static snw_motion *read_both(const char *asf, const char *amc, snw_notes *notes)
{
    snw_motion *motion = NULL;
    snw_error error;
    *notes = snw_notes_none();
    if (read_pair(asf, amc, &motion, notes, &error) != SNW_OK) fail_msg("%s", error.message);
    return motion;
}

static snw_error check_refused(const char *asf, const char *amc, snw_status status,
                               const char *part)
{
    snw_motion *motion = NULL;
    snw_error error;
    snw_status got = read_pair(asf, amc, &motion, NULL, &error);
    if (got != status || !strstr(error.message, part))
        fail_msg("%s: %s", snw_status_name(got), error.message);
    assert_null(motion);
    return error;
}

static snw_quat xyz(double x_deg, double y_deg, double z_deg)
{
    const double zyx[3] = {snw_radians(z_deg), snw_radians(y_deg), snw_radians(x_deg)};
    return snw_quat_from_euler(SNW_EULER_ZYX, zyx);
}

/* C M C~ */
static snw_quat in_frame(snw_quat frame, snw_quat turn)
{
    return snw_quat_mul(snw_quat_mul(frame, turn), snw_quat_conjugate(frame));
}

static void forward_kinematics_follows_the_definition(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_both(body_text, motion_text, &notes);
    const snw_skeleton *body = motion->skeleton;
    assert_int_equal(body->joint_count, 5);
    assert_int_equal(motion->frame_count, 2);
    check_note(&notes, "120 frames per second is taken");
    check_note(&notes, "inches divided by 0.5");
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    snw_motion_get(motion, 1, pose);
    snw_pose_forward(pose);

    const snw_vec3 bone[] = {{0, 0, 2}, {0, -8, 0}, {0, -7, 0}, {0, 0, 2}};
    const snw_quat turn[] = {
        snw_quat_identity(),
        in_frame(xyz(10, 20, 30), xyz(40, 50, 60)),
        in_frame(xyz(0, 0, 20), xyz(70, 0, 0)),
        in_frame(xyz(-90, 0, 20), xyz(15, 0, 25)),
    };
    snw_vec3 place = snw_vec3_make(2, 2, 3);
    snw_quat world = xyz(10, 20, 30);
    for (int n = 0; n < 4; n++) {
        /* A few dozen roundings of numbers around 1 m. */
        check_vec3_near(pose->world[n + 1].translation, snw_vec3_scale(place, TWO_INCHES), 1e-14);
        world = snw_quat_mul(world, turn[n]);
        place = snw_vec3_add(place, snw_quat_rotate(world, bone[n]));
    }
    check_vec3_near(snw_pose_tip(pose, 4), snw_vec3_scale(place, TWO_INCHES), 1e-14);
    snw_pose_destroy(pose);
    release(motion);
}

static void types_and_limits_come_from_the_degrees_of_freedom(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion = read_both(body_text, motion_text, &notes);
    const snw_joint *joint = motion->skeleton->joint;
    const snw_joint_type types[] = {SNW_JOINT_FIXED, SNW_JOINT_FIXED, SNW_JOINT_BALL,
                                    SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL};
    for (int j = 0; j < 5; j++)
        assert_int_equal(joint[j].type, types[j]);
    assert_true(joint[3].limit.has_range[0]);
    check_near(joint[3].limit.range[0][1], snw_radians(170), 1e-15);
    /* rx rz is Rz Rx: z is the outer axis. */
    check_vec3_near(joint[4].axis, snw_vec3_make(0, 0, 1), 0);
    check_near(joint[4].limit.range[0][0], snw_radians(-70), 1e-15);
    check_near(joint[4].limit.range[1][0], snw_radians(-45), 1e-15);
    check_note(&notes, "Euler angles and are left out");
    release(motion);
}

static void broken_files_are_refused_with_line_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *asf, *amc;
        snw_status status;
        const char *part;
        int line;
    } rows[] = {
        {":units\nlength 0\n", motion_text, SNW_FORMAT, "must be positive", 2},
        {":units\nlength 1\n", motion_text, SNW_TRUNCATED, "no bones", 2},
        {":bonedata\nbegin\nname a\ndirection 0 1\nend\n", motion_text, SNW_FORMAT,
         "3 numbers are needed", 4},
        {":bonedata\nbegin\nname a\ndof rx qq\nend\n", motion_text, SNW_FORMAT,
         "\"qq\" is no degree", 4},
        {":bonedata\nbegin\nname a\nend\nbegin\nname a\nend\n", motion_text, SNW_FORMAT,
         "name of its own, not \"a\"", 6},
        {":bonedata\nbegin\nname a\nend\n:hierarchy\nbegin\nroot b\nend\n", motion_text, SNW_FORMAT,
         "no bone \"b\"", 7},
        {":bonedata\nbegin\nname a\nend\n:hierarchy\nbegin\nroot a\nroot a\nend\n", motion_text,
         SNW_FORMAT, "two parents", 8},
        {":bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\na b\nb a\n", motion_text,
         SNW_FORMAT, "does not hang on the root", 2},
        {body_text, "1\nroot 1 2 3 4 5 6\nknee 1\n", SNW_FORMAT, "no bone \"knee\"", 3},
        {body_text, "1\nroot 1 2 3 4 5\n", SNW_FORMAT, "root needs 6 finite values", 2},
        {body_text, "1\nroot 1 2 3 4 5 6 7\n", SNW_FORMAT, "6 degrees of freedom, not more", 2},
        {body_text, "1\ntibia inf\n", SNW_FORMAT, "tibia needs 1 finite", 2},
        {body_text, ":DEGREES\nroot 1 2 3 4 5 6\n1\n", SNW_FORMAT, "before a frame number", 2},
        {body_text, "1\nroot 0 0 0 0 0 0\nfemur 0 0 0\ntibia 0\nfoot 0 0\n2\nroot 0 0 0 0 0 0\n",
         SNW_TRUNCATED, "1 of 4 bones; the file is cut", 7},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_error error = check_refused(rows[n].asf, rows[n].amc, rows[n].status, rows[n].part);
        assert_int_equal(error.line, rows[n].line);
    }
}

static void radians_rates_gaps_and_jumps_are_understood(void **state)
{
    (void)state;
    snw_notes notes;
    snw_motion *motion =
        read_both(body_text,
                  ":SAMPLES-PER-SECOND 60\n:RADIANS\n5\nroot 0 0 0 0 0 0\nfemur 0 0 "
                  "0\ntibia 0.5\nfoot 0 0\n7\nroot 0 0 0 0 0 0\n8\ntibia 0.25\n",
                  &notes);
    check_near(motion->rate, 60, 0);
    assert_int_equal(motion->frame_count, 3);
    check_note(&notes, "jump 1 time;");
    check_note(&notes, "keep their pose");
    check_near(snw_quat_twist_angle(motion->rotation[1 * 5 + 3], snw_vec3_make(1, 0, 0)), 0.5,
               1e-15);
    check_near(snw_quat_twist_angle(motion->rotation[2 * 5 + 3], snw_vec3_make(1, 0, 0)), 0.25,
               1e-15);
    release(motion);
}

static void the_body_alone_and_frames_for_it_read_too(void **state)
{
    (void)state;
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, body_text, strlen(body_text));
    assert_int_equal(snw_detect_format(&source), SNW_FORMAT_ASF);
    snw_motion *none = NULL, *motion = NULL, *both = NULL;
    assert_int_equal(snw_read_motion(&source, NULL, NULL, &none, NULL, NULL), SNW_OK);
    assert_int_equal(none->frame_count, 0);
    source = snw_source_from_memory(&memory, motion_text, strlen(motion_text));
    assert_int_equal(snw_detect_format(&source), SNW_FORMAT_AMC);
    snw_read_options options = snw_read_options_default();
    options.metres_per_unit = TWO_INCHES;
    assert_int_equal(snw_read_acclaim(&(snw_acclaim_sources){NULL, &source, none->skeleton},
                                      &options, NULL, &motion, NULL, NULL),
                     SNW_OK);
    snw_notes notes;
    both = read_both(body_text, motion_text, &notes);
    for (int n = 0; n < 2 * 5; n++)
        check_quat_near(motion->rotation[n], both->rotation[n], 1e-15);
    snw_error error;
    snw_motion *again = NULL;
    assert_int_equal(snw_read_motion(&source, NULL, NULL, &again, NULL, &error), SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "ASF"));
    release(both);
    assert_null(motion->own_skeleton);
    snw_motion_destroy(motion);
    snw_motion_destroy(none);
}

static void world_positions_survive_a_write_and_a_read(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        snw_random random = snw_random_seed(seed, 9);
        snw_motion *motion = random_motion(&random, 2 + (int)(seed % 12), 3);
        snw_up_axis up = (snw_up_axis)(seed % 7);
        snw_memory_sink asf, amc;
        write_motion(motion, SNW_FORMAT_ASF, up, &asf);
        write_motion(motion, SNW_FORMAT_AMC, up, &amc);
        snw_memory_source memory[2];
        snw_source body = snw_source_from_memory(memory, asf.bytes, asf.size);
        snw_source frames = snw_source_from_memory(memory + 1, amc.bytes, amc.size);
        snw_motion *again = NULL;
        snw_error error;
        if (snw_read_acclaim(&(snw_acclaim_sources){&body, &frames, NULL}, NULL, NULL, &again, NULL,
                             &error) != SNW_OK)
            fail_msg("seed %d: %s", (int)seed, error.message);
        check_near(again->rate, 60, 0);
        check_same_world(motion, again, turn_up(up));
        release(again);
        snw_memory_sink_release(&asf);
        snw_memory_sink_release(&amc);
        release(motion);
    }
}

static snw_status call_read_amc(const void *bytes, size_t size, bool is_lenient,
                                const snw_allocator *allocator, snw_error *error)
{
    snw_memory_source memory[2];
    snw_source body = snw_source_from_memory(memory, body_text, strlen(body_text));
    snw_source frames = snw_source_from_memory(memory + 1, bytes, size);
    snw_read_options options = snw_read_options_default();
    options.is_lenient = is_lenient;
    snw_motion *motion = NULL;
    snw_status status = snw_read_acclaim(&(snw_acclaim_sources){&body, &frames, NULL}, &options,
                                         allocator, &motion, NULL, error);
    assert_true((status == SNW_OK) == (motion != NULL));
    snw_motion_destroy(motion);
    return status;
}

static void cut_files_and_failing_memory_leave_nothing_behind(void **state)
{
    (void)state;
    check_every_cut(body_text, strlen(body_text), call_read_motion);
    check_every_allocation(body_text, strlen(body_text), call_read_motion);
    check_every_cut(motion_text, strlen(motion_text), call_read_amc);
    check_every_allocation(motion_text, strlen(motion_text), call_read_amc);
}

static void many_bones_and_empty_frames_are_bounded(void **state)
{
    (void)state;
    enum {
        bones = 20000
    };
    char *text = (char *)malloc(bones * 40 + 100);
    size_t size = (size_t)sprintf(text, ":bonedata\n");
    for (int n = 0; n < bones; n++)
        size += (size_t)sprintf(text + size, "begin\nname b%d\nend\n", n);
    check_refused(text, motion_text, SNW_TOO_LARGE, "more than 4095 bones");
    check_bounded_memory(text, size, call_read_motion);
    size = 0;
    for (int n = 0; n < 100000; n++)
        size += (size_t)sprintf(text + size, "%d\n", n % 10);
    check_refused(body_text, text, SNW_TOO_LARGE, "out of proportion");
    check_bounded_memory(text, size, call_read_amc);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_kinematics_follows_the_definition),
        cmocka_unit_test(types_and_limits_come_from_the_degrees_of_freedom),
        cmocka_unit_test(broken_files_are_refused_with_line_and_reason),
        cmocka_unit_test(radians_rates_gaps_and_jumps_are_understood),
        cmocka_unit_test(the_body_alone_and_frames_for_it_read_too),
        cmocka_unit_test(world_positions_survive_a_write_and_a_read),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing_behind),
        cmocka_unit_test(many_bones_and_empty_frames_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
