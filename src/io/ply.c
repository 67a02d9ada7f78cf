/* PLY (Turk 1994): a header in text, then rows of numbers in text or bytes.
 *
 *   ply
 *   format ascii 1.0                 or binary_little_endian, binary_big_endian
 *   comment ..., obj_info ...
 *   element vertex 8                 rows of this element follow in the order of the header
 *   property double x                char uchar short ushort int uint float double, and int8 ...
 *   element face 6
 *   property list uchar int vertex_indices      a count, then so many numbers
 *   end_header
 *
 * Taken are x, y, z of vertices and vertex_indices (or vertex_index) of faces; everything else is
 * passed over. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/mesh_file.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

enum {
    PLY_ELEMENTS = 16,
    PLY_PROPERTIES = 128, /* of all elements together */
    PLY_CORNERS = 64
};

typedef struct ply_type {
    const char *name, *other_name;
    int size;
    bool is_real, is_signed;
} ply_type;

static const ply_type ply_types[] = {
    {"char", "int8", 1, false, true},    {"uchar", "uint8", 1, false, false},
    {"short", "int16", 2, false, true},  {"ushort", "uint16", 2, false, false},
    {"int", "int32", 4, false, true},    {"uint", "uint32", 4, false, false},
    {"float", "float32", 4, true, true}, {"double", "float64", 8, true, true},
};

typedef struct ply_property {
    const ply_type *count; /* NULL: no list */
    const ply_type *type;
    int axis; /* 0, 1, 2: a coordinate of a vertex; 3: corners of a face; -1: passed over */
} ply_property;

typedef struct ply_element {
    int64_t count;
    bool is_vertex, is_face;
    int first, property_count;
} ply_element;

typedef struct ply_work {
    snw__reading *reading;
    snw__text_input text;
    snw__mesh_filling filling;
    bool is_text, is_big;
    int element_count, property_count;
    ply_element element[PLY_ELEMENTS];
    ply_property property[PLY_PROPERTIES];
    snw__text_mark body;
    const uint8_t *at, *end; /* of the rows in bytes */
} ply_work;

/* ---- the header
 * ---------------------------------------------------------------------------------- */

static const ply_type *find_type(snw__span word)
{
    for (size_t n = 0; n < sizeof ply_types / sizeof *ply_types; n++)
        if (snw__span_is(word, ply_types[n].name) || snw__span_is(word, ply_types[n].other_name))
            return ply_types + n;
    return NULL;
}

static snw_status read_format(ply_work *work, snw__span rest)
{
    snw__span word;
    if (!snw__span_word(&rest, &word)) word = rest;
    work->is_text = snw__span_is(word, "ascii");
    work->is_big = snw__span_is(word, "binary_big_endian");
    if (work->is_text || work->is_big || snw__span_is(word, "binary_little_endian")) return SNW_OK;
    return snw__text_fail(&work->text, SNW_UNSUPPORTED, "the format \"%.*s\" is not known",
                          snw__span_shown(word), word.at);
}

static int axis_of(const ply_element *element, snw__span name, bool is_list)
{
    if (element->is_vertex && !is_list)
        return snw__span_is(name, "x")   ? 0
               : snw__span_is(name, "y") ? 1
               : snw__span_is(name, "z") ? 2
                                         : -1;
    bool is_corners = snw__span_is(name, "vertex_indices") || snw__span_is(name, "vertex_index");
    return element->is_face && is_list && is_corners ? 3 : -1;
}

static snw_status read_property(ply_work *work, snw__span rest)
{
    snw__span word;
    ply_property property = {NULL, NULL, -1};
    if (!work->element_count || work->property_count == PLY_PROPERTIES)
        return snw__text_fail(&work->text, SNW_FORMAT,
                              work->element_count ? "there are too many properties"
                                                  : "a property comes before any element");
    ply_element *element = work->element + work->element_count - 1;
    bool is_ok = snw__span_word(&rest, &word);
    if (is_ok && snw__span_is(word, "list")) {
        is_ok = snw__span_word(&rest, &word) && (property.count = find_type(word)) != NULL &&
                !property.count->is_real && snw__span_word(&rest, &word);
    }
    if (is_ok) property.type = find_type(word);
    if (!property.type || !snw__span_word(&rest, &word))
        return snw__text_fail(&work->text, SNW_FORMAT, "a property has no known type or no name");
    property.axis = axis_of(element, word, property.count != NULL);
    if (property.axis == 3 && property.type->is_real)
        return snw__text_fail(&work->text, SNW_FORMAT, "corners of faces are no whole numbers");
    work->property[work->property_count++] = property;
    element->property_count++;
    return SNW_OK;
}

static snw_status read_header(ply_work *work)
{
    snw__span line, word;
    snw_status status = SNW_OK;
    bool has_format = false;
    (void)snw__text_line(&work->text, &line); /* ply */
    while (status == SNW_OK) {
        if (!snw__text_line(&work->text, &line))
            return snw__text_fail(&work->text, SNW_TRUNCATED, "the header does not end");
        if (!snw__span_word(&line, &word)) continue;
        if (snw__span_is(word, "end_header")) break;
        if (snw__span_is(word, "format")) {
            status = read_format(work, line);
            has_format = true;
        } else if (snw__span_is(word, "element")) {
            snw__span rest = line;
            snw__span name, count;
            if (work->element_count == PLY_ELEMENTS)
                return snw__text_fail(&work->text, SNW_UNSUPPORTED,
                                      "there are more than %d elements", PLY_ELEMENTS);
            ply_element *element = work->element + work->element_count++;
            element->first = work->property_count;
            if (!snw__span_word(&rest, &name) || !snw__span_word(&rest, &count) ||
                !snw__span_int(count, &element->count) || element->count < 0 ||
                element->count > INT32_MAX)
                return snw__text_fail(&work->text, SNW_FORMAT, "an element has no name and number");
            element->is_vertex = snw__span_is(name, "vertex");
            element->is_face = snw__span_is(name, "face");
        } else if (snw__span_is(word, "property"))
            status = read_property(work, line);
    }
    if (status == SNW_OK && !has_format)
        status = snw__text_fail(&work->text, SNW_FORMAT, "the header names no format");
    return status;
}

