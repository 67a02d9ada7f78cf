/* Captures that the labels, the clock or the markers make hard to believe: labels of no set are
 * read by where the markers sit, and nothing with a missing arm, copied frames or a jump is green.
 */
#include <sinew/solve.h>
#include <sinew/synth.h>

#include "check.h"

typedef struct made {
    snw_skeleton *body;
    snw_synth *synth;
} made;

static made make(void)
{
    made m;
    snw_error error;
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_WALK;
    options.seconds = 3;
    options.placement = SNW_SYNTH_ANATOMICAL;
    assert_int_equal(snw_preset_create("humanoid", NULL, &m.body, NULL), SNW_OK);
    if (snw_synth_create(m.body, NULL, &options, NULL, &m.synth, &error) != SNW_OK)
        fail_msg("%s", error.message);
    return m;
}

static void release(made *m)
{
    snw_synth_destroy(m->synth);
    snw_skeleton_destroy(m->body);
}

static snw_solution *solve(const snw_trial *trial)
{
    snw_solution *solution = NULL;
    snw_error error;
    if (snw_solve(trial, NULL, NULL, &solution, &error) != SNW_OK) fail_msg("%s", error.message);
    return solution;
}

static const snw_judgement *find(const snw_solution *solution, snw_judgement_code code)
{
    const snw_judgements *all = solution->body->judgements;
    for (int n = 0; n < all->count; n++)
        if (all->item[n].code == code) return all->item + n;
    return NULL;
}

static bool has_joint(const snw_solution *solution, const char *name)
{
    return snw_skeleton_find_joint(solution->body->actor->skeleton, name) >= 0;
}

