/* Knight's central convexity point insertion (2005, 3.5.1.2): a point inside that sees the inside
 * of the triangles round it becomes the tip of a tetrahedron on each of them; what it cannot see
 * is left to the next point, until no triangle is left.
 *
 * The front is the surface of what is not yet filled. A tetrahedron is taken only where it holds no
 * part of the front, so the answer is exact: all vertices of the surface, its very triangles, its
 * volume. Of some points that are tried, the one that shortens the front most is taken. Nothing
 * promises that this ends for every surface, and slivers are common: mesh_stuffing.c is the better
 * way, this is his. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solid/mesh_solid.h"

enum {
    CENTRAL_TRIANGLES_MAX = 1000, /* each point is tried against the whole front */
    CENTRAL_SEEDS = 24,
    CENTRAL_DEPTHS = 3
};

typedef struct central {
    snw_allocator from;
    snw_error *error;
    double flat; /* six times a volume below which a tetrahedron is flat */
    int vertex_count, vertex_room, front_count, front_room, tet_count, tet_room;
    snw_vec3 *vertex;
    int (*front)[3], (*next)[3]; /* (front_room) */
    int (*tet)[4];
    bool *is_seen, *is_asked; /* (front_room) of the point in hand */
    bool *is_best;
    int *stack;
    snw__block block;
} central;

static double volume6(snw_vec3 a, snw_vec3 b, snw_vec3 c, snw_vec3 d)
{
    return snw_vec3_dot(snw_vec3_sub(b, a), snw_vec3_cross(snw_vec3_sub(c, a), snw_vec3_sub(d, a)));
}

/* Whether the line from p to q passes through triangle (a, b, c), its edges counted, ends not. */
static bool passes(const central *work, snw_vec3 p, snw_vec3 q, const snw_vec3 t[3])
{
    double from = volume6(t[0], t[1], t[2], p), to = volume6(t[0], t[1], t[2], q);
    if (!(from * to < 0) || fmin(fabs(from), fabs(to)) < work->flat) return false;
    double u = volume6(p, q, t[0], t[1]), v = volume6(p, q, t[1], t[2]),
           w = volume6(p, q, t[2], t[0]);
    double blur = -work->flat;
    return (u >= blur && v >= blur && w >= blur) || (u <= -blur && v <= -blur && w <= -blur);
}

