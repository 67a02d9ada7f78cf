/* A whole trial through the live predictor: forwards, or forwards and backwards, with rays of
 * single cameras; and which segment is whose neighbour. The truth is made. */
#include "check.h"

enum {
    FRAMES = 320,
    PER_SEGMENT = 3,
    SEGMENTS = 3,
    MARKERS = PER_SEGMENT * SEGMENTS,
    HIDDEN = 2 * PER_SEGMENT, /* a marker of the last segment */
    FROM = 150,
    TO = 165 /* frames in which it is not seen */
};

/* Three segments in a row, each turning about a point of the one before. */
static snw_vec3 true_place(int f, int marker)
{
    static const snw_vec3 shape[PER_SEGMENT] = {
        {0.1, 0.04, 0}, {0.2, -0.03, 0.02}, {0.15, 0, -0.05}};
    const snw_vec3 joint = {0.3, 0, 0};
    double t = 0.02 * f;
    snw_xform bone = snw_xform_make(snw_quat_identity(), snw_vec3_make(0.3 * t, 0.05 * sin(t), 1));
    for (int segment = 0; segment <= marker / PER_SEGMENT; segment++) {
        snw_vec3 turn = {0.6 * sin(1.1 * t + segment), 0.5 * cos(0.7 * t + segment),
                         0.9 * sin((1 + 0.3 * segment) * t)};
        bone = snw_xform_mul(bone, snw_xform_make(snw_quat_exp(turn), joint));
    }
    return snw_xform_point(bone, shape[marker % PER_SEGMENT]);
}

