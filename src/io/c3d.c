/* Reading C3D: header, parameters, layout, data, and from the parameters the names, units and
 * events of the trial. See c3d.h for the parts. */
#include "io/c3d.h"

#include <string.h>

#include "base/fail.h"
#include "trial/trial_memory.h"

/* Words of the header that no other file has alike, in either order of bytes: frames that count
 * upwards, and data that start in one of the blocks behind the parameters. */
static bool has_header(const uint8_t *head, size_t size)
{
    enum {
        FIRST_FRAME = 6,
        LAST_FRAME = 8,
        DATA_BLOCK = 16,
        BLOCKS_MOST = 1024 /* parameters of half a megabyte */
    };
    for (int high = 0; size >= DATA_BLOCK + 2 && high < 2; high++) {
        int word[3];
        const int at[3] = {FIRST_FRAME, LAST_FRAME, DATA_BLOCK};
        for (int k = 0; k < 3; k++)
            word[k] = head[at[k] + !high] << 8 | head[at[k] + high];
        if (word[0] <= word[1] && word[2] > head[0] && word[2] <= BLOCKS_MOST) return true;
    }
    return false;
}

/* Key byte, and bytes that no text has among the first 512 (a CSV may start with "LP..."); then the
 * parameter section stands where the first byte says, or the header is one. A wrong key is forgiven
 * where both are. */
static bool c3d_sniff(const uint8_t *head, size_t size)
{
    if (size < 4) return false;
    size_t look = size < SNW__C3D_BLOCK ? size : SNW__C3D_BLOCK;
    bool is_binary = false;
    for (size_t n = 0; n < look && !is_binary; n++)
        is_binary = head[n] < 9;
    if (!is_binary) return false;
    size_t section = head[0] >= 2 ? ((size_t)head[0] - 1) * SNW__C3D_BLOCK : SIZE_MAX;
    bool has_section = section < size - 3 && head[section + 3] >= 84 && head[section + 3] <= 86;
    if (head[1] != SNW__C3D_KEY) return has_section && has_header(head, size);
    return has_section || has_header(head, size);
}

/* ---- names and channels ------------------------------------------------------------------- */

/* Element `index` of a list of strings into *text; false where the list ends before. */
static bool take_text(snw_trial *trial, snw__c3d_list *list, int index, char **text,
                      snw_status *status, snw_error *error)
{
    int inside;
    size_t length;
    const snw_parameter *parameter = snw__c3d_list_at(list, index, &inside);
    if (!parameter || *status != SNW_OK) return false;
    const char *from = snw__c3d_string(parameter, inside, &length);
    *status = snw__trial_text_set(&trial->allocator, text, from, length, error);
    return true;
}

static snw_status number_text(snw_trial *trial, char **text, char letter, int index,
                              snw_error *error)
{
    char name[16];
    int length = snw_format(name, sizeof name, "%c%03d", letter, index + 1);
    return snw__trial_text_set(&trial->allocator, text, name, (size_t)length, error);
}

/* Names and descriptions of points or rotations. */
static snw_status read_names(snw__reading *reading, snw_trial *trial, const char *group,
                             snw_marker *marker, int count)
{
    snw__c3d_list labels = snw__c3d_list_start(trial, group, "LABELS");
    snw__c3d_list descriptions = snw__c3d_list_start(trial, group, "DESCRIPTIONS");
    snw_status status = SNW_OK;
    int unnamed = 0;
    for (int m = 0; m < count && status == SNW_OK; m++) {
        if (!take_text(trial, &labels, m, &marker[m].name, &status, reading->error)) {
            unnamed++;
            status = number_text(trial, &marker[m].name, 'M', m, reading->error);
        }
        (void)take_text(trial, &descriptions, m, &marker[m].description, &status, reading->error);
    }
    int labelled = snw__c3d_list_count(trial, group, "LABELS");
    if (unnamed)
        snw__note(reading->notes, SNW_NOTE_LABEL_MADE, SNW__NOWHERE, "%d of %d in %s %s numbered",
                  unnamed, count, group,
                  snw__plural(unnamed, "has no label; it was", "have no label; they were"));
    else if (labelled > count && labelled > 1)
        snw__note(reading->notes, SNW_NOTE_LABEL_MADE, SNW__NOWHERE,
                  "%s has %d labels for %d; the rest stays a parameter", group, labelled, count);
    return status;
}

static double list_number(snw__c3d_list *list, int index, bool is_unsigned, double fallback)
{
    int inside;
    const snw_parameter *parameter = snw__c3d_list_at(list, index, &inside);
    return snw__c3d_number(parameter, inside, is_unsigned, fallback);
}

static snw_status read_channels(snw__reading *reading, snw_trial *trial)
{
    snw__c3d_list labels = snw__c3d_list_start(trial, "ANALOG", "LABELS");
    snw__c3d_list descriptions = snw__c3d_list_start(trial, "ANALOG", "DESCRIPTIONS");
    snw__c3d_list units = snw__c3d_list_start(trial, "ANALOG", "UNITS");
    snw__c3d_list scales = snw__c3d_list_start(trial, "ANALOG", "SCALE");
    snw__c3d_list offsets = snw__c3d_list_start(trial, "ANALOG", "OFFSET");
    if (!offsets.parameter) offsets = snw__c3d_list_start(trial, "ANALOG", "OFFSETS");
    const snw_parameter *general = snw_trial_find_parameter(trial, "ANALOG", "GEN_SCALE");
    trial->analog_general_scale = snw__c3d_number(general, 0, false, 1);
    snw_status status = SNW_OK;
    for (int c = 0; c < trial->analog_count && status == SNW_OK; c++) {
        snw_analog_channel *channel = trial->analog_channel + c;
        if (!take_text(trial, &labels, c, &channel->name, &status, reading->error))
            status = number_text(trial, &channel->name, 'A', c, reading->error);
        (void)take_text(trial, &descriptions, c, &channel->description, &status, reading->error);
        (void)take_text(trial, &units, c, &channel->unit, &status, reading->error);
        channel->scale = list_number(&scales, c, false, 1);
        channel->offset = list_number(&offsets, c, trial->analog_is_unsigned, 0);
    }
    return status;
}

