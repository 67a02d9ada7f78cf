/* FABRIK: forward and backward reaching inverse kinematics (Aristidou & Lasenby, Graphical Models
 * 73, 2011), for chains, trees, closed loops, limits and a free root.
 *
 * One iteration is two sweeps. Inwards, from the tips: every end takes the place it wishes for (a
 * goal's target, the middle between two pinned points, or where the limb beyond it wants to sit)
 * and the joint follows, at bone length towards where it was. A joint under several ends takes the
 * weighted mean of what they ask. Outwards, from the base, which goes back to its place (or, with a
 * free root, stays where the sweep put it): every end is pulled back to bone length.
 *
 * Plain limbs (a ball without limits that carries one point) need nothing but positions; rotations
 * are found once, at the end, as the smallest turn of every bone. Others (limits, hinges, slides,
 * a pelvis with two hips, a tip with an orientation goal) keep their rotation during the sweeps: it
 * is turned towards the wishes and brought inside type and limits at every visit, so the outward
 * sweep always ends in a pose the body can take.
 *
 * Beyond the printed algorithm: the hole around the base (nothing nearer than 2 longest - sum can
 * be reached), a straight chain whose target lies on its line (pushed sideways), and leaps: close
 * to full reach an iteration removes a constant, small part 1 - r of the gap (r to 0.9998), so once
 * two successive moves are parallel the geometric series is summed, r / (1 - r) moves at once
 * (Aitken's extrapolation), and taken back if the gap did not shrink. */
#include "ik/fabrik.h"

#include <sinew/geometry.h>

#include "base/elementary.h"
#include "base/fail.h"
#include "ik/aim.h"
#include "ik/bones.h"

/* Iterations between leaps: two to measure the ratio, one to forget the disturbance. */
#define FABRIK_LEAP_EVERY 4
/* Sum of the series at most this long; beyond it the ratio is not known well enough. */
#define FABRIK_LEAP_MAX 2000.0
/* Sweeps that a chain in reach gets before it is laid on an arc. */
#define FABRIK_ARC_AT 100
/* Iterations in a row that may pass without the gap shrinking by a hundredth of the tolerance. */
#define FABRIK_PATIENCE 3

typedef struct fabrik_solve {
    const snw_ik *ik;
    snw__fabrik_state *s;
    const snw__fabrik_geometry *geometry;
    const snw_goal *goals;
    snw_pose *pose;
    snw_vec3 root_shift; /* of a free root */
    snw_vec3 target;     /* chain: the target, or the nearest point that can be reached */
} fabrik_solve;

/* ---- the problem ---------------------------------------------------------------------------- */

/* A joint that sweeps over points cannot steer: a hinge about the very line on which its bone, or
 * the seat of the next joint, lies. */
static bool is_steerable(const snw_skeleton *skeleton, int joint, snw_vec3 point)
{
    if (skeleton->joint[joint].type != SNW_JOINT_HINGE) return true;
    snw_vec3 lever = snw_vec3_cross(skeleton->joint[joint].axis, point);
    return snw_vec3_length(lever) > 1e-9 * skeleton->size;
}

static snw_status check_way_up(const snw_ik *ik, int joint, snw_vec3 point, snw_error *error)
{
    const snw_skeleton *skeleton = ik->skeleton;
    joint = snw__bones_carrier(skeleton, joint, &point);
    while (joint >= 0) {
        if (!is_steerable(skeleton, joint, point))
            return snw__fail(error, SNW_UNSUPPORTED,
                             "%s moves points: it cannot steer hinge %s, whose bone is on its axis",
                             snw_ik_solver_name(ik->options.solver), skeleton->name[joint]);
        snw_xform frame = skeleton->rest[joint];
        joint = snw__limbs_carrier(skeleton, skeleton->parent[joint], &frame);
        point = frame.translation;
    }
    return SNW_OK;
}

/* An orientation can be given to a ball without limits, which then just takes it; the joints above
 * would have to be twisted, which points do not tell them. */
