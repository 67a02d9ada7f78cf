/* Surfaces of a GLB: its triangles as a mesh, and what ties them to the body. */
#include "io/gltf.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/glb.h"
#include "io/mesh_file.h"

typedef struct gltf_surface {
    snw__gltf *file;
    snw__mesh_filling filling;
    bool is_skinned_only;    /* what no skin moves is left out */
    snw_skin_vertex *vertex; /* weights, or NULL */
    int joint_count;
    int left_out_count;
} gltf_surface;

/* The joint that bone `number` of a skin moves; the first one where it has no such bone. */
static int joint_of(const snw__gltf *file, int joints, double number)
{
    double node;
    if (joints < 0 || !(number >= 0 && number < file->json.value[joints].count) ||
        !snw__json_number(&file->json, joints + 1 + (int)number, &node))
        return 0;
    int at = (int)node;
    while (at >= 0 && file->node[at].joint < 0)
        at = file->node[at].parent;
    return at < 0 ? 0 : file->node[at].joint;
}

static snw_status read_weights(gltf_surface *surface, int attributes, int skin, int first,
                               int64_t count)
{
    const snw__gltf *file = surface->file;
    static const char *const names[2][2] = {{"JOINTS_0", "WEIGHTS_0"}, {"JOINTS_1", "WEIGHTS_1"}};
    const snw__gltf_accessor *joints[2] = {NULL, NULL}, *weights[2] = {NULL, NULL};
    int sets = snw__json_find(&file->json, attributes, names[1][0]) >= 0 ? 2 : 1;
    for (int n = 0; n < sets; n++) {
        snw_status status = snw__gltf_accessor_of(file, attributes, names[n][0], 4, &joints[n]);
        if (status == SNW_OK)
            status = snw__gltf_accessor_of(file, attributes, names[n][1], 4, &weights[n]);
        if (status != SNW_OK) return status;
        if (!joints[n] || !weights[n] || joints[n]->count < count || weights[n]->count < count)
            return snw__gltf_fail(file, SNW_FORMAT, "a surface has fewer weights than vertices");
    }
    int bone_count, list = snw__json_list(&file->json, file->skin[skin], "joints", &bone_count);
    for (int64_t v = 0; v < count; v++) {
        double weight[SNW_SKIN_JOINTS];
        int joint[SNW_SKIN_JOINTS];
        for (int k = 0; k < SNW_SKIN_JOINTS; k++) {
            int set = k / 4 < sets ? k / 4 : 0;
            weight[k] = k / 4 < sets ? snw__gltf_value(weights[set], v, k % 4) : 0;
            if (!(weight[k] > 0 && weight[k] < 1e6)) weight[k] = 0;
            joint[k] = joint_of(file, list, snw__gltf_value(joints[set], v, k % 4));
        }
        /* Largest first, sum 1; a vertex that nothing moves follows the root. */
        snw_skin_vertex out = {{0}, {0}};
        bool is_taken[SNW_SKIN_JOINTS] = {false};
        double sum = 0;
        for (int k = 0; k < SNW_SKIN_JOINTS; k++)
            sum += weight[k];
        for (int n = 0; n < SNW_SKIN_JOINTS && sum > 0; n++) {
            int best = -1;
            for (int k = 0; k < SNW_SKIN_JOINTS; k++)
                if (!is_taken[k] && (best < 0 || weight[k] > weight[best])) best = k;
            is_taken[best] = true;
            out.joint[n] = weight[best] > 0 ? (uint16_t)joint[best] : 0;
            out.weight[n] = (float)(weight[best] / sum);
        }
        if (!(sum > 0)) out.weight[0] = 1;
        surface->vertex[first + v] = out;
    }
    return SNW_OK;
}