/* ---- the trial ---------------------------------------------------------------------------- */

static snw_status fill_trial(snw__reading *reading, const snw__c3d_header *header,
                             snw__c3d_layout *layout, snw_trial *trial)
{
    size_t length;
    const char *format =
        snw__c3d_string(snw_trial_find_parameter(trial, "ANALOG", "FORMAT"), 0, &length);
    trial->analog_is_unsigned =
        length >= 8 && (memcmp(format, "UNSIGNED", 8) == 0 || memcmp(format, "unsigned", 8) == 0);
    snw_status status = snw__c3d_data_read(reading, layout, trial);
    if (status == SNW_OK)
        status = read_names(reading, trial, "POINT", trial->marker, trial->marker_count);
    if (status == SNW_OK && trial->rotation_count)
        status =
            read_names(reading, trial, "ROTATION", trial->rotation_label, trial->rotation_count);
    if (status == SNW_OK) status = read_channels(reading, trial);
    if (status == SNW_OK) status = snw__c3d_events_read(reading, header, trial);
    if (status != SNW_OK) return status;
    snw__c3d_scale_settle(reading, header, trial);
    snw__c3d_overflow_mend(reading, layout, trial);
    snw__c3d_axes_read(reading, trial);
    return SNW_OK;
}

static snw_status read_with_shell(snw__reading *reading, snw_trial *shell, snw_trial **out)
{
    snw__c3d_header header;
    snw__c3d_layout layout;
    snw_status status = snw__c3d_header_read(reading, &header);
    if (status == SNW_OK) status = snw__c3d_parameters_read(reading, &header, shell);
    if (status != SNW_OK) return status;
    if (shell->group_count == 0)
        snw__note(reading->notes, SNW_NOTE_FORM_UNUSUAL,
                  snw__at_byte((int64_t)(header.parameter_block - 1) * SNW__C3D_BLOCK),
                  "the file has no parameters; everything is taken from the header");
    status = snw__c3d_layout_settle(reading, &header, shell, &layout);
    if (status != SNW_OK) return status;
    if (layout.frame_count == 0) {
        /* Without frames nothing proves that markers and channels exist: only those with a name
         * count. */
        int markers = snw__c3d_list_count(shell, "POINT", "LABELS");
        int channels = snw__c3d_list_count(shell, "ANALOG", "LABELS");
        if (layout.point_count > markers) layout.point_count = markers;
        if (layout.analog_count > channels) layout.analog_count = channels;
    }
    uint64_t frames = (uint64_t)layout.frame_count;
    uint64_t bytes = frames * (uint64_t)layout.point_count * (sizeof(snw_sample) + 1);
    bytes += frames * (uint64_t)layout.analog_count * (uint64_t)layout.analog_per_frame * 4;
    bytes += frames * (uint64_t)layout.rotation_count * (uint64_t)layout.rotations_per_frame *
             SNW__ROTATION_NUMBERS * 4;
    status = snw__reading_check_memory(reading, bytes);
    if (status != SNW_OK) return status;
    snw_trial_options options = snw_trial_options_default();
    options.marker_count = layout.point_count;
    options.frame_count = layout.frame_count;
    options.rate = layout.rate;
    options.analog_count = layout.analog_count;
    options.analog_per_frame = layout.analog_per_frame;
    options.rotation_count = layout.rotation_count;
    options.rotations_per_frame = layout.rotations_per_frame;
    status = snw__trial_create_raw(&options, &reading->allocator, out, reading->error);
    if (status != SNW_OK) return status;
    (*out)->first_frame = layout.first_frame;
    (*out)->cut_frame_count = layout.cut_frame_count;
    (*out)->residual_scale = layout.scale;
    (*out)->storage = layout.storage;
    snw_trial *to = *out;
    to->group = shell->group;
    to->group_count = shell->group_count;
    to->group_capacity = shell->group_capacity;
    shell->group = NULL;
    shell->group_count = shell->group_capacity = 0;
    return fill_trial(reading, &header, &layout, *out);
}

static snw_status c3d_read_trial(snw__reading *reading, snw_trial **out)
{
    const snw_trial_options nothing = snw_trial_options_default();
    snw_trial *shell = NULL;
    snw_status status =
        snw__trial_create_raw(&nothing, &reading->allocator, &shell, reading->error);
    if (status != SNW_OK) return status;
    status = read_with_shell(reading, shell, out);
    snw_trial_destroy(shell);
    if (status != SNW_OK) {
        snw_trial_destroy(*out);
        *out = NULL;
    }
    return status;
}

const snw__format snw__format_c3d = {
    "C3D", "c3d", c3d_sniff, c3d_read_trial, snw__c3d_write_trial, NULL, NULL, NULL, NULL,
};
