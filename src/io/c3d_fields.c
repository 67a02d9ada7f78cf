/* Which parameters a C3D file needs, made from the trial: what c3d.org calls required (POINT,
 * ANALOG, FORCE_PLATFORM:USED), TRIAL:ACTUAL_* because frame counts of 16 bits are too small,
 * ROTATION where there are rotations, EVENT where there are events. */
#include "io/c3d.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "trial/trial_memory.h"

/* ---- what stands in the lists ------------------------------------------------------------- */

static const char *marker_name(const snw_trial *trial, int index)
{
    return trial->marker[index].name;
}

static const char *marker_description(const snw_trial *trial, int index)
{
    return trial->marker[index].description;
}

static const char *rotation_name(const snw_trial *trial, int index)
{
    return trial->rotation_label[index].name;
}

static const char *rotation_description(const snw_trial *trial, int index)
{
    return trial->rotation_label[index].description;
}

static const char *channel_name(const snw_trial *trial, int index)
{
    return trial->analog_channel[index].name;
}

static const char *channel_description(const snw_trial *trial, int index)
{
    return trial->analog_channel[index].description;
}

static const char *channel_unit(const snw_trial *trial, int index)
{
    return trial->analog_channel[index].unit;
}

static double channel_scale(const snw_trial *trial, int index)
{
    return trial->analog_channel[index].scale;
}

static double channel_offset(const snw_trial *trial, int index)
{
    return trial->analog_channel[index].offset;
}

static double frame_word(int64_t frame, int index)
{
    return (double)(index ? frame >> 16 & 65535 : frame & 65535);
}

static double first_frame_word(const snw_trial *trial, int index)
{
    return frame_word(trial->first_frame, index);
}

static double last_frame_word(const snw_trial *trial, int index)
{
    return frame_word((int64_t)trial->first_frame + trial->frame_count - 1, index);
}

/* ---- groups ------------------------------------------------------------------------------- */

/* Several settings one after the other, until one fails. */
typedef struct c3d_setter {
    snw_trial *shell;
    const snw_trial *trial;
    snw_error *error;
    snw_status status;
} c3d_setter;

static void number(c3d_setter *set, const char *group, const char *name, snw_parameter_type type,
                   double value)
{
    if (set->status == SNW_OK)
        set->status = snw__c3d_set_number(set->shell, group, name, type, value, set->error);
}

static void texts(c3d_setter *set, const char *group, const char *name, int count,
                  snw__c3d_text_at *at)
{
    /* A file that came without, say, descriptions goes without; a new one has every list. */
    bool may_be_absent =
        strcmp(name, "LABELS") != 0 && snw__trial_find_group(set->trial, group) != NULL;
    const snw__c3d_list_spec spec = {group,      name, count, 1, may_be_absent, SNW_PARAMETER_CHAR,
                                     set->trial, NULL, at};
    if (set->status == SNW_OK) set->status = snw__c3d_set_texts(set->shell, &spec, set->error);
}

static void numbers(c3d_setter *set, const char *group, const char *name, int count,
                    snw_parameter_type type, snw__c3d_number_at *at)
{
    const snw__c3d_list_spec spec = {group, name, count, 1, false, type, set->trial, at, NULL};
    if (set->status == SNW_OK) set->status = snw__c3d_set_numbers(set->shell, &spec, set->error);
}

/* A single string; an old one that reads the same stays. */
static void text(c3d_setter *set, const char *group, const char *name, const char *value)
{
    size_t length, wanted = strlen(value);
    const snw_parameter *old = snw_trial_find_parameter(set->shell, group, name);
    const char *there = snw__c3d_string(old, 0, &length);
    while (length && *there == ' ') {
        there++;
        length--;
    }
    if (set->status != SNW_OK) return;
    if (old && length == wanted && memcmp(there, value, wanted) == 0) return;
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = (char *)name; /* only read, like the value */
    parameter.description = old ? old->description : NULL;
    parameter.type = SNW_PARAMETER_CHAR;
    parameter.dimension_count = 1;
    parameter.dimension[0] = (uint8_t)(wanted < 255 ? wanted : 255);
    parameter.byte_count = parameter.dimension[0];
    parameter.data = (void *)value;
    set->status = snw_trial_set_parameter(set->shell, group, &parameter, set->error);
}

