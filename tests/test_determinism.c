/* The same input gives the same bits: one number for each kind of result, the same for every
 * compiler, every level of optimization, every processor and any number of threads. scripts/test
 * compares gcc, clang, debug and sanitized builds by it, scripts/portable other machines.
 *
 * A change that is meant to change results changes its line below, and the commit says why. */
#include <inttypes.h>

#include "check.h"
#include "studio.h"

typedef struct fingerprint {
    const char *name;
    uint64_t hash;
} fingerprint;

static const fingerprint expected[] = {
    {"forward", 0xd01b56e166b2761b},
    {"auto", 0x56a4c8d40642c951},
    {"fabrik", 0x383ff0aedeebf9e3},
    {"fabrik-cga", 0x9021321de7198461},
    {"ccd", 0x9747edc872e7620d},
    {"jacobian-transpose", 0x7978e4c822676a99},
    {"pseudo-inverse", 0x3b39848412c1af26},
    {"dls", 0x25a4a8b0f8c7dd4c},
    {"svd-dls", 0x3a8f5e7e40746c78},
    {"sdls", 0xee77fc9f1fc445af},
    {"fik", 0x1449a73031db4e60},
    {"gauss-newton", 0xd88ddfcbdd219cea},
    {"lm", 0x68e654a386621a0d},
    {"bfgs", 0xe7c5a0102c1b002d},
    {"lbfgsb", 0xccb7d5ffc4d887b4},
    {"particle", 0x9408d4a7c97a2aaf},
    {"triangulation", 0x852d04b3db8fd87a},
    {"two-bone", 0x8d77d6f94a2760a0},
    {"directions", 0x56a4c8d40642c951},
    {"conjugate-gradient", 0xaf0bd67e102b00a6},
    {"dfp", 0x57d15e58ecd5a5ba},
    {"powell", 0x2ac59252ce310960},
    {"nelder-mead", 0x735f9ee926a53920},
    {"ccd-mass", 0x7dff01cd2138aeaa},
    {"sequential", 0x7dff01cd2138aeaa},
    {"inductive", 0x0b09c447b8f30b66},
    {"extended-jacobian", 0xfd9ec1d30035de6f},
    {"servo", 0x2e76e9cb759b85b4},
    {"apart", 0x2ad943f4191dc628},
    {"axes", 0xbee2abb4f9f049d7},
    {"batch", 0xe9c23a4da899ee05},
    {"batch-arms", 0x53ab481bdcf6ff92},
    {"synth", 0x30db8e4d87301039},
    {"join", 0x0a8364c74c5d3345},
    {"segments", 0x05f5f935a4003923},
    {"calibration", 0x22c8fc0bf2a6fc31},
    {"tracking", 0xae713e7e34886237},
    {"solve", 0x5f92eba9132871b3},
};

/* FNV-1a over 64-bit words. */
typedef struct hasher {
    uint64_t hash;
} hasher;

static hasher hash_start(void)
{
    hasher start = {UINT64_C(0xcbf29ce484222325)};
    return start;
}

static void hash_word(hasher *h, uint64_t word)
{
    h->hash = (h->hash ^ word) * UINT64_C(0x100000001b3);
    h->hash ^= h->hash >> 29; /* high bits come back down: multiplication only carries upwards */
}

static void hash_double(hasher *h, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash_word(h, bits);
}

static void hash_floats(hasher *h, const float *values, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &values[n], sizeof bits);
        hash_word(h, bits);
    }
}

static void hash_vec3(hasher *h, snw_vec3 v)
{
    hash_double(h, v.x);
    hash_double(h, v.y);
    hash_double(h, v.z);
}

static void hash_quat(hasher *h, snw_quat q)
{
    hash_double(h, q.w);
    hash_vec3(h, snw_quat_vector(q));
}

static void hash_pose(hasher *h, const snw_pose *pose)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        hash_quat(h, pose->rotation[j]);
        hash_quat(h, pose->world[j].rotation);
        hash_vec3(h, pose->world[j].translation);
    }
}

static void hash_trial(hasher *h, const snw_trial *trial)
{
    size_t count = (size_t)trial->frame_count * (size_t)trial->marker_count;
    for (size_t n = 0; n < count; n++) {
        hash_word(h, trial->state[n]);
        if (trial->state[n] != SNW_SAMPLE_MISSING) hash_floats(h, &trial->sample[n].x, 3);
    }
}

