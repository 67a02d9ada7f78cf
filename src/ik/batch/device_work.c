/* Work on a device: parts of a job, and the kernels of device_lm_source.c on each. Two sets of
 * buffers with a queue each take the parts in turn, so that one part is copied while the other is
 * solved; each part alone is solved the same way wherever it falls. */
#include "ik/batch/device_parts.h"

#ifdef SNW__HAS_DEVICE

#include <string.h>

#include "base/fail.h"

/* Work items of each compute unit of a graphics processor: as many as hide the latency of its
 * memory at the registers an arm takes. [measured] on an H200. */
#define DEVICE_ITEMS 1024
/* Tolerances by which an answer may miss when it is rounded to floats. [chosen] far above what
 * rounding does (at most 1.5 at the finest tolerance), far below what a wrong driver does. */
#define DEVICE_MISS 10

enum {
    DEVICE_SAMPLES = 8,    /* answers of a part that are looked at again */
    DEVICE_PIECE = 1 << 27 /* bytes; every device has buffers of that (OpenCL 1.2, table 4.3) */
};

/* ---- a part --------------------------------------------------------------------------------- */

typedef struct device_field {
    const void *in; /* of the caller, or NULL */
    void *out;
    size_t width; /* bytes of a problem; 0: the array is of one size */
    int flag;     /* of `has` in the kernels */
} device_field;

/* What is asked of the device: a job, as arrays in the order of device_array. */
typedef struct device_work {
    const snw_ik_batch *batch;
    device_field field[DEVICE_OUTCOME + 1];
    enum {
        DEVICE_ASKS_FRAMES,
        DEVICE_ASKS_CLEARANCE,
        DEVICE_ASKS_STEP, /* this and what follows has answers and outcomes */
        DEVICE_ASKS_ANSWERS
    } asked;
    bool is_polished;
    int part; /* problems of a part, at most */
} device_work;

static snw__cl_int make_all_room(const snw__device_lm *device, device_set *set,
                                 const device_field *fields, int count, int seeds)
{
    const snw__opencl *cl = &device->cl;
    bool is_whole = set->is_whole;
    size_t n = (size_t)count, tasks = n * (size_t)seeds, state = (size_t)device->state * 4;
    if (seeds == 1) tasks += n; /* the second round's */
    size_t size[DEVICE_ARRAYS] = {[DEVICE_COMMON] = sizeof set->common,
                                  [DEVICE_RATE] = (size_t)device->rate_count * 4,
                                  [DEVICE_START] = n * state,
                                  [DEVICE_ANSWER] = tasks * state,
                                  [DEVICE_ENERGY] = tasks * 4,
                                  [DEVICE_WINNER] = n * 4,
                                  [DEVICE_QUEUE] = 12,
                                  [DEVICE_REMAINING] = n * 4,
                                  [DEVICE_PLACE] = n * 4,
                                  [DEVICE_GOALS] = n * (size_t)device->plan.goal_count * 36};
    snw__cl_int code = SNW__CL_SUCCESS;
    for (int a = 0; a < DEVICE_ARRAYS && code == SNW__CL_SUCCESS; a++) {
        if (a <= DEVICE_OUTCOME)
            size[a] =
                fields[a].in || fields[a].out || a == DEVICE_OUTCOME ? n * fields[a].width : 0;
        set->used[a] = NULL;
        if (a <= DEVICE_OUTCOME && is_whole)
            set->used[a] = fields[a].in ? (snw__cl)(uintptr_t)fields[a].in : fields[a].out;
        if (set->used[a]) continue;
        /* A kernel's argument must be a buffer even where nothing is. */
        if (size[a] < 16) size[a] = 16;
        if (set->size[a] < size[a]) {
            if (set->array[a]) (void)cl->ReleaseMemObject(set->array[a]);
            set->size[a] = 0;
            set->array[a] =
                cl->CreateBuffer(cl->context, SNW__CL_MEM_READ_WRITE, size[a], NULL, &code);
            if (code == SNW__CL_SUCCESS) set->size[a] = size[a];
        }
        set->used[a] = set->array[a];
    }
    return code;
}

/* One kernel: its buffers, then its numbers, then its items. */
typedef struct device_call {
    int kernel;
    int arrays[12];
    int array_count;
    int numbers[4];
    int number_count;
    size_t items;
    size_t group_most; /* 0: SNW__DEVICE_GROUP */
} device_call;

