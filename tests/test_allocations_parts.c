/* Public functions that take an allocator, when it refuses: bodies, tables and files, hands,
 * avatars, gait, made captures. See test_allocations. */
#include "allocation_sweep.h"
#include "studio.h"

static struct parts {
    studio walk, fist;
    const snw_trial *trial;
    snw_segments *segments;
    snw_actor *actor;
    snw_motion *motion;
    snw_residuals *residuals;
    snw_solve_report report;
    snw_gait_model model;
    snw_angles *angles;
    snw_gait_events *events;
    snw_table *table;
    snw_trial *hand_markers, *trackers, *elbows, *turned;
    snw_hand_capture *hand_capture;
    snw_avatar_capture *avatar_capture, *elbow_capture;
    snw_hand_profile hand_profile;
    snw_avatar_profile avatar_profile;
    snw_hand *hand;
    snw_avatar *avatar;
    snw_memory_sink asf, amc, mot;
    char *style_text, *space_text, *list_text;
    size_t style_size, space_size;
    snw_style *rig_style; /* of the actor in a T-pose */
} parts;

/* ---- bodies ---------------------------------------------------------------------------------
 */

static const snw_joint_def *two_joints(void)
{
    static snw_joint_def defs[2];
    defs[0] = defs[1] = snw_joint_def_default();
    defs[0].name = "a";
    defs[1].name = "b";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_BALL;
    defs[1].rest.translation = snw_vec3_make(0, 1, 0);
    return defs;
}

static const snw_pin pin = {.joint_a = 1, .joint_b = -1};
static const snw_dh_row dh_rows[2] = {{.a = 1}, {.a = 1, .alpha = 1}};
static const snw_link_def links[2] = {{"a", "S", 1}, {"b", "F", 1}};

MAKER(skeleton, snw_skeleton, snw_skeleton_destroy,
      snw_skeleton_create(two_joints(), 2, a, &out, e))
MAKER(pinned, snw_skeleton, snw_skeleton_destroy,
      snw_skeleton_create_pinned(&(snw_skeleton_def){two_joints(), 2, &pin, 1}, a, &out, e))
MAKER(from_dh, snw_skeleton, snw_skeleton_destroy,
      snw_skeleton_from_dh(dh_rows, 2, SNW_DH_STANDARD, a, &out, e))
MAKER(from_links, snw_skeleton, snw_skeleton_destroy, snw_skeleton_from_links(links, 2, a, &out, e))
MAKER(chain, snw_skeleton, snw_skeleton_destroy, snw_preset_chain(5, 0.1, a, &out, e))
MAKER(motion, snw_motion, snw_motion_destroy, snw_motion_create(parts.walk.body, 5, 60, a, &out, e))

/* ---- captures and segments
 * -----------------------------------------------------------------------
 */

static snw_status create_trial(const snw_allocator *a, snw_trial **out, snw_error *e)
{
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = 4;
    options.frame_count = 3;
    options.analog_count = 2;
    options.analog_per_frame = 2;
    options.rotation_count = 1;
    options.rotations_per_frame = 1;
    return snw_trial_create(&options, a, out, e);
}

static const int picked[3] = {0, 2, 1}, segment_of[4] = {0, 0, 0, 1}, parents[3] = {-1, 0, 1};

static snw_status create_view(const snw_allocator *a, snw_joint_view **out, snw_error *e)
{
    int parent = 0, child = 1;
    while (parts.segments->segment[parent].marker_count < 4)
        parent++;
    if (child == parent) child++;
    snw_marker_list lists[2] = {
        {parts.segments->segment[parent].marker, parts.segments->segment[parent].marker_count},
        {parts.segments->segment[child].marker, parts.segments->segment[child].marker_count}};
    return snw_joint_view_create(parts.trial, lists, a, out, e);
}