static snw_status read_triangles(gltf_surface *surface, int primitive, int first, int64_t vertices)
{
    const snw__gltf *file = surface->file;
    const snw__gltf_accessor *indices = NULL;
    snw_status status = snw__gltf_accessor_of(file, primitive, "indices", 1, &indices);
    if (status != SNW_OK) return status;
    int material = (int)snw__json_index(&file->json, primitive, "material", INT32_MAX, 0);
    int64_t count = indices ? indices->count : vertices;
    for (int64_t n = 0; n + 2 < count; n += 3) {
        int corner[3];
        for (int k = 0; k < 3; k++) {
            double at = indices ? snw__gltf_value(indices, n + k, 0) : (double)(n + k);
            if (!(at >= 0 && at < (double)vertices))
                return snw__gltf_fail(file, SNW_FORMAT,
                                      "triangle %lld has a corner %.0f, there are %lld vertices",
                                      (long long)(n / 3), at, (long long)vertices);
            corner[k] = first + (int)at;
        }
        if (!snw__fill_face(&surface->filling, corner, 3, material < 0 ? 0 : material))
            return snw__gltf_fail(file, SNW_TOO_LARGE, "there are too many triangles");
    }
    return SNW_OK;
}

static snw_status read_primitive(gltf_surface *surface, const snw__gltf_node *node, int primitive)
{
    const snw__gltf *file = surface->file;
    const snw__gltf_accessor *position = NULL;
    int attributes = snw__json_find(&file->json, primitive, "attributes");
    if (snw__json_index(&file->json, primitive, "mode", 16, 4) != 4 ||
        (surface->is_skinned_only && node->skin < 0)) {
        surface->left_out_count++;
        return SNW_OK;
    }
    snw_status status = snw__gltf_accessor_of(file, attributes, "POSITION", 3, &position);
    if (status != SNW_OK || !position) return status;
    int first = surface->filling.count.vertex_count;
    snw__gltf_place place = node->skin < 0 ? node->world : snw__gltf_skin_place(file, node->skin);
    for (int64_t v = 0; v < position->count; v++) {
        snw_vec3 p = snw_vec3_make(snw__gltf_value(position, v, 0), snw__gltf_value(position, v, 1),
                                   snw__gltf_value(position, v, 2));
        if (!snw__fill_vertex(&surface->filling, snw__gltf_point(place, p), 0))
            return snw__gltf_fail(file, SNW_TOO_LARGE, "there are too many vertices");
    }
    if (surface->vertex)
        status = read_weights(surface, attributes, node->skin, first, position->count);
    return status == SNW_OK ? read_triangles(surface, primitive, first, position->count) : status;
}

/* One pass over all surfaces. */
static snw_status pass(void *work)
{
    gltf_surface *surface = (gltf_surface *)work;
    const snw__gltf *file = surface->file;
    const snw__json *json = &file->json;
    surface->left_out_count = 0;
    for (int n = 0; n < file->node_count; n++) {
        const snw__gltf_node *node = file->node + n;
        if (node->mesh < 0) continue;
        int count,
            primitive = snw__json_list(json, file->mesh[node->mesh], "primitives", &count) + 1;
        for (int k = 0; k < count; k++, primitive = json->value[primitive].next) {
            snw_status status = read_primitive(surface, node, primitive);
            if (status != SNW_OK) return status;
        }
        /* One mesh may stand in many places: no more of it than a small multiple of the file. */
        double size = 28.0 * surface->filling.count.vertex_count +
                      16.0 * surface->filling.count.triangle_count;
        if (size > 64.0 * (double)file->size + (1 << 20))
            return snw__gltf_fail(file, SNW_TOO_LARGE, "its surfaces are out of proportion to it");
    }
    return SNW_OK;
}

static void note_left_out(const gltf_surface *surface)
{
    if (surface->left_out_count)
        snw__note(surface->file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "%d %s left out", surface->left_out_count,
                  surface->is_skinned_only
                      ? snw__plural(surface->left_out_count, "surface that no skin moves was",
                                    "surfaces that no skin moves were")
                      : snw__plural(surface->left_out_count, "set of points or lines was",
                                    "sets of points, lines or strips were"));
}

