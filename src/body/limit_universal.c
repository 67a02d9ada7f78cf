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

/* Angle 2 atan2(sine, cosine) in [-pi, pi]: as a rotation (cosine, sine) equals its negative. */
static double doubled_angle(double cosine, double sine)
{
    return cosine < 0 ? 2 * atan2(-sine, -cosine) : 2 * atan2(sine, cosine);
}

/* Singular vectors of M for the largest singular value: with M = [a b; c d], the angles of the two
 * half-vectors are ((atan2(c + b, a - d)) +- (atan2(c - b, a + d))) / 2 (Blinn 1996). Half angles
 * doubled are the joint angles, so the sums themselves are what is asked for. */
static void nearest_unlimited(const universal_form *form, double angles[2])
{
    double a = form->m[0][0], b = form->m[0][1], c = form->m[1][0], d = form->m[1][1];
    double sum = atan2(c + b, a - d), difference = atan2(c - b, a + d);
    angles[0] = remainder(sum + difference, 2 * SNW_PI);
    angles[1] = remainder(sum - difference, 2 * SNW_PI);
}

static double closeness(const universal_form *form, const double angles[2])
{
    double cx = cos(0.5 * angles[0]), sx = sin(0.5 * angles[0]);
    double cy = cos(0.5 * angles[1]), sy = sin(0.5 * angles[1]);
    return fabs(cx * (form->m[0][0] * cy + form->m[0][1] * sy) +
                sx * (form->m[1][0] * cy + form->m[1][1] * sy));
}

/* The best of one edge: angle `which` is `fixed`, the other free in its range. */
static void nearest_on_edge(const universal_form *form, const snw_joint_limit *limit, int which,
                            double fixed, double angles[2])
{
    const double(*m)[2] = form->m;
    double c = cos(0.5 * fixed), s = sin(0.5 * fixed);
    double cosine = which == 0 ? m[0][0] * c + m[1][0] * s : m[0][0] * c + m[0][1] * s;
    double sine = which == 0 ? m[0][1] * c + m[1][1] * s : m[1][0] * c + m[1][1] * s;
    int other = 1 - which;
    angles[which] = fixed;
    angles[other] = doubled_angle(cosine, sine);
    if (limit->has_range[other])
        angles[other] = snw__range_nearest(limit->range[other], angles[other]).value;
}

static void nearest_on_edges(const universal_form *form, const snw_joint_limit *limit,
                             double angles[2])
{
    double best = -1;
    for (int edge = 0; edge < 4; edge++) {
        int which = edge / 2;
        if (!limit->has_range[which]) continue;
        double candidate[2];
        nearest_on_edge(form, limit, which, limit->range[which][edge % 2], candidate);
        double close = closeness(form, candidate);
        if (close <= best) continue;
        best = close;
        angles[0] = candidate[0];
        angles[1] = candidate[1];
    }
}

/* False where an angle is outside its range by more than the tolerance; those inside are put there.
 */
static bool are_in_range(const snw_joint_limit *limit, double angles[2])
{
    bool are_inside = true;
    for (int which = 0; which < 2; which++) {
        if (!limit->has_range[which]) continue;
        snw__range_place place = snw__range_nearest(limit->range[which], angles[which]);
        if (place.outside > SNW_LIMIT_TOLERANCE)
            are_inside = false;
        else
            angles[which] = place.value;
    }
    return are_inside;
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
        angles[0] = atan2(turns.sine[0], turns.cosine[0]);
        angles[1] = atan2(turns.sine[1], turns.cosine[1]);
        return;
    }
    universal_form form = universal_form_of(joint, rotation);
    nearest_unlimited(&form, angles);
}

bool snw__universal_limit(const snw_joint *joint, snw_quat rotation, snw_quat *nearest)
{
    universal_turns turns = turns_of(joint, rotation);
    bool is_universal = turns.off <= SNW_LIMIT_TOLERANCE;
    if (is_universal && surely_in_range(&joint->limit, &turns)) return true;
    double angles[2];
    snw__universal_angles(joint, rotation, angles);
    if (are_in_range(&joint->limit, angles)) {
        if (is_universal) return true;
    } else {
        universal_form form = universal_form_of(joint, rotation);
        nearest_on_edges(&form, &joint->limit, angles);
    }
    *nearest = snw__universal_rotation(joint, angles);
    return false;
}
