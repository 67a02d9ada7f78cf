/* The surface of a body in a GLB instead of octahedra: each vertex once, with up to four joints and
 * weights, and a list of triangles. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "io/glb.h"
#include "solid/mesh_edges.h"

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

void snw__glb_skin_measure(snw__glb_writer *writer)
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

void snw__glb_skin_put_vertices(snw__glb_writer *writer)
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
        for (int k = 0; k < SNW_SKIN_JOINTS; k += 2)
            snw__glb_put_u32(writer->output,
                             (uint32_t)vertex[v].joint[k] | (uint32_t)vertex[v].joint[k + 1] << 16);
    for (int v = 0; v < count; v++)
        for (int k = 0; k < SNW_SKIN_JOINTS; k++)
            snw__glb_put_float(writer->output, vertex[v].weight[k]);
}

void snw__glb_skin_put_triangles(snw__glb_writer *writer)
{
    const snw_mesh *mesh = writer->skin->mesh;
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++)
            snw__glb_put_u32(writer->output, (uint32_t)mesh->triangle[t][k]);
}
