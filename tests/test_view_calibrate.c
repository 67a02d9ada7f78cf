/* Cameras from what they saw, against the cameras that saw it. */
#include "check.h"

/* ---- a laboratory -----------------------------------------------------------------------------
 */

static void stand(snw_camera *camera, double angle, double height)
{
    snw_vec3 at = snw_vec3_make(4 * cos(angle), 4 * sin(angle), height);
    snw_vec3 z = snw_vec3_unit(snw_vec3_sub(snw_vec3_make(0, 0, 1), at), snw_vec3_make(1, 0, 0));
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(z, snw_vec3_make(0, 0, 1)), snw_vec3_make(1, 0, 0));
    snw_quat turn = snw_quat_from_mat3(snw_mat3_from_columns(x, snw_vec3_cross(z, x), z));
    camera->camera_from_world = snw_xform_inverse(snw_xform_make(turn, at));
    camera->focal_x = camera->focal_y = 1200;
    camera->center_x = camera->center_y = 1024;
    camera->width = camera->height = 2048;
    camera->distortion[0] = -0.05;
}

static snw_cameras *ring(int count)
{
    snw_cameras *cameras = NULL;
    assert_int_equal(snw_cameras_create(count, NULL, &cameras, NULL), SNW_OK);
    for (int c = 0; c < count; c++) {
        stand(cameras->camera + c, 2 * SNW_PI * c / count + 0.1, 1.2 + 0.4 * (c % 3));
        snprintf(cameras->camera[c].name, sizeof cameras->camera[c].name, "cam%d", c);
    }
    return cameras;
}

/* The same lenses, poses that say nothing. */
static snw_cameras *without_poses(const snw_cameras *cameras)
{
    snw_cameras *blank = NULL;
    assert_int_equal(snw_cameras_create(cameras->count, NULL, &blank, NULL), SNW_OK);
    for (int c = 0; c < cameras->count; c++) {
        blank->camera[c] = cameras->camera[c];
        blank->camera[c].camera_from_world = snw_xform_identity();
    }
    return blank;
}

#define WAND_LENGTH 0.5

/* A wand of one marker, or of three in a line (0, 0.2, 0.5 m), waved about. */
static snw_views *wave(const snw_cameras *cameras, int markers, int frames, double noise,
                       snw_random *random)
{
    static const char *const unnamed[] = {"*"};
    static const double along[3] = {0, 0.2, WAND_LENGTH};
    snw_views_counts counts = {cameras->count, frames, 1, cameras->count * frames * markers,
                               unnamed};
    snw_views *views = NULL;
    assert_int_equal(snw_views_create(&counts, NULL, &views, NULL), SNW_OK);
    views->rate = 100;
    for (int f = 0; f < frames; f++) {
        snw_vec3 direction = snw_random_direction(random), middle = random_gaussian(random, 0.4);
        middle.z += 1;
        for (int c = 0; c < cameras->count; c++)
            for (int m = 0; m < markers; m++) {
                double pixel[2];
                int d = (c * frames + f) * markers + (m + f) % markers; /* in any order */
                snw_vec3 at = snw_vec3_add_scaled(middle, along[m], direction);
                assert_true(snw_camera_project(cameras->camera + c, at, pixel));
                double x = pixel[0] + noise * snw_random_normal(random);
                double y = pixel[1] + noise * snw_random_normal(random);
                views->keypoint[d] = (snw_keypoint){(float)x, (float)y, 1};
            }
    }
    for (int n = 0; n <= cameras->count * frames; n++)
        views->first[n] = n * markers;
    return views;
}

/* The largest distance and angle between the cameras, after the whole set was moved as one so that
 * places fit (the library's Procrustes, which has its own tests). */
static void compare(const snw_cameras *found, const snw_cameras *truth, double *metres,
                    double *degrees)
{
    snw_vec3 from[16], to[16];
    for (int c = 0; c < truth->count; c++) {
        from[c] = snw_camera_place(found->camera + c);
        to[c] = snw_camera_place(truth->camera + c);
    }
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(from, to, NULL, truth->count, &fit), SNW_OK);
    snw_xform move = fit.to_from;
    *metres = *degrees = 0;
    for (int c = 0; c < truth->count; c++) {
        snw_quat there = snw_quat_mul(found->camera[c].camera_from_world.rotation,
                                      snw_quat_conjugate(move.rotation));
        double angle = snw_quat_angle_between(there, truth->camera[c].camera_from_world.rotation);
        *metres = fmax(*metres, snw_vec3_distance(snw_xform_point(move, from[c]), to[c]));
        *degrees = fmax(*degrees, snw_degrees(angle));
    }
}

