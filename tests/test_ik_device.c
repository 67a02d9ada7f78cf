/* The batch on an OpenCL device: pocl's, which runs the kernels on this machine's processor. It
 * reaches what the processor reaches, inside the limits, the same bits in every run; what it cannot
 * do is told and solved by the processor. Skipped, and said so, where no device is installed. */
#include "batch_cases.h"

#define DEVICE "opencl"

static bool has_device(void)
{
    batch_case c = case_of(&body_problems[3], 1);
    snw_ik_batch *batch = NULL;
    c.options.device = DEVICE;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){c.body, c.goal, c.goal_count},
                                         &c.options, NULL, &batch, NULL),
                     SNW_OK);
    bool has = snw_ik_batch_device(batch)[0] != 0;
    if (!has) print_message("skipped: %s\n", snw_ik_batch_trouble(batch));
    /* A device that is there and fails is no reason to skip. */
    assert_null(strstr(snw_ik_batch_trouble(batch), "could not"));
    snw_ik_batch_destroy(batch);
    case_free(&c);
    return has;
}

/* Tolerances that a robot asks for. */
static batch_case device_case(int which, int count)
{
    batch_case c = case_of(&body_problems[which], count);
    c.options.device = DEVICE;
    if (body_problems[which].is_pose) {
        c.options.ik.tolerance = 1e-5;
        c.options.ik.turn_tolerance = 1e-4;
    }
    return c;
}

static void devices_reach_inside_the_limits(void **state)
{
    (void)state;
    if (!has_device()) skip();
    for (int k = 0; k < BODY_PROBLEMS; k++) {
        batch_case c = device_case(k, CHECK_CASES(150));
        int reached = solve_all(&c);
        check_answers(&c);
        /* [measured] 99.8 % of persons with five goals, 99.99 % and more of the others. */
        assert_true(reached >= c.count - 2);
        /* [derived] Floats through ten joints, as the solve's own 4e-6. */
        check_frames(&c, 4e-6);
        case_free(&c);
    }
}

/* A chain of free balls: quaternions instead of coordinates. */
static void free_balls_reach(void **state)
{
    (void)state;
    if (!has_device()) skip();
    static const body_problem chain = {"chain10", false, 1, {"joint10"}, 0};
    batch_case c = case_of(&chain, 100);
    c.options.device = DEVICE;
    assert_int_equal(solve_all(&c), 100);
    check_answers(&c);
    case_free(&c);
}

static void runs_give_the_same_bits(void **state)
{
    (void)state;
    if (!has_device()) skip();
    batch_case first = device_case(1, 60), again = device_case(1, 60);
    size_t floats = (size_t)first.count * (size_t)first.body->joint_count * 4;
    (void)solve_all(&first);
    (void)solve_all(&again);
    assert_memory_equal(first.rotation, again.rotation, floats * sizeof(float));
    assert_memory_equal(first.residual, again.residual, 60 * sizeof(float));
    /* One alone as among others. */
    batch_case one = device_case(1, 60);
    snw_ik_batch_job job = job_of(&one);
    job.problem_count = 1;
    job.target += (size_t)7 * 15;
    (void)solve_job(&one, &job);
    size_t stride = (size_t)one.body->joint_count * 4;
    assert_memory_equal(one.rotation, first.rotation + 7 * stride, stride * sizeof(float));
    case_free(&one);
    case_free(&first);
    case_free(&again);
}

/* Coordinates in and out are the rotations in other words. */
static void values_are_the_rotations(void **state)
{
    (void)state;
    if (!has_device()) skip();
    for (int k = 0; k < BODY_PROBLEMS; k += 4) { /* cones, twists and universals; hinges */
        batch_case c = device_case(k, 40), plain = device_case(k, 40);
        int dof = c.body->dof_count, joints = c.body->joint_count;
        float *value = calloc(40 * (size_t)dof, sizeof *value);
        snw_ik_batch_job job = job_of(&c);
        assert_non_null(value);
        job.rotation = NULL;
        job.slide = NULL;
        job.value = value;
        assert_int_equal(solve_job(&c, &job), solve_all(&plain));
        for (int n = 0; n < 40; n++)
            for (int j = 0; j < joints; j++) {
                double values[6] = {0};
                snw_quat rotation;
                snw_vec3 slide;
                const float *q = plain.rotation + ((size_t)n * (size_t)joints + (size_t)j) * 4;
                for (int d = 0; d < snw_joint_type_dof(c.body->joint[j].type); d++)
                    values[d] = value[n * dof + c.body->dof_first[j] + d];
                snw_joint_from_values(&c.body->joint[j], values, &rotation, &slide);
                /* Floats of the start differ in their last bit, and so does the way there. */
                check_quat_near(rotation, snw_quat_make(q[0], q[1], q[2], q[3]), 2e-3);
            }
        free(value);
        case_free(&c);
        case_free(&plain);
    }
}

