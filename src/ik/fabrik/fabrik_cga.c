/* fabrik-cga: FABRIK in conformal geometric algebra, after Aristidou & Lasenby's own formulation.
 *
 * The same sweeps as fabrik; the points they ask for are found with blades: a joint moves to where
 * the line through the old and the new place meets the sphere around the new end whose radius is
 * the bone, L v S, a point pair of which the nearer one is taken; goals on lines and planes reflect
 * the point in the blade. The algebra carries x^2 beside 1, so every question is put in a frame at
 * the centre with the bone (or the distance) as unit; answers then agree with the Euclidean ones to
 * round-off. */
#include <sinew/cga.h>

#include "ik/fabrik/fabrik.h"

static snw_vec3 cga_on_sphere(snw_vec3 center, double radius, snw_vec3 toward, snw_vec3 fallback)
{
    snw_vec3 way = snw_vec3_sub(toward, center), nearest;
    double length = snw_vec3_length(way);
    /* Only the direction counts, so the point is brought near the unit sphere. */
    snw_vec3 seen = length > 1e-12 * radius ? snw_vec3_scale(way, 1.0 / length)
                                            : snw_vec3_unit(fallback, snw_vec3_make(1, 0, 0));
    snw_vec3 origin = {0, 0, 0};
    snw_cga sphere = snw_cga_sphere((snw_sphere){origin, 1.0});
    snw_cga line = snw_cga_line_through(origin, seen);
    snw_point_pair pair;
    (void)snw_cga_to_pair(snw_cga_meet(line, 3, sphere, 4), &pair);
    nearest = snw_vec3_distance(pair.first, seen) <= snw_vec3_distance(pair.second, seen)
                  ? pair.first
                  : pair.second;
    return snw_vec3_add_scaled(center, radius, nearest);
}

/* Nearest points are asked for in a frame at `through` with the distance to the point as unit. */
static snw_vec3 cga_on_line(snw_vec3 through, snw_vec3 direction, snw_vec3 point)
{
    snw_vec3 origin = {0, 0, 0}, way = snw_vec3_sub(point, through), nearest = origin;
    double unit = snw_vec3_length(way);
    if (!(unit > 0)) return point;
    snw_cga line = snw_cga_line((snw_line){origin, direction});
    (void)snw_cga_nearest_on_line(line, snw_vec3_scale(way, 1.0 / unit), &nearest);
    return snw_vec3_add_scaled(through, unit, nearest);
}

static snw_vec3 cga_on_plane(snw_vec3 through, snw_vec3 normal, snw_vec3 point)
{
    snw_vec3 origin = {0, 0, 0}, way = snw_vec3_sub(point, through), nearest = origin;
    double unit = snw_vec3_length(way);
    if (!(unit > 0)) return point;
    snw_cga plane = snw_cga_plane((snw_plane){normal, 0});
    (void)snw_cga_nearest_on_plane(plane, snw_vec3_scale(way, 1.0 / unit), &nearest);
    return snw_vec3_add_scaled(through, unit, nearest);
}

static snw__ik_report fabrik_cga_solve(const snw_ik *ik, void *state, const snw_goal *goals,
                                       snw_pose *pose)
{
    static const snw__fabrik_geometry conformal = {cga_on_sphere, cga_on_line, cga_on_plane};
    snw__ik_report report = snw__fabrik_run(ik, state, &conformal, goals, pose);
    report.solver = SNW_IK_FABRIK_CGA;
    return report;
}

const snw__ik_method snw__ik_fabrik_cga = {.solver = SNW_IK_FABRIK_CGA,
                                           .check = snw__fabrik_check,
                                           .layout = snw__fabrik_layout,
                                           .solve = fabrik_cga_solve};