static snw_cameras_calibrated *calibrate(const snw_cameras *cameras, const snw_views *views,
                                         const snw_cameras_calibrate_options *options)
{
    snw_cameras_calibrated *made = NULL;
    snw_error error;
    if (snw_cameras_calibrate(cameras, views, options, NULL, &made, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return made;
}

static void check_cameras(const snw_cameras *found, const snw_cameras *truth)
{
    double metres, degrees;
    compare(found, truth, &metres, &degrees);
    print_message("cameras are %.2f mm and %.4f degrees off\n", 1000 * metres, degrees);
    assert_true(metres <= 0.005 && degrees <= 0.05);
}

/* ---- a wand ------------------------------------------------------------------------------------
 */

static void a_wand_places_all_cameras(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(11, 0);
    snw_cameras *truth = ring(8), *blank = without_poses(truth);
    snw_views *views = wave(truth, 3, 600, 0.3, &random);
    snw_cameras_calibrate_options options = snw_cameras_calibrate_options_default();
    options.starts_anew = true;
    options.length = WAND_LENGTH;
    snw_cameras_calibrated *made = calibrate(blank, views, &options);
    check_cameras(made->cameras, truth);
    /* Up is up: all pictures are upright, the ring is level. */
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < 8; c++) {
        double up =
            snw_camera_place(made->cameras->camera + c).z - snw_camera_place(truth->camera + c).z;
        low = fmin(low, up);
        high = fmax(high, up);
        /* The median of Rayleigh's distribution; 3 of a point's 16 numbers go into its place. */
        check_near(made->camera[c].residual, 0.3 * 1.177 * sqrt(13.0 / 16), 0.03);
    }
    assert_true(high - low < 0.2);
    snw_cameras_calibrated_destroy(made);
    /* With lenses that are told wrong, and found. */
    for (int c = 0; c < 8; c++) {
        blank->camera[c].focal_x = blank->camera[c].focal_y = 1212;
        blank->camera[c].distortion[0] = 0;
    }
    options.finds_lens = true;
    made = calibrate(blank, views, &options);
    for (int c = 0; c < 8; c++) {
        check_near(made->cameras->camera[c].focal_x, 1200, 3);
        check_near(made->cameras->camera[c].distortion[0], -0.05, 0.01);
    }
    check_cameras(made->cameras, truth);
    snw_cameras_calibrated_destroy(made);
    /* Nobody says how long the wand is. */
    snw_error error;
    options.length = 0;
    assert_int_equal(snw_cameras_calibrate(blank, views, &options, NULL, &made, &error),
                     SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "size of the world"));
    snw_views_destroy(views);
    snw_cameras_destroy(truth);
    snw_cameras_destroy(blank);
}

static void what_moved_since_yesterday_is_found(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(12, 0);
    snw_cameras *truth = ring(6), *told = ring(6);
    snw_xform push = snw_xform_make(snw_quat_exp(snw_vec3_make(0.01, -0.02, 0.005)),
                                    snw_vec3_make(0.03, 0.01, 0));
    snw_camera *moved = truth->camera + 2;
    moved->camera_from_world = snw_xform_mul(push, moved->camera_from_world);
    snw_views *views = wave(truth, 1, 400, 0.3, &random);
    snw_cameras_calibrated *made = calibrate(told, views, NULL);
    for (int c = 0; c < 6; c++) {
        assert_true(made->camera[c].is_moved == (c == 2));
        /* Without moving the set: where all others are is what the world was before. */
        check_vec3_near(snw_camera_place(made->cameras->camera + c),
                        snw_camera_place(truth->camera + c), 0.003);
        check_quat_near(made->cameras->camera[c].camera_from_world.rotation,
                        truth->camera[c].camera_from_world.rotation, snw_radians(0.05));
    }
    check_near(made->camera[2].turned_by, sqrt(0.01 * 0.01 + 0.02 * 0.02 + 0.005 * 0.005),
               snw_radians(0.05));
    snw_cameras_calibrated_destroy(made);
    snw_views_destroy(views);
    snw_cameras_destroy(truth);
    snw_cameras_destroy(told);
}

/* ---- somebody who walks -------------------------------------------------------------------------
 */

