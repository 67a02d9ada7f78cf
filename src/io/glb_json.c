/* The JSON of a GLB: nodes, mesh, skin, animation, and where each stands in the binary part. */
#include <math.h>

#include "base/fail.h"
#include "io/glb.h"
#include "io/gltf.h"
#include "io/mesh_file.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

/* ---- strings and numbers ------------------------------------------------------------------- */

/* Length of the UTF-8 character at `text`, 0 where there is none. */
static int utf8_length(const unsigned char *text)
{
    int length = text[0] < 0x80                       ? 1
                 : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                 : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                 : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                      : 0;
    for (int n = 1; n < length; n++)
        if ((text[n] & 0xc0) != 0x80) return 0;
    /* Overlong forms, surrogates and numbers above 0x10ffff. */
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void snw__glb_put_string(snw__output *json, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    snw__put_string(json, "\"");
    while (*at) {
        int length = utf8_length(at);
        if (length == 0) {
            const unsigned char pair[2] = {(unsigned char)(0xc0 | (*at >> 6)),
                                           (unsigned char)(0x80 | (*at & 0x3f))};
            snw__put(json, pair, 2);
            at++;
        } else if (*at < ' ' || *at == '"' || *at == '\\') {
            snw__put_text(json, "\\u%04x", (unsigned)*at);
            at++;
        } else {
            snw__put(json, at, (size_t)length);
            at += length;
        }
    }
    snw__put_string(json, "\"");
}

static void put_numbers(snw__output *json, const char *key, const double *numbers, int count)
{
    snw__put_text(json, ",\"%s\":[", key);
    for (int n = 0; n < count; n++) {
        char text[SNW_NUMBER_SIZE];
        snw_print_float(text, (float)numbers[n] + 0.0f);
        snw__put_text(json, "%s%s", n ? "," : "", text);
    }
    snw__put_string(json, "]");
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void put_node(snw__glb_writer *writer, snw__output *json, int joint)
{
    snw_xform local = snw__glb_local_at(writer, -1, joint);
    snw_quat q = snw_quat_normalize(local.rotation);
    const double rotation[4] = {q.x, q.y, q.z, q.w};
    const double translation[3] = {local.translation.x, local.translation.y, local.translation.z};
    snw__put_text(json, "%s{\"name\":", joint ? "," : "");
    snw__glb_put_string(json, writer->skeleton->name[joint]);
    put_numbers(json, "rotation", rotation, 4);
    put_numbers(json, "translation", translation, 3);
    bool has_child = false;
    for (int child = joint + 1; child < writer->skeleton->joint_count; child++) {
        if (writer->skeleton->parent[child] != joint) continue;
        snw__put_text(json, "%s%d", has_child ? "," : ",\"children\":[", child);
        has_child = true;
    }
    if (writer->skeleton->has_tip[joint]) {
        /* Ends of the body stand behind its joints and the mesh. */
        int tip = writer->skeleton->joint_count + 1;
        for (int j = 0; j < joint; j++)
            tip += writer->skeleton->has_tip[j];
        snw__put_text(json, "%s%d", has_child ? "," : ",\"children\":[", tip);
        has_child = true;
    }
    snw__put_string(json, has_child ? "]}" : "}");
}

static void put_tips(snw__glb_writer *writer, snw__output *json)
{
    const snw_skeleton *skeleton = writer->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (!skeleton->has_tip[j]) continue;
        char name[256];
        const double tip[3] = {skeleton->tip[j].x, skeleton->tip[j].y, skeleton->tip[j].z};
        snw_format(name, sizeof name, "%.240s_end", skeleton->name[j]);
        snw__put_string(json, ",{\"name\":");
        snw__glb_put_string(json, name);
        put_numbers(json, "translation", tip, 3);
        snw__put_string(json, "}");
    }
}

/* ---- the binary part ----------------------------------------------------------------------- */

void snw__glb_list_sections(const snw__glb_writer *writer,
                            snw__glb_section section[SNW__GLB_SECTIONS])
{
    uint32_t vertices = writer->vertex_count;
    uint32_t bones = (uint32_t)(writer->skeleton->joint_count + writer->tip_count);
    bool has_more = writer->skin && writer->skin->most_joints > 4;
    uint32_t bends = writer->skin ? (uint32_t)writer->skin->bend_count : 0;
    double marks[3];
    snw__glb_markers_sizes(&writer->markers, marks);
    const uint32_t sizes[SNW__GLB_SECTIONS] = {
        vertices * 12,
        vertices * 12,
        vertices * 8,
        vertices * 16,
        bones * 64,
        writer->animation_size,
        (uint32_t)marks[0],
        (uint32_t)marks[1],
        (uint32_t)marks[2],
        writer->skin ? 12 * (uint32_t)writer->skin->mesh->count.triangle_count : 0,
        has_more ? vertices * 8 : 0,
        has_more ? vertices * 16 : 0,
        bends * vertices * 12,
        bends * (uint32_t)writer->motion->frame_count * 4};
    for (int n = 0; n < SNW__GLB_SECTIONS; n++) {
        section[n].size = sizes[n];
        section[n].is_triangles = n == SNW__GLB_TRIANGLES;
        section[n].is_vertices =
            n < 4 || n == 6 || n == 7 || (n > SNW__GLB_TRIANGLES && n < SNW__GLB_AMOUNTS);
    }
}

static void put_views(snw__glb_writer *writer, snw__output *json)
{
    snw__glb_section section[SNW__GLB_SECTIONS];
    uint32_t offset = 0;
    snw__glb_list_sections(writer, section);
    snw__put_string(json, ",\"bufferViews\":[");
    for (int n = 0; n < SNW__GLB_SECTIONS; n++) {
        if (!section[n].size) continue;
        /* Several shapes in one view must say how far their vertices are apart. */
        snw__put_text(json, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u%s%s}",
                      n ? "," : "", offset, section[n].size,
                      n == SNW__GLB_SHAPES ? ",\"byteStride\":12" : "",
                      section[n].is_vertices    ? ",\"target\":34962"
                      : section[n].is_triangles ? ",\"target\":34963"
                                                : "");
        offset += section[n].size;
    }
    snw__put_text(json, "],\"buffers\":[{\"byteLength\":%u}]", offset);
}

