/* Views of synthetic captures against the truth that made them; markers that come out of them
 * against where they were, and against what geometry allows. */
#include "check.h"

/* ---- a laboratory -----------------------------------------------------------------------------
 */

typedef struct laboratory {
    snw_skeleton *body;
    snw_synth *synth;
    snw_synth_views *made;
} laboratory;

static laboratory open_laboratory(snw_synth_motion_kind motion, double seconds,
                                  const snw_synth_view_options *options)
{
    laboratory lab = {NULL, NULL, NULL};
    snw_synth_options synth = snw_synth_options_default();
    synth.motion = motion;
    synth.seconds = seconds;
    synth.camera_count = 8;
    assert_int_equal(snw_preset_create("humanoid", NULL, &lab.body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(lab.body, NULL, &synth, NULL, &lab.synth, NULL), SNW_OK);
    assert_int_equal(snw_synth_views_create(lab.synth, options, NULL, &lab.made, NULL), SNW_OK);
    return lab;
}

static void close_laboratory(laboratory *lab)
{
    snw_synth_views_destroy(lab->made);
    snw_synth_destroy(lab->synth);
    snw_skeleton_destroy(lab->body);
}

/* ---- what cameras report ----------------------------------------------------------------------
 */

static void views_without_noise_are_projections(void **state)
{
    (void)state;
    snw_synth_view_options options = snw_synth_view_options_default();
    options.noise = 0;
    options.marker_radius = 0;
    options.bend = -0.1;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 0.5, &options);
    const snw_views *views = lab.made->views;
    int seen = 0;
    for (int c = 0; c < views->camera_count; c++)
        for (int f = 0; f < views->frame_count; f++) {
            const int *list = views->first + c * views->frame_count + f;
            for (int d = list[0]; d < list[1]; d++) {
                double pixel[2];
                int m = lab.made->marker[d];
                snw_vec3 at = snw_trial_position(lab.synth->marker_truth, f, m);
                assert_true(snw_camera_project(lab.made->calibration->camera + c, at, pixel));
                check_near((double)views->keypoint[d].x, pixel[0], 2e-4); /* a float of 2048 */
                check_near((double)views->keypoint[d].y, pixel[1], 2e-4);
                assert_true(lab.synth->seen[f * lab.synth->marker_count + m] >> c & 1);
                if (d > list[0]) assert_true(views->keypoint[d].y >= views->keypoint[d - 1].y);
                seen++;
            }
        }
    /* Everything that a camera can see and that lies in its picture is there. */
    int expected = 0;
    for (int c = 0; c < views->camera_count; c++)
        for (int f = 0; f < views->frame_count; f++)
            for (int m = 0; m < lab.synth->marker_count; m++) {
                double pixel[2];
                snw_vec3 at = snw_trial_position(lab.synth->marker_truth, f, m);
                expected += (lab.synth->seen[f * lab.synth->marker_count + m] >> c & 1) &&
                            snw_camera_project(lab.made->calibration->camera + c, at, pixel) &&
                            fabs(pixel[0] - 1024) <= 1024 && fabs(pixel[1] - 1024) <= 1024;
            }
    assert_int_equal(seen, expected);
    close_laboratory(&lab);
}

