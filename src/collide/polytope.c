/* The expanding polytope (van den Bergen 2001, "Proximity queries and penetration depth computation
 * on 3D game objects"): from a tetrahedron around the origin the face nearest to it is pushed out
 * to the surface of the difference, until it lies there. */
#include "collide/polytope.h"

#include <string.h>

#include "math/tolerance.h"

enum {
    POLYTOPE_CORNERS = 128,
    POLYTOPE_FACES = 2 * POLYTOPE_CORNERS, /* a closed one has 2 corners - 4 */
    POLYTOPE_EDGES = 2 * POLYTOPE_CORNERS
};
/* A face is on the surface when what lies beyond it is nearer than this part of the size. */
#define POLYTOPE_ON SNW__EXACT

typedef struct face {
    int corner[3];
    snw_vec3 normal; /* unit, outwards */
    double distance; /* of its plane from the origin */
} face;

typedef struct polytope {
    int corner_count, face_count;
    snw__corner corner[POLYTOPE_CORNERS];
    face face[POLYTOPE_FACES];
} polytope;

/* ---- the first tetrahedron ------------------------------------------------------------------ */

/* A direction across what there is of the simplex: `turn` of six tried for one point and so on. */
static snw_vec3 direction_across(const snw__corner *corner, int count, int turn)
{
    snw_vec3 axis = snw_vec3_make(turn % 3 == 0, turn % 3 == 1, turn % 3 == 2);
    double sign = turn >= 3 ? -1 : 1;
    if (count == 1) return snw_vec3_scale(axis, sign);
    snw_vec3 along = snw_vec3_sub(corner[1].difference, corner[0].difference);
    if (count == 2) return snw_vec3_scale(snw_vec3_cross(along, axis), sign);
    snw_vec3 other = snw_vec3_sub(corner[2].difference, corner[0].difference);
    return snw_vec3_scale(snw_vec3_cross(along, other), turn % 2 ? -1 : 1);
}

/* Adds corners until there are four; the number that could be found, and the flat direction. */
static int complete(const snw_placed_shape *a, const snw_placed_shape *b, snw__corner *corner,
                    int count, snw_vec3 *flat)
{
    double size = 0;
    for (int k = 0; k < 6; k++)
        size = fmax(
            size,
            snw_vec3_length(snw__collide_support(a, b, direction_across(corner, 1, k)).difference));
    size += 1e-300;
    while (count < 4) {
        double best = 0, power = count == 1 ? size : count == 2 ? size * size : size * size * size;
        snw__corner chosen = corner[0];
        for (int turn = 0; turn < 6; turn++) {
            snw_vec3 direction = direction_across(corner, count, turn);
            if (!(snw_vec3_length(direction) > 0)) continue;
            corner[count] = snw__collide_support(a, b, direction);
            /* Six times the volume, twice the area, or the length that the corners span. */
            snw_vec3 e[3];
            for (int k = 1; k <= count; k++)
                e[k - 1] = snw_vec3_sub(corner[k].difference, corner[0].difference);
            snw_vec3 area = count == 1 ? e[0] : snw_vec3_cross(e[0], e[1]);
            double span = count == 3 ? fabs(snw_vec3_dot(area, e[2])) : snw_vec3_length(area);
            if (span > best) {
                best = span;
                chosen = corner[count];
            }
        }
        if (!(best > 1e-12 * power)) {
            *flat = count == 3 ? direction_across(corner, 3, 0) : snw_vec3_make(0, 0, 0);
            if (count == 2)
                *flat = snw_vec3_perpendicular(
                    snw_vec3_unit(snw_vec3_sub(corner[1].difference, corner[0].difference),
                                  snw_vec3_make(1, 0, 0)));
            return count;
        }
        corner[count++] = chosen;
    }
    return count;
}

/* ---- faces ---------------------------------------------------------------------------------- */

/* False when the three corners lie on a line, or there is no room. */
static bool add_face(polytope *p, int i, int j, int k)
{
    if (p->face_count >= POLYTOPE_FACES) return false;
    snw_vec3 a = p->corner[i].difference;
    snw_vec3 across = snw_vec3_cross(snw_vec3_sub(p->corner[j].difference, a),
                                     snw_vec3_sub(p->corner[k].difference, a));
    if (!(snw_vec3_length(across) > 0)) return false;
    face *f = &p->face[p->face_count++];
    *f = (face){{i, j, k}, snw_vec3_unit(across, across), 0};
    f->distance = snw_vec3_dot(f->normal, a);
    return true;
}

typedef struct horizon {
    int count;
    int edge[POLYTOPE_EDGES][2];
} horizon;

