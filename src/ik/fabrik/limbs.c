/* Plan of the moving joints above goals and pins; see fabrik.h. */
#include "ik/fabrik/fabrik.h"

#include "ik/core/bones.h"

int snw__limbs_carrier(const snw_skeleton *skeleton, int joint, snw_xform *frame)
{
    while (joint >= 0 && snw_joint_type_dof(skeleton->joint[joint].type) == 0) {
        *frame = snw_xform_mul(skeleton->rest[joint], *frame);
        joint = skeleton->parent[joint];
    }
    return joint;
}

/* The limb above, and the joint's rest frame in it. */
static int carrier_above(const snw_skeleton *skeleton, int joint, snw_xform *frame)
{
    *frame = skeleton->rest[joint];
    return snw__limbs_carrier(skeleton, skeleton->parent[joint], frame);
}

/* The limb that a goal pulls on, and the goal's frame in it. A goal that asks for a place only is
 * carried by the first joint that can move that place: a ball does not move its own centre. */
static int goal_carrier(const snw_ik *ik, const snw_goal *goal, snw_xform *frame)
{
    if (snw__goal_is_secondary(goal)) return -1;
    *frame = snw_xform_make(snw_quat_identity(), goal->point);
    if (snw__goal_row_of(goal)->has_frame)
        return snw__limbs_carrier(ik->skeleton, goal->joint, frame);
    return snw__bones_carrier(ik->skeleton, goal->joint, &frame->translation);
}

static int pin_carrier(const snw_skeleton *skeleton, int pin, bool is_b, snw_vec3 *point)
{
    const snw_pin *p = &skeleton->pin[pin];
    *point = is_b ? p->point_b : p->point_a;
    return snw__bones_carrier(skeleton, is_b ? p->joint_b : p->joint_a, point);
}

/* Marks the limbs from `joint` (a limb or -1) up in limb_of_joint (-1 = none). */
static void mark_way_up(const snw_skeleton *skeleton, int joint, int *limb_of_joint)
{
    snw_xform frame;
    while (joint >= 0) {
        limb_of_joint[joint] = 0;
        joint = carrier_above(skeleton, joint, &frame);
    }
}

static int add_end(snw__fabrik_limbs *limbs, int limb, snw_vec3 offset)
{
    snw__limb_end end = {limb, offset, -1, -1, -1, -1, false};
    limbs->end[limbs->end_count] = end;
    limbs->limb[limb].end_count++;
    return limbs->end_count++;
}

static void add_pin_end(const snw_ik *ik, snw__fabrik_limbs *limbs, int limb, int pin, bool is_b)
{
    snw_vec3 point;
    if (pin_carrier(ik->skeleton, pin, is_b, &point) != limbs->limb[limb].joint) return;
    int end = add_end(limbs, limb, point);
    limbs->end[end].pin = pin;
    limbs->end[end].is_pin_b = is_b;
}

static void add_ends(const snw_ik *ik, snw__fabrik_limbs *limbs, int limb)
{
    limbs->limb[limb].end_first = limbs->end_count;
    for (int child = limb + 1; child < limbs->limb_count; child++) {
        if (limbs->limb[child].parent != limb) continue;
        snw_vec3 place = limbs->limb[child].parent_from_rest.translation;
        limbs->limb[child].parent_end = limbs->end_count;
        limbs->end[add_end(limbs, limb, place)].child = child;
    }
    for (int g = 0; g < ik->goal_count; g++) {
        const snw_goal *goal = &ik->goal[g];
        snw_xform frame;
        if (goal_carrier(ik, goal, &frame) != limbs->limb[limb].joint) continue;
        if (snw__goal_row_of(goal)->has_frame) {
            limbs->limb[limb].orientation = g;
            limbs->limb[limb].limb_from_goal_joint = frame.rotation;
        }
        if (snw__goal_row_of(goal)->place != SNW__PLACE_ANY)
            limbs->end[add_end(limbs, limb, frame.translation)].goal = g;
    }
    for (int p = 0; p < ik->skeleton->pin_count; p++) {
        add_pin_end(ik, limbs, limb, p, false);
        add_pin_end(ik, limbs, limb, p, true);
    }
}

