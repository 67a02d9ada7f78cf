/* Parameters of a C3D file as numbers and strings, whatever type their producer chose. */
#include "io/c3d.h"

#include <string.h>

int snw__c3d_count(const snw_parameter *parameter)
{
    if (!parameter) return 0;
    if (parameter->type != SNW_PARAMETER_CHAR)
        return (int)(parameter->byte_count / (parameter->type < 0 ? 1 : (size_t)parameter->type));
    if (parameter->dimension_count < 2) return 1;
    int count = 1; /* from the dimensions: strings of no letters are strings too */
    for (int d = 1; d < parameter->dimension_count; d++) {
        if (count > 65535) return 0;
        count *= parameter->dimension[d];
    }
    return count;
}

double snw__c3d_number(const snw_parameter *parameter, int index, bool is_unsigned, double fallback)
{
    if (!parameter || index < 0 || index >= snw__c3d_count(parameter)) return fallback;
    switch (parameter->type) {
    case SNW_PARAMETER_FLOAT:
        return ((const float *)parameter->data)[index];
    case SNW_PARAMETER_INT16: {
        int value = ((const int16_t *)parameter->data)[index];
        return is_unsigned && value < 0 ? value + 65536 : value;
    }
    case SNW_PARAMETER_BYTE: {
        uint8_t byte = ((const uint8_t *)parameter->data)[index];
        return is_unsigned ? byte : snw__c3d_i8(byte);
    }
    case SNW_PARAMETER_CHAR: {
        /* Some write numbers as text. */
        size_t length;
        const char *text = snw__c3d_string(parameter, index, &length);
        double value = fallback;
        while (length && *text == ' ') {
            text++;
            length--;
        }
        (void)snw_parse_double(text, text + length, &value);
        return value;
    }
    }
    return fallback;
}

const char *snw__c3d_string(const snw_parameter *parameter, int index, size_t *length)
{
    *length = 0;
    if (!parameter || parameter->type != SNW_PARAMETER_CHAR || index < 0 ||
        index >= snw__c3d_count(parameter))
        return "";
    /* Letters of one string of a CHAR parameter: its first dimension. */
    size_t width = parameter->dimension_count ? parameter->dimension[0] : 1;
    if (width == 0 || (size_t)(index + 1) * width > parameter->byte_count) return "";
    const char *text = (const char *)parameter->data + (size_t)index * width;
    const char *zero = (const char *)memchr(text, 0, width);
    size_t used = zero ? (size_t)(zero - text) : width;
    while (used && text[used - 1] == ' ')
        used--;
    *length = used;
    return text;
}

/* ---- lists longer than 255 ---------------------------------------------------------------- */

/* Parts of one list that are looked for: 65535 names of 255 letters need 525. */
enum {
    C3D_PARTS_MAX = 1024
};

static void find_part(snw__c3d_list *list)
{
    list->parameter = NULL;
    if (list->part > C3D_PARTS_MAX) return;
    char name[32];
    if (list->part == 1)
        snw_format(name, sizeof name, "%s", list->name);
    else
        snw_format(name, sizeof name, "%s%d", list->name, list->part);
    list->parameter = snw_trial_find_parameter(list->trial, list->group, name);
}

snw__c3d_list snw__c3d_list_start(const snw_trial *trial, const char *group, const char *name)
{
    snw__c3d_list list = {trial, group, name, 1, 0, NULL};
    find_part(&list);
    return list;
}

const snw_parameter *snw__c3d_list_at(snw__c3d_list *list, int index, int *inside)
{
    while (list->parameter && index >= list->first + snw__c3d_count(list->parameter)) {
        list->first += snw__c3d_count(list->parameter);
        list->part++;
        find_part(list);
    }
    *inside = index - list->first;
    return list->parameter;
}

int snw__c3d_list_count(const snw_trial *trial, const char *group, const char *name)
{
    snw__c3d_list list = snw__c3d_list_start(trial, group, name);
    int inside;
    while (list.parameter) {
        int count = snw__c3d_count(list.parameter);
        (void)snw__c3d_list_at(&list, list.first + count, &inside);
    }
    return list.first;
}
