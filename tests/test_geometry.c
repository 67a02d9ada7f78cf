/* Spheres, planes, lines, circles, ellipses and two links: printed values, brute force, and every
 * degenerate case. */
#include "check.h"

static snw_vec3 random_point(snw_random *random)
{
    return random_gaussian(random, 1);
}

static const snw_vec3 zero = {0, 0, 0};
static const snw_vec3 up = {0, 0, 1};

static double distance_to_sphere(snw_sphere sphere, snw_vec3 point)
{
    return snw_vec3_distance(sphere.center, point) - sphere.radius;
}

/* ---- nearest points ----------------------------------------------------------------------- */

static void nearest_points_lie_on_the_thing_and_no_sample_is_nearer(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(21, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_vec3 x = random_point(&random), c = random_point(&random);
        snw_vec3 u = snw_random_direction(&random), v = snw_vec3_perpendicular(u);
        snw_vec3 w = snw_vec3_cross(u, v);
        double r = snw_random_range(&random, 0.1, 2);
        snw_sphere sphere = {c, r};
        snw_plane plane = snw_plane_make(u, snw_vec3_dot(u, c));
        snw_line line = {c, u};
        snw_circle circle = {c, u, r};
        double best[4] = {
            snw_vec3_distance(x, snw_sphere_nearest(sphere, x, zero)),
            snw_vec3_distance(x, snw_plane_nearest(plane, x)),
            snw_vec3_distance(x, snw_line_nearest(line, x)),
            snw_vec3_distance(x, snw_circle_nearest(circle, x, zero)),
        };
        check_near(snw_vec3_dot(plane.normal, snw_plane_nearest(plane, x)), plane.offset, 1e-14);
        for (int k = 0; k < 30; k++) {
            double angle = snw_random_range(&random, -SNW_PI, SNW_PI);
            snw_vec3 in_plane =
                snw_vec3_add(snw_vec3_scale(v, cos(angle)), snw_vec3_scale(w, sin(angle)));
            snw_vec3 others[4] = {
                snw_vec3_add_scaled(c, r, snw_random_direction(&random)),
                snw_vec3_add_scaled(c, snw_random_range(&random, 0, 5), in_plane),
                snw_vec3_add_scaled(c, snw_random_range(&random, -5, 5), u),
                snw_vec3_add_scaled(c, r, in_plane),
            };
            for (int kind = 0; kind < 4; kind++)
                assert_true(snw_vec3_distance(x, others[kind]) >= best[kind] - 1e-14);
        }
    }
}

static void undetermined_nearest_points_take_the_fallback(void **state)
{
    (void)state;
    snw_vec3 c = {0.1, 0.2, 0.3}, slanted = snw_vec3_unit(snw_vec3_make(1, 2, -2), up);
    snw_sphere sphere = {c, 2};
    check_vec3_near(snw_sphere_nearest(sphere, c, snw_vec3_make(0, -5, 0)),
                    snw_vec3_make(0.1, -1.8, 0.3), 1e-15);
    check_vec3_near(snw_sphere_nearest(sphere, c, zero), snw_vec3_make(2.1, 0.2, 0.3), 1e-15);
    snw_circle circle = {c, slanted, 2};
    snw_vec3 on_axis = snw_vec3_add_scaled(c, 3, slanted);
    snw_vec3 side = snw_vec3_perpendicular(slanted);
    snw_vec3 fallback = snw_vec3_add(snw_vec3_scale(side, -3), slanted);
    check_vec3_near(snw_circle_nearest(circle, on_axis, fallback), snw_vec3_add_scaled(c, -2, side),
                    1e-14);
    check_vec3_near(snw_circle_nearest(circle, on_axis, zero), snw_vec3_add_scaled(c, 2, side),
                    1e-14);
    check_vec3_near(snw_circle_nearest(circle, c, slanted), snw_vec3_add_scaled(c, 2, side), 1e-14);
    snw_line line = snw_line_make(c, c);
    check_vec3_near(line.direction, snw_vec3_make(1, 0, 0), 0);
    snw_plane plane = snw_plane_make(zero, 3);
    check_vec3_near(plane.normal, up, 0);
    check_near(plane.offset, 0, 0);
    plane = snw_plane_make(snw_vec3_make(0, 1e-200, 0), 3e-200);
    check_near(plane.offset, 3, 1e-14);
}

