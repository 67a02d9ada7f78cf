/* The rotation between two point sets: printed values, a second algorithm (Kabsch through LAPACK's
 * SVD), recovery of known motions, and every degenerate case. */
#include "check.h"

#include <lapacke.h>

static void check_parts(snw_quat q, const double expected[4], double tolerance)
{
    check_near(q.w, expected[0], tolerance);
    check_near(q.x, expected[1], tolerance);
    check_near(q.y, expected[2], tolerance);
    check_near(q.z, expected[3], tolerance);
}

/* Reference values state rotors (a, B1, B2, B3); as a quaternion (a, -B1, B2, -B3). */
static void printed_turn_of_three_points(void **state)
{
    (void)state;
    snw_vec3 x[3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, y[3];
    snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(1, 2, 3), 0.7);
    for (int i = 0; i < 3; i++)
        y[i] = snw_quat_rotate(turn, x[i]);
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 3, &fit), SNW_OK);
    static const double rotor[4] = {0.939372713, 0.091643294, 0.183286588, 0.274929882};
    check_parts(fit.to_from.rotation, rotor, 1e-9);
    assert_int_equal(fit.kind, SNW_FIT_UNIQUE);
    assert_int_equal(fit.point_count, 3);
    check_near(fit.rms, 0, 1e-14);
    /* Eigenvalues +-9.333333, +-4.666667: gap is one half of the largest. */
    check_near(fit.separation, 0.5, 1e-12);
    static const double matrix[3][3] = {{0.781639174, -0.482929284, 0.394739798},
                                        {0.550117231, 0.832030134, -0.071392499},
                                        {-0.293957878, 0.272956339, 0.916015067}};
    snw_mat3 m = snw_mat3_from_quat(fit.to_from.rotation);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            check_near(m.m[r][c], matrix[r][c], 1e-9);
}

static void printed_noisy_sets(void **state)
{
    (void)state;
    snw_vec3 x[3] = {{1, 2, 3}, {4, 5, 6.5}, {-2, 0.5, 1}};
    snw_vec3 y[3] = {{2, 1, 0}, {1, -1, 3}, {0.5, 2, 2}};
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 3, &fit), SNW_OK);
    static const double rotor[4] = {0.646403738, 0.613888150, -0.155689117, -0.425516681};
    check_parts(fit.to_from.rotation, rotor, 1e-9);
    double largest = 16.691984486;
    check_near(fit.separation, (largest - 14.370200204) / largest, 1e-9);
    snw_vec3 mx = {1, 2.5, 3.5}, my = {3.5 / 3, 2.0 / 3, 5.0 / 3};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += snw_vec3_length2(snw_vec3_sub(x[i], mx)) + snw_vec3_length2(snw_vec3_sub(y[i], my));
    check_near(fit.rms, sqrt((sum - 2 * largest) / 3), 1e-9);
}

