/* Conformal algebra: the products against an independent rule, the misprints of the literature one
 * by one, motions against quaternions and transforms. */
#include "cga_checks.h"

/* ---- the algebra -------------------------------------------------------------------------------
 */

/* The product of two basis blades by sorting the list of basis vectors: each swap of neighbours
 * changes the sign, two equal neighbours become their square. */
static snw_cga product_by_sorting(int a, int b)
{
    int list[10], count = 0;
    double sign = 1;
    for (int k = 0; k < 5; k++)
        if (a >> k & 1) list[count++] = k;
    for (int k = 0; k < 5; k++)
        if (b >> k & 1) list[count++] = k;
    for (int pass = 0; pass < 10; pass++) {
        for (int n = 0; n + 1 < count; n++) {
            if (list[n] <= list[n + 1]) continue;
            int keep = list[n];
            list[n] = list[n + 1];
            list[n + 1] = keep;
            sign = -sign;
        }
    }
    for (int n = 0; n + 1 < count; n++)
        if (list[n] == list[n + 1] && list[n] == 4) sign = -sign;
    return snw_cga_blade(a ^ b, sign);
}

static void all_1024_basis_products_follow_from_sorting(void **state)
{
    (void)state;
    for (int a = 0; a < 32; a++) {
        for (int b = 0; b < 32; b++) {
            snw_cga x = snw_cga_blade(a, 1), y = snw_cga_blade(b, 1);
            snw_cga product = product_by_sorting(a, b), zero = snw_cga_scalar(0);
            int grade = bit_count(a ^ b), r = bit_count(a), s = bit_count(b);
            check_cga_near(snw_cga_mul(x, y), product, 0);
            check_cga_near(snw_cga_outer(x, y), grade == r + s ? product : zero, 0);
            bool is_inner = r > 0 && s > 0 && grade == abs(r - s);
            check_cga_near(snw_cga_inner(x, y), is_inner ? product : zero, 0);
            check_near(snw_cga_scalar_product(x, y), product.c[0], 0);
        }
    }
}

static void products_are_associative_and_reverse_in_order(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(1, 2);
    for (int n = 0; n < CHECK_SAMPLES(400); n++) {
        snw_cga a = random_multivector(&random), b = random_multivector(&random);
        snw_cga c = random_multivector(&random);
        check_cga_near(snw_cga_mul(snw_cga_mul(a, b), c), snw_cga_mul(a, snw_cga_mul(b, c)), tight);
        check_cga_near(wedge3(a, b, c), snw_cga_outer(a, snw_cga_outer(b, c)), tight);
        check_cga_near(snw_cga_reverse(snw_cga_mul(a, b)),
                       snw_cga_mul(snw_cga_reverse(b), snw_cga_reverse(a)), tight);
        snw_cga sum = snw_cga_scalar(0);
        for (int grade = -1; grade <= 6; grade++)
            sum = snw_cga_add(sum, snw_cga_grade(a, grade));
        check_cga_near(sum, a, 0);
        check_near(snw_cga_square(a), snw_cga_mul(a, a).c[0], tight);
    }
}

static void the_dual_is_the_product_with_I_which_commutes_and_squares_to_minus_one(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(2, 2);
    snw_cga i = snw_cga_blade(31, 1), a = random_multivector(&random);
    check_near(snw_cga_square(i), -1, 0);
    check_cga_near(snw_cga_mul(i, a), snw_cga_mul(a, i), 0);
    check_cga_near(snw_cga_dual(a), snw_cga_mul(a, i), 0);
    check_cga_near(snw_cga_undual(snw_cga_dual(a)), a, 0);
    check_cga_near(snw_cga_meet(a, 1, a, 1), snw_cga_scalar(0), 0);
    check_cga_near(snw_cga_blade(-1, 1), snw_cga_scalar(0), 0);
    check_cga_near(snw_cga_blade(32, 1), snw_cga_scalar(0), 0);
}

