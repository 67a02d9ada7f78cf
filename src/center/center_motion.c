/* What kind of motion a joint made: how far about which axes, and what joint that looks like.
 *
 * For the mean M = sum s_i u_i v_i^T of the relative rotations, small rotation vectors with
 * variances w_1 >= w_2 >= w_3 about the principal axes give 1 - s_i = (w_j + w_k) / 2, so
 * w_i = sum_j (1 - s_j) - 2 (1 - s_i). The spreads thus come from running sums alone. */
#include <string.h>

#include <sinew/dense.h>

#include "base/elementary.h"
#include "center/center.h"
#include "center/center_constants.h"
#include "math/symmetric3.h"

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
    double off = snw__hypot(center->spread[1], center->spread[2]);
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

/* ---- two axes --------------------------------------------------------------------------------
 *
 * A joint of two axes keeps the angle between an axis u of the parent and an axis v of the child:
 * u . R v is constant, however far it turns (the rotation vectors themselves leave the plane, by
 * half the product of the two angles). u and v are sought by turns: for a given v, u is the
 * eigenvector of least variance, and the other way round. */

/* Means and second moments of the nine entries of R. */
typedef struct motion_moments {
    double count;
    double mean[9];
    double square[9][9];
} motion_moments;

/* The axis of one side for which u . R v varies least, given the other side's: about its mean, or,
 * to begin with, about zero, which keeps u and v from falling together. */
static snw_vec3 best_axis(const motion_moments *moments, snw_vec3 other, bool is_parent,
                          bool is_central)
{
    const double w[3] = {other.x, other.y, other.z};
    int row = is_parent ? 3 : 1, column = is_parent ? 1 : 3;
    snw_mat3 variance;
    memset(&variance, 0, sizeof variance);
    for (int n = 0; n < 81; n++) {
        int i = n / 27, j = n / 9 % 3, k = n / 3 % 3, l = n % 3;
        int a = row * i + column * k, b = row * j + column * l;
        double moment = moments->square[a][b];
        if (is_central) moment -= moments->mean[a] * moments->mean[b];
        variance.m[i][j] += w[k] * w[l] * moment;
    }
    return snw__spectrum3_of(variance).vector[2];
}

/* Mean and rms of u . R v. */
static double axes_spread(const motion_moments *moments, const snw_vec3 axes[2], double *mean)
{
    const double u[3] = {axes[0].x, axes[0].y, axes[0].z}, v[3] = {axes[1].x, axes[1].y, axes[1].z};
    double square = 0;
    *mean = 0;
    for (int a = 0; a < 9; a++) {
        *mean += u[a / 3] * v[a % 3] * moments->mean[a];
        for (int b = 0; b < 9; b++)
            square += u[a / 3] * v[a % 3] * u[b / 3] * v[b % 3] * moments->square[a][b];
    }
    return sqrt(fmax(0, square - *mean * *mean));
}

static void look_for_two_axes(const motion_moments *moments, snw_center *center)
{
    double threshold = fmax(MOTION_SPREAD_MIN, MOTION_SPREAD_RELATIVE * center->spread[0]);
    snw_vec3 axes[2];
    if (center->motion != SNW_JOINT_BALL && center->motion != SNW_JOINT_UNIVERSAL) return;
    /* The pair of axes that keeps its angle best; returns by how much it varies, radians rms. */
    double least = INFINITY;
    for (int start = 0; start < 3; start++) {
        snw_vec3 pair[2];
        pair[1] = snw_vec3_make(start == 0, start == 1, start == 2);
        for (int round = 0; round < MOTION_AXES_ROUNDS; round++) {
            bool is_central = round >= MOTION_AXES_ROUNDS / 2;
            pair[0] = best_axis(moments, pair[1], true, is_central);
            pair[1] = best_axis(moments, pair[0], false, is_central);
        }
        double mean, spread = axes_spread(moments, pair, &mean);
        if (fabs(mean) > MOTION_AXES_COSINE) continue;
        spread /= sqrt(1 - mean * mean);
        if (!(spread < least)) continue;
        least = spread;
        memcpy(axes, pair, sizeof pair);
    }
    if (!(least < threshold)) return;
    center->motion = SNW_JOINT_UNIVERSAL;
    center->axis_in_parent = axes[0];
    center->axis_in_child = axes[1];
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
    motion_moments moments;
    memset(&moments, 0, sizeof moments);
    for (int k = 0; k < data->frame_count; k++) {
        if (!is_kept(data, k, limit, center, &pose)) continue;
        snw_mat3 r = snw_mat3_from_quat(pose.rotation);
        const double *entry = &r.m[0][0];
        moments.count += 1;
        for (int i = 0; i < 9; i++) {
            moments.mean[i] += entry[i];
            for (int j = 0; j < 9; j++)
                moments.square[i][j] += entry[i] * entry[j];
        }
        snw_vec3 turn = snw_quat_log(snw_quat_mul(snw_quat_conjugate(mean), pose.rotation));
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], snw_vec3_dot(turn, axis[i]));
            high[i] = fmax(high[i], snw_vec3_dot(turn, axis[i]));
        }
    }
    for (int i = 0; i < 3; i++)
        center->range[i] = high[i] - low[i];
    for (int i = 0; i < 9; i++) {
        moments.mean[i] /= moments.count;
        for (int j = 0; j < 9; j++)
            moments.square[i][j] /= moments.count;
    }
    look_for_two_axes(&moments, center);
}
