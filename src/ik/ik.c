/* Creating, solving and destroying: everything around a method that is the same for all methods.
 * See method.h for who is responsible for what. */
#include <string.h>

#include "base/fail.h"
#include "ik/bounds.h"
#include "ik/rest.h"
#include "ik/system.h"

/* ---- is this a problem -------------------------------------------------------------------- */

static bool is_joint(const snw_skeleton *skeleton, int joint)
{
    return joint >= 0 && joint < skeleton->joint_count;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static snw_status
refuse_goal(snw_error *error, int index, const char *format, ...)
{
    char text[160];
    va_list arguments;
    snw__place place = SNW__NOWHERE;
    place.index = index;
    va_start(arguments, format);
    (void)snw_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return snw__fail_at(error, SNW_INVALID_ARGUMENT, place, "goal %d: %s", index, text);
}

static snw_status check_pole(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                             snw_error *error)
{
    if (!is_joint(skeleton, goal->chain_root) || !is_joint(skeleton, goal->chain_tip))
        return refuse_goal(error, index, "the limb from joint %d to joint %d is not in the body",
                           goal->chain_root, goal->chain_tip);
    if (goal->chain_root == goal->chain_tip || goal->joint == goal->chain_root ||
        goal->joint == goal->chain_tip)
        return refuse_goal(error, index, "a pole needs three different joints");
    return SNW_OK;
}

static snw_status check_goal(const snw_skeleton *skeleton, const snw_goal *goal, int index,
                             snw_error *error)
{
    if ((unsigned)goal->kind >= SNW_GOAL_KIND_COUNT)
        return refuse_goal(error, index, "%d is not a kind of goal", (int)goal->kind);
    bool may_be_all = goal->kind == SNW_GOAL_REST && goal->joint == -1;
    if (!may_be_all && !is_joint(skeleton, goal->joint))
        return refuse_goal(error, index, "joint %d is not in a body of %d joints", goal->joint,
                           skeleton->joint_count);
    if (goal->kind == SNW_GOAL_POLE) return check_pole(skeleton, goal, index, error);
    if (goal->kind == SNW_GOAL_VALUE) {
        int dof = snw_joint_type_dof(skeleton->joint[goal->joint].type);
        if (goal->coordinate < 0 || goal->coordinate >= dof)
            return refuse_goal(error, index,
                               "joint %s has %d coordinates, counted from 0; none is %d",
                               skeleton->name[goal->joint], dof, goal->coordinate);
    }
    return SNW_OK;
}

/* Positive and finite; NaN is neither. */
static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static snw_status check_options(const snw_ik_options *options, snw_error *error)
{
    const char *wrong = NULL;
    if ((unsigned)options->solver >= SNW_IK_SOLVER_COUNT) wrong = "solver";
    if ((unsigned)options->root > SNW_IK_ROOT_FREE) wrong = "root";
    if (!is_positive(options->tolerance)) wrong = "tolerance";
    if (!is_positive(options->turn_tolerance)) wrong = "turn_tolerance";
    if (options->iteration_max < 0) wrong = "iteration_max";
    if (options->restart_max < 0) wrong = "restart_max";
    if (!(options->damping >= 0 && isfinite(options->damping))) wrong = "damping";
    if (!is_positive(options->step_max)) wrong = "step_max";
    if (options->particle_count < 2 || options->particle_count > 1000000) wrong = "particle_count";
    if (!wrong) return SNW_OK;
    snw__place place = SNW__NOWHERE;
    place.name = wrong;
    return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                        "option %s is outside what a solve accepts", wrong);
}

static snw_status check_problem(const snw_skeleton *skeleton, const snw_goal *goals, int goal_count,
                                const snw_ik_options *options, snw_error *error)
{
    if (!skeleton || !options || goal_count < 0 || (goal_count > 0 && !goals))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a solve needs a body, goals and options");
    snw_status status = check_options(options, error);
    for (int i = 0; status == SNW_OK && i < goal_count; i++)
        status = check_goal(skeleton, &goals[i], i, error);
    return status;
}

/* ---- creating ----------------------------------------------------------------------------- */

