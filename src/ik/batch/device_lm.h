/* A batch on an OpenCL device: the problems that batch_lm.h serves, one in each work item.
 * Internal. */
#ifndef SNW_IK_DEVICE_LM_H
#define SNW_IK_DEVICE_LM_H

#include "ik/batch/batch_kernel.h"
#include "ik/batch/batch_lm.h"
#include "ik/batch/opencl.h"

typedef struct snw__device_lm snw__device_lm;

enum {
    SNW__DEVICE_GROUP = 64, /* work items of a group of a graphics processor */
    SNW__DEVICE_STAGE =
        8192, /* floats that every group has room for (OpenCL 1.2, table 4.3: 32 kB) */
    SNW__DEVICE_SHAPES = 128, /* of a body and its world */
    SNW__DEVICE_UNSOUND = 255 /* as an outcome: numbers that cannot be worked with */
};

/* Starts of a problem in the first of two rounds: what most problems need. [measured] */
#define SNW__DEVICE_FIRST_STARTS 2

/* Rows of a jacobian that the items of a group lay side by side; 0: one item is a group. */
static inline int snw__device_stage_rows(int dofs)
{
    int rows = SNW__DEVICE_STAGE / (SNW__DEVICE_GROUP * (dofs + 1));
    return rows >= 6 ? 6 : rows >= 3 ? 3 : rows;
}

/* Opens the device and builds its program for the goals of `ik`. `choice`: as
 * snw_ik_batch_options.device. *out is NULL where the processor is asked for. */
snw_status snw__device_lm_create(const snw_ik *ik, const char *choice, int start_count,
                                 const snw_allocator *allocator, snw__device_lm **out,
                                 snw_error *error);
/* The same for the clearance of the goals of `ik` that are apart, and for nothing else. */
snw_status snw__device_shapes_create(const snw_ik *ik, const char *choice,
                                     const snw_allocator *allocator, snw__device_lm **out,
                                     snw_error *error);
void snw__device_lm_destroy(snw__device_lm *device);
const char *snw__device_lm_name(const snw__device_lm *device);
/* The job of the batch; what the device cannot work with, and what it did not reach where
 * `is_polished`, goes to worker 0. An error: the sentence says which call failed, and problems may
 * be solved or not. */
snw_status snw__device_lm_solve(snw__device_lm *device, const snw_ik_batch *batch, bool is_polished,
                                snw_error *error);
/* One differential step of every pose; UNSUPPORTED where joints are balls. */
snw_status snw__device_lm_step(snw__device_lm *device, const snw_ik_batch *batch, snw_error *error);
/* Frames and jacobians of the goals in the poses of the batch's job. */
snw_status snw__device_lm_forward(snw__device_lm *device, const snw_ik_batch *batch,
                                  const snw_ik_batch_frames *frames, snw_error *error);
/* Of every pose the clearance of goals that are apart, on a device that was made for shapes. */
snw_status snw__device_lm_clearance(snw__device_lm *device, const snw_ik_batch *batch,
                                    float *clearance, snw_error *error);
/* Memory of the device, or of the host but fast to copy; released with it; or NULL. */
void *snw__device_lm_memory(snw__device_lm *device, size_t size, bool is_on_device);
snw_status snw__device_lm_copy(snw__device_lm *device, void *buffer, void *memory, size_t size,
                               bool is_in, snw_error *error);

#ifdef SNW__HAS_DEVICE
/* Shapes of goals that are apart, each once. */
typedef struct snw__device_shapes {
    int count;
    int joint[SNW__DEVICE_SHAPES]; /* -1: of the world */
    const snw_shape *shape[SNW__DEVICE_SHAPES];
    const snw_goal *goal; /* (goal_count) as given */
    int goal_count;
} snw__device_shapes;

/* False where a goal's shapes are not points, segments and planes, or too many. */
bool snw__device_shapes_of(const snw_goal *goals, int count, snw__device_shapes *shapes);
/* Where the shape that the joint carries stands in the list, or -1. */
int snw__device_shapes_find(const snw__device_shapes *shapes, int joint, const snw_shape *shape);

/* device_lm_source.c, device_lm_kernels.c, device_shapes.c: pieces, the last one NULL */
extern const char *const snw__device_forward_source[],
    *const snw__device_step_source[], *const snw__device_reach_source[],
                                          *const snw__device_pose_source[],
                                              *const snw__device_ends_source[],
                                                  *const snw__device_shapes_source[];
/* device_lm_text.c: the whole program, of solves or, not NULL, of shapes; to be released with its
 * size, or NULL without memory. */
char *snw__device_lm_text(const snw_ik *ik, const snw__batch_lm_plan *plan,
                          const snw__device_shapes *shapes, const snw__opencl *cl,
                          const snw_allocator *allocator, size_t *size);
#endif

#endif
