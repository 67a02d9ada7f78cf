/* Objects of the conformal algebra read back: against the Euclidean forms, at any scale,
 * degenerate. */
#include "cga_checks.h"

/* ---- reading back, against the Euclidean forms ------------------------------------------------
 */

static void objects_read_back_at_any_scale(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(9, 2);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        double scale = exp(snw_random_range(&random, -20, 20));
        snw_circle circle = random_circle(&random), circle_back;
        snw_sphere sphere = {circle.center, circle.radius}, sphere_back;
        snw_plane plane = {circle.normal, snw_random_range(&random, -2, 2)}, plane_back;
        snw_line line = {circle.center, circle.normal}, line_back;
        snw_cga blade = snw_cga_scale(snw_cga_circle(circle), scale);
        assert_int_equal(snw_cga_to_circle(blade, &circle_back), SNW_CGA_REAL);
        check_circle_near(circle_back, circle, 1e-11);
        blade = snw_cga_scale(snw_cga_sphere(sphere), -scale);
        assert_int_equal(snw_cga_to_sphere(blade, &sphere_back), SNW_CGA_REAL);
        check_vec3_near(sphere_back.center, sphere.center, tight);
        check_near(sphere_back.radius, sphere.radius, tight);
        blade = snw_cga_scale(snw_cga_plane(plane), scale);
        assert_int_equal(snw_cga_to_plane(blade, &plane_back), SNW_CGA_FLAT);
        check_vec3_near(plane_back.normal, plane.normal, tight);
        check_near(plane_back.offset, plane.offset, tight);
        blade = snw_cga_scale(snw_cga_line(line), scale);
        assert_int_equal(snw_cga_to_line(blade, &line_back), SNW_CGA_FLAT);
        check_vec3_near(line_back.direction, line.direction, tight);
        check_vec3_near(line_back.point, snw_line_nearest(line, snw_vec3_make(0, 0, 0)), tight);
    }
}

static void objects_through_points_are_the_euclidean_ones(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(10, 2);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = random_point(&random);
        snw_circle expected, circle;
        assert_true(snw_circumcircle(p[0], p[1], p[2], &expected));
        if (expected.radius > 5) continue; /* nearly a line: badly determined in any form */
        snw_cga blade = snw_cga_circle_through(p[0], p[1], p[2]);
        assert_int_equal(snw_cga_to_circle(blade, &circle), SNW_CGA_REAL);
        check_circle_near(circle, expected, 1e-8);
        snw_plane plane;
        blade = snw_cga_plane_through(p[0], p[1], p[2]);
        assert_int_equal(snw_cga_to_plane(blade, &plane), SNW_CGA_FLAT);
        check_vec3_near(plane.normal, expected.normal, 1e-9);
        check_near(plane.offset, snw_vec3_dot(plane.normal, p[0]), 1e-9);
        snw_line line, through = snw_line_make(p[0], p[1]);
        assert_int_equal(snw_cga_to_line(snw_cga_line_through(p[0], p[1]), &line), SNW_CGA_FLAT);
        check_vec3_near(line.direction, through.direction, 1e-10);
        snw_sphere sphere;
        assert_int_equal(snw_cga_to_sphere(snw_cga_sphere_through(p), &sphere), SNW_CGA_REAL);
        if (sphere.radius > 20) continue;
        for (int k = 0; k < 4; k++)
            check_near(snw_vec3_distance(sphere.center, p[k]), sphere.radius, 1e-7);
    }
}

