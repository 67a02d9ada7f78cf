/* One frame of a person who stands is enough where labels tell the joints: what methods of motion
 * need many frames for, they then find to be at rest, and anatomy places. */
#include "calibrate/still.h"

#include <string.h>

#include "base/fail.h"

static snw_status copy_names(const snw_trial *from, snw_trial *to, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int m = 0; status == SNW_OK && m < from->marker_count; m++)
        status = snw_trial_set_marker_name(to, m, from->marker[m].name, error);
    for (int g = 0; g < from->group_count; g++)
        for (int p = 0; status == SNW_OK && p < from->group[g].parameter_count; p++)
            status = snw_trial_set_parameter(to, from->group[g].name, from->group[g].parameter + p,
                                             error);
    return status;
}

snw_status snw__trial_repeat(const snw_trial *trial, int frame_count,
                             const snw_allocator *allocator, snw_trial **out, snw_error *error)
{
    *out = NULL;
    if (trial->frame_count < 1) return snw__fail(error, SNW_DEGENERATE, "the trial has no frames");
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = trial->marker_count;
    options.frame_count = frame_count;
    options.rate = trial->rate;
    options.metres_per_unit = trial->metres_per_unit;
    options.unit = trial->unit;
    snw_trial *longer = NULL;
    snw_status status = snw_trial_create(&options, allocator, &longer, error);
    if (status == SNW_OK) status = copy_names(trial, longer, error);
    if (status != SNW_OK) {
        snw_trial_destroy(longer);
        return status;
    }
    size_t row = (size_t)trial->marker_count;
    for (int f = 0; f < frame_count; f++) {
        size_t from = (size_t)(f % trial->frame_count) * row, to = (size_t)f * row;
        memcpy(longer->sample + to, trial->sample + from, row * sizeof *trial->sample);
        memcpy(longer->state + to, trial->state + from, row);
    }
    longer->up = trial->up;
    longer->is_up_assumed = trial->is_up_assumed;
    longer->residual_scale = trial->residual_scale;
    *out = longer;
    return SNW_OK;
}
