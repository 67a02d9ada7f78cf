/* Public functions that take an allocator, when it refuses: those from a capture to its motion.
 * test_allocations_parts has the others; tests/check_makers compares both with the headers. */
#include "allocation_sweep.h"
#include "studio.h"

static struct scene {
    studio walk;
    const snw_trial *trial;
    snw_segments *segments;
    snw_actor *actor;
    snw_motion *motion;
    snw_memory_sink c3d, bvh, actor_text;
    snw_goal goal;
} scene;

/* ---- one function for each maker --------------------------------------------------------------
 */

static snw_source memory_source(snw_memory_source *memory, const snw_memory_sink *bytes)
{
    return snw_source_from_memory(memory, bytes->bytes, bytes->size);
}

static snw_status read_trial(const snw_allocator *a, snw_trial **out, snw_error *e)
{
    snw_memory_source memory;
    snw_source source = memory_source(&memory, &scene.c3d);
    return snw_read_trial(&source, NULL, a, out, NULL, e);
}

static snw_status make_read_motion(const snw_allocator *a, snw_error *e)
{
    snw_memory_source memory;
    snw_source source = memory_source(&memory, &scene.bvh);
    snw_motion *motion = NULL;
    snw_status status = snw_read_motion(&source, NULL, a, &motion, NULL, e);
    snw_motion_destroy(motion);
    return status;
}

static snw_status make_rig(const snw_allocator *a, snw_error *e)
{
    snw_motion *motion = NULL;
    snw_status status = snw_motion_to_rig(scene.motion, NULL, a, &motion, NULL, e);
    snw_motion_destroy(motion);
    return status;
}

MAKER(rig_of_poses, snw_rig, snw_rig_destroy,
      snw_rig_create(scene.motion->skeleton, NULL, a, &out, e))

static snw_status make_deviations(const snw_allocator *a, snw_error *e)
{
    size_t markers = (size_t)scene.trial->marker_count;
    double *deviation = malloc(markers * markers * sizeof *deviation);
    assert_non_null(deviation);
    snw_status status = snw_marker_deviations(scene.trial, a, deviation, e);
    free(deviation);
    return status;
}

static snw_style_options few_components(void)
{
    snw_style_options options = snw_style_options_default();
    options.component_count = 2;
    return options;
}

/* Of one cube and its place: what is taken does not depend on how much there is to solve. */
static snw_status map_reach(const snw_allocator *allocator, snw_reach_map **out, snw_error *error)
{
    snw_reach_map_options options = snw_reach_map_options_default();
    options.cell = 10;
    options.direction_count = 1;
    return snw_reach_map_create(scene.walk.body, scene.goal.joint, &options, allocator, out, error);
}

static snw_status learn(const snw_allocator *a, snw_style **out, snw_error *e)
{
    const snw_motion *motions[1] = {scene.motion};
    snw_style_options options = few_components();
    return snw_style_learn(motions, 1, &options, a, out, e);
}

static snw_status make_gait_model_angles(const snw_allocator *a, snw_error *e)
{
    snw_angles *angles = NULL;
    snw_status status = snw_angles_from_motion(scene.motion, a, &angles, e);
    snw_angles_destroy(angles);
    return status;
}

static snw_hand_profile hand_profile(void)
{
    return snw_hand_profile_default(SNW_SIDE_LEFT, 0.18);
}

static snw_status create_hand(const snw_allocator *a, snw_hand **out, snw_error *e)
{
    snw_hand_profile profile = hand_profile();
    return snw_hand_create(&profile, NULL, a, out, e);
}

static snw_status create_avatar(const snw_allocator *a, snw_avatar **out, snw_error *e)
{
    snw_avatar_profile profile = snw_avatar_profile_default(1.7);
    return snw_avatar_create(&profile, NULL, a, out, e);
}

/* Fast enough for a path that is short in time; room for every coordinate of the walker. */
static snw_trajectory_options quick(void)
{
    static double velocity[200], acceleration[200];
    snw_trajectory_options options = snw_trajectory_options_default();
    for (int k = 0; k < 200; k++)
        velocity[k] = acceleration[k] = 100;
    options.limit = (snw_rate_limit){velocity, acceleration, NULL};
    options.rate = 20;
    return options;
}