static void spheres_meet_in_the_euclidean_circle(void **state)
{
    (void)state;
    /* printed to nine digits */
    snw_sphere a = {{0, 0, 0}, 1}, b = {{1.2, 0.3, -0.4}, 0.9};
    snw_cga meet = snw_cga_meet(snw_cga_sphere(a), 4, snw_cga_sphere(b), 4);
    snw_vec3 nearest, x = {0.3, 1, 0.5}, right = {1, 0, 0};
    snw_circle circle, expected;
    assert_int_equal(snw_cga_to_circle(meet, &circle), SNW_CGA_REAL);
    check_vec3_near(circle.center, snw_vec3_make(0.667455621, 0.166863905, -0.222485207), 1e-9);
    check_near(circle.radius, 0.690767518, 1e-9);
    assert_int_equal(snw_cga_nearest_on_circle(meet, x, right, &nearest), SNW_CGA_REAL);
    check_vec3_near(nearest, snw_vec3_make(0.650767533, 0.742417535, 0.159115750), 2e-9);

    snw_random random = snw_random_seed(11, 2);
    int crossing = 0, apart = 0;
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        a = (snw_sphere){random_point(&random), snw_random_range(&random, 0.2, 1.5)};
        b = (snw_sphere){random_point(&random), snw_random_range(&random, 0.2, 1.5)};
        meet = snw_cga_meet(snw_cga_sphere(a), 4, snw_cga_sphere(b), 4);
        snw_meet kind = snw_sphere_sphere(a, b, &expected);
        if (snw_vec3_distance(a.center, b.center) < 0.2) continue;
        snw_cga_shape shape = snw_cga_to_circle(meet, &circle);
        if (kind == SNW_MEET_CROSS && expected.radius > 1e-3) {
            assert_int_equal(shape, SNW_CGA_REAL);
            check_vec3_near(circle.center, expected.center, 1e-10);
            check_axis_near(circle.normal, expected.normal, 1e-10);
            check_near(circle.radius, expected.radius, 1e-9); /* from its square, r above 1e-3 */
            crossing++;
        } else if (kind == SNW_MEET_APART || kind == SNW_MEET_NESTED) {
            assert_true(shape == SNW_CGA_IMAGINARY || shape == SNW_CGA_TOUCH);
            apart++;
        }
    }
    assert_true(crossing > CHECK_SAMPLES(2000) / 10 && apart > CHECK_SAMPLES(2000) / 10);
}

static void planes_circles_lines_and_spheres_meet_like_the_euclidean_ones(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(12, 2);
    int crossing = 0;
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_circle circle = random_circle(&random);
        snw_vec3 normal = snw_random_direction(&random);
        snw_plane plane = {normal, snw_random_range(&random, -1, 1)};
        snw_line line = {random_point(&random), snw_random_direction(&random)};
        snw_sphere sphere = {circle.center, circle.radius};
        snw_point_pair expected, points;
        snw_cga flat = snw_cga_plane(plane), straight = snw_cga_line(line);
        /* below 1e-2 between the points, the two squares lose too many digits to compare */
        snw_meet kind = snw_plane_circle(plane, circle, &expected);
        snw_cga meet = snw_cga_meet(flat, 4, snw_cga_circle(circle), 3);
        snw_cga_shape shape = snw_cga_to_pair(meet, &points);
        if (kind == SNW_MEET_CROSS && snw_vec3_distance(expected.first, expected.second) > 1e-2) {
            assert_int_equal(shape, SNW_CGA_REAL);
            bool is_swapped = snw_vec3_distance(points.first, expected.first) > 1e-6;
            check_vec3_near(is_swapped ? points.second : points.first, expected.first, 1e-8);
            check_vec3_near(is_swapped ? points.first : points.second, expected.second, 1e-8);
            crossing++;
        }
        kind = snw_line_sphere(line, sphere, &expected);
        meet = snw_cga_meet(straight, 3, snw_cga_sphere(sphere), 4);
        shape = snw_cga_to_pair(meet, &points);
        if (kind == SNW_MEET_APART) assert_int_equal(shape, SNW_CGA_IMAGINARY);
        if (kind == SNW_MEET_CROSS && snw_vec3_distance(expected.first, expected.second) > 1e-2) {
            assert_int_equal(shape, SNW_CGA_REAL);
            bool is_swapped = snw_vec3_distance(points.first, expected.first) > 1e-6;
            check_vec3_near(is_swapped ? points.second : points.first, expected.first, 1e-9);
            check_vec3_near(is_swapped ? points.first : points.second, expected.second, 1e-9);
        }
        /* line and plane: one point and infinity */
        double slope = snw_vec3_dot(line.direction, plane.normal);
        if (fabs(slope) < 0.05) continue;
        double along = (plane.offset - snw_vec3_dot(line.point, plane.normal)) / slope;
        snw_vec3 crossing_point = snw_vec3_add_scaled(line.point, along, line.direction);
        assert_int_equal(snw_cga_to_pair(snw_cga_meet(flat, 4, straight, 3), &points),
                         SNW_CGA_FLAT);
        check_vec3_near(points.first, crossing_point, 1e-10);
    }
    assert_true(crossing > CHECK_SAMPLES(2000) / 10);
}

