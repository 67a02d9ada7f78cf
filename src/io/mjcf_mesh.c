/* Surfaces that an MJCF names:
 *
 *   <compiler meshdir="meshes"/>   or assetdir; beside the file
 *   <asset> <mesh name="link" file="link.stl" scale="0.001 0.001 0.001"
 *                 refpos="" refquat="" class=""/> </asset>   no name: the file's without ending
 *
 * A mesh whose corners are written in the model itself is none of these. */
#include <string.h>

#include "base/fail.h"
#include "io/mjcf.h"

snw_status snw__mjcf_read_mesh_class(snw__mjcf *file, snw__mjcf_class *class)
{
    snw__span value;
    if (!snw__xml_find(&file->xml, "scale", &value)) return SNW_OK;
    class->has_scale = true;
    return snw__xml_numbers(&file->xml, "scale", 3, class->scale);
}

/* The part of a path between its last slash and its ending. */
static snw__span stem_of(snw__span path)
{
    for (const char *at = path.at; at < path.end; at++)
        if (*at == '/') path.at = at + 1;
    for (const char *at = path.end; at > path.at; at--)
        if (at[-1] == '.') {
            path.end = at - 1;
            break;
        }
    return path;
}

static snw_status read_mesh(snw__mjcf *file, snw__mjcf_meshes *meshes)
{
    snw__xml *xml = &file->xml;
    snw__span name;
    int class_index = 0;
    double place[3] = {0}, turn[4] = {1, 0, 0, 0};
    snw__shape_mesh mesh = {.scale = {1, 1, 1}, .place = snw_xform_identity(), .joint = -1};
    if (!snw__xml_find(xml, "file", &mesh.file)) return SNW_OK;
    if (!snw__xml_find(xml, "name", &name)) name = stem_of(mesh.file);
    snw_status status = snw__mjcf_class_of(file, "class", 0, &class_index);
    if (status == SNW_OK && file->class[class_index].has_scale)
        memcpy(mesh.scale, file->class[class_index].scale, sizeof mesh.scale);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "scale", 3, mesh.scale);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "refpos", 3, place);
    if (status == SNW_OK) status = snw__xml_numbers(xml, "refquat", 4, turn);
    if (status != SNW_OK) return status;
    mesh.own = snw_xform_inverse(
        snw_xform_make(snw_quat_normalize(snw_quat_make(turn[0], turn[1], turn[2], turn[3])),
                       snw_vec3_make(place[0], place[1], place[2])));
    if (snw__name_set_add(&meshes->names, name.at, snw__span_length(name), meshes->count) < 0)
        meshes->mesh[meshes->count++] = mesh;
    return SNW_OK;
}

static snw_status read_meshes(snw__mjcf *file, snw__mjcf_meshes *meshes, int room)
{
    snw__xml *xml = &file->xml;
    snw__span folder = snw__span_of("");
    snw_status status;
    snw__xml_begin(xml, &file->text);
    while ((status = snw__xml_next_open(xml)) == SNW_OK && xml->event != SNW__XML_END) {
        if (xml->depth == 2 && snw__xml_is(xml, "compiler")) {
            if (!snw__xml_find(xml, "meshdir", &folder))
                (void)snw__xml_find(xml, "assetdir", &folder);
        } else if (xml->depth == 3 && snw__xml_is(xml, "mesh") && meshes->count < room &&
                   snw__xml_says(xml->open[1], "asset")) {
            status = read_mesh(file, meshes);
        }
        if (status != SNW_OK) return status;
    }
    for (int m = 0; m < meshes->count; m++)
        meshes->mesh[m].folder = folder;
    return status;
}

/* As many as the file can have joints. */
static int room_of(const snw__mjcf *file)
{
    return file->robot.mesh_count < SNW_JOINT_MAX ? (int)file->robot.mesh_count : SNW_JOINT_MAX;
}

snw_status snw__mjcf_meshes_read(snw__mjcf *file, snw__mjcf_meshes *meshes)
{
    const snw_allocator *allocator = &file->reading->allocator;
    int room = room_of(file);
    memset(meshes, 0, sizeof *meshes);
    if (room == 0) return SNW_OK;
    snw_status status = snw__name_set_create(&meshes->names, room, allocator, file->reading->error);
    if (status != SNW_OK) return status;
    meshes->mesh = snw__allocate(allocator, (size_t)room * sizeof *meshes->mesh);
    if (meshes->mesh) return read_meshes(file, meshes, room);
    return snw__fail_memory(file->reading->error, (size_t)room * sizeof *meshes->mesh,
                            "the names of meshes");
}

void snw__mjcf_meshes_release(snw__mjcf *file, snw__mjcf_meshes *meshes)
{
    snw__name_set_release(&meshes->names);
    snw__release(&file->reading->allocator, meshes->mesh,
                 (size_t)room_of(file) * sizeof *meshes->mesh);
}

const snw__shape_mesh *snw__mjcf_meshes_find(const snw__mjcf_meshes *meshes, snw__span name)
{
    int index =
        meshes->count ? snw__name_set_find(&meshes->names, name.at, snw__span_length(name)) : -1;
    return index < 0 ? NULL : &meshes->mesh[index];
}
