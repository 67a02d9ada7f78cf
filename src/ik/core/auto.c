/* auto: tries methods in an order that the problem decides, until one reaches.
 *
 * First directions, which takes chains and trees of ball joints in a few steps; then what exists in
 * closed form (two-bone) and the quick step for trees of free balls whose joints carry several
 * bones; then the general Levenberg-Marquardt with its fresh starts, which serves every goal and
 * every joint, and last FABRIK, which sometimes leaves a minimum the gradient cannot. Each begins
 * from the pose that was given, so the choice of methods cannot make a warm start jump, and none
 * may spend more than its share of the iterations. If none reaches, the answer with the least
 * weighted energy is brought to its minimum and kept; where that is no lower than the given pose's,
 * the given pose is, bit for bit. A pose that meets its goals already is left as it is. What is
 * proven out of reach is not tried again when the first answer is already the nearest (one goal, no
 * limits). */
#include "ik/core/bones.h"
#include "ik/core/fast_tree.h"
#include "ik/core/newton.h"

extern const snw__ik_method snw__ik_directions;
extern const snw__ik_method snw__ik_fabrik;
extern const snw__ik_method snw__ik_lm;
extern const snw__ik_method snw__ik_two_bone;

enum {
    AUTO_METHODS = 5
};

/* Less than this part of the start's energy, or nothing was gained but round-off. */
#define AUTO_GAIN (1 - 1e-6)

typedef struct auto_state {
    int count;
    const snw__ik_method *method[AUTO_METHODS];
    void *state[AUTO_METHODS];
    snw__ik_snapshot start, best;
    snw_goal *even; /* (goal_count) the goals, all with one weight */
    int *limb_root; /* (goal_count) first joint of the goal's limb; -1: the body does not branch */
    bool *is_limb;  /* (joint_count) */
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
        if (snw__goal_is_point(&ik->goal[g]))
            for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j])
                moving += snw_joint_type_dof(ik->skeleton->joint[j].type) > 0;
    return moving == 2;
}

static void add_if_it_serves(auto_state *s, const snw__ik_method *method, const snw_ik *ik,
                             snw__block *block)
{
    if ((ik->has_control || ik->has_followers) && !method->uses_system) return;
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
    s.even = snw__block_take(block, (size_t)ik->goal_count, sizeof *s.even);
    s.limb_root = snw__block_take(block, (size_t)ik->goal_count, sizeof *s.limb_root);
    s.is_limb = snw__block_take(block, joint_count, sizeof *s.is_limb);
    add_if_it_serves(&s, &snw__ik_directions, ik, block);
    if (fits_two_bone(ik)) add_if_it_serves(&s, &snw__ik_two_bone, ik, block);
    add_if_it_serves(&s, &fast_tree, ik, block);
    add_if_it_serves(&s, &snw__ik_lm, ik, block);
    add_if_it_serves(&s, &snw__ik_fabrik, ik, block);
    if (state == NULL) return NULL;
    /* From every goal up to where the body branches. */
    const snw_skeleton *body = ik->skeleton;
    for (int g = 0; g < ik->goal_count; g++) {
        int j = ik->goal[g].joint;
        s.limb_root[g] = -1;
        if (snw__goal_is_secondary(&ik->goal[g])) continue;
        for (; j > 0; j = body->parent[j])
            if (body->parent[j] >= 0 && body->next_sibling[body->first_child[body->parent[j]]] >= 0)
                break; /* another limb hangs on its parent */
        s.limb_root[g] = j > 0 ? j : -1;
        for (int k = ik->goal[g].joint; k >= j; k = body->parent[k])
            s.is_limb[k] = true;
    }
    *state = s;
    return state;
}

static bool is_final(const snw_ik *ik, const snw__ik_report *report)
{
    if (report->outcome != SNW_IK_UNREACHABLE || report->solver != SNW_IK_DIRECTIONS ||
        snw__bones_goal_count(ik) != 1)
        return false;
    for (int k = 0; k < ik->limited_count; k++)
        if (snw_joint_type_dof(ik->joint[ik->limited[k]].type) > 0) return false;
    return true;
}