static void planes_meet_in_a_line_and_parallel_ones_in_none(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(13, 2);
    for (int n = 0; n < 300; n++) {
        snw_plane a = {snw_random_direction(&random), random_coefficient(&random)};
        snw_plane b = {snw_random_direction(&random), random_coefficient(&random)};
        snw_vec3 along = snw_vec3_cross(a.normal, b.normal);
        if (snw_vec3_length(along) < 0.1) continue;
        snw_line line;
        snw_cga meet = snw_cga_meet(snw_cga_plane(a), 4, snw_cga_plane(b), 4);
        assert_int_equal(snw_cga_to_line(meet, &line), SNW_CGA_FLAT);
        check_axis_near(line.direction, snw_vec3_unit(along, along), 1e-11);
        check_near(snw_vec3_dot(line.point, a.normal), a.offset, 1e-11);
        check_near(snw_vec3_dot(line.point, b.normal), b.offset, 1e-11);
        b = (snw_plane){a.normal, a.offset + 1};
        meet = snw_cga_meet(snw_cga_plane(a), 4, snw_cga_plane(b), 4);
        assert_int_equal(snw_cga_to_line(meet, &line), SNW_CGA_NONE);
    }
}

/* ---- nearest points -----------------------------------------------------------------------------
 */

static void nearest_points_are_the_euclidean_ones(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(14, 2);
    for (int n = 0; n < CHECK_SAMPLES(4000); n++) {
        snw_circle circle = random_circle(&random);
        snw_sphere sphere = {circle.center, circle.radius};
        snw_plane plane = {circle.normal, random_coefficient(&random)};
        snw_line line = {circle.center, circle.normal};
        snw_vec3 x = random_point(&random), right = {1, 0, 0}, nearest;
        assert_int_equal(snw_cga_nearest_on_plane(snw_cga_plane(plane), x, &nearest), SNW_CGA_FLAT);
        check_vec3_near(nearest, snw_plane_nearest(plane, x), tight);
        assert_int_equal(snw_cga_nearest_on_line(snw_cga_line(line), x, &nearest), SNW_CGA_FLAT);
        check_vec3_near(nearest, snw_line_nearest(line, x), tight);
        /* a direction taken from a distance below 0.05 amplifies round-off twentyfold */
        if (snw_vec3_distance(snw_line_nearest(line, x), x) < 0.05) continue;
        snw_cga blade = snw_cga_sphere(sphere);
        assert_int_equal(snw_cga_nearest_on_sphere(blade, x, right, &nearest), SNW_CGA_REAL);
        check_vec3_near(nearest, snw_sphere_nearest(sphere, x, right), 1e-11);
        blade = snw_cga_circle(circle);
        assert_int_equal(snw_cga_nearest_on_circle(blade, x, right, &nearest), SNW_CGA_REAL);
        check_vec3_near(nearest, snw_circle_nearest(circle, x, right), 1e-10);
    }
}

static void nearest_points_without_a_direction_take_the_fallback(void **state)
{
    (void)state;
    snw_vec3 center = {0.5, -0.2, 0.3}, zero = {0, 0, 0}, up = {0, 3, 0}, nearest;
    snw_sphere sphere = {center, 0.7};
    snw_circle circle = {center, {0, 0, 1}, 0.7};
    snw_cga ball = snw_cga_sphere(sphere), ring = snw_cga_circle(circle);
    static const snw_vec3 axial = {0, 0, 2};
    snw_vec3 fallbacks[] = {up, zero, axial};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(snw_cga_nearest_on_sphere(ball, center, fallbacks[n], &nearest),
                         SNW_CGA_REAL);
        check_vec3_near(nearest, snw_sphere_nearest(sphere, center, fallbacks[n]), tight);
        snw_vec3 on_axis = snw_vec3_make(center.x, center.y, 2);
        assert_int_equal(snw_cga_nearest_on_circle(ring, on_axis, fallbacks[n], &nearest),
                         SNW_CGA_REAL);
        check_vec3_near(nearest, snw_circle_nearest(circle, on_axis, fallbacks[n]), tight);
    }
}