static snw_status segments_from_list(const snw_allocator *a, snw_segments **out, snw_error *e)
{
    snw_text list = {parts.list_text, strlen(parts.list_text)};
    return snw_segments_from_set(parts.trial, list, NULL, a, out, e);
}

static snw_status predict(const snw_allocator *a, snw_trial **out, snw_error *e)
{
    snw_predict_job job = {.segments = parts.segments, .both_ways = true};
    return snw_trial_predict(parts.trial, &job, NULL, a, out, e);
}

static snw_status make_neighbours(const snw_allocator *a, snw_error *e)
{
    int neighbour[256];
    assert_true(parts.segments->segment_count <= 256);
    return snw_segment_neighbours(parts.trial, parts.segments, a, neighbour, e);
}

/* What changes a capture gets one of its own. */
static snw_trial *own_copy(void)
{
    snw_trial *copy = NULL;
    assert_int_equal(snw_trial_copy(parts.trial, NULL, &copy, NULL), SNW_OK);
    return copy;
}

static snw_status make_undone_slips(const snw_allocator *a, snw_error *e)
{
    static snw_slips found;
    snw_trial *trial = own_copy();
    snw_status status = snw_trial_undo_slips(trial, parts.segments, a, &found, NULL, e);
    snw_trial_destroy(trial);
    return status;
}

static snw_status make_undone_swaps(const snw_allocator *a, snw_error *e)
{
    int exchanged;
    snw_trial *trial = own_copy();
    snw_status status = snw_trial_undo_swaps(trial, parts.segments, a, &exchanged, NULL, e);
    snw_trial_destroy(trial);
    return status;
}

static snw_status make_undone_jumps(const snw_allocator *a, snw_error *e)
{
    int exchanged;
    snw_trial *trial = own_copy();
    snw_status status = snw_trial_undo_jumps(trial, true, a, &exchanged, NULL, e);
    snw_trial_destroy(trial);
    return status;
}

MAKER(trial, snw_trial, snw_trial_destroy, create_trial(a, &out, e))
MAKER(pick, snw_trial, snw_trial_destroy, snw_trial_pick(parts.trial, picked, 3, a, &out, e))
MAKER(segments, snw_segments, snw_segments_destroy,
      snw_segments_create(segment_of, 4, NULL, a, &out, e))
MAKER(listed_segments, snw_segments, snw_segments_destroy, segments_from_list(a, &out, e))
MAKER(tree, snw_tree, snw_tree_destroy, snw_tree_create(parents, 3, a, &out, e))
MAKER(view, snw_joint_view, snw_joint_view_destroy, create_view(a, &out, e))
MAKER(predicted, snw_trial, snw_trial_destroy, predict(a, &out, e))

/* ---- actors and measures ----------------------------------------------------------------------
 */

static snw_status make_judgements(const snw_allocator *a, snw_error *e)
{
    static snw_judgements judgements;
    snw_judged solution = {parts.trial, parts.actor, parts.motion, &parts.report, parts.residuals};
    return snw_judge_solution(&solution, a, &judgements, e);
}

static snw_status create_tracker(const snw_allocator *a, snw_tracker **out, snw_error *e)
{
    const char *names[256];
    snw_name_list list = {names, parts.actor->marker_count};
    assert_true(list.count <= 256);
    for (int m = 0; m < list.count; m++)
        names[m] = parts.actor->marker[m].name;
    return snw_tracker_create(parts.actor, &list, NULL, a, out, e);
}

MAKER(actor, snw_actor, snw_actor_destroy,
      snw_actor_create(parts.actor->skeleton, parts.actor->marker, parts.actor->marker_count, a,
                       &out, e))
MAKER(tracker, snw_tracker, snw_tracker_destroy, create_tracker(a, &out, e))
MAKER(angles, snw_angles, snw_angles_destroy,
      snw_angles_measure(parts.trial, &parts.model, SNW_ANGLES_PIG, a, &out, e))
