/* Joint centres from the poses of two segments: closed cases, SCoRE as a second algorithm, hinges,
 * running sums. */
#include <lapacke.h>

#include "center_motions.h"

/* ---- exact cases --------------------------------------------------------------------------- */

static void six_frames_give_the_reference_sums_and_centre(void **state)
{
    (void)state;
    const snw_vec3 parent_turn[6] = {{0, 0, 0},  {.1, 0, 0},  {0, .2, 0},
                                     {0, 0, .3}, {.1, .2, 0}, {.2, .1, -.1}};
    const snw_vec3 relative[6] = {{0, 0, 0},  {.5, 0, 0},    {0, .5, 0},
                                  {0, 0, .5}, {.3, -.4, .2}, {-.2, .3, .6}};
    joint_motion motion = {0};
    snw_center_sums sums = snw_center_sums_begin();
    for (int k = 0; k < 6; k++) {
        snw_quat rotation = snw_quat_exp(parent_turn[k]);
        snw_vec3 center = {.1 * k, 1 + .02 * k, -.05 * k};
        snw_vec3 origin = snw_vec3_sub(center, snw_quat_rotate(rotation, true_in_parent));
        add_frame(&motion, snw_xform_make(rotation, origin), snw_quat_exp(relative[k]));
        snw_center_sums_add(&sums, motion.parent[k], motion.child[k]);
    }
    /* The reference writes a_x = -c_parent and b from child to parent: beta_x = -mean t. */
    check_vec3_near(snw_vec3_scale(sums.parent_offset, -1.0 / 6),
                    snw_vec3_make(0.166927700, -0.516478546, -0.070372991), 1e-9);
    check_vec3_near(snw_vec3_scale(sums.child_offset, 1.0 / 6),
                    snw_vec3_make(0.050599648, -0.541575038, -0.021119318), 1e-9);
    snw_center center;
    assert_int_equal(snw_center_sums_solve(&sums, NULL, &center, NULL), SNW_OK);
    check_vec3_near(center.in_parent, true_in_parent, 1e-12);
    check_vec3_near(center.in_child, true_in_child, 1e-12);
    check_near(center.residual, 0, 1e-7); /* squares cancel to round-off, the root of 1e-16 */
    check_near(center.condition, 1.960797936 / 0.039202064, 1e-5);
    assert_int_equal(center.motion, SNW_JOINT_BALL);
    snw_center batch = solve(&motion, NULL);
    check_vec3_near(batch.in_parent, true_in_parent, 1e-12);
}

/* Stacked least squares with rows [Rx -Ry], solved by LAPACK: SCoRE as Ehrig wrote it. */
static void solve_score(const joint_motion *motion, snw_vec3 *in_parent, snw_vec3 *in_child)
{
    static double j[3 * FRAMES_MAX * 6], z[3 * FRAMES_MAX], s[6];
    for (int k = 0; k < motion->frame_count; k++) {
        snw_mat3 x = snw_mat3_from_quat(motion->parent[k].rotation);
        snw_mat3 y = snw_mat3_from_quat(motion->child[k].rotation);
        snw_vec3 t = snw_vec3_sub(motion->child[k].translation, motion->parent[k].translation);
        const double b[3] = {t.x, t.y, t.z};
        for (int i = 0; i < 3; i++) {
            for (int n = 0; n < 3; n++) {
                j[(3 * k + i) * 6 + n] = x.m[i][n];
                j[(3 * k + i) * 6 + 3 + n] = -y.m[i][n];
            }
            z[3 * k + i] = b[i];
        }
    }
    int rank;
    assert_int_equal(LAPACKE_dgelsd(LAPACK_ROW_MAJOR, 3 * motion->frame_count, 6, 1, j, 6, z, 1, s,
                                    1e-12, &rank),
                     0);
    *in_parent = snw_vec3_make(z[0], z[1], z[2]);
    *in_child = snw_vec3_make(z[3], z[4], z[5]);
}

