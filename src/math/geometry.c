/* Where spheres, planes, lines and circles meet, and what is nearest. Plain vector forms; the
 * conformal module states the same results as blades and is tested against these.
 *
 * Nearest point on an ellipse after Eberly, "Distance from a point to an ellipse" (2013). Two-link
 * angles and the plane-circle form after Casanueva with the signs corrected. */
#include <sinew/geometry.h>

#include "base/elementary.h"
#include "math/tolerance.h"

snw_plane snw_plane_make(snw_vec3 normal, double offset)
{
    snw_vec3 unit = snw_vec3_unit(normal, snw_vec3_make(0, 0, 0));
    double length = snw_vec3_dot(normal, unit);
    snw_plane plane = {snw_vec3_make(0, 0, 1), 0};
    if (!(length > 0) || !isfinite(offset / length)) return plane;
    plane.normal = unit;
    plane.offset = offset / length;
    return plane;
}

snw_line snw_line_make(snw_vec3 from, snw_vec3 to)
{
    snw_line line = {from, snw_vec3_unit(snw_vec3_sub(to, from), snw_vec3_make(1, 0, 0))};
    return line;
}

snw_vec3 snw_sphere_nearest(snw_sphere sphere, snw_vec3 point, snw_vec3 fallback)
{
    fallback = snw_vec3_unit(fallback, snw_vec3_make(1, 0, 0));
    snw_vec3 outward = snw_vec3_unit(snw_vec3_sub(point, sphere.center), fallback);
    return snw_vec3_add_scaled(sphere.center, sphere.radius, outward);
}

snw_vec3 snw_plane_nearest(snw_plane plane, snw_vec3 point)
{
    return snw_vec3_add_scaled(point, plane.offset - snw_vec3_dot(point, plane.normal),
                               plane.normal);
}

snw_vec3 snw_line_nearest(snw_line line, snw_vec3 point)
{
    double along = snw_vec3_dot(snw_vec3_sub(point, line.point), line.direction);
    return snw_vec3_add_scaled(line.point, along, line.direction);
}

/* The part of v perpendicular to the unit vector n, to round-off of that part: the second
 * subtraction removes what the first one's rounding left along n. */
static snw_vec3 reject(snw_vec3 v, snw_vec3 n)
{
    v = snw_vec3_add_scaled(v, -snw_vec3_dot(v, n), n);
    return snw_vec3_add_scaled(v, -snw_vec3_dot(v, n), n);
}

/* Unit direction of v within the plane perpendicular to n; `otherwise` where v has no part in it
 * beyond the round-off of its length. */
static snw_vec3 direction_in_plane(snw_vec3 v, snw_vec3 n, snw_vec3 otherwise)
{
    snw_vec3 part = reject(v, n);
    if (!(snw_vec3_length(part) > 4e-16 * snw_vec3_length(v))) return otherwise;
    return snw_vec3_unit(part, otherwise);
}

snw_vec3 snw_circle_nearest(snw_circle circle, snw_vec3 point, snw_vec3 fallback)
{
    snw_vec3 fixed = snw_vec3_perpendicular(circle.normal);
    fallback = direction_in_plane(fallback, circle.normal, fixed);
    snw_vec3 outward =
        direction_in_plane(snw_vec3_sub(point, circle.center), circle.normal, fallback);
    return snw_vec3_add_scaled(circle.center, circle.radius, outward);
}

/* ---- ellipse ------------------------------------------------------------------------------ */

/* The root t > 0 of g(t) = (r z0/(t + r - 1))^2 + (z1/t)^2 - 1, with r - 1 = excess. g falls and is
 * convex, and each term alone is 1 at one of the two start values: Newton's steps from the left
 * cannot pass the root and only ever move right, so the first one that does not ends the search
 * (2 to 8 are common). t is Eberly's s + 1, which keeps its digits for points near the long axis.
 */
