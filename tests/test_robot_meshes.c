/* Meshes among the collision shapes of URDF and MJCF files: the hull of their corners, where the
 * file says. Compared by how far both reach along directions. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkdtemp */
#endif
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

enum {
    CORNERS = 6
};

static const snw_vec3 wedge[CORNERS] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0},
                                        {0, 0, 3}, {2, 0, 3}, {0, 1, 3}};
static const char wedge_text[] = "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nv 2 0 3\nv 0 1 3\n"
                                 "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";

static const char *const names[] = {"bot/robot.urdf", "bot/robot.xml", "bot/parts/wedge.obj",
                                    "bot/parts/broken.obj", "bot/parts/thing.dae"};
static char folder[] = "/tmp/sinew_mesh_XXXXXX";

static const char *path_of(const char *name)
{
    static char path[300];
    snw_format(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    char command[900];
    snw_format(command, sizeof command, "mkdir %s/bot %s/bot/parts", folder, folder);
    assert_int_equal(system(command), 0);
    write_text("bot/parts/wedge.obj", wedge_text);
    write_text("bot/parts/broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    write_text("bot/parts/thing.dae", "<?xml version='1.0'?><COLLADA></COLLADA>");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        (void)remove(path_of(names[n]));
    (void)remove(path_of("bot/parts"));
    (void)remove(path_of("bot"));
    return remove(folder);
}

typedef struct robot {
    snw_motion *motion;
    snw_body_shape shape[4];
    snw_vec3 point[64];
    snw_shape_list list;
} robot;

static snw_status read_robot_file(const char *name, const char *text, robot *r, snw_error *error)
{
    *r = (robot){.motion = NULL};
    r->list = (snw_shape_list){.shape = r->shape, .room = 4, .point = r->point, .point_room = 64};
    write_text(name, text);
    snw_status status = snw_read_motion_file(path_of(name), NULL, NULL, &r->motion, NULL, error);
    if (status != SNW_OK) return status;
    return snw_read_shapes_file(path_of(name), r->motion->skeleton, &r->list, error);
}

static double reach_of(const snw_vec3 *point, int count, double radius, snw_vec3 along)
{
    double most = -INFINITY;
    for (int k = 0; k < count; k++)
        most = fmax(most, snw_vec3_dot(point[k], along));
    return most + radius;
}

/* The wedge, turned and moved by `own`, then scaled, then placed. */
static void check_wedge(const snw_shape *shape, snw_xform own, snw_vec3 scale, snw_xform place)
{
    snw_vec3 corner[CORNERS];
    snw_random random = snw_random_seed(11, 1);
    for (int k = 0; k < CORNERS; k++) {
        snw_vec3 at = snw_xform_point(own, wedge[k]);
        at = snw_vec3_make(at.x * scale.x, at.y * scale.y, at.z * scale.z);
        corner[k] = snw_xform_point(place, at);
    }
    assert_int_equal(shape->kind, SNW_SHAPE_HULL);
    for (int k = 0; k < 200; k++) {
        snw_vec3 along = snw_random_direction(&random);
        check_near(reach_of(shape->point, shape->point_count, shape->radius, along),
                   reach_of(corner, CORNERS, 0, along), 1e-12);
    }
}

static void meshes_of_urdf_are_found_in_their_package(void **state)
{
    (void)state;
    robot r;
    snw_error error;
    snw_xform place = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), SNW_PI / 2),
                                     snw_vec3_make(1, 2, 3));
    static const char *const form[] = {"package://bot/parts/wedge.obj",
                                       "package://any_name/parts/wedge.obj", "parts/wedge.obj"};
    for (int n = 0; n < 3; n++) {
        char text[900];
        snw_format(text, sizeof text,
                   "<robot name='r'><link name='base'><collision><origin xyz='1 2 3' "
                   "rpy='0 0 1.5707963267948966'/><geometry><mesh filename='%s' scale='1 2 -0.5'/>"
                   "</geometry></collision><collision><geometry><mesh filename='none.stl'/>"
                   "</geometry></collision><collision><geometry><mesh filename='parts/thing.dae'/>"
                   "</geometry></collision></link></robot>",
                   form[n]);
        assert_int_equal(read_robot_file("bot/robot.urdf", text, &r, &error), SNW_OK);
        assert_int_equal(r.list.count, 1);
        assert_int_equal(r.list.left_out, 2); /* not there, and of no format with meshes */
        assert_int_equal(r.list.point_count, CORNERS);
        check_wedge(&r.shape[0].shape, snw_xform_identity(), snw_vec3_make(1, 2, -0.5), place);
        r.list.point_room = 0; /* no room for corners */
        assert_int_equal(
            snw_read_shapes_file(path_of("bot/robot.urdf"), r.motion->skeleton, &r.list, &error),
            SNW_OK);
        assert_int_equal(r.list.count, 0);
        assert_int_equal(r.list.left_out, 3);
        snw_motion_destroy(r.motion);
    }
    assert_int_equal(read_robot_file("bot/robot.urdf",
                                     "<robot name='r'><link name='base'><collision><geometry><mesh "
                                     "filename='parts/broken.obj'/></geometry></collision></link>"
                                     "</robot>",
                                     &r, &error),
                     SNW_FORMAT);
    assert_non_null(strstr(error.message, "broken.obj"));
    snw_motion_destroy(r.motion);
    assert_int_equal(read_robot_file("bot/robot.urdf",
                                     "<robot name='r'><link name='base'><collision><geometry><mesh "
                                     "filename='parts/wedge.obj' scale='1e200 1 1'/></geometry>"
                                     "</collision></link></robot>",
                                     &r, &error),
                     SNW_FORMAT);
    assert_non_null(strstr(error.message, "scaled"));
    snw_motion_destroy(r.motion);
}

