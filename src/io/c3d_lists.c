/* Numbers and names of a trial as C3D parameters. A parameter that already says the same is left as
 * it was read, type, width, spare entries and all; so a file that is only copied keeps its bytes.
 *
 * A dimension has one byte, so lists longer than 255 continue in NAME2, NAME3... */
#include "io/c3d.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "trial/trial_memory.h"

/* Data of one parameter: the distance to the next record is a 16-bit word that many read as signed.
 */
enum {
    C3D_DATA_MAX = 32000
};

/* Sets a parameter but keeps the description and the lock of the one it replaces. */
static snw_status set_parameter(snw_trial *shell, const char *group, snw_parameter *parameter,
                                snw_error *error)
{
    const snw_parameter *old = snw_trial_find_parameter(shell, group, parameter->name);
    if (old) {
        parameter->description = old->description;
        parameter->is_locked = old->is_locked;
    }
    return snw_trial_set_parameter(shell, group, parameter, error);
}

/* One number as the bytes of a type; floats and words in host order. */
static void put_number(snw_parameter_type type, double value, uint8_t *to)
{
    if (type == SNW_PARAMETER_FLOAT) {
        float number = (float)value;
        memcpy(to, &number, sizeof number);
    } else {
        /* Counts above 32767 are stored as unsigned words. */
        int whole = value >= -32768 && value <= 65535 ? (int)value : 0;
        uint16_t word = (uint16_t)whole;
        memcpy(to, &word, sizeof word);
    }
}

static bool says(const snw_parameter *parameter, int index, double value)
{
    if (!parameter || parameter->type == SNW_PARAMETER_CHAR) return false;
    /* As it will be when it is read. */
    double wanted = parameter->type == SNW_PARAMETER_FLOAT ? (double)(float)value : value;
    double is_signed = snw__c3d_number(parameter, index, false, NAN);
    double is_unsigned = snw__c3d_number(parameter, index, true, NAN);
    return is_signed == wanted || is_unsigned == wanted;
}

snw_status snw__c3d_set_number(snw_trial *shell, const char *group, const char *name,
                               snw_parameter_type type, double value, snw_error *error)
{
    const snw_parameter *old = snw_trial_find_parameter(shell, group, name);
    if (says(old, 0, value)) return SNW_OK;
    if (old && old->type == SNW_PARAMETER_FLOAT) type = SNW_PARAMETER_FLOAT;
    uint8_t data[4];
    put_number(type, value, data);
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = (char *)name; /* only read */
    parameter.type = type;
    parameter.byte_count = (size_t)type;
    parameter.data = data;
    return set_parameter(shell, group, &parameter, error);
}

/* ---- lists -------------------------------------------------------------------------------- */

static void part_name(const char *name, int part, char text[32])
{
    if (part == 1)
        snw_format(text, 32, "%s", name);
    else
        snw_format(text, 32, "%s%d", name, part);
}

/* Empties the parts of a list from `part` on, which an earlier, longer list has left. */
static snw_status clear_rest(snw_trial *shell, const snw__c3d_list_spec *spec, int part,
                             snw_error *error)
{
    for (;; part++) {
        char name[32];
        part_name(spec->name, part, name);
        const snw_parameter *old = snw_trial_find_parameter(shell, spec->group, name);
        if (!old) return SNW_OK;
        snw_parameter empty = *old;
        int last = empty.dimension_count ? empty.dimension_count - 1 : 0;
        empty.dimension_count = last + 1;
        empty.dimension[last] = 0;
        empty.byte_count = 0;
        snw_status status = snw_trial_set_parameter(shell, spec->group, &empty, error);
        if (status != SNW_OK) return status;
    }
}

/* LABELS, LABELS2...: as many entries as one parameter can hold. */
typedef struct c3d_list_part {
    int number;   /* from 1 */
    int count;    /* entries */
    size_t width; /* numbers or letters of an entry */
    void *data;
} c3d_list_part;

static snw_status set_part(snw_trial *shell, const snw__c3d_list_spec *spec,
                           const c3d_list_part *part, snw_error *error)
{
    char name[32];
    bool is_text = spec->type == SNW_PARAMETER_CHAR;
    part_name(spec->name, part->number, name);
    snw_parameter parameter;
    memset(&parameter, 0, sizeof parameter);
    parameter.name = name;
    parameter.type = spec->type;
    if (is_text || part->width > 1)
        parameter.dimension[parameter.dimension_count++] = (uint8_t)part->width;
    parameter.dimension[parameter.dimension_count++] = (uint8_t)part->count;
    parameter.byte_count = (size_t)part->count * part->width * (is_text ? 1 : (size_t)spec->type);
    parameter.data = part->data;
    return set_parameter(shell, spec->group, &parameter, error);
}

