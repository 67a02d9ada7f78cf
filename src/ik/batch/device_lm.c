/* A batch on an OpenCL device: the device, its program, its memory. What is done with it is in
 * device_work.c. */
#include "ik/batch/device_lm.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "ik/batch/device_parts.h"

#ifdef SNW__HAS_DEVICE

/* ---- life ----------------------------------------------------------------------------------- */

snw_status snw__device_call_failed(const snw__device_lm *device, const char *what, snw__cl_int code,
                                   snw_error *error)
{
    return snw__fail(error, SNW_UNSUPPORTED, "the OpenCL device \"%s\" could not %s: %s (%d)",
                     device->cl.name, what, snw__opencl_reason(code), (int)code);
}

typedef struct plan_layout {
    snw__batch_lm_plan *plan;
    const snw_ik *ik;
    int start_count;
} plan_layout;

static void lay_out_plan(void *object, snw__block *block)
{
    const plan_layout *layout = object;
    snw__batch_lm_plan_layout(layout->plan, layout->ik, layout->start_count, DEVICE_STARTS, block);
}

static snw_status build_program(snw__device_lm *device, const snw_ik *ik,
                                const snw__device_shapes *shapes, snw_error *error)
{
    const snw__opencl *cl = &device->cl;
    size_t size = 0;
    snw__cl_int code = SNW__CL_SUCCESS;
    char *text = snw__device_lm_text(ik, &device->plan, shapes, cl, &device->allocator, &size);
    if (!text) return snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for a device's program");
    const char *one = text;
    device->program = cl->CreateProgramWithSource(cl->context, 1, &one, NULL, &code);
    if (code == SNW__CL_SUCCESS)
        code = cl->BuildProgram(device->program, 1, &cl->device, "-w -cl-mad-enable", NULL, NULL);
    snw__release(&device->allocator, text, size);
    if (code == SNW__CL_SUCCESS) return SNW_OK;
    char log[400] = {0};
    if (device->program)
        (void)cl->GetProgramBuildInfo(device->program, cl->device, SNW__CL_PROGRAM_BUILD_LOG,
                                      sizeof log - 1, log, NULL);
    for (char *c = log; *c; c++)
        if (*c < ' ' || *c > '~') *c = ' ';
    return snw__fail(error, SNW_UNSUPPORTED,
                     "the OpenCL device \"%s\" could not build its program: %s (%d) %.200s",
                     cl->name, snw__opencl_reason(code), (int)code, log);
}

/* The fresh starts of the plan as poses of the kernels. */
static snw_status put_scatter(snw__device_lm *device, snw_error *error)
{
    const snw__batch_lm_plan *plan = &device->plan;
    const snw__opencl *cl = &device->cl;
    size_t size = (size_t)DEVICE_STARTS * (size_t)device->state * sizeof(float);
    float *all = snw__allocate(&device->allocator, size), *to = all;
    snw__cl_int code = SNW__CL_SUCCESS;
    if (!all) return snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for a device's starts");
    for (int s = 0; s < DEVICE_STARTS; s++) {
        memcpy(to, plan->scatter + (size_t)s * (size_t)plan->coordinate_count,
               (size_t)plan->coordinate_count * sizeof *to);
        to += plan->coordinate_count;
        for (int k = 0; k < plan->joint_count; k++) {
            if (plan->joint[k].kind != SNW__BATCH_LM_FREE_BALL) continue;
            const float *wxyz =
                plan->scatter_turn + ((size_t)s * (size_t)plan->joint_count + (size_t)k) * 4;
            const float xyzw[4] = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
            memcpy(to, xyzw, sizeof xyzw);
            to += 4;
        }
    }
    device->scatter = cl->CreateBuffer(cl->context, SNW__CL_MEM_READ_WRITE, size, NULL, &code);
    if (code == SNW__CL_SUCCESS)
        code = cl->EnqueueWriteBuffer(device->set[0].queue, device->scatter, 1, 0, size, all, 0,
                                      NULL, NULL);
    snw__release(&device->allocator, all, size);
    return code == SNW__CL_SUCCESS
               ? SNW_OK
               : snw__device_call_failed(device, "take its starts", code, error);
}

