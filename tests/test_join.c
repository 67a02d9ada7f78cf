/* Trajectories become markers again: captures with known truth are cut at every gap and lose their
 * names; who belongs to whom is then known. */
#include "check.h"
#include "same_trial.h"

/* ---- captures that were cut ------------------------------------------------------------------ */

typedef struct shreds {
    snw_skeleton *body;
    snw_synth *synth;
    snw_trial *raw;
} shreds;

#define SHREDS_GAPS_MAX 400

/* Four markers on each of 23 segments, 0.5 mm noise, 2 mm skin. `target` loses `gap_count` times as
 * many markers as it says for up to a second. */
static shreds shred(snw_synth_motion_kind motion, const char *target, int per_gap, int gap_count,
                    uint64_t seed)
{
    static snw_synth_gap gap[SHREDS_GAPS_MAX];
    snw_random random = snw_random_seed(seed, 77);
    snw_synth_options options = snw_synth_options_default();
    options.motion = motion;
    options.placement = SNW_SYNTH_RANDOM;
    options.noise = 0.0005;
    options.wobble = 0.002;
    options.seed = seed;
    options.rate = 100;
    options.gap = gap;
    options.gap_count = gap_count;
    for (int g = 0; g < gap_count; g++) {
        snw_format(gap[g].target, sizeof gap[g].target, "%s", target);
        gap[g].marker_count = per_gap;
        gap[g].first_frame = SNW_SYNTH_ANY_FRAME;
        gap[g].frame_count = 10 + (int)snw_random_below(&random, 100);
    }
    shreds made = {NULL, NULL, NULL};
    snw_error error;
    assert_int_equal(snw_preset_create("humanoid", NULL, &made.body, &error), SNW_OK);
    if (snw_synth_create(made.body, NULL, &options, NULL, &made.synth, &error) != SNW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(snw_synth_unlabel(made.synth->capture, seed, NULL, &made.raw, &error), SNW_OK);
    return made;
}

static void shreds_free(shreds *made)
{
    snw_trial_destroy(made->raw);
    snw_synth_destroy(made->synth);
    snw_skeleton_destroy(made->body);
}

static snw_joined *join(const snw_trial *trial, snw_notes *notes)
{
    snw_joined *joined = NULL;
    snw_error error;
    if (snw_trial_join(trial, NULL, NULL, &joined, notes, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return joined;
}

/* The true marker that lies nearest in the middle of a piece. */
static int true_marker(const shreds *made, const snw_join_piece *piece)
{
    int frame = (piece->first + piece->last) / 2, best = -1;
    snw_vec3 here = snw_trial_position(made->raw, frame, piece->trajectory);
    double least = INFINITY;
    for (int m = 0; m < made->synth->marker_count; m++) {
        snw_vec3 there = snw_trial_position(made->synth->marker_truth, frame, m);
        double distance = snw_vec3_distance(here, there);
        if (distance < least) {
            least = distance;
            best = m;
        }
    }
    return best;
}

typedef struct join_score {
    int needed, right, wrong;
} join_score;

/* The piece of the same marker that follows piece n in time, or -1. */
static int follower(const snw_joined *joined, int n)
{
    int best = -1;
    for (int k = 0; k < joined->piece_count; k++)
        if (joined->piece[k].marker == joined->piece[n].marker &&
            joined->piece[k].first > joined->piece[n].first &&
            (best < 0 || joined->piece[k].first < joined->piece[best].first))
            best = k;
    return best;
}

static void add_score(const shreds *made, const snw_joined *joined, join_score *score)
{
    score->needed += joined->piece_count - made->synth->marker_count;
    for (int n = 0; n < joined->piece_count; n++) {
        int next = joined->piece[n].marker < 0 ? -1 : follower(joined, n);
        if (next < 0) continue;
        bool is_right =
            true_marker(made, joined->piece + n) == true_marker(made, joined->piece + next);
        score->right += is_right;
        score->wrong += !is_right;
    }
}

static void pieces_find_their_marker(void **state)
{
    (void)state;
    static const struct {
        snw_synth_motion_kind motion;
        int gap_count;
    } cases[] = {{SNW_SYNTH_DANCE, 120}, {SNW_SYNTH_WALK, 120}, {SNW_SYNTH_BOXING, 120}};
    join_score score = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        shreds made = shred(cases[c].motion, "body", 1, cases[c].gap_count, (uint64_t)c + 1);
        snw_joined *joined = join(made.raw, NULL);
        add_score(&made, joined, &score);
        snw_joined_destroy(joined);
        shreds_free(&made);
    }
    print_message("%d of %d joined, %d wrongly\n", score.right, score.needed, score.wrong);
    /* the goals: 95 % right, 0.5 % wrong */
    assert_true(score.needed > 250);
    assert_true(score.right >= 0.95 * score.needed);
    assert_true(score.wrong <= 0.005 * score.needed);
}

static void a_segment_that_vanished_whole_is_known_again(void **state)
{
    (void)state;
    join_score score = {0, 0, 0};
    static const char *const segments[] = {"left_knee", "right_elbow", "head", "spine"};
    for (int c = 0; c < 4; c++) {
        shreds made = shred(SNW_SYNTH_DANCE, segments[c], SNW_SYNTH_GAP_ALL, 3, (uint64_t)c + 1);
        snw_joined *joined = join(made.raw, NULL);
        add_score(&made, joined, &score);
        snw_joined_destroy(joined);
        shreds_free(&made);
    }
    print_message("%d of %d joined, %d wrongly\n", score.right, score.needed, score.wrong);
    assert_true(score.needed >= 32);
    assert_true(score.right >= 0.9 * score.needed);
    assert_int_equal(score.wrong, 0);
}

static void the_joined_trial_holds_the_samples_of_its_pieces(void **state)
{
    (void)state;
    shreds made = shred(SNW_SYNTH_DANCE, "body", 1, 60, 5);
    snw_joined *joined = join(made.raw, NULL);
    const snw_trial *whole = joined->trial;
    size_t seen = 0, expected = 0;
    for (size_t n = 0; n < (size_t)whole->frame_count * (size_t)whole->marker_count; n++)
        seen += whole->state[n] != SNW_SAMPLE_MISSING;
    for (int n = 0; n < joined->piece_count; n++) {
        const snw_join_piece *piece = joined->piece + n;
        for (int f = piece->first; f <= piece->last && piece->marker >= 0; f++) {
            expected += snw_trial_is_present(made.raw, f, piece->trajectory);
            check_vec3_near(snw_trial_position(whole, f, piece->marker),
                            snw_trial_position(made.raw, f, piece->trajectory), 0);
        }
    }
    assert_int_equal(seen, expected);
    snw_joined_destroy(joined);
    shreds_free(&made);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Two rigid segments of four markers that turn against each other; marker 0 is cut into the
 * trajectories 0 and 8, which is seen from frame 120 on. */
#define PAIR_FRAMES 200
#define PAIR_CUT    110
#define PAIR_BACK   120

static snw_trial *pair_trial(const char *first, const char *second)
{
    static const double place[4][3] = {{0.1, 0, 0}, {-0.1, 0.02, 0}, {0, 0.15, 0.05}, {0, 0, 0.12}};
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 9;
    options.frame_count = PAIR_FRAMES;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    snw_random random = snw_random_seed(3, 3);
    for (int f = 0; f < PAIR_FRAMES; f++)
        for (int m = 0; m < 9; m++) {
            int segment = m % 8 / 4;
            const double *at = place[m % 4];
            double turn = sin(0.05 * f) * (segment ? 1.0 : -0.7);
            snw_vec3 local =
                snw_vec3_make(at[0] + 0.0003 * snw_random_normal(&random), at[1], at[2]);
            snw_vec3 axis = snw_vec3_make(segment, 0.6, 0.8 - segment);
            snw_vec3 where = snw_quat_rotate(snw_quat_exp(snw_vec3_scale(axis, turn)), local);
            where = snw_vec3_add(where, snw_vec3_make(0.3 * segment, 0.01 * f, 1));
            bool is_gone = (m == 0 && f >= PAIR_CUT) || (m == 8 && f < PAIR_BACK);
            snw_trial_set(trial, f, m, where, is_gone ? SNW_SAMPLE_MISSING : SNW_SAMPLE_MEASURED);
        }
    assert_int_equal(snw_trial_set_marker_name(trial, 0, first, NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(trial, 8, second, NULL), SNW_OK);
    return trial;
}

static void a_name_is_kept_and_two_names_are_never_mixed(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second;
        int marker_count;
        const char *name;
    } cases[] = {
        {"LKNE", "*7", 8, "LKNE"},
        {"*3", "LKNE", 8, "LKNE"},
        {"*3", "*7", 8, "*3"},
        {"LKNE", "LKNE", 8, "LKNE"},
        {"LKNE", "RKNE", 9, "LKNE"},
        {"Joe:LKNE", "Joe:*12", 8, "Joe:LKNE"},
        {"Unidentified 4", "Unidentified 19", 8, "Unidentified 4"},
        {"U_1", "LKNE", 8, "LKNE"},
        {"Unlabeled 1001", "Unlabeled 1002", 8, "Unlabeled 1001"},
        {"T8", "T10", 9, "T8"},
        {"", "", 8, ""},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snw_trial *trial = pair_trial(cases[c].first, cases[c].second);
        snw_joined *joined = join(trial, NULL);
        if (joined->trial->marker_count != cases[c].marker_count)
            fail_msg("%s and %s: %d markers", cases[c].first, cases[c].second,
                     joined->trial->marker_count);
        assert_true(snw_trial_find_marker(joined->trial, cases[c].name) >= 0);
        assert_int_equal(joined->join_count, 9 - cases[c].marker_count);
        snw_joined_destroy(joined);
        snw_trial_destroy(trial);
    }
}

/* The pair with names for all, so that nothing is in doubt. */
static snw_trial *named_pair(void)
{
    snw_trial *trial = pair_trial("LKNE", "RKNE");
    for (int m = 1; m < 8; m++) {
        char name[16];
        snw_format(name, sizeof name, "Segment%d:%d", m / 4, m);
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
    }
    return trial;
}

static void a_trial_of_named_markers_comes_out_as_it_went_in(void **state)
{
    (void)state;
    snw_trial *trial = named_pair();
    snw_notes notes = snw_notes_none();
    snw_joined *joined = join(trial, &notes);
    check_same_trial(joined->trial, trial);
    assert_int_equal(notes.count, 0);
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

static void another_place_is_another_marker(void **state)
{
    (void)state;
    snw_trial *trial = pair_trial("*1", "*9");
    for (int f = PAIR_BACK; f < PAIR_FRAMES; f++) {
        snw_vec3 off = snw_vec3_add(snw_trial_position(trial, f, 8), snw_vec3_make(0, 0, 0.05));
        snw_trial_set(trial, f, 8, off, SNW_SAMPLE_MEASURED);
    }
    snw_joined *joined = join(trial, NULL);
    assert_int_equal(joined->trial->marker_count, 9);
    assert_int_equal(joined->join_count, 0);
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

static void a_piece_with_the_name_of_a_marker_elsewhere_is_left_out(void **state)
{
    (void)state;
    snw_trial *trial = pair_trial("LKNE", "LKNE");
    for (int f = PAIR_BACK; f < PAIR_FRAMES; f++) {
        snw_vec3 off = snw_vec3_add(snw_trial_position(trial, f, 8), snw_vec3_make(0, 0, 0.15));
        snw_sample_state seen = f < PAIR_BACK + 10 ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING;
        snw_trial_set(trial, f, 8, off, seen);
    }
    snw_notes notes = snw_notes_none();
    snw_joined *joined = join(trial, &notes);
    assert_int_equal(joined->trial->marker_count, 8);
    assert_int_equal(joined->misnamed_count, 1);
    assert_int_equal(joined->join_count, 0);
    assert_non_null(strstr(notes.note[0].text, "LKNE in frames 121-130"));
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

static void a_column_that_was_used_twice_is_cut(void **state)
{
    (void)state;
    /* marker 0 in its column until frame 110; from frame 120 on the column holds marker 5, whose
     * own column is empty from there */
    snw_trial *trial = pair_trial("*1", "*9");
    for (int f = 0; f < PAIR_FRAMES; f++) {
        snw_vec3 other = snw_trial_position(trial, f, 5), nowhere = snw_vec3_make(0, 0, 0);
        if (f >= PAIR_BACK) snw_trial_set(trial, f, 0, other, SNW_SAMPLE_MEASURED);
        if (f >= PAIR_CUT) snw_trial_set(trial, f, 5, nowhere, SNW_SAMPLE_MISSING);
    }
    assert_int_equal(snw_trial_set_marker_name(trial, 5, "*6", NULL), SNW_OK);
    snw_joined *joined = join(trial, NULL);
    assert_int_equal(joined->trial->marker_count, 8);
    int late_of_first = -1, of_fifth = -1, of_ninth = -1, first = -1;
    for (int n = 0; n < joined->piece_count; n++) {
        const snw_join_piece *piece = joined->piece + n;
        if (piece->trajectory == 0 && piece->first == 0) first = piece->marker;
        if (piece->trajectory == 0 && piece->first == PAIR_BACK) late_of_first = piece->marker;
        if (piece->trajectory == 5) of_fifth = piece->marker;
        if (piece->trajectory == 8) of_ninth = piece->marker;
    }
    assert_int_equal(late_of_first, of_fifth);
    assert_int_equal(of_ninth, first);
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

static void a_point_seen_for_a_moment_is_left_out_and_counted(void **state)
{
    (void)state;
    snw_trial *trial = named_pair();
    for (int f = 0; f < PAIR_FRAMES; f++) {
        snw_vec3 near = snw_vec3_add(snw_trial_position(trial, 50, 3), snw_vec3_make(0.02, 0, 0));
        bool is_there = f >= 50 && f < 54;
        snw_trial_set(trial, f, 8, near, is_there ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING);
    }
    assert_int_equal(snw_trial_set_marker_name(trial, 8, "*77", NULL), SNW_OK);
    snw_notes notes = snw_notes_none();
    snw_joined *joined = join(trial, &notes);
    assert_int_equal(joined->trial->marker_count, 8);
    assert_int_equal(joined->ghost_count, 1);
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.note[0].text, "left out"));
    snw_joined_destroy(joined);
    snw_join_options keep = snw_join_options_default();
    keep.ghost_seconds = -1;
    assert_int_equal(snw_trial_join(trial, &keep, NULL, &joined, NULL, NULL), SNW_OK);
    assert_int_equal(joined->trial->marker_count, 9);
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

/* ---- strange input --------------------------------------------------------------------------- */

/* What is_present says is seen, at random places this far about the marker's own, metres. */
static snw_trial *random_trial(int markers, int frames, double spread,
                               bool (*is_present)(int f, int m))
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = markers;
    options.frame_count = frames;
    snw_trial *trial = NULL;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    snw_random random = snw_random_seed(9, 9);
    for (int f = 0; f < frames; f++)
        for (int m = 0; m < markers; m++) {
            const double place[] = {0.1 * (m % 7), 0.13 * (m / 20 % 11), 0.07 * (m / 20)};
            double x = snw_random_range(&random, -1, 1), y = snw_random_range(&random, -1, 1);
            if (is_present(f, m))
                snw_trial_set(trial, f, m,
                              snw_vec3_make(place[0] + x * spread, place[1] + y * spread, place[2]),
                              SNW_SAMPLE_MEASURED);
        }
    return trial;
}

static bool never(int f, int m)
{
    (void)f;
    (void)m;
    return false;
}

static bool always(int f, int m)
{
    (void)f;
    (void)m;
    return true;
}

static bool one_after_another(int f, int m)
{
    return f / 5 == m;
}

static bool every_second(int f, int m)
{
    return (f + m) % 2 == 0;
}

static void strange_trials_are_survived(void **state)
{
    (void)state;
    static const struct {
        int markers, frames;
        bool (*is_present)(int f, int m);
    } cases[] = {
        {0, 0, never},  {0, 10, never},        {5, 0, never},      {5, 20, never},
        {1, 1, always}, {7, 1, always},        {1, 50, always},    {20, 100, one_after_another},
        {3, 2, always}, {6, 80, every_second}, {300, 300, always},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snw_trial *trial = random_trial(cases[c].markers, cases[c].frames, 1, cases[c].is_present);
        snw_joined *joined = join(trial, NULL);
        assert_int_equal(joined->trial->frame_count, cases[c].frames);
        assert_true(joined->trial->marker_count <= joined->piece_count);
        snw_joined_destroy(joined);
        snw_trial_destroy(trial);
    }
}

/* A hundred are seen at a time, for 25 frames. */
static bool in_turns(int f, int m)
{
    return f / 25 == m % 20;
}

static void a_thousand_pieces_are_no_hindrance(void **state)
{
    (void)state;
    snw_trial *trial = random_trial(CHECK_SAMPLES(1000), 500, 0.001, in_turns);
    snw_joined *joined = join(trial, NULL);
    assert_true(joined->piece_count >= CHECK_SAMPLES(1000));
    snw_joined_destroy(joined);
    snw_trial_destroy(trial);
}

static void the_same_trial_gives_the_same_bits(void **state)
{
    (void)state;
    shreds made = shred(SNW_SYNTH_BOXING, "body", 1, 40, 8);
    snw_joined *one = join(made.raw, NULL), *other = join(made.raw, NULL);
    check_same_trial(one->trial, other->trial);
    snw_joined_destroy(other);
    snw_joined_destroy(one);
    shreds_free(&made);
}

static void no_memory_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    snw_trial *trial = pair_trial("*1", "*9");
    counting_allocator counter = {0, 0, 0, -1};
    snw_allocator hook = counting_hook(&counter);
    for (long n = 0; n < 1000; n++) {
        snw_joined *joined = NULL;
        snw_error error;
        counter.calls = 0;
        counter.fail_at = n;
        snw_status status = snw_trial_join(trial, NULL, &hook, &joined, NULL, &error);
        if (status == SNW_OK) {
            assert_true(n > 3);
            snw_joined_destroy(joined);
            assert_int_equal(counter.live, 0);
            snw_trial_destroy(trial);
            return;
        }
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
        assert_null(joined);
        assert_int_equal(counter.live, 0);
    }
    fail_msg("never succeeded");
}

static void no_memory_to_unlabel_is_an_error_too(void **state)
{
    (void)state;
    snw_trial *trial = named_pair();
    counting_allocator counter = {0, 0, 0, -1};
    snw_allocator hook = counting_hook(&counter);
    snw_trial *raw = NULL;
    snw_status status = SNW_OUT_OF_MEMORY;
    for (long n = 0; n < 1000 && status == SNW_OUT_OF_MEMORY; n++) {
        counter.calls = 0;
        counter.fail_at = n;
        status = snw_synth_unlabel(trial, 1, &hook, &raw, NULL);
        assert_true(status == SNW_OK || (!raw && counter.live == 0));
    }
    assert_int_equal(status, SNW_OK);
    assert_int_equal(raw->marker_count, 9);
    for (int m = 0; m < 9; m++)
        assert_int_equal(raw->marker[m].name[0], '*');
    snw_trial_destroy(raw);
    assert_int_equal(counter.live, 0);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_find_their_marker),
        cmocka_unit_test(a_segment_that_vanished_whole_is_known_again),
        cmocka_unit_test(the_joined_trial_holds_the_samples_of_its_pieces),
        cmocka_unit_test(a_name_is_kept_and_two_names_are_never_mixed),
        cmocka_unit_test(a_trial_of_named_markers_comes_out_as_it_went_in),
        cmocka_unit_test(another_place_is_another_marker),
        cmocka_unit_test(a_piece_with_the_name_of_a_marker_elsewhere_is_left_out),
        cmocka_unit_test(a_column_that_was_used_twice_is_cut),
        cmocka_unit_test(a_point_seen_for_a_moment_is_left_out_and_counted),
        cmocka_unit_test(strange_trials_are_survived),
        cmocka_unit_test(a_thousand_pieces_are_no_hindrance),
        cmocka_unit_test(the_same_trial_gives_the_same_bits),
        cmocka_unit_test(no_memory_is_an_error_and_leaves_nothing),
        cmocka_unit_test(no_memory_to_unlabel_is_an_error_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
