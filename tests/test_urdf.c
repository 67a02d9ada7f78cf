/* URDF: forward kinematics against published arms by another way (their Denavit-Hartenberg tables),
 * every type of joint, the tree, what is noted, what is refused; hostile XML. */
#include "robot_checks.h"

/* ---- a published arm ------------------------------------------------------------------------ */

/* One row of a table as joints of a URDF: the standard form is Rz(theta) Tz(d) Tx(a) Rx(alpha), so
 * the next joint's origin is xyz = (a, 0, d), rpy = (alpha, 0, 0), and the joint turns about z. */
typedef struct arm_row {
    double a, d, alpha, low, high;
} arm_row;

static void put_arm(char *text, size_t size, const arm_row *rows, int count)
{
    size_t used = (size_t)snprintf(text, size, "<?xml version=\"1.0\"?>\n<robot name='arm'>\n");
    for (int l = 0; l <= count + 1; l++)
        used += (size_t)snprintf(text + used, size - used, "<link name='%s%d'/>\n",
                                 l > count ? "tool" : "link", l > count ? 0 : l);
    for (int j = 0; j <= count; j++) {
        const arm_row *before = j ? &rows[j - 1] : NULL;
        used += (size_t)snprintf(
            text + used, size - used,
            "<joint name='j%d' type='%s'><parent link='link%d'/><child link='%s%d'/>"
            "<origin xyz='%.17g 0 %.17g' rpy='%.17g 0 0'/><axis xyz='0 0 1'/>"
            "<limit lower='%.17g' upper='%.17g' effort='1' velocity='1'/></joint>\n",
            j + 1, j < count ? "revolute" : "fixed", j, j < count ? "link" : "tool",
            j < count ? j + 1 : 0, before ? before->a : 0, before ? before->d : 0,
            before ? before->alpha : 0, j < count ? rows[j].low : 0, j < count ? rows[j].high : 0);
    }
    (void)snprintf(text + used, size - used, "</robot>\n");
}