static void labels_of_no_set_are_read_by_where_the_markers_sit(void **state)
{
    (void)state;
    made m = make();
    snw_trial *trial = m.synth->capture;
    for (int k = 0; k < trial->marker_count; k++) {
        char name[16];
        snw_format(name, sizeof name, "q%c%cz", 'a' + k / 26, 'a' + k % 26);
        assert_int_equal(snw_trial_set_marker_name(trial, k, name, NULL), SNW_OK);
    }
    assert_int_equal(snw_label_read(trial->marker[0].name).kind, SNW_LABEL_UNKNOWN);
    snw_solution *solution = solve(trial);
    assert_true(snw_notes_find(solution->notes, SNW_NOTE_LABELS_IGNORED, 0) >= 0);
    assert_true(has_joint(solution, "LeftForeArm") && has_joint(solution, "RightLeg"));
    assert_true(solution->recognition.is_person);
    assert_true(solution->verdict < SNW_VERDICT_RED);
    assert_string_equal(solution->trial->marker[0].name, trial->marker[0].name);
    /* The same where the capture was prepared before, as who shows it first does. */
    snw_solve_options first = {
        .keeps_swaps = true, .keeps_slips = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solution *prepared = NULL, *later = NULL;
    assert_int_equal(snw_solve(trial, &first, NULL, &prepared, NULL), SNW_OK);
    snw_solve_options then = {.prepared = prepared};
    assert_int_equal(snw_solve(prepared->trial, &then, NULL, &later, NULL), SNW_OK);
    assert_int_equal(later->verdict, solution->verdict);
    assert_int_equal(later->notes->count, solution->notes->count);
    for (int n = 0; n < later->notes->count; n++)
        assert_string_equal(later->notes->note[n].text, solution->notes->note[n].text);
    snw_solution_destroy(later);
    snw_solution_destroy(prepared);
    snw_solution_destroy(solution);
    release(&m);
}

static void labels_that_are_understood_are_not_doubted(void **state)
{
    (void)state;
    made m = make();
    snw_solution *solution = solve(m.synth->capture);
    assert_true(snw_notes_find(solution->notes, SNW_NOTE_LABELS_IGNORED, 0) < 0);
    assert_int_equal(solution->recognition.point_count, 0);
    assert_null(find(solution, SNW_JUDGEMENT_MISSING_LIMB));
    assert_null(find(solution, SNW_JUDGEMENT_FROZEN_FRAMES));
    assert_null(find(solution, SNW_JUDGEMENT_JUMP));
    snw_solution_destroy(solution);
    release(&m);
}

static void a_missing_arm_is_never_green(void **state)
{
    (void)state;
    static const char *const arm[] = {"RFRM", "RWRA", "RWRB", "RFIN", "RELB", "RUPA"};
    made m = make();
    snw_trial *trial = m.synth->capture;
    for (int n = 0; n < 6; n++) {
        int marker = snw_trial_find_marker(trial, arm[n]);
        if (marker < 0) fail_msg("no marker %s", arm[n]);
        for (int f = 0; f < trial->frame_count; f++)
            snw_trial_set(trial, f, marker, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    }
    snw_solution *solution = solve(trial);
    const snw_judgement *missing = find(solution, SNW_JUDGEMENT_MISSING_LIMB);
    assert_non_null(missing);
    assert_int_equal(missing->verdict, SNW_VERDICT_AMBER);
    assert_non_null(strstr(missing->sentence, "Right"));
    snw_solution_destroy(solution);
    release(&m);
}

/* Hands that hang from upper arms: no marker is left over, no side lacks what the other has. */
static void hands_without_forearms_are_never_green(void **state)
{
    (void)state;
    static const char *const gone[] = {"LFRM", "LELB", "RFRM", "RELB"};
    static const char *const hand[][2] = {{"LWRA", "LHand1"}, {"LWRB", "LHand2"},
                                          {"LFIN", "LHand3"}, {"RWRA", "RHand1"},
                                          {"RWRB", "RHand2"}, {"RFIN", "RHand3"}};
    made m = make();
    snw_trial *trial = m.synth->capture;
    for (int n = 0; n < 4; n++)
        for (int f = 0; f < trial->frame_count; f++)
            snw_trial_set(trial, f, snw_trial_find_marker(trial, gone[n]), snw_vec3_make(0, 0, 0),
                          SNW_SAMPLE_MISSING);
    for (int n = 0; n < 6; n++)
        assert_int_equal(snw_trial_set_marker_name(trial, snw_trial_find_marker(trial, hand[n][0]),
                                                   hand[n][1], NULL),
                         SNW_OK);
    snw_solution *solution = solve(trial);
    assert_true(has_joint(solution, "LeftHand") && has_joint(solution, "RightHand"));
    assert_false(has_joint(solution, "LeftForeArm") || has_joint(solution, "RightForeArm"));
    const snw_judgement *missing = find(solution, SNW_JUDGEMENT_MISSING_LIMB);
    if (!missing || !strstr(missing->sentence, "LeftForeArm and RightForeArm"))
        fail_msg("%s", missing ? missing->sentence : "nothing is missing");
    assert_true(solution->verdict >= SNW_VERDICT_AMBER);
    snw_solution_destroy(solution);
    release(&m);
}

static void frames_that_are_copies_are_told(void **state)
{
    (void)state;
    made m = make();
    snw_trial *trial = m.synth->capture;
    int from = 2 * trial->frame_count / 3;
    for (int f = from; f < trial->frame_count; f++)
        for (int k = 0; k < trial->marker_count; k++)
            snw_trial_set(trial, f, k, snw_trial_position(trial, from - 1, k), SNW_SAMPLE_MEASURED);
    snw_solution *solution = solve(trial);
    const snw_judgement *frozen = find(solution, SNW_JUDGEMENT_FROZEN_FRAMES);
    assert_non_null(frozen);
    assert_int_equal(frozen->verdict, SNW_VERDICT_AMBER);
    assert_int_equal(frozen->frame, from);
    check_near(frozen->number, trial->frame_count - from, 0);
    snw_solution_destroy(solution);
    release(&m);
}

static void half_of_the_samples_may_drop_out(void **state)
{
    (void)state;
    made m = make();
    snw_trial *trial = m.synth->capture;
    snw_solution *whole = solve(trial);
    snw_random random = snw_random_seed(7, 0);
    for (int f = 0; f < trial->frame_count; f++)
        for (int k = 0; k < trial->marker_count; k++)
            if (snw_random_range(&random, 0, 1) < 0.5)
                snw_trial_set(trial, f, k, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    snw_solution *solution = solve(trial);
    assert_true(snw_notes_find(whole->notes, SNW_NOTE_DROPOUTS_BRIDGED, 0) < 0);
    assert_true(snw_notes_find(solution->notes, SNW_NOTE_DROPOUTS_BRIDGED, 0) >= 0);
    assert_int_equal(solution->body->report.lost_count, 0);
    assert_true(solution->body->report.residual < 2 * whole->body->report.residual);
    assert_int_equal(solution->body->joint_count, whole->body->joint_count);
    snw_solution_destroy(whole);
    snw_solution_destroy(solution);
    release(&m);
}

static void the_person_says_which_way_is_up(void **state)
{
    (void)state;
    static const snw_up_axis axes[] = {SNW_UP_X, SNW_UP_Z, SNW_UP_NEGATIVE_Y};
    for (int n = 0; n < 3; n++) {
        made m = make();
        assert_int_equal(snw_trial_turn_up(m.synth->capture, axes[n], NULL), SNW_OK);
        m.synth->capture->up = SNW_UP_UNKNOWN;
        snw_solution *solution = solve(m.synth->capture);
        assert_int_equal(solution->trial->up, axes[n]);
        assert_true(solution->trial->is_up_assumed);
        /* No laboratory lets an axis point down. */
        assert_int_equal(find(solution, SNW_JUDGEMENT_UPSIDE_DOWN) != NULL, n == 2);
        assert_int_equal(solution->verdict >= SNW_VERDICT_AMBER, n == 2);
        snw_solution_destroy(solution);
        m.synth->capture->up = SNW_UP_Y; /* a guess of the file's reader, kept in all copies */
        m.synth->capture->is_up_assumed = true;
        solution = solve(m.synth->capture);
        assert_int_equal(solution->trial->up, axes[n]);
        snw_solution_destroy(solution);
        m.synth->capture->up = SNW_UP_NEGATIVE_Z; /* what a file says holds */
        m.synth->capture->is_up_assumed = false;
        solution = solve(m.synth->capture);
        assert_int_equal(solution->trial->up, SNW_UP_NEGATIVE_Z);
        assert_int_equal(find(solution, SNW_JUDGEMENT_UPSIDE_DOWN) != NULL, n == 1);
        snw_solution_destroy(solution);
        release(&m);
    }
}

/* Two markers on one plate at the sacrum, the left one a little to the right, are where they are.
 */
static void markers_side_by_side_are_not_exchanged(void **state)
{
    (void)state;
    for (int is_near = 0; is_near < 2; is_near++) {
        made m = make();
        snw_trial *trial = m.synth->capture;
        int left = snw_trial_find_marker(trial, "LPSI"),
            right = snw_trial_find_marker(trial, "RPSI");
        assert_true(left >= 0 && right >= 0);
        for (int f = 0; f < trial->frame_count; f++) {
            snw_vec3 a = snw_trial_position(trial, f, left);
            snw_vec3 b = snw_trial_position(trial, f, right);
            snw_vec3 middle = snw_vec3_lerp(a, b, 0.5);
            double apart = is_near ? 0.02 / snw_vec3_distance(a, b) : 1;
            snw_vec3 half = snw_vec3_scale(snw_vec3_sub(b, a), 0.5 * apart);
            snw_trial_set(trial, f, left, snw_vec3_add(middle, half), SNW_SAMPLE_MEASURED);
            snw_trial_set(trial, f, right, snw_vec3_sub(middle, half), SNW_SAMPLE_MEASURED);
        }
        snw_solution *solution = solve(trial);
        assert_int_equal(snw_notes_find(solution->notes, SNW_NOTE_LABELS_EXCHANGED, 0) >= 0,
                         !is_near);
        snw_solution_destroy(solution);
        release(&m);
    }
}

/* Prone for most of a trial, head in the direction of the walk that follows. */
static void who_lies_and_then_walks_does_not_turn_the_world(void **state)
{
    (void)state;
    made m = make();
    snw_trial *trial = m.synth->capture;
    int last = trial->frame_count - 1, lying = 3 * last / 5;
    snw_vec3 heel = snw_trial_position(trial, lying, 0);
    heel.y = 0.1;
    assert_true(snw_trial_position(trial, last, 0).z - heel.z > 0.9);
    for (int f = 0; f < lying; f++) { /* gets up in the last third of a second */
        double prone = fmin(1, (lying - f) / 40.0);
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(1, 0, 0), prone * SNW_PI / 2);
        for (int k = 0; k < trial->marker_count; k++) {
            snw_vec3 stood = snw_trial_position(trial, lying, k);
            snw_vec3 at = snw_quat_rotate(turn, snw_vec3_sub(stood, heel));
            snw_trial_set(trial, f, k, snw_vec3_add(heel, at), SNW_SAMPLE_MEASURED);
        }
    }
    trial->up = SNW_UP_UNKNOWN;
    snw_solution *solution = solve(trial);
    assert_int_equal(solution->trial->up, SNW_UP_Y);
    snw_solution_destroy(solution);
    release(&m);
}

static void the_head_tells_a_wrong_scale(void **state)
{
    (void)state;
    static const struct {
        double scale;
        bool is_doubted;
    } rows[] = {{1, false}, {1.25, true}, {0.8, true}};
    for (int n = 0; n < 3; n++) {
        made m = make();
        m.synth->capture->metres_per_unit *= rows[n].scale;
        snw_solution *solution = solve(m.synth->capture);
        const snw_judgement *size = find(solution, SNW_JUDGEMENT_IMPLAUSIBLE_SIZE);
        if ((size != NULL) != rows[n].is_doubted)
            fail_msg("times %g: %s", rows[n].scale, size ? size->sentence : "nothing is said");
        assert_int_equal(solution->verdict, size ? SNW_VERDICT_AMBER : SNW_VERDICT_GREEN);
        snw_solution_destroy(solution);
        release(&m);
    }
}

static void one_frame_is_no_motion(void **state)
{
    (void)state;
    made m = make();
    snw_trial one = snw_trial_window(m.synth->capture, 0, 1);
    snw_solution *solution = solve(&one);
    assert_non_null(find(solution, SNW_JUDGEMENT_FROZEN_FRAMES));
    assert_true(solution->verdict > SNW_VERDICT_GREEN);
    snw_solution_destroy(solution);
    release(&m);
}

static void a_jump_that_nobody_makes_is_red(void **state)
{
    (void)state;
    made m = make();
    snw_trial *trial = m.synth->capture;
    int from = trial->frame_count / 2;
    for (int f = from; f < trial->frame_count; f++)
        for (int k = 0; k < trial->marker_count; k++)
            snw_trial_set(trial, f, k,
                          snw_vec3_add(snw_trial_position(trial, f, k), snw_vec3_make(10, 0, 0)),
                          SNW_SAMPLE_MEASURED);
    snw_solution *solution = solve(trial);
    const snw_judgement *jump = find(solution, SNW_JUDGEMENT_JUMP);
    assert_non_null(jump);
    assert_int_equal(jump->verdict, SNW_VERDICT_RED);
    assert_int_equal(jump->frame, from);
    check_near(jump->number, 10, 0.1);
    snw_solution_destroy(solution);
    release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_of_no_set_are_read_by_where_the_markers_sit),
        cmocka_unit_test(labels_that_are_understood_are_not_doubted),
        cmocka_unit_test(a_missing_arm_is_never_green),
        cmocka_unit_test(hands_without_forearms_are_never_green),
        cmocka_unit_test(frames_that_are_copies_are_told),
        cmocka_unit_test(half_of_the_samples_may_drop_out),
        cmocka_unit_test(the_person_says_which_way_is_up),
        cmocka_unit_test(markers_side_by_side_are_not_exchanged),
        cmocka_unit_test(who_lies_and_then_walks_does_not_turn_the_world),
        cmocka_unit_test(the_head_tells_a_wrong_scale),
        cmocka_unit_test(one_frame_is_no_motion),
        cmocka_unit_test(a_jump_that_nobody_makes_is_red),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
