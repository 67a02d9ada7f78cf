/* The named things of a trial beside its samples: marker names, events, parameter groups. */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

static int lower(char letter)
{
    unsigned char byte = (unsigned char)letter;
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

bool snw__trial_same_word(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}

snw_status snw_trial_set_marker_name(snw_trial *trial, int marker, const char *name,
                                     snw_error *error)
{
    if (marker < 0 || marker >= trial->marker_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "marker %d does not exist, there are %d",
                         marker, trial->marker_count);
    if (!name)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the name of marker %d is NULL", marker);
    snw_status status = snw__trial_text_set(&trial->allocator, &trial->marker[marker].name, name,
                                            strlen(name), error);
    return status == SNW_OK ? snw__succeed(error) : status;
}

snw_status snw_trial_set_rotation_name(snw_trial *trial, int rotation, const char *name,
                                       snw_error *error)
{
    if (rotation < 0 || rotation >= trial->rotation_count || !name)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "rotation %d does not exist, there are %d, or its name is NULL", rotation,
                         trial->rotation_count);
    snw_status status = snw__trial_text_set(
        &trial->allocator, &trial->rotation_label[rotation].name, name, strlen(name), error);
    return status == SNW_OK ? snw__succeed(error) : status;
}

/* ---- events ------------------------------------------------------------------------------- */

snw_status snw_trial_add_event(snw_trial *trial, const snw_event *event, snw_error *error)
{
    const snw_allocator *allocator = &trial->allocator;
    void *array = trial->event;
    if (!snw__trial_grow(allocator, &array, trial->event_count, &trial->event_capacity,
                         sizeof *trial->event))
        return snw__fail_memory(error, sizeof *trial->event, "an event");
    trial->event = (snw_event *)array;
    snw_event copy = *event;
    const char *from[4] = {event->label, event->context, event->subject, event->description};
    char **to[4] = {&copy.label, &copy.context, &copy.subject, &copy.description};
    snw_status status = SNW_OK;
    for (int n = 0; n < 4; n++)
        *to[n] = NULL;
    for (int n = 0; n < 4 && status == SNW_OK; n++)
        status = snw__trial_text_set(allocator, to[n], from[n] ? from[n] : "",
                                     from[n] ? strlen(from[n]) : 0, error);
    if (status != SNW_OK) {
        for (int n = 0; n < 4; n++)
            snw__trial_text_release(allocator, *to[n]);
        return status;
    }
    trial->event[trial->event_count++] = copy;
    return snw__succeed(error);
}

void snw_trial_remove_event(snw_trial *trial, int event)
{
    if (event < 0 || event >= trial->event_count) return;
    snw_event *gone = trial->event + event;
    char *text[] = {gone->label, gone->context, gone->subject, gone->description};
    for (size_t n = 0; n < sizeof text / sizeof *text; n++)
        snw__trial_text_release(&trial->allocator, text[n]);
    trial->event_count--;
    memmove(gone, gone + 1, (size_t)(trial->event_count - event) * sizeof *gone);
}

/* ---- groups and parameters ---------------------------------------------------------------- */

snw_parameter_group *snw__trial_find_group(const snw_trial *trial, const char *name)
{
    for (int g = 0; g < trial->group_count; g++)
        if (snw__trial_same_word(trial->group[g].name, name)) return trial->group + g;
    return NULL;
}

snw_parameter_group *snw__trial_add_group(snw_trial *trial, const char *name, size_t length)
{
    const snw_allocator *allocator = &trial->allocator;
    void *array = trial->group;
    bool has_room = snw__trial_grow(allocator, &array, trial->group_count, &trial->group_capacity,
                                    sizeof *trial->group);
    trial->group = (snw_parameter_group *)array;
    if (!has_room) return NULL;
    snw_parameter_group group;
    memset(&group, 0, sizeof group);
    int largest = 0;
    for (int g = 0; g < trial->group_count; g++)
        if (trial->group[g].id > largest) largest = trial->group[g].id;
    group.id = largest + 1;
    snw_status status = snw__trial_text_set(allocator, &group.name, name, length, NULL);
    if (status == SNW_OK) status = snw__trial_text_set(allocator, &group.description, "", 0, NULL);
    if (status != SNW_OK) {
        snw__trial_text_release(allocator, group.name);
        return NULL;
    }
    trial->group[trial->group_count] = group;
    return trial->group + trial->group_count++;
}

