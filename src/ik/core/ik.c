/* Creating, solving and destroying: everything around a method that is the same for all methods.
 * See method.h for who is responsible for what. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "ik/core/bounds.h"
#include "ik/core/levels.h"
#include "ik/core/prefer.h"
#include "ik/core/prior.h"
#include "ik/core/system.h"

/* ---- creating ----------------------------------------------------------------------------- */

bool snw__ik_is_below(const snw_skeleton *skeleton, int joint, int root)
{
    while (joint > root)
        joint = skeleton->parent[joint];
    return joint == root;
}

static bool moves_follower(const snw_skeleton *skeleton, int joint)
{
    for (; joint >= 0; joint = skeleton->parent[joint])
        if (skeleton->follow[joint].is_following) return true;
    return false;
}

static bool find_followers(const snw_ik *fields)
{
    const snw_skeleton *skeleton = fields->skeleton;
    bool is_any = false;
    if (skeleton->follower_count == 0) return false;
    for (int i = 0; i < fields->goal_count; i++) {
        int joint[3];
        snw__goal_joints(&fields->goal[i], joint);
        for (int k = 0; k < 3; k++)
            is_any |= moves_follower(skeleton, joint[k]);
    }
    for (int i = 0; i < skeleton->pin_count; i++)
        is_any |= moves_follower(skeleton, skeleton->pin[i].joint_a) ||
                  moves_follower(skeleton, skeleton->pin[i].joint_b);
    return is_any;
}

/* First pass, with block->base NULL, measures: then `fields` borrows goals from the caller and
 * joints from a copy, and methods see the same problem in both passes. */
static void lay_out(void *object, snw__block *block)
{
    snw_ik *fields = object;
    size_t joint_count = (size_t)fields->skeleton->joint_count;
    size_t goal_count = (size_t)fields->goal_count;
    const snw_goal *goals = fields->goal;
    snw_ik *ik = snw__block_take(block, 1, sizeof *ik);
    snw_joint *joint = snw__block_take(block, joint_count, sizeof *joint);
    int *limited = snw__block_take(block, (size_t)fields->limited_count, sizeof *limited);
    double *mobility = snw__block_take(block, joint_count, sizeof *mobility);
    snw_goal *goal = snw__block_take(block, goal_count, sizeof *goal);
    fields->reach = snw__block_take(block, goal_count, sizeof *fields->reach);
    fields->residual = snw__block_take(block, goal_count, sizeof(double));
    fields->turn_residual = snw__block_take(block, goal_count, sizeof(double));
    fields->active_limit = snw__block_take(block, joint_count, sizeof(bool));
    bool has_shapes = false;
    for (int i = 0; i < fields->goal_count; i++)
        has_shapes |= snw__goal_row_of(&goals[i])->has_other;
    if (has_shapes) {
        fields->solid = snw__block_take(block, 2 * goal_count, sizeof *fields->solid);
        fields->solid_of = snw__block_take(block, goal_count, sizeof *fields->solid_of);
    }
    fields->scaled = snw__block_take(block, goal_count, sizeof *fields->scaled);
    snw__ik_snapshot_layout(&fields->given, joint_count, block);
    if (ik) {
        memcpy(joint, fields->joint, joint_count * sizeof *joint);
        if (goal_count) memcpy(goal, goals, goal_count * sizeof *goal);
        fields->joint = joint;
        for (int i = 0, count = 0; i < fields->skeleton->joint_count; i++)
            if (!snw__ik_joint_is_unlimited(&fields->joint[i])) limited[count++] = i;
        fields->limited = limited;
        const snw_ik_options *options = &fields->options;
        for (int j = 0; j < fields->skeleton->joint_count; j++) {
            bool is_outside = options->chain_root >= 0 &&
                              !snw__ik_is_below(fields->skeleton, j, options->chain_root);
            mobility[j] = options->stiffness ? 1 / options->stiffness[j] : 1;
            if (is_outside) mobility[j] = 0;
        }
        fields->mobility = mobility;
        fields->goal = goal;
        snw__ik_reach_plan(fields, fields->reach);
        *ik = *fields;
        snw__ik_plan_solids(ik);
    }
    const snw_ik *problem = ik ? ik : fields;
    if (fields->method->uses_system || snw__ik_has_preference(fields))
        fields->system = snw__ik_system_layout(problem, block);
    if (ik) ik->system = fields->system;
    fields->state = fields->method->layout(problem, block);
    if (fields->options.style) fields->prior = snw__ik_prior_layout(problem, block);
    if (ik) {
        ik->state = fields->state;
        ik->prior = fields->prior;
    }
}

