/* OBJ (Wavefront): lines of words.
 *
 *   v X Y Z [W]            a vertex
 *   f A B C ...            a face; each corner is V, V/T, V//N or V/T/N, from 1, or from the last
 *                          vertex back where negative
 *   l A B ...              a line: edges
 *   o, g, usemtl NAME      starts a region: its number is the reference of what follows
 *   vt vn vp s mtllib #    are passed over
 *
 * A line that ends in a backslash, which would go on in the next one, is refused. */
#include <string.h>

#include "base/fail.h"
#include "io/mesh_file.h"
#include "io/text_reader.h"
#include "io/text_writer.h"

enum {
    OBJ_CORNERS = 64
};

typedef struct obj_work {
    snw__text_input text;
    snw__mesh_filling filling;
    int region;
    int corner[OBJ_CORNERS]; /* of one face */
} obj_work;

/* Corners of a face or points of a line; more than there is room for are refused. */
static snw_status read_corners(obj_work *work, snw__span rest, int *count)
{
    snw__span word;
    *count = 0;
    while (snw__span_word(&rest, &word)) {
        int64_t number;
        snw__span vertex = {word.at, snw__span_find(word, '/')};
        if (!snw__span_int(vertex, &number) || number == 0 || number > INT32_MAX ||
            number < -INT32_MAX)
            return snw__text_fail(&work->text, SNW_FORMAT, "a corner is \"%.*s\"",
                                  snw__span_shown(word), word.at);
        if (*count == OBJ_CORNERS)
            return snw__text_fail(&work->text, SNW_UNSUPPORTED, "a face has more than %d corners",
                                  OBJ_CORNERS);
        work->corner[(*count)++] =
            (int)(number > 0 ? number - 1 : work->filling.count.vertex_count + number);
    }
    return SNW_OK;
}

static snw_status read_text(void *object)
{
    obj_work *work = object;
    snw__span line, word;
    snw_status status = SNW_OK;
    bool has_content = false;
    work->region = 0;
    snw__text_rewind(&work->text);
    while (status == SNW_OK && snw__text_line(&work->text, &line)) {
        snw__span trimmed = snw__span_trim(line);
        if (!snw__span_is_empty(trimmed) && trimmed.end[-1] == '\\')
            return snw__text_fail(&work->text, SNW_UNSUPPORTED,
                                  "a line goes on in the next one, which is not read");
        if (!snw__span_word(&line, &word)) continue;
        if (snw__span_is(word, "v")) {
            double x[3];
            for (int d = 0; d < 3; d++)
                if (!snw__span_word(&line, &word) || !snw__span_double(word, &x[d]))
                    return snw__text_fail(&work->text, SNW_FORMAT,
                                          "a vertex has no three coordinates");
            if (!snw__fill_vertex(&work->filling, snw_vec3_make(x[0], x[1], x[2]), work->region))
                return snw__text_fail(&work->text, SNW_TOO_LARGE, "there are too many vertices");
        } else if (snw__span_is(word, "f")) {
            int count;
            status = read_corners(work, line, &count);
            if (status == SNW_OK && count < 3)
                return snw__text_fail(&work->text, SNW_FORMAT, "a face has %d corners", count);
            if (status == SNW_OK &&
                !snw__fill_face(&work->filling, work->corner, count, work->region))
                return snw__text_fail(&work->text, SNW_TOO_LARGE, "there are too many faces");
        } else if (snw__span_is(word, "l")) {
            int count;
            status = read_corners(work, line, &count);
            for (int k = 1; k < count && status == SNW_OK; k++)
                if (!snw__fill_edge(&work->filling, work->corner + k - 1, work->region))
                    return snw__text_fail(&work->text, SNW_TOO_LARGE, "there are too many edges");
        } else if (snw__span_is(word, "o") || snw__span_is(word, "g") ||
                   snw__span_is(word, "usemtl")) {
            work->region += has_content;
            has_content = false;
            continue;
        } else
            continue;
        has_content = true;
    }
    return status;
}

static snw_status read_mesh(snw__reading *reading, snw_mesh **out)
{
    obj_work work;
    memset(&work, 0, sizeof work);
    return snw__fill_from_text(&work.filling, &work.text, reading, read_text, &work, out);
}

static snw_status write_mesh(snw__output *output, const snw_mesh *mesh)
{
    double scale;
    snw_status status = snw__mesh_begin_writing(output, mesh, false, &scale);
    if (status != SNW_OK) return status;
    snw__put_text(output, "# sinew %s\n", snw_version());
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        snw__put_string(output, "v ");
        snw__put_place(output, snw_vec3_scale(mesh->vertex[v], scale));
        snw__put_string(output, "\n");
    }
    for (int e = 0; e < mesh->count.edge_count; e++)
        snw__put_text(output, "l %d %d\n", mesh->edge[e][0] + 1, mesh->edge[e][1] + 1);
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        if (t && mesh->triangle_reference[t] != mesh->triangle_reference[t - 1])
            snw__put_text(output, "g region%d\n", mesh->triangle_reference[t]);
        const int *c = mesh->triangle[t];
        snw__put_text(output, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1);
    }
    return SNW_OK;
}

/* Every whole line of the head starts with a word of OBJ, and there is a vertex of three numbers.
 */
static bool sniff(const uint8_t *head, size_t size)
{
    static const char *const words[] = {"v", "vt", "vn", "vp",     "f",      "l",     "p",
                                        "o", "g",  "s",  "cstype", "mtllib", "usemtl"};
    snw__text_input text = snw__text_of_head(head, size);
    snw__span line, word;
    bool has_vertex = false;
    while (snw__text_line(&text, &line)) {
        if (!snw__span_word(&line, &word) || *word.at == '#') continue;
        bool is_known = false;
        for (size_t n = 0; n < sizeof words / sizeof *words && !is_known; n++)
            is_known = snw__span_is(word, words[n]) && *word.at >= 'a';
        bool is_cut = line.end == text.end;
        if (!is_known) return is_cut && has_vertex;
        double x;
        if (!snw__span_is(word, "v")) continue;
        for (int d = 0; d < 3; d++)
            if (!snw__span_word(&line, &word) || !snw__span_double(word, &x))
                return is_cut && has_vertex;
        has_vertex = true;
    }
    return has_vertex;
}

const snw__format snw__format_obj = {
    "OBJ", "obj", sniff, NULL, NULL, NULL, NULL, read_mesh, write_mesh,
};
