/* Trials: creation, samples, gaps, copies, events, parameters; every allocation that fails. */
#include "check.h"

#include "trial/trial_memory.h"

static snw_trial *small_trial(void)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 3;
    options.frame_count = 10;
    options.analog_count = 2;
    options.analog_per_frame = 4;
    options.rotation_count = 1;
    options.rotations_per_frame = 1;
    snw_trial *trial = NULL;
    snw_error error;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_OK);
    return trial;
}

static void a_new_trial_has_names_and_no_samples(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    assert_string_equal(trial->marker[0].name, "M001");
    assert_string_equal(trial->marker[2].name, "M003");
    assert_string_equal(trial->analog_channel[1].name, "A002");
    assert_string_equal(trial->rotation_label[0].name, "R001");
    for (int frame = 0; frame < 10; frame++)
        for (int marker = 0; marker < 3; marker++) {
            assert_false(snw_trial_is_present(trial, frame, marker));
            check_near(snw_trial_residual(trial, frame, marker), -1, 0);
        }
    assert_true(trial->rotation[16] < 0);
    check_near(snw_trial_analog(trial, 9, 3, 1), 0, 0);
    snw_trial_destroy(trial);
}

static void positions_are_metres_whatever_the_unit(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    snw_vec3 where = snw_vec3_make(1.25, -0.5, 3);
    snw_trial_set(trial, 4, 1, where, SNW_SAMPLE_MEASURED);
    check_near(trial->sample[4 * 3 + 1].x, 1250, 0);
    /* 1250, -500 and 3000 are floats exactly; one rounding of the product with 0.001 is left. */
    check_vec3_near(snw_trial_position(trial, 4, 1), where, 1e-15);
    const snw_frame look = snw_trial_frame(trial, 4);
    check_vec3_near(snw_frame_position(&look, 1), where, 1e-15);
    check_near(look.time, 0.04, 1e-15);
    assert_null(look.uncertainty);
    snw_trial_destroy(trial);
}

static void what_is_not_finite_becomes_missing(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    for (int n = 0; n < 4; n++) {
        snw_trial_set(trial, 0, 0, snw_vec3_make(1, 2, 3), SNW_SAMPLE_FILLED);
        assert_true(snw_trial_is_present(trial, 0, 0));
        snw_trial_set(trial, 0, 0, snw_vec3_make(1, bad[n], 3), SNW_SAMPLE_FILLED);
        assert_false(snw_trial_is_present(trial, 0, 0));
        assert_true(trial->sample[0].quality < 0);
    }
    snw_trial_destroy(trial);
}

static void the_quality_word_holds_residual_and_cameras(void **state)
{
    (void)state;
    static const struct {
        float quality;
        double residual_mm;
        unsigned cameras;
    } table[] = {
        {0, 0, 0},        {(float)(5 * 256 + 7), 0.7, 5},
        {255, 25.5, 0},   {(float)(127 * 256 + 255), 25.5, 127},
        {0.43f, 0.43, 0}, {1e9f, 0, 0},
    };
    snw_trial *trial = small_trial();
    trial->residual_scale = 0.1;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        snw_trial_set(trial, 0, 0, snw_vec3_make(1, 1, 1), SNW_SAMPLE_MEASURED);
        trial->sample[0].quality = table[n].quality;
        /* 0.43f differs from 0.43 by half a unit of a float's last place: 1.5e-8, in mm. */
        check_near(snw_trial_residual(trial, 0, 0), table[n].residual_mm * 1e-3, 2e-11);
        assert_int_equal(snw_trial_cameras(trial, 0, 0), table[n].cameras);
    }
    snw_trial_destroy(trial);
}

static void gaps_are_counted_between_samples_only(void **state)
{
    (void)state;
    static const struct {
        const char *picture; /* one letter a frame: x seen */
        int missing, interior, longest;
        bool never;
    } table[] = {
        {"xxxxxxxxxx", 0, 0, 0, false}, {"..........", 10, 0, 0, true},
        {"..xxxxxx..", 4, 0, 0, false}, {"x.x..x...x", 6, 3, 3, false},
        {".x........", 9, 0, 0, false}, {"x........x", 8, 1, 8, false},
    };
    snw_trial *trial = small_trial();
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        for (int frame = 0; frame < 10; frame++)
            snw_trial_set(trial, frame, 2, snw_vec3_make(1, 0, 0),
                          table[n].picture[frame] == 'x' ? SNW_SAMPLE_MEASURED
                                                         : SNW_SAMPLE_MISSING);
        snw_gap_summary gaps = snw_trial_gaps(trial, 2);
        assert_int_equal(gaps.missing_count, table[n].missing);
        assert_int_equal(gaps.interior_count, table[n].interior);
        assert_int_equal(gaps.longest, table[n].longest);
        assert_int_equal(gaps.is_never_seen, table[n].never);
    }
    snw_trial_destroy(trial);
}

