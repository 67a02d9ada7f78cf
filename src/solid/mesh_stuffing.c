/* Tetrahedra inside a closed surface by isosurface stuffing (Labelle & Shewchuk 2007).
 *
 * A body-centred cubic lattice, corners of cubes (black) and their middles (red), fills space with
 * tetrahedra of one shape: each is two neighbouring middles and an edge of the face between them.
 * Where the surface cuts an edge of the lattice near one of its ends, that end moves to the cut
 * (nearer than 0.24999 of a long edge, 0.41189 of a short one: their constants); other cuts become
 * vertices. What is left of each tetrahedron is one of five shapes, divided so that neighbours
 * agree. All vertices of the boundary lie on the surface. For surfaces that are flat at the
 * lattice's scale they prove dihedral angles of 10.7 to 164.8 degrees.
 *
 * Inside or outside is asked along columns of the lattice: each triangle is drawn once onto the
 * columns that it covers, edges exactly shared, so the work is that of triangles and points. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "solid/mesh_edges.h"
#include "solid/mesh_solid.h"
#include "solid/mesh_tree.h"

/* Labelle & Shewchuk 2007, table 1: shares of a long and of a short edge. */
static const double stuffing_near[2] = {0.24999, 0.41189};

enum {
    STUFFING_OUTSIDE = -1,
    STUFFING_ON = 0,
    STUFFING_INSIDE = 1,
    STUFFING_POINTS_MAX = 1 << 28
};

/* A cut of a lattice's edge. */
typedef struct stuffing_cut {
    int64_t key;  /* of the edge plus 1; 0: none */
    double share; /* of the way from the point with the lower number */
    int vertex;   /* -1: not used yet */
} stuffing_cut;

typedef struct stuffing {
    const snw_mesh *surface;
    snw__mesh_tree tree;
    snw_allocator from;
    snw_error *error;
    double cell;
    snw_vec3 low;           /* of black point 0 */
    int n[3];               /* black points along each axis; one red less */
    int64_t black, all;     /* points */
    int8_t *state;          /* (all) */
    int *vertex;            /* (all) -1: none */
    size_t cut_count, room; /* of the table, a power of two */
    stuffing_cut *cut;      /* (room) */
    int vertex_count, vertex_room, tet_count, tet_room;
    snw_vec3 *place; /* (vertex_room) */
    int (*tet)[4];   /* (tet_room) */
    bool is_out_of_memory;
    snw__block block;
} stuffing;

/* ---- the lattice --------------------------------------------------------------------------- */

static int64_t point_at(const stuffing *s, bool is_red, int i, int j, int k)
{
    int64_t nx = s->n[0] - is_red, ny = s->n[1] - is_red;
    return (is_red ? s->black : 0) + ((int64_t)k * ny + j) * nx + i;
}

static void coordinates(const stuffing *s, int64_t point, int at[3], bool *is_red)
{
    *is_red = point >= s->black;
    int64_t rest = *is_red ? point - s->black : point;
    int64_t nx = s->n[0] - *is_red, ny = s->n[1] - *is_red;
    at[0] = (int)(rest % nx);
    at[1] = (int)(rest / nx % ny);
    at[2] = (int)(rest / nx / ny);
}

static snw_vec3 lattice_place(const stuffing *s, int64_t point)
{
    int at[3];
    bool is_red;
    coordinates(s, point, at, &is_red);
    double half = is_red ? 0.5 : 0;
    return snw_vec3_add_scaled(s->low, s->cell,
                               snw_vec3_make(at[0] + half, at[1] + half, at[2] + half));
}

/* Neighbour n of a point: 0 to 5 along the axes (long edges), 6 to 13 the other colour (short).
 * -1: there is none. */
static int64_t neighbour(const stuffing *s, int64_t point, int n)
{
    int at[3];
    bool is_red;
    coordinates(s, point, at, &is_red);
    bool is_other = n >= 6;
    if (!is_other)
        at[n / 2] += n % 2 ? 1 : -1;
    else
        for (int d = 0; d < 3; d++)
            at[d] += ((n - 6) >> d & 1) - (is_red ? 0 : 1);
    bool red = is_red != is_other;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= s->n[d] - red) return -1;
    return point_at(s, red, at[0], at[1], at[2]);
}