/* ---- rows
 * ------------------------------------------------------------------------------------------ */

static snw_status fail_row(const ply_work *work, const char *what)
{
    if (work->is_text) return snw__text_fail(&work->text, SNW_TRUNCATED, "%s", what);
    int64_t byte = (int64_t)(work->at - (const uint8_t *)work->text.bytes);
    return snw__fail_at(work->reading->error, SNW_TRUNCATED, snw__at_byte(byte),
                        "%s, byte %lld: %s", work->reading->name, (long long)byte, what);
}

static bool next_number(ply_work *work, const ply_type *type, double *value)
{
    if (work->is_text) {
        snw__span word;
        return snw__text_word(&work->text, &word) && snw__span_double(word, value);
    }
    if (work->end - work->at < type->size) return false;
    if (type->is_real) {
        *value = snw__bytes_to_real(work->at, type->size, work->is_big);
    } else {
        uint64_t bits = snw__bytes_to_integer(work->at, type->size, work->is_big);
        double whole = (double)bits, turn = type->size == 4   ? 4294967296.0
                                            : type->size == 2 ? 65536
                                                              : 256;
        *value = type->is_signed && whole >= turn / 2 ? whole - turn : whole;
    }
    work->at += type->size;
    return true;
}

static bool to_index(double value, int *index)
{
    if (!(value >= -1 && value <= INT32_MAX)) return false;
    *index = (int)value;
    return (double)*index >= value && (double)*index <= value;
}

static snw_status read_row(ply_work *work, const ply_element *element)
{
    double x[4] = {0, 0, 0, 0};
    snw_status status = SNW_OK;
    for (int p = 0; p < element->property_count && status == SNW_OK; p++) {
        const ply_property *property = work->property + element->first + p;
        if (property->count) {
            double count, value;
            int corner[PLY_CORNERS];
            if (!next_number(work, property->count, &count) || !(count >= 0 && count <= INT32_MAX))
                return fail_row(work, "a list has no length");
            if (property->axis == 3 && (count < 3 || count > PLY_CORNERS))
                return fail_row(work, "a face has fewer than three corners, or more than 64");
            for (int n = 0; n < (int)count; n++) {
                if (!next_number(work, property->type, &value))
                    return fail_row(work, "the file ends inside a list, or holds no number there");
                if (property->axis == 3 && !to_index(value, &corner[n]))
                    return fail_row(work, "a corner is no whole number");
            }
            if (property->axis == 3 && !snw__fill_face(&work->filling, corner, (int)count, 0))
                return fail_row(work, "there are too many faces");
        } else if (!next_number(work, property->type, &x[property->axis < 0 ? 3 : property->axis]))
            status = fail_row(work, "the file ends inside a row, or holds no number there");
    }
    if (status == SNW_OK && element->is_vertex &&
        !snw__fill_vertex(&work->filling, snw_vec3_make(x[0], x[1], x[2]), 0))
        return fail_row(work, "there are too many vertices");
    return status;
}

static snw_status read_text(void *object)
{
    ply_work *work = object;
    snw_status status = SNW_OK;
    if (!work->filling.mesh) { /* the first of two times */
        status = read_header(work);
        work->body = snw__text_here(&work->text);
        work->end = (const uint8_t *)work->text.end;
    }
    snw__text_return(&work->text, work->body);
    work->at = (const uint8_t *)work->body.at;
    for (int e = 0; e < work->element_count; e++) {
        const ply_element *element = work->element + e;
        /* Elements without properties have no rows. */
        for (int64_t n = 0; n < element->count && element->property_count && status == SNW_OK; n++)
            status = read_row(work, element);
    }
    return status;
}

static snw_status read_mesh(snw__reading *reading, snw_mesh **out)
{
    ply_work work;
    memset(&work, 0, sizeof work);
    work.reading = reading;
    return snw__fill_from_text(&work.filling, &work.text, reading, read_text, &work, out);
}

/* Little-endian doubles. */
static snw_status write_mesh(snw__output *output, const snw_mesh *mesh)
{
    double scale;
    snw_status status = snw__mesh_begin_writing(output, mesh, false, &scale);
    if (status != SNW_OK) return status;
    snw__put_text(output,
                  "ply\nformat binary_little_endian 1.0\ncomment sinew %s\nelement vertex %d\n"
                  "property double x\nproperty double y\nproperty double z\nelement face %d\n"
                  "property list uchar int vertex_indices\nend_header\n",
                  snw_version(), mesh->count.vertex_count, mesh->count.triangle_count);
    for (int v = 0; v < mesh->count.vertex_count; v++)
        snw__put_place_bytes(output, snw_vec3_scale(mesh->vertex[v], scale), 8);
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        snw__put_integer(output, 3, 1);
        for (int k = 0; k < 3; k++)
            snw__put_integer(output, (uint64_t)mesh->triangle[t][k], 4);
    }
    return SNW_OK;
}

static bool sniff(const uint8_t *head, size_t size)
{
    return size >= 5 && memcmp(head, "ply", 3) == 0 && (head[3] == '\n' || head[3] == '\r');
}

const snw__format snw__format_ply = {
    "PLY", "ply", sniff, NULL, NULL, NULL, NULL, read_mesh, write_mesh,
};
