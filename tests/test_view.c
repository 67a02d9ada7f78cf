/* Cameras against closed forms and finite differences, triangulation against what was projected,
 * people against the ones that were drawn. */
#include "check.h"
#include "view/band.h"

/* ---- cameras -------------------------------------------------------------------------------- */

/* At 4 m on a circle, 1.5 m high, looking at the middle. */
static void stand(snw_camera *camera, double angle)
{
    snw_vec3 at = snw_vec3_make(4 * cos(angle), 4 * sin(angle), 1.5);
    snw_vec3 z = snw_vec3_unit(snw_vec3_sub(snw_vec3_make(0, 0, 1), at), snw_vec3_make(1, 0, 0));
    snw_vec3 x = snw_vec3_unit(snw_vec3_cross(z, snw_vec3_make(0, 0, 1)), snw_vec3_make(1, 0, 0));
    snw_vec3 y = snw_vec3_cross(z, x);
    snw_quat turn = snw_quat_from_mat3(snw_mat3_from_columns(x, y, z));
    camera->camera_from_world = snw_xform_inverse(snw_xform_make(turn, at));
    camera->focal_x = camera->focal_y = 1000;
    camera->center_x = 960;
    camera->center_y = 540;
    camera->width = 1920;
    camera->height = 1080;
}

static snw_cameras *ring(int count)
{
    snw_cameras *cameras = NULL;
    assert_int_equal(snw_cameras_create(count, NULL, &cameras, NULL), SNW_OK);
    for (int c = 0; c < count; c++) {
        stand(cameras->camera + c, 2 * SNW_PI * c / count + 0.1);
        snprintf(cameras->camera[c].name, sizeof cameras->camera[c].name, "cam%d", c);
    }
    return cameras;
}

static void a_pinhole_divides_by_depth(void **state)
{
    (void)state;
    snw_cameras *cameras = ring(1);
    snw_camera *camera = cameras->camera;
    camera->camera_from_world = snw_xform_identity();
    double pixel[2];
    assert_true(snw_camera_project(camera, snw_vec3_make(0.3, -0.2, 2), pixel));
    check_near(pixel[0], 960 + 1000 * 0.15, 1e-12 * 1000); /* round-off */
    check_near(pixel[1], 540 - 1000 * 0.10, 1e-12 * 1000);
    assert_false(snw_camera_project(camera, snw_vec3_make(0.3, -0.2, -2), pixel));
    /* Brown's formula by hand: x = 0.5, y = 0.25, r2 = 0.3125. */
    const double lens[5] = {-0.1, 0.02, 0.001, -0.002, 0.003};
    memcpy(camera->distortion, lens, sizeof lens);
    assert_true(snw_camera_project(camera, snw_vec3_make(1, 0.5, 2), pixel));
    double r2 = 0.3125, radial = 1 - 0.1 * r2 + 0.02 * r2 * r2 + 0.003 * r2 * r2 * r2;
    check_near(pixel[0], 960 + 1000 * (0.5 * radial + 2 * 0.001 * 0.125 - 0.002 * (r2 + 0.5)),
               1e-9);
    check_near(pixel[1], 540 + 1000 * (0.25 * radial + 0.001 * (r2 + 0.125) - 2 * 0.002 * 0.125),
               1e-9);
    /* A fisheye without terms is r = f theta: 45 degrees to the right. */
    camera->is_fisheye = true;
    memset(camera->distortion, 0, sizeof camera->distortion);
    assert_true(snw_camera_project(camera, snw_vec3_make(1, 0, 1), pixel));
    check_near(pixel[0], 960 + 1000 * SNW_PI / 4, 1e-9);
    snw_cameras_destroy(cameras);
}

static void bend(snw_camera *camera, bool is_fisheye)
{
    const double brown[5] = {-0.12, 0.05, 0.002, -0.001, 0.01},
                 fisheye[5] = {0.03, -0.01, 0.004, -0.001, 0};
    camera->is_fisheye = is_fisheye;
    memcpy(camera->distortion, is_fisheye ? fisheye : brown, sizeof brown);
}

