/* GLB (binary glTF 2.0): the moving body as a skinned, animated mesh of octahedral bones, so that
 * every viewer shows bones and not loose nodes. Write only.
 *
 *   bytes 0-3   "glTF"        4-7  version 2        8-11  length of the file
 *   12-15       length of the JSON, a multiple of 4 (blanks at its end)    16-19  "JSON"
 *   then        the JSON
 *   then        4 bytes length of the binary part, "BIN\0", and the binary part:
 *               positions, normals, joints, weights of the vertices; inverse bind matrices;
 *               times; for each moving joint its rotations (x y z w) and translations; where
 *               markers go with the body: vertices and normals of one, places of each
 *
 * All integers are little-endian. Up is +Y, the unit is the metre. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/glb.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

/* Corners of the eight flat triangles of one bone. */
#define GLB_BONE_VERTICES 24
/* Width of a bone, and where it is widest, as parts of its length: Blender's look. */
#define GLB_BONE_WIDTH 0.1
/* Radius of the mark that stands for a body without any bone, in metres. */
#define GLB_MARK_SIZE 0.02

typedef struct glb_writer {
    snw__output *output;
    const snw_motion *motion;
    const snw_skeleton *skeleton;
    snw_quat turn;       /* file from the motion's world */
    snw_xform *bind;     /* (joint_count) world_from_joint at rest, file's world */
    bool *turns, *moves; /* (joint_count) has a rotation or translation channel */
    bool is_too_large;   /* a number does not fit a float */
    int bone_count;
    uint32_t vertex_count;
    uint32_t animation_size; /* bytes */
    float low[3], high[3];   /* of the vertices */
    snw__glb_markers markers;
    snw__glb_places at; /* of the markers' parts */
} glb_writer;

/* ---- bones as octahedra -------------------------------------------------------------------- */

typedef struct glb_bone {
    int joint; /* that moves it */
    snw_vec3 from, to;
} glb_bone;

/* Bone `which` of a joint: 0 from its parent to it, 1 from it to its tip. */
static bool find_bone(const glb_writer *writer, int joint, int which, glb_bone *bone)
{
    const snw_skeleton *skeleton = writer->skeleton;
    snw_vec3 own = writer->bind[joint].translation;
    if (which == 0 && joint == 0) return false;
    if (which == 1 && !skeleton->has_tip[joint]) return false;
    bone->joint = which ? joint : skeleton->parent[joint];
    bone->from = which ? own : writer->bind[bone->joint].translation;
    bone->to = which ? snw_xform_point(writer->bind[joint], skeleton->tip[joint]) : own;
    /* Shorter ones would have no direction left as floats. */
    return snw_vec3_distance(bone->from, bone->to) > 1e-6;
}

static glb_bone mark_bone(const glb_writer *writer)
{
    snw_vec3 place = writer->bind[0].translation;
    glb_bone bone = {0, place, snw_vec3_add(place, snw_vec3_make(0, GLB_MARK_SIZE, 0))};
    return bone;
}

static void make_triangles(const glb_bone *bone, snw_vec3 corner[GLB_BONE_VERTICES])
{
    snw_vec3 along = snw_vec3_sub(bone->to, bone->from);
    double width = GLB_BONE_WIDTH * snw_vec3_length(along);
    snw_vec3 side = snw_vec3_scale(snw_vec3_perpendicular(along), width);
    snw_vec3 other =
        snw_vec3_scale(snw_vec3_unit(snw_vec3_cross(along, side), snw_vec3_make(0, 0, 1)), width);
    snw_vec3 middle = snw_vec3_add_scaled(bone->from, GLB_BONE_WIDTH, along);
    const snw_vec3 ring[4] = {snw_vec3_add(middle, side), snw_vec3_add(middle, other),
                              snw_vec3_sub(middle, side), snw_vec3_sub(middle, other)};
    for (int n = 0; n < 4; n++) {
        snw_vec3 *face = corner + n * 6;
        /* Counter-clockwise seen from outside. */
        face[0] = ring[n];
        face[1] = ring[(n + 1) % 4];
        face[2] = bone->to;
        face[3] = ring[(n + 1) % 4];
        face[4] = ring[n];
        face[5] = bone->from;
    }
}

