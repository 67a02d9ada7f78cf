/* Newton steps on the energy of the goals, limits by active set; see newton.h.
 *
 * With c_l = v_l x r for a coordinate l that moves the goal's point by v_l, and a_k the axis of a
 * turn k above l, r . d2p / dk dl = a_k . c_l: turning the velocity v_l about a_k. A slide above
 * does not turn it. Two turns of one ball move together as exp(w), which is symmetric in them. Only
 * what pulls points has its curvature counted: positions, poses, lines.
 *
 * A ball that stands at its limit moves along a curved surface: a step along it ends inside the
 * tangent while the goals pull outwards. The curvature of the Lagrangian that comes of it is found
 * by asking the limit itself. */
#include "ik/newton.h"

#include <sinew/dense.h>

#include <string.h>

#include "math/kernel.h"

/* Beyond this many coordinates a step costs more than it brings. */
#define IK_NEWTON_COLUMNS 128
/* Radians, or body sizes: a larger step has left the range of its model. */
#define IK_NEWTON_MOVE 0.5
/* Damping against the mean diagonal, where the hessian is definite by itself: enough for what no
 * goal determines. */
#define IK_NEWTON_DAMPING 1e-9
/* Radians along a limit by which its curvature is measured: far above the tolerance of limits. */
#define IK_NEWTON_PROBE 1e-2
/* Steps that lower the energy by less than this part of it are round-off. */
#define IK_NEWTON_GAIN 1e-10
/* A step that lowers it by less than this was the last: the next would be the square of it. */
#define IK_NEWTON_LAST 1e-7

static bool pulls_points(const snw_ik *ik)
{
    bool is_any = false;
    for (int i = 0; i < ik->goal_count; i++)
        is_any |= snw__ik_goal_rows(ik, &ik->goal[i]).offset == 3;
    return is_any;
}

snw__ik_newton *snw__ik_newton_layout(const snw_ik *ik, size_t columns, snw__block *block)
{
    snw__ik_newton fields = {0};
    if (!ik->method->takes_tree || columns > IK_NEWTON_COLUMNS) return NULL;
    if (ik->skeleton->pin_count > 0 || !pulls_points(ik)) return NULL;
    snw__ik_newton *newton = snw__block_take(block, 1, sizeof *newton);
    fields.curvature = snw__block_take(block, columns * columns, sizeof(double));
    fields.hessian = snw__block_take(block, columns * columns, sizeof(double));
    fields.plain = snw__block_take(block, columns * columns, sizeof(double));
    if (newton) *newton = fields;
    return newton;
}

/* ---- curvature ---------------------------------------------------------------------------- */

/* Do the two coordinates of one joint turn together, as those of a ball, or one after the other? */
static bool turn_together(const snw__ik_system *system, const snw__ik_column *a,
                          const snw__ik_column *b)
{
    if (a->joint != b->joint) return false;
    return a->joint < 0 || system->ik->joint[a->joint].type != SNW_JOINT_UNIVERSAL;
}

/* Adds r . d2p of one point over the columns that move it, root first. */
static void add_point(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 point,
                      snw_vec3 residual, double *s)
{
    int n = system->column_count;
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        snw_vec3 c = snw_vec3_cross(snw__ik_column_velocity(system, column, point), residual);
        for (int k = 0; k <= l; k++) {
            int above = system->path_column[path->first + k];
            const snw__ik_column *other = &system->column[above];
            if (other->is_slide) continue;
            double value = snw_vec3_dot(other->axis, c);
            if (above != at && !column->is_slide && turn_together(system, other, column)) {
                snw_vec3 v = snw__ik_column_velocity(system, other, point);
                value = 0.5 * (value + snw_vec3_dot(column->axis, snw_vec3_cross(v, residual)));
            }
            s[(size_t)at * (size_t)n + (size_t)above] += value;
        }
    }
}

static void fill_curvature(snw__ik_system *system, const snw_goal *goals, const snw_pose *pose)
{
    const snw_ik *ik = system->ik;
    size_t n = (size_t)system->column_count;
    memset(system->newton->curvature, 0, n * n * sizeof(double));
    for (int i = 0; i < ik->goal_count; i++) {
        if (snw__ik_goal_rows(ik, &goals[i]).offset != 3) continue;
        snw_vec3 point = snw_pose_point(pose, goals[i].joint, goals[i].point);
        snw_vec3 residual = snw__ik_goal_error(ik, &goals[i], pose).offset;
        residual = snw_vec3_scale(residual, snw__ik_row_scale2_of(ik, &goals[i]).offset);
        add_point(system, &system->path[3 * i], point, residual, system->newton->curvature);
    }
}

