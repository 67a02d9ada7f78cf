/* Making and destroying trials (copies: copy.c). Owns the layout described in trial_memory.h. */
#include "trial/trial_memory.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

snw_trial_options snw_trial_options_default(void)
{
    snw_trial_options options;
    memset(&options, 0, sizeof options);
    options.rate = 100;
    options.metres_per_unit = 0.001;
    options.unit = "mm";
    return options;
}

/* ---- text --------------------------------------------------------------------------------- */

/* A copy of `length` bytes of text with a terminating zero, or NULL. */
static char *trial_text(const snw_allocator *allocator, const char *text, size_t length)
{
    char *copy = (char *)snw__allocate(allocator, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void snw__trial_text_release(const snw_allocator *allocator, char *text)
{
    if (text) snw__release(allocator, text, strlen(text) + 1);
}

snw_status snw__trial_text_set(const snw_allocator *allocator, char **text, const char *value,
                               size_t length, snw_error *error)
{
    /* A zero inside would make the text's size unknown when it is released. */
    const char *zero = length ? (const char *)memchr(value, 0, length) : NULL;
    if (zero) length = (size_t)(zero - value);
    char *copy = trial_text(allocator, value, length);
    if (!copy) return snw__fail_memory(error, length + 1, "a name");
    snw__trial_text_release(allocator, *text);
    *text = copy;
    return SNW_OK;
}

bool snw__trial_grow(const snw_allocator *allocator, void **array, int count, int *capacity,
                     size_t element_size)
{
    if (count < *capacity) return true;
    int wanted = *capacity ? *capacity * 2 : 4;
    if (wanted < *capacity) return false;
    void *larger = snw__allocate(allocator, snw__size_mul((size_t)wanted, element_size));
    if (!larger) return false;
    if (count) memcpy(larger, *array, (size_t)count * element_size);
    snw__release(allocator, *array, (size_t)*capacity * element_size);
    *array = larger;
    *capacity = wanted;
    return true;
}

/* ---- the arrays --------------------------------------------------------------------------- */

static size_t product(int a, int b, int c)
{
    return snw__size_mul(snw__size_mul((size_t)a, (size_t)b), (size_t)c);
}

snw__trial_sizes snw__trial_sizes_of(const snw_trial *trial)
{
    snw__trial_sizes sizes;
    sizes.sample = product(trial->frame_count, trial->marker_count, 1);
    sizes.analog = product(trial->frame_count, trial->analog_per_frame, trial->analog_count);
    sizes.rotation = snw__size_mul(
        product(trial->frame_count, trial->rotations_per_frame, trial->rotation_count),
        SNW__ROTATION_NUMBERS);
    return sizes;
}

/* Without snw__allocate's zeroing; see snw__trial_create_raw. */
static void *allocate_raw(const snw_allocator *allocator, size_t count, size_t element_size)
{
    size_t size = snw__size_mul(count, element_size);
    if (size > PTRDIFF_MAX) return NULL;
    return allocator->allocate(allocator->context, size ? size : 1);
}

static snw_status make_arrays(snw_trial *trial, snw_error *error)
{
    const snw_allocator *allocator = &trial->allocator;
    snw__trial_sizes sizes = snw__trial_sizes_of(trial);
    trial->sample = (snw_sample *)allocate_raw(allocator, sizes.sample, sizeof *trial->sample);
    trial->state = (uint8_t *)allocate_raw(allocator, sizes.sample, 1);
    trial->analog = (float *)allocate_raw(allocator, sizes.analog, sizeof(float));
    trial->rotation = (float *)allocate_raw(allocator, sizes.rotation, sizeof(float));
    if (trial->sample && trial->state && trial->analog && trial->rotation) return SNW_OK;
    size_t numbers =
        sizes.analog > SIZE_MAX / 4 - sizes.rotation ? SIZE_MAX / 4 : sizes.analog + sizes.rotation;
    size_t bytes = snw__size_mul(sizes.sample, sizeof *trial->sample + 1);
    return snw__fail_memory(error, bytes > SIZE_MAX - 4 * numbers ? SIZE_MAX : bytes + 4 * numbers,
                            "the samples of a trial");
}

static snw_status make_markers(const snw_allocator *allocator, int count, snw_marker **markers,
                               snw_error *error)
{
    size_t size = snw__size_mul((size_t)count, sizeof **markers);
    *markers = (snw_marker *)snw__allocate(allocator, size);
    if (!*markers) return snw__fail_memory(error, size, "the names of markers");
    for (int m = 0; m < count; m++) {
        (*markers)[m].name = trial_text(allocator, "", 0);
        (*markers)[m].description = trial_text(allocator, "", 0);
        if (!(*markers)[m].name || !(*markers)[m].description)
            return snw__fail_memory(error, 1, "the name of a marker");
    }
    return SNW_OK;
}

static snw_status make_channels(snw_trial *trial, snw_error *error)
{
    size_t size = snw__size_mul((size_t)trial->analog_count, sizeof *trial->analog_channel);
    trial->analog_channel = (snw_analog_channel *)snw__allocate(&trial->allocator, size);
    if (!trial->analog_channel) return snw__fail_memory(error, size, "the analog channels");
    for (int c = 0; c < trial->analog_count; c++) {
        snw_analog_channel *channel = trial->analog_channel + c;
        channel->scale = 1;
        channel->name = trial_text(&trial->allocator, "", 0);
        channel->description = trial_text(&trial->allocator, "", 0);
        channel->unit = trial_text(&trial->allocator, "", 0);
        if (!channel->name || !channel->description || !channel->unit)
            return snw__fail_memory(error, 1, "the name of an analog channel");
    }
    return SNW_OK;
}

/* ---- create ------------------------------------------------------------------------------- */

snw_status snw__trial_create_raw(const snw_trial_options *options, const snw_allocator *allocator,
                                 snw_trial **out, snw_error *error)
{
    *out = NULL;
    const int count[] = {options->marker_count,   options->frame_count,
                         options->analog_count,   options->analog_per_frame,
                         options->rotation_count, options->rotations_per_frame};
    static const char *const name[] = {"marker_count",     "frame_count",    "analog_count",
                                       "analog_per_frame", "rotation_count", "rotations_per_frame"};
    for (int n = 0; n < 6; n++)
        if (count[n] < 0)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "%s is %d, a trial cannot have that",
                             name[n], count[n]);
    if (!(options->metres_per_unit > 0 && options->metres_per_unit < 1e300))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "metres_per_unit is %g, it must be above 0",
                         options->metres_per_unit);
    if (!(options->rate >= 0 && options->rate < 1e300))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "rate is %g frames per second",
                         options->rate);
    snw_allocator memory = snw__allocator_or_default(allocator);
    snw_trial *trial = (snw_trial *)snw__allocate(&memory, sizeof *trial);
    if (!trial) return snw__fail_memory(error, sizeof *trial, "a trial");
    trial->allocator = memory;
    trial->marker_count = options->marker_count;
    trial->frame_count = options->frame_count;
    trial->first_frame = 1;
    trial->rate = options->rate;
    trial->metres_per_unit = options->metres_per_unit;
    snw_format(trial->unit, sizeof trial->unit, "%s", options->unit ? options->unit : "");
    /* A tenth of a millimetre: a residual byte then reaches 25 mm, more than any system reports. */
    trial->residual_scale = 1e-4 / options->metres_per_unit;
    trial->storage.order = SNW_ORDER_INTEL;
    trial->analog_count = options->analog_count;
    trial->analog_per_frame = options->analog_per_frame;
    trial->analog_general_scale = 1;
    trial->rotation_count = options->rotation_count;
    trial->rotations_per_frame = options->rotations_per_frame;
    snw_status status = make_arrays(trial, error);
    if (status == SNW_OK)
        status = make_markers(&trial->allocator, trial->marker_count, &trial->marker, error);
    if (status == SNW_OK) status = make_channels(trial, error);
    if (status == SNW_OK)
        status =
            make_markers(&trial->allocator, trial->rotation_count, &trial->rotation_label, error);
    if (status != SNW_OK) {
        snw_trial_destroy(trial);
        return status;
    }
    *out = trial;
    return SNW_OK;
}