static snw_vec3 face_normal(const snw_vec3 *face)
{
    return snw_vec3_unit(
        snw_vec3_cross(snw_vec3_sub(face[1], face[0]), snw_vec3_sub(face[2], face[0])),
        snw_vec3_make(0, 1, 0));
}

/* Calls `put` for every bone. */
static void each_bone(glb_writer *writer, void (*put)(glb_writer *, const glb_bone *))
{
    glb_bone bone;
    for (int joint = 0; joint < writer->skeleton->joint_count; joint++)
        for (int which = 0; which < 2; which++)
            if (find_bone(writer, joint, which, &bone)) put(writer, &bone);
    if (writer->bone_count == 0) {
        bone = mark_bone(writer);
        put(writer, &bone);
    }
}

/* ---- little-endian numbers ----------------------------------------------------------------- */

void snw__glb_put_u32(snw__output *output, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    snw__put(output, bytes, 4);
}

void snw__glb_put_float(snw__output *output, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    snw__glb_put_u32(output, bits);
}

static void put_u32(glb_writer *writer, uint32_t value)
{
    snw__glb_put_u32(writer->output, value);
}

static float as_float(glb_writer *writer, double value)
{
    /* + 0 turns -0 into 0 */
    float rounded = fabs(value) <= 3e38 ? (float)value + 0.0f : 0.0f;
    if (!(fabs(value) <= 3e38)) writer->is_too_large = true;
    return rounded;
}

static void put_f32(glb_writer *writer, double value)
{
    snw__glb_put_float(writer->output, as_float(writer, value));
}

static void put_vec3(glb_writer *writer, snw_vec3 v)
{
    put_f32(writer, v.x);
    put_f32(writer, v.y);
    put_f32(writer, v.z);
}

/* ---- vertices ------------------------------------------------------------------------------ */

static void measure_bone(glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    for (int n = 0; n < GLB_BONE_VERTICES; n++) {
        const double part[3] = {corner[n].x, corner[n].y, corner[n].z};
        for (int k = 0; k < 3; k++) {
            float value = as_float(writer, part[k]);
            if (value < writer->low[k]) writer->low[k] = value;
            if (value > writer->high[k]) writer->high[k] = value;
        }
    }
}

static void count_bone(glb_writer *writer, const glb_bone *bone)
{
    (void)bone;
    writer->vertex_count += GLB_BONE_VERTICES;
}

static void put_positions(glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    for (int n = 0; n < GLB_BONE_VERTICES; n++)
        put_vec3(writer, corner[n]);
}

static void put_normals(glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    for (int n = 0; n < GLB_BONE_VERTICES; n++)
        put_vec3(writer, face_normal(corner + n / 3 * 3));
}

static void put_joints(glb_writer *writer, const glb_bone *bone)
{
    for (int n = 0; n < GLB_BONE_VERTICES; n++) {
        put_u32(writer, (uint32_t)bone->joint);
        put_u32(writer, 0);
    }
}

static void put_weights(glb_writer *writer, const glb_bone *bone)
{
    (void)bone;
    for (int n = 0; n < GLB_BONE_VERTICES; n++)
        for (int k = 0; k < 4; k++)
            put_f32(writer, k == 0);
}

static void put_inverse_bind(glb_writer *writer)
{
    for (int j = 0; j < writer->skeleton->joint_count; j++) {
        snw_xform joint_from_world = snw_xform_inverse(writer->bind[j]);
        snw_mat3 turn = snw_mat3_from_quat(joint_from_world.rotation);
        for (int column = 0; column < 3; column++) {
            put_vec3(writer,
                     snw_vec3_make(turn.m[0][column], turn.m[1][column], turn.m[2][column]));
            put_f32(writer, 0);
        }
        put_vec3(writer, joint_from_world.translation);
        put_f32(writer, 1);
    }
}

/* ---- animation ----------------------------------------------------------------------------- */

