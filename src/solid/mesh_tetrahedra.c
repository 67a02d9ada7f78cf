/* A closed surface as tetrahedra: what is asked before, and how far the answer is from it. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solid/mesh_edges.h"
#include "solid/mesh_solid.h"
#include "solid/mesh_tree.h"

snw_tetrahedra_options snw_tetrahedra_options_default(void)
{
    snw_tetrahedra_options options;
    memset(&options, 0, sizeof options);
    options.way = SNW_TETRAHEDRA_LATTICE;
    options.cells = 40;
    return options;
}

/* The largest distance of a mesh's vertices and middles of triangles from the tree's surface. */
static double largest_distance(const snw__mesh_tree *tree, const snw_mesh *mesh)
{
    double largest = 0;
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        const int *c = mesh->triangle[t];
        snw_vec3 sum = snw_vec3_make(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            sum = snw_vec3_add(sum, mesh->vertex[c[k]]);
            largest = fmax(largest, snw__mesh_tree_distance(tree, mesh->vertex[c[k]]));
        }
        largest = fmax(largest, snw__mesh_tree_distance(tree, snw_vec3_scale(sum, 1.0 / 3)));
    }
    return largest;
}

/* Both ways: what the tetrahedra lack, and where they stand out. */
static snw_status find_distance(const snw_mesh *surface, const snw_mesh *solid,
                                const snw_allocator *from, double *out, snw_error *error)
{
    snw_mesh *boundary = NULL;
    snw__mesh_tree tree;
    double there = 0;
    snw_status status = snw_mesh_boundary(solid, from, &boundary, error);
    if (status == SNW_OK) status = snw__mesh_tree_create(surface, from, &tree, error);
    if (status == SNW_OK) {
        there = largest_distance(&tree, boundary);
        snw__mesh_tree_release(&tree);
        status = snw__mesh_tree_create(boundary, from, &tree, error);
    }
    if (status == SNW_OK) {
        *out = fmax(there, largest_distance(&tree, surface));
        snw__mesh_tree_release(&tree);
    }
    snw_mesh_destroy(boundary);
    return status;
}

snw_status snw_mesh_tetrahedra(const snw_mesh *surface, const snw_tetrahedra_options *options,
                               const snw_allocator *allocator, snw_mesh **out,
                               snw_tetrahedra_report *report, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_tetrahedra_options how =
        SNW__WANTS_DEFAULTS(options) ? snw_tetrahedra_options_default() : *options;
    snw_allocator from = snw__allocator_or_default(allocator);
    const snw__bounds bounds[] = {
        {"cell of the tetrahedra", how.cell, 0, 1e9},
        {"cells of the tetrahedra", how.cells, 2, 1e6},
        {"way of the tetrahedra", (double)how.way, 0, SNW_TETRAHEDRA_CENTRAL},
    };
    snw_mesh_report faults;
    snw_status status = snw__check_bounds(bounds, 3, error);
    if (status == SNW_OK) status = snw_mesh_check(surface, &from, &faults, error);
    if (status != SNW_OK) return status;
    /* What the surface goes round once or more is inside for the lattice, crossings or not. */
    bool is_cut = how.way == SNW_TETRAHEDRA_CENTRAL && faults.crossing_count;
    if (!faults.is_turned_right || is_cut)
        return snw__fail(
            error, SNW_DEGENERATE,
            "tetrahedra fill a closed surface that is turned right: this one %s (sinew "
            "mesh info says where)",
            !faults.is_closed ? "is open"
            : is_cut          ? "cuts itself"
                              : "is turned wrong");
    snw_vec3 low, high;
    snw_mesh_box(surface, &low, &high);
    double cell = how.cell > 0 ? how.cell : snw_vec3_distance(low, high) / how.cells;
    snw_mesh *solid = NULL;
    status = how.way == SNW_TETRAHEDRA_CENTRAL
                 ? snw__mesh_insert_central(surface, &from, &solid, error)
                 : snw__mesh_stuff(surface, cell, &from, &solid, error);
    if (status == SNW_OK && report) {
        *report = (snw_tetrahedra_report){.cell = how.way == SNW_TETRAHEDRA_LATTICE ? cell : 0,
                                          .surface_volume = faults.volume};
        report->inserted_count = how.way == SNW_TETRAHEDRA_CENTRAL
                                     ? solid->count.vertex_count - surface->count.vertex_count
                                     : 0;
        status = find_distance(surface, solid, &from, &report->distance, error);
    }
    if (status != SNW_OK) {
        snw_mesh_destroy(solid);
        return status;
    }
    *out = solid;
    return snw__succeed(error);
}
