/* Live prediction: the turn model against printed values, the unscented filter against the Kalman
 * filter, hidden markers against the motion that made them. */
#include "check.h"
#include "hidden/turn_model.h"
#include "unscented_filter.h"

/* ---- the variable turn model
 * ---------------------------------------------------------------------- */

/* Values from a matrix exponential and a fine quadrature of the same equations. */
static void transition_and_noise_are_the_verified_ones(void **state)
{
    double q[6];
    (void)state;
    snw__turn f = snw__turn_transition(0.7, 2.5, 0.1);
    check_near(f.f12, 0.098840172753, 1e-12);
    check_near(f.f13, 0.004746182699, 1e-12);
    check_near(f.f22, 0.965685099088, 1e-12);
    check_near(f.f23, 0.092195516975, 1e-12);
    check_near(f.f32, -0.666573587729, 1e-12);
    check_near(f.f33, 0.836611375323, 1e-12);
    snw__turn_noise(0.7, 2.5, 0.1, q);
    check_near(q[0], 4.590612713805e-07, 1e-12);
    check_near(q[1], 1.126312510524e-05, 1e-12);
    check_near(q[2], 1.413313181776e-04, 1e-12);
    check_near(q[3], 2.962454493970e-04, 1e-12);
    check_near(q[4], 4.250006675143e-03, 1e-12);
    check_near(q[5], 8.522368219937e-02, 1e-12);
}

/* f33 + 2 alpha f23 + k f13 = 1 wherever the parameters lie; the misprinted f33 breaks it. */
static void transition_keeps_its_identity(void **state)
{
    (void)state;
    for (double alpha = -3; alpha <= 3; alpha += 0.37)
        for (double omega = 0; omega < 9; omega += 0.61) {
            snw__turn f = snw__turn_transition(alpha, omega, 0.05);
            double k = 2 * alpha * alpha + omega * omega;
            check_near(f.f33 + 2 * alpha * f.f23 + k * f.f13, 1, 1e-12);
        }
}

static void slow_points_move_with_constant_acceleration(void **state)
{
    double q[6], alpha = 1, omega = 1;
    (void)state;
    snw__turn_parameters(snw_vec3_make(1e-4, 0, 0), snw_vec3_make(5, 2, 0), &alpha, &omega);
    check_near(alpha, 0, 0);
    check_near(omega, 0, 0);
    snw__turn f = snw__turn_transition(0, 0, 0.1);
    check_near(f.f12, 0.1, 1e-15);
    check_near(f.f13, 0.005, 1e-15);
    check_near(f.f33, 1, 1e-15);
    snw__turn_noise(0, 0, 0.1, q);
    check_near(q[0], 1e-5 / 20, 1e-18);
    check_near(q[3], 1e-3 / 3, 1e-15);
}

/* The model is linear once the transition is frozen: the two filters must agree to round-off, here
 * 200 steps of a point on a helix. */
static void unscented_filter_equals_the_kalman_filter(void **state)
{
    snw__marker_filter filter;
    unscented_filter ukf;
    snw_random random = snw_random_seed(3, 3);
    const double step = 1.0 / 120, sigma = 1e-3;
    (void)state;
    memset(&filter, 0, sizeof filter);
    snw__filter_update(&filter, SNW__FILTER_TURN, snw_vec3_make(1, 0, 0), sigma, step);
    ukf_start(&ukf, &filter);
    for (int k = 1; k <= 200; k++) {
        double alpha, omega, q[6], angle = 4 * k * step;
        snw_vec3 seen = {cos(angle) + sigma * snw_random_normal(&random), sin(angle), 0.3 * angle};
        snw_vec3 a = snw_vec3_scale(snw_vec3_sub(filter.smooth, filter.smooth_before), 1 / step);
        snw__turn_parameters(filter.smooth, a, &alpha, &omega);
        snw__turn turn = snw__turn_transition(alpha, omega, step);
        snw__turn_noise(alpha, omega, step, q);
        for (int i = 0; i < 6; i++)
            q[i] *= 1e5; /* the density of the noise on jerk that the filter has */
        ukf_step(&ukf, &turn, q, k % 7 ? &seen : NULL, sigma);
        snw__filter_predict(&filter, SNW__FILTER_TURN, step);
        if (k % 7) snw__filter_update(&filter, SNW__FILTER_TURN, seen, sigma, step);
        check_vec3_near(filter.x, snw_vec3_make(ukf.state[0], ukf.state[3], ukf.state[6]), 1e-9);
        check_near(filter.p[0], ukf.p[0], 1e-9);
        check_near(filter.p[3] / ukf.p[10], 1, 1e-6);
    }
}

