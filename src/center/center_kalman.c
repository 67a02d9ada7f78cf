/* The cautionary example: an extended Kalman filter for the centre (Knight, section 8.8, who gave
 * it up). State (c, radius) of one marker, measurement 0 = |p - c| - radius:
 *
 *     G = C H^T (H C H^T + R)^-1      (the printed gain has its factors in the wrong order)
 *
 * It needs to be told the noise and a first guess, linearises about whatever it believes at the
 * time and cannot go back: samples met while the guess was bad leave their error in the answer
 * with full confidence. It is here to be compared with, not to be used. */
#include <string.h>

#include "center/center_cloud.h"
#include "math/symmetric3.h"

/* What the filter is told: 5 mm of noise, and a guess known to half a metre. */
#define KALMAN_NOISE 0.005
#define KALMAN_GUESS 0.5

typedef struct kalman_filter {
    double x[4];    /* centre, radius */
    double c[4][4]; /* covariance */
} kalman_filter;

static void start(kalman_filter *filter, snw_vec3 guess, double radius)
{
    memset(filter, 0, sizeof *filter);
    filter->x[0] = guess.x;
    filter->x[1] = guess.y;
    filter->x[2] = guess.z;
    filter->x[3] = radius;
    for (int i = 0; i < 4; i++)
        filter->c[i][i] = KALMAN_GUESS * KALMAN_GUESS;
}

static void update(kalman_filter *filter, snw_vec3 point, double noise_variance)
{
    snw_vec3 arm = snw_vec3_sub(point, snw_vec3_make(filter->x[0], filter->x[1], filter->x[2]));
    snw_vec3 d = snw_vec3_unit(arm, snw_vec3_make(0, 0, 0));
    double h[4] = {-d.x, -d.y, -d.z, -1}, ch[4], variance = noise_variance;
    for (int i = 0; i < 4; i++) {
        ch[i] = 0;
        for (int j = 0; j < 4; j++)
            ch[i] += filter->c[i][j] * h[j];
    }
    for (int i = 0; i < 4; i++)
        variance += h[i] * ch[i];
    double innovation = filter->x[3] - snw_vec3_length(arm);
    for (int i = 0; i < 4; i++) {
        filter->x[i] += ch[i] / variance * innovation;
        for (int j = 0; j < 4; j++)
            filter->c[i][j] -= ch[i] * ch[j] / variance;
    }
}

void snw__cloud_filter(snw__cloud *cloud)
{
    int chosen = 0;
    for (int n = 1; n < cloud->data->marker_count; n++)
        if (cloud->sums[n].weight > cloud->sums[chosen].weight) chosen = n;
    snw_point_moments moments = snw_point_sums_moments(&cloud->sums[chosen]);
    kalman_filter filter;
    start(&filter, moments.mean, sqrt(snw__mat3_trace(moments.s)));
    for (int k = 0; k < cloud->data->frame_count; k++) {
        snw_vec3 point;
        double w = snw__cloud_weight(cloud, k, chosen, &point);
        if (w > 0) update(&filter, point, KALMAN_NOISE * KALMAN_NOISE / w);
    }
    cloud->fit.center = snw_vec3_make(filter.x[0], filter.x[1], filter.x[2]);
    cloud->is_bias_guarded = false;
}