static void check_same_arm(const char *preset, const snw_skeleton *robot, int hinge_count)
{
    snw_skeleton *arm = NULL;
    snw_pose *a = NULL, *b = NULL;
    snw_random random = snw_random_seed(15, 1);
    assert_int_equal(snw_preset_create(preset, NULL, &arm, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(arm, NULL, &a, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(robot, NULL, &b, NULL), SNW_OK);
    assert_int_equal(robot->dof_count, hinge_count);
    int tool = snw_skeleton_find_joint(robot, "tool0");
    for (int n = 0; n < 200; n++) {
        double values[8];
        for (int k = 0; k < hinge_count; k++)
            values[k] = snw_random_range(&random, -3, 3);
        snw_pose_set_values(a, values);
        snw_pose_set_values(b, values);
        snw_pose_forward(a);
        snw_pose_forward(b);
        snw_xform want = a->world[arm->joint_count - 1], got = b->world[tool];
        /* Some ten products of numbers near one. */
        check_vec3_near(got.translation, want.translation, 1e-12);
        check_near(snw_quat_angle_between(got.rotation, want.rotation), 0, 1e-12);
    }
    for (int k = 0; k < hinge_count; k++)
        for (int end = 0; end < 2; end++)
            check_near(robot->joint[k + 1].limit.range[0][end], arm->joint[k].limit.range[0][end],
                       1e-15);
    snw_pose_destroy(a);
    snw_pose_destroy(b);
    snw_skeleton_destroy(arm);
}

static void ur5_and_puma_from_urdf_stand_where_their_tables_say(void **state)
{
    (void)state;
    const double quarter = SNW_PI / 2, turn = 2 * SNW_PI;
    const arm_row ur5[6] = {{0, 0.089159, quarter, -turn, turn}, {-0.425, 0, 0, -turn, turn},
                            {-0.39225, 0, 0, -turn, turn},       {0, 0.10915, quarter, -turn, turn},
                            {0, 0.09465, -quarter, -turn, turn}, {0, 0.0823, 0, -turn, turn}};
    const arm_row puma[6] = {{0, 0, quarter, snw_radians(-160), snw_radians(160)},
                             {0.4318, 0, 0, snw_radians(-45), snw_radians(225)},
                             {0.0203, 0.15005, -quarter, snw_radians(-225), snw_radians(45)},
                             {0, 0.4318, quarter, snw_radians(-110), snw_radians(170)},
                             {0, 0, -quarter, snw_radians(-100), snw_radians(100)},
                             {0, 0, 0, snw_radians(-266), snw_radians(266)}};
    char text[8192];
    snw_notes notes;
    put_arm(text, sizeof text, ur5, 6);
    snw_skeleton *robot = read_robot(text, &notes);
    check_same_arm("ur5", robot, 6);
    snw_skeleton_destroy(robot);
    put_arm(text, sizeof text, puma, 6);
    robot = read_robot(text, &notes);
    check_same_arm("puma560", robot, 6);
    snw_skeleton_destroy(robot);
}

/* ---- joints --------------------------------------------------------------------------------- */

#define PART(type, inside)                                            \
    "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>"          \
    "<joint name=\"j\" type=\"" type "\"><parent link=\"a\"/><child " \
    "link=\"b\"/>" inside "</joint></robot>"

static void every_type_of_joint_becomes_what_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        snw_joint_type type;
        bool has_range;
        double low, high;
        const char *note;
    } cases[] = {
        {PART("revolute", "<limit lower=\"-1\" upper=\"2\"/>"), SNW_JOINT_HINGE, true, -1, 2, NULL},
        {PART("revolute", "<limit upper=\"2\"/>"), SNW_JOINT_HINGE, true, 0, 2, NULL},
        {PART("revolute", ""), SNW_JOINT_HINGE, false, 0, 0, "no limit"},
        {PART("revolute", "<limit lower=\"-1e16\" upper=\"1e16\"/>"), SNW_JOINT_HINGE, false, 0, 0,
         NULL},
        {PART("continuous", "<limit lower=\"-1\" upper=\"2\"/>"), SNW_JOINT_HINGE, false, 0, 0,
         NULL},
        {PART("prismatic", "<limit lower=\"0\" upper=\"0.04\"/>"), SNW_JOINT_PRISMATIC, true, 0,
         0.04, NULL},
        {PART("fixed", ""), SNW_JOINT_FIXED, false, 0, 0, NULL},
        {PART("floating", ""), SNW_JOINT_FREE, false, 0, 0, NULL},
        {PART("continuous", "<mimic joint=\"k\" multiplier=\"-1\"/>"), SNW_JOINT_HINGE, false, 0, 0,
         "which is not there"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_notes notes;
        snw_skeleton *body = read_robot(cases[n].text, &notes);
        const snw_joint *joint = &body->joint[1];
        assert_int_equal(body->joint_count, 2);
        assert_int_equal(joint->type, cases[n].type);
        assert_int_equal(joint->limit.has_range[0], cases[n].has_range);
        if (cases[n].has_range) {
            check_near(joint->limit.range[0][0], cases[n].low, 0);
            check_near(joint->limit.range[0][1], cases[n].high, 0);
        }
        if (cases[n].note)
            check_note(&notes, cases[n].note);
        else
            assert_int_equal(notes.count, 0);
        snw_skeleton_destroy(body);
    }
}

/* Roll, pitch and yaw by matrices, as the format's definition writes them: Rz Ry Rx. */
static void origins_turn_about_fixed_axes_and_axes_are_made_unit(void **state)
{
    (void)state;
    snw_notes notes;
    snw_skeleton *body =
        read_robot(PART("continuous", "<origin rpy=\"0.3 -0.7 2.1\" xyz=\"1\n2\t3\"/><axis "
                                      "xyz=\"0 3e-200 4e-200\"/>"),
                   &notes);
    double r = 0.3, p = -0.7, y = 2.1;
    double want[3][3] = {{cos(y) * cos(p), cos(y) * sin(p) * sin(r) - sin(y) * cos(r),
                          cos(y) * sin(p) * cos(r) + sin(y) * sin(r)},
                         {sin(y) * cos(p), sin(y) * sin(p) * sin(r) + cos(y) * cos(r),
                          sin(y) * sin(p) * cos(r) - cos(y) * sin(r)},
                         {-sin(p), cos(p) * sin(r), cos(p) * cos(r)}};
    for (int k = 0; k < 3; k++) {
        snw_vec3 column =
            snw_quat_rotate(body->rest[1].rotation, snw_vec3_make(k == 0, k == 1, k == 2));
        check_vec3_near(column, snw_vec3_make(want[0][k], want[1][k], want[2][k]), 1e-15);
    }
    check_vec3_near(body->rest[1].translation, snw_vec3_make(1, 2, 3), 0);
    check_vec3_near(body->joint[1].axis, snw_vec3_make(0, 0.6, 0.8), 1e-15);
    snw_skeleton_destroy(body);
}

/* A plane's motion is any slide across the axis and any turn about it. */
static void a_planar_joint_is_two_slides_and_a_turn(void **state)
{
    (void)state;
    snw_notes notes;
    snw_skeleton *body =
        read_robot(PART("planar", "<origin xyz=\"0 0 5\"/><axis xyz=\"0 1 0\"/>"), &notes);
    snw_pose *pose = NULL;
    assert_int_equal(body->joint_count, 4);
    assert_int_equal(body->dof_count, 3);
    assert_true(snw_skeleton_find_joint(body, "b_x") == 1 &&
                snw_skeleton_find_joint(body, "b") == 3);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    const double values[3] = {0.3, -0.4, 1.1};
    snw_pose_set_values(pose, values);
    snw_pose_forward(pose);
    snw_vec3 moved = snw_vec3_sub(pose->world[3].translation, snw_vec3_make(0, 0, 5));
    check_near(moved.y, 0, 1e-15);
    check_near(snw_vec3_length(moved), 0.5, 1e-15);
    check_near(snw_quat_angle_between(pose->world[3].rotation,
                                      snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 1.1)),
               0, 1e-12);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* Children before parents in the file, entities, comments, masses, meshes, elements of others. */
/* A gripper as robots have it: the second finger mimics the first, a third the second, the other
 * way round; the range of a leader is what all of them allow. */
static void joints_that_mimic_others_follow_them(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='g'><link name='palm'/><link name='a'/><link name='b'/><link name='c'/>"
        "<joint name='jc' type='revolute'><parent link='palm'/><child link='c'/><axis xyz='0 0 1'/>"
        "<limit lower='-1' upper='1'/><mimic joint='jb' multiplier='-10'/></joint>"
        "<joint name='ja' type='prismatic'><parent link='palm'/><child link='a'/>"
        "<limit lower='0' upper='0.04'/></joint>"
        "<joint name='jb' type='prismatic'><parent link='palm'/><child link='b'/>"
        "<limit lower='0' upper='0.1'/><mimic joint='ja' multiplier='2' offset='0.01'/></joint>"
        "</robot>";
    snw_notes notes;
    snw_skeleton *body = read_robot(text, &notes);
    snw_pose *pose = NULL;
    int a = snw_skeleton_find_joint(body, "ja"), b = snw_skeleton_find_joint(body, "jb");
    int c = snw_skeleton_find_joint(body, "c");
    assert_string_equal(body->name[a], "a");
    assert_string_equal(body->joint_name[c], "jc");
    assert_int_equal(body->follower_count, 2);
    assert_int_equal(body->follow[c].leader, a);
    check_near(body->follow[c].factor, -20, 1e-14);
    check_near(body->follow[c].offset, -0.1, 1e-15);
    check_near(body->joint[a].limit.range[0][1], 0.04, 0); /* jb allows 0.045, jc 0.045 */
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    pose->slide[a] = snw_vec3_make(0.03, 0, 0);
    assert_true(snw_pose_violation(pose) > 0.01);
    (void)snw_pose_apply_limits(pose);
    check_near(pose->slide[b].x, 0.07, 1e-15);
    check_near(snw_quat_log(pose->rotation[c]).z, -0.7, 1e-14);
    check_near(snw_pose_violation(pose), 0, 0);
    assert_false(snw_pose_follow(pose));
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    /* What cannot be said of a body is noted and left out. */
    body = read_robot("<robot name='g'><link name='p'/><link name='a'/><link name='b'/>"
                      "<joint name='ja' type='continuous'><parent link='p'/><child link='a'/>"
                      "<mimic joint='jb'/></joint><joint name='jb' type='continuous'>"
                      "<parent link='p'/><child link='b'/><mimic joint='ja'/></joint></robot>",
                      &notes);
    assert_int_equal(body->follower_count, 1);
    check_note(&notes, "that one follows it");
    snw_skeleton_destroy(body);
}

static void the_tree_is_found_whatever_the_order(void **state)
{
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- by hand <robot> -->\n"
        "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>"
        "<material name='grey'><color rgba='1 1 1 1'/></material>"
        "<link name='c'><inertial><origin xyz='0 0 0'/><mass value='2.5'/></inertial>"
        "<visual><geometry><mesh filename='a.dae'/></geometry></visual>"
        "<collision><geometry><mesh filename='a.stl'/></geometry></collision></link>"
        "<joint name='2' type='fixed'><parent link='b &amp; &lt;b&gt;'/><child link='c'/></joint>"
        "<link name='b &amp; &lt;b&gt;'/>"
        "<joint name='1' type='fixed'><child link='b &amp; &lt;b&gt;'/><parent link='a'/></joint>"
        "<transmission name='t'><joint name='1'/><actuator name='m'/></transmission>"
        "<gazebo><![CDATA[ <joint> & ]]></gazebo><link name='a'/></robot>\n<!-- end -->\n";
    snw_notes notes;
    snw_skeleton *body = read_robot(text, &notes);
    assert_int_equal(body->joint_count, 3);
    assert_string_equal(body->name[0], "a");
    assert_string_equal(body->name[1], "b & <b>");
    assert_string_equal(body->name[2], "c");
    assert_int_equal(body->parent[2], 1);
    check_near(body->mass[2], 2.5, 0);
    check_note(&notes, "2 meshes are left out");
    snw_skeleton_destroy(body);
}

static void what_is_no_robot_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        snw_status status;
        const char *part;
    } cases[] = {
        {"<robot name='r'></robot>", SNW_FORMAT, "no link"},
        {"<robot><link/></robot>", SNW_FORMAT, "a link has no name"},
        {"<robot><link name='a'/><link name='a'/></robot>", SNW_FORMAT, "two links"},
        {"<robot><link name='a'/><link name='b'/></robot>", SNW_FORMAT, "both hang on nothing"},
        {PART("helical", ""), SNW_FORMAT, "unknown type \"helical\""},
        {PART("revolute", "<limit lower='1' upper='-1'/>"), SNW_FORMAT, "lower limit above"},
        {PART("revolute", "<axis xyz='0 0 0'/>"), SNW_FORMAT, "without direction"},
        {PART("revolute", "<axis xyz='0 1'/>"), SNW_FORMAT, "3 finite numbers"},
        {PART("revolute", "<origin xyz='0 1 nan'/>"), SNW_FORMAT, "3 finite numbers"},
        {PART("revolute", "<origin xyz='1,5 0 0'/>"), SNW_FORMAT, "3 finite numbers"},
        {"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/></joint></robot>",
         SNW_FORMAT, "lacks its parent or child"},
        {"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child "
         "link='z'/></joint></robot>",
         SNW_FORMAT, "no link \"z\""},
        {"<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent "
         "link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent link='a'/><child "
         "link='b'/></joint></robot>",
         SNW_FORMAT, "closes a loop"},
        {"<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent "
         "link='a'/><child link='b'/></joint><joint name='k' type='fixed'><parent link='b'/><child "
         "link='a'/></joint></robot>",
         SNW_FORMAT, "no root"},
        {"<robot><link name='r'/><link name='a'/><link name='b'/><joint name='j' "
         "type='fixed'><parent link='a'/><child link='b'/></joint><joint name='k' "
         "type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
         SNW_FORMAT, "in a ring"},
        {"<robot><xacro:include filename='a.xacro'/></robot>", SNW_UNSUPPORTED, "expand it first"},
        {"<robot><link name='${prefix}a'/></robot>", SNW_UNSUPPORTED, "expand it first"},
        /* the XML itself */
        {"<robot><link name='a'></robot>", SNW_FORMAT, "\"robot\" closes but is not open"},
        {"<robot><link name='a'/>", SNW_TRUNCATED, "before \"robot\" closes"},
        {"<robot><link name=a/></robot>", SNW_FORMAT, "without quotes"},
        {"<robot><link name='a' name='b'/></robot>", SNW_FORMAT, "twice"},
        {"<robot><link name='a'x='b'/></robot>", SNW_FORMAT, "blanks between"},
        {"<robot><link name='&bad;'/></robot>", SNW_FORMAT, "five entities"},
        {"<robot><link name='a'/>&#65;</robot>", SNW_FORMAT, "five entities"},
        {"<robot><link name='a'/></robot><robot/>", SNW_FORMAT, "more than one outermost"},
        {"<robot><link name='a'/></robot> x", SNW_FORMAT, "text outside"},
        {"<robot><!-- <link name='a'/></robot>", SNW_TRUNCATED, "has no end"},
        {"<robot><!ENTITY a 'b'><link name='a'/></robot>", SNW_UNSUPPORTED, "document type"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++)
        check_refused(cases[n].text, cases[n].status, cases[n].part);
    /* A line for whoever must look for it. */
    snw_skeleton *body = NULL;
    snw_error error;
    const char *text = "<robot>\n<link name='a'/>\n<link nam='b'/>\n</robot>";
    (void)read_bytes(text, strlen(text), &body, NULL, &error);
    assert_int_equal(error.line, 3);
}

