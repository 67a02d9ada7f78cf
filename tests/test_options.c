/* Options whose every byte is zero mean the defaults, for every public struct of options alike:
 * what comes out is what comes out with NULL. tests/check_options sees that no struct is missed. */
#include "check.h"
#include "solid_shapes.h"
#include "studio.h"

/* FNV-1a (Fowler, Noll, Vo) of all that a run gave. */
static void take(uint64_t *digest, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t n = 0; n < size; n++)
        *digest = (*digest ^ at[n]) * 0x100000001b3u;
}

static struct {
    studio walk;
    snw_trial *gappy; /* with gaps, and a trajectory that flickers */
    snw_segments *segments;
    snw_actor *actor;
    snw_goal goal;
} scene;

#define NEED(call)                                           \
    do {                                                     \
        snw_error error = snw_error_none();                  \
        if ((call) != SNW_OK) fail_msg("%s", error.message); \
    } while (0)

static void take_trial(uint64_t *digest, const snw_trial *trial)
{
    size_t samples = (size_t)trial->frame_count * (size_t)trial->marker_count;
    take(digest, &trial->metres_per_unit, sizeof trial->metres_per_unit);
    take(digest, &trial->rate, sizeof trial->rate);
    take(digest, trial->unit, strlen(trial->unit));
    take(digest, trial->sample, samples * sizeof *trial->sample);
    take(digest, trial->state, samples);
}

static void take_motion(uint64_t *digest, const snw_motion *motion)
{
    size_t count = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    take(digest, motion->rotation, count * sizeof *motion->rotation);
}

static void take_pose(uint64_t *digest, const snw_pose *pose)
{
    take(digest, pose->rotation, (size_t)pose->skeleton->joint_count * sizeof *pose->rotation);
}

/* ---- captures -------------------------------------------------------------------------------- */

static void run_trial(const void *options, uint64_t *digest)
{
    snw_trial *trial = NULL;
    NEED(snw_trial_create(options, NULL, &trial, &error));
    take_trial(digest, trial);
    snw_trial_destroy(trial);
}

static void run_write(const void *options, uint64_t *digest)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    NEED(snw_write_trial(scene.walk.synth->capture, SNW_FORMAT_TRC, options, &sink, &error));
    take(digest, bytes.bytes, bytes.size);
    snw_memory_sink_release(&bytes);
}

static void run_read(const void *options, uint64_t *digest)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    NEED(snw_write_trial(scene.walk.synth->capture, SNW_FORMAT_CSV, NULL, &sink, &error));
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, bytes.bytes, bytes.size);
    snw_trial *trial = NULL;
    NEED(snw_read_trial(&source, options, NULL, &trial, NULL, &error));
    take_trial(digest, trial);
    snw_trial_destroy(trial);
    snw_memory_sink_release(&bytes);
}

static void run_join(const void *options, uint64_t *digest)
{
    snw_joined *joined = NULL;
    NEED(snw_trial_join(scene.gappy, options, NULL, &joined, NULL, &error));
    assert_int_equal(joined->ghost_count, 1); /* which `0 seconds` would keep */
    take_trial(digest, joined->trial);
    snw_joined_destroy(joined);
}

static void run_fill(const void *options, uint64_t *digest)
{
    snw_filled *filled = NULL;
    NEED(snw_trial_fill(scene.gappy, options, NULL, &filled, NULL, &error));
    assert_true(snw_trial_is_present(filled->trial, 41, 3));
    take_trial(digest, filled->trial);
    snw_filled_destroy(filled);
}

static void run_predict(const void *options, uint64_t *digest)
{
    const snw_predict_job job = {.segments = scene.segments};
    snw_trial *predicted = NULL;
    NEED(snw_trial_predict(scene.walk.synth->capture, &job, options, NULL, &predicted, &error));
    take_trial(digest, predicted);
    snw_trial_destroy(predicted);
}

static void run_event(const void *options, uint64_t *digest)
{
    snw_gait_events *events = NULL;
    NEED(snw_gait_events_find(scene.walk.synth->capture, options, NULL, &events, NULL, &error));
    assert_true(events->count > 0);
    for (int n = 0; n < events->count; n++)
        take(digest, &events->event[n].time, sizeof events->event[n].time);
    snw_gait_events_destroy(events);
}