static snw_status check_orientation(const snw_ik *ik, int goal, snw_error *error)
{
    snw_xform frame = snw_xform_identity();
    int joint = snw__limbs_carrier(ik->skeleton, ik->goal[goal].joint, &frame);
    if (joint >= 0) {
        const snw_joint *j = &ik->skeleton->joint[joint];
        bool is_limited = j->limit.swing != SNW_SWING_FREE || j->limit.has_twist;
        if (j->type == SNW_JOINT_BALL && !(is_limited && ik->options.use_limits)) return SNW_OK;
        if (j->type == SNW_JOINT_FREE) return SNW_OK;
    }
    return snw__fail(error, SNW_UNSUPPORTED,
                     "%s turns frames on ball joints without limits only, goal %d is on joint %s",
                     snw_ik_solver_name(ik->options.solver), goal,
                     ik->skeleton->name[ik->goal[goal].joint]);
}

snw_status snw__fabrik_check(const snw_ik *ik, snw_error *error)
{
    snw_status status = SNW_OK;
    if (snw__fabrik_limits_fits(ik)) return SNW_OK;
    for (int g = 0; status == SNW_OK && g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (goal->kind == SNW_GOAL_REST) continue; /* looked after by the solve around */
        if (goal->kind == SNW_GOAL_AIM || goal->kind == SNW_GOAL_POLE ||
            goal->kind == SNW_GOAL_VALUE)
            return snw__fail(
                error, SNW_UNSUPPORTED, "%s moves points and tip orientations, goal %d is %s",
                snw_ik_solver_name(ik->options.solver), g, snw_goal_kind_name(goal->kind));
        if (goal->kind == SNW_GOAL_POSE || goal->kind == SNW_GOAL_ORIENTATION)
            status = check_orientation(ik, g, error);
        if (status == SNW_OK) status = check_way_up(ik, goal->joint, goal->point, error);
    }
    for (int p = 0; status == SNW_OK && p < ik->skeleton->pin_count; p++) {
        const snw_pin *pin = &ik->skeleton->pin[p];
        status = check_way_up(ik, pin->joint_a, pin->point_a, error);
        if (status == SNW_OK && pin->joint_b >= 0)
            status = check_way_up(ik, pin->joint_b, pin->point_b, error);
    }
    return status;
}

void *snw__fabrik_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    size_t ends = n + (size_t)ik->goal_count + 2 * (size_t)ik->skeleton->pin_count;
    snw__fabrik_state *state = snw__block_take(block, 1, sizeof *state), s = {0};
    snw__limbs_layout(&s.limbs, ik, block);
    s.place = snw__block_take(block, n, sizeof *s.place);
    s.turn = snw__block_take(block, n, sizeof *s.turn);
    s.local = snw__block_take(block, n, sizeof *s.local);
    s.slide = snw__block_take(block, n, sizeof *s.slide);
    s.wish = snw__block_take(block, ends, sizeof *s.wish);
    s.now = snw__block_take(block, ends, sizeof *s.now);
    s.last = snw__block_take(block, ends, sizeof *s.last);
    s.change = snw__block_take(block, ends, sizeof *s.change);
    s.kept = snw__block_take(block, ends, sizeof *s.kept);
    s.from = snw__block_take(block, ends, sizeof *s.from);
    s.to = snw__block_take(block, ends, sizeof *s.to);
    s.weight = snw__block_take(block, ends, sizeof *s.weight);
    /* Both forms are laid out where the second can serve; which one does is known when the limbs
     * are. */
    if (snw__fabrik_limits_fits(ik)) s.limits = snw__fabrik_limits_layout(ik, block);
    if (s.limbs.is_plain) s.limits = NULL;
    if (state != NULL) *state = s;
    return state;
}

/* A limb counts as much as the heaviest goal beyond it. */
static void load_weights(fabrik_solve *f)
{
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

static void load_pose(fabrik_solve *f)
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
    load_weights(f);
}

/* The frame in which the limb's own motion happens: world rotation of its joint at rest, and the
 * place it sits on. */
static snw_xform limb_base(const fabrik_solve *f, int i)
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

static snw_vec3 goal_wish(const fabrik_solve *f, int e)
{
    const snw_goal *goal = &f->goals[f->s->limbs.end[e].goal];
    snw_vec3 now = f->s->now[e], up = {0, 0, 1};
    snw_vec3 direction = snw_vec3_unit(goal->direction, up);
    if (f->s->limbs.is_chain) return f->target;
    if (goal->kind == SNW_GOAL_LINE) return f->geometry->on_line(goal->position, direction, now);
    if (goal->kind == SNW_GOAL_SIDE &&
        snw_vec3_dot(snw_vec3_sub(now, goal->position), direction) >= 0)
        return now;
    if (goal->kind == SNW_GOAL_PLANE || goal->kind == SNW_GOAL_SIDE)
        return f->geometry->on_plane(goal->position, direction, now);
    return goal->position;
}