static void update_point(c3d_setter *set, const snw__c3d_job *job)
{
    const snw_trial *trial = set->trial;
    double scale = job->storage.is_integer ? job->scale : -job->scale;
    int frames = trial->frame_count;
    number(set, "POINT", "USED", SNW_PARAMETER_INT16, trial->marker_count);
    number(set, "POINT", "SCALE", SNW_PARAMETER_FLOAT, scale);
    number(set, "POINT", "RATE", SNW_PARAMETER_FLOAT, trial->rate);
    number(set, "POINT", "DATA_START", SNW_PARAMETER_INT16, 2);
    /* 65535 means: look at TRIAL:ACTUAL_END_FIELD. */
    const snw_parameter *wide = snw_trial_find_parameter(set->shell, "POINT", "LONG_FRAMES");
    const snw_parameter *old = snw_trial_find_parameter(set->shell, "POINT", "FRAMES");
    bool is_wide = old && old->type == SNW_PARAMETER_FLOAT;
    number(set, "POINT", "FRAMES", SNW_PARAMETER_INT16, frames < 65535 || is_wide ? frames : 65535);
    if (wide || frames > 65535) number(set, "POINT", "LONG_FRAMES", SNW_PARAMETER_FLOAT, frames);
    text(set, "POINT", "UNITS", job->unit);
    texts(set, "POINT", "LABELS", trial->marker_count, marker_name);
    texts(set, "POINT", "DESCRIPTIONS", trial->marker_count, marker_description);
    /* Y_SCREEN, the only place for the axis that points up; X_SCREEN one that is not it. Not
     * written where a reader comes to the same axis without. */
    static const char *const axes[] = {"+X", "+Y", "+Z", "-X", "-Y", "-Z"};
    snw_up_axis up = set->trial->up;
    bool is_new = snw__trial_find_group(set->trial, "POINT") == NULL;
    if (up == SNW_UP_UNKNOWN || (!is_new && snw__c3d_axes_up(set->trial) == up)) return;
    bool is_x = up == SNW_UP_X || up == SNW_UP_NEGATIVE_X;
    text(set, "POINT", "X_SCREEN", is_x ? "+Y" : "+X");
    text(set, "POINT", "Y_SCREEN", axes[up - SNW_UP_X]);
}

static void update_analog(c3d_setter *set)
{
    const snw_trial *trial = set->trial;
    int count = trial->analog_count;
    number(set, "ANALOG", "USED", SNW_PARAMETER_INT16, count);
    number(set, "ANALOG", "GEN_SCALE", SNW_PARAMETER_FLOAT, trial->analog_general_scale);
    if (count == 0) {
        /* What the group of a file says beside that is kept; a new one is made whole, for some
         * readers stop where a parameter is missing. */
        if (!snw__trial_find_group(trial, "ANALOG")) {
            static const struct {
                const char *name;
                snw_parameter_type type;
                int dimensions;
            } lists[] = {{"LABELS", SNW_PARAMETER_CHAR, 2},
                         {"DESCRIPTIONS", SNW_PARAMETER_CHAR, 2},
                         {"UNITS", SNW_PARAMETER_CHAR, 2},
                         {"SCALE", SNW_PARAMETER_FLOAT, 1},
                         {"OFFSET", SNW_PARAMETER_INT16, 1}};
            number(set, "ANALOG", "RATE", SNW_PARAMETER_FLOAT, set->trial->rate);
            for (size_t n = 0; n < sizeof lists / sizeof *lists && set->status == SNW_OK; n++) {
                snw_parameter parameter;
                memset(&parameter, 0, sizeof parameter);
                parameter.name = (char *)lists[n].name; /* only read */
                parameter.type = lists[n].type;
                parameter.dimension_count = lists[n].dimensions;
                if (lists[n].dimensions == 2) parameter.dimension[0] = 4;
                set->status = snw_trial_set_parameter(set->shell, "ANALOG", &parameter, set->error);
            }
        }
        return;
    }
    /* One part in a million: the frame rate of the file may itself be rounded. */
    double rate = trial->rate * trial->analog_per_frame;
    const snw_parameter *old = snw_trial_find_parameter(set->shell, "ANALOG", "RATE");
    if (!(fabs(snw__c3d_number(old, 0, false, 0) - rate) <= 1e-6 * rate))
        number(set, "ANALOG", "RATE", SNW_PARAMETER_FLOAT, rate);
    texts(set, "ANALOG", "LABELS", count, channel_name);
    texts(set, "ANALOG", "DESCRIPTIONS", count, channel_description);
    texts(set, "ANALOG", "UNITS", count, channel_unit);
    numbers(set, "ANALOG", "SCALE", count, SNW_PARAMETER_FLOAT, channel_scale);
    bool are_words = true;
    double low = trial->analog_is_unsigned ? 0 : -32768;
    double high = trial->analog_is_unsigned ? 65535 : 32767;
    for (int c = 0; c < trial->analog_count; c++) {
        double offset = trial->analog_channel[c].offset;
        are_words = are_words && offset >= low && offset <= high && offset == floor(offset);
    }
    numbers(set, "ANALOG", "OFFSET", count, are_words ? SNW_PARAMETER_INT16 : SNW_PARAMETER_FLOAT,
            channel_offset);
    if (trial->analog_is_unsigned) text(set, "ANALOG", "FORMAT", "UNSIGNED");
}