static bool numbers_are_there(const snw_trial *shell, const snw__c3d_list_spec *spec)
{
    snw__c3d_list list = snw__c3d_list_start(shell, spec->group, spec->name);
    for (int n = 0; n < spec->count * spec->width; n++) {
        int inside;
        const snw_parameter *parameter = snw__c3d_list_at(&list, n, &inside);
        double wanted = spec->number(spec->trial, n);
        bool both_lost = isnan(wanted) && isnan(snw__c3d_number(parameter, inside, false, NAN));
        if (!says(parameter, inside, wanted) && !both_lost) return false;
    }
    return true;
}

snw_status snw__c3d_set_numbers(snw_trial *shell, const snw__c3d_list_spec *spec, snw_error *error)
{
    if (numbers_are_there(shell, spec)) return SNW_OK;
    uint8_t data[255 * 2 * 4];
    size_t size = (size_t)spec->type;
    int done = 0, part = 1;
    while (done < spec->count) {
        int count = spec->count - done < 255 ? spec->count - done : 255;
        int numbers = count * spec->width;
        for (int n = 0; n < numbers; n++)
            put_number(spec->type, spec->number(spec->trial, done * spec->width + n),
                       data + (size_t)n * size);
        const c3d_list_part one = {part++, count, (size_t)spec->width, data};
        snw_status status = set_part(shell, spec, &one, error);
        if (status != SNW_OK) return status;
        done += count;
    }
    return clear_rest(shell, spec, part, error);
}

/* ---- names -------------------------------------------------------------------------------- */

/* What a reader gets back: at most 255 letters, no trailing blanks. */
static size_t stored_length(const char *text)
{
    size_t length = strlen(text);
    if (length > 255) length = 255;
    while (length && text[length - 1] == ' ')
        length--;
    return length;
}

static bool texts_are_there(const snw_trial *shell, const snw__c3d_list_spec *spec)
{
    snw__c3d_list list = snw__c3d_list_start(shell, spec->group, spec->name);
    for (int n = 0; n < spec->count; n++) {
        int inside;
        size_t length;
        const char *wanted = spec->text(spec->trial, n);
        const snw_parameter *parameter = snw__c3d_list_at(&list, n, &inside);
        bool is_absent = !parameter || inside >= snw__c3d_count(parameter);
        if (is_absent && !(spec->may_be_absent && stored_length(wanted) == 0)) return false;
        const char *old = snw__c3d_string(parameter, inside, &length);
        if (length != stored_length(wanted) || memcmp(old, wanted, length) != 0) return false;
    }
    return true;
}

static snw_status set_text_parts(snw_trial *shell, const snw__c3d_list_spec *spec, char *data,
                                 size_t width, snw_error *error)
{
    int most = (int)(C3D_DATA_MAX / width < 255 ? C3D_DATA_MAX / width : 255);
    int done = 0, part = 1;
    while (done < spec->count) {
        int count = spec->count - done < most ? spec->count - done : most;
        memset(data, ' ', (size_t)count * width);
        for (int n = 0; n < count; n++) {
            const char *text = spec->text(spec->trial, done + n);
            memcpy(data + (size_t)n * width, text, stored_length(text));
        }
        const c3d_list_part one = {part++, count, width, data};
        snw_status status = set_part(shell, spec, &one, error);
        if (status != SNW_OK) return status;
        done += count;
    }
    return clear_rest(shell, spec, part, error);
}

snw_status snw__c3d_set_texts(snw_trial *shell, const snw__c3d_list_spec *spec, snw_error *error)
{
    if (texts_are_there(shell, spec)) return SNW_OK;
    char *data = (char *)snw__allocate(&shell->allocator, C3D_DATA_MAX);
    if (!data) return snw__fail_memory(error, C3D_DATA_MAX, "the names of a C3D file");
    size_t width = 1;
    for (int n = 0; n < spec->count; n++) {
        size_t length = stored_length(spec->text(spec->trial, n));
        if (length > width) width = length;
    }
    snw_status status = set_text_parts(shell, spec, data, width, error);
    snw__release(&shell->allocator, data, C3D_DATA_MAX);
    return status;
}
