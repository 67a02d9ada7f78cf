/* MJCF: bodies, joints about their own points, classes of defaults, every form of orientation,
 * degrees and radians; forward kinematics by the definition in MuJoCo's documentation. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include <stdio.h>
#include <stdlib.h>

#include "robot_checks.h"

static snw_quat turn(double x, double y, double z, double angle)
{
    return snw_quat_from_axis_angle(snw_vec3_make(x, y, z), angle);
}

#define ONE(compiler, body_attributes, inside)                                                    \
    "<mujoco model='m'>" compiler "<worldbody><light/><body name='b' " body_attributes ">" inside \
    "</body></worldbody></mujoco>"
#define RADIAN "<compiler angle='radian'/>"

static void every_form_of_orientation_gives_the_same_frame(void **state)
{
    (void)state;
    /* 90 degrees about z, said in every way. */
    static const char *const texts[] = {
        ONE("", "quat='1 0 0 1'", ""),
        ONE("", "axisangle='0 0 2 90'", ""),
        ONE(RADIAN, "axisangle='0 0 1 1.5707963267948966'", ""),
        ONE("", "euler='0 0 90'", ""),
        ONE("<compiler eulerseq='ZYX'/>", "euler='90 0 0'", ""),
        ONE("", "xyaxes='0 1 0 -2 3 0'", ""),
    };
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        snw_notes notes;
        snw_skeleton *body = read_robot(texts[n], &notes);
        assert_int_equal(body->joint_count, 2);
        assert_string_equal(body->name[0], "world");
        check_near(snw_quat_angle_between(body->rest[1].rotation, turn(0, 0, 1, SNW_PI / 2)), 0,
                   1e-12);
        snw_skeleton_destroy(body);
    }
    snw_notes notes;
    snw_skeleton *body = read_robot(ONE("", "zaxis='0 -3 0'", ""), &notes);
    check_vec3_near(snw_quat_rotate(body->rest[1].rotation, snw_vec3_make(0, 0, 1)),
                    snw_vec3_make(0, -1, 0), 1e-15);
    snw_skeleton_destroy(body);
    /* Moving axes in the order listed against fixed ones. */
    body = read_robot(ONE("<compiler eulerseq='xyz' angle='radian'/>", "euler='0.1 0.2 0.3'", ""),
                      &notes);
    snw_quat x = turn(1, 0, 0, 0.1), y = turn(0, 1, 0, 0.2), z = turn(0, 0, 1, 0.3);
    check_near(snw_quat_angle_between(body->rest[1].rotation, snw_quat_mul(x, snw_quat_mul(y, z))),
               0, 1e-12);
    snw_skeleton_destroy(body);
    body = read_robot(ONE("<compiler eulerseq='XYZ' angle='radian'/>", "euler='0.1 0.2 0.3'", ""),
                      &notes);
    check_near(snw_quat_angle_between(body->rest[1].rotation, snw_quat_mul(z, snw_quat_mul(y, x))),
               0, 1e-12);
    snw_skeleton_destroy(body);
}

/* MuJoCo's kinematics: for every joint in turn, the anchor is the joint's point carried by the
 * frame so far; a hinge turns the frame about the anchor, a slide moves it along the axis. */
