/* STL: triangles without common vertices, in bytes or as text.
 *
 *   bytes 0-79  anything that does not start with "solid"   80-83  number of triangles
 *   then 50 bytes for each: normal (3 floats), three corners (9 floats), 2 bytes of anything;
 *   little-endian
 *
 *   solid NAME / facet normal A B C / outer loop / vertex X Y Z (three times) / endloop / endfacet
 * / endsolid NAME
 *
 * Corners at the same place become one vertex; triangles that lose a corner by that, or come twice,
 * are dropped, with a note. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/mesh_file.h"
#include "io/text_reader.h"
#include "io/text_writer.h"
#include "solid/mesh_edges.h"

enum {
    STL_START = 84,
    STL_ROW = 50
};

static bool take_triangle(snw__mesh_filling *filling, const snw_vec3 corner[3], int region)
{
    int first = filling->count.vertex_count;
    const int index[3] = {first, first + 1, first + 2};
    for (int k = 0; k < 3; k++)
        if (!snw__fill_vertex(filling, corner[k], 0)) return false;
    return snw__fill_face(filling, index, 3, region);
}

/* Corners at one place become one vertex. */
static snw_status merge_corners(snw_mesh *mesh, const snw__reading *reading, snw_mesh **out)
{
    snw_mesh_repaired done = {0};
    snw_status status = snw__mesh_merge(&mesh, 0, &done, reading->error);
    if (status != SNW_OK) {
        snw_mesh_destroy(mesh);
        return status;
    }
    if (done.dropped_triangle_count)
        snw__note(reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%d %s without area or came twice, and were left out",
                  done.dropped_triangle_count,
                  snw__plural(done.dropped_triangle_count, "triangle was", "triangles were"));
    *out = mesh;
    return SNW_OK;
}

/* ---- text ---------------------------------------------------------------------------------------
 */

typedef struct stl_text {
    snw__text_input text;
    snw__mesh_filling filling;
} stl_text;

static snw_status read_text(void *object)
{
    stl_text *work = object;
    snw__text_input *text = &work->text;
    snw__span word;
    snw_vec3 corner[3];
    int count = 0, region = -1;
    snw__text_rewind(text);
    while (snw__text_word(text, &word)) {
        if (snw__span_is(word, "solid")) {
            region++;
            if (text->is_inside) (void)snw__text_line(text, &word); /* its name */
            continue;
        }
        if (snw__span_is(word, "vertex")) {
            if (count == 3)
                return snw__text_fail(text, SNW_FORMAT, "a facet has more than three vertices");
            double x[3];
            snw__span number;
            for (int d = 0; d < 3; d++)
                if (!snw__text_word(text, &number) || !snw__span_double(number, &x[d]))
                    return snw__text_fail(text, SNW_FORMAT, "a vertex has no three coordinates");
            corner[count++] = snw_vec3_make(x[0], x[1], x[2]);
        } else if (snw__span_is(word, "endfacet")) {
            if (count != 3)
                return snw__text_fail(text, SNW_FORMAT, "a facet has %d vertices, not three",
                                      count);
            if (!take_triangle(&work->filling, corner, region < 0 ? 0 : region))
                return snw__text_fail(text, SNW_TOO_LARGE, "there are too many triangles");
            count = 0;
        } else if (snw__span_is(word, "endsolid") && text->is_inside) {
            (void)snw__text_line(text, &word);
        }
    }
    if (count) return snw__text_fail(text, SNW_TRUNCATED, "the file ends inside a facet");
    return SNW_OK;
}

/* ---- bytes
 * --------------------------------------------------------------------------------------- */

static bool is_text(const uint8_t *head, size_t size)
{
    snw__span rest = snw__span_of_head(head, size);
    if (!snw__span_starts(rest, "solid")) return false;
    for (const char *at = rest.at; at < rest.end; at++)
        if (!*at) return false;
    return true;
}

