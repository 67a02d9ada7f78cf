/* The pose of the generic person: weighted nonlinear least squares over 55 unknowns.
 *
 *     sum_k w_k rho(|x_k(pose) - p_k|^2) + sum_s |(log q_s - usual_s) / spread_s|^2
 *
 * A turn d of segment s, in its parent's axes, moves what hangs from it by (R d) x (x - o_s); a
 * relative change of stature moves x by x - place. All that the points of a limb say about such
 * motions stands in their weight, first and second moments, as the inertia of a composite body
 * does; the equations then cost no more per point than its moments, and are eliminated along the
 * tree, leaves first, without fill (Featherstone, Rigid Body Dynamics Algorithms, 6.2, 6.5). The
 * derivative of log q is the inverse of the left Jacobian of the rotation group. rho is Geman &
 * McClure's; steps after Levenberg (1944) and Marquardt (1963). */
#include "recognise/template_fit.h"

#include <string.h>

#include "base/elementary.h"
#include "math/kernel.h"
#include "math/robust.h"
#include "recognise/recognise_constants.h"

/* Unknown of the relative change of stature, after the three of the place. */
enum {
    TEMPLATE_SCALE = 3
};

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
    const snw__template_span *span = problem->span + s;
    for (int n = 0; n < 4; n++) {
        const double *line = slope.m[n < 3 ? n : 1];
        for (int i = 0; i < 3; i++) {
            problem->right[span->at + i] -= scale[n] * line[i] * residual[n];
            for (int j = 0; j <= i; j++)
                problem->row[span->at + i][span->column + j] +=
                    scale[n] * scale[n] * line[i] * line[j];
        }
    }
    return sum;
}

/* ---- points --------------------------------------------------------------------------------- */

static snw_vec3 place_of(const snw__template_world *world, const snw__template_pair *pair)
{
    return snw_xform_point(world->segment[pair->segment],
                           snw_vec3_scale(pair->place, world->stature));
}

/* Of the points of a limb, seen from the pelvis: sum w, sum w y, sum w y y'; what they miss: sum w
 * r, sum w y x r, sum w y.r. */
typedef struct template_moments {
    double weight;
    snw_vec3 first, miss, twist;
    snw_mat3 second;
    double swell;
} template_moments;

static void add_point(template_moments *of, double weight, snw_vec3 y, snw_vec3 r)
{
    snw_vec3 wy = snw_vec3_scale(y, weight), wr = snw_vec3_scale(r, weight);
    const double a[3] = {wy.x, wy.y, wy.z}, b[3] = {y.x, y.y, y.z};
    of->weight += weight;
    of->first = snw_vec3_add(of->first, wy);
    of->miss = snw_vec3_add(of->miss, wr);
    of->twist = snw_vec3_add(of->twist, snw_vec3_cross(y, wr));
    of->swell += snw_vec3_dot(y, wr);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            of->second.m[i][j] += a[i] * b[j];
}

static void add_moments(template_moments *to, const template_moments *from)
{
    to->weight += from->weight;
    to->first = snw_vec3_add(to->first, from->first);
    to->miss = snw_vec3_add(to->miss, from->miss);
    to->twist = snw_vec3_add(to->twist, from->twist);
    to->swell += from->swell;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->second.m[i][j] += from->second.m[i][j];
}

/* How a turn about an axis of a segment moves a point y: turn x y + glide. */
typedef struct template_motion {
    snw_vec3 turn, glide;
} template_motion;

