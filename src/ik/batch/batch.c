/* Many problems on one skeleton: shares them out over workers, eight at a time to the kernel of
 * batch_chain.c (chains of free balls) or of batch_lm.c (bodies with limits) where one fits, the
 * rest one by one to a snw_ik of the worker's own.
 *
 * A problem is solved the same way whoever takes it and whatever stands in the lanes beside it, so
 * neither the number of workers nor their timing can be seen in the answers. */
#include "ik/batch/batch.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "ik/batch/batch_lm.h"
#include "ik/batch/batch_threads.h"

#define BATCH_LANES       8
#define BATCH_WORKERS_MAX 256
/* Groups of the kernel handed out at once: some ten microseconds, far more than handing out costs;
 * groups that are solved one by one take as long singly. */
#define BATCH_RANGE 16
/* Finest tolerance, in body sizes, that the kernel serves: eight times the round-off of a chain of
 * floats. Finer, all its answers would have to be solved a second time. */
#define BATCH_FINEST 4e-6

/* What a worker works with. */
typedef struct batch_worker {
    snw_ik *ik;
    snw_pose *pose;
    snw_goal *goals;            /* (goal_count) */
    void *scratch;              /* of the kernel */
    float *rotation;            /* (8 x joint_count x 4) a last group that is not full */
    float *target;              /* (8 x 3) as the kernel sees them */
    snw__batch_lm_lanes *lanes; /* of the general kernel, or NULL */
    int reached;
} batch_worker;

struct snw_ik_batch {
    const snw_skeleton *skeleton;
    int goal_count;
    bool has_kernel;
    bool use_avx2;
    bool needs_slide; /* a joint above a goal slides */
    bool needs_root;  /* the root is solved for */
    bool has_lm;      /* the general kernel serves it */
    snw__batch_plan plan;
    snw__batch_lm_plan lm;
    int start_count;
    int worker_count;
    batch_worker *worker; /* (worker_count) */
    snw_task_enqueue *enqueue;
    snw_task_finish *finish;
    void *task_user;
    snw__batch_threads *threads; /* or NULL: the caller's thread does it all */
    snw_allocator allocator;
    size_t block_size;
    const snw_ik_batch_job *job; /* of this solve */
    snw_xform root;              /* of this solve */
};

snw_ik_batch_options snw_ik_batch_options_default(void)
{
    snw_ik_batch_options options = {
        .ik = snw_ik_options_default(), .worker_count = 1, .use_simd = true, .start_count = 1};
    return options;
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool fits_kernel(const snw_ik *ik)
{
    if (ik->skeleton->follower_count > 0) return false;
    return snw__batch_has_kernel() && !ik->prior && ik->goal_count == 1 &&
           ik->options.tolerance >= BATCH_FINEST &&
           (ik->options.solver == SNW_IK_AUTO || ik->options.solver == SNW_IK_DIRECTIONS) &&
           snw__bones_check(ik, false, NULL) == SNW_OK;
}

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
    size_t joints = (size_t)fields->skeleton->joint_count, goal_count = (size_t)fields->goal_count;
    snw_ik_batch *batch = snw__block_take(block, 1, sizeof *batch);
    fields->worker = snw__block_take(block, (size_t)fields->worker_count, sizeof *fields->worker);
    /* The kernel's scratch is bounded by the joints of the body. */
    snw__batch_plan widest = {.path_count = fields->skeleton->joint_count};
    if (fields->has_kernel) snw__batch_plan_layout(&fields->plan, ik, block);
    if (fields->has_lm) snw__batch_lm_plan_layout(&fields->lm, ik, fields->start_count, block);
    if (batch != NULL) batch->lm = fields->lm; /* the lanes point to it */
    for (int w = 0; w < fields->worker_count; w++) {
        batch_worker worker = {0};
        worker.goals = snw__block_take(block, goal_count, sizeof *worker.goals);
        worker.scratch = snw__block_take(block, snw__batch_scratch_size(&widest), 1);
        worker.rotation = snw__block_take(block, BATCH_LANES * 4 * joints, sizeof *worker.rotation);
        worker.target = snw__block_take(block, BATCH_LANES * 3, sizeof *worker.target);
        if (fields->has_lm)
            worker.lanes = snw__batch_lm_lanes_layout(batch ? &batch->lm : &fields->lm, block);
        if (batch == NULL) continue;
        if (goal_count) memcpy(worker.goals, ik->goal, goal_count * sizeof *ik->goal);
        fields->worker[w] = worker;
    }
    if (batch != NULL) *batch = *fields;
}