static void points_are_null_and_their_inner_product_is_the_distance(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(3, 2);
    for (int n = 0; n < 200; n++) {
        snw_vec3 a = random_point(&random), b = random_point(&random), back;
        snw_cga point = snw_cga_point(a);
        check_near(snw_cga_square(point), 0, tight);
        check_near(snw_cga_scalar_product(point, snw_cga_n()), -1, tight);
        check_near(snw_cga_scalar_product(point, snw_cga_point(b)),
                   -0.5 * snw_vec3_length2(snw_vec3_sub(a, b)), tight);
        assert_int_equal(snw_cga_to_point(snw_cga_scale(point, -7), &back), SNW_CGA_REAL);
        check_vec3_near(back, a, tight);
    }
    check_near(snw_cga_scalar_product(snw_cga_n(), snw_cga_nbar()), 2, 0);
}

/* ---- the misprints, by number ------------------------------------------------------------------
 */

/* 1: H(x) = -1/2 (x - e) n (x - e), with the minus. */
static void the_sandwich_form_of_a_point_needs_a_minus(void **state)
{
    (void)state;
    snw_vec3 x = {0.3, -1.2, 0.7};
    snw_cga shifted = snw_cga_sub(snw_cga_vector(x), snw_cga_blade(8, 1));
    snw_cga sandwich = snw_cga_mul(snw_cga_mul(shifted, snw_cga_n()), shifted);
    check_cga_near(snw_cga_scale(sandwich, -0.5), snw_cga_point(x), tight);
}

/* 2: (a^b).(c^d) = (a.d)(b.c) - (a.c)(b.d) */
static void the_inner_product_of_bivectors_has_this_sign(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(4, 2);
    snw_cga v[4];
    for (int n = 0; n < 4; n++)
        v[n] = snw_cga_grade(random_multivector(&random), 1);
    snw_cga inner = snw_cga_inner(snw_cga_outer(v[0], v[1]), snw_cga_outer(v[2], v[3]));
    double expected = snw_cga_scalar_product(v[0], v[3]) * snw_cga_scalar_product(v[1], v[2]) -
                      snw_cga_scalar_product(v[0], v[2]) * snw_cga_scalar_product(v[1], v[3]);
    check_cga_near(inner, snw_cga_scalar(expected), tight);
}

static snw_cga unit_circle(void)
{
    return snw_cga_circle_through(snw_vec3_make(1, 0, 0), snw_vec3_make(0, 1, 0),
                                  snw_vec3_make(-1, 0, 0));
}

/* 3: the unit circle is 2 e1 e2 ebar, and times I4 = e1 e2 e ebar it is -2e. */
static void the_unit_circle_is_two_e1_e2_ebar(void **state)
{
    (void)state;
    check_cga_near(unit_circle(), snw_cga_blade(1 + 2 + 16, 2), tight);
    snw_cga dual_in_plane = snw_cga_mul(unit_circle(), snw_cga_blade(1 + 2 + 8 + 16, 1));
    check_cga_near(dual_in_plane, snw_cga_blade(8, -2), tight);
}

/* 4 and 5: planes and spheres square negative, their duals positive; (s I)* = -s. */
static void planes_and_spheres_square_negative(void **state)
{
    (void)state;
    snw_plane plane = {{1 / 3.0, 2 / 3.0, 2 / 3.0}, 1.5};
    snw_sphere sphere = {{0.4, -0.3, 0.9}, 1.3};
    snw_cga flat = snw_cga_plane(plane), round = snw_cga_sphere(sphere);
    check_near(snw_cga_square(flat), -1, tight);
    check_near(snw_cga_square(snw_cga_dual(flat)), 1, tight);
    check_near(snw_cga_square(round), -1.69, tight);
    check_near(snw_cga_square(snw_cga_dual(round)), 1.69, tight);
    snw_cga s = snw_cga_dual(round);
    check_cga_near(snw_cga_dual(snw_cga_dual(s)), snw_cga_scale(s, -1), tight);
    snw_cga expected =
        snw_cga_sub(snw_cga_point(sphere.center), snw_cga_scale(snw_cga_n(), 0.5 * 1.69));
    check_cga_near(s, expected, tight);
    expected = snw_cga_add(snw_cga_vector(plane.normal), snw_cga_scale(snw_cga_n(), 1.5));
    check_cga_near(snw_cga_dual(flat), expected, tight);
    snw_sphere read; /* both signs of the blade are the same sphere */
    assert_int_equal(snw_cga_to_sphere(snw_cga_dual(s), &read), SNW_CGA_REAL);
    check_vec3_near(read.center, sphere.center, tight);
    check_near(read.radius, 1.3, tight);
}