static void several_joints_of_a_body_turn_about_their_own_points(void **state)
{
    (void)state;
    snw_notes notes;
    snw_skeleton *body =
        read_robot(ONE(RADIAN, "pos='1 2 3' quat='0.8 0 0.6 0'",
                       "<body name='leaf' pos='0 0 0.5'/>"
                       "<joint name='first' pos='0.1 0 0' axis='0 0 1'/>"
                       "<geom type='sphere'/><joint name='second' type='slide' axis='1 0 0'/>"
                       "<joint name='third' pos='0 0.2 0.3' axis='0 1 1'/>"),
                   &notes);
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(body->dof_count, 3);
    const double values[3] = {0.7, 0.25, -1.2};
    snw_pose_set_values(pose, values);
    snw_pose_forward(pose);
    snw_xform want = snw_xform_make(snw_quat_make(0.8, 0, 0.6, 0), snw_vec3_make(1, 2, 3));
    const snw_vec3 point[3] = {{0.1, 0, 0}, {0, 0, 0}, {0, 0.2, 0.3}};
    const snw_vec3 axis[3] = {{0, 0, 1}, {1, 0, 0}, {0, 0.70710678118654752, 0.70710678118654752}};
    for (int k = 0; k < 3; k++) {
        snw_vec3 anchor = snw_xform_point(want, point[k]);
        snw_vec3 along = snw_quat_rotate(want.rotation, axis[k]);
        if (k == 1) {
            want.translation = snw_vec3_add_scaled(want.translation, values[k], along);
            continue;
        }
        snw_quat q = snw_quat_from_axis_angle(along, values[k]);
        want.rotation = snw_quat_mul(q, want.rotation);
        want.translation = snw_vec3_sub(anchor, snw_quat_rotate(want.rotation, point[k]));
    }
    int b = snw_skeleton_find_joint(body, "b"), leaf = snw_skeleton_find_joint(body, "leaf");
    assert_true(snw_skeleton_find_joint(body, "third") > 0);
    check_vec3_near(pose->world[b].translation, want.translation, 1e-14);
    check_near(snw_quat_angle_between(pose->world[b].rotation, want.rotation), 0, 1e-12);
    check_vec3_near(pose->world[leaf].translation, snw_xform_point(want, snw_vec3_make(0, 0, 0.5)),
                    1e-14);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

static void classes_of_defaults_are_followed(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco><worldbody>"
        "<body name='a' childclass='arm'><joint/>"
        " <body name='b'><joint class='leg' range='-10 20'/>"
        "  <body name='c' childclass='leg'><joint type='hinge' ref='30'/></body></body></body>"
        "<body name='d'><joint/></body></worldbody>"
        "<default><default class='arm'><default class='leg'><joint type='slide'/></default>"
        "<joint axis='0 1 0' range='-90 45'/></default><joint damping='1' axis='1 0 0'/></default>"
        "</mujoco>";
    static const struct {
        const char *name;
        snw_joint_type type;
        snw_vec3 axis;
        bool has_range;
        double low, high;
    } wants[] = {
        {"a", SNW_JOINT_HINGE, {0, 1, 0}, true, -SNW_PI / 2, SNW_PI / 4},
        {"b", SNW_JOINT_PRISMATIC, {0, 1, 0}, true, -10, 20},
        {"c", SNW_JOINT_HINGE, {0, 1, 0}, true, -SNW_PI * 2 / 3, SNW_PI / 12},
        {"d", SNW_JOINT_HINGE, {1, 0, 0}, false, 0, 0},
    };
    snw_notes notes;
    snw_skeleton *body = read_robot(text, &notes);
    for (size_t n = 0; n < sizeof wants / sizeof *wants; n++) {
        const snw_joint *joint = &body->joint[snw_skeleton_find_joint(body, wants[n].name)];
        assert_int_equal(joint->type, wants[n].type);
        check_vec3_near(joint->axis, wants[n].axis, 0);
        assert_int_equal(joint->limit.has_range[0], wants[n].has_range);
        check_near(joint->limit.range[0][0], wants[n].low, 1e-15);
        check_near(joint->limit.range[0][1], wants[n].high, 1e-15);
    }
    snw_skeleton_destroy(body);
}

static void limits_hold_when_the_file_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has_range;
    } cases[] = {
        {ONE("", "", "<joint range='-1 1'/>"), true},
        {ONE("", "", "<joint range='-1 1' limited='false'/>"), false},
        {ONE("<compiler autolimits='false'/>", "", "<joint range='-1 1'/>"), false},
        {ONE("<compiler autolimits='false'/>", "", "<joint range='-1 1' limited='true'/>"), true},
        {ONE("", "", "<joint/>"), false},
    };
    snw_notes notes;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_skeleton *body = read_robot(cases[n].text, &notes);
        assert_int_equal(body->joint[1].limit.has_range[0], cases[n].has_range);
        snw_skeleton_destroy(body);
    }
    snw_skeleton *body = read_robot(ONE("", "", "<joint type='ball' range='0 60'/>"), &notes);
    assert_int_equal(body->joint[1].type, SNW_JOINT_BALL);
    check_near(body->joint[1].limit.cone[2], SNW_PI / 3, 1e-15);
    check_note(&notes, "swing and twist");
    snw_skeleton_destroy(body);
    body = read_robot(ONE("", "", "<freejoint name='f'/>"), &notes);
    assert_int_equal(body->joint[1].type, SNW_JOINT_FREE);
    assert_string_equal(body->name[1], "b");
    snw_skeleton_destroy(body);
}