static void what_goes_wrong_is_what_was_asked_for(void **state)
{
    (void)state;
    snw_synth_view_options options = snw_synth_view_options_default();
    laboratory plain = open_laboratory(SNW_SYNTH_WALK, 1, &options);
    options.lost_share = 0.25;
    options.false_count = 3;
    options.delay = 0.5;
    options.knocked = 2;
    options.knock = 0.02;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 1, &options);
    int nobody = 0, merged = 0, pictures = 8 * lab.made->views->frame_count;
    for (int d = 0; d < lab.made->detection_count; d++) {
        nobody += lab.made->marker[d] == SNW_SYNTH_NOBODY;
        merged += lab.made->merged[d] != SNW_SYNTH_NOBODY;
    }
    assert_int_equal(nobody, 3 * pictures);
    assert_true(merged > 0);
    /* A quarter is lost: binomial, 5 standard deviations of some 25 000. */
    double kept =
        (double)(lab.made->detection_count - nobody + merged) / (plain.made->detection_count + 300);
    check_near(kept, 0.75, 0.02);
    assert_true(lab.made->delay[0] == 0 && lab.made->delay[1] != 0);
    for (int c = 0; c < 8; c++) {
        assert_true(fabs(lab.made->delay[c]) <= 0.5 / 120);
        snw_quat now = lab.made->cameras->camera[c].camera_from_world.rotation,
                 told = lab.made->calibration->camera[c].camera_from_world.rotation;
        check_near(snw_quat_angle_between(now, told), c == 2 ? 0.02 : 0, 1e-7);
        snw_vec3 there = snw_camera_place(lab.made->cameras->camera + c);
        check_vec3_near(there, snw_camera_place(lab.made->calibration->camera + c), 1e-12);
    }
    close_laboratory(&lab);
    close_laboratory(&plain);
    options.knocked = 8;
    snw_error error;
    laboratory none = open_laboratory(SNW_SYNTH_WALK, 0.1, NULL);
    snw_synth_views *no = NULL;
    assert_int_equal(snw_synth_views_create(none.synth, &options, NULL, &no, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "knocked"));
    close_laboratory(&none);
}

static void joints_are_keypoints_of_one_person(void **state)
{
    (void)state;
    snw_synth_view_options options = snw_synth_view_options_default();
    options.of_joints = true;
    options.noise = 1;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 0.5, &options);
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(
        snw_views_triangulate(lab.made->views, lab.made->calibration, NULL, NULL, &trial, &error),
        SNW_OK);
    assert_int_equal(trial->marker_count, lab.body->joint_count);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < trial->marker_count; m++)
            /* A pixel is 4.4 mm at 6.6 m; eight cameras, 30 frames under one path. */
            check_vec3_near(snw_trial_position(trial, f, m),
                            snw_trial_position(lab.synth->joint_truth, f, m), 0.015);
    snw_trial_destroy(trial);
    close_laboratory(&lab);
}

/* ---- markers that come out --------------------------------------------------------------------
 */

typedef struct score {
    int possible, found, ghosts, switches;
    double error2, bound2; /* sums over what was found */
    int wide;              /* errors above four times their bound: normal noise has hardly any */
} score;

/* By the derivatives of the pinhole, as Hartley & Zisserman (2004) state the covariance of a point:
 * the inverse of the sum of J' J / sigma^2. Computed by central differences, not by the library's
 * own sums. */
static double bound_of(const laboratory *lab, int frame, int marker, uint64_t cameras, double noise)
{
    snw_vec3 at = snw_trial_position(lab->synth->marker_truth, frame, marker);
    double a[3][3] = {{0}};
    const double h = 1e-5;
    for (int c = 0; c < 8; c++) {
        if (!(cameras >> c & 1)) continue;
        double by[2][3];
        for (int k = 0; k < 3; k++) {
            snw_vec3 step = snw_vec3_make(k == 0, k == 1, k == 2);
            double plus[2], minus[2];
            const snw_camera *camera = lab->made->cameras->camera + c;
            snw_camera_project(camera, snw_vec3_add_scaled(at, h, step), plus);
            snw_camera_project(camera, snw_vec3_add_scaled(at, -h, step), minus);
            for (int i = 0; i < 2; i++)
                by[i][k] = (plus[i] - minus[i]) / (2 * h * noise);
        }
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    a[k][l] += by[i][k] * by[i][l];
    }
    double minors = a[1][1] * a[2][2] - a[1][2] * a[1][2] + a[0][0] * a[2][2] - a[0][2] * a[0][2] +
                    a[0][0] * a[1][1] - a[0][1] * a[0][1];
    double det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[1][2]) -
                 a[0][1] * (a[0][1] * a[2][2] - a[1][2] * a[0][2]) +
                 a[0][2] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]);
    return minors / det; /* the mean squared error in space */
}

