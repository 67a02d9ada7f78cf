/* All twelve Euler orders, both ways: against products of elementary matrices, round trips, and
 * gimbal lock at, near and around the exact angle. */
#include "check.h"

static const char *const order_names[SNW_EULER_ORDER_COUNT] = {
    "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"};

/* Rotation about x, y or z written out by hand. */
static snw_mat3 elementary(int axis, double angle)
{
    double c = cos(angle), s = sin(angle);
    snw_mat3 about_x = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
    snw_mat3 about_y = {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
    snw_mat3 about_z = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    return axis == 0 ? about_x : axis == 1 ? about_y : about_z;
}

static snw_mat3 matrix_of(int order, const double angles[3])
{
    int axes[3];
    snw_euler_axes((snw_euler_order)order, axes);
    return snw_mat3_mul(
        snw_mat3_mul(elementary(axes[0], angles[0]), elementary(axes[1], angles[1])),
        elementary(axes[2], angles[2]));
}

static double matrix_difference(snw_mat3 a, snw_mat3 b)
{
    double worst = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(a.m[r][c] - b.m[r][c]) <= worst)) worst = fabs(a.m[r][c] - b.m[r][c]);
    return worst;
}

static bool is_repeated(int order)
{
    return order >= SNW_EULER_XYX;
}

/* The ranges the header promises, and the rotation itself to round-off. */
static void check_angles(int order, snw_quat q, const double angles[3], double tolerance)
{
    assert_true(angles[0] > -SNW_PI && angles[0] <= SNW_PI);
    assert_true(angles[2] > -SNW_PI && angles[2] <= SNW_PI);
    if (is_repeated(order))
        assert_true(angles[1] >= 0 && angles[1] <= SNW_PI);
    else
        assert_true(fabs(angles[1]) <= SNW_PI / 2);
    double off = matrix_difference(matrix_of(order, angles), snw_mat3_from_quat(q));
    if (!(off <= tolerance)) print_error("order %s: ", order_names[order]);
    check_near(off, 0, tolerance);
}

static void orders_name_their_axes(void **state)
{
    (void)state;
    for (int order = 0; order < SNW_EULER_ORDER_COUNT; order++) {
        int axes[3];
        snw_euler_axes((snw_euler_order)order, axes);
        for (int n = 0; n < 3; n++)
            assert_int_equal("XYZ"[axes[n]], order_names[order][n]);
    }
    int axes[3];
    snw_euler_axes((snw_euler_order)99, axes);
    assert_int_equal(axes[0], 0); /* off the list reads as XYZ, not beyond the table */
}

static void quaternion_equals_the_product_of_elementary_matrices(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(51, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000) * SNW_EULER_ORDER_COUNT; n++) {
        int order = n % SNW_EULER_ORDER_COUNT;
        double angles[3];
        for (int k = 0; k < 3; k++)
            angles[k] = snw_random_range(&random, -7, 7);
        snw_mat3 m = snw_mat3_from_quat(snw_quat_from_euler((snw_euler_order)order, angles));
        /* A handful of roundings of numbers up to 1. */
        check_near(matrix_difference(m, matrix_of(order, angles)), 0, 2e-15);
    }
}

static void angles_of_random_rotations_give_them_back(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(52, 1);
    for (int n = 0; n < CHECK_SAMPLES(5000) * SNW_EULER_ORDER_COUNT; n++) {
        int order = n % SNW_EULER_ORDER_COUNT;
        snw_quat q = snw_random_rotation(&random);
        double angles[3], negated[3];
        bool is_locked = snw_quat_to_euler(q, (snw_euler_order)order, angles);
        assert_false(is_locked);
        check_angles(order, q, angles, 3e-15);
        snw_quat_to_euler(snw_quat_neg(q), (snw_euler_order)order, negated);
        for (int k = 0; k < 3; k++)
            check_near(negated[k], angles[k], 0);
    }
}

