/* Chains that sweeps of FABRIK cannot bring on, or not soon: straight ones whose target lies on
 * their line (pushed sideways), targets out of reach or in the hole around the base, where nothing
 * nearer than 2 longest - sum can be reached (laid on the ray), and those near full reach (laid on
 * an arc). */
#include "base/elementary.h"
#include "ik/fabrik/fabrik.h"

void snw__fabrik_push_sideways(snw__fabrik_solve *f, snw_vec3 line, double amount)
{
    snw__fabrik_state *s = f->s;
    snw_vec3 side = snw_vec3_perpendicular(line);
    for (int i = 0; i < s->limbs.limb_count; i++) {
        const snw__fabrik_limb *limb = &s->limbs.limb[i];
        if (limb->parent < 0) continue;
        double length = snw_vec3_length(limb->parent_from_rest.translation);
        s->place[i] = snw_vec3_add_scaled(s->place[i], (i & 1 ? amount : -amount) * length, side);
    }
}

static bool is_straight(const snw__fabrik_state *s, snw_vec3 base, snw_vec3 target, double sum)
{
    snw_vec3 line = snw_vec3_sub(target, base);
    for (int e = 0; e < s->limbs.end_count; e++) {
        snw_vec3 to_end = snw_vec3_sub(s->now[e], base);
        if (snw_vec3_length(snw_vec3_cross(to_end, line)) > 1e-9 * sum * sum) return false;
    }
    return true;
}

/* Puts every joint on the ray to `to`; the longest bone forwards, the rest by `others`. */
static void lay_on_ray(snw__fabrik_solve *f, snw_vec3 ray, double others, int longest)
{
    snw__fabrik_state *s = f->s;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        snw_vec3 from = i == 0 ? s->place[0] : s->wish[i - 1];
        double step = s->limbs.limb[i].length * (i == longest ? 1.0 : others);
        s->wish[i] = snw_vec3_add_scaled(from, step, ray);
    }
    snw__fabrik_sweep_outwards(f);
}

/* Across and along: end of the chain whose bones turn evenly from +bend to -bend against the ray.
 */
static void arc_end(const snw__fabrik_state *s, double sum, double bend, double *along,
                    double *across)
{
    double way = 0;
    *along = *across = 0;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        double length = s->limbs.limb[i].length;
        double angle = bend * (1 - 2 * (way + 0.5 * length) / sum);
        *along += length * snw__cos(angle);
        *across += length * snw__sin(angle);
        way += length;
    }
}

/* It bulges to the side to which it is bent now. Sweeps need thousands of iterations for what this
 * does at once: each moves the joints by what is missing in length, the bend goes with its root. */
void snw__fabrik_lay_on_arc(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    snw_vec3 base = s->place[0], way = snw_vec3_sub(f->target, base), side = {0, 0, 0};
    double distance = snw_vec3_length(way), sum = 0, low = 0, high = SNW_PI, along = 0, across = 0;
    snw_vec3 ray = snw_vec3_unit(way, snw_vec3_make(1, 0, 0));
    for (int i = 0; i < s->limbs.limb_count; i++) {
        snw_vec3 to_joint = snw_vec3_sub(s->place[i], base);
        side = snw_vec3_add(side, snw_vec3_add_scaled(to_joint, -snw_vec3_dot(to_joint, ray), ray));
        sum += s->limbs.limb[i].length;
    }
    side = snw_vec3_unit(side, snw_vec3_perpendicular(ray));
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        arc_end(s, sum, middle, &along, &across);
        *(sqrt(along * along + across * across) > distance ? &low : &high) = middle;
    }
    arc_end(s, sum, low, &along, &across);
    double tilt = snw__atan2(across, along), done = 0;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        double length = s->limbs.limb[i].length;
        double angle = low * (1 - 2 * (done + 0.5 * length) / sum) - tilt;
        snw_vec3 from = i == 0 ? base : s->wish[i - 1];
        from = snw_vec3_add_scaled(from, length * snw__cos(angle), ray);
        s->wish[i] = snw_vec3_add_scaled(from, length * snw__sin(angle), side);
        done += length;
    }
    snw__fabrik_sweep_outwards(f);
}

bool snw__fabrik_begin_chain(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    double sum = 0, tolerance = f->ik->options.tolerance * f->ik->size;
    int longest = 0;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        sum += s->limbs.limb[i].length;
        if (s->limbs.limb[i].length > s->limbs.limb[longest].length) longest = i;
    }
    f->target = f->goals[0].position;
    double hole = 2 * s->limbs.limb[longest].length - sum;
    snw_vec3 way = snw_vec3_sub(f->target, s->place[0]);
    double distance = snw_vec3_length(way);
    snw_vec3 ray = snw_vec3_unit(
        way, snw_vec3_unit(snw_vec3_sub(s->now[0], s->place[0]), snw_vec3_make(1, 0, 0)));
    if (f->ik->options.root == SNW_IK_ROOT_FREE) return false;
    if (distance >= sum - 0.5 * tolerance)
        lay_on_ray(f, ray, 1.0, longest);
    else if (distance <= hole + 0.5 * tolerance)
        lay_on_ray(f, ray, -1.0, longest);
    else {
        if (is_straight(s, s->place[0], f->target, sum)) snw__fabrik_push_sideways(f, ray, 1e-2);
        return false;
    }
    return true;
}
