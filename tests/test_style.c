/* Styles: expectation-maximization against its closed form for one component and against its own
 * promise that the likelihood never falls; densities against dense linear algebra; features and
 * poses both ways; text; what reaching with a style does. */
#include <sinew/style.h>

#include "ik_bodies.h"

/* ---- motions to learn from ------------------------------------------------------------------ */

static snw_skeleton *segment(void)
{
    snw_skeleton *body = NULL;
    snw_joint_def defs[5];
    const snw_joint_type types[5] = {SNW_JOINT_FIXED, SNW_JOINT_BALL, SNW_JOINT_HINGE,
                                     SNW_JOINT_UNIVERSAL, SNW_JOINT_BALL};
    static const char *const names[5] = {"root", "upper arm", "el\\bow", "wrist", "hand"};
    for (int j = 0; j < 5; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].joint.type = types[j];
        if (j) defs[j].rest.translation = snw_vec3_make(0.3, 0.02 * j, 0);
    }
    defs[4].has_tip = true;
    defs[4].tip = snw_vec3_make(0.1, 0, 0);
    assert_int_equal(snw_skeleton_create(defs, 5, NULL, &body, NULL), SNW_OK);
    return body;
}

/* Two ways of moving, each with two hidden coordinates and a little noise. */
static snw_motion *moving(const snw_skeleton *body, int frames, uint64_t seed)
{
    snw_motion *motion = NULL;
    snw_pose *pose = pose_of(body);
    snw_random random = snw_random_seed(seed, 0);
    double values[9];
    assert_int_equal(snw_motion_create(body, frames, 20, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(body->dof_count, 9);
    for (int f = 0; f < frames; f++) {
        double a = snw_random_normal(&random), b = snw_random_normal(&random);
        bool is_first = snw_random_below(&random, 3) > 0;
        for (int k = 0; k < 9; k++)
            values[k] = (is_first ? 0.3 : -0.4) * (k % 3 == 0) + 0.2 * a * sin(k + is_first) +
                        0.1 * b * cos(2 * k) + 0.03 * snw_random_normal(&random);
        snw_pose_set_values(pose, values);
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
    return motion;
}

/* Joints alone: nine features of the segment. */
static snw_style_options joint_options(void)
{
    snw_style_options options = snw_style_options_default();
    options.up = snw_vec3_make(0, 0, 0);
    return options;
}

static snw_style *learned(const snw_motion *motion, const snw_style_options *options,
                          snw_style_report *report)
{
    snw_style *style = NULL;
    snw_style_options chosen = options ? *options : snw_style_options_default();
    chosen.report = report;
    snw_error error;
    if (snw_style_learn(&motion, 1, &chosen, NULL, &style, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return style;
}

static void features_of(const snw_style *style, const snw_motion *motion, int frame, double *x)
{
    snw_pose *pose = pose_of(motion->skeleton);
    int joint_of[8];
    assert_int_equal(snw_style_match(style, motion->skeleton, joint_of), style->joint_count);
    snw_motion_get(motion, frame, pose);
    snw_style_features(style, joint_of, pose, x);
    snw_pose_destroy(pose);
}

/* ---- learning ------------------------------------------------------------------------------- */

/* One component, no shrinkage: mean, leading eigenvectors of the covariance and the mean of the
 * other eigenvalues (Tipping & Bishop 1999). */
static void one_component_is_principal_component_analysis(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 400, 1);
    snw_style_options options = joint_options();
    options.component_count = 1;
    options.dimension_count = 3;
    options.shrinkage = 0;
    snw_style_report report;
    snw_style *style = learned(motion, &options, &report);
    int n = style->feature_count;
    assert_int_equal(n, 9);
    double x[9], mean[9] = {0}, s[81] = {0}, values[9], vectors[81], rest = 0;
    for (int f = 0; f < 400; f++) {
        features_of(style, motion, f, x);
        for (int k = 0; k < n; k++)
            mean[k] += x[k] / 400;
    }
    for (int f = 0; f < 400; f++) {
        features_of(style, motion, f, x);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                s[i * n + j] += (x[i] - mean[i]) * (x[j] - mean[j]) / 400;
    }
    assert_int_equal(snw_eigen_symmetric(s, n, values, vectors), SNW_OK);
    for (int i = 3; i < n; i++)
        rest += values[i] / (n - 3);
    const double measured = 5e-3 * 5e-3; /* the noise with which frames count as measured */
    check_near(style->weight[0], 1, 0);
    check_near(style->noise[0], sqrt(rest + measured), 1e-9);
    for (int i = 0; i < 3; i++) {
        double dot = 0;
        for (int k = 0; k < n; k++)
            dot += style->direction[i * n + k] * vectors[i * n + k];
        check_near(fabs(dot), 1, 1e-9);
        check_near(style->deviation[i], sqrt(values[i] + measured), 1e-9);
    }
    for (int k = 0; k < n; k++)
        check_near(style->mean[k], mean[k], 1e-12);
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static void the_likelihood_never_falls(void **state)
{
    static const double shrinkages[] = {0, 5, 30};
    (void)state;
    snw_skeleton *body = segment();
    for (int k = 0; k < 9; k++) {
        snw_motion *motion = moving(body, 300, 10 + (uint64_t)k);
        snw_style_options options = joint_options();
        options.component_count = 2 + k % 4;
        options.dimension_count = 2 + k % 3;
        options.shrinkage = shrinkages[k % 3];
        options.iteration_max = 40;
        snw_style_report report;
        snw_style *style = learned(motion, &options, &report);
        assert_true(report.iterations > 0);
        /* Round-off of sums over 300 poses. */
        if (!(report.lowest_rise > -1e-9))
            fail_msg("case %d fell by %g after %d", k, report.lowest_rise, report.iterations);
        snw_style_destroy(style);
        snw_motion_destroy(motion);
    }
    snw_skeleton_destroy(body);
}

/* A few clean poses, fewer than features: nothing is left as noise but what measuring adds. */
static void few_clean_poses_do_not_make_a_style_certain(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = NULL;
    snw_pose *pose = pose_of(body);
    assert_int_equal(snw_motion_create(body, 40, 20, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 40; f++) {
        double values[9];
        for (int k = 0; k < 9; k++)
            values[k] = 0.3 * sin(0.2 * f + k % 2);
        snw_pose_set_values(pose, values);
        snw_motion_set(motion, f, pose);
    }
    for (int k = 0; k < 2; k++) {
        snw_style_options options = joint_options();
        options.component_count = 2;
        options.dimension_count = 5;
        options.shrinkage = 10 * k;
        snw_style_report report;
        snw_style *style = learned(motion, &options, &report);
        assert_true(report.lowest_rise > -1e-9);
        for (int c = 0; c < style->component_count; c++)
            assert_true(style->noise[c] >= 4.9e-3);
        snw_style_destroy(style);
    }
    snw_pose_destroy(pose);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* Two clusters are told apart, and a mixture explains them better than one Gaussian. */
static void a_mixture_finds_the_ways_of_moving(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 600, 4), *fresh = moving(body, 200, 5);
    snw_style_options options = joint_options();
    options.dimension_count = 3;
    options.shrinkage = 1;
    options.component_count = 1;
    snw_style *one = learned(motion, &options, NULL);
    options.component_count = 2;
    snw_style *two = learned(motion, &options, NULL);
    double x[9], gain = 0;
    for (int f = 0; f < 200; f++) {
        features_of(two, fresh, f, x);
        gain += snw_style_log_likelihood(two, x) - snw_style_log_likelihood(one, x);
    }
    assert_true(gain / 200 > 0.5); /* nats a pose, on poses that were not learned from */
    /* Two thirds and one third, as they were drawn; 600 draws are within 6 %. */
    check_near(fmax(two->weight[0], two->weight[1]), 2.0 / 3, 0.06);
    snw_style_destroy(one);
    snw_style_destroy(two);
    snw_motion_destroy(motion);
    snw_motion_destroy(fresh);
    snw_skeleton_destroy(body);
}

/* A long motion and a short one in another place: with all frames alike the mean is that of all,
 * with a likeness of 1 both motions count the same. */
static void a_long_motion_counts_less_than_its_frames(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motions[2] = {moving(body, 300, 21), moving(body, 30, 22)};
    snw_style_options options = joint_options();
    double mean[2] = {0, 0};
    options.component_count = 1;
    for (int m = 0; m < 2; m++) {
        snw_style *own = learned(motions[m], &options, NULL);
        mean[m] = own->mean[0];
        snw_style_destroy(own);
    }
    for (int k = 0; k < 2; k++) {
        snw_style *style = NULL;
        options.likeness = k;
        assert_int_equal(
            snw_style_learn((const snw_motion *const *)motions, 2, &options, NULL, &style, NULL),
            SNW_OK);
        double want = k ? (mean[0] + mean[1]) / 2 : (10 * mean[0] + mean[1]) / 11;
        check_near(style->mean[0], want, 1e-9);
        snw_style_destroy(style);
    }
    for (int m = 0; m < 2; m++)
        snw_motion_destroy(motions[m]);
    snw_skeleton_destroy(body);
}

/* Only the left arm moves in the motion, and the body leans to the left. Learned with mirror
 * images, the mean is symmetric: both wrists are mirror images of each other, and up is upright. */
static void what_one_side_does_is_learned_for_the_other(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_style_report report;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    int wrist[2] = {snw_skeleton_find_joint(body, "left_wrist"),
                    snw_skeleton_find_joint(body, "right_wrist")};
    snw_pose *pose = pose_of(body);
    assert_int_equal(snw_motion_create(body, 200, 20, NULL, &motion, NULL), SNW_OK);
    for (int f = 0; f < 200; f++) {
        snw_pose_reset(pose);
        for (int j = wrist[0]; j > 0; j = body->parent[j]) {
            double values[6] = {0.3 + 0.1 * sin(0.1 * f + j), 0.2 * cos(0.13 * f), 0.1};
            snw_joint_from_values(&body->joint[j], values, &pose->rotation[j], &pose->slide[j]);
        }
        pose->root.rotation = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.4);
        snw_motion_set(motion, f, pose);
    }
    for (int k = 0; k < 2; k++) {
        snw_style_options options = snw_style_options_default();
        options.component_count = 1;
        options.is_mirrored = k;
        snw_style *style = learned(motion, &options, &report);
        assert_int_equal(report.mirrored_count, k ? 200 : 0);
        assert_int_equal(report.frame_count, k ? 400 : 200);
        const double *lean = style->mean + style->feature_count - 3;
        check_near(lean[0], k ? 0 : sin(0.4), 1e-12);
        check_near(lean[1], cos(0.4), 1e-12);
        int joint_of[64];
        assert_true(style->joint_count <= 64);
        (void)snw_style_match(style, body, joint_of);
        snw_pose_reset(pose);
        snw_style_pose(style, joint_of, style->mean, pose);
        snw_pose_forward(pose);
        snw_vec3 left = pose->world[wrist[0]].translation;
        snw_vec3 right = pose->world[wrist[1]].translation;
        left.x = -left.x;
        /* Features are mirrored one by one, so that their means are exactly. */
        if (k) check_near(snw_vec3_distance(left, right), 0, 1e-9);
        if (!k) assert_true(snw_vec3_distance(left, right) > 0.1);
        snw_style_destroy(style);
    }
    snw_motion_destroy(motion);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
}

/* ---- densities ------------------------------------------------------------------------------ */

static void dense_covariance(const snw_style *style, int c, double *m)
{
    int n = style->feature_count, q = style->dimension_count;
    double noise2 = style->noise[c] * style->noise[c];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i * n + j] = i == j ? noise2 : 0;
            for (int d = 0; d < q; d++) {
                double s = style->deviation[c * q + d];
                const double *u = style->direction + (c * q + d) * n;
                m[i * n + j] += (s * s - noise2) * u[i] * u[j];
            }
        }
}

static void densities_are_those_of_dense_gaussians(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 300, 7);
    snw_style_options options = joint_options();
    options.component_count = 3;
    options.dimension_count = 4;
    snw_style *style = learned(motion, &options, NULL);
    int n = style->feature_count;
    double x[9], m[81], d[9];
    features_of(style, motion, 17, x);
    double sum = 0;
    for (int c = 0; c < style->component_count; c++) {
        double logs = 0, quadratic = 0;
        dense_covariance(style, c, m);
        for (int k = 0; k < n; k++)
            d[k] = x[k] - style->mean[c * n + k];
        assert_int_equal(snw_cholesky_factor(m, n), SNW_OK);
        assert_int_equal(snw_cholesky_solve(m, n, d), SNW_OK);
        for (int k = 0; k < n; k++) {
            quadratic += d[k] * (x[k] - style->mean[c * n + k]);
            logs += 2 * log(m[k * n + k]);
        }
        sum += style->weight[c] * exp(-0.5 * (quadratic + logs + n * log(2 * SNW_PI)));
    }
    check_near(snw_style_log_likelihood(style, x), log(sum), 1e-9);
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* The mean of a Gaussian's unknown part: m_u + C_uk C_kk^-1 (x_k - m_k). */
static void completing_is_conditioning(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 300, 8);
    snw_style_options options = joint_options();
    options.component_count = 1;
    options.dimension_count = 4;
    snw_style *style = learned(motion, &options, NULL);
    int n = style->feature_count, known = 5;
    double x[9], m[81], kk[25], d[5];
    bool is_known[9];
    features_of(style, motion, 40, x);
    dense_covariance(style, 0, m);
    for (int k = 0; k < n; k++)
        is_known[k] = k < known;
    for (int i = 0; i < known; i++) {
        d[i] = x[i] - style->mean[i];
        for (int j = 0; j < known; j++)
            kk[i * known + j] = m[i * n + j];
    }
    assert_int_equal(snw_cholesky_factor(kk, known), SNW_OK);
    assert_int_equal(snw_cholesky_solve(kk, known, d), SNW_OK);
    double before[9];
    memcpy(before, x, sizeof x);
    assert_int_equal(snw_style_complete(style, is_known, x), 0);
    for (int k = 0; k < n; k++) {
        double want = style->mean[k];
        for (int i = 0; i < known; i++)
            want += m[k * n + i] * d[i];
        check_near(x[k], is_known[k] ? before[k] : want, 1e-10);
    }
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* ---- features and text ---------------------------------------------------------------------- */

static void features_and_poses_are_each_others_inverse(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 50, 9);
    snw_style *style = learned(motion, NULL, NULL);
    snw_pose *pose = pose_of(body), *again = pose_of(body);
    int joint_of[8];
    (void)snw_style_match(style, body, joint_of);
    for (int f = 0; f < 50; f++) {
        double x[12];
        snw_motion_get(motion, f, pose);
        snw_style_features(style, joint_of, pose, x);
        snw_style_pose(style, joint_of, x, again);
        for (int j = 0; j < body->joint_count; j++)
            check_near(snw_quat_angle_between(pose->rotation[j], again->rotation[j]), 0, 1e-12);
    }
    snw_pose_destroy(pose);
    snw_pose_destroy(again);
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static char *print_whole(const snw_style *style, size_t *length)
{
    *length = snw_style_print(style, NULL, 0);
    char *text = malloc(*length + 1);
    assert_non_null(text);
    assert_int_equal(snw_style_print(style, text, *length + 1), *length);
    return text;
}

static void text_reads_back_exactly_and_cut_or_short_of_memory_leaves_nothing(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 200, 3);
    snw_style_options options = joint_options();
    options.component_count = 2;
    options.dimension_count = 2;
    options.up = snw_vec3_make(0, 0, 1);
    snw_style *style = learned(motion, &options, NULL), *again = NULL;
    size_t length, length2;
    char *text = print_whole(style, &length), *text2;
    snw_error error;
    assert_int_equal(snw_style_parse(text, length, NULL, &again, &error), SNW_OK);
    text2 = print_whole(again, &length2);
    assert_int_equal(length, length2);
    assert_memory_equal(text, text2, length);
    assert_true(again->has_lean && again->up.z == 1);
    assert_string_equal(again->joint[0].name, "upper arm");
    assert_string_equal(again->joint[1].name, "el\\bow");
    for (size_t cut = 0; cut + 1 < length; cut++) {
        counting_allocator counter = {.fail_at = -1};
        snw_allocator allocator = counting_hook(&counter);
        snw_style *part = NULL;
        snw_status status = snw_style_parse(text, cut, &allocator, &part, &error);
        /* Cut in the last number it may still be whole. */
        assert_true(status == SNW_FORMAT || cut > length - 30);
        snw_style_destroy(part);
        assert_int_equal(counter.live, 0);
    }
    for (long n = 0; n < 2; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator allocator = counting_hook(&counter);
        snw_style *part = NULL;
        assert_int_equal(snw_style_parse(text, length, &allocator, &part, &error),
                         SNW_OUT_OF_MEMORY);
        assert_null(part);
        assert_int_equal(counter.live, 0);
    }
    free(text);
    free(text2);
    snw_style_destroy(style);
    snw_style_destroy(again);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

static void what_is_no_style_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const char joint[] = "sinew-style 1\njoint hinge 0 0 1 1 0 0 a\n";
    static const struct {
        const char *body, *part;
    } cases[] = {
        {"component 1 0.1\nmean 0\ndirection 0.2 2\n", "orthonormal"},
        {"component 1 0.1\nmean 0\ndirection 0.05 1\n", "above the noise"},
        {"component 0.5 0.1\nmean 0\n", "sum to 1"},
        {"component 1 0\nmean 0\n", "noise above 0"},
        {"component 1 0.1\nmean 0 1\n", "a mean"},
        {"component 1 0.1\nmean nan\n", "a mean"},
        {"component 1 0.1\nmean 0\njoint hinge 0 0 1 1 0 0 b\n", "nothing more"},
        {"joint hinge 0 0 1 1 0 0 a\ncomponent 1 0.1\nmean 0 0\n", "one name"},
        {"joint fixed 0 0 1 1 0 0 b\ncomponent 1 0.1\nmean 0 0\n", "a joint needs"},
        {"joint ball 0 0 1 0 0 1 b\ncomponent 1 0.1\nmean 0 0 0 0\n", "perpendicular"},
        {"joint hinge 0 0 1 1 0 0 b c\ncomponent 1 0.1\nmean 0 0\n", "one word"},
        {"lean 0 1\ncomponent 1 0.1\nmean 0 0 0 0\n", "unit vector"},
        {"lean 0 2 0\ncomponent 1 0.1\nmean 0 0 0 0\n", "unit vector"},
        {"lean 0 1 0\nlean 0 1 0\ncomponent 1 0.1\nmean 0 0 0 0\n", "joints are expected"},
        {"lean 0 1 0\ncomponent 1 0.1\nmean 0 0 0\n", "a mean"},
        {"", "1 to 64 components"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[256];
        snw_style *style = NULL;
        snw_error error;
        snprintf(text, sizeof text, "%s%s", joint, cases[n].body);
        assert_int_equal(snw_style_parse(text, strlen(text), NULL, &style, &error), SNW_FORMAT);
        if (!strstr(error.message, cases[n].part)) fail_msg("%s", error.message);
        assert_null(style);
    }
    snw_style *style = NULL;
    snw_error error;
    assert_int_equal(snw_style_parse("style", 5, NULL, &style, &error), SNW_FORMAT);
    assert_non_null(strstr(error.message, "first line"));
}

static void learning_says_what_it_cannot_learn_from(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *still = NULL;
    snw_style *style = NULL;
    snw_error error;
    assert_int_equal(snw_motion_create(body, 50, 20, NULL, &still, NULL), SNW_OK);
    const snw_motion *motions[1] = {still};
    assert_int_equal(snw_style_learn(motions, 1, NULL, NULL, &style, &error), SNW_DEGENERATE);
    assert_null(style);
    assert_int_equal(snw_style_learn(motions, 0, NULL, NULL, &style, &error), SNW_INVALID_ARGUMENT);
    snw_style_options options = joint_options();
    options.component_count = 65;
    assert_int_equal(snw_style_learn(motions, 1, &options, NULL, &style, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "component_count"));
    snw_motion_destroy(still);
    snw_skeleton_destroy(body);
}

/* ---- reaching ------------------------------------------------------------------------------- */

/* Given where the hand's tip is, the joints are nearer to the truth with the style than without, on
 * poses that were not learned from; goals are met all the same, and twice gives the same bits. */
static void reaching_in_a_style_is_nearer_to_how_the_body_moves(void **state)
{
    (void)state;
    snw_skeleton *body = segment();
    snw_motion *motion = moving(body, 600, 12), *fresh = moving(body, 60, 13);
    snw_style *style = learned(motion, NULL, NULL);
    snw_goal goal = snw_goal_position(4, body->tip[4], snw_vec3_make(0, 0, 0));
    snw_ik_options options = snw_ik_options_default();
    snw_ik *plain = ik_of(body, &goal, 1, &options);
    counting_allocator counter = {.fail_at = -1};
    snw_allocator allocator = counting_hook(&counter);
    options.style = style;
    snw_ik *styled = NULL;
    assert_int_equal(
        snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, &allocator, &styled, NULL),
        SNW_OK);
    long calls = counter.calls;
    snw_pose *truth = pose_of(body), *pose = pose_of(body), *twice = pose_of(body);
    double without = 0, with = 0;
    for (int f = 0; f < 60; f++) {
        snw_motion_get(fresh, f, truth);
        truth->root = snw_xform_make(snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), 0.1 * f),
                                     snw_vec3_make(1, 2, f));
        snw_pose_forward(truth);
        goal.position = snw_pose_tip(truth, 4);
        for (int k = 0; k < 2; k++) {
            snw_pose_reset(pose);
            pose->root = truth->root;
            snw_ik_result result = snw_ik_solve(k ? styled : plain, &goal, pose);
            assert_int_equal(result.outcome, SNW_IK_REACHED);
            for (int j = 2; j < 5; j++)
                *(k ? &with : &without) +=
                    snw_vec3_distance(pose->world[j].translation, truth->world[j].translation);
        }
        snw_pose_copy(twice, pose);
        (void)snw_ik_solve(styled, &goal, twice);
        assert_memory_equal(twice->rotation, pose->rotation, 5 * sizeof *pose->rotation);
    }
    assert_int_equal(counter.calls, calls); /* a solve takes no memory */
    assert_true(with < 0.7 * without);
    snw_pose_destroy(truth);
    snw_pose_destroy(pose);
    snw_pose_destroy(twice);
    snw_ik_destroy(plain);
    snw_ik_destroy(styled);
    assert_int_equal(counter.live, 0);
    options.style_weight = 0;
    snw_error error;
    snw_ik *ik = NULL;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "style_weight"));
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_motion_destroy(fresh);
    snw_skeleton_destroy(body);
}

