/* Layouts of calibrations: files written by hand with what they must mean, and every layout against
 * what was written, by where points appear in the pictures. */
#include "check.h"

static snw_status read_text(const char *text, size_t size, snw_cameras **out, snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, size);
    return snw_read_cameras(&source, NULL, NULL, out, NULL, error);
}

static snw_cameras *read_well(const char *text)
{
    snw_cameras *cameras = NULL;
    snw_error error;
    if (read_text(text, strlen(text), &cameras, &error) != SNW_OK)
        print_error("%s\n", error.message);
    assert_non_null(cameras);
    return cameras;
}

/* Two cameras 5 m from the origin that look at it from two sides, one of them rolled. */
static snw_cameras *studio(void)
{
    snw_cameras *cameras = NULL;
    assert_int_equal(snw_cameras_create(2, NULL, &cameras, NULL), SNW_OK);
    for (int c = 0; c < 2; c++) {
        snw_camera *camera = cameras->camera + c;
        const double turn[3] = {0.3 * c, 1.4 * c - 0.2, 0.7 * c};
        snprintf(camera->name, sizeof camera->name, "cam%d", c + 1);
        camera->focal_x = 1100 + c;
        camera->focal_y = 1080;
        camera->center_x = 970;
        camera->center_y = 530;
        camera->width = 1920;
        camera->height = 1080;
        camera->camera_from_world = snw_xform_make(
            snw_quat_exp(snw_vec3_make(turn[0], turn[1], turn[2])), snw_vec3_make(0.1, -0.2, 5));
    }
    return cameras;
}

static void check_same_pictures(const snw_cameras *a, const snw_cameras *b, double tolerance)
{
    snw_random random = snw_random_seed(3, 0);
    assert_int_equal(a->count, b->count);
    for (int c = 0; c < a->count; c++) {
        assert_string_equal(a->camera[c].name, b->camera[c].name);
        check_near(b->camera[c].width, a->camera[c].width, 1e-9);
        check_near(b->camera[c].height, a->camera[c].height, 1e-9);
        for (int n = 0; n < 100; n++) {
            double x = snw_random_range(&random, -1.5, 1.5), p[2], q[2];
            double y = snw_random_range(&random, -0.8, 0.8);
            snw_vec3 at = snw_vec3_make(x, y, snw_random_range(&random, -1, 1));
            bool is_seen = snw_camera_project(a->camera + c, at, p);
            assert_int_equal(snw_camera_project(b->camera + c, at, q), is_seen);
            if (!is_seen || p[0] < 0 || p[0] > 1920 || p[1] < 0 || p[1] > 1080) continue;
            check_near(q[0], p[0], tolerance);
            check_near(q[1], p[1], tolerance);
        }
    }
}

static void every_layout_keeps_what_the_cameras_see(void **state)
{
    (void)state;
    /* Round-off of pixels of 1e3; Vicon's polynomial goes the other way and is fitted: 0.02 px. */
    static const double tolerance[] = {1e-9, 1e-9, 1e-8, 0.02, 1e-9};
    for (int f = SNW_CAMERAS_TOML; f <= SNW_CAMERAS_OPTITRACK; f++) {
        snw_cameras *cameras = studio(), *again = NULL;
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        /* Brackets in a name are no list. */
        snprintf(cameras->camera[0].name, sizeof cameras->camera[0].name,
                 f == SNW_CAMERAS_OPENCV ? "cam" : "cam [1");
        const double lens[5] = {-0.11, 0.03, 0.001, -0.002, 0.004};
        memcpy(cameras->camera[1].distortion, lens, sizeof lens);
        if (f == SNW_CAMERAS_VICON)
            cameras->camera[1].distortion[2] = cameras->camera[1].distortion[3] = 0;
        assert_int_equal(snw_write_cameras_as(cameras, (snw_camera_format)f, &sink, NULL), SNW_OK);
        snw_error error;
        if (read_text((char *)bytes.bytes, bytes.size, &again, &error) != SNW_OK)
            print_error("%s\n", error.message);
        assert_non_null(again);
        check_same_pictures(cameras, again, tolerance[f]);
        snw_memory_sink_release(&bytes);
        snw_cameras_destroy(again);
        snw_cameras_destroy(cameras);
    }
}