static void frames_move_what_they_hold(void **state)
{
    (void)state;
    snw_notes notes;
    snw_skeleton *body = read_robot(
        "<mujoco><worldbody><frame pos='0 0 1' euler='0 0 90'><frame pos='1 0 0'>"
        "<body name='a' pos='1 0 0'><inertial pos='0 0 0' mass='3'/></body></frame></frame>"
        "</worldbody></mujoco>",
        &notes);
    check_vec3_near(body->rest[1].translation, snw_vec3_make(0, 2, 1), 1e-15);
    check_near(body->mass[1], 3, 0);
    snw_skeleton_destroy(body);
}

/* A box of 2 kg and 0.2 m x 0.4 m x 0.6 m, turned by 90 degrees about z: what lay along x lies
 * along y. Moments of a box in closed form. */
static void what_bodies_weigh_goes_with_them(void **state)
{
    (void)state;
    double x = 2.0 / 12 * (0.16 + 0.36), y = 2.0 / 12 * (0.04 + 0.36), z = 2.0 / 12 * (0.04 + 0.16);
    char text[600];
    snw_notes notes;
    snprintf(text, sizeof text,
             ONE("", "pos='3 0 0'",
                 "<joint pos='0.5 0 0'/><inertial pos='0.1 0.2 0.3' quat='1 0 0 1' mass='2' "
                 "diaginertia='%.17g %.17g %.17g'/>"),
             x, y, z);
    snw_skeleton *body = read_robot(text, &notes);
    int b = snw_skeleton_find_joint(body, "b");
    assert_true(body->has_inertia[b]);
    check_near(body->mass[b], 2, 0);
    check_vec3_near(body->mass_center[b], snw_vec3_make(0.1, 0.2, 0.3), 0);
    const double want[3] = {y, x, z};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            check_near(body->inertia[b].m[row][column], row == column ? want[row] : 0, 1e-15);
    snw_skeleton_destroy(body);
    /* xx yy zz xy xz yz. */
    body = read_robot(
        ONE("", "", "<inertial pos='0 0 0' mass='1' fullinertia='4 5 6 0.1 0.2 0.3'/>"), &notes);
    const double full[3][3] = {{4, 0.1, 0.2}, {0.1, 5, 0.3}, {0.2, 0.3, 6}};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            check_near(body->inertia[1].m[row][column], full[row][column], 0);
    snw_skeleton_destroy(body);
    /* Numbers that no body can have are none. */
    body = read_robot(ONE("", "", "<inertial pos='0 0 0' mass='1' diaginertia='0 0 0'/>"), &notes);
    assert_false(body->has_inertia[1]);
    check_near(body->mass[1], 1, 0);
    snw_skeleton_destroy(body);
}

