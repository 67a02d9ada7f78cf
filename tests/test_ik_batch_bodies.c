/* The batch on bodies with limits: reaches what single solves reach, inside the limits, with roots,
 * orientations, weights and starts of each problem's own; the same bits with and without AVX2, on
 * any number of threads, alone and among others. */
#include "batch_cases.h"
#include "ik/batch/batch_kernel.h"

static int solve_singly(const batch_case *c)
{
    snw_pose *pose = pose_of(c->body);
    snw_ik *ik = ik_of(c->body, c->goal, c->goal_count, &c->options.ik);
    int reached = 0;
    for (int n = 0; n < c->count; n++) {
        snw_goal goals[GOALS_MAX];
        for (int g = 0; g < c->goal_count; g++)
            goals[g] = goal_of(c, n, g);
        snw_pose_reset(pose);
        reached += snw_ik_solve(ik, goals, pose).outcome == SNW_IK_REACHED;
    }
    snw_ik_destroy(ik);
    snw_pose_destroy(pose);
    return reached;
}

static void bodies_with_limits_reach_what_single_solves_reach(void **state)
{
    (void)state;
    for (int k = 0; k < BODY_PROBLEMS; k++) {
        batch_case c = case_of(&body_problems[k], 101);
        if (body_problems[k].is_pose) {
            c.options.ik.tolerance = 1e-5;
            c.options.ik.turn_tolerance = 1e-5;
        }
        int together = solve_all(&c);
        check_answers(&c);
        assert_true(together >= solve_singly(&c));
        assert_true(together >= 100);
        case_free(&c);
    }
}

/* [derived] Floats: 2^-24 of a body of two metres, and of a quaternion. */
static void frames_and_jacobians_are_those_of_single_poses(void **state)
{
    (void)state;
    for (int k = 0; k < BODY_PROBLEMS; k++) {
        batch_case c = case_of(&body_problems[k], 37);
        c.options.worker_count = 1 + k % 3;
        (void)solve_all(&c);
        check_frames(&c, 3e-7);
        case_free(&c);
    }
    batch_case c = case_of(&body_problems[3], 3);
    snw_ik_batch *batch = NULL;
    snw_ik_problem problem = {c.body, c.goal, c.goal_count};
    snw_ik_batch_job job = {.problem_count = 3, .rotation = c.rotation};
    float frame[21];
    snw_ik_batch_frames nothing = {NULL, NULL}, some = {frame, NULL};
    snw_error error;
    assert_int_equal(snw_ik_batch_create(&problem, NULL, NULL, &batch, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_forward(batch, snw_xform_identity(), &job, &nothing, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "frame, jacobian or both"));
    job.rotation = NULL;
    assert_int_equal(snw_ik_batch_forward(batch, snw_xform_identity(), &job, &some, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "rotation"));
    job = (snw_ik_batch_job){.problem_count = 3, .rotation = c.rotation, .is_on_device = true};
    assert_int_equal(snw_ik_batch_forward(batch, snw_xform_identity(), &job, &some, &error),
                     SNW_INVALID_ARGUMENT);
    snw_ik_batch_destroy(batch);
    case_free(&c);
}

static void bodies_have_the_same_bits_on_every_path(void **state)
{
    static const int workers[] = {1, 2, 3, 7};
    (void)state;
    for (int k = 1; k < 4; k++) {
        batch_case first = case_of(&body_problems[k], 203);
        size_t floats = (size_t)first.count * (size_t)first.body->joint_count * 4;
        (void)solve_all(&first);
        for (int n = 1; n < 8; n++) {
            batch_case c = case_of(&body_problems[k], 203);
            c.options.use_simd = n % 2 == 0;
            c.options.worker_count = workers[n / 2];
            (void)solve_all(&c);
            assert_memory_equal(c.rotation, first.rotation, floats * sizeof(float));
            assert_memory_equal(c.residual, first.residual, 203 * sizeof(float));
            case_free(&c);
        }
        case_free(&first);
    }
}

/* Every build of the kernels that this machine can run: use_simd takes the best alone. */
static void every_set_of_instructions_gives_the_same_bits(void **state)
{
    (void)state;
    for (int k = 1; k < 4; k++) {
        batch_case first = case_of(&body_problems[k], 64);
        size_t floats = (size_t)first.count * (size_t)first.body->joint_count * 4;
        (void)solve_all(&first);
        for (int set = SNW__LANES_PORTABLE; set <= (int)snw__lanes_best(); set++) {
            batch_case c = case_of(&body_problems[k], 64);
            snw_ik_problem problem = {c.body, c.goal, c.goal_count};
            snw_ik_batch *batch = NULL;
            assert_int_equal(snw_ik_batch_create(&problem, &c.options, NULL, &batch, NULL), SNW_OK);
            batch->set = (snw__lanes_set)set;
            snw_ik_batch_job job = job_of(&c);
            assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL),
                             SNW_OK);
            assert_memory_equal(c.rotation, first.rotation, floats * sizeof(float));
            snw_ik_batch_destroy(batch);
            case_free(&c);
        }
        case_free(&first);
    }
}

