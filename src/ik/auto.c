/* auto: tries methods in an order that the problem decides, until one reaches.
 *
 * First directions, which takes chains and trees of ball joints in a few steps; then what exists in
 * closed form (two-bone) and the quick step for trees of free balls whose joints carry several
 * bones; then the general Levenberg-Marquardt with its fresh starts, which serves every goal and
 * every joint, and last FABRIK, which sometimes leaves a minimum the gradient cannot. Each begins
 * from the pose that was given, so the choice of methods cannot make a warm start jump; if none
 * reaches, the answer that came nearest is kept, the earlier one when two are equally near. What is
 * proven out of reach is not tried again when the first answer is already the nearest (one goal, no
 * limits). */
#include "ik/bones.h"
#include "ik/fast_tree.h"
#include "ik/system.h"

extern const snw__ik_method snw__ik_directions;
extern const snw__ik_method snw__ik_fabrik;
extern const snw__ik_method snw__ik_lm;
extern const snw__ik_method snw__ik_two_bone;

#define AUTO_METHODS 5

typedef struct auto_state {
    int count;
    const snw__ik_method *method[AUTO_METHODS];
    void *state[AUTO_METHODS];
    snw__ik_snapshot start, best;
} auto_state;

static snw_status auto_check(const snw_ik *ik, snw_error *error)
{
    (void)ik;
    (void)error;
    return SNW_OK; /* lm serves everything */
}

/* The quick tree as a method; it is not one that can be chosen by name. */
static snw_status fast_tree_check(const snw_ik *ik, snw_error *error)
{
    (void)error;
    return snw__ik_fast_tree_fits(ik) ? SNW_OK : SNW_UNSUPPORTED;
}

static void *fast_tree_layout(const snw_ik *ik, snw__block *block)
{
    return snw__ik_fast_tree_layout(ik, block);
}

static snw__ik_report fast_tree_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                      snw_pose *pose)
{
    return snw__ik_fast_tree_solve(ik, state, goals, pose, ik->options.iteration_max);
}

static const snw__ik_method fast_tree = {.solver = SNW_IK_AUTO,
                                         .check = fast_tree_check,
                                         .layout = fast_tree_layout,
                                         .solve = fast_tree_solve};

/* Two-bone turns two joints only: right when there are no others. */
static bool fits_two_bone(const snw_ik *ik)
{
    int moving = 0;
    if (snw__ik_two_bone.check(ik, NULL) != SNW_OK) return false;
    for (int g = 0; g < ik->goal_count; g++)
        if (ik->goal[g].kind == SNW_GOAL_POSITION)
            for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j])
                moving += snw_joint_type_dof(ik->skeleton->joint[j].type) > 0;
    return moving == 2;
}

static void add_if_it_serves(auto_state *s, const snw__ik_method *method, const snw_ik *ik,
                             snw__block *block)
{
    if (method->check(ik, NULL) != SNW_OK) return;
    s->method[s->count] = method;
    s->state[s->count++] = method->layout(ik, block);
}

static void *auto_layout(const snw_ik *ik, snw__block *block)
{
    size_t joint_count = (size_t)ik->skeleton->joint_count;
    auto_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    snw__ik_snapshot_layout(&s.start, joint_count, block);
    snw__ik_snapshot_layout(&s.best, joint_count, block);
    add_if_it_serves(&s, &snw__ik_directions, ik, block);
    if (fits_two_bone(ik)) add_if_it_serves(&s, &snw__ik_two_bone, ik, block);
    add_if_it_serves(&s, &fast_tree, ik, block);
    add_if_it_serves(&s, &snw__ik_lm, ik, block);
    add_if_it_serves(&s, &snw__ik_fabrik, ik, block);
    if (state != NULL) *state = s;
    return state;
}

/* Runs one method; on return limits hold and world is valid. */
static snw__ik_report run(const snw_ik *ik, const auto_state *s, int which, const snw_goal *goals,
                          snw_pose *pose)
{
    const snw__ik_method *method = s->method[which];
    snw__ik_report report = method->solve(ik, s->state[which], goals, pose);
    if (!report.world_is_valid) {
        (void)snw__ik_apply_limits(ik, pose);
        snw_pose_forward(pose);
    }
    report.world_is_valid = true;
    return report;
}

static bool is_final(const snw_ik *ik, const snw__ik_report *report)
{
    return report->outcome == SNW_IK_UNREACHABLE && report->solver == SNW_IK_DIRECTIONS &&
           snw__bones_goal_count(ik) == 1 && ik->limited_count == 0;
}

static snw__ik_report auto_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                 snw_pose *pose)
{
    auto_state *s = state;
    snw__ik_report answer = {.outcome = SNW_IK_STALLED, .solver = SNW_IK_AUTO};
    double best = HUGE_VAL;
    int iterations = 0;
    snw_ik rest;
    snw__ik_snapshot_take(&s->start, pose);
    for (int m = 0; m < s->count; m++) {
        if (m > 0) { /* what is left of the iterations */
            rest = *ik;
            rest.options.iteration_max = ik->options.iteration_max - iterations;
            snw__ik_snapshot_restore(&s->start, pose);
            snw_pose_forward(pose);
        }
        snw__ik_report report = run(m > 0 ? &rest : ik, s, m, goals, pose);
        iterations += report.iterations;
        double excess = snw__ik_excess(ik, goals, pose);
        /* A later method must be clearly nearer to replace an earlier answer. */
        if (excess < 0.99 * best || m == 0) {
            best = excess;
            answer = report;
            snw__ik_snapshot_take(&s->best, pose);
        }
        if (excess <= 1 || is_final(ik, &report) || iterations >= ik->options.iteration_max) break;
    }
    if (best > 1) {
        snw__ik_snapshot_restore(&s->best, pose);
        snw_pose_forward(pose);
    }
    answer.iterations = iterations;
    answer.world_is_valid = true;
    return answer;
}

const snw__ik_method snw__ik_auto = {.solver = SNW_IK_AUTO,
                                     .uses_system = true,
                                     .check = auto_check,
                                     .layout = auto_layout,
                                     .solve = auto_solve,
                                     .takes_tree = true};
