/* Minimisers that ask for energies alone, no slopes: Nelder & Mead's simplex (1965) and Powell's
 * set of conjugate directions (1964). Both move a vector of offsets from a pose, one number per
 * coordinate; every pose they try is inside the limits. For study and for bodies of few
 * coordinates: an iteration of either tries as many poses as there are coordinates, or twice. */
#include <string.h>

#include "base/fail.h"
#include "ik/core/descend.h"
#include "math/kernel.h"

/* A simplex of so many coordinates fills a megabyte, and is lost in them. */
enum {
    DIRECT_COLUMNS = 300
};

typedef struct direct_search {
    int n;
    bool is_fresh;                  /* the simplex or the directions are to be made */
    double *row;                    /* (n + 1 x n) corners, or directions */
    double *energy;                 /* (n + 1) of the corners */
    double *center, *trial, *other; /* (n) */
    snw__ik_snapshot base;          /* what offsets count from */
    double best, excess;            /* of the best pose, in system->best */
} direct_search;

/* What one solve works on. */
typedef struct direct_run {
    const snw_ik *ik;
    direct_search *s;
    const snw_goal *goals;
    snw_pose *pose;
} direct_run;

typedef void direct_iterate(const direct_run *run);

static snw_status check(const snw_ik *ik, snw_error *error)
{
    if (ik->skeleton->dof_count + 6 <= DIRECT_COLUMNS) return SNW_OK;
    return snw__fail(
        error, SNW_UNSUPPORTED, "%s serves bodies of up to %d degrees of freedom, this one has %d",
        snw_ik_solver_name(ik->options.solver), DIRECT_COLUMNS - 6, ik->skeleton->dof_count);
}

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->dof_count + 6;
    direct_search fields = {0}, *search = snw__block_take(block, 1, sizeof *search);
    fields.row = snw__block_take(block, (n + 1) * n, sizeof(double));
    fields.energy = snw__block_take(block, n + 1, sizeof(double));
    fields.center = snw__block_take(block, n, sizeof(double));
    fields.trial = snw__block_take(block, n, sizeof(double));
    fields.other = snw__block_take(block, n, sizeof(double));
    snw__ik_snapshot_layout(&fields.base, (size_t)ik->skeleton->joint_count, block);
    if (search) *search = fields;
    return search;
}

/* The energy of the pose at offset x (n) from the base. The best is kept. */
static double energy_at(const direct_run *run, const double *x)
{
    snw__ik_system *system = run->ik->system;
    memcpy(system->step, x, (size_t)run->s->n * sizeof *x);
    for (int m = 0; m < system->mover_count; m++)
        for (int k = 0; k < system->mover[m].column_count && system->mover[m].is_locked; k++)
            system->step[system->mover[m].column_first + k] = 0;
    snw__ik_snapshot_restore(&run->s->base, run->pose);
    (void)snw__ik_system_move(system, 1, run->pose);
    snw__ik_system_measure(system, run->goals, run->pose);
    if (system->energy < run->s->best) {
        run->s->best = system->energy;
        run->s->excess = system->excess;
        snw__ik_snapshot_take(&system->best, run->pose);
    }
    return system->energy;
}

static void clear(double *x, int count)
{
    for (int k = 0; k < count; k++)
        x[k] = 0;
}

static double *row_of(const direct_search *s, int i)
{
    return &s->row[snw__entry(i, s->n, 0)];
}

/* Offsets as large as the error that is left, in radians and body sizes. */
static double reach_of(const direct_search *s)
{
    return fmin(sqrt(2 * s->best), SNW__IK_MODEL_RANGE);
}

/* ---- the simplex ---------------------------------------------------------------------------- */

/* trial = center + factor * (corner - center) */
static double try_corner(const direct_run *run, const double *corner, double factor, double *trial)
{
    for (int k = 0; k < run->s->n; k++)
        trial[k] = run->s->center[k] + factor * (corner[k] - run->s->center[k]);
    return energy_at(run, trial);
}

static void put_corner(direct_search *s, int i, const double *x, double energy)
{
    memcpy(row_of(s, i), x, (size_t)s->n * sizeof *x);
    s->energy[i] = energy;
}

/* Reflects the worst corner, stretches or contracts it, or draws all towards the best: Nelder and
 * Mead's 1, 2, 1/2, 1/2. */
static void move_simplex(const direct_run *run)
{
    direct_search *s = run->s;
    int low = 0, high = 0, n = s->n;
    for (int i = 1; i <= n; i++) {
        if (s->energy[i] < s->energy[low]) low = i;
        if (s->energy[i] > s->energy[high]) high = i;
    }
    double second = s->energy[low];
    clear(s->center, n);
    for (int i = 0; i <= n; i++) {
        if (i == high) continue;
        second = fmax(second, s->energy[i]);
        for (int k = 0; k < n; k++)
            s->center[k] += row_of(s, i)[k] / n;
    }
    if (!(s->energy[high] - s->energy[low] > (1 - SNW__IK_NEARER) * s->energy[low])) {
        s->is_fresh = true;
        return;
    }
    double reflected = try_corner(run, row_of(s, high), -1, s->trial);
    if (reflected < s->energy[low]) {
        double stretched = try_corner(run, row_of(s, high), -2, s->other);
        bool is_better = stretched < reflected;
        put_corner(s, high, is_better ? s->other : s->trial, is_better ? stretched : reflected);
    } else if (reflected < second) {
        put_corner(s, high, s->trial, reflected);
    } else {
        double factor = reflected < s->energy[high] ? -0.5 : 0.5;
        double contracted = try_corner(run, row_of(s, high), factor, s->other);
        if (contracted < fmin(reflected, s->energy[high]))
            put_corner(s, high, s->other, contracted);
        else {
            memcpy(s->center, row_of(s, low), (size_t)s->n * sizeof(double));
            for (int i = 0; i <= s->n; i++)
                if (i != low) {
                    double energy = try_corner(run, row_of(s, i), 0.5, s->trial);
                    put_corner(s, i, s->trial, energy);
                }
        }
    }
}