static snw_status go_between(const snw_allocator *a, snw_motion **out, snw_error *e)
{
    snw_trajectory_options options = quick();
    snw_pose *from = NULL, *to = NULL;
    assert_true(scene.motion->skeleton->dof_count <= 200);
    assert_int_equal(snw_pose_create(scene.motion->skeleton, NULL, &from, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(scene.motion->skeleton, NULL, &to, NULL), SNW_OK);
    snw_motion_get(scene.motion, 0, from);
    snw_motion_get(scene.motion, 1, to);
    snw_status status = snw_trajectory_between(from, to, &options, a, out, e);
    snw_pose_destroy(from);
    snw_pose_destroy(to);
    return status;
}

static snw_status go_along(const snw_allocator *a, snw_motion **out, snw_error *e)
{
    snw_trajectory_options options = quick();
    return snw_trajectory_along(scene.motion, &options, a, out, e);
}

MAKER(read_trial, snw_trial, snw_trial_destroy, read_trial(a, &out, e))
MAKER(trial_copy, snw_trial, snw_trial_destroy, snw_trial_copy(scene.trial, a, &out, e))
MAKER(trial_resample, snw_trial, snw_trial_destroy, snw_trial_resample(scene.trial, 40, a, &out, e))
MAKER(trial_filter, snw_trial, snw_trial_destroy,
      snw_trial_filter(scene.trial, 0, a, &out, NULL, e))
MAKER(trial_from_motion, snw_trial, snw_trial_destroy,
      snw_trial_from_motion(scene.motion, SNW_UP_Y, a, &out, e))
MAKER(preset, snw_skeleton, snw_skeleton_destroy, snw_preset_create("humanoid", a, &out, e))
MAKER(pose, snw_pose, snw_pose_destroy, snw_pose_create(scene.walk.body, a, &out, e))
MAKER(motion_resample, snw_motion, snw_motion_destroy,
      snw_motion_resample(scene.motion, 33, a, &out, e))
MAKER(motion_part, snw_motion, snw_motion_destroy, snw_motion_part(scene.motion, 1, 5, a, &out, e))
MAKER(motion_smooth, snw_motion, snw_motion_destroy,
      snw_motion_smooth(scene.motion, NULL, a, &out, NULL, e))
MAKER(labels, snw_labels, snw_labels_destroy, snw_labels_read(scene.trial, a, &out, e))
MAKER(segments, snw_segments, snw_segments_destroy,
      snw_segments_find(scene.trial, NULL, a, &out, NULL, e))
MAKER(joined, snw_joined, snw_joined_destroy, snw_trial_join(scene.trial, NULL, a, &out, NULL, e))
MAKER(recognised, snw_recognised, snw_recognised_destroy,
      snw_trial_recognise(scene.trial, a, &out, NULL, e))
MAKER(recognised_anew, snw_recognised, snw_recognised_destroy,
      snw_trial_recognise_anew(scene.trial, a, &out, NULL, e))
MAKER(filled, snw_filled, snw_filled_destroy, snw_trial_fill(scene.trial, NULL, a, &out, NULL, e))
MAKER(predictor, snw_predictor, snw_predictor_destroy,
      snw_predictor_create(scene.segments, 60, NULL, a, &out, e))
MAKER(tree, snw_tree, snw_tree_destroy,
      snw_tree_find(scene.trial, scene.segments, NULL, a, &out, e))
MAKER(calibrated, snw_actor, snw_actor_destroy,
      snw_actor_calibrate(scene.trial, scene.segments, NULL, a, &out, e))
MAKER(parsed_actor, snw_actor, snw_actor_destroy,
      snw_actor_parse((const char *)scene.actor_text.bytes, scene.actor_text.size, a, &out, e))
MAKER(described, snw_actor, snw_actor_destroy,
      snw_actor_describe(scene.actor, scene.motion, a, &out, e))
MAKER(tracker, snw_tracker, snw_tracker_destroy,
      snw_tracker_create_for_trial(scene.actor, scene.trial, NULL, a, &out, e))
MAKER(solved, snw_motion, snw_motion_destroy,
      snw_actor_solve(scene.actor, scene.trial, NULL, a, &out, e))
MAKER(actor_trial, snw_trial, snw_trial_destroy,
      snw_actor_trial(&(snw_actor_motion){scene.actor, scene.motion, SNW_SAMPLE_FILLED},
                      scene.trial, a, &out, e))
MAKER(residuals, snw_residuals, snw_residuals_destroy,
      snw_actor_residuals(scene.actor, scene.trial, scene.motion, a, &out, e))
MAKER(events, snw_gait_events, snw_gait_events_destroy,
      snw_gait_events_find(scene.trial, NULL, a, &out, NULL, e))
MAKER(table, snw_table, snw_table_destroy,
      snw_table_from_motion(scene.motion, SNW_UP_Y, a, &out, e))
MAKER(style, snw_style, snw_style_destroy, learn(a, &out, e))
MAKER(ik, snw_ik, snw_ik_destroy,
      snw_ik_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, NULL, a, &out, e))
