/* The nearest pair of points between a line and a circle, as the exact global minimum.
 *
 * With s measured from the foot of the circle's centre on the line, and p, d the parts of (foot -
 * centre) and of the direction within the circle's plane, half the derivative of the squared
 * distance is
 *
 *     f(s) = s - rho (p + s d).d / |p + s d|,      |s| <= rho |d| at every root.
 *
 * f' = 1 - rho |p x d|^2 / |p + s d|^3 vanishes at most twice, symmetrically about the point
 * s0 = -p.d / |d|^2 of the line nearest to the circle's axis. Outside these two places f rises:
 * each side holds at most one minimum, found by bisection. No scan, no start value. */
#include <sinew/geometry.h>

#include "base/elementary.h"

typedef struct line_circle {
    snw_vec3 p, d; /* in the circle's plane */
    double rho;
} line_circle;

static double slope_at(const line_circle *problem, double s)
{
    snw_vec3 q = snw_vec3_add_scaled(problem->p, s, problem->d);
    double r = snw_vec3_length(q);
    if (!(r > 0)) return s; /* on the axis: midway between the limits from both sides */
    return s - problem->rho * (snw_vec3_dot(q, problem->d) / r);
}

/* Where the rising f changes sign within [low, high], or the end it points to. */
static double bisect(const line_circle *problem, double low, double high)
{
    for (;;) {
        double s = 0.5 * (low + high);
        if (!(s > low && s < high)) return s;
        if (slope_at(problem, s) < 0)
            low = s;
        else
            high = s;
    }
}

double snw_line_circle_nearest(snw_line line, snw_circle circle, snw_vec3 *on_line,
                               snw_vec3 *on_circle)
{
    snw_vec3 foot = snw_line_nearest(line, circle.center), n = circle.normal;
    snw_vec3 w = snw_vec3_sub(foot, circle.center);
    line_circle problem = {snw_vec3_add_scaled(w, -snw_vec3_dot(w, n), n),
                           snw_vec3_add_scaled(line.direction, -snw_vec3_dot(line.direction, n), n),
                           circle.radius};
    double d2 = snw_vec3_length2(problem.d), reach = circle.radius * sqrt(d2);
    double candidates[2] = {0, 0};
    /* Below 1e-30 the line is parallel to the axis to round-off: the foot is the answer. */
    if (d2 > 1e-30) {
        /* Half the width of the interval about s0 in which f falls. */
        double area2 = snw_vec3_length2(snw_vec3_cross(problem.p, problem.d));
        double r = snw__cbrt(problem.rho * area2);
        double s0 = -snw_vec3_dot(problem.p, problem.d) / d2,
               half = sqrt(fmax(0, (r * r - area2 / d2) / d2));
        candidates[0] = bisect(&problem, -reach, snw_clamp(s0 - half, -reach, reach));
        candidates[1] = bisect(&problem, snw_clamp(s0 + half, -reach, reach), reach);
    }
    double best = INFINITY;
    for (int i = 0; i < 2; i++) {
        snw_vec3 point = snw_vec3_add_scaled(foot, candidates[i], line.direction);
        snw_vec3 nearest = snw_circle_nearest(circle, point, snw_vec3_make(0, 0, 0));
        double distance = snw_vec3_distance(point, nearest);
        /* Equal to round-off counts as equal, so that the first one wins. */
        if (i > 0 && !(distance < best - 1e-14 * (best + circle.radius))) continue;
        best = distance;
        *on_line = point;
        *on_circle = nearest;
    }
    return best;
}
