/* Many problems on one skeleton: shares them out over workers, to the kernel whose row fits, else
 * one by one to a snw_ik of the worker's own.
 *
 * A problem is solved the same way whoever takes it and whatever stands in the lanes beside it, so
 * neither the number of workers nor their timing can be seen in the answers. */
#include "ik/batch/batch_kernel.h"

#include <string.h>

#include <sinew/ik_servo.h>

#include "base/fail.h"
#include "base/memory.h"
#include "ik/batch/batch.h"
#include "ik/batch/batch_lm.h"
#include "ik/batch/device_lm.h"
#include "ik/core/system.h"

enum {
    BATCH_WORKERS_MAX = 256
};
/* Groups of the kernel handed out at once: some ten microseconds, far more than handing out costs;
 * groups that are solved one by one take as long singly. */
#define BATCH_RANGE 16

extern const snw__batch_kernel snw__batch_chain_kernel, snw__batch_lm_kernel;

/* One row per kernel; the first that fits serves the batch. */
static const snw__batch_kernel *const kernels[] = {&snw__batch_chain_kernel, &snw__batch_lm_kernel};

snw_ik_batch_options snw_ik_batch_options_default(void)
{
    snw_ik_batch_options options = {
        .ik = snw_ik_options_default(), .worker_count = 1, .use_simd = true, .start_count = 1};
    return options;
}

/* ---- life ----------------------------------------------------------------------------------- */

typedef struct batch_layout {
    snw_ik_batch *fields;
    const snw_ik *probe; /* a solve of the same problem */
} batch_layout;

/* Everything but the workers' ik and pose, which have blocks of their own. */
static void lay_out(void *object, snw__block *block)
{
    const batch_layout *layout = object;
    snw_ik_batch *fields = layout->fields;
    const snw_ik *ik = layout->probe;
    size_t goal_count = (size_t)fields->goal_count;
    snw_ik_batch *batch = snw__block_take(block, 1, sizeof *batch);
    fields->worker = snw__block_take(block, (size_t)fields->worker_count, sizeof *fields->worker);
    void **memory = snw__block_take(block, (size_t)fields->worker_count, sizeof *memory);
    if (fields->kernel)
        fields->plan =
            fields->kernel->layout(ik, fields->start_count, fields->worker_count, memory, block);
    for (int w = 0; w < fields->worker_count; w++) {
        snw__batch_worker worker = {0};
        worker.goals = snw__block_take(block, goal_count, sizeof *worker.goals);
        worker.jacobian = snw__block_take(block, 3 * (size_t)fields->skeleton->dof_count,
                                          sizeof *worker.jacobian);
        if (batch == NULL) continue;
        worker.memory = fields->kernel ? memory[w] : NULL;
        if (goal_count) memcpy(worker.goals, ik->goal, goal_count * sizeof *ik->goal);
        fields->worker[w] = worker;
    }
    if (batch != NULL) *batch = *fields;
}

static bool has_apart(const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++)
        if (ik->goal[g].kind == SNW_GOAL_APART) return true;
    return false;
}

static void note_trouble(snw_ik_batch *batch, const snw_error *error)
{
    size_t length = strlen(error->message);
    if (length >= sizeof batch->trouble) length = sizeof batch->trouble - 1;
    memcpy(batch->trouble, error->message, length);
    batch->trouble[length] = 0;
}

/* A device that is not there is no failure: the processor solves, and the batch says why. */
static snw_status open_devices(snw_ik_batch *batch, const snw_ik_batch_options *options,
                               const snw_ik *probe, snw_error *error)
{
    snw_error reason = snw_error_none();
    snw_status status = snw__device_lm_create(probe, options->device, options->start_count,
                                              &batch->allocator, &batch->device, &reason);
    if (status == SNW_UNSUPPORTED) note_trouble(batch, &reason);
    if ((status == SNW_OK || status == SNW_UNSUPPORTED) && has_apart(probe)) {
        status = snw__device_shapes_create(probe, options->device, &batch->allocator,
                                           &batch->shapes, &reason);
        if (status == SNW_UNSUPPORTED) note_trouble(batch, &reason);
    }
    if (status != SNW_OK && status != SNW_UNSUPPORTED && error) *error = reason;
    return status == SNW_UNSUPPORTED ? SNW_OK : status;
}

