/* One step of weighted least squares at a time, for those who weigh goals anew between steps: the
 * step of `lm` (lm.h) with the loop around it left to the caller. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "ik/core/lm.h"

struct snw_ik_stepper {
    snw_ik *ik; /* of the method lm: its system is what is wanted */
    snw_ik_stepper_options options;
    snw__ik_lm_state lm;
    snw_allocator allocator;
};

snw_ik_stepper_options snw_ik_stepper_options_default(void)
{
    snw_ik_stepper_options options = {.root = SNW_IK_ROOT_FREE,
                                      .use_limits = true,
                                      .damping_start = SNW__IK_DAMPING_LEAST,
                                      .move_max = INFINITY};
    return options;
}

static bool is_not_negative(double value)
{
    return value >= 0 && value <= 1e30; /* NaN is not */
}

snw_status snw_ik_stepper_create(const snw_ik_problem *problem,
                                 const snw_ik_stepper_options *options,
                                 const snw_allocator *allocator, snw_ik_stepper **out,
                                 snw_error *error)
{
    snw_ik_stepper_options chosen =
        SNW__WANTS_DEFAULTS(options) ? snw_ik_stepper_options_default() : *options;
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_ik_options ik = snw_ik_options_default();
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a stepper needs a place to be put");
    *out = NULL;
    if (!problem) return snw__fail(error, SNW_INVALID_ARGUMENT, "a stepper needs a problem");
    snw__place place = SNW__NOWHERE;
    if (!is_not_negative(chosen.damping)) place.name = "damping";
    if (!is_not_negative(chosen.damping_start)) place.name = "damping_start";
    if (!is_not_negative(chosen.damping_retry)) place.name = "damping_retry";
    if (!(chosen.move_max > 0)) place.name = "move_max";
    if (place.name)
        return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                            "option %s is outside what a step accepts", place.name);
    for (int i = 0; problem->goal && i < problem->goal_count; i++)
        if (snw__goal_is_secondary(&problem->goal[i]))
            return snw__fail(error, SNW_UNSUPPORTED, "goal %d: a step knows no rest goals", i);
    snw_ik_stepper *stepper = snw__allocate(&memory, sizeof *stepper);
    if (!stepper) return snw__fail_memory(error, sizeof *stepper, "a stepper");
    stepper->options = chosen;
    stepper->allocator = memory;
    ik.solver = SNW_IK_LM;
    ik.root = chosen.root;
    ik.use_limits = chosen.use_limits;
    snw_ik fields = {.skeleton = problem->skeleton,
                     .options = ik,
                     .goal_count = problem->goal_count,
                     .goal = (snw_goal *)problem->goal, /* read only, copied */
                     .has_holds = chosen.use_holds,
                     .allocator = memory};
    snw_status status = snw__ik_create(&fields, &stepper->ik, error);
    if (status == SNW_OK && chosen.use_holds && !stepper->ik->system->hold)
        status = snw__fail(error, SNW_UNSUPPORTED,
                           "holds go with position, orientation and pose goals, without pins");
    if (status != SNW_OK) {
        snw_ik_stepper_destroy(stepper);
        return status;
    }
    snw_ik_stepper_restart(stepper);
    *out = stepper;
    return snw__succeed(error);
}

void snw_ik_stepper_destroy(snw_ik_stepper *stepper)
{
    if (!stepper) return;
    snw_allocator memory = stepper->allocator;
    snw_ik_destroy(stepper->ik);
    snw__release(&memory, stepper, sizeof *stepper);
}

void snw_ik_stepper_restart(snw_ik_stepper *stepper)
{
    const snw_ik_stepper_options *options = &stepper->options;
    double size = stepper->ik->size;
    snw__ik_lm_state lm = {.alpha = options->damping_start,
                           .alpha_retry = options->damping_retry,
                           .damping_least = options->damping / (size * size),
                           .turn_max = options->move_max};
    stepper->lm = lm;
}

snw_ik_step snw_ik_stepper_step(snw_ik_stepper *stepper, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = stepper->ik->system;
    snw_ik_step step = {0};
    snw__ik_note_shapes(stepper->ik);
    snw__ik_system_build(system, goals, pose);
    double before = system->energy;
    if (!isfinite(before)) return (snw_ik_step){.energy = INFINITY, .is_rejected = true};
    step.largest_move = snw__ik_lm_step(&stepper->lm, system, goals, pose);
    step.expected_gain = isfinite(stepper->lm.expected) ? stepper->lm.expected : 0;
    step.damping = stepper->lm.lambda;
    step.is_rejected = stepper->lm.rejected > 0;
    step.energy = step.is_rejected ? before : system->energy;
    return step;
}

const snw_joint *snw_ik_stepper_joint(const snw_ik_stepper *stepper, int joint)
{
    return &stepper->ik->joint[joint];
}

void snw_ik_stepper_set_limit(snw_ik_stepper *stepper, int joint, const snw_joint_limit *limit)
{
    snw__ik_joint(stepper->ik, joint)->limit = *limit;
}

void snw_ik_stepper_set_hold(snw_ik_stepper *stepper, int joint, snw_quat rotation, double weight)
{
    snw__ik_system *system = stepper->ik->system;
    if (!system->hold) return;
    double size = stepper->ik->size;
    system->hold[joint].rotation = rotation;
    system->hold[joint].weight = weight / (size * size);
}

int snw_ik_stepper_active_limits(const snw_ik_stepper *stepper, const snw_pose *pose, bool *active)
{
    memset(active, 0, (size_t)pose->skeleton->joint_count * sizeof *active);
    return snw__ik_find_active_limits(stepper->ik, pose, active);
}
