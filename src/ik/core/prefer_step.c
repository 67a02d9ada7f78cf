/* One step of sequential quadratic programming to the preferred pose: with g = W (q* - q) and
 * multipliers m
 *
 *     h = H^-1 (g + J^T m),   J H^-1 J^T m = r - J H^-1 g,   H = W - sum m . d2f,
 *
 * limits by active set. H is factored along the tree of the body as L^T D L (system_matrix.h): a
 * row of J, and of Y = L^-T J^T, is nothing but on the way from the root to its goal, and J H^-1
 * J^T = Y^T D^-1 Y takes no more than what two goals have in common. Far from the goals H is W
 * alone. */
#include <sinew/dense.h>

#include <string.h>

#include "base/elementary.h"
#include "ik/core/newton.h"
#include "ik/core/prefer.h"
#include "ik/core/system_matrix.h"
#include "math/kernel.h"

/* [chosen] Weight of J^T J beside the hessian, against the rows' scale of a body size and the unit
 * weight.
 */
#define IK_PREFER_RHO 3000.0

/* ---- the hessian ---------------------------------------------------------------------------- */

/* The square of a rotation vector w is curved: its hessian is c I + (1 - c) u u^T with u along w
 * and c = (|w| / 2) / tan(|w| / 2). */
static void add_turn_weight(snw__ik_system *system, int first, double weight)
{
    snw__ik_preference *preference = system->preference;
    const double *w = &preference->way[first];
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), c = 1;
    if (angle > 1e-3) c = fmax(0.5 * angle * snw__cos(0.5 * angle) / snw__sin(0.5 * angle), 0.05);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k <= r; k++) {
            double along = angle > 1e-3 ? w[r] * w[k] / (angle * angle) : 0;
            *snw__ik_matrix_entry(system->pattern, preference->curved, first + r, first + k) +=
                weight * ((r == k ? c : 0) + (1 - c) * along);
        }
}

/* curved = W - sum m . d2f of this iteration; the multipliers are those of the last step. */
static void fill_curved(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    snw__ik_preference *preference = system->preference;
    memset(preference->curved, 0, (size_t)system->pattern->entry_count * sizeof(double));
    snw__ik_add_row_curvature(system, goals, pose, preference->multiplier, preference->curved);
    for (int k = 0; k < system->pattern->entry_count; k++)
        preference->curved[k] = -preference->curved[k];
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        int first = mover->column_first, last = first + mover->column_count;
        bool is_turn =
            mover->joint < 0 || snw__joint_row_of(&system->ik->joint[mover->joint])->is_vector;
        double weight = fmax(preference->weight[first], SNW__IK_DAMPING_FIRST);
        for (int c = first; c < (is_turn ? last - 3 : last); c++)
            *snw__ik_matrix_entry(system->pattern, preference->curved, c, c) += weight;
        if (is_turn) add_turn_weight(system, last - 3, weight);
    }
    for (int m = 0; m < system->mover_count; m++)
        preference->bend[m].normal_count = 0;
}

typedef struct ik_prefer_step {
    const snw_pose *pose;
    double damping; /* of J H^-1 J^T, against its mean diagonal */
    double far;     /* the same, absolute */
} ik_prefer_step;

/* The factor of the hessian in its place. Where it is not definite on what the goals leave free
 * (the pose is nearer to a ridge than to the valley) more and more weight is put on it: shorter
 * steps. */
static void factor_hessian(snw__ik_system *system, const snw_pose *pose)
{
    double heavier = 0;
    for (int attempt = 0; attempt < 12; attempt++, heavier = 2 * heavier + 1) {
        /* The hessian where limits hold, with what they add. rho J^T J changes nothing of a step
         * with J h = r but makes definite what is so where that leaves room. */
        snw__ik_preference *p = system->preference;
        memcpy(p->hessian, p->curved, (size_t)system->pattern->entry_count * sizeof(double));
        for (int c = 0; c < system->column_count && heavier > 0; c++)
            *snw__ik_matrix_entry(system->pattern, p->hessian, c, c) +=
                heavier * fmax(p->weight[c], SNW__IK_DAMPING_FIRST);
        snw__ik_matrix_project(system, p->hessian);
        for (int m = 0; m < system->mover_count; m++) {
            const snw__ik_mover *mover = &system->mover[m];
            if (mover->normal_count == 0) continue;
            if (p->bend[m].normal_count != mover->normal_count)
                p->bend[m] = snw__ik_limit_bend(system, mover, pose, p->force);
            snw__ik_add_bend(system, mover, &p->bend[m], p->hessian);
        }
        snw__ik_matrix_add_rows(system, IK_PREFER_RHO, p->hessian);
        if (snw__ik_matrix_factor(system, system->preference->hessian, SNW__EXACT)) return;
    }
}