MAKER(stepper, snw_ik_stepper, snw_ik_stepper_destroy,
      snw_ik_stepper_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, NULL, a, &out, e))
MAKER(feet, snw_feet, snw_feet_destroy, snw_feet_create(scene.walk.body, NULL, a, &out, e))
MAKER(climb, snw_motion, snw_motion_destroy, snw_motion_climb(scene.motion, 0.15, 0.3, a, &out, e))
MAKER(servo, snw_ik_servo, snw_ik_servo_destroy,
      snw_ik_servo_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, NULL, a, &out, e))
MAKER(reach_map, snw_reach_map, snw_reach_map_destroy, map_reach(a, &out, e))
MAKER(between, snw_motion, snw_motion_destroy, go_between(a, &out, e))
MAKER(along, snw_motion, snw_motion_destroy, go_along(a, &out, e))
MAKER(batch, snw_ik_batch, snw_ik_batch_destroy,
      snw_ik_batch_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, NULL, a, &out, e))
MAKER(hand, snw_hand, snw_hand_destroy, create_hand(a, &out, e))
MAKER(avatar, snw_avatar, snw_avatar_destroy, create_avatar(a, &out, e))

static const struct maker makers[] = {
#define ROW(name)          \
    {                      \
#name, make_##name \
    }
    ROW(read_trial),
    ROW(read_motion),
    ROW(trial_copy),
    ROW(trial_resample),
    ROW(trial_filter),
    ROW(preset),
    ROW(trial_from_motion),
    ROW(pose),
    ROW(labels),
    ROW(segments),
    ROW(motion_resample),
    ROW(motion_part),
    ROW(motion_smooth),
    ROW(joined),
    ROW(recognised),
    ROW(recognised_anew),
    ROW(filled),
    ROW(predictor),
    ROW(tree),
    ROW(calibrated),
    ROW(parsed_actor),
    ROW(described),
    ROW(tracker),
    ROW(solved),
    ROW(actor_trial),
    ROW(residuals),
    ROW(events),
    ROW(table),
    ROW(style),
    ROW(rig),
    ROW(rig_of_poses),
    ROW(ik),
    ROW(stepper),
    ROW(batch),
    ROW(feet),
    ROW(climb),
    ROW(servo),
    ROW(reach_map),
    ROW(between),
    ROW(along),
    ROW(deviations),
    ROW(hand),
    ROW(avatar),
    ROW(gait_model_angles),
#undef ROW
};

/* ---- the sweep --------------------------------------------------------------------------------
 */

static void no_maker_keeps_anything_when_memory_runs_out(void **state)
{
    (void)state;
    sweep_makers(makers, sizeof makers / sizeof *makers);
}

static int set_up(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    snw_error error;
    options.seconds = 0.5;
    options.rate = 40;
    scene.walk = shoot("humanoid", &options);
    scene.trial = scene.walk.synth->capture;
    assert_int_equal(snw_segments_find(scene.trial, NULL, NULL, &scene.segments, NULL, &error),
                     SNW_OK);
    assert_int_equal(
        snw_actor_calibrate(scene.trial, scene.segments, NULL, NULL, &scene.actor, &error), SNW_OK);
    assert_int_equal(snw_actor_solve(scene.actor, scene.trial, NULL, NULL, &scene.motion, &error),
                     SNW_OK);
    scene.goal = snw_goal_position(scene.walk.body->joint_count - 1, snw_vec3_make(0, 0, 0),
                                   snw_vec3_make(0.1, 0.5, 0.2));
    snw_sink c3d = snw_sink_to_memory(&scene.c3d, NULL), bvh = snw_sink_to_memory(&scene.bvh, NULL);
    assert_int_equal(snw_write_trial(scene.trial, SNW_FORMAT_C3D, NULL, &c3d, &error), SNW_OK);
    assert_int_equal(snw_write_motion(scene.motion, SNW_FORMAT_BVH, NULL, &bvh, &error), SNW_OK);
    scene.actor_text.size = snw_actor_print(scene.actor, NULL, 0);
    char *text = malloc(scene.actor_text.size + 1);
    assert_non_null(text);
    snw_actor_print(scene.actor, text, scene.actor_text.size + 1);
    scene.actor_text.bytes = (void *)text;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(scene.actor_text.bytes);
    snw_memory_sink_release(&scene.bvh);
    snw_memory_sink_release(&scene.c3d);
    snw_motion_destroy(scene.motion);
    snw_actor_destroy(scene.actor);
    snw_segments_destroy(scene.segments);
    leave(&scene.walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_maker_keeps_anything_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
