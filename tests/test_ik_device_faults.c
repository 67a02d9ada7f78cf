/* A device that fails: every call of the OpenCL loader in turn, the loader itself, a driver that
 * answers wrongly. Each gives a sentence and the processor's answer, and nothing made on the device
 * is left behind. The loader here is a stand-in: its buffers are memory whose ends are checked, its
 * kernels do nothing. */
#include <dlfcn.h>

#include "batch_cases.h"
#include "ik/batch/opencl.h"

enum {
    PROBLEMS = 12,
    OBJECTS_MAX = 256
};

typedef enum stand_in_kind {
    STAND_IN_NONE,
    STAND_IN_CONTEXT,
    STAND_IN_QUEUE,
    STAND_IN_PROGRAM,
    STAND_IN_KERNEL,
    STAND_IN_BUFFER
} stand_in_kind;

typedef struct stand_in_object {
    stand_in_kind kind;
    size_t size;
    char *memory;
} stand_in_object;

/* What the stand-in is told to do, and what it saw. */
static struct {
    bool has_loader;
    const char *missing; /* a name that it does not have */
    int fail_at;         /* number of the call that fails; 0: none */
    int fail_code;
    int calls;
    char failed[32]; /* name of the call that did */
    stand_in_object object[OBJECTS_MAX];
    int object_count, alive;
} stand_in;

static int here; /* platform and device */

static snw__cl_int step(const char *name)
{
    stand_in.calls++;
    if (stand_in.calls != stand_in.fail_at) return SNW__CL_SUCCESS;
    (void)snprintf(stand_in.failed, sizeof stand_in.failed, "%s", name);
    return stand_in.fail_code;
}

static snw__cl make(const char *name, stand_in_kind kind, size_t size, snw__cl_int *code)
{
    *code = step(name);
    if (*code != SNW__CL_SUCCESS) return NULL;
    assert_true(stand_in.object_count < OBJECTS_MAX);
    stand_in_object *object = &stand_in.object[stand_in.object_count++];
    *object = (stand_in_object){kind, size, size ? calloc(size, 1) : NULL};
    assert_true(size == 0 || object->memory);
    stand_in.alive++;
    return (snw__cl)(void *)object;
}

static stand_in_object *object_of(snw__cl handle, stand_in_kind kind)
{
    stand_in_object *object = (stand_in_object *)(void *)handle;
    assert_true(object >= stand_in.object && object < stand_in.object + stand_in.object_count);
    assert_int_equal(object->kind, kind);
    return object;
}

static snw__cl_int release(snw__cl handle, stand_in_kind kind)
{
    stand_in_object *object = object_of(handle, kind);
    free(object->memory);
    *object = (stand_in_object){STAND_IN_NONE, 0, NULL};
    stand_in.alive--;
    return SNW__CL_SUCCESS;
}

/* ---- the calls ---------------------------------------------------------------------------------
 */

static snw__cl_int GetPlatformIDs(snw__cl_uint room, snw__cl *platform, snw__cl_uint *count)
{
    assert_true(room > 0);
    *platform = (snw__cl)(void *)&here;
    *count = 1;
    return step("GetPlatformIDs");
}

static snw__cl_int GetDeviceIDs(snw__cl platform, snw__cl_bits kind, snw__cl_uint room,
                                snw__cl *device, snw__cl_uint *count)
{
    assert_true(platform == (snw__cl)(void *)&here && kind != 0 && room > 0);
    *device = platform;
    *count = 1;
    return step("GetDeviceIDs");
}

static snw__cl_int GetDeviceInfo(snw__cl device, snw__cl_uint what, size_t room, void *to,
                                 size_t *size)
{
    assert_true(device == (snw__cl)(void *)&here && room > 0);
    memset(to, 0, room);
    if (what == SNW__CL_DEVICE_NAME) memcpy(to, "stand-in\x1b", 10);
    if (what == SNW__CL_DEVICE_MAX_COMPUTE_UNITS) *(unsigned char *)to = 2;
    if (size) *size = room;
    return step("GetDeviceInfo");
}