/* ---- multipliers and step ------------------------------------------------------------------- */

/* The coordinates that can move row k, root first; *column is NULL where those are all, in order.
 */
static int path_of(const snw__ik_system *system, int k, const int **column)
{
    const snw__ik_pattern *pattern = system->pattern;
    *column = NULL;
    if (!pattern) return system->column_count;
    int tip = pattern->row_tip[k];
    if (tip < 0) return 0;
    *column = &pattern->column[pattern->first[tip]];
    return pattern->depth[tip] + 1;
}

/* How many of them two rows share: those before the limbs part. */
static int shared_count(const snw__ik_system *system, int k, int i)
{
    const int *a, *b;
    int count_a = path_of(system, k, &a), count_b = path_of(system, i, &b), count = 0;
    if (a == b) return count_a < count_b ? count_a : count_b;
    while (count < count_a && count < count_b && a[count] == b[count])
        count++;
    return count;
}

/* m from J H^-1 J^T m = r - J H^-1 g, with L^-T g in system->step; false when not even damping
 * makes that definite. */
static bool find_multipliers(snw__ik_system *system, const ik_prefer_step *step)
{
    snw__ik_preference *p = system->preference;
    int m = system->row_count, n = system->column_count;
    double trace = 0, *scaled = system->work;
    for (int k = 0; k < m; k++) {
        double *y = &p->response[snw__entries(k, n)], *gram = &p->gram[snw__entries(k, m)];
        const int *column;
        int count = path_of(system, k, &column);
        /* Row k of Y and of D^-1 Y, where J H^-1 J^T = Y^T D^-1 Y. */
        const double *row = &system->jacobian[snw__entries(k, system->column_count)];
        for (int i = 0; i < count; i++)
            y[i] = row[column ? column[i] : i];
        if (p->is_curved && count > 0)
            snw__ik_matrix_solve_path_in(system, p->hessian, column[count - 1], y);
        for (int i = 0; i < count; i++)
            scaled[i] = y[i] * p->inverse[column ? column[i] : i];
        for (int i = 0; i <= k; i++)
            gram[i] =
                snw__ik_dot(scaled, &p->response[snw__entries(i, n)], shared_count(system, k, i));
        trace += gram[k];
        p->multiplier[k] = p->keeps_goals ? system->residual[k] : 0;
        for (int i = 0; i < count; i++)
            p->multiplier[k] -= scaled[i] * system->step[column ? column[i] : i];
    }
    for (int k = 0; k < m; k++)
        p->gram[snw__entry(k, m, k)] += step->damping * (trace / m) + step->far + 1e-300;
    return snw_cholesky_factor(p->gram, m) == SNW_OK &&
           snw_cholesky_solve(p->gram, m, p->multiplier) == SNW_OK;
}

/* g = W way, what limits hold of it taken out, and what rho J^T J wants where the hessian has it.
 */
static void fill_wish(snw__ik_system *system, double *g)
{
    const snw__ik_preference *p = system->preference;
    int n = system->column_count;
    for (int c = 0; c < n; c++)
        g[c] = p->weight[c] * p->way[c];
    snw__ik_system_project(system, g);
    if (!p->is_curved) return;
    for (int k = 0; k < system->row_count; k++) {
        const double *row = &system->jacobian[snw__entries(k, n)];
        const int *column;
        int count = path_of(system, k, &column);
        for (int i = 0; i < count; i++)
            g[column[i]] += IK_PREFER_RHO * system->residual[k] * row[column[i]];
    }
}

