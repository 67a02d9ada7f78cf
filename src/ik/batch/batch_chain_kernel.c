/* The row of the kernel for chains of free balls (batch_chain.c): groups of eight, each solved to
 * its end; what a lane leaves is solved one by one. */
#include <string.h>

#include "ik/batch/batch.h"
#include "ik/batch/batch_kernel.h"

typedef struct chain_memory {
    void *scratch;
    float *rotation; /* (8 x joint_count x 4) a last group that is not full */
    float *target;   /* (8 x 3) as the kernel sees them */
} chain_memory;

static bool chain_fits(const snw_ik *ik, int start_count)
{
    if (ik->skeleton->follower_count > 0 || start_count != 1) return false;
    return snw__batch_has_kernel() && !ik->prior && ik->goal_count == 1 &&
           ik->options.tolerance >= SNW__BATCH_FINEST &&
           (ik->options.solver == SNW_IK_AUTO || ik->options.solver == SNW_IK_DIRECTIONS) &&
           snw__bones_check(ik, false, NULL) == SNW_OK;
}

static void *chain_layout(const snw_ik *ik, int start_count, int worker_count, void **memory,
                          snw__block *block)
{
    size_t joints = (size_t)ik->skeleton->joint_count;
    /* The kernel's scratch is bounded by the joints of the body. */
    snw__batch_plan widest = {.path_count = ik->skeleton->joint_count}, fields = {0};
    snw__batch_plan *plan = snw__block_take(block, 1, sizeof *plan);
    (void)start_count;
    snw__batch_plan_layout(&fields, ik, block);
    if (plan) *plan = fields;
    for (int w = 0; w < worker_count; w++) {
        chain_memory own = {0}, *stored = snw__block_take(block, 1, sizeof *stored);
        own.scratch = snw__block_take(block, snw__batch_scratch_size(&widest), 1);
        own.rotation = snw__block_take(block, SNW__BATCH_LANES * 4 * joints, sizeof *own.rotation);
        own.target = snw__block_take(block, SNW__BATCH_LANES * 3, sizeof *own.target);
        if (!stored) continue;
        *stored = own;
        memory[w] = stored;
    }
    return plan;
}

/* The start of problem `from` + k as lane k has it; coordinates become rotations here. */
static void put_start(const snw_ik_batch *batch, snw__batch_worker *w, int problem, float *to)
{
    size_t joints = (size_t)batch->skeleton->joint_count;
    if (!batch->job->value) {
        memcpy(to, batch->job->rotation + (size_t)problem * joints * 4, joints * 4 * sizeof *to);
        return;
    }
    snw__batch_load_start(batch, w, problem);
    for (size_t j = 0; j < joints; j++)
        snw__batch_put_quat(to + 4 * j, w->pose->rotation[j]);
}

static void take_answer(const snw_ik_batch *batch, snw__batch_worker *w, int problem,
                        const float *from)
{
    size_t joints = (size_t)batch->skeleton->joint_count;
    if (!batch->job->value) {
        memcpy(batch->job->rotation + (size_t)problem * joints * 4, from,
               joints * 4 * sizeof *from);
        return;
    }
    snw__batch_load_start(batch, w, problem);
    for (size_t j = 0; j < joints; j++)
        w->pose->rotation[j] = snw_quat_normalize(
            snw_quat_make(from[4 * j], from[4 * j + 1], from[4 * j + 2], from[4 * j + 3]));
    snw__batch_store_answer(batch, w, problem);
}

static void chain_solve(const snw_ik_batch *batch, snw__batch_worker *w, int first, int end)
{
    for (int from = first; from < end; from += SNW__BATCH_LANES) {
        /* Up to eight problems from `first`; a group that is not full is filled up with copies.
         * Bodies that stand each in its own place are solved at the origin, with their targets
         * brought there. */
        int count = end - from < SNW__BATCH_LANES ? end - from : SNW__BATCH_LANES;
        chain_memory *own = w->memory;
        size_t stride = (size_t)batch->skeleton->joint_count * 4;
        const snw_ik_batch_job *job = batch->job;
        bool is_copied = job->value || count < SNW__BATCH_LANES;
        snw_xform root = job->root ? snw_xform_identity() : batch->root;
        snw__batch_lanes_job lanes = {.plan = batch->plan,
                                      .target = job->target + (size_t)from * 3,
                                      .rotation = is_copied ? own->rotation
                                                            : job->rotation + (size_t)from * stride,
                                      .scratch = own->scratch};
        snw__batch_put_quat(lanes.root_rotation, root.rotation);
        snw__batch_put_vec3(lanes.root_place, root.translation);
        for (int k = 0; k < SNW__BATCH_LANES && (job->root || count < SNW__BATCH_LANES); k++) {
            int copy = k < count ? k : 0;
            snw_vec3 target = snw__batch_vec3(job->target + (size_t)(from + copy) * 3);
            if (job->root)
                target = snw_xform_unpoint(snw__batch_root_of(batch, from + copy), target);
            snw__batch_put_vec3(own->target + (size_t)k * 3, target);
            lanes.target = own->target;
        }
        for (int k = 0; k < SNW__BATCH_LANES && is_copied; k++)
            put_start(batch, w, from + (k < count ? k : 0), own->rotation + (size_t)k * stride);
        snw__batch_solve_lanes(&lanes, batch->set);
        double tolerance = w->ik->options.tolerance * w->ik->size;
        for (int k = 0; k < count; k++) {
            double residual = lanes.residual[k];
            if (!lanes.solved[k]) {
                snw__batch_solve_one(batch, w, from + k);
                continue;
            }
            if (is_copied) take_answer(batch, w, from + k, own->rotation + (size_t)k * stride);
            snw__batch_note(batch, w, from + k,
                            residual <= tolerance ? SNW_IK_REACHED : SNW_IK_UNREACHABLE, residual);
        }
    }
}

const snw__batch_kernel snw__batch_chain_kernel = {chain_fits, chain_layout, chain_solve};