static void derivatives_are_differences_and_rays_lead_back(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 0);
    snw_cameras *cameras = ring(2);
    bend(cameras->camera, false);
    bend(cameras->camera + 1, true);
    for (int n = 0; n < 400; n++) {
        const snw_camera *camera = cameras->camera + n % 2;
        double x = snw_random_range(&random, -1, 1), y = snw_random_range(&random, -1, 1);
        snw_vec3 point = snw_vec3_make(x, y, snw_random_range(&random, 0, 2)), by[2], ray;
        double pixel[2], there[2], back[2];
        assert_true(snw_camera_project_with(camera, point, pixel, by));
        const snw_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double h = 1e-6; /* central differences of pixels of 1e3: 1e-13 * 1e3 / h = 1e-4 */
        for (int k = 0; k < 3; k++) {
            assert_true(snw_camera_project(camera, snw_vec3_add_scaled(point, h, axis[k]), there));
            assert_true(snw_camera_project(camera, snw_vec3_add_scaled(point, -h, axis[k]), back));
            for (int i = 0; i < 2; i++)
                check_near(snw_vec3_dot(by[i], axis[k]), (there[i] - back[i]) / (2 * h), 1e-3);
        }
        assert_true(snw_camera_ray(camera, pixel, &ray));
        snw_vec3 to = snw_vec3_unit(snw_vec3_sub(point, snw_camera_place(camera)), ray);
        check_vec3_near(ray, to, 1e-10); /* Newton ends at 1e-12 of the focal length */
    }
    snw_cameras_destroy(cameras);
}

/* ---- one point ------------------------------------------------------------------------------ */

static void sightings_of(const snw_cameras *cameras, snw_vec3 point, double noise,
                         snw_random *random, snw_sighting *out)
{
    for (int c = 0; c < cameras->count; c++) {
        out[c] = (snw_sighting){c, {0, 0}, noise > 0 ? noise : 1};
        assert_true(snw_camera_project(cameras->camera + c, point, out[c].pixel));
        for (int k = 0; k < 2; k++)
            out[c].pixel[k] += noise * snw_random_normal(random);
    }
}

static void exact_sightings_meet_and_wrong_ones_are_found(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 0);
    snw_cameras *cameras = ring(5);
    for (int n = 0; n < 100; n++) {
        snw_vec3 point = random_gaussian(&random, 0.4);
        snw_sighting seen[5];
        snw_triangulated found;
        point.z += 1;
        sightings_of(cameras, point, 0, &random, seen);
        assert_int_equal(snw_triangulate(cameras, seen, 5, NULL, &found, NULL), SNW_OK);
        check_vec3_near(found.place, point, 1e-9); /* the iteration's end */
        int wrong = n % 5;
        seen[wrong].pixel[0] += 300;
        assert_int_equal(snw_triangulate(cameras, seen, 5, NULL, &found, NULL), SNW_OK);
        check_vec3_near(found.place, point, 1e-4); /* what is left of 300 sigmas by the cost */
        assert_int_equal(found.agreeing, 31 & ~(1u << wrong));
    }
    snw_sighting one = {0, {900, 500}, 1};
    snw_triangulated found;
    snw_error error;
    assert_int_equal(snw_triangulate(cameras, &one, 1, NULL, &found, &error), SNW_DEGENERATE);
    snw_sighting twice[2] = {one, one}; /* the same camera says nothing of depth */
    assert_int_equal(snw_triangulate(cameras, twice, 2, NULL, &found, &error), SNW_DEGENERATE);
    one.camera = 9;
    twice[1] = one;
    assert_int_equal(snw_triangulate(cameras, twice, 2, NULL, &found, &error),
                     SNW_INVALID_ARGUMENT);
    snw_cameras_destroy(cameras);
}

static void covariance_is_what_draws_show(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(9, 0);
    snw_cameras *cameras = ring(3);
    snw_vec3 point = snw_vec3_make(0.3, -0.2, 1.2);
    double square = 0, stated = 0;
    const int draws = 2000;
    for (int n = 0; n < draws; n++) {
        snw_sighting seen[3];
        snw_triangulated found;
        sightings_of(cameras, point, 0.5, &random, seen);
        assert_int_equal(snw_triangulate(cameras, seen, 3, NULL, &found, NULL), SNW_OK);
        square += snw_vec3_length2(snw_vec3_sub(found.place, point));
        stated += found.covariance[0] + found.covariance[3] + found.covariance[5];
    }
    /* 2000 draws know a variance to 3 %; the cost weighs 2-sigma draws less. */
    check_near(square / stated, 1, 0.2);
    snw_cameras_destroy(cameras);
}

/* ---- bands ---------------------------------------------------------------------------------- */