static double ellipse_root(double excess, double z0, double z1)
{
    double pull = (excess + 1) * z0, t = fmax(z1, pull - excess);
    for (int step = 0; step < 200; step++) {
        double u = pull / (t + excess), v = z1 / t;
        double g = (u - 1) * (u + 1) + v * v;
        double next = t + 0.5 * g / (u * u / (t + excess) + v * v / t);
        if (!(next > t)) break;
        t = next;
    }
    return t;
}

/* a >= b > 0 and x, y >= 0. */
static void ellipse_first_quadrant(double a, double b, double x, double y, double nearest[2])
{
    double z0 = x / a, z1 = y / b;
    /* (a - b)(a + b) / a is the reach of the evolute along the long axis: inside it the nearest
     * point is off the axis. */
    double evolute = (a - b) * (1 + b / a);
    if (z1 > 0 && z0 > 0) {
        double excess = (a - b) / b * ((a + b) / b);
        double t = ellipse_root(excess, z0, z1);
        nearest[0] = (excess + 1) * x / (t + excess);
        nearest[1] = y / t;
    } else if (z1 > 0) {
        nearest[0] = 0;
        nearest[1] = b;
    } else if (x < evolute) {
        double fraction = x / evolute;
        nearest[0] = a * fraction;
        nearest[1] = b * sqrt((1 - fraction) * (1 + fraction));
    } else {
        nearest[0] = a;
        nearest[1] = 0;
    }
}

void snw_ellipse_nearest(double a, double b, double x, double y, double nearest[2])
{
    double px = fabs(x), py = fabs(y);
    bool is_swapped = a < b;
    double longer = is_swapped ? b : a, shorter = is_swapped ? a : b;
    double u = is_swapped ? py : px, v = is_swapped ? px : py, found[2];
    /* Flatter than this, (a/b)^2 overflows, and it is a segment to far below round-off. */
    if (shorter > 1e-100 * longer) {
        ellipse_first_quadrant(longer, shorter, u, v, found);
    } else {
        found[0] = fmin(u, longer);
        double fraction = longer > 0 ? found[0] / longer : 1;
        found[1] = shorter * sqrt((1 - fraction) * (1 + fraction));
    }
    nearest[0] = copysign(is_swapped ? found[1] : found[0], x);
    nearest[1] = copysign(is_swapped ? found[0] : found[1], y);
}

/* ---- where things meet -------------------------------------------------------------------- */

/* Two surfaces along one axis without a common circle: the point midway between the surfaces that
 * face each other, as a distance from the first centre along u. Spheres that touch from outside may
 * overlap by round-off: the smaller gap says which surfaces face each other. */
static double compromise(double r1, double r2, double d)
{
    if (d >= r1 + r2 || r1 + r2 - d < d - fabs(r1 - r2)) return 0.5 * (r1 + d - r2);
    return r1 >= r2 ? 0.5 * (r1 + d + r2) : -0.5 * (r1 + r2 - d);
}

snw_meet snw_sphere_sphere(snw_sphere a, snw_sphere b, snw_circle *circle)
{
    double r1 = a.radius, r2 = b.radius, larger = fmax(r1, r2);
    snw_vec3 between = snw_vec3_sub(b.center, a.center);
    double d = snw_vec3_length(between);
    snw_vec3 u = snw_vec3_unit(between, snw_vec3_make(1, 0, 0));
    circle->normal = u;
    circle->radius = 0;
    circle->center = a.center;
    /* Centres closer than this fraction of the larger radius have no direction between them. */
    if (!(d > SNW__EXACT * larger)) {
        circle->normal = snw_vec3_make(1, 0, 0);
        return SNW_MEET_SAME;
    }
    /* Relative difference below which a crossing counts as touching: the half chord is then below
     * sqrt(2e-14) = 1.4e-7 of the radius and the two points differ only by round-off. */
    double outer = r1 + r2 - d, inner = d - fabs(r1 - r2), slack = SNW__ROUND_OFF * (larger + d);
    if (outer <= slack || inner <= slack) {
        circle->center = snw_vec3_add_scaled(a.center, compromise(r1, r2, d), u);
        if (outer >= -slack && inner >= -slack) return SNW_MEET_TOUCH;
        return outer < 0 ? SNW_MEET_APART : SNW_MEET_NESTED;
    }
    /* h = (d^2 + r1^2 - r2^2) / 2d; the radius from Heron's product, which does not cancel. */
    double h = 0.5 * (d + (r1 - r2) * ((r1 + r2) / d));
    circle->center = snw_vec3_add_scaled(a.center, h, u);
    circle->radius = sqrt(outer * (r1 + r2 + d)) * (sqrt(inner * (d + fabs(r1 - r2))) / (2 * d));
    return SNW_MEET_CROSS;
}