/* Of triangles, of what goes beyond four joints, of shapes and their amounts. */
static void put_skin_accessors(const snw__glb_writer *writer, const char *form, snw__output *json)
{
    const snw_skin *skin = writer->skin;
    snw__glb_section section[SNW__GLB_SECTIONS];
    int view[SNW__GLB_SECTIONS], count = 0;
    unsigned vertices = writer->vertex_count, frames = (unsigned)writer->motion->frame_count;
    snw__glb_list_sections(writer, section);
    for (int n = 0; n < SNW__GLB_SECTIONS; n++) {
        view[n] = count;
        count += section[n].size > 0;
    }
    snw__put_text(json, form, view[SNW__GLB_TRIANGLES], 5125,
                  3 * (unsigned)skin->mesh->count.triangle_count, "SCALAR");
    if (skin->most_joints > 4) {
        snw__put_text(json, form, view[SNW__GLB_MORE_JOINTS], 5123, vertices, "VEC4");
        snw__put_text(json, form, view[SNW__GLB_MORE_WEIGHTS], 5126, vertices, "VEC4");
    }
    for (int b = 0; b < skin->bend_count; b++) {
        double low[3], high[3];
        snw__glb_skin_shape_range(writer, b, low, high);
        snw__put_text(json,
                      ",{\"bufferView\":%d,\"byteOffset\":%u,\"componentType\":5126,"
                      "\"count\":%u,\"type\":\"VEC3\"",
                      view[SNW__GLB_SHAPES], (unsigned)b * vertices * 12, vertices);
        put_numbers(json, "min", low, 3);
        put_numbers(json, "max", high, 3);
        snw__put_string(json, "}");
    }
    if (skin->bend_count && frames)
        snw__put_text(json, form, view[SNW__GLB_AMOUNTS], 5126, frames * (unsigned)skin->bend_count,
                      "SCALAR");
}

/* The accessor of a skin's triangles; its others follow. */
static int triangles_accessor(const snw__glb_writer *writer)
{
    int count = 5;
    for (int j = 0; j < writer->skeleton->joint_count && writer->motion->frame_count; j++)
        count += (j == 0) + writer->turns[j] + writer->moves[j]; /* the times once */
    return count + (writer->markers.trial ? 2 + writer->markers.channel_count : 0);
}

