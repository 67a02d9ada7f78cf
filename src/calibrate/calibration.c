/* What a calibration stands on, step by step; a user's own step takes the place of ours. */
#include "calibrate/calibration.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "calibrate/bone_parents.h"
#include "calibrate/calibrate_constants.h"
#include "center/center.h"
#include "label/label_grammar.h"
#include "math/robust.h"
#include "rigid/rigid_fit.h"
#include "rigid/sampling.h"
#include "segment/segment_methods.h"

snw_actor_options snw_actor_options_default(void)
{
    snw_actor_options options = {.frame_max = SNW__SAMPLES_CALIBRATE};
    return options;
}

/* ---- what the labels add to the segments -------------------------------------------------------
 */

typedef struct calibration_layout {
    snw__calibration *calibration;
    const snw_segments *segments;
} calibration_layout;

static void lay_out(void *object, snw__block *block)
{
    const calibration_layout *layout = object;
    snw__calibration *calibration = layout->calibration;
    size_t markers = (size_t)layout->segments->marker_count,
           n = (size_t)layout->segments->segment_count;
    calibration->label = snw__block_take(block, markers, sizeof(snw_label));
    calibration->joint = snw__block_take(block, n, sizeof(snw__joint_markers));
    calibration->group = snw__block_take(block, n, sizeof(snw__marker_group));
    calibration->marker = snw__block_take(block, markers + 4 * n, sizeof(int));
    calibration->parent = snw__block_take(block, n, sizeof(int));
    calibration->is_still = snw__block_take(block, n, sizeof(bool));
}

/* The user's, or those that the segments carry, which the motion has put right; else the trial's.
 */
static snw_status take_labels(snw__calibration *calibration, const snw_trial *trial,
                              const snw_segments *segments, snw_error *error)
{
    const snw_labels *given = calibration->options.labels;
    const snw_label *known = given ? given->marker : segments->label;
    snw_label *out = calibration->label;
    if (known) {
        memcpy(out, known, (size_t)segments->marker_count * sizeof *out);
        return SNW_OK;
    }
    snw_status status = snw__labels_of_trial(trial, &calibration->allocator, out, error);
    if (status == SNW_OK) snw__labels_follow(segments, out);
    return status;
}

static snw_status read_labels(snw__calibration *calibration, const snw_trial *trial,
                              const snw_segments *segments, snw_error *error)
{
    calibration_layout layout = {calibration, segments};
    snw_status status = snw__block_create(&calibration->block, lay_out, &layout,
                                          &calibration->allocator, "labels", error);
    if (status != SNW_OK) return status;
    status = take_labels(calibration, trial, segments, error);
    if (status != SNW_OK) return status;
    int *next = calibration->marker;
    for (int l = 0; l < segments->segment_count; l++) {
        snw__marker_group *group = calibration->group + l;
        calibration->joint[l] =
            snw__joint_markers_find(segments->segment + l, trial, calibration->label);
        group->marker = next;
        snw__joint_markers_group(segments->segment + l, calibration->joint + l, group);
        next += group->marker_count + 2; /* see lend_to_root */
    }
    return SNW_OK;
}

/* ---- two markers on every segment -------------------------------------------------------------
 */

/* Square metres: how much the distances between the markers of two segments vary. */
static double variance_between(const snw__samples *samples, const snw_segment *a,
                               const snw_segment *b)
{
    double worst = 0;
    for (int i = 0; i < a->marker_count; i++)
        for (int k = 0; k < b->marker_count; k++) {
            double mean = 0, sum2 = 0;
            int count = 0;
            for (int frame = 0; frame < samples->frame_count; frame++) {
                const uint8_t *seen = snw__samples_seen(samples, frame);
                const snw_vec3 *point = snw__samples_points(samples, frame);
                if (!seen[a->marker[i]] || !seen[b->marker[k]]) continue;
                double distance = snw_vec3_distance(point[a->marker[i]], point[b->marker[k]]);
                double off = distance - mean;
                mean += off / ++count;
                sum2 += off * (distance - mean); /* Welford 1962 */
            }
            worst = fmax(worst, count ? sum2 / count : HUGE_VAL);
        }
    return worst;
}

/* Where no segment has a rotation of its own, but names tell the tree, the root has a first one
 * with the markers of the neighbour that keeps its distances best. All other segments get theirs
 * from two markers and the joint to their parent, and the fit of the whole body, in which every
 * marker is on its own segment only, puts right what the loan has bent. */