/* The answers of one solve. */
typedef struct auto_answers {
    double start; /* energy of the given pose */
    double best;  /* of the best answer, which is in state->best */
    snw__ik_report report;
    int iterations;
    bool is_stuck; /* shaken starts led nowhere, if with other weights */
} auto_answers;

/* Runs methods from the given pose until one reaches; true when one did, with the pose there. */
static bool try_methods(const snw_ik *ik, auto_state *s, const snw_goal *goals, snw_pose *pose,
                        auto_answers *answers)
{
    for (int m = 0; m < s->count && answers->iterations < ik->options.iteration_max; m++) {
        snw_ik part = *ik;
        part.is_stuck = answers->is_stuck;
        /* A last method after lm takes only what lm leaves it. */
        int left = ik->options.iteration_max - answers->iterations;
        bool is_last = m + 1 == s->count, is_lm = s->method[m] == &snw__ik_lm;
        int share = ik->options.iteration_max / SNW__IK_SHARE + 1;
        if (is_lm)
            share =
                is_last || left <= 2 * SNW__IK_STALL_WINDOW ? left : left - SNW__IK_STALL_WINDOW;
        if (is_last && m > 0 && !is_lm) share = SNW__IK_STALL_WINDOW;
        part.options.iteration_max = m == 0 && is_last ? left : share > left ? left : share;
        if (m > 0) {
            snw__ik_snapshot_restore(&s->start, pose);
            snw_pose_forward(pose);
        }
        /* Limits hold and world is valid from here on. */
        const snw__ik_method *method = s->method[m];
        snw__ik_report report = method->solve(&part, s->state[m], goals, pose);
        if (!report.world_is_valid) {
            (void)snw__ik_apply_limits(&part, pose);
            snw_pose_forward(pose);
        }
        report.world_is_valid = true;
        answers->iterations += report.iterations;
        answers->is_stuck |= report.is_stuck;
        snw__ik_system_measure(ik->system, goals, pose);
        if (ik->system->excess <= 1 || is_final(ik, &report)) {
            answers->report = report;
            answers->best = ik->system->energy;
            snw__ik_snapshot_take(&s->best, pose);
            return ik->system->excess <= 1;
        }
        if (ik->system->energy < SNW__IK_NEARER * answers->best) {
            answers->best = ik->system->energy;
            answers->report = report;
            snw__ik_snapshot_take(&s->best, pose);
        }
        /* Free trees under goals that are proven out of reach: the quick step ends beside the
         * minimum, and Newton's steps lead there at a fraction of what another method costs. */
        if (report.is_final || (s->method[m] == &fast_tree && ik->system->newton &&
                                snw__ik_is_out_of_reach(ik, goals, pose)))
            break;
    }
    return false;
}

/* Weights decide what is given up when not all goals can be met; where all can, they only make the
 * problem worse conditioned. So goals whose weights differ much are first tried as equals, with
 * a few fresh starts, unless the pose is a minimum with its weights already. True when that
 * reaches, with the pose there. */
static bool try_even(const snw_ik *ik, auto_state *s, const snw_goal *goals, snw_pose *pose,
                     auto_answers *answers)
{
    double least = INFINITY;
    for (int g = 0; g < ik->goal_count; g++) {
        s->even[g] = goals[g];
        if (snw__goal_is_secondary(&goals[g])) continue;
        s->even[g].weight = 1;
        least = fmin(least, goals[g].weight);
    }
    if (least > SNW__IK_UNEVEN || snw__ik_is_out_of_reach(ik, goals, pose) ||
        snw__ik_newton_is_settled(ik->system, goals, pose))
        return false;
    snw_ik part = *ik;
    part.options.iteration_max = (ik->options.iteration_max + 1) / 2;
    if (part.options.restart_max > SNW__IK_TRIES) part.options.restart_max = SNW__IK_TRIES;
    bool has_reached = try_methods(&part, s, s->even, pose, answers);
    answers->report.iterations = answers->iterations;
    answers->report.world_is_valid = true;
    answers->best = INFINITY; /* by other weights */
    if (has_reached) return true;
    snw__ik_snapshot_restore(&s->start, pose);
    snw_pose_forward(pose);
    return false;
}

