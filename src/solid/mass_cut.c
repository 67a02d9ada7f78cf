/* What the parts of a solid weigh that planes cut it into, exactly: every signed tetrahedron of the
 * solid (mass.c) is cut along its edges until none of them crosses a plane, and the pieces are
 * summed by part. Nothing needs to be sewn up, and the parts add up to the whole. */
#include <math.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"
#include "solid/mass_sums.h"
#include "solid/mesh_edges.h"

enum {
    CUT_PARTS = SNW_MASS_PART_MAX
};

typedef struct cut_job {
    const snw_mass_cuts *cuts;
    const snw_mass_options *how;
    snw_vec3 origin;
    double near; /* as far from a plane as round-off puts a corner that lies in it */
    snw__mass_sums sums[CUT_PARTS];
} cut_job;

typedef struct cut_piece {
    snw_vec3 corner[4]; /* from the origin */
    double density[4];
} cut_piece;

static void add_piece(cut_job *job, int part, const cut_piece *piece)
{
    const double *of_part = job->cuts->density;
    double density[4];
    for (int k = 0; k < 4; k++)
        density[k] = of_part ? of_part[part] : piece->density[k];
    snw__mass_add_tetrahedron(job->sums + part, piece->corner, density);
}

/* The same piece with corner `from` where the edge to `to` crosses. */
static cut_piece shortened(const cut_piece *piece, int from, int to, double share)
{
    cut_piece out = *piece;
    out.corner[from] = snw_vec3_lerp(piece->corner[from], piece->corner[to], share);
    out.density[from] += share * (piece->density[to] - piece->density[from]);
    return out;
}

static void cut_into(cut_job *job, int at, cut_piece piece)
{
    while (at >= 0) {
        const snw_mass_cut *cut = job->cuts->cut + at;
        double offset = cut->offset - snw_vec3_dot(cut->normal, job->origin);
        double height[4];
        int front = 0, back = 0;
        for (int k = 0; k < 4; k++) {
            height[k] = snw_vec3_dot(cut->normal, piece.corner[k]) - offset;
            if (height[k] > height[front]) front = k;
            if (height[k] < height[back]) back = k;
        }
        if (height[front] > job->near && height[back] < -job->near) {
            /* The new corner lies in the plane, so that each half has an edge less that crosses. */
            double share = height[front] / (height[front] - height[back]);
            cut_into(job, at, shortened(&piece, front, back, share));
            piece = shortened(&piece, back, front, 1 - share);
        } else {
            at = height[front] > -height[back] ? cut->front : cut->back;
        }
    }
    add_piece(job, -1 - at, &piece);
}

static snw_status check_cuts(const snw_mass_cuts *cuts, snw_error *error)
{
    if (cuts->part_count < 1 || cuts->part_count > CUT_PARTS || cuts->cut_count < 0)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "%d cuts into %d parts: 1 to %d can be",
                         cuts->cut_count, cuts->part_count, CUT_PARTS);
    for (int n = 0; n < cuts->cut_count; n++) {
        const snw_mass_cut *cut = cuts->cut + n;
        double length = snw_vec3_length(cut->normal);
        if (!(fabs(length - 1) < SNW__SAME) || !isfinite(cut->offset))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the normal of cut %d is %g long, not 1, or its offset is not finite",
                             n, length);
        const int next[2] = {cut->front, cut->back};
        for (int k = 0; k < 2; k++)
            if (next[k] >= cuts->cut_count || (next[k] >= 0 && next[k] <= n) ||
                next[k] < -cuts->part_count)
                return snw__fail(error, SNW_INVALID_ARGUMENT,
                                 "cut %d leads to %d, neither a later cut nor a part", n, next[k]);
    }
    for (int n = 0; cuts->density && n < cuts->part_count; n++)
        if (!(cuts->density[n] >= 0 && cuts->density[n] < 1e30))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "the density of part %d is %g kg/m3, not 0 or above", n,
                             cuts->density[n]);
    return SNW_OK;
}

/* A tetrahedron with the mesh's corners, or with the origin as its first. */
static void cut_element(cut_job *job, const snw_mesh *mesh, const int *corner, int count,
                        int reference)
{
    cut_piece piece = {{{0, 0, 0}}, {0}};
    double base = snw__mass_density_of(job->how, reference);
    for (int k = 0; k < 4; k++) {
        int own = k - (4 - count);
        snw_vec3 place = own < 0 ? job->origin : mesh->vertex[corner[own]];
        piece.corner[k] = snw_vec3_sub(place, job->origin);
        piece.density[k] = snw__mass_density_at(job->how, base, place);
    }
    cut_into(job, job->cuts->cut_count ? 0 : -1, piece);
}

snw_status snw_mesh_mass_cut(const snw_mesh *mesh, const snw_mass_options *options,
                             const snw_mass_cuts *cuts, snw_mass_properties *out, snw_error *error)
{
    if (!out || !cuts) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or cuts is NULL");
    cut_job job;
    snw_mass_options how = SNW__WANTS_DEFAULTS(options) ? snw_mass_options_default() : *options;
    snw_mass_properties whole;
    snw_status status = check_cuts(cuts, error);
    if (status == SNW_OK && cuts->density && snw_vec3_length2(how.gradient) > 0)
        status = snw__fail(error, SNW_INVALID_ARGUMENT,
                           "a gradient and densities of the parts exclude each other");
    /* It finds what is wrong with mesh, density and options. */
    if (status == SNW_OK) status = snw_mesh_mass(mesh, &how, &whole, error);
    if (status != SNW_OK) return status;
    snw_vec3 low, high;
    snw_mesh_box(mesh, &low, &high);
    job.cuts = cuts;
    job.how = &how;
    job.origin = snw_vec3_lerp(low, high, 0.5);
    job.near = SNW__SAME * snw_vec3_distance(low, high);
    memset(out, 0, (size_t)cuts->part_count * sizeof *out);
    memset(job.sums, 0, sizeof job.sums);
    bool by_tetrahedra = how.way == SNW_MASS_TETRAHEDRA ||
                         (how.way == SNW_MASS_AUTO && mesh->count.tetrahedron_count);
    for (int t = 0; by_tetrahedra && t < mesh->count.tetrahedron_count; t++) {
        int corner[4];
        memcpy(corner, mesh->tetrahedron[t], sizeof corner);
        if (snw__tetrahedron_volume6(mesh, t) < 0) {
            corner[2] = mesh->tetrahedron[t][3];
            corner[3] = mesh->tetrahedron[t][2];
        }
        cut_element(&job, mesh, corner, 4, mesh->tetrahedron_reference[t]);
    }
    for (int t = 0; !by_tetrahedra && t < mesh->count.triangle_count; t++)
        cut_element(&job, mesh, mesh->triangle[t], 3, mesh->triangle_reference[t]);
    /* A part without volume stays all 0: a plane may pass beside the solid. */
    for (int n = 0; n < cuts->part_count && status == SNW_OK; n++)
        if (job.sums[n].volume > SNW__SAME * whole.volume)
            status = snw__mass_finish(job.sums + n, job.origin, out + n, error);
    return status == SNW_OK ? snw__succeed(error) : status;
}
