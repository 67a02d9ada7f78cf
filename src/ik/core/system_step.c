/* Steps of the shared linear system: the damped solve, limits by active set, and moving the pose.
 *
 * Limits. A coordinate whose step would leave its range is held at the end of the range: its column
 * times what is left of the way is taken off the residual, the column is dropped, and the rest is
 * solved again. A ball joint is treated the same way along the outward normals of the swing and
 * twist limits it would break: the step is fixed along them and free across them. What the curved
 * limits still object to is projected when the pose is moved. */
#include <sinew/dense.h>

#include <string.h>

#include "ik/core/bounds.h"
#include "ik/core/system_tree.h"
#include "math/kernel.h"

/* ---- the damped solve --------------------------------------------------------------------- */

double snw__ik_dot(const double *a, const double *b, int count)
{
    /* Four sums side by side: one alone waits for each addition to end before the next. */
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= count; k += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < count; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void snw__ik_system_pull_back(const snw__ik_system *system, const double *y, double *out)
{
    int n = system->column_count;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < system->live_count; i++) {
        int k = system->live[i];
        const double *row = &system->jacobian[snw__entries(k, n)];
        for (int c = 0; c < n; c++)
            out[c] += row[c] * y[k];
    }
}

void snw__ik_system_push(const snw__ik_system *system, const double *h, double *out)
{
    int n = system->column_count;
    if (system->live_count < system->row_count)
        memset(out, 0, (size_t)system->row_count * sizeof *out);
    for (int i = 0; i < system->live_count; i++)
        out[system->live[i]] =
            snw__ik_dot(&system->jacobian[snw__entries(system->live[i], n)], h, n);
}

/* gram = J M J^T, lower triangle, with M the mobility of the coordinates. */
static void fill_row_gram(snw__ik_system *system)
{
    int m = system->live_count, n = system->column_count;
    const int *live = system->live;
    if (system->mobility) {
        /* gram = J M J^T, lower triangle, with M the mobility of the coordinates. */
        for (int i = 0; i < m; i++) {
            for (int c = 0; c < n; c++)
                system->movable[c] =
                    system->mobility[c] * system->jacobian[snw__entry(live[i], n, c)];
            for (int j = 0; j <= i; j++)
                system->gram[snw__entry(i, m, j)] =
                    snw__ik_dot(system->movable, &system->jacobian[snw__entries(live[j], n)], n);
        }
        return;
    }
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            system->gram[snw__entry(i, m, j)] =
                snw__ik_dot(&system->jacobian[snw__entries(live[i], n)],
                            &system->jacobian[snw__entries(live[j], n)], n);
}

/* Solves (gram + lambda I) x = x. False when not even damping makes it positive definite. */
static bool solve_gram(snw__ik_system *system, int size, double lambda, double *x)
{
    for (int i = 0; i < size; i++)
        system->gram[snw__entry(i, size, i)] += lambda;
    return snw_cholesky_factor(system->gram, size) == SNW_OK &&
           snw_cholesky_solve(system->gram, size, x) == SNW_OK;
}

static bool try_damped(snw__ik_system *system, double lambda)
{
    int m = system->live_count, n = system->column_count;
    if (system->tree) return snw__ik_tree_solve_damped(system, lambda);
    if (m <= n) {
        fill_row_gram(system);
        for (int i = 0; i < m; i++)
            system->work[i] = system->residual[system->live[i]];
        if (!solve_gram(system, m, lambda, system->work)) return false;
        for (int i = m - 1; i >= 0; i--) /* back to their rows, which come no earlier */
            system->work[system->live[i]] = system->work[i];
        snw__ik_system_pull_back(system, system->work, system->step);
        for (int c = 0; system->mobility && c < n; c++)
            system->step[c] *= system->mobility[c];
        return true;
    }
    /* gram = J^T J, lower triangle. */
    memset(system->gram, 0, (size_t)n * (size_t)n * sizeof *system->gram);
    for (int k = 0; k < m; k++) {
        const double *row = &system->jacobian[snw__entries(system->live[k], n)];
        for (int i = 0; i < n; i++)
            for (int j = 0; row[i] != 0 && j <= i; j++)
                system->gram[snw__entry(i, n, j)] += row[i] * row[j];
    }
    snw__ik_system_pull_back(system, system->residual, system->step);
    for (int c = 0; system->mobility && c < n; c++) /* lambda / mobility in all */
        if (system->mobility[c] > 0)
            system->gram[snw__entry(c, n, c)] += lambda * (1 / system->mobility[c] - 1);
    return solve_gram(system, n, lambda, system->step);
}

void snw__ik_system_solve_damped(snw__ik_system *system, double lambda)
{
    /* Round-off can spoil a tiny damping; each retry is still a descent direction. */
    for (int retry = 0; retry < 8; retry++) {
        if (try_damped(system, lambda)) return;
        lambda = fmax(100 * lambda, 1e-14 * (1 + snw__ik_system_scale(system)));
    }
    memset(system->step, 0, (size_t)system->column_count * sizeof(double));
}

