/* Changes of a C3D file that keep its records readable: header words, types, sizes, values, names
 * and owners of parameters, records twice, gone or cut; the byte tables are in src/io/c3d_header.c
 * and c3d_parameter.c. */
#ifndef SNW_FUZZ_MUTATE_C3D_H
#define SNW_FUZZ_MUTATE_C3D_H

#include "mutate.h"

enum {
    MUTATE_RECORDS = 200,
    MUTATE_BLOCK = 512
};

typedef struct mutate_c3d {
    uint8_t *data;
    size_t size, max_size;
    uint64_t state;
    bool is_big;
    int count;
    size_t at[MUTATE_RECORDS + 1]; /* of each record, and behind the last */
} mutate_c3d;

static inline int mutate_c3d_name(const mutate_c3d *file, size_t at)
{
    int length = (int8_t)file->data[at];
    return length < 0 ? -length : length;
}

/* Where each record begins, by its own distance to the next. */
static inline bool mutate_c3d_look(mutate_c3d *file)
{
    if (file->size < MUTATE_BLOCK || file->data[0] < 2) return false;
    size_t at = (size_t)(file->data[0] - 1) * MUTATE_BLOCK + 4;
    if (at >= file->size) return false;
    file->is_big = file->data[at - 1] == 86;
    while (file->count < MUTATE_RECORDS && at + 5 < file->size && file->data[at]) {
        size_t next_at = at + 2 + (size_t)mutate_c3d_name(file, at);
        if (next_at + 2 > file->size) break;
        size_t low = file->data[next_at + file->is_big], high = file->data[next_at + !file->is_big];
        size_t next = next_at + (high << 8 | low);
        if (next <= next_at + 2 || next > file->size) break;
        file->at[file->count++] = at;
        file->at[file->count] = at = next;
    }
    return file->count > 0;
}

/* Behind the distance of a parameter stand its type, its dimensions and its data. */
static inline void mutate_c3d_shape(mutate_c3d *file, size_t at, size_t end)
{
    static const uint8_t types[] = {0xff, 1, 2, 4};
    size_t shape = at + 4 + (size_t)mutate_c3d_name(file, at);
    if ((int8_t)file->data[at + 1] <= 0 || shape + 2 >= end) return;
    size_t sizes = shape + 2, dims = file->data[shape + 1], values = sizes + dims;
    switch (mutate_draw(&file->state, 4)) {
    case 0:
        file->data[shape] = types[mutate_draw(&file->state, 4)];
        break;
    case 1:
        file->data[shape + 1] = (uint8_t)mutate_draw(&file->state, 9);
        break;
    case 2:
        if (dims && values < end)
            file->data[sizes + mutate_draw(&file->state, dims)] =
                (uint8_t)mutate_edge(&file->state);
        break;
    default:
        if (values + 4 < end) {
            size_t value = values + mutate_draw(&file->state, end - values - 4);
            mutate_put(file->data + value, mutate_edge(&file->state),
                       mutate_draw(&file->state, 2) ? 2 : 4, file->is_big);
        }
    }
}

/* Records of the same length change places nowhere: their bytes are copied over another's, put in
 * twice or taken out, and the data behind move by as much. */
static inline void mutate_c3d_record(mutate_c3d *file, int record)
{
    static uint8_t copy[1 << 16];
    size_t at = file->at[record], length = file->at[record + 1] - at;
    int other = (int)mutate_draw(&file->state, (size_t)file->count);
    size_t from = file->at[other], size = file->at[other + 1] - from;
    if (size > sizeof copy) return;
    memcpy(copy, file->data + from, size);
    size_t gone = mutate_draw(&file->state, 2) ? length : 0;
    if (mutate_draw(&file->state, 3) == 0) size = 0;
    file->size = mutate_splice(file->data, file->size, file->max_size, at, gone, copy, size);
}

/* A name becomes another record's, letter by letter as far as both go: LABELS2, USED of ANALOG. */
static inline void mutate_c3d_rename(mutate_c3d *file, int record)
{
    size_t at = file->at[record], from = file->at[mutate_draw(&file->state, (size_t)file->count)];
    int letters = mutate_c3d_name(file, at), others = mutate_c3d_name(file, from);
    memmove(file->data + at + 2, file->data + from + 2,
            (size_t)(letters < others ? letters : others));
    if (mutate_draw(&file->state, 2) && letters) /* LABELS becomes LABELS2, FRAMES LONG_FRAMES' */
        file->data[at + 1 + (size_t)letters] = (uint8_t)('2' + mutate_draw(&file->state, 3));
}

static inline size_t mutate_c3d_file(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    mutate_c3d file = {.data = data, .size = size, .max_size = max_size, .state = seed};
    if (mutate_draw(&file.state, 4) == 0 || !mutate_c3d_look(&file))
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t changes = 1 + mutate_draw(&file.state, 3); changes > 0; changes--) {
        int record = (int)mutate_draw(&file.state, (size_t)file.count);
        size_t at = file.at[record], word = 2 * mutate_draw(&file.state, 12);
        switch (mutate_draw(&file.state, 6)) {
        case 0: /* a word of the header, or one of its events */
            if (mutate_draw(&file.state, 3) == 0) word = 298 + 2 * mutate_draw(&file.state, 84);
            if (word > 0) mutate_put(data + word, mutate_edge(&file.state), 2, file.is_big);
            break;
        case 1:
        case 2:
            mutate_c3d_shape(&file, at, file.at[record + 1]);
            break;
        case 3:
            data[at + 1] = data[file.at[mutate_draw(&file.state, (size_t)file.count)] + 1];
            break;
        case 4:
            mutate_c3d_rename(&file, record);
            break;
        default:
            mutate_c3d_record(&file, record);
            return file.size; /* the places behind have moved */
        }
    }
    return file.size;
}

#endif