/* The joint's transform from its parent's node, in frame `frame`, or at rest for -1. */
static snw_xform local_at(const glb_writer *writer, int frame, int joint)
{
    const snw_xform rest = writer->skeleton->rest[joint];
    snw_xform turned = snw_xform_make(writer->turn, snw_vec3_make(0, 0, 0));
    if (frame < 0) return joint ? rest : snw_xform_mul(turned, rest);
    if (joint == 0) return snw_xform_mul(turned, snw__motion_root_joint(writer->motion, frame));
    size_t at = (size_t)frame * (size_t)writer->skeleton->joint_count + (size_t)joint;
    return snw_xform_mul(rest,
                         snw_xform_make(writer->motion->rotation[at], writer->motion->slide[at]));
}

static double time_of(const glb_writer *writer, int frame)
{
    double rate = writer->motion->rate;
    return frame / (rate > 0 ? rate : 1);
}

static void put_rotations(glb_writer *writer, int joint)
{
    snw_quat before = snw_quat_identity();
    for (int frame = 0; frame < writer->motion->frame_count; frame++) {
        snw_quat q = snw_quat_normalize(local_at(writer, frame, joint).rotation);
        /* q and -q are the same turn; neighbours must not go the long way round. */
        if (snw_quat_dot(q, before) < 0) q = snw_quat_neg(q);
        before = q;
        put_vec3(writer, snw_quat_vector(q));
        put_f32(writer, q.w);
    }
}

static void put_animation(glb_writer *writer)
{
    int frames = writer->motion->frame_count;
    for (int frame = 0; frame < frames; frame++)
        put_f32(writer, time_of(writer, frame));
    for (int j = 0; j < writer->skeleton->joint_count && frames; j++) {
        if (writer->turns[j]) put_rotations(writer, j);
        for (int frame = 0; frame < frames && writer->moves[j]; frame++)
            put_vec3(writer, local_at(writer, frame, j).translation);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

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

static void put_node(glb_writer *writer, snw__output *json, int joint)
{
    snw_xform local = local_at(writer, -1, joint);
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
    snw__put_string(json, has_child ? "]}" : "}");
}

/* Sections of the binary part. */
typedef struct glb_section {
    uint32_t size;
    bool is_vertices;
} glb_section;

enum {
    glb_sections = 9 /* the last three are the markers' */
};

static void list_sections(const glb_writer *writer, glb_section section[glb_sections])
{
    uint32_t vertices = writer->vertex_count;
    uint32_t joints = (uint32_t)writer->skeleton->joint_count;
    double marks[3];
    snw__glb_markers_sizes(&writer->markers, marks);
    const uint32_t sizes[glb_sections] = {
        vertices * 12,      vertices * 12,      vertices * 8,
        vertices * 16,      joints * 64,        writer->animation_size,
        (uint32_t)marks[0], (uint32_t)marks[1], (uint32_t)marks[2]};
    for (int n = 0; n < glb_sections; n++) {
        section[n].size = sizes[n];
        section[n].is_vertices = n < 4 || n == 6 || n == 7;
    }
}

static void put_views(glb_writer *writer, snw__output *json)
{
    glb_section section[glb_sections];
    uint32_t offset = 0;
    list_sections(writer, section);
    snw__put_string(json, ",\"bufferViews\":[");
    for (int n = 0; n < glb_sections && section[n].size; n++) {
        snw__put_text(json, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u%s}", n ? "," : "",
                      offset, section[n].size, section[n].is_vertices ? ",\"target\":34962" : "");
        offset += section[n].size;
    }
    snw__put_text(json, "],\"buffers\":[{\"byteLength\":%u}]", offset);
}

static void put_accessors(glb_writer *writer, snw__output *json)
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
    snw__put_text(json, form, 4, 5126, (unsigned)joints, "MAT4");
    if (frames) {
        const double first = 0, last = time_of(writer, frames - 1);
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
    snw__put_string(json, "]");
}

/* Accessor 5 holds the times, 6 and on the values of the samplers in order. */
static void put_channels(glb_writer *writer, snw__output *json)
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
    snw__put_string(json, "],\"samplers\":[");
    for (int n = 0; n < samplers; n++)
        snw__put_text(json, "%s{\"input\":5,\"interpolation\":\"LINEAR\",\"output\":%d}",
                      n ? "," : "", 6 + n);
    if (writer->markers.trial) snw__glb_markers_put_samplers(&writer->markers, &writer->at, json);
    snw__put_string(json, "]}]");
}