#define FOUR_BARS                                                                               \
    "<mujoco><worldbody><body name='a'><joint name='ja' axis='0 0 1' ref='10' range='-50 40'/>" \
    "<body name='b' pos='0 1 0'><joint name='jb' axis='0 0 1'/></body></body>"                  \
    "<body name='c' pos='1 0 0'><joint name='jc' axis='0 0 1'/></body>"                         \
    "</worldbody><equality>%s</equality></mujoco>"

/* A parallelogram: b carries a point of c; both hinges at the ground turn alike. */
static void equalities_hold_in_the_body(void **state)
{
    (void)state;
    char text[1000];
    snw_notes notes;
    snw_format(text, sizeof text, FOUR_BARS,
               "<connect body1='b' body2='c' anchor='1 0 0'/>"
               "<joint joint1='jb' joint2='ja' polycoef='0.25 -1 0 0 0'/>"
               "<joint joint1='jc' joint2='ja' active='false'/><joint joint1='jc'/>");
    snw_skeleton *body = read_robot(text, &notes);
    int a = snw_skeleton_find_joint(body, "a"), b = snw_skeleton_find_joint(body, "b");
    int c = snw_skeleton_find_joint(body, "jc");
    assert_int_equal(body->pin_count, 1);
    assert_int_equal(body->pin[0].joint_b, c);
    check_vec3_near(body->pin[0].point_a, snw_vec3_make(1, 0, 0), 0);
    check_vec3_near(body->pin[0].point_b, snw_vec3_make(0, 1, 0), 1e-15);
    assert_int_equal(body->follow[b].leader, a);
    check_near(body->follow[b].factor, -1, 0);
    check_near(body->follow[b].offset, 0.25, 0);
    check_near(body->value_at_rest[a], snw_radians(10), 1e-15);
    check_near(body->joint[a].limit.range[0][0], snw_radians(-60), 1e-15);
    assert_true(body->joint[c].limit.has_range[0]); /* held at its rest */
    check_near(body->joint[c].limit.range[0][1], 0, 0);
    snw_skeleton_destroy(body);
    static const char *const noted[][2] = {
        {"<weld body1='b' body2='c'/>", "\"weld\" is left out"},
        {"<connect site1='x' site2='y'/>", "joins sites"},
        {"<joint joint1='ja' joint2='jb' polycoef='0 1 2 0 0'/>", "degree two"},
    };
    for (size_t n = 0; n < sizeof noted / sizeof *noted; n++) {
        snw_format(text, sizeof text, FOUR_BARS, noted[n][0]);
        body = read_robot(text, &notes);
        check_note(&notes, noted[n][1]);
        assert_int_equal(body->pin_count + body->follower_count, 0);
        snw_skeleton_destroy(body);
    }
    snw_format(text, sizeof text, FOUR_BARS, "<joint joint1='ja' joint2='x'/>");
    check_refused(text, SNW_FORMAT, "a joint that is not there");
    snw_format(text, sizeof text, FOUR_BARS, "<connect body1='b' body2='x' anchor='0 0 0'/>");
    check_refused(text, SNW_FORMAT, "a body that is not there");
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char path[300];
    snw_format(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The scene includes a model, which includes its arm inside of a body, both beside the scene. */
static void included_files_stand_where_they_are_included(void **state)
{
    char folder[] = "/tmp/sinew_mjcf_XXXXXX", path[300];
    static const char *const names[] = {"scene.xml", "model.xml", "arm.xml", "round.xml"};
    snw_motion *motion = NULL;
    snw_error error;
    (void)state;
    assert_non_null(mkdtemp(folder));
    write_text(folder, "scene.xml",
               "<mujoco><!-- <include file='no'/> --><include file='model.xml'/>"
               "<worldbody><body name='box'/></worldbody></mujoco>");
    write_text(folder, "model.xml",
               "<?xml version='1.0'?><mujoco><compiler angle='radian'/><worldbody>"
               "<body name='base'><include "
               "file='arm.xml'></include></body></worldbody></mujoco>");
    write_text(folder, "arm.xml",
               "<mujocoinclude><body name='arm' pos='1 0 0'><joint range='0 "
               "2'/></body>"
               "</mujocoinclude>");
    write_text(folder, "round.xml", "<mujoco><include file='round.xml'/></mujoco>");
    snw_format(path, sizeof path, "%s/scene.xml", folder);
    assert_int_equal(snw_read_motion_file(path, NULL, NULL, &motion, NULL, &error), SNW_OK);
    assert_int_equal(motion->skeleton->joint_count, 4);
    int arm = snw_skeleton_find_joint(motion->skeleton, "arm");
    assert_int_equal(motion->skeleton->parent[arm],
                     snw_skeleton_find_joint(motion->skeleton, "base"));
    check_near(motion->skeleton->joint[arm].limit.range[0][1], 2, 0);
    assert_true(snw_skeleton_find_joint(motion->skeleton, "box") > 0);
    snw_motion_destroy(motion);
    snw_format(path, sizeof path, "%s/round.xml", folder);
    assert_int_equal(snw_read_motion_file(path, NULL, NULL, &motion, NULL, &error), SNW_TOO_LARGE);
    snw_format(path, sizeof path, "%s/arm.xml", folder);
    assert_int_equal(remove(path), 0);
    snw_format(path, sizeof path, "%s/scene.xml", folder);
    assert_int_equal(snw_read_motion_file(path, NULL, NULL, &motion, NULL, &error), SNW_NOT_FOUND);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        snw_format(path, sizeof path, "%s/%s", folder, names[n]);
        (void)remove(path);
    }
    assert_int_equal(remove(folder), 0);
}

/* A third of a turn about z and a way, two of them; each holds two legs that go on from each other.
 * The same written out, by the rule that a replica lies in the frame of the one before. */
static void replicates_stand_where_they_do_when_written_out(void **state)
{
    (void)state;
    snw_notes notes;
    snw_skeleton *body = read_robot(
        "<mujoco><worldbody><body name='hub'><joint name='free' type='ball'/>"
        "<replicate count='2' offset='0 1 0' euler='0 0 120'>"
        "<replicate count='12' sep='-' offset='1 0 0' euler='0 5 0'>"
        "<body name='leg' pos='0 0 2'><joint name='knee' axis='0 1 0'/></body></replicate>"
        "</replicate></body></worldbody>"
        "<equality><joint joint1='knee-011' joint2='knee-000'/></equality></mujoco>",
        &notes);
    assert_int_equal(body->joint_count, 2 + 24);
    for (int outer = 0; outer < 2; outer++) {
        snw_xform place = snw_xform_identity();
        if (outer == 1)
            place = snw_xform_make(turn(0, 0, 1, snw_radians(120)), snw_vec3_make(0, 1, 0));
        for (int inner = 0; inner < 12; inner++) {
            char name[16];
            snw_format(name, sizeof name, "leg-%02d%d", inner, outer);
            int joint = snw_skeleton_find_joint(body, name);
            assert_true(joint > 1);
            snw_xform leg =
                snw_xform_mul(place, snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 0, 2)));
            check_vec3_near(body->rest[joint].translation, leg.translation, 1e-14);
            check_near(fabs(snw_quat_dot(body->rest[joint].rotation, leg.rotation)), 1, 1e-14);
            place = snw_xform_mul(
                place, snw_xform_make(turn(0, 1, 0, snw_radians(5)), snw_vec3_make(1, 0, 0)));
        }
    }
    assert_true(body->follow[snw_skeleton_find_joint(body, "leg-011")].is_following);
    snw_skeleton_destroy(body);
    check_refused("<mujoco><worldbody><replicate count='0'/></worldbody></mujoco>", SNW_FORMAT,
                  "a count of 1 to");
    check_refused("<mujoco><worldbody><replicate count='4096'><replicate count='2'/></replicate>"
                  "</worldbody></mujoco>",
                  SNW_TOO_LARGE, "replicas");
    check_refused("<mujoco><worldbody><replicate count='4000'><body/></replicate></worldbody>"
                  "</mujoco>",
                  SNW_TOO_LARGE, "out of proportion");
}