static snw_status read_mesh(snw__reading *reading, snw_mesh **out)
{
    uint8_t head[STL_START];
    size_t look = reading->source.size < STL_START ? (size_t)reading->source.size : STL_START;
    snw_status status = snw__reading_at(reading, 0, head, look);
    if (status != SNW_OK) return status;
    snw_mesh *mesh = NULL;
    if (is_text(head, look)) {
        stl_text work;
        memset(&work, 0, sizeof work);
        status = snw__fill_from_text(&work.filling, &work.text, reading, read_text, &work, &mesh);
        return status == SNW_OK ? merge_corners(mesh, reading, out) : status;
    }
    char *bytes = NULL;
    size_t size = 0;
    status = snw__reading_all(reading, &bytes, &size);
    if (status != SNW_OK) return status;
    uint64_t count = size < STL_START ? 0 : snw__bytes_to_integer((uint8_t *)bytes + 80, 4, false);
    if (size < STL_START || count > (size - STL_START) / STL_ROW || count > INT32_MAX / 3)
        status = snw__fail_at(reading->error, SNW_TRUNCATED, snw__at_byte((int64_t)size),
                              "%s ends after %zu bytes, before its %llu triangles", reading->name,
                              size, (unsigned long long)count);
    snw__mesh_filling filling;
    memset(&filling, 0, sizeof filling);
    filling.count.vertex_count = (int)(3 * count % INT32_MAX);
    filling.count.triangle_count = (int)(count % INT32_MAX);
    if (status == SNW_OK) status = snw__fill_begin(&filling, reading);
    if (status == SNW_OK) {
        const uint8_t *at = (const uint8_t *)bytes + STL_START;
        for (uint64_t n = 0; n < count; n++, at += STL_ROW) {
            snw_vec3 corner[3];
            for (int k = 0; k < 3; k++) {
                const uint8_t *place = at + 12 * (k + 1);
                corner[k] = snw_vec3_make(snw__bytes_to_real(place, 4, false),
                                          snw__bytes_to_real(place + 4, 4, false),
                                          snw__bytes_to_real(place + 8, 4, false));
            }
            (void)take_triangle(&filling, corner, 0);
        }
        status = snw__fill_end(&filling, reading, &mesh);
        if (status == SNW_OK) status = merge_corners(mesh, reading, out);
    }
    snw__reading_release_all(reading, bytes, size);
    return status;
}

static snw_status write_mesh(snw__output *output, const snw_mesh *mesh)
{
    double scale;
    snw_status status = snw__mesh_begin_writing(output, mesh, false, &scale);
    if (status != SNW_OK) return status;
    char title[80];
    memset(title, 0, sizeof title);
    snw_format(title, sizeof title, "sinew %s", snw_version());
    snw__put(output, title, sizeof title);
    snw__put_integer(output, (uint64_t)mesh->count.triangle_count, 4);
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        snw_vec3 normal = snw_vec3_unit(snw__triangle_area(mesh, t), snw_vec3_make(0, 0, 0));
        snw_vec3 row[4] = {normal};
        for (int k = 0; k < 3; k++) {
            row[k + 1] = snw_vec3_scale(mesh->vertex[mesh->triangle[t][k]], scale);
            if (!(snw_vec3_length(row[k + 1]) < 1e38))
                return snw__fail(output->error, SNW_UNSUPPORTED,
                                 "triangle %d is too far away for the floats of STL", t);
        }
        for (int k = 0; k < 4; k++)
            snw__put_place_bytes(output, row[k], 4);
        snw__put_integer(output, 0, 2);
    }
    return SNW_OK;
}

/* Text: "solid" and then "facet" or the end. Bytes: as many as it says where all are in the head;
 * else all triangles of the head have finite corners and normals of length 1 or 0. */
static bool sniff(const uint8_t *head, size_t size)
{
    if (is_text(head, size)) {
        snw__text_input text = snw__text_of_head(head, size);
        snw__span line, word;
        (void)snw__text_line(&text, &line);
        return snw__text_word(&text, &word) &&
               (snw__span_is(word, "facet") || snw__span_is(word, "endsolid"));
    }
    if (size < STL_START + STL_ROW) return false;
    uint64_t count = snw__bytes_to_integer(head + 80, 4, false);
    if (count == 0 || (size < 4096 && size != STL_START + STL_ROW * count)) return false;
    for (uint64_t t = 0; t < count && STL_START + (t + 1) * STL_ROW <= size; t++) {
        double x[12];
        for (int k = 0; k < 12; k++) {
            x[k] = snw__bytes_to_real(head + STL_START + t * STL_ROW + 4 * (uint64_t)k, 4, false);
            if (!(fabs(x[k]) < 1e30) || (fabs(x[k]) > 0 && fabs(x[k]) < 1e-30)) return false;
        }
        double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        if (length > 0 && fabs(length - 1) > 0.01) return false;
    }
    return true;
}

const snw__format snw__format_stl = {
    "STL", "stl", sniff, NULL, NULL, NULL, NULL, read_mesh, write_mesh,
};
