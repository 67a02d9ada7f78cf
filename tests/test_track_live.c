/* Live use: a step knows the past alone, takes no memory, and its report needs no end. */
#include "capture_truth.h"

typedef struct live {
    truth t;
    snw_actor *actor;
    counting_allocator counter;
    snw_tracker *tracker;
    snw_pose *pose;
} live;

static void begin(live *l, double gap_share)
{
    snw_segments *segments = NULL;
    snw_error error;
    memset(l, 0, sizeof *l);
    l->counter.fail_at = -1;
    truth_options options = truth_options_default();
    options.gap_share = gap_share;
    l->t = truth_make(&options);
    snw_allocator hook = counting_hook(&l->counter);
    if (snw_segments_find(l->t.trial, NULL, NULL, &segments, NULL, &error) != SNW_OK ||
        snw_actor_calibrate(l->t.trial, segments, NULL, NULL, &l->actor, &error) != SNW_OK ||
        snw_tracker_create_for_trial(l->actor, l->t.trial, NULL, &hook, &l->tracker, &error) !=
            SNW_OK ||
        snw_pose_create(l->actor->skeleton, &hook, &l->pose, &error) != SNW_OK)
        fail_msg("%s", error.message);
    snw_segments_destroy(segments);
}

static void end(live *l)
{
    snw_pose_destroy(l->pose);
    snw_tracker_destroy(l->tracker);
    snw_actor_destroy(l->actor);
    truth_free(&l->t);
    assert_int_equal(l->counter.live, 0);
}

static void a_step_takes_no_memory_however_long_it_goes_on(void **state)
{
    (void)state;
    live l;
    begin(&l, 0.2);
    long calls = l.counter.calls, count = l.counter.live;
    long long bytes = l.counter.live_bytes;
    for (int round = 0; round < CHECK_SAMPLES(20) + 1; round++)
        for (int f = 0; f < l.t.trial->frame_count; f++) {
            snw_frame view = snw_trial_frame(l.t.trial, f);
            snw_tracker_step(l.tracker, &view, l.pose);
        }
    assert_int_equal(l.counter.calls, calls);
    assert_int_equal(l.counter.live, count);
    assert_int_equal(l.counter.live_bytes, bytes);
    end(&l);
}

/* The pose of a frame is the same to the bit, whatever comes after it. */
static void a_step_knows_nothing_of_the_future(void **state)
{
    (void)state;
    live l;
    begin(&l, 0.2);
    int frames = l.t.trial->frame_count;
    size_t joints = (size_t)l.actor->skeleton->joint_count;
    snw_motion *whole = NULL;
    assert_int_equal(snw_motion_create(l.actor->skeleton, frames, 100, NULL, &whole, NULL), SNW_OK);
    for (int f = 0; f < frames; f++) {
        snw_frame view = snw_trial_frame(l.t.trial, f);
        snw_tracker_step(l.tracker, &view, l.pose);
        snw_motion_set(whole, f, l.pose);
    }
    for (int m = 0; m < l.t.trial->marker_count; m++)
        for (int f = frames / 2; f < frames; f++)
            snw_trial_set(l.t.trial, f, m, snw_vec3_make(f, m, 0), SNW_SAMPLE_MEASURED);
    snw_tracker_reset(l.tracker);
    snw_pose_reset(l.pose);
    for (int f = 0; f < frames / 2; f++) {
        snw_frame view = snw_trial_frame(l.t.trial, f);
        snw_tracker_step(l.tracker, &view, l.pose);
        assert_memory_equal(l.pose->rotation, whole->rotation + (size_t)f * joints,
                            joints * sizeof(snw_quat));
        assert_memory_equal(&l.pose->root, whole->root + f, sizeof(snw_xform));
    }
    snw_motion_destroy(whole);
    end(&l);
}

static void a_step_goes_on_from_the_pose_it_is_given(void **state)
{
    (void)state;
    live l;
    begin(&l, 0);
    snw_pose *other = NULL;
    assert_int_equal(snw_pose_create(l.actor->skeleton, NULL, &other, NULL), SNW_OK);
    for (int f = 0; f < 50; f++) {
        snw_frame view = snw_trial_frame(l.t.trial, f);
        snw_tracker_step(l.tracker, &view, l.pose);
    }
    snw_pose_copy(other, l.pose);
    snw_tracker_reset(l.tracker);
    snw_tracker_start(l.tracker, other);
    snw_frame view = snw_trial_frame(l.t.trial, 50);
    snw_track again = snw_tracker_step(l.tracker, &view, l.pose);
    assert_false(again.is_lost);
    /* From the pose of the frame before, six Gauss-Newton steps are plenty; from rest it takes
     * more. */
    assert_true(again.iterations <= 6);
    check_vec3_near(l.pose->root.translation, other->root.translation, 0.1);
    snw_pose_destroy(other);
    end(&l);
}

