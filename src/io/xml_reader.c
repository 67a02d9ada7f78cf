/* The stream of elements described in xml_reader.h. */
#include "io/xml_reader.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

void snw__xml_begin(snw__xml *xml, snw__text_input *text)
{
    memset(xml, 0, sizeof *xml);
    xml->text = text;
    xml->at = text->begin;
}

int64_t snw__xml_line(snw__xml *xml)
{
    int64_t line = 1;
    for (const char *c = xml->text->begin; c < xml->at; c++)
        line += *c == '\n';
    xml->text->line = line;
    return line;
}

/* ---- letters and spans ---------------------------------------------------------------------- */

/* Same letters, upper and lower case told apart. */
static bool xml_same(snw__span a, snw__span b)
{
    size_t length = snw__span_length(a);
    return length == snw__span_length(b) && (length == 0 || memcmp(a.at, b.at, length) == 0);
}

bool snw__xml_says(snw__span value, const char *word)
{
    return xml_same(value, snw__span_of(word));
}

static bool xml_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Letters of names; whatever is not ASCII counts as one. */
static bool xml_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == ':' || (unsigned char)c >= 0x80;
}

static bool xml_starts(snw__span text, const char *word)
{
    size_t length = strlen(word);
    return snw__span_length(text) >= length && memcmp(text.at, word, length) == 0;
}

/* Behind the first `word` from here on, or NULL. */
static const char *xml_behind(snw__span text, const char *word)
{
    size_t length = strlen(word);
    for (; snw__span_length(text) >= length; text.at++)
        if (memcmp(text.at, word, length) == 0) return text.at + length;
    return NULL;
}

typedef struct xml_entity {
    const char *text;
    char letter;
} xml_entity;

static const xml_entity xml_entities[] = {
    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};

static const xml_entity *entity_at(snw__span text)
{
    for (size_t n = 0; n < sizeof xml_entities / sizeof *xml_entities; n++)
        if (xml_starts(text, xml_entities[n].text)) return &xml_entities[n];
    return NULL;
}

void snw__xml_copy(snw__span value, char name[SNW__NAME_SIZE])
{
    size_t length = 0;
    while (value.at < value.end && length < SNW__NAME_SIZE - 1) {
        const xml_entity *entity = *value.at == '&' ? entity_at(value) : NULL;
        char c = entity ? entity->letter : *value.at;
        name[length++] = (unsigned char)c < ' ' ? ' ' : c;
        value.at += entity ? strlen(entity->text) : 1;
    }
    name[length] = 0;
}

/* ---- between tags --------------------------------------------------------------------------- */

/* Behind a comment, an instruction or a CDATA section that starts here; NULL when it has no end,
 * `at` when nothing of that kind starts. */
static const char *behind_aside(const char *at, const char *end)
{
    snw__span rest = {at, end};
    if (xml_starts(rest, "<!--")) return xml_behind((snw__span){at + 4, end}, "-->");
    if (xml_starts(rest, "<?")) return xml_behind((snw__span){at + 2, end}, "?>");
    if (xml_starts(rest, "<![CDATA[")) return xml_behind((snw__span){at + 9, end}, "]]>");
    return at;
}

/* To the '<' of the next tag, or to the end. */
static snw_status find_tag(snw__xml *xml)
{
    const char *end = xml->text->end;
    while (xml->at < end) {
        if (*xml->at == '<') {
            const char *behind = behind_aside(xml->at, end);
            if (!behind)
                return SNW__XML_FAIL(xml, SNW_TRUNCATED, "what starts with \"%.*s\" has no end", 4,
                                     xml->at);
            if (behind == xml->at) return SNW_OK;
            xml->at = behind;
            continue;
        }
        if (*xml->at == '&' && !entity_at((snw__span){xml->at, end}))
            return SNW__XML_FAIL(xml, SNW_FORMAT,
                                 "there is an \"&\" that is none of the five entities");
        if (xml->depth == 0 && !xml_is_space(*xml->at))
            return SNW__XML_FAIL(xml, SNW_FORMAT, "there is text outside of the outermost element");
        xml->at++;
    }
    return SNW_OK;
}

/* ---- tags ----------------------------------------------------------------------------------- */

static void skip_space(snw__xml *xml)
{
    while (xml->at < xml->text->end && xml_is_space(*xml->at))
        xml->at++;
}

static snw_status read_name(snw__xml *xml, snw__span *name)
{
    name->at = xml->at;
    while (xml->at < xml->text->end && xml_is_name(*xml->at))
        xml->at++;
    name->end = xml->at;
    if (!snw__span_is_empty(*name)) return SNW_OK;
    if (xml->at >= xml->text->end)
        return SNW__XML_FAIL(xml, SNW_TRUNCATED, "the file ends in a tag");
    return SNW__XML_FAIL(xml, SNW_FORMAT, "a name is expected here");
}