double snw__ik_system_scale(const snw__ik_system *system)
{
    int m = system->row_count, n = system->column_count;
    int side = m < n ? m : n;
    double sum = 0;
    if (system->tree) return side ? snw__ik_tree_trace(system) / side : 0;
    for (int k = 0; k < system->live_count; k++) {
        const double *row = &system->jacobian[snw__entries(system->live[k], n)];
        sum += snw__ik_dot(row, row, n);
    }
    return side ? sum / side : 0;
}

/* ---- holding limits ----------------------------------------------------------------------- */

/* Takes coordinate direction `unit` (count columns from `first`) out of the system, moving `amount`
 * along it. The tree reads from movers and `held` what is left. */
static void hold(snw__ik_system *system, int first, int count, const double *unit, double amount)
{
    int n = system->column_count, rows = system->tree ? 0 : system->live_count;
    for (int i = 0; i < rows; i++) {
        int k = system->live[i];
        double *entry = &system->jacobian[snw__entry(k, n, first)];
        double rate = snw__ik_dot(entry, unit, count);
        system->residual[k] -= rate * amount;
        for (int c = 0; c < count; c++)
            entry[c] -= rate * unit[c];
    }
    for (int c = 0; c < count; c++)
        system->held[first + c] += amount * unit[c];
}

static bool hold_box(snw__ik_system *system, snw__ik_mover *mover, const snw_pose *pose)
{
    const snw_joint *joint = &system->ik->joint[mover->joint];
    bool is_slide = snw__joint_slides(joint);
    double unit = is_slide ? system->ik->size : 1, values[6];
    bool has_held = false;
    (void)snw_joint_values(joint, pose->rotation[mover->joint], pose->slide[mover->joint], values);
    for (int k = 0; k < mover->column_count; k++) {
        const double *range = joint->limit.range[k], one = 1;
        int c = mover->column_first + k;
        if (!joint->limit.has_range[k] || system->is_held[c]) continue;
        if (!is_slide && range[1] - range[0] >= 2 * SNW_PI) continue;
        double target = values[k] + unit * system->step[c];
        if (target >= range[0] && target <= range[1]) continue;
        double end = target < range[0] ? range[0] : range[1];
        system->is_held[c] = has_held = true;
        hold(system, c, 1, &one, (end - values[k]) / unit);
    }
    return has_held;
}

/* Adds a normal (made perpendicular to those already held) and fixes the step along it. */
static bool hold_normal(snw__ik_system *system, snw__ik_mover *mover, snw_vec3 normal,
                        snw_vec3 allowed_step)
{
    double fixed = 0;
    for (int k = 0; k < mover->normal_count; k++)
        normal =
            snw_vec3_add_scaled(normal, -snw_vec3_dot(normal, mover->normal[k]), mover->normal[k]);
    /* Nearly the same limit again: the rest is curvature, which projection deals with. */
    if (!(snw_vec3_length(normal) > 0.2)) return false;
    normal = snw_vec3_unit(normal, snw_vec3_make(0, 0, 0));
    double unit[3] = {normal.x, normal.y, normal.z};
    fixed = snw_vec3_dot(normal, allowed_step);
    mover->normal[mover->normal_count++] = normal;
    hold(system, mover->column_first, 3, unit, fixed);
    return true;
}

static bool hold_ball(snw__ik_system *system, snw__ik_mover *mover, const snw_pose *pose)
{
    const snw_joint *joint = &system->ik->joint[mover->joint];
    const double *step = &system->step[mover->column_first];
    snw_vec3 w = snw_vec3_make(step[0], step[1], step[2]);
    snw__ik_normal normal[2];
    snw_quat now = pose->rotation[mover->joint];
    snw_quat asked = snw_quat_mul(now, snw_quat_exp(w));
    snw_quat allowed = snw_joint_limit_apply(joint, asked);
    bool has_held = false;
    if (memcmp(&asked, &allowed, sizeof asked) == 0) return false;
    snw_vec3 taken = snw_quat_log(snw_quat_mul(snw_quat_conjugate(now), allowed));
    /* A correction far smaller than the step is left to the projection. */
    if (snw_vec3_distance(taken, w) <= 1e-3 * snw_vec3_length(w)) return false;
    /* Where the joint stands at the limit already, the limit is what it is here and not where a
     * long step would have met it: what is then held along it is nothing, and not what the curve
     * between the two makes of it, which would move a joint to and fro for ever. */
    snw_vec3 little = snw_vec3_scale(w, SNW__IK_STAY / snw_vec3_length(w));
    snw_quat probe = snw_quat_mul(now, snw_quat_exp(little));
    snw_quat stopped = snw_joint_limit_apply(joint, probe);
    snw_vec3 left = snw_quat_log(snw_quat_mul(snw_quat_conjugate(now), stopped));
    if (snw_vec3_distance(left, little) > 1e-3 * SNW__IK_STAY) {
        asked = probe;
        allowed = stopped;
        taken = left;
    }
    int count = snw__ik_limit_normals(joint, asked, allowed, normal);
    for (int k = 0; k < count && mover->normal_count < 3; k++) {
        if (!hold_normal(system, mover, normal[k].turn, taken)) continue;
        mover->holds_swing |= !normal[k].is_twist;
        mover->holds_twist |= normal[k].is_twist;
        has_held = true;
    }
    return has_held;
}

