/* Options, allocator, notes and error may be NULL everywhere, and whatever was made may be
 * destroyed when it was not: docs/conventions.md says it once for all modules. */
#include "check.h"
#include "studio.h"

static void what_is_optional_may_be_null(void **state)
{
    (void)state;
    snw_synth_options short_walk = quick_options();
    studio walk = shoot("humanoid", &short_walk);
    const snw_trial *trial = walk.synth->capture;
    snw_goal goal = snw_goal_position(walk.body->joint_count - 1, snw_vec3_make(0, 0, 0),
                                      snw_vec3_make(0.1, 1, 0.1));
    snw_ik *ik = NULL;
    snw_ik_stepper *stepper = NULL;
    snw_ik_batch *batch = NULL;
    assert_int_equal(snw_ik_create(&(snw_ik_problem){walk.body, &goal, 1}, NULL, NULL, &ik, NULL),
                     SNW_OK);
    assert_int_equal(
        snw_ik_stepper_create(&(snw_ik_problem){walk.body, &goal, 1}, NULL, NULL, &stepper, NULL),
        SNW_OK);
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){walk.body, &goal, 1}, NULL, NULL, &batch, NULL),
        SNW_OK);
    snw_ik_batch_destroy(batch);
    snw_ik_stepper_destroy(stepper);
    snw_ik_destroy(ik);

    snw_joined *joined = NULL;
    snw_segments *segments = NULL;
    snw_actor *actor = NULL;
    snw_tracker *tracker = NULL;
    snw_motion *motion = NULL;
    snw_filled *filled = NULL;
    snw_predictor *predictor = NULL;
    snw_synth *synth = NULL;
    assert_int_equal(snw_trial_join(trial, NULL, NULL, &joined, NULL, NULL), SNW_OK);
    assert_int_equal(snw_segments_find(trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(trial, segments, NULL, NULL, &actor, NULL), SNW_OK);
    assert_int_equal(snw_tracker_create_for_trial(actor, trial, NULL, NULL, &tracker, NULL),
                     SNW_OK);
    assert_int_equal(snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL), SNW_OK);
    assert_int_equal(snw_trial_fill(trial, NULL, NULL, &filled, NULL, NULL), SNW_OK);
    assert_int_equal(snw_predictor_create(segments, 100, NULL, NULL, &predictor, NULL), SNW_OK);
    assert_int_equal(snw_synth_create(walk.body, NULL, NULL, NULL, &synth, NULL), SNW_OK);

    snw_trial *empty = NULL;
    snw_motion *rigged = NULL;
    snw_gait_events *events = NULL;
    assert_int_equal(snw_trial_create(NULL, NULL, &empty, NULL), SNW_OK);
    assert_int_equal(empty->marker_count, 0);
    assert_int_equal(snw_motion_to_rig(motion, NULL, NULL, &rigged, NULL, NULL), SNW_OK);
    assert_int_equal(snw_gait_events_find(trial, NULL, NULL, &events, NULL, NULL), SNW_OK);
    snw_trial_destroy(empty);
    snw_motion_destroy(rigged);
    snw_gait_events_destroy(events);

    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    assert_int_equal(snw_write_trial(trial, SNW_FORMAT_C3D, NULL, &sink, NULL), SNW_OK);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_trial *again = NULL;
    assert_int_equal(snw_read_trial(&source, NULL, NULL, &again, NULL, NULL), SNW_OK);
    snw_memory_sink_release(&bytes);

    snw_trial_destroy(again);
    snw_synth_destroy(synth);
    snw_predictor_destroy(predictor);
    snw_filled_destroy(filled);
    snw_motion_destroy(motion);
    snw_tracker_destroy(tracker);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    snw_joined_destroy(joined);
    leave(&walk);
}

static void a_failure_without_error_is_a_failure_too(void **state)
{
    (void)state;
    snw_skeleton *body = (snw_skeleton *)&body;
    assert_int_equal(snw_preset_create("no such body", NULL, &body, NULL), SNW_NOT_FOUND);
    assert_null(body);
    snw_actor *actor = (snw_actor *)&actor;
    assert_int_not_equal(snw_actor_parse("nonsense", 8, NULL, &actor, NULL), SNW_OK);
    assert_null(actor);
}

static void nothing_may_be_destroyed(void **state)
{
    (void)state;
    snw_skeleton_destroy(NULL);
    snw_pose_destroy(NULL);
    snw_motion_destroy(NULL);
    snw_trial_destroy(NULL);
    snw_table_destroy(NULL);
    snw_ik_destroy(NULL);
    snw_ik_stepper_destroy(NULL);
    snw_ik_batch_destroy(NULL);
    snw_joined_destroy(NULL);
    snw_segments_destroy(NULL);
    snw_actor_destroy(NULL);
    snw_tracker_destroy(NULL);
    snw_filled_destroy(NULL);
    snw_predictor_destroy(NULL);
    snw_gait_events_destroy(NULL);
    snw_hand_destroy(NULL);
    snw_hand_capture_destroy(NULL);
    snw_avatar_destroy(NULL);
    snw_avatar_capture_destroy(NULL);
    snw_synth_destroy(NULL);
}

static void the_header_and_the_library_are_of_one_version(void **state)
{
    (void)state;
    char text[32];
    snw_format(text, sizeof text, "%d.%d.%d", SNW_VERSION_MAJOR, SNW_VERSION_MINOR,
               SNW_VERSION_PATCH);
    assert_string_equal(snw_version(), text);
    assert_int_equal(snw_version_number(), SNW_VERSION);
    assert_true(snw_version_check());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_optional_may_be_null),
        cmocka_unit_test(a_failure_without_error_is_a_failure_too),
        cmocka_unit_test(nothing_may_be_destroyed),
        cmocka_unit_test(the_header_and_the_library_are_of_one_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