/* The same for the frame of a goal: turns k above l make the turn a_k + a_l + 1/2 a_k x a_l. */
static void add_frame(const snw__ik_system *system, const snw__ik_path *path, snw_vec3 y, double *s)
{
    int n = system->column_count;
    for (int l = 0; l < path->count; l++) {
        int at = system->path_column[path->first + l];
        const snw__ik_column *column = &system->column[at];
        if (column->is_slide) continue;
        snw_vec3 c = snw_vec3_scale(snw_vec3_cross(column->axis, y), 0.5);
        for (int k = 0; k < l; k++) {
            int above = system->path_column[path->first + k];
            const snw__ik_column *other = &system->column[above];
            if (other->is_slide || turn_together(system, other, column)) continue;
            s[(size_t)at * (size_t)n + (size_t)above] += snw_vec3_dot(other->axis, c);
        }
    }
}

static snw_vec3 take_vec3(const double *y, double scale)
{
    return snw_vec3_make(scale * y[0], scale * y[1], scale * y[2]);
}

void snw__ik_add_row_curvature(const snw__ik_system *system, const snw_goal *goals,
                               const snw_pose *pose, const double *y, double *curvature)
{
    const snw_ik *ik = system->ik;
    const snw__ik_path *path = system->path;
    for (int i = 0; i < ik->goal_count; i++, path += 3) {
        const snw_goal *goal = &goals[i];
        snw__ik_rows rows = snw__ik_goal_rows(ik, goal);
        snw__ik_row_scale scale = snw__ik_row_scale2_of(ik, goal);
        snw_vec3 normal = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1)), pull;
        bool is_plane = goal->kind == SNW_GOAL_PLANE || goal->kind == SNW_GOAL_SIDE;
        bool has_frame = goal->kind == SNW_GOAL_POSE || goal->kind == SNW_GOAL_ORIENTATION;
        if (is_plane || rows.offset == 3) {
            pull = is_plane ? snw_vec3_scale(normal, y[0] * sqrt(scale.offset))
                            : take_vec3(y, sqrt(scale.offset));
            if (goal->kind == SNW_GOAL_LINE)
                pull = snw_vec3_add_scaled(pull, -snw_vec3_dot(pull, normal), normal);
            add_point(system, path, snw_pose_point(pose, goal->joint, goal->point), pull,
                      curvature);
        }
        if (has_frame)
            add_frame(system, path, take_vec3(y + rows.offset, sqrt(scale.turn)), curvature);
        y += rows.offset + rows.turn;
    }
    for (int i = 0; i < ik->skeleton->pin_count; i++, path += 2, y += 3) {
        const snw_pin *pin = &ik->skeleton->pin[i];
        snw_vec3 pull = take_vec3(y, 1 / ik->size);
        add_point(system, &path[0], snw_pose_point(pose, pin->joint_a, pin->point_a), pull,
                  curvature);
        if (pin->joint_b >= 0)
            add_point(system, &path[1], snw_pose_point(pose, pin->joint_b, pin->point_b),
                      snw_vec3_neg(pull), curvature);
    }
}

/* ---- the step ----------------------------------------------------------------------------- */

/* Takes the unit vector u (count entries) out of the entries v[0], v[stride], ... */
static void take_out(double *v, size_t stride, const double *u, int count)
{
    double along = 0;
    for (int k = 0; k < count; k++)
        along += v[(size_t)k * stride] * u[k];
    for (int k = 0; k < count; k++)
        v[(size_t)k * stride] -= along * u[k];
}

