/* Goals by strict priority, in nested null spaces (Siciliano & Slotine 1991; damped as in Nakamura
 * & Hanafusa 1986, limits by active set). Level by level, with N = I and h = 0 at first:
 *
 *     A = J_l N,   h += A^T (A A^T + lambda I)^-1 (r_l - J_l h),   N -= A^T (A A^T)^-1 A
 *
 * N is kept as the orthonormal rows that span what it takes out: as few as there are rows of goals.
 * A step is taken when it lowers the first level whose energy it changes; a level whose goals are
 * within their tolerance counts as unchanged as long as they stay there. */
#include "ik/core/levels.h"

#include <sinew/dense.h>

#include <string.h>

/* [chosen] A level is met when its goals are at this part of their tolerance: some is left for
 * curvature. */
#define IK_LEVELS_MET 0.5
/* Part by which lower levels may raise it: the ends of slow descents differ by as much. */
#define IK_LEVELS_SLACK SNW__IK_ENOUGH

extern const snw__ik_method snw__ik_lm;

static bool is_levelled(const snw_goal *goal)
{
    return !snw__goal_is_secondary(goal);
}

bool snw__ik_has_levels(const snw_ik *ik)
{
    int first = -1;
    for (int i = 0; i < ik->goal_count; i++) {
        if (!is_levelled(&ik->goal[i])) continue;
        if (first >= 0 && ik->goal[i].priority != ik->goal[first].priority) return true;
        if (first < 0) first = i;
    }
    return false;
}

snw__ik_levels *snw__ik_levels_layout(const snw_ik *ik, size_t rows, size_t columns,
                                      snw__block *block)
{
    size_t goals = (size_t)ik->goal_count;
    snw__ik_levels fields = {0};
    snw__ik_levels *levels = snw__block_take(block, 1, sizeof *levels);
    fields.of_goal = snw__block_take(block, goals, sizeof(int));
    fields.energy = snw__block_take(block, goals, sizeof(double));
    fields.before = snw__block_take(block, goals, sizeof(double));
    fields.kept = snw__block_take(block, goals, sizeof(double));
    fields.first = snw__block_take(block, goals, sizeof(double));
    fields.met = snw__block_take(block, goals, sizeof(double));
    fields.basis = snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
    fields.reduced = snw__block_take(block, snw__size_mul(rows, columns), sizeof(double));
    fields.gram = snw__block_take(block, snw__size_mul(rows, rows), sizeof(double));
    fields.work = snw__block_take(block, rows, sizeof(double));
    fields.row = snw__block_take(block, rows, sizeof(int));
    fields.higher = snw__block_take(block, goals, sizeof *fields.higher);
    snw__ik_snapshot_layout(&fields.answer, (size_t)ik->skeleton->joint_count, block);
    if (!levels) return NULL;
    for (int i = 0; i < ik->goal_count; i++) {
        /* How many priorities of other goals come before its own. */
        fields.of_goal[i] = is_levelled(&ik->goal[i]) ? 0 : -1;
        for (int a = 0; a < ik->goal_count && is_levelled(&ik->goal[i]); a++) {
            bool is_first =
                is_levelled(&ik->goal[a]) && ik->goal[a].priority < ik->goal[i].priority;
            for (int b = 0; b < a && is_first; b++)
                is_first =
                    !is_levelled(&ik->goal[b]) || ik->goal[b].priority != ik->goal[a].priority;
            fields.of_goal[i] += is_first;
        }
        if (fields.of_goal[i] >= fields.count) fields.count = fields.of_goal[i] + 1;
    }
    *levels = fields;
    return levels;
}

/* ---- the step ------------------------------------------------------------------------------- */

/* Takes out of v (n) what the levels so far have fixed. */
static void leave_free(const snw__ik_levels *levels, int n, double *v)
{
    for (int b = 0; b < levels->basis_count; b++) {
        const double *unit = &levels->basis[(size_t)b * (size_t)n];
        double along = snw__ik_dot(unit, v, n);
        for (int c = 0; c < n; c++)
            v[c] -= along * unit[c];
    }
}