static snw_status find_method(snw_ik *fields, snw_error *error)
{
    fields->method = snw__ik_method_row(fields->options.solver);
    if (!fields->method)
        return snw__fail(error, SNW_UNSUPPORTED, "the method %s is not in this library",
                         snw_ik_solver_name(fields->options.solver));
    if (fields->has_control && !fields->method->uses_system)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "%s knows no stiffness, locks or chain root; auto and lm do",
                         snw_ik_solver_name(fields->options.solver));
    if (fields->has_followers && !fields->method->uses_system)
        return snw__fail(error, SNW_UNSUPPORTED,
                         "%s knows no joints that follow others; auto, lm and the Jacobian methods "
                         "do",
                         snw_ik_solver_name(fields->options.solver));
    if (snw__ik_has_levels(fields) && !fields->method->takes_tree)
        return snw__fail(error, SNW_UNSUPPORTED, "%s knows no priorities of goals; auto and lm do",
                         snw_ik_solver_name(fields->options.solver));
    return fields->method->check(fields, error);
}

/* Everything after the joints are known; `fields` is the problem as checked. */
static snw_status create(snw_ik *fields, snw_ik **out, snw_error *error)
{
    snw__block block;
    snw_status status = find_method(fields, error);
    if (status != SNW_OK) return status;
    status = snw__block_create(&block, lay_out, fields, &fields->allocator, "a solve", error);
    if (status != SNW_OK) return status;
    *out = (void *)block.base;
    (*out)->block_size = block.size;
    if (!(*out)->prior) return SNW_OK;
    snw_pose *pose = NULL;
    status = snw_pose_create((*out)->skeleton, &(*out)->allocator, &pose, error);
    if (status != SNW_OK) return status;
    snw__ik_prior_prepare(*out, pose);
    snw_pose_destroy(pose);
    return SNW_OK;
}

snw_status snw__ik_create(snw_ik *problem, snw_ik **out, snw_error *error)
{
    const snw_skeleton *skeleton = problem->skeleton;
    *out = NULL;
    snw_status status = snw__ik_check_problem(problem, error);
    if (status != SNW_OK) return status;
    problem->size = skeleton->size > 0 ? skeleton->size : 1;
    for (int i = 0; i < problem->goal_count; i++)
        problem->has_rest |= snw__goal_is_secondary(&problem->goal[i]);
    problem->has_followers = find_followers(problem);
    problem->has_control = problem->options.stiffness || problem->options.chain_root >= 0;
    size_t size = (size_t)skeleton->joint_count * sizeof(snw_joint);
    snw_joint *joint = snw__allocate(&problem->allocator, size);
    if (!joint) return snw__fail_memory(error, size, "the joints of a solve");
    /* The joints as the solve sees them, in both passes of the layout and in every check: limits
     * only where options ask for them. */
    int count = 0;
    for (int i = 0; i < problem->skeleton->joint_count; i++) {
        joint[i] = problem->skeleton->joint[i];
        if (!problem->options.use_limits) joint[i].limit = snw_joint_limit_none();
        count += !snw__ik_joint_is_unlimited(&joint[i]);
    }
    problem->limited_count = count;
    problem->joint = joint;
    status = create(problem, out, error);
    snw__release(&problem->allocator, joint, size);
    if (status == SNW_OK) return SNW_OK;
    snw_ik_destroy(*out);
    *out = NULL;
    return status;
}

snw_status snw_ik_create(const snw_ik_problem *problem, const snw_ik_options *options,
                         const snw_allocator *allocator, snw_ik **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a solve needs a place to be put");
    *out = NULL;
    if (!problem) return snw__fail(error, SNW_INVALID_ARGUMENT, "a solve needs a problem");
    snw_ik ik = {.skeleton = problem->skeleton,
                 .options = SNW__WANTS_DEFAULTS(options) ? snw_ik_options_default() : *options,
                 .goal_count = problem->goal_count,
                 .goal = (snw_goal *)problem->goal, /* read only, until lay_out copies it */
                 .allocator = snw__allocator_or_default(allocator)};
    return snw__ik_create(&ik, out, error);
}

void snw_ik_destroy(snw_ik *ik)
{
    if (!ik) return;
    snw_allocator memory = ik->allocator; /* the block holds it */
    snw__release(&memory, ik, ik->block_size);
}

/* ---- solving ------------------------------------------------------------------------------ */

