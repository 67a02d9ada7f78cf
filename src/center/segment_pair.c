/* Where two rigid segments are joined.
 *
 * The start is the two-sided centre (Cameron & Lasenby 2008 = SCoRE, Ehrig et al.
 * 2006): with e = a - Q b - t in the first segment's frame (Q, t: second segment seen from the
 * first), minimise sum |e|^2. That answer is biased where the joint moves little: errors of the
 * rotations enlarge the normal matrix and pull the centre. So the sum is then weighted by what the
 * noise of the markers does to e,
 *
 *     F(a, b) = sum e^T S^-1 e,
 *     S = s1^2 (I/n1 + [a-g1] K1^-1 [a-g1]^T) + Q s2^2 (I/n2 + [b-g2] K2^-1 [b-g2]^T) Q^T,
 *
 * which, to first order, is the maximum likelihood over all poses that meet the joint exactly (each
 * pose moved by its own covariance until e = 0). S depends on the unknowns, and that dependence is
 * what removes the bias:
 *
 *     u = S^-1 e,  w1 = u x (a-g1),  dF/da / 2 =  u   - s1^2 (K1^-1 w1) x u
 *     v = Q^T u,   w2 = v x (b-g2),  dF/db / 2 = -v   - s2^2 (K2^-1 w2) x v
 *
 * What the motion leaves open (along a hinge; a joint that never moved) is kept between the two
 * segments. Moving the centre along n costs the signal (turns across n) plus what the noise of the
 * rotations adds; where the signal-to-noise ratio q is low, F is flat on average and its random
 * slope would carry the centre away. A prior with the stiffness of that noise divided by q^2 stops
 * it, and shifts a centre by 1/q^3 of its distance from the middle: nothing for a joint that moved.
 */
#include <string.h>

#include <sinew/center.h>
#include <sinew/dense.h>

#include "center/center.h"
#include "center/center_constants.h"
#include "center/segment_pair.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "person/movement.h"
#include "rigid/rigid_fit.h"

enum {
    PAIR_SIZE = 6
};
/* Sums over frames for one step. */
typedef struct pair_sums {
    int frame_count;
    double weight;
    double normal[PAIR_SIZE * PAIR_SIZE];
    double gradient[PAIR_SIZE];
    double inflation[PAIR_SIZE * PAIR_SIZE]; /* part of normal that is noise of the rotations */
    double chi2, residual2;
    double slip[6];                                /* of e e^T */
    double turn_noise2;                            /* of the traces of the rotations' covariances */
    double block_gradient[PAIR_BLOCKS][PAIR_SIZE]; /* of the data, stretch by stretch */
    double cost; /* what is minimised: robust chi squared and prior */
} pair_sums;

typedef struct pair_frame {
    const snw__segment_pose *first, *second;
    int block;
    snw_mat3 turn; /* Q */
    snw_vec3 shift;
} pair_frame;

typedef struct pair_problem {
    const snw__rigid *first, *second;
    int frame_count, stride;
    snw_vec3 prior_first, prior_second;
    double outlier2;                         /* chi squared that counts a quarter */
    snw_mat3 mean;                           /* Q on average */
    double stiffness[PAIR_SIZE * PAIR_SIZE]; /* of the prior */
} pair_problem;

static bool look(const pair_problem *problem, int frame, pair_frame *out)
{
    out->first = problem->first->pose + frame;
    out->second = problem->second->pose + frame;
    out->block = (int)((int64_t)frame * PAIR_BLOCKS / problem->frame_count);
    if (out->first->seen_count == 0 || out->second->seen_count == 0) return false;
    const snw_xform *a = &out->first->world_from_segment, *b = &out->second->world_from_segment;
    out->turn = snw_mat3_from_quat(snw_quat_mul(snw_quat_conjugate(a->rotation), b->rotation));
    out->shift = snw_xform_unpoint(*a, b->translation);
    return true;
}

static snw_vec3 apply_transposed(const snw_mat3 *q, snw_vec3 v)
{
    return snw_vec3_make(q->m[0][0] * v.x + q->m[1][0] * v.y + q->m[2][0] * v.z,
                         q->m[0][1] * v.x + q->m[1][1] * v.y + q->m[2][1] * v.z,
                         q->m[0][2] * v.x + q->m[1][2] * v.y + q->m[2][2] * v.z);
}

