/* The row of the general kernel (batch_lm.c): eight problems at a time, each lane refilled as it
 * falls free. */
#include "ik/batch/batch_kernel.h"
#include "ik/batch/batch_lm.h"

#include <string.h>

#include "body/joint_types.h"
#include "ik/core/ik_constants.h"

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

static bool is_sound(const snw_pose *pose, int joint)
{
    snw_quat q = pose->rotation[joint];
    return fabs(snw_quat_dot(q, q) - 1) < 1e-6 && snw_vec3_is_finite(pose->slide[joint]);
}

/* Brings the joint as the problem has it inside its limits; false when its numbers cannot be worked
 * with. *has_changed: it was outside. */
static bool limit_joint(const snw_ik_batch *batch, snw__batch_worker *w, int problem, int joint,
                        bool *has_changed)
{
    snw_pose *pose = w->pose;
    snw__batch_load_joint(batch, pose, problem, joint);
    if (!is_sound(pose, joint)) return false;
    snw_quat q = snw_joint_limit_apply(&w->ik->joint[joint], pose->rotation[joint]);
    snw_vec3 s = snw_joint_limit_apply_slide(&w->ik->joint[joint], pose->slide[joint]);
    *has_changed = memcmp(&q, &pose->rotation[joint], sizeof q) != 0 ||
                   memcmp(&s, &pose->slide[joint], sizeof s) != 0;
    pose->rotation[joint] = q;
    pose->slide[joint] = s;
    return true;
}

/* Do joints that no goal moves stand inside their limits at a glance: near rest, or by their
 * coordinates? Most do. */
static bool surely_holds(const snw_ik_batch *batch, const snw_joint *own, int problem, int n)
{
    const snw__batch_lm_plan *plan = batch->plan;
    const snw_skeleton *body = batch->skeleton;
    const snw_ik_batch_job *job = batch->job;
    int joint = plan->rest[n], count = snw_joint_type_dof(own->type);
    size_t at = (size_t)problem * (size_t)body->joint_count + (size_t)joint;
    double sure = plan->sure[n], square = 0;
    if (job->value) {
        const float *v =
            job->value + (size_t)problem * (size_t)body->dof_count + body->dof_first[joint];
        bool is_inside = snw__joint_row_of(own)->range_count > 0;
        for (int k = 0; k < count; k++) {
            double value = v[k], most = snw__joint_is_slide(own->type, k) ? SNW__IK_FAR : SNW_PI;
            bool has_range = own->limit.has_range[k % 2];
            square += value * value;
            is_inside &= value >= (has_range ? own->limit.range[k % 2][0] : -most) &&
                         value <= (has_range ? own->limit.range[k % 2][1] : most);
        }
        return is_inside || square < sure * sure;
    }
    for (int k = 0; job->slide && k < 3; k++)
        if (job->slide[3 * at + (size_t)k] != 0) return false;
    const float *q = job->rotation + 4 * at;
    for (int k = 1; k < 4; k++)
        square += (double)q[k] * (double)q[k];
    /* 4 sin^2(angle / 2) is below the square of the angle by a twelfth of its square. */
    return q[0] == 1 ? square == 0 && sure > 0
                     : q[0] > 0.5f && fabs(q[0] * q[0] + square - 1) < 1e-6 &&
                           4 * square * (1 + square) < sure * sure;
}

/* Joints that no goal moves are inside their limits in every answer; false when the numbers of one
 * cannot be worked with. */
static bool limit_others(const snw_ik_batch *batch, snw__batch_worker *w, int problem)
{
    const snw__batch_lm_plan *plan = batch->plan;
    for (int n = 0; n < plan->rest_count; n++) {
        bool has_changed;
        if (surely_holds(batch, &w->ik->joint[plan->rest[n]], problem, n)) continue;
        if (!limit_joint(batch, w, problem, plan->rest[n], &has_changed)) return false;
        if (has_changed) snw__batch_store_joint(batch, w->pose, problem, plan->rest[n]);
    }
    return true;
}

/* Coordinates of the job that are inside their ranges go into the lane as they are. */
static bool put_values(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem,
                       int slot)
{
    const snw__batch_lm_plan *plan = batch->plan;
    const snw__batch_lm_joint *joint = &plan->joint[slot];
    const snw_joint *own = &w->ik->joint[joint->joint];
    const float *v = batch->job->value + (size_t)problem * (size_t)batch->skeleton->dof_count +
                     batch->skeleton->dof_first[joint->joint];
    double values[6] = {0};
    if (joint->kind >= SNW__BATCH_LM_BALL) return false;
    for (int c = 0; c < joint->count; c++) {
        double most = joint->kind == SNW__BATCH_LM_SLIDE ? SNW__IK_FAR : SNW_PI;
        bool has_range = own->limit.has_range[c];
        values[c] = v[c];
        if (!(values[c] >= (has_range ? own->limit.range[c][0] : -most) &&
              values[c] <= (has_range ? own->limit.range[c][1] : most)))
            return false;
    }
    snw__batch_lm_put_joint(w->memory, lane, slot, values, snw_quat_identity());
    return true;
}

