/* A batch as its kernels see it, and what a kernel is: one row of functions. Internal.
 *
 * A kernel serves some problems faster than one by one: eight at a time in lanes, on a device. It
 * is one file: does it fit, what memory does it take, solve a range. What it cannot finish it hands
 * to snw__batch_solve_one, so that success is the same. Its row stands in batch.c. */
#ifndef SNW_IK_BATCH_KERNEL_H
#define SNW_IK_BATCH_KERNEL_H

#include "ik/batch/batch_threads.h"
#include "ik/batch/lanes.h"
#include "ik/core/method.h"

/* Problems of a group, one for each lane: groups are the same however they are shared out. */
enum {
    SNW__BATCH_LANES = 8,
    SNW__BATCH_APART = 128 /* bytes: two lines, which processors fetch together */
};
/* Finest tolerance, in body sizes and in radians, that kernels in floats serve: eight times their
 * round-off. Finer, all answers would have to be solved a second time. */
#define SNW__BATCH_FINEST 4e-6

/* What a worker works with. */
typedef struct snw__batch_worker {
    snw_ik *ik;
    snw_pose *pose;
    snw_goal *goals;  /* (goal_count) */
    double *jacobian; /* (3 x dof_count) */
    void *memory;     /* of the kernel, or NULL */
    int reached;
    char apart[SNW__BATCH_APART]; /* so that no two workers write to one line of a cache */
} snw__batch_worker;

typedef struct snw__batch_kernel {
    bool (*fits)(const snw_ik *ik, int start_count);
    /* Twice, as layouts are. Returns what all workers share (NULL while measuring) and fills
     * memory (worker_count; NULL while measuring) with what each has for itself. */
    void *(*layout)(const snw_ik *ik, int start_count, int worker_count, void **memory,
                    snw__block *block);
    /* Problems first to end - 1; first is the first of a group. */
    void (*solve)(const snw_ik_batch *batch, snw__batch_worker *worker, int first, int end);
} snw__batch_kernel;

struct snw_ik_batch {
    const snw_skeleton *skeleton;
    int goal_count;
    const snw__batch_kernel *kernel; /* or NULL: one by one */
    void *plan;                      /* of the kernel */
    snw__lanes_set set;
    bool needs_slide; /* a joint above a goal slides */
    bool needs_root;  /* the root is solved for */
    int start_count;
    int worker_count;
    snw__batch_worker *worker; /* (worker_count) */
    snw_task_enqueue *enqueue;
    snw_task_finish *finish;
    void *task_user;
    snw__batch_threads *threads; /* or NULL: the caller's thread does it all */
    snw_allocator allocator;
    size_t block_size;
    struct snw__device_lm *device; /* or NULL: the processor */
    struct snw__device_lm *shapes; /* the device that tells clearances, or NULL */
    bool is_polished;
    char trouble[160];                 /* why the processor solves what a device was asked for */
    const snw_ik_batch_job *job;       /* of this solve */
    const snw_ik_batch_frames *frames; /* that are asked for */
    float *clearance;                  /* that is asked for */
    snw_ik_batch_pace pace;            /* of a step, its defaults filled in */
    snw_xform root;                    /* of this solve */
};

/* ---- what kernels share ---------------------------------------------------------------------- */

static inline snw_vec3 snw__batch_vec3(const float *v)
{
    return snw_vec3_make(v[0], v[1], v[2]);
}

static inline void snw__batch_put_vec3(float *to, snw_vec3 v)
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static inline void snw__batch_put_quat(float *to, snw_quat q)
{
    to[0] = (float)q.w;
    to[1] = (float)q.x;
    to[2] = (float)q.y;
    to[3] = (float)q.z;
}

/* Where the body of a problem stands. */
snw_xform snw__batch_root_of(const snw_ik_batch *batch, int problem);
/* One joint of the worker's pose as the problem has it, and as its answer. */
void snw__batch_load_joint(const snw_ik_batch *batch, snw_pose *pose, int problem, int joint);
void snw__batch_store_joint(const snw_ik_batch *batch, const snw_pose *pose, int problem,
                            int joint);
/* Goals of the worker as the problem has them. */
void snw__batch_load_goals(const snw_ik_batch *batch, snw__batch_worker *w, int problem);
/* Pose and goals of the worker as the problem starts; the pose as its answer. */
void snw__batch_load_start(const snw_ik_batch *batch, snw__batch_worker *w, int problem);
void snw__batch_store_answer(const snw_ik_batch *batch, const snw__batch_worker *w, int problem);
/* How it came out. */
void snw__batch_note(const snw_ik_batch *batch, snw__batch_worker *w, int problem,
                     snw_ik_outcome outcome, double residual);
/* By how much the worst goal misses its tolerance in the answer as it was stored, 1: just not.
 * NaN where the answer is. */
double snw__batch_answer_excess(const snw_ik_batch *batch, snw__batch_worker *w, int problem);
/* One differential step at the pace of the batch. */
void snw__batch_step_one(const snw_ik_batch *batch, snw__batch_worker *w, int problem);
/* In doubles, as snw_ik_solve does. */
void snw__batch_solve_one(const snw_ik_batch *batch, snw__batch_worker *w, int problem);

#endif