static void the_answer_is_score(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(31, 1);
    static joint_motion motion;
    snw_center_options options = snw_center_options_default();
    options.is_robust = false;
    for (int round = 0; round < CHECK_SAMPLES(60); round++) {
        fill_motion(&random, &motion, 40, snw_vec3_make(0.5, 0.4, 0.3));
        add_noise(&random, &motion, 0.002, 0.01);
        snw_vec3 in_parent, in_child;
        solve_score(&motion, &in_parent, &in_child);
        snw_center center = solve(&motion, &options);
        check_vec3_near(center.in_parent, in_parent, 1e-11);
        check_vec3_near(center.in_child, in_child, 1e-11);
        snw_center running = solve_sums(&motion, NULL);
        check_vec3_near(running.in_parent, center.in_parent, 1e-13);
        check_near(running.sigma, center.sigma, 1e-13);
    }
}

static void slip_and_correlation_from_sums_are_those_of_the_frames(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(37, 1);
    static joint_motion motion;
    fill_motion(&random, &motion, 200, snw_vec3_make(0.5, 0.4, 0.3));
    add_noise(&random, &motion, 0.002, 0.01);
    /* A slow drift of the child on top, so that neighbours are alike. */
    for (int k = 0; k < 200; k++)
        motion.child[k].translation = snw_vec3_add(
            motion.child[k].translation,
            snw_quat_rotate(motion.parent[k].rotation, snw_vec3_make(0.01 * sin(0.05 * k), 0, 0)));
    snw_center center = solve_sums(&motion, NULL);
    double square = 0, product = 0;
    snw_vec3 last = {0, 0, 0};
    for (int k = 0; k < 200; k++) {
        snw_vec3 carried = snw_xform_point(motion.child[k], center.in_child);
        snw_vec3 e = snw_vec3_sub(snw_xform_unpoint(motion.parent[k], carried), center.in_parent);
        square += snw_vec3_length2(e) / 200;
        if (k > 0) product += snw_vec3_dot(e, last) / 199;
        last = e;
    }
    check_near(center.slip, sqrt(square), 1e-10);
    check_near(center.correlation, product / square, 1e-8);
    assert_true(center.correlation > 0.3);
}

static void moving_the_lab_changes_nothing(void **state)
{
    (void)state;
    snw_random random = snw_random_seed(41, 1);
    static joint_motion motion, moved;
    for (int round = 0; round < CHECK_SAMPLES(40); round++) {
        fill_motion(&random, &motion, 50, snw_vec3_make(0.6, 0.3, 0.2));
        add_noise(&random, &motion, 0.001, 0.01);
        snw_xform lab = random_pose(&random);
        lab.translation = snw_vec3_scale(lab.translation, 50);
        moved.frame_count = motion.frame_count;
        for (int k = 0; k < motion.frame_count; k++) {
            moved.parent[k] = snw_xform_mul(lab, motion.parent[k]);
            moved.child[k] = snw_xform_mul(lab, motion.child[k]);
        }
        snw_center here = solve(&motion, NULL), there = solve(&moved, NULL);
        /* 100 m of offset rounds to 1e-14, the condition is below 100. */
        check_vec3_near(here.in_parent, there.in_parent, 1e-11);
        check_near(here.sigma, there.sigma, 1e-9);
        check_near(here.range[0], there.range[0], 1e-10);
        assert_int_equal(here.motion, there.motion);
    }
}

/* ---- hinges and other joints ----------------------------------------------------------------- */