static void bring_to_unit(snw_quat *rotation)
{
    /* 1e-12: unit to round-off stays bit for bit. */
    if (!(fabs(snw_quat_dot(*rotation, *rotation) - 1) <= 1e-12))
        *rotation = snw_quat_normalize(*rotation);
}

void snw__ik_bring_in_order(const snw_ik *ik, snw_pose *pose)
{
    if (!snw_quat_is_finite(pose->root.rotation) ||
        !(snw_vec3_length(pose->root.translation) < SNW__IK_FAR * ik->size))
        pose->root = snw_xform_identity();
    bring_to_unit(&pose->root.rotation);
    for (int i = 0; i < ik->skeleton->joint_count; i++) {
        bring_to_unit(&pose->rotation[i]);
        if (!snw__joint_slides(&ik->joint[i]) ||
            !(snw_vec3_length(pose->slide[i]) < SNW__IK_FAR * ik->size))
            pose->slide[i] = snw_vec3_make(0, 0, 0);
    }
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
}

double snw__ik_worse_half(const snw_ik *ik, snw__ik_error error)
{
    double offset = snw_vec3_length(error.offset), turn = snw_vec3_length(error.turn);
    bool is_turn = turn / ik->options.turn_tolerance > offset / (ik->options.tolerance * ik->size);
    return is_turn ? turn : offset;
}

/* Fills residuals and the result from what the pose is, not from what the method says. */
static snw_ik_result judge(snw_ik *ik, const snw_goal *goals, const snw_pose *pose,
                           const snw__ik_report *report)
{
    snw_ik_result result = {.outcome = report->outcome,
                            .solver = report->solver,
                            .iterations = report->iterations,
                            .worst_goal = -1};
    double worst = -1, pins = snw__ik_pin_excess(ik, pose);
    for (int i = 0; i < ik->goal_count; i++) {
        snw__ik_error error = snw__ik_goal_error(ik, &goals[i], pose);
        double excess = snw__ik_error_excess(ik, error);
        snw__ik_measure_goal(ik, &goals[i], pose, &ik->residual[i], &ik->turn_residual[i]);
        if (!(excess > worst)) continue;
        worst = excess;
        result.worst_goal = i;
        result.worst_residual = snw__ik_worse_half(ik, error);
    }
    result.active_limit_count = snw__ik_find_active_limits(ik, pose, ik->active_limit);
    if (fmax(worst, pins) <= 1)
        result.outcome = SNW_IK_REACHED;
    else if (snw__ik_is_out_of_reach(ik, goals, pose))
        result.outcome = SNW_IK_UNREACHABLE;
    else if (result.outcome == SNW_IK_REACHED)
        result.outcome = SNW_IK_STALLED;
    return result;
}

const snw_goal *snw__ik_relative_weights(snw_ik *ik, const snw_goal *goals)
{
    double heaviest = 0;
    for (int i = 0; i < ik->goal_count; i++)
        if (!snw__goal_is_secondary(&goals[i])) heaviest = fmax(heaviest, goals[i].weight);
    if (heaviest == 0 || heaviest == 1) return goals;
    for (int i = 0; i < ik->goal_count; i++) {
        ik->scaled[i] = goals[i];
        if (!snw__goal_is_secondary(&goals[i])) ik->scaled[i].weight /= heaviest;
    }
    return ik->scaled;
}

/* Steps of zero and renormalisation leave round-off behind: what has not turned is given back bit
 * for bit. */
static void keep_unmoved(const snw_ik *ik, snw_pose *pose)
{
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        snw_quat a = ik->given.rotation[j], b = pose->rotation[j];
        if (fabs(a.w - b.w) < 1e-14 && fabs(a.x - b.x) < 1e-14 && fabs(a.y - b.y) < 1e-14 &&
            fabs(a.z - b.z) < 1e-14)
            pose->rotation[j] = a;
    }
    snw_pose_forward(pose);
}

/* Brings the answer back towards the start until no joint has turned by more than options say; true
 * when it had to. Limits hold: allowed rotations are applied again on the way. */
static bool cap_turns(const snw_ik *ik, snw_pose *pose)
{
    double largest = 0;
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        largest = fmax(largest, snw_quat_angle_between(ik->given.rotation[j], pose->rotation[j]));
    if (!(largest > ik->options.turn_max)) return false;
    /* What limits put back may turn a little farther again. */
    double part = 0.999 * ik->options.turn_max / largest;
    for (int j = 0; j < ik->skeleton->joint_count; j++) {
        pose->rotation[j] = snw_quat_slerp(ik->given.rotation[j], pose->rotation[j], part);
        pose->slide[j] = snw_vec3_lerp(ik->given.slide[j], pose->slide[j], part);
    }
    pose->root.rotation = snw_quat_slerp(ik->given.root.rotation, pose->root.rotation, part);
    pose->root.translation =
        snw_vec3_lerp(ik->given.root.translation, pose->root.translation, part);
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
    return true;
}

