/* Batches on an OpenCL device beside the processor's lanes: millions of solves a second, for jobs
 * that lie on the device, jobs copied in and out of the device's fast memory and of plain memory;
 * each answer checked in doubles. Median of several solves after one that warms up.
 *
 * usage: bench_gpu [DEVICE]   auto (default: the first graphics processor, else the first device),
 *                             opencl:N */
#define _GNU_SOURCE /* sysconf, clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sinew/sinew.h>

enum {
    GPU_GOALS_MAX = 5,
    GPU_RUNS = 7
};

typedef struct gpu_case {
    const char *text, *body;
    bool is_pose;
    double tolerance, turn_tolerance; /* metres, radians */
    int goal_count;
    const char *joint[GPU_GOALS_MAX];
    int aims; /* so many of the last goals are aims along z */
} gpu_case;

static const gpu_case gpu_cases[] = {
    {"Panda, pose", "panda", true, 1e-5, 1e-4, 1, {"tool"}, 0},
    {"person, 5 places",
     "humanoid",
     false,
     1e-4,
     1e-4,
     5,
     {"left_wrist", "right_wrist", "head", "left_ankle", "right_ankle"},
     0},
    {"person, hands, gaze",
     "humanoid",
     false,
     1e-4,
     1e-4,
     3,
     {"left_wrist", "right_wrist", "head"},
     1},
    {"hand, 5 places",
     "hand25",
     false,
     1e-4,
     1e-4,
     5,
     {"index5", "middle5", "ring5", "little5", "thumb4"},
     0},
};

/* Where a job's arrays lie. */
typedef enum gpu_memory {
    GPU_PLAIN,
    GPU_FAST,
    GPU_DEVICE
} gpu_memory;

typedef struct gpu_run {
    const gpu_case *c;
    snw_skeleton *body;
    snw_pose *pose;
    snw_ik_batch *batch;
    snw_goal goal[GPU_GOALS_MAX];
    int count;
    float *target, *frame, *value; /* plain */
    uint8_t *outcome;
} gpu_run;

static double now_s(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_gpu: %s\n", what);
    exit(1);
}

/* ---- problems whose answers exist --------------------------------------------------------------
 */

/* Anywhere inside the limits. */
static void scatter(snw_pose *pose, snw_random *random)
{
    const snw_skeleton *body = pose->skeleton;
    for (int j = 0; j < body->joint_count; j++) {
        const snw_joint *joint = &body->joint[j];
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(joint->type); k++) {
            bool has_range = joint->type != SNW_JOINT_BALL && joint->limit.has_range[k];
            double low = has_range ? joint->limit.range[k][0] : -1.5;
            values[k] = snw_random_range(random, low, has_range ? joint->limit.range[k][1] : 1.5);
        }
        snw_joint_from_values(joint, values, &pose->rotation[j], &pose->slide[j]);
    }
    (void)snw_pose_apply_limits(pose);
    snw_pose_forward(pose);
}

static void make_targets(gpu_run *run)
{
    snw_random random = snw_random_seed(7, 0);
    for (int n = 0; n < run->count; n++) {
        scatter(run->pose, &random);
        for (int g = 0; g < run->c->goal_count; g++) {
            size_t k = (size_t)n * (size_t)run->c->goal_count + (size_t)g;
            snw_xform at = run->pose->world[run->goal[g].joint];
            if (run->goal[g].kind == SNW_GOAL_AIM) /* a metre away, where it looks */
                at.translation = snw_xform_point(at, snw_vec3_make(0, 0, 1));
            float *p = run->target + 3 * k, *q = run->frame + 4 * k;
            p[0] = (float)at.translation.x, p[1] = (float)at.translation.y;
            p[2] = (float)at.translation.z, q[0] = (float)at.rotation.w;
            q[1] = (float)at.rotation.x, q[2] = (float)at.rotation.y, q[3] = (float)at.rotation.z;
        }
    }
}

