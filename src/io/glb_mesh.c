/* The mesh of a body in a GLB: an octahedron for each bone, moved by the joint at its near end, or
 * its own surface. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/glb.h"
#include "io/text_writer.h"
#include "solid/mesh_edges.h"

/* Corners of the eight flat triangles of one bone. */
enum {
    GLB_BONE_VERTICES = 24
};
/* Width of a bone, and where it is widest, as parts of its length: Blender's look. */
#define GLB_BONE_WIDTH 0.1
/* Radius of the mark that stands for a body without any bone, in metres. */
#define GLB_MARK_SIZE 0.02

/* ---- bones as octahedra -------------------------------------------------------------------- */

typedef struct glb_bone {
    int joint; /* that moves it */
    snw_vec3 from, to;
} glb_bone;

/* Bone `which` of a joint: 0 from its parent to it, 1 from it to its tip. */
static bool find_bone(const snw__glb_writer *writer, int joint, int which, glb_bone *bone)
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

/* Calls `put` for every bone. */
static void each_bone(snw__glb_writer *writer, void (*put)(snw__glb_writer *, const glb_bone *))
{
    glb_bone bone;
    for (int joint = 0; joint < writer->skeleton->joint_count; joint++)
        for (int which = 0; which < 2; which++)
            if (find_bone(writer, joint, which, &bone)) put(writer, &bone);
    if (writer->bone_count == 0) {
        snw_vec3 place = writer->bind[0].translation;
        bone = (glb_bone){0, place, snw_vec3_add(place, snw_vec3_make(0, GLB_MARK_SIZE, 0))};
        put(writer, &bone);
    }
}

/* ---- vertices ------------------------------------------------------------------------------ */

static void measure_bone(snw__glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    writer->vertex_count += GLB_BONE_VERTICES;
    for (int n = 0; n < GLB_BONE_VERTICES; n++) {
        const double part[3] = {corner[n].x, corner[n].y, corner[n].z};
        for (int k = 0; k < 3; k++) {
            float value = snw__glb_float_of(writer, part[k]);
            if (value < writer->low[k]) writer->low[k] = value;
            if (value > writer->high[k]) writer->high[k] = value;
        }
    }
}

static void put_positions(snw__glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    for (int n = 0; n < GLB_BONE_VERTICES; n++)
        snw__glb_put_vec3(writer, corner[n]);
}

static void put_normals(snw__glb_writer *writer, const glb_bone *bone)
{
    snw_vec3 corner[GLB_BONE_VERTICES];
    make_triangles(bone, corner);
    for (int n = 0; n < GLB_BONE_VERTICES; n++) {
        const snw_vec3 *face = corner + n / 3 * 3;
        snw_vec3 area =
            snw_vec3_cross(snw_vec3_sub(face[1], face[0]), snw_vec3_sub(face[2], face[0]));
        snw__glb_put_vec3(writer, snw_vec3_unit(area, snw_vec3_make(0, 1, 0)));
    }
}

static void put_joints(snw__glb_writer *writer, const glb_bone *bone)
{
    for (int n = 0; n < GLB_BONE_VERTICES; n++) {
        snw__glb_put_u32(writer->output, (uint32_t)bone->joint);
        snw__glb_put_u32(writer->output, 0);
    }
}

static void put_weights(snw__glb_writer *writer, const glb_bone *bone)
{
    (void)bone;
    for (int n = 0; n < GLB_BONE_VERTICES; n++)
        for (int k = 0; k < 4; k++)
            snw__glb_put_f32(writer, k == 0);
}

static void put_inverse_of(snw__glb_writer *writer, snw_xform bind)
{
    snw_xform joint_from_world = snw_xform_inverse(bind);
    snw_mat3 turn = snw_mat3_from_quat(joint_from_world.rotation);
    for (int column = 0; column < 3; column++) {
        snw__glb_put_vec3(writer,
                          snw_vec3_make(turn.m[0][column], turn.m[1][column], turn.m[2][column]));
        snw__glb_put_f32(writer, 0);
    }
    snw__glb_put_vec3(writer, joint_from_world.translation);
    snw__glb_put_f32(writer, 1);
}

/* ---- all bones ----------------------------------------------------------------------------- */

static void glb_skin_measure(snw__glb_writer *writer)
{
    const snw_mesh *mesh = writer->skin->mesh;
    writer->vertex_count = (uint32_t)mesh->count.vertex_count;
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        snw_vec3 p = snw_quat_rotate(writer->turn, mesh->vertex[v]);
        const float x[3] = {snw__glb_float_of(writer, p.x), snw__glb_float_of(writer, p.y),
                            snw__glb_float_of(writer, p.z)};
        for (int k = 0; k < 3; k++) {
            writer->low[k] = fminf(writer->low[k], x[k]);
            writer->high[k] = fmaxf(writer->high[k], x[k]);
        }
    }
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            snw_vec3 *normal = writer->normal + mesh->triangle[t][k];
            *normal = snw_vec3_add(*normal, snw__triangle_area(mesh, t));
        }
}

void snw__glb_mesh_measure(snw__glb_writer *writer)
{
    glb_bone bone;
    for (int k = 0; k < 3; k++) {
        writer->low[k] = INFINITY;
        writer->high[k] = -INFINITY;
    }
    if (writer->skin) {
        glb_skin_measure(writer);
        return;
    }
    for (int j = 0; j < writer->skeleton->joint_count; j++)
        for (int which = 0; which < 2; which++)
            writer->bone_count += find_bone(writer, j, which, &bone);
    each_bone(writer, measure_bone);
}