static snw_status create_workers(snw_ik_batch *batch, const snw_ik_batch_options *options,
                                 const snw_goal *goals, snw_error *error)
{
    const snw_allocator *memory = &batch->allocator;
    snw_ik_problem problem = {batch->skeleton, goals, batch->goal_count};
    for (int w = 0; w < batch->worker_count; w++) {
        batch_worker *worker = &batch->worker[w];
        snw_status status = snw_ik_create(&problem, &options->ik, memory, &worker->ik, error);
        if (status == SNW_OK)
            status = snw_pose_create(batch->skeleton, memory, &worker->pose, error);
        if (status != SNW_OK) return status;
    }
    return SNW_OK;
}

static bool slides_above_a_goal(const snw_ik *ik)
{
    for (int g = 0; g < ik->goal_count; g++)
        for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j]) {
            snw_joint_type type = ik->joint[j].type;
            if (type == SNW_JOINT_PRISMATIC || type == SNW_JOINT_FREE) return true;
        }
    return false;
}

static snw_status check_batch_options(const snw_ik_batch_options *options, snw_error *error)
{
    if (options->worker_count < 1 || options->worker_count > BATCH_WORKERS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "worker_count must be 1 to %d",
                         BATCH_WORKERS_MAX);
    if (options->start_count < 1 || options->start_count > SNW__BATCH_LM_STARTS)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "start_count is %d, it must be 1 to %d",
                         options->start_count, SNW__BATCH_LM_STARTS);
    if (!options->enqueue != !options->finish)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "a task system needs both enqueue and finish");
    return SNW_OK;
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
    status = create_workers(*out, options, probe->goal, error);
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
    snw_status status = check_batch_options(options, error);
    if (status == SNW_OK) status = snw_ik_create(problem, &options->ik, allocator, &probe, error);
    if (status != SNW_OK) return status;
    snw_ik_batch fields = {.skeleton = problem->skeleton,
                           .goal_count = problem->goal_count,
                           .has_kernel = fits_kernel(probe) && options->start_count == 1,
                           .start_count = options->start_count,
                           .use_avx2 = options->use_simd && snw__batch_has_avx2(),
                           .needs_slide = slides_above_a_goal(probe),
                           .needs_root = options->ik.root == SNW_IK_ROOT_FREE,
                           .worker_count = options->worker_count,
                           .enqueue = options->enqueue,
                           .finish = options->finish,
                           .task_user = options->task_user,
                           .allocator = snw__allocator_or_default(allocator)};
    fields.has_lm = !fields.has_kernel && snw__batch_lm_fits(probe);
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
    for (int w = 0; w < batch->worker_count; w++) {
        snw_ik_destroy(batch->worker[w].ik);
        snw_pose_destroy(batch->worker[w].pose);
    }
    snw_allocator memory = batch->allocator; /* the block holds it */
    snw__release(&memory, batch, batch->block_size);
}

const char *snw_ik_batch_path(const snw_ik_batch *batch)
{
    if (!batch->has_kernel && !batch->has_lm) return "one by one";
    return batch->use_avx2 ? "avx2" : "portable";
}

/* ---- solving -------------------------------------------------------------------------------- */

static void note(const snw_ik_batch *batch, batch_worker *w, int problem, snw_ik_outcome outcome,
                 double residual)
{
    if (outcome == SNW_IK_REACHED) w->reached++;
    if (batch->job->outcome != NULL) batch->job->outcome[problem] = (uint8_t)outcome;
    if (batch->job->residual != NULL) batch->job->residual[problem] = (float)residual;
}

