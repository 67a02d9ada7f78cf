/* MEDIT meshes (Frey, "MEDIT: an interactive mesh visualization software", INRIA report 0253,
 * 2001), which Knight's figures are made of: text (.mesh) and the same in bytes (.meshb).
 *
 *   MeshVersionFormatted 1          1: floats, 2: doubles
 *   Dimension 3                     2: z is 0
 *   Vertices                        the number of them, then x y z reference of each
 *   Edges, Triangles, Quadrilaterals, Tetrahedra, Hexahedra
 *                                   the number, then corners (from 1) and reference of each
 *   Corners, Ridges, Normals, ...   are passed over up to the next word
 *   End
 *   # to the end of the line: a comment
 *
 * In bytes: int 1 (its bytes tell their order), int version (1 float, 2 double, 3 long positions, 4
 * long integers too); then for each keyword its code, the position of the next keyword, the number
 * and the rows. Codes: 3 Dimension, 4 Vertices, 5 Edges, 6 Triangles, 7 Quadrilaterals,
 * 8 Tetrahedra, 10 Hexahedra, 54 End. */
#include <string.h>

#include "base/fail.h"
#include "io/mesh_file.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

typedef struct medit_kind {
    const char *word;
    int code;
    int corners; /* 0: vertices */
} medit_kind;

static const medit_kind medit_kinds[] = {
    {"Vertices", 4, 0},       {"Edges", 5, 2},      {"Triangles", 6, 3},
    {"Quadrilaterals", 7, 4}, {"Tetrahedra", 8, 4}, {"Hexahedra", 10, 8},
};

enum {
    MEDIT_KINDS = sizeof medit_kinds / sizeof *medit_kinds,
    MEDIT_CODE_DIMENSION = 3,
    MEDIT_CODE_END = 54,
    MEDIT_CODE_HEXAHEDRA = 10
};

/* One element of a kind; corners from 1. False: too many for an int. */
static bool take_element(snw__mesh_filling *filling, const medit_kind *kind, const int64_t *number)
{
    int corner[4], reference = (int)number[kind->corners];
    for (int k = 0; k < kind->corners && k < 4; k++)
        corner[k] = (int)(number[k] - 1);
    if (kind->code == 5) return snw__fill_edge(filling, corner, reference);
    if (kind->code == 8) return snw__fill_tetrahedron(filling, corner, reference);
    if (kind->code == MEDIT_CODE_HEXAHEDRA) return true;
    return snw__fill_face(filling, corner, kind->corners, reference);
}

static void note_left_out(const snw__reading *reading, int64_t hexahedra)
{
    if (hexahedra)
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%lld hexahedra were left out: only triangles and tetrahedra are read",
                  (long long)hexahedra);
}

/* ---- text ---------------------------------------------------------------------------------------
 */

typedef struct medit_text {
    snw__text_input text;
    snw__mesh_filling filling;
    int dimension;
    int64_t hexahedra;
} medit_text;

/* The next word that is no comment. */
static bool next_word(medit_text *medit, snw__span *word)
{
    while (snw__text_word(&medit->text, word)) {
        if (*word->at != '#') return true;
        snw__span rest;
        if (medit->text.is_inside) (void)snw__text_line(&medit->text, &rest);
    }
    return false;
}

static snw_status need_integer(medit_text *medit, const char *what, int64_t *value)
{
    snw__span word;
    if (!next_word(medit, &word))
        return snw__text_fail(&medit->text, SNW_TRUNCATED, "the file ends before %s", what);
    if (!snw__span_int(word, value) || *value > INT32_MAX || *value < -INT32_MAX)
        return snw__text_fail(&medit->text, SNW_FORMAT, "%s is \"%.*s\", not a whole number", what,
                              snw__span_shown(word), word.at);
    return SNW_OK;
}

static snw_status read_vertex(medit_text *medit)
{
    double x[3] = {0, 0, 0};
    int64_t reference;
    for (int d = 0; d < medit->dimension; d++) {
        snw__span word;
        if (!next_word(medit, &word))
            return snw__text_fail(&medit->text, SNW_TRUNCATED, "the file ends inside a vertex");
        if (!snw__span_double(word, &x[d]))
            return snw__text_fail(&medit->text, SNW_FORMAT,
                                  "a coordinate is \"%.*s\", not a number", snw__span_shown(word),
                                  word.at);
    }
    snw_status status = need_integer(medit, "a vertex's reference", &reference);
    if (status == SNW_OK &&
        !snw__fill_vertex(&medit->filling, snw_vec3_make(x[0], x[1], x[2]), (int)reference))
        return snw__text_fail(&medit->text, SNW_TOO_LARGE, "there are too many vertices");
    return status;
}