/* Everything after a solve of the same problem, `probe`, is known to be possible. */
static snw_status create_batch(snw_ik_batch *fields, const snw_ik_batch_options *options,
                               const snw_ik *probe, snw_ik_batch **out, snw_error *error)
{
    snw__block block;
    batch_layout layout = {fields, probe};
    snw_status status =
        snw__block_create(&block, lay_out, &layout, &fields->allocator, "a batch of solves", error);
    if (status != SNW_OK) return status;
    *out = (void *)block.base;
    (*out)->block_size = block.size;
    snw_ik_problem problem = {fields->skeleton, probe->goal, fields->goal_count};
    for (int w = 0; w < fields->worker_count && status == SNW_OK; w++) {
        snw__batch_worker *worker = &(*out)->worker[w];
        status = snw_ik_create(&problem, &options->ik, &fields->allocator, &worker->ik, error);
        if (status == SNW_OK)
            status = snw_pose_create(fields->skeleton, &fields->allocator, &worker->pose, error);
    }
    if (status == SNW_OK) status = open_devices(*out, options, probe, error);
    if (status == SNW_OK && fields->worker_count > 1 && !fields->enqueue)
        (*out)->threads = snw__batch_threads_create(fields->worker_count, &fields->allocator);
    return status;
}

snw_status snw_ik_batch_create(const snw_ik_problem *problem, const snw_ik_batch_options *options,
                               const snw_allocator *allocator, snw_ik_batch **out, snw_error *error)
{
    snw_ik_batch_options defaults = snw_ik_batch_options_default();
    snw_ik *probe = NULL;
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a batch needs a place to be put");
    *out = NULL;
    if (!problem) return snw__fail(error, SNW_INVALID_ARGUMENT, "a batch needs a problem");
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    if (options->worker_count < 1 || options->worker_count > BATCH_WORKERS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "worker_count must be 1 to %d",
                         BATCH_WORKERS_MAX);
    if (options->start_count < 1 || options->start_count > SNW__BATCH_LM_STARTS)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "start_count is %d, it must be 1 to %d",
                         options->start_count, SNW__BATCH_LM_STARTS);
    if (!options->enqueue != !options->finish)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a task system needs both enqueue and finish");
    snw_status status = snw_ik_create(problem, &options->ik, allocator, &probe, error);
    if (status != SNW_OK) return status;
    snw_ik_batch fields = {.skeleton = problem->skeleton,
                           .goal_count = problem->goal_count,
                           .start_count = options->start_count,
                           .set = options->use_simd ? snw__lanes_best() : SNW__LANES_PORTABLE,
                           .is_polished = options->polish,
                           .needs_root = options->ik.root == SNW_IK_ROOT_FREE,
                           .worker_count = options->worker_count,
                           .enqueue = options->enqueue,
                           .finish = options->finish,
                           .task_user = options->task_user,
                           .allocator = snw__allocator_or_default(allocator)};
    for (int g = 0; g < probe->goal_count; g++) {
        const snw_goal *goal = &probe->goal[g];
        int other = goal->kind == SNW_GOAL_APART ? goal->chain_root : -1;
        for (int j = goal->joint; j >= 0; j = probe->skeleton->parent[j])
            fields.needs_slide |= snw__joint_slides(&probe->joint[j]);
        for (int j = other; j >= 0; j = probe->skeleton->parent[j])
            fields.needs_slide |= snw__joint_slides(&probe->joint[j]);
    }
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && !fields.kernel; k++)
        if (kernels[k]->fits(probe, options->start_count)) fields.kernel = kernels[k];
    status = create_batch(&fields, options, probe, out, error);
    snw_ik_destroy(probe);
    if (status == SNW_OK) return SNW_OK;
    snw_ik_batch_destroy(*out);
    *out = NULL;
    return status;
}

