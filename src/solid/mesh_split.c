/* A closed surface cut in two by a plane, both halves closed again. Triangles that the plane
 * crosses become two or three; the lines in which it does are filled with ears (Meisters 1975),
 * holes joined to the outline around them by a bridge (Eberly, "Triangulation by ear clipping"). */
#include <math.h>
#include <string.h>

#include <sinew/solid.h>

#include "base/fail.h"
#include "base/memory.h"
#include "math/tolerance.h"
#include "solid/mesh_edges.h"

/* Ears are looked for among all corners: time goes with the square. */
enum {
    SPLIT_CUTS_MAX = 20000,
    SPLIT_LINES_MAX = 200
};

typedef struct split_work {
    const snw_mesh *mesh;
    snw__mesh_edges edges;
    snw_vec3 normal, across, up; /* across x up = normal */
    double offset;
    bool *is_above; /* (vertices) */
    int *place;     /* (vertices) number in the half that they are of */
    int *cut_of;    /* (half-edges) the cut point on it, or -1 */
    snw_vec3 *cut;  /* (cuts) */
    int *next;      /* (cuts) that the line goes to */
    bool *is_done;  /* (cuts) */
    int *ring;      /* (ring_room) cuts of the outline that is filled, holes joined to it */
    int (*cap)[3];  /* (ring_room) cuts, counterclockwise seen from the normal */
    int *line;      /* (cuts) first of each line */
    double *area;   /* (cuts) of each line */
    int cut_count, cap_count, ring_room, line_count;
    int vertex_count[2]; /* below, above */
} split_work;

static void lay_out_sides(void *object, snw__block *block)
{
    split_work *work = (split_work *)object;
    size_t halves = 3 * (size_t)work->mesh->count.triangle_count;
    work->is_above =
        (bool *)snw__block_take(block, (size_t)work->mesh->count.vertex_count, sizeof(bool));
    work->cut_of = (int *)snw__block_take(block, halves, sizeof(int));
    work->place =
        (int *)snw__block_take(block, (size_t)work->mesh->count.vertex_count, sizeof(int));
}

static void lay_out_cuts(void *object, snw__block *block)
{
    split_work *work = (split_work *)object;
    size_t cuts = (size_t)work->cut_count, room = (size_t)work->ring_room;
    work->cut = (snw_vec3 *)snw__block_take(block, cuts, sizeof *work->cut);
    work->area = (double *)snw__block_take(block, cuts, sizeof(double));
    work->next = (int *)snw__block_take(block, cuts, sizeof(int));
    work->line = (int *)snw__block_take(block, cuts, sizeof(int));
    work->ring = (int *)snw__block_take(block, room, sizeof(int));
    work->cap = (int(*)[3])snw__block_take(block, room, sizeof *work->cap);
    work->is_done = (bool *)snw__block_take(block, cuts, sizeof(bool));
}

/* ---- where the plane cuts -------------------------------------------------------------------- */

static bool is_crossed(const split_work *work, int half)
{
    return work->is_above[snw__half_from(work->mesh, half)] !=
           work->is_above[snw__half_to(work->mesh, half)];
}

/* Numbers the cut points, one for each edge. */
static void number_cuts(split_work *work)
{
    const snw_mesh *mesh = work->mesh;
    work->vertex_count[0] = work->vertex_count[1] = 0;
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        work->is_above[v] = snw_vec3_dot(work->normal, mesh->vertex[v]) >= work->offset;
        work->place[v] = work->vertex_count[work->is_above[v]]++;
    }
    for (int h = 0; h < work->edges.half_count; h++) {
        int twin = work->edges.twin[h];
        if (!is_crossed(work, h))
            work->cut_of[h] = -1;
        else
            work->cut_of[h] = twin < h ? work->cut_of[twin] : work->cut_count++;
    }
}

static snw_vec3 cut_point(const split_work *work, int half)
{
    snw_vec3 a = work->mesh->vertex[snw__half_from(work->mesh, half)];
    snw_vec3 b = work->mesh->vertex[snw__half_to(work->mesh, half)];
    double from = snw_vec3_dot(work->normal, a) - work->offset;
    double to = snw_vec3_dot(work->normal, b) - work->offset;
    return snw_vec3_lerp(a, b, snw_clamp(from / (from - to), 0, 1));
}

