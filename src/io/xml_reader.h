/* XML as a stream of elements, for the formats that need no more of it: opening and closing tags
 * with their attributes. Internal to io.
 *
 * Strict where strictness protects the reader: tags nest, attributes are quoted and named once,
 * depth and attribute count are bounded, only the five predefined entities (&lt; &gt; &amp; &quot;
 * &apos;) and no document type, so nothing can be expanded or fetched. Comments, processing
 * instructions, CDATA and text between tags are passed over. Spans point into the text.
 *
 *     snw__xml_begin(&xml, &text);
 *     while ((status = snw__xml_next(&xml)) == SNW_OK && xml.event != SNW__XML_END)
 *         if (xml.event == SNW__XML_OPEN && snw__xml_is(&xml, "link")) ...
 */
#ifndef SNW_IO_XML_READER_H
#define SNW_IO_XML_READER_H

#include "io/text_reader.h"

/* Robots nest as deep as their longest segment: the deepest published ones have some 60 bodies. */
enum {
    SNW__XML_DEPTH_MAX = 128,
    SNW__XML_ATTRIBUTE_MAX = 64,
};

typedef enum snw__xml_event {
    SNW__XML_OPEN,  /* `name` opens, with its attributes; depth counts it */
    SNW__XML_CLOSE, /* `name` closes; depth still counts it */
    SNW__XML_END
} snw__xml_event;

typedef struct snw__xml_attribute {
    snw__span name;
    snw__span value; /* entities as written */
} snw__xml_attribute;

typedef struct snw__xml {
    snw__text_input *text;
    const char *at;
    snw__xml_event event;
    snw__span name;
    int depth; /* the outermost element has 1 */
    snw__span open[SNW__XML_DEPTH_MAX];
    bool is_empty;   /* the element just opened closes at once: <a/> */
    bool is_leaving; /* the element just reported closed has not been taken off yet */
    bool has_root;
    int attribute_count;
    snw__xml_attribute attribute[SNW__XML_ATTRIBUTE_MAX];
} snw__xml;

void snw__xml_begin(snw__xml *xml, snw__text_input *text);
/* The next event; SNW_FORMAT, SNW_TRUNCATED or SNW_TOO_LARGE with the line where it is not well. */
snw_status snw__xml_next(snw__xml *xml);
/* The next element that opens, or the end. */
snw_status snw__xml_next_open(snw__xml *xml);
/* From an element's OPEN to its CLOSE, passing over what it holds. */
snw_status snw__xml_skip(snw__xml *xml);
/* Is the element called that? XML tells upper from lower case. */
bool snw__xml_is(const snw__xml *xml, const char *name);
/* The attribute's value as it is written; false when the element has none of that name. */
bool snw__xml_find(const snw__xml *xml, const char *attribute, snw__span *value);
bool snw__xml_says(snw__span value, const char *word);
/* Exactly `count` finite numbers from the attribute, which may be missing: then values stay. */
snw_status snw__xml_numbers(snw__xml *xml, const char *attribute, int count, double *values);
/* Up to `most` of them; *count, which the caller sets, becomes how many there are. */
snw_status snw__xml_some_numbers(snw__xml *xml, const char *attribute, int most, double *values,
                                 int *count);
/* The value with its entities resolved, cut like snw__span_copy. */
void snw__xml_copy(snw__span value, char name[SNW__NAME_SIZE]);
/* The line of the present place, for messages; text->line is set to it. */
int64_t snw__xml_line(snw__xml *xml);
#define SNW__XML_FAIL(xml, status, ...) \
    (snw__xml_line(xml), snw__text_fail((xml)->text, (status), __VA_ARGS__))
/* Does a file with this head open with the element `root`? */
bool snw__xml_head_is(const uint8_t *head, size_t size, const char *root);

#endif