static snw_status number_name(snw_trial *trial, char **name, char letter, int index,
                              snw_error *error)
{
    char text[16];
    int length = snw_format(text, sizeof text, "%c%03d", letter, index + 1);
    return snw__trial_text_set(&trial->allocator, name, text, (size_t)length, error);
}

snw_status snw_trial_create(const snw_trial_options *options, const snw_allocator *allocator,
                            snw_trial **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_trial_options defaults = snw_trial_options_default();
    if (SNW__WANTS_DEFAULTS(options)) options = &defaults;
    snw_trial *trial = NULL;
    snw_status status = snw__trial_create_raw(options, allocator, &trial, error);
    if (status != SNW_OK) return status;
    static const snw_sample missing = {0, 0, 0, -1};
    snw__trial_sizes sizes = snw__trial_sizes_of(trial);
    for (size_t n = 0; n < sizes.sample; n++)
        trial->sample[n] = missing;
    memset(trial->state, SNW_SAMPLE_MISSING, sizes.sample);
    memset(trial->analog, 0, sizes.analog * sizeof(float));
    memset(trial->rotation, 0, sizes.rotation * sizeof(float));
    for (size_t n = SNW__ROTATION_NUMBERS - 1; n < sizes.rotation; n += SNW__ROTATION_NUMBERS)
        trial->rotation[n] = -1;
    status = SNW_OK;
    for (int m = 0; m < trial->marker_count && status == SNW_OK; m++)
        status = number_name(trial, &trial->marker[m].name, 'M', m, error);
    for (int c = 0; c < trial->analog_count && status == SNW_OK; c++)
        status = number_name(trial, &trial->analog_channel[c].name, 'A', c, error);
    for (int r = 0; r < trial->rotation_count && status == SNW_OK; r++)
        status = number_name(trial, &trial->rotation_label[r].name, 'R', r, error);
    if (status != SNW_OK) {
        snw_trial_destroy(trial);
        return status;
    }
    *out = trial;
    return snw__succeed(error);
}