static void place_cuts(split_work *work)
{
    for (int h = 0; h < work->edges.half_count; h++)
        if (work->cut_of[h] >= 0 && work->edges.twin[h] > h)
            work->cut[work->cut_of[h]] = cut_point(work, h);
    /* From where a line enters a triangle to where it leaves: counterclockwise round what is
     * below, seen from the normal. */
    for (int t = 0; t < work->mesh->count.triangle_count; t++) {
        int in = -1, out = -1;
        for (int k = 0; k < 3; k++) {
            int half = 3 * t + k;
            if (!is_crossed(work, half)) continue;
            bool is_entry = work->is_above[snw__half_from(work->mesh, half)];
            *(is_entry ? &in : &out) = work->cut_of[half];
        }
        if (in >= 0) work->next[in] = out;
    }
}

/* ---- caps ------------------------------------------------------------------------------------ */

typedef struct split_flat {
    double x, y;
} split_flat;

static split_flat flat(const split_work *work, int cut)
{
    return (split_flat){snw_vec3_dot(work->cut[cut], work->across),
                        snw_vec3_dot(work->cut[cut], work->up)};
}

/* Twice the area of a triangle, positive counterclockwise. */
static double turn(split_flat a, split_flat b, split_flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void find_lines(split_work *work)
{
    memset(work->is_done, 0, (size_t)work->cut_count * sizeof(bool));
    for (int first = 0; first < work->cut_count; first++) {
        if (work->is_done[first]) continue;
        if (work->next[work->next[first]] == first) continue; /* there and back is closed */
        double area = 0;
        split_flat o = flat(work, first);
        for (int c = first; !work->is_done[c]; c = work->next[c]) {
            work->is_done[c] = true;
            area += turn(o, flat(work, c), flat(work, work->next[c])) / 2;
        }
        work->line[work->line_count] = first;
        work->area[work->line_count++] = area;
    }
}

static bool is_inside(const split_work *work, int line, split_flat p)
{
    bool is_in = false;
    int c = work->line[line];
    do {
        split_flat a = flat(work, c), b = flat(work, work->next[c]);
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            is_in = !is_in;
        c = work->next[c];
    } while (c != work->line[line]);
    return is_in;
}

/* The smallest outline around a hole, or -1. */
static int outline_of(const split_work *work, int hole)
{
    int best = -1;
    for (int n = 0; n < work->line_count; n++)
        if (work->area[n] > 0 && (best < 0 || work->area[n] < work->area[best]) &&
            is_inside(work, n, flat(work, work->line[hole])))
            best = n;
    return best;
}

/* Into ring[from] and on; returns how many. */
static int copy_line(split_work *work, int first, int from)
{
    int count = 0, c = first;
    do {
        work->ring[from + count++] = c;
        c = work->next[c];
    } while (c != first);
    return count;
}

static bool is_in_triangle(split_flat p, split_flat a, split_flat b, split_flat c)
{
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

/* Whether the segment between two corners crosses no edge of the ring or of the hole. */
static bool sees(const split_work *work, const int *ring, int count, split_flat from, split_flat to)
{
    for (int n = 0; n < count; n++) {
        split_flat a = flat(work, ring[n]), b = flat(work, ring[(n + 1) % count]);
        if (turn(from, to, a) * turn(from, to, b) < 0 && turn(a, b, from) * turn(a, b, to) < 0)
            return false;
    }
    return true;
}

/* Joins the hole that begins at `first` to the ring of `count`, there and back along a bridge to
 * the nearest corner that it sees. Returns the new count. */
static int join_hole(split_work *work, int count, int first)
{
    int *ring = work->ring, right = first, best = 0;
    double least = INFINITY;
    for (int c = work->next[first]; c != first; c = work->next[c])
        if (flat(work, c).x > flat(work, right).x) right = c;
    split_flat from = flat(work, right);
    for (int n = 0; n < count; n++) {
        split_flat p = flat(work, ring[n]);
        double x = p.x - from.x, y = p.y - from.y, distance = x * x + y * y;
        /* Never back into the hole, whose rightmost corner it starts from. */
        if (x < 0 || distance >= least || !sees(work, ring, count, from, p)) continue;
        least = distance;
        best = n;
    }
    /* ring[0 .. best], the hole, its first corner again, ring[best .. count). */
    int own = 0, c = right;
    do {
        own++;
        c = work->next[c];
    } while (c != right);
    memmove(ring + best + own + 2, ring + best, (size_t)(count - best) * sizeof *ring);
    (void)copy_line(work, right, best + 1);
    ring[best + own + 1] = right;
    return count + own + 2;
}

static double turn_at(const split_work *work, int count, int n)
{
    const int *ring = work->ring;
    return turn(flat(work, ring[(n + count - 1) % count]), flat(work, ring[n]),
                flat(work, ring[(n + 1) % count]));
}

static bool is_ear(const split_work *work, int count, int n)
{
    const int *ring = work->ring;
    int before = ring[(n + count - 1) % count], own = ring[n], after = ring[(n + 1) % count];
    split_flat a = flat(work, before), b = flat(work, own), c = flat(work, after);
    if (!(turn(a, b, c) > 0)) return false;
    for (int k = 0; k < count; k++) {
        if (ring[k] == before || ring[k] == own || ring[k] == after) continue;
        if (is_in_triangle(flat(work, ring[k]), a, b, c)) return false;
    }
    return true;
}

/* Ears one after the other; where round-off leaves none, the straightest corner: the surface is
 * closed in any case. */
static void clip_ears(split_work *work, int count)
{
    int *ring = work->ring, at = 0;
    while (count > 2) {
        int ear = -1;
        for (int n = 0; n < count && ear < 0; n++)
            if (is_ear(work, count, (at + n) % count)) ear = (at + n) % count;
        for (int n = 0, has_ear = ear >= 0; n < count && !has_ear; n++)
            if (ear < 0 || fabs(turn_at(work, count, n)) < fabs(turn_at(work, count, ear))) ear = n;
        int *cap = work->cap[work->cap_count++];
        cap[0] = ring[(ear + count - 1) % count];
        cap[1] = ring[ear];
        cap[2] = ring[(ear + 1) % count];
        memmove(ring + ear, ring + ear + 1, (size_t)(count - ear - 1) * sizeof *ring);
        count--;
        at = ear;
    }
}

static snw_status make_caps(split_work *work, snw_error *error)
{
    int lost = 0;
    find_lines(work);
    for (int n = 0; n < work->line_count && work->line_count <= SPLIT_LINES_MAX; n++) {
        if (work->area[n] > 0) continue;
        lost += outline_of(work, n) < 0;
    }
    if (lost)
        return snw__fail(error, SNW_DEGENERATE,
                         "%d lines of the cut have nothing around them: the surface cuts itself",
                         lost);
    if (work->cut_count > SPLIT_CUTS_MAX || work->line_count > SPLIT_LINES_MAX)
        return snw__fail(error, SNW_TOO_LARGE,
                         "the plane cuts %d edges in %d lines; up to %d edges and %d lines are "
                         "filled",
                         work->cut_count, work->line_count, SPLIT_CUTS_MAX, SPLIT_LINES_MAX);
    for (int n = 0; n < work->line_count; n++) {
        if (!(work->area[n] > 0)) continue;
        int count = copy_line(work, work->line[n], 0);
        for (int hole = 0; hole < work->line_count; hole++)
            if (!(work->area[hole] > 0) && outline_of(work, hole) == n)
                count = join_hole(work, count, work->line[hole]);
        clip_ears(work, count);
    }
    return SNW_OK;
}

/* ---- halves ---------------------------------------------------------------------------------- */

/* Triangles of one half: `to` NULL counts them. Cut points stand behind the mesh's vertices. */
static int place_half(const split_work *work, bool is_above, int (*to)[3], int *reference)
{
    const snw_mesh *mesh = work->mesh;
    int count = 0, first = work->vertex_count[is_above];
    for (int t = 0; t < mesh->count.triangle_count; t++) {
        int corner[4], corners = 0;
        for (int k = 0; k < 3; k++) {
            int half = 3 * t + k, v = snw__half_from(mesh, half);
            if (work->is_above[v] == is_above) corner[corners++] = work->place[v];
            if (work->cut_of[half] >= 0) corner[corners++] = first + work->cut_of[half];
        }
        for (int k = 2; k < corners; k++, count++) {
            if (!to) continue;
            memcpy(to[count], (const int[3]){corner[0], corner[k - 1], corner[k]}, sizeof *to);
            reference[count] = mesh->triangle_reference[t];
        }
    }
    for (int n = 0; n < work->cap_count; n++, count++) {
        if (!to) continue;
        const int *cap = work->cap[n];
        for (int k = 0; k < 3; k++)
            to[count][is_above ? 2 - k : k] = first + cap[k];
        reference[count] = 0;
    }
    return count;
}

static snw_status make_half(const split_work *work, bool is_above, const snw_allocator *from,
                            snw_mesh **out, snw_error *error)
{
    const snw_mesh *mesh = work->mesh;
    int own = work->vertex_count[is_above];
    snw_mesh_counts counts = {own + work->cut_count, 0, place_half(work, is_above, NULL, NULL), 0};
    snw_mesh_repaired done = {0};
    snw_status status = snw_mesh_create(&counts, from, out, error);
    if (status != SNW_OK) return status;
    for (int v = 0; v < mesh->count.vertex_count; v++) {
        if (work->is_above[v] != is_above) continue;
        (*out)->vertex[work->place[v]] = mesh->vertex[v];
        (*out)->vertex_reference[work->place[v]] = mesh->vertex_reference[v];
    }
    for (int n = 0; n < work->cut_count; n++) {
        (*out)->vertex[own + n] = work->cut[n];
        (*out)->vertex_reference[own + n] = 0;
    }
    (void)place_half(work, is_above, (*out)->triangle, (*out)->triangle_reference);
    /* Cuts through a corner give the same place more than once. */
    return snw__mesh_merge(out, 0, &done, error);
}

static snw_status split(split_work *work, const snw_allocator *from, snw_mesh *out[2],
                        snw_error *error)
{
    snw__block sides, cuts;
    snw_status status =
        snw__block_create(&sides, lay_out_sides, work, from, "the cut of a mesh", error);
    if (status != SNW_OK) return status;
    number_cuts(work);
    work->ring_room = 2 * work->cut_count + 4; /* a hole has three corners, its bridge two more */
    status = snw__block_create(&cuts, lay_out_cuts, work, from, "the cut of a mesh", error);
    if (status == SNW_OK) {
        place_cuts(work);
        status = make_caps(work, error);
        for (int n = 0; n < 2 && status == SNW_OK; n++)
            status = make_half(work, n == 0, from, &out[n], error);
        snw__block_release(from, &cuts);
    }
    snw__block_release(from, &sides);
    return status;
}

snw_status snw_mesh_split(const snw_mesh *mesh, snw_vec3 normal, double offset,
                          const snw_allocator *allocator, snw_mesh_halves *out, snw_error *error)
{
    if (!out) return snw__fail(error, SNW_INVALID_ARGUMENT, "out is NULL");
    *out = (snw_mesh_halves){NULL, NULL};
    snw_mass_properties whole;
    double length = snw_vec3_length(normal);
    if (!(length > 0) || !isfinite(length) || !isfinite(offset))
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the plane has no direction or no place");
    /* Open surfaces and those turned wrong hold nothing that could be cut. */
    snw_mass_options how = snw_mass_options_default();
    how.way = SNW_MASS_SURFACE;
    snw_status status = snw_mesh_mass(mesh, &how, &whole, error);
    if (status != SNW_OK) return status;
    split_work work = {.mesh = mesh, .offset = offset / length};
    work.normal = snw_vec3_scale(normal, 1 / length);
    work.across = snw_vec3_perpendicular(work.normal);
    work.up = snw_vec3_cross(work.normal, work.across);
    snw_allocator from = snw__allocator_or_default(allocator);
    status = snw__mesh_edges_create(mesh, &from, &work.edges, error);
    if (status != SNW_OK) return status;
    snw_mesh *half[2] = {NULL, NULL};
    const snw__mesh_edges *edges = &work.edges;
    if (edges->boundary_count || edges->crowded_count || edges->turned_count)
        status = snw__fail(error, SNW_DEGENERATE,
                           "%d edges have not two triangles that go opposite ways: there is no "
                           "inside to cut (snw_mesh_repair)",
                           edges->boundary_count + edges->crowded_count + edges->turned_count);
    else
        status = split(&work, &from, half, error);
    snw__mesh_edges_release(&work.edges);
    if (status != SNW_OK) {
        snw_mesh_destroy(half[0]);
        snw_mesh_destroy(half[1]);
        return status;
    }
    *out = (snw_mesh_halves){half[0], half[1]};
    return snw__succeed(error);
}
