/* One truth about labels: names that programs give, labels that are too long, the parts they name;
 * and that the rest of the library asks the same place. */
#include "check.h"

static const char *const automatic_names[] = {
    "*12",      "Joe:*12",   "U_3",
    "U12",      "M001",      "Unlabeled 7",
    "1034",     "uname*12",  "Unidentified 4",
    "New 0012", "unknown_5", "Joe:Unlabelled12",
    "",
};
static const char *const given_names[] = {
    "LASI", "M1", "Joe:LKNE", "UPA", "P1", "LeftLeg:1", "MT5", "newt", "T10", "unknownHand",
};

static void a_name_is_a_persons_or_a_programs_for_everybody(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof automatic_names / sizeof *automatic_names; n++) {
        const char *label = automatic_names[n];
        if (!snw_label_is_automatic(label)) fail_msg("%s: taken for a person's", label);
        if (snw_label_read(label).kind != SNW_LABEL_UNNAMED) fail_msg("%s: read as named", label);
    }
    for (size_t n = 0; n < sizeof given_names / sizeof *given_names; n++) {
        const char *label = given_names[n];
        if (snw_label_is_automatic(label)) fail_msg("%s: taken for a program's", label);
        if (snw_label_read(label).kind == SNW_LABEL_UNNAMED) fail_msg("%s: read as none", label);
    }
}

static snw_synth *walk(void)
{
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.seconds = 4;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    snw_skeleton_destroy(body);
    return synth;
}