static void a_hinge_gives_its_axis_and_the_point_midway_along_it(void **state)
{
    (void)state;
    static joint_motion motion;
    snw_random random = snw_random_seed(43, 1);
    snw_vec3 axis_in_child = snw_vec3_unit(snw_vec3_make(0.2, 0.9, 0.3), snw_vec3_make(1, 0, 0));
    snw_quat rest = snw_quat_exp(snw_vec3_make(0.4, -0.3, 0.8));
    for (int k = 0; k < 60; k++) {
        double angle = 0.5 + 0.7 * sin(0.21 * k);
        add_frame(&motion, random_pose(&random),
                  snw_quat_mul(rest, snw_quat_from_axis_angle(axis_in_child, angle)));
    }
    snw_center center = solve(&motion, NULL);
    snw_vec3 axis_in_parent = snw_quat_rotate(rest, axis_in_child);
    assert_int_equal(center.motion, SNW_JOINT_HINGE);
    assert_int_equal(center.undetermined, 1);
    check_near(fabs(snw_vec3_dot(center.axis_in_parent, axis_in_parent)), 1, 1e-12);
    check_near(snw_vec3_dot(center.axis_in_child, axis_in_child),
               snw_vec3_dot(center.axis_in_parent, axis_in_parent), 1e-12);
    /* Minimal norm: the two origins project onto the axis at equal distances, one either side. */
    double t = -(snw_vec3_dot(true_in_parent, axis_in_parent) +
                 snw_vec3_dot(true_in_child, axis_in_child)) /
               2;
    check_vec3_near(center.in_parent, snw_vec3_add_scaled(true_in_parent, t, axis_in_parent),
                    1e-10);
    check_vec3_near(center.in_child, snw_vec3_add_scaled(true_in_child, t, axis_in_child), 1e-10);
    check_near(center.range[0], 1.4,
               8e-3); /* 0.21 rad steps miss an end by up to 0.7 * 0.105^2 / 2 */
    check_near(center.range[1], 0, 1e-7);
    check_near(center.axis_sigma, 0, 1e-6);
}

static void joints_are_told_apart_by_their_motion(void **state)
{
    (void)state;
    const struct {
        snw_vec3 spread_deg;
        snw_joint_type type;
        int undetermined;
    } cases[] = {
        {{0, 0, 0}, SNW_JOINT_FIXED, 3},      {{1, 0.5, 0.5}, SNW_JOINT_FIXED, 3},
        {{0, 20, 0}, SNW_JOINT_HINGE, 1},     {{0, 30, 0.5}, SNW_JOINT_HINGE, 1},
        {{15, 0, 8}, SNW_JOINT_UNIVERSAL, 0}, {{10, 6, 8}, SNW_JOINT_BALL, 0},
        {{40, 30, 25}, SNW_JOINT_BALL, 0},
    };
    static joint_motion motion;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_random random = snw_random_seed(47, n);
        fill_motion(&random, &motion, 500, snw_vec3_scale(cases[n].spread_deg, SNW_PI / 180));
        add_noise(&random, &motion, 0.0005, 0.002);
        snw_center center = solve(&motion, NULL);
        assert_int_equal(center.motion, cases[n].type);
        assert_int_equal(center.undetermined, cases[n].undetermined);
        /* The largest principal spread; 500 draws know it to 3 %, large angles saturate by 10 %. */
        double largest =
            fmax(cases[n].spread_deg.x, fmax(cases[n].spread_deg.y, cases[n].spread_deg.z));
        check_near(snw_degrees(center.spread[0]), largest, 0.2 + 0.12 * largest);
    }
}

static void two_axes_are_found_however_far_they_turn(void **state)
{
    (void)state;
    static joint_motion motion;
    for (int n = 0; n < 3; n++) {
        snw_random random = snw_random_seed(103, (uint64_t)n);
        snw_vec3 parent_axis = snw_random_direction(&random);
        /* 90, 80 and 70 degrees between the two axes at rest. */
        snw_vec3 aside = snw_vec3_perpendicular(parent_axis);
        double angle = snw_radians(90 - 10 * n);
        snw_vec3 rest_axis =
            snw_vec3_add_scaled(snw_vec3_scale(parent_axis, cos(angle)), sin(angle), aside);
        snw_quat rest = snw_random_rotation(&random);
        snw_vec3 child_axis = snw_quat_unrotate(rest, rest_axis);
        motion.frame_count = 0;
        for (int k = 0; k < 400; k++) {
            snw_quat first = snw_quat_from_axis_angle(parent_axis, 0.9 * sin(0.13 * k));
            snw_quat second = snw_quat_from_axis_angle(child_axis, 1.1 * sin(0.171 * k + 1));
            add_frame(&motion, random_pose(&random),
                      snw_quat_mul(first, snw_quat_mul(rest, second)));
        }
        add_noise(&random, &motion, 0.0005, 0.005);
        snw_center center = solve(&motion, NULL);
        assert_int_equal(center.motion, SNW_JOINT_UNIVERSAL);
        /* 0.3 degrees of noise in each of 400 frames: far below half a degree. */
        check_near(fabs(snw_vec3_dot(center.axis_in_parent, parent_axis)), 1, 4e-5);
        check_near(fabs(snw_vec3_dot(center.axis_in_child, child_axis)), 1, 4e-5);
        check_vec3_near(center.in_parent, true_in_parent, 0.002);
    }
}

