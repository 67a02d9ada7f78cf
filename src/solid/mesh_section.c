/* A plane through a surface. Vertices on the plane count as above it, so that a triangle is cut in
 * two points or not at all, and the lines follow from triangle to neighbour. */
#include <math.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solid/mesh_edges.h"

typedef struct section_work {
    const snw_mesh *mesh;
    snw__mesh_edges edges;
    snw_vec3 normal;
    double offset;
    bool *is_above; /* (vertices) */
    bool *is_done;  /* (triangles) */
} section_work;

static void lay_out_work(void *object, snw__block *block)
{
    section_work *work = (section_work *)object;
    work->is_above =
        (bool *)snw__block_take(block, (size_t)work->mesh->count.vertex_count, sizeof(bool));
    work->is_done =
        (bool *)snw__block_take(block, (size_t)work->mesh->count.triangle_count, sizeof(bool));
}

/* The half-edge of the triangle where the line enters it, which goes from above to below, or leaves
 * it: lines then go round counterclockwise seen from where the normal points. -1: the plane does
 * not cut the triangle. */
static int cut_edge(const section_work *work, int triangle, bool is_entry)
{
    for (int k = 0; k < 3; k++) {
        int half = 3 * triangle + k;
        bool from = work->is_above[snw__half_from(work->mesh, half)];
        bool to = work->is_above[snw__half_to(work->mesh, half)];
        if (from != to && from == is_entry) return half;
    }
    return -1;
}

static snw_vec3 cut_point(const section_work *work, int half)
{
    /* From the lower index, so that both triangles give the same bits. */
    int i = snw__half_from(work->mesh, half), j = snw__half_to(work->mesh, half);
    snw_vec3 a = work->mesh->vertex[i < j ? i : j], b = work->mesh->vertex[i < j ? j : i];
    double from = snw_vec3_dot(work->normal, a) - work->offset;
    double to = snw_vec3_dot(work->normal, b) - work->offset;
    double share = from / (from - to);
    return snw_vec3_lerp(a, b, isfinite(share) ? snw_clamp(share, 0, 1) : 0);
}

/* One line from where it enters `start`. Into `point` where that is there. Returns its points. */
static int follow(section_work *work, int start, snw_vec3 *point, bool *is_closed)
{
    int count = 0, t = start;
    *is_closed = false;
    for (;;) {
        int in = cut_edge(work, t, true), out = cut_edge(work, t, false);
        work->is_done[t] = true;
        if (point) point[count] = cut_point(work, in);
        count++;
        int twin = work->edges.twin[out];
        bool is_end = twin < 0;
        /* Neighbours that go the same way along the edge end the line too. */
        if (!is_end) is_end = cut_edge(work, twin / 3, true) != twin;
        if (!is_end && twin / 3 == start) {
            *is_closed = true;
            return count;
        }
        if (is_end || work->is_done[twin / 3]) {
            if (point) point[count] = cut_point(work, out);
            return count + 1;
        }
        t = twin / 3;
    }
}

/* Where a line that is not closed begins: back from `t` as far as it goes. */
static int begin_of(const section_work *work, int t)
{
    for (int start = t, guard = 0; guard < work->mesh->count.triangle_count; guard++) {
        int in = cut_edge(work, t, true), twin = work->edges.twin[in];
        if (twin < 0 || cut_edge(work, twin / 3, false) != twin || work->is_done[twin / 3])
            return t;
        t = twin / 3;
        if (t == start) return t;
    }
    return t;
}

static void walk_lines(section_work *work, int *lines, int *points, snw_section *out)
{
    memset(work->is_done, 0, (size_t)work->mesh->count.triangle_count * sizeof(bool));
    *lines = *points = 0;
    for (int t = 0; t < work->mesh->count.triangle_count; t++) {
        if (work->is_done[t] || cut_edge(work, t, true) < 0) continue;
        bool is_closed;
        int count = follow(work, begin_of(work, t), out ? (snw_vec3 *)out->point + *points : NULL,
                           &is_closed);
        if (out) {
            ((int *)out->line_first)[*lines] = *points;
            ((bool *)out->is_closed)[*lines] = is_closed;
        }
        ++*lines;
        *points += count;
    }
    if (out) ((int *)out->line_first)[*lines] = *points;
}

