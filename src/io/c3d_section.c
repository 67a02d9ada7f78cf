/* The groups of a trial as the bytes of a C3D parameter section; the byte table is in
 * c3d_parameter.c. First all groups, then the parameters, as most producers do. */
#include "io/c3d.h"

#include <string.h>

#include "base/fail.h"
#include "base/memory.h"

enum {
    C3D_GROUP_ID_MAX = 127,
    C3D_NAME_MAX = 127,
    C3D_TEXT_MAX = 255,
};
/* The distance to the next record is a word. */
enum {
    C3D_RECORD_MAX = 65535
};

/* Where the bytes go; measures while bytes is NULL. */
typedef struct c3d_builder {
    uint8_t *bytes;
    size_t size;
    snw_byte_order order;
} c3d_builder;

static void put_bytes(c3d_builder *builder, const void *bytes, size_t size)
{
    if (builder->bytes && size) memcpy(builder->bytes + builder->size, bytes, size);
    builder->size += size;
}

static void put_byte(c3d_builder *builder, int value)
{
    uint8_t byte = (uint8_t)value;
    put_bytes(builder, &byte, 1);
}

static void put_word(c3d_builder *builder, int value)
{
    uint8_t word[2];
    snw__c3d_put_u16(word, value, builder->order);
    put_bytes(builder, word, 2);
}

static size_t at_most(const char *text, size_t most)
{
    size_t length = strlen(text);
    return length < most ? length : most;
}

/* Length, id, name and the distance to the next record, which comes `body` bytes after it. */
static void put_start(c3d_builder *builder, const char *name, bool is_locked, int id, size_t body)
{
    /* A name of no letters would end the section. */
    if (!name[0]) name = "_";
    int length = (int)at_most(name, C3D_NAME_MAX);
    put_byte(builder, is_locked ? -length : length);
    put_byte(builder, id);
    put_bytes(builder, name, (size_t)length);
    put_word(builder, (int)(body + 2));
}

static void put_description(c3d_builder *builder, const char *text)
{
    size_t length = at_most(text, C3D_TEXT_MAX);
    put_byte(builder, (int)length);
    put_bytes(builder, text, length);
}

static size_t body_size(const snw_parameter *parameter)
{
    return 2 + (size_t)parameter->dimension_count + parameter->byte_count + 1 +
           at_most(parameter->description, C3D_TEXT_MAX);
}

/* ---- the section -------------------------------------------------------------------------- */

/* Ids as they were, but unique and in range. */
static snw_status choose_ids(const snw_trial *shell, int8_t *id_of_group, snw_error *error)
{
    bool is_taken[C3D_GROUP_ID_MAX + 1] = {false};
    if (shell->group_count > C3D_GROUP_ID_MAX)
        return snw__fail(error, SNW_UNSUPPORTED, "%d parameter groups, a C3D file has at most 127",
                         shell->group_count);
    for (int g = 0; g < shell->group_count; g++) {
        int id = shell->group[g].id;
        id_of_group[g] = 0;
        if (id < 1 || id > C3D_GROUP_ID_MAX || is_taken[id]) continue;
        is_taken[id] = true;
        id_of_group[g] = (int8_t)id;
    }
    int next = 1;
    for (int g = 0; g < shell->group_count; g++) {
        if (id_of_group[g]) continue;
        while (is_taken[next])
            next++;
        is_taken[next] = true;
        id_of_group[g] = (int8_t)next;
    }
    return SNW_OK;
}

static void put_section(c3d_builder *builder, const snw_trial *shell, const int8_t *id_of_group,
                        size_t block_count)
{
    put_byte(builder, 1);
    put_byte(builder, SNW__C3D_KEY);
    put_byte(builder, (int)(block_count < 255 ? block_count : 255));
    put_byte(builder, 83 + (int)builder->order);
    for (int g = 0; g < shell->group_count; g++) {
        const snw_parameter_group *group = shell->group + g;
        int id = id_of_group[g];
        put_start(builder, group->name, group->is_locked, -id,
                  1 + at_most(group->description, C3D_TEXT_MAX));
        put_description(builder, group->description);
    }
    for (int g = 0; g < shell->group_count; g++)
        for (int p = 0; p < shell->group[g].parameter_count; p++) {
            const snw_parameter *parameter = shell->group[g].parameter + p;
            int id = id_of_group[g];
            put_start(builder, parameter->name, parameter->is_locked, id, body_size(parameter));
            put_byte(builder, (int)parameter->type);
            put_byte(builder, parameter->dimension_count);
            put_bytes(builder, parameter->dimension, (size_t)parameter->dimension_count);
            if (parameter->type == SNW_PARAMETER_FLOAT) {
                for (size_t n = 0; n < parameter->byte_count / 4; n++) {
                    uint8_t bytes[4];
                    snw__c3d_put_float(bytes, ((const float *)parameter->data)[n], builder->order);
                    put_bytes(builder, bytes, 4);
                }
            } else if (parameter->type == SNW_PARAMETER_INT16) {
                for (size_t n = 0; n < parameter->byte_count / 2; n++)
                    put_word(builder, ((const int16_t *)parameter->data)[n]);
            } else {
                put_bytes(builder, parameter->data, parameter->byte_count);
            }
            put_description(builder, parameter->description);
        }
    put_byte(builder, 0);
    put_byte(builder, 0);
}

snw_status snw__c3d_section_make(const snw_trial *shell, snw_byte_order order, uint8_t **bytes,
                                 size_t *size, snw_error *error)
{
    int8_t id_of_group[C3D_GROUP_ID_MAX] = {0};
    *bytes = NULL;
    snw_status status = choose_ids(shell, id_of_group, error);
    if (status == SNW_OK) {
        for (int g = 0; g < shell->group_count; g++)
            for (int p = 0; p < shell->group[g].parameter_count; p++) {
                const snw_parameter *parameter = shell->group[g].parameter + p;
                if (body_size(parameter) + 2 <= C3D_RECORD_MAX) continue;
                snw__place place = {-1, -1, -1, -1, parameter->name};
                return snw__fail_at(error, SNW_UNSUPPORTED, place,
                                    "parameter %s:%s has %zu bytes, too many for a C3D file",
                                    shell->group[g].name, parameter->name, parameter->byte_count);
            }
    }
    if (status != SNW_OK) return status;
    c3d_builder builder = {NULL, 0, order};
    put_section(&builder, shell, id_of_group, 0);
    size_t block_count = (builder.size + SNW__C3D_BLOCK - 1) / SNW__C3D_BLOCK;
    *size = block_count * SNW__C3D_BLOCK;
    *bytes = (uint8_t *)snw__allocate(&shell->allocator, *size);
    if (!*bytes) return snw__fail_memory(error, *size, "the parameters of a C3D file");
    builder.bytes = *bytes;
    builder.size = 0;
    put_section(&builder, shell, id_of_group, block_count);
    return SNW_OK;
}
