/* The batch: reaches like the scalar solve, the same bits with and without AVX and for any number
 * of threads, and other problems one by one. */
#include "ik_chains.h"

#define BATCH_COUNT 203 /* not a multiple of eight */

typedef struct batch_arrays {
    float *target, *rotation, *residual;
    uint8_t *outcome;
} batch_arrays;

static batch_arrays arrays_of(int problems, int joints, int goals)
{
    batch_arrays a;
    a.target = calloc((size_t)problems * (size_t)goals * 3, sizeof *a.target);
    a.rotation = calloc((size_t)problems * (size_t)joints * 4, sizeof *a.rotation);
    a.residual = calloc((size_t)problems, sizeof *a.residual);
    a.outcome = calloc((size_t)problems, sizeof *a.outcome);
    assert_true(a.target && a.rotation && a.residual && a.outcome);
    for (int i = 0; i < problems * joints; i++)
        a.rotation[i * 4] = 1;
    return a;
}

static void arrays_free(batch_arrays *a)
{
    free(a->target);
    free(a->rotation);
    free(a->residual);
    free(a->outcome);
}

static void fill_targets(batch_arrays *a, int problems, double most)
{
    snw_random random = snw_random_seed(12, 0);
    for (int i = 0; i < problems; i++) {
        snw_vec3 t = random_target(&random, 0, most);
        a->target[i * 3] = (float)t.x;
        a->target[i * 3 + 1] = (float)t.y;
        a->target[i * 3 + 2] = (float)t.z;
    }
}

static int solve_batch(snw_skeleton *body, const snw_goal *goal,
                       const snw_ik_batch_options *options, batch_arrays *a, int problems)
{
    snw_ik_batch *batch = NULL;
    snw_ik_batch_job job = {.problem_count = problems,
                            .target = a->target,
                            .rotation = a->rotation,
                            .residual = a->residual,
                            .outcome = a->outcome};
    snw_xform root = {snw_quat_identity(), {0.5, -0.25, 1}};
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, goal, 1}, options, NULL, &batch, NULL), SNW_OK);
    int reached = 0;
    assert_int_equal(snw_ik_batch_solve(batch, root, &job, &reached, NULL), SNW_OK);
    snw_ik_batch_destroy(batch);
    return reached;
}

/* Forward kinematics in doubles of the rotations that were written. */
static double true_residual(const chain_case *c, const batch_arrays *a, int problem)
{
    int joints = c->body->joint_count;
    for (int j = 0; j < joints; j++) {
        const float *q = a->rotation + ((size_t)problem * (size_t)joints + (size_t)j) * 4;
        c->pose->rotation[j] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
    }
    c->pose->root = snw_xform_make(snw_quat_identity(), snw_vec3_make(0.5, -0.25, 1));
    snw_pose_forward(c->pose);
    const float *t = a->target + (size_t)problem * 3;
    return snw_vec3_distance(tip_of(c), snw_vec3_make(t[0], t[1], t[2]));
}

static void batch_reaches_what_the_scalar_solve_reaches(void **state)
{
    static const double bend[] = {0, 0.05};
    (void)state;
    for (int shape = 0; shape < 2; shape++) {
        snw_ik_batch_options options = snw_ik_batch_options_default();
        chain_case c = chain_case_of(even_chain(10, 1), &options.ik);
        batch_arrays a = arrays_of(BATCH_COUNT, 10, 1);
        fill_targets(&a, BATCH_COUNT, 13);
        for (int i = 0; i < BATCH_COUNT * 10; i++) { /* a turn about z */
            a.rotation[i * 4] = (float)cos(bend[shape] / 2);
            a.rotation[i * 4 + 3] = (float)sin(bend[shape] / 2);
        }
        int reached = solve_batch(c.body, &c.goal, &options, &a, BATCH_COUNT), expected = 0;
        for (int i = 0; i < BATCH_COUNT; i++) {
            const float *t = a.target + (size_t)i * 3;
            double far = snw_vec3_length(snw_vec3_make(t[0] - 0.5, t[1] + 0.25, t[2] - 1));
            bool is_in_reach = far <= 10;
            expected += is_in_reach;
            assert_int_equal(a.outcome[i], is_in_reach ? SNW_IK_REACHED : SNW_IK_UNREACHABLE);
            /* 1e-3 is the tolerance; 2e-5 is 30 roundings of a float at length 10. */
            check_near(true_residual(&c, &a, i), is_in_reach ? 0 : far - 10, 1e-3 + 2e-5);
            check_near(a.residual[i], true_residual(&c, &a, i), 2e-5);
        }
        assert_int_equal(reached, expected);
        arrays_free(&a);
        chain_case_free(&c);
    }
}

