/* GLB (binary glTF 2.0): the moving body as a skinned, animated mesh of octahedral bones, so that
 * every viewer shows bones and not loose nodes; VRM is the same with names of a person's bones.
 * gltf.c reads.
 *
 *   bytes 0-3   "glTF"        4-7  version 2        8-11  length of the file
 *   12-15       length of the JSON, a multiple of 4 (blanks at its end)    16-19  "JSON"
 *   then        the JSON
 *   then        4 bytes length of the binary part, "BIN\0", and the binary part:
 *               positions, normals, joints, weights of the vertices; inverse bind matrices;
 *               times; for each moving joint its rotations (x y z w) and translations; where
 *               markers go with the body: vertices and normals of one, places of each; where it
 *               has a skin: its triangles
 *
 * All integers are little-endian. Up is +Y, the unit is the metre. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/glb.h"
#include "io/gltf.h"
#include "io/motion_text.h"
#include "io/text_writer.h"

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

static void put_u32(snw__glb_writer *writer, uint32_t value)
{
    snw__glb_put_u32(writer->output, value);
}

float snw__glb_float_of(snw__glb_writer *writer, double value)
{
    /* + 0 turns -0 into 0 */
    float rounded = fabs(value) <= 3e38 ? (float)value + 0.0f : 0.0f;
    if (!(fabs(value) <= 3e38)) writer->is_too_large = true;
    return rounded;
}

void snw__glb_put_f32(snw__glb_writer *writer, double value)
{
    snw__glb_put_float(writer->output, snw__glb_float_of(writer, value));
}

void snw__glb_put_vec3(snw__glb_writer *writer, snw_vec3 v)
{
    snw__glb_put_f32(writer, v.x);
    snw__glb_put_f32(writer, v.y);
    snw__glb_put_f32(writer, v.z);
}

/* ---- animation ----------------------------------------------------------------------------- */

snw_xform snw__glb_local_at(const snw__glb_writer *writer, int frame, int joint)
{
    const snw_xform rest = writer->skeleton->rest[joint];
    snw_xform turned = snw_xform_make(writer->turn, snw_vec3_make(0, 0, 0));
    if (frame < 0) return joint ? rest : snw_xform_mul(turned, rest);
    if (joint == 0) return snw_xform_mul(turned, snw__motion_root_joint(writer->motion, frame));
    size_t at = (size_t)frame * (size_t)writer->skeleton->joint_count + (size_t)joint;
    return snw_xform_mul(rest,
                         snw_xform_make(writer->motion->rotation[at], writer->motion->slide[at]));
}

double snw__glb_time_of(const snw__glb_writer *writer, int frame)
{
    double rate = writer->motion->rate;
    return frame / (rate > 0 ? rate : 1);
}

/* ---- measuring ----------------------------------------------------------------------------- */

static snw_status measure(snw__glb_writer *writer)
{
    const snw_skeleton *skeleton = writer->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++) {
        snw_xform parent = j ? writer->bind[skeleton->parent[j]] : snw_xform_identity();
        writer->bind[j] = snw_xform_mul(parent, snw__glb_local_at(writer, -1, j));
        writer->tip_count += skeleton->has_tip[j];
    }
    snw__glb_mesh_measure(writer);
    for (int j = 0; j < writer->skeleton->joint_count; j++) {
        snw_xform rest = snw__glb_local_at(writer, -1, j);
        /* The root always has both, so that an animation is never empty. */
        writer->turns[j] = writer->moves[j] = j == 0;
        for (int frame = 0; frame < writer->motion->frame_count && j; frame++) {
            snw_xform now = snw__glb_local_at(writer, frame, j);
            writer->turns[j] |= snw_quat_angle_between(now.rotation, rest.rotation) > 1e-9;
            writer->moves[j] |= snw_vec3_distance(now.translation, rest.translation) > 1e-9;
        }
    }
    double frame_size = 4;
    for (int j = 0; j < skeleton->joint_count; j++)
        frame_size += (writer->turns[j] ? 16 : 0) + (writer->moves[j] ? 12 : 0);
    double animation = frame_size * writer->motion->frame_count, marks[3];
    snw__glb_markers_sizes(&writer->markers, marks);
    /* Behind everything of the body. */
    int channels = 0;
    for (int j = 0; j < writer->skeleton->joint_count; j++)
        channels += writer->turns[j] + writer->moves[j];
    writer->at = (snw__glb_places){.node = writer->skeleton->joint_count + 1 + writer->tip_count,
                                   .mesh = 1,
                                   .material = 1,
                                   .view = 6,
                                   .accessor = 6 + channels,
                                   .times = 5,
                                   .sampler = channels};
    /* The file's length is 32 bits. 2^32 less some room for the JSON and the mesh. */
    if (animation + marks[2] > 4.0e9)
        return snw__fail(writer->output->error, SNW_TOO_LARGE,
                         "%d frames are too many for GLB, which ends at 4 GB",
                         writer->motion->frame_count);
    writer->animation_size = (uint32_t)animation;
    return SNW_OK;
}

