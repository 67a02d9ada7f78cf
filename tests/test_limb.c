/* Limbs as data: made, looked at, written as a list and read again. */
#include "check.h"

static snw_synth *walk(void)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 2;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_skeleton_destroy(body);
    return synth;
}

static void check_same_limbs(const snw_limbs *a, const snw_limbs *b)
{
    assert_int_equal(a->limb_count, b->limb_count);
    for (int m = 0; m < a->marker_count; m++) {
        const char *one = a->limb_of[m] < 0 ? "" : a->limb[a->limb_of[m]].name;
        const char *other = b->limb_of[m] < 0 ? "" : b->limb[b->limb_of[m]].name;
        assert_string_equal(one, other);
    }
}

static void check_round_trip(const snw_trial *trial, const snw_limbs *limbs)
{
    size_t size = snw_limbs_print(limbs, trial, NULL, 0) + 1;
    char *list = malloc(size);
    assert_non_null(list);
    assert_int_equal(snw_limbs_print(limbs, trial, list, size), size - 1);
    assert_int_equal(strlen(list), size - 1);
    snw_text text = {list, size - 1};
    snw_limbs *again = NULL;
    snw_error error;
    if (snw_limbs_from_set(trial, text, NULL, NULL, &again, &error) != SNW_OK)
        fail_msg("%s\n%s", error.message, list);
    check_same_limbs(limbs, again);
    snw_limbs_destroy(again);
    free(list);
}

static void limbs_come_back_from_their_list(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_limbs *limbs = NULL;
    snw_error error;
    assert_int_equal(snw_limbs_find(synth->capture, NULL, NULL, &limbs, NULL, &error), SNW_OK);
    check_round_trip(synth->capture, limbs);
    snw_limbs_destroy(limbs);
    snw_synth_destroy(synth);
}

/* Labels and names that a list would read as something else. */
static void any_label_comes_back(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "Unlabeled 7", "#12", "\"", "\"\"", "a\"b c\"d", "Joe:LASI x", ":", "a:b", "WANDA", "é t",
    };
    static const char *const names[] = {"Joe:LeftLeg", "a limb", "#3", "say \"hi\" now"};
    enum {
        COUNT = sizeof labels / sizeof *labels,
        LIMBS = sizeof names / sizeof *names
    };
    snw_synth *synth = walk();
    snw_trial *trial = synth->capture;
    int *limb_of = malloc((size_t)trial->marker_count * sizeof *limb_of);
    snw_limbs *limbs = NULL;
    snw_error error;
    assert_non_null(limb_of);
    for (int m = 0; m < trial->marker_count; m++) {
        limb_of[m] = m % LIMBS;
        if (m < COUNT)
            assert_int_equal(snw_trial_set_marker_name(trial, m, labels[m], &error), SNW_OK);
    }
    assert_int_equal(snw_limbs_create(limb_of, trial->marker_count, names, NULL, &limbs, &error),
                     SNW_OK);
    check_round_trip(trial, limbs);
    snw_limbs_destroy(limbs);
    free(limb_of);
    snw_synth_destroy(synth);
}

static void a_list_that_does_not_fit_is_cut(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_limbs *limbs = NULL;
    assert_int_equal(snw_limbs_find(synth->capture, NULL, NULL, &limbs, NULL, NULL), SNW_OK);
    char whole[4096], part[17] = "0123456789abcdef";
    size_t length = snw_limbs_print(limbs, synth->capture, whole, sizeof whole);
    assert_true(length < sizeof whole);
    assert_int_equal(snw_limbs_print(limbs, synth->capture, part, 9), length);
    assert_int_equal(strlen(part), 8);
    assert_memory_equal(part, whole, 8);
    assert_int_equal(part[9], '9');
    snw_limbs_destroy(limbs);
    snw_synth_destroy(synth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limbs_come_back_from_their_list),
        cmocka_unit_test(any_label_comes_back),
        cmocka_unit_test(a_list_that_does_not_fit_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
