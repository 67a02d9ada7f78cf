/* FABRIK with joint types and limits (Aristidou & Lasenby 2011; Aristidou, Chrysanthou & Lasenby
 * 2016; the thesis' section 3.4.1).
 *
 * Inwards, from the tips, every limb takes its ends where they should be, and is then re-oriented
 * so that the limits of the joints on it hold against the limbs beyond, which have been placed
 * already: the parent suits the child. What the thesis prints, projecting the child against the
 * parent's old frame, lets the two contradict each other in every sweep; `sinew bench ik --limits`
 * has both. Outwards, from the base, every limb is aimed from its own joint, by its type: a ball by
 * the smallest turn, a hinge by the one angle, a universal by its two angles in turn, inside the
 * limits.
 *
 * Joints that cannot steer are part of the limb above: a pivot whose bone lies on its axis moves no
 * point, and as a limb of its own would only pass on what it cannot help. They are turned by sweeps
 * over single joints (ccd.h), which take over whenever the two sweeps of FABRIK bring less than a
 * few percent; the two methods stall at different poses. Where both do, the solve begins again:
 * shaken, then anywhere. */
#include "ik/fabrik_limits.h"

#include <sinew/geometry.h>

#include "ik/aim.h"
#include "ik/bones.h"
#include "ik/bounds.h"
#include "ik/ccd.h"

/* An iteration pays when it leaves less than this part of the excess. */
#define FABRIK_LIMITS_PAYS 0.9
/* An attempt has stalled when so many iterations together leave more than this part. */
#define FABRIK_LIMITS_WINDOW 16
#define FABRIK_LIMITS_SLOW   0.75
/* The same where frames are asked for, which sweeps approach more slowly than places. */
#define FABRIK_LIMITS_WINDOW_FRAME 24
#define FABRIK_LIMITS_SLOW_FRAME   0.85
/* An answer that does not reach must leave less than this part of the start's excess: for a
 * hundredth of the way a tracked limb does not turn over. */
#define FABRIK_LIMITS_NEARER 0.99
/* Iterations between leaps, changes that one may sum up, and the largest turn of it in radians. */
#define FABRIK_LIMITS_LEAP_EVERY 4
#define FABRIK_LIMITS_LEAP       1000.0
#define FABRIK_LIMITS_LEAP_TURN  0.5
/* Radians of the fresh starts that stay near the given pose, and poses looked at for the others. */
static const double fabrik_limits_shake[] = {0.2, 0.5};
#define FABRIK_LIMITS_SHAKES  ((int)(sizeof fabrik_limits_shake / sizeof(double)))
#define FABRIK_LIMITS_SCATTER 8

typedef struct fabrik_link {
    int joint;
    int parent; /* link; -1: nothing that steers moves it */
    int end_first, end_count;
    int orientation; /* goal that asks for the frame of something rigid on it; -1 */
} fabrik_link;

typedef struct fabrik_end {
    int child; /* link that sits here; -1 */
    int goal;  /* that pulls here; -1 */
} fabrik_end;

struct snw__fabrik_limits {
    int link_count, end_count;
    fabrik_link *link; /* (link_count) parents first */
    fabrik_end *end;   /* (end_count) those of one link in a row */
    int *link_of;      /* (joint_count) -1: does not steer */
    snw_vec3 *offset;  /* (end_count) in the link's frame, in this iteration */
    snw_xform *seat;   /* (link_count) where its joint starts, in the parent link's frame */
    snw_vec3 *wish;    /* (end_count) */
    double *weight;    /* (end_count) */
    snw_xform *world;  /* (link_count) */
    snw_vec3 *from, *to;
    void *ccd;
    snw__ik_snapshot best, start, kept;
    snw__ik_snapshot last; /* one iteration ago */
    bool *is_chosen;       /* (goal_count) */
    snw_vec3 *change;      /* (joint_count) turn of each joint in the last iteration */
};

/* ---- plan --------------------------------------------------------------------------------- */

static bool is_point_goal(const snw_goal *goal)
{
    return goal->kind != SNW_GOAL_ORIENTATION && goal->kind != SNW_GOAL_REST;
}

