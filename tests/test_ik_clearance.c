/* How near the shapes of many poses come to each other: the processor's and a device's answer
 * against the distances of the shapes themselves. */
#include "ik_bodies.h"

#define SHAPES_MAX 48
#define GOALS_MAX  600
#define POSES      200

typedef struct flock {
    snw_skeleton *body;
    int shape_count, goal_count;
    snw_body_shape shape[SHAPES_MAX];
    snw_goal goal[GOALS_MAX];
    float *rotation, *slide, *root, *told;
    double wanted[POSES];
} flock;

static snw_body_shape world_capsule(double x)
{
    return (snw_body_shape){
        -1, snw_shape_capsule(snw_vec3_make(x, -1, 0.3), snw_vec3_make(x, 2, 0.3), 0.05)};
}

/* Straight from the shapes, in doubles. */
static double nearest_pair(const flock *f, const snw_pose *pose)
{
    double least = INFINITY;
    for (int g = 0; g < f->goal_count; g++) {
        const snw_goal *goal = &f->goal[g];
        snw_placed_shape a = {goal->shape, pose->world[goal->joint]};
        snw_placed_shape b = {goal->other, goal->chain_root < 0 ? snw_xform_identity()
                                                                : pose->world[goal->chain_root]};
        snw_contact contact;
        snw_shape_contact(&a, &b, &contact);
        least = fmin(least, contact.distance - goal->value);
    }
    return least;
}

static void put_pose(flock *f, int p, const snw_pose *pose)
{
    int joints = f->body->joint_count;
    for (int j = 0; j < joints; j++) {
        float *q = f->rotation + ((size_t)p * (size_t)joints + (size_t)j) * 4;
        float *s = f->slide + ((size_t)p * (size_t)joints + (size_t)j) * 3;
        snw_quat turn = pose->rotation[j];
        const double wxyz[4] = {turn.w, turn.x, turn.y, turn.z};
        const double xyz[3] = {pose->slide[j].x, pose->slide[j].y, pose->slide[j].z};
        for (int k = 0; k < 4; k++)
            q[k] = (float)wxyz[k];
        for (int k = 0; k < 3; k++)
            s[k] = (float)xyz[k];
    }
    snw_xform r = pose->root;
    const double root[7] = {r.rotation.w,    r.rotation.x,    r.rotation.y,   r.rotation.z,
                            r.translation.x, r.translation.y, r.translation.z};
    for (int k = 0; k < 7; k++)
        f->root[7 * p + k] = (float)root[k];
}

/* Capsules along the bones, spheres at their ends, a floor and two posts; random poses that stand
 * anywhere. `with_box`: a shape that no device has. */
static void open_flock(flock *f, const char *name, bool with_box)
{
    memset(f, 0, sizeof *f);
    f->body = preset(name);
    size_t joints = (size_t)POSES * (size_t)f->body->joint_count;
    f->rotation = calloc(joints * 4, sizeof(float));
    f->slide = calloc(joints * 3, sizeof(float));
    f->root = calloc(POSES * 7, sizeof(float));
    f->told = calloc(POSES, sizeof(float));
    assert_true(f->rotation && f->slide && f->root && f->told);
    for (int j = 1; j < f->body->joint_count && f->shape_count < SHAPES_MAX - 6; j++) {
        snw_vec3 end = f->body->rest[j].translation;
        if (snw_vec3_length(end) < 0.05) continue;
        f->shape[f->shape_count++] =
            (snw_body_shape){f->body->parent[j], snw_shape_capsule(snw_vec3_scale(end, 0.2),
                                                                   snw_vec3_scale(end, 0.8), 0.03)};
    }
    f->shape[f->shape_count++] = (snw_body_shape){
        f->body->joint_count - 1, snw_shape_sphere(snw_vec3_make(0, 0.02, 0), 0.04)};
    f->shape[f->shape_count++] =
        (snw_body_shape){-1, snw_shape_plane(snw_vec3_make(0, -0.9, 0), snw_vec3_make(0, 1, 0))};
    f->shape[f->shape_count++] = world_capsule(0.5);
    f->shape[f->shape_count++] = world_capsule(-0.6);
    if (with_box)
        f->shape[f->shape_count++] = (snw_body_shape){
            -1, snw_shape_box(snw_vec3_make(0, 0.4, 0.5), snw_vec3_make(0.2, 0.1, 0.1))};
    f->goal_count = snw_goals_apart(f->body, f->shape, f->shape_count, 0.01, f->goal, GOALS_MAX);
    assert_in_range(f->goal_count, 10, GOALS_MAX);
    snw_pose *pose = pose_of(f->body);
    snw_random random = snw_random_seed(8, 1);
    for (int p = 0; p < POSES; p++) {
        snw_quat turn = snw_random_rotation(&random);
        pose->root = snw_xform_make(turn, snw_vec3_scale(snw_random_direction(&random), 0.2));
        pose_scatter(pose, &random, 1.5);
        put_pose(f, p, pose);
        f->wanted[p] = nearest_pair(f, pose);
    }
    snw_pose_destroy(pose);
}