/* An edge that two removed faces share is none of the horizon. */
static bool toggle_edge(horizon *h, int from, int to)
{
    for (int k = 0; k < h->count; k++)
        if (h->edge[k][0] == to && h->edge[k][1] == from) {
            h->count--;
            memmove(h->edge[k], h->edge[h->count], sizeof h->edge[k]);
            return true;
        }
    if (h->count >= POLYTOPE_EDGES) return false;
    h->edge[h->count][0] = from;
    h->edge[h->count++][1] = to;
    return true;
}

/* Takes a new corner in: the faces that it sees go, and the hole is closed with it. */
static bool grow(polytope *p, const snw__corner *corner, double on)
{
    horizon h = {0};
    int kept = 0;
    bool is_good = p->corner_count < POLYTOPE_CORNERS;
    for (int k = 0; k < p->face_count && is_good; k++) {
        face f = p->face[k];
        if (snw_vec3_dot(f.normal, corner->difference) - f.distance > on) {
            for (int e = 0; e < 3; e++)
                is_good &= toggle_edge(&h, f.corner[e], f.corner[(e + 1) % 3]);
        } else {
            p->face[kept++] = f;
        }
    }
    if (!is_good) return false;
    p->face_count = kept;
    p->corner[p->corner_count] = *corner;
    for (int k = 0; k < h.count && is_good; k++)
        is_good = add_face(p, h.edge[k][0], h.edge[k][1], p->corner_count);
    p->corner_count++;
    return is_good;
}

/* ---- the depth ------------------------------------------------------------------------------ */

void snw__collide_overlap(const snw_placed_shape *a, const snw_placed_shape *b,
                          const snw__corner *corner, int count, snw_contact *contact)
{
    polytope p;
    snw__corner four[5];
    snw_vec3 flat;
    double size = 0;
    memcpy(four, corner, (size_t)count * sizeof *corner);
    if (complete(a, b, four, count, &flat) < 4) {
        contact->distance = 0;
        contact->normal = snw_vec3_unit(flat, snw_vec3_make(0, 1, 0));
        contact->a = contact->b = four[0].a;
        return;
    }
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    memcpy(p.corner, four, 4 * sizeof *four);
    p.corner_count = 4;
    p.face_count = 0;
    for (int n = 0; n < 4; n++) {
        const int *f = faces[n];
        snw_vec3 base = four[f[0]].difference;
        snw_vec3 across = snw_vec3_cross(snw_vec3_sub(four[f[1]].difference, base),
                                         snw_vec3_sub(four[f[2]].difference, base));
        /* The fourth corner is on the inner side. */
        bool is_outward = snw_vec3_dot(across, snw_vec3_sub(four[f[3]].difference, base)) <= 0;
        (void)add_face(&p, f[0], is_outward ? f[1] : f[2], is_outward ? f[2] : f[1]);
    }
    for (int k = 0; k < 4; k++)
        size = fmax(size, snw_vec3_length(four[k].difference));
    for (int round = 0; round < POLYTOPE_CORNERS; round++) {
        int nearest = 0;
        for (int k = 1; k < p.face_count; k++)
            if (p.face[k].distance < p.face[nearest].distance) nearest = k;
        face f = p.face[nearest];
        snw__corner next = snw__collide_support(a, b, f.normal);
        double beyond = snw_vec3_dot(next.difference, f.normal) - f.distance;
        /* Weights of a point of the triangle's plane in its corners. */
        const snw__corner *c[3] = {&p.corner[f.corner[0]], &p.corner[f.corner[1]],
                                   &p.corner[f.corner[2]]};
        snw_vec3 at = snw_vec3_scale(f.normal, f.distance);
        double area[3], sum = 0;
        contact->a = contact->b = snw_vec3_make(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            snw_vec3 u = snw_vec3_sub(c[(k + 1) % 3]->difference, at);
            snw_vec3 v = snw_vec3_sub(c[(k + 2) % 3]->difference, at);
            area[k] = snw_vec3_dot(snw_vec3_cross(u, v), f.normal);
            sum += area[k];
        }
        for (int k = 0; k < 3; k++) {
            contact->a = snw_vec3_add_scaled(contact->a, area[k] / sum, c[k]->a);
            contact->b = snw_vec3_add_scaled(contact->b, area[k] / sum, c[k]->b);
        }
        contact->distance = -f.distance;
        contact->normal = snw_vec3_scale(f.normal, -1);
        if (beyond <= POLYTOPE_ON * size || !grow(&p, &next, 0.5 * POLYTOPE_ON * size)) return;
        if (p.face_count == 0) return;
    }
}