static void a_band_is_solved_as_a_full_matrix(void **state)
{
    (void)state;
    enum {
        N = 24
    };
    snw_random random = snw_random_seed(10, 0);
    double full[N][N] = {{0}}, x[N], right[N], row[N][SNW__BAND];
    for (int n = 0; n < N; n++)
        for (int k = 0; k < SNW__BAND && k <= n; k++)
            full[n][n - k] = full[n - k][n] = k ? snw_random_range(&random, -1, 1) : 20;
    for (int n = 0; n < N; n++) {
        x[n] = snw_random_normal(&random);
        for (int k = 0; k < SNW__BAND; k++)
            row[n][k] = k <= n ? full[n][n - k] : 0;
    }
    for (int n = 0; n < N; n++) {
        right[n] = 0;
        for (int k = 0; k < N; k++)
            right[n] += full[n][k] * x[k];
    }
    assert_true(snw__band_solve(row, right, N));
    for (int n = 0; n < N; n++)
        check_near(right[n], x[n], 1e-12); /* dominant diagonal: no loss */
}

/* ---- people --------------------------------------------------------------------------------- */

enum {
    FRAMES = 90,
    POINTS = 17
};

/* COCO's points on somebody who walks round a circle; metres. */
static snw_vec3 joint_of(int person, int point, double time)
{
    static const double body[POINTS][3] = {
        {0.1, 0, 1.6},    {0.08, 0.03, 1.65}, {0.08, -0.03, 1.65}, {0, 0.07, 1.6},  {0, -0.07, 1.6},
        {0, 0.2, 1.4},    {0, -0.2, 1.4},     {0, 0.25, 1.1},      {0, -0.25, 1.1}, {0, 0.25, 0.85},
        {0, -0.25, 0.85}, {0, 0.1, 0.9},      {0, -0.1, 0.9},      {0, 0.1, 0.5},   {0, -0.1, 0.5},
        {0, 0.1, 0.08},   {0, -0.1, 0.08}};
    double turn = 0.6 * time + 3 * person, swing = 0.3 * sin(6 * time + person);
    bool is_left = point % 2;
    double forward =
        body[point][0] +
        (point >= 7 ? (is_left == (point >= 11) ? swing : -swing) * (1.5 - body[point][2]) : 0);
    snw_vec3 local = snw_vec3_make(forward, body[point][1], body[point][2]);
    snw_quat q = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), turn + SNW_PI / 2);
    snw_vec3 at = snw_vec3_make(0.8 * cos(turn), 0.8 * sin(turn), 0);
    return snw_vec3_add(at, snw_quat_rotate(q, local));
}

typedef struct studio {
    snw_cameras *cameras; /* as they stand */
    int people;
    double noise, loss;   /* pixels, share */
    int exchanged_camera; /* whose detections of person 0 have legs exchanged in frames 30 to 59; -1
                           */
} studio;

static snw_views *film(const studio *s)
{
    const char *const *points;
    assert_int_equal(snw_keypoint_set_points(snw_keypoint_set_find("coco_17"), &points), POINTS);
    snw_views_counts counts = {s->cameras->count, FRAMES, POINTS,
                               s->cameras->count * FRAMES * s->people, points};
    snw_views *views = NULL;
    snw_random random = snw_random_seed(11, 0);
    assert_int_equal(snw_views_create(&counts, NULL, &views, NULL), SNW_OK);
    views->rate = 60;
    int detection = 0;
    for (int c = 0; c < s->cameras->count; c++)
        for (int f = 0; f < FRAMES; f++) {
            views->first[c * FRAMES + f] = detection;
            for (int n = 0; n < s->people; n++, detection++)
                for (int p = 0; p < POINTS; p++) {
                    int person = (n + c + f / 7) % s->people; /* no order holds */
                    bool is_leg = p >= 11;
                    int from =
                        c == s->exchanged_camera && person == 0 && is_leg && f >= 30 && f < 60
                            ? (p % 2 ? p + 1 : p - 1)
                            : p;
                    double pixel[2];
                    assert_true(snw_camera_project(s->cameras->camera + c,
                                                   joint_of(person, from, f / 60.0), pixel));
                    double dx = s->noise * snw_random_normal(&random),
                           dy = s->noise * snw_random_normal(&random);
                    bool is_lost = snw_random_range(&random, 0, 1) < s->loss;
                    views->keypoint[detection * POINTS + p] = (snw_keypoint){
                        (float)(pixel[0] + dx), (float)(pixel[1] + dy), is_lost ? 0 : 0.8f};
                }
        }
    views->first[s->cameras->count * FRAMES] = detection;
    return views;
}