static snw__cl CreateContext(const intptr_t *properties, snw__cl_uint count, const snw__cl *device,
                             void *notify, void *user, snw__cl_int *code)
{
    assert_true(!properties && count == 1 && device && !notify && !user);
    return make("CreateContext", STAND_IN_CONTEXT, 0, code);
}

static snw__cl CreateCommandQueue(snw__cl context, snw__cl device, snw__cl_bits kind,
                                  snw__cl_int *code)
{
    (void)object_of(context, STAND_IN_CONTEXT);
    assert_true(device && kind == 0);
    return make("CreateCommandQueue", STAND_IN_QUEUE, 0, code);
}

static snw__cl CreateProgramWithSource(snw__cl context, snw__cl_uint count, const char **text,
                                       const size_t *length, snw__cl_int *code)
{
    (void)object_of(context, STAND_IN_CONTEXT);
    assert_true(count == 1 && !length && strstr(text[0], "kernel"));
    return make("CreateProgramWithSource", STAND_IN_PROGRAM, 0, code);
}

static snw__cl_int BuildProgram(snw__cl program, snw__cl_uint count, const snw__cl *device,
                                const char *options, void *notify, void *user)
{
    (void)object_of(program, STAND_IN_PROGRAM);
    assert_true(count == 1 && device && options && !notify && !user);
    return step("BuildProgram");
}

static snw__cl_int GetProgramBuildInfo(snw__cl program, snw__cl device, snw__cl_uint what,
                                       size_t room, void *to, size_t *size)
{
    (void)object_of(program, STAND_IN_PROGRAM);
    assert_true(device && what == SNW__CL_PROGRAM_BUILD_LOG && room > 30 && !size);
    memcpy(to, "line 1:\n\x1b[31mno such word", 25);
    return step("GetProgramBuildInfo");
}

static snw__cl CreateKernel(snw__cl program, const char *name, snw__cl_int *code)
{
    (void)object_of(program, STAND_IN_PROGRAM);
    assert_non_null(name);
    return make("CreateKernel", STAND_IN_KERNEL, 0, code);
}

static snw__cl_int SetKernelArg(snw__cl kernel, snw__cl_uint at, size_t size, const void *value)
{
    (void)object_of(kernel, STAND_IN_KERNEL);
    assert_true(at < 16 && size > 0 && value);
    if (size == sizeof(snw__cl)) {
        snw__cl buffer;
        memcpy(&buffer, value, sizeof buffer);
        (void)object_of(buffer, STAND_IN_BUFFER);
    }
    return step("SetKernelArg");
}

static snw__cl CreateBuffer(snw__cl context, snw__cl_bits kind, size_t size, void *from,
                            snw__cl_int *code)
{
    (void)object_of(context, STAND_IN_CONTEXT);
    assert_true(kind != 0 && size > 0 && !from);
    return make("CreateBuffer", STAND_IN_BUFFER, size, code);
}

static char *piece_of(snw__cl queue, snw__cl buffer, size_t first, size_t size)
{
    stand_in_object *object = object_of(buffer, STAND_IN_BUFFER);
    (void)object_of(queue, STAND_IN_QUEUE);
    assert_true(first <= object->size && size <= object->size - first);
    return object->memory + first;
}

static snw__cl_int EnqueueWriteBuffer(snw__cl queue, snw__cl buffer, snw__cl_uint waits,
                                      size_t first, size_t size, const void *from,
                                      snw__cl_uint count, const snw__cl *before, snw__cl *event)
{
    assert_true(waits < 2 && count == 0 && !before && !event);
    snw__cl_int code = step("EnqueueWriteBuffer");
    if (code == SNW__CL_SUCCESS) memcpy(piece_of(queue, buffer, first, size), from, size);
    return code;
}

static snw__cl_int EnqueueReadBuffer(snw__cl queue, snw__cl buffer, snw__cl_uint waits,
                                     size_t first, size_t size, void *to, snw__cl_uint count,
                                     const snw__cl *before, snw__cl *event)
{
    assert_true(waits < 2 && count == 0 && !before && !event);
    snw__cl_int code = step("EnqueueReadBuffer");
    if (code == SNW__CL_SUCCESS) memcpy(to, piece_of(queue, buffer, first, size), size);
    return code;
}