static void printed_ellipse_points(void **state)
{
    (void)state;
    static const double rows[][6] = {
        {2, 1, 3, 2, 1.725411255, 0.505706437},
        {2, 1, 0.5, 0, 0.666666667, 0.942809042},
        {0.5, 2, 1, 1, 0.443028865, 0.927149824},
        /* by symmetry and on the axes */
        {2, 1, -3, 2, -1.725411255, 0.505706437},
        {2, 1, -3, -2, -1.725411255, -0.505706437},
        {2, 1, 0, 0.5, 0, 1},
        {2, 1, 0, 0, 0, 1},
        {1, 2, 0, 0, 1, 0},
        {2, 1, 5, 0, 2, 0},
        {2, 1, 1.5, 0, 2, 0},
        {1, 1, 0, 3, 0, 1},
        {3, 0, 1, 4, 1, 0},
        {3, 0, 5, 4, 3, 0},
        {0, 3, 4, -5, 0, -3},
        {0, 0, 4, -5, 0, 0},
    };
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        double p[2];
        snw_ellipse_nearest(rows[n][0], rows[n][1], rows[n][2], rows[n][3], p);
        check_near(p[0], rows[n][4], 1e-9); /* printed with nine decimals */
        check_near(p[1], rows[n][5], 1e-9);
    }
}

static void no_ellipse_point_is_nearer_however_flat_or_far(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(22, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        double a = pow(10, snw_random_range(&random, -9, 3));
        double b = pow(10, snw_random_range(&random, -9, 3));
        double x = snw_random_normal(&random) * a * (n % 3 ? 2 : 1e-9);
        double y = snw_random_normal(&random) * b * (n % 5 ? 2 : 1e-9);
        double p[2], size = fmax(a, b) + hypot(x, y);
        snw_ellipse_nearest(a, b, x, y, p);
        double best = hypot(p[0] - x, p[1] - y);
        assert_true(best <= size);
        for (int k = 0; k < 200; k++) {
            /* Half of the samples close in on the answer. */
            double t =
                k < 100 ? k * SNW_PI / 50
                        : atan2(p[1] / b, p[0] / a) + pow(10, -0.1 * (k - 99)) * (k % 2 ? 1 : -1);
            assert_true(hypot(a * cos(t) - x, b * sin(t) - y) >= best - 1e-14 * size);
        }
        /* On the ellipse: within 1e-14 of its size measured along the gradient. */
        double value = p[0] / a * (p[0] / a) + p[1] / b * (p[1] / b) - 1;
        double gradient = hypot(p[0] / a / a, p[1] / b / b);
        check_near(value / fmax(gradient, 1 / fmax(a, b)), 0, 1e-14 * fmax(a, b));
    }
}

/* ---- where things meet -------------------------------------------------------------------- */

static void printed_sphere_circle(void **state)
{
    (void)state;
    snw_sphere spheres[2] = {{{0, 0, 0}, 1}, {{1.2, 0.3, -0.4}, 0.9}};
    snw_circle circle;
    assert_int_equal(snw_sphere_sphere(spheres[0], spheres[1], &circle), SNW_MEET_CROSS);
    check_vec3_near(circle.center, snw_vec3_make(0.667455621, 0.166863905, -0.222485207), 1e-9);
    check_near(circle.radius, 0.690767518, 1e-9);
    snw_vec3 nearest, x = {0.3, 1, 0.5};
    assert_int_equal(snw_sphere_sphere_nearest(spheres, x, zero, &nearest), SNW_MEET_CROSS);
    check_vec3_near(nearest, snw_vec3_make(0.650767533, 0.742417535, 0.159115750), 1e-9);
    snw_sphere arm[2] = {{{0, 0, 0}, 0.3}, {{0.4, 0.1, -0.2}, 0.26}};
    assert_int_equal(snw_sphere_sphere(arm[0], arm[1], &circle), SNW_MEET_CROSS);
    check_vec3_near(circle.center, snw_vec3_make(0.221333333, 0.055333333, -0.110666667), 1e-9);
    check_near(circle.radius, 0.160320512, 1e-9);
    snw_sphere elbow[2] = {{{0, 1.4, 0}, 0.3}, {{0.35, 1.2, 0.25}, 0.26}};
    assert_int_equal(snw_sphere_sphere(elbow[0], elbow[1], &circle), SNW_MEET_CROSS);
    check_vec3_near(circle.center, snw_vec3_make(0.192422222, 1.290044444, 0.137444444), 1e-9);
    check_near(circle.radius, 0.148298648, 1e-9);
}