static void prepare(gpu_run *run, const gpu_case *c, const char *device, int workers, int count)
{
    snw_error error = snw_error_none();
    snw_ik_batch_options options = snw_ik_batch_options_default();
    *run = (gpu_run){.c = c, .count = count};
    if (snw_preset_create(c->body, NULL, &run->body, &error) != SNW_OK) fail(error.message);
    for (int g = 0; g < c->goal_count; g++) {
        int joint = snw_skeleton_find_joint(run->body, c->joint[g]);
        snw_vec3 zero = snw_vec3_make(0, 0, 0);
        run->goal[g] = c->is_pose ? snw_goal_pose(joint, zero, zero, snw_quat_identity())
                                  : snw_goal_position(joint, zero, zero);
        if (g >= c->goal_count - c->aims)
            run->goal[g] = snw_goal_aim(joint, zero, snw_vec3_make(0, 0, 1), zero);
    }
    options.ik.tolerance = c->tolerance / run->body->size;
    options.ik.turn_tolerance = c->turn_tolerance;
    options.device = device;
    options.worker_count = workers;
    snw_ik_problem problem = {run->body, run->goal, c->goal_count};
    if (snw_ik_batch_create(&problem, &options, NULL, &run->batch, &error) != SNW_OK ||
        snw_pose_create(run->body, NULL, &run->pose, &error) != SNW_OK)
        fail(error.message);
    size_t goals = (size_t)count * (size_t)c->goal_count;
    run->target = calloc(goals * 3, sizeof(float));
    run->frame = calloc(goals * 4, sizeof(float));
    run->value = calloc((size_t)count * (size_t)run->body->dof_count, sizeof(float));
    run->outcome = calloc((size_t)count, 1);
    if (!run->target || !run->frame || !run->value || !run->outcome) fail("no memory");
    make_targets(run);
}

static void release(gpu_run *run)
{
    snw_ik_batch_destroy(run->batch);
    snw_pose_destroy(run->pose);
    snw_skeleton_destroy(run->body);
    free(run->target);
    free(run->frame);
    free(run->value);
    free(run->outcome);
}

/* ---- solving --------------------------------------------------------------------------------- */

static void *place_for(gpu_run *run, gpu_memory memory, void *plain, size_t size, bool is_in)
{
    if (memory == GPU_PLAIN) return plain;
    void *to = memory == GPU_FAST ? snw_ik_batch_memory(run->batch, size)
                                  : snw_ik_batch_buffer(run->batch, size);
    if (!to) fail("no memory for the device");
    if (is_in && memory == GPU_FAST) memcpy(to, plain, size);
    if (is_in && memory == GPU_DEVICE) (void)snw_ik_batch_upload(run->batch, to, plain, size, NULL);
    return to;
}

static void bring_back(gpu_run *run, gpu_memory memory, void *plain, void *from, size_t size)
{
    if (memory == GPU_FAST) memcpy(plain, from, size);
    if (memory == GPU_DEVICE) (void)snw_ik_batch_download(run->batch, plain, from, size, NULL);
}

/* Solves a second, from rest each time. */
static double rate(gpu_run *run, gpu_memory memory)
{
    size_t n = (size_t)run->count, goals = n * (size_t)run->c->goal_count;
    size_t values = n * (size_t)run->body->dof_count * sizeof(float);
    double seconds[GPU_RUNS];
    snw_error error = snw_error_none();
    memset(run->value, 0, values);
    snw_ik_batch_job job = {.problem_count = run->count,
                            .target = place_for(run, memory, run->target, goals * 12, true),
                            .orientation = place_for(run, memory, run->frame, goals * 16, true),
                            .value = place_for(run, memory, run->value, values, true),
                            .outcome = place_for(run, memory == GPU_DEVICE ? memory : GPU_PLAIN,
                                                 run->outcome, n, false),
                            .is_on_device = memory == GPU_DEVICE};
    for (int k = -1; k < GPU_RUNS; k++) { /* the first warms up */
        int reached = 0;
        memset(run->value, 0, values);
        if (memory == GPU_FAST) memset(job.value, 0, values);
        if (memory == GPU_DEVICE)
            (void)snw_ik_batch_upload(run->batch, job.value, run->value, values, NULL);
        double before = now_s();
        if (snw_ik_batch_solve(run->batch, snw_xform_identity(), &job, &reached, &error) != SNW_OK)
            fail(error.message);
        if (k >= 0) seconds[k] = now_s() - before;
    }
    bring_back(run, memory, run->value, job.value, values);
    if (memory == GPU_DEVICE) bring_back(run, memory, run->outcome, job.outcome, n);
    qsort(seconds, GPU_RUNS, sizeof *seconds, compare_doubles);
    return run->count / seconds[GPU_RUNS / 2];
}

/* ---- judging: forward kinematics in doubles ----------------------------------------------------
 */