static void *EnqueueMapBuffer(snw__cl queue, snw__cl buffer, snw__cl_uint waits, snw__cl_bits kind,
                              size_t first, size_t size, snw__cl_uint count, const snw__cl *before,
                              snw__cl *event, snw__cl_int *code)
{
    assert_true(waits == 1 && kind == SNW__CL_MAP_READ_WRITE && count == 0 && !before && !event);
    *code = step("EnqueueMapBuffer");
    return *code == SNW__CL_SUCCESS ? piece_of(queue, buffer, first, size) : NULL;
}

static snw__cl_int EnqueueUnmapMemObject(snw__cl queue, snw__cl buffer, void *memory,
                                         snw__cl_uint count, const snw__cl *before, snw__cl *event)
{
    assert_true(memory == piece_of(queue, buffer, 0, 1) && count == 0 && !before && !event);
    return step("EnqueueUnmapMemObject");
}

static snw__cl_int EnqueueNDRangeKernel(snw__cl queue, snw__cl kernel, snw__cl_uint dimensions,
                                        const size_t *first, const size_t *items,
                                        const size_t *group, snw__cl_uint count,
                                        const snw__cl *before, snw__cl *event)
{
    (void)object_of(queue, STAND_IN_QUEUE);
    (void)object_of(kernel, STAND_IN_KERNEL);
    assert_true(dimensions == 1 && !first && *items > 0 && *items % *group == 0 && count == 0 &&
                !before && !event);
    return step("EnqueueNDRangeKernel");
}

static snw__cl_int Flush(snw__cl queue)
{
    (void)object_of(queue, STAND_IN_QUEUE);
    return step("Flush");
}

static snw__cl_int Finish(snw__cl queue)
{
    (void)object_of(queue, STAND_IN_QUEUE);
    return step("Finish");
}

static snw__cl_int ReleaseMemObject(snw__cl handle)
{
    return release(handle, STAND_IN_BUFFER);
}

static snw__cl_int ReleaseKernel(snw__cl handle)
{
    return release(handle, STAND_IN_KERNEL);
}

static snw__cl_int ReleaseProgram(snw__cl handle)
{
    return release(handle, STAND_IN_PROGRAM);
}

static snw__cl_int ReleaseCommandQueue(snw__cl handle)
{
    return release(handle, STAND_IN_QUEUE);
}

static snw__cl_int ReleaseContext(snw__cl handle)
{
    return release(handle, STAND_IN_CONTEXT);
}

/* The linker puts these in the place of the system's, for the library alone (tests/CMakeLists.txt).
 */
void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlopen(const char *name, int flags)
{
    assert_non_null(strstr(name, "OpenCL"));
    assert_true(flags & RTLD_LOCAL || flags & RTLD_NOW);
    return stand_in.has_loader ? &here : NULL;
}