static void put_four_joints(snw__glb_writer *writer, const uint16_t *joint)
{
    for (int k = 0; k < 4; k += 2)
        snw__glb_put_u32(writer->output, (uint32_t)joint[k] | (uint32_t)joint[k + 1] << 16);
}

static void put_four_weights(snw__glb_writer *writer, const float *weight)
{
    for (int k = 0; k < 4; k++)
        snw__glb_put_float(writer->output, weight[k]);
}

static void glb_skin_put_vertices(snw__glb_writer *writer)
{
    const snw_mesh *mesh = writer->skin->mesh;
    const snw_skin_vertex *vertex = writer->skin->vertex;
    int count = mesh->count.vertex_count;
    for (int v = 0; v < count; v++)
        snw__glb_put_vec3(writer, snw_quat_rotate(writer->turn, mesh->vertex[v]));
    for (int v = 0; v < count; v++) {
        snw_vec3 normal = snw_vec3_unit(writer->normal[v], snw_vec3_make(0, 1, 0));
        snw__glb_put_vec3(writer, snw_quat_rotate(writer->turn, normal));
    }
    for (int v = 0; v < count; v++)
        put_four_joints(writer, vertex[v].joint);
    for (int v = 0; v < count; v++)
        put_four_weights(writer, vertex[v].weight);
}

void snw__glb_mesh_put_binary(snw__glb_writer *writer)
{
    if (writer->skin) {
        glb_skin_put_vertices(writer);
    } else {
        each_bone(writer, put_positions);
        each_bone(writer, put_normals);
        each_bone(writer, put_joints);
        each_bone(writer, put_weights);
    }
    /* Of the joints, then of the ends, which stand as their joints do. */
    const snw_skeleton *skeleton = writer->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        put_inverse_of(writer, writer->bind[j]);
    for (int j = 0; j < skeleton->joint_count; j++)
        if (skeleton->has_tip[j])
            put_inverse_of(writer,
                           snw_xform_make(writer->bind[j].rotation,
                                          snw_xform_point(writer->bind[j], skeleton->tip[j])));
}

/* ---- the surface ---------------------------------------------------------------------------
 *
 * Each vertex once, with up to four joints and weights, and a list of triangles. */

snw_status snw__glb_skin_check(const snw_skin *skin, const snw_motion *motion, snw_error *error)
{
    if (!skin) return SNW_OK;
    if (skin->joint_count != motion->skeleton->joint_count)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "the skin is of a body with %d joints, the motion of one with %d",
                         skin->joint_count, motion->skeleton->joint_count);
    /* 2^32 bytes are the file's end; 60 for each vertex and 12 for each triangle. */
    if (skin->mesh->count.vertex_count > 30000000 || skin->mesh->count.triangle_count > 60000000)
        return snw__fail(error, SNW_TOO_LARGE, "the skin is too large for GLB");
    return SNW_OK;
}

void snw__glb_skin_put_triangles(snw__glb_writer *writer)
{
    const snw_mesh *mesh = writer->skin->mesh;
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            snw__glb_put_u32(writer->output, (uint32_t)mesh->triangle[t][k]);
}

static snw_vec3 shift_in_file(const snw__glb_writer *writer, const snw_skin_shift *shift)
{
    return snw_quat_rotate(writer->turn, snw_vec3_make((double)shift->way[0], (double)shift->way[1],
                                                       (double)shift->way[2]));
}

void snw__glb_skin_shape_range(const snw__glb_writer *writer, int bend, double low[3],
                               double high[3])
{
    const snw_skin_bend *own = writer->skin->bend + bend;
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = 0;
    for (int n = 0; n < own->count; n++) {
        snw_vec3 way = shift_in_file(writer, writer->skin->shift + own->first + n);
        const double x[3] = {way.x, way.y, way.z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
}

/* A shape for each bend, in metres for an amount of one metre; shifts are sorted by vertex. */
static void put_shapes(snw__glb_writer *writer)
{
    const snw_skin *skin = writer->skin;
    for (int b = 0; b < skin->bend_count; b++) {
        const snw_skin_shift *shift = skin->shift + skin->bend[b].first;
        const snw_skin_shift *end = shift + skin->bend[b].count;
        for (int v = 0; v < skin->mesh->count.vertex_count; v++) {
            bool is_shifted = shift < end && shift->vertex == v;
            snw__glb_put_vec3(writer,
                              is_shifted ? shift_in_file(writer, shift) : snw_vec3_make(0, 0, 0));
            shift += is_shifted;
        }
    }
}

void snw__glb_skin_put_more(snw__glb_writer *writer)
{
    const snw_skin *skin = writer->skin;
    int count = skin->most_joints > 4 ? skin->mesh->count.vertex_count : 0;
    for (int v = 0; v < count; v++)
        put_four_joints(writer, skin->vertex[v].joint + 4);
    for (int v = 0; v < count; v++)
        put_four_weights(writer, skin->vertex[v].weight + 4);
    if (!skin->bend_count) return;
    put_shapes(writer);
    for (int n = 0; n < skin->bend_count * writer->motion->frame_count; n++)
        snw__glb_put_float(writer->output, writer->bend[n]);
}
