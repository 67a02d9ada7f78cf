/* Joint centres from the poses of two limbs: closed cases, SCoRE as a second algorithm, hinges,
 * uncertainty, outliers, verdicts. */
#include <lapacke.h>

#include "check.h"

#define FRAMES_MAX 1000

typedef struct joint_motion {
    int frame_count;
    snw_xform parent[FRAMES_MAX], child[FRAMES_MAX];
} joint_motion;

static const snw_vec3 true_in_parent = {-0.1, 0.3, -0.05};
static const snw_vec3 true_in_child = {0.02, -0.25, -0.1};

static snw_vec3 random_vector(snw_random *random, double sigma)
{
    return snw_vec3_scale(snw_vec3_make(snw_random_normal(random), snw_random_normal(random),
                                        snw_random_normal(random)),
                          sigma);
}

/* Places the child so that the joint holds with the given relative rotation. */
static void add_frame(joint_motion *motion, snw_xform parent, snw_quat parent_from_child)
{
    int k = motion->frame_count++;
    snw_vec3 center = snw_xform_point(parent, true_in_parent);
    snw_quat rotation = snw_quat_mul(parent.rotation, parent_from_child);
    motion->parent[k] = parent;
    motion->child[k] =
        snw_xform_make(rotation, snw_vec3_sub(center, snw_quat_rotate(rotation, true_in_child)));
}

static snw_xform random_pose(snw_random *random)
{
    return snw_xform_make(snw_random_rotation(random), random_vector(random, 2));
}

/* Rotations with the given spreads (rad) about x, y, z of the child. */
static void fill_motion(snw_random *random, joint_motion *motion, int count, snw_vec3 spread)
{
    motion->frame_count = 0;
    snw_quat rest = snw_quat_exp(snw_vec3_make(0.4, -0.3, 0.8));
    for (int k = 0; k < count; k++) {
        snw_vec3 turn = {spread.x * snw_random_normal(random), spread.y * snw_random_normal(random),
                         spread.z * snw_random_normal(random)};
        add_frame(motion, random_pose(random), snw_quat_mul(rest, snw_quat_exp(turn)));
    }
}

/* What rigid fits to noisy markers give: errors of place and rotation. */
static void add_noise(snw_random *random, joint_motion *motion, double place, double turn)
{
    snw_xform *limbs[2] = {motion->parent, motion->child};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < motion->frame_count; k++) {
            snw_xform *pose = &limbs[side][k];
            pose->translation = snw_vec3_add(pose->translation, random_vector(random, place));
            pose->rotation =
                snw_quat_mul(pose->rotation, snw_quat_exp(random_vector(random, turn)));
        }
}

static snw_center_data data_of(const joint_motion *motion)
{
    snw_center_data data;
    memset(&data, 0, sizeof data);
    data.frame_count = motion->frame_count;
    data.world_from_parent = motion->parent;
    data.world_from_child = motion->child;
    return data;
}