void *__wrap_dlsym(void *library, const char *name)
{
    assert_ptr_equal(library, &here);
    if (stand_in.missing && strcmp(name, stand_in.missing) == 0) return NULL;
#define STAND_IN_CALL(result, call, parameters)    \
    if (strcmp(name, "cl" #call) == 0) {           \
        result(*function) parameters = call;       \
        void *symbol;                              \
        memcpy(&symbol, &function, sizeof symbol); \
        return symbol;                             \
    }
    SNW__CL_CALLS(STAND_IN_CALL)
#undef STAND_IN_CALL
    return NULL;
}

/* ---- what is tried -----------------------------------------------------------------------------
 */

static void begin(int fail_at, int fail_code)
{
    memset(&stand_in, 0, sizeof stand_in);
    stand_in.has_loader = true;
    stand_in.fail_at = fail_at;
    stand_in.fail_code = fail_code;
}

/* A batch with memory of its own is made, solved and destroyed; `told` is why the processor solved.
 */
static int run(batch_case *c, char told[160])
{
    snw_ik_batch *batch = NULL;
    snw_ik_problem problem = {c->body, c->goal, c->goal_count};
    int reached = 0;
    start_at_rest(c);
    assert_int_equal(snw_ik_batch_create(&problem, &c->options, NULL, &batch, NULL), SNW_OK);
    bool has_device = snw_ik_batch_device(batch)[0] != 0;
    if (has_device) {
        (void)snw_ik_batch_memory(batch, 64);
        (void)snw_ik_batch_buffer(batch, 64);
    }
    snw_ik_batch_job job = job_of(c);
    assert_int_equal(snw_ik_batch_solve(batch, snw_xform_identity(), &job, &reached, NULL), SNW_OK);
    (void)snprintf(told, 160, "%s", snw_ik_batch_trouble(batch));
    snw_ik_batch_destroy(batch);
    assert_int_equal(stand_in.alive, 0);
    return reached;
}

static batch_case faulty_case(void)
{
    batch_case c = case_of(&body_problems[4], PROBLEMS);
    c.options.device = "opencl";
    return c;
}

/* The processor's answers to the same problems. */
static void check_is_processors(const batch_case *c)
{
    batch_case plain = faulty_case();
    plain.options.device = NULL;
    assert_int_equal(solve_all(&plain), PROBLEMS);
    assert_memory_equal(c->rotation, plain.rotation,
                        PROBLEMS * (size_t)c->body->joint_count * 4 * sizeof(float));
    assert_memory_equal(c->outcome, plain.outcome, PROBLEMS);
    case_free(&plain);
}

static void check_sentence(const char *told)
{
    assert_non_null(strstr(told, "OpenCL"));
    for (const char *c = told; *c; c++)
        assert_true(*c >= ' ' && *c <= '~');
}

/* Kernels that do nothing leave the starts as answers, all "reached": they are not believed. */
static void a_wrong_driver_is_not_believed(void **state)
{
    (void)state;
    char told[160];
    batch_case c = faulty_case();
    begin(0, 0);
    assert_int_equal(run(&c, told), PROBLEMS);
    check_sentence(told);
    assert_non_null(strstr(told, "do not hold"));
    check_answers(&c);
    check_is_processors(&c);
    case_free(&c);
}

static void every_call_may_fail(void **state)
{
    static const int codes[] = {-4, -5, -11, -36, -9999};
    (void)state;
    char told[160];
    batch_case c = faulty_case();
    begin(0, 0);
    (void)run(&c, told);
    int calls = stand_in.calls, was_told = 0;
    assert_true(calls > 50);
    for (int at = 1; at <= calls; at++) {
        begin(at, codes[at % 5]);
        assert_int_equal(run(&c, told), PROBLEMS);
        check_sentence(told);
        check_is_processors(&c);
        was_told += strstr(told, "could not") != NULL;
    }
    /* All but those whose failure is harmless: what a device is called, what it was asked on the
     * way out, memory that the caller then takes elsewhere. */
    assert_true(was_told > calls / 2);
    case_free(&c);
}

static void a_build_that_fails_tells_the_log(void **state)
{
    (void)state;
    char told[160];
    batch_case c = faulty_case();
    for (int at = 1; strcmp(stand_in.failed, "BuildProgram") != 0; at++) {
        begin(at, -11);
        (void)run(&c, told);
    }
    assert_non_null(strstr(told, "does not build"));
    assert_non_null(strstr(told, "no such word"));
    check_sentence(told);
    case_free(&c);
}

static void loaders_that_are_none_are_told(void **state)
{
    (void)state;
    char told[160];
    batch_case c = faulty_case();
    begin(0, 0);
    stand_in.has_loader = false;
    (void)run(&c, told);
    assert_non_null(strstr(told, "no OpenCL loader"));
    check_is_processors(&c);
#define LACKS(result, call, parameters) "cl" #call,
    static const char *const names[] = {SNW__CL_CALLS(LACKS)};
#undef LACKS
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        begin(0, 0);
        stand_in.missing = names[k];
        (void)run(&c, told);
        assert_non_null(strstr(told, names[k]));
        check_is_processors(&c);
    }
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_driver_is_not_believed),
        cmocka_unit_test(every_call_may_fail),
        cmocka_unit_test(a_build_that_fails_tells_the_log),
        cmocka_unit_test(loaders_that_are_none_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