static void crossing_lines_give_their_point_and_skew_ones_none(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(15, 2);
    for (int n = 0; n < CHECK_SAMPLES(1000); n++) {
        snw_vec3 p = random_point(&random), point;
        snw_vec3 d1 = snw_random_direction(&random), d2 = snw_random_direction(&random);
        snw_vec3 across = snw_vec3_cross(d1, d2);
        if (snw_vec3_length(across) < 0.1) continue;
        snw_cga a = snw_cga_line((snw_line){p, d1});
        snw_cga b =
            snw_cga_scale(snw_cga_line((snw_line){snw_vec3_add_scaled(p, 0.8, d2), d2}), -3);
        assert_int_equal(snw_cga_cross_lines(a, b, &point), SNW_CGA_REAL);
        check_vec3_near(point, p, 1e-10); /* sines above 0.1 */
        snw_cga skew = snw_cga_apply(snw_cga_translator(snw_vec3_scale(across, 0.3)), b);
        assert_int_equal(snw_cga_cross_lines(a, skew, &point), SNW_CGA_NONE);
        snw_cga parallel = snw_cga_apply(snw_cga_translator(across), a);
        assert_int_equal(snw_cga_cross_lines(a, parallel, &point), SNW_CGA_NONE);
        assert_int_equal(snw_cga_cross_lines(a, a, &point), SNW_CGA_NONE);
        check_vec3_near(point, snw_vec3_make(0, 0, 0), 0);
    }
}

/* ---- degenerate input ---------------------------------------------------------------------------
 */

/* Whatever the blade, every reader answers with finite numbers; the answer is what the last check
 * of each sees. */
static void check_readers_stay_finite(snw_cga a)
{
    snw_vec3 x = {0.1, 0.2, 0.3}, right = {1, 0, 0}, point;
    snw_point_pair pair;
    snw_line line;
    snw_circle circle;
    snw_plane plane;
    snw_sphere sphere;
    snw_cga_to_point(a, &point);
    assert_true(snw_vec3_is_finite(point));
    snw_cga_to_pair(a, &pair);
    assert_true(snw_vec3_is_finite(pair.first) && snw_vec3_is_finite(pair.second));
    snw_cga_to_line(a, &line);
    assert_true(snw_vec3_is_finite(line.point));
    check_near(snw_vec3_length(line.direction), 1, tight);
    snw_cga_to_circle(a, &circle);
    assert_true(snw_vec3_is_finite(circle.center) && isfinite(circle.radius));
    check_near(snw_vec3_length(circle.normal), 1, tight);
    snw_cga_to_plane(a, &plane);
    assert_true(isfinite(plane.offset));
    check_near(snw_vec3_length(plane.normal), 1, tight);
    snw_cga_to_sphere(a, &sphere);
    assert_true(snw_vec3_is_finite(sphere.center) && isfinite(sphere.radius));
    snw_cga_nearest_on_plane(a, x, &point);
    assert_true(snw_vec3_is_finite(point));
    snw_cga_nearest_on_line(a, x, &point);
    assert_true(snw_vec3_is_finite(point));
    snw_cga_nearest_on_sphere(a, x, right, &point);
    assert_true(snw_vec3_is_finite(point));
    snw_cga_nearest_on_circle(a, x, right, &point);
    assert_true(snw_vec3_is_finite(point));
    snw_cga_cross_lines(a, a, &point);
    assert_true(snw_vec3_is_finite(point));
    assert_true(snw_vec3_is_finite(snw_cga_apply_to_point(a, x)));
}