static void depth_attributes_and_joints_are_bounded(void **state)
{
    (void)state;
    size_t size = (size_t)1 << 20;
    char *text = malloc(size);
    size_t used = (size_t)sprintf(text, "<robot>");
    for (int n = 0; n < 200; n++)
        used += (size_t)sprintf(text + used, "<a>");
    check_refused(text, SNW_TOO_LARGE, "nest deeper");
    used = (size_t)sprintf(text, "<robot");
    for (int n = 0; n < 70; n++)
        used += (size_t)sprintf(text + used, " a%d='1'", n);
    strcpy(text + used, "/>");
    check_refused(text, SNW_TOO_LARGE, "more than 64 attributes");
    used = (size_t)sprintf(text, "<robot>");
    for (int n = 0; n < 5000; n++)
        used += (size_t)sprintf(text + used, "<link name='%d'/>", n);
    strcpy(text + used, "</robot>");
    check_refused(text, SNW_TOO_LARGE, "4096");
    check_bounded_memory(text, strlen(text), call_read_motion);
    /* Names of any length are kept apart in the file, and cut in the body. */
    used = (size_t)sprintf(text, "<robot><link name='");
    for (int end = 0; end < 2; end++) {
        memset(text + used, 'x', 3000);
        used += 3000;
        used += (size_t)sprintf(text + used, end ? "b'/>" : "a'/><link name='");
    }
    used += (size_t)sprintf(text + used, "<joint name='j' type='fixed'><parent link='");
    for (int end = 0; end < 2; end++) {
        memset(text + used, 'x', 3000);
        used += 3000;
        used += (size_t)sprintf(text + used, end ? "b'/></joint></robot>" : "a'/><child link='");
    }
    snw_notes notes;
    snw_skeleton *body = read_robot(text, &notes);
    assert_int_equal(body->joint_count, 2);
    assert_true(strlen(body->name[0]) == 255);
    snw_skeleton_destroy(body);
    free(text);
}