static void fill_joints(const snw_ik *fields, snw_joint *joint, int *limited)
{
    int count = 0;
    for (int i = 0; i < fields->skeleton->joint_count; i++) {
        joint[i] = fields->skeleton->joint[i];
        if (!fields->options.use_limits) joint[i].limit = snw_joint_limit_none();
        if (!snw__ik_joint_is_unlimited(&joint[i])) limited[count++] = i;
    }
}

static int count_limited(const snw_skeleton *skeleton, const snw_ik_options *options)
{
    int count = 0;
    for (int i = 0; i < skeleton->joint_count; i++) {
        snw_joint joint = skeleton->joint[i];
        if (!options->use_limits) joint.limit = snw_joint_limit_none();
        count += !snw__ik_joint_is_unlimited(&joint);
    }
    return count;
}

/* First pass, with block->base NULL, measures: then `fields` borrows skeleton and goals from the
 * caller, and methods see the same problem in both passes. */
static snw_ik *lay_out(snw__block *block, snw_ik *fields)
{
    size_t joint_count = (size_t)fields->skeleton->joint_count;
    size_t goal_count = (size_t)fields->goal_count;
    const snw_goal *goals = fields->goal;
    snw_ik *ik = snw__block_take(block, 1, sizeof *ik);
    snw_joint *joint = snw__block_take(block, joint_count, sizeof *joint);
    int *limited = snw__block_take(block, (size_t)fields->limited_count, sizeof *limited);
    snw_goal *goal = snw__block_take(block, goal_count, sizeof *goal);
    fields->reach = snw__block_take(block, goal_count, sizeof *fields->reach);
    fields->residual = snw__block_take(block, goal_count, sizeof(double));
    fields->turn_residual = snw__block_take(block, goal_count, sizeof(double));
    fields->active_limit = snw__block_take(block, joint_count, sizeof(bool));
    if (ik) {
        fill_joints(fields, joint, limited);
        if (goal_count) memcpy(goal, goals, goal_count * sizeof *goal);
        fields->joint = joint;
        fields->limited = limited;
        fields->goal = goal;
        snw__ik_reach_plan(fields, fields->reach);
        *ik = *fields;
    }
    const snw_ik *problem = ik ? ik : fields;
    if (fields->method->uses_system || fields->has_rest)
        fields->system = snw__ik_system_layout(problem, block);
    if (ik) ik->system = fields->system;
    fields->state = fields->method->layout(problem, block);
    if (ik) ik->state = fields->state;
    return ik;
}

static snw_status find_method(snw_ik *fields, snw_error *error)
{
    fields->method = snw__ik_method_row(fields->options.solver);
    if (!fields->method)
        return snw__fail(error, SNW_UNSUPPORTED, "the method %s is not in this library",
                         snw_ik_solver_name(fields->options.solver));
    return fields->method->check(fields, error);
}

snw_status snw_ik_create(const snw_skeleton *skeleton, const snw_goal *goals, int goal_count,
                         const snw_ik_options *options, const snw_allocator *allocator,
                         snw_ik **out, snw_error *error)
{
    snw_ik fields = {.skeleton = skeleton, .goal_count = goal_count};
    snw__block block = {NULL, 0};
    *out = NULL;
    snw_status status = check_problem(skeleton, goals, goal_count, options, error);
    if (status != SNW_OK) return status;
    fields.options = *options;
    fields.goal = (snw_goal *)goals; /* read only, until lay_out copies it */
    fields.joint = skeleton->joint;
    fields.size = skeleton->size > 0 ? skeleton->size : 1;
    fields.limited_count = count_limited(skeleton, options);
    for (int i = 0; i < goal_count; i++)
        fields.has_rest |= goals[i].kind == SNW_GOAL_REST;
    status = find_method(&fields, error);
    if (status != SNW_OK) return status;
    fields.allocator = snw__allocator_or_default(allocator);
    (void)lay_out(&block, &fields);
    fields.block_size = block.size;
    block.base = snw__allocate(&fields.allocator, block.size);
    if (!block.base) return snw__fail_memory(error, fields.block_size, "a solve");
    block.size = 0;
    fields.goal = (snw_goal *)goals;
    *out = lay_out(&block, &fields);
    return snw__succeed(error);
}