void snw__ik_project_matrix(const snw__ik_system *system, double *m)
{
    size_t n = (size_t)system->column_count;
    for (int i = 0; i < system->mover_count; i++) {
        const snw__ik_mover *mover = &system->mover[i];
        size_t first = (size_t)mover->column_first;
        for (size_t c = first; c < first + (size_t)mover->column_count; c++)
            for (size_t r = 0; r < n && system->is_held[c]; r++)
                m[r * n + c] = m[c * n + r] = 0;
        for (int k = 0; k < mover->normal_count; k++) {
            const double u[3] = {mover->normal[k].x, mover->normal[k].y, mover->normal[k].z};
            for (size_t r = 0; r < n; r++)
                take_out(m + r * n + first, 1, u, 3);
            for (size_t c = 0; c < n; c++)
                take_out(m + first * n + c, n, u, 3);
        }
    }
}

/* hessian = J^T J - P S P, and step = J^T r + P S held, without what is held. */
static void fill_hessian(snw__ik_system *system)
{
    size_t n = (size_t)system->column_count;
    double *h = system->newton->hessian;
    const double *s = system->newton->curvature;
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c <= r; c++)
            h[r * n + c] = h[c * n + r] = -s[r * n + c];
    for (size_t r = 0; r < n; r++)
        system->work[r] = -snw__ik_dot(h + r * n, system->held, system->column_count);
    snw__ik_system_project(system, system->work);
    snw__ik_project_matrix(system, h);
    snw__ik_system_pull_back(system, system->residual, system->step);
    for (size_t c = 0; c < n; c++)
        system->step[c] += system->work[c];
    for (int k = 0; k < system->row_count; k++) {
        const double *row = &system->jacobian[(size_t)k * n];
        for (size_t r = 0; r < n; r++)
            for (size_t c = 0; row[r] != 0 && c <= r; c++)
                h[r * n + c] += row[r] * row[c];
    }
}

/* The curvature of the Lagrangian along the unit turn t of a ball at its limit: a step of e along t
 * ends e^2 c / 2 beside it, and g . c is what that costs. */
static double limit_curvature(const snw_joint *joint, snw_quat now, snw_vec3 gradient, snw_vec3 t)
{
    double cost = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        snw_vec3 step = snw_vec3_scale(t, sign * IK_NEWTON_PROBE);
        snw_quat asked = snw_quat_mul(now, snw_quat_exp(step));
        snw_quat taken = snw_quat_mul(snw_quat_conjugate(now), snw_joint_limit_apply(joint, asked));
        cost -= snw_vec3_dot(gradient, snw_vec3_sub(snw_quat_log(taken), step));
    }
    return fmax(cost, 0) / (IK_NEWTON_PROBE * IK_NEWTON_PROBE);
}

/* block += value * (a b^T + b a^T) / 2, lower triangle, in a matrix of n columns. */
static void add_outer(double *block, size_t n, double value, snw_vec3 a, snw_vec3 b)
{
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c <= r; c++)
            block[r * n + c] += 0.5 * value * (u[r] * v[c] + u[c] * v[r]);
}

/* Over the turns that the held normals leave free: one or two. */
static void add_limit(const snw_joint *joint, const snw__ik_mover *mover, snw_quat now,
                      snw_vec3 gradient, double *block, size_t n)
{
    snw_vec3 a, b;
    if (mover->normal_count > 2) return;
    if (mover->normal_count == 2) {
        a = snw_vec3_cross(mover->normal[0], mover->normal[1]);
        add_outer(block, n, limit_curvature(joint, now, gradient, a), a, a);
        return;
    }
    a = snw_vec3_perpendicular(mover->normal[0]);
    b = snw_vec3_cross(mover->normal[0], a);
    snw_vec3 between = snw_vec3_scale(snw_vec3_add(a, b), sqrt(0.5));
    double aa = limit_curvature(joint, now, gradient, a);
    double bb = limit_curvature(joint, now, gradient, b);
    double ab = limit_curvature(joint, now, gradient, between) - 0.5 * (aa + bb);
    add_outer(block, n, aa, a, a);
    add_outer(block, n, bb, b, b);
    add_outer(block, n, 2 * ab, a, b);
}

void snw__ik_add_limit_curvature(const snw__ik_system *system, const snw_pose *pose,
                                 const double *force, double *curvature)
{
    size_t n = (size_t)system->column_count;
    for (int m = 0; m < system->mover_count; m++) {
        const snw__ik_mover *mover = &system->mover[m];
        size_t first = (size_t)mover->column_first;
        if (mover->normal_count == 0) continue;
        add_limit(&system->ik->joint[mover->joint], mover, pose->rotation[mover->joint],
                  take_vec3(force + first, 1), curvature + first * n + first, n);
    }
}