static void meshes_of_mjcf_are_scaled_and_placed(void **state)
{
    (void)state;
    robot r;
    snw_error error;
    static const char text[] =
        "<mujoco><compiler meshdir='parts' angle='radian'/><default><mesh scale='2 2 2'/>"
        "<default class='small'><mesh scale='0.1 0.2 0.3'/></default></default>"
        "<asset><mesh file='wedge.obj'/><mesh name='w2' file='wedge.obj' class='small' "
        "refpos='1 0 0' refquat='0 1 0 0'/><mesh name='inline' vertex='0 0 0 1 0 0'/>"
        "</asset><worldbody><geom type='mesh' mesh='wedge' pos='0 0 5'/>"
        "<body name='a'><joint name='j'/><frame pos='0 7 0'><geom type='mesh' mesh='w2'/></frame>"
        "<geom type='mesh' mesh='inline'/><geom type='box' mesh='wedge'/>"
        "<geom type='mesh' mesh='w2' contype='0' conaffinity='0'/></body></worldbody></mujoco>";
    assert_int_equal(read_robot_file("bot/robot.xml", text, &r, &error), SNW_OK);
    assert_int_equal(r.list.count, 3);
    assert_int_equal(r.list.left_out, 1);
    assert_int_equal(r.shape[0].joint, -1);
    check_wedge(&r.shape[0].shape, snw_xform_identity(), snw_vec3_make(2, 2, 2),
                snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 0, 5)));
    assert_int_equal(r.shape[1].joint, snw_skeleton_find_joint(r.motion->skeleton, "a"));
    /* Half a turn about x of what is seen from (1, 0, 0). */
    check_wedge(
        &r.shape[1].shape, snw_xform_make(snw_quat_make(0, -1, 0, 0), snw_vec3_make(-1, 0, 0)),
        snw_vec3_make(0.1, 0.2, 0.3), snw_xform_make(snw_quat_identity(), snw_vec3_make(0, 7, 0)));
    check_wedge(&r.shape[2].shape, snw_xform_identity(), snw_vec3_make(2, 2, 2),
                snw_xform_identity()); /* what is fitted to it */
    snw_motion_destroy(r.motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_of_urdf_are_found_in_their_package),
        cmocka_unit_test(meshes_of_mjcf_are_scaled_and_placed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