static snw_status read_value(snw__xml *xml, snw__span *value)
{
    const char *end = xml->text->end;
    skip_space(xml);
    if (xml->at >= end || *xml->at != '=')
        return SNW__XML_FAIL(xml, SNW_FORMAT, "an attribute has no value");
    xml->at++;
    skip_space(xml);
    if (xml->at >= end || (*xml->at != '"' && *xml->at != '\''))
        return SNW__XML_FAIL(xml, SNW_FORMAT, "a value stands without quotes");
    char quote = *xml->at++;
    value->at = xml->at;
    for (; xml->at < end && *xml->at != quote; xml->at++) {
        if (*xml->at == '<') return SNW__XML_FAIL(xml, SNW_FORMAT, "there is a \"<\" in a value");
        if (*xml->at == '&' && !entity_at((snw__span){xml->at, end}))
            return SNW__XML_FAIL(xml, SNW_FORMAT,
                                 "there is an \"&\" that is none of the five entities");
    }
    if (xml->at >= end) return SNW__XML_FAIL(xml, SNW_TRUNCATED, "the file ends in a value");
    value->end = xml->at++;
    return SNW_OK;
}

static snw_status read_open(snw__xml *xml)
{
    const char *end = xml->text->end;
    snw_status status = read_name(xml, &xml->name);
    xml->attribute_count = 0;
    while (status == SNW_OK) {
        bool is_apart = xml->at < end && xml_is_space(*xml->at);
        skip_space(xml);
        if (xml->at >= end) return SNW__XML_FAIL(xml, SNW_TRUNCATED, "the file ends in a tag");
        if (*xml->at == '>' || *xml->at == '/') break;
        if (!is_apart)
            return SNW__XML_FAIL(xml, SNW_FORMAT, "attributes must have blanks between them");
        snw__xml_attribute attribute;
        status = read_name(xml, &attribute.name);
        if (status == SNW_OK) status = read_value(xml, &attribute.value);
        if (status != SNW_OK) return status;
        for (int n = 0; n < xml->attribute_count; n++)
            if (xml_same(xml->attribute[n].name, attribute.name))
                return SNW__XML_FAIL(xml, SNW_FORMAT, "attribute \"%.*s\" is there twice",
                                     snw__span_shown(attribute.name), attribute.name.at);
        if (xml->attribute_count == SNW__XML_ATTRIBUTE_MAX)
            return SNW__XML_FAIL(xml, SNW_TOO_LARGE, "an element has more than %d attributes",
                                 SNW__XML_ATTRIBUTE_MAX);
        xml->attribute[xml->attribute_count++] = attribute;
    }
    if (status != SNW_OK) return status;
    xml->is_empty = *xml->at == '/';
    xml->at++;
    if (xml->is_empty && (xml->at >= end || *xml->at++ != '>'))
        return SNW__XML_FAIL(xml, SNW_FORMAT, "a \"/\" stands alone in a tag");
    if (xml->depth == SNW__XML_DEPTH_MAX)
        return SNW__XML_FAIL(xml, SNW_TOO_LARGE, "elements nest deeper than %d",
                             SNW__XML_DEPTH_MAX);
    if (xml->depth == 0 && xml->has_root)
        return SNW__XML_FAIL(xml, SNW_FORMAT, "there is more than one outermost element");
    xml->has_root = true;
    xml->open[xml->depth++] = xml->name;
    xml->event = SNW__XML_OPEN;
    return SNW_OK;
}

static snw_status read_close(snw__xml *xml)
{
    snw__span name;
    snw_status status = read_name(xml, &name);
    if (status != SNW_OK) return status;
    skip_space(xml);
    if (xml->at >= xml->text->end)
        return SNW__XML_FAIL(xml, SNW_TRUNCATED, "the file ends in a tag");
    if (*xml->at != '>')
        return SNW__XML_FAIL(xml, SNW_FORMAT, "a closing tag holds more than a name");
    if (xml->depth == 0 || !xml_same(name, xml->open[xml->depth - 1]))
        return SNW__XML_FAIL(xml, SNW_FORMAT, "\"%.*s\" closes but is not open here",
                             snw__span_shown(name), name.at);
    xml->at++;
    xml->name = name;
    xml->event = SNW__XML_CLOSE;
    xml->is_leaving = true;
    return SNW_OK;
}