/* ---- inside or outside --------------------------------------------------------------------- */

typedef struct stuffing_crossing {
    double height;
    int turn; /* +1: into the solid on the way up */
} stuffing_crossing;

/* The columns of one colour. */
typedef struct stuffing_columns {
    const stuffing *s;
    bool is_red;
    int n[2];
    int64_t *first; /* (columns + 1) */
    stuffing_crossing *crossing;
    int64_t crossing_count;
} stuffing_columns;

/* Twice the area of (a, b, p) seen from above, the same number whichever way the edge is asked. */
static double side_of(const snw_mesh *mesh, int a, int b, double x, double y)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    snw_vec3 p = mesh->vertex[low], q = mesh->vertex[high];
    double area = (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
    if (area == 0) area = 1e-300; /* on the edge: always on the same side of it */
    return a < b ? area : -area;
}

/* Counts the columns that a triangle covers, or puts its crossings where there is room. */
static void draw_triangle(stuffing_columns *columns, int t)
{
    const stuffing *s = columns->s;
    const snw_mesh *mesh = s->surface;
    const int *c = mesh->triangle[t];
    const snw_vec3 a = mesh->vertex[c[0]], b = mesh->vertex[c[1]], d = mesh->vertex[c[2]];
    double half = columns->is_red ? 0.5 : 0;
    int from[2], to[2];
    const double low[2] = {fmin(a.x, fmin(b.x, d.x)) - s->low.x,
                           fmin(a.y, fmin(b.y, d.y)) - s->low.y};
    const double high[2] = {fmax(a.x, fmax(b.x, d.x)) - s->low.x,
                            fmax(a.y, fmax(b.y, d.y)) - s->low.y};
    for (int k = 0; k < 2; k++) {
        from[k] = (int)fmax(ceil(low[k] / s->cell - half), 0);
        to[k] = (int)fmin(floor(high[k] / s->cell - half), columns->n[k] - 1);
    }
    for (int j = from[1]; j <= to[1]; j++)
        for (int i = from[0]; i <= to[0]; i++) {
            double x = s->low.x + s->cell * (i + half), y = s->low.y + s->cell * (j + half);
            double w[3];
            for (int k = 0; k < 3; k++)
                w[k] = side_of(mesh, c[(k + 1) % 3], c[(k + 2) % 3], x, y);
            bool is_up = w[0] > 0 && w[1] > 0 && w[2] > 0;
            if (!is_up && !(w[0] < 0 && w[1] < 0 && w[2] < 0)) continue;
            int64_t column = (int64_t)j * columns->n[0] + i;
            if (columns->crossing) {
                double sum = w[0] + w[1] + w[2];
                columns->crossing[columns->first[column]] = (stuffing_crossing){
                    (w[0] * a.z + w[1] * b.z + w[2] * d.z) / sum, is_up ? -1 : 1};
            }
            columns->first[column]++;
            columns->crossing_count++;
        }
}

