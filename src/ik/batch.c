/* Many problems on one skeleton: shares them out over threads, eight at a time to the kernel of
 * batch_chain.c where that fits, the rest one by one to a snw_ik of the thread's own.
 *
 * A block of BATCH_BLOCK problems is solved the same way whoever takes it, and blocks share
 * nothing, so neither the number of threads nor their timing can be seen in the answers. */
#include "ik/batch.h"

#include <string.h>

#include "base/fail.h"

#if defined(__unix__) || defined(__APPLE__)
#define BATCH_HAS_THREADS 1
#include <pthread.h>
#else
#define BATCH_HAS_THREADS 0
#endif

#define BATCH_LANES       8
#define BATCH_THREADS_MAX 256

/* What a thread works with. */
typedef struct batch_worker {
    snw_ik *ik;
    snw_pose *pose;
    snw_goal *goals; /* (goal_count) */
    void *scratch;   /* of the kernel */
    float *rotation; /* (8 x joint_count x 4) a last group that is not full */
    float *target;   /* (8 x 3) */
    const snw_ik_batch_job *job;
    snw_xform root;
    int first, end; /* its share of the problems */
    int reached;
    struct snw_ik_batch *batch;
} batch_worker;

struct snw_ik_batch {
    const snw_skeleton *skeleton;
    int goal_count;
    bool has_kernel;
    bool use_avx2;
    snw__batch_plan plan;
    int worker_count;
    batch_worker *worker; /* (worker_count) */
    snw_allocator allocator;
    size_t block_size;
};

