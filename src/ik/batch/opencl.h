/* The OpenCL loader, opened at run time: the library neither builds with it nor needs it. Internal.
 *
 * Types and numbers are those of the OpenCL 1.2 specification (Khronos 2012, appendix A: they are
 * the same on every platform); only what is called here stands here. */
#ifndef SNW_IK_OPENCL_H
#define SNW_IK_OPENCL_H

#include <sinew/base.h>

#if defined(__unix__) && !defined(__wasi__) && !defined(SINEW_NO_DEVICE)
#define SNW__HAS_DEVICE
#endif

#ifdef SNW__HAS_DEVICE

typedef struct snw__cl_object *snw__cl; /* platforms, devices, contexts, buffers, ... are handles */
typedef int32_t snw__cl_int;
typedef uint32_t snw__cl_uint;
typedef uint64_t snw__cl_bits;

enum {
    SNW__CL_SUCCESS = 0,
    SNW__CL_DEVICE_TYPE_GPU = 4,
    SNW__CL_DEVICE_TYPE = 0x1000,
    SNW__CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    SNW__CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    SNW__CL_DEVICE_NAME = 0x102b,
    SNW__CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    SNW__CL_PROGRAM_BUILD_LOG = 0x1183,
    SNW__CL_MEM_READ_WRITE = 1,
    SNW__CL_MEM_ALLOC_HOST_PTR = 16,
    SNW__CL_MAP_READ_WRITE = 3,
    SNW__CL_WRONG_ANSWERS = -10000 /* ours: every call succeeds, and what comes back is wrong */
};
#define SNW__CL_DEVICE_TYPE_ALL 0xffffffffu

/* What is called, by its name in the specification: result, name, parameters. */
#define SNW__CL_CALLS(X)                                                                           \
    X(snw__cl_int, GetPlatformIDs, (snw__cl_uint, snw__cl *, snw__cl_uint *))                      \
    X(snw__cl_int, GetDeviceIDs, (snw__cl, snw__cl_bits, snw__cl_uint, snw__cl *, snw__cl_uint *)) \
    X(snw__cl_int, GetDeviceInfo, (snw__cl, snw__cl_uint, size_t, void *, size_t *))               \
    X(snw__cl, CreateContext,                                                                      \
      (const intptr_t *, snw__cl_uint, const snw__cl *, void *, void *, snw__cl_int *))            \
    X(snw__cl, CreateCommandQueue, (snw__cl, snw__cl, snw__cl_bits, snw__cl_int *))                \
    X(snw__cl, CreateProgramWithSource,                                                            \
      (snw__cl, snw__cl_uint, const char **, const size_t *, snw__cl_int *))                       \
    X(snw__cl_int, BuildProgram,                                                                   \
      (snw__cl, snw__cl_uint, const snw__cl *, const char *, void *, void *))                      \
    X(snw__cl_int, GetProgramBuildInfo,                                                            \
      (snw__cl, snw__cl, snw__cl_uint, size_t, void *, size_t *))                                  \
    X(snw__cl, CreateKernel, (snw__cl, const char *, snw__cl_int *))                               \
    X(snw__cl_int, SetKernelArg, (snw__cl, snw__cl_uint, size_t, const void *))                    \
    X(snw__cl, CreateBuffer, (snw__cl, snw__cl_bits, size_t, void *, snw__cl_int *))               \
    X(snw__cl_int, EnqueueWriteBuffer,                                                             \
      (snw__cl, snw__cl, snw__cl_uint, size_t, size_t, const void *, snw__cl_uint,                 \
       const snw__cl *, snw__cl *))                                                                \
    X(snw__cl_int, EnqueueReadBuffer,                                                              \
      (snw__cl, snw__cl, snw__cl_uint, size_t, size_t, void *, snw__cl_uint, const snw__cl *,      \
       snw__cl *))                                                                                 \
    X(void *, EnqueueMapBuffer,                                                                    \
      (snw__cl, snw__cl, snw__cl_uint, snw__cl_bits, size_t, size_t, snw__cl_uint,                 \
       const snw__cl *, snw__cl *, snw__cl_int *))                                                 \
    X(snw__cl_int, EnqueueUnmapMemObject,                                                          \
      (snw__cl, snw__cl, void *, snw__cl_uint, const snw__cl *, snw__cl *))                        \
    X(snw__cl_int, EnqueueNDRangeKernel,                                                           \
      (snw__cl, snw__cl, snw__cl_uint, const size_t *, const size_t *, const size_t *,             \
       snw__cl_uint, const snw__cl *, snw__cl *))                                                  \
    X(snw__cl_int, Flush, (snw__cl))                                                               \
    X(snw__cl_int, Finish, (snw__cl))                                                              \
    X(snw__cl_int, ReleaseMemObject, (snw__cl))                                                    \
    X(snw__cl_int, ReleaseKernel, (snw__cl))                                                       \
    X(snw__cl_int, ReleaseProgram, (snw__cl))                                                      \
    X(snw__cl_int, ReleaseCommandQueue, (snw__cl))                                                 \
    X(snw__cl_int, ReleaseContext, (snw__cl))

typedef struct snw__opencl {
    void *library;
#define SNW__CL_FIELD(result, name, parameters) result(*name) parameters;
    SNW__CL_CALLS(SNW__CL_FIELD)
#undef SNW__CL_FIELD
    snw__cl device, context;
    char name[96]; /* of the device */
    snw__cl_uint unit_count;
    snw__cl_bits buffer_max; /* bytes of one buffer */
    bool is_gpu, has_double;
} snw__opencl;

/* Opens the loader and device number `which` over all platforms (-1: the first processor for
 * graphics; UNSUPPORTED where there is none). The sentence says what is missing. */
snw_status snw__opencl_open(snw__opencl *cl, int which, snw_error *error);
void snw__opencl_close(snw__opencl *cl);
/* "out of memory" and the like. */
const char *snw__opencl_reason(snw__cl_int code);

#endif
#endif