void snw_ik_batch_destroy(snw_ik_batch *batch)
{
    if (batch == NULL) return;
    snw__batch_threads_destroy(batch->threads);
    snw__device_lm_destroy(batch->device);
    snw__device_lm_destroy(batch->shapes);
    for (int w = 0; w < batch->worker_count; w++) {
        snw_ik_destroy(batch->worker[w].ik);
        snw_pose_destroy(batch->worker[w].pose);
    }
    snw_allocator memory = batch->allocator; /* the block holds it */
    snw__release(&memory, batch, batch->block_size);
}

/* The one device that a batch has: one that solves, or one for shapes. */
static snw__device_lm *device_of(const snw_ik_batch *batch)
{
    return batch->device ? batch->device : batch->shapes;
}

const char *snw_ik_batch_path(const snw_ik_batch *batch)
{
    if (batch->device) return "opencl";
    if (!batch->kernel) return "one by one";
#if defined(__ARM_NEON)
    static const char *const names[] = {"neon"};
#else
    static const char *const names[] = {"portable", "avx2", "avx512"};
#endif
    return names[batch->set];
}

const char *snw_ik_batch_device(const snw_ik_batch *batch)
{
    return batch->device ? snw__device_lm_name(batch->device) : "";
}

const char *snw_ik_batch_trouble(const snw_ik_batch *batch)
{
    return batch->trouble;
}

void *snw_ik_batch_memory(snw_ik_batch *batch, size_t size)
{
    return device_of(batch) ? snw__device_lm_memory(device_of(batch), size, false) : NULL;
}

void *snw_ik_batch_buffer(snw_ik_batch *batch, size_t size)
{
    return device_of(batch) ? snw__device_lm_memory(device_of(batch), size, true) : NULL;
}

snw_status snw_ik_batch_upload(snw_ik_batch *batch, void *buffer, const void *from, size_t size,
                               snw_error *error)
{
    if (!device_of(batch))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "this batch has no device to copy to");
    return snw__device_lm_copy(device_of(batch), buffer, (void *)(uintptr_t)from, size, true,
                               error);
}

snw_status snw_ik_batch_download(snw_ik_batch *batch, void *to, const void *buffer, size_t size,
                                 snw_error *error)
{
    if (!device_of(batch))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "this batch has no device to copy from");
    return snw__device_lm_copy(device_of(batch), (void *)(uintptr_t)buffer, to, size, false, error);
}

/* ---- solving -------------------------------------------------------------------------------- */

void snw__batch_note(const snw_ik_batch *batch, snw__batch_worker *w, int problem,
                     snw_ik_outcome outcome, double residual)
{
    if (outcome == SNW_IK_REACHED) w->reached++;
    if (batch->job->outcome != NULL) batch->job->outcome[problem] = (uint8_t)outcome;
    if (batch->job->residual != NULL) batch->job->residual[problem] = (float)residual;
}

/* ---- one by one ---- */

static snw_quat quat_of(const float *q)
{
    return snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
}

snw_xform snw__batch_root_of(const snw_ik_batch *batch, int problem)
{
    const float *root = batch->job->root ? batch->job->root + (size_t)problem * 7 : NULL;
    return root ? snw_xform_make(quat_of(root), snw__batch_vec3(root + 4)) : batch->root;
}

void snw__batch_load_joint(const snw_ik_batch *batch, snw_pose *pose, int problem, int joint)
{
    const snw_skeleton *body = batch->skeleton;
    const snw_ik_batch_job *job = batch->job;
    size_t at = (size_t)problem * (size_t)body->joint_count + (size_t)joint;
    if (job->value) {
        const float *from = job->value + (size_t)problem * (size_t)body->dof_count;
        double values[6] = {0};
        for (int k = 0; k < snw_joint_type_dof(body->joint[joint].type); k++)
            values[k] = from[body->dof_first[joint] + k];
        snw_joint_from_values(&body->joint[joint], values, &pose->rotation[joint],
                              &pose->slide[joint]);
        return;
    }
    pose->rotation[joint] = quat_of(job->rotation + at * 4);
    pose->slide[joint] = job->slide ? snw__batch_vec3(job->slide + at * 3) : snw_vec3_make(0, 0, 0);
}