/* reduced (count x n) = rows of J where the levels so far leave room; gram = reduced reduced^T. */
static void reduce(snw__ik_system *system, const int *row, int count)
{
    snw__ik_levels *levels = system->levels;
    int n = system->column_count;
    for (int k = 0; k < count; k++) {
        double *reduced = &levels->reduced[(size_t)k * (size_t)n];
        memcpy(reduced, &system->jacobian[(size_t)row[k] * (size_t)n], (size_t)n * sizeof *reduced);
        leave_free(levels, n, reduced);
        for (int i = 0; i <= k; i++)
            levels->gram[(size_t)k * (size_t)count + (size_t)i] =
                snw__ik_dot(reduced, &levels->reduced[(size_t)i * (size_t)n], n);
    }
}

static bool factor(snw__ik_levels *levels, int count, double damping)
{
    for (int k = 0; k < count; k++)
        levels->gram[(size_t)k * (size_t)count + (size_t)k] += damping;
    return snw_cholesky_factor(levels->gram, count) == SNW_OK;
}

/* What the level fixes is fixed for all below it: the space of its reduced rows, by Gram and
 * Schmidt, twice for those of which little is left. Squares below `least` say nothing. */
static void narrow(snw__ik_system *system, int count, double least)
{
    snw__ik_levels *levels = system->levels;
    int n = system->column_count;
    for (int k = 0; k < count; k++) {
        double *unit = &levels->basis[(size_t)levels->basis_count * (size_t)n];
        memcpy(unit, &levels->reduced[(size_t)k * (size_t)n], (size_t)n * sizeof *unit);
        leave_free(levels, n, unit);
        leave_free(levels, n, unit);
        double length2 = snw__ik_dot(unit, unit, n);
        if (!(length2 > least)) continue;
        for (int c = 0; c < n; c++)
            unit[c] /= sqrt(length2);
        levels->basis_count++;
    }
}

static void nested_direction(snw__ik_system *system, void *context)
{
    snw__ik_levels *levels = context;
    int n = system->column_count, *row = levels->row;
    levels->basis_count = 0;
    memset(system->step, 0, (size_t)n * sizeof(double));
    for (int level = 0; level < levels->active; level++) {
        /* Pins come before all goals: they are rows of the first level. */
        const snw_ik *ik = system->ik;
        int count = 0, at = 0;
        for (int i = 0; i < ik->goal_count; i++) {
            snw__ik_rows rows = snw__ik_goal_rows(ik, &ik->goal[i]);
            for (int k = 0; k < rows.offset + rows.turn; k++, at++)
                if (system->levels->of_goal[i] == level) row[count++] = at;
        }
        for (; at < system->row_count && level == 0; at++)
            row[count++] = at;
        /* Mean squared length of the rows as they are, before higher levels take from them. */
        double sum = 0;
        for (int k = 0; k < count; k++) {
            const double *own = &system->jacobian[(size_t)row[k] * (size_t)system->column_count];
            sum += snw__ik_dot(own, own, system->column_count);
        }
        double mean = count ? sum / count : 0;
        if (!(mean > 0)) continue;
        reduce(system, row, count);
        for (int k = 0; k < count; k++)
            levels->work[k] =
                system->residual[row[k]] -
                snw__ik_dot(&system->jacobian[(size_t)row[k] * (size_t)n], system->step, n);
        if (factor(levels, count, levels->damping * mean + 1e-14) &&
            snw_cholesky_solve(levels->gram, count, levels->work) == SNW_OK) {
            /* step += A^T y, no longer than a model holds: a lower level that wants the impossible
             * must not slow down a higher one. */
            double largest = 0, *added = system->secondary;
            memset(added, 0, (size_t)n * sizeof(double));
            for (int k = 0; k < count; k++)
                for (int c = 0; c < n; c++)
                    added[c] +=
                        levels->work[k] * levels->reduced[(size_t)k * (size_t)n + (size_t)c];
            for (int c = 0; c < n; c++)
                largest = fmax(largest, fabs(added[c]));
            double scale = largest > SNW__IK_MODEL_RANGE ? SNW__IK_MODEL_RANGE / largest : 1;
            for (int c = 0; c < n; c++)
                system->step[c] += scale * added[c];
        }
        if (level + 1 == levels->active) return;
        narrow(system, count, SNW__IK_PIVOT_LEAST * mean + 1e-14);
    }
}