/* Kabsch: R = V diag(1, 1, d) U^T of the SVD of S = sum x y^T = U s V^T. */
static snw_mat3 kabsch(const snw_vec3 *x, const snw_vec3 *y, const double *w, int count)
{
    snw_vec3 mx = {0, 0, 0}, my = {0, 0, 0};
    double total = 0, s[9] = {0}, u[9], sigma[3], vt[9], spare[3];
    for (int i = 0; i < count; i++) {
        mx = snw_vec3_add_scaled(mx, w[i], x[i]);
        my = snw_vec3_add_scaled(my, w[i], y[i]);
        total += w[i];
    }
    for (int i = 0; i < count; i++) {
        snw_vec3 a = snw_vec3_add_scaled(x[i], -1 / total, mx);
        snw_vec3 b = snw_vec3_add_scaled(y[i], -1 / total, my);
        double pa[3] = {a.x, a.y, a.z}, pb[3] = {b.x, b.y, b.z};
        for (int n = 0; n < 9; n++)
            s[n] += w[i] * pa[n / 3] * pb[n % 3];
    }
    assert_int_equal(
        LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', 3, 3, s, 3, sigma, u, 3, vt, 3, spare), 0);
    snw_mat3 mu, mv;
    memcpy(mu.m, u, sizeof u);
    memcpy(mv.m, vt, sizeof vt);
    double d = snw_mat3_determinant(mu) * snw_mat3_determinant(mv) < 0 ? -1 : 1;
    for (int c = 0; c < 3; c++)
        mv.m[2][c] *= d;
    return snw_mat3_mul(snw_mat3_transpose(mv), snw_mat3_transpose(mu));
}

static void agrees_with_kabsch_on_noisy_and_mirrored_sets(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(11, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        enum {
            most = 12
        };
        snw_vec3 x[most], y[most];
        double w[most];
        int count = 3 + (int)snw_random_below(&random, most - 2);
        snw_quat turn = snw_random_rotation(&random);
        double mirror = n % 5 == 0 ? -1 : 1;
        for (int i = 0; i < count; i++) {
            x[i] = random_gaussian(&random, 1);
            y[i] = snw_quat_rotate(turn, x[i]);
            y[i] = snw_vec3_add(snw_vec3_scale(y[i], mirror), random_gaussian(&random, 0.1));
            w[i] = n % 2 ? snw_random_range(&random, 0.1, 2) : 1;
        }
        snw_fit fit;
        assert_int_equal(snw_fit_rigid(x, y, n % 2 ? w : NULL, count, &fit), SNW_OK);
        snw_quat expected = snw_quat_from_mat3(kabsch(x, y, w, count));
        /* Perturbation of an eigenvector: round-off divided by the relative gap. */
        check_quat_near(fit.to_from.rotation, expected, 2e-14 / fit.separation);
        check_near(sqrt(snw_quat_dot(fit.to_from.rotation, fit.to_from.rotation)), 1, 1e-15);
        assert_true(fit.to_from.rotation.w >= 0);
    }
}

static void known_motion_comes_back_with_missing_points_skipped(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(12, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000); n++) {
        snw_vec3 x[8], y[8];
        double w[8];
        /* Offsets up to 100 sizes away cost two digits. */
        snw_xform motion = {snw_random_rotation(&random), random_gaussian(&random, 30)};
        for (int i = 0; i < 8; i++) {
            x[i] = random_gaussian(&random, 1);
            y[i] = snw_xform_point(motion, x[i]);
            w[i] = snw_random_range(&random, 0.01, 1);
        }
        x[1].y = NAN;
        y[3].x = INFINITY;
        w[5] = 0;
        y[5] = snw_vec3_make(1e6, 0, 0);
        w[6] = NAN;
        y[6] = snw_vec3_make(-1e6, 0, 0);
        snw_fit fit;
        assert_int_equal(snw_fit_rigid(x, y, w, 8, &fit), SNW_OK);
        assert_int_equal(fit.point_count, 4);
        if (fit.separation < 1e-3) continue;
        assert_int_equal(fit.kind, SNW_FIT_UNIQUE);
        check_quat_near(fit.to_from.rotation, motion.rotation, 1e-13 / fit.separation);
        check_vec3_near(fit.to_from.translation, motion.translation, 1e-12 / fit.separation);
        check_near(fit.rms, 0, 1e-12);
    }
}

static void weight_counts_like_repetition(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(13, 1);
    snw_vec3 x[6], y[6];
    for (int i = 0; i < 6; i++) {
        x[i] = random_gaussian(&random, 1);
        y[i] = random_gaussian(&random, 1);
    }
    x[5] = x[4];
    y[5] = y[4];
    double w[5] = {1, 1, 1, 1, 2}, huge[5] = {1e300, 1e300, 1e300, 1e300, 2e300},
           tiny[5] = {1e-310, 1e-310, 1e-310, 1e-310, 2e-310};
    snw_fit repeated, weighted;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 6, &repeated), SNW_OK);
    const double *all[3] = {w, huge, tiny};
    for (int n = 0; n < 3; n++) {
        assert_int_equal(snw_fit_rigid(x, y, all[n], 5, &weighted), SNW_OK);
        check_quat_near(weighted.to_from.rotation, repeated.to_from.rotation, 1e-13);
        check_near(weighted.rms, repeated.rms, 1e-14);
    }
}