static void cut_files_and_failing_memory_leave_nothing(void **state)
{
    (void)state;
    static const char text[] =
        PART("planar", "<origin xyz='1 2 3' rpy='0 1 0'/><axis xyz='0 1 0'/><mimic joint='k'/>");
    check_every_cut(text, sizeof text - 1, call_read_motion);
    check_every_allocation(text, sizeof text - 1, call_read_motion);
}

static const char shapes_text[] =
    "<robot name='r'><link name='base'><collision><geometry><box size='0.2 0.4 0.6'/></geometry>"
    "</collision></link><link name='arm'><collision><origin xyz='0 0 1' rpy='0 1.5707963267948966 "
    "0'/>"
    "<geometry><cylinder radius='0.05' length='0.4'/></geometry></collision>"
    "<visual><geometry><sphere radius='9'/></geometry></visual>"
    "<collision><geometry><mesh filename='a.stl'/></geometry></collision></link>"
    "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/>"
    "<limit lower='-1' upper='1'/></joint></robot>";

static void collision_shapes_lie_where_the_file_says(void **state)
{
    (void)state;
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, shapes_text, sizeof shapes_text - 1);
    snw_motion *motion = NULL;
    snw_body_shape shape[4];
    snw_shape_list list = {.shape = shape, .room = 4};
    assert_int_equal(snw_read_motion(&source, NULL, NULL, &motion, NULL, NULL), SNW_OK);
    source = snw_source_from_memory(&memory, shapes_text, sizeof shapes_text - 1);
    assert_int_equal(snw_read_shapes(&source, motion->skeleton, &list, NULL), SNW_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.left_out, 1); /* the mesh; what is only seen does not count */
    assert_int_equal(shape[0].joint, 0);
    assert_int_equal(shape[0].shape.point_count, 8);
    check_near(fabs(shape[0].shape.own[0].z), 0.3, 1e-12);
    assert_int_equal(shape[1].joint, snw_skeleton_find_joint(motion->skeleton, "arm"));
    /* Turned by a quarter about y: its axis lies along x. */
    check_near(fabs(shape[1].shape.own[0].x), 0.2, 1e-12);
    check_near(shape[1].shape.own[0].z, 1, 1e-12);
    check_near(shape[1].shape.radius, 0.05, 0);
    list.room = 0;
    source = snw_source_from_memory(&memory, shapes_text, sizeof shapes_text - 1);
    assert_int_equal(snw_read_shapes(&source, motion->skeleton, &list, NULL), SNW_OK);
    assert_int_equal(list.count, 2);
    /* Cut off anywhere it is an error or shorter, never more. */
    for (size_t n = 0; n < sizeof shapes_text - 1; n++) {
        list.room = 4;
        source = snw_source_from_memory(&memory, shapes_text, n);
        (void)snw_read_shapes(&source, motion->skeleton, &list, NULL);
        assert_true(list.count <= 2);
    }
    snw_motion_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collision_shapes_lie_where_the_file_says),
        cmocka_unit_test(ur5_and_puma_from_urdf_stand_where_their_tables_say),
        cmocka_unit_test(every_type_of_joint_becomes_what_it_is),
        cmocka_unit_test(origins_turn_about_fixed_axes_and_axes_are_made_unit),
        cmocka_unit_test(a_planar_joint_is_two_slides_and_a_turn),
        cmocka_unit_test(joints_that_mimic_others_follow_them),
        cmocka_unit_test(the_tree_is_found_whatever_the_order),
        cmocka_unit_test(what_is_no_robot_is_refused_with_a_sentence),
        cmocka_unit_test(depth_attributes_and_joints_are_bounded),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