static snw_mat3 symmetric_matrix(const double k[6])
{
    snw_mat3 m = {{{k[0], k[1], k[2]}, {k[1], k[3], k[4]}, {k[2], k[4], k[5]}}};
    return m;
}

static snw_mat3 cross_matrix(snw_vec3 d)
{
    snw_mat3 m = {{{0, -d.z, d.y}, {d.z, 0, -d.x}, {-d.y, d.x, 0}}};
    return m;
}

/* ---- first answer ------------------------------------------------------------------------- */

static snw_quat mean_turn(const pair_problem *problem)
{
    snw_quat mean = snw_quat_make(0, 0, 0, 0);
    for (int frame = 0; frame < problem->frame_count; frame += problem->stride) {
        pair_frame at;
        if (!look(problem, frame, &at)) continue;
        snw_quat q = snw_quat_from_mat3(at.turn);
        if (snw_quat_dot(q, mean) < 0) q = snw_quat_neg(q);
        mean = snw_quat_make(mean.w + q.w, mean.x + q.x, mean.y + q.y, mean.z + q.z);
    }
    return snw_quat_normalize(mean);
}

/* The two-sided centre, and the prior: midway between the two segments' origins, on average, seen
 * from either. */
static bool start(pair_problem *problem, snw__segment_pair *pair)
{
    snw_center_sums sums = snw_center_sums_begin();
    for (int frame = 0; frame < problem->frame_count; frame += problem->stride) {
        const snw__segment_pose *a = problem->first->pose + frame,
                                *b = problem->second->pose + frame;
        if (a->seen_count > 0 && b->seen_count > 0)
            snw_center_sums_add(&sums, a->world_from_segment, b->world_from_segment);
    }
    snw_center center;
    if (snw_center_sums_solve(&sums, NULL, &center, NULL) != SNW_OK) return false;
    pair->frame_count = (int)sums.frame_count;
    pair->apart = sqrt(sums.offset2 / sums.weight);
    pair->in_first = center.in_parent;
    pair->in_second = center.in_child;
    problem->prior_first = snw_vec3_scale(sums.parent_offset, 0.5 / sums.weight);
    problem->prior_second = snw_vec3_scale(sums.child_offset, 0.5 / sums.weight);
    problem->mean = snw_mat3_from_quat(mean_turn(problem));
    /* Standard deviation of the prior on either side of the joint, metres: about a segment's
     * length. */
    /* The same towards the middle in every direction. */
    memset(problem->stiffness, 0, PAIR_SIZE * PAIR_SIZE * sizeof *problem->stiffness);
    for (int i = 0; i < PAIR_SIZE; i++)
        problem->stiffness[i * PAIR_SIZE + i] = 1 / (SNW__CENTER_OPEN * SNW__CENTER_OPEN);
    return snw_vec3_is_finite(pair->in_first) && snw_vec3_is_finite(pair->in_second);
}

/* ---- with the noise of both poses ---------------------------------------------------------- */

/* s^2 (I/n + [d] K^-1 [d]^T) as a matrix. */
static snw_mat3 point_variance(const snw__segment_pose *pose, snw_vec3 d, double noise2)
{
    snw_mat3 cross = cross_matrix(d);
    snw_mat3 v = snw_mat3_mul(snw_mat3_mul(cross, symmetric_matrix(pose->inertia_inverse)),
                              snw_mat3_transpose(cross));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v.m[i][j] = noise2 * (v.m[i][j] + (i == j) / (double)pose->seen_count);
    return v;
}

/* What errors of a rotation with covariance C add to W on average: E [r]^T W [r]. */
static void add_inflation(double *inflation, int offset, const snw_mat3 *w, const double c[6],
                          double weight)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    snw_mat3 covariance = symmetric_matrix(c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            snw_mat3 a = cross_matrix(snw_vec3_make(unit[i][0], unit[i][1], unit[i][2]));
            snw_mat3 b = cross_matrix(snw_vec3_make(unit[j][0], unit[j][1], unit[j][2]));
            snw_mat3 part = snw_mat3_mul(snw_mat3_transpose(a), snw_mat3_mul(*w, b));
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    inflation[(offset + r) * PAIR_SIZE + offset + s] +=
                        weight * covariance.m[i][j] * part.m[r][s];
        }
}

