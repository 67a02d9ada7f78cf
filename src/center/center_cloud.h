/* The child's markers as seen from the parent: clouds of points on spheres about one centre.
 * Internal to the methods that fit them. */
#ifndef SNW_CENTER_CENTER_CLOUD_H
#define SNW_CENTER_CENTER_CLOUD_H

#include "center/center.h"

/* A centre with the mean radius of every marker about it. */
typedef struct snw__spheres {
    snw_vec3 center;
    double radius[SNW_CENTER_MARKERS_MAX];
    double weight[SNW_CENTER_MARKERS_MAX]; /* samples behind each radius */
    double
        variance; /* of the radius residuals, per sample, with the degrees of freedom taken off */
} snw__spheres;

typedef struct snw__cloud {
    const snw_center_data *data;
    const snw_center_options *options;
    snw_center_method method;
    /* Samples are weighed by their residual to these spheres in units of `scale`. */
    snw__spheres judge;
    double scale; /* infinite: all samples count alike */
    int rejected_count;
    snw_point_sums sums[SNW_CENTER_MARKERS_MAX];
    /* The answer. */
    snw__spheres fit;
    snw_vec3 closed_form; /* the centre that iterations start from */
    bool is_planar;       /* the markers run on circles: nothing is known along `normal` */
    snw_vec3 normal;
    bool is_bias_guarded;
    double condition;
} snw__cloud;

/* Weight of the nth marker in frame k, 0 where it is missing; *point is its position. */
double snw__cloud_weight(const snw__cloud *cloud, int k, int n, snw_vec3 *point);
/* Mean radii about spheres->center and the variance left. */
void snw__cloud_measure(const snw__cloud *cloud, snw__spheres *spheres);

/* Closed forms: mvm, gamage-lasenby, halvorsen. Sets fit, is_planar, normal, condition. */
snw_status snw__cloud_fit_algebraic(snw__cloud *cloud, snw_error *error);
/* How far noise has pulled an answer that was not corrected for it. */
snw_vec3 snw__cloud_expected_bias(const snw__cloud *cloud);
/* Least squares of the radii, started at cloud->fit. */
void snw__cloud_fit_geometric(snw__cloud *cloud);
/* Extended Kalman filter over the samples in their order. */
void snw__cloud_filter(snw__cloud *cloud);

void snw__point_sums_add_weighted(snw_point_sums *sums, snw_vec3 point, double weight);

#endif
