/* A centre by any method: the choice, and what every answer is completed with. */
#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"

/* ---- completing an answer ------------------------------------------------------------------- */

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
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s needs poses of the child segment", name);
    if (method == SNW_CENTER_TWO_SIDED) return SNW_OK;
    if (!data->marker || data->marker_count == 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%s needs markers of the child segment",
                         name);
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
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    if (method == SNW_CENTER_TWO_SIDED) return snw__center_two_sided(data, options, center, error);
    status = snw__center_from_markers(data, options, center, error);
    if (status != SNW_OK) {
        *center = snw__center_none(method);
        return status;
    }
    /* in_child, slip, motion and ranges of a centre found from markers, where child poses are
     * known. */
    snw_mat3 mean_rotation;
    /* Mean child-frame position of the centre and mean relative rotation over the frames with
     * poses. */
    int count = 0;
    snw_center_sums sums = snw_center_sums_begin();
    snw_vec3 in_child = {0, 0, 0};
    for (int k = 0; k < data->frame_count; k++) {
        snw_xform parent_from_child;
        if (!snw__center_relative(data, k, &parent_from_child)) continue;
        snw__center_sums_add_weighted(&sums, parent_from_child, 1);
        in_child = snw_vec3_add(in_child, snw_xform_unpoint(parent_from_child, center->in_parent));
    }
    if (sums.frame_count != 0) {
        center->in_child = snw_vec3_scale(in_child, 1 / sums.weight);
        for (int i = 0; i < 9; i++)
            (&mean_rotation.m[0][0])[i] = (&sums.rotation.m[0][0])[i] / sums.weight;
        count = (int)sums.frame_count;
    }
    if (count >= SNW__CENTER_FRAMES_MIN) {
        center->has_child = true;
        double sum = 0;
        for (int k = 0; k < data->frame_count; k++) {
            snw_xform parent_from_child;
            if (!snw__center_relative(data, k, &parent_from_child)) continue;
            sum += snw_vec3_length2(snw_vec3_sub(
                snw_xform_point(parent_from_child, center->in_child), center->in_parent));
        }
        center->slip = sqrt(sum / count);
        snw__center_judge_motion(center, mean_rotation,
                                 snw__effective_count(count, center->correlation));
        snw__center_measure_range(data, INFINITY, center);
    }
    return snw__center_finish(center, error);
}
