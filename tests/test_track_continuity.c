/* Joints accelerate no more than their markers do, whatever comes and goes. */
#include "capture_truth.h"

#define FLICKER_PERIOD 14
#define FLICKER_FIRST  4 /* three markers of the chest */
#define FLICKER_COUNT  3

/* A trial in which one marker lies `off` beside its place and is seen every other while only, and
 * an actor that takes this for skin. */
static truth make_flicker(double off, snw_actor **actor)
{
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    *actor = truth_actor(t.trial);
    for (int m = 0; m < (*actor)->marker_count; m++)
        (*actor)->marker[m].noise = 0.020;
    for (int n = 0; n < FLICKER_COUNT * options.frame_count; n++) {
        int f = n / FLICKER_COUNT, m = FLICKER_FIRST + n % FLICKER_COUNT;
        snw_vec3 at = snw_trial_position(t.trial, f, m);
        bool is_seen = f % FLICKER_PERIOD < FLICKER_PERIOD / 2;
        at.y += off;
        snw_trial_set(t.trial, f, m, at, is_seen ? SNW_SAMPLE_MEASURED : SNW_SAMPLE_MISSING);
    }
    return t;
}

/* (frame_count x joint_count) in the world; to be freed. */
static snw_vec3 *places_of(const snw_motion *motion)
{
    const snw_skeleton *body = motion->skeleton;
    size_t joints = (size_t)body->joint_count;
    snw_vec3 *place = calloc((size_t)motion->frame_count * joints, sizeof *place);
    snw_pose *pose = NULL;
    assert_non_null(place);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < motion->frame_count; f++) {
        snw_motion_get(motion, f, pose);
        snw_pose_forward(pose);
        for (size_t j = 0; j < joints; j++)
            place[(size_t)f * joints + j] = pose->world[j].translation;
    }
    snw_pose_destroy(pose);
    return place;
}

/* The largest second difference of any joint, metres. */
static double largest_jump(const snw_motion *motion)
{
    size_t joints = (size_t)motion->skeleton->joint_count;
    snw_vec3 *place = places_of(motion);
    double most = 0;
    for (size_t n = joints; n < ((size_t)motion->frame_count - 1) * joints; n++) {
        snw_vec3 d2 =
            snw_vec3_add(snw_vec3_add_scaled(place[n - joints], -2, place[n]), place[n + joints]);
        most = fmax(most, snw_vec3_length(d2));
    }
    free(place);
    return most;
}

/* Joints of this motion have second differences of up to 9 mm; 5 mm more are allowed. */
static void markers_that_come_and_go_make_no_joint_jump(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        snw_actor *actor = NULL;
        snw_motion *motion = NULL;
        snw_tracker_options options = snw_tracker_options_default();
        truth t = make_flicker(0.08, &actor);
        options.is_continuous = k == 1;
        assert_int_equal(snw_actor_solve(actor, t.trial, &options, NULL, &motion, NULL), SNW_OK);
        double jump = largest_jump(motion);
        print_message("%s: joints jump by up to %.1f mm\n", k ? "as solved" : "frame by frame",
                      1000 * jump);
        /* else there is nothing to mend here */
        if (k == 0) assert_true(jump > 0.020);
        if (k == 1) check_near(jump, 0, 0.014);
        snw_motion_destroy(motion);
        snw_actor_destroy(actor);
        truth_free(&t);
    }
}

/* Live: frame by frame, from the past alone. The motion that was put out, and each frame's track.
 */
