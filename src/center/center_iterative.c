/* The two methods that iterate, started at the closed form: least squares of the radii, and an
 * extended Kalman filter. */
#include <string.h>

#include <sinew/dense.h>

#include "center/center_cloud.h"
#include "center/center_constants.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"
#include "person/movement.h"

/* ---- least squares of the radii ------------------------------------------------------------- */

/* Least squares of the radii themselves: minimises sum w (|p - c| - radius_p)^2 over the centre and
 * one radius per marker, by Levenberg and Marquardt.
 *
 * The best radius for a given centre is the mean distance, so only the centre is iterated (variable
 * projection): with unit directions d from the centre the residual changes by -(d - mean d) . step.
 * Markers on circles are kept in their plane: along the axis the radius runs away for a hinge. */

typedef struct geometric_normal {
    snw_mat3 h; /* sum w (d - mean d)(d - mean d)^T */
    snw_vec3 g; /* sum w d e */
} geometric_normal;

static void add_marker(const snw__cloud *cloud, const snw__spheres *spheres, int n,
                       geometric_normal *normal)
{
    snw_point_sums directions = snw_point_sums_begin();
    for (int k = 0; k < cloud->data->frame_count; k++) {
        snw_vec3 point;
        double w = snw__cloud_weight(cloud, k, n, &point);
        if (!(w > 0)) continue;
        snw_vec3 arm = snw_vec3_sub(point, spheres->center);
        double length = snw_vec3_length(arm);
        snw_vec3 d = snw_vec3_unit(arm, snw_vec3_make(0, 0, 0));
        if (cloud->is_planar)
            d = snw_vec3_add_scaled(d, -snw_vec3_dot(d, cloud->normal), cloud->normal);
        snw__point_sums_add_weighted(&directions, d, w);
        normal->g = snw_vec3_add_scaled(normal->g, w * (length - spheres->radius[n]), d);
    }
    snw_mat3 s = snw_point_sums_moments(&directions).s;
    for (int i = 0; i < 9; i++)
        (&normal->h.m[0][0])[i] += directions.weight * (&s.m[0][0])[i];
}

void snw__cloud_fit_geometric(snw__cloud *cloud)
{
    snw__spheres best = cloud->fit;
    snw__cloud_measure(cloud, &best);
    double damping = 1e-4;
    /* Levenberg-Marquardt steps at most, and the step at which they end, metres: a picometre is far
     * below what any marker resolves, above the round-off of metres. */
    for (int round = 0; round < SNW__ROUNDS_MAX && damping < 1e8; round++) {
        geometric_normal normal;
        memset(&normal, 0, sizeof normal);
        for (int n = 0; n < cloud->data->marker_count; n++)
            add_marker(cloud, &best, n, &normal);
        /* (h + damping I) step = g; zero where that is singular. */
        double h[9], x[3] = {normal.g.x, normal.g.y, normal.g.z};
        memcpy(h, normal.h.m, sizeof h);
        for (int i = 0; i < 3; i++)
            h[4 * i] += damping * snw__mat3_trace(normal.h);
        snw_vec3 step = snw_cholesky_factor(h, 3) != SNW_OK || snw_cholesky_solve(h, 3, x) != SNW_OK
                            ? snw_vec3_make(0, 0, 0)
                            : snw_vec3_make(x[0], x[1], x[2]);
        snw__spheres next = best;
        next.center = snw_vec3_add(best.center, step);
        snw__cloud_measure(cloud, &next);
        bool is_better = next.variance < best.variance;
        if (is_better) best = next;
        damping = is_better ? fmax(damping / 10, 1e-12) : damping * 10;
        if (snw_vec3_length(step) < SNW__EXACT) break;
    }
    cloud->fit = best;
    cloud->is_bias_guarded = false;
}

/* ---- extended Kalman filter ------------------------------------------------------------------ */

/* The cautionary example: an extended Kalman filter for the centre (Knight, section 8.8, who gave
 * it up). State (c, radius) of one marker, measurement 0 = |p - c| - radius:
 *
 *     G = C H^T (H C H^T + R)^-1      (the printed gain has its factors in the wrong order)
 *
 * It needs to be told the noise and a first guess, linearises about whatever it believes at the
 * time and cannot go back: samples met while the guess was bad leave their error in the answer
 * with full confidence. It is here to be compared with, not to be used. */

typedef struct kalman_filter {
    double x[4];    /* centre, radius */
    double c[4][4]; /* covariance */
} kalman_filter;

void snw__cloud_filter(snw__cloud *cloud)
{
    int chosen = 0;
    for (int n = 1; n < cloud->data->marker_count; n++)
        if (cloud->sums[n].weight > cloud->sums[chosen].weight) chosen = n;
    snw_point_moments moments = snw_point_sums_moments(&cloud->sums[chosen]);
    kalman_filter filter;
    memset(&filter, 0, sizeof *&filter);
    filter.x[0] = moments.mean.x;
    filter.x[1] = moments.mean.y;
    filter.x[2] = moments.mean.z;
    filter.x[3] = sqrt(snw__mat3_trace(moments.s));
    for (int i = 0; i < 4; i++)
        filter.c[i][i] = KALMAN_GUESS * KALMAN_GUESS;
    for (int k = 0; k < cloud->data->frame_count; k++) {
        snw_vec3 point;
        double w = snw__cloud_weight(cloud, k, chosen, &point);
        if (w > 0) {
            snw_vec3 arm =
                snw_vec3_sub(point, snw_vec3_make(filter.x[0], filter.x[1], filter.x[2]));
            snw_vec3 d = snw_vec3_unit(arm, snw_vec3_make(0, 0, 0));
            double h[4] = {-d.x, -d.y, -d.z, -1}, ch[4],
                   variance = (SNW__SKIN / 2) * (SNW__SKIN / 2) / w;
            for (int i = 0; i < 4; i++) {
                ch[i] = 0;
                for (int j = 0; j < 4; j++)
                    ch[i] += filter.c[i][j] * h[j];
            }
            for (int i = 0; i < 4; i++)
                variance += h[i] * ch[i];
            double innovation = filter.x[3] - snw_vec3_length(arm);
            for (int i = 0; i < 4; i++) {
                filter.x[i] += ch[i] / variance * innovation;
                for (int j = 0; j < 4; j++)
                    filter.c[i][j] -= ch[i] * ch[j] / variance;
            }
        }
    }
    cloud->fit.center = snw_vec3_make(filter.x[0], filter.x[1], filter.x[2]);
    cloud->is_bias_guarded = false;
}
