/* Which joints are links of FABRIK with limits, and how they hang together; see fabrik_links.h.
 *
 * Joints that cannot steer are part of the limb above: a pivot whose bone lies on its axis moves no
 * point, and as a limb of its own would only pass on what it cannot help. */
#include "ik/fabrik/fabrik_links.h"

#include <sinew/geometry.h>

#include "ik/core/aim.h"
#include "ik/core/bounds.h"
#include "ik/literature/ccd.h"

/* ---- plan ------------------------------------------------------------------------------------ */

/* Side k % 2 of pin k / 2; -1: the world. */
static int pin_joint(const snw_ik *ik, int k)
{
    const snw_pin *pin = &ik->skeleton->pin[k / 2];
    return k % 2 ? pin->joint_b : pin->joint_a;
}

static snw_vec3 pin_point(const snw_ik *ik, int k)
{
    const snw_pin *pin = &ik->skeleton->pin[k / 2];
    return k % 2 ? pin->point_b : pin->point_a;
}

bool snw__fabrik_limits_fits(const snw_ik *ik)
{
    if (ik->options.root == SNW_IK_ROOT_FREE) return false;
    if (ik->skeleton->pin_count > 0 && ik->limited_count == 0) return false;
    if (ik->options.use_printed) return false;
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (snw__goal_row_of(goal)->has_other) continue; /* shapes: moved by the links below */
        if (!snw__goal_is_secondary(goal) && !snw__goal_is_spatial(goal)) return false;
        for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j]) {
            snw_joint_type type = ik->joint[j].type;
            if (snw__joint_is_slide(type, 0)) return false;
        }
    }
    for (int k = 0; k < 2 * ik->skeleton->pin_count; k++)
        for (int j = pin_joint(ik, k); j >= 0; j = ik->skeleton->parent[j])
            if (snw__joint_is_slide(ik->joint[j].type, 0)) return false;
    return true;
}

/* Up from a goal: marks what steers its point, or the place of the next link below. A joint under
 * an orientation goal counts as one that steers: it is what takes the frame. */
static void mark_way_up(const snw_ik *ik, int joint, snw_vec3 point, const snw__goal_row *kind,
                        int *link_of)
{
    bool wants_frame = kind->has_frame;
    bool has_point = kind->place != SNW__PLACE_ANY;
    for (int j = joint; j >= 0; j = ik->skeleton->parent[j]) {
        const snw_joint *own = &ik->joint[j];
        bool moves = snw_joint_type_dof(own->type) > 0;
        snw_vec3 lever = snw__joint_is_hinge(own) ? snw_vec3_cross(own->axis, point) : point;
        bool steers = moves && snw_vec3_length(lever) > 1e-9 * ik->size;
        if ((wants_frame && moves) || (has_point && steers) || link_of[j] == 0) {
            link_of[j] = 0;
            point = snw_vec3_make(0, 0, 0);
            wants_frame = false;
            has_point = true;
        }
        point = snw_xform_point(ik->skeleton->rest[j], point);
    }
}

static int link_above(const snw__fabrik_limits *s, const snw_skeleton *skeleton, int joint)
{
    while (joint >= 0 && s->link_of[joint] < 0)
        joint = skeleton->parent[joint];
    return joint < 0 ? -1 : s->link_of[joint];
}