static void analog_values_are_offset_and_scaled(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    trial->analog_channel[1].offset = 2048;
    trial->analog_channel[1].scale = 0.5;
    trial->analog_general_scale = 0.01;
    trial->analog[(3 * 4 + 2) * 2 + 1] = 2148;
    check_near(snw_trial_analog(trial, 3, 2, 1), 0.5, 1e-15);
    snw_trial_destroy(trial);
}

static void parameters_are_found_in_any_case_and_replaced(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    float rate = 120;
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = (char *)"Rate";
    parameter.type = SNW_PARAMETER_FLOAT;
    parameter.byte_count = sizeof rate;
    parameter.data = &rate;
    snw_error error;
    assert_int_equal(snw_trial_set_parameter(trial, "POINT", &parameter, &error), SNW_OK);
    const char *const no_group[] = {"", NULL};
    for (int n = 0; n < 2; n++)
        assert_int_equal(snw_trial_set_parameter(trial, no_group[n], &parameter, &error),
                         SNW_INVALID_ARGUMENT);
    parameter.data = NULL;
    assert_int_equal(snw_trial_set_parameter(trial, "POINT", &parameter, &error),
                     SNW_INVALID_ARGUMENT);
    assert_string_equal(error.message, "parameter Rate has no data");
    assert_int_equal(snw_trial_set_marker_name(trial, 0, NULL, &error), SNW_INVALID_ARGUMENT);
    parameter.data = &rate;
    rate = 240;
    assert_int_equal(snw_trial_set_parameter(trial, "point", &parameter, &error), SNW_OK);
    assert_int_equal(trial->group_count, 1);
    const snw_parameter *found = snw_trial_find_parameter(trial, "Point", "RATE");
    assert_non_null(found);
    assert_true(*(const float *)found->data == 240.0f);
    assert_null(snw_trial_find_parameter(trial, "POINT", "RATES"));
    assert_null(snw_trial_find_parameter(trial, "POIN", "RATE"));
    parameter.byte_count = 3;
    assert_int_equal(snw_trial_set_parameter(trial, "POINT", &parameter, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "Rate"));
    snw_trial_destroy(trial);
}

/* Sanitizers stop the program at absurd sizes, where malloc would just say no. */
static void *refuse_large(void *context, size_t size)
{
    (void)context;
    return size > 1000000 ? NULL : malloc(size);
}

static void release(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

static void wrong_options_are_refused_by_name(void **state)
{
    (void)state;
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    snw_error error;
    options.frame_count = -1;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "frame_count"));
    options.frame_count = 0;
    options.metres_per_unit = NAN;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, &error), SNW_INVALID_ARGUMENT);
    options.metres_per_unit = 1;
    options.frame_count = options.marker_count = INT32_MAX;
    snw_allocator small = {refuse_large, release, NULL};
    assert_int_equal(snw_trial_create(&options, &small, &trial, &error), SNW_OUT_OF_MEMORY);
    assert_null(trial);
}

static void add_everything(snw_trial *trial)
{
    int16_t used[2] = {3, 4};
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = (char *)"USED";
    parameter.description = (char *)"how many";
    parameter.type = SNW_PARAMETER_INT16;
    parameter.dimension_count = 1;
    parameter.dimension[0] = 2;
    parameter.byte_count = sizeof used;
    parameter.data = used;
    assert_int_equal(snw_trial_set_parameter(trial, "EXTRA", &parameter, NULL), SNW_OK);
    snw_event event;
    memset(&event, 0, sizeof event);
    event.time = 0.25;
    event.label = (char *)"Foot Strike";
    event.context = (char *)"Left";
    assert_int_equal(snw_trial_add_event(trial, &event, NULL), SNW_OK);
    snw_trial_set(trial, 2, 2, snw_vec3_make(1, 2, 3), SNW_SAMPLE_PREDICTED);
    assert_int_equal(snw_trial_set_marker_name(trial, 1, "", NULL), SNW_OK);
    assert_int_equal(snw_trial_need_uncertainty(trial, NULL), SNW_OK);
    trial->uncertainty[8] = 0.5f;
    trial->first_frame = 77;
}