static const char geoms_text[] =
    "<mujoco><default><geom type='capsule' size='0.1'/><default class='seen'>"
    "<geom contype='0' conaffinity='0'/></default><default class='hit'><geom type='box' "
    "size='1 2 3' euler='0 90 0'/></default></default><worldbody>"
    "<geom type='plane' size='0 0 1' pos='0 0 -1' euler='90 0 0'/>"
    "<frame pos='0 0 7'><geom class='hit' pos='1 0 0'/></frame>"
    "<body name='a' pos='0 0 1'><joint name='j' pos='0 0 0.5'/>"
    "<geom fromto='0 0 0 0 0 2'/><geom class='seen' size='9'/><geom type='mesh' mesh='m'/>"
    "<replicate count='3' offset='0 4 0'><geom type='sphere' size='0.5' pos='1 0 0'/></replicate>"
    "<body name='b' childclass='hit'><geom type='ellipsoid' size='0.2 0.9 0.4' pos='1 2 3' "
    "quat='1 2 3 4'/><geom type='cylinder' class='main' size='0.3 0.6'/></body></body></worldbody>"
    "</mujoco>";

static snw_status read_geoms(const char *text, size_t size, const snw_skeleton *body,
                             snw_shape_list *list, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, size);
    return snw_read_shapes(&source, body, list, error);
}