static void run_gait(const void *options, uint64_t *digest)
{
    snw_gait_model model;
    memset(&model, 0, sizeof model);
    NEED(snw_gait_model_make(scene.walk.synth->capture, NULL, options, &model, NULL, &error));
    take(digest, &model.pelvis_depth, sizeof model.pelvis_depth);
    take(digest, model.subject.value, sizeof model.subject.value);
}

/* Plates come from a real capture: without the corpus there is nothing to measure. */
static void run_kinetics(const void *options, uint64_t *digest)
{
    const char *folder = getenv("SINEW_CORPUS");
    char path[1024];
    snw_trial *trial = NULL;
    snw_gait_model model;
    snw_kinetics *kinetics = NULL;
    if (!folder) {
        print_message("skipped: no corpus\n");
        take(digest, "skipped", 7);
        return;
    }
    snw_format(path, sizeof path, "%s/c3d_gait/pig_full_walk.c3d", folder);
    NEED(snw_read_trial_file(path, NULL, NULL, &trial, NULL, &error));
    NEED(snw_gait_model_make(trial, NULL, NULL, &model, NULL, &error));
    NEED(snw_kinetics_measure(trial, &model, options, NULL, &kinetics, &error));
    take(digest, &kinetics->cutoff, sizeof kinetics->cutoff);
    int knee = snw_kinetics_find(kinetics, "left_knee_moment_extension");
    for (int f = 0; f < kinetics->frame_count; f++) {
        double value = snw_angles_at(&kinetics->columns, f, knee);
        take(digest, &value, sizeof value);
    }
    snw_kinetics_destroy(kinetics);
    snw_trial_destroy(trial);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void run_segment(const void *options, uint64_t *digest)
{
    snw_segments *segments = NULL;
    NEED(snw_segments_find(scene.walk.synth->capture, options, NULL, &segments, NULL, &error));
    take(digest, segments->segment_of, (size_t)segments->marker_count * sizeof(int));
    snw_segments_destroy(segments);
}

static void run_actor(const void *options, uint64_t *digest)
{
    snw_actor *actor = NULL;
    NEED(snw_actor_calibrate(scene.walk.synth->capture, scene.segments, options, NULL, &actor,
                             &error));
    static char text[1 << 20];
    size_t size = snw_actor_print(actor, text, sizeof text);
    assert_true(size < sizeof text);
    take(digest, text, size);
    snw_actor_destroy(actor);
}

static void run_tracker(const void *options, uint64_t *digest)
{
    snw_motion *motion = NULL;
    NEED(snw_actor_solve(scene.actor, scene.walk.synth->capture, options, NULL, &motion, &error));
    take_motion(digest, motion);
    snw_motion_destroy(motion);
}

static void run_live_body(const void *options, uint64_t *digest)
{
    const snw_trial *trial = scene.walk.synth->capture;
    snw_live_body *live = NULL;
    snw_pose *pose = NULL;
    NEED(snw_live_body_create_for_trial(scene.actor, trial, options, NULL, &live, &error));
    NEED(snw_pose_create(scene.actor->skeleton, NULL, &pose, &error));
    for (int f = 0; f < 5; f++) {
        const snw_frame frame = snw_trial_frame(trial, f);
        snw_live_body_step(live, &frame, pose);
        take_pose(digest, pose);
    }
    snw_pose_destroy(pose);
    snw_live_body_destroy(live);
}

static void run_solve(const void *options, uint64_t *digest)
{
    snw_solution *solution = NULL;
    NEED(snw_solve(scene.gappy, options, NULL, &solution, &error));
    take(digest, &solution->verdict, sizeof solution->verdict);
    take(digest, &solution->body_count, sizeof solution->body_count);
    snw_solution_destroy(solution);
}

static void run_rig(const void *options, uint64_t *digest)
{
    snw_motion *motion = NULL;
    NEED(snw_motion_to_rig(scene.walk.synth->motion, options, NULL, &motion, NULL, &error));
    take_motion(digest, motion);
    snw_motion_destroy(motion);
}

static void run_style(const void *options, uint64_t *digest)
{
    const snw_motion *motions[] = {scene.walk.synth->motion};
    snw_style *style = NULL;
    NEED(snw_style_learn(motions, 1, options, NULL, &style, &error));
    static char text[1 << 22];
    size_t size = snw_style_print(style, text, sizeof text);
    assert_true(size < sizeof text);
    take(digest, text, size);
    snw_style_destroy(style);
}

static void run_synth(const void *options, uint64_t *digest)
{
    snw_motion *motion = NULL;
    NEED(snw_synth_motion_create(scene.walk.body, options, NULL, &motion, &error));
    take_motion(digest, motion);
    snw_motion_destroy(motion);
}

static void run_synth_tracker(const void *options, uint64_t *digest)
{
    snw_trial *trial = NULL;
    NEED(snw_synth_trackers(scene.walk.synth->motion, options, NULL, &trial, &error));
    take_trial(digest, trial);
    snw_trial_destroy(trial);
}

static void run_synth_hand(const void *options, uint64_t *digest)
{
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    snw_trial *trial = NULL;
    NEED(snw_preset_create("hand25", NULL, &body, &error));
    NEED(snw_motion_create(body, 3, 30, NULL, &motion, &error));
    NEED(snw_synth_hand(motion, options, NULL, &trial, NULL, &error));
    take_trial(digest, trial);
    snw_trial_destroy(trial);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* A ball joint that turns about all axes. */
static void run_center(const void *options, uint64_t *digest)
{
    snw_center center;
    snw_center_sums sums = snw_center_sums_begin();
    snw_random random = snw_random_seed(7, 1);
    for (int f = 0; f < 40; f++) {
        snw_xform child = random_place(&random, 0);
        child.translation = snw_quat_rotate(child.rotation, snw_vec3_make(0, -0.3, 0));
        snw_center_sums_add(&sums, snw_xform_identity(), child);
    }
    NEED(snw_center_sums_solve(&sums, options, &center, &error));
    take(digest, &center.in_parent, sizeof center.in_parent);
    take(digest, &center.frame_count, sizeof center.frame_count);
}

/* ---- reaching and acting ----------------------------------------------------------------------
 */

static void run_ik(const void *options, uint64_t *digest)
{
    snw_ik *ik = NULL;
    snw_pose *pose = NULL;
    NEED(snw_pose_create(scene.walk.body, NULL, &pose, &error));
    NEED(snw_ik_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, options, NULL, &ik,
                       &error));
    assert_int_equal(snw_ik_solve(ik, &scene.goal, pose).outcome, SNW_IK_REACHED);
    take_pose(digest, pose);
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
}

static void run_ik_stepper(const void *options, uint64_t *digest)
{
    snw_ik_stepper *stepper = NULL;
    snw_pose *pose = NULL;
    NEED(snw_pose_create(scene.walk.body, NULL, &pose, &error));
    NEED(snw_ik_stepper_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, options, NULL,
                               &stepper, &error));
    for (int n = 0; n < 5; n++)
        snw_ik_stepper_step(stepper, &scene.goal, pose);
    take_pose(digest, pose);
    snw_ik_stepper_destroy(stepper);
    snw_pose_destroy(pose);
}