static void lenses_that_a_layout_cannot_hold_are_refused(void **state)
{
    (void)state;
    for (int f = SNW_CAMERAS_TOML; f <= SNW_CAMERAS_OPTITRACK + 1; f++) {
        snw_cameras *cameras = studio();
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, NULL);
        snw_error error;
        cameras->camera[1].is_fisheye = true;
        bool is_open = f <= SNW_CAMERAS_OPENCV;
        snw_status status = snw_write_cameras_as(cameras, (snw_camera_format)f, &sink, &error);
        assert_int_equal(status, is_open                     ? SNW_OK
                                 : f > SNW_CAMERAS_OPTITRACK ? SNW_INVALID_ARGUMENT
                                                             : SNW_UNSUPPORTED);
        if (status == SNW_UNSUPPORTED) assert_non_null(strstr(error.message, "cam2"));
        cameras->camera[1].is_fisheye = false;
        cameras->camera[1].distortion[2] = 0.001;
        if (f == SNW_CAMERAS_VICON)
            assert_int_equal(snw_write_cameras_as(cameras, SNW_CAMERAS_VICON, &sink, &error),
                             SNW_UNSUPPORTED);
        snw_memory_sink_release(&bytes);
        snw_cameras_destroy(cameras);
    }
}

static void yaml_needs_two_names_for_two_cameras(void **state)
{
    (void)state;
    snw_cameras *cameras = studio();
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    snprintf(cameras->camera[0].name, sizeof cameras->camera[0].name, "a b");
    snprintf(cameras->camera[1].name, sizeof cameras->camera[1].name, "a:b");
    assert_int_equal(snw_write_cameras_as(cameras, SNW_CAMERAS_OPENCV, &sink, &error),
                     SNW_UNSUPPORTED);
    assert_non_null(strstr(error.message, "a_b"));
    snw_memory_sink_release(&bytes);
    snw_cameras_destroy(cameras);
}

static void endings_say_the_layout(void **state)
{
    (void)state;
    assert_int_equal(snw_camera_format_find("a/Lab.YML"), SNW_CAMERAS_OPENCV);
    assert_int_equal(snw_camera_format_find("lab.qca.txt"), SNW_CAMERAS_QUALISYS);
    assert_int_equal(snw_camera_format_find("lab.txt"), -1);
    assert_int_equal(snw_camera_format_find(NULL), -1);
}

/* ---- by hand -------------------------------------------------------------------------------- */

static void opencv_names_cameras_behind_the_key(void **state)
{
    (void)state;
    snw_cameras *cameras =
        read_well("%YAML:1.0\n---\nnames:\n   - \"01\"\nK_01: !!opencv-matrix\n   rows: 3\n"
                  "   cols: 3\n   dt: d\n   data: [ 1000., 0., 960., 0., 1010.,\n       540., 0., "
                  "0., 1. ]\ndist_01: !!opencv-matrix\n   rows: 1\n   cols: 5\n   dt: d\n"
                  "   data: [ -1.e-01, 0., 0., 0., 0. ]\nRot_01: !!opencv-matrix\n   rows: 3\n"
                  "   cols: 3\n   dt: d\n   data: [ 0., 1., 0., 0., 0., -1., -1., 0., 0. ]\n"
                  "T_01: !!opencv-matrix\n   rows: 3\n   cols: 1\n   dt: d\n"
                  "   data: [ 0., 1., 4. ]\n");
    double pixel[2];
    check_vec3_near(snw_camera_place(cameras->camera), snw_vec3_make(4, 0, 1), 1e-12);
    /* In the camera: x = y of the world = 1, y = 1 - z = 0.5, depth 4 - x = 4. */
    assert_true(snw_camera_project(cameras->camera, snw_vec3_make(0, 1, 0.5), pixel));
    double bend = 1 - 0.1 * (0.0625 + 0.015625);
    check_near(pixel[0], 960 + 1000 * 0.25 * bend, 1e-9);
    check_near(pixel[1], 540 + 1010 * 0.125 * bend, 1e-9);
    snw_cameras_destroy(cameras);
}