static void segments_that_do_not_move_against_each_other_have_no_centre(void **state)
{
    (void)state;
    static joint_motion motion;
    snw_random random = snw_random_seed(53, 1);
    fill_motion(&random, &motion, 50, snw_vec3_make(0, 0, 0));
    snw_center center = solve(&motion, NULL);
    assert_int_equal(center.undetermined, 3);
    assert_int_equal(center.motion, SNW_JOINT_FIXED);
    /* Midway between the origins: half their distance is all that can be said. */
    double apart = snw_vec3_length(snw_vec3_sub(
        snw_xform_unpoint(motion.parent[0], motion.child[0].translation), snw_vec3_make(0, 0, 0)));
    check_near(snw_vec3_length(center.in_parent), apart / 2, 1e-12);
    check_near(snw_vec3_length(center.in_child), apart / 2, 1e-12);
    check_near(center.sigma, apart / 2 * sqrt(3), 1e-9);
}

/* ---- running sums --------------------------------------------------------------------------- */

static void frames_that_were_not_seen_are_left_out(void **state)
{
    (void)state;
    static joint_motion motion, holes;
    static uint8_t parent_valid[60], child_valid[60];
    snw_random random = snw_random_seed(79, 1);
    fill_motion(&random, &motion, 60, snw_vec3_make(0.5, 0.4, 0.3));
    holes = motion;
    memset(parent_valid, 1, sizeof parent_valid);
    memset(child_valid, 1, sizeof child_valid);
    for (int k = 0; k < 60; k += 5) {
        snw_xform *bad = k % 2 ? &holes.parent[k] : &holes.child[k];
        bad->translation.y = k % 3 ? 77 : NAN;
        (k % 2 ? parent_valid : child_valid)[k] = k % 3 == 0;
    }
    snw_center_data data = data_of(&holes);
    data.parent_is_valid = parent_valid;
    data.child_is_valid = child_valid;
    snw_center center;
    assert_int_equal(snw_center_solve(&data, SNW_CENTER_TWO_SIDED, NULL, &center, NULL), SNW_OK);
    assert_int_equal(center.frame_count, 48);
    assert_int_equal(center.rejected_count, 0);
    check_vec3_near(center.in_parent, true_in_parent, 1e-12);
}

static void fading_sums_follow_a_marker_that_slipped(void **state)
{
    (void)state;
    static joint_motion motion;
    snw_random random = snw_random_seed(83, 1);
    fill_motion(&random, &motion, 800, snw_vec3_make(0.5, 0.4, 0.3));
    add_noise(&random, &motion, 0.0005, 0.001);
    snw_center_sums sums = snw_center_sums_begin();
    snw_vec3 shift = {0.03, 0, 0};
    for (int k = 0; k < 800; k++) {
        if (k >= 400) /* from here the segment's frame sits elsewhere on it */
            motion.child[k].translation = snw_vec3_add(
                motion.child[k].translation, snw_quat_rotate(motion.child[k].rotation, shift));
        snw_center_sums_fade(&sums, 0.98);
        snw_center_sums_add(&sums, motion.parent[k], motion.child[k]);
    }
    snw_center center;
    assert_int_equal(snw_center_sums_solve(&sums, NULL, &center, NULL), SNW_OK);
    check_vec3_near(center.in_child, snw_vec3_sub(true_in_child, shift), 0.002);
    assert_true(center.sigma < 0.001);
    snw_center_sums_fade(&sums, 0);
    assert_int_equal(snw_center_sums_solve(&sums, NULL, &center, NULL), SNW_DEGENERATE);
}