MAKER(rates, snw_angles, snw_angles_destroy, snw_angles_with_velocity(parts.angles, a, &out, e))
MAKER(angle_trial, snw_trial, snw_trial_destroy,
      snw_angles_to_trial(parts.angles, parts.trial, a, &out, e))
MAKER(read_events, snw_gait_events, snw_gait_events_destroy,
      snw_gait_events_read(parts.trial, a, &out, e))
MAKER(strides, snw_strides, snw_strides_destroy,
      snw_strides_measure(parts.trial, parts.events, a, &out, e))

/* ---- files and tables -------------------------------------------------------------------------
 */

static snw_source source_of(snw_memory_source *memory, const snw_memory_sink *bytes)
{
    return snw_source_from_memory(memory, bytes->bytes, bytes->size);
}

static snw_status make_acclaim(const snw_allocator *a, snw_error *e)
{
    snw_memory_source memory[2];
    snw_source asf = source_of(memory, &parts.asf), amc = source_of(memory + 1, &parts.amc);
    snw_motion *motion = NULL;
    snw_status status =
        snw_read_acclaim(&(snw_acclaim_sources){&asf, &amc, NULL}, NULL, a, &motion, NULL, e);
    snw_motion_destroy(motion);
    return status;
}

static snw_status make_amc(const snw_allocator *a, snw_error *e)
{
    snw_memory_source memory[2];
    snw_source asf = source_of(memory, &parts.asf), amc = source_of(memory + 1, &parts.amc);
    snw_motion *rest = NULL, *motion = NULL;
    assert_int_equal(snw_read_motion(&asf, NULL, NULL, &rest, NULL, NULL), SNW_OK);
    snw_status status = snw_read_acclaim(&(snw_acclaim_sources){NULL, &amc, rest->skeleton}, NULL,
                                         a, &motion, NULL, e);
    snw_motion_destroy(motion);
    snw_motion_destroy(rest);
    return status;
}

static snw_status read_table(const snw_allocator *a, snw_table **out, snw_error *e)
{
    snw_memory_source memory;
    snw_source source = source_of(&memory, &parts.mot);
    return snw_read_table(&source, NULL, a, out, NULL, e);
}

static snw_status make_turned_body(const snw_allocator *a, snw_error *e)
{
    snw_motion *motion = NULL;
    snw_status status = snw_motion_from_rotations(parts.turned, a, &motion, NULL, e);
    snw_motion_destroy(motion);
    return status;
}

static const char *const columns[2] = {"a", "b"};

MAKER(table, snw_table, snw_table_destroy, snw_table_create(3, columns, 2, a, &out, e))
MAKER(read_table, snw_table, snw_table_destroy, read_table(a, &out, e))
MAKER(table_motion, snw_motion, snw_motion_destroy,
      snw_motion_from_table(parts.table, parts.motion->skeleton, a, &out, NULL, e))
/* The style is of the solved motion in a T-pose, as `sinew learn` makes it. */
static snw_status make_matched_style(const snw_allocator *a, snw_error *e)
{
    bool *is_known = calloc((size_t)parts.actor->skeleton->joint_count, sizeof *is_known);
    snw_status status = snw_actor_match_style(parts.actor, parts.rig_style, a, is_known, e);
    free(is_known);
    return status;
}

MAKER(parsed_style, snw_style, snw_style_destroy,
      snw_style_parse(parts.style_text, parts.style_size, a, &out, e))

/* ---- made captures ----------------------------------------------------------------------------
 */

static snw_synth_options short_options(void)
{
    snw_synth_options options = quick_options();
    options.seconds = 0.2;
    options.rate = 20;
    return options;
}

static snw_status create_synth(const snw_allocator *a, snw_synth **out, snw_error *e)
{
    snw_synth_options options = short_options();
    return snw_synth_create(parts.walk.body, NULL, &options, a, out, e);
}

