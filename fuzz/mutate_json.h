/* Changes of a JSON text that keep its brackets: a value goes, stands twice, becomes another one of
 * the text or one at whose edge readers break. */
#ifndef SNW_FUZZ_MUTATE_JSON_H
#define SNW_FUZZ_MUTATE_JSON_H

#include "mutate.h"

enum {
    MUTATE_VALUES = 512,
    MUTATE_DEPTH = 64,
    MUTATE_COPY = 1 << 14
};

typedef struct mutate_span {
    size_t at, size;
} mutate_span;

static inline bool mutate_json_is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '+' || c == '.';
}

/* Where values stand, keys among them, each with what it holds; returns their number. */
static inline int mutate_json_look(const uint8_t *text, size_t size, mutate_span *span)
{
    int open[MUTATE_DEPTH], depth = 0, count = 0;
    for (size_t n = 0; n < size && count < MUTATE_VALUES;) {
        size_t at = n++;
        if (text[at] == '"') {
            while (n < size && text[n] != '"')
                n += text[n] == '\\' && n + 1 < size ? 2 : 1;
            if (n < size) n++;
        } else if (mutate_json_is_word(text[at])) {
            while (n < size && mutate_json_is_word(text[n]))
                n++;
        } else if (text[at] == '{' || text[at] == '[') {
            if (depth == MUTATE_DEPTH) break;
            open[depth++] = count;
        } else {
            if ((text[at] == '}' || text[at] == ']') && depth > 0) {
                depth--;
                span[open[depth]].size = n - span[open[depth]].at;
            }
            continue;
        }
        span[count++] = (mutate_span){at, n - at};
    }
    return count;
}

/* The text within `size` bytes at `data`; what stands behind it is not known here. */
static inline size_t mutate_json(uint8_t *data, size_t size, size_t max_size, uint64_t *state)
{
    static const char *const edges[] = {"0",    "-1",   "1e999",       "-1e-999", "4294967296",
                                        "null", "true", "\"\"",        "[]",      "{}",
                                        "[[]]", "1.5",  "\"\\u0000\"", "65536",   "1e308"};
    static mutate_span span[MUTATE_VALUES];
    static uint8_t copy[MUTATE_COPY];
    int count = mutate_json_look(data, size, span);
    if (count == 0) return size;
    mutate_span to = span[mutate_draw(state, (size_t)count)],
                from = span[mutate_draw(state, (size_t)count)];
    uint32_t way = mutate_draw(state, 4);
    if (way == 0) {
        const char *edge = edges[mutate_draw(state, sizeof edges / sizeof *edges)];
        return mutate_splice(data, size, max_size, to.at, to.size, edge, strlen(edge));
    }
    if (way == 1) { /* gone, with the comma behind it */
        size_t end = to.at + to.size;
        bool has_comma = end < size && data[end] == ',';
        return mutate_splice(data, size, max_size, to.at, to.size + has_comma, "", 0);
    }
    if (way == 2) from = to;
    if (from.size + 1 > sizeof copy) return size;
    memcpy(copy, data + from.at, from.size);
    copy[from.size] = ',';
    return mutate_splice(data, size, max_size, to.at, way == 2 ? 0 : to.size, copy,
                         from.size + (way == 2));
}

#endif
