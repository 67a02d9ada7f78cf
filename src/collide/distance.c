/* How far two convex shapes are apart: GJK on the Minkowski difference of their points, the
 * expanding polytope where those overlap, and the radii last.
 *
 * The nearest point of a simplex of up to four points is found over all of its 15 faces: the one
 * whose nearest point has positive weights and is nearest. That is slower than going from face to
 * face by signs, and does not fail where round-off contradicts itself. */
#include <sinew/collide.h>

#include <string.h>

#include "collide/polytope.h"
#include "math/tolerance.h"

/* Far more than shapes of a few dozen points take. */
#define GJK_ROUNDS 128
/* Nearer in square than this part of what there is: no progress. */
#define GJK_PROGRESS SNW__ROUND_OFF

/* ---- support -------------------------------------------------------------------------------- */

static snw_vec3 point_of(const snw_placed_shape *placed, int k)
{
    const snw_shape *shape = placed->shape;
    return snw_xform_point(placed->world, shape->point ? shape->point[k] : shape->own[k]);
}

/* The point that lies farthest along `direction` (world). */
static snw_vec3 farthest(const snw_placed_shape *placed, snw_vec3 direction)
{
    const snw_shape *shape = placed->shape;
    const snw_vec3 *point = shape->point ? shape->point : shape->own;
    snw_vec3 local = snw_quat_unrotate(placed->world.rotation, direction);
    int best = 0;
    double most = snw_vec3_dot(point[0], local);
    for (int k = 1; k < shape->point_count; k++) {
        double along = snw_vec3_dot(point[k], local);
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return point_of(placed, best);
}

snw__corner snw__collide_support(const snw_placed_shape *a, const snw_placed_shape *b,
                                 snw_vec3 direction)
{
    snw__corner corner;
    corner.a = farthest(a, direction);
    corner.b = farthest(b, snw_vec3_scale(direction, -1));
    corner.difference = snw_vec3_sub(corner.a, corner.b);
    return corner;
}

/* ---- the nearest point of a simplex --------------------------------------------------------- */

/* Weights of the point of the affine hull of corners that is nearest to the origin, in `count`
 * corners; false when they depend on each other. */
static bool weigh(const snw__corner *const *corner, int count, double weight[4])
{
    snw_vec3 base = corner[0]->difference, edge[3];
    double gram[3][3], right[3], solved[3] = {0, 0, 0};
    int n = count - 1;
    for (int i = 0; i < n; i++) {
        edge[i] = snw_vec3_sub(corner[i + 1]->difference, base);
        right[i] = -snw_vec3_dot(edge[i], base);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            gram[i][j] = snw_vec3_dot(edge[i], edge[j]);
    for (int k = 0; k < n; k++) { /* Gauss, the matrix is positive */
        double whole = snw_vec3_dot(edge[k], edge[k]);
        if (!(gram[k][k] > 1e-14 * whole)) return false;
        for (int r = k + 1; r < n; r++) {
            double factor = gram[r][k] / gram[k][k];
            for (int c = k; c < n; c++)
                gram[r][c] -= factor * gram[k][c];
            right[r] -= factor * right[k];
        }
    }
    weight[0] = 1;
    for (int k = n - 1; k >= 0; k--) {
        solved[k] = right[k];
        for (int c = k + 1; c < n; c++)
            solved[k] -= gram[k][c] * solved[c];
        solved[k] /= gram[k][k];
        weight[k + 1] = solved[k];
        weight[0] -= solved[k];
    }
    return true;
}

typedef struct simplex {
    int count;
    snw__corner corner[4];
    double weight[4];
    snw_vec3 nearest; /* to the origin */
} simplex;

/* Keeps the face that holds the nearest point. */
static void reduce(simplex *s)
{
    simplex best = {.count = 0};
    double least = INFINITY;
    for (int mask = 1; mask < 1 << s->count; mask++) {
        const snw__corner *corner[4];
        double weight[4];
        int count = 0;
        for (int k = 0; k < s->count; k++)
            if (mask & 1 << k) corner[count++] = &s->corner[k];
        if (!weigh(corner, count, weight)) continue;
        snw_vec3 at = snw_vec3_make(0, 0, 0);
        bool is_inside = true;
        for (int k = 0; k < count; k++) {
            is_inside &= weight[k] > 0 || count == 1;
            at = snw_vec3_add_scaled(at, weight[k], corner[k]->difference);
        }
        double length2 = snw_vec3_length2(at);
        if (!is_inside || !(length2 < least)) continue;
        least = length2;
        best.count = count;
        best.nearest = at;
        for (int k = 0; k < count; k++) {
            best.corner[k] = *corner[k];
            best.weight[k] = weight[k];
        }
    }
    *s = best;
}

/* ---- hulls ---------------------------------------------------------------------------------- */

static void use_simplex(const simplex *s, snw_contact *contact)
{
    contact->a = contact->b = snw_vec3_make(0, 0, 0);
    for (int k = 0; k < s->count; k++) {
        contact->a = snw_vec3_add_scaled(contact->a, s->weight[k], s->corner[k].a);
        contact->b = snw_vec3_add_scaled(contact->b, s->weight[k], s->corner[k].b);
    }
    contact->distance = snw_vec3_length(s->nearest);
    contact->normal = snw_vec3_unit(s->nearest, snw_vec3_make(0, 1, 0));
}

/* True with the contact of the points' hulls when they are apart; else the simplex holds the
 * origin. The radii do not count. */
static bool hulls_are_apart(const snw_placed_shape *a, const snw_placed_shape *b, simplex *around,
                            snw_contact *contact)
{
    simplex s = {.count = 1};
    double size = 0;
    s.corner[0] =
        snw__collide_support(a, b, snw_vec3_sub(a->world.translation, b->world.translation));
    reduce(&s);
    for (int round = 0; round < GJK_ROUNDS; round++) {
        snw__corner next = snw__collide_support(a, b, snw_vec3_scale(s.nearest, -1));
        double length2 = snw_vec3_length2(s.nearest);
        size = fmax(size, snw_vec3_length2(next.difference));
        if (length2 <= 1e-26 * size) break; /* the origin is inside, or on the surface */
        /* By how much the square of the distance may still fall. */
        double gain = length2 - snw_vec3_dot(s.nearest, next.difference);
        bool is_old = false; /* a corner that is there already */
        for (int k = 0; k < s.count; k++)
            is_old |= memcmp(&s.corner[k].difference, &next.difference, sizeof(snw_vec3)) == 0;
        if (gain <= GJK_PROGRESS * (length2 + size * 1e-3) || is_old) {
            use_simplex(&s, contact);
            return true;
        }
        simplex before = s;
        s.corner[s.count++] = next;
        reduce(&s);
        if (s.count == 0 || !(snw_vec3_length2(s.nearest) < length2)) {
            use_simplex(&before, contact);
            return true;
        }
    }
    *around = s;
    if (!(snw_vec3_length2(s.nearest) > 1e-26 * size)) return false;
    use_simplex(&s, contact);
    return true;
}

double snw__collide_gap(const snw_placed_shape *a, const snw_placed_shape *b)
{
    snw_contact contact;
    simplex around;
    return hulls_are_apart(a, b, &around, &contact) ? contact.distance : 0;
}

/* ---- points and segments -------------------------------------------------------------------- */

static double along_segment(snw_vec3 point, snw_vec3 from, snw_vec3 way, double length2)
{
    return length2 > 0 ? snw_clamp(snw_vec3_dot(snw_vec3_sub(point, from), way) / length2, 0, 1)
                       : 0;
}

/* Spheres and capsules: the nearest points of two segments (Ericson 2005, Real-Time Collision
 * Detection, 5.1.9), once more projected, for those that are nearly parallel. */
static void segment_contact(const snw_placed_shape *a, const snw_placed_shape *b,
                            snw_contact *contact)
{
    snw_vec3 p = point_of(a, 0), q = point_of(b, 0);
    snw_vec3 u = snw_vec3_sub(point_of(a, a->shape->point_count - 1), p);
    snw_vec3 v = snw_vec3_sub(point_of(b, b->shape->point_count - 1), q);
    snw_vec3 w = snw_vec3_sub(p, q);
    double uu = snw_vec3_length2(u), vv = snw_vec3_length2(v), uv = snw_vec3_dot(u, v);
    double det = uu * vv - uv * uv, s = 0;
    if (det > 0) s = snw_clamp((uv * snw_vec3_dot(v, w) - snw_vec3_dot(u, w) * vv) / det, 0, 1);
    for (int round = 0; round < 2; round++) {
        contact->a = snw_vec3_add_scaled(p, s, u);
        contact->b = snw_vec3_add_scaled(q, along_segment(contact->a, q, v, vv), v);
        s = along_segment(contact->b, p, u, uu);
    }
    contact->a = snw_vec3_add_scaled(p, s, u);
    snw_vec3 between = snw_vec3_sub(contact->a, contact->b);
    contact->distance = snw_vec3_length(between);
    /* Where they cross, across both. */
    if (contact->distance <= 1e-13 * sqrt(uu + vv + snw_vec3_length2(w))) {
        contact->distance = 0;
        between = snw_vec3_cross(u, v);
        if (!(snw_vec3_length2(between) > 1e-24 * uu * vv))
            between =
                snw_vec3_perpendicular(snw_vec3_unit(uu > vv ? u : v, snw_vec3_make(1, 0, 0)));
    }
    contact->normal = snw_vec3_unit(between, snw_vec3_make(0, 1, 0));
}

/* ---- planes --------------------------------------------------------------------------------- */

/* Of a hull a against the half-space b. */
static void plane_contact(const snw_placed_shape *a, const snw_placed_shape *b,
                          snw_contact *contact)
{
    snw_vec3 normal = snw_quat_rotate(b->world.rotation, b->shape->own[1]);
    snw_vec3 on = point_of(b, 0);
    snw_vec3 lowest = farthest(a, snw_vec3_scale(normal, -1));
    double height = snw_vec3_dot(snw_vec3_sub(lowest, on), normal);
    contact->normal = normal;
    contact->distance = height;
    contact->a = lowest;
    contact->b = snw_vec3_add_scaled(lowest, -height, normal);
}

void snw_shape_contact(const snw_placed_shape *a, const snw_placed_shape *b, snw_contact *contact)
{
    bool is_plane[2] = {a->shape->kind == SNW_SHAPE_PLANE, b->shape->kind == SNW_SHAPE_PLANE};
    if (is_plane[0] && is_plane[1]) {
        *contact = (snw_contact){-INFINITY, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}};
        return;
    }
    if (is_plane[0]) {
        plane_contact(b, a, contact);
        snw_vec3 turned = contact->a;
        contact->a = contact->b;
        contact->b = turned;
        contact->normal = snw_vec3_scale(contact->normal, -1);
    } else if (is_plane[1]) {
        plane_contact(a, b, contact);
    } else if (a->shape->point_count <= 2 && b->shape->point_count <= 2) {
        segment_contact(a, b, contact);
    } else {
        simplex around;
        if (!hulls_are_apart(a, b, &around, contact))
            snw__collide_overlap(a, b, around.corner, around.count, contact);
    }
    double ra = is_plane[0] ? 0 : a->shape->radius, rb = is_plane[1] ? 0 : b->shape->radius;
    contact->distance -= ra + rb;
    contact->a = snw_vec3_add_scaled(contact->a, -ra, contact->normal);
    contact->b = snw_vec3_add_scaled(contact->b, rb, contact->normal);
}