static void spheres_without_a_circle_give_the_stated_point(void **state)
{
    (void)state;
    static const struct {
        double x, r1, r2, expected;
        snw_meet meet;
    } rows[] = {
        {3, 1, 1.5, 1.25, SNW_MEET_APART},
        {0.5, 2, 1, 1.75, SNW_MEET_NESTED},
        {0.5, 1, 2, -1.25, SNW_MEET_NESTED},
        {2, 1, 1, 1, SNW_MEET_TOUCH},
        {1, 2, 1, 2, SNW_MEET_TOUCH},
        {1, 1, 2, -1, SNW_MEET_TOUCH},
        {2, 0, 0, 1, SNW_MEET_APART},
        {0.7, 0.4, 0.3, 0.4, SNW_MEET_TOUCH},
        {0.66 - 0.19, 0.29, 0.18, 0.29, SNW_MEET_TOUCH}, /* overlap of one round-off */
        {1e-9, 1, 0.5, 0.75, SNW_MEET_NESTED},
    };
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        snw_sphere spheres[2] = {{{5, 6, 7}, rows[n].r1}, {{5 + rows[n].x, 6, 7}, rows[n].r2}};
        snw_circle circle;
        assert_int_equal(snw_sphere_sphere(spheres[0], spheres[1], &circle), rows[n].meet);
        check_near(circle.radius, 0, 0);
        snw_vec3 expected = {5 + rows[n].expected, 6, 7}, point;
        check_vec3_near(circle.center, expected, 1e-8);
        snw_sphere_sphere_nearest(spheres, up, zero, &point);
        check_vec3_near(point, expected, 1e-8);
    }
    snw_sphere same[2] = {{{5, 6, 7}, 1}, {{5, 6, 7}, 2}};
    snw_vec3 estimate = {1, 2, 3}, point;
    assert_int_equal(snw_sphere_sphere_nearest(same, estimate, zero, &point), SNW_MEET_SAME);
    check_vec3_near(point, estimate, 0);
}

static void sphere_circles_lie_on_both_spheres(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(23, 1);
    int crossings = 0;
    for (int n = 0; n < CHECK_SAMPLES(5000); n++) {
        snw_sphere spheres[2] = {{random_point(&random), snw_random_range(&random, 0, 2)},
                                 {random_point(&random), snw_random_range(&random, 0, 2)}};
        snw_vec3 x = random_point(&random), point;
        snw_meet meet = snw_sphere_sphere_nearest(spheres, x, zero, &point);
        double first = distance_to_sphere(spheres[0], point);
        double second = distance_to_sphere(spheres[1], point);
        if (meet == SNW_MEET_CROSS) {
            /* Near tangency an error e of the radius moves the point by e / sine only along it. */
            check_near(first, 0, 1e-14);
            check_near(second, 0, 1e-14);
            crossings++;
        } else {
            check_near(fabs(first), fabs(second), 1e-14); /* midway between both surfaces */
        }
    }
    assert_true(crossings > CHECK_SAMPLES(5000) / 4);
}

