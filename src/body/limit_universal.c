/* Universal joints: R(axis, t1) R(axis2, t2), the axes not necessarily perpendicular.
 *
 * With a = axis, b = axis2 and x = (cos t1/2, sin t1/2), y likewise, the product of the two
 * quaternions has with q = (w, v) the dot product
 *
 *     f = x' M y,   M = | w      v.b              |
 *                       | v.a    v.(a x b) - w a.b |
 *
 * and the angle between the rotations is 2 acos |f|. So the nearest universal rotation is the pair
 * of singular vectors of M for its largest singular value: closed form for 2 x 2, no iteration.
 *
 * With ranges: f = s1 cos cos + s2 sin sin in the singular coordinates, whose only interior maximum
 * of |f| is that pair (at s2 the Hessian is indefinite). Where it is outside the ranges the best
 * point is on an edge of the rectangle; with t1 fixed f = g . y with g = M' x, best at the angle
 * of g and falling with the distance from it on the circle, so the nearer end of range 2 is best if
 * that is outside. Four edges, four candidates, the largest |f| wins: exact. */
#include "base/elementary.h"
#include "body/limit.h"

/* M as above. */
typedef struct universal_form {
    double m[2][2];
} universal_form;

static universal_form universal_form_of(const snw_joint *joint, snw_quat q)
{
    snw_vec3 v = snw_quat_vector(q), a = joint->axis, b = joint->axis2;
    universal_form form = {
        {{q.w, snw_vec3_dot(v, b)},
         {snw_vec3_dot(v, a), snw_vec3_dot(v, snw_vec3_cross(a, b)) - q.w * snw_vec3_dot(a, b)}}};
    return form;
}

/* An angle in [-2 pi, 2 pi] brought to [-pi, pi]. */
static double wrap_once(double angle)
{
    if (angle > SNW_PI) return angle - 2 * SNW_PI;
    return angle < -SNW_PI ? angle + 2 * SNW_PI : angle;
}

/* x or y as above: cosine and sine of half an angle of the joint. */
typedef struct universal_half {
    double c, s;
} universal_half;

/* The half angle in range `which` with the largest |g . half|. */
static universal_half best_half(const snw_joint_limit *limit, int which, universal_half g)
{
    double length = sqrt(g.c * g.c + g.s * g.s);
    if (length > 0) {
        /* (c, s) and its negative are the same turn: the one with c >= 0. */
        double scale = g.c < 0 ? -1 / length : 1 / length;
        g.c *= scale;
        g.s *= scale;
    } else {
        g.c = 1;
    }
    const double *range = limit->range[which];
    if (!limit->has_range[which] || snw__range_surely_holds(range, g.s, g.c, 2)) return g;
    snw__range_place place = snw__range_nearest(range, 2 * snw__atan2(g.s, g.c));
    if (place.outside > 0) {
        g.c = snw__cos(0.5 * place.value);
        g.s = snw__sin(0.5 * place.value);
    }
    return g;
}

typedef struct universal_best {
    universal_half half[2];
    double close; /* |f|; -1: none yet */
} universal_best;

/* Replaces *best by the best of one edge, where angle `which` is `fixed`, if that is better. */
static void try_edge(const universal_form *form, const snw_joint_limit *limit, int which,
                     double fixed, universal_best *best)
{
    const double(*m)[2] = form->m;
    universal_half at = {snw__cos(0.5 * fixed), snw__sin(0.5 * fixed)};
    universal_half g = {m[0][0] * at.c + m[1][0] * at.s, m[0][1] * at.c + m[1][1] * at.s};
    if (which == 1) {
        g.c = m[0][0] * at.c + m[0][1] * at.s;
        g.s = m[1][0] * at.c + m[1][1] * at.s;
    }
    /* |g| is the most that this edge can give. */
    if (best->close > 0 && g.c * g.c + g.s * g.s <= best->close * best->close) return;
    universal_half other = best_half(limit, 1 - which, g);
    double close = fabs(g.c * other.c + g.s * other.s);
    if (close <= best->close) return;
    best->half[which] = at;
    best->half[1 - which] = other;
    best->close = close;
}

static snw_quat best_on_edges(const snw_joint *joint, const universal_form *form)
{
    const snw_joint_limit *limit = &joint->limit;
    universal_best best = {{{1, 0}, {1, 0}}, -1};
    for (int edge = 0; edge < 4; edge++)
        if (limit->has_range[edge / 2])
            try_edge(form, limit, edge / 2, limit->range[edge / 2][edge % 2], &best);
    snw_vec3 first = snw_vec3_scale(joint->axis, best.half[0].s);
    snw_vec3 second = snw_vec3_scale(joint->axis2, best.half[1].s);
    return snw_quat_mul(snw_quat_make(best.half[0].c, first.x, first.y, first.z),
                        snw_quat_make(best.half[1].c, second.x, second.y, second.z));
}