/* Where the other side of a pin is. */
static snw_vec3 pin_other(const fabrik_solve *f, int e)
{
    const snw__limb_end *end = &f->s->limbs.end[e];
    const snw_pin *pin = &f->pose->skeleton->pin[end->pin];
    if (end->pin_mate >= 0) return f->s->now[end->pin_mate];
    if (end->is_pin_b) return snw_pose_point(f->pose, pin->joint_a, pin->point_a);
    if (pin->joint_b < 0) return pin->point_b;
    return snw_pose_point(f->pose, pin->joint_b, pin->point_b);
}

static snw_vec3 pin_wish(const fabrik_solve *f, int e)
{
    snw_vec3 other = pin_other(f, e);
    return f->s->limbs.end[e].pin_mate < 0 ? other : snw_vec3_lerp(f->s->now[e], other, 0.5);
}

/* Worst of gap / tolerance over goals and pins. */
static double worst_gap(const fabrik_solve *f)
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

static snw_vec3 mean_wish(const snw__fabrik_state *s, const snw__fabrik_limb *limb)
{
    if (limb->end_count == 1) return s->wish[limb->end_first];
    snw_vec3 sum = {0, 0, 0};
    double total = 0;
    for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++) {
        sum = snw_vec3_add_scaled(sum, s->weight[e], s->wish[e]);
        total += s->weight[e];
    }
    return snw_vec3_scale(sum, 1.0 / total);
}

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

/* The turn about the hinge's axis that brings the ends nearest to their wishes. */
static snw_quat hinge_turn(const snw__fabrik_state *s, int count, snw_vec3 axis, snw_quat turn)
{
    snw__aim aim = {axis, 0, 0};
    for (int k = 0; k < count; k++)
        snw__aim_add(&aim, s->from[k], s->to[k], 1.0);
    return snw_quat_mul(snw_quat_from_axis_angle(axis, snw__aim_angle(&aim)), turn);
}

/* `turn` changed as little as possible so that the ends point to their wishes, seen from `place`;
 * neither type nor limits count yet, but a hinge stays a hinge. */
static snw_quat wished_turn(const fabrik_solve *f, int i, snw_vec3 place, snw_quat turn,
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
    if (joint->type == SNW_JOINT_HINGE || joint->type == SNW_JOINT_PIVOT)
        return hinge_turn(s, count, snw_quat_rotate(base, joint->axis), turn);
    if (count == 1 || limb->is_plain)
        return snw_quat_mul(snw_quat_between(s->from[0], s->to[0]), turn);
    snw_fit fit;
    if (snw_fit_rotation(s->from, s->to, s->weight + limb->end_first, count, &fit) != SNW_OK)
        return turn;
    return snw_quat_mul(fit.to_from.rotation, turn);
}

