/* Which markers move together: by names and by motion. */
#include "capture_truth.h"

static snw_segments *find(const snw_trial *trial, snw_segment_method method)
{
    snw_segment_options options = snw_segment_options_default();
    options.method = method;
    snw_segments *segments = NULL;
    snw_error error;
    if (snw_segments_find(trial, &options, NULL, &segments, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return segments;
}

/* Every two markers are together exactly where the truth has them on one segment. */
static int wrong_pairs(const snw_segments *segments, int per)
{
    int wrong = 0;
    for (int a = 0; a < segments->marker_count; a++)
        for (int b = 0; b < a; b++)
            wrong += (segments->segment_of[a] == segments->segment_of[b]) != (a / per == b / per);
    return wrong;
}

static void motion_alone_gives_the_segments(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (int gaps = 0; gaps < 2; gaps++) {
            truth_options options = truth_options_default();
            options.seed = seed;
            options.is_named = false;
            options.gap_share = 0.1 * gaps;
            options.markers_per_segment = 3 + (int)seed % 3;
            truth t = truth_make(&options);
            snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_AUTO);
            assert_int_equal(segments->segment_count, TRUTH_JOINTS);
            assert_int_equal(wrong_pairs(segments, options.markers_per_segment), 0);
            snw_segments_destroy(segments);
            truth_free(&t);
        }
}

static bool is_of_one_segment(const char *a, const char *b)
{
    size_t length = (size_t)(strrchr(a, '_') - a);
    return strncmp(a, b, length) == 0 && b + length == strrchr(b, '_');
}

/* More than are grouped at once; a shoulder with five markers beside segments with 16 is not
 * missed.
 */
static void very_many_markers_are_on_their_segments(void **state)
{
    (void)state;
    snw_skeleton *body = NULL;
    snw_synth *synth = NULL;
    snw_trial *trial = NULL;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_RANGE;
    options.placement = SNW_SYNTH_RANDOM;
    options.markers_per_segment = 16;
    options.seconds = 2;
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(body, NULL, &options, NULL, &synth, NULL), SNW_OK);
    int kept[512], count = 0, wrong = 0;
    for (int m = 0; m < synth->capture->marker_count; m++)
        if (m / 16 != 5 || m % 16 < 5) kept[count++] = m;
    assert_in_range(count, 251, 512);
    assert_int_equal(snw_trial_pick(synth->capture, kept, count, NULL, &trial, NULL), SNW_OK);
    snw_segments *segments = find(trial, SNW_SEGMENTS_BY_RIGIDITY);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            wrong += (segments->segment_of[a] == segments->segment_of[b]) !=
                     is_of_one_segment(trial->marker[a].name, trial->marker[b].name);
    assert_int_equal(wrong, 0);
    snw_segments_destroy(segments);
    snw_trial_destroy(trial);
    snw_synth_destroy(synth);
    snw_skeleton_destroy(body);
}

static void the_spectrum_agrees_with_rigidity(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        truth_options options = truth_options_default();
        options.seed = seed;
        options.is_named = false;
        truth t = truth_make(&options);
        snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_SPECTRAL);
        assert_int_equal(segments->segment_count, TRUTH_JOINTS);
        assert_int_equal(wrong_pairs(segments, options.markers_per_segment), 0);
        snw_segments_destroy(segments);
        truth_free(&t);
    }
}

static void noise_of_any_size_is_told_from_motion(void **state)
{
    (void)state;
    static const double noises[] = {0, 1e-4, 1e-3, 3e-3};
    for (size_t n = 0; n < sizeof noises / sizeof *noises; n++) {
        truth_options options = truth_options_default();
        options.is_named = false;
        options.noise = noises[n];
        truth t = truth_make(&options);
        snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_RIGIDITY);
        assert_int_equal(wrong_pairs(segments, options.markers_per_segment), 0);
        snw_segments_destroy(segments);
        truth_free(&t);
    }
}

/* Joints that turn by about the noise: 0.8 of the swing rms about each axis, at some 5 cm from it,
 * is 0.8 mm for a swing of 0.02. Single distances do not show that; 400 frames of all coordinates
 * that a body explains do. */
