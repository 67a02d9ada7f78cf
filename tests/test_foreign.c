/* Objects of another trial: segments, trees, labels, motions and bodies that do not belong to
 * the trial they are given with are refused by a sentence, wherever two can be confused. */
#include "check.h"

typedef struct foreign {
    snw_trial *trial, *other; /* eight markers in thirty frames; five in twelve */
    snw_segments *segments, *other_segments;
    snw_labels *labels;
    snw_tree *tree;
    snw_actor *actor;
    snw_motion *motion;
} foreign;

/* A stick and another that turns about its end, four markers on each; fewer markers: fewer. */
static snw_trial *make_trial(int markers, int frames)
{
    static const char *const names[] = {"LTHI", "LTHI2", "LTHI3", "LTHI4",
                                        "LTIB", "LTIB2", "LTIB3", "LTIB4"};
    snw_trial_options options = snw_trial_options_default();
    snw_trial *trial = NULL;
    options.marker_count = markers;
    options.frame_count = frames;
    assert_int_equal(snw_trial_create(&options, NULL, &trial, NULL), SNW_OK);
    for (int m = 0; m < markers; m++) {
        snw_vec3 local =
            snw_vec3_make(0.05 * cos(2.1 * m), 0.1 + 0.05 * (m % 4), 0.05 * sin(2.1 * m));
        assert_int_equal(snw_trial_set_marker_name(trial, m, names[m % 8], NULL), SNW_OK);
        for (int f = 0; f < frames; f++) {
            snw_quat turn = snw_quat_exp(snw_vec3_make(0.8 * sin(0.2 * f), 0, 0.5 * cos(0.3 * f)));
            snw_vec3 low = snw_vec3_sub(snw_quat_rotate(turn, local), snw_vec3_make(0, 0.4, 0));
            snw_trial_set(trial, f, m, m < 4 ? local : low, SNW_SAMPLE_MEASURED);
        }
    }
    return trial;
}

static void begin(foreign *f)
{
    static const int segment_of[8] = {0, 0, 0, 0, 1, 1, 1, 1}, other_of[5] = {0, 0, 0, 1, 1};
    static const int parent[2] = {SNW_TREE_ROOT, 0};
    memset(f, 0, sizeof *f);
    f->trial = make_trial(8, 30);
    f->other = make_trial(5, 12);
    assert_int_equal(snw_segments_create(segment_of, 8, NULL, NULL, &f->segments, NULL), SNW_OK);
    assert_int_equal(snw_segments_create(other_of, 5, NULL, NULL, &f->other_segments, NULL),
                     SNW_OK);
    assert_int_equal(snw_labels_read(f->other, NULL, &f->labels, NULL), SNW_OK);
    assert_int_equal(snw_tree_create(parent, 1, NULL, &f->tree, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(f->trial, f->segments, NULL, NULL, &f->actor, NULL),
                     SNW_OK);
    assert_int_equal(snw_actor_solve(f->actor, f->trial, NULL, NULL, &f->motion, NULL), SNW_OK);
}

static void end(foreign *f)
{
    snw_motion_destroy(f->motion);
    snw_actor_destroy(f->actor);
    snw_tree_destroy(f->tree);
    snw_labels_destroy(f->labels);
    snw_segments_destroy(f->other_segments);
    snw_segments_destroy(f->segments);
    snw_trial_destroy(f->other);
    snw_trial_destroy(f->trial);
}

static void check_refused(const char *what, snw_status status, const void *made,
                          const snw_error *error)
{
    if (status == SNW_OK || made || !error->message[0])
        fail_msg("%s: %s, \"%s\"%s", what, snw_status_name(status), error->message,
                 made ? ", and something was made" : "");
}

static void segments_of_another_trial_are_refused(void **state)
{
    (void)state;
    foreign f;
    begin(&f);
    snw_error error;
    snw_tree *tree = NULL;
    snw_actor *actor = NULL;
    snw_trial *made = NULL;
    int neighbour[2] = {7, 7};
    snw_predict_job job = {f.other_segments, NULL, NULL, 0, false};
    snw_status status = snw_tree_find(f.trial, f.other_segments, NULL, NULL, &tree, &error);
    check_refused("a tree", status, tree, &error);
    status = snw_actor_calibrate(f.trial, f.other_segments, NULL, NULL, &actor, &error);
    check_refused("an actor", status, actor, &error);
    status = snw_segment_neighbours(f.trial, f.other_segments, NULL, neighbour, &error);
    check_refused("neighbours", status, NULL, &error);
    status = snw_trial_predict(f.trial, &job, NULL, NULL, &made, &error);
    check_refused("a prediction", status, made, &error);
    status = snw_trial_undo_slips(f.trial, f.other_segments, NULL, NULL, NULL, &error);
    check_refused("slips", status, NULL, &error);
    end(&f);
}

static void trees_and_labels_of_others_are_refused(void **state)
{
    (void)state;
    foreign f;
    begin(&f);
    snw_error error;
    snw_actor *actor = NULL;
    snw_actor_options options = snw_actor_options_default();
    options.tree = f.tree;
    snw_status status = snw_actor_calibrate(f.trial, f.segments, &options, NULL, &actor, &error);
    check_refused("a tree of one segment", status, actor, &error);
    options.tree = NULL;
    options.labels = f.labels;
    status = snw_actor_calibrate(f.trial, f.segments, &options, NULL, &actor, &error);
    check_refused("labels of five markers", status, actor, &error);
    end(&f);
}

static void motions_and_bodies_of_others_are_refused(void **state)
{
    (void)state;
    foreign f;
    begin(&f);
    snw_error error;
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL, *short_motion = NULL, *smooth = NULL;
    snw_trial *made = NULL;
    snw_residuals *residuals = NULL;
    snw_filled *filled = NULL;
    snw_fill_options fill = snw_fill_options_default();
    assert_int_equal(snw_preset_create("humanoid", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(body, 30, 100, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_motion_create(f.actor->skeleton, 4, 100, NULL, &short_motion, NULL),
                     SNW_OK);
    const snw_motion *wrong[2] = {motion, short_motion};
    for (int k = 0; k < 2; k++) {
        snw_status status =
            snw_actor_trial(&(snw_actor_motion){f.actor, wrong[k], SNW_SAMPLE_FILLED}, f.trial,
                            NULL, &made, &error);
        check_refused("a filled trial", status, made, &error);
    }
    snw_status status = snw_actor_residuals(f.actor, f.trial, motion, NULL, &residuals, &error);
    check_refused("residuals", status, residuals, &error);
    status = snw_motion_smooth(motion, f.actor, NULL, &smooth, NULL, &error);
    check_refused("a smooth motion", status, smooth, &error);
    fill.body = f.other;
    status = snw_trial_fill(f.trial, &fill, NULL, &filled, NULL, &error);
    check_refused("filling by the body of another trial", status, filled, &error);
    snw_motion_destroy(short_motion);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_of_another_trial_are_refused),
        cmocka_unit_test(trees_and_labels_of_others_are_refused),
        cmocka_unit_test(motions_and_bodies_of_others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