static void too_few_frames_and_overflow_are_refused(void **state)
{
    (void)state;
    snw_center_sums sums = snw_center_sums_begin();
    snw_center center;
    snw_error error;
    for (int k = 0; k < 3; k++)
        snw_center_sums_add(&sums, snw_xform_identity(), snw_xform_identity());
    assert_int_equal(snw_center_sums_solve(&sums, NULL, &center, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "only 3 frames"));
    snw_xform far = snw_xform_make(snw_quat_identity(), snw_vec3_make(1e200, 0, 0));
    for (int k = 0; k < 3; k++)
        snw_center_sums_add(&sums, snw_xform_identity(), far);
    assert_int_equal(snw_center_sums_solve(&sums, NULL, &center, &error), SNW_DEGENERATE);
    assert_non_null(strstr(error.message, "too far apart"));
    check_near(center.sigma, 0, 0);
}

/* A number of any size, now and then none at all. */
static double wild_number(snw_random *random)
{
    switch (snw_random_below(random, 12)) {
    case 0:
        return 0;
    case 1:
        return NAN;
    case 2:
        return -INFINITY;
    case 3: {
        int exponent = (int)snw_random_below(random, 2000) - 1000;
        return ldexp(snw_random_normal(random), exponent);
    }
    default:
        return snw_random_normal(random);
    }
}

static snw_vec3 wild_vector(snw_random *random)
{
    double x = wild_number(random), y = wild_number(random);
    return snw_vec3_make(x, y, wild_number(random));
}

static void no_data_however_wild_lead_to_nan(void **state)
{
    (void)state;
    static snw_xform parent[12], child[12];
    static snw_vec3 markers[12][2];
    snw_random random = snw_random_seed(107, 1);
    int answers = 0;
    for (int round = 0; round < CHECK_SAMPLES(20000); round++) {
        for (int k = 0; k < 12; k++) {
            parent[k] = snw_xform_make(snw_random_rotation(&random), wild_vector(&random));
            child[k] = snw_xform_make(snw_random_rotation(&random), wild_vector(&random));
            for (int m = 0; m < 2; m++)
                markers[k][m] = wild_vector(&random);
        }
        snw_center_data data;
        memset(&data, 0, sizeof data);
        data.frame_count = 12;
        data.world_from_parent = parent;
        data.world_from_child = child;
        data.marker_count = 2;
        data.marker = &markers[0][0];
        int method = round % SNW_CENTER_METHOD_COUNT;
        snw_center c;
        char verdict[SNW_VERDICT_SIZE];
        answers += snw_center_solve(&data, (snw_center_method)method, NULL, &c, NULL) == SNW_OK;
        double sum = c.axis_sigma + c.residual + c.slip + c.condition + c.correlation + c.sigma;
        for (int i = 0; i < 3; i++)
            sum += c.spread[i] + c.range[i];
        for (int i = 0; i < 9; i++)
            sum += (&c.covariance.m[0][0])[i];
        bool is_sound = snw_vec3_is_finite(c.in_parent) && snw_vec3_is_finite(c.in_child) &&
                        snw_vec3_is_finite(c.axis_in_parent) &&
                        snw_vec3_is_finite(c.axis_in_child) && isfinite(sum);
        if (!is_sound) {
            print_error("round %d, %s: %s, sum %g\n", round,
                        snw_center_method_name((snw_center_method)method),
                        snw_center_verdict(&c, verdict), sum);
            fail();
        }
    }
    assert_true(answers > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_frames_give_the_reference_sums_and_centre),
        cmocka_unit_test(the_answer_is_score),
        cmocka_unit_test(slip_and_correlation_from_sums_are_those_of_the_frames),
        cmocka_unit_test(moving_the_lab_changes_nothing),
        cmocka_unit_test(a_hinge_gives_its_axis_and_the_point_midway_along_it),
        cmocka_unit_test(joints_are_told_apart_by_their_motion),
        cmocka_unit_test(two_axes_are_found_however_far_they_turn),
        cmocka_unit_test(segments_that_do_not_move_against_each_other_have_no_centre),
        cmocka_unit_test(frames_that_were_not_seen_are_left_out),
        cmocka_unit_test(fading_sums_follow_a_marker_that_slipped),
        cmocka_unit_test(too_few_frames_and_overflow_are_refused),
        cmocka_unit_test(no_data_however_wild_lead_to_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