/* ---- the file ------------------------------------------------------------------------------ */

static snw_status put_file(snw__glb_writer *writer, const snw_memory_sink *json)
{
    snw__glb_section section[SNW__GLB_SECTIONS];
    uint32_t binary = 0;
    snw__glb_list_sections(writer, section);
    for (int n = 0; n < SNW__GLB_SECTIONS; n++)
        binary += section[n].size;
    snw__put(writer->output, "glTF", 4);
    put_u32(writer, 2);
    put_u32(writer, 12 + 8 + (uint32_t)json->size + 8 + binary);
    put_u32(writer, (uint32_t)json->size);
    snw__put(writer->output, "JSON", 4);
    snw__put(writer->output, json->bytes, json->size);
    put_u32(writer, binary);
    snw__put(writer->output, "BIN\0", 4);
    snw__glb_mesh_put_binary(writer);
    int frames = writer->motion->frame_count;
    for (int frame = 0; frame < frames; frame++)
        snw__glb_put_f32(writer, snw__glb_time_of(writer, frame));
    for (int j = 0; j < writer->skeleton->joint_count && frames; j++) {
        if (writer->turns[j]) {
            snw_quat before = snw_quat_identity();
            for (int frame = 0; frame < writer->motion->frame_count; frame++) {
                snw_quat q = snw_quat_normalize(snw__glb_local_at(writer, frame, j).rotation);
                /* q and -q are the same turn; neighbours must not go the long way round. */
                if (snw_quat_dot(q, before) < 0) q = snw_quat_neg(q);
                before = q;
                snw__glb_put_vec3(writer, snw_quat_vector(q));
                snw__glb_put_f32(writer, q.w);
            }
        }
        for (int frame = 0; frame < frames && writer->moves[j]; frame++)
            snw__glb_put_vec3(writer, snw__glb_local_at(writer, frame, j).translation);
    }
    if (writer->markers.trial) snw__glb_markers_put_binary(&writer->markers, writer->output);
    if (writer->skin) snw__glb_skin_put_triangles(writer);
    if (writer->skin) snw__glb_skin_put_more(writer);
    if (!writer->is_too_large) return SNW_OK;
    return snw__fail(writer->output->error, SNW_UNSUPPORTED,
                     "a place of the body is too far away for the floats of GLB");
}

/* Players blend linearly: so far every elbow and knee goes out in each frame. */
static snw_status find_bends(snw__glb_writer *writer)
{
    int bends = writer->skin ? writer->skin->bend_count : 0;
    snw_pose *pose = NULL;
    if (!bends || !writer->motion->frame_count) return SNW_OK;
    snw_status status =
        snw_pose_create(writer->skeleton, &writer->motion->allocator, &pose, writer->output->error);
    for (int f = 0; status == SNW_OK && f < writer->motion->frame_count; f++) {
        snw_motion_get(writer->motion, f, pose);
        snw_pose_forward(pose);
        for (int b = 0; b < bends; b++)
            writer->bend[f * bends + b] =
                (float)snw_skin_bend_amount(writer->skin, pose, b, SNW_BLEND_LINEAR);
    }
    snw_pose_destroy(pose);
    return status;
}