static void somebody_who_walks_places_all_cameras(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_views *seen = NULL;
    snw_synth_options walk = snw_synth_options_default();
    snw_synth_view_options options = snw_synth_view_options_default();
    walk.seconds = 12;
    walk.rate = 30;
    walk.path_radius = 1.5;
    walk.camera_count = 6;
    options.of_joints = true;
    options.noise = 2;
    options.lost_share = 0.1;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &walk, NULL, &synth, NULL), SNW_OK);
    assert_int_equal(snw_synth_views_create(synth, &options, NULL, &seen, NULL), SNW_OK);
    snw_cameras *blank = without_poses(seen->cameras);
    snw_cameras_calibrate_options how = snw_cameras_calibrate_options_default();
    how.starts_anew = true;
    how.length_point[0] = snw_skeleton_find_joint(body, "left_hip");
    how.length_point[1] = snw_skeleton_find_joint(body, "left_knee");
    how.length = snw_vec3_distance(snw_trial_position(synth->joint_truth, 0, how.length_point[0]),
                                   snw_trial_position(synth->joint_truth, 0, how.length_point[1]));
    snw_cameras_calibrated *made = calibrate(blank, seen->views, &how);
    double metres, degrees;
    compare(made->cameras, seen->cameras, &metres, &degrees);
    print_message("by a walk: %.1f mm, %.3f degrees\n", 1000 * metres, degrees);
    assert_true(metres <= 0.02 && degrees <= 0.1); /* 2 pixels of noise, not 0.3 */
    snw_cameras_calibrated_destroy(made);
    /* By the height alone: as far as thighs and shanks are those of the mean person, 6 %. */
    how.length = 0;
    how.height = 1.75;
    made = calibrate(blank, seen->views, &how);
    double now = snw_vec3_distance(snw_camera_place(made->cameras->camera),
                                   snw_camera_place(made->cameras->camera + 3)),
           then = snw_vec3_distance(snw_camera_place(seen->cameras->camera),
                                    snw_camera_place(seen->cameras->camera + 3));
    check_near(now / then, 1, 0.06);
    snw_cameras_calibrated_destroy(made);
    snw_cameras_destroy(blank);
    snw_synth_views_destroy(seen);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

/* ---- clocks -----------------------------------------------------------------------------------
 */

static void clocks_follow_from_the_motion(void **state)
{
    (void)state;
    static const struct {
        double delay, drift, seconds;
    } cases[] = {{0.5, 0, 10}, {20, 0, 10}, {3, 2e-4, 60}};
    for (int n = 0; n < 3; n++) {
        snw_skeleton *body = NULL;
        snw_synth *synth = NULL;
        snw_synth_views *seen = NULL;
        snw_synth_options walk = snw_synth_options_default();
        snw_synth_view_options options = snw_synth_view_options_default();
        walk.motion = SNW_SYNTH_WALK;
        walk.seconds = cases[n].seconds;
        walk.rate = 60;
        walk.path_radius = 2;
        walk.camera_count = 5;
        options.of_joints = true;
        options.noise = 2;
        options.delay = cases[n].delay;
        options.drift = cases[n].drift;
        assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
        assert_int_equal(snw_synth_create(body, NULL, &walk, NULL, &synth, NULL), SNW_OK);
        assert_int_equal(snw_synth_views_create(synth, &options, NULL, &seen, NULL), SNW_OK);
        snw_view_clock clock[5];
        snw_error error;
        if (snw_views_synchronise(seen->views, seen->calibration, 1, NULL, clock, &error) != SNW_OK)
            fail_msg("%s", error.message);
        double worst = 0;
        for (int c = 0; c < 5; c++) {
            /* At both ends of the recording. */
            double last = cases[n].seconds * (clock[c].drift - seen->drift[c]);
            double off = clock[c].delay - seen->delay[c];
            worst = fmax(worst, 60 * fmax(fabs(off), fabs(off + last)));
        }
        print_message("clocks are %.3f frames off\n", worst);
        assert_true(worst <= 0.1);
        /* With one clock, joints are where they were. */
        snw_views *shifted = NULL;
        snw_trial *trial = NULL;
        assert_int_equal(snw_views_shift(seen->views, clock, NULL, &shifted, NULL), SNW_OK);
        assert_int_equal(
            snw_views_triangulate(shifted, seen->calibration, NULL, NULL, &trial, NULL), SNW_OK);
        double sum = 0;
        int count = 0;
        for (int f = 40; f < trial->frame_count - 40; f++)
            for (int m = 0; m < trial->marker_count; m++) {
                double off = snw_vec3_distance(snw_trial_position(trial, f, m),
                                               snw_trial_position(synth->joint_truth, f, m));
                sum += off * off;
                count++;
            }
        print_message("joints are %.1f mm off\n", 1000 * sqrt(sum / count));
        assert_true(sqrt(sum / count) < 0.006); /* five cameras, 2 pixels of 3 mm */
        snw_trial_destroy(trial);
        snw_views_destroy(shifted);
        snw_synth_views_destroy(seen);
        snw_synth_destroy(synth);
        snw_skeleton_destroy(body);
    }
}