/* Median and largest distance from the truth of the nearest person; share of samples. */
static void compare(const snw_trial *trial, int people, double *median, double *most, double *share)
{
    static double off[4 * FRAMES * POINTS];
    int count = 0;
    for (int n = 0; n < people; n++) {
        int who = 0;
        double least = INFINITY;
        for (int k = 0; k < people; k++) {
            double d = snw_vec3_distance(snw_trial_position(trial, 45, n * POINTS),
                                         joint_of(k, 0, 45 / 60.0));
            if (d < least) least = d, who = k;
        }
        for (int p = 0; p < POINTS; p++)
            for (int f = 0; f < FRAMES; f++)
                if (snw_trial_is_present(trial, f, n * POINTS + p))
                    off[count++] = snw_vec3_distance(snw_trial_position(trial, f, n * POINTS + p),
                                                     joint_of(who, p, f / 60.0));
    }
    *share = (double)count / (people * POINTS * FRAMES);
    *most = *median = 0;
    for (int n = 0; n < count; n++) {
        int below = 0;
        for (int k = 0; k < count; k++)
            below += off[k] < off[n];
        *most = fmax(*most, off[n]);
        if (below == count / 2) *median = off[n];
    }
}

static void two_people_with_noise_losses_and_exchanged_legs(void **state)
{
    (void)state;
    studio s = {ring(4), 2, 2, 0.1, 2};
    snw_views *views = film(&s);
    snw_view_report report = {.camera = NULL};
    snw_view_options options = snw_view_options_default();
    snw_trial *trial = NULL;
    double median, most, share;
    options.report = &report;
    assert_int_equal(snw_views_triangulate(views, s.cameras, &options, NULL, &trial, NULL), SNW_OK);
    assert_int_equal(report.person_count, 2);
    assert_int_equal(trial->marker_count, 2 * POINTS);
    assert_string_equal(trial->marker[POINTS].name, "P2:Nose");
    compare(trial, 2, &median, &most, &share);
    /* 2 pixels at 4 m of 1000 are 8 mm in one view; four views and 100 ms of neighbours halve it.
     */
    check_near(median, 0, 0.008);
    check_near(most, 0, 0.06);
    check_near(share, 1, 0.002);
    assert_true(report.exchanged_count >= 25 && report.exchanged_count <= 35);
    snw_trial_destroy(trial);
    snw_views_destroy(views);
    snw_cameras_destroy(s.cameras);
}

static void a_knocked_camera_is_found_and_put_right(void **state)
{
    (void)state;
    studio s = {ring(4), 1, 1, 0, -1};
    snw_views *views = film(&s);
    snw_view_camera told[4];
    snw_view_report report = {.camera = told};
    snw_view_options options = snw_view_options_default();
    snw_notes notes = snw_notes_none();
    snw_trial *trial = NULL;
    double median, most, share;
    options.report = &report;
    options.notes = &notes;
    /* The calibration is two degrees from where camera 3 stands now. */
    snw_xform *pose = &s.cameras->camera[3].camera_from_world;
    snw_quat knock = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), snw_radians(2));
    *pose = snw_xform_mul(snw_xform_make(knock, snw_vec3_make(0, 0, 0)), *pose);
    assert_int_equal(snw_views_triangulate(views, s.cameras, &options, NULL, &trial, NULL), SNW_OK);
    assert_true(told[3].is_moved && !told[3].is_left_out && !told[0].is_moved && !told[1].is_moved);
    check_near(snw_degrees(told[3].turned_by), 2, 0.2); /* a person fills a third of the picture */
    assert_int_equal(notes.count, 1);
    assert_int_equal(notes.note[0].code, SNW_NOTE_CAMERA_MOVED);
    compare(trial, 1, &median, &most, &share);
    check_near(median, 0, 0.005); /* one pixel is 4 mm */
    snw_trial_destroy(trial);
    options.keeps_cameras = true;
    assert_int_equal(snw_views_triangulate(views, s.cameras, &options, NULL, &trial, NULL), SNW_OK);
    assert_false(told[3].is_moved);
    snw_trial_destroy(trial);
    snw_views_destroy(views);
    snw_cameras_destroy(s.cameras);
}

