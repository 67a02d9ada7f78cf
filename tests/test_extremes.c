/* Every number of the option structs in the table below takes every extreme value, one at a time:
 * the call either works, with finite answers, or is refused with a sentence. Nothing crashes (the
 * sanitized build watches), hangs, or takes absurd memory. New fields belong into the table.
 * snw_ik_options have a test of their own. */
#include "check.h"
#include "studio.h"

typedef struct extreme_scene {
    studio walk;
    snw_segments *segments;
    snw_actor *actor;
    snw_motion *motion;
} extreme_scene;

static extreme_scene scene;

/* ---- memory that refuses what is absurd ----------------------------------------------------- */

/* 256 MiB is a thousand times what the scene needs: who asks for more did not look at the number.
 */
static void *bounded_allocate(void *context, size_t size)
{
    (void)context;
    return size > (size_t)256 << 20 ? NULL : malloc(size);
}

static void bounded_release(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

static const snw_allocator bounded = {bounded_allocate, bounded_release, NULL};

/* ---- one call for each struct ---------------------------------------------------------------- */

static void check_outcome(snw_status status, const snw_error *error)
{
    if (status == SNW_OK) return;
    if (!error->message[0]) fail_msg("refused without a sentence: %s", snw_status_name(status));
}

static void check_motion_finite(const snw_motion *motion)
{
    size_t count = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < count; n++)
        assert_true(snw_quat_is_finite(motion->rotation[n]));
}

static void check_trial_finite(const snw_trial *trial)
{
    size_t count = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < count; n++)
        if (trial->state[n] != SNW_SAMPLE_MISSING)
            assert_true(isfinite(trial->sample[n].x) && isfinite(trial->sample[n].y) &&
                        isfinite(trial->sample[n].z));
}

static void try_actor(const void *options)
{
    snw_error error;
    snw_actor *actor = NULL;
    check_outcome(snw_actor_calibrate(scene.walk.synth->capture, scene.segments, options, &bounded,
                                      &actor, &error),
                  &error);
    for (int m = 0; actor && m < actor->marker_count; m++)
        assert_true(snw_vec3_is_finite(actor->marker[m].offset));
    snw_actor_destroy(actor);
}

static void try_tracker(const void *options)
{
    snw_error error;
    snw_motion *motion = NULL;
    check_outcome(
        snw_actor_solve(scene.actor, scene.walk.synth->capture, options, &bounded, &motion, &error),
        &error);
    if (motion) check_motion_finite(motion);
    snw_motion_destroy(motion);
}

static void check_pose_finite(const snw_pose *pose)
{
    assert_true(snw_vec3_is_finite(pose->root.translation));
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        assert_true(snw_quat_is_finite(pose->rotation[j]));
}

/* Every marker of the hand somewhere, then all but one, then none. */
static void try_hand(const void *options)
{
    snw_error error;
    snw_hand *hand = NULL;
    snw_pose *pose = NULL;
    snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.18);
    check_outcome(snw_hand_create(&profile, options, &bounded, &hand, &error), &error);
    if (!hand) return;
    assert_int_equal(snw_pose_create(snw_hand_skeleton(hand), NULL, &pose, NULL), SNW_OK);
    snw_random random = snw_random_seed(5, 1);
    for (int f = 0; f < 6; f++) {
        snw_hand_frame frame = {.time = f / 100.0};
        for (int m = 0; m < SNW_HAND_MARKERS; m++) {
            frame.is_seen[m] = f < 4 && (f < 2 || m != f);
            frame.place[m] = random_gaussian(&random, 0.05);
        }
        snw_hand_step(hand, &frame, pose, NULL);
        check_pose_finite(pose);
    }
    snw_pose_destroy(pose);
    snw_hand_destroy(hand);
}

/* Every tracker somewhere, then none. */
static void try_avatar(const void *options)
{
    snw_error error;
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    check_outcome(snw_avatar_create(&profile, options, &bounded, &avatar, &error), &error);
    if (!avatar) return;
    assert_int_equal(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, NULL), SNW_OK);
    snw_random random = snw_random_seed(6, 1);
    for (int f = 0; f < 6; f++) {
        snw_avatar_frame frame = {.time = f / 100.0};
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
            frame.is_present[role] = f < 4;
            frame.world_from_tracker[role] = random_place(&random, 0.7);
        }
        snw_avatar_step(avatar, &frame, pose, NULL);
        check_pose_finite(pose);
    }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
}

