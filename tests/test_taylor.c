/* Taylor expansions: their number of terms, polynomials come back exactly with their derivatives,
 * errors hold, trials are blended, motions join without a step, files come back bit for bit. */
#include "check.h"

static const char *const names[2] = {"knee_angle", "hips_tx"};

static void test_terms_are_counted_as_knight_does(void **state)
{
    (void)state;
    /* N = C(w + m, m); and his sum, which must start at 0: N_{w+1}(m) = sum of N_w(i). */
    assert_int_equal(snw_taylor_term_count(5, 1), 6);
    assert_int_equal(snw_taylor_term_count(3, 2), 10);
    assert_int_equal(snw_taylor_term_count(12, 2), 91);
    for (int w = 0; w < SNW_TAYLOR_ORDER_MAX; w++)
        assert_int_equal(snw_taylor_term_count(w + 1, 2),
                         1 + snw_taylor_term_count(w, 1) + snw_taylor_term_count(w, 2));
    for (int k = 0; k < 91; k++) { /* each pair of powers once, sums rising */
        int power[2], before[2] = {0, 0};
        snw_taylor_power(2, k, power);
        if (k) snw_taylor_power(2, k - 1, before);
        assert_true(power[0] >= 0 && power[1] >= 0 && power[0] + power[1] <= 12);
        assert_true(power[0] + power[1] > before[0] + before[1] || power[1] == before[1] + 1 || !k);
    }
    assert_int_equal(snw_taylor_term_count(13, 1), 0);
    assert_int_equal(snw_taylor_term_count(1, 3), 0);
}

static void test_a_polynomial_comes_back_with_its_derivatives(void **state)
{
    (void)state;
    double time[50], value[100];
    for (int r = 0; r < 50; r++) {
        double t = time[r] = 2 + 0.02 * r;
        value[2 * r] = 3 - 2 * t + 0.5 * t * t - t * t * t;
        value[2 * r + 1] = 1;
    }
    const snw_taylor_samples trial = {50, 2, names, time, value, 0};
    snw_taylor_options options = snw_taylor_options_default();
    snw_taylor *taylor = NULL;
    snw_error error;
    options.order = 4;
    options.window = 0.4;
    assert_int_equal(snw_taylor_fit(&trial, 1, &options, NULL, &taylor, &error), SNW_OK);
    assert_int_equal(taylor->size.window_count, 3);
    for (double t = 1.9; t < 3.1; t += 0.013) { /* outside too: the expansion goes on */
        check_near(snw_taylor_value(taylor, 0, t, 0, 0), 3 - 2 * t + 0.5 * t * t - t * t * t, 1e-8);
        check_near(snw_taylor_value(taylor, 0, t, 0, 1), -2 + t - 3 * t * t, 1e-6);
        check_near(snw_taylor_value(taylor, 0, t, 0, 3), -6, 1e-3);
        check_near(snw_taylor_value(taylor, 1, t, 0, 0), 1, 1e-10);
    }
    check_near(snw_taylor_jump(taylor, 0, 0), 0, 1e-9);
    snw_taylor_destroy(taylor);
}

static void test_windows_are_halved_until_errors_hold(void **state)
{
    (void)state;
    double time[400], value[800];
    for (int r = 0; r < 400; r++) {
        time[r] = 0.01 * r;
        value[2 * r] = 30 * sin(5 * time[r]);
        value[2 * r + 1] = time[r];
    }
    const double allowed[2] = {0.01, 0.001};
    const snw_taylor_samples trial = {400, 2, names, time, value, 0};
    snw_taylor_options options = snw_taylor_options_default();
    snw_taylor *taylor = NULL;
    options.allowed = allowed;
    assert_int_equal(snw_taylor_fit(&trial, 1, &options, NULL, &taylor, NULL), SNW_OK);
    assert_true(taylor->size.window_count > 2 && taylor->size.window_count <= 16);
    for (int r = 0; r < 400; r++) {
        check_near(snw_taylor_value(taylor, 0, time[r], 0, 0), value[2 * r], 0.011);
        check_near(snw_taylor_value(taylor, 0, time[r], 0, 1), 150 * cos(5 * time[r]), 1);
    }
    for (int n = 0; n < taylor->size.window_count; n++)
        assert_true(taylor->error[2 * n] <= 0.01);
    snw_taylor_destroy(taylor);
}