static bool stands_at_its_goals(const gpu_run *run, int n)
{
    for (int g = 0; g < run->c->goal_count; g++) {
        size_t k = (size_t)n * (size_t)run->c->goal_count + (size_t)g;
        const float *p = run->target + 3 * k, *q = run->frame + 4 * k;
        snw_xform at = run->pose->world[run->goal[g].joint];
        double off = snw_vec3_distance(at.translation, snw_vec3_make(p[0], p[1], p[2]));
        if (run->goal[g].kind == SNW_GOAL_AIM) {
            snw_vec3 sight = snw_quat_rotate(at.rotation, snw_vec3_make(0, 0, 1));
            snw_vec3 wanted = snw_vec3_sub(snw_vec3_make(p[0], p[1], p[2]), at.translation);
            snw_quat lacks = snw_quat_between(sight, wanted);
            if (!(snw_quat_angle_between(lacks, snw_quat_identity()) <= run->c->turn_tolerance))
                return false;
            continue;
        }
        double turn = snw_quat_angle_between(
            at.rotation, snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3])));
        if (!(off <= run->c->tolerance) || (run->c->is_pose && !(turn <= run->c->turn_tolerance)))
            return false;
    }
    return true;
}

static void judge(gpu_run *run, double *share, int *falsely, double *outside)
{
    int good = 0;
    *falsely = 0;
    *outside = 0;
    for (int n = 0; n < run->count; n++) {
        for (int j = 0; j < run->body->joint_count; j++) {
            double values[6] = {0};
            const float *from = run->value + (size_t)n * (size_t)run->body->dof_count;
            for (int k = 0; k < snw_joint_type_dof(run->body->joint[j].type); k++)
                values[k] = from[run->body->dof_first[j] + k];
            snw_joint_from_values(&run->body->joint[j], values, &run->pose->rotation[j],
                                  &run->pose->slide[j]);
        }
        snw_pose_forward(run->pose);
        *outside = fmax(*outside, snw_pose_violation(run->pose));
        bool is_good = stands_at_its_goals(run, n);
        good += is_good;
        *falsely += !is_good && run->outcome[n] == SNW_IK_REACHED;
    }
    *share = 100.0 * good / run->count;
}

/* ---- frames and jacobians ----------------------------------------------------------------------
 */

/* Millions of poses a second, and the bytes of all arrays a second, 1e9. */
static void print_frames(const gpu_case *c, const char *device, int count, int workers)
{
    gpu_run run;
    snw_error error = snw_error_none();
    double seconds[GPU_RUNS];
    prepare(&run, c, device, workers, count);
    bool is_on_device = snw_ik_batch_device(run.batch)[0] != 0;
    size_t n = (size_t)count, goals = n * (size_t)c->goal_count;
    size_t dofs = (size_t)run.body->dof_count, values = n * dofs * 4, jacobians = goals * 24 * dofs;
    gpu_memory memory = is_on_device ? GPU_DEVICE : GPU_PLAIN;
    snw_random random = snw_random_seed(8, 0);
    for (size_t k = 0; k < n * dofs; k++)
        run.value[k] = (float)snw_random_range(&random, -1, 1);
    float *frame = calloc(goals, 28), *jacobian = malloc(jacobians);
    if (!frame || !jacobian) fail("no memory");
    snw_ik_batch_job job = {.problem_count = count,
                            .value = place_for(&run, memory, run.value, values, true),
                            .is_on_device = is_on_device};
    snw_ik_batch_frames frames = {place_for(&run, memory, frame, goals * 28, false),
                                  place_for(&run, memory, jacobian, jacobians, false)};
    for (int k = -1; k < GPU_RUNS; k++) {
        double before = now_s();
        if (snw_ik_batch_forward(run.batch, snw_xform_identity(), &job, &frames, &error) != SNW_OK)
            fail(error.message);
        if (k >= 0) seconds[k] = now_s() - before;
    }
    qsort(seconds, GPU_RUNS, sizeof *seconds, compare_doubles);
    double middle = seconds[GPU_RUNS / 2];
    printf("%-20s %8d %-10s %10.3f %10.1f\n", c->text, count, snw_ik_batch_path(run.batch),
           count / middle * 1e-6, (double)(values + goals * 28 + jacobians) / middle * 1e-9);
    fflush(stdout);
    free(frame);
    free(jacobian);
    release(&run);
}

/* ---- steps and clearances
 * ------------------------------------------------------------------------
 */

static double middle_of(double seconds[GPU_RUNS])
{
    qsort(seconds, GPU_RUNS, sizeof *seconds, compare_doubles);
    return seconds[GPU_RUNS / 2];
}