/* 6: C n C and S n S are the centre times a factor; radius^2 = -C^2 / (C^n)^2. */
static void centres_come_with_a_factor(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(5, 2);
    for (int n = 0; n < 100; n++) {
        snw_circle circle = random_circle(&random);
        snw_cga blade = snw_cga_scale(snw_cga_circle(circle), 3);
        snw_cga product = snw_cga_mul(snw_cga_mul(blade, snw_cga_n()), blade);
        double weight = -snw_cga_scalar_product(product, snw_cga_n());
        check_cga_near(snw_cga_scale(product, 1 / weight), snw_cga_point(circle.center), 1e-11);
        double plane_square = snw_cga_square(snw_cga_outer(blade, snw_cga_n()));
        check_near(-snw_cga_square(blade) / plane_square, circle.radius * circle.radius, 1e-11);
    }
    snw_cga sphere = snw_cga_sphere((snw_sphere){{0.5, 0, 0}, 1});
    snw_cga product = snw_cga_mul(snw_cga_mul(sphere, snw_cga_n()), sphere);
    check_near(fabs(snw_cga_scalar_product(product, snw_cga_n())), 2, tight);
}

/* 7: the first point comes out first, whatever the (positive) scale; a negative one swaps them. */
static void projectors_return_first_and_second_in_order(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(6, 2);
    for (int n = 0; n < 200; n++) {
        snw_vec3 a = random_point(&random), b = random_point(&random);
        snw_point_pair points;
        double scale = snw_random_range(&random, 0.1, 9);
        snw_cga pair = snw_cga_scale(snw_cga_pair(a, b), scale);
        assert_int_equal(snw_cga_to_pair(pair, &points), SNW_CGA_REAL);
        /* points as near as 0.01 lose a few digits in the square of the pair */
        check_vec3_near(points.first, a, 1e-10);
        check_vec3_near(points.second, b, 1e-10);
        assert_int_equal(snw_cga_to_pair(snw_cga_scale(pair, -1), &points), SNW_CGA_REAL);
        check_vec3_near(points.first, b, 1e-10);
    }
}

/* 8: one formula for A^n and n^A at any scale. */
static void flat_points_read_back_in_both_orders(void **state)
{
    (void)state;
    snw_vec3 a = {0.2, -0.7, 1.1};
    snw_point_pair points;
    snw_cga forward = snw_cga_outer(snw_cga_point(a), snw_cga_n());
    snw_cga backward = snw_cga_scale(snw_cga_outer(snw_cga_n(), snw_cga_point(a)), 5);
    assert_int_equal(snw_cga_to_pair(forward, &points), SNW_CGA_FLAT);
    check_vec3_near(points.first, a, tight);
    assert_int_equal(snw_cga_to_pair(backward, &points), SNW_CGA_FLAT);
    check_vec3_near(points.second, a, tight);
}

/* 9: the meet of a circle with a line of its own plane is 0 in all cases; else its square says
 * where the line passes. */
