/* The body of a GLB: which nodes are joints, how they rest, and how the animation moves them.
 *
 * Joints are the nodes that skins (or VRM) name and those between them; without a skin, all that
 * hangs on the root of what moves. They rest as the skin was bound: with G the place of the first
 * bone's node and B its inverse bind matrix, A = G B takes the skin's vertices to the world, and a
 * bone of inverse bind matrix B_j rests at A B_j^-1, whatever its node says (exporters write nodes
 * in the first frame's pose). Scales are taken into the lengths. */
#include "io/gltf.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "io/motion_text.h"

/* ---- which nodes --------------------------------------------------------------------------- */

/* Marks joints, and leaves called ..._end as the tip of their parent; counts joints. */
static int mark_nodes(snw__gltf *file, int top, bool has_bones)
{
    int count = 0;
    for (int n = 0; n < file->node_count; n++) {
        snw__gltf_node *node = file->node + file->order[n];
        node->is_under =
            file->order[n] == top || (node->parent >= 0 && file->node[node->parent].is_under);
        node->is_kept = node->is_under && (has_bones ? node->is_bone : node->mesh < 0);
    }
    file->node[top].is_kept = true;
    for (int n = file->node_count - 1; n >= 0; n--) {
        const snw__gltf_node *node = file->node + file->order[n];
        if (!node->is_kept || file->order[n] == top) continue;
        file->node[node->parent].is_kept = file->node[node->parent].has_child = true;
    }
    for (int n = 0; n < file->node_count; n++) {
        snw__gltf_node *node = file->node + file->order[n];
        int name = snw__json_find(&file->json, node->value, "name");
        bool is_end = name >= 0 && snw__span_ends(file->json.value[name].text, "_end") &&
                      !node->is_moving && !node->part && !node->has_child;
        node->is_tip = is_end && file->order[n] != top && node->parent >= 0 &&
                       file->node[node->parent].joint >= 0 &&
                       !file->node[node->parent].is_tip; /* also where no skin names it */
        if (!node->is_kept && !node->is_tip) continue;
        node->joint = node->is_tip ? file->node[node->parent].joint : count++;
    }
    return count;
}

/* ---- how they rest ------------------------------------------------------------------------- */

snw__gltf_place snw__gltf_skin_place(const snw__gltf *file, int skin)
{
    const snw__gltf_place unmoved = {1, snw_xform_identity()};
    int count, list = snw__json_list(&file->json, file->skin[skin], "joints", &count);
    double first;
    if (count < 1 || !snw__json_number(&file->json, list + 1, &first)) return unmoved;
    const snw__gltf_node *node = file->node + (int)first;
    return snw__gltf_mul(node->world, node->has_bind ? node->bind : unmoved);
}

typedef struct gltf_body {
    snw__gltf *file;
    int count, frame_count;
    double first_time, rate, size;
    snw_joint_def *def; /* (count) */
    char (*name)[SNW__NAME_SIZE];
    char (*joint_name)[SNW__NAME_SIZE];
    snw_xform *rest;  /* (count) in the world */
    int *node;        /* (count) */
    int *turn, *move; /* (node_count) channel, -1: none */
} gltf_body;

static void lay_out(void *object, snw__block *block)
{
    gltf_body *body = (gltf_body *)object;
    size_t count = (size_t)body->count, nodes = (size_t)body->file->node_count;
    body->def = (snw_joint_def *)snw__block_take(block, count, sizeof *body->def);
    body->name = (char(*)[SNW__NAME_SIZE])snw__block_take(block, count, SNW__NAME_SIZE);
    body->joint_name = (char(*)[SNW__NAME_SIZE])snw__block_take(block, count, SNW__NAME_SIZE);
    body->rest = (snw_xform *)snw__block_take(block, count, sizeof *body->rest);
    body->node = (int *)snw__block_take(block, count, sizeof *body->node);
    body->turn = (int *)snw__block_take(block, nodes, sizeof *body->turn);
    body->move = (int *)snw__block_take(block, nodes, sizeof *body->move);
}