snw_ik_batch_options snw_ik_batch_options_default(void)
{
    snw_ik_batch_options options = {snw_ik_options_default(), 1, true};
    return options;
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool fits_kernel(const snw_ik *ik)
{
    return snw__batch_has_kernel() && ik->goal_count == 1 &&
           (ik->options.solver == SNW_IK_AUTO || ik->options.solver == SNW_IK_DIRECTIONS) &&
           snw__bones_check(ik, false, NULL) == SNW_OK;
}

/* Everything but the workers' ik and pose, which have blocks of their own. `ik` is a solve of the
 * same problem. */
static snw_ik_batch *lay_out(snw__block *block, snw_ik_batch *fields, const snw_ik *ik,
                             const snw_goal *goals)
{
    size_t joints = (size_t)fields->skeleton->joint_count, goal_count = (size_t)fields->goal_count;
    snw_ik_batch *batch = snw__block_take(block, 1, sizeof *batch);
    fields->worker = snw__block_take(block, (size_t)fields->worker_count, sizeof *fields->worker);
    /* The kernel's scratch is bounded by the joints of the body. */
    snw__batch_plan widest = {.path_count = fields->skeleton->joint_count};
    if (fields->has_kernel) snw__batch_plan_layout(&fields->plan, ik, block);
    for (int w = 0; w < fields->worker_count; w++) {
        batch_worker worker = {0};
        worker.goals = snw__block_take(block, goal_count, sizeof *worker.goals);
        worker.scratch = snw__block_take(block, snw__batch_scratch_size(&widest), 1);
        worker.rotation = snw__block_take(block, BATCH_LANES * 4 * joints, sizeof *worker.rotation);
        worker.target = snw__block_take(block, BATCH_LANES * 3, sizeof *worker.target);
        if (batch == NULL) continue;
        memcpy(worker.goals, goals, goal_count * sizeof *goals);
        worker.batch = batch;
        fields->worker[w] = worker;
    }
    if (batch != NULL) *batch = *fields;
    return batch;
}

static snw_status create_workers(snw_ik_batch *batch, const snw_ik_batch_options *options,
                                 const snw_goal *goals, snw_error *error)
{
    const snw_allocator *memory = &batch->allocator;
    for (int w = 0; w < batch->worker_count; w++) {
        batch_worker *worker = &batch->worker[w];
        snw_status status = snw_ik_create(batch->skeleton, goals, batch->goal_count, &options->ik,
                                          memory, &worker->ik, error);
        if (status == SNW_OK)
            status = snw_pose_create(batch->skeleton, memory, &worker->pose, error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

snw_status snw_ik_batch_create(const snw_skeleton *skeleton, const snw_goal *goals, int goal_count,
                               const snw_ik_batch_options *options, const snw_allocator *allocator,
                               snw_ik_batch **out, snw_error *error)
{
    snw_ik *probe = NULL;
    snw__block block = {NULL, 0, 0};
    *out = NULL;
    if (options == NULL || options->thread_count < 1 || options->thread_count > BATCH_THREADS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "thread_count must be 1 to %d",
                         BATCH_THREADS_MAX);
    snw_status status =
        snw_ik_create(skeleton, goals, goal_count, &options->ik, allocator, &probe, error);
    if (status != SNW_OK) return status;
    snw_ik_batch fields = {.skeleton = skeleton,
                           .goal_count = goal_count,
                           .has_kernel = fits_kernel(probe),
                           .use_avx2 = options->use_simd && snw__batch_has_avx2(),
                           .worker_count = options->thread_count,
                           .allocator = snw__allocator_or_default(allocator)};
    (void)lay_out(&block, &fields, probe, goals);
    fields.block_size = block.size;
    if (snw__block_allocate(&block, &fields.allocator)) {
        *out = lay_out(&block, &fields, probe, goals);
    }
    status = *out ? create_workers(*out, options, goals, error)
                  : snw__fail_memory(error, fields.block_size, "a batch of solves");
    snw_ik_destroy(probe);
    if (status == SNW_OK) return snw__succeed(error);
    snw_ik_batch_destroy(*out);
    *out = NULL;
    return status;
}

void snw_ik_batch_destroy(snw_ik_batch *batch)
{
    if (batch == NULL) return;
    for (int w = 0; w < batch->worker_count; w++) {
        snw_ik_destroy(batch->worker[w].ik);
        snw_pose_destroy(batch->worker[w].pose);
    }
    snw_allocator memory = batch->allocator; /* the block holds it */
    snw__release(&memory, batch, batch->block_size);
}

const char *snw_ik_batch_path(const snw_ik_batch *batch)
{
    if (!batch->has_kernel) return "one by one";
    return batch->use_avx2 ? "avx2" : "portable";
}

/* ---- solving -------------------------------------------------------------------------------- */

static void note(batch_worker *w, int problem, snw_ik_outcome outcome, double residual)
{
    if (outcome == SNW_IK_REACHED) w->reached++;
    if (w->job->outcome != NULL) w->job->outcome[problem] = (uint8_t)outcome;
    if (w->job->residual != NULL) w->job->residual[problem] = (float)residual;
}

/* One problem through snw_ik_solve. */
static void solve_one(batch_worker *w, int problem)
{
    const snw_ik_batch *batch = w->batch;
    int joints = batch->skeleton->joint_count;
    float *rotation = w->job->rotation + (size_t)problem * joints * 4;
    const float *target = w->job->target + (size_t)problem * batch->goal_count * 3;
    w->pose->root = w->root;
    for (int j = 0; j < joints; j++) {
        const float *q = rotation + (size_t)j * 4;
        w->pose->rotation[j] = snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
        w->pose->slide[j] = snw_vec3_make(0, 0, 0);
    }
    for (int g = 0; g < batch->goal_count; g++)
        w->goals[g].position = snw_vec3_make(target[g * 3], target[g * 3 + 1], target[g * 3 + 2]);
    snw_ik_result result = snw_ik_solve(w->ik, w->goals, w->pose);
    for (int j = 0; j < joints; j++) {
        snw_quat q = w->pose->rotation[j];
        float *to = rotation + (size_t)j * 4;
        to[0] = (float)q.w;
        to[1] = (float)q.x;
        to[2] = (float)q.y;
        to[3] = (float)q.z;
    }
    note(w, problem, result.outcome, result.worst_residual);
}

static void note_group(batch_worker *w, const snw__batch_lanes_job *lanes, int first, int count)
{
    double tolerance = w->ik->options.tolerance * w->ik->size;
    for (int k = 0; k < count; k++) {
        double residual = lanes->residual[k];
        if (lanes->solved[k])
            note(w, first + k, residual <= tolerance ? SNW_IK_REACHED : SNW_IK_UNREACHABLE,
                 residual);
        else
            solve_one(w, first + k);
    }
}

/* Up to eight problems from `first`; a group that is not full is filled up with copies. */
static void solve_group(batch_worker *w, int first, int count)
{
    size_t stride = (size_t)w->batch->skeleton->joint_count * 4;
    const snw_ik_batch_job *job = w->job;
    snw_quat r = w->root.rotation;
    snw_vec3 t = w->root.translation;
    float *rotation = job->rotation + (size_t)first * stride;
    snw__batch_lanes_job lanes = {.plan = &w->batch->plan,
                                  .root_rotation = {(float)r.w, (float)r.x, (float)r.y, (float)r.z},
                                  .root_place = {(float)t.x, (float)t.y, (float)t.z},
                                  .target = job->target + (size_t)first * 3,
                                  .rotation = rotation,
                                  .scratch = w->scratch,
                                  .use_avx2 = w->batch->use_avx2};
    if (count < BATCH_LANES) {
        for (int k = 0; k < BATCH_LANES; k++) {
            int from = k < count ? k : 0;
            memcpy(w->rotation + (size_t)k * stride, rotation + (size_t)from * stride,
                   stride * sizeof *rotation);
            memcpy(w->target + (size_t)k * 3, lanes.target + (size_t)from * 3,
                   3 * sizeof *w->target);
        }
        lanes.rotation = w->rotation;
        lanes.target = w->target;
    }
    snw__batch_solve_lanes(&lanes);
    if (count < BATCH_LANES)
        memcpy(rotation, w->rotation, (size_t)count * stride * sizeof *rotation);
    note_group(w, &lanes, first, count);
}

static void *work(void *argument)
{
    batch_worker *w = argument;
    w->reached = 0;
    if (w->batch->has_kernel) {
        for (int p = w->first; p < w->end; p += BATCH_LANES)
            solve_group(w, p, w->end - p < BATCH_LANES ? w->end - p : BATCH_LANES);
    } else {
        for (int p = w->first; p < w->end; p++)
            solve_one(w, p);
    }
    return NULL;
}

/* Contiguous shares, each a multiple of eight but the last, so groups are the same for any number
 * of threads. */
static void share_out(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job)
{
    int groups = (job->problem_count + BATCH_LANES - 1) / BATCH_LANES;
    for (int w = 0; w < batch->worker_count; w++) {
        batch_worker *worker = &batch->worker[w];
        int64_t first = (int64_t)groups * w / batch->worker_count * BATCH_LANES;
        int64_t end = (int64_t)groups * (w + 1) / batch->worker_count * BATCH_LANES;
        worker->job = job;
        worker->root = root;
        worker->first = (int)first;
        worker->end = end < job->problem_count ? (int)end : job->problem_count;
    }
}

int snw_ik_batch_solve(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job)
{
    int reached = 0;
    share_out(batch, root, job);
#if BATCH_HAS_THREADS
    pthread_t thread[BATCH_THREADS_MAX];
    bool is_running[BATCH_THREADS_MAX] = {false};
    for (int w = 1; w < batch->worker_count; w++)
        if (batch->worker[w].first < batch->worker[w].end)
            is_running[w] = pthread_create(&thread[w], NULL, work, &batch->worker[w]) == 0;
    work(&batch->worker[0]);
    for (int w = 1; w < batch->worker_count; w++) {
        if (is_running[w])
            pthread_join(thread[w], NULL);
        else
            work(&batch->worker[w]);
    }
#else
    for (int w = 0; w < batch->worker_count; w++)
        work(&batch->worker[w]);
#endif
    for (int w = 0; w < batch->worker_count; w++)
        reached += batch->worker[w].reached;
    return reached;
}