static snw_status create_synth_motion(const snw_allocator *a, snw_motion **out, snw_error *e)
{
    snw_synth_options options = short_options();
    return snw_synth_motion_create(parts.walk.body, &options, a, out, e);
}

MAKER(synth, snw_synth, snw_synth_destroy, create_synth(a, &out, e))
MAKER(synth_motion, snw_motion, snw_motion_destroy, create_synth_motion(a, &out, e))
MAKER(unlabelled, snw_trial, snw_trial_destroy, snw_synth_unlabel(parts.trial, 1, a, &out, e))
MAKER(trackers, snw_trial, snw_trial_destroy,
      snw_synth_trackers(parts.walk.synth->motion, NULL, a, &out, e))

static snw_status create_hand(const snw_allocator *a, snw_trial **out, snw_error *e)
{
    const snw_synth_hand_options hand = {.side = SNW_SIDE_LEFT, .noise = 1e-4, .seed = 1};
    return snw_synth_hand(parts.fist.synth->motion, &hand, a, out, NULL, e);
}

MAKER(synth_hand, snw_trial, snw_trial_destroy, create_hand(a, &out, e))

/* ---- hands and avatars ------------------------------------------------------------------------
 */

MAKER(hand_capture, snw_hand_capture, snw_hand_capture_destroy,
      snw_hand_capture_from_trial(parts.hand_markers, SNW_SIDE_LEFT, a, &out, NULL, e))
MAKER(unlabelled_hand, snw_hand_capture, snw_hand_capture_destroy,
      snw_hand_capture_unlabelled(parts.hand_markers, a, &out, NULL, e))
MAKER(hand_actor, snw_actor, snw_actor_destroy,
      snw_hand_profile_to_actor(&parts.hand_profile, a, &out, e))
MAKER(hand_motion, snw_motion, snw_motion_destroy,
      snw_hand_solve(parts.hand, parts.hand_capture, a, &out, e))
MAKER(avatar_capture, snw_avatar_capture, snw_avatar_capture_destroy,
      snw_avatar_capture_from_trial(parts.trackers, a, &out, NULL, e))
MAKER(avatar_actor, snw_actor, snw_actor_destroy,
      snw_avatar_profile_to_actor(&parts.avatar_profile, a, &out, e))
MAKER(avatar_motion, snw_motion, snw_motion_destroy,
      snw_avatar_solve(parts.avatar, parts.avatar_capture, a, &out, e))
MAKER(state_space, snw_state_space, snw_state_space_destroy,
      snw_state_space_create(&parts.avatar_profile, parts.elbow_capture, a, &out, e))
MAKER(parsed_space, snw_state_space, snw_state_space_destroy,
      snw_state_space_parse(parts.space_text, parts.space_size, a, &out, e))

static const struct maker makers[] = {
#define ROW(name)          \
    {                      \
#name, make_##name \
    }
    ROW(synth_hand),    ROW(skeleton),      ROW(pinned),          ROW(from_dh),
    ROW(from_links),    ROW(chain),         ROW(motion),          ROW(trial),
    ROW(pick),          ROW(segments),      ROW(listed_segments), ROW(tree),
    ROW(view),          ROW(predicted),     ROW(neighbours),      ROW(undone_slips),
    ROW(undone_swaps),  ROW(undone_jumps),  ROW(judgements),      ROW(actor),
    ROW(tracker),       ROW(angles),        ROW(rates),           ROW(angle_trial),
    ROW(read_events),   ROW(strides),       ROW(acclaim),         ROW(amc),
    ROW(table),         ROW(read_table),    ROW(table_motion),    ROW(turned_body),
    ROW(parsed_style),  ROW(matched_style), ROW(synth),           ROW(synth_motion),
    ROW(unlabelled),    ROW(trackers),      ROW(hand_capture),    ROW(unlabelled_hand),
    ROW(hand_actor),    ROW(hand_motion),   ROW(avatar_capture),  ROW(avatar_actor),
    ROW(avatar_motion), ROW(state_space),   ROW(parsed_space),
#undef ROW
};