static void find_rest(gltf_body *body, int skin)
{
    const snw__gltf *file = body->file;
    snw__gltf_place world =
        skin < 0 ? (snw__gltf_place){1, snw_xform_identity()} : snw__gltf_skin_place(file, skin);
    double away = 0;
    for (int j = 0; j < body->count; j++) {
        const snw__gltf_node *node = file->node + body->node[j];
        const snw__gltf_node *parent = j ? file->node + node->parent : NULL;
        if (node->has_bind)
            body->rest[j] = snw__gltf_mul(world, snw__gltf_inverse(node->bind)).at;
        else if (!parent)
            body->rest[j] = node->world.at;
        else
            body->rest[j] = snw_xform_mul(
                body->rest[parent->joint],
                snw_xform_make(node->rest.at.rotation,
                               snw_vec3_scale(node->rest.at.translation, parent->world.scale)));
        double far = snw_vec3_distance(body->rest[j].translation, body->rest[0].translation);
        body->size = fmax(body->size, far);
        away = fmax(away, snw_vec3_distance(body->rest[j].translation, node->world.at.translation));
    }
    /* Matrices of floats are less exact than nodes that say the same. */
    bool is_bound = away > 1e-4 * body->size;
    for (int j = 0; j < body->count && !is_bound; j++)
        is_bound = snw_quat_angle_between(body->rest[j].rotation,
                                          file->node[body->node[j]].world.at.rotation) > 1e-3;
    for (int j = 0; j < body->count && !is_bound; j++)
        body->rest[j] = file->node[body->node[j]].world.at;
}

static void define_joints(gltf_body *body)
{
    const snw__gltf *file = body->file;
    for (int j = 0; j < body->count; j++) {
        const snw__gltf_node *node = file->node + body->node[j];
        snw_joint_def *def = body->def + j;
        *def = snw_joint_def_default();
        def->parent = j ? file->node[node->parent].joint : -1;
        def->joint.type = j ? SNW_JOINT_BALL : SNW_JOINT_FIXED;
        def->rest = j ? snw_xform_mul(snw_xform_inverse(body->rest[def->parent]), body->rest[j])
                      : body->rest[0];
        def->rest.rotation = snw_quat_normalize(def->rest.rotation);
        int at = snw__json_find(&file->json, node->value, "name");
        if (at >= 0) snw__json_copy(file->json.value[at].text, body->joint_name[j]);
        snw_format(body->name[j], SNW__NAME_SIZE, "%s",
                   node->part ? node->part : body->joint_name[j]);
        if (node->part && body->joint_name[j][0]) body->def[j].joint_name = body->joint_name[j];
    }
    for (int n = 0; n < file->node_count; n++) {
        const snw__gltf_node *node = file->node + n;
        if (!node->is_tip) continue;
        body->def[node->joint].has_tip = true;
        body->def[node->joint].tip =
            snw_vec3_scale(node->rest.at.translation, file->node[node->parent].world.scale);
    }
}

/* ---- how they move ------------------------------------------------------------------------- */

/* Frames: from the first time of all channels to the last, as far apart as the nearest two. */
static snw_status find_frames(gltf_body *body)
{
    const snw__gltf *file = body->file;
    double first = INFINITY, last = -INFINITY, step = INFINITY;
    for (int c = 0; c < file->channel_count; c++) {
        const snw__gltf_accessor *time = file->channel[c].time;
        for (int64_t n = 0; n < time->count; n++) {
            double t = snw__gltf_value(time, n, 0);
            double before = n ? snw__gltf_value(time, n - 1, 0) : -INFINITY;
            if (!(fabs(t) < 1e6) || !(t > before))
                return snw__gltf_fail(file, SNW_FORMAT, "times of the animation do not increase");
            first = fmin(first, t);
            last = fmax(last, t);
            if (n) step = fmin(step, t - before);
        }
    }
    body->frame_count = 1;
    body->rate = 1;
    if (!(last > first)) return SNW_OK;
    body->first_time = first;
    /* As floats have it: half a unit in the last place of the largest time. The nearest two of a
     * long motion may be nearer by that; the whole of it says the rate better. */
    double blur = 6e-8 * fmax(fabs(first), fabs(last)), steps = round((last - first) / step);
    if (!(steps < 1e7)) return snw__gltf_fail(file, SNW_TOO_LARGE, "times are too near each other");
    body->rate = snw__rate_from_duration(last - first, steps, blur + 1e-9);
    if (!(body->rate > 0)) body->rate = steps / (last - first);
    body->frame_count = (int)steps + 1;
    double bytes = (double)body->frame_count * body->count * (sizeof(snw_quat) + sizeof(snw_vec3));
    /* As text files: a few sparse keys must not become a motion out of proportion. */
    if (bytes > 64.0 * (double)file->size + (1 << 20))
        return snw__gltf_fail(file, SNW_TOO_LARGE,
                              "%d frames are out of proportion to the file's few times",
                              body->frame_count);
    return snw__reading_check_memory(file->reading, (uint64_t)bytes);
}