/* The first accessor of a shape. */
static int shapes_accessor(const snw__glb_writer *writer)
{
    return triangles_accessor(writer) + (writer->skin->most_joints > 4 ? 3 : 1);
}

static void put_accessors(snw__glb_writer *writer, snw__output *json)
{
    int joints = writer->skeleton->joint_count, frames = writer->motion->frame_count;
    unsigned vertices = writer->vertex_count;
    const double low[3] = {writer->low[0], writer->low[1], writer->low[2]};
    const double high[3] = {writer->high[0], writer->high[1], writer->high[2]};
    const char *form = ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%u,\"type\":\"%s\"}";
    snw__put_text(json,
                  ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,"
                  "\"type\":\"VEC3\"",
                  vertices);
    put_numbers(json, "min", low, 3);
    put_numbers(json, "max", high, 3);
    snw__put_string(json, "}");
    snw__put_text(json, form, 1, 5126, vertices, "VEC3");
    snw__put_text(json, form, 2, 5123, vertices, "VEC4");
    snw__put_text(json, form, 3, 5126, vertices, "VEC4");
    snw__put_text(json, form, 4, 5126, (unsigned)(joints + writer->tip_count), "MAT4");
    if (frames) {
        const double first = 0, last = snw__glb_time_of(writer, frames - 1);
        snw__put_text(json,
                      ",{\"bufferView\":5,\"componentType\":5126,\"count\":%d,\"type\":\"SCALAR\"",
                      frames);
        put_numbers(json, "min", &first, 1);
        put_numbers(json, "max", &last, 1);
        snw__put_string(json, "}");
    }
    unsigned offset = (unsigned)frames * 4;
    for (int j = 0; j < joints && frames; j++)
        for (int k = 0; k < 2; k++) {
            if (k == 0 ? !writer->turns[j] : !writer->moves[j]) continue;
            snw__put_text(json,
                          ",{\"bufferView\":5,\"byteOffset\":%u,\"componentType\":5126,"
                          "\"count\":%d,\"type\":\"%s\"}",
                          offset, frames, k ? "VEC3" : "VEC4");
            offset += (unsigned)frames * (k ? 12 : 16);
        }
    if (writer->markers.trial) snw__glb_markers_put_accessors(&writer->markers, &writer->at, json);
    if (writer->skin) put_skin_accessors(writer, form, json);
    snw__put_string(json, "]");
}

/* Accessor 5 holds the times, 6 and on the values of the samplers in order. */
static void put_channels(snw__glb_writer *writer, snw__output *json)
{
    int samplers = 0;
    snw__put_string(json, ",\"animations\":[{\"name\":\"motion\",\"channels\":[");
    for (int j = 0; j < writer->skeleton->joint_count; j++)
        for (int k = 0; k < 2; k++) {
            if (k == 0 ? !writer->turns[j] : !writer->moves[j]) continue;
            snw__put_text(json, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                          samplers ? "," : "", samplers, j, k ? "translation" : "rotation");
            samplers++;
        }
    if (writer->markers.trial) snw__glb_markers_put_channels(&writer->markers, &writer->at, json);
    int bends = writer->skin ? writer->skin->bend_count : 0;
    int markers = writer->markers.trial ? writer->markers.channel_count : 0;
    if (bends)
        snw__put_text(json, ",{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"weights\"}}",
                      samplers + markers, writer->skeleton->joint_count);
    snw__put_string(json, "],\"samplers\":[");
    for (int n = 0; n < samplers; n++)
        snw__put_text(json, "%s{\"input\":5,\"interpolation\":\"LINEAR\",\"output\":%d}",
                      n ? "," : "", 6 + n);
    if (writer->markers.trial) snw__glb_markers_put_samplers(&writer->markers, &writer->at, json);
    if (bends)
        snw__put_text(json, ",{\"input\":5,\"interpolation\":\"LINEAR\",\"output\":%d}",
                      shapes_accessor(writer) + bends);
    snw__put_string(json, "]}]");
}

