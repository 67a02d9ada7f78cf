/* The parameter section of a C3D file, read record by record into the groups of a trial.
 *
 *   byte  of the section
 *   0, 1  not used (often 1 and 0x50)
 *   2     number of 512-byte blocks (wraps at 256: the data start is trusted more)
 *   3     83 + byte order
 *   4     records, one after the other:
 *
 *   group record                        parameter record
 *   int8   length of name n, < 0 = locked   the same
 *   int8   -id                              id of its group
 *   n      name                             name
 *   int16  from here to the next record,    the same
 *          0 = this was the last
 *                                           int8   type: -1 char, 1 byte, 2 int16, 4 float
 *                                           uint8  dimensions d
 *                                           d      sizes
 *                                           ...    data
 *   uint8  length of description m          the same
 *   m      description                      description
 *
 * A name of length 0 ends the section. Producers get the "next" word wrong (too short by the
 * description's byte, or by the data), leave out the description, or start the data before the
 * section ends. A record is therefore believed where the next one looks like a record. */
#include "io/c3d.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "trial/trial_memory.h"

enum {
    C3D_SECTION_START = 4,
    C3D_GROUPS_MAX = 128,
};
/* Longest section that is believed. The largest known has 63 blocks; a file of 30 MB that is all
 * parameters is not a capture, and searching it would take minutes. */
#define C3D_SECTION_MAX (4096 * SNW__C3D_BLOCK)

typedef struct c3d_record {
    size_t at;
    bool is_locked;
    int id; /* < 0: a group */
    const char *name;
    size_t name_length;
    size_t next_at;      /* where the next-word stands */
    size_t next;         /* start of the next record as the file says; 0 = last */
    snw_parameter shape; /* type and dimensions only */
    size_t data_at;
    size_t data_size;
    size_t own_end; /* where the record ends by its own content, with its description */
} c3d_record;

/* One section while it is read. */
typedef struct c3d_section {
    const uint8_t *bytes;
    size_t size;
    int64_t file_offset;
    snw_byte_order order;
    snw_notes *notes;
    snw_error *error;
    snw_trial *trial;
    int group_of_id[C3D_GROUPS_MAX]; /* index into trial->group, -1 = none yet */
    int cut_count;                   /* parameters whose data do not fit */
    int undescribed_count;           /* descriptions that do not fit */
    int64_t first_fault;
} c3d_section;

/* ---- one record --------------------------------------------------------------------------- */

static bool parse_shape(const c3d_section *section, c3d_record *record)
{
    size_t at = record->next_at + 2;
    if (at + 2 > section->size) return false;
    int type = snw__c3d_i8(section->bytes[at]);
    int dimensions = section->bytes[at + 1];
    if ((type != -1 && type != 1 && type != 2 && type != 4) || dimensions > 7 ||
        at + 2 + (size_t)dimensions > section->size)
        return false;
    record->shape.type = (snw_parameter_type)type;
    record->shape.dimension_count = dimensions;
    record->data_size = type < 0 ? 1 : (size_t)type;
    for (int d = 0; d < dimensions; d++) {
        record->shape.dimension[d] = section->bytes[at + 2 + (size_t)d];
        record->data_size = snw__size_mul(record->data_size, record->shape.dimension[d]);
    }
    record->data_at = at + 2 + (size_t)dimensions;
    return true;
}

static bool parse_record(const c3d_section *section, size_t at, c3d_record *record)
{
    /* Name and next-word of the record at `at`; false when it is none, or the end mark. */
    memset(record, 0, sizeof *record);
    if (at + 4 > section->size) return false;
    int length = snw__c3d_i8(section->bytes[at]);
    record->at = at;
    record->is_locked = length < 0;
    record->id = snw__c3d_i8(section->bytes[at + 1]);
    record->name = (const char *)section->bytes + at + 2;
    record->name_length = (size_t)(length < 0 ? -length : length);
    record->next_at = at + 2 + record->name_length;
    if (length == 0 || record->id == 0 || record->next_at + 2 > section->size) return false;
    /* Padded names exist: "USED  ", or zeros behind. */
    while (record->name_length > 1 && (record->name[record->name_length - 1] == ' ' ||
                                       record->name[record->name_length - 1] == 0))
        record->name_length--;
    int next = snw__c3d_u16(section->bytes + record->next_at, section->order);
    record->next = next ? record->next_at + (size_t)next : 0;
    for (size_t n = 0; n < record->name_length; n++)
        if ((unsigned char)record->name[n] < 0x20 || record->name[n] == 0x7f) return false;
    record->data_at = record->next_at + 2;
    if (record->id > 0 && !parse_shape(section, record)) return false;
    record->own_end = SIZE_MAX;
    if (record->data_size < section->size - record->data_at)
        record->own_end = record->data_at + record->data_size + 1 +
                          section->bytes[record->data_at + record->data_size];
    return true;
}