static void circle_line_meets_tell_only_lines_out_of_the_plane(void **state)
{
    (void)state;
    static const struct {
        snw_vec3 a, b;
        int sign;
        bool is_zero;
    } cases[] = {{{-2, 0.3, 0}, {2, 0.3, 0}, 0, true},  {{-1, 1, 0}, {1, 1, 0}, 0, true},
                 {{-1, 2, 0}, {1, 2, 0}, 0, true},      {{0.2, 0.1, -1}, {0.2, 0.1, 1}, -1, false},
                 {{2, 0.1, -1}, {2, 0.1, 1}, 1, false}, {{1, 0, -1}, {1, 0, 1}, 0, false}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        snw_cga line = snw_cga_line_through(cases[n].a, cases[n].b);
        snw_cga meet = snw_cga_meet(unit_circle(), 3, line, 3);
        double size = 0, square = snw_cga_square(meet);
        for (int i = 0; i < 32; i++)
            size = fmax(size, fabs(meet.c[i]));
        assert_true(cases[n].is_zero ? size <= tight : size > 0.1);
        if (cases[n].sign == 0) check_near(square, 0, tight);
        if (cases[n].sign != 0) assert_true(square * cases[n].sign > 0.1);
        /* with the circle's sphere instead, the lines of the plane are told apart */
        snw_point_pair points;
        snw_cga sphere = snw_cga_sphere((snw_sphere){{0, 0, 0}, 1});
        snw_cga_shape shape = snw_cga_to_pair(snw_cga_meet(line, 3, sphere, 4), &points);
        static const snw_cga_shape expected[] = {SNW_CGA_REAL, SNW_CGA_TOUCH,     SNW_CGA_IMAGINARY,
                                                 SNW_CGA_REAL, SNW_CGA_IMAGINARY, SNW_CGA_TOUCH};
        assert_int_equal(shape, expected[n]);
    }
}

/* 10: C^2 of two unit spheres at distance d; for nested ones the imaginary centre lies outside. */
static void sphere_sphere_meets_have_these_squares(void **state)
{
    (void)state;
    static const struct {
        double radius, distance, square, center_x;
        snw_cga_shape shape;
    } cases[] = {{1, 1, 0.75, 0.5, SNW_CGA_REAL},
                 {1, 2, 0, 1, SNW_CGA_TOUCH},
                 {1, 2.5, -3.515625, 1.25, SNW_CGA_IMAGINARY},
                 {0.5, 0.5, 0, 1, SNW_CGA_TOUCH}};
    snw_cga unit = snw_cga_sphere((snw_sphere){{0, 0, 0}, 1});
    snw_circle circle;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        snw_sphere other = {{cases[n].distance, 0, 0}, cases[n].radius};
        snw_cga meet = snw_cga_meet(unit, 4, snw_cga_sphere(other), 4);
        check_near(snw_cga_square(meet), cases[n].square, tight);
        assert_int_equal(snw_cga_to_circle(meet, &circle), cases[n].shape);
        check_vec3_near(circle.center, snw_vec3_make(cases[n].center_x, 0, 0), tight);
        check_near(circle.radius, cases[n].square > 0 ? sqrt(0.75) : 0, tight);
    }
    snw_cga nested = snw_cga_meet(unit, 4, snw_cga_sphere((snw_sphere){{0.2, 0, 0}, 0.5}), 4);
    assert_int_equal(snw_cga_to_circle(nested, &circle), SNW_CGA_IMAGINARY);
    check_near(circle.center.x, 1.975, tight);
}

/* 11: a rotation about a joint leaves the joint where it is. */
static void a_rotation_about_a_root_keeps_the_root(void **state)
{
    (void)state;
    snw_vec3 root = {0.4, 1.1, -0.3}, x = {1, 0.5, 0.2};
    snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(1, 2, -1), 0.8);
    snw_cga about = snw_cga_mul(snw_cga_motor(snw_xform_make(turn, root)),
                                snw_cga_translator(snw_vec3_neg(root)));
    check_vec3_near(snw_cga_apply_to_point(about, root), root, tight);
    snw_vec3 expected = snw_vec3_add(root, snw_quat_rotate(turn, snw_vec3_sub(x, root)));
    check_vec3_near(snw_cga_apply_to_point(about, x), expected, tight);
}

