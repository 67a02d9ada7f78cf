/* What kind of motion a joint made: how far about which axes, and what joint that looks like.
 *
 * For the mean M = sum s_i u_i v_i^T of the relative rotations, small rotation vectors with
 * variances w_1 >= w_2 >= w_3 about the principal axes give 1 - s_i = (w_j + w_k) / 2, so
 * w_i = sum_j (1 - s_j) - 2 (1 - s_i). The spreads thus come from running sums alone. */
#include <string.h>

#include <sinew/dense.h>

#include "mocap/center.h"

/* An axis counts as moved above 2.5 degrees rms (the rank threshold 1e-3 of the two-sided method)
 * and above a tenth of the largest: wobble of a hinge, skin and noise stay below. */
#define MOTION_SPREAD_MIN      (2.5 * SNW_PI / 180)
#define MOTION_SPREAD_RELATIVE 0.1

static snw_joint_type type_from_spread(const double spread[3])
{
    double least = fmax(MOTION_SPREAD_MIN, MOTION_SPREAD_RELATIVE * spread[0]);
    if (spread[0] < least) return SNW_JOINT_FIXED;
    if (spread[1] < least) return SNW_JOINT_HINGE;
    return spread[2] < least ? SNW_JOINT_UNIVERSAL : SNW_JOINT_BALL;
}

void snw__center_judge_motion(snw_center *center, snw_mat3 mean_rotation, double effective_count)
{
    double sigma[3], left[9], right[9];
    snw_svd svd = {3, 3, sigma, left, right};
    if (snw_svd_factor(&svd, &mean_rotation.m[0][0], 3, 3) != SNW_OK) return;
    double total = 3 - sigma[0] - sigma[1] - sigma[2];
    for (int i = 0; i < 3; i++) {
        center->spread[i] = sqrt(fmax(0, total - 2 * (1 - sigma[i])));
        /* A sine swings 2 sqrt 2 times its rms from end to end. */
        center->range[i] = fmin(2 * SNW_PI, 2 * sqrt(2.0) * center->spread[i]);
    }
    center->motion = type_from_spread(center->spread);
    center->axis_in_parent = snw_vec3_make(left[0], left[1], left[2]);
    center->axis_in_child = snw_vec3_make(right[0], right[1], right[2]);
    /* Each frame tilts the axis by its off-axis rotation over its rotation about it. */
    double off = hypot(center->spread[1], center->spread[2]);
    center->axis_sigma = SNW_PI;
    if (center->spread[0] > 0)
        center->axis_sigma =
            fmin(SNW_PI, off / (center->spread[0] * sqrt(fmax(1, effective_count))));
}

/* The rotation nearest to M and the child's principal axes. */
static void principal_frame(snw_mat3 m, snw_quat *mean, snw_vec3 axis[3])
{
    double sigma[3], left[9], right[9];
    snw_svd svd = {3, 3, sigma, left, right};
    *mean = snw_quat_identity();
    if (snw_svd_factor(&svd, &m.m[0][0], 3, 3) != SNW_OK) return;
    snw_vec3 u[3];
    for (int i = 0; i < 3; i++) {
        u[i] = snw_vec3_make(left[3 * i], left[3 * i + 1], left[3 * i + 2]);
        axis[i] = snw_vec3_make(right[3 * i], right[3 * i + 1], right[3 * i + 2]);
    }
    u[2] = snw_vec3_cross(u[0], u[1]);
    axis[2] = snw_vec3_cross(axis[0], axis[1]);
    snw_mat3 parent_from_principal = snw_mat3_from_columns(u[0], u[1], u[2]);
    snw_mat3 child_from_principal = snw_mat3_from_columns(axis[0], axis[1], axis[2]);
    *mean = snw_quat_from_mat3(
        snw_mat3_mul(parent_from_principal, snw_mat3_transpose(child_from_principal)));
}

/* Is the frame seen and, by its slip, not an outlier? */
static bool is_kept(const snw_center_data *data, int k, double limit, const snw_center *center,
                    snw_xform *parent_from_child)
{
    if (!snw__center_relative(data, k, parent_from_child)) return false;
    snw_vec3 carried = snw_xform_point(*parent_from_child, center->in_child);
    return snw_vec3_distance(carried, center->in_parent) <= limit;
}

void snw__center_measure_range(const snw_center_data *data, double limit, snw_center *center)
{
    snw_center_sums sums = snw_center_sums_begin();
    snw_xform pose;
    for (int k = 0; k < data->frame_count; k++)
        if (is_kept(data, k, limit, center, &pose)) snw__center_sums_add_weighted(&sums, pose, 1);
    if (sums.frame_count == 0) return;
    snw_quat mean;
    snw_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    principal_frame(sums.rotation, &mean, axis);
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int k = 0; k < data->frame_count; k++) {
        if (!is_kept(data, k, limit, center, &pose)) continue;
        snw_vec3 turn = snw_quat_log(snw_quat_mul(snw_quat_conjugate(mean), pose.rotation));
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], snw_vec3_dot(turn, axis[i]));
            high[i] = fmax(high[i], snw_vec3_dot(turn, axis[i]));
        }
    }
    for (int i = 0; i < 3; i++)
        center->range[i] = high[i] - low[i];
}