static snw__cl_int run_kernel(const snw__device_lm *device, device_set *set,
                              const device_call *call)
{
    const snw__opencl *cl = &device->cl;
    snw__cl kernel = set->kernel[call->kernel];
    size_t group = !cl->is_gpu ? 1 : call->group_most ? call->group_most : SNW__DEVICE_GROUP;
    size_t items = (call->items + group - 1) / group * group;
    snw__cl_int code = SNW__CL_SUCCESS;
    snw__cl_uint at = 0;
    for (int a = 0; a < call->array_count && code == SNW__CL_SUCCESS; a++)
        code =
            cl->SetKernelArg(kernel, at++, sizeof(snw__cl),
                             call->arrays[a] < 0 ? &device->scatter : &set->used[call->arrays[a]]);
    for (int k = 0; k < call->number_count && code == SNW__CL_SUCCESS; k++)
        code = cl->SetKernelArg(kernel, at++, sizeof(int), &call->numbers[k]);
    if (code != SNW__CL_SUCCESS) return code;
    return cl->EnqueueNDRangeKernel(set->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
}

static snw__cl_int run_begin(const snw__device_lm *device, device_set *set, int has)
{
    int n = set->count;
    const device_call begin = {DEVICE_BEGIN,
                               {DEVICE_TARGET, DEVICE_ORIENTATION, DEVICE_WEIGHT, DEVICE_ROOT,
                                DEVICE_COMMON, DEVICE_ROTATION, DEVICE_SLIDE, DEVICE_VALUE,
                                DEVICE_START, DEVICE_GOALS, DEVICE_WINNER, DEVICE_QUEUE},
                               12,
                               {n, has},
                               2,
                               (size_t)n,
                               0};
    return run_kernel(device, set, &begin);
}

static snw__cl_int run_finish(const snw__device_lm *device, device_set *set, int seeds, int has)
{
    int n = set->count;
    const device_call finish = {DEVICE_FINISH,
                                {DEVICE_GOALS, DEVICE_ANSWER, DEVICE_ENERGY, DEVICE_WINNER,
                                 DEVICE_QUEUE, DEVICE_PLACE, DEVICE_ROTATION, DEVICE_SLIDE,
                                 DEVICE_VALUE, DEVICE_RESIDUAL, DEVICE_OUTCOME},
                                11,
                                {n, seeds, has},
                                3,
                                (size_t)n,
                                0};
    return run_kernel(device, set, &finish);
}

static snw__cl_int run_kernels(const snw__device_lm *device, device_set *set, int has, int seeds)
{
    const snw__opencl *cl = &device->cl;
    bool has_rounds = seeds == 1 && device->plan.start_count <= SNW__DEVICE_FIRST_STARTS;
    int n = set->count, end = has_rounds ? SNW__DEVICE_FIRST_STARTS : DEVICE_STARTS + 1;
    size_t tasks = (size_t)n * (size_t)seeds;
    size_t room = cl->is_gpu ? (size_t)cl->unit_count * DEVICE_ITEMS : cl->unit_count;
    size_t items = tasks < room ? tasks : room;
    device_call reach = {DEVICE_REACH,
                         {DEVICE_START, DEVICE_GOALS, -1, DEVICE_ANSWER, DEVICE_ENERGY,
                          DEVICE_WINNER, DEVICE_QUEUE, DEVICE_REMAINING, DEVICE_PLACE},
                         9,
                         {n, seeds, end, 0},
                         4,
                         items,
                         0};
    snw__cl_int code = run_begin(device, set, has);
    if (code == SNW__CL_SUCCESS) code = run_kernel(device, set, &reach);
    reach.numbers[2] = DEVICE_STARTS + 1;
    reach.numbers[3] = 1;
    if (code == SNW__CL_SUCCESS && has_rounds) code = run_kernel(device, set, &reach);
    return code == SNW__CL_SUCCESS ? run_finish(device, set, seeds, has) : code;
}

static snw__cl_int run_frames(const snw__device_lm *device, device_set *set, int dofs, int has)
{
    const device_call frames = {DEVICE_FRAMES,
                                {DEVICE_ROOT, DEVICE_COMMON, DEVICE_ROTATION, DEVICE_SLIDE,
                                 DEVICE_VALUE, DEVICE_FRAME, DEVICE_JACOBIAN},
                                7,
                                {set->count, has},
                                2,
                                (size_t)set->count,
                                snw__device_stage_rows(dofs) ? 0 : 1};
    return run_kernel(device, set, &frames);
}

static snw__cl_int run_step(const snw__device_lm *device, device_set *set, int has)
{
    const device_call step = {DEVICE_STEP,
                              {DEVICE_START, DEVICE_GOALS, DEVICE_COMMON, DEVICE_RATE,
                               DEVICE_ANSWER, DEVICE_ENERGY, DEVICE_WINNER},
                              7,
                              {set->count},
                              1,
                              (size_t)set->count,
                              0};
    snw__cl_int code = run_begin(device, set, has);
    if (code == SNW__CL_SUCCESS) code = run_kernel(device, set, &step);
    return code == SNW__CL_SUCCESS ? run_finish(device, set, 1, has) : code;
}

static snw__cl_int run_clearance(const snw__device_lm *device, device_set *set, int has)
{
    const device_call clearance = {
        DEVICE_CLEARANCE,
        {DEVICE_ROOT, DEVICE_COMMON, DEVICE_ROTATION, DEVICE_SLIDE, DEVICE_VALUE, DEVICE_FRAME},
        6,
        {set->count, has},
        2,
        (size_t)set->count,
        0};
    return run_kernel(device, set, &clearance);
}

static snw__cl_int run_asked(const snw__device_lm *device, device_set *set, const device_work *work,
                             int has, int seeds)
{
    switch (work->asked) {
    case DEVICE_ASKS_ANSWERS:
        return run_kernels(device, set, has, seeds);
    case DEVICE_ASKS_STEP:
        return run_step(device, set, has);
    case DEVICE_ASKS_CLEARANCE:
        return run_clearance(device, set, has);
    default:
        return run_frames(device, set, work->batch->skeleton->dof_count, has);
    }
}

/* What all problems of a part share: where the body stands, and the pace of a step. */
static void put_common(device_set *set, const snw_ik_batch *batch)
{
    const snw_xform *root = &batch->root;
    const snw_ik_batch_pace *pace = &batch->pace;
    const double common[] = {root->rotation.x,
                             root->rotation.y,
                             root->rotation.z,
                             root->rotation.w,
                             root->translation.x,
                             root->translation.y,
                             root->translation.z,
                             0,
                             fmin(1, pace->gain * pace->dt),
                             pace->damping,
                             pace->dt,
                             pace->velocity != NULL};
    for (size_t k = 0; k < sizeof common / sizeof *common; k++)
        set->common[k] = (float)common[k];
}

/* Sends a part on its way: in, the kernels, out. */
static snw__cl_int start_part(const snw__device_lm *device, device_set *set,
                              const device_work *work)
{
    const snw__opencl *cl = &device->cl;
    const device_field *fields = work->field;
    size_t first = (size_t)set->first, n = (size_t)set->count;
    int seeds = 1, has = 0;
    /* Starts of a problem that are tried at the same time: as many as keep a graphics processor
     * busy with few problems. */
    if (work->asked == DEVICE_ASKS_ANSWERS && cl->is_gpu && device->plan.start_count <= 1) {
        seeds = (int)cl->unit_count * DEVICE_ITEMS / set->count;
        seeds = seeds < 1 ? 1 : seeds > DEVICE_STARTS + 1 ? DEVICE_STARTS + 1 : seeds;
    }
    put_common(set, work->batch);
    snw__cl_int code = make_all_room(device, set, fields, set->count, seeds);
    if (code == SNW__CL_SUCCESS)
        code = cl->EnqueueWriteBuffer(set->queue, set->array[DEVICE_COMMON], 0, 0,
                                      sizeof set->common, set->common, 0, NULL, NULL);
    if (code == SNW__CL_SUCCESS && work->batch->pace.velocity && work->asked == DEVICE_ASKS_STEP)
        code = cl->EnqueueWriteBuffer(set->queue, set->array[DEVICE_RATE], 0, 0,
                                      (size_t)device->rate_count * 4, work->batch->pace.velocity, 0,
                                      NULL, NULL);
    for (int a = 0; a < DEVICE_OUTCOME && code == SNW__CL_SUCCESS; a++) {
        if (fields[a].in || fields[a].out) has |= fields[a].flag;
        if (!fields[a].in || set->is_whole) continue;
        code = cl->EnqueueWriteBuffer(set->queue, set->array[a], 0, 0, n * fields[a].width,
                                      (const char *)fields[a].in + first * fields[a].width, 0, NULL,
                                      NULL);
    }
    if (code == SNW__CL_SUCCESS) code = run_asked(device, set, work, has, seeds);
    for (int a = 0; a < DEVICE_OUTCOME && code == SNW__CL_SUCCESS; a++)
        if (fields[a].out && !set->is_whole)
            code = cl->EnqueueReadBuffer(set->queue, set->array[a], 0, 0, n * fields[a].width,
                                         (char *)fields[a].out + first * fields[a].width, 0, NULL,
                                         NULL);
    if (code == SNW__CL_SUCCESS && !set->is_whole && work->asked >= DEVICE_ASKS_STEP)
        code = cl->EnqueueReadBuffer(set->queue, set->array[DEVICE_OUTCOME], 0, 0, n, set->outcome,
                                     0, NULL, NULL);
    return code == SNW__CL_SUCCESS ? cl->Flush(set->queue) : code;
}

/* Do answers that the device calls reached hold? A few of each part are looked at in doubles: a
 * driver that translates the kernels wrongly has wrong answers everywhere. */
static bool samples_hold(const device_set *set, const snw_ik_batch *batch)
{
    int step = set->count / DEVICE_SAMPLES > 1 ? set->count / DEVICE_SAMPLES : 1;
    for (int k = 0; k < set->count; k += step)
        if (set->outcome[k] == SNW_IK_REACHED &&
            !(snw__batch_answer_excess(batch, &batch->worker[0], set->first + k) <= DEVICE_MISS))
            return false;
    return true;
}

/* Waits for a part and tells how its problems came out. */
static snw__cl_int end_part(const snw__device_lm *device, device_set *set, const device_work *work)
{
    const snw_ik_batch *batch = work->batch;
    snw__cl_int code = device->cl.Finish(set->queue);
    uint8_t *told = batch->job->outcome;
    int reached = 0, count = set->count;
    if (code == SNW__CL_SUCCESS && work->asked >= DEVICE_ASKS_STEP && !set->is_whole &&
        !samples_hold(set, batch))
        code = SNW__CL_WRONG_ANSWERS;
    set->count = 0;
    if (code == SNW__CL_SUCCESS && set->is_whole && work->asked >= DEVICE_ASKS_STEP) {
        /* How many of a job that lies on the device reached; its outcomes come over in pieces. */
        for (int first = 0; first < count && code == SNW__CL_SUCCESS; first += DEVICE_PART) {
            int n = count - first < DEVICE_PART ? count - first : DEVICE_PART;
            code =
                device->cl.EnqueueReadBuffer(set->queue, set->used[DEVICE_OUTCOME], 1,
                                             (size_t)first, (size_t)n, set->outcome, 0, NULL, NULL);
            for (int k = 0; k < n && code == SNW__CL_SUCCESS; k++)
                reached += set->outcome[k] == SNW_IK_REACHED;
        }
    }
    if (code != SNW__CL_SUCCESS || work->asked < DEVICE_ASKS_STEP) return code;
    for (int k = 0; k < count && !set->is_whole; k++) {
        uint8_t outcome = set->outcome[k];
        reached += outcome == SNW_IK_REACHED;
        if (told) told[set->first + k] = outcome;
        if (outcome == SNW__DEVICE_UNSOUND && work->asked == DEVICE_ASKS_STEP)
            snw__batch_step_one(batch, &batch->worker[0], set->first + k);
        else if (outcome == SNW__DEVICE_UNSOUND || (outcome == SNW_IK_STALLED && work->is_polished))
            snw__batch_solve_one(batch, &batch->worker[0], set->first + k);
    }
    batch->worker[0].reached += reached;
    return code;
}

/* The arrays that poses come in, and go out in where they are answers. */
static void put_poses(device_work *work, bool is_answer)
{
    const snw_ik_batch *batch = work->batch;
    const snw_ik_batch_job *job = batch->job;
    size_t joints = (size_t)batch->skeleton->joint_count;
    bool has_value = job->value != NULL;
    float *rotation = has_value ? NULL : job->rotation;
    float *slide = batch->needs_slide && !has_value ? job->slide : NULL;
    device_field *field = work->field;
    field[DEVICE_ROOT] = (device_field){job->root, NULL, 28, 8};
    field[DEVICE_ROTATION] = (device_field){rotation, is_answer ? rotation : NULL, joints * 16, 1};
    field[DEVICE_SLIDE] = (device_field){slide, is_answer ? slide : NULL, joints * 12, 2};
    field[DEVICE_VALUE] = (device_field){job->value, is_answer ? job->value : NULL,
                                         (size_t)batch->skeleton->dof_count * 4, 4};
}

/* All parts of the work, two on their way at a time. */
static snw__cl_int do_work(snw__device_lm *device, const device_work *work)
{
    const snw_ik_batch_job *job = work->batch->job;
    snw__cl_int code = SNW__CL_SUCCESS;
    int turn = 0;
    for (int first = 0; first < job->problem_count && code == SNW__CL_SUCCESS; turn = 1 - turn) {
        device_set *set = &device->set[turn];
        int left = job->problem_count - first;
        if (set->count > 0) code = end_part(device, set, work);
        if (code != SNW__CL_SUCCESS) break;
        set->first = first;
        set->is_whole = job->is_on_device;
        set->count = left < work->part || set->is_whole ? left : work->part;
        first += set->count;
        code = start_part(device, set, work);
    }
    for (int s = 0; s < DEVICE_SETS; s++, turn = 1 - turn) {
        device_set *set = &device->set[turn];
        snw__cl_int end = SNW__CL_SUCCESS;
        if (set->count > 0) end = end_part(device, set, work);
        if (code == SNW__CL_SUCCESS) code = end;
    }
    return code;
}

/* The arrays of a job whose poses are answers. */
static void put_job(device_work *work)
{
    const snw_ik_batch_job *job = work->batch->job;
    size_t goals = (size_t)work->batch->goal_count;
    put_poses(work, true);
    work->field[DEVICE_TARGET] = (device_field){job->target, NULL, goals * 12, 0};
    work->field[DEVICE_ORIENTATION] = (device_field){job->orientation, NULL, goals * 16, 16};
    work->field[DEVICE_WEIGHT] = (device_field){job->weight, NULL, goals * 4, 32};
    work->field[DEVICE_RESIDUAL] = (device_field){NULL, job->residual, 4, 64};
    work->field[DEVICE_OUTCOME] =
        (device_field){NULL, job->is_on_device ? job->outcome : NULL, 1, 0};
}

snw_status snw__device_lm_solve(snw__device_lm *device, const snw_ik_batch *batch, bool is_polished,
                                snw_error *error)
{
    device_work work = {.batch = batch,
                        .asked = DEVICE_ASKS_ANSWERS,
                        .is_polished = is_polished,
                        .part = DEVICE_PART};
    put_job(&work);
    snw__cl_int code = do_work(device, &work);
    return code == SNW__CL_SUCCESS ? SNW_OK
                                   : snw__device_call_failed(device, "solve a batch", code, error);
}

snw_status snw__device_lm_step(snw__device_lm *device, const snw_ik_batch *batch, snw_error *error)
{
    device_work work = {.batch = batch, .asked = DEVICE_ASKS_STEP, .part = DEVICE_PART};
    if (device->has_ball)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "steps on a device are for bodies without ball joints");
    put_job(&work);
    snw__cl_int code = do_work(device, &work);
    return code == SNW__CL_SUCCESS ? SNW_OK
                                   : snw__device_call_failed(device, "step a batch", code, error);
}

