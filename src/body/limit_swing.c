/* Regions of the swing plane that a ball's bone may point to: the cone and the window.
 *
 * The irregular cone: four angles towards +x, +y, -x, -y of the swing plane, joined by quarters of
 * ellipses with those angles as semi-axes.
 *
 * Why not ellipses in a plane across the bone, with semi-axes S tan(angle): they collapse for a
 * target abeam (S -> 0), are infinite or negative from 90 degrees on, and jump for a target behind.
 * In the swing plane, whose distances from the middle are the angles themselves, every angle up to
 * pi is an ordinary semi-axis.
 *
 * The quarters meet at the axes with common tangents, so the region is convex: every point has one
 * nearest point, it lies in the same quadrant (the outward normal of a quarter points into its own
 * quadrant), and two projections are never further apart than what was projected.
 *
 * All of this in the metric of the swing plane. It is not that of directions: for 60 by 20 degrees
 * the result is up to 1.9 degrees further than the nearest direction for targets in front, and much
 * further for targets behind, where the plane keeps to the side the target is on. In exchange the
 * result jumps at one direction only, straight behind; the nearest direction jumps all along the
 * cut between two equally near sides. */
#include <sinew/geometry.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "body/limit.h"

/* A semi-axis below this is zero: a tenth of what counts as inside. It keeps the squares below far
 * from underflow. */
#define CONE_FLAT (0.1 * SNW_LIMIT_TOLERANCE)

/* A rotation put on the edge is read back some round-off outside it. With this slack, half of the
 * tolerance, it is known to be allowed without looking for the nearest point again. */
#define CONE_SLACK (0.5 * SNW_LIMIT_TOLERANCE)

/* Semi-axes of the quadrant of a point; on an axis either neighbour does. */
static snw__swing semi_axes(const double cone[4], snw__swing point)
{
    snw__swing axes = {point.x >= 0 ? cone[0] : cone[2], point.y >= 0 ? cone[1] : cone[3]};
    return axes;
}

bool snw__cone_binds(const double cone[4])
{
    return !(cone[0] >= SNW_PI && cone[1] >= SNW_PI && cone[2] >= SNW_PI && cone[3] >= SNW_PI);
}

bool snw__cone_holds(const double cone[4], snw__swing point)
{
    snw__swing axes = semi_axes(cone, point);
    if (axes.x <= CONE_FLAT || axes.y <= CONE_FLAT)
        return fabs(point.x) <= axes.x + CONE_SLACK && fabs(point.y) <= axes.y + CONE_SLACK;
    /* (x/a)^2 + (y/b)^2 = 1 + e is e/2 of its own length outside, along the ray from the middle: at
     * most pi/2 e. */
    double u = point.x * axes.y, v = point.y * axes.x, bound = axes.x * axes.y;
    return u * u + v * v <= bound * bound * (1 + CONE_SLACK);
}

snw__swing snw__cone_nearest(const double cone[4], snw__swing point)
{
    snw__swing axes = semi_axes(cone, point), nearest;
    if (axes.x <= CONE_FLAT || axes.y <= CONE_FLAT) {
        nearest.x = axes.x <= CONE_FLAT ? 0 : snw_clamp(point.x, -axes.x, axes.x);
        nearest.y = axes.y <= CONE_FLAT ? 0 : snw_clamp(point.y, -axes.y, axes.y);
    } else if (axes.x == axes.y) {
        double scale = axes.x / snw__hypot(point.x, point.y);
        nearest.x = point.x * scale;
        nearest.y = point.y * scale;
    } else {
        double found[2];
        snw_ellipse_nearest(axes.x, axes.y, point.x, point.y, found);
        nearest.x = found[0];
        nearest.y = found[1];
    }
    return nearest;
}

/* ---- the window -----------------------------------------------------------------------------
 *
 * A simple polygon in the swing plane, convex or not, around the middle or beside it. Nearest
 * points are nearest in the swing plane. */

static snw__swing corner(const snw_joint_limit *limit, int index)
{
    snw__swing at = {limit->window[index][0], limit->window[index][1]};
    return at;
}

static snw__swing next_corner(const snw_joint_limit *limit, int index)
{
    return corner(limit, index + 1 < limit->window_count ? index + 1 : 0);
}

