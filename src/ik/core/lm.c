/* Self-adaptive Levenberg-Marquardt with bounds.
 *
 *     (J^T J + lambda I) h = J^T r,  lambda = sqrt(alpha) |r|
 *
 * so that damping fades with the error and the end is quadratic. alpha follows the gain ratio
 * rho = (E - E_new) / (E - E_model): alpha *= max(1/4, 1 - 2 (2 rho - 1)^3); a step is taken only
 * when rho > 1e-4. The model's reduction is taken from the reduced system itself, so it is right
 * with limits held too; without limits it equals h.(lambda h + J^T r) / 2.
 *
 * When stuck it goes on to the minimum with Newton steps (newton.h), and then begins again: first
 * a little and then more shaken, then from random poses inside the limits, each with its share of
 * the iterations, until they are spent or three random starts have led to the lowest minimum known:
 * then the goals contradict each other. If none gets there the answer is the nearest; but where
 * that from the given pose is beside it another must be twice as near: a tracked target just
 * out of reach must not make the body jump about. For the same reason a start that stands in its
 * minimum already is the answer, unless a few short attempts with limbs bent reach: a stretched
 * limb whose target came back on its line stands in a minimum too. */
#include "ik/core/lm.h"
#include "ik/core/lm_start.h"

#include <string.h>

#include "ik/core/descend.h"
#include "ik/core/newton.h"

/* [derived] Steps in a row that are expected to bring next to nothing: one may be by chance. */
#define IK_LM_FLAT_STEPS 2

enum {
    IK_LM_BESIDE = 10 /* so many times the least energy that goals out of reach leave is near it */
};

/* When an attempt is stuck, in parts of its energy. */
typedef struct ik_lm_patience {
    double progress; /* by which it must have fallen in a window */
    double flat;     /* a step of which the model expects less than this is flat */
} ik_lm_patience;

/* From the given pose; from fresh ones, of which the next may do better; and towards goals that are
 * proven out of reach, where Newton's steps go on better. */
static const ik_lm_patience ik_lm_given = {0.02, 1e-2}, ik_lm_fresh = {0.5, 1e-2},
                            ik_lm_far = {0.02, 5e-2};

/* How one solve goes. */
typedef struct ik_lm_run {
    snw_random random;
    snw__ik_report report;
    int iteration_max; /* of the attempts: the rest is kept for the last way */
    bool is_far;       /* proven out of reach */
    double near;       /* energy, below which little else than that is left over */
    bool can_conflict; /* see goals_can_conflict */
    bool has_stalled, is_settled;
} ik_lm_run;

/* ---- one step ----------------------------------------------------------------------------- */

static void damped_direction(snw__ik_system *system, void *context)
{
    const snw__ik_lm_state *lm = context;
    snw__ik_system_solve_damped(system, lm->lambda);
    snw__ik_limit_turn(system, lm->turn_max);
}

/* What the model did not see of the step, r(h) - (r - J h), is solved for once more with the same
 * matrix and added: geodesic acceleration (Transtrum & Sethna 2012) by the trial itself. Kept when
 * it is better. */
static void correct(snw__ik_lm_state *lm, snw__ik_system *system, const snw_goal *goals,
                    snw_pose *pose)
{
    double energy = system->energy;
    size_t bytes = (size_t)system->column_count * sizeof(double);
    for (int k = 0; k < system->row_count; k++)
        system->residual[k] -= system->predicted[k];
    memcpy(system->secondary, system->step, bytes);
    damped_direction(system, lm);
    for (int c = 0; c < system->column_count; c++)
        system->step[c] += system->secondary[c];
    snw__ik_snapshot_restore(&system->before, pose);
    (void)snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
    if (system->energy < energy) return;
    memcpy(system->step, system->secondary, bytes);
    snw__ik_snapshot_restore(&system->before, pose);
    (void)snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
}

double snw__ik_lm_step(snw__ik_lm_state *lm, snw__ik_system *system, const snw_goal *goals,
                       snw_pose *pose)
{
    double energy = system->energy;
    lm->lambda = fmax(sqrt(lm->alpha * 2 * energy), lm->damping_least);
    snw__ik_snapshot_take(&system->before, pose);
    snw__ik_system_find_step(system, damped_direction, lm, pose);
    lm->expected = snw__ik_system_expected_gain(system, energy);
    double turn = snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
    double rho = lm->expected > 0 ? (energy - system->energy) / lm->expected : -1;
    if (lm->corrects && rho < SNW__IK_POOR) {
        correct(lm, system, goals, pose);
        rho = lm->expected > 0 ? (energy - system->energy) / lm->expected : -1;
    }
    double bend = 2 * rho - 1;
    double factor = fmax(0.25, 1 - 2 * bend * bend * bend);
    /* Far below zero the formula explodes; a factor of 17 is rho = -1/2. */
    lm->alpha =
        snw_clamp(lm->alpha * fmin(factor, 17), SNW__IK_DAMPING_LEAST, SNW__IK_DAMPING_MOST);
    if (rho > SNW__IK_ENOUGH) {
        lm->rejected = 0;
    } else {
        lm->rejected++;
        lm->alpha = fmax(lm->alpha, lm->alpha_retry);
        snw__ik_snapshot_restore(&system->before, pose);
        snw_pose_forward(pose);
    }
    return turn;
}