/* 12: B^2 of the planes x = 0.3, 1, 1.5 (as v I) with the unit circle, and the points in order. */
static void plane_circle_meets_have_these_squares(void **state)
{
    (void)state;
    static const double offsets[] = {0.3, 1, 1.5}, squares[] = {3.64, 0, -5};
    static const snw_cga_shape shapes[] = {SNW_CGA_REAL, SNW_CGA_TOUCH, SNW_CGA_IMAGINARY};
    for (int n = 0; n < 3; n++) {
        snw_point_pair points;
        snw_cga vector = snw_cga_add(snw_cga_blade(1, 1), snw_cga_scale(snw_cga_n(), offsets[n]));
        snw_cga meet = snw_cga_meet(snw_cga_dual(vector), 4, unit_circle(), 3);
        check_near(snw_cga_square(meet), squares[n], tight);
        assert_int_equal(snw_cga_to_pair(meet, &points), shapes[n]);
        if (n == 0) { /* printed to nine digits */
            check_vec3_near(points.first, snw_vec3_make(0.3, -0.953939201, 0), 1e-9);
            check_vec3_near(points.second, snw_vec3_make(0.3, 0.953939201, 0), 1e-9);
        }
        if (n == 1) check_vec3_near(points.first, snw_vec3_make(1, 0, 0), tight);
    }
}

/* ---- motions ------------------------------------------------------------------------------------
 */

static void versors_move_points_like_quaternions_and_transforms(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(7, 2);
    for (int n = 0; n < 200; n++) {
        snw_vec3 x = random_point(&random), a = random_point(&random);
        snw_quat q = snw_random_rotation(&random);
        snw_xform t = snw_xform_make(q, a);
        double factor = snw_random_range(&random, 0.2, 4);
        check_cga_near(snw_cga_apply(snw_cga_rotor(q), snw_cga_point(x)),
                       snw_cga_point(snw_quat_rotate(q, x)), tight);
        check_cga_near(snw_cga_apply(snw_cga_translator(a), snw_cga_point(x)),
                       snw_cga_point(snw_vec3_add(x, a)), tight);
        check_vec3_near(snw_cga_apply_to_point(snw_cga_motor(t), x), snw_xform_point(t, x), tight);
        /* the factor exp(alpha) that some prints drop: the weight is 1 / factor */
        snw_cga scaled = snw_cga_point(snw_vec3_scale(x, factor));
        check_cga_near(snw_cga_apply(snw_cga_dilator(factor), snw_cga_point(x)),
                       snw_cga_scale(scaled, 1 / factor), tight);
        double square = snw_vec3_length2(x);
        snw_cga inverse = snw_cga_point(snw_vec3_scale(x, 1 / square));
        check_cga_near(snw_cga_invert(snw_cga_point(x)), snw_cga_scale(inverse, square), tight);
    }
    check_cga_near(snw_cga_dilator(0), snw_cga_scalar(1), 0);
    check_cga_near(snw_cga_dilator((double)NAN), snw_cga_scalar(1), 0);
}

