/* The pose of the generic person: weighted nonlinear least squares over 55 unknowns.
 *
 *     sum_k w_k rho(|x_k(pose) - p_k|^2) + sum_s |(log q_s - usual_s) / spread_s|^2
 *
 * A turn d of segment s, in its parent's axes, moves what hangs from it by (R d) x (x - o_s); a
 * relative change of stature moves x by x - place. The derivative of log q is the inverse of the
 * left Jacobian of the rotation group. rho is Geman & McClure's; steps after Levenberg (1944) and
 * Marquardt (1963). */
#include "recognise/template_fit.h"

#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "math/robust.h"
#include "recognise/recognise_constants.h"

void snw__template_world_of(const snw__template_pose *pose, snw__template_world *world)
{
    world->stature = snw__exp(pose->log_stature);
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
        const snw__segment_row *row = snw__segment_of(s);
        snw_xform own = {pose->turn[s], snw_vec3_scale(row->joint, world->stature)};
        if (row->parent < 0) own.translation = pose->place;
        world->segment[s] = row->parent < 0 ? own : snw_xform_mul(world->segment[row->parent], own);
    }
}

/* ---- how joints bend ------------------------------------------------------------------------ */

/* Residuals of a segment's rotation in units of their spread: three of the usual pose, one of the
 * limit; and the rotation vector. */
static snw_vec3 bend_of(const snw__template_pose *pose, int s, const snw__segment_row *row,
                        double residual[4])
{
    snw_vec3 turn = snw_quat_log(pose->turn[s]);
    residual[0] = (turn.x - row->usual.x) / row->spread.x;
    residual[1] = (turn.y - row->usual.y) / row->spread.y;
    residual[2] = (turn.z - row->usual.z) / row->spread.z;
    double over = turn.y > row->high  ? turn.y - row->high
                  : turn.y < row->low ? turn.y - row->low
                                      : 0;
    residual[3] = over / TEMPLATE_LIMIT_SPREAD;
    return turn;
}

double snw__template_strain(const snw__template_pose *pose)
{
    double sum = 0, residual[4];
    for (int s = 1; s < SNW__SEGMENT_COUNT; s++) {
        const snw__segment_row *row = snw__segment_of(s);
        bend_of(pose, s, row, residual);
        for (int n = 0; n < 4; n++)
            sum += residual[n] * residual[n];
    }
    return sum / 2;
}

/* J^-1 = I - [v]/2 + (1/t^2 - (1 + cos t)/(2 t sin t)) [v]^2, t = |v| (Chirikjian 2011, 10.86). */
static snw_mat3 inverse_left_jacobian(snw_vec3 v)
{
    double t2 = snw_vec3_length2(v), t = sqrt(t2), c = 1.0 / 12;
    if (t > 1e-3 && t < 3.1) {
        double sine, cosine;
        snw__sin_cos(t, &sine, &cosine);
        c = 1 / t2 - (1 + cosine) / (2 * t * sine);
    }
    double a[3] = {v.x, v.y, v.z};
    snw_mat3 m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.m[i][j] = c * a[i] * a[j] + (i == j ? 1 - c * t2 : 0);
    m.m[0][1] += v.z / 2, m.m[1][0] -= v.z / 2;
    m.m[2][0] += v.y / 2, m.m[0][2] -= v.y / 2;
    m.m[1][2] += v.x / 2, m.m[2][1] -= v.x / 2;
    return m;
}

static double add_bend(snw__template_problem *problem, const snw__template_pose *pose, int s,
                       bool is_system)
{
    const snw__segment_row *row = snw__segment_of(s);
    double residual[4], sum = 0;
    snw_vec3 turn = bend_of(pose, s, row, residual);
    for (int n = 0; n < 4; n++)
        sum += residual[n] * residual[n];
    if (!is_system) return sum;
    snw_mat3 slope = inverse_left_jacobian(turn);
    const double scale[4] = {1 / row->spread.x, 1 / row->spread.y, 1 / row->spread.z,
                             residual[3] != 0 ? 1 / TEMPLATE_LIMIT_SPREAD : 0};
    int at = 3 + 3 * s;
    for (int n = 0; n < 4; n++) {
        const double *line = slope.m[n < 3 ? n : 1];
        for (int i = 0; i < 3; i++) {
            problem->right[at + i] -= scale[n] * line[i] * residual[n];
            for (int j = 0; j < 3; j++)
                problem->system[(at + i) * SNW__TEMPLATE_SIZE + at + j] +=
                    scale[n] * scale[n] * line[i] * line[j];
        }
    }
    return sum;
}

/* ---- points --------------------------------------------------------------------------------- */

#define TEMPLATE_COLUMNS (3 + 3 * SNW__SEGMENT_DEPTH + 1)

/* The derivatives of a place on a segment by everything that moves it, by ascending unknowns. */
typedef struct template_columns {
    int count;
    int at[TEMPLATE_COLUMNS]; /* unknown */
    double x[TEMPLATE_COLUMNS], y[TEMPLATE_COLUMNS], z[TEMPLATE_COLUMNS];
} template_columns;

/* The axes about which the segments turn: their parents', in the lab. */
typedef struct template_axes {
    snw_vec3 axis[SNW__SEGMENT_COUNT][3];
} template_axes;

static void add_column(template_columns *columns, int at, snw_vec3 d)
{
    int n = columns->count++;
    columns->at[n] = at;
    columns->x[n] = d.x;
    columns->y[n] = d.y;
    columns->z[n] = d.z;
}