snw_quat snw__universal_rotation(const snw_joint *joint, const double angles[2])
{
    return snw_quat_mul(snw_quat_from_axis_angle(joint->axis, angles[0]),
                        snw_quat_from_axis_angle(joint->axis2, angles[1]));
}

/* A universal rotation read as two plane turns, sines and cosines to a common scale: t1 takes axis2
 * to its turned place about axis; -t2 takes axis to its place seen from the turned side. */
typedef struct universal_turns {
    double cosine[2], sine[2];
    double off; /* distance from the nearest universal rotation, radians, first order */
} universal_turns;

/* R(a, t1) R(b, t2) keeps a . Rb = a . b, and any R that keeps it is one; the gradient of a . Rb
 * there has length sin(angle(a, b)). */
static universal_turns turns_of(const snw_joint *joint, snw_quat q)
{
    snw_vec3 a = joint->axis, b = joint->axis2;
    snw_vec3 turned_b = snw_quat_rotate(q, b), turned_a = snw_quat_unrotate(q, a);
    snw_vec3 across = snw_vec3_cross(a, b);
    double ab = snw_vec3_dot(a, b), now = snw_vec3_dot(a, turned_b);
    universal_turns turns;
    turns.sine[0] = snw_vec3_dot(across, turned_b);
    turns.cosine[0] = snw_vec3_dot(b, turned_b) - ab * now;
    turns.sine[1] = snw_vec3_dot(across, turned_a);
    turns.cosine[1] = snw_vec3_dot(a, turned_a) - ab * now;
    turns.off = fabs(now - ab) / snw_vec3_length(across);
    return turns;
}

/* True only when both angles are surely in range; more than 90 degrees is left to atan2. */
static bool surely_in_range(const snw_joint_limit *limit, const universal_turns *turns)
{
    for (int which = 0; which < 2; which++)
        if (limit->has_range[which] &&
            !(turns->cosine[which] >= 0 &&
              snw__range_surely_holds(limit->range[which], turns->sine[which], turns->cosine[which],
                                      1)))
            return false;
    return true;
}

void snw__universal_angles(const snw_joint *joint, snw_quat rotation, double angles[2])
{
    universal_turns turns = turns_of(joint, rotation);
    if (turns.off <= SNW_LIMIT_TOLERANCE) {
        angles[0] = snw__atan2(turns.sine[0], turns.cosine[0]);
        angles[1] = snw__atan2(turns.sine[1], turns.cosine[1]);
        return;
    }
    universal_form form = universal_form_of(joint, rotation);
    /* Singular vectors of M for the largest singular value: with M = [a b; c d], the angles of the
     * two half-vectors are ((atan2(c + b, a - d)) +- (atan2(c - b, a + d))) / 2 (Blinn 1996). Half
     * angles doubled are the joint angles, so the sums themselves are what is asked for. */
    double a = form.m[0][0], b = form.m[0][1], c = form.m[1][0], d = form.m[1][1];
    double sum = snw__atan2(c + b, a - d), difference = snw__atan2(c - b, a + d);
    angles[0] = wrap_once(sum + difference);
    angles[1] = wrap_once(sum - difference);
}

bool snw__universal_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    universal_turns turns = turns_of(joint, rotation);
    bool is_universal = turns.off <= SNW_LIMIT_TOLERANCE;
    if (is_universal && surely_in_range(&joint->limit, &turns)) return true;
    double angles[2];
    snw__universal_angles(joint, rotation, angles);
    /* False where an angle is outside its range by more than the tolerance; those inside are put
     * there.
     */
    bool are_inside = true;
    for (int which = 0; which < 2; which++) {
        if (!joint->limit.has_range[which]) continue;
        snw__range_place place = snw__range_nearest(joint->limit.range[which], angles[which]);
        if (place.outside > SNW_LIMIT_TOLERANCE)
            are_inside = false;
        else
            angles[which] = place.value;
    }
    if (are_inside) {
        if (!is_universal) *nearest = snw__universal_rotation(joint, angles);
        return is_universal;
    }
    universal_form form = universal_form_of(joint, rotation);
    *nearest = best_on_edges(joint, &form);
    return false;
}