/* ---- energies by level ---------------------------------------------------------------------- */

/* Energy of every level of the last measure, and below which each is met. */
static void measure_levels(snw__ik_system *system, const snw_goal *goals)
{
    const snw_ik *ik = system->ik;
    snw__ik_levels *levels = system->levels;
    const double *row = system->residual;
    for (int l = 0; l < levels->count; l++) {
        levels->energy[l] = 0;
        levels->met[l] = INFINITY;
    }
    for (int i = 0; i < ik->goal_count; i++) {
        snw__ik_rows rows = snw__ik_goal_rows(ik, &goals[i]);
        int level = levels->of_goal[i], count = rows.offset + rows.turn;
        if (level < 0) continue;
        double offset = IK_LEVELS_MET * ik->options.tolerance;
        double turn = IK_LEVELS_MET * ik->options.turn_tolerance * goals[i].turn_weight;
        double least = fmin(rows.offset ? offset : INFINITY, rows.turn ? turn : INFINITY);
        levels->energy[level] += 0.5 * snw__ik_dot(row, row, count);
        levels->met[level] = fmin(levels->met[level], 0.5 * goals[i].weight * least * least);
        row += count;
    }
    for (; row < system->residual + system->row_count; row++) /* pins */
        levels->energy[0] += 0.5 * *row * *row;
}

/* Below zero: a is the better; above: b; zero: they are alike. */
static int compare(const snw__ik_levels *levels, const double *a, const double *b)
{
    for (int l = 0; l < levels->active; l++) {
        if (a[l] <= levels->met[l] && b[l] <= levels->met[l]) continue;
        if (fabs(a[l] - b[l]) <= SNW__SAME * fmax(a[l], b[l])) continue;
        return a[l] < b[l] ? -1 : 1;
    }
    return 0;
}

/* Is some level before the last active one worse than it was when its own steps had ended? */
static bool costs_higher(const snw__ik_levels *levels, int count)
{
    for (int l = 0; l < count; l++)
        if (levels->energy[l] > fmax(levels->met[l], (1 + IK_LEVELS_SLACK) * levels->kept[l]))
            return true;
    return false;
}

/* ---- the solve ------------------------------------------------------------------------------ */

/* Steps from the pose while the first `active` levels gain by them; returns how many. */
static int descend(snw__ik_system *system, const snw_goal *goals, snw_pose *pose, int step_max)
{
    snw__ik_levels *levels = system->levels;
    size_t bytes = (size_t)levels->count * sizeof(double);
    int steps = 0, rejected = 0, slow = 0;
    levels->damping = SNW__IK_DAMPING_FIRST;
    for (; steps < step_max && rejected < 6 && slow < 3; steps++) {
        int last = levels->active - 1;
        snw__ik_system_build(system, goals, pose);
        measure_levels(system, goals);
        if (levels->active < levels->count && levels->energy[last] <= levels->met[last]) break;
        memcpy(levels->before, levels->energy, bytes);
        snw__ik_system_clamp_residual(system, goals);
        snw__ik_system_find_step(system, nested_direction, levels, pose);
        snw__ik_snapshot_take(&system->before, pose);
        double moved = snw__ik_system_move(system, 1, pose);
        /* Curvature pulls higher levels off by the square of a step: Newton steps of those alone
         * mend that, if there is something to mend it for. Leaves all measured. */
        double damping = levels->damping;
        snw__ik_system_measure(system, goals, pose);
        measure_levels(system, goals);
        levels->active--;
        levels->damping = SNW__IK_DAMPING_FIRST;
        for (int k = 0; k < SNW__IK_TRIES && costs_higher(levels, levels->active) &&
                        levels->energy[last] < levels->before[last];
             k++) {
            snw__ik_system_build(system, goals, pose);
            snw__ik_system_find_step(system, nested_direction, levels, pose);
            (void)snw__ik_system_move(system, 1, pose);
            snw__ik_system_measure(system, goals, pose);
            measure_levels(system, goals);
        }
        levels->active++;
        levels->damping = damping;
        if (levels->energy[last] < (1 - SNW__SAME) * levels->before[last] &&
            !costs_higher(levels, last)) {
            slow = levels->energy[last] > (1 - SNW__IK_STALL) * levels->before[last] ? slow + 1 : 0;
            levels->damping = fmax(0.2 * levels->damping, SNW__IK_DAMPING_LEAST);
            rejected = 0;
            continue;
        }
        snw__ik_snapshot_restore(&system->before, pose);
        snw_pose_forward(pose);
        if (moved <= SNW__IK_STAY) break;
        levels->damping = fmin(20 * levels->damping, 1e6);
        rejected++;
    }
    return steps;
}