static void opencv_alone_is_one_camera(void **state)
{
    (void)state;
    snw_cameras *cameras =
        read_well("%YAML:1.0\nimage_width: 640\nimage_height: 480\ncamera_matrix: "
                  "!!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [500,0,320,0,500,"
                  "240,0,0,1]\ndistortion_coefficients: !!opencv-matrix\n   data: [0,0,0,0,0]\n"
                  "rvec: !!opencv-matrix\n   data: [0,0,0]\ntvec: !!opencv-matrix\n"
                  "   data: [0,0,2]\n");
    double pixel[2];
    assert_int_equal(cameras->count, 1);
    check_near(cameras->camera->width, 640, 0);
    assert_true(snw_camera_project(cameras->camera, snw_vec3_make(0.2, 0.1, 0), pixel));
    check_near(pixel[0], 370, 1e-9);
    check_near(pixel[1], 265, 1e-9);
    snw_cameras_destroy(cameras);
}

/* Looks along the world's y from y = -3 m: x stays, down is -z. A turn by 90 degrees about x. */
#define XCP(attributes)                                                                           \
    "<Cameras>\n<Camera DEVICEID=\"5\" SENSOR_SIZE=\"1600 1200\">\n<ThresholdGrid/>\n<KeyFrames>" \
    "<KeyFrame FRAME=\"0\" FOCAL_LENGTH=\"1000\" PIXEL_ASPECT_RATIO=\"1\" PRINCIPAL_POINT=\""     \
    "800 600\" POSITION=\"0 -3000 500\" ORIENTATION=\"0.70710678118654752 0 0 "                   \
    "0.70710678118654752\" " attributes "/></KeyFrames></Camera>\n<Camera DEVICEID=\"6\" "        \
    "SENSOR_SIZE=\"16 12\"/>\n</Cameras>"

static void vicon_straightens_the_picture_by_its_radius(void **state)
{
    (void)state;
    snw_cameras *cameras = read_well(XCP("VICON_RADIAL2=\"Vicon3Parameter 800 600 2e-8 0 0\""));
    const snw_camera *camera = cameras->camera;
    assert_int_equal(cameras->count, 1); /* the other one was never calibrated */
    assert_string_equal(camera->name, "5");
    check_vec3_near(snw_camera_place(camera), snw_vec3_make(0, -3, 0.5), 1e-12);
    /* 400 pixels to the right mean 400 (1 + 2e-8 400^2) of a picture that is not bent. */
    const double pixel[2] = {1200, 600};
    snw_vec3 ray;
    assert_true(snw_camera_ray(camera, pixel, &ray));
    check_near(ray.x / ray.y, 0.4 * (1 + 2e-8 * 160000),
               1e-6); /* the fit: a thousandth of a pixel */
    check_near(ray.z, 0, 1e-9);
    const double below[2] = {800, 900};
    assert_true(snw_camera_ray(camera, below, &ray));
    check_near(ray.z / ray.y, -0.3 * (1 + 2e-8 * 90000), 1e-6);
    snw_cameras_destroy(cameras);
    cameras = read_well(XCP("VICON_RADIAL=\"2e-8 0\""));
    assert_true(snw_camera_ray(cameras->camera, pixel, &ray));
    check_near(ray.x / ray.y, 0.4 * (1 + 2e-8 * 160000), 1e-6);
    snw_cameras_destroy(cameras);
}