/* One problem alone, without neighbours, and among hostile ones. */
static void neighbours_in_the_lanes_do_not_matter(void **state)
{
    static const float hostile[] = {NAN, INFINITY, 1e38f, -1e30f, 0};
    (void)state;
    batch_case all = case_of(&body_problems[1], 24), odd = case_of(&body_problems[1], 24);
    size_t stride = (size_t)all.body->joint_count * 4;
    for (int n = 0; n < 24; n += 3)
        odd.target[n * 15 + n % 15] = hostile[n / 3 % 5];
    (void)solve_all(&all);
    (void)solve_all(&odd);
    for (int n = 0; n < 24; n++) {
        batch_case one = case_of(&body_problems[1], 24);
        snw_ik_batch_job job = job_of(&one);
        job.problem_count = 1;
        job.target += n * 15;
        (void)solve_job(&one, &job);
        assert_memory_equal(one.rotation, all.rotation + (size_t)n * stride,
                            stride * sizeof(float));
        case_free(&one);
        if (n % 3)
            assert_memory_equal(odd.rotation + (size_t)n * stride,
                                all.rotation + (size_t)n * stride, stride * sizeof(float));
        for (size_t k = 0; k < stride; k++)
            assert_true(isfinite(odd.rotation[(size_t)n * stride + k]));
    }
    case_free(&all);
    case_free(&odd);
}

static void bodies_may_stand_anywhere(void **state)
{
    (void)state;
    batch_case here = case_of(&body_problems[3], 40), there = case_of(&body_problems[3], 40);
    float root[40 * 7];
    snw_random random = snw_random_seed(3, 3);
    for (int n = 0; n < 40; n++) {
        snw_quat q = snw_random_rotation(&random);
        snw_vec3 t = snw_vec3_scale(snw_random_direction(&random), 5);
        const float values[7] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z,
                                 (float)t.x, (float)t.y, (float)t.z};
        memcpy(root + n * 7, values, sizeof values);
        snw_xform world = snw_xform_make(
            snw_quat_normalize(snw_quat_make(values[0], values[1], values[2], values[3])),
            snw_vec3_make(values[4], values[5], values[6]));
        snw_goal goal = goal_of(&here, n, 0);
        snw_vec3 p = snw_xform_point(world, goal.position);
        snw_quat f = snw_quat_mul(world.rotation, goal.orientation);
        const float place[3] = {(float)p.x, (float)p.y, (float)p.z};
        const float frame[4] = {(float)f.w, (float)f.x, (float)f.y, (float)f.z};
        memcpy(there.target + 3 * n, place, sizeof place);
        memcpy(there.frame + 4 * n, frame, sizeof frame);
    }
    snw_ik_batch_job job = job_of(&there);
    job.root = root;
    assert_int_equal(solve_all(&here), 40);
    assert_int_equal(solve_job(&there, &job), 40);
    /* Targets five metres away lose some bits as floats; the answers stay near. */
    snw_pose *a = pose_of(here.body), *b = pose_of(here.body);
    int near = 0;
    for (int n = 0; n < 40; n++) {
        load_answer(&here, n, a);
        load_answer(&there, n, b);
        near += snw_vec3_distance(a->world[5].translation, b->world[5].translation) < 1e-3;
    }
    assert_true(near >= 38); /* another branch may be found where two are as good */
    snw_pose_destroy(a);
    snw_pose_destroy(b);
    case_free(&here);
    case_free(&there);
}