static void printed_plane_circle(void **state)
{
    (void)state;
    snw_plane plane = snw_plane_make(snw_vec3_make(0.6, 0.7, 0.2), 0.35);
    snw_circle circle = {{0, 0, 0.4}, {0, 0, 1}, 0.5};
    snw_point_pair pair;
    assert_int_equal(snw_plane_circle(plane, circle, &pair), SNW_MEET_CROSS);
    check_vec3_near(pair.first, snw_vec3_make(-0.117107746, 0.486092353, 0.4), 1e-9);
    check_vec3_near(pair.second, snw_vec3_make(0.498284216, -0.041386471, 0.4), 1e-9);
    snw_circle unit = {{0, 0, 0}, {0, 0, 1}, 1};
    snw_plane wall = {{1, 0, 0}, 0.3};
    assert_int_equal(snw_plane_circle(wall, unit, &pair), SNW_MEET_CROSS);
    check_vec3_near(pair.first, snw_vec3_make(0.3, 0.953939201, 0), 1e-9);
    check_vec3_near(pair.second, snw_vec3_make(0.3, -0.953939201, 0), 1e-9);
    wall.offset = 1;
    assert_int_equal(snw_plane_circle(wall, unit, &pair), SNW_MEET_TOUCH);
    check_vec3_near(pair.first, snw_vec3_make(1, 0, 0), 1e-15);
    wall.offset = -1.5;
    assert_int_equal(snw_plane_circle(wall, unit, &pair), SNW_MEET_APART);
    check_vec3_near(pair.first, snw_vec3_make(-1, 0, 0), 1e-15);
    check_vec3_near(pair.second, pair.first, 0);
    snw_plane floor = {{0, 0, 1}, 0.2};
    assert_int_equal(snw_plane_circle(floor, unit, &pair), SNW_MEET_SAME);
    check_near(distance_to_sphere((snw_sphere){{0, 0, 0}, 1}, pair.first), 0, 1e-15);
}

static void plane_circle_points_lie_on_both(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(24, 1);
    for (int n = 0; n < CHECK_SAMPLES(5000); n++) {
        snw_plane plane = {snw_random_direction(&random), snw_random_normal(&random)};
        snw_circle circle = {random_point(&random), snw_random_direction(&random),
                             snw_random_range(&random, 0.1, 3)};
        snw_sphere sphere = {circle.center, circle.radius};
        snw_point_pair pair;
        snw_meet meet = snw_plane_circle(plane, circle, &pair);
        snw_vec3 both[2] = {pair.first, pair.second};
        for (int k = 0; k < 2; k++) {
            check_near(distance_to_sphere(sphere, both[k]), 0, 1e-13);
            check_near(snw_vec3_dot(circle.normal, snw_vec3_sub(both[k], circle.center)), 0, 1e-14);
            double off = snw_vec3_dot(plane.normal, both[k]) - plane.offset;
            if (meet == SNW_MEET_CROSS) check_near(off, 0, 1e-13);
            if (meet == SNW_MEET_APART) assert_true(fabs(off) > 0);
        }
    }
}

static void line_meets_sphere_in_order(void **state)
{
    (void)state;
    snw_line line = {{-5, 0.6, 0}, {1, 0, 0}};
    snw_sphere sphere = {{0, 0, 0}, 1};
    snw_point_pair pair;
    assert_int_equal(snw_line_sphere(line, sphere, &pair), SNW_MEET_CROSS);
    check_vec3_near(pair.first, snw_vec3_make(-0.8, 0.6, 0), 1e-15);
    check_vec3_near(pair.second, snw_vec3_make(0.8, 0.6, 0), 1e-15);
    line.point.y = 1;
    assert_int_equal(snw_line_sphere(line, sphere, &pair), SNW_MEET_TOUCH);
    line.point.y = 2;
    assert_int_equal(snw_line_sphere(line, sphere, &pair), SNW_MEET_APART);
    check_vec3_near(pair.first, snw_vec3_make(0, 2, 0), 1e-15);
    check_vec3_near(pair.second, pair.first, 0);
}

