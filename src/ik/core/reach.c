/* Proof that a goal cannot be reached: straight limbs are as long as the sum of their links, and
 * cannot fold nearer to their base than twice the longest link minus that sum.
 *
 * Limits only shrink what a limb reaches, so the proof holds with them too; that a goal is not
 * proven out of reach says nothing. */
#include "ik/core/goal_kinds.h"

/* By how much the joint's slide can lengthen a link, from wherever it stands now. */
static double slide_room(const snw_joint *joint)
{
    const snw__joint_row *row = snw__joint_row_of(joint);
    if (row->slide_count == 0) return 0;
    if (row->range_count == 0 || !joint->limit.has_range[0]) return INFINITY;
    const double *range = joint->limit.range[0];
    return fmax(fabs(range[0]), fabs(range[1])) + (range[1] - range[0]);
}

void snw__ik_reach_plan(const snw_ik *ik, snw__ik_reach *reach)
{
    for (int i = 0; i < ik->goal_count; i++)
        if (ik->goal[i].joint >= 0) {
            /* From the goal's joint upwards: what lies rigidly between two moving joints is one
             * link. */
            snw__ik_reach limb = {.anchor = -1};
            snw_vec3 goal_in_frame = snw_vec3_make(0, 0, 0); /* last link's end, in j's frame */
            for (int j = ik->goal[i].joint; j >= 0; j = ik->skeleton->parent[j]) {
                const snw_joint *own = &ik->joint[j];
                if (snw_joint_type_dof(own->type) > 0) {
                    double length = snw_vec3_length(goal_in_frame);
                    limb.sum += length;
                    limb.longest = fmax(limb.longest, length);
                    limb.anchor = j;
                    limb.sum += slide_room(own);
                    limb.can_slide |= slide_room(own) > 0;
                    limb.can_turn |=
                        snw__joint_row_of(own)->dof > snw__joint_row_of(own)->slide_count;
                    goal_in_frame = snw_vec3_make(0, 0, 0);
                }
                goal_in_frame = snw_xform_point(ik->skeleton->rest[j], goal_in_frame);
            }
            reach[i] = limb;
        }
}

/* How far the goal stays from being met at least, in metres; 0: not proven. */
static double lack_of(const snw_ik *ik, const snw__ik_reach *reach, const snw_goal *goal,
                      const snw_pose *pose)
{
    double slack = ik->options.tolerance * ik->size;
    if (snw__goal_is_secondary(goal) || snw__goal_row_of(goal)->has_coordinate) return 0;
    if (reach->anchor < 0 || !reach->can_turn) return 0;
    double tail = snw_vec3_length(goal->point);
    /* Distance from the anchor to the nearest place where the goal would be met, and whether that
     * place is one point (only then can the anchor be too near). */
    snw_vec3 anchor = pose->world[reach->anchor].translation;
    snw__goal_place place = snw__goal_row_of(goal)->place;
    bool is_point = place == SNW__PLACE_POINT;
    double distance =
        place == SNW__PLACE_ANY ? 0 : snw_vec3_distance(snw__goal_place_near(goal, anchor), anchor);
    double sum = reach->sum + tail;
    double inner = 2 * fmax(reach->longest, tail) - sum;
    if (distance > sum + slack) return distance - sum;
    return is_point && !reach->can_slide && distance < inner - slack ? inner - distance : 0;
}

double snw__ik_unreachable_energy(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose)
{
    double energy = 0;
    if (ik->options.root == SNW_IK_ROOT_FREE) return 0;
    for (int i = 0; i < ik->goal_count; i++) {
        double lack = lack_of(ik, &ik->reach[i], &goals[i], pose) / ik->size;
        energy += 0.5 * goals[i].weight * lack * lack;
    }
    return energy;
}

bool snw__ik_is_out_of_reach(const snw_ik *ik, const snw_goal *goals, const snw_pose *pose)
{
    if (ik->options.root == SNW_IK_ROOT_FREE) return false;
    for (int i = 0; i < ik->goal_count; i++)
        if (lack_of(ik, &ik->reach[i], &goals[i], pose) > 0) return true;
    return false;
}