static void extrapolation_is_exact_on_lines_and_circles(void **state)
{
    snw__marker_filter line, circle;
    (void)state;
    memset(&line, 0, sizeof line);
    memset(&circle, 0, sizeof circle);
    for (int k = 0; k < 10; k++) {
        snw_vec3 on_line = {0.1 * k, 1, -0.2 * k}, on_circle = {cos(0.1 * k), sin(0.1 * k), 0};
        snw_vec3 line_guess = snw__filter_predict(&line, SNW__FILTER_LINE, 0.01);
        snw_vec3 circle_guess = snw__filter_predict(&circle, SNW__FILTER_CIRCLE, 0.01);
        if (k >= 3) {
            check_vec3_near(line_guess, on_line, 1e-12);
            check_vec3_near(circle_guess, on_circle, 1e-12);
        }
        snw__filter_update(&line, SNW__FILTER_LINE, on_line, 1e-3, 0.01);
        snw__filter_update(&circle, SNW__FILTER_CIRCLE, on_circle, 1e-3, 0.01);
    }
}

/* ---- the predictor
 * --------------------------------------------------------------------------------- */

enum {
    LIVE_SEGMENTS = 3,
    LIVE_MARKERS = 12,
    LIVE_FRAMES = 1500
};

static const double live_rate = 100;

/* Three segments in a chain, four markers each, swinging. */
static snw_vec3 live_point(int marker, double time)
{
    static const snw_vec3 place[4] = {
        {0.05, 0.08, 0.01}, {-0.05, 0.15, 0.03}, {0.04, 0.25, -0.04}, {-0.02, 0.3, 0.05}};
    snw_xform world = {snw_quat_identity(), {0.8 * sin(0.5 * time), 1, 0.3 * time}};
    for (int segment = 0; segment <= marker / 4; segment++) {
        snw_vec3 turn = {0.6 * sin(2 * time + segment), 0.4 * sin(1.3 * time),
                         0.5 * cos(2.7 * time)};
        snw_xform next = {snw_quat_exp(turn), {0, segment > 0 ? 0.35 : 0, 0}};
        world = snw_xform_mul(world, next);
    }
    return snw_xform_point(world, place[marker % 4]);
}

typedef struct live_stage {
    snw_segments *segments;
    snw_predictor *predictor;
    snw_sample sample[LIVE_MARKERS];
    uint8_t state[LIVE_MARKERS];
} live_stage;

static live_stage open_stage(snw_predict_method method, double blend,
                             const snw_allocator *allocator)
{
    static const int segment_of[LIVE_MARKERS] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    static const int neighbour[LIVE_SEGMENTS] = {-1, 0, 1};
    snw_predict_options options = snw_predict_options_default();
    live_stage stage;
    snw_error error;
    memset(&stage, 0, sizeof stage);
    options.method = method;
    options.blend_seconds = blend;
    options.neighbour = neighbour;
    assert_int_equal(
        snw_segments_create(segment_of, LIVE_MARKERS, NULL, NULL, &stage.segments, &error), SNW_OK);
    if (snw_predictor_create(stage.segments, live_rate, &options, allocator, &stage.predictor,
                             &error) != SNW_OK)
        fail_msg("%s", error.message);
    return stage;
}

static void close_stage(live_stage *stage)
{
    snw_predictor_destroy(stage->predictor);
    snw_segments_destroy(stage->segments);
}