/* Whether a record, or the end of the section, may start at `at`. */
static bool is_record(const c3d_section *section, size_t at)
{
    c3d_record record;
    if (at >= section->size) return at == section->size;
    if (section->bytes[at] == 0) return true;
    return parse_record(section, at, &record);
}

/* Where the next record starts; 0 = there is none. Prefers what the file says. */
static size_t find_next(const c3d_section *section, const c3d_record *record)
{
    if (record->next == 0) {
        /* The last record, unless its own end leads to another (Optotrak writes 0 too early). */
        bool has_more = record->own_end < section->size && section->bytes[record->own_end] != 0 &&
                        is_record(section, record->own_end);
        return has_more ? record->own_end : 0;
    }
    if (record->next <= section->size && is_record(section, record->next)) return record->next;
    if (record->own_end <= section->size && is_record(section, record->own_end))
        return record->own_end;
    return record->next < section->size ? record->next : 0;
}

/* After damage: the next record that agrees with itself in every respect, or 0. */
static size_t find_again(const c3d_section *section, size_t from)
{
    for (size_t at = from; at + 8 < section->size; at++) {
        c3d_record record;
        bool is_sound = parse_record(section, at, &record) && record.name_length >= 3 &&
                        record.next == record.own_end && record.own_end < section->size &&
                        record.name[0] >= 'A' && record.name[0] <= 'Z';
        if (is_sound && is_record(section, record.next)) return at;
    }
    return 0;
}

/* ---- into the trial ----------------------------------------------------------------------- */

static snw_status no_memory(const c3d_section *section, size_t size)
{
    return snw__fail_memory(section->error, size, "the parameters of a C3D file");
}

static void count_fault(c3d_section *section, size_t at, int *counter)
{
    (*counter)++;
    if (section->first_fault < 0) section->first_fault = section->file_offset + (int64_t)at;
}

/* The description between `at` and `limit`. */
static snw_status set_description(c3d_section *section, size_t at, size_t limit, char **text)
{
    size_t length = at < limit ? section->bytes[at] : 0;
    if (at >= limit || length > limit - at - 1) {
        count_fault(section, at, &section->undescribed_count);
        return SNW_OK;
    }
    const char *from = (const char *)section->bytes + at + 1;
    return snw__trial_text_set(&section->trial->allocator, text, from, length, section->error);
}

static snw_status make_group(c3d_section *section, int id, const char *name, size_t length)
{
    snw_parameter_group *group = snw__trial_add_group(section->trial, name, length);
    if (!group) return no_memory(section, sizeof *group);
    group->id = id;
    section->group_of_id[id] = section->trial->group_count - 1;
    return SNW_OK;
}

static bool has_name(const snw_parameter_group *group, const c3d_record *record)
{
    return strlen(group->name) == record->name_length &&
           memcmp(group->name, record->name, record->name_length) == 0;
}

static snw_status add_group(c3d_section *section, const c3d_record *record, size_t limit)
{
    int id = -record->id;
    if (id >= C3D_GROUPS_MAX) return SNW_OK;
    int index = section->group_of_id[id];
    snw_status status = SNW_OK;
    if (index >= 0 && section->trial->group[index].name[0] == 0) /* Its parameters came first. */
        status = snw__trial_text_set(&section->trial->allocator, &section->trial->group[index].name,
                                     record->name, record->name_length, section->error);
    else if (index < 0 || (!has_name(section->trial->group + index, record) &&
                           section->trial->group_count < 2 * C3D_GROUPS_MAX))
        status = make_group(section, id, record->name, record->name_length);
    if (status != SNW_OK) return status;
    snw_parameter_group *group = section->trial->group + section->group_of_id[id];
    group->is_locked = record->is_locked;
    return set_description(section, record->data_at, limit, &group->description);
}