static void roots_and_weights_are_each_problems_own(void **state)
{
    (void)state;
    if (!has_device()) skip();
    batch_case c = device_case(3, 30);
    float root[30 * 7], weight[30];
    snw_random random = snw_random_seed(5, 5);
    for (int n = 0; n < 30; n++) {
        snw_quat q = snw_random_rotation(&random);
        snw_vec3 t = snw_vec3_scale(snw_random_direction(&random), 2);
        const float values[7] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z,
                                 (float)t.x, (float)t.y, (float)t.z};
        snw_xform world = snw_xform_make(q, t);
        snw_goal goal = goal_of(&c, n, 0);
        snw_vec3 p = snw_xform_point(world, goal.position);
        snw_quat f = snw_quat_mul(q, goal.orientation);
        const float place[3] = {(float)p.x, (float)p.y, (float)p.z};
        const float frame[4] = {(float)f.w, (float)f.x, (float)f.y, (float)f.z};
        memcpy(root + 7 * n, values, sizeof values);
        memcpy(c.target + 3 * n, place, sizeof place);
        memcpy(c.frame + 4 * n, frame, sizeof frame);
        weight[n] = (float)(n + 1);
    }
    snw_ik_batch_job job = job_of(&c);
    job.root = root;
    job.weight = weight;
    assert_int_equal(solve_job(&c, &job), 30);
    snw_pose *pose = pose_of(c.body);
    for (int n = 0; n < 30; n++) {
        const float *r = root + 7 * n;
        pose->root = snw_xform_make(snw_quat_normalize(snw_quat_make(r[0], r[1], r[2], r[3])),
                                    snw_vec3_make(r[4], r[5], r[6]));
        load_answer(&c, n, pose);
        /* Floats of places two metres off: 2e-7 each. */
        check_vec3_near(pose->world[c.goal[0].joint].translation, goal_of(&c, n, 0).position, 2e-5);
    }
    snw_pose_destroy(pose);
    case_free(&c);
}

static void numbers_that_are_none_go_to_the_processor(void **state)
{
    static const float hostile[] = {NAN, INFINITY, 1e38f, -1e30f, 0};
    (void)state;
    if (!has_device()) skip();
    batch_case c = device_case(1, 24), plain = device_case(1, 24);
    size_t stride = (size_t)c.body->joint_count * 4;
    for (int n = 0; n < 24; n += 3)
        c.target[n * 15 + n % 15] = hostile[n / 3 % 5];
    c.rotation[4 * stride + 5] = NAN;
    (void)solve_all(&c);
    (void)solve_all(&plain);
    for (int n = 0; n < 24; n++) {
        for (size_t k = 0; k < stride; k++)
            assert_true(isfinite(c.rotation[(size_t)n * stride + k]));
        if (n % 3 && n != 4)
            assert_memory_equal(c.rotation + (size_t)n * stride,
                                plain.rotation + (size_t)n * stride, stride * sizeof(float));
    }
    case_free(&c);
    case_free(&plain);
}

/* With `polish` a device reaches all that the processor reaches. */
static void polished_batches_reach_everything(void **state)
{
    (void)state;
    if (!has_device()) skip();
    batch_case c = device_case(1, CHECK_CASES(300));
    c.options.polish = true;
    assert_int_equal(solve_all(&c), c.count);
    check_answers(&c);
    case_free(&c);
}

static void the_nearest_of_several_starts_is_kept(void **state)
{
    (void)state;
    if (!has_device()) skip();
    batch_case one = device_case(4, 60), many = device_case(4, 60);
    many.options.start_count = 12;
    (void)solve_all(&one);
    (void)solve_all(&many);
    check_answers(&many);
    snw_pose *pose = pose_of(one.body), *rest = pose_of(one.body);
    double way[2] = {0, 0};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 60; n++) {
            load_answer(k ? &many : &one, n, pose);
            for (int j = 0; j < one.body->joint_count; j++)
                way[k] += snw_quat_angle_between(pose->rotation[j], rest->rotation[j]);
        }
    assert_true(way[1] < 0.97 * way[0]);
    snw_pose_destroy(pose);
    snw_pose_destroy(rest);
    case_free(&one);
    case_free(&many);
}