/* Millions of differential steps a second, each from where the last one led. */
static void print_steps(const gpu_case *c, const char *device, int count, int workers)
{
    gpu_run run;
    snw_error error = snw_error_none();
    double seconds[GPU_RUNS];
    prepare(&run, c, device, workers, count);
    bool is_on_device = snw_ik_batch_device(run.batch)[0] != 0;
    size_t n = (size_t)count, goals = n * (size_t)c->goal_count;
    gpu_memory memory = is_on_device ? GPU_DEVICE : GPU_PLAIN;
    snw_ik_batch_job job = {
        .problem_count = count,
        .target = place_for(&run, memory, run.target, goals * 12, true),
        .orientation = place_for(&run, memory, run.frame, goals * 16, true),
        .value = place_for(&run, memory, run.value, n * (size_t)run.body->dof_count * 4, true),
        .outcome = place_for(&run, memory, run.outcome, n, false),
        .is_on_device = is_on_device};
    const snw_ik_batch_pace pace = {.dt = 0.01};
    for (int k = -1; k < GPU_RUNS; k++) {
        double before = now_s();
        if (snw_ik_batch_step(run.batch, snw_xform_identity(), &job, &pace, NULL, &error) != SNW_OK)
            fail(error.message);
        if (k >= 0) seconds[k] = now_s() - before;
    }
    printf("%-20s %8d %-10s %10.3f\n", c->text, count, snw_ik_batch_path(run.batch),
           count / middle_of(seconds) * 1e-6);
    fflush(stdout);
    release(&run);
}

/* Capsules along the bones, a floor and a post. */
static int make_shapes(const snw_skeleton *body, snw_body_shape *shapes, int room)
{
    int count = 0;
    for (int j = 1; j < body->joint_count && count < room - 2; j++) {
        snw_vec3 end = body->rest[j].translation;
        if (snw_vec3_length(end) < 0.05) continue;
        shapes[count++] =
            (snw_body_shape){body->parent[j], snw_shape_capsule(snw_vec3_scale(end, 0.2),
                                                                snw_vec3_scale(end, 0.8), 0.04)};
    }
    shapes[count++] =
        (snw_body_shape){-1, snw_shape_plane(snw_vec3_make(0, -1, 0), snw_vec3_make(0, 1, 0))};
    shapes[count++] = (snw_body_shape){
        -1, snw_shape_capsule(snw_vec3_make(0.5, -1, 0), snw_vec3_make(0.5, 1, 0), 0.05)};
    return count;
}

/* Millions of poses a second whose least clearance is told. */
static void print_clearances(const gpu_case *c, const char *device, int count, int workers)
{
    enum {
        SHAPES = 48,
        PAIRS = 800
    };
    gpu_run run;
    static snw_body_shape shapes[SHAPES];
    static snw_goal goals[PAIRS];
    snw_error error = snw_error_none();
    snw_ik_batch_options options = snw_ik_batch_options_default();
    double seconds[GPU_RUNS];
    prepare(&run, c, NULL, 1, count);
    snw_ik_batch_destroy(run.batch);
    options.device = device;
    options.worker_count = workers;
    int shape_count = make_shapes(run.body, shapes, SHAPES);
    int pairs = snw_goals_apart(run.body, shapes, shape_count, 0.01, goals, PAIRS);
    snw_ik_problem problem = {run.body, goals, pairs < PAIRS ? pairs : PAIRS};
    if (snw_ik_batch_create(&problem, &options, NULL, &run.batch, &error) != SNW_OK)
        fail(error.message);
    size_t values = (size_t)count * (size_t)run.body->dof_count;
    snw_random random = snw_random_seed(9, 0);
    for (size_t k = 0; k < values; k++)
        run.value[k] = (float)snw_random_range(&random, -1, 1);
    float *told = malloc((size_t)count * sizeof *told);
    if (!told) fail("no memory");
    void *there = device ? snw_ik_batch_buffer(run.batch, values * 4) : NULL;
    gpu_memory memory = there ? GPU_DEVICE : GPU_PLAIN;
    snw_ik_batch_job job = {.problem_count = count,
                            .value = place_for(&run, memory, run.value, values * 4, true),
                            .is_on_device = there != NULL};
    float *clearance = place_for(&run, memory, told, (size_t)count * 4, false);
    for (int k = -1; k < GPU_RUNS; k++) {
        double before = now_s();
        if (snw_ik_batch_clearance(run.batch, snw_xform_identity(), &job, clearance, &error) !=
            SNW_OK)
            fail(error.message);
        if (k >= 0) seconds[k] = now_s() - before;
    }
    printf("%-20s %8d %-10s %10.3f  %d pairs\n", c->text, count, there ? "opencl" : "doubles",
           count / middle_of(seconds) * 1e-6, problem.goal_count);
    fflush(stdout);
    free(told);
    release(&run);
}

