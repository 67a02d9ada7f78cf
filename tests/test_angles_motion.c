/* Functional angles of a solved person: a joint with one axis gives its one angle, called by where
 * the axis lies and signed as anatomy has it; which bodies have angles at all. */
#include "check.h"

typedef struct made_joint {
    const char *name;
    int parent;
    snw_vec3 at, axis;
    snw_joint_type type;
} made_joint;

/* x forwards, y to the left, z up. */
static const made_joint hips = {"Hips", -1, {0, 0, 0}, {0, 0, 1}, SNW_JOINT_FREE};
static const made_joint left_hip = {"LeftUpLeg", 0, {0, 0.1, 0}, {0, 0, 1}, SNW_JOINT_BALL};
static const made_joint right_hip = {"RightUpLeg", 0, {0, -0.1, 0}, {0, 0, 1}, SNW_JOINT_BALL};
static const made_joint head = {"Head", 0, {0, 0, 0.6}, {0, 0, 1}, SNW_JOINT_BALL};

static snw_motion *make_motion(const made_joint *joint, int count, double angle,
                               snw_skeleton **body)
{
    snw_joint_def defs[8];
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    for (int j = 0; j < count; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = joint[j].name;
        defs[j].parent = joint[j].parent;
        defs[j].rest = snw_xform_make(snw_quat_identity(), joint[j].at);
        defs[j].joint.type = joint[j].type;
        defs[j].joint.axis = joint[j].axis;
    }
    assert_int_equal(snw_skeleton_create(defs, count, NULL, body, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(*body, NULL, &pose, NULL), SNW_OK);
    snw_pose_reset(pose);
    for (int j = 1; j < count; j++)
        if (joint[j].type != SNW_JOINT_FIXED && joint[j].type != SNW_JOINT_PRISMATIC)
            pose->rotation[j] = snw_quat_from_axis_angle(joint[j].axis, angle);
    assert_int_equal(snw_motion_create(*body, 2, 100, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 2; f++)
        snw_motion_set(motion, f, pose);
    snw_pose_destroy(pose);
    return motion;
}

static double value_of(const snw_angles *angles, const char *name)
{
    int column = snw_angles_find(angles, name);
    if (column < 0) print_error("there is no %s\n", name);
    assert_true(column >= 0);
    return snw_angles_at(angles, 1, column);
}

/* A knee bends backwards, a hip and an elbow forwards; away from the body is outwards on both
 * sides, and inward rotation is positive on both. */
static void one_axis_is_one_angle_with_its_sign(void **state)
{
    (void)state;
    static const struct {
        made_joint joint;
        const char *name;
        double sign; /* of the turn about the axis */
    } rows[] = {
        {{"LeftLeg", 1, {0, 0, -0.4}, {0, 1, 0}, SNW_JOINT_HINGE}, "left_knee_flexion", 1},
        {{"LeftLeg", 1, {0, 0, -0.4}, {0, -1, 0}, SNW_JOINT_HINGE}, "left_knee_flexion", -1},
        {{"RightLeg", 2, {0, 0, -0.4}, {0, 1, 0}, SNW_JOINT_HINGE}, "right_knee_flexion", 1},
        {{"LeftForeArm", 3, {0, 0.3, 0}, {0, 1, 0}, SNW_JOINT_HINGE}, "left_elbow_flexion", -1},
        {{"LeftFoot", 1, {0, 0, -0.8}, {1, 0, 0}, SNW_JOINT_HINGE}, "left_ankle_abduction", 1},
        {{"RightFoot", 2, {0, 0, -0.8}, {1, 0, 0}, SNW_JOINT_HINGE}, "right_ankle_abduction", -1},
        {{"RightFoot", 2, {0, 0, -0.8}, {-1, 0, 0}, SNW_JOINT_HINGE}, "right_ankle_abduction", 1},
        {{"LeftHand", 3, {0, 0.5, 0}, {0, 0, 1}, SNW_JOINT_PIVOT}, "left_wrist_rotation", -1},
        {{"LeftHand", 3, {0, 0.5, 0}, {0, 0, -1}, SNW_JOINT_PIVOT}, "left_wrist_rotation", 1},
        {{"RightHand", 3, {0, -0.5, 0}, {0, 0, 1}, SNW_JOINT_PIVOT}, "right_wrist_rotation", 1},
        {{"tail", 0, {-0.1, 0, 0}, {0, 1, 0}, SNW_JOINT_HINGE}, "tail_flexion", 1},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const made_joint joints[5] = {hips, left_hip, right_hip, head, rows[n].joint};
        snw_skeleton *body = NULL;
        snw_angles *angles = NULL;
        snw_motion *motion = make_motion(joints, 5, 0.3, &body);
        assert_int_equal(snw_angles_from_motion(motion, NULL, &angles, NULL), SNW_OK);
        assert_int_equal(angles->column_count, 3 * 3 + 1);
        check_near(value_of(angles, rows[n].name), 0.3 * rows[n].sign, 1e-12);
        snw_angles_destroy(angles);
        snw_motion_destroy(motion);
        snw_skeleton_destroy(body);
    }
}

/* Which way left is, two legs or two arms tell; which way up, head, chest or knees. */
static void a_body_needs_two_sides_and_an_up(void **state)
{
    (void)state;
    const made_joint left_knee = {"LeftLeg", 1, {0, 0, -0.4}, {0, 1, 0}, SNW_JOINT_HINGE};
    const made_joint right_knee = {"RightLeg", 2, {0, 0, -0.4}, {0, 1, 0}, SNW_JOINT_HINGE};
    const made_joint left_arm = {"LeftArm", 0, {0, 0.2, 0.4}, {0, 0, 1}, SNW_JOINT_BALL};
    const made_joint right_arm = {"RightArm", 0, {0, -0.2, 0.4}, {0, 0, 1}, SNW_JOINT_BALL};
    const made_joint chest = {"Chest", 0, {0, 0, 0.3}, {0, 0, 1}, SNW_JOINT_BALL};
    const made_joint slide = {"Chest", 0, {0, 0, 0.3}, {0, 0, 1}, SNW_JOINT_PRISMATIC};
    const made_joint stiff_left = {"LeftUpLeg", 0, {0, 0.1, 0}, {0, 0, 1}, SNW_JOINT_FIXED};
    const made_joint stiff_right = {"RightUpLeg", 0, {0, -0.1, 0}, {0, 0, 1}, SNW_JOINT_FIXED};
    const struct {
        made_joint joint[5];
        int count;
        snw_status status;
    } rows[] = {
        {{hips, left_hip, right_hip, left_knee, right_knee}, 5, SNW_OK},
        {{hips, left_hip, right_hip, chest}, 4, SNW_OK},
        {{hips, left_arm, right_arm, head}, 4, SNW_OK},
        {{hips, left_hip, right_hip, left_knee}, 4, SNW_NOT_FOUND},
        {{hips, left_hip, right_hip}, 3, SNW_NOT_FOUND},
        {{hips, left_hip, head}, 3, SNW_NOT_FOUND},
        {{hips, left_arm, head}, 3, SNW_NOT_FOUND},
        {{hips, left_arm, right_arm}, 3, SNW_NOT_FOUND},
        {{hips, stiff_left, stiff_right, slide}, 4, SNW_DEGENERATE},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        snw_skeleton *body = NULL;
        snw_angles *angles = NULL;
        snw_error error;
        snw_motion *motion = make_motion(rows[n].joint, rows[n].count, 0.1, &body);
        assert_int_equal(snw_angles_from_motion(motion, NULL, &angles, &error), rows[n].status);
        assert_true((angles != NULL) == (rows[n].status == SNW_OK));
        assert_true(rows[n].status == SNW_OK || error.message[0] != 0);
        snw_angles_destroy(angles);
        snw_motion_destroy(motion);
        snw_skeleton_destroy(body);
    }
}

/* A neck of two joints turns as one: 0.2 and 0.2 radians about the same axis are 0.4. */
static void a_joint_between_counts_with_the_next(void **state)
{
    (void)state;
    const made_joint chest = {"Chest", 0, {0, 0, 0.3}, {0, 0, 1}, SNW_JOINT_BALL};
    const made_joint between = {"segment_7", 3, {0, 0, 0.2}, {0, 1, 0}, SNW_JOINT_BALL};
    const made_joint top = {"Head", 4, {0, 0, 0.1}, {0, 1, 0}, SNW_JOINT_BALL};
    const made_joint joints[6] = {hips, left_hip, right_hip, chest, between, top};
    snw_skeleton *body = NULL;
    snw_angles *angles = NULL;
    snw_motion *motion = make_motion(joints, 6, 0.2, &body);
    assert_int_equal(snw_angles_from_motion(motion, NULL, &angles, NULL), SNW_OK);
    check_near(value_of(angles, "neck_flexion"), 0.4, 1e-12);
    check_near(value_of(angles, "trunk_rotation"), 0.2, 1e-12);
    check_near(value_of(angles, "segment_7_flexion"), 0.2, 1e-12);
    snw_angles_destroy(angles);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static void conventions_are_found_by_their_names(void **state)
{
    (void)state;
    for (int c = 0; c < SNW_ANGLE_CONVENTION_COUNT; c++) {
        const char *name = snw_angle_convention_name((snw_angle_convention)c);
        assert_int_equal(snw_angle_convention_find(name), c);
        assert_true(strlen(snw_angle_convention_text((snw_angle_convention)c)) > 10);
    }
    assert_int_equal(snw_angle_convention_find("isbn"), -1);
    assert_string_equal(snw_angle_convention_name(SNW_ANGLE_CONVENTION_COUNT), "");
    assert_string_equal(snw_angle_convention_text(SNW_ANGLE_CONVENTION_COUNT), "");
    for (int m = 0; m < SNW_EVENT_METHOD_COUNT; m++)
        assert_int_equal(snw_event_method_find(snw_event_method_name((snw_event_method)m)), m);
    assert_int_equal(snw_event_method_find("heel"), -1);
    assert_string_equal(snw_event_method_name(SNW_EVENT_METHOD_COUNT), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_axis_is_one_angle_with_its_sign),
        cmocka_unit_test(a_body_needs_two_sides_and_an_up),
        cmocka_unit_test(a_joint_between_counts_with_the_next),
        cmocka_unit_test(conventions_are_found_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
