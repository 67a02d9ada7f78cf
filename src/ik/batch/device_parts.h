/* What the two halves of a device share: device_lm.c makes and releases it, device_work.c sends
 * work through it. Internal. */
#ifndef SNW_IK_DEVICE_PARTS_H
#define SNW_IK_DEVICE_PARTS_H

#include "ik/batch/device_lm.h"

#ifdef SNW__HAS_DEVICE

/* Fresh starts of a problem, twice those of the lanes. [measured] 24 leave 15 of 100 000 poses of a
 * Panda, 48 fewer than 1. */
#define DEVICE_STARTS (2 * SNW__BATCH_LM_STARTS)

enum {
    /* Problems of a part: fewer leave the device idle at their end, more leave the copies alone. */
    DEVICE_PART = 1 << 18,
    DEVICE_SETS = 2,
    DEVICE_PIECES_MAX = 32
};

/* Memory handed out. */
typedef struct device_piece {
    snw__cl buffer;
    void *mapped; /* on the host, or NULL */
} device_piece;

/* Arrays of a part on the device, in the order of `arrays_of`; what is not in the job is empty. */
typedef enum device_array {
    DEVICE_TARGET,
    DEVICE_ORIENTATION,
    DEVICE_WEIGHT,
    DEVICE_ROOT,
    DEVICE_ROTATION,
    DEVICE_SLIDE,
    DEVICE_VALUE,
    DEVICE_RESIDUAL,
    DEVICE_FRAME,
    DEVICE_JACOBIAN,
    DEVICE_OUTCOME,
    DEVICE_COMMON, /* the root of all, and the pace of a step */
    DEVICE_RATE,   /* most that each coordinate may move in a step */
    DEVICE_START,
    DEVICE_GOALS,
    DEVICE_ANSWER,
    DEVICE_ENERGY,
    DEVICE_WINNER,
    DEVICE_QUEUE, /* tasks handed out in the first and second round, problems left for it */
    DEVICE_REMAINING,
    DEVICE_PLACE, /* of a problem among those left */
    DEVICE_ARRAYS
} device_array;

typedef enum device_kernel {
    DEVICE_BEGIN,
    DEVICE_REACH,
    DEVICE_FINISH,
    DEVICE_FRAMES,
    DEVICE_STEP,
    DEVICE_CLEARANCE, /* of a device for shapes, which has no other */
    DEVICE_KERNELS
} device_kernel;

typedef struct device_set {
    snw__cl queue;
    snw__cl kernel[DEVICE_KERNELS]; /* arguments belong to a kernel object */
    snw__cl array[DEVICE_ARRAYS];
    size_t size[DEVICE_ARRAYS];
    snw__cl used[DEVICE_ARRAYS]; /* by this part: its own, or the caller's */
    bool is_whole;               /* the part is a job that lies on the device */
    uint8_t *outcome;            /* (DEVICE_PART) of the part on its way */
    float common[12];
    int first, count; /* of the part; 0: nothing on its way */
} device_set;

struct snw__device_lm {
    snw__opencl cl;
    snw_allocator allocator;
    snw__block plan_block;
    snw__batch_lm_plan plan;
    int rate_count; /* coordinates of the skeleton */
    bool has_ball;
    int state; /* floats of a pose: coordinates and free balls */
    snw__cl program, scatter;
    device_set set[DEVICE_SETS];
    device_piece piece[DEVICE_PIECES_MAX];
    int piece_count;
    uint8_t outcomes[DEVICE_SETS][DEVICE_PART];
};

snw_status snw__device_call_failed(const snw__device_lm *device, const char *what, snw__cl_int code,
                                   snw_error *error);

#endif
#endif