static void jobs_may_lie_on_the_device(void **state)
{
    (void)state;
    if (!has_device()) skip();
    batch_case c = device_case(4, 50), plain = device_case(4, 50);
    snw_ik_batch *batch = NULL;
    size_t target = 50 * 12, frame = 50 * 16, rotation = 50 * 16 * (size_t)c.body->joint_count;
    int reached = 0;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){c.body, c.goal, c.goal_count},
                                         &c.options, NULL, &batch, NULL),
                     SNW_OK);
    snw_ik_batch_job job = {.problem_count = 50, .is_on_device = true};
    void *targets = snw_ik_batch_buffer(batch, target), *frames = snw_ik_batch_buffer(batch, frame);
    job.target = targets;
    job.orientation = frames;
    job.rotation = snw_ik_batch_buffer(batch, rotation);
    job.outcome = snw_ik_batch_buffer(batch, 50);
    assert_true(targets && frames && job.rotation && job.outcome);
    assert_int_equal(snw_ik_batch_upload(batch, targets, c.target, target, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_upload(batch, frames, c.frame, frame, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_upload(batch, job.rotation, c.rotation, rotation, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, NULL), SNW_OK);
    assert_int_equal(snw_ik_batch_download(batch, c.rotation, job.rotation, rotation, NULL),
                     SNW_OK);
    assert_int_equal(reached, solve_all(&plain));
    assert_memory_equal(c.rotation, plain.rotation, rotation);
    snw_ik_batch_destroy(batch);
    case_free(&c);
    case_free(&plain);
}

static void a_device_that_is_not_there_is_told(void **state)
{
    (void)state;
    batch_case c = device_case(3, 40), plain = device_case(3, 40);
    snw_ik_batch *batch = NULL;
    snw_error error = snw_error_none();
    int reached = 0;
    plain.options.device = NULL;
    c.options.device = "opencl:99";
    snw_ik_problem problem = {c.body, c.goal, c.goal_count};
    assert_int_equal(snw_ik_batch_create(&problem, &c.options, NULL, &batch, NULL), SNW_OK);
    assert_string_equal(snw_ik_batch_device(batch), "");
    assert_non_null(strstr(snw_ik_batch_trouble(batch), "OpenCL"));
    assert_null(snw_ik_batch_memory(batch, 64));
    assert_null(snw_ik_batch_buffer(batch, 64));
    snw_ik_batch_job job = job_of(&c);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, NULL), SNW_OK);
    assert_int_equal(reached, solve_all(&plain));
    assert_memory_equal(c.rotation, plain.rotation, 40 * 16 * (size_t)c.body->joint_count);
    assert_non_null(strstr(snw_ik_batch_trouble(batch), "OpenCL")); /* still, after a solve */
    job.is_on_device = true;
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, &error),
                     SNW_INVALID_ARGUMENT);
    snw_ik_batch_destroy(batch);
    static const char *const nonsense[] = {"gpu", "opencl:", "opencl:x", "opencl:-1", ""};
    for (size_t k = 0; k < sizeof nonsense / sizeof *nonsense; k++) {
        c.options.device = nonsense[k];
        assert_int_equal(snw_ik_batch_create(&problem, &c.options, NULL, &batch, &error),
                         SNW_INVALID_ARGUMENT);
        assert_null(batch);
    }
    case_free(&c);
    case_free(&plain);
}

/* What no device serves is solved all the same, and told. */
static void goals_that_are_not_for_a_device_are_told(void **state)
{
    (void)state;
    batch_case c = device_case(3, 1);
    snw_ik_batch *batch = NULL;
    c.goal[0] = snw_goal_plane(c.body->joint_count - 1, snw_vec3_make(0, 0, 0),
                               snw_vec3_make(0, 0, 1), snw_vec3_make(1, 1, 1));
    snw_ik_problem problem = {c.body, c.goal, 1};
    assert_int_equal(snw_ik_batch_create(&problem, &c.options, NULL, &batch, NULL), SNW_OK);
    assert_string_equal(snw_ik_batch_path(batch), "one by one");
    assert_non_null(strstr(snw_ik_batch_trouble(batch), "not for a device"));
    snw_ik_batch_destroy(batch);
    case_free(&c);
}

/* pocl ends the program where the system does not tell its processors, as in a folder that is used
 * as a machine without /sys. */
static bool tells_processors(void)
{
    FILE *topology = fopen("/sys/devices/system/cpu/online", "r");
    if (topology) (void)fclose(topology);
    return topology != NULL;
}

int main(void)
{
    if (!tells_processors()) {
        print_message("skipped: this system does not tell its processors, which pocl asks for\n");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_reach_inside_the_limits),
        cmocka_unit_test(free_balls_reach),
        cmocka_unit_test(runs_give_the_same_bits),
        cmocka_unit_test(values_are_the_rotations),
        cmocka_unit_test(roots_and_weights_are_each_problems_own),
        cmocka_unit_test(numbers_that_are_none_go_to_the_processor),
        cmocka_unit_test(polished_batches_reach_everything),
        cmocka_unit_test(the_nearest_of_several_starts_is_kept),
        cmocka_unit_test(jobs_may_lie_on_the_device),
        cmocka_unit_test(a_device_that_is_not_there_is_told),
        cmocka_unit_test(goals_that_are_not_for_a_device_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