/* The rows of a segment: what its limb's points couple its three turns with. */
static void add_limb(snw__template_problem *problem, const template_moments *of,
                     template_motion motion[][3], int s)
{
    double trace = of->second.m[0][0] + of->second.m[1][1] + of->second.m[2][2];
    for (int i = 0; i < 3; i++) {
        template_motion own = motion[s][i];
        double *row = problem->row[problem->span[s].at + i];
        snw_vec3 force = snw_vec3_add(snw_vec3_scale(own.glide, of->weight),
                                      snw_vec3_cross(own.turn, of->first));
        snw_vec3 moment = snw_vec3_add(
            snw_vec3_sub(snw_vec3_scale(own.turn, trace), snw_mat3_apply(of->second, own.turn)),
            snw_vec3_cross(of->first, own.glide));
        row[0] += force.x, row[1] += force.y, row[2] += force.z;
        row[TEMPLATE_SCALE] += snw_vec3_dot(own.glide, of->first);
        for (int a = s; a >= 0; a = snw__segment_of(a)->parent)
            for (int j = 0; j < (a == s ? i + 1 : 3); j++)
                row[problem->span[a].column + j] += snw_vec3_dot(motion[a][j].turn, moment) +
                                                    snw_vec3_dot(motion[a][j].glide, force);
        problem->right[problem->span[s].at + i] +=
            snw_vec3_dot(own.turn, of->twist) + snw_vec3_dot(own.glide, of->miss);
    }
}

/* The rows of place and scale. */
static void add_whole(snw__template_problem *problem, const template_moments *of)
{
    const double first[3] = {of->first.x, of->first.y, of->first.z};
    const double miss[3] = {of->miss.x, of->miss.y, of->miss.z};
    for (int i = 0; i < 3; i++) {
        problem->row[i][i] += of->weight;
        problem->row[TEMPLATE_SCALE][i] += first[i];
        problem->row[TEMPLATE_SCALE][TEMPLATE_SCALE] += of->second.m[i][i];
        problem->right[i] += miss[i];
    }
    problem->right[TEMPLATE_SCALE] += of->swell;
}

static void add_points(snw__template_problem *problem, const snw__template_pose *pose,
                       const snw__template_world *world)
{
    template_moments limb[SNW__SEGMENT_COUNT] = {0};
    template_motion motion[SNW__SEGMENT_COUNT][3];
    double inverse2 = 1 / (problem->robust * problem->robust);
    for (int k = 0; k < problem->pair_count; k++) {
        const snw__template_pair *pair = problem->pair + k;
        snw_vec3 x = place_of(world, pair), r = snw_vec3_sub(pair->target, x);
        double weight = pair->weight * snw__geman_mcclure_weight(snw_vec3_length2(r) * inverse2);
        add_point(limb + pair->segment, weight, snw_vec3_sub(x, pose->place), r);
    }
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
        int parent = snw__segment_of(s)->parent;
        snw_quat turn = parent < 0 ? snw_quat_identity() : world->segment[parent].rotation;
        snw_vec3 joint = snw_vec3_sub(world->segment[s].translation, pose->place);
        for (int i = 0; i < 3; i++) {
            snw_vec3 axis = snw_quat_rotate(turn, snw_vec3_make(i == 0, i == 1, i == 2));
            motion[s][i] = (template_motion){axis, snw_vec3_cross(joint, axis)};
        }
    }
    for (int s = SNW__SEGMENT_COUNT - 1; s >= 0; s--) {
        int parent = snw__segment_of(s)->parent;
        add_limb(problem, limb + s, motion, s);
        if (parent >= 0) add_moments(limb + parent, limb + s);
    }
    add_whole(problem, limb);
}

/* ---- elimination along the tree ------------------------------------------------------------- */

/* Where the segments' unknowns stand, and which unknowns the columns of each row are. */
static void span_tree(snw__template_problem *problem)
{
    for (int n = 0; n <= TEMPLATE_SCALE; n++) {
        problem->last[n] = n;
        for (int j = 0; j <= n; j++)
            problem->unknown[n][j] = j;
    }
    for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
        int parent = snw__segment_of(s)->parent, at = TEMPLATE_SCALE + 1 + 3 * s;
        int above = parent < 0 ? TEMPLATE_SCALE : problem->span[parent].at + 2;
        int column = problem->last[above] + 1;
        problem->span[s] = (snw__template_span){at, column};
        for (int i = 0; i < 3; i++) {
            problem->last[at + i] = column + i;
            memcpy(problem->unknown[at + i], problem->unknown[above], sizeof problem->unknown[0]);
            for (int j = 0; j <= i; j++)
                problem->unknown[at + i][column + j] = at + j;
        }
    }
}