/* Which joint is what of a person (VRM 1.0, VRMC_vrm). The licence is VRM's own default, which
 * gives nobody but the author any right: the file does not know whose body it is. */
static void put_humanoid(const snw__glb_writer *writer, snw__output *json)
{
    bool is_required, has_one = false;
    snw__put_text(json, ",\"extensionsUsed\":[\"VRMC_vrm\"],\"extensions\":{\"VRMC_vrm\":{"
                        "\"specVersion\":\"1.0\",\"meta\":{\"name\":\"body\",\"authors\":["
                        "\"unknown\"],\"licenseUrl\":\"https://vrm.dev/licenses/1.0/\"},"
                        "\"humanoid\":{\"humanBones\":{");
    for (int n = 0; snw__vrm_part(n, &is_required); n++) {
        const char *part = snw__vrm_part(n, &is_required);
        int joint = snw_skeleton_find_joint(writer->skeleton, part);
        if (joint < 0) continue;
        snw__put_text(json, "%s\"%s\":{\"node\":%d}", has_one ? "," : "", part, joint);
        has_one = true;
    }
    snw__put_string(json, "}}}}");
}

/* What programs show of the shapes, and that they are not there at rest. */
static void put_shape_names(const snw__glb_writer *writer, snw__output *json)
{
    const snw_skin *skin = writer->skin;
    snw__put_string(json, ",\"weights\":[");
    for (int b = 0; b < skin->bend_count; b++)
        snw__put_string(json, b ? ",0" : "0");
    snw__put_string(json, "],\"extras\":{\"targetNames\":[");
    for (int b = 0; b < skin->bend_count; b++) {
        char name[256];
        snw_format(name, sizeof name, "%.240s_bend", writer->skeleton->name[skin->bend[b].joint]);
        if (b) snw__put_string(json, ",");
        snw__glb_put_string(json, name);
    }
    snw__put_string(json, "]}");
}

void snw__glb_put_json(snw__glb_writer *writer, snw__output *json)
{
    int joints = writer->skeleton->joint_count;
    snw__put_text(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew %s\"}",
                  snw_version());
    if (writer->is_vrm) put_humanoid(writer, json);
    snw__put_text(json, ",\"scene\":0,\"scenes\":[{\"nodes\":[0,%d", joints);
    bool has_markers = writer->markers.trial != NULL;
    if (has_markers) snw__put_text(json, ",%d", writer->at.node);
    snw__put_string(json, "]}],\"nodes\":[");
    for (int j = 0; j < joints; j++)
        put_node(writer, json, j);
    const char *shown = writer->skin ? "skin" : "bones";
    snw__put_text(json, ",{\"name\":\"%s\",\"mesh\":0,\"skin\":0}", shown);
    put_tips(writer, json);
    if (has_markers) snw__glb_markers_put_nodes(&writer->markers, &writer->at, json);
    snw__put_text(json,
                  "],\"meshes\":[{\"name\":\"%s\",\"primitives\":[{\"attributes\":{"
                  "\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3",
                  shown);
    if (writer->skin && writer->skin->most_joints > 4)
        snw__put_text(json, ",\"JOINTS_1\":%d,\"WEIGHTS_1\":%d", triangles_accessor(writer) + 1,
                      triangles_accessor(writer) + 2);
    snw__put_string(json, "},\"material\":0");
    if (writer->skin) snw__put_text(json, ",\"indices\":%d", triangles_accessor(writer));
    int bends = writer->skin ? writer->skin->bend_count : 0;
    for (int b = 0; b < bends; b++)
        snw__put_text(json, "%s{\"POSITION\":%d}", b ? "," : ",\"targets\":[",
                      shapes_accessor(writer) + b);
    snw__put_string(json, bends ? "]}]" : "}]");
    if (bends) put_shape_names(writer, json);
    snw__put_string(json, "}");
    if (has_markers) snw__glb_markers_put_mesh(&writer->at, json);
    snw__put_string(json, "],\"materials\":[{\"name\":\"bone\",\"pbrMetallicRoughness\":{"
                          "\"baseColorFactor\":[0.8,0.75,0.65,1],\"metallicFactor\":0,"
                          "\"roughnessFactor\":0.8}}");
    if (has_markers)
        snw__put_string(json,
                        ",{\"name\":\"marker\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0,"
                        "0.62,0.45,1],\"metallicFactor\":0,\"roughnessFactor\":0.5}}");
    snw__put_string(json, "],\"skins\":[{\"name\":\"body\",\"inverseBindMatrices\":4,"
                          "\"skeleton\":0,\"joints\":[");
    for (int j = 0; j < joints; j++)
        snw__put_text(json, "%s%d", j ? "," : "", j);
    for (int n = 0; n < writer->tip_count; n++)
        snw__put_text(json, ",%d", joints + 1 + n);
    snw__put_string(json, "]}]");
    if (writer->motion->frame_count) put_channels(writer, json);
    put_accessors(writer, json);
    put_views(writer, json);
    snw__put_string(json, "}");
    while (json->position % 4)
        snw__put_string(json, " ");
}