/* ---- the lanes on more and more threads -------------------------------------------------------
 */

static void print_threads(const gpu_case *c, int most)
{
    double one = 0;
    printf("%-20s", c->text);
    for (int workers = 1; workers <= most; workers *= 2) {
        gpu_run run;
        prepare(&run, c, NULL, workers, 20000);
        double now = rate(&run, GPU_PLAIN);
        release(&run);
        if (workers == 1) one = now;
        printf("  %d: %.4f (%.1fx)", workers, now * 1e-6, now / one);
        fflush(stdout);
    }
    printf("\n");
}

static void print_row(const gpu_case *c, const char *device, int count, int workers, bool is_gpu)
{
    gpu_run run;
    double share, outside, lanes = NAN;
    int falsely;
    int lanes_count = count < 20000 ? count : 20000;
    prepare(&run, c, NULL, workers, lanes_count);
    lanes = rate(&run, GPU_PLAIN);
    release(&run);
    prepare(&run, c, device, workers, count);
    double on_device = rate(&run, GPU_DEVICE);
    judge(&run, &share, &falsely, &outside);
    double fast = is_gpu ? rate(&run, GPU_FAST) : NAN, plain = rate(&run, GPU_PLAIN);
    release(&run);
    printf("%-20s %8d %10.3f %10.3f %10.3f %10.3f %9.2f %10.4f %8d %9.1e\n", c->text, count,
           on_device * 1e-6, fast * 1e-6, plain * 1e-6, lanes * 1e-6, on_device / lanes, share,
           falsely, outside);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const int gpu_counts[] = {1000, 10000, 100000, 1000000}, cpu_counts[] = {1000, 10000};
    const char *device = argc > 1 ? argv[1] : "auto";
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    gpu_run run;
    prepare(&run, &gpu_cases[0], device, 1, 1);
    bool is_gpu = snw_ik_batch_device(run.batch)[0] != 0;
    if (!is_gpu && argc < 2) {
        release(&run);
        device = "opencl";
        prepare(&run, &gpu_cases[0], device, 1, 1);
    }
    if (!snw_ik_batch_device(run.batch)[0]) fail(snw_ik_batch_trouble(run.batch));
    printf(
        "device: %s; lanes: %s on %d threads, up to 20000 problems\n"
        "million solves a second; good: share within tolerance by doubles; false: called reached "
        "and not; outside: of limits, radians\n\n",
        snw_ik_batch_device(run.batch), "avx2 where the processor has it", workers);
    release(&run);
    printf("%-20s %8s %10s %10s %10s %10s %9s %10s %8s %9s\n", "", "problems", "on device",
           "copied", "plain", "lanes", "ratio", "good %", "false", "outside");
    for (size_t k = 0; k < sizeof gpu_cases / sizeof *gpu_cases; k++)
        for (int n = 0; n < (is_gpu ? 4 : 2); n++)
            print_row(&gpu_cases[k], device, is_gpu ? gpu_counts[n] : cpu_counts[n], workers,
                      is_gpu);
    printf("\nforward kinematics and jacobians: million poses a second, 1e9 bytes in and out\n\n");
    for (size_t k = 0; k < sizeof gpu_cases / sizeof *gpu_cases; k++) {
        int count = !is_gpu ? 10000 : gpu_cases[k].goal_count == 1 ? 4000000 : 500000;
        print_frames(&gpu_cases[k], device, count, workers);
        print_frames(&gpu_cases[k], NULL, 10000, workers);
    }
    printf("\ndifferential steps: million a second\n\n");
    print_steps(&gpu_cases[0], device, is_gpu ? 1000000 : 10000, workers);
    print_steps(&gpu_cases[0], NULL, 10000, workers);
    printf("\nclearances: million poses a second\n\n");
    for (size_t k = 0; k < 2; k++) {
        print_clearances(&gpu_cases[k], device, is_gpu ? 1000000 : 10000, workers);
        print_clearances(&gpu_cases[k], NULL, 10000, workers);
    }
    printf("\nlanes, threads: million solves a second (times one thread)\n\n");
    for (size_t k = 0; k < sizeof gpu_cases / sizeof *gpu_cases; k++)
        print_threads(&gpu_cases[k], workers);
    return 0;
}
