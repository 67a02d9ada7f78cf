/* The unscented filter (Julier and Uhlmann 1997) of one marker, for tests: the second algorithm
 * that the Kalman form in src/hidden/marker_filter.c is held against. */
#ifndef SNW_TEST_UNSCENTED_FILTER_H
#define SNW_TEST_UNSCENTED_FILTER_H

#include <sinew/dense.h>

#include "hidden/turn_model.h"

enum {
    UKF_N = 9
};

/* State (x v a) of x, y, z in turn, as the thesis writes it, and its covariance. */
typedef struct unscented_filter {
    double state[UKF_N];
    double p[UKF_N * UKF_N];
} unscented_filter;

/* Scaled sigma points with alpha 0.5, beta 2, kappa 0: lambda = alpha^2 n - n. */
#define UKF_SCALE 0.25 /* alpha^2 */
#define UKF_BETA  2.0

static inline void ukf_start(unscented_filter *ukf, const snw__marker_filter *filter)
{
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const double x[3] = {filter->x.x, filter->x.y, filter->x.z};
    const double v[3] = {filter->v.x, filter->v.y, filter->v.z};
    const double a[3] = {filter->a.x, filter->a.y, filter->a.z};
    memset(ukf, 0, sizeof *ukf);
    for (int axis = 0; axis < 3; axis++) {
        double *state = ukf->state + 3 * axis;
        state[0] = x[axis];
        state[1] = v[axis];
        state[2] = a[axis];
        for (int i = 0; i < 9; i++)
            ukf->p[(3 * axis + i / 3) * UKF_N + 3 * axis + i % 3] = filter->p[place[i]];
    }
}

/* Points and weights; false when the covariance has no root. */
static inline bool ukf_draw(const unscented_filter *ukf, double point[2 * UKF_N + 1][UKF_N])
{
    double root[UKF_N * UKF_N], trace = 0;
    for (int i = 0; i < UKF_N; i++)
        trace += ukf->p[i * (UKF_N + 1)];
    for (int i = 0; i < UKF_N * UKF_N; i++)
        root[i] = UKF_SCALE * UKF_N * ukf->p[i];
    if (snw_cholesky_factor(root, UKF_N) != SNW_OK) {
        for (int i = 0; i < UKF_N * UKF_N; i++)
            root[i] = UKF_SCALE * UKF_N * (ukf->p[i] + (i % (UKF_N + 1) == 0 ? 1e-12 * trace : 0));
        if (snw_cholesky_factor(root, UKF_N) != SNW_OK) return false;
    }
    for (int i = 0; i < UKF_N; i++) {
        point[0][i] = ukf->state[i];
        for (int n = 0; n < UKF_N; n++) {
            double arm = i >= n ? root[i * UKF_N + n] : 0; /* column n of the lower factor */
            point[1 + n][i] = ukf->state[i] + arm;
            point[1 + UKF_N + n][i] = ukf->state[i] - arm;
        }
    }
    return true;
}

static inline double ukf_weight(int n, bool is_covariance)
{
    if (n > 0) return 1 / (2 * UKF_SCALE * UKF_N);
    return 1 - 1 / UKF_SCALE + (is_covariance ? 1 - UKF_SCALE + UKF_BETA : 0);
}

static inline void ukf_move(double point[UKF_N], const snw__turn *f)
{
    for (int axis = 0; axis < 3; axis++) {
        double *s = point + 3 * axis, x = s[0], v = s[1], a = s[2];
        s[0] = x + f->f12 * v + f->f13 * a;
        s[1] = f->f22 * v + f->f23 * a;
        s[2] = f->f32 * v + f->f33 * a;
    }
}

static inline void ukf_gather(unscented_filter *ukf, double point[2 * UKF_N + 1][UKF_N])
{
    for (int i = 0; i < UKF_N; i++) {
        ukf->state[i] = 0;
        for (int n = 0; n <= 2 * UKF_N; n++)
            ukf->state[i] += ukf_weight(n, false) * point[n][i];
    }
    for (int i = 0; i < UKF_N; i++)
        for (int j = 0; j < UKF_N; j++) {
            double sum = 0;
            for (int n = 0; n <= 2 * UKF_N; n++)
                sum += ukf_weight(n, true) * (point[n][i] - ukf->state[i]) *
                       (point[n][j] - ukf->state[j]);
            ukf->p[i * UKF_N + j] = sum;
        }
}

/* K = Pxz Pzz^-1 with the observation h(x) = position. */
static inline void ukf_observe(unscented_filter *ukf, double point[2 * UKF_N + 1][UKF_N],
                               snw_vec3 seen, double sigma)
{
    double mean[3] = {0, 0, 0}, zz[9], xz[UKF_N * 3], z[3] = {seen.x, seen.y, seen.z};
    for (int n = 0; n <= 2 * UKF_N; n++)
        for (int axis = 0; axis < 3; axis++)
            mean[axis] += ukf_weight(n, false) * point[n][3 * axis];
    for (int i = 0; i < UKF_N; i++)
        for (int axis = 0; axis < 3; axis++) {
            double sum = 0;
            for (int n = 0; n <= 2 * UKF_N; n++)
                sum += ukf_weight(n, true) * (point[n][i] - ukf->state[i]) *
                       (point[n][3 * axis] - mean[axis]);
            xz[i * 3 + axis] = sum;
        }
    for (int axis = 0; axis < 3; axis++)
        for (int other = 0; other < 3; other++)
            zz[axis * 3 + other] = xz[3 * axis * 3 + other] + (axis == other ? sigma * sigma : 0);
    if (snw_cholesky_factor(zz, 3) != SNW_OK) return;
    double gain[UKF_N * 3];
    for (int i = 0; i < UKF_N; i++) {
        for (int axis = 0; axis < 3; axis++)
            gain[i * 3 + axis] = xz[i * 3 + axis];
        snw_cholesky_solve(zz, 3, gain + 3 * i);
    }
    for (int i = 0; i < UKF_N; i++)
        for (int axis = 0; axis < 3; axis++)
            ukf->state[i] += gain[i * 3 + axis] * (z[axis] - mean[axis]);
    for (int i = 0; i < UKF_N; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int axis = 0; axis < 3; axis++)
                sum += gain[i * 3 + axis] * xz[j * 3 + axis];
            ukf->p[i * UKF_N + j] -= sum;
            ukf->p[j * UKF_N + i] = ukf->p[i * UKF_N + j];
        }
}

/* One step with the transition frozen and the noise q of one axis (xx xv xa vv va aa), then an
 * observation (NULL: none). */
static inline void ukf_step(unscented_filter *ukf, const snw__turn *turn, const double q[6],
                            const snw_vec3 *seen, double sigma)
{
    static const int place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double point[2 * UKF_N + 1][UKF_N];
    if (!ukf_draw(ukf, point)) return;
    for (int n = 0; n <= 2 * UKF_N; n++)
        ukf_move(point[n], turn);
    ukf_gather(ukf, point);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 9; i++)
            ukf->p[(3 * axis + i / 3) * UKF_N + 3 * axis + i % 3] += q[place[i]];
    if (!seen || !ukf_draw(ukf, point)) return;
    ukf_observe(ukf, point, *seen, sigma);
}

#endif
