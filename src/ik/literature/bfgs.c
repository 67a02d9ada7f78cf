/* The two classical updates of the whole inverse second derivative H. BFGS (Broyden, Fletcher,
 * Goldfarb, Shanno 1970) and DFP (Davidon 1959; Fletcher & Powell 1963), which forgets a wrong
 * curvature more slowly:
 *
 *     BFGS: H += (1 + y.Hy / s.y) s s^T / s.y - (Hy s^T + s y^T H) / s.y
 *     DFP:  H += s s^T / s.y - Hy y^T H / y.Hy
 *
 * n^2 numbers, so for bodies of moderate size; lbfgsb is for the rest. */
#include <string.h>

#include "base/fail.h"
#include "ik/literature/quasi_newton.h"
#include "math/kernel.h"

/* 8 MB of H. */
enum {
    IK_BFGS_COLUMNS = 1000
};

typedef struct ik_bfgs {
    double *h;     /* (n x n), symmetric */
    double *hy;    /* (n) */
    double *slope; /* (n) */
} ik_bfgs;

static snw_status check(const snw_ik *ik, snw_error *error)
{
    if (ik->skeleton->dof_count + 6 <= IK_BFGS_COLUMNS) return SNW_OK;
    return snw__fail(error, SNW_UNSUPPORTED,
                     "%s serves bodies of up to %d degrees of freedom, this one has %d: use "
                     "lbfgsb",
                     snw_ik_solver_name(ik->options.solver), IK_BFGS_COLUMNS - 6,
                     ik->skeleton->dof_count);
}

static void *layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->dof_count + 6;
    ik_bfgs *bfgs = snw__block_take(block, 1, sizeof *bfgs);
    double *h = snw__block_take(block, n * n, sizeof(double));
    double *hy = snw__block_take(block, n, sizeof(double));
    double *slope = snw__block_take(block, n, sizeof(double));
    if (!bfgs) return NULL;
    bfgs->h = h;
    bfgs->hy = hy;
    bfgs->slope = slope;
    return bfgs;
}

static void forget(void *memory, int n, double scale)
{
    ik_bfgs *bfgs = memory;
    memset(bfgs->h, 0, (size_t)n * (size_t)n * sizeof *bfgs->h);
    for (int k = 0; k < n; k++)
        bfgs->h[snw__entry(k, n, k)] = scale;
}

/* out = H v */
static void apply(const ik_bfgs *bfgs, int n, const double *v, double *out)
{
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int j = 0; j < n; j++)
            out[i] += bfgs->h[snw__entry(i, n, j)] * v[j];
    }
}

static void multiply(void *memory, int n, double *vector)
{
    ik_bfgs *bfgs = memory;
    apply(bfgs, n, vector, bfgs->hy);
    memcpy(vector, bfgs->hy, (size_t)n * sizeof *vector);
}

/* hy = H y, s.y and y.H y: what both updates learn from. */
static void measure_step(ik_bfgs *bfgs, int n, const double *s, const double *y, double *sy,
                         double *yhy)
{
    *sy = *yhy = 0;
    apply(bfgs, n, y, bfgs->hy);
    for (int k = 0; k < n; k++) {
        *sy += s[k] * y[k];
        *yhy += y[k] * bfgs->hy[k];
    }
}

static void learn(void *memory, int n, const double *s, const double *y)
{
    ik_bfgs *bfgs = memory;
    double sy, yhy;
    measure_step(bfgs, n, s, y, &sy, &yhy);
    double factor = (1 + yhy / sy) / sy;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            bfgs->h[snw__entry(i, n, j)] +=
                factor * s[i] * s[j] - (bfgs->hy[i] * s[j] + s[i] * bfgs->hy[j]) / sy;
}

static void learn_dfp(void *memory, int n, const double *s, const double *y)
{
    ik_bfgs *bfgs = memory;
    double sy, yhy;
    measure_step(bfgs, n, s, y, &sy, &yhy);
    if (!(yhy > 0)) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            bfgs->h[snw__entry(i, n, j)] += s[i] * s[j] / sy - bfgs->hy[i] * bfgs->hy[j] / yhy;
}

static snw__ik_report solve(const snw_ik *ik, void *state, const snw_goal *goals, snw_pose *pose)
{
    ik_bfgs *bfgs = state;
    snw__ik_curvature curvature = {SNW_IK_BFGS, bfgs, multiply, learn, forget, bfgs->slope};
    return snw__ik_quasi_newton(ik, &curvature, goals, pose);
}

const snw__ik_method snw__ik_bfgs = {SNW_IK_BFGS, true, check, layout, solve, false};

static snw__ik_report solve_dfp(const snw_ik *ik, void *state, const snw_goal *goals,
                                snw_pose *pose)
{
    ik_bfgs *bfgs = state;
    snw__ik_curvature curvature = {SNW_IK_DFP, bfgs, multiply, learn_dfp, forget, bfgs->slope};
    return snw__ik_quasi_newton(ik, &curvature, goals, pose);
}

const snw__ik_method snw__ik_dfp = {SNW_IK_DFP, true, check, layout, solve_dfp, false};
