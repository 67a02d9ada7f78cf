/* The irregular cone: four angles towards +x, +y, -x, -y of the swing plane, joined by quarters of
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