/* The rotations agree with the scalar double solve of the same method. */
static void batch_agrees_with_directions(void **state)
{
    snw_ik_batch_options options = snw_ik_batch_options_default();
    options.ik.tolerance = 1e-5;
    chain_case c = chain_case_of(even_chain(10, 1), &options.ik);
    batch_arrays a = arrays_of(BATCH_COUNT, 10, 1);
    fill_targets(&a, BATCH_COUNT, 8);
    for (int i = 0; i < BATCH_COUNT * 10; i++) {
        a.rotation[i * 4] = (float)cos(0.05);
        a.rotation[i * 4 + 3] = (float)sin(0.05);
    }
    (void)state;
    (void)solve_batch(c.body, &c.goal, &options, &a, BATCH_COUNT);
    for (int i = 0; i < BATCH_COUNT; i++) {
        snw_pose_reset(c.pose);
        c.pose->root = snw_xform_make(snw_quat_identity(), snw_vec3_make(0.5, -0.25, 1));
        for (int j = 0; j < 10; j++)
            c.pose->rotation[j] = snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.1);
        const float *t = a.target + (size_t)i * 3;
        (void)chain_solve(&c, snw_vec3_make(t[0], t[1], t[2]));
        for (int j = 0; j < 10; j++) {
            const float *q = a.rotation + ((size_t)i * 10 + (size_t)j) * 4;
            /* A gap of 1e-5 of the chain, seen through its bends: 1e-3 rad at most. */
            check_quat_near(snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3])),
                            c.pose->rotation[j], 2e-3);
        }
    }
    arrays_free(&a);
    chain_case_free(&c);
}

static void paths_and_threads_give_the_same_bits(void **state)
{
    static const int threads[] = {1, 2, 3, 7};
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    batch_arrays first = arrays_of(BATCH_COUNT, 10, 1);
    (void)state;
    for (int k = 0; k < 8; k++) {
        snw_ik_batch_options options = snw_ik_batch_options_default();
        batch_arrays a = arrays_of(BATCH_COUNT, 10, 1);
        options.use_simd = k % 2 == 0;
        options.worker_count = threads[k / 2];
        fill_targets(&a, BATCH_COUNT, 12);
        (void)solve_batch(body, &goal, &options, &a, BATCH_COUNT);
        if (k == 0) {
            arrays_free(&first);
            first = a;
            continue;
        }
        assert_memory_equal(a.rotation, first.rotation, BATCH_COUNT * 40 * sizeof(float));
        assert_memory_equal(a.residual, first.residual, BATCH_COUNT * sizeof(float));
        assert_memory_equal(a.outcome, first.outcome, BATCH_COUNT);
        arrays_free(&a);
    }
    arrays_free(&first);
    snw_skeleton_destroy(body);
}

/* A lane does not feel its neighbours: NaN and giants beside it change nothing. */
static void hostile_neighbours_do_not_matter(void **state)
{
    static const float hostile[] = {NAN, INFINITY, 1e38f, -1e30f, 0};
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    batch_arrays a = arrays_of(16, 10, 1), b = arrays_of(16, 10, 1);
    (void)state;
    fill_targets(&a, 16, 9);
    fill_targets(&b, 16, 9);
    for (int i = 0; i < 5; i++)
        b.target[i * 6 + i % 3] = hostile[i];
    (void)solve_batch(body, &goal, &options, &a, 16);
    (void)solve_batch(body, &goal, &options, &b, 16);
    for (int i = 0; i < 16; i++) {
        bool was_changed = i % 2 == 0 && i / 2 < 5;
        const float *qa = a.rotation + (size_t)i * 40, *qb = b.rotation + (size_t)i * 40;
        if (!was_changed) assert_memory_equal(qa, qb, 40 * sizeof(float));
        for (int k = 0; k < 40; k++)
            assert_true(isfinite(qb[k]));
    }
    arrays_free(&a);
    arrays_free(&b);
    snw_skeleton_destroy(body);
}