/* ---- destroy ------------------------------------------------------------------------------ */

static void release_markers(const snw_allocator *allocator, snw_marker *markers, int count)
{
    for (int m = 0; markers && m < count; m++) {
        snw__trial_text_release(allocator, markers[m].name);
        snw__trial_text_release(allocator, markers[m].description);
    }
    snw__release(allocator, markers, (size_t)count * sizeof *markers);
}

void snw__trial_forget_groups(snw_trial *trial)
{
    const snw_allocator *allocator = &trial->allocator;
    for (int g = 0; g < trial->group_count; g++) {
        snw_parameter_group *group = trial->group + g;
        for (int p = 0; p < group->parameter_count; p++)
            snw__trial_parameter_release(allocator, group->parameter + p);
        snw__release(allocator, group->parameter,
                     (size_t)group->parameter_capacity * sizeof *group->parameter);
        snw__trial_text_release(allocator, group->name);
        snw__trial_text_release(allocator, group->description);
    }
    snw__release(allocator, trial->group, (size_t)trial->group_capacity * sizeof *trial->group);
    trial->group = NULL;
    trial->group_count = trial->group_capacity = 0;
}

void snw_trial_destroy(snw_trial *trial)
{
    if (!trial) return;
    const snw_allocator allocator = trial->allocator;
    snw__trial_sizes sizes = snw__trial_sizes_of(trial);
    snw__release(&allocator, trial->sample, sizes.sample * sizeof *trial->sample);
    snw__release(&allocator, trial->state, sizes.sample);
    snw__release(&allocator, trial->uncertainty, sizes.sample * sizeof(float));
    snw__release(&allocator, trial->analog, sizes.analog * sizeof(float));
    snw__release(&allocator, trial->rotation, sizes.rotation * sizeof(float));
    release_markers(&allocator, trial->marker, trial->marker_count);
    release_markers(&allocator, trial->rotation_label, trial->rotation_count);
    for (int c = 0; trial->analog_channel && c < trial->analog_count; c++) {
        snw__trial_text_release(&allocator, trial->analog_channel[c].name);
        snw__trial_text_release(&allocator, trial->analog_channel[c].description);
        snw__trial_text_release(&allocator, trial->analog_channel[c].unit);
    }
    snw__release(&allocator, trial->analog_channel,
                 (size_t)trial->analog_count * sizeof *trial->analog_channel);
    for (int e = 0; e < trial->event_count; e++) {
        snw__trial_text_release(&allocator, trial->event[e].label);
        snw__trial_text_release(&allocator, trial->event[e].context);
        snw__trial_text_release(&allocator, trial->event[e].subject);
        snw__trial_text_release(&allocator, trial->event[e].description);
    }
    snw__release(&allocator, trial->event, (size_t)trial->event_capacity * sizeof *trial->event);
    snw__trial_forget_groups(trial);
    snw__release(&allocator, trial, sizeof *trial);
}

double snw_trial_time(const snw_trial *trial, int frame)
{
    double number = trial->first_frame > 0 ? trial->first_frame - 1.0 : 0;
    return trial->rate > 0 ? trial->clock_start + (number + frame) / trial->rate : 0;
}