/* A ball joint that turns about all axes. */
static void try_center(const void *options)
{
    snw_error error = {0};
    snw_center center;
    snw_center_sums sums = snw_center_sums_begin();
    snw_random random = snw_random_seed(7, 1);
    for (int f = 0; f < 40; f++) {
        snw_xform child = random_place(&random, 0);
        child.translation = snw_quat_rotate(child.rotation, snw_vec3_make(0, -0.3, 0));
        snw_center_sums_add(&sums, snw_xform_identity(), child);
    }
    snw_status status = snw_center_sums_solve(&sums, options, &center, &error);
    check_outcome(status, &error);
    if (status == SNW_OK) assert_true(snw_vec3_is_finite(center.in_parent));
}

/* Only some captures have the markers of the gait model; this one must answer either way. */
static void try_gait(const void *options)
{
    snw_error error = {0};
    snw_gait_model model;
    check_outcome(
        snw_gait_model_make(scene.walk.synth->capture, NULL, options, &model, NULL, &error),
        &error);
}

static void try_segments(const void *options)
{
    snw_error error;
    snw_segments *segments = NULL;
    check_outcome(
        snw_segments_find(scene.walk.synth->capture, options, &bounded, &segments, NULL, &error),
        &error);
    snw_segments_destroy(segments);
}

static void try_join(const void *options)
{
    snw_error error;
    snw_joined *joined = NULL;
    check_outcome(
        snw_trial_join(scene.walk.synth->capture, options, &bounded, &joined, NULL, &error),
        &error);
    snw_joined_destroy(joined);
}

static void try_fill(const void *options)
{
    snw_error error;
    snw_filled *filled = NULL;
    check_outcome(
        snw_trial_fill(scene.walk.synth->capture, options, &bounded, &filled, NULL, &error),
        &error);
    if (filled) check_trial_finite(filled->trial);
    snw_filled_destroy(filled);
}

static void try_predict(const void *options)
{
    snw_error error;
    snw_predictor *predictor = NULL;
    const snw_trial *trial = scene.walk.synth->capture;
    check_outcome(
        snw_predictor_create(scene.segments, trial->rate, options, &bounded, &predictor, &error),
        &error);
    snw_predictor_destroy(predictor);
}

static void try_events(const void *options)
{
    snw_error error;
    snw_gait_events *events = NULL;
    check_outcome(
        snw_gait_events_find(scene.walk.synth->capture, options, &bounded, &events, NULL, &error),
        &error);
    snw_gait_events_destroy(events);
}

static void try_rig(const void *options)
{
    snw_error error;
    snw_motion *motion = NULL;
    check_outcome(snw_motion_to_rig(scene.motion, options, &bounded, &motion, NULL, &error),
                  &error);
    if (motion) check_motion_finite(motion);
    snw_motion_destroy(motion);
}

static void try_write(const void *options)
{
    static const snw_format_kind kinds[] = {SNW_FORMAT_C3D, SNW_FORMAT_TRC, SNW_FORMAT_CSV};
    for (int k = 0; k < 3; k++) {
        snw_error error;
        snw_memory_sink bytes;
        snw_sink sink = snw_sink_to_memory(&bytes, &bounded);
        check_outcome(snw_write_trial(scene.walk.synth->capture, kinds[k], options, &sink, &error),
                      &error);
        snw_memory_sink_release(&bytes);
    }
    snw_error error;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, &bounded);
    check_outcome(snw_write_motion(scene.motion, SNW_FORMAT_BVH, options, &sink, &error), &error);
    snw_memory_sink_release(&bytes);
}

static void try_read(const void *options)
{
    snw_error error;
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    assert_int_equal(
        snw_write_trial(scene.walk.synth->capture, SNW_FORMAT_CSV, NULL, &sink, &error), SNW_OK);
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_trial *trial = NULL;
    check_outcome(snw_read_trial(&source, options, &bounded, &trial, NULL, &error), &error);
    snw_trial_destroy(trial);
    snw_memory_sink_release(&bytes);
}

static void try_synth(const void *options)
{
    snw_error error;
    snw_synth *synth = NULL;
    const snw_synth_options *wanted = options;
    /* A longer capture is no fault, only slow. */
    if (wanted->seconds * wanted->rate > 2000 && wanted->seconds * wanted->rate < 1e7) return;
    check_outcome(snw_synth_create(scene.walk.body, NULL, options, &bounded, &synth, &error),
                  &error);
    if (synth) check_trial_finite(synth->capture);
    snw_synth_destroy(synth);
}