/* Cuts the last dimension so that the data fit into `room` bytes. */
static void cut_to(c3d_record *record, size_t room)
{
    snw_parameter *shape = &record->shape;
    size_t stride = shape->type < 0 ? 1 : (size_t)shape->type;
    for (int d = 0; d + 1 < shape->dimension_count; d++)
        stride = snw__size_mul(stride, shape->dimension[d]);
    if (shape->dimension_count == 0) { /* a single number that is not there */
        shape->dimension_count = 1;
        shape->dimension[0] = 0;
        record->data_size = 0;
        return;
    }
    size_t whole = stride ? room / stride : 0;
    shape->dimension[shape->dimension_count - 1] = (uint8_t)(whole < 255 ? whole : 255);
    record->data_size = stride * shape->dimension[shape->dimension_count - 1];
}

static snw_status add_parameter(c3d_section *section, c3d_record *record, size_t limit)
{
    snw_trial *trial = section->trial;
    size_t room = limit - record->data_at;
    if (record->data_at > limit) room = 0;
    if (record->data_size > room) {
        count_fault(section, record->at, &section->cut_count);
        cut_to(record, room);
    }
    if (section->group_of_id[record->id] < 0) {
        snw_status status = make_group(section, record->id, "", 0);
        if (status != SNW_OK) return status;
    }
    snw_parameter_group *group = trial->group + section->group_of_id[record->id];
    snw_parameter *parameter =
        snw__trial_add_parameter(trial, group, record->name, record->name_length);
    if (!parameter) return no_memory(section, sizeof *parameter);
    parameter->data = snw__allocate(&trial->allocator, record->data_size);
    if (!parameter->data) return no_memory(section, record->data_size);
    parameter->byte_count = record->data_size;
    parameter->is_locked = record->is_locked;
    parameter->type = record->shape.type;
    parameter->dimension_count = record->shape.dimension_count;
    memcpy(parameter->dimension, record->shape.dimension, sizeof parameter->dimension);
    /* From the file's byte order to the host's. */
    void *to = parameter->data;
    const uint8_t *from = section->bytes + record->data_at;
    if (record->shape.type == SNW_PARAMETER_FLOAT) {
        snw__c3d_floats(from, (float *)to, record->data_size / 4, section->order);
    } else if (record->shape.type == SNW_PARAMETER_INT16) {
        int16_t *word = (int16_t *)to;
        for (size_t n = 0; n < record->data_size / 2; n++)
            word[n] = (int16_t)(uint16_t)snw__c3d_u16(from + 2 * n, section->order);
    } else if (record->data_size) {
        memcpy(to, from, record->data_size);
    }
    return set_description(section, record->data_at + record->data_size, limit,
                           &parameter->description);
}

/* ---- the section -------------------------------------------------------------------------- */

static snw_status read_records(c3d_section *section)
{
    size_t at = C3D_SECTION_START;
    while (at && at + 2 < section->size && section->bytes[at] != 0) {
        c3d_record record;
        if (!parse_record(section, at, &record)) {
            /* What is no record is skipped. */
            size_t again = find_again(section, at + 1);
            int64_t byte = section->file_offset + (int64_t)at;
            if (again)
                snw__note(section->notes, SNW_NOTE_CONTENT_LEFT_OUT, snw__at_byte(byte),
                          "the parameters are damaged at byte %lld; %zu %s left out",
                          (long long)byte, again - at,
                          snw__plural((int64_t)(again - at), "byte was", "bytes were"));
            else
                snw__note(section->notes, SNW_NOTE_CONTENT_DAMAGED, snw__at_byte(byte),
                          "the parameters are damaged at byte %lld; any that followed are lost",
                          (long long)byte);
            at = again;
            continue;
        }
        size_t next = find_next(section, &record);
        /* A "next" that goes back would go round for ever. */
        if (next && next <= record.next_at + 1) next = 0;
        size_t limit = next && next < section->size ? next : section->size;
        snw_status status = record.id < 0 ? add_group(section, &record, limit)
                                          : add_parameter(section, &record, limit);
        if (status != SNW_OK) return status;
        at = next;
    }
    return SNW_OK;
}

