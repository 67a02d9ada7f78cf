/* Self-adaptive Levenberg-Marquardt with bounds.
 *
 *     (J^T J + lambda I) h = J^T r,  lambda = sqrt(alpha) |r|
 *
 * so that damping fades with the error and the end is quadratic. alpha follows the gain ratio
 * rho = (E - E_new) / (E - E_model): alpha *= max(1/4, 1 - 2 (2 rho - 1)^3); a step is taken only
 * when rho > 1e-4. The model's reduction is taken from the reduced system itself, so it is right
 * with limits held too; without limits it equals h.(lambda h + J^T r) / 2.
 *
 * When stuck it begins again: first shaken, then from random poses inside the limits, each with its
 * share of the iterations. If none gets there the answer is the one from the given pose, unless
 * another came at least twice as near: a tracked target just out of reach must not make the body
 * jump about. */
#include "ik/lm.h"

#include "ik/descend.h"

#define IK_LM_ALPHA_FIRST 0.1
#define IK_LM_ALPHA_MOST  1e8
#define IK_LM_ACCEPT      1e-4

/* An attempt is stuck when its error falls by less than this part in as many accepted steps. */
#define IK_LM_WINDOW   8
#define IK_LM_PROGRESS 0.02

/* Random poses looked at before one is chosen to start from. */
#define IK_LM_SCATTER 8
/* Radians of the first fresh start: another answer near the given pose, if there is one. */
#define IK_LM_SHAKE 0.5

/* ---- one step ----------------------------------------------------------------------------- */

static void damped_direction(snw__ik_system *system, void *context)
{
    const snw__ik_lm_state *lm = context;
    snw__ik_system_solve_damped(system, lm->lambda);
    snw__ik_limit_turn(system, lm->turn_max);
}

static void adapt(snw__ik_lm_state *lm, double rho)
{
    double bend = 2 * rho - 1;
    double factor = fmax(0.25, 1 - 2 * bend * bend * bend);
    /* Far below zero the formula explodes; a factor of 17 is rho = -1/2. */
    lm->alpha = snw_clamp(lm->alpha * fmin(factor, 17), SNW__IK_LM_ALPHA_LEAST, IK_LM_ALPHA_MOST);
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
    adapt(lm, rho);
    if (rho > IK_LM_ACCEPT) {
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
    int accepted;
} ik_lm_attempt;

/* One step from a built system. Returns false when the attempt is over. */
static bool advance(ik_lm_attempt *attempt, snw__ik_system *system, const snw_goal *goals,
                    snw_pose *pose)
{
    double turn = snw__ik_lm_step(&attempt->lm, system, goals, pose);
    if (attempt->lm.rejected > 0) return attempt->lm.rejected < 12 && turn > 1e-9;
    if (++attempt->accepted % IK_LM_WINDOW) return turn > 1e-12;
    bool is_slow = system->energy > (1 - IK_LM_PROGRESS) * attempt->reference;
    attempt->reference = system->energy;
    return !is_slow;
}

/* Runs one attempt from the pose. Leaves the pose at its best, measured. */
static int run_attempt(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                       int iteration_max, bool *has_stalled)
{
    ik_lm_attempt attempt = {.lm = {.alpha = IK_LM_ALPHA_FIRST, .turn_max = INFINITY},
                             .reference = INFINITY};
    int iteration = 0;
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

/* The nearest to the goals of a handful of random poses: trying one costs a tenth of a step. */
static void scatter_well(snw__ik_system *system, const snw_goal *goals, snw_random *random,
                         snw_pose *pose)
{
    double least = INFINITY;
    for (int k = 0; k < IK_LM_SCATTER; k++) {
        snw__ik_system_scatter(system, random, pose);
        snw__ik_system_measure(system, goals, pose);
        if (!(system->energy < least)) continue;
        least = system->energy;
        snw__ik_snapshot_take(&system->before, pose);
    }
    snw__ik_snapshot_restore(&system->before, pose);
    snw_pose_forward(pose);
}

/* The given pose first, then shaken, then anywhere. */
static void begin(snw__ik_system *system, const snw_goal *goals, snw_random *random, int attempt,
                  snw_pose *pose)
{
    if (attempt == 0) return;
    snw__ik_snapshot_restore(&system->start, pose);
    if (attempt == 1)
        snw__ik_system_shake(system, random, IK_LM_SHAKE, pose);
    else
        scatter_well(system, goals, random, pose);
}

static int share_of(const snw_ik *ik, bool is_far, int left)
{
    /* Fewer than 40 iterations would end attempts that still converge. */
    int share = ik->options.iteration_max / (ik->options.restart_max + 1);
    if (is_far || ik->options.restart_max == 0) return left;
    share = share < 40 ? 40 : share;
    return share < left ? share : left;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    (void)state;
    snw__ik_system *system = ik->system;
    snw_random random = snw_random_seed(ik->options.seed, 2);
    snw__ik_report report = {SNW_IK_OUT_OF_ITERATIONS, SNW_IK_LM, 0, true};
    bool is_far = snw__ik_is_out_of_reach(ik, goals, pose), has_stalled = false;
    double best = INFINITY;
    snw__ik_snapshot_take(&system->start, pose);
    snw__ik_snapshot_take(&system->best, pose);
    for (int attempt = 0; attempt <= (is_far ? 0 : ik->options.restart_max); attempt++) {
        int left = ik->options.iteration_max - report.iterations;
        begin(system, goals, &random, attempt, pose);
        report.iterations +=
            run_attempt(system, goals, pose, share_of(ik, is_far, left), &has_stalled);
        if (system->excess <= 1) {
            report.outcome = SNW_IK_REACHED;
            return report;
        }
        /* Energies: a quarter is half the distance. */
        if (attempt == 0 || system->energy < 0.25 * best) {
            best = system->energy;
            snw__ik_snapshot_take(&system->best, pose);
        }
        if (report.iterations >= ik->options.iteration_max) break;
    }
    if (has_stalled) report.outcome = SNW_IK_STALLED;
    snw__ik_snapshot_restore(&system->best, pose);
    snw_pose_forward(pose);
    return report;
}

const snw__ik_method snw__ik_lm = {SNW_IK_LM, true, snw__ik_check_nothing, snw__ik_layout_nothing,
                                   solve,     true};