/* ---- one by one ---- */

static snw_vec3 vec3_of(const float *v)
{
    return snw_vec3_make(v[0], v[1], v[2]);
}

static snw_quat quat_of(const float *q)
{
    return snw_quat_normalize(snw_quat_make(q[0], q[1], q[2], q[3]));
}

static void put_vec3(float *to, snw_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static void put_quat(float *to, snw_quat q)
{
    to[0] = (float)q.w;
    to[1] = (float)q.x;
    to[2] = (float)q.y;
    to[3] = (float)q.z;
}

/* Where the body of a problem stands. */
static snw_xform root_of(const snw_ik_batch *batch, int problem)
{
    const float *root = batch->job->root ? batch->job->root + (size_t)problem * 7 : NULL;
    return root ? snw_xform_make(quat_of(root), vec3_of(root + 4)) : batch->root;
}

static void load_start(const snw_ik_batch *batch, batch_worker *w, int problem)
{
    size_t joints = (size_t)batch->skeleton->joint_count, first = (size_t)problem * joints;
    const snw_ik_batch_job *job = batch->job;
    w->pose->root = root_of(batch, problem);
    for (size_t j = 0; j < joints; j++) {
        w->pose->rotation[j] = quat_of(job->rotation + (first + j) * 4);
        w->pose->slide[j] =
            job->slide ? vec3_of(job->slide + (first + j) * 3) : snw_vec3_make(0, 0, 0);
    }
    const float *target = job->target + (size_t)problem * (size_t)batch->goal_count * 3;
    size_t goals_first = (size_t)problem * (size_t)batch->goal_count;
    for (int g = 0; g < batch->goal_count; g++) {
        size_t n = goals_first + (size_t)g;
        w->goals[g].position = vec3_of(target + (size_t)g * 3);
        if (job->orientation) w->goals[g].orientation = quat_of(job->orientation + n * 4);
        if (job->weight) w->goals[g].weight = job->weight[n];
    }
}

static void store_answer(const snw_ik_batch *batch, const batch_worker *w, int problem)
{
    size_t joints = (size_t)batch->skeleton->joint_count, first = (size_t)problem * joints;
    const snw_ik_batch_job *job = batch->job;
    for (size_t j = 0; j < joints; j++) {
        put_quat(job->rotation + (first + j) * 4, w->pose->rotation[j]);
        if (job->slide) put_vec3(job->slide + (first + j) * 3, w->pose->slide[j]);
    }
    if (!batch->needs_root) return;
    put_quat(job->root + (size_t)problem * 7, w->pose->root.rotation);
    put_vec3(job->root + (size_t)problem * 7 + 4, w->pose->root.translation);
}

static void solve_one(const snw_ik_batch *batch, batch_worker *w, int problem)
{
    load_start(batch, w, problem);
    snw_ik_result result = snw_ik_solve(w->ik, w->goals, w->pose);
    store_answer(batch, w, problem);
    note(batch, w, problem, result.outcome, result.worst_residual);
}

/* ---- eight at a time ---- */

static void note_group(const snw_ik_batch *batch, batch_worker *w,
                       const snw__batch_lanes_job *lanes, int first, int count)
{
    double tolerance = w->ik->options.tolerance * w->ik->size;
    for (int k = 0; k < count; k++) {
        double residual = lanes->residual[k];
        if (lanes->solved[k])
            note(batch, w, first + k, residual <= tolerance ? SNW_IK_REACHED : SNW_IK_UNREACHABLE,
                 residual);
        else
            solve_one(batch, w, first + k);
    }
}

/* Up to eight problems from `first`; a group that is not full is filled up with copies. Bodies that
 * stand each in its own place are solved at the origin, with their targets brought there. */
static void solve_group(const snw_ik_batch *batch, batch_worker *w, int first, int count)
{
    size_t stride = (size_t)batch->skeleton->joint_count * 4;
    const snw_ik_batch_job *job = batch->job;
    float *rotation = job->rotation + (size_t)first * stride;
    snw_xform root = job->root ? snw_xform_identity() : batch->root;
    snw__batch_lanes_job lanes = {.plan = &batch->plan,
                                  .target = job->target + (size_t)first * 3,
                                  .rotation = rotation,
                                  .scratch = w->scratch,
                                  .use_avx2 = batch->use_avx2};
    put_quat(lanes.root_rotation, root.rotation);
    put_vec3(lanes.root_place, root.translation);
    for (int k = 0; k < BATCH_LANES && (job->root || count < BATCH_LANES); k++) {
        int from = k < count ? k : 0;
        snw_vec3 target = vec3_of(job->target + (size_t)(first + from) * 3);
        if (job->root) target = snw_xform_unpoint(root_of(batch, first + from), target);
        put_vec3(w->target + (size_t)k * 3, target);
        lanes.target = w->target;
        if (count == BATCH_LANES) continue;
        memcpy(w->rotation + (size_t)k * stride, rotation + (size_t)from * stride,
               stride * sizeof *rotation);
        lanes.rotation = w->rotation;
    }
    snw__batch_solve_lanes(&lanes);
    if (count < BATCH_LANES)
        memcpy(rotation, w->rotation, (size_t)count * stride * sizeof *rotation);
    note_group(batch, w, &lanes, first, count);
}

/* ---- eight at a time, each lane refilled as it falls free ---- */

static bool start_is_sound(const snw_pose *pose)
{
    bool is_sound = snw_vec3_is_finite(pose->root.translation) &&
                    fabs(snw_quat_dot(pose->root.rotation, pose->root.rotation) - 1) < 1e-6;
    for (int j = 0; j < pose->skeleton->joint_count; j++)
        is_sound &= fabs(snw_quat_dot(pose->rotation[j], pose->rotation[j]) - 1) < 1e-6 &&
                    snw_vec3_is_finite(pose->slide[j]);
    return is_sound;
}

/* Puts a problem into a lane, or solves it at once: numbers that cannot be worked with, goals that
 * are met already or proven out of reach are for the scalar solve. */
static bool put_into_lane(const snw_ik_batch *batch, batch_worker *w, int lane, int problem)
{
    load_start(batch, w, problem);
    bool is_sound = start_is_sound(w->pose) && snw__ik_goals_are_usable(w->ik, w->goals);
    if (is_sound) {
        (void)snw__ik_apply_limits(w->ik, w->pose);
        snw_pose_forward(w->pose);
    }
    if (!is_sound || snw__ik_is_out_of_reach(w->ik, w->goals, w->pose) ||
        snw__ik_excess(w->ik, w->goals, w->pose) <= 1) {
        solve_one(batch, w, problem);
        return false;
    }
    snw__batch_lm_put(w->lanes, lane, w->ik, w->goals, w->pose);
    return true;
}

/* The worst goal's residual: metres, or radians where its turn is worse. */
static double worst_residual(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose)
{
    double worst = -1, residual = 0;
    for (int g = 0; g < ik->goal_count; g++) {
        snw__ik_error error = snw__ik_goal_error(ik, &goals[g], pose);
        double excess = snw__ik_error_excess(ik, error);
        if (!(excess > worst)) continue;
        worst = excess;
        residual = snw__ik_worse_half(ik, error);
    }
    return residual;
}

/* An answer counts when it holds in doubles, inside the limits; else the scalar solve tries. */
static void take_from_lane(const snw_ik_batch *batch, batch_worker *w, int lane, int problem)
{
    bool has_reached = snw__batch_lm_state_of(w->lanes, lane) == SNW__BATCH_LM_REACHED;
    if (has_reached) {
        load_start(batch, w, problem);
        snw__batch_lm_take(w->lanes, lane, w->ik, w->pose);
        (void)snw__ik_apply_limits(w->ik, w->pose);
        snw_pose_forward(w->pose);
        has_reached = start_is_sound(w->pose) && snw__ik_excess(w->ik, w->goals, w->pose) <= 1;
    }
    snw__batch_lm_drop(w->lanes, lane);
    if (!has_reached) {
        solve_one(batch, w, problem);
        return;
    }
    store_answer(batch, w, problem);
    note(batch, w, problem, SNW_IK_REACHED, worst_residual(w->ik, w->goals, w->pose));
}

static void solve_refilled(const snw_ik_batch *batch, batch_worker *w, int first, int end)
{
    int problem[SNW__BATCH_LM_LANES] = {0};
    for (;;) {
        bool is_busy = false;
        for (int lane = 0; lane < SNW__BATCH_LM_LANES; lane++) {
            snw__batch_lm_state state = snw__batch_lm_state_of(w->lanes, lane);
            if (state == SNW__BATCH_LM_REACHED || state == SNW__BATCH_LM_LOST)
                take_from_lane(batch, w, lane, problem[lane]);
            else if (state == SNW__BATCH_LM_BUSY)
                is_busy = true;
            if (state == SNW__BATCH_LM_BUSY) continue;
            while (first < end && !put_into_lane(batch, w, lane, first))
                first++;
            if (first == end) continue;
            problem[lane] = first++;
            is_busy = true;
        }
        if (!is_busy) return;
        (void)snw__batch_lm_iterate(w->lanes, batch->use_avx2);
    }
}

/* ---- all ---- */

/* Items are groups of eight problems, so that groups are the same however they are shared out. */
static void solve_groups(void *context, int first, int end, int worker)
{
    snw_ik_batch *batch = context;
    batch_worker *w = &batch->worker[worker];
    int last = batch->job->problem_count;
    if (batch->has_lm) {
        int behind = end > last / BATCH_LANES ? last : end * BATCH_LANES;
        solve_refilled(batch, w, first * BATCH_LANES, behind);
        return;
    }
    for (int group = first; group < end; group++) {
        int from = group * BATCH_LANES;
        int count = last - from < BATCH_LANES ? last - from : BATCH_LANES;
        if (batch->has_kernel)
            solve_group(batch, w, from, count);
        else
            for (int p = from; p < from + count; p++)
                solve_one(batch, w, p);
    }
}

static snw_status check_job(const snw_ik_batch *batch, const snw_ik_batch_job *job,
                            snw_error *error)
{
    const char *missing = NULL;
    if (!job || job->problem_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a batch needs a job of 0 problems or more");
    if (job->problem_count == 0) return SNW_OK;
    if (batch->needs_root && !job->root) missing = "root (the root is free)";
    if (batch->needs_slide && !job->slide) missing = "slide (a joint above a goal slides)";
    if (!job->rotation) missing = "rotation";
    if (batch->goal_count > 0 && !job->target) missing = "target";
    if (!missing) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT, "the job of a batch lacks its array %s", missing);
}

snw_status snw_ik_batch_solve(snw_ik_batch *batch, snw_xform root, const snw_ik_batch_job *job,
                              int *reached, snw_error *error)
{
    int sum = 0;
    if (reached) *reached = 0;
    snw_status status = check_job(batch, job, error);
    if (status != SNW_OK) return status;
    /* Not (count + 7) / 8, which overflows. */
    int groups = job->problem_count / BATCH_LANES + (job->problem_count % BATCH_LANES > 0);
    int range = batch->has_kernel || batch->has_lm ? BATCH_RANGE : 1;
    batch->job = job;
    batch->root = root;
    for (int w = 0; w < batch->worker_count; w++)
        batch->worker[w].reached = 0;
    if (groups == 0)
        ;
    else if (batch->enqueue)
        batch->finish(batch->task_user,
                      batch->enqueue(batch->task_user, solve_groups, batch, groups, range));
    else if (batch->threads && groups > 1)
        snw__batch_threads_run(batch->threads, solve_groups, batch, groups, range);
    else
        solve_groups(batch, 0, groups, 0);
    for (int w = 0; w < batch->worker_count; w++)
        sum += batch->worker[w].reached;
    if (reached) *reached = sum;
    return snw__succeed(error);
}