static void geoms_lie_where_the_file_says(void **state)
{
    (void)state;
    snw_notes notes;
    snw_body_shape shape[8];
    snw_shape_list list = {.shape = shape, .room = 8};
    snw_error error;
    size_t size = sizeof geoms_text - 1;
    snw_skeleton *body = read_robot(geoms_text, &notes);
    int a = snw_skeleton_find_joint(body, "a"), b = snw_skeleton_find_joint(body, "b");
    assert_int_equal(read_geoms(geoms_text, size, body, &list, &error), SNW_OK);
    assert_int_equal(list.count, 8);
    assert_int_equal(list.left_out, 1); /* the mesh; what is only seen does not count */
    assert_int_equal(shape[0].joint, -1);
    assert_int_equal(shape[0].shape.kind, SNW_SHAPE_PLANE);
    check_vec3_near(shape[0].shape.own[0], snw_vec3_make(0, 0, -1), 1e-15);
    check_vec3_near(shape[0].shape.own[1], snw_vec3_make(0, -1, 0), 1e-15);
    /* Turned by a quarter about y: its half edges lie along z, y, x. */
    assert_int_equal(shape[1].joint, -1);
    check_near(fabs(shape[1].shape.own[0].x - 1), 3, 1e-14);
    check_near(fabs(shape[1].shape.own[0].z - 7), 1, 1e-14);
    assert_int_equal(shape[2].joint, a);
    check_vec3_near(shape[2].shape.own[0], snw_vec3_make(0, 0, 0), 1e-15);
    check_vec3_near(shape[2].shape.own[1], snw_vec3_make(0, 0, 2), 1e-15);
    for (int k = 0; k < 3; k++)
        check_vec3_near(shape[3 + k].shape.own[0], snw_vec3_make(1, 4 * k, 0), 1e-15);
    check_near(shape[5].shape.radius, 0.5, 0);
    assert_int_equal(shape[6].joint, b);
    check_near(shape[7].shape.radius, 0.3, 0);
    check_near(shape[7].shape.own[0].z, -0.6, 0);
    /* What stands for an ellipsoid holds it, and no more of its longest axis. */
    snw_xform place =
        snw_xform_make(snw_quat_normalize(snw_quat_make(1, 2, 3, 4)), snw_vec3_make(1, 2, 3));
    snw_random random = snw_random_seed(4, 1);
    double nearest = -INFINITY;
    for (int k = 0; k < 2000; k++) {
        snw_vec3 u = snw_random_direction(&random);
        snw_vec3 at = snw_xform_point(place, snw_vec3_make(0.2 * u.x, 0.9 * u.y, 0.4 * u.z));
        snw_shape point = snw_shape_sphere(at, 0);
        snw_contact contact;
        snw_shape_contact(&(snw_placed_shape){&point, snw_xform_identity()},
                          &(snw_placed_shape){&shape[6].shape, snw_xform_identity()}, &contact);
        assert_true(contact.distance <= 1e-12);
        nearest = fmax(nearest, contact.distance);
    }
    assert_true(nearest > -0.01);
    for (size_t n = 0; n < size; n++) { /* cut off anywhere: an error */
        assert_true(read_geoms(geoms_text, n, body, &list, &error) != SNW_OK || list.count <= 8);
    }
    static const char below[] = "<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>";
    assert_int_equal(read_geoms(below, sizeof below - 1, body, &list, &error), SNW_FORMAT);
    assert_non_null(strstr(error.message, "below 0"));
    snw_skeleton_destroy(body);
}