static snw_status write_body(snw__glb_writer *writer)
{
    snw_status status = measure(writer);
    if (status == SNW_OK) status = find_bends(writer);
    if (status != SNW_OK) return status;
    int last = writer->motion->frame_count - 1;
    if (last >= 1 &&
        !((float)snw__glb_time_of(writer, last) > (float)snw__glb_time_of(writer, last - 1)))
        return snw__fail(writer->output->error, SNW_UNSUPPORTED,
                         "GLB times are floats, which cannot tell frame %d from the one before",
                         last);
    snw_memory_sink memory;
    snw_sink sink = snw_sink_to_memory(&memory, &writer->motion->allocator);
    snw__output json;
    memset(&json, 0, sizeof json);
    json.sink = &sink;
    json.options = writer->output->options;
    snw__glb_put_json(writer, &json);
    if (snw__put_end(&json) == SNW_OK)
        status = put_file(writer, &memory);
    else
        status = snw__fail_memory(writer->output->error, memory.size * 2, "the JSON of the GLB");
    snw_memory_sink_release(&memory);
    return status;
}

static void lay_out(void *object, snw__block *block)
{
    snw__glb_writer *writer = (snw__glb_writer *)object;
    size_t count = (size_t)writer->skeleton->joint_count;
    size_t vertices = writer->skin ? (size_t)writer->skin->mesh->count.vertex_count : 0;
    writer->bind = (snw_xform *)snw__block_take(block, count, sizeof(snw_xform));
    writer->turns = (bool *)snw__block_take(block, count, sizeof(bool));
    writer->moves = (bool *)snw__block_take(block, count, sizeof(bool));
    writer->normal = (snw_vec3 *)snw__block_take(block, vertices, sizeof(snw_vec3));
    size_t bends = writer->skin ? (size_t)writer->skin->bend_count : 0;
    size_t frames = (size_t)writer->motion->frame_count;
    writer->bend = (float *)snw__block_take(block, bends * frames, sizeof(float));
}

static snw_status write_as(snw__output *output, const snw_motion *motion, bool is_vrm)
{
    snw_status status = snw__motion_check(motion, output->error);
    if (status == SNW_OK) status = snw__glb_skin_check(output->options.skin, motion, output->error);
    if (status != SNW_OK) return status;
    snw__glb_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.output = output;
    writer.motion = motion;
    writer.skeleton = motion->skeleton;
    writer.is_vrm = is_vrm;
    writer.skin = output->options.skin;
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

static snw_status write_motion(snw__output *output, const snw_motion *motion)
{
    return write_as(output, motion, false);
}

/* All bones that VRM requires must be there, under its names. */
static snw_status write_vrm(snw__output *output, const snw_motion *motion)
{
    bool is_required;
    for (int n = 0; snw__vrm_part(n, &is_required); n++)
        if (is_required &&
            snw_skeleton_find_joint(motion->skeleton, snw__vrm_part(n, &is_required)) < 0)
            return snw__fail(output->error, SNW_UNSUPPORTED,
                             "the body has no bone called %s, which VRM asks for",
                             snw__vrm_part(n, &is_required));
    return write_as(output, motion, true);
}

static bool is_glb(const uint8_t *head, size_t size)
{
    return size >= 4 && memcmp(head, "glTF", 4) == 0;
}

/* The JSON names its extensions somewhere; ours and many others' at its start. */
static bool sniff_vrm(const uint8_t *head, size_t size)
{
    static const char mark[] = "\"VRMC_vrm\"";
    for (size_t n = 0; is_glb(head, size) && n + sizeof mark - 1 <= size; n++)
        if (memcmp(head + n, mark, sizeof mark - 1) == 0) return true;
    return false;
}

static bool sniff(const uint8_t *head, size_t size)
{
    return is_glb(head, size) && !sniff_vrm(head, size);
}

const snw__format snw__format_glb = {
    "GLB",
    "glb",
    sniff,
    NULL,
    NULL,
    snw__glb_read_motion,
    write_motion,
    snw__glb_read_mesh,
    snw__glb_write_mesh,
};

const snw__format snw__format_vrm = {
    "VRM", "vrm", sniff_vrm, NULL, NULL, snw__glb_read_motion, write_vrm, snw__glb_read_mesh, NULL,
};
