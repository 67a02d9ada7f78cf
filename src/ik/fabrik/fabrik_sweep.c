/* The two sweeps of FABRIK over points; see fabrik.c for the whole.
 *
 * Plain limbs (a ball without limits that carries one point) need nothing but positions; rotations
 * are found once, at the end, as the smallest turn of every bone. Others (limits, hinges, slides,
 * a pelvis with two hips, a tip with an orientation goal) keep their rotation during the sweeps: it
 * is turned towards the wishes and brought inside type and limits at every visit, so the outward
 * sweep always ends in a pose the body can take. */
#include "ik/fabrik/fabrik.h"

#include <sinew/geometry.h>

#include "ik/core/aim.h"

/* ---- from and to the pose -------------------------------------------------------------------- */

void snw__fabrik_load(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        const snw__fabrik_limb *limb = &s->limbs.limb[i];
        snw_xform world = f->pose->world[limb->joint];
        s->place[i] = world.translation;
        s->turn[i] = world.rotation;
        s->local[i] = f->pose->rotation[limb->joint];
        s->slide[i] = f->pose->slide[limb->joint];
        for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++)
            s->now[e] = snw_xform_point(world, s->limbs.end[e].offset);
    }
    /* A limb counts as much as the heaviest goal beyond it. */
    const snw__fabrik_limbs *limbs = &f->s->limbs;
    for (int e = limbs->end_count - 1; e >= 0; e--) {
        const snw__limb_end *end = &limbs->end[e];
        f->s->weight[e] = end->goal >= 0 ? f->goals[end->goal].weight : 1.0;
        if (end->child < 0) continue;
        const snw__fabrik_limb *child = &limbs->limb[end->child];
        double heaviest = child->end_count > 0 ? 0 : 1;
        for (int k = 0; k < child->end_count; k++)
            heaviest = fmax(heaviest, f->s->weight[child->end_first + k]);
        f->s->weight[e] = heaviest;
    }
}

/* The frame in which the limb's own motion happens: world rotation of its joint at rest, and the
 * place it sits on. */
static snw_xform limb_base(const snw__fabrik_solve *f, int i)
{
    const snw__fabrik_limb *limb = &f->s->limbs.limb[i];
    if (limb->parent >= 0)
        return snw_xform_make(
            snw_quat_mul(f->s->turn[limb->parent], limb->parent_from_rest.rotation),
            f->s->now[limb->parent_end]);
    int above = f->pose->skeleton->parent[limb->joint];
    snw_xform parent = above < 0 ? f->pose->root : f->pose->world[above];
    snw_xform base = snw_xform_mul(parent, f->pose->skeleton->rest[limb->joint]);
    base.translation = snw_vec3_add(base.translation, f->root_shift);
    return base;
}

/* ---- wishes --------------------------------------------------------------------------------- */

snw_vec3 snw__fabrik_wish(const snw__fabrik_geometry *geometry, const snw_goal *goal, snw_vec3 now)
{
    snw__goal_place place = snw__goal_row_of(goal)->place;
    snw_vec3 direction = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
    if (place == SNW__PLACE_LINE) return geometry->on_line(goal->position, direction, now);
    if (place == SNW__PLACE_SIDE && snw_vec3_dot(snw_vec3_sub(now, goal->position), direction) >= 0)
        return now;
    if (place == SNW__PLACE_PLANE || place == SNW__PLACE_SIDE)
        return geometry->on_plane(goal->position, direction, now);
    return goal->position;
}

static snw_vec3 goal_wish(const snw__fabrik_solve *f, int e)
{
    if (f->s->limbs.is_chain) return f->target;
    return snw__fabrik_wish(f->geometry, &f->goals[f->s->limbs.end[e].goal], f->s->now[e]);
}

/* Where the other side of a pin is. */
static snw_vec3 pin_other(const snw__fabrik_solve *f, int e)
{
    const snw__limb_end *end = &f->s->limbs.end[e];
    const snw_pin *pin = &f->pose->skeleton->pin[end->pin];
    if (end->pin_mate >= 0) return f->s->now[end->pin_mate];
    if (end->is_pin_b) return snw_pose_point(f->pose, pin->joint_a, pin->point_a);
    if (pin->joint_b < 0) return pin->point_b;
    return snw_pose_point(f->pose, pin->joint_b, pin->point_b);
}

