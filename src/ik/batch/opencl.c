/* Finds a device: the loader (an ICD loader as every vendor and Debian's ocl-icd install it), its
 * platforms, their devices in the order the loader has them. */
#include "ik/batch/opencl.h"

#ifdef SNW__HAS_DEVICE

#include <dlfcn.h>
#include <string.h>

#include "base/fail.h"

enum {
    OPENCL_PLATFORMS_MAX = 16,
    OPENCL_DEVICES_MAX = 64
};

const char *snw__opencl_reason(snw__cl_int code)
{
    static const struct {
        snw__cl_int code;
        const char *text;
    } reasons[] = {{-1, "no device found"},
                   {-2, "device not available"},
                   {-4, "out of device memory"},
                   {-5, "out of resources: lost or busy"},
                   {-6, "out of host memory"},
                   {-11, "the program does not build"},
                   {-36, "the device was lost"},
                   {-52, "wrong kernel arguments"},
                   {-54, "wrong work group size"},
                   {-61, "buffer too large"},
                   {-1001, "no driver installed"},
                   {SNW__CL_WRONG_ANSWERS, "its answers do not hold, a wrong driver"}};
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
        if (reasons[k].code == code) return reasons[k].text;
    return "an error of the driver";
}

static snw_status load_calls(snw__opencl *cl, snw_error *error)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so"};
    for (size_t k = 0; k < sizeof names / sizeof *names && !cl->library; k++)
        cl->library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    if (!cl->library)
        return snw__fail(error, SNW_UNSUPPORTED, "no OpenCL loader (libOpenCL.so.1) is installed");
        /* POSIX has functions fit into what dlsym returns. */
#define OPENCL_LOAD(result, name, parameters)                                               \
    {                                                                                       \
        void *symbol = dlsym(cl->library, "cl" #name);                                      \
        if (!symbol)                                                                        \
            return snw__fail(error, SNW_UNSUPPORTED,                                        \
                             "the OpenCL loader has no cl" #name ": it is older than 1.2"); \
        memcpy(&cl->name, &symbol, sizeof symbol);                                          \
    }
    SNW__CL_CALLS(OPENCL_LOAD)
#undef OPENCL_LOAD
    return SNW_OK;
}

/* Devices of all platforms; returns how many. */
static int list_devices(const snw__opencl *cl, snw__cl devices[OPENCL_DEVICES_MAX])
{
    snw__cl platform[OPENCL_PLATFORMS_MAX];
    snw__cl_uint platforms = 0;
    int count = 0;
    if (cl->GetPlatformIDs(OPENCL_PLATFORMS_MAX, platform, &platforms) != SNW__CL_SUCCESS) return 0;
    for (snw__cl_uint p = 0; p < platforms && p < OPENCL_PLATFORMS_MAX; p++) {
        snw__cl_uint found = 0, room = (snw__cl_uint)(OPENCL_DEVICES_MAX - count);
        if (room == 0 || cl->GetDeviceIDs(platform[p], SNW__CL_DEVICE_TYPE_ALL, room,
                                          devices + count, &found) != SNW__CL_SUCCESS)
            continue;
        count += (int)(found < room ? found : room);
    }
    return count;
}

static bool is_for_graphics(const snw__opencl *cl, snw__cl device)
{
    snw__cl_bits type = 0;
    snw__cl_int code = cl->GetDeviceInfo(device, SNW__CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return code == SNW__CL_SUCCESS && (type & SNW__CL_DEVICE_TYPE_GPU);
}

snw_status snw__opencl_open(snw__opencl *cl, int which, snw_error *error)
{
    snw__cl devices[OPENCL_DEVICES_MAX];
    snw__cl_int code = SNW__CL_SUCCESS;
    memset(cl, 0, sizeof *cl);
    snw_status status = load_calls(cl, error);
    if (status != SNW_OK) {
        snw__opencl_close(cl);
        return status;
    }
    int count = list_devices(cl, devices), chosen = which;
    for (int d = 0; which < 0 && d < count && chosen < 0; d++)
        if (is_for_graphics(cl, devices[d])) chosen = d;
    if (chosen < 0 || chosen >= count) {
        snw__opencl_close(cl);
        if (which < 0)
            return snw__fail(error, SNW_UNSUPPORTED,
                             "none of the %d OpenCL devices is a graphics processor", count);
        return snw__fail(error, SNW_UNSUPPORTED, "there is no OpenCL device %d: %d were found",
                         which, count);
    }
    cl->device = devices[chosen];
    snw__cl_bits doubles = 0;
    size_t size = 0;
    memset(cl->name, 0, sizeof cl->name);
    if (cl->GetDeviceInfo(cl->device, SNW__CL_DEVICE_NAME, sizeof cl->name - 1, cl->name, &size) !=
        SNW__CL_SUCCESS)
        memcpy(cl->name, "nameless", sizeof "nameless");
    for (char *c = cl->name; *c; c++) /* it reaches terminals */
        if (*c < ' ' || *c > '~') *c = '?';
    cl->unit_count = 1;
    cl->buffer_max = 1 << 27; /* what every device has (OpenCL 1.2, table 4.3) */
    (void)cl->GetDeviceInfo(cl->device, SNW__CL_DEVICE_MAX_COMPUTE_UNITS, sizeof cl->unit_count,
                            &cl->unit_count, NULL);
    (void)cl->GetDeviceInfo(cl->device, SNW__CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof cl->buffer_max,
                            &cl->buffer_max, NULL);
    (void)cl->GetDeviceInfo(cl->device, SNW__CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles,
                            NULL);
    cl->has_double = doubles != 0;
    cl->is_gpu = is_for_graphics(cl, cl->device);
    cl->context = cl->CreateContext(NULL, 1, &cl->device, NULL, NULL, &code);
    if (cl->context) return SNW_OK;
    status = snw__fail(error, SNW_UNSUPPORTED, "the OpenCL device \"%s\" cannot be used: %s (%d)",
                       cl->name, snw__opencl_reason(code), (int)code);
    snw__opencl_close(cl);
    return status;
}

void snw__opencl_close(snw__opencl *cl)
{
    if (cl->context) (void)cl->ReleaseContext(cl->context);
    /* The loader stays: drivers keep threads and handlers at exit that must find their code. */
    cl->context = NULL;
    cl->library = NULL;
}

#endif