/* Pose of the worker as the problem has it. */
static void load_pose(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    w->pose->root = snw__batch_root_of(batch, problem);
    for (int j = 0; j < batch->skeleton->joint_count; j++)
        snw__batch_load_joint(batch, w->pose, problem, j);
}

void snw__batch_load_goals(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    const snw_ik_batch_job *job = batch->job;
    size_t first = (size_t)problem * (size_t)batch->goal_count;
    for (int g = 0; g < batch->goal_count; g++) {
        size_t n = first + (size_t)g;
        w->goals[g].position = snw__batch_vec3(job->target + n * 3);
        if (job->orientation) w->goals[g].orientation = quat_of(job->orientation + n * 4);
        if (job->weight) w->goals[g].weight = job->weight[n];
    }
}

void snw__batch_load_start(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    load_pose(batch, w, problem);
    snw__batch_load_goals(batch, w, problem);
}

void snw__batch_store_joint(const snw_ik_batch *batch, const snw_pose *pose, int problem, int joint)
{
    const snw_skeleton *body = batch->skeleton;
    const snw_ik_batch_job *job = batch->job;
    size_t at = (size_t)problem * (size_t)body->joint_count + (size_t)joint;
    if (job->value) {
        float *to = job->value + (size_t)problem * (size_t)body->dof_count + body->dof_first[joint];
        double values[6] = {0};
        int count = snw_joint_values(&body->joint[joint], pose->rotation[joint], pose->slide[joint],
                                     values);
        for (int k = 0; k < count; k++)
            to[k] = (float)values[k];
        return;
    }
    snw__batch_put_quat(job->rotation + at * 4, pose->rotation[joint]);
    if (job->slide) snw__batch_put_vec3(job->slide + at * 3, pose->slide[joint]);
}

void snw__batch_store_answer(const snw_ik_batch *batch, const snw__batch_worker *w, int problem)
{
    const snw_ik_batch_job *job = batch->job;
    for (int j = 0; j < batch->skeleton->joint_count; j++)
        snw__batch_store_joint(batch, w->pose, problem, j);
    if (!batch->needs_root) return;
    snw__batch_put_quat(job->root + (size_t)problem * 7, w->pose->root.rotation);
    snw__batch_put_vec3(job->root + (size_t)problem * 7 + 4, w->pose->root.translation);
}

double snw__batch_answer_excess(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    double worst = 0;
    snw__batch_load_start(batch, w, problem);
    snw_pose_forward(w->pose);
    for (int g = 0; g < batch->goal_count; g++) {
        double excess =
            snw__ik_error_excess(w->ik, snw__ik_goal_error(w->ik, &w->goals[g], w->pose));
        if (!(excess <= worst)) worst = excess;
    }
    return worst;
}

void snw__batch_solve_one(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    snw__batch_load_start(batch, w, problem);
    snw_ik_result result = snw_ik_solve(w->ik, w->goals, w->pose);
    snw__batch_store_answer(batch, w, problem);
    snw__batch_note(batch, w, problem, result.outcome, result.worst_residual);
}

/* ---- steps ---- */

static void damped(snw__ik_system *system, void *context)
{
    snw__ik_system_solve_damped(system, *(const double *)context);
}

/* The part of the step that a pace allows: every coordinate within its velocity. */
static double part_of_step(const snw_ik_batch *batch, const snw__ik_system *system)
{
    const snw_ik_batch_pace *pace = &batch->pace;
    double part = fmin(1, pace->gain * pace->dt);
    for (int m = 0; m < system->mover_count && pace->velocity; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        if (mover->joint < 0) continue; /* a free root has no velocities */
        const float *most = pace->velocity + batch->skeleton->dof_first[mover->joint];
        for (int k = 0; k < mover->column_count; k++) {
            int c = mover->column_first + k;
            double unit = system->column[c].is_slide ? system->ik->size : 1;
            double way = fabs(system->step[c]) * unit * part, reach = (double)most[k] * pace->dt;
            if (way > reach) part *= reach / way;
        }
    }
    return part;
}