static void other_bodies_are_solved_one_by_one(void **state)
{
    snw_skeleton *arm = preset("arm7");
    snw_pose *truth = pose_of(arm);
    snw_random random = snw_random_seed(5, 0);
    int last = arm->joint_count - 1;
    snw_goal goal = snw_goal_position(last, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    batch_arrays a = arrays_of(40, arm->joint_count, 1);
    (void)state;
    options.worker_count = 2;
    for (int i = 0; i < 40; i++) {
        pose_scatter(truth, &random, 1);
        snw_vec3 t = truth->world[last].translation;
        a.target[i * 3] = (float)(t.x + 0.5);
        a.target[i * 3 + 1] = (float)(t.y - 0.25);
        a.target[i * 3 + 2] = (float)(t.z + 1);
    }
    assert_int_equal(solve_batch(arm, &goal, &options, &a, 40), 40);
    arrays_free(&a);
    snw_pose_destroy(truth);
    snw_skeleton_destroy(arm);
}

static void every_failing_allocation_leaves_nothing(void **state)
{
    snw_skeleton *body = even_chain(4, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    bool has_succeeded = false;
    (void)state;
    options.worker_count = 3;
    for (long n = 0; !has_succeeded; n++) {
        counting_allocator counter = {.fail_at = n};
        snw_allocator allocator = counting_hook(&counter);
        snw_ik_batch *batch = NULL;
        snw_error error;
        snw_status status = snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options,
                                                &allocator, &batch, &error);
        has_succeeded = status == SNW_OK;
        if (!has_succeeded) {
            assert_int_equal(status, SNW_OUT_OF_MEMORY);
            assert_null(batch);
        }
        snw_ik_batch_destroy(batch);
        assert_int_equal(counter.live, 0);
        assert_true(n < 100);
    }
    options.worker_count = 0;
    snw_ik_batch *batch = NULL;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, NULL),
        SNW_INVALID_ARGUMENT);
    snw_skeleton_destroy(body);
}

/* A hinge on a slide: the tip reaches x = 2 only by sliding. */
static snw_skeleton *slider(void)
{
    snw_skeleton *body = NULL;
    snw_joint_def defs[2] = {snw_joint_def_default(), snw_joint_def_default()};
    defs[0].name = "slide";
    defs[0].parent = -1;
    defs[0].joint.type = SNW_JOINT_PRISMATIC;
    defs[0].joint.axis = snw_vec3_make(1, 0, 0);
    defs[1].name = "hinge";
    defs[1].parent = 0;
    defs[1].joint.type = SNW_JOINT_HINGE;
    defs[1].has_tip = true;
    defs[1].tip = snw_vec3_make(0.4, 0, 0);
    assert_int_equal(snw_skeleton_create(defs, 2, NULL, &body, NULL), SNW_OK);
    return body;
}

static void slides_are_returned_and_asked_for(void **state)
{
    (void)state;
    snw_skeleton *body = slider();
    snw_goal goal = snw_goal_position(1, body->tip[1], snw_vec3_make(0, 0, 0));
    snw_ik_batch *batch = NULL;
    snw_error error;
    float target[3] = {2, 0.1f, 0}, rotation[8] = {1, 0, 0, 0, 1, 0, 0, 0}, slide[6] = {0};
    snw_ik_batch_job job = {.problem_count = 1, .target = target, .rotation = rotation};
    int reached = -1;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &batch, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "slide"));
    assert_int_equal(reached, 0);
    job.slide = slide;
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error),
                     SNW_OK);
    assert_int_equal(reached, 1);
    snw_pose *pose = pose_of(body);
    pose->slide[0] = snw_vec3_make(slide[0], slide[1], slide[2]);
    for (int j = 0; j < 2; j++)
        pose->rotation[j] = snw_quat_normalize(snw_quat_make(
            rotation[j * 4], rotation[j * 4 + 1], rotation[j * 4 + 2], rotation[j * 4 + 3]));
    snw_pose_forward(pose);
    /* The tolerance of the solve and the round-off of floats. */
    check_vec3_near(snw_pose_tip(pose, 1), snw_vec3_make(2, 0.1, 0), 1e-4 * body->size + 1e-6);
    snw_pose_destroy(pose);
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

static void free_roots_are_returned_and_asked_for(void **state)
{
    (void)state;
    snw_skeleton *body = even_chain(4, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_ik_batch *batch = NULL;
    float target[3] = {9, 1, 2}, rotation[16] = {0}, root[7] = {1};
    snw_ik_batch_job job = {.problem_count = 1, .target = target, .rotation = rotation};
    for (int j = 0; j < 4; j++)
        rotation[j * 4] = 1;
    options.ik.root = SNW_IK_ROOT_FREE;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, NULL),
        SNW_OK);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL),
                     SNW_INVALID_ARGUMENT);
    job.root = root;
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL), SNW_OK);
    snw_pose *pose = pose_of(body);
    pose->root = snw_xform_make(snw_quat_make(root[0], root[1], root[2], root[3]),
                                snw_vec3_make(root[4], root[5], root[6]));
    for (int j = 0; j < 4; j++)
        pose->rotation[j] = snw_quat_make(rotation[j * 4], rotation[j * 4 + 1], rotation[j * 4 + 2],
                                          rotation[j * 4 + 3]);
    snw_pose_forward(pose);
    check_vec3_near(snw_pose_point(pose, goal.joint, goal.point), snw_vec3_make(9, 1, 2),
                    1e-4 * body->size + 1e-5);
    snw_pose_destroy(pose);
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