/* Two goals that cannot both be met: each problem says itself which counts more. */
static void weights_are_each_problems_own(void **state)
{
    (void)state;
    snw_skeleton *body = preset("arm7");
    int tool = body->joint_count - 1;
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    snw_goal goals[2] = {snw_goal_position(tool, zero, zero), snw_goal_position(tool, zero, zero)};
    snw_ik_batch *batch = NULL;
    float target[2 * 6], weight[4] = {1, 1e-4f, 1e-4f, 1}, rotation[2 * 8 * 4] = {0};
    const float two[6] = {0.5f, 0.2f, 0.5f, 0.3f, -0.4f, 0.6f};
    for (int n = 0; n < 16; n++)
        rotation[n * 4] = 1;
    memcpy(target, two, sizeof two);
    memcpy(target + 6, two, sizeof two);
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){body, goals, 2}, NULL, NULL, &batch, NULL), SNW_OK);
    snw_ik_batch_job job = {
        .problem_count = 2, .target = target, .rotation = rotation, .weight = weight};
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL), SNW_OK);
    snw_pose *pose = pose_of(body);
    for (int n = 0; n < 2; n++) {
        for (int j = 0; j < body->joint_count; j++) {
            const float *q = rotation + (n * body->joint_count + j) * 4;
            pose->rotation[j] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        }
        snw_pose_forward(pose);
        const float *p = two + 3 * n;
        /* The other goal weighs 1e-4: it draws by that part of their distance. */
        check_vec3_near(pose->world[tool].translation, snw_vec3_make(p[0], p[1], p[2]), 2e-3);
    }
    snw_pose_destroy(pose);
    snw_ik_batch_destroy(batch);
    snw_skeleton_destroy(body);
}

static double turned(const batch_case *c)
{
    double sum = 0;
    for (size_t n = 0; n < (size_t)c->count * (size_t)c->body->joint_count; n++) {
        double w = fmin(1, fabs(c->rotation[4 * n]));
        sum += 2 * acos(w);
    }
    return sum;
}

static void of_several_starts_the_answer_nearest_to_the_pose_is_kept(void **state)
{
    (void)state;
    batch_case one = case_of(&body_problems[3], 60), many = case_of(&body_problems[3], 60);
    many.options.start_count = 12;
    assert_int_equal(solve_all(&one), 60);
    assert_int_equal(solve_all(&many), 60);
    check_answers(&many);
    assert_true(turned(&many) < turned(&one));
    many.options.start_count = 25;
    snw_ik_batch *batch = NULL;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){many.body, many.goal, 1}, &many.options,
                                         NULL, &batch, NULL),
                     SNW_INVALID_ARGUMENT);
    case_free(&one);
    case_free(&many);
}

static void a_batch_of_bodies_takes_no_memory_in_a_solve(void **state)
{
    (void)state;
    batch_case c = case_of(&body_problems[1], 40);
    counting_allocator counter = {.fail_at = -1};
    snw_allocator allocator = counting_hook(&counter);
    snw_ik_batch *batch = NULL;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){c.body, c.goal, c.goal_count},
                                         &c.options, &allocator, &batch, NULL),
                     SNW_OK);
    long calls = counter.calls;
    snw_ik_batch_job job = job_of(&c);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, NULL, NULL), SNW_OK);
    assert_int_equal(counter.calls, calls);
    snw_ik_batch_destroy(batch);
    assert_int_equal(counter.live, 0);
    for (long n = 0; n < calls; n++) {
        counting_allocator failing = {.fail_at = n};
        snw_allocator fails = counting_hook(&failing);
        assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){c.body, c.goal, c.goal_count},
                                             &c.options, &fails, &batch, NULL),
                         SNW_OUT_OF_MEMORY);
        assert_int_equal(failing.live, 0);
    }
    case_free(&c);
}