/* ---- a mesh alone -------------------------------------------------------------------------- */

/* The JSON of one node with one mesh: positions, then triangles. */
static void put_mesh_json(snw__output *json, const snw_mesh *mesh)
{
    snw_vec3 low, high;
    snw_mesh_box(mesh, &low, &high);
    const double least[3] = {low.x, low.y, low.z}, most[3] = {high.x, high.y, high.z};
    unsigned vertices = (unsigned)mesh->count.vertex_count;
    unsigned corners = 3 * (unsigned)mesh->count.triangle_count;
    snw__put_text(json,
                  "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew %s\"},\"scene\":0,"
                  "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"surface\",\"mesh\":0}],"
                  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
                  "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%u,"
                  "\"type\":\"VEC3\"",
                  snw_version(), vertices);
    put_numbers(json, "min", least, 3);
    put_numbers(json, "max", most, 3);
    snw__put_text(json,
                  "},{\"bufferView\":1,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"}],"
                  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u,\"target\":34962},{"
                  "\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u,\"target\":34963}],"
                  "\"buffers\":[{\"byteLength\":%u}]}",
                  corners, 12 * vertices, 12 * vertices, 4 * corners, 12 * vertices + 4 * corners);
    while (json->position % 4)
        snw__put_string(json, " ");
}

snw_status snw__glb_write_mesh(snw__output *output, const snw_mesh *mesh)
{
    double scale; /* GLB is in metres */
    snw_status status = snw__mesh_begin_writing(output, mesh, false, &scale);
    if (status != SNW_OK) return status;
    if (!mesh->count.triangle_count)
        return snw__fail(output->error, SNW_UNSUPPORTED,
                         "GLB cannot hold a mesh without triangles");
    if (mesh->count.vertex_count > 100000000 || mesh->count.triangle_count > 100000000)
        return snw__fail(output->error, SNW_TOO_LARGE, "the mesh is too large for GLB");
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, &mesh->allocator);
    snw__output json = {.sink = &sink, .options = output->options};
    put_mesh_json(&json, mesh);
    if (snw__put_end(&json) != SNW_OK)
        status = snw__fail_memory(output->error, memory.size * 2, "the JSON of the GLB");
    uint32_t binary =
        12 * (uint32_t)mesh->count.vertex_count + 12 * (uint32_t)mesh->count.triangle_count;
    const uint32_t head[5] = {0x46546c67, 2, 28 + (uint32_t)memory.size + binary,
                              (uint32_t)memory.size, 0x4e4f534a};
    for (int n = 0; n < 5; n++)
        snw__glb_put_u32(output, head[n]);
    snw__put(output, memory.bytes, memory.size);
    snw__glb_put_u32(output, binary);
    snw__put(output, "BIN\0", 4);
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        const double x[3] = {mesh->vertex[v].x, mesh->vertex[v].y, mesh->vertex[v].z};
        for (int k = 0; k < 3; k++) {
            if (!(fabs(x[k]) <= 3e38) && status == SNW_OK)
                status = snw__fail(output->error, SNW_UNSUPPORTED,
                                   "vertex %d is too far away for the floats of GLB", v);
            snw__glb_put_float(output, (float)x[k] + 0.0f);
        }
    }
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            snw__glb_put_u32(output, (uint32_t)mesh->triangle[t][k]);
    snw_memory_sink_release(&memory);
    return status;
}