snw_status snw__xml_next(snw__xml *xml)
{
    if (xml->is_leaving) xml->depth--;
    xml->is_leaving = false;
    if (xml->is_empty) {
        xml->is_empty = false;
        xml->is_leaving = true;
        xml->event = SNW__XML_CLOSE;
        return SNW_OK;
    }
    snw_status status = find_tag(xml);
    if (status != SNW_OK) return status;
    const char *end = xml->text->end;
    if (xml->at >= end) {
        xml->event = SNW__XML_END;
        if (xml->depth > 0)
            return SNW__XML_FAIL(xml, SNW_TRUNCATED, "the file ends before \"%.*s\" closes",
                                 snw__span_shown(xml->open[xml->depth - 1]),
                                 xml->open[xml->depth - 1].at);
        return xml->has_root ? SNW_OK : SNW__XML_FAIL(xml, SNW_TRUNCATED, "there is no element");
    }
    xml->at++;
    if (xml->at < end && *xml->at == '!')
        return SNW__XML_FAIL(xml, SNW_UNSUPPORTED, "a document type is not read");
    if (xml->at < end && *xml->at == '/') {
        xml->at++;
        return read_close(xml);
    }
    return read_open(xml);
}

snw_status snw__xml_next_open(snw__xml *xml)
{
    snw_status status;
    do
        status = snw__xml_next(xml);
    while (status == SNW_OK && xml->event == SNW__XML_CLOSE);
    return status;
}

snw_status snw__xml_skip(snw__xml *xml)
{
    int depth = xml->depth;
    snw_status status;
    do
        status = snw__xml_next(xml);
    while (status == SNW_OK && !(xml->event == SNW__XML_CLOSE && xml->depth == depth));
    return status;
}

/* ---- what an element says ------------------------------------------------------------------- */

bool snw__xml_is(const snw__xml *xml, const char *name)
{
    return snw__xml_says(xml->name, name);
}

bool snw__xml_find(const snw__xml *xml, const char *attribute, snw__span *value)
{
    for (int n = 0; n < xml->attribute_count; n++)
        if (snw__xml_says(xml->attribute[n].name, attribute)) {
            *value = xml->attribute[n].value;
            return true;
        }
    return false;
}

/* The next word of a value, which may run over several lines. */
static bool next_word(snw__span *rest, snw__span *word)
{
    while (rest->at < rest->end && xml_is_space(*rest->at))
        rest->at++;
    word->at = rest->at;
    while (rest->at < rest->end && !xml_is_space(*rest->at))
        rest->at++;
    word->end = rest->at;
    return word->at < word->end;
}

/* How many finite numbers the span is, up to `most`; -1: it is something else. */
static int numbers_of(snw__span rest, int most, double *values)
{
    snw__span word;
    int found = 0;
    while (next_word(&rest, &word)) {
        double value;
        if (found == most || !snw__span_double(word, &value) || !isfinite(value)) return -1;
        values[found++] = value;
    }
    return found;
}

snw_status snw__xml_numbers(snw__xml *xml, const char *attribute, int count, double *values)
{
    snw__span whole;
    if (!snw__xml_find(xml, attribute, &whole)) return SNW_OK;
    if (numbers_of(whole, count, values) == count) return SNW_OK;
    return SNW__XML_FAIL(
        xml, SNW_FORMAT, "%.*s of \"%.*s\" must be %d finite number%s, not \"%.*s\"",
        (int)strlen(attribute), attribute, snw__span_shown(xml->name), xml->name.at, count,
        count == 1 ? "" : "s", snw__span_shown(whole), whole.at);
}

snw_status snw__xml_some_numbers(snw__xml *xml, const char *attribute, int most, double *values,
                                 int *count)
{
    snw__span whole;
    if (!snw__xml_find(xml, attribute, &whole)) return SNW_OK;
    *count = numbers_of(whole, most, values);
    if (*count >= 0) return SNW_OK;
    return SNW__XML_FAIL(xml, SNW_FORMAT,
                         "%.*s of \"%.*s\" must be at most %d finite numbers, not \"%.*s\"",
                         (int)strlen(attribute), attribute, snw__span_shown(xml->name),
                         xml->name.at, most, snw__span_shown(whole), whole.at);
}

bool snw__xml_head_is(const uint8_t *head, size_t size, const char *root)
{
    snw__span rest = snw__span_of_head(head, size);
    size_t length = strlen(root);
    for (;;) {
        while (rest.at < rest.end && xml_is_space(*rest.at))
            rest.at++;
        const char *behind = behind_aside(rest.at, rest.end);
        if (!behind) return false;
        if (behind == rest.at) break;
        rest.at = behind;
    }
    if (rest.at >= rest.end || *rest.at != '<') return false;
    rest.at++;
    return snw__span_length(rest) > length && memcmp(rest.at, root, length) == 0 &&
           !xml_is_name(rest.at[length]);
}
