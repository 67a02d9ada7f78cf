/* Puts included files in their place, as MuJoCo does: paths are relative to the main file, and an
 * included file may include others. */
#include "io/mjcf_include.h"

#include <string.h>

#include "base/fail.h"
#include "io/xml_reader.h"

/* Files in all, and within each other: the largest published scenes have five and three. */
enum {
    INCLUDE_COUNT_MAX = 256,
    INCLUDE_DEPTH_MAX = 16,
};
/* Longest path: Linux' PATH_MAX. */
enum {
    INCLUDE_PATH_SIZE = 4096
};

static snw_status expand(snw__include *include, const snw_source *source, int depth,
                         const snw_sink *out);

static snw_status put(const snw_sink *out, const char *from, const char *to, snw_error *error)
{
    if (to <= from || out->write(out->context, from, (size_t)(to - from)) == 0) return SNW_OK;
    return snw__fail_memory(error, (size_t)(to - from), "the text of a model");
}

/* Where the tag that ends at `at` begins: attributes hold no "<". */
static const char *tag_begin(const snw__text_input *text, const char *at)
{
    do {
        at--;
    } while (at > text->begin && *at != '<');
    return at;
}

static snw_status put_file(snw__include *include, snw__xml *xml, int depth, const snw_sink *out)
{
    char name[SNW__NAME_SIZE], path[INCLUDE_PATH_SIZE];
    snw__span value;
    snw_source source;
    if (!snw__xml_find(xml, "file", &value) || snw__span_length(value) >= sizeof name)
        return SNW__XML_FAIL(xml, SNW_FORMAT, "an include names no file, or too long a one");
    if (++include->count > INCLUDE_COUNT_MAX || depth >= INCLUDE_DEPTH_MAX)
        return SNW__XML_FAIL(xml, SNW_TOO_LARGE,
                             "more than %d files are included, or files include each other",
                             INCLUDE_COUNT_MAX);
    snw__xml_copy(value, name);
    const char *slash = strrchr(include->main_path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - include->main_path) + 1 : 0;
    int length = snw_format(path, sizeof path, "%.*s%s", folder, include->main_path, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return SNW__XML_FAIL(xml, SNW_FORMAT, "the path of an included file is too long");
    snw_status status = include->open(include->context, path, &source, include->error);
    if (status != SNW_OK) return status;
    status = expand(include, &source, depth + 1, out);
    include->close(include->context, &source);
    return status;
}

/* The text with its includes; of an included file what its root element holds. */
static snw_status expand_text(snw__include *include, snw__text_input *text, int depth,
                              const snw_sink *out)
{
    snw__xml xml;
    const char *from = text->begin, *to = text->end;
    snw_status status;
    snw__xml_begin(&xml, text);
    while ((status = snw__xml_next(&xml)) == SNW_OK && xml.event != SNW__XML_END) {
        if (depth > 0 && xml.depth == 1) {
            if (xml.event == SNW__XML_OPEN)
                from = xml.at;
            else
                to = tag_begin(text, xml.at);
            if (xml.event == SNW__XML_OPEN && xml.is_empty) return SNW_OK;
        } else if (xml.event == SNW__XML_OPEN && snw__xml_is(&xml, "include")) {
            status = put(out, from, tag_begin(text, xml.at), include->error);
            if (status == SNW_OK) status = put_file(include, &xml, depth, out);
            if (status == SNW_OK) status = snw__xml_skip(&xml);
            if (status != SNW_OK) return status;
            from = xml.at;
        }
    }
    return status == SNW_OK ? put(out, from, to, include->error) : status;
}

static snw_status expand(snw__include *include, const snw_source *source, int depth,
                         const snw_sink *out)
{
    const snw__reading_request request = {source, include->options, include->allocator, NULL,
                                          include->error};
    snw__reading reading;
    snw__text_input text;
    snw_status status = snw__reading_open(&reading, &request);
    if (status == SNW_OK) status = snw__text_load(&text, &reading);
    if (status == SNW_OK) {
        status = expand_text(include, &text, depth, out);
        snw__text_release(&text);
    }
    snw__reading_close(&reading);
    return status;
}

snw_status snw__mjcf_expand(snw__include *include, const snw_source *source, const snw_sink *out)
{
    include->count = 0;
    return expand(include, source, 0, out);
}