static bool limb_is_plain(const snw_ik *ik, const snw__fabrik_limbs *limbs, int limb)
{
    const snw__fabrik_limb *l = &limbs->limb[limb];
    const snw_joint *joint = &ik->joint[l->joint];
    if (joint->type != SNW_JOINT_BALL || joint->limit.swing != SNW_SWING_FREE ||
        joint->limit.has_twist || l->orientation >= 0 || l->end_count == 0)
        return false;
    const snw__limb_end *first = &limbs->end[l->end_first];
    for (int e = 0; e < l->end_count; e++) {
        if (first[e].pin >= 0) return false;
        if (first[e].child >= 0) {
            snw_joint_type type = ik->joint[limbs->limb[first[e].child].joint].type;
            if (snw__joint_is_slide(type, 0)) return false;
        }
        if (snw_vec3_distance(first[e].offset, first[0].offset) > 1e-12 * ik->skeleton->size)
            return false;
    }
    return snw_vec3_length(first->offset) > 1e-12 * ik->skeleton->size;
}

static void classify(const snw_ik *ik, snw__fabrik_limbs *limbs)
{
    limbs->is_plain = true;
    for (int i = 0; i < limbs->limb_count; i++) {
        snw__fabrik_limb *limb = &limbs->limb[i];
        limb->is_plain = limb_is_plain(ik, limbs, i);
        if (limb->is_plain) limb->length = snw_vec3_length(limbs->end[limb->end_first].offset);
        limbs->is_plain &= limb->is_plain;
    }
    limbs->is_chain = limbs->is_plain && limbs->end_count == limbs->limb_count &&
                      ik->goal_count == 1 && snw__goal_is_point(&ik->goal[0]);
}

void snw__limbs_layout(snw__fabrik_limbs *limbs, const snw_ik *ik, snw__block *block)
{
    size_t n = (size_t)ik->skeleton->joint_count;
    size_t ends = n + (size_t)ik->goal_count + 2 * (size_t)ik->skeleton->pin_count;
    int *limb_of_joint = snw__block_take(block, n, sizeof *limb_of_joint);
    snw__fabrik_limbs all = {0};
    all.limb = snw__block_take(block, n, sizeof *all.limb);
    all.end = snw__block_take(block, ends, sizeof *all.end);
    if (block->base == NULL) return;
    const snw_skeleton *skeleton = ik->skeleton;
    for (int j = 0; j < skeleton->joint_count; j++)
        limb_of_joint[j] = -1;
    for (int g = 0; g < ik->goal_count; g++) {
        snw_xform frame;
        mark_way_up(skeleton, goal_carrier(ik, &ik->goal[g], &frame), limb_of_joint);
    }
    for (int p = 0; p < skeleton->pin_count; p++) {
        snw_vec3 point;
        mark_way_up(skeleton, pin_carrier(skeleton, p, false, &point), limb_of_joint);
        mark_way_up(skeleton, pin_carrier(skeleton, p, true, &point), limb_of_joint);
    }
    for (int j = 0; j < ik->skeleton->joint_count; j++)
        if (limb_of_joint[j] >= 0) {
            snw_xform frame;
            int above = carrier_above(ik->skeleton, j, &frame);
            snw__fabrik_limb limb = {.joint = j,
                                     .parent = above < 0 ? -1 : limb_of_joint[above],
                                     .parent_end = -1,
                                     .parent_from_rest = frame,
                                     .orientation = -1};
            limb_of_joint[j] = all.limb_count;
            all.limb[all.limb_count++] = limb;
        }
    for (int limb = 0; limb < all.limb_count; limb++)
        add_ends(ik, &all, limb);
    for (int a = 0; a < all.end_count; a++)
        for (int b = 0; b < a; b++)
            if (all.end[a].pin >= 0 && all.end[a].pin == all.end[b].pin) {
                all.end[a].pin_mate = b;
                all.end[b].pin_mate = a;
            }
    classify(ik, &all);
    *limbs = all;
}