/* Before the first pose: two markers on each segment tell too little; a segment of another shape
 * tells that this is another body. Only the second is held against the actor. */
static void the_first_frame_tells_too_little_from_another_body(void **state)
{
    (void)state;
    live l;
    begin(&l, 0);
    int shown[64] = {0};
    snw_trial *trial = l.t.trial;
    for (int m = 0; m < l.actor->marker_count; m++) {
        const snw_actor_marker *marker = l.actor->marker + m;
        int at = snw_trial_find_marker(trial, marker->name);
        assert_true(at >= 0 && marker->joint < 64);
        if (shown[marker->joint]++ >= 2)
            snw_trial_set(trial, 0, at, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
        snw_vec3 x = snw_trial_position(trial, 1, at);
        snw_trial_set(trial, 1, at, snw_vec3_scale(x, 2), SNW_SAMPLE_MEASURED);
    }
    for (int f = 0; f < 2; f++) {
        snw_frame view = snw_trial_frame(trial, f);
        snw_track track = snw_tracker_step(l.tracker, &view, l.pose);
        assert_true(track.is_lost && track.marker_count >= 3);
        if (f == 0) assert_int_equal(track.outlier_count, 0);
        if (f == 1) assert_true(2 * track.outlier_count > track.marker_count);
    }
    end(&l);
}

/* Whatever somebody starts from, a lost frame gives a pose of numbers. */
static void a_start_that_is_no_pose_is_not_taken(void **state)
{
    (void)state;
    static const double wild[] = {(double)NAN, (double)INFINITY, 1e308, -1e200, 7};
    live l;
    begin(&l, 0);
    snw_pose *start = NULL;
    assert_int_equal(snw_pose_create(l.actor->skeleton, NULL, &start, NULL), SNW_OK);
    snw_frame seen = snw_trial_frame(l.t.trial, 0), lost = seen;
    lost.marker_count = 0;
    assert_false(snw_tracker_step(l.tracker, &seen, l.pose).is_lost);
    snw_vec3 kept = l.pose->root.translation;
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++)
        for (int field = 0; field < 3; field++) {
            snw_pose_reset(start);
            double *number[] = {&start->rotation[1].x, &start->root.rotation.w, &start->slide[1].y};
            if (field == 2 && fabs(wild[k]) < 1e100) continue; /* a place that can be */
            *number[field] = wild[k];
            snw_tracker_start(l.tracker, start);
            assert_true(snw_tracker_step(l.tracker, &lost, l.pose).is_lost);
            check_vec3_near(l.pose->root.translation, kept, 0);
            assert_true(snw_vec3_is_finite(snw_pose_tip(l.pose, 1)));
        }
    snw_pose_destroy(start);
    end(&l);
}

static void a_report_grows_frame_by_frame(void **state)
{
    (void)state;
    snw_actor actor;
    memset(&actor, 0, sizeof actor);
    actor.marker_count = 10;
    snw_solve_report report;
    memset(&report, 0, sizeof report);
    const snw_track tracks[] = {{10, 10, 0, 10, 3, 0.003, false},
                                {8, 8, 2, 6, 3, 0.001, false},
                                {2, 2, 0, 0, 0, 0, true},
                                {8, 8, 8, 0, 3, 0, true}};
    for (int n = 0; n < 4; n++)
        snw_solve_report_add(&report, &actor, tracks + n);
    assert_int_equal(report.frame_count, 4);
    assert_int_equal(report.lost_count, 2);
    assert_int_equal(report.used_count, 16);
    check_near(report.residual, sqrt((10 * 9e-6 + 6 * 1e-6) / 16), 1e-15);
    check_near(report.outlier_share, 2.0 / 28, 1e-15);
    check_near(report.marker_share, 28.0 / 40, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_takes_no_memory_however_long_it_goes_on),
        cmocka_unit_test(a_step_knows_nothing_of_the_future),
        cmocka_unit_test(a_step_goes_on_from_the_pose_it_is_given),
        cmocka_unit_test(the_first_frame_tells_too_little_from_another_body),
        cmocka_unit_test(a_start_that_is_no_pose_is_not_taken),
        cmocka_unit_test(a_report_grows_frame_by_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