static snw_status mark_points(stuffing *s, bool is_red)
{
    stuffing_columns columns = {
        .s = s, .is_red = is_red, .n = {s->n[0] - is_red, s->n[1] - is_red}};
    size_t count = (size_t)columns.n[0] * (size_t)columns.n[1];
    size_t size = (count + 1) * sizeof *columns.first;
    columns.first = (int64_t *)snw__allocate(&s->from, size);
    if (!columns.first) return snw__fail_memory(s->error, size, "columns of the lattice");
    for (int t = 0; t < s->surface->count.triangle_count; t++)
        draw_triangle(&columns, t);
    int64_t sum = 0;
    for (size_t c = 0; c <= count; c++) {
        int64_t own = columns.first[c];
        columns.first[c] = sum;
        sum += own;
    }
    size_t room = (size_t)sum * sizeof *columns.crossing;
    columns.crossing = (stuffing_crossing *)snw__allocate(&s->from, room);
    if (columns.crossing) {
        for (int t = 0; t < s->surface->count.triangle_count; t++)
            draw_triangle(&columns, t);
        for (size_t c = 0; c < count; c++) /* each now ends where the next began */
        {
            int64_t column = (int64_t)c;
            int64_t first = c ? columns.first[c - 1] : 0;
            int64_t last = columns.first[c];
            stuffing_crossing *crossing = columns.crossing;
            for (int64_t n = first + 1; n < last; n++) /* few, and often in order */
                for (int64_t k = n; k > first && crossing[k].height < crossing[k - 1].height; k--) {
                    stuffing_crossing swap = crossing[k];
                    crossing[k] = crossing[k - 1];
                    crossing[k - 1] = swap;
                }
            int i = (int)(column % columns.n[0]), j = (int)(column / columns.n[0]), winding = 0;
            int64_t n = first;
            for (int k = 0; k < s->n[2] - columns.is_red; k++) {
                double height = s->low.z + s->cell * (k + (columns.is_red ? 0.5 : 0));
                for (; n < last && crossing[n].height < height; n++)
                    winding += crossing[n].turn;
                s->state[point_at(s, columns.is_red, i, j, k)] =
                    winding > 0 ? STUFFING_INSIDE : STUFFING_OUTSIDE;
            }
        }
        snw__release(&s->from, columns.crossing, room);
    }
    snw__release(&s->from, columns.first, size);
    return columns.crossing ? SNW_OK : snw__fail_memory(s->error, room, "cuts of the columns");
}

/* ---- cuts ---------------------------------------------------------------------------------- */

/* Where the cut of edge (a, b) is in the table, or belongs. */
static stuffing_cut *find_cut(const stuffing *s, int64_t a, int64_t b, int64_t *key)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    int way = 0;
    while (neighbour(s, low, way) != high)
        way++;
    *key = low * 14 + way + 1;
    size_t at = (size_t)((uint64_t)*key * 0x9e3779b97f4a7c15u >> 20) & (s->room - 1);
    while (s->cut[at].key && s->cut[at].key != *key)
        at = (at + 1) & (s->room - 1);
    return s->cut + at;
}

static bool is_cut(const stuffing *s, int64_t a, int64_t b)
{
    return b >= 0 && s->state[a] * s->state[b] < 0;
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* Twice the room for an array that is full; false where there is no memory. */
static bool grow(stuffing *s, void **array, int *room, size_t element)
{
    int more = *room ? *room < INT32_MAX / 2 ? 2 * *room : 0 : 1024;
    void *wider = more ? snw__allocate(&s->from, (size_t)more * element) : NULL;
    if (!wider) {
        s->is_out_of_memory = true;
        return false;
    }
    if (*room) memcpy(wider, *array, (size_t)*room * element);
    snw__release(&s->from, *array, (size_t)*room * element);
    *array = wider;
    *room = more;
    return true;
}

static int add_vertex(stuffing *s, snw_vec3 place)
{
    if (s->vertex_count == s->vertex_room &&
        !grow(s, (void **)&s->place, &s->vertex_room, sizeof *s->place))
        return 0;
    s->place[s->vertex_count] = place;
    return s->vertex_count++;
}

static int vertex_of(stuffing *s, int64_t point)
{
    if (s->vertex[point] < 0) s->vertex[point] = add_vertex(s, lattice_place(s, point));
    return s->vertex[point];
}

static snw_vec3 cut_place(const stuffing *s, int64_t a, int64_t b, double share)
{
    snw_vec3 from = lattice_place(s, a < b ? a : b), to = lattice_place(s, a < b ? b : a);
    return snw_vec3_add_scaled(from, share, snw_vec3_sub(to, from));
}

static int cut_of(stuffing *s, int64_t a, int64_t b)
{
    int64_t key;
    stuffing_cut *cut = find_cut(s, a, b, &key);
    if (cut->vertex < 0) cut->vertex = add_vertex(s, cut_place(s, a, b, cut->share));
    return cut->vertex;
}

/* ---- tetrahedra ---------------------------------------------------------------------------- */

static void add_tet(stuffing *s, bool is_turned, int a, int b, int c, int d)
{
    if (s->tet_count == s->tet_room && !grow(s, (void **)&s->tet, &s->tet_room, sizeof *s->tet))
        return;
    int *tet = s->tet[s->tet_count++];
    tet[0] = a;
    tet[1] = b;
    tet[2] = is_turned ? d : c;
    tet[3] = is_turned ? c : d;
}

static bool is_long(const stuffing *s, int64_t a, int64_t b)
{
    return (a >= s->black) == (b >= s->black);
}

/* Whether the four-sided rest of face (x, y, outside m) is divided from x to the cut of (y, m), and
 * not from y: asked of the face alone, so that both tetrahedra on it agree. Where one of the cut
 * edges is long, from the end of the short one; else x and y are neighbours along an axis, and
 * every other point has the right. Never goes round in a ring. */
static bool divides_from(const stuffing *s, int64_t x, int64_t y, int64_t m)
{
    bool x_is_long = is_long(s, x, m), y_is_long = is_long(s, y, m);
    if (x_is_long != y_is_long) return !x_is_long;
    int at[3];
    bool is_red;
    coordinates(s, x, at, &is_red);
    return (at[0] + at[1] + at[2]) % 2 == 0;
}

static double distance2(const stuffing *s, int a, int b)
{
    snw_vec3 d = snw_vec3_sub(s->place[a], s->place[b]);
    return snw_vec3_dot(d, d);
}

/* Three inside: a prism of x, y, z over their cuts. p[3] is outside. */
static void divide_prism(stuffing *s, int64_t p[4], bool is_turned)
{
    /* x has the right over both others, z over none. */
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < 2; n++)
            if (!divides_from(s, p[n], p[n + 1], p[3])) {
                int64_t swap = p[n];
                p[n] = p[n + 1];
                p[n + 1] = swap;
                is_turned = !is_turned;
            }
    int x = vertex_of(s, p[0]), y = vertex_of(s, p[1]), z = vertex_of(s, p[2]);
    int cx = cut_of(s, p[0], p[3]), cy = cut_of(s, p[1], p[3]), cz = cut_of(s, p[2], p[3]);
    add_tet(s, is_turned, x, y, z, cz);
    add_tet(s, is_turned, x, y, cz, cy);
    add_tet(s, is_turned, x, cx, cy, cz);
}

