/* Public functions that take an allocator, when it refuses: cameras and views. See
 * test_allocations. */
#include "allocation_sweep.h"

static snw_cameras *cameras;
static snw_views *views;
static snw_skeleton *body;
static snw_synth *synth;
static snw_synth_views *lab, *people; /* what cameras see of a walk: centroids, keypoints */
static snw_view_clock clocks[3];
static snw_inertial *sensors; /* on that walk */
static snw_motion *sensed;

static snw_status read_cameras(const snw_allocator *a, snw_cameras **out, snw_error *e)
{
    const char *text =
        "[a]\nmatrix = [900,0,1,0,900,1,0,0,1]\nrotation=[0,0,0]\ntranslation=[0,0,3]\n";
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_cameras(&source, NULL, a, out, NULL, e);
}

static snw_status read_keypoints(const snw_allocator *a, snw_keypoint_picture **out, snw_error *e)
{
    const char *text = "[{\"keypoints\":[1,2,3]},{\"keypoints\":[1,2,3]},{\"keypoints\":[1,2,3]},"
                       "{\"keypoints\":[1,2,3]},{\"keypoints\":[1,2,3]}]";
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_keypoints(&source, NULL, a, out, e);
}

static snw_status read_centroids(const snw_allocator *a, snw_views **out, snw_error *e)
{
    const char *text = "frame,camera,x,y\n1,1,10,20\n1,2,30,40\n2,1,11,21\n";
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_views(&source, cameras, NULL, a, out, e);
}

static snw_status read_sensors(const snw_allocator *a, snw_inertial **out, snw_error *e)
{
    const char *text = "time,a_qw,a_qx,a_qy,a_qz\n0,1,0,0,0\n0.1,1,0,0,0\n";
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_inertial(&source, NULL, a, out, NULL, e);
}

static snw_status read_sensor_file(const snw_allocator *a, snw_inertial **out, snw_error *e)
{
    return snw_read_inertial_file("allocation_sensors.csv", NULL, a, out, NULL, e);
}

static snw_status make_clocks(const snw_allocator *a, snw_error *e)
{
    return snw_views_synchronise(people->views, people->calibration, 0.2, a, clocks, e);
}

/* A body onto pictures; what was seen has names and cameras of its own. */
static snw_status triangulate(const snw_allocator *a, snw_view_sights **sights, snw_trial **out,
                              snw_error *e)
{
    snw_view_options options = snw_view_options_default();
    options.sights = sights;
    return snw_views_triangulate(people->views, people->calibration, &options, a, out, e);
}

static snw_status make_seen_people(const snw_allocator *a, snw_error *e)
{
    snw_view_sights *sights = NULL;
    snw_trial *trial = NULL;
    snw_status status = triangulate(a, &sights, &trial, e);
    snw_view_sights_destroy(sights);
    snw_trial_destroy(trial);
    return status;
}

static snw_status make_body_on_pictures(const snw_allocator *a, snw_error *e)
{
    snw_solve_options options = snw_solve_options_default();
    snw_view_sights *sights = NULL;
    snw_trial *trial = NULL;
    snw_solution *solution = NULL;
    options.part = 1;
    snw_status status = triangulate(NULL, &sights, &trial, e);
    options.sights = sights;
    if (status == SNW_OK) status = snw_solve(trial, &options, a, &solution, e);
    snw_solution_destroy(solution);
    snw_view_sights_destroy(sights);
    snw_trial_destroy(trial);
    return status;
}

static const char *const points[] = {"Nose", "LHip", "RHip", "LKnee", "RKnee", "Neck"};
static const snw_views_counts counts = {2, 3, 6, 6, points};

MAKER(cameras, snw_cameras, snw_cameras_destroy, snw_cameras_create(2, a, &out, e))
MAKER(views, snw_views, snw_views_destroy, snw_views_create(&counts, a, &out, e))
MAKER(read, snw_cameras, snw_cameras_destroy, read_cameras(a, &out, e))
MAKER(sights, snw_view_sights, snw_view_sights_destroy, snw_view_sights_create(2, 3, 4, a, &out, e))
MAKER(picture, snw_keypoint_picture, snw_keypoint_picture_destroy, read_keypoints(a, &out, e))
MAKER(people, snw_trial, snw_trial_destroy, snw_views_triangulate(views, cameras, NULL, a, &out, e))
MAKER(centroids, snw_views, snw_views_destroy, read_centroids(a, &out, e))
MAKER(lab, snw_synth_views, snw_synth_views_destroy,
      snw_synth_views_create(synth, NULL, a, &out, e))