/* ---- an attempt --------------------------------------------------------------------------- */

typedef struct ik_lm_attempt {
    snw__ik_lm_state lm;
    double reference; /* energy at the last look */
    const ik_lm_patience *patience;
    int accepted;
    int flat; /* steps in a row that were expected to bring next to nothing */
} ik_lm_attempt;

/* One step from a built system. Returns false when the attempt is over. */
static bool advance(ik_lm_attempt *attempt, snw__ik_system *system, const snw_goal *goals,
                    snw_pose *pose)
{
    double energy = system->energy;
    double turn = snw__ik_lm_step(&attempt->lm, system, goals, pose);
    attempt->flat = attempt->lm.expected < attempt->patience->flat * energy ? attempt->flat + 1 : 0;
    if (attempt->flat >= IK_LM_FLAT_STEPS) return false;
    if (attempt->lm.rejected > 0) return attempt->lm.rejected < 12 && turn > 1e-9;
    if (++attempt->accepted % SNW__IK_WINDOW) return turn > 1e-12;
    bool is_slow = system->energy > (1 - attempt->patience->progress) * attempt->reference;
    attempt->reference = system->energy;
    return !is_slow;
}

/* Runs one attempt from the pose. Leaves the pose at its best, measured. */
static int run_attempt(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                       int iteration_max, const ik_lm_patience *patience, bool *has_stalled)
{
    ik_lm_attempt attempt = {.lm = {.alpha = SNW__IK_ALPHA_FIRST, .turn_max = INFINITY},
                             .reference = INFINITY,
                             .patience = patience};
    int iteration = 0;
    /* Where weights differ by orders the way to the minimum is a narrow curved valley: straight
     * steps are short there, and corrected ones are not. */
    double least = INFINITY, most = 0;
    for (int i = 0; i < system->ik->goal_count; i++) {
        if (snw__goal_is_secondary(&goals[i])) continue;
        least = fmin(least, goals[i].weight);
        most = fmax(most, goals[i].weight);
    }
    attempt.lm.corrects = !system->tree && (least < SNW__IK_UNEVEN * most);
    *has_stalled = false;
    for (; iteration < iteration_max && !*has_stalled; iteration++) {
        snw__ik_system_build(system, goals, pose);
        if (system->excess <= 1) return iteration;
        if (snw__ik_system_is_stationary(system)) break;
        *has_stalled = !advance(&attempt, system, goals, pose);
    }
    *has_stalled |= iteration < iteration_max;
    snw__ik_system_measure(system, goals, pose);
    return iteration;
}