static void fill_plan(const snw_ik *ik, snw__fabrik_limits *s)
{
    const snw_skeleton *skeleton = ik->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        s->link_of[j] = -1;
    for (int g = 0; g < ik->goal_count; g++)
        if (snw__goal_is_spatial(&ik->goal[g]))
            mark_way_up(ik, ik->goal[g].joint, ik->goal[g].point, snw__goal_row_of(&ik->goal[g]),
                        s->link_of);
    for (int k = 0; k < 2 * skeleton->pin_count; k++)
        mark_way_up(ik, pin_joint(ik, k), pin_point(ik, k), &snw__goal_rows[SNW_GOAL_POSITION],
                    s->link_of);
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (s->link_of[j] < 0) continue;
        snw__fabrik_link link = {.joint = j, .orientation = -1};
        link.parent = j == 0 ? -1 : link_above(s, skeleton, skeleton->parent[j]);
        s->link_of[j] = s->link_count;
        s->link[s->link_count++] = link;
    }
    for (int l = 0; l < s->link_count; l++) {
        s->link[l].end_first = s->end_count;
        for (int child = l + 1; child < s->link_count; child++)
            if (s->link[child].parent == l)
                s->end[s->end_count++] = (snw__fabrik_end){child, -1, -1};
        for (int g = 0; g < ik->goal_count; g++) {
            const snw_goal *goal = &ik->goal[g];
            if (!snw__goal_is_spatial(goal) || link_above(s, ik->skeleton, goal->joint) != l)
                continue;
            if (snw__goal_row_of(goal)->has_frame) s->link[l].orientation = g;
            if (snw__goal_row_of(goal)->place != SNW__PLACE_ANY)
                s->end[s->end_count++] = (snw__fabrik_end){-1, g, -1};
        }
        for (int k = 0; k < 2 * skeleton->pin_count; k++)
            if (link_above(s, skeleton, pin_joint(ik, k)) == l)
                s->end[s->end_count++] = (snw__fabrik_end){-1, -1, k};
        s->link[l].end_count = s->end_count - s->link[l].end_first;
    }
    int used = 0;
    for (int l = 0; l < s->link_count; l++) {
        s->apart_first[l] = used;
        for (int k = 0; k < 2 * ik->goal_count; k++) {
            const snw_goal *goal = &ik->goal[k / 2];
            if (!snw__goal_row_of(goal)->has_other) continue;
            int carrier = link_above(s, skeleton, k % 2 ? goal->chain_root : goal->joint);
            if (carrier == l) s->apart[used++] = k;
        }
    }
    s->apart_first[s->link_count] = used;
}

snw__fabrik_limits *snw__fabrik_limits_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    size_t ends = n + (size_t)ik->goal_count + 2 * (size_t)ik->skeleton->pin_count;
    snw__fabrik_limits s = {0}, *state = snw__block_take(block, 1, sizeof *state);
    s.link = snw__block_take(block, n, sizeof *s.link);
    s.end = snw__block_take(block, ends, sizeof *s.end);
    s.link_of = snw__block_take(block, n, sizeof *s.link_of);
    s.offset = snw__block_take(block, ends, sizeof *s.offset);
    s.seat = snw__block_take(block, n, sizeof *s.seat);
    s.wish = snw__block_take(block, ends, sizeof *s.wish);
    s.weight = snw__block_take(block, ends, sizeof *s.weight);
    s.world = snw__block_take(block, n, sizeof *s.world);
    s.from = snw__block_take(block, ends, sizeof *s.from);
    s.to = snw__block_take(block, ends, sizeof *s.to);
    snw__ik_snapshot_layout(&s.best, n, block);
    snw__ik_snapshot_layout(&s.start, n, block);
    snw__ik_snapshot_layout(&s.kept, n, block);
    snw__ik_snapshot_layout(&s.last, n, block);
    s.change = snw__block_take(block, n, sizeof *s.change);
    s.apart_first = snw__block_take(block, n + 1, sizeof *s.apart_first);
    s.apart = snw__block_take(block, 2 * (size_t)ik->goal_count, sizeof *s.apart);
    s.is_chosen = snw__block_take(block, (size_t)ik->goal_count, sizeof *s.is_chosen);
    s.ccd = snw__ik_ccd.layout(ik, block);
    if (!state) return NULL;
    fill_plan(ik, &s);
    *state = s;
    return state;
}