/* A versor or mirror applied to a circle is the circle through the moved points. */
static void motions_carry_whole_objects(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(8, 2);
    for (int n = 0; n < 100; n++) {
        snw_vec3 p[3], moved[3];
        snw_vec3 translation = random_point(&random);
        snw_xform t = snw_xform_make(snw_random_rotation(&random), translation);
        snw_cga motor = snw_cga_mul(snw_cga_motor(t), snw_cga_dilator(1.7));
        snw_cga mirror = snw_cga_sphere((snw_sphere){{3, 0.5, 0}, 2}), image, point;
        for (int k = 0; k < 3; k++)
            p[k] = random_point(&random);
        snw_cga circle = snw_cga_circle_through(p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++)
            moved[k] = snw_cga_apply_to_point(motor, p[k]);
        check_cga_near(snw_cga_scale(snw_cga_apply(motor, circle), pow(1.7, 3)),
                       snw_cga_circle_through(moved[0], moved[1], moved[2]), 1e-10);
        double weight = 1;
        for (int k = 0; k < 3; k++) {
            assert_int_equal(snw_cga_reflect(snw_cga_point(p[k]), mirror, &point), SNW_OK);
            weight *= -snw_cga_scalar_product(point, snw_cga_n());
            assert_int_equal(snw_cga_to_point(point, &moved[k]), SNW_CGA_REAL);
            snw_vec3 from = snw_vec3_sub(p[k], snw_vec3_make(3, 0.5, 0));
            snw_vec3 expected =
                snw_vec3_add_scaled(snw_vec3_make(3, 0.5, 0), 4 / snw_vec3_length2(from), from);
            check_vec3_near(moved[k], expected, tight);
        }
        assert_int_equal(snw_cga_reflect(circle, mirror, &image), SNW_OK);
        snw_cga through = snw_cga_circle_through(moved[0], moved[1], moved[2]);
        check_cga_near(image, snw_cga_scale(through, weight), 1e-9);
    }
}

static void reflection_in_a_plane_mirrors_and_other_mirrors_are_refused(void **state)
{
    (void)state;
    snw_vec3 x = {0.3, -0.8, 1.2}, seen;
    snw_plane plane = snw_plane_make(snw_vec3_make(1, 2, 2), 1.5);
    snw_cga image, point = snw_cga_point(x);
    assert_int_equal(snw_cga_reflect(point, snw_cga_plane(plane), &image), SNW_OK);
    assert_int_equal(snw_cga_to_point(image, &seen), SNW_CGA_REAL);
    snw_vec3 foot = snw_plane_nearest(plane, x);
    check_vec3_near(seen, snw_vec3_sub(snw_vec3_scale(foot, 2), x), tight);
    snw_cga bad[] = {snw_cga_scalar(1), snw_cga_scalar(0), unit_circle(),
                     snw_cga_sphere((snw_sphere){{0, 0, 0}, 0}),
                     snw_cga_scale(snw_cga_plane(plane), (double)NAN)};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        assert_int_equal(snw_cga_reflect(point, bad[n], &image), SNW_DEGENERATE);
        check_cga_near(image, point, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_1024_basis_products_follow_from_sorting),
        cmocka_unit_test(products_are_associative_and_reverse_in_order),
        cmocka_unit_test(the_dual_is_the_product_with_I_which_commutes_and_squares_to_minus_one),
        cmocka_unit_test(points_are_null_and_their_inner_product_is_the_distance),
        cmocka_unit_test(the_sandwich_form_of_a_point_needs_a_minus),
        cmocka_unit_test(the_inner_product_of_bivectors_has_this_sign),
        cmocka_unit_test(the_unit_circle_is_two_e1_e2_ebar),
        cmocka_unit_test(planes_and_spheres_square_negative),
        cmocka_unit_test(centres_come_with_a_factor),
        cmocka_unit_test(projectors_return_first_and_second_in_order),
        cmocka_unit_test(flat_points_read_back_in_both_orders),
        cmocka_unit_test(circle_line_meets_tell_only_lines_out_of_the_plane),
        cmocka_unit_test(sphere_sphere_meets_have_these_squares),
        cmocka_unit_test(a_rotation_about_a_root_keeps_the_root),
        cmocka_unit_test(plane_circle_meets_have_these_squares),
        cmocka_unit_test(versors_move_points_like_quaternions_and_transforms),
        cmocka_unit_test(motions_carry_whole_objects),
        cmocka_unit_test(reflection_in_a_plane_mirrors_and_other_mirrors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