/* What a program does that turns or mirrors pictures of 1920 x 1080 before the detector looks:
 * right, down become down, left; mirrored people show their left where their right is. */
static void turn_pictures(snw_views *views, int camera, int quarters, bool is_mirrored)
{
    for (int d = views->first[camera * FRAMES]; d < views->first[(camera + 1) * FRAMES]; d++) {
        snw_keypoint *seen = views->keypoint + d * POINTS;
        double size[2] = {1920, 1080};
        for (int q = 0; q < quarters; q++) {
            for (int p = 0; p < POINTS; p++) {
                float x = seen[p].x;
                seen[p].x = (float)size[1] - seen[p].y;
                seen[p].y = x;
            }
            double kept = size[0];
            size[0] = size[1];
            size[1] = kept;
        }
        for (int p = 0; is_mirrored && p < POINTS; p++)
            seen[p].x = (float)size[0] - seen[p].x;
        for (int p = 1; is_mirrored && p < POINTS; p += 2) { /* COCO: the nose, then pairs */
            snw_keypoint kept = seen[p];
            seen[p] = seen[p + 1];
            seen[p + 1] = kept;
        }
    }
}

static void turned_and_mirrored_pictures_are_told(void **state)
{
    (void)state;
    static const struct {
        int quarters;
        bool is_mirrored;
        const char *told;
    } cases[] = {{1, false, "turned by 90 degrees clockwise"},
                 {2, false, "upside down"},
                 {3, false, "turned by 90 degrees counter-clockwise"},
                 {0, true, "mirrored"}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        studio s = {ring(4), 1, 1, 0, -1};
        snw_views *views = film(&s);
        snw_view_options options = snw_view_options_default();
        snw_notes notes = snw_notes_none();
        snw_trial *trial = NULL;
        snw_error error;
        double median, most, share;
        options.notes = &notes;
        turn_pictures(views, 2, cases[n].quarters, cases[n].is_mirrored);
        assert_int_equal(snw_views_triangulate(views, s.cameras, &options, NULL, &trial, NULL),
                         SNW_OK);
        compare(trial, 1, &median, &most, &share);
        check_near(median, 0, 0.008); /* from the other three */
        bool is_told = false;
        for (int k = 0; k < notes.count; k++)
            is_told |=
                strstr(notes.note[k].text, "cam2") && strstr(notes.note[k].text, cases[n].told);
        if (!is_told) fail_msg("\"%s\" is not told", cases[n].told);
        snw_trial_destroy(trial);
        for (int c = 0; c < 4; c++)
            if (c != 2) turn_pictures(views, c, cases[n].quarters, cases[n].is_mirrored);
        trial = NULL;
        snw_status status = snw_views_triangulate(views, s.cameras, &options, NULL, &trial, &error);
        print_message("%s: %s\n", cases[n].told, status == SNW_OK ? "found" : error.message);
        assert_int_equal(status, SNW_NOT_FOUND);
        assert_non_null(strstr(error.message, cases[n].told));
        snw_views_destroy(views);
        snw_cameras_destroy(s.cameras);
    }
}

static void what_does_not_belong_together_is_refused(void **state)
{
    (void)state;
    studio s = {ring(3), 1, 0, 1, -1}; /* every keypoint is lost */
    snw_views *views = film(&s);
    snw_cameras *two = ring(2);
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_views_triangulate(views, s.cameras, NULL, NULL, &trial, &error),
                     SNW_NOT_FOUND);
    assert_int_equal(snw_views_triangulate(views, two, NULL, NULL, &trial, &error),
                     SNW_INVALID_ARGUMENT);
    s.cameras->camera[1].focal_x = 0;
    assert_int_equal(snw_views_triangulate(views, s.cameras, NULL, NULL, &trial, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "cam1"));
    views->first[0] = 1;
    s.cameras->camera[1].focal_x = 1000;
    assert_int_equal(snw_views_triangulate(views, s.cameras, NULL, NULL, &trial, &error),
                     SNW_INVALID_ARGUMENT);
    assert_null(trial);
    snw_views_destroy(views);
    snw_cameras_destroy(two);
    snw_cameras_destroy(s.cameras);
}

/* ---- files ---------------------------------------------------------------------------------- */

