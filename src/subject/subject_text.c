/* Measures of a subject from Vicon's own files.
 *
 *     .mp    lines "$LKneeWidth = 105"
 *     .vsk   XML elements <Parameter NAME="LKneeWidth" VALUE="105" ... />, StaticParameter too
 *
 * Lengths in millimetres and the mass in kilograms. Angles are left out: neither file says whether
 * they are degrees or radians. */
#include <string.h>

#include "base/notes.h"
#include "subject/gait.h"

typedef struct subject_reader {
    snw_subject *subject;
    int count, angles;
} subject_reader;

static void take(subject_reader *reader, const char *name, int length, const char *at,
                 const char *end)
{
    char text[64];
    double value;
    snw_subject one;
    if (length <= 0 || length >= (int)sizeof text || !snw_parse_double(at, end, &value) ||
        value == 0)
        return;
    snw_format(text, sizeof text, "%.*s", length, name);
    memset(&one, 0, sizeof one);
    if (snw_subject_set(&one, text, value, NULL) != SNW_OK) return;
    for (int p = 0; p < SNW_SUBJECT_PARAMETER_COUNT; p++)
        for (int side = 0; side < SNW_SIDES; side++) {
            if (one.source[p][side] != SNW_SUBJECT_GIVEN) continue;
            bool is_angle = snw__subject_is_angle((snw_subject_parameter)p);
            reader->angles += is_angle;
            reader->count += !is_angle;
            if (is_angle) continue;
            reader->subject->value[p][side] = one.value[p][side];
            reader->subject->source[p][side] = SNW_SUBJECT_GIVEN;
        }
}

/* $NAME = NUMBER */
static void take_line(subject_reader *reader, const char *line, const char *end)
{
    const char *equals = memchr(line, '=', (size_t)(end - line));
    if (line == end || *line != '$' || !equals) return;
    const char *stop = equals;
    while (stop > line + 1 && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    for (equals++; equals < end && (*equals == ' ' || *equals == '\t');)
        equals++;
    take(reader, line + 1, (int)(stop - line) - 1, equals, end);
}

/* The value of an attribute inside a tag; NULL: it has none. */
static const char *attribute(const char *tag, const char *end, const char *name, int *length)
{
    size_t size = strlen(name);
    for (const char *at = tag; at + size + 2 < end; at++) {
        if (strncmp(at, name, size) != 0 || at[size] != '=' || at[size + 1] != '"') continue;
        if (at == tag || (at[-1] != ' ' && at[-1] != '\t' && at[-1] != '\n' && at[-1] != '\r'))
            continue;
        const char *value = at + size + 2, *quote = memchr(value, '"', (size_t)(end - value));
        if (!quote) return NULL;
        *length = (int)(quote - value);
        return value;
    }
    return NULL;
}

static void take_tag(subject_reader *reader, const char *tag, const char *end)
{
    int name_length, value_length;
    bool is_one = end - tag > 10 && (strncmp(tag, "Parameter ", 10) == 0 ||
                                     (end - tag > 16 && strncmp(tag, "StaticParameter ", 16) == 0));
    if (!is_one) return;
    const char *name = attribute(tag, end, "NAME", &name_length);
    const char *value = attribute(tag, end, "VALUE", &value_length);
    if (name && value) take(reader, name, name_length, value, value + value_length);
}

int snw_subject_read_text(snw_subject *subject, const char *text, size_t size, snw_notes *notes)
{
    subject_reader reader = {subject, 0, 0};
    const char *stop = text + size;
    for (const char *at = text; at < stop;) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        if (!end) end = stop;
        take_line(&reader, at, end);
        at = end < stop ? end + 1 : stop;
    }
    for (const char *at = text; at < stop;) {
        const char *tag = memchr(at, '<', (size_t)(stop - at));
        const char *end = tag ? memchr(tag, '>', (size_t)(stop - tag)) : NULL;
        if (!end) break;
        take_tag(&reader, tag + 1, end);
        at = end + 1;
    }
    if (reader.angles)
        snw__note(notes, SNW_NOTE_SUBJECT_ODD, SNW__NOWHERE,
                  "%d %s left out: the file does not say whether they are degrees or radians",
                  reader.angles, snw__plural(reader.angles, "angle is", "angles are"));
    return reader.count;
}