static void motion_as_small_as_the_noise_parts_segments(void **state)
{
    (void)state;
    static const struct {
        double noise, swing, gap_share;
    } rows[] = {{0.0005, 0.02, 0}, {0.0005, 0.03, 0.3}, {0.001, 0.04, 0}, {0.002, 0.1, 0.2}};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
        for (uint64_t seed = 1; seed <= 1 + CHECK_SAMPLES(3); seed++) {
            truth_options options = truth_options_default();
            options.is_named = false;
            options.seed = seed;
            options.noise = rows[n].noise;
            options.swing = rows[n].swing;
            options.gap_share = rows[n].gap_share;
            truth t = truth_make(&options);
            snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_RIGIDITY);
            if (wrong_pairs(segments, options.markers_per_segment))
                fail_msg("row %d, seed %d: %d segments, %d wrong pairs", (int)n, (int)seed,
                         segments->segment_count,
                         wrong_pairs(segments, options.markers_per_segment));
            snw_segments_destroy(segments);
            truth_free(&t);
        }
}

/* Skin that moves smoothly, by 1 mm on the stiffest segment and 6 mm on the softest: no tolerance
 * is right for both. */
static void segments_may_be_soft_and_stiff_in_one_capture(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1 + CHECK_SAMPLES(4); seed++) {
        truth_options options = truth_options_default();
        options.is_named = false;
        options.seed = seed;
        truth t = truth_make(&options);
        snw_random random = snw_random_seed(seed, 8);
        for (int m = 0; m < t.trial->marker_count; m++) {
            double size = 0.001 + 0.0005 * (m / options.markers_per_segment);
            double rate = snw_random_range(&random, 0.03, 0.1);
            snw_vec3 along = snw_vec3_scale(snw_random_direction(&random), sqrt(2) * size);
            for (int f = 0; f < options.frame_count; f++) {
                snw_vec3 at = snw_trial_position(t.trial, f, m);
                snw_trial_set(t.trial, f, m, snw_vec3_add_scaled(at, sin(rate * f), along),
                              SNW_SAMPLE_MEASURED);
            }
        }
        snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_RIGIDITY);
        assert_int_equal(wrong_pairs(segments, options.markers_per_segment), 0);
        snw_segments_destroy(segments);
        truth_free(&t);
    }
}

static void two_actors_do_not_share_segments(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth first = truth_make(&options);
    options.seed = 2;
    truth second = truth_make(&options);
    int half = first.trial->marker_count;
    snw_trial_options both = snw_trial_options_default();
    both.marker_count = 2 * half;
    both.frame_count = options.frame_count;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&both, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < both.frame_count; f++)
        for (int m = 0; m < half; m++) {
            snw_vec3 beside =
                snw_vec3_add(snw_trial_position(second.trial, f, m), snw_vec3_make(0.5, 0, 0));
            snw_trial_set(trial, f, m, snw_trial_position(first.trial, f, m), SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, f, half + m, beside, SNW_SAMPLE_MEASURED);
        }
    snw_segments *segments = find(trial, SNW_SEGMENTS_BY_RIGIDITY);
    assert_int_equal(segments->segment_count, 2 * TRUTH_JOINTS);
    assert_int_equal(wrong_pairs(segments, options.markers_per_segment), 0);
    snw_segments_destroy(segments);
    snw_trial_destroy(trial);
    truth_free(&first);
    truth_free(&second);
}

/* M001 .. M042 and *43, *44: not two segments called M and *. */
static void labels_that_count_markers_name_no_segments(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth t = truth_make(&options);
    int last = t.trial->marker_count - 1;
    assert_int_equal(snw_trial_set_marker_name(t.trial, last - 1, "*43", NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(t.trial, last, "*44", NULL), SNW_OK);
    snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_AUTO);
    assert_int_equal(segments->segment_count, TRUTH_JOINTS);
    snw_segments_destroy(segments);
    truth_free(&t);
}

/* A joint's centre fits both segments that it joins. */
static void computed_points_are_on_no_segment(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    truth t = truth_make(&options);
    int knee = 8, marker = 2;
    assert_int_equal(snw_trial_set_marker_name(t.trial, marker, "LKJC", NULL), SNW_OK);
    for (int f = 0; f < options.frame_count; f++)
        snw_trial_set(t.trial, f, marker, t.joint[f * TRUTH_JOINTS + knee], SNW_SAMPLE_MEASURED);
    snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_RIGIDITY);
    assert_int_equal(segments->segment_count, TRUTH_JOINTS);
    assert_int_equal(segments->segment_of[marker], -1);
    snw_segments_destroy(segments);
    truth_free(&t);
}

static void markers_that_never_move_are_one_segment(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.is_named = false;
    options.swing = 0;
    truth t = truth_make(&options);
    snw_segments *segments = find(t.trial, SNW_SEGMENTS_BY_RIGIDITY);
    assert_int_equal(segments->segment_count, 1);
    snw_segments_destroy(segments);
    truth_free(&t);
}

typedef struct label_row {
    const char *labels[8]; /* ends with NULL */
    const char
        *segments[8]; /* of each label; NULL: on no segment. First NULL: names tell nothing */
} label_row;