/* What a device is made for. */
typedef struct device_purpose {
    const snw_ik *ik;
    const snw__device_shapes *shapes; /* or NULL: to solve */
    int start_count;
} device_purpose;

static snw_status create_parts(snw__device_lm *device, const device_purpose *purpose,
                               snw_error *error)
{
    static const char *const names[DEVICE_KERNELS] = {"begin",  "reach",  "finish",
                                                      "frames", "differ", "clearance"};
    const snw__opencl *cl = &device->cl;
    plan_layout layout = {&device->plan, purpose->ik, purpose->start_count};
    snw_status status = snw__block_create(&device->plan_block, lay_out_plan, &layout,
                                          &device->allocator, "a device's plan", error);
    if (status != SNW_OK) return status;
    device->state = device->plan.coordinate_count;
    device->rate_count = purpose->ik->skeleton->dof_count;
    for (int k = 0; k < device->plan.joint_count; k++) {
        bool is_free = device->plan.joint[k].kind == SNW__BATCH_LM_FREE_BALL;
        device->has_ball |= is_free || device->plan.joint[k].kind == SNW__BATCH_LM_BALL;
        if (is_free) device->state += 4;
    }
    status = build_program(device, purpose->ik, purpose->shapes, error);
    for (int s = 0; s < DEVICE_SETS && status == SNW_OK; s++) {
        device_set *set = &device->set[s];
        snw__cl_int code = SNW__CL_SUCCESS;
        set->outcome = device->outcomes[s];
        set->queue = cl->CreateCommandQueue(cl->context, cl->device, 0, &code);
        for (int k = 0; k < DEVICE_KERNELS && code == SNW__CL_SUCCESS; k++)
            if ((k == DEVICE_CLEARANCE) == (purpose->shapes != NULL))
                set->kernel[k] = cl->CreateKernel(device->program, names[k], &code);
        if (code != SNW__CL_SUCCESS)
            status = snw__device_call_failed(device, "make its kernels", code, error);
    }
    return status == SNW_OK && !purpose->shapes ? put_scatter(device, error) : status;
}

/* "opencl" and "opencl:0" the first device, "auto" the first graphics processor (-1). */
static bool read_choice(const char *choice, int *which)
{
    *which = choice[0] == 'a' ? -1 : 0;
    if (strcmp(choice, "auto") == 0 || strcmp(choice, "opencl") == 0) return true;
    if (strncmp(choice, "opencl:", 7) != 0 || choice[7] == 0) return false;
    for (const char *c = choice + 7; *c; c++) {
        if (*c < '0' || *c > '9' || *which > 999) return false;
        *which = *which * 10 + (*c - '0');
    }
    return true;
}

static snw_status create_device(const device_purpose *purpose, int which,
                                const snw_allocator *memory, snw__device_lm **out, snw_error *error)
{
    const snw_ik *ik = purpose->ik;
    bool fits = snw__batch_lm_fits(ik);
    /* Universals whose axes are not at right angles have no formula in the kernels. */
    for (int j = 0; j < ik->skeleton->joint_count && fits; j++)
        fits = ik->joint[j].type != SNW_JOINT_UNIVERSAL ||
               fabs(snw_vec3_dot(ik->joint[j].axis, ik->joint[j].axis2)) < 1e-6;
    if (!fits)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "these goals, joints or options are not for a device");
    snw__device_lm *device = snw__allocate(memory, sizeof *device);
    if (!device) return snw__fail(error, SNW_OUT_OF_MEMORY, "no memory for a device");
    device->allocator = *memory;
    snw_status status = snw__opencl_open(&device->cl, which, error);
    if (status == SNW_OK) status = create_parts(device, purpose, error);
    if (status == SNW_OK)
        *out = device;
    else
        snw__device_lm_destroy(device);
    return status;
}

/* SNW_OK with `is_asked` false where the processor is asked for. */
static snw_status read_device(const char *choice, bool *is_asked, int *which, snw_error *error)
{
    *is_asked = choice && strcmp(choice, "cpu") != 0;
    if (!*is_asked || read_choice(choice, which)) return SNW_OK;
    return snw__fail(error, SNW_INVALID_ARGUMENT,
                     "there is no device \"%s\": cpu, auto, opencl or opencl:NUMBER", choice);
}