static snw_status read_cameras(const char *text, snw_cameras **out, snw_notes *notes,
                               snw_error *error)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    return snw_read_cameras(&source, NULL, NULL, out, notes, error);
}

static void cameras_come_back_as_they_were_written(void **state)
{
    (void)state;
    snw_cameras *cameras = ring(3), *again = NULL;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_notes notes = snw_notes_none();
    bend(cameras->camera, false);
    bend(cameras->camera + 1, true);
    assert_int_equal(snw_write_cameras(cameras, &sink, NULL), SNW_OK);
    char *text = calloc(1, bytes.size + 1);
    memcpy(text, bytes.bytes, bytes.size);
    assert_int_equal(read_cameras(text, &again, &notes, NULL), SNW_OK);
    assert_int_equal(again->count, 3);
    assert_int_equal(snw_cameras_find(again, "cam2"), 2);
    for (int c = 0; c < 3; c++) {
        const snw_camera *a = cameras->camera + c, *b = again->camera + c;
        assert_true(a->focal_x == b->focal_x && a->center_y == b->center_y && a->width == b->width);
        assert_int_equal(a->is_fisheye, b->is_fisheye);
        assert_memory_equal(a->distortion, b->distortion, sizeof a->distortion);
        check_quat_near(a->camera_from_world.rotation, b->camera_from_world.rotation, 1e-12);
        check_vec3_near(a->camera_from_world.translation, b->camera_from_world.translation, 1e-15);
    }
    free(text);
    snw_memory_sink_release(&bytes);
    snw_cameras_destroy(again);
    snw_cameras_destroy(cameras);
}

static void qualisys_counts_sixty_fourths_and_looks_along_minus_z(void **state)
{
    (void)state;
    /* Stands at x = 2 m and looks at the origin: its z axis, third row, points away from there. */
    const char *text = "<?xml version='1.0'?><calibration><cameras><camera serial=\"77\">"
                       "<fov_video left=\"0\" right=\"1087\" top=\"0\" bottom=\"1919\"/>"
                       "<transform r11=\"0\" r12=\"1\" r13=\"0\" r21=\"0\" r22=\"0\" r23=\"1\" "
                       "r31=\"1\" r32=\"0\" r33=\"0\" "
                       "x=\"2000\" y=\"0\" z=\"0\"/>"
                       "<intrinsic focalLengthU=\"64000\" focalLengthV=\"64000\" "
                       "centerPointU=\"34816\" centerPointV=\"61440\" "
                       "radialDistortion1=\"0\" radialDistortion2=\"0\" tangentalDistortion1=\"0\" "
                       "tangentalDistortion2=\"0\"/>"
                       "</camera></cameras></calibration>";
    snw_cameras *cameras = NULL;
    double pixel[2];
    assert_int_equal(read_cameras(text, &cameras, NULL, NULL), SNW_OK);
    assert_string_equal(cameras->camera->name, "77");
    check_vec3_near(snw_camera_place(cameras->camera), snw_vec3_make(2, 0, 0), 1e-12);
    assert_true(snw_camera_project(cameras->camera, snw_vec3_make(0, 0, 0), pixel));
    check_near(pixel[0], 544, 1e-9);
    check_near(pixel[1], 960, 1e-9);
    assert_true(snw_camera_project(cameras->camera, snw_vec3_make(0, 0.1, 0.2), pixel));
    check_near(pixel[0], 544 + 50, 1e-9);  /* y of the world is to the right */
    check_near(pixel[1], 960 - 100, 1e-9); /* up is up */
    snw_cameras_destroy(cameras);
}

static void bad_calibrations_have_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "no camera"},
        {"Frame,Time\n1,2\n", "no camera"},
        {"[a]\nmatrix = [1,0,0,0,1,0,0,0,1]\n", "no rotation and translation"},
        {"[a]\nmatrix = [1,0,0]\n", "matrix of camera a has not 9 numbers"},
        {"[a]\nmatrix = [0,0,0,0,1,0,0,0,1]\nrotation=[0,0,0]\ntranslation=[0,0,0]\n",
         "focal length 0"},
        {"[a]\ntranslation = [1,x,2]\n", "translation of camera a has not 3 numbers"},
        {"<calibration><cameras>", ""},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        snw_cameras *cameras = NULL;
        snw_error error;
        assert_int_not_equal(read_cameras(bad[n].text, &cameras, NULL, &error), SNW_OK);
        assert_null(cameras);
        if (!strstr(error.message, bad[n].says)) {
            print_error("%s does not say %s\n", error.message, bad[n].says);
            fail();
        }
    }
    /* Places in millimetres are noticed. */
    snw_cameras *cameras = NULL;
    snw_notes notes = snw_notes_none();
    assert_int_equal(read_cameras("[a]\nmatrix = [[900,0,1],\n [0,900,1],\n "
                                  "[0,0,1]]\nrotation=[0,0,0]\ntranslation=[0,0,3000]\n",
                                  &cameras, &notes, NULL),
                     SNW_OK);
    check_near(snw_camera_place(cameras->camera).z, -3, 1e-12);
    assert_int_equal(notes.count, 1);
    snw_cameras_destroy(cameras);
}

