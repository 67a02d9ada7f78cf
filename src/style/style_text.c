/* A style as text:
 *
 *     sinew-style 1
 *     joint TYPE X Y Z X Y Z NAME
 *     lean X Y Z
 *     component WEIGHT NOISE
 *     mean V V V ...
 *     direction DEVIATION V V V ...
 *
 * One thing on a line (base/text_lines.h). All joints come first: TYPE is hinge, universal,
 * prismatic or ball, the six numbers are bone and across (balls), NAME is one word in which \xNN
 * stands for the byte of two hexadecimal digits (blanks, backslashes and what is below 33 or 127).
 * A lean, if there is one, follows them with the unit vector that is up; it has three features.
 * Each component has one mean and then its directions, as many as the first component has. Weights
 * sum to 1; directions are orthonormal, or zero where the deviation is the noise. Numbers read back
 * exactly. */
#include "style/style.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/name_set.h"
#include "base/text_lines.h"
#include "math/tolerance.h"

#define STYLE_HEAD "sinew-style 1"

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct style_writer {
    char *buffer;
    size_t size, length;
} style_writer;

static void style_put(style_writer *writer, const char *text)
{
    for (; *text; text++, writer->length++)
        if (writer->length + 1 < writer->size) writer->buffer[writer->length] = *text;
    if (writer->size > 0)
        writer->buffer[writer->length < writer->size ? writer->length : writer->size - 1] = 0;
}

static void style_put_numbers(style_writer *writer, const double *values, int count)
{
    for (int k = 0; k < count; k++) {
        char text[40];
        snw_format(text, sizeof text, " %g", values[k]);
        style_put(writer, text);
    }
}