static snw_vec3 pose_gradient(const snw__segment_pose *pose, snw_vec3 d, snw_vec3 u, double noise2)
{
    snw_vec3 w = snw_vec3_cross(u, d);
    snw_vec3 q = snw_vec3_scale(snw__symmetric3_apply(pose->inertia_inverse, w), noise2);
    return snw_vec3_cross(q, u);
}

static double trace(const double a[6])
{
    return a[0] + a[3] + a[5];
}

static void add_frame(const pair_problem *problem, const pair_frame *at,
                      const snw__segment_pair *pair, bool is_typical, pair_sums *sums)
{
    double noise2_first = problem->first->noise * problem->first->noise;
    double noise2_second = problem->second->noise * problem->second->noise;
    snw_vec3 d1 = snw_vec3_sub(pair->in_first, at->first->center);
    snw_vec3 d2 = snw_vec3_sub(pair->in_second, at->second->center);
    snw_mat3 s1 = point_variance(at->first, d1, noise2_first);
    snw_mat3 s2 = snw_mat3_mul(at->turn, snw_mat3_mul(point_variance(at->second, d2, noise2_second),
                                                      snw_mat3_transpose(at->turn)));
    const double s[6] = {s1.m[0][0] + s2.m[0][0], s1.m[0][1] + s2.m[0][1], s1.m[0][2] + s2.m[0][2],
                         s1.m[1][1] + s2.m[1][1], s1.m[1][2] + s2.m[1][2], s1.m[2][2] + s2.m[2][2]};
    double inverse[6];
    if (!snw__symmetric3_invert(s, inverse)) return;
    snw_vec3 turned = snw_mat3_apply(at->turn, pair->in_second);
    snw_vec3 e = snw_vec3_sub(snw_vec3_sub(pair->in_first, turned), at->shift);
    snw_vec3 u = snw__symmetric3_apply(inverse, e), v = apply_transposed(&at->turn, u);
    double chi2 = snw_vec3_dot(e, u) / 3;
    double far2 = chi2 / problem->outlier2, weight = snw__geman_mcclure_weight(far2);
    snw_vec3 g1 = snw_vec3_sub(u, pose_gradient(at->first, d1, u, noise2_first));
    snw_vec3 g2 = snw_vec3_add(v, pose_gradient(at->second, d2, v, noise2_second));
    const double part[PAIR_SIZE] = {g1.x, g1.y, g1.z, -g2.x, -g2.y, -g2.z};
    for (int i = 0; i < PAIR_SIZE; i++) {
        sums->gradient[i] += weight * part[i];
        sums->block_gradient[at->block][i] += weight * part[i];
    }
    snw_mat3 w = symmetric_matrix(inverse);
    /* Adds weight * J^T W J for J = [I, -Q]. */
    snw_mat3 wq = snw_mat3_mul(w, at->turn);
    snw_mat3 qwq = snw_mat3_mul(snw_mat3_transpose(at->turn), wq);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            sums->normal[i * PAIR_SIZE + j] += weight * w.m[i][j];
            sums->normal[(i + 3) * PAIR_SIZE + j] -= weight * wq.m[j][i];
            sums->normal[(i + 3) * PAIR_SIZE + j + 3] += weight * qwq.m[i][j];
        }
    if (is_typical) {
        snw_mat3 back = snw_mat3_mul(snw_mat3_transpose(at->turn), snw_mat3_mul(w, at->turn));
        add_inflation(sums->inflation, 0, &w, at->first->inertia_inverse, noise2_first);
        add_inflation(sums->inflation, 3, &back, at->second->inertia_inverse, noise2_second);
    }
    sums->frame_count++;
    sums->weight += weight;
    sums->chi2 += weight * chi2;
    sums->cost += 1.5 * problem->outlier2 * snw__geman_mcclure_cost(far2);
    sums->residual2 += weight * snw_vec3_length2(e);
    const double outer[6] = {e.x * e.x, e.x * e.y, e.x * e.z, e.y * e.y, e.y * e.z, e.z * e.z};
    for (int i = 0; i < 6; i++)
        sums->slip[i] += weight * outer[i];
    sums->turn_noise2 += noise2_first * trace(at->first->inertia_inverse) +
                         noise2_second * trace(at->second->inertia_inverse);
}

