/* The segments of a calibration as snw_center_solve wants them, and its answers in the tree. */
#include "calibrate/tree_method.h"

#include "base/fail.h"
#include "base/memory.h"
#include "center/center.h"
#include "math/symmetric3.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"

/* Memory for one joint at a time. */
typedef struct method_work {
    size_t frame_count, marker_max;            /* markers: of the child that has most */
    snw_xform *parent, *child;                 /* (frame_count) */
    uint8_t *parent_is_valid, *child_is_valid; /* (frame_count) */
    snw_vec3 *marker;                          /* (frame_count x markers of the child) */
} method_work;

static void lay_out(void *object, snw__block *block)
{
    method_work *work = object;
    size_t frames = work->frame_count;
    work->parent = snw__block_take(block, frames, sizeof(snw_xform));
    work->child = snw__block_take(block, frames, sizeof(snw_xform));
    work->marker =
        snw__block_take(block, snw__size_mul(frames, work->marker_max), sizeof(snw_vec3));
    work->parent_is_valid = snw__block_take(block, frames, 1);
    work->child_is_valid = snw__block_take(block, frames, 1);
}

static int marker_count_of(const snw__rigid *segment)
{
    return segment->own_count < SNW_CENTER_MARKERS_MAX ? segment->own_count
                                                       : SNW_CENTER_MARKERS_MAX;
}

/* The child's markers as the parent sees them. */
static snw_center_data look(const snw__samples *samples, const snw__rigid *up,
                            const snw__rigid *segment, const method_work *work)
{
    int markers = marker_count_of(segment);
    for (int k = 0; k < samples->frame_count; k++) {
        const snw_vec3 *point = snw__samples_points(samples, k);
        const uint8_t *seen = snw__samples_seen(samples, k);
        work->parent[k] = up->pose[k].world_from_segment;
        work->child[k] = segment->pose[k].world_from_segment;
        work->parent_is_valid[k] = up->pose[k].seen_count > 0;
        work->child_is_valid[k] = segment->pose[k].seen_count > 0;
        for (int m = 0; m < markers; m++) {
            bool is_seen = work->parent_is_valid[k] && seen[segment->marker[m]];
            work->marker[k * markers + m] =
                is_seen ? snw_xform_unpoint(work->parent[k], point[segment->marker[m]])
                        : snw_vec3_make(NAN, NAN, NAN);
        }
    }
    snw_center_data data = {samples->frame_count, work->parent, work->child, work->parent_is_valid,
                            work->child_is_valid, markers,      work->marker};
    return data;
}

static bool find_center(const snw_center_data *data, const snw__rigid *up,
                        const snw__rigid *segment, snw_center_method method,
                        snw__segment_pair *pair)
{
    snw_center_options options = snw_center_options_default();
    options.parent_rotation_noise =
        snw_segment_rotation_covariance(up->shape, up->own_count, up->noise);
    options.child_rotation_noise =
        snw_segment_rotation_covariance(segment->shape, segment->own_count, segment->noise);
    snw_center center;
    if (snw_center_solve(data, method, &options, &center, NULL) != SNW_OK || !center.has_child)
        return false;
    pair->in_first = center.in_parent;
    pair->in_second = center.in_child;
    pair->residual = center.slip;
    snw__spectrum3 spread = snw__spectrum3_of(center.covariance);
    for (int i = 0; i < 3; i++)
        pair->deviation[i] = sqrt(fmax(spread.value[i], 0));
    return true;
}

snw_status snw__joint_tree_use_method(snw__joint_tree *tree, const snw__samples *samples,
                                      const snw__rigids *rigids, snw_center_method method,
                                      int *kept_count, snw_error *error)
{
    int markers = 0;
    for (int l = 0; l < rigids->segment_count; l++)
        if (marker_count_of(rigids->segment + l) > markers)
            markers = marker_count_of(rigids->segment + l);
    method_work work = {.frame_count = (size_t)samples->frame_count, .marker_max = (size_t)markers};
    snw__block block;
    snw_status status =
        snw__block_create(&block, lay_out, &work, &tree->allocator, "joint centres", error);
    if (status != SNW_OK) return status;
    *kept_count = 0;
    for (int n = 1; n < tree->joined_count; n++) {
        int l = tree->order[n];
        const snw__rigid *segment = rigids->segment + l, *up = rigids->segment + tree->parent[l];
        bool is_found = false;
        if (segment->own_count >= 3 && up->own_count >= 3) {
            snw_center_data data = look(samples, up, segment, &work);
            is_found = find_center(&data, up, segment, method, tree->pair + l);
        }
        *kept_count += !is_found;
    }
    snw__block_release(&tree->allocator, &block);
    return SNW_OK;
}