snw_status snw__glb_read_mesh(snw__reading *reading, snw_mesh **out)
{
    snw__gltf file;
    gltf_surface surface;
    memset(&surface, 0, sizeof surface);
    surface.file = &file;
    snw_status status = snw__gltf_open(&file, reading);
    if (status == SNW_OK) status = snw__fill_twice(&surface.filling, reading, pass, &surface, out);
    if (status == SNW_OK) note_left_out(&surface);
    snw__gltf_close(&file);
    return status;
}

snw_status snw__glb_read_motion(snw__reading *reading, snw_skeleton **skeleton, snw_motion **motion)
{
    snw__gltf file;
    snw_status status = snw__gltf_open(&file, reading);
    if (status == SNW_OK) status = snw__gltf_read_body(&file, skeleton, motion);
    snw__gltf_close(&file);
    return status;
}

/* ---- a body with its surface --------------------------------------------------------------- */

static snw_status read_tied(gltf_surface *surface, const snw_skeleton *skeleton, snw_skin **out)
{
    snw__reading *reading = surface->file->reading;
    snw_mesh *mesh = NULL;
    surface->is_skinned_only = true;
    snw_status status = pass(surface);
    if (status != SNW_OK) return status;
    if (!surface->filling.count.triangle_count)
        return snw__gltf_fail(surface->file, SNW_UNSUPPORTED, "no surface is tied to the body");
    size_t size = (size_t)surface->filling.count.vertex_count * sizeof *surface->vertex;
    status = snw__fill_begin(&surface->filling, reading);
    if (status != SNW_OK) return status;
    surface->vertex = (snw_skin_vertex *)snw__allocate(&reading->allocator, size);
    status = surface->vertex ? pass(surface)
                             : snw__fail_memory(reading->error, size, "the weights of a skin");
    if (status == SNW_OK) status = snw__fill_end(&surface->filling, reading, &mesh);
    if (status == SNW_OK)
        status = snw_skin_create_tied(mesh, skeleton, surface->vertex, &reading->allocator, out,
                                      reading->error);
    snw_mesh_destroy(surface->filling.mesh);
    if (surface->vertex) snw__release(&reading->allocator, surface->vertex, size);
    if (status == SNW_OK) note_left_out(surface);
    return status;
}

void snw_character_release(snw_character *character)
{
    if (!character) return;
    snw_skin_destroy(character->skin);
    snw_motion_destroy(character->motion);
    *character = (snw_character){NULL, NULL};
}

static snw_status read_character(snw__reading *reading, snw_character *out)
{
    snw__gltf file;
    snw_skeleton *skeleton = NULL;
    gltf_surface surface;
    snw_format_kind kind = snw_detect_format(&reading->source);
    if (kind != SNW_FORMAT_GLB && kind != SNW_FORMAT_VRM)
        return snw__fail(reading->error, SNW_UNSUPPORTED, "%s is no GLB or VRM", reading->name);
    memset(&surface, 0, sizeof surface);
    surface.file = &file;
    snw_status status = snw__gltf_open(&file, reading);
    if (status == SNW_OK) status = snw__gltf_read_body(&file, &skeleton, &out->motion);
    if (out->motion) out->motion->own_skeleton = skeleton;
    if (status == SNW_OK) status = read_tied(&surface, skeleton, &out->skin);
    snw__gltf_close(&file);
    if (status != SNW_OK) snw_character_release(out);
    return status;
}

snw_status snw_read_character(const snw_source *source, const snw_read_options *options,
                              const snw_allocator *allocator, snw_character *out, snw_notes *notes,
                              snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = (snw_character){NULL, NULL};
    const snw__reading_request request = {source, options, allocator, notes, error};
    snw__reading reading;
    snw_status status = snw__reading_open(&reading, &request);
    if (status == SNW_OK) status = read_character(&reading, out);
    snw__reading_close(&reading);
    return status == SNW_OK ? snw__succeed(error) : status;
}
