/* Windows, picked markers, other rates, units and axes of trials; other rates of motions. */
#include "check.h"

/* Marker 0 moves as x = t^2 mm (t in frames / 10), marker 1 as x = t mm with a gap, marker 2 stays.
 */
static snw_trial *sample_trial(const snw_allocator *allocator)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 3;
    options.frame_count = 21;
    options.analog_count = 1;
    options.analog_per_frame = 2;
    snw_trial *trial = NULL;
    if (snw_trial_create(&options, allocator, &trial, NULL) != SNW_OK) return NULL;
    trial->up = SNW_UP_Z;
    for (int f = 0; f < 21; f++) {
        double t = f / 10.0;
        snw_trial_set(trial, f, 0, snw_vec3_make(0.001 * t * t, 0.002, 0.003), SNW_SAMPLE_MEASURED);
        if (f < 8 || f > 12)
            snw_trial_set(trial, f, 1, snw_vec3_make(0.001 * t, 0, 0), SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, 2, snw_vec3_make(1, 2, 3), SNW_SAMPLE_FILLED);
    }
    for (int n = 0; n < 42; n++)
        trial->analog[n] = (float)n;
    return trial;
}

static void a_window_shows_the_same_samples_without_copying(void **state)
{
    (void)state;
    snw_trial *trial = sample_trial(NULL);
    snw_trial window = snw_trial_window(trial, 5, 4);
    assert_int_equal(window.frame_count, 4);
    assert_int_equal(window.first_frame, 6);
    assert_ptr_equal(window.sample, trial->sample + 15);
    assert_ptr_equal(window.analog, trial->analog + 10);
    check_vec3_near(snw_trial_position(&window, 1, 0), snw_trial_position(trial, 6, 0), 0);
    assert_int_equal(snw_trial_window(trial, 19, 10).frame_count, 2);
    assert_int_equal(snw_trial_window(trial, 50, 10).frame_count, 0);
    assert_int_equal(snw_trial_window(trial, -3, 2).first_frame, 1);
    snw_trial *copy = NULL;
    assert_int_equal(snw_trial_copy(&window, NULL, &copy, NULL), SNW_OK);
    assert_int_equal(copy->frame_count, 4);
    assert_memory_equal(copy->sample, window.sample, 4 * 3 * sizeof *copy->sample);
    snw_trial_destroy(copy);
    snw_trial_destroy(trial);
}

static void picked_markers_keep_names_samples_and_order(void **state)
{
    (void)state;
    snw_trial *trial = sample_trial(NULL), *picked = NULL;
    const int markers[] = {2, 0};
    assert_int_equal(snw_trial_pick(trial, markers, 2, NULL, &picked, NULL), SNW_OK);
    assert_int_equal(picked->marker_count, 2);
    assert_string_equal(picked->marker[0].name, "M003");
    assert_int_equal(picked->state[0], SNW_SAMPLE_FILLED);
    check_vec3_near(snw_trial_position(picked, 7, 1), snw_trial_position(trial, 7, 0), 0);
    assert_memory_equal(picked->analog, trial->analog, 42 * sizeof(float));
    snw_trial_destroy(picked);
    const int more[] = {1, SNW_NEW_MARKER};
    assert_int_equal(snw_trial_pick(trial, more, 2, NULL, &picked, NULL), SNW_OK);
    assert_string_equal(picked->marker[1].name, "");
    for (int f = 0; f < picked->frame_count; f++)
        assert_false(snw_trial_is_present(picked, f, 1));
    snw_trial_destroy(picked);
    const int wrong[] = {3};
    snw_error error;
    assert_int_equal(snw_trial_pick(trial, wrong, 1, NULL, &picked, &error), SNW_INVALID_ARGUMENT);
    assert_null(picked);
    assert_string_equal(error.message, "there is no marker number 3");
    snw_trial_destroy(trial);
}