static void add_all(const pair_problem *problem, const snw__segment_pair *pair, pair_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    int every = 1 + pair->frame_count / PAIR_TYPICAL, seen = 0, typical = 0;
    for (int frame = 0; frame < problem->frame_count; frame += problem->stride) {
        pair_frame at;
        if (!look(problem, frame, &at)) continue;
        bool is_typical = seen++ % every == 0;
        typical += is_typical;
        add_frame(problem, &at, pair, is_typical, sums);
    }
    for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
        sums->inflation[i] *= typical ? sums->weight / typical : 0;
    /* The prior pulls back towards the middle. */
    snw_vec3 off1 = snw_vec3_sub(pair->in_first, problem->prior_first);
    snw_vec3 off2 = snw_vec3_sub(pair->in_second, problem->prior_second);
    const double off[PAIR_SIZE] = {off1.x, off1.y, off1.z, off2.x, off2.y, off2.z};
    for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++) {
        double pull = problem->stiffness[i] * off[i % PAIR_SIZE];
        sums->gradient[i / PAIR_SIZE] += pull;
        sums->cost += 0.5 * off[i / PAIR_SIZE] * pull;
    }
}

/* T^T a T / 2 for T = [I; Q^T] with the mean Q: a move of the centre as a whole, seen from both
 * segments.
 */