snw_status snw__device_lm_create(const snw_ik *ik, const char *choice, int start_count,
                                 const snw_allocator *allocator, snw__device_lm **out,
                                 snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    device_purpose purpose = {ik, NULL, start_count};
    bool is_asked;
    int which = 0;
    *out = NULL;
    snw_status status = read_device(choice, &is_asked, &which, error);
    return is_asked && status == SNW_OK ? create_device(&purpose, which, &memory, out, error)
                                        : status;
}

/* Places of the joints that carry shapes and have none below them, so that the plan of a solve with
 * these goals has all joints that move shapes. */
static int put_carriers(const snw_skeleton *skeleton, const snw__device_shapes *shapes,
                        snw_goal goals[SNW__DEVICE_SHAPES])
{
    snw_vec3 zero = snw_vec3_make(0, 0, 0);
    int count = 0;
    for (int j = skeleton->joint_count - 1; j >= 0; j--) {
        bool is_carrier = false, is_covered = false, has_mover = false;
        for (int s = 0; s < shapes->count; s++)
            is_carrier |= shapes->joint[s] == j;
        for (int g = 0; g < count; g++)
            for (int k = goals[g].joint; k >= 0; k = skeleton->parent[k])
                is_covered |= k == j;
        for (int k = j; k >= 0; k = skeleton->parent[k])
            has_mover |= snw_joint_type_dof(skeleton->joint[k].type) > 0;
        if (is_carrier && has_mover && !is_covered)
            goals[count++] = snw_goal_position(j, zero, zero);
    }
    return count;
}

snw_status snw__device_shapes_create(const snw_ik *ik, const char *choice,
                                     const snw_allocator *allocator, snw__device_lm **out,
                                     snw_error *error)
{
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_goal goals[SNW__DEVICE_SHAPES];
    snw__device_shapes shapes;
    snw_ik *carrier = NULL;
    bool is_asked;
    int which = 0;
    *out = NULL;
    snw_status status = read_device(choice, &is_asked, &which, error);
    if (!is_asked || status != SNW_OK) return status;
    if (!snw__device_shapes_of(ik->goal, ik->goal_count, &shapes))
        return snw__fail(error, SNW_UNSUPPORTED,
                         "shapes on a device are spheres, capsules and planes, at most %d",
                         SNW__DEVICE_SHAPES);
    int count = put_carriers(ik->skeleton, &shapes, goals);
    status = snw_ik_create(&(snw_ik_problem){ik->skeleton, goals, count}, NULL, &memory, &carrier,
                           error);
    device_purpose purpose = {carrier, &shapes, 1};
    if (status == SNW_OK) status = create_device(&purpose, which, &memory, out, error);
    snw_ik_destroy(carrier);
    return status;
}

void snw__device_lm_destroy(snw__device_lm *device)
{
    if (!device) return;
    const snw__opencl *cl = &device->cl;
    for (int s = 0; s < DEVICE_SETS; s++) {
        device_set *set = &device->set[s];
        if (set->queue) (void)cl->Finish(set->queue);
        for (int a = 0; a < DEVICE_ARRAYS; a++)
            if (set->array[a]) (void)cl->ReleaseMemObject(set->array[a]);
        for (int k = 0; k < DEVICE_KERNELS; k++)
            if (set->kernel[k]) (void)cl->ReleaseKernel(set->kernel[k]);
    }
    for (int k = 0; k < device->piece_count; k++) {
        device_piece *piece = &device->piece[k];
        if (piece->mapped)
            (void)cl->EnqueueUnmapMemObject(device->set[0].queue, piece->buffer, piece->mapped, 0,
                                            NULL, NULL);
        (void)cl->Finish(device->set[0].queue);
        (void)cl->ReleaseMemObject(piece->buffer);
    }
    if (device->scatter) (void)cl->ReleaseMemObject(device->scatter);
    for (int s = 0; s < DEVICE_SETS; s++)
        if (device->set[s].queue) (void)cl->ReleaseCommandQueue(device->set[s].queue);
    if (device->program) (void)cl->ReleaseProgram(device->program);
    snw__opencl_close(&device->cl);
    snw_allocator memory = device->allocator;
    snw__block_release(&memory, &device->plan_block);
    snw__release(&memory, device, sizeof *device);
}