static void what_cannot_be_read_is_refused_with_a_sentence(void **state)
{
    (void)state;
    check_refused("<mujoco><include file='a.xml'/></mujoco>", SNW_UNSUPPORTED, "save the compiled");
    check_refused("<mujoco><compiler coordinate='global'/></mujoco>", SNW_UNSUPPORTED, "global");
    check_refused("<mujoco><compiler angle='gon'/></mujoco>", SNW_FORMAT, "degree");
    check_refused("<mujoco><compiler eulerseq='xy'/></mujoco>", SNW_FORMAT, "eulerseq");
    check_refused("<mujoco><worldbody><joint/></worldbody></mujoco>", SNW_FORMAT, "outside of any");
    check_refused(ONE("", "", "<joint type='screw'/>"), SNW_FORMAT, "unknown type \"screw\"");
    check_refused(ONE("", "", "<joint class='none'/>"), SNW_FORMAT, "no class \"none\"");
    check_refused(ONE("", "", "<joint axis='0 0 0'/>"), SNW_FORMAT, "no direction");
    check_refused(ONE("", "", "<joint range='2 1'/>"), SNW_FORMAT, "ends before it starts");
    check_refused(ONE("", "pos='1 2'", ""), SNW_FORMAT, "3 finite numbers");
}

static void cut_files_and_failing_memory_leave_nothing(void **state)
{
    (void)state;
    static const char text[] =
        ONE("<default><default class='x'><joint axis='0 1 0'/></default></default>",
            "childclass='x' pos='1 0 0'",
            "<joint pos='0 0 1'/><joint type='ball' range='0 9'/><body><freejoint/></body>"
            "<replicate count='3' sep='_'><body name='c'><joint name='d'/></body></replicate>");
    check_every_cut(text, sizeof text - 1, call_read_motion);
    check_every_allocation(text, sizeof text - 1, call_read_motion);
    check_bounded_memory(text, sizeof text - 1, call_read_motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_orientation_gives_the_same_frame),
        cmocka_unit_test(several_joints_of_a_body_turn_about_their_own_points),
        cmocka_unit_test(classes_of_defaults_are_followed),
        cmocka_unit_test(limits_hold_when_the_file_says_so),
        cmocka_unit_test(frames_move_what_they_hold),
        cmocka_unit_test(what_bodies_weigh_goes_with_them),
        cmocka_unit_test(equalities_hold_in_the_body),
        cmocka_unit_test(included_files_stand_where_they_are_included),
        cmocka_unit_test(replicates_stand_where_they_do_when_written_out),
        cmocka_unit_test(geoms_lie_where_the_file_says),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_a_sentence),
        cmocka_unit_test(cut_files_and_failing_memory_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