bool snw__fabrik_limits_fits(const snw_ik *ik)
{
    if (ik->options.root == SNW_IK_ROOT_FREE || ik->skeleton->pin_count > 0) return false;
    if (ik->options.use_printed) return false;
    for (int g = 0; g < ik->goal_count; g++) {
        snw_goal_kind kind = ik->goal[g].kind;
        if (kind == SNW_GOAL_AIM || kind == SNW_GOAL_POLE || kind == SNW_GOAL_VALUE) return false;
        for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j]) {
            snw_joint_type type = ik->joint[j].type;
            if (type == SNW_JOINT_PRISMATIC || type == SNW_JOINT_FREE) return false;
        }
    }
    return true;
}

/* Does turning the joint move the point, given in its frame? */
static bool steers(const snw_ik *ik, int joint, snw_vec3 point)
{
    const snw_joint *own = &ik->joint[joint];
    double least = 1e-9 * ik->size;
    if (own->type == SNW_JOINT_FIXED) return false;
    if (own->type == SNW_JOINT_HINGE || own->type == SNW_JOINT_PIVOT)
        return snw_vec3_length(snw_vec3_cross(own->axis, point)) > least;
    return snw_vec3_length(point) > least;
}

/* Up from a goal: marks what steers its point, or the place of the next link below. A joint under
 * an orientation goal counts as one that steers: it is what takes the frame. */