static void resampling_reproduces_parabolas_and_keeps_gaps(void **state)
{
    (void)state;
    snw_trial *trial = sample_trial(NULL), *fast = NULL;
    assert_int_equal(snw_trial_resample(trial, 400, NULL, &fast, NULL), SNW_OK);
    assert_int_equal(fast->frame_count, 81);
    for (int f = 4; f < 76; f++) {
        double t = f / 40.0;
        /* Catmull-Rom is exact for parabolas; 1e-9 m is the float's last bit at 4 mm and 3 mm. */
        check_vec3_near(snw_trial_position(fast, f, 0), snw_vec3_make(0.001 * t * t, 0.002, 0.003),
                        1e-9);
        bool is_gap = f > 28 && f < 52;
        assert_int_equal(snw_trial_is_present(fast, f, 1), !is_gap);
        assert_int_equal(fast->state[3 * f + 2], SNW_SAMPLE_FILLED);
    }
    check_near(fast->analog[5], 1.25, 1e-6);
    snw_trial *back = NULL;
    assert_int_equal(snw_trial_resample(fast, 100, NULL, &back, NULL), SNW_OK);
    assert_int_equal(back->frame_count, 21);
    assert_memory_equal(back->sample, trial->sample, 63 * sizeof *back->sample);
    snw_error error;
    snw_trial *none = NULL;
    assert_int_equal(snw_trial_resample(trial, 0, NULL, &none, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_trial_resample(trial, NAN, NULL, &none, &error), SNW_INVALID_ARGUMENT);
    /* So slow that the second analog sample lies beyond every integer. */
    assert_int_equal(snw_trial_resample(trial, 1e-300, NULL, &none, &error), SNW_OK);
    assert_int_equal(none->frame_count, 1);
    check_near(none->analog[0], trial->analog[0], 0);
    snw_trial_destroy(none);
    snw_trial_destroy(back);
    snw_trial_destroy(fast);
    snw_trial_destroy(trial);
}

static void events_stay_in_their_frame_at_another_rate(void **state)
{
    (void)state;
    static const double rates[] = {50, 33, 240, 1000.5};
    snw_trial *trial = sample_trial(NULL);
    trial->first_frame = 64; /* the capture starts 0.63 s after the instant 0 */
    snw_event event = {0.73, (char *)"On", NULL, NULL, NULL, 0, 0, false}; /* in frame 10 */
    assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    int number = trial->event_count - 1;
    for (size_t n = 0; n < sizeof rates / sizeof *rates; n++) {
        snw_trial *other = NULL;
        assert_int_equal(snw_trial_resample(trial, rates[n], NULL, &other, NULL), SNW_OK);
        double start = (other->first_frame - 1) / other->rate;
        check_near(start, 0.63, 0.5 / rates[n] + 1e-12); /* the nearest frame number */
        check_near(other->event[number].time - start, 0.10, 1e-12);
        snw_trial_destroy(other);
    }
    snw_trial_destroy(trial);
}

static void units_change_numbers_not_places(void **state)
{
    (void)state;
    snw_trial *trial = sample_trial(NULL);
    snw_vec3 before = snw_trial_position(trial, 9, 0);
    double residual_scale_metres = trial->residual_scale * trial->metres_per_unit;
    trial->sample[27].quality = 2.5f; /* a residual of 2.5 mm, not steps of residual_scale */
    snw_trial_set_unit(trial, "m", 1);
    check_near(snw_trial_residual(trial, 9, 0), 0.0025, 1e-9); /* a float's last bit */
    snw_trial_set_unit(trial, "half mm", 0.0005);              /* 5, which must not become steps */
    check_near(snw_trial_residual(trial, 9, 0), 0.0025, 1e-9);
    snw_trial_set_unit(trial, "m", 1);
    snw_trial_set_unit(trial, NULL, 0.001);
    snw_trial_set_unit(trial, "mm", NAN);
    check_vec3_near(snw_trial_position(trial, 9, 0), before, 1e-9);
    check_near(trial->sample[27].y, 0.002, 1e-9);
    check_near(trial->residual_scale * trial->metres_per_unit, residual_scale_metres, 1e-18);
    assert_string_equal(trial->unit, "m");
    static const struct {
        const char *word;
        double length;
    } units[] = {{"mm", 0.001},
                 {"MM", 0.001},
                 {"meters", 1},
                 {"in", 0.0254},
                 {"parsec", 0},
                 {"\xc2\xb5m", 1e-6},
                 {"\xce\xbcm", 1e-6},
                 {"\xb5m", 1e-6},
                 {"\xc3\xa9m", 0},
                 {"", 0},
                 {NULL, 0}};
    for (size_t n = 0; n < sizeof units / sizeof *units; n++)
        check_near(snw_unit_length(units[n].word), units[n].length, 0);
    snw_trial_destroy(trial);
}

static void the_nearest_axis_is_up(void **state)
{
    (void)state;
    for (snw_up_axis up = SNW_UP_X; up <= SNW_UP_NEGATIVE_Z; up++) {
        snw_vec3 tilted = snw_vec3_add(snw_up_direction(up), snw_vec3_make(0.3, -0.4, 0.2));
        assert_int_equal(snw_up_nearest(tilted), up);
    }
    assert_int_equal(snw_up_nearest(snw_vec3_make(0, 0, 0)), SNW_UP_UNKNOWN);
    assert_int_equal(snw_up_nearest(snw_vec3_make(NAN, 0, 1)), SNW_UP_UNKNOWN);
}

static void turning_up_is_a_rotation_and_loses_no_bit(void **state)
{
    (void)state;
    static const snw_up_axis axes[] = {SNW_UP_X,          SNW_UP_Y,          SNW_UP_Z,
                                       SNW_UP_NEGATIVE_X, SNW_UP_NEGATIVE_Y, SNW_UP_NEGATIVE_Z};
    snw_trial *trial = sample_trial(NULL), *original = NULL;
    assert_int_equal(snw_trial_copy(trial, NULL, &original, NULL), SNW_OK);
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            trial->up = axes[a];
            memcpy(trial->sample, original->sample, 63 * sizeof *trial->sample);
            double height =
                snw_vec3_dot(snw_trial_position(trial, 3, 2), snw_up_direction(axes[a]));
            assert_int_equal(snw_trial_turn_up(trial, axes[b], NULL), SNW_OK);
            snw_vec3 p = snw_trial_position(trial, 3, 2);
            check_near(snw_vec3_dot(p, snw_up_direction(axes[b])), height, 0);
            check_near(snw_vec3_length2(p), 14, 1e-6); /* float squares of 1, 2, 3 m in mm */
            assert_int_equal(snw_trial_turn_up(trial, axes[a], NULL), SNW_OK);
            /* Opposite axes are half a turn about a fixed axis: there and back may differ by that
             * choice. */
            if (a % 3 != b % 3)
                assert_memory_equal(trial->sample, original->sample, 63 * sizeof *trial->sample);
        }
    trial->up = SNW_UP_UNKNOWN;
    assert_int_equal(snw_trial_turn_up(trial, SNW_UP_Y, NULL), SNW_UNSUPPORTED);
    snw_trial_destroy(original);
    snw_trial_destroy(trial);
}