/* Did the attempt from the given pose end about where it began? */
static bool has_stayed(const snw_ik *ik, const snw_pose *pose, double start_energy)
{
    return ik->system->energy > SNW__IK_SLOW * start_energy &&
           snw__ik_moved_since(ik, &ik->system->start, pose) < SNW__IK_SHAKE;
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

/* On to the minimum; true when it is one: neither Newton's steps nor plain ones lead on. Where
 * several limits meet each may be wrong about their far side. */
static bool settle(const snw_ik *ik, const snw_goal *goals, snw_pose *pose, snw__ik_report *report)
{
    snw__ik_system *system = ik->system;
    bool has_stalled;
    for (int left; (left = ik->options.iteration_max - report->iterations) > 0;) {
        snw__ik_polish polish = snw__ik_newton_settle(system, goals, pose, left);
        report->iterations += polish.iterations;
        if (!polish.is_minimum || system->excess <= 1) return false;
        if (!polish.has_crept) return true;
        double energy = system->energy;
        snw__ik_snapshot_take(&system->lowest, pose);
        report->iterations += run_attempt(system, goals, pose, least_of(left, SNW__IK_WINDOW),
                                          &ik_lm_given, &has_stalled);
        if (snw__ik_newton_goes_on(system, energy)) continue;
        snw__ik_snapshot_restore(&system->lowest, pose);
        snw_pose_forward(pose);
        snw__ik_system_measure(system, goals, pose);
        return true;
    }
    return false;
}

/* Was the start a minimum already? Asked only when an attempt from there has failed: goals that can
 * be met do not pay for it. Leaves the pose as it is, measured. */
static bool was_settled(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                        double start_energy)
{
    bool has_gained = snw__ik_newton_goes_on(system, start_energy);
    snw__ik_snapshot_take(&system->lowest, pose);
    snw__ik_snapshot_restore(&system->start, pose);
    snw_pose_forward(pose);
    bool is_settled = snw__ik_newton_is_settled(system, goals, pose);
    if (!is_settled && !has_gained)
        is_settled = snw__ik_newton_settle(system, goals, pose, SNW__IK_WINDOW).is_minimum &&
                     !snw__ik_newton_goes_on(system, start_energy);
    snw__ik_snapshot_restore(&system->lowest, pose);
    snw_pose_forward(pose);
    snw__ik_system_measure(system, goals, pose);
    return is_settled;
}

/* Short attempts from a start that is a minimum; only one that reaches counts. True when one did.
 */
static bool leave_minimum(const snw_ik *ik, const snw_goal *goals, snw_pose *pose,
                          snw_random *random, snw__ik_report *report)
{
    bool has_stalled;
    for (int attempt = 1; attempt <= least_of(SNW__IK_TRIES, ik->options.restart_max); attempt++) {
        int left = ik->options.iteration_max - report->iterations;
        /* Out of a minimum that the solve began in. */
        snw__ik_snapshot_restore(&ik->system->start, pose);
        if (attempt < SNW__IK_TRIES) snw__ik_lm_bend(ik->system, pose);
        snw__ik_system_shake(ik->system, random, SNW__IK_MODEL_RANGE, pose);
        report->iterations += run_attempt(ik->system, goals, pose, least_of(left, SNW__IK_WINDOW),
                                          &ik_lm_fresh, &has_stalled);
        if (ik->system->excess <= 1) return true;
    }
    return false;
}

/* What the attempts of one solve have brought. */
typedef struct ik_lm_search {
    double start;   /* energy of the given pose */
    double best;    /* of the answer that is kept in system->best */
    double better;  /* part of that which another must have less than */
    double nearest; /* least way to an answer that reaches */
    double lowest;  /* of all minima */
    int same;       /* shaken starts that led to the first again */
    int again;      /* fresh starts that led there once more */
    int found;      /* answers that reach */
} ik_lm_search;

/* Notes an answer that reaches; true when no other is wanted. */
static bool note_reached(const snw_ik *ik, const snw_pose *pose, ik_lm_search *search)
{
    double moved = snw__ik_moved_since(ik, &ik->system->start, pose);
    if (moved < search->nearest) snw__ik_snapshot_take(&ik->system->best, pose);
    search->nearest = fmin(search->nearest, moved);
    return ++search->found >= ik->options.nearest_count || search->nearest < SNW__IK_MODEL_RANGE;
}

/* Notes a minimum that does not reach; true when fresh starts led to the lowest so often that the
 * goals contradict each other (the rule of Boender & Rinnooy Kan 1987 in its plainest form). */
static bool note_minimum(const snw_ik *ik, const snw_pose *pose, int attempt, ik_lm_search *search)
{
    double energy = ik->system->energy;
    /* Energies: a quarter is half the distance. What has left its start by more than a step of any
     * model has no way to jump from. */
    if (attempt == 0) {
        double moved = snw__ik_moved_since(ik, &ik->system->start, pose);
        if (moved < SNW__IK_SHAKE) search->better = 0.25;
        if (moved > 2 * SNW__IK_MODEL_RANGE) search->better = 1;
    }
    if (attempt == 0 || energy < search->better * search->best) {
        search->best = energy;
        snw__ik_snapshot_take(&ik->system->best, pose);
    }
    if (attempt > 0 && attempt <= SNW__IK_LM_SHAKES)
        search->same += SNW__IK_NEARER * energy < search->lowest;
    if (energy < SNW__IK_NEARER * search->lowest)
        search->again = 0;
    else if (attempt > SNW__IK_LM_SHAKES && SNW__IK_NEARER * energy < search->lowest)
        search->again += !snw__ik_lm_mends(ik->system, attempt);
    if (energy < search->lowest) snw__ik_snapshot_take(&ik->system->lowest, pose);
    search->lowest = fmin(search->lowest, energy);
    return search->again >= SNW__IK_TRIES;
}

/* One attempt, and on towards its minimum, so that answers compare. True when the search is over.
 */
static bool search_once(const snw_ik *ik, const snw_goal *goals, snw_pose *pose, int attempt,
                        ik_lm_search *search, ik_lm_run *run)
{
    snw__ik_system *system = ik->system;
    const ik_lm_patience *patience = attempt <= SNW__IK_LM_SHAKES ? &ik_lm_given : &ik_lm_fresh;
    int left = run->iteration_max - run->report.iterations;
    snw__ik_lm_begin(system, goals, &run->random, attempt, pose);
    int share = ik->options.iteration_max / (ik->options.restart_max + 1);
    share = least_of(share < SNW__IK_DESCENT ? SNW__IK_DESCENT : share, left);
    bool is_only = (run->is_far && attempt == 0) || ik->options.restart_max == 0;
    run->report.iterations +=
        run_attempt(system, goals, pose, is_only ? left : share,
                    run->is_far && attempt == 0 ? &ik_lm_far : patience, &run->has_stalled);
    if (attempt == 0 && system->excess > 1) {
        run->is_settled = was_settled(system, goals, pose, search->start);
        if (run->is_settled) return true;
        if (run->is_far || has_stayed(ik, pose, search->start))
            run->is_settled =
                (settle(ik, goals, pose, &run->report) && has_stayed(ik, pose, search->start)) ||
                system->energy < run->near;
    }
    if (system->excess > 1 && attempt > SNW__IK_LM_SHAKES && run->can_conflict && system->newton) {
        left = run->iteration_max - run->report.iterations;
        system->newton->floor = search->lowest;
        run->report.iterations +=
            snw__ik_newton_polish(system, goals, pose, least_of(left, 2 * SNW__IK_WINDOW))
                .iterations;
        system->newton->floor = INFINITY;
    }
    if (system->excess <= 1 && note_reached(ik, pose, search)) return true;
    if (search->found == 0 && note_minimum(ik, pose, attempt, search) && run->can_conflict)
        return true;
    return run->is_settled || run->report.iterations >= run->iteration_max;
}

/* Several effectors may contradict each other. A place and a frame of one joint are what one pose
 * asks for, and are searched for as long. */
static bool goals_can_conflict(const snw_ik *ik)
{
    snw__ik_rows all = {0, 0};
    int joint = -1;
    for (int i = 0; i < ik->goal_count; i++) {
        const snw_goal *goal = &ik->goal[i];
        if (snw__goal_is_secondary(goal)) continue;
        if (joint >= 0 && goal->joint != joint) return true;
        snw__ik_rows rows = snw__ik_goal_rows(ik, goal);
        joint = goal->joint;
        all.offset += rows.offset;
        all.turn += rows.turn;
    }
    return all.offset > 3 || all.turn > 3;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    (void)state;
    snw__ik_system *system = ik->system;
    int all = ik->options.iteration_max;
    ik_lm_run run = {.random = snw_random_seed(ik->options.seed, 2),
                     .report = {.outcome = SNW_IK_OUT_OF_ITERATIONS,
                                .solver = SNW_IK_LM,
                                .world_is_valid = true},
                     .iteration_max = all - (ik->options.restart_max > 0 ? all / SNW__IK_SHARE : 0),
                     .is_far = snw__ik_is_out_of_reach(ik, goals, pose),
                     .can_conflict = goals_can_conflict(ik)};
    run.near = run.is_far ? IK_LM_BESIDE * snw__ik_unreachable_energy(ik, goals, pose) : 0;
    if (run.is_far && !run.can_conflict) run.near = INFINITY;
    snw__ik_snapshot_take(&system->start, pose);
    snw__ik_snapshot_take(&system->best, pose);
    snw__ik_system_measure(system, goals, pose);
    ik_lm_search search = {.start = system->energy,
                           .best = INFINITY,
                           .better = SNW__IK_NEARER,
                           .nearest = INFINITY,
                           .lowest = INFINITY};
    run.is_settled =
        run.is_far && system->excess > 1 && snw__ik_newton_is_settled(system, goals, pose);
    run.has_stalled = run.is_settled;
    bool is_over = run.is_settled;
    for (int attempt = 0; attempt <= ik->options.restart_max && !is_over; attempt++)
        if (!ik->is_stuck || attempt == 0 || attempt > SNW__IK_LM_SHAKES)
            is_over = search_once(ik, goals, pose, attempt, &search, &run);
    if (run.is_settled && search.found == 0 && !run.is_far &&
        leave_minimum(ik, goals, pose, &run.random, &run.report)) {
        run.report.outcome = SNW_IK_REACHED;
        return run.report;
    }
    run.report.is_stuck = search.same == SNW__IK_LM_SHAKES;
    snw__ik_snapshot_restore(&system->best, pose);
    snw_pose_forward(pose);
    if (search.found > 0) {
        run.report.outcome = SNW_IK_REACHED;
        return run.report;
    }
    if (run.has_stalled) run.report.outcome = SNW_IK_STALLED;
    run.report.is_final = run.is_settled || (run.can_conflict && search.again >= SNW__IK_TRIES);
    if (!run.is_settled) (void)settle(ik, goals, pose, &run.report);
    return run.report;
}

const snw__ik_method snw__ik_lm = {SNW_IK_LM, true, snw__ik_check_nothing, snw__ik_layout_nothing,
                                   solve,     true};
