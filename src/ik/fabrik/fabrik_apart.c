/* Shapes in FABRIK's sweeps: a link that was placed, and carries a shape that is nearer to another
 * than the two may be, is turned about the end that the sweep holds by the smallest turn that parts
 * them, to first order: w = lack (r x n) / |r x n|^2 for a contact r from the pivot with the normal
 * n. Where that is inwards, the parent follows the link, outwards the limits of its joint hold.
 * What neither mends is left to single joints and fresh starts (fabrik_limits.c): REACHED is said
 * only where all shapes are apart. */
#include "ik/fabrik/fabrik_links.h"

snw_xform snw__fabrik_placed(const snw__fabrik_links_run *run, int joint)
{
    const snw__fabrik_limits *s = run->s;
    int carrier = joint;
    if (joint < 0) return snw_xform_identity();
    while (carrier >= 0 && s->link_of[carrier] < 0)
        carrier = run->ik->skeleton->parent[carrier];
    if (carrier < 0) return run->pose->world[joint];
    snw_xform own =
        snw_xform_mul(snw_xform_inverse(run->pose->world[carrier]), run->pose->world[joint]);
    return snw_xform_mul(s->world[s->link_of[carrier]], own);
}

bool snw__fabrik_part(const snw__fabrik_links_run *run, int l, snw_vec3 pivot)
{
    snw__fabrik_limits *s = run->s;
    double smallest = run->ik->options.tolerance * run->ik->size;
    bool has_turned = false;
    for (int round = 0; round < SNW__IK_TRIES; round++) {
        snw_vec3 turn = {0, 0, 0};
        double most = smallest;
        for (int k = s->apart_first[l]; k < s->apart_first[l + 1]; k++) {
            int which = s->apart[k] / 2;
            bool is_other = s->apart[k] % 2;
            const snw_goal *goal = &run->goals[which];
            snw_contact contact;
            if (!snw__goal_contact(goal, snw__fabrik_placed(run, goal->joint),
                                   snw__fabrik_placed(run, goal->chain_root), &contact))
                continue;
            double lack = goal->value - contact.distance;
            if (!(lack > most)) continue;
            snw_vec3 arm = snw_vec3_sub(is_other ? contact.b : contact.a, pivot);
            snw_vec3 lever =
                snw_vec3_cross(arm, is_other ? snw_vec3_neg(contact.normal) : contact.normal);
            /* Pushed along the link no turn parts them. */
            if (!(snw_vec3_length2(lever) > lack * lack)) continue;
            most = lack;
            turn = snw_vec3_scale(lever, lack / snw_vec3_length2(lever));
        }
        if (most == smallest) break;
        snw_quat by = snw_quat_exp(turn);
        s->world[l].rotation = snw_quat_normalize(snw_quat_mul(by, s->world[l].rotation));
        s->world[l].translation =
            snw_vec3_add(pivot, snw_quat_rotate(by, snw_vec3_sub(s->world[l].translation, pivot)));
        has_turned = true;
    }
    return has_turned;
}