static bool sunken_floor(void *context, snw_vec3 place, double *height, snw_vec3 *normal)
{
    (void)context;
    *height = place.x > 0 ? -0.1 : 0;
    *normal = snw_vec3_make(0, 1, 0);
    return true;
}

static void run_feet(const void *options, uint64_t *digest)
{
    snw_feet *feet = NULL;
    snw_terrain terrain = {sunken_floor, NULL};
    snw_pose *pose = NULL;
    NEED(snw_pose_create(scene.walk.body, NULL, &pose, &error));
    NEED(snw_feet_create(scene.walk.body, options, NULL, &feet, &error));
    for (int n = 0; n < 3; n++)
        (void)snw_feet_place(feet, &terrain, 0.01, 1, pose);
    take_pose(digest, pose);
    snw_feet_destroy(feet);
    snw_pose_destroy(pose);
}

/* A small body: the default is hundreds of cubes with 32 orientations each. */
static void run_reach_map(const void *options, uint64_t *digest)
{
    snw_skeleton *chain = NULL;
    snw_reach_map *map = NULL;
    NEED(snw_preset_chain(3, 0.1, NULL, &chain, &error));
    NEED(snw_reach_map_create(chain, 2, options, NULL, &map, &error));
    take(digest, map->share,
         (size_t)(map->count[0] * map->count[1] * map->count[2]) * sizeof *map->share);
    snw_reach_map_destroy(map);
    snw_skeleton_destroy(chain);
}

