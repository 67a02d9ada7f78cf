/* GLB (binary glTF 2.0) as others and we write it: container, JSON, nodes, accessors.
 *
 *   bytes 0-3   "glTF"        4-7  version 2        8-11  length of the file
 *   12-15       length of the JSON    16-19  "JSON"    then the JSON
 *   then        4 bytes length, "BIN\0", and the binary part; other chunks are passed over
 *
 * Refused with a sentence: other versions, buffers in other files, sparse accessors, extensions
 * that the file calls required and that change where things are (compression). */
#include "io/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "base/memory.h"
#include "io/mesh_file.h"
#include "io/motion_text.h"

snw_status snw__gltf_fail(const snw__gltf *file, snw_status status, const char *format, ...)
{
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    snw_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    return snw__fail_at(file->reading->error, status, snw__at_name(-1, file->reading->name),
                        "%s: %s", file->reading->name, text);
}

/* ---- places -------------------------------------------------------------------------------- */

snw__gltf_place snw__gltf_mul(snw__gltf_place a, snw__gltf_place b)
{
    b.at.translation = snw_vec3_scale(b.at.translation, a.scale);
    return (snw__gltf_place){a.scale * b.scale, snw_xform_mul(a.at, b.at)};
}

snw__gltf_place snw__gltf_inverse(snw__gltf_place a)
{
    snw_xform at = snw_xform_inverse(a.at);
    at.translation = snw_vec3_scale(at.translation, 1 / a.scale);
    return (snw__gltf_place){1 / a.scale, at};
}

snw_vec3 snw__gltf_point(snw__gltf_place a, snw_vec3 p)
{
    return snw_xform_point(a.at, snw_vec3_scale(p, a.scale));
}

static const snw__gltf_place gltf_nowhere = {1, {{1, 0, 0, 0}, {0, 0, 0}}};

/* From three scales; false where one is 0, negative or not alike by more than a hundredth, which
 * is noted. */
static bool take_scale(snw__gltf *file, const double scale[3], double *out)
{
    double low = fmin(scale[0], fmin(scale[1], scale[2]));
    double high = fmax(scale[0], fmax(scale[1], scale[2]));
    if (!(low > 0) || !(high < 1e12)) return false;
    *out = snw__cbrt(scale[0] * scale[1] * scale[2]);
    if (high > 1.01 * low)
        snw__note(file->reading->notes, SNW_NOTE_VALUE_ASSUMED, SNW__NOWHERE,
                  "a node is scaled by %g, %g and %g along its axes; %g is taken for all", scale[0],
                  scale[1], scale[2], *out);
    return *out > 0;
}