/* The value of a channel at time t: between its neighbours, or the end's. Cubic splines: Hermite
 * with the tangents that the file has (glTF 2.0, appendix C). */
static void sample(const snw__gltf_channel *channel, double t, double out[4])
{
    const snw__gltf_accessor *time = channel->time, *value = channel->value;
    int64_t low = 0, high = time->count - 1, each = channel->way == 'C' ? 3 : 1;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (snw__gltf_value(time, middle, 0) <= t)
            low = middle;
        else
            high = middle;
    }
    double from = snw__gltf_value(time, low, 0), to = snw__gltf_value(time, high, 0);
    double span = to - from, u = span > 0 ? fmin(fmax((t - from) / span, 0), 1) : 0;
    double a[4], b[4];
    for (int k = 0; k < value->width; k++) {
        a[k] = snw__gltf_value(value, each * low + each / 2, k);
        b[k] = snw__gltf_value(value, each * high + each / 2, k);
    }
    if (channel->way == 'C') {
        double u2 = u * u, u3 = u2 * u;
        for (int k = 0; k < value->width; k++)
            out[k] = (2 * u3 - 3 * u2 + 1) * a[k] + (3 * u2 - 2 * u3) * b[k] +
                     span * ((u3 - 2 * u2 + u) * snw__gltf_value(value, 3 * low + 2, k) +
                             (u3 - u2) * snw__gltf_value(value, 3 * high, k));
    } else if (channel->way == 'L' && value->width == 4) {
        snw_quat q = snw_quat_slerp(snw_quat_normalize(snw_quat_make(a[3], a[0], a[1], a[2])),
                                    snw_quat_normalize(snw_quat_make(b[3], b[0], b[1], b[2])), u);
        out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
    } else {
        double part = channel->way == 'S' ? (u >= 1) : u;
        for (int k = 0; k < value->width; k++)
            out[k] = a[k] + part * (b[k] - a[k]);
    }
}

/* A node's place from its parent at a time. */
static snw__gltf_place place_at(const gltf_body *body, int node, double t)
{
    const snw__gltf *file = body->file;
    snw__gltf_place place = file->node[node].rest;
    double v[4];
    if (body->turn[node] >= 0) {
        sample(file->channel + body->turn[node], t, v);
        place.at.rotation = snw_quat_normalize(snw_quat_make(v[3], v[0], v[1], v[2]));
    }
    if (body->move[node] >= 0) {
        sample(file->channel + body->move[node], t, v);
        place.at.translation = snw_vec3_make(v[0], v[1], v[2]);
    }
    return place;
}

/* Where joint j is from where it rests. */
static snw_xform moved_at(const gltf_body *body, int j, double t)
{
    const snw__gltf_node *node = body->file->node + body->node[j];
    snw_xform place = place_at(body, body->node[j], t).at;
    place.translation =
        snw_vec3_scale(place.translation, body->file->node[node->parent].world.scale);
    return snw_xform_mul(snw_xform_inverse(body->def[j].rest), place);
}

static double time_of(const gltf_body *body, int frame)
{
    return body->first_time + frame / body->rate;
}

