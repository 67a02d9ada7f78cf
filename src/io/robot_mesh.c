/* Meshes among the collision shapes of a robot, as hulls round them.
 *
 * MJCF names files from a folder of its own, URDF by packages: "package://NAME/rest" lies in a
 * folder NAME beside the description or beside one of the folders above it, or is `rest` there. */
#include <string.h>

#include "base/fail.h"
#include "io/robot_shapes.h"

enum {
    MESH_POINTS = 64, /* corners of a hull: the answer to how far is then a microsecond or two */
    MESH_FOLDERS = 5, /* above the description: published packages have it at most three deep */
    MESH_PATH_SIZE = 4096
};

/* What follows a scheme, or the whole; *is_package: it begins with the name of one. */
static const char *without_scheme(const char *name, bool *is_package)
{
    static const char *const scheme[] = {"package://", "model://", "file://"};
    *is_package = false;
    for (int s = 0; s < 3; s++) {
        size_t length = strlen(scheme[s]);
        if (strncmp(name, scheme[s], length) != 0) continue;
        *is_package = s < 2;
        return name + length;
    }
    return name;
}

/* Where the file may lie, `attempt` from 0 on; false when there is no other place. */
static bool find_path(const char *main_path, const char *name, int attempt,
                      char path[MESH_PATH_SIZE])
{
    bool is_package;
    const char *rest = without_scheme(name, &is_package), *slash = strrchr(main_path, '/');
    char up[3 * MESH_FOLDERS + 1] = "";
    if (attempt >= (is_package ? 2 * MESH_FOLDERS : 1)) return false;
    for (int k = 0; k < attempt / 2; k++)
        memcpy(up + 3 * (size_t)k, "../", 4);
    if (attempt % 2 && strchr(rest, '/')) rest = strchr(rest, '/') + 1;
    bool is_absolute = !is_package && rest[0] == '/';
    int folder = slash && !is_absolute ? (int)(slash - main_path) + 1 : 0;
    int length = snw_format(path, MESH_PATH_SIZE, "%.*s%s%s", folder, main_path, up, rest);
    return length > 0 && length < MESH_PATH_SIZE;
}

/* NULL where it is nowhere, or holds no mesh. */
static snw_status read_mesh(const snw__shapes *shapes, const char *name, snw_mesh **mesh)
{
    const snw__include *files = shapes->files;
    char path[MESH_PATH_SIZE];
    snw_source source;
    *mesh = NULL;
    for (int attempt = 0; find_path(files->main_path, name, attempt, path); attempt++) {
        snw_error missing = snw_error_none();
        snw_status status = files->open(files->context, path, &source, &missing);
        if (status == SNW_OUT_OF_MEMORY)
            return snw__fail(shapes->error, status, "%s", missing.message);
        if (status != SNW_OK) continue;
        if (source.seek && snw_format_reads_mesh(snw_detect_format(&source)))
            status = snw_read_mesh(&source, NULL, shapes->allocator, mesh, NULL, shapes->error);
        files->close(files->context, &source);
        return status;
    }
    return SNW_OK;
}

/* Into what is left of the list's room for corners. */
static snw_status put_hull(const snw__shapes *shapes, const snw__shape_mesh *mesh,
                           snw_mesh *surface)
{
    snw_shape_list *list = shapes->list;
    int count = surface->count.vertex_count, left = list->point_room - list->point_count;
    for (int v = 0; v < count; v++) {
        snw_vec3 at = snw_xform_point(mesh->own, surface->vertex[v]);
        at = snw_vec3_make(at.x * mesh->scale[0], at.y * mesh->scale[1], at.z * mesh->scale[2]);
        surface->vertex[v] = snw_xform_point(mesh->place, at);
    }
    snw_shape hull = snw_shape_hull_around(surface->vertex, count, list->point + list->point_count,
                                           left < MESH_POINTS ? left : MESH_POINTS);
    if (snw_shape_check(&hull, NULL) != SNW_OK)
        return snw__fail(shapes->error, SNW_FORMAT,
                         "a mesh among the collision shapes is scaled beyond all numbers");
    list->point_count += hull.point_count;
    snw__shapes_put(list, mesh->joint, snw_xform_identity(), hull);
    return SNW_OK;
}

snw_status snw__shapes_put_mesh(const snw__shapes *shapes, const snw__shape_mesh *mesh)
{
    snw_shape_list *list = shapes->list;
    char folder[SNW__NAME_SIZE], file[SNW__NAME_SIZE], name[2 * SNW__NAME_SIZE];
    snw_mesh *surface = NULL;
    snw_status status = SNW_OK;
    snw__xml_copy(mesh->folder, folder);
    snw__xml_copy(mesh->file, file);
    bool is_whole = file[0] == '/' || folder[0] == 0;
    snw_format(name, sizeof name, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", file);
    bool has_room = list->point && list->count < list->room && list->point_count < list->point_room;
    if (shapes->files && has_room && file[0]) status = read_mesh(shapes, name, &surface);
    if (surface && surface->count.vertex_count > 0)
        status = put_hull(shapes, mesh, surface);
    else if (status == SNW_OK)
        list->left_out++;
    snw_mesh_destroy(surface);
    return status;
}