/* A column-major 4 x 4 matrix. */
static bool place_of_matrix(snw__gltf *file, const double m[16], snw__gltf_place *out)
{
    snw_vec3 x[3];
    double scale[3];
    for (int k = 0; k < 3; k++) {
        x[k] = snw_vec3_make(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
        scale[k] = snw_vec3_length(x[k]);
    }
    if (!take_scale(file, scale, &out->scale)) return false;
    for (int k = 0; k < 3; k++)
        x[k] = snw_vec3_scale(x[k], 1 / scale[k]);
    snw_mat3 turn = snw_mat3_from_columns(x[0], x[1], x[2]);
    if (!(snw_mat3_determinant(turn) > 0.5)) return false;
    out->at = snw_xform_make(snw_quat_from_mat3(turn), snw_vec3_make(m[12], m[13], m[14]));
    return isfinite(m[12]) && isfinite(m[13]) && isfinite(m[14]);
}

/* ---- accessors ----------------------------------------------------------------------------- */

static int component_size(int type)
{
    return type == 5120 || type == 5121   ? 1
           : type == 5122 || type == 5123 ? 2
           : type == 5125 || type == 5126 ? 4
                                          : 0;
}

double snw__gltf_value(const snw__gltf_accessor *accessor, int64_t n, int k)
{
    int size = component_size(accessor->component_type);
    const uint8_t *at = accessor->data + n * accessor->stride + k * size;
    if (accessor->component_type == 5126) return snw__bytes_to_real(at, 4, false);
    double value = (double)snw__bytes_to_integer(at, size, false);
    bool is_signed = accessor->component_type == 5120 || accessor->component_type == 5122;
    double half = size == 1 ? 128 : 32768, full = size == 1 ? 255 : 65535;
    if (is_signed && value >= half) value -= 2 * half;
    if (!accessor->is_normalized) return value;
    return is_signed ? fmax(value / (half - 1), -1) : value / full;
}

static snw_status read_accessor(snw__gltf *file, int object, int index)
{
    const snw__json *json = &file->json;
    snw__gltf_accessor *out = file->accessor + index;
    int normalized = snw__json_find(json, object, "normalized");
    out->is_normalized = normalized >= 0 && json->value[normalized].kind == 't';
    out->component_type = (int)snw__json_index(json, object, "componentType", 6000, 0);
    out->count = snw__json_index(json, object, "count", INT32_MAX, 0);
    static const struct {
        const char *word;
        int width;
    } type[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    out->width = 0;
    for (int n = 0; n < 7; n++)
        if (snw__json_says(json, object, "type", type[n].word)) out->width = type[n].width;
    int size = component_size(out->component_type);
    int64_t view = snw__json_index(json, object, "bufferView", file->view_count, -1);
    if (view == -1 || snw__json_find(json, object, "sparse") >= 0) return SNW_OK; /* not usable */
    if (view < 0 || !size || !out->width || out->count < 0)
        return snw__gltf_fail(file, SNW_FORMAT, "accessor %d makes no sense", index);
    int at = file->view[view];
    int64_t limit = file->binary_size + 1;
    int64_t start = snw__json_index(json, at, "byteOffset", limit, 0);
    int64_t length = snw__json_index(json, at, "byteLength", limit, 0);
    int64_t offset = snw__json_index(json, object, "byteOffset", limit, 0);
    out->stride = snw__json_index(json, at, "byteStride", 4096, (int64_t)size * out->width);
    if (start < 0 || length < 0 || start + length > file->binary_size)
        return snw__gltf_fail(file, SNW_FORMAT,
                              "buffer view %lld ends behind the file's binary part",
                              (long long)view);
    if (offset < 0 || out->stride < 1 ||
        (out->count &&
         offset + (out->count - 1) * out->stride + (int64_t)size * out->width > length))
        return snw__gltf_fail(file, SNW_FORMAT, "accessor %d ends behind its buffer view", index);
    if (file->binary) out->data = file->binary + start + offset;
    return SNW_OK;
}

snw_status snw__gltf_accessor_of(const snw__gltf *file, int object, const char *name, int width,
                                 const snw__gltf_accessor **out)
{
    *out = NULL;
    int64_t index = snw__json_index(&file->json, object, name, file->accessor_count, -1);
    if (index == -1) return SNW_OK;
    if (index < 0)
        return snw__gltf_fail(file, SNW_FORMAT, "%s names an accessor that is not there", name);
    const snw__gltf_accessor *accessor = file->accessor + index;
    if (width && accessor->width != width)
        return snw__gltf_fail(file, SNW_FORMAT, "accessor %lld (%s) has %d components, not %d",
                              (long long)index, name, accessor->width, width);
    if (!accessor->data)
        return snw__gltf_fail(file, SNW_UNSUPPORTED,
                              "accessor %lld (%s) is sparse or without data, which is not read",
                              (long long)index, name);
    *out = accessor;
    return SNW_OK;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static snw_status read_place(snw__gltf *file, int index)
{
    const snw__json *json = &file->json;
    snw__gltf_node *node = file->node + index;
    double matrix[16], scale[3] = {1, 1, 1}, turn[4] = {0, 0, 0, 1}, at[3] = {0, 0, 0};
    node->rest = gltf_nowhere;
    bool is_well = true;
    if (snw__json_numbers(json, node->value, "matrix", 16, matrix)) {
        is_well = place_of_matrix(file, matrix, &node->rest);
    } else {
        (void)snw__json_numbers(json, node->value, "translation", 3, at);
        (void)snw__json_numbers(json, node->value, "rotation", 4, turn);
        if (snw__json_numbers(json, node->value, "scale", 3, scale))
            is_well = take_scale(file, scale, &node->rest.scale);
        node->rest.at =
            snw_xform_make(snw_quat_normalize(snw_quat_make(turn[3], turn[0], turn[1], turn[2])),
                           snw_vec3_make(at[0], at[1], at[2]));
    }
    if (is_well) return SNW_OK;
    return snw__gltf_fail(file, SNW_UNSUPPORTED, "node %d is mirrored, or its scale is none",
                          index);
}

static snw_status read_children(snw__gltf *file, int index)
{
    const snw__json *json = &file->json;
    int count, list = snw__json_list(json, file->node[index].value, "children", &count);
    for (int n = 0; n < count; n++) {
        double child;
        bool is_there = snw__json_number(json, list + 1 + n, &child) && child >= 0 &&
                        child < file->node_count && child == floor(child) && child != index;
        if (!is_there || file->node[(int)child].parent >= 0)
            return snw__gltf_fail(file, SNW_FORMAT, "node %d has a child that cannot be its own",
                                  index);
        file->node[(int)child].parent = index;
    }
    return SNW_OK;
}

/* Parents first: by their numbers where these already say so, as ours do; else level by level. */
static snw_status order_nodes(snw__gltf *file)
{
    const snw__json *json = &file->json;
    bool is_ordered = true;
    int done = 0;
    for (int n = 0; n < file->node_count; n++) {
        is_ordered &= file->node[n].parent < n;
        if (file->node[n].parent < 0) file->order[done++] = n;
    }
    for (int n = 0; n < done && !is_ordered; n++) {
        int count,
            list = snw__json_list(json, file->node[file->order[n]].value, "children", &count);
        for (int k = 0; k < count; k++) {
            double child = 0;
            (void)snw__json_number(json, list + 1 + k, &child);
            file->order[done++] = (int)child;
        }
    }
    if (!is_ordered && done < file->node_count)
        return snw__gltf_fail(file, SNW_FORMAT, "nodes are their own ancestors");
    for (int n = 0; n < file->node_count; n++) {
        if (is_ordered) file->order[n] = n;
        snw__gltf_node *node = file->node + file->order[n];
        node->world = node->parent < 0 ? node->rest
                                       : snw__gltf_mul(file->node[node->parent].world, node->rest);
        node->joint = -1;
    }
    return SNW_OK;
}

static snw_status read_nodes(snw__gltf *file)
{
    const snw__json *json = &file->json;
    int count, at = snw__json_list(json, 0, "nodes", &count) + 1;
    for (int n = 0; n < count; n++, at = json->value[at].next) {
        snw__gltf_node *node = file->node + n;
        node->value = at;
        node->parent = -1;
        node->mesh = (int)snw__json_index(json, at, "mesh", file->mesh_count, -1);
        node->skin = (int)snw__json_index(json, at, "skin", file->skin_count, -1);
        if (node->mesh < -1 || node->skin < -1)
            return snw__gltf_fail(file, SNW_FORMAT,
                                  "node %d names a mesh or skin that is not there", n);
        snw_status status = read_place(file, n);
        if (status != SNW_OK) return status;
    }
    snw_status status = SNW_OK;
    for (int n = 0; n < count && status == SNW_OK; n++)
        status = read_children(file, n);
    return status == SNW_OK ? order_nodes(file) : status;
}

/* ---- bones --------------------------------------------------------------------------------- */

static snw_status read_skin(snw__gltf *file, int skin, int index)
{
    const snw__json *json = &file->json;
    const snw__gltf_accessor *bind = NULL;
    int count, list = snw__json_list(json, skin, "joints", &count);
    snw_status status = snw__gltf_accessor_of(file, skin, "inverseBindMatrices", 16, &bind);
    if (status != SNW_OK) return status;
    if (bind && bind->count < count)
        return snw__gltf_fail(file, SNW_FORMAT, "skin %d has fewer matrices than joints", index);
    for (int n = 0; n < count; n++) {
        double number, matrix[16];
        if (!snw__json_number(json, list + 1 + n, &number) ||
            !(number >= 0 && number < file->node_count) || number != floor(number))
            return snw__gltf_fail(file, SNW_FORMAT, "skin %d names a node that is not there",
                                  index);
        snw__gltf_node *node = file->node + (int)number;
        node->is_bone = true;
        for (int k = 0; k < 16 && bind; k++)
            matrix[k] = snw__gltf_value(bind, n, k);
        if (!bind || node->has_bind) continue;
        node->has_bind = place_of_matrix(file, matrix, &node->bind);
        if (!node->has_bind)
            return snw__gltf_fail(file, SNW_UNSUPPORTED,
                                  "inverse bind matrix %d of skin %d is no place of a bone", n,
                                  index);
    }
    return SNW_OK;
}

/* VRM's names of bones, which are bones also where no skin uses them. Version 1.0 has an object of
 * them, 0.x a list. */
static const char *const gltf_parts[] = {"hips",
                                         "spine",
                                         "chest",
                                         "upperChest",
                                         "neck",
                                         "head",
                                         "jaw",
                                         "leftEye",
                                         "rightEye",
                                         "leftUpperLeg",
                                         "leftLowerLeg",
                                         "leftFoot",
                                         "leftToes",
                                         "rightUpperLeg",
                                         "rightLowerLeg",
                                         "rightFoot",
                                         "rightToes",
                                         "leftShoulder",
                                         "leftUpperArm",
                                         "leftLowerArm",
                                         "leftHand",
                                         "rightShoulder",
                                         "rightUpperArm",
                                         "rightLowerArm",
                                         "rightHand",
                                         "leftThumbMetacarpal",
                                         "leftThumbProximal",
                                         "leftThumbDistal",
                                         "leftIndexProximal",
                                         "leftIndexIntermediate",
                                         "leftIndexDistal",
                                         "leftMiddleProximal",
                                         "leftMiddleIntermediate",
                                         "leftMiddleDistal",
                                         "leftRingProximal",
                                         "leftRingIntermediate",
                                         "leftRingDistal",
                                         "leftLittleProximal",
                                         "leftLittleIntermediate",
                                         "leftLittleDistal",
                                         "rightThumbMetacarpal",
                                         "rightThumbProximal",
                                         "rightThumbDistal",
                                         "rightIndexProximal",
                                         "rightIndexIntermediate",
                                         "rightIndexDistal",
                                         "rightMiddleProximal",
                                         "rightMiddleIntermediate",
                                         "rightMiddleDistal",
                                         "rightRingProximal",
                                         "rightRingIntermediate",
                                         "rightRingDistal",
                                         "rightLittleProximal",
                                         "rightLittleIntermediate",
                                         "rightLittleDistal"};
/* VRM 1.0 requires these. */
static const bool gltf_part_is_required[55] = {
    [0] = true,  [1] = true,  [5] = true,  [9] = true,  [10] = true,
    [11] = true, [13] = true, [14] = true, [15] = true, [18] = true,
    [19] = true, [20] = true, [22] = true, [23] = true, [24] = true};

const char *snw__vrm_part(int n, bool *is_required)
{
    if (n < 0 || n >= (int)(sizeof gltf_parts / sizeof *gltf_parts)) return NULL;
    *is_required = gltf_part_is_required[n];
    return gltf_parts[n];
}

static void name_part(snw__gltf *file, int64_t node, int value, bool is_list)
{
    const snw__json *json = &file->json;
    bool is_required;
    if (node < 0) return;
    for (int n = 0; snw__vrm_part(n, &is_required); n++) {
        const char *part = gltf_parts[n];
        snw__span name = json->value[value].name;
        bool is_it = is_list ? snw__json_says(json, value, "bone", part)
                             : (size_t)(name.end - name.at) == strlen(part) &&
                                   memcmp(name.at, part, strlen(part)) == 0;
        if (!is_it) continue;
        file->node[node].part = part;
        file->node[node].is_bone = true;
    }
}

/* ---- animation ----------------------------------------------------------------------------- */

static snw_status read_channel(snw__gltf *file, int at)
{
    const snw__json *json = &file->json;
    snw__gltf_channel *out = file->channel + file->channel_count;
    int target = snw__json_find(json, at, "target");
    out->node = (int)snw__json_index(json, target, "node", file->node_count, -1);
    out->path = snw__json_says(json, target, "path", "rotation")      ? 'r'
                : snw__json_says(json, target, "path", "translation") ? 't'
                                                                      : 0;
    int64_t number = snw__json_index(json, at, "sampler", file->sampler_count, -1);
    if (out->node < -1 || number < 0)
        return snw__gltf_fail(file, SNW_FORMAT,
                              "a channel of the animation names what is not there");
    if (out->node < 0 || !out->path) return SNW_OK; /* scales and weights are not of a skeleton */
    int sampler = file->sampler[number];
    out->way = snw__json_says(json, sampler, "interpolation", "STEP")          ? 'S'
               : snw__json_says(json, sampler, "interpolation", "CUBICSPLINE") ? 'C'
                                                                               : 'L';
    snw_status status = snw__gltf_accessor_of(file, sampler, "input", 1, &out->time);
    if (status == SNW_OK)
        status =
            snw__gltf_accessor_of(file, sampler, "output", out->path == 'r' ? 4 : 3, &out->value);
    if (status != SNW_OK) return status;
    int64_t each = out->way == 'C' ? 3 : 1;
    if (!out->time || !out->value || out->time->count < 1 ||
        out->value->count < each * out->time->count)
        return snw__gltf_fail(file, SNW_FORMAT, "a channel of the animation has too few values");
    file->node[out->node].is_moving = true;
    file->channel_count++;
    return SNW_OK;
}

static snw_status read_animation(snw__gltf *file)
{
    const snw__json *json = &file->json;
    int animations, channels;
    int first = snw__json_list(json, 0, "animations", &animations) + 1;
    if (animations < 1) return SNW_OK;
    if (animations > 1)
        snw__note(file->reading->notes, SNW_NOTE_CONTENT_LEFT_OUT, SNW__NOWHERE,
                  "the file has %d animations; the first one is read", animations);
    int at = snw__json_list(json, first, "channels", &channels) + 1;
    snw_status status = SNW_OK;
    for (int n = 0; n < channels && status == SNW_OK; n++, at = json->value[at].next)
        status = read_channel(file, at);
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

static uint32_t u32_at(const snw__gltf *file, size_t at)
{
    return (uint32_t)snw__bytes_to_integer((const uint8_t *)file->bytes + at, 4, false);
}

static snw_status find_chunks(snw__gltf *file, snw__span *json)
{
    if (file->size < 20)
        return snw__gltf_fail(file, SNW_TRUNCATED, "a GLB has 20 bytes or more, this has %zu",
                              file->size);
    if (u32_at(file, 4) != 2)
        return snw__gltf_fail(file, SNW_UNSUPPORTED, "glTF %u is not read, 2 is", u32_at(file, 4));
    for (size_t at = 12; at + 8 <= file->size;) {
        size_t length = u32_at(file, at), start = at + 8;
        if (length > file->size - start)
            return snw__gltf_fail(file, SNW_TRUNCATED,
                                  "the chunk at byte %zu should have %zu bytes, %zu are there", at,
                                  length, file->size - start);
        if (memcmp(file->bytes + at + 4, "JSON", 4) == 0 && !json->at)
            *json = (snw__span){file->bytes + start, file->bytes + start + length};
        if (memcmp(file->bytes + at + 4, "BIN\0", 4) == 0 && !file->binary) {
            file->binary = (const uint8_t *)file->bytes + start;
            file->binary_size = (int64_t)length;
        }
        at = start + (length + 3) / 4 * 4;
    }
    return json->at ? SNW_OK : snw__gltf_fail(file, SNW_FORMAT, "the GLB has no JSON");
}

static snw_status check_extensions(snw__gltf *file)
{
    const snw__json *json = &file->json;
    static const char *const harmless[] = {
        "VRM", "VRMC_", "KHR_materials_", "KHR_texture_", "KHR_mesh_quantization", "KHR_lights_"};
    int count, at = snw__json_list(json, 0, "extensionsRequired", &count) + 1, buffers;
    for (int n = 0; n < count; n++, at = json->value[at].next) {
        bool is_harmless = false;
        for (int k = 0; k < 6; k++)
            is_harmless |= snw__span_starts(json->value[at].text, harmless[k]);
        if (!is_harmless)
            return snw__gltf_fail(file, SNW_UNSUPPORTED, "it needs %.*s, which is not read",
                                  snw__span_shown(json->value[at].text), json->value[at].text.at);
    }
    at = snw__json_list(json, 0, "buffers", &buffers) + 1;
    for (int n = 0; n < buffers; n++, at = json->value[at].next)
        if (n > 0 || snw__json_find(json, at, "uri") >= 0)
            return snw__gltf_fail(file, SNW_UNSUPPORTED,
                                  "its data lie in other files; save it as one .glb");
    return SNW_OK;
}

static void lay_out(void *object, snw__block *block)
{
    snw__gltf *file = (snw__gltf *)object;
    size_t nodes = (size_t)file->node_count, accessors = (size_t)file->accessor_count;
    file->node = (snw__gltf_node *)snw__block_take(block, nodes, sizeof *file->node);
    file->accessor =
        (snw__gltf_accessor *)snw__block_take(block, accessors, sizeof *file->accessor);
    file->channel = (snw__gltf_channel *)snw__block_take(block, (size_t)file->channel_count + 1,
                                                         sizeof *file->channel);
    file->order = (int *)snw__block_take(block, nodes, sizeof *file->order);
    file->view = (int *)snw__block_take(block, (size_t)file->view_count, sizeof(int));
    file->mesh = (int *)snw__block_take(block, (size_t)file->mesh_count, sizeof(int));
    file->skin = (int *)snw__block_take(block, (size_t)file->skin_count, sizeof(int));
    file->sampler = (int *)snw__block_take(block, (size_t)file->sampler_count, sizeof(int));
}

/* The values of list `name`, so that its members are found by their number. */
static void list_values(const snw__json *json, int object, const char *name, int *value)
{
    int count, at = snw__json_list(json, object, name, &count) + 1;
    for (int n = 0; n < count; n++, at = json->value[at].next)
        value[n] = at;
}

static snw_status read_scene(snw__gltf *file)
{
    const snw__json *json = &file->json;
    int animations, first = snw__json_list(json, 0, "animations", &animations) + 1;
    (void)snw__json_list(json, 0, "nodes", &file->node_count);
    (void)snw__json_list(json, 0, "accessors", &file->accessor_count);
    (void)snw__json_list(json, 0, "bufferViews", &file->view_count);
    (void)snw__json_list(json, 0, "meshes", &file->mesh_count);
    (void)snw__json_list(json, 0, "skins", &file->skin_count);
    if (animations < 1) first = -1;
    (void)snw__json_list(json, first, "channels", &file->channel_count);
    (void)snw__json_list(json, first, "samplers", &file->sampler_count);
    snw_status status = check_extensions(file);
    if (status == SNW_OK)
        status = snw__block_create(&file->block, lay_out, file, &file->reading->allocator,
                                   "the nodes of a GLB", file->reading->error);
    file->channel_count = 0;
    if (status == SNW_OK) {
        list_values(json, 0, "bufferViews", file->view);
        list_values(json, 0, "meshes", file->mesh);
        list_values(json, 0, "skins", file->skin);
        list_values(json, first, "samplers", file->sampler);
        int count, at = snw__json_list(json, 0, "accessors", &count) + 1;
        for (int n = 0; n < count && status == SNW_OK; n++, at = json->value[at].next)
            status = read_accessor(file, at, n);
    }
    if (status == SNW_OK) status = read_nodes(file);
    for (int n = 0; n < file->skin_count && status == SNW_OK; n++)
        status = read_skin(file, file->skin[n], n);
    if (status == SNW_OK) {
        int all = snw__json_find(json, 0, "extensions"), count = 0;
        int vrm = snw__json_find(json, all, "VRMC_vrm");
        if (vrm < 0) vrm = snw__json_find(json, all, "VRMC_vrm_animation");
        if (vrm < 0) vrm = snw__json_find(json, all, "VRM");
        int list =
            snw__json_list(json, snw__json_find(json, vrm, "humanoid"), "humanBones", &count);
        int at = list + 1;
        for (int n = 0; n < count; n++, at = json->value[at].next)
            name_part(file, snw__json_index(json, at, "node", file->node_count, -1), at,
                      json->value[list].kind == '[');
    }
    return status == SNW_OK ? read_animation(file) : status;
}

snw_status snw__gltf_open(snw__gltf *file, snw__reading *reading)
{
    memset(file, 0, sizeof *file);
    file->reading = reading;
    snw__span json = {NULL, NULL};
    snw_status status = snw__reading_all(reading, &file->bytes, &file->size);
    if (status == SNW_OK) status = find_chunks(file, &json);
    if (status == SNW_OK)
        status = snw__json_parse(&file->json, reading, json, json.at - file->bytes);
    return status == SNW_OK ? read_scene(file) : status;
}

void snw__gltf_close(snw__gltf *file)
{
    snw__block_release(&file->reading->allocator, &file->block);
    snw__json_release(&file->json);
    if (file->bytes) snw__reading_release_all(file->reading, file->bytes, file->size);
}