/* The frame as cameras see it; `hidden` has a bit for each marker that they do not. */
static snw_frame live_frame(live_stage *stage, int frame, unsigned hidden)
{
    snw_frame view = {LIVE_MARKERS, frame / live_rate, 1, 0, stage->sample, stage->state, NULL};
    for (int m = 0; m < LIVE_MARKERS; m++) {
        snw_vec3 at = live_point(m, frame / live_rate);
        bool is_hidden = hidden >> m & 1;
        stage->state[m] = is_hidden ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED;
        stage->sample[m].x = is_hidden ? NAN : (float)at.x;
        stage->sample[m].y = is_hidden ? NAN : (float)at.y;
        stage->sample[m].z = is_hidden ? NAN : (float)at.z;
    }
    return view;
}

/* The mean error of hidden markers over a second and a half. */
static double live_error(snw_predict_method method, unsigned hidden, bool with_rays)
{
    live_stage stage = open_stage(method, 0, NULL);
    const snw_vec3 camera = {3, 2, 4};
    double sum = 0, count = 0;
    for (int frame = 0; frame < LIVE_FRAMES; frame++) {
        snw_ray ray[LIVE_MARKERS];
        int ray_count = 0;
        unsigned now = frame < LIVE_FRAMES - 150 ? 0 : hidden;
        for (int m = 0; with_rays && m < LIVE_MARKERS; m++) {
            if (!(now >> m & 1)) continue;
            snw_line line = snw_line_make(camera, live_point(m, frame / live_rate));
            ray[ray_count++] = (snw_ray){m, line.point, line.direction};
        }
        snw_frame view = live_frame(&stage, frame, now);
        snw_frame out = snw_predictor_step(stage.predictor, &view, ray, ray_count);
        for (int m = 0; m < LIVE_MARKERS; m++) {
            if (!(now >> m & 1)) continue;
            assert_int_equal(out.state[m], SNW_SAMPLE_PREDICTED);
            assert_true(out.uncertainty[m] > 0);
            snw_vec3 guess = snw_frame_position(&out, m);
            sum += snw_vec3_distance(guess, live_point(m, frame / live_rate));
            count++;
        }
    }
    close_stage(&stage);
    return sum / count;
}

/* Rigid segments without noise. Bounds: one of four hidden is told exactly, up to float samples
 * (1e-6); two hidden leave a twist, three a direction, which the five cases lose slowly and the
 * learned prediction does not. */
static void hidden_markers_are_predicted(void **state)
{
    static const struct {
        snw_predict_method method;
        unsigned hidden;
        double bound; /* metres */
    } row[] = {
        {SNW_PREDICT_AUTO, 0x010, 2e-4},     {SNW_PREDICT_AUTO, 0x030, 3e-3},
        {SNW_PREDICT_AUTO, 0x0f0, 0.02},     {SNW_PREDICT_AUTO, 0xf00, 0.08},
        {SNW_PREDICT_TURN, 0x010, 1e-3},     {SNW_PREDICT_TURN, 0x030, 0.2},
        {SNW_PREDICT_TURN, 0x070, 0.15},     {SNW_PREDICT_TURN, 0x0f0, 0.3},
        {SNW_PREDICT_VELOCITY, 0x010, 1e-3}, {SNW_PREDICT_VELOCITY, 0x030, 0.2},
        {SNW_PREDICT_LINE, 0x010, 1e-3},     {SNW_PREDICT_CIRCLE, 0x030, 0.2},
        {SNW_PREDICT_TURN, 0xff0, 0.6},
    };
    (void)state;
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        double error = live_error(row[n].method, row[n].hidden, false);
        if (!(error < row[n].bound))
            fail_msg("%s, hidden %x: %g m", snw_predict_method_name(row[n].method), row[n].hidden,
                     error);
    }
}

/* A camera's ray leaves one direction of three: errors must fall to less than half. */
static void ray_of_one_camera_helps(void **state)
{
    static const unsigned hidden[] = {0x030, 0x070, 0x0f0};
    (void)state;
    for (size_t n = 0; n < sizeof hidden / sizeof *hidden; n++) {
        double without = live_error(SNW_PREDICT_TURN, hidden[n], false);
        assert_true(live_error(SNW_PREDICT_TURN, hidden[n], true) < 0.5 * without);
    }
    assert_true(live_error(SNW_PREDICT_AUTO, 0x0f0, true) <
                live_error(SNW_PREDICT_AUTO, 0x0f0, false));
}