/* The method, and what is wished beyond the goals. */
static snw__ik_report run_method(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    bool has_preference = ik->system && ik->system->preference;
    bool has_levels = ik->system && ik->system->levels;
    snw__ik_report report = {
        .outcome = SNW_IK_REACHED, .solver = SNW_IK_LM, .world_is_valid = true};
    bool is_limbs = ik->options.posture == SNW_IK_POSTURE_LIMBS && !ik->has_rest;
    if (has_preference && ik->method->takes_tree && !has_levels && !is_limbs &&
        snw__ik_solve_preferred(ik, goals, pose, &report.iterations))
        return report;
    report = has_levels ? snw__ik_solve_levels(ik, goals, pose)
                        : ik->method->solve(ik, ik->state, goals, pose);
    if (!report.world_is_valid) {
        (void)snw__ik_apply_limits(ik, pose);
        snw_pose_forward(pose);
    }
    bool is_start =
        report.iterations == 0 && !ik->has_rest && ik->options.prefer == SNW_IK_PREFER_START;
    /* What is preferred must not cost a level anything: there it waits until all goals are met. */
    bool is_allowed = !has_levels || snw__ik_excess(ik, goals, pose) <= 1;
    if (has_preference && !is_start && is_allowed) {
        if (is_limbs) {
            keep_unmoved(ik, pose);
            /* Joints that a solve of limbs first has left as they were stay so when others are
             * drawn.
             */
            for (int m = 0; m < ik->system->mover_count; m++) {
                snw__ik_mover *mover = &ik->system->mover[m];
                if (mover->joint < 0 || mover->is_locked) continue;
                mover->is_kept = memcmp(&pose->rotation[mover->joint],
                                        &ik->given.rotation[mover->joint], sizeof(snw_quat)) == 0;
                mover->is_locked = mover->is_kept;
            }
        }
        snw__ik_draw_to_preferred(ik, goals, pose);
        if (is_limbs) snw__ik_system_let_go(ik->system);
    }
    return report;
}

snw_ik_result snw_ik_solve(snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_bring_in_order(ik, pose);
    if (!snw__ik_goals_are_usable(ik, goals)) {
        /* A goal whose numbers cannot be used: nothing was tried and nothing is known. */
        snw_ik_result result = {SNW_IK_STALLED, ik->options.solver, 0, -1, 0, 0};
        for (int i = 0; i < ik->goal_count; i++)
            ik->residual[i] = ik->turn_residual[i] = 0;
        for (int j = 0; j < ik->skeleton->joint_count; j++)
            ik->active_limit[j] = false;
        return result;
    }
    goals = snw__ik_relative_weights(ik, goals);
    snw__ik_note_shapes(ik);
    snw__ik_snapshot_take(&ik->given, pose);
    if (ik->prior) snw__ik_prior_approach(ik, goals, pose);
    snw__ik_report report = run_method(ik, goals, pose);
    /* Nothing but numbers leaves: a method that lost its way has its start given back. */
    bool is_finite = snw_vec3_is_finite(pose->root.translation) &&
                     fabs(snw_quat_dot(pose->root.rotation, pose->root.rotation) - 1) < 1e-6;
    for (int i = 0; i < ik->skeleton->joint_count; i++)
        is_finite &= fabs(snw_quat_dot(pose->rotation[i], pose->rotation[i]) - 1) < 1e-6 &&
                     snw_vec3_is_finite(pose->slide[i]);
    if (!is_finite) {
        snw__ik_snapshot_restore(&ik->given, pose);
        snw_pose_forward(pose);
    }
    if (ik->has_control || ik->options.posture != SNW_IK_POSTURE_ALL) keep_unmoved(ik, pose);
    if (ik->options.turn_max < INFINITY && cap_turns(ik, pose))
        report.outcome = SNW_IK_OUT_OF_ITERATIONS;
    return judge(ik, goals, pose, &report);
}

const double *snw_ik_residual(const snw_ik *ik)
{
    return ik->residual;
}

const double *snw_ik_turn_residual(const snw_ik *ik)
{
    return ik->turn_residual;
}

const bool *snw_ik_active_limit(const snw_ik *ik)
{
    return ik->active_limit;
}