static snw_status read_element(medit_text *medit, const medit_kind *kind)
{
    int64_t number[9];
    for (int k = 0; k <= kind->corners; k++) {
        snw_status status =
            need_integer(medit, k < kind->corners ? "a corner" : "a reference", &number[k]);
        if (status != SNW_OK) return status;
    }
    if (!take_element(&medit->filling, kind, number))
        return snw__text_fail(&medit->text, SNW_TOO_LARGE, "there are too many elements");
    return SNW_OK;
}

/* One pass over the keywords. */
static snw_status read_text(void *work)
{
    medit_text *medit = work;
    snw__span word;
    snw_status status = SNW_OK;
    medit->dimension = 3;
    medit->hexahedra = 0;
    snw__text_rewind(&medit->text);
    while (status == SNW_OK && next_word(medit, &word) && !snw__span_is(word, "End")) {
        const medit_kind *kind = NULL;
        for (int n = 0; n < MEDIT_KINDS && !kind; n++)
            if (snw__span_is(word, medit_kinds[n].word)) kind = medit_kinds + n;
        if (kind) {
            int64_t count = 0;
            status = need_integer(medit, "the number of elements", &count);
            if (status == SNW_OK && count < 0)
                status = snw__text_fail(&medit->text, SNW_FORMAT, "%s: the number is %lld",
                                        kind->word, (long long)count);
            if (kind->code == MEDIT_CODE_HEXAHEDRA) medit->hexahedra += count;
            for (int64_t n = 0; n < count && status == SNW_OK; n++)
                status = kind->corners ? read_element(medit, kind) : read_vertex(medit);
        } else if (snw__span_is(word, "Dimension")) {
            int64_t dimension;
            status = need_integer(medit, "the dimension", &dimension);
            if (status == SNW_OK && dimension != 2 && dimension != 3)
                return snw__text_fail(&medit->text, SNW_FORMAT, "the dimension is %lld, not 2 or 3",
                                      (long long)dimension);
            if (status == SNW_OK) medit->dimension = (int)dimension;
        }
    }
    return status;
}

static snw_status read_mesh(snw__reading *reading, snw_mesh **out)
{
    medit_text medit;
    memset(&medit, 0, sizeof medit);
    snw_status status =
        snw__fill_from_text(&medit.filling, &medit.text, reading, read_text, &medit, out);
    if (status == SNW_OK) note_left_out(reading, medit.hexahedra);
    return status;
}

static void put_rows(snw__output *output, const medit_kind *kind, const int *corner,
                     const int *reference, int count)
{
    if (!count) return;
    snw__put_text(output, "%s\n%d\n", kind->word, count);
    for (int n = 0; n < count; n++) {
        for (int k = 0; k < kind->corners; k++)
            snw__put_text(output, "%d ", corner[n * kind->corners + k] + 1);
        snw__put_text(output, "%d\n", reference[n]);
    }
}

static snw_status write_mesh(snw__output *output, const snw_mesh *mesh)
{
    double scale;
    snw_status status = snw__mesh_begin_writing(output, mesh, true, &scale);
    if (status != SNW_OK) return status;
    snw__put_text(output, "MeshVersionFormatted 2\nDimension 3\nVertices\n%d\n",
                  mesh->count.vertex_count);
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        snw__put_place(output, snw_vec3_scale(mesh->vertex[v], scale));
        snw__put_text(output, " %d\n", mesh->vertex_reference[v]);
    }
    put_rows(output, medit_kinds + 1, mesh->edge ? mesh->edge[0] : NULL, mesh->edge_reference,
             mesh->count.edge_count);
    put_rows(output, medit_kinds + 2, mesh->triangle ? mesh->triangle[0] : NULL,
             mesh->triangle_reference, mesh->count.triangle_count);
    put_rows(output, medit_kinds + 4, mesh->tetrahedron ? mesh->tetrahedron[0] : NULL,
             mesh->tetrahedron_reference, mesh->count.tetrahedron_count);
    snw__put_string(output, "End\n");
    return SNW_OK;
}