static void lay_out(void *object, snw__block *block)
{
    snw_section *section = (snw_section *)object;
    size_t lines = (size_t)section->line_count, points = (size_t)section->point_count;
    section->point = (const snw_vec3 *)snw__block_take(block, points, sizeof(snw_vec3));
    section->line_first = (const int *)snw__block_take(block, lines + 1, sizeof(int));
    section->is_closed = (const bool *)snw__block_take(block, lines, sizeof(bool));
}

static snw_status make_section(section_work *work, const snw_allocator *from, snw_section **out,
                               snw_error *error)
{
    snw_section *section = (snw_section *)snw__allocate(from, sizeof *section);
    if (!section) return snw__fail_memory(error, sizeof *section, "a section");
    section->allocator = *from;
    walk_lines(work, &section->line_count, &section->point_count, NULL);
    snw__block block;
    snw_status status = snw__block_create(&block, lay_out, section, from, "a section", error);
    if (status != SNW_OK) {
        snw__release(from, section, sizeof *section);
        return status;
    }
    section->block_size = block.size;
    int lines, points;
    walk_lines(work, &lines, &points, section);
    /* Area and its centre from the triangles between the first point of all and the sides. */
    snw_vec3 o = section->point_count ? section->point[0] : snw_vec3_make(0, 0, 0);
    snw_vec3 first = {0, 0, 0}, sum = {0, 0, 0};
    for (int line = 0; line < section->line_count; line++) {
        int base = section->line_first[line], to = section->line_first[line + 1];
        for (int n = base; n < to; n++) {
            if (n + 1 == to && !section->is_closed[line]) continue;
            snw_vec3 p = section->point[n], q = section->point[n + 1 < to ? n + 1 : base];
            snw_vec3 a = snw_vec3_sub(p, o), b = snw_vec3_sub(q, o);
            section->girth += snw_vec3_distance(p, q);
            if (!section->is_closed[line]) continue;
            double area = snw_vec3_dot(work->normal, snw_vec3_cross(a, b)) / 2;
            section->area += area;
            first = snw_vec3_add_scaled(first, area / 3, snw_vec3_add(a, b));
        }
    }
    for (int n = 0; n < section->point_count; n++)
        sum = snw_vec3_add_scaled(sum, 1.0 / section->point_count,
                                  snw_vec3_sub(section->point[n], o));
    bool has_area = fabs(section->area) > 1e-300;
    section->center = snw_vec3_add(o, has_area ? snw_vec3_scale(first, 1 / section->area) : sum);
    *out = section;
    return SNW_OK;
}

snw_status snw_mesh_section(const snw_mesh *mesh, snw_vec3 normal, double offset,
                            const snw_allocator *allocator, snw_section **out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = NULL;
    snw_status status = snw__mesh_check_numbers(mesh, error);
    if (status != SNW_OK) return status;
    double length = snw_vec3_length(normal);
    if (!(length > 0) || !isfinite(length) || !isfinite(offset))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the plane has no direction");
    snw_allocator from = snw__allocator_or_default(allocator);
    section_work work = {.mesh = mesh};
    work.normal = snw_vec3_scale(normal, 1 / length);
    work.offset = offset / length;
    snw__block block;
    status = snw__block_create(&block, lay_out_work, &work, &from, "cutting a mesh", error);
    if (status != SNW_OK) return status;
    for (int v = 0; v < mesh->count.vertex_count; v++)
        work.is_above[v] = snw_vec3_dot(work.normal, mesh->vertex[v]) >= work.offset;
    status = snw__mesh_edges_create(mesh, allocator, &work.edges, error);
    if (status == SNW_OK) {
        if (work.edges.crowded_count)
            status = snw__fail(error, SNW_UNSUPPORTED,
                               "%d edges have three triangles or more: where a line goes on there "
                               "is not clear",
                               work.edges.crowded_count);
        else
            status = make_section(&work, &from, out, error);
        snw__mesh_edges_release(&work.edges);
    }
    snw__block_release(&from, &block);
    return status == SNW_OK ? snw__succeed(error) : status;
}

void snw_section_destroy(snw_section *section)
{
    if (!section) return;
    snw_allocator allocator = section->allocator;
    snw__release(&allocator, (void *)section->point, section->block_size);
    snw__release(&allocator, section, sizeof *section);
}
