/* Filters of one marker: variable turn model, constant velocity, extrapolation.
 *
 * alpha and omega are scalars of the motion in space, so the transition is the same for x, y and z,
 * and so are the covariances while an observation's noise is the same in all directions: three
 * numbers by three numbers serve instead of nine by nine. With the transition frozen in a frame and
 * the position observed the model is linear, and the unscented filter (Julier and Uhlmann 1997)
 * then equals the Kalman filter: tests/test_hidden_live.c holds that to 1e-9, so the Kalman form is
 * what runs. */
#include <math.h>
#include <string.h>

#include "hidden/hidden_constants.h"
#include "hidden/turn_model.h"
#include "person/movement.h"

static double middle_of(double *value, int count)
{
    for (int i = 1; i < count; i++) {
        double moved = value[i];
        int j = i;
        for (; j > 0 && value[j - 1] > moved; j--)
            value[j] = value[j - 1];
        value[j] = moved;
    }
    return value[count / 2];
}

/* p <- F p F^T + density q. */
static void spread(double p[6], const snw__turn *f, double density, const double q[6])
{
    double xx = p[0], xv = p[1], xa = p[2], vv = p[3], va = p[4], aa = p[5];
    double r0 = xx + f->f12 * xv + f->f13 * xa; /* rows of F p */
    double r1 = xv + f->f12 * vv + f->f13 * va;
    double r2 = xa + f->f12 * va + f->f13 * aa;
    double s1 = f->f22 * vv + f->f23 * va, s2 = f->f22 * va + f->f23 * aa;
    double t1 = f->f32 * vv + f->f33 * va, t2 = f->f32 * va + f->f33 * aa;
    p[0] = r0 + f->f12 * r1 + f->f13 * r2 + density * q[0];
    p[1] = f->f22 * r1 + f->f23 * r2 + density * q[1];
    p[2] = f->f32 * r1 + f->f33 * r2 + density * q[2];
    p[3] = f->f22 * s1 + f->f23 * s2 + density * q[3];
    p[4] = f->f32 * s1 + f->f33 * s2 + density * q[4];
    p[5] = f->f32 * t1 + f->f33 * t2 + density * q[5];
}

static void advance(snw__marker_filter *filter, const snw__turn *f)
{
    snw_vec3 v = filter->v, a = filter->a;
    filter->x = snw_vec3_add_scaled(snw_vec3_add_scaled(filter->x, f->f12, v), f->f13, a);
    filter->v = snw_vec3_add_scaled(snw_vec3_scale(v, f->f22), f->f23, a);
    filter->a = snw_vec3_add_scaled(snw_vec3_scale(v, f->f32), f->f33, a);
}

static snw_vec3 extrapolate(const snw__marker_filter *filter, snw__filter_kind kind)
{
    snw_vec3 step = snw_vec3_sub(filter->x, filter->last);
    if (kind == SNW__FILTER_CIRCLE)
        step = snw_quat_rotate(snw_quat_between(filter->step, step), step);
    return snw_vec3_add(filter->x, step);
}

snw_vec3 snw__filter_predict(snw__marker_filter *filter, snw__filter_kind kind, double step)
{
    if (!filter->has_state) return snw_vec3_make(0, 0, 0);
    if (kind == SNW__FILTER_LINE || kind == SNW__FILTER_CIRCLE) {
        snw_vec3 next = extrapolate(filter, kind);
        filter->step = snw_vec3_sub(filter->x, filter->last);
        filter->last = filter->x;
        return filter->x = next;
    }
    filter->last = filter->x;
    if (kind == SNW__FILTER_VELOCITY) {
        snw__turn f = {step, 0, 1, 0, 0, 0};
        double q[6] = {step * step * step / 3, step * step / 2, 0, step, 0, 0};
        spread(filter->p, &f, FILTER_ACCELERATION, q);
        advance(filter, &f);
        return filter->x;
    }
    double alpha, omega, q[6];
    snw_vec3 acceleration =
        snw_vec3_scale(snw_vec3_sub(filter->smooth, filter->smooth_before), 1 / step);
    snw__turn_parameters(filter->smooth, acceleration, &alpha, &omega);
    snw__turn f = snw__turn_transition(alpha, omega, step);
    snw__turn_noise(alpha, omega, step, q);
    spread(filter->p, &f, FILTER_JERK, q);
    advance(filter, &f);
    return filter->x;
}

void snw__filter_update(snw__marker_filter *filter, snw__filter_kind kind, snw_vec3 seen,
                        double sigma, double step)
{
    if (!filter->has_state) {
        memset(filter, 0, sizeof *filter);
        filter->has_state = true;
        filter->x = filter->last = seen;
        filter->p[0] = sigma * sigma;
        filter->p[3] = FILTER_SPEED_START * FILTER_SPEED_START;
        filter->p[5] = SNW__ACCELERATION * SNW__ACCELERATION;
        return;
    }
    if (kind == SNW__FILTER_LINE || kind == SNW__FILTER_CIRCLE) {
        filter->x = seen;
        return;
    }
    double *p = filter->p, total = p[0] + sigma * sigma;
    double kx = p[0] / total, kv = p[1] / total, ka = p[2] / total;
    snw_vec3 surprise = snw_vec3_sub(seen, filter->x);
    filter->x = snw_vec3_add_scaled(filter->x, kx, surprise);
    filter->v = snw_vec3_add_scaled(filter->v, kv, surprise);
    filter->a = snw_vec3_add_scaled(filter->a, ka, surprise);
    double xx = p[0], xv = p[1], xa = p[2];
    p[0] -= kx * xx;
    p[1] -= kx * xv;
    p[2] -= kx * xa;
    p[3] -= kv * xv;
    p[4] -= kv * xa;
    p[5] -= ka * xa;
    if (kind == SNW__FILTER_TURN) {
        /* The running median of the velocity: a single wrong sample does not turn the path. */
        snw_vec3 velocity = snw_vec3_scale(snw_vec3_sub(filter->x, filter->last), 1 / step);
        double x[SNW__FILTER_MEDIAN], y[SNW__FILTER_MEDIAN], z[SNW__FILTER_MEDIAN];
        filter->recent[filter->recent_count++ % SNW__FILTER_MEDIAN] = velocity;
        int count =
            filter->recent_count < SNW__FILTER_MEDIAN ? filter->recent_count : SNW__FILTER_MEDIAN;
        if (filter->recent_count >= 2 * SNW__FILTER_MEDIAN)
            filter->recent_count -= SNW__FILTER_MEDIAN;
        for (int n = 0; n < count; n++) {
            x[n] = filter->recent[n].x;
            y[n] = filter->recent[n].y;
            z[n] = filter->recent[n].z;
        }
        filter->smooth_before = filter->smooth;
        filter->smooth =
            snw_vec3_make(middle_of(x, count), middle_of(y, count), middle_of(z, count));
    }
}