/* The first word that is no comment is MeshVersionFormatted. */
static bool sniff(const uint8_t *head, size_t size)
{
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line, word;
    while (snw__text_line(&text, &line)) {
        if (!snw__span_word(&line, &word) || *word.at == '#') continue;
        return snw__span_is(word, "MeshVersionFormatted");
    }
    return false;
}

const snw__format snw__format_medit = {
    "MEDIT", "mesh", sniff, NULL, NULL, NULL, NULL, read_mesh, write_mesh,
};

/* ---- bytes
 * --------------------------------------------------------------------------------------- */

typedef struct medit_bytes {
    snw__reading *reading;
    snw__mesh_filling filling;
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool is_big;
    int version, dimension;
    int64_t hexahedra;
} medit_bytes;

static bool take_integer(medit_bytes *medit, int size, int64_t *value)
{
    if (medit->size - medit->at < (size_t)size) return false;
    uint64_t bits = snw__bytes_to_integer(medit->bytes + medit->at, size, medit->is_big);
    *value = size == 4 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    medit->at += (size_t)size;
    return true;
}

static snw_status fail_bytes(const medit_bytes *medit, snw_status status, const char *what)
{
    return snw__fail_at(medit->reading->error, status, snw__at_byte((int64_t)medit->at),
                        "%s, byte %zu: %s", medit->reading->name, medit->at, what);
}

static snw_status read_rows(medit_bytes *medit, const medit_kind *kind, int64_t count)
{
    int integer = medit->version >= 4 ? 8 : 4, real = medit->version == 1 ? 4 : 8;
    for (int64_t n = 0; n < count; n++) {
        int64_t number[9];
        double x[3] = {0, 0, 0};
        for (int d = 0; d < medit->dimension && !kind->corners; d++, medit->at += (size_t)real)
            x[d] = snw__bytes_to_real(medit->bytes + medit->at, real, medit->is_big);
        for (int k = 0; k <= kind->corners; k++) {
            (void)take_integer(medit, integer, &number[k]);
            if (number[k] > INT32_MAX || number[k] < -INT32_MAX)
                return fail_bytes(medit, SNW_FORMAT, "a number is beyond all vertices");
        }
        bool is_taken = kind->corners
                            ? take_element(&medit->filling, kind, number)
                            : snw__fill_vertex(&medit->filling, snw_vec3_make(x[0], x[1], x[2]),
                                               (int)number[0]);
        if (!is_taken) return fail_bytes(medit, SNW_TOO_LARGE, "there are too many elements");
    }
    return SNW_OK;
}

/* One keyword; *next is where the one after it is, 0 at the end. */
static snw_status read_keyword(medit_bytes *medit, size_t *next)
{
    int64_t code, position;
    if (!take_integer(medit, 4, &code) ||
        !take_integer(medit, medit->version >= 3 ? 8 : 4, &position))
        return fail_bytes(medit, SNW_TRUNCATED, "the file ends before its End");
    if (code == MEDIT_CODE_END) position = 0;
    if (position != 0 && (position < (int64_t)medit->at || (uint64_t)position > medit->size))
        return fail_bytes(medit, SNW_FORMAT, "the next keyword is said to be where it cannot be");
    *next = (size_t)position;
    if (code == MEDIT_CODE_DIMENSION) {
        int64_t dimension;
        if (!take_integer(medit, 4, &dimension) || (dimension != 2 && dimension != 3))
            return fail_bytes(medit, SNW_FORMAT, "the dimension is not 2 or 3");
        medit->dimension = (int)dimension;
        return SNW_OK;
    }
    for (int n = 0; n < MEDIT_KINDS; n++)
        if (code == medit_kinds[n].code) {
            const medit_kind *kind = medit_kinds + n;
            int integer = medit->version >= 4 ? 8 : 4, real = medit->version == 1 ? 4 : 8;
            int64_t count;
            if (!take_integer(medit, integer, &count))
                return fail_bytes(medit, SNW_TRUNCATED,
                                  "the file ends before a number of elements");
            int row = (kind->corners + 1) * integer + (kind->corners ? 0 : medit->dimension * real);
            if (count < 0 || (uint64_t)count > (medit->size - medit->at) / (size_t)row)
                return fail_bytes(medit, count < 0 ? SNW_FORMAT : SNW_TRUNCATED,
                                  "there are fewer elements than the file says");
            if (kind->code == MEDIT_CODE_HEXAHEDRA) medit->hexahedra += count;
            return read_rows(medit, kind, count);
        }
    return SNW_OK;
}

