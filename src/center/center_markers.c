/* Centres from the child's markers in the parent's frame: gathering, outliers, and what is said
 * about the result whichever method found it. */
#include <string.h>

#include "base/fail.h"
#include "center/center_cloud.h"
#include "center/center_constants.h"
#include "math/robust.h"
#include "math/symmetric3.h"

static snw_status fit_once(snw__cloud *cloud, snw_error *error)
{
    const snw_center_data *data = cloud->data;
    cloud->rejected_count = 0;
    for (int n = 0; n < data->marker_count; n++) {
        cloud->sums[n] = snw_point_sums_begin();
        for (int k = 0; k < data->frame_count; k++) {
            snw_vec3 point;
            double weight = snw__cloud_weight(cloud, k, n, &point);
            if (weight > 0)
                snw__point_sums_add_weighted(&cloud->sums[n], point, weight);
            else
                cloud->rejected_count += snw__center_marker(data, k, n, &point);
        }
    }
    snw_status status = snw__cloud_fit_algebraic(cloud, error);
    if (status != SNW_OK) return status;
    cloud->closed_form = cloud->fit.center;
    if (cloud->method == SNW_CENTER_GEOMETRIC) snw__cloud_fit_geometric(cloud);
    if (cloud->method == SNW_CENTER_KALMAN) snw__cloud_filter(cloud);
    snw__cloud_measure(cloud, &cloud->fit);
    return SNW_OK;
}

/* ---- what is said about the fit ------------------------------------------------------------- */

/* Sums over all samples of unit directions d from the centre, residuals and neighbour products. */
typedef struct cloud_account {
    double weight;
    double square;      /* w e^2 */
    double pair_square; /* w e_k e_k-1 */
    double pair_weight;
    double radius;        /* w times radius */
    snw_mat3 information; /* w (d - mean d)(d - mean d)^T */
} cloud_account;

static void account_marker(const snw__cloud *cloud, int n, cloud_account *account)
{
    snw_point_sums directions = snw_point_sums_begin();
    double last = NAN;
    for (int k = 0; k < cloud->data->frame_count; k++) {
        snw_vec3 point;
        double w = snw__cloud_weight(cloud, k, n, &point);
        snw_vec3 arm = snw_vec3_sub(point, cloud->fit.center);
        double length = w > 0 ? snw_vec3_length(arm) : 0;
        if (!(length > 0)) {
            last = NAN;
            continue;
        }
        double residual = length - cloud->fit.radius[n];
        snw__point_sums_add_weighted(&directions, snw_vec3_scale(arm, 1 / length), w);
        account->square += w * residual * residual;
        account->radius += w * length;
        account->weight += w;
        if (!isnan(last)) {
            account->pair_square += w * residual * last;
            account->pair_weight += w;
        }
        last = residual;
    }
    snw_mat3 s = snw_point_sums_moments(&directions).s;
    for (int i = 0; i < 9; i++)
        (&account->information.m[0][0])[i] += directions.weight * (&s.m[0][0])[i];
}

static void state_uncertainty(const snw__cloud *cloud, const cloud_account *account,
                              snw_center *center)
{
    double inflation =
        account->weight / fmax(1, snw__effective_count(account->weight, center->correlation));
    double variance = cloud->fit.variance * inflation;
    double reach2 = account->radius / account->weight;
    reach2 *= reach2;
    snw__spectrum3 spectrum = snw__spectrum3_of(account->information);
    double determined = 0;
    for (int i = 0; i < 3; i++) {
        double along = fabs(snw_vec3_dot(spectrum.vector[i], cloud->normal));
        bool is_open = cloud->is_planar && along > 0.9;
        double known = spectrum.value[i] > 0 ? variance / spectrum.value[i] : reach2;
        double direction_variance = is_open ? reach2 : fmin(known, reach2);
        snw__add_outer(&center->covariance, direction_variance, spectrum.vector[i]);
        if (!is_open) determined += direction_variance;
    }
    bool is_biased = cloud->method == SNW_CENTER_GAMAGE_LASENBY ||
                     cloud->method == SNW_CENTER_KALMAN || cloud->is_bias_guarded ||
                     (cloud->method == SNW_CENTER_MVM && !cloud->options->correct_bias);
    snw_vec3 bias = is_biased ? snw__cloud_expected_bias(cloud) : snw_vec3_make(0, 0, 0);
    snw__add_outer(&center->covariance, 1, bias);
    center->sigma = sqrt(determined + snw_vec3_length2(bias));
}

