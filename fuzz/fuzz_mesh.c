/* Any bytes as a mesh: what is read is checked, repaired, weighed and cut without a fault, and what
 * is written comes back with the same triangles. */
#include "fuzz_text.h"

static snw_mesh *read_mesh(const uint8_t *data, size_t size, const snw_allocator *allocator)
{
    snw_memory_source memory;
    snw_source source = snw_source_from_memory(&memory, data, size);
    snw_notes notes = snw_notes_none();
    snw_mesh *mesh = NULL;
    snw_error error;
    double start = text_seconds();
    snw_status status = snw_read_mesh(&source, NULL, allocator, &mesh, &notes, &error);
    text_check_time(start, size);
    text_check_outcome(status, &error, mesh);
    return mesh;
}

static void check_again(const snw_mesh *mesh, snw_format_kind kind)
{
    snw_memory_sink bytes;
    snw_sink sink = snw_sink_to_memory(&bytes, NULL);
    snw_error error;
    if (snw_write_mesh(mesh, kind, NULL, &sink, &error) == SNW_OK &&
        (mesh->count.vertex_count || kind != SNW_FORMAT_OBJ)) {
        snw_mesh *again = read_mesh(bytes.bytes, bytes.size, NULL);
        if (!again) abort();
        if (again->count.triangle_count != mesh->count.triangle_count) abort();
        snw_mesh_destroy(again);
    } else if (!error.message[0] && mesh->count.vertex_count) {
        abort();
    }
    snw_memory_sink_release(&bytes);
}

/* Tetrahedra of anything that calls itself closed: none turned, or a sentence. */
static void fill(const snw_mesh *mesh)
{
    snw_tetrahedra_options options = snw_tetrahedra_options_default();
    snw_mesh_report report;
    options.cells = 8;
    for (int way = 0; way < 2; way++) {
        snw_mesh *solid = NULL;
        snw_error error;
        options.way = (snw_tetrahedra_way)way;
        snw_status status = snw_mesh_tetrahedra(mesh, &options, NULL, &solid, NULL, &error);
        if (status != SNW_OK && (!error.message[0] || solid)) abort();
        if (status == SNW_OK && snw_mesh_check(solid, NULL, &report, NULL) != SNW_OK) abort();
        if (status == SNW_OK && report.turned_tetrahedron_count) abort();
        snw_mesh_destroy(solid);
    }
}

/* The hull of a few corners, with its radius, reaches as far as the mesh. */
static void surround(const snw_mesh *mesh)
{
    snw_vec3 kept[8], low, high;
    int count = mesh->count.vertex_count < 500 ? mesh->count.vertex_count : 500;
    snw_mesh_box(mesh, &low, &high);
    snw_shape hull = snw_shape_hull_around(mesh->vertex, count, kept, 8);
    double size = snw_vec3_length(low) + snw_vec3_length(high);
    if (count > 0 && (hull.point_count < 1 || hull.point_count > 8)) abort();
    for (int v = 0; v < count && size < 1e50; v++) {
        double reach = -INFINITY;
        for (int k = 0; k < hull.point_count; k++)
            reach = fmax(reach, kept[k].x + 2 * kept[k].y - kept[k].z);
        snw_vec3 at = mesh->vertex[v];
        if (at.x + 2 * at.y - at.z > reach + 2.5 * hull.radius + 1e-6 * size) abort();
    }
}

/* On a chain of three joints: weights sum to 1. */
static void tie(const snw_mesh *mesh)
{
    snw_skeleton *chain = NULL;
    snw_skin *skin = NULL;
    if (snw_preset_chain(3, 0.5, NULL, &chain, NULL) != SNW_OK) abort();
    if (snw_skin_create(mesh, chain, NULL, NULL, &skin, NULL) == SNW_OK)
        for (int v = 0; v < mesh->count.vertex_count; v++) {
            double sum = 0;
            for (int k = 0; k < SNW_SKIN_JOINTS; k++)
                sum += (double)skin->vertex[v].weight[k];
            if (!(fabs(sum - 1) < 1e-5)) abort();
        }
    snw_skin_destroy(skin);
    snw_skeleton_destroy(chain);
}

static void use(const snw_mesh *mesh)
{
    if (mesh->count.triangle_count < 200) tie(mesh);
    surround(mesh);
    if (mesh->count.triangle_count < 60) fill(mesh);
    snw_mesh_report report;
    snw_mass_properties mass;
    snw_mesh *other = NULL;
    snw_section *section = NULL;
    if (snw_mesh_check(mesh, NULL, &report, NULL) != SNW_OK) abort();
    if (report.boundary_edge_count < 0 || report.shell_count > mesh->count.triangle_count) abort();
    if (snw_mesh_mass(mesh, NULL, &mass, NULL) == SNW_OK && !(mass.mass > 0)) abort();
    if (snw_mesh_repair(mesh, NULL, NULL, &other, NULL, NULL) != SNW_OK) abort();
    snw_mesh_destroy(other);
    if (snw_mesh_boundary(mesh, NULL, &other, NULL) == SNW_OK) snw_mesh_destroy(other);
    if (snw_mesh_section(mesh, snw_vec3_make(1, 2, 3), 0.1, NULL, &section, NULL) == SNW_OK)
        snw_section_destroy(section);
    snw_mesh_halves halves;
    if (snw_mesh_split(mesh, snw_vec3_make(1, 2, 3), 0.1, NULL, &halves, NULL) == SNW_OK) {
        snw_mesh *half[2] = {halves.front, halves.back};
        /* What was closed stays closed. */
        for (int n = 0; n < 2; n++) {
            if (snw_mesh_check(half[n], NULL, &report, NULL) != SNW_OK) abort();
            if (report.boundary_edge_count) abort();
            snw_mesh_destroy(half[n]);
        }
    }
    check_again(mesh, SNW_FORMAT_MEDIT);
    check_again(mesh, SNW_FORMAT_MEDITB);
    if (!mesh->count.tetrahedron_count) check_again(mesh, SNW_FORMAT_PLY);
    if (!mesh->count.tetrahedron_count) check_again(mesh, SNW_FORMAT_OBJ);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text_memory memory = text_memory_for(size);
    snw_allocator allocator = {text_allocate, text_release, &memory};
    snw_mesh *mesh = read_mesh(data, size, &allocator);
    if (mesh && mesh->count.triangle_count < 2000) use(mesh);
    snw_mesh_destroy(mesh);
    if (memory.live) abort();
    return 0;
}