static snw_trial *make_trial(double rate)
{
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    options.marker_count = MARKERS;
    options.frame_count = FRAMES;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    trial->rate = rate;
    for (int f = 0; f < FRAMES; f++)
        for (int m = 0; m < MARKERS; m++)
            snw_trial_set(trial, f, m, true_place(f, m), SNW_SAMPLE_MEASURED);
    for (int f = FROM; f < TO; f++)
        snw_trial_set(trial, f, HIDDEN, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    return trial;
}

static snw_segments *make_segments(int left_out)
{
    int segment_of[MARKERS];
    snw_segments *segments = NULL;
    for (int m = 0; m < MARKERS; m++)
        segment_of[m] = m == left_out ? -1 : m / PER_SEGMENT;
    assert_int_equal(snw_segments_create(segment_of, MARKERS, NULL, NULL, &segments, NULL), SNW_OK);
    return segments;
}

static snw_trial *predicted(const snw_trial *trial, const snw_predict_job *job)
{
    snw_trial *out = NULL;
    snw_error error;
    assert_int_equal(snw_trial_predict(trial, job, NULL, NULL, &out, &error), SNW_OK);
    return out;
}

static double worst_miss(const snw_trial *trial)
{
    double worst = 0;
    for (int f = FROM; f < TO; f++)
        worst = fmax(
            worst, snw_vec3_distance(snw_trial_position(trial, f, HIDDEN), true_place(f, HIDDEN)));
    return worst;
}

static const int neighbour[SEGMENTS] = {-1, 0, 1};

/* Measured samples stay bit for bit; what is new says so, with an uncertainty. The
 * segments are rigid and nothing is noisy: what is missed is of floats in millimetres. */
static void gaps_are_filled_and_what_was_measured_stays(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        snw_trial *trial = make_trial(100);
        snw_segments *segments = make_segments(-1);
        snw_predict_job job = {segments, neighbour, NULL, 0, both};
        snw_trial *out = predicted(trial, &job);
        for (int f = 0; f < FRAMES; f++)
            for (int m = 0; m < MARKERS; m++) {
                size_t at = (size_t)f * MARKERS + (size_t)m;
                bool is_new = m == HIDDEN && f >= FROM && f < TO;
                assert_int_equal(out->state[at], !is_new ? SNW_SAMPLE_MEASURED
                                                 : both  ? SNW_SAMPLE_FILLED
                                                         : SNW_SAMPLE_PREDICTED);
                if (is_new)
                    assert_true(out->uncertainty[at] >= 1e-4f && out->uncertainty[at] < 0.1f);
                else
                    assert_memory_equal(out->sample + at, trial->sample + at, sizeof *out->sample);
            }
        assert_true(worst_miss(out) < 1e-5);
        snw_trial_destroy(out);
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
}

/* A camera that sees the marker alone puts it on its ray, in the frames that have one. */
static void a_ray_holds_the_marker(void **state)
{
    (void)state;
    const snw_vec3 camera = {3, 4, 2};
    snw_frame_ray rays[3 * (TO - FROM)];
    int count = 0;
    for (int f = FROM - 5; f < TO; f++) {
        if (f >= FROM && f % 2) continue;
        snw_vec3 way = snw_vec3_unit(snw_vec3_sub(true_place(f, HIDDEN), camera), camera);
        rays[count++] = (snw_frame_ray){f, {HIDDEN, camera, way}};
    }
    for (int both = 0; both < 2; both++) {
        snw_trial *trial = make_trial(100);
        snw_segments *segments = make_segments(-1);
        snw_predict_job with = {segments, neighbour, rays, count, both};
        snw_trial *out = predicted(trial, &with);
        for (int f = FROM; f < TO; f++) {
            if (f % 2) continue;
            snw_vec3 way = snw_vec3_unit(snw_vec3_sub(true_place(f, HIDDEN), camera), camera);
            snw_vec3 arm = snw_vec3_sub(snw_trial_position(out, f, HIDDEN), camera);
            /* Float millimetres at 5 m. */
            check_near(snw_vec3_length(snw_vec3_cross(arm, way)), 0, 2e-6);
        }
        assert_true(worst_miss(out) < 1e-5);
        snw_trial_destroy(out);
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
}

/* What no rate says is 100 a second; other segments than the trial's are refused. */
static void rates_and_segments_are_looked_at(void **state)
{
    (void)state;
    snw_trial *given = make_trial(100), *none = make_trial(0), *few = NULL, *out = NULL;
    snw_segments *segments = make_segments(-1);
    snw_predict_job job = {segments, neighbour, NULL, 0, false};
    snw_error error;
    snw_trial *a = predicted(given, &job), *b = predicted(none, &job);
    for (int f = FROM; f < TO; f++)
        check_vec3_near(snw_trial_position(b, f, HIDDEN), snw_trial_position(a, f, HIDDEN), 0);
    const int some[2] = {0, 1};
    assert_int_equal(snw_trial_pick(given, some, 2, NULL, &few, NULL), SNW_OK);
    assert_int_equal(snw_trial_predict(few, &job, NULL, NULL, &out, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "9 markers"));
    assert_null(out);
    snw_trial_destroy(few);
    snw_trial_destroy(a);
    snw_trial_destroy(b);
    snw_trial_destroy(given);
    snw_trial_destroy(none);
    snw_segments_destroy(segments);
}

/* The segment whose markers keep their distances best; markers of no segment do not count. */
static void neighbours_are_the_segments_beside(void **state)
{
    (void)state;
    for (int left_out = -1; left_out < PER_SEGMENT; left_out++) {
        snw_trial *trial = make_trial(100);
        snw_segments *segments = make_segments(left_out);
        int found[SEGMENTS];
        snw_error error;
        assert_int_equal(snw_segment_neighbours(trial, segments, NULL, found, &error), SNW_OK);
        assert_int_equal(found[0], 1);
        assert_true(found[1] == 0 || found[1] == 2);
        assert_int_equal(found[2], 1);
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
    int one[MARKERS] = {0}, found = 5;
    snw_segments *segments = NULL;
    snw_trial *trial = make_trial(100);
    assert_int_equal(snw_segments_create(one, MARKERS, NULL, NULL, &segments, NULL), SNW_OK);
    assert_int_equal(snw_segment_neighbours(trial, segments, NULL, &found, NULL), SNW_OK);
    assert_int_equal(found, -1); /* there is no other */
    snw_segments_destroy(segments);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_filled_and_what_was_measured_stays),
        cmocka_unit_test(a_ray_holds_the_marker),
        cmocka_unit_test(rates_and_segments_are_looked_at),
        cmocka_unit_test(neighbours_are_the_segments_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