/* Every other marker loses its name to a program's; the others keep their segments. */
static void half_without_names_leaves_the_other_half_its_segments(void **state)
{
    (void)state;
    static const char *const spellings[] = {
        "*%d", "U_%d", "M%03d", "Unlabeled %d", "%d", "Unidentified %d", "uname*%d", "New %04d",
    };
    snw_synth *synth = walk();
    for (size_t n = 0; n < sizeof spellings / sizeof *spellings; n++) {
        snw_trial *trial = NULL;
        snw_segments *segments = NULL;
        snw_error error;
        assert_int_equal(snw_trial_copy(synth->capture, NULL, &trial, &error), SNW_OK);
        for (int m = 0; m < trial->marker_count; m += 2) {
            char name[SNW_LABEL_SIZE];
            snw_format(name, sizeof name, spellings[n], 100 + m);
            assert_int_equal(snw_trial_set_marker_name(trial, m, name, &error), SNW_OK);
        }
        if (snw_segments_find(trial, NULL, NULL, &segments, NULL, &error) != SNW_OK)
            fail_msg("%s: %s", spellings[n], error.message);
        for (int m = 1; m < trial->marker_count; m += 2) {
            snw_label at = snw_label_read(trial->marker[m].name);
            const char *segment =
                segments->segment_of[m] < 0 ? "" : segments->segment[segments->segment_of[m]].name;
            /* Few markers make a shoulder part of the chest (docs/marker-sets.md). */
            bool is_chest = at.part == SNW_PART_SHOULDER && strcmp(segment, "Chest") == 0;
            if (!is_chest && strcmp(segment, snw_part_name(at.part, at.side)) != 0)
                fail_msg("%s: %s is on \"%s\"", spellings[n], trial->marker[m].name, segment);
        }
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
    snw_synth_destroy(synth);
}

#define LONG_STEM "a_subject_with_a_name_so_long_that_no_label_of_hers_ends_in_time_" /* 66 */

static void labels_of_any_length_are_told_apart_by_their_last_byte(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_error error;
    static const char *const known[] = {"LASI", "RASI", "LPSI"};
    static const char *const labels[] = {LONG_STEM "1", LONG_STEM "2", LONG_STEM "3"};
    int marker_of[3];
    for (int k = 0; k < 3; k++) {
        int marker = marker_of[k] = snw_trial_find_marker(synth->capture, known[k]);
        assert_true(marker >= 0);
        assert_int_equal(snw_trial_set_marker_name(synth->capture, marker, labels[k], &error),
                         SNW_OK);
    }
    static const char list[] = "Hips: " LONG_STEM "1 " LONG_STEM "3\nChest: " LONG_STEM "2\n";
    static const char wands[] = "Hips: A C\nChest: B\n";
    static const char same[] = LONG_STEM "1 = A\n" LONG_STEM "2 = B\n" LONG_STEM "3 = C\n";
    snw_text text = {list, sizeof list - 1}, set = {wands, sizeof wands - 1};
    snw_text correlation = {same, sizeof same - 1};
    for (int is_correlated = 0; is_correlated < 2; is_correlated++) {
        snw_segments *segments = NULL;
        if (snw_segments_from_set(synth->capture, is_correlated ? set : text,
                                  is_correlated ? &correlation : NULL, NULL, &segments,
                                  &error) != SNW_OK)
            fail_msg("%s", error.message);
        assert_int_equal(segments->segment_count, 2);
        assert_int_equal(segments->segment_of[marker_of[0]], segments->segment_of[marker_of[2]]);
        assert_int_not_equal(segments->segment_of[marker_of[0]],
                             segments->segment_of[marker_of[1]]);
        snw_segments_destroy(segments);
    }
    snw_synth_destroy(synth);
}

/* What a user changes is what segments and calibration use. */
static void labels_can_be_replaced(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    snw_labels *labels = NULL;
    snw_segments *segments = NULL;
    snw_error error;
    assert_int_equal(snw_labels_read(synth->capture, NULL, &labels, &error), SNW_OK);
    assert_int_equal(labels->marker_count, synth->capture->marker_count);
    int marker = snw_trial_find_marker(synth->capture, "LFHD");
    assert_int_equal(labels->marker[marker].part, SNW_PART_HEAD);
    for (int m = 0; m < labels->marker_count; m++)
        if (labels->marker[m].part == SNW_PART_HEAD) labels->marker[m].part = SNW_PART_CHEST;
    snw_segment_options options = snw_segment_options_default();
    options.labels = labels;
    options.method = SNW_SEGMENTS_BY_NAMES;
    assert_int_equal(snw_segments_find(synth->capture, &options, NULL, &segments, NULL, &error),
                     SNW_OK);
    assert_string_equal(segments->segment[segments->segment_of[marker]].name, "Chest");
    assert_int_equal(segments->label[marker].part, SNW_PART_CHEST);
    snw_segments_destroy(segments);
    labels->marker_count--;
    assert_int_equal(snw_segments_find(synth->capture, &options, NULL, &segments, NULL, &error),
                     SNW_INVALID_ARGUMENT);
    snw_labels_destroy(labels);
    snw_labels_destroy(NULL);
    snw_synth_destroy(synth);
}

/* ART's points are joints of its model: beside LUAR, the shoulder's centre, LSHO is the inner end
 * of the collar bone; without it LSHO is the acromion of gait laboratories. */
static void a_model_with_the_shoulders_centre_has_its_collar_bone_inside(void **state)
{
    (void)state;
    static const char *const name[] = {"LTSP", "UTSP", "C7", "LSHO", "LLAR", "LUAR"};
    for (int count = 5; count <= 6; count++) {
        snw_trial_options options = snw_trial_options_default();
        snw_trial *trial = NULL;
        snw_labels *labels = NULL;
        options.frame_count = 1;
        options.marker_count = count;
        assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
        for (int m = 0; m < count; m++)
            assert_int_equal(snw_trial_set_marker_name(trial, m, name[m], NULL), SNW_OK);
        assert_int_equal(snw_labels_read(trial, NULL, &labels, NULL), SNW_OK);
        bool is_model = count == 6;
        assert_int_equal(labels->marker[3].part, is_model ? SNW_PART_CHEST : SNW_PART_SHOULDER);
        assert_int_equal(labels->marker[3].joint, is_model ? SNW_PART_SHOULDER : SNW_PART_ARM);
        if (is_model) assert_int_equal(labels->marker[5].part, SNW_PART_SHOULDER);
        snw_labels_destroy(labels);
        snw_trial_destroy(trial);
    }
}

static void parts_out_of_range_have_no_names(void **state)
{
    (void)state;
    assert_string_equal(snw_part_name((snw_part)99, SNW_SIDE_LEFT), "");
    assert_string_equal(snw_part_name(SNW_PART_LEG, (snw_side)7), "");
    assert_int_equal(snw_part_parent((snw_part)-1), SNW_PART_NONE);
    assert_false(snw_part_is_paired((snw_part)99));
}

static void no_memory_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    snw_synth *synth = walk();
    counting_allocator counter = {0, 0, 0, 0};
    snw_allocator hook = counting_hook(&counter);
    snw_labels *labels = NULL;
    snw_error error;
    assert_int_equal(snw_labels_read(synth->capture, &hook, &labels, &error), SNW_OUT_OF_MEMORY);
    assert_null(labels);
    assert_int_equal(counter.live, 0);
    snw_synth_destroy(synth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_a_persons_or_a_programs_for_everybody),
        cmocka_unit_test(half_without_names_leaves_the_other_half_its_segments),
        cmocka_unit_test(labels_of_any_length_are_told_apart_by_their_last_byte),
        cmocka_unit_test(labels_can_be_replaced),
        cmocka_unit_test(a_model_with_the_shoulders_centre_has_its_collar_bone_inside),
        cmocka_unit_test(parts_out_of_range_have_no_names),
        cmocka_unit_test(no_memory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