static const label_row label_rows[] = {
    {{"LeftLeg:1", "LeftLeg:2", "Head:1", "Head:2"}, {"LeftLeg", "LeftLeg", "Head", "Head"}},
    {{"Arm_1", "Arm_2", "Leg-1", "Leg-2", "Foot1", "Foot2"},
     {"Arm", "Arm", "Leg", "Leg", "Foot", "Foot"}},
    {{"ArmL:Marker1", "ArmL:Marker2", "SWL:Marker1", "SWL:Marker2"},
     {"ArmL", "ArmL", "SWL", "SWL"}},
    {{"Joe:LTHI", "Joe:LKNE", "Joe:LFWT", "Joe:RFWT", "Joe:LSHN"},
     {"LeftUpLeg", "LeftUpLeg", "Hips", "Hips", "LeftLeg"}},
    {{"lthi", "LKNE", "RASI", "LASI", "EXTRA"}, {"LeftUpLeg", "LeftUpLeg", "Hips", "Hips", NULL}},
    {{"M001", "M002", "M003", "M004"}, {NULL}},
    {{"nose", "ear", "knee", "toe"}, {NULL}},
};

static snw_trial *trial_of_labels(const label_row *row)
{
    snw_trial_options options = snw_trial_options_default();
    while (options.marker_count < 8 && row->labels[options.marker_count])
        options.marker_count++;
    options.frame_count = 30;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < options.marker_count; m++) {
        assert_int_equal(snw_trial_set_marker_name(trial, m, row->labels[m], NULL), SNW_OK);
        for (int f = 0; f < 30; f++)
            snw_trial_set(trial, f, m, snw_vec3_make(m, f % (m + 1), 0), SNW_SAMPLE_MEASURED);
    }
    return trial;
}

static void labels_name_segments(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof label_rows / sizeof *label_rows; n++) {
        const label_row *row = label_rows + n;
        snw_trial *trial = trial_of_labels(row);
        snw_segment_options options = snw_segment_options_default();
        options.method = SNW_SEGMENTS_BY_NAMES;
        snw_segments *segments = NULL;
        snw_error error;
        snw_status status = snw_segments_find(trial, &options, NULL, &segments, NULL, &error);
        if (!row->segments[0]) {
            assert_int_equal(status, SNW_DEGENERATE);
            assert_non_null(strstr(error.message, "labels"));
        } else {
            assert_int_equal(status, SNW_OK);
            for (int m = 0; m < trial->marker_count; m++) {
                int segment = segments->segment_of[m];
                if (row->segments[m])
                    assert_string_equal(segments->segment[segment].name, row->segments[m]);
                else
                    assert_int_equal(segment, -1);
            }
        }
        snw_segments_destroy(segments);
        snw_trial_destroy(trial);
    }
}

static void marker_set_and_correlation_files_tell_the_segments(void **state)
{
    (void)state;
    static const char set_text[] = "51 WANDS\r\n\r\nWAND RFHD\r\nSEGMENT Head\r\nLENGTH 0.0\r\n"
                                   "anterior right top\r\n\r\nWAND LFHD\r\nSEGMENT Head\r\n"
                                   "WAND RSHO\nSEGMENT Chest\nright mid top";
    static const char names_text[] =
        "42 WANDS\nMARKERSET vicon512.txt\n\nJOE::A = RFHD Right front\n"
        "JOE::AB = RSHO Right shoulder\nJOE::C=LFHD\n";
    static const label_row direct = {{"x:RFHD", "LFHD", "RSHO", "RSH"}, {NULL}};
    static const label_row named = {{"JOE::A", "JOE::C", "JOE::AB", "JOE::D"}, {NULL}};
    snw_text set = {set_text, sizeof set_text - 1}, names = {names_text, sizeof names_text - 1};
    char name[SNW_LABEL_SIZE];
    assert_true(snw_correlation_set_name(names, name));
    assert_string_equal(name, "vicon512.txt");
    assert_false(snw_correlation_set_name(set, name));
    snw_text nothing = {NULL, 0};
    assert_false(snw_correlation_set_name(nothing, name));
    for (int way = 0; way < 2; way++) {
        snw_trial *trial = trial_of_labels(way ? &named : &direct);
        snw_segments *segments = NULL;
        snw_error error;
        if (snw_segments_from_set(trial, set, way ? &names : NULL, NULL, &segments, &error) !=
            SNW_OK)
            fail_msg("%s", error.message);
        static const int expected[4] = {0, 0, 1, -1};
        for (int m = 0; m < 4; m++)
            assert_int_equal(segments->segment_of[m], expected[m]);
        assert_string_equal(segments->segment[1].name, "Chest");
        snw_segments_destroy(segments);
        assert_int_equal(snw_segments_from_set(trial, nothing, &nothing, NULL, &segments, &error),
                         SNW_NOT_FOUND);
        /* Any cut of the text is read or refused, never overrun. */
        for (size_t cut = 0; cut < set.size; cut++) {
            char *part = malloc(cut ? cut : 1);
            assert_non_null(part);
            memcpy(part, set_text, cut);
            snw_text cut_set = {part, cut};
            if (snw_segments_from_set(trial, cut_set, NULL, NULL, &segments, &error) == SNW_OK)
                snw_segments_destroy(segments);
            else
                assert_non_null(strstr(error.message, "knows"));
            free(part);
        }
        snw_trial_destroy(trial);
    }
}

