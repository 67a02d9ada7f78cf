/* Zero-lag filters: what they pass, that they do not delay, and the cut-off they choose. */
#include "check.h"

#define COUNT 1000
#define RATE  100.0

static double amplitude(const double *sample, double frequency)
{
    double s = 0, c = 0; /* of the middle, away from the ends, whole periods */
    int from = COUNT / 4,
        to = from + (int)(RATE / frequency) * (int)(0.5 * COUNT * frequency / RATE);
    for (int n = from; n < to; n++) {
        s += sample[n] * sin(2 * SNW_PI * frequency * n / RATE);
        c += sample[n] * cos(2 * SNW_PI * frequency * n / RATE);
    }
    return 2 * sqrt(s * s + c * c) / (to - from);
}

/* Both passes together have the power response 1 / (1 + (tan(pi f / r) / tan(pi c' / r))^4)^2, with
 * c' so that it is 1/2 at the cut-off. */
static void response_is_butterworths_in_two_passes(void **state)
{
    (void)state;
    static const double frequencies[] = {1, 4, 5, 10, 20};
    snw_butterworth filter = snw_butterworth_make(5, RATE, 2);
    double wider = pow(sqrt(2.0) - 1, 0.25);
    for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++) {
        static double sample[COUNT];
        double f = frequencies[i];
        for (int n = 0; n < COUNT; n++)
            sample[n] = sin(2 * SNW_PI * f * n / RATE);
        snw_filter_zero_lag(&filter, sample, COUNT);
        double ratio = tan(SNW_PI * f / RATE) / tan(SNW_PI * 5 / wider / RATE);
        /* 1e-3: what is left of the ends in the middle */
        check_near(amplitude(sample, f), 1 / (1 + pow(ratio, 4)), 1e-3);
    }
}

/* The mirror image: nothing of a constant, half the power at the cut-off, all of what is far above.
 */
static void a_high_pass_leaves_what_is_fast(void **state)
{
    (void)state;
    static double sample[COUNT];
    snw_butterworth filter = snw_butterworth_make_high(2, RATE, 2);
    static const struct {
        double frequency, amplitude, tolerance;
    } row[] = {{2, 0.70710678, 0.01}, {20, 1, 0.001}, {0.25, 0, 0.002}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (int n = 0; n < COUNT; n++)
            sample[n] = 3 + sin(2 * SNW_PI * row[i].frequency * n / RATE);
        snw_filter_zero_lag(&filter, sample, COUNT);
        check_near(amplitude(sample, row[i].frequency), row[i].amplitude, row[i].tolerance);
    }
    for (int n = 0; n < COUNT; n++)
        sample[n] = 3;
    snw_filter_zero_lag(&filter, sample, COUNT);
    for (int n = 0; n < COUNT; n++)
        check_near(sample[n], 0, 1e-9);
    snw_butterworth none = snw_butterworth_make_high(0, RATE, 2);
    check_near(none.b[0], 1, 0);
    none = snw_butterworth_make_high(60, RATE, 2);
    check_near(none.b[1], 0, 0);
}

/* A burst of 30 Hz on an offset that drifts: the envelope is 2/pi of its height while it lasts, and
 * nothing before. */
static void an_envelope_follows_the_bursts_of_a_muscle(void **state)
{
    (void)state;
    static double sample[10 * COUNT];
    const double rate = 1000;
    int count = 10 * COUNT;
    for (int n = 0; n < count; n++) {
        bool is_on = n > 4000 && n < 7000;
        sample[n] = 5 + 0.5 * sin(2 * SNW_PI * 0.2 * n / rate) +
                    (is_on ? 2 * sin(2 * SNW_PI * 97.3 * n / rate) : 0);
    }
    snw_emg_envelope(sample, count, rate, 20, 6);
    for (int n = 4500; n < 6500; n += 10)
        check_near(sample[n], 4 / SNW_PI, 0.01); /* what 6 Hz leave of twice 97.3 */
    for (int n = 500; n < 3500; n += 10)
        check_near(sample[n], 0,
                   0.005); /* what 20 Hz leave of the drift, and of the burst's start */
}