static void close_flock(flock *f)
{
    free(f->rotation);
    free(f->slide);
    free(f->root);
    free(f->told);
    snw_skeleton_destroy(f->body);
}

static snw_ik_batch_job job_of(const flock *f)
{
    return (snw_ik_batch_job){
        .problem_count = POSES, .rotation = f->rotation, .slide = f->slide, .root = f->root};
}

/* Asks for the clearances; `trouble`: what the batch says of it. */
static void tell(flock *f, const char *device, int workers, double tolerance, char trouble[160])
{
    snw_ik_batch_options options = snw_ik_batch_options_default();
    snw_ik_batch *batch = NULL;
    options.device = device;
    options.worker_count = workers;
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){f->body, f->goal, f->goal_count},
                                         &options, NULL, &batch, NULL),
                     SNW_OK);
    snw_ik_batch_job job = job_of(f);
    assert_int_equal(snw_ik_batch_clearance(batch, snw_xform_identity(), &job, f->told, NULL),
                     SNW_OK);
    (void)snprintf(trouble, 160, "%s", snw_ik_batch_trouble(batch));
    int meet = 0;
    for (int p = 0; p < POSES; p++) {
        check_near((double)f->told[p], f->wanted[p], tolerance);
        meet += f->told[p] < 0;
    }
    assert_in_range(meet, 5, POSES - 5); /* some poses of each */
    snw_ik_batch_destroy(batch);
}

static const char *const bodies[] = {"humanoid", "panda", "arm7"};
#define BODIES ((int)(sizeof bodies / sizeof *bodies))

static void the_processor_tells_the_least_distance(void **state)
{
    (void)state;
    char trouble[160];
    for (int b = 0; b < BODIES; b++) {
        flock f;
        open_flock(&f, bodies[b], b == 1);
        /* [derived] Poses are floats: 1e-7 through ten joints. */
        tell(&f, NULL, 1 + b, 2e-6, trouble);
        assert_string_equal(trouble, "");
        close_flock(&f);
    }
}

static void a_device_tells_the_same(void **state)
{
    (void)state;
    char trouble[160];
    for (int b = 0; b < BODIES; b++) {
        flock f;
        open_flock(&f, bodies[b], false);
        /* [derived] Floats through ten joints, as test_ik_device.c has it; deep overlaps, where
         * segments cross, are the processor's and the kernel's to the same formula. */
        tell(&f, "opencl", 1, 4e-6, trouble);
        if (trouble[0]) print_message("skipped: %s\n", trouble);
        close_flock(&f);
    }
}

static void shapes_that_no_device_has_are_told(void **state)
{
    (void)state;
    char trouble[160];
    flock f;
    open_flock(&f, "arm7", true);
    tell(&f, "opencl", 1, 2e-6, trouble);
    assert_non_null(strstr(trouble, "spheres, capsules and planes"));
    close_flock(&f);
}

static void what_is_lacking_is_refused(void **state)
{
    (void)state;
    flock f;
    snw_error error;
    snw_ik_batch *batch = NULL;
    open_flock(&f, "arm7", false);
    snw_goal place =
        snw_goal_position(f.body->joint_count - 1, snw_vec3_make(0, 0, 0), snw_vec3_make(0, 0, 0));
    snw_ik_batch_job job = job_of(&f);
    snw_xform root = snw_xform_identity();
    assert_int_equal(
        snw_ik_batch_create(&(snw_ik_problem){f.body, &place, 1}, NULL, NULL, &batch, NULL),
        SNW_OK);
    assert_int_equal(snw_ik_batch_clearance(batch, root, &job, f.told, &error),
                     SNW_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "apart"));
    snw_ik_batch_destroy(batch);
    assert_int_equal(snw_ik_batch_create(&(snw_ik_problem){f.body, f.goal, f.goal_count}, NULL,
                                         NULL, &batch, NULL),
                     SNW_OK);
    assert_int_equal(snw_ik_batch_clearance(batch, root, &job, NULL, &error), SNW_INVALID_ARGUMENT);
    assert_int_equal(snw_ik_batch_clearance(batch, root, NULL, f.told, &error),
                     SNW_INVALID_ARGUMENT);
    job.rotation = NULL;
    assert_int_equal(snw_ik_batch_clearance(batch, root, &job, f.told, &error),
                     SNW_INVALID_ARGUMENT);
    job = job_of(&f);
    job.is_on_device = true;
    assert_int_equal(snw_ik_batch_clearance(batch, root, &job, f.told, &error),
                     SNW_INVALID_ARGUMENT);
    job = (snw_ik_batch_job){0};
    assert_int_equal(snw_ik_batch_clearance(batch, root, &job, NULL, &error), SNW_OK);
    snw_ik_batch_destroy(batch);
    close_flock(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_processor_tells_the_least_distance),
        cmocka_unit_test(a_device_tells_the_same),
        cmocka_unit_test(shapes_that_no_device_has_are_told),
        cmocka_unit_test(what_is_lacking_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