static void centre_comes_from_predicted_markers(void **state)
{
    live_stage stage = open_stage(SNW_PREDICT_AUTO, 0, NULL);
    snw_vec3 center = {0, 0, 0}, seen;
    (void)state;
    assert_false(snw_predictor_center(stage.predictor, 1, &center));
    assert_false(snw_predictor_center(stage.predictor, 0, &center));
    assert_false(snw_predictor_center(stage.predictor, 99, &center));
    for (int frame = 0; frame < LIVE_FRAMES; frame++) {
        snw_frame view = live_frame(&stage, frame, frame < LIVE_FRAMES - 50 ? 0 : 0x0f0);
        snw_predictor_step(stage.predictor, &view, NULL, 0);
    }
    assert_true(snw_predictor_center(stage.predictor, 1, &center));
    /* The second segment turns about its own origin: its first marker keeps its distance to it. */
    seen = live_point(4, (LIVE_FRAMES - 1) / live_rate);
    check_near(snw_vec3_distance(center, seen), snw_vec3_length(snw_vec3_make(0.05, 0.08, 0.01)),
               3e-3);
    close_stage(&stage);
}

static void marker_that_comes_back_is_led_without_a_jump(void **state)
{
    live_stage stage = open_stage(SNW_PREDICT_LINE, 0.2, NULL);
    snw_vec3 last = {0, 0, 0};
    int led = 0;
    (void)state;
    for (int frame = 0; frame < 700; frame++) {
        snw_frame view = live_frame(&stage, frame, frame >= 600 && frame < 650 ? 0xff0 : 0);
        snw_frame out = snw_predictor_step(stage.predictor, &view, NULL, 0);
        snw_vec3 at = snw_frame_position(&out, 9);
        /* The marker itself moves by less than 4 cm in a frame; led over 20 frames, an offset of up
         * to 0.4 m adds 3 cm. */
        if (frame > 650) assert_true(snw_vec3_distance(at, last) < 0.07);
        led += frame >= 650 && out.state[9] == SNW_SAMPLE_PREDICTED;
        if (frame == 699) check_vec3_near(at, live_point(9, 6.99), 1e-6);
        last = at;
    }
    assert_in_range(led, 15, 20);
    close_stage(&stage);
}

static void seen_samples_pass_through_bit_for_bit(void **state)
{
    live_stage stage = open_stage(SNW_PREDICT_AUTO, 0, NULL);
    (void)state;
    for (int frame = 0; frame < 200; frame++) {
        snw_frame view = live_frame(&stage, frame, frame > 100 ? 0x00f : 0);
        snw_frame out = snw_predictor_step(stage.predictor, &view, NULL, 0);
        for (int m = 4; m < LIVE_MARKERS; m++) {
            assert_int_equal(out.state[m], SNW_SAMPLE_MEASURED);
            assert_memory_equal(out.sample + m, view.sample + m, sizeof(snw_sample));
        }
    }
    close_stage(&stage);
}

/* Samples at random places, far away, not finite, rays of nobody: no NaN comes out, and no step
 * allocates. */
static void no_nan_and_no_allocation_whatever_comes(void **state)
{
    snw_random random = snw_random_seed(9, 9);
    (void)state;
    for (int method = 0; method < SNW_PREDICT_METHOD_COUNT; method++) {
        counting_allocator counter = {0, 0, 0, -1};
        snw_allocator hook = counting_hook(&counter);
        live_stage stage = open_stage((snw_predict_method)method, 0.1, &hook);
        long calls = counter.calls;
        for (int frame = 0; frame < 400; frame++) {
            snw_frame view = live_frame(&stage, frame, snw_random_u32(&random) & 0xfff);
            if (snw_random_below(&random, 5) == 0) stage.sample[3].x = 1e30f;
            if (snw_random_below(&random, 5) == 0) stage.sample[5].y = NAN;
            if (snw_random_below(&random, 9) == 0)
                for (int m = 0; m < LIVE_MARKERS; m++)
                    stage.sample[m] = stage.sample[0];
            snw_ray ray[3] = {
                {99, {0, 0, 0}, {1, 0, 0}}, {4, {0, NAN, 0}, {1, 0, 0}}, {5, {0, 1, 0}, {0, 0, 1}}};
            snw_frame out = snw_predictor_step(stage.predictor, &view, ray, 3);
            for (int m = 0; m < LIVE_MARKERS; m++) {
                if (out.state[m] == SNW_SAMPLE_MISSING) continue;
                assert_true(snw_vec3_is_finite(snw_frame_position(&out, m)));
                assert_true(isfinite(out.uncertainty[m]));
            }
        }
        assert_int_equal(counter.calls, calls);
        close_stage(&stage);
        assert_int_equal(counter.live, 0);
    }
}

