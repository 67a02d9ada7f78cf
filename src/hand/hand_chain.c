/* Palm joints by the conformal algebra of (5.3) to (5.6): spheres Sigma_p, Sigma_q, their meet C,
 * and B = C v Phi. Corrections (VERIFIED G): C^2 < 0 does not say by how much the spheres miss each
 * other, and (p + q)/2 ignores their radii: the point midway between the facing surfaces is taken;
 * the joints of the frame before are turned about the finger's root, not about the origin (5.9). */
#include "hand/hand_chain.h"

#include <sinew/cga.h>

#include "base/elementary.h"
#include "hand/hand_constants.h"
#include "math/tolerance.h"
#include "person/movement.h"

snw_meet snw__chain_palm_joint(snw_plane palm, const snw_sphere spheres[2], snw_vec3 previous,
                               snw_vec3 *joint)
{
    /* Near the origin, where a blade keeps its digits. */
    snw_vec3 origin = spheres[0].center;
    snw_sphere p = {{0, 0, 0}, spheres[0].radius};
    snw_sphere q = {snw_vec3_sub(spheres[1].center, origin), spheres[1].radius};
    snw_plane plane = {palm.normal, palm.offset - snw_vec3_dot(palm.normal, origin)};
    snw_vec3 before = snw_vec3_sub(previous, origin), found;
    snw_cga circle = snw_cga_meet(snw_cga_sphere(p), 4, snw_cga_sphere(q), 4);
    snw_circle real;
    snw_point_pair pair;
    snw_meet meet = SNW_MEET_CROSS;
    if (snw_cga_to_circle(circle, &real) != SNW_CGA_REAL) {
        meet = snw_sphere_sphere(p, q, &real);
        found = meet == SNW_MEET_SAME ? before : real.center;
    } else {
        snw_cga_shape shape =
            snw_cga_to_pair(snw_cga_meet(circle, 3, snw_cga_plane(plane), 4), &pair);
        bool is_second =
            snw_vec3_distance(pair.second, before) < snw_vec3_distance(pair.first, before);
        found = is_second ? pair.second : pair.first;
        if (shape == SNW_CGA_TOUCH) meet = SNW_MEET_TOUCH;
        if (shape != SNW_CGA_REAL && shape != SNW_CGA_TOUCH) {
            meet = SNW_MEET_APART; /* the circle does not reach the plane */
            found = snw_circle_nearest(real, before, plane.normal);
        }
    }
    *joint = snw_vec3_add(origin, found);
    return meet;
}

/* ---- FABRIK in the finger's plane --------------------------------------------------------- */

typedef struct chain_point {
    double x, y; /* along the finger, towards the palm */
} chain_point;

/* The point at distance `length` from `from` on the way to `to`. */
static chain_point on_line(chain_point from, chain_point to, double length)
{
    double x = to.x - from.x, y = to.y - from.y, size = sqrt(x * x + y * y);
    if (!(size > 1e-12)) return (chain_point){from.x + length, from.y};
    return (chain_point){from.x + length * x / size, from.y + length * y / size};
}

/* Outward: every bone keeps its length and its joint its range; the angles come with it. */
static void reach_outward(const snw__finger *finger, chain_point p[4], double angle[4])
{
    double heading = 0;
    p[0] = (chain_point){0, 0};
    for (int n = 0; n < 3; n++) {
        double wanted = snw__atan2(p[n + 1].y - p[n].y, p[n + 1].x - p[n].x);
        double bend = snw_wrap_angle(wanted - heading), sine, cosine;
        /* Beyond its range a joint stays at the end that is nearer, whichever way round. */
        double low = finger->low[1 + n], high = finger->high[1 + n];
        if (bend < 0.5 * (low + high) - SNW_PI) bend += 2 * SNW_PI;
        angle[1 + n] = snw_clamp(bend, finger->low[1 + n], finger->high[1 + n]);
        heading += angle[1 + n];
        snw__sin_cos(heading, &sine, &cosine);
        p[n + 1] =
            (chain_point){p[n].x + finger->bone[n] * cosine, p[n].y + finger->bone[n] * sine};
    }
}

static void solve_plane(const snw__finger *finger, chain_point target, double angle[4])
{
    chain_point p[4] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};
    double heading = 0, last = INFINITY;
    for (int n = 0; n < 3; n++) {
        double sine, cosine;
        heading += angle[1 + n];
        snw__sin_cos(heading, &sine, &cosine);
        p[n + 1] =
            (chain_point){p[n].x + finger->bone[n] * cosine, p[n].y + finger->bone[n] * sine};
    }
    for (int round = 0; round < SNW__ROUNDS_MAX; round++) {
        double x = p[3].x - target.x, y = p[3].y - target.y, off = sqrt(x * x + y * y);
        /* metres */
        if (off < SNW__FINEST || fabs(last - off) < 0.01 * SNW__FINEST) return;
        last = off;
        p[3] = target;
        p[2] = on_line(p[3], p[2], finger->bone[2]);
        p[1] = on_line(p[2], p[1], finger->bone[1]);
        reach_outward(finger, p, angle);
    }
}

void snw__chain_finger(const snw__finger *finger, snw_vec3 tip, double freedom, double angle[4])
{
    /* A tip behind the knuckle belongs to a fist, not to a finger that spreads by half a turn. */
    double sign = tip.z < 0 ? -1 : 1, flat = sign * snw__hypot(tip.x, tip.z);
    double spread = snw__atan2(sign * tip.x, sign * tip.z);
    const double before[4] = {angle[0], angle[1], angle[2], angle[3]};
    if (freedom > 0) snw__finger_reach(finger, tip, 0, angle);
    if (fabs(flat) > 0.01) angle[0] = spread;
    snw__finger_clamp(finger, angle);
    /* A straight chain towards its target never bends (VERIFIED F): it starts bent. */
    if (angle[2] < 0.05) angle[2] = 0.05;
    if (angle[3] < 0.03) angle[3] = 0.03;
    solve_plane(finger, (chain_point){flat, -tip.y}, angle);
    /* A straight finger's tip hardly tells its flexions. */
    for (int k = 1; k < 4 && freedom > 0; k++)
        angle[k] = before[k] + snw_clamp(angle[k] - before[k], -freedom, freedom);
}
