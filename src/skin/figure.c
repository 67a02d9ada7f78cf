/* A person's surface: the function of space of figure_shape.c, made so thick that every part has
 * the mass of the table, and then meshed by surface nets (Gibson 1998): one vertex in each cell of
 * a grid that the surface passes through, at the mean of the crossings of its edges, and a square
 * round each edge that crosses. */
#include <math.h>
#include <string.h>

#include <sinew/skin.h>

#include "base/fail.h"
#include "base/memory.h"
#include "skin/figure_shape.h"
#include "solid/mesh_edges.h"

snw_figure_options snw_figure_options_default(void)
{
    snw_figure_options options;
    memset(&options, 0, sizeof options);
    return options;
}

typedef struct figure_job {
    snw_figure_options how;
    snw_allocator from;
    snw__figure_shape shape;
    snw_figure_report report;
    snw__figure_plan plan;
    double thick[SNW_SIDES][SNW_PART_COUNT]; /* of the middle both alike */
    double share[SNW_SIDES]
                [SNW_PART_COUNT]; /* of what the grid counts that the mesh has: thin fingers lose */
    double unit;     /* metres: by which grids are measured; of a person, the stature */
    bool has_girths; /* are met: the parts that they are of keep their thickness */
} figure_job;

/* ---- the grid
 * --------------------------------------------------------------------------------------- */

typedef struct figure_grid {
    snw_vec3 low;
    double cell;
    int size[3];     /* points along x, y, z */
    float *distance; /* (points) */
    int *vertex;     /* (points) of the cell whose low corner it is, or -1 */
} figure_grid;

static void lay_out(void *object, snw__block *block)
{
    figure_grid *grid = (figure_grid *)object;
    size_t points = (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)grid->size[2];
    grid->distance = (float *)snw__block_take(block, points, sizeof(float));
    grid->vertex = (int *)snw__block_take(block, points, sizeof(int));
}

static snw_vec3 grid_point(const figure_grid *grid, int i, int j, int k)
{
    return snw_vec3_add_scaled(grid->low, grid->cell, snw_vec3_make(i, j, k));
}

static size_t grid_at(const figure_grid *grid, int i, int j, int k)
{
    return ((size_t)k * (size_t)grid->size[1] + (size_t)j) * (size_t)grid->size[0] + (size_t)i;
}

/* Points that were farther than `far` from the surface keep what they had: a part made thicker or
 * thinner does not come so far. */
static void fill_grid(figure_grid *grid, const snw__figure_shape *shape, float far)
{
    for (int k = 0; k < grid->size[2]; k++)
        for (int j = 0; j < grid->size[1]; j++)
            for (int i = 0; i < grid->size[0]; i++) {
                float *distance = grid->distance + grid_at(grid, i, j, k);
                if (fabsf(*distance) > far) continue;
                *distance = (float)snw__figure_distance(shape, grid_point(grid, i, j, k));
            }
}

/* ---- as thick as the table says
 * ------------------------------------------------------------------------ */

/* Adds `volume` of the cell round a point: to the part of its middle, or shared out by 27 points
 * where a plane between parts goes through it. */
static void weigh_cell(const snw__figure_plan *plan, snw_vec3 point, double cell, double volume,
                       double sum[SNW_PART_COUNT][SNW_SIDES + 1])
{
    snw_side side, other;
    snw_part part = snw__figure_part(plan, point, &side);
    bool is_whole = true;
    for (int n = 0; n < 8 && is_whole; n++) {
        snw_vec3 corner = snw_vec3_add_scaled(
            point, cell / 2, snw_vec3_make(n & 1 ? 1 : -1, n & 2 ? 1 : -1, n & 4 ? 1 : -1));
        is_whole = snw__figure_part(plan, corner, &other) == part && other == side;
    }
    if (is_whole) {
        sum[part][side] += volume;
        return;
    }
    for (int n = 0; n < 27; n++) {
        snw_vec3 at = snw_vec3_add_scaled(point, cell / 3,
                                          snw_vec3_make(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1));
        part = snw__figure_part(plan, at, &side);
        sum[part][side] += volume / 27;
    }
}