static void reset_forgets_everything(void **state)
{
    live_stage stage = open_stage(SNW_PREDICT_AUTO, 0, NULL);
    snw_sample first[LIVE_MARKERS];
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int frame = 0; frame < 300; frame++) {
            snw_frame view = live_frame(&stage, frame, frame > 250 ? 0x0f0 : 0);
            snw_frame out = snw_predictor_step(stage.predictor, &view, NULL, 0);
            if (frame < 299) continue;
            if (round == 0)
                memcpy(first, out.sample, sizeof first);
            else
                assert_memory_equal(first, out.sample, sizeof first);
        }
        snw_predictor_reset(stage.predictor);
    }
    close_stage(&stage);
}

static void wrong_arguments_are_refused_with_a_sentence(void **state)
{
    static const int segment_of[3] = {0, 0, 1}, itself[2] = {0, -1}, nobody[2] = {7, -1};
    snw_segments *segments = NULL;
    snw_predictor *predictor = NULL;
    snw_error error;
    (void)state;
    assert_int_equal(snw_segments_create(segment_of, 3, NULL, NULL, &segments, &error), SNW_OK);
    const struct {
        const int *neighbour;
        double rate;
    } row[] = {{itself, 100}, {nobody, 100}, {NULL, 0}, {NULL, NAN}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        snw_predict_options options = snw_predict_options_default();
        options.neighbour = row[n].neighbour;
        assert_int_equal(
            snw_predictor_create(segments, row[n].rate, &options, NULL, &predictor, &error),
            SNW_INVALID_ARGUMENT);
        assert_null(predictor);
        assert_true(error.message[0] != 0);
    }
    snw_segments_destroy(segments);
}

/* ---- bone lengths
 * ----------------------------------------------------------------------------------- */

static void bone_lengths_are_restored_and_fixed_joints_stay(void **state)
{
    /* A trunk (0 to 1) with two chains of three, as arms: 1-2-3-4 and 1-5-6-7. */
    static const int parent[8] = {-1, 0, 1, 2, 3, 1, 5, 6};
    static const double length[8] = {0, 0.5, 0.2, 0.3, 0.25, 0.2, 0.3, 0.25};
    static const bool between[8] = {true, true, true, false, true, true, false, false};
    static const bool branch[8] = {true, false, false, false, true, false, true, true};
    const bool *fixed[2] = {between, branch};
    const snw_bone_lengths bones = {8, parent, length, NULL, NULL};
    snw_random random = snw_random_seed(4, 4);
    (void)state;
    for (int run = 0; run < 40; run++) {
        snw_vec3 place[8] = {{0, 0, 0}}, start[8];
        for (int j = 1; j < 8; j++) {
            snw_vec3 way =
                snw_vec3_unit(snw_vec3_add(snw_vec3_make(parent[j] >= 5 || j == 5 ? 1 : -1, 1, 0),
                                           snw_vec3_scale(snw_random_direction(&random), 0.5)),
                              snw_vec3_make(0, 1, 0));
            place[j] = snw_vec3_add_scaled(place[parent[j]], length[j], way);
        }
        const bool *is_fixed = fixed[run % 2];
        for (int j = 0; j < 8; j++)
            if (!is_fixed[j])
                place[j] = snw_vec3_add_scaled(place[j], 0.03, snw_random_direction(&random));
        memcpy(start, place, sizeof start);
        double left = snw_bone_lengths_restore(&bones, is_fixed, place);
        check_near(left, 0, 2e-4); /* alternating projections near a stretched chain are slow */
        for (int j = 0; j < 8; j++)
            if (is_fixed[j]) check_vec3_near(place[j], start[j], 0);
        for (int j = 1; j < 8; j++)
            check_near(snw_vec3_distance(place[j], place[parent[j]]), length[j], 2e-4);
    }
}