static uint64_t *who_saw(const laboratory *lab)
{
    const snw_views *views = lab->made->views;
    int markers = lab->synth->marker_count;
    uint64_t *seen = calloc((size_t)(views->frame_count * markers), sizeof *seen);
    for (int c = 0; c < views->camera_count; c++)
        for (int f = 0; f < views->frame_count; f++) {
            const int *list = views->first + c * views->frame_count + f;
            for (int d = list[0]; d < list[1]; d++)
                if (lab->made->marker[d] >= 0)
                    seen[f * markers + lab->made->marker[d]] |= UINT64_C(1) << c;
        }
    return seen;
}

static score compare(const laboratory *lab, const snw_trial *trial, double noise)
{
    score s = {0};
    int markers = lab->synth->marker_count;
    uint64_t *seen = who_saw(lab);
    for (int n = 0; n < trial->frame_count * markers; n++)
        s.possible += (seen[n] & (seen[n] - 1)) != 0;
    for (int m = 0; m < trial->marker_count; m++) {
        int last = -1;
        for (int f = 0; f < trial->frame_count; f++) {
            if (!snw_trial_is_present(trial, f, m)) continue;
            snw_vec3 at = snw_trial_position(trial, f, m);
            int best = 0;
            double nearest = INFINITY;
            for (int k = 0; k < markers; k++) {
                double off =
                    snw_vec3_distance(at, snw_trial_position(lab->synth->marker_truth, f, k));
                if (off < nearest) nearest = off, best = k;
            }
            if (nearest > 0.02) {
                s.ghosts++;
                continue;
            }
            s.switches += last >= 0 && last != best;
            last = best;
            uint64_t cameras = seen[f * markers + best];
            if (!(cameras & (cameras - 1))) continue;
            double bound2 = bound_of(lab, f, best, cameras, noise);
            s.found++;
            s.error2 += nearest * nearest;
            s.bound2 += bound2;
            s.wide += nearest * nearest > 16 * bound2;
        }
    }
    free(seen);
    return s;
}

static snw_reconstruction *reconstruct(const laboratory *lab, bool keeps_cameras)
{
    snw_reconstruct_options options = snw_reconstruct_options_default();
    snw_reconstruction *made = NULL;
    snw_error error;
    options.keeps_cameras = keeps_cameras;
    if (snw_views_reconstruct(lab->made->views, lab->made->calibration, &options, NULL, &made,
                              &error) != SNW_OK)
        fail_msg("%s", error.message);
    return made;
}

static void check_score(score s)
{
    print_message("%d of %d found, %d ghosts, %d switches, %.3f mm rms, bound %.3f mm, %d wide\n",
                  s.found, s.possible, s.ghosts, s.switches, 1000 * sqrt(s.error2 / s.found),
                  1000 * sqrt(s.bound2 / s.found), s.wide);
    assert_true(s.found >= 0.99 * s.possible);
    assert_true(s.ghosts <= 0.001 * s.found);
    assert_int_equal(s.switches, 0);
    assert_true(s.error2 <= 1.2 * 1.2 * s.bound2);
    assert_true(s.wide <= 0.01 * s.found);
}

static void markers_are_as_good_as_geometry_allows(void **state)
{
    (void)state;
    laboratory lab = open_laboratory(SNW_SYNTH_DANCE, 4, NULL);
    snw_reconstruction *made = reconstruct(&lab, false);
    check_score(compare(&lab, made->trial, SNW_SYNTH_PIXEL_NOISE));
    check_near(made->noise, SNW_SYNTH_PIXEL_NOISE, 0.05); /* a median of residuals of few views */
    int sightings = 0;
    for (int c = 0; c < 8; c++) {
        assert_false(made->camera[c].is_moved || made->camera[c].is_left_out);
        sightings += made->camera[c].sighting_count;
    }
    assert_int_equal(sightings, made->sighting_count);
    /* Stated deviations against errors that happened: of all samples together. */
    const snw_trial *trial = made->trial;
    double stated2 = 0, count = 0;
    for (int n = 0; n < trial->frame_count * trial->marker_count; n++)
        if (trial->state[n] == SNW_SAMPLE_MEASURED) {
            stated2 += 3 * (double)trial->uncertainty[n] * (double)trial->uncertainty[n];
            count++;
            int views = 0;
            for (unsigned mask =
                     snw_trial_cameras(trial, n / trial->marker_count, n % trial->marker_count);
                 mask; mask &= mask - 1)
                views++;
            assert_true(views >= 1); /* the eighth camera has no bit */
        }
    score s = compare(&lab, trial, SNW_SYNTH_PIXEL_NOISE);
    check_near(sqrt(stated2 / count) / sqrt(s.error2 / s.found), 1, 0.2);
    snw_reconstruction_destroy(made);
    close_laboratory(&lab);
}