const char *snw__device_lm_name(const snw__device_lm *device)
{
    return device->cl.name;
}

void *snw__device_lm_memory(snw__device_lm *device, size_t size, bool is_on_device)
{
    const snw__opencl *cl = &device->cl;
    snw__cl_bits kind = SNW__CL_MEM_READ_WRITE | (is_on_device ? 0 : SNW__CL_MEM_ALLOC_HOST_PTR);
    snw__cl_int code = SNW__CL_SUCCESS;
    device_piece piece = {0};
    if (device->piece_count == DEVICE_PIECES_MAX || size == 0) return NULL;
    piece.buffer = cl->CreateBuffer(cl->context, kind, size, NULL, &code);
    if (code == SNW__CL_SUCCESS && !is_on_device)
        piece.mapped = cl->EnqueueMapBuffer(device->set[0].queue, piece.buffer, 1,
                                            SNW__CL_MAP_READ_WRITE, 0, size, 0, NULL, NULL, &code);
    if (code != SNW__CL_SUCCESS) {
        if (piece.buffer) (void)cl->ReleaseMemObject(piece.buffer);
        return NULL;
    }
    device->piece[device->piece_count++] = piece;
    return is_on_device ? (void *)piece.buffer : piece.mapped;
}

snw_status snw__device_lm_copy(snw__device_lm *device, void *buffer, void *memory, size_t size,
                               bool is_in, snw_error *error)
{
    snw__cl queue = device->set[0].queue;
    snw__cl_int code =
        is_in ? device->cl.EnqueueWriteBuffer(queue, buffer, 1, 0, size, memory, 0, NULL, NULL)
              : device->cl.EnqueueReadBuffer(queue, buffer, 1, 0, size, memory, 0, NULL, NULL);
    return code == SNW__CL_SUCCESS ? SNW_OK
                                   : snw__device_call_failed(device, "copy a buffer", code, error);
}

#else

snw_status snw__device_lm_create(const snw_ik *ik, const char *choice, int start_count,
                                 const snw_allocator *allocator, snw__device_lm **out,
                                 snw_error *error)
{
    (void)ik, (void)start_count, (void)allocator;
    *out = NULL;
    if (!choice || strcmp(choice, "cpu") == 0) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED, "this build of the library opens no OpenCL devices");
}

void snw__device_lm_destroy(snw__device_lm *device)
{
    (void)device;
}

const char *snw__device_lm_name(const snw__device_lm *device)
{
    (void)device;
    return "";
}

snw_status snw__device_lm_solve(snw__device_lm *device, const snw_ik_batch *batch, bool is_polished,
                                snw_error *error)
{
    (void)device, (void)batch, (void)is_polished;
    return snw__fail(error, SNW_UNSUPPORTED, "this build of the library opens no OpenCL devices");
}

snw_status snw__device_lm_step(snw__device_lm *device, const snw_ik_batch *batch, snw_error *error)
{
    return snw__device_lm_solve(device, batch, false, error);
}

snw_status snw__device_lm_forward(snw__device_lm *device, const snw_ik_batch *batch,
                                  const snw_ik_batch_frames *frames, snw_error *error)
{
    (void)frames;
    return snw__device_lm_solve(device, batch, false, error);
}

snw_status snw__device_shapes_create(const snw_ik *ik, const char *choice,
                                     const snw_allocator *allocator, snw__device_lm **out,
                                     snw_error *error)
{
    return snw__device_lm_create(ik, choice, 1, allocator, out, error);
}

snw_status snw__device_lm_clearance(snw__device_lm *device, const snw_ik_batch *batch,
                                    float *clearance, snw_error *error)
{
    (void)clearance;
    return snw__device_lm_solve(device, batch, false, error);
}

void *snw__device_lm_memory(snw__device_lm *device, size_t size, bool is_on_device)
{
    (void)device, (void)size, (void)is_on_device;
    return NULL;
}

snw_status snw__device_lm_copy(snw__device_lm *device, void *buffer, void *memory, size_t size,
                               bool is_in, snw_error *error)
{
    (void)device, (void)buffer, (void)memory, (void)size, (void)is_in;
    return snw__fail(error, SNW_UNSUPPORTED, "this build of the library opens no OpenCL devices");
}

#endif