/* Solves in place of `step`; damping grows until the hessian is definite. */
static void newton_direction(snw__ik_system *system, void *context)
{
    snw__ik_newton *newton = context;
    int n = system->column_count;
    double trace = 0, lambda = newton->lambda;
    newton->is_convex = true;
    fill_hessian(system);
    snw__ik_add_limit_curvature(system, newton->pose, system->gradient, newton->hessian);
    memcpy(newton->plain, newton->hessian, (size_t)n * (size_t)n * sizeof(double));
    for (int c = 0; c < n; c++)
        trace += fabs(newton->plain[snw__entry(c, n, c)]) / n;
    for (int attempt = 0; attempt < 12; attempt++) {
        if (attempt > 0)
            memcpy(newton->hessian, newton->plain, (size_t)n * (size_t)n * sizeof(double));
        for (int c = 0; c < n; c++)
            newton->hessian[snw__entry(c, n, c)] += lambda * trace;
        if (snw_cholesky_factor(newton->hessian, n) == SNW_OK &&
            snw_cholesky_solve(newton->hessian, n, system->step) == SNW_OK) {
            double largest = 0;
            for (int c = 0; c < n; c++)
                largest = fmax(largest, fabs(system->step[c]));
            for (int c = 0; largest > IK_NEWTON_MOVE && c < n; c++)
                system->step[c] *= IK_NEWTON_MOVE / largest;
            return;
        }
        newton->is_convex = false;
        lambda = fmax(10 * lambda, 1e-3);
    }
    memset(system->step, 0, (size_t)n * sizeof *system->step);
}

/* A small step downhill. */
static void probe_direction(snw__ik_system *system, void *context)
{
    (void)context;
    snw__ik_system_pull_back(system, system->residual, system->step);
    double length = sqrt(snw__ik_dot(system->step, system->step, system->column_count));
    for (int c = 0; length > 0 && c < system->column_count; c++)
        system->step[c] *= IK_NEWTON_PROBE / length;
}

/* ---- to the minimum ----------------------------------------------------------------------- */

/* One step from a built system; false, with the pose as it was, when none helps. */
static bool try_step(snw__ik_system *system, const snw_goal *goals, snw_pose *pose)
{
    snw__ik_newton *newton = system->newton;
    double energy = system->energy;
    fill_curvature(system, goals, pose);
    newton->pose = pose;
    /* What the goals push against its limit is held first: with it the hessian says nothing. */
    snw__ik_system_find_step(system, probe_direction, NULL, pose);
    snw__ik_system_find_step(system, newton_direction, newton, pose);
    snw__ik_snapshot_take(&system->before, pose);
    (void)snw__ik_system_move(system, 1, pose);
    snw__ik_system_measure(system, goals, pose);
    if (system->energy < energy * (1 - IK_NEWTON_GAIN)) return true;
    snw__ik_snapshot_restore(&system->before, pose);
    snw_pose_forward(pose);
    return false;
}

snw__ik_polish snw__ik_newton_polish(snw__ik_system *system, const snw_goal *goals, snw_pose *pose,
                                     int iteration_max)
{
    snw__ik_polish polish = {0, false};
    snw__ik_newton *newton = system->newton;
    int rejected = 0;
    if (!newton || system->column_count == 0) return polish;
    newton->lambda = IK_NEWTON_DAMPING;
    for (; polish.iterations < iteration_max; polish.iterations++) {
        snw__ik_system_build(system, goals, pose);
        if (system->excess <= 1) return polish;
        double energy = system->energy;
        if (try_step(system, goals, pose)) {
            rejected = 0;
            newton->lambda = fmax(0.1 * newton->lambda, IK_NEWTON_DAMPING);
            if (system->energy < (1 - IK_NEWTON_LAST) * energy) continue;
            polish.is_minimum = newton->is_convex;
            break;
        }
        system->energy = energy;
        polish.is_minimum = newton->is_convex;
        if (++rejected > 2) break;
        newton->lambda = fmax(100 * newton->lambda, 1e-3);
    }
    snw__ik_system_measure(system, goals, pose);
    return polish;
}