static snw_status read_section(c3d_section *section, snw_notes *notes)
{
    section->notes = notes;
    section->cut_count = section->undescribed_count = 0;
    section->first_fault = -1;
    for (int id = 0; id < C3D_GROUPS_MAX; id++)
        section->group_of_id[id] = -1;
    snw_status status = read_records(section);
    if (status == SNW_OK) {
        for (int g = 0; g < section->trial->group_count; g++) {
            snw_parameter_group *group = section->trial->group + g;
            if (group->name[0]) continue;
            char name[24];
            int length = snw_format(name, sizeof name, "GROUP%d", group->id);
            status = snw__trial_text_set(&section->trial->allocator, &group->name, name,
                                         (size_t)length, section->error);
            if (status != SNW_OK) return status;
            snw__note(section->notes, SNW_NOTE_LABEL_MADE, snw__at_byte(section->file_offset),
                      "%d %s to group %d, which has no name; it is called %s here",
                      group->parameter_count,
                      snw__plural(group->parameter_count, "parameter belongs", "parameters belong"),
                      group->id, name);
        }
    }
    if (status == SNW_OK) {
        if (section->cut_count)
            snw__note(section->notes, SNW_NOTE_CONTENT_CUT, snw__at_byte(section->first_fault),
                      "%d %s cut", section->cut_count,
                      snw__plural(section->cut_count,
                                  "parameter claims more data than it has; it was",
                                  "parameters claim more data than they have; they were"));
        if (section->undescribed_count)
            snw__note(section->notes, SNW_NOTE_CONTENT_DAMAGED, snw__at_byte(section->first_fault),
                      "%d %s without a description; it was left empty", section->undescribed_count,
                      snw__plural(section->undescribed_count, "parameter or group is",
                                  "parameters or groups are"));
    }
    return status;
}

/* Twice: the first time only to learn where the data begin. */
static snw_status read_both_times(c3d_section *section, const snw__c3d_header *header,
                                  snw_notes *notes)
{
    snw_status status = read_section(section, NULL);
    if (status != SNW_OK) return status;
    /* Where header and POINT:DATA_START agree that the data begin inside the section, everything
     * behind that is data: read again up to there. */
    const snw_parameter *start = snw_trial_find_parameter(section->trial, "POINT", "DATA_START");
    int block = (int)snw__c3d_number(start, 0, true, 0);
    int64_t offset = (int64_t)(header->data_block - 1) * SNW__C3D_BLOCK - section->file_offset;
    bool is_inside = block == header->data_block && offset > C3D_SECTION_START &&
                     offset < (int64_t)section->size;
    size_t size = is_inside ? (size_t)offset : section->size;
    snw__trial_forget_groups(section->trial);
    section->size = size;
    return read_section(section, notes);
}

snw_status snw__c3d_parameters_read(snw__reading *reading, const snw__c3d_header *header,
                                    snw_trial *shell)
{
    int64_t offset = (int64_t)(header->parameter_block - 1) * SNW__C3D_BLOCK;
    uint8_t start[C3D_SECTION_START] = {0};
    if (offset + C3D_SECTION_START > reading->source.size) return SNW_OK;
    snw_status status = snw__reading_at(reading, offset, start, sizeof start);
    if (status != SNW_OK) return status;
    /* How many bytes the section may have: as its block count says, or up to the data. */
    int64_t said = (int64_t)start[2] * SNW__C3D_BLOCK;
    int64_t to_data = (int64_t)(header->data_block - 1) * SNW__C3D_BLOCK - offset;
    if (said < to_data) said = to_data;
    if (said > C3D_SECTION_MAX) said = C3D_SECTION_MAX;
    if (said > reading->source.size - offset) said = reading->source.size - offset;
    size_t size = said > 0 ? (size_t)said : 0;
    uint8_t *bytes = (uint8_t *)snw__allocate(&reading->allocator, size);
    if (!bytes) return snw__fail_memory(reading->error, size, "the parameters of a C3D file");
    status = snw__reading_at(reading, offset, bytes, size);
    c3d_section section;
    memset(&section, 0, sizeof section);
    section.bytes = bytes;
    section.size = size;
    section.file_offset = offset;
    section.order = header->order;
    section.error = reading->error;
    section.trial = shell;
    if (status == SNW_OK) status = read_both_times(&section, header, reading->notes);
    snw__release(&reading->allocator, bytes, size);
    return status;
}
