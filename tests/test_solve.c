/* The one solve: every step can be left out, replaced, watched and cancelled; it is the steps one
 * after the other, and live it is the tracker. The steps' own functions are the oracle. */
#include "capture_truth.h"

/* ---- captures ------------------------------------------------------------------------------ */

static truth make_truth(int frames)
{
    truth_options options = truth_options_default();
    options.frame_count = frames;
    return truth_make(&options);
}

static snw_solution *solve(const snw_trial *trial, const snw_solve_options *options)
{
    snw_solution *solution = NULL;
    snw_error error;
    if (snw_solve(trial, options, NULL, &solution, &error) != SNW_OK) fail_msg("%s", error.message);
    return solution;
}

static size_t motion_bytes(const snw_motion *motion)
{
    return (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count *
           sizeof *motion->rotation;
}

static bool is_same_motion(const snw_motion *a, const snw_motion *b)
{
    return a->frame_count == b->frame_count &&
           a->skeleton->joint_count == b->skeleton->joint_count &&
           memcmp(a->rotation, b->rotation, motion_bytes(a)) == 0 &&
           memcmp(a->root, b->root, (size_t)a->frame_count * sizeof *a->root) == 0;
}

static bool is_same_solution(const snw_solution *a, const snw_solution *b)
{
    bool is_same = a->body_count == b->body_count && a->verdict == b->verdict &&
                   a->notes->count == b->notes->count && a->slips.count == b->slips.count;
    for (int n = 0; is_same && n < a->body_count; n++)
        is_same = is_same_motion(a->body[n].motion, b->body[n].motion) &&
                  memcmp(a->body[n].judgements, b->body[n].judgements,
                         sizeof *a->body[n].judgements) == 0;
    return is_same;
}

static void exchange(snw_trial *trial, const char *one, const char *other, int from, int to)
{
    int a = snw_trial_find_marker(trial, one), b = snw_trial_find_marker(trial, other);
    assert_true(a >= 0 && b >= 0);
    for (int f = from; f < to; f++) {
        snw_vec3 at = snw_trial_position(trial, f, a);
        snw_trial_set(trial, f, a, snw_trial_position(trial, f, b), SNW_SAMPLE_MEASURED);
        snw_trial_set(trial, f, b, at, SNW_SAMPLE_MEASURED);
    }
}

/* A marker of a segment sits 40 mm away, as the segment is turned, from this frame on. */
static void slip(truth *t, int marker, int from)
{
    snw_pose *pose = NULL;
    int segment = marker * TRUTH_JOINTS / t->trial->marker_count;
    assert_int_equal(snw_pose_create(t->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = from; f < t->trial->frame_count; f++) {
        snw_motion_get(t->motion, f, pose);
        snw_pose_forward(pose);
        snw_vec3 by = snw_quat_rotate(pose->world[segment].rotation, snw_vec3_make(0.04, 0, 0));
        snw_trial_set(t->trial, f, marker,
                      snw_vec3_add(snw_trial_position(t->trial, f, marker), by),
                      SNW_SAMPLE_MEASURED);
    }
    snw_pose_destroy(pose);
}

static bool has_judgement(const snw_solved_body *body, snw_judgement_code code)
{
    for (int n = 0; n < body->judgements->count; n++)
        if (body->judgements->item[n].code == code) return true;
    return false;
}

/* ---- defaults and the order ---------------------------------------------------------------- */

static void options_all_zero_are_the_defaults(void **state)
{
    (void)state;
    truth t = make_truth(150);
    snw_solve_options zero, defaults = snw_solve_options_default();
    snw_live_body_options live = snw_live_body_options_default();
    memset(&zero, 0, sizeof zero);
    assert_null(live.tracker);
    snw_solution *none = solve(t.trial, NULL), *zeroed = solve(t.trial, &zero);
    snw_solution *usual = solve(t.trial, &defaults);
    assert_true(is_same_solution(none, zeroed) && is_same_solution(none, usual));
    snw_solution_destroy(usual);
    snw_solution_destroy(zeroed);
    snw_solution_destroy(none);
    truth_free(&t);
}

static void a_clean_capture_is_the_three_steps(void **state)
{
    (void)state;
    truth t = make_truth(150);
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    assert_int_equal(snw_segments_find(t.trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(t.trial, segments, NULL, NULL, &actor, NULL), SNW_OK);
    assert_int_equal(snw_actor_solve(actor, t.trial, NULL, NULL, &motion, NULL), SNW_OK);
    snw_solution *solution = solve(t.trial, NULL);
    assert_int_equal(solution->body_count, 1);
    assert_int_equal(solution->verdict, SNW_VERDICT_GREEN);
    assert_int_equal(solution->body->refusal, -1);
    assert_int_equal(solution->body->joint_count, TRUTH_JOINTS);
    check_near(solution->calibrated, 150 / t.trial->rate, 1e-12);
    assert_true(is_same_motion(solution->body->motion, motion));
    snw_solution_destroy(solution);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    truth_free(&t);
}

static void the_capture_stays_as_it_is(void **state)
{
    (void)state;
    truth t = make_truth(150);
    snw_trial *before = NULL;
    snw_trial_set(t.trial, 20, 3, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED);
    exchange(t.trial, "LeftLeg:1", "RightLeg:1", 40, 80);
    assert_int_equal(snw_trial_copy(t.trial, NULL, &before, NULL), SNW_OK);
    snw_solution_destroy(solve(t.trial, NULL));
    size_t samples = (size_t)before->frame_count * (size_t)before->marker_count;
    assert_memory_equal(t.trial->sample, before->sample, samples * sizeof *before->sample);
    assert_memory_equal(t.trial->state, before->state, samples * sizeof *before->state);
    snw_trial_destroy(before);
    truth_free(&t);
}

/* ---- steps left out ------------------------------------------------------------------------ */

static void zeros_are_missing_unless_kept(void **state)
{
    (void)state;
    truth t = make_truth(150);
    snw_solve_options keeps = {.keeps_zeros = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solve_options drops = {.stops_after = SNW_SOLVE_PREPARED};
    snw_trial_set(t.trial, 20, 3, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MEASURED);
    snw_solution *kept = solve(t.trial, &keeps), *dropped = solve(t.trial, &drops);
    assert_true(snw_trial_is_present(kept->trial, 20, 3));
    assert_false(snw_trial_is_present(dropped->trial, 20, 3));
    assert_true(snw_notes_find(dropped->notes, SNW_NOTE_VALUE_REPAIRED, 0) >= 0);
    snw_solution_destroy(dropped);
    snw_solution_destroy(kept);
    truth_free(&t);
}

static void swaps_are_put_right_unless_kept(void **state)
{
    (void)state;
    truth t = make_truth(200);
    snw_trial *clean = NULL;
    snw_solve_options keeps = {.keeps_swaps = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solve_options closed = {.keeps_open_swaps = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solve_options undoes = {.stops_after = SNW_SOLVE_PREPARED};
    assert_int_equal(snw_trial_copy(t.trial, NULL, &clean, NULL), SNW_OK);
    size_t bytes = (size_t)clean->frame_count * (size_t)clean->marker_count * sizeof *clean->sample;
    exchange(t.trial, "LeftLeg:1", "RightLeg:1", 60, 120);
    snw_solution *kept = solve(t.trial, &keeps), *undone = solve(t.trial, &undoes);
    snw_solution *half = solve(t.trial, &closed);
    assert_memory_equal(kept->trial->sample, t.trial->sample, bytes);
    assert_memory_equal(undone->trial->sample, clean->sample, bytes);
    assert_memory_equal(half->trial->sample, clean->sample, bytes); /* this one has an end */
    assert_true(snw_notes_find(undone->notes, SNW_NOTE_LABELS_EXCHANGED, 0) >= 0);
    snw_solution_destroy(half);
    snw_solution_destroy(undone);
    snw_solution_destroy(kept);
    snw_trial_destroy(clean);
    truth_free(&t);
}

static void slips_are_brought_back_and_judged_unless_kept(void **state)
{
    (void)state;
    truth t = make_truth(400);
    snw_solve_options keeps = {.keeps_slips = true}, live = {.is_live = true};
    slip(&t, snw_trial_find_marker(t.trial, "LeftLeg:1"), 240);
    snw_solution *undone = solve(t.trial, NULL), *kept = solve(t.trial, &keeps);
    snw_solution *now = solve(t.trial, &live);
    assert_int_equal(undone->slips.count, 1);
    check_near(undone->slips.item[0].distance, 0.04, 0.005); /* noise, and what the fit takes up */
    assert_true(has_judgement(undone->body, SNW_JUDGEMENT_SLIPPED_MARKER));
    assert_true(undone->verdict >= SNW_VERDICT_AMBER);
    assert_int_equal(kept->slips.count + now->slips.count, 0);
    assert_false(has_judgement(kept->body, SNW_JUDGEMENT_SLIPPED_MARKER));
    snw_solution_destroy(now);
    snw_solution_destroy(kept);
    snw_solution_destroy(undone);
    truth_free(&t);
}

/* ---- a person without names, in pieces ----------------------------------------------------- */

typedef struct person {
    snw_skeleton *body;
    snw_synth *synth;
    snw_trial *trial; /* nobody named anything */
} person;

static person make_person(void)
{
    person p = {NULL, NULL, NULL};
    snw_synth_options options = snw_synth_options_default();
    options.motion = SNW_SYNTH_WALK;
    options.noise = 0.0005;
    options.seconds = 4;
    assert_int_equal(snw_preset_create("humanoid", NULL, &p.body, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(p.body, NULL, &options, NULL, &p.synth, NULL), SNW_OK);
    assert_int_equal(snw_trial_copy(p.synth->capture, NULL, &p.trial, NULL), SNW_OK);
    for (int m = 0; m < p.trial->marker_count; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        assert_int_equal(snw_trial_set_marker_name(p.trial, m, name, NULL), SNW_OK);
    }
    return p;
}

static void person_free(person *p)
{
    snw_trial_destroy(p->trial);
    snw_synth_destroy(p->synth);
    snw_skeleton_destroy(p->body);
}

static void a_person_is_recognised_unless_that_is_left_out(void **state)
{
    (void)state;
    person p = make_person();
    snw_solve_options skips = {.skips_recognition = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solve_options looks = {.stops_after = SNW_SOLVE_PREPARED};
    snw_solution *unknown = solve(p.trial, &skips), *known = solve(p.trial, &looks);
    assert_int_equal(unknown->recognition.point_count, 0);
    assert_true(known->recognition.is_person && known->recognition.confidence > 0.5);
    assert_true(known->recognition.named_count > 0.9 * p.trial->marker_count);
    assert_string_equal(known->recognition.plan, "whole body");
    assert_int_equal(unknown->trial->marker[0].name[0], '*');
    assert_true(snw_trial_find_marker(known->trial, "LKNE") >= 0);
    snw_solution_destroy(known);
    snw_solution_destroy(unknown);
    person_free(&p);
}

static void pieces_are_joined_unless_that_is_left_out(void **state)
{
    (void)state;
    person p = make_person();
    int all[256], markers = p.trial->marker_count, middle = p.trial->frame_count / 2;
    snw_trial *pieces = NULL;
    for (int m = 0; m <= markers; m++)
        all[m] = m % markers; /* the first one twice */
    assert_int_equal(snw_trial_pick(p.trial, all, markers + 1, NULL, &pieces, NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(pieces, markers, "*999", NULL), SNW_OK);
    for (int f = 0; f < pieces->frame_count; f++)
        snw_trial_set(pieces, f, f < middle ? markers : 0, snw_vec3_make(0, 0, 0),
                      SNW_SAMPLE_MISSING);
    snw_solve_options skips = {
        .skips_join = true, .skips_recognition = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solve_options joins = {.skips_recognition = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solution *raw = solve(pieces, &skips), *whole = solve(pieces, &joins);
    assert_int_equal(raw->trial->marker_count, markers + 1);
    assert_int_equal(whole->trial->marker_count, markers);
    assert_int_equal(whole->join_count, 1);
    snw_solution_destroy(whole);
    snw_solution_destroy(raw);
    snw_trial_destroy(pieces);
    person_free(&p);
}

static void what_was_prepared_is_not_prepared_again(void **state)
{
    (void)state;
    person p = make_person();
    snw_solve_options first = {
        .keeps_swaps = true, .keeps_slips = true, .stops_after = SNW_SOLVE_PREPARED};
    snw_solution *prepared = solve(p.trial, &first), *whole = solve(p.trial, NULL);
    snw_solve_options second = {.prepared = prepared};
    snw_solution *after = solve(prepared->trial, &second);
    assert_true(is_same_solution(whole, after));
    assert_true(after->recognition.is_person);
    snw_solution_destroy(after);
    snw_solution_destroy(whole);
    snw_solution_destroy(prepared);
    person_free(&p);
}

/* ---- steps replaced ------------------------------------------------------------------------ */

static void each_step_can_be_brought(void **state)
{
    (void)state;
    truth t = make_truth(150);
    snw_solve_options stops = {.stops_after = SNW_SOLVE_SEGMENTS};
    snw_solution *found = solve(t.trial, &stops), *whole = solve(t.trial, NULL);
    assert_int_equal(found->body_count, 0);
    snw_tree *tree = NULL;
    snw_labels *labels = NULL;
    assert_int_equal(snw_tree_find(t.trial, found->segments, NULL, NULL, &tree, NULL), SNW_OK);
    assert_int_equal(snw_labels_read(t.trial, NULL, &labels, NULL), SNW_OK);
    char set[4096];
    assert_true(snw_segments_print(found->segments, t.trial, set, sizeof set) < sizeof set);
    const snw_solve_options brought[] = {
        {.segments = found->segments},
        {.segments = found->segments, .tree = tree},
        {.labels = labels},
        {.marker_set = {set, strlen(set)}},
        {.actor = whole->body->kept},
        {.segment_method = SNW_SEGMENTS_BY_NAMES},
        {.root = "Hips"},
        {.part = 1},
        {.calibrate_seconds = 1e6},
    };
    for (size_t n = 0; n < sizeof brought / sizeof *brought; n++) {
        snw_solution *same = solve(t.trial, brought + n);
        if (!is_same_motion(same->body->motion, whole->body->motion)) fail_msg("door %d", (int)n);
        assert_true((same->calibrated == 0) == (brought[n].actor != NULL));
        snw_solution_destroy(same);
    }
    snw_labels_destroy(labels);
    snw_tree_destroy(tree);
    snw_solution_destroy(whole);
    snw_solution_destroy(found);
    truth_free(&t);
}

static void other_ways_give_other_bodies(void **state)
{
    (void)state;
    truth t = make_truth(150);
    const snw_center_method method = SNW_CENTER_GAMAGE_LASENBY;
    const snw_solve_options ways[] = {
        {.method = &method}, {.root = "Chest"}, {.calibrate_seconds = 0.5}, {.is_smooth = true}};
    snw_solution *whole = solve(t.trial, NULL);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        snw_solution *other = solve(t.trial, ways + n);
        assert_false(is_same_motion(other->body->motion, whole->body->motion));
        assert_true((other->body->smoothing != NULL) == ways[n].is_smooth);
        snw_solution_destroy(other);
    }
    snw_solve_options stops = {.stops_after = SNW_SOLVE_ACTORS};
    snw_solution *actors = solve(t.trial, &stops);
    assert_non_null(actors->body->kept);
    assert_null(actors->body->motion);
    snw_solution_destroy(actors);
    snw_solution_destroy(whole);
    truth_free(&t);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    truth t = make_truth(60);
    const snw_solve_options refused[] = {{.is_live = true, .is_smooth = true},
                                         {.part = -1},
                                         {.calibrate_seconds = -1},
                                         {.calibrate_seconds = NAN},
                                         {.stops_after = SNW_SOLVE_STAGE_COUNT}};
    snw_solution *solution = NULL;
    snw_error error;
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        assert_int_equal(snw_solve(t.trial, refused + n, NULL, &solution, &error),
                         SNW_INVALID_ARGUMENT);
        assert_null(solution);
        assert_true(error.message[0] != 0);
    }
    snw_solve_options far = {.part = 9};
    assert_int_equal(snw_solve(t.trial, &far, NULL, &solution, &error), SNW_NOT_FOUND);
    assert_int_equal(snw_solve(NULL, NULL, NULL, &solution, NULL), SNW_INVALID_ARGUMENT);
    snw_solution_destroy(NULL);
    truth_free(&t);
}

/* ---- live ---------------------------------------------------------------------------------- */

static snw_track count_step(void *context, snw_live_body *live, const snw_frame *frame,
                            snw_pose *pose)
{
    ++*(int *)context;
    return snw_live_body_step(live, frame, pose);
}

static void live_is_the_tracker_frame_by_frame(void **state)
{
    (void)state;
    truth t = make_truth(150);
    int steps = 0;
    snw_solve_options options = {.is_live = true, .step = count_step, .step_context = &steps};
    snw_solution *solution = solve(t.trial, &options);
    const snw_actor *actor = solution->body->kept;
    const char *names[64];
    snw_name_list list = {names, t.trial->marker_count};
    for (int m = 0; m < list.count; m++)
        names[m] = t.trial->marker[m].name;
    snw_live_body *live = NULL;
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL, *other = NULL;
    counting_allocator counter = {0, 0, 0, -1};
    snw_allocator counted = counting_hook(&counter);
    assert_int_equal(snw_live_body_create(actor, &list, NULL, &counted, &live, NULL), SNW_OK);
    assert_int_equal(snw_tracker_create_for_trial(actor, t.trial, NULL, NULL, &tracker, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &other, NULL), SNW_OK);
    long before = counter.calls;
    size_t joints = (size_t)actor->skeleton->joint_count;
    for (int f = 0; f < t.trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(t.trial, f);
        (void)snw_live_body_step(live, &frame, pose);
        (void)snw_tracker_step(tracker, &frame, other);
        assert_memory_equal(pose->rotation, other->rotation, joints * sizeof *pose->rotation);
        assert_memory_equal(pose->rotation, solution->body->motion->rotation + (size_t)f * joints,
                            joints * sizeof *pose->rotation);
    }
    assert_int_equal(counter.calls, before);
    assert_int_equal(steps, t.trial->frame_count);
    assert_true(snw_tracker_observability(snw_live_body_tracker(live), 0).is_observed);
    snw_pose_destroy(other);
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    snw_live_body_destroy(live);
    assert_int_equal(counter.live, 0);
    snw_solution_destroy(solution);
    truth_free(&t);
}

/* A hidden segment goes on by the predictor, where it is given segments. */
static void live_predicts_hidden_markers_where_asked(void **state)
{
    (void)state;
    truth t = make_truth(200);
    snw_solution *solution = solve(t.trial, NULL);
    snw_live_body_options options = {.segments = solution->segments};
    snw_live_body *with = NULL, *without = NULL;
    snw_pose *pose = NULL;
    const snw_actor *actor = solution->body->kept;
    assert_int_equal(snw_live_body_create_for_trial(actor, t.trial, &options, NULL, &with, NULL),
                     SNW_OK);
    assert_int_equal(snw_live_body_create_for_trial(actor, t.trial, NULL, NULL, &without, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    int seen[2] = {0, 0};
    for (int f = 0; f < 200; f++) {
        for (int m = 0; m < 4 && f > 150; m++)
            snw_trial_set(t.trial, f, m, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        snw_frame frame = snw_trial_frame(t.trial, f);
        seen[0] += snw_live_body_step(without, &frame, pose).marker_count;
        seen[1] += snw_live_body_step(with, &frame, pose).marker_count;
    }
    assert_true(seen[1] > seen[0]);
    snw_pose_destroy(pose);
    snw_live_body_destroy(without);
    snw_live_body_destroy(with);
    snw_solution_destroy(solution);
    truth_free(&t);
}

/* ---- watched ------------------------------------------------------------------------------- */

typedef struct watcher {
    int calls, cancel_at;
    double last;
} watcher;

static int watch(void *context, const char *step, double share)
{
    watcher *w = context;
    assert_true(step[0] && share >= w->last && share <= 1);
    w->last = share;
    return w->calls++ == w->cancel_at;
}

static void a_solve_is_watched_and_cancelled_at_every_step(void **state)
{
    (void)state;
    truth t = make_truth(60);
    for (int live = 0; live < 2; live++) {
        watcher all = {0, -1, 0};
        snw_solve_options options = {.is_live = live, .progress = watch, .progress_context = &all};
        snw_solution_destroy(solve(t.trial, &options));
        assert_true(all.calls >= (live ? 60 : 6));
        for (int n = 0; n < all.calls; n += live ? 7 : 1) {
            watcher one = {0, n, 0};
            counting_allocator counter = {0, 0, 0, -1};
            snw_allocator counted = counting_hook(&counter);
            snw_solution *solution = NULL;
            snw_error error;
            options.progress_context = &one;
            assert_int_equal(snw_solve(t.trial, &options, &counted, &solution, &error),
                             SNW_CANCELLED);
            assert_int_equal(error.status, SNW_CANCELLED);
            assert_null(solution);
            assert_int_equal(one.calls, n + 1);
            assert_int_equal(counter.live, 0);
        }
    }
    truth_free(&t);
}

/* Of a whole body two markers in the middle of the list have blank labels. */
static void blank_labels_are_numbered_and_stop_nothing(void **state)
{
    (void)state;
    truth_options how = truth_options_default();
    truth t = truth_make(&how);
    snw_solution *named = solve(t.trial, NULL);
    assert_int_equal(snw_trial_set_marker_name(t.trial, 5, "", NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(t.trial, 9, "", NULL), SNW_OK);
    assert_int_equal(snw_trial_set_marker_name(t.trial, 12, "*6", NULL), SNW_OK);
    snw_solution *solution = solve(t.trial, NULL);
    assert_int_equal(solution->body->joint_count, named->body->joint_count);
    assert_int_equal(solution->trial->marker_count, named->trial->marker_count);
    assert_true(snw_trial_find_marker(solution->trial, "*7") >= 0);
    assert_true(snw_trial_find_marker(solution->trial, "*10") >= 0);
    assert_string_equal(t.trial->marker[5].name, "");
    snw_solution_destroy(solution);
    snw_solution_destroy(named);
    truth_free(&t);
}

/* ---- several bodies ------------------------------------------------------------------------ */

/* Two small persons, 3 m apart, nobody named. */
static snw_trial *two_people(void)
{
    truth_options options = truth_options_default();
    options.is_named = false;
    options.frame_count = 200;
    truth one = truth_make(&options);
    options.seed = 7;
    truth other = truth_make(&options);
    int all[128], markers = one.trial->marker_count;
    snw_trial *trial = NULL;
    for (int m = 0; m < 2 * markers; m++)
        all[m] = m % markers;
    assert_int_equal(snw_trial_pick(one.trial, all, 2 * markers, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < 2 * markers; m++) {
        char name[16];
        snw_format(name, sizeof name, "*%d", m + 1);
        assert_int_equal(snw_trial_set_marker_name(trial, m, name, NULL), SNW_OK);
        for (int f = 0; f < trial->frame_count && m >= markers; f++)
            snw_trial_set(trial, f, m,
                          snw_vec3_add(snw_trial_position(other.trial, f, m - markers),
                                       snw_vec3_make(3, 0, 0)),
                          SNW_SAMPLE_MEASURED);
    }
    truth_free(&other);
    truth_free(&one);
    return trial;
}

static void every_actor_is_solved_or_the_one_asked_for(void **state)
{
    (void)state;
    snw_trial *trial = two_people();
    snw_solution *both = solve(trial, NULL);
    assert_int_equal(both->body_count, 2);
    assert_true(snw_notes_find(both->body[0].notes, SNW_NOTE_ACTORS, 0) >= 0);
    assert_true(snw_notes_find(both->body[1].notes, SNW_NOTE_ACTORS, 0) < 0);
    for (int part = 1; part <= 2; part++) {
        snw_solve_options options = {.part = part, .prepared = both};
        snw_solution *alone = solve(both->trial, &options);
        assert_int_equal(alone->body_count, 1);
        assert_true(is_same_motion(alone->body->motion, both->body[part - 1].motion));
        snw_solution_destroy(alone);
    }
    assert_true(both->gravest >= 0 && both->gravest < 2);
    assert_int_equal(both->verdict, both->body[both->gravest].judgements->verdict);
    snw_solution_destroy(both);
    snw_trial_destroy(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_all_zero_are_the_defaults),
        cmocka_unit_test(a_clean_capture_is_the_three_steps),
        cmocka_unit_test(the_capture_stays_as_it_is),
        cmocka_unit_test(zeros_are_missing_unless_kept),
        cmocka_unit_test(swaps_are_put_right_unless_kept),
        cmocka_unit_test(slips_are_brought_back_and_judged_unless_kept),
        cmocka_unit_test(a_person_is_recognised_unless_that_is_left_out),
        cmocka_unit_test(pieces_are_joined_unless_that_is_left_out),
        cmocka_unit_test(what_was_prepared_is_not_prepared_again),
        cmocka_unit_test(each_step_can_be_brought),
        cmocka_unit_test(other_ways_give_other_bodies),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(live_is_the_tracker_frame_by_frame),
        cmocka_unit_test(live_predicts_hidden_markers_where_asked),
        cmocka_unit_test(a_solve_is_watched_and_cancelled_at_every_step),
        cmocka_unit_test(blank_labels_are_numbered_and_stop_nothing),
        cmocka_unit_test(every_actor_is_solved_or_the_one_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