/* Without child poses: how far the markers swung about the centre, about two axes at most. */
static void state_motion(const snw__cloud *cloud, snw_center *center)
{
    center->motion = cloud->is_planar ? SNW_JOINT_HINGE : SNW_JOINT_BALL;
    center->undetermined = cloud->is_planar ? 1 : 0;
    snw_vec3 normal = cloud->normal;
    if (cloud->is_planar) center->axis_in_parent = normal;
    for (int n = 0; n < cloud->data->marker_count; n++) {
        snw_point_moments moments = snw_point_sums_moments(&cloud->sums[n]);
        snw__spectrum3 spectrum = snw__spectrum3_of(moments.s);
        double radius = cloud->fit.radius[n];
        for (int i = 0; i < 2; i++) {
            double rms = radius > 0 ? sqrt(fmax(0, spectrum.value[i])) / radius : 0;
            /* A sine swings 2 sqrt 2 times its rms from end to end. */
            double range = fmin(2 * SNW_PI, 2 * sqrt(2.0) * rms);
            center->spread[i] = fmax(center->spread[i], rms);
            center->range[i] = fmax(center->range[i], range);
        }
    }
}

snw_status snw__center_from_markers(const snw_center_data *data, const snw_center_options *options,
                                    snw_center *center, snw_error *error)
{
    snw__cloud cloud;
    memset(&cloud, 0, sizeof cloud);
    cloud.data = data;
    cloud.options = options;
    cloud.method = center->method;
    cloud.scale = INFINITY;
    snw_status status = fit_once(&cloud, error);
    for (int round = 0; status == SNW_OK && cloud.options->is_robust && round < 6; round++) {
        snw_vec3 before = cloud.fit.center;
        /* One sigma of the radius residuals: 1.4826 times their median magnitude (normal noise). */
        snw__magnitudes magnitudes;
        snw__magnitudes_begin(&magnitudes);
        for (int n = 0; n < cloud.data->marker_count; n++)
            for (int k = 0; k < cloud.data->frame_count; k++) {
                snw_vec3 point;
                if (!snw__center_marker(cloud.data, k, n, &point)) continue;
                double distance = snw_vec3_distance(point, cloud.fit.center);
                snw__magnitudes_add(&magnitudes, fabs(distance - cloud.fit.radius[n]));
            }
        double scale = SNW__SIGMA_OF_MEDIAN * snw__magnitudes_median(&magnitudes);
        /* Residuals of round-off size have no outliers worth the name. */
        if (!(scale > 1e-12 * (1 + cloud.fit.radius[0]))) break;
        cloud.judge = cloud.fit;
        cloud.scale = scale;
        status = fit_once(&cloud, error);
        if (snw_vec3_distance(before, cloud.fit.center) < 1e-9) break;
    }
    if (status != SNW_OK) return status;
    if (!snw_vec3_is_finite(cloud.fit.center))
        return snw__fail(error, SNW_DEGENERATE, "%s runs away on these markers",
                         snw_center_method_name(center->method));
    cloud_account account;
    memset(&account, 0, sizeof account);
    for (int n = 0; n < data->marker_count; n++) {
        account_marker(&cloud, n, &account);
        if (cloud.sums[n].count > center->frame_count)
            center->frame_count = (int)cloud.sums[n].count;
    }
    /* As in the two-sided method: perfectly smooth errors still count as something. */
    if (account.pair_weight > 0 && account.square > 0)
        center->correlation = snw_clamp((account.pair_square / account.pair_weight) /
                                            (account.square / account.weight),
                                        0, CENTER_CORRELATION_MAX);
    center->in_parent = cloud.fit.center;
    center->residual = account.weight > 0 ? sqrt(account.square / account.weight) : 0;
    center->rejected_count = cloud.rejected_count;
    center->is_bias_guarded = cloud.is_bias_guarded;
    center->condition = cloud.condition;
    state_motion(&cloud, center);
    state_uncertainty(&cloud, &account, center);
    return SNW_OK;
}