snw_status snw__device_lm_forward(snw__device_lm *device, const snw_ik_batch *batch,
                                  const snw_ik_batch_frames *frames, snw_error *error)
{
    size_t goals = (size_t)batch->goal_count;
    size_t width = goals * 24 * (size_t)batch->skeleton->dof_count;
    device_work work = {.batch = batch, .part = DEVICE_PART};
    /* Jacobians of a part fit into what a device gives in one piece. */
    while (frames->jacobian && (size_t)work.part * width > DEVICE_PIECE &&
           work.part > SNW__DEVICE_GROUP)
        work.part /= 2;
    put_poses(&work, false);
    work.field[DEVICE_FRAME] = (device_field){NULL, frames->frame, goals * 28, 128};
    work.field[DEVICE_JACOBIAN] = (device_field){NULL, frames->jacobian, width, 256};
    snw__cl_int code = do_work(device, &work);
    return code == SNW__CL_SUCCESS ? SNW_OK
                                   : snw__device_call_failed(device, "place goals", code, error);
}

snw_status snw__device_lm_clearance(snw__device_lm *device, const snw_ik_batch *batch,
                                    float *clearance, snw_error *error)
{
    device_work work = {.batch = batch, .asked = DEVICE_ASKS_CLEARANCE, .part = DEVICE_PART};
    put_poses(&work, false);
    work.field[DEVICE_FRAME] = (device_field){NULL, clearance, 4, 0};
    snw__cl_int code = do_work(device, &work);
    return code == SNW__CL_SUCCESS ? SNW_OK
                                   : snw__device_call_failed(device, "part shapes", code, error);
}

#endif