static void put_json(glb_writer *writer, snw__output *json)
{
    int joints = writer->skeleton->joint_count;
    snw__put_text(json,
                  "{\"asset\":{\"version\":\"2.0\",\"generator\":\"sinew %s\"},\"scene\":0,"
                  "\"scenes\":[{\"nodes\":[0,%d",
                  snw_version(), joints);
    bool has_markers = writer->markers.trial != NULL;
    if (has_markers) snw__put_text(json, ",%d", writer->at.node);
    snw__put_string(json, "]}],\"nodes\":[");
    for (int j = 0; j < joints; j++)
        put_node(writer, json, j);
    snw__put_string(json, ",{\"name\":\"bones\",\"mesh\":0,\"skin\":0}");
    if (has_markers) snw__glb_markers_put_nodes(&writer->markers, &writer->at, json);
    snw__put_string(
        json, "],\"meshes\":[{\"name\":\"bones\",\"primitives\":[{\"attributes\":{"
              "\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"material\":0}]}");
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
    snw__put_string(json, "]}]");
    if (writer->motion->frame_count) put_channels(writer, json);
    put_accessors(writer, json);
    put_views(writer, json);
    snw__put_string(json, "}");
    while (json->position % 4)
        snw__put_string(json, " ");
}

/* ---- measuring ----------------------------------------------------------------------------- */

static void find_channels(glb_writer *writer)
{
    for (int j = 0; j < writer->skeleton->joint_count; j++) {
        snw_xform rest = local_at(writer, -1, j);
        /* The root always has both, so that an animation is never empty. */
        writer->turns[j] = writer->moves[j] = j == 0;
        for (int frame = 0; frame < writer->motion->frame_count && j; frame++) {
            snw_xform now = local_at(writer, frame, j);
            writer->turns[j] |= snw_quat_angle_between(now.rotation, rest.rotation) > 1e-9;
            writer->moves[j] |= snw_vec3_distance(now.translation, rest.translation) > 1e-9;
        }
    }
}

/* Behind everything of the body. */
static void place_markers(glb_writer *writer)
{
    int channels = 0;
    for (int j = 0; j < writer->skeleton->joint_count; j++)
        channels += writer->turns[j] + writer->moves[j];
    writer->at = (snw__glb_places){.node = writer->skeleton->joint_count + 1,
                                   .mesh = 1,
                                   .material = 1,
                                   .view = 6,
                                   .accessor = 6 + channels,
                                   .times = 5,
                                   .sampler = channels};
}

static snw_status measure(glb_writer *writer)
{
    const snw_skeleton *skeleton = writer->skeleton;
    glb_bone bone;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_xform parent = j ? writer->bind[skeleton->parent[j]] : snw_xform_identity();
        writer->bind[j] = snw_xform_mul(parent, local_at(writer, -1, j));
    }
    for (int j = 0; j < skeleton->joint_count; j++)
        for (int which = 0; which < 2; which++)
            writer->bone_count += find_bone(writer, j, which, &bone);
    for (int k = 0; k < 3; k++) {
        writer->low[k] = INFINITY;
        writer->high[k] = -INFINITY;
    }
    each_bone(writer, measure_bone);
    each_bone(writer, count_bone);
    find_channels(writer);
    double frame_size = 4;
    for (int j = 0; j < skeleton->joint_count; j++)
        frame_size += (writer->turns[j] ? 16 : 0) + (writer->moves[j] ? 12 : 0);
    double animation = frame_size * writer->motion->frame_count, marks[3];
    snw__glb_markers_sizes(&writer->markers, marks);
    place_markers(writer);
    /* The file's length is 32 bits. 2^32 less some room for the JSON and the mesh. */
    if (animation + marks[2] > 4.0e9)
        return snw__fail(writer->output->error, SNW_TOO_LARGE,
                         "%d frames are too many for GLB, which ends at 4 GB",
                         writer->motion->frame_count);
    writer->animation_size = (uint32_t)animation;
    return SNW_OK;
}