snw_parameter *snw__trial_add_parameter(snw_trial *trial, snw_parameter_group *group,
                                        const char *name, size_t length)
{
    const snw_allocator *allocator = &trial->allocator;
    void *array = group->parameter;
    bool has_room = snw__trial_grow(allocator, &array, group->parameter_count,
                                    &group->parameter_capacity, sizeof *group->parameter);
    group->parameter = (snw_parameter *)array;
    if (!has_room) return NULL;
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    snw_status status = snw__trial_text_set(allocator, &parameter.name, name, length, NULL);
    if (status == SNW_OK)
        status = snw__trial_text_set(allocator, &parameter.description, "", 0, NULL);
    if (status != SNW_OK) {
        snw__trial_text_release(allocator, parameter.name);
        return NULL;
    }
    group->parameter[group->parameter_count] = parameter;
    return group->parameter + group->parameter_count++;
}

void snw__trial_parameter_release(const snw_allocator *allocator, snw_parameter *parameter)
{
    snw__trial_text_release(allocator, parameter->name);
    snw__trial_text_release(allocator, parameter->description);
    snw__release(allocator, parameter->data, parameter->byte_count);
    memset(parameter, 0, sizeof *parameter);
}

static snw_parameter *find_in_group(const snw_parameter_group *group, const char *name)
{
    for (int p = 0; p < group->parameter_count; p++)
        if (snw__trial_same_word(group->parameter[p].name, name)) return group->parameter + p;
    return NULL;
}

const snw_parameter *snw_trial_find_parameter(const snw_trial *trial, const char *group,
                                              const char *name)
{
    /* Broken files have two groups of one name; the parameter may be in either. */
    for (int g = 0; g < trial->group_count; g++) {
        if (!snw__trial_same_word(trial->group[g].name, group)) continue;
        const snw_parameter *found = find_in_group(trial->group + g, name);
        if (found) return found;
    }
    return NULL;
}

snw_status snw_trial_set_parameter(snw_trial *trial, const char *group,
                                   const snw_parameter *parameter, snw_error *error)
{
    if (!parameter->name || !parameter->name[0])
        return snw__fail(error, SNW_INVALID_ARGUMENT, "a parameter needs a name");
    if (!group || !group[0])
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the group of parameter %s needs a name",
                         parameter->name);
    if (parameter->byte_count && !parameter->data)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "parameter %s has no data", parameter->name);
    if (parameter->dimension_count < 0 || parameter->dimension_count > 7)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "parameter %s has %d dimensions, not 0 to 7",
                         parameter->name, parameter->dimension_count);
    int type = (int)parameter->type;
    if (type != -1 && type != 1 && type != 2 && type != 4)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "parameter %s has no such type: %d",
                         parameter->name, type);
    size_t size = type < 0 ? 1 : (size_t)type;
    for (int d = 0; d < parameter->dimension_count; d++)
        size *= parameter->dimension[d];
    if (size != parameter->byte_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "parameter %s has %zu bytes where its dimensions say %zu", parameter->name,
                         parameter->byte_count, size);
    const snw_allocator *allocator = &trial->allocator;
    snw_parameter_group *home = snw__trial_find_group(trial, group);
    snw_parameter copy = *parameter;
    copy.name = copy.description = NULL;
    copy.data = snw__allocate(allocator, parameter->byte_count);
    const char *description = parameter->description ? parameter->description : "";
    if (copy.data && parameter->byte_count)
        memcpy(copy.data, parameter->data, parameter->byte_count);
    bool is_whole = copy.data != NULL;
    is_whole = is_whole && snw__trial_text_set(allocator, &copy.name, parameter->name,
                                               strlen(parameter->name), NULL) == SNW_OK;
    is_whole = is_whole && snw__trial_text_set(allocator, &copy.description, description,
                                               strlen(description), NULL) == SNW_OK;
    if (is_whole && !home) home = snw__trial_add_group(trial, group, strlen(group));
    snw_parameter *place = is_whole && home ? find_in_group(home, parameter->name) : NULL;
    if (is_whole && home && !place)
        place = snw__trial_add_parameter(trial, home, parameter->name, strlen(parameter->name));
    if (!place) {
        snw__trial_parameter_release(allocator, &copy);
        return snw__fail_memory(error, parameter->byte_count, "a parameter");
    }
    snw__trial_parameter_release(allocator, place);
    *place = copy;
    return snw__succeed(error);
}