/* All fingerprints are taken first and compared together, so that one run shows every new line. */
static int found_count;
static fingerprint found[64];

static void take(const char *name, hasher h)
{
    assert_true(found_count < 64);
    found[found_count++] = (fingerprint){name, h.hash};
}

/* ---- bodies ---- */

static void random_pose(snw_random *random, snw_pose *pose)
{
    for (int j = 0; j < pose->skeleton->joint_count; j++) {
        double turn[3]; /* one after the other: arguments may be evaluated in any order */
        for (int k = 0; k < 3; k++)
            turn[k] = snw_random_range(random, -1, 1);
        pose->rotation[j] = snw_quat_exp(snw_vec3_make(turn[0], turn[1], turn[2]));
    }
    snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static void take_forward(void)
{
    static const char *const presets[] = {"humanoid", "hand25", "arm7"};
    hasher h = hash_start();
    snw_random random = snw_random_seed(9, 1);
    for (int p = 0; p < 3; p++) {
        snw_skeleton *body = NULL;
        snw_pose *pose = NULL;
        assert_int_equal(snw_preset_create(presets[p], NULL, &body, NULL), SNW_OK);
        assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
        for (int n = 0; n < 20; n++) {
            random_pose(&random, pose);
            hash_pose(&h, pose);
        }
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
    take("forward", h);
}

/* ---- reaching ---- */

/* Steps and a trajectory under every limit in time, of an arm and of a body of every joint. */
static void take_servo(void)
{
    static const char *const presets[] = {"panda", "humanoid"};
    double rates[3][64];
    hasher h = hash_start();
    for (int k = 0; k < 64; k++) {
        rates[0][k] = 1 + 0.01 * k;
        rates[1][k] = 8;
        rates[2][k] = 400;
    }
    for (int p = 0; p < 2; p++) {
        snw_skeleton *body = NULL;
        snw_pose *pose = NULL, *start = NULL;
        snw_ik_servo *servo = NULL;
        snw_motion *motion = NULL;
        snw_random random = snw_random_seed(9, 4);
        assert_int_equal(snw_preset_create(presets[p], NULL, &body, NULL), SNW_OK);
        assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
        assert_int_equal(snw_pose_create(body, NULL, &start, NULL), SNW_OK);
        int tip = body->joint_count - 1;
        snw_goal goals[2] = {
            snw_goal_position(tip, snw_vec3_make(0, 0, 0), snw_vec3_make(0.2, 0.4, 0.5)),
            snw_goal_orientation(tip / 2, snw_quat_exp(snw_vec3_make(0.1, 0.2, 0.3)))};
        goals[1].priority = 1;
        snw_ik_servo_options options = snw_ik_servo_options_default();
        options.limit = (snw_rate_limit){rates[0], rates[1], rates[2]};
        options.manipulability_goal = 0;
        snw_ik_problem problem = {body, goals, 2};
        assert_int_equal(snw_ik_servo_create(&problem, &options, NULL, &servo, NULL), SNW_OK);
        random_pose(&random, pose);
        snw_pose_copy(start, pose);
        for (int n = 0; n < 100; n++) {
            (void)snw_ik_servo_step(servo, goals, 0.01, pose);
            hash_pose(&h, pose);
        }
        snw_trajectory_options way = snw_trajectory_options_default();
        way.limit = options.limit;
        assert_int_equal(snw_trajectory_between(start, pose, &way, NULL, &motion, NULL), SNW_OK);
        for (int f = 0; f < motion->frame_count; f++) {
            snw_motion_get(motion, f, pose);
            snw_pose_forward(pose);
            hash_pose(&h, pose);
        }
        snw_motion_destroy(motion);
        snw_ik_servo_destroy(servo);
        snw_pose_destroy(start);
        snw_pose_destroy(pose);
        snw_skeleton_destroy(body);
    }
    take("servo", h);
}

/* An arm among a post, a box and its own bones. */
static void take_apart(void)
{
    hasher h = hash_start();
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_goal goals[40];
    snw_body_shape shapes[10];
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_random random = snw_random_seed(9, 5);
    int count = 0;
    assert_int_equal(snw_preset_create("panda", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    for (int j = 1; j < body->joint_count; j++)
        shapes[count++] = (snw_body_shape){
            body->parent[j], snw_shape_capsule(zero, body->rest[j].translation, 0.04)};
    shapes[count++] = (snw_body_shape){
        -1, snw_shape_capsule(snw_vec3_make(0.4, 0, 0.2), snw_vec3_make(0.4, 0, 1), 0.05)};
    shapes[count++] = (snw_body_shape){
        -1, snw_shape_box(snw_vec3_make(0, 0.4, 0.5), snw_vec3_make(0.2, 0.1, 0.1))};
    goals[0] = snw_goal_position(body->joint_count - 1, zero, zero);
    count = 1 + snw_goals_apart(body, shapes, count, 0.01, goals + 1, 39);
    snw_ik_problem problem = {body, goals, count};
    assert_int_equal(snw_ik_create(&problem, NULL, NULL, &ik, NULL), SNW_OK);
    for (int n = 0; n < 6; n++) {
        random_pose(&random, pose);
        goals[0].position = pose->world[body->joint_count - 1].translation;
        snw_pose_reset(pose);
        hash_word(&h, (uint64_t)snw_ik_solve(ik, goals, pose).outcome);
        hash_pose(&h, pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    take("apart", h);
}

/* Frames by axes, on a spine whose joints follow each other. */
static void take_axes(void)
{
    hasher h = hash_start();
    snw_skeleton *body = NULL;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_random random = snw_random_seed(9, 6);
    assert_int_equal(snw_preset_create("spine24", NULL, &body, NULL), SNW_OK);
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    int tip = body->joint_count - 1;
    snw_goal goals[2] = {snw_goal_position(tip, zero, zero),
                         snw_goal_axes(tip, snw_quat_identity(), snw_vec3_make(1, 0, 0.5))};
    assert_int_equal(snw_ik_create(&(snw_ik_problem){body, goals, 2}, NULL, NULL, &ik, NULL),
                     SNW_OK);
    for (int n = 0; n < 6; n++) {
        snw_pose_reset(pose);
        goals[0].position =
            snw_vec3_add_scaled(pose->world[tip].translation, 0.1, snw_random_direction(&random));
        goals[1].orientation = snw_quat_exp(snw_vec3_scale(snw_random_direction(&random), 0.6));
        hash_word(&h, (uint64_t)snw_ik_solve(ik, goals, pose).outcome);
        hash_pose(&h, pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    snw_skeleton_destroy(body);
    take("axes", h);
}

/* A few targets for the tip of an arm, with the limits and the options that the method allows. */
static void take_solver(snw_ik_solver solver, const snw_skeleton *body)
{
    hasher h = hash_start();
    snw_random random = snw_random_seed(9, 2);
    int tip = body->joint_count - 1;
    snw_pose *pose = NULL;
    snw_ik *ik = NULL;
    snw_goal goal = snw_goal_position(tip, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_options options = snw_ik_options_default();
    options.solver = solver;
    options.iteration_max = 60;
    assert_int_equal(snw_pose_create(body, NULL, &pose, NULL), SNW_OK);
    if (snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, NULL) != SNW_OK) {
        options.use_limits = false;
        if (snw_ik_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &ik, NULL) != SNW_OK)
            ik = NULL;
    }
    for (int n = 0; ik && n < 6; n++) {
        random_pose(&random, pose);
        goal.position = snw_vec3_scale(pose->world[tip].translation, n == 5 ? 3 : 1);
        snw_pose_reset(pose);
        snw_ik_result result = snw_ik_solve(ik, &goal, pose);
        hash_word(&h, (uint64_t)result.outcome);
        hash_word(&h, (uint64_t)result.iterations);
        hash_pose(&h, pose);
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    take(snw_ik_solver_name(solver), h);
}

/* Free ball joints in a row serve every method. */
static snw_skeleton *chain_of(int count)
{
    snw_skeleton *body = NULL;
    assert_int_equal(snw_preset_chain(count, 1.3, NULL, &body, NULL), SNW_OK);
    return body;
}

static void take_solvers(void)
{
    snw_skeleton *two = chain_of(3), *four = chain_of(5);
    for (int s = 0; s < SNW_IK_MESH_IK; s++) /* that needs a style: tests/test_ik_family.c */
        take_solver((snw_ik_solver)s, s == SNW_IK_TWO_BONE ? two : four);
    snw_skeleton_destroy(two);
    snw_skeleton_destroy(four);
}

enum {
    BATCH_PROBLEMS = 200
};

static hasher solve_batch(const snw_skeleton *body, int workers, bool use_simd)
{
    static float target[BATCH_PROBLEMS * 3], rotation[BATCH_PROBLEMS * 5 * 4];
    int joints = body->joint_count;
    snw_random random = snw_random_seed(9, 3);
    for (int n = 0; n < BATCH_PROBLEMS * 3; n++)
        target[n] = (float)snw_random_range(&random, -0.9, 0.9);
    for (int n = 0; n < BATCH_PROBLEMS * joints; n++) {
        float identity[4] = {1, 0, 0, 0};
        memcpy(rotation + 4 * n, identity, sizeof identity);
    }
    snw_goal goal = snw_goal_position(joints - 1, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    options.worker_count = workers;
    options.use_simd = use_simd;
    snw_ik_batch *batch = NULL;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, NULL),
        SNW_OK);
    snw_ik_batch_job job = {0};
    job.problem_count = BATCH_PROBLEMS;
    job.target = target;
    job.rotation = rotation;
    snw_xform root = {snw_quat_identity(), snw_vec3_make(0, 0, 0)};
    assert_int_equal(snw_ik_batch_solve(batch, root, &job, NULL, NULL), SNW_OK);
    snw_ik_batch_destroy(batch);
    hasher h = hash_start();
    hash_floats(&h, rotation, (size_t)(BATCH_PROBLEMS * joints * 4));
    return h;
}

/* The general kernel, on an arm with limits under place and frame. */
static hasher solve_batch_of_arms(const snw_skeleton *arm, int workers, bool use_simd)
{
    static float target[BATCH_PROBLEMS * 3], frame[BATCH_PROBLEMS * 4],
        rotation[BATCH_PROBLEMS * 8 * 4];
    int joints = arm->joint_count;
    snw_random random = snw_random_seed(9, 4);
    for (int n = 0; n < BATCH_PROBLEMS; n++) {
        snw_quat q = snw_random_rotation(&random);
        const float turn[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
        memcpy(frame + 4 * n, turn, sizeof turn);
        for (int k = 0; k < 3; k++)
            target[3 * n + k] = (float)snw_random_range(&random, -0.5, 0.5);
    }
    memset(rotation, 0, sizeof rotation);
    for (int n = 0; n < BATCH_PROBLEMS * joints; n++)
        rotation[4 * n] = 1;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_goal goal = snw_goal_pose(joints - 1, zero, zero, snw_quat_identity());
    snw_ik_batch_options options = snw_ik_batch_options_default();
    options.worker_count = workers;
    options.use_simd = use_simd;
    snw_ik_batch *batch = NULL;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){arm, &goal, 1}, &options, NULL, &batch, NULL),
        SNW_OK);
    snw_ik_batch_job job = {.problem_count = BATCH_PROBLEMS,
                            .target = target,
                            .orientation = frame,
                            .rotation = rotation};
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL), SNW_OK);
    snw_ik_batch_destroy(batch);
    hasher h = hash_start();
    hash_floats(&h, rotation, (size_t)(BATCH_PROBLEMS * joints * 4));
    return h;
}

static void take_batch_of_arms(void)
{
    snw_skeleton *arm = NULL;
    assert_int_equal(snw_preset_create("arm7", NULL, &arm, NULL), SNW_OK);
    hasher first = solve_batch_of_arms(arm, 1, false);
    assert_true(first.hash == solve_batch_of_arms(arm, 8, true).hash);
    snw_skeleton_destroy(arm);
    take("batch-arms", first);
}

static void take_batch(void)
{
    snw_skeleton *body = chain_of(5);
    hasher first = solve_batch(body, 1, false);
    assert_true(first.hash == solve_batch(body, 8, false).hash);
    assert_true(first.hash == solve_batch(body, 1, true).hash);
    assert_true(first.hash == solve_batch(body, 8, true).hash);
    snw_skeleton_destroy(body);
    take("batch", first);
}

/* ---- capture to motion ---- */

static void take_actor(const snw_actor *actor)
{
    hasher h = hash_start();
    for (int j = 0; j < actor->skeleton->joint_count; j++) {
        hash_quat(&h, actor->skeleton->rest[j].rotation);
        hash_vec3(&h, actor->skeleton->rest[j].translation);
        hash_double(&h, actor->estimate[j].residual);
    }
    for (int m = 0; m < actor->marker_count; m++) {
        hash_word(&h, (uint64_t)actor->marker[m].joint);
        hash_vec3(&h, actor->marker[m].offset);
    }
    take("calibration", h);
}

static void take_tracking(const snw_actor *actor, const snw_trial *trial)
{
    hasher h = hash_start();
    snw_tracker *tracker = NULL;
    snw_pose *pose = NULL;
    assert_int_equal(snw_pose_create(actor->skeleton, NULL, &pose, NULL), SNW_OK);
    assert_int_equal(snw_tracker_create_for_trial(actor, trial, NULL, NULL, &tracker, NULL),
                     SNW_OK);
    for (int f = 0; f < trial->frame_count; f++) {
        snw_frame frame = snw_trial_frame(trial, f);
        snw_tracker_step(tracker, &frame, pose);
        hash_pose(&h, pose);
    }
    snw_tracker_destroy(tracker);
    snw_pose_destroy(pose);
    take("tracking", h);
}

static void take_motion(const snw_actor *actor, const snw_trial *trial)
{
    hasher h = hash_start();
    snw_motion *motion = NULL;
    assert_int_equal(snw_actor_solve(actor, trial, NULL, NULL, &motion, NULL), SNW_OK);
    size_t count = (size_t)motion->frame_count * (size_t)motion->skeleton->joint_count;
    for (size_t n = 0; n < count; n++)
        hash_quat(&h, motion->rotation[n]);
    snw_motion_destroy(motion);
    take("solve", h);
}

static void take_capture(void)
{
    snw_synth_options options = quick_options();
    options.camera_count = 6; /* gaps */
    studio walk = shoot("humanoid", &options);
    const snw_trial *trial = walk.synth->capture;
    hasher h = hash_start();
    hash_trial(&h, trial);
    take("synth", h);

    snw_joined *joined = NULL;
    snw_trial *raw = NULL;
    assert_int_equal(snw_synth_unlabel(trial, 9, NULL, &raw, NULL), SNW_OK);
    assert_int_equal(snw_trial_join(raw, NULL, NULL, &joined, NULL, NULL), SNW_OK);
    h = hash_start();
    hash_trial(&h, joined->trial);
    take("join", h);
    snw_joined_destroy(joined);
    snw_trial_destroy(raw);

    snw_segments *segments = NULL;
    snw_segment_options by_motion = snw_segment_options_default();
    by_motion.method = SNW_SEGMENTS_BY_RIGIDITY;
    assert_int_equal(snw_segments_find(trial, &by_motion, NULL, &segments, NULL, NULL), SNW_OK);
    h = hash_start();
    for (int m = 0; m < segments->marker_count; m++)
        hash_word(&h, (uint64_t)segments->segment_of[m]);
    take("segments", h);
    snw_segments_destroy(segments);

    snw_actor *actor = NULL;
    assert_int_equal(snw_segments_find(trial, NULL, NULL, &segments, NULL, NULL), SNW_OK);
    assert_int_equal(snw_actor_calibrate(trial, segments, NULL, NULL, &actor, NULL), SNW_OK);
    take_actor(actor);
    take_tracking(actor, trial);
    take_motion(actor, trial);
    snw_actor_destroy(actor);
    snw_segments_destroy(segments);
    leave(&walk);
}

static void the_same_input_gives_the_same_bits(void **state)
{
    (void)state;
    found_count = 0;
    take_forward();
    take_solvers();
    take_servo();
    take_apart();
    take_axes();
    take_batch();
    take_batch_of_arms();
    take_capture();
    int known = (int)(sizeof expected / sizeof *expected), different = known != found_count;
    for (int n = 0; n < found_count; n++) {
        bool is_same = n < known && strcmp(expected[n].name, found[n].name) == 0 &&
                       expected[n].hash == found[n].hash;
        different += !is_same;
        print_message("    {\"%s\", 0x%016" PRIx64 "},%s\n", found[n].name, found[n].hash,
                      is_same ? "" : "");
    }
    if (different)
        fail_msg("bits changed. If results were meant to change, these lines are the new ones; if "
                 "only this build differs from another, something depends on the machine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_input_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