double snw__fabrik_worst_gap(const snw__fabrik_solve *f)
{
    const snw__fabrik_limbs *limbs = &f->s->limbs;
    double metres = 0, radians = 0;
    for (int e = 0; e < limbs->end_count; e++) {
        if (limbs->end[e].goal >= 0)
            metres = fmax(metres, snw_vec3_distance(goal_wish(f, e), f->s->now[e]));
        else if (limbs->end[e].pin >= 0)
            metres = fmax(metres, snw_vec3_distance(pin_other(f, e), f->s->now[e]));
    }
    for (int i = 0; i < limbs->limb_count && !limbs->is_plain; i++) {
        const snw__fabrik_limb *limb = &limbs->limb[i];
        if (limb->orientation < 0) continue;
        snw_quat is = snw_quat_mul(f->s->turn[i], limb->limb_from_goal_joint);
        snw_quat asked = snw_quat_normalize(f->goals[limb->orientation].orientation);
        radians = fmax(radians, snw_quat_angle_between(is, asked));
    }
    return fmax(metres / (f->ik->options.tolerance * f->ik->size),
                radians / f->ik->options.turn_tolerance);
}

/* ---- one limb ------------------------------------------------------------------------------- */

/* Where the joint would sit if the limb, turned like this, had its ends where they wish. */
static snw_vec3 mean_place(const snw__fabrik_state *s, const snw__fabrik_limb *limb, snw_quat turn,
                           snw_vec3 otherwise)
{
    snw_vec3 sum = {0, 0, 0};
    double total = 0;
    for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++) {
        snw_vec3 place = snw_vec3_sub(s->wish[e], snw_quat_rotate(turn, s->limbs.end[e].offset));
        sum = snw_vec3_add_scaled(sum, s->weight[e], place);
        total += s->weight[e];
    }
    return total > 0 ? snw_vec3_scale(sum, 1.0 / total) : otherwise;
}

/* `turn` changed as little as possible so that the ends point to their wishes, seen from `place`;
 * neither type nor limits count yet, but a hinge stays a hinge. */
static snw_quat wished_turn(const snw__fabrik_solve *f, int i, snw_vec3 place, snw_quat turn,
                            snw_quat base)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    const snw_joint *joint = &f->ik->joint[limb->joint];
    if (limb->orientation >= 0)
        return snw_quat_mul(snw_quat_normalize(f->goals[limb->orientation].orientation),
                            snw_quat_conjugate(limb->limb_from_goal_joint));
    int count = 0;
    for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++) {
        s->from[count] = snw_quat_rotate(turn, s->limbs.end[e].offset);
        s->to[count] = snw_vec3_sub(s->wish[e], place);
        count++;
    }
    if (snw__joint_is_hinge(joint)) {
        /* The turn about the hinge's axis that brings the ends nearest to their wishes. */
        snw_vec3 axis = snw_quat_rotate(base, joint->axis);
        snw__aim aim = {axis, 0, 0};
        for (int k = 0; k < count; k++)
            snw__aim_add(&aim, s->from[k], s->to[k], 1.0);
        return snw_quat_mul(snw_quat_from_axis_angle(axis, snw__aim_angle(&aim)), turn);
    }
    if (count == 1 || limb->is_plain)
        return snw_quat_mul(snw_quat_between(s->from[0], s->to[0]), turn);
    snw_fit fit;
    if (snw_fit_rotation(s->from, s->to, s->weight + limb->end_first, count, &fit) != SNW_OK)
        return turn;
    return snw_quat_mul(fit.to_from.rotation, turn);
}

/* Turns the limb to its wishes inside type and limits. */
static void turn_limb(snw__fabrik_solve *f, int i, snw_quat base, snw_vec3 place, snw_quat turn)
{
    snw__fabrik_state *s = f->s;
    const snw_joint *joint = &f->ik->joint[s->limbs.limb[i].joint];
    snw_quat wished = wished_turn(f, i, place, turn, base);
    snw_quat local = snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(base), wished));
    s->local[i] = snw_joint_limit_apply(joint, local);
    s->turn[i] = snw_quat_mul(base, s->local[i]);
}

/* ---- sweeps --------------------------------------------------------------------------------- */

/* New place of the limb's joint from the wishes of its ends; returns where it wants to be sat on.
 */