/* Volumes by part: a cell counts by how deep its middle lies. */
static void weigh_grid(const figure_grid *grid, const snw__figure_plan *plan,
                       double volume[SNW_PART_COUNT][SNW_SIDES + 1])
{
    double cell = grid->cell, whole = cell * cell * cell;
    memset(volume, 0, SNW_PART_COUNT * sizeof *volume);
    for (int k = 0; k < grid->size[2]; k++)
        for (int j = 0; j < grid->size[1]; j++)
            for (int i = 0; i < grid->size[0]; i++) {
                double d = (double)grid->distance[grid_at(grid, i, j, k)];
                if (!(d < cell / 2)) continue;
                weigh_cell(plan, grid_point(grid, i, j, k), cell,
                           whole * snw_clamp(0.5 - d / cell, 0, 1), volume);
            }
}

/* All that the grid counts. */
static double volume_of(const figure_grid *grid, const snw__figure_plan *plan)
{
    double part[SNW_PART_COUNT][SNW_SIDES + 1], sum = 0;
    weigh_grid(grid, plan, part);
    for (int n = 0; n < SNW_PART_COUNT * (SNW_SIDES + 1); n++)
        sum += part[n / (SNW_SIDES + 1)][n % (SNW_SIDES + 1)];
    return sum;
}

static const snw_part figure_parts[] = {SNW_PART_HIPS,  SNW_PART_CHEST,   SNW_PART_HEAD,
                                        SNW_PART_ARM,   SNW_PART_FOREARM, SNW_PART_HAND,
                                        SNW_PART_UPLEG, SNW_PART_LEG,     SNW_PART_FOOT};
enum {
    FIGURE_PARTS = sizeof figure_parts / sizeof *figure_parts,
    /* Each takes away two thirds of what is left of the error; the last ones on the finer grid. */
    FIGURE_ROUNDS = 8,
    FIGURE_FINE_ROUNDS = 2
};

static bool has_part(const snw__figure_plan *plan, snw_part part)
{
    return !plan->is_hand || part == SNW_PART_HAND;
}

static double table_mass(const snw_figure_report *report, snw_people people, snw_part part)
{
    snw_segment_size size;
    (void)snw_segment_size_of(people, part, &size);
    return size.mass * report->mass;
}

/* A tape that is far from the figure is a mistake, or of somebody else. */
static snw_status check_girths(figure_job *job, snw_error *error)
{
    for (int n = 0; n < SNW_GIRTH_COUNT; n++) {
        double wanted = job->how.girth[n], own;
        if (!(wanted > 0)) continue;
        if (job->plan.is_hand)
            return snw__fail(error, SNW_INVALID_ARGUMENT, "a hand alone has no girth of the %s",
                             snw_girth_name((snw_girth)n));
        own = snw__figure_girth(&job->shape, (snw_girth)n);
        if (!(wanted > own / 2 && wanted < own * 2))
            return snw__fail(error, SNW_INVALID_ARGUMENT,
                             "a girth of the %s of %g m is not between half and twice that of "
                             "the figure, %.3f m",
                             snw_girth_name((snw_girth)n), wanted, own);
        job->has_girths = true;
    }
    return SNW_OK;
}

/* As thick as was measured: each girth by its own factor, again and again, for they lie in one
 * another's flesh. */
static void meet_girths(figure_job *job)
{
    snw__figure_plan *plan = &job->plan;
    for (int round = 0; round < FIGURE_ROUNDS; round++)
        for (int n = 0; n < SNW_GIRTH_COUNT; n++) {
            double wanted = job->how.girth[n];
            if (!(wanted > 0)) continue;
            double own = snw__figure_girth(&job->shape, (snw_girth)n);
            plan->girth[n] = snw_clamp(plan->girth[n] * wanted / own, 0.3, 3);
            snw__figure_shape_make(&job->shape, plan, job->thick);
        }
}

/* Thickness of each part so that both sides have their mass. The sum of a table's shares may differ
 * from 1 by rounding: the body's mass then does too. */
static void find_thickness(figure_grid *grid, figure_job *job, int rounds)
{
    snw__figure_shape *shape = &job->shape;
    const snw_figure_report *report = &job->report;
    double volume[SNW_PART_COUNT][SNW_SIDES + 1];
    for (int round = 0; round < rounds; round++) {
        fill_grid(grid, shape, (float)(0.08 * job->unit));
        weigh_grid(grid, &job->plan, volume);
        for (int n = 0; n < FIGURE_PARTS; n++) {
            snw_part part = figure_parts[n];
            if (!has_part(&job->plan, part)) continue;
            if (snw__figure_is_measured(&job->how, part) && job->has_girths) continue;
            for (int side = 0; side < SNW_SIDES; side++) {
                double *thick = &job->thick[side][part];
                double wanted = table_mass(report, job->how.people, part) / snw_part_density(part) /
                                job->share[side][part];
                double is = volume[part][snw_part_is_paired(part) ? side : SNW_SIDE_NONE];
                double ratio = snw_clamp(wanted / fmax(is, 1e-9), 0.5, 2);
                /* Area goes with the square; a little less, for parts hang together. */
                *thick = snw_clamp(*thick * sqrt(sqrt(ratio) * sqrt(sqrt(ratio))), 0.4, 2.5);
            }
        }
        snw__figure_shape_make(shape, &job->plan, job->thick);
    }
    if (job->has_girths) meet_girths(job);
}