/* Could the limbs alone be long enough? Positions farther from a limb's first joint than its bones
 * together cannot be reached by it. */
static bool limbs_might_reach(const snw_ik *ik, const auto_state *s, const snw_goal *goals,
                              const snw_pose *pose)
{
    bool is_any = false;
    for (int g = 0; g < ik->goal_count; g++) {
        if (snw__goal_is_secondary(&goals[g])) continue;
        if (s->limb_root[g] < 0) return false;
        is_any = true;
        if (snw__goal_row_of(&goals[g])->place != SNW__PLACE_POINT) continue;
        double length = snw_vec3_length(goals[g].point);
        for (int j = goals[g].joint; j > s->limb_root[g]; j = ik->skeleton->parent[j])
            length += ik->skeleton->bone_length[j];
        snw_vec3 root = pose->world[s->limb_root[g]].translation;
        if (snw_vec3_distance(goals[g].position, root) > length) return false;
    }
    return is_any;
}

static void lock_trunk(const snw_ik *ik, const auto_state *s, bool is_locked)
{
    for (int m = 0; m < ik->system->mover_count; m++) {
        snw__ik_mover *mover = &ik->system->mover[m];
        if (mover->joint < 0)
            mover->is_locked = is_locked;
        else if (!s->is_limb[mover->joint])
            mover->is_locked = is_locked || ik->mobility[mover->joint] == 0;
    }
}

/* The limbs alone, the trunk as it stands; true when that reaches, with the pose there. */
static bool try_limbs(const snw_ik *ik, auto_state *s, const snw_goal *goals, snw_pose *pose,
                      auto_answers *answers)
{
    if (ik->options.posture != SNW_IK_POSTURE_LIMBS || ik->skeleton->pin_count > 0 ||
        !limbs_might_reach(ik, s, goals, pose))
        return false;
    snw_ik part = *ik;
    part.options.iteration_max = ik->options.iteration_max / SNW__IK_SHARE + 1;
    part.options.restart_max = SNW__IK_TRIES;
    lock_trunk(ik, s, true);
    snw__ik_report report = snw__ik_lm.solve(&part, NULL, goals, pose);
    lock_trunk(ik, s, false);
    answers->iterations += report.iterations;
    snw__ik_system_measure(ik->system, goals, pose);
    if (ik->system->excess <= 1) {
        answers->report = report;
        answers->report.iterations = answers->iterations;
        return true;
    }
    snw__ik_snapshot_restore(&s->start, pose);
    snw_pose_forward(pose);
    return false;
}

static snw__ik_report auto_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                 snw_pose *pose)
{
    auto_state *s = state;
    auto_answers answers = {.best = INFINITY,
                            .report = {.outcome = SNW_IK_STALLED, .solver = SNW_IK_AUTO}};
    snw__ik_system_measure(ik->system, goals, pose);
    answers.start = ik->system->energy;
    answers.report.world_is_valid = true;
    if (ik->system->excess <= 1) return answers.report;
    snw__ik_snapshot_take(&s->start, pose);
    if (try_limbs(ik, s, goals, pose, &answers)) return answers.report;
    if (try_even(ik, s, goals, pose, &answers)) return answers.report;
    if (!try_methods(ik, s, goals, pose, &answers)) {
        snw__ik_snapshot_restore(&s->best, pose);
        snw_pose_forward(pose);
        if (answers.report.solver != SNW_IK_LM && !is_final(ik, &answers.report)) {
            (void)snw__ik_newton_polish(ik->system, goals, pose, SNW__IK_DESCENT);
            answers.best = ik->system->energy;
        }
        if (!(answers.best < AUTO_GAIN * answers.start)) {
            snw__ik_snapshot_restore(&s->start, pose);
            snw_pose_forward(pose);
        }
    }
    answers.report.iterations = answers.iterations;
    answers.report.world_is_valid = true;
    return answers.report;
}

const snw__ik_method snw__ik_auto = {.solver = SNW_IK_AUTO,
                                     .uses_system = true,
                                     .check = auto_check,
                                     .layout = auto_layout,
                                     .solve = auto_solve,
                                     .takes_tree = true};