static void run_ik_servo(const void *options, uint64_t *digest)
{
    snw_ik_servo *servo = NULL;
    snw_pose *pose = NULL;
    NEED(snw_pose_create(scene.walk.body, NULL, &pose, &error));
    NEED(snw_ik_servo_create(&(snw_ik_problem){scene.walk.body, &scene.goal, 1}, options, NULL,
                             &servo, &error));
    for (int n = 0; n < 5; n++)
        (void)snw_ik_servo_step(servo, &scene.goal, 0.01, pose);
    take_pose(digest, pose);
    snw_ik_servo_destroy(servo);
    snw_pose_destroy(pose);
}

/* The root alone moves: joints need limits of their own. */
static void run_trajectory(const void *options, uint64_t *digest)
{
    snw_pose *from = NULL, *to = NULL;
    snw_motion *motion = NULL;
    NEED(snw_pose_create(scene.walk.body, NULL, &from, &error));
    NEED(snw_pose_create(scene.walk.body, NULL, &to, &error));
    to->root.translation.x += 1;
    NEED(snw_trajectory_between(from, to, options, NULL, &motion, &error));
    take(digest, motion->root, (size_t)motion->frame_count * sizeof *motion->root);
    take(digest, &motion->frame_count, sizeof motion->frame_count);
    snw_motion_destroy(motion);
    snw_pose_destroy(from);
    snw_pose_destroy(to);
}

static void run_ik_batch(const void *options, uint64_t *digest)
{
    snw_ik_batch *batch = NULL;
    snw_skeleton *body = NULL;
    float target[3] = {0.3f, 0.2f, 0.1f}, rotation[64 * 4] = {0};
    NEED(snw_preset_create("chain10", NULL, &body, &error));
    assert_true(body->joint_count <= 64);
    for (int j = 0; j < body->joint_count; j++)
        rotation[4 * j] = 1;
    snw_vec3 here = snw_vec3_make(0, 0, 0);
    snw_goal goal = snw_goal_position(body->joint_count - 1, here, here);
    const snw_ik_batch_job job = {.problem_count = 1, .target = target, .rotation = rotation};
    NEED(snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, options, NULL, &batch, &error));
    int reached = 0;
    NEED(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error));
    assert_int_equal(reached, 1);
    take(digest, rotation, sizeof rotation);
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

static void run_hand(const void *options, uint64_t *digest)
{
    snw_hand *hand = NULL;
    snw_pose *pose = NULL;
    snw_hand_profile profile = snw_hand_profile_default(SNW_SIDE_RIGHT, 0.18);
    NEED(snw_hand_create(&profile, options, NULL, &hand, &error));
    NEED(snw_pose_create(snw_hand_skeleton(hand), NULL, &pose, &error));
    snw_random random = snw_random_seed(5, 1);
    for (int f = 0; f < 6; f++) {
        snw_hand_frame frame = {.time = f / 100.0};
        for (int m = 0; m < SNW_HAND_MARKERS; m++) {
            frame.is_seen[m] = f < 2 || m != f;
            frame.place[m] = random_gaussian(&random, 0.05);
        }
        snw_hand_step(hand, &frame, pose, NULL);
        take_pose(digest, pose);
    }
    snw_pose_destroy(pose);
    snw_hand_destroy(hand);
}

static void run_avatar(const void *options, uint64_t *digest)
{
    snw_avatar *avatar = NULL;
    snw_pose *pose = NULL;
    snw_avatar_profile profile = snw_avatar_profile_default(1.75);
    NEED(snw_avatar_create(&profile, options, NULL, &avatar, &error));
    NEED(snw_pose_create(snw_avatar_skeleton(avatar), NULL, &pose, &error));
    snw_random random = snw_random_seed(6, 1);
    for (int f = 0; f < 6; f++) {
        snw_avatar_frame frame = {.time = f / 100.0};
        for (int role = 0; role < SNW_AVATAR_ROLE_COUNT; role++) {
            frame.is_present[role] = f < 4;
            frame.world_from_tracker[role] = random_place(&random, 0.7);
        }
        snw_avatar_step(avatar, &frame, pose, NULL);
        take_pose(digest, pose);
    }
    snw_pose_destroy(pose);
    snw_avatar_destroy(avatar);
}