/* ---- surface nets
 * --------------------------------------------------------------------------------------- */

/* A square of four points of which two on a diagonal are inside would give an edge four triangles:
 * the outer one that is nearer to the surface is taken as inside. Returns whether it was so. */
static bool settle_square(float *a, float *b, float *c, float *d)
{
    bool first = *a < 0, second = *b < 0;
    if (first == second || (*d < 0) != first || (*c < 0) != second) return false;
    float *one = first ? b : a, *two = first ? c : d;
    *(*one < *two ? one : two) = -1e-6f;
    return true;
}

/* The mean of the crossings of a cell's twelve edges; false where none crosses. */
static bool cell_vertex(const figure_grid *grid, int i, int j, int k, snw_vec3 *place)
{
    float d[8];
    int inside = 0, crossings = 0;
    snw_vec3 sum = {0, 0, 0};
    for (int c = 0; c < 8; c++) {
        d[c] = grid->distance[grid_at(grid, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))];
        inside += d[c] < 0;
    }
    if (inside == 0 || inside == 8) return false;
    for (int c = 0; c < 8; c++)
        for (int axis = 0; axis < 3; axis++) {
            int other = c | 1 << axis;
            if (other == c || (d[c] < 0) == (d[other] < 0)) continue;
            double share = (double)d[c] / ((double)d[c] - (double)d[other]);
            snw_vec3 p = snw_vec3_make(c & 1, c >> 1 & 1, c >> 2);
            snw_vec3 q = snw_vec3_make(other & 1, other >> 1 & 1, other >> 2);
            sum = snw_vec3_add(sum, snw_vec3_lerp(p, q, share));
            crossings++;
        }
    *place = snw_vec3_add(grid_point(grid, i, j, k), snw_vec3_scale(sum, grid->cell / crossings));
    return true;
}

static int place_vertices(figure_grid *grid, snw_mesh *mesh)
{
    int count = 0;
    for (int k = 0; k + 1 < grid->size[2]; k++)
        for (int j = 0; j + 1 < grid->size[1]; j++)
            for (int i = 0; i + 1 < grid->size[0]; i++) {
                snw_vec3 place;
                bool is_there = cell_vertex(grid, i, j, k, &place);
                grid->vertex[grid_at(grid, i, j, k)] = is_there ? count : -1;
                if (is_there && mesh) mesh->vertex[count] = place;
                count += is_there;
            }
    return count;
}

static int place_triangles(const figure_grid *grid, snw_mesh *mesh)
{
    int count = 0;
    for (int k = 1; k + 1 < grid->size[2]; k++)
        for (int j = 1; j + 1 < grid->size[1]; j++)
            for (int i = 1; i + 1 < grid->size[0]; i++)
                for (int axis = 0; axis < 3; axis++) {
                    const int at[3] = {i, j, k};
                    float from = grid->distance[grid_at(grid, i, j, k)];
                    float to = grid->distance[grid_at(grid, i + (axis == 0), j + (axis == 1),
                                                      k + (axis == 2))];
                    if ((from < 0) != (to < 0)) {
                        /* The four cells round the edge from (i, j, k) along `axis`; two triangles
                         * by the shorter diagonal. */
                        bool is_turned = to < 0;
                        int a = (axis + 1) % 3, b = (axis + 2) % 3, corner[4];
                        for (int n = 0; n < 4; n++) {
                            int cell[3] = {at[0], at[1], at[2]};
                            cell[a] -= n == 1 || n == 2;
                            cell[b] -= n >= 2;
                            corner[n] = grid->vertex[grid_at(grid, cell[0], cell[1], cell[2])];
                        }
                        if (mesh) {
                            const snw_vec3 *p = mesh->vertex;
                            bool is_other = snw_vec3_distance(p[corner[0]], p[corner[2]]) >
                                            snw_vec3_distance(p[corner[1]], p[corner[3]]);
                            for (int t = 0; t < 2; t++)
                                for (int n = 0; n < 3; n++) {
                                    int which = 2 * t + (is_turned ? 4 - n : n);
                                    mesh->triangle[count + t][n] = corner[(which + is_other) % 4];
                                }
                        }
                        count += 2;
                    }
                }
    return count;
}