static snw_status check_times(const glb_writer *writer)
{
    int last = writer->motion->frame_count - 1;
    if (last < 1 || (float)time_of(writer, last) > (float)time_of(writer, last - 1)) return SNW_OK;
    return snw__fail(writer->output->error, SNW_UNSUPPORTED,
                     "GLB times are floats, which cannot tell frame %d from the one before", last);
}

/* ---- the file ------------------------------------------------------------------------------ */

static void put_binary(glb_writer *writer)
{
    each_bone(writer, put_positions);
    each_bone(writer, put_normals);
    each_bone(writer, put_joints);
    each_bone(writer, put_weights);
    put_inverse_bind(writer);
    put_animation(writer);
    if (writer->markers.trial) snw__glb_markers_put_binary(&writer->markers, writer->output);
}

static snw_status put_file(glb_writer *writer, const snw_memory_sink *json)
{
    glb_section section[glb_sections];
    uint32_t binary = 0;
    list_sections(writer, section);
    for (int n = 0; n < glb_sections; n++)
        binary += section[n].size;
    snw__put(writer->output, "glTF", 4);
    put_u32(writer, 2);
    put_u32(writer, 12 + 8 + (uint32_t)json->size + 8 + binary);
    put_u32(writer, (uint32_t)json->size);
    snw__put(writer->output, "JSON", 4);
    snw__put(writer->output, json->bytes, json->size);
    put_u32(writer, binary);
    snw__put(writer->output, "BIN\0", 4);
    put_binary(writer);
    if (!writer->is_too_large) return SNW_OK;
    return snw__fail(writer->output->error, SNW_UNSUPPORTED,
                     "a place of the body is too far away for the floats of GLB");
}

static snw_status write_body(glb_writer *writer)
{
    snw_status status = measure(writer);
    if (status == SNW_OK) status = check_times(writer);
    if (status != SNW_OK) return status;
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, &writer->motion->allocator);
    snw__output json;
    memset(&json, 0, sizeof json);
    json.sink = &sink;
    json.options = writer->output->options;
    put_json(writer, &json);
    if (snw__put_end(&json) == SNW_OK)
        status = put_file(writer, &memory);
    else
        status = snw__fail_memory(writer->output->error, memory.size * 2, "the JSON of the GLB");
    snw_memory_sink_release(&memory);
    return status;
}

static void lay_out(void *object, snw__block *block)
{
    glb_writer *writer = (glb_writer *)object;
    size_t count = (size_t)writer->skeleton->joint_count;
    writer->bind = (snw_xform *)snw__block_take(block, count, sizeof(snw_xform));
    writer->turns = (bool *)snw__block_take(block, count, sizeof(bool));
    writer->moves = (bool *)snw__block_take(block, count, sizeof(bool));
}

static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    snw_status status = snw__motion_check(motion, output->error);
    if (status != SNW_OK) return status;
    glb_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.output = output;
    writer.motion = motion;
    writer.skeleton = motion->skeleton;
    writer.turn = snw__turn_up_to_y(output->options.up);
    writer.markers = snw__glb_markers_of(&output->options, motion->frame_count);
    snw__block block;
    status = snw__block_create(&block, lay_out, &writer, &motion->allocator, "the bind pose",
                               output->error);
    if (status != SNW_OK) return status;
    status = write_body(&writer);
    snw__block_release(&motion->allocator, &block);
    return status;
}

static bool sniff(const uint8_t *head, size_t size)
{
    return size >= 4 && memcmp(head, "glTF", 4) == 0;
}

const snw__format snw__format_glb = {
    "GLB", "glb", sniff, NULL, NULL, NULL, write_motion,
};