static void two_opposite_points_give_the_smallest_rotation(void **state)
{
    (void)state;
    snw_vec3 x[2] = {{1, 0, 0}, {-1, 0, 0}}, y[2] = {{0, 1, 0}, {0, -1, 0}};
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 2, &fit), SNW_OK);
    assert_int_equal(fit.kind, SNW_FIT_TWIST_UNKNOWN);
    /* Reference rotor (0.707107, 0, 0, -0.707107): a quarter turn about +z. */
    static const double quarter[4] = {0.70710678118654752, 0, 0, 0.70710678118654752};
    check_parts(fit.to_from.rotation, quarter, 1e-15);
    check_near(fit.rms, 0, 1e-15);
}

static void collinear_points_turn_as_little_as_possible(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(14, 1);
    for (int n = 0; n < CHECK_SAMPLES(1000); n++) {
        snw_vec3 from = snw_random_direction(&random), to = snw_random_direction(&random);
        if (n % 10 == 0) to = snw_vec3_neg(from);
        snw_vec3 offset = random_gaussian(&random, 10), x[4], y[4];
        for (int i = 0; i < 4; i++) {
            double along = snw_random_range(&random, -1, 1);
            x[i] = snw_vec3_add_scaled(offset, along, from);
            y[i] = snw_vec3_scale(to, along);
        }
        snw_fit fit;
        assert_int_equal(snw_fit_rigid(x, y, NULL, 2 + n % 3, &fit), SNW_OK);
        assert_int_equal(fit.kind, SNW_FIT_TWIST_UNKNOWN);
        check_vec3_near(snw_quat_rotate(fit.to_from.rotation, from), to, 1e-7);
        /* Near half a turn the angle is known to sqrt(round-off) only. */
        check_near(snw_quat_angle_between(snw_quat_identity(), fit.to_from.rotation),
                   snw_vec3_angle(from, to), 1e-6);
        check_near(fit.rms, 0, 1e-7);
    }
}

static void no_extent_leaves_the_rotation_alone(void **state)
{
    (void)state;
    snw_vec3 x[3] = {{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
    snw_vec3 y[3] = {{7.7, 8, 9}, {7.7, 8, 9}, {7.7, 8, 9}};
    for (int count = 1; count <= 3; count++) {
        snw_fit fit;
        assert_int_equal(snw_fit_rigid(x, y, NULL, count, &fit), SNW_OK);
        assert_int_equal(fit.kind, SNW_FIT_ROTATION_UNKNOWN);
        check_quat_near(fit.to_from.rotation, snw_quat_identity(), 0);
        check_vec3_near(fit.to_from.translation, snw_vec3_make(7.6, 7.8, 8.7), 1e-14);
        check_near(fit.rms, 0, 1e-14);
    }
    snw_vec3 spread[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(spread, y, NULL, 3, &fit), SNW_OK);
    assert_int_equal(fit.kind, SNW_FIT_ROTATION_UNKNOWN);
    check_near(fit.rms, sqrt(2.0 / 3), 1e-14);
}

static void point_reflection_of_a_cube_is_flagged_and_optimal(void **state)
{
    (void)state;
    snw_vec3 x[8], y[8];
    for (int i = 0; i < 8; i++) {
        x[i] = snw_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        y[i] = snw_vec3_neg(x[i]);
    }
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 8, &fit), SNW_OK);
    assert_int_equal(fit.kind, SNW_FIT_ROTATION_UNKNOWN);
    /* S = -8 I: the best rotations are half turns, trace -1, so sum |y - Rx|^2 = 48 - 2 * 8. */
    check_near(fit.rms, sqrt((48 - 16) / 8.0), 1e-14);
    check_near(fit.to_from.rotation.w, 0, 1e-14);
}

static void no_points_and_bad_weights_are_said_so(void **state)
{
    (void)state;
    snw_vec3 x[2] = {{1, 0, 0}, {NAN, 0, 0}};
    double negative[2] = {1, -1}, infinite[2] = {1, INFINITY}, zero[2] = {0, 0};
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(x, x, NULL, 0, &fit), SNW_DEGENERATE);
    check_quat_near(fit.to_from.rotation, snw_quat_identity(), 0);
    assert_int_equal(snw_fit_rigid(x + 1, x + 1, NULL, 1, &fit), SNW_DEGENERATE);
    assert_int_equal(snw_fit_rigid(x, x, zero, 2, &fit), SNW_DEGENERATE);
    assert_int_equal(snw_fit_rigid(x, x, negative, 2, &fit), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_fit_rigid(x, x, infinite, 2, &fit), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_fit_rigid(x, x, NULL, -1, &fit), SNW_INVALID_ARGUMENT);
}