static snw_status make_mesh(figure_grid *grid, const snw__figure_plan *plan,
                            const snw_allocator *allocator, snw_mesh **out, snw_error *error)
{
    snw_mesh_counts counts = {place_vertices(grid, NULL), 0, place_triangles(grid, NULL), 0};
    snw_status status = snw_mesh_create(&counts, allocator, out, error);
    if (status != SNW_OK) return status;
    snw_side side;
    (void)place_vertices(grid, *out);
    (void)place_triangles(grid, *out);
    for (int v = 0; v < counts.vertex_count; v++)
        (*out)->vertex_reference[v] = (int)snw__figure_part(plan, (*out)->vertex[v], &side);
    for (int t = 0; t < counts.triangle_count; t++)
        (*out)->triangle_reference[t] = (*out)->vertex_reference[(*out)->triangle[t][0]];
    return SNW_OK;
}

/* ---- all of it
 * -------------------------------------------------------------------------------------------- */

/* Sums of the triangles' area vectors at each vertex. */
static void find_normals(const snw_mesh *mesh, snw_vec3 *normal)
{
    memset(normal, 0, (size_t)mesh->count.vertex_count * sizeof *normal);
    for (int t = 0; t < mesh->count.triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            snw_vec3 *n = normal + mesh->triangle[t][k];
            *n = snw_vec3_add(*n, snw__triangle_area(mesh, t));
        }
}

static void push(snw_mesh *mesh, int v, snw_vec3 normal, double step)
{
    mesh->vertex[v] =
        snw_vec3_add_scaled(mesh->vertex[v], step, snw_vec3_unit(normal, snw_vec3_make(0, 0, 0)));
}

static snw_status swell_mesh(snw_mesh *mesh, const figure_job *job, double volume, snw_error *error)
{
    size_t size = (size_t)mesh->count.vertex_count * sizeof(snw_vec3);
    snw_vec3 *normal = (snw_vec3 *)snw__allocate(&job->from, size);
    if (!normal) return snw__fail_memory(error, size, "a figure's normals");
    /* The mean of a cell's crossings lies inside round surfaces: vertices go out to where the
     * function is 0, at most half a cell. Chords still cut corners: then all move outwards by what
     * the volume lacks over the area. */
    double now = 0, area = 0, most = job->how.cell / 2;
    find_normals(mesh, normal);
    for (int v = 0; v < mesh->count.vertex_count; v++)
        push(mesh, v, normal[v],
             snw_clamp(-snw__figure_distance(&job->shape, mesh->vertex[v]), -most, most));
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        snw_vec3 a = snw__triangle_area(mesh, t);
        now += snw_vec3_dot(mesh->vertex[mesh->triangle[t][0]], a) / 3;
        area += snw_vec3_length(a);
    }
    find_normals(mesh, normal);
    for (int v = 0; v < mesh->count.vertex_count; v++)
        push(mesh, v, normal[v], snw_clamp((volume - now) / area, -most, most));
    snw__release(&job->from, normal, size);
    return SNW_OK;
}

/* What the parts of the mesh weigh, exactly. */
static snw_status report_parts(const snw_mesh *mesh, const snw__figure_plan *plan,
                               snw_people people, snw_figure_report *report, snw_error *error)
{
    snw_mass_properties mass[SNW__FIGURE_CODES], whole;
    double density[SNW__FIGURE_CODES];
    for (int code = 0; code < SNW__FIGURE_CODES; code++)
        density[code] = snw_part_density((snw_part)(code / (SNW_SIDES + 1)));
    snw_mass_cuts cuts = {plan->cut, plan->cut_count, SNW__FIGURE_CODES, density};
    snw_status status = snw_mesh_mass(mesh, NULL, &whole, error);
    if (status == SNW_OK) status = snw_mesh_mass_cut(mesh, NULL, &cuts, mass, error);
    if (status != SNW_OK) return status;
    report->volume = whole.volume;
    report->segment_count = 0;
    for (int n = 0; n < FIGURE_PARTS; n++) {
        snw_part part = figure_parts[n];
        bool is_paired = snw_part_is_paired(part);
        for (int side = 0; side < (is_paired ? SNW_SIDES : 1); side++) {
            if (!has_part(plan, part) || (plan->is_hand && side != (int)plan->side)) continue;
            snw_figure_segment *segment = report->segment + report->segment_count++;
            segment->part = part;
            segment->side = is_paired ? (snw_side)side : SNW_SIDE_NONE;
            int code = (int)part * (SNW_SIDES + 1) + (int)segment->side;
            segment->volume = mass[code].volume;
            segment->mass = mass[code].mass;
            segment->table_mass = table_mass(report, people, part);
        }
    }
    return SNW_OK;
}

