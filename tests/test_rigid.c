/* Frames from few markers, and how well a segment's markers tell its rotation. */
#include "check.h"

/* ---- frames -------------------------------------------------------------------------------- */

static void a_frame_from_three_points_is_knights(void **state)
{
    (void)state;
    snw_xform frame;
    assert_true(snw_frame_from_points(snw_vec3_make(0, 0, 0), snw_vec3_make(1, 0, 0),
                                      snw_vec3_make(0, 1, 0), &frame));
    check_vec3_near(snw_quat_rotate(frame.rotation, snw_vec3_make(1, 0, 0)), snw_vec3_make(1, 0, 0),
                    1e-15);
    check_vec3_near(snw_quat_rotate(frame.rotation, snw_vec3_make(0, 1, 0)),
                    snw_vec3_make(0, -1, 0), 1e-15);
    check_vec3_near(snw_quat_rotate(frame.rotation, snw_vec3_make(0, 0, 1)),
                    snw_vec3_make(0, 0, -1), 1e-15);
}

static void frames_move_with_their_points(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(29, 1);
    for (int round = 0; round < CHECK_SAMPLES(1000); round++) {
        snw_vec3 p[3], moved[3];
        snw_xform motion = {snw_random_rotation(&random),
                            snw_vec3_scale(snw_random_direction(&random), 3)};
        for (int i = 0; i < 3; i++) {
            p[i] = snw_vec3_scale(snw_random_direction(&random), 0.3);
            moved[i] = snw_xform_point(motion, p[i]);
        }
        snw_xform frame, moved_frame;
        assert_true(snw_frame_from_points(p[0], p[1], p[2], &frame));
        assert_true(snw_frame_from_points(moved[0], moved[1], moved[2], &moved_frame));
        snw_xform expected = snw_xform_mul(motion, frame);
        /* Nearly collinear points amplify round-off by up to 1e4 here. */
        check_quat_near(moved_frame.rotation, expected.rotation, 1e-11);
        check_vec3_near(moved_frame.translation, expected.translation, 1e-14);
        assert_true(snw_xform_unpoint(frame, p[2]).y < 0);
    }
}

static void a_frame_that_is_not_determined_is_missing(void **state)
{
    (void)state;
    const snw_vec3 cases[][3] = {{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}},
                                 {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
                                 {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}},
                                 {{NAN, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                 {{0, 0, 0}, {1, 0, 0}, {0, INFINITY, 0}}};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_xform frame = {{5, 5, 5, 5}, {5, 5, 5}};
        assert_false(snw_frame_from_points(cases[n][0], cases[n][1], cases[n][2], &frame));
        check_near(frame.rotation.w, 5, 0);
    }
}

/* ---- covariance ----------------------------------------------------------------------------- */

static snw_vec3 noise(snw_random *random, double sigma)
{
    double x = snw_random_normal(random), y = snw_random_normal(random);
    return snw_vec3_scale(snw_vec3_make(x, y, snw_random_normal(random)), sigma);
}

static void rotation_covariance_of_a_segment_matches_simulated_fits(void **state)
{
    (void)state;
    const snw_vec3 shape[4] = {{0, 0, 0}, {0.2, 0, 0}, {0.1, 0.05, 0.02}, {0.15, -0.03, 0.04}};
    snw_mat3 covariance = snw_segment_rotation_covariance(shape, 4, 0.001);
    snw_random random = snw_random_seed(67, 1);
    double sum[3][3] = {{0}};
    int rounds = CHECK_SAMPLES(20000);
    for (int round = 0; round < rounds; round++) {
        snw_vec3 seen[4];
        for (int i = 0; i < 4; i++)
            seen[i] = snw_vec3_add(shape[i], noise(&random, 0.001));
        snw_fit fit;
        assert_int_equal(snw_fit_rigid(shape, seen, NULL, 4, &fit), SNW_OK);
        snw_vec3 turn = snw_quat_log(fit.to_from.rotation);
        const double v[3] = {turn.x, turn.y, turn.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum[i][j] += v[i] * v[j] / rounds;
    }
    /* 1000 draws under sanitizers know a variance to 5 %, three sigmas. */
    double scale = covariance.m[0][0] + covariance.m[1][1] + covariance.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            check_near(sum[i][j], covariance.m[i][j], 0.15 * scale);
    snw_mat3 line = snw_segment_rotation_covariance(shape, 2, 0.001);
    check_near(line.m[0][0], SNW_PI * SNW_PI, 1e-9);
    check_near(line.m[1][1], 1e-6 / 0.02, 1e-9);
    snw_mat3 none = snw_segment_rotation_covariance(shape, 0, 0.001);
    check_near(none.m[2][2], SNW_PI * SNW_PI, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_from_three_points_is_knights),
        cmocka_unit_test(frames_move_with_their_points),
        cmocka_unit_test(a_frame_that_is_not_determined_is_missing),
        cmocka_unit_test(rotation_covariance_of_a_segment_matches_simulated_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