static void angles_inside_the_ranges_come_back_themselves(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(53, 1);
    for (int n = 0; n < CHECK_SAMPLES(2000) * SNW_EULER_ORDER_COUNT; n++) {
        int order = n % SNW_EULER_ORDER_COUNT;
        double low = is_repeated(order) ? 0.01 : -1.56, high = is_repeated(order) ? 3.13 : 1.56;
        double in[3] = {snw_random_range(&random, -3.14, 3.14),
                        snw_random_range(&random, low, high),
                        snw_random_range(&random, -3.14, 3.14)};
        double out[3];
        snw_quat_to_euler(snw_quat_from_euler((snw_euler_order)order, in), (snw_euler_order)order,
                          out);
        for (int k = 0; k < 3; k++) /* round-off divided by the sine or cosine, at least 0.01 */
            check_near(out[k], in[k], 2e-13);
    }
}

static void exact_lock_is_flagged_and_still_exact(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(54, 1);
    for (int n = 0; n < CHECK_SAMPLES(1000) * SNW_EULER_ORDER_COUNT; n++) {
        int order = n % SNW_EULER_ORDER_COUNT;
        double side = n % 2 ? 1 : -1;
        double locked = is_repeated(order) ? (n % 2 ? SNW_PI : 0) : side * SNW_PI / 2;
        double in[3] = {snw_random_range(&random, -3.1, 3.1), locked,
                        snw_random_range(&random, -3.1, 3.1)};
        snw_quat q = snw_quat_from_euler((snw_euler_order)order, in);
        double out[3];
        assert_true(snw_quat_to_euler(q, (snw_euler_order)order, out));
        check_near(out[2], 0, 0);
        check_near(out[1], locked, 2e-15);
        check_angles(order, q, out, 2e-14); /* the lock bound 1e-14, and round-off */
    }
}

static void near_lock_the_rotation_loses_nothing(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(55, 1);
    for (int n = 0; n < CHECK_SAMPLES(3000) * SNW_EULER_ORDER_COUNT; n++) {
        int order = n % SNW_EULER_ORDER_COUNT;
        double gap = pow(10, snw_random_range(&random, -17, -1)) * (n % 2 ? 1 : -1);
        double lock = n % 3 ? SNW_PI / 2 : -SNW_PI / 2;
        if (is_repeated(order)) lock = n % 3 ? SNW_PI : 0;
        double in[3] = {snw_random_range(&random, -3.1, 3.1), lock + gap,
                        snw_random_range(&random, -3.1, 3.1)};
        snw_quat q = snw_quat_from_euler((snw_euler_order)order, in);
        double out[3];
        snw_quat_to_euler(q, (snw_euler_order)order, out);
        check_angles(order, q, out, 2e-14);
    }
}

static void identity_has_zero_angles_in_every_order(void **state)
{
    (void)state;
    for (int order = 0; order < SNW_EULER_ORDER_COUNT; order++) {
        double angles[3];
        bool is_locked = snw_quat_to_euler(snw_quat_identity(), (snw_euler_order)order, angles);
        assert_int_equal(is_locked, is_repeated(order));
        for (int k = 0; k < 3; k++)
            check_near(angles[k], 0, 0);
    }
}

/* R = Rz Rx Ry for the order BVH files list most: a point by hand. */
static void zxy_turns_in_the_documented_sequence(void **state)
{
    (void)state;
    double quarter[3] = {SNW_PI / 2, SNW_PI / 2, 0};
    snw_quat q = snw_quat_from_euler(SNW_EULER_ZXY, quarter);
    /* Rx first on the fixed axes: y -> z; then Rz leaves z. */
    check_vec3_near(snw_quat_rotate(q, snw_vec3_make(0, 1, 0)), snw_vec3_make(0, 0, 1), 1e-15);
    /* z -> -y -> x. */
    check_vec3_near(snw_quat_rotate(q, snw_vec3_make(0, 0, 1)), snw_vec3_make(1, 0, 0), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_name_their_axes),
        cmocka_unit_test(quaternion_equals_the_product_of_elementary_matrices),
        cmocka_unit_test(angles_of_random_rotations_give_them_back),
        cmocka_unit_test(angles_inside_the_ranges_come_back_themselves),
        cmocka_unit_test(exact_lock_is_flagged_and_still_exact),
        cmocka_unit_test(near_lock_the_rotation_loses_nothing),
        cmocka_unit_test(identity_has_zero_angles_in_every_order),
        cmocka_unit_test(zxy_turns_in_the_documented_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
