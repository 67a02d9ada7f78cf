/* Meshes in and out for the commands on bodies. */
#include <string.h>

#include "shape/shape.h"

#include "input.h"
#include "output.h"

snw_mesh *cli_read_mesh(const cli_arguments *arguments, const char *path)
{
    snw_read_options options;
    snw_mesh *mesh = NULL;
    static snw_notes notes; /* 19 kB: not on a stack */
    memset(&notes, 0, sizeof notes);
    snw_error error;
    if (!cli_read_options(arguments, &options)) return NULL;
    if (snw_read_mesh_file(path, &options, NULL, &mesh, &notes, &error) != SNW_OK) {
        cli_fail(arguments, "%s", error.message);
        return NULL;
    }
    cli_print_notes(arguments, &notes);
    return mesh;
}

int cli_write_mesh(const cli_arguments *arguments, const char *path, const snw_mesh *mesh)
{
    snw_format_kind kind = snw_format_from_name(path);
    if (!snw_format_writes_mesh(kind))
        return cli_fail(arguments,
                        "%s: a mesh is written as .mesh, .meshb, .ply, .stl, .obj or .glb", path);
    bool holds_all = kind == SNW_FORMAT_MEDIT || kind == SNW_FORMAT_MEDITB;
    snw_mesh *surface = NULL;
    snw_error error;
    if (!holds_all && mesh->count.tetrahedron_count && !mesh->count.triangle_count) {
        if (snw_mesh_boundary(mesh, NULL, &surface, &error) != SNW_OK)
            return cli_fail(arguments, "%s", error.message);
        cli_note(arguments, "%s has no tetrahedra: their surface is written",
                 snw_format_name(kind));
        mesh = surface;
    }
    snw_status status =
        snw_write_mesh_file(path, cli_flag(arguments, "--force"), mesh, NULL, &error);
    snw_mesh_destroy(surface);
    return status == SNW_OK ? CLI_DONE : cli_fail_writing(arguments, &error);
}