void snw__batch_step_one(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    snw__ik_system *system = w->ik->system;
    snw__batch_load_start(batch, w, problem);
    (void)snw_pose_apply_limits(w->pose);
    snw_pose_forward(w->pose);
    const snw_goal *goals = snw__ik_relative_weights(w->ik, w->goals);
    snw__ik_note_shapes(w->ik);
    snw__ik_system_build(system, goals, w->pose);
    if (!isfinite(system->energy)) { /* it stays */
        snw__batch_note(batch, w, problem, SNW_IK_STALLED, INFINITY);
        return;
    }
    double damping = batch->pace.damping + fmin(system->energy, 1);
    snw__ik_system_find_step(system, damped, &damping, w->pose);
    (void)snw__ik_system_move(system, part_of_step(batch, system), w->pose);
    double worst = 0, residual = 0;
    for (int g = 0; g < w->ik->goal_count; g++) {
        snw__ik_error error = snw__ik_goal_error(w->ik, &w->goals[g], w->pose);
        double excess = snw__ik_error_excess(w->ik, error);
        if (g > 0 && !(excess > worst)) continue;
        worst = excess;
        residual = snw__ik_worse_half(w->ik, error);
    }
    snw__batch_store_answer(batch, w, problem);
    snw__batch_note(batch, w, problem, worst <= 1 ? SNW_IK_REACHED : SNW_IK_STALLED, residual);
}

/* ---- all ---- */

/* Items are groups of eight problems, so that groups are the same however they are shared out. */
static void solve_groups(void *context, int first, int end, int worker)
{
    snw_ik_batch *batch = context;
    snw__batch_worker *w = &batch->worker[worker];
    int last = batch->job->problem_count;
    int behind = end > last / SNW__BATCH_LANES ? last : end * SNW__BATCH_LANES;
    if (batch->kernel) {
        batch->kernel->solve(batch, w, first * SNW__BATCH_LANES, behind);
        return;
    }
    for (int p = first * SNW__BATCH_LANES; p < behind; p++)
        snw__batch_solve_one(batch, w, p);
}

/* ---- frames and jacobians ---- */

static void put_jacobian(const snw_ik_batch *batch, snw__batch_worker *w, const snw_goal *goal,
                         float *to)
{
    size_t count = 3 * (size_t)batch->skeleton->dof_count;
    snw_pose_jacobian_point(w->pose, goal->joint, goal->point, w->jacobian);
    for (size_t k = 0; k < count; k++)
        to[k] = (float)w->jacobian[k];
    snw_pose_jacobian_turn(w->pose, goal->joint, w->jacobian);
    for (size_t k = 0; k < count; k++)
        to[count + k] = (float)w->jacobian[k];
}

static void place_groups(void *context, int first, int end, int worker)
{
    snw_ik_batch *batch = context;
    snw__batch_worker *w = &batch->worker[worker];
    const snw_ik_batch_frames *frames = batch->frames;
    size_t dofs = (size_t)batch->skeleton->dof_count;
    int last = batch->job->problem_count;
    int behind = end > last / SNW__BATCH_LANES ? last : end * SNW__BATCH_LANES;
    for (int p = first * SNW__BATCH_LANES; p < behind; p++) {
        load_pose(batch, w, p);
        snw_pose_forward(w->pose);
        for (int g = 0; g < batch->goal_count; g++) {
            size_t n = (size_t)p * (size_t)batch->goal_count + (size_t)g;
            const snw_goal *goal = &w->goals[g];
            if (frames->jacobian) put_jacobian(batch, w, goal, frames->jacobian + n * 6 * dofs);
            if (!frames->frame) continue;
            snw__batch_put_quat(frames->frame + 7 * n, w->pose->world[goal->joint].rotation);
            snw__batch_put_vec3(frames->frame + 7 * n + 4,
                                snw_pose_point(w->pose, goal->joint, goal->point));
        }
    }
}