static void keypoints_are_read_from_json(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int detections, points;
        const char *says;
    } files[] = {
        {"{\"version\":1.3,\"people\":[{\"person_id\":[-1],\"pose_keypoints_2d\":[1,2,0.5,3,4,0],"
         "\"x\":[]}]}",
         1, 2, NULL},
        {"[{\"image_id\":\"0.jpg\",\"keypoints\":[1,2,1.5e0],\"score\":2},{\"keypoints\":[1,2,3]}]",
         2, 1, NULL},
        {"{\"people\":[]}", 0, 0, NULL},
        {"{\"people\":[{\"pose_keypoints_2d\":[1,2]}]}", 0, 0, "triples"},
        {"{\"people\":[{\"pose_keypoints_2d\":[1,2,3]},{\"pose_keypoints_2d\":[1,2,3,4,5,6]}]}", 0,
         0, "different numbers"},
        {"{\"bones\":[1,2]}", 0, 0, "no keypoints"},
        {"{\"people\":[", 0, 0, "number"},
        {"{\"people\":[]} x", 0, 0, "follows"},
        /* MMPose: the scores stand beside the points */
        {"{\"instances\":[{\"keypoints\":[[1,2],[3,4]],\"keypoint_scores\":[0.5,0]}]}", 1, 2, NULL},
        /* MediaPipe: objects; two people are a list of lists */
        {"{\"pose_landmarks\":[{\"x\":0.1,\"y\":0.2,\"z\":1,\"visibility\":0.5},{\"x\":0.3,"
         "\"y\":0.4,\"visibility\":0}]}",
         1, 2, NULL},
        {"{\"landmarks\":[[{\"x\":0.1,\"y\":2}],[{\"x\":0.3,\"y\":0.4}]]}", 2, 1, NULL},
        {"{\"pose_landmarks\":[]}", 0, 0, NULL},
        {"{\"people\":[{\"pose_keypoints_2d\":[1,2,3],\"hand_left_keypoints_2d\":[1,2,3]}]}", 0, 0,
         "hand has not 21"},
        {"{\"keypoints\":[[1]]}", 0, 0, "no x and y"},
        {"{\"keypoints\":[[1,2,3,4]]}", 0, 0, "more than three"},
        {"{\"landmarks\":[{\"x\":1,\"y\"}]}", 0, 0, "colon"},
    };
    for (size_t n = 0; n < sizeof files / sizeof *files; n++) {
        snw_memory_source memory;
        snw_source source = snw_source_from_memory(&memory, files[n].text, strlen(files[n].text));
        snw_keypoint_picture *picture = NULL;
        snw_error error;
        snw_status status = snw_read_keypoints(&source, NULL, NULL, &picture, &error);
        if (files[n].says) {
            assert_int_not_equal(status, SNW_OK);
            assert_non_null(strstr(error.message, files[n].says));
            continue;
        }
        assert_int_equal(status, SNW_OK);
        assert_int_equal(picture->detection_count, files[n].detections);
        assert_int_equal(picture->point_count, files[n].points);
        if (n == 0) {
            check_near(picture->keypoint[0].y, 2, 0);
            check_near(picture->keypoint[0].confidence, 0.5, 0);
            check_near(picture->keypoint[1].confidence, 0, 0);
        }
        snw_keypoint_picture_destroy(picture);
    }
}

/* OpenPose with hands and face: body, left, right, face, whatever their order in the file; one hand
 * that was not looked for is not seen. */