static void update_rotation(c3d_setter *set)
{
    const snw_trial *trial = set->trial;
    if (trial->rotation_count == 0) {
        if (snw__trial_find_group(set->shell, "ROTATION"))
            number(set, "ROTATION", "USED", SNW_PARAMETER_INT16, 0);
        return;
    }
    number(set, "ROTATION", "USED", SNW_PARAMETER_INT16, trial->rotation_count);
    number(set, "ROTATION", "RATIO", SNW_PARAMETER_INT16, trial->rotations_per_frame);
    number(set, "ROTATION", "RATE", SNW_PARAMETER_FLOAT, trial->rate * trial->rotations_per_frame);
    number(set, "ROTATION", "DATA_START", SNW_PARAMETER_INT16, 2);
    texts(set, "ROTATION", "LABELS", trial->rotation_count, rotation_name);
    texts(set, "ROTATION", "DESCRIPTIONS", trial->rotation_count, rotation_description);
}

snw_status snw__c3d_fields_update(const snw__c3d_job *job, snw_trial *shell, snw_error *error)
{
    c3d_setter set = {shell, job->trial, error, SNW_OK};
    update_point(&set, job);
    update_analog(&set);
    if (!snw_trial_find_parameter(shell, "FORCE_PLATFORM", "USED"))
        number(&set, "FORCE_PLATFORM", "USED", SNW_PARAMETER_INT16, 0);
    bool has_fields = snw_trial_find_parameter(shell, "TRIAL", "ACTUAL_END_FIELD") != NULL;
    if (job->trial->frame_count > 0 || has_fields) {
        numbers(&set, "TRIAL", "ACTUAL_START_FIELD", 2, SNW_PARAMETER_INT16, first_frame_word);
        numbers(&set, "TRIAL", "ACTUAL_END_FIELD", 2, SNW_PARAMETER_INT16, last_frame_word);
    }
    update_rotation(&set);
    if (job->factor != 1) {
        /* FORCE_PLATFORM:CORNERS and ORIGIN are lengths in POINT:UNITS. */
        double factor = job->factor;
        static const char *const names[] = {"CORNERS", "ORIGIN"};
        for (int n = 0; n < 2; n++) {
            const snw_parameter *found =
                snw_trial_find_parameter(set.shell, "FORCE_PLATFORM", names[n]);
            if (!found || found->type != SNW_PARAMETER_FLOAT) continue;
            float *value = (float *)found->data;
            for (size_t i = 0; i < found->byte_count / sizeof *value; i++)
                value[i] = (float)(value[i] * factor);
        }
    }
    if (set.status == SNW_OK) set.status = snw__c3d_events_update(job->trial, shell, error);
    return set.status;
}

snw_status snw__c3d_fields_place(snw_trial *shell, int data_block, int64_t rotation_block,
                                 snw_error *error)
{
    c3d_setter set = {shell, NULL, error, SNW_OK};
    number(&set, "POINT", "DATA_START", SNW_PARAMETER_INT16, data_block);
    if (rotation_block)
        number(&set, "ROTATION", "DATA_START",
               rotation_block > 65535 ? SNW_PARAMETER_FLOAT : SNW_PARAMETER_INT16,
               (double)rotation_block);
    return set.status;
}