/* Two inside (a, b), two outside (m, n): a wedge. Its four cuts are divided along the shorter
 * diagonal where the faces leave it free. */
static void divide_wedge(stuffing *s, const int64_t p[4], bool is_turned)
{
    bool m_from_a = divides_from(s, p[0], p[1], p[2]), n_from_a = divides_from(s, p[0], p[1], p[3]);
    int a = vertex_of(s, p[0]), b = vertex_of(s, p[1]);
    int am = cut_of(s, p[0], p[2]), an = cut_of(s, p[0], p[3]);
    int bm = cut_of(s, p[1], p[2]), bn = cut_of(s, p[1], p[3]);
    if (m_from_a != n_from_a) {
        if (m_from_a) {
            add_tet(s, is_turned, a, b, bm, an);
            add_tet(s, is_turned, a, am, an, bm);
            add_tet(s, is_turned, b, bm, an, bn);
        } else {
            add_tet(s, is_turned, a, b, am, bn);
            add_tet(s, is_turned, a, am, an, bn);
            add_tet(s, is_turned, b, bm, am, bn);
        }
        return;
    }
    int apex = m_from_a ? a : b;
    if (m_from_a)
        add_tet(s, is_turned, a, b, bm, bn);
    else
        add_tet(s, is_turned, a, b, am, an);
    if (s->is_out_of_memory) return;
    if (distance2(s, am, bn) < distance2(s, an, bm)) {
        add_tet(s, is_turned, apex, am, an, bn);
        add_tet(s, is_turned, apex, am, bn, bm);
    } else {
        add_tet(s, is_turned, apex, am, an, bm);
        add_tet(s, is_turned, apex, an, bn, bm);
    }
}

/* Two inside (a, b), one outside (m), one on the surface (z): a pyramid. */
static void divide_pyramid(stuffing *s, const int64_t p[4], bool is_turned)
{
    int a = vertex_of(s, p[0]), b = vertex_of(s, p[1]), z = vertex_of(s, p[3]);
    int am = cut_of(s, p[0], p[2]), bm = cut_of(s, p[1], p[2]);
    if (divides_from(s, p[0], p[1], p[2])) {
        add_tet(s, is_turned, a, b, bm, z);
        add_tet(s, is_turned, a, bm, am, z);
    } else {
        add_tet(s, is_turned, a, b, am, z);
        add_tet(s, is_turned, b, bm, am, z);
    }
}