static void hands_and_faces_follow_the_body(void **state)
{
    (void)state;
    char text[8192];
    int at = snprintf(text, sizeof text,
                      "[{\"image_id\":\"cam1_v2.take_0042.jpg\","
                      "\"hand_right_keypoints_2d\":[");
    for (int p = 0; p < 21; p++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d,1,0.9", p ? "," : "", 100 + p);
    at += snprintf(text + at, sizeof text - (size_t)at, "],\"face_keypoints_2d\":[");
    for (int p = 0; p < 70; p++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d,1,0.9", p ? "," : "", 200 + p);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "],\"hand_left_keypoints_2d\":[],\"pose_keypoints_2d\":[");
    for (int p = 0; p < 25; p++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%d,1,0.9", p ? "," : "", p);
    snprintf(text + at, sizeof text - (size_t)at, "]}]");
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, text, strlen(text));
    snw_keypoint_picture *picture = NULL;
    const char *const *names;
    assert_int_equal(snw_read_keypoints(&source, NULL, NULL, &picture, NULL), SNW_OK);
    assert_int_equal(picture->detection_count, 1);
    assert_int_equal(picture->point_count, 137);
    assert_int_equal(picture->image[0], 42);
    assert_false(picture->is_share);
    int set = snw_keypoint_set_guess(picture->keypoint, 1, 137);
    assert_string_equal(snw_keypoint_set_name(set), "body_25_whole");
    assert_int_equal(snw_keypoint_set_points(set, &names), 137);
    for (int p = 0; p < 137; p++) {
        const snw_keypoint *point = picture->keypoint + p;
        bool is_left_hand = p >= 25 && p < 46;
        check_near(point->confidence, is_left_hand ? 0 : (double)0.9f, 0);
        if (!is_left_hand) check_near(point->x, p < 25 ? p : p < 67 ? 54 + p : 133 + p, 0);
    }
    assert_string_equal(names[25], "LHandRoot");
    assert_string_equal(names[50], "RThumb4");
    assert_string_equal(names[67], "Face1");
    assert_string_equal(names[136], "Face70");
    snw_keypoint_picture_destroy(picture);
}

static void twenty_five_points_are_told_apart_by_the_hips(void **state)
{
    (void)state;
    snw_keypoint body[25];
    for (int p = 0; p < 25; p++)
        body[p] = (snw_keypoint){(float)(10 * p), (float)(100 + 7 * p * p % 90), 1};
    assert_string_equal(snw_keypoint_set_name(snw_keypoint_set_guess(body, 1, 25)), "body_25b");
    body[8] = (snw_keypoint){(body[9].x + body[12].x) / 2, (body[9].y + body[12].y) / 2, 1};
    assert_string_equal(snw_keypoint_set_name(snw_keypoint_set_guess(body, 1, 25)), "body_25");
    assert_int_equal(snw_keypoint_set_guess(body, 1, 24), -1);
    /* Every set: left and right in pairs, names that are understood. */
    for (int set = 0; snw_keypoint_set_name(set); set++) {
        const char *const *points;
        int count = snw_keypoint_set_points(set, &points);
        for (int p = 0; p < count; p++) {
            char other[64];
            int pairs = 0;
            snprintf(other, sizeof other, "%s", points[p]);
            if (other[0] == 'L' || other[0] == 'R') {
                other[0] = other[0] == 'L' ? 'R' : 'L';
                for (int k = 0; k < count; k++)
                    pairs += strcmp(points[k], other) == 0;
                assert_int_equal(pairs, 1);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pinhole_divides_by_depth),
        cmocka_unit_test(derivatives_are_differences_and_rays_lead_back),
        cmocka_unit_test(exact_sightings_meet_and_wrong_ones_are_found),
        cmocka_unit_test(covariance_is_what_draws_show),
        cmocka_unit_test(a_band_is_solved_as_a_full_matrix),
        cmocka_unit_test(two_people_with_noise_losses_and_exchanged_legs),
        cmocka_unit_test(a_knocked_camera_is_found_and_put_right),
        cmocka_unit_test(turned_and_mirrored_pictures_are_told),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(cameras_come_back_as_they_were_written),
        cmocka_unit_test(qualisys_counts_sixty_fourths_and_looks_along_minus_z),
        cmocka_unit_test(bad_calibrations_have_a_sentence),
        cmocka_unit_test(keypoints_are_read_from_json),
        cmocka_unit_test(hands_and_faces_follow_the_body),
        cmocka_unit_test(twenty_five_points_are_told_apart_by_the_hips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