/* Three trials a t + s t^2 with s = 0, 1, 2: at s = 0.5 the value is known. */
static void test_trials_are_blended(void **state)
{
    (void)state;
    double time[30], value[3][60];
    snw_taylor_samples trial[3];
    snw_taylor *taylor = NULL;
    snw_error error;
    for (int s = 0; s < 3; s++) {
        for (int r = 0; r < 30; r++) {
            time[r] = 0.1 * r;
            value[s][2 * r] = 2 * time[r] + s * time[r] * time[r];
            value[s][2 * r + 1] = s * s;
        }
        trial[s] = (snw_taylor_samples){30, 2, names, time, value[s], s};
    }
    assert_int_equal(snw_taylor_fit(trial, 3, NULL, NULL, &taylor, &error), SNW_OK);
    assert_int_equal(taylor->term_count, 21); /* C(5 + 2, 2) */
    check_near(snw_taylor_value(taylor, 0, 1.23, 0.5, 0), 2.46 + 0.5 * 1.23 * 1.23, 1e-8);
    check_near(snw_taylor_value(taylor, 0, 1.23, 0.5, 1), 2 + 1.23, 1e-7);
    check_near(snw_taylor_value(taylor, 1, 1.23, 1.5, 0), 2.25, 1e-8);
    /* Two trials: a straight line between them. */
    snw_taylor_destroy(taylor);
    assert_int_equal(snw_taylor_fit(trial, 2, NULL, NULL, &taylor, &error), SNW_OK);
    check_near(snw_taylor_value(taylor, 1, 1, 0.25, 0), 0.25, 1e-8);
    snw_taylor_destroy(taylor);
    trial[1].parameter = 0;
    assert_int_equal(snw_taylor_fit(trial, 2, NULL, NULL, &taylor, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "parameter"));
}

static snw_taylor *line(double start, double slope)
{
    double time[12], value[24];
    snw_taylor *taylor = NULL;
    for (int r = 0; r < 12; r++) {
        time[r] = 0.1 * r;
        value[2 * r] = start + slope * time[r];
        value[2 * r + 1] = 0;
    }
    const snw_taylor_samples trial = {12, 2, names, time, value, 0};
    assert_int_equal(snw_taylor_fit(&trial, 1, NULL, NULL, &taylor, NULL), SNW_OK);
    return taylor;
}

static void test_motions_join_without_a_step(void **state)
{
    (void)state;
    snw_taylor *a = line(0, 1), *b = line(5, -2), *both = NULL;
    snw_error error;
    assert_int_equal(snw_taylor_join(a, b, 0.5, NULL, &both, &error), SNW_OK);
    assert_int_equal(both->size.window_count, 3);
    check_near(snw_taylor_jump(both, 0, 0), 0, 1e-9);
    check_near(snw_taylor_value(both, 0, 1.1, 0, 1), 1, 1e-7);         /* speed at the end of a */
    check_near(snw_taylor_value(both, 0, 1.6 - 1e-9, 0, 1), -2, 1e-5); /* at the start of b */
    check_near(snw_taylor_value(both, 0, 2.6, 0, 0), 3, 1e-7);
    snw_taylor_destroy(both);
    snw_taylor_destroy(b);
    snw_taylor_destroy(a);
}

static void test_files_come_back_and_cut_ones_are_refused(void **state)
{
    (void)state;
    snw_taylor *a = line(1.0 / 3, 0.1), *again = NULL;
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, NULL);
    snw_error error;
    assert_int_equal(snw_write_taylor(a, &sink, &error), SNW_OK);
    snw_memory_source bytes;
    snw_source source = snw_source_from_memory(&bytes, memory.bytes, memory.size);
    if (snw_read_taylor(&source, NULL, NULL, &again, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_string_equal(again->freedom[1], "hips_tx");
    assert_memory_equal(again->coefficient, a->coefficient, 12 * sizeof(double));
    assert_memory_equal(again->error, a->error, 2 * sizeof(double));
    snw_taylor_destroy(again);
    for (size_t size = 0; size + 2 < memory.size; size++) {
        source = snw_source_from_memory(&bytes, memory.bytes, size);
        assert_int_not_equal(snw_read_taylor(&source, NULL, NULL, &again, &error), SNW_OK);
        assert_true(error.message[0] != 0);
        assert_null(again);
    }
    snw_memory_sink_release(&memory);
    snw_taylor_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_are_counted_as_knight_does),
        cmocka_unit_test(test_a_polynomial_comes_back_with_its_derivatives),
        cmocka_unit_test(test_windows_are_halved_until_errors_hold),
        cmocka_unit_test(test_trials_are_blended),
        cmocka_unit_test(test_motions_join_without_a_step),
        cmocka_unit_test(test_files_come_back_and_cut_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