static void a_copy_is_equal_and_independent(void **state)
{
    (void)state;
    snw_trial *trial = small_trial(), *copy = NULL;
    add_everything(trial);
    assert_int_equal(snw_trial_copy(trial, NULL, &copy, NULL), SNW_OK);
    assert_memory_equal(copy->sample, trial->sample, 30 * sizeof *copy->sample);
    assert_memory_equal(copy->state, trial->state, 30);
    assert_memory_equal(copy->uncertainty, trial->uncertainty, 30 * sizeof(float));
    assert_int_equal(copy->first_frame, 77);
    assert_string_equal(copy->event[0].label, "Foot Strike");
    assert_string_equal(copy->event[0].subject, "");
    assert_string_equal(copy->marker[1].name, "");
    const snw_parameter *used = snw_trial_find_parameter(copy, "EXTRA", "USED");
    assert_string_equal(used->description, "how many");
    assert_int_equal(((const int16_t *)used->data)[1], 4);
    snw_trial_destroy(trial);
    assert_string_equal(copy->event[0].context, "Left");
    assert_int_equal(snw_trial_find_marker(copy, "M003"), 2);
    assert_int_equal(snw_trial_find_marker(copy, "m003"), -1);
    snw_trial_destroy(copy);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    snw_trial *trial = small_trial();
    add_everything(trial);
    bool is_done = false;
    for (long nth = 0; !is_done; nth++) {
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_trial *copy = NULL;
        snw_error error;
        snw_status status = snw_trial_copy(trial, &allocator, &copy, &error);
        is_done = status == SNW_OK;
        if (!is_done) {
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_null(copy);
            assert_int_equal(counter.live, 0);
        }
        snw_trial_destroy(copy);
        assert_int_equal(counter.live, 0);
        assert_int_equal(counter.live_bytes, 0);
        assert_true(nth < 1000);
    }
    snw_trial_destroy(trial);
}

static void adding_without_memory_changes_nothing(void **state)
{
    (void)state;
    for (long nth = 0; nth < 60; nth++) {
        counting_allocator counter = {0, 0, 0, -1};
        snw_allocator allocator = counting_hook(&counter);
        snw_trial_options options = snw_trial_options_default();
        options.marker_count = 1;
        snw_trial *trial = NULL;
        assert_int_equal(snw_trial_create(&options, &allocator, &trial, NULL), SNW_OK);
        counter.fail_at = counter.calls + nth;
        snw_event event;
        memset(&event, 0, sizeof event);
        event.label = (char *)"x";
        snw_parameter parameter;
        memset(&parameter, 0, sizeof parameter);
        parameter.name = (char *)"A";
        parameter.type = SNW_PARAMETER_BYTE;
        parameter.byte_count = 1;
        parameter.data = (void *)"\1";
        for (int n = 0; n < 6; n++) {
            int before = trial->event_count;
            bool is_added = snw_trial_add_event(trial, &event, NULL) == SNW_OK;
            assert_int_equal(trial->event_count, before + is_added);
            (void)snw_trial_set_parameter(trial, n & 1 ? "G" : "H", &parameter, NULL);
            (void)snw_trial_set_marker_name(trial, 0, "name", NULL);
            assert_non_null(trial->marker[0].name);
        }
        snw_trial_destroy(trial);
        assert_int_equal(counter.live_bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_trial_has_names_and_no_samples),
        cmocka_unit_test(positions_are_metres_whatever_the_unit),
        cmocka_unit_test(what_is_not_finite_becomes_missing),
        cmocka_unit_test(the_quality_word_holds_residual_and_cameras),
        cmocka_unit_test(gaps_are_counted_between_samples_only),
        cmocka_unit_test(analog_values_are_offset_and_scaled),
        cmocka_unit_test(parameters_are_found_in_any_case_and_replaced),
        cmocka_unit_test(wrong_options_are_refused_by_name),
        cmocka_unit_test(a_copy_is_equal_and_independent),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
        cmocka_unit_test(adding_without_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
