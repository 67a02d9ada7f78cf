/* Joint centres: names, options, access to the data, the choice of the method, and what every
 * answer is completed with. The methods themselves are in center_*.c. */
#include <string.h>

#include "base/fail.h"
#include "center/center.h"
#include "math/symmetric3.h"

static const char *const method_names[SNW_CENTER_METHOD_COUNT] = {
#define CENTER_METHOD_NAME(name, text) text,
    SNW_CENTER_METHOD_MAP(CENTER_METHOD_NAME)
#undef CENTER_METHOD_NAME
};

const char *snw_center_method_name(snw_center_method method)
{
    unsigned index = (unsigned)method;
    return index < SNW_CENTER_METHOD_COUNT ? method_names[index] : "unknown";
}

bool snw_center_method_from_name(const char *name, snw_center_method *method)
{
    for (int n = 0; n < SNW_CENTER_METHOD_COUNT; n++) {
        if (strcmp(name, method_names[n]) != 0) continue;
        *method = (snw_center_method)n;
        return true;
    }
    return false;
}

snw_center_options snw_center_options_default(void)
{
    snw_center_options options;
    memset(&options, 0, sizeof options);
    options.is_robust = true;
    options.correct_bias = true;
    options.rank_threshold = 1e-3;
    return options;
}

snw_center snw__center_none(snw_center_method method)
{
    snw_center center;
    memset(&center, 0, sizeof center);
    center.method = method;
    center.motion = SNW_JOINT_FIXED;
    center.undetermined = 3;
    center.axis_in_parent = snw_vec3_make(1, 0, 0);
    center.axis_in_child = snw_vec3_make(1, 0, 0);
    center.axis_sigma = SNW_PI;
    center.condition = SNW__CONDITION_MAX;
    return center;
}

/* ---- the data ------------------------------------------------------------------------------ */

static bool is_finite_pose(snw_xform pose)
{
    return snw_quat_is_finite(pose.rotation) && snw_vec3_is_finite(pose.translation);
}

bool snw__center_relative(const snw_center_data *data, int k, snw_xform *parent_from_child)
{
    if (!data->world_from_child) return false;
    if (data->parent_is_valid && !data->parent_is_valid[k]) return false;
    if (data->child_is_valid && !data->child_is_valid[k]) return false;
    *parent_from_child = data->world_from_child[k];
    if (data->world_from_parent)
        *parent_from_child =
            snw_xform_mul(snw_xform_inverse(data->world_from_parent[k]), *parent_from_child);
    return is_finite_pose(*parent_from_child);
}

bool snw__center_marker(const snw_center_data *data, int k, int n, snw_vec3 *point)
{
    if (data->parent_is_valid && !data->parent_is_valid[k]) return false;
    *point = data->marker[(size_t)k * (size_t)data->marker_count + (size_t)n];
    return snw_vec3_is_finite(*point);
}

double snw__effective_count(double count, double correlation)
{
    /* Of an AR(1) process: the variance of its mean is that of so many independent samples. */
    return count * (1 - correlation) / (1 + correlation);
}

/* ---- completing an answer ------------------------------------------------------------------- */

/* Mean child-frame position of the centre and mean relative rotation over the frames with poses. */
static int average_child(const snw_center_data *data, snw_center *center, snw_mat3 *mean_rotation)
{
    snw_center_sums sums = snw_center_sums_begin();
    snw_vec3 in_child = {0, 0, 0};
    for (int k = 0; k < data->frame_count; k++) {
        snw_xform parent_from_child;
        if (!snw__center_relative(data, k, &parent_from_child)) continue;
        snw__center_sums_add_weighted(&sums, parent_from_child, 1);
        in_child = snw_vec3_add(in_child, snw_xform_unpoint(parent_from_child, center->in_parent));
    }
    if (sums.frame_count == 0) return 0;
    center->in_child = snw_vec3_scale(in_child, 1 / sums.weight);
    for (int i = 0; i < 9; i++)
        (&mean_rotation->m[0][0])[i] = (&sums.rotation.m[0][0])[i] / sums.weight;
    return (int)sums.frame_count;
}

/* in_child, slip, motion and ranges of a centre found from markers, where child poses are known. */
static void complete_child(const snw_center_data *data, snw_center *center)
{
    snw_mat3 mean_rotation;
    int count = average_child(data, center, &mean_rotation);
    if (count < SNW__CENTER_FRAMES_MIN) return;
    center->has_child = true;
    double sum = 0;
    for (int k = 0; k < data->frame_count; k++) {
        snw_xform parent_from_child;
        if (!snw__center_relative(data, k, &parent_from_child)) continue;
        sum += snw_vec3_length2(
            snw_vec3_sub(snw_xform_point(parent_from_child, center->in_child), center->in_parent));
    }
    center->slip = sqrt(sum / count);
    snw__center_judge_motion(center, mean_rotation,
                             snw__effective_count(count, center->correlation));
    snw__center_measure_range(data, INFINITY, center);
}

snw_status snw__center_finish(snw_center *center, snw_error *error)
{
    double sum = center->axis_sigma + center->residual + center->slip + center->condition +
                 center->correlation + center->sigma;
    for (int i = 0; i < 3; i++)
        sum += center->spread[i] + center->range[i];
    for (int i = 0; i < 9; i++)
        sum += (&center->covariance.m[0][0])[i];
    if (isfinite(sum) && snw_vec3_is_finite(center->in_parent) &&
        snw_vec3_is_finite(center->in_child) && snw_vec3_is_finite(center->axis_in_parent) &&
        snw_vec3_is_finite(center->axis_in_child))
        return snw__succeed(error);
    *center = snw__center_none(center->method);
    return snw__fail(error, SNW_DEGENERATE, "the positions are too large to have a centre");
}

/* ---- the choice ---------------------------------------------------------------------------- */

static snw_status check_data(const snw_center_data *data, snw_center_method method,
                             snw_error *error)
{
    const char *name = snw_center_method_name(method);
    if ((unsigned)method >= SNW_CENTER_METHOD_COUNT)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "there is no method number %d for centres",
                         (int)method);
    if (data->frame_count < 0 || data->marker_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s: a count is negative", name);
    if (method == SNW_CENTER_TWO_SIDED && !data->world_from_child)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s needs poses of the child limb", name);
    if (method == SNW_CENTER_TWO_SIDED) return SNW_OK;
    if (!data->marker || data->marker_count == 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s needs markers of the child limb", name);
    if (data->marker_count > SNW_CENTER_MARKERS_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s takes at most %d markers, not %d", name,
                         SNW_CENTER_MARKERS_MAX, data->marker_count);
    return SNW_OK;
}

snw_status snw_center_solve(const snw_center_data *data, snw_center_method method,
                            const snw_center_options *options, snw_center *center, snw_error *error)
{
    *center = snw__center_none(method);
    snw_status status = check_data(data, method, error);
    if (status != SNW_OK) return status;
    snw_center_options defaults = snw_center_options_default();
    if (!options) options = &defaults;
    if (method == SNW_CENTER_TWO_SIDED) return snw__center_two_sided(data, options, center, error);
    status = snw__center_from_markers(data, options, center, error);
    if (status != SNW_OK) {
        *center = snw__center_none(method);
        return status;
    }
    complete_child(data, center);
    return snw__center_finish(center, error);
}
