/* Principal components of a capture: the decomposition against the full one, the completed capture
 * against a capture that has few components by construction. */
#include "check.h"
#include "hidden/low_rank.h"

#include <sinew/dense.h>

enum {
    SIZE = 24,
    MARKERS = 20,
    FRAMES = 400
};

/* Subspace iteration against Jacobi: values that fall by a third each are told to 1e-9. */
static void leading_components_are_those_of_the_full_decomposition(void **state)
{
    double a[SIZE * SIZE] = {0}, full[SIZE * SIZE], value[SIZE], vector[SIZE * SIZE];
    double leading[SNW__COMPONENTS], row[SNW__COMPONENTS * SIZE], work[SNW__COMPONENTS * SIZE];
    snw_random random = snw_random_seed(3, 1);
    (void)state;
    for (int k = 0; k < SIZE; k++) {
        double v[SIZE], scale = pow(0.6, k);
        for (int i = 0; i < SIZE; i++)
            v[i] = snw_random_normal(&random);
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++)
                a[i * SIZE + j] += scale * v[i] * v[j];
    }
    memcpy(full, a, sizeof a);
    assert_int_equal(snw_eigen_symmetric(full, SIZE, value, vector), SNW_OK);
    assert_true(snw__principal(a, SIZE, 5, leading, row, work));
    for (int k = 0; k < 5; k++) {
        double along = 0;
        check_near(leading[k], value[k], 1e-6 * value[0]);
        for (int i = 0; i < SIZE; i++)
            along += row[k * SIZE + i] * vector[k * SIZE + i];
        check_near(fabs(along), 1, 1e-3);
    }
    a[7] = NAN;
    assert_false(snw__principal(a, SIZE, 5, leading, row, work));
}

static void inverse_times_the_matrix_is_the_identity(void **state)
{
    double a[9] = {4, 1, 0.5, 1, 3, -1, 0.5, -1, 2}, inverse[9], none[4] = {1, 2, 2, 1};
    (void)state;
    memcpy(inverse, a, sizeof a);
    assert_true(snw__invert(inverse, 3));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += a[3 * i + k] * inverse[3 * k + j];
            check_near(sum, i == j, 1e-14);
        }
    assert_false(snw__invert(none, 2));
}

/* ---- a capture of three components --------------------------------------------------------------
 */

/* A posture that three slow scores bend, walking and turning through the room. */
static snw_vec3 bent_point_of(double size, int marker, int frame, snw_random *noise)
{
    snw_random fixed = snw_random_seed(50 + (uint64_t)marker, 1);
    double time = frame / 100.0, place[3];
    const double score[3] = {sin(2 * time), cos(3.1 * time), sin(1.3 * time + 1)};
    for (int axis = 0; axis < 3; axis++) {
        place[axis] = size * snw_random_normal(&fixed);
        for (int k = 0; k < 3; k++)
            place[axis] += 0.05 * score[k] * snw_random_normal(&fixed);
        if (noise) place[axis] += 5e-4 * snw_random_normal(noise);
    }
    snw_xform world = {snw_quat_exp(snw_vec3_make(0, 0.8 * time, 0)),
                       snw_vec3_make(1.1 * time, 1, 0)};
    return snw_xform_point(world, snw_vec3_make(place[0], place[1], place[2]));
}

static snw_vec3 bent_point(int marker, int frame, snw_random *noise)
{
    return bent_point_of(0.4, marker, frame, noise);
}

/* One marker among others within 0.2 m, hidden for two seconds. */
static void components_of_near_markers_tell_a_long_gap(void **state)
{
    snw_trial_options options = snw_trial_options_default();
    snw_fill_options fill = snw_fill_options_default();
    snw_random noise = snw_random_seed(7, 1);
    snw_trial *trial = NULL;
    snw_filled *filled = NULL;
    double error = 0;
    (void)state;
    options.marker_count = MARKERS;
    options.frame_count = 3 * FRAMES;
    options.rate = 100;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int frame = 0; frame < options.frame_count; frame++)
        for (int m = 0; m < MARKERS; m++)
            snw_trial_set(trial, frame, m, bent_point_of(0.1, m, frame, &noise),
                          m == 0 && frame >= 300 && frame < 500 ? SNW_SAMPLE_MISSING
                                                                : SNW_SAMPLE_MEASURED);
    fill.method = SNW_FILL_PCA;
    assert_int_equal(snw_trial_fill(trial, &fill, NULL, &filled, NULL, NULL), SNW_OK);
    for (int frame = 300; frame < 500; frame++)
        error += snw_vec3_distance(snw_trial_position(filled->trial, frame, 0),
                                   bent_point_of(0.1, 0, frame, NULL)) /
                 200;
    print_message("off by %.2f mm\n", 1000 * error);
    /* Its scores move it by 87 mm (rms); the body's axes take some of them for a turn, 3 mm. With
     * the hidden marker's own weight in the components and ends carried for half a second it is 7.
     */
    check_near(error, 0, 0.004);
    snw_filled_destroy(filled);
    snw_trial_destroy(trial);
}