/* Two ways of moving that the goal tells apart by how the body leans alone: a hinge that moves no
 * goal bends one way where the body stands and the other where it lies. Where up is not known the
 * answer is what both expect together. */
static void joints_that_no_goal_shows_follow_how_the_body_leans(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_joint_def defs[4];
    static const char *const names[4] = {"root", "arm", "hand", "leg"};
    for (int j = 0; j < 4; j++) {
        defs[j] = snw_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j == 3 ? 0 : j - 1;
        defs[j].joint.type = j ? SNW_JOINT_HINGE : SNW_JOINT_FIXED;
        if (j) defs[j].rest.translation = snw_vec3_make(0.3, 0, 0);
    }
    defs[2].has_tip = true;
    defs[2].tip = snw_vec3_make(0.2, 0, 0);
    assert_int_equal(snw_skeleton_create(defs, 4, NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 200, 20, NULL, &motion, NULL), SNW_OK);
    snw_pose *pose = pose_of(body);
    const snw_quat lying = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), SNW_PI / 2);
    for (int f = 0; f < 200; f++) {
        double values[3] = {0.5 * sin(0.1 * f), 0.7 + 0.3 * cos(0.17 * f),
                            (f < 100 ? 0.8 : -0.8) + 0.05 * sin(0.3 * f)};
        pose->root.rotation = f < 100 ? snw_quat_identity() : lying;
        snw_pose_set_values(pose, values);
        snw_motion_set(motion, f, pose);
    }
    snw_style_options options = snw_style_options_default();
    options.component_count = 2;
    options.dimension_count = 2;
    options.shrinkage = 1;
    snw_style *style = learned(motion, &options, NULL);
    static const double wanted[3] = {0.8, -0.8, 0};
    for (int k = 0; k < 3; k++) {
        snw_ik_options reach = snw_ik_options_default();
        reach.style = style;
        if (k == 2) reach.style_up = snw_vec3_make(0, 0, 0);
        double values[3] = {0.2, 0.8, 0};
        snw_pose_set_values(pose, values);
        pose->root.rotation = k == 1 ? lying : snw_quat_identity();
        snw_pose_forward(pose);
        snw_goal goal = snw_goal_position(2, body->tip[2], snw_pose_tip(pose, 2));
        snw_ik *ik = ik_of(body, &goal, 1, &reach);
        assert_int_equal(snw_ik_solve(ik, &goal, pose).outcome, SNW_IK_REACHED);
        snw_pose_values(pose, values);
        /* The spread of the angle within a way of moving; both together: shares are not just one
         * half, as the goals are somewhat likelier in one. */
        check_near(values[2], wanted[k], k < 2 ? 0.1 : 0.4);
        snw_ik_destroy(ik);
    }
    snw_pose_destroy(pose);
    snw_style_destroy(style);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_component_is_principal_component_analysis),
        cmocka_unit_test(the_likelihood_never_falls),
        cmocka_unit_test(few_clean_poses_do_not_make_a_style_certain),
        cmocka_unit_test(a_mixture_finds_the_ways_of_moving),
        cmocka_unit_test(a_long_motion_counts_less_than_its_frames),
        cmocka_unit_test(what_one_side_does_is_learned_for_the_other),
        cmocka_unit_test(densities_are_those_of_dense_gaussians),
        cmocka_unit_test(completing_is_conditioning),
        cmocka_unit_test(features_and_poses_are_each_others_inverse),
        cmocka_unit_test(text_reads_back_exactly_and_cut_or_short_of_memory_leaves_nothing),
        cmocka_unit_test(what_is_no_style_is_refused_with_a_sentence),
        cmocka_unit_test(learning_says_what_it_cannot_learn_from),
        cmocka_unit_test(reaching_in_a_style_is_nearer_to_how_the_body_moves),
        cmocka_unit_test(joints_that_no_goal_shows_follow_how_the_body_leans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