/* ---- one iteration --------------------------------------------------------------------------
 *
 * Inwards, from the tips, every link takes its ends where they should be, and is then re-oriented
 * so that the limits of the joints on it hold against the links beyond, which have been placed
 * already: the parent suits the child. What the thesis prints, projecting the child against the
 * parent's old frame, lets the two contradict each other in every sweep. Outwards, from the base,
 * every link is aimed from its own joint, by its type: a ball by the smallest turn, a hinge by the
 * one angle, a universal by its two angles in turn, inside the limits. */

snw_xform snw__fabrik_base_of(const snw_pose *pose, int joint)
{
    int parent = pose->skeleton->parent[joint];
    snw_xform above = parent < 0 ? pose->root : pose->world[parent];
    return snw_xform_mul(above, pose->skeleton->rest[joint]);
}

/* Frames and offsets as the pose has them: what does not steer is rigid for this iteration. */
static void load(const snw__fabrik_links_run *run)
{
    snw__fabrik_limits *s = run->s;
    for (int l = 0; l < s->link_count; l++) {
        const snw__fabrik_link *link = &s->link[l];
        snw_xform base = snw__fabrik_base_of(run->pose, link->joint);
        s->world[l] = run->pose->world[link->joint];
        s->seat[l] = link->parent < 0
                         ? base
                         : snw_xform_mul(snw_xform_inverse(s->world[link->parent]), base);
    }
    for (int l = s->link_count - 1; l >= 0; l--)
        for (int e = s->link[l].end_first; e < s->link[l].end_first + s->link[l].end_count; e++) {
            const snw__fabrik_end *end = &s->end[e];
            if (end->goal >= 0) {
                const snw_goal *goal = &run->goals[end->goal];
                snw_vec3 at = snw_pose_point(run->pose, goal->joint, goal->point);
                s->offset[e] = snw_xform_unpoint(s->world[l], at);
                s->weight[e] = goal->weight;
                continue;
            }
            if (end->pin >= 0) {
                snw_vec3 at = snw_pose_point(run->pose, pin_joint(run->ik, end->pin),
                                             pin_point(run->ik, end->pin));
                s->offset[e] = snw_xform_unpoint(s->world[l], at);
                s->weight[e] = 1;
                continue;
            }
            /* A link counts as much as the heaviest goal beyond it. */
            const snw__fabrik_link *child = &s->link[end->child];
            s->offset[e] = s->seat[end->child].translation;
            s->weight[e] = child->end_count > 0 ? 0 : 1;
            for (int k = 0; k < child->end_count; k++)
                s->weight[e] = fmax(s->weight[e], s->weight[child->end_first + k]);
        }
}

/* Gathers, as seen from `place`, where the ends are under the rotation and where they should be. */
static int gather(const snw__fabrik_limits *s, int l, snw_vec3 place, snw_quat rotation)
{
    const snw__fabrik_link *link = &s->link[l];
    for (int k = 0; k < link->end_count; k++) {
        int e = link->end_first + k;
        s->from[k] = snw_quat_rotate(rotation, s->offset[e]);
        s->to[k] = snw_vec3_sub(s->wish[e], place);
    }
    return link->end_count;
}

/* The smallest turn (several ends: the best) that points the ends at their wishes. */
static snw_quat aim_freely(const snw__fabrik_limits *s, int l, snw_vec3 place, snw_quat rotation)
{
    snw_fit fit;
    int count = gather(s, l, place, rotation);
    if (count == 0) return rotation;
    if (count == 1) return snw_quat_mul(snw_quat_between(s->from[0], s->to[0]), rotation);
    if (snw_fit_rotation(s->from, s->to, s->weight + s->link[l].end_first, count, &fit) != SNW_OK)
        return rotation;
    return snw_quat_mul(fit.to_from.rotation, rotation);
}

/* The rotation of the link that an orientation goal on something rigid with it asks for. */
static snw_quat asked_rotation(const snw__fabrik_links_run *run, int l)
{
    const snw_goal *goal = &run->goals[run->s->link[l].orientation];
    snw_quat link_from_goal =
        snw_quat_mul(snw_quat_conjugate(run->pose->world[run->s->link[l].joint].rotation),
                     run->pose->world[goal->joint].rotation);
    return snw_quat_mul(snw_quat_normalize(goal->orientation), snw_quat_conjugate(link_from_goal));
}

