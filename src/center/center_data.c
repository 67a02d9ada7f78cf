/* What all methods for joint centres stand on: names, options, access to the data, outliers. The
 * methods are in center_two_sided.c, center_sphere.c and center_iterative.c; center_solve.c
 * chooses. */
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "center/center.h"
#include "center/center_constants.h"
#include "math/robust.h"
#include "math/symmetric3.h"
#include "math/tolerance.h"

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

int snw_center_method_find(const char *name)
{
    for (int n = 0; n < SNW_CENTER_METHOD_COUNT; n++)
        if (strcmp(name, method_names[n]) == 0) return n;
    return -1;
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

bool snw__center_relative(const snw_center_data *data, int k, snw_xform *parent_from_child)
{
    if (!data->world_from_child) return false;
    if (data->parent_is_valid && !data->parent_is_valid[k]) return false;
    if (data->child_is_valid && !data->child_is_valid[k]) return false;
    *parent_from_child = data->world_from_child[k];
    if (data->world_from_parent)
        *parent_from_child =
            snw_xform_mul(snw_xform_inverse(data->world_from_parent[k]), *parent_from_child);
    snw_xform pose = *parent_from_child;
    return snw_quat_is_finite(pose.rotation) && snw_vec3_is_finite(pose.translation);
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

/* ---- outliers ------------------------------------------------------------------------------- */

/* Which residuals are outliers: a robust scale and the weight of a residual.
 *
 * The scale is a median. To need no memory that grows with the trial it is read off a histogram of
 * magnitudes whose bins are equally wide in the logarithm. */

void snw__magnitudes_begin(snw__magnitudes *magnitudes)
{
    memset(magnitudes, 0, sizeof *magnitudes);
}

void snw__magnitudes_add(snw__magnitudes *magnitudes, double magnitude)
{
    double place = snw__log(fmax(magnitude, SNW__EXACT) / SNW__EXACT) / OUTLIER_BIN_LOG;
    magnitudes->bin[(int)fmin(place, SNW__SCALE_BINS - 1)]++;
    magnitudes->count++;
}

double snw__magnitudes_median(const snw__magnitudes *magnitudes)
{
    int below = 0;
    for (int n = 0; n < SNW__SCALE_BINS; n++) {
        below += magnitudes->bin[n];
        if (2 * (int64_t)below >= magnitudes->count && magnitudes->count > 0)
            return n == 0 ? 0 : SNW__EXACT * snw__exp((n + 0.5) * OUTLIER_BIN_LOG);
    }
    return 0;
}

double snw__outlier_weight(double sigmas)
{
    if (sigmas <= OUTLIER_CORNER) return 1;
    return sigmas <= SNW__OUTLIER ? OUTLIER_CORNER / sigmas : 0;
}