/* Turns the limb to its wishes inside type and limits. */
static void turn_limb(fabrik_solve *f, int i, snw_quat base, snw_vec3 place, snw_quat turn)
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
static snw_vec3 pull_inwards(fabrik_solve *f, int i)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    if (limb->is_plain) {
        snw_vec3 wish = mean_wish(s, limb);
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

static void sweep_inwards(fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    snw_vec3 shift = {0, 0, 0};
    int tops = 0;
    for (int e = 0; e < s->limbs.end_count; e++) {
        if (s->limbs.end[e].goal >= 0) s->wish[e] = goal_wish(f, e);
        if (s->limbs.end[e].pin >= 0) s->wish[e] = pin_wish(f, e);
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

/* Plain limbs of a plain problem: positions only. */
static void push_outwards_plain(fabrik_solve *f, int i)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    snw_vec3 ahead = snw_vec3_sub(s->now[limb->end_first], s->place[i]);
    s->place[i] = limb->parent >= 0 ? s->now[limb->parent_end] : limb_base(f, i).translation;
    snw_vec3 end =
        f->geometry->on_sphere(s->place[i], limb->length, s->wish[limb->end_first], ahead);
    for (int e = limb->end_first; e < limb->end_first + limb->end_count; e++)
        s->now[e] = end;
}

static void push_outwards(fabrik_solve *f, int i)
{
    snw__fabrik_state *s = f->s;
    const snw__fabrik_limb *limb = &s->limbs.limb[i];
    const snw_joint *joint = &f->ik->joint[limb->joint];
    snw_xform base = limb_base(f, i);
    bool can_slide = joint->type == SNW_JOINT_PRISMATIC || joint->type == SNW_JOINT_FREE;
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

static void sweep_outwards(fabrik_solve *f)
{
    for (int i = 0; i < f->s->limbs.limb_count; i++) {
        if (f->s->limbs.is_plain)
            push_outwards_plain(f, i);
        else
            push_outwards(f, i);
    }
}

/* ---- leaps ---------------------------------------------------------------------------------- */

static void copy_ends(const snw__fabrik_state *s, snw_vec3 *to, const snw_vec3 *from)
{
    for (int e = 0; e < s->limbs.end_count; e++)
        to[e] = from[e];
}

/* change = now - last, last = now; returns the ratio of this change to the one before along it. */
static double measure_change(snw__fabrik_state *s)
{
    double both = 0, before = 0;
    for (int e = 0; e < s->limbs.end_count; e++) {
        snw_vec3 change = snw_vec3_sub(s->now[e], s->last[e]);
        both += snw_vec3_dot(change, s->change[e]);
        before += snw_vec3_length2(s->change[e]);
        s->change[e] = change;
        s->last[e] = s->now[e];
    }
    return before > 0 ? both / before : 0;
}

/* Pulls the ends back to bone length around where they should be. */
static void settle_on(fabrik_solve *f, const snw_vec3 *ends)
{
    copy_ends(f->s, f->s->wish, ends);
    sweep_outwards(f);
}

/* The sum of the remaining geometric series at once; true when the gap shrank, else taken back. */
static bool leap(fabrik_solve *f, double ratio, double *gap)
{
    snw__fabrik_state *s = f->s;
    double moves = fmin(ratio / (1.0 - ratio), FABRIK_LEAP_MAX);
    copy_ends(s, s->kept, s->now);
    for (int e = 0; e < s->limbs.end_count; e++)
        s->wish[e] = snw_vec3_add_scaled(s->now[e], moves, s->change[e]);
    sweep_outwards(f);
    double after = worst_gap(f);
    bool is_better = after < *gap;
    if (is_better)
        *gap = after;
    else
        settle_on(f, s->kept);
    copy_ends(s, s->last, s->now);
    return is_better;
}

/* ---- shapes that sweeps cannot leave -------------------------------------------------------- */

/* Moves every joint but the base's off its bone, by turns to both sides of one fixed direction. */
static void push_sideways(fabrik_solve *f, snw_vec3 line, double amount)
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
static void lay_on_ray(fabrik_solve *f, snw_vec3 ray, double others, int longest)
{
    snw__fabrik_state *s = f->s;
    for (int i = 0; i < s->limbs.limb_count; i++) {
        snw_vec3 from = i == 0 ? s->place[0] : s->wish[i - 1];
        double step = s->limbs.limb[i].length * (i == longest ? 1.0 : others);
        s->wish[i] = snw_vec3_add_scaled(from, step, ray);
    }
    sweep_outwards(f);
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

/* Lays a chain that is nearly stretched on the arc whose chord is the way to the target, bulging to
 * the side to which it is bent now. Sweeps need thousands of iterations for what this does at once:
 * each moves the joints by what is missing in length, the bend goes with its root. */
static void lay_on_arc(fabrik_solve *f)
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
    sweep_outwards(f);
}

/* What a chain can be told at once. True when there is nothing left to iterate. */
static bool begin_chain(fabrik_solve *f)
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
        if (is_straight(s, s->place[0], f->target, sum)) push_sideways(f, ray, 1e-2);
        return false;
    }
    return true;
}

/* ---- the method ----------------------------------------------------------------------------- */

static void write_pose(fabrik_solve *f)
{
    snw__fabrik_state *s = f->s;
    if (s->limbs.is_plain) { /* rotations now, from the positions found */
        copy_ends(s, s->wish, s->now);
        for (int i = 0; i < s->limbs.limb_count; i++)
            push_outwards(f, i);
    }
    for (int i = 0; i < s->limbs.limb_count; i++) {
        f->pose->rotation[s->limbs.limb[i].joint] = s->local[i];
        f->pose->slide[s->limbs.limb[i].joint] = s->slide[i];
    }
    f->pose->root.translation = snw_vec3_add(f->pose->root.translation, f->root_shift);
}

/* Iterates until reached, out of iterations or no longer moving. */
static snw_ik_outcome iterate(fabrik_solve *f, int *iterations)
{
    snw__fabrik_state *s = f->s;
    double gap = worst_gap(f);
    int waited = 0, since_leap = 0;
    bool was_pushed = false;
    copy_ends(s, s->last, s->now);
    copy_ends(s, s->change, s->now);
    while (gap > 0.999) {
        double before = gap;
        if (*iterations >= f->ik->options.iteration_max) return SNW_IK_OUT_OF_ITERATIONS;
        ++*iterations;
        sweep_inwards(f);
        sweep_outwards(f);
        gap = worst_gap(f);
        double ratio = measure_change(s);
        if (s->limbs.is_plain && ++since_leap >= FABRIK_LEAP_EVERY && ratio > 0.6 &&
            ratio < 0.99999 && gap > 0.999) {
            leap(f, ratio, &gap);
            since_leap = 0;
        }
        if (*iterations == FABRIK_ARC_AT && s->limbs.is_chain && gap > 0.999 &&
            f->ik->options.root == SNW_IK_ROOT_FIXED) {
            copy_ends(s, s->kept, s->now);
            lay_on_arc(f);
            double after = worst_gap(f);
            if (!(after < gap)) settle_on(f, s->kept);
            gap = fmin(gap, after);
        }
        waited = before - gap < 0.01 ? waited + 1 : 0;
        if (waited <= FABRIK_PATIENCE) continue;
        if (was_pushed) return SNW_IK_STALLED;
        snw_vec3 ray = snw_vec3_sub(s->now[0], s->place[0]);
        push_sideways(f, ray, 0.1);
        was_pushed = true;
        waited = -FABRIK_PATIENCE;
    }
    return SNW_IK_REACHED;
}

snw__ik_report snw__fabrik_run(const snw_ik *ik, snw__fabrik_state *s,
                               const snw__fabrik_geometry *geometry, const snw_goal *goals,
                               snw_pose *pose)
{
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = ik->options.solver};
    fabrik_solve f = {ik, s, geometry, goals, pose, {0, 0, 0}, {0, 0, 0}};
    if (s->limits) return snw__fabrik_limits_solve(ik, s->limits, geometry, goals, pose);
    if (s->limbs.limb_count == 0) {
        report.outcome = SNW_IK_STALLED;
        return report;
    }
    load_pose(&f);
    if (s->limbs.is_chain && begin_chain(&f))
        report.iterations = 1;
    else
        report.outcome = iterate(&f, &report.iterations);
    write_pose(&f);
    return report;
}