static void printed_line_circle_distances(void **state)
{
    (void)state;
    static const struct {
        snw_vec3 a, d, point;
        double distance;
    } rows[] = {
        {{0.2, 0.3, -1}, {0.3, 0.1, 1}, {0.529577618, 0.409859206, 0.098592061}, 0.344744262},
        {{2, 0.5, -1}, {-0.4, 0.2, 1}, {1.524299202, 0.737850399, 0.189251994}, 0.718850388},
        /* the axis itself, a parallel of it, a line in the plane, one through the centre */
        {{0, 0, -1}, {0, 0, 1}, {0, 0, 0}, 1},
        {{0.25, 0, -1}, {0, 0, 2}, {0.25, 0, 0}, 0.75},
        {{-7, 2, 0}, {1, 0, 0}, {0, 2, 0}, 1},
        {{-7, 0, 0}, {1, 0, 0}, {-1, 0, 0}, 0},
        {{-7, 0, 3}, {1, 0, 0}, {-1, 0, 3}, 3},
    };
    snw_circle circle = {{0, 0, 0}, {0, 0, 1}, 1};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        snw_line line = snw_line_make(rows[n].a, snw_vec3_add(rows[n].a, rows[n].d));
        snw_vec3 on_line, on_circle;
        check_near(snw_line_circle_nearest(line, circle, &on_line, &on_circle), rows[n].distance,
                   1e-9);
        check_vec3_near(on_line, rows[n].point, 2e-9);
        check_near(snw_vec3_distance(on_line, on_circle), rows[n].distance, 1e-9);
    }
}

static void no_line_point_is_nearer_to_the_circle(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(25, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_circle circle = {random_point(&random), snw_random_direction(&random),
                             snw_random_range(&random, 0.1, 3)};
        snw_line line = {random_point(&random), snw_random_direction(&random)};
        if (n % 7 == 0) line.point = circle.center;
        if (n % 11 == 0) /* nearly parallel to the axis */
            line.direction = snw_vec3_unit(snw_vec3_add_scaled(circle.normal, 1e-7, line.direction),
                                           circle.normal);
        if (n % 13 == 0) /* in the plane, through the axis */
            line = (snw_line){circle.center, snw_vec3_perpendicular(circle.normal)};
        snw_vec3 on_line, on_circle;
        double best = snw_line_circle_nearest(line, circle, &on_line, &on_circle);
        check_near(snw_vec3_distance(on_line, on_circle), best, 0);
        check_vec3_near(snw_line_nearest(line, on_line), on_line, 1e-13);
        check_vec3_near(snw_circle_nearest(circle, on_circle, zero), on_circle, 1e-13);
        snw_vec3 foot = snw_line_nearest(line, circle.center);
        for (int k = -400; k <= 400; k++) {
            /* Every minimum lies within one radius of the foot. */
            snw_vec3 x = snw_vec3_add_scaled(foot, circle.radius * k / 390.0, line.direction);
            double distance = snw_vec3_distance(x, snw_circle_nearest(circle, x, zero));
            assert_true(distance >= best - 1e-13);
        }
    }
}

static void circumcircle_passes_through_all_three(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(26, 1);
    for (int n = 0; n < CHECK_SAMPLES(5000); n++) {
        double size = pow(10, snw_random_range(&random, -100, 100));
        snw_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = snw_vec3_scale(random_point(&random), size);
        snw_circle circle;
        assert_true(snw_circumcircle(p[0], p[1], p[2], &circle));
        snw_vec3 a = snw_vec3_sub(p[0], p[2]), b = snw_vec3_sub(p[1], p[2]);
        assert_true(snw_vec3_dot(circle.normal, snw_vec3_cross(snw_vec3_scale(a, 1 / size),
                                                               snw_vec3_scale(b, 1 / size))) > 0);
        double sine = sin(snw_vec3_angle(a, b));
        for (int k = 0; k < 3; k++) /* ill-conditioned by 1 / sine */
            check_near(snw_vec3_distance(circle.center, p[k]) / circle.radius, 1, 1e-14 / sine);
    }
    snw_circle circle;
    assert_true(snw_circumcircle(snw_vec3_make(1, 0, 0), snw_vec3_make(0, 1, 0),
                                 snw_vec3_make(-1, 0, 0), &circle));
    check_vec3_near(circle.center, zero, 1e-15);
    check_near(circle.radius, 1, 1e-15);
}

