/* The joints that the tests of limits run over, one of every kind, in a frame that is not aligned
 * with anything; and rotations that look for trouble. */
#ifndef SNW_TESTS_LIMIT_JOINTS_H
#define SNW_TESTS_LIMIT_JOINTS_H

#include "check.h"

#define DEG (SNW_PI / 180)

typedef struct limit_case {
    const char *name;
    snw_joint_type type;
    double axes_apart_deg; /* angle from axis to axis2 */
    bool has_range[2];
    double range_deg[2][2];
    snw_swing_limit swing;
    double cone_deg[4];
    int window_count;
    double window_deg[SNW_WINDOW_MAX][2];
    bool has_twist;
    double twist_deg[2];
} limit_case;

static const limit_case limit_cases[] = {
    {.name = "fixed", .type = SNW_JOINT_FIXED, .axes_apart_deg = 90},
    {.name = "prismatic", .type = SNW_JOINT_PRISMATIC, .axes_apart_deg = 90},
    {.name = "free", .type = SNW_JOINT_FREE, .axes_apart_deg = 90},
    {.name = "hinge without range", .type = SNW_JOINT_HINGE, .axes_apart_deg = 90},
    {.name = "hinge [0, 150]",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{0, 150}}},
    {.name = "hinge [0, 350]",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{0, 350}}},
    {.name = "hinge through 180: [170, 200]",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{170, 200}}},
    {.name = "hinge turns away: [-760, -700]",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{-760, -700}}},
    {.name = "hinge held at 30",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{30, 30}}},
    {.name = "pivot [-90, 80]",
     .type = SNW_JOINT_PIVOT,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{-90, 80}}},
    {.name = "hinge of several turns: [-400, 500]",
     .type = SNW_JOINT_HINGE,
     .axes_apart_deg = 90,
     .has_range = {true},
     .range_deg = {{-400, 500}}},
    {.name = "universal without ranges", .type = SNW_JOINT_UNIVERSAL, .axes_apart_deg = 90},
    {.name = "universal, saddle",
     .type = SNW_JOINT_UNIVERSAL,
     .axes_apart_deg = 90,
     .has_range = {true, true},
     .range_deg = {{-20, 85}, {-15, 15}}},
    {.name = "universal, axes 35 apart",
     .type = SNW_JOINT_UNIVERSAL,
     .axes_apart_deg = 35,
     .has_range = {true, true},
     .range_deg = {{-100, 60}, {10, 200}}},
    {.name = "universal, one range",
     .type = SNW_JOINT_UNIVERSAL,
     .axes_apart_deg = 120,
     .has_range = {false, true},
     .range_deg = {{0, 0}, {-30, 45}}},
    {.name = "universal held at (30, 40)",
     .type = SNW_JOINT_UNIVERSAL,
     .axes_apart_deg = 90,
     .has_range = {true, true},
     .range_deg = {{30, 30}, {40, 40}}},
    {.name = "ball without limits", .type = SNW_JOINT_BALL, .axes_apart_deg = 90},
    {.name = "ball, twist only",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .has_twist = true,
     .twist_deg = {-40, 70}},
    {.name = "ball, twist that excludes 0",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .has_twist = true,
     .twist_deg = {150, 220}},
    {.name = "cone, circle",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {40, 40, 40, 40}},
    {.name = "cone, ellipse and twist",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {60, 20, 60, 20},
     .has_twist = true,
     .twist_deg = {-30, 30}},
    {.name = "cone, four different angles",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {10, 85, 15, 50},
     .has_twist = true,
     .twist_deg = {-90, 45}},
    {.name = "cone, beyond 90",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {95, 120, 30, 170}},
    {.name = "cone, to straight behind on one side",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {180, 70, 20, 70},
     .has_twist = true,
     .twist_deg = {-20, 50}},
    {.name = "cone, hinge-like",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {0, 110, 0, 35}},
    {.name = "cone, one half only",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {0, 60, 50, 80}},
    {.name = "cone, nothing but twist",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {0, 0, 0, 0}},
    {.name = "cone, everything",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_CONE,
     .cone_deg = {180, 180, 180, 180},
     .has_twist = true,
     .twist_deg = {-60, 60}},
    {.name = "window, triangle around the middle",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_POLYGON,
     .window_count = 3,
     .window_deg = {{50, -20}, {0, 60}, {-40, -30}}},
    {.name = "window, concave, clockwise",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_POLYGON,
     .window_count = 8,
     .window_deg =
         {{-60, -60}, {-60, 60}, {-20, 60}, {-20, 0}, {20, 0}, {20, 60}, {60, 60}, {60, -60}},
     .has_twist = true,
     .twist_deg = {-45, 90}},
    {.name = "window beside the middle",
     .type = SNW_JOINT_BALL,
     .axes_apart_deg = 90,
     .swing = SNW_SWING_POLYGON,
     .window_count = 4,
     .window_deg = {{80, 10}, {150, 20}, {140, 70}, {90, 60}}},
};

enum {
    limit_case_count = sizeof limit_cases / sizeof limit_cases[0]
};

