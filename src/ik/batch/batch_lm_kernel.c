/* The row of the general kernel (batch_lm.c): eight problems at a time, each lane refilled as it
 * falls free. */
#include "ik/batch/batch_kernel.h"
#include "ik/batch/batch_lm.h"

static bool lm_fits(const snw_ik *ik, int start_count)
{
    (void)start_count;
    return snw__batch_lm_fits(ik);
}

static void *lm_layout(const snw_ik *ik, int start_count, int worker_count, void **memory,
                       snw__block *block)
{
    snw__batch_lm_plan fields = {0}, *plan = snw__block_take(block, 1, sizeof *plan);
    snw__batch_lm_plan_layout(&fields, ik, start_count, SNW__BATCH_LM_STARTS, block);
    if (plan) *plan = fields;
    for (int w = 0; w < worker_count; w++) {
        void *lanes = snw__batch_lm_lanes_layout(plan ? plan : &fields, block);
        if (plan) memory[w] = lanes;
    }
    return plan;
}

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
static bool put_into_lane(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem)
{
    snw__batch_load_start(batch, w, problem);
    bool is_sound = start_is_sound(w->pose) && snw__ik_goals_are_usable(w->ik, w->goals);
    if (is_sound) {
        (void)snw__ik_apply_limits(w->ik, w->pose);
        snw_pose_forward(w->pose);
    }
    if (!is_sound || snw__ik_is_out_of_reach(w->ik, w->goals, w->pose) ||
        snw__ik_excess(w->ik, w->goals, w->pose) <= 1) {
        snw__batch_solve_one(batch, w, problem);
        return false;
    }
    snw__batch_lm_put(w->memory, lane, w->ik, w->goals, w->pose);
    return true;
}

/* An answer counts when it holds in doubles, inside the limits; else the scalar solve tries. */
static void take_from_lane(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem)
{
    bool has_reached = snw__batch_lm_state_of(w->memory, lane) == SNW__BATCH_LM_REACHED;
    if (has_reached) {
        snw__batch_load_start(batch, w, problem);
        snw__batch_lm_take(w->memory, lane, w->ik, w->pose);
        (void)snw__ik_apply_limits(w->ik, w->pose);
        snw_pose_forward(w->pose);
        has_reached = start_is_sound(w->pose) && snw__ik_excess(w->ik, w->goals, w->pose) <= 1;
    }
    snw__batch_lm_drop(w->memory, lane);
    if (!has_reached) {
        snw__batch_solve_one(batch, w, problem);
        return;
    }
    snw__batch_store_answer(batch, w, problem);
    /* The worst goal's residual: metres, or radians where its turn is worse. */
    double worst = -1, residual = 0;
    for (int g = 0; g < w->ik->goal_count; g++) {
        snw__ik_error error = snw__ik_goal_error(w->ik, &w->goals[g], w->pose);
        double excess = snw__ik_error_excess(w->ik, error);
        if (!(excess > worst)) continue;
        worst = excess;
        residual = snw__ik_worse_half(w->ik, error);
    }
    snw__batch_note(batch, w, problem, SNW_IK_REACHED, residual);
}

static void lm_solve(const snw_ik_batch *batch, snw__batch_worker *w, int first, int end)
{
    int problem[SNW__BATCH_LM_LANES] = {0};
    for (;;) {
        bool is_busy = false;
        for (int lane = 0; lane < SNW__BATCH_LM_LANES; lane++) {
            snw__batch_lm_state state = snw__batch_lm_state_of(w->memory, lane);
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
        (void)snw__batch_lm_iterate(w->memory, batch->set);
    }
}

const snw__batch_kernel snw__batch_lm_kernel = {lm_fits, lm_layout, lm_solve};