void snw_ik_destroy(snw_ik *ik)
{
    if (!ik) return;
    snw_allocator memory = ik->allocator; /* the block holds it */
    snw__release(&memory, ik, ik->block_size);
}

/* ---- solving ------------------------------------------------------------------------------ */

static bool needs_direction(snw_goal_kind kind)
{
    return kind == SNW_GOAL_AIM || kind == SNW_GOAL_LINE || kind == SNW_GOAL_PLANE ||
           kind == SNW_GOAL_SIDE;
}

/* In body sizes. Squares of lengths must not overflow, hence the bound. */
#define IK_FAR 1e100

/* Numbers a solve can work with. */
static bool is_usable(const snw_ik *ik, const snw_goal *goal)
{
    double far = IK_FAR * ik->size;
    double direction2 = snw_vec3_length2(goal->direction);
    if (!is_positive(goal->weight) || !is_positive(goal->turn_weight)) return false;
    if (goal->weight > 1e100 || goal->turn_weight > 1e100) return false;
    if (!(snw_vec3_length(goal->point) < far && snw_vec3_length(goal->position) < far))
        return false;
    if (!(fabs(goal->value) < far)) return false;
    if (!snw_quat_is_finite(goal->orientation) || !isfinite(direction2)) return false;
    return !needs_direction(goal->kind) || direction2 > 0;
}

/* Does a goal ask for what was planned: the same kind on the same joints? */
static bool is_as_planned(const snw_goal *goal, const snw_goal *planned)
{
    if (goal->kind != planned->kind || goal->joint != planned->joint) return false;
    if (goal->kind == SNW_GOAL_VALUE) return goal->coordinate == planned->coordinate;
    if (goal->kind != SNW_GOAL_POLE) return true;
    return goal->chain_root == planned->chain_root && goal->chain_tip == planned->chain_tip;
}

static bool are_usable(const snw_ik *ik, const snw_goal *goals)
{
    for (int i = 0; i < ik->goal_count; i++)
        if (!is_as_planned(&goals[i], &ik->goal[i]) || !is_usable(ik, &goals[i])) return false;
    return true;
}

static void bring_to_unit(snw_quat *rotation)
{
    /* 1e-12: unit to round-off stays bit for bit. */
    if (!(fabs(snw_quat_dot(*rotation, *rotation) - 1) <= 1e-12))
        *rotation = snw_quat_normalize(*rotation);
}

/* A start from which every method can go: finite, unit, inside its limits. */
static void bring_in_order(const snw_ik *ik, snw_pose *pose)
{
    if (!snw_quat_is_finite(pose->root.rotation) ||
        !(snw_vec3_length(pose->root.translation) < IK_FAR * ik->size))
        pose->root = snw_xform_identity();
    bring_to_unit(&pose->root.rotation);
    for (int i = 0; i < ik->skeleton->joint_count; i++) {
        bring_to_unit(&pose->rotation[i]);
        snw_joint_type type = ik->joint[i].type;
        bool can_slide = type == SNW_JOINT_PRISMATIC || type == SNW_JOINT_FREE;
        if (!can_slide || !(snw_vec3_length(pose->slide[i]) < IK_FAR * ik->size))
            pose->slide[i] = snw_vec3_make(0, 0, 0);
    }
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
}

/* Residual of the half of the goal that is farther from its tolerance: metres or radians. */
static double worse_half(const snw_ik *ik, snw__ik_error error)
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
        result.worst_residual = worse_half(ik, error);
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

/* A goal whose numbers cannot be used: nothing was tried and nothing is known. */
static snw_ik_result refuse(snw_ik *ik)
{
    snw_ik_result result = {SNW_IK_STALLED, ik->options.solver, 0, -1, 0, 0};
    for (int i = 0; i < ik->goal_count; i++)
        ik->residual[i] = ik->turn_residual[i] = 0;
    return result;
}

snw_ik_result snw_ik_solve(snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    bring_in_order(ik, pose);
    if (!are_usable(ik, goals)) return refuse(ik);
    snw__ik_report report = ik->method->solve(ik, ik->state, goals, pose);
    if (!report.world_is_valid) {
        (void)snw__ik_apply_limits(ik, pose);
        snw_pose_forward(pose);
    }
    if (ik->has_rest) snw__ik_draw_to_rest(ik, goals, pose);
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
