/* Copies of trials, whole or in part. */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static snw_status copy_text(snw_trial *to, char **text, const char *from, snw_error *error)
{
    return snw__trial_text_set(&to->allocator, text, from, strlen(from), error);
}

snw_status snw__trial_copy_marker(snw_trial *to, snw_marker *marker, const snw_marker *from,
                                  snw_error *error)
{
    snw_status status = copy_text(to, &marker->name, from->name, error);
    if (status != SNW_OK) return status;
    marker->kind = from->kind;
    marker->is_in_lab_axes = from->is_in_lab_axes;
    return copy_text(to, &marker->description, from->description, error);
}

static snw_status copy_markers(snw_trial *to, snw_marker *marker, const snw_marker *from, int count,
                               snw_error *error)
{
    snw_status status = SNW_OK;
    for (int m = 0; m < count && status == SNW_OK; m++)
        status = snw__trial_copy_marker(to, marker + m, from + m, error);
    return status;
}

snw_status snw__trial_copy_groups(snw_trial *to, const snw_trial *from, snw_error *error)
{
    snw_status status = SNW_OK;
    for (int g = 0; g < from->group_count && status == SNW_OK; g++) {
        const snw_parameter_group *old = from->group + g;
        snw_parameter_group *group = snw__trial_add_group(to, old->name, strlen(old->name));
        if (!group) return snw__fail_memory(error, sizeof *group, "a parameter group");
        group->is_locked = old->is_locked;
        group->id = old->id;
        status = copy_text(to, &group->description, old->description, error);
        for (int p = 0; p < old->parameter_count && status == SNW_OK; p++) {
            const snw_parameter *source = old->parameter + p;
            snw_parameter *parameter =
                snw__trial_add_parameter(to, group, source->name, strlen(source->name));
            void *data = snw__allocate(&to->allocator, source->byte_count);
            if (parameter) {
                char *name = parameter->name, *description = parameter->description;
                *parameter = *source;
                parameter->name = name;
                parameter->description = description;
                parameter->data = data;
            }
            if (!parameter) snw__release(&to->allocator, data, source->byte_count);
            if (!parameter || !data)
                return snw__fail_memory(error, source->byte_count, "a parameter");
            memcpy(data, source->data, source->byte_count);
            status = copy_text(to, &parameter->description, source->description, error);
        }
    }
    return status;
}

snw_status snw__trial_copy_surroundings(snw_trial *to, const snw_trial *from, snw_error *error)
{
    to->first_frame = from->first_frame;
    to->cut_frame_count = from->cut_frame_count;
    to->clock_start = from->clock_start;
    to->residual_scale = from->residual_scale;
    to->storage = from->storage;
    to->up = from->up;
    to->is_up_assumed = from->is_up_assumed;
    to->analog_general_scale = from->analog_general_scale;
    to->analog_is_unsigned = from->analog_is_unsigned;
    snw_status status =
        copy_markers(to, to->rotation_label, from->rotation_label, from->rotation_count, error);
    if (status == SNW_OK) {
        for (int c = 0; c < from->analog_count && status == SNW_OK; c++) {
            snw_analog_channel *channel = to->analog_channel + c;
            const snw_analog_channel *old = from->analog_channel + c;
            channel->scale = old->scale;
            channel->offset = old->offset;
            status = copy_text(to, &channel->name, old->name, error);
            if (status == SNW_OK) status = copy_text(to, &channel->unit, old->unit, error);
            if (status == SNW_OK)
                status = copy_text(to, &channel->description, old->description, error);
        }
    }
    for (int e = 0; e < from->event_count && status == SNW_OK; e++)
        status = snw_trial_add_event(to, from->event + e, error);
    return status == SNW_OK ? snw__trial_copy_groups(to, from, error) : status;
}

snw_trial_options snw__trial_options_of(const snw_trial *trial)
{
    const snw_trial_options options = {.marker_count = trial->marker_count,
                                       .frame_count = trial->frame_count,
                                       .rate = trial->rate,
                                       .metres_per_unit = trial->metres_per_unit,
                                       .unit = trial->unit,
                                       .analog_count = trial->analog_count,
                                       .analog_per_frame = trial->analog_per_frame,
                                       .rotation_count = trial->rotation_count,
                                       .rotations_per_frame = trial->rotations_per_frame};
    return options;
}

static snw_status copy_contents(snw_trial *to, const snw_trial *from, snw_error *error)
{
    snw_status status = snw__trial_copy_surroundings(to, from, error);
    if (status == SNW_OK && from->uncertainty) status = snw_trial_need_uncertainty(to, error);
    if (status != SNW_OK) return status;
    snw__trial_sizes sizes = snw__trial_sizes_of(from);
    memcpy(to->sample, from->sample, sizes.sample * sizeof *to->sample);
    memcpy(to->state, from->state, sizes.sample);
    memcpy(to->analog, from->analog, sizes.analog * sizeof(float));
    memcpy(to->rotation, from->rotation, sizes.rotation * sizeof(float));
    if (from->uncertainty) memcpy(to->uncertainty, from->uncertainty, sizes.sample * sizeof(float));
    return copy_markers(to, to->marker, from->marker, from->marker_count, error);
}

snw_status snw_trial_copy(const snw_trial *trial, const snw_allocator *allocator, snw_trial **out,
                          snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    const snw_trial_options options = snw__trial_options_of(trial);
    snw_trial *copy = NULL;
    snw_status status = snw__trial_create_raw(&options, allocator, &copy, error);
    if (status == SNW_OK) status = copy_contents(copy, trial, error);
    if (status != SNW_OK) {
        snw_trial_destroy(copy);
        return status;
    }
    *out = copy;
    return snw__succeed(error);
}