snw_meet snw_sphere_sphere_nearest(const snw_sphere spheres[2], snw_vec3 estimate,
                                   snw_vec3 fallback, snw_vec3 *point)
{
    snw_circle circle;
    snw_meet meet = snw_sphere_sphere(spheres[0], spheres[1], &circle);
    if (meet == SNW_MEET_SAME)
        *point = estimate;
    else if (meet == SNW_MEET_CROSS)
        *point = snw_circle_nearest(circle, estimate, fallback);
    else
        *point = circle.center;
    return meet;
}

/* first = middle + half along, second = middle - half along. */
static snw_point_pair pair_about(snw_vec3 middle, double half, snw_vec3 along)
{
    snw_point_pair pair = {snw_vec3_add_scaled(middle, half, along),
                           snw_vec3_add_scaled(middle, -half, along)};
    return pair;
}

snw_meet snw_plane_circle(snw_plane plane, snw_circle circle, snw_point_pair *points)
{
    double radius = circle.radius;
    snw_vec3 in_plane = reject(plane.normal, circle.normal); /* (a, b) of the flat form */
    double slope = snw_vec3_length(in_plane);                /* sqrt(a^2 + b^2) = sine */
    if (!(slope > 1e-6)) {
        snw_vec3 fixed = snw_vec3_perpendicular(circle.normal);
        *points = pair_about(snw_vec3_add_scaled(circle.center, radius, fixed), 0, fixed);
        return SNW_MEET_SAME;
    }
    snw_vec3 toward = snw_vec3_scale(in_plane, 1 / slope);
    snw_vec3 along = snw_vec3_cross(circle.normal, toward);
    double e = (plane.offset - snw_vec3_dot(plane.normal, circle.center)) / slope;
    double gap = radius - fabs(e), slack = SNW__ROUND_OFF * (radius + fabs(e));
    if (gap <= slack) {
        snw_vec3 touch = snw_vec3_add_scaled(circle.center, copysign(radius, e), toward);
        *points = pair_about(touch, 0, along);
        return gap >= -slack ? SNW_MEET_TOUCH : SNW_MEET_APART;
    }
    *points = pair_about(snw_vec3_add_scaled(circle.center, e, toward),
                         sqrt(gap * (radius + fabs(e))), along);
    return SNW_MEET_CROSS;
}

snw_meet snw_line_sphere(snw_line line, snw_sphere sphere, snw_point_pair *points)
{
    snw_vec3 foot = snw_line_nearest(line, sphere.center);
    double distance = snw_vec3_distance(foot, sphere.center), radius = sphere.radius;
    double gap = radius - distance, slack = SNW__ROUND_OFF * (radius + distance);
    double half = gap > slack ? sqrt(gap * (radius + distance)) : 0;
    *points = pair_about(foot, -half, line.direction);
    return gap > slack ? SNW_MEET_CROSS : gap >= -slack ? SNW_MEET_TOUCH : SNW_MEET_APART;
}