static void iterate_simplex(const direct_run *run)
{
    direct_search *s = run->s;
    for (int move = 0; move <= s->n && s->excess > 1; move++) {
        if (s->is_fresh) {
            snw__ik_snapshot_restore(&run->ik->system->best, run->pose);
            double edge = reach_of(s);
            snw__ik_snapshot_take(&s->base, run->pose);
            clear(s->row, (s->n + 1) * s->n);
            for (int i = 0; i <= s->n; i++) {
                if (i > 0) row_of(s, i)[i - 1] = i % 2 ? edge : -edge;
                s->energy[i] = energy_at(run, row_of(s, i));
            }
            s->is_fresh = false;
        }
        move_simplex(run);
    }
}

/* ---- conjugate directions ------------------------------------------------------------------- */

/* x += t u to the vertex of the parabola through three poses on the line; returns the energy. */
static double search_line(const direct_run *run, const double *u, double *x, double energy)
{
    direct_search *s = run->s;
    double h = fmax(reach_of(s), SNW__IK_STAY), at[3] = {-h, h, 0}, value[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < s->n; k++)
            s->trial[k] = x[k] + at[i] * u[k];
        value[i] = energy_at(run, s->trial);
        if (i != 1) continue;
        double bend = value[0] + value[1] - 2 * energy;
        double vertex = bend > 0 ? 0.5 * h * (value[0] - value[1]) / bend : h;
        at[2] = snw_clamp(vertex, -2 * h, 2 * h);
    }
    int low = value[1] < value[0] ? 1 : 0;
    if (value[2] < value[low]) low = 2;
    if (!(value[low] < energy)) return energy;
    for (int k = 0; k < s->n; k++)
        x[k] += at[low] * u[k];
    return value[low];
}

/* Along every direction in turn; then the way that all of them went takes the place of the one that
 * brought most (Powell 1964: else they become dependent). */
static void iterate_directions(const direct_run *run)
{
    direct_search *s = run->s;
    int steepest = 0;
    double most = 0, length2 = 0;
    if (s->is_fresh) {
        clear(s->row, (s->n + 1) * s->n);
        for (int i = 0; i < s->n; i++)
            row_of(s, i)[i] = 1;
        s->is_fresh = false;
    }
    snw__ik_snapshot_restore(&run->ik->system->best, run->pose);
    snw__ik_snapshot_take(&s->base, run->pose);
    clear(s->center, s->n);
    double energy = energy_at(run, s->center);
    for (int i = 0; i < s->n && s->excess > 1; i++) {
        double after = search_line(run, row_of(s, i), s->center, energy);
        if (energy - after > most) steepest = i;
        most = fmax(most, energy - after);
        energy = after;
    }
    length2 = snw__ik_dot(s->center, s->center, s->n);
    s->is_fresh = !(length2 > SNW__IK_STAY * SNW__IK_STAY);
    if (s->is_fresh || s->excess <= 1) return;
    for (int k = 0; k < s->n; k++)
        row_of(s, steepest)[k] = s->center[k] / sqrt(length2);
    (void)search_line(run, row_of(s, steepest), s->center, energy);
}

/* ---- both ----------------------------------------------------------------------------------- */

static snw__ik_report minimise(const direct_run *run, direct_iterate *iterate)
{
    const snw_ik *ik = run->ik;
    direct_search *s = run->s;
    snw__ik_report report = {.outcome = SNW_IK_OUT_OF_ITERATIONS, .solver = ik->options.solver};
    double mark = INFINITY;
    s->n = ik->system->column_count;
    s->is_fresh = true;
    snw__ik_system_measure(ik->system, run->goals, run->pose);
    s->best = ik->system->energy;
    s->excess = ik->system->excess;
    snw__ik_snapshot_take(&s->base, run->pose);
    snw__ik_snapshot_take(&ik->system->best, run->pose);
    while (s->excess > 1 && report.iterations < ik->options.iteration_max && s->n > 0) {
        iterate(run);
        if (++report.iterations % SNW__IK_STALL_WINDOW) continue;
        if (!(s->best < (1 - SNW__IK_STALL) * mark)) {
            report.outcome = SNW_IK_STALLED;
            break;
        }
        mark = s->best;
    }
    if (s->excess <= 1) report.outcome = SNW_IK_REACHED;
    snw__ik_snapshot_restore(&ik->system->best, run->pose);
    return report;
}

static snw__ik_report solve_simplex(const snw_ik *ik, void *state, const snw_goal *goals,
                                    snw_pose *pose)
{
    return minimise(&(direct_run){ik, state, goals, pose}, iterate_simplex);
}

static snw__ik_report solve_directions(const snw_ik *ik, void *state, const snw_goal *goals,
                                       snw_pose *pose)
{
    return minimise(&(direct_run){ik, state, goals, pose}, iterate_directions);
}

const snw__ik_method snw__ik_nelder_mead = {SNW_IK_NELDER_MEAD, true, check, layout,
                                            solve_simplex,      false};
const snw__ik_method snw__ik_powell = {SNW_IK_POWELL, true, check, layout, solve_directions, false};