static void fill_frames(const gltf_body *body, snw_motion *motion)
{
    snw_xform joint_from_world = snw_xform_inverse(body->def[0].rest);
    for (int frame = 0; frame < body->frame_count; frame++) {
        double t = time_of(body, frame);
        snw__gltf_place root = place_at(body, body->node[0], t);
        for (int n = body->file->node[body->node[0]].parent; n >= 0; n = body->file->node[n].parent)
            root = snw__gltf_mul(place_at(body, n, t), root);
        motion->root[frame] = snw_xform_mul(root.at, joint_from_world);
        for (int j = 1; j < body->count; j++) {
            snw_xform moved = moved_at(body, j, t);
            size_t at = (size_t)frame * (size_t)body->count + (size_t)j;
            motion->rotation[at] = snw_quat_normalize(moved.rotation);
            if (body->def[j].joint.type == SNW_JOINT_FREE) motion->slide[at] = moved.translation;
        }
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static snw_status make_body(gltf_body *body, int skin, snw_skeleton **skeleton, snw_motion **motion)
{
    const snw__gltf *file = body->file;
    snw__reading *reading = file->reading;
    for (int n = 0; n < file->node_count; n++) {
        const snw__gltf_node *node = file->node + n;
        body->turn[n] = body->move[n] = -1;
        if (node->is_kept && !node->is_tip) body->node[node->joint] = n;
    }
    for (int c = 0; c < file->channel_count; c++)
        (file->channel[c].path == 'r' ? body->turn : body->move)[file->channel[c].node] = c;
    find_rest(body, skin);
    define_joints(body);
    snw_status status = find_frames(body);
    if (status == SNW_OK) {
        /* Joints that leave their place slide; nearer than a ten-thousandth of the body is
         * round-off. */
        for (int j = 1; j < body->count; j++)
            for (int frame = 0; frame < body->frame_count; frame++) {
                if (frame && body->move[body->node[j]] < 0) break;
                snw_vec3 slide = moved_at(body, j, time_of(body, frame)).translation;
                if (!(snw_vec3_length(slide) > 1e-4 * body->size)) continue;
                body->def[j].joint.type = SNW_JOINT_FREE;
                break;
            }
        status = snw__joint_names_settle(body->name, body->count, &reading->allocator,
                                         reading->notes, reading->error);
    }
    for (int j = 0; j < body->count; j++)
        body->def[j].name = body->name[j];
    if (status == SNW_OK)
        status = snw_skeleton_create(body->def, body->count, &reading->allocator, skeleton,
                                     reading->error);
    if (status == SNW_OK)
        status = snw_motion_create(*skeleton, body->frame_count, body->rate, &reading->allocator,
                                   motion, reading->error);
    if (status == SNW_OK) {
        fill_frames(body, *motion);
        status = snw__motion_check(*motion, reading->error);
    }
    if (status == SNW_OK) return status;
    snw_motion_destroy(*motion);
    snw_skeleton_destroy(*skeleton);
    *motion = NULL;
    *skeleton = NULL;
    return status;
}

snw_status snw__gltf_read_body(snw__gltf *file, snw_skeleton **skeleton, snw_motion **motion)
{
    bool has_bones = false;
    for (int n = 0; n < file->node_count; n++)
        has_bones |= file->node[n].is_bone;
    /* The lowest node above all bones of the tree that the first one hangs in; -1: there are none.
     */
    int top = -1, root = -1;
    for (int n = 0; n < file->node_count; n++) {
        snw__gltf_node *node = file->node + file->order[n];
        node->root = node->parent < 0 ? file->order[n] : file->node[node->parent].root;
        node->bone_count = has_bones ? node->is_bone : node->is_moving;
    }
    for (int n = file->node_count - 1; n >= 0; n--) {
        const snw__gltf_node *node = file->node + file->order[n];
        if (node->parent >= 0) file->node[node->parent].bone_count += node->bone_count;
    }
    for (int n = 0; n < file->node_count && root < 0; n++)
        if (has_bones ? file->node[n].is_bone : file->node[n].is_moving) root = file->node[n].root;
    for (int n = 0; n < file->node_count && root >= 0; n++) {
        const snw__gltf_node *node = file->node + file->order[n];
        if (node->root == root && node->bone_count == file->node[root].bone_count)
            top = file->order[n]; /* the last one is the lowest */
    }
    if (top < 0)
        return snw__gltf_fail(file, SNW_UNSUPPORTED,
                              "there are no bones: neither a skin nor an animation");
    gltf_body body;
    memset(&body, 0, sizeof body);
    body.file = file;
    body.count = mark_nodes(file, top, has_bones);
    if (body.count > SNW_JOINT_MAX)
        return snw__gltf_fail(file, SNW_TOO_LARGE, "%d bones are too many, %d are read", body.count,
                              SNW_JOINT_MAX);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, &body, &file->reading->allocator,
                                          "the body", file->reading->error);
    if (status != SNW_OK) return status;
    status = make_body(&body, file->skin_count ? 0 : -1, skeleton, motion);
    snw__block_release(&file->reading->allocator, &block);
    return status;
}