MAKER(markers, snw_reconstruction, snw_reconstruction_destroy,
      snw_views_reconstruct(lab->views, lab->calibration, NULL, a, &out, e))
MAKER(calibrated, snw_cameras_calibrated, snw_cameras_calibrated_destroy,
      snw_cameras_calibrate(people->calibration, people->views, NULL, a, &out, e))
MAKER(shifted, snw_views, snw_views_destroy, snw_views_shift(people->views, clocks, a, &out, e))

static const char *const straps[] = {"pelvis", "chest"};
MAKER(straps, snw_inertial, snw_inertial_destroy, snw_inertial_create(straps, 2, 3, a, &out, e))
MAKER(sensors, snw_inertial, snw_inertial_destroy, read_sensors(a, &out, e))
MAKER(sensor_file, snw_inertial, snw_inertial_destroy, read_sensor_file(a, &out, e))
MAKER(ridden, snw_inertial, snw_inertial_destroy,
      snw_synth_sensors(synth->motion, NULL, a, &out, NULL, e))
MAKER(sensed, snw_motion, snw_motion_destroy, snw_inertial_solve(sensors, body, NULL, a, &out, e))
MAKER(fused, snw_motion, snw_motion_destroy, snw_inertial_fuse(sensors, sensed, NULL, a, &out, e))

static void no_maker_keeps_anything_when_memory_runs_out(void **state)
{
    (void)state;
    static const struct maker makers[] = {{"cameras", make_cameras},
                                          {"views", make_views},
                                          {"read", make_read},
                                          {"picture", make_picture},
                                          {"people", make_people},
                                          {"centroids", make_centroids},
                                          {"lab", make_lab},
                                          {"markers", make_markers},
                                          {"calibrated", make_calibrated},
                                          {"clocks", make_clocks},
                                          {"sights", make_sights},
                                          {"people and sights", make_seen_people},
                                          {"a body onto pictures", make_body_on_pictures},
                                          {"shifted", make_shifted},
                                          {"straps", make_straps},
                                          {"sensors", make_sensors},
                                          {"sensor file", make_sensor_file},
                                          {"ridden", make_ridden},
                                          {"sensed", make_sensed},
                                          {"fused", make_fused}};
    sweep_makers(makers, sizeof makers / sizeof *makers);
}

/* Two cameras at right angles see six points for three frames. */
static int set_up(void **state)
{
    (void)state;
    if (snw_cameras_create(2, NULL, &cameras, NULL) != SNW_OK ||
        snw_views_create(&counts, NULL, &views, NULL) != SNW_OK)
        return 1;
    for (int c = 0; c < 2; c++) {
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), c * SNW_PI / 2);
        cameras->camera[c].focal_x = cameras->camera[c].focal_y = 1000;
        cameras->camera[c].camera_from_world = snw_xform_make(turn, snw_vec3_make(0, 0, 4));
        for (int f = 0; f < 3; f++) {
            int detection = 3 * c + f;
            views->first[detection + 1] = detection + 1;
            for (int p = 0; p < 6; p++) {
                double pixel[2];
                snw_vec3 at = snw_vec3_make(0.1 * (p % 3), 0.2 * p, 0.1 * (p % 2));
                if (!snw_camera_project(cameras->camera + c, at, pixel)) return 1;
                views->keypoint[6 * detection + p] =
                    (snw_keypoint){(float)pixel[0], (float)pixel[1], 1};
            }
        }
    }
    views->rate = 60;
    snw_synth_options capture = snw_synth_options_default();
    capture.seconds = 1;
    capture.rate = 30;
    capture.camera_count = 3;
    snw_synth_view_options keypoints = snw_synth_view_options_default();
    keypoints.of_joints = true;
    return snw_preset_create("humanoid", NULL, &body, NULL) != SNW_OK ||
           snw_synth_create(body, NULL, &capture, NULL, &synth, NULL) != SNW_OK ||
           snw_synth_views_create(synth, NULL, NULL, &lab, NULL) != SNW_OK ||
           snw_synth_views_create(synth, &keypoints, NULL, &people, NULL) != SNW_OK ||
           snw_synth_sensors(synth->motion, NULL, NULL, &sensors, &sensed, NULL) != SNW_OK ||
           snw_write_inertial_file("allocation_sensors.csv", true, sensors, NULL) != SNW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    remove("allocation_sensors.csv");
    snw_motion_destroy(sensed);
    snw_inertial_destroy(sensors);
    snw_synth_views_destroy(people);
    snw_synth_views_destroy(lab);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
    snw_views_destroy(views);
    snw_cameras_destroy(cameras);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_maker_keeps_anything_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