static void nobody_who_stands_tells_the_time(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(15, 0);
    snw_cameras *cameras = ring(3);
    static const char *const names[] = {"a", "b"};
    snw_views_counts counts = {3, 100, 2, 300, names};
    snw_views *views = NULL;
    snw_view_clock clock[3];
    snw_error error;
    assert_int_equal(snw_views_create(&counts, NULL, &views, NULL), SNW_OK);
    views->rate = 50;
    for (int c = 0; c < 3; c++)
        for (int f = 0; f < 100; f++)
            for (int p = 0; p < 2; p++) {
                double pixel[2];
                snw_camera_project(cameras->camera + c, snw_vec3_make(0, 0.3 * p, 1), pixel);
                double x = pixel[0] + snw_random_normal(&random);
                double y = pixel[1] + snw_random_normal(&random);
                views->keypoint[(c * 100 + f) * 2 + p] = (snw_keypoint){(float)x, (float)y, 1};
            }
    for (int n = 0; n <= 300; n++)
        views->first[n] = n;
    assert_int_equal(snw_views_synchronise(views, cameras, 0.5, NULL, clock, &error),
                     SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "clock can not be found"));
    assert_int_equal(snw_views_synchronise(views, cameras, 0, NULL, clock, &error),
                     SNW_INVALID_ARGUMENT);
    views->rate = 0;
    snw_views *none = NULL;
    assert_int_equal(snw_views_shift(views, clock, NULL, &none, &error), SNW_INVALID_ARGUMENT);
    assert_null(none);
    snw_views_destroy(views);
    snw_cameras_destroy(cameras);
}

/* ---- what can not be --------------------------------------------------------------------------
 */

static void too_little_is_told(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(13, 0);
    snw_cameras *truth = ring(4), *blank = without_poses(truth);
    snw_views *few = wave(truth, 1, 5, 0.3, &random), *enough = wave(truth, 1, 200, 0.3, &random);
    snw_cameras_calibrate_options options = snw_cameras_calibrate_options_default();
    snw_cameras_calibrated *made = NULL;
    snw_error error;
    assert_int_equal(snw_cameras_calibrate(truth, few, &options, NULL, &made, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "too little"));
    options.length = -1;
    assert_int_equal(snw_cameras_calibrate(truth, enough, &options, NULL, &made, &error),
                     SNW_INVALID_ARGUMENT);
    options.length = 0.5; /* one marker has no length */
    assert_int_equal(snw_cameras_calibrate(truth, enough, &options, NULL, &made, &error),
                     SNW_DEGENERATE);
    /* A camera that looks at another room. */
    options.starts_anew = true;
    for (int d = 2 * 200; d < 3 * 200; d++)
        enough->keypoint[d] = (snw_keypoint){(float)snw_random_range(&random, 0, 2000),
                                             (float)snw_random_range(&random, 0, 2000), 1};
    assert_int_equal(snw_cameras_calibrate(blank, enough, &options, NULL, &made, &error),
                     SNW_NOT_FOUND);
    assert_non_null(strstr(error.message, "cam2"));
    assert_null(made);
    snw_views_destroy(few);
    snw_views_destroy(enough);
    snw_cameras_destroy(truth);
    snw_cameras_destroy(blank);
}

static void memory_that_ends_leaves_nothing(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(14, 0);
    snw_cameras *truth = ring(3);
    snw_views *views = wave(truth, 3, 40, 0.3, &random);
    for (long n = 0;; n++) {
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator hook = counting_hook(&counter);
        snw_cameras_calibrated *made = NULL;
        snw_status status = snw_cameras_calibrate(truth, views, NULL, &hook, &made, NULL);
        snw_cameras_calibrated_destroy(made);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
        assert_true(n < 1000);
    }
    snw_views_destroy(views);
    snw_cameras_destroy(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wand_places_all_cameras),
        cmocka_unit_test(what_moved_since_yesterday_is_found),
        cmocka_unit_test(somebody_who_walks_places_all_cameras),
        cmocka_unit_test(clocks_follow_from_the_motion),
        cmocka_unit_test(nobody_who_stands_tells_the_time),
        cmocka_unit_test(too_little_is_told),
        cmocka_unit_test(memory_that_ends_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