static void mark_way_up(const snw_ik *ik, const snw_goal *goal, int *link_of)
{
    snw_vec3 point = goal->point;
    bool wants_frame = goal->kind == SNW_GOAL_ORIENTATION || goal->kind == SNW_GOAL_POSE;
    bool has_point = is_point_goal(goal);
    for (int j = goal->joint; j >= 0; j = ik->skeleton->parent[j]) {
        bool moves = snw_joint_type_dof(ik->joint[j].type) > 0;
        bool takes_frame = wants_frame && moves;
        if (takes_frame || (has_point && steers(ik, j, point)) || link_of[j] == 0) {
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

static void add_ends(const snw_ik *ik, snw__fabrik_limits *s, int l)
{
    s->link[l].end_first = s->end_count;
    for (int child = l + 1; child < s->link_count; child++)
        if (s->link[child].parent == l) s->end[s->end_count++] = (fabrik_end){child, -1};
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (goal->kind == SNW_GOAL_REST || link_above(s, ik->skeleton, goal->joint) != l) continue;
        if (goal->kind == SNW_GOAL_ORIENTATION || goal->kind == SNW_GOAL_POSE)
            s->link[l].orientation = g;
        if (is_point_goal(goal)) s->end[s->end_count++] = (fabrik_end){-1, g};
    }
    s->link[l].end_count = s->end_count - s->link[l].end_first;
}

static void fill_plan(const snw_ik *ik, snw__fabrik_limits *s)
{
    const snw_skeleton *skeleton = ik->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        s->link_of[j] = -1;
    for (int g = 0; g < ik->goal_count; g++)
        if (ik->goal[g].kind != SNW_GOAL_REST) mark_way_up(ik, &ik->goal[g], s->link_of);
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (s->link_of[j] < 0) continue;
        fabrik_link link = {.joint = j, .orientation = -1};
        link.parent = j == 0 ? -1 : link_above(s, skeleton, skeleton->parent[j]);
        s->link_of[j] = s->link_count;
        s->link[s->link_count++] = link;
    }
    for (int l = 0; l < s->link_count; l++)
        add_ends(ik, s, l);
}

snw__fabrik_limits *snw__fabrik_limits_layout(const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count, ends = n + (size_t)ik->goal_count;
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
    s.is_chosen = snw__block_take(block, (size_t)ik->goal_count, sizeof *s.is_chosen);
    s.ccd = snw__ik_ccd.layout(ik, block);
    if (!state) return NULL;
    fill_plan(ik, &s);
    *state = s;
    return state;
}

/* ---- one iteration ------------------------------------------------------------------------ */

typedef struct fabrik_run {
    const snw_ik *ik;
    snw__fabrik_limits *s;
    const snw__fabrik_geometry *geometry;
    const snw_goal *goals;
    snw_pose *pose;
} fabrik_run;

/* world_from_joint of the joint with its own motion taken off. */
static snw_xform base_of(const snw_pose *pose, int joint)
{
    int parent = pose->skeleton->parent[joint];
    snw_xform above = parent < 0 ? pose->root : pose->world[parent];
    return snw_xform_mul(above, pose->skeleton->rest[joint]);
}

/* Frames and offsets as the pose has them: what does not steer is rigid for this iteration. */
static void load(const fabrik_run *run)
{
    snw__fabrik_limits *s = run->s;
    for (int l = 0; l < s->link_count; l++) {
        const fabrik_link *link = &s->link[l];
        snw_xform base = base_of(run->pose, link->joint);
        s->world[l] = run->pose->world[link->joint];
        s->seat[l] = link->parent < 0
                         ? base
                         : snw_xform_mul(snw_xform_inverse(s->world[link->parent]), base);
    }
    for (int l = s->link_count - 1; l >= 0; l--)
        for (int e = s->link[l].end_first; e < s->link[l].end_first + s->link[l].end_count; e++) {
            const fabrik_end *end = &s->end[e];
            if (end->goal >= 0) {
                const snw_goal *goal = &run->goals[end->goal];
                snw_vec3 at = snw_pose_point(run->pose, goal->joint, goal->point);
                s->offset[e] = snw_xform_unpoint(s->world[l], at);
                s->weight[e] = goal->weight;
                continue;
            }
            /* A link counts as much as the heaviest goal beyond it. */
            const fabrik_link *child = &s->link[end->child];
            s->offset[e] = s->seat[end->child].translation;
            s->weight[e] = child->end_count > 0 ? 0 : 1;
            for (int k = 0; k < child->end_count; k++)
                s->weight[e] = fmax(s->weight[e], s->weight[child->end_first + k]);
        }
}

/* Where a goal asks its point to be. */
static snw_vec3 goal_place(const fabrik_run *run, const snw_goal *goal, snw_vec3 now)
{
    snw_vec3 direction = snw_vec3_unit(goal->direction, snw_vec3_make(0, 0, 1));
    if (goal->kind == SNW_GOAL_LINE) return run->geometry->on_line(goal->position, direction, now);
    if (goal->kind == SNW_GOAL_SIDE &&
        snw_vec3_dot(snw_vec3_sub(now, goal->position), direction) >= 0)
        return now;
    if (goal->kind == SNW_GOAL_PLANE || goal->kind == SNW_GOAL_SIDE)
        return run->geometry->on_plane(goal->position, direction, now);
    return goal->position;
}

/* Gathers, as seen from `place`, where the ends are under the rotation and where they should be. */
static int gather(const snw__fabrik_limits *s, int l, snw_vec3 place, snw_quat rotation)
{
    const fabrik_link *link = &s->link[l];
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
static snw_quat asked_rotation(const fabrik_run *run, int l)
{
    const snw_goal *goal = &run->goals[run->s->link[l].orientation];
    snw_quat link_from_goal =
        snw_quat_mul(snw_quat_conjugate(run->pose->world[run->s->link[l].joint].rotation),
                     run->pose->world[goal->joint].rotation);
    return snw_quat_mul(snw_quat_normalize(goal->orientation), snw_quat_conjugate(link_from_goal));
}

/* The rotation nearest to `rotation` under which the joints of the links beyond are inside their
 * limits, these links being as they were placed; the weighted mean when there are several. */
static snw_quat suit_children(const fabrik_run *run, int l, snw_quat rotation)
{
    const snw__fabrik_limits *s = run->s;
    const fabrik_link *link = &s->link[l];
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

static void sweep_inwards(const fabrik_run *run)
{
    snw__fabrik_limits *s = run->s;
    for (int l = s->link_count - 1; l >= 0; l--) {
        const fabrik_link *link = &s->link[l];
        snw_vec3 sum = {0, 0, 0};
        double total = 0;
        for (int e = link->end_first; e < link->end_first + link->end_count; e++) {
            const fabrik_end *end = &s->end[e];
            snw_vec3 now = snw_xform_point(s->world[l], s->offset[e]);
            s->wish[e] = end->goal >= 0 ? goal_place(run, &run->goals[end->goal], now)
                                        : s->world[end->child].translation;
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
    }
}

/* ---- aiming by type ---- */

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
static snw_quat aim_by_type(const fabrik_run *run, int l, snw_xform base)
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

static void sweep_outwards(const fabrik_run *run)
{
    snw__fabrik_limits *s = run->s;
    for (int l = 0; l < s->link_count; l++) {
        const fabrik_link *link = &s->link[l];
        snw_xform base =
            link->parent < 0 ? s->seat[l] : snw_xform_mul(s->world[link->parent], s->seat[l]);
        snw_quat local =
            snw_joint_limit_apply(&run->ik->joint[link->joint], aim_by_type(run, l, base));
        run->pose->rotation[link->joint] = local;
        s->world[l] = snw_xform_make(snw_quat_mul(base.rotation, local), base.translation);
    }
    snw_pose_forward(run->pose);
}

/* ---- the solve ---------------------------------------------------------------------------- */

/* What sweeps lower: the root of the sum of the squares of all excesses, in tolerances; 1 or less
 * only where all goals are met. The worst alone would call a sweep useless that helps four of five.
 */
static double excess_of(const fabrik_run *run)
{
    double sum = 0, worst = 0;
    for (int g = 0; g < run->ik->goal_count; g++) {
        if (run->goals[g].kind == SNW_GOAL_REST) continue;
        double excess =
            snw__ik_error_excess(run->ik, snw__ik_goal_error(run->ik, &run->goals[g], run->pose));
        sum += excess * excess;
        worst = fmax(worst, excess);
    }
    if (worst <= 1) return worst;
    return sqrt(sum);
}

/* The one goal whose point hangs on the link; -1: there are several. */
static int only_goal(const snw__fabrik_limits *s, int l)
{
    while (s->link[l].end_count == 1) {
        const fabrik_end *end = &s->end[s->link[l].end_first];
        if (end->goal >= 0) return end->goal;
        l = end->child;
    }
    return -1;
}

/* Opens the link's joint until its goal's point is as far from the joint above as the target is,
 * and turns that joint to point there: two bones in closed form (two_bone.c). Close to full reach
 * it does at once what sweeps need hundreds of iterations for. */
static void open_joint(const fabrik_run *run, int l)
{
    const fabrik_link *link = &run->s->link[l];
    int g = only_goal(run->s, l), above = run->s->link[link->parent].joint;
    const snw_joint *joint = &run->ik->joint[link->joint], *upper = &run->ik->joint[above];
    snw_pose *pose = run->pose;
    if (g < 0 || joint->type == SNW_JOINT_UNIVERSAL) return;
    const snw_goal *goal = &run->goals[g];
    snw_vec3 center = pose->world[link->joint].translation, root = pose->world[above].translation;
    snw_vec3 tip = snw_pose_point(pose, goal->joint, goal->point),
             place = goal_place(run, goal, tip);
    snw_vec3 u = snw_vec3_sub(center, root), v = snw_vec3_sub(tip, center);
    snw_quat world = pose->world[link->joint].rotation, rotation = pose->rotation[link->joint];
    snw_vec3 axis = joint->type == SNW_JOINT_BALL
                        ? snw_vec3_unit(snw_vec3_cross(u, v), snw_vec3_perpendicular(u))
                        : snw_quat_rotate(world, joint->axis);
    double angle[2];
    snw__ik_opening_angles(u, v, axis, snw_vec3_distance(place, root), angle);
    double turn = fabs(angle[0]) < fabs(angle[1]) ? angle[0] : angle[1];
    snw_vec3 own = snw_quat_unrotate(world, axis);
    pose->rotation[link->joint] = snw_joint_limit_apply(
        joint, snw_quat_normalize(snw_quat_mul(rotation, snw_quat_from_axis_angle(own, turn))));
    snw_pose_forward_from(pose, link->joint);
    if (upper->type != SNW_JOINT_BALL) {
        snw__ccd_turn(run->ik, run->s->ccd, run->goals, pose, above);
        return;
    }
    tip = snw_pose_point(pose, goal->joint, goal->point);
    snw_quat base = base_of(pose, above).rotation;
    snw_vec3 way = snw_vec3_sub(place, root);
    snw_quat aimed =
        snw_quat_mul(snw_quat_between(snw_vec3_sub(tip, root), way), pose->world[above].rotation);
    pose->rotation[above] = snw__ik_swivel_inside(
        upper, snw_quat_normalize(snw_quat_mul(snw_quat_conjugate(base), aimed)),
        snw_vec3_unit(snw_quat_unrotate(base, way), upper->axis));
    snw_pose_forward_from(pose, above);
}

/* All joints, tips first; taken back when that is no nearer. */
static double open_joints(const fabrik_run *run, double before)
{
    snw__ik_snapshot_take(&run->s->kept, run->pose);
    for (int l = run->s->link_count - 1; l > 0; l--)
        if (run->s->link[l].parent >= 0) open_joint(run, l);
    double after = excess_of(run);
    if (after < before) return after;
    snw__ik_snapshot_restore(&run->s->kept, run->pose);
    snw_pose_forward(run->pose);
    return before;
}

/* Both sweeps, and where they do not pay single joints in turn. Returns the excess it leaves. */
static double iterate(const fabrik_run *run, double before)
{
    snw__ik_snapshot_take(&run->s->kept, run->pose);
    load(run);
    sweep_inwards(run);
    sweep_outwards(run);
    double after = excess_of(run);
    if (after < FABRIK_LIMITS_PAYS * before || after <= 1) return after;
    if (!(after < before)) {
        snw__ik_snapshot_restore(&run->s->kept, run->pose);
        snw_pose_forward(run->pose);
    }
    after = open_joints(run, fmin(before, after));
    if (after < FABRIK_LIMITS_PAYS * before) return after;
    snw__ccd_sweep_outwards(run->ik, run->s->ccd, run->goals, run->pose);
    return excess_of(run);
}

/* change = turns since the last iteration; returns its ratio to the change before, along that. */
static double measure_change(const fabrik_run *run)
{
    snw__fabrik_limits *s = run->s;
    double both = 0, before = 0;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++) {
        snw_vec3 turn = snw_quat_log(
            snw_quat_mul(snw_quat_conjugate(s->last.rotation[j]), run->pose->rotation[j]));
        both += snw_vec3_dot(turn, s->change[j]);
        before += snw_vec3_length2(s->change[j]);
        s->change[j] = turn;
    }
    snw__ik_snapshot_take(&s->last, run->pose);
    return before > 0 ? both / before : 0;
}

/* Close to full reach and along limits every iteration leaves the same part r of the way: the sum
 * of the series, r / (1 - r) changes, at once (Aitken). Taken back when it does not pay; returns
 * the excess it leaves. */
static double leap(const fabrik_run *run, double ratio, double excess)
{
    snw__fabrik_limits *s = run->s;
    double moves = fmin(ratio / (1 - ratio), FABRIK_LIMITS_LEAP), largest = 0;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++)
        largest = fmax(largest, snw_vec3_length(s->change[j]));
    if (moves * largest > FABRIK_LIMITS_LEAP_TURN) moves = FABRIK_LIMITS_LEAP_TURN / largest;
    for (int j = 0; j < run->ik->skeleton->joint_count; j++)
        run->pose->rotation[j] = snw_quat_normalize(snw_quat_mul(
            run->pose->rotation[j], snw_quat_exp(snw_vec3_scale(s->change[j], moves))));
    (void)snw__ik_apply_limits(run->ik, run->pose);
    snw_pose_forward(run->pose);
    double after = excess_of(run);
    if (after < excess) return after;
    snw__ik_snapshot_restore(&s->last, run->pose);
    snw_pose_forward(run->pose);
    return excess;
}

/* The best of the attempts is in state->best, with this excess. */
typedef struct fabrik_best {
    double excess;
    int iterations;
} fabrik_best;

static void note_best(const fabrik_run *run, double excess, fabrik_best *best)
{
    if (!(excess < best->excess)) return;
    best->excess = excess;
    snw__ik_snapshot_take(&run->s->best, run->pose);
}

static bool has_frame(const snw__fabrik_limits *s)
{
    for (int l = 0; l < s->link_count; l++)
        if (s->link[l].orientation >= 0) return true;
    return false;
}

/* From the pose until reached, stalled or out of iterations; true when reached. */
static bool attempt(const fabrik_run *run, fabrik_best *best)
{
    bool is_frame = has_frame(run->s);
    int window = is_frame ? FABRIK_LIMITS_WINDOW_FRAME : FABRIK_LIMITS_WINDOW;
    double slow = is_frame ? FABRIK_LIMITS_SLOW_FRAME : FABRIK_LIMITS_SLOW;
    double excess = excess_of(run), reference = excess;
    double own = excess;
    snw__ik_snapshot_take(&run->s->last, run->pose);
    (void)measure_change(run);
    for (int k = 1; excess > 1 && best->iterations < run->ik->options.iteration_max; k++) {
        note_best(run, excess, best);
        best->iterations++;
        excess = iterate(run, excess);
        double ratio = measure_change(run);
        if (k % FABRIK_LIMITS_LEAP_EVERY == 0 && ratio > 0.5 && ratio < 0.9999 && excess > 1) {
            excess = leap(run, ratio, excess);
            snw__ik_snapshot_take(&run->s->last, run->pose);
        }
        own = fmin(own, excess);
        if (k % window) continue;
        if (own > slow * reference) break;
        reference = own;
    }
    note_best(run, excess, best);
    return excess <= 1;
}

static void shake(const fabrik_run *run, snw_random *random, double angle)
{
    for (int l = 0; l < run->ik->skeleton->joint_count; l++) {
        const snw_joint *joint = &run->ik->joint[l];
        double by = snw_random_range(random, -angle, angle);
        snw_vec3 turn = snw_vec3_scale(snw_random_direction(random), by);
        if (snw_joint_type_dof(joint->type) == 0) continue;
        run->pose->rotation[l] = snw_joint_limit_apply(
            joint, snw_quat_normalize(snw_quat_mul(run->pose->rotation[l], snw_quat_exp(turn))));
    }
    snw_pose_forward(run->pose);
}

/* Marks the goals that the best pose does not meet, or all every other time. */
static void choose_goals(const fabrik_run *run, bool all)
{
    snw__ik_snapshot_restore(&run->s->best, run->pose);
    snw_pose_forward(run->pose);
    for (int g = 0; g < run->ik->goal_count; g++) {
        snw__ik_error error = snw__ik_goal_error(run->ik, &run->goals[g], run->pose);
        run->s->is_chosen[g] = all || snw__ik_error_excess(run->ik, error) > 1;
        if (run->goals[g].kind == SNW_GOAL_REST) run->s->is_chosen[g] = false;
    }
}

/* The nearest to the goals of a handful of poses that are random on the ways to goals which are not
 * met, and otherwise the best so far: a finger that fails must not cost the four that do not. */
static void scatter(const fabrik_run *run, snw_random *random, bool all)
{
    double least = INFINITY;
    choose_goals(run, all);
    for (int k = 0; k < FABRIK_LIMITS_SCATTER; k++) {
        snw__ik_snapshot_restore(&run->s->best, run->pose);
        for (int g = 0; g < run->ik->goal_count; g++)
            for (int j = run->s->is_chosen[g] ? run->goals[g].joint : -1; j >= 0;
                 j = run->ik->skeleton->parent[j])
                snw__ik_scatter_joint(&run->ik->joint[j], run->ik->size, random,
                                      &run->pose->rotation[j], &run->pose->slide[j]);
        (void)snw__ik_apply_limits(run->ik, run->pose);
        snw_pose_forward(run->pose);
        double excess = excess_of(run);
        if (!(excess < least)) continue;
        least = excess;
        snw__ik_snapshot_take(&run->s->kept, run->pose);
    }
    snw__ik_snapshot_restore(&run->s->kept, run->pose);
    snw_pose_forward(run->pose);
}

snw__ik_report snw__fabrik_limits_solve(const snw_ik *ik, snw__fabrik_limits *state,
                                        const snw__fabrik_geometry *geometry, const snw_goal *goals,
                                        snw_pose *pose)
{
    fabrik_run run = {ik, state, geometry, goals, pose};
    fabrik_best best = {INFINITY, 0};
    snw__ik_report report = {.outcome = SNW_IK_REACHED, .solver = SNW_IK_FABRIK};
    snw_random random = snw_random_seed(ik->options.seed, 5);
    int restarts = snw__ik_is_out_of_reach(ik, goals, pose) ? 0 : ik->options.restart_max;
    bool has_reached = false;
    double given = excess_of(&run);
    snw__ik_snapshot_take(&state->start, pose);
    snw__ik_snapshot_take(&state->best, pose);
    for (int k = 0; k <= restarts && !has_reached; k++) {
        if (k > 0) {
            snw__ik_snapshot_restore(&state->start, pose);
            if (k <= FABRIK_LIMITS_SHAKES)
                shake(&run, &random, fabrik_limits_shake[k - 1]);
            else
                scatter(&run, &random, k % 3 == 0);
        }
        has_reached = attempt(&run, &best);
        if (best.iterations >= ik->options.iteration_max) break;
    }
    bool is_nearer = has_reached || best.excess < FABRIK_LIMITS_NEARER * given;
    snw__ik_snapshot_restore(is_nearer ? &state->best : &state->start, pose);
    report.iterations = best.iterations;
    if (!has_reached)
        report.outcome = best.iterations >= ik->options.iteration_max ? SNW_IK_OUT_OF_ITERATIONS
                                                                      : SNW_IK_STALLED;
    return report;
}