static void project_move(const pair_problem *problem, const double *a, double out[9])
{
    double t[PAIR_SIZE][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[i + 3][j] = problem->mean.m[j][i];
    memset(out, 0, 9 * sizeof *out);
    for (int r = 0; r < PAIR_SIZE; r++)
        for (int s = 0; s < PAIR_SIZE; s++) {
            double entry = r >= s ? a[r * PAIR_SIZE + s] : a[s * PAIR_SIZE + r];
            for (int i = 0; i < 9; i++)
                out[i] += 0.5 * t[r][i / 3] * entry * t[s][i % 3];
        }
}

/* The normal matrix without the part that noise added, as far as it stays positive: the true
 * curvature, so that few steps are needed where the joint moves little. */
static bool newton_step(const pair_problem *problem, const pair_sums *sums, double *step)
{
    double normal[PAIR_SIZE * PAIR_SIZE];
    for (int part = 9; part >= 0; part -= 3) {
        for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
            normal[i] = sums->normal[i] - 0.1 * part * sums->inflation[i];
        /* (normal + stiffness) x = -gradient; false when singular. */
        double a[PAIR_SIZE * PAIR_SIZE];
        for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
            a[i] = normal[i] + problem->stiffness[i];
        for (int i = 0; i < PAIR_SIZE; i++)
            step[i] = -sums->gradient[i];
        if (snw_cholesky_factor(a, PAIR_SIZE) == SNW_OK &&
            snw_cholesky_solve(a, PAIR_SIZE, step) == SNW_OK)
            return true;
    }
    return false;
}

static void move_by(snw__segment_pair *pair, const double *step, double share)
{
    pair->in_first =
        snw_vec3_add_scaled(pair->in_first, share, snw_vec3_make(step[0], step[1], step[2]));
    pair->in_second =
        snw_vec3_add_scaled(pair->in_second, share, snw_vec3_make(step[3], step[4], step[5]));
}

/* Newton steps that must not raise the cost: one that does is halved. Far from both segments S
 * grows as fast as e, so an unguarded step could run away there. */
static void refine(pair_problem *problem, int rounds, snw__segment_pair *pair, pair_sums *sums)
{
    double step[PAIR_SIZE] = {0}, taken = 0, best = HUGE_VAL;
    problem->outlier2 = 1e30;
    add_all(problem, pair, sums);
    /* The prior's stiffness where the signal does not stand out of the noise. */
    double whole[9], noise[9], values[3], vectors[9];
    project_move(problem, sums->normal, whole);
    project_move(problem, sums->inflation, noise);
    if (snw_eigen_symmetric(whole, 3, values, vectors) == SNW_OK) {
        for (int k = 0; k < 3; k++) {
            const double *n = vectors + 3 * k;
            double part = 0;
            for (int i = 0; i < 9; i++)
                part += noise[i] * n[i / 3] * n[i % 3];
            double ratio = fmax(values[k] / part - 1, 0.1);
            if (part > 0) {
                /* Adds the stiffness `value` of moves along `n` (unit, in the first segment's
                 * frame).
                 */
                double move[PAIR_SIZE] = {n[0], n[1], n[2], 0, 0, 0};
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        move[i + 3] += problem->mean.m[j][i] * n[j];
                for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
                    problem->stiffness[i] +=
                        0.5 * (part / (ratio * ratio)) * move[i / PAIR_SIZE] * move[i % PAIR_SIZE];
            }
        }
    }
    problem->outlier2 = PAIR_OUTLIER * fmax(1, sums->chi2 / fmax(sums->weight, 1e-9));
    for (int round = 0; round < rounds; round++) {
        pair_sums tried;
        add_all(problem, pair, &tried);
        if (tried.cost > best && taken > 0) {
            taken *= 0.5;
            move_by(pair, step, -taken);
            continue;
        }
        *sums = tried;
        best = tried.cost;
        if (!newton_step(problem, sums, step)) break;
        double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]) +
                        sqrt(step[3] * step[3] + step[4] * step[4] + step[5] * step[5]);
        /* Nothing sensible moves by more than a segment in one step, metres. */
        taken = length > SNW__ELSEWHERE ? SNW__ELSEWHERE / length : 1;
        /* Stop when the centre moves less, metres. */
        if (length < SNW__SINGLE) break;
        move_by(pair, step, taken);
    }
    pair->chi = sqrt(sums->chi2 / fmax(sums->weight, 1e-9));
    pair->residual = sqrt(sums->residual2 / fmax(sums->weight, 1e-9));
    /* Each segment carries its own idea of the centre; the body's is between them. */
    pair->scatter = 0.5 * pair->residual;
    for (int i = 0; i < 6; i++)
        pair->slip[i] = sums->slip[i] / fmax(sums->weight, 1e-9);
    pair->turn_noise2 = sums->turn_noise2 / (3.0 * fmax(sums->frame_count, 1));
}

/* ---- what was seen ------------------------------------------------------------------------ */

/* The covariance that white noise explains, from the curvature: what the noise of the rotations
 * only pretends to tell is taken off, with a tenth in reserve; directions without signal keep the
 * prior's width. */
static bool white_covariance(const pair_sums *sums, double *covariance)
{
    double signal[PAIR_SIZE * PAIR_SIZE], values[PAIR_SIZE], vectors[PAIR_SIZE * PAIR_SIZE];
    for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
        signal[i] = sums->normal[i] - 1.1 * sums->inflation[i];
    memset(covariance, 0, PAIR_SIZE * PAIR_SIZE * sizeof *covariance);
    if (snw_eigen_symmetric(signal, PAIR_SIZE, values, vectors) != SNW_OK) return false;
    for (int k = 0; k < PAIR_SIZE; k++) {
        double variance = 1 / (fmax(values[k], 0) + 1 / (SNW__CENTER_OPEN * SNW__CENTER_OPEN));
        for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
            covariance[i] += variance * vectors[k * PAIR_SIZE + i / PAIR_SIZE] *
                             vectors[k * PAIR_SIZE + i % PAIR_SIZE];
    }
    return true;
}