bool snw_circumcircle(snw_vec3 p, snw_vec3 q, snw_vec3 r, snw_circle *circle)
{
    const snw_vec3 zero = {0, 0, 0};
    /* Measured from the corner opposite the longest side, so that a and b are the shorter two. */
    double pq = snw_vec3_distance(p, q), qr = snw_vec3_distance(q, r), rp = snw_vec3_distance(r, p);
    snw_vec3 corner = r, from = p, to = q;
    if (qr > pq && qr >= rp) {
        corner = p, from = q, to = r;
    } else if (rp > pq) {
        corner = q, from = r, to = p;
    }
    snw_vec3 a = snw_vec3_sub(from, corner), b = snw_vec3_sub(to, corner);
    snw_vec3 ua = snw_vec3_unit(a, zero), ub = snw_vec3_unit(b, zero);
    snw_vec3 cross = snw_vec3_cross(ua, ub);
    double sine = snw_vec3_length(cross);
    if (!(sine > 1e-9)) {
        circle->center = snw_vec3_lerp(from, to, 0.5);
        circle->radius = 0.5 * fmax(pq, fmax(qr, rp));
        circle->normal = snw_vec3_perpendicular(snw_vec3_sub(to, from));
        return false;
    }
    /* center - corner = (|a|^2 b - |b|^2 a) x (a x b) / (2 |a x b|^2), written in unit vectors so
     * that no fourth power of a length appears. */
    circle->normal = snw_vec3_scale(cross, 1 / sine);
    snw_vec3 mixed = snw_vec3_sub(snw_vec3_scale(ub, snw_vec3_length(a)),
                                  snw_vec3_scale(ua, snw_vec3_length(b)));
    snw_vec3 offset = snw_vec3_scale(snw_vec3_cross(mixed, circle->normal), 0.5 / sine);
    circle->center = snw_vec3_add(corner, offset);
    circle->radius = snw_vec3_length(offset);
    return true;
}

/* ---- two links ---------------------------------------------------------------------------- */

snw_meet snw_two_link(double m, double n, double x, double y, snw_two_link_angles solutions[2])
{
    double d = snw__hypot(x, y), sum = m + n, slack = SNW__ROUND_OFF * (sum + d);
    double outer = sum - d, inner = d - fabs(m - n);
    double heading = d > 0 ? snw__atan2(y, x) : 0;
    snw_meet meet = outer < -slack || inner < -slack
                        ? (outer < 0 ? SNW_MEET_APART : SNW_MEET_NESTED)
                    : outer <= slack || inner <= slack ? SNW_MEET_TOUCH
                                                       : SNW_MEET_CROSS;
    if (meet == SNW_MEET_TOUCH && !(d > SNW__EXACT * sum)) meet = SNW_MEET_SAME;
    if (meet == SNW_MEET_CROSS) {
        /* Half-angle forms of the law of cosines: no cancellation near stretched or folded. */
        double bend = 2 * snw__atan2(sqrt(outer * (sum + d)), sqrt(inner * (d + fabs(m - n))));
        double s = snw__sin(bend), c = snw__cos(bend);
        double lean = snw__atan2(n * s, m + n * c);
        solutions[0] = (snw_two_link_angles){snw_wrap_angle(heading - lean), bend};
        solutions[1] = (snw_two_link_angles){snw_wrap_angle(heading + lean), -bend};
        return meet;
    }
    /* Stretched, or folded with the longer link toward the target. */
    bool is_folded = inner <= slack && outer > slack;
    double first = is_folded && n > m ? snw_wrap_angle(heading + SNW_PI) : heading;
    if (meet == SNW_MEET_SAME) {
        first = 0;
        is_folded = true;
    }
    solutions[0] = (snw_two_link_angles){first, is_folded ? SNW_PI : 0};
    solutions[1] = (snw_two_link_angles){first, is_folded ? -SNW_PI : 0};
    return meet;
}