static snw_status read_bytes(void *work)
{
    medit_bytes *medit = work;
    snw_status status = SNW_OK;
    int64_t version;
    medit->at = 4;
    medit->dimension = 3;
    medit->hexahedra = 0;
    medit->is_big = medit->bytes[0] == 0;
    if (!take_integer(medit, 4, &version) || version < 1 || version > 4)
        return fail_bytes(medit, SNW_FORMAT, "the version is not 1 to 4");
    medit->version = (int)version;
    for (size_t next = medit->at; status == SNW_OK && next != 0;) {
        medit->at = next;
        status = read_keyword(medit, &next);
    }
    return status;
}

static snw_status read_mesh_bytes(snw__reading *reading, snw_mesh **out)
{
    medit_bytes medit = {.reading = reading};
    char *bytes = NULL;
    snw_status status = snw__reading_all(reading, &bytes, &medit.size);
    if (status != SNW_OK) return status;
    medit.bytes = (const uint8_t *)bytes;
    status = snw__fill_twice(&medit.filling, reading, read_bytes, &medit, out);
    if (status == SNW_OK) note_left_out(reading, medit.hexahedra);
    snw__reading_release_all(reading, bytes, medit.size);
    return status;
}

static void put_rows_bytes(snw__output *output, const medit_kind *kind, const int *corner,
                           const int *reference, int count)
{
    if (!count) return;
    snw__put_integer(output, (uint64_t)kind->code, 4);
    snw__put_integer(
        output,
        (uint64_t)output->position + 12 + 4 * (uint64_t)(kind->corners + 1) * (uint64_t)count, 8);
    snw__put_integer(output, (uint64_t)count, 4);
    for (int n = 0; n < count; n++) {
        for (int k = 0; k < kind->corners; k++)
            snw__put_integer(output, (uint64_t)corner[n * kind->corners + k] + 1, 4);
        snw__put_integer(output, (uint64_t)(uint32_t)reference[n], 4);
    }
}

/* Version 3: positions of eight bytes, so that no mesh is too large. */
static snw_status write_mesh_bytes(snw__output *output, const snw_mesh *mesh)
{
    double scale;
    snw_status status = snw__mesh_begin_writing(output, mesh, true, &scale);
    if (status != SNW_OK) return status;
    uint64_t vertices = (uint64_t)mesh->count.vertex_count;
    snw__put_integer(output, 1, 4);
    snw__put_integer(output, 3, 4);
    snw__put_integer(output, MEDIT_CODE_DIMENSION, 4);
    snw__put_integer(output, 24, 8);
    snw__put_integer(output, 3, 4);
    snw__put_integer(output, 4, 4);
    snw__put_integer(output, 24 + 16 + 28 * vertices, 8);
    snw__put_integer(output, vertices, 4);
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        snw__put_place_bytes(output, snw_vec3_scale(mesh->vertex[v], scale), 8);
        snw__put_integer(output, (uint64_t)(uint32_t)mesh->vertex_reference[v], 4);
    }
    put_rows_bytes(output, medit_kinds + 1, mesh->edge ? mesh->edge[0] : NULL, mesh->edge_reference,
                   mesh->count.edge_count);
    put_rows_bytes(output, medit_kinds + 2, mesh->triangle ? mesh->triangle[0] : NULL,
                   mesh->triangle_reference, mesh->count.triangle_count);
    put_rows_bytes(output, medit_kinds + 4, mesh->tetrahedron ? mesh->tetrahedron[0] : NULL,
                   mesh->tetrahedron_reference, mesh->count.tetrahedron_count);
    snw__put_integer(output, MEDIT_CODE_END, 4);
    snw__put_integer(output, 0, 8);
    return SNW_OK;
}

/* 1 in either order, a version, and the keyword Dimension, which comes first. */
static bool sniff_bytes(const uint8_t *head, size_t size)
{
    if (size < 12) return false;
    bool is_big = head[0] == 0;
    uint64_t version = snw__bytes_to_integer(head + 4, 4, is_big);
    return snw__bytes_to_integer(head, 4, is_big) == 1 && version >= 1 && version <= 4 &&
           snw__bytes_to_integer(head + 8, 4, is_big) == MEDIT_CODE_DIMENSION;
}

const snw__format snw__format_meditb = {
    "binary MEDIT", "meshb", sniff_bytes, NULL, NULL, NULL, NULL, read_mesh_bytes, write_mesh_bytes,
};