/* The rotation nearest to `rotation` under which the joints of the links beyond are inside their
 * limits, these links being as they were placed; the weighted mean when there are several. */
static snw_quat suit_children(const snw__fabrik_links_run *run, int l, snw_quat rotation)
{
    const snw__fabrik_limits *s = run->s;
    const snw__fabrik_link *link = &s->link[l];
    double sum[4] = {0, 0, 0, 0};
    bool is_any = false;
    for (int e = link->end_first; e < link->end_first + link->end_count; e++) {
        int child = s->end[e].child;
        if (child < 0) continue;
        const snw_joint *joint = &run->ik->joint[s->link[child].joint];
        snw_quat base = snw_quat_mul(rotation, s->seat[child].rotation);
        snw_quat local =
            snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(base), s->world[child].rotation));
        snw_quat allowed = snw_joint_limit_apply(joint, local);
        snw_quat suits =
            snw_quat_mul(snw_quat_mul(s->world[child].rotation, snw_quat_conjugate(allowed)),
                         snw_quat_conjugate(s->seat[child].rotation));
        double w = s->weight[e] * (snw_quat_dot(suits, rotation) < 0 ? -1 : 1);
        sum[0] += w * suits.w;
        sum[1] += w * suits.x;
        sum[2] += w * suits.y;
        sum[3] += w * suits.z;
        is_any = true;
    }
    if (!is_any) return rotation;
    return snw_quat_normalize(snw_quat_make(sum[0], sum[1], sum[2], sum[3]));
}

/* ---- outwards, by type ---------------------------------------------------------------------- */

static snw_quat turn_about(const snw__fabrik_limits *s, int l, int count, const snw_joint *joint,
                           int which, snw_vec3 axis, snw_quat local)
{
    double values[6] = {0};
    snw__aim aim = {axis, 0, 0};
    for (int k = 0; k < count; k++)
        snw__aim_add(&aim, s->from[k], s->to[k], s->weight[s->link[l].end_first + k]);
    (void)snw_joint_values(joint, local, snw_vec3_make(0, 0, 0), values);
    values[which] += snw__aim_bounded_step(&aim, joint, which, values[which]);
    snw_vec3 slide;
    snw_joint_from_values(joint, values, &local, &slide);
    return local;
}

/* The two angles of a universal one after the other, which converges to both. */
static snw_quat aim_universal(const snw__fabrik_limits *s, int l, snw_xform base,
                              const snw_joint *joint, snw_quat local)
{
    for (int round = 0; round < 3; round++)
        for (int which = 1; which >= 0; which--) {
            snw_quat rotation = snw_quat_mul(base.rotation, local);
            snw_vec3 axis = which ? snw_quat_rotate(rotation, joint->axis2)
                                  : snw_quat_rotate(base.rotation, joint->axis);
            int count = gather(s, l, base.translation, rotation);
            local = turn_about(s, l, count, joint, which, axis, local);
        }
    return local;
}

/* Rotation of the link's joint that brings its ends nearest to their wishes, inside the limits,
 * from the rotation that the inward sweep gave the link. */