/* What of a tetrahedron of the lattice is inside. */
static void fill_tet(stuffing *s, const int64_t corner[4])
{
    int inside = 0, outside = 0;
    for (int k = 0; k < 4; k++) {
        inside += s->state[corner[k]] > 0;
        outside += s->state[corner[k]] < 0;
    }
    if (!inside) return;
    int64_t p[4];
    memcpy(p, corner, sizeof p);
    bool is_turned = false; /* sorted: inside, outside, on the surface; odd swaps turn it */
    static const int8_t rank[3] = {1, 2, 0};
    for (int pass = 0; pass < 3 && outside; pass++)
        for (int n = 0; n < 3; n++)
            if (rank[s->state[p[n]] + 1] > rank[s->state[p[n + 1]] + 1]) {
                int64_t swap = p[n];
                p[n] = p[n + 1];
                p[n + 1] = swap;
                is_turned = !is_turned;
            }
    if (inside == 3 && outside == 1) {
        divide_prism(s, p, is_turned);
    } else if (inside == 2 && outside == 2) {
        divide_wedge(s, p, is_turned);
    } else if (inside == 2 && outside == 1) {
        divide_pyramid(s, p, is_turned);
    } else { /* whole, or one corner of it */
        int v[4];
        for (int k = 0; k < 4; k++)
            v[k] = s->state[p[k]] < 0 ? cut_of(s, p[0], p[k]) : vertex_of(s, p[k]);
        add_tet(s, is_turned, v[0], v[1], v[2], v[3]);
    }
}