/* Three coordinates of 1e308 turned onto one axis are beyond the largest number. */
static void points_at_the_end_of_numbers_are_refused(void **state)
{
    (void)state;
    snw_vec3 from[2] = {{-1e308, -1e308, -1e308}, {-1e308, -1e308, 1e308}};
    snw_vec3 to[2] = {{1e308, 1e308, 1e308}, {1e308, -1e308, 1e308}};
    snw_fit fit;
    assert_int_equal(snw_fit_rigid(from, to, NULL, 2, &fit), SNW_INVALID_ARGUMENT);
    assert_true(snw_vec3_is_finite(fit.to_from.translation));
    assert_true(fit.to_from.rotation.w == 1);
    assert_true(fit.rms == 0);
}

static void size_of_the_sets_does_not_matter(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(15, 1);
    snw_vec3 x[5], y[5], sx[5], sy[5];
    for (int i = 0; i < 5; i++) {
        x[i] = random_gaussian(&random, 1);
        y[i] = random_gaussian(&random, 1);
    }
    snw_fit expected, fit;
    assert_int_equal(snw_fit_rigid(x, y, NULL, 5, &expected), SNW_OK);
    static const double sizes[] = {1e-300, 1e-160, 1e-9, 1e9, 1e160, 1e300};
    for (int n = 0; n < 6; n++) {
        for (int i = 0; i < 5; i++) {
            sx[i] = snw_vec3_scale(x[i], sizes[n]);
            sy[i] = snw_vec3_scale(y[i], sizes[n]);
        }
        assert_int_equal(snw_fit_rigid(sx, sy, NULL, 5, &fit), SNW_OK);
        check_quat_near(fit.to_from.rotation, expected.to_from.rotation, 1e-13);
        check_near(fit.rms / sizes[n], expected.rms, 1e-13);
    }
}

static void rotation_about_the_origin_ignores_the_centroid(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(16, 1);
    for (int n = 0; n < CHECK_SAMPLES(500); n++) {
        snw_quat turn = snw_random_rotation(&random);
        snw_vec3 x[2], y[2];
        for (int i = 0; i < 2; i++) {
            x[i] = snw_random_direction(&random);
            y[i] = snw_quat_rotate(turn, x[i]);
        }
        snw_fit fit;
        assert_int_equal(snw_fit_rotation(x, y, NULL, 2, &fit), SNW_OK);
        /* Two directions are enough about a fixed origin unless they nearly coincide. */
        if (fit.separation < 1e-3) continue;
        assert_int_equal(fit.kind, SNW_FIT_UNIQUE);
        check_quat_near(fit.to_from.rotation, turn, 1e-13 / fit.separation);
        check_vec3_near(fit.to_from.translation, snw_vec3_make(0, 0, 0), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_turn_of_three_points),
        cmocka_unit_test(printed_noisy_sets),
        cmocka_unit_test(agrees_with_kabsch_on_noisy_and_mirrored_sets),
        cmocka_unit_test(known_motion_comes_back_with_missing_points_skipped),
        cmocka_unit_test(weight_counts_like_repetition),
        cmocka_unit_test(two_opposite_points_give_the_smallest_rotation),
        cmocka_unit_test(collinear_points_turn_as_little_as_possible),
        cmocka_unit_test(no_extent_leaves_the_rotation_alone),
        cmocka_unit_test(point_reflection_of_a_cube_is_flagged_and_optimal),
        cmocka_unit_test(no_points_and_bad_weights_are_said_so),
        cmocka_unit_test(points_at_the_end_of_numbers_are_refused),
        cmocka_unit_test(size_of_the_sets_does_not_matter),
        cmocka_unit_test(rotation_about_the_origin_ignores_the_centroid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