/* A joint of a case, in the frame `rest_from_case`: x is axis2 where the axes are perpendicular. */
static inline snw_joint limit_case_joint(const limit_case *source, snw_quat rest_from_case)
{
    snw_joint joint;
    double apart = source->axes_apart_deg * DEG;
    joint.type = source->type;
    joint.limit = snw_joint_limit_none();
    joint.axis = snw_quat_rotate(rest_from_case, snw_vec3_make(0, 0, 1));
    joint.axis2 = snw_quat_rotate(rest_from_case, snw_vec3_make(sin(apart), 0, cos(apart)));
    joint.limit.swing = source->swing;
    joint.limit.window_count = source->window_count;
    joint.limit.has_twist = source->has_twist;
    for (int i = 0; i < 2; i++) {
        joint.limit.has_range[i] = source->has_range[i];
        joint.limit.twist[i] = source->twist_deg[i] * DEG;
        for (int end = 0; end < 2; end++)
            joint.limit.range[i][end] = source->range_deg[i][end] * DEG;
    }
    /* fmin: 180 * (pi / 180) may round up. */
    for (int i = 0; i < 4; i++)
        joint.limit.cone[i] = fmin(source->cone_deg[i] * DEG, SNW_PI);
    for (int i = 0; i < source->window_count; i++)
        for (int k = 0; k < 2; k++)
            joint.limit.window[i][k] = source->window_deg[i][k] * DEG;
    return joint;
}

static inline snw_joint limit_joint(int index)
{
    return limit_case_joint(&limit_cases[index],
                            snw_quat_normalize(snw_quat_make(0.3, -0.5, 0.7, 0.2)));
}

/* Uniform rotations, and among them small ones, exact half turns, swings to straight behind and
 * within 1e-4..1e-17 of it, turns about the joint's own axes. */
static inline snw_quat trouble_rotation(const snw_joint *joint, snw_random *random)
{
    uint32_t kind = snw_random_below(random, 16);
    if (kind > 5) return snw_random_rotation(random);
    double tiny = pow(10, snw_random_range(random, -17, -4));
    snw_vec3 across = snw_vec3_cross(joint->axis, snw_random_direction(random));
    double angle = snw_random_range(random, -SNW_PI, SNW_PI);
    switch (kind) {
    case 0:
        return snw_quat_exp(snw_vec3_scale(snw_random_direction(random), tiny));
    case 1:
        across = snw_vec3_unit(across, joint->axis2);
        return snw_quat_make(0, across.x, across.y, across.z);
    case 2:
        return snw_quat_mul(snw_quat_from_axis_angle(across, SNW_PI - tiny),
                            snw_quat_from_axis_angle(joint->axis, angle));
    case 3:
        return snw_quat_from_axis_angle(joint->axis, angle);
    case 4:
        return snw_quat_mul(snw_quat_from_axis_angle(joint->axis, angle),
                            snw_quat_from_axis_angle(joint->axis2, angle * 0.7 - 1));
    default:
        return snw_quat_exp(random_away(random, 0, 0.7));
    }
}

/* ---- a second reading of a rotation, through directions and matrices ------------------------- */

/* The point of the swing plane by the definition in body.h: where the bone points. */
static inline void swing_plane_point(const snw_joint *joint, snw_quat q, double point[2])
{
    snw_vec3 toward = snw_quat_rotate(q, joint->axis);
    double psi = snw_vec3_angle(joint->axis, toward);
    double phi = atan2(snw_vec3_dot(toward, snw_vec3_cross(joint->axis, joint->axis2)),
                       snw_vec3_dot(toward, joint->axis2));
    point[0] = psi * cos(phi);
    point[1] = psi * sin(phi);
}

/* Distance on the circle from `angle` to the range, 0 inside: by trying every turn. */
static inline double circle_excess(const double range[2], double angle)
{
    double least = HUGE_VAL;
    for (int turn = -5; turn <= 5; turn++) {
        double at = angle + 2 * SNW_PI * turn;
        double off = at < range[0] ? range[0] - at : at > range[1] ? at - range[1] : 0;
        least = fmin(least, off);
    }
    return least;
}

/* How far a point is outside the cone: 0 inside, else the shortest of three ways back, towards the
 * middle (the ellipse in polar form) and along the axes. */
static inline double cone_excess(const double cone[4], const double point[2])
{
    double a = cone[point[0] >= 0 ? 0 : 2], b = cone[point[1] >= 0 ? 1 : 3];
    double x = fabs(point[0]), y = fabs(point[1]);
    if (a < 1e-10 || b < 1e-10) return hypot(fmax(x - a, 0), fmax(y - b, 0));
    double stretch = hypot(x / a, y / b);
    if (stretch <= 1) return 0;
    double shortest = hypot(x, y) * (1 - 1 / stretch);
    if (x < a) shortest = fmin(shortest, y - b * sqrt(1 - x / a * (x / a)));
    if (y < b) shortest = fmin(shortest, x - a * sqrt(1 - y / b * (y / b)));
    return shortest;
}

/* Distance from the window's edge, and whether the point is inside it by the winding number, a sum
 * of angles. */
static inline double window_edge_distance(const snw_joint_limit *limit, const double point[2],
                                          bool *is_inside)
{
    double least = HUGE_VAL, winding = 0;
    for (int i = 0; i < limit->window_count; i++) {
        const double *a = limit->window[i], *b = limit->window[(i + 1) % limit->window_count];
        double ax = a[0] - point[0], ay = a[1] - point[1];
        double bx = b[0] - point[0], by = b[1] - point[1];
        double cross = ax * by - ay * bx, length = hypot(bx - ax, by - ay);
        bool is_beside = ax * (bx - ax) + ay * (by - ay) < 0 && bx * (bx - ax) + by * (by - ay) > 0;
        least = fmin(least, is_beside ? fabs(cross) / length : fmin(hypot(ax, ay), hypot(bx, by)));
        winding += atan2(cross, ax * bx + ay * by);
    }
    *is_inside = fabs(winding) > SNW_PI;
    return least;
}

static inline double window_excess(const snw_joint_limit *limit, const double point[2])
{
    bool is_inside;
    double distance = window_edge_distance(limit, point, &is_inside);
    return is_inside ? 0 : distance;
}

#endif