static bool has_corner(const int *triangle, int vertex)
{
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

/* Whether the tetrahedron of p and front triangle `own` holds no part of the front. */
static bool sees(const central *work, snw_vec3 p, int own)
{
    const int *c = work->front[own];
    const snw_vec3 *v = work->vertex;
    if (!(volume6(v[c[0]], v[c[2]], v[c[1]], p) > work->flat)) return false;
    for (int t = 0; t < work->front_count; t++) {
        if (t == own) continue;
        const int *o = work->front[t];
        const snw_vec3 other[3] = {v[o[0]], v[o[1]], v[o[2]]};
        for (int k = 0; k < 3; k++) {
            if (!has_corner(o, c[k]) && passes(work, p, v[c[k]], other)) return false;
            int a = o[k], b = o[(k + 1) % 3];
            for (int side = 0; side < 3; side++) {
                int x = c[side], y = c[(side + 1) % 3];
                const snw_vec3 wall[3] = {p, v[x], v[y]};
                if (a == x || a == y || b == x || b == y) continue;
                if (passes(work, v[a], v[b], wall)) return false;
            }
        }
        /* A corner inside, whose edges leave through `own`'s plane or not at all. */
        for (int k = 0; k < 3; k++) {
            if (has_corner(c, o[k])) continue;
            snw_vec3 q = v[o[k]];
            if (volume6(v[c[0]], v[c[2]], v[c[1]], q) > work->flat &&
                volume6(v[c[0]], v[c[1]], p, q) > work->flat &&
                volume6(v[c[1]], v[c[2]], p, q) > work->flat &&
                volume6(v[c[2]], v[c[0]], p, q) > work->flat)
                return false;
        }
    }
    return true;
}

/* The front triangle that has edge b -> a; -1: none. */
static int across(const central *work, int a, int b)
{
    for (int t = 0; t < work->front_count; t++)
        for (int k = 0; k < 3; k++)
            if (work->front[t][k] == b && work->front[t][(k + 1) % 3] == a) return t;
    return -1;
}

/* Marks what p sees, hanging together with the seed; by how much the front would shrink. */
static int look(central *work, snw_vec3 p, int seed)
{
    int depth = 0, gain = 0;
    memset(work->is_seen, 0, (size_t)work->front_count);
    memset(work->is_asked, 0, (size_t)work->front_count);
    work->is_asked[seed] = true;
    work->stack[depth++] = seed;
    while (depth) {
        int t = work->stack[--depth];
        if (!sees(work, p, t)) continue;
        work->is_seen[t] = true;
        for (int k = 0; k < 3; k++) {
            int o = across(work, work->front[t][k], work->front[t][(k + 1) % 3]);
            if (o < 0 || work->is_asked[o]) continue;
            work->is_asked[o] = true;
            work->stack[depth++] = o;
        }
    }
    for (int t = 0; t < work->front_count; t++) {
        if (!work->is_seen[t]) continue;
        gain++;
        for (int k = 0; k < 3; k++) {
            int o = across(work, work->front[t][k], work->front[t][(k + 1) % 3]);
            gain -= o < 0 || !work->is_seen[o];
        }
    }
    return work->is_seen[seed] ? gain : INT32_MIN;
}

/* The volume's middle; where the front is star-shaped it often sees all. */
static snw_vec3 middle_of(const central *work)
{
    snw_vec3 sum = snw_vec3_make(0, 0, 0), o = work->vertex[work->front[0][0]];
    double volume = 0;
    for (int t = 0; t < work->front_count; t++) {
        const int *c = work->front[t];
        snw_vec3 a = work->vertex[c[0]], b = work->vertex[c[1]], d = work->vertex[c[2]];
        double part = volume6(o, a, b, d);
        volume += part;
        sum = snw_vec3_add_scaled(sum, part / 4,
                                  snw_vec3_add(snw_vec3_add(a, b), snw_vec3_add(d, o)));
    }
    return volume > 0 ? snw_vec3_scale(sum, 1 / volume) : o;
}

/* The best of some points: the middle, and places under triangles of the front. */
static int choose_point(central *work, snw_vec3 *best)
{
    int most = INT32_MIN;
    int step = work->front_count / CENTRAL_SEEDS + 1;
    for (int seed = 0; seed < work->front_count && most < work->front_count; seed += step) {
        const int *c = work->front[seed];
        snw_vec3 a = work->vertex[c[0]], b = work->vertex[c[1]], d = work->vertex[c[2]];
        snw_vec3 center = snw_vec3_scale(snw_vec3_add(a, snw_vec3_add(b, d)), 1.0 / 3);
        snw_vec3 inward = snw_vec3_unit(snw_vec3_cross(snw_vec3_sub(d, a), snw_vec3_sub(b, a)),
                                        snw_vec3_make(0, 0, 1));
        /* How far the front is from a place along a direction. */
        double room = INFINITY;
        for (int t = 0; t < work->front_count; t++) {
            const int *m = work->front[t];
            const snw_vec3 corner[3] = {work->vertex[m[0]], work->vertex[m[1]], work->vertex[m[2]]};
            snw_vec3 normal = snw_vec3_cross(snw_vec3_sub(corner[1], corner[0]),
                                             snw_vec3_sub(corner[2], corner[0]));
            double down = snw_vec3_dot(normal, inward);
            double far = snw_vec3_dot(normal, snw_vec3_sub(corner[0], center)) / down;
            if (t == seed || !(far > 0 && far < room)) continue;
            snw_vec3 to = snw_vec3_add_scaled(center, 2 * far, inward);
            if (passes(work, center, to, corner)) room = far;
        }
        for (int k = -1; k < CENTRAL_DEPTHS; k++) {
            snw_vec3 p = k < 0 ? middle_of(work)
                               : snw_vec3_add_scaled(center, room * ldexp(0.5, -k), inward);
            if (!isfinite(p.x + p.y + p.z)) continue;
            int gain = look(work, p, seed);
            if (gain <= most) continue;
            most = gain;
            *best = p;
            memcpy(work->is_best, work->is_seen, (size_t)work->front_count);
        }
    }
    return most;
}

/* Tetrahedra of the point on all that it sees; their sides are the new front. */
static snw_status insert(central *work, snw_vec3 p)
{
    int count = 0, tip = work->vertex_count;
    memcpy(work->is_seen, work->is_best, (size_t)work->front_count);
    work->vertex[work->vertex_count++] = p;
    for (int t = 0; t < work->front_count; t++) {
        const int *c = work->front[t];
        if (count + 3 > work->front_room || work->tet_count == work->tet_room)
            return snw__fail(work->error, SNW_DEGENERATE,
                             "central point insertion does not come to an end on this surface; the "
                             "lattice does");
        if (!work->is_seen[t]) {
            memcpy(work->next[count++], c, 3 * sizeof *c);
            continue;
        }
        const int tet[4] = {c[0], c[2], c[1], tip};
        memcpy(work->tet[work->tet_count++], tet, sizeof tet);
        for (int k = 0; k < 3; k++) {
            int a = c[k], b = c[(k + 1) % 3], o = across(work, a, b);
            if (o >= 0 && work->is_seen[o]) continue;
            const int side[3] = {a, b, tip};
            memcpy(work->next[count++], side, sizeof side);
        }
    }
    int(*swap)[3] = work->front;
    work->front = work->next;
    work->next = swap;
    work->front_count = count;
    return SNW_OK;
}

static void lay_out(void *object, snw__block *block)
{
    central *work = (central *)object;
    size_t front = (size_t)work->front_room;
    work->vertex = (snw_vec3 *)snw__block_take(block, (size_t)work->vertex_room, sizeof(snw_vec3));
    work->front = (int(*)[3])snw__block_take(block, front, 3 * sizeof(int));
    work->next = (int(*)[3])snw__block_take(block, front, 3 * sizeof(int));
    work->tet = (int(*)[4])snw__block_take(block, (size_t)work->tet_room, 4 * sizeof(int));
    work->is_seen = (bool *)snw__block_take(block, front, sizeof(bool));
    work->is_asked = (bool *)snw__block_take(block, front, sizeof(bool));
    work->is_best = (bool *)snw__block_take(block, front, sizeof(bool));
    work->stack = (int *)snw__block_take(block, front, sizeof(int));
}

static snw_status fill(central *work, snw_mesh **out)
{
    while (work->front_count) {
        snw_vec3 p = {0, 0, 0};
        int gain = choose_point(work, &p);
        if (gain == INT32_MIN || work->vertex_count == work->vertex_room)
            return snw__fail(
                work->error, SNW_DEGENERATE,
                "central point insertion stops with %d triangles left on this surface; "
                "the lattice does not",
                work->front_count);
        snw_status status = insert(work, p);
        if (status != SNW_OK) return status;
    }
    const snw_mesh_counts counts = {work->vertex_count, 0, 0, work->tet_count};
    snw_status status = snw_mesh_create(&counts, &work->from, out, work->error);
    if (status != SNW_OK) return status;
    memcpy((*out)->vertex, work->vertex, (size_t)work->vertex_count * sizeof *work->vertex);
    memcpy((*out)->tetrahedron, work->tet, (size_t)work->tet_count * sizeof *work->tet);
    return SNW_OK;
}

snw_status snw__mesh_insert_central(const snw_mesh *surface, const snw_allocator *from,
                                    snw_mesh **out, snw_error *error)
{
    central work = {.from = *from, .error = error};
    int triangles = surface->count.triangle_count;
    if (triangles > CENTRAL_TRIANGLES_MAX)
        return snw__fail(error, SNW_TOO_LARGE,
                         "central point insertion is for up to %d triangles, the surface has %d",
                         CENTRAL_TRIANGLES_MAX, triangles);
    work.vertex_count = surface->count.vertex_count;
    work.vertex_room = work.vertex_count + triangles;
    work.front_room = 4 * triangles + 64;
    work.tet_room = 16 * triangles + 64;
    snw_status status = snw__block_create(&work.block, lay_out, &work, from, "the front", error);
    if (status != SNW_OK) return status;
    snw_vec3 low, high;
    snw_mesh_box(surface, &low, &high);
    double size = snw_vec3_distance(low, high);
    work.flat = 1e-9 * size * size * size;
    memcpy(work.vertex, surface->vertex, (size_t)work.vertex_count * sizeof *work.vertex);
    memcpy(work.front, surface->triangle, (size_t)triangles * sizeof *work.front);
    work.front_count = triangles;
    status = fill(&work, out);
    snw__block_release(from, &work.block);
    return status;
}