/* Positive where `point` is to the left of the way from a to b. */
static double side_of(snw__swing a, snw__swing b, snw__swing point)
{
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

bool snw__window_holds(const snw_joint_limit *limit, snw__swing point)
{
    /* Even-odd rule: edges crossed on the way to +x. Half-open in y, so that a corner counts once.
     */
    bool is_inside = false;
    for (int i = 0; i < limit->window_count; i++) {
        snw__swing a = corner(limit, i), b = next_corner(limit, i);
        if ((a.y > point.y) == (b.y > point.y)) continue;
        if ((side_of(a, b, point) > 0) == (b.y > a.y)) is_inside = !is_inside;
    }
    return is_inside;
}

static snw__swing nearest_on_segment(snw__swing a, snw__swing b, snw__swing point)
{
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double along = (point.x - a.x) * dx + (point.y - a.y) * dy;
    double t = length2 > 0 ? snw_clamp(along / length2, 0, 1) : 0;
    snw__swing nearest = {a.x + t * dx, a.y + t * dy};
    return nearest;
}

static double distance2(snw__swing a, snw__swing b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

snw__swing snw__window_nearest(const snw_joint_limit *limit, snw__swing point)
{
    snw__swing best = corner(limit, 0);
    double best2 = distance2(best, point);
    for (int i = 0; i < limit->window_count; i++) {
        snw__swing candidate = nearest_on_segment(corner(limit, i), next_corner(limit, i), point);
        double candidate2 = distance2(candidate, point);
        if (candidate2 >= best2) continue;
        best = candidate;
        best2 = candidate2;
    }
    return best;
}

/* ---- is it a simple polygon -------------------------------------------------------------------
 */

/* Distance of two segments that do not cross: one of the four ends is nearest to the other. */
static double ends_distance2(snw__swing a, snw__swing b, snw__swing c, snw__swing d)
{
    double from_ab =
        fmin(distance2(a, nearest_on_segment(c, d, a)), distance2(b, nearest_on_segment(c, d, b)));
    double from_cd =
        fmin(distance2(c, nearest_on_segment(a, b, c)), distance2(d, nearest_on_segment(a, b, d)));
    return fmin(from_ab, from_cd);
}

/* Corners and edges that should be apart must be so by more than what counts as inside. */
#define WINDOW_APART2 (SNW_LIMIT_TOLERANCE * SNW_LIMIT_TOLERANCE)

/* Edges i and j, i < j, of a polygon of n corners: neighbours may share their corner only. */
static bool edges_touch(const snw_joint_limit *limit, int i, int j)
{
    snw__swing a = corner(limit, i), b = next_corner(limit, i);
    snw__swing c = corner(limit, j), d = next_corner(limit, j);
    if (j == i + 1) {
        /* Shared corner b = c: the far ends must not lie on the other edge (a fold). */
        return distance2(d, nearest_on_segment(a, b, d)) <= WINDOW_APART2 ||
               distance2(a, nearest_on_segment(c, d, a)) <= WINDOW_APART2;
    }
    if (i == 0 && j == limit->window_count - 1) {
        return distance2(c, nearest_on_segment(a, b, c)) <= WINDOW_APART2 ||
               distance2(b, nearest_on_segment(c, d, b)) <= WINDOW_APART2;
    }
    return ((side_of(a, b, c) > 0) != (side_of(a, b, d) > 0) &&
            (side_of(c, d, a) > 0) != (side_of(c, d, b) > 0)) ||
           ends_distance2(a, b, c, d) <= WINDOW_APART2;
}

/* The swing straight behind (half a turn) is the whole circle |p| = pi of the swing plane, and
 * there azimuth and twist are one and the same. Windows stay this far from it, so that both can be
 * read back from a rotation at their edge to 1e-16 / 1e-6 = 1e-10, below the tolerance. */
#define WINDOW_REACH (SNW_PI - 1e-6)

snw_status snw__window_check(const snw_joint_limit *limit, snw_error *error)
{
    int count = limit->window_count;
    if (count < 3 || count > SNW_WINDOW_MAX)
        return snw__fail(error, SNW_INVALID_ARGUMENT, "the window has %d corners, not 3 to %d",
                         count, SNW_WINDOW_MAX);
    for (int i = 0; i < limit->window_count; i++) {
        snw__swing at = corner(limit, i);
        snw__place place = {-1, -1, -1, i, NULL};
        if (!isfinite(at.x) || !isfinite(at.y))
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                "corner %d of the window is not finite", i);
        if (snw__hypot(at.x, at.y) > WINDOW_REACH)
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                "corner %d of the window is straight behind or beyond (%g rad)", i,
                                snw__hypot(at.x, at.y));
        if (distance2(at, next_corner(limit, i)) <= WINDOW_APART2)
            return snw__fail_at(error, SNW_INVALID_ARGUMENT, place,
                                "corner %d of the window and the next are the same", i);
    }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (edges_touch(limit, i, j))
                return snw__fail(error, SNW_INVALID_ARGUMENT,
                                 "edges %d and %d of the window cross or touch", i, j);
    return snw__succeed(error);
}