static void degenerate_blades_are_named_and_never_give_nan(void **state)
{
    (void)state;
    snw_vec3 p = {0.3, 0.4, -0.5}, q = {1, 0, 2}, r = snw_vec3_lerp(p, q, 3);
    snw_vec3 same[4] = {p, p, q, r};
    snw_point_pair pair;
    snw_line line;
    snw_circle circle;
    snw_plane plane;
    snw_sphere sphere;
    assert_int_equal(snw_cga_to_pair(snw_cga_pair(p, p), &pair), SNW_CGA_NONE);
    assert_int_equal(snw_cga_to_line(snw_cga_line_through(p, p), &line), SNW_CGA_NONE);
    assert_int_equal(snw_cga_to_circle(snw_cga_circle_through(p, q, r), &circle), SNW_CGA_FLAT);
    assert_int_equal(snw_cga_to_circle(snw_cga_circle_through(p, p, q), &circle), SNW_CGA_NONE);
    assert_int_equal(snw_cga_to_sphere(snw_cga_sphere_through(same), &sphere), SNW_CGA_NONE);
    assert_int_equal(snw_cga_to_sphere(snw_cga_plane((snw_plane){{0, 1, 0}, 2}), &sphere),
                     SNW_CGA_FLAT);
    assert_int_equal(snw_cga_to_plane(snw_cga_sphere((snw_sphere){p, 1}), &plane), SNW_CGA_REAL);
    assert_int_equal(snw_cga_to_sphere(snw_cga_sphere((snw_sphere){p, 0}), &sphere), SNW_CGA_TOUCH);
    check_vec3_near(sphere.center, p, tight);
    /* concentric spheres, and a sphere with itself */
    snw_cga a = snw_cga_sphere((snw_sphere){p, 1}), b = snw_cga_sphere((snw_sphere){p, 2});
    assert_int_equal(snw_cga_to_circle(snw_cga_meet(a, 4, a, 4), &circle), SNW_CGA_NONE);
    assert_int_not_equal(snw_cga_to_circle(snw_cga_meet(a, 4, b, 4), &circle), SNW_CGA_REAL);
    snw_vec3 zero = {0, 0, 0};
    snw_cga cases[] = {snw_cga_scalar(0),
                       snw_cga_scalar(1),
                       snw_cga_n(),
                       snw_cga_outer(snw_cga_n(), snw_cga_nbar()),
                       snw_cga_outer(snw_cga_n(), snw_cga_blade(1, 1)),
                       snw_cga_pair(p, p),
                       snw_cga_circle_through(p, p, q),
                       snw_cga_circle_through(p, q, r),
                       snw_cga_sphere_through(same),
                       snw_cga_meet(a, 4, b, 4),
                       snw_cga_plane((snw_plane){zero, 1}),
                       snw_cga_plane((snw_plane){zero, 0}),
                       snw_cga_line((snw_line){p, zero}),
                       snw_cga_blade(31, 1),
                       snw_cga_scale(a, (double)NAN),
                       snw_cga_scale(a, (double)INFINITY),
                       snw_cga_scale(a, 1e-310),
                       snw_cga_scale(snw_cga_circle_through(p, q, zero), 1e290)};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        check_readers_stay_finite(cases[n]);
    for (double size = 1; size < 1e51; size *= 1e5) { /* far away: little is left, but no NaN */
        snw_vec3 far[4] = {{size, 0, 0}, {size, size, 1}, {1, size, 0}, {0, -size, size}};
        check_readers_stay_finite(snw_cga_pair(far[0], far[1]));
        check_readers_stay_finite(snw_cga_circle_through(far[0], far[1], far[2]));
        check_readers_stay_finite(snw_cga_plane_through(far[0], far[1], far[2]));
        check_readers_stay_finite(snw_cga_sphere_through(far));
        check_readers_stay_finite(snw_cga_sphere((snw_sphere){far[0], size}));
        check_readers_stay_finite(snw_cga_circle((snw_circle){far[0], {0, 0, 1}, 0.1}));
    }
}

static void random_multivectors_never_give_nan(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(16, 2);
    for (int n = 0; n < CHECK_SAMPLES(4000); n++) {
        snw_cga a = random_multivector(&random);
        for (int i = 0; i < 32; i++)
            if (snw_random_below(&random, 4) == 0) a.c[i] = n % 2 ? 0 : a.c[i] * 1e-12;
        check_readers_stay_finite(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_read_back_at_any_scale),
        cmocka_unit_test(objects_through_points_are_the_euclidean_ones),
        cmocka_unit_test(spheres_meet_in_the_euclidean_circle),
        cmocka_unit_test(planes_circles_lines_and_spheres_meet_like_the_euclidean_ones),
        cmocka_unit_test(planes_meet_in_a_line_and_parallel_ones_in_none),
        cmocka_unit_test(nearest_points_are_the_euclidean_ones),
        cmocka_unit_test(nearest_points_without_a_direction_take_the_fallback),
        cmocka_unit_test(crossing_lines_give_their_point_and_skew_ones_none),
        cmocka_unit_test(degenerate_blades_are_named_and_never_give_nan),
        cmocka_unit_test(random_multivectors_never_give_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
