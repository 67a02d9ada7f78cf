/* What the mesh formats share: two passes over a file, and numbers as bytes. */
#include "io/mesh_file.h"

#include <string.h>

#include "base/fail.h"
#include "io/text_writer.h"
#include "solid/mesh_edges.h"

/* ---- filling -----------------------------------------------------------------------------------
 */

bool snw__fill_vertex(snw__mesh_filling *filling, snw_vec3 place, int reference)
{
    if (filling->count.vertex_count == INT32_MAX) return false;
    if (filling->mesh) {
        filling->mesh->vertex[filling->count.vertex_count] = place;
        filling->mesh->vertex_reference[filling->count.vertex_count] = reference;
    }
    filling->count.vertex_count++;
    return true;
}

bool snw__fill_face(snw__mesh_filling *filling, const int *corner, int count, int reference)
{
    filling->split_count += count > 3;
    for (int k = 2; k < count; k++) {
        int at = filling->count.triangle_count;
        if (at == INT32_MAX) return false;
        if (filling->mesh) {
            filling->mesh->triangle[at][0] = corner[0];
            filling->mesh->triangle[at][1] = corner[k - 1];
            filling->mesh->triangle[at][2] = corner[k];
            filling->mesh->triangle_reference[at] = reference;
        }
        filling->count.triangle_count++;
    }
    return true;
}

bool snw__fill_edge(snw__mesh_filling *filling, const int corner[2], int reference)
{
    int at = filling->count.edge_count;
    if (at == INT32_MAX) return false;
    if (filling->mesh) {
        memcpy(filling->mesh->edge[at], corner, 2 * sizeof *corner);
        filling->mesh->edge_reference[at] = reference;
    }
    filling->count.edge_count++;
    return true;
}

bool snw__fill_tetrahedron(snw__mesh_filling *filling, const int corner[4], int reference)
{
    int at = filling->count.tetrahedron_count;
    if (at == INT32_MAX) return false;
    if (filling->mesh) {
        memcpy(filling->mesh->tetrahedron[at], corner, 4 * sizeof *corner);
        filling->mesh->tetrahedron_reference[at] = reference;
    }
    filling->count.tetrahedron_count++;
    return true;
}

snw_status snw__fill_begin(snw__mesh_filling *filling, const snw__reading *reading)
{
    const snw_mesh_counts *n = &filling->count;
    uint64_t size = (uint64_t)n->vertex_count * 28 + (uint64_t)n->triangle_count * 16 +
                    (uint64_t)n->edge_count * 12 + (uint64_t)n->tetrahedron_count * 20;
    snw_status status = snw__reading_check_memory(reading, size);
    if (status == SNW_OK)
        status = snw_mesh_create(n, &reading->allocator, &filling->mesh, reading->error);
    memset(&filling->count, 0, sizeof filling->count);
    filling->split_count = 0;
    return status;
}

snw_status snw__fill_end(snw__mesh_filling *filling, const snw__reading *reading, snw_mesh **out)
{
    snw_error wrong = snw_error_none();
    if (snw__mesh_check_numbers(filling->mesh, &wrong) != SNW_OK) {
        snw_mesh_destroy(filling->mesh);
        filling->mesh = NULL;
        return snw__fail_at(reading->error, SNW_FORMAT, snw__at_name(wrong.index, reading->name),
                            "%s: %s", reading->name, wrong.message);
    }
    if (filling->split_count)
        snw__note(reading->notes, SNW_NOTE_FORM_UNUSUAL, SNW__NOWHERE,
                  "%lld %s of more than three corners became triangles",
                  (long long)filling->split_count,
                  snw__plural(filling->split_count, "face", "faces"));
    *out = filling->mesh;
    return SNW_OK;
}

snw_status snw__fill_twice(snw__mesh_filling *filling, const snw__reading *reading,
                           snw_status (*pass)(void *work), void *work, snw_mesh **out)
{
    snw_status status = pass(work);
    if (status == SNW_OK) status = snw__fill_begin(filling, reading);
    if (status != SNW_OK) return status;
    status = pass(work);
    if (status == SNW_OK) status = snw__fill_end(filling, reading, out);
    if (status != SNW_OK) snw_mesh_destroy(filling->mesh);
    return status;
}

snw_status snw__fill_from_text(snw__mesh_filling *filling, snw__text_input *text,
                               snw__reading *reading, snw_status (*pass)(void *work), void *work,
                               snw_mesh **out)
{
    snw_status status = snw__text_load(text, reading);
    if (status != SNW_OK) return status;
    status = snw__fill_twice(filling, reading, pass, work, out);
    snw__text_release(text);
    return status;
}

/* ---- writing -----------------------------------------------------------------------------------
 */

snw_status snw__mesh_begin_writing(const snw__output *output, const snw_mesh *mesh,
                                   bool has_tetrahedra, double *scale)
{
    double metres_per_unit = output->options.metres_per_unit;
    *scale = metres_per_unit > 0 ? 1 / metres_per_unit : 1;
    snw_status status = snw__mesh_check_numbers(mesh, output->error);
    if (status != SNW_OK) return status;
    if (!has_tetrahedra && mesh->count.tetrahedron_count && !mesh->count.triangle_count)
        return snw__fail(output->error, SNW_UNSUPPORTED,
                         "the mesh has tetrahedra and no triangles, which only MEDIT can hold");
    return SNW_OK;
}

void snw__put_place(snw__output *output, snw_vec3 place)
{
    snw__put_double(output, place.x);
    snw__put_string(output, " ");
    snw__put_double(output, place.y);
    snw__put_string(output, " ");
    snw__put_double(output, place.z);
}

/* ---- bytes -------------------------------------------------------------------------------------
 */

uint64_t snw__bytes_to_integer(const uint8_t *bytes, int size, bool is_big)
{
    uint64_t value = 0;
    for (int n = 0; n < size; n++)
        value = value << 8 | bytes[is_big ? n : size - 1 - n];
    return value;
}

double snw__bytes_to_real(const uint8_t *bytes, int size, bool is_big)
{
    uint64_t bits = snw__bytes_to_integer(bytes, size, is_big);
    if (size == 4) {
        uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void snw__put_integer(snw__output *output, uint64_t value, int size)
{
    uint8_t bytes[8] = {0};
    for (int n = 0; n < size; n++)
        bytes[n] = (uint8_t)(value >> (8 * n));
    snw__put(output, bytes, (size_t)size);
}

static void put_real(snw__output *output, double value, int size)
{
    uint64_t bits = 0;
    if (size == 4) {
        float half = (float)value;
        uint32_t word;
        memcpy(&word, &half, sizeof word);
        bits = word;
    } else {
        memcpy(&bits, &value, sizeof bits);
    }
    snw__put_integer(output, bits, size);
}

void snw__put_place_bytes(snw__output *output, snw_vec3 place, int size)
{
    put_real(output, place.x, size);
    put_real(output, place.y, size);
    put_real(output, place.z, size);
}
