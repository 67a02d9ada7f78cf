/* Which joints are links of FABRIK with limits, and how they hang together; see fabrik_links.h.
 *
 * Joints that cannot steer are part of the limb above: a pivot whose bone lies on its axis moves no
 * point, and as a limb of its own would only pass on what it cannot help. */
#include "ik/fabrik/fabrik_links.h"

#include "ik/literature/ccd.h"

bool snw__fabrik_limits_fits(const snw_ik *ik)
{
    if (ik->options.root == SNW_IK_ROOT_FREE || ik->skeleton->pin_count > 0) return false;
    if (ik->options.use_printed) return false;
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (!snw__goal_is_secondary(goal) && !snw__goal_is_spatial(goal)) return false;
        for (int j = ik->goal[g].joint; j >= 0; j = ik->skeleton->parent[j]) {
            snw_joint_type type = ik->joint[j].type;
            if (snw__joint_is_slide(type, 0)) return false;
        }
    }
    return true;
}

/* Does turning the joint move the point, given in its frame? */
static bool steers(const snw_ik *ik, int joint, snw_vec3 point)
{
    const snw_joint *own = &ik->joint[joint];
    double least = 1e-9 * ik->size;
    if (snw_joint_type_dof(own->type) == 0) return false;
    if (snw__joint_is_hinge(own)) return snw_vec3_length(snw_vec3_cross(own->axis, point)) > least;
    return snw_vec3_length(point) > least;
}

/* Up from a goal: marks what steers its point, or the place of the next link below. A joint under
 * an orientation goal counts as one that steers: it is what takes the frame. */
static void mark_way_up(const snw_ik *ik, const snw_goal *goal, int *link_of)
{
    snw_vec3 point = goal->point;
    bool wants_frame = snw__goal_row_of(goal)->has_frame;
    bool has_point = snw__goal_row_of(goal)->place != SNW__PLACE_ANY;
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
        if (s->link[child].parent == l) s->end[s->end_count++] = (snw__fabrik_end){child, -1};
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        if (snw__goal_is_secondary(goal) || link_above(s, ik->skeleton, goal->joint) != l) continue;
        if (snw__goal_row_of(goal)->has_frame) s->link[l].orientation = g;
        if (snw__goal_row_of(goal)->place != SNW__PLACE_ANY)
            s->end[s->end_count++] = (snw__fabrik_end){-1, g};
    }
    s->link[l].end_count = s->end_count - s->link[l].end_first;
}

static void fill_plan(const snw_ik *ik, snw__fabrik_limits *s)
{
    const snw_skeleton *skeleton = ik->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        s->link_of[j] = -1;
    for (int g = 0; g < ik->goal_count; g++)
        if (!snw__goal_is_secondary(&ik->goal[g])) mark_way_up(ik, &ik->goal[g], s->link_of);
    for (int j = 0; j < skeleton->joint_count; j++) {
        if (s->link_of[j] < 0) continue;
        snw__fabrik_link link = {.joint = j, .orientation = -1};
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