static void false_and_lost_points_do_no_harm(void **state)
{
    (void)state;
    snw_synth_view_options options = snw_synth_view_options_default();
    options.false_count = 8;
    options.lost_share = 0.1;
    options.bend = -0.08;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 4, &options);
    for (int c = 0; c < 8; c++)
        assert_true(lab.made->calibration->camera[c].distortion[0] < 0);
    snw_reconstruction *made = reconstruct(&lab, false);
    check_score(compare(&lab, made->trial, options.noise));
    snw_reconstruction_destroy(made);
    close_laboratory(&lab);
}

static void a_knocked_camera_is_found_and_put_right(void **state)
{
    (void)state;
    snw_synth_view_options options = snw_synth_view_options_default();
    options.knocked = 4;
    options.knock = snw_radians(1);
    laboratory lab = open_laboratory(SNW_SYNTH_DANCE, 4, &options);
    for (int keeps = 0; keeps < 2; keeps++) {
        snw_reconstruction *made = reconstruct(&lab, keeps);
        for (int c = 0; c < 8; c++) {
            assert_true(made->camera[c].is_moved == (c == 4));
            assert_true(made->camera[c].is_left_out == (c == 4 && keeps));
        }
        if (keeps) {
            assert_int_equal(made->camera[4].sighting_count, 0);
        } else {
            check_near(made->camera[4].turned_by, options.knock, snw_radians(0.05));
            snw_vec3 at = snw_camera_place(made->cameras->camera + 4);
            check_vec3_near(at, snw_camera_place(lab.made->cameras->camera + 4), 0.005);
            check_score(compare(&lab, made->trial, options.noise));
        }
        score s = compare(&lab, made->trial, options.noise);
        /* Without it: seven cameras of eight leave the eighth's share of the noise. */
        assert_true(s.switches == 0 && s.ghosts <= 0.001 * s.found);
        assert_true(s.found >= 0.98 * s.possible && s.error2 <= 1.5 * 1.5 * s.bound2);
        snw_reconstruction_destroy(made);
    }
    close_laboratory(&lab);
}

static void what_one_camera_sees_is_a_ray(void **state)
{
    (void)state;
    laboratory lab = open_laboratory(SNW_SYNTH_DANCE, 1, NULL);
    snw_views *views = lab.made->views;
    /* For five frames nobody but camera 0 sees marker 7. */
    for (int d = 0; d < views->detection_count; d++) {
        int c = 0;
        while (d >= views->first[(c + 1) * views->frame_count])
            c++;
        int f = 0;
        while (d >= views->first[c * views->frame_count + f + 1])
            f++;
        if (c != 0 && f >= 60 && f < 65 && lab.made->marker[d] == 7)
            views->keypoint[d].confidence = 0;
    }
    snw_reconstruction *made = reconstruct(&lab, false);
    bool is_seen = lab.synth->seen[60 * lab.synth->marker_count + 7] & 1;
    int rays = 0;
    for (int n = 0; n < made->ray_count; n++) {
        const snw_view_ray *ray = made->ray + n;
        snw_vec3 truth = snw_trial_position(lab.synth->marker_truth, ray->frame, 7);
        snw_vec3 to = snw_vec3_sub(truth, ray->origin);
        if (ray->camera != 0 || ray->frame < 60 || ray->frame >= 65) continue;
        double off = snw_vec3_length(snw_vec3_cross(to, ray->direction));
        rays += off < 0.005; /* a pixel is 2 mm at 3 m */
    }
    assert_true(!is_seen || rays >= 4);
    assert_true(is_seen);
    snw_reconstruction_destroy(made);
    close_laboratory(&lab);
}