static void optitrack_is_utf16_and_looks_along_minus_z(void **state)
{
    (void)state;
    /* Stands at z = 4 m without a turn: looks at the origin, y is up in the picture. */
    const char *text =
        "<?xml version=\"1.0\" encoding=\"utf-16\"?><Profile><Calibration><Cameras><Camera "
        "Serial=\"C11\"><Attributes ImagerPixelWidth=\"1280\" ImagerPixelHeight=\"1024\"/>"
        "<Intrinsic HorizontalFocalLength=\"1\" KRadial=\"9\"/><IntrinsicStandardCameraModel "
        "HorizontalFocalLength=\"1000\" VerticalFocalLength=\"1000\" LensCenterX=\"640\" "
        "LensCenterY=\"512\" k1=\"0\" k2=\"0\" k3=\"0\" TangentialX=\"0\" TangentialY=\"0\"/>"
        "<Extrinsic X=\"0\" Y=\"0\" Z=\"4\" OrientMatrix0=\"1\" OrientMatrix1=\"0\" "
        "OrientMatrix2=\"0\" OrientMatrix3=\"0\" OrientMatrix4=\"1\" OrientMatrix5=\"0\" "
        "OrientMatrix6=\"0\" OrientMatrix7=\"0\" OrientMatrix8=\"1\"/></Camera></Cameras>"
        "</Calibration></Profile>";
    size_t length = strlen(text);
    for (int order = 0; order < 3; order++) { /* little, big, and little without a mark */
        char *wide = calloc(length + 1, 2);
        size_t size = 0;
        if (order < 2) {
            wide[size++] = (char)(order ? 0xfe : 0xff);
            wide[size++] = (char)(order ? 0xff : 0xfe);
        }
        for (size_t n = 0; n < length; n++) {
            wide[size++] = order == 1 ? 0 : text[n];
            wide[size++] = order == 1 ? text[n] : 0;
        }
        snw_cameras *cameras = NULL;
        snw_error error;
        if (read_text(wide, size, &cameras, &error) != SNW_OK) print_error("%s\n", error.message);
        assert_non_null(cameras);
        double pixel[2];
        assert_string_equal(cameras->camera->name, "C11");
        assert_true(snw_camera_project(cameras->camera, snw_vec3_make(0.4, 0.2, 0), pixel));
        check_near(pixel[0], 740, 1e-9);
        check_near(pixel[1], 462, 1e-9);
        snw_cameras_destroy(cameras);
        free(wide);
    }
}

static void what_is_wrong_in_a_file_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"%YAML:1.0\nK_1: !!opencv-matrix\n   data: [1,0,0,0,1,0,0,0,1]\n",
         "camera 1 has no rotation"},
        {"%YAML:1.0\nK_1: !!opencv-matrix\n   data: [1,0,0]\n", "matrix of camera 1 has not 9"},
        {"%YAML:1.0\nK_1: !!opencv-matrix\n   data: [1,0,0", "matrix of camera 1 has not 9"},
        {"%YAML:1.0\nK_1: !!opencv-matrix\n", "matrix of camera 1 has not 9"},
        {"%YAML:1.0\ndist_1: !!opencv-matrix\n   data: [1,0,0,0,0,0,0,3]\n", "rational"},
        {"%YAML:1.0\n---\n", "holds no camera"},
        {XCP("VICON_RADIAL2=\"Other 1 2\""), "unknown radial distortion"},
        {XCP("VICON_RADIAL2=\"Vicon3Parameter 700 600 0 0 0\""), "another centre"},
        {XCP("VICON_RADIAL=\"x 0\""), "is no numbers"},
        {"<Cameras><Camera DEVICEID=\"5\"><KeyFrame FOCAL_LENGTH=\"1\" ORIENTATION=\"0 0 0 2\"/>"
         "</Camera></Cameras>",
         "orientation of length 1"},
        {"<Profile><Camera Serial=\"A\"><IntrinsicStandardCameraModel/></Camera></Profile>",
         "no rotation and translation"},
        {"<Profile/>", "holds no camera"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        snw_cameras *cameras = NULL;
        snw_error error;
        assert_int_not_equal(read_text(bad[n].text, strlen(bad[n].text), &cameras, &error), SNW_OK);
        assert_null(cameras);
        if (strstr(error.message, bad[n].says)) continue;
        print_error("%s does not say %s\n", error.message, bad[n].says);
        fail();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_keeps_what_the_cameras_see),
        cmocka_unit_test(lenses_that_a_layout_cannot_hold_are_refused),
        cmocka_unit_test(yaml_needs_two_names_for_two_cameras),
        cmocka_unit_test(endings_say_the_layout),
        cmocka_unit_test(opencv_names_cameras_behind_the_key),
        cmocka_unit_test(opencv_alone_is_one_camera),
        cmocka_unit_test(vicon_straightens_the_picture_by_its_radius),
        cmocka_unit_test(optitrack_is_utf16_and_looks_along_minus_z),
        cmocka_unit_test(what_is_wrong_in_a_file_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