static snw_center solve(const joint_motion *motion, const snw_center_options *options)
{
    snw_center_data data = data_of(motion);
    snw_center center;
    snw_error error;
    if (snw_center_solve(&data, SNW_CENTER_TWO_SIDED, options, &center, &error) != SNW_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return center;
}

static snw_center solve_sums(const joint_motion *motion, const snw_center_options *options)
{
    snw_center_sums sums = snw_center_sums_begin();
    for (int k = 0; k < motion->frame_count; k++)
        snw_center_sums_add(&sums, motion->parent[k], motion->child[k]);
    snw_center center;
    assert_int_equal(snw_center_sums_solve(&sums, options, &center, NULL), SNW_OK);
    return center;
}

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

static void limbs_that_do_not_move_against_each_other_have_no_centre(void **state)
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

/* ---- uncertainty ----------------------------------------------------------------------------- */

typedef struct honesty {
    double error, stated;           /* rms over the rounds */
    double weak_error, weak_stated; /* along the direction stated to be the worst */
} honesty;

static honesty try_often(int frame_count, snw_vec3 spread, double noise,
                         const snw_center_options *options)
{
    static joint_motion motion;
    snw_random random = snw_random_seed(59, (uint64_t)frame_count);
    honesty sum = {0, 0, 0, 0};
    int rounds = CHECK_SAMPLES(200);
    for (int round = 0; round < rounds; round++) {
        fill_motion(&random, &motion, frame_count, spread);
        add_noise(&random, &motion, noise, 5 * noise); /* markers 0.2 m apart */
        snw_center center = solve(&motion, options);
        snw_vec3 error = snw_vec3_sub(center.in_parent, true_in_parent);
        double covariance[9], value[3], vector[9];
        memcpy(covariance, center.covariance.m, sizeof covariance);
        assert_int_equal(snw_eigen_symmetric(covariance, 3, value, vector), SNW_OK);
        double along = snw_vec3_dot(error, snw_vec3_make(vector[0], vector[1], vector[2]));
        sum.error += snw_vec3_length2(error) / rounds;
        sum.stated += center.sigma * center.sigma / rounds;
        sum.weak_error += along * along / rounds;
        sum.weak_stated += value[0] / rounds;
    }
    honesty rms = {sqrt(sum.error), sqrt(sum.stated), sqrt(sum.weak_error), sqrt(sum.weak_stated)};
    return rms;
}

static void the_stated_uncertainty_is_the_error_that_happens(void **state)
{
    (void)state;
    const struct {
        int frame_count;
        snw_vec3 spread;
        double noise;
    } cases[] = {
        {100, {0.5, 0.4, 0.3}, 0.001}, {1000, {0.5, 0.4, 0.3}, 0.001},
        {100, {0.5, 0.1, 0.1}, 0.001}, {100, {0.5, 0.4, 0.3}, 0.004},
        {30, {0.2, 0.2, 0.1}, 0.0005},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        honesty h = try_often(cases[n].frame_count, cases[n].spread, cases[n].noise, NULL);
        /* Ten rounds under sanitizers scatter by a quarter; the residual's spread over the axes is
         * not quite even, which the model ignores. */
        double ratio = h.error / h.stated, weak = h.weak_error / h.weak_stated;
        if (!(ratio > 0.5 && ratio < 1.6 && weak > 0.4 && weak < 1.8)) {
            print_error("case %d: error %g, stated %g; weak direction %g, stated %g\n", (int)n,
                        h.error, h.stated, h.weak_error, h.weak_stated);
            fail();
        }
    }
}

static void the_error_falls_with_the_square_root_of_the_frames(void **state)
{
    (void)state;
    honesty few = try_often(50, snw_vec3_make(0.5, 0.4, 0.3), 0.001, NULL);
    honesty many = try_often(800, snw_vec3_make(0.5, 0.4, 0.3), 0.001, NULL);
    check_near(few.stated / many.stated, 4, 0.4);
    check_near(few.error / many.error, 4, 1.6);
}

static void known_rotation_noise_takes_the_bias_out(void **state)
{
    (void)state;
    /* 3 degrees of motion under 0.6 degrees of rotation noise: plain SCoRE is pulled by a fifth. */
    static joint_motion motion;
    snw_random random = snw_random_seed(61, 1);
    snw_center_options plain = snw_center_options_default();
    plain.rank_threshold = 1e-6;
    snw_center_options informed = plain;
    double turn = 0.01;
    for (int i = 0; i < 3; i++)
        informed.parent_rotation_noise.m[i][i] = informed.child_rotation_noise.m[i][i] =
            turn * turn;
    snw_vec3 plain_sum = {0, 0, 0}, informed_sum = {0, 0, 0};
    int rounds = CHECK_SAMPLES(100);
    for (int round = 0; round < rounds; round++) {
        fill_motion(&random, &motion, 1000, snw_vec3_make(0.05, 0.05, 0.05));
        add_noise(&random, &motion, 0.001, turn);
        plain_sum = snw_vec3_add(plain_sum, solve(&motion, &plain).in_parent);
        informed_sum = snw_vec3_add(informed_sum, solve(&motion, &informed).in_parent);
    }
    double plain_bias = snw_vec3_distance(snw_vec3_scale(plain_sum, 1.0 / rounds), true_in_parent);
    double informed_bias =
        snw_vec3_distance(snw_vec3_scale(informed_sum, 1.0 / rounds), true_in_parent);
    assert_true(plain_bias > 0.01);
    assert_true(informed_bias < 0.2 * plain_bias);
}

static void noise_as_large_as_the_motion_leaves_the_plain_answer(void **state)
{
    (void)state;
    static joint_motion motion;
    snw_random random = snw_random_seed(97, 1);
    snw_center_options plain = snw_center_options_default(), informed = plain;
    for (int i = 0; i < 3; i++)
        informed.parent_rotation_noise.m[i][i] = informed.child_rotation_noise.m[i][i] = 0.0025;
    fill_motion(&random, &motion, 500, snw_vec3_make(0.05, 0.05, 0.05));
    add_noise(&random, &motion, 0.001, 0.05);
    snw_center a = solve(&motion, &plain), b = solve(&motion, &informed);
    assert_true(b.is_bias_guarded && !a.is_bias_guarded);
    check_vec3_near(a.in_parent, b.in_parent, 1e-12);
    /* The pull is most of the centre's distance, and the uncertainty says so. */
    double error = snw_vec3_distance(b.in_parent, true_in_parent);
    assert_true(error > 0.05 && b.sigma > 0.5 * error);
}

static void what_little_an_almost_hinge_says_is_used(void **state)
{
    (void)state;
    /* 30 degrees about one axis, 1.5 about the others: below the threshold of 2.5. */
    static joint_motion motion;
    snw_random random = snw_random_seed(101, 1);
    double error2 = 0, along2 = 0;
    for (int round = 0; round < 10; round++) {
        fill_motion(&random, &motion, 500, snw_vec3_make(0.026, 0.026, 0.5));
        add_noise(&random, &motion, 0.0005, 0.001);
        snw_center center = solve(&motion, NULL);
        assert_int_equal(center.undetermined, 1);
        error2 += snw_vec3_length2(snw_vec3_sub(center.in_parent, true_in_parent)) / 10;
        double midway = (snw_vec3_dot(true_in_parent, center.axis_in_parent) +
                         snw_vec3_dot(true_in_child, center.axis_in_child)) /
                        2;
        along2 += midway * midway / 10;
    }
    /* Midway along the axis would be some centimetres off. */
    assert_true(sqrt(along2) > 0.02);
    assert_true(sqrt(error2) < 0.1 * sqrt(along2));
}

static void rotation_covariance_of_a_limb_matches_simulated_fits(void **state)
{
    (void)state;
    const snw_vec3 shape[4] = {{0, 0, 0}, {0.2, 0, 0}, {0.1, 0.05, 0.02}, {0.15, -0.03, 0.04}};
    snw_mat3 covariance = snw_limb_rotation_covariance(shape, 4, 0.001);
    snw_random random = snw_random_seed(67, 1);
    double sum[3][3] = {{0}};
    int rounds = CHECK_SAMPLES(20000);
    for (int round = 0; round < rounds; round++) {
        snw_vec3 seen[4];
        for (int i = 0; i < 4; i++)
            seen[i] = snw_vec3_add(shape[i], random_vector(&random, 0.001));
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
    snw_mat3 line = snw_limb_rotation_covariance(shape, 2, 0.001);
    check_near(line.m[0][0], SNW_PI * SNW_PI, 1e-9);
    check_near(line.m[1][1], 1e-6 / 0.02, 1e-9);
    snw_mat3 none = snw_limb_rotation_covariance(shape, 0, 0.001);
    check_near(none.m[2][2], SNW_PI * SNW_PI, 1e-9);
}

static void bad_frames_are_found_and_left_out(void **state)
{
    (void)state;
    static joint_motion motion;
    snw_random random = snw_random_seed(71, 1);
    fill_motion(&random, &motion, 300, snw_vec3_make(0.5, 0.4, 0.3));
    add_noise(&random, &motion, 0.001, 0.003);
    for (int k = 0; k < 300; k += 8) /* swapped markers turn the limb by a wrong half radian */
        motion.child[k].rotation =
            snw_quat_mul(motion.child[k].rotation, snw_quat_exp(random_vector(&random, 0.5)));
    snw_center_options trusting = snw_center_options_default();
    trusting.is_robust = false;
    double naive = snw_vec3_distance(solve(&motion, &trusting).in_parent, true_in_parent);
    snw_center robust = solve(&motion, NULL);
    double careful = snw_vec3_distance(robust.in_parent, true_in_parent);
    assert_true(naive > 0.005);
    assert_true(careful < 0.001);
    /* 38 frames are bad, a few of them by chance only a little. */
    assert_true(robust.rejected_count >= 30 && robust.rejected_count <= 40);
    assert_int_equal(robust.rejected_count + robust.frame_count, 300);
}

static void the_plain_two_sided_slip_is_the_least_of_all_methods(void **state)
{
    (void)state;
    static joint_motion motion;
    static snw_vec3 markers[300][3];
    snw_random random = snw_random_seed(73, 1);
    fill_motion(&random, &motion, 300, snw_vec3_make(0.5, 0.4, 0.3));
    add_noise(&random, &motion, 0.002, 0.01);
    for (int k = 0; k < 300; k++)
        for (int n = 0; n < 3; n++) {
            snw_vec3 at = {0.1 * n, 0.05 * n * n, 0.1 - 0.1 * n};
            snw_vec3 seen =
                snw_vec3_add(snw_xform_point(motion.child[k], at), random_vector(&random, 0.001));
            markers[k][n] = snw_xform_unpoint(motion.parent[k], seen);
        }
    snw_center_data data = data_of(&motion);
    data.marker_count = 3;
    data.marker = &markers[0][0];
    snw_center_options options = snw_center_options_default();
    options.is_robust = false;
    snw_center least;
    assert_int_equal(snw_center_solve(&data, SNW_CENTER_TWO_SIDED, &options, &least, NULL), SNW_OK);
    for (int m = SNW_CENTER_MVM; m < SNW_CENTER_METHOD_COUNT; m++) {
        snw_center center;
        assert_int_equal(snw_center_solve(&data, (snw_center_method)m, &options, &center, NULL),
                         SNW_OK);
        assert_true(center.has_child);
        assert_true(center.slip >= least.slip * (1 - 1e-12));
        assert_int_equal(center.motion, SNW_JOINT_BALL);
        if (m == SNW_CENTER_KALMAN) continue;
        check_vec3_near(center.in_parent, true_in_parent, 5 * center.sigma + 0.003);
        check_vec3_near(center.in_child, true_in_child, 5 * center.sigma + 0.003);
    }
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
        if (k >= 400) /* from here the limb's frame sits elsewhere on it */
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
    case 3:
        return ldexp(snw_random_normal(random), (int)snw_random_below(random, 2000) - 1000);
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

/* ---- words ---------------------------------------------------------------------------------- */

static void every_verdict_reads_as_a_sentence(void **state)
{
    (void)state;
    const struct {
        snw_joint_type motion;
        int undetermined, rejected_count;
        bool is_bias_guarded;
        double range_deg[3], sigma, axis_sigma_deg;
        const char *words;
    } cases[] = {
        {SNW_JOINT_FIXED,
         3,
         0,
         false,
         {4, 1, 1},
         0.031,
         0,
         "this joint hardly moved: 4.0 degrees; centre uncertain by 31 mm"},
        {SNW_JOINT_FIXED,
         0,
         0,
         false,
         {6.25, 5, 4},
         0.004,
         0,
         "this joint hardly moved: 6.2 degrees; centre known within 4.0 mm"},
        {SNW_JOINT_HINGE,
         1,
         0,
         false,
         {62, 2, 1},
         0.0012,
         0.31,
         "a hinge: turned 62 degrees about one axis; axis known within 1.2 mm and 0.3 degrees, the "
         "place along it is not determined"},
        {SNW_JOINT_HINGE,
         0,
         0,
         false,
         {62, 8, 6},
         0.0125,
         1,
         "a hinge: turned 62 degrees about one axis; centre uncertain by 12 mm"},
        {SNW_JOINT_UNIVERSAL,
         0,
         0,
         false,
         {70, 40, 2},
         0.002,
         1,
         "two axes: turned 70 and 40 degrees; centre known within 2.0 mm"},
        {SNW_JOINT_BALL,
         0,
         3,
         false,
         {80, 45.4, 30},
         0.0008,
         1,
         "a ball joint: turned 80, 45 and 30 degrees; centre known within 0.8 mm; 3 outliers left "
         "out"},
        {SNW_JOINT_BALL,
         0,
         0,
         true,
         {20, 15, 0},
         0.2,
         1,
         "a ball joint: turned 20 and 15 degrees; centre uncertain by 200 mm; noise is as large as "
         "the curvature, so it is pulled towards the markers"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        snw_center center;
        memset(&center, 0, sizeof center);
        center.motion = cases[n].motion;
        center.undetermined = cases[n].undetermined;
        center.rejected_count = cases[n].rejected_count;
        center.is_bias_guarded = cases[n].is_bias_guarded;
        center.sigma = cases[n].sigma;
        center.axis_sigma = snw_radians(cases[n].axis_sigma_deg);
        for (int i = 0; i < 3; i++)
            center.range[i] = snw_radians(cases[n].range_deg[i]);
        char text[SNW_VERDICT_SIZE];
        assert_string_equal(snw_center_verdict(&center, text), cases[n].words);
    }
}

static void the_longest_verdict_fits(void **state)
{
    (void)state;
    snw_center center;
    memset(&center, 0, sizeof center);
    center.motion = SNW_JOINT_HINGE;
    center.undetermined = 1;
    center.is_bias_guarded = true;
    center.rejected_count = INT32_MAX;
    center.range[0] = 2 * SNW_PI;
    center.sigma = 99999;
    center.axis_sigma = SNW_PI;
    char text[SNW_VERDICT_SIZE];
    const char *verdict = snw_center_verdict(&center, text);
    assert_non_null(strstr(verdict, "2147483647 outliers left out"));
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
        cmocka_unit_test(limbs_that_do_not_move_against_each_other_have_no_centre),
        cmocka_unit_test(the_stated_uncertainty_is_the_error_that_happens),
        cmocka_unit_test(the_error_falls_with_the_square_root_of_the_frames),
        cmocka_unit_test(known_rotation_noise_takes_the_bias_out),
        cmocka_unit_test(noise_as_large_as_the_motion_leaves_the_plain_answer),
        cmocka_unit_test(what_little_an_almost_hinge_says_is_used),
        cmocka_unit_test(rotation_covariance_of_a_limb_matches_simulated_fits),
        cmocka_unit_test(bad_frames_are_found_and_left_out),
        cmocka_unit_test(the_plain_two_sided_slip_is_the_least_of_all_methods),
        cmocka_unit_test(frames_that_were_not_seen_are_left_out),
        cmocka_unit_test(fading_sums_follow_a_marker_that_slipped),
        cmocka_unit_test(too_few_frames_and_overflow_are_refused),
        cmocka_unit_test(no_data_however_wild_lead_to_nan),
        cmocka_unit_test(every_verdict_reads_as_a_sentence),
        cmocka_unit_test(the_longest_verdict_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