/* All groups, on whatever threads there are. */
static void run_groups(snw_ik_batch *batch, snw_task *task, int range)
{
    /* Not (count + 7) / 8, which overflows. */
    int count = batch->job->problem_count;
    int groups = count / SNW__BATCH_LANES + (count % SNW__BATCH_LANES > 0);
    if (groups == 0) return;
    if (batch->enqueue)
        batch->finish(batch->task_user,
                      batch->enqueue(batch->task_user, task, batch, groups, range));
    else if (batch->threads && groups > 1)
        snw__batch_threads_run(batch->threads, task, batch, groups, range);
    else
        task(batch, 0, groups, 0);
}

/* Is everything there that poses are read from? */
static snw_status check_job(const snw_ik_batch *batch, const snw_ik_batch_job *job,
                            bool has_targets, snw_error *error)
{
    const char *missing = NULL;
    if (!job || job->problem_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a batch needs a job of 0 problems or more");
    if (job->problem_count > 0 && job->is_on_device && !device_of(batch))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the job lies on a device, and this batch has none");
    if (batch->needs_root && !job->root) missing = "root (the root is free)";
    if (batch->needs_slide && !job->slide && !job->value)
        missing = "slide (a joint above a goal slides)";
    if (!job->rotation && !job->value) missing = "rotation";
    if (batch->goal_count > 0 && !job->target && has_targets) missing = "target";
    if (job->problem_count > 0 && missing)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the job of a batch lacks its array %s",
                         missing);
    return SNW_OK;
}

snw_status snw_ik_batch_forward(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job,
                                const snw_ik_batch_frames *frames, snw_error *error)
{
    snw_status status = check_job(batch, job, false, error);
    if (status != SNW_OK) return status;
    if (!frames || (!frames->frame && !frames->jacobian))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "frames of a batch need a place to be put: frame, jacobian or both");
    batch->job = job;
    batch->frames = frames;
    batch->root = root;
    if (batch->device) {
        snw_error reason = snw_error_none();
        batch->trouble[0] = 0;
        status = snw__device_lm_forward(batch->device, batch, frames, &reason);
        if (status == SNW_OK) return snw__succeed(error);
        note_trouble(batch, &reason);
        if (job->is_on_device) return snw__fail(error, SNW_UNSUPPORTED, "%s", batch->trouble);
    }
    run_groups(batch, place_groups, BATCH_RANGE);
    return snw__succeed(error);
}

static void step_groups(void *context, int first, int end, int worker)
{
    snw_ik_batch *batch = context;
    int last = batch->job->problem_count;
    int behind = end > last / SNW__BATCH_LANES ? last : end * SNW__BATCH_LANES;
    for (int p = first * SNW__BATCH_LANES; p < behind; p++)
        snw__batch_step_one(batch, &batch->worker[worker], p);
}

/* What the job is and what is asked of it; the sum of what workers reached. */
static void begin_job(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job)
{
    batch->job = job;
    batch->root = root;
    for (int w = 0; w < batch->worker_count; w++)
        batch->worker[w].reached = 0;
    if (batch->device) batch->trouble[0] = 0; /* without one, what creation said holds on */
}

static int end_job(const snw_ik_batch *batch)
{
    int sum = 0;
    for (int w = 0; w < batch->worker_count; w++)
        sum += batch->worker[w].reached;
    return sum;
}

static snw_status check_pace(const snw_ik_batch *batch, const snw_ik_batch_pace *pace,
                             snw_error *error)
{
    bool is_good = pace && pace->dt > 0 && pace->dt < INFINITY && pace->gain >= 0 &&
                   pace->damping >= 0 && pace->damping < INFINITY;
    if (!is_good)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the pace of a step is a dt above 0, a gain and a damping of 0 or more");
    for (int d = 0; d < batch->skeleton->dof_count && pace->velocity; d++)
        if (!(pace->velocity[d] > 0))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "velocity %d of the pace of a step must be above 0", d);
    if (!batch->worker[0].ik->system)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "the method of this batch has no jacobian to step with");
    return SNW_OK;
}

