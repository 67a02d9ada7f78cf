/* What the noise of rotations only pretends to tell about joint centres.
 *
 * A centre that is off by d shows as w x d when its joint turns by w. Poses carry noise, so every
 * joint seems to turn, and the equations of the markers seem to know the centre of one that stood
 * still: their curvature V for d is that of the signal, H, and of the noise. The gradient is as
 * noisy as V says, though, and where H is small it leads anywhere. The information of such an
 * estimating equation is H V^-1 H and its score H V^-1 times the gradient (Godambe 1960). With the
 * spread S of the turns and the covariance C of their noise,
 *
 *     V ~ tr(S) 1 - S,  H ~ tr(S - C) 1 - (S - C),
 *
 * so the equations need no more than moves d of each joint scaled by K = H V^-1. Such a move leaves
 * all other joints and all markers of the body where they are: with the offsets o of segment j, of
 * which d = -o, and R the joint's mean rotation,
 *
 *     o_j <- K_j o_j,  t_j <- t_j + R_j (1 - K_j) o_j - (1 - K_p) o_p,  p the parent of j.
 *
 * C is that of the poses as the markers of a frame determine them, with bones and offsets known; of
 * several frames the harmonic mean, since those that hide a segment tell nothing of its joints. */
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "calibrate/calibrate_constants.h"
#include "calibrate/refine_job.h"
#include "math/symmetric3.h"
#include "person/movement.h"

/* ---- noise of the turns --------------------------------------------------------------------- */

static bool factor_pose(snw__refine_job *job)
{
    snw__refine_work *work = &job->work;
    const snw__refine_system *system = &work->system;
    int n = system->pose_count;
    size_t stride = (size_t)n + (size_t)system->constant_count + 1;
    for (int i = 0; i < n; i++) {
        for (int k = i; k < n; k++)
            work->pose[k * n + i] = system->matrix[(size_t)i * stride + (size_t)k];
        work->pose[i * n + i] += (SNW__NOISE_POOR * SNW__NOISE_POOR);
    }
    return snw_cholesky_factor(work->pose, n) == SNW_OK;
}

void snw__refine_look_at_noise(snw__refine_job *job)
{
    snw__refine_work *work = &job->work;
    int n = work->system.pose_count, joints = job->actor->skeleton->joint_count;
    if (!factor_pose(job)) return;
    for (int j = 1; j < joints; j++) {
        int at = 3 * (joints - 1 - j);
        snw_mat3 world,
            to_segment = snw_mat3_transpose(snw_mat3_from_quat(job->pose->world[j].rotation));
        for (int k = 0; k < 3; k++) {
            memset(work->column, 0, (size_t)n * sizeof *work->column);
            work->column[at + k] = 1;
            if (snw_cholesky_solve(work->pose, n, work->column) != SNW_OK) return;
            for (int i = 0; i < 3; i++)
                world.m[i][k] = work->column[at + i];
        }
        snw_mat3 local =
            snw_mat3_mul(snw_mat3_mul(to_segment, world), snw_mat3_transpose(to_segment));
        const double packed[6] = {local.m[0][0], local.m[0][1], local.m[0][2],
                                  local.m[1][1], local.m[1][2], local.m[2][2]};
        double inverse[6];
        if (!snw__symmetric3_invert(packed, inverse)) continue;
        for (int i = 0; i < 6; i++)
            work->turn_known[j][i] += inverse[i];
    }
    work->noise_count++;
}

/* ---- scaled moves --------------------------------------------------------------------------- */

/* tr(a) 1 - a. */
static snw_mat3 across(snw_mat3 a)
{
    double trace = snw__mat3_trace(a);
    for (int k = 0; k < 9; k++)
        a.m[k / 3][k % 3] = (k % 4 == 0 ? trace : 0) - a.m[k / 3][k % 3];
    return a;
}

static double along(const snw_mat3 *a, snw_vec3 n)
{
    return snw_vec3_dot(n, snw_mat3_apply(*a, n));
}

/* 1 - K of the joint, in its segment's frame. excess: by which K is less than the signal's share.
 */