static snw_vec3 pull_inwards(snw__fabrik_solve *f, int i)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    if (limb->is_plain) {
        snw_vec3 wish = s->wish[limb->end_first];
        if (limb->end_count > 1) { /* their mean */
            snw_vec3 sum = {0, 0, 0};
            double total = 0;
            for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++) {
                sum = snw_vec3_add_scaled(sum, s->weight[e], s->wish[e]);
                total += s->weight[e];
            }
            wish = snw_vec3_scale(sum, 1.0 / total);
        }
        snw_vec3 back = snw_vec3_sub(s->place[i], s->now[limb->end_first]);
        for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++)
            s->wish[e] = wish;
        return s->place[i] = f->geometry->on_sphere(wish, limb->length, s->place[i], back);
    }
    snw_quat base = limb_base(f, i).rotation;
    const snw_joint *joint = &f->ik->joint[limb->joint];
    turn_limb(f, i, base, s->place[i], s->turn[i]);
    snw_vec3 place = mean_place(s, limb, s->turn[i], s->place[i]);
    if (joint->type == SNW_JOINT_PRISMATIC) {
        snw_vec3 move = snw_quat_unrotate(base, snw_vec3_sub(place, s->place[i]));
        s->slide[i] = snw_joint_limit_apply_slide(joint, snw_vec3_add(s->slide[i], move));
    }
    s->place[i] = place;
    return snw_vec3_sub(place, snw_quat_rotate(base, s->slide[i]));
}

void snw__fabrik_sweep_inwards(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    snw_vec3 shift = {0, 0, 0};
    int tops = 0;
    for (int e = 0; e < s->limbs.end_count; e++) {
        if (s->limbs.end[e].goal >= 0) s->wish[e] = goal_wish(f, e);
        if (s->limbs.end[e].pin >= 0) {
            snw_vec3 other = pin_other(f, e);
            s->wish[e] =
                f->s->limbs.end[e].pin_mate < 0 ? other : snw_vec3_lerp(f->s->now[e], other, 0.5);
        }
    }
    for (int i = s->limbs.limb_count - 1; i >= 0; i--) {
        snw_vec3 seat = pull_inwards(f, i);
        if (s->limbs.limb[i].parent >= 0) {
            s->wish[s->limbs.limb[i].parent_end] = seat;
        } else if (f->ik->options.root == SNW_IK_ROOT_FREE) {
            shift = snw_vec3_add(shift, snw_vec3_sub(seat, limb_base(f, i).translation));
            tops++;
        }
    }
    if (tops > 0) f->root_shift = snw_vec3_add_scaled(f->root_shift, 1.0 / tops, shift);
}

static void push_outwards(snw__fabrik_solve *f, int i)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    const snw_joint *joint = &f->ik->joint[limb->joint];
    snw_xform base = limb_base(f, i);
    bool can_slide = snw__joint_slides(joint);
    snw_quat turn = snw_quat_mul(base.rotation, s->local[i]);
    s->place[i] = snw_xform_point(base, s->slide[i]);
    if (joint->type != SNW_JOINT_PRISMATIC)
        turn_limb(f, i, base.rotation, s->place[i], turn);
    else
        s->turn[i] = turn;
    if (can_slide) {
        snw_vec3 wanted = mean_place(s, limb, s->turn[i], s->place[i]);
        s->slide[i] = snw_joint_limit_apply_slide(joint, snw_xform_unpoint(base, wanted));
        s->place[i] = snw_xform_point(base, s->slide[i]);
    }
    for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++)
        s->now[e] = snw_vec3_add(s->place[i], snw_quat_rotate(s->turn[i], s->limbs.end[e].offset));
}

void snw__fabrik_sweep_outwards(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        if (s->limbs.is_plain) {
            /* Plain limbs of a plain problem: positions only. */
            const snw__fabrik_limb *limb = &s->limbs.limb[i];
            snw_vec3 ahead = snw_vec3_sub(s->now[limb->end_first], s->place[i]);
            s->place[i] =
                limb->parent >= 0 ? s->now[limb->parent_end] : limb_base(f, i).translation;
            snw_vec3 end =
                f->geometry->on_sphere(s->place[i], limb->length, s->wish[limb->end_first], ahead);
            for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++)
                s->now[e] = end;
        } else
            push_outwards(f, i);
    }
}

void snw__fabrik_store(snw__fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    if (s->limbs.is_plain) { /* rotations now, from the positions found */
        for (int e = 0; e < s->limbs.end_count; e++)
            s->wish[e] = s->now[e];
        for (int i = 0; i < s->limbs.limb_count; i++)
            push_outwards(f, i);
    }
    for (int i = 0; i < s->limbs.limb_count; i++) {
        f->pose->rotation[s->limbs.limb[i].joint] = s->local[i];
        f->pose->slide[s->limbs.limb[i].joint] = s->slide[i];
    }
    f->pose->root.translation = snw_vec3_add(f->pose->root.translation, f->root_shift);
}