/* The start into a lane; false when numbers cannot be worked with. */
static bool put_start(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem)
{
    const snw__batch_lm_plan *plan = batch->plan;
    for (int k = 0; k < plan->joint_count; k++) {
        int j = plan->joint[k].joint;
        bool has_changed;
        if (plan->joint[k].kind == SNW__BATCH_LM_FIXED ||
            (batch->job->value && put_values(batch, w, lane, problem, k)))
            continue;
        if (plan->joint[k].kind == SNW__BATCH_LM_BALL) {
            double values[6] = {0};
            snw__batch_load_joint(batch, w->pose, problem, j);
            if (!is_sound(w->pose, j)) return false;
            snw__batch_lm_values_of(&plan->joint[k], &w->ik->joint[j], w->pose->rotation[j],
                                    w->pose->slide[j], values);
            if (snw__batch_lm_ball_holds(&plan->joint[k], &w->ik->joint[j], values)) {
                snw__batch_lm_put_joint(w->memory, lane, k, values, w->pose->rotation[j]);
                continue;
            }
        }
        if (!limit_joint(batch, w, problem, j, &has_changed)) return false;
        if (has_changed) snw__batch_store_joint(batch, w->pose, problem, j);
        snw__batch_lm_put_pose(w->memory, lane, k, &w->ik->joint[j], w->pose->rotation[j],
                               w->pose->slide[j]);
    }
    return true;
}

/* Puts a problem into a lane, or solves it at once: numbers that cannot be worked with, and goals
 * that are proven out of reach, are for the scalar solve. */
static bool put_into_lane(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem)
{
    const snw__batch_lm_plan *plan = batch->plan;
    snw_xform root = snw__batch_root_of(batch, problem);
    snw__batch_load_goals(batch, w, problem);
    w->pose->root = root;
    bool is_for_lanes = snw_vec3_is_finite(root.translation) &&
                        fabs(snw_quat_dot(root.rotation, root.rotation) - 1) < 1e-6 &&
                        snw__ik_goals_are_usable(w->ik, w->goals) &&
                        limit_others(batch, w, problem);
    for (int g = 0; g < plan->goal_count && is_for_lanes; g++)
        if (w->ik->reach[g].anchor >= 0)
            w->pose->world[w->ik->reach[g].anchor].translation =
                snw_xform_point(root, plan->anchor[g]);
    if (!is_for_lanes || snw__ik_is_out_of_reach(w->ik, w->goals, w->pose) ||
        !put_start(batch, w, lane, problem)) {
        snw__batch_solve_one(batch, w, problem);
        return false;
    }
    snw__batch_lm_put_goals(w->memory, lane, w->ik, w->goals, root);
    return true;
}

/* The pose of the answer above the goals, its frames with it. */
static void load_answer(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem,
                        bool is_start)
{
    const snw__batch_lm_plan *plan = batch->plan;
    snw_pose *pose = w->pose;
    pose->root = snw__batch_root_of(batch, problem);
    if (!is_start) snw__batch_lm_take(w->memory, lane, w->ik, pose);
    for (int k = 0; k < plan->joint_count; k++) {
        int j = plan->joint[k].joint;
        if (is_start || plan->joint[k].kind == SNW__BATCH_LM_FIXED)
            snw__batch_load_joint(batch, pose, problem, j);
        snw__pose_forward_joint(pose, j);
    }
}

/* One joint of it into the job. */
static void store_answer(const snw_ik_batch *batch, const snw__batch_worker *w, int lane,
                         int problem, int slot)
{
    const snw__batch_lm_plan *plan = batch->plan;
    int j = plan->joint[slot].joint;
    double values[6] = {0};
    if (plan->joint[slot].kind == SNW__BATCH_LM_FIXED) return;
    if (!batch->job->value || plan->joint[slot].kind >= SNW__BATCH_LM_BALL) {
        snw__batch_store_joint(batch, w->pose, problem, j);
        return;
    }
    float *to = batch->job->value + (size_t)problem * (size_t)batch->skeleton->dof_count +
                batch->skeleton->dof_first[j];
    snw__batch_lm_values(w->memory, lane, slot, &w->ik->joint[j], values);
    for (int k = 0; k < plan->joint[slot].count; k++)
        to[k] = (float)values[k];
}

/* An answer counts when it holds in doubles, inside the limits; else the scalar solve tries. */
static void take_from_lane(const snw_ik_batch *batch, snw__batch_worker *w, int lane, int problem)
{
    const snw__batch_lm_plan *plan = batch->plan;
    bool has_reached = snw__batch_lm_state_of(w->memory, lane) == SNW__BATCH_LM_REACHED;
    /* A start that was at its goals stays, to the bit. */
    bool is_start = has_reached && snw__batch_lm_is_start(w->memory, lane);
    /* The worst goal's residual: metres, or radians where its turn is worse. */
    double worst = -1, residual = 0;
    if (has_reached) {
        snw__batch_load_goals(batch, w, problem);
        load_answer(batch, w, lane, problem, is_start);
    }
    for (int g = 0; g < w->ik->goal_count && has_reached; g++) {
        snw__ik_error error = snw__ik_goal_error(w->ik, &w->goals[g], w->pose);
        double excess = snw__ik_error_excess(w->ik, error);
        has_reached = excess <= 1; /* NaN is not */
        if (!(excess > worst)) continue;
        worst = excess;
        residual = snw__ik_worse_half(w->ik, error);
    }
    if (!has_reached) {
        snw__batch_lm_drop(w->memory, lane);
        snw__batch_solve_one(batch, w, problem);
        return;
    }
    for (int k = 0; k < plan->joint_count && !is_start; k++)
        store_answer(batch, w, lane, problem, k);
    snw__batch_lm_drop(w->memory, lane);
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