static bool hold_violators(snw__ik_system *system, const snw_pose *pose)
{
    bool has_held = false;
    for (int m = 0; m < system->mover_count; m++) {
        snw__ik_mover *mover = &system->mover[m];
        bool is_still = true; /* what does not move does not leave its limits */
        for (int k = 0; k < mover->column_count && mover->bound != SNW__IK_BOUND_NONE; k++)
            is_still &= system->step[mover->column_first + k] == 0;
        if (is_still) continue;
        if (mover->bound == SNW__IK_BOUND_BOX)
            has_held |= hold_box(system, mover, pose);
        else if (mover->bound == SNW__IK_BOUND_BALL)
            has_held |= hold_ball(system, mover, pose);
    }
    return has_held;
}

void snw__ik_system_project(const snw__ik_system *system, double *v)
{
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        double *w = &v[mover->column_first];
        for (int k = 0; k < mover->column_count; k++)
            if (system->is_held[mover->column_first + k]) w[k] = 0;
        for (int k = 0; k < mover->normal_count; k++) {
            const double n[3] = {mover->normal[k].x, mover->normal[k].y, mover->normal[k].z};
            double along = snw__ik_dot(w, n, 3);
            for (int i = 0; i < 3; i++)
                w[i] -= along * n[i];
        }
    }
}

void snw__ik_system_find_step(snw__ik_system *system, snw__ik_direction *direction, void *context,
                              const snw_pose *pose)
{
    for (int round = 0; round < SNW__IK_ROUNDS; round++) {
        direction(system, context);
        for (int c = 0; c < system->column_count; c++) {
            system->step[c] += system->held[c];
            if (!isfinite(system->step[c])) system->step[c] = 0;
        }
        if (!hold_violators(system, pose)) return;
    }
}

/* Dense: what is left of the reduced system after the free part of the step. */
double snw__ik_system_expected_gain(snw__ik_system *system, double energy)
{
    double left = 0;
    if (system->tree) return snw__ik_tree_gain(system);
    for (int c = 0; c < system->column_count; c++)
        system->secondary[c] = system->step[c] - system->held[c];
    snw__ik_system_push(system, system->secondary, system->work);
    for (int k = 0; k < system->row_count; k++) {
        double row = system->predicted[k] = system->residual[k] - system->work[k];
        left += 0.5 * row * row;
    }
    return energy - left;
}

/* ---- moving the pose ---------------------------------------------------------------------- */

double snw__ik_system_move(snw__ik_system *system, double scale, snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    memset(system->tangent, 0, (size_t)ik->skeleton->dof_count * sizeof *system->tangent);
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        const double *step = &system->step[mover->column_first];
        if (mover->joint < 0) {
            snw_vec3 slide =
                snw_vec3_scale(snw_vec3_make(step[0], step[1], step[2]), ik->size * scale);
            snw_vec3 turn = snw_vec3_scale(snw_vec3_make(step[3], step[4], step[5]), scale);
            pose->root.translation =
                snw_vec3_add(pose->root.translation, snw_quat_rotate(pose->root.rotation, slide));
            pose->root.rotation =
                snw_quat_normalize(snw_quat_mul(pose->root.rotation, snw_quat_exp(turn)));
            continue;
        }
        double *own = &system->tangent[ik->skeleton->dof_first[mover->joint]];
        for (int k = 0; k < mover->column_count; k++) {
            bool is_slide = system->column[mover->column_first + k].is_slide;
            own[k] = scale * step[k] * (is_slide ? ik->size : 1);
        }
    }
    snw_pose_step(pose, system->tangent);
    (void)snw__ik_apply_limits(ik, pose);
    snw_pose_forward(pose);
    double largest = 0;
    for (int c = 0; c < system->column_count; c++)
        largest = fmax(largest, fabs(system->step[c]));
    return scale * largest;
}

double snw__ik_system_step(snw__ik_system *system, snw__ik_direction *direction, void *context,
                           snw_pose *pose)
{
    snw__ik_system_find_step(system, direction, context, pose);
    return snw__ik_system_move(system, 1, pose);
}