/* h = H^-1 (g + J^T m) = L^-1 D^-1 (L^-T g + Y m). */
static void preferred_direction(snw__ik_system *system, void *context)
{
    const ik_prefer_step *step = context;
    snw__ik_preference *p = system->preference;
    int n = system->column_count;
    if (p->is_curved) factor_hessian(system, step->pose);
    /* D^-1 of the hessian's factor, or of the weights alone. */
    const snw__ik_pattern *pattern = system->pattern;
    for (int c = 0; c < system->column_count; c++)
        p->inverse[c] = p->is_curved ? p->hessian[pattern->first[c] + pattern->depth[c]]
                                     : 1 / fmax(p->weight[c], SNW__IK_DAMPING_FIRST);
    fill_wish(system, system->step);
    if (p->is_curved) snw__ik_matrix_solve_in(system, p->hessian, system->step);
    if (system->row_count > 0 && !find_multipliers(system, step)) {
        memset(system->step, 0, (size_t)n * sizeof(double));
        return;
    }
    for (int k = 0; k < system->row_count; k++) {
        /* Rows of the response are by place on the row's path. */
        const double *row = &p->response[snw__entries(k, system->column_count)];
        const int *column;
        int count = path_of(system, k, &column);
        for (int i = 0; i < count; i++)
            system->step[column ? column[i] : i] += p->multiplier[k] * row[i];
    }
    if (p->is_curved)
        snw__ik_matrix_solve_out(system, p->hessian, system->step);
    else
        for (int c = 0; c < n; c++)
            system->step[c] *= p->inverse[c];
    snw__ik_system_project(system, system->step);
}

/* ---- what limits hold ----------------------------------------------------------------------- */

/* A small step along the force of what the last step held, to hold what it still pushes against. */
static void force_direction(snw__ik_system *system, void *context)
{
    (void)context;
    memcpy(system->step, system->preference->force, (size_t)system->column_count * sizeof(double));
    snw__ik_system_project(system, system->step);
    double length = sqrt(snw__ik_dot(system->step, system->step, system->column_count));
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double scale =
            system->preference->was_held[m] && length > 0 ? SNW__IK_LIMIT_PROBE / length : 0;
        for (int k = 0; k < mover->column_count; k++)
            system->step[mover->column_first + k] *= scale;
    }
}

void snw__ik_find_preferred_step(snw__ik_system *system, const snw_goal *goals,
                                 const snw_pose *pose)
{
    snw__ik_preference *preference = system->preference;
    ik_prefer_step step = {pose, SNW__EXACT, 0};
    preference->is_curved =
        preference->hessian && preference->has_multiplier && system->energy < SNW__IK_PREFER_CURVED;
    if (preference->is_curved) {
        fill_curved(system, goals, pose);
        if (system->ik->limited_count > 0) {
            /* force = W way + J^T m from a system that was just built, whose limits are not held
             * yet. */
            snw__ik_system_pull_back(system, preference->multiplier, preference->force);
            for (int c = 0; c < system->column_count; c++)
                preference->force[c] += preference->weight[c] * preference->way[c];
            snw__ik_system_find_step(system, force_direction, NULL, pose);
        }
    } else {
        if (system->energy > SNW__IK_PREFER_CURVED)
            step.far = SNW__IK_DAMPING_FAR * sqrt(2 * system->energy);
        snw__ik_system_clamp_residual(system, goals);
    }
    snw__ik_system_find_step(system, preferred_direction, &step, pose);
    /* Which movers the last step held. */
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        bool is_held = mover->normal_count > 0;
        for (int k = 0; k < mover->column_count; k++)
            is_held |= system->is_held[mover->column_first + k];
        system->preference->was_held[m] = is_held;
    }
    preference->has_multiplier = true;
}

void snw__ik_find_straight_step(snw__ik_system *system, const snw_pose *pose, double damping)
{
    ik_prefer_step step = {pose, damping, 0};
    system->preference->is_curved = false;
    snw__ik_system_find_step(system, preferred_direction, &step, pose);
}