static void bad_views_are_refused(void **state)
{
    (void)state;
    snw_synth_view_options joints = snw_synth_view_options_default();
    snw_reconstruction *made = NULL;
    snw_error error;
    joints.of_joints = true;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 0.2, &joints);
    assert_int_equal(
        snw_views_reconstruct(lab.made->views, lab.made->calibration, NULL, NULL, &made, &error),
        SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "keypoints"));
    close_laboratory(&lab);
    lab = open_laboratory(SNW_SYNTH_WALK, 0.2, NULL);
    snw_cameras *two = NULL;
    assert_int_equal(snw_cameras_create(2, NULL, &two, NULL), SNW_OK);
    assert_int_equal(snw_views_reconstruct(lab.made->views, two, NULL, NULL, &made, &error),
                     SNW_INVALID_ARGUMENT);
    snw_cameras_destroy(two);
    for (int d = 0; d < lab.made->views->detection_count; d++)
        lab.made->views->keypoint[d].confidence = 0;
    assert_int_equal(
        snw_views_reconstruct(lab.made->views, lab.made->calibration, NULL, NULL, &made, &error),
        SNW_NOT_FOUND);
    snw_reconstruct_options options = snw_reconstruct_options_default();
    options.noise = -1;
    assert_int_equal(snw_views_reconstruct(lab.made->views, lab.made->calibration, &options, NULL,
                                           &made, &error),
                     SNW_INVALID_ARGUMENT);
    assert_null(made);
    close_laboratory(&lab);
}

static void memory_that_ends_leaves_nothing(void **state)
{
    (void)state;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 0.5, NULL);
    for (long n = 0;; n++) {
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator hook = counting_hook(&counter);
        snw_reconstruction *made = NULL;
        snw_status status =
            snw_views_reconstruct(lab.made->views, lab.made->calibration, NULL, &hook, &made, NULL);
        snw_reconstruction_destroy(made);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
        assert_true(n < 200);
    }
    for (long n = 0;; n++) {
        counting_allocator counter = {0, 0, 0, n};
        snw_allocator hook = counting_hook(&counter);
        snw_synth_views *made = NULL;
        snw_status status = snw_synth_views_create(lab.synth, NULL, &hook, &made, NULL);
        snw_synth_views_destroy(made);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
    close_laboratory(&lab);
}

/* ---- files ------------------------------------------------------------------------------------
 */

static snw_status read_text(const char *text, const snw_cameras *cameras, snw_views **out,
                            snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_views(&source, cameras, NULL, NULL, out, error);
}

static void files_of_points_come_back(void **state)
{
    (void)state;
    laboratory lab = open_laboratory(SNW_SYNTH_WALK, 0.1, NULL);
    const snw_views *views = lab.made->views;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    assert_int_equal(snw_write_views(views, lab.made->calibration, &sink, NULL), SNW_OK);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_views *again = NULL;
    assert_int_equal(snw_read_views(&source, lab.made->calibration, NULL, NULL, &again, NULL),
                     SNW_OK);
    assert_int_equal(again->detection_count, views->detection_count);
    assert_int_equal(again->frame_count, views->frame_count);
    assert_int_equal(again->first_frame, views->first_frame);
    check_near(again->rate, views->rate, 0);
    for (int n = 0; n <= views->camera_count * views->frame_count; n++)
        assert_int_equal(again->first[n], views->first[n]);
    for (int d = 0; d < views->detection_count; d++)
        check_near((double)again->keypoint[d].x, (double)views->keypoint[d].x, 6e-4); /* printed */
    snw_views_destroy(again);
    snw_memory_sink_release(&bytes);
    close_laboratory(&lab);
}