static void every_failed_allocation_leaves_nothing_behind(void **state)
{
    (void)state;
    snw_trial *trial = sample_trial(NULL);
    const int markers[] = {1, 2};
    for (int which = 0; which < 2; which++) {
        snw_status status = SNW_OUT_OF_MEMORY;
        for (long n = 0; status != SNW_OK; n++) {
            counting_allocator counter = {0, 0, 0, n};
            snw_allocator hook = counting_hook(&counter);
            snw_trial *part = NULL;
            snw_error error;
            status = which ? snw_trial_resample(trial, 50, &hook, &part, &error)
                           : snw_trial_pick(trial, markers, 2, &hook, &part, &error);
            if (status != SNW_OK) assert_int_equal(status, SNW_OUT_OF_MEMORY);
            snw_trial_destroy(part);
            assert_int_equal(counter.live, 0);
            assert_int_equal(counter.live_bytes, 0);
            assert_true(n < 1000);
        }
    }
    snw_trial_destroy(trial);
}

static void motions_resample_by_slerp(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *fast = NULL, *part = NULL;
    assert_int_equal(snw_preset_chain(3, 0.1, NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 5, 50, NULL, &motion, NULL), SNW_OK);
    snw_vec3 axis = {0, 0, 1};
    for (int f = 0; f < 5; f++) {
        motion->rotation[3 * f + 1] = snw_quat_from_axis_angle(axis, 0.2 * f);
        motion->root[f].translation.x = f;
    }
    assert_int_equal(snw_motion_part(motion, 1, 3, NULL, &part, NULL), SNW_OK);
    assert_int_equal(part->frame_count, 3);
    assert_int_equal(snw_motion_resample(part, 100, NULL, &fast, NULL), SNW_OK);
    assert_int_equal(fast->frame_count, 5);
    for (int f = 0; f < 5; f++) {
        /* Turning at constant speed about one axis, slerp is exact to round-off. */
        check_quat_near(fast->rotation[3 * f + 1], snw_quat_from_axis_angle(axis, 0.2 + 0.1 * f),
                        1e-14);
        check_near(fast->root[f].translation.x, 1 + 0.5 * f, 1e-14);
    }
    snw_motion_destroy(fast);
    snw_motion_destroy(part);
    assert_int_equal(snw_motion_part(motion, 4, 3, NULL, &part, NULL), SNW_OK);
    assert_int_equal(part->frame_count, 1);
    snw_motion_destroy(part);
    snw_error error;
    assert_int_equal(snw_motion_resample(motion, -1, NULL, &fast, &error), SNW_INVALID_ARGUMENT);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_shows_the_same_samples_without_copying),
        cmocka_unit_test(picked_markers_keep_names_samples_and_order),
        cmocka_unit_test(resampling_reproduces_parabolas_and_keeps_gaps),
        cmocka_unit_test(events_stay_in_their_frame_at_another_rate),
        cmocka_unit_test(units_change_numbers_not_places),
        cmocka_unit_test(the_nearest_axis_is_up),
        cmocka_unit_test(turning_up_is_a_rotation_and_loses_no_bit),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
        cmocka_unit_test(motions_resample_by_slerp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