/* A tetrahedron without one of its sides. */
static snw_mesh *make_open_solid(void)
{
    static const int corner[3][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}};
    static const snw_mesh_counts counts = {4, 0, 3, 1};
    snw_mesh *mesh = NULL;
    NEED(snw_mesh_create(&counts, NULL, &mesh, &error));
    for (int v = 1; v < 4; v++)
        mesh->vertex[v] = snw_vec3_make(v == 1, v == 2, v == 3);
    memcpy(mesh->triangle, corner, sizeof corner);
    for (int k = 0; k < 4; k++)
        mesh->tetrahedron[0][k] = k;
    return mesh;
}

static void run_mass(const void *options, uint64_t *digest)
{
    snw_mesh *mesh = make_open_solid();
    snw_mass_properties mass;
    NEED(snw_mesh_mass(mesh, options, &mass, &error));
    take(digest, &mass.mass, sizeof mass.mass);
    snw_mesh_destroy(mesh);
}

static void run_mesh_repair(const void *options, uint64_t *digest)
{
    snw_mesh *mesh = make_open_solid(), *fixed = NULL;
    NEED(snw_mesh_repair(mesh, options, NULL, &fixed, NULL, &error));
    take(digest, fixed->triangle, (size_t)fixed->count.triangle_count * sizeof *fixed->triangle);
    snw_mesh_destroy(fixed);
    snw_mesh_destroy(mesh);
}

static void run_figure(const void *options, uint64_t *digest)
{
    snw_skeleton *body = NULL;
    snw_mesh *mesh = NULL;
    NEED(snw_preset_create("humanoid", NULL, &body, &error));
    NEED(snw_figure_create(body, options, NULL, &mesh, NULL, &error));
    take(digest, mesh->vertex, (size_t)mesh->count.vertex_count * sizeof *mesh->vertex);
    snw_mesh_destroy(mesh);
    snw_skeleton_destroy(body);
}

static void run_skin(const void *options, uint64_t *digest)
{
    snw_skeleton *body = NULL;
    snw_skin *skin = NULL;
    snw_mesh *mesh = make_open_solid();
    NEED(snw_preset_create("humanoid", NULL, &body, &error));
    NEED(snw_skin_create(mesh, body, options, NULL, &skin, &error));
    take(digest, skin->vertex, 4 * sizeof *skin->vertex);
    snw_skin_destroy(skin);
    snw_mesh_destroy(mesh);
    snw_skeleton_destroy(body);
}

/* Two cameras at right angles see six points for three frames. */
static void run_view(const void *options, uint64_t *digest)
{
    static const char *const points[] = {"Nose", "LHip", "RHip", "LKnee", "RKnee", "Neck"};
    const snw_views_counts counts = {2, 3, 6, 6, points};
    snw_cameras *cameras = NULL;
    snw_views *views = NULL;
    snw_trial *trial = NULL;
    NEED(snw_cameras_create(2, NULL, &cameras, &error));
    NEED(snw_views_create(&counts, NULL, &views, &error));
    for (int n = 0; n < 36; n++) {
        int p = n % 6, c = n / 18;
        double pixel[2];
        snw_quat turn = snw_quat_from_axis_angle(snw_vec3_make(0, 1, 0), c * SNW_PI / 2);
        cameras->camera[c].camera_from_world = snw_xform_make(turn, snw_vec3_make(0, 0, 4));
        snw_vec3 at = snw_vec3_make(0.1 * (p % 3), 0.2 * p, 0.1 * (p % 2));
        assert_true(snw_camera_project(cameras->camera + c, at, pixel));
        views->keypoint[n] = (snw_keypoint){(float)pixel[0], (float)pixel[1], 1};
        views->first[n / 6 + 1] = n / 6 + 1;
    }
    NEED(snw_views_triangulate(views, cameras, options, NULL, &trial, &error));
    take(digest, trial->sample, (size_t)trial->marker_count * 3 * sizeof *trial->sample);
    snw_trial_destroy(trial);
    snw_views_destroy(views);
    snw_cameras_destroy(cameras);
}

