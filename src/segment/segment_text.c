/* Segments by a marker set or a list (label/marker_set.c), and as such a list. */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "label/label_grammar.h"
#include "label/marker_set.h"
#include "segment/segment_methods.h"

typedef struct set_work {
    size_t marker_count;
    int *segment_of;        /* (marker_count) */
    snw__label_name *label; /* (marker_count) */
    const char **name;      /* (marker_count) */
} set_work;

static void lay_out(void *object, snw__block *block)
{
    set_work *work = object;
    size_t markers = work->marker_count;
    work->segment_of = snw__block_take(block, markers, sizeof(int));
    work->label = snw__block_take(block, markers, sizeof(snw__label_name));
    work->name = snw__block_take(block, markers, sizeof(char *));
}

snw_status snw_segments_from_set(const snw_trial *trial, snw_text set, const snw_text *correlation,
                                 const snw_allocator *allocator, snw_segments **out,
                                 snw_error *error)
{
    *out = NULL;
    snw_allocator memory = snw__allocator_or_default(allocator);
    set_work work = {.marker_count = (size_t)trial->marker_count};
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &work, &memory, "a marker set", error);
    if (status != SNW_OK) return status;
    int segments = 0, found = 0;
    snw__marker_set known = snw__marker_set_open(&set, correlation);
    for (int m = 0; m < trial->marker_count; m++) {
        snw__label_name segment;
        work.segment_of[m] = -1;
        if (!snw__marker_set_find(&known, trial->marker[m].name, segment)) continue;
        int l = 0;
        while (l < segments && strcmp(work.label[l], segment) != 0)
            l++;
        if (l == segments) memcpy(work.label[segments++], segment, sizeof segment);
        work.segment_of[m] = l;
        work.name[l] = work.label[l];
        found++;
    }
    status = found < 3 ? snw__fail(error, SNW_NOT_FOUND,
                                   "the marker set knows %d of the trial's %d markers", found,
                                   trial->marker_count)
                       : snw_segments_create(work.segment_of, trial->marker_count, work.name,
                                             allocator, out, error);
    snw__block_release(&memory, &block);
    return status;
}

/* ---- as a list ------------------------------------------------------------------------------ */

/* A text that is counted, and written as far as there is room. */
typedef struct segment_writer {
    char *at;
    size_t size, length;
} segment_writer;

static void put(segment_writer *writer, char c)
{
    if (writer->length + 1 < writer->size) writer->at[writer->length] = c;
    writer->length++;
}

/* In quotes where a list would read it as something else. */
static void put_word(segment_writer *writer, const char *word)
{
    bool is_plain = *word && *word != '#' && *word != '"' && !strchr(word, ':');
    for (const char *c = word; *c; c++)
        is_plain &= (unsigned char)*c > ' ';
    if (!is_plain) put(writer, '"');
    for (const char *c = word; *c; c++) {
        if (*c == '\n') continue; /* no list holds it */
        put(writer, *c);
        if (*c == '"' && !is_plain) put(writer, '"');
    }
    if (!is_plain) put(writer, '"');
}

size_t snw_segments_print(const snw_segments *segments, const snw_trial *trial, char *buffer,
                          size_t size)
{
    segment_writer writer = {buffer, size, 0};
    for (int l = 0; l < segments->segment_count; l++) {
        const snw_segment *segment = segments->segment + l;
        put_word(&writer, segment->name);
        put(&writer, ':');
        for (int m = 0; m < segment->marker_count; m++) {
            if (segment->marker[m] >= trial->marker_count) continue;
            put(&writer, ' ');
            put_word(&writer, trial->marker[segment->marker[m]].name);
        }
        put(&writer, '\n');
    }
    if (size > 0) buffer[writer.length < size ? writer.length : size - 1] = 0;
    return writer.length;
}