static void end_of_a_chain_is_restored_in_one_pass_along_its_line(void **state)
{
    static const int parent[3] = {-1, 0, 1};
    static const double length[3] = {0, 1, 1};
    static const bool is_fixed[3] = {true, false, false};
    const snw_bone_lengths bones = {3, parent, length, NULL, NULL};
    snw_vec3 place[3] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}};
    (void)state;
    check_near(snw_bone_lengths_restore(&bones, is_fixed, place), 0, 1e-12);
    check_vec3_near(place[1], snw_vec3_make(1, 0, 0), 1e-12);
    check_vec3_near(place[2],
                    snw_vec3_add(place[1], snw_vec3_scale(snw_vec3_make(1, 3, 0), 1 / sqrt(10))),
                    1e-12);
}

static double bend_of(const snw_vec3 *place, int joint)
{
    snw_vec3 before = snw_vec3_sub(place[joint - 1], place[joint - 2]);
    snw_vec3 bone = snw_vec3_sub(place[joint], place[joint - 1]);
    return atan2(snw_vec3_length(snw_vec3_cross(before, bone)), snw_vec3_dot(before, bone));
}

/* A bone beyond its limit comes back to the edge of its cone by the least angle; straight back it
 * comes to the edge somewhere. */
static void bone_beyond_its_limit_comes_back_to_the_cone(void **state)
{
    static const int parent[3] = {-1, 0, 1};
    static const double length[3] = {0, 1, 1}, bend[3] = {9, 9, SNW_PI / 6};
    static const bool is_fixed[3] = {true, true, false};
    static const snw_vec3 end[3] = {{1, 2, 0}, {0.2, 0, 0}, {1.9, 0.1, 0}};
    const snw_bone_lengths bones = {3, parent, length, NULL, bend};
    (void)state;
    for (int n = 0; n < 3; n++) {
        snw_vec3 place[3] = {{0, 0, 0}, {1, 0, 0}, end[n]};
        check_near(snw_bone_lengths_restore(&bones, is_fixed, place), 0, 1e-12);
        if (n < 2) check_near(bend_of(place, 2), SNW_PI / 6, 1e-12);
        if (n == 0) check_vec3_near(place[2], snw_vec3_make(1 + cos(SNW_PI / 6), 0.5, 0), 1e-12);
        if (n == 2) check_near(bend_of(place, 2), atan2(0.1, 0.9), 1e-12);
    }
}

/* Between fixed joints, from bent beyond the limits: lengths and limits are kept where a posture
 * that keeps both is known to exist. */
static void limits_hold_between_fixed_joints(void **state)
{
    static const int parent[5] = {-1, 0, 1, 2, 3};
    static const double length[5] = {0, 0.3, 0.25, 0.2, 0.25};
    static const double bend[5] = {9, 9, 0.9, 0.9, 9};
    static const bool is_fixed[5] = {true, true, false, false, true};
    const snw_bone_lengths bones = {5, parent, length, NULL, bend};
    snw_random random = snw_random_seed(9, 1);
    (void)state;
    for (int run = 0; run < 40; run++) {
        snw_vec3 place[5] = {{0, 0, 0}, {0, 0.3, 0}}, way = {0, 1, 0};
        for (int j = 2; j < 5; j++) {
            /* Turned by at most 0.5 a joint: well inside the limits. */
            way = snw_quat_rotate(snw_quat_exp(snw_vec3_scale(snw_random_direction(&random), 0.5)),
                                  way);
            place[j] = snw_vec3_add_scaled(place[j - 1], length[j], way);
        }
        for (int j = 2; j < 4; j++)
            place[j] = snw_vec3_add_scaled(place[j], 0.08, snw_random_direction(&random));
        check_near(snw_bone_lengths_restore(&bones, is_fixed, place), 0, 1e-3);
        for (int j = 2; j < 4; j++)
            assert_true(bend_of(place, j) <= 0.9 + 1e-9);
    }
}