/* Level after level, each with those before it kept; returns the steps. Leaves all energies
 * measured.
 */
static int descend_levels(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                          int step_max)
{
    snw__ik_levels *levels = system->levels;
    int steps = 0;
    for (levels->active = 1; levels->active <= levels->count; levels->active++) {
        int left = step_max - steps < SNW__IK_DESCENT ? step_max - steps : SNW__IK_DESCENT;
        steps += descend(system, goals, pose, left);
        snw__ik_system_measure(system, goals, pose);
        measure_levels(system, goals);
        levels->kept[levels->active - 1] = levels->energy[levels->active - 1];
    }
    levels->active = levels->count;
    return steps;
}

snw__ik_report snw__ik_solve_levels(const snw_ik *ik, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_system *system = ik->system;
    snw__ik_levels *levels = system->levels;
    int left = ik->options.iteration_max;
    snw__ik_report report = {
        .outcome = SNW_IK_STALLED, .solver = SNW_IK_LM, .world_is_valid = true};
    snw__ik_system_measure(system, goals, pose);
    if (system->excess <= 1) return report;
    report.iterations = descend_levels(system, goals, pose, left / 3);
    bool has_moved = snw__ik_moved_since(ik, &ik->given, pose) > SNW__IK_STAY;
    if (system->excess <= 1) return report;
    snw__ik_snapshot_take(&levels->answer, pose);
    memcpy(levels->first, levels->energy, (size_t)levels->count * sizeof(double));
    snw__ik_snapshot_restore(&ik->given, pose);
    snw_pose_forward(pose);
    if (!has_moved) return report; /* a former answer, bit for bit */
    snw_ik rest = *ik;
    rest.options.iteration_max = left / (2 * SNW__IK_SHARE);
    /* Where the first level is not met the others hardly count in the second try, which gets all
     * steps but those of a last descent. */
    bool is_met = levels->first[0] <= levels->met[0];
    for (int i = 0; i < ik->goal_count; i++) {
        levels->higher[i] = goals[i];
        if (!is_met && levels->of_goal[i] > 0) levels->higher[i].weight *= SNW__SINGLE;
    }
    if (!is_met && left > 2 * SNW__IK_DESCENT)
        rest.options.iteration_max = left - report.iterations - SNW__IK_DESCENT;
    const snw__ik_method *method = is_met ? ik->method : &snw__ik_lm;
    snw__ik_report all = method->solve(&rest, is_met ? ik->state : NULL, levels->higher, pose);
    if (!all.world_is_valid) {
        (void)snw__ik_apply_limits(ik, pose);
        snw_pose_forward(pose);
    }
    all.world_is_valid = true;
    all.iterations += report.iterations;
    snw__ik_system_measure(system, goals, pose);
    if (system->excess <= 1) return all;
    all.iterations += descend_levels(system, goals, pose, left - all.iterations);
    if (system->excess <= 1 || compare(levels, levels->energy, levels->first) < 0) return all;
    snw__ik_snapshot_restore(&levels->answer, pose);
    snw_pose_forward(pose);
    return all;
}