/* ---- Euclidean geometry --------------------------------------------------------------------- */

static snw_vec3 euclidean_on_sphere(snw_vec3 center, double radius, snw_vec3 toward,
                                    snw_vec3 fallback)
{
    snw_vec3 way = snw_vec3_sub(toward, center);
    double length = snw_vec3_length(way);
    if (!(length > 1e-12 * radius))
        way = snw_vec3_unit(fallback, snw_vec3_make(1, 0, 0)), length = 1;
    return snw_vec3_add_scaled(center, radius / length, way);
}

static snw_vec3 euclidean_on_line(snw_vec3 through, snw_vec3 direction, snw_vec3 point)
{
    double along = snw_vec3_dot(snw_vec3_sub(point, through), direction);
    return snw_vec3_add_scaled(through, along, direction);
}

static snw_vec3 euclidean_on_plane(snw_vec3 through, snw_vec3 normal, snw_vec3 point)
{
    double above = snw_vec3_dot(snw_vec3_sub(point, through), normal);
    return snw_vec3_add_scaled(point, -above, normal);
}

static snw__ik_report fabrik_solve_method(const snw_ik *ik, void *state, const snw_goal *goals,
                                          snw_pose *pose)
{
    static const snw__fabrik_geometry euclidean = {euclidean_on_sphere, euclidean_on_line,
                                                   euclidean_on_plane};
    snw__ik_report report = snw__fabrik_run(ik, state, &euclidean, goals, pose);
    report.solver = SNW_IK_FABRIK;
    return report;
}

const snw__ik_method snw__ik_fabrik = {.solver = SNW_IK_FABRIK,
                                       .check = snw__fabrik_check,
                                       .layout = snw__fabrik_layout,
                                       .solve = fabrik_solve_method};
