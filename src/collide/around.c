/* A hull of few points round many: of a mesh with thousands of corners what a collision needs.
 *
 * Corners that lie farthest along directions all round are candidates; of those the one farthest
 * from the hull so far is kept, again and again. As that hull only grows, distances measured before
 * are upper bounds, and few have to be measured anew. What then still lies outside is as far as the
 * radius. */
#include <sinew/collide.h>

#include "base/elementary.h"
#include "collide/polytope.h"
#include "math/tolerance.h"

enum {
    AROUND_DIRECTIONS = 256 /* some 8 degrees between neighbours */
};

typedef struct around {
    const snw_vec3 *point;
    int count, candidate_count;
    int candidate[AROUND_DIRECTIONS];
    double bound[AROUND_DIRECTIONS]; /* how far from the hull at most */
    snw_shape hull;
} around;

static double gap_of(const around *a, snw_vec3 point)
{
    snw_shape one = snw_shape_sphere(point, 0);
    return snw__collide_gap(&(snw_placed_shape){&one, snw_xform_identity()},
                            &(snw_placed_shape){&a->hull, snw_xform_identity()});
}

/* Spread evenly over a sphere, by the golden angle. */
static snw_vec3 direction_of(int k)
{
    double z = 1 - (2 * k + 1.0) / AROUND_DIRECTIONS, across = sqrt(1 - z * z);
    double turn = k * SNW_PI * (3 - sqrt(5));
    return snw_vec3_make(across * snw__cos(turn), across * snw__sin(turn), z);
}

static void find_candidates(around *a)
{
    for (int k = 0; k < AROUND_DIRECTIONS; k++) {
        snw_vec3 along = direction_of(k);
        int best = 0;
        bool is_there = false;
        for (int p = 1; p < a->count; p++)
            if (snw_vec3_dot(along, a->point[p]) > snw_vec3_dot(along, a->point[best])) best = p;
        for (int c = 0; c < a->candidate_count; c++)
            is_there |= a->candidate[c] == best;
        if (is_there) continue;
        a->bound[a->candidate_count] = INFINITY;
        a->candidate[a->candidate_count++] = best;
    }
}

/* The candidate farthest from the hull, and how far. */
static int farthest_candidate(around *a, double *gap)
{
    for (;;) {
        int best = 0;
        for (int c = 1; c < a->candidate_count; c++)
            if (a->bound[c] > a->bound[best]) best = c;
        *gap = gap_of(a, a->point[a->candidate[best]]);
        if (!(*gap < a->bound[best])) return best;
        a->bound[best] = *gap;
    }
}

snw_shape snw_shape_hull_around(const snw_vec3 *points, int count, snw_vec3 *kept, int room)
{
    around a = {.point = points, .count = count, .hull = snw_shape_hull(kept, 0, 0)};
    double gap, size = 0;
    if (count < 1 || room < 1) return a.hull;
    find_candidates(&a);
    kept[a.hull.point_count++] = points[a.candidate[0]];
    while (a.hull.point_count < room) {
        int next = farthest_candidate(&a, &gap);
        size = fmax(size, gap);
        if (!(gap > SNW__EXACT * size)) break;
        kept[a.hull.point_count++] = points[a.candidate[next]];
    }
    for (int p = 0; p < count; p++)
        a.hull.radius = fmax(a.hull.radius, gap_of(&a, points[p]));
    return a.hull;
}