static void try_trial(const void *options)
{
    snw_error error;
    snw_trial *trial = NULL;
    check_outcome(snw_trial_create(options, &bounded, &trial, &error), &error);
    snw_trial_destroy(trial);
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef enum field_kind {
    FIELD_INT,
    FIELD_DOUBLE
} field_kind;

typedef struct field_row {
    const char *name;
    size_t offset;
    field_kind kind;
} field_row;

typedef union any_options {
    snw_actor_options actor;
    snw_tracker_options tracker;
    snw_segment_options segment;
    snw_join_options join;
    snw_fill_options fill;
    snw_predict_options predict;
    snw_event_options event;
    snw_rig_options rig;
    snw_write_options write;
    snw_read_options read;
    snw_synth_options synth;
    snw_trial_options trial;
    snw_hand_options hand;
    snw_avatar_options avatar;
    snw_center_options center;
    snw_gait_options gait;
} any_options;

typedef struct struct_row {
    const char *name;
    void (*make)(any_options *options);
    void (*attempt)(const void *options);
    field_row field[16];
} struct_row;

#define MAKER(member, default_call)                 \
    static void make_##member(any_options *options) \
    {                                               \
        memset(options, 0, sizeof *options);        \
        options->member = default_call;             \
    }
MAKER(actor, snw_actor_options_default())
MAKER(tracker, snw_tracker_options_default())
MAKER(segment, snw_segment_options_default())
MAKER(join, snw_join_options_default())
MAKER(fill, snw_fill_options_default())
MAKER(predict, snw_predict_options_default())
MAKER(event, snw_event_options_default())
MAKER(rig, snw_rig_options_default())
MAKER(write, snw_write_options_default())
MAKER(read, snw_read_options_default())
MAKER(synth, quick_options())
MAKER(trial, snw_trial_options_default())
MAKER(hand, snw_hand_options_default())
MAKER(avatar, snw_avatar_options_default())
MAKER(center, snw_center_options_default())
MAKER(gait, snw_gait_options_default())

#define INT_FIELD(type, field)                             \
    {                                                      \
#type "." #field, offsetof(type, field), FIELD_INT \
    }
#define DOUBLE_FIELD(type, field)                             \
    {                                                         \
#type "." #field, offsetof(type, field), FIELD_DOUBLE \
    }

static const struct_row rows[] = {
    {"actor",
     make_actor,
     try_actor,
     {INT_FIELD(snw_actor_options, frame_max), INT_FIELD(snw_actor_options, part)}},
    {"tracker",
     make_tracker,
     try_tracker,
     {INT_FIELD(snw_tracker_options, iteration_max), DOUBLE_FIELD(snw_tracker_options, tolerance),
      DOUBLE_FIELD(snw_tracker_options, outlier_scale)}},
    {"segment",
     make_segment,
     try_segments,
     {INT_FIELD(snw_segment_options, method), DOUBLE_FIELD(snw_segment_options, tolerance),
      INT_FIELD(snw_segment_options, segment_count)}},
    {"join", make_join, try_join, {DOUBLE_FIELD(snw_join_options, ghost_seconds)}},
    {"fill",
     make_fill,
     try_fill,
     {INT_FIELD(snw_fill_options, method), INT_FIELD(snw_fill_options, gap_max),
      DOUBLE_FIELD(snw_fill_options, uncertainty_max)}},
    {"predict",
     make_predict,
     try_predict,
     {INT_FIELD(snw_predict_options, method), DOUBLE_FIELD(snw_predict_options, blend_seconds),
      DOUBLE_FIELD(snw_predict_options, history_seconds)}},
    {"event",
     make_event,
     try_events,
     {INT_FIELD(snw_event_options, method), DOUBLE_FIELD(snw_event_options, speed_threshold),
      DOUBLE_FIELD(snw_event_options, force_threshold)}},
    {"rig",
     make_rig,
     try_rig,
     {INT_FIELD(snw_rig_options, names), DOUBLE_FIELD(snw_rig_options, up.x),
      DOUBLE_FIELD(snw_rig_options, up.y)}},
    {"hand",
     make_hand,
     try_hand,
     {INT_FIELD(snw_hand_options, method), DOUBLE_FIELD(snw_hand_options, marker_noise)}},
    {"avatar",
     make_avatar,
     try_avatar,
     {INT_FIELD(snw_avatar_options, method), DOUBLE_FIELD(snw_avatar_options, arc_middle),
      DOUBLE_FIELD(snw_avatar_options, arc_half), DOUBLE_FIELD(snw_avatar_options, swivel_speed),
      INT_FIELD(snw_avatar_options, shake), DOUBLE_FIELD(snw_avatar_options, shake_cutoff),
      DOUBLE_FIELD(snw_avatar_options, up.x), DOUBLE_FIELD(snw_avatar_options, up.y),
      DOUBLE_FIELD(snw_avatar_options, floor)}},
    {"center",
     make_center,
     try_center,
     {DOUBLE_FIELD(snw_center_options, rank_threshold),
      DOUBLE_FIELD(snw_center_options, parent_rotation_noise.m[0][0]),
      DOUBLE_FIELD(snw_center_options, child_rotation_noise.m[1][2])}},
    {"gait", make_gait, try_gait, {INT_FIELD(snw_gait_options, hip)}},
    {"write",
     make_write,
     try_write,
     {DOUBLE_FIELD(snw_write_options, metres_per_unit), INT_FIELD(snw_write_options, decimals),
      INT_FIELD(snw_write_options, up)}},
    {"read",
     make_read,
     try_read,
     {DOUBLE_FIELD(snw_read_options, metres_per_unit), INT_FIELD(snw_read_options, up)}},
    {"synth",
     make_synth,
     try_synth,
     {INT_FIELD(snw_synth_options, motion), DOUBLE_FIELD(snw_synth_options, seconds),
      DOUBLE_FIELD(snw_synth_options, rate), DOUBLE_FIELD(snw_synth_options, path_radius),
      INT_FIELD(snw_synth_options, placement), INT_FIELD(snw_synth_options, markers_per_segment),
      DOUBLE_FIELD(snw_synth_options, noise), DOUBLE_FIELD(snw_synth_options, wobble),
      INT_FIELD(snw_synth_options, camera_count), DOUBLE_FIELD(snw_synth_options, camera_distance),
      DOUBLE_FIELD(snw_synth_options, camera_height),
      DOUBLE_FIELD(snw_synth_options, field_of_view), INT_FIELD(snw_synth_options, gap_count),
      INT_FIELD(snw_synth_options, up)}},
    {"trial",
     make_trial,
     try_trial,
     {INT_FIELD(snw_trial_options, marker_count), INT_FIELD(snw_trial_options, frame_count),
      DOUBLE_FIELD(snw_trial_options, rate), DOUBLE_FIELD(snw_trial_options, metres_per_unit),
      INT_FIELD(snw_trial_options, analog_count), INT_FIELD(snw_trial_options, analog_per_frame),
      INT_FIELD(snw_trial_options, rotation_count),
      INT_FIELD(snw_trial_options, rotations_per_frame)}},
};

static const int extreme_ints[] = {INT32_MIN, INT32_MIN + 1, -65536,    -1,           0, 1,
                                   2,         65535,         INT32_MAX, INT32_MAX - 1};
static const double extreme_doubles[] = {
    NAN, INFINITY, -INFINITY, 0.0,  -0.0, 5e-324, -5e-324, 1e-300, 1e-9,   -1e-9,
    -1,  1e-3,     1e6,       -1e6, 1e15, -1e15,  1e154,   1e300,  -1e300, 1.7976931348623157e308};

static int attempts;

static void attempt_field(const struct_row *row, const field_row *field)
{
    bool is_int = field->kind == FIELD_INT;
    size_t count = is_int ? sizeof extreme_ints / sizeof *extreme_ints
                          : sizeof extreme_doubles / sizeof *extreme_doubles;
    for (size_t v = 0; v < count; v++) {
        any_options options;
        row->make(&options);
        char *at = (char *)&options + field->offset;
        if (is_int)
            memcpy(at, &extreme_ints[v], sizeof extreme_ints[v]);
        else
            memcpy(at, &extreme_doubles[v], sizeof extreme_doubles[v]);
        row->attempt(&options);
        attempts++;
    }
}

static void every_option_survives_every_extreme(void **state)
{
    (void)state;
    snw_synth_options options = quick_options();
    options.seconds = 1;
    options.rate = 50;
    options.camera_count = 5; /* some gaps */
    scene.walk = shoot("humanoid", &options);
    const snw_trial *trial = scene.walk.synth->capture;
    assert_int_equal(snw_segments_find(trial, NULL, NULL, &scene.segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(trial, scene.segments, NULL, NULL, &scene.actor, NULL),
                     SNW_OK);
    assert_int_equal(snw_actor_solve(scene.actor, trial, NULL, NULL, &scene.motion, NULL), SNW_OK);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (const field_row *field = rows[r].field; field->name; field++)
            attempt_field(&rows[r], field);
    print_message("%d calls with one extreme option each\n", attempts);
    assert_true(attempts > 500);
    snw_motion_destroy(scene.motion);
    snw_actor_destroy(scene.actor);
    snw_segments_destroy(scene.segments);
    leave(&scene.walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_survives_every_extreme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