static void lines_of_json_and_tables_say_the_same(void **state)
{
    (void)state;
    snw_cameras *cameras = NULL;
    snw_views *a = NULL, *b = NULL;
    snw_error error;
    assert_int_equal(snw_cameras_create(2, NULL, &cameras, NULL), SNW_OK);
    snprintf(cameras->camera[0].name, sizeof cameras->camera[0].name, "left");
    snprintf(cameras->camera[1].name, sizeof cameras->camera[1].name, "right");
    assert_int_equal(read_text("# rate 50\ncamera,y,x,frame,size\nright,3,4,8,9\n2,5,6,7,9\n"
                               "left,1,2,7,9\nleft,,,9,\n",
                               cameras, &a, &error),
                     SNW_OK);
    assert_int_equal(
        read_text("{\"rate\": 50}\n{\"frame\": 8, \"camera\": \"right\", \"points\": [[4, 3]]}\n"
                  "{\"frame\": 7, \"camera\": 2, \"points\": [[6, 5, 0.7]]}\n"
                  "{\"frame\": 7, \"camera\": \"left\", \"points\": [[2, 1]]}\n"
                  "{\"frame\": 9, \"camera\": \"left\", \"points\": []}\n",
                  cameras, &b, &error),
        SNW_OK);
    assert_int_equal(a->frame_count, 3);
    assert_int_equal(b->frame_count, 3);
    assert_int_equal(a->first_frame, 7);
    check_near(b->rate, 50, 0);
    const int first[7] = {0, 1, 1, 1, 2, 3, 3};
    const double x[3] = {2, 6, 4};
    for (int n = 0; n < 7; n++) {
        assert_int_equal(a->first[n], first[n]);
        assert_int_equal(b->first[n], first[n]);
    }
    for (int d = 0; d < 3; d++) {
        check_near((double)a->keypoint[d].x, x[d], 0);
        check_near((double)b->keypoint[d].x, x[d], 0);
    }
    snw_views_destroy(a);
    snw_views_destroy(b);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"frame,camera,x,y\n1,middle,2,3\n", "line 2: there is no camera \"middle\""},
        {"frame,camera,x\n1,left,2\n", "no column \"y\""},
        {"frame,camera,x,y\n1,left,two,3\n", "line 2: \"two\" is no number"},
        {"frame,camera,x,y\n1,left,nan,3\n", "no place in a picture"},
        {"frame,camera,x,y\n1.5,left,2,3\n", "no number of a frame"},
        {"frame,camera,x,y\n", "no points"},
        {"", "no points"},
        {"{\"frame\": 1}\n", "needs \"frame\", \"camera\" and \"points\""},
        {"{\"frame\": 1, \"camera\": \"left\", \"points\": [3]}\n", "point 1 is not [x, y]"},
        {"frame,camera,x,y\n1,left,2,3\n2000000000,left,2,3\n", "frames between"},
        {"# rate fast\nframe,camera,x,y\n1,left,2,3\n", "rate is no number"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        assert_true(read_text(bad[n].text, cameras, &a, &error) != SNW_OK);
        if (!strstr(error.message, bad[n].says))
            fail_msg("\"%s\" is told as: %s", bad[n].text, error.message);
        assert_null(a);
    }
    snw_cameras_destroy(cameras);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_without_noise_are_projections),
        cmocka_unit_test(what_goes_wrong_is_what_was_asked_for),
        cmocka_unit_test(joints_are_keypoints_of_one_person),
        cmocka_unit_test(markers_are_as_good_as_geometry_allows),
        cmocka_unit_test(false_and_lost_points_do_no_harm),
        cmocka_unit_test(a_knocked_camera_is_found_and_put_right),
        cmocka_unit_test(what_one_camera_sees_is_a_ray),
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(memory_that_ends_leaves_nothing),
        cmocka_unit_test(files_of_points_come_back),
        cmocka_unit_test(lines_of_json_and_tables_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