/* Solves the damped equations into step; false where they are singular. Unknown n is eliminated
 * from those of the columns before its own, H = L' D L. */
static bool eliminate(snw__template_problem *problem, double damping)
{
    double damped[SNW__TEMPLATE_SIZE];
    for (int n = 0; n < SNW__TEMPLATE_SIZE; n++) {
        double *diagonal = problem->row[n] + problem->last[n];
        damped[n] = *diagonal = *diagonal * (1 + damping) + 1e-6;
        problem->step[n] = problem->right[n];
    }
    for (int n = SNW__TEMPLATE_SIZE - 1; n >= 0; n--) {
        const double *row = problem->row[n], pivot = row[problem->last[n]];
        if (!(pivot > DBL_EPSILON * damped[n])) return false;
        for (int j = problem->last[n] - 1; j >= 0; j--) {
            int other = problem->unknown[n][j];
            double share = row[j] / pivot;
            snw__axpy(-share, row, problem->row[other], j + 1);
            problem->step[other] -= share * problem->step[n];
        }
    }
    for (int n = 0; n < SNW__TEMPLATE_SIZE; n++) {
        const double *row = problem->row[n];
        for (int j = 0; j < problem->last[n]; j++)
            problem->step[n] -= row[j] * problem->step[problem->unknown[n][j]];
        problem->step[n] /= row[problem->last[n]];
    }
    return snw__all_finite(problem->step, SNW__TEMPLATE_SIZE);
}

/* ---- the steps ------------------------------------------------------------------------------ */

/* The cost; with is_system also the normal equations. */
static double assemble(snw__template_problem *problem, const snw__template_pose *pose,
                       bool is_system)
{
    snw__template_world world;
    double cost = 0, scale2 = problem->robust * problem->robust;
    snw__template_world_of(pose, &world);
    if (is_system) {
        memset(problem->row, 0, sizeof problem->row);
        memset(problem->right, 0, sizeof problem->right);
        add_points(problem, pose, &world);
    }
    for (int k = 0; k < (is_system ? 0 : problem->pair_count); k++) {
        const snw__template_pair *pair = problem->pair + k;
        double far2 = snw_vec3_length2(snw_vec3_sub(pair->target, place_of(&world, pair)));
        cost += pair->weight * scale2 * snw__geman_mcclure_cost(far2 / scale2);
    }
    for (int s = 1; s < SNW__SEGMENT_COUNT; s++)
        cost += add_bend(problem, pose, s, is_system);
    double off = (pose->log_stature - problem->log_stature) / problem->stature_spread;
    if (is_system) {
        problem->row[TEMPLATE_SCALE][TEMPLATE_SCALE] +=
            1 / (problem->stature_spread * problem->stature_spread);
        problem->right[TEMPLATE_SCALE] -= off / problem->stature_spread;
    }
    return cost + off * off;
}

double snw__template_fit(snw__template_problem *problem, snw__template_pose *pose, int steps)
{
    double cost = assemble(problem, pose, false), damping = 1e-3;
    span_tree(problem);
    for (int n = 0; n < steps; n++) {
        assemble(problem, pose, true);
        if (!eliminate(problem, damping)) return cost;
        snw__template_pose next = *pose;
        next.place = snw_vec3_add(
            pose->place, snw_vec3_make(problem->step[0], problem->step[1], problem->step[2]));
        for (int s = 0; s < SNW__SEGMENT_COUNT; s++) {
            const double *d = problem->step + problem->span[s].at;
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