static void a_list_tells_the_segments(void **state)
{
    (void)state;
    static const char text[] =
        "# my own set\r\nLeftUpLeg: LTHI  b # C\r\n\r\nno segment here\nHead:\tC\n: d";
    static const label_row row = {{"Joe:LTHI", "b", "C", "d"}, {NULL}};
    static const int expected[4] = {0, 0, 1, -1};
    snw_text list = {text, sizeof text - 1};
    snw_trial *trial = trial_of_labels(&row);
    snw_segments *segments = NULL;
    snw_error error;
    if (snw_segments_from_set(trial, list, NULL, NULL, &segments, &error) != SNW_OK)
        fail_msg("%s", error.message);
    for (int m = 0; m < 4; m++)
        assert_int_equal(segments->segment_of[m], expected[m]);
    assert_string_equal(segments->segment[0].name, "LeftUpLeg");
    assert_string_equal(segments->segment[1].name, "Head");
    snw_segments_destroy(segments);
    for (size_t cut = 0; cut < list.size; cut++) {
        char *part = malloc(cut ? cut : 1);
        assert_non_null(part);
        memcpy(part, text, cut);
        snw_text cut_list = {part, cut};
        if (snw_segments_from_set(trial, cut_list, NULL, NULL, &segments, &error) == SNW_OK)
            snw_segments_destroy(segments);
        free(part);
    }
    snw_trial_destroy(trial);
}

static void groups_from_elsewhere_are_checked(void **state)
{
    (void)state;
    const int good[5] = {1, 0, -1, 1, 0}, bad[5] = {0, 9, 0, 0, 0}, none[5] = {-1, -1, -1, -1, -1};
    snw_segments *segments = NULL;
    snw_error error;
    assert_int_equal(snw_segments_create(good, 5, NULL, NULL, &segments, &error), SNW_OK);
    assert_int_equal(segments->segment_count, 2);
    assert_int_equal(segments->segment[1].marker[0], 0);
    assert_int_equal(segments->segment[1].marker[1], 3);
    assert_string_equal(segments->segment[0].name, "segment1");
    snw_segments_destroy(segments);
    assert_int_equal(snw_segments_create(bad, 5, NULL, NULL, &segments, &error),
                     SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_segments_create(none, 5, NULL, NULL, &segments, &error), SNW_DEGENERATE);
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    options.frame_count = 30;
    options.is_named = false;
    truth t = truth_make(&options);
    for (long nth = 0;; nth++) {
        assert_true(nth < 50);
        counting_allocator counter = {0, 0, 0, nth};
        snw_allocator allocator = counting_hook(&counter);
        snw_segments *segments = NULL;
        snw_error error;
        snw_status status = snw_segments_find(t.trial, NULL, &allocator, &segments, NULL, &error);
        snw_segments_destroy(segments);
        assert_int_equal(counter.live, 0);
        if (status == SNW_OK) break;
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
    }
    truth_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_alone_gives_the_segments),
        cmocka_unit_test(very_many_markers_are_on_their_segments),
        cmocka_unit_test(the_spectrum_agrees_with_rigidity),
        cmocka_unit_test(noise_of_any_size_is_told_from_motion),
        cmocka_unit_test(motion_as_small_as_the_noise_parts_segments),
        cmocka_unit_test(segments_may_be_soft_and_stiff_in_one_capture),
        cmocka_unit_test(two_actors_do_not_share_segments),
        cmocka_unit_test(labels_that_count_markers_name_no_segments),
        cmocka_unit_test(computed_points_are_on_no_segment),
        cmocka_unit_test(markers_that_never_move_are_one_segment),
        cmocka_unit_test(labels_name_segments),
        cmocka_unit_test(marker_set_and_correlation_files_tell_the_segments),
        cmocka_unit_test(a_list_tells_the_segments),
        cmocka_unit_test(groups_from_elsewhere_are_checked),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