static snw_quat aim_by_type(const snw__fabrik_links_run *run, int l, snw_xform base)
{
    const snw__fabrik_limits *s = run->s;
    const snw_joint *joint = &run->ik->joint[s->link[l].joint];
    snw_quat wanted = s->world[l].rotation, back = snw_quat_conjugate(base.rotation);
    if (s->link[l].orientation >= 0)
        return snw_joint_limit_apply(
            joint, snw_quat_normalize(snw_quat_mul(back, asked_rotation(run, l))));
    if (joint->type == SNW_JOINT_BALL) {
        snw_quat local =
            snw_quat_normalize(snw_quat_mul(back, aim_freely(s, l, base.translation, wanted)));
        if (s->link[l].end_count != 1) return snw_joint_limit_apply(joint, local);
        snw_vec3 way = snw_vec3_sub(s->wish[s->link[l].end_first], base.translation);
        way = snw_vec3_unit(snw_quat_unrotate(base.rotation, way), joint->axis);
        return snw__ik_swivel_inside(joint, local, way);
    }
    snw_quat local = snw_joint_limit_apply(joint, snw_quat_normalize(snw_quat_mul(back, wanted)));
    if (joint->type == SNW_JOINT_UNIVERSAL) return aim_universal(s, l, base, joint, local);
    int count = gather(s, l, base.translation, snw_quat_mul(base.rotation, local));
    return turn_about(s, l, count, joint, 0, snw_quat_rotate(base.rotation, joint->axis), local);
}

/* The two sides of a pin meet half-way; what does not move is gone to. */
static snw_vec3 wish_of_pin(const snw__fabrik_links_run *run, int k, snw_vec3 now)
{
    int mate = pin_joint(run->ik, k ^ 1);
    snw_vec3 other = snw_xform_point(snw__fabrik_placed(run, mate), pin_point(run->ik, k ^ 1));
    bool moves = link_above(run->s, run->ik->skeleton, mate) >= 0;
    return moves ? snw_vec3_lerp(now, other, 0.5) : other;
}

void snw__fabrik_links_sweep(const snw__fabrik_links_run *run)
{
    load(run);
    snw__fabrik_limits *s = run->s;
    for (int l = s->link_count - 1; l >= 0; l--) {
        const snw__fabrik_link *link = &s->link[l];
        snw_vec3 sum = {0, 0, 0};
        double total = 0;
        for (int e = link->end_first; e < link->end_first + link->end_count; e++) {
            const snw__fabrik_end *end = &s->end[e];
            snw_vec3 now = snw_xform_point(s->world[l], s->offset[e]);
            if (end->goal >= 0)
                s->wish[e] = snw__fabrik_wish(run->geometry, &run->goals[end->goal], now);
            else if (end->pin >= 0)
                s->wish[e] = wish_of_pin(run, end->pin, now);
            else
                s->wish[e] = s->world[end->child].translation;
        }
        snw_quat rotation = link->orientation >= 0
                                ? asked_rotation(run, l)
                                : aim_freely(s, l, s->world[l].translation, s->world[l].rotation);
        rotation = suit_children(run, l, rotation);
        for (int e = link->end_first; e < link->end_first + link->end_count; e++) {
            snw_vec3 place = snw_vec3_sub(s->wish[e], snw_quat_rotate(rotation, s->offset[e]));
            sum = snw_vec3_add_scaled(sum, s->weight[e], place);
            total += s->weight[e];
        }
        s->world[l].rotation = rotation;
        if (total > 0) s->world[l].translation = snw_vec3_scale(sum, 1 / total);
        if (link->end_count > 0) (void)snw__fabrik_part(run, l, s->wish[link->end_first]);
    }
    for (int l = 0; l < s->link_count; l++) {
        const snw__fabrik_link *link = &s->link[l];
        snw_xform base =
            link->parent < 0 ? s->seat[l] : snw_xform_mul(s->world[link->parent], s->seat[l]);
        snw_quat local =
            snw_joint_limit_apply(&run->ik->joint[link->joint], aim_by_type(run, l, base));
        s->world[l] = snw_xform_make(snw_quat_mul(base.rotation, local), base.translation);
        if (snw__fabrik_part(run, l, base.translation)) {
            snw_quat back = snw_quat_conjugate(base.rotation);
            local =
                snw_joint_limit_apply(&run->ik->joint[link->joint],
                                      snw_quat_normalize(snw_quat_mul(back, s->world[l].rotation)));
            s->world[l].rotation = snw_quat_mul(base.rotation, local);
        }
        run->pose->rotation[link->joint] = local;
    }
    snw_pose_forward(run->pose);
}