/* Every body in its own place is the same problem as all at the origin with targets moved. */
static void each_body_may_stand_elsewhere(void **state)
{
    (void)state;
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch *batch = NULL;
    batch_arrays a = arrays_of(11, 10, 1), b = arrays_of(11, 10, 1);
    float root[11 * 7];
    fill_targets(&a, 11, 9);
    for (int i = 0; i < 11; i++) {
        snw_xform stand = {snw_quat_from_axis_angle(snw_vec3_make(0, 0, 1), 0.3 * i),
                           {i, 2.0 * i, -i}};
        snw_vec3 t = snw_xform_point(
            stand, snw_vec3_make(a.target[i * 3], a.target[i * 3 + 1], a.target[i * 3 + 2]));
        float own[7] = {(float)stand.rotation.w,
                        (float)stand.rotation.x,
                        (float)stand.rotation.y,
                        (float)stand.rotation.z,
                        (float)i,
                        2.0f * (float)i,
                        -(float)i};
        memcpy(root + i * 7, own, sizeof own);
        b.target[i * 3] = (float)t.x;
        b.target[i * 3 + 1] = (float)t.y;
        b.target[i * 3 + 2] = (float)t.z;
    }
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &batch, NULL), SNW_OK);
    snw_ik_batch_job first = {.problem_count = 11, .target = a.target, .rotation = a.rotation};
    snw_ik_batch_job second = {
        .problem_count = 11, .target = b.target, .rotation = b.rotation, .root = root};
    int reached[2];
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &first, &reached[0], NULL),
                     SNW_OK);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &second, &reached[1], NULL),
                     SNW_OK);
    assert_int_equal(reached[0], reached[1]);
    /* Targets differ by round-off of floats at 30 m, seen through the bends of the chain. */
    for (int i = 0; i < 11 * 40; i++)
        check_near(a.rotation[i], b.rotation[i], 1e-4);
    arrays_free(&a);
    arrays_free(&b);
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

/* A task system that does everything late, backwards, one item at a time, by other workers. */
typedef struct late_tasks {
    snw_task *task;
    void *context;
    int count, finished;
} late_tasks;

static void *late_enqueue(void *user, snw_task *task, void *context, int count, int range_min)
{
    late_tasks *late = user;
    assert_true(range_min >= 1);
    late->task = task;
    late->context = context;
    late->count = count;
    return late;
}

static void late_finish(void *user, void *handle)
{
    late_tasks *late = handle;
    assert_ptr_equal(user, handle);
    for (int k = late->count - 1; k >= 0; k--)
        late->task(late->context, k, k + 1, k % 3);
    late->finished++;
}

static void a_task_system_of_the_caller_gives_the_same_bits(void **state)
{
    (void)state;
    snw_skeleton *bodies[] = {even_chain(10, 1), preset("arm7")};
    for (int k = 0; k < 2; k++) {
        snw_skeleton *body = bodies[k];
        size_t count = (size_t)BATCH_COUNT * (size_t)body->joint_count * 4;
        snw_goal goal = snw_goal_position(body->joint_count - 1, snw_vec3_make(0, 0, 0),
                                          snw_vec3_make(0, 0, 0));
        snw_ik_batch_options options = snw_ik_batch_options_default();
        late_tasks late = {0};
        batch_arrays a = arrays_of(BATCH_COUNT, body->joint_count, 1);
        batch_arrays b = arrays_of(BATCH_COUNT, body->joint_count, 1);
        fill_targets(&a, BATCH_COUNT, 0.9 * body->size);
        fill_targets(&b, BATCH_COUNT, 0.9 * body->size);
        options.ik.iteration_max = 50; /* what is not reached counts as well */
        int alone = solve_batch(body, &goal, &options, &a, BATCH_COUNT);
        options.worker_count = 3;
        options.enqueue = late_enqueue;
        options.finish = late_finish;
        options.task_user = &late;
        assert_int_equal(solve_batch(body, &goal, &options, &b, BATCH_COUNT), alone);
        assert_int_equal(late.finished, 1);
        assert_memory_equal(a.rotation, b.rotation, count * sizeof(float));
        assert_memory_equal(a.outcome, b.outcome, BATCH_COUNT);
        options.finish = NULL;
        snw_ik_batch *batch = NULL;
        assert_int_equal(
            snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, NULL),
            SNW_INVALID_ARGUMENT);
        arrays_free(&a);
        arrays_free(&b);
        snw_skeleton_destroy(body);
    }
}