static snw_mat3 pretended(const snw__refine_work *work, int joint, double excess)
{
    snw_mat3 shown = across(work->signal[joint].spread), all = across(work->turns[joint].spread);
    snw_mat3 lost;
    snw__spectrum3 main = snw__spectrum3_of(all);
    memset(&lost, 0, sizeof lost);
    for (int k = 0; k < 3; k++) {
        double whole = along(&all, main.vector[k]);
        double share = whole > 0 ? along(&shown, main.vector[k]) / whole : 0;
        snw__add_outer(&lost, 1 - fmin(fmax(share, 0), 1) / excess, main.vector[k]);
    }
    return lost;
}

/* Adds the columns of block `from` times m to those of block `to`, in the first `rows` rows; the
 * matrix has `n` columns. */
static void add_columns(double *a, int n, int rows, int to, int from, const snw_mat3 *m)
{
    for (int row = 0; row < rows; row++) {
        const double *x = a + row * n + 3 * from;
        double *y = a + row * n + 3 * to;
        double sum[3];
        for (int k = 0; k < 3; k++)
            sum[k] = x[0] * m->m[0][k] + x[1] * m->m[1][k] + x[2] * m->m[2][k];
        for (int k = 0; k < 3; k++)
            y[k] += sum[k];
    }
}

/* The block of all offsets of a segment, or -1. */
static int offsets_of(const snw__refine_work *work, int joint)
{
    for (int b = 0; b < work->block_count; b++)
        if (!work->block[b].is_bone && work->block[b].marker < 0 && work->block[b].joint == joint)
            return b;
    return -1;
}

static snw_mat3 negative(snw_mat3 a)
{
    for (int k = 0; k < 9; k++)
        a.m[k / 3][k % 3] = -a.m[k / 3][k % 3];
    return a;
}

/* a <- a F, F the scaling of all joints' moves. Where two segments contradict each other by more
 * than their noise, V is chi squared times as large: power 1 of chi for the curvature, on both
 * sides of which F stands, 2 for the gradient. */
static void scale_moves(const snw__refine_job *job, double power, double *a, int rows)
{
    const snw__refine_work *work = &job->work;
    const snw_skeleton *body = job->actor->skeleton;
    int n = 3 * work->block_count;
    for (int j = 1; j < body->joint_count; j++) {
        int offsets = offsets_of(work, j);
        if (offsets < 0) continue;
        double excess = snw__pow(fmax(job->chi[j], 1), power);
        snw_mat3 lost = pretended(work, j, excess), less = negative(lost);
        snw_mat3 turned = snw_mat3_mul(snw_mat3_from_quat(work->turns[j].reference), lost);
        add_columns(a, n, rows, offsets, offsets, &less);
        add_columns(a, n, rows, offsets, work->bone[j], &turned);
        for (int c = j + 1; c < body->joint_count; c++)
            if (body->parent[c] == j) add_columns(a, n, rows, offsets, work->bone[c], &less);
    }
}

void snw__refine_keep_signal(snw__refine_job *job, double variance)
{
    snw__refine_work *work = &job->work;
    int n = 3 * work->block_count;
    double *a = work->normal;
    for (int j = 1; j < job->actor->skeleton->joint_count; j++) {
        /* The turns that are no noise, whose variance is that of a marker's coordinate. */
        static const int of[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        snw_mat3 left = work->turns[j].spread;
        double noise[6], scale = (job->reserve * variance) * work->noise_count;
        bool is_known = snw__symmetric3_invert(work->turn_known[j], noise);
        for (int k = 0; k < 9; k++)
            left.m[k / 3][k % 3] = is_known ? left.m[k / 3][k % 3] - scale * noise[of[k]] : 0;
        snw__spectrum3 clear = snw__spectrum3_of(left);
        work->signal[j] = work->turns[j];
        memset(&work->signal[j].spread, 0, sizeof left);
        for (int k = 0; k < 3; k++)
            snw__add_outer(&work->signal[j].spread, fmax(clear.value[k], 0), clear.vector[k]);
    }
    for (int pass = 0; pass < 2; pass++) { /* a F, then its transpose times F: F^T a F */
        scale_moves(job, 1, a, n);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++) {
                double swap = a[i * n + k];
                a[i * n + k] = a[k * n + i];
                a[k * n + i] = swap;
            }
    }
    scale_moves(job, 2, work->right, 1);
}