/* Finds the thickness on a grid, and makes the mesh unless out is NULL. */
static snw_status on_grid(figure_job *job, double cell, int rounds, snw_mesh **out,
                          snw_error *error)
{
    figure_grid grid;
    snw__block block;
    double volume = 0;
    /* The middle plane lies in the middle of a row of cells, so that left and right are alike. */
    const snw__figure_shape *shape = &job->shape;
    snw_vec3 low = shape->low[0], high = shape->high[0];
    for (int g = 1; g < 5; g++) {
        low = snw_vec3_make(fmin(low.x, shape->low[g].x), fmin(low.y, shape->low[g].y),
                            fmin(low.z, shape->low[g].z));
        high = snw_vec3_make(fmax(high.x, shape->high[g].x), fmax(high.y, shape->high[g].y),
                             fmax(high.z, shape->high[g].z));
    }
    double middle = shape->plan.hips.x;
    double half = (ceil(fmax(high.x - middle, middle - low.x) / cell) + 2.5) * cell;
    grid.cell = cell;
    grid.low = snw_vec3_make(middle - half, low.y - 2.37 * cell, low.z - 2.37 * cell);
    grid.size[0] = (int)(2 * half / cell + 0.5) + 1;
    grid.size[1] = (int)ceil((high.y - low.y) / cell) + 5;
    grid.size[2] = (int)ceil((high.z - low.z) / cell) + 5;
    snw_status status =
        snw__block_create(&block, lay_out, &grid, &job->from, "a figure's grid", error);
    if (status != SNW_OK) return status;
    find_thickness(&grid, job, rounds);
    if (out) {
        fill_grid(&grid, &job->shape, INFINITY);
        volume = volume_of(&grid, &job->shape.plan);
        /* Until no square is in doubt; each round fills at least one point. */
        bool is_changed = true;
        for (int round = 0; is_changed && round < 100; round++) {
            is_changed = false;
            for (int k = 0; k + 1 < grid.size[2]; k++)
                for (int j = 0; j + 1 < grid.size[1]; j++)
                    for (int i = 0; i + 1 < grid.size[0]; i++) {
                        float *d = grid.distance + grid_at(&grid, i, j, k);
                        size_t y = (size_t)grid.size[0], z = y * (size_t)grid.size[1];
                        is_changed |= settle_square(d, d + 1, d + y, d + y + 1);
                        is_changed |= settle_square(d, d + 1, d + z, d + z + 1);
                        is_changed |= settle_square(d, d + y, d + z, d + z + y);
                    }
        }
        status = make_mesh(&grid, &job->shape.plan, &job->from, out, error);
    }
    snw__block_release(&job->from, &block);
    if (status == SNW_OK && out) {
        status = swell_mesh(*out, job, volume, error);
        if (status == SNW_OK)
            status = report_parts(*out, &job->shape.plan, job->how.people, &job->report, error);
        if (status != SNW_OK) {
            snw_mesh_destroy(*out);
            *out = NULL;
        }
    }
    return status;
}

/* Where the mesh has not what the grid counted: true where a part is off by more than 2 % for it.
 */
static bool has_missed(figure_job *job)
{
    bool is_off = false;
    for (int n = 0; n < job->report.segment_count; n++) {
        const snw_figure_segment *segment = job->report.segment + n;
        double share = segment->mass / segment->table_mass;
        if (snw__figure_is_measured(&job->how, segment->part)) continue;
        is_off |= fabs(share - 1) > 0.02;
        for (int side = 0; side < SNW_SIDES; side++)
            if (segment->side == SNW_SIDE_NONE || (int)segment->side == side)
                job->share[side][segment->part] = snw_clamp(share, 0.8, 1.25);
    }
    return is_off;
}