static void lend_to_root(snw__calibration *calibration, const snw_segments *segments)
{
    const int *parent = calibration->parent;
    for (int l = 0; l < segments->segment_count; l++)
        if (calibration->group[l].marker_count > 2) return;
    if (calibration->options.tree)
        memcpy(calibration->parent, calibration->options.tree->parent,
               (size_t)segments->segment_count * sizeof(int));
    else if (!snw__bone_parents(segments, calibration->is_still, calibration->parent))
        return;
    for (int root = 0; root < segments->segment_count; root++) {
        snw__marker_group *group = calibration->group + root;
        double best = HUGE_VAL;
        int lender = -1;
        if (parent[root] != SNW_TREE_ROOT || group->own_count < 2) continue;
        for (int l = 0; l < segments->segment_count; l++) {
            if (parent[l] != root) continue;
            double variance = variance_between(calibration->samples, segments->segment + root,
                                               segments->segment + l);
            if (!(variance < best)) continue;
            best = variance;
            lender = l;
        }
        for (int k = 0; lender >= 0 && k < segments->segment[lender].marker_count; k++)
            group->marker[group->marker_count++] = segments->segment[lender].marker[k];
    }
}

/* ---- all steps ------------------------------------------------------------------------------ */

static snw_status check(const snw_trial *trial, const snw_segments *segments,
                        const snw_actor_options *options, snw_error *error)
{
    const snw__bounds bounds[] = {
        {"frame_max of the calibration", options->frame_max, SNW__CENTER_FRAMES_MIN, INT32_MAX},
        {"part of the calibration", options->part, 0, 1e6}};
    snw_status status = snw__check_bounds(bounds, 2, error);
    if (status != SNW_OK) return status;
    status = snw__segments_check(segments, trial, error);
    if (status != SNW_OK) return status;
    if (options->labels && options->labels->marker_count != trial->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the labels are of %d markers, the trial has %d",
                         options->labels->marker_count, trial->marker_count);
    if (options->tree && options->tree->segment_count != segments->segment_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the tree is of %d segments, there are %d",
                         options->tree->segment_count, segments->segment_count);
    if (trial->frame_count < SNW__CENTER_FRAMES_MIN)
        return snw__fail(error, SNW_DEGENERATE,
                         "%d frame%s: joints show only in motion, %d frames are the least",
                         trial->frame_count, trial->frame_count == 1 ? "" : "s",
                         SNW__CENTER_FRAMES_MIN);
    return SNW_OK;
}

snw_status snw__calibration_begin(snw__calibration *calibration, const snw_trial *trial,
                                  const snw_segments *segments, const snw_actor_options *options,
                                  const snw_allocator *allocator, snw_error *error)
{
    memset(calibration, 0, sizeof *calibration);
    calibration->options = SNW__WANTS_DEFAULTS(options) ? snw_actor_options_default() : *options;
    calibration->allocator = snw__allocator_or_default(allocator);
    const snw_actor_options *chosen = &calibration->options;
    snw_status status = check(trial, segments, chosen, error);
    if (status == SNW_OK)
        status =
            snw__samples_create(trial, chosen->frame_max, allocator, &calibration->samples, error);
    if (status == SNW_OK) status = read_labels(calibration, trial, segments, error);
    if (status == SNW_OK) lend_to_root(calibration, segments);
    if (status == SNW_OK)
        status =
            snw__rigids_create(calibration->samples, calibration->group, segments->segment_count,
                               allocator, &calibration->rigids, error);
    if (status != SNW_OK) return status;
    snw__tree_request request = {chosen->root, chosen->part,
                                 chosen->tree ? chosen->tree->parent : NULL,
                                 snw_up_direction(trial->up)};
    snw__segments_seen seen = {calibration->samples, segments, calibration->joint,
                               calibration->rigids};
    return snw__joint_tree_create(&seen, &request, allocator, &calibration->tree, error);
}

void snw__calibration_end(snw__calibration *calibration)
{
    snw__joint_tree_destroy(calibration->tree);
    snw__rigids_destroy(calibration->rigids);
    snw__block_release(&calibration->allocator, &calibration->block);
    snw__samples_destroy(calibration->samples);
}