/* The same numbers in, nothing moved, and no difference that could be taken for a small one. */
static void bone_lengths_of_places_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    static const double wild[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308};
    static const int parent[3] = {-1, 0, 1};
    static const bool is_fixed[3] = {true, false, false};
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++)
        for (int field = 0; field < 3; field++) {
            double length[3] = {0, 0.3, 0.3}, slack[3] = {0, 0, 0};
            snw_vec3 place[3] = {{0, 0, 0}, {0.1, 0.5, 0}, {0, 0.9, 0}}, before[3];
            double *number[] = {&place[2].y, &length[1], &slack[2]};
            const snw_bone_lengths bones = {3, parent, length, slack, NULL};
            *number[field] = wild[k];
            if (field == 1 && wild[k] < 0) continue; /* any length */
            memcpy(before, place, sizeof before);
            assert_true(isinf(snw_bone_lengths_restore(&bones, is_fixed, place)));
            assert_memory_equal(place, before, sizeof before);
        }
}

/* A frame without a unit shows nothing, and what is predicted for one whose unit changed is in that
 * unit or missing. */
static void frames_without_a_unit_show_nothing(void **state)
{
    (void)state;
    static const double unit[] = {0, -1, (double)NAN, (double)INFINITY, 5e-324};
    static const int segment_of[3] = {0, 0, 0};
    snw_sample sample[3] = {{0, 0, 0, 0}, {100, 0, 0, 0}, {0, 100, 0, 0}};
    uint8_t measured[3] = {SNW_SAMPLE_MEASURED, SNW_SAMPLE_MEASURED, SNW_SAMPLE_MEASURED};
    snw_segments *segments = NULL;
    assert_int_equal(snw_segments_create(segment_of, 3, NULL, NULL, &segments, NULL), SNW_OK);
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
        snw_predictor *predictor = NULL;
        assert_int_equal(snw_predictor_create(segments, 100, NULL, NULL, &predictor, NULL), SNW_OK);
        snw_frame frame = {3, 0, 0.001, 1, sample, measured, NULL};
        for (int f = 0; f < 5; f++)
            (void)snw_predictor_step(predictor, &frame, NULL, 0);
        frame.metres_per_unit = unit[k];
        snw_frame told = snw_predictor_step(predictor, &frame, NULL, 0);
        for (int m = 0; m < 3; m++)
            assert_int_equal(told.state[m], SNW_SAMPLE_MISSING);
        snw_predictor_destroy(predictor);
    }
    snw_segments_destroy(segments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transition_and_noise_are_the_verified_ones),
        cmocka_unit_test(transition_keeps_its_identity),
        cmocka_unit_test(slow_points_move_with_constant_acceleration),
        cmocka_unit_test(unscented_filter_equals_the_kalman_filter),
        cmocka_unit_test(extrapolation_is_exact_on_lines_and_circles),
        cmocka_unit_test(hidden_markers_are_predicted),
        cmocka_unit_test(ray_of_one_camera_helps),
        cmocka_unit_test(centre_comes_from_predicted_markers),
        cmocka_unit_test(marker_that_comes_back_is_led_without_a_jump),
        cmocka_unit_test(seen_samples_pass_through_bit_for_bit),
        cmocka_unit_test(no_nan_and_no_allocation_whatever_comes),
        cmocka_unit_test(reset_forgets_everything),
        cmocka_unit_test(wrong_arguments_are_refused_with_a_sentence),
        cmocka_unit_test(bone_lengths_are_restored_and_fixed_joints_stay),
        cmocka_unit_test(end_of_a_chain_is_restored_in_one_pass_along_its_line),
        cmocka_unit_test(bone_beyond_its_limit_comes_back_to_the_cone),
        cmocka_unit_test(limits_hold_between_fixed_joints),
        cmocka_unit_test(bone_lengths_of_places_that_are_no_numbers_are_refused),
        cmocka_unit_test(frames_without_a_unit_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