snw_status snw__figure_check_options(const snw_figure_options *how, snw_error *error)
{
    const snw__bounds bounds[] = {
        {"people of the figure", how->people, 0, SNW_PEOPLE_COUNT - 1},
        {"stature of the figure", how->stature, 0, 4},
        {"mass of the figure", how->mass, 0, 500},
        {"cell of the figure", how->cell, how->cell == 0 ? 0 : 0.003, 0.1},
    };
    for (int n = 0; n < SNW_GIRTH_COUNT; n++) {
        const snw__bounds girth = {snw_girth_name((snw_girth)n), how->girth[n], 0, 5};
        snw_status status = snw__check_bounds(&girth, 1, error);
        if (status != SNW_OK) return status;
    }
    return snw__check_bounds(bounds, sizeof bounds / sizeof *bounds, error);
}

snw_status snw_figure_create(const snw_skeleton *skeleton, const snw_figure_options *options,
                             const snw_allocator *allocator, snw_mesh **out,
                             snw_figure_report *report, snw_error *error)
{
    if (!out || !skeleton) return snw__fail(error, SNW_INVALID_ARGUMENT, "out or skeleton is NULL");
    *out = NULL;
    figure_job job;
    memset(&job, 0, sizeof job);
    job.how = SNW__WANTS_DEFAULTS(options) ? snw_figure_options_default() : *options;
    job.from = snw__allocator_or_default(allocator);
    snw_figure_options *how = &job.how;
    snw_status status = snw__figure_check_options(how, error);
    if (status == SNW_OK) status = snw__figure_plan_read(skeleton, how, &job.plan, error);
    if (status != SNW_OK) return status;
    const snw__figure_plan *plan = &job.plan;
    job.unit = plan->is_hand ? 1.75 * plan->hand[plan->side].length : plan->stature;
    /* 10 mm at 1.75 m: small enough for fingers; 2 mm in a hand of 19 cm. */
    if (how->cell == 0) how->cell = job.unit / 175;
    if (plan->is_hand && how->cell > 0.04 * plan->hand[plan->side].length)
        return snw__fail(error, SNW_INVALID_ARGUMENT,
                         "cells of %g m are too coarse for the fingers of a hand of %.3f m",
                         how->cell, plan->hand[plan->side].length);
    /* A finger is 16 mm thick: cells above two thirds of that lose it. */
    job.plan.has_fingers = job.how.cell < 0.0062 * job.plan.stature;
    job.report.stature = job.plan.stature;
    if (job.how.mass > 0)
        job.report.mass = job.how.mass;
    else {
        /* [derived] The mass of the people of the table at this stature: kg/m2 of de Leva's women
         * (61.9 kg, 1.735 m) and men (73.0 kg, 1.741 m), and between them. */
        snw_people people = job.how.people;
        double stature = job.plan.stature;
        double women = 61.9 / (1.735 * 1.735), men = 73.0 / (1.741 * 1.741);
        double index = people == SNW_PEOPLE_WOMEN ? women
                       : people == SNW_PEOPLE_MEN ? men
                                                  : (women + men) / 2;
        job.report.mass = index * stature * stature;
    }
    for (int n = 0; n < SNW_SIDES * SNW_PART_COUNT; n++)
        job.thick[n / SNW_PART_COUNT][n % SNW_PART_COUNT] =
            job.share[n / SNW_PART_COUNT][n % SNW_PART_COUNT] = 1;
    snw__figure_shape_make(&job.shape, &job.plan, job.thick);
    /* The grids on which thickness is found: no finer than needed. */
    double cell = job.how.cell, fine = snw_clamp(cell, 0.007 * job.unit, 0.012 * job.unit);
    status = on_grid(&job, 0.012 * job.unit, FIGURE_ROUNDS - FIGURE_FINE_ROUNDS, NULL, error);
    if (status == SNW_OK && fine != cell)
        status = on_grid(&job, fine, FIGURE_FINE_ROUNDS, NULL, error);
    if (status == SNW_OK) status = check_girths(&job, error);
    if (status == SNW_OK)
        status = on_grid(&job, cell, fine == cell ? FIGURE_FINE_ROUNDS : 0, out, error);
    if (status != SNW_OK) return status;
    if (has_missed(&job)) {
        snw_mesh_destroy(*out);
        *out = NULL;
        status = on_grid(&job, cell, FIGURE_FINE_ROUNDS, out, error);
        if (status != SNW_OK) return status;
    }
    for (int n = 0; n < SNW_GIRTH_COUNT && !plan->is_hand; n++)
        job.report.girth[n] = snw__figure_girth(&job.shape, (snw_girth)n);
    if (report) *report = job.report;
    return snw__succeed(error);
}