static void fill_lattice(stuffing *s)
{
    for (int64_t red = s->black; red < s->all && !s->is_out_of_memory; red++) {
        int at[3];
        bool is_red;
        coordinates(s, red, at, &is_red);
        for (int d = 0; d < 3; d++) {
            int64_t next = neighbour(s, red, 2 * d + 1), ring[4];
            if (next < 0) continue;
            /* The face between them, right-handed about the way from one to the other. */
            for (int k = 0; k < 4; k++) {
                int c[3] = {at[0], at[1], at[2]};
                c[d]++;
                c[(d + 1) % 3] += k == 1 || k == 2;
                c[(d + 2) % 3] += k >= 2;
                ring[k] = point_at(s, false, c[0], c[1], c[2]);
            }
            for (int k = 0; k < 4; k++) {
                const int64_t corner[4] = {red, next, ring[k], ring[(k + 1) % 4]};
                fill_tet(s, corner);
            }
        }
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void lay_out(void *object, snw__block *block)
{
    stuffing *s = (stuffing *)object;
    s->state = (int8_t *)snw__block_take(block, (size_t)s->all, sizeof *s->state);
    s->vertex = (int *)snw__block_take(block, (size_t)s->all, sizeof *s->vertex);
}

static snw_status stuff(stuffing *s)
{
    snw_status status = mark_points(s, false);
    if (status == SNW_OK) status = mark_points(s, true);
    if (status != SNW_OK) return status;
    /* Room for the cuts. */
    size_t count = 0;
    for (int64_t p = 0; p < s->all; p++)
        for (int n = 0; n < 14; n++) {
            int64_t q = neighbour(s, p, n);
            count += q > p && is_cut(s, p, q);
        }
    s->cut_count = count;
    s->room = 64;
    while (s->room < 2 * s->cut_count)
        s->room *= 2;
    s->cut = (stuffing_cut *)snw__allocate(&s->from, s->room * sizeof *s->cut);
    if (!s->cut) return snw__fail_memory(s->error, s->room * sizeof *s->cut, "cuts of the lattice");
    for (int64_t p = 0; p < s->all; p++)
        for (int n = 0; n < 14; n++) {
            int64_t q = neighbour(s, p, n), key;
            if (q < p || !is_cut(s, p, q)) continue;
            double share =
                snw__mesh_tree_ray(&s->tree, lattice_place(s, p), lattice_place(s, q), -1);
            /* Missed by round-off: it is there all the same. */
            stuffing_cut *cut = find_cut(s, p, q, &key);
            *cut = (stuffing_cut){key, share >= 0 && share <= 1 ? share : 0.5, -1};
        }
    /* A point that a cut is too near to moves there, to the nearest; its other cuts are then none.
     */
    for (int64_t p = 0; p < s->all; p++) {
        double nearest = 1, place_share = 0;
        int64_t to = -1, key;
        for (int n = 0; n < 14; n++) {
            int64_t q = neighbour(s, p, n);
            if (!is_cut(s, p, q)) continue;
            double share = find_cut(s, p, q, &key)->share, own = p < q ? share : 1 - share;
            double far = own * (n < 6 ? 1 : 0.8660254037844386); /* of the cell */
            if (own >= stuffing_near[n >= 6] || far >= nearest) continue;
            nearest = far;
            to = q;
            place_share = share;
        }
        if (to < 0) continue;
        s->vertex[p] = add_vertex(s, cut_place(s, p, to, place_share));
        s->state[p] = STUFFING_ON;
    }
    fill_lattice(s);
    snw__release(&s->from, s->cut, s->room * sizeof *s->cut);
    if (s->is_out_of_memory)
        return snw__fail(s->error, SNW_OUT_OF_MEMORY, "no memory for tetrahedra");
    if (!s->tet_count)
        return snw__fail(s->error, SNW_DEGENERATE,
                         "no tetrahedron fits: the solid is thinner than cells of %g m", s->cell);
    return SNW_OK;
}

static snw_status hand_over(stuffing *s, snw_mesh **out)
{
    const snw_mesh_counts counts = {s->vertex_count, 0, 0, s->tet_count};
    snw_status status = snw_mesh_create(&counts, &s->from, out, s->error);
    if (status != SNW_OK) return status;
    memcpy((*out)->vertex, s->place, (size_t)s->vertex_count * sizeof *s->place);
    memcpy((*out)->tetrahedron, s->tet, (size_t)s->tet_count * sizeof *s->tet);
    return SNW_OK;
}

snw_status snw__mesh_stuff(const snw_mesh *surface, double cell, const snw_allocator *from,
                           snw_mesh **out, snw_error *error)
{
    stuffing s = {.surface = surface, .cell = cell, .from = *from, .error = error};
    /* A lattice that leaves a cell free on every side. It starts at no round share of a cell, so
     * that corners of boxes do not lie on its edges. */
    snw_vec3 high;
    snw_mesh_box(s.surface, &s.low, &high);
    const double size[3] = {high.x - s.low.x, high.y - s.low.y, high.z - s.low.z};
    double points = 2;
    for (int d = 0; d < 3; d++) {
        points *= size[d] / s.cell + 4;
        s.n[d] = (int)fmin(ceil(size[d] / s.cell) + 4, 1e9);
    }
    if (!(points < STUFFING_POINTS_MAX))
        return snw__fail(s.error, SNW_TOO_LARGE,
                         "cells of %g m are too small for a solid of %g x %g x %g m", s.cell,
                         size[0], size[1], size[2]);
    s.low = snw_vec3_add_scaled(s.low, -s.cell, snw_vec3_make(1.2345678, 1.3456789, 1.4567891));
    s.black = (int64_t)s.n[0] * s.n[1] * s.n[2];
    s.all = s.black + (int64_t)(s.n[0] - 1) * (s.n[1] - 1) * (s.n[2] - 1);
    snw_status status = snw__block_create(&s.block, lay_out, &s, &s.from, "the lattice", s.error);
    if (status == SNW_OK) memset(s.vertex, 0xff, (size_t)s.all * sizeof *s.vertex); /* -1 */
    if (status != SNW_OK) return status;
    status = snw__mesh_tree_create(surface, from, &s.tree, error);
    if (status == SNW_OK) {
        status = stuff(&s);
        if (status == SNW_OK) status = hand_over(&s, out);
        snw__mesh_tree_release(&s.tree);
    }
    snw__release(from, s.place, (size_t)s.vertex_room * sizeof *s.place);
    snw__release(from, s.tet, (size_t)s.tet_room * sizeof *s.tet);
    snw__block_release(from, &s.block);
    return status;
}
