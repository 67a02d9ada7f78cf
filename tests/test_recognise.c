/* A person in markers that nobody named: captures whose labels are known lose them; every marker
 * must come out on its segment and side, or nothing is named. */
#include <string.h>

#include "check.h"
#include "recognise/recognise.h"

/* ---- captures -------------------------------------------------------------------------------- */

typedef struct nameless {
    snw_skeleton *body;
    snw_synth *synth;
} nameless;

static nameless make(const char *preset, snw_synth_motion_kind motion,
                     snw_synth_placement placement, uint64_t seed)
{
    nameless made = {NULL, NULL};
    snw_error error;
    snw_synth_options options = snw_synth_options_default();
    options.motion = motion;
    options.placement = placement;
    options.noise = 0.0005;
    options.wobble = 0.003;
    options.seconds = 4;
    options.seed = seed;
    assert_int_equal(snw_preset_create(preset, NULL, &made.body, &error), SNW_OK);
    if (snw_synth_create(made.body, NULL, &options, NULL, &made.synth, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return made;
}

static void nameless_free(nameless *made)
{
    snw_synth_destroy(made->synth);
    snw_skeleton_destroy(made->body);
}

/* The same markers without names, those of which `is_wanted` says so. */
static snw_trial *stripped(const snw_trial *trial, bool (*is_wanted)(const snw_label *label),
                           snw_label *truth)
{
    int kept[256] = {0}, count = 0;
    snw_trial *out = NULL;
    for (int m = 0; m < trial->marker_count && count < 256; m++) {
        snw_label label = snw_label_read(trial->marker[m].name);
        if (is_wanted && !is_wanted(&label)) continue;
        truth[count] = label;
        kept[count++] = m;
    }
    assert_int_equal(snw_trial_pick(trial, kept, count, NULL, &out, NULL), SNW_OK);
    for (int m = 0; m < count; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        assert_int_equal(snw_trial_set_marker_name(out, m, name, NULL), SNW_OK);
    }
    return out;
}

static snw_recognised *recognised_in(const snw_trial *trial, snw_notes *notes)
{
    snw_recognised *found = NULL;
    snw_error error;
    if (snw_trial_recognise(trial, NULL, &found, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return found;
}

/* Markers on another segment or side than in truth. */
static int wrong_segments(const snw_recognised *found, const snw_label *truth)
{
    int wrong = 0;
    for (int m = 0; m < found->marker_count; m++) {
        snw_label named = snw_label_read(found->marker[m].name);
        bool is_right = named.part == truth[m].part &&
                        (!snw_part_is_paired(named.part) || named.side == truth[m].side);
        if (!is_right) print_message("%s\n", found->marker[m].name);
        wrong += !is_right;
    }
    return wrong;
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void every_marker_of_41_is_found_on_its_segment_and_side(void **state)
{
    (void)state;
    static const snw_synth_motion_kind motions[] = {SNW_SYNTH_WALK, SNW_SYNTH_RUN, SNW_SYNTH_DANCE,
                                                    SNW_SYNTH_BOXING, SNW_SYNTH_RANGE};
    for (size_t k = 0; k < CHECK_CASES(sizeof motions / sizeof *motions); k++) {
        nameless made = make("humanoid", motions[k], SNW_SYNTH_ANATOMICAL, 3 + k);
        snw_label truth[256];
        snw_notes notes = snw_notes_none();
        snw_trial *trial = stripped(made.synth->capture, NULL, truth);
        snw_recognised *found = recognised_in(trial, &notes);
        print_message("%s: cost %.2f margin %.1f\n", snw_synth_motion_name(motions[k]), found->cost,
                      found->margin);
        assert_true(found->is_person);
        assert_int_equal(wrong_segments(found, truth), 0);
        assert_string_equal(found->plan, "whole body");
        assert_string_equal(found->set, "Plug-in Gait");
        assert_true(found->confidence > 0.95 && found->confidence <= 1);
        assert_true(snw_notes_find(&notes, SNW_NOTE_PERSON_RECOGNISED, 0) >= 0);
        assert_int_equal(snw_recognised_name(found, trial, NULL), SNW_OK);
        assert_true(snw_trial_find_marker(trial, "LKNE") >= 0);
        snw_recognised_destroy(found);
        snw_trial_destroy(trial);
        nameless_free(&made);
    }
}

static bool is_below_the_waist(const snw_label *label)
{
    return label->part == SNW_PART_HIPS || label->part == SNW_PART_UPLEG ||
           label->part == SNW_PART_LEG || label->part == SNW_PART_FOOT;
}

static bool is_on_arm_or_leg(const snw_label *label)
{
    return label->part == SNW_PART_ARM || label->part == SNW_PART_FOREARM ||
           label->part == SNW_PART_UPLEG || label->part == SNW_PART_LEG ||
           label->part == SNW_PART_FOOT;
}

static void legs_alone_are_recognised_or_declined_but_not_mistaken(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= CHECK_CASES(3); seed++) {
        nameless made = make("humanoid", SNW_SYNTH_WALK, SNW_SYNTH_ANATOMICAL, seed);
        snw_label truth[256];
        snw_trial *trial = stripped(made.synth->capture, is_below_the_waist, truth);
        snw_recognised *found = recognised_in(trial, NULL);
        if (found->is_person) assert_int_equal(wrong_segments(found, truth), 0);
        snw_recognised_destroy(found);
        snw_trial_destroy(trial);
        nameless_free(&made);
    }
}

/* Plates of four on thighs, shanks, upper arms and forearms are at no place that marker sets know,
 * but on both sides alike. */
static void plates_on_both_sides_are_recognised(void **state)
{
    (void)state;
    char path[1024];
    const char *corpus = corpus_folder();
    snw_trial *worn = NULL;
    snw_label truth[256];
    snw_error error;
    snw_format(path, sizeof path, "%s/c3d_body/labelled_prone_to_run.c3d", corpus);
    if (snw_read_trial_file(path, NULL, NULL, &worn, NULL, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_trial *trial = stripped(worn, NULL, truth);
    snw_recognised *found = recognised_in(trial, NULL);
    assert_true(found->is_person);
    int looked_at = 0;
    for (int m = 0; m < trial->marker_count; m++) {
        if (!is_on_arm_or_leg(truth + m)) continue;
        assert_int_equal(found->marker[m].part, truth[m].part);
        assert_int_equal(found->marker[m].side, truth[m].side);
        looked_at++;
    }
    assert_true(looked_at >= 40);
    assert_string_equal(found->set, "plates or clusters");
    snw_recognised_destroy(found);
    snw_trial_destroy(trial);
    snw_trial_destroy(worn);
}

/* Every fourth marker is seen for half the trial, then as another one; four points of a tripod that
 * the cameras see jumping stand beside. */
static void pieces_get_one_name_and_objects_none(void **state)
{
    (void)state;
    nameless made = make("humanoid", SNW_SYNTH_RUN, SNW_SYNTH_ANATOMICAL, 4);
    snw_label truth[256];
    snw_trial *whole = stripped(made.synth->capture, NULL, truth);
    int source[256], count = whole->marker_count, half = whole->frame_count / 2;
    for (int m = 0; m < count; m++)
        source[m] = m;
    for (int m = 0; m < whole->marker_count; m += 4)
        source[count++] = m;
    int piece_end = count;
    for (int k = 0; k < 4; k++)
        source[count++] = 0;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_pick(whole, source, count, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < count; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
        bool is_first = m < whole->marker_count && m % 4 == 0;
        bool is_second = m >= whole->marker_count && m < piece_end;
        for (int f = 0; f < trial->frame_count; f++) {
            snw_vec3 stand = {3 + 0.2 * (m % 2), 0.3 + 0.4 * (m % 3), 2 + (f % 97 == 0) * 0.05};
            stand.x += 0.0002 * sin(f + m), stand.y += 0.0002 * sin(2.0 * f + m); /* noise */
            if ((is_first && f >= half) || (is_second && f < half))
                snw_trial_set(trial, f, m, stand, SNW_SAMPLE_MISSING);
            else if (m >= piece_end)
                snw_trial_set(trial, f, m, stand, SNW_SAMPLE_MEASURED);
        }
    }
    snw_recognised *found = recognised_in(trial, NULL);
    assert_true(found->is_person);
    assert_int_equal(found->point_count, piece_end);
    for (int m = 0; m < count; m++) {
        snw_label named = snw_label_read(found->marker[m].name);
        if (m >= piece_end) {
            assert_string_equal(found->marker[m].name, "");
            continue;
        }
        assert_int_equal(named.part, truth[source[m]].part);
        assert_string_equal(found->marker[m].name, found->marker[source[m]].name);
    }
    snw_recognised_destroy(found);
    snw_trial_destroy(trial);
    snw_trial_destroy(whole);
    nameless_free(&made);
}

/* The trial with `more` points behind its markers, none of which has a name. */
static snw_trial *with_more_points(const snw_trial *trial, int more)
{
    int source[256] = {0}, count = trial->marker_count + more;
    snw_trial *out = NULL;
    for (int m = 0; m < trial->marker_count; m++)
        source[m] = m;
    assert_int_equal(snw_trial_pick(trial, source, count, NULL, &out, NULL), SNW_OK);
    for (int m = trial->marker_count; m < count; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        assert_int_equal(snw_trial_set_marker_name(out, m, name, NULL), SNW_OK);
    }
    return out;
}

/* A frame beside a marker that turns with time: its origin for k = 0, then the ends of three arms.
 */
static snw_vec3 axes_at(const snw_trial *trial, int frame, int marker, int k)
{
    snw_vec3 arm = snw_vec3_make(k == 1 ? 0.15 : 0, k == 2 ? 0.15 : 0, k == 3 ? 0.15 : 0);
    snw_quat turn = snw_quat_exp(snw_vec3_make(0.3 + 0.01 * frame, 0.5 * marker, 0.02 * frame));
    snw_vec3 inside = snw_trial_position(trial, frame, marker);
    inside.x += 0.03;
    return snw_vec3_add(inside, snw_quat_rotate(turn, arm));
}

/* What a gait model writes beside the markers: angles, moments, a power, axes of bones. */
static snw_vec3 model_output(const snw_trial *trial, int frame, int n)
{
    double t = 0.05 * frame;
    if (n < 6) return snw_vec3_make(0.03 * sin(t + n), 0.01 * cos(t * n), 0.005 * n * sin(t));
    if (n < 8) return snw_vec3_make(0.6 * sin(t + n), 0.5 * sin(2 * t), 0.4 * cos(t));
    if (n == 8) return snw_vec3_make(0, 0, 0.04 * sin(t));
    return axes_at(trial, frame, 7 * ((n - 9) / 4), (n - 9) % 4);
}

static bool is_called_computed(const snw_recognised *found, int marker)
{
    return strncmp(found->marker[marker].name, "Computed", 8) == 0;
}

static void what_a_model_computed_is_left_out_and_told(void **state)
{
    (void)state;
    enum {
        MODEL = 6 + 2 + 1 + 3 * 4
    };
    nameless made = make("humanoid", SNW_SYNTH_WALK, SNW_SYNTH_ANATOMICAL, 5);
    snw_label truth[256];
    snw_notes notes = snw_notes_none();
    snw_trial *bare = stripped(made.synth->capture, NULL, truth);
    snw_trial *trial = with_more_points(bare, MODEL);
    for (int f = 0; f < trial->frame_count; f++)
        for (int n = 0; n < MODEL; n++)
            snw_trial_set(trial, f, bare->marker_count + n, model_output(bare, f, n),
                          SNW_SAMPLE_MEASURED);
    snw_recognised *found = recognised_in(trial, &notes);
    for (int m = 0; m < trial->marker_count; m++)
        if (is_called_computed(found, m) != (m >= bare->marker_count))
            fail_msg("point %d of %d and %d", m, bare->marker_count, MODEL);
    assert_true(found->is_person);
    assert_int_equal(found->point_count, bare->marker_count);
    assert_true(snw_notes_find(&notes, SNW_NOTE_POINTS_COMPUTED, 0) >= 0);
    assert_int_equal(snw_recognised_name(found, trial, NULL), SNW_OK);
    found->marker_count = bare->marker_count;
    assert_int_equal(wrong_segments(found, truth), 0);
    for (int m = 0; m < trial->marker_count; m++)
        assert_int_equal(!snw_trial_is_marker(trial, m), m >= bare->marker_count);
    snw_recognised_destroy(found);
    snw_trial_destroy(trial);
    snw_trial_destroy(bare);
    nameless_free(&made);
}

/* Plates are squares, and a person may stand where a laboratory counts from; a capture of nothing
 * but axes has these for markers. */
static void markers_are_not_taken_for_what_a_model_computed(void **state)
{
    (void)state;
    nameless made = make("humanoid", SNW_SYNTH_RANGE, SNW_SYNTH_ANATOMICAL, 6);
    snw_label truth[256];
    snw_trial *bare = stripped(made.synth->capture, NULL, truth);
    snw_trial *plate = with_more_points(bare, 4), *axes = with_more_points(bare, 0);
    for (int f = 0; f < bare->frame_count; f++) {
        snw_vec3 o = axes_at(bare, f, 3, 0), x = axes_at(bare, f, 3, 1), y = axes_at(bare, f, 3, 2);
        snw_vec3 across = snw_vec3_sub(snw_vec3_scale(o, 2), x);
        const snw_vec3 square[4] = {o, x, y, across};
        for (int n = 0; n < 4; n++)
            snw_trial_set(plate, f, bare->marker_count + n, square[n], SNW_SAMPLE_MEASURED);
        for (int m = 0; m < axes->marker_count; m++)
            snw_trial_set(axes, f, m, axes_at(bare, f, m - m % 4, m % 4), SNW_SAMPLE_MEASURED);
    }
    snw_trial *trials[] = {bare, plate, axes};
    for (int n = 0; n < 3; n++) {
        snw_recognised *found = recognised_in(trials[n], NULL);
        for (int m = 0; m < found->marker_count; m++)
            assert_false(is_called_computed(found, m));
        snw_recognised_destroy(found);
        snw_trial_destroy(trials[n]);
    }
    nameless_free(&made);
}

/* A hand, and markers that were put anywhere on the skin, which their motion tells better. */
static void what_wears_no_marker_set_is_not_named(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        snw_synth_motion_kind motion;
        snw_synth_placement placement;
    } others[] = {
        {"hand25", SNW_SYNTH_GESTURES, SNW_SYNTH_ANATOMICAL},
        {"humanoid", SNW_SYNTH_RANGE, SNW_SYNTH_RANDOM},
        {"humanoid13", SNW_SYNTH_RANGE, SNW_SYNTH_RANDOM},
    };
    for (size_t k = 0; k < CHECK_CASES(sizeof others / sizeof *others); k++) {
        nameless made = make(others[k].body, others[k].motion, others[k].placement, 5);
        snw_label truth[256];
        snw_notes notes = snw_notes_none();
        snw_trial *trial = stripped(made.synth->capture, NULL, truth);
        snw_recognised *found = recognised_in(trial, &notes);
        print_message("%s: cost %.2f margin %.1f\n", others[k].body, found->cost, found->margin);
        assert_false(found->is_person);
        assert_true(found->confidence >= 0 && found->confidence <= 0.5);
        assert_true(snw_notes_find(&notes, SNW_NOTE_PERSON_NOT_RECOGNISED, 0) >= 0);
        assert_int_equal(snw_recognised_name(found, trial, NULL), SNW_OK);
        assert_string_equal(trial->marker[0].name, "*1");
        snw_recognised_destroy(found);
        snw_trial_destroy(trial);
        nameless_free(&made);
    }
}

static void names_that_people_gave_are_left_alone(void **state)
{
    (void)state;
    nameless made = make("humanoid", SNW_SYNTH_WALK, SNW_SYNTH_ANATOMICAL, 1);
    snw_notes notes = snw_notes_none();
    snw_recognised *found = recognised_in(made.synth->capture, &notes);
    assert_false(found->is_person);
    assert_int_equal(found->point_count, 0);
    assert_string_equal(found->plan, "");
    assert_int_equal(notes.count, 0);
    snw_recognised_destroy(found);
    /* Unless they are to be ignored. */
    assert_int_equal(snw_trial_recognise_anew(made.synth->capture, NULL, &found, NULL, NULL),
                     SNW_OK);
    assert_true(found->is_person);
    int knee = snw_trial_find_marker(made.synth->capture, "LKNE");
    assert_int_equal(found->marker[knee].part, SNW_PART_UPLEG);
    assert_int_equal(found->marker[knee].side, SNW_SIDE_LEFT);
    snw_recognised_destroy(found);
    nameless_free(&made);
}

/* Another trial than the one that was looked at. */
static void a_trial_of_other_markers_is_refused(void **state)
{
    (void)state;
    nameless made = make("humanoid", SNW_SYNTH_WALK, SNW_SYNTH_ANATOMICAL, 1);
    snw_label truth[256];
    snw_trial *trial = stripped(made.synth->capture, is_below_the_waist, truth);
    snw_recognised *found = recognised_in(made.synth->capture, NULL);
    snw_error error;
    assert_int_equal(snw_recognised_name(found, trial, &error), SNW_INVALID_ARGUMENT);
    snw_recognised_destroy(found);
    snw_trial_destroy(trial);
    nameless_free(&made);
}

/* ---- the assignment, against all permutations ------------------------------------------------ */

#define ASSIGN_ROWS    5
#define ASSIGN_COLUMNS 7

static double least_of_all(const double *cost, int row, bool *is_taken)
{
    if (row == ASSIGN_ROWS) return 0;
    double least = INFINITY;
    for (int j = 0; j < ASSIGN_COLUMNS; j++) {
        if (is_taken[j]) continue;
        is_taken[j] = true;
        double sum = cost[row * ASSIGN_COLUMNS + j] + least_of_all(cost, row + 1, is_taken);
        is_taken[j] = false;
        if (sum < least) least = sum;
    }
    return least;
}

static void the_assignment_is_the_cheapest_of_all(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        double cost[ASSIGN_ROWS * ASSIGN_COLUMNS], row_dual[ASSIGN_ROWS];
        double column_dual[ASSIGN_COLUMNS + 1], distance[ASSIGN_COLUMNS + 1], sum = 0;
        int owner[ASSIGN_COLUMNS + 1], from[ASSIGN_COLUMNS + 1], column[ASSIGN_ROWS];
        bool is_done[ASSIGN_COLUMNS + 1], is_taken[ASSIGN_COLUMNS] = {false};
        snw__assignment_work work = {row_dual, column_dual, distance, owner, from, is_done};
        snw_random random = snw_random_seed(seed, 1);
        for (int k = 0; k < ASSIGN_ROWS * ASSIGN_COLUMNS; k++)
            cost[k] = snw_random_range(&random, -2, 5);
        snw__assign(cost, ASSIGN_ROWS, ASSIGN_COLUMNS, &work, column);
        for (int i = 0; i < ASSIGN_ROWS; i++) {
            assert_true(column[i] >= 0 && column[i] < ASSIGN_COLUMNS && !is_taken[column[i]]);
            is_taken[column[i]] = true;
            sum += cost[i * ASSIGN_COLUMNS + column[i]];
        }
        memset(is_taken, 0, sizeof is_taken);
        /* Sums of five numbers below 5 differ by round-off. */
        check_near(sum, least_of_all(cost, 0, is_taken), 1e-12);
    }
}

/* ---- several people -------------------------------------------------------------------------- */

/* Two people beside each other, so far apart (metres) between their means; who (count) is whose
 * marker. */
static snw_trial *side_by_side(double apart, int *who, int *count)
{
    nameless made[2] = {make("humanoid", SNW_SYNTH_DANCE, SNW_SYNTH_ANATOMICAL, 5),
                        make("humanoid", SNW_SYNTH_RANGE, SNW_SYNTH_ANATOMICAL, 9)};
    const snw_trial *a = made[0].synth->capture, *b = made[1].synth->capture;
    int all[128], markers = a->marker_count;
    snw_trial *trial = NULL;
    snw_vec3 shift = {0, 0, 0};
    *count = markers + b->marker_count;
    for (int m = 0; m < *count; m++)
        all[m] = m % markers;
    assert_int_equal(snw_trial_pick(a, all, *count, NULL, &trial, NULL), SNW_OK);
    for (int f = 0; f < trial->frame_count; f++)
        for (int m = 0; m < markers; m++)
            shift = snw_vec3_add_scaled(
                shift, 1.0 / (trial->frame_count * markers),
                snw_vec3_sub(snw_trial_position(a, f, m), snw_trial_position(b, f, m)));
    shift = snw_vec3_make(shift.x + apart, 0, shift.z);
    for (int m = 0; m < *count; m++) {
        who[m] = m >= markers;
        for (int f = 0; f < trial->frame_count && who[m]; f++)
            snw_trial_set(trial, f, m, snw_vec3_add(snw_trial_position(b, f, m - markers), shift),
                          SNW_SAMPLE_MEASURED);
    }
    nameless_free(made);
    nameless_free(made + 1);
    return trial;
}

/* Points that are with the wrong person, whichever is called the first. */
static int wrong_person(const int *person, const int *who, int count)
{
    int different = 0;
    for (int p = 0; p < count; p++)
        different += person[p] != who[p];
    return different < count - different ? different : count - different;
}

static void people_who_touch_are_parted_by_the_spectrum(void **state)
{
    (void)state;
    snw_allocator memory = snw_allocator_default();
    static const double aparts[] = {1.5, 0.7, 0.4};
    for (int n = 0; n < 3; n++) {
        int who[128], marker[128], person[SNW__PEOPLE_POINTS], count;
        snw__people_parting people;
        snw_trial *trial = side_by_side(aparts[n], who, &count);
        for (int m = 0; m < count; m++)
            marker[m] = m;
        assert_int_equal(snw__people_open(trial, marker, count, &memory, &people, NULL), SNW_OK);
        bool is_parted = snw__people_part_by_cuts(&people, 2, person);
        int by_cuts = is_parted ? wrong_person(person, who, count) : count;
        assert_true(snw__people_part_by_spectrum(&people, 2, person));
        int by_spectrum = wrong_person(person, who, count);
        /* Who is farther apart than any two neighbours of one person is parted at once. */
        assert_int_equal(snw__people_part_apart(&people, person), aparts[n] >= 1 ? 2 : 1);
        print_message("%.1f m: %d wrong by cuts, %d by spectrum\n", aparts[n], by_cuts,
                      by_spectrum);
        assert_int_equal(by_spectrum, 0);
        if (aparts[n] >= 1) assert_int_equal(by_cuts, 0);
        snw__block_release(&memory, &people.block);
        snw_trial_destroy(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_who_touch_are_parted_by_the_spectrum),
        cmocka_unit_test(every_marker_of_41_is_found_on_its_segment_and_side),
        cmocka_unit_test(legs_alone_are_recognised_or_declined_but_not_mistaken),
        cmocka_unit_test(plates_on_both_sides_are_recognised),
        cmocka_unit_test(pieces_get_one_name_and_objects_none),
        cmocka_unit_test(what_a_model_computed_is_left_out_and_told),
        cmocka_unit_test(markers_are_not_taken_for_what_a_model_computed),
        cmocka_unit_test(what_wears_no_marker_set_is_not_named),
        cmocka_unit_test(names_that_people_gave_are_left_alone),
        cmocka_unit_test(a_trial_of_other_markers_is_refused),
        cmocka_unit_test(the_assignment_is_the_cheapest_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