/* What three cameras see of a walk: centroids of markers, or the joints. */
typedef struct studied_walk {
    snw_skeleton *body;
    snw_synth *synth;
    snw_synth_views *made;
} studied_walk;

static studied_walk see_walk(const snw_synth_view_options *options)
{
    studied_walk walk = {NULL, NULL, NULL};
    snw_synth_options capture = snw_synth_options_default();
    capture.seconds = 1;
    capture.rate = 60;
    capture.camera_count = 3;
    NEED(snw_preset_create("humanoid", NULL, &walk.body, &error));
    NEED(snw_synth_create(walk.body, NULL, &capture, NULL, &walk.synth, &error));
    NEED(snw_synth_views_create(walk.synth, options, NULL, &walk.made, &error));
    return walk;
}

static void leave_walk(studied_walk *walk)
{
    snw_synth_views_destroy(walk->made);
    snw_synth_destroy(walk->synth);
    snw_skeleton_destroy(walk->body);
}

static void run_synth_view(const void *options, uint64_t *digest)
{
    studied_walk walk = see_walk(options);
    take(digest, walk.made->views->keypoint,
         (size_t)walk.made->detection_count * sizeof(snw_keypoint));
    leave_walk(&walk);
}

static void run_reconstruct(const void *options, uint64_t *digest)
{
    studied_walk walk = see_walk(NULL);
    snw_reconstruction *found = NULL;
    NEED(snw_views_reconstruct(walk.made->views, walk.made->calibration, options, NULL, &found,
                               &error));
    take(digest, found->trial->sample,
         (size_t)found->trial->marker_count * 3 * sizeof *found->trial->sample);
    snw_reconstruction_destroy(found);
    leave_walk(&walk);
}

static void run_cameras_calibrate(const void *options, uint64_t *digest)
{
    snw_synth_view_options joints = snw_synth_view_options_default();
    joints.of_joints = true;
    studied_walk walk = see_walk(&joints);
    snw_cameras_calibrated *found = NULL;
    NEED(snw_cameras_calibrate(walk.made->calibration, walk.made->views, options, NULL, &found,
                               &error));
    for (int c = 0; c < found->cameras->count; c++)
        take(digest, &found->cameras->camera[c].camera_from_world, sizeof(snw_xform));
    snw_cameras_calibrated_destroy(found);
    leave_walk(&walk);
}

static void run_synth_sensor(const void *options, uint64_t *digest)
{
    snw_inertial *sensors = NULL;
    NEED(snw_synth_sensors(scene.walk.synth->motion, options, NULL, &sensors, NULL, &error));
    take(digest, sensors->turn,
         (size_t)sensors->frame_count * (size_t)sensors->sensor_count * sizeof *sensors->turn);
    snw_inertial_destroy(sensors);
}

static void run_inertial(const void *options, uint64_t *digest)
{
    snw_inertial *sensors = NULL;
    snw_motion *motion = NULL;
    NEED(snw_synth_sensors(scene.walk.synth->motion, NULL, NULL, &sensors, NULL, &error));
    NEED(snw_inertial_solve(sensors, scene.walk.body, options, NULL, &motion, &error));
    take_motion(digest, motion);
    snw_motion_destroy(motion);
    snw_inertial_destroy(sensors);
}

static void run_tetrahedra(const void *options, uint64_t *digest)
{
    snw_mesh *box = make_box(1, 1, 1, snw_vec3_make(0, 0, 0)), *solid = NULL;
    NEED(snw_mesh_tetrahedra(box, options, NULL, &solid, NULL, &error));
    take(digest, solid->vertex, (size_t)solid->count.vertex_count * sizeof *solid->vertex);
    snw_mesh_destroy(solid);
    snw_mesh_destroy(box);
}

static void run_taylor(const void *options, uint64_t *digest)
{
    static const char *const names[1] = {"angle"};
    double time[20], value[20];
    for (int n = 0; n < 20; n++) {
        time[n] = n;
        value[n] = n * n % 7;
    }
    const snw_taylor_samples trial = {20, 1, names, time, value, 0};
    snw_taylor *taylor = NULL;
    NEED(snw_taylor_fit(&trial, 1, options, NULL, &taylor, &error));
    take(digest, taylor->coefficient, (size_t)taylor->term_count * sizeof *taylor->coefficient);
    snw_taylor_destroy(taylor);
}