static snw_vec3 place_of(const snw__template_world *world, const snw__template_pair *pair)
{
    return snw_xform_point(world->segment[pair->segment],
                           snw_vec3_scale(pair->place, world->stature));
}

/* The lower triangle, which is all that a factorisation reads. */
static void add_pair(snw__template_problem *problem, const snw__template_pose *pose,
                     const snw__template_world *world, const template_axes *axes,
                     const snw__template_pair *pair)
{
    snw_vec3 x = place_of(world, pair), r = snw_vec3_sub(pair->target, x);
    double x2 = snw_vec3_length2(r) / (problem->robust * problem->robust);
    double weight = pair->weight * snw__geman_mcclure_weight(x2), product[TEMPLATE_COLUMNS];
    template_columns of;
    int chain[SNW__SEGMENT_DEPTH], depth = 0;
    of.count = 0;
    for (int i = 0; i < 3; i++)
        add_column(&of, i, snw_vec3_make(i == 0, i == 1, i == 2));
    for (int s = pair->segment; s >= 0; s = snw__segment_of(s)->parent)
        chain[depth++] = s;
    while (depth-- > 0) {
        int s = chain[depth];
        snw_vec3 arm = snw_vec3_sub(x, world->segment[s].translation);
        for (int i = 0; i < 3; i++)
            add_column(&of, 3 + 3 * s + i, snw_vec3_cross(axes->axis[s][i], arm));
    }
    add_column(&of, TEMPLATE_SCALE, snw_vec3_sub(x, pose->place));
    for (int i = 0; i < of.count; i++) {
        double a = of.x[i], b = of.y[i], c = of.z[i];
        double *line = problem->system + of.at[i] * SNW__TEMPLATE_SIZE;
        problem->right[of.at[i]] += weight * (a * r.x + b * r.y + c * r.z);
        for (int j = 0; j <= i; j++)
            product[j] = weight * (a * of.x[j] + b * of.y[j] + c * of.z[j]);
        for (int j = 0; j <= i; j++)
            line[of.at[j]] += product[j];
    }
}

/* ---- the steps ------------------------------------------------------------------------------ */

/* The cost; with is_system also the normal equations. */
static double assemble(snw__template_problem *problem, const snw__template_pose *pose,
                       bool is_system)
{
    snw__template_world world;
    template_axes axes;
    double cost = 0;
    snw__template_world_of(pose, &world);
    if (is_system) {
        memset(problem->system, 0, sizeof problem->system);
        memset(problem->right, 0, sizeof problem->right);
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
            int parent = snw__segment_of(s)->parent;
            snw_quat turn = parent < 0 ? snw_quat_identity() : world.segment[parent].rotation;
            for (int i = 0; i < 3; i++)
                axes.axis[s][i] = snw_quat_rotate(turn, snw_vec3_make(i == 0, i == 1, i == 2));
        }
    }
    for (int k = 0; k < problem->pair_count; k++)
        if (is_system)
            add_pair(problem, pose, &world, &axes, problem->pair + k);
        else {
            const snw__template_pair *pair = problem->pair + k;
            double scale2 = problem->robust * problem->robust;
            double x2 =
                snw_vec3_length2(snw_vec3_sub(pair->target, place_of(&world, pair))) / scale2;
            cost += pair->weight * scale2 * snw__geman_mcclure_cost(x2);
        }
    for (int s = 1; s < SNW__SEGMENT_COUNT; s++)
        cost += add_bend(problem, pose, s, is_system);
    double off = (pose->log_stature - problem->log_stature) / problem->stature_spread;
    if (is_system) {
        problem->system[TEMPLATE_SCALE * (SNW__TEMPLATE_SIZE + 1)] +=
            1 / (problem->stature_spread * problem->stature_spread);
        problem->right[TEMPLATE_SCALE] -= off / problem->stature_spread;
    }
    return cost + off * off;
}

double snw__template_fit(snw__template_problem *problem, snw__template_pose *pose, int steps)
{
    double cost = assemble(problem, pose, false), damping = 1e-3;
    for (int n = 0; n < steps; n++) {
        assemble(problem, pose, true);
        for (int i = 0; i < SNW__TEMPLATE_SIZE; i++)
            problem->system[i * (SNW__TEMPLATE_SIZE + 1)] *= 1 + damping;
        for (int i = 0; i < SNW__TEMPLATE_SIZE; i++)
            problem->system[i * (SNW__TEMPLATE_SIZE + 1)] += 1e-6;
        memcpy(problem->step, problem->right, sizeof problem->step);
        if (snw_cholesky_factor(problem->system, SNW__TEMPLATE_SIZE) != SNW_OK ||
            snw_cholesky_solve(problem->system, SNW__TEMPLATE_SIZE, problem->step) != SNW_OK)
            return cost;
        snw__template_pose next = *pose;
        next.place = snw_vec3_add(
            pose->place, snw_vec3_make(problem->step[0], problem->step[1], problem->step[2]));
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
            const double *d = problem->step + 3 + 3 * s;
            next.turn[s] = snw_quat_normalize(
                snw_quat_mul(snw_quat_exp(snw_vec3_make(d[0], d[1], d[2])), pose->turn[s]));
        }
        next.log_stature = snw_clamp(pose->log_stature + problem->step[TEMPLATE_SCALE], -3, 3);
        double next_cost = assemble(problem, &next, false);
        if (next_cost < cost) {
            bool is_done = cost - next_cost < 1e-4 * cost;
            *pose = next;
            cost = next_cost;
            damping = damping > 1e-6 ? damping / 5 : damping;
            if (is_done) break;
        } else {
            damping *= 10;
        }
    }
    return cost;
}