snw_status snw_ik_batch_step(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job,
                             const snw_ik_batch_pace *pace, int *reached, snw_error *error)
{
    snw_ik_servo_options defaults = snw_ik_servo_options_default();
    if (reached) *reached = 0;
    snw_status status = check_job(batch, job, true, error);
    if (status == SNW_OK) status = check_pace(batch, pace, error);
    if (status != SNW_OK) return status;
    begin_job(batch, root, job);
    batch->pace = *pace;
    if (pace->gain == 0) batch->pace.gain = defaults.gain;
    if (pace->damping == 0) batch->pace.damping = defaults.damping;
    bool is_done = job->problem_count == 0;
    if (!is_done && batch->device) {
        snw_error reason = snw_error_none();
        is_done = snw__device_lm_step(batch->device, batch, &reason) == SNW_OK;
        if (!is_done) note_trouble(batch, &reason);
        if (!is_done) batch->worker[0].reached = 0;
    }
    if (!is_done && job->is_on_device)
        return snw__fail(error, SNW_UNSUPPORTED, "%s", batch->trouble);
    if (!is_done) run_groups(batch, step_groups, BATCH_RANGE);
    if (reached) *reached = end_job(batch);
    return snw__succeed(error);
}

static void part_groups(void *context, int first, int end, int worker)
{
    snw_ik_batch *batch = context;
    snw__batch_worker *w = &batch->worker[worker];
    int last = batch->job->problem_count;
    int behind = end > last / SNW__BATCH_LANES ? last : end * SNW__BATCH_LANES;
    for (int p = first * SNW__BATCH_LANES; p < behind; p++) {
        double least = INFINITY;
        load_pose(batch, w, p);
        snw_pose_forward(w->pose);
        for (int g = 0; g < batch->goal_count; g++)
            if (w->goals[g].kind == SNW_GOAL_APART)
                least = snw__goal_clearance(&w->goals[g], w->pose, least);
        batch->clearance[p] = (float)least;
    }
}

snw_status snw_ik_batch_clearance(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job,
                                  float *clearance, snw_error *error)
{
    bool is_asked = has_apart(batch->worker[0].ik);
    if (!is_asked || (job && job->problem_count > 0 && !clearance))
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         is_asked ? "clearances of a batch need a place to be put"
                                  : "no goal of this batch keeps shapes apart");
    snw_status status = check_job(batch, job, false, error);
    if (status != SNW_OK) return status;
    batch->job = job;
    batch->clearance = clearance;
    batch->root = root;
    if (batch->shapes) {
        snw_error reason = snw_error_none();
        batch->trouble[0] = 0;
        status = snw__device_lm_clearance(batch->shapes, batch, clearance, &reason);
        if (status == SNW_OK) return snw__succeed(error);
        note_trouble(batch, &reason);
        if (job->is_on_device) return snw__fail(error, SNW_UNSUPPORTED, "%s", batch->trouble);
    }
    run_groups(batch, part_groups, BATCH_RANGE);
    return snw__succeed(error);
}

snw_status snw_ik_batch_solve(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job,
                              int *reached, snw_error *error)
{
    if (reached) *reached = 0;
    snw_status status = check_job(batch, job, true, error);
    if (status != SNW_OK) return status;
    begin_job(batch, root, job);
    bool is_done = job->problem_count == 0;
    if (!is_done && batch->device) {
        snw_error reason = snw_error_none();
        is_done = snw__device_lm_solve(batch->device, batch, batch->is_polished, &reason) == SNW_OK;
        if (!is_done) { /* the processor has to, from the start, and `trouble` says why */
            note_trouble(batch, &reason);
            batch->worker[0].reached = 0;
        }
    }
    if (!is_done && job->is_on_device && batch->trouble[0] == 0)
        return snw__fail(error, SNW_UNSUPPORTED, "this batch is not for a device to solve");
    if (!is_done && job->is_on_device)
        return snw__fail(error, SNW_UNSUPPORTED, "%s", batch->trouble);
    if (!is_done) run_groups(batch, solve_groups, batch->kernel ? BATCH_RANGE : 1);
    if (reached) *reached = end_job(batch);
    return snw__succeed(error);
}