/* Three markers hidden together for a second, others here and there: the components bring them back
 * to a fifth of what a straight line leaves (the fit of the body's pose without them takes part of
 * the scores for a turn), and the stated uncertainty is of the errors' size. */
static void components_complete_a_capture_that_has_few(void **state)
{
    static const snw_fill_method method[3] = {SNW_FILL_LINEAR, SNW_FILL_LOW_RANK, SNW_FILL_PCA};
    double line = 0;
    snw_trial_options options = snw_trial_options_default();
    snw_random noise = snw_random_seed(4, 1);
    snw_trial *trial = NULL;
    (void)state;
    options.marker_count = MARKERS;
    options.frame_count = FRAMES;
    options.rate = 100;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int frame = 0; frame < FRAMES; frame++)
        for (int m = 0; m < MARKERS; m++) {
            bool is_hidden = (m < 3 && frame >= 150 && frame < 250) ||
                             (m >= 3 && frame % 97 < 12 && frame / 97 == m % 4);
            snw_trial_set(trial, frame, m, bent_point(m, frame, &noise),
                          is_hidden ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED);
        }
    for (int n = 0; n < 3; n++) {
        snw_fill_options fill = snw_fill_options_default();
        snw_filled *filled = NULL;
        double error = 0, stated = 0;
        fill.method = method[n];
        fill.uncertainty_max = 10;
        assert_int_equal(snw_trial_fill(trial, &fill, NULL, &filled, NULL, NULL), SNW_OK);
        for (int frame = 150; frame < 250; frame++)
            for (int m = 0; m < 3; m++) {
                error += snw_vec3_distance(snw_trial_position(filled->trial, frame, m),
                                           bent_point(m, frame, NULL)) /
                         300;
                stated += (double)filled->trial->uncertainty[frame * MARKERS + m] / 300;
            }
        assert_int_equal(filled->gap[0].method, method[n]);
        if (n == 0) line = error;
        assert_true(n == 0 || error < line / 5);
        assert_true(stated > 0.5 * error && stated < 10 * error);
        snw_filled_destroy(filled);
    }
    snw_trial_destroy(trial);
}

/* Two markers, or three frames, have no components: a simpler way serves, nothing breaks. */
static void too_little_to_learn_from_falls_back(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        snw_trial_options options = snw_trial_options_default();
        snw_fill_options fill = snw_fill_options_default();
        snw_trial *trial = NULL;
        snw_filled *filled = NULL;
        options.marker_count = n == 0 ? 2 : MARKERS;
        options.frame_count = n == 0 ? 100 : 3;
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        for (int frame = 0; frame < options.frame_count; frame++)
            for (int m = 0; m < options.marker_count; m++)
                snw_trial_set(trial, frame, m, bent_point(m, frame, NULL),
                              m == 0 && frame == 1 ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED);
        fill.method = n == 0 ? SNW_FILL_PCA : SNW_FILL_LOW_RANK;
        assert_int_equal(snw_trial_fill(trial, &fill, NULL, &filled, NULL, NULL), SNW_OK);
        assert_true(filled->gap[0].outcome != SNW_GAP_FILLED ||
                    filled->gap[0].method != fill.method);
        snw_filled_destroy(filled);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leading_components_are_those_of_the_full_decomposition),
        cmocka_unit_test(inverse_times_the_matrix_is_the_identity),
        cmocka_unit_test(components_of_near_markers_tell_a_long_gap),
        cmocka_unit_test(components_complete_a_capture_that_has_few),
        cmocka_unit_test(too_little_to_learn_from_falls_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