static void nothing_is_delayed_and_lines_stay_lines(void **state)
{
    (void)state;
    double bump[201], line[201];
    snw_butterworth filter = snw_butterworth_make(6, RATE, 2);
    for (int n = 0; n < 201; n++) {
        bump[n] = exp(-0.01 * (n - 100) * (n - 100));
        line[n] = 3 - 0.25 * n;
    }
    snw_filter_zero_lag(&filter, bump, 201);
    snw_filter_zero_lag(&filter, line, 201);
    for (int n = 0; n < 201; n++) {
        check_near(bump[n], bump[200 - n], 1e-6); /* symmetric: no lag; ends differ by this */
        check_near(line[n], 3 - 0.25 * n, 1e-2);
    }
    double before = bump[50];
    snw_butterworth open = snw_butterworth_make(60, RATE, 2);
    snw_filter_zero_lag(&open, bump, 201);
    check_near(bump[50], before, 0); /* at half the rate there is nothing to take away */
}

/* A motion of 1 and 2 Hz with white noise: the cut-off lies above the motion, far below the band.
 */
static void residual_analysis_finds_the_motion(void **state)
{
    (void)state;
    static double sample[COUNT], work[2 * COUNT];
    snw_random random = snw_random_seed(3, 1);
    for (int n = 0; n < COUNT; n++)
        sample[n] = 0.3 * sin(2 * SNW_PI * n / RATE) + 0.1 * sin(4 * SNW_PI * n / RATE) +
                    0.001 * snw_random_normal(&random);
    double cutoff = snw_residual_cutoff(sample, COUNT, RATE, work);
    assert_true(cutoff > 3 && cutoff < 12);
    snw_butterworth filter = snw_butterworth_make(cutoff, RATE, 2);
    memcpy(work, sample, sizeof sample);
    snw_filter_zero_lag(&filter, work, COUNT);
    double raw = 0, smooth = 0;
    for (int n = 100; n < COUNT - 100; n++) {
        double truth = 0.3 * sin(2 * SNW_PI * n / RATE) + 0.1 * sin(4 * SNW_PI * n / RATE);
        raw += (sample[n] - truth) * (sample[n] - truth);
        smooth += (work[n] - truth) * (work[n] - truth);
    }
    assert_true(smooth < 0.5 * raw);
    assert_true(snw_residual_cutoff(sample, 10, RATE, work) == 0);
}

static void a_trial_keeps_its_gaps(void **state)
{
    (void)state;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL, *smooth = NULL;
    snw_filter_report report;
    snw_error error;
    options.marker_count = 2;
    options.frame_count = 80;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    snw_random random = snw_random_seed(5, 1);
    for (int f = 0; f < 80; f++)
        for (int m = 0; m < 2; m++) {
            bool is_gap = m == 1 && (f < 5 || (f >= 40 && f < 50));
            snw_vec3 at = {0.01 * f, 0.001 * snw_random_normal(&random), 1};
            snw_trial_set(trial, f, m, at, is_gap ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED);
        }
    assert_int_equal(snw_trial_filter(trial, 5, NULL, &smooth, &report, &error), SNW_OK);
    assert_int_equal(report.marker_count, 2);
    check_near(report.mean, 5, 1e-12);
    double raw = 0, left = 0;
    for (int f = 0; f < 80; f++)
        for (int m = 0; m < 2; m++) {
            assert_int_equal(snw_trial_is_present(smooth, f, m), snw_trial_is_present(trial, f, m));
            if (!snw_trial_is_present(trial, f, m)) continue;
            raw += fabs(snw_trial_position(trial, f, m).y);
            left += fabs(snw_trial_position(smooth, f, m).y);
            check_near(snw_trial_position(smooth, f, m).x, 0.01 * f, 1e-3);
        }
    assert_true(left < 0.7 * raw);
    snw_trial_destroy(smooth);
    assert_int_equal(snw_trial_filter(trial, 90, NULL, &smooth, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(response_is_butterworths_in_two_passes),
        cmocka_unit_test(a_high_pass_leaves_what_is_fast),
        cmocka_unit_test(an_envelope_follows_the_bursts_of_a_muscle),
        cmocka_unit_test(nothing_is_delayed_and_lines_stay_lines),
        cmocka_unit_test(residual_analysis_finds_the_motion),
        cmocka_unit_test(a_trial_keeps_its_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