static void collinear_points_have_no_circumcircle(void **state)
{
    (void)state;
    static const snw_vec3 rows[][3] = {
        {{0, 0, 0}, {1, 1, 1}, {4, 4, 4}}, {{4, 4, 4}, {0, 0, 0}, {1, 1, 1}},
        {{1, 1, 1}, {4, 4, 4}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {4, 4, 4}},
        {{4, 4, 4}, {0, 0, 0}, {4, 4, 4}},
    };
    snw_circle circle;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        assert_false(snw_circumcircle(rows[n][0], rows[n][1], rows[n][2], &circle));
        check_vec3_near(circle.center, snw_vec3_make(2, 2, 2), 1e-15);
        check_near(circle.radius, sqrt(12), 1e-14);
        check_near(snw_vec3_dot(circle.normal, snw_vec3_make(1, 1, 1)), 0, 1e-15);
    }
    assert_false(snw_circumcircle(up, up, up, &circle));
    check_vec3_near(circle.center, up, 0);
    check_near(circle.radius, 0, 0);
}

/* ---- two links ---------------------------------------------------------------------------- */

static void printed_two_link_angles(void **state)
{
    (void)state;
    snw_two_link_angles solutions[2];
    assert_int_equal(snw_two_link(1.3, 0.9, 1.261043, 1.403989, solutions), SNW_MEET_CROSS);
    check_near(solutions[0].second, 1.1, 1e-6); /* the target is printed to six decimals */
    check_near(solutions[0].first, 0.4, 1e-6);
    check_near(solutions[1].second, -1.1, 1e-6);
    check_near(solutions[1].first, 1.277969, 1e-6);
}

static void two_links_reach_or_come_as_near_as_possible(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(27, 1);
    int seen[5] = {0};
    for (int n = 0; n < CHECK_SAMPLES(20000); n++) {
        double m = snw_random_range(&random, 0, 2), k = snw_random_range(&random, 0, 2);
        double x = snw_random_normal(&random), y = snw_random_normal(&random), d = hypot(x, y);
        if (n % 4 == 0) { /* on the border, where acos loses half its digits */
            double border = n % 8 ? m + k : fabs(m - k);
            x *= border / d;
            y *= border / d;
            d = border;
        }
        snw_two_link_angles solutions[2];
        snw_meet meet = snw_two_link(m, k, x, y, solutions);
        seen[meet]++;
        double expected = fmax(0, fmax(d - m - k, fabs(m - k) - d));
        for (int i = 0; i < 2; i++) {
            double a = solutions[i].first, b = a + solutions[i].second;
            double miss = hypot(m * cos(a) + k * cos(b) - x, m * sin(a) + k * sin(b) - y);
            check_near(miss, expected, 1e-13);
        }
        assert_true(solutions[0].second >= 0 && solutions[1].second <= 0);
    }
    assert_true(seen[SNW_MEET_CROSS] && seen[SNW_MEET_APART] && seen[SNW_MEET_NESTED] &&
                seen[SNW_MEET_TOUCH]);
    snw_two_link_angles solutions[2];
    assert_int_equal(snw_two_link(1, 1, 0, 0, solutions), SNW_MEET_SAME);
    check_near(solutions[0].first, 0, 0);
    check_near(solutions[0].second, SNW_PI, 0);
    assert_int_equal(snw_two_link(0, 0, 0, 0, solutions), SNW_MEET_SAME);
    assert_int_equal(snw_two_link(1, 2, 0, 0, solutions), SNW_MEET_NESTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_points_lie_on_the_thing_and_no_sample_is_nearer),
        cmocka_unit_test(undetermined_nearest_points_take_the_fallback),
        cmocka_unit_test(printed_ellipse_points),
        cmocka_unit_test(no_ellipse_point_is_nearer_however_flat_or_far),
        cmocka_unit_test(printed_sphere_circle),
        cmocka_unit_test(spheres_without_a_circle_give_the_stated_point),
        cmocka_unit_test(sphere_circles_lie_on_both_spheres),
        cmocka_unit_test(printed_plane_circle),
        cmocka_unit_test(plane_circle_points_lie_on_both),
        cmocka_unit_test(line_meets_sphere_in_order),
        cmocka_unit_test(printed_line_circle_distances),
        cmocka_unit_test(no_line_point_is_nearer_to_the_circle),
        cmocka_unit_test(circumcircle_passes_through_all_three),
        cmocka_unit_test(collinear_points_have_no_circumcircle),
        cmocka_unit_test(printed_two_link_angles),
        cmocka_unit_test(two_links_reach_or_come_as_near_as_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