size_t snw_style_print(const snw_style *style, char *buffer, size_t size)
{
    style_writer writer = {buffer, size, 0};
    int n = style->feature_count, q = style->dimension_count;
    style_put(&writer, STYLE_HEAD "\n");
    for (int s = 0; s < style->joint_count; s++) {
        const snw_style_joint *joint = &style->joint[s];
        const double axes[6] = {joint->axis.x,  joint->axis.y,  joint->axis.z,
                                joint->axis2.x, joint->axis2.y, joint->axis2.z};
        style_put(&writer, "joint ");
        style_put(&writer, snw_joint_type_name(joint->type));
        style_put_numbers(&writer, axes, 6);
        style_put(&writer, " ");
        const char *name = joint->name;
        for (; *name; name++) {
            unsigned char byte = (unsigned char)*name;
            char text[8];
            bool is_plain = byte > 32 && byte != 127 && byte != '\\';
            snw_format(text, sizeof text, is_plain ? "%c" : "\\x%02x", byte);
            style_put(&writer, text);
        }
        style_put(&writer, "\n");
    }
    if (style->has_lean) {
        const double up[3] = {style->up.x, style->up.y, style->up.z};
        style_put(&writer, "lean");
        style_put_numbers(&writer, up, 3);
        style_put(&writer, "\n");
    }
    for (int c = 0; c < style->component_count; c++) {
        const double head[2] = {style->weight[c], style->noise[c]};
        style_put(&writer, "component");
        style_put_numbers(&writer, head, 2);
        style_put(&writer, "\nmean");
        style_put_numbers(&writer, style->mean + (size_t)c * (size_t)n, n);
        for (int i = 0; i < q; i++) {
            size_t row = (size_t)c * (size_t)q + (size_t)i;
            style_put(&writer, "\ndirection");
            style_put_numbers(&writer, style->deviation + row, 1);
            style_put_numbers(&writer, style->direction + row * (size_t)n, n);
        }
        style_put(&writer, "\n");
    }
    return writer.length;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct style_reader {
    snw__lines lines;
    snw__name_set names; /* of the joints */
    snw_error *error;
} style_reader;

static snw_status style_complain(const style_reader *reader, const char *what)
{
    return snw__fail_at(reader->error, SNW_FORMAT, snw__at_line(reader->lines.line),
                        "style, line %lld: %s", (long long)reader->lines.line, what);
}

/* A line that starts with this word comes next, and the word is taken. */
static bool style_line_of(style_reader *reader, const char *wanted)
{
    const char *word;
    if (!snw__lines_next(&reader->lines)) return false;
    size_t length = snw__lines_word(&reader->lines, &word);
    return snw__word_is(word, length, wanted);
}

/* The last word of the line as a name; returns behind it in `to`, or NULL. */
static char *style_take_name(style_reader *reader, char *to)
{
    const char *word, *end;
    size_t length = snw__lines_word(&reader->lines, &word);
    char *start = to;
    if (!snw__lines_are_done(&reader->lines) || length == 0) return NULL;
    for (end = word + length; word < end; word++) {
        unsigned char byte = (unsigned char)*word;
        if (byte < 33 || byte == 127) return NULL;
        if (byte == '\\') {
            int coded = end - word < 4 || word[1] != 'x' ? -1 : snw__hex_byte(word + 2);
            if (coded <= 0) return NULL;
            byte = (unsigned char)coded;
            word += 3;
        }
        *to++ = (char)byte;
    }
    *to++ = 0;
    return to > start + 1 ? to : NULL;
}

static bool is_unit(const double *v, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += v[k] * v[k];
    /* Unit lengths, right angles and the sum of weights hold to round-off of what was written. */
    return fabs(sum - 1) <= SNW__SAME;
}

static snw_status style_read_joint(style_reader *reader, snw_style *style, char **names)
{
    snw_style_joint *joint = &style->joint[style->joint_count];
    static const snw_joint_type types[] = {SNW_JOINT_HINGE, SNW_JOINT_UNIVERSAL,
                                           SNW_JOINT_PRISMATIC, SNW_JOINT_BALL};
    const char *word;
    size_t length = snw__lines_word(&reader->lines, &word), n = 0,
           count = sizeof types / sizeof *types;
    while (n < count && !snw__word_is(word, length, snw_joint_type_name(types[n])))
        n++;
    if (n < count) joint->type = types[n];
    double v[6];
    if (n == count || !snw__lines_numbers(&reader->lines, v, 6))
        return style_complain(reader, "a joint needs a type, six numbers and a name");
    joint->axis = snw_vec3_make(v[0], v[1], v[2]);
    joint->axis2 = snw_vec3_make(v[3], v[4], v[5]);
    if (!is_unit(v, 3) || !is_unit(v + 3, 3) ||
        !(fabs(snw_vec3_dot(joint->axis, joint->axis2)) <= SNW__SAME))
        return style_complain(reader, "the axes of a joint must be unit and perpendicular");
    joint->name = *names;
    *names = style_take_name(reader, *names);
    if (!*names) return style_complain(reader, "a joint needs a name of one word at its end");
    if (snw__name_set_add(&reader->names, joint->name, strlen(joint->name), style->joint_count) >=
        0)
        return style_complain(reader, "two joints have one name");
    joint->first = style->feature_count;
    style->feature_count += snw_joint_type_dof(joint->type);
    style->joint_count++;
    return SNW_OK;
}

static bool directions_are_orthonormal(const snw_style *style, int c, int i)
{
    int n = style->feature_count, q = style->dimension_count;
    const double *rows = style->direction + (size_t)c * (size_t)q * (size_t)n;
    const double *u = rows + (size_t)i * (size_t)n;
    bool is_zero = true;
    for (int k = 0; k < n; k++)
        is_zero &= u[k] == 0;
    if (is_zero) return style->deviation[c * q + i] <= style->noise[c] * (1 + SNW__SAME);
    if (!is_unit(u, n)) return false;
    for (int j = 0; j < i; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += u[k] * rows[(size_t)j * (size_t)n + (size_t)k];
        if (!(fabs(sum) <= 1e-6)) return false;
    }
    return true;
}

static snw_status style_read_component(style_reader *reader, snw_style *style, int c)
{
    int n = style->feature_count, q = style->dimension_count;
    double head[2];
    if (!snw__lines_numbers(&reader->lines, head, 2) || !snw__lines_are_done(&reader->lines) ||
        !(head[0] > 0) || !(head[0] <= 1) || !(head[1] >= 1e-6))
        return style_complain(reader, "a component needs a weight up to 1 and a noise above 0");
    style->weight[c] = head[0];
    style->noise[c] = head[1];
    if (!style_line_of(reader, "mean") ||
        !snw__lines_numbers(&reader->lines, style->mean + (size_t)c * (size_t)n, n) ||
        !snw__lines_are_done(&reader->lines))
        return style_complain(reader, "a component needs a mean with a number for every feature");
    for (int i = 0; i < q; i++) {
        size_t row = (size_t)c * (size_t)q + (size_t)i;
        if (!style_line_of(reader, "direction") ||
            !snw__lines_numbers(&reader->lines, style->deviation + row, 1) ||
            !snw__lines_numbers(&reader->lines, style->direction + row * (size_t)n, n) ||
            !snw__lines_are_done(&reader->lines))
            return style_complain(reader,
                                  "a component needs its directions: a deviation and a number for "
                                  "every feature");
        if (!(style->deviation[row] >= style->noise[c] * (1 - SNW__SAME)) ||
            !directions_are_orthonormal(style, c, i))
            return style_complain(reader, "directions must be orthonormal and above the noise");
    }
    return SNW_OK;
}

/* ---- counting ------------------------------------------------------------------------------- */

typedef struct style_counts {
    int64_t joints, components, directions;
} style_counts;

/* Joints of the text, which come first; the reader stands behind the first component's word. */
static snw_status read_joints(style_reader *reader, snw_style *style, char *names, int most)
{
    const char *word;
    while (snw__lines_next(&reader->lines)) {
        size_t length = snw__lines_word(&reader->lines, &word);
        if (snw__word_is(word, length, "component")) return SNW_OK;
        if (snw__word_is(word, length, "lean") && !style->has_lean) {
            double v[3];
            if (!snw__lines_numbers(&reader->lines, v, 3) || !snw__lines_are_done(&reader->lines) ||
                !is_unit(v, 3))
                return style_complain(reader, "a lean needs the unit vector that is up");
            style->up = snw_vec3_make(v[0], v[1], v[2]);
            style->has_lean = true;
            style->feature_count += 3;
            continue;
        }
        if (style->has_lean || !snw__word_is(word, length, "joint") || style->joint_count == most)
            return style_complain(reader, "joints are expected here, then components");
        snw_status status = style_read_joint(reader, style, &names);
        if (status != SNW_OK) return status;
    }
    return style_complain(reader, "there is no component");
}

static snw_status read_components(style_reader *reader, snw_style *style)
{
    double sum = 0;
    for (int c = 0; c < style->component_count; c++) {
        if (c > 0 && !style_line_of(reader, "component"))
            return style_complain(reader, "a component is expected here");
        snw_status status = style_read_component(reader, style, c);
        if (status != SNW_OK) return status;
        sum += style->weight[c];
    }
    if (snw__lines_next(&reader->lines))
        return style_complain(reader, "nothing more is expected here");
    if (!(fabs(sum - 1) <= 1e-6)) return style_complain(reader, "the weights do not sum to 1");
    return SNW_OK;
}

typedef struct style_draft {
    size_t joints, name_size;
    snw_style_joint *joint;
    char *names;
} style_draft;

static void style_draft_lay_out(void *object, snw__block *block)
{
    style_draft *draft = object;
    draft->joint = snw__block_take(block, draft->joints, sizeof *draft->joint);
    draft->names = snw__block_take(block, draft->name_size, 1);
}

snw_status snw_style_parse(const char *text, size_t size, const snw_allocator *allocator,
                           snw_style **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "a style needs a place to be put");
    *out = NULL;
    if (!text) return snw__fail(error, SNW_INVALID_ARGUMENT, "text is NULL");
    snw_allocator memory = snw__allocator_or_default(allocator);
    style_reader reader = {.lines = {.next = text, .last = text + size}, .error = error};
    if (!snw__lines_next(&reader.lines) ||
        !snw__word_is(reader.lines.at, (size_t)(reader.lines.end - reader.lines.at), STYLE_HEAD))
        return style_complain(&reader, "the first line must be \"" STYLE_HEAD "\"");
    style_reader ahead = reader;
    style_counts counts = {0, 0, 0};
    while (snw__lines_next(&ahead.lines)) {
        const char *word;
        size_t length = snw__lines_word(&ahead.lines, &word);
        counts.joints += snw__word_is(word, length, "joint");
        counts.components += snw__word_is(word, length, "component");
        counts.directions += snw__word_is(word, length, "direction");
    }
    if (counts.joints < 1 || counts.joints > SNW_JOINT_MAX || counts.components < 1 ||
        counts.components > SNW_STYLE_COMPONENT_MAX)
        return style_complain(&reader, "a style needs joints and 1 to 64 components");
    if (counts.directions % counts.components != 0 ||
        counts.directions / counts.components > SNW_STYLE_DIMENSION_MAX)
        return style_complain(&reader, "every component needs as many directions, at most 32");
    /* Numbers take two bytes at least, so a text cannot ask for more than it has. */
    if ((uint64_t)(counts.directions + counts.components) * (uint64_t)counts.joints * 2 > size)
        return style_complain(&reader, "the text ends early");
    style_draft draft = {.joints = (size_t)counts.joints, .name_size = size + 1};
    snw__block block;
    snw_status status =
        snw__block_create(&block, style_draft_lay_out, &draft, &memory, "a style", error);
    if (status != SNW_OK) return status;
    snw_style read = {.joint = draft.joint,
                      .component_count = (int)counts.components,
                      .dimension_count = (int)(counts.directions / counts.components)};
    char *names = NULL;
    status = snw__name_set_create(&reader.names, (int)counts.joints, &memory, error);
    if (status == SNW_OK) status = read_joints(&reader, &read, draft.names, (int)counts.joints);
    if (status == SNW_OK &&
        (uint64_t)(counts.directions + counts.components) * (uint64_t)read.feature_count * 2 > size)
        status = style_complain(&reader, "the text ends early");
    if (status == SNW_OK)
        status = snw__style_create(&read, draft.name_size, &memory, out, &names, error);
    if (status == SNW_OK) {
        memcpy(names, draft.names, draft.name_size);
        for (int s = 0; s < read.joint_count; s++) {
            (*out)->joint[s] = read.joint[s];
            (*out)->joint[s].name = names + (read.joint[s].name - draft.names);
        }
        status = read_components(&reader, *out);
    }
    snw__name_set_release(&reader.names);
    snw__block_release(&memory, &block);
    if (status == SNW_OK) return snw__succeed(error);
    snw_style_destroy(*out);
    *out = NULL;
    return status;
}