static void run_retarget(const void *options, uint64_t *digest)
{
    snw_skeleton *body = NULL;
    snw_motion *motion = NULL;
    NEED(snw_preset_create("humanoid", NULL, &body, &error));
    NEED(snw_motion_retarget(scene.walk.synth->motion, body, options, NULL, &motion, &error));
    take_motion(digest, motion);
    snw_motion_destroy(motion);
    snw_skeleton_destroy(body);
}

/* ---- the table --------------------------------------------------------------------------------
 */

#define ROW(name)                                                         \
    {                                                                     \
        "snw_" #name "_options", sizeof(snw_##name##_options), run_##name \
    }

static const struct {
    const char *type;
    size_t size;
    void (*run)(const void *options, uint64_t *digest);
} table[] = {
    ROW(trial),       ROW(write),         ROW(read),       ROW(join),        ROW(fill),
    ROW(predict),     ROW(event),         ROW(gait),       ROW(segment),     ROW(actor),
    ROW(tracker),     ROW(live_body),     ROW(solve),      ROW(rig),         ROW(style),
    ROW(synth),       ROW(synth_tracker), ROW(synth_hand), ROW(center),      ROW(ik),
    ROW(ik_stepper),  ROW(ik_batch),      ROW(feet),       ROW(ik_servo),    ROW(reach_map),
    ROW(trajectory),  ROW(hand),          ROW(avatar),     ROW(kinetics),    ROW(mass),
    ROW(mesh_repair), ROW(figure),        ROW(skin),       ROW(retarget),    ROW(view),
    ROW(tetrahedra),  ROW(taylor),        ROW(synth_view), ROW(reconstruct), ROW(cameras_calibrate),
    ROW(inertial),    ROW(synth_sensor),
};

static void options_of_zeros_are_the_defaults(void **state)
{
    (void)state;
    static uint64_t zeros[256];
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        uint64_t by_null = 0xcbf29ce484222325u, by_zeros = by_null, nothing = by_null;
        assert_true(table[n].size <= sizeof zeros);
        print_message("%s\n", table[n].type);
        table[n].run(NULL, &by_null);
        table[n].run(zeros, &by_zeros);
        if (by_null == nothing || by_null != by_zeros)
            fail_msg("%s: zeros are not the defaults", table[n].type);
    }
}

/* A marker with a gap, and a piece of two frames that nobody named. */
static snw_trial *make_gappy(const snw_trial *capture)
{
    int *pick = calloc((size_t)capture->marker_count + 1, sizeof *pick);
    snw_trial *gappy = NULL;
    assert_non_null(pick);
    for (int m = 0; m < capture->marker_count; m++)
        pick[m] = m;
    pick[capture->marker_count] = SNW_NEW_MARKER;
    NEED(snw_trial_pick(capture, pick, capture->marker_count + 1, NULL, &gappy, &error));
    free(pick);
    NEED(snw_trial_set_marker_name(gappy, capture->marker_count, "*77", &error));
    for (int f = 40; f < 46; f++)
        snw_trial_set(gappy, f, 3, snw_vec3_make(0, 0, 0), SNW_SAMPLE_MISSING);
    for (int f = 10; f < 12; f++)
        snw_trial_set(gappy, f, capture->marker_count, snw_vec3_make(2, 2, 2), SNW_SAMPLE_MEASURED);
    return gappy;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_of_zeros_are_the_defaults)};
    snw_synth_options walk = snw_synth_options_default();
    walk.seconds = 4;
    walk.rate = 60;
    scene.walk = shoot("humanoid", &walk);
    const snw_trial *capture = scene.walk.synth->capture;
    scene.gappy = make_gappy(capture);
    NEED(snw_segments_find(capture, NULL, NULL, &scene.segments, NULL, &error));
    NEED(snw_actor_calibrate(capture, scene.segments, NULL, NULL, &scene.actor, &error));
    int wrist = snw_skeleton_find_joint(scene.walk.body, "left_wrist");
    scene.goal = snw_goal_position(wrist, snw_vec3_make(0, 0, 0), snw_vec3_make(0.35, 0.25, 0.35));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snw_actor_destroy(scene.actor);
    snw_segments_destroy(scene.segments);
    snw_trial_destroy(scene.gappy);
    leave(&scene.walk);
    return failed;
}
