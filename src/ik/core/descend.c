/* Step after step downhill, until every goal is within its tolerance or nothing gets better.
 *
 * Owns what is the same in jacobian-transpose, pseudo-inverse, dls, svd-dls, sdls, fik and
 * gauss-newton: the pull on far goals is clamped, the best pose is kept (an undamped step may make
 * things worse for a while), a limb that is straight towards its target is shaken out of it,
 * and a solve that no longer moves is said to have stalled. */
#include "ik/core/descend.h"

snw_status snw__ik_check_nothing(const snw_ik *ik, snw_error *error)
{
    (void)ik;
    (void)error;
    return SNW_OK;
}

void *snw__ik_layout_nothing(const snw_ik *ik, snw__block *block)
{
    (void)ik;
    (void)block;
    return NULL;
}

void snw__ik_limit_turn(snw__ik_system *system, double largest)
{
    double turn = 0;
    for (int c = 0; c < system->column_count; c++)
        turn = fmax(turn, fabs(system->step[c]));
    if (!(turn > largest)) return;
    for (int c = 0; c < system->column_count; c++)
        system->step[c] *= largest / turn;
}

void snw__ik_steepest(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_pull_back(system, system->residual, system->step);
    snw__ik_system_push(system, system->step, system->work); /* J J^T r */
    double top = snw__ik_dot(system->work, system->residual, system->row_count);
    double bottom = snw__ik_dot(system->work, system->work, system->row_count);
    /* bottom is 0 only where top is: nothing moves the goals. */
    double alpha = bottom > 0 ? top / bottom : 0;
    for (int c = 0; c < system->column_count; c++)
        system->step[c] *= alpha;
    snw__ik_limit_turn(system, 0.5 * SNW_PI);
}

double snw__ik_search_line(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                           double *scale)
{
    double energy = system->energy;
    snw__ik_snapshot_take(&system->before, pose);
    for (*scale = 1; *scale > 1e-6; *scale *= 0.5) {
        double turn = snw__ik_system_move(system, *scale, pose);
        snw__ik_system_measure(system, goals, pose);
        if (system->energy < energy) return turn;
        snw__ik_snapshot_restore(&system->before, pose);
    }
    snw_pose_forward(pose);
    return 0;
}

/* What a descent remembers of its way. */
typedef struct ik_progress {
    double best;      /* energy of the best pose, which is in system->best */
    double reference; /* best energy at the last look */
    int look_at;      /* iteration of the next look */
    int shake_count;
} ik_progress;

static void note_best(ik_progress *progress, snw__ik_system *system, const snw_pose *pose)
{
    if (!(system->energy < progress->best)) return;
    progress->best = system->energy;
    snw__ik_snapshot_take(&system->best, pose);
}

static bool has_stalled(ik_progress *progress, int iteration)
{
    if (iteration < progress->look_at) return false;
    bool is_slow = !(progress->best < (1 - SNW__IK_STALL) * progress->reference);
    progress->reference = progress->best;
    progress->look_at = iteration + SNW__IK_STALL_WINDOW;
    return is_slow;
}

static bool holds_limits(const snw__ik_system *system)
{
    for (int c = 0; c < system->column_count; c++)
        if (system->is_held[c]) return true;
    for (int m = 0; m < system->mover_count; m++)
        if (system->mover[m].normal_count > 0) return true;
    return false;
}

/* With limits held a step may lead nowhere or up: the method pushes a joint against its limit where
 * the slope alone would take it away from there. Then the slope decides for once. */
static double step_along_slope(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    double scale;
    snw__ik_system_build(system, goals, pose);
    snw__ik_system_find_step(system, snw__ik_steepest, NULL, pose);
    return snw__ik_search_line(system, goals, pose, &scale);
}

static double take_step(const snw__ik_descent *descent, snw__ik_system *system,
                        const snw_goal *goals, snw_pose *pose)
{
    double energy = system->energy, turn, scale;
    if (!descent->has_line_search) snw__ik_system_clamp_residual(system, goals);
    snw__ik_system_find_step(system, descent->direction, descent->context, pose);
    if (descent->has_line_search) {
        turn = snw__ik_search_line(system, goals, pose, &scale);
        return turn > 0 || !holds_limits(system) ? turn : step_along_slope(system, goals, pose);
    }
    bool is_held = holds_limits(system);
    if (is_held) snw__ik_snapshot_take(&system->before, pose);
    turn = snw__ik_system_move(system, 1, pose);
    if (!is_held) return turn;
    snw__ik_system_measure(system, goals, pose);
    if (system->energy < energy) return turn;
    snw__ik_snapshot_restore(&system->before, pose);
    snw_pose_forward(pose);
    return step_along_slope(system, goals, pose);
}

static snw__ik_report finish(snw__ik_system *system, const snw__ik_descent *descent,
                             snw_ik_outcome outcome, int iterations, snw_pose *pose)
{
    snw__ik_report report = {.outcome = outcome,
                             .solver = descent->solver,
                             .iterations = iterations,
                             .world_is_valid = outcome == SNW_IK_REACHED};
    if (outcome != SNW_IK_REACHED) snw__ik_snapshot_restore(&system->best, pose);
    return report;
}

snw__ik_report snw__ik_descend(const snw_ik *ik, const snw__ik_descent *descent,
                               const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    snw_random random = snw_random_seed(ik->options.seed, 1);
    ik_progress progress = {INFINITY, INFINITY, SNW__IK_STALL_WINDOW, 0};
    int shake_max = snw__ik_is_out_of_reach(ik, goals, pose) ? 0 : SNW__IK_TRIES;
    snw__ik_snapshot_take(&system->best, pose); /* also where no energy is below infinity */
    for (int iteration = 0; iteration < ik->options.iteration_max; iteration++) {
        snw__ik_system_build(system, goals, pose);
        note_best(&progress, system, pose);
        if (system->excess <= 1) return finish(system, descent, SNW_IK_REACHED, iteration, pose);
        if (has_stalled(&progress, iteration))
            return finish(system, descent, SNW_IK_STALLED, iteration, pose);
        /* 1e-12 rad: the step is round-off. */
        if (!snw__ik_system_is_stationary(system) &&
            take_step(descent, system, goals, pose) > 1e-12)
            continue;
        if (progress.shake_count++ >= shake_max)
            return finish(system, descent, SNW_IK_STALLED, iteration, pose);
        snw__ik_system_shake(system, &random, SNW__IK_SHAKE, pose);
    }
    snw__ik_system_measure(system, goals, pose);
    note_best(&progress, system, pose);
    return finish(system, descent, system->excess <= 1 ? SNW_IK_REACHED : SNW_IK_OUT_OF_ITERATIONS,
                  ik->options.iteration_max, pose);
}