/* Main axes of the turns away from the mean turn, in the second segment's frame. */
static void measure_motion(const pair_problem *problem, snw__segment_pair *pair)
{
    snw_quat mean = mean_turn(problem);
    double moment[9] = {0}, values[3], vectors[9];
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        double low = 0, high = 0;
        for (int frame = 0; frame < problem->frame_count; frame += problem->stride) {
            pair_frame at;
            if (!look(problem, frame, &at)) continue;
            snw_vec3 r =
                snw_quat_log(snw_quat_mul(snw_quat_conjugate(mean), snw_quat_from_mat3(at.turn)));
            const double part[3] = {r.x, r.y, r.z};
            if (pass == 1) {
                double angle = vectors[0] * r.x + vectors[1] * r.y + vectors[2] * r.z;
                low = fmin(low, angle);
                high = fmax(high, angle);
                continue;
            }
            count++;
            for (int i = 0; i < 9; i++)
                moment[i] += part[i / 3] * part[i % 3];
        }
        pair->range = high - low;
        if (pass == 0 && snw_eigen_symmetric(moment, 3, values, vectors) != SNW_OK) return;
    }
    for (int k = 0; k < 3; k++) {
        pair->spread[k] = sqrt(fmax(values[k], 0) / count);
        for (int i = 0; i < 3; i++)
            pair->axes.m[i][k] = vectors[k * 3 + i];
    }
}

bool snw__segment_pair_find(const snw__rigid *first, const snw__rigid *second, int frame_count,
                            const snw__segment_pair_effort *effort, snw__segment_pair *pair)
{
    memset(pair, 0, sizeof *pair);
    pair->axes = snw_mat3_identity();
    pair_problem problem;
    memset(&problem, 0, sizeof problem);
    problem.first = first;
    problem.second = second;
    problem.frame_count = frame_count;
    problem.stride = effort->stride;
    if (!start(&problem, pair)) return false;
    pair_sums sums;
    refine(&problem, effort->rounds, pair, &sums);
    /* Standard deviations of the centre along its main directions: the larger of what noise
     * explains and of what is shown. Chi above 1 means that more than white noise is at work. */
    double white[PAIR_SIZE * PAIR_SIZE], shown[PAIR_SIZE * PAIR_SIZE];
    double moved[9], moved_values[3], vectors[9], moved_shown[9];
    pair->deviation[0] = pair->deviation[1] = pair->deviation[2] = SNW__CENTER_OPEN;
    if (white_covariance(&sums, white)) {
        /* The covariance that the data themselves show: with the gradient g of each stretch of
         * time, C the inverse curvature, C (sum g g^T) C (the sandwich of Liang & Zeger 1986, which
         * is the jackknife over stretches to first order). Errors that last, as skin's do, are in
         * it. */
        double mean[PAIR_SIZE] = {0};
        memset(shown, 0, PAIR_SIZE * PAIR_SIZE * sizeof *shown);
        for (int b = 0; b < PAIR_BLOCKS; b++)
            for (int i = 0; i < PAIR_SIZE; i++)
                mean[i] += sums.block_gradient[b][i] / PAIR_BLOCKS;
        for (int b = 0; b < PAIR_BLOCKS; b++) {
            double step[PAIR_SIZE] = {0};
            for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
                step[i / PAIR_SIZE] +=
                    white[i] * (sums.block_gradient[b][i % PAIR_SIZE] - mean[i % PAIR_SIZE]);
            for (int i = 0; i < PAIR_SIZE * PAIR_SIZE; i++)
                shown[i] +=
                    step[i / PAIR_SIZE] * step[i % PAIR_SIZE] * PAIR_BLOCKS / (PAIR_BLOCKS - 1);
        }
        /* The centre is the mean of what both segments say: (a + Q b) / 2. */
        project_move(&problem, white, moved);
        project_move(&problem, shown, moved_shown);
        double chi2 = fmax(1, pair->chi * pair->chi);
        for (int i = 0; i < 9; i++)
            moved[i] *= chi2;
        if (snw_eigen_symmetric(moved, 3, moved_values, vectors) == SNW_OK) {
            for (int k = 0; k < 3; k++) {
                double along = 0;
                for (int i = 0; i < 9; i++)
                    along += moved_shown[i] * vectors[3 * k + i / 3] * vectors[3 * k + i % 3];
                pair->deviation[k] =
                    fmin(sqrt(fmax(0.5 * fmax(moved_values[k], along), 0)), SNW__CENTER_OPEN);
            }
        }
    }
    measure_motion(&problem, pair);
    return snw_vec3_is_finite(pair->in_first) && snw_vec3_is_finite(pair->in_second);
}