/* Trees of every kind of joint that the kernel serves, sliding ones and free balls among them. */
static void random_trees_reach_as_singly(void **state)
{
    static const snw_joint_type types[] = {SNW_JOINT_HINGE,     SNW_JOINT_BALL,
                                           SNW_JOINT_UNIVERSAL, SNW_JOINT_PRISMATIC,
                                           SNW_JOINT_PIVOT,     SNW_JOINT_FIXED};
    (void)state;
    int together = 0, singly = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        snw_random random = snw_random_seed(seed, 1);
        snw_joint_def defs[9];
        char names[9][16];
        for (int j = 0; j < 9; j++) {
            snw_joint_def *def = &defs[j];
            *def = snw_joint_def_default();
            snprintf(names[j], sizeof names[j], "j%d", j);
            def->name = names[j];
            def->parent = j == 0 ? -1 : j == 5 ? 1 : j - 1; /* two limbs */
            def->joint.type = types[snw_random_below(&random, 6)];
            def->joint.axis = snw_random_direction(&random);
            def->joint.axis2 = snw_vec3_perpendicular(def->joint.axis);
            def->rest = random_place(&random, 0.3);
            snw_joint_limit *limit = &def->joint.limit;
            for (int k = 0; k < 2; k++) {
                limit->has_range[k] = snw_random_below(&random, 3) > 0;
                limit->range[k][0] = snw_random_range(&random, -1.5, -0.1);
                limit->range[k][1] = snw_random_range(&random, 0.1, 1.5);
            }
            limit->swing = snw_random_below(&random, 2) ? SNW_SWING_CONE : SNW_SWING_FREE;
            for (int k = 0; k < 4; k++)
                limit->cone[k] = snw_random_range(&random, 0.2, 1.5);
            limit->has_twist = snw_random_below(&random, 2);
            limit->twist[0] = -0.8;
            limit->twist[1] = 0.9;
        }
        defs[3].joint.type = SNW_JOINT_HINGE; /* something moves in both limbs */
        defs[7].joint.type = SNW_JOINT_BALL;
        batch_case c = {.count = 40, .goal_count = 2, .options = snw_ik_batch_options_default()};
        assert_int_equal(snw_skeleton_create(defs, 9, NULL, &c.body, NULL), SNW_OK);
        c.goal[0] = snw_goal_position(4, snw_vec3_make(0.1, 0, 0), snw_vec3_make(0, 0, 0));
        c.goal[1] = snw_goal_position(8, snw_vec3_make(0, 0.1, 0), snw_vec3_make(0, 0, 0));
        take_arrays(&c);
        make_targets(&c, seed);
        start_at_rest(&c);
        together += solve_all(&c);
        check_answers(&c);
        singly += solve_singly(&c);
        case_free(&c);
    }
    assert_true(together >= singly);
    assert_true(singly > 440); /* of 480: most problems have their answer found at all */
}

static void angles_of_lanes_are_those_of_the_library(void **state)
{
    (void)state;
#if defined(SNW__LANES_INLINE)
    snw_random random = snw_random_seed(2, 2);
    for (int n = 0; n < 20000; n++) {
        float angle = (float)snw_random_range(&random, -30, 30);
        float y = (float)snw_random_range(&random, 0, 1),
              x = (float)snw_random_range(&random, 0, 1);
        snw__lanes_turn t = snw__lanes_sincos(snw__f8_set(angle));
        /* Two units in the last place of one. */
        check_near(t.sine[3], sin((double)angle), 2.4e-7);
        check_near(t.cosine[5], cos((double)angle), 2.4e-7);
        check_near(snw__lanes_atan(snw__f8_set(y), snw__f8_set(x))[1], atan2((double)y, (double)x),
                   3e-7);
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_with_limits_reach_what_single_solves_reach),
        cmocka_unit_test(frames_and_jacobians_are_those_of_single_poses),
        cmocka_unit_test(bodies_have_the_same_bits_on_every_path),
        cmocka_unit_test(every_set_of_instructions_gives_the_same_bits),
        cmocka_unit_test(neighbours_in_the_lanes_do_not_matter),
        cmocka_unit_test(bodies_may_stand_anywhere),
        cmocka_unit_test(weights_are_each_problems_own),
        cmocka_unit_test(of_several_starts_the_answer_nearest_to_the_pose_is_kept),
        cmocka_unit_test(a_batch_of_bodies_takes_no_memory_in_a_solve),
        cmocka_unit_test(random_trees_reach_as_singly),
        cmocka_unit_test(angles_of_lanes_are_those_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