static void no_maker_keeps_anything_when_memory_runs_out(void **state)
{
    (void)state;
    sweep_makers(makers, sizeof makers / sizeof *makers);
}

/* ---- the scene --------------------------------------------------------------------------------
 */

#define NEEDS(call)                                                     \
    do {                                                                \
        snw_error error = snw_error_none();                             \
        if ((call) != SNW_OK) fail_msg("%s: %s", #call, error.message); \
    } while (0)

static void set_up_person(void)
{
    snw_synth_options options = quick_options();
    options.seconds = 2.5;
    options.rate = 30;
    parts.walk = shoot("humanoid", &options);
    parts.trial = parts.walk.synth->capture;
    NEEDS(snw_segments_find(parts.trial, NULL, NULL, &parts.segments, NULL, &error));
    NEEDS(snw_actor_calibrate(parts.trial, parts.segments, NULL, NULL, &parts.actor, &error));
    snw_tracker_options tracker = snw_tracker_options_default();
    tracker.report = &parts.report;
    NEEDS(snw_actor_solve(parts.actor, parts.trial, &tracker, NULL, &parts.motion, &error));
    NEEDS(snw_actor_residuals(parts.actor, parts.trial, parts.motion, NULL, &parts.residuals,
                              &error));
    size_t size = snw_segments_print(parts.segments, parts.trial, NULL, 0) + 1;
    parts.list_text = malloc(size);
    snw_segments_print(parts.segments, parts.trial, parts.list_text, size);
    NEEDS(snw_gait_model_make(parts.trial, NULL, NULL, &parts.model, NULL, &error));
    NEEDS(
        snw_angles_measure(parts.trial, &parts.model, SNW_ANGLES_PIG, NULL, &parts.angles, &error));
    NEEDS(snw_gait_events_find(parts.trial, NULL, NULL, &parts.events, NULL, &error));
}

static void set_up_files(void)
{
    snw_sink asf = snw_sink_to_memory(&parts.asf, NULL), amc = snw_sink_to_memory(&parts.amc, NULL);
    snw_sink mot = snw_sink_to_memory(&parts.mot, NULL);
    NEEDS(snw_write_motion(parts.motion, SNW_FORMAT_ASF, NULL, &asf, &error));
    NEEDS(snw_write_motion(parts.motion, SNW_FORMAT_AMC, NULL, &amc, &error));
    NEEDS(snw_write_motion(parts.motion, SNW_FORMAT_MOT, NULL, &mot, &error));
    NEEDS(snw_table_from_motion(parts.motion, SNW_UP_Y, NULL, &parts.table, &error));
    const snw_motion *motions[1] = {parts.motion};
    snw_style_options few = snw_style_options_default();
    few.component_count = 2;
    snw_style *style = NULL;
    NEEDS(snw_style_learn(motions, 1, &few, NULL, &style, &error));
    parts.style_size = snw_style_print(style, NULL, 0);
    parts.style_text = malloc(parts.style_size + 1);
    snw_style_print(style, parts.style_text, parts.style_size + 1);
    snw_style_destroy(style);
    snw_motion *rigged = NULL;
    NEEDS(snw_motion_to_rig(parts.motion, NULL, NULL, &rigged, NULL, &error));
    motions[0] = rigged;
    NEEDS(snw_style_learn(motions, 1, &few, NULL, &parts.rig_style, &error));
    snw_motion_destroy(rigged);
}

/* A capture with segments' rotations, as markerless systems write them. */
static void set_up_rotations(void)
{
    static const char *const names[] = {"pelvis_4X4", "l_thigh_4X4", "l_shank_4X4"};
    snw_trial_options options = snw_trial_options_default();
    options.frame_count = 3;
    options.rotation_count = 3;
    options.rotations_per_frame = 1;
    NEEDS(snw_trial_create(&options, NULL, &parts.turned, &error));
    for (int r = 0; r < 3; r++) {
        NEEDS(snw_trial_set_rotation_name(parts.turned, r, names[r], &error));
        for (int frame = 0; frame < 3; frame++) {
            float *m = parts.turned->rotation + (size_t)(frame * 3 + r) * 17;
            for (int k = 0; k < 4; k++)
                m[5 * k] = 1;
            m[13] = 1000.0f - 400.0f * (float)r;
        }
    }
}

static void set_up_hand(void)
{
    snw_synth_options options = quick_options();
    options.motion = SNW_SYNTH_GESTURES;
    parts.fist = shoot("hand25", &options);
    const snw_synth_hand_options hand = {.side = SNW_SIDE_LEFT, .noise = 1e-4, .seed = 1};
    NEEDS(snw_synth_hand(parts.fist.synth->motion, &hand, NULL, &parts.hand_markers, NULL, &error));
    parts.hand_profile = snw_hand_profile_default(SNW_SIDE_LEFT, 0.18);
    NEEDS(snw_hand_capture_from_trial(parts.hand_markers, SNW_SIDE_LEFT, NULL, &parts.hand_capture,
                                      NULL, &error));
    NEEDS(snw_hand_create(&parts.hand_profile, NULL, NULL, &parts.hand, &error));
}

static void set_up_avatar(void)
{
    snw_synth_tracker_options options = snw_synth_tracker_options_default();
    NEEDS(snw_synth_trackers(parts.walk.synth->motion, &options, NULL, &parts.trackers, &error));
    options.has_elbows = true;
    NEEDS(snw_synth_trackers(parts.walk.synth->motion, &options, NULL, &parts.elbows, &error));
    NEEDS(snw_avatar_capture_from_trial(parts.trackers, NULL, &parts.avatar_capture, NULL, &error));
    NEEDS(snw_avatar_capture_from_trial(parts.elbows, NULL, &parts.elbow_capture, NULL, &error));
    parts.avatar_profile = snw_avatar_profile_default(1.75);
    NEEDS(snw_avatar_create(&parts.avatar_profile, NULL, NULL, &parts.avatar, &error));
    snw_state_space *space = NULL;
    NEEDS(snw_state_space_create(&parts.avatar_profile, parts.elbow_capture, NULL, &space, &error));
    parts.space_text = malloc(1 << 20);
    NEEDS(snw_state_space_print(space, parts.space_text, 1 << 20, &parts.space_size, &error));
    snw_state_space_destroy(space);
}

static int set_up(void **state)
{
    (void)state;
    set_up_person();
    set_up_files();
    set_up_rotations();
    set_up_hand();
    set_up_avatar();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    snw_avatar_destroy(parts.avatar);
    snw_avatar_capture_destroy(parts.elbow_capture);
    snw_avatar_capture_destroy(parts.avatar_capture);
    snw_hand_destroy(parts.hand);
    snw_hand_capture_destroy(parts.hand_capture);
    snw_style_destroy(parts.rig_style);
    snw_trial *trials[] = {parts.hand_markers, parts.trackers, parts.elbows, parts.turned};
    for (size_t n = 0; n < sizeof trials / sizeof *trials; n++)
        snw_trial_destroy(trials[n]);
    snw_table_destroy(parts.table);
    snw_memory_sink_release(&parts.asf);
    snw_memory_sink_release(&parts.amc);
    snw_memory_sink_release(&parts.mot);
    free(parts.style_text);
    free(parts.space_text);
    free(parts.list_text);
    snw_gait_events_destroy(parts.events);
    snw_angles_destroy(parts.angles);
    snw_residuals_destroy(parts.residuals);
    snw_motion_destroy(parts.motion);
    snw_actor_destroy(parts.actor);
    snw_segments_destroy(parts.segments);
    leave(&parts.fist);
    leave(&parts.walk);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_maker_keeps_anything_when_memory_runs_out)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