static snw_motion *solve_live(const snw_actor *actor, const snw_trial *trial, bool is_continuous,
                              snw_track *track)
{
    snw_tracker_options options = snw_tracker_options_default();
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    snw_motion *motion = NULL;
    options.is_continuous = is_continuous;
    assert_int_equal(snw_tracker_create_for_trial(actor, trial, &options, NULL, &tracker, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(
        snw_motion_create(actor->skeleton, trial->frame_count, trial->rate, NULL, &motion, NULL),
        SNW_OK);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        track[f] = snw_tracker_step(tracker, &frame, pose);
        snw_motion_set(motion, f, pose);
    }
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    return motion;
}

/* The bound is twice the markers' own 9 mm and 5 mm; the markers lie little farther from the body
 * (two frames of an offset of 20 mm, now and then). */
static void live_no_joint_jumps_either(void **state)
{
    (void)state;
    snw_actor *actor = NULL;
    truth t = make_flicker(0.08, &actor);
    snw_track *track = test_calloc((size_t)t.trial->frame_count, sizeof *track);
    double jump[2];
    snw_solve_report report[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        snw_motion *motion = solve_live(actor, t.trial, k == 1, track);
        jump[k] = largest_jump(motion);
        for (int f = 0; f < t.trial->frame_count; f++)
            snw_solve_report_add(&report[k], actor, track + f);
        snw_motion_destroy(motion);
    }
    print_message("live: joints jump by up to %.1f mm, %.1f before; markers %.2f mm, %.2f before\n",
                  1000 * jump[1], 1000 * jump[0], 1000 * report[1].residual,
                  1000 * report[0].residual);
    assert_true(jump[0] > 0.020); /* else there is nothing to mend here */
    check_near(jump[1], 0, 0.016);
    check_near(report[1].residual, report[0].residual, 0.2 * report[0].residual);
    test_free(track);
    snw_actor_destroy(actor);
    truth_free(&t);
}

/* The rms distance of all samples from the body. Every sample of these trials is within its bound,
 * so that is what the report says. */
static double residual_of(const snw_actor *actor, const snw_trial *trial, const snw_motion *motion)
{
    snw_residuals *residuals = NULL;
    assert_int_equal(snw_actor_residuals(actor, trial, motion, NULL, &residuals, NULL), SNW_OK);
    double rms = residuals->rms;
    snw_residuals_destroy(residuals);
    return rms;
}

/* Oracle: forward kinematics of what came out. */
static void what_is_reported_is_of_the_motion_that_came_out(void **state)
{
    (void)state;
    snw_actor *actor = NULL;
    snw_motion *motion = NULL;
    snw_solve_report report;
    snw_tracker_options tracker = snw_tracker_options_default();
    tracker.report = &report;
    truth t = make_flicker(0.08, &actor);
    assert_int_equal(snw_actor_solve(actor, t.trial, &tracker, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(report.outlier_count, 0);
    check_near(report.residual, residual_of(actor, t.trial, motion), 1e-9);
    snw_motion_destroy(motion);
    snw_track *track = test_calloc((size_t)t.trial->frame_count, sizeof *track);
    motion = solve_live(actor, t.trial, true, track);
    memset(&report, 0, sizeof report);
    for (int f = 0; f < t.trial->frame_count; f++)
        snw_solve_report_add(&report, actor, track + f);
    assert_int_equal(report.outlier_count, 0);
    check_near(report.residual, residual_of(actor, t.trial, motion), 1e-9);
    test_free(track);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    truth_free(&t);
}

/* How far a joint is anywhere from where it is in another solve, metres. */
static double farthest(const snw_vec3 *a, const snw_vec3 *b, const snw_motion *motion, int joint)
{
    double most = 0;
    size_t joints = (size_t)motion->skeleton->joint_count;
    for (size_t n = (size_t)joint; n < (size_t)motion->frame_count * joints; n += joints)
        most = fmax(most, snw_vec3_distance(a[n], b[n]));
    return most;
}

/* Only the segments that carry a jump are fitted again: a knee and an elbow know little of a
 * chest. */
static void segments_that_carry_no_jump_stay(void **state)
{
    (void)state;
    snw_actor *actor = NULL;
    snw_motion *motion[2] = {NULL, NULL};
    snw_tracker_options options = snw_tracker_options_default();
    truth t = make_flicker(0.08, &actor);
    for (int k = 0; k < 2; k++) {
        options.is_continuous = k == 1;
        assert_int_equal(snw_actor_solve(actor, t.trial, &options, NULL, &motion[k], NULL), SNW_OK);
    }
    snw_vec3 *place[2] = {places_of(motion[0]), places_of(motion[1])};
    static const char *const far_away[] = {"RightLeg", "LeftForeArm"};
    for (int k = 0; k < 2; k++) {
        int joint = snw_skeleton_find_joint(actor->skeleton, far_away[k]);
        assert_true(joint >= 0);
        double moved = farthest(place[0], place[1], motion[0], joint);
        print_message("%s moved by up to %.2f mm\n", far_away[k], 1000 * moved);
        check_near(moved, 0, 0.0035); /* 4.2 mm where all segments are fitted */
    }
    free(place[0]);
    free(place[1]);
    snw_motion_destroy(motion[0]);
    snw_motion_destroy(motion[1]);
    snw_actor_destroy(actor);
    truth_free(&t);
}

/* What does not jump is not touched: the same bits with the pass as without it. */
static void a_clean_motion_stays_bit_for_bit(void **state)
{
    (void)state;
    truth_options options = truth_options_default();
    truth t = truth_make(&options);
    snw_actor *actor = truth_actor(t.trial);
    snw_motion *motion = NULL;
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_actor_solve(actor, t.trial, NULL, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_tracker_create_for_trial(actor, t.trial, NULL, NULL, &tracker, NULL),
                     SNW_OK);
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    for (int f = 0; f < options.frame_count; f++) {
        snw_frame frame = snw_trial_frame(t.trial, f);
        assert_false(snw_tracker_step(tracker, &frame, pose).is_lost);
        assert_memory_equal(pose->rotation, motion->rotation + f * actor->skeleton->joint_count,
                            (size_t)actor->skeleton->joint_count * sizeof *pose->rotation);
    }
    snw_pose_destroy(pose);
    snw_tracker_destroy(tracker);
    snw_motion_destroy(motion);
    snw_actor_destroy(actor);
    truth_free(&t);
}

/* Every allocation that fails is told, and nothing is left behind. */
static void memory_that_fails_is_told(void **state)
{
    (void)state;
    snw_actor *actor = NULL;
    truth t = make_flicker(0.08, &actor);
    snw_trial window = snw_trial_window(t.trial, 0, 40);
    for (int n = 0; n < 400; n++) {
        snw_motion *motion = NULL;
        snw_error error;
        counting_allocator counter = {.fail_at = n};
        snw_allocator allocator = counting_hook(&counter);
        snw_status status = snw_actor_solve(actor, &window, NULL, &allocator, &motion, &error);
        if (status == SNW_OK) {
            assert_true(n > 10);
            snw_motion_destroy(motion);
            assert_int_equal(counter.live, 0);
            break;
        }
        assert_int_equal(status, SNW_OUT_OF_MEMORY);
        assert_null(motion);
        assert_int_equal(counter.live, 0);
    }
    snw_actor_destroy(actor);
    truth_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markers_that_come_and_go_make_no_joint_jump),
        cmocka_unit_test(live_no_joint_jumps_either),
        cmocka_unit_test(what_is_reported_is_of_the_motion_that_came_out),
        cmocka_unit_test(segments_that_carry_no_jump_stay),
        cmocka_unit_test(a_clean_motion_stays_bit_for_bit),
        cmocka_unit_test(memory_that_fails_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