/* One batch, many solves: its threads sleep and wake. */
static void threads_of_a_batch_serve_every_solve(void **state)
{
    (void)state;
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    counting_allocator counter = {.fail_at = -1};
    snw_allocator allocator = counting_hook(&counter);
    snw_ik_batch *batch = NULL;
    options.worker_count = 4;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, &allocator, &batch, NULL),
        SNW_OK);
    long calls = counter.calls;
    for (int k = 0; k < 200; k++) {
        batch_arrays a = arrays_of(3 * BATCH_COUNT, 10, 1);
        snw_ik_batch_job job = {
            .problem_count = k % 3 * BATCH_COUNT, .target = a.target, .rotation = a.rotation};
        int reached = -1;
        fill_targets(&a, 3 * BATCH_COUNT, 9);
        assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, NULL),
                         SNW_OK);
        assert_int_equal(reached, job.problem_count);
        arrays_free(&a);
    }
    assert_int_equal(counter.calls, calls);
    snw_ik_batch_destroy(batch);
    assert_int_equal(counter.live, 0);
    snw_skeleton_destroy(body);
}

/* Floats cannot hold 1e-7 of a chain: the kernel would only be in the way. */
static void a_tolerance_below_floats_is_solved_one_by_one(void **state)
{
    (void)state;
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_ik_batch *batch = NULL;
    options.ik.tolerance = 1e-7;
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, &options, NULL, &batch, NULL),
        SNW_OK);
    assert_string_equal(snw_ik_batch_path(batch), "one by one");
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

/* Coordinates in, coordinates out: the same poses, groups of eight and what is left of them. */
static void values_stand_for_rotations(void **state)
{
    snw_skeleton *body = even_chain(10, 1);
    snw_goal goal = tip_goal(body, snw_vec3_make(0, 0, 0));
    batch_arrays a = arrays_of(BATCH_COUNT, 10, 1);
    int dof = body->dof_count;
    float *value = calloc((size_t)BATCH_COUNT * (size_t)dof, sizeof *value);
    snw_ik_batch *batch = NULL;
    (void)state;
    assert_non_null(value);
    fill_targets(&a, BATCH_COUNT, 12);
    (void)solve_batch(body, &goal, NULL, &a, BATCH_COUNT);
    snw_ik_batch_job job = {.problem_count = BATCH_COUNT, .target = a.target, .value = value};
    snw_xform root = {snw_quat_identity(), {0.5, -0.25, 1}};
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, &goal, 1}, NULL, NULL, &batch, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_solve(batch, root, &job, NULL, NULL), SNW_OK);
    for (int n = 0; n < BATCH_COUNT; n++)
        for (int j = 0; j < 10; j++) {
            double values[6] = {0};
            snw_quat turned;
            snw_vec3 slide;
            const float *q = a.rotation + (n * 10 + j) * 4;
            for (int k = 0; k < snw_joint_type_dof(body->joint[j].type); k++)
                values[k] = value[n * dof + body->dof_first[j] + k];
            snw_joint_from_values(&body->joint[j], values, &turned, &slide);
            /* Floats, once more. */
            check_quat_near(snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3])), turned,
                            2e-6);
        }
    snw_ik_batch_destroy(batch);
    free(value);
    arrays_free(&a);
    snw_skeleton_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batch_reaches_what_the_scalar_solve_reaches),
        cmocka_unit_test(batch_agrees_with_directions),
        cmocka_unit_test(paths_and_threads_give_the_same_bits),
        cmocka_unit_test(hostile_neighbours_do_not_matter),
        cmocka_unit_test(other_bodies_are_solved_one_by_one),
        cmocka_unit_test(every_failing_allocation_leaves_nothing),
        cmocka_unit_test(slides_are_returned_and_asked_for),
        cmocka_unit_test(free_roots_are_returned_and_asked_for),
        cmocka_unit_test(each_body_may_stand_elsewhere),
        cmocka_unit_test(a_task_system_of_the_caller_gives_the_same_bits),
        cmocka_unit_test(threads_of_a_batch_serve_every_solve),
        cmocka_unit_test(a_tolerance_below_floats_is_solved_one_by_one),
        cmocka_unit_test(values_stand_for_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
